// Constraints of a triangulation: cutting their channel, and counting what they cover.
//
// A constraint runs from vertex to vertex; each stretch between two is a piece. A piece that is an
// edge already is only counted. Otherwise the triangles it crosses are its channel, and what lies
// to the left and to the right of the piece is filled again (Anglada, "An improved incremental
// algorithm for constructing restricted Delaunay triangulations", 1997; but filled by a scan in
// linear time and then flipped, as CGAL's triangulations are).
//
//        l1-----l2          l1-----l2
//       /  .   .  .        /    _/   .      a and b: the ends of the piece; the edges between
//      a - - - - - b  ->  a-----------b     the l and the r are crossed and go.
//       .  .   .  /        .    .    /
//        r1-----r2          r1-----r2
#include "geom/cdt_internal.h"

#include <stdio.h>

// What lies ahead of a vertex on the way to another.
typedef struct cdt_edge_step {
    int32_t target;         // the next vertex on the constraint
    int32_t triangle, edge; // if the piece is an edge: it; otherwise the first edge crossed
    bool exists;            // the piece is an edge
} cdt_edge_step;

// Looks round `from` for the direction to `to`.
static cdt_edge_step cdt_edge_ahead(const ployi_cdt_mesh *mesh, int32_t from, int32_t to) {
    const ploy_vec2 *points = mesh->points;
    ploy_vec2 a = points[from], b = points[to];
    bool up = ployi_cdt_less(a, b);
    int32_t first = mesh->vertices[from].triangle, index = first;
    bool clockwise = false;
    cdt_edge_step step = {-1, -1, -1, false};
    for (;;) {
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        int32_t k = ployi_cdt_corner(t, from), k1 = ployi_cdt_after(k), k2 = ployi_cdt_before(k);
        int32_t x = t->corner[k1], y = t->corner[k2];
        int32_t turn_x = x == to ? 0 : ployi_orient2(a, b, points[x]); // 0 takes long to find
        int32_t turn_y = y == to ? 0 : ployi_orient2(a, b, points[y]);
        step.triangle = index;
        // On the line and ahead, not behind.
        if (turn_x == 0 && up == ployi_cdt_less(a, points[x])) {
            step.target = x;
            step.edge = k2;
            step.exists = true;
            return step;
        }
        if (turn_y == 0 && up == ployi_cdt_less(a, points[y])) {
            step.target = y;
            step.edge = k1;
            step.exists = true;
            return step;
        }
        if (turn_x < 0 && turn_y > 0) {
            step.edge = k;
            return step;
        }
        // Round it counter-clockwise; from the hull on, clockwise from the first.
        int32_t beyond = t->neighbour[clockwise ? k2 : k1];
        if (beyond < 0 && !clockwise) {
            clockwise = true;
            k = ployi_cdt_corner(&mesh->triangles[first], from);
            beyond = mesh->triangles[first].neighbour[ployi_cdt_before(k)];
        }
        PLOY_ASSERT(beyond >= 0 && (clockwise || beyond != first)); // (1): `to` is ahead somewhere
        index = beyond;
    }
}

// Follows a channel from its first edge to the vertex that ends the piece.
// @param left, right  if not NULL, they get the links of both sides: left from the end back to the
//        start, right from the start on, without a last link for the end itself; and slots the
//        triangles. Room was made.
// @param count  how many triangles there are.
// @return PLOY_ERR_STATE if a constraint is crossed, with its ends.
static ploy_result cdt_edge_channel(const ployi_cdt_mesh *mesh, int32_t from, int32_t to,
                                    cdt_edge_step *step, ployi_cdt_link *left, int32_t *left_count,
                                    ployi_cdt_link *right, int32_t *right_count, int32_t *slots,
                                    int32_t *count, ploy_cdt_edge *crossed) {
    const ploy_vec2 *points = mesh->points;
    int32_t index = step->triangle, edge = step->edge;
    *count = 1;
    if (left != NULL) {
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        int32_t x = ployi_cdt_after(edge), y = ployi_cdt_before(edge);
        ployi_cdt_link on_left = {t->corner[y], -1, index * 3 + x, false};
        ployi_cdt_link on_right = {from, -1, index * 3 + y, false};
        left[0] = on_left;
        right[0] = on_right;
        *left_count = *right_count = 1;
        slots[0] = index;
    }
    for (;;) {
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        int32_t x = t->corner[ployi_cdt_after(edge)];
        if ((t->flags >> edge & 1u) != 0) {
            crossed->from = x;
            crossed->to = t->corner[ployi_cdt_before(edge)];
            return PLOY_ERR_STATE;
        }
        int32_t beyond = t->neighbour[edge];
        PLOY_ASSERT(beyond >= 0);
        const ploy_cdt_triangle *u = &mesh->triangles[beyond];
        int32_t j = ployi_cdt_side(u, index), q = u->corner[j];
        int32_t turn = q == to ? 0 : ployi_orient2(points[from], points[to], points[q]);
        if (left != NULL) {
            slots[*count] = beyond;
            if (turn >= 0) { // q, then the last on the left
                ployi_cdt_link link = {q, -1, beyond * 3 + ployi_cdt_before(j), false};
                left[(*left_count)++] = link;
            }
            if (turn <= 0) { // the last on the right, then q
                ployi_cdt_link link = {x, -1, beyond * 3 + ployi_cdt_after(j), false};
                right[(*right_count)++] = link;
            }
        }
        (*count)++;
        if (turn == 0) {
            step->target = q;
            return PLOY_OK;
        }
        index = beyond;
        edge = turn > 0 ? ployi_cdt_after(j) : ployi_cdt_before(j);
    }
}

// Finds what lies beyond each edge of one side of a channel. Where it is the channel itself (an
// edge that reaches into it and is not crossed has it on both sides), the two links of that edge
// find each other by the marks that they leave in each other's triangles. Both sides are surveyed
// before one is filled, because filling uses the channel's triangles again.
static void cdt_edge_survey_side(ployi_cdt_mesh *mesh, ployi_cdt_link *chain, int32_t count,
                                 int32_t *twin) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    for (int32_t k = 0; k < count; k++) {
        int32_t own = chain[k].own, beyond = triangles[own / 3].neighbour[own % 3];
        chain[k].constrained = (triangles[own / 3].flags >> own % 3 & 1u) != 0;
        chain[k].outer = beyond < 0 ? -1 : beyond * 3 + ployi_cdt_side(&triangles[beyond], own / 3);
    }
    for (int32_t k = 0; k < count; k++) {
        int32_t outer = chain[k].outer;
        if (outer >= 0) triangles[outer / 3].neighbour[outer % 3] = -2 - k;
    }
    for (int32_t k = 0; k < count; k++) {
        int32_t mark = triangles[chain[k].own / 3].neighbour[chain[k].own % 3];
        twin[k] = mark < -1 ? -2 - mark : -1;
        if (twin[k] >= 0) chain[k].outer = -2 - k;
    }
}

// Fills one side of a channel. `chain` has room for one link more, which is the last vertex.
// @return the half on the piece.
static int32_t cdt_edge_fill_side(ployi_cdt_mesh *mesh, ployi_cdt_link *chain, int32_t count,
                                  int32_t last, ployi_cdt_slots *slots, uint32_t inside,
                                  const int32_t *twin, int32_t *inner) {
    ployi_cdt_link end = {last, -1, -1, false};
    chain[count] = end;
    int32_t left = ployi_cdt_fill_chain(mesh, chain, count + 1, slots, inside, inner);
    PLOY_ASSERT(left == 2);
    (void)left;
    for (int32_t k = 0; k < count; k++) {
        if (twin[k] <= k) continue;
        int32_t a = inner[k], b = inner[twin[k]];
        ployi_cdt_link_halves(mesh, a, b, (mesh->triangles[a / 3].flags >> a % 3 & 1u) != 0);
    }
    return chain[0].outer;
}

// Adds to what covers the edge between two vertices, and takes away. There is room for it.
static void cdt_edge_cover(ployi_cdt_mesh *mesh, int32_t from, int32_t to, int32_t count,
                           int32_t turn) {
    uint64_t key = from < to ? ployi_cdt_key(from, to) : ployi_cdt_key(to, from);
    void *value = NULL;
    if (ploy_map_ensure(&mesh->pieces, key, &value, NULL) != PLOY_OK) return;
    ployi_cdt_piece *piece = value;
    piece->count += count;
    piece->turn += from < to ? turn : -turn;
    if (piece->count == 0) ploy_map_remove(&mesh->pieces, key);
}

static void cdt_edge_flag(ployi_cdt_mesh *mesh, int32_t triangle, int32_t edge, bool constrained) {
    int32_t beyond = mesh->triangles[triangle].neighbour[edge];
    int32_t other =
        beyond < 0 ? -1 : beyond * 3 + ployi_cdt_side(&mesh->triangles[beyond], triangle);
    ployi_cdt_link_halves(mesh, triangle * 3 + edge, other, constrained);
}

// What covers every piece changes by that number: `turn` is of those from -> to. All pieces exist.
static void cdt_edge_cover_line(ployi_cdt_mesh *mesh, int32_t from, int32_t to, int32_t count,
                                int32_t turn) {
    for (int32_t at = from; at != to;) {
        cdt_edge_step step = cdt_edge_ahead(mesh, at, to);
        PLOY_ASSERT(step.exists);
        cdt_edge_cover(mesh, at, step.target, count, turn);
        uint64_t key =
            at < step.target ? ployi_cdt_key(at, step.target) : ployi_cdt_key(step.target, at);
        bool constrained = ploy_map_has(&mesh->pieces, key);
        cdt_edge_flag(mesh, step.triangle, step.edge, constrained);
        if (!constrained) ployi_cdt_touch(mesh, step.triangle);
        at = step.target;
    }
}

void ployi_cdt_cover_all(ployi_cdt_mesh *mesh) {
    int32_t cursor = 0;
    uint64_t key;
    void *value;
    while (ploy_map_next(&mesh->edges, &cursor, &key, &value)) {
        int32_t count = *(const int32_t *)value;
        cdt_edge_cover_line(mesh, ployi_cdt_key_from(key), ployi_cdt_key_to(key), count, count);
    }
}

bool ployi_cdt_covers(const ployi_cdt_mesh *mesh, ploy_cdt_edge edge, ploy_cdt_edge piece) {
    ploy_vec2 low = mesh->points[edge.from], high = mesh->points[edge.to];
    if (ployi_cdt_less(high, low)) {
        ploy_vec2 swap = low;
        low = high;
        high = swap;
    }
    const int32_t ends[2] = {piece.from, piece.to};
    for (int32_t k = 0; k < 2; k++) {
        ploy_vec2 at = mesh->points[ends[k]];
        if (ployi_cdt_less(at, low) || ployi_cdt_less(high, at)) return false;
        if (ployi_orient2(low, high, at) != 0) return false;
    }
    return true;
}

// Cuts the channel of a piece and fills it. Scratch for `longest` triangles was made.
static void cdt_edge_cut(ploy_cdt *cdt, ployi_cdt_mesh *mesh, int32_t from, int32_t to,
                         cdt_edge_step *step, int32_t longest) {
    ployi_cdt_link *left = PLOY_ARRAY_ITEMS(&cdt->links, ployi_cdt_link);
    ployi_cdt_link *right = left + longest + 2;
    int32_t *numbers = PLOY_ARRAY_ITEMS(&cdt->numbers, int32_t);
    int32_t *left_twin = numbers + longest, *right_twin = left_twin + longest + 2;
    int32_t *inner = right_twin + longest + 2;
    int32_t left_count = 0, right_count = 0, count = 0;
    ploy_cdt_edge crossed;
    uint32_t inside = mesh->triangles[step->triangle].flags & PLOY_CDT_INSIDE;
    (void)cdt_edge_channel(mesh, from, to, step, left, &left_count, right, &right_count, numbers,
                           &count, &crossed); // found free before
    for (int32_t i = 0, k = left_count - 1; i < k; i++, k--) {
        ployi_cdt_link swap = left[i];
        left[i] = left[k];
        left[k] = swap;
    }
    ployi_cdt_slots slots = {numbers, count, 0};
    cdt_edge_survey_side(mesh, left, left_count, left_twin);
    cdt_edge_survey_side(mesh, right, right_count, right_twin);
    int32_t half =
        cdt_edge_fill_side(mesh, left, left_count, from, &slots, inside, left_twin, inner);
    int32_t other = cdt_edge_fill_side(mesh, right, right_count, step->target, &slots, inside,
                                       right_twin, inner);
    PLOY_ASSERT(slots.used == slots.count);
    ployi_cdt_link_halves(mesh, half, other, true);
}

// Looks at all pieces without changing anything: how many there are and how long the longest
// channel is.
static ploy_result cdt_edge_survey(const ployi_cdt_mesh *mesh, int32_t from, int32_t to,
                                   int32_t *pieces, int32_t *longest, ploy_cdt_edge *crossed) {
    *pieces = *longest = 0;
    for (int32_t at = from; at != to; (*pieces)++) {
        cdt_edge_step step = cdt_edge_ahead(mesh, at, to);
        if (!step.exists) {
            int32_t count = 0;
            ploy_result result = cdt_edge_channel(mesh, at, to, &step, NULL, NULL, NULL, NULL, NULL,
                                                  &count, crossed);
            if (result != PLOY_OK) return result;
            if (count > *longest) *longest = count;
        }
        at = step.target;
    }
    return PLOY_OK;
}

ploy_result ployi_cdt_add_edge(ploy_cdt *cdt, ployi_cdt_mesh *mesh, int32_t from, int32_t to,
                               ploy_cdt_edge *crossed) {
    int32_t pieces = 0, longest = 0;
    ploy_result result = PLOY_OK;
    if (mesh->triangle_count > 0) {
        result = cdt_edge_survey(mesh, from, to, &pieces, &longest, crossed);
        if (result != PLOY_OK) return result;
    }
    // Everything that can fail comes first.
    uint64_t key = ployi_cdt_key(from, to);
    result = ploy_map_reserve(&mesh->pieces, mesh->pieces.count + pieces);
    if (result == PLOY_OK) result = ploy_map_reserve(&mesh->edges, mesh->edges.count + 1);
    if (result == PLOY_OK && cdt->links.count < 2 * longest + 4) {
        result = ploy_array_resize(&cdt->links, 2 * longest + 4);
    }
    if (result == PLOY_OK && cdt->numbers.count < 4 * longest + 6) {
        result = ploy_array_resize(&cdt->numbers, 4 * longest + 6);
    }
    if (result != PLOY_OK) return result;
    void *value = NULL;
    result = ploy_map_ensure(&mesh->edges, key, &value, NULL);
    if (result != PLOY_OK) return result;
    int32_t *count = value;
    *count += 1;
    mesh->vertices[from].uses++;
    mesh->vertices[to].uses++;
    if (mesh->triangle_count == 0) return PLOY_OK;
    for (int32_t at = from; at != to;) {
        cdt_edge_step step = cdt_edge_ahead(mesh, at, to);
        if (step.exists) {
            cdt_edge_flag(mesh, step.triangle, step.edge, true);
        } else {
            cdt_edge_cut(cdt, mesh, at, to, &step, longest);
        }
        cdt_edge_cover(mesh, at, step.target, 1, 1);
        at = step.target;
    }
    ployi_cdt_settle(mesh); // only now: the channels of later pieces stay as surveyed
    return PLOY_OK;
}

// ---- public ----

ploy_result ploy_cdt_insert_edge(ploy_cdt *cdt, int32_t from, int32_t to, ploy_diags *diags) {
    ployi_cdt_mesh *mesh = &cdt->mesh;
    if (!ploy_cdt_has_vertex(cdt, from) || !ploy_cdt_has_vertex(cdt, to) || from == to) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_cdt_edge crossed = {-1, -1};
    ploy_result result = ployi_cdt_add_edge(cdt, mesh, from, to, &crossed);
    if (result != PLOY_ERR_STATE) return result;
    // Identified by the constraint as it was added, of which the crossed piece may be a part.
    int32_t cursor = 0;
    uint64_t key;
    ploy_cdt_edge edge = crossed;
    while (ploy_map_next(&mesh->edges, &cursor, &key, NULL)) {
        ploy_cdt_edge candidate = {ployi_cdt_key_from(key), ployi_cdt_key_to(key)};
        if (!ployi_cdt_covers(mesh, candidate, crossed)) continue;
        edge = candidate;
        break;
    }
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message,
             "the constraint from vertex %d to %d crosses the one from %d to %d", (int)from,
             (int)to, (int)edge.from, (int)edge.to);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, "cdt", 0, 0, message, NULL, NULL);
    return result;
}

ploy_result ploy_cdt_remove_edge(ploy_cdt *cdt, int32_t from, int32_t to) {
    ployi_cdt_mesh *mesh = &cdt->mesh;
    if (!ploy_cdt_has_vertex(cdt, from) || !ploy_cdt_has_vertex(cdt, to)) return PLOY_ERR_NOT_FOUND;
    int32_t turn = 1;
    uint64_t key = ployi_cdt_key(from, to);
    int32_t *count = ploy_map_get(&mesh->edges, key);
    if (count == NULL) {
        turn = -1;
        key = ployi_cdt_key(to, from);
        count = ploy_map_get(&mesh->edges, key);
    }
    if (count == NULL) return PLOY_ERR_NOT_FOUND;
    *count -= 1;
    if (*count == 0) ploy_map_remove(&mesh->edges, key);
    mesh->vertices[from].uses--;
    mesh->vertices[to].uses--;
    if (mesh->triangle_count == 0) return PLOY_OK;
    cdt_edge_cover_line(mesh, from, to, -1, -turn);
    ployi_cdt_settle(mesh);
    return PLOY_OK;
}
