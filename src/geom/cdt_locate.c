// Where a point is: a walk from triangle to triangle, and a grid of vertices to start it from.
//
// The walk goes over an edge that has the point on its far side (Devillers, Pion and Teillaud,
// "Walking in a triangulation", 2001). Which of two such edges is drawn from the walk's own small
// sequence, the same each time: with constraints a fixed order could go round in a circle forever.
#include "geom/cdt_internal.h"

#include "ploy/base/math.h"

// Vertices a cell of the hints has on average.
#define CDT_LOCATE_CELL 2

// What a point lies on that no edge of a triangle has on its far side.
static ploy_cdt_location cdt_locate_within(const ployi_cdt_mesh *mesh, int32_t triangle,
                                           const int32_t turn[3]) {
    ploy_cdt_location at = {PLOY_CDT_IN_TRIANGLE, triangle, 0, -1};
    int32_t zeros = (turn[0] == 0) + (turn[1] == 0) + (turn[2] == 0);
    if (zeros == 0) return at;
    const ploy_cdt_triangle *t = &mesh->triangles[triangle];
    if (zeros == 1) {
        int32_t edge = turn[0] == 0 ? 0 : turn[1] == 0 ? 1 : 2, beyond = t->neighbour[edge];
        at.place = PLOY_CDT_ON_EDGE;
        at.index = edge;
        if (beyond >= 0 && beyond < triangle) { // the lower number, whichever path the walk took
            at.triangle = beyond;
            at.index = ployi_cdt_side(&mesh->triangles[beyond], triangle);
        }
        return at;
    }
    int32_t corner = turn[0] != 0 ? 0 : turn[1] != 0 ? 1 : 2;
    at.place = PLOY_CDT_ON_VERTEX;
    at.vertex = t->corner[corner];
    at.triangle = mesh->vertices[at.vertex].triangle;
    at.index = ployi_cdt_corner(&mesh->triangles[at.triangle], at.vertex);
    return at;
}

static inline int32_t cdt_locate_turn(const ployi_cdt_mesh *mesh, const ploy_cdt_triangle *t,
                                      int32_t edge, ploy_vec2 point) {
    return ployi_orient2(mesh->points[t->corner[ployi_cdt_after(edge)]],
                         mesh->points[t->corner[ployi_cdt_before(edge)]], point);
}

// Every triangle in turn: the end of a walk that took longer than any should.
static ploy_cdt_location cdt_locate_scan(const ployi_cdt_mesh *mesh, ploy_vec2 point) {
    ploy_cdt_location outside = {PLOY_CDT_OUTSIDE, -1, 0, -1};
    for (int32_t index = 0; index < mesh->triangle_count; index++) {
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        int32_t turn[3];
        for (int32_t i = 0; i < 3; i++) {
            turn[i] = cdt_locate_turn(mesh, t, i, point);
            if (turn[i] < 0 && t->neighbour[i] < 0 && outside.triangle < 0) {
                outside.triangle = index;
                outside.index = i;
            }
        }
        if (turn[0] >= 0 && turn[1] >= 0 && turn[2] >= 0) {
            return cdt_locate_within(mesh, index, turn);
        }
    }
    return outside;
}

ploy_cdt_location ployi_cdt_walk(const ployi_cdt_mesh *mesh, ploy_vec2 point, int32_t triangle) {
    int32_t from = -1;
    uint32_t draw = 1;
    int64_t most = 8 * (int64_t)mesh->triangle_count + 64;
    for (int64_t step = 0; step < most; step++) {
        const ploy_cdt_triangle *t = &mesh->triangles[triangle];
        draw = draw * 1664525u + 1013904223u;
        int32_t edge = (int32_t)((draw >> 16) % 3u);
        int32_t turn[3] = {1, 1, 1}, over = -1;
        if (from < 0) {
            for (int32_t k = 0; k < 3 && over < 0; k++, edge = ployi_cdt_after(edge)) {
                turn[edge] = cdt_locate_turn(mesh, t, edge, point);
                if (turn[edge] < 0) over = edge;
            }
        } else {
            // The point lies on this side of the edge that the walk came over: two are left, in
            // the order from the drawn one on.
            int32_t last = (t->neighbour[1] == from) + 2 * (t->neighbour[2] == from);
            int32_t one = ployi_cdt_after(last), two = ployi_cdt_before(last);
            int32_t swap = (one ^ two) & -(int32_t)(edge == two);
            one ^= swap;
            two ^= swap;
            turn[one] = cdt_locate_turn(mesh, t, one, point);
            if (turn[one] < 0) {
                over = one;
            } else {
                turn[two] = cdt_locate_turn(mesh, t, two, point);
                if (turn[two] < 0) over = two;
            }
        }
        if (over < 0) return cdt_locate_within(mesh, triangle, turn);
        if (t->neighbour[over] < 0) {
            ploy_cdt_location at = {PLOY_CDT_OUTSIDE, triangle, over, -1};
            return at;
        }
        from = triangle;
        triangle = t->neighbour[over];
    }
    return cdt_locate_scan(mesh, point);
}

// ---- the hints ----

static int32_t cdt_locate_cells(int32_t vertices) {
    return vertices / CDT_LOCATE_CELL + 1;
}

ploy_result ployi_cdt_hints_reserve(ployi_cdt_mesh *mesh, int32_t vertices) {
    ployi_cdt_hints *hints = &mesh->hints;
    int32_t cells = cdt_locate_cells(vertices);
    if (cells <= hints->capacity) return PLOY_OK;
    size_t size = 0;
    if (!ploy_size_add_array(0, cells, sizeof(int32_t), &size)) return PLOY_ERR_MEMORY;
    int32_t *grown =
        ploy_env_resize(&mesh->env, hints->cells, (size_t)hints->capacity * sizeof(int32_t), size);
    if (grown == NULL) return PLOY_ERR_MEMORY;
    hints->cells = grown;
    hints->capacity = cells;
    return PLOY_OK;
}

// Which of `count` stripes; those beyond the ends count as in the last.
static inline int32_t cdt_locate_stripe(double at, int32_t count) {
    if (!(at > 0.0)) return 0;
    return at < (double)count ? (int32_t)at : count - 1;
}

static inline int32_t cdt_locate_cell(const ployi_cdt_hints *hints, ploy_vec2 point) {
    int32_t column =
        cdt_locate_stripe(((double)point.x - hints->x) * hints->x_scale, hints->columns);
    int32_t row = cdt_locate_stripe(((double)point.y - hints->y) * hints->y_scale, hints->rows);
    return row * hints->columns + column;
}

void ployi_cdt_hints_make(ployi_cdt_mesh *mesh) {
    ployi_cdt_hints *hints = &mesh->hints;
    hints->made_for = mesh->alive;
    hints->columns = hints->rows = 0;
    if (mesh->triangle_count == 0) return;
    ploy_vec2 min = {FLT_MAX, FLT_MAX}, max = {-FLT_MAX, -FLT_MAX};
    for (int32_t v = 0; v < mesh->slots; v++) {
        if (mesh->vertices[v].triangle < 0) continue;
        min.x = ploy_minf(min.x, mesh->points[v].x);
        min.y = ploy_minf(min.y, mesh->points[v].y);
        max.x = ploy_maxf(max.x, mesh->points[v].x);
        max.y = ploy_maxf(max.y, mesh->points[v].y);
    }
    // There are triangles, so neither side is 0. Cells are square where that fits the number.
    double width = (double)max.x - (double)min.x, height = (double)max.y - (double)min.y;
    int32_t cells = cdt_locate_cells(mesh->alive);
    if (cells > hints->capacity) cells = hints->capacity;
    double columns = sqrt((double)cells * (width / height));
    hints->columns = columns < 1.0 ? 1 : columns > (double)cells ? cells : (int32_t)columns;
    hints->rows = cells / hints->columns;
    hints->x = (double)min.x;
    hints->y = (double)min.y;
    hints->x_scale = (double)hints->columns / width;
    hints->y_scale = (double)hints->rows / height;
    int32_t used = hints->columns * hints->rows;
    for (int32_t i = 0; i < used; i++) hints->cells[i] = -1;
    int32_t some = -1;
    for (int32_t v = 0; v < mesh->slots; v++) {
        if (mesh->vertices[v].triangle < 0) continue;
        some = v;
        hints->cells[cdt_locate_cell(hints, mesh->points[v])] = v;
    }
    for (int32_t i = 0; i < used; i++) { // an empty cell takes the one before it
        if (hints->cells[i] < 0) hints->cells[i] = some;
        some = hints->cells[i];
    }
}

void ployi_cdt_hints_set(ployi_cdt_mesh *mesh, int32_t vertex) {
    if (mesh->alive > 2 * mesh->hints.made_for || mesh->hints.columns == 0) {
        ployi_cdt_hints_make(mesh);
        return;
    }
    mesh->hints.cells[cdt_locate_cell(&mesh->hints, mesh->points[vertex])] = vertex;
}

void ployi_cdt_hints_replace(ployi_cdt_mesh *mesh, int32_t vertex, int32_t other) {
    if (mesh->hints.columns == 0) return;
    int32_t *cell = &mesh->hints.cells[cdt_locate_cell(&mesh->hints, mesh->points[vertex])];
    if (*cell == vertex) *cell = other;
}

// A triangle near the point. A vertex that the hints still name may be gone, or its number may
// belong to another one far away: that costs steps, no more.
static int32_t cdt_locate_start(const ployi_cdt_mesh *mesh, ploy_vec2 point) {
    if (mesh->hints.columns == 0) return 0;
    int32_t vertex = mesh->hints.cells[cdt_locate_cell(&mesh->hints, point)];
    int32_t triangle = vertex < mesh->slots ? mesh->vertices[vertex].triangle : -1;
    return triangle < 0 ? 0 : triangle;
}

ploy_cdt_location ployi_cdt_locate(const ployi_cdt_mesh *mesh, ploy_vec2 point, int32_t hint) {
    ploy_cdt_location nowhere = {PLOY_CDT_OUTSIDE, -1, 0, -1};
    if (!ploy_vec2_is_finite(point)) return nowhere;
    if (mesh->triangle_count == 0) {
        for (int32_t v = 0; v < mesh->slots; v++) {
            if (mesh->vertices[v].triangle == PLOYI_CDT_GONE) continue;
            if (!ployi_cdt_same(mesh->points[v], point)) continue;
            nowhere.place = PLOY_CDT_ON_VERTEX;
            nowhere.vertex = v;
            return nowhere;
        }
        return nowhere;
    }
    bool hinted = hint >= 0 && hint < mesh->triangle_count;
    return ployi_cdt_walk(mesh, point, hinted ? hint : cdt_locate_start(mesh, point));
}

ploy_cdt_location ploy_cdt_locate(const ploy_cdt *cdt, ploy_vec2 point, int32_t hint) {
    return ployi_cdt_locate(&cdt->mesh, point, hint);
}

#undef CDT_LOCATE_CELL
