/// @file ploy/move/incoming.h
/// Incoming fire: whether a projectile hits, where it lands, and how to react.
///
/// Two questions decide: does the trajectory touch the body (an upright capsule), and is the body
/// within the blast where it lands? The first reaction that applies is taken. Ignore: the
/// projectile is too fast to react to, or harmless. Catch: there is time to reach the point where
/// it comes down to catch height and to throw it back before the fuse ends. Otherwise flee from the
/// landing point, or dodge if the projectile would hit in flight. Technique: Millington, "AI for
/// Games", 3.5, with the decision written out.
///
/// Units: metres, seconds; z is up. Cost: O(1), about 100 positions; no allocation.
/// Threads: pure functions.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/move/trajectory.h"

/// Settings. Start from ploy_incoming_def_default() and change what you need.
typedef struct ploy_incoming_def {
    uint32_t cookie;     ///< set by the default; leave alone
    float body_radius;   ///< m, of the body and the projectile together
    float body_height;   ///< m
    float catch_height;  ///< m above the floor; 0: never catches
    float speed;         ///< m/s, the character's running speed
    float reaction_time; ///< s before the character moves
    float too_fast;      ///< m/s; faster projectiles are ignored
    float blast_radius;  ///< m; 0: only contact does harm
    float handling_time; ///< s from the catch to the throw back
    float horizon;       ///< s; later hits and landings are ignored for now
} ploy_incoming_def;

PLOY_API ploy_incoming_def ploy_incoming_def_default(void);
PLOY_API ploy_fields ploy_incoming_fields(void);

typedef enum ploy_incoming_reaction {
    PLOY_INCOMING_IGNORE,
    PLOY_INCOMING_FLEE,  ///< from where it lands
    PLOY_INCOMING_DODGE, ///< sideways out of its path
    PLOY_INCOMING_CATCH  ///< and throw it back
} ploy_incoming_reaction;

/// "ignore", "flee", "dodge", "catch".
PLOY_API const char *ploy_incoming_reaction_text(ploy_incoming_reaction reaction);

typedef struct ploy_incoming {
    ploy_incoming_reaction reaction;
    bool hits;            ///< touches the body at its present position
    float hit_time;       ///< s, when it is nearest
    float nearest;        ///< m between the body's axis and the projectile at hit_time
    bool lands;           ///< comes down to the floor within the horizon
    ploy_landing landing; ///< if it lands
    ploy_vec2 go_to;      ///< where to run: the catch, out of the blast, or aside; else here
} ploy_incoming;

/// Finds the reaction of a character at `feet` to a projectile.
/// @param fuse  s until it goes off; INFINITY or less than 0: explodes only on contact.
/// @return PLOY_ERR_ARGUMENT for settings or numbers out of range; then out is unchanged.
PLOY_API ploy_result ploy_incoming_find(const ploy_incoming_def *def,
                                        const ploy_projectile *projectile, float fuse,
                                        ploy_vec3 feet, ploy_incoming *out);
/// Reports to a trace which reactions were possible.
PLOY_API void ploy_incoming_trace(const ploy_incoming_def *def, const ploy_incoming *incoming,
                                  ploy_agent_id id, ploy_trace *trace);
/// Draws the landing point and where to go.
PLOY_API void ploy_incoming_draw(const ploy_incoming_def *def, const ploy_incoming *incoming,
                                 ploy_vec3 feet, ploy_agent_id owner, ploy_draw *out);
