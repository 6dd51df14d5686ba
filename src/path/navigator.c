// A character's planner; see the header.
//
// Invariants, from create to destroy:
//   (1) the state is FOLLOWING exactly if 0 <= edge < the path's edges;
//   (2) a ticket is none unless the service was asked and has not answered.
#include "ploy/path/navigator.h"

#include <math.h>

#include "path/path_internal.h"
#include "ploy/base/math.h"

// The rest of the path takes this long at least, so that the body slows down at its end.
#define NAVIGATOR_SLOW_S 0.3f

static const ploy_field planner_fields[] = {
    PLOY_FIELD_F32(ploy_navigator_def, max_speed, 2, 1e-3f, 1e6f, "m/s", "of the body"),
    PLOY_FIELD_F32(ploy_navigator_def, arrive, 0.25, 0, 1e6f, "m", "so near is there"),
    PLOY_FIELD_F32(ploy_navigator_def, margin, 2, 0, 1e6f, "s", "beyond an edge's time"),
    PLOY_FIELD_F32(ploy_navigator_def, stall, 3, 0, 1e6f, "s", "without coming nearer"),
    PLOY_FIELD_F32(ploy_navigator_def, replan_wait, 0.5, 0, 1e6f, "s", "between requests"),
    PLOY_FIELD_F32(ploy_navigator_def, goal_moved, 1, 0, 1e9f, "m", "before asking again"),
    PLOY_FIELD_I32(ploy_navigator_def, tries, 3, 1, 1000000, "", "in a row without a path"),
};

struct ploy_navigator {
    ploy_env env;
    ploy_navigator_def def;
    ploy_path *path;
    ploy_path_request request;
    ploy_path_ticket ticket;
    ploy_planners *planners; // of requests with options; NULL: the service is asked
    ploy_path_options options;
    ploy_vec3 goal, asked_goal; // as it is, and as it was requested
    ploy_navigator_state state;
    ploy_navigator_stats stats;
    int32_t edge, tries;
    bool again, partial;
    bool paced;    // speed is set
    float speed;   // m/s that the body was asked for last
    uint32_t trip; // number of the present one
    float on_edge, nearest, stalled, waited;
};

ploy_fields ploy_navigator_fields(void) {
    return PLOY_FIELDS(ploy_navigator_def, planner_fields);
}

ploy_navigator_def ploy_navigator_def_default(void) {
    ploy_navigator_def def;
    ploy_fields_default(ploy_navigator_fields(), &def);
    return def;
}

const char *ployi_navigator_state_text(ploy_navigator_state state) {
    static const char *const texts[] = {"idle", "waiting", "following", "arrived", "failed"};
    return state >= PLOY_NAVIGATOR_IDLE && state <= PLOY_NAVIGATOR_FAILED ? texts[state] : "?";
}

ploy_result ploy_navigator_create(const ploy_navigator_def *def, const ploy_env *env,
                                  ploy_navigator **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navigator_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_navigator *planner = ploy_env_alloc_zero(env, sizeof *planner);
    if (planner == NULL) return PLOY_ERR_MEMORY;
    planner->env = *env;
    planner->def = *def;
    planner->edge = -1;
    ploy_path_def path = ploy_path_def_default();
    result = ploy_path_create(&path, env, &planner->path);
    if (result != PLOY_OK) {
        ploy_navigator_destroy(planner);
        return result;
    }
    *out = planner;
    return PLOY_OK;
}

void ploy_navigator_destroy(ploy_navigator *planner) {
    if (planner == NULL) return;
    ploy_env env = planner->env;
    ploy_path_destroy(planner->path);
    ploy_env_free(&env, planner, sizeof *planner);
}

static ploy_vec3 planner_point(const ploy_navigator *planner, int32_t index) {
    return ploy_vec3_from_vec2(ploy_path_point(planner->path, index),
                               ploy_path_height(planner->path, index));
}

static void planner_drop(ploy_navigator *planner, const ploy_path_service *service) {
    if (!ploy_id_is_none(planner->ticket.id) && service != NULL) {
        (void)ploy_path_service_cancel(service, planner->ticket);
    }
    planner->ticket.id = ploy_id_none(); // keeps (2)
}

// Begins an edge; behind the last one lies the end of the path.
static void planner_enter(ploy_navigator *planner, int32_t edge) {
    planner->edge = edge;
    planner->on_edge = planner->stalled = 0.0f;
    planner->nearest = INFINITY;
    if (edge + 1 < ploy_path_count(planner->path)) {
        planner->state = PLOY_NAVIGATOR_FOLLOWING;
        return;
    }
    planner->edge = -1;
    planner->state = PLOY_NAVIGATOR_ARRIVED;
}

static ploy_result planner_ask(ploy_navigator *planner, const ploy_path_service *service) {
    planner_drop(planner, service);
    bool item = planner->planners != NULL && planner->options.is_goal != NULL;
    if (item) planner->goal = planner->request.from; // where it is gets known with the path
    planner->request.to = planner->goal;
    ploy_result result =
        planner->planners != NULL
            ? ploy_planners_request(planner->planners, &planner->request, &planner->options,
                                    &planner->ticket)
            : ploy_path_service_request(service, &planner->request, &planner->ticket);
    planner->waited = 0.0f;
    if (result != PLOY_OK) return result;
    planner->asked_goal = planner->goal;
    planner->again = false;
    planner->stats.requests++;
    return PLOY_OK;
}

static ploy_result planner_start(ploy_navigator *planner, const ploy_path_service *service,
                                 const ploy_path_request *request) {
    planner->request = *request;
    planner->goal = request->to;
    planner->tries = 0;
    planner->trip++;
    ploy_result result = planner_ask(planner, service);
    if (result == PLOY_OK) planner->state = PLOY_NAVIGATOR_WAITING;
    return result;
}

ploy_result ploy_navigator_begin(ploy_navigator *planner, const ploy_path_service *service,
                                 const ploy_path_request *request) {
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    ploy_navigator_cancel(planner, service);
    planner->planners = NULL;
    return planner_start(planner, service, request);
}

ploy_result ploy_navigator_begin_options(ploy_navigator *planner, ploy_planners *planners,
                                         const ploy_path_request *request,
                                         const ploy_path_options *options) {
    ploy_result result = ploy_path_request_check(request);
    if (result != PLOY_OK) return result;
    if (planners == NULL || options == NULL) return PLOY_ERR_ARGUMENT;
    ploy_path_service service = ploy_planners_service(planners);
    ploy_navigator_cancel(planner, &service);
    planner->planners = planners;
    planner->options = *options;
    return planner_start(planner, &service, request);
}

ploy_result ploy_navigator_follow(ploy_navigator *planner, const ploy_path_service *service,
                                  const ploy_path *path) {
    if (path == NULL || ploy_path_count(path) == 0) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_path_copy(planner->path, path);
    if (result != PLOY_OK) return result;
    planner_drop(planner, service);
    planner->planners = NULL;
    int32_t last = ploy_path_count(path) - 1;
    planner->goal = ploy_vec3_from_vec2(ploy_path_point(path, last), ploy_path_height(path, last));
    planner->asked_goal = planner->goal;
    planner->again = planner->partial = false;
    planner->tries = 0;
    planner->trip++;
    planner_enter(planner, 0);
    return PLOY_OK;
}

uint32_t ploy_navigator_trip(const ploy_navigator *planner) {
    return planner->trip;
}

bool ploy_navigator_cancel_trip(ploy_navigator *planner, const ploy_path_service *service,
                                uint32_t trip) {
    if (trip == 0 || trip != planner->trip) return false;
    ploy_navigator_cancel(planner, service);
    return true;
}

void ploy_navigator_cancel(ploy_navigator *planner, const ploy_path_service *service) {
    planner_drop(planner, service);
    ploy_path_clear(planner->path);
    planner->state = PLOY_NAVIGATOR_IDLE;
    planner->edge = -1;
    planner->again = planner->partial = false;
}

static bool planner_is_busy(const ploy_navigator *planner) {
    return planner->state == PLOY_NAVIGATOR_WAITING || planner->state == PLOY_NAVIGATOR_FOLLOWING;
}

void ploy_navigator_set_goal(ploy_navigator *planner, ploy_vec3 to) {
    if (!ploy_vec3_is_finite(to)) return;
    if (planner->planners != NULL && planner->options.is_goal != NULL) return; // it has none
    planner->goal = to;
    if (ploy_vec3_distance(to, planner->asked_goal) <= planner->def.goal_moved) return;
    if (planner->state == PLOY_NAVIGATOR_ARRIVED || planner->state == PLOY_NAVIGATOR_FAILED) {
        planner->state = PLOY_NAVIGATOR_WAITING; // it is on its feet again
    }
    if (!planner_is_busy(planner) || planner->again) return;
    planner->again = true;
    planner->stats.moved++;
}

bool ploy_navigator_check(ploy_navigator *planner,
                          bool (*clear)(void *user, ploy_vec3 from, ploy_vec3 to), void *user) {
    if (planner->state != PLOY_NAVIGATOR_FOLLOWING) return true;
    bool is_free = clear != NULL;
    for (int32_t i = planner->edge; is_free && i + 1 < ploy_path_count(planner->path); i++) {
        is_free = clear(user, planner_point(planner, i), planner_point(planner, i + 1));
    }
    if (is_free || planner->again) return is_free;
    planner->again = true;
    planner->stats.blocked++;
    return false;
}

static ploy_result planner_poll(ploy_navigator *planner, const ploy_path_service *service) {
    if (ploy_id_is_none(planner->ticket.id)) return PLOY_OK;
    ploy_path_outcome outcome = PLOY_PATH_OPEN;
    ploy_result result = ploy_path_service_poll(service, planner->ticket, planner->path, &outcome);
    if (result == PLOY_ERR_MEMORY) { // the path is empty, the ticket still good
        planner->edge = -1;
        planner->state = PLOY_NAVIGATOR_WAITING;
    }
    if (result != PLOY_OK || outcome == PLOY_PATH_OPEN) return result;
    planner->ticket.id = ploy_id_none();
    planner->partial = outcome == PLOY_PATH_PARTIAL;
    if (outcome != PLOY_PATH_NONE) {
        int32_t last = ploy_path_count(planner->path) - 1;
        bool item = planner->planners != NULL && planner->options.is_goal != NULL;
        if (item) planner->goal = planner->asked_goal = planner_point(planner, last);
        planner_enter(planner, 0);
        return PLOY_OK;
    }
    planner->edge = -1;
    ploy_path_clear(planner->path);
    bool last = ++planner->tries >= planner->def.tries;
    planner->state = last ? PLOY_NAVIGATOR_FAILED : PLOY_NAVIGATOR_WAITING;
    planner->again = !last;
    return PLOY_OK;
}

// Follows the present edge; stuck if it takes too long or does not come nearer.
static void planner_advance(ploy_navigator *planner, ploy_vec3 position, float dt) {
    while (planner->state == PLOY_NAVIGATOR_FOLLOWING) {
        ploy_vec3 end = planner_point(planner, planner->edge + 1);
        float away = ploy_vec3_distance(position, end);
        if (away > planner->def.arrive) break;
        planner->tries = 0;
        planner_enter(planner, planner->edge + 1);
    }
    if (planner->state != PLOY_NAVIGATOR_FOLLOWING) return;
    ploy_vec3 start = planner_point(planner, planner->edge);
    ploy_vec3 end = planner_point(planner, planner->edge + 1);
    float away = ploy_vec3_distance(position, end);
    const ploy_path_edge *edge = ploy_path_edge_from(planner->path, planner->edge);
    float speed = planner->paced ? planner->speed : planner->def.max_speed;
    if (edge->speed_limit > 0.0f) speed = ploy_minf(speed, edge->speed_limit);
    if (speed <= 0.0f) return; // it stands still on purpose
    // Who begins far beside the edge has further to go than it is long.
    if (planner->on_edge == 0.0f) planner->nearest = away;
    float expected = ploy_maxf(ploy_vec3_distance(start, end), planner->nearest) / speed;
    planner->on_edge += dt;
    bool nearer = away < planner->nearest - 1e-3f;
    if (nearer) planner->nearest = away;
    planner->stalled = nearer ? 0.0f : planner->stalled + dt;
    bool slow = planner->on_edge > expected + planner->def.margin;
    bool stalled = planner->stalled > planner->def.stall;
    if (planner->again || !(slow || stalled)) return;
    planner->stats.stuck_slow += slow;
    planner->stats.stuck_stall += !slow;
    planner->on_edge = planner->stalled = 0.0f;
    planner->again = true;
    if (++planner->tries >= planner->def.tries) {
        planner->state = PLOY_NAVIGATOR_FAILED;
        planner->edge = -1;
        planner->again = false;
    }
}

ploy_result ploy_navigator_step(ploy_navigator *planner, const ploy_path_service *service,
                                ploy_vec3 position, float dt) {
    if (!ploy_vec3_is_finite(position) || !ploy_in_range(dt, 0.0f, 1e6f)) return PLOY_ERR_ARGUMENT;
    planner->waited += dt;
    // The path will start where the agent is by then, where the service can do that.
    if (!ploy_id_is_none(planner->ticket.id)) {
        (void)ploy_path_service_move(service, planner->ticket, position);
    }
    ploy_result result = planner_poll(planner, service);
    if (result != PLOY_OK) return result;
    planner_advance(planner, position, dt);
    if (!planner->again || !planner_is_busy(planner)) return PLOY_OK;
    if (planner->waited < planner->def.replan_wait) return PLOY_OK;
    planner->request.from = position;
    result = planner_ask(planner, service);
    return result == PLOY_ERR_CAPACITY ? PLOY_OK : result;
}

ploy_navigator_state ploy_navigator_state_of(const ploy_navigator *planner) {
    return planner->state;
}

ploy_vec3 ploy_navigator_target(const ploy_navigator *planner) {
    if (planner->edge < 0) return planner->goal;
    return planner_point(planner, planner->edge + 1);
}

ploy_vec2 ploy_navigator_wanted(ploy_navigator *planner, ploy_vec2 position, float speed) {
    ploy_vec2 none = {0.0f, 0.0f};
    if (!ploy_vec2_is_finite(position) || !ploy_in_range(speed, 0.0f, 1e6f)) return none;
    planner->paced = true;
    planner->speed = speed;
    if (planner->state != PLOY_NAVIGATOR_FOLLOWING) return none;
    const ploy_path_edge *edge = ploy_path_edge_from(planner->path, planner->edge);
    if (edge->speed_limit > 0.0f) speed = ploy_minf(speed, edge->speed_limit);
    ploy_vec2 end = ploy_path_point(planner->path, planner->edge + 1);
    ploy_vec2 toward = ploy_vec2_sub(end, position);
    float away = ploy_vec2_length(toward);
    if (planner->edge + 2 == ploy_path_count(planner->path)) {
        speed = ploy_minf(speed, away / NAVIGATOR_SLOW_S);
    }
    return away > 0.0f ? ploy_vec2_scale(toward, speed / away) : none;
}

const ploy_path_edge *ploy_navigator_edge(const ploy_navigator *planner) {
    return planner->edge < 0 ? NULL : ploy_path_edge_from(planner->path, planner->edge);
}

int32_t ploy_navigator_edge_index(const ploy_navigator *planner) {
    return planner->edge;
}

const ploy_path *ploy_navigator_path(const ploy_navigator *planner) {
    return planner->path;
}

ploy_navigator_stats ployi_navigator_stats_of(const ploy_navigator *planner) {
    return planner->stats;
}

static const char *planner_state_text(int32_t state) {
    return ployi_navigator_state_text((ploy_navigator_state)state);
}

static void planner_visit_stats(ploy_visit *v, ploy_navigator_stats *stats) {
    ploy_visit_struct(v, "stats", stats, sizeof *stats);
    ploy_visit_i32_in(v, "requests", PLOY_STATE, &stats->requests, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "edges too slow", PLOY_NOTE, &stats->stuck_slow, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "edges stalled", PLOY_NOTE, &stats->stuck_stall, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "goals moved", PLOY_NOTE, &stats->moved, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "paths blocked", PLOY_NOTE, &stats->blocked, 0, INT32_MAX - 1);
}

void ploy_navigator_visit(ploy_visit *v, void *object) {
    ploy_navigator *planner = object;
    ploy_visit_object(v, "navigator", planner, sizeof *planner);
    PLOY_VISIT_SCRATCH(v, planner->env);
    PLOY_VISIT_SCRATCH(v, planner->def);
    PLOY_VISIT_SCRATCH(v, planner->path);
    PLOY_VISIT_SCRATCH(v, planner->planners);
    PLOY_VISIT_SCRATCH(v, planner->options);
    PLOY_VISIT_ENUM(v, "state", PLOY_STATE, planner->state, planner_state_text,
                    PLOY_NAVIGATOR_FAILED + 1);
    ploy_visit_id(v, "ticket", PLOY_STATE, &planner->ticket.id);
    ploy_vec3 *goal = &planner->goal, *asked = &planner->asked_goal;
    ploy_visit_vec3(v, "goal", PLOY_STATE, &goal->x, &goal->y, &goal->z);
    ploy_visit_i32_in(v, "edge", PLOY_STATE, &planner->edge, -1, INT32_MAX - 2);
    ploy_visit_f32_in(v, "on edge", PLOY_STATE, &planner->on_edge, 0.0f, INFINITY);
    ploy_visit_f32_in(v, "stalled", PLOY_STATE, &planner->stalled, 0.0f, INFINITY);
    ploy_visit_f32_in(v, "waited", PLOY_STATE, &planner->waited, 0.0f, INFINITY);
    ploy_visit_bool(v, "again", PLOY_STATE, &planner->again);
    ploy_visit_bool(v, "partial", PLOY_STATE, &planner->partial);
    ploy_visit_i32_in(v, "tries", PLOY_STATE, &planner->tries, 0, INT32_MAX - 1);
    planner_visit_stats(v, &planner->stats);
    ploy_visit_begin(v, "path", PLOY_STATE);
    ploy_path_visit(v, planner->path);
    ploy_visit_end(v);
    ploy_visit_vec3(v, "goal requested", PLOY_STATE, &asked->x, &asked->y, &asked->z);
    ploy_visit_f32_in(v, "nearest", PLOY_STATE, &planner->nearest, 0.0f, INFINITY);
    ploy_visit_bool(v, "paced", PLOY_NOTE, &planner->paced);
    ploy_visit_f32_in(v, "speed", PLOY_NOTE, &planner->speed, 0.0f, 1e6f);
    ploy_visit_u32(v, "trip", PLOY_NOTE, &planner->trip);
    ploy_visit_begin(v, "request", PLOY_STATE);
    ployi_path_request_visit(v, PLOY_STATE, &planner->request);
    ploy_visit_end(v);
    // Options are code: begin with the same ones before a load.
    ploy_value options = ploy_value_bool(planner->planners != NULL);
    ploy_visit_same(v, "options", PLOY_SAVED, &options);
    bool on_path = planner->edge >= 0 && planner->edge + 1 < ploy_path_count(planner->path);
    bool none = planner->edge == -1;
    ploy_visit_check(v, planner->state == PLOY_NAVIGATOR_FOLLOWING ? on_path : none,
                     "the edge does not fit the state", NULL); // keeps (1)
}

// One row for each thing it can do, one column for each state: why it is, or is not, done.
void ploy_navigator_explain(const ploy_navigator *planner, ploy_agent_id agent, ploy_trace *trace) {
    static const struct {
        const char *name;
        ploy_navigator_state when;
        const char *why[PLOY_NAVIGATOR_FAILED + 1];
    } rows[] = {
        {"stay",
         PLOY_NAVIGATOR_IDLE,
         {"it has no goal", "it has a goal", "it has a goal", "it had a goal", "it had a goal"}},
        {"wait for a path",
         PLOY_NAVIGATOR_WAITING,
         {"none is requested", "the service has not answered yet", "there is a path to follow",
          "no path is needed any more", "there is no path to wait for"}},
        {"follow the path",
         PLOY_NAVIGATOR_FOLLOWING,
         {"there is no path", "there is no path yet", "it has not reached its end",
          "its end is reached", "there is no path"}},
        {"be there",
         PLOY_NAVIGATOR_ARRIVED,
         {"it has no goal", "the goal is not reached", "the goal is not reached",
          "the end of the path is reached", "the goal is not reached"}},
        {"give up",
         PLOY_NAVIGATOR_FAILED,
         {"it has not tried", "the answer may be a path", "the path is not blocked",
          "the goal is reached", "as many requests in a row as are allowed failed"}},
    };
    if (trace == NULL) return;
    ploy_trace_begin(trace, agent, "path", "navigator");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool now = rows[i].when == planner->state;
        ploy_trace_option(trace, rows[i].name, now ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                          (double)NAN, rows[i].why[planner->state]);
    }
    ploy_trace_vec2(trace, "goal", planner->goal.x, planner->goal.y);
    ploy_trace_i64(trace, "edge", planner->edge);
    ploy_trace_i64(trace, "edges", ploy_path_count(planner->path) - 1);
    ploy_trace_i64(trace, "requests", planner->stats.requests);
    ploy_trace_end(trace);
}

void ploy_navigator_describe(const ploy_navigator *planner, ploy_describe *out) {
    ploy_visit_describe(ploy_navigator_visit, planner, NULL, out);
}

void ploy_navigator_memory(const ploy_navigator *planner, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_navigator_visit, planner, fn, user);
}

#undef NAVIGATOR_SLOW_S
