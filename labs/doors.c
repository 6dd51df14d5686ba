// The lab of doors and lifts: three rooms, the first two joined by a door, the last reached by a lift. Paths
// go through both as if they were open: a door and a lift are edges of the path with a kind, and an agent that
// meets one gets a goal for it. For the door: to the nearest switch, back to the door, through. For the
// lift: to the button, to where one gets on, wait, ride.
//
//     move to (place)
//       follow path
//         traverse edge, negotiate door, take lift
//
// The door closes again after a while. Who comes too late finds the edge blocked, and plans again.
#include <math.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/base/math.h"
#include "ploy/decide/goal_moves.h"
#include "ploy/geom/rings.h"
#include "ploy/path/navmesh_query.h"

enum { DOORS_AGENTS = 2, DOORS_ROOMS = 3 };

typedef struct doors_def {
    uint32_t cookie;
    float speed;
    float open_time;
    float lift_speed;
} doors_def;

static const ploy_field doors_fields[] = {
    PLOY_FIELD_F32(doors_def, speed, 3, 0.5, 10, "m/s", "speed of the agents"),
    PLOY_FIELD_F32(doors_def, open_time, 5, 0.1, 60, "s", "time for which the door stays open"),
    PLOY_FIELD_F32(doors_def, lift_speed, 1.2, 0.1, 10, "m/s", "speed of the lift"),
};

static ploy_fields doors_get_fields(void) {
    return PLOY_FIELDS(doors_def, doors_fields);
}

static const ploy_vec2 doors_room_min[DOORS_ROOMS] = {{-15, -6}, {-5, -6}, {8, -6}};
static const ploy_vec2 doors_room_max[DOORS_ROOMS] = {{-6, 6}, {4, 6}, {15, 6}};
static const ploy_vec2 doors_door[2] = {{-6.5f, 0}, {-4.5f, 0}};     // each side
static const ploy_vec2 doors_switches[2] = {{-7.5f, 4}, {-3.5f, 4}}; // each side
static const ploy_vec2 doors_lift[2] = {{3.5f, 0}, {8.5f, 0}};       // below and above
static const ploy_vec2 doors_buttons[2] = {{2.5f, 3}, {9.5f, 3}};

struct doors_lab;

typedef struct doors_agent {
    struct doors_lab *lab;
    ploy_goals *goals;
    ploy_goal_mover mover;
    ploy_path *answer; // of its last request
    bool asked;
    bool riding;
    int32_t index;
    ploy_vec2 at, target;
    float speed;
    ploy_goal_steer how;
    int64_t arrivals, doors, rides;
} doors_agent;

typedef struct doors_lab {
    doors_def def;
    ploy_env env;
    ploy_navmesh *mesh;
    ploy_navmesh_query *query;
    ploy_path_service service;
    ploy_goal_edge edges[2]; // how doors and lifts are traversed
    doors_agent agents[DOORS_AGENTS];
    float open;     // s left
    float lift;     // 0 below to 1 above
    int32_t called; // 0 or 1: where the lift goes to
    int64_t opened;
} doors_lab;

static ploy_id doors_door_id(void) {
    return ploy_id_make(1, 1);
}

static ploy_id doors_lift_id(void) {
    return ploy_id_make(2, 1);
}

// ---- paths: asked and answered at once, fetched later ----

static ploy_result doors_request(void *user, const ploy_path_request *request,
                                 ploy_path_ticket *out) {
    doors_lab *lab = user;
    doors_agent *agent = &lab->agents[request->agent.id.index - 1];
    ploy_navmesh_place from, to;
    ploy_navmesh_answer answer;
    ploy_result result = ploy_navmesh_find_nearest(lab->query, request->from, -1, NULL, &from);
    if (result == PLOY_OK) {
        result = ploy_navmesh_find_nearest(lab->query, request->to, -1, NULL, &to);
    }
    if (result != PLOY_OK) return result;
    ploy_navmesh_request search = ploy_navmesh_request_make(from, to);
    result = ploy_navmesh_find_path(lab->query, &search, agent->answer, &answer);
    agent->asked = result == PLOY_OK;
    out->id = ploy_id_make(request->agent.id.index, 1);
    return result;
}

static ploy_result doors_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                              ploy_path_outcome *outcome) {
    doors_lab *lab = user;
    doors_agent *agent = &lab->agents[ticket.id.index - 1];
    if (!agent->asked) return PLOY_ERR_NOT_FOUND;
    agent->asked = false;
    *outcome = ploy_path_count(agent->answer) > 0 ? PLOY_PATH_FOUND : PLOY_PATH_NONE;
    return path != NULL ? ploy_path_copy(path, agent->answer) : PLOY_OK;
}

static ploy_result doors_cancel(void *user, ploy_path_ticket ticket) {
    doors_lab *lab = user;
    lab->agents[ticket.id.index - 1].asked = false;
    return PLOY_OK;
}

// ---- the mover ----

static ploy_vec2 doors_position(void *user) {
    return ((doors_agent *)user)->at;
}

static void doors_steer(void *user, ploy_goal_steer how, ploy_vec2 target, float speed) {
    doors_agent *agent = user;
    agent->how = how;
    agent->target = target;
    agent->speed = speed;
}

static bool doors_find_switch(void *user, ploy_id door, ploy_vec2 from, ploy_vec2 *out) {
    (void)user, (void)door;
    // The one in the same room: the other cannot be reached but through the door.
    *out = doors_switches[from.x < -5.5f ? 0 : 1];
    return true;
}

static int32_t doors_side(const doors_agent *agent) {
    return agent->at.x < 6.0f ? 0 : 1;
}

static void doors_use(void *user, ploy_id mechanism) {
    doors_agent *agent = user;
    (void)mechanism;
    bool carries = false;
    for (int32_t i = 0; i < DOORS_AGENTS; i++) carries = carries || agent->lab->agents[i].riding;
    if (!carries) agent->lab->called = doors_side(agent);
}

static bool doors_ready(void *user, ploy_id mechanism) {
    doors_agent *agent = user;
    doors_lab *lab = agent->lab;
    (void)mechanism;
    int32_t side = doors_side(agent);
    bool here = side == 0 ? lab->lift <= 0.0f : lab->lift >= 1.0f, taken = false;
    for (int32_t i = 0; i < DOORS_AGENTS; i++) taken = taken || lab->agents[i].riding;
    if (!here || taken) {
        if (!taken) lab->called = side;
        return false;
    }
    agent->riding = true;
    lab->called = 1 - side;
    return true;
}

static bool doors_there(void *user, ploy_id mechanism) {
    const doors_agent *agent = user;
    (void)mechanism;
    return !agent->riding;
}

// The goal of an edge with a lift on it.
static ploy_result doors_lift_activate(const ploy_goal_turn *turn) {
    const doors_agent *agent = ((const ploy_goal_mover *)turn->owner)->user;
    int32_t side = doors_side(agent);
    ploy_goal_mechanism_params params;
    memset(&params, 0, sizeof params);
    params.button = doors_buttons[side];
    params.embark = doors_lift[side];
    params.mechanism = doors_lift_id();
    params.patience = 60.0f;
    ploy_goals_clear(turn->goals, turn->context, turn->goal);
    return ploy_goals_add(turn->goals, turn->context, turn->goal, PLOY_GOAL_REAR,
                          ploy_goal_use_mechanism(), &params, sizeof params, NULL);
}

static const ploy_goal_type doors_take_lift = {
    .name = "take lift", .composite = true, .activate = doors_lift_activate, .replans = 3};

static ploy_result doors_make_agent(doors_lab *lab, int32_t i) {
    ploy_goal_edge *edges = lab->edges;
    doors_agent *agent = &lab->agents[i];
    edges[0].kind = "door";
    edges[0].type = ploy_goal_negotiate_door();
    edges[1].kind = "lift";
    edges[1].type = &doors_take_lift;
    agent->lab = lab;
    agent->index = i;
    agent->at = ploy_vec2_make(i == 0 ? -12.0f : 12.0f, i == 0 ? 2.0f : -3.0f);
    agent->target = agent->at;
    agent->mover = ploy_goal_mover_make(&lab->service, &lab->env);
    agent->mover.position = doors_position;
    agent->mover.steer = doors_steer;
    agent->mover.find_switch = doors_find_switch;
    agent->mover.use = doors_use;
    agent->mover.ready = doors_ready;
    agent->mover.there = doors_there;
    agent->mover.agent = ploy_agent_id_make((uint32_t)i + 1, 1);
    agent->mover.edges = edges;
    agent->mover.edge_count = 2;
    agent->mover.user = agent;
    ploy_path_def path = ploy_path_def_default();
    ploy_goals_def def = ploy_goals_def_default();
    def.capacity = 24;
    ploy_result result = ploy_path_create(&path, &lab->env, &agent->answer);
    if (result == PLOY_OK) {
        result = ploy_goals_create(&def, &agent->mover, &lab->env, &agent->goals);
    }
    return result;
}

static ploy_result doors_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                void **out) {
    doors_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    (void)key;
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    for (int32_t i = 0; i < DOORS_ROOMS && result == PLOY_OK; i++) {
        ploy_vec2 a = doors_room_min[i], b = doors_room_max[i];
        ploy_vec2 room[4] = {a, {b.x, a.y}, b, {a.x, b.y}};
        result = ploy_rings_add(rings, room, 4);
    }
    ploy_navmesh_link links[2] = {ploy_navmesh_link_make(ploy_vec3_from_vec2(doors_door[0], 0),
                                                         ploy_vec3_from_vec2(doors_door[1], 0)),
                                  ploy_navmesh_link_make(ploy_vec3_from_vec2(doors_lift[0], 0),
                                                         ploy_vec3_from_vec2(doors_lift[1], 0))};
    // What they cost is part of the path: the walk to the switch, the wait for the lift.
    links[0].kind = ploy_name_of("door");
    links[0].id = doors_door_id();
    links[0].cost = 8.0f;
    links[0].two_way = 1;
    links[1].kind = ploy_name_of("lift");
    links[1].id = doors_lift_id();
    links[1].cost = 15.0f;
    links[1].two_way = 1;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.4f;
    if (result == PLOY_OK) {
        result = ploy_navmesh_create_rings(&def, rings, PLOY_FILL_NON_ZERO, links, 2, env, NULL,
                                           &lab->mesh);
    }
    ploy_rings_destroy(rings);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(lab->mesh, env, &lab->query);
    ploy_path_service service = {doors_request, doors_poll, doors_cancel, NULL,
                                 NULL,          NULL,       NULL,         lab};
    lab->service = service;
    for (int32_t i = 0; i < DOORS_AGENTS && result == PLOY_OK; i++) {
        result = doors_make_agent(lab, i);
    }
    *out = lab;
    return result;
}

// ---- step ----

static void doors_walk(doors_lab *lab, doors_agent *agent, float dt) {
    if (agent->riding) {
        agent->at = ploy_vec2_lerp(doors_lift[0], doors_lift[1], lab->lift);
        bool up = lab->called == 1;
        if (up ? lab->lift >= 1.0f : lab->lift <= 0.0f) {
            agent->riding = false;
            agent->rides++;
            agent->at = doors_lift[up ? 1 : 0];
        }
        return;
    }
    if (agent->how == PLOY_GOAL_STEER_NONE) return;
    float speed = agent->speed > 0.0f ? agent->speed : lab->def.speed;
    ploy_vec2 way = ploy_vec2_sub(agent->target, agent->at);
    ploy_vec2 next = ploy_vec2_add(agent->at, ploy_vec2_limit(way, speed * dt));
    float wall = -5.5f; // with the door in it
    bool crosses = (agent->at.x - wall) * (next.x - wall) <= 0.0f;
    if (crosses && lab->open <= 0.0f) return; // it is shut
    agent->doors += crosses && agent->at.x != next.x;
    agent->at = next;
    for (int32_t i = 0; i < 2; i++) {
        if (ploy_vec2_distance(agent->at, doors_switches[i]) > 0.7f) continue;
        lab->opened += lab->open <= 0.0f;
        lab->open = lab->def.open_time; // touched
    }
}

// What an agent does in this tick, after its goals said where to go.
static void doors_explain(const doors_lab *lab, const doors_agent *agent, ploy_trace *trace) {
    bool ride = agent->riding, wait = !ride && agent->how == PLOY_GOAL_STEER_NONE;
    bool walk = !ride && !wait;
    bool shut = lab->open <= 0.0f;
    ploy_trace_begin(trace, agent->mover.agent, "move", "goals of the path's edges");
    ploy_trace_option(trace, "walk", walk ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      walk   ? "its goal steers it"
                      : ride ? "the lift carries it"
                             : "its goal does not steer it now");
    ploy_trace_option(trace, "wait", wait ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      wait ? "the lift is not here, or carries another" : "it need not wait");
    ploy_trace_option(trace, "ride", ride ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, (double)NAN,
                      ride ? "it is on the lift" : "it is not on the lift");
    ploy_trace_text(trace, "door", shut ? "shut" : "open");
    ploy_trace_f32(trace, "lift", lab->lift);
    ploy_trace_vec2(trace, "target", agent->target.x, agent->target.y);
    ploy_trace_end(trace);
}

static ploy_result doors_step(void *state, const ploy_sim_context *context) {
    doors_lab *lab = state;
    memcpy(&lab->def, context->params, sizeof lab->def);
    lab->open = ploy_maxf(lab->open - context->dt, 0.0f);
    float step =
        lab->def.lift_speed * context->dt / ploy_vec2_distance(doors_lift[0], doors_lift[1]);
    lab->lift = ploy_clampf(lab->lift + (lab->called == 1 ? step : -step), 0.0f, 1.0f);
    for (int32_t i = 0; i < DOORS_AGENTS; i++) {
        doors_agent *agent = &lab->agents[i];
        ploy_step_context own = lab_step_context(context, agent->mover.agent);
        agent->mover.speed = lab->def.speed;
        ploy_goal root = ploy_goals_root(agent->goals);
        ploy_result result = PLOY_OK;
        if (ploy_id_is_none(ploy_goals_first(agent->goals, root).id)) {
            // From the first room to the last and back.
            bool far = agent->at.x < -5.5f;
            ploy_goal_place_params params = {
                ploy_vec2_make(far ? 13.0f : -13.0f, agent->index == 0 ? 4.0f : -4.0f)};
            result = ploy_goals_add(agent->goals, &own, root, PLOY_GOAL_FRONT, ploy_goal_move_to(),
                                    &params, sizeof params, NULL);
        }
        ploy_goal_status status = PLOY_GOAL_ACTIVE;
        if (result == PLOY_OK) result = ploy_goals_step(agent->goals, &own, &status);
        if (result != PLOY_OK) return result;
        if (ploy_id_is_none(ploy_goals_first(agent->goals, root).id)) agent->arrivals++;
        doors_explain(lab, agent, context->trace);
        doors_walk(lab, agent, context->dt);
    }
    return PLOY_OK;
}

// ---- sight ----

static void doors_draw(const void *state, ploy_draw *out) {
    static const ploy_style styles[DOORS_AGENTS] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_C};
    const doors_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "first agent");
    ploy_draw_key(out, PLOY_STYLE_AGENT_C, "second agent");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "open door");
    ploy_draw_key(out, PLOY_STYLE_BAD, "shut door");
    ploy_draw_key(out, PLOY_STYLE_TARGET, "switches and buttons");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "lift");
    const ploy_agent_id nobody = ploy_agent_id_none();
    static const char *const names[DOORS_ROOMS] = {"hall", "store", "upper floor"};
    for (int32_t i = 0; i < DOORS_ROOMS; i++) {
        ploy_vec2 a = doors_room_min[i], b = doors_room_max[i];
        ploy_vec2 room[5] = {a, {b.x, a.y}, b, {a.x, b.y}, a};
        ploy_draw_polyline(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, nobody, room, 5);
        ploy_draw_text(out, nobody, ploy_vec2_make(a.x + 0.4f, b.y + 0.5f), names[i]);
    }
    ploy_vec2 frame[4] = {{-6, -0.8f}, {-5, -0.8f}, {-5, 0.8f}, {-6, 0.8f}};
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, lab->open > 0.0f ? PLOY_STYLE_GOOD : PLOY_STYLE_BAD,
                      nobody, frame, 4, 0.8f);
    ploy_draw_text(out, nobody, ploy_vec2_make(-6.6f, -2.0f), lab->open > 0.0f ? "open" : "shut");
    for (int32_t i = 0; i < 2; i++) {
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, doors_switches[i], 0.3f,
                       1.0f);
        ploy_draw_disc(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, nobody, doors_buttons[i], 0.3f,
                       1.0f);
    }
    ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_GHOST, nobody, doors_lift[0], doors_lift[1]);
    ploy_vec2 lift = ploy_vec2_lerp(doors_lift[0], doors_lift[1], lab->lift);
    ploy_vec2 platform[4] = {{lift.x - 0.8f, lift.y - 0.8f},
                             {lift.x + 0.8f, lift.y - 0.8f},
                             {lift.x + 0.8f, lift.y + 0.8f},
                             {lift.x - 0.8f, lift.y + 0.8f}};
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING, nobody, platform, 4, 0.5f);
    ploy_draw_text(out, nobody, ploy_vec2_make(5.2f, -2.0f), "lift");
    for (int32_t i = 0; i < DOORS_AGENTS; i++) {
        const doors_agent *agent = &lab->agents[i];
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, agent->mover.agent, agent->at,
                       agent->target);
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, styles[i], agent->mover.agent, agent->at, 0.4f,
                       1.0f);
        ploy_goals_draw(agent->goals, agent->mover.agent,
                        ploy_vec2_make(-14.5f + 15.0f * (float)i, -7.5f), 0.8f, out);
    }
}

static void doors_describe(const void *state, ploy_describe *out) {
    const doors_lab *lab = state;
    ploy_describe_f32(out, "open", PLOY_STATE, lab->open);
    ploy_describe_f32(out, "lift", PLOY_STATE, lab->lift);
    ploy_describe_i64(out, "called", PLOY_STATE, lab->called);
    ploy_describe_i64(out, "opened", PLOY_STATE, lab->opened);
    for (int32_t i = 0; i < DOORS_AGENTS; i++) {
        const doors_agent *agent = &lab->agents[i];
        ploy_describe_begin_agent(out, i == 0 ? "first" : "second", agent->mover.agent);
        ploy_describe_vec2(out, "at", PLOY_STATE, agent->at.x, agent->at.y);
        ploy_describe_vec2(out, "target", PLOY_STATE, agent->target.x, agent->target.y);
        ploy_describe_bool(out, "riding", PLOY_STATE, agent->riding);
        ploy_describe_i64(out, "arrivals", PLOY_STATE, agent->arrivals);
        ploy_describe_i64(out, "doors", PLOY_STATE, agent->doors);
        ploy_describe_i64(out, "rides", PLOY_STATE, agent->rides);
        ploy_describe_begin(out, "goals");
        ploy_goals_describe(agent->goals, out);
        ploy_describe_end(out);
        ploy_describe_end(out);
    }
}

extern const ploy_sim_type ploy_lab_doors; // in labs.c
const ploy_sim_type ploy_lab_doors = {
    .name = "doors",
    .title = "Doors and lifts",
    .help =
        "Two agents go from the hall to the upper floor and back. The door and the lift are edges "
        "of their paths, and each becomes a goal: go to the switch, come back, go through; call "
        "the lift, wait, ride. The goals of both are listed below.",
    .version = 1,
    .dt = 1.0f / 60.0f,
    .view = {-16.0f, -15.0f, 16.0f, 8.0f},
    .fields = doors_get_fields,
    .create = doors_create,
    .step = doors_step,
    .draw = doors_draw,
    .describe = doors_describe,
};
