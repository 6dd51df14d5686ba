/// @file ploy/generate/caves.h
/// Caves: round chambers that grow from each other, or rock worn away by an automaton.
///
/// - circles: backtracking over circles. Each cave tries a number of evenly spaced directions for a
///   cave beside it; the first that keeps its distance from all others is added and joined to the
///   cave that it grew from. (Millington, "AI for Games", 8.4.1)
/// - automaton: cells are open at random, then each is updated from its eight neighbours a few
///   times ("B5678/S45678" for rock). Pockets below min_cells are filled (if all are that small, the
///   largest is kept); the others become rooms and are joined by the shortest tunnels that span
///   them.
///
/// Both have thick walls. The rim of the map is rock.
///
/// Unit of budget: one try for a cave, or 16 rows of a generation. Room.value is 0.
#pragma once

#include "ploy/generate/floor_plan.h"
#include "ploy/generate/generator.h"

typedef struct ploy_caves ploy_caves;

typedef enum ploy_caves_method { PLOY_CAVES_AUTOMATON, PLOY_CAVES_CIRCLES } ploy_caves_method;

/// Settings. Start from ploy_caves_def_default().
typedef struct ploy_caves_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t method;        ///< ploy_caves_method
    float open;            ///< automaton: share of cells open at first
    int32_t generations;   ///< automaton
    int32_t min_cells;     ///< automaton: smaller pockets are filled
    float radius_min;      ///< circles: cells
    float radius_max;
    float gap;            ///< circles: cells of rock between caves that are not joined
    int32_t tries;        ///< circles: directions tried for each cave
    int32_t max_caves;    ///< circles: stop at this number; 0: fill
    int32_t max_attempts; ///< limit of tries
    ploy_plan_roles_def roles;
} ploy_caves_def;

PLOY_API ploy_caves_def ploy_caves_def_default(void);
PLOY_API ploy_fields ploy_caves_fields(void);

/// Starts. @param trace  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_caves_begin(const ploy_caves_def *def, ploy_rng_key key,
                                      ploy_trace *trace, const ploy_env *env, ploy_caves **out);
PLOY_API ploy_result ploy_caves_step(ploy_caves *caves, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_caves_outcome(const ploy_caves *caves);
PLOY_API const ploy_floor_plan *ploy_caves_plan(const ploy_caves *caves);
/// The circles, in the order of the plan's rooms; none for the automaton.
PLOY_API const ploy_placed *ploy_caves_circles(const ploy_caves *caves, int32_t *count);
PLOY_API void ploy_caves_cancel(ploy_caves *caves);

PLOY_API void ploy_caves_describe(const ploy_caves *caves, ploy_describe *out);
PLOY_API void ploy_caves_draw(const ploy_caves *caves, ploy_draw *out);
PLOY_API void ploy_caves_memory(const ploy_caves *caves, ploy_memory_fn fn, void *user);

/// "caves": makes a plan.
PLOY_API const ploy_generator_type *ploy_caves_generator(void);
