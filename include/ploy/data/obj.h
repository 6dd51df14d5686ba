/// @file ploy/data/obj.h
/// Geometry from Wavefront OBJ files: the triangles of a level, or a navigation mesh that an artist
/// drew.
///
///     v 0 0 0          a vertex; a fourth number or colours behind it are read over
///     v 4 0 0
///     v 4 0 -4
///     f 1 2/7 -1//3    a face by vertices from 1, or counted back from the last one
///
/// Everything else that the format knows (normals, groups, materials, curves) is read over; a word
/// that it does not know is a fault, as it is what a damaged file looks like. A backslash at the
/// end of a line goes on in the next, lines end in LF or CR LF, the last one in nothing. A face
/// names vertices above it.
///
/// Points come out in ploy's axes: say which ones the file has. Memory: 12 bytes a vertex, 4 a
/// face, 4 a corner and 12 a triangle. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/geom/adapt.h"
#include "ploy/path/navmesh.h"

/// A file's geometry. Opaque, immutable.
typedef struct ploy_obj ploy_obj;

/// Reads a file.
/// @param axes   those of the file; PLOY_AXES_Y_UP_RIGHT is what most programs write.
/// @param name   of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with every fault (up to twenty) in diags, by line and column: numbers
///         that are invalid or beyond 1e9, faces with fewer than three corners or with vertices that
///         are not there, unknown words, no face at all; PLOY_ERR_LIMIT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_obj_load(const void *bytes, size_t size, ploy_axes axes, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_obj **out);
/// NULL is allowed.
PLOY_API void ploy_obj_destroy(ploy_obj *obj);

/// What was read; borrowed. Faces of more than three corners are fans of triangles round their
/// first.
typedef struct ploy_obj_view {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *sizes; ///< how many corners each face has
    int32_t face_count;
    const int32_t *corners; ///< vertices of the faces, one face after the other
    int32_t corner_count;
    const int32_t *triangles; ///< three vertices for each
    int32_t triangle_count;
} ploy_obj_view;

PLOY_API ploy_obj_view ploy_obj_get(const ploy_obj *obj);

/// The faces as polygons of a navigation mesh, borrowed: for ploy_navmesh_create.
PLOY_API ploy_navmesh_soup ploy_obj_soup(const ploy_obj *obj);
