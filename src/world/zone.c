// Zones; see the header.
#include "ploy/world/zone.h"

#include <math.h>

#include "ploy/base/math.h"
#include "world/world_internal.h"

static const char *const zone_kinds[] = {"circle", "box", "polygon", "sphere"};

const char *ployi_zone_kind_text(ploy_zone_kind kind) {
    return (uint32_t)kind < (uint32_t)PLOY_ZONE_KIND_COUNT ? zone_kinds[kind] : "?";
}

// Every member set, so that zones can be compared and hashed as they lie.
static ploy_zone zone_blank(ploy_zone_kind kind) {
    ploy_zone zone;
    zone.kind = kind;
    zone.centre = ploy_vec3_make(0.0f, 0.0f, 0.0f);
    zone.radius = 0.0f;
    zone.box.min = ploy_vec2_zero();
    zone.box.max = ploy_vec2_zero();
    zone.low = -INFINITY;
    zone.high = INFINITY;
    zone.polygon = ploy_polygon_make(NULL, 0);
    return zone;
}

ploy_zone ploy_zone_circle(ploy_vec2 centre, float radius) {
    ploy_zone zone = zone_blank(PLOY_ZONE_CIRCLE);
    zone.centre = ploy_vec3_make(centre.x, centre.y, 0.0f);
    zone.radius = radius;
    return zone;
}

ploy_zone ploy_zone_box(ploy_vec2 a, ploy_vec2 b) {
    ploy_zone zone = zone_blank(PLOY_ZONE_BOX);
    zone.box = ploy_box2_make(a, b);
    return zone;
}

ploy_zone ploy_zone_polygon(const ploy_vec2 *points, int32_t count) {
    ploy_zone zone = zone_blank(PLOY_ZONE_POLYGON);
    zone.polygon = ploy_polygon_make(points, count);
    return zone;
}

ploy_zone ploy_zone_sphere(ploy_vec3 centre, float radius) {
    ploy_zone zone = zone_blank(PLOY_ZONE_SPHERE);
    zone.centre = centre;
    zone.radius = radius;
    return zone;
}

ploy_zone ploy_zone_box3(ploy_vec3 a, ploy_vec3 b) {
    ploy_zone zone = ploy_zone_box(ploy_vec2_make(a.x, a.y), ploy_vec2_make(b.x, b.y));
    zone.low = ploy_minf(a.z, b.z);
    zone.high = ploy_maxf(a.z, b.z);
    return zone;
}

ploy_zone ploy_zone_cylinder(ploy_vec3 foot, float radius, float height) {
    ploy_zone zone = ploy_zone_circle(ploy_vec2_make(foot.x, foot.y), radius);
    zone.low = foot.z;
    zone.high = foot.z + height;
    return zone;
}

ploy_zone ploy_zone_prism(const ploy_vec2 *points, int32_t count, float low, float high) {
    ploy_zone zone = ploy_zone_polygon(points, count);
    zone.low = low;
    zone.high = high;
    return zone;
}

static bool zone_in_reach(float value) {
    return ploy_in_range(value, -PLOY_ZONE_REACH_M, PLOY_ZONE_REACH_M);
}

static bool zone_point_in_reach(ploy_vec2 point) {
    return zone_in_reach(point.x) && zone_in_reach(point.y);
}

static bool zone_polygon_is_fine(ploy_polygon polygon) {
    if (polygon.points == NULL || polygon.count < 3 || polygon.count > PLOY_ZONE_CORNERS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < polygon.count; i++) {
        if (!zone_point_in_reach(polygon.points[i])) return false;
    }
    return ploy_polygon_is_simple(polygon);
}

// A floor or ceiling may be missing, but not be NaN or the wrong infinity.
static bool zone_height_is_fine(const ploy_zone *zone) {
    bool low = zone->low == -INFINITY || zone_in_reach(zone->low);
    bool high = zone->high == INFINITY || zone_in_reach(zone->high);
    return low && high && zone->low <= zone->high;
}

ploy_result ployi_zone_check(const ploy_zone *zone) {
    if (zone == NULL) return PLOY_ERR_ARGUMENT;
    bool fine = zone->kind == PLOY_ZONE_SPHERE || zone_height_is_fine(zone);
    switch (zone->kind) {
    case PLOY_ZONE_SPHERE:
    case PLOY_ZONE_CIRCLE:
        fine = fine && zone_point_in_reach(ploy_vec2_make(zone->centre.x, zone->centre.y)) &&
               zone_in_reach(zone->centre.z) &&
               ploy_in_range(zone->radius, 0.0f, PLOY_ZONE_REACH_M);
        break;
    case PLOY_ZONE_BOX:
        fine = fine && zone_point_in_reach(zone->box.min) && zone_point_in_reach(zone->box.max) &&
               !ploy_box2_is_empty(zone->box);
        break;
    case PLOY_ZONE_POLYGON: fine = fine && zone_polygon_is_fine(zone->polygon); break;
    case PLOY_ZONE_KIND_COUNT:
    default: fine = false;
    }
    return fine ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

// The square of the distance to a zone's centre; z counts for a sphere alone.
static double zone_centre_distance_sq(const ploy_zone *zone, ploy_vec3 point) {
    double x = (double)point.x - (double)zone->centre.x;
    double y = (double)point.y - (double)zone->centre.y;
    double z = zone->kind == PLOY_ZONE_SPHERE ? (double)point.z - (double)zone->centre.z : 0.0;
    return x * x + y * y + z * z;
}

bool ploy_zone_touches(const ploy_zone *zone, ploy_vec3 position, float radius) {
    if (!ploy_vec3_is_finite(position)) return false;
    float body = radius > 0.0f ? radius : 0.0f;
    double r = (double)body, x = (double)position.x, y = (double)position.y;
    if (zone->kind != PLOY_ZONE_SPHERE) {
        double z = (double)position.z;
        if (!(z - r < (double)zone->high) || !(z + r > (double)zone->low)) return false;
    }
    if (zone->kind == PLOY_ZONE_BOX) {
        return x - r < (double)zone->box.max.x && x + r > (double)zone->box.min.x &&
               y - r < (double)zone->box.max.y && y + r > (double)zone->box.min.y;
    }
    if (zone->kind == PLOY_ZONE_POLYGON) {
        ploy_vec2 at = ploy_vec2_make(position.x, position.y);
        if (ploy_polygon_locate(zone->polygon, at) == PLOY_LOCATION_INSIDE) return true;
        return (double)ploy_polygon_distance_sq(zone->polygon, at) < r * r;
    }
    double reach = (double)zone->radius + r;
    return zone_centre_distance_sq(zone, position) < reach * reach;
}

bool ploy_zone_contains(const ploy_zone *zone, ploy_vec3 point) {
    if (!ploy_vec3_is_finite(point)) return false;
    if (zone->kind != PLOY_ZONE_SPHERE && !(point.z >= zone->low && point.z <= zone->high)) {
        return false;
    }
    ploy_vec2 at = ploy_vec2_make(point.x, point.y);
    if (zone->kind == PLOY_ZONE_BOX) return ploy_box2_contains(zone->box, at);
    if (zone->kind == PLOY_ZONE_POLYGON) return ploy_polygon_contains(zone->polygon, at);
    double reach = (double)zone->radius;
    return zone_centre_distance_sq(zone, point) <= reach * reach;
}

ploy_box2 ploy_zone_bounds(const ploy_zone *zone) {
    if (zone->kind == PLOY_ZONE_BOX) return zone->box;
    if (zone->kind == PLOY_ZONE_POLYGON) {
        return ploy_box2_around(zone->polygon.points, zone->polygon.count);
    }
    ploy_vec2 centre = ploy_vec2_make(zone->centre.x, zone->centre.y);
    return ploy_box2_of_circle(ploy_circle_make(centre, zone->radius));
}

ploy_vec3 ploy_zone_centre(const ploy_zone *zone) {
    if (zone->kind == PLOY_ZONE_SPHERE) return zone->centre;
    bool floor = isfinite(zone->low), ceiling = isfinite(zone->high);
    float z = floor && ceiling ? ploy_lerpf(zone->low, zone->high, 0.5f)
              : floor          ? zone->low
              : ceiling        ? zone->high
                               : 0.0f;
    ploy_vec2 at = ploy_vec2_make(zone->centre.x, zone->centre.y);
    if (zone->kind == PLOY_ZONE_BOX) at = ploy_box2_centre(zone->box);
    if (zone->kind == PLOY_ZONE_POLYGON) at = ploy_polygon_centroid(zone->polygon);
    return ploy_vec3_make(at.x, at.y, z);
}

ploy_zone ployi_zone_at(const ploy_zone *zone, ploy_vec3 centre) {
    ploy_zone moved = *zone;
    if (zone->kind == PLOY_ZONE_POLYGON) return moved;
    ploy_vec3 before = ploy_zone_centre(zone);
    float up = centre.z - before.z;
    moved.low += up; // an end that is missing stays so
    moved.high += up;
    if (zone->kind == PLOY_ZONE_BOX) {
        ploy_vec2 offset = ploy_vec2_make(centre.x - before.x, centre.y - before.y);
        moved.box.min = ploy_vec2_add(zone->box.min, offset);
        moved.box.max = ploy_vec2_add(zone->box.max, offset);
    } else {
        moved.centre = centre;
        if (zone->kind == PLOY_ZONE_CIRCLE) moved.centre.z = 0.0f;
    }
    return moved;
}

void ploy_zone_describe(const ploy_zone *zone, const char *name, ploy_mark mark,
                        ploy_describe *out) {
    ploy_describe_begin(out, name);
    ploy_describe_text(out, "kind", mark, ployi_zone_kind_text(zone->kind));
    if (zone->kind == PLOY_ZONE_BOX) {
        ploy_describe_vec2(out, "min", mark, zone->box.min.x, zone->box.min.y);
        ploy_describe_vec2(out, "max", mark, zone->box.max.x, zone->box.max.y);
    } else if (zone->kind == PLOY_ZONE_POLYGON) {
        for (int32_t i = 0; i < zone->polygon.count; i++) {
            ploy_describe_begin_item(out, i);
            ploy_vec2 corner = zone->polygon.points[i];
            ploy_describe_vec2(out, "corner", mark, corner.x, corner.y);
            ploy_describe_end(out);
        }
    } else {
        ploy_describe_vec3(out, "centre", mark, zone->centre.x, zone->centre.y, zone->centre.z);
        ploy_describe_f32(out, "radius", mark, zone->radius);
    }
    if (zone->kind != PLOY_ZONE_SPHERE) {
        ploy_describe_f32(out, "low", mark, zone->low);
        ploy_describe_f32(out, "high", mark, zone->high);
    }
    ploy_describe_end(out);
}

void ploy_zone_draw(const ploy_zone *zone, ploy_layer layer, ploy_style style, ploy_agent_id owner,
                    float alpha, ploy_draw *out) {
    if (!ploy_draw_wants(out, layer)) return;
    if (zone->kind == PLOY_ZONE_CIRCLE || zone->kind == PLOY_ZONE_SPHERE) {
        ploy_vec2 centre = ploy_vec2_make(zone->centre.x, zone->centre.y);
        ploy_draw_disc(out, layer, style, owner, centre, zone->radius, alpha);
        ploy_draw_circle(out, layer, style, owner, centre, zone->radius);
        return;
    }
    ploy_vec2 corners[4] = {zone->box.min, ploy_vec2_make(zone->box.max.x, zone->box.min.y),
                            zone->box.max, ploy_vec2_make(zone->box.min.x, zone->box.max.y)};
    ploy_polygon outline =
        zone->kind == PLOY_ZONE_BOX ? ploy_polygon_make(corners, 4) : zone->polygon;
    if (outline.count == 0) return;
    ploy_draw_polygon(out, layer, style, owner, outline.points, outline.count, alpha);
    ploy_draw_polyline(out, layer, style, owner, outline.points, outline.count);
    ploy_draw_line(out, layer, style, owner, outline.points[outline.count - 1], outline.points[0]);
}

// ---- text ----

static void zone_write_vec2(ploy_json_writer *json, const char *key, ploy_vec2 value) {
    if (key != NULL) ploy_json_write_key(json, key);
    ploy_json_write_begin_row(json);
    ploy_json_write_f32(json, value.x);
    ploy_json_write_f32(json, value.y);
    ploy_json_write_end_array(json);
}

static void zone_write_f32(ploy_json_writer *json, const char *key, float value) {
    ploy_json_write_key(json, key);
    ploy_json_write_f32(json, value);
}

void ployi_zone_save_json(const ploy_zone *zone, ploy_json_writer *json) {
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "kind");
    ploy_json_write_text(json, ployi_zone_kind_text(zone->kind));
    if (zone->kind == PLOY_ZONE_BOX) {
        zone_write_vec2(json, "min", zone->box.min);
        zone_write_vec2(json, "max", zone->box.max);
    } else if (zone->kind == PLOY_ZONE_POLYGON) {
        ploy_json_write_key(json, "points");
        ploy_json_write_begin_row(json);
        for (int32_t i = 0; i < zone->polygon.count; i++) {
            zone_write_vec2(json, NULL, zone->polygon.points[i]);
        }
        ploy_json_write_end_array(json);
    } else {
        ploy_vec3 centre = zone->centre;
        ploy_value value = zone->kind == PLOY_ZONE_SPHERE
                               ? ploy_value_vec3(centre.x, centre.y, centre.z)
                               : ploy_value_vec2(centre.x, centre.y);
        ploy_json_write_key(json, "centre");
        ploy_json_write_value(json, &value);
        zone_write_f32(json, "radius", zone->radius);
    }
    if (zone->kind != PLOY_ZONE_SPHERE) {
        if (isfinite(zone->low)) zone_write_f32(json, "low", zone->low);
        if (isfinite(zone->high)) zone_write_f32(json, "high", zone->high);
    }
    ploy_json_write_end_object(json);
}

// Reads that many numbers of an array, or says what is wrong there.
static bool zone_read_numbers(const ploy_json *doc, ploy_json_node parent, ploy_json_node node,
                              int32_t count, const char *what, ploy_diags *diags, float *out) {
    bool fine =
        ploy_json_type_of(doc, node) == PLOY_JSON_ARRAY && ploy_json_count(doc, node) == count;
    for (int32_t i = 0; fine && i < count; i++) {
        fine = ploy_json_f32(doc, ploy_json_at(doc, node, i), &out[i]) == PLOY_OK;
    }
    if (!fine) {
        ploy_json_fault(doc, ploy_json_is_none(node) ? parent : node, diags, what,
                        count == 2 ? "an array of two numbers" : "an array of three numbers", NULL);
    }
    return fine;
}

static bool zone_read_number(const ploy_json *doc, ploy_json_node parent, const char *key,
                             bool needed, ploy_diags *diags, float *out) {
    ploy_json_node node = ploy_json_member(doc, parent, key);
    if (ploy_json_is_none(node) && !needed) return true;
    if (ploy_json_f32(doc, node, out) == PLOY_OK) return true;
    ploy_json_fault(doc, ploy_json_is_none(node) ? parent : node, diags,
                    "missing number in the zone", key, NULL);
    return false;
}

static ploy_result zone_read_corners(const ploy_json *doc, ploy_json_node parent,
                                     ploy_vec2 *corners, int32_t capacity, ploy_diags *diags,
                                     ploy_zone *zone) {
    ploy_json_node points = ploy_json_member(doc, parent, "points");
    int32_t count = ploy_json_count(doc, points);
    if (count > capacity) {
        ploy_json_fault(doc, points, diags, "too many corners in the polygon", NULL, NULL);
        return PLOY_ERR_CAPACITY;
    }
    bool fine = true;
    for (int32_t i = 0; i < count; i++) {
        float xy[2] = {0.0f, 0.0f};
        if (!zone_read_numbers(doc, points, ploy_json_at(doc, points, i), 2,
                               "invalid corner of a polygon", diags, xy)) {
            fine = false;
        }
        corners[i] = ploy_vec2_make(xy[0], xy[1]);
    }
    zone->polygon = ploy_polygon_make(corners, count);
    return fine ? PLOY_OK : PLOY_ERR_FORMAT;
}

ploy_result ployi_zone_load_json(const ploy_json *doc, ploy_json_node node, ploy_vec2 *corners,
                                 int32_t capacity, ploy_diags *diags, ploy_zone *out) {
    static const char *const keys[] = {"kind", "centre", "radius", "min",
                                       "max",  "points", "low",    "high"};
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT) {
        ploy_json_fault(doc, node, diags, "expected an object with a kind", NULL, NULL);
        return PLOY_ERR_FORMAT;
    }
    bool fine = ploy_json_check_keys(doc, node, keys, 8, diags) == 0;
    ploy_json_node kind = ploy_json_member(doc, node, "kind");
    const char *text = ploy_json_text(doc, kind, NULL);
    ploy_nearest nearest = ploy_nearest_make(text);
    int32_t which = -1;
    for (int32_t i = 0; i < PLOY_ZONE_KIND_COUNT; i++) {
        ploy_nearest_offer(&nearest, zone_kinds[i]);
        if (ploy_name_equal(ploy_name_of(text), ploy_name_of(zone_kinds[i]))) which = i;
    }
    if (which < 0) {
        ploy_json_fault(doc, ploy_json_is_none(kind) ? node : kind, diags, "unknown kind of zone",
                        "circle, box, polygon or sphere", nearest.best);
        return PLOY_ERR_FORMAT;
    }
    ploy_zone zone = zone_blank((ploy_zone_kind)which);
    float a[3] = {0.0f, 0.0f, 0.0f}, b[2] = {0.0f, 0.0f};
    if (zone.kind == PLOY_ZONE_BOX) {
        fine = zone_read_numbers(doc, node, ploy_json_member(doc, node, "min"), 2,
                                 "missing corner 'min' of the box", diags, a) &&
               zone_read_numbers(doc, node, ploy_json_member(doc, node, "max"), 2,
                                 "missing corner 'max' of the box", diags, b) &&
               fine;
        zone.box.min = ploy_vec2_make(a[0], a[1]);
        zone.box.max = ploy_vec2_make(b[0], b[1]);
    } else if (zone.kind == PLOY_ZONE_POLYGON) {
        ploy_result result = zone_read_corners(doc, node, corners, capacity, diags, &zone);
        if (result != PLOY_OK) return result;
    } else {
        int32_t parts = zone.kind == PLOY_ZONE_SPHERE ? 3 : 2;
        fine = zone_read_numbers(doc, node, ploy_json_member(doc, node, "centre"), parts,
                                 "missing centre of the zone", diags, a) &&
               fine;
        fine = zone_read_number(doc, node, "radius", true, diags, &zone.radius) && fine;
        zone.centre = ploy_vec3_make(a[0], a[1], a[2]);
    }
    fine = zone_read_number(doc, node, "low", false, diags, &zone.low) && fine;
    fine = zone_read_number(doc, node, "high", false, diags, &zone.high) && fine;
    if (!fine) return PLOY_ERR_FORMAT;
    if (ployi_zone_check(&zone) != PLOY_OK) {
        ploy_json_fault(doc, node, diags, "invalid measures of the zone",
                        "a radius of 0 or more, min below max, edges that do not cross", NULL);
        return PLOY_ERR_FORMAT;
    }
    *out = zone;
    return PLOY_OK;
}

ploy_box2 ployi_zone_slack_box(ploy_box2 box) {
    float x = ploy_maxf(fabsf(box.min.x), fabsf(box.max.x));
    float y = ploy_maxf(fabsf(box.min.y), fabsf(box.max.y));
    return ploy_box2_grow(box, (x + y) * 1e-6f);
}
