/// @file ploy/geom/rings.h
/// Rings: areas with holes, made of any number of closed outlines.
///
/// A ring is a polygon's outline; a set of rings is an area. By convention outer rings go
/// counter-clockwise (with y up) and holes clockwise, so that areas add up. A fill rule decides
/// exactly what is inside. Rings are copied in and stay in the order they were added.
///
/// Cost: O(corners) for queries; memory grows by half and is kept by clear, so that rings that are
/// refilled every step stop allocating. Units: metres. Threads: many may read at a time; otherwise
/// one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/polygon.h"

/// A set of rings. Opaque.
typedef struct ploy_rings ploy_rings;

/// Which points a set of rings contains.
typedef enum ploy_fill {
    PLOY_FILL_EVEN_ODD, ///< in an odd number of rings: a nested ring is a hole in any orientation
    PLOY_FILL_NON_ZERO  ///< the winding number is not 0: overlapping rings are one area
} ploy_fill;

/// Creates an empty set. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rings_create(const ploy_env *env, ploy_rings **out);
/// NULL is allowed.
PLOY_API void ploy_rings_destroy(ploy_rings *rings);
/// Removes all rings and keeps the memory.
PLOY_API void ploy_rings_clear(ploy_rings *rings);

/// Appends a copy of the points as a ring. The points must not be stored in the rings themselves.
/// @return PLOY_ERR_ARGUMENT for fewer than 3 points or one that is not finite, PLOY_ERR_MEMORY;
///         nothing is changed then.
PLOY_API ploy_result ploy_rings_add(ploy_rings *rings, const ploy_vec2 *points, int32_t count);
/// The same with the order reversed: a hole from points that go counter-clockwise.
PLOY_API ploy_result ploy_rings_add_reversed(ploy_rings *rings, const ploy_vec2 *points,
                                             int32_t count);
/// Reserves room for this many rings and corners in total, so that adding up to that many cannot
/// fail.
/// @return PLOY_ERR_ARGUMENT for a number below 0, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rings_reserve(ploy_rings *rings, int32_t count, int32_t corners);
/// Replaces the rings with a copy of others. @return PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_rings_copy(ploy_rings *rings, const ploy_rings *from);

/// The number of rings, and the number of all their corners.
PLOY_API int32_t ploy_rings_count(const ploy_rings *rings);
PLOY_API int32_t ploy_rings_corners(const ploy_rings *rings);
/// A ring, valid until the set changes; one without corners if the index is out of range.
PLOY_API ploy_polygon ploy_rings_get(const ploy_rings *rings, int32_t index);
/// True if the ring goes clockwise.
PLOY_API bool ploy_rings_is_hole(const ploy_rings *rings, int32_t index);

/// m^2: outer rings minus holes. Correct if rings neither cross nor are inside a ring of the same
/// orientation.
PLOY_API float ploy_rings_area(const ploy_rings *rings);
/// The box around all corners; empty without any.
PLOY_API ploy_box2 ploy_rings_box(const ploy_rings *rings);

/// Where a point is; ON if it is on any ring.
PLOY_API ploy_location ploy_rings_locate(const ploy_rings *rings, ploy_vec2 point, ploy_fill fill);
/// True if the point is inside or on a ring.
PLOY_API bool ploy_rings_contains(const ploy_rings *rings, ploy_vec2 point, ploy_fill fill);

/// Writes the number of rings and corners, and a hash of the corners.
PLOY_API void ploy_rings_describe(const ploy_rings *rings, ploy_describe *out);
/// Outlines every ring, holes in the style of hints.
PLOY_API void ploy_rings_draw(const ploy_rings *rings, ploy_layer layer, ploy_style style,
                              ploy_draw *out);
/// Reports the bytes held.
PLOY_API void ploy_rings_memory(const ploy_rings *rings, ploy_memory_fn fn, void *user);
