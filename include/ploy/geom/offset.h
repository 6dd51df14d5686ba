/// @file ploy/geom/offset.h
/// Areas grown and shrunk, lines made into walls: room for an agent's radius.
///
/// Where obstacles are grown by an agent's radius, or the floor is shrunk by it, the agent is a
/// point and its path a thin line. Each edge is widened into a strip and each corner that opens is
/// filled by a join; strips and joins are united with the area, or cut from it. So parts that grow
/// into one another join, holes close and narrow places vanish as they should.
///
/// Cost: that of ploy_rings_boolean over about twice the corners, and the arcs' own. The result is
/// as clean as one of ploy_rings_boolean, on its lattice. Units: metres.
/// Threads: one caller for out and scratch.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/polyline.h"
#include "ploy/geom/rings.h"

/// What fills the gap at a corner.
typedef enum ploy_join {
    PLOY_JOIN_MITER, ///< edges go on until they meet; cut as a bevel beyond the limit
    PLOY_JOIN_BEVEL, ///< cut straight
    PLOY_JOIN_ROUND  ///< an arc: everything within the distance, and nothing else
} ploy_join;

/// How the ends of an open line look.
typedef enum ploy_cap {
    PLOY_CAP_BUTT,   ///< cut at the end
    PLOY_CAP_SQUARE, ///< cut the distance behind it
    PLOY_CAP_ROUND   ///< half a circle
} ploy_cap;

/// How corners and ends look. Start from the default.
typedef struct ploy_offset_style {
    ploy_join join;
    ploy_cap cap;      ///< of ploy_polyline_widen
    float miter_limit; ///< most distances from the corner to a miter's tip, 1 or more
    float tolerance;   ///< m: arcs are polygons inside the true arc, nowhere further off than this
} ploy_offset_style;

/// Round joins and caps, a miter limit of 2, a tolerance of 0.01 m.
PLOY_API ploy_offset_style ploy_offset_style_default(void);

/// Grows an area by a distance, or shrinks it by one below 0. An arc has at most 256 edges for half
/// a circle, whatever the tolerance.
/// @param fill     which points the rings hold.
/// @param scratch  given back before return.
/// @param out      may be rings.
/// @return PLOY_ERR_ARGUMENT if distance or style is out of range or not finite; PLOY_ERR_LIMIT if
///         the result would leave the range of floats; PLOY_ERR_MEMORY. out is unchanged then.
PLOY_API ploy_result ploy_rings_offset(const ploy_rings *rings, ploy_fill fill, float distance,
                                       const ploy_offset_style *style, ploy_arena *scratch,
                                       ploy_rings *out);

/// Room for an agent: obstacles grown by its radius at least, and nowhere by more than radius +
/// slack. An agent whose centre stays outside the result touches nothing. Slack buys few corners:
/// a tenth of the radius leaves about six for a turn by a right angle, and a graph of corners has
/// one set for each size of agent.
/// @param radius  m, 0 or more. @param slack  m, above 0.
/// @return as above; PLOY_ERR_LIMIT also if slack is below four steps of the lattice.
PLOY_API ploy_result ploy_rings_expand(const ploy_rings *rings, ploy_fill fill, float radius,
                                       float slack, ploy_arena *scratch, ploy_rings *out);

/// All within a distance of a line, to both sides: a wall twice as thick. Points that are repeated
/// are one; a single one is a dot, as its caps say: nothing, a square or a circle. A closed line
/// has no ends.
/// @param distance  m, 0 or more. @return as above, also PLOY_ERR_ARGUMENT for a point that is not
///                  finite.
PLOY_API ploy_result ploy_polyline_widen(const ploy_polyline *line, float distance,
                                         const ploy_offset_style *style, ploy_arena *scratch,
                                         ploy_rings *out);
