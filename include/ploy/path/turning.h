/// @file ploy/path/turning.h
/// The shortest paths of vehicles that cannot turn on the spot: Dubins' curves, forward only, and
/// those of Reeds and Shepp, which may also reverse.
///
/// A car drives from one pose to another on arcs of its smallest turning circle and straight lines.
/// The shortest such path is always one of a few words: six for Dubins (left straight left, left
/// right left, ...), forty-eight for Reeds and Shepp. All of them are computed and the shortest is
/// taken; among equals the first in a fixed order.
///
/// Techniques: Dubins, "On Curves of Minimal Length with a Constraint on Average Curvature" (1957);
/// Reeds and Shepp, "Optimal Paths for a Car That Goes Both Forwards and Backwards" (1990).
///
/// Walls are ignored: test the pieces (ploy_turning_path) afterwards. Units: metres, radians. Cost:
/// O(words). Pure; only the path that is written allocates.
#pragma once

#include "ploy/geom/path.h"

/// A position and an orientation.
typedef struct ploy_turning_pose {
    ploy_vec2 position;
    float orientation; ///< rad
} ploy_turning_pose;

typedef enum ploy_turning_kind {
    PLOY_TURNING_DUBINS,     ///< forward
    PLOY_TURNING_REEDS_SHEPP ///< forward and backward
} ploy_turning_kind;

/// Most pieces of a path.
#define PLOY_TURNING_PIECES 5

/// One piece of a path.
typedef struct ploy_turning_piece {
    int32_t turn; ///< 1 left, 0 straight, -1 right
    float length; ///< m; below 0: in reverse
} ploy_turning_piece;

/// A path: plain data.
typedef struct ploy_turning {
    ploy_turning_pose from;
    float radius; ///< m
    float length; ///< m, of all pieces, including reverse ones
    int32_t count;
    ploy_turning_piece pieces[PLOY_TURNING_PIECES];
} ploy_turning;

/// Finds the shortest path between two poses.
/// @param radius  m, of the smallest circle; 1e-6 to 1e6.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_turning_find(ploy_turning_kind kind, ploy_turning_pose from,
                                       ploy_turning_pose to, float radius, ploy_turning *out);

/// Returns the pose after a distance, 0 to length.
PLOY_API ploy_turning_pose ploy_turning_at(const ploy_turning *turning, float along);
/// Writes the word: "LSL", "L|RL", with a bar where the gear changes.
/// @param out  room for 2 x PLOY_TURNING_PIECES + 1 characters.
PLOY_API void ploy_turning_word(const ploy_turning *turning, char *out);
/// Appends the path to a path in pieces no longer than `step`; reverse edges are of kind "reverse".
/// The first point is left out if it is already the path's last. @return PLOY_ERR_ARGUMENT,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_turning_path(const ploy_turning *turning, float step, ploy_path *path);
