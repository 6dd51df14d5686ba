/// @file ploy/generate/voxels.h
/// Voxel landscapes: a height map as cubes, with soil, layers of rock and caves, for games that
/// dig.
///
/// A cube is 0 (empty) or a type of rock or soil: 1 is soil, at the surface; below it types 2, 3,
/// ... follow each other in layers that bend with noise, and repeat after the last. Caves are
/// tunnels where noise in space is near 0, from `cave_depth` below the surface down. Technique:
/// Millington, "AI for Games", 8.3.1; tunnels by Perlin noise as in many digging games.
///
/// As a generator it makes tiles: the cut through the middle row, x across and up, which is a level
/// for a game seen from the side.
///
/// Units: metres. A budget unit is one row of columns. Cost: about 30 ns per cube. Memory: one byte
/// per cube, allocated by begin. Threads: one caller.
#pragma once

#include "ploy/generate/generator.h"
#include "ploy/generate/heightmap.h"

typedef struct ploy_voxels_def {
    uint32_t cookie;
    int32_t layers;   ///< cubes from bottom to top
    float bottom;     ///< m, height of the lower side of the lowest cube
    float height;     ///< m, of a cube; 0: the map's spacing
    float soil;       ///< m, depth of the soil
    float stratum;    ///< m, thickness of a layer of rock
    int32_t rocks;    ///< types of rock
    float bend;       ///< m, how far noise moves the layers up and down
    float cave_size;  ///< m, distance between bends of tunnels
    float cave_width; ///< 0: no caves; larger: wider
    float cave_depth; ///< m below the surface at which caves begin; 0: they open to the surface
} ploy_voxels_def;

PLOY_API ploy_voxels_def ploy_voxels_def_default(void);
PLOY_API ploy_fields ploy_voxels_fields(void);

/// A landscape of cubes. Opaque.
typedef struct ploy_voxels ploy_voxels;

/// Starts. The map is borrowed until cancel.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_LIMIT for more than 2^30 cubes; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_voxels_begin(const ploy_voxels_def *def, ploy_rng_key key,
                                       const ploy_heightmap *map, ploy_trace *trace,
                                       const ploy_env *env, ploy_voxels **out);
PLOY_API ploy_result ploy_voxels_step(ploy_voxels *voxels, ploy_budget *budget);
/// count: cubes that are not empty.
PLOY_API ploy_generate_outcome ploy_voxels_outcome(const ploy_voxels *voxels);
/// The type of a cube; 0 beyond the landscape.
PLOY_API int32_t ploy_voxels_at(const ploy_voxels *voxels, int32_t column, int32_t row,
                                int32_t layer);
PLOY_API void ploy_voxels_cancel(ploy_voxels *voxels);
PLOY_API void ploy_voxels_describe(const ploy_voxels *voxels, ploy_describe *out);
/// Draws the cut through the middle row, x across and height up.
PLOY_API void ploy_voxels_draw(const ploy_voxels *voxels, ploy_draw *out);
PLOY_API void ploy_voxels_memory(const ploy_voxels *voxels, ploy_memory_fn fn, void *user);
/// "voxels": takes heights, makes tiles.
PLOY_API const ploy_generator_type *ploy_voxels_generator(void);
