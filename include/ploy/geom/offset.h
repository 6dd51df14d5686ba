/// @file ploy/geom/offset.h
/// Grows and shrinks areas, and turns lines into walls: to leave room for an agent's radius.
///
/// If obstacles are grown by an agent's radius, or the floor is shrunk by it, the agent can be
/// treated as a point and its path as a thin line. Each edge is widened into a strip, and the gap
/// at each corner is filled by a join; strips and joins are merged with the area, or cut from it.
/// So parts that grow into one another merge, holes close and narrow places disappear.
///
/// Cost: that of ploy_rings_boolean with about twice the corners, plus those of the arcs. The
/// result is as clean as that of ploy_rings_boolean, on the same lattice. Units: metres. Threads:
/// one caller for out and scratch.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/rings.h"

/// What fills the gap at a corner.
typedef enum ploy_join {
    PLOY_JOIN_MITER, ///< edges are extended until they meet; a bevel beyond the limit
    PLOY_JOIN_BEVEL, ///< cut straight
    PLOY_JOIN_ROUND  ///< an arc: exactly the points within the distance
} ploy_join;

/// The shape of the ends of an open line.
typedef enum ploy_cap {
    PLOY_CAP_BUTT,   ///< cut at the end
    PLOY_CAP_SQUARE, ///< cut at the distance beyond the end
    PLOY_CAP_ROUND   ///< half a circle
} ploy_cap;

/// The shape of corners and ends. Start from the default.
typedef struct ploy_offset_style {
    ploy_join join;
    ploy_cap cap;      ///< of ploy_polyline_widen
    float miter_limit; ///< longest miter, as a multiple of the distance; 1 or more
    float tolerance;   ///< m: arcs are polygons inside the true arc, at most this far from it
} ploy_offset_style;

/// Round joins and caps, a miter limit of 2, a tolerance of 0.01 m.
PLOY_API ploy_offset_style ploy_offset_style_default(void);

/// Grows an area by a distance, or shrinks it if the distance is below 0. An arc has at most 256
/// edges for half a circle, whatever the tolerance.
/// @param fill     which points the rings contain.
/// @param scratch  temporary memory, released before return.
/// @param out      may be rings.
/// @return PLOY_ERR_ARGUMENT if distance or style is out of range or not finite; PLOY_ERR_LIMIT if
///         the result would leave the range of floats; PLOY_ERR_MEMORY. out is unchanged then.
PLOY_API ploy_result ploy_rings_offset(const ploy_rings *rings, ploy_fill fill, float distance,
                                       const ploy_offset_style *style, ploy_arena *scratch,
                                       ploy_rings *out);

/// Grows obstacles by at least an agent's radius, and nowhere by more than radius + slack. An agent
/// whose centre stays outside the result touches nothing. More slack means fewer corners: a tenth
/// of the radius leaves about six for a right-angle turn. A graph of corners needs one set for each
/// size of agent.
/// @param radius  m, 0 or more. @param slack  m, above 0.
/// @return as above; PLOY_ERR_LIMIT also if slack is below four steps of the lattice.
PLOY_API ploy_result ploy_rings_expand(const ploy_rings *rings, ploy_fill fill, float radius,
                                       float slack, ploy_arena *scratch, ploy_rings *out);

/// Finds the area within a distance of a line, on both sides: a wall with twice the distance as its
/// thickness. Repeated points count as one. A single point gives the shape of its caps: nothing, a
/// square or a circle. A closed line has no ends.
/// @param distance  m, 0 or more.
/// @return as above, also PLOY_ERR_ARGUMENT for a point that is not finite.
PLOY_API ploy_result ploy_polyline_widen(const ploy_polyline *line, float distance,
                                         const ploy_offset_style *style, ploy_arena *scratch,
                                         ploy_rings *out);
