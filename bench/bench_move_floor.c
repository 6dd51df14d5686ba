// The floors of move.single: what each behavior computes, written inline for the defaults of the
// benchmark, without checks, options or special cases. Where a behavior is made of calls of other
// modules (searches along a path, casts into a scene, the generator), the floor makes the same calls.
#include <math.h>

#include "bench/bench.h"
#include "bench/bench_move_single.h"
#include "ploy/base/math.h"
#include "ploy/geom/angle.h"

typedef ploy_vec2 vec2;

static inline vec2 floor_sub(vec2 a, vec2 b) {
    vec2 v = {a.x - b.x, a.y - b.y};
    return v;
}
static inline vec2 floor_plus(vec2 a, vec2 b, float s) {
    vec2 v = {a.x + b.x * s, a.y + b.y * s};
    return v;
}
static inline vec2 floor_times(vec2 a, float s) {
    vec2 v = {a.x * s, a.y * s};
    return v;
}
static inline float floor_dot(vec2 a, vec2 b) {
    return a.x * b.x + a.y * b.y;
}
static inline float floor_length(vec2 v) {
    return sqrtf(floor_dot(v, v));
}
static inline vec2 floor_limit(vec2 v, float max) {
    float square = floor_dot(v, v);
    return square > max * max ? floor_times(v, max / sqrtf(square)) : v;
}
static inline ploy_steering floor_request(vec2 v) {
    return ploy_steering_make(v, 0.0f);
}
static inline ploy_steering floor_turn(float angular) {
    return ploy_steering_make(ploy_vec2_zero(), angular);
}

static inline ploy_steering floor_match(vec2 wanted, vec2 velocity, float time, float max) {
    return floor_request(floor_limit(floor_times(floor_sub(wanted, velocity), 1.0f / time), max));
}

static inline ploy_steering floor_seek(const ploy_seek_def *def, ploy_kinematic agent, vec2 point) {
    vec2 offset = floor_sub(point, agent.position);
    vec2 wanted = floor_times(offset, def->max_speed / floor_length(offset));
    return floor_match(wanted, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline ploy_steering floor_flee(const ploy_flee_def *def, ploy_kinematic agent, vec2 point) {
    vec2 offset = floor_sub(agent.position, point);
    vec2 wanted = floor_times(offset, def->max_speed / floor_length(offset));
    return floor_match(wanted, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline ploy_steering floor_arrive(const ploy_arrive_def *def, ploy_kinematic agent,
                                         vec2 point) {
    vec2 offset = floor_sub(point, agent.position);
    float distance = floor_length(offset);
    float speed =
        distance < def->slow_radius ? def->max_speed * distance / def->slow_radius : def->max_speed;
    if (distance < def->target_radius) speed = 0.0f;
    vec2 wanted = floor_times(offset, speed / distance);
    return floor_match(wanted, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline float floor_ahead(ploy_kinematic agent, ploy_kinematic other, float max) {
    float distance = floor_length(floor_sub(other.position, agent.position));
    float speed = floor_length(agent.velocity);
    return speed * max <= distance ? max : distance / speed;
}

static inline vec2 floor_predicted(ploy_kinematic agent, ploy_kinematic other, float max) {
    return floor_plus(other.position, other.velocity, floor_ahead(agent, other, max));
}

static inline vec2 floor_met(const ploy_intercept_def *def, ploy_kinematic agent,
                             ploy_kinematic prey) {
    vec2 offset = floor_sub(prey.position, agent.position);
    float time = floor_length(offset) / floor_length(floor_sub(prey.velocity, agent.velocity));
    vec2 heading = ploy_angle_heading(agent.orientation);
    bool meets = floor_dot(offset, heading) >= 0.0f && time <= def->max_time;
    return meets ? floor_plus(prey.position, prey.velocity, time) : prey.position;
}

static inline vec2 floor_between(const ploy_interpose_def *def, ploy_kinematic agent,
                                 ploy_kinematic a, ploy_kinematic b) {
    vec2 middle = floor_times(floor_plus(a.position, b.position, 1.0f), 0.5f);
    float time = floor_length(floor_sub(middle, agent.position)) / def->arrive.max_speed;
    vec2 one = floor_plus(a.position, a.velocity, time),
         two = floor_plus(b.position, b.velocity, time);
    return floor_times(floor_plus(one, two, 1.0f), 0.5f);
}

static inline vec2 floor_slot(const ploy_offset_pursuit_def *def, ploy_kinematic agent,
                              ploy_kinematic leader, vec2 offset) {
    vec2 x = ploy_angle_heading(leader.orientation);
    vec2 slot = {leader.position.x + x.x * offset.x - x.y * offset.y,
                 leader.position.y + x.y * offset.x + x.x * offset.y};
    float distance = floor_length(floor_sub(slot, agent.position));
    float speed = def->arrive.max_speed + floor_length(leader.velocity);
    return floor_plus(slot, leader.velocity, distance / speed);
}

static inline ploy_steering floor_align(const ploy_align_def *def, ploy_kinematic agent, float to) {
    float turn = ploy_angle_difference(agent.orientation, to), angle = fabsf(turn);
    if (angle < def->target_angle) return ploy_steering_none();
    float part = angle < def->slow_angle ? angle / def->slow_angle : 1.0f;
    float wanted = copysignf(def->max_rotation * part, turn);
    float max = def->max_angular_acceleration;
    return floor_turn(ploy_clampf((wanted - agent.rotation) / def->time_to_target, -max, max));
}

static inline ploy_steering floor_path(single_bench *data, ploy_kinematic agent, float *along) {
    ploy_polyline_nearest found = ploy_polyline_find(&data->line, agent.position);
    *along = found.along;
    const ploy_path_follow_def *def = &data->path_follow;
    vec2 point = ploy_polyline_at(&data->line, found.along + def->ahead);
    return floor_seek(&data->seek, agent, point);
}

static inline ploy_steering floor_spline(single_bench *data, ploy_kinematic agent, float *along) {
    ploy_spline_nearest2 found = ploy_spline2_find_from(&data->spline, agent.position, *along);
    *along = found.along;
    vec2 point = ploy_spline2_point_along(&data->spline, found.along + data->path_follow.ahead);
    return floor_seek(&data->seek, agent, point);
}

static inline ploy_steering floor_obstacles(const ploy_obstacle_def *def, ploy_kinematic agent,
                                            const ploy_circle *circles, int32_t count) {
    float speed = floor_length(agent.velocity);
    vec2 way = floor_times(agent.velocity, 1.0f / speed), across = {-way.y, way.x};
    float length = def->look_ahead * (1.0f + speed / def->max_speed), best = INFINITY;
    float best_x = 0.0f, best_y = 0.0f, best_radius = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        vec2 offset = floor_sub(circles[i].centre, agent.position);
        float x = floor_dot(offset, way), y = floor_dot(offset, across);
        float reach = circles[i].radius + def->radius;
        if (x < 0.0f || x - circles[i].radius > length || fabsf(y) >= reach) continue;
        float q = sqrtf(reach * reach - y * y), at = x - q > 0.0f ? x - q : x + q;
        if (at >= best) continue;
        best = at, best_x = x, best_y = y, best_radius = circles[i].radius;
    }
    if (best == INFINITY) return ploy_steering_none();
    float push = (best_radius + def->radius - fabsf(best_y)) * (1.0f + (length - best_x) / length);
    float brake = ploy_minf((best_radius - best_x) * def->braking, 0.0f);
    vec2 sum =
        floor_plus(floor_times(way, brake), across, -copysignf(push * def->strength, best_y));
    return floor_request(floor_limit(sum, def->max_acceleration));
}

static inline ploy_steering floor_collision(const ploy_collision_def *def,
                                            const ploy_kinematic *all, int32_t self) {
    float first = INFINITY, reach = 2.0f * def->radius;
    vec2 from = {0.0f, 0.0f};
    for (int32_t i = 0; i < 8; i++) {
        if (i == self) continue;
        vec2 dp = floor_sub(all[i].position, all[self].position);
        vec2 dv = floor_sub(all[i].velocity, all[self].velocity);
        double along = (double)dp.x * (double)dv.x + (double)dp.y * (double)dv.y;
        double square = (double)dv.x * (double)dv.x + (double)dv.y * (double)dv.y;
        float time = ploy_maxf((float)(-along / square), 0.0f);
        vec2 then = floor_plus(dp, dv, time);
        if (floor_length(dp) < reach) {
            time = 0.0f, then = dp;
        } else if (!(time > 0.0f) || time > def->horizon || floor_length(then) >= reach) {
            continue;
        }
        if (time < first) first = time, from = then;
    }
    if (first == INFINITY) return ploy_steering_none();
    return floor_request(floor_times(from, -def->max_acceleration / floor_length(from)));
}

static inline ploy_steering floor_hide(const ploy_hide_def *def, ploy_kinematic agent,
                                       ploy_kinematic hunter, const ploy_circle *circles,
                                       int32_t count) {
    float least = INFINITY;
    vec2 best = {0.0f, 0.0f};
    for (int32_t i = 0; i < count; i++) {
        vec2 away = floor_sub(circles[i].centre, hunter.position);
        float part = (circles[i].radius + def->gap) / floor_length(away);
        vec2 spot = floor_plus(circles[i].centre, away, part);
        vec2 offset = floor_sub(spot, agent.position);
        float square = floor_dot(offset, offset);
        if (square < least) least = square, best = spot;
    }
    return floor_arrive(&def->arrive, agent, best);
}

static inline ploy_steering floor_wander(single_bench *data, ploy_kinematic agent, int32_t i) {
    const ploy_wander_def *def = &data->wander;
    float noise = ploy_rng_binomial_at(data->key, (uint32_t)i, 0, 0);
    data->drift = ploy_angle_wrap(data->drift + noise * def->drift_rate * SINGLE_DT);
    vec2 local = floor_times(ploy_angle_heading(data->drift), def->circle_radius);
    vec2 heading = ploy_angle_heading(agent.orientation);
    local.x += def->circle_offset;
    vec2 offset = {heading.x * local.x - heading.y * local.y,
                   heading.y * local.x + heading.x * local.y};
    vec2 wanted = floor_times(offset, def->max_speed / floor_length(offset));
    return floor_match(wanted, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline vec2 floor_beside(const ploy_fly_by_def *def, ploy_kinematic agent,
                                ploy_kinematic target) {
    vec2 point = floor_predicted(agent, target, def->predict.max_time);
    vec2 way = floor_times(agent.velocity, 1.0f / floor_length(agent.velocity));
    vec2 offset = floor_sub(point, agent.position);
    vec2 across = floor_plus(offset, way, -floor_dot(offset, way));
    return floor_plus(point, across, -def->distance / floor_length(across));
}

static inline vec2 floor_behind(const ploy_follow_def *def, ploy_kinematic agent,
                                ploy_kinematic leader) {
    vec2 ahead = ploy_angle_heading(leader.orientation);
    vec2 offset = floor_sub(agent.position, leader.position);
    float along = floor_dot(offset, ahead);
    float length = def->clear_length + def->clear_time * floor_length(leader.velocity);
    vec2 across = floor_plus(offset, ahead, -along);
    float square = floor_dot(across, across);
    if (along <= 0.0f || along >= length || square >= def->clear_width * def->clear_width) {
        return floor_plus(leader.position, ahead, -def->behind);
    }
    float out = (def->clear_width + def->arrive.slow_radius) / sqrtf(square);
    return floor_plus(agent.position, across, out);
}

static inline ploy_steering floor_waypoints(single_bench *data, ploy_kinematic agent) {
    vec2 point = data->path[data->next];
    if (floor_length(floor_sub(point, agent.position)) < data->waypoints.radius) {
        data->next = (data->next + 1) % SINGLE_THINGS;
        point = data->path[data->next];
    }
    return floor_seek(&data->seek, agent, point);
}

static inline vec2 floor_agitate(single_bench *data, vec2 request, float side) {
    data->waited += SINGLE_DT;
    if (data->waited <= data->agitate.patience) return request;
    data->waited = 0.0f;
    vec2 left = {-request.y, request.x}, right = {request.y, -request.x};
    return side > 0.0f ? left : right;
}

static inline ploy_steering floor_flow(single_bench *data, ploy_kinematic agent) {
    vec2 from = floor_plus(agent.position, agent.velocity, data->flow.predict_time);
    vec2 flow = floor_times(data->field.at(data->field.user, from), data->flow.speed_factor);
    return floor_match(flow, agent.velocity, data->flow.match.time_to_target,
                       data->flow.match.max_acceleration);
}

static inline ploy_steering floor_contain(single_bench *data, ploy_kinematic agent) {
    const ploy_contain_def *def = &data->contain;
    vec2 from = floor_plus(agent.position, agent.velocity, def->predict_time);
    vec2 held = {ploy_clampf(from.x, data->box.min.x + def->margin, data->box.max.x - def->margin),
                 ploy_clampf(from.y, data->box.min.y + def->margin, data->box.max.y - def->margin)};
    if (held.x == from.x && held.y == from.y) return ploy_steering_none();
    vec2 back = floor_plus(floor_sub(held, from), agent.position, 1.0f);
    return floor_seek(&def->seek, agent, back);
}

static inline vec2 floor_way(ploy_kinematic agent) {
    return floor_times(agent.velocity, 1.0f / floor_length(agent.velocity));
}

static inline ploy_steering floor_walls(single_bench *data, ploy_kinematic agent) {
    const ploy_feelers_def *def = &data->feelers_def;
    vec2 way = floor_way(agent), turn = ploy_angle_heading(def->angle);
    vec2 ways[3] = {way,
                    {way.x * turn.x - way.y * turn.y, way.y * turn.x + way.x * turn.y},
                    {way.x * turn.x + way.y * turn.y, way.y * turn.x - way.x * turn.y}};
    float lengths[3] = {def->length, def->whisker_length, def->whisker_length}, best = 1.0f;
    vec2 point = agent.position;
    for (int32_t i = 0; i < 3; i++) {
        ploy_scene_hit hit;
        vec2 to = floor_plus(agent.position, ways[i], lengths[i]);
        if (!ploy_scene_ray2(&data->scene, agent.position, to, PLOY_SCENE_ALL, &hit)) continue;
        if (hit.distance / lengths[i] >= best) continue;
        best = hit.distance / lengths[i];
        point = floor_plus(ploy_vec2_from_vec3(hit.point), ploy_vec2_from_vec3(hit.normal),
                           def->avoid_distance);
    }
    return best < 1.0f ? floor_seek(&def->seek, agent, point) : ploy_steering_none();
}

static inline ploy_steering floor_swept(single_bench *data, ploy_kinematic agent) {
    const ploy_feelers_def *def = &data->feelers_def;
    ploy_scene_hit hit;
    vec2 way = floor_way(agent), to = floor_plus(agent.position, way, def->length);
    if (!ploy_scene_sweep2(&data->scene, agent.position, to, def->radius, PLOY_SCENE_ALL, &hit)) {
        return ploy_steering_none();
    }
    vec2 point = floor_plus(agent.position, way, hit.distance);
    point = floor_plus(point, ploy_vec2_from_vec3(hit.normal), def->avoid_distance);
    return floor_seek(&def->seek, agent, point);
}

static inline ploy_steering floor_wall_follow(single_bench *data, ploy_kinematic agent) {
    const ploy_wall_follow_def *def = &data->wall_follow;
    vec2 way = floor_way(agent), side = {-way.y, way.x};
    vec2 tips[3] = {floor_plus(agent.position, way, def->ahead + def->distance),
                    floor_plus(agent.position, side, def->reach),
                    floor_plus(agent.position, floor_sub(side, way), def->reach)};
    for (int32_t i = 0; i < 3; i++) {
        ploy_scene_hit hit;
        if (!ploy_scene_ray2(&data->scene, agent.position, tips[i], PLOY_SCENE_ALL, &hit)) continue;
        vec2 normal = ploy_vec2_from_vec3(hit.normal), along = {-normal.y, normal.x};
        vec2 point = floor_plus(ploy_vec2_from_vec3(hit.point), normal, def->distance);
        return floor_seek(&def->seek, agent, floor_plus(point, along, def->ahead));
    }
    return ploy_steering_none();
}

static inline ploy_steering floor_cone(const ploy_cone_def *def, const ploy_kinematic *all,
                                       int32_t self) {
    float cosine = ploy_cosf(def->half_angle), best = def->distance * def->distance;
    vec2 heading = ploy_angle_heading(all[self].orientation), from = {0.0f, 0.0f};
    for (int32_t i = 0; i < 8; i++) {
        if (i == self) continue;
        vec2 offset = floor_sub(all[i].position, all[self].position);
        float square = floor_dot(offset, offset);
        if (square >= best || floor_dot(heading, offset) <= cosine * sqrtf(square)) continue;
        best = square, from = offset;
    }
    if (from.x == 0.0f && from.y == 0.0f) return ploy_steering_none();
    return floor_request(floor_times(from, -def->max_acceleration / sqrtf(best)));
}

static inline vec2 floor_pass_by(vec2 position, vec2 request, vec2 other) {
    vec2 to = floor_sub(other, position);
    float distance = floor_length(to);
    if (distance > 20.0f) return request;
    float angle = ploy_atan2f(2.0f, distance);
    vec2 turn = ploy_angle_heading(to.x * request.y - to.y * request.x > 0.0f ? angle : -angle);
    vec2 way = floor_times(to, floor_length(request) / distance);
    vec2 out = {way.x * turn.x - way.y * turn.y, way.y * turn.x + way.x * turn.y};
    return out;
}

static inline ploy_steering floor_separate(const ploy_flock_def *def, ploy_neighbours seen) {
    if (seen.count == 0) return ploy_steering_none();
    return floor_request(floor_limit(seen.push, def->max_acceleration));
}

static inline ploy_steering floor_conform(const ploy_flock_def *def, ploy_kinematic agent,
                                          ploy_neighbours seen) {
    if (seen.count == 0) return ploy_steering_none();
    return floor_match(seen.velocity, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline ploy_steering floor_cohere(const ploy_flock_def *def, ploy_kinematic agent,
                                         ploy_neighbours seen) {
    if (seen.count == 0) return ploy_steering_none();
    vec2 wanted = floor_times(seen.middle, def->max_speed / floor_length(seen.middle));
    return floor_match(wanted, agent.velocity, def->time_to_target, def->max_acceleration);
}

static inline ploy_steering floor_flock(const ploy_flock_def *def, const ploy_kinematic *all,
                                        int32_t self) {
    ploy_neighbours seen = {0, 0, 0, {0, 0}, {0, 0}, {0, 0}};
    vec2 heading = ploy_angle_heading(all[self].orientation);
    for (int32_t i = 0; i < 8; i++) {
        if (i == self) continue;
        vec2 offset = floor_sub(all[i].position, all[self].position);
        float square = floor_dot(offset, offset), ahead = floor_dot(heading, offset);
        float side = fabsf(heading.x * offset.y - heading.y * offset.x);
        if (square >= def->radius * def->radius || (ahead < 0.0f && side <= -ahead)) continue;
        seen.count++;
        seen.middle = floor_plus(seen.middle, offset, 1.0f);
        seen.velocity = floor_plus(seen.velocity, all[i].velocity, 1.0f);
        if (square < def->separation_radius * def->separation_radius) {
            seen.push = floor_plus(seen.push, offset, -def->separation_strength / square);
        }
    }
    if (seen.count == 0) return ploy_steering_none();
    seen.middle = floor_times(seen.middle, 1.0f / (float)seen.count);
    seen.velocity = floor_times(seen.velocity, 1.0f / (float)seen.count);
    vec2 sum = floor_times(floor_separate(def, seen).linear, def->separation_weight);
    sum = floor_plus(sum, floor_conform(def, all[self], seen).linear, def->alignment_weight);
    sum = floor_plus(sum, floor_cohere(def, all[self], seen).linear, def->cohesion_weight);
    return floor_request(floor_limit(sum, def->max_acceleration));
}

// A car that goes forward, as most of these do.
static inline ploy_steering floor_motor(const ploy_motor_def *def, ploy_kinematic agent, vec2 to) {
    vec2 way = floor_sub(to, agent.position), heading = ploy_angle_heading(agent.orientation);
    float distance = floor_length(way), speed = floor_dot(agent.velocity, heading);
    float angle = ploy_angle_difference(agent.orientation, ploy_angle_of(way));
    float turn = ploy_minf(ploy_minf(def->max_turn, def->grip / fabsf(speed)),
                           fabsf(speed) / def->turn_radius);
    float bend = fabsf(ploy_sinf(angle)), wanted = sqrtf(2.0f * def->braking * distance);
    float radius = ploy_maxf(0.9f * distance / (2.0f * bend), def->turn_radius);
    wanted = ploy_minf(wanted, sqrtf(def->grip * radius));
    wanted = ploy_minf(ploy_minf(wanted, def->max_turn * radius), def->max_speed);
    float throttle = ploy_clampf((wanted - speed) * 2.0f, 0.0f, 1.0f);
    float brake = ploy_clampf((speed - wanted) * 2.0f, 0.0f, 1.0f);
    return ploy_steering_make(ploy_vec2_make(throttle, brake),
                              ploy_clampf(angle * 4.0f, -turn, turn));
}

static inline vec2 floor_integrate(const ploy_integrate_def *def, ploy_kinematic agent, vec2 push,
                                   float *orientation) {
    agent.velocity = floor_limit(floor_plus(agent.velocity, push, SINGLE_DT), def->max_speed);
    *orientation = ploy_atan2f(agent.velocity.y, agent.velocity.x);
    return floor_plus(agent.position, agent.velocity, SINGLE_DT);
}

static inline float floor_side(ploy_kinematic agent, vec2 point) {
    vec2 heading = ploy_angle_heading(agent.orientation), to = floor_sub(point, agent.position);
    float length = floor_length(to), side = heading.x * to.y - heading.y * to.x;
    if (side > 0.01f * length) return 1.0f;
    if (side < -0.01f * length) return -1.0f;
    return floor_dot(heading, to) < 0.0f ? 1.0f : 0.0f;
}

// The published algorithm written plainly (orca_plain.c), for a whole group of eight at its first one.
static inline vec2 floor_orca(single_bench *data, int32_t i) {
    if ((i & 7) == 0) {
        for (int32_t k = 0; k < 8; k++) {
            const ploy_orca_agent *body = &data->bodies[i + k];
            orca_plain_agent plain = {body->position, body->velocity,  body->wanted, {0, 0},
                                      body->radius,   body->max_speed, false};
            data->plain_agents[k] = plain;
        }
        orca_plain_step(&data->plain, SINGLE_DT);
    }
    return data->plain_agents[i & 7].next;
}

static inline void floor_context_write(const ploy_context *context, float *map, vec2 unit,
                                       float strength, float full, float edge) {
    float over = 1.0f / (full - edge);
    for (int32_t k = 0; k < context->slots; k++) {
        float part = (floor_dot(context->heading[k], unit) - edge) * over;
        map[k] = ploy_maxf(map[k], strength * ploy_clampf(part, 0.0f, 1.0f));
    }
}

static inline vec2 floor_context(single_bench *data, ploy_kinematic agent, vec2 to) {
    ploy_context *context = &data->context;
    for (int32_t k = 0; k < context->slots; k++) context->interest[k] = context->danger[k] = 0.0f;
    vec2 way = floor_sub(to, agent.position);
    floor_context_write(context, context->interest, floor_times(way, 1.0f / floor_length(way)),
                        1.0f, 1.0f, context->interest_cos);
    for (int32_t i = 0; i < SINGLE_THINGS; i++) {
        vec2 offset = floor_sub(data->circles[i].centre, agent.position);
        float distance = floor_length(offset);
        if (distance >= 6.5f || distance == 0.0f) continue;
        float sine = distance > 1.5f ? 1.5f / distance : 1.0f, cosine = sqrtf(1.0f - sine * sine);
        float edge = cosine * context->danger_cos -
                     sine * sqrtf(1.0f - context->danger_cos * context->danger_cos);
        float strength = 1.0f - ploy_clampf((distance - 1.5f) / 5.0f, 0.0f, 1.0f);
        floor_context_write(context, context->danger, floor_times(offset, 1.0f / distance),
                            strength, cosine, edge);
    }
    float least = INFINITY;
    for (int32_t k = 0; k < context->slots; k++) least = ploy_minf(least, context->danger[k]);
    int32_t best = 0;
    for (int32_t k = 0; k < context->slots; k++) {
        bool open = context->danger[k] <= least;
        if (open && context->interest[k] > context->interest[best]) best = k;
    }
    return context->heading[best];
}

static inline ploy_steering floor_combine(single_bench *data, ploy_kinematic agent) {
    vec2 avoid = ploy_avoid_obstacles(&data->obstacle, agent, data->circles, SINGLE_THINGS).linear;
    vec2 chase = ploy_pursue(&data->pursue, agent, data->agents[0]).linear;
    return floor_request(floor_limit(floor_plus(avoid, chase, 1.0f), 10.0f));
}

// The same stages, called directly.
static inline ploy_steering floor_pipeline(single_bench *data, ploy_kinematic agent, vec2 to,
                                           ploy_circle circle) {
    data->goal = ploy_steering_goal_at(to);
    data->keep_out = ploy_keep_out_make(circle.centre, circle.radius, 1.4f);
    data->steering_context.agent = agent;
    const ploy_actuator *actuator = &data->pipeline.actuator;
    const ploy_constraint *constraint = &data->pipeline.constraints[0];
    ploy_steering_goal goal = data->goal;
    ploy_steering_path path;
    for (int32_t tries = 0; tries < 4; tries++) {
        int32_t piece = 0;
        actuator->path(actuator->user, &data->steering_context, goal, &path);
        if (!constraint->broken(constraint->user, &data->steering_context, &path, &piece)) {
            return actuator->output(actuator->user, &data->steering_context, &path, goal);
        }
        goal = constraint->suggest(constraint->user, &data->steering_context, &path, piece, goal);
    }
    return ploy_steering_none();
}

static inline ploy_steering floor_filter(const ploy_motor_def *def, ploy_kinematic agent,
                                         vec2 request) {
    vec2 heading = ploy_angle_heading(agent.orientation);
    float ahead = floor_dot(request, heading), side = heading.x * request.y - heading.y * request.x;
    float asked = floor_length(request), speed = floor_dot(agent.velocity, heading);
    float limit = ploy_minf(ploy_minf(def->max_turn, def->grip / fabsf(speed)),
                            fabsf(speed) / def->turn_radius);
    vec2 wanted = {speed + ahead * 0.25f, side * 0.25f};
    bool aside = fabsf(speed) <= def->slow_speed && fabsf(wanted.x) < 0.5f * floor_length(wanted);
    float kept = copysignf(asked, ahead), angular = 0.0f;
    if (aside || (ahead < 0.0f && wanted.x < -def->max_reverse)) {
        kept = wanted.x < 0.0f ? -def->acceleration : def->acceleration;
        angular = (copysignf(limit, side) - agent.rotation) / 0.1f;
    }
    return ploy_steering_make(floor_times(heading, kept), angular);
}

static inline vec2 floor_craft(const ploy_craft_def *def, ploy_kinematic craft, vec2 to) {
    vec2 heading = ploy_angle_heading(craft.orientation), offset = floor_sub(to, craft.position);
    float angle =
        ploy_atan2f(heading.x * offset.y - heading.y * offset.x, floor_dot(heading, offset));
    float steer = ploy_clampf(angle, -1.0f, 1.0f);
    vec2 left = {-heading.y, heading.x};
    vec2 push = floor_times(heading, def->thrust / def->mass);
    push = floor_plus(push, left, def->thruster * steer / def->mass);
    float slide = floor_dot(left, craft.velocity);
    float lost = 1.0f - ploy_expf(-SINGLE_DT * def->side_drag / def->mass);
    vec2 velocity = floor_plus(craft.velocity, left, -slide * lost);
    float keep = ploy_expf(-SINGLE_DT * def->drag / def->mass);
    float turn = ploy_expf(-SINGLE_DT * def->angular_drag / def->inertia);
    velocity = floor_plus(floor_times(velocity, keep), push, SINGLE_DT);
    craft.rotation = craft.rotation * turn + 0.5f * def->length * def->thruster * steer * SINGLE_DT;
    craft.orientation = ploy_angle_wrap(craft.orientation + craft.rotation * SINGLE_DT);
    vec2 at = floor_plus(craft.position, velocity, SINGLE_DT);
    at.x += craft.orientation * 1e-30f; // the turn is computed too
    return at;
}

static inline float floor_smooth(ploy_moving_mean *mean, float orientation) {
    vec2 heading = ploy_angle_heading(orientation);
    float *at = mean->values + (size_t)mean->next * 2;
    at[0] = heading.x, at[1] = heading.y;
    mean->next = mean->next + 1 < mean->capacity ? mean->next + 1 : 0;
    if (mean->count < mean->capacity) mean->count++;
    double x = 0.0, y = 0.0;
    for (int32_t i = 0; i < mean->count; i++) {
        x += (double)mean->values[2 * i], y += (double)mean->values[2 * i + 1];
    }
    return ploy_atan2f((float)(y / (double)mean->count), (float)(x / (double)mean->count));
}

static inline float floor_bank(const ploy_bank_def *def, ploy_kinematic agent, float rotation) {
    ploy_vec3 v = {agent.velocity.x, agent.velocity.y, 1.0f};
    float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    float roll = ploy_atan2f(rotation, def->stiffness);
    float pitch = ploy_atan2f(v.z, sqrtf(v.x * v.x + v.y * v.y));
    ploy_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    ploy_quat upright = ploy_quat_from_orientation(agent.orientation);
    ploy_quat full =
        ploy_quat_multiply(ploy_quat_multiply(upright, ploy_quat_from_axis_angle(y, -pitch)),
                           ploy_quat_from_axis_angle(x, -roll));
    if (speed >= def->full_speed) return ploy_quat_normalise(full).w;
    return ploy_quat_nlerp(upright, full, speed / def->full_speed).w;
}

static inline vec2 floor_overlap(vec2 position, vec2 other) {
    vec2 away = floor_sub(position, other);
    float square = floor_dot(away, away);
    if (square > 31.0f * 31.0f) return ploy_vec2_zero();
    float distance = sqrtf(square);
    return floor_times(away, (31.0f - distance) / distance);
}

SINGLE_ROW(floor_row_pursue,
           floor_seek(&data->pursue.seek, agents[0],
                      floor_predicted(agents[0], agents[1], data->pursue.predict.max_time)))
SINGLE_ROW(floor_row_intercept, floor_seek(&data->intercept.seek, agents[0],
                                           floor_met(&data->intercept, agents[0], agents[1])))
SINGLE_ROW(floor_row_interpose,
           floor_arrive(&data->interpose.arrive, agents[0],
                        floor_between(&data->interpose, agents[0], agents[1], agents[2])))
SINGLE_ROW(floor_row_offset_pursuit, floor_arrive(&data->offset_pursuit.arrive, agents[0],
                                                  floor_slot(&data->offset_pursuit, agents[0],
                                                             agents[1], agents[2].position)))
SINGLE_ROW(floor_row_face,
           floor_align(&data->align, agents[0],
                       ploy_angle_of(floor_sub(agents[1].position, agents[0].position))))
SINGLE_ROW(floor_row_match_velocity,
           floor_match(agents[1].velocity, agents[0].velocity, data->match.time_to_target,
                       data->match.max_acceleration))
SINGLE_ROW(floor_row_path_follow, floor_path(data, agents[0], &data->alongs[i]))
SINGLE_ROW(floor_row_avoid_obstacles,
           floor_obstacles(&data->obstacle, agents[0], data->circles, SINGLE_THINGS))
SINGLE_ROW(floor_row_avoid_collision,
           floor_collision(&data->collision, &data->agents[i & ~7], i & 7))
SINGLE_ROW(floor_row_hide,
           floor_hide(&data->hide, agents[0], agents[1], data->circles, SINGLE_THINGS))
SINGLE_ROW(floor_row_seek, floor_seek(&data->seek, agents[0], agents[1].position))
SINGLE_ROW(floor_row_flee, floor_flee(&data->flee, agents[0], agents[1].position))
SINGLE_ROW(floor_row_arrive, floor_arrive(&data->arrive, agents[0], agents[1].position))
SINGLE_ROW(floor_row_wander, floor_wander(data, agents[0], i))
SINGLE_ROW(floor_row_evade,
           floor_flee(&data->evade.flee, agents[0],
                      floor_predicted(agents[0], agents[1], data->evade.predict.max_time)))
SINGLE_ROW(floor_row_fly_by, floor_seek(&data->fly_by.seek, agents[0],
                                        floor_beside(&data->fly_by, agents[0], agents[1])))
SINGLE_ROW(floor_row_follow, floor_arrive(&data->follow.arrive, agents[0],
                                          floor_behind(&data->follow, agents[0], agents[1])))
SINGLE_ROW(floor_row_align, floor_align(&data->align, agents[0], agents[1].orientation))
SINGLE_ROW(floor_row_look, floor_align(&data->align, agents[0], ploy_angle_of(agents[0].velocity)))
SINGLE_ROW(floor_row_match_rotation,
           floor_turn(ploy_clampf((agents[1].rotation - agents[0].rotation) /
                                      data->match.time_to_target,
                                  -data->match.max_angular_acceleration,
                                  data->match.max_angular_acceleration)))
SINGLE_LOOP(floor_row_spline_follow, ploy_kinematic agent = agents[0];
            agent.position = floor_plus(data->beside[i], agents[1].velocity, 0.2f);
            data->steerings[i] = floor_spline(data, agent, &data->alongs[i]);)
SINGLE_ROW(floor_row_waypoints, floor_waypoints(data, agents[0]))
SINGLE_ROW(floor_row_agitate,
           floor_request(floor_agitate(data, agents[1].velocity, agents[2].position.x)))
SINGLE_ROW(floor_row_flow_follow, floor_flow(data, agents[0]))
SINGLE_ROW(floor_row_contain, floor_contain(data, agents[0]))
SINGLE_ROW(floor_row_avoid_walls, floor_walls(data, agents[0]))
SINGLE_ROW(floor_row_avoid_walls_swept, floor_swept(data, agents[0]))
SINGLE_ROW(floor_row_wall_follow, floor_wall_follow(data, agents[0]))
SINGLE_ROW(floor_row_avoid_cone, floor_cone(&data->cone, &data->agents[i & ~7], i & 7))
SINGLE_ROW(floor_row_pass_by,
           floor_request(floor_pass_by(agents[0].position, agents[0].velocity, agents[1].position)))
SINGLE_ROW(floor_row_flock, floor_flock(&data->flock, &data->agents[i & ~7], i & 7))
SINGLE_ROW(floor_row_motor_control, floor_motor(&data->motor, agents[0], agents[1].position))
SINGLE_LOOP(floor_row_integrate, float orientation;
            data->steerings[i].linear = floor_integrate(&data->integrate, agents[0],
                                                        agents[1].velocity, &orientation);
            data->steerings[i].angular = orientation;)
SINGLE_ROW(floor_row_intercept_turn,
           ploy_steering_make(agents[0].velocity, floor_side(agents[0], agents[1].position)))
SINGLE_ROW(floor_row_separate, floor_separate(&data->flock, data->seen[i]))
SINGLE_ROW(floor_row_conform, floor_conform(&data->flock, agents[0], data->seen[i]))
SINGLE_ROW(floor_row_cohere, floor_cohere(&data->flock, agents[0], data->seen[i]))
SINGLE_ROW(floor_row_orca, floor_request(floor_orca(data, i)))
SINGLE_ROW(floor_row_context, floor_request(floor_context(data, agents[0], agents[1].position)))
SINGLE_ROW(floor_row_combine, floor_combine(data, agents[0]))
SINGLE_ROW(floor_row_pipeline,
           floor_pipeline(data, agents[0], agents[1].position, data->circles[i & 7]))
SINGLE_ROW(floor_row_motor_filter, floor_filter(&data->motor, agents[0], agents[1].velocity))
SINGLE_ROW(floor_row_craft, floor_request(floor_craft(&data->craft, agents[0], agents[1].position)))
SINGLE_ROW(floor_row_heading_smooth, floor_turn(floor_smooth(&data->mean, agents[0].orientation)))
SINGLE_ROW(floor_row_bank, floor_turn(floor_bank(&data->bank, agents[0], agents[1].orientation)))
SINGLE_ROW(floor_row_overlap, floor_request(floor_overlap(agents[0].position, agents[1].position)))

single_bench_fn single_bench_floor(int64_t row) {
    static const single_bench_fn floors[] = {
        floor_row_pursue,
        floor_row_intercept,
        floor_row_interpose,
        floor_row_offset_pursuit,
        floor_row_face,
        floor_row_match_velocity,
        floor_row_path_follow,
        floor_row_avoid_obstacles,
        floor_row_avoid_collision,
        floor_row_hide,
        floor_row_seek,
        floor_row_flee,
        floor_row_arrive,
        floor_row_wander,
        floor_row_evade,
        floor_row_fly_by,
        floor_row_follow,
        floor_row_align,
        floor_row_look,
        floor_row_match_rotation,
        floor_row_spline_follow,
        floor_row_waypoints,
        floor_row_agitate,
        floor_row_flow_follow,
        floor_row_contain,
        floor_row_avoid_walls,
        floor_row_avoid_walls_swept,
        floor_row_wall_follow,
        floor_row_avoid_cone,
        floor_row_pass_by,
        floor_row_flock,
        floor_row_motor_control,
        floor_row_integrate,
        floor_row_intercept_turn,
        floor_row_separate,
        floor_row_conform,
        floor_row_cohere,
        floor_row_orca,
        floor_row_context,
        floor_row_combine,
        floor_row_pipeline,
        floor_row_motor_filter,
        floor_row_craft,
        floor_row_heading_smooth,
        floor_row_bank,
        floor_row_overlap,
    };
    return row >= 0 && row < (int64_t)(sizeof floors / sizeof floors[0]) ? floors[row] : NULL;
}
