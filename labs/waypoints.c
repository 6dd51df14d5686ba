// The waypoints lab: a network lays itself out around walls (flood, reduction, pruning), and a walker
// goes along it. A click builds a post; edges that it blocks are found and closed.
//
// All state is in the one block way_lab and what it owns, in the region.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/path/finders.h"
#include "ploy/path/graph_tools.h"
#include "ploy/path/navigator.h"
#include "ploy/path/planners.h"

enum { WAY_LAB_WALLS = 14, WAY_LAB_FAULTS = 256 };

typedef struct way_lab_def {
    uint32_t cookie;
    float radius;
    float speed;
    bool prune;
} way_lab_def;

static const ploy_field way_lab_fields[] = {
    PLOY_FIELD_F32(way_lab_def, radius, 5, 1, 20, "m", "that a waypoint stands for"),
    PLOY_FIELD_F32(way_lab_def, speed, 6, 0.1, 50, "m/s", "of the walker"),
    PLOY_FIELD_BOOL(way_lab_def, prune, true, "leave out edges through a third one's domain"),
};

static ploy_fields way_lab_get_fields(void) {
    return PLOY_FIELDS(way_lab_def, way_lab_fields);
}

typedef struct way_lab {
    way_lab_def def;
    ploy_plain_scene *scene;
    ploy_scene walls;
    ploy_graph *graph;
    ploy_graph_representation *representation;
    ploy_planners *planners;
    ploy_navigator *mind;
    ploy_rng_key key;
    ploy_vec3 at;
    int32_t draws, arrived, closed, flooded;
} way_lab;

static bool way_lab_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    const way_lab *lab = user;
    if (to.x < 0.5f || to.y < 0.5f || to.x > 59.5f || to.y > 39.5f) return false;
    return !ploy_scene_sweep(&lab->walls, from, to, 0.4f, 1, NULL);
}

static ploy_result way_lab_layout(way_lab *lab, const ploy_env *env) {
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *fine = NULL;
    ploy_result result = ploy_graph_create(&def, env, &fine);
    if (result == PLOY_OK) result = ploy_graph_create(&def, env, &lab->graph);
    ploy_vec3 seed = {1.0f, 1.0f, 0.0f};
    if (result == PLOY_OK) {
        result = ploy_graph_add_flood(fine, seed, 1.0f, true, 4000, way_lab_walks, lab, NULL,
                                      &lab->flooded);
    }
    if (result == PLOY_OK) {
        result = ploy_graph_reduce(fine, lab->def.radius, way_lab_walks, lab, lab->graph, NULL);
    }
    ploy_graph_destroy(fine);
    if (result == PLOY_OK) {
        result = ploy_graph_join_visible(lab->graph, 2.0 * (double)lab->def.radius, way_lab_walks,
                                         lab, NULL);
    }
    if (result == PLOY_OK && lab->def.prune) result = ploy_graph_prune(lab->graph, NULL);
    return result;
}

static ploy_result way_lab_build(way_lab *lab, const ploy_env *env) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_result result = ploy_plain_scene_create(&def, env, &lab->scene);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < WAY_LAB_WALLS && result == PLOY_OK; i++) {
        uint32_t n = (uint32_t)i;
        ploy_vec2 a = {ploy_rng_range_at(lab->key, n, 0, 0, 5, 55),
                       ploy_rng_range_at(lab->key, n, 0, 1, 5, 35)};
        ploy_vec2 b = {a.x + ploy_rng_range_at(lab->key, n, 0, 2, -14, 14),
                       a.y + ploy_rng_range_at(lab->key, n, 0, 3, -14, 14)};
        result = ploy_plain_scene_add_segment(lab->scene, a, b, 1, NULL);
    }
    lab->walls = ploy_plain_scene_interface(lab->scene);
    return result;
}

static ploy_result way_lab_send(way_lab *lab) {
    uint32_t draw = ploy_rng_u32_at(lab->key, 99, (uint64_t)lab->draws++, 0);
    int32_t slots = ploy_graph_node_slots(lab->graph);
    ploy_vec3 to = ploy_graph_position(lab->graph, (int32_t)(draw % (uint32_t)slots));
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_make(1, 1), lab->at, to);
    request.radius = 0.3f;
    return ploy_navigator_begin(lab->mind, &service, &request);
}

static ploy_result way_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                  void **out) {
    way_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->key = ploy_rng_key_split(key, 1);
    lab->at = ploy_vec3_make(1.0f, 1.0f, 0.0f);
    ploy_result result = way_lab_build(lab, env);
    if (result == PLOY_OK) result = way_lab_layout(lab, env);
    ploy_graph_representation_def division_def = ploy_graph_representation_def_default();
    if (result == PLOY_OK) {
        result = ploy_graph_representation_create(&division_def, lab->graph, &lab->walls, env,
                                                  &lab->representation);
    }
    if (result != PLOY_OK) return result;
    ploy_representation representation = ploy_graph_representation_view(lab->representation);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_navigator_def mind = ploy_navigator_def_default();
    def.straight = false;
    ploy_finder_factory finder = ploy_representation_finder(&representation, PLOY_SPACE_ASTAR);
    result = ploy_planners_create(&def, env, &lab->planners);
    if (result == PLOY_OK) {
        result = ploy_planners_add_finder(lab->planners, (ploy_name){0}, &finder);
    }
    if (result == PLOY_OK) result = ploy_navigator_create(&mind, env, &lab->mind);
    if (result == PLOY_OK) result = way_lab_send(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// A post is built: the check names the edges that it blocks.
static ploy_result way_lab_post(way_lab *lab, ploy_vec2 at, const ploy_env *env) {
    ploy_result result = ploy_plain_scene_add_circle(lab->scene, at, 0.8f, 1, NULL);
    if (result != PLOY_OK) return result;
    ploy_representation representation = ploy_graph_representation_view(lab->representation);
    ploy_representation_body body = {0.3f, 1};
    ploy_representation_fault faults[WAY_LAB_FAULTS];
    int32_t count = 0;
    result = ploy_representation_check(&representation, &body, 0, 0.0f, 1, env, faults,
                                       WAY_LAB_FAULTS, &count);
    for (int32_t i = 0; i < count && i < WAY_LAB_FAULTS && result == PLOY_OK; i++) {
        result = ploy_graph_set_open(lab->graph, faults[i].edge.label, false);
        lab->closed++;
    }
    ploy_planners_changed(lab->planners);
    (void)ploy_navigator_check(lab->mind, NULL, NULL);
    return result;
}

static ploy_result way_lab_step(void *state, const ploy_sim_context *context) {
    way_lab *lab = state;
    ploy_env env = ploy_env_default(); // the check's scratch is no state
    lab->def.speed = ((const way_lab_def *)context->params)->speed;
    for (int32_t i = 0; i < context->input_count; i++) {
        if (!lab_input_is(&context->inputs[i], "click")) continue;
        ploy_vec2 at = lab_input_point(&context->inputs[i]);
        if (ploy_vec2_distance(at, ploy_vec2_from_vec3(lab->at)) < 2.0f) continue;
        ploy_result result = way_lab_post(lab, at, &env);
        if (result != PLOY_OK) return result;
    }
    ploy_path_service service = ploy_planners_service(lab->planners);
    ploy_budget budget = ploy_budget_units(20);
    ploy_result result = ploy_path_service_step(&service, &budget);
    if (result >= 0) result = ploy_navigator_step(lab->mind, &service, lab->at, context->dt);
    if (result != PLOY_OK) return result;
    ploy_navigator_explain(lab->mind, ploy_agent_id_make(1, 1), context->trace);
    ploy_navigator_state mind = ploy_navigator_state_of(lab->mind);
    if (mind == PLOY_NAVIGATOR_FOLLOWING) {
        ploy_vec2 to = ploy_vec2_from_vec3(ploy_navigator_target(lab->mind));
        lab->at = ploy_vec3_from_vec2(
            ploy_vec2_toward(ploy_vec2_from_vec3(lab->at), to, lab->def.speed * context->dt), 0.0f);
    } else if (mind != PLOY_NAVIGATOR_WAITING) {
        lab->arrived += mind == PLOY_NAVIGATOR_ARRIVED;
        return way_lab_send(lab);
    }
    return PLOY_OK;
}

static void way_lab_draw(const void *state, ploy_draw *out) {
    const way_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "walker");
    ploy_draw_key(out, PLOY_STYLE_PATH, "its path");
    ploy_agent_id agent = ploy_agent_id_make(1, 1);
    ploy_plain_scene_draw(lab->scene, out);
    ploy_graph_draw(lab->graph, out);
    ploy_path_draw(ploy_navigator_path(lab->mind), agent, out);
    ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_AGENT_B, agent, ploy_vec2_from_vec3(lab->at),
                   0.6f, 1.0f);
    char text[96];
    snprintf(text, sizeof text, "%d waypoints for %d places; %d arrived, %d edges closed",
             (int)ploy_graph_node_count(lab->graph), (int)lab->flooded, (int)lab->arrived,
             (int)lab->closed);
    ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(0.0f, 41.5f), text);
}

static void way_lab_describe(const void *state, ploy_describe *out) {
    const way_lab *lab = state;
    ploy_describe_vec2(out, "position", PLOY_STATE, lab->at.x, lab->at.y);
    ploy_describe_i64(out, "arrived", PLOY_STATE, lab->arrived);
    ploy_describe_i64(out, "shut", PLOY_STATE, lab->closed);
    ploy_describe_begin(out, "graph");
    ploy_graph_describe(lab->graph, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "planner");
    ploy_navigator_describe(lab->mind, out);
    ploy_describe_end(out);
}

static const ploy_command way_lab_commands[] = {
    {"click", "build a post", PLOY_VALUE_VEC2, false, "Pointer"},
};

extern const ploy_sim_type ploy_lab_waypoints; // in labs.c
const ploy_sim_type ploy_lab_waypoints = {
    .name = "waypoints",
    .title = "Waypoint network",
    .help = "A network that laid itself out around walls. Click to build posts: the edges they "
            "block are found and closed.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE,
    .dt = 1.0f / 60.0f,
    .view = {-1.0f, -1.0f, 61.0f, 43.0f},
    .fields = way_lab_get_fields,
    .commands = way_lab_commands,
    .command_count = sizeof way_lab_commands / sizeof way_lab_commands[0],
    .create = way_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = way_lab_step,
    .draw = way_lab_draw,
    .describe = way_lab_describe,
};
