// The decomposer over a path service: COM-12, and the scenes of COM-04 that need a route.
#include "move/move_internal.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pipeline.h"
#include "tests/draw_count.h"
#include "tests/move/scene.h"
#include "tests/test.h"

// A service that knows one detour, and takes its time.
typedef struct detour {
    ploy_vec2 corners[4];
    int32_t corner_count;
    int32_t wait; // polls until the answer is there
    int32_t left, requests;
    bool none;
    uint32_t live; // generation of the ticket that is out
    ploy_vec2 from, to;
} detour;

static ploy_result detour_request(void *user, const ploy_path_request *request,
                                  ploy_path_ticket *out) {
    detour *it = user;
    it->left = it->wait;
    it->from = ploy_vec2_from_vec3(request->from);
    it->to = ploy_vec2_from_vec3(request->to);
    it->live = (uint32_t)++it->requests;
    out->id = ploy_id_make(0, it->live);
    return PLOY_OK;
}

static ploy_result detour_poll(void *user, ploy_path_ticket ticket, ploy_path *path,
                               ploy_path_outcome *outcome) {
    detour *it = user;
    if (ticket.id.generation != it->live) return PLOY_ERR_NOT_FOUND;
    *outcome = PLOY_PATH_OPEN;
    if (it->left-- > 0) return PLOY_OK;
    it->live = 0;
    *outcome = it->none ? PLOY_PATH_NONE : PLOY_PATH_FOUND;
    ploy_path_clear(path);
    ploy_result result = ploy_path_append(path, it->from, 0.0f, NULL);
    for (int32_t i = 0; i < it->corner_count && result == PLOY_OK; i++) {
        result = ploy_path_append(path, it->corners[i], 0.0f, NULL);
    }
    return result == PLOY_OK ? ploy_path_append(path, it->to, 0.0f, NULL) : result;
}

static ploy_result detour_cancel(void *user, ploy_path_ticket ticket) {
    detour *it = user;
    if (ticket.id.generation != it->live) return PLOY_ERR_NOT_FOUND;
    it->live = 0;
    return PLOY_OK;
}

static ploy_result detour_step(void *user, ploy_budget *budget) {
    (void)user, (void)budget;
    return PLOY_OK;
}

static ploy_path_service service_of(detour *it) {
    ploy_path_service out = {detour_request, detour_poll, detour_cancel, detour_step,
                             NULL,           NULL,        NULL,          it};
    return out;
}

static ploy_steering_context context_at(float x, float y) {
    return scene_context(ploy_kinematic_make(ploy_vec2_make(x, y), 0.0f));
}

static ploy_steering_goal goal_at(float x, float y) {
    return ploy_steering_goal_at(ploy_vec2_make(x, y));
}

TEST(the_next_point_of_the_route_is_the_goal) {
    detour it = {{{0, 5}, {10, 5}}, 2, 2, 0, 0, false, 0, {0, 0}, {0, 0}};
    ploy_path_service service = service_of(&it);
    ploy_env env = ploy_env_default();
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    CHECK_OK(ploy_route_create(&def, &service, &env, &route));
    ploy_decomposer decomposer = ploy_route_decomposer(route);
    ploy_steering_context context = context_at(0, 0);
    ploy_steering_goal far_goal = goal_at(10, 0);
    // While it is looked for: the goal itself.
    for (int i = 0; i < 3; i++) {
        ploy_steering_goal goal = decomposer.decompose(route, &context, far_goal);
        CHECK_SAME(goal.position.x, 10.0f);
        CHECK_SAME(goal.position.y, 0.0f);
    }
    static const struct {
        float x, y;
        double want_x, want_y;
    } rows[] = {{0, 0, 0, 5}, {0, 4.8f, 10, 5}, {9.8f, 5, 10, 0}, {10, 2, 10, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        context = context_at(rows[i].x, rows[i].y);
        ploy_steering_goal goal = decomposer.decompose(route, &context, far_goal);
        CHECK_NEAR(goal.position.x, rows[i].want_x, 1e-6);
        CHECK_NEAR(goal.position.y, rows[i].want_y, 1e-6);
    }
    CHECK_DRAWS(1, ploy_route_draw(route, ploy_agent_id_none(), &drawing));
    CHECK_INT(it.requests, 1);
    far_goal.position.x = 10.5f; // near enough to the plan
    decomposer.decompose(route, &context, far_goal);
    CHECK_INT(it.requests, 1);
    far_goal.position.x = 14.0f;
    it.none = true;
    for (int i = 0; i < 4; i++) decomposer.decompose(route, &context, far_goal);
    CHECK_INT(it.requests, 2);
    CHECK(ployi_route_is_blocked(route));
    ploy_steering_goal goal = decomposer.decompose(route, &context, far_goal);
    CHECK_SAME(goal.position.x, 14.0f); // unchanged
    ploy_steering_goal facing = ploy_steering_goal_none();
    facing.has = PLOY_GOAL_ORIENTATION;
    CHECK_UINT(decomposer.decompose(route, &context, facing).has, PLOY_GOAL_ORIENTATION);
    ploy_route_destroy(route);
}

// Walks a pipeline among walls and says how near it came.
static float walk(ploy_pipeline *pipeline, ploy_vec2 goal, const ploy_scene *scene, float seconds) {
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_steering_context context = context_at(0, 0);
    float nearest = INFINITY;
    for (int i = 0; i < (int)(seconds * 60.0f); i++) {
        ploy_scene_hit hit;
        ploy_vec2 from = context.agent.position;
        ploy_steering push = ploy_pipeline_steer(pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, push, context.dt);
        // Nobody walks through walls.
        if (ploy_scene_ray2(scene, from, context.agent.position, 1, &hit)) {
            context.agent.position = from;
            context.agent.velocity = ploy_vec2_zero();
        }
        nearest = fminf(nearest, ploy_vec2_distance(context.agent.position, goal));
    }
    return nearest;
}

TEST(only_the_route_gets_it_out_of_a_corner) {
    // COM-04, nearsightedness: a wall with a long arm on the near side; the way is round the far
    // end. Constraints alone slide into the corner and stay there.
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &plain));
    static const ploy_vec2 walls[4] = {{-6, 4}, {5, 4}, {5, -4}, {-6, -4}}; // open behind
    CHECK_OK(ploy_plain_scene_add_outline(plain, walls, 4, false, 0.0f, 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_steering_goal goal = goal_at(12, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_keep_clear clear = {&scene, 1, 0.4f, 0.2f};
    ploy_constraint constraint = ploy_keep_clear_constraint(&clear);
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    pipeline.tries = 4;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraint));
    CHECK(walk(&pipeline, ploy_vec2_from_vec3(goal.position), &scene, 40.0f) > 5.0f);
    detour it = {{{-7.5f, 0}, {-7.5f, 5.5f}, {6.5f, 5.5f}}, 3, 5, 0, 0, false, 0, {0, 0}, {0, 0}};
    ploy_path_service service = service_of(&it);
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    CHECK_OK(ploy_route_create(&def, &service, &env, &route));
    ploy_decomposer decomposer = ploy_route_decomposer(route);
    CHECK_OK(ploy_pipeline_add_decomposer(&pipeline, decomposer));
    CHECK(walk(&pipeline, ploy_vec2_from_vec3(goal.position), &scene, 40.0f) < 0.3f);
    ploy_route_destroy(route);
    ploy_plain_scene_destroy(plain);
}

static ploy_result create_route(const ploy_env *env, void *arg) {
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    ploy_result result = ploy_route_create(&def, arg, env, &route);
    ploy_route_destroy(route);
    return result;
}

TEST(create_survives_short_memory_and_refuses_bad_settings) {
    detour it;
    memset(&it, 0, sizeof it);
    ploy_path_service service = service_of(&it);
    CHECK_FAIL_NTH(create_route, &service);
    ploy_env env = ploy_env_default();
    CHECK_INT(create_route(&env, NULL), PLOY_ERR_ARGUMENT);
    ploy_route_def def = ploy_route_def_default();
    def.reach = NAN;
    ploy_route *route = NULL;
    CHECK_INT(ploy_route_create(&def, &service, &env, &route), PLOY_ERR_ARGUMENT);
}

TEST(points_on_the_way_are_passed_at_speed) {
    // COM-12: seek all points but the last; three points in a line are no reason to brake.
    detour it = {{{10, 0}, {20, 0}, {30, 0}}, 3, 0, 0, 0, false, 0, {0, 0}, {0, 0}};
    ploy_path_service service = service_of(&it);
    ploy_env env = ploy_env_default();
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    CHECK_OK(ploy_route_create(&def, &service, &env, &route));
    ploy_steering_goal goal = goal_at(40, 0);
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal)));
    CHECK_OK(ploy_pipeline_add_decomposer(&pipeline, ploy_route_decomposer(route)));
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_steering_context context = context_at(0, 0);
    float slowest = INFINITY;
    for (int i = 0; i < 60 * 20; i++) {
        ploy_steering steering = ploy_pipeline_steer(&pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, steering, context.dt);
        float x = context.agent.position.x;
        if (x > 5.0f && x < 34.0f) slowest = fminf(slowest, context.agent.velocity.x);
    }
    CHECK(slowest > 0.95f * actuator.arrive.max_speed);
    CHECK_NEAR(context.agent.position.x, 40.0, 0.2);
    CHECK_NEAR(context.agent.velocity.x, 0.0, 0.05);
    ploy_route_destroy(route);
}

TEST(a_late_answer_is_followed_from_where_the_agent_is) {
    // COM-12: the agent goes on while the route is looked for, and does not walk back to its start.
    detour it = {{{10, 0}}, 1, 30, 0, 0, false, 0, {0, 0}, {0, 0}};
    ploy_path_service service = service_of(&it);
    ploy_env env = ploy_env_default();
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    CHECK_OK(ploy_route_create(&def, &service, &env, &route));
    ploy_steering_goal goal = goal_at(20, 0);
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal)));
    CHECK_OK(ploy_pipeline_add_decomposer(&pipeline, ploy_route_decomposer(route)));
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_steering_context context = context_at(0, 0);
    for (int i = 0; i < 180; i++) {
        ploy_vec2 before = context.agent.position;
        ploy_steering steering = ploy_pipeline_steer(&pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, steering, context.dt);
        CHECK(context.agent.position.x >= before.x);
    }
    ploy_route_destroy(route);
}

TEST(a_slower_victim_is_caught_through_a_service_that_takes_its_time) {
    // COM-12: 30 m behind, 5 m/s against 3, an answer after 0.2 s.
    detour it = {{{0, 0}}, 0, 12, 0, 0, false, 0, {0, 0}, {0, 0}};
    ploy_path_service service = service_of(&it);
    ploy_env env = ploy_env_default();
    ploy_route_def def = ploy_route_def_default();
    ploy_route *route = NULL;
    CHECK_OK(ploy_route_create(&def, &service, &env, &route));
    ploy_kinematic victim = ploy_kinematic_make(ploy_vec2_make(30, 0), 0.0f);
    victim.velocity = ploy_vec2_make(3, 0);
    ploy_chase chase = {&victim, NULL, 0.0f};
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_chase_targeter(&chase)));
    CHECK_OK(ploy_pipeline_add_decomposer(&pipeline, ploy_route_decomposer(route)));
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_steering_context context = context_at(0, 0);
    float gap = 30.0f;
    for (int i = 0; i < 60 * 20; i++) {
        ploy_steering steering = ploy_pipeline_steer(&pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, steering, context.dt);
        victim.position = ploy_vec2_add_scaled(victim.position, victim.velocity, context.dt);
        gap = ploy_vec2_distance(victim.position, context.agent.position);
    }
    CHECK(gap < 4.0f);
    ploy_route_destroy(route);
}
