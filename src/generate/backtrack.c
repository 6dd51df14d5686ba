// Backtracking over any set of places; see the header.
#include "ploy/generate/backtrack.h"

#include <string.h>

void ploy_backtrack_init(ploy_backtrack *work, const ploy_env *env) {
    memset(work, 0, sizeof *work);
    ploy_array_init(&work->stack, sizeof(int32_t), env);
}

void ploy_backtrack_fini(ploy_backtrack *work) {
    ploy_array_fini(&work->stack);
}

ploy_result ploy_backtrack_start(ploy_backtrack *work, int32_t place) {
    ploy_array_clear(&work->stack);
    ploy_result result = ploy_array_push(&work->stack, &place);
    if (result != PLOY_OK) return result;
    work->places = work->peak = 1;
    work->dead_ends = 0;
    work->tries = 0;
    work->fresh = true;
    work->enough = work->out_of_tries = false;
    return PLOY_OK;
}

ploy_result ploy_backtrack_step(ploy_backtrack *work, const ploy_backtrack_places *places,
                                ploy_rng *rng, ploy_budget *budget) {
    while (work->stack.count > 0 && !work->enough && !work->out_of_tries) {
        if (work->max_tries > 0 && work->tries >= work->max_tries) {
            work->out_of_tries = true;
            break;
        }
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        work->tries++;
        int32_t top = PLOY_ARRAY_ITEMS(&work->stack, int32_t)[work->stack.count - 1], next = -1;
        switch (places->connect(places->user, top, rng, &next)) {
        case PLOY_BACKTRACK_NEW:
            if (ploy_array_push(&work->stack, &next) != PLOY_OK) return PLOY_ERR_MEMORY;
            work->places++;
            if (work->stack.count > work->peak) work->peak = work->stack.count;
            work->fresh = true;
            break;
        case PLOY_BACKTRACK_RETRY: work->fresh = false; break;
        case PLOY_BACKTRACK_NONE:
            // The start without a neighbour is a level of one place and no dead end.
            work->dead_ends += work->fresh && work->stack.count > 1;
            work->fresh = false;
            ploy_array_pop(&work->stack, NULL);
            continue;
        case PLOY_BACKTRACK_FAILED: return PLOY_ERR_MEMORY;
        }
        if (places->enough != NULL) work->enough = places->enough(places->user, work);
    }
    return PLOY_OK;
}
