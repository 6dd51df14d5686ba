// Jumping; the technique is described in the header.
#include "ploy/move/jump.h"

#include "move/move_internal.h"
#include "ploy/geom/angle.h"
#include "ploy/geom/solve.h"
#include "ploy/move/arrive.h"

#define JUMP_SPEED_MAX 1e4

static const ploy_field jump_fields[] = {
    PLOY_FIELD_F32(ploy_jump_def, take_off_speed, 5, 0, JUMP_SPEED_MAX, "m/s",
                   "speed upwards when it leaves the ground"),
    PLOY_FIELD_F32(ploy_jump_def, gravity, 9.81, 1e-3, JUMP_SPEED_MAX, "m/s^2", "pull downwards"),
    PLOY_FIELD_F32(ploy_jump_def, max_speed, 6, 0, JUMP_SPEED_MAX, "m/s", "horizontal speed"),
    PLOY_FIELD_F32(ploy_jump_def, max_acceleration, 12, 1e-3, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest acceleration asked for"),
    PLOY_FIELD_F32(ploy_jump_def, time_to_target, 0.1, PLOYI_TIME_MIN, PLOYI_TIME_MAX, "s",
                   "time in which a desired velocity is to be reached"),
    PLOY_FIELD_F32(ploy_jump_def, near_distance, 0.25, 0, 1e4, "m",
                   "distance to the take-off that is near enough"),
    PLOY_FIELD_F32(ploy_jump_def, near_speed, 0.3, 0, JUMP_SPEED_MAX, "m/s",
                   "difference of velocities that is near enough"),
    PLOY_FIELD_BOOL(ploy_jump_def, rising, false, "may land on the way up"),
};

ploy_fields ploy_jump_fields(void) {
    return PLOY_FIELDS(ploy_jump_def, jump_fields);
}

ploy_jump_def ploy_jump_def_default(void) {
    ploy_jump_def def;
    ploy_fields_default(ploy_jump_fields(), &def);
    return def;
}

static bool jump_ok(const ploy_jump_def *def) {
    return ployi_within(def->take_off_speed, 0, JUMP_SPEED_MAX) &&
           ployi_within(def->gravity, 1e-3, JUMP_SPEED_MAX) &&
           ployi_within(def->max_speed, 0, JUMP_SPEED_MAX) &&
           ployi_within(def->max_acceleration, 1e-3, PLOYI_ACCELERATION_MAX) &&
           ployi_time_ok(def->time_to_target) && ployi_within(def->near_distance, 0, 1e4) &&
           ployi_within(def->near_speed, 0, JUMP_SPEED_MAX);
}

// With t seconds in the air: what is needed horizontally, if that is not too fast.
static bool jump_in_time(const ploy_jump_def *def, ploy_vec3 offset, double t,
                         ploy_jump_need *out) {
    if (!(t > 1e-6)) return false; // the start itself, where the heights are equal
    ploy_vec2 velocity = {(float)((double)offset.x / t), (float)((double)offset.y / t)};
    float speed = ploy_vec2_length(velocity);
    if (!(speed <= def->max_speed)) return false;
    out->velocity = velocity;
    out->time = (float)t;
    out->run_up = speed * speed / (2.0f * def->max_acceleration);
    return true;
}

bool ploy_jump_find(const ploy_jump_def *def, ploy_vec3 take_off, ploy_vec3 landing,
                    ploy_jump_need *out) {
    double t[2];
    ploy_vec3 offset = ploy_vec3_sub(landing, take_off);
    if (!jump_ok(def) || !ploy_vec3_is_finite(offset)) return false;
    // height = take_off_speed t - gravity t^2 / 2
    int32_t count = ploy_solve_quadratic(-0.5 * (double)def->gravity, (double)def->take_off_speed,
                                         -(double)offset.z, t);
    if (count <= 0) return false;
    // The sooner of two is on the way up, through the landing's floor from below.
    if (count == 2 && def->rising && jump_in_time(def, offset, t[0], out)) return true;
    return jump_in_time(def, offset, t[count - 1], out);
}

// What a jump point needs of a character: the authored velocity, or what follows from its ends. False if
// the character cannot be so fast or the landing is too high.
static bool jump_point_need(const ploy_jump_def *def, const ploy_jump_point *point,
                            ploy_jump_need *out) {
    float speed = ploy_vec2_length(point->velocity);
    if (speed == 0.0f) return ploy_jump_find(def, point->take_off, point->landing, out);
    double t[2];
    double height = (double)point->landing.z - (double)point->take_off.z;
    if (!jump_ok(def) || !(speed <= def->max_speed) || !ploy_vec3_is_finite(point->take_off) ||
        !ploy_vec3_is_finite(point->landing)) {
        return false;
    }
    int32_t count =
        ploy_solve_quadratic(-0.5 * (double)def->gravity, (double)def->take_off_speed, -height, t);
    if (count <= 0 || !(t[count - 1] > 0.0)) return false;
    out->velocity = point->velocity;
    out->time = (float)t[count - 1];
    out->run_up = speed * speed / (2.0f * def->max_acceleration);
    return true;
}

bool ployi_jump_accepts(ploy_jump_accept accept, ploy_vec2 needed, float tolerance,
                        ploy_vec2 velocity) {
    if (accept == PLOY_JUMP_MATCH) return ploy_vec2_distance(needed, velocity) <= tolerance;
    float speed = ploy_vec2_length(needed);
    // A hair of room: who runs at exactly the needed speed is fast enough.
    return ploy_vec2_dot(velocity, ploy_vec2_normalise(needed)) >= speed - 1e-4f * (1.0f + speed);
}

float ployi_jump_cost(const ploy_jump_def *def, const ploy_jump_point *point) {
    ploy_jump_need need;
    if (!jump_point_need(def, point, &need)) return INFINITY;
    float speed = ploy_vec2_length(need.velocity);
    float part = def->max_speed > 0.0f ? speed / def->max_speed : 0.0f;
    float run = speed > 0.0f ? 2.0f * need.run_up / speed : 0.0f;
    return need.time + run + point->fail_cost * part;
}

// The hash of the text, so that a route's edge can be identified without a table of names.
static ploy_name jump_name(void) {
    return ploy_name_of("jump");
}

ploy_path_edge ploy_jump_edge(const ploy_jump_def *def, const ploy_jump_point *point, ploy_id id) {
    ploy_path_edge edge = {jump_name(), ployi_jump_cost(def, point), 0.0f, id};
    return edge;
}

bool ploy_jump_is_edge(const ploy_path_edge *edge) {
    return ploy_name_equal(edge->kind, jump_name());
}

const char *ploy_jump_phase_text(ploy_jump_phase phase) {
    static const char *const texts[] = {"idle", "run-up", "running", "now", "impossible", "missed"};
    return (uint32_t)phase < 6 ? texts[phase] : "?";
}

ploy_jump ploy_jump_begin(const ploy_jump_def *def, const ploy_jump_point *point,
                          ploy_vec2 position) {
    ploy_jump out = {*point, {{0.0f, 0.0f}, 0.0f, 0.0f}, position, PLOY_JUMP_IMPOSSIBLE};
    if (!ploy_vec2_is_finite(position) || !jump_point_need(def, point, &out.need)) {
        return out;
    }
    // A tenth more than from rest to that speed, as the velocity is approached and not reached.
    float back = 1.1f * out.need.run_up + def->near_distance +
                 ploy_vec2_length(out.need.velocity) * def->time_to_target;
    ploy_vec2 take_off = ploy_vec2_from_vec3(point->take_off);
    out.start = ploy_vec2_sub(take_off, ploy_vec2_with_length(out.need.velocity, back));
    // Who is behind the start, on the line, may run at once.
    ploy_vec2 behind = ploy_vec2_resolve(ploy_vec2_sub(position, out.start),
                                         ploy_vec2_normalise(out.need.velocity));
    bool lined_up = behind.x <= 0.0f && fabsf(behind.y) <= def->near_distance;
    out.phase = lined_up ? PLOY_JUMP_RUNNING : PLOY_JUMP_RUN_UP;
    return out;
}

static ploy_steering jump_match(const ploy_jump_def *def, ploy_vec2 wanted, ploy_vec2 velocity) {
    ploy_vec2 error = ploy_vec2_scale(ploy_vec2_sub(wanted, velocity), 1.0f / def->time_to_target);
    return ploy_steering_make(ploy_vec2_limit(error, def->max_acceleration), 0.0f);
}

static ploy_steering jump_run_up(const ploy_jump_def *def, ploy_jump *jump, ploy_kinematic agent) {
    ploy_arrive_def arrive = ploy_arrive_def_default();
    arrive.max_speed = def->max_speed;
    arrive.max_acceleration = def->max_acceleration;
    arrive.slow_radius = def->max_speed * def->max_speed / def->max_acceleration;
    arrive.target_radius = 0.25f * def->near_distance;
    arrive.time_to_target = def->time_to_target;
    // Slow enough that the remaining distance back is less than the tolerance.
    bool there = ploy_vec2_distance(agent.position, jump->start) <= 0.5f * def->near_distance &&
                 ploy_vec2_length(agent.velocity) <= def->near_distance;
    if (!there) return ploy_arrive(&arrive, agent, jump->start);
    jump->phase = PLOY_JUMP_RUNNING;
    return ploy_steering_none();
}

ploy_steering ploy_jump_steer(const ploy_jump_def *def, ploy_jump *jump, ploy_kinematic agent) {
    if (!jump_ok(def)) return ploy_steering_invalid();
    if (jump->phase == PLOY_JUMP_RUN_UP) {
        ploy_steering back = jump_run_up(def, jump, agent);
        if (jump->phase == PLOY_JUMP_RUN_UP) return back;
    }
    if (jump->phase != PLOY_JUMP_RUNNING) return ploy_steering_none();
    ploy_vec2 needed = jump->need.velocity;
    ploy_vec2 ahead = ploy_vec2_normalise(needed);
    ploy_vec2 take_off = ploy_vec2_from_vec3(jump->point.take_off);
    ploy_vec2 left = ploy_vec2_resolve(ploy_vec2_sub(take_off, agent.position), ahead);
    bool close_by = ploy_vec2_distance(take_off, agent.position) <= def->near_distance;
    if (close_by &&
        ployi_jump_accepts(jump->point.accept, needed, def->near_speed, agent.velocity)) {
        jump->phase = PLOY_JUMP_NOW;
        return ploy_steering_none();
    }
    if (!ploy_vec2_is_zero(needed) && left.x < -def->near_distance) {
        jump->phase = PLOY_JUMP_MISSED;
        return ploy_steering_none();
    }
    // Along the line at the needed speed, and back onto the line where a push left it.
    float sideways = ploy_clampf(left.y / (4.0f * def->time_to_target), -0.5f * def->max_speed,
                                 0.5f * def->max_speed);
    ploy_vec2 wanted = ploy_vec2_add_scaled(needed, ploy_vec2_perp(ahead), sideways);
    if (ploy_vec2_is_zero(needed)) {
        // A jump on the spot: no run, just be there.
        wanted = ploy_vec2_limit(ploy_vec2_sub(take_off, agent.position), def->max_speed);
    }
    return jump_match(def, wanted, agent.velocity);
}

ploy_vec3 ploy_jump_velocity(const ploy_jump_def *def, const ploy_jump *jump, ploy_vec2 velocity) {
    // AT_LEAST keeps the run's own speed, MATCH corrects what the tolerance left.
    ploy_vec2 flat = jump->point.accept == PLOY_JUMP_MATCH ? jump->need.velocity : velocity;
    return ploy_vec3_from_vec2(flat, def->take_off_speed);
}

ploy_steering ploy_jump_detect(const ploy_jump_def *def, const ploy_scene *scene, uint32_t gaps,
                               ploy_kinematic agent, float look, float radius, float min_speed,
                               bool *jump_now) {
    ploy_scene_hit hit;
    *jump_now = false;
    ploy_vec2 ahead = ploy_vec2_normalise(agent.velocity);
    if (ploy_vec2_is_zero(ahead)) ahead = ploy_angle_heading(agent.orientation);
    if (!jump_ok(def) || !(look > 0.0f)) return ploy_steering_invalid();
    ploy_vec2 to = ploy_vec2_add_scaled(agent.position, ahead, look);
    if (!ploy_scene_ray2(scene, agent.position, to, gaps, &hit)) return ploy_steering_none();
    *jump_now = hit.distance <= radius && ploy_vec2_dot(agent.velocity, ahead) >= min_speed;
    return jump_match(def, ploy_vec2_scale(ahead, def->max_speed), agent.velocity);
}

void ploy_jump_trace(const ploy_jump_def *def, const ploy_jump *jump, ploy_agent_id id,
                     ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, id, "jump", "run-up and take-off");
    static const struct {
        ploy_jump_phase phase;
        const char *why, *why_not;
    } rows[] = {
        {PLOY_JUMP_IDLE, "there is no jump to make", "there is a jump to make"},
        {PLOY_JUMP_RUN_UP, "it is not at the start of the run yet",
         "it is at the start of the run, or past it"},
        {PLOY_JUMP_RUNNING, "it is on its run toward the take-off point",
         "it is not on its run toward the take-off point"},
        {PLOY_JUMP_NOW, "place and velocity are right for the take-off",
         "place or velocity are not right for the take-off"},
        {PLOY_JUMP_MISSED, "it passed the point without the right velocity",
         "it has not passed the take-off point"},
    };
    bool possible = jump->phase != PLOY_JUMP_IMPOSSIBLE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool now = rows[i].phase == jump->phase;
        ploy_trace_option(trace, ploy_jump_phase_text(rows[i].phase),
                          now ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED, NAN,
                          !possible ? "the jump is too high or too far for it"
                          : now     ? rows[i].why
                                    : rows[i].why_not);
    }
    ploy_trace_vec2(trace, "velocity needed", jump->need.velocity.x, jump->need.velocity.y);
    ploy_trace_f32(trace, "speed it has", def->max_speed);
    ploy_trace_f32(trace, "time in the air", jump->need.time);
    ploy_trace_end(trace);
}

static const char *jump_phase_text(int32_t phase) {
    return ploy_jump_phase_text((ploy_jump_phase)phase);
}

static const char *jump_accept_text(int32_t accept) {
    return accept == PLOY_JUMP_MATCH ? "match" : "at least";
}

void ploy_jump_visit(ploy_visit *v, void *object) {
    ploy_jump *jump = object;
    ploy_jump_point *point = &jump->point;
    ploy_visit_struct(v, "jump", jump, sizeof *jump);
    PLOY_VISIT_ENUM(v, "phase", PLOY_STATE, jump->phase, jump_phase_text, PLOY_JUMP_MISSED + 1);
    ploy_visit_vec3(v, "take off", PLOY_STATE, &point->take_off.x, &point->take_off.y,
                    &point->take_off.z);
    ploy_visit_vec3(v, "landing", PLOY_STATE, &point->landing.x, &point->landing.y,
                    &point->landing.z);
    ploy_describe_i64(v->describe, "accept", PLOY_STATE, (int64_t)point->accept);
    PLOY_VISIT_ENUM(v, "accept", PLOY_SAVED, point->accept, jump_accept_text,
                    PLOY_JUMP_AT_LEAST + 1);
    ploy_visit_f32(v, "fail cost", PLOY_SAVED, &point->fail_cost);
    ploy_visit_vec2(v, "velocity authored", PLOY_STATE, &point->velocity.x, &point->velocity.y);
    ploy_visit_vec2(v, "velocity needed", PLOY_STATE, &jump->need.velocity.x,
                    &jump->need.velocity.y);
    ploy_visit_f32(v, "time", PLOY_STATE, &jump->need.time);
    ploy_visit_f32(v, "run up", PLOY_SAVED, &jump->need.run_up);
    ploy_visit_vec2(v, "start", PLOY_STATE, &jump->start.x, &jump->start.y);
}

void ploy_jump_describe(const ploy_jump *jump, ploy_describe *out) {
    ploy_visit_describe(ploy_jump_visit, jump, NULL, out);
}

void ploy_jump_draw(const ploy_jump *jump, ploy_agent_id owner, ploy_draw *out) {
    ploy_vec2 take_off = ploy_vec2_from_vec3(jump->point.take_off);
    ploy_vec2 landing = ploy_vec2_from_vec3(jump->point.landing);
    ploy_style style = jump->phase == PLOY_JUMP_IMPOSSIBLE ? PLOY_STYLE_BAD : PLOY_STYLE_GOOD;
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, owner, jump->start, take_off);
    ploy_draw_arrow(out, PLOY_LAYER_PATHS, style, owner, take_off, landing);
    ploy_draw_circle(out, PLOY_LAYER_PATHS, style, owner, landing, 0.3f);
}

#undef JUMP_SPEED_MAX
