/// @file ploy/world/zone.h
/// Zones: areas with a meaning, such as the reach of a trigger or a room.
///
/// A zone is plain data: a circle, a box or a polygon on the plane, or a sphere. The planar kinds
/// extend in height from `low` to `high`, unbounded by default, so that z has no effect on the
/// plane; with bounds, a circle is a cylinder, a box a box in space, and a polygon a room on one
/// floor.
///
/// Touching is the test of Buckland's trigger regions ("Programming Game AI by Example", chapter
/// 7): whether a body of some radius at a position is within the zone. Mere contact does not count,
/// so that a circle of radius 10 and a body of radius 5 touch at 14.9 m and not at 15. For a box,
/// the square around the body is tested, as in the book; for a polygon, the round body itself.
///
/// Sums are computed in double. Units: metres. Everything here is pure; any thread.
#pragma once

#include "ploy/base/json.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/polygon.h"

typedef enum ploy_zone_kind {
    PLOY_ZONE_CIRCLE,
    PLOY_ZONE_BOX,
    PLOY_ZONE_POLYGON,
    PLOY_ZONE_SPHERE,
    PLOY_ZONE_KIND_COUNT
} ploy_zone_kind;

/// Largest coordinate and radius of a zone, in metres.
#define PLOY_ZONE_REACH_M 1e9f
/// Maximum number of corners of a zone.
#define PLOY_ZONE_CORNERS_MAX 4096

/// Made by one of the functions below; members that the kind does not use are zero.
typedef struct ploy_zone {
    ploy_zone_kind kind;
    ploy_vec3 centre;     ///< of a circle (z unused) or a sphere
    float radius;         ///< m, of a circle or a sphere
    ploy_box2 box;        ///< of a box
    float low;            ///< m, the floor; -INFINITY for none. Not of a sphere
    float high;           ///< m, the ceiling; INFINITY for none
    ploy_polygon polygon; ///< of a polygon: borrowed corners
} ploy_zone;

/// On the plane, unbounded in height.
PLOY_API ploy_zone ploy_zone_circle(ploy_vec2 centre, float radius);
PLOY_API ploy_zone ploy_zone_box(ploy_vec2 a, ploy_vec2 b);
PLOY_API ploy_zone ploy_zone_polygon(const ploy_vec2 *points, int32_t count);

/// In space. A cylinder extends upward from its foot; a prism is a polygon with a floor and a
/// ceiling.
PLOY_API ploy_zone ploy_zone_sphere(ploy_vec3 centre, float radius);
PLOY_API ploy_zone ploy_zone_box3(ploy_vec3 a, ploy_vec3 b);
PLOY_API ploy_zone ploy_zone_cylinder(ploy_vec3 foot, float radius, float height);
PLOY_API ploy_zone ploy_zone_prism(const ploy_vec2 *points, int32_t count, float low, float high);

/// True if a body of that radius (below 0 or NaN: a point) at that position is in the zone or
/// reaches into it; mere contact is not enough. False for a position that is not finite.
PLOY_API bool ploy_zone_touches(const ploy_zone *zone, ploy_vec3 position, float radius);

/// True if the point is in the zone or on its edge.
PLOY_API bool ploy_zone_contains(const ploy_zone *zone, ploy_vec3 point);

/// The smallest planar box around a zone, and a representative point: the centre (for a polygon,
/// the centre of mass); halfway up if the zone has a floor and a ceiling, otherwise on the one it
/// has, otherwise at 0.
PLOY_API ploy_box2 ploy_zone_bounds(const ploy_zone *zone);
PLOY_API ploy_vec3 ploy_zone_centre(const ploy_zone *zone);

/// Describes kind and dimensions, with the given mark.
PLOY_API void ploy_zone_describe(const ploy_zone *zone, const char *name, ploy_mark mark,
                                 ploy_describe *out);
/// Draws the zone filled with that alpha, and outlined.
PLOY_API void ploy_zone_draw(const ploy_zone *zone, ploy_layer layer, ploy_style style,
                             ploy_agent_id owner, float alpha, ploy_draw *out);
