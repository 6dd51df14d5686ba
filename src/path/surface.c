// Surfaces without an up axis; see the header.
//
// Invariants, from create to destroy:
//   (1) polygon p has the corners [first[p], first[p + 1]), each convex and flat within def.bend;
//   (2) portal k joins polygons a < b; portals are numbered by their first corner, ascending;
//   (3) the portals of polygon p are of[corner] for its corners, -1 where there is none.
#include "ploy/path/surface.h"

#include <math.h>
#include <string.h>

#include "path/navmesh_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/triangle.h"

static const ploy_field surface_fields[] = {
    PLOY_FIELD_F32(ploy_surface_def, weld, 1e-3, 0, 1e3f, "m", "vertices this close are merged"),
    PLOY_FIELD_F32(ploy_surface_def, reach, 2, 0, 1e9f, "m", "from a place to the surface"),
    PLOY_FIELD_F32(ploy_surface_def, bend, 0.01, 0, 1e3f, "m", "of corners from their plane"),
};

typedef struct surface_portal {
    ploy_vec3 middle;
    int32_t a, b; // polygons
} surface_portal;

struct ploy_surface {
    ploy_env env;
    ploy_surface_def def;
    ploy_bvh3 *boxes; // of polygons
    int32_t polygon_count, corner_count, portal_count;
    ploy_vec3 *corners;
    surface_portal *portals;
    ploy_vec3 *normals; // of polygons
    int32_t *first;     // of polygons, and one more
    int32_t *of;        // of corners: the portal of the edge to the next corner
    uint8_t *areas;
    uint64_t generation;
    float least; // of all prices, for estimates
    size_t size; // of the one block that the arrays are in
};

ploy_fields ploy_surface_fields(void) {
    return PLOY_FIELDS(ploy_surface_def, surface_fields);
}

ploy_surface_def ploy_surface_def_default(void) {
    ploy_surface_def def;
    ploy_fields_default(ploy_surface_fields(), &def);
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) def.prices[i] = 1.0f;
    return def;
}

// ---- checking ----

static bool surface_point_ok(ploy_vec3 p) {
    return ploy_in_range(p.x, -1e9f, 1e9f) && ploy_in_range(p.y, -1e9f, 1e9f) &&
           ploy_in_range(p.z, -1e9f, 1e9f);
}

static ploy_result surface_check(const ploy_surface_def *def, const ploy_navmesh_soup *soup) {
    if (soup == NULL || soup->polygon_count < 1 || soup->vertex_count < 3 ||
        soup->corner_count > PLOY_NAVMESH_CORNERS_MAX || soup->vertices == NULL ||
        soup->sizes == NULL || soup->corners == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        if (!(def->prices[i] > 0.0f)) return PLOY_ERR_ARGUMENT; // also for NaN
    }
    int64_t corners = 0;
    for (int32_t i = 0; i < soup->polygon_count; i++) {
        if (soup->sizes[i] < 0 || soup->sizes[i] > PLOY_NAVMESH_POLYGON_MAX) {
            return PLOY_ERR_ARGUMENT;
        }
        if (soup->areas != NULL && soup->areas[i] >= PLOY_NAVMESH_AREAS) return PLOY_ERR_ARGUMENT;
        corners += soup->sizes[i];
    }
    if (corners != soup->corner_count) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < soup->corner_count; i++) {
        if (soup->corners[i] < 0 || soup->corners[i] >= soup->vertex_count) {
            return PLOY_ERR_ARGUMENT;
        }
    }
    for (int32_t i = 0; i < soup->vertex_count; i++) {
        if (!surface_point_ok(soup->vertices[i])) return PLOY_ERR_ARGUMENT;
    }
    return PLOY_OK;
}

// Newell's normal: twice the area of the polygon's shadow on each plane of two axes.
static ploy_vec3 surface_normal(const ploy_vec3 *corners, int32_t count) {
    double x = 0.0, y = 0.0, z = 0.0;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 a = corners[i], b = corners[(i + 1) % count];
        x += ((double)a.y - (double)b.y) * ((double)a.z + (double)b.z);
        y += ((double)a.z - (double)b.z) * ((double)a.x + (double)b.x);
        z += ((double)a.x - (double)b.x) * ((double)a.y + (double)b.y);
    }
    double length = sqrt(x * x + y * y + z * z);
    if (!(length > 1e-12)) return ploy_vec3_zero();
    return ploy_vec3_make((float)(x / length), (float)(y / length), (float)(z / length));
}

// What is wrong with a polygon, or NULL.
static const char *surface_fault(const ploy_surface *surface, int32_t polygon) {
    const ploy_vec3 *corners = surface->corners + surface->first[polygon];
    int32_t count = surface->first[polygon + 1] - surface->first[polygon];
    if (count < 3) return "fewer than three different corners";
    ploy_vec3 normal = surface->normals[polygon];
    if (ploy_vec3_length_sq(normal) < 0.5f) return "the polygon has no area";
    ploy_vec3 middle = ploy_vec3_zero(); // from the first corner: a point of the plane
    for (int32_t i = 0; i < count; i++) {
        middle = ploy_vec3_add(middle, ploy_vec3_sub(corners[i], corners[0]));
    }
    middle = ploy_vec3_add(corners[0], ploy_vec3_scale(middle, 1.0f / (float)count));
    for (int32_t i = 0; i < count; i++) {
        ploy_vec3 a = corners[i], b = corners[(i + 1) % count], c = corners[(i + 2) % count];
        float off = ploy_vec3_dot(ploy_vec3_sub(a, middle), normal);
        if (!(fabsf(off) <= surface->def.bend)) return "the polygon is not flat";
        ploy_vec3 turn = ploy_vec3_cross(ploy_vec3_sub(b, a), ploy_vec3_sub(c, b));
        if (ploy_vec3_dot(turn, normal) < 0.0f) return "the polygon is not convex";
    }
    return NULL;
}

// ---- building ----

typedef struct surface_side {
    int32_t corner, polygon; // of the first one
    int32_t portal;          // -1: none yet
} surface_side;

static void surface_tell(ploy_diags *diags, int32_t polygon, const char *message) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "surface", polygon + 1, 0,
                   message, NULL, NULL);
}

static ploy_result surface_copy(ploy_surface *surface, const ploy_navmesh_soup *soup,
                                const int32_t *vertex, int32_t *number, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    int32_t used = 0;
    for (int32_t p = 0, at = 0; p < soup->polygon_count; at += soup->sizes[p], p++) {
        surface->first[p] = used;
        for (int32_t i = 0; i < soup->sizes[p]; i++) {
            int32_t corner = vertex[soup->corners[at + i]];
            if (corner == vertex[soup->corners[at + (i + 1) % soup->sizes[p]]]) continue;
            number[used] = corner;
            surface->corners[used++] = soup->vertices[corner];
        }
        surface->first[p + 1] = used;
        surface->areas[p] = soup->areas != NULL ? soup->areas[p] : 0;
        surface->normals[p] =
            surface_normal(surface->corners + surface->first[p], used - surface->first[p]);
        const char *fault = surface_fault(surface, p);
        if (fault == NULL) continue;
        surface_tell(diags, p, fault);
        result = PLOY_ERR_ARGUMENT;
    }
    return result; // (1), unless there is a fault
}

static int32_t surface_next(const ploy_surface *surface, int32_t polygon, int32_t corner) {
    return corner + 1 < surface->first[polygon + 1] ? corner + 1 : surface->first[polygon];
}

// Finds the shared edges: by their two vertices, whatever the direction.
static ploy_result surface_join(ploy_surface *surface, const int32_t *number, ploy_diags *diags) {
    ploy_map sides;
    ploy_map_init(&sides, sizeof(surface_side), &surface->env);
    ploy_result result = PLOY_OK, faults = PLOY_OK;
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        for (int32_t c = surface->first[p]; c < surface->first[p + 1] && result == PLOY_OK; c++) {
            int32_t next = surface_next(surface, p, c);
            uint32_t low = (uint32_t)ploy_mini(number[c], number[next]);
            uint32_t high = (uint32_t)ploy_maxi(number[c], number[next]);
            void *slot = NULL;
            bool added = false;
            surface->of[c] = -1;
            result = ploy_map_ensure(&sides, (uint64_t)high << 32 | low, &slot, &added);
            if (result != PLOY_OK) break;
            surface_side side = {c, p, -1};
            if (added) {
                memcpy(slot, &side, sizeof side);
                continue;
            }
            memcpy(&side, slot, sizeof side);
            if (side.portal >= 0 || side.polygon == p) {
                surface_tell(diags, p, "more than two polygons share an edge");
                faults = PLOY_ERR_ARGUMENT;
                continue;
            }
            side.portal = surface->portal_count++;
            memcpy(slot, &side, sizeof side);
            surface_portal *portal = &surface->portals[side.portal];
            portal->a = side.polygon;
            portal->b = p;
            portal->middle = ploy_vec3_lerp(surface->corners[c], surface->corners[next], 0.5f);
            surface->of[side.corner] = surface->of[c] = side.portal; // (3)
        }
    }
    ploy_map_fini(&sides);
    return result != PLOY_OK ? result : faults;
}

static ploy_result surface_index(ploy_surface *surface, ploy_box3 *boxes) {
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        boxes[p] = ploy_box3_around(surface->corners + surface->first[p],
                                    surface->first[p + 1] - surface->first[p]);
    }
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = surface->polygon_count;
    ploy_result result = ploy_bvh3_create(&def, &surface->env, &surface->boxes);
    if (result != PLOY_OK) return result;
    return ploy_bvh3_rebuild(surface->boxes, boxes, surface->polygon_count);
}

static uint64_t surface_fold(const ploy_surface *surface) {
    ploy_hasher hasher;
    ploy_hasher_init(&hasher, 0);
    ploy_hasher_add(&hasher, surface->def.prices, sizeof surface->def.prices);
    ploy_hasher_add(&hasher, surface->areas, (size_t)surface->polygon_count);
    ploy_hasher_add(&hasher, surface->first,
                    ((size_t)surface->polygon_count + 1) * sizeof *surface->first);
    ploy_hasher_add(&hasher, surface->corners,
                    (size_t)surface->first[surface->polygon_count] * sizeof *surface->corners);
    return ploy_hasher_result(&hasher);
}

// One block: corners, normals, portals, first, of, areas. Each array's alignment divides the one
// before it.
static bool surface_alloc(ploy_surface *surface, const ploy_navmesh_soup *soup) {
    size_t size = 0;
    int64_t corners = soup->corner_count, polygons = soup->polygon_count;
    bool fits = ploy_size_add_array(0, corners + polygons, sizeof(ploy_vec3), &size) &&
                ploy_size_add_array(size, corners / 2 + 1, sizeof(surface_portal), &size) &&
                ploy_size_add_array(size, polygons + 1 + corners, sizeof(int32_t), &size) &&
                ploy_size_add_array(size, polygons, sizeof(uint8_t), &size);
    void *block = fits ? ploy_env_alloc_zero(&surface->env, size) : NULL;
    if (block == NULL) return false;
    surface->size = size;
    surface->polygon_count = soup->polygon_count;
    surface->corner_count = soup->corner_count;
    surface->corners = block;
    surface->normals = surface->corners + corners;
    surface->portals = (surface_portal *)(void *)(surface->normals + polygons);
    surface->first = (int32_t *)(void *)(surface->portals + corners / 2 + 1);
    surface->of = surface->first + polygons + 1;
    surface->areas = (uint8_t *)(surface->of + corners);
    return true;
}

static ploy_result surface_build(ploy_surface *surface, const ploy_navmesh_soup *soup,
                                 ploy_arena *scratch, ploy_diags *diags) {
    int32_t *vertex = ploy_arena_alloc_array(scratch, soup->vertex_count, sizeof *vertex);
    int32_t *next = ploy_arena_alloc_array(scratch, soup->vertex_count, sizeof *next);
    int32_t *number = ploy_arena_alloc_array(scratch, soup->corner_count, sizeof *number);
    ploy_box3 *boxes = ploy_arena_alloc_array(scratch, soup->polygon_count, sizeof *boxes);
    if (vertex == NULL || next == NULL || number == NULL || boxes == NULL ||
        !surface_alloc(surface, soup)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_result result = ployi_nav_weld(soup->vertices, soup->vertex_count, surface->def.weld, next,
                                        &surface->env, vertex);
    if (result == PLOY_OK) result = surface_copy(surface, soup, vertex, number, diags);
    if (result == PLOY_OK) result = surface_join(surface, number, diags);
    if (result == PLOY_OK) result = surface_index(surface, boxes);
    if (result == PLOY_OK) surface->generation = surface_fold(surface);
    return result;
}

ploy_result ploy_surface_create(const ploy_surface_def *def, const ploy_navmesh_soup *soup,
                                const ploy_env *env, ploy_diags *diags, ploy_surface **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_surface_fields(), def, env);
    if (result == PLOY_OK) result = surface_check(def, soup);
    if (result != PLOY_OK) return result;
    ploy_surface *surface = ploy_env_alloc_zero(env, sizeof *surface);
    if (surface == NULL) return PLOY_ERR_MEMORY;
    surface->env = *env;
    surface->def = *def;
    surface->least = INFINITY;
    for (int32_t i = 0; i < PLOY_NAVMESH_AREAS; i++) {
        surface->least = ploy_minf(surface->least, def->prices[i]);
    }
    ploy_arena *scratch = NULL;
    result = ploy_arena_create(1 << 16, 0, env, &scratch);
    if (result == PLOY_OK) result = surface_build(surface, soup, scratch, diags);
    ploy_arena_destroy(scratch);
    if (result != PLOY_OK) {
        ploy_surface_destroy(surface);
        return result;
    }
    *out = surface;
    return PLOY_OK;
}

void ploy_surface_destroy(ploy_surface *surface) {
    if (surface == NULL) return;
    ploy_env env = surface->env;
    ploy_bvh3_destroy(surface->boxes);
    ploy_env_free(&env, surface->corners, surface->size);
    ploy_env_free(&env, surface, sizeof *surface);
}

int32_t ploy_surface_polygon_count(const ploy_surface *surface) {
    return surface->polygon_count;
}

int32_t ploy_surface_edge_count(const ploy_surface *surface) {
    return surface->portal_count;
}

// ---- the nearest point ----

static ploy_vec3 surface_closest(const ploy_surface *surface, int32_t polygon, ploy_vec3 place,
                                 float *distance_sq) {
    const ploy_vec3 *corners = surface->corners + surface->first[polygon];
    int32_t count = surface->first[polygon + 1] - surface->first[polygon];
    ploy_vec3 best = corners[0];
    *distance_sq = INFINITY;
    for (int32_t i = 1; i + 1 < count; i++) {
        ploy_triangle3 triangle = ploy_triangle3_make(corners[0], corners[i], corners[i + 1]);
        ploy_vec3 at = ploy_triangle3_closest(triangle, place);
        float away = ploy_vec3_distance_sq(at, place);
        if (away >= *distance_sq) continue;
        *distance_sq = away;
        best = at;
    }
    return best;
}

typedef struct surface_look {
    const ploy_surface *surface;
    ploy_vec3 place, point;
    float distance_sq;
    int32_t polygon;
} surface_look;

static bool surface_look_at(void *user, int32_t id, double *limit) {
    surface_look *look = user;
    float away = 0.0f;
    ploy_vec3 point = surface_closest(look->surface, id, look->place, &away);
    bool lower = away == look->distance_sq && id < look->polygon;
    if (away < look->distance_sq || lower || (look->polygon < 0 && away == look->distance_sq)) {
        look->distance_sq = away;
        look->point = point;
        look->polygon = id;
        *limit = (double)away * (1.0 + 1e-5); // boxes are measured in double
    }
    return true;
}

bool ploy_surface_nearest(const ploy_surface *surface, ploy_vec3 place, ploy_surface_spot *out) {
    if (!surface_point_ok(place)) return false;
    float reach = surface->def.reach;
    surface_look look = {surface, place, place, reach * reach, -1};
    ploy_query3 query = ploy_query3_nearest(place, reach);
    ploy_bvh3_visit(surface->boxes, &query, surface_look_at, &look, NULL);
    if (look.polygon < 0) return false;
    out->point = look.point;
    out->normal = surface->normals[look.polygon];
    out->polygon = look.polygon;
    out->area = surface->areas[look.polygon];
    return true;
}

// ---- the representation ----

static bool surface_is_open(const ploy_surface *surface, int32_t polygon) {
    return surface->def.prices[surface->areas[polygon]] < INFINITY;
}

static int32_t surface_quantise(const void *user, ploy_vec3 place,
                                const ploy_representation_body *body) {
    const ploy_surface *surface = user;
    ploy_surface_spot spot;
    int32_t best = PLOY_STATE_NONE;
    bool through = false; // the best one leads to an open polygon
    float nearest = INFINITY;
    (void)body;
    if (!ploy_surface_nearest(surface, place, &spot)) return PLOY_STATE_NONE;
    if (!surface_is_open(surface, spot.polygon)) return PLOY_STATE_NONE;
    for (int32_t c = surface->first[spot.polygon]; c < surface->first[spot.polygon + 1]; c++) {
        if (surface->of[c] < 0) continue;
        const surface_portal *portal = &surface->portals[surface->of[c]];
        int32_t other = portal->a == spot.polygon ? portal->b : portal->a;
        bool open = surface_is_open(surface, other);
        float away = ploy_vec3_distance_sq(portal->middle, spot.point);
        if (open < through || (open == through && away >= nearest)) continue;
        nearest = away;
        through = open;
        best = surface->of[c];
    }
    return best;
}

static ploy_vec3 surface_localise(const void *user, int32_t state) {
    const ploy_surface *surface = user;
    if (state < 0 || state >= surface->portal_count) return ploy_vec3_zero();
    return surface->portals[state].middle;
}

static bool surface_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                          const ploy_representation_body *body) {
    const ploy_surface *surface = user;
    ploy_surface_spot a, b;
    float away = 0.0f;
    (void)body;
    if (!ploy_surface_nearest(surface, from, &a) || !ploy_surface_nearest(surface, to, &b)) {
        return false;
    }
    // A point of an edge is on two polygons.
    const float slack = 1e-4f; // m, of rounding: nearest returns points of the polygons
    if (a.polygon != b.polygon) {
        (void)surface_closest(surface, a.polygon, b.point, &away);
        if (away > slack * slack) {
            (void)surface_closest(surface, b.polygon, a.point, &away);
            a = b;
        }
        if (away > slack * slack) return false;
    }
    return surface_is_open(surface, a.polygon);
}

static ploy_result surface_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_surface *surface = user;
    if (state < 0 || state >= surface->portal_count) return PLOY_OK;
    const surface_portal *from = &surface->portals[state];
    for (int32_t side = 0; side < 2; side++) {
        int32_t polygon = side == 0 ? from->a : from->b;
        if (!surface_is_open(surface, polygon)) continue;
        double price = (double)surface->def.prices[surface->areas[polygon]];
        for (int32_t c = surface->first[polygon]; c < surface->first[polygon + 1]; c++) {
            int32_t to = surface->of[c];
            if (to < 0 || to == state) continue;
            float away = ploy_vec3_distance(from->middle, surface->portals[to].middle);
            ploy_result result = ploy_edges_add(out, to, (double)away * price, polygon);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static double surface_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_surface *surface = user;
    float least = surface->least;
    if (goal < 0 || goal >= surface->portal_count || state < 0 || state >= surface->portal_count) {
        return 0.0;
    }
    float away = ploy_vec3_distance(surface->portals[state].middle, surface->portals[goal].middle);
    // Rounded distances may sum to a little less than the straight one.
    return least < INFINITY ? (double)away * (double)least * (1.0 - 1e-5) : 0.0;
}

static uint64_t surface_generation(const void *user) {
    return ((const ploy_surface *)user)->generation;
}

ploy_representation ploy_surface_view(const ploy_surface *surface) {
    ploy_representation out;
    memset(&out, 0, sizeof out);
    out.space.count = surface->portal_count;
    out.space.expand = surface_expand;
    out.space.expand_back = surface_expand; // every edge has one of equal cost that leads back
    out.space.estimate = surface_estimate;
    memcpy(&out.space.user, &surface, sizeof out.space.user); // the callbacks read only
    out.quantise = surface_quantise;
    out.localise = surface_localise;
    out.clear = surface_clear;
    out.generation = surface_generation;
    out.user = surface;
    return out;
}

void ploy_surface_memory(const ploy_surface *surface, ploy_memory_fn fn, void *user) {
    ploy_memory_item items[2] = {{"surface", sizeof *surface, 1}, {"polygons", surface->size, 1}};
    fn(user, &items[0]);
    fn(user, &items[1]);
    ploy_bvh3_memory(surface->boxes, fn, user);
}
