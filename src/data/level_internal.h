// Parts of a build, shared inside data.
#pragma once

#include "ploy/base/array.h"
#include "ploy/data/level_build.h"
#include "ploy/geom/rings.h"

struct ploy_level_build {
    ploy_env env;
    ploy_level_def def;
    ploy_level level;                      // borrowed bytes
    const ploy_level_overrides *overrides; // borrowed; may be NULL
    ploy_plain_scene *scene;               // walls and obstacles
    ploy_graph *graph;                     // NULL without a free spawn point
    ploy_navmesh *mesh;                    // the same
    ploy_array issues;                     // ploy_level_issue
    ploy_array points;                     // ploy_level_point
    ploy_array spheres;                    // ploy_level_sphere
    int32_t gaps_closed, gaps_opened, stale, parts;
    int32_t stage; // that comes next, up to PLOY_LEVEL_BUILD_STAGES
};

// Appends an issue whose text is `text`, followed by the name in quotes if it is not empty.
// @return PLOY_ERR_MEMORY.
ploy_result ployi_level_issue(ploy_level_build *build, ploy_level_issue_kind kind,
                              ploy_severity severity, int32_t object, ploy_vec2 position,
                              float size, const char *text, const char *name);

// The floor of the walls' box: parts with a spawn point in `used`, closed parts without in `closed`
// (may be NULL). @return PLOY_ERR_NOT_FOUND without walls.
ploy_result ployi_level_floor(const ploy_level_def *def, const ploy_level *level,
                              const ploy_env *env, ploy_rings *used, ploy_rings *closed);

// Nodes and polygons in a block. Load returns PLOY_ERR_NOT_FOUND if the block has none.
ploy_result ployi_level_store_nodes(const ploy_graph *graph, const ploy_env *env,
                                    ploy_level_builder *builder);
ploy_result ployi_level_store_mesh(const ploy_navmesh *mesh, const ploy_env *env,
                                   ploy_level_builder *builder);
ploy_result ployi_level_load_nodes(const ploy_level *level, const ploy_env *env, ploy_graph **out);
ploy_result ployi_level_load_mesh(const ploy_level *level, const ploy_env *env, ploy_diags *diags,
                                  ploy_navmesh **out);

// Steps of a build, in this order.
ploy_result ployi_level_build_points(ploy_level_build *build);
ploy_result ployi_level_build_spheres(ploy_level_build *build);
ploy_result ployi_level_build_override(ploy_level_build *build);
ploy_result ployi_level_build_check(ploy_level_build *build);
