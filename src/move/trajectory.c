// Free fall; the techniques are described in the header. Everything is computed in double: the
// discriminants below are differences of large, nearly equal numbers close to the range's limit.
#include "ploy/move/trajectory.h"

#include "move/move_internal.h"
#include "ploy/geom/solve.h"

#define TRAJECTORY_PIECES 48 // of a drawn trajectory

ploy_projectile ploy_projectile_make(ploy_vec3 position, ploy_vec3 velocity) {
    ploy_projectile out = {position, velocity, {0.0f, 0.0f, -PLOY_GRAVITY_MPS2}};
    return out;
}

static float trajectory_along(float p, float v, float g, double t) {
    return (float)((double)p + ((double)v + 0.5 * (double)g * t) * t);
}

static ploy_vec3 trajectory_at(const ploy_projectile *projectile, double t) {
    const ploy_vec3 *p = &projectile->position, *v = &projectile->velocity;
    const ploy_vec3 *g = &projectile->gravity;
    return ploy_vec3_make(trajectory_along(p->x, v->x, g->x, t),
                          trajectory_along(p->y, v->y, g->y, t),
                          trajectory_along(p->z, v->z, g->z, t));
}

ploy_vec3 ploy_projectile_at(const ploy_projectile *projectile, float t) {
    return trajectory_at(projectile, (double)t);
}

ploy_vec3 ployi_projectile_velocity(const ploy_projectile *projectile, float t) {
    return ploy_vec3_add_scaled(projectile->velocity, projectile->gravity, t);
}

bool ploy_projectile_landing(const ploy_projectile *projectile, float height, ploy_landing *out) {
    double roots[2] = {0.0, 0.0};
    int32_t count =
        ploy_solve_quadratic(0.5 * (double)projectile->gravity.z, (double)projectile->velocity.z,
                             (double)projectile->position.z - (double)height, roots);
    if (count == -1) roots[0] = 0.0; // it flies along that very height, and is there now
    if (count == 0) return false;
    // Of two, the later one: under gravity it is the one on the way down.
    double t = count == 2 ? roots[1] : roots[0];
    // Rising through the height, without gravity that would bring it back, is not coming down.
    if (count >= 1 && (double)projectile->velocity.z + (double)projectile->gravity.z * t > 0.0) {
        return false;
    }
    ploy_vec3 point = trajectory_at(projectile, t);
    if (!(t >= 0.0) || t > 1e30 || !ploy_vec3_is_finite(point)) return false;
    out->time = (float)t;
    out->point = ploy_vec3_make(point.x, point.y, height);
    return true;
}

bool ployi_projectile_landing_on(const ploy_projectile *projectile, const ploy_scene *scene,
                                 uint32_t mask, float tolerance, int32_t iterations,
                                 ploy_landing *out) {
    ploy_landing guess;
    float height = 0.0f;
    if (!(tolerance >= 0.0f) || iterations < 1 || iterations > 1000) return false;
    if (!ploy_scene_ground(scene, projectile->position, mask, &height, NULL)) return false;
    if (!ploy_projectile_landing(projectile, height, &guess)) return false;
    for (int32_t i = 0; i < iterations; i++) {
        ploy_landing next;
        if (!ploy_scene_ground(scene, guess.point, mask, &height, NULL)) return false;
        if (!ploy_projectile_landing(projectile, height, &next)) return false;
        bool settled = ploy_vec3_distance(next.point, guess.point) <= tolerance;
        guess = next;
        if (settled) {
            *out = guess;
            return true;
        }
    }
    return false;
}

bool ployi_projectile_blocked(const ploy_projectile *projectile, float time, float radius,
                              const ploy_scene *scene, uint32_t mask, int32_t segments,
                              ploy_scene_hit *hit) {
    if (segments < 1 || segments > 1000 || !(time > 0.0f)) return false;
    ploy_vec3 from = projectile->position;
    float travel = 0.0f;
    for (int32_t i = 1; i <= segments; i++) {
        ploy_scene_hit found;
        ploy_vec3 to = trajectory_at(projectile, (double)time * (double)i / (double)segments);
        if (ploy_scene_sweep(scene, from, to, radius, mask, &found)) {
            found.distance += travel;
            if (hit != NULL) *hit = found;
            return true;
        }
        travel += ploy_vec3_distance(from, to);
        from = to;
    }
    return false;
}

void ploy_projectile_draw(const ploy_projectile *projectile, float time, ploy_style style,
                          ploy_agent_id owner, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_PATHS)) return;
    ploy_vec3 points[TRAJECTORY_PIECES + 1];
    for (int32_t i = 0; i <= TRAJECTORY_PIECES; i++) {
        points[i] = trajectory_at(projectile, (double)time * (double)i / TRAJECTORY_PIECES);
    }
    ploy_draw_item item = {PLOY_SHAPE_LINE,
                           PLOY_LAYER_PATHS,
                           style,
                           owner.id,
                           points,
                           TRAJECTORY_PIECES + 1,
                           0.0f,
                           0.0f,
                           1.0f,
                           NULL,
                           NULL};
    ploy_draw_item_out(out, &item);
    item.shape = PLOY_SHAPE_POINT;
    item.points = &points[TRAJECTORY_PIECES];
    item.count = 1;
    ploy_draw_item_out(out, &item);
}

const char *ploy_arc_text(ploy_arc arc) {
    return arc == PLOY_ARC_HIGH ? "high" : "low";
}

static double trajectory_dot(ploy_vec3 a, ploy_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

// The direction that is at `offset` after t: (offset - g t^2 / 2) / (speed t). A unit vector already, but
// for rounding, which normalising takes away.
static ploy_shot trajectory_shot(ploy_vec3 offset, ploy_vec3 gravity, double t) {
    double drop = 0.5 * t * t;
    double x = (double)offset.x - drop * (double)gravity.x;
    double y = (double)offset.y - drop * (double)gravity.y;
    double z = (double)offset.z - drop * (double)gravity.z;
    double length = sqrt(x * x + y * y + z * z);
    ploy_shot out = {{(float)(x / length), (float)(y / length), (float)(z / length)}, (float)t};
    return out;
}

int32_t ploy_firing_find(ploy_vec3 from, ploy_vec3 to, float speed, ploy_vec3 gravity,
                         ploy_shot out[2]) {
    if (!ployi_within(speed, 1e-30, PLOY_SPEED_MAX_MPS) || !ploy_vec3_is_finite(from) ||
        !ploy_vec3_is_finite(to) || !ploy_vec3_is_finite(gravity)) {
        return 0;
    }
    ploy_vec3 offset = ploy_vec3_sub(to, from);
    double s = (double)speed, offset_squared = trajectory_dot(offset, offset);
    double pull = trajectory_dot(gravity, gravity);
    if (offset_squared <= 1e-30) {
        // There already. What is thrown straight against gravity comes back, if there is any.
        ploy_shot up = {{0.0f, 0.0f, 1.0f}, 0.0f};
        bool falls = pull > 1e-30;
        if (falls) up.direction = ploy_vec3_normalise(ploy_vec3_negate(gravity));
        out[PLOY_ARC_LOW] = up;
        up.time = falls ? (float)(2.0 * s / sqrt(pull)) : 0.0f;
        out[PLOY_ARC_HIGH] = up;
        return falls ? 2 : 1;
    }
    // |offset - g t^2 / 2| = s t, squared, is a quadratic in t^2:
    //     |g|^2 (t^2)^2 / 4 - (g . offset + s^2) t^2 + |offset|^2 = 0
    double middle = trajectory_dot(gravity, offset) + s * s;
    double inside = middle * middle - pull * offset_squared;
    if (!(middle > 0.0) || !(inside >= 0.0)) return 0;
    double root = sqrt(inside);
    // The low root by the stable form, which is also right without gravity.
    double low = sqrt(2.0 * offset_squared / (middle + root));
    if (!ploy_is_finite_d(low)) return 0;
    double high = pull > 1e-30 ? sqrt(2.0 * (middle + root) / pull) : low;
    if (pull > 1e-30 && !(high < 1e15)) high = low; // so weak a pull that it never comes back
    out[PLOY_ARC_LOW] = trajectory_shot(offset, gravity, low);
    out[PLOY_ARC_HIGH] = trajectory_shot(offset, gravity, high);
    return high > low ? 2 : 1;
}

bool ploy_firing_lead(ploy_vec3 from, ploy_vec3 target, ploy_vec3 target_velocity, float speed,
                      ploy_vec3 gravity, ploy_arc arc, float tolerance, ploy_shot *out) {
    ploy_vec3 aim = target;
    if ((uint32_t)arc > PLOY_ARC_HIGH || !(tolerance >= 0.0f)) return false;
    for (int32_t i = 0; i < 64; i++) {
        ploy_shot shots[2];
        if (ploy_firing_find(from, aim, speed, gravity, shots) == 0) return false;
        ploy_vec3 next = ploy_vec3_add_scaled(target, target_velocity, shots[arc].time);
        if (ploy_vec3_distance(next, aim) <= tolerance) {
            *out = shots[arc];
            return true;
        }
        aim = next;
    }
    return false;
}

int32_t ploy_firing_choose(ploy_vec3 from, ploy_vec3 to, ploy_vec3 gravity,
                           const ploy_throw *throws, int32_t count, float radius,
                           const ploy_scene *scene, uint32_t mask, ploy_agent_id id,
                           ploy_trace *trace, ploy_shot *out) {
    int32_t chosen = -1;
    ploy_trace_begin(trace, id, "throw", "first clear arc");
    for (int32_t i = 0; i < count; i++) {
        const ploy_throw *option = &throws[i];
        ploy_shot shots[2];
        if (chosen >= 0) {
            ploy_trace_option(trace, option->name, PLOY_OUTCOME_SKIPPED, NAN, "one before it does");
        } else if ((uint32_t)option->arc > PLOY_ARC_HIGH ||
                   ploy_firing_find(from, to, option->speed, gravity, shots) == 0) {
            ploy_trace_option(trace, option->name, PLOY_OUTCOME_REJECTED, NAN, "out of range");
        } else {
            ploy_shot shot = shots[option->arc];
            ploy_projectile flying = {from, ploy_vec3_scale(shot.direction, option->speed),
                                      gravity};
            bool blocked =
                ployi_projectile_blocked(&flying, shot.time, radius, scene, mask, 32, NULL);
            if (!blocked) {
                chosen = i;
                *out = shot;
            }
            ploy_trace_option(trace, option->name,
                              blocked ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON,
                              -(double)shot.time, blocked ? "something is in the way" : "clear");
        }
    }
    ploy_trace_end(trace);
    return chosen;
}

#undef TRAJECTORY_PIECES
