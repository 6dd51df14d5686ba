// Random agents for the tests of movement: ordinary ones, and the odd ones that break formulas.
#pragma once

#include "ploy/base/rng.h"
#include "ploy/geom/angle.h"
#include "ploy/move/kinematic.h"

// A number up to `max` in size: often ordinary, sometimes 0, tiny or as large as allowed.
static inline float scene_number(ploy_rng *rng, float max) {
    switch (ploy_rng_int(rng, 0, 7)) {
    case 0: return 0.0f;
    case 1: return ploy_rng_range(rng, -1e-20f, 1e-20f);
    case 2: return ploy_rng_chance(rng, 0.5f) ? max : -max;
    case 3: return ploy_rng_range(rng, -max, max);
    case 4: return (float)ploy_rng_int(rng, -10, 10);
    default: return ploy_rng_range(rng, -100.0f, 100.0f);
    }
}

// Vectors are drawn component by component: the order in which arguments are evaluated differs
// between compilers, and a seed must mean the same scene everywhere.
static inline ploy_vec2 scene_near2(ploy_rng *rng, float reach) {
    ploy_vec2 v;
    v.x = ploy_rng_range(rng, -reach, reach);
    v.y = ploy_rng_range(rng, -reach, reach);
    return v;
}

static inline ploy_vec3 scene_near3(ploy_rng *rng, float reach) {
    ploy_vec3 v;
    v.x = ploy_rng_range(rng, -reach, reach);
    v.y = ploy_rng_range(rng, -reach, reach);
    v.z = ploy_rng_range(rng, -reach, reach);
    return v;
}

// Whole numbers, so that moving and turning a scene loses no digit.
static inline ploy_vec2 scene_whole2(ploy_rng *rng, int32_t reach) {
    ploy_vec2 v;
    v.x = (float)ploy_rng_int(rng, -reach, reach);
    v.y = (float)ploy_rng_int(rng, -reach, reach);
    return v;
}

static inline ploy_vec2 scene_vec2(ploy_rng *rng, float max) {
    ploy_vec2 v;
    v.x = scene_number(rng, max);
    v.y = scene_number(rng, max);
    return v;
}

static inline ploy_vec3 scene_vec3(ploy_rng *rng, float max) {
    ploy_vec3 v;
    v.x = scene_number(rng, max);
    v.y = scene_number(rng, max);
    v.z = scene_number(rng, max);
    return v;
}

// Components stay below 0.57 of the limits, so that the lengths are within them too.
static inline ploy_kinematic scene_agent(ploy_rng *rng) {
    ploy_kinematic agent;
    agent.position = scene_vec2(rng, 0.57f * PLOY_POSITION_MAX_M);
    agent.orientation = ploy_rng_range(rng, -PLOY_PI_F, PLOY_PI_F);
    agent.velocity = scene_vec2(rng, 0.57f * PLOY_SPEED_MAX_MPS);
    agent.rotation = ploy_rng_range(rng, -5.0f, 5.0f);
    return agent;
}

static inline ploy_kinematic3 scene_agent3(ploy_rng *rng) {
    ploy_kinematic3 agent;
    agent.position = scene_vec3(rng, 0.57f * PLOY_POSITION_MAX_M);
    ploy_vec3 axis = scene_near3(rng, 1.0f);
    agent.orientation = ploy_quat_from_axis_angle(axis, ploy_rng_range(rng, -3.0f, 3.0f));
    agent.velocity = scene_vec3(rng, 0.57f * PLOY_SPEED_MAX_MPS);
    agent.rotation = scene_near3(rng, 5.0f);
    return agent;
}

// Where an agent wants to go: often near it, sometimes exactly there.
static inline ploy_vec2 scene_target(ploy_rng *rng, ploy_vec2 from) {
    switch (ploy_rng_int(rng, 0, 3)) {
    case 0: return from;
    case 1: return ploy_vec2_add(from, scene_near2(rng, 3.0f));
    default: return scene_vec2(rng, 0.57f * PLOY_POSITION_MAX_M);
    }
}

static inline ploy_vec3 scene_target3(ploy_rng *rng, ploy_vec3 from) {
    switch (ploy_rng_int(rng, 0, 3)) {
    case 0: return from;
    case 1: return ploy_vec3_add(from, scene_near3(rng, 3.0f));
    default: return scene_vec3(rng, 0.57f * PLOY_POSITION_MAX_M);
    }
}

// A quarter turn counter-clockwise, exactly.
static inline ploy_vec2 scene_turn(ploy_vec2 v) {
    return ploy_vec2_make(-v.y, v.x);
}

static inline ploy_kinematic scene_turn_agent(ploy_kinematic agent) {
    agent.position = scene_turn(agent.position);
    agent.velocity = scene_turn(agent.velocity);
    agent.orientation = ploy_angle_wrap(agent.orientation + PLOY_HALF_PI_F);
    return agent;
}

// Left and right exchanged.
static inline ploy_vec2 scene_mirror(ploy_vec2 v) {
    return ploy_vec2_make(v.x, -v.y);
}

static inline ploy_kinematic scene_mirror_agent(ploy_kinematic agent) {
    agent.position = scene_mirror(agent.position);
    agent.velocity = scene_mirror(agent.velocity);
    agent.orientation = ploy_angle_wrap(-agent.orientation);
    agent.rotation = -agent.rotation;
    return agent;
}
