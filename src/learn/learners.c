// The list of all learners, in the order in which programs print them.
#include "ploy/learn/learner.h"
#include "ploy/learn/nearest.h"

typedef const ploy_learner_type *(*learners_fn)(void);

static const learners_fn learners_all[] = {
    // Classifiers.
    ploy_nearest_learner,
};

const ploy_learner_type *ploy_learners_at(int32_t index) {
    if (index < 0 || index >= (int32_t)(sizeof learners_all / sizeof learners_all[0])) return NULL;
    return learners_all[index]();
}
