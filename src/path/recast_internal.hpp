// What the files of the component path_recast share.
#pragma once

#include "path/recast_steps.hpp"
#include "ploy/base/array.h"
#include "ploy/geom/adapt.h"
#include "ploy/geom/bvh.h"
#include "ploy/path/recast.h"

namespace ployi_recast {

ploy_result refuse(ploy_diags *diags, ploy_result code, int32_t line, const char *message);

// A level that was checked and copied.
struct level {
    ploy_array vertices;  // ploy_vec3, in our axes
    ploy_array turned;    // three floats each, in Recast's
    ploy_array triangles; // three int32_t each
    ploy_array areas;     // unsigned char, from 1; RC_NULL_AREA of steep triangles
    ploy_array links;     // ploy_navmesh_link
    uint16_t flags[PLOY_NAVMESH_AREAS];
    ploy_bvh2 *bvh; // of the triangles, in our plane
    float low[3], high[3];
};

void level_init(level &to, const ploy_env *env);
void level_fini(level &of);
// Checks and copies. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
ploy_result level_copy(const ploy_recast_level &from, const ploy_env *env, ploy_diags *diags,
                       level &to);
// Triangles whose box overlaps a rectangle in Recast's axes are appended to `out` (int32_t).
ploy_result level_find(const level &of, const float low[3], const float high[3], ploy_array &out);
// Puts points onto the triangles within reach of them. Cells are as high as the highest ground in
// them, rounded up: some decimetres too high, more on slopes.
void level_ground(const level &of, double reach, ploy_vec3 *points, int32_t count);

// A vertex of a polygon, in cells of the whole level, in Recast's axes.
struct cell_corner {
    int32_t x, y, z;
};

// The polygons of one tile, as they were baked.
struct tile {
    bool dirty;
    int32_t spans;
    ploy_array vertices;         // cell_corner
    ploy_array sizes;            // int32_t: corners of each polygon
    ploy_array corners;          // int32_t: vertices
    ploy_array areas;            // uint8_t
    ploy_array detail_vertices;  // ploy_vec3, in our axes
    ploy_array detail_sizes;     // int32_t: triangles of each polygon
    ploy_array detail_triangles; // three int32_t each
};

struct obstacle {
    uint32_t generation, used;
    int32_t area, count;
    float bottom, top;
    float corners[3 * PLOY_RECAST_OBSTACLE_MAX]; // in Recast's axes
    float low[3], high[3];
};

// Steps of Recast for a tile, as far as they are counted for the caller's progress.
enum { STAGES = 11 };

// Where a tile is: its first cell, and how many it has without the border. Its place among the
// others: the stages done before it, and of all.
struct tile_place {
    int32_t x, z, width, height;
    int32_t done, total;
};

void tile_init(tile &to, const ploy_env *env);
void tile_fini(tile &of);
void tile_clear(tile &of);
// @return PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; the tile has no polygons then.
ploy_result tile_bake(const ploy_recast_def &def, const level &of, const ploy_array &obstacles,
                      const tile_place &place, bool whole, const ploy_env *env, ploy_diags *diags,
                      tile &out);

// The position of a corner; the same bits whichever tile asks.
inline ploy_vec3 corner_position(const ploy_recast_def &def, const level &of,
                                 const cell_corner &at) {
    ploy_vec3 p = {of.low[0] + static_cast<float>(at.x) * def.cell,
                   of.low[1] + static_cast<float>(at.y) * def.cell_height,
                   of.low[2] + static_cast<float>(at.z) * def.cell};
    return ploy_adapter_point_from_host(ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f), p);
}

} // namespace ployi_recast
