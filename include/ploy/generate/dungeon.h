/// @file ploy/generate/dungeon.h
/// Dungeons: rooms first, then the links between them, then corridors.
///
/// 1. Rooms are rectangles, placed by random tries, one in each square of a grid, in the leaves of
/// a
///    subdivision, or all in the middle and then pushed apart until none overlap.
/// 2. Rooms that are near each other may be linked: by distance, by Delaunay's triangles, or by
///    Gabriel's rule (no third room in the circle between two). Separate parts are joined by the
///    shortest link.
/// 3. The cheapest tree of links spans all rooms (Prim or Kruskal); a share of the others makes
///    loops. Links between two hard rooms cost more, so that the tree prefers an easy room between
///    them.
/// 4. Corridors run straight or with one corner, with a door at each room. Of a few candidates, the
///    corridor that uses the least rock and runs beside the fewest rooms is taken.
/// 5. Small incidental rooms are placed at corners of corridors.
///
/// Technique: Millington, "AI for Games", 8.4.2 and 8.4.3.
///
/// Thick walls. Unit of budget: one try for a room, one pass of separation, one link, one corridor.
/// Room.value is 1 in a hard room, otherwise 0.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_dungeon ploy_dungeon;

typedef enum ploy_dungeon_placing {
    PLOY_DUNGEON_TRIES,
    PLOY_DUNGEON_GRID,
    PLOY_DUNGEON_SUBDIVISION,
    PLOY_DUNGEON_SEPARATION
} ploy_dungeon_placing;

typedef enum ploy_dungeon_links {
    PLOY_DUNGEON_DELAUNAY,
    PLOY_DUNGEON_GABRIEL,
    PLOY_DUNGEON_DISTANCE
} ploy_dungeon_links;

typedef enum ploy_dungeon_tree { PLOY_DUNGEON_PRIM, PLOY_DUNGEON_KRUSKAL } ploy_dungeon_tree;

/// Settings. Start from ploy_dungeon_def_default().
typedef struct ploy_dungeon_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t placing;       ///< ploy_dungeon_placing
    int32_t rooms; ///< number to place; 0: as many as the tries, the grid or the leaves give
    int32_t room_min, room_max; ///< cells, sides of a room
    int32_t gap;                ///< cells of rock between rooms
    int32_t links;              ///< ploy_dungeon_links
    int32_t link_distance;      ///< cells between rooms that the distance rule links
    int32_t tree;               ///< ploy_dungeon_tree
    float loops;                ///< probability of each link that the tree does not need
    float hard;                 ///< share of hard rooms
    float hard_bias;            ///< factor of the cost of a link between two hard rooms
    float incidental;           ///< probability of a small room on a corridor
    int32_t max_attempts;       ///< limit of tries for rooms, or of passes of separation
    ploy_plan_roles_def roles;
} ploy_dungeon_def;

PLOY_API ploy_dungeon_def ploy_dungeon_def_default(void);
PLOY_API ploy_fields ploy_dungeon_fields(void);

/// Starts. @param trace  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_dungeon_begin(const ploy_dungeon_def *def, ploy_rng_key key,
                                        ploy_trace *trace, const ploy_env *env, ploy_dungeon **out);
PLOY_API ploy_result ploy_dungeon_step(ploy_dungeon *dungeon, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_dungeon_outcome(const ploy_dungeon *dungeon);
PLOY_API const ploy_floor_plan *ploy_dungeon_plan(const ploy_dungeon *dungeon);
PLOY_API void ploy_dungeon_cancel(ploy_dungeon *dungeon);

PLOY_API void ploy_dungeon_describe(const ploy_dungeon *dungeon, ploy_describe *out);
/// Draws the plan; before it is finished, rooms as outlines, possible links as hints and links of
/// the tree as paths.
PLOY_API void ploy_dungeon_draw(const ploy_dungeon *dungeon, ploy_draw *out);
PLOY_API void ploy_dungeon_memory(const ploy_dungeon *dungeon, ploy_memory_fn fn, void *user);

/// "dungeon": makes a plan.
PLOY_API const ploy_generator_type *ploy_dungeon_generator(void);
