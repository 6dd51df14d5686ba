/// @file ploy/world/smell.h
/// Smelly terrain: what objects offer spreads through the level as a smell, and characters follow
/// their noses.
///
/// Each motive (or each action) is a separate signal; objects that can satisfy it emit it. Smells
/// spread from cell to cell, fade, and stop at walls, so that the cell next to one's own that
/// smells strongest is the next step to the source that is easiest to reach: no pathfinding, and a
/// larger meal pulls from further away. Signals that represent actions are chosen among those that
/// can be smelt at the agent's place (ploy_smell_detect, then ploy/decide/gob.h); a filter lets
/// objects emit only what one character can use just now, with a separate field for it.
///
/// Technique: Millington, "AI for Games", 5.7.6. Every pass a cell gets `diffusion` of the
/// difference to each of its open neighbours (four), then loses `decay`. With decay above 0 no cell
/// but a source can be the strongest of its neighbourhood once the field has settled, so that
/// climbing ends at a source; where a smell has become too thin for a float (1e-30) there is none.
///
/// Cost: a pass is width x height x signals; one unit of budget is one row of one signal. All
/// memory is taken at create. Threads: one caller at a time; reading from many.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"

typedef struct ploy_smell_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    int32_t signals;
    int32_t sources; ///< most of them
    float cell;      ///< m, side of a cell
    float diffusion; ///< share of a difference that passes to a neighbour in a pass, to 0.25
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

/// Walls: nothing passes, and what was there is gone. @return PLOY_ERR_ARGUMENT outside.
PLOY_API ploy_result ploy_smell_set_blocked(ploy_smell *smell, int32_t x, int32_t y, bool blocked);

/// Adds a source. @param intensity  added in each pass, 0 or more. @param object  for the filter.
/// @param out  its number, for changing it; may be NULL.
/// @return PLOY_ERR_CAPACITY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_smell_add_source(ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                                           float intensity, ploy_id object, int32_t *out);
/// Moves a source, or changes how strong it is; 0 silences it.
PLOY_API ploy_result ploy_smell_set_source(ploy_smell *smell, int32_t source, int32_t x, int32_t y,
                                           float intensity);
/// Which objects emit just now: for fields of one character. NULL: all.
PLOY_API void ploy_smell_set_filter(ploy_smell *smell,
                                    bool (*emits)(void *user, ploy_id object, int32_t signal),
                                    void *user);

/// Spreads: until the pass is done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Readers see
/// the last whole pass. NULL: one whole pass.
PLOY_API ploy_result ploy_smell_step(ploy_smell *smell, ploy_budget *budget);

/// How strong it smells; 0 outside.
PLOY_API float ploy_smell_get(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y);
/// The next cell: the strongest of the four neighbours if it is stronger than here (right, up,
/// left, down break ties in this order). @return false, leaving out alone, at a source or where
/// nothing is smelt.
PLOY_API bool ploy_smell_follow(const ploy_smell *smell, int32_t signal, int32_t x, int32_t y,
                                int32_t *next_x, int32_t *next_y);
/// The signals of at least that strength here, strongest first. @return how many, at most capacity.
PLOY_API int32_t ploy_smell_detect(const ploy_smell *smell, int32_t x, int32_t y, float least,
                                   int32_t *signals, int32_t capacity);

/// Visits a ploy_smell (ploy/base/visit.h). The hook that emits stays as it is.
PLOY_API void ploy_smell_visit(ploy_visit *v, void *smell);
PLOY_API void ploy_smell_describe(const ploy_smell *smell, ploy_describe *out);
/// One signal as shaded cells, walls and sources.
PLOY_API void ploy_smell_draw(const ploy_smell *smell, int32_t signal, ploy_vec2 origin,
                              ploy_draw *out);
