/// @file ploy/move/emergent.h
/// Emergent formations: each agent follows another, and a V results.
///
/// A member without a spot looks for a member ahead, nearest first, and claims the spot behind that
/// member's left or right, unless the spot is claimed, near a claimed one, or blocked. Spots that
/// lengthen the shorter arm of a V come first, so that both arms grow alike. The member keeps the
/// spot, which moves and turns with its predecessor, until the predecessor is gone or the spot
/// stays blocked too long. Only an agent without a predecessor leads; there are no cycles. Good for
/// birds, fish and loose bands; if the shorter arm has no spot in reach, smaller Vs form inside and
/// crowd the middle. Technique: Millington, "AI for Games", 3.7.
///
/// Units: metres, seconds, radians. Cost: O(members^3) when many look for a spot, else O(members);
/// no allocation. Threads: one caller; the claims are the caller's memory.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/geom/scene.h"
#include "ploy/move/kinematic.h"

/// Settings. Start from ploy_emergent_def_default().
typedef struct ploy_emergent_def {
    uint32_t cookie;    ///< set by the default; leave alone
    float back;         ///< m behind the predecessor
    float side;         ///< m beside it
    float claim_radius; ///< m around a claimed spot in which no other is claimed
    float body_radius;  ///< m of free space that a spot needs
    float patience;     ///< s that a spot may be blocked before it is given up
} ploy_emergent_def;
PLOY_API ploy_emergent_def ploy_emergent_def_default(void);
PLOY_API ploy_fields ploy_emergent_fields(void);

/// A member's predecessor and spot. Start with ploy_emergent_claim_none().
typedef struct ploy_emergent_claim {
    int32_t leader; ///< index of the predecessor; -1: none
    int32_t side;   ///< 1 left, -1 right
    float blocked;  ///< s that the spot has been blocked
} ploy_emergent_claim;
PLOY_API ploy_emergent_claim ploy_emergent_claim_none(void);

/// Renews the claims of all members, in order of index.
/// @param claims  one for each agent.
/// @param present one for each agent, false: gone; NULL: all are present.
/// @param scene   NULL: nothing blocks.
/// @return PLOY_ERR_ARGUMENT for settings, dt or a view out of range; then nothing changes.
PLOY_API ploy_result ploy_emergent_step(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                        const bool *present, const ploy_scene *scene, uint32_t mask,
                                        float dt, ploy_emergent_claim *claims);
/// Returns the spot of member i, or its position if it follows none.
PLOY_API ploy_vec2 ploy_emergent_spot(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                      const ploy_emergent_claim *claims, int32_t i);
/// Draws the spots, each with a line to the predecessor.
PLOY_API void ploy_emergent_draw(const ploy_emergent_def *def, const ploy_kinematics *agents,
                                 const ploy_emergent_claim *claims, ploy_draw *out);
