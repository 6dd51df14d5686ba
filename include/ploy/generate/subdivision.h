/// @file ploy/generate/subdivision.h
/// Subdivision: a space is repeatedly split in two; the leaves hold rooms.
///
/// Every space tries random splits until both parts are large enough, subdivides both, and tests
/// the sub-tree as a whole: enough rooms, not too many tall or hard ones, or the caller's own test.
/// A sub-tree that fails is discarded and split again; the rest stays. After max_tries a space
/// stays whole. Rooms are put into leaves with a border. Corridors follow the tree: the two parts
/// of each space are joined, from the leaves up, so that n rooms have n - 1 corridors; or they
/// follow a spanning tree. Technique: Millington, "AI for Games", 8.4.4, with the recursion and
/// limits that the printed version lacks.
///
/// Thick walls. Unit of budget: one try for a split, or one corridor. Room.value is 1 in a hard
/// room.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_subdivision ploy_subdivision;

/// How rooms are joined.
typedef enum ploy_subdivision_join {
    PLOY_SUBDIVISION_NEAREST, ///< by the tree, between the nearest rooms of the two parts
    PLOY_SUBDIVISION_FIRST,   ///< by the tree, between the first rooms of the two parts
    PLOY_SUBDIVISION_SPANNING ///< by a minimum spanning tree of all rooms
} ploy_subdivision_join;

/// A space of the tree.
typedef struct ploy_subdivision_space {
    int32_t x, y, width, height;
    int32_t parent;   ///< -1: the whole
    int32_t child[2]; ///< -1: a leaf
    int32_t depth;
    int32_t leaves; ///< below it, itself included
    int32_t tall;   ///< of those: higher than wide
    int32_t hard;   ///< of those: hard
    int32_t room;   ///< of a leaf: its room in the plan; -1 before rooms are made
} ploy_subdivision_space;

/// Settings. Start from ploy_subdivision_def_default().
typedef struct ploy_subdivision_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t space_min;     ///< cells, shortest side of a space
    int32_t space_max;     ///< longest side that a leaf may have, if it can be split
    float stop;            ///< probability that a space below space_max stays whole
    int32_t border;        ///< cells between a space and its room
    int32_t room_min;      ///< cells, shortest side of a room
    int32_t join;          ///< ploy_subdivision_join
    float hard;            ///< share of hard rooms
    int32_t min_rooms;     ///< of the whole
    float max_tall;        ///< share of tall leaves in every sub-tree of 4 leaves or more
    float max_hard;        ///< share of hard leaves in every such sub-tree
    int32_t max_tries;     ///< splits of one space
    int32_t max_attempts;  ///< limit of tries in all
    ploy_plan_roles_def roles;
} ploy_subdivision_def;

PLOY_API ploy_subdivision_def ploy_subdivision_def_default(void);
PLOY_API ploy_fields ploy_subdivision_fields(void);

/// A caller's test for whole sub-trees. It must be possible to pass.
/// @param spaces  all spaces so far; those of the sub-tree come last.
/// @param root    the space under test.
typedef bool (*ploy_subdivision_test)(void *user, const ploy_subdivision_space *spaces,
                                      int32_t count, int32_t root);

/// Starts. @param test  NULL: none. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_subdivision_begin(const ploy_subdivision_def *def, ploy_rng_key key,
                                            ploy_subdivision_test test, void *user,
                                            ploy_trace *trace, const ploy_env *env,
                                            ploy_subdivision **out);
PLOY_API ploy_result ploy_subdivision_step(ploy_subdivision *subdivision, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_subdivision_outcome(const ploy_subdivision *subdivision);
PLOY_API const ploy_floor_plan *ploy_subdivision_plan(const ploy_subdivision *subdivision);
/// The tree; space 0 is the whole. Parents come before their parts.
PLOY_API const ploy_subdivision_space *ploy_subdivision_spaces(const ploy_subdivision *subdivision,
                                                               int32_t *count);
/// The number of sub-trees that were discarded because they failed a test.
PLOY_API int32_t ploy_subdivision_rebuilds(const ploy_subdivision *subdivision);
PLOY_API void ploy_subdivision_cancel(ploy_subdivision *subdivision);

PLOY_API void ploy_subdivision_describe(const ploy_subdivision *subdivision, ploy_describe *out);
/// Draws the plan, and the spaces as outlines.
PLOY_API void ploy_subdivision_draw(const ploy_subdivision *subdivision, ploy_draw *out);
PLOY_API void ploy_subdivision_memory(const ploy_subdivision *subdivision, ploy_memory_fn fn,
                                      void *user);

/// "subdivision": makes a plan.
PLOY_API const ploy_generator_type *ploy_subdivision_generator(void);
