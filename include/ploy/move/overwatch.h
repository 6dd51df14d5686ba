/// @file ploy/move/overwatch.h
/// Bounding overwatch: a squad advances from cover to cover, one at a time.
///
/// The slots are the cover points nearest to a slowly moving anchor (or to a leader). As the anchor
/// goes on, a point at the back drops out of the nearest and one at the front comes in: the slot of
/// the one becomes the slot of the other, so the member at the back runs to the front while the
/// others stay in cover and watch. Use it without moderation: members who sit in cover would hold
/// the anchor, and the anchor them.
/// Technique: Millington, "AI for Games", 3.7; a margin against flicker is added.
///
/// Units: metres. Cost: O(points * slots) a step; all memory at create. Threads: one caller.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

/// Settings. Start from ploy_overwatch_def_default().
typedef struct ploy_overwatch_def {
    uint32_t cookie;  ///< set by the default; leave alone
    int32_t slots;    ///< how many members
    float margin;     ///< m by which a new point must be nearer than the one it replaces
    float keep_clear; ///< m around the leader within which no point is taken; 0: no leader
} ploy_overwatch_def;
PLOY_API ploy_overwatch_def ploy_overwatch_def_default(void);
PLOY_API ploy_fields ploy_overwatch_fields(void);

typedef struct ploy_overwatch ploy_overwatch;
/// Creates a squad without cover; the first step gives it some.
PLOY_API ploy_result ploy_overwatch_create(const ploy_overwatch_def *def, const ploy_env *env,
                                           ploy_overwatch **out);
PLOY_API void ploy_overwatch_destroy(ploy_overwatch *overwatch);

/// Chooses cover for the anchor's new place.
/// @param points  the cover points; their numbers must stay the same from step to step.
/// @param moved   how many slots changed; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a bad view or an anchor that is not finite.
PLOY_API ploy_result ploy_overwatch_step(ploy_overwatch *overwatch, ploy_vec2 anchor,
                                         const ploy_points *points, int32_t *moved);
/// The cover point of a slot, or -1 while there are too few.
PLOY_API int32_t ploy_overwatch_cover(const ploy_overwatch *overwatch, int32_t slot);
/// Visits a ploy_overwatch (ploy/base/visit.h): a load needs as many slots.
PLOY_API void ploy_overwatch_visit(ploy_visit *v, void *overwatch);
PLOY_API void ploy_overwatch_describe(const ploy_overwatch *overwatch, ploy_describe *out);
PLOY_API void ploy_overwatch_draw(const ploy_overwatch *overwatch, const ploy_points *points,
                                  ploy_draw *out);
PLOY_API void ploy_overwatch_memory(const ploy_overwatch *overwatch, ploy_memory_fn fn, void *user);
