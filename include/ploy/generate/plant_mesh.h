/// @file ploy/generate/plant_mesh.h
/// Plant meshes: branches as tubes and leaves as blades, as vertices and triangles.
///
/// Each branch is a tube of `sides` around its curve, cut into `segments`; radii run from the
/// branch's own to its tip's, so a branch meets its thickest child without a step. Tips are closed.
/// A leaf is two triangles.
///
/// Units: metres. Cost: O(branches * sides * segments). Memory: 12 bytes per vertex and per
/// triangle. Threads: many may read at the same time.
#pragma once

#include "ploy/generate/plant.h"

typedef struct ploy_plant_mesh_def {
    uint32_t cookie;
    int32_t sides;    ///< of a tube
    int32_t segments; ///< along a branch; 1 leaves out its curve
    bool leaves;
} ploy_plant_mesh_def;

PLOY_API ploy_plant_mesh_def ploy_plant_mesh_def_default(void);
PLOY_API ploy_fields ploy_plant_mesh_fields(void);

/// A mesh. Opaque, immutable.
typedef struct ploy_plant_mesh ploy_plant_mesh;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT for more vertices than an int32_t counts,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_plant_mesh_create(const ploy_plant_mesh_def *def, const ploy_plant *plant,
                                            const ploy_env *env, ploy_plant_mesh **out);
/// NULL is allowed.
PLOY_API void ploy_plant_mesh_destroy(ploy_plant_mesh *mesh);

/// The vertices, borrowed.
PLOY_API const ploy_vec3 *ploy_plant_mesh_vertices(const ploy_plant_mesh *mesh, int32_t *count);
/// Three vertices for each triangle, counter-clockwise from outside.
PLOY_API const int32_t *ploy_plant_mesh_triangles(const ploy_plant_mesh *mesh, int32_t *count);
PLOY_API void ploy_plant_mesh_memory(const ploy_plant_mesh *mesh, ploy_memory_fn fn, void *user);
