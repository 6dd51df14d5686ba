// The visibility polygon by merging envelopes; the technique is described in the header.
//
// Everything is relative to the viewpoint and in double: differences of floats of like size are
// exact there, and so are the sides of two of them.
//
//   - A direction's key is a number from 0 to 4 that grows with its angle, one unit a quarter. It
//     is a sum and a correctly rounded quotient, hence grows steadily, and directions that are
//     equal have equal keys. Keys are compared, never angles or sides: their order cannot
//     contradict itself, whatever the input.
//   - An envelope is a list of pieces by key, the first at 0, each reaching to the next and the
//     last to 4: what is seen first in those directions.
//   - A wall from p to q seen in direction d is 1 / (n . d) lengths of d away, where n is square to
//     the wall; so of two walls the one with the larger n . d is nearer, and between two directions
//     the difference is linear.
//
// Invariants of an envelope: (1) keys ascend strictly from 0 and stay below 4; (2) neighbours show
// different things; (3) a wall is seen only in directions between its ends, less than half a turn.
#include "ploy/geom/visibility.h"

#include "geom/boolean_internal.h"
#include "geom/geom_internal.h"
#include "geom/polygon_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/simplify.h"

#include <string.h>

enum {
    VISIBILITY_FAR = -1,     // nothing blocks the view within the radius
    VISIBILITY_BLOCKED = -2, // not seen at all
    VISIBILITY_MOST_EDGES = 512,
    VISIBILITY_MOST_OUTLINE = 64
};

// Nearer together than this share of their distance, two walls are equally near: a thousandth of
// what a float can tell, and a thousand times the error made here.
#define VISIBILITY_SAME 1e-12

static const ploy_field visibility_fields[] = {
    PLOY_FIELD_F32(ploy_visibility_def, radius, 100, 1e-3, 1e9, "m", "how far one sees"),
    PLOY_FIELD_F32(ploy_visibility_def, orientation, 0, -1e6, 1e6, "rad", "where the cone looks"),
    PLOY_FIELD_F32(ploy_visibility_def, angle, 6.2831854820251465, 0, 6.2831854820251465, "rad",
                   "the cone's opening, all round by default"),
    PLOY_FIELD_F32(ploy_visibility_def, tolerance, 0.1, 1e-6, 1e6, "m",
                   "how far the far arc may be off"),
};

typedef struct visibility_wall {
    ployi_dvec2 p, q; // counter-clockwise round the viewpoint
    ployi_dvec2 n;
} visibility_wall;

typedef struct visibility_piece {
    double key;
    ployi_dvec2 direction; // of any length
    int32_t wall;          // or one of the above
} visibility_piece;

typedef struct visibility_list {
    visibility_piece *pieces;
    int32_t count;
} visibility_list;

typedef struct visibility_work {
    ploy_arena *scratch;
    ploy_visibility_def def;
    ploy_vec2 from;
    visibility_wall *walls;
    int32_t wall_count;
    visibility_list *lists; // one for each wall, then those that are merged from them
    int32_t list_count;
    visibility_piece *room; // where the next list goes
    int64_t room_left;
} visibility_work;

ploy_fields ploy_visibility_fields(void) {
    return PLOY_FIELDS(ploy_visibility_def, visibility_fields);
}

ploy_visibility_def ploy_visibility_def_default(void) {
    ploy_visibility_def def;
    ploy_fields_default(ploy_visibility_fields(), &def);
    return def;
}

// ---- directions ----

static double visibility_key(ployi_dvec2 direction) {
    double sum = fabs(direction.x) + fabs(direction.y);
    if (!(sum > 0.0)) return 0.0;
    if (direction.x > 0.0 && direction.y >= 0.0) return direction.y / sum;
    if (direction.y > 0.0) return 1.0 + -direction.x / sum;
    if (direction.x < 0.0) return 2.0 + -direction.y / sum;
    return 3.0 + direction.x / sum;
}

static const ployi_dvec2 visibility_start = {1.0, 0.0}; // at key 0, and at 4 again

// ---- walls ----

// Cuts a wall to the radius. False if nothing is left of it. The ends are measured from the foot
// of the perpendicular on its line, so that they are in reach however far away the wall ends.
static bool visibility_clip(ployi_dvec2 *p, ployi_dvec2 *q, double radius) {
    ployi_dvec2 along = ployi_dvec2_make(q->x - p->x, q->y - p->y);
    double length = sqrt(ployi_dvec2_dot(along, along));
    if (!(length > 0.0)) return false;
    along = ployi_dvec2_make(along.x / length, along.y / length);
    // All from the end that is nearer: of the other, far away, digits are lost.
    ployi_dvec2 near = ployi_dvec2_dot(*p, *p) < ployi_dvec2_dot(*q, *q) ? *p : *q;
    double far_off = ployi_dvec2_cross(near, along), start = ployi_dvec2_dot(*p, along);
    double square = radius * radius - far_off * far_off;
    if (!(square > 0.0)) return false;
    double half = sqrt(square), end = ployi_dvec2_dot(*q, along);
    if (start >= half || end <= -half) return false;
    ployi_dvec2 foot = {far_off * along.y, -far_off * along.x};
    if (start < -half) *p = ployi_dvec2_add_scaled(foot, along, -half);
    if (end > half) *q = ployi_dvec2_add_scaled(foot, along, half);
    return true;
}

static void visibility_put(visibility_work *work, double key, ployi_dvec2 direction, int32_t wall) {
    visibility_list *list = &work->lists[work->list_count];
    if (list->count > 0 && list->pieces[list->count - 1].key >= key) list->count--; // keeps (1)
    if (list->count > 0 && list->pieces[list->count - 1].wall == wall) return;      // keeps (2)
    visibility_piece piece = {key, direction, wall};
    list->pieces[list->count++] = piece;
}

// Makes room for a list of that many pieces.
static bool visibility_begin(visibility_work *work, int64_t most) {
    if (work->room_left < most) {
        // Larger than asked for: the rest serves the lists to come.
        int64_t size = most > 1024 ? most : 1024;
        work->room = ploy_arena_alloc_array(work->scratch, size, sizeof *work->room);
        if (work->room == NULL) return false;
        work->room_left = size;
    }
    visibility_list list = {work->room, 0};
    work->lists[work->list_count] = list;
    return true;
}

static void visibility_end(visibility_work *work) {
    int32_t count = work->lists[work->list_count++].count;
    work->room += count;
    work->room_left -= count;
}

// A list that shows `what` from one direction to another, counter-clockwise, and `elsewhere` else.
static bool visibility_arc(visibility_work *work, ployi_dvec2 from, ployi_dvec2 to, int32_t what,
                           int32_t elsewhere) {
    double first = visibility_key(from), last = visibility_key(to);
    if (!visibility_begin(work, 4)) return false;
    bool over = first > last; // the start of all keys is within
    visibility_put(work, 0.0, visibility_start, over ? what : elsewhere);
    if (over && last > 0.0) visibility_put(work, last, to, elsewhere);
    if (over && !(last > 0.0)) visibility_put(work, 0.0, visibility_start, elsewhere);
    if (first < 4.0) visibility_put(work, first, from, what);
    if (!over && last < 4.0) visibility_put(work, last, to, elsewhere);
    visibility_end(work);
    return true;
}

static bool visibility_add_wall(visibility_work *work, ploy_segment2 segment) {
    ployi_dvec2 p = ployi_dvec2_between(segment.from, work->from);
    ployi_dvec2 q = ployi_dvec2_between(segment.to, work->from);
    double side = ployi_dvec2_cross(p, q);
    if (side < 0.0) {
        ployi_dvec2 swap = p;
        p = q;
        q = swap;
        side = -side;
    }
    // On a line with the viewpoint it hides nothing.
    if (!(side > 0.0) || !visibility_clip(&p, &q, (double)work->def.radius)) return true;
    side = ployi_dvec2_cross(p, q);
    visibility_wall wall = {p, q, {(q.y - p.y) / side, (p.x - q.x) / side}};
    if (!(side > 0.0) || visibility_key(p) == visibility_key(q)) return true;
    if (!ploy_is_finite_d(wall.n.x) || !ploy_is_finite_d(wall.n.y)) return true;
    work->walls[work->wall_count] = wall;
    return visibility_arc(work, p, q, work->wall_count++, VISIBILITY_FAR);
}

// ---- merging ----

// Puts the nearer of two walls from one direction to another, or both where they cross between.
static void visibility_choose(visibility_work *work, int32_t a, int32_t b, double key,
                              ployi_dvec2 direction, double end_key, ployi_dvec2 end) {
    ployi_dvec2 n = work->walls[a].n, m = work->walls[b].n;
    double a0 = ployi_dvec2_dot(n, direction), b0 = ployi_dvec2_dot(m, direction);
    double a1 = ployi_dvec2_dot(n, end), b1 = ployi_dvec2_dot(m, end);
    double lead = fabs(a0 - b0) > VISIBILITY_SAME * (a0 + b0) ? a0 - b0 : 0.0;
    double end_lead = fabs(a1 - b1) > VISIBILITY_SAME * (a1 + b1) ? a1 - b1 : 0.0;
    if (lead >= 0.0 && end_lead >= 0.0) { // equally near along both: the first
        visibility_put(work, key, direction, a);
    } else if (lead <= 0.0 && end_lead <= 0.0) {
        visibility_put(work, key, direction, b);
    } else {
        double share = fabs(end_lead), end_share = fabs(lead);
        ployi_dvec2 at = {direction.x * share + end.x * end_share,
                          direction.y * share + end.y * end_share};
        double at_key = visibility_key(at);
        if (at_key > key) visibility_put(work, key, direction, lead > 0.0 ? a : b);
        if (at_key < end_key) {
            bool moved = at_key > key;
            visibility_put(work, moved ? at_key : key, moved ? at : direction, lead > 0.0 ? b : a);
        }
    }
}

// Merges two lists into a new one.
static bool visibility_merge(visibility_work *work, visibility_list a, visibility_list b) {
    if (!visibility_begin(work, 2 * ((int64_t)a.count + b.count))) return false;
    for (int32_t i = 0, k = 0; i < a.count && k < b.count;) {
        const visibility_piece *p = &a.pieces[i], *q = &b.pieces[k];
        const visibility_piece *start = p->key >= q->key ? p : q;
        double a_end = i + 1 < a.count ? p[1].key : 4.0, b_end = k + 1 < b.count ? q[1].key : 4.0;
        bool a_first = a_end <= b_end;
        double end = a_first ? a_end : b_end;
        ployi_dvec2 end_direction =
            end >= 4.0 ? visibility_start : (a_first ? p[1].direction : q[1].direction);
        if (p->wall == VISIBILITY_BLOCKED || q->wall == VISIBILITY_BLOCKED) {
            visibility_put(work, start->key, start->direction, VISIBILITY_BLOCKED);
        } else if (p->wall == VISIBILITY_FAR || q->wall == VISIBILITY_FAR) {
            int32_t wall = p->wall == VISIBILITY_FAR ? q->wall : p->wall;
            visibility_put(work, start->key, start->direction, wall);
        } else {
            visibility_choose(work, p->wall, q->wall, start->key, start->direction, end,
                              end_direction);
        }
        if (a_end <= end) i++;
        if (b_end <= end) k++;
    }
    visibility_end(work);
    return true;
}

// Merges neighbours in rounds until one list is left, as in merge sort. The memory of the lists of
// one round is used again two rounds later.
static bool visibility_merge_all(visibility_work *work, visibility_list *out) {
    visibility_list *lists = work->lists;
    int32_t count = work->list_count;
    visibility_piece *rooms[2] = {NULL, NULL};
    int64_t sizes[2] = {0, 0};
    work->lists = ploy_arena_alloc_array(work->scratch, count, sizeof *work->lists);
    if (work->lists == NULL) return false;
    for (int32_t round = 0; count > 1; round++) {
        int64_t total = 0;
        for (int32_t i = 0; i < count; i++) total += lists[i].count;
        if (sizes[round % 2] < 2 * total) {
            sizes[round % 2] = 2 * total;
            rooms[round % 2] = ploy_arena_alloc_array(work->scratch, 2 * total, sizeof *work->room);
            if (rooms[round % 2] == NULL) return false;
        }
        work->room = rooms[round % 2];
        work->room_left = sizes[round % 2];
        work->list_count = 0;
        for (int32_t i = 0; i + 1 < count; i += 2) {
            if (!visibility_merge(work, lists[i], lists[i + 1])) return false;
        }
        if (count % 2 != 0) { // the last one goes along
            visibility_list last = lists[count - 1];
            if (!visibility_begin(work, last.count)) return false;
            memcpy(work->room, last.pieces, (size_t)last.count * sizeof *work->room);
            work->lists[work->list_count].count = last.count;
            visibility_end(work);
        }
        visibility_list *swap = lists;
        lists = work->lists;
        work->lists = swap;
        count = work->list_count;
    }
    *out = lists[0];
    return true;
}

// ---- the outline ----

typedef struct visibility_outline {
    ploy_vec2 *points;
    int32_t count;
} visibility_outline;

static void visibility_corner(visibility_outline *outline, ploy_vec2 from, ployi_dvec2 by) {
    ploy_vec2 point = {(float)((double)from.x + by.x), (float)((double)from.y + by.y)};
    if (outline->count > 0 && ploy_vec2_equal(outline->points[outline->count - 1], point)) return;
    outline->points[outline->count++] = point;
}

// The point of a wall in a direction: a share of it, so that it is on the wall come what may.
static ployi_dvec2 visibility_on_wall(const visibility_wall *wall, ployi_dvec2 direction) {
    double before = fmax(ployi_dvec2_cross(wall->p, direction), 0.0);
    double behind = fmax(ployi_dvec2_cross(direction, wall->q), 0.0);
    if (!(behind > 0.0)) return wall->q;
    if (!(before > 0.0)) return wall->p;
    ployi_dvec2 along = {wall->q.x - wall->p.x, wall->q.y - wall->p.y};
    return ployi_dvec2_add_scaled(wall->p, along, before / (before + behind));
}

static int32_t visibility_edges(const ploy_visibility_def *def) {
    // The sagitta of an arc of angle s is r (1 - cos(s / 2)).
    double ratio = 1.0 - (double)def->tolerance / (double)def->radius;
    double edges = ratio > 0.0 ? ceil(PLOY_PI / ploy_acos(ratio)) : 8.0;
    return ploy_clampi(edges < VISIBILITY_MOST_EDGES ? (int32_t)edges : VISIBILITY_MOST_EDGES, 8,
                       VISIBILITY_MOST_EDGES);
}

static bool visibility_trace(const visibility_work *work, visibility_list seen,
                             visibility_outline *outline) {
    int32_t edges = visibility_edges(&work->def);
    double radius = (double)work->def.radius;
    // Each piece has two ends; the arc's own corners are between them.
    outline->points = ploy_arena_alloc_array(work->scratch, 2 * (int64_t)seen.count + edges + 2,
                                             sizeof *outline->points);
    if (outline->points == NULL) return false;
    outline->count = 0;
    // Where the start of all keys is within one wall, it is no corner.
    int32_t first = seen.pieces[0].wall;
    bool seamless = seen.count > 1 && first >= 0 && seen.pieces[seen.count - 1].wall == first;
    int32_t corner = 0; // of the arc
    for (int32_t i = 0; i < seen.count; i++) {
        const visibility_piece *piece = &seen.pieces[i];
        bool last = i + 1 == seen.count;
        double end_key = last ? 4.0 : piece[1].key;
        ployi_dvec2 end = last ? visibility_start : piece[1].direction;
        if (piece->wall == VISIBILITY_BLOCKED) {
            visibility_corner(outline, work->from, ployi_dvec2_make(0.0, 0.0));
        } else if (piece->wall >= 0) {
            const visibility_wall *wall = &work->walls[piece->wall];
            if (i > 0 || !seamless) {
                visibility_corner(outline, work->from, visibility_on_wall(wall, piece->direction));
            }
            if (!last || !seamless) {
                visibility_corner(outline, work->from, visibility_on_wall(wall, end));
            }
        } else {
            visibility_corner(outline, work->from,
                              ployi_dvec2_scale(ployi_dvec2_unit(piece->direction), radius));
            for (; corner < edges; corner++) {
                ployi_dvec2 direction;
                ploy_sincos(2.0 * PLOY_PI * (double)corner / (double)edges, &direction.y,
                            &direction.x);
                double key = visibility_key(direction);
                if (key <= piece->key) continue;
                if (key >= end_key) break;
                visibility_corner(outline, work->from, ployi_dvec2_scale(direction, radius));
            }
            visibility_corner(outline, work->from,
                              ployi_dvec2_scale(ployi_dvec2_unit(end), radius));
        }
    }
    ploy_vec2 *points = outline->points;
    while (outline->count > 1 && ploy_vec2_equal(points[outline->count - 1], points[0])) {
        outline->count--;
    }
    outline->count = ployi_polygon_drop_straight(points, outline->count);
    return true;
}

// ---- the whole ----

// Checks, and makes room for that many walls and a list for each, the cone's and `extra` more.
static ploy_result visibility_prepare(visibility_work *work, const ploy_visibility_def *def,
                                      ploy_vec2 from, int64_t walls, int64_t extra,
                                      ploy_arena *scratch) {
    visibility_work fresh = {scratch, *def, from, NULL, 0, NULL, 0, NULL, 0};
    *work = fresh;
    if (!ploy_is_finite(from.x) || !ploy_is_finite(from.y)) return PLOY_ERR_ARGUMENT;
    int64_t lists = walls + extra + 2;
    work->walls = ploy_arena_alloc_array(scratch, walls, sizeof *work->walls);
    work->lists = ploy_arena_alloc_array(scratch, lists, sizeof *work->lists);
    if (work->walls == NULL || work->lists == NULL) return PLOY_ERR_MEMORY;
    return PLOY_OK;
}

static ploy_result visibility_add_walls(visibility_work *work, const ploy_segment2 *walls,
                                        int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        if (!ploy_is_finite(walls[i].from.x) || !ploy_is_finite(walls[i].from.y) ||
            !ploy_is_finite(walls[i].to.x) || !ploy_is_finite(walls[i].to.y)) {
            return PLOY_ERR_ARGUMENT;
        }
        if (!visibility_add_wall(work, walls[i])) return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

static ploy_result visibility_finish(visibility_work *work, ploy_rings *out) {
    const ploy_visibility_def *def = &work->def;
    ployi_dvec2 right, left;
    double half = 0.5 * (double)def->angle, middle = (double)def->orientation;
    ploy_sincos(middle - half, &right.y, &right.x);
    ploy_sincos(middle + half, &left.y, &left.x);
    bool all_round = def->angle >= visibility_fields[2].max;
    // Without a wall or a cone there is one list all the same: all is far.
    bool fits = all_round ? visibility_arc(work, visibility_start, visibility_start, VISIBILITY_FAR,
                                           VISIBILITY_FAR)
                          : visibility_arc(work, right, left, VISIBILITY_FAR, VISIBILITY_BLOCKED);
    visibility_list seen;
    visibility_outline outline;
    if (!fits || !visibility_merge_all(work, &seen) || !visibility_trace(work, seen, &outline)) {
        return PLOY_ERR_MEMORY;
    }
    ploy_polygon ring = ploy_polygon_make(outline.points, outline.count);
    ployi_areas areas = {&ring, ploy_polygon_turn(ring) > 0 ? 1 : 0};
    return ployi_areas_publish(areas, out);
}

ploy_result ploy_visibility_find(const ploy_visibility_def *def, ploy_vec2 from,
                                 const ploy_segment2 *walls, int32_t count, ploy_arena *scratch,
                                 ploy_rings *out) {
    ploy_result result = ploy_fields_check_diags(ploy_visibility_fields(), def, "visibility", NULL);
    if (result != PLOY_OK || count < 0) return PLOY_ERR_ARGUMENT;
    visibility_work work;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    result = visibility_prepare(&work, def, from, count, 0, scratch);
    if (result == PLOY_OK) result = visibility_add_walls(&work, walls, count);
    if (result == PLOY_OK) result = visibility_finish(&work, out);
    ploy_arena_rewind(scratch, mark);
    return result;
}

// ---- solid areas ----

// A direction in which an edge leaves the viewpoint (+1) or arrives at it (-1).
typedef struct visibility_spoke {
    double key;
    ployi_dvec2 direction;
    int32_t weight;
} visibility_spoke;

static int32_t visibility_add_spoke(visibility_spoke *spokes, int32_t count, ploy_vec2 from,
                                    ploy_vec2 to, int32_t weight) {
    if (ploy_vec2_equal(from, to)) return count;
    ployi_dvec2 direction = ployi_dvec2_between(to, from);
    visibility_spoke spoke = {visibility_key(direction), direction, weight};
    int32_t at = count;
    for (; at > 0 && spokes[at - 1].key > spoke.key; at--) spokes[at] = spokes[at - 1];
    spokes[at] = spoke;
    return count + 1;
}

// Blocks what is solid between the edges that meet in the viewpoint. Clean rings go round a point
// once or not at all, so the least sum of the weights round it is where the area is not.
static bool visibility_block(visibility_work *work, const visibility_spoke *spokes, int32_t count,
                             ploy_solid solid) {
    int32_t sum = 0, least = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += spokes[i].weight;
        least = ploy_mini(least, sum);
    }
    sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += spokes[i].weight;
        const visibility_spoke *next = &spokes[i + 1 < count ? i + 1 : 0];
        bool area = sum > least;
        if (area != (solid == PLOY_SOLID_INSIDE) || next->key == spokes[i].key) continue;
        if (!visibility_arc(work, spokes[i].direction, next->direction, VISIBILITY_BLOCKED,
                            VISIBILITY_FAR)) {
            return false;
        }
    }
    return true;
}

ploy_result ploy_visibility_find_rings(const ploy_visibility_def *def, ploy_vec2 from,
                                       const ploy_rings *rings, ploy_solid solid,
                                       ploy_arena *scratch, ploy_rings *out) {
    ploy_result result = ploy_fields_check_diags(ploy_visibility_fields(), def, "visibility", NULL);
    if (result != PLOY_OK) return PLOY_ERR_ARGUMENT;
    visibility_work work;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    int32_t corners = ploy_rings_corners(rings);
    result = visibility_prepare(&work, def, from, corners, 2 * (int64_t)corners, scratch);
    visibility_spoke *spokes =
        ploy_arena_alloc_array(scratch, 2 * (int64_t)corners, sizeof *spokes);
    if (result == PLOY_OK && spokes == NULL) result = PLOY_ERR_MEMORY;
    ploy_location location = ploy_rings_locate(rings, from, PLOY_FILL_EVEN_ODD);
    bool walled_in =
        location == (solid == PLOY_SOLID_INSIDE ? PLOY_LOCATION_INSIDE : PLOY_LOCATION_OUTSIDE);
    int32_t spoke_count = 0;
    for (int32_t i = 0; i < ploy_rings_count(rings) && result == PLOY_OK && !walled_in; i++) {
        ploy_polygon ring = ploy_rings_get(rings, i);
        for (int32_t k = 0; k < ring.count && result == PLOY_OK; k++) {
            ploy_segment2 edge = ploy_polygon_edge(ring, k);
            if (location == PLOY_LOCATION_ON && ployi_segment2_has(edge, from)) {
                spoke_count = visibility_add_spoke(spokes, spoke_count, from, edge.to, 1);
                spoke_count = visibility_add_spoke(spokes, spoke_count, from, edge.from, -1);
            } else if (!visibility_add_wall(&work, edge)) {
                result = PLOY_ERR_MEMORY;
            }
        }
    }
    if (result == PLOY_OK && !visibility_block(&work, spokes, spoke_count, solid)) {
        result = PLOY_ERR_MEMORY;
    }
    ployi_areas nothing = {NULL, 0};
    if (result == PLOY_OK) {
        result = walled_in ? ployi_areas_publish(nothing, out) : visibility_finish(&work, out);
    }
    ploy_arena_rewind(scratch, mark);
    return result;
}

// ---- the plain scene ----

// The outline of a thick segment as walls: half circles round its ends. @return how many.
static int32_t visibility_outline_of(const ploy_obstacle *obstacle, float tolerance,
                                     ploy_segment2 *out) {
    ploy_segment2 segment = obstacle->segment;
    if (!(obstacle->radius > 0.0f)) {
        out[0] = segment;
        return 1;
    }
    ploy_visibility_def round = ploy_visibility_def_default();
    round.radius = obstacle->radius;
    round.tolerance = tolerance;
    int32_t half = ploy_mini((visibility_edges(&round) + 1) / 2, VISIBILITY_MOST_OUTLINE / 2 - 1);
    ployi_dvec2 along = ployi_dvec2_unit(ployi_dvec2_between(segment.to, segment.from));
    if (!(ployi_dvec2_dot(along, along) > 0.0)) along = ployi_dvec2_make(1.0, 0.0);
    ploy_vec2 points[VISIBILITY_MOST_OUTLINE];
    int32_t count = 0;
    for (int32_t side = 0; side < 2; side++) {
        ployi_dvec2 centre = ployi_dvec2_of(side == 0 ? segment.to : segment.from);
        ployi_dvec2 right = {side == 0 ? along.y : -along.y, side == 0 ? -along.x : along.x};
        for (int32_t i = 0; i <= half; i++) {
            double sine, cosine;
            ploy_sincos(PLOY_PI * (double)i / (double)half, &sine, &cosine);
            ployi_dvec2 turned = {right.x * cosine - right.y * sine,
                                  right.x * sine + right.y * cosine};
            points[count++] =
                ployi_dvec2_round(ployi_dvec2_add_scaled(centre, turned, (double)obstacle->radius));
        }
    }
    for (int32_t i = 0; i < count; i++) {
        out[i] = ploy_polygon_edge(ploy_polygon_make(points, count), i);
    }
    return count;
}

ploy_result ploy_visibility_find_scene(const ploy_visibility_def *def, ploy_vec2 from,
                                       const ploy_plain_scene *scene, uint32_t mask,
                                       ploy_arena *scratch, ploy_rings *out) {
    ploy_result result = ploy_fields_check_diags(ploy_visibility_fields(), def, "visibility", NULL);
    if (result != PLOY_OK) return PLOY_ERR_ARGUMENT;
    if (!ploy_is_finite(from.x) || !ploy_is_finite(from.y)) return PLOY_ERR_ARGUMENT;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    ploy_scene face = ploy_plain_scene_interface(scene);
    ploy_vec3 centre = ploy_vec3_from_vec2(from, 0.0f);
    int32_t capacity = ploy_plain_scene_count(scene), count = 0, walled_in = 0;
    ploy_id *ids = ploy_arena_alloc_array(scratch, capacity, sizeof *ids);
    if (ids != NULL) {
        count = ploy_scene_overlap(&face, centre, def->radius, mask, ids, capacity);
    }
    ploy_segment2 *walls =
        ploy_arena_alloc_array(scratch, (int64_t)count * VISIBILITY_MOST_OUTLINE, sizeof *walls);
    if (ids == NULL || walls == NULL) result = PLOY_ERR_MEMORY;
    int64_t made = 0;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        ploy_obstacle_id id = {ids[i]};
        ploy_obstacle obstacle;
        if (!ploy_plain_scene_get(scene, id, &obstacle)) continue;
        double radius = (double)obstacle.radius;
        if (radius > 0.0 && ployi_segment2_distance_sq(obstacle.segment, from) < radius * radius) {
            walled_in++;
        }
        made += visibility_outline_of(&obstacle, def->tolerance, walls + made);
    }
    visibility_work work;
    ployi_areas nothing = {NULL, 0};
    if (result == PLOY_OK && walled_in > 0) {
        result = ployi_areas_publish(nothing, out);
    } else if (result == PLOY_OK) {
        result = visibility_prepare(&work, def, from, made, 0, scratch);
        if (result == PLOY_OK) result = visibility_add_walls(&work, walls, made);
        if (result == PLOY_OK) result = visibility_finish(&work, out);
    }
    ploy_arena_rewind(scratch, mark);
    return result;
}

void ploy_visibility_draw(const ploy_rings *seen, ploy_vec2 from, ploy_agent_id owner,
                          ploy_draw *out) {
    for (int32_t i = 0; i < ploy_rings_count(seen); i++) {
        ploy_polygon ring = ploy_rings_get(seen, i);
        ploy_draw_polygon(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, owner, ring.points,
                          ring.count, 0.3f);
    }
    ploy_draw_point(out, PLOY_LAYER_SENSES, PLOY_STYLE_WARNING, owner, from);
}

#undef VISIBILITY_SAME
