// The list of all learners, in the order in which programs print them.
#include "ploy/learn/bayes.h"
#include "ploy/learn/learner.h"
#include "ploy/learn/nearest.h"
#include "ploy/learn/net_learner.h"
#include "ploy/learn/ngram.h"
#include "ploy/learn/tree.h"

typedef const ploy_learner_type *(*learners_fn)(void);

static const learners_fn learners_all[] = {
    // Classifiers.
    ploy_nearest_learner,
    ploy_bayes_learner,
    // Trees.
    ploy_tree_learner,
    ploy_tree_ratio_learner,
    ploy_id4_learner,
    // Networks.
    ploy_net_learner,
    // Prediction of the next action.
    ploy_ngram_raw_learner,
    ploy_string_learner,
    ploy_ngram_learner,
    ploy_ngram_hierarchical_learner,
};

const ploy_learner_type *ploy_learners_at(int32_t index) {
    if (index < 0 || index >= (int32_t)(sizeof learners_all / sizeof learners_all[0])) return NULL;
    return learners_all[index]();
}
