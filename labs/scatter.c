// The lab of scattering: eight patterns of points side by side, and how far each point's nearest
// neighbour is. Uniform draws clump and leave holes, Halton sequences spread, large bases start as
// lines, discs keep their distance.
//
// Each panel is a generator in the simulation's region, or plain draws. A changed setting starts all
// panels again.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/hash.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/halton.h"
#include "ploy/generate/random.h"
#include "ploy/generate/scatter.h"

enum { SCATTER_POINTS_MAX = 1000, SCATTER_BINS = 16 };

static const float scatter_side = 20.0f;  // m, of a panel
static const float scatter_pitch = 23.0f; // m, from panel to panel
static const float scatter_high = 29.0f;  // m, from row to row: the histogram is below

typedef enum scatter_panel {
    SCATTER_PANEL_UNIFORM,
    SCATTER_PANEL_HALTON,
    SCATTER_PANEL_BASES,
    SCATTER_PANEL_LARGE,
    SCATTER_PANEL_TILED,
    SCATTER_PANEL_OFFSET,
    SCATTER_PANEL_REJECTION,
    SCATTER_PANEL_BRIDSON,
    SCATTER_PANELS
} scatter_panel;

static const char *const scatter_titles[] = {"uniform",      "Halton 2 3", "Halton 11 13",
                                             "Halton 29 31", "tiled",      "offset",
                                             "rejection",    "Bridson"};

static const char *const scatter_random_names[] = {"philox", "mt19937", "xorshift32",
                                                   "xorshift128"};
static const char *const scatter_order_names[] = {"any", "first"};

typedef struct scatter_lab_def {
    uint32_t cookie;
    int32_t count;
    int32_t random;
    int32_t start;
    int32_t stride;
    float radius;
    float separation;
    int32_t tries;
    int32_t order;
    int32_t speed;
} scatter_lab_def;

static const ploy_field scatter_lab_fields[] = {
    PLOY_FIELD_I32(scatter_lab_def, count, 300, 1, SCATTER_POINTS_MAX, "", "points of a panel"),
    PLOY_FIELD_ENUM(scatter_lab_def, random, 0, scatter_random_names,
                    "random numbers of the uniform panel"),
    PLOY_FIELD_I32(scatter_lab_def, start, 1, 0, 1000, "", "first index of the Halton sequences"),
    PLOY_FIELD_I32(scatter_lab_def, stride, 1, 1, 1000, "",
                   "every which value; bases that share a factor with it use 1"),
    PLOY_FIELD_F32(scatter_lab_def, radius, 0.5f, 0.1f, 5, "m", "of a disc"),
    PLOY_FIELD_F32(scatter_lab_def, separation, 0.5f, 0, 5, "m", "largest gap of Bridson's method"),
    PLOY_FIELD_I32(scatter_lab_def, tries, 12, 1, 64, "", "places tried round a disc"),
    PLOY_FIELD_ENUM(scatter_lab_def, order, 0, scatter_order_names, "active disc that is taken"),
    PLOY_FIELD_I32(scatter_lab_def, speed, 8, 1, 10000, "", "units of work a tick"),
};

static ploy_fields scatter_lab_get_fields(void) {
    return PLOY_FIELDS(scatter_lab_def, scatter_lab_fields);
}

typedef struct scatter_lab {
    ploy_env env;
    scatter_lab_def def;
    uint64_t round; // restarts so far: each has its own numbers
    ploy_generator panels[SCATTER_PANELS];
    int32_t uniform_count;
    ploy_placed uniform[SCATTER_POINTS_MAX];
    ploy_mt19937 mersenne;
    ploy_xorshift32 narrow;
    ploy_xorshift128 wide;
    ploy_rng philox;
} scatter_lab;

// ---- panels

static ploy_result scatter_halton(scatter_lab *lab, ploy_rng_key key, scatter_panel panel,
                                  int32_t base_x, int32_t base_y) {
    ploy_halton_points_def def = ploy_halton_points_def_default();
    def.count = lab->def.count;
    def.base_x = base_x;
    def.base_y = base_y;
    def.start = lab->def.start;
    def.stride = lab->def.stride;
    def.tiles = panel == SCATTER_PANEL_TILED ? 3 : 1;
    def.random_offset = panel == SCATTER_PANEL_OFFSET;
    def.width = def.height = scatter_side;
    ploy_generator *out = &lab->panels[panel];
    const ploy_generator_type *type = ploy_halton_points_generator();
    ploy_result result = ploy_generator_begin(type, &def, key, NULL, NULL, &lab->env, out);
    if (result != PLOY_ERR_ARGUMENT) return result;
    def.stride = 1; // it shared a factor with a base
    return ploy_generator_begin(type, &def, key, NULL, NULL, &lab->env, out);
}

static ploy_result scatter_discs(scatter_lab *lab, ploy_rng_key key, scatter_panel panel) {
    ploy_scatter_def def = ploy_scatter_def_default();
    def.method = panel == SCATTER_PANEL_BRIDSON ? PLOY_SCATTER_BRIDSON : PLOY_SCATTER_REJECTION;
    def.count = lab->def.count;
    def.width = def.height = scatter_side;
    def.radius_min = def.radius_max = lab->def.radius;
    def.separation = lab->def.separation;
    def.tries = lab->def.tries;
    def.order = lab->def.order;
    def.max_points = SCATTER_POINTS_MAX;
    def.max_attempts = 20000;
    return ploy_generator_begin(ploy_scatter_generator(), &def, key, NULL, NULL, &lab->env,
                                &lab->panels[panel]);
}

static ploy_result scatter_restart(scatter_lab *lab, ploy_rng_key key) {
    for (int32_t i = 0; i < SCATTER_PANELS; i++) {
        ploy_generator_cancel(lab->panels[i]);
        memset(&lab->panels[i], 0, sizeof lab->panels[i]);
    }
    ploy_rng_key round = ploy_rng_key_split(key, lab->round);
    lab->uniform_count = 0;
    memset(lab->uniform, 0, sizeof lab->uniform);
    lab->philox = ploy_rng_from_key(round, 0);
    lab->mersenne = ploy_mt19937_make((uint32_t)round.bits);
    lab->narrow = ploy_xorshift32_make((uint32_t)round.bits);
    lab->wide = ploy_xorshift128_make(round.bits, 1);
    static const struct {
        scatter_panel panel;
        int32_t base_x, base_y;
    } sequences[] = {{SCATTER_PANEL_HALTON, 2, 3},
                     {SCATTER_PANEL_BASES, 11, 13},
                     {SCATTER_PANEL_LARGE, 29, 31},
                     {SCATTER_PANEL_TILED, 2, 3},
                     {SCATTER_PANEL_OFFSET, 2, 3}};
    ploy_result result = PLOY_OK;
    for (size_t i = 0; i < sizeof sequences / sizeof sequences[0] && result == PLOY_OK; i++) {
        result = scatter_halton(lab, round, sequences[i].panel, sequences[i].base_x,
                                sequences[i].base_y);
    }
    if (result == PLOY_OK) result = scatter_discs(lab, round, SCATTER_PANEL_REJECTION);
    if (result == PLOY_OK) result = scatter_discs(lab, round, SCATTER_PANEL_BRIDSON);
    return result;
}

static float scatter_draw_number(scatter_lab *lab) {
    switch (lab->def.random) {
    case 1: return (float)(ploy_mt19937_u32(&lab->mersenne) >> 8) / 16777216.0f;
    case 2: return (float)(ploy_xorshift32_u32(&lab->narrow) >> 8) / 16777216.0f;
    case 3: return (float)(ploy_xorshift128_u64(&lab->wide) >> 40) / 16777216.0f;
    default: return ploy_rng_float(&lab->philox);
    }
}

static const ploy_placed *scatter_points_of(const scatter_lab *lab, int32_t panel, int32_t *count) {
    if (panel == SCATTER_PANEL_UNIFORM) {
        *count = lab->uniform_count;
        return lab->uniform;
    }
    ploy_content content = ploy_generator_content(lab->panels[panel]);
    *count = content.point_count;
    return content.points;
}

// ---- the simulation

static ploy_result scatter_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    scatter_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    lab->env = *env;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result = scatter_restart(lab, key);
    if (result != PLOY_OK) return result; // the region goes with the simulation
    *out = lab;
    return PLOY_OK;
}

static ploy_result scatter_lab_step(void *state, const ploy_sim_context *context) {
    scatter_lab *lab = state;
    scatter_lab_def now;
    memcpy(&now, context->params, sizeof now);
    bool again = false;
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "again")) continue;
        lab->round++;
        again = true;
    }
    int32_t speed = now.speed;
    lab->def.speed = speed; // the only setting that changes no panel
    again = again || memcmp(&lab->def, &now, sizeof now) != 0;
    if (again) {
        lab->def = now;
        ploy_result result = scatter_restart(lab, context->key);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < speed && lab->uniform_count < now.count; i++) {
        ploy_placed *point = &lab->uniform[lab->uniform_count++];
        point->position.x = scatter_draw_number(lab) * scatter_side;
        point->position.y = scatter_draw_number(lab) * scatter_side;
    }
    for (int32_t i = 0; i < SCATTER_PANELS; i++) {
        if (lab->panels[i].type == NULL) continue;
        bool discs = i == SCATTER_PANEL_REJECTION || i == SCATTER_PANEL_BRIDSON;
        ploy_budget budget = ploy_budget_units(discs ? 8 * (int64_t)speed : speed);
        ploy_result result = ploy_generator_step(lab->panels[i], &budget);
        if (result < 0) return result;
    }
    return PLOY_OK;
}

// ---- sight

// Distances to the nearest neighbour, over the distance of points in a square lattice.
typedef struct scatter_histogram {
    int32_t bins[SCATTER_BINS];
    float least, mean;
} scatter_histogram;

static scatter_histogram scatter_measure(const ploy_placed *points, int32_t count) {
    scatter_histogram h;
    memset(&h, 0, sizeof h);
    if (count < 2) return h;
    float unit = scatter_side / sqrtf((float)count), sum = 0.0f;
    h.least = scatter_side;
    for (int32_t i = 0; i < count; i++) {
        float best = scatter_side * scatter_side;
        for (int32_t k = 0; k < count; k++) {
            if (k == i) continue;
            best = fminf(best, ploy_vec2_distance_sq(points[i].position, points[k].position));
        }
        float distance = sqrtf(best);
        int32_t bin = (int32_t)(distance / unit * (SCATTER_BINS / 1.6f));
        h.bins[bin < SCATTER_BINS ? bin : SCATTER_BINS - 1]++;
        h.least = fminf(h.least, distance);
        sum += distance;
    }
    h.mean = sum / (float)count;
    return h;
}

static ploy_vec2 scatter_corner(int32_t panel) {
    return ploy_vec2_make((float)(panel % 4) * scatter_pitch - 2.0f * scatter_pitch,
                          panel < 4 ? 4.0f : 4.0f - scatter_high);
}

static void scatter_draw_histogram(const scatter_histogram *h, int32_t count, ploy_vec2 corner,
                                   ploy_draw *out) {
    ploy_agent_id none = ploy_agent_id_none();
    float wide = scatter_side / SCATTER_BINS;
    for (int32_t i = 0; i < SCATTER_BINS; i++) {
        float high = 12.0f * (float)h->bins[i] / (float)(count > 0 ? count : 1);
        float left = corner.x + wide * (float)i;
        ploy_vec2 bar[4] = {{left, corner.y - 5.0f},
                            {left + wide * 0.9f, corner.y - 5.0f},
                            {left + wide * 0.9f, corner.y - 5.0f + fminf(high, 4.0f)},
                            {left, corner.y - 5.0f + fminf(high, 4.0f)}};
        ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_AGENT_B, none, bar, 4, 0.8f);
    }
}

static void scatter_lab_draw(const void *state, ploy_draw *out) {
    const scatter_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "points");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "distances to the nearest point");
    ploy_agent_id none = ploy_agent_id_none();
    for (int32_t panel = 0; panel < SCATTER_PANELS; panel++) {
        ploy_vec2 corner = scatter_corner(panel);
        ploy_vec2 frame[5] = {corner,
                              {corner.x + scatter_side, corner.y},
                              {corner.x + scatter_side, corner.y + scatter_side},
                              {corner.x, corner.y + scatter_side},
                              corner};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, frame, 5);
        int32_t count = 0;
        const ploy_placed *points = scatter_points_of(lab, panel, &count);
        for (int32_t i = 0; i < count; i++) {
            ploy_vec2 at = ploy_vec2_add(corner, points[i].position);
            float radius = points[i].radius > 0.0f ? points[i].radius : 0.16f;
            ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, none, at, radius, 0.8f);
        }
        if (ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) {
            scatter_histogram h = scatter_measure(points, count);
            scatter_draw_histogram(&h, count, corner, out);
        }
        char text[64];
        snprintf(text, sizeof text, "%s: %d", scatter_titles[panel], (int)count);
        ploy_draw_text(out, none, ploy_vec2_make(corner.x, corner.y + scatter_side + 0.6f), text);
    }
}

static void scatter_lab_describe(const void *state, ploy_describe *out) {
    const scatter_lab *lab = state;
    ploy_describe_u64(out, "round", PLOY_STATE, lab->round);
    for (int32_t panel = 0; panel < SCATTER_PANELS; panel++) {
        ploy_content content = ploy_content_none();
        content.points = scatter_points_of(lab, panel, &content.point_count);
        scatter_histogram h = scatter_measure(content.points, content.point_count);
        ploy_describe_begin(out, scatter_titles[panel]);
        ploy_describe_i64(out, "count", PLOY_STATE, content.point_count);
        ploy_describe_u64(out, "points", PLOY_STATE, ploy_content_hash_points(&content));
        ploy_describe_f32(out, "nearest", PLOY_DERIVED, h.least);
        ploy_describe_f32(out, "mean", PLOY_DERIVED, h.mean);
        ploy_generate_outcome outcome = ploy_generator_outcome(lab->panels[panel]);
        ploy_describe_i64(out, "attempts", PLOY_STATE, outcome.attempts);
        ploy_describe_end(out);
    }
}

static const ploy_command scatter_lab_commands[] = {
    {"again", "start with other numbers", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_scatter; // in labs.c
const ploy_sim_type ploy_lab_scatter = {
    .name = "scatter",
    .title = "Scattering",
    .help = "Eight patterns of points, and below each a histogram of the distances to the nearest "
            "neighbour, in units of an even grid. Press r for other numbers.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 30.0f,
    .view = {-47.0f, -31.0f, 46.0f, 27.0f},
    .fields = scatter_lab_get_fields,
    .commands = scatter_lab_commands,
    .command_count = sizeof scatter_lab_commands / sizeof scatter_lab_commands[0],
    .create = scatter_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = scatter_lab_step,
    .draw = scatter_lab_draw,
    .describe = scatter_lab_describe,
};
