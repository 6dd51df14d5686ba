// The flow lab: hundreds of agents on their way to common goals over one flow field, which is
// repaired in slices while walls are painted.
//
// All state is in the one block flow_lab and what it owns, in the region.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/base/hash.h"
#include "ploy/move/flock.h"
#include "ploy/move/flow.h"
#include "ploy/move/integrate.h"
#include "ploy/path/grid_flow.h"

enum {
    FLOW_LAB_WIDTH = 64,
    FLOW_LAB_HEIGHT = 40,
    FLOW_LAB_CELLS = FLOW_LAB_WIDTH * FLOW_LAB_HEIGHT,
    FLOW_LAB_SWAMP = 2,
    FLOW_LAB_AGENTS = 2000,
    FLOW_LAB_GOALS = 8
};

// Cells by which two paths differ at most that are equally long, but were summed in another order.
static const double flow_lab_equal = 1e-6;

typedef enum flow_lab_brush {
    FLOW_LAB_BRUSH_WALL,
    FLOW_LAB_BRUSH_FLOOR,
    FLOW_LAB_BRUSH_SWAMP,
    FLOW_LAB_BRUSH_GOAL
} flow_lab_brush;

static const char *const flow_lab_brushes[] = {"wall", "floor", "swamp", "goal"};

typedef struct flow_lab_def {
    uint32_t cookie;
    int32_t count;
    flow_lab_brush brush;
    int32_t brush_size;
    int32_t slice;
    float walls;
    float speed;
    float spacing;
    float push;
    ploy_flow_def flow;
} flow_lab_def;

static const ploy_field flow_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(flow_lab_def, count, 300, 1, FLOW_LAB_AGENTS, "", "agents"),
    PLOY_FIELD_ENUM(flow_lab_def, brush, FLOW_LAB_BRUSH_WALL, flow_lab_brushes,
                    "what the pointer paints; goal: puts the goals there"),
    PLOY_FIELD_I32(flow_lab_def, brush_size, 2, 1, 9, "", "cells the brush is wide"),
    PLOY_FIELD_I32(flow_lab_def, slice, 100, 1, 100000, "", "units of work in a tick"),
    PLOY_FIELD_F32(flow_lab_def, walls, 0.12, 0, 0.5, "", "share of walls of a new random map"),
    PLOY_FIELD_F32(flow_lab_def, speed, 4, 0.1f, 20, "m/s", "largest speed"),
    PLOY_FIELD_F32(flow_lab_def, spacing, 0.8, 0.05f, 4, "m", "agents nearer than this push"),
    PLOY_FIELD_F32(flow_lab_def, push, 1, 0, 20, "", "how much"),
    PLOY_FIELD_DEF(flow_lab_def, flow, ploy_flow_fields, "how agents follow the field"),
};

static ploy_fields flow_lab_get_fields(void) {
    return PLOY_FIELDS(flow_lab_def, flow_lab_fields);
}

typedef struct flow_lab {
    flow_lab_def def;
    ploy_env env;
    ploy_tiles *tiles;
    ploy_grid_map *map;
    ploy_grid_flow *flow;
    ploy_flock *flock; // for keeping apart
    ploy_kinematic *agents;
    ploy_steering *steerings;
    int32_t goals[FLOW_LAB_GOALS], goal_count;
    int32_t arrived;
    ploy_rng_key key;
} flow_lab;

static ploy_flock_def flow_lab_flock(const flow_lab_def *def) {
    ploy_flock_def flock = ploy_flock_def_default();
    flock.radius = flock.separation_radius = def->spacing;
    flock.separation_weight = def->push;
    flock.alignment_weight = flock.cohesion_weight = 0.0f;
    return flock;
}

// Puts an agent somewhere that a goal can be reached from.
static void flow_lab_place(flow_lab *lab, int32_t agent, uint64_t tick) {
    uint32_t id = (uint32_t)agent;
    int32_t cell = lab_tiles_somewhere(lab->tiles, ploy_rng_u32_at(lab->key, id, tick, 0),
                                       lab->goal_count > 0 ? lab->goals[0] : PLOY_STATE_NONE);
    ploy_vec2 at = ploy_tiles_localise(lab->tiles, cell);
    at.x += ploy_rng_range_at(lab->key, id, tick, 1, -0.4f, 0.4f);
    at.y += ploy_rng_range_at(lab->key, id, tick, 2, -0.4f, 0.4f);
    lab->agents[agent] = ploy_kinematic_make(at, 0.0f);
}

static void flow_lab_scatter(flow_lab *lab, uint64_t tick) {
    uint8_t kinds[FLOW_LAB_CELLS];
    ploy_rng rng = ploy_rng_from_key(lab->key, tick + 1);
    lab_tiles_strokes(kinds, FLOW_LAB_WIDTH, FLOW_LAB_HEIGHT, lab->def.walls, &rng);
    ploy_tiles_set_all(lab->tiles, kinds);
    int32_t middle = (FLOW_LAB_HEIGHT / 2) * FLOW_LAB_WIDTH + FLOW_LAB_WIDTH * 5 / 6;
    lab_tiles_paint(lab->tiles, middle, 5, PLOY_TILE_OPEN);
    lab->goals[0] = middle;
    lab->goal_count = 1;
    for (int32_t i = 0; i < lab->def.count; i++) flow_lab_place(lab, i, tick);
}

// The map as it is now, and the field behind it.
static ploy_result flow_lab_follow(flow_lab *lab) {
    ploy_result result = ploy_grid_map_refresh(lab->map);
    if (result == PLOY_OK) ploy_grid_flow_refresh(lab->flow);
    return result;
}

static ploy_result flow_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    flow_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->key = ploy_rng_key_split(key, 1);
    size_t count = (size_t)lab->def.count;
    lab->agents = ploy_env_alloc_zero(env, count * sizeof *lab->agents);
    lab->steerings = ploy_env_alloc_zero(env, count * sizeof *lab->steerings);
    if (lab->agents == NULL || lab->steerings == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = lab_tiles_make(FLOW_LAB_WIDTH, FLOW_LAB_HEIGHT, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    ploy_tiles_set_cost(lab->tiles, FLOW_LAB_SWAMP, 4.0f);
    flow_lab_scatter(lab, 0);
    ploy_grid_map_def map = ploy_grid_map_def_default();
    result = ploy_grid_map_create(&map, lab->tiles, env, &lab->map);
    ploy_grid_flow_def flow = ploy_grid_flow_def_default();
    if (result == PLOY_OK) result = ploy_grid_flow_create(&flow, lab->map, env, &lab->flow);
    if (result == PLOY_OK) result = ploy_grid_flow_run(lab->flow, lab->goals, lab->goal_count);
    ploy_flock_def flock = flow_lab_flock(&lab->def);
    if (result == PLOY_OK) result = ploy_flock_create(&flock, lab->def.count, env, &lab->flock);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// ---- step ----

static ploy_result flow_lab_goal(flow_lab *lab, int32_t cell, bool more) {
    if (!more || lab->goal_count == FLOW_LAB_GOALS) lab->goal_count = 0;
    lab->goals[lab->goal_count++] = cell;
    return ploy_grid_flow_begin(lab->flow, lab->goals, lab->goal_count);
}

static ploy_result flow_lab_inputs(flow_lab *lab, const ploy_sim_context *context) {
    static const uint8_t kinds[] = {PLOY_TILE_BLOCKED, PLOY_TILE_OPEN, FLOW_LAB_SWAMP};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "scatter")) {
            flow_lab_scatter(lab, context->tick + 1);
            result = flow_lab_follow(lab);
            if (result == PLOY_OK) result = flow_lab_goal(lab, lab->goals[0], false);
            continue;
        }
        bool click = lab_input_is(input, "click"), more = lab_input_is(input, "add_goal");
        if (!click && !more && !lab_input_is(input, "goal")) continue;
        int32_t cell = ploy_tiles_quantise(lab->tiles, lab_input_point(input));
        if (cell < 0) continue;
        if (click && lab->def.brush != FLOW_LAB_BRUSH_GOAL) {
            lab_tiles_paint(lab->tiles, cell, lab->def.brush_size, kinds[lab->def.brush]);
            result = flow_lab_follow(lab);
        } else {
            result = flow_lab_goal(lab, cell, more);
        }
    }
    return result;
}

static bool flow_lab_free(const flow_lab *lab, ploy_vec2 at) {
    return ploy_tiles_passable(lab->tiles, ploy_tiles_quantise(lab->tiles, at));
}

// Along a wall rather than into it; out of it always.
static ploy_kinematic flow_lab_slide(const flow_lab *lab, ploy_kinematic before,
                                     ploy_kinematic after) {
    if (flow_lab_free(lab, after.position) || !flow_lab_free(lab, before.position)) return after;
    ploy_vec2 along_x = {after.position.x, before.position.y};
    ploy_vec2 along_y = {before.position.x, after.position.y};
    if (flow_lab_free(lab, along_x)) {
        after.position = along_x;
        after.velocity.y = 0.0f;
    } else if (flow_lab_free(lab, along_y)) {
        after.position = along_y;
        after.velocity.x = 0.0f;
    } else {
        after.position = before.position;
        after.velocity = ploy_vec2_make(0.0f, 0.0f);
    }
    return after;
}

static bool flow_lab_there(const flow_lab *lab, ploy_vec2 at) {
    for (int32_t i = 0; i < lab->goal_count; i++) {
        ploy_vec2 goal = ploy_tiles_localise(lab->tiles, lab->goals[i]);
        if (ploy_vec2_length(ploy_vec2_sub(goal, at)) < 1.0f) return true;
    }
    return false;
}

// The neighbours of an agent's cell with their costs to the goal, then what moves it.
static void flow_lab_explain(const flow_lab *lab, int32_t agent, ploy_steering go,
                             ploy_trace *trace) {
    static const char *const names[8] = {"right",    "up",      "left",      "down",
                                         "up right", "up left", "down left", "down right"};
    static const int32_t dx[8] = {1, 0, -1, 0, 1, -1, -1, 1}, dy[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    if (trace == NULL) return;
    ploy_agent_id id = ploy_agent_id_make((uint32_t)agent + 1, 1);
    int32_t cell = ploy_tiles_quantise(lab->tiles, lab->agents[agent].position), best = -1;
    double costs[8], least = 0.0;
    ploy_trace_begin(trace, id, "direction", "flow field");
    for (int32_t i = 0; i < 8; i++) {
        int32_t to = cell < 0 ? -1
                              : ploy_tiles_cell(lab->tiles, cell % FLOW_LAB_WIDTH + dx[i],
                                                cell / FLOW_LAB_WIDTH + dy[i]);
        ploy_grid_cost cost;
        bool reached = to >= 0 && ploy_grid_flow_cost(lab->flow, to, &cost);
        costs[i] = reached ? cost.length + (i < 4 ? 1.0 : 1.41421356) : -1.0;
        if (reached && (best < 0 || costs[i] < least - flow_lab_equal)) {
            best = i;
            least = costs[i];
        }
    }
    for (int32_t i = 0; i < 8; i++) {
        bool equal = costs[i] >= 0.0 && costs[i] < least + flow_lab_equal;
        double score = equal ? -least : costs[i] >= 0.0 ? -costs[i] : (double)NAN;
        ploy_trace_option(trace, names[i],
                          i == best         ? PLOY_OUTCOME_WON
                          : costs[i] >= 0.0 ? PLOY_OUTCOME_LOST
                                            : PLOY_OUTCOME_REJECTED,
                          score,
                          i == best        ? "the least cost to the goal"
                          : costs[i] < 0.0 ? "a wall, or no path from there yet"
                          : equal          ? "as short a path, but another direction comes first"
                                           : "a longer path to the goal");
    }
    ploy_trace_vec2(trace, "pull of the field", go.linear.x, go.linear.y);
    ploy_trace_vec2(trace, "push of the others", lab->steerings[agent].linear.x,
                    lab->steerings[agent].linear.y);
    ploy_trace_end(trace);
}

static ploy_result flow_lab_step(void *state, const ploy_sim_context *context) {
    flow_lab *lab = state;
    if (memcmp(&lab->def, context->params, sizeof lab->def) != 0) {
        memcpy(&lab->def, context->params, sizeof lab->def);
        ploy_flock_def flock = flow_lab_flock(&lab->def);
        ploy_result changed = ploy_flock_set_def(lab->flock, &flock);
        if (changed != PLOY_OK) return changed;
    }
    int32_t count = lab->def.count;
    ploy_kinematics view = ploy_kinematics_of(lab->agents, count);
    ploy_steerings pushes = ploy_steerings_of(lab->steerings, count);
    ploy_result result = flow_lab_inputs(lab, context);
    if (result == PLOY_OK) result = ploy_flock_update(lab->flock, &view);
    if (result == PLOY_OK) result = ploy_flock_step(lab->flock, 0, count, &pushes);
    if (result != PLOY_OK) return result;
    ploy_budget budget = ploy_budget_units(lab->def.slice);
    ploy_grid_flow_step(lab->flow, &budget);
    ploy_flow_grid grid = {ploy_tiles_localise(lab->tiles, 0), 1.0f, FLOW_LAB_WIDTH,
                           FLOW_LAB_HEIGHT, ploy_grid_flow_vectors(lab->flow)};
    ploy_flow_field field = ploy_flow_grid_field(&grid);
    ploy_flow_def follow = lab->def.flow;
    follow.speed_factor *= lab->def.speed;
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = lab->def.speed;
    for (int32_t i = 0; i < count; i++) {
        ploy_steering go = ploy_flow_follow(&follow, lab->agents[i], &field);
        flow_lab_explain(lab, i, go, context->trace);
        ploy_kinematic moved = ploy_integrate(
            &motion, lab->agents[i], ploy_steering_add(go, lab->steerings[i]), context->dt);
        lab->agents[i] = flow_lab_slide(lab, lab->agents[i], moved);
        if (!flow_lab_there(lab, lab->agents[i].position)) continue;
        lab->arrived++;
        flow_lab_place(lab, i, context->tick + 1);
    }
    return PLOY_OK;
}

// ---- sight ----

static void flow_lab_draw(const void *state, ploy_draw *out) {
    const flow_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_OPEN, "nearer to a goal if darker");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "agents");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "goals");
    ploy_draw_key(out, PLOY_STYLE_PATH, "direction of the field");
    ploy_agent_id nobody = ploy_agent_id_none();
    ploy_tiles_draw(lab->tiles, out);
    ploy_grid_flow_draw(lab->flow, out);
    for (int32_t i = 0; i < lab->goal_count; i++) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                       ploy_tiles_localise(lab->tiles, lab->goals[i]), 0.8f, 0.8f);
    }
    for (int32_t i = 0; i < lab->def.count; i++) {
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, ploy_agent_id_make((uint32_t)i + 1, 1),
                        lab->agents[i].position, lab->agents[i].orientation, 0.25f);
    }
    ploy_grid_flow_stats stats = ploy_grid_flow_stats_of(lab->flow);
    char text[128];
    snprintf(text, sizeof text, "%d arrived; the last change took %d units of work, %d cells",
             (int)lab->arrived, (int)stats.units, (int)stats.taken);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.0f, 41.0f), text);
}

static void flow_lab_describe(const void *state, ploy_describe *out) {
    const flow_lab *lab = state;
    ploy_describe_begin(out, "tiles");
    ploy_tiles_describe(lab->tiles, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "flow");
    ploy_grid_flow_describe(lab->flow, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "goals", PLOY_STATE, lab->goal_count);
    size_t bytes = (size_t)lab->def.count * sizeof *lab->agents;
    ploy_describe_u64(out, "hash of the agents", PLOY_STATE,
                      ploy_hash_bytes(lab->agents, bytes, 1));
}

static const ploy_command flow_lab_commands[] = {
    {"click", "paint, or put the goal, as the brush says", PLOY_VALUE_VEC2, false, "Pointer"},
    {"goal", "put the only goal there", PLOY_VALUE_VEC2, false, NULL},
    {"add_goal", "put one more goal there", PLOY_VALUE_VEC2, false, NULL},
    {"scatter", "throw other walls", PLOY_VALUE_NONE, false, "r"},
};

extern const ploy_sim_type ploy_lab_flow; // in labs.c
const ploy_sim_type ploy_lab_flow = {
    .name = "flow",
    .title = "Flow field",
    .help = "Hundreds of agents go to one goal by one field. Paint walls and swamps in their way: "
            "the field is repaired a slice of work in each tick.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 65.0f, 42.5f},
    .fields = flow_lab_get_fields,
    .commands = flow_lab_commands,
    .command_count = sizeof flow_lab_commands / sizeof flow_lab_commands[0],
    .create = flow_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = flow_lab_step,
    .draw = flow_lab_draw,
    .describe = flow_lab_describe,
};
