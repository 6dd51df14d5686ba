// Errands and groups of movers; described in the header.
#include "ploy/move/errand.h"

#include "move/move_internal.h"

#include "move/source_internal.h"
#include "move/steer_internal.h"
#include "ploy/move/integrate.h"

static const ploy_field errand_fields[] = {
    PLOY_FIELD_F32(ploy_errand_def, pull, 6, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "toward the next stop"),
    PLOY_FIELD_F32(ploy_errand_def, goal_radius, 1, 0, PLOY_POSITION_MAX_M, "m",
                   "from the goal that is there"),
    PLOY_FIELD_DEF(ploy_errand_def, agitate, ploy_agitate_fields, "when nothing is reached"),
};

static const ploy_field errand_movers_fields[] = {
    PLOY_FIELD_F32(ploy_movers_def, max_acceleration, 30, 0, PLOYI_ACCELERATION_MAX, "m/s^2",
                   "largest change of velocity"),
    PLOY_FIELD_F32(ploy_movers_def, max_speed, 5, 0, PLOY_SPEED_MAX_MPS, "m/s", "largest speed"),
    PLOY_FIELD_F32(ploy_movers_def, cruise_speed, 2, 0, PLOY_SPEED_MAX_MPS, "m/s",
                   "where the speed goes by itself; 0 means nowhere"),
    PLOY_FIELD_F32(ploy_movers_def, cruise_time, 0.5, 0, PLOYI_TIME_MAX, "s",
                   "to get most of the distance there"),
    PLOY_FIELD_VEC2(ploy_movers_def, scale, 1, 1, -1e3, 1e3, "", "of the change along x and y"),
};

ploy_fields ploy_errand_fields(void) {
    return PLOY_FIELDS(ploy_errand_def, errand_fields);
}

ploy_errand_def ploy_errand_def_default(void) {
    ploy_errand_def def;
    ploy_fields_default(ploy_errand_fields(), &def);
    return def;
}

ploy_fields ploy_movers_fields(void) {
    return PLOY_FIELDS(ploy_movers_def, errand_movers_fields);
}

ploy_movers_def ploy_movers_def_default(void) {
    ploy_movers_def def;
    ploy_fields_default(ploy_movers_fields(), &def);
    return def;
}

ploy_errand ploy_errand_begin(const ploy_errand_def *def, const ploy_errand_stop *stops,
                              int32_t count, ploy_vec2 goal) {
    bool some = stops != NULL && count > 0;
    ploy_errand errand = {def, stops, some ? count : 0, 0, goal, 0.0f, false};
    return errand;
}

static bool errand_within(ploy_vec2 position, ploy_vec2 point, float radius) {
    return ploy_vec2_distance_sq(position, point) < radius * radius;
}

ploy_steering ploy_errand_steer(ploy_errand *errand, const ploy_steering_context *context) {
    const ploy_errand_def *def = errand->def;
    if (!ployi_acceleration_ok(def->pull) || !ployi_distance_ok(def->goal_radius)) {
        return ploy_steering_invalid();
    }
    ploy_kinematic agent = context->agent;
    errand->next = ploy_mini(ploy_maxi(errand->next, 0), errand->stop_count);
    // One stop a step: an agent within several passes them in as many steps.
    if (errand->next < errand->stop_count) {
        const ploy_errand_stop *stop = &errand->stops[errand->next];
        if (errand_within(agent.position, stop->position, stop->radius)) {
            errand->next++;
            errand->waited = 0.0f;
        }
    }
    bool last = errand->next == errand->stop_count;
    ploy_vec2 aim = last ? errand->goal : errand->stops[errand->next].position;
    errand->arrived = last && errand_within(agent.position, errand->goal, def->goal_radius);
    if (errand->arrived) {
        errand->waited = 0.0f;
        bool stands = !(ploy_vec2_length_sq(agent.velocity) > PLOYI_TINY_SQUARED);
        if (stands || !(context->dt > 0.0f)) return context->earlier;
        ploy_vec2 brake = ploy_vec2_scale(agent.velocity, -1.0f / context->dt);
        return ploy_steering_make(ploy_vec2_limit(brake, (float)PLOYI_ACCELERATION_MAX), 0.0f);
    }
    ploy_vec2 offset = ploy_vec2_sub(aim, agent.position);
    ploy_vec2 own = ployi_planar(ployi_times(ployi_unit(ployi_plane(offset), 2), def->pull));
    ploy_vec2 steering = ploy_vec2_add(context->earlier.linear, own);
    // What is turned across is the desired motion, not the change of it: a kick of the change alone
    // would be lost in an orbit.
    ploy_vec2 motion = ploy_vec2_add_scaled(agent.velocity, steering, context->dt);
    ploy_vec2 kicked = ploy_agitate(&def->agitate, &errand->waited, motion,
                                    ploy_vec2_cross(agent.velocity, offset), context->dt);
    if (!ploy_vec2_equal(kicked, motion) && context->dt > 0.0f) {
        steering = ploy_vec2_scale(ploy_vec2_sub(kicked, agent.velocity), 1.0f / context->dt);
        steering = ploy_vec2_limit(steering, (float)PLOYI_ACCELERATION_MAX);
    }
    return ploy_steering_make(steering, context->earlier.angular);
}

static ploy_steering errand_source_steer(const ploy_steering_source *source,
                                         const ploy_steering_context *context) {
    return ploy_errand_steer(source->state, context);
}

static void errand_source_visit(ploy_visit *v, const ploy_steering_source *source) {
    ploy_errand_visit(v, source->state);
}

static const ploy_steering_type errand_type = {
    "errand", errand_source_steer, NULL, errand_source_visit, sizeof(ploy_errand), false, true};

ploy_result ploy_errand_source(ploy_errand *errand, const ploy_env *env,
                               ploy_steering_source *out) {
    ploy_steering_source source = ploy_steering_source_make(&errand_type, errand);
    source.def = errand != NULL ? errand->def : NULL;
    return ployi_source_publish(ploy_errand_fields(), &source, errand == NULL, env, out);
}

void ploy_errand_visit(ploy_visit *v, void *object) {
    ploy_errand *errand = object;
    ploy_visit_struct(v, "errand", errand, sizeof *errand);
    PLOY_VISIT_SCRATCH(v, errand->def);
    PLOY_VISIT_SCRATCH(v, errand->stops);
    PLOY_VISIT_SCRATCH(v, errand->stop_count);
    ploy_value stops = ploy_value_i64(errand->stop_count); // they are the caller's
    ploy_visit_same(v, "stops", PLOY_STATE, &stops);
    ploy_visit_i32_in(v, "next stop", PLOY_STATE, &errand->next, 0, errand->stop_count);
    ploy_visit_vec2(v, "goal", PLOY_STATE, &errand->goal.x, &errand->goal.y);
    ploy_visit_f32_in(v, "waited", PLOY_STATE, &errand->waited, 0.0f, INFINITY);
    ploy_visit_bool(v, "arrived", PLOY_STATE, &errand->arrived);
}

void ploy_errand_describe(const ploy_errand *errand, ploy_describe *out) {
    ploy_visit_describe(ploy_errand_visit, errand, NULL, out);
}

void ploy_errand_draw(const ploy_errand *errand, ploy_vec2 position, ploy_agent_id owner,
                      ploy_draw *out) {
    ploy_vec2 from = position;
    for (int32_t i = ploy_maxi(errand->next, 0); i < errand->stop_count; i++) {
        const ploy_errand_stop *stop = &errand->stops[i];
        ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, owner, from, stop->position);
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_GHOST, owner, stop->position,
                         stop->radius);
        from = stop->position;
    }
    ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, owner, from, errand->goal);
}

// ---- movers ----

static bool errand_movers_ok(const ploy_movers_def *def) {
    return ployi_acceleration_ok(def->max_acceleration) && ployi_speed_ok(def->max_speed) &&
           ployi_speed_ok(def->cruise_speed) && ployi_within(def->cruise_time, 0, PLOYI_TIME_MAX) &&
           ployi_within(def->scale.x, -1e3, 1e3) && ployi_within(def->scale.y, -1e3, 1e3);
}

// Would this request, carried out in full, stop it in this step?
static bool errand_brakes(ploy_vec2 steering, ploy_vec2 velocity, float dt) {
    ploy_vec2 after = ploy_vec2_add_scaled(velocity, steering, dt);
    return ploy_vec2_length_sq(after) < 0.01f * ploy_vec2_length_sq(velocity);
}

ploy_kinematic ploy_mover_step(const ploy_movers_def *def, ploy_kinematic agent,
                               ploy_steering steering, float dt) {
    if (!errand_movers_ok(def) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) return agent;
    ploy_vec2 change = ploy_vec2_scale(ploy_vec2_limit(steering.linear, def->max_acceleration), dt);
    bool braking = errand_brakes(steering.linear, agent.velocity, dt);
    agent.velocity.x += change.x * def->scale.x;
    agent.velocity.y += change.y * def->scale.y;
    float speed = ploy_vec2_length(agent.velocity);
    if (def->cruise_speed > 0.0f && !braking && speed > 0.0f) {
        float part = def->cruise_time > 0.0f ? 1.0f - ploy_expf(-dt / def->cruise_time) : 1.0f;
        if (!(dt > 0.0f)) part = 0.0f;
        speed += (def->cruise_speed - speed) * part;
        agent.velocity = ploy_vec2_with_length(agent.velocity, speed);
    }
    ploy_integrate_def motion = ploy_integrate_def_default();
    motion.max_speed = def->max_speed;
    return ploy_integrate(&motion, agent, ploy_steering_none(), dt);
}

ploy_result ploy_movers_think(const ploy_kinematics *agents, int32_t first, int32_t count,
                              const ploy_combination *minds, int32_t mind_count,
                              const ploy_steering_context *context, const ploy_steerings *out) {
    if (minds == NULL || context == NULL || agents == NULL) return PLOY_ERR_ARGUMENT;
    if (mind_count != 1 && mind_count != agents->count) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings_check(out, first, count);
    if (result != PLOY_OK) return result;
    ploy_steering_context own = *context;
    for (int32_t i = first; i < first + count; i++) {
        own.agent = ploy_kinematics_get(agents, i);
        own.id = ploy_agent_id_make((uint32_t)i + 1, 1);
        ploy_steerings_set(out, i, ploy_combine(&minds[mind_count == 1 ? 0 : i], &own));
    }
    return PLOY_OK;
}

ploy_result ploy_movers_move(const ploy_movers_def *def, const ploy_kinematics *agents,
                             int32_t first, int32_t count, const ploy_steerings *steerings,
                             float dt) {
    if (def == NULL || !errand_movers_ok(def) || !ployi_within(dt, 0, PLOY_DT_MAX_S)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ployi_kinematics_check(agents, first, count);
    if (result == PLOY_OK) result = ployi_steerings_check_in(steerings, first, count);
    if (result != PLOY_OK) return result;
    for (int32_t i = first; i < first + count; i++) {
        ploy_kinematic agent = ploy_kinematics_get(agents, i);
        ploy_steering steering = ploy_steerings_get(steerings, i);
        ploy_kinematics_set(agents, i, ploy_mover_step(def, agent, steering, dt));
    }
    return PLOY_OK;
}
