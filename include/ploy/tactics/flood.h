/// @file ploy/tactics/flood.h
/// Map flooding: which of several sources owns each place, by strength or by distance.
///
/// Cities, bases or units spread over the map at once, the strongest record first. A place belongs
/// to the source whose strength is largest there, and its value is that one strength: unlike in an
/// influence map, strengths do not add up, so twenty soldiers count as one. In exchange, one flood
/// finds all territories, whatever the number of sources.
///
///     measure    distance is the length of the path through open places, or a straight line
///     nearest    the value is minus the distance: Dirichlet domains
///     contiguous a source spreads only through places that it owns, so its territory is connected.
///                Otherwise each source floods alone and a place takes the largest value: a strong
///                source reaches past a weak one
///
/// With straight lines, a later, stronger flood can cut off part of an earlier territory.
/// Contiguous floods give up such parts at the end (ploy_flood_cut).
///
/// Technique: Millington, "AI for Games", 6.2.5, with the comparisons of the listing corrected.
/// Units: a budget unit is one place taken. Cost: O(places log places); if not contiguous, for each
/// source. Memory: 28 bytes per place. Nothing allocates once warm. Threads: one caller at a time.
/// Domains of the nearest source by path over ploy_tiles_space take about half the time of those
/// over another space: the map's steps are read at once, again only after an edit.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/visit.h"
#include "ploy/search/space.h"
#include "ploy/tactics/influence.h"

typedef enum ploy_flood_measure {
    PLOY_FLOOD_PATH,
    PLOY_FLOOD_STRAIGHT, ///< between positions, in units of the view's cell size
    PLOY_FLOOD_MEASURES
} ploy_flood_measure;

/// Start from ploy_flood_def_default().
typedef struct ploy_flood_def {
    uint32_t cookie;
    ploy_flood_measure measure;
    bool nearest; ///< the value is minus the distance; strengths are ignored
    bool contiguous;
    bool absorbs;             ///< a source may take the place of another source
    ploy_influence_type type; ///< how strength falls; its radius and threshold end a territory
} ploy_flood_def;

PLOY_API ploy_flood_def ploy_flood_def_default(void);
PLOY_API ploy_fields ploy_flood_fields(void);

typedef struct ploy_flood_source {
    int32_t place;
    float strength; ///< 0 or more
} ploy_flood_source;

/// Opaque.
typedef struct ploy_flood ploy_flood;

/// @param places  copied; its pointers must outlive the flood.
/// @param space   steps between places and their costs, such as ploy_tiles_space; copied. NULL: the
///                view's neighbours that are open, at the distance of their positions in cells.
/// @return PLOY_ERR_ARGUMENT, also for a space of another count; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_flood_create(const ploy_flood_def *def, const ploy_places *places,
                                       const ploy_space *space, const ploy_env *env,
                                       ploy_flood **out);
/// NULL is allowed.
PLOY_API void ploy_flood_destroy(ploy_flood *flood);

/// Discards the last flood and begins another. Of several sources at one place the strongest
/// counts; among equals, the first.
/// @param sources  copied. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_flood_begin(ploy_flood *flood, const ploy_flood_source *sources,
                                      int32_t count);
/// @param budget  NULL: no limit.
/// @return PLOY_IN_PROGRESS, PLOY_OK, the error of the space, PLOY_ERR_MEMORY; PLOY_ERR_STATE if
///         nothing was begun.
PLOY_API ploy_result ploy_flood_step(ploy_flood *flood, ploy_budget *budget);
/// Stops. The places found so far stay.
PLOY_API void ploy_flood_cancel(ploy_flood *flood);
PLOY_API ploy_result ploy_flood_run(ploy_flood *flood, const ploy_flood_source *sources,
                                    int32_t count);

/// The number of the source that owns a place; -1 if none does.
PLOY_API int32_t ploy_flood_owner(const ploy_flood *flood, int32_t place);
/// The owner's value at a place; NaN if there is none.
PLOY_API float ploy_flood_value(const ploy_flood *flood, int32_t place);
/// The number of places of a source. O(places).
PLOY_API int32_t ploy_flood_count(const ploy_flood *flood, int32_t source);
/// The number of places that were given up because they were cut off from their source.
PLOY_API int32_t ploy_flood_cut(const ploy_flood *flood);
/// Fills a layer: numbers take the values (unknown without owner), categories the source + 1 (0
/// without owner; sources beyond 253 share the last). @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_flood_read(const ploy_flood *flood, ploy_tactics_layer *out);
PLOY_API void ploy_flood_describe(const ploy_flood *flood, ploy_describe *out);
PLOY_API void ploy_flood_memory(const ploy_flood *flood, ploy_memory_fn fn, void *user);
/// The flood's visitor, for saves. A load needs a flood with the same def over the same places.
PLOY_API void ploy_flood_visit(ploy_visit *v, void *flood);
