/// @file ploy/tactics/layer.h
/// A layer: one value for each place of a level, a number or a category.
///
/// Influence, visibility, danger and terrain are layers over the same places, so that they can be
/// combined. Numbers are floats; unknown is NaN. Categories are 0 to 254; unknown is
/// PLOY_CATEGORY_UNKNOWN. Unknown is never 0: a place that a side has not seen differs from one
/// that is known to be empty.
///
/// Technique: Millington, "AI for Games", 6.2, layered maps. Cost: O(1) for a place; a point costs
/// what the view's nearest costs. Memory: 4 bytes per place for numbers, 1 for categories. Nothing
/// allocates after create. Threads: reading may run on many threads while nothing writes.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/visit.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"
#include "ploy/tactics/places.h"

/// Values of a map. Opaque.
typedef struct ploy_tactics_layer ploy_tactics_layer;

typedef enum ploy_tactics_kind {
    PLOY_TACTICS_NUMBERS,
    PLOY_TACTICS_CATEGORIES,
    PLOY_TACTICS_KINDS
} ploy_tactics_kind;

/// The category of a place about which nothing is known.
#define PLOY_CATEGORY_UNKNOWN 255

/// Creates a layer in which every place is 0.
/// @param places  copied; its pointers must outlive the layer.
/// @return PLOY_ERR_ARGUMENT if the view is not complete or has more than PLOY_PLACES_MAX places;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tactics_layer_create(const ploy_places *places, ploy_tactics_kind kind,
                                               const ploy_env *env, ploy_tactics_layer **out);
/// NULL is allowed.
PLOY_API void ploy_tactics_layer_destroy(ploy_tactics_layer *layer);

/// The view that the layer was created with.
PLOY_API const ploy_places *ploy_tactics_layer_places(const ploy_tactics_layer *layer);
/// Numbers or categories.
PLOY_API ploy_tactics_kind ploy_tactics_layer_kind(const ploy_tactics_layer *layer);
/// The values, one per place, for direct reading and writing; NULL for the other kind.
PLOY_API float *ploy_tactics_layer_numbers(ploy_tactics_layer *layer);
PLOY_API uint8_t *ploy_tactics_layer_categories(ploy_tactics_layer *layer);

/// The value of a place, a category as its number. NaN if it is unknown or there is no such place.
PLOY_API float ploy_tactics_layer_at(const ploy_tactics_layer *layer, int32_t place);
/// The value of the place nearest to a point; NaN outside.
PLOY_API float ploy_tactics_layer_value(const ploy_tactics_layer *layer, ploy_vec3 point);
/// Sets a value; NaN makes it unknown. Categories are rounded to the nearest whole number.
/// @return PLOY_ERR_ARGUMENT for an invalid place or a category out of range.
PLOY_API ploy_result ploy_tactics_layer_set(ploy_tactics_layer *layer, int32_t place, float value);
/// Sets every place.
PLOY_API ploy_result ploy_tactics_layer_fill(ploy_tactics_layer *layer, float value);
/// Copies the values of a layer with the same number of places.
/// @return PLOY_ERR_ARGUMENT if kind or count differ.
PLOY_API ploy_result ploy_tactics_layer_copy(ploy_tactics_layer *layer,
                                             const ploy_tactics_layer *from);

/// The range of a layer's values.
typedef struct ploy_tactics_range {
    float least, most;         ///< of the known, finite values; 0 if there is none
    int32_t least_at, most_at; ///< the first place with that value; PLOY_PLACE_NONE
    int32_t known;             ///< places whose value is known
} ploy_tactics_range;

PLOY_API ploy_tactics_range ploy_tactics_layer_range(const ploy_tactics_layer *layer);

/// Sorts numbers into categories: 0 below thresholds[0], 1 below thresholds[1], and so on. Unknown
/// stays unknown.
/// @param thresholds  rising; count 1 to 254.
/// @return PLOY_ERR_ARGUMENT if kinds, places or thresholds do not fit.
PLOY_API ploy_result ploy_tactics_layer_classify(const ploy_tactics_layer *numbers,
                                                 const float *thresholds, int32_t count,
                                                 ploy_tactics_layer *categories);
/// The other direction: category i becomes values[i]; those above become unknown.
PLOY_API ploy_result ploy_tactics_layer_unclassify(const ploy_tactics_layer *categories,
                                                   const float *values, int32_t count,
                                                   ploy_tactics_layer *numbers);

/// Draws each known place as a square shaded by its value, in two styles if there are values on
/// both sides of 0; unknown places as hints; and a legend with the range above the map. Runs of
/// cells that look alike are one rectangle. A receiver that takes maps gets the values of a grid
/// instead (ploy_tactics_layer_map).
/// @param title  for the legend; NULL: no legend.
PLOY_API void ploy_tactics_layer_draw(const ploy_tactics_layer *layer, const char *title,
                                      ploy_draw *out);
/// Sends the values of a grid to a receiver that takes maps (ploy_draw_takes_maps); has no effect for
/// others and for places that are not a grid.
/// @param unit  of the values; "" if they have none.
PLOY_API void ploy_tactics_layer_map(const ploy_tactics_layer *layer, const char *name,
                                     const char *unit, ploy_draw *out);
/// Writes a grid as a grey picture in the text form of PGM, rows from the top; unknown is 0, values
/// are 1 to 255. @return PLOY_ERR_ARGUMENT if it is not a grid; the writer's error.
PLOY_API ploy_result ploy_tactics_layer_print(const ploy_tactics_layer *layer, ploy_writer *writer);
PLOY_API void ploy_tactics_layer_describe(const ploy_tactics_layer *layer, ploy_describe *out);
/// All state: a ploy_visitor. The view is the caller's.
PLOY_API void ploy_tactics_layer_visit(ploy_visit *v, void *layer);
PLOY_API void ploy_tactics_layer_memory(const ploy_tactics_layer *layer, ploy_memory_fn fn,
                                        void *user);
