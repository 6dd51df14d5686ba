// The navigation mesh, once it is built; navmesh_build.c builds it.
//
// Invariants, from create to destroy:
//   (1) every polygon is convex and counter-clockwise seen from above, has three corners or more
//       and an area above 0; its edges are [first, first + count), in order;
//   (2) edges[edges[e].twin].twin == e, and the two have the same ends the other way round; an edge
//       without a twin has no neighbour;
//   (3) link_ends[first_links[p] ...] are the links that leave polygon p, by number;
//   (4) the detail's triangles [polygons[p].first_detail ...) are over polygon p;
//   (5) nothing changes.
#include "ploy/path/navmesh.h"
#include "path/path_internal.h"

#include "path/navmesh_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

static const ploy_field navmesh_fields[] = {
    PLOY_FIELD_F32(ploy_navmesh_def, radius, 0, 0, 1e4f, "m", "rim of an outline that is left out"),
    PLOY_FIELD_F32(ploy_navmesh_def, slack, 0.05f, 1e-4f, 1e3f, "m",
                   "how far round corners of an outline may be off"),
    PLOY_FIELD_I32(ploy_navmesh_def, max_corners, 8, 3, PLOY_NAVMESH_POLYGON_MAX, "",
                   "most corners of a polygon of an outline"),
    PLOY_FIELD_F32(ploy_navmesh_def, weld, 1e-3f, 0, 10, "m", "vertices so near are one"),
    PLOY_FIELD_F32(ploy_navmesh_def, step_height, 0.5f, 0, 1e4f, "m",
                   "T-junctions and links look so far up and down"),
    PLOY_FIELD_BOOL(ploy_navmesh_def, stitch, false,
                    "mend T-junctions that lie exactly on an edge"),
    PLOY_FIELD_BOOL(ploy_navmesh_def, skip_faults, false, "leave faulty polygons and links out"),
};

ploy_fields ploy_navmesh_fields(void) {
    return PLOY_FIELDS(ploy_navmesh_def, navmesh_fields);
}

ploy_navmesh_def ploy_navmesh_def_default(void) {
    ploy_navmesh_def def;
    ploy_fields_default(ploy_navmesh_fields(), &def);
    return def;
}

ploy_navmesh_link ploy_navmesh_link_make(ploy_vec3 from, ploy_vec3 to) {
    ploy_navmesh_link link;
    memset(&link, 0, sizeof link);
    link.from = from;
    link.to = to;
    link.cost = -1.0f;
    link.flags = 1;
    return link;
}

void ploy_navmesh_destroy(ploy_navmesh *mesh) {
    if (mesh == NULL) return;
    ploy_env env = mesh->env;
    ploy_env_free(&env, mesh->block, mesh->size);
    ploy_env_free(&env, mesh, sizeof *mesh);
}

ploy_navmesh_stats ploy_navmesh_stats_of(const ploy_navmesh *mesh) {
    return mesh->stats;
}

uint64_t ploy_navmesh_generation(const ploy_navmesh *mesh) {
    return ploy_hash_combine(mesh->hash, (uint64_t)(uint32_t)mesh->stats.polygons << 32 |
                                             (uint32_t)mesh->stats.edges);
}

static bool navmesh_has(const ploy_navmesh *mesh, int32_t polygon) {
    return polygon >= 0 && polygon < mesh->stats.polygons;
}

ploy_vec3 ployi_nav_centre(const ploy_navmesh *mesh, int32_t polygon) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    double x = 0.0, y = 0.0, z = 0.0, count = (double)ployi_nav_count(p);
    for (int32_t e = p->first; e < p[1].first; e++) {
        ploy_vec3 at = mesh->vertices[mesh->edges[e].vertex];
        x += (double)at.x;
        y += (double)at.y;
        z += (double)at.z;
    }
    return ploy_vec3_make((float)(x / count), (float)(y / count), (float)(z / count));
}

ploy_navmesh_polygon ploy_navmesh_polygon_at(const ploy_navmesh *mesh, int32_t polygon) {
    ploy_navmesh_polygon out;
    memset(&out, 0, sizeof out);
    if (!navmesh_has(mesh, polygon)) return out;
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    out.first = p->first;
    out.count = ployi_nav_count(p);
    out.area = p->area;
    out.flags = p->flags;
    out.island = p->island;
    out.clearance = ployi_nav_fits(mesh, polygon);
    out.surface = p->surface;
    out.centre = ployi_nav_centre(mesh, polygon);
    return out;
}

int32_t ployi_nav_polygon_of(const ploy_navmesh *mesh, int32_t edge) {
    if (mesh->edges[edge].twin >= 0) return mesh->edges[mesh->edges[edge].twin].neighbour;
    int32_t low = 0, high = mesh->stats.polygons - 1;
    while (low < high) { // the last polygon that begins at or before the edge
        int32_t half = low + (high - low + 1) / 2;
        if (mesh->polygons[half].first <= edge) {
            low = half;
        } else {
            high = half - 1;
        }
    }
    return low;
}

ploy_navmesh_edge ploy_navmesh_edge_at(const ploy_navmesh *mesh, int32_t edge) {
    ploy_navmesh_edge out;
    memset(&out, 0, sizeof out);
    out.neighbour = out.twin = -1;
    if (edge < 0 || edge >= mesh->stats.edges) return out;
    const ployi_nav_edge *e = &mesh->edges[edge];
    int32_t end = ployi_nav_end_vertex(mesh, edge);
    out.from = mesh->vertices[e->vertex];
    out.to = mesh->vertices[end];
    out.neighbour = e->neighbour;
    out.twin = e->twin;
    out.wall_from = mesh->on_wall[e->vertex] != 0;
    out.wall_to = mesh->on_wall[end] != 0;
    return out;
}

bool ploy_navmesh_holds(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    return navmesh_has(mesh, polygon) && ploy_vec2_is_finite(point) &&
           ployi_nav_holds(mesh, polygon, point);
}

ploy_vec2 ployi_nav_closest_edge(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    const ployi_nav_polygon *p = &mesh->polygons[polygon];
    ploy_vec2 best = mesh->edges[p->first].at;
    float best_gap = INFINITY;
    for (int32_t e = p->first; e < p[1].first; e++) {
        ploy_segment2 side = {mesh->edges[e].at, ployi_nav_end(mesh, e)};
        ploy_vec2 near = ploy_segment2_closest(side, point, NULL);
        float gap = ploy_vec2_distance_sq(near, point);
        if (!(gap < best_gap)) continue;
        best_gap = gap;
        best = near;
    }
    return best;
}

ploy_vec2 ployi_nav_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    bool held = ploy_navmesh_holds(mesh, polygon, point);
    return held ? point : ployi_nav_closest_edge(mesh, polygon, point);
}

ploy_vec3 ploy_navmesh_closest(const ploy_navmesh *mesh, int32_t polygon, ploy_vec2 point) {
    if (!navmesh_has(mesh, polygon) || !ploy_vec2_is_finite(point)) {
        return ploy_vec3_from_vec2(point, 0.0f);
    }
    ploy_vec2 near = ployi_nav_closest(mesh, polygon, point);
    return ploy_vec3_from_vec2(near, ployi_nav_height(mesh, polygon, near));
}

bool ployi_nav_trim(const ploy_navmesh *mesh, int32_t edge, float radius, ploy_vec2 *left,
                    ploy_vec2 *right) {
    const ployi_nav_edge *e = &mesh->edges[edge];
    ploy_vec2 a = e->at, b = ployi_nav_end(mesh, edge);
    // The floor is to the left of a -> b, so who leaves through it has a at the right hand.
    *right = a;
    *left = b;
    if (!(radius > 0.0f)) return true;
    float at_a = mesh->on_wall[e->vertex] ? radius : 0.0f;
    float at_b = mesh->on_wall[ployi_nav_end_vertex(mesh, edge)] ? radius : 0.0f;
    float length = ploy_vec2_distance(a, b);
    if (!(length - at_a - at_b > 0.0f)) return false;
    *right = ploy_vec2_lerp(a, b, at_a / length);
    *left = ploy_vec2_lerp(b, a, at_b / length);
    return true;
}

float ployi_navmesh_clearance(const ploy_navmesh *mesh, int32_t edge, float radius) {
    ploy_navmesh_edge e = ploy_navmesh_edge_at(mesh, edge);
    if (e.neighbour < 0 || !(radius >= 0.0f)) return -1.0f;
    float length = ploy_vec2_distance(ploy_vec2_from_vec3(e.from), ploy_vec2_from_vec3(e.to));
    return length - (e.wall_from ? radius : 0.0f) - (e.wall_to ? radius : 0.0f);
}

void ploy_navmesh_describe(const ploy_navmesh *mesh, ploy_describe *out) {
    const ploy_navmesh_stats *stats = &mesh->stats;
    ploy_describe_u64(out, "hash", PLOY_STATE, mesh->hash);
    ploy_describe_i64(out, "polygons", PLOY_DERIVED, stats->polygons);
    ploy_describe_i64(out, "vertices", PLOY_DERIVED, stats->vertices);
    ploy_describe_i64(out, "portals", PLOY_DERIVED, stats->portals);
    ploy_describe_i64(out, "walls", PLOY_DERIVED, stats->walls);
    ploy_describe_i64(out, "links", PLOY_DERIVED, stats->links);
    ploy_describe_i64(out, "islands", PLOY_DERIVED, stats->islands);
    ploy_describe_i64(out, "details", PLOY_DERIVED, stats->details);
    ploy_describe_i64(out, "t_junctions", PLOY_NOTE, stats->t_junctions);
    ploy_describe_f32(out, "area", PLOY_DERIVED, stats->area);
}

void ploy_navmesh_draw(const ploy_navmesh *mesh, ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_FLOOR, PLOY_STYLE_AGENT_B, PLOY_STYLE_AGENT_C,
                                        PLOY_STYLE_AGENT_D};
    ploy_vec3 points[PLOY_NAVMESH_POLYGON_MAX];
    ploy_draw_item item = {PLOY_SHAPE_POLYGON,
                           PLOY_LAYER_REGIONS,
                           PLOY_STYLE_FLOOR,
                           {0, 0},
                           points,
                           0,
                           0.0f,
                           0.0f,
                           0.35f,
                           NULL,
                           NULL};
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t k = 0; k < ployi_nav_count(p); k++) {
            points[k] = mesh->vertices[mesh->edges[p->first + k].vertex];
        }
        item.shape = PLOY_SHAPE_POLYGON;
        item.layer = PLOY_LAYER_REGIONS;
        item.style = styles[p->area % 4];
        item.count = ployi_nav_count(p);
        item.alpha = 0.35f;
        ploy_draw_item_out(out, &item);
        item.shape = PLOY_SHAPE_LINE;
        item.count = 2;
        item.alpha = 1.0f;
        for (int32_t e = p->first; e < p[1].first; e++) {
            bool wall = mesh->edges[e].neighbour < 0;
            if (!wall && mesh->edges[e].twin < e) continue; // each portal once
            points[0] = mesh->vertices[mesh->edges[e].vertex];
            points[1] = mesh->vertices[ployi_nav_end_vertex(mesh, e)];
            item.layer = wall ? PLOY_LAYER_WORLD : PLOY_LAYER_REGIONS;
            item.style = wall ? PLOY_STYLE_WALL : PLOY_STYLE_GHOST;
            ploy_draw_item_out(out, &item);
        }
    }
    item.shape = PLOY_SHAPE_ARROW;
    item.layer = PLOY_LAYER_REGIONS;
    item.style = PLOY_STYLE_WARNING;
    for (int32_t i = 0; i < mesh->stats.links; i++) {
        points[0] = mesh->links[i].from;
        points[1] = mesh->links[i].to;
        ploy_draw_item_out(out, &item);
    }
}

void ploy_navmesh_memory(const ploy_navmesh *mesh, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"navmesh", sizeof *mesh + mesh->size, 2};
    fn(user, &self);
}
