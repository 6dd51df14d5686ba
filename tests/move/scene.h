// Random agents for the tests of movement: ordinary ones, and the odd ones that break formulas.
#pragma once

#include <string.h>

#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/geom/angle.h"
#include "ploy/move/combine.h"
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

// Of an ordinary scene: within 20 m, up to 5 m/s, nothing at rest.
static inline ploy_kinematic scene_ordinary(ploy_rng *rng) {
    ploy_kinematic agent;
    agent.position = scene_near2(rng, 20.0f);
    agent.orientation = ploy_rng_range(rng, -3.1f, 3.1f);
    agent.velocity = scene_near2(rng, 5.0f);
    agent.rotation = ploy_rng_range(rng, -2.0f, 2.0f);
    return agent;
}

// The same agent in space, at height zero.
static inline ploy_kinematic3 scene_raise(ploy_kinematic agent) {
    ploy_kinematic3 out;
    out.position = ploy_vec3_from_vec2(agent.position, 0.0f);
    out.orientation = ploy_quat_from_orientation(agent.orientation);
    out.velocity = ploy_vec3_from_vec2(agent.velocity, 0.0f);
    out.rotation = ploy_vec3_make(0.0f, 0.0f, agent.rotation);
    return out;
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

// What a source of steering is told about an agent, at 60 steps a second.
static inline ploy_steering_context scene_context(ploy_kinematic agent) {
    ploy_rng_key key = {0};
    return ploy_steering_context_make(agent, ploy_agent_id_make(1, 1), 1.0f / 60.0f, 0, key);
}

// A trace and a draw sink that count: what was told, and whether every decision was ended.
typedef struct scene_told {
    int32_t depth, decisions, options, winners, items;
    char winner[32]; // the last that won
} scene_told;

static inline void scene_told_begin(void *user, ploy_id agent, const char *topic,
                                    const char *technique) {
    scene_told *told = user;
    (void)agent, (void)topic, (void)technique;
    told->depth++;
    told->decisions++;
}
static inline void scene_told_option(void *user, const char *name, ploy_outcome outcome,
                                     double score, const char *reason) {
    scene_told *told = user;
    (void)score, (void)reason;
    told->options++;
    if (outcome != PLOY_OUTCOME_WON) return;
    told->winners++;
    size_t length = strlen(name) < sizeof told->winner ? strlen(name) : sizeof told->winner - 1;
    memcpy(told->winner, name, length);
    told->winner[length] = 0;
}
static inline void scene_told_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static inline void scene_told_note(void *user, const char *text) {
    (void)user, (void)text;
}
static inline void scene_told_end(void *user) {
    ((scene_told *)user)->depth--;
}
static inline void scene_told_item(void *user, const ploy_draw_item *item) {
    (void)item;
    ((scene_told *)user)->items++;
}

static inline ploy_trace scene_trace(scene_told *told) {
    memset(told, 0, sizeof *told);
    ploy_trace out = {scene_told_begin, scene_told_option, scene_told_value,
                      scene_told_note,  scene_told_end,    told};
    return out;
}
static inline ploy_draw scene_draw(scene_told *told) {
    memset(told, 0, sizeof *told);
    ploy_draw out = {scene_told_item, told, ~0u};
    return out;
}
