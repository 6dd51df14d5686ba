/// @file ploy/geom/boolean.h
/// Union, intersection and difference of areas: to merge walls, to cut furniture out of rooms, to
/// find what two areas share.
///
/// Areas are rings under a fill rule. Corners and crossings are first rounded to a fine lattice
/// whose points are all floats: its step is the last bit of the largest coordinate (1 mm at 10 km,
/// 1 um at 10 m). Edges then bend by less than a step so that they meet only at lattice points, and
/// everything else is computed in integers: no input makes it fail, and areas that share edges,
/// touch or coincide need no special case. Technique: snap rounding (Hobby, "Practical segment
/// intersection with finite precision output", 1999), then winding numbers on both sides of every
/// edge.
///
/// The result's outer rings go counter-clockwise and its holes clockwise (with y up); no two of its
/// edges cross, and no corner is straight. Rings may touch in single points. A second run on a
/// result may bend an edge again where the first run left it within half a step of a corner.
/// Bit-identical on all platforms. Units: metres. Threads: one caller for out and scratch. Cost:
/// O((n + k) log n) for n edges with k crossings on typical maps, with trees over edges, points and
/// pieces; O(n + k) scratch memory.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/geom/rings.h"

/// Which points of two areas the result contains.
typedef enum ploy_boolean {
    PLOY_BOOLEAN_UNION,        ///< in one of them
    PLOY_BOOLEAN_INTERSECTION, ///< in both
    PLOY_BOOLEAN_DIFFERENCE,   ///< in the first and not in the second
    PLOY_BOOLEAN_XOR           ///< in exactly one
} ploy_boolean;

/// Replaces out with the combined areas.
/// @param b        NULL for no area: a union with NULL cleans up a (no crossings, holes clockwise).
/// @param fill     which points the inputs contain; the result contains the same points under
///                 either rule.
/// @param scratch  temporary memory, released before return.
/// @param out      may be a or b.
/// @return PLOY_ERR_MEMORY, or PLOY_ERR_LIMIT if edges cross more than 2^30 times; out is unchanged
///         then.
PLOY_API ploy_result ploy_rings_boolean(const ploy_rings *a, const ploy_rings *b,
                                        ploy_boolean operation, ploy_fill fill, ploy_arena *scratch,
                                        ploy_rings *out);
