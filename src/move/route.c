// The decomposer over a path service; see the header of the pipeline.
//
// Invariants, from create to destroy:
//   (1) path holds the last route that was found, for the goal `planned`, or nothing;
//   (2) ticket is the one request under way, or none.
#include "move/pipeline_internal.h"

#include "move/move_internal.h"

static const ploy_field route_fields[] = {
    PLOY_FIELD_F32(ploy_route_def, reach, 0.5, 1e-3, 1e6, "m",
                   "distance to a point that counts as having been there"),
    PLOY_FIELD_F32(ploy_route_def, replan, 1, 0, 1e6, "m",
                   "how far the goal may move before another route is asked for"),
    PLOY_FIELD_F32(ploy_route_def, radius, 0.4, 0, 1e6, "m", "radius of the body"),
};

struct ploy_route {
    ploy_env env;
    ploy_route_def def;
    ploy_path_service service;
    ploy_path *path;
    ploy_path_ticket ticket;
    ploy_vec2 asked;   // goal of the request under way
    ploy_vec2 planned; // goal of the route
    int32_t next;      // point of the route that is headed for
    bool has_plan;     // planned is set: by a route, or by the answer that there is none
    bool blocked;
};

ploy_fields ploy_route_fields(void) {
    return PLOY_FIELDS(ploy_route_def, route_fields);
}

ploy_route_def ploy_route_def_default(void) {
    ploy_route_def def;
    ploy_fields_default(ploy_route_fields(), &def);
    return def;
}

ploy_result ploy_route_create(const ploy_route_def *def, const ploy_path_service *service,
                              const ploy_env *env, ploy_route **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_route_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (service == NULL) return PLOY_ERR_ARGUMENT;
    ploy_route *route = ploy_env_alloc_zero(env, sizeof *route);
    if (route == NULL) return PLOY_ERR_MEMORY;
    route->env = *env;
    route->def = *def;
    route->service = *service;
    ploy_path_def path_def = ploy_path_def_default();
    result = ploy_path_create(&path_def, env, &route->path);
    if (result != PLOY_OK) {
        ploy_env_free(env, route, sizeof *route);
        return result;
    }
    *out = route;
    return PLOY_OK;
}

static void route_cancel(ploy_route *route) {
    if (!ploy_id_is_none(route->ticket.id)) {
        ploy_path_service_cancel(&route->service, route->ticket);
        route->ticket.id = ploy_id_none();
    }
}

void ploy_route_destroy(ploy_route *route) {
    if (route == NULL) return;
    ploy_env env = route->env;
    route_cancel(route);
    ploy_path_destroy(route->path);
    ploy_env_free(&env, route, sizeof *route);
}

static void route_poll(ploy_route *route, ploy_vec2 position) {
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    if (ploy_id_is_none(route->ticket.id)) return;
    // The path will start where the agent is by then, where the service can do that.
    (void)ploy_path_service_move(&route->service, route->ticket,
                                 ploy_vec3_from_vec2(position, 0.0f));
    ploy_result result =
        ploy_path_service_poll(&route->service, route->ticket, route->path, &outcome);
    // Short of memory the path is empty and the ticket still good: asked again next time.
    if (result == PLOY_ERR_MEMORY || (result == PLOY_OK && outcome == PLOY_PATH_OPEN)) return;
    route->ticket.id = ploy_id_none(); // keeps (2)
    if (result != PLOY_OK) return;
    route->planned = route->asked;
    route->has_plan = true;
    route->blocked = outcome == PLOY_PATH_NONE;
    if (route->blocked) ploy_path_clear(route->path);
    // The agent went on while the route was looked for: follow it from the nearest place on, not
    // from where the request was made.
    ploy_polyline line = ploy_path_polyline(route->path);
    ploy_polyline_nearest nearest = ploy_polyline_find(&line, position);
    route->next = ploy_mini(nearest.edge + 1, ploy_maxi(line.count - 1, 0));
}

static void route_ask(ploy_route *route, const ploy_steering_context *context, ploy_vec2 position,
                      ploy_vec2 goal) {
    ploy_path_request request = ploy_path_request_make(
        context->id, ploy_vec3_from_vec2(position, 0.0f), ploy_vec3_from_vec2(goal, 0.0f));
    request.radius = route->def.radius;
    route_cancel(route);
    if (ploy_path_service_request(&route->service, &request, &route->ticket) != PLOY_OK) {
        route->ticket.id = ploy_id_none();
        return;
    }
    route->asked = goal;
}

static ploy_steering_goal route_decompose(void *user, const ploy_steering_context *context,
                                          ploy_steering_goal goal) {
    ploy_route *route = user;
    ploy_vec2 position = ploy_vec2_from_vec3(ployi_context_position(context));
    ploy_vec2 wanted = ploy_vec2_from_vec3(goal.position);
    if ((goal.has & PLOY_GOAL_POSITION) == 0) return goal;
    route_poll(route, position);
    bool open = !ploy_id_is_none(route->ticket.id);
    bool stale = !route->has_plan || ploy_vec2_distance(route->planned, wanted) > route->def.replan;
    // While a request is open it is left alone: a goal that moves would cancel each before its answer.
    if (stale && !open) route_ask(route, context, position, wanted);
    // Until the answer is there the old route serves, or the goal itself.
    int32_t count = ploy_path_count(route->path);
    while (route->next + 1 < count &&
           ploy_vec2_distance(position, ploy_path_point(route->path, route->next)) <=
               route->def.reach) {
        route->next++;
    }
    if (route->next + 1 >= count) return goal; // the last stretch, or no route
    goal.position = ploy_vec3_from_vec2(ploy_path_point(route->path, route->next), 0.0f);
    goal.has &= ~PLOY_GOAL_VELOCITY; // that is for the end
    goal.has |= PLOY_GOAL_PASS;
    return goal;
}

ploy_decomposer ploy_route_decomposer(ploy_route *route) {
    ploy_decomposer out = {"route", route_decompose, route};
    return out;
}

bool ployi_route_is_blocked(const ploy_route *route) {
    return route->blocked;
}

void ploy_route_visit(ploy_visit *v, void *object) {
    ploy_route *route = object;
    ploy_visit_object(v, "route", route, sizeof *route);
    PLOY_VISIT_SCRATCH(v, route->env);
    PLOY_VISIT_SCRATCH(v, route->def);
    PLOY_VISIT_SCRATCH(v, route->service);
    PLOY_VISIT_SCRATCH(v, route->path);
    ploy_visit_id(v, "ticket", PLOY_STATE, &route->ticket.id);
    ploy_visit_vec2(v, "asked", PLOY_STATE, &route->asked.x, &route->asked.y);
    ploy_visit_vec2(v, "planned", PLOY_STATE, &route->planned.x, &route->planned.y);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &route->next, 0, INT32_MAX - 1);
    ploy_visit_bool(v, "has plan", PLOY_STATE, &route->has_plan);
    ploy_visit_bool(v, "blocked", PLOY_STATE, &route->blocked);
    ploy_visit_begin(v, "path", PLOY_STATE);
    ploy_path_visit(v, route->path);
    ploy_visit_end(v);
}

void ploy_route_describe(const ploy_route *route, ploy_describe *out) {
    ploy_visit_describe(ploy_route_visit, route, NULL, out);
}

void ploy_route_draw(const ploy_route *route, ploy_agent_id owner, ploy_draw *out) {
    ploy_path_draw(route->path, owner, out);
}

void ploy_route_memory(const ploy_route *route, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_route_visit, route, fn, user);
}
