/// @file ploy/data/level_obj.h
/// Levels from 3D programs: a Wavefront OBJ file with the geometry, and a JSON file with the tags.
///
///     {"axes": "y_up_right", "height": 0.5, "objects": [
///       {"type": "spawn", "at": [2, 0, -1], "tags": {"side": "red"}},
///       {"type": "item", "at": [5, 0, -3], "tags": {"kind": "health", "amount": 25}},
///       {"name": "gate", "type": "door", "at": [6, 0, -2], "to": [6, 0, -3],
///        "buttons": [[5, 0, -2.5], [7, 0, -2.5]]}]}
///
/// Every 3D program can write OBJ, and the JSON file needs no plug-in. Walls are created where the
/// geometry crosses a plane at knee height: floors, steps and ceilings are omitted, and furniture
/// becomes walls. Touching segments on one line are merged.
///
/// `axes` (of both files) and `height` (m above 0, along the up axis) are optional: y_up_right and
/// 0.5. Positions are in the file's axes. Objects are those of ploy/data/level_text.h: the types
/// spawn, item, light, obstacle, door, trigger, offers and point are read by the library, others
/// belong to the game. Tags become slots: numbers, bools and texts.
///
/// Technique: after Millington, "AI for Games", chapter 12 (plug-ins of modeling tools). Cost:
/// O(triangles + w log w) for w wall segments. Threads: one caller for each builder.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/data/level.h"
#include "ploy/geom/adapt.h"

/// Reads both files into a builder: first the walls, then the objects.
/// @param tags   the JSON file; NULL with size 0: walls only.
/// @param diags  may be NULL: receives every fault with its file, line and column.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_ARGUMENT; then the builder
///         may contain some of the objects.
PLOY_API ploy_result ploy_level_obj_load(const void *obj, size_t obj_size, const char *obj_name,
                                         const void *tags, size_t tags_size, const char *tags_name,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_level_builder *builder);
