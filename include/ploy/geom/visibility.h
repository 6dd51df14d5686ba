/// @file ploy/geom/visibility.h
/// The visibility polygon of a point: for sight, light, cover and hiding places.
///
/// Walls are thin segments that may cross, touch and overlap. The visible area around the
/// viewpoint, up to a radius and within a cone, is one polygon; its corners go counter-clockwise,
/// and every line from the viewpoint to a point inside it is clear. Technique: 1 / distance from
/// the viewpoint to a wall is linear in the direction, so that the visible outline is the upper
/// envelope of pieces of such functions; envelopes of halves are merged, as in merge sort
/// (Hershberger, "Finding the upper envelope of n line segments in O(n log n) time", 1989). Unlike
/// a sweep, this keeps no order of the walls that a crossing or a rounding error could break.
///
/// A wall through the viewpoint hides nothing: an observer on a thin wall sees both sides. A wall
/// seen exactly end-on hides nothing either. Areas are solid (ploy_visibility_find_rings): an
/// observer on an outline sees only the free side. Corners are rounded to floats; if two walls
/// should touch but miss each other by a rounding error, an observer sees through the gap.
///
/// Cost: O(n log n) for n walls within reach that do not cross, little more for those that do.
/// Nothing is allocated once scratch and out are large enough. Units: metres. Threads: one caller
/// for out and scratch.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/fields.h"
#include "ploy/geom/line_of_sight.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/scene.h"

/// How far and in which direction an observer sees. Start from ploy_visibility_def_default().
typedef struct ploy_visibility_def {
    uint32_t cookie;
    float radius;      ///< m, range of sight
    float orientation; ///< rad, direction of the cone
    float angle;       ///< rad, full angle of the cone; 2 pi for all directions
    float tolerance; ///< m: the far arc is a polygon inside the true arc, at most this far from it
} ploy_visibility_def;

/// 100 m in all directions, the arc within 0.1 m.
PLOY_API ploy_visibility_def ploy_visibility_def_default(void);
PLOY_API ploy_fields ploy_visibility_fields(void);

/// Replaces out with the one ring that is visible, or with none. To limit sight to a box, pass its
/// four sides as walls. The far arc has at most 512 edges for the full circle, whatever the
/// tolerance.
/// @param scratch  temporary memory, released before return.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range, or the point or a wall is not finite;
///         PLOY_ERR_MEMORY. out is unchanged then.
PLOY_API ploy_result ploy_visibility_find(const ploy_visibility_def *def, ploy_vec2 from,
                                          const ploy_segment2 *walls, int32_t count,
                                          ploy_arena *scratch, ploy_rings *out);

/// The same among solid areas: clean rings, as ploy_rings_boolean and ploy_rings_offset make them.
/// From inside a solid area nothing is visible; from its outline, only the free side.
/// @param out  may be rings. @return as above.
PLOY_API ploy_result ploy_visibility_find_rings(const ploy_visibility_def *def, ploy_vec2 from,
                                                const ploy_rings *rings, ploy_solid solid,
                                                ploy_arena *scratch, ploy_rings *out);

/// The same among a plain scene's obstacles on the mask's layers. Thick segments and circles are
/// replaced by outlines of at most 64 edges, inside the true ones by at most the tolerance. From
/// inside an obstacle nothing is visible. @return as above.
PLOY_API ploy_result ploy_visibility_find_scene(const ploy_visibility_def *def, ploy_vec2 from,
                                                const ploy_plain_scene *scene, uint32_t mask,
                                                ploy_arena *scratch, ploy_rings *out);

/// Fills the visible area on PLOY_LAYER_SENSES and marks the viewpoint.
PLOY_API void ploy_visibility_draw(const ploy_rings *seen, ploy_vec2 from, ploy_agent_id owner,
                                   ploy_draw *out);
