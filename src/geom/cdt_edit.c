// Adding and removing single points of a triangulation.
#include "geom/cdt_internal.h"

// Whether a point lies off the line that all vertices lie on; there may be fewer than two.
static bool cdt_edit_leaves_line(const ployi_cdt_mesh *mesh, ploy_vec2 point) {
    int32_t first = -1;
    for (int32_t v = 0; v < mesh->slots; v++) {
        if (mesh->vertices[v].triangle == PLOYI_CDT_GONE) continue;
        if (first < 0) {
            first = v;
        } else {
            return ployi_orient2(mesh->points[first], mesh->points[v], point) != 0;
        }
    }
    return false;
}

// The first triangles: vertex p and all others, which lie on one line beside it.
static void cdt_edit_raise(ployi_cdt_mesh *mesh, int32_t p) {
    int32_t count = 0, *order = mesh->work;
    for (int32_t v = 0; v < mesh->slots; v++) {
        if (v != p && mesh->vertices[v].triangle != PLOYI_CDT_GONE) order[count++] = v;
    }
    ployi_cdt_sort(mesh->points, order, count);
    if (ployi_orient2(mesh->points[order[0]], mesh->points[order[1]], mesh->points[p]) < 0) {
        for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
            int32_t swap = order[i];
            order[i] = order[k];
            order[k] = swap;
        }
    }
    // p lies to the left of the path along `order`.
    ployi_cdt_mesh_begin(mesh, p, order[0], order[1]);
    for (int32_t i = 1; i + 1 < count; i++) {
        ploy_cdt_triangle t = {
            {p, order[i], order[i + 1]}, {-1, -1, i - 1}, mesh->triangles[0].flags};
        mesh->triangles[i] = t;
        mesh->triangles[i - 1].neighbour[1] = i;
        mesh->vertices[order[i + 1]].triangle = i;
        mesh->triangle_count++;
    }
    ployi_cdt_cover_all(mesh);
}

// Takes a number; there is room.
static int32_t cdt_edit_take(ployi_cdt_mesh *mesh, ploy_vec2 point) {
    int32_t vertex = mesh->free;
    if (vertex >= 0) {
        mesh->free = mesh->vertices[vertex].uses;
    } else {
        vertex = mesh->slots++;
    }
    mesh->points[vertex] = point;
    mesh->vertices[vertex].triangle = PLOYI_CDT_LONE;
    mesh->vertices[vertex].uses = 0;
    mesh->alive++;
    return vertex;
}

ploy_result ploy_cdt_insert_point(ploy_cdt *cdt, ploy_vec2 point, int32_t *vertex) {
    ployi_cdt_mesh *mesh = &cdt->mesh;
    if (!ploy_vec2_is_finite(point)) return PLOY_ERR_ARGUMENT;
    point.x += 0.0f; // -0 becomes 0
    point.y += 0.0f;
    ploy_cdt_location at = ployi_cdt_locate(mesh, point, -1);
    if (at.place == PLOY_CDT_ON_VERTEX) {
        if (vertex != NULL) *vertex = at.vertex;
        return PLOY_OK;
    }
    bool raise = mesh->triangle_count == 0 && cdt_edit_leaves_line(mesh, point);
    ploy_result result = PLOY_OK;
    if (mesh->free < 0) result = ployi_cdt_mesh_reserve(mesh, mesh->slots + 1);
    // Two more when a piece is divided; when triangles come to be, at most one between neighbours.
    int32_t pieces = mesh->pieces.count + (raise ? mesh->alive : 2);
    if (result == PLOY_OK) result = ploy_map_reserve(&mesh->pieces, pieces);
    if (result == PLOY_OK) result = ployi_cdt_hints_reserve(mesh, mesh->capacity);
    if (result != PLOY_OK) return result;
    int32_t taken = cdt_edit_take(mesh, point);
    if (raise) {
        cdt_edit_raise(mesh, taken);
        ployi_cdt_hints_make(mesh);
    } else if (mesh->triangle_count > 0) {
        ployi_cdt_mesh_join(mesh, taken, at);
        ployi_cdt_hints_set(mesh, taken);
    }
    if (vertex != NULL) *vertex = taken;
    return PLOY_OK;
}

// ---- removing ----

// The star of a vertex.
typedef struct cdt_edit_star {
    int32_t count;      // triangles
    bool closed;        // they go all round
    int32_t spokes;     // edges from the vertex that are constraints
    int32_t spoke[2];   // places in the fan: the constraint leads to the vertex that link begins at
    uint32_t inside[2]; // from spoke[0] to spoke[1], and from there on
} cdt_edit_star;

// The count of triangles round a vertex, to make room by.
static int32_t cdt_edit_degree(const ploy_cdt *cdt, int32_t vertex) {
    int32_t count = 0;
    for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, vertex); fan.triangle >= 0;
         ploy_cdt_fan_next(cdt, &fan)) {
        count++;
    }
    return count;
}

// Reads the star: links [0, count) are its border, and for an open one links[count] is the last
// vertex.
static cdt_edit_star cdt_edit_read_star(const ploy_cdt *cdt, int32_t vertex, ployi_cdt_link *links,
                                        int32_t *slots) {
    const ploy_cdt_triangle *triangles = cdt->mesh.triangles;
    cdt_edit_star star = {0, true, 0, {0, 0}, {0, 0}};
    int32_t last = -1;
    for (ploy_cdt_fan fan = ploy_cdt_fan_begin(cdt, vertex); fan.triangle >= 0;
         ploy_cdt_fan_next(cdt, &fan)) {
        const ploy_cdt_triangle *t = &triangles[fan.triangle];
        int32_t k = fan.corner, k1 = ployi_cdt_after(k), k2 = ployi_cdt_before(k);
        int32_t beyond = t->neighbour[k];
        ployi_cdt_link link = {t->corner[k1], -1, fan.triangle * 3 + k, (t->flags >> k & 1u) != 0};
        if (beyond >= 0) {
            link.outer = beyond * 3 + ployi_cdt_side(&triangles[beyond], fan.triangle);
        }
        if ((t->flags >> k2 & 1u) != 0) { // the edge from the vertex to where the link begins
            if (star.spokes < 2) star.spoke[star.spokes] = star.count;
            star.spokes++;
        }
        star.inside[star.spokes == 1 ? 0 : 1] = t->flags & PLOY_CDT_INSIDE;
        slots[star.count] = fan.triangle;
        links[star.count++] = link;
        if (t->neighbour[k2] < 0) star.closed = false;
        if (t->neighbour[k1] < 0) { // the last of an open star
            last = t->corner[k2];
            if ((t->flags >> k1 & 1u) != 0) {
                if (star.spokes < 2) star.spoke[star.spokes] = star.count;
                star.spokes++;
            }
        }
    }
    if (!star.closed) {
        ployi_cdt_link end = {last, -1, -1, false};
        links[star.count] = end;
    }
    return star;
}

// Makes one piece of the two on both sides of a vertex. They are covered alike, because nothing
// ends there.
static void cdt_edit_join_pieces(ployi_cdt_mesh *mesh, int32_t a, int32_t middle, int32_t b) {
    uint64_t first = a < middle ? ployi_cdt_key(a, middle) : ployi_cdt_key(middle, a);
    uint64_t second = b < middle ? ployi_cdt_key(b, middle) : ployi_cdt_key(middle, b);
    const ployi_cdt_piece *found = ploy_map_get(&mesh->pieces, first);
    PLOY_ASSERT(found != NULL);
    ployi_cdt_piece piece = *found;
    if ((a < middle) != (a < b)) piece.turn = -piece.turn;
    ploy_map_remove(&mesh->pieces, first);
    ploy_map_remove(&mesh->pieces, second);
    // Two went, so there is room.
    (void)ploy_map_put(&mesh->pieces, a < b ? ployi_cdt_key(a, b) : ployi_cdt_key(b, a), &piece);
}

// A constraint passes from links[first] over the vertex to links[second]: both sides are filled by
// themselves, and the constraint lies between them.
static void cdt_edit_fill_through(ployi_cdt_mesh *mesh, const cdt_edit_star *star,
                                  ployi_cdt_link *links, ployi_cdt_link *chain,
                                  ployi_cdt_slots *slots) {
    int32_t halves[2] = {-1, -1};
    int32_t start = star->spoke[0], stop = star->spoke[1];
    for (int32_t side = 0; side < (star->closed ? 2 : 1); side++) {
        int32_t length = stop - start + (stop < start ? star->count : 0);
        for (int32_t k = 0; k <= length; k++) {
            int32_t at = start + k;
            if (star->closed && at >= star->count) at -= star->count;
            chain[k] = links[at];
        }
        int32_t left =
            ployi_cdt_fill_chain(mesh, chain, length + 1, slots, star->inside[side], NULL);
        PLOY_ASSERT(left == 2);
        (void)left;
        halves[side] = chain[0].outer;
        int32_t swap = start;
        start = stop;
        stop = swap;
    }
    ployi_cdt_link_halves(mesh, halves[0], halves[1], true);
}

// Nothing has area any more: the vertices that are left lie on one line.
static void cdt_edit_flatten(ployi_cdt_mesh *mesh) {
    for (int32_t v = 0; v < mesh->slots; v++) {
        if (mesh->vertices[v].triangle != PLOYI_CDT_GONE) {
            mesh->vertices[v].triangle = PLOYI_CDT_LONE;
        }
    }
    ploy_map_clear(&mesh->pieces);
    ployi_cdt_hints_make(mesh);
}

static void cdt_edit_give_back(ployi_cdt_mesh *mesh, int32_t vertex) {
    mesh->vertices[vertex].triangle = PLOYI_CDT_GONE;
    mesh->vertices[vertex].uses = mesh->free;
    mesh->free = vertex;
    mesh->alive--;
}

ploy_result ploy_cdt_remove_point(ploy_cdt *cdt, int32_t vertex) {
    ployi_cdt_mesh *mesh = &cdt->mesh;
    if (!ploy_cdt_has_vertex(cdt, vertex)) return PLOY_ERR_NOT_FOUND;
    if (mesh->vertices[vertex].uses > 0) return PLOY_ERR_STATE;
    if (mesh->triangle_count == 0) {
        cdt_edit_give_back(mesh, vertex);
        return PLOY_OK;
    }
    int32_t degree = cdt_edit_degree(cdt, vertex);
    ploy_result result = PLOY_OK;
    if (cdt->links.count < 2 * degree + 4) {
        result = ploy_array_resize(&cdt->links, 2 * degree + 4);
    }
    if (result == PLOY_OK && cdt->numbers.count < 3 * degree + 3) {
        result = ploy_array_resize(&cdt->numbers, 3 * degree + 3);
    }
    if (result != PLOY_OK) return result;
    ployi_cdt_link *links = PLOY_ARRAY_ITEMS(&cdt->links, ployi_cdt_link);
    int32_t *numbers = PLOY_ARRAY_ITEMS(&cdt->numbers, int32_t);
    cdt_edit_star star = cdt_edit_read_star(cdt, vertex, links, numbers);
    if (star.spokes > 2) return PLOY_ERR_STATE;
    PLOY_ASSERT(star.spokes != 1);
    // From here on nothing fails. A vertex that loses all its triangles gets new ones below.
    int32_t ends = star.count + (star.closed ? 0 : 1);
    ployi_cdt_hints_replace(mesh, vertex, links[0].vertex);
    for (int32_t k = 0; k < ends; k++) {
        mesh->vertices[links[k].vertex].triangle = PLOYI_CDT_LONE;
    }
    for (int32_t k = 0; k < star.count; k++) {
        int32_t outer = links[k].outer;
        if (outer < 0) continue;
        int32_t next = k + 1 < ends ? k + 1 : 0;
        mesh->vertices[links[k].vertex].triangle = outer / 3;
        mesh->vertices[links[next].vertex].triangle = outer / 3;
        mesh->triangles[outer / 3].neighbour[outer % 3] = -1;
    }
    ployi_cdt_slots slots = {numbers, star.count, 0};
    if (star.spokes == 2) {
        int32_t a = links[star.spoke[0]].vertex, b = links[star.spoke[1]].vertex;
        cdt_edit_fill_through(mesh, &star, links, links + degree + 2, &slots);
        cdt_edit_join_pieces(mesh, a, vertex, b);
    } else if (star.closed) {
        ployi_cdt_fill_ring(mesh, links, star.count, mesh->points[vertex], &slots, star.inside[1],
                            numbers + degree, numbers + 2 * degree);
    } else {
        (void)ployi_cdt_fill_chain(mesh, links, star.count + 1, &slots, star.inside[1], NULL);
    }
    ployi_cdt_settle(mesh);
    ployi_cdt_slots_finish(mesh, &slots);
    cdt_edit_give_back(mesh, vertex);
    if (mesh->triangle_count == 0) cdt_edit_flatten(mesh);
    return PLOY_OK;
}
