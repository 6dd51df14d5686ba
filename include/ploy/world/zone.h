/// @file ploy/world/zone.h
/// Zones: the places that mean something, such as the reach of a trigger or a room.
///
/// A zone is plain data: a circle, a box or a polygon on the plane, or a sphere. The planar ones
/// have a height from `low` to `high`, without ends at first, so that z plays no part on the plane;
/// with ends a circle is a cylinder, a box a box of space, a polygon a room on one floor.
///
/// Touching is what Buckland's trigger regions ask ("Programming Game AI by Example", chapter 7):
/// is a body of some radius at a position within the zone? Bare contact does not count, so that a
/// circle of radius 10 and a body of radius 5 touch at 14.9 m and not at 15. A box is touched by
/// the square around the body, as in the text; a polygon by the round body itself.
///
/// Sums are double. Units: metres. Everything here is pure; any thread.
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

/// Farthest coordinate and largest radius of a zone, in metres.
#define PLOY_ZONE_REACH_M 1e9f
/// Most corners of a zone.
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

/// On the plane, endlessly high.
PLOY_API ploy_zone ploy_zone_circle(ploy_vec2 centre, float radius);
PLOY_API ploy_zone ploy_zone_box(ploy_vec2 a, ploy_vec2 b);
PLOY_API ploy_zone ploy_zone_polygon(const ploy_vec2 *points, int32_t count);

/// In space. A cylinder extends up from its foot; a prism is a polygon with a floor and a ceiling.
PLOY_API ploy_zone ploy_zone_sphere(ploy_vec3 centre, float radius);
PLOY_API ploy_zone ploy_zone_box3(ploy_vec3 a, ploy_vec3 b);
PLOY_API ploy_zone ploy_zone_cylinder(ploy_vec3 foot, float radius, float height);
PLOY_API ploy_zone ploy_zone_prism(const ploy_vec2 *points, int32_t count, float low, float high);

/// True if a body of that radius (below 0 or NaN: a point) at that position is in the zone or
/// reaches into it; bare contact is not enough. False for a position that is not finite.
PLOY_API bool ploy_zone_touches(const ploy_zone *zone, ploy_vec3 position, float radius);

/// True if the point is in the zone or on its edge.
PLOY_API bool ploy_zone_contains(const ploy_zone *zone, ploy_vec3 point);

/// The smallest box of the plane around it, and a point that represents it: the centre, of a
/// polygon the centre of mass; halfway up if it has a floor and a ceiling, else on the one it has,
/// else at 0.
PLOY_API ploy_box2 ploy_zone_bounds(const ploy_zone *zone);
PLOY_API ploy_vec3 ploy_zone_centre(const ploy_zone *zone);

/// Describes kind and measures, marked as asked.
PLOY_API void ploy_zone_describe(const ploy_zone *zone, const char *name, ploy_mark mark,
                                 ploy_describe *out);
/// Filled with that alpha, and outlined.
PLOY_API void ploy_zone_draw(const ploy_zone *zone, ploy_layer layer, ploy_style style,
                             ploy_agent_id owner, float alpha, ploy_draw *out);
