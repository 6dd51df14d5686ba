// A landscape of scores over one or two parameters, and a search that climbs it: the trail of its
// points, the present one and the best one.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"
#include "ploy/base/visit.h"
#include "ploy/learn/tune.h"

enum { LANDSCAPE_TRAIL_MAX = 4096, LANDSCAPE_CELLS = 40, LANDSCAPE_SIDE = 20 };

static const char *const landscape_kinds[] = {"peak", "ridge", "peaks", "random"};
typedef enum landscape_kind {
    LANDSCAPE_PEAK,
    LANDSCAPE_RIDGE,
    LANDSCAPE_PEAKS,
    LANDSCAPE_RANDOM
} landscape_kind;

typedef struct landscape_def {
    uint32_t cookie;
    landscape_kind kind;
    int32_t dimensions; // 1: a curve, 2: a field
    int32_t speed;
    float noise;
    ploy_tune_def search;
} landscape_def;

static const ploy_field landscape_items[] = {
    PLOY_FIELD_ENUM(landscape_def, kind, LANDSCAPE_PEAKS, landscape_kinds, "what is climbed"),
    PLOY_FIELD_I32(landscape_def, dimensions, 2, 1, 2, "",
                   "parameters of a score: a curve or a field"),
    PLOY_FIELD_I32(landscape_def, speed, 1, 0, 100, "", "steps of the search in a tick; 0 pauses"),
    PLOY_FIELD_F32(landscape_def, noise, 0, 0, 1, "", "noise on every score"),
    PLOY_FIELD_DEF(landscape_def, search, ploy_tune_fields, "the search"),
};

static ploy_fields landscape_fields(void) {
    return PLOY_FIELDS(landscape_def, landscape_items);
}

typedef struct landscape_point {
    float x, y;
    int32_t trial;
} landscape_point;

typedef struct landscape_lab {
    landscape_def def;
    ploy_env env;
    ploy_rng_key key;
    ploy_tune *tune;
    uint64_t scored;  // evaluations, for the noise
    ploy_array trail; // landscape_point
} landscape_lab;

static double landscape_bump(double x, double y, double at_x, double at_y, double height,
                             double width) {
    double dx = (x - at_x) / width, dy = (y - at_y) / width;
    return height * ploy_exp(-(dx * dx + dy * dy));
}

// The same shapes over one parameter. The dip of the ridge is as wide as a step of the search.
static double landscape_curve(const landscape_lab *lab, double x) {
    switch (lab->def.kind) {
    case LANDSCAPE_PEAK: return landscape_bump(x, 0, 13, 0, 1.0, 8.0);
    case LANDSCAPE_RIDGE: return x / 20.0 - landscape_bump(x, 0, 9, 0, 0.04, 0.3);
    case LANDSCAPE_PEAKS:
        return landscape_bump(x, 0, 4, 0, 0.6, 2.0) + landscape_bump(x, 0, 10, 0, 0.8, 1.5) +
               landscape_bump(x, 0, 16.5, 0, 1.0, 1.5);
    default: break;
    }
    return (double)ploy_rng_float_at(lab->key, 7, (uint64_t)(x * 2.0), 0);
}

// Scores between 0 and about 1.
static double landscape_height(const landscape_lab *lab, double x, double y) {
    if (lab->def.dimensions == 1) return landscape_curve(lab, x);
    double across = x - y, along = (x + y) * 0.5;
    switch (lab->def.kind) {
    case LANDSCAPE_PEAK: return landscape_bump(x, y, 13, 12, 1.0, 8.0);
    case LANDSCAPE_RIDGE: // narrow and diagonal, with a dip on the way up
        return ploy_exp(-across * across / 6.0) *
               (along / 20.0 - landscape_bump(along, 0, 9, 0, 0.12, 0.9));
    case LANDSCAPE_PEAKS:
        return landscape_bump(x, y, 5, 6, 0.6, 3.0) + landscape_bump(x, y, 15, 5, 0.75, 2.5) +
               landscape_bump(x, y, 12, 15, 1.0, 2.5);
    default: break;
    }
    uint64_t cell = (uint64_t)(x * 2.0) * 1000 + (uint64_t)(y * 2.0);
    return (double)ploy_rng_float_at(lab->key, 7, cell, 0);
}

static ploy_result landscape_begin(landscape_lab *lab) {
    ploy_tune_def def = lab->def.search;
    def.minimise = false;
    def.repeats = 1;
    def.seed = lab->key.bits;
    ploy_tune_range ranges[2] = {{0, LANDSCAPE_SIDE, 0.5, 2}, {0, LANDSCAPE_SIDE, 0.5, 3}};
    ploy_tune_destroy(lab->tune);
    lab->tune = NULL;
    lab->scored = 0;
    ploy_array_clear(&lab->trail);
    return ploy_tune_create(&def, ranges, lab->def.dimensions, &lab->env, &lab->tune);
}

static ploy_result landscape_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    landscape_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = key;
    ploy_array_init(&lab->trail, sizeof(landscape_point), env);
    ploy_result result = ploy_array_reserve(&lab->trail, LANDSCAPE_TRAIL_MAX);
    if (result == PLOY_OK) result = landscape_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static double landscape_score(landscape_lab *lab, const double *point) {
    double noise = (double)ploy_rng_binomial_at(lab->key, 8, lab->scored++, 0);
    double y = lab->def.dimensions == 2 ? point[1] : 0.0;
    return landscape_height(lab, point[0], y) + (double)lab->def.noise * noise;
}

// One request of the search.
static ploy_result landscape_advance(landscape_lab *lab) {
    int32_t count = 0;
    const double *points = ploy_tune_ask(lab->tune, &count);
    const double *at = ploy_tune_at(lab->tune);
    landscape_point place = {(float)at[0], lab->def.dimensions == 2 ? (float)at[1] : 0.0f,
                             ploy_tune_outcome_of(lab->tune).trial};
    const landscape_point *last = ploy_array_at(&lab->trail, lab->trail.count - 1);
    bool moved = last == NULL || last->x != place.x || last->y != place.y;
    if (moved && lab->trail.count < LANDSCAPE_TRAIL_MAX) {
        ploy_result result = ploy_array_push(&lab->trail, &place);
        if (result != PLOY_OK) return result;
    }
    if (points == NULL) return PLOY_OK; // the search is over
    double scores[1024];
    for (int32_t i = 0; i < count; i++) {
        scores[i] = landscape_score(lab, points + (size_t)i * (size_t)lab->def.dimensions);
    }
    return ploy_tune_tell(lab->tune, scores);
}

static ploy_result landscape_step(void *state, const ploy_sim_context *context) {
    landscape_lab *lab = state;
    landscape_def before;
    memcpy(&before, &lab->def, sizeof before);
    memcpy(&lab->def, context->params, sizeof lab->def);
    before.speed = lab->def.speed;
    bool again =
        lab_input_count(context, "again") > 0 || memcmp(&before, &lab->def, sizeof before) != 0;
    ploy_result result = again ? landscape_begin(lab) : PLOY_OK;
    for (int32_t i = 0; i < lab->def.speed && result == PLOY_OK; i++) {
        result = landscape_advance(lab);
    }
    return result;
}

// Where a point is drawn: on the field, or on the curve.
static ploy_vec2 landscape_at(const landscape_lab *lab, double x, double y) {
    if (lab->def.dimensions == 1) y = 1.0 + 18.0 * landscape_curve(lab, x);
    return ploy_vec2_make((float)x, (float)y);
}

static void landscape_draw_curve(const landscape_lab *lab, ploy_draw *out) {
    enum { PIECES = 4 * LANDSCAPE_CELLS };
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_GOOD, "score, better if higher");
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, none, ploy_vec2_make(0.0f, 1.0f),
                   ploy_vec2_make((float)LANDSCAPE_SIDE, 1.0f));
    ploy_draw_key(out, PLOY_STYLE_GHOST, "score of 0");
    for (int32_t i = 0; i < PIECES; i++) {
        double from = (double)LANDSCAPE_SIDE * i / PIECES;
        double to = (double)LANDSCAPE_SIDE * (i + 1) / PIECES;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, none, landscape_at(lab, from, 0.0),
                       landscape_at(lab, to, 0.0));
    }
}

static void landscape_draw_field(const landscape_lab *lab, ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_key(out, PLOY_STYLE_GOOD, "score, better if darker");
    float cell = (float)LANDSCAPE_SIDE / LANDSCAPE_CELLS;
    for (int32_t i = 0; i < LANDSCAPE_CELLS * LANDSCAPE_CELLS; i++) {
        float x = (float)(i % LANDSCAPE_CELLS) * cell, y = (float)(i / LANDSCAPE_CELLS) * cell;
        double height = landscape_height(lab, (double)(x + 0.5f * cell), (double)(y + 0.5f * cell));
        ploy_vec2 corners[4] = {{x, y}, {x + cell, y}, {x + cell, y + cell}, {x, y + cell}};
        ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_GOOD, none, corners, 4,
                          0.8f * ploy_clampf((float)height, 0.0f, 1.0f));
    }
}

static void landscape_draw(const void *state, ploy_draw *out) {
    const landscape_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "point that is tried");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "best point so far");
    ploy_draw_key(out, PLOY_STYLE_PATH, "path of the search");
    ploy_agent_id none = ploy_agent_id_none();
    bool curve = lab->def.dimensions == 1;
    if (curve) landscape_draw_curve(lab, out);
    if (!curve) landscape_draw_field(lab, out);
    for (int32_t i = 1; i < lab->trail.count; i++) {
        const landscape_point *a = PLOY_ARRAY_AT(&lab->trail, landscape_point, i - 1), *b = a + 1;
        if (a->trial != b->trial) continue;
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none,
                       landscape_at(lab, (double)a->x, (double)a->y),
                       landscape_at(lab, (double)b->x, (double)b->y));
    }
    const double *best = ploy_tune_best(lab->tune), *at = ploy_tune_at(lab->tune);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none,
                   landscape_at(lab, at[0], curve ? 0.0 : at[1]), 0.25f, 1.0f);
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, none,
                     landscape_at(lab, best[0], curve ? 0.0 : best[1]), 0.4f);
    ploy_tune_outcome o = ploy_tune_outcome_of(lab->tune);
    char text[160];
    snprintf(text, sizeof text, "%lld scores, trial %d, best %.3f, step %.2f, temperature %.2f %s",
             (long long)o.evaluations, (int)o.trial + 1, o.best, o.step, o.temperature, o.reason);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, 20.6f), text);
}

static void landscape_describe(const void *state, ploy_describe *out) {
    const landscape_lab *lab = state;
    ploy_tune_outcome o = ploy_tune_outcome_of(lab->tune);
    ploy_describe_f64(out, "best", PLOY_DERIVED, o.best);
    ploy_describe_i64(out, "evaluations", PLOY_DERIVED, o.evaluations);
    ploy_describe_bool(out, "done", PLOY_DERIVED, o.done);
    ploy_describe_f64(out, "ruggedness", PLOY_DERIVED, o.ruggedness);
    ploy_describe_u64(out, "key", PLOY_STATE, lab->key.bits);
    ploy_describe_u64(out, "scored", PLOY_STATE, lab->scored);
    ploy_describe_begin(out, "search");
    ploy_visit_describe(ploy_tune_visit, lab->tune, NULL, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "trail");
    for (int32_t i = 0; i < lab->trail.count; i++) {
        const landscape_point *p = PLOY_ARRAY_AT(&lab->trail, landscape_point, i);
        ploy_describe_begin_item(out, i);
        ploy_describe_vec2(out, "at", PLOY_STATE, p->x, p->y);
        ploy_describe_i64(out, "trial", PLOY_STATE, p->trial);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static const ploy_command landscape_commands[] = {
    {"again", "start the search again", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_landscape; // in labs.c
const ploy_sim_type ploy_lab_landscape = {
    .name = "landscape",
    .title = "Climbing a landscape of scores",
    .help =
        "A search climbs a curve or a field of scores and leaves its trail. Plain climbing wins on "
        "the peak and sticks on peaks; momentum passes the dip of the ridge over one parameter; "
        "several starts, annealing and cma see more; nothing helps on random scores.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 10.0f,
    .view = {-0.5f, -0.5f, 20.5f, 21.5f},
    .fields = landscape_fields,
    .commands = landscape_commands,
    .command_count = sizeof landscape_commands / sizeof landscape_commands[0],
    .create = landscape_create,
    .destroy = NULL, // the region goes with the simulation
    .step = landscape_step,
    .draw = landscape_draw,
    .describe = landscape_describe,
};
