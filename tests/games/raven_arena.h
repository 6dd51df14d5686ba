// Matches of Raven between two sides, for tests: kills, won matches, and what bots did.
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "games/games.h"
#include "games/raven/raven_goals.h"
#include "tests/test.h"

enum { ARENA_TICKS = 10800 };

typedef struct arena_result {
    int64_t matches, wins, losses; // of the first side
    int64_t kills[2];
    double seconds[2][RAVEN_STRATEGIES];
    double bot_minutes;
    double stuck; // s, the longest
    int64_t early_shots, blind_targets;
    int64_t place_kills[RAVEN_BOTS_MAX]; // by list position
    int64_t items;
    int64_t doors_passed, doors_failed, doors_left, doors_died;
    int64_t worst_units;
    int64_t units;              // of senses and paths
    uint64_t longest_wait;      // ticks without motion while a path is awaited
    double share, share_square; // sums over the matches
} arena_result;

// The first seed of a soak, from the environment: other seeds are PLOY_SOAK_FIRST=5001.
static inline uint64_t arena_first(void) {
    const char *first = getenv("PLOY_SOAK_FIRST");
    return first != NULL ? strtoull(first, NULL, 10) : 1;
}

static inline bool arena_soaks(void) {
    return test_rounds(1) > 1;
}

static inline raven_def arena_def(void) {
    raven_def def;
    ploy_fields_default(raven_fields(), &def);
    def.sides = 2;
    def.bots = 8;
    return def;
}

// Plays one match; the sides change places if swapped, so that no spawn order favours one.
static inline void arena_play(test_context *t, const raven_def *params, uint64_t seed,
                              int32_t ticks, bool swapped, arena_result *sum) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    raven_def own = *params;
    ploy_sim *sim = NULL;
    if (swapped) {
        own.red = params->blue;
        own.blue = params->red;
    }
    TEST_SEED(seed);
    def.seed = seed;
    CHECK_OK(ploy_sim_create(&def, ploy_sim_type_find(ploy_games(), "raven", NULL), &own, NULL,
                             &env, &sim));
    uint64_t waits[RAVEN_BOTS_MAX] = {0};
    const raven_match *match = ploy_sim_state(sim);
    for (int32_t i = 0; i < ticks; i++) {
        CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        for (int32_t k = 0; k < match->bot_count; k++) {
            const raven_bot *bot = &match->bots[k];
            bool waits_now = raven_alive(bot) && bot->path_since > 0 &&
                             bot->how == (int32_t)PLOY_GOAL_STEER_NONE;
            waits[k] = waits_now ? waits[k] + 1 : 0;
            if (waits[k] > sum->longest_wait) sum->longest_wait = waits[k];
        }
    }
    int64_t a = match->side_kills[swapped ? 1 : 0], b = match->side_kills[swapped ? 0 : 1];
    sum->matches++;
    sum->wins += a > b;
    sum->losses += a < b;
    sum->kills[0] += a;
    sum->kills[1] += b;
    sum->bot_minutes += (double)own.bots * (double)ticks / 3600.0;
    for (int32_t i = 0; i < RAVEN_STRATEGIES; i++) {
        sum->seconds[0][i] += match->plans->seconds[swapped ? 1 : 0][i];
        sum->seconds[1][i] += match->plans->seconds[swapped ? 0 : 1][i];
    }
    for (int32_t i = 0; i < match->bot_count; i++) {
        const raven_bot *bot = &match->bots[i];
        double stuck = (double)bot->longest_stuck / 60.0;
        if (stuck > sum->stuck) sum->stuck = stuck;
        sum->place_kills[i] += bot->kills;
        sum->items += bot->items;
        sum->early_shots += bot->early_shots;
        sum->blind_targets += bot->blind_targets;
    }
    sum->doors_passed += match->doors_passed;
    sum->doors_failed += match->doors_failed;
    sum->doors_left += match->doors_left;
    sum->doors_died += match->doors_died;
    sum->units += match->sense_units + match->path_units;
    if (match->worst_units > sum->worst_units) sum->worst_units = match->worst_units;
    double share = a + b > 0 ? (double)a / (double)(a + b) : 0.5;
    sum->share += share;
    sum->share_square += share * share;
    ploy_sim_destroy(sim);
}

static inline arena_result arena_run(test_context *t, const raven_def *params, uint64_t first,
                                     int32_t matches, int32_t ticks) {
    arena_result sum;
    memset(&sum, 0, sizeof sum);
    for (int32_t i = 0; i < matches; i++) {
        // Each seed twice, with the sides swapped; without sides that would be the same match.
        bool sides = params->sides > 1;
        arena_play(t, params, first + (uint64_t)(sides ? i / 2 : i), ticks, sides && i % 2 != 0,
                   &sum);
    }
    return sum;
}

static inline double arena_share(const arena_result *r) {
    int64_t all = r->kills[0] + r->kills[1];
    return all > 0 ? (double)r->kills[0] / (double)all : 0.5;
}

// By how many standard errors the first side won more matches than the other.
static inline double arena_lead(const arena_result *r) {
    double decided = (double)(r->wins + r->losses);
    return decided > 0.0 ? (double)(r->wins - r->losses) / sqrt(decided) : 0.0;
}

// By how many standard errors its mean share of the kills is above a half.
static inline double arena_above(const arena_result *r) {
    double n = (double)r->matches, mean = r->share / n;
    double variance = n > 1.0 ? (r->share_square / n - mean * mean) / (n - 1.0) : 0.25;
    return variance > 0.0 ? (mean - 0.5) / sqrt(variance) : 0.0;
}
