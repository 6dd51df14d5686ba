// The hierarchy lab: a walker on a large map in blocks. The route is planned from entrance to
// entrance, and each leg becomes cells when the walker comes to it; painted walls make few blocks
// again.
//
// All state is in the one block blocks_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/path/grid_blocks.h"

enum {
    BLOCKS_LAB_WIDTH = 96,
    BLOCKS_LAB_HEIGHT = 64,
    BLOCKS_LAB_CELLS = BLOCKS_LAB_WIDTH * BLOCKS_LAB_HEIGHT
};

typedef struct blocks_lab_def {
    uint32_t cookie;
    int32_t side;
    int32_t slice;
    int32_t pace;
    float walls;
    int32_t brush_size;
    bool erase;
} blocks_lab_def;

static const ploy_field blocks_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(blocks_lab_def, side, 16, 4, 16, "", "cells of a block's side"),
    PLOY_FIELD_I32(blocks_lab_def, slice, 2, 1, 100000, "", "places taken in a tick"),
    PLOY_FIELD_I32(blocks_lab_def, pace, 3, 1, 1000, "", "ticks for a step"),
    PLOY_FIELD_F32(blocks_lab_def, walls, 0.22, 0, 0.5, "", "share of walls of a new random map"),
    PLOY_FIELD_I32(blocks_lab_def, brush_size, 3, 1, 9, "", "cells the brush is wide"),
    PLOY_FIELD_BOOL(blocks_lab_def, erase, false, "paint floor instead of walls"),
};

static ploy_fields blocks_lab_get_fields(void) {
    return PLOY_FIELDS(blocks_lab_def, blocks_lab_fields);
}

typedef struct blocks_lab {
    blocks_lab_def def;
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_blocks *blocks;
    ploy_grid_route *route;
    ploy_grid_search *best; // for comparison
    ploy_rng_key key;
    int32_t walker, goal;
    int32_t leg, step, waited; // of the route; step: cells entered of the leg
    int32_t leg_cells[256], leg_count;
    int32_t remade;     // blocks, by the last edit
    int64_t best_taken; // what A* takes for the same question
    double best_length;
} blocks_lab;

// Requests a route from where the walker is.
static ploy_result blocks_lab_ask(blocks_lab *lab) {
    lab->leg = lab->leg_count = lab->step = 0;
    ploy_result result = ploy_grid_route_begin(lab->route, lab->blocks, lab->walker, lab->goal);
    if (result == PLOY_OK) {
        result = ploy_grid_search_run(lab->best, lab->map, lab->walker, lab->goal);
    }
    ploy_grid_cost cost = ploy_grid_cost_make(0, 0);
    ploy_grid_search_cost(lab->best, lab->goal, &cost);
    lab->best_length = cost.length;
    lab->best_taken = ploy_grid_search_stats_of(lab->best).taken;
    return result;
}

static void blocks_lab_choose(blocks_lab *lab, uint64_t tick) {
    lab->goal = lab_tiles_somewhere(lab->tiles, ploy_rng_u32_at(lab->key, 1, tick, 0), lab->walker);
}

static void blocks_lab_scatter(blocks_lab *lab, uint64_t tick) {
    uint8_t kinds[BLOCKS_LAB_CELLS];
    ploy_rng rng = ploy_rng_from_key(lab->key, tick + 1);
    lab_tiles_strokes(kinds, BLOCKS_LAB_WIDTH, BLOCKS_LAB_HEIGHT, lab->def.walls, &rng);
    ploy_tiles_set_all(lab->tiles, kinds);
    // From the first cell that most others can be reached from.
    lab->walker = lab_tiles_somewhere(lab->tiles, 0, PLOY_STATE_NONE);
    for (int32_t i = 0; i < 16; i++) {
        int32_t far = lab_tiles_somewhere(lab->tiles, BLOCKS_LAB_CELLS / 2, lab->walker);
        if (far >= BLOCKS_LAB_CELLS / 2) break;
        lab->walker = lab_tiles_somewhere(lab->tiles, (uint32_t)lab->walker + 1, PLOY_STATE_NONE);
    }
    blocks_lab_choose(lab, tick);
}

static ploy_result blocks_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    blocks_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_result result = lab_tiles_make(BLOCKS_LAB_WIDTH, BLOCKS_LAB_HEIGHT, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    blocks_lab_scatter(lab, 0);
    ploy_grid_map_def map = ploy_grid_map_def_default();
    ploy_grid_blocks_def blocks = ploy_grid_blocks_def_default();
    ploy_grid_search_def best = ploy_grid_search_def_default();
    blocks.side = lab->def.side;
    best.algorithm = PLOY_GRID_ASTAR;
    result = ploy_grid_map_create(&map, lab->tiles, env, &lab->map);
    if (result == PLOY_OK) {
        result = ploy_grid_blocks_create(&blocks, lab->map, env, &lab->blocks);
    }
    if (result == PLOY_OK) result = ploy_grid_route_create(env, &lab->route);
    if (result == PLOY_OK) result = ploy_grid_search_create(&best, env, &lab->best);
    if (result == PLOY_OK) result = blocks_lab_ask(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- step ----

static ploy_result blocks_lab_inputs(blocks_lab *lab, const ploy_sim_context *context) {
    bool anew = false;
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "scatter")) {
            blocks_lab_scatter(lab, context->tick + 1);
            anew = true;
        }
        bool click = lab_input_is(input, "click");
        if (!click && !lab_input_is(input, "goal")) continue;
        int32_t cell = ploy_tiles_quantise(lab->tiles, lab_input_point(input));
        if (cell < 0) continue;
        anew = true;
        if (click) {
            lab_tiles_paint(lab->tiles, cell, lab->def.brush_size,
                            lab->def.erase ? PLOY_TILE_OPEN : PLOY_TILE_BLOCKED);
        } else {
            lab->goal = cell;
        }
    }
    if (!anew) return PLOY_OK;
    ploy_result result = ploy_grid_map_refresh(lab->map);
    if (result != PLOY_OK) return result;
    lab->remade = ploy_grid_blocks_refresh(lab->blocks);
    return blocks_lab_ask(lab);
}

// One cell further; the next leg is computed when the last is walked.
static void blocks_lab_walk(blocks_lab *lab) {
    while (lab->step == lab->leg_count && lab->leg < ploy_grid_route_legs(lab->route)) {
        lab->leg_count = ploy_grid_route_leg(lab->route, lab->leg++, lab->leg_cells, 256);
        lab->step = 0;
    }
    if (lab->step < lab->leg_count) lab->walker = lab->leg_cells[lab->step++];
}

static ploy_result blocks_lab_step(void *state, const ploy_sim_context *context) {
    blocks_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = blocks_lab_inputs(lab, context);
    if (result != PLOY_OK) return result;
    if (ploy_grid_route_outcome(lab->route) == PLOY_SEARCH_OPEN) {
        ploy_budget budget = ploy_budget_units(lab->def.slice);
        result = ploy_grid_route_step(lab->route, &budget);
        return result < PLOY_OK ? result : PLOY_OK;
    }
    if (++lab->waited < lab->def.pace) return PLOY_OK;
    lab->waited = 0;
    bool found = ploy_grid_route_outcome(lab->route) == PLOY_SEARCH_FOUND;
    if (found && lab->walker != lab->goal) {
        blocks_lab_walk(lab);
        return PLOY_OK;
    }
    if (!ploy_tiles_passable(lab->tiles, lab->walker)) { // walled in: somewhere else
        lab->walker = lab_tiles_somewhere(lab->tiles, (uint32_t)lab->walker, PLOY_STATE_NONE);
    }
    blocks_lab_choose(lab, context->tick + 1);
    return blocks_lab_ask(lab);
}

// ---- sight ----

static void blocks_lab_draw(const void *state, ploy_draw *out) {
    const blocks_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "walker");
    ploy_draw_key(out, PLOY_STYLE_OPEN, "gates between blocks");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "searched");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "next part in cells");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goal");
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(lab->tiles, out);
    ploy_grid_blocks_draw(lab->blocks, out);
    ploy_grid_route_draw(lab->route, out);
    for (int32_t i = lab->step; i < lab->leg_count; i++) { // the leg at hand
        ploy_draw_disc(out, PLOY_LAYER_PATHS, PLOY_STYLE_WARNING, nobody,
                       ploy_tiles_localise(lab->tiles, lab->leg_cells[i]), 0.25f, 1.0f);
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(lab->tiles, lab->goal), 0.9f, 1.0f);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, nobody,
                   ploy_tiles_localise(lab->tiles, lab->walker), 0.9f, 1.0f);
    // In hundredths, because printing a double is the C library's business.
    int64_t length = (int64_t)floor(ploy_grid_route_length(lab->route) * 100.0 + 0.5);
    int64_t best = (int64_t)floor(lab->best_length * 100.0 + 0.5);
    char text[96];
    snprintf(text, sizeof text, "route %d.%02d long, %d places taken; last edit: %d blocks",
             (int)(length / 100), (int)(length % 100), (int)ploy_grid_route_taken(lab->route),
             (int)lab->remade);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.0f, 68.0f), text);
    snprintf(text, sizeof text, "A*: %d.%02d long, %d cells taken", (int)(best / 100),
             (int)(best % 100), (int)lab->best_taken);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.0f, 65.0f), text);
}

static void blocks_lab_describe(const void *state, ploy_describe *out) {
    const blocks_lab *lab = state;
    ploy_describe_begin(out, "tiles");
    ploy_tiles_describe(lab->tiles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "blocks");
    ploy_describe_i64(out, "places", PLOY_DERIVED, ploy_grid_blocks_places(lab->blocks));
    ploy_describe_u64(out, "hash", PLOY_STATE, ploy_grid_blocks_hash(lab->blocks));
    ploy_describe_i64(out, "made by the last edit", PLOY_STATE, lab->remade);
    ploy_describe_end(out);
    ploy_describe_begin(out, "route");
    ploy_grid_route_describe(lab->route, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "walker");
    ploy_describe_i64(out, "cell", PLOY_STATE, lab->walker);
    ploy_describe_i64(out, "goal", PLOY_STATE, lab->goal);
    ploy_describe_i64(out, "leg", PLOY_STATE, lab->leg);
    ploy_describe_i64(out, "step", PLOY_STATE, lab->step);
    ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
    ploy_describe_end(out);
    ploy_describe_begin(out, "best");
    ploy_describe_i64(out, "taken", PLOY_DERIVED, lab->best_taken);
    ploy_describe_f64(out, "length", PLOY_DERIVED, lab->best_length);
    ploy_describe_end(out);
}

static const ploy_command blocks_lab_commands[] = {
    {"click", "paint walls, or floor", PLOY_VALUE_VEC2, false, "Pointer"},
    {"goal", "put the goal there", PLOY_VALUE_VEC2, false, NULL},
    {"scatter", "throw other walls", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_hierarchy; // in labs.c
const ploy_sim_type ploy_lab_hierarchy = {
    .name = "hierarchy",
    .title = "Hierarchy",
    .help = "A map in blocks: the route goes from entrance to entrance, and legs become cells "
            "when the walker comes to them. Paint walls and see how few blocks are rebuilt.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 97.0f, 71.0f},
    .fields = blocks_lab_get_fields,
    .commands = blocks_lab_commands,
    .command_count = sizeof blocks_lab_commands / sizeof blocks_lab_commands[0],
    .create = blocks_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = blocks_lab_step,
    .draw = blocks_lab_draw,
    .describe = blocks_lab_describe,
};
