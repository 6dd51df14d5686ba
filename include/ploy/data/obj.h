/// @file ploy/data/obj.h
/// Geometry from Wavefront OBJ files: the triangles of a level, or a navigation mesh made by an
/// artist.
///
///     v 0 0 0          a vertex; a fourth number or colours after it are ignored
///     v 4 0 0
///     v 4 0 -4
///     f 1 2/7 -1//3    a face by vertices, from 1, or negative: counted back from the last
///
/// Everything else in the format (normals, groups, materials, curves) is ignored; an unknown
/// keyword is a fault, because damaged files look like that. A backslash at the end of a line
/// continues it on the next. Lines end in LF or CR LF, which may be missing on the last line. A
/// face refers to vertices above it.
///
/// Points are converted to ploy's axes; the caller gives the axes of the file. Memory: 12 bytes per
/// vertex, 4 per face, 4 per corner and 12 per triangle. Cost: linear. Threads: pure.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/geom/adapt.h"
#include "ploy/path/navmesh.h"

/// A file's geometry. Opaque, immutable.
typedef struct ploy_obj ploy_obj;

/// Reads a file.
/// @param axes   those of the file; most programs write PLOY_AXES_Y_UP_RIGHT.
/// @param name   of the file, for messages. @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with every fault (up to twenty) in diags, by line and column: numbers
///         that are invalid or beyond 1e9, faces with fewer than three corners or with missing
///         vertices, unknown keywords, no face at all; PLOY_ERR_LIMIT; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_obj_load(const void *bytes, size_t size, ploy_axes axes, const char *name,
                                   const ploy_env *env, ploy_diags *diags, ploy_obj **out);
/// NULL is allowed.
PLOY_API void ploy_obj_destroy(ploy_obj *obj);

/// The geometry of a file; borrowed. Faces of more than three corners are split into fans of
/// triangles around their first corner.
typedef struct ploy_obj_view {
    const ploy_vec3 *vertices;
    int32_t vertex_count;
    const int32_t *sizes; ///< how many corners each face has
    int32_t face_count;
    const int32_t *corners; ///< vertices of the faces, one face after another
    int32_t corner_count;
    const int32_t *triangles; ///< three vertices for each
    int32_t triangle_count;
} ploy_obj_view;

PLOY_API ploy_obj_view ploy_obj_get(const ploy_obj *obj);

/// Returns the faces as polygons of a navigation mesh, for ploy_navmesh_create; borrowed.
PLOY_API ploy_navmesh_soup ploy_obj_soup(const ploy_obj *obj);
