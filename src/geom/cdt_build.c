// Building a triangulation at once.
//
// Points go in one by one along a Hilbert curve, each found by a walk of a few steps from the last;
// that alone is fast, but for points on a curve it may flip the same edges over and over. So they
// go in four rounds, each eight times as large as the one before, a point's round drawn from its
// coordinates: the first rounds are a sample of the whole (Amenta, Choi and Rote, "Incremental
// constructions con BRIO", 2003).
#include "geom/cdt_internal.h"

#include "ploy/base/math.h"

#include <stdio.h>
#include <string.h>

enum {
    CDT_BUILD_ROUNDS = 4,
    CDT_BUILD_FEW_BITS = 10,    // of each axis, for up to CDT_BUILD_MANY points
    CDT_BUILD_MANY_BITS = 15,   // beyond
    CDT_BUILD_MANY = 1 << 18,   //
    CDT_BUILD_CELL = 16,        // most points of a cell that is left as it is
    CDT_BUILD_SMALL = 64,       // points that are sorted by insertion
    CDT_BUILD_DIGIT = 11,       // bits of a digit of the sort
    CDT_BUILD_DIGITS = 1 << 11, //
};

static void cdt_build_fault(ploy_diags *diags, const char *message) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "cdt", 0, 0, message, NULL, NULL);
}

// ---- the order of insertion ----

// The place of a cell on a Hilbert curve of that many bits an axis, two bits of each at a time. The
// curve of a quarter is turned: with x and y swapped, mirrored, or both. The table has a row for
// each of the four turns, and in it for each pair of two bits the place (the lower four bits) and
// the turn of the curve inside.
static uint32_t cdt_build_hilbert(uint32_t x, uint32_t y, int32_t bits) {
    static const uint8_t table[4][16] = {
        {0x00, 0x33, 0x14, 0x05, 0x11, 0x12, 0x27, 0x06, 0x2e, 0x2d, 0x18, 0x09, 0x0f, 0x3c, 0x2b,
         0x0a},
        {0x10, 0x01, 0x3e, 0x1f, 0x23, 0x02, 0x3d, 0x2c, 0x04, 0x37, 0x08, 0x3b, 0x15, 0x16, 0x19,
         0x1a},
        {0x2a, 0x29, 0x26, 0x25, 0x0b, 0x38, 0x07, 0x34, 0x1c, 0x0d, 0x32, 0x13, 0x2f, 0x0e, 0x31,
         0x20},
        {0x3a, 0x1b, 0x0c, 0x3f, 0x39, 0x28, 0x1d, 0x1e, 0x36, 0x17, 0x22, 0x21, 0x35, 0x24, 0x03,
         0x30},
    };
    // A leading bit of 0 swaps x and y; an odd number gets one, from a curve that is swapped.
    uint32_t at = 0, turn = bits % 2 == 0 ? 0 : 1;
    for (int32_t bit = (bits + 1) / 2 * 2 - 2; bit >= 0; bit -= 2) {
        uint32_t entry = table[turn][(x >> bit & 3u) << 2 | (y >> bit & 3u)];
        at = at << 4 | (entry & 15u);
        turn = entry >> 4;
    }
    return at;
}

// The round of a point: 3 for seven of eight, 2 for seven of eight of the rest ... By its
// coordinates, so that equal points go in together, the first of them first.
static uint32_t cdt_build_round(ploy_vec2 point) {
    uint32_t x, y;
    memcpy(&x, &point.x, sizeof x);
    memcpy(&y, &point.y, sizeof y);
    uint32_t mixed = (x * 0x9E3779B1u) ^ (y * 0x85EBCA77u);
    mixed = (mixed ^ mixed >> 15) * 0xC2B2AE3Du;
    mixed ^= mixed >> 13;
    uint32_t round = CDT_BUILD_ROUNDS - 1;
    while (round > 0 && (mixed & 7u) == 0) {
        mixed >>= 3;
        round--;
    }
    return round;
}

// Sorts by the upper half of each item, keeping the order of equal ones; `bits` of it are in use.
// The result lies in `items`.
static void cdt_build_sort(uint64_t *items, uint64_t *other, int32_t count, int32_t bits) {
    if (count <= CDT_BUILD_SMALL) { // by insertion: the digits' table costs more than that
        for (int32_t i = 1; i < count; i++) {
            uint64_t item = items[i];
            int32_t at = i;
            for (; at > 0 && items[at - 1] >> 32 > item >> 32; at--) items[at] = items[at - 1];
            items[at] = item;
        }
        return;
    }
    uint64_t *from = items, *to = other;
    for (int32_t shift = 32; shift < 32 + bits; shift += CDT_BUILD_DIGIT) {
        int32_t starts[CDT_BUILD_DIGITS] = {0};
        for (int32_t i = 0; i < count; i++) starts[from[i] >> shift & (CDT_BUILD_DIGITS - 1)]++;
        int32_t sum = 0;
        for (int32_t d = 0; d < CDT_BUILD_DIGITS; d++) {
            int32_t here = starts[d];
            starts[d] = sum;
            sum += here;
        }
        for (int32_t i = 0; i < count; i++) {
            to[starts[from[i] >> shift & (CDT_BUILD_DIGITS - 1)]++] = from[i];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, (size_t)count * sizeof *items);
}

// Sorts the points that `keys` names along a curve over the box around them. Where many lie in one
// cell (far outliers make all others do so), it is sorted by a separate curve; a cell has less
// than a thousandth of the box's width and height, so this ends soon even for sizes from 1e-38 to
// 1e38.
static void cdt_build_order(const ploy_vec2 *points, uint64_t *keys, uint64_t *other, int32_t count,
                            bool rounds) {
    ploy_vec2 min = points[(uint32_t)keys[0]], max = min;
    for (int32_t i = 1; i < count; i++) {
        ploy_vec2 point = points[(uint32_t)keys[i]];
        min.x = ploy_minf(min.x, point.x);
        min.y = ploy_minf(min.y, point.y);
        max.x = ploy_maxf(max.x, point.x);
        max.y = ploy_maxf(max.y, point.y);
    }
    double width = (double)max.x - (double)min.x, height = (double)max.y - (double)min.y;
    if (width == 0.0 && height == 0.0) return; // all the same
    int32_t bits = count > CDT_BUILD_MANY ? CDT_BUILD_MANY_BITS : CDT_BUILD_FEW_BITS;
    double cells = (double)(1 << bits);
    double x_scale = width > 0.0 ? cells / width : 0.0;
    double y_scale = height > 0.0 ? cells / height : 0.0;
    uint32_t most = (1u << bits) - 1u;
    for (int32_t i = 0; i < count; i++) {
        uint32_t index = (uint32_t)keys[i];
        uint32_t x = (uint32_t)(((double)points[index].x - (double)min.x) * x_scale);
        uint32_t y = (uint32_t)(((double)points[index].y - (double)min.y) * y_scale);
        uint32_t key = cdt_build_hilbert(x < most ? x : most, y < most ? y : most, bits);
        if (rounds) key |= cdt_build_round(points[index]) << (2 * bits);
        keys[i] = (uint64_t)key << 32 | index;
    }
    cdt_build_sort(keys, other, count, rounds ? 2 * bits + 2 : 2 * bits);
    for (int32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && keys[end] >> 32 == keys[first] >> 32;) end++;
        if (end - first > CDT_BUILD_CELL) {
            cdt_build_order(points, keys + first, other, end - first, false);
        }
    }
}

// ---- points ----

// Brings three points that are not on one line to the front of the order; the rest keeps its own.
// @return false if there are none.
static bool cdt_build_first(const ploy_vec2 *points, uint64_t *keys, int32_t count) {
    int32_t second = 1;
    ploy_vec2 a = points[(uint32_t)keys[0]];
    while (second < count && ployi_cdt_same(points[(uint32_t)keys[second]], a)) second++;
    if (second >= count) return false;
    ploy_vec2 b = points[(uint32_t)keys[second]];
    int32_t third = second + 1;
    while (third < count && ployi_orient2(a, b, points[(uint32_t)keys[third]]) == 0) third++;
    if (third >= count) return false;
    const int32_t places[2] = {second, third};
    for (int32_t k = 0; k < 2; k++) {
        uint64_t key = keys[places[k]];
        memmove(keys + k + 2, keys + k + 1, (size_t)(places[k] - k - 1) * sizeof *keys);
        keys[k + 1] = key;
    }
    return true;
}

// All on one line: only the equal ones are to be found.
static void cdt_build_line(ployi_cdt_mesh *mesh, int32_t count, int32_t *same) {
    int32_t *order = mesh->work;
    for (int32_t i = 0; i < count; i++) order[i] = i;
    ployi_cdt_sort(mesh->points, order, count);
    for (int32_t i = 0; i < count; i++) {
        bool equal = i > 0 && ployi_cdt_same(mesh->points[order[i - 1]], mesh->points[order[i]]);
        same[order[i]] = equal ? same[order[i - 1]] : order[i];
    }
}

// Joins all points. They lie in the order of insertion, so that neighbours in the plane are
// neighbours in memory, and their places are their numbers for now. same[k] becomes the first place
// whose point equals that of k.
// @param flat  all lie on one line.
static void cdt_build_points(ployi_cdt_mesh *mesh, int32_t count, bool flat, int32_t *same) {
    const ploy_vec2 *points = mesh->points;
    if (flat) {
        cdt_build_line(mesh, count, same);
        return;
    }
    for (int32_t k = 0; k < 3; k++) same[k] = k;
    bool left = ployi_orient2(points[0], points[1], points[2]) > 0;
    ployi_cdt_mesh_begin(mesh, 0, left ? 1 : 2, left ? 2 : 1);
    int32_t near = 0;
    for (int32_t k = 3; k < count; k++) {
        ploy_cdt_location at = ployi_cdt_walk(mesh, points[k], near);
        near = at.triangle;
        if (at.place == PLOY_CDT_ON_VERTEX) {
            same[k] = at.vertex;
            continue;
        }
        same[k] = k;
        ployi_cdt_mesh_join(mesh, k, at);
        near = mesh->vertices[k].triangle;
    }
}

// -0 becomes 0.
static ploy_vec2 cdt_build_clean(ploy_vec2 point) {
    return ploy_vec2_make(point.x + 0.0f, point.y + 0.0f);
}

// Gives the vertices their numbers, by the order of the input. inputs[i] becomes that of point i.
static void cdt_build_number(ployi_cdt_mesh *mesh, const ploy_vec2 *points, const uint64_t *keys,
                             int32_t count, int32_t *same, int32_t *inputs) {
    // Equal points go in in the order of the input, so the first place is the first point's.
    for (int32_t k = 0; k < count; k++) {
        inputs[(uint32_t)keys[k]] = (int32_t)(uint32_t)keys[same[k]];
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (inputs[i] != i) {
            inputs[i] = inputs[inputs[i]];
            continue;
        }
        ployi_cdt_vertex lone = {PLOYI_CDT_LONE, 0};
        mesh->points[kept] = cdt_build_clean(points[i]);
        mesh->vertices[kept] = lone;
        inputs[i] = kept++;
    }
    mesh->slots = mesh->alive = kept;
    for (int32_t k = 0; k < count; k++) same[k] = inputs[(uint32_t)keys[k]];
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        for (int32_t i = 0; i < 3; i++) {
            int32_t *corner = &mesh->triangles[t].corner[i];
            *corner = same[*corner];
            mesh->vertices[*corner].triangle = t;
        }
    }
}

// ---- constraints ----

// Says which of the earlier edges it is that one crosses.
static void cdt_build_crossing(const ployi_cdt_mesh *mesh, const ploy_cdt_edge *edges, int32_t edge,
                               ploy_cdt_edge crossed, ploy_diags *diags) {
    const int32_t *vertex = PLOY_ARRAY_ITEMS(&mesh->inputs, int32_t);
    int32_t other = 0;
    for (; other < edge; other++) {
        ploy_cdt_edge candidate = {vertex[edges[other].from], vertex[edges[other].to]};
        if (candidate.from != candidate.to && ployi_cdt_covers(mesh, candidate, crossed)) break;
    }
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message,
             "edge %d (from point %d to %d) crosses edge %d (from point %d to %d)", (int)edge,
             (int)edges[edge].from, (int)edges[edge].to, (int)other, (int)edges[other].from,
             (int)edges[other].to);
    cdt_build_fault(diags, message);
}

static ploy_result cdt_build_edges(ploy_cdt *cdt, ployi_cdt_mesh *mesh, const ploy_cdt_edge *edges,
                                   int32_t edge_count, ploy_diags *diags) {
    const int32_t *vertex = PLOY_ARRAY_ITEMS(&mesh->inputs, int32_t);
    ploy_result all = PLOY_OK;
    for (int32_t i = 0; i < edge_count; i++) {
        int32_t from = vertex[edges[i].from], to = vertex[edges[i].to];
        if (from == to) continue;
        ploy_cdt_edge crossed = {-1, -1};
        ploy_result result = ployi_cdt_add_edge(cdt, mesh, from, to, &crossed);
        if (result == PLOY_ERR_STATE) {
            cdt_build_crossing(mesh, edges, i, crossed, diags);
            all = PLOY_ERR_ARGUMENT; // and on, to report others
        } else if (result != PLOY_OK) {
            return result;
        }
    }
    return all;
}

// ---- all ----

static ploy_result cdt_build_check(const ploy_vec2 *points, int32_t count,
                                   const ploy_cdt_edge *edges, int32_t edge_count,
                                   ploy_diags *diags) {
    if (count < 0 || edge_count < 0) return PLOY_ERR_ARGUMENT;
    if ((count > 0 && points == NULL) || (edge_count > 0 && edges == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (count > PLOY_CDT_MAX || edge_count > PLOY_CDT_MAX) return PLOY_ERR_LIMIT;
    ploy_result result = PLOY_OK;
    char message[PLOY_DIAG_TEXT_MAX];
    for (int32_t i = 0; i < count; i++) {
        if (ploy_vec2_is_finite(points[i])) continue;
        snprintf(message, sizeof message, "point %d is not finite", (int)i);
        cdt_build_fault(diags, message);
        result = PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < edge_count; i++) {
        if (edges[i].from >= 0 && edges[i].from < count && edges[i].to >= 0 &&
            edges[i].to < count) {
            continue;
        }
        snprintf(message, sizeof message, "edge %d goes from point %d to %d, of %d points", (int)i,
                 (int)edges[i].from, (int)edges[i].to, (int)count);
        cdt_build_fault(diags, message);
        result = PLOY_ERR_ARGUMENT;
    }
    return result;
}

// Everything into the spare mesh, which is empty.
static ploy_result cdt_build_spare(ploy_cdt *cdt, const ploy_vec2 *points, int32_t count,
                                   const ploy_cdt_edge *edges, int32_t edge_count,
                                   ploy_diags *diags) {
    ployi_cdt_mesh *mesh = &cdt->spare;
    ploy_result result = ployi_cdt_mesh_reserve(mesh, count);
    if (result == PLOY_OK) result = ployi_cdt_hints_reserve(mesh, count);
    if (result == PLOY_OK) result = ploy_array_resize(&mesh->inputs, count);
    if (result == PLOY_OK && cdt->keys.count < 2 * count) {
        result = ploy_array_resize(&cdt->keys, 2 * count);
    }
    if (result == PLOY_OK && cdt->numbers.count < count) {
        result = ploy_array_resize(&cdt->numbers, count);
    }
    if (result == PLOY_OK) result = ploy_map_reserve(&mesh->edges, edge_count);
    if (result == PLOY_OK) result = ploy_map_reserve(&mesh->pieces, edge_count);
    if (result != PLOY_OK || count == 0) return result;
    uint64_t *keys = PLOY_ARRAY_ITEMS(&cdt->keys, uint64_t);
    int32_t *inputs = PLOY_ARRAY_ITEMS(&mesh->inputs, int32_t);
    int32_t *same = PLOY_ARRAY_ITEMS(&cdt->numbers, int32_t);
    for (int32_t i = 0; i < count; i++) {
        mesh->points[i] = cdt_build_clean(points[i]);
        keys[i] = (uint32_t)i;
    }
    cdt_build_order(mesh->points, keys, keys + count, count, true);
    bool flat = !cdt_build_first(mesh->points, keys, count);
    for (int32_t k = 0; k < count; k++) {
        mesh->points[k] = cdt_build_clean(points[(uint32_t)keys[k]]);
    }
    cdt_build_points(mesh, count, flat, same);
    cdt_build_number(mesh, points, keys, count, same, inputs);
    result = cdt_build_edges(cdt, mesh, edges, edge_count, diags);
    if (result == PLOY_OK) ployi_cdt_hints_make(mesh);
    return result;
}

// @param fill  NULL: every triangle is inside.
static ploy_result cdt_build_all(ploy_cdt *cdt, const ploy_vec2 *points, int32_t count,
                                 const ploy_cdt_edge *edges, int32_t edge_count,
                                 const ploy_fill *fill, ploy_diags *diags) {
    ploy_result result = cdt_build_check(points, count, edges, edge_count, diags);
    if (result != PLOY_OK) return result;
    ployi_cdt_mesh_clear(&cdt->spare);
    result = cdt_build_spare(cdt, points, count, edges, edge_count, diags);
    if (result == PLOY_OK && fill != NULL) result = ployi_cdt_fill(cdt, &cdt->spare, *fill);
    if (result == PLOY_OK) { // last, when nothing can fail any more
        ployi_cdt_mesh swap = cdt->mesh;
        cdt->mesh = cdt->spare;
        cdt->spare = swap;
    }
    ployi_cdt_mesh_clear(&cdt->spare);
    return result;
}

ploy_result ploy_cdt_build(ploy_cdt *cdt, const ploy_vec2 *points, int32_t count,
                           const ploy_cdt_edge *edges, int32_t edge_count, ploy_diags *diags) {
    return cdt_build_all(cdt, points, count, edges, edge_count, NULL, diags);
}

ploy_result ploy_cdt_build_rings(ploy_cdt *cdt, const ploy_rings *rings, ploy_fill fill,
                                 ploy_diags *diags) {
    if (fill != PLOY_FILL_EVEN_ODD && fill != PLOY_FILL_NON_ZERO) return PLOY_ERR_ARGUMENT;
    int32_t corners = ploy_rings_corners(rings);
    if (corners > PLOY_CDT_MAX) return PLOY_ERR_LIMIT;
    ploy_vec2 *points = NULL;
    ploy_cdt_edge *edges = NULL;
    size_t size = 0;
    if (!ploy_size_add_array(0, corners, sizeof *points + sizeof *edges, &size)) {
        return PLOY_ERR_MEMORY;
    }
    if (corners > 0) {
        points = ploy_env_alloc(&cdt->env, size);
        if (points == NULL) return PLOY_ERR_MEMORY;
        edges = (ploy_cdt_edge *)(void *)(points + corners);
    }
    int32_t count = 0;
    for (int32_t r = 0; r < ploy_rings_count(rings); r++) {
        ploy_polygon ring = ploy_rings_get(rings, r);
        for (int32_t i = 0; i < ring.count; i++) {
            ploy_cdt_edge edge = {count + i, i + 1 < ring.count ? count + i + 1 : count};
            points[count + i] = ring.points[i];
            edges[count + i] = edge;
        }
        count += ring.count;
    }
    ploy_result result = cdt_build_all(cdt, points, corners, edges, corners, &fill, diags);
    ploy_env_free(&cdt->env, points, size);
    return result;
}
