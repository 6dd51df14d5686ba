/// @file ploy/geom/scene.h
/// The scene: obstacles behind one small interface.
///
/// Line of sight, feelers, avoidance and jumping ask a ploy_scene. A game that has physics fills in
/// the callbacks with its own casts; a game that has none, a test or a lab uses ploy_plain_scene,
/// segments and circles on the plane.
///
/// Points are of space. A planar scene ignores z: its walls are endlessly high. Everything has
/// layers, one bit each with whatever meaning the game gives them (1 walls, 2 water, 4 glass ...);
/// a query sees what shares a bit with its mask.
///
/// Threads: thinking runs on many threads, so the callbacks must be safe to call from several at a
/// time while nothing changes; ploy_plain_scene's are. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/geom/circle.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/rings.h"
#include "ploy/geom/segment.h"

/// The mask that sees everything.
#define PLOY_SCENE_ALL 0xffffffffu

/// What was met.
typedef struct ploy_scene_hit {
    float distance;   ///< m from the start, along the line
    ploy_vec3 point;  ///< where the two touch
    ploy_vec3 normal; ///< unit, out of the thing
    ploy_id object;   ///< the scene's own name for it; none if it has none
    uint32_t layers;  ///< of the thing
    bool inside;      ///< the start was inside; then distance is 0
} ploy_scene_hit;

/// The interface. Any callback may be NULL: the calls below then say what an empty, flat scene
/// would. Callbacks answer the same for the same scene, or replays differ.
typedef struct ploy_scene {
    /// The first thing on the straight line. Sets *hit only if it returns true.
    bool (*ray)(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit);
    /// The first thing met by a ball (on the plane: a circle) of a radius above 0 on that way.
    bool (*sweep)(void *user, ploy_vec3 from, ploy_vec3 to, float radius, uint32_t mask,
                  ploy_scene_hit *hit);
    /// The things that share a point with a ball, up to capacity of them in a fixed order.
    /// @return how many there are, which may be more than capacity.
    int32_t (*overlap)(void *user, ploy_vec3 centre, float radius, uint32_t mask, ploy_id *out,
                       int32_t capacity);
    /// The ground under (or above) a point: its height z and its unit normal.
    /// @return false where there is none, a hole or the world's end.
    bool (*ground)(void *user, ploy_vec3 at, uint32_t mask, float *height, ploy_vec3 *normal);
    void *user;
} ploy_scene;

/// The calls. hit may be NULL. A scene of NULL is empty and flat. Numbers that are not finite meet
/// nothing.
PLOY_API bool ploy_scene_ray(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, uint32_t mask,
                             ploy_scene_hit *hit);
/// A radius not above 0 makes it a ray; so does a scene without sweep.
PLOY_API bool ploy_scene_sweep(const ploy_scene *scene, ploy_vec3 from, ploy_vec3 to, float radius,
                               uint32_t mask, ploy_scene_hit *hit);
PLOY_API int32_t ploy_scene_overlap(const ploy_scene *scene, ploy_vec3 centre, float radius,
                                    uint32_t mask, ploy_id *out, int32_t capacity);
/// A scene without heights is flat: height 0, normal up. height and normal may be NULL.
PLOY_API bool ploy_scene_ground(const ploy_scene *scene, ploy_vec3 at, uint32_t mask, float *height,
                                ploy_vec3 *normal);

/// The same on the plane, z = 0.
PLOY_API bool ploy_scene_ray2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, uint32_t mask,
                              ploy_scene_hit *hit);
PLOY_API bool ploy_scene_sweep2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to, float radius,
                                uint32_t mask, ploy_scene_hit *hit);
/// True if nothing blocks the line between two points.
PLOY_API bool ploy_scene_sees2(const ploy_scene *scene, ploy_vec2 from, ploy_vec2 to,
                               uint32_t mask);

/// Segments and circles on the plane, over a flat floor. Opaque.
///
/// A hierarchy of boxes (ploy/geom/bvh.h) finds what is near a line: a cast among ten thousand
/// walls asks a few. Answers are those of a loop over all obstacles, to the bit; equally near
/// things are ordered by index. Adding may allocate; queries, moving and removing never do. 164
/// bytes an obstacle.
typedef struct ploy_plain_scene ploy_plain_scene;

typedef struct ploy_plain_scene_def {
    uint32_t cookie;
    int32_t capacity;    ///< obstacles that fit before it grows
    float ground_height; ///< m
    float margin;        ///< m that an obstacle may move before the tree changes
} ploy_plain_scene_def;

/// Names an obstacle of one plain scene.
typedef struct ploy_obstacle_id {
    ploy_id id;
} ploy_obstacle_id;

/// A segment thickened by a radius. Radius 0: a thin wall. From equal to to: a circle.
typedef struct ploy_obstacle {
    ploy_segment2 segment;
    float radius;    ///< m
    uint32_t layers; ///< bits; 0 is never met
} ploy_obstacle;

PLOY_API ploy_plain_scene_def ploy_plain_scene_def_default(void);
PLOY_API ploy_fields ploy_plain_scene_fields(void);
PLOY_API ploy_result ploy_plain_scene_create(const ploy_plain_scene_def *def, const ploy_env *env,
                                             ploy_plain_scene **out);
PLOY_API void ploy_plain_scene_destroy(ploy_plain_scene *scene);

/// @param id  its name; may be NULL.
/// @return PLOY_ERR_ARGUMENT if a number is not finite or the radius below 0; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_plain_scene_add(ploy_plain_scene *scene, const ploy_obstacle *obstacle,
                                          ploy_obstacle_id *id);
PLOY_API ploy_result ploy_plain_scene_add_segment(ploy_plain_scene *scene, ploy_vec2 from,
                                                  ploy_vec2 to, uint32_t layers,
                                                  ploy_obstacle_id *id);
PLOY_API ploy_result ploy_plain_scene_add_circle(ploy_plain_scene *scene, ploy_vec2 centre,
                                                 float radius, uint32_t layers,
                                                 ploy_obstacle_id *id);
/// Adds the walls along a line of points, all or none of them.
/// @param closed  from the last point back to the first as well, if there are more than two.
/// @param radius  half of the walls' thickness, m; may be 0.
/// @param ids     their names in order, count of them (count - 1 if open); may be NULL.
/// @return PLOY_ERR_ARGUMENT if a number is not finite, the radius or count below 0;
///         PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_plain_scene_add_outline(ploy_plain_scene *scene, const ploy_vec2 *points,
                                                  int32_t count, bool closed, float radius,
                                                  uint32_t layers, ploy_obstacle_id *ids);
/// Adds the walls around every ring, likewise. @param ids  ploy_rings_corners of them; may be NULL.
PLOY_API ploy_result ploy_plain_scene_add_rings(ploy_plain_scene *scene, const ploy_rings *rings,
                                                float radius, uint32_t layers,
                                                ploy_obstacle_id *ids);
/// Replaces an obstacle: moves it, changes its layers. @return PLOY_ERR_ARGUMENT,
/// PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_plain_scene_set(ploy_plain_scene *scene, ploy_obstacle_id id,
                                          const ploy_obstacle *obstacle);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_plain_scene_remove(ploy_plain_scene *scene, ploy_obstacle_id id);
PLOY_API void ploy_plain_scene_clear(ploy_plain_scene *scene);
/// Makes the best tree of all there is, O(n log n), allocating nothing and changing no answer.
/// Obstacles that came one by one make a looser one: worth it once after loading.
PLOY_API void ploy_plain_scene_tidy(ploy_plain_scene *scene);

/// How many obstacles there are.
PLOY_API int32_t ploy_plain_scene_count(const ploy_plain_scene *scene);
/// @return false, leaving out alone, if it is gone.
PLOY_API bool ploy_plain_scene_get(const ploy_plain_scene *scene, ploy_obstacle_id id,
                                   ploy_obstacle *out);

/// The interface over a plain scene, valid as long as that lives.
PLOY_API ploy_scene ploy_plain_scene_interface(const ploy_plain_scene *scene);

PLOY_API void ploy_plain_scene_describe(const ploy_plain_scene *scene, ploy_describe *out);
PLOY_API void ploy_plain_scene_draw(const ploy_plain_scene *scene, ploy_draw *out);
PLOY_API void ploy_plain_scene_memory(const ploy_plain_scene *scene, ploy_memory_fn fn, void *user);
