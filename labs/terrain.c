// The terrain lab: a landscape made in stages, each with its settings, watched while it works.
//
// Every stage is a generator of the library that takes the heights of the stage before it. The present
// one is stepped with a budget in each tick; a changed setting starts again from the first stage.
// All state is in the one block terrain_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_seed.h"
#include "labs/labs.h"
#include "ploy/generate/erosion.h"
#include "ploy/generate/hills.h"
#include "ploy/generate/roads.h"
#include "ploy/generate/water.h"

enum { TERRAIN_LAB_STAGES = 8 };

typedef enum terrain_lab_view { TERRAIN_LAB_MAP, TERRAIN_LAB_RELIEF } terrain_lab_view;

static const char *const terrain_lab_views[] = {"map", "relief"};

typedef struct terrain_lab_def {
    uint32_t cookie;
    int32_t cells;
    int32_t slice;
    int32_t stages;
    terrain_lab_view view;
    bool use_faults, use_filter, use_thermal, use_hydraulic, use_droplets, use_water, use_roads;
    ploy_hills_def hills;
    ploy_faults_def faults;
    ploy_filter_def filter;
    ploy_hydraulic_def hydraulic;
    ploy_droplets_def droplets;
    ploy_thermal_def thermal;
    ploy_water_def water;
    ploy_roads_def roads;
} terrain_lab_def;

static const ploy_field terrain_lab_fields[] = {
    PLOY_FIELD_I32(terrain_lab_def, cells, 96, 16, 256, "", "cells along a side"),
    PLOY_FIELD_I32(terrain_lab_def, slice, 200, 1, 100000, "", "units of work in a tick"),
    PLOY_FIELD_I32(terrain_lab_def, stages, TERRAIN_LAB_STAGES, 1, TERRAIN_LAB_STAGES, "",
                   "stop after this stage, to look at it"),
    PLOY_FIELD_ENUM(terrain_lab_def, view, TERRAIN_LAB_MAP, terrain_lab_views,
                    "from above, or in relief from the south"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_faults, false, "stage 2: faults"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_filter, false, "stage 3: a filter"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_thermal, true, "stage 6: loose ground slides"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_hydraulic, false, "stage 4: rain and flowing water"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_droplets, true, "stage 5: drops of rain"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_water, true, "stage 7: rivers and lakes"),
    PLOY_FIELD_BOOL(terrain_lab_def, use_roads, true, "stage 8: roads"),
    PLOY_FIELD_DEF(terrain_lab_def, hills, ploy_hills_fields, "stage 1: hills from noise"),
    PLOY_FIELD_DEF(terrain_lab_def, faults, ploy_faults_fields, "stage 2: faults"),
    PLOY_FIELD_DEF(terrain_lab_def, filter, ploy_filter_fields, "stage 3: the filter"),
    PLOY_FIELD_DEF(terrain_lab_def, hydraulic, ploy_hydraulic_fields, "stage 4: flowing water"),
    PLOY_FIELD_DEF(terrain_lab_def, droplets, ploy_droplets_fields, "stage 5: drops"),
    PLOY_FIELD_DEF(terrain_lab_def, thermal, ploy_thermal_fields, "stage 6: loose ground"),
    PLOY_FIELD_DEF(terrain_lab_def, water, ploy_water_fields, "stage 7: rivers and lakes"),
    PLOY_FIELD_DEF(terrain_lab_def, roads, ploy_roads_fields, "stage 8: roads"),
};

static ploy_fields terrain_lab_get_fields(void) {
    return PLOY_FIELDS(terrain_lab_def, terrain_lab_fields);
}

typedef struct terrain_lab {
    lab_seed base;
    terrain_lab_def def;
    int32_t count;                             // stages made or under way
    ploy_generator stages[TERRAIN_LAB_STAGES]; // those that are switched on, in order
    int32_t numbers[TERRAIN_LAB_STAGES];       // which of the eight each of them is
    bool done;
} terrain_lab;

// Generator and settings of stage i; NULL if it is switched off.
static const ploy_generator_type *terrain_lab_stage(const terrain_lab *lab, int32_t i,
                                                    const void **def) {
    const terrain_lab_def *d = &lab->def;
    const struct {
        bool use;
        const ploy_generator_type *type;
        const void *def;
    } stages[TERRAIN_LAB_STAGES] = {
        {true, ploy_hills_generator(), &d->hills},
        {d->use_faults, ploy_faults_generator(), &d->faults},
        {d->use_filter, ploy_filter_generator(), &d->filter},
        {d->use_hydraulic, ploy_hydraulic_generator(), &d->hydraulic},
        {d->use_droplets, ploy_droplets_generator(), &d->droplets},
        {d->use_thermal, ploy_thermal_generator(), &d->thermal},
        {d->use_water, ploy_water_generator(), &d->water},
        {d->use_roads, ploy_roads_generator(), &d->roads},
    };
    *def = stages[i].def;
    return stages[i].use ? stages[i].type : NULL;
}

static void terrain_lab_clear(terrain_lab *lab) {
    while (lab->count > 0) ploy_generator_cancel(lab->stages[--lab->count]);
    lab->done = false;
}

static ploy_content terrain_lab_content(const terrain_lab *lab) {
    if (lab->count == 0) return ploy_content_none();
    return ploy_generator_content(lab->stages[lab->count - 1]);
}

// Begins the next stage that is switched on; sets done if there is none.
static ploy_result terrain_lab_next(terrain_lab *lab) {
    int32_t i = lab->count > 0 ? lab->numbers[lab->count - 1] + 1 : 0;
    const void *def = NULL;
    while (i < lab->def.stages && terrain_lab_stage(lab, i, &def) == NULL) i++;
    if (i >= lab->def.stages) {
        lab->done = true;
        return PLOY_OK;
    }
    ploy_hills_def hills = lab->def.hills;
    hills.columns = hills.rows = lab->def.cells;
    const ploy_generator_type *type = terrain_lab_stage(lab, i, &def);
    ploy_content input = terrain_lab_content(lab);
    ploy_rng_key key =
        ploy_rng_key_split(ploy_rng_key_split(lab->base.key, lab->base.seed), (uint64_t)i);
    ploy_result result = ploy_generator_begin(type, i == 0 ? &hills : def, key, &input, NULL,
                                              &lab->base.env, &lab->stages[lab->count]);
    if (result == PLOY_OK) lab->numbers[lab->count++] = i;
    return result;
}

static ploy_result terrain_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                      void **out) {
    terrain_lab *lab = lab_seed_alloc(sizeof *lab, offsetof(terrain_lab, def), params,
                                      sizeof lab->def, ploy_rng_key_split(key, 1), env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = terrain_lab_next(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result terrain_lab_step(void *state, const ploy_sim_context *context) {
    terrain_lab *lab = state;
    static const size_t kept[] = {offsetof(terrain_lab_def, slice),
                                  offsetof(terrain_lab_def, view)};
    bool again = lab_seed_again(&lab->base, "seed", kept, (int32_t)(sizeof kept / sizeof kept[0]),
                                &lab->def, sizeof lab->def, context);
    ploy_result result = PLOY_OK;
    if (again) {
        terrain_lab_clear(lab);
        result = terrain_lab_next(lab);
    }
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    while (result == PLOY_OK && !lab->done && !ploy_budget_empty(&budget)) {
        result = ploy_generator_step(lab->stages[lab->count - 1], &budget);
        if (result == PLOY_IN_PROGRESS) return PLOY_OK;
        if (result == PLOY_OK) result = terrain_lab_next(lab);
    }
    return result;
}

// ---- sight

// A point of the map at a height, seen from the south.
static ploy_vec2 terrain_lab_project(const terrain_lab *lab, const ploy_heightmap *map, int32_t x,
                                     int32_t y) {
    float scale = 96.0f / (float)lab->def.cells;
    float height = ploy_heightmap_elevation(map)[y * lab->def.cells + x];
    return ploy_vec2_make((float)x * scale, (float)y * scale * 0.7f + height * scale * 0.9f);
}

// Rows of quads from the back to the front, so that near ground hides what is behind it.
static void terrain_lab_relief(const terrain_lab *lab, const ploy_heightmap *map, ploy_draw *out) {
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    const float *elevation = ploy_heightmap_elevation(map);
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    float range = ploy_maxf(high - low, 1e-6f);
    int32_t step = (lab->def.cells + 95) / 96, cells = lab->def.cells;
    for (int32_t y = cells - 1 - step; y >= 0; y -= step) {
        for (int32_t x = 0; x + step < cells; x += step) {
            ploy_vec2 corners[4] = {terrain_lab_project(lab, map, x, y),
                                    terrain_lab_project(lab, map, x + step, y),
                                    terrain_lab_project(lab, map, x + step, y + step),
                                    terrain_lab_project(lab, map, x, y + step)};
            int32_t cell = y * cells + x;
            float dx = elevation[cell + step] - elevation[cell];
            float dy = elevation[cell + step * cells] - elevation[cell];
            float share = (elevation[cell] - low) / range;
            bool wet = water != NULL && water[cell] > 0.03f * range;
            ploy_style style = wet ? PLOY_STYLE_AGENT_A : PLOY_STYLE_FLOOR;
            ploy_agent_id none = ploy_agent_id_none();
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, none, corners, 4, 1.0f);
            float green = wet ? 0.0f : ploy_clampf(0.75f - 1.1f * share, 0.0f, 1.0f);
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, none, corners, 4, green);
            float shade =
                ploy_clampf(0.25f - 0.35f * dx / (float)step + 0.2f * dy / (float)step, 0.0f, 0.8f);
            ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, corners, 4, shade);
        }
    }
}

// The same ground in space: one quad for every few cells, coloured by height and water.
static void terrain_lab_space(const terrain_lab *lab, const ploy_heightmap *map, ploy_draw *out) {
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    const float *elevation = ploy_heightmap_elevation(map);
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    float range = ploy_maxf(high - low, 1e-6f);
    int32_t step = (lab->def.cells + 95) / 96, cells = lab->def.cells;
    for (int32_t y = 0; y + step < cells; y += step) {
        for (int32_t x = 0; x + step < cells; x += step) {
            const int32_t at[4] = {y * cells + x, y * cells + x + step,
                                   (y + step) * cells + x + step, (y + step) * cells + x};
            ploy_vec3 corners[4];
            float share = 0.0f;
            for (int32_t i = 0; i < 4; i++) {
                ploy_vec2 flat = ploy_heightmap_position(map, at[i]);
                corners[i] = ploy_vec3_from_vec2(flat, elevation[at[i]]);
                share += 0.25f * (elevation[at[i]] - low) / range;
            }
            bool wet = water != NULL && water[at[0]] > 0.03f * range;
            ploy_style style = wet            ? PLOY_STYLE_AGENT_A
                               : share < 0.6f ? PLOY_STYLE_GOOD
                                              : PLOY_STYLE_GHOST;
            ploy_draw_polygon3(out, PLOY_LAYER_WORLD, style, ploy_agent_id_none(), corners, 4,
                               1.0f);
        }
    }
}

// Water that flows, as the last pass of rain moved it.
static void terrain_lab_flow(const terrain_lab *lab, const ploy_heightmap *map, ploy_draw *out) {
    const float *flow = ploy_heightmap_layer(map, "flow", PLOY_HEIGHTMAP_F32);
    if (flow == NULL || !ploy_draw_wants(out, PLOY_LAYER_INFLUENCE)) return;
    int32_t cells = ploy_heightmap_cells(map);
    float most = 1e-6f;
    for (int32_t i = 0; i < cells; i++) most = ploy_maxf(most, flow[i]);
    for (int32_t i = 0; i < cells; i++) {
        if (flow[i] < 0.25f * most) continue;
        ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_VELOCITY, ploy_agent_id_none(),
                       ploy_heightmap_position(map, i), 0.5f * lab->def.hills.spacing,
                       flow[i] / most);
    }
}

static void terrain_lab_draw(const void *state, ploy_draw *out) {
    const terrain_lab *lab = state;
    if (lab->count == 0) return;
    const ploy_heightmap *map = terrain_lab_content(lab).heights;
    const ploy_generator last = lab->stages[lab->count - 1];
    if (ploy_draw_space(out)) {
        ploy_draw_key(out, PLOY_STYLE_AGENT_A, "water");
        ploy_draw_key(out, PLOY_STYLE_GOOD, "low terrain");
        ploy_draw_key(out, PLOY_STYLE_GHOST, "high terrain");
        terrain_lab_space(lab, map, out);
        return;
    }
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "water");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "low terrain");
    ploy_draw_key(out, PLOY_STYLE_VELOCITY, "flow of rain");
    ploy_draw_key(out, PLOY_STYLE_WALL, "slopes in shadow");
    if (lab->def.view == TERRAIN_LAB_RELIEF) {
        terrain_lab_relief(lab, map, out);
    } else {
        ploy_generator_draw(last, out);
        terrain_lab_flow(lab, map, out);
    }
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    ploy_generate_outcome outcome = ploy_generator_outcome(last);
    char text[160];
    snprintf(text, sizeof text, "stage %d, %s: %.1f to %.1f m%s",
             (int)lab->numbers[lab->count - 1] + 1, last.type->name, (double)low, (double)high,
             outcome.done ? ", done" : "");
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -4.0f), text);
}

static void terrain_lab_describe(const void *state, ploy_describe *out) {
    const terrain_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->base.seed);
    ploy_describe_i64(out, "stages", PLOY_STATE, lab->count);
    ploy_describe_i64(out, "complete", PLOY_STATE, lab->done);
    if (lab->count == 0) return;
    const ploy_generator last = lab->stages[lab->count - 1];
    ploy_describe_begin(out, last.type->name);
    ploy_generator_describe(last, out);
    ploy_describe_end(out);
}

static const ploy_command terrain_lab_commands[] = {
    {"seed", "make another landscape", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_terrain; // in labs.c
const ploy_sim_type ploy_lab_terrain = {
    .name = "terrain",
    .title = "Landscapes",
    .help = "A landscape in stages: noise, faults, filters, rain, loose ground, rivers, roads. "
            "Switch stages on and off, change their settings, and watch each at work.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_SPATIAL,
    .dt = 1.0f / 60.0f,
    .view = {-2.0f, -7.0f, 98.0f, 97.0f},
    .fields = terrain_lab_get_fields,
    .commands = terrain_lab_commands,
    .command_count = sizeof terrain_lab_commands / sizeof terrain_lab_commands[0],
    .create = terrain_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = terrain_lab_step,
    .draw = terrain_lab_draw,
    .describe = terrain_lab_describe,
};
