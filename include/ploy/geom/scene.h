/// @file ploy/geom/scene.h
/// The scene: obstacles behind one small interface.
///
/// Line of sight, feelers, avoidance and jumping query a ploy_scene. A game with a physics engine
/// fills in the callbacks with its own casts. A game without one, a test or a lab uses
/// ploy_plain_scene: segments and circles on the plane.
///
/// Points are 3D. A planar scene ignores z: its walls are infinitely high. Every object has layers,
/// one bit each, whose meaning the game defines (1 walls, 2 water, 4 glass ...). A query finds
/// objects that share a bit with its mask.
///
/// Threads: agents think on many threads, so the callbacks must be safe to call from several
/// threads at once while nothing changes. Those of ploy_plain_scene are. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/circle.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/segment.h"

/// The mask that matches every layer.
#define PLOY_SCENE_ALL 0xffffffffu

/// The object that a query hit.
typedef struct ploy_scene_hit {
    float distance;   ///< m from the start, along the line
    ploy_vec3 point;  ///< the point of contact
    ploy_vec3 normal; ///< unit, pointing out of the object
    ploy_id object;   ///< the scene's id for the object, or none
    uint32_t layers;  ///< of the object
    bool inside;      ///< the start was inside the object; distance is 0
} ploy_scene_hit;

/// The interface. Any callback may be NULL: the calls below then answer as for an empty, flat
/// scene. Callbacks must give the same answers for the same scene, or replays differ.
typedef struct ploy_scene {
    /// Finds the first object on the straight line. Sets *hit only if it returns true.
    bool (*ray)(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit);
    /// Finds the first object hit by a ball (on the plane: a circle) that moves along the line. The
    /// radius is above 0.
    bool (*sweep)(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                  ploy_scene_hit *hit);
    /// Finds the objects that share a point with a ball, up to capacity of them in a fixed order.
    /// @return their number, which may be above capacity.
    int32_t (*overlap)(void *user, ploy_vec3 centre, float radius, uint32_t mask, ploy_id *out,
                       int32_t capacity);
    /// Finds the floor under (or above) a point: its height z and its unit normal.
    /// @return false where there is no floor: in a hole or beyond the world's edge.
    bool (*ground)(void *user, ploy_vec3 at, uint32_t mask, float *height, ploy_vec3 *normal);
    void *user;
} ploy_scene;

/// The calls. hit may be NULL. A scene of NULL is empty and flat. Numbers that are not finite hit
/// nothing.
PLOY_API bool ploy_scene_ray(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                             ploy_scene_hit *hit);
/// Casts a ray instead if the radius is not above 0 or the scene has no sweep.
PLOY_API bool ploy_scene_sweep(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, float radius,
                               uint32_t mask, ploy_scene_hit *hit);
PLOY_API int32_t ploy_scene_overlap(const ploy_scene *scene, ploy_vec3 centre, float radius,
                                    uint32_t mask, ploy_id *out, int32_t capacity);
/// A scene without the ground callback is flat: height 0, normal up. height and normal may be NULL.
PLOY_API bool ploy_scene_ground(const ploy_scene *scene, ploy_vec3 at, uint32_t mask, float *height,
                                ploy_vec3 *normal);

/// The same on the plane, at z = 0.
PLOY_API bool ploy_scene_ray2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask,
                              ploy_scene_hit *hit);
PLOY_API bool ploy_scene_sweep2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, float radius,
                                uint32_t mask, ploy_scene_hit *hit);
/// True if nothing blocks the line between two points.
PLOY_API bool ploy_scene_sees2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to,
                               uint32_t mask);

/// Segments and circles on the plane, over a flat floor. Opaque.
///
/// A hierarchy of boxes (ploy/geom/bvh.h) finds the obstacles near a line: a cast among ten
/// thousand walls tests only a few. Results are bit-identical to a loop over all obstacles; equally
/// near obstacles are ordered by index. Adding may allocate; queries, moving and removing never do.
/// 164 bytes an obstacle.
typedef struct ploy_plain_scene ploy_plain_scene;

typedef struct ploy_plain_scene_def {
    uint32_t cookie;
    int32_t capacity;    ///< obstacles that fit before it grows
    float ground_height; ///< m
    float margin;        ///< m an obstacle may move before the tree changes
} ploy_plain_scene_def;

/// Identifies an obstacle of a plain scene.
typedef struct ploy_obstacle_id {
    ploy_id id;
} ploy_obstacle_id;

/// A segment thickened by a radius. Radius 0: a thin wall. If segment.from equals segment.to, it is
/// a circle.
typedef struct ploy_obstacle {
    ploy_segment2 segment;
    float radius;    ///< m
    uint32_t layers; ///< bits; 0 is never hit
} ploy_obstacle;

PLOY_API ploy_plain_scene_def ploy_plain_scene_def_default(void);
PLOY_API ploy_fields ploy_plain_scene_fields(void);
PLOY_API ploy_result ploy_plain_scene_create(const ploy_plain_scene_def *def, const ploy_env *env,
                                             ploy_plain_scene **out);
PLOY_API void ploy_plain_scene_destroy(ploy_plain_scene *scene);

/// @param id  set to the obstacle's id; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a number is not finite or the radius below 0; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_plain_scene_add(ploy_plain_scene *scene, const ploy_obstacle *obstacle,
                                          ploy_obstacle_id *id);
PLOY_API ploy_result ploy_plain_scene_add_segment(ploy_plain_scene *scene, ploy_vec2 from,
                                                  ploy_vec2 to, uint32_t layers,
                                                  ploy_obstacle_id *id);
PLOY_API ploy_result ploy_plain_scene_add_circle(ploy_plain_scene *scene, ploy_vec2 centre,
                                                 float radius, uint32_t layers,
                                                 ploy_obstacle_id *id);
/// Adds the walls along a line of points: all of them, or none on an error.
/// @param closed  also adds the wall from the last point to the first, if there are more than two.
/// @param radius  half the thickness of the walls, m; may be 0.
/// @param ids     the walls' ids in order: count of them (count - 1 if open); may be NULL.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, the radius or count below 0;
///         PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_plain_scene_add_outline(ploy_plain_scene *scene, const ploy_vec2 *points,
                                                  int32_t count, bool closed, float radius,
                                                  uint32_t layers, ploy_obstacle_id *ids);
/// Adds the walls around every ring: all of them, or none on an error.
/// @param ids  ploy_rings_corners of them; may be NULL.
PLOY_API ploy_result ploy_plain_scene_add_rings(ploy_plain_scene *scene, const ploy_rings *rings,
                                                float radius, uint32_t layers,
                                                ploy_obstacle_id *ids);
/// Replaces an obstacle, for instance to move it or to change its layers.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_plain_scene_set(ploy_plain_scene *scene, ploy_obstacle_id id,
                                          const ploy_obstacle *obstacle);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_plain_scene_remove(ploy_plain_scene *scene, ploy_obstacle_id id);
PLOY_API void ploy_plain_scene_clear(ploy_plain_scene *scene);
/// Rebuilds the tree over all obstacles, in O(n log n), without allocating and without changing any
/// result. Obstacles added one by one give a looser tree, so call this once after loading.
PLOY_API void ploy_plain_scene_tidy(ploy_plain_scene *scene);

/// The number of obstacles.
PLOY_API int32_t ploy_plain_scene_count(const ploy_plain_scene *scene);
/// @return false, leaving out alone, if the obstacle no longer exists.
PLOY_API bool ploy_plain_scene_get(const ploy_plain_scene *scene, ploy_obstacle_id id,
                                   ploy_obstacle *out);

/// The interface to a plain scene, valid until the scene is destroyed.
PLOY_API ploy_scene ploy_plain_scene_interface(const ploy_plain_scene *scene);

PLOY_API void ploy_plain_scene_describe(const ploy_plain_scene *scene, ploy_describe *out);
PLOY_API void ploy_plain_scene_draw(const ploy_plain_scene *scene, ploy_draw *out);
PLOY_API void ploy_plain_scene_memory(const ploy_plain_scene *scene, ploy_memory_fn fn, void *user);
