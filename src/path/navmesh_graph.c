// What follows from how the polygons of a mesh are joined: dead ends, the exits, islands.
#include "path/navmesh_internal.h"
#include "ploy/base/math.h"

// Dead ends: polygons that are left with one portal are taken away, again and again; what the last
// one leads to is the way out. What remains lies on rounds, or is the last of an island.
ploy_result ployi_nav_dead_ends(ploy_navmesh *mesh, ploy_arena *scratch) {
    int32_t count = mesh->stats.polygons, waiting = 0;
    int32_t *left = ploy_arena_alloc_array(scratch, count, sizeof *left);
    int32_t *queue = ploy_arena_alloc_array(scratch, count, sizeof *queue);
    if (left == NULL || queue == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        left[i] = mesh->polygons[i].up; // its portals
        mesh->polygons[i].up = -1;
        if (left[i] == 1) queue[waiting++] = i;
    }
    for (int32_t i = 0; i < waiting; i++) {
        ployi_nav_polygon *p = &mesh->polygons[queue[i]];
        if (left[queue[i]] != 1) continue; // the last one
        left[queue[i]] = 0;
        for (int32_t e = p->first; e < p[1].first; e++) {
            int32_t next = mesh->edges[e].neighbour;
            if (next < 0 || left[next] == 0) continue; // taken away before
            p->up = next;
            if (--left[next] == 1) queue[waiting++] = next;
            break;
        }
    }
    return PLOY_OK;
}

// Every edge learns which portal comes after it round its polygon, of those that lead into no dead
// end: a search that looks for an exit goes from one to the next and meets no wall.
void ployi_nav_exits(ploy_navmesh *mesh) {
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        int32_t next = -1, count = ployi_nav_count(p);
        for (int32_t k = 2 * count - 1; k >= 0; k--) { // twice, as the last ones need the first
            int32_t e = p->first + k % count, neighbour = mesh->edges[e].neighbour;
            mesh->edges[e].next = next >= 0 ? (int16_t)(next - e) : (int16_t)PLOYI_NAV_NO_NEXT;
            bool on = neighbour >= 0 && (mesh->polygons[neighbour].up < 0 || p->up == neighbour);
            if (on) next = e;
        }
    }
}

static int32_t navgraph_root(int32_t *parent, int32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void navgraph_unite(int32_t *parent, int32_t a, int32_t b) {
    a = navgraph_root(parent, a);
    b = navgraph_root(parent, b);
    parent[ploy_maxi(a, b)] = ploy_mini(a, b);
}

// Polygons that portals and links join, in whichever direction the links lead.
ploy_result ployi_nav_islands(ploy_navmesh *mesh, ploy_arena *scratch) {
    int32_t *parent = ploy_arena_alloc_array(scratch, mesh->stats.polygons, sizeof *parent);
    if (parent == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) parent[i] = i;
    for (int32_t i = 0; i < mesh->stats.polygons; i++) {
        const ployi_nav_polygon *p = &mesh->polygons[i];
        for (int32_t e = p->first; e < p[1].first; e++) {
            if (mesh->edges[e].neighbour >= 0) navgraph_unite(parent, i, mesh->edges[e].neighbour);
        }
    }
    for (int32_t i = 0; i < mesh->stats.links; i++) {
        navgraph_unite(parent, mesh->link_polygons[2 * i], mesh->link_polygons[2 * i + 1]);
    }
    for (int32_t i = 0; i < mesh->stats.polygons; i++) { // a root comes before its others
        int32_t root = navgraph_root(parent, i);
        mesh->polygons[i].island = root == i ? mesh->stats.islands++ : mesh->polygons[root].island;
    }
    return PLOY_OK;
}
