/// @file ploy/geom/visibility.h
/// What is seen from a point: the visibility polygon, for sight, light, cover and hiding places.
///
/// Walls are thin segments that may cross, touch and overlap at will. What they leave free round
/// the viewpoint, as far as a radius and within a cone, is one polygon; its corners go
/// counter-clockwise, and every line from the viewpoint to a point inside it is clear. Technique:
/// seen from the point, 1 / distance of a wall is linear in the direction, so that what is seen is
/// the upper envelope of pieces of such functions; envelopes of halves are merged, as in merge sort
/// (Hershberger, "Finding the upper envelope of n line segments in O(n log n) time", 1989). Unlike
/// a sweep it keeps no order of the walls that a crossing or a rounding error could upset.
///
/// A wall through the viewpoint hides nothing: an observer on a thin wall sees both its sides.
/// Nor does one that is seen exactly from its end. Areas are solid (ploy_visibility_find_rings):
/// from their outlines only what is free is seen. Corners are rounded to floats; where two walls
/// should touch and miss each other by a rounding, one sees through the chink.
///
/// Cost: O(n log n) for n walls in reach that do not cross, little more for those that do. Nothing
/// is allocated once scratch and out are warm. Units: metres. Threads: one caller for out and
/// scratch.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/fields.h"
#include "ploy/geom/line_of_sight.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/scene.h"

/// How far and in which direction an observer sees. Start from ploy_visibility_def_default().
typedef struct ploy_visibility_def {
    uint32_t cookie;
    float radius;      ///< m, how far
    float orientation; ///< rad, where the cone looks
    float angle;       ///< rad, the cone's whole opening; 2 pi looks all round
    float tolerance; ///< m: the far arc is a polygon inside the true one, off by no more than this
} ploy_visibility_def;

/// 100 m all round, the arc within 0.1 m.
PLOY_API ploy_visibility_def ploy_visibility_def_default(void);
PLOY_API ploy_fields ploy_visibility_fields(void);

/// Replaces out by the one ring that is seen, or by none. A box limits sight by its four sides as
/// walls. The far arc has at most 512 edges all round, whatever the tolerance.
/// @param scratch  given back before return.
/// @return PLOY_ERR_ARGUMENT if a setting is out of range, or the point or a wall not finite;
///         PLOY_ERR_MEMORY. out is unchanged then.
PLOY_API ploy_result ploy_visibility_find(const ploy_visibility_def *def, ploy_vec2 from,
                                          const ploy_segment2 *walls, int32_t count,
                                          ploy_arena *scratch, ploy_rings *out);

/// The same amid solid areas: clean rings, as ploy_rings_boolean and ploy_rings_offset make them.
/// From within what is solid nothing is seen; from its outline, what is on the free side.
/// @param out  may be rings. @return as above.
PLOY_API ploy_result ploy_visibility_find_rings(const ploy_visibility_def *def, ploy_vec2 from,
                                                const ploy_rings *rings, ploy_solid solid,
                                                ploy_arena *scratch, ploy_rings *out);

/// The same amid a plain scene's obstacles on the mask's layers. Thick ones and circles hide as
/// outlines of at most 64 edges that lie within the true ones by no more than the tolerance; from
/// within an obstacle nothing is seen. @return as above.
PLOY_API ploy_result ploy_visibility_find_scene(const ploy_visibility_def *def, ploy_vec2 from,
                                                const ploy_plain_scene *scene, uint32_t mask,
                                                ploy_arena *scratch, ploy_rings *out);

/// Fills what is seen, on the layer of senses, and marks the viewpoint.
PLOY_API void ploy_visibility_draw(const ploy_rings *seen, ploy_vec2 from, ploy_agent_id owner,
                                   ploy_draw *out);
