// ploy tune: playing a game to score its parameters.
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/ranks.h"
#include "apps/ploy/tune.h"
#include "ploy/base/hash.h"

const tune_sides *tune_sides_at(int32_t index) {
    static const tune_sides all[] = {
        {"soccer",
         {"red", "blue"},
         {"state.summary.score.x", "state.summary.score.y"},
         10800,
         NULL,
         NULL},
        {"raven",
         {"red", "blue"},
         {"state.summary.side_kills.red", "state.summary.side_kills.blue"},
         10800,
         "kill_share",
         "sides"},
    };
    return index >= 0 && index < (int32_t)(sizeof all / sizeof all[0]) ? &all[index] : NULL;
}

const tune_sides *tune_sides_find(const char *game) {
    for (int32_t i = 0; tune_sides_at(i) != NULL; i++) {
        if (strcmp(tune_sides_at(i)->game, game) == 0) return tune_sides_at(i);
    }
    return NULL;
}

ploy_fields tune_side_fields(const tune_game *game, int32_t side, uint32_t *offset) {
    ploy_fields none = {"", NULL, 0, 0};
    const ploy_field *group =
        ploy_fields_find(game->type->fields(), game->sides->sides[side], offset);
    return group == NULL || group->def == NULL ? none : group->def();
}

ploy_result tune_game_params(const tune_game *game, const double *point, void *out) {
    ploy_fields fields = game->type->fields();
    memcpy(out, game->params, fields.size);
    for (int32_t i = 0; i < game->count; i++) {
        ploy_result result = ploy_tune_apply(fields, out, game->paths[i], point[i]);
        if (result != PLOY_OK) return result;
    }
    if (game->sides == NULL) return PLOY_OK;
    uint32_t offset = 0;
    ploy_fields group = tune_side_fields(game, 1 - game->side, &offset);
    memcpy((char *)out + offset, (const char *)game->opponent + offset, group.size);
    return PLOY_OK;
}

static ploy_result game_swap(const tune_game *game, void *params) {
    uint32_t a = 0, b = 0;
    size_t size = tune_side_fields(game, 0, &a).size;
    (void)tune_side_fields(game, 1, &b);
    void *keep = malloc(size);
    if (keep == NULL) return PLOY_ERR_MEMORY;
    memcpy(keep, (char *)params + a, size);
    memcpy((char *)params + a, (char *)params + b, size);
    memcpy((char *)params + b, keep, size);
    free(keep);
    return PLOY_OK;
}

static void game_judge(const tune_game *game, bool swap, const double *read, double *score,
                       double *out) {
    double value = read[0], counts = read[0];
    if (game->sides != NULL) {
        int32_t own = swap ? 1 - game->side : game->side;
        double lead = read[own] - read[1 - own];
        value = 0.5 + lead / (2.0 + 2.0 * (lead < 0.0 ? -lead : lead));
        counts = lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
    }
    *score = value;
    if (out != NULL) *out = counts;
}

ploy_result tune_game_play(const tune_game *game, const double *point, uint64_t seed, bool swap,
                           double *score, double *out) {
    void *params = malloc(game->type->fields().size);
    if (params == NULL) return PLOY_ERR_MEMORY;
    swap = swap && game->sides != NULL;
    ploy_result result = tune_game_params(game, point, params);
    if (result == PLOY_OK && swap) result = game_swap(game, params);
    if (result == PLOY_OK) {
        double read[2];
        const char *const one[] = {game->score};
        result = ploy_sim_play(game->type, params, seed, game->ticks,
                               game->sides != NULL ? game->sides->score : one,
                               game->sides != NULL ? 2 : 1, &game->env, read, NULL);
        if (result == PLOY_OK) game_judge(game, swap, read, score, out);
    }
    free(params);
    return result;
}

typedef struct game_outcome {
    double score;
    int64_t result; // ploy_result; the struct has no gap, as its bytes are sent
} game_outcome;

typedef struct game_batch {
    const tune_game *game;
    const double *points;
    int32_t repeats;
    uint64_t batch; // when verifying: the first match
    game_outcome *outcomes;
} game_batch;

static void game_score_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    const game_batch *b = arg;
    for (int32_t i = first; i < first + count; i++) {
        int32_t repeat = i % b->repeats;
        // Two swapped matches share a seed.
        uint64_t seed =
            ploy_hash_combine(ploy_hash_combine(b->game->seed, b->batch), (uint64_t)(repeat / 2));
        const double *point = b->points + (size_t)i * (size_t)b->game->count;
        game_outcome *out = &b->outcomes[i];
        out->result = tune_game_play(b->game, point, seed, repeat % 2 == 1, &out->score, NULL);
    }
}

static void game_verify_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    const game_batch *b = arg;
    for (int32_t i = first; i < first + count; i++) {
        uint64_t match = b->batch + (uint64_t)i,
                 seed = ploy_hash_combine(~b->game->seed, match / 2);
        double score = 0.0;
        game_outcome *out = &b->outcomes[i];
        out->result = tune_game_play(b->game, b->points, seed, match % 2 == 1, &score, &out->score);
    }
}

// Runs numbered jobs on all ranks and takes over their scores in order.
static ploy_result game_run(game_batch *b, ploy_job_fn fn, int32_t count, const ploy_jobs *jobs,
                            double *scores) {
    b->outcomes = calloc((size_t)count, sizeof *b->outcomes);
    if (b->outcomes == NULL) return PLOY_ERR_MEMORY;
    ranks_run(jobs, fn, b, count, b->outcomes, sizeof *b->outcomes);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < count; i++) {
        if (result == PLOY_OK) result = (ploy_result)b->outcomes[i].result;
        scores[i] = b->outcomes[i].score;
    }
    free(b->outcomes);
    return result;
}

ploy_result tune_game_scores(const tune_game *game, const double *points, int32_t count,
                             int32_t repeats, uint64_t batch, const ploy_jobs *jobs,
                             double *scores) {
    game_batch b = {game, points, repeats, batch, NULL};
    return game_run(&b, game_score_job, count, jobs, scores);
}

ploy_result tune_game_verify(const tune_game *game, const double *point, int32_t matches,
                             const ploy_jobs *jobs, double *out) {
    enum { ROUND = 64 }; // after which the bar moves
    double *scores = calloc((size_t)matches, sizeof(double));
    if (scores == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = PLOY_OK;
    cli_progress progress = cli_progress_begin("verifying", (uint64_t)matches, true);
    for (int32_t done = 0; done < matches && result == PLOY_OK; done += ROUND) {
        int32_t count = matches - done < ROUND ? matches - done : ROUND;
        game_batch b = {game, point, 1, (uint64_t)done, NULL};
        result = game_run(&b, game_verify_job, count, jobs, scores + done);
        cli_progress_step(&progress, (uint64_t)(done + count));
    }
    cli_progress_end(&progress);
    double sum = 0.0;
    for (int32_t i = 0; i < matches; i++) sum += scores[i];
    free(scores);
    if (result == PLOY_OK) *out = sum / matches;
    return result;
}
