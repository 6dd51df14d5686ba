/// @file ploy/move/overwatch.h
/// Bounding overwatch: a squad advances from cover to cover, one at a time.
///
/// The slots are the cover points nearest to a slowly moving anchor (or to a leader). As the anchor
/// advances, a point at the back is replaced by one at the front. The slot moves from the old point
/// to the new one, so the member at the back runs to the front while the others stay in cover and
/// watch. Use it without moderation: members in cover would hold back the anchor, and the anchor
/// the members. Technique: Millington, "AI for Games", 3.7; a margin against flicker is added.
///
/// Units: metres. Cost: O(points * slots) for each step; all memory is allocated in create.
/// Threads: one caller.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/move/kinematic.h"

/// Settings. Start from ploy_overwatch_def_default().
typedef struct ploy_overwatch_def {
    uint32_t cookie;  ///< set by the default; leave alone
    int32_t slots;    ///< number of members
    float margin;     ///< m by which a new point must be nearer than the one it replaces
    float keep_clear; ///< m around the leader in which no point is used; 0: no leader
} ploy_overwatch_def;
PLOY_API ploy_overwatch_def ploy_overwatch_def_default(void);
PLOY_API ploy_fields ploy_overwatch_fields(void);

typedef struct ploy_overwatch ploy_overwatch;
/// Creates a squad without cover; the first step assigns cover.
PLOY_API ploy_result ploy_overwatch_create(const ploy_overwatch_def *def, const ploy_env *env,
                                           ploy_overwatch **out);
PLOY_API void ploy_overwatch_destroy(ploy_overwatch *overwatch);

/// Chooses cover for the anchor's new position.
/// @param points  the cover points; their numbers must stay the same from step to step.
/// @param moved   number of slots that changed; may be NULL.
/// @return PLOY_ERR_ARGUMENT if the view is invalid or the anchor is not finite.
PLOY_API ploy_result ploy_overwatch_step(ploy_overwatch *overwatch, ploy_vec2 anchor,
                                         const ploy_points *points, int32_t *moved);
/// Returns the cover point of a slot, or -1 if there are too few points.
PLOY_API int32_t ploy_overwatch_cover(const ploy_overwatch *overwatch, int32_t slot);
/// Visits a ploy_overwatch (ploy/base/visit.h): a load needs the same number of slots.
PLOY_API void ploy_overwatch_visit(ploy_visit *v, void *overwatch);
PLOY_API void ploy_overwatch_describe(const ploy_overwatch *overwatch, ploy_describe *out);
PLOY_API void ploy_overwatch_draw(const ploy_overwatch *overwatch, const ploy_points *points,
                                  ploy_draw *out);
PLOY_API void ploy_overwatch_memory(const ploy_overwatch *overwatch, ploy_memory_fn fn, void *user);
