/// @file ploy/generate/heightmap.h
/// Height maps: a landscape as a grid of elevations with named layers.
///
/// Every map has the layer "elevation". Others are added by name and type: the kind of terrain, the
/// depth and flow of water, an offset for overhangs, what may be built where. Generators and
/// modifiers read and write layers; those they use are listed in their headers.
///
/// Cell (column, row) is at origin + (column, row) * spacing and has the index row * columns +
/// column. All layers are packed in that order. ploy_heightmap_field gives the elevation as a
/// ploy_heightfield, which provides heights between cells, normals, slopes and rays.
///
/// Units: metres. Memory: one block for each layer. Cost: finding a layer O(layers), the rest
/// O(cells). Threads: many may read at the same time; everything else takes one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/heightfield.h"

/// Maximum number of layers of a map, and of bytes in a layer's name with its terminating zero.
#define PLOY_HEIGHTMAP_LAYERS 16
#define PLOY_HEIGHTMAP_NAME 24
/// Maximum number of cells along a side.
#define PLOY_HEIGHTMAP_SIDE 16384

typedef enum ploy_heightmap_type {
    PLOY_HEIGHTMAP_F32,  ///< float
    PLOY_HEIGHTMAP_VEC2, ///< ploy_vec2
    PLOY_HEIGHTMAP_I32,  ///< int32_t
    PLOY_HEIGHTMAP_U8    ///< uint8_t
} ploy_heightmap_type;

/// "f32", "vec2", "i32", "u8".
PLOY_API const char *ploy_heightmap_type_text(ploy_heightmap_type type);

typedef struct ploy_heightmap_def {
    uint32_t cookie;
    int32_t columns, rows; ///< cells along x and along y
    float spacing;         ///< m between cells
    ploy_vec2 origin;      ///< m, position of cell (0, 0)
} ploy_heightmap_def;

PLOY_API ploy_heightmap_def ploy_heightmap_def_default(void);
PLOY_API ploy_fields ploy_heightmap_fields(void);

/// A map. Opaque.
typedef struct ploy_heightmap ploy_heightmap;

/// Creates a map whose only layer is "elevation", all 0.
PLOY_API ploy_result ploy_heightmap_create(const ploy_heightmap_def *def, const ploy_env *env,
                                           ploy_heightmap **out);
/// Creates a copy with all layers.
PLOY_API ploy_result ploy_heightmap_copy(const ploy_heightmap *map, const ploy_env *env,
                                         ploy_heightmap **out);
/// NULL is allowed.
PLOY_API void ploy_heightmap_destroy(ploy_heightmap *map);

/// Size, spacing and origin.
PLOY_API const ploy_heightmap_def *ploy_heightmap_def_of(const ploy_heightmap *map);
/// columns * rows.
PLOY_API int32_t ploy_heightmap_cells(const ploy_heightmap *map);
/// Position of a cell on the plane.
PLOY_API ploy_vec2 ploy_heightmap_position(const ploy_heightmap *map, int32_t cell);
/// The cell nearest to a point; -1 more than half a cell outside the map and for NaN.
PLOY_API int32_t ploy_heightmap_quantise(const ploy_heightmap *map, ploy_vec2 point);

/// The area that the map's cells cover: half a cell beyond the outermost positions.
PLOY_API ploy_box2 ploy_heightmap_box(const ploy_heightmap *map);

/// The elevations, m.
PLOY_API float *ploy_heightmap_elevation(const ploy_heightmap *map);
/// The elevation as a height field, borrowed; valid until the map is destroyed.
PLOY_API ploy_heightfield ploy_heightmap_field(const ploy_heightmap *map);

/// Finds or adds a layer. A new one is all zeros.
/// @param out  its first value: float *, ploy_vec2 *, int32_t * or uint8_t *.
/// @return PLOY_ERR_EXISTS if the layer has another type, PLOY_ERR_ARGUMENT for an empty or long
///         name, PLOY_ERR_CAPACITY if the map already has PLOY_HEIGHTMAP_LAYERS, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_heightmap_add(ploy_heightmap *map, const char *name,
                                        ploy_heightmap_type type, void **out);
/// The values of a layer; NULL if there is no such layer of that type.
PLOY_API void *ploy_heightmap_layer(const ploy_heightmap *map, const char *name,
                                    ploy_heightmap_type type);
/// Removes a layer; false if there is none or it is "elevation".
PLOY_API bool ploy_heightmap_remove(ploy_heightmap *map, const char *name);
/// The number of layers, and the name and type of each in the order of adding; NULL out of range.
PLOY_API int32_t ploy_heightmap_layer_count(const ploy_heightmap *map);
PLOY_API const char *ploy_heightmap_layer_name(const ploy_heightmap *map, int32_t index,
                                               ploy_heightmap_type *type);

/// Least and greatest elevation.
PLOY_API void ploy_heightmap_range(const ploy_heightmap *map, float *low, float *high);
/// Moves and scales all elevations so that they run from low to high; a level map becomes low.
PLOY_API void ploy_heightmap_rescale(ploy_heightmap *map, float low, float high);

/// New elevation of a cell from its index and old elevation.
typedef float (*ploy_heightmap_fn)(void *user, int32_t cell, float elevation);
/// Replaces every elevation with the function's result, in the order of the cells.
PLOY_API void ploy_heightmap_apply(ploy_heightmap *map, ploy_heightmap_fn fn, void *user);
/// elevation = share * other + (1 - share) * elevation. The other field is stretched over the map
/// and mixed bilinearly; where it has a hole, the map does not change.
PLOY_API ploy_result ploy_heightmap_blend(ploy_heightmap *map, const ploy_heightfield *other,
                                          float share);

/// Draws the map as squares of about `detail` cells a side, shaded by height and by light from the
/// north-west; layers "water" and "road" are drawn over it.
PLOY_API void ploy_heightmap_draw(const ploy_heightmap *map, int32_t detail, ploy_draw *out);
/// Size, range and a hash of each layer.
PLOY_API void ploy_heightmap_describe(const ploy_heightmap *map, ploy_describe *out);
PLOY_API void ploy_heightmap_memory(const ploy_heightmap *map, ploy_memory_fn fn, void *user);
