// The parameters of Raven. Values come from Buckland, "Programming Game AI by Example", 2005,
// chapters 7 to 10, with 20 pixels to a metre and 60 ticks to a second.
#include "games/raven/raven.h"

#include <stddef.h>

#include "ploy/base/math.h"

static const char *const params_maps[] = {"dm1", "doors", "large", "cross"};
static const char *const params_navigations[] = {"coarse", "fine", "mesh", "rooms"};
static const char *const params_smoothings[] = {"off", "quick", "precise"};
static const char *const params_noises[] = {"uniform", "fuzzy"};
static const char *const params_spreads[] = {"uniform", "triangular"};

#define PARAMS_BRAIN(name) #name,
static const char *const params_brains[] = {RAVEN_BRAINS(PARAMS_BRAIN)};

// A float that is fixed at create: the level is built from it.
#define PARAMS_F32_FIXED(member, initial, least, most, unit, help)                  \
    {                                                                               \
#member, PLOY_FIELD_TYPE_F32, false, (uint32_t)offsetof(raven_def, member), \
            {initial, 0, 0 }, least, most, unit, help, NULL, 0, NULL                \
    }

static const ploy_field params_skill[] = {
    PLOY_FIELD_F32(raven_skill, reaction, 0.2, 0, 5, "s",
                   "how long a target must be visible before the first shot"),
    PLOY_FIELD_F32(raven_skill, persistence, 1, 0, 20, "s",
                   "how long a bot aims at the place where its target disappeared"),
    PLOY_FIELD_F32(raven_skill, accuracy, 0.06, 0, 1.5, "rad", "largest deviation of a shot"),
    PLOY_FIELD_F32(raven_skill, turn_rate, 12, 0.1, 200, "rad/s", "of the facing"),
    PLOY_FIELD_F32(raven_skill, fov, 3.1415927, 0.1, 6.2831853, "rad", "field of view"),
    PLOY_FIELD_F32(raven_skill, memory, 5, 0, 120, "s", "how long an opponent is remembered"),
    PLOY_FIELD_F32(raven_skill, vision_rate, 4, -1, 60, "1/s",
                   "looks around; 0: in every tick, below 0: never"),
    PLOY_FIELD_F32(raven_skill, target_rate, 2, -1, 60, "1/s", "choices of a target"),
    PLOY_FIELD_F32(raven_skill, weapon_rate, 2, -1, 60, "1/s", "choices of a weapon"),
    PLOY_FIELD_F32(raven_skill, arbitration_rate, 2, -1, 60, "1/s", "choices of a strategy"),
    PLOY_FIELD_BOOL(raven_skill, lead, true, "aims ahead of a moving target"),
};

ploy_fields raven_skill_fields(void) {
    return PLOY_FIELDS(raven_skill, params_skill);
}

static const ploy_field params_target[] = {
    PLOY_FIELD_F32(raven_target_weights, distance, 1, 0, 100, "1/m", "nearer is better"),
    PLOY_FIELD_F32(raven_target_weights, angle, 0, 0, 100, "1/rad", "less to turn is better"),
    PLOY_FIELD_F32(raven_target_weights, unaware, 0, -100, 100, "", "it faces away"),
    PLOY_FIELD_F32(raven_target_weights, visible, 0, -100, 100, "", "it is in view"),
    PLOY_FIELD_F32(raven_target_weights, time_visible, 0, -100, 100, "1/s",
                   "for each second that it has been in view"),
    PLOY_FIELD_F32(raven_target_weights, armed, 0, -100, 100, "",
                   "it is in view and holds more than the blaster"),
    PLOY_FIELD_F32(raven_target_weights, shootable, 0, -100, 100, "", "nothing is in between"),
    PLOY_FIELD_F32(raven_target_weights, damage, 0, -100, 100, "",
                   "for each point of damage that it did lately"),
    PLOY_FIELD_F32(raven_target_weights, revenge, 0, -100, 100, "",
                   "for each time that it killed the bot"),
    PLOY_FIELD_F32(raven_target_weights, prey, 0, -100, 100, "",
                   "for each time that the bot killed it"),
    PLOY_FIELD_F32(raven_target_weights, range, 0, 0, 100, "1/m",
                   "nearer to the ideal range of the bot's weapon is better"),
    PLOY_FIELD_F32(raven_target_weights, threat, 0, -100, 100, "",
                   "the bot is within the ideal range of its weapon"),
    PLOY_FIELD_F32(raven_target_weights, margin, 0, 0, 100, "",
                   "by which another must be better than the current target"),
};

ploy_fields raven_target_fields(void) {
    return PLOY_FIELDS(raven_target_weights, params_target);
}

static const ploy_field params_items[] = {
    PLOY_FIELD_ENUM_FIXED(raven_def, map, RAVEN_LEVEL_DM1, params_maps, "the level"),
    PLOY_FIELD_I32(raven_def, bots, 8, 1, RAVEN_BOTS_MAX, "", "bots that take part"),
    PLOY_FIELD_I32_FIXED(raven_def, sides, 1, 1, RAVEN_SIDES_MAX, "",
                         "teams; 1: each bot against all others"),
    PLOY_FIELD_BOOL(raven_def, friendly_fire, false, "shots hurt bots of the same side"),
    PLOY_FIELD_I32(raven_def, kill_limit, 0, 0, 1000000, "",
                   "the match ends at this many kills of a side or bot; 0: never"),
    PLOY_FIELD_F32(raven_def, time_limit, 0, 0, 1e6, "s", "the match ends; 0: never"),
    PLOY_FIELD_ENUM_FIXED(raven_def, brain, 0, params_brains, "what decides for the bots"),
    PLOY_FIELD_ENUM(raven_def, navigation, RAVEN_NAVIGATION_FINE, params_navigations,
                    "what paths are searched on"),
    PLOY_FIELD_ENUM(raven_def, smoothing, RAVEN_SMOOTHING_PRECISE, params_smoothings,
                    "how paths are straightened"),
    PLOY_FIELD_I32(raven_def, search_units, 1000, 1, 1000000, "",
                   "nodes that all searches take in a tick"),
    PLOY_FIELD_BOOL(raven_def, replanning, true, "bots that are stuck plan again"),
    PLOY_FIELD_F32(raven_def, stuck_margin, 2, 0.1, 60, "s",
                   "beyond the expected time of an edge before a bot counts as stuck"),
    PLOY_FIELD_F32(raven_def, waypoint_distance, 0.25, 0.05, 5, "m",
                   "near enough to a point of a path"),
    PARAMS_F32_FIXED(node_spacing, 1, 0.4, 10, "m", "between nodes of the fine graph"),
    PLOY_FIELD_BOOL(raven_def, doors, true, "doors are closed; off: always open"),
    PLOY_FIELD_F32(raven_def, door_open, 6, 0.1, 600, "s", "how long a door stays open"),
    PLOY_FIELD_F32(raven_def, door_speed, 2, 0.1, 50, "m/s", "how fast a door slides"),
    PLOY_FIELD_F32(raven_def, button_reach, 0.8, 0.1, 5, "m",
                   "from a bot to the button it presses"),
    PLOY_FIELD_F32(raven_def, grave, 5, 0, 600, "s", "how long a grave is shown"),
    PLOY_FIELD_F32(raven_def, max_health, 100, 1, 10000, "", "health, also at the start"),
    PLOY_FIELD_F32(raven_def, health_respawn, 10, 0.05, 3600, "s", "until a health pack is back"),
    PLOY_FIELD_F32(raven_def, weapon_respawn, 15, 0.05, 3600, "s", "until a weapon is back"),
    PLOY_FIELD_F32(raven_def, giver_range, 0.5, 0.05, 5, "m", "radius of an item"),
    PLOY_FIELD_F32(raven_def, trigger_rate, 8, 0, 60, "1/s",
                   "tests of each bot for items and sounds; 0: in every tick"),
    PLOY_FIELD_F32(raven_def, felt_damage_span, 3, 0.1, 60, "s",
                   "how long a bot remembers what hit it"),
    PARAMS_F32_FIXED(radius, 0.5, 0.1, 2, "m", "of a bot"),
    PLOY_FIELD_F32(raven_def, max_speed, 3, 0.1, 50, "m/s", "of bots"),
    PLOY_FIELD_F32(raven_def, max_acceleration, 180, 1, 10000, "m/s^2", "of bots"),
    PLOY_FIELD_F32(raven_def, separation, 10, 0, 1000, "", "weight: keep away from others"),
    PLOY_FIELD_F32(raven_def, wall_avoidance, 10, 0, 1000, "", "weight: keep away from walls"),
    PLOY_FIELD_F32(raven_def, wander, 1, 0, 1000, "", "weight: wander"),
    PLOY_FIELD_F32(raven_def, seek, 1, 0, 1000, "", "weight: seek"),
    PLOY_FIELD_F32(raven_def, arrive, 1, 0, 1000, "", "weight: arrive"),
    PLOY_FIELD_F32(raven_def, view_distance, 0.75, 0, 10, "m",
                   "beyond the bodies, from which others are avoided"),
    PLOY_FIELD_F32(raven_def, feeler, 1, 0.05, 10, "m", "how far ahead walls are felt"),
    PLOY_FIELD_BOOL(raven_def, still, false, "bots do not move"),
    PLOY_FIELD_BOOL(raven_def, heard_position, false,
                    "a sound reveals its source even out of sight"),
    PLOY_FIELD_I32(raven_def, view_most, 0, 0, RAVEN_BOTS_MAX, "",
                   "the nearest others that a look considers; 0: all"),
    PLOY_FIELD_ENUM(raven_def, aim_noise, RAVEN_AIM_UNIFORM, params_noises,
                    "where the deviation of shots comes from"),
    PLOY_FIELD_ENUM(raven_def, spread, RAVEN_SPREAD_UNIFORM, params_spreads,
                    "how the balls of a shotgun spread"),
    PLOY_FIELD_I32(raven_def, velocity_samples, 8, 1, RAVEN_SAMPLES_MAX, "",
                   "ticks over which a target's velocity is averaged"),
    PLOY_FIELD_F32(raven_def, facing_tolerance, 0.01, 1e-4, 1, "rad",
                   "near enough to face a point"),
    PLOY_FIELD_BOOL(raven_def, first_shot_misses, false,
                    "the first shot at a person always misses"),
    PLOY_FIELD_BOOL(raven_def, near_misses, true, "deliberate misses pass close by and in view"),
    PLOY_FIELD_F32(raven_def, mercy, 0, 0, 10000, "",
                   "a person with less health is shot at less accurately"),
    PLOY_FIELD_BOOL(raven_def, lod, false, "bots far from what is watched think less often"),
    PLOY_FIELD_F32(raven_def, lod_near, 15, 0, 1e4, "m", "up to here full rates"),
    PLOY_FIELD_F32(raven_def, lod_far, 40, 0, 1e4, "m", "from here on the least"),
    PLOY_FIELD_F32(raven_def, lod_least, 0.4, 0.05, 1, "", "share of the rates"),
    PLOY_FIELD_DEF(raven_def, skill, raven_skill_fields, "how good the bots are"),
    PLOY_FIELD_DEF(raven_def, target, raven_target_fields, "how they choose their targets"),
    PARAMS_F32_FIXED(radio_delay, 0.3, 0, 10, "s", "that a report or an order takes"),
    PLOY_FIELD_DEF(raven_def, red, raven_side_fields, "the first side; all bots without sides"),
    PLOY_FIELD_DEF(raven_def, blue, raven_side_fields, "the second side"),
    PLOY_FIELD_DEF(raven_def, green, raven_side_fields, "the third side"),
    PLOY_FIELD_DEF(raven_def, yellow, raven_side_fields, "the fourth side"),
};

ploy_fields raven_fields(void) {
    return PLOY_FIELDS(raven_def, params_items);
}

const char *raven_level_name(int32_t level) {
    return params_maps[ploy_clampi(level, 0, RAVEN_LEVEL_COUNT - 1)];
}
