// The forest lab: species scattered over hills by radius, weight and margin, each plant grown by rules.
//
// Trees of a species share a few shapes, which are grown at the start. Firs keep away from oaks, stones
// may be anywhere, and nothing grows where it is too steep.
// All state is in the one block forest_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_seed.h"
#include "labs/labs.h"
#include "ploy/generate/hills.h"
#include "ploy/generate/plant.h"
#include "ploy/generate/scatter.h"

enum {
    FOREST_LAB_OAK,
    FOREST_LAB_FIR,
    FOREST_LAB_BUSH,
    FOREST_LAB_STONE,
    FOREST_LAB_TYPES,
    FOREST_LAB_PLANTS = FOREST_LAB_STONE, // types that grow
    FOREST_LAB_SHAPES = 3,
    FOREST_LAB_CELLS = 64
};

typedef struct forest_lab_def {
    uint32_t cookie;
    int32_t slice;
    float oak, fir, bush, stone;
    float margin;
    float apart;
    float slope_max;
    float separation;
    int32_t tries;
    int32_t branches;
    float high;
} forest_lab_def;

static const ploy_field forest_lab_fields[] = {
    PLOY_FIELD_I32(forest_lab_def, slice, 20, 1, 10000, "", "attempts in a tick"),
    PLOY_FIELD_F32(forest_lab_def, oak, 2, 0, 100, "", "weight of oaks"),
    PLOY_FIELD_F32(forest_lab_def, fir, 8, 0, 100, "", "weight of firs"),
    PLOY_FIELD_F32(forest_lab_def, bush, 0.5f, 0, 100, "", "weight of bushes"),
    PLOY_FIELD_F32(forest_lab_def, stone, 0.5f, 0.01f, 100, "", "weight of stones"),
    PLOY_FIELD_F32(forest_lab_def, margin, 1, 0, 10, "m", "more room between two oaks"),
    PLOY_FIELD_F32(forest_lab_def, apart, 5, 0, 40, "m", "oaks and firs keep this distance"),
    PLOY_FIELD_F32(forest_lab_def, slope_max, 0.8f, 0.01f, 10, "",
                   "steepest terrain, rise over run"),
    PLOY_FIELD_F32(forest_lab_def, separation, 1.5f, 0, 20, "m", "largest random gap"),
    PLOY_FIELD_I32(forest_lab_def, tries, 12, 1, 100, "", "tries round each plant"),
    PLOY_FIELD_I32(forest_lab_def, branches, 60, 1, 400, "", "most branches of a plant"),
    PLOY_FIELD_F32(forest_lab_def, high, 20, 0, 60, "m", "height of the hills"),
};

static ploy_fields forest_lab_get_fields(void) {
    return PLOY_FIELDS(forest_lab_def, forest_lab_fields);
}

typedef struct forest_lab {
    lab_seed base;
    forest_lab_def def;
    ploy_heightmap *map;
    ploy_scatter_terrain terrain;
    ploy_scatter *scatter;
    ploy_growth *shapes[FOREST_LAB_PLANTS][FOREST_LAB_SHAPES];
} forest_lab;

static void forest_lab_clear(forest_lab *lab) {
    ploy_scatter_cancel(lab->scatter);
    lab->scatter = NULL;
    for (int32_t i = 0; i < FOREST_LAB_PLANTS; i++) {
        for (int32_t k = 0; k < FOREST_LAB_SHAPES; k++) {
            ploy_growth_cancel(lab->shapes[i][k]);
            lab->shapes[i][k] = NULL;
        }
    }
    ploy_heightmap_destroy(lab->map);
    lab->map = NULL;
}

static ploy_result forest_lab_grow(forest_lab *lab, ploy_rng_key key) {
    static const ploy_growth_preset presets[FOREST_LAB_PLANTS] = {PLOY_GROWTH_TREE, PLOY_GROWTH_FIR,
                                                                  PLOY_GROWTH_BUSH};
    for (int32_t i = 0; i < FOREST_LAB_PLANTS * FOREST_LAB_SHAPES; i++) {
        int32_t type = i / FOREST_LAB_SHAPES;
        ploy_growth_def def = ploy_growth_def_default();
        def.preset = presets[type];
        def.max_branches = lab->def.branches; // breadth first: the limit cuts twigs, not boughs
        def.leaves = 0;
        ploy_growth **out = &lab->shapes[type][i % FOREST_LAB_SHAPES];
        ploy_result result = ploy_growth_begin(&def, ploy_rng_key_split(key, (uint64_t)i), NULL,
                                               NULL, &lab->base.env, out);
        if (result == PLOY_OK) result = ploy_growth_step(*out, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result forest_lab_scatter(forest_lab *lab, ploy_rng_key key) {
    const forest_lab_def *d = &lab->def;
    const ploy_scatter_type items[FOREST_LAB_TYPES] = {
        {d->oak, 1.5f, 2.2f}, {d->fir, 0.8f, 1.4f}, {d->bush, 0.5f, 0.9f}, {d->stone, 0.3f, 0.8f}};
    float margins[FOREST_LAB_TYPES * FOREST_LAB_TYPES] = {0};
    bool forbidden[FOREST_LAB_TYPES * FOREST_LAB_TYPES] = {false};
    margins[FOREST_LAB_OAK * FOREST_LAB_TYPES + FOREST_LAB_OAK] = d->margin;
    forbidden[FOREST_LAB_OAK * FOREST_LAB_TYPES + FOREST_LAB_FIR] = true;
    forbidden[FOREST_LAB_FIR * FOREST_LAB_TYPES + FOREST_LAB_OAK] = true;
    ploy_scatter_types types = {items, FOREST_LAB_TYPES, margins, forbidden, d->apart};
    lab->terrain.field = ploy_heightmap_field(lab->map);
    lab->terrain.height_min = -1e6f;
    lab->terrain.height_max = 1e6f;
    lab->terrain.slope_max = d->slope_max;
    ploy_scatter_input input;
    memset(&input, 0, sizeof input);
    input.area = ploy_scatter_area_terrain(&lab->terrain);
    input.types = &types;
    ploy_scatter_def def = ploy_scatter_def_default();
    def.width = def.height = (float)(FOREST_LAB_CELLS - 1);
    def.separation = d->separation;
    def.tries = d->tries;
    return ploy_scatter_begin(&def, key, &input, NULL, &lab->base.env, &lab->scatter);
}

static ploy_result forest_lab_begin(forest_lab *lab) {
    forest_lab_clear(lab);
    ploy_rng_key key = ploy_rng_key_split(lab->base.key, lab->base.seed);
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = size.rows = FOREST_LAB_CELLS;
    ploy_result result = ploy_heightmap_create(&size, &lab->base.env, &lab->map);
    ploy_hills_def hills = ploy_hills_def_default();
    hills.size = 40.0f;
    hills.octaves = 3;
    hills.high = lab->def.high;
    if (result == PLOY_OK) result = ploy_hills_run(&hills, key, lab->map, &lab->base.env);
    if (result == PLOY_OK) result = forest_lab_grow(lab, ploy_generate_stream(key, "plants"));
    if (result == PLOY_OK) result = forest_lab_scatter(lab, ploy_generate_stream(key, "places"));
    return result;
}

static ploy_result forest_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    forest_lab *lab = lab_seed_alloc(sizeof *lab, offsetof(forest_lab, def), params,
                                     sizeof lab->def, ploy_rng_key_split(key, 1), env);
    if (lab == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = forest_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static ploy_result forest_lab_step(void *state, const ploy_sim_context *context) {
    forest_lab *lab = state;
    static const size_t kept[] = {offsetof(forest_lab_def, slice)};
    bool again = lab_seed_again(&lab->base, "seed", kept, (int32_t)(sizeof kept / sizeof kept[0]),
                                &lab->def, sizeof lab->def, context);
    if (again) {
        ploy_result result = forest_lab_begin(lab);
        if (result != PLOY_OK) return result;
    }
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_result result = ploy_scatter_step(lab->scatter, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

// ---- sight

// The picture is seen from the south and above: heights add to y.
static ploy_vec2 forest_lab_project(const forest_lab *lab, ploy_vec2 at, float above) {
    ploy_heightfield field = ploy_heightmap_field(lab->map);
    float height = 0.0f;
    ploy_heightfield_height(&field, at, &height);
    return ploy_vec2_make(at.x, 0.75f * at.y + 0.7f * (height + above));
}

static void forest_lab_draw_ground(const forest_lab *lab, ploy_draw *out) {
    enum { LINES = 32 };
    ploy_vec2 line[LINES + 1];
    float side = (float)(FOREST_LAB_CELLS - 1);
    for (int32_t i = 0; i <= LINES; i++) {
        for (int32_t k = 0; k <= LINES; k++) {
            ploy_vec2 at = {side * (float)k / LINES, side * (float)i / LINES};
            line[k] = forest_lab_project(lab, at, 0.0f);
        }
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, ploy_agent_id_none(), line,
                           LINES + 1);
    }
}

static void forest_lab_draw_plant(const forest_lab *lab, const ploy_placed *place, int32_t index,
                                  ploy_draw *out) {
    static const ploy_style styles[FOREST_LAB_PLANTS] = {PLOY_STYLE_AGENT_B, PLOY_STYLE_GOOD,
                                                         PLOY_STYLE_TARGET};
    int32_t count = 0;
    const ploy_growth *growth = lab->shapes[place->type][index % FOREST_LAB_SHAPES];
    const ploy_plant_branch *branches = ploy_plant_branches(ploy_growth_plant(growth), &count);
    ploy_vec2 foot = forest_lab_project(lab, place->position, 0.0f);
    float scale = place->radius * (place->type == FOREST_LAB_FIR ? 1.0f : 1.2f);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 end = ploy_plant_end(&branches[i]);
        ploy_vec2 from = {foot.x + scale * branches[i].position.x,
                          foot.y + scale * branches[i].position.z};
        ploy_vec2 to = {foot.x + scale * end.x, foot.y + scale * end.z};
        ploy_style style = branches[i].level == 0 ? PLOY_STYLE_PLAIN : styles[place->type];
        ploy_draw_line(out, PLOY_LAYER_AGENTS, style, ploy_agent_id_none(), from, to);
    }
}

static void forest_lab_draw(const void *state, ploy_draw *out) {
    const forest_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "oaks");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "firs");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "bushes");
    ploy_draw_key(out, PLOY_STYLE_PLAIN, "trunks");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "stones, and the lie of the land");
    int32_t count = 0, counts[FOREST_LAB_TYPES] = {0};
    const ploy_placed *places = ploy_scatter_points(lab->scatter, &count);
    forest_lab_draw_ground(lab, out);
    for (int32_t i = 0; i < count; i++) {
        counts[places[i].type]++;
        if (places[i].type == FOREST_LAB_STONE) {
            ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, ploy_agent_id_none(),
                           forest_lab_project(lab, places[i].position, 0.0f), places[i].radius,
                           0.9f);
        } else {
            forest_lab_draw_plant(lab, &places[i], i, out);
        }
    }
    char text[160];
    snprintf(text, sizeof text, "%d oaks, %d firs, %d bushes, %d stones%s", (int)counts[0],
             (int)counts[1], (int)counts[2], (int)counts[3],
             ploy_scatter_outcome(lab->scatter).done ? "" : "; growing");
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, -2.0f), text);
}

static void forest_lab_describe(const void *state, ploy_describe *out) {
    const forest_lab *lab = state;
    ploy_describe_u64(out, "seed", PLOY_STATE, lab->base.seed);
    ploy_describe_begin(out, "places");
    ploy_scatter_describe(lab->scatter, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "hills");
    ploy_heightmap_describe(lab->map, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < FOREST_LAB_PLANTS; i++) {
        static const char *const names[FOREST_LAB_PLANTS] = {"oak", "fir", "bush"};
        ploy_describe_begin(out, names[i]);
        ploy_growth_describe(lab->shapes[i][0], out);
        ploy_describe_end(out);
    }
}

static const ploy_command forest_lab_commands[] = {
    {"seed", "plant another forest", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_forest; // in labs.c
const ploy_sim_type ploy_lab_forest = {
    .name = "forest",
    .title = "Forest",
    .help = "Oaks, firs, bushes and stones scattered over hills: radii, weights, margins between "
            "species, pairs that keep apart, and no tree where it is too steep.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-2.0f, -4.0f, 66.0f, 68.0f},
    .fields = forest_lab_get_fields,
    .commands = forest_lab_commands,
    .command_count = sizeof forest_lab_commands / sizeof forest_lab_commands[0],
    .create = forest_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = forest_lab_step,
    .draw = forest_lab_draw,
    .describe = forest_lab_describe,
};
