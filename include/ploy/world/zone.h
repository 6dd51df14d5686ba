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

/// "circle", "box", "polygon", "sphere".
PLOY_API const char *ploy_zone_kind_text(ploy_zone_kind kind);

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

/// @return PLOY_ERR_ARGUMENT for NULL, an unknown kind, numbers that are not finite or beyond
///         PLOY_ZONE_REACH_M, a radius below 0, an empty box, fewer than three or too many corners,
///         an outline that crosses itself, a floor above the ceiling.
PLOY_API ploy_result ploy_zone_check(const ploy_zone *zone);

/// True if a body of that radius (below 0 or NaN: a point) at that position is in the zone or
/// reaches into it; bare contact is not enough. False for a position that is not finite.
PLOY_API bool ploy_zone_touches(const ploy_zone *zone, ploy_vec3 position, float radius);

/// True if the point is in the zone or on its edge.
PLOY_API bool ploy_zone_contains(const ploy_zone *zone, ploy_vec3 point);

/// The smallest box of the plane around it, and a point that stands for it: the centre, of a
/// polygon the centre of mass; halfway up if it has a floor and a ceiling, else on the one it has,
/// else at 0.
PLOY_API ploy_box2 ploy_zone_bounds(const ploy_zone *zone);
PLOY_API ploy_vec3 ploy_zone_centre(const ploy_zone *zone);

/// The same zone elsewhere. The corners of a polygon are not moved: it stays.
PLOY_API ploy_zone ploy_zone_at(const ploy_zone *zone, ploy_vec3 centre);

/// Describes kind and measures, marked as asked.
PLOY_API void ploy_zone_describe(const ploy_zone *zone, const char *name, ploy_mark mark,
                                 ploy_describe *out);
/// Filled with that alpha, and outlined.
PLOY_API void ploy_zone_draw(const ploy_zone *zone, ploy_layer layer, ploy_style style,
                             ploy_agent_id owner, float alpha, ploy_draw *out);

/// Writes a zone as one object: {"kind": "circle", "centre": [0, 0], "radius": 2},
/// {"kind": "box", "min": [0, 0], "max": [4, 3]}, {"kind": "polygon", "points": [[0, 0], ...]},
/// {"kind": "sphere", "centre": [0, 0, 1], "radius": 2}; "low" and "high" where there are any.
PLOY_API void ploy_zone_save_json(const ploy_zone *zone, ploy_json_writer *json);

/// Reads one. Faults go to diags, each at its place.
/// @param corners   room for the corners of a polygon, to which the zone then points.
/// @param capacity  how many fit.
/// @return PLOY_ERR_FORMAT if it is no zone, PLOY_ERR_CAPACITY for too many corners.
PLOY_API ploy_result ploy_zone_load_json(const ploy_json *doc, ploy_json_node node,
                                         ploy_vec2 *corners, int32_t capacity, ploy_diags *diags,
                                         ploy_zone *out);
