// A soccer team tuned by playing: every generation of the search plays matches against the shipped
// team, and the curve of their scores rises. A tick plays whole matches, which are gone when it ends,
// so pausing, going back and forking work as in any lab: set another spread in a fork and compare.
#include <stdio.h>
#include <string.h>

#include "games/games.h"
#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/visit.h"
#include "ploy/learn/tune.h"

enum { TUNING_PARAMETERS = 6, TUNING_CURVE = 400 };

// Tactics only: no speeds, no accuracy.
static const char *const tuning_names[TUNING_PARAMETERS] = {
    "comfort_zone", "potshot_chance", "min_pass", "anticipation", "support_distance", "pressing"};

typedef struct tuning_def {
    uint32_t cookie;
    int32_t speed, ticks, repeats;
    float spread;
} tuning_def;

static const ploy_field tuning_items[] = {
    PLOY_FIELD_I32(tuning_def, speed, 1, 0, 32, "", "matches in a tick; 0 pauses"),
    PLOY_FIELD_I32(tuning_def, ticks, 3600, 60, 10800, "", "ticks of a match"),
    PLOY_FIELD_I32(tuning_def, repeats, 4, 1, 32, "", "matches for each set of parameters"),
    PLOY_FIELD_F32(tuning_def, spread, 1, 0.05, 10, "",
                   "spread of the first generation; another one starts the search again"),
};

static ploy_fields tuning_fields(void) {
    return PLOY_FIELDS(tuning_def, tuning_items);
}

typedef struct tuning_generation {
    double mean, best; // scores of its points: 0.5 is as good as the shipped team
} tuning_generation;

typedef struct tuning_lab {
    tuning_def def;
    ploy_env env;
    ploy_rng_key key;
    const ploy_sim_type *game;
    void *params; // of a match
    ploy_tune *tune;
    ploy_array scores;    // double, of the generation that is playing
    int32_t next, wanted; // of them: the next to play, and how many there are
    ploy_array curve;     // tuning_generation
    int64_t matches, wins, draws;
} tuning_lab;

static ploy_result tuning_range(const tuning_lab *lab, int32_t i, ploy_tune_range *out) {
    char path[64];
    snprintf(path, sizeof path, "red.%s", tuning_names[i]);
    return ploy_tune_range_of(lab->game->fields(), lab->params, path, out);
}

static ploy_result tuning_begin(tuning_lab *lab) {
    ploy_tune_def def = ploy_tune_def_default();
    def.method = PLOY_TUNE_CMA;
    def.sigma = (double)lab->def.spread;
    def.repeats = lab->def.repeats;
    def.max_evaluations = 1 << 24;
    def.seed = lab->key.bits;
    ploy_tune_range ranges[TUNING_PARAMETERS];
    ploy_fields_default(lab->game->fields(), lab->params);
    for (int32_t i = 0; i < TUNING_PARAMETERS; i++) {
        ploy_result result = tuning_range(lab, i, &ranges[i]);
        if (result != PLOY_OK) return result;
    }
    ploy_tune_destroy(lab->tune);
    lab->tune = NULL;
    ploy_array_clear(&lab->scores);
    ploy_array_clear(&lab->curve);
    lab->next = lab->wanted = 0;
    lab->matches = lab->wins = lab->draws = 0;
    return ploy_tune_create(&def, ranges, TUNING_PARAMETERS, &lab->env, &lab->tune);
}

static ploy_result tuning_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                 void **out) {
    tuning_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    lab->game = ploy_sim_type_find(ploy_games(), "soccer", NULL);
    if (lab->game == NULL) return PLOY_ERR_NOT_FOUND;
    lab->params = ploy_env_alloc_zero(env, lab->game->fields().size);
    if (lab->params == NULL) return PLOY_ERR_MEMORY;
    ploy_array_init(&lab->scores, sizeof(double), env);
    ploy_array_init(&lab->curve, sizeof(tuning_generation), env);
    ploy_result result = ploy_array_reserve(&lab->curve, TUNING_CURVE);
    if (result == PLOY_OK) result = tuning_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- one match

// The score of the next point of the generation. Odd matches swap the sides, and both share a seed.
static ploy_result tuning_match(tuning_lab *lab, const double *point, double *score) {
    int32_t own = lab->next % 2, pair = lab->next % lab->def.repeats / 2;
    uint64_t seed = ploy_hash_combine(
        ploy_hash_combine(lab->key.bits, (uint64_t)lab->curve.count + 1), (uint64_t)pair);
    ploy_fields fields = lab->game->fields();
    ploy_fields_default(fields, lab->params);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < TUNING_PARAMETERS && result == PLOY_OK; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s.%s", own == 0 ? "red" : "blue", tuning_names[i]);
        result = ploy_tune_apply(fields, lab->params, path, point[i]);
    }
    // The match is in separate memory, because nothing of it stays.
    static const char *const paths[2] = {"state.summary.score.x", "state.summary.score.y"};
    ploy_env env = ploy_env_default();
    double goals[2] = {0.0, 0.0};
    if (result == PLOY_OK) {
        result = ploy_sim_play(lab->game, lab->params, seed, (uint64_t)lab->def.ticks, paths, 2,
                               &env, goals, NULL);
    }
    if (result != PLOY_OK) return result;
    double lead = goals[own] - goals[1 - own];
    lab->matches++;
    lab->wins += lead > 0.0;
    lab->draws += lead == 0.0;
    *score = 0.5 + lead / (2.0 + 2.0 * (lead < 0.0 ? -lead : lead));
    return PLOY_OK;
}

static ploy_result tuning_end_generation(tuning_lab *lab) {
    const double *scores = PLOY_ARRAY_ITEMS(&lab->scores, double);
    tuning_generation generation = {0.0, 0.0};
    for (int32_t i = 0; i < lab->wanted; i++) generation.mean += scores[i] / lab->wanted;
    for (int32_t i = 0; i + lab->def.repeats <= lab->wanted; i += lab->def.repeats) {
        double sum = 0.0;
        for (int32_t k = 0; k < lab->def.repeats; k++) sum += scores[i + k];
        if (sum / lab->def.repeats > generation.best) generation.best = sum / lab->def.repeats;
    }
    ploy_result result = ploy_tune_tell(lab->tune, scores);
    lab->next = lab->wanted = 0;
    if (result != PLOY_OK || lab->curve.count >= TUNING_CURVE) return result;
    return ploy_array_push(&lab->curve, &generation);
}

static ploy_result tuning_advance(tuning_lab *lab) {
    int32_t count = 0;
    const double *points = ploy_tune_ask(lab->tune, &count);
    if (points == NULL) return PLOY_OK; // the search is over
    if (lab->wanted != count) {
        ploy_result result = ploy_array_resize(&lab->scores, count);
        if (result != PLOY_OK) return result;
        lab->wanted = count;
        lab->next = 0;
    }
    ploy_result result = tuning_match(lab, points + (size_t)lab->next * TUNING_PARAMETERS,
                                      PLOY_ARRAY_AT(&lab->scores, double, lab->next));
    if (result != PLOY_OK) return result;
    lab->next++;
    return lab->next == lab->wanted ? tuning_end_generation(lab) : PLOY_OK;
}

static ploy_result tuning_step(void *state, const ploy_sim_context *context) {
    tuning_lab *lab = state;
    float spread = lab->def.spread;
    int32_t repeats = lab->def.repeats, ticks = lab->def.ticks;
    memcpy(&lab->def, context->params, sizeof lab->def);
    bool again = lab->def.spread != spread || lab->def.repeats != repeats ||
                 lab->def.ticks != ticks || lab_input_count(context, "again") > 0;
    ploy_result result = again ? tuning_begin(lab) : PLOY_OK;
    for (int32_t i = 0; i < lab->def.speed && result == PLOY_OK; i++) result = tuning_advance(lab);
    return result;
}

// ---- sight

static const tuning_generation *tuning_last(const tuning_lab *lab) {
    return ploy_array_at(&lab->curve, lab->curve.count - 1);
}

static void tuning_draw(const void *state, ploy_draw *out) {
    const tuning_lab *lab = state;
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_GOOD, "best score of a generation");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "mean score of a generation");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "as good as the shipped team");
    ploy_draw_key(out, PLOY_STYLE_WALL, "every match lost");
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none, ploy_vec2_make(0, 5),
                   ploy_vec2_make(20, 5));
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, ploy_vec2_make(0, 0),
                   ploy_vec2_make(20, 0));
    float wide = lab->curve.count > 20 ? 20.0f / (float)lab->curve.count : 1.0f;
    for (int32_t i = 1; i < lab->curve.count; i++) {
        const tuning_generation *a = PLOY_ARRAY_AT(&lab->curve, tuning_generation, i - 1);
        const tuning_generation *b = a + 1;
        float from = (float)(i - 1) * wide, to = (float)i * wide;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GOOD, none,
                       ploy_vec2_make(from, (float)a->best * 10.0f),
                       ploy_vec2_make(to, (float)b->best * 10.0f));
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_AGENT_A, none,
                       ploy_vec2_make(from, (float)a->mean * 10.0f),
                       ploy_vec2_make(to, (float)b->mean * 10.0f));
    }
    const double *at = ploy_tune_at(lab->tune);
    char text[256];
    int used = snprintf(text, sizeof text, "lr\nparameter\tcentre of the search\n");
    for (int32_t i = 0; i < TUNING_PARAMETERS && used < (int)sizeof text - 48; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s\t%.3g%s", tuning_names[i],
                         at[i], i + 1 < TUNING_PARAMETERS ? "\n" : "");
    }
    ploy_draw_table(out, none, ploy_vec2_make(0.0f, 18.0f), text);
    const tuning_generation *last = tuning_last(lab);
    snprintf(text, sizeof text, "generation %d, match %d of %d; %lld matches; last generation %.2f",
             (int)lab->curve.count + 1, (int)lab->next, (int)lab->wanted, (long long)lab->matches,
             last != NULL ? last->mean : 0.5);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, 10.6f), text);
}

static void tuning_describe(const void *state, ploy_describe *out) {
    const tuning_lab *lab = state;
    const tuning_generation *last = tuning_last(lab);
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_i64(out, "generation", PLOY_DERIVED, lab->curve.count);
    ploy_describe_i64(out, "matches", PLOY_STATE, lab->matches);
    ploy_describe_i64(out, "wins", PLOY_STATE, lab->wins);
    ploy_describe_i64(out, "draws", PLOY_STATE, lab->draws);
    ploy_describe_f64(out, "mean", PLOY_DERIVED, last != NULL ? last->mean : 0.5);
    ploy_describe_f64(out, "best", PLOY_DERIVED, last != NULL ? last->best : 0.5);
    ploy_describe_begin(out, "centre");
    for (int32_t i = 0; i < TUNING_PARAMETERS; i++) {
        ploy_describe_f64(out, tuning_names[i], PLOY_DERIVED, ploy_tune_at(lab->tune)[i]);
    }
    ploy_describe_end(out);
    ploy_describe_i64(out, "next", PLOY_STATE, lab->next);
    ploy_describe_i64(out, "wanted", PLOY_STATE, lab->wanted);
    ploy_describe_begin(out, "scores");
    for (int32_t i = 0; i < lab->next; i++) {
        ploy_describe_f64(out, "score", PLOY_STATE, *PLOY_ARRAY_AT(&lab->scores, double, i));
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "curve");
    for (int32_t i = 0; i < lab->curve.count; i++) {
        const tuning_generation *g = PLOY_ARRAY_AT(&lab->curve, tuning_generation, i);
        ploy_describe_vec2(out, "mean and best", PLOY_STATE, (float)g->mean, (float)g->best);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "search");
    ploy_visit_describe(ploy_tune_visit, lab->tune, NULL, out);
    ploy_describe_end(out);
}

static const ploy_command tuning_commands[] = {
    {"again", "start the search again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_tuning; // in labs.c
const ploy_sim_type ploy_lab_tuning = {
    .name = "tuning",
    .title = "Tuning a soccer team",
    .help =
        "CMA-ES searches the tactics of a soccer team by playing it against the shipped one. The "
        "curves show the scores of each generation; the table the centre of the search. Go back, "
        "fork with another spread, and compare.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, -0.5f, 20.5f, 18.5f},
    .fields = tuning_fields,
    .commands = tuning_commands,
    .command_count = sizeof tuning_commands / sizeof tuning_commands[0],
    .create = tuning_create,
    .destroy = NULL, // the region goes with the simulation
    .step = tuning_step,
    .draw = tuning_draw,
    .describe = tuning_describe,
};
