// The planners lab: a hundred walkers share a few searches and a fixed number of states a tick. What
// waits, what is being searched and what came out can be seen, and how long each agent waits.
//
// All state is in the one block plan_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/lab_tiles.h"
#include "labs/labs.h"
#include "ploy/path/finders.h"
#include "ploy/path/navigator.h"
#include "ploy/path/planners.h"

enum { PLAN_LAB_WIDTH = 64, PLAN_LAB_HEIGHT = 40, PLAN_LAB_WALKERS = 128 };

typedef struct plan_lab_def {
    uint32_t cookie;
    int32_t walkers;
    int32_t units;
    float speed;
    float walls;
    bool together;
} plan_lab_def;

static const ploy_field plan_lab_fields[] = {
    PLOY_FIELD_I32_FIXED(plan_lab_def, walkers, 60, 1, PLAN_LAB_WALKERS, "", "how many there are"),
    PLOY_FIELD_I32(plan_lab_def, units, 200, 1, 100000, "", "states taken in a tick, by all"),
    PLOY_FIELD_F32(plan_lab_def, speed, 4, 0.1, 50, "m/s", "of all agents"),
    PLOY_FIELD_F32(plan_lab_def, walls, 0.18, 0, 0.4, "", "share of cells that are walls"),
    PLOY_FIELD_BOOL(plan_lab_def, together, false, "all go where the last click was"),
};

static ploy_fields plan_lab_get_fields(void) {
    return PLOY_FIELDS(plan_lab_def, plan_lab_fields);
}

typedef struct plan_lab {
    plan_lab_def def;
    ploy_tiles *tiles;
    ploy_tiles_walker walker;
    ploy_planners *planners;
    ploy_navigator *minds[PLAN_LAB_WALKERS];
    ploy_vec3 at[PLAN_LAB_WALKERS];
    ploy_rng_key key;
    int32_t draws, arrived, clicked, reserved;
    int64_t spent; // in the last tick
} plan_lab;

static ploy_vec3 plan_lab_somewhere(plan_lab *lab, int32_t from, int32_t *cell) {
    uint32_t draw = ploy_rng_u32_at(lab->key, 2, (uint64_t)lab->draws++, 0);
    *cell = lab_tiles_somewhere(lab->tiles, draw, from);
    return ploy_vec3_from_vec2(ploy_tiles_localise(lab->tiles, *cell), 0.0f);
}

static ploy_result plan_lab_send(plan_lab *lab, int32_t index, ploy_vec3 to) {
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_agent_id agent = ploy_agent_id_make((uint32_t)index + 1, 1);
    ploy_path_request request = ploy_path_request_make(agent, lab->at[index], to);
    return ploy_navigator_begin(lab->minds[index], &service, &request);
}

static ploy_result plan_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                   void **out) {
    plan_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    ploy_result result = lab_tiles_make(PLAN_LAB_WIDTH, PLAN_LAB_HEIGHT, env, &lab->tiles);
    if (result != PLOY_OK) return result;
    uint8_t kinds[PLAN_LAB_WIDTH * PLAN_LAB_HEIGHT];
    ploy_rng rng = ploy_rng_from_key(lab->key, 1);
    lab_tiles_strokes(kinds, PLAN_LAB_WIDTH, PLAN_LAB_HEIGHT, lab->def.walls, &rng);
    ploy_tiles_set_all(lab->tiles, kinds);
    lab->walker = ploy_tiles_walker_make(lab->tiles, NULL);
    ploy_representation representation = ploy_tiles_representation(&lab->walker);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_navigator_def mind = ploy_navigator_def_default();
    def.capacity = PLAN_LAB_WALKERS;
    mind.arrive = 0.2f;
    ploy_finder_factory finder = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    result = ploy_planners_create(&def, env, &lab->planners);
    if (result == PLOY_OK) {
        result = ploy_planners_add_finder(lab->planners, (ploy_name){0}, &finder);
    }
    int32_t first = lab_tiles_somewhere(lab->tiles, ploy_rng_u32_at(lab->key, 3, 0, 0), -1), cell;
    for (int32_t i = 0; i < lab->def.walkers && result == PLOY_OK; i++) {
        lab->at[i] = plan_lab_somewhere(lab, first, &cell);
        result = ploy_navigator_create(&mind, env, &lab->minds[i]);
        if (result == PLOY_OK) {
            result = plan_lab_send(lab, i, plan_lab_somewhere(lab, first, &cell));
        }
    }
    if (result == PLOY_OK) *out = lab;
    return result;
}

// A click sends all agents there, or paints walls and floor; what was planned is planned again.
static ploy_result plan_lab_inputs(plan_lab *lab, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        ploy_vec2 point = lab_input_point(&context->inputs[i]);
        int32_t cell = ploy_tiles_quantise(lab->tiles, point);
        if (cell < 0) continue;
        lab->clicked++;
        if (!lab->def.together) {
            bool open = ploy_tiles_passable(lab->tiles, cell);
            lab_tiles_paint(lab->tiles, cell, 2, open ? PLOY_TILE_BLOCKED : PLOY_TILE_OPEN);
            ploy_planners_changed(lab->planners);
            for (int32_t k = 0; k < lab->def.walkers; k++) {
                (void)ploy_navigator_check(lab->minds[k], NULL, NULL);
            }
            continue;
        }
        for (int32_t k = 0; k < lab->def.walkers; k++) {
            ploy_result result = plan_lab_send(lab, k, ploy_vec3_from_vec2(point, 0.0f));
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static ploy_result plan_lab_walk(plan_lab *lab, int32_t index, float dt, ploy_trace *trace) {
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_navigator *mind = lab->minds[index];
    ploy_result result = ploy_navigator_step(mind, &service, lab->at[index], dt);
    if (result != PLOY_OK) return result;
    ploy_navigator_explain(mind, ploy_agent_id_make((uint32_t)index + 1, 1), trace);
    ploy_navigator_state state = ploy_navigator_state_of(mind);
    if (state == PLOY_NAVIGATOR_FOLLOWING) {
        ploy_vec2 at = ploy_vec2_from_vec3(lab->at[index]);
        ploy_vec2 to = ploy_vec2_from_vec3(ploy_navigator_target(mind));
        lab->at[index] = ploy_vec3_from_vec2(ploy_vec2_toward(at, to, lab->def.speed * dt), 0.0f);
    } else if (state == PLOY_NAVIGATOR_ARRIVED || state == PLOY_NAVIGATOR_FAILED) {
        int32_t cell = 0;
        lab->arrived += state == PLOY_NAVIGATOR_ARRIVED;
        if (lab->def.together) return PLOY_OK;
        int32_t here = ploy_tiles_quantise(lab->tiles, ploy_vec2_from_vec3(lab->at[index]));
        if (here >= 0 && !ploy_tiles_passable(lab->tiles, here)) here = -1; // painted over
        return plan_lab_send(lab, index, plan_lab_somewhere(lab, here, &cell));
    }
    return PLOY_OK;
}

static ploy_result plan_lab_step(void *state, const ploy_sim_context *context) {
    plan_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    ploy_result result = plan_lab_inputs(lab, context);
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_budget budget = ploy_budget_units(lab->def.units);
    if (result == PLOY_OK) result = ploy_path_service_step(&service, &budget);
    lab->spent = budget.spent;
    if (result == PLOY_IN_PROGRESS) result = PLOY_OK;
    for (int32_t i = 0; i < lab->def.walkers && result == PLOY_OK; i++) {
        result = plan_lab_walk(lab, i, context->dt, context->trace);
    }
    return result;
}

static void plan_lab_draw(const void *state, ploy_draw *out) {
    const plan_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "follows its path");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "waits for a path");
    ploy_draw_key(out, PLOY_STYLE_PATH, "paths of some agents");
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_tiles_draw(lab->tiles, out);
    ploy_path_service_draw(&service, out);
    for (int32_t i = 0; i < lab->def.walkers; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        ploy_vec2 at = ploy_vec2_from_vec3(lab->at[i]);
        bool waits = ploy_navigator_state_of(lab->minds[i]) == PLOY_NAVIGATOR_WAITING;
        int32_t edge = ploy_navigator_edge_index(lab->minds[i]);
        const ploy_path *path = ploy_navigator_path(lab->minds[i]);
        for (int32_t k = edge + 1; edge >= 0 && k < ploy_path_count(path) && i % 6 == 0; k++) {
            ploy_vec2 from = k == edge + 1 ? at : ploy_path_point(path, k - 1);
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, agent, from,
                           ploy_path_point(path, k));
        }
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, waits ? PLOY_STYLE_WARNING : PLOY_STYLE_AGENT_A,
                       agent, at, 0.4f, 1.0f);
    }
    ploy_planners_stats stats = ploy_planners_stats_of(lab->planners);
    char text[128];
    snprintf(text, sizeof text, "%d of %d states; %d queued, %d active; %d answers",
             (int)lab->spent, (int)lab->def.units, (int)stats.queued, (int)stats.active,
             (int)stats.answers);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 41.5f), text);
}

static void plan_lab_describe(const void *state, ploy_describe *out) {
    const plan_lab *lab = state;
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "spent", PLOY_STATE, lab->spent);
    ploy_describe_i64(out, "draws", PLOY_STATE, lab->draws);
    ploy_describe_begin(out, "service");
    ploy_path_service_describe(&service, out);
    ploy_describe_end(out);
    for (int32_t i = 0; i < lab->def.walkers; i++) {
        ploy_describe_begin_agent(out, "walker", ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_vec2(out, "position", PLOY_STATE, lab->at[i].x, lab->at[i].y);
        ploy_navigator_describe(lab->minds[i], out);
        ploy_describe_end(out);
    }
}

static const ploy_command plan_lab_commands[] = {
    {"click", "a wall comes or goes; with the setting together all agents go there",
     PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_planners; // in labs.c
const ploy_sim_type ploy_lab_planners = {
    .name = "planners",
    .title = "Time-sliced planning",
    .help = "Walkers share a few searches and a fixed number of states a tick. Yellow ones wait "
            "for a path. Click to build or break walls.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 65.0f, 43.0f},
    .fields = plan_lab_get_fields,
    .commands = plan_lab_commands,
    .command_count = sizeof plan_lab_commands / sizeof plan_lab_commands[0],
    .create = plan_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = plan_lab_step,
    .draw = plan_lab_draw,
    .describe = plan_lab_describe,
};
