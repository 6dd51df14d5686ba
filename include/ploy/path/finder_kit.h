/// @file ploy/path/finder_kit.h
/// Every finder of one tile map by name, with the data those finders need.
///
/// Some finders search a grid map or its tiles directly; others need blocks, a frozen graph, a
/// hierarchy or a group first. A kit builds what a named finder needs when it is requested, owns
/// it, and updates it after edits. Use it in programs that offer a choice of finders.
///
///     finders of ploy_tiles_finders    nothing more
///     blocks                           a grid in blocks
///     flow                             nothing more
///     frozen, frozen.both              the tiles as a frozen graph
///     hierarchy                        the same, and squares of cells as groups
///     timed                            a timetable: an edge takes its cost in seconds
///     cooperative                      a group without agents
///     conflicts                        no other agents
///
/// For a timetable, a group or other agents use ploy_timed_finder, ploy_cooperative_finder and
/// ploy_conflicts_finder directly.
///
/// Cost: as for ploy_grid_blocks, ploy_frozen_graph and ploy_hierarchy. Threads: one caller; for
/// the finders see ploy/path/finder.h.
#pragma once

#include "ploy/path/finders.h"

/// Opaque.
typedef struct ploy_finder_kit ploy_finder_kit;

typedef struct ploy_finder_kit_def {
    uint32_t cookie;
    int32_t side; ///< cells of a block, and of the squares of a hierarchy, 4 to 16
} ploy_finder_kit_def;

PLOY_API ploy_finder_kit_def ploy_finder_kit_def_default(void);
PLOY_API ploy_fields ploy_finder_kit_fields(void);

/// Makes a kit that has prepared nothing yet.
/// @param map    a map of the tiles, or NULL: its finders are listed and cannot be made.
/// @param tiles  must outlive the kit, as must the map. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_finder_kit_create(const ploy_finder_kit_def *def,
                                            const ploy_grid_map *map, const ploy_tiles *tiles,
                                            const ploy_env *env, ploy_finder_kit **out);
/// Frees a kit; destroy its finders first. NULL is allowed.
PLOY_API void ploy_finder_kit_destroy(ploy_finder_kit *kit);

/// Lists all factories in the order in which tools show them, to read names, traits and help; make
/// refuses those that are not prepared.
/// @param kit  NULL: nothing is prepared.
/// @param out  room for capacity of them; may be NULL with capacity 0.
/// @return their number, which may exceed capacity.
PLOY_API int32_t ploy_finder_kit_list(const ploy_finder_kit *kit, ploy_finder_factory *out,
                                      int32_t capacity);
/// Prepares what the named finders need and returns their factory, valid as long as the kit exists.
/// @return PLOY_ERR_NOT_FOUND for an unknown name; PLOY_ERR_UNSUPPORTED if they cannot serve this
///         map; PLOY_ERR_MEMORY or another error of building.
PLOY_API ploy_result ploy_finder_kit_find(ploy_finder_kit *kit, const char *name,
                                          ploy_finder_factory *out);
/// Call it after the tiles were edited and the map refreshed. Updates the blocks, and drops the
/// frozen graph and the hierarchy. Finders of "frozen", "frozen.both" and "hierarchy" must be
/// destroyed first, and can be found and made again.
/// @return PLOY_ERR_MEMORY or another error of the group's ploy_cooperative_changed.
PLOY_API ploy_result ploy_finder_kit_refresh(ploy_finder_kit *kit);
PLOY_API void ploy_finder_kit_memory(const ploy_finder_kit *kit, ploy_memory_fn fn, void *user);
