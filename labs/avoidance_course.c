// The course of the lab `avoidance`: layouts, sight, motion and the hand-made rule.
#include "labs/avoidance.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/geom/angle.h"
#include "ploy/move/obstacle.h"
#include "ploy/move/seek.h"

static const float course_speed = 3.0f, course_turn = 2.0f; // m/s, rad/s
static const float course_dt = 0.1f, course_sight = 5.0f;   // s, m
static const float course_gap = 1.5f;                       // m between posts at least

ploy_problem_space avoidance_space(void) {
    ploy_problem_space space;
    memset(&space, 0, sizeof space);
    space.actions = AVOIDANCE_ACTIONS;
    space.observed = AVOIDANCE_OBSERVED;
    space.step_limit = AVOIDANCE_STEPS_MAX;
    space.discount = 0.95f;
    for (int32_t i = 0; i < PLOY_PROBLEM_RANGES_MAX; i++) space.high[i] = 1.0f;
    return space;
}

ploy_result avoidance_init(avoidance_course *course, const ploy_env *env) {
    memset(course, 0, sizeof *course);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    def.capacity = AVOIDANCE_POSTS_MAX + 2;
    return ploy_plain_scene_create(&def, env, &course->scene);
}

static bool course_is_free(const avoidance_course *course, ploy_circle post) {
    for (int32_t i = 0; i < course->post_count; i++) {
        float apart = ploy_vec2_distance(course->posts[i].centre, post.centre);
        if (apart < course->posts[i].radius + post.radius + course_gap) return false;
    }
    return true;
}

ploy_result avoidance_lay(avoidance_course *course, ploy_rng_key key, uint64_t layout,
                          int32_t posts) {
    ploy_rng rng = ploy_rng_from_key(key, layout);
    course->post_count = 0;
    for (int32_t i = 0; i < 10 * posts && course->post_count < posts; i++) {
        ploy_circle post;
        post.radius = ploy_rng_range(&rng, 0.4f, 1.1f);
        post.centre.x = ploy_rng_range(&rng, 4.0f, AVOIDANCE_LENGTH - 2.0f);
        post.centre.y = ploy_rng_range(&rng, -AVOIDANCE_HALF_WIDTH, AVOIDANCE_HALF_WIDTH);
        if (course_is_free(course, post)) course->posts[course->post_count++] = post;
    }
    // One draw after the other: the order of arguments differs between compilers.
    float orientation = ploy_rng_range(&rng, -0.5f, 0.5f);
    float y = ploy_rng_range(&rng, -4.0f, 4.0f);
    course->body = ploy_kinematic_make(ploy_vec2_make(0.5f, y), orientation);
    course->body.velocity =
        ploy_vec2_scale(ploy_angle_heading(course->body.orientation), course_speed);
    course->steps = 0;
    course->end = AVOIDANCE_RUNS;
    ploy_plain_scene_clear(course->scene);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        float side = i == 0 ? AVOIDANCE_HALF_WIDTH : -AVOIDANCE_HALF_WIDTH;
        result =
            ploy_plain_scene_add_segment(course->scene, ploy_vec2_make(-5.0f, side),
                                         ploy_vec2_make(AVOIDANCE_LENGTH + 5.0f, side), 1, NULL);
    }
    for (int32_t i = 0; i < course->post_count && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_circle(course->scene, course->posts[i].centre,
                                             course->posts[i].radius, 1, NULL);
    }
    return result;
}

void avoidance_observe(const avoidance_course *course, float *out) {
    ploy_scene scene = ploy_plain_scene_interface(course->scene);
    ploy_vec2 at = course->body.position;
    for (int32_t i = 0; i < AVOIDANCE_RAYS; i++) {
        float angle = course->body.orientation + (float)(i - AVOIDANCE_RAYS / 2) * 0.18f;
        ploy_vec2 to = ploy_vec2_add(at, ploy_vec2_scale(ploy_angle_heading(angle), course_sight));
        ploy_scene_hit hit;
        bool blocked = ploy_scene_ray2(&scene, at, to, PLOY_SCENE_ALL, &hit);
        out[i] = blocked ? 1.0f - hit.distance / course_sight : 0.0f;
    }
    out[AVOIDANCE_RAYS] = course->body.orientation;
    out[AVOIDANCE_RAYS + 1] = at.y / AVOIDANCE_HALF_WIDTH;
}

static float course_rate(int32_t action) {
    return ((float)action / (float)(AVOIDANCE_ACTIONS / 2) - 1.0f) * course_turn;
}

ploy_problem_result avoidance_step(avoidance_course *course, int32_t action) {
    ploy_problem_result result = {0.0f, true, false};
    if (course->end != AVOIDANCE_RUNS) return result;
    ploy_kinematic *body = &course->body;
    ploy_vec2 from = body->position;
    body->rotation = course_rate(ploy_clampi(action, 0, AVOIDANCE_ACTIONS - 1));
    body->orientation = ploy_angle_wrap(body->orientation + body->rotation * course_dt);
    body->velocity = ploy_vec2_scale(ploy_angle_heading(body->orientation), course_speed);
    body->position = ploy_vec2_add(from, ploy_vec2_scale(body->velocity, course_dt));
    course->steps++;
    ploy_scene scene = ploy_plain_scene_interface(course->scene);
    bool crashed =
        body->position.x < 0.0f ||
        ploy_scene_sweep2(&scene, from, body->position, AVOIDANCE_RADIUS, PLOY_SCENE_ALL, NULL);
    if (crashed) {
        course->end = AVOIDANCE_CRASHED;
    } else if (body->position.x >= AVOIDANCE_LENGTH) {
        course->end = AVOIDANCE_CROSSED;
    } else if (course->steps >= AVOIDANCE_STEPS_MAX) {
        course->end = AVOIDANCE_LOST;
    }
    result.reward = crashed ? -1.0f : 0.05f * (body->position.x - from.x);
    result.truncated = course->end == AVOIDANCE_LOST;
    result.terminated = course->end != AVOIDANCE_RUNS && !result.truncated;
    return result;
}

int32_t avoidance_rule(const avoidance_course *course, float berth) {
    ploy_obstacle_def def = ploy_obstacle_def_default();
    def.radius = AVOIDANCE_RADIUS + berth;
    def.look_ahead = 1.25f; // twice that at this speed
    def.max_speed = course_speed;
    def.strength = 20.0f;
    def.max_acceleration = 20.0f;
    ploy_steering steering =
        ploy_avoid_obstacles(&def, course->body, course->posts, course->post_count);
    if (steering.requested != PLOY_STEERING_REQUESTED) {
        ploy_seek_def seek = ploy_seek_def_default();
        seek.max_speed = course_speed;
        seek.max_acceleration = 20.0f;
        seek.time_to_target = 0.5f;
        steering = ploy_seek(&seek, course->body, ploy_vec2_make(AVOIDANCE_LENGTH + 10.0f, 0.0f));
    }
    // The turn that gives the requested sideways acceleration at this speed.
    float rate = ploy_steering_split(steering, course->body).side / course_speed;
    float notch =
        (ploy_clampf(rate / course_turn, -1.0f, 1.0f) + 1.0f) * (float)(AVOIDANCE_ACTIONS / 2);
    return (int32_t)(notch + 0.5f);
}

void avoidance_describe(const avoidance_course *course, ploy_describe *out) {
    ploy_describe_vec2(out, "at", PLOY_STATE, course->body.position.x, course->body.position.y);
    ploy_describe_f32(out, "orientation", PLOY_STATE, course->body.orientation);
    ploy_describe_i64(out, "steps", PLOY_STATE, course->steps);
    ploy_describe_i64(out, "end", PLOY_STATE, (int64_t)course->end);
    ploy_describe_i64(out, "posts", PLOY_STATE, course->post_count);
}
