// Outlines of cells and of meshes; see the header.
//
// Cells: each side between a cell of the area and one that is not is an edge with the area to its
// left. Every corner of the map keeps four bits, the directions of the edges that begin there. At
// most two begin at one corner, where two cells touch diagonally; turning left stays with the cell
// whose side was walked, so that such cells have separate rings.
//
//          3 . . 2        bits: 0 along +x, 1 along +y, 2 along -x, 3 along -y
//          |  #  |        low: not walked yet; high: all that begin here
//          0 . . 1
//
// Meshes: from a wall the next one is found by turning round its end, edge by edge.
#include "ploy/path/outlines.h"

#include <string.h>

#include "ploy/base/array.h"

typedef struct outline_corners {
    const ploy_tiles *tiles;
    int32_t width, height; // cells
    bool passable;         // of the area's cells
    unsigned char *bits;   // (width + 1) x (height + 1)
    ploy_array points;     // of the ring under way
} outline_corners;

static const int32_t outline_dx[4] = {1, 0, -1, 0};
static const int32_t outline_dy[4] = {0, 1, 0, -1};

static bool outline_inside(const outline_corners *c, int32_t x, int32_t y) {
    if (x < 0 || y < 0 || x >= c->width || y >= c->height) return false;
    return ploy_tiles_passable(c->tiles, y * c->width + x) == c->passable;
}

static unsigned char *outline_bits(const outline_corners *c, int32_t x, int32_t y) {
    return &c->bits[(size_t)y * ((size_t)c->width + 1) + (size_t)x];
}

static void outline_mark(const outline_corners *c) {
    memset(c->bits, 0, ((size_t)c->width + 1) * ((size_t)c->height + 1));
    for (int32_t y = 0; y < c->height; y++) {
        for (int32_t x = 0; x < c->width; x++) {
            if (!outline_inside(c, x, y)) continue;
            if (!outline_inside(c, x, y - 1)) *outline_bits(c, x, y) |= 0x11;
            if (!outline_inside(c, x + 1, y)) *outline_bits(c, x + 1, y) |= 0x22;
            if (!outline_inside(c, x, y + 1)) *outline_bits(c, x + 1, y + 1) |= 0x44;
            if (!outline_inside(c, x - 1, y)) *outline_bits(c, x, y + 1) |= 0x88;
        }
    }
}

// The direction that goes on from a corner which was reached in that direction.
static int32_t outline_turn(unsigned char bits, int32_t direction) {
    unsigned all = bits >> 4u;
    int32_t left = (direction + 1) & 3;
    if ((all & (1u << left)) != 0) return left;
    return (all & (1u << direction)) != 0 ? direction : (direction + 3) & 3;
}

static ploy_result outline_ring(outline_corners *c, int32_t x, int32_t y, int32_t direction,
                                ploy_rings *out) {
    ploy_tiles_def def = ploy_tiles_def_of(c->tiles);
    int32_t from_x = x, from_y = y, first = direction;
    c->points.count = 0;
    for (;;) {
        unsigned char *bits = outline_bits(c, x, y);
        *bits = (unsigned char)(*bits & ~(1u << direction));
        x += outline_dx[direction];
        y += outline_dy[direction];
        int32_t next = outline_turn(*outline_bits(c, x, y), direction);
        if (next != direction) {
            ploy_vec2 point = {def.origin.x + def.size * (float)x,
                               def.origin.y + def.size * (float)y};
            ploy_result result = ploy_array_push(&c->points, &point);
            if (result != PLOY_OK) return result;
        }
        if (x == from_x && y == from_y && next == first) break;
        direction = next;
    }
    return ploy_rings_add(out, PLOY_ARRAY_AT(&c->points, ploy_vec2, 0), c->points.count);
}

static ploy_result outline_cells(outline_corners *c, bool passable, ploy_rings *out) {
    if (out == NULL) return PLOY_OK;
    c->passable = passable;
    outline_mark(c);
    for (int32_t y = 0; y <= c->height; y++) {
        for (int32_t x = 0; x <= c->width; x++) {
            for (int32_t direction = 0; direction < 4; direction++) {
                if ((*outline_bits(c, x, y) & (1u << direction)) == 0) continue;
                ploy_result result = outline_ring(c, x, y, direction, out);
                if (result != PLOY_OK) return result;
            }
        }
    }
    return PLOY_OK;
}

ploy_result ploy_rings_from_tiles(const ploy_tiles *tiles, const ploy_env *env, ploy_rings *walls,
                                  ploy_rings *floor) {
    if (tiles == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (ploy_tiles_def_of(tiles).neighbours == PLOY_TILE_HEX) return PLOY_ERR_UNSUPPORTED;
    outline_corners c;
    memset(&c, 0, sizeof c);
    c.tiles = tiles;
    c.width = ploy_tiles_width(tiles);
    c.height = ploy_tiles_height(tiles);
    size_t size = ((size_t)c.width + 1) * ((size_t)c.height + 1);
    c.bits = ploy_env_alloc(env, size);
    if (c.bits == NULL) return PLOY_ERR_MEMORY;
    ploy_array_init(&c.points, sizeof(ploy_vec2), env);
    ploy_result result = outline_cells(&c, false, walls);
    if (result == PLOY_OK) result = outline_cells(&c, true, floor);
    ploy_array_fini(&c.points);
    ploy_env_free(env, c.bits, size);
    return result;
}

// ---- meshes

// The edge after one of the same polygon.
static int32_t outline_after(const ploy_navmesh *mesh, int32_t polygon, int32_t edge) {
    ploy_navmesh_polygon p = ploy_navmesh_polygon_at(mesh, polygon);
    return edge + 1 < p.first + p.count ? edge + 1 : p.first;
}

// The wall that begins where a wall ends; *polygon moves along.
static int32_t outline_next_wall(const ploy_navmesh *mesh, int32_t *polygon, int32_t edge) {
    edge = outline_after(mesh, *polygon, edge);
    for (;;) {
        ploy_navmesh_edge e = ploy_navmesh_edge_at(mesh, edge);
        if (e.neighbour < 0) return edge;
        *polygon = e.neighbour;
        edge = outline_after(mesh, *polygon, e.twin);
    }
}

static bool outline_straight(ploy_vec2 a, ploy_vec2 b, ploy_vec2 c) {
    ploy_vec2 ab = ploy_vec2_sub(b, a), bc = ploy_vec2_sub(c, b);
    return ploy_vec2_cross(ab, bc) == 0.0f && ploy_vec2_dot(ab, bc) > 0.0f;
}

static ploy_result outline_rim(const ploy_navmesh *mesh, int32_t polygon, int32_t edge,
                               unsigned char *walked, ploy_array *points, ploy_rings *walls,
                               ploy_rings *floor) {
    points->count = 0;
    while (walked[edge] == 0) {
        walked[edge] = 1;
        int32_t next = outline_next_wall(mesh, &polygon, edge);
        ploy_navmesh_edge here = ploy_navmesh_edge_at(mesh, edge);
        ploy_navmesh_edge then = ploy_navmesh_edge_at(mesh, next);
        ploy_vec2 a = ploy_vec2_from_vec3(here.from), b = ploy_vec2_from_vec3(here.to);
        if (!outline_straight(a, b, ploy_vec2_from_vec3(then.to))) {
            ploy_result result = ploy_array_push(points, &b);
            if (result != PLOY_OK) return result;
        }
        edge = next;
    }
    if (points->count < 3) return PLOY_OK;
    const ploy_vec2 *corners = PLOY_ARRAY_AT(points, ploy_vec2, 0);
    ploy_result result = floor != NULL ? ploy_rings_add(floor, corners, points->count) : PLOY_OK;
    if (result != PLOY_OK || walls == NULL) return result;
    return ploy_rings_add_reversed(walls, corners, points->count);
}

ploy_result ploy_rings_from_navmesh(const ploy_navmesh *mesh, const ploy_env *env,
                                    ploy_rings *walls, ploy_rings *floor) {
    if (mesh == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    if (stats.edges == 0) return PLOY_OK;
    unsigned char *walked = ploy_env_alloc_zero(env, (size_t)stats.edges);
    if (walked == NULL) return PLOY_ERR_MEMORY;
    ploy_array points;
    ploy_array_init(&points, sizeof(ploy_vec2), env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < stats.polygons && result == PLOY_OK; i++) {
        ploy_navmesh_polygon p = ploy_navmesh_polygon_at(mesh, i);
        for (int32_t k = p.first; k < p.first + p.count && result == PLOY_OK; k++) {
            if (walked[k] != 0 || ploy_navmesh_edge_at(mesh, k).neighbour >= 0) continue;
            result = outline_rim(mesh, i, k, walked, &points, walls, floor);
        }
    }
    ploy_array_fini(&points);
    ploy_env_free(env, walked, (size_t)stats.edges);
    return result;
}
