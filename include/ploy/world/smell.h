/// @file ploy/world/smell.h
/// Smelly terrain: what objects offer spreads through the level as a smell, and characters follow
/// it.
///
/// Each motive (or each action) is a separate signal; objects that can satisfy it emit it. Smells
/// spread from cell to cell, fade, and stop at walls, so that the neighbouring cell with the
/// strongest smell is the next step to the source that is easiest to reach. That needs no
/// pathfinding, and a larger meal attracts from farther away. An agent chooses among the actions
/// whose signals it can smell at its position (ploy_smell_get, then ploy/decide/gob.h). With a
/// separate field for one character, a filter lets objects emit only what that character can use
/// now.
///
/// Technique: Millington, "AI for Games", 5.7.6. In every pass, a cell gains `diffusion` of the
/// difference to each of its four neighbours that is open, then loses `decay`. With decay above 0,
/// only a source can be the strongest cell of its neighbourhood once the field has settled, so that
/// climbing ends at a source. A smell too weak for a float (1e-30) counts as none.
///
/// Cost: a pass is width x height x signals; one unit of budget is one row of one signal. All
/// memory is allocated at create. Threads: one caller at a time; many may read.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"

typedef struct ploy_smell_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t signals;
    int32_t sources; ///< maximum number of sources
    float cell;      ///< m, side of a cell
    float diffusion; ///< share of a difference that passes to a neighbour in a pass, up to 0.25
    float decay;     ///< share lost in a pass
} ploy_smell_def;

PLOY_API ploy_smell_def ploy_smell_def_default(void);
PLOY_API ploy_fields ploy_smell_fields(void);

/// The field. Opaque.
typedef struct ploy_smell ploy_smell;

PLOY_API ploy_result ploy_smell_create(const ploy_smell_def *def, const ploy_env *env,
                                       ploy_smell **out);
/// NULL is allowed.
PLOY_API void ploy_smell_destroy(ploy_smell *smell);

/// Makes a cell a wall: nothing passes, and its smell is removed. @return PLOY_ERR_ARGUMENT
/// outside.
PLOY_API ploy_result ploy_smell_set_blocked(ploy_smell *smell, int32_t x, int32_t y, bool blocked);

/// Adds a source. @param intensity  added in each pass, 0 or more. @param object  for the filter.
/// @param out  its number, for ploy_smell_set_source; may be NULL.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_smell_add_source(ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                                           float intensity, ploy_id object, int32_t *out);
/// Moves a source or changes its strength; 0 stops it.
PLOY_API ploy_result ploy_smell_set_source(ploy_smell *smell, int32_t source, int32_t x, int32_t y,
                                           float intensity);
/// Sets which objects emit now, for fields of one character. NULL: all.
PLOY_API void ploy_smell_set_filter(ploy_smell *smell,
                                    bool (*emits)(void *user, ploy_id object, int32_t signal),
                                    void *user);

/// Spreads the smells until the pass is done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// Readers see the last complete pass. NULL: one complete pass.
PLOY_API ploy_result ploy_smell_step(ploy_smell *smell, ploy_budget *budget);

/// Returns the strength of a smell; 0 outside.
PLOY_API float ploy_smell_get(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y);
/// Gets the next cell: the strongest of the four neighbours if it is stronger than this cell (ties:
/// right, up, left, down, in this order). @return false, leaving the outputs unchanged, at a source,
/// where there is no smell and outside the map.
PLOY_API bool ploy_smell_follow(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                                int32_t *next_x, int32_t *next_y);

/// Visits a ploy_smell (ploy/base/visit.h). A load leaves the filter unchanged.
PLOY_API void ploy_smell_visit(ploy_visit *v, void *smell);
PLOY_API void ploy_smell_describe(const ploy_smell *smell, ploy_describe *out);
/// Draws one signal as shaded cells, with walls and sources.
PLOY_API void ploy_smell_draw(const ploy_smell *smell, int32_t signal, ploy_vec2 origin,
                              ploy_draw *out);
