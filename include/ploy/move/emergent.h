/// @file ploy/move/emergent.h
/// Emergent formations: each agent follows another, and a V results.
///
/// A member without a place looks for another ahead of it, nearest first, and claims the spot
/// behind it to its left or right, unless that is claimed, near a claimed one, or blocked. Spots
/// that make the shorter arm of a V longer come first, so that both arms grow alike. It keeps the
/// spot, which moves and turns with the one followed, until that one is gone or the spot stays
/// blocked too long. Only an agent without a predecessor leads; there are no cycles. Good for
/// birds, fish and loose bands; where the shorter arm has no spot in reach, smaller Vs form inside,
/// and there is jostling in the middle. Technique: Millington, "AI for Games", 3.7.
///
/// Units: metres, seconds, radians. Cost: O(members^3) when many look for a place, else O(members);
/// no allocation. Threads: one caller; the claims are the caller's memory.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"

/// Settings. Start from ploy_emergent_def_default().
typedef struct ploy_emergent_def {
    uint32_t cookie;    ///< set by the default; leave alone
    float back;         ///< m behind the one followed
    float side;         ///< m beside it
    float claim_radius; ///< m around a claimed spot in which no other is claimed
    float body_radius;  ///< m of free room that a spot needs
    float patience;     ///< s a spot may be blocked before another is looked for
} ploy_emergent_def;
PLOY_API ploy_emergent_def ploy_emergent_def_default(void);
PLOY_API ploy_fields ploy_emergent_fields(void);

/// Whom a member follows. Start with ploy_emergent_claim_none().
typedef struct ploy_emergent_claim {
    int32_t leader; ///< index of the one followed; -1: none
    int32_t side;   ///< 1 left, -1 right
    float blocked;  ///< s that the spot has been blocked
} ploy_emergent_claim;
PLOY_API ploy_emergent_claim ploy_emergent_claim_none(void);

/// Renews the claims of all members, in order of index.
/// @param claims  one for each agent.
/// @param present one for each agent, false: not there any more; NULL: all are.
/// @param scene   NULL: nothing blocks.
/// @return PLOY_ERR_ARGUMENT for settings, dt or a view out of range; nothing is changed then.
PLOY_API ploy_result ploy_emergent_step(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                        const bool *present, const ploy_scene *scene, uint32_t mask,
                                        float dt, ploy_emergent_claim *claims);
/// The place for member i: its spot, or where it is if it follows none.
PLOY_API ploy_vec2 ploy_emergent_spot(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                      const ploy_emergent_claim *claims, int32_t i);
/// Draws who follows whom.
PLOY_API void ploy_emergent_draw(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                 const ploy_emergent_claim *claims, ploy_draw *out);
