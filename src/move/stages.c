// The simple stages of the steering pipeline: targeters, constraints and the plain actuator.
#include <math.h>

#include "move/pipeline_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/capsule.h"
#include "ploy/geom/segment.h"

// ---- targeters ----

static ploy_steering_goal stage_chase(void *user, const ploy_steering_context *context) {
    const ploy_chase *chase = user;
    if (context->spatial) {
        if (chase->victim3 == NULL) return ploy_steering_goal_none();
        return ploy_steering_goal3_at(ploy_vec3_add_scaled(
            chase->victim3->position, chase->victim3->velocity, chase->lookahead));
    }
    return ploy_steering_goal_at(
        ploy_vec2_add_scaled(chase->victim->position, chase->victim->velocity, chase->lookahead));
}

ploy_targeter ploy_chase_targeter(ploy_chase *chase) {
    ploy_targeter out = {"chase", stage_chase, chase};
    return out;
}

static ploy_steering_goal stage_given(void *user, const ploy_steering_context *context) {
    (void)context;
    return *(const ploy_steering_goal *)user;
}

ploy_targeter ploy_goal_targeter(ploy_steering_goal *goal) {
    ploy_targeter out = {"goal", stage_given, goal};
    return out;
}

static ploy_steering_goal stage_look(void *user, const ploy_steering_context *context) {
    const ploy_vec3 *point = user;
    ploy_steering_goal goal = ploy_steering_goal_none();
    if (context->spatial) {
        ploy_vec3 direction = ploy_vec3_sub(*point, context->agent3.position);
        if (ploy_vec3_is_zero(direction)) return goal;
        goal.has = PLOY_GOAL_ORIENTATION;
        goal.orientation3 = ploy_quat_look(direction, ploy_vec3_make(0.0f, 0.0f, 1.0f));
        return goal;
    }
    ploy_vec2 direction = ploy_vec2_sub(ploy_vec2_from_vec3(*point), context->agent.position);
    if (ploy_vec2_is_zero(direction)) return goal;
    goal.has = PLOY_GOAL_ORIENTATION;
    goal.orientation = ploy_angle_of(direction);
    return goal;
}

ploy_targeter ploy_look_targeter(ploy_vec3 *point) {
    ploy_targeter out = {"look", stage_look, point};
    return out;
}

// ---- keeping out of a circle or a sphere ----

static ploy_segment2 stage_piece(const ploy_steering_path *path, int32_t i) {
    return ploy_segment2_make(ployi_planar(path->points[i]), ployi_planar(path->points[i + 1]));
}

static float stage_piece_distance(const ploy_steering_context *context,
                                  const ploy_steering_path *path, int32_t i, ploy_vec3 centre) {
    if (!context->spatial)
        return ploy_segment2_distance(stage_piece(path, i), ployi_planar(centre));
    return sqrtf(ploy_segment3_distance_sq(ploy_segment3_make(path->points[i], path->points[i + 1]),
                                           centre));
}

// Where the piece passes a centre, seen from the centre: relative, because a path near the middle
// leaves few digits of where it passes. Right through the middle, either side would do; the left one
// always, so that it is decided.
static ploy_vec3 stage_piece_aside(const ploy_steering_context *context,
                                   const ploy_steering_path *path, int32_t i, ploy_vec3 centre,
                                   float radius) {
    if (!context->spatial) {
        ploy_segment2 segment = stage_piece(path, i);
        segment.from = ploy_vec2_sub(segment.from, ployi_planar(centre));
        segment.to = ploy_vec2_sub(segment.to, ployi_planar(centre));
        ploy_vec2 aside = ploy_segment2_closest(segment, ploy_vec2_zero(), NULL);
        if (ploy_vec2_length(aside) <= 1e-6f * radius) aside = ploy_segment2_normal(segment);
        if (ploy_vec2_is_zero(aside)) aside = ploy_vec2_make(1.0f, 0.0f);
        return ployi_plane(aside);
    }
    ploy_segment3 segment = {ploy_vec3_sub(path->points[i], centre),
                             ploy_vec3_sub(path->points[i + 1], centre)};
    ploy_vec3 aside = ploy_segment3_closest(segment, ploy_vec3_zero(), NULL);
    if (ploy_vec3_length(aside) <= 1e-6f * radius) {
        aside = ploy_vec3_perp(ploy_vec3_sub(segment.to, segment.from));
    }
    return ploy_vec3_is_zero(aside) ? ploy_vec3_make(1.0f, 0.0f, 0.0f) : aside;
}

static ploy_steering_goal stage_beside(ploy_steering_goal goal, ploy_vec3 centre, ploy_vec3 aside,
                                       float distance) {
    goal.has |= PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_add(centre, ploy_vec3_with_length(aside, distance));
    return goal;
}

static bool stage_out_broken(void *user, const ploy_steering_context *context,
                             const ploy_steering_path *path, int32_t *piece) {
    const ploy_keep_out *circle = user;
    float deepest = circle->radius;
    // Of a bent path the piece that goes deepest: where it enters, the shortest exit is backward,
    // and a goal there would be in front of the circle and not beside it.
    for (int32_t i = 0; i + 1 < path->count; i++) {
        float distance = stage_piece_distance(context, path, i, circle->centre);
        if (!(distance < deepest)) continue;
        // An agent that is inside already, or touches it, may go away from it.
        ploy_vec3 along = ploy_vec3_sub(path->points[i + 1], path->points[i]);
        ploy_vec3 out = ploy_vec3_sub(path->points[i], circle->centre);
        if (ploy_vec3_length(out) < circle->radius && ploy_vec3_dot(along, out) > 0.0f) continue;
        deepest = distance;
        *piece = i;
    }
    return deepest < circle->radius;
}

static ploy_steering_goal stage_out_suggest(void *user, const ploy_steering_context *context,
                                            const ploy_steering_path *path, int32_t piece,
                                            ploy_steering_goal goal) {
    const ploy_keep_out *circle = user;
    ploy_vec3 aside = stage_piece_aside(context, path, piece, circle->centre, circle->radius);
    return stage_beside(goal, circle->centre, aside, circle->radius * circle->margin);
}

ploy_keep_out ploy_keep_out_make(ploy_vec2 centre, float radius, float margin) {
    ploy_keep_out out = {ployi_plane(centre), radius, margin};
    return out;
}

ploy_constraint ploy_keep_out_constraint(ploy_keep_out *circle) {
    ploy_constraint out = {"keep out", stage_out_broken, stage_out_suggest, circle};
    return out;
}

// ---- keeping apart from others that move ----

// Where another agent is when the two are nearest on a piece, and whether that is too near. The
// agent is on the piece from `begin` seconds on.
static bool stage_apart_meets(const ploy_keep_apart *agents, const ploy_steering_path *path,
                              int32_t piece, float begin, ploy_kinematic other, ploy_vec2 *where) {
    ploy_segment2 segment = stage_piece(path, piece);
    ploy_vec2 along = ploy_vec2_sub(segment.to, segment.from);
    float length = ploy_vec2_length(along);
    float end = ploy_minf(begin + length / agents->speed, agents->horizon);
    if (!(end > begin)) return false;
    ploy_vec2 velocity = ploy_vec2_with_length(along, agents->speed);
    ploy_vec2 at_begin = ploy_vec2_add_scaled(other.position, other.velocity, begin);
    ploy_vec2 offset = ploy_vec2_sub(at_begin, segment.from);
    ploy_vec2 relative = ploy_vec2_sub(other.velocity, velocity);
    float square = ploy_vec2_length_sq(relative);
    float time = square > 0.0f ? -ploy_vec2_dot(offset, relative) / square : 0.0f;
    time = ploy_clampf(time, 0.0f, end - begin);
    // Two that are too near already may part.
    if (time == 0.0f && piece == 0 && ploy_vec2_dot(offset, relative) >= 0.0f) return false;
    *where = ploy_vec2_add_scaled(at_begin, other.velocity, time);
    ploy_vec2 nearest = ploy_vec2_add_scaled(offset, relative, time);
    return ploy_vec2_length(nearest) < agents->radius;
}

// The first meeting on a piece; false if there is none.
static bool stage_apart_find(const ploy_keep_apart *agents, const ploy_steering_path *path,
                             int32_t *piece, ploy_vec2 *where, ploy_vec2 *velocity) {
    if (!(agents->speed > 0.0f) || agents->others == NULL) return false;
    float begin = 0.0f;
    for (int32_t i = 0; i + 1 < path->count && begin < agents->horizon; i++) {
        for (int32_t k = 0; k < agents->others->count; k++) {
            if (k == agents->self) continue;
            ploy_kinematic other = ploy_kinematics_get(agents->others, k);
            if (!stage_apart_meets(agents, path, i, begin, other, where)) continue;
            *piece = i;
            *velocity = other.velocity;
            return true;
        }
        begin += ploy_vec3_distance(path->points[i], path->points[i + 1]) / agents->speed;
    }
    return false;
}

static bool stage_apart_broken(void *user, const ploy_steering_context *context,
                               const ploy_steering_path *path, int32_t *piece) {
    ploy_vec2 where, velocity;
    return !context->spatial && stage_apart_find(user, path, piece, &where, &velocity);
}

static ploy_steering_goal stage_apart_suggest(void *user, const ploy_steering_context *context,
                                              const ploy_steering_path *path, int32_t piece,
                                              ploy_steering_goal goal) {
    const ploy_keep_apart *agents = user;
    ploy_vec2 where, velocity;
    if (!stage_apart_find(agents, path, &piece, &where, &velocity)) return goal;
    ploy_vec3 centre = ployi_plane(where);
    ploy_segment2 segment = stage_piece(path, piece);
    ploy_vec2 along = ploy_vec2_normalise(ploy_vec2_sub(segment.to, segment.from));
    // Behind an agent that crosses; beside one that comes along the path.
    ploy_vec2 behind = ploy_vec2_negate(ploy_vec2_reject(velocity, along));
    ploy_vec3 aside = ployi_plane(behind);
    if (!(ploy_vec2_length(behind) > 0.1f * ploy_vec2_length(velocity))) {
        aside = stage_piece_aside(context, path, piece, centre, agents->radius);
    }
    return stage_beside(goal, centre, aside, agents->radius * agents->margin);
}

ploy_constraint ploy_keep_apart_constraint(ploy_keep_apart *agents) {
    ploy_constraint out = {"keep apart", stage_apart_broken, stage_apart_suggest, agents};
    return out;
}

// ---- keeping clear of walls ----

static bool stage_clear_hit(const ploy_keep_clear *walls, const ploy_steering_path *path, int32_t i,
                            ploy_scene_hit *hit) {
    return ploy_scene_sweep(walls->scene, path->points[i], path->points[i + 1], walls->radius,
                            walls->mask, hit);
}

static bool stage_clear_broken(void *user, const ploy_steering_context *context,
                               const ploy_steering_path *path, int32_t *piece) {
    const ploy_keep_clear *walls = user;
    (void)context;
    for (int32_t i = 0; i + 1 < path->count; i++) {
        ploy_scene_hit hit;
        if (!stage_clear_hit(walls, path, i, &hit)) continue;
        // An agent that touches a wall already may go away from it.
        ploy_vec3 along = ploy_vec3_sub(path->points[i + 1], path->points[i]);
        if (hit.inside && ploy_vec3_dot(along, hit.normal) >= 0.0f) continue;
        *piece = i;
        return true;
    }
    return false;
}

// A goal short of an obstacle, a margin off it, and along it by what of the piece was left.
static ploy_steering_goal stage_along(ploy_steering_goal goal, ploy_vec3 stop, ploy_vec3 to,
                                      ploy_vec3 normal, float margin) {
    ploy_vec3 rest = ploy_vec3_sub(to, stop);
    ploy_vec3 left = ploy_vec3_add_scaled(rest, normal, -ploy_vec3_dot(rest, normal));
    goal.has |= PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_add(ploy_vec3_add_scaled(stop, normal, margin), left);
    return goal;
}

static ploy_steering_goal stage_clear_suggest(void *user, const ploy_steering_context *context,
                                              const ploy_steering_path *path, int32_t piece,
                                              ploy_steering_goal goal) {
    const ploy_keep_clear *walls = user;
    ploy_scene_hit hit;
    (void)context;
    if (!stage_clear_hit(walls, path, piece, &hit)) return goal;
    ploy_vec3 from = path->points[piece], to = path->points[piece + 1];
    ploy_vec3 stop =
        ploy_vec3_add(from, ploy_vec3_with_length(ploy_vec3_sub(to, from), hit.distance));
    return stage_along(goal, stop, to, hit.normal, walls->margin);
}

ploy_constraint ploy_keep_clear_constraint(ploy_keep_clear *walls) {
    ploy_constraint out = {"keep clear", stage_clear_broken, stage_clear_suggest, walls};
    return out;
}

// ---- keeping off slopes ----

// The most heights that are compared on one piece: a far goal is looked at coarsely, not forever.
enum { STAGE_SLOPE_SAMPLES = 64 };

// The last place before the path gets too steep, and the direction out of the slope there. A place
// without a floor counts as too steep.
static bool stage_level_find(const ploy_keep_level *floor, const ploy_steering_path *path,
                             int32_t piece, ploy_vec3 *stop, ploy_vec3 *normal) {
    ploy_vec3 from = path->points[piece], to = path->points[piece + 1];
    float length = ploy_vec3_distance(from, to);
    if (!(floor->step > 0.0f) || !(length > 0.0f)) return false;
    int32_t count = (int32_t)ploy_minf(ceilf(length / floor->step), (float)STAGE_SLOPE_SAMPLES);
    float before = 0.0f;
    if (!ploy_scene_ground(floor->scene, from, floor->mask, &before, NULL)) return false;
    ploy_vec3 at = from;
    for (int32_t i = 1; i <= count; i++) {
        ploy_vec3 next = ploy_vec3_lerp(from, to, (float)i / (float)count);
        float height = 0.0f;
        ploy_vec3 up = {0.0f, 0.0f, 1.0f};
        bool has = ploy_scene_ground(floor->scene, next, floor->mask, &height, &up);
        float run = length / (float)count;
        if (!has || fabsf(height - before) > floor->max_slope * run) {
            ploy_vec3 back = ploy_vec3_sub(from, to);
            ploy_vec3 downhill = {up.x, up.y, 0.0f};
            // Uphill the exit is down, downhill it is up; without a floor it is back.
            bool level = !has || ploy_vec3_is_zero(downhill);
            ploy_vec3 out = level ? back : downhill;
            if (ploy_vec3_dot(out, back) < 0.0f) out = ploy_vec3_scale(out, -1.0f);
            *stop = at;
            *normal = ploy_vec3_normalise(out);
            return true;
        }
        before = height;
        at = next;
    }
    return false;
}

static bool stage_level_broken(void *user, const ploy_steering_context *context,
                               const ploy_steering_path *path, int32_t *piece) {
    (void)context;
    for (int32_t i = 0; i + 1 < path->count; i++) {
        ploy_vec3 stop, normal;
        if (!stage_level_find(user, path, i, &stop, &normal)) continue;
        *piece = i;
        return true;
    }
    return false;
}

static ploy_steering_goal stage_level_suggest(void *user, const ploy_steering_context *context,
                                              const ploy_steering_path *path, int32_t piece,
                                              ploy_steering_goal goal) {
    const ploy_keep_level *floor = user;
    ploy_vec3 stop, normal;
    (void)context;
    if (!stage_level_find(floor, path, piece, &stop, &normal)) return goal;
    return stage_along(goal, stop, path->points[piece + 1], normal, floor->margin);
}

ploy_constraint ploy_keep_level_constraint(ploy_keep_level *floor) {
    ploy_constraint out = {"keep level", stage_level_broken, stage_level_suggest, floor};
    return out;
}

// ---- staying within a box ----

static bool stage_inside(const ploy_keep_in *box, ploy_vec3 point, bool spatial) {
    return point.x >= box->min.x && point.x <= box->max.x && point.y >= box->min.y &&
           point.y <= box->max.y && (!spatial || (point.z >= box->min.z && point.z <= box->max.z));
}

static bool stage_in_broken(void *user, const ploy_steering_context *context,
                            const ploy_steering_path *path, int32_t *piece) {
    // The box is convex, so the ends decide; the path is not to blame for where the agent is now.
    for (int32_t i = 1; i < path->count; i++) {
        *piece = i - 1;
        if (!stage_inside(user, path->points[i], context->spatial)) return true;
    }
    return false;
}

static ploy_steering_goal stage_in_suggest(void *user, const ploy_steering_context *context,
                                           const ploy_steering_path *path, int32_t piece,
                                           ploy_steering_goal goal) {
    const ploy_keep_in *box = user;
    ploy_vec3 to = path->points[piece + 1];
    goal.has = (goal.has | PLOY_GOAL_POSITION) & ~PLOY_GOAL_VELOCITY;
    goal.position.x = ploy_clampf(to.x, box->min.x, box->max.x);
    goal.position.y = ploy_clampf(to.y, box->min.y, box->max.y);
    goal.position.z = context->spatial ? ploy_clampf(to.z, box->min.z, box->max.z) : 0.0f;
    return goal;
}

ploy_constraint ploy_keep_in_constraint(ploy_keep_in *box) {
    ploy_constraint out = {"keep in", stage_in_broken, stage_in_suggest, box};
    return out;
}

// ---- the plain actuator ----

ploy_plain_actuator ploy_plain_actuator_default(void) {
    ploy_plain_actuator out = {ploy_arrive_def_default(), 1.0f, 4.0f, 0.1f, 40.0f, 0.3f};
    return out;
}

static void stage_plain_path(void *user, const ploy_steering_context *context,
                             ploy_steering_goal goal, ploy_steering_path *out) {
    const ploy_plain_actuator *plain = user;
    ploy_vec3 position = ployi_context_position(context);
    out->points[0] = position;
    out->count = 1;
    if (goal.has & PLOY_GOAL_POSITION) {
        float speed = ploy_vec3_length(goal.velocity);
        bool run =
            (goal.has & PLOY_GOAL_VELOCITY) && speed > 0.0f &&
            ploy_vec3_distance(goal.velocity, ployi_context_velocity(context)) > plain->match &&
            plain->arrive.max_acceleration > 0.0f;
        float back = run ? 1.1f * speed * speed / (2.0f * plain->arrive.max_acceleration) : 0.0f;
        ploy_vec3 start = ploy_vec3_sub(goal.position, ploy_vec3_with_length(goal.velocity, back));
        // On the line and far enough back it may run.
        ploy_vec3 ahead = ploy_vec3_normalise(goal.velocity);
        ploy_vec3 off = ploy_vec3_sub(position, start);
        float along = ploy_vec3_dot(off, ahead);
        float beside = ploy_vec3_length(ploy_vec3_add_scaled(off, ahead, -along));
        bool lined_up = along > -plain->match && along < back && beside <= plain->match;
        if (run && !lined_up) out->points[out->count++] = start;
        out->points[out->count++] = goal.position;
    } else if (goal.has & PLOY_GOAL_VELOCITY) {
        out->points[out->count++] = ploy_vec3_add_scaled(position, goal.velocity, plain->lookahead);
    }
}

// The laws of arrive and, for points that are passed, of seek with the same settings.
static bool stage_plain_law(const ploy_plain_actuator *plain, bool passes,
                            ployi_approach_law *law) {
    const ploy_arrive_def *arrive = &plain->arrive;
    if (!ployi_arrive_law(arrive, law)) return false;
    return !passes ||
           ployi_approach_pull(PLOY_PULL_VELOCITY, arrive->max_speed, arrive->max_acceleration,
                               arrive->time_to_target, 1.0f, 0.0f, law);
}

// The linear part, for both.
static ployi_pull stage_plain_linear(const ploy_plain_actuator *plain,
                                     const ploy_steering_context *context,
                                     const ploy_steering_path *path, ploy_steering_goal goal,
                                     int n) {
    ploy_vec3 position = ployi_context_position(context);
    ploy_vec3 velocity = ployi_context_velocity(context);
    ployi_mover self = {position, velocity, {0.0f, 0.0f, 0.0f}};
    bool match = (goal.has & PLOY_GOAL_VELOCITY) != 0 &&
                 (path->count == 2 || (goal.has & PLOY_GOAL_POSITION) == 0);
    ployi_approach_law law;
    bool passes = (goal.has & PLOY_GOAL_PASS) != 0 && path->count == 2;
    if (!stage_plain_law(plain, passes, &law)) return ployi_pull_invalid();
    if (match) {
        ploy_vec3 wanted = goal.velocity;
        if (goal.has & PLOY_GOAL_POSITION) {
            ploy_vec3 toward = ployi_minus(goal.position, position);
            // Through the place: at that speed, along what is left of the line.
            if (ploy_vec3_dot(toward, wanted) > 0.0f) {
                wanted = ploy_vec3_with_length(toward, ploy_vec3_length(wanted));
            }
        }
        return ployi_match_velocity(wanted, velocity, plain->arrive.time_to_target,
                                    plain->arrive.max_acceleration, n);
    }
    if (path->count < 2) return ployi_pull_none();
    return ployi_approach_point(&law, &self, path->points[1], n);
}

static ploy_steering stage_plain_output(void *user, const ploy_steering_context *context,
                                        const ploy_steering_path *path, ploy_steering_goal goal) {
    const ploy_plain_actuator *plain = user;
    ploy_steering out = ployi_pull_planar(stage_plain_linear(plain, context, path, goal, 2));
    bool turns = (goal.has & PLOY_GOAL_ORIENTATION) != 0;
    if (!(plain->turn_time > 0.0f) || (!turns && !(goal.has & PLOY_GOAL_ROTATION))) return out;
    float wanted = goal.rotation.z;
    if (turns) {
        float turn = ploy_angle_difference(context->agent.orientation, goal.orientation);
        wanted = ploy_clampf(turn * 4.0f, -plain->max_rotation, plain->max_rotation);
    }
    out.angular = ploy_clampf((wanted - context->agent.rotation) / plain->turn_time,
                              -plain->max_angular_acceleration, plain->max_angular_acceleration);
    out.requested |= PLOY_STEERING_REQUESTED;
    return out;
}

static ploy_steering3 stage_plain_output3(void *user, const ploy_steering_context *context,
                                          const ploy_steering_path *path, ploy_steering_goal goal) {
    const ploy_plain_actuator *plain = user;
    ploy_steering3 out = ployi_pull_spatial(stage_plain_linear(plain, context, path, goal, 3));
    bool turns = (goal.has & PLOY_GOAL_ORIENTATION) != 0;
    if (!(plain->turn_time > 0.0f) || (!turns && !(goal.has & PLOY_GOAL_ROTATION))) return out;
    ploy_vec3 wanted = goal.rotation;
    if (turns) {
        ploy_quat turn =
            ploy_quat_multiply(goal.orientation3, ploy_quat_conjugate(context->agent3.orientation));
        if (turn.w < 0.0f) turn = ploy_quat_make(-turn.w, -turn.x, -turn.y, -turn.z);
        wanted = ploy_vec3_limit(ploy_vec3_scale(ploy_quat_to_rotation(turn), 4.0f),
                                 plain->max_rotation);
    }
    ploy_vec3 error = ploy_vec3_sub(wanted, context->agent3.rotation);
    out.angular = ploy_vec3_limit(ploy_vec3_scale(error, 1.0f / plain->turn_time),
                                  plain->max_angular_acceleration);
    out.requested |= PLOY_STEERING_REQUESTED;
    return out;
}

ploy_actuator ploy_plain_actuator_make(ploy_plain_actuator *actuator) {
    ploy_actuator out = {"plain", stage_plain_path, stage_plain_output, stage_plain_output3,
                         actuator};
    return out;
}
