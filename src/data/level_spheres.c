// Spheres of obstacles, and the gaps that they close.
//
// An obstacle's box is cut across its longer side into equal parts, and each part gets the circle
// around it: one part is the usual bounding sphere. A gap counts as closed if an agent fits between
// the boxes but not between the circles.
#include <math.h>

#include "level_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/polygon.h"

typedef struct level_obstacles {
    ploy_level_obstacle *items;
    int32_t *parts; // circles of each
    int32_t count;
} level_obstacles;

// One of `parts` circles around a box.
static ploy_level_sphere level_sphere_at(const ploy_level_obstacle *obstacle, int32_t parts,
                                         int32_t index) {
    ploy_obb2 box = obstacle->box;
    bool wide = box.half.x >= box.half.y;
    float length = wide ? box.half.x : box.half.y, width = wide ? box.half.y : box.half.x;
    ploy_vec2 axis = wide ? box.axis : ploy_vec2_make(-box.axis.y, box.axis.x);
    float step = 2.0f * length / (float)parts;
    float along = -length + ((float)index + 0.5f) * step;
    ploy_level_sphere sphere = {obstacle->object,
                                ploy_vec2_add(box.centre, ploy_vec2_scale(axis, along)),
                                sqrtf(0.25f * step * step + width * width)};
    return sphere;
}

// The room between the circles of two obstacles; below 0 if they overlap.
static float level_spheres_gap(const ploy_level_obstacle *a, int32_t a_parts,
                               const ploy_level_obstacle *b, int32_t b_parts) {
    float least = INFINITY;
    for (int32_t i = 0; i < a_parts; i++) {
        ploy_level_sphere one = level_sphere_at(a, a_parts, i);
        for (int32_t k = 0; k < b_parts; k++) {
            ploy_level_sphere other = level_sphere_at(b, b_parts, k);
            float gap =
                ploy_vec2_distance(one.position, other.position) - one.radius - other.radius;
            least = ploy_minf(least, gap);
        }
    }
    return least;
}

static float level_spheres_wall_gap(const ploy_level_obstacle *a, int32_t parts,
                                    ploy_segment2 wall) {
    float least = INFINITY;
    for (int32_t i = 0; i < parts; i++) {
        ploy_level_sphere one = level_sphere_at(a, parts, i);
        ploy_vec2 nearest = ploy_segment2_closest(wall, one.position, NULL);
        least = ploy_minf(least, ploy_vec2_distance(nearest, one.position) - one.radius);
    }
    return least;
}

static float level_spheres_true_gap(const ploy_level_obstacle *a, const ploy_level_obstacle *b) {
    ploy_vec2 one[4], other[4];
    ploy_obb2_corners(a->box, one);
    ploy_obb2_corners(b->box, other);
    return sqrtf(ploy_polygon_gap_sq(ploy_polygon_make(one, 4), ploy_polygon_make(other, 4)));
}

// The least distance between the sides of a box and a segment; 0 if they cross.
static float level_spheres_true_wall_gap(const ploy_level_obstacle *a, ploy_segment2 wall) {
    ploy_vec2 corners[4];
    ploy_obb2_corners(a->box, corners);
    if (ploy_polygon_overlaps_segment(ploy_polygon_make(corners, 4), wall)) return 0.0f;
    float least =
        ploy_minf(ploy_obb2_distance_sq(a->box, wall.from), ploy_obb2_distance_sq(a->box, wall.to));
    for (int32_t i = 0; i < 4; i++) {
        ploy_vec2 nearest = ploy_segment2_closest(wall, corners[i], NULL);
        least = ploy_minf(least, ploy_vec2_distance_sq(nearest, corners[i]));
    }
    return sqrtf(least);
}

static ploy_result level_spheres_report(ploy_level_build *build,
                                        const ploy_level_obstacle *obstacle, const char *other,
                                        float gap, bool opened) {
    build->gaps_closed++;
    build->gaps_opened += opened;
    return ployi_level_issue(build, PLOY_LEVEL_GAP_CLOSED, PLOY_SEVERITY_WARNING, obstacle->object,
                             obstacle->box.centre, gap,
                             opened ? "a single sphere per obstacle would close the gap to"
                                    : "spheres, even when split, close the gap to",
                             other);
}

// Splits the circles of both until an agent fits through, or no more are allowed.
static ploy_result level_spheres_pair(ploy_level_build *build, level_obstacles *all, int32_t a,
                                      int32_t b) {
    float needed = 2.0f * build->def.radius;
    const ploy_level_obstacle *one = &all->items[a], *other = &all->items[b];
    float gap = level_spheres_true_gap(one, other);
    if (gap < needed || level_spheres_gap(one, 1, other, 1) >= needed) return PLOY_OK;
    int32_t a_parts = all->parts[a], b_parts = all->parts[b];
    while (level_spheres_gap(one, a_parts, other, b_parts) < needed &&
           (a_parts < build->def.spheres || b_parts < build->def.spheres)) {
        a_parts = ploy_mini(a_parts + 1, build->def.spheres);
        b_parts = ploy_mini(b_parts + 1, build->def.spheres);
    }
    bool opened = level_spheres_gap(one, a_parts, other, b_parts) >= needed;
    if (opened) {
        all->parts[a] = a_parts;
        all->parts[b] = b_parts;
    }
    return level_spheres_report(build, one, other->name, gap, opened);
}

static ploy_result level_spheres_wall(ploy_level_build *build, level_obstacles *all, int32_t a,
                                      ploy_segment2 wall) {
    float needed = 2.0f * build->def.radius;
    const ploy_level_obstacle *one = &all->items[a];
    float gap = level_spheres_true_wall_gap(one, wall);
    if (gap < needed || level_spheres_wall_gap(one, 1, wall) >= needed) return PLOY_OK;
    int32_t parts = all->parts[a];
    while (level_spheres_wall_gap(one, parts, wall) < needed && parts < build->def.spheres) parts++;
    bool opened = level_spheres_wall_gap(one, parts, wall) >= needed;
    if (opened) all->parts[a] = parts;
    return level_spheres_report(build, one, "a wall", gap, opened);
}

static ploy_result level_spheres_fit(ploy_level_build *build, level_obstacles *all) {
    ploy_result result = PLOY_OK;
    ploy_segment2 wall;
    for (int32_t i = 0; i < all->count && result == PLOY_OK; i++) {
        for (int32_t k = i + 1; k < all->count && result == PLOY_OK; k++) {
            result = level_spheres_pair(build, all, i, k);
        }
        for (int32_t at = 0;
             result == PLOY_OK && ploy_level_next_wall(&build->level, &at, &wall);) {
            result = level_spheres_wall(build, all, i, wall);
        }
    }
    for (int32_t i = 0; i < all->count && result == PLOY_OK; i++) {
        for (int32_t k = 0; k < all->parts[i] && result == PLOY_OK; k++) {
            ploy_level_sphere sphere = level_sphere_at(&all->items[i], all->parts[i], k);
            result = ploy_array_push(&build->spheres, &sphere);
        }
    }
    return result;
}

ploy_result ployi_level_build_spheres(ploy_level_build *build) {
    ploy_array obstacles, parts;
    ploy_level_obstacle obstacle;
    const int32_t one = 1;
    ploy_result result = PLOY_OK;
    ploy_array_init(&obstacles, sizeof obstacle, &build->env);
    ploy_array_init(&parts, sizeof one, &build->env);
    for (int32_t at = 0;
         result == PLOY_OK && ploy_level_next_obstacle(&build->level, &at, &obstacle);) {
        result = ploy_array_push(&obstacles, &obstacle);
        if (result == PLOY_OK) result = ploy_array_push(&parts, &one);
    }
    level_obstacles all = {PLOY_ARRAY_ITEMS(&obstacles, ploy_level_obstacle),
                           PLOY_ARRAY_ITEMS(&parts, int32_t), obstacles.count};
    if (result == PLOY_OK) result = level_spheres_fit(build, &all);
    ploy_array_fini(&parts);
    ploy_array_fini(&obstacles);
    return result;
}
