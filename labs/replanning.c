// The replanning lab: doors close and open while a walker is on its way. D* Lite mends its route
// and A* answers the same question from nothing beside it, for its numbers.
//
// All state is in the one block replan_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/search/search.h"

enum {
    REPLAN_LAB_ROOM = 8, // cells of a room with its wall
    REPLAN_LAB_COLUMNS = 8,
    REPLAN_LAB_ROWS = 5,
    REPLAN_LAB_WIDTH = REPLAN_LAB_ROOM * REPLAN_LAB_COLUMNS + 1,
    REPLAN_LAB_HEIGHT = REPLAN_LAB_ROOM * REPLAN_LAB_ROWS + 1,
    REPLAN_LAB_CELLS = REPLAN_LAB_WIDTH * REPLAN_LAB_HEIGHT,
    REPLAN_LAB_DOORS = 2 * REPLAN_LAB_COLUMNS * REPLAN_LAB_ROWS,
    REPLAN_LAB_ROUTE = 512
};

typedef struct replan_lab_def {
    uint32_t cookie;
    float period;
    float closed;
    int32_t pace;
    int32_t slice;
} replan_lab_def;

static const ploy_field replan_lab_fields[] = {
    PLOY_FIELD_F32(replan_lab_def, period, 0.5, 0, 60, "s",
                   "between two doors that move; 0: only those clicked"),
    PLOY_FIELD_F32(replan_lab_def, closed, 0.2, 0, 0.9, "", "share of doors that are closed"),
    PLOY_FIELD_I32(replan_lab_def, pace, 6, 1, 1000, "", "ticks for a step"),
    PLOY_FIELD_I32(replan_lab_def, slice, 200, 1, 100000, "", "cells taken in a tick"),
};

static ploy_fields replan_lab_get_fields(void) {
    return PLOY_FIELDS(replan_lab_def, replan_lab_fields);
}

typedef struct replan_lab {
    replan_lab_def def;
    ploy_tiles *tiles;
    ploy_tiles_walker walker; // as the searches see the map
    ploy_space space;
    ploy_search *replanner; // D* Lite
    ploy_search *search;    // A* from nothing
    ploy_rng_key key;
    int32_t doors[REPLAN_LAB_DOORS], door_count; // cells
    int32_t at, goal;
    int32_t waited, quiet; // ticks since the last step, and since a door moved
    int32_t changes, arrived;
    int64_t mended, anew; // cells taken for all changes so far
    int64_t last_mended, last_anew;
    int64_t before;                    // taken by the replanner before the last change
    int64_t open;                      // a change that is not counted yet
    ploy_edge route[REPLAN_LAB_ROUTE]; // as it was last known
    int64_t route_count;
} replan_lab;

// ---- the house ----

static void replan_lab_build(replan_lab *lab) {
    uint8_t kinds[REPLAN_LAB_CELLS];
    for (int32_t i = 0; i < REPLAN_LAB_CELLS; i++) {
        int32_t x = i % REPLAN_LAB_WIDTH, y = i / REPLAN_LAB_WIDTH;
        bool wall = x % REPLAN_LAB_ROOM == 0 || y % REPLAN_LAB_ROOM == 0;
        kinds[i] = wall ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN;
    }
    ploy_tiles_set_all(lab->tiles, kinds);
    lab->door_count = 0;
    for (int32_t room = 0; room < REPLAN_LAB_COLUMNS * REPLAN_LAB_ROWS; room++) {
        int32_t x = room % REPLAN_LAB_COLUMNS, y = room / REPLAN_LAB_COLUMNS;
        for (int32_t side = 0; side < 2; side++) { // to the right, up
            if (side == 0 ? x + 1 == REPLAN_LAB_COLUMNS : y + 1 == REPLAN_LAB_ROWS) continue;
            int32_t along =
                1 + (int32_t)(ploy_rng_u32_at(lab->key, (uint32_t)room, 0, (uint32_t)side) %
                              (REPLAN_LAB_ROOM - 1));
            int32_t cx = x * REPLAN_LAB_ROOM + (side == 0 ? REPLAN_LAB_ROOM : along);
            int32_t cy = y * REPLAN_LAB_ROOM + (side == 0 ? along : REPLAN_LAB_ROOM);
            int32_t cell = cy * REPLAN_LAB_WIDTH + cx;
            bool closed = ploy_rng_range_at(lab->key, (uint32_t)room, 1, (uint32_t)side, 0.0f,
                                            1.0f) < lab->def.closed;
            lab->doors[lab->door_count++] = cell;
            ploy_tiles_set(lab->tiles, cell, closed ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
        }
    }
    lab->at = REPLAN_LAB_WIDTH * (REPLAN_LAB_ROOM / 2) + REPLAN_LAB_ROOM / 2;
    lab->goal = REPLAN_LAB_CELLS - 1 - lab->at;
}

static ploy_result replan_lab_begin(replan_lab *lab, ploy_search *search) {
    ploy_search_start start = {lab->at, 0.0};
    ploy_search_query query = ploy_search_query_make(&lab->space, &start, lab->goal);
    return ploy_search_begin(search, &query);
}

static int64_t replan_lab_taken(const replan_lab *lab) {
    return ploy_search_stats_of(lab->replanner).taken;
}

static ploy_result replan_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    replan_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_result result = lab_tiles_make(REPLAN_LAB_WIDTH, REPLAN_LAB_HEIGHT, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    replan_lab_build(lab);
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    lab->space = ploy_tiles_space(&lab->walker);
    ploy_search_def def = ploy_search_def_default();
    result = ploy_search_create(&def, env, &lab->search);
    def.method = PLOY_SEARCH_METHOD_D_STAR_LITE;
    if (result == PLOY_OK) result = ploy_search_create(&def, env, &lab->replanner);
    if (result == PLOY_OK) result = replan_lab_begin(lab, lab->replanner);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- step ----

// A door moves: all steps into its cell, out of it and past it may have changed.
static ploy_result replan_lab_toggle(replan_lab *lab, int32_t cell) {
    bool open = ploy_tiles_passable(lab->tiles, cell);
    ploy_tiles_set(lab->tiles, cell, open ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 9 && result == PLOY_OK; i++) {
        int32_t near = cell + (i / 3 - 1) * REPLAN_LAB_WIDTH + i % 3 - 1; // doors are not outside
        for (int32_t way = 0; way < 8 && result == PLOY_OK; way++) {
            int32_t to = ploy_tiles_neighbour(lab->tiles, near, way);
            if (to < 0) continue;
            int32_t dx = to % REPLAN_LAB_WIDTH - cell % REPLAN_LAB_WIDTH;
            int32_t dy = to / REPLAN_LAB_WIDTH - cell / REPLAN_LAB_WIDTH;
            if (dx * dx > 1 || dy * dy > 1) continue;
            result = ploy_search_changed(lab->replanner, near, to);
        }
    }
    if (result == PLOY_OK) result = ploy_search_move(lab->replanner, lab->at);
    if (lab->open == 0) lab->before = replan_lab_taken(lab);
    lab->open = 1;
    lab->changes++;
    lab->quiet = 0;
    return result;
}

// The replanner is done with a change: what A* would have taken.
static ploy_result replan_lab_compare(replan_lab *lab) {
    ploy_result result = replan_lab_begin(lab, lab->search);
    if (result == PLOY_OK) result = ploy_search_step(lab->search, NULL);
    lab->last_mended = replan_lab_taken(lab) - lab->before;
    lab->last_anew = ploy_search_stats_of(lab->search).taken;
    lab->mended += lab->last_mended;
    lab->anew += lab->last_anew;
    lab->open = 0;
    return result;
}

// Closes a door, or opens one if enough are closed: the first of those from a drawn one on.
static ploy_result replan_lab_move_door(replan_lab *lab, uint32_t draw) {
    int32_t closed = 0;
    for (int32_t i = 0; i < lab->door_count; i++) {
        closed += !ploy_tiles_passable(lab->tiles, lab->doors[i]);
    }
    bool open = (float)closed >= lab->def.closed * (float)lab->door_count;
    for (int32_t i = 0; i < lab->door_count; i++) {
        int32_t door = lab->doors[(draw % (uint32_t)lab->door_count + (uint32_t)i) %
                                  (uint32_t)lab->door_count];
        if (door == lab->at || ploy_tiles_passable(lab->tiles, door) == open) continue;
        return replan_lab_toggle(lab, door);
    }
    return PLOY_OK;
}

static ploy_result replan_lab_inputs(replan_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (!lab_input_is(input, "click")) continue;
        // The nearest door, if the click is not far from one.
        ploy_vec2 point = lab_input_point(input);
        int32_t nearest = -1;
        float best = 1.5f;
        for (int32_t k = 0; k < lab->door_count; k++) {
            ploy_vec2 door = ploy_tiles_localise(lab->tiles, lab->doors[k]);
            float away = ploy_vec2_length(ploy_vec2_sub(door, point));
            if (away >= best) continue;
            best = away;
            nearest = lab->doors[k];
        }
        if (nearest < 0 || nearest == lab->at) continue;
        ploy_result result = replan_lab_toggle(lab, nearest);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// The neighbours of its cell with the length of the path through each, below 0, as the search left them.
static void replan_lab_explain(const replan_lab *lab, ploy_trace *trace) {
    static const char *const names[9] = {"down left", "down",    "down right", "left",    "stay",
                                         "right",     "up left", "up",         "up right"};
    if (trace == NULL) return;
    int32_t next = lab->route_count > 0 ? lab->route[0].to : lab->at;
    ploy_trace_begin(trace, ploy_agent_id_make(1, 1), "step", "D* Lite");
    for (int32_t i = 0; i < 9; i++) {
        int32_t cell = ploy_tiles_cell(lab->tiles, lab->at % REPLAN_LAB_WIDTH + i % 3 - 1,
                                       lab->at / REPLAN_LAB_WIDTH + i / 3 - 1);
        bool open = cell >= 0 && ploy_tiles_passable(lab->tiles, cell);
        // A diagonal step passes both cells beside it.
        bool diagonal = i % 2 == 0 && i != 4, cuts = false;
        if (open && diagonal) {
            int32_t beside = lab->at + (i % 3 - 1),
                    above = lab->at + (i / 3 - 1) * REPLAN_LAB_WIDTH;
            cuts =
                !ploy_tiles_passable(lab->tiles, beside) || !ploy_tiles_passable(lab->tiles, above);
        }
        ploy_search_node node;
        bool known = open && !cuts && ploy_search_get(lab->replanner, cell, &node);
        double step = i == 4 ? 0.0 : diagonal ? sqrt(2.0) : 1.0;
        ploy_trace_option(trace, names[i],
                          cell == next    ? PLOY_OUTCOME_WON
                          : !open || cuts ? PLOY_OUTCOME_REJECTED
                                          : PLOY_OUTCOME_LOST,
                          known ? -(step + node.cost) : (double)NAN,
                          cell == next && i == 4 ? "every path to the goal is shut"
                          : cell == next         ? "the first step of the shortest path"
                          : !open                ? "a wall or a shut door"
                          : cuts                 ? "it would cut the corner of a wall"
                          : i == 4               ? "there is a path to follow"
                                                 : "the path through it is not shorter");
    }
    ploy_trace_end(trace);
}

static ploy_result replan_lab_walk(replan_lab *lab, ploy_trace *trace) {
    if (lab->at == lab->goal) {
        // Back again: another goal is another question.
        lab->arrived++;
        lab->goal = REPLAN_LAB_CELLS - 1 - lab->at;
        return replan_lab_begin(lab, lab->replanner);
    }
    replan_lab_explain(lab, trace);
    if (lab->route_count < 1) return PLOY_OK; // shut in
    lab->at = lab->route[0].to;
    lab->route_count--;
    memmove(lab->route, lab->route + 1, (size_t)(REPLAN_LAB_ROUTE - 1) * sizeof *lab->route);
    return ploy_search_move(lab->replanner, lab->at);
}

static ploy_result replan_lab_step(void *state, const ploy_sim_context *context) {
    replan_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = replan_lab_inputs(lab, context);
    lab->quiet++;
    if (result == PLOY_OK && lab->def.period > 0.0f &&
        (float)lab->quiet * context->dt >= lab->def.period) {
        result = replan_lab_move_door(lab, ploy_rng_u32_at(lab->key, 1, context->tick, 0));
    }
    if (result != PLOY_OK) return result;
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    result = ploy_search_step(lab->replanner, &budget);
    if (result != PLOY_OK) return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
    lab->route_count =
        ploy_search_path(lab->replanner, lab->goal, lab->route, REPLAN_LAB_ROUTE, NULL);
    if (lab->open != 0) result = replan_lab_compare(lab);
    if (result != PLOY_OK || ++lab->waited < lab->def.pace) return result;
    lab->waited = 0;
    return replan_lab_walk(lab, context->trace);
}

// ---- sight ----

static void replan_lab_draw(const void *state, ploy_draw *out) {
    const replan_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_GOOD, "open door");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shut door");
    ploy_draw_key(out, PLOY_STYLE_CLOSED, "searched");
    ploy_draw_key(out, PLOY_STYLE_PATH, "path");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "walker");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "its goal");
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(lab->tiles, out);
    for (int32_t cell = 0; cell < REPLAN_LAB_CELLS; cell++) {
        ploy_search_node node;
        if (!ploy_tiles_passable(lab->tiles, cell)) continue;
        if (!ploy_search_get(lab->replanner, cell, &node)) continue;
        ploy_tiles_draw_cells(lab->tiles, cell, 1, PLOY_LAYER_PATHS, PLOY_STYLE_CLOSED, 0.35f, out);
    }
    for (int32_t i = 0; i < lab->door_count; i++) {
        bool open = ploy_tiles_passable(lab->tiles, lab->doors[i]);
        ploy_tiles_draw_cells(lab->tiles, lab->doors[i], 1, PLOY_LAYER_REGIONS,
                              open ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD, 0.9f, out);
    }
    int32_t from = lab->at;
    for (int32_t i = 0; i < lab->route_count && i < REPLAN_LAB_ROUTE; i++) {
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, nobody,
                       ploy_tiles_localise(lab->tiles, from),
                       ploy_tiles_localise(lab->tiles, lab->route[i].to));
        from = lab->route[i].to;
    }
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   ploy_tiles_localise(lab->tiles, lab->goal), 0.7f, 1.0f);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_A, ploy_agent_id_make(1, 1),
                   ploy_tiles_localise(lab->tiles, lab->at), 0.7f, 1.0f);
    char text[96];
    snprintf(text, sizeof text, "%d doors moved: D* Lite took %d cells, A* from nothing %d",
             (int)lab->changes, (int)lab->mended, (int)lab->anew);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.0f, 44.0f), text);
    snprintf(text, sizeof text, "the last one: %d and %d", (int)lab->last_mended,
             (int)lab->last_anew);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.0f, 42.0f), text);
}

static void replan_lab_describe(const void *state, ploy_describe *out) {
    const replan_lab *lab = state;
    ploy_describe_begin(out, "tiles");
    ploy_tiles_describe(lab->tiles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "replanner");
    ploy_search_describe(lab->replanner, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "walker");
    ploy_describe_i64(out, "cell", PLOY_STATE, lab->at);
    ploy_describe_i64(out, "goal", PLOY_STATE, lab->goal);
    ploy_describe_i64(out, "waited", PLOY_STATE, lab->waited);
    ploy_describe_i64(out, "quiet", PLOY_STATE, lab->quiet);
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "steps left", PLOY_STATE, lab->route_count);
    ploy_describe_end(out);
    ploy_describe_begin(out, "changes");
    ploy_describe_i64(out, "doors", PLOY_STATE, lab->changes);
    ploy_describe_i64(out, "mended", PLOY_STATE, lab->mended);
    ploy_describe_i64(out, "anew", PLOY_STATE, lab->anew);
    ploy_describe_i64(out, "open", PLOY_STATE, lab->open);
    ploy_describe_end(out);
}

static const ploy_command replan_lab_commands[] = {
    {"click", "open or close the nearest door", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_replanning; // in labs.c
const ploy_sim_type ploy_lab_replanning = {
    .name = "replanning",
    .title = "Replanning",
    .help = "Doors close and open while the walker is on its way. D* Lite mends the route; what "
            "A* from nothing would have taken is shown beside it. Click doors.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 66.0f, 46.0f},
    .fields = replan_lab_get_fields,
    .commands = replan_lab_commands,
    .command_count = sizeof replan_lab_commands / sizeof replan_lab_commands[0],
    .create = replan_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = replan_lab_step,
    .draw = replan_lab_draw,
    .describe = replan_lab_describe,
};
