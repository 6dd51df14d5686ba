/// @file ploy/data/level_use.h
/// Functions that read a level for a game: walls, doors, items and spawn points, a scene for rays,
/// a grid of nodes and a navigation mesh.
///
///     ploy_level_from_text(text, size, "dm1.level", &env, diags, &bytes, &level);
///     ploy_level_scene_create(&level, WALLS, DOORS, &env, &scene, door_ids);
///     ploy_level_nodes_create(&def, &level, &env, diags, &graph);
///     ploy_level_mesh_create(&def, &level, &env, diags, &mesh);
///     for (int32_t at = 0; ploy_level_next_item(&level, &at, &item);) place(item);
///
/// Nodes and mesh treat doors as open. ploy_level_door_edges returns the edges of the nodes that
/// lead through a door: close them when the door closes. If a block contains nodes or polygons,
/// because it was written by ploy/data/level_build.h, they are read instead of computed.
///
/// Technique: flood fill from the spawn points (ploy/path/graph_tools.h), walls widened by the
/// agent's radius (ploy/geom/offset.h). Units: metres. Cost: reading O(objects), nodes O(nodes log
/// walls), mesh as ploy_navmesh_create_rings. Threads: the level is only read.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/data/level.h"
#include "ploy/data/level_text.h"
#include "ploy/geom/obb.h"
#include "ploy/geom/scene.h"
#include "ploy/geom/segment.h"
#include "ploy/path/graph.h"
#include "ploy/path/navmesh.h"

/// Reads a level's text into a block and opens it, in one call.
/// @param bytes  initialised by the caller, who also frees it; its content is replaced. The level
///               is valid while it is unchanged.
/// @return as ploy_level_text_load; then bytes and out are unchanged.
PLOY_API ploy_result ploy_level_from_text(const char *text, size_t size, const char *name,
                                          const ploy_env *env, ploy_diags *diags,
                                          ploy_buffer *bytes, ploy_level *out);

/// The functions below walk over all objects of one type: set the cursor to 0 and call until they
/// return false.

/// Gets the next wall.
PLOY_API bool ploy_level_next_wall(const ploy_level *level, int32_t *cursor, ploy_segment2 *out);

/// A door. Texts live as long as the level.
typedef struct ploy_level_door {
    int32_t object; ///< of the level, for further tags
    const char *name;
    ploy_segment2 segment; ///< the wall that the closed door forms
    ploy_vec2 buttons[PLOY_LEVEL_BUTTONS_MAX];
    int32_t button_count;
} ploy_level_door;

/// Gets the next door.
PLOY_API bool ploy_level_next_door(const ploy_level *level, int32_t *cursor, ploy_level_door *out);

/// Something to pick up.
typedef struct ploy_level_item {
    int32_t object; ///< of the level, for further tags
    const char *kind;
    ploy_vec2 position;
    float amount; ///< 1 if the text gives none
} ploy_level_item;

/// Gets the next item.
PLOY_API bool ploy_level_next_item(const ploy_level *level, int32_t *cursor, ploy_level_item *out);

/// A place where characters enter the level.
typedef struct ploy_level_spawn {
    int32_t object; ///< of the level, for further tags
    ploy_vec2 position;
    float facing;     ///< rad, tag `facing`; 0 if there is none
    const char *side; ///< tag `side`; "" if there is none
} ploy_level_spawn;

/// Gets the next spawn point.
PLOY_API bool ploy_level_next_spawn(const ploy_level *level, int32_t *cursor,
                                    ploy_level_spawn *out);

/// A box that blocks movement and sight: objects of type `obstacle`.
typedef struct ploy_level_obstacle {
    int32_t object;
    const char *name;
    ploy_obb2 box; ///< tags `width`, `depth` (m, 1 if there is none) and `turn` (rad)
} ploy_level_obstacle;

/// Gets the next obstacle.
PLOY_API bool ploy_level_next_obstacle(const ploy_level *level, int32_t *cursor,
                                       ploy_level_obstacle *out);

/// Returns the number in a slot of an object, or `usual` if it has none.
PLOY_API float ploy_level_number(const ploy_level *level, int32_t object, const char *key,
                                 float usual);
/// Returns the text in a slot of an object, or `usual` if it has none.
PLOY_API const char *ploy_level_word(const ploy_level *level, int32_t object, const char *key,
                                     const char *usual);

/// Creates a scene of the walls and obstacles, and of the doors if they have a layer.
/// @param door_layers  bits of closed doors; 0: doors are left out.
/// @param doors        the obstacle of each door, in the order of the doors; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_level_scene_create(const ploy_level *level, uint32_t wall_layers,
                                             uint32_t door_layers, const ploy_env *env,
                                             ploy_plain_scene **out, ploy_obstacle_id *doors);

/// Settings of nodes and mesh, and of a build (ploy/data/level_build.h).
typedef struct ploy_level_def {
    uint32_t cookie;
    float radius;    ///< m, of the agents: nodes, edges and mesh keep this distance to walls
    float spacing;   ///< m, between nodes
    bool diagonal;   ///< eight neighbours; otherwise four
    int32_t limit;   ///< maximum number of nodes
    float thickness; ///< m, of walls, for the mesh
    bool points;     ///< of a build: generate tactical points
    float weight;    ///< of a build: value per metre; larger keeps more points
    int32_t spheres; ///< of a build: maximum number of spheres per obstacle
} ploy_level_def;

PLOY_API ploy_level_def ploy_level_def_default(void);
PLOY_API ploy_fields ploy_level_fields(void);

/// Creates the nodes that agents reach from the spawn points: a lattice through the first of them.
/// A spawn point that cannot be reached from the others gets nodes of the same lattice around it.
/// Nodes are numbered in the order in which the flood reached them.
/// @param diags  reports a spawn point inside a wall; may be NULL.
/// @return PLOY_ERR_ARGUMENT; PLOY_ERR_NOT_FOUND without a free spawn point; PLOY_ERR_LIMIT;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_level_nodes_create(const ploy_level_def *def, const ploy_level *level,
                                             const ploy_env *env, ploy_diags *diags,
                                             ploy_graph **out);

/// Finds the edges that lead through a door. @param out  room for `capacity`; may be NULL with 0.
/// @return how many there are.
PLOY_API int32_t ploy_level_door_edges(const ploy_level_door *door, const ploy_graph *graph,
                                       int32_t *out, int32_t capacity);

/// Creates a mesh of the floor around the spawn points.
/// @param diags  may be NULL. @return PLOY_ERR_NOT_FOUND without walls or without floor at any
///         spawn point; as ploy_navmesh_create_rings.
PLOY_API ploy_result ploy_level_mesh_create(const ploy_level_def *def, const ploy_level *level,
                                            const ploy_env *env, ploy_diags *diags,
                                            ploy_navmesh **out);
