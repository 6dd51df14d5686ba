// Every behavior among three others, in every form that it has: the table over which the tests of
// what all behaviors have in common run.
#pragma once

#include "tests/move/behaviors_bodies.h"

#define AMONG_ITSELF "a batch looks at the crowd itself: tested with it"
#define ON_THE_GROUND "of bodies on the ground"
#define VARIANT "the same function with another setting"
#define MADE_OF_ONES "made of behaviors that each have their forms"
#define ONE_AGENT "of one agent's own plan"

// Four forms, whether only relative motion counts, whether it is smooth.
#define ALL_FORMS(name, fn, many, relative, smooth) \
    { name, fn, fn##3, many, many##3, NULL, relative, false, smooth, NULL }

static const behavior behaviors[] = {
    ALL_FORMS("seek", seek_one, seek_many, false, true),
    {"seek full", seek_full, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    ALL_FORMS("flee", flee_one, flee_many, false, true),
    ALL_FORMS("arrive", arrive_one, arrive_many, false, true),
    ALL_FORMS("pursue", pursue_one, pursue_many, false, true),
    ALL_FORMS("evade", evade_one, evade_many, false, true),
    ALL_FORMS("intercept", intercept_one, intercept_many, false, true),
    {"intercept exact", intercept_exact, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    ALL_FORMS("fly by", fly_by_one, fly_by_many, false, true),
    ALL_FORMS("follow", follow_one, follow_many, false, true),
    ALL_FORMS("interpose", interpose_one, interpose_many, false, true),
    ALL_FORMS("offset pursuit", offset_one, offset_many, false, true),
    ALL_FORMS("align", align_one, align_many, false, true),
    ALL_FORMS("face", face_one, face_many, false, true),
    ALL_FORMS("look", look_one, look_many, false, true),
    ALL_FORMS("match velocity", match_one, match_many, true, true),
    ALL_FORMS("match rotation", rotation_one, rotation_many, true, true),
    ALL_FORMS("path rabbit", path_rabbit, path_rabbit_many, false, true),
    ALL_FORMS("path predictive", path_predictive, path_predictive_many, false, true),
    ALL_FORMS("path tube", path_tube, path_tube_many, false, false),
    ALL_FORMS("avoid obstacles", obstacle_one, obstacle_many, false, false),
    ALL_FORMS("hide", hide_one, hide_many, false, false),
    {"avoid collision", collision_one, collision_one3, NULL, NULL, NULL, true, false, false,
     AMONG_ITSELF},
    {"avoid cone", cone_one, cone_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"flock", flock_one, flock_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"flock inverse square", flock_square, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    {"flock linear", flock_linear, NULL, NULL, NULL, NULL, false, false, true, VARIANT},
    {"contain", contain_one, contain_one3, contain_many, contain_many3, NULL, false, true, false,
     NULL},
    ALL_FORMS("waypoints", waypoints_one, waypoints_many, false, true),
    ALL_FORMS("spline follow", spline_one, spline_many, false, true),
    ALL_FORMS("flow", flow_one, flow_many, false, true),
    {"walls single", walls_single, NULL, NULL, NULL, NULL, false, false, false, VARIANT},
    {"walls parallel", walls_parallel, NULL, NULL, NULL, NULL, false, false, false, VARIANT},
    {"walls fan", walls_fan, NULL, walls_fan_many, NULL, NULL, false, false, false,
     "feelers lie in the plane; space has the swept form"},
    ALL_FORMS("walls swept", walls_swept, walls_swept_many, false, false),
    {"wall follow", wall_follow_one, NULL, wall_follow_many, NULL, wall_follow_right, false, false,
     false, ON_THE_GROUND},
    {"pipeline", pipeline_one, NULL, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"combine sum", combine_sum, NULL, NULL, NULL, NULL, false, false, false, MADE_OF_ONES},
    {"combine running sum", combine_running, NULL, NULL, NULL, NULL, false, false, false,
     MADE_OF_ONES},
    {"combine priority", combine_priority, NULL, NULL, NULL, NULL, false, false, false,
     MADE_OF_ONES},
    {"motor filter", motor_filtered, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor human", motor_human, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor car", motor_car, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor motorbike", motor_bike, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"motor tank", motor_tank, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"moves", moves_one, NULL, NULL, NULL, moves_mirrored, false, false, false, ONE_AGENT},
    {"maneuver", maneuver_one, NULL, NULL, NULL, maneuver_mirrored, false, false, false, ONE_AGENT},
    {"jump", jump_one, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"formation slot", slot_one, NULL, NULL, NULL, NULL, false, false, true, ON_THE_GROUND},
    {"errand", errand_one, NULL, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"craft", craft_one, NULL, NULL, NULL, NULL, false, false, false, ON_THE_GROUND},
    {"pursue relative", pursue_relative, pursue_relative3, NULL, NULL, NULL, true, false, true,
     VARIANT},
    {"evade relative", evade_relative, evade_relative3, NULL, NULL, NULL, true, false, true,
     VARIANT},
    {"separate", separate_one, separate_one3, NULL, NULL, NULL, true, false, true, AMONG_ITSELF},
    {"conform", conform_one, conform_one3, NULL, NULL, NULL, true, false, true, AMONG_ITSELF},
    {"cohere", cohere_one, cohere_one3, NULL, NULL, NULL, false, false, true, AMONG_ITSELF},
    {"orca", orca_one, NULL, NULL, NULL, NULL, false, false, false, AMONG_ITSELF},
    {"context", context_one, NULL, NULL, NULL, NULL, false, true, false, ON_THE_GROUND},
    {"pass by", pass_by_one, pass_by_one3, NULL, NULL, NULL, false, false, false, ONE_AGENT},
    {"agitate", agitate_one, agitate_one3, NULL, NULL, NULL, false, false, false, ONE_AGENT},
};
