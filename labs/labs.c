#include "labs/labs.h"

#include <stddef.h>

// Each lab is a file of its own that defines one of these.
extern const ploy_sim_type ploy_lab_indices;
extern const ploy_sim_type ploy_lab_seek;
extern const ploy_sim_type ploy_lab_splines;

const ploy_sim_type *const *ploy_labs(void) {
    static const ploy_sim_type *const labs[] = {&ploy_lab_seek, &ploy_lab_splines,
                                                &ploy_lab_indices, NULL};
    return labs;
}
