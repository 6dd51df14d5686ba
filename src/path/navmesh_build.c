// Building a navigation mesh from polygons.
//
// The soup is checked, welded and turned counter-clockwise in scratch memory; then the one block
// of the mesh is taken and filled. What comes out depends on the soup alone: vertices keep the
// order of the lowest number welded into each, polygons and links their own.
#include <stdio.h>
#include <string.h>

#include "path/navmesh_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"
#include "ploy/base/math.h"
#include "ploy/geom/bvh.h"
#include "ploy/geom/polygon.h"

// Further out vertices are refused, so that the cells of welding fit 64 bits.
static const float navbuild_far = 1e9f;

typedef struct navbuild_work {
    const ploy_navmesh_def *def;
    const ploy_navmesh_soup *soup;
    ploy_diags *diags;
    const int32_t *twins; // of corners, if all is known; NULL
    ploy_arena *scratch;
    int32_t *vertex;        // of the soup's: the lowest one welded to it, then its new number
    int32_t *sizes;         // of polygons kept
    int32_t *source;        // of polygons kept: which of the soup's
    int32_t *corners;       // of polygons kept, as numbers of the soup's vertices
    uint8_t *closed;        // of those corners
    int32_t *detail_number; // of the detail's vertices: without repetitions
    int32_t detail_vertices, detail_triangles; // that are kept
    int32_t polygon_count, corner_count, vertex_count, skipped;
} navbuild_work;

static void navbuild_tell(const navbuild_work *work, ploy_severity severity, int32_t line,
                          const char *message) {
    ploy_diags_add(work->diags, severity, PLOY_ERR_ARGUMENT, "navmesh", line, 0, message, NULL,
                   NULL);
}

// Reports a fault. @return true if it may be passed over.
static bool navbuild_fault(navbuild_work *work, int32_t line, const char *message) {
    bool skip = work->def->skip_faults;
    navbuild_tell(work, skip ? PLOY_SEVERITY_WARNING : PLOY_SEVERITY_ERROR, line, message);
    if (skip) work->skipped++;
    return skip;
}

// ---- checks ----

static bool navbuild_near(float value) {
    return ploy_in_range(value, -navbuild_far, navbuild_far);
}

static bool navbuild_point_ok(ploy_vec3 point) {
    return navbuild_near(point.x) && navbuild_near(point.y) && navbuild_near(point.z);
}

static ploy_result navbuild_check_arrays(const navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    bool counts = soup->vertex_count >= 0 && soup->polygon_count >= 0 && soup->corner_count >= 0 &&
                  soup->link_count >= 0;
    bool arrays = counts && (soup->vertices != NULL || soup->vertex_count == 0) &&
                  (soup->sizes != NULL || soup->polygon_count == 0) &&
                  (soup->corners != NULL || soup->corner_count == 0) &&
                  (soup->links != NULL || soup->link_count == 0);
    if (!arrays) {
        navbuild_tell(work, PLOY_SEVERITY_ERROR, 0, "negative count or missing array");
        return PLOY_ERR_ARGUMENT;
    }
    if (soup->corner_count > PLOY_NAVMESH_CORNERS_MAX ||
        soup->vertex_count > PLOY_NAVMESH_CORNERS_MAX ||
        soup->link_count > PLOY_NAVMESH_CORNERS_MAX) {
        navbuild_tell(work, PLOY_SEVERITY_ERROR, 0, "too many corners, vertices or links");
        return PLOY_ERR_LIMIT;
    }
    return PLOY_OK;
}

static ploy_result navbuild_check_links(const navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < soup->link_count && result == PLOY_OK; i++) {
        const ploy_navmesh_link *link = &soup->links[i];
        bool ok = navbuild_point_ok(link->from) && navbuild_point_ok(link->to) &&
                  ploy_in_range(link->cost, -navbuild_far, navbuild_far) &&
                  link->area < PLOY_NAVMESH_AREAS && link->flags <= UINT16_MAX;
        if (ok) continue;
        navbuild_tell(work, PLOY_SEVERITY_ERROR, i + 1, "link number or area is out of range");
        result = PLOY_ERR_ARGUMENT;
    }
    return result;
}

static ploy_result navbuild_check(const navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    ploy_result result = navbuild_check_arrays(work);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < soup->vertex_count && result == PLOY_OK; i++) {
        if (navbuild_point_ok(soup->vertices[i])) continue;
        navbuild_tell(work, PLOY_SEVERITY_ERROR, i + 1, "vertex is not finite or out of range");
        result = PLOY_ERR_ARGUMENT;
    }
    int32_t line = 0;
    const char *wrong = soup->detail != NULL && result == PLOY_OK
                            ? ployi_nav_detail_check(soup->detail, soup->polygon_count, &line)
                            : NULL;
    if (wrong != NULL) {
        navbuild_tell(work, PLOY_SEVERITY_ERROR, line, wrong);
        result = PLOY_ERR_ARGUMENT;
    }
    int32_t left = soup->corner_count;
    for (int32_t i = 0; i < soup->polygon_count && result == PLOY_OK; i++) {
        bool size_ok = soup->sizes[i] >= 0 && soup->sizes[i] <= PLOY_NAVMESH_POLYGON_MAX &&
                       soup->sizes[i] <= left;
        bool area_ok = soup->areas == NULL || soup->areas[i] < PLOY_NAVMESH_AREAS;
        if (soup->clearances != NULL && !(soup->clearances[i] >= 0.0f)) { // not a number either
            navbuild_tell(work, PLOY_SEVERITY_ERROR, i + 1, "negative clearance");
            return PLOY_ERR_ARGUMENT;
        }
        left -= size_ok ? soup->sizes[i] : 0;
        if (size_ok && area_ok) continue;
        navbuild_tell(work, PLOY_SEVERITY_ERROR, i + 1,
                      size_ok ? "unknown area" : "wrong number of corners of a polygon");
        result = PLOY_ERR_ARGUMENT;
    }
    if (result == PLOY_OK && left != 0) {
        navbuild_tell(work, PLOY_SEVERITY_ERROR, 0, "corners are left that no polygon has");
        result = PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < soup->corner_count && result == PLOY_OK; i++) {
        if (soup->corners[i] >= 0 && soup->corners[i] < soup->vertex_count) continue;
        navbuild_tell(work, PLOY_SEVERITY_ERROR, 0, "a corner is no vertex");
        result = PLOY_ERR_ARGUMENT;
    }
    return result == PLOY_OK ? navbuild_check_links(work) : result;
}

// ---- welding ----

static uint64_t navbuild_cell(int64_t x, int64_t y, int64_t z) {
    return ploy_hash_combine(ploy_hash_combine((uint64_t)x, (uint64_t)y), (uint64_t)z);
}

// Each vertex becomes the lowest earlier one within the tolerance. Those that represent others are
// chained by cells a little wider than it; different cells that share a hash share a chain, which
// only costs a look.
ploy_result ployi_nav_weld(const ploy_vec3 *vertices, int32_t count, float weld, int32_t *next,
                           const ploy_env *env, int32_t *lowest) {
    double size = (double)weld > 1e-6 ? (double)weld * 1.01 : 1e-6;
    double near = (double)weld * (double)weld;
    ploy_map cells; // the first vertex of each chain + 1
    ploy_map_init(&cells, sizeof(int32_t), env);
    ploy_result result = ploy_map_reserve(&cells, count);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_vec3 p = vertices[i];
        int64_t x = (int64_t)floor((double)p.x / size), y = (int64_t)floor((double)p.y / size);
        int64_t z = (int64_t)floor((double)p.z / size);
        int32_t best = i;
        for (int32_t c = 0; c < 27; c++) {
            uint64_t key = navbuild_cell(x + c % 3 - 1, y + c / 3 % 3 - 1, z + c / 9 - 1);
            const int32_t *first = ploy_map_get(&cells, key);
            for (int32_t k = first != NULL ? *first - 1 : -1; k >= 0; k = next[k]) {
                double dx = (double)vertices[k].x - (double)p.x;
                double dy = (double)vertices[k].y - (double)p.y;
                double dz = (double)vertices[k].z - (double)p.z;
                if (k < best && dx * dx + dy * dy + dz * dz <= near) best = k;
            }
        }
        lowest[i] = best;
        if (best != i) continue;
        void *slot = NULL;
        result = ploy_map_ensure(&cells, navbuild_cell(x, y, z), &slot, NULL);
        if (result != PLOY_OK) break;
        int32_t first = 0;
        memcpy(&first, slot, sizeof first);
        next[i] = first - 1;
        first = i + 1;
        memcpy(slot, &first, sizeof first);
    }
    ploy_map_fini(&cells);
    return result;
}

static ploy_result navbuild_weld(navbuild_work *work, const ploy_env *env) {
    const ploy_navmesh_soup *soup = work->soup;
    int32_t *next = ploy_arena_alloc_array(work->scratch, soup->vertex_count, sizeof *next);
    if (next == NULL) return PLOY_ERR_MEMORY;
    return ployi_nav_weld(soup->vertices, soup->vertex_count, work->def->weld, next, env,
                          work->vertex);
}

// ---- polygons ----

// One polygon's corners, welded, repeated ones dropped, counter-clockwise. @return what is wrong
// with it, or NULL.
static const char *navbuild_polygon(navbuild_work *work, int32_t polygon, int32_t first,
                                    ploy_vec2 *points) {
    const ploy_navmesh_soup *soup = work->soup;
    int32_t *corners = work->corners + work->corner_count;
    uint8_t *closed = work->closed + work->corner_count;
    int32_t size = soup->sizes[polygon], count = 0;
    for (int32_t i = 0; i < size; i++) {
        int32_t at = work->vertex[soup->corners[first + i]];
        int32_t next = work->vertex[soup->corners[first + (i + 1) % size]];
        if (at == next) continue; // the later one has the edge that goes on
        corners[count] = at;
        closed[count] = soup->closed != NULL && soup->closed[first + i] != 0;
        points[count++] = ploy_vec2_from_vec3(soup->vertices[at]);
    }
    if (count < 3) return "fewer than three different corners";
    ploy_polygon outline = ploy_polygon_make(points, count);
    int32_t turn = ploy_polygon_turn(outline);
    if (turn == 0 || !(ploy_polygon_area(outline) > 0.0f)) return "the polygon has no area";
    if (!ploy_polygon_is_convex(outline)) return "the polygon is not convex";
    if (turn < 0) {
        for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
            int32_t corner = corners[i];
            corners[i] = corners[k];
            corners[k] = corner;
        }
        // Edge i now goes from where edge count - 2 - i went to, the last staying the last.
        for (int32_t i = 0, k = count - 2; i < k; i++, k--) {
            uint8_t wall = closed[i];
            closed[i] = closed[k];
            closed[k] = wall;
        }
    }
    work->sizes[work->polygon_count] = count;
    work->source[work->polygon_count++] = polygon;
    work->corner_count += count;
    return NULL;
}

static ploy_result navbuild_polygons(navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    ploy_vec2 *points =
        ploy_arena_alloc_array(work->scratch, PLOY_NAVMESH_POLYGON_MAX, sizeof *points);
    if (points == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0, first = 0; i < soup->polygon_count; first += soup->sizes[i], i++) {
        const char *fault = navbuild_polygon(work, i, first, points);
        if (fault != NULL && !navbuild_fault(work, i + 1, fault)) result = PLOY_ERR_ARGUMENT;
    }
    // Vertices in use get new numbers, in their old order.
    bool *used = ploy_arena_alloc_array(work->scratch, soup->vertex_count, sizeof *used);
    if (used == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < work->corner_count; i++) used[work->corners[i]] = true;
    for (int32_t i = 0; i < soup->vertex_count; i++) {
        work->vertex[i] = used[i] ? work->vertex_count++ : -1;
    }
    return result;
}

// ---- the mesh ----

void *ployi_nav_part(unsigned char *block, size_t *used, int64_t count, size_t size) {
    void *part = block != NULL ? block + *used : NULL;
    if (!ploy_size_add_array(*used, count, size, used)) *used = SIZE_MAX;
    return part;
}

static bool navbuild_any_closed(const navbuild_work *work) {
    for (int32_t i = 0; i < work->corner_count; i++) {
        if (work->closed[i] != 0) return true;
    }
    return false;
}

// True if not every radius fits everywhere.
static bool navbuild_any_narrow(const navbuild_work *work) {
    const float *clearances = work->soup->clearances;
    for (int32_t i = 0; i < work->polygon_count && clearances != NULL; i++) {
        if (clearances[work->source[i]] < INFINITY) return true;
    }
    return false;
}

// Lays the arrays out in the block, in order of alignment; with none it only measures. Arrays that
// would say the same of all are left out.
static size_t navbuild_layout(ploy_navmesh *mesh, const navbuild_work *work) {
    int64_t polygons = work->polygon_count, edges = work->corner_count;
    int64_t links = work->soup->link_count, triangles = work->detail_triangles;
    unsigned char *block = mesh->block;
    size_t used = 0;
    mesh->links = ployi_nav_part(block, &used, links, sizeof *mesh->links);
    mesh->boxes = ployi_nav_part(block, &used, ployi_nav_boxes_count(work->polygon_count),
                                 sizeof *mesh->boxes);
    mesh->edges = ployi_nav_part(block, &used, edges, sizeof *mesh->edges);
    mesh->polygons = ployi_nav_part(block, &used, polygons + 1, sizeof *mesh->polygons);
    mesh->vertices = ployi_nav_part(block, &used, work->vertex_count, sizeof *mesh->vertices);
    if (links > 0) {
        mesh->link_polygons = ployi_nav_part(block, &used, 2 * links, sizeof(int32_t));
        mesh->link_ends = ployi_nav_part(block, &used, 2 * links, sizeof(int32_t));
        mesh->first_links = ployi_nav_part(block, &used, polygons + 1, sizeof(int32_t));
    }
    if (navbuild_any_narrow(work)) {
        mesh->clearances = ployi_nav_part(block, &used, polygons, sizeof(float));
    }
    if (triangles > 0) {
        int64_t boxes = (triangles + PLOYI_NAV_DETAIL_BOX - 1) / PLOYI_NAV_DETAIL_BOX;
        mesh->heights = ployi_nav_part(block, &used, work->vertex_count, sizeof(float));
        mesh->detail_boxes = ployi_nav_part(block, &used, boxes, sizeof *mesh->detail_boxes);
        mesh->detail_vertices =
            ployi_nav_part(block, &used, work->detail_vertices, sizeof *mesh->detail_vertices);
        if (work->detail_vertices <= UINT16_MAX + 1) {
            mesh->detail_short = ployi_nav_part(block, &used, 3 * triangles, sizeof(uint16_t));
        } else {
            mesh->detail_long = ployi_nav_part(block, &used, 3 * triangles, sizeof(int32_t));
        }
    }
    if (navbuild_any_closed(work)) mesh->closed = ployi_nav_part(block, &used, edges, 1);
    mesh->on_wall = ployi_nav_part(block, &used, work->vertex_count, 1);
    return used;
}

static void navbuild_fill_polygon(ploy_navmesh *mesh, const navbuild_work *work, int32_t i,
                                  int32_t first, ploy_vec2 *points) {
    const ploy_navmesh_soup *soup = work->soup;
    ployi_nav_polygon *p = &mesh->polygons[i];
    int32_t count = work->sizes[i], source = work->source[i];
    p->first = first;
    p->area = soup->areas != NULL ? soup->areas[source] : 0;
    p->flags = soup->flags != NULL ? soup->flags[source] : 1;
    mesh->flags_any |= p->flags;
    mesh->flags_all &= p->flags;
    if (mesh->clearances != NULL) {
        mesh->clearances[i] = soup->clearances[source];
        mesh->clearance_least = ploy_minf(mesh->clearance_least, mesh->clearances[i]);
    }
    for (int32_t k = 0; k < count; k++) {
        ployi_nav_edge *edge = &mesh->edges[first + k];
        edge->vertex = work->vertex[work->corners[first + k]];
        edge->at = points[k] = ploy_vec2_from_vec3(soup->vertices[work->corners[first + k]]);
        edge->neighbour = edge->twin = -1;
        edge->after = (int16_t)(k + 1 < count ? 1 : 1 - count);
        edge->next = PLOYI_NAV_NO_NEXT;
        if (mesh->closed != NULL) mesh->closed[first + k] = work->closed[first + k];
    }
    p->surface = ploy_polygon_area(ploy_polygon_make(points, count));
}

// Copies what the work holds into the block.
static ploy_result navbuild_fill(ploy_navmesh *mesh, const navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    ploy_arena_mark mark = ploy_arena_mark_of(work->scratch);
    ploy_box2 *boxes = ploy_arena_alloc_array(work->scratch, work->polygon_count, sizeof *boxes);
    ploy_vec2 *points =
        ploy_arena_alloc_array(work->scratch, PLOY_NAVMESH_POLYGON_MAX, sizeof *points);
    if (boxes == NULL || points == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < soup->vertex_count; i++) {
        if (work->vertex[i] >= 0) mesh->vertices[work->vertex[i]] = soup->vertices[i];
    }
    double surface = 0.0;
    for (int32_t i = 0, first = 0; i < work->polygon_count; first += work->sizes[i], i++) {
        navbuild_fill_polygon(mesh, work, i, first, points);
        boxes[i] = ploy_box2_around(points, work->sizes[i]);
        surface += (double)mesh->polygons[i].surface;
    }
    mesh->polygons[work->polygon_count].first = work->corner_count;
    mesh->stats.polygons = work->polygon_count;
    mesh->stats.vertices = work->vertex_count;
    mesh->stats.edges = work->corner_count;
    mesh->stats.skipped = work->skipped;
    mesh->stats.area = (float)surface;
    ploy_result result = ployi_nav_boxes_build(mesh, boxes, work->scratch);
    ploy_arena_rewind(work->scratch, mark);
    if (result == PLOY_OK && work->detail_triangles > 0) {
        mesh->stats.details = work->detail_triangles;
        mesh->detail_vertex_count = work->detail_vertices;
        result = ployi_nav_detail_fill(mesh, soup->detail, work->source, work->detail_number,
                                       work->scratch);
        if (result == PLOY_OK) ployi_nav_detail_heights(mesh);
    }
    return result;
}

static void navbuild_join(ploy_navmesh *mesh, int32_t a, int32_t polygon_a, int32_t b,
                          int32_t polygon_b) {
    mesh->edges[a].twin = b;
    mesh->edges[a].neighbour = polygon_b;
    mesh->edges[b].twin = a;
    mesh->edges[b].neighbour = polygon_a;
}

// Polygons that share an edge. Each pair of vertices remembers the first edge between them.
static ploy_result navbuild_neighbours(ploy_navmesh *mesh, navbuild_work *work) {
    ploy_map pairs; // the first edge between two vertices, and how many there were
    ploy_map_init(&pairs, 3 * sizeof(int32_t), &mesh->env);
    ploy_result result = ploy_map_reserve(&pairs, mesh->stats.edges), fault = PLOY_OK;
    for (int32_t i = 0; i < mesh->stats.polygons && result == PLOY_OK; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p[1].first && result == PLOY_OK; e++) {
            int32_t a = mesh->edges[e].vertex, b = ployi_nav_end_vertex(mesh, e);
            uint64_t key = (uint64_t)ploy_mini(a, b) << 32 | (uint32_t)ploy_maxi(a, b);
            void *slot = NULL;
            bool added = false;
            result = ploy_map_ensure(&pairs, key, &slot, &added);
            if (result != PLOY_OK) break;
            int32_t seen[3]; // edge, its polygon, how many
            memcpy(seen, slot, sizeof seen);
            if (added) {
                seen[0] = e;
                seen[1] = i;
            }
            seen[2]++;
            memcpy(slot, seen, sizeof seen);
            if (added) continue;
            if (seen[2] > 2 || mesh->edges[seen[0]].vertex == a) {
                const char *message = "edge belongs to three polygons, or two polygons overlap";
                if (!navbuild_fault(work, work->source[i] + 1, message)) fault = PLOY_ERR_ARGUMENT;
            } else if (!work->closed[e] && !work->closed[seen[0]]) {
                navbuild_join(mesh, seen[0], seen[1], e, i);
            }
        }
    }
    ploy_map_fini(&pairs);
    return result == PLOY_OK ? fault : result;
}

// The same where they are known.
static ploy_result navbuild_known(ploy_navmesh *mesh, navbuild_work *work) {
    int32_t *owner = ploy_arena_alloc_array(work->scratch, mesh->stats.edges, sizeof *owner);
    if (owner == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0, e = 0; i < mesh->stats.polygons; i++) {
        for (int32_t end = e + work->sizes[i]; e < end; e++) owner[e] = i;
    }
    for (int32_t e = 0; e < mesh->stats.edges; e++) {
        int32_t twin = work->twins[e];
        mesh->edges[e].twin = twin;
        mesh->edges[e].neighbour = twin >= 0 ? owner[twin] : -1;
    }
    return PLOY_OK;
}

// Counts portals and walls, and marks what walls end in.
static void navbuild_walls(ploy_navmesh *mesh) {
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        ployi_nav_polygon *p = &mesh->polygons[i];
        int32_t portals = 0;
        for (int32_t e = p->first; e < p[1].first; e++) {
            if (mesh->edges[e].twin >= 0) {
                portals++;
                continue;
            }
            mesh->on_wall[mesh->edges[e].vertex] = 1;
            mesh->on_wall[ployi_nav_end_vertex(mesh, e)] = 1;
            mesh->stats.walls++;
        }
        p->up = portals; // until ployi_nav_dead_ends knows more
        mesh->stats.portals += portals;
        mesh->stats.portal_pairs += portals * (portals - 1) / 2;
    }
    mesh->stats.portals /= 2;
}

// ---- T-junctions ----

typedef struct navbuild_junction {
    const ploy_navmesh *mesh;
    const navbuild_work *work;
    const int32_t *walls, *owners;
    int32_t vertex, count;
} navbuild_junction;

static bool navbuild_junction_visit(void *user, int32_t id, double *limit) {
    navbuild_junction *junction = user;
    const ploy_navmesh *mesh = junction->mesh;
    int32_t edge = junction->walls[id], polygon = junction->owners[id];
    int32_t a = mesh->edges[edge].vertex, b = ployi_nav_end_vertex(mesh, edge);
    (void)limit;
    if (a == junction->vertex || b == junction->vertex) return true;
    ploy_vec3 at = mesh->vertices[junction->vertex];
    float weld = junction->work->def->weld, t = 0.0f;
    ploy_segment2 side = {mesh->edges[edge].at, ployi_nav_end(mesh, edge)};
    ploy_vec2 near = ploy_segment2_closest(side, ploy_vec2_from_vec3(at), &t);
    float height = mesh->vertices[a].z + (mesh->vertices[b].z - mesh->vertices[a].z) * t;
    if (t <= 0.0f || t >= 1.0f || fabsf(height - at.z) > junction->work->def->step_height ||
        ploy_vec2_distance(near, ploy_vec2_from_vec3(at)) > weld) {
        return true;
    }
    junction->count++;
    if (junction->work->def->stitch) return true; // will be mended, or reported then
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, "T-junction: vertex %d is within an edge of this polygon",
             (int)junction->vertex);
    navbuild_tell(junction->work, PLOY_SEVERITY_WARNING, junction->work->source[polygon] + 1,
                  message);
    return true;
}

void ployi_nav_walls(const ploy_navmesh *mesh, int32_t *walls, int32_t *owners, ploy_box2 *boxes) {
    int32_t n = 0;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p[1].first; e++) {
            if (mesh->edges[e].twin >= 0) continue;
            ploy_segment2 side = {mesh->edges[e].at, ployi_nav_end(mesh, e)};
            walls[n] = e;
            owners[n] = i;
            boxes[n++] = ploy_box2_of_segment(side);
        }
    }
}

// Vertices on walls that lie within other walls: floors that touch there without being joined.
static ploy_result navbuild_junctions(ploy_navmesh *mesh, navbuild_work *work) {
    int32_t count = mesh->stats.walls;
    int32_t *walls = ploy_arena_alloc_array(work->scratch, count, sizeof *walls);
    int32_t *owners = ploy_arena_alloc_array(work->scratch, count, sizeof *owners);
    ploy_box2 *boxes = ploy_arena_alloc_array(work->scratch, count, sizeof *boxes);
    if (walls == NULL || owners == NULL || boxes == NULL) return PLOY_ERR_MEMORY;
    ployi_nav_walls(mesh, walls, owners, boxes);
    ploy_bvh_def def = ploy_bvh_def_default();
    def.capacity = ploy_maxi(count, 1);
    ploy_bvh2 *bvh = NULL;
    ploy_result result = ploy_bvh2_create(&def, &mesh->env, &bvh);
    if (result == PLOY_OK) result = ploy_bvh2_rebuild(bvh, boxes, count);
    navbuild_junction junction = {mesh, work, walls, owners, 0, 0};
    for (int32_t i = 0; i < mesh->stats.vertices && result == PLOY_OK; i++) {
        if (!mesh->on_wall[i]) continue;
        junction.vertex = i;
        ploy_query2 query =
            ploy_query2_radius(ploy_vec2_from_vec3(mesh->vertices[i]), work->def->weld);
        ploy_bvh2_visit(bvh, &query, navbuild_junction_visit, &junction, NULL);
    }
    ploy_bvh2_destroy(bvh);
    mesh->stats.t_junctions = junction.count;
    return result;
}

// ---- links ----

static void navbuild_add_link(ploy_navmesh *mesh, ploy_navmesh_link link, int32_t from,
                              int32_t to) {
    int32_t at = mesh->stats.links++;
    float length = ploy_vec3_distance(link.from, link.to);
    if (link.cost < 0.0f) link.cost = length;
    link.two_way = link.two_way != 0;
    // Nothing may be cheaper than the search's estimate, which is made of planar distance.
    float flat = ploy_vec2_distance(ploy_vec2_from_vec3(link.from), ploy_vec2_from_vec3(link.to));
    if (link.cost < flat) mesh->link_scale = ploy_minf(mesh->link_scale, link.cost / flat);
    mesh->links[at] = link;
    mesh->link_polygons[2 * at] = from;
    mesh->link_polygons[2 * at + 1] = to;
}

static ploy_result navbuild_links(ploy_navmesh *mesh, navbuild_work *work,
                                  const int32_t *link_polygons) {
    const ploy_navmesh_soup *soup = work->soup;
    ploy_result result = PLOY_OK;
    float reach = ploy_maxf(work->def->step_height, work->def->weld);
    for (int32_t i = 0; i < soup->link_count; i++) {
        ploy_navmesh_link link = soup->links[i];
        int32_t from, to;
        if (link_polygons != NULL) {
            from = link_polygons[2 * i];
            to = link_polygons[2 * i + 1];
        } else {
            from = ployi_nav_nearest(mesh, link.from, reach, reach, -1, 0.0f, &link.from);
            to = ployi_nav_nearest(mesh, link.to, reach, reach, -1, 0.0f, &link.to);
        }
        if (from >= 0 && to >= 0 && from < mesh->stats.polygons && to < mesh->stats.polygons) {
            navbuild_add_link(mesh, link, from, to);
        } else if (!navbuild_fault(work, i + 1, "an end of a link is over no floor")) {
            result = PLOY_ERR_ARGUMENT;
        }
    }
    mesh->stats.skipped = work->skipped;
    if (soup->link_count == 0) return result;
    // By polygon: those that leave it.
    for (int32_t p = 0, round = 0; round < 2; round++) {
        int32_t total = 0;
        for (p = 0; p < mesh->stats.polygons && round == 1; p++) {
            int32_t own = mesh->first_links[p];
            mesh->first_links[p] = total;
            total += own;
        }
        if (round == 1) mesh->first_links[mesh->stats.polygons] = total;
        for (int32_t i = 0; i < mesh->stats.links && round == 0; i++) {
            mesh->first_links[mesh->link_polygons[2 * i]]++;
            if (mesh->links[i].two_way) mesh->first_links[mesh->link_polygons[2 * i + 1]]++;
        }
    }
    int32_t *next = ploy_arena_alloc_array(work->scratch, mesh->stats.polygons, sizeof *next);
    if (next == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < 2 * mesh->stats.links; i++) {
        if ((i & 1) == 1 && !mesh->links[i / 2].two_way) continue;
        int32_t p = mesh->link_polygons[i];
        mesh->link_ends[mesh->first_links[p] + next[p]++] = i;
    }
    return result;
}

// Values on their way to a hash, many at a time.
typedef struct navbuild_hash_of {
    ploy_hasher hasher;
    int32_t count;
    int32_t values[256];
} navbuild_hash_of;

static void navbuild_hash_flush(navbuild_hash_of *hash) {
    ploy_hasher_add(&hash->hasher, hash->values, (size_t)hash->count * sizeof *hash->values);
    hash->count = 0;
}

static void navbuild_hash_add(navbuild_hash_of *hash, int32_t value) {
    hash->values[hash->count++] = value;
    if (hash->count == 256) navbuild_hash_flush(hash);
}

// What the mesh is made of, as a soup has it: sizes, corners, areas and so on, one after the other.
static uint64_t navbuild_hash(const ploy_navmesh *mesh) {
    const ploy_navmesh_stats *stats = &mesh->stats;
    navbuild_hash_of hash;
    hash.count = 0;
    ploy_hasher_init(&hash.hasher, 0);
    ploy_hasher_add(&hash.hasher, mesh->vertices, (size_t)stats->vertices * sizeof(ploy_vec3));
    for (int32_t i = 0; i < stats->polygons; i++) {
        navbuild_hash_add(&hash, ployi_nav_count(&mesh->polygons[i]));
    }
    for (int32_t e = 0; e < stats->edges; e++) navbuild_hash_add(&hash, mesh->edges[e].vertex);
    navbuild_hash_flush(&hash);
    for (int32_t i = 0; i < stats->polygons; i++) {
        uint8_t area = (uint8_t)mesh->polygons[i].area;
        ploy_hasher_add(&hash.hasher, &area, sizeof area);
    }
    for (int32_t i = 0; i < stats->polygons; i++) {
        ploy_hasher_add(&hash.hasher, &mesh->polygons[i].flags, sizeof mesh->polygons[i].flags);
    }
    for (int32_t i = 0; i < stats->polygons; i++) {
        float clearance = ployi_nav_fits(mesh, i);
        ploy_hasher_add(&hash.hasher, &clearance, sizeof clearance);
    }
    for (int32_t e = 0; e < stats->edges; e++) {
        uint8_t closed = mesh->closed != NULL ? mesh->closed[e] : 0;
        ploy_hasher_add(&hash.hasher, &closed, sizeof closed);
    }
    ploy_hasher_add(&hash.hasher, mesh->links, (size_t)stats->links * sizeof *mesh->links);
    ploy_hasher_add(&hash.hasher, mesh->link_polygons, (size_t)stats->links * 2 * sizeof(int32_t));
    if (stats->details > 0) {
        ploy_hasher_add(&hash.hasher, mesh->detail_vertices,
                        (size_t)mesh->detail_vertex_count * sizeof *mesh->detail_vertices);
        for (int32_t i = 0; i < stats->polygons; i++) {
            const ployi_nav_polygon *p = &mesh->polygons[i];
            navbuild_hash_add(&hash, p[1].first_detail - p->first_detail);
        }
        for (int32_t i = 0; i < 3 * stats->details; i++) {
            navbuild_hash_add(&hash, (int32_t)(ployi_nav_detail(mesh, i) - mesh->detail_vertices));
        }
        navbuild_hash_flush(&hash);
    }
    return ploy_hasher_result(&hash.hasher);
}

// Counts what is kept of the detail.
static ploy_result navbuild_detail(navbuild_work *work, const ploy_env *env) {
    const ploy_navmesh_detail *detail = work->soup->detail;
    if (detail == NULL) return PLOY_OK;
    for (int32_t i = 0; i < work->polygon_count; i++) {
        work->detail_triangles += detail->sizes[work->source[i]];
    }
    if (work->detail_triangles == 0) return PLOY_OK;
    work->detail_number =
        ploy_arena_alloc_array(work->scratch, detail->vertex_count, sizeof *work->detail_number);
    if (work->detail_number == NULL) return PLOY_ERR_MEMORY;
    work->detail_vertices = ployi_nav_detail_weld(detail, work->detail_number, env);
    return work->detail_vertices >= 0 ? PLOY_OK : PLOY_ERR_MEMORY;
}

// The mesh from what the work holds.
static ploy_result navbuild_make(ploy_navmesh *mesh, navbuild_work *work,
                                 const int32_t *link_polygons) {
    mesh->link_scale = 1.0f;
    mesh->flags_all = UINT32_MAX;
    mesh->clearance_least = INFINITY;
    ploy_result result = navbuild_detail(work, &mesh->env);
    if (result != PLOY_OK) return result;
    mesh->size = navbuild_layout(mesh, work);
    if (mesh->size == SIZE_MAX) return PLOY_ERR_LIMIT;
    mesh->block = ploy_env_alloc_zero(&mesh->env, mesh->size);
    if (mesh->block == NULL) return PLOY_ERR_MEMORY;
    navbuild_layout(mesh, work);
    result = navbuild_fill(mesh, work);
    bool known = work->twins != NULL;
    if (result == PLOY_OK) {
        result = known ? navbuild_known(mesh, work) : navbuild_neighbours(mesh, work);
    }
    if (result == PLOY_OK) navbuild_walls(mesh);
    if (result == PLOY_OK) result = ployi_nav_dead_ends(mesh, work->scratch);
    if (result == PLOY_OK) ployi_nav_exits(mesh);
    if (result == PLOY_OK && !known) result = navbuild_junctions(mesh, work);
    if (result == PLOY_OK) result = navbuild_links(mesh, work, link_polygons);
    if (result == PLOY_OK) result = ployi_nav_islands(mesh, work->scratch);
    if (result == PLOY_OK) mesh->hash = navbuild_hash(mesh);
    return result;
}

// A soup of which all is known to be right, as it is.
static void navbuild_take(navbuild_work *work) {
    const ploy_navmesh_soup *soup = work->soup;
    work->vertex_count = soup->vertex_count;
    work->polygon_count = soup->polygon_count;
    work->corner_count = soup->corner_count;
    for (int32_t i = 0; i < soup->vertex_count; i++) work->vertex[i] = i;
    for (int32_t i = 0; i < soup->polygon_count; i++) {
        work->sizes[i] = soup->sizes[i];
        work->source[i] = i;
    }
    for (int32_t i = 0; i < soup->corner_count; i++) {
        work->corners[i] = soup->corners[i];
        work->closed[i] = 0;
    }
}

ploy_result ployi_nav_build(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                            const int32_t *link_polygons, const int32_t *twins, const ploy_env *env,
                            ploy_diags *diags, ploy_navmesh **out) {
    navbuild_work work;
    memset(&work, 0, sizeof work);
    work.def = def;
    work.soup = soup;
    work.diags = diags;
    work.twins = twins;
    ploy_result result = twins == NULL ? navbuild_check(&work) : navbuild_check_links(&work);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &work.scratch);
    if (result != PLOY_OK) return result;
    work.vertex = ploy_arena_alloc_array(work.scratch, soup->vertex_count, sizeof *work.vertex);
    work.sizes = ploy_arena_alloc_array(work.scratch, soup->polygon_count, sizeof *work.sizes);
    work.source = ploy_arena_alloc_array(work.scratch, soup->polygon_count, sizeof *work.source);
    work.corners = ploy_arena_alloc_array(work.scratch, soup->corner_count, sizeof *work.corners);
    work.closed = ploy_arena_alloc_array(work.scratch, soup->corner_count, sizeof *work.closed);
    if (work.vertex == NULL || work.sizes == NULL || work.source == NULL || work.corners == NULL ||
        work.closed == NULL) {
        result = PLOY_ERR_MEMORY;
    }
    if (result == PLOY_OK && twins != NULL) {
        navbuild_take(&work);
    } else if (result == PLOY_OK) {
        result = navbuild_weld(&work, env);
        if (result == PLOY_OK) result = navbuild_polygons(&work);
    }
    ploy_navmesh *mesh = NULL;
    if (result == PLOY_OK) {
        mesh = ploy_env_alloc_zero(env, sizeof *mesh);
        if (mesh == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result == PLOY_OK) {
        mesh->env = *env;
        mesh->def = *def;
        result = navbuild_make(mesh, &work, link_polygons);
    }
    ploy_arena_destroy(work.scratch);
    if (result == PLOY_OK && def->stitch && twins == NULL) {
        result = ployi_nav_stitch(env, diags, &mesh);
    }
    if (result == PLOY_OK) {
        *out = mesh;
    } else {
        ploy_navmesh_destroy(mesh);
    }
    return result;
}

ploy_result ploy_navmesh_create(const ploy_navmesh_def *def, const ploy_navmesh_soup *soup,
                                const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (soup == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_fields(), def, env);
    if (result != PLOY_OK) return result;
    return ployi_nav_build(def, soup, NULL, NULL, env, diags, out);
}
