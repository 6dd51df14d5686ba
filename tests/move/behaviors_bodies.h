// Combinations, bodies, patterns, relative motion and velocities, for the table in behaviors.h.
#pragma once

#include "tests/move/behaviors_levels.h"

static ploy_steering pipeline_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_steering_goal goal = ploy_steering_goal_at(o[0].position);
    ploy_keep_out circles[2] = {ploy_keep_out_make(o[1].position, 2.0f, 1.4f),
                                ploy_keep_out_make(o[2].position, 2.0f, 1.4f)};
    ploy_plain_actuator actuator = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&actuator));
    ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal));
    for (int i = 0; i < 2; i++) {
        ploy_pipeline_add_constraint(&pipeline, ploy_keep_out_constraint(&circles[i]));
    }
    ploy_steering_context context = scene_context(agent);
    return ploy_pipeline_steer(&pipeline, &context, NULL);
}

static ploy_steering combined(ploy_combine_mode mode, ploy_kinematic agent,
                              const ploy_kinematic *o) {
    ploy_collision_def collision = collision_def();
    ploy_pursue_def pursue = ploy_pursue_def_default();
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_steering_source avoid, chase;
    ploy_avoid_collision_source(&collision, &others, -1, NULL, &avoid);
    ploy_pursue_source(&pursue, o, NULL, &chase);
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    ploy_combination combination;
    ploy_combination_init(&combination, &def, NULL);
    ploy_combination_add(&combination, "avoid", avoid, 1.0f);
    ploy_combination_add(&combination, "chase", chase, 0.7f);
    combination.parts[1].group = 1;
    ploy_steering_context context = scene_context(agent);
    return ploy_combine(&combination, &context);
}
static ploy_steering combine_sum(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_SUM, agent, o);
}
static ploy_steering combine_running(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_RUNNING_SUM, agent, o);
}
static ploy_steering combine_priority(ploy_kinematic agent, const ploy_kinematic *o) {
    return combined(PLOY_COMBINE_PRIORITY, agent, o);
}

static ploy_steering motor_filtered(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_motor_def def = ploy_motor_def_of(PLOY_MOTOR_CAR);
    return ploy_motor_filter(&def, agent, pursue_one(agent, o), false, false);
}
// The controls of a body as a request: throttle less brake along the nose, and the turn.
static ploy_steering driven(ploy_motor_body body, ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_motor_def def = ploy_motor_def_of(body);
    ploy_motor_output out = ploy_motor_control(&def, agent, o[0].position);
    ploy_steering_parts parts = {out.throttle - out.brake, 0.0f, 0.0f};
    ploy_steering steering = ploy_steering_join(parts, agent);
    steering.linear = ploy_vec2_add(steering.linear, ploy_vec2_limit(out.velocity, 10.0f));
    steering.angular = out.rotation;
    return steering;
}
static ploy_steering motor_human(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_HUMAN, agent, o);
}
static ploy_steering motor_car(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_CAR, agent, o);
}
static ploy_steering motor_bike(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_MOTORBIKE, agent, o);
}
static ploy_steering motor_tank(ploy_kinematic agent, const ploy_kinematic *o) {
    return driven(PLOY_MOTOR_TANK, agent, o);
}

// A move of two metres after a turn to the left; a maneuver to the left. Where it then looks.
static ploy_steering moves_by(float turn, ploy_kinematic agent) {
    ploy_move list[] = {{turn, 2.0f, {0}}};
    ploy_moves moves = {list, 1, PLOY_MOVES_LOOP};
    ploy_moves_state state;
    ploy_kinematic moved = agent;
    memset(&state, 0, sizeof state);
    ploy_moves_step(&moves, &state, &moved, NULL);
    return ploy_steering_make(ploy_angle_heading(moved.orientation), 0.0f);
}
static ploy_steering moves_one(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return moves_by(0.7f, agent);
}
static ploy_steering moves_mirrored(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return moves_by(-0.7f, agent);
}
// side is 1 to the left.
static ploy_steering maneuver_by(float side, ploy_kinematic agent) {
    ploy_maneuver list[] = {{side, 1.0f, 1.5f, 0.0f}};
    ploy_maneuvers maneuvers = {list, 1, 1, 0.05f};
    // Begun with another heading, so that a part of the turn is done.
    ploy_kinematic begun = agent;
    begun.orientation = ploy_angle_wrap(agent.orientation - 0.5f * side);
    ploy_maneuver_state state = ploy_maneuver_begin(begun);
    ploy_maneuver_output out = {0.0f, 0.0f};
    ploy_maneuver_step(&maneuvers, &state, agent, &out);
    ploy_steering_parts parts = {out.thrust, out.steer, 0.0f};
    return ploy_steering_join(parts, agent);
}
static ploy_steering maneuver_one(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return maneuver_by(1.0f, agent);
}
static ploy_steering maneuver_mirrored(ploy_kinematic agent, const ploy_kinematic *o) {
    (void)o;
    return maneuver_by(-1.0f, agent);
}

static ploy_steering jump_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_jump_def def = ploy_jump_def_default();
    ploy_vec2 way = ploy_vec2_with_length(ploy_vec2_sub(o[1].position, o[0].position), 3.0f);
    ploy_jump_point point = {ploy_vec3_from_vec2(o[0].position, 0.0f),
                             ploy_vec3_from_vec2(ploy_vec2_add(o[0].position, way), 0.0f),
                             PLOY_JUMP_AT_LEAST,
                             1.0f,
                             {0, 0}};
    ploy_jump jump = ploy_jump_begin(&def, &point, agent.position);
    return ploy_jump_steer(&def, &jump, agent);
}

// To a slot straight behind the first one, as a formation places it.
static ploy_steering slot_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_arrive_def def = ploy_arrive_def_default();
    ploy_place anchor = {o[0].position, o[0].orientation};
    ploy_place slot_in = {ploy_vec2_from_vec3(slot), 0.0f};
    return ploy_arrive(&def, agent, ploy_place_in(slot_in, anchor).position);
}

static ploy_steering errand_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_errand_def def = ploy_errand_def_default();
    ploy_errand_stop stops[2] = {{o[0].position, 5.0f}, {o[1].position, 5.0f}};
    ploy_errand errand = ploy_errand_begin(&def, stops, 2, o[2].position);
    ploy_steering_context context = scene_context(agent);
    return ploy_errand_steer(&errand, &context);
}

static ploy_steering craft_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_craft_def craft = ploy_craft_def_default();
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    ploy_craft_controls controls = {1.0f, ploy_craft_flock(&def, agent, &others, -1)};
    return ploy_craft_forces(&craft, agent, controls);
}

// ---- those to whom only relative motion matters ----

static ploy_pursue_def pursue_relative_def(void) {
    ploy_pursue_def def = ploy_pursue_def_default();
    def.predict.method = PLOY_PREDICTION_RELATIVE;
    return def;
}
static ploy_steering pursue_relative(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_pursue_def def = pursue_relative_def();
    return ploy_pursue(&def, agent, o[0]);
}
static ploy_steering3 pursue_relative3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_pursue_def def = pursue_relative_def();
    return ploy_pursue3(&def, agent, o[0]);
}
static ploy_steering evade_relative(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_evade_def def = ploy_evade_def_default();
    def.predict = pursue_relative_def().predict;
    return ploy_evade(&def, agent, o[0]);
}
static ploy_steering3 evade_relative3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_evade_def def = ploy_evade_def_default();
    def.predict = pursue_relative_def().predict;
    return ploy_evade3(&def, agent, o[0]);
}

// One rule of flocking by itself.
static ploy_neighbours seen_by(const ploy_flock_def *def, ploy_kinematic agent,
                               const ploy_kinematic *o) {
    ploy_kinematics others = ploy_kinematics_of((ploy_kinematic *)o, OTHERS);
    return ploy_neighbours_find(def, agent, &others, -1);
}
static ploy_neighbours3 seen_by3(const ploy_flock_def *def, ploy_kinematic3 agent,
                                 const ploy_kinematic3 *o) {
    ploy_kinematics3 others = ploy_kinematics3_of((ploy_kinematic3 *)o, OTHERS);
    return ploy_neighbours3_find(def, agent, &others, -1);
}
static ploy_steering separate_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_separate(&def, &seen);
}
static ploy_steering3 separate_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_separate3(&def, &seen);
}
static ploy_steering conform_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_conform(&def, agent, &seen);
}
static ploy_steering3 conform_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_conform3(&def, agent, &seen);
}
static ploy_steering cohere_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours seen = seen_by(&def, agent, o);
    return ploy_cohere(&def, agent, &seen);
}
static ploy_steering3 cohere_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_flock_def def = flock_def(PLOY_SEPARATION_INVERSE);
    ploy_neighbours3 seen = seen_by3(&def, agent, o);
    return ploy_cohere3(&def, agent, &seen);
}

// ---- what answers with a velocity or a direction, as a request no longer than others' ----

static ploy_steering orca_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_orca_def def = ploy_orca_def_default();
    def.range = 50.0f;
    ploy_orca_agent self = ploy_orca_agent_make(agent.position, 1.0f, 6.0f, 0);
    ploy_orca_agent others[OTHERS];
    self.velocity = self.wanted = agent.velocity;
    for (int32_t i = 0; i < OTHERS; i++) {
        others[i] = ploy_orca_agent_make(o[i].position, 1.0f, 6.0f, (uint32_t)i + 1);
        others[i].velocity = o[i].velocity;
    }
    ploy_orca_result found = ploy_orca_find(&def, &self, others, OTHERS, NULL, 0, 0.1f, NULL);
    return ploy_steering_make(ploy_vec2_limit(found.velocity, 10.0f), 0.0f);
}

// To the first, keeping off the other two.
static ploy_steering context_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_context_def def = ploy_context_def_default();
    ploy_context context;
    ploy_context_init(&context, &def);
    ploy_context_add_interest(&context, ploy_vec2_sub(o[0].position, agent.position), 1.0f);
    for (int32_t i = 1; i < OTHERS; i++) {
        ploy_context_add_body(&context, agent.position, o[i].position, 2.0f, 20.0f);
    }
    ploy_context_choice choice = ploy_context_decide(&context, &def, -1);
    if (choice.slot < 0) return ploy_steering_none();
    return ploy_steering_make(choice.direction, 0.0f);
}

static ploy_steering pass_by_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_vec2 way = ploy_pass_by(agent.position, agent.velocity, o[0].position, 1.0f, 30.0f);
    return ploy_steering_make(ploy_vec2_limit(way, 10.0f), 0.0f);
}
static ploy_steering3 pass_by_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_vec3 way = ploy_pass_by3(agent.position, agent.velocity, o[0].position, 1.0f, 30.0f);
    return ploy_steering3_make(ploy_vec3_limit(way, 10.0f), ploy_vec3_zero());
}

// Out of patience with the first.
static ploy_steering agitate_one(ploy_kinematic agent, const ploy_kinematic *o) {
    ploy_agitate_def def = ploy_agitate_def_default();
    float waited = 2.0f * def.patience;
    float side = ploy_vec2_cross(agent.velocity, ploy_vec2_sub(o[0].position, agent.position));
    ploy_vec2 kick = ploy_agitate(&def, &waited, agent.velocity, side, 0.01f);
    return ploy_steering_make(ploy_vec2_limit(kick, 10.0f), 0.0f);
}
static ploy_steering3 agitate_one3(ploy_kinematic3 agent, const ploy_kinematic3 *o) {
    ploy_agitate_def def = ploy_agitate_def_default();
    float waited = 2.0f * def.patience;
    ploy_vec3 toward = ploy_vec3_sub(o[0].position, agent.position);
    ploy_vec3 kick = ploy_agitate3(&def, &waited, agent.velocity, toward, 0.01f);
    return ploy_steering3_make(ploy_vec3_limit(kick, 10.0f), ploy_vec3_zero());
}

// Why forms are missing.
