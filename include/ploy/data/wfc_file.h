/// @file ploy/data/wfc_file.h
/// Files for wave function collapse: sets of tiles, and lists of runs.
///
/// A set names its tiles with their symmetry and weight, and the pairs that may be side by side;
/// subsets select some of its tiles:
///
///     <set>
///       <tiles><tile name="bend" symmetry="L" weight="2"/> ... </tiles>
///       <neighbors><neighbor left="bend 1" right="line"/> ... </neighbors>
///       <subsets><subset name="plain"><tile name="line"/></subset></subsets>
///     </set>
///
/// The number after a name is the turn of ploy_wfc_pair. A list of runs has one element for each:
/// `overlapping` (name, N, symmetry, size, width, height, periodic, periodicInput, `ground`,
/// heuristic) or `simpletiled` (name, subset, size, width, height, periodic, heuristic).
///
/// Cost: linear. Faults are reported with line and column.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/generate/wfc.h"

/// A set of tiles. Opaque, immutable.
typedef struct ploy_wfc_set ploy_wfc_set;

/// Reads a set.
/// @param subset  name of the subset to use; NULL: all tiles.
/// @param diags   may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_NOT_FOUND for an unknown subset (diags give the position),
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_wfc_set_load(const void *bytes, size_t size, const char *name,
                                       const char *subset, const ploy_env *env, ploy_diags *diags,
                                       ploy_wfc_set **out);
/// Frees the set with its model. NULL is allowed.
PLOY_API void ploy_wfc_set_destroy(ploy_wfc_set *set);

/// Returns the model of the set; the tiles of its patterns are numbered from 0 within the subset.
PLOY_API const ploy_wfc_model *ploy_wfc_set_model(const ploy_wfc_set *set);
PLOY_API int32_t ploy_wfc_set_count(const ploy_wfc_set *set);
/// Returns the name of a tile; NULL out of range.
PLOY_API const char *ploy_wfc_set_tile(const ploy_wfc_set *set, int32_t tile);
/// True if each form of a tile has a separate image, "name form".
PLOY_API bool ploy_wfc_set_unique(const ploy_wfc_set *set);

/// One run of a list.
typedef struct ploy_wfc_sample {
    bool tiled;         ///< uses a set of tiles; otherwise an image
    const char *name;   ///< of the image or the set
    const char *subset; ///< NULL if none
    ploy_wfc_def def;
} ploy_wfc_sample;

/// A list of runs. Opaque.
typedef struct ploy_wfc_samples ploy_wfc_samples;

PLOY_API ploy_result ploy_wfc_samples_load(const void *bytes, size_t size, const char *name,
                                           const ploy_env *env, ploy_diags *diags,
                                           ploy_wfc_samples **out);
PLOY_API void ploy_wfc_samples_destroy(ploy_wfc_samples *samples);
PLOY_API int32_t ploy_wfc_samples_count(const ploy_wfc_samples *samples);
/// @return NULL out of range. Valid as long as the list.
PLOY_API const ploy_wfc_sample *ploy_wfc_samples_at(const ploy_wfc_samples *samples, int32_t index);
