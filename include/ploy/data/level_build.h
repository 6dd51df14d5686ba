/// @file ploy/data/level_build.h
/// From a designer's level to the block that a game loads: import, generate, override, check, save.
///
///     ploy_level_build_create(&def, &level, overrides, &env, &build);
///     for (int32_t i = 0; i < ploy_level_build_issues(build); i++) show(...);
///     ploy_level_build_save(build, &writer);   // one ploy_level block
///
/// A build floods the level with nodes, makes a mesh, assesses tactical points, fits spheres to
/// obstacles, applies the overrides (ploy/data/level_overrides.h) and checks the result. Overrides
/// are applied after everything is generated, so they survive every change of the level; overrides
/// that no longer apply are reported as issues.
///
/// Obstacles are objects of type `obstacle` with tags width, depth (m) and turn (rad). Characters
/// usually avoid the sphere around an obstacle, and in a crowded room spheres close gaps that are
/// open. The build reports each of these gaps and splits the spheres of both obstacles until it is
/// open, or def.spheres is reached.
///
/// The saved block contains the level's own objects and these: `nodes` (slot graph: the text of
/// ploy/path/graph_text.h), `mesh` (slot bytes: ploy_navmesh_save in hexadecimal), `point` and
/// `sphere` (slot radius; the name is the obstacle's). ploy_level_nodes_create and
/// ploy_level_mesh_create read nodes and mesh from it.
///
/// Technique: Millington, "AI for Games", chapter 12. Units: metres. Cost: as its parts; not for
/// every frame. Threads: one caller.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/describe.h"
#include "ploy/data/level_overrides.h"
#include "ploy/data/level_use.h"
#include "ploy/geom/draw.h"

typedef enum ploy_level_issue_kind {
    PLOY_LEVEL_SPAWN_BLOCKED,    ///< a spawn point is too close to a wall
    PLOY_LEVEL_ITEM_UNREACHABLE, ///< no node near the item from which agents can walk to it
    PLOY_LEVEL_BUTTON_UNREACHABLE,
    PLOY_LEVEL_PART_SPLIT, ///< nodes that are not connected to the largest part; size: how many
    PLOY_LEVEL_FLOOR_UNREACHABLE, ///< enclosed floor without a spawn point; size: m^2
    PLOY_LEVEL_NODE_AT_WALL,      ///< a node is nearer to a wall than the radius
    PLOY_LEVEL_EDGE_BLOCKED,      ///< an edge leads through a wall
    PLOY_LEVEL_DOOR_UNUSED,       ///< no edge leads through the door
    PLOY_LEVEL_NAME_TWICE,        ///< two objects of one type have the same name
    PLOY_LEVEL_GAP_CLOSED,        ///< spheres close a gap; size: its true width
    PLOY_LEVEL_OVERRIDE_STALE,    ///< an override no longer applies; line: its line
    PLOY_LEVEL_TRIGGER_FAULT,     ///< a trigger's condition or action is invalid
    PLOY_LEVEL_OFFER_FAULT,       ///< an offer of an unknown object, or invalid needs or effects
    PLOY_LEVEL_ISSUE_KIND_COUNT
} ploy_level_issue_kind;

/// "spawn blocked", "item unreachable", ...
PLOY_API const char *ploy_level_issue_kind_text(ploy_level_issue_kind kind);

/// An issue that a check found.
typedef struct ploy_level_issue {
    ploy_level_issue_kind kind;
    ploy_severity severity; ///< error: some agent will fail; warning: needs review
    int32_t object;         ///< index in the level; -1 if it concerns none
    int32_t line;           ///< of an override; otherwise 0
    ploy_vec2 position;
    float size;     ///< see the kinds; 0 if unused
    char text[128]; ///< a sentence
} ploy_level_issue;

/// A sphere that encloses an obstacle, or a part of it.
typedef struct ploy_level_sphere {
    int32_t object; ///< the obstacle
    ploy_vec2 position;
    float radius; ///< m
} ploy_level_sphere;

/// A tactical point. Values are NaN if they were not assessed.
typedef struct ploy_level_point {
    int32_t object; ///< of the level; -1 if it was generated or added by an override
    ploy_vec2 position;
    float cover, recon, shadow;
    const char *name; ///< lives as long as the build
    const char *tags; ///< of an override, key=value lines; "" otherwise
} ploy_level_point;

/// Numbers of a build.
typedef struct ploy_level_stats {
    int32_t objects, walls, doors, items, spawns, triggers, offers, obstacles; ///< of the level
    int32_t nodes, edges, parts;                                               ///< of the flood
    int32_t polygons;
    float area; ///< m^2, of the mesh
    int32_t points, spheres;
    int32_t gaps_closed, gaps_opened; ///< by one sphere an obstacle; opened by more spheres
    int32_t overrides, stale;
    int32_t errors, warnings;
} ploy_level_stats;

/// Scene, nodes, mesh, tactical points, spheres, overrides, checks.
#define PLOY_LEVEL_BUILD_STAGES 7

/// A build. Opaque.
typedef struct ploy_level_build ploy_level_build;

/// Builds a level. The level and the overrides must outlive the build.
/// @param overrides  may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT for too many nodes, PLOY_ERR_MEMORY. A level without a
///         free spawn point is built without nodes and mesh; the issues report it.
PLOY_API ploy_result ploy_level_build_create(const ploy_level_def *def, const ploy_level *level,
                                             const ploy_level_overrides *overrides,
                                             const ploy_env *env, ploy_level_build **out);
/// The same in slices: begins a build that has no results yet, for ploy_level_build_step.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_level_build_begin(const ploy_level_def *def, const ploy_level *level,
                                            const ploy_level_overrides *overrides,
                                            const ploy_env *env, ploy_level_build **out);
/// Continues a build; one unit of budget is one of the PLOY_LEVEL_BUILD_STAGES stages.
/// @param budget  NULL: to the end.
/// @return PLOY_IN_PROGRESS while stages are left; PLOY_OK if the build is complete; as
///         ploy_level_build_create, and then the build can only be destroyed.
PLOY_API ploy_result ploy_level_build_step(ploy_level_build *build, ploy_budget *budget);
/// NULL is allowed.
PLOY_API void ploy_level_build_destroy(ploy_level_build *build);

/// Returns the numbers of objects in the level and of generated parts.
PLOY_API ploy_level_stats ploy_level_build_stats(const ploy_level_build *build);
/// Returns the number of issues. Errors come first, each kind in the order of the level.
PLOY_API int32_t ploy_level_build_issues(const ploy_level_build *build);
/// Returns an issue; NULL out of range.
PLOY_API const ploy_level_issue *ploy_level_build_issue(const ploy_level_build *build,
                                                        int32_t index);
/// Return parts of the build, borrowed: NULL without nodes or mesh, and out of range.
PLOY_API const ploy_graph *ploy_level_build_nodes(const ploy_level_build *build);
PLOY_API const ploy_navmesh *ploy_level_build_mesh(const ploy_level_build *build);
PLOY_API const ploy_level_point *ploy_level_build_point(const ploy_level_build *build,
                                                        int32_t index);
PLOY_API const ploy_level_sphere *ploy_level_build_sphere(const ploy_level_build *build,
                                                          int32_t index);

/// Writes the level with everything generated as one block (ploy/data/level.h). The same level and
/// overrides give the same bytes. @return PLOY_ERR_CAPACITY, PLOY_ERR_MEMORY, the writer's error.
PLOY_API ploy_result ploy_level_build_save(const ploy_level_build *build, ploy_writer *out);

/// Draws walls, doors, objects, nodes, mesh, points and spheres, and marks the issues.
/// @param nodes  how many nodes are drawn, in the order in which the flood reached them; below 0:
///               all.
PLOY_API void ploy_level_build_draw(const ploy_level_build *build, int32_t nodes, ploy_draw *out);
/// Describes the statistics and each issue.
PLOY_API void ploy_level_build_describe(const ploy_level_build *build, ploy_describe *out);
