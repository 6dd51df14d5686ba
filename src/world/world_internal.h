// Shared between the files of world.
#pragma once

#include "ploy/world/sight.h"

// An observer made ready for many tests: what does not depend on the target.
typedef struct ployi_sight_view {
    const ploy_sight_observer *observer;
    const ploy_sight_def *def;
    const ploy_sight_world *world;
    ploy_vec3 eye;
    ploy_quat back; // from the world into the eye's frame
    float half;     // rad, of the cone on the level, searching included
    float half_cos;
    float level_cos; // of half the vertical angle
    float range_sq;  // m^2
} ployi_sight_view;

ployi_sight_view ployi_sight_view_make(const ploy_sight_observer *observer,
                                       const ploy_sight_world *world);

// The test of ploy_sight_test without its trace.
ploy_sight ployi_sight_examine(const ployi_sight_view *view, const ploy_sight_target *target);

// A box grown by a millionth of how far it reaches from the origin: far above what rounding takes
// from it, so that an index that is asked with it misses nobody.
ploy_box2 ployi_zone_slack_box(ploy_box2 box);
