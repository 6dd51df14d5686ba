// Boolean operations on rings.
//
//   1. Corners are rounded to the lattice (24 bits and a sign, in units of a power of two).
//   2. Hot points are all corners and all crossings, rounded. Every edge that passes the pixel of a
//      hot point (half a step around it; left and lower side included, the others not) is led
//      through that point. Hobby's theorem: what comes out meets in end points only.
//   3. Pieces that lie on one another are joined; each knows how often a's rings, and b's, run
//      along it, and so the windings differ from its one side to its other.
//   4. The windings beside one piece are counted along a ray from its middle, and carried round the
//      ends of pieces to all that hang together with it. A piece is part of the result's outline if
//      one side is in the result and the other not.
//   5. Outline pieces are walked along, the inside to the left, into rings.
//
// Lattice coordinates are at most 2^24, differences 2^25, and products of two (doubled, for middles
// and the pixels' corners) stay below 2^55: int64_t never overflows.
#include "ploy/geom/boolean.h"

#include "geom/geom_internal.h"

#include "geom/boolean_internal.h"
#include "geom/lattice_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/simplify.h"

#include <string.h>

#define BOOLEAN_MOST_CROSSINGS (1 << 30)

// An edge of the input, from the lesser to the greater end (by x, then y). The weight is +1 if a
// ring runs that way, -1 if the other; in [0] for a's rings, in [1] for b's.
typedef struct boolean_edge {
    ployi_lattice_point from, to;
    int32_t weight[2];
} boolean_edge;

// A piece between two hot points, from the lesser to the greater: indexes into the sorted points.
typedef struct boolean_piece {
    int32_t from, to;
    int32_t weight[2];
} boolean_piece;

typedef struct boolean_work {
    ploy_arena *scratch;
    ploy_fill fill[2]; // of a's rings and of b's
    double unit;       // m, the lattice's step: a power of two
    boolean_edge *edges;
    int32_t edge_count;
    ployi_lattice_point *points; // hot, sorted by x, then y, no two the same
    int32_t point_count;
    boolean_piece *pieces;
    int32_t piece_count;
    int32_t *out_from, *out_to; // outline pieces by out_from, the inside to the left
    int32_t out_count;
} boolean_work;

static bool boolean_sort(const boolean_work *work, void *items, int32_t count, size_t size,
                         ployi_order_fn order) {
    return ployi_lattice_sort(items, count, size, order, work->scratch);
}

static int32_t boolean_order_points(const void *a, const void *b) {
    return ployi_lattice_compare(*(const ployi_lattice_point *)a, *(const ployi_lattice_point *)b);
}

static int32_t boolean_order_edges(const void *a, const void *b) {
    const boolean_edge *e = a, *f = b;
    int32_t order = ployi_lattice_compare(e->from, f->from);
    return order != 0 ? order : ployi_lattice_compare(e->to, f->to);
}

static int32_t boolean_order_pieces(const void *a, const void *b) {
    const boolean_piece *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    return p->to < q->to ? -1 : p->to > q->to;
}

// ---- 1: the lattice ----

static double boolean_largest(ployi_areas areas, double largest) {
    for (int32_t i = 0; i < areas.count; i++) {
        ploy_polygon ring = areas.rings[i];
        for (int32_t k = 0; k < ring.count; k++) {
            double x = fabs((double)ring.points[k].x), y = fabs((double)ring.points[k].y);
            largest = x > largest ? x : largest;
            largest = y > largest ? y : largest;
        }
    }
    return largest;
}

static ployi_lattice_point boolean_round(const boolean_work *work, ploy_vec2 v) {
    // Dividing by a power of two is exact.
    ployi_lattice_point point = {(int32_t)floor((double)v.x / work->unit + 0.5),
                                 (int32_t)floor((double)v.y / work->unit + 0.5)};
    return point;
}

static void boolean_read(boolean_work *work, ployi_areas areas, int32_t side) {
    for (int32_t i = 0; i < areas.count; i++) {
        ploy_polygon ring = areas.rings[i];
        for (int32_t k = 0; k < ring.count; k++) {
            ploy_segment2 segment = ploy_polygon_edge(ring, k);
            ployi_lattice_point from = boolean_round(work, segment.from);
            ployi_lattice_point to = boolean_round(work, segment.to);
            int32_t order = ployi_lattice_compare(from, to);
            if (order == 0) continue;
            boolean_edge edge = {order < 0 ? from : to, order < 0 ? to : from, {0, 0}};
            edge.weight[side] = order < 0 ? 1 : -1;
            work->edges[work->edge_count++] = edge;
        }
    }
}

// Joins items that compare equal and drops those whose weights cancel. Edges of the input that lie
// on one another need no crossing and no separate piece.
static ploy_result boolean_join_edges(boolean_work *work) {
    if (!boolean_sort(work, work->edges, work->edge_count, sizeof *work->edges,
                      boolean_order_edges)) {
        return PLOY_ERR_MEMORY;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < work->edge_count;) {
        boolean_edge edge = work->edges[i++];
        while (i < work->edge_count && boolean_order_edges(&edge, &work->edges[i]) == 0) {
            edge.weight[0] += work->edges[i].weight[0];
            edge.weight[1] += work->edges[i].weight[1];
            i++;
        }
        if (edge.weight[0] != 0 || edge.weight[1] != 0) work->edges[kept++] = edge;
    }
    work->edge_count = kept;
    return PLOY_OK;
}

// ---- 2: hot points ----

static bool boolean_crosses(const boolean_edge *e, const boolean_edge *f) {
    int32_t e_low = ploy_mini(e->from.y, e->to.y), e_high = ploy_maxi(e->from.y, e->to.y);
    int32_t f_low = ploy_mini(f->from.y, f->to.y), f_high = ploy_maxi(f->from.y, f->to.y);
    if (e_high < f_low || f_high < e_low) return false;
    int64_t a = ployi_lattice_cross(e->from, e->to, f->from),
            b = ployi_lattice_cross(e->from, e->to, f->to);
    if (!((a < 0 && b > 0) || (a > 0 && b < 0))) return false;
    int64_t c = ployi_lattice_cross(f->from, f->to, e->from),
            d = ployi_lattice_cross(f->from, f->to, e->to);
    return (c < 0 && d > 0) || (c > 0 && d < 0);
}

// floor(span * over / under + 1/2) for under > 0. The product may need 77 bits; the quotient in
// double is off by less than one, and what remains of a near quotient fits 64 bits, so it may be
// computed modulo 2^64.
static int32_t boolean_share(int64_t span, int64_t over, int64_t under) {
    int64_t share = (int64_t)floor((double)span * ((double)over / (double)under) + 0.5);
    for (;;) {
        uint64_t rest_bits = (uint64_t)span * (uint64_t)over - (uint64_t)share * (uint64_t)under;
        int64_t rest = rest_bits <= INT64_MAX ? (int64_t)rest_bits : -(int64_t)(~rest_bits) - 1;
        if (2 * rest < -under) {
            share--;
        } else if (2 * rest >= under) {
            share++;
        } else {
            return (int32_t)share;
        }
    }
}

static ployi_lattice_point boolean_crossing(const boolean_edge *e, const boolean_edge *f) {
    int64_t x = (int64_t)e->to.x - e->from.x, y = (int64_t)e->to.y - e->from.y;
    int64_t over = ployi_lattice_cross(f->from, f->to, e->from);
    int64_t under = over - ployi_lattice_cross(f->from, f->to, e->to);
    if (under < 0) {
        over = -over;
        under = -under;
    }
    ployi_lattice_point point = {e->from.x + boolean_share(x, over, under),
                                 e->from.y + boolean_share(y, over, under)};
    return point;
}

// Makes room for one more item behind count, in scratch memory: by doubling, the old block left.
// @return the items' place, NULL if memory is short.
static void *boolean_grow(const boolean_work *work, void *items, int32_t count, int32_t *capacity,
                          size_t size) {
    if (count < *capacity) return items;
    int64_t more = *capacity < PLOY_CAPACITY(64) ? PLOY_CAPACITY(64) : 2 * (int64_t)*capacity;
    if (more > INT32_MAX) more = INT32_MAX;
    void *grown = ploy_arena_alloc_array(work->scratch, more, size);
    if (grown == NULL) return NULL;
    if (count > 0) memcpy(grown, items, (size_t)count * size);
    *capacity = (int32_t)more;
    return grown;
}

// All crossings of edges, each pair once, behind the points that are there.
static ploy_result boolean_crossings(boolean_work *work, int32_t *capacity) {
    ployi_lattice_box *boxes =
        ploy_arena_alloc_array(work->scratch, work->edge_count, sizeof *boxes);
    if (boxes == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < work->edge_count; i++) {
        boxes[i] = ployi_lattice_box_of(work->edges[i].from, work->edges[i].to);
    }
    ployi_lattice_tree tree;
    if (!ployi_lattice_tree_build(&tree, boxes, work->edge_count, work->scratch)) {
        return PLOY_ERR_MEMORY;
    }
    int32_t first = work->point_count;
    for (int32_t i = 0; i < work->edge_count; i++) {
        const boolean_edge *e = &work->edges[i];
        ployi_lattice_walk walk;
        ployi_lattice_walk_along(&walk, &tree, e->from, e->to);
        for (int32_t k; (k = ployi_lattice_walk_next(&walk)) >= 0;) {
            if (k <= i || !boolean_crosses(e, &work->edges[k])) continue;
            if (work->point_count - first >= BOOLEAN_MOST_CROSSINGS) return PLOY_ERR_LIMIT;
            ployi_lattice_point *points =
                boolean_grow(work, work->points, work->point_count, capacity, sizeof *work->points);
            if (points == NULL) return PLOY_ERR_MEMORY;
            work->points = points;
            work->points[work->point_count++] = boolean_crossing(e, &work->edges[k]);
        }
    }
    return PLOY_OK;
}

static ploy_result boolean_heat(boolean_work *work) {
    // As many crossings as edges before it grows.
    int64_t most = 3 * (int64_t)work->edge_count;
    if (most > BOOLEAN_MOST_CROSSINGS) return PLOY_ERR_LIMIT;
    int32_t capacity = (int32_t)most;
    work->points = ploy_arena_alloc_array(work->scratch, most, sizeof *work->points);
    if (work->points == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < work->edge_count; i++) {
        work->points[work->point_count++] = work->edges[i].from;
        work->points[work->point_count++] = work->edges[i].to;
    }
    ploy_result result = boolean_crossings(work, &capacity);
    if (result != PLOY_OK) return result;
    int32_t count = work->point_count;
    if (!boolean_sort(work, work->points, count, sizeof *work->points, boolean_order_points))
        return PLOY_ERR_MEMORY;
    work->point_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (i > 0 && ployi_lattice_compare(work->points[i], work->points[i - 1]) == 0) continue;
        work->points[work->point_count++] = work->points[i];
    }
    return PLOY_OK;
}

// Whether an edge passes the pixel of a point whose x is within the edge's. Corners of pixels lie
// between lattice lines, so all is doubled; there the edge's box and the pixel never just touch.
static bool boolean_passes(const boolean_edge *e, ployi_lattice_point p) {
    int32_t low = ploy_mini(e->from.y, e->to.y), high = ploy_maxi(e->from.y, e->to.y);
    if (p.y < low || p.y > high) return false;
    int64_t x = (int64_t)e->to.x - e->from.x, y = (int64_t)e->to.y - e->from.y;
    int64_t middle = 2 * ployi_lattice_cross(e->from, e->to, p);
    // The side of each corner: of the middle, plus or minus half a step along both axes.
    int64_t lower_left = middle - x + y, upper_right = middle + x - y;
    int64_t upper_left = middle + x + y, lower_right = middle - x - y;
    bool left = lower_left > 0 || upper_right > 0 || upper_left > 0 || lower_right > 0;
    bool right = lower_left < 0 || upper_right < 0 || upper_left < 0 || lower_right < 0;
    if (left && right) return true;
    // In bare touch of a corner: only the lower left one belongs to the pixel.
    return lower_left == 0 && e->from.x < p.x && low < p.y;
}

static int32_t boolean_order_numbers(const void *a, const void *b) {
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return p < q ? -1 : p > q;
}

// The hot points that an edge is led through, in its order. An edge goes up or down steadily, so
// they are in the order of the points, but that of a falling edge's columns is turned round.
// @return how many, -1 if memory is short.
static int32_t boolean_path(const boolean_work *work, const ployi_lattice_tree *tree,
                            const boolean_edge *e, int32_t *out) {
    int32_t count = 0;
    ployi_lattice_walk walk;
    ployi_lattice_walk_along(&walk, tree, e->from, e->to);
    for (int32_t i; (i = ployi_lattice_walk_next(&walk)) >= 0;) {
        if (boolean_passes(e, work->points[i])) out[count++] = i;
    }
    if (!boolean_sort(work, out, count, sizeof *out, boolean_order_numbers)) return -1;
    for (int32_t i = 0, end; i < count && e->to.y < e->from.y; i = end) {
        for (end = i + 1; end < count && work->points[out[end]].x == work->points[out[i]].x;) end++;
        for (int32_t low = i, high = end - 1; low < high; low++, high--) {
            int32_t swap = out[low];
            out[low] = out[high];
            out[high] = swap;
        }
    }
    return count;
}

// ---- 3: pieces ----

static ploy_result boolean_cut(boolean_work *work) {
    int32_t *path = ploy_arena_alloc_array(work->scratch, work->point_count, sizeof *path);
    ployi_lattice_box *boxes =
        ploy_arena_alloc_array(work->scratch, work->point_count, sizeof *boxes);
    if (path == NULL || boxes == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < work->point_count; i++) {
        boxes[i] = ployi_lattice_box_of(work->points[i], work->points[i]);
    }
    ployi_lattice_tree tree;
    if (!ployi_lattice_tree_build(&tree, boxes, work->point_count, work->scratch)) {
        return PLOY_ERR_MEMORY;
    }
    int32_t made = 0, capacity = 0;
    for (int32_t i = 0; i < work->edge_count; i++) {
        const boolean_edge *e = &work->edges[i];
        int32_t count = boolean_path(work, &tree, e, path);
        if (count < 0) return PLOY_ERR_MEMORY;
        for (int32_t k = 0; k + 1 < count; k++) {
            bool back = path[k] > path[k + 1]; // straight down, on the way of a falling edge
            boolean_piece piece = {
                path[back ? k + 1 : k],
                path[back ? k : k + 1],
                {back ? -e->weight[0] : e->weight[0], back ? -e->weight[1] : e->weight[1]}};
            if (made == INT32_MAX) return PLOY_ERR_LIMIT;
            boolean_piece *pieces =
                boolean_grow(work, work->pieces, made, &capacity, sizeof *work->pieces);
            if (pieces == NULL) return PLOY_ERR_MEMORY;
            work->pieces = pieces;
            work->pieces[made++] = piece;
        }
    }
    if (!boolean_sort(work, work->pieces, made, sizeof *work->pieces, boolean_order_pieces))
        return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < made;) {
        boolean_piece piece = work->pieces[i++];
        while (i < made && boolean_order_pieces(&piece, &work->pieces[i]) == 0) {
            piece.weight[0] += work->pieces[i].weight[0];
            piece.weight[1] += work->pieces[i].weight[1];
            i++;
        }
        if (piece.weight[0] != 0 || piece.weight[1] != 0) {
            work->pieces[work->piece_count++] = piece;
        }
    }
    return PLOY_OK;
}

// ---- 4: sides ----

// A piece as seen from one of its ends.
typedef struct boolean_spoke {
    int32_t point; // that end
    int32_t piece;
    int32_t x, y; // from there to the other end
} boolean_spoke;

// By point, then counter-clockwise from the left; no two pieces leave a point the same way.
static int32_t boolean_order_spokes(const void *a, const void *b) {
    const boolean_spoke *p = a, *q = b;
    if (p->point != q->point) return p->point < q->point ? -1 : 1;
    bool p_upper = p->y > 0 || (p->y == 0 && p->x > 0);
    bool q_upper = q->y > 0 || (q->y == 0 && q->x > 0);
    if (p_upper != q_upper) return p_upper ? 1 : -1;
    int64_t side = (int64_t)p->x * q->y - (int64_t)p->y * q->x;
    return side > 0 ? -1 : side < 0;
}

// The windings on the left of piece `index` (of from -> to), counted along a ray: from the piece's
// middle to the right, or upward if the piece is level. No other piece passes the middle.
static void boolean_count(const boolean_work *work, const ployi_lattice_tree *tree, int32_t index,
                          int32_t left[2]) {
    const boolean_piece *own = &work->pieces[index];
    ployi_lattice_point a = work->points[own->from], b = work->points[own->to];
    bool level = a.y == b.y;
    int64_t x = (int64_t)a.x + b.x, y = (int64_t)a.y + b.y; // the middle, doubled
    int32_t beyond[2] = {0, 0};                             // the windings on the ray's side
    ployi_lattice_box ray = ployi_lattice_box_of(a, b);
    if (level) {
        ray.max.y = INT32_MAX;
    } else {
        ray.max.x = INT32_MAX;
    }
    ployi_lattice_walk walk;
    ployi_lattice_walk_begin(&walk, tree, ray);
    for (int32_t i; (i = ployi_lattice_walk_next(&walk)) >= 0;) {
        const boolean_piece *piece = &work->pieces[i];
        ployi_lattice_point p = work->points[piece->from], q = work->points[piece->to];
        int64_t p_at = level ? 2 * (int64_t)p.x - x : 2 * (int64_t)p.y - y;
        int64_t q_at = level ? 2 * (int64_t)q.x - x : 2 * (int64_t)q.y - y;
        if ((p_at <= 0) == (q_at <= 0) || i == index) continue;
        // The side of the middle from p -> q; the doubled middle makes it twice as large.
        int64_t side = ((int64_t)q.x - p.x) * (y - 2 * (int64_t)p.y) -
                       ((int64_t)q.y - p.y) * (x - 2 * (int64_t)p.x);
        bool rises = q.y > p.y;
        // A level piece's ray goes up: pieces run to the right, and have the middle on their right.
        if (level ? side >= 0 : (rises ? side <= 0 : side >= 0)) continue;
        int32_t sign = level || !rises ? -1 : 1;
        beyond[0] += sign * piece->weight[0];
        beyond[1] += sign * piece->weight[1];
    }
    for (int32_t k = 0; k < 2; k++) {
        // Crossing a piece from its right to its left adds its weight.
        bool ray_is_left = level || b.y < a.y;
        left[k] = ray_is_left ? beyond[k] : beyond[k] + own->weight[k];
    }
}

typedef struct boolean_sides {
    boolean_spoke *spokes; // two for each piece, by point
    int32_t *first;        // of a point's spokes; one more for the end
    bool *known, *visited; // whether a piece's windings are known, a point has been gone round
    int32_t *stack;        // pieces whose ends are to be gone round
    int32_t (*left)[2];    // the windings on the left of each piece
} boolean_sides;

// Goes round an end of a piece whose windings are known: what lies between two neighbours is on
// the left of the one and on the right of the next. @return the new height of the stack.
static int32_t boolean_go_round(const boolean_work *work, boolean_sides *sides, int32_t point,
                                int32_t piece, int32_t height) {
    if (sides->visited[point]) return height;
    sides->visited[point] = true;
    int32_t first = sides->first[point], count = sides->first[point + 1] - first, at = 0;
    while (sides->spokes[first + at].piece != piece) at++;
    int32_t between[2] = {0, 0};
    for (int32_t i = 0; i < count; i++, at = at + 1 < count ? at + 1 : 0) {
        int32_t next = sides->spokes[first + at].piece;
        const boolean_piece *own = &work->pieces[next];
        bool leaves = own->from == point;
        if (i > 0 && !sides->known[next]) {
            sides->known[next] = true;
            sides->stack[height++] = next;
            for (int32_t k = 0; k < 2; k++) {
                sides->left[next][k] = leaves ? between[k] + own->weight[k] : between[k];
            }
        }
        for (int32_t k = 0; k < 2; k++) {
            int32_t left = sides->left[next][k];
            between[k] = leaves ? left : left - own->weight[k];
        }
    }
    return height;
}

// The windings on the left of all pieces: counted for one of each part that hangs together, and
// carried from there round the ends of pieces.
static ploy_result boolean_wind(const boolean_work *work, boolean_sides *sides) {
    int32_t count = work->piece_count;
    ploy_arena *scratch = work->scratch;
    ployi_lattice_box *boxes = ploy_arena_alloc_array(scratch, count, sizeof *boxes);
    sides->spokes = ploy_arena_alloc_array(scratch, 2 * (int64_t)count, sizeof *sides->spokes);
    sides->first =
        ploy_arena_alloc_array(scratch, (int64_t)work->point_count + 2, sizeof *sides->first);
    sides->known = ploy_arena_alloc_array(scratch, count, sizeof *sides->known);
    sides->visited = ploy_arena_alloc_array(scratch, work->point_count, sizeof *sides->visited);
    sides->stack = ploy_arena_alloc_array(scratch, count, sizeof *sides->stack);
    sides->left = ploy_arena_alloc_array(scratch, count, sizeof *sides->left);
    if (boxes == NULL || sides->spokes == NULL || sides->first == NULL || sides->known == NULL ||
        sides->visited == NULL || sides->stack == NULL || sides->left == NULL) {
        return PLOY_ERR_MEMORY;
    }
    if (count > INT32_MAX / 2) return PLOY_ERR_LIMIT;
    for (int32_t i = 0; i < count; i++) {
        const boolean_piece *piece = &work->pieces[i];
        ployi_lattice_point a = work->points[piece->from], b = work->points[piece->to];
        boolean_spoke out = {piece->from, i, b.x - a.x, b.y - a.y};
        boolean_spoke back = {piece->to, i, a.x - b.x, a.y - b.y};
        sides->spokes[2 * i] = out;
        sides->spokes[2 * i + 1] = back;
        sides->first[piece->from + 1]++;
        sides->first[piece->to + 1]++;
        boxes[i] = ployi_lattice_box_of(a, b);
    }
    for (int32_t i = 0; i < work->point_count; i++) sides->first[i + 1] += sides->first[i];
    if (!boolean_sort(work, sides->spokes, 2 * count, sizeof *sides->spokes, boolean_order_spokes))
        return PLOY_ERR_MEMORY;
    ployi_lattice_tree tree;
    if (!ployi_lattice_tree_build(&tree, boxes, count, scratch)) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        if (sides->known[i]) continue;
        boolean_count(work, &tree, i, sides->left[i]);
        sides->known[i] = true;
        sides->stack[0] = i;
        for (int32_t height = 1; height > 0;) {
            int32_t piece = sides->stack[--height];
            height = boolean_go_round(work, sides, work->pieces[piece].from, piece, height);
            height = boolean_go_round(work, sides, work->pieces[piece].to, piece, height);
        }
    }
    return PLOY_OK;
}

static bool boolean_fills(int32_t winding, ploy_fill fill) {
    return fill == PLOY_FILL_NON_ZERO ? winding != 0 : winding % 2 != 0;
}

static bool boolean_holds(const boolean_work *work, const int32_t winding[2],
                          ploy_boolean operation) {
    bool a = boolean_fills(winding[0], work->fill[0]), b = boolean_fills(winding[1], work->fill[1]);
    switch (operation) {
    case PLOY_BOOLEAN_UNION: return a || b;
    case PLOY_BOOLEAN_INTERSECTION: return a && b;
    case PLOY_BOOLEAN_DIFFERENCE: return a && !b;
    case PLOY_BOOLEAN_XOR: return a != b;
    default: return false;
    }
}

static ploy_result boolean_outline(boolean_work *work, ploy_boolean operation) {
    // The pieces are no longer needed one by one: those of the outline replace the others in place.
    boolean_piece *kept =
        ploy_arena_alloc_array(work->scratch, work->piece_count, sizeof *work->pieces);
    work->out_from =
        ploy_arena_alloc_array(work->scratch, work->piece_count, sizeof *work->out_from);
    work->out_to = ploy_arena_alloc_array(work->scratch, work->piece_count, sizeof *work->out_to);
    if (kept == NULL || work->out_from == NULL || work->out_to == NULL) return PLOY_ERR_MEMORY;
    boolean_sides sides;
    ploy_result result = boolean_wind(work, &sides);
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < work->piece_count; i++) {
        const int32_t *left = sides.left[i], *weight = work->pieces[i].weight;
        int32_t right[2] = {left[0] - weight[0], left[1] - weight[1]};
        bool in_left = boolean_holds(work, left, operation);
        if (in_left == boolean_holds(work, right, operation)) continue;
        boolean_piece piece = {in_left ? work->pieces[i].from : work->pieces[i].to,
                               in_left ? work->pieces[i].to : work->pieces[i].from,
                               {0, 0}};
        kept[work->out_count++] = piece;
    }
    if (!boolean_sort(work, kept, work->out_count, sizeof *kept, boolean_order_pieces))
        return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < work->out_count; i++) {
        work->out_from[i] = kept[i].from;
        work->out_to[i] = kept[i].to;
    }
    return PLOY_OK;
}

// ---- 5: rings ----

// Half the turn and more, clockwise from the direction back: 0 before, 1 behind.
static int32_t boolean_half(ployi_lattice_point at, ployi_lattice_point back,
                            ployi_lattice_point to) {
    return ployi_lattice_cross(at, back, to) < 0 ? 0 : 1;
}

// The unused piece from `at` that comes first clockwise from the direction back: the inside is between.
static int32_t boolean_next(const boolean_work *work, const bool *used, int32_t at, int32_t back) {
    int32_t low = 0, high = work->out_count, best = -1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (work->out_from[middle] < at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (int32_t i = low; i < work->out_count && work->out_from[i] == at; i++) {
        if (used[i]) continue;
        if (best >= 0) {
            ployi_lattice_point o = work->points[at], from = work->points[back];
            ployi_lattice_point b = work->points[work->out_to[best]];
            ployi_lattice_point c = work->points[work->out_to[i]];
            int32_t b_half = boolean_half(o, from, b), c_half = boolean_half(o, from, c);
            bool before = c_half != b_half ? c_half < b_half : ployi_lattice_cross(o, c, b) < 0;
            if (!before) continue;
        }
        best = i;
    }
    return best;
}

// Walks the outline. Where a walk returns to one of its points, the loop in between becomes a
// separate ring, so that no ring touches itself. Rings go to ring_points, each ended by -1.
static int32_t boolean_walk(const boolean_work *work, bool *used, int32_t *place, int32_t *path,
                            int32_t *ring_points) {
    int32_t written = 0;
    for (int32_t i = 0; i < work->point_count; i++) place[i] = -1;
    for (int32_t first = 0; first < work->out_count; first++) {
        if (used[first]) continue;
        int32_t length = 0, piece = first;
        path[length++] = work->out_from[first];
        place[path[0]] = 0;
        while (piece >= 0) {
            used[piece] = true;
            int32_t to = work->out_to[piece];
            if (place[to] >= 0) {
                int32_t start = place[to];
                for (int32_t i = start; i < length; i++) {
                    ring_points[written++] = path[i];
                    if (i > start) place[path[i]] = -1;
                }
                ring_points[written++] = -1;
                length = start + 1;
            } else {
                place[to] = length;
                path[length++] = to;
            }
            if (length < 2) break; // back at the start
            piece = boolean_next(work, used, path[length - 1], path[length - 2]);
        }
        for (int32_t i = 0; i < length; i++) place[path[i]] = -1;
    }
    return written;
}

// Turns the rings found into floats, in scratch memory.
static ploy_result boolean_collect(const boolean_work *work, const int32_t *ring_points,
                                   int32_t written, ployi_areas *out) {
    int32_t rings = 0;
    for (int32_t i = 0; i < written; i++) rings += ring_points[i] < 0;
    ploy_polygon *views = ploy_arena_alloc_array(work->scratch, rings, sizeof *views);
    ploy_vec2 *corners = ploy_arena_alloc_array(work->scratch, written, sizeof *corners);
    if (views == NULL || corners == NULL) return PLOY_ERR_MEMORY;
    int32_t count = 0, made = 0;
    for (int32_t i = 0; i < written; i++) {
        if (ring_points[i] >= 0) {
            ployi_lattice_point point = work->points[ring_points[i]];
            corners[count++] = ploy_vec2_make((float)((double)point.x * work->unit),
                                              (float)((double)point.y * work->unit));
            continue;
        }
        count = ployi_polygon_drop_straight(corners, count);
        if (count >= 3) views[made++] = ploy_polygon_make(corners, count);
        corners += count;
        count = 0;
    }
    ployi_areas areas = {views, made};
    *out = areas;
    return PLOY_OK;
}

static int64_t boolean_corners(ployi_areas areas) {
    int64_t corners = 0;
    for (int32_t i = 0; i < areas.count; i++) corners += areas.rings[i].count;
    return corners;
}

ploy_result ployi_areas_combine(ployi_areas a, ploy_fill a_fill, ployi_areas b, ploy_fill b_fill,
                                ploy_boolean operation, ploy_arena *scratch, ployi_areas *out) {
    boolean_work own = {scratch, {a_fill, b_fill}, 1.0, NULL, 0, NULL, 0, NULL, 0, NULL, NULL, 0};
    boolean_work *work = &own;
    int64_t corners = boolean_corners(a) + boolean_corners(b);
    if (corners > INT32_MAX) return PLOY_ERR_LIMIT;
    double largest = boolean_largest(b, boolean_largest(a, 0.0));
    int exponent = 0;
    (void)frexp(largest, &exponent); // largest <= 2^exponent
    work->unit = ldexp(1.0, exponent - 24 > -149 ? exponent - 24 : -149);
    work->edges = ploy_arena_alloc_array(scratch, corners, sizeof *work->edges);
    if (work->edges == NULL) return PLOY_ERR_MEMORY;
    boolean_read(work, a, 0);
    boolean_read(work, b, 1);
    ploy_result result = boolean_join_edges(work);
    if (result == PLOY_OK) result = boolean_heat(work);
    if (result == PLOY_OK) result = boolean_cut(work);
    if (result == PLOY_OK) result = boolean_outline(work, operation);
    if (result != PLOY_OK) return result;
    // A ring has two points at least, so the points and their ends fit twice the pieces.
    bool *used = ploy_arena_alloc_array(scratch, work->out_count, sizeof *used);
    int32_t *place = ploy_arena_alloc_array(scratch, work->point_count, sizeof *place);
    int32_t *path = ploy_arena_alloc_array(scratch, (int64_t)work->out_count + 1, sizeof *path);
    int32_t *ring_points =
        ploy_arena_alloc_array(scratch, 2 * (int64_t)work->out_count, sizeof *ring_points);
    if (used == NULL || place == NULL || path == NULL || ring_points == NULL) {
        return PLOY_ERR_MEMORY;
    }
    int32_t written = boolean_walk(work, used, place, path, ring_points);
    return boolean_collect(work, ring_points, written, out);
}

ploy_result ployi_areas_of(const ploy_rings *rings, ploy_arena *scratch, ployi_areas *out) {
    int32_t count = rings != NULL ? ploy_rings_count(rings) : 0;
    ploy_polygon *views = ploy_arena_alloc_array(scratch, count, sizeof *views);
    if (views == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) views[i] = ploy_rings_get(rings, i);
    ployi_areas areas = {views, count};
    *out = areas;
    return PLOY_OK;
}

ploy_result ployi_areas_publish(ployi_areas areas, ploy_rings *out) {
    // Room is made first, so that out is changed only when nothing can fail any more.
    ploy_result result = ploy_rings_reserve(out, areas.count, (int32_t)boolean_corners(areas));
    if (result != PLOY_OK) return result;
    ploy_rings_clear(out);
    for (int32_t i = 0; i < areas.count && result == PLOY_OK; i++) {
        result = ploy_rings_add(out, areas.rings[i].points, areas.rings[i].count);
    }
    return result;
}

ploy_result ploy_rings_boolean(const ploy_rings *a, const ploy_rings *b, ploy_boolean operation,
                               ploy_fill fill, ploy_arena *scratch, ploy_rings *out) {
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ployi_areas first, second, combined;
    ploy_result result = ployi_areas_of(a, scratch, &first);
    if (result == PLOY_OK) result = ployi_areas_of(b, scratch, &second);
    if (result == PLOY_OK) {
        result = ployi_areas_combine(first, fill, second, fill, operation, scratch, &combined);
    }
    if (result == PLOY_OK) result = ployi_areas_publish(combined, out);
    ploy_arena_rewind(scratch, mark);
    return result;
}

#undef BOOLEAN_MOST_CROSSINGS
