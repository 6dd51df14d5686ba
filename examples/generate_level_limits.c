// Limits are results: generators that cannot do what is asked end with the best so far and name the limit.
// Shows ploy_generate_outcome, sub-tree tests, pieces of the caller, and a trace of rejections.
#include "ploy/generate/accretion.h"
#include "ploy/generate/pieces.h"
#include "ploy/generate/subdivision.h"

#include <stdio.h>

static void print_outcome(const char *name, ploy_generate_outcome outcome) {
    printf("%s: %s%s, %d made, %d of %d tries rejected\n", name,
           outcome.partial ? "limit " : "complete", outcome.limit, (int)outcome.count,
           (int)outcome.rejected, (int)outcome.attempts);
}

// No sub-tree may have an odd number of rooms, not even a leaf's parent with three: hard to please.
static bool even(void *user, const ploy_subdivision_space *spaces, int32_t count, int32_t root) {
    (void)user;
    (void)count;
    return spaces[root].leaves % 2 == 0;
}

static void count_rejections(void *user, const char *name, ploy_outcome outcome, double score,
                             const char *reason) {
    (void)name;
    (void)score;
    (void)reason;
    *(int32_t *)user += outcome == PLOY_OUTCOME_REJECTED;
}

// More rooms than fit.
static ploy_result grow_too_many(ploy_rng_key key, const ploy_env *env) {
    ploy_accretion_def def = ploy_accretion_def_default();
    def.rooms = 200;
    ploy_accretion *accretion = NULL;
    ploy_result result = ploy_accretion_begin(&def, key, NULL, env, &accretion);
    if (result == PLOY_OK) result = ploy_accretion_step(accretion, NULL);
    if (result == PLOY_OK) {
        print_outcome("accretion", ploy_accretion_outcome(accretion));
        ploy_floor_plan_stats stats = ploy_floor_plan_stats_of(ploy_accretion_plan(accretion));
        printf("  still whole: %d unreachable cells, %d loops\n", (int)stats.unreachable,
               (int)stats.loops);
    }
    ploy_accretion_cancel(accretion);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rng_key key = ploy_rng_key_make(1);

    if (grow_too_many(key, &env) != PLOY_OK) return 1;

    ploy_subdivision_def split = ploy_subdivision_def_default();
    split.max_attempts = 100;
    split.min_rooms = 12;
    ploy_subdivision *subdivision = NULL;
    if (ploy_subdivision_begin(&split, key, even, NULL, NULL, &env, &subdivision) != PLOY_OK)
        return 1;
    if (ploy_subdivision_step(subdivision, NULL) != PLOY_OK) return 1;
    int32_t spaces = 0;
    ploy_subdivision_spaces(subdivision, &spaces);
    print_outcome("subdivision", ploy_subdivision_outcome(subdivision));
    printf("  %d spaces, %d sub-trees rebuilt, %d rooms\n", (int)spaces,
           (int)ploy_subdivision_rebuilds(subdivision),
           (int)ploy_floor_plan_get(ploy_subdivision_plan(subdivision)).room_count);
    ploy_subdivision_cancel(subdivision);

    int32_t rejections = 0, count = 0;
    ploy_trace trace = {NULL, count_rejections, NULL, NULL, NULL, &rejections};
    const ploy_piece *halls = ploy_pieces_of(PLOY_PIECES_HALLS, &count);
    ploy_pieces_def place = ploy_pieces_def_default();
    place.pieces = 0; // fill
    place.max_attempts = 20;
    ploy_pieces *pieces = NULL;
    if (ploy_pieces_begin(&place, key, halls, count, &trace, &env, &pieces) != PLOY_OK) return 1;
    if (ploy_pieces_step(pieces, NULL) != PLOY_OK) return 1;
    print_outcome("pieces", ploy_pieces_outcome(pieces));
    printf("  %d doors, %d rejections traced\n",
           (int)ploy_floor_plan_get(ploy_pieces_plan(pieces)).door_count, (int)rejections);
    ploy_pieces_cancel(pieces);
    return 0;
}
