/// @file ploy/data/level_overrides.h
/// A designer's changes to the generated parts of a level, as a text that survives regeneration.
///
///     add node 3 4                   # joined to all nodes within two spacings that it can reach
///     remove node 5 5
///     move node 5 6 to 5.3 6
///     join 1 1 4 1 [COST]            # an edge in both directions
///     cut 1 1 1.5 1                  # removes the edges between two nodes
///     point NAME x y key=value ...   # a tactical point
///     remove point x y
///     tag NAME key=value ...         # of an object of the level; replaces the old value
///
/// Nodes and points are identified by their position, not by their number, because numbers change
/// whenever the level is flooded again. A line applies if there is a node, point or object with
/// that position or name. Other lines are reported (ploy/data/level_build.h) and change nothing, so
/// a file can be repaired after a wall has moved. Positions match within half a spacing.
///
/// Technique: Millington, "AI for Games", chapter 12: generated drafts, corrected by hand. Units:
/// metres. Cost: O(bytes) to read, O(nodes) a line to apply. Threads: read by many at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/geom/vec.h"

typedef enum ploy_level_override_kind {
    PLOY_LEVEL_ADD_NODE,
    PLOY_LEVEL_REMOVE_NODE,
    PLOY_LEVEL_MOVE_NODE,
    PLOY_LEVEL_JOIN,
    PLOY_LEVEL_CUT,
    PLOY_LEVEL_ADD_POINT,
    PLOY_LEVEL_REMOVE_POINT,
    PLOY_LEVEL_TAG,
    PLOY_LEVEL_OVERRIDE_KIND_COUNT
} ploy_level_override_kind;

/// "add node", "remove node", "move node", "join", "cut", "point", "remove point", "tag".
PLOY_API const char *ploy_level_override_kind_text(ploy_level_override_kind kind);

/// A line of overrides. Texts live as long as the overrides.
typedef struct ploy_level_override {
    ploy_level_override_kind kind;
    int32_t line;     ///< from 1
    ploy_vec2 at;     ///< of the node or point; unused for tags
    ploy_vec2 to;     ///< of move, join and cut
    float cost;       ///< of join; below 0: the distance
    const char *name; ///< of the point or the object; "" otherwise
    const char *tags; ///< key=value lines, each ended by a line feed; "" if there are none
} ploy_level_override;

/// Overrides that were read. Opaque, immutable.
typedef struct ploy_level_overrides ploy_level_overrides;

/// Reads a text. Continues after a fault and reports each with line and column.
/// @param diags  may be NULL. @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_level_overrides_load(const char *text, size_t size, const char *name,
                                               const ploy_env *env, ploy_diags *diags,
                                               ploy_level_overrides **out);
/// NULL is allowed.
PLOY_API void ploy_level_overrides_destroy(ploy_level_overrides *overrides);
/// Returns the number of lines that change something.
PLOY_API int32_t ploy_level_overrides_count(const ploy_level_overrides *overrides);
/// @return false, leaving out unchanged, out of range.
PLOY_API bool ploy_level_overrides_get(const ploy_level_overrides *overrides, int32_t index,
                                       ploy_level_override *out);
