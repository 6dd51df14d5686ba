// The mesh of a triangulation: joining a vertex, flipping edges, filling holes. The invariants are
// listed in cdt_internal.h.
#include "geom/cdt_internal.h"

#include <string.h>

void ployi_cdt_mesh_init(ployi_cdt_mesh *mesh, const ploy_env *env) {
    memset(mesh, 0, sizeof *mesh);
    mesh->env = *env;
    mesh->free = -1;
    ploy_map_init(&mesh->pieces, sizeof(ployi_cdt_piece), env);
    ploy_map_init(&mesh->edges, sizeof(int32_t), env);
    ploy_array_init(&mesh->inputs, sizeof(int32_t), env);
}

void ployi_cdt_mesh_fini(ployi_cdt_mesh *mesh) {
    ploy_array_fini(&mesh->inputs);
    ploy_map_fini(&mesh->edges);
    ploy_map_fini(&mesh->pieces);
    ploy_env_free(&mesh->env, mesh->hints.cells,
                  (size_t)mesh->hints.capacity * sizeof *mesh->hints.cells);
    ploy_env_free(&mesh->env, mesh->block, mesh->size);
}

void ployi_cdt_mesh_clear(ployi_cdt_mesh *mesh) {
    mesh->slots = mesh->alive = 0;
    mesh->free = -1;
    mesh->triangle_count = 0;
    mesh->bounded = false;
    mesh->hints.columns = mesh->hints.rows = mesh->hints.made_for = 0;
    ploy_map_clear(&mesh->pieces);
    ploy_map_clear(&mesh->edges);
    ploy_array_clear(&mesh->inputs);
}

ploy_result ployi_cdt_mesh_reserve(ployi_cdt_mesh *mesh, int32_t vertices) {
    if (vertices <= mesh->capacity) return PLOY_OK;
    if (vertices > PLOY_CDT_MAX) return PLOY_ERR_LIMIT;
    int32_t half = mesh->capacity / 2, capacity = PLOY_CAPACITY(16);
    if (capacity < mesh->capacity + half) capacity = mesh->capacity + half;
    if (capacity < vertices) capacity = vertices;
    if (capacity > PLOY_CDT_MAX) capacity = PLOY_CDT_MAX;
    // One block: it grows as a whole or not at all. Widest items first, so that all are aligned.
    const size_t per_vertex = sizeof(ploy_vec2) + sizeof(ployi_cdt_vertex);
    const size_t per_triangle = sizeof(ploy_cdt_triangle) + sizeof(int32_t) + 1;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, per_vertex + 2 * per_triangle, &size)) {
        return PLOY_ERR_MEMORY;
    }
    unsigned char *block = ploy_env_alloc(&mesh->env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    size_t room = (size_t)capacity, count = (size_t)mesh->slots;
    ploy_vec2 *points = (ploy_vec2 *)(void *)block;
    ployi_cdt_vertex *records = (ployi_cdt_vertex *)(void *)(points + room);
    ploy_cdt_triangle *triangles = (ploy_cdt_triangle *)(void *)(records + room);
    int32_t *work = (int32_t *)(void *)(triangles + 2 * room);
    uint8_t *marks = (uint8_t *)(work + 2 * room);
    if (count > 0) {
        memcpy(points, mesh->points, count * sizeof *points);
        memcpy(records, mesh->vertices, count * sizeof *records);
        memcpy(triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *triangles);
    }
    memset(marks, 0, 2 * room);
    ploy_env_free(&mesh->env, mesh->block, mesh->size);
    mesh->block = block;
    mesh->size = size;
    mesh->capacity = capacity;
    mesh->points = points;
    mesh->vertices = records;
    mesh->triangles = triangles;
    mesh->work = work;
    mesh->marks = marks;
    return PLOY_OK;
}

static inline void cdt_mesh_set(ploy_cdt_triangle *triangle, int32_t a, int32_t b, int32_t c,
                                int32_t beyond_a, int32_t beyond_b, int32_t beyond_c,
                                uint32_t flags) {
    triangle->corner[0] = a;
    triangle->corner[1] = b;
    triangle->corner[2] = c;
    triangle->neighbour[0] = beyond_a;
    triangle->neighbour[1] = beyond_b;
    triangle->neighbour[2] = beyond_c;
    triangle->flags = flags;
}

void ployi_cdt_mesh_begin(ployi_cdt_mesh *mesh, int32_t a, int32_t b, int32_t c) {
    cdt_mesh_set(&mesh->triangles[0], a, b, c, -1, -1, -1,
                 mesh->bounded ? 0 : (uint32_t)PLOY_CDT_INSIDE);
    mesh->triangle_count = 1;
    mesh->vertices[a].triangle = mesh->vertices[b].triangle = mesh->vertices[c].triangle = 0;
}

// ---- joining a vertex ----
//
// Every triangle made on the way has the new vertex p as corner 0, so that edge 0 is the one to be
// looked at, and a waiting triangle needs no second number.

// Whether edge i of a triangle is a constraint, as bit 0.
static inline uint32_t cdt_mesh_bit(const ploy_cdt_triangle *triangle, int32_t i) {
    return triangle->flags >> i & 1u;
}

// Lawson's flips round p: the waiting triangles are (p, a, b); those beyond a - b join p where the
// edge must go.
static void cdt_mesh_flip_round(ployi_cdt_mesh *mesh) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    int32_t *work = mesh->work;
    int32_t waiting = mesh->work_count;
    while (waiting > 0) {
        int32_t index = work[waiting - 1];
        ploy_cdt_triangle *t = &triangles[index];
        int32_t beyond = t->neighbour[0];
        if (beyond < 0 || (t->flags & PLOY_CDT_CONSTRAINT_0) != 0) {
            waiting--;
            continue;
        }
        ploy_cdt_triangle *u = &triangles[beyond];
        int32_t j = ployi_cdt_side(u, index);
        int32_t p = t->corner[0], a = t->corner[1], b = t->corner[2], q = u->corner[j];
        if (!ployi_cdt_is_illegal(mesh->points, p, a, b, q)) {
            waiting--;
            continue;
        }
        //  (p, a, b) and (q, b, a) become (p, a, q) and (p, q, b).
        int32_t j1 = ployi_cdt_after(j), j2 = ployi_cdt_before(j);
        int32_t beyond_aq = u->neighbour[j1], beyond_qb = u->neighbour[j2];
        int32_t beyond_bp = t->neighbour[1];
        uint32_t aq = cdt_mesh_bit(u, j1), qb = cdt_mesh_bit(u, j2), bp = cdt_mesh_bit(t, 1);
        uint32_t pa = t->flags & PLOY_CDT_CONSTRAINT_2, inside = t->flags & PLOY_CDT_INSIDE;
        t->corner[2] = q;
        t->neighbour[0] = beyond_aq;
        t->neighbour[1] = beyond;
        t->flags = inside | aq | pa;
        cdt_mesh_set(u, p, q, b, beyond_qb, beyond_bp, index, inside | qb | bp << 1);
        ployi_cdt_tell(triangles, beyond_aq, beyond, index);
        ployi_cdt_tell(triangles, beyond_bp, index, beyond);
        mesh->vertices[a].triangle = index;
        mesh->vertices[b].triangle = beyond;
        work[waiting++] = beyond; // t stays below it
    }
    mesh->work_count = 0;
}

static void cdt_mesh_split_triangle(ployi_cdt_mesh *mesh, int32_t p, int32_t index) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    ploy_cdt_triangle old = triangles[index];
    int32_t second = mesh->triangle_count, third = second + 1;
    int32_t a = old.corner[0], b = old.corner[1], c = old.corner[2];
    uint32_t inside = old.flags & PLOY_CDT_INSIDE;
    mesh->triangle_count += 2;
    cdt_mesh_set(&triangles[index], p, a, b, old.neighbour[2], second, third,
                 inside | cdt_mesh_bit(&old, 2));
    cdt_mesh_set(&triangles[second], p, b, c, old.neighbour[0], third, index,
                 inside | cdt_mesh_bit(&old, 0));
    cdt_mesh_set(&triangles[third], p, c, a, old.neighbour[1], index, second,
                 inside | cdt_mesh_bit(&old, 1));
    ployi_cdt_tell(triangles, old.neighbour[0], index, second);
    ployi_cdt_tell(triangles, old.neighbour[1], index, third);
    mesh->vertices[p].triangle = mesh->vertices[a].triangle = index;
    mesh->vertices[b].triangle = mesh->vertices[c].triangle = second;
    mesh->work[0] = index;
    mesh->work[1] = second;
    mesh->work[2] = third;
    mesh->work_count = 3;
}

// Moves a piece's counts to the two parts that a vertex between its ends makes of it.
static void cdt_mesh_split_piece(ployi_cdt_mesh *mesh, int32_t low, int32_t high, int32_t middle) {
    if (low > high) {
        int32_t swap = low;
        low = high;
        high = swap;
    }
    ployi_cdt_piece *found = ploy_map_get(&mesh->pieces, ployi_cdt_key(low, high));
    PLOY_ASSERT(found != NULL);
    ployi_cdt_piece piece = *found, back = {piece.count, -piece.turn};
    ploy_map_remove(&mesh->pieces, ployi_cdt_key(low, high));
    // There is room: the caller that joins a vertex reserved it.
    (void)ploy_map_put(&mesh->pieces,
                       low < middle ? ployi_cdt_key(low, middle) : ployi_cdt_key(middle, low),
                       low < middle ? &piece : &back);
    (void)ploy_map_put(&mesh->pieces,
                       middle < high ? ployi_cdt_key(middle, high) : ployi_cdt_key(high, middle),
                       middle < high ? &piece : &back);
}

// p lies on edge i of the triangle (a, b, c), between b and c; beyond it may lie (d, c, b).
static void cdt_mesh_split_edge(ployi_cdt_mesh *mesh, int32_t p, int32_t index, int32_t i) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    ploy_cdt_triangle old = triangles[index];
    int32_t i1 = ployi_cdt_after(i), i2 = ployi_cdt_before(i);
    int32_t a = old.corner[i], b = old.corner[i1], c = old.corner[i2];
    int32_t second = mesh->triangle_count++;
    int32_t beyond = old.neighbour[i], fourth = beyond < 0 ? -1 : mesh->triangle_count++;
    uint32_t inside = old.flags & PLOY_CDT_INSIDE, bc = cdt_mesh_bit(&old, i);
    cdt_mesh_set(&triangles[index], p, a, b, old.neighbour[i2], fourth, second,
                 inside | cdt_mesh_bit(&old, i2) | bc << 1);
    cdt_mesh_set(&triangles[second], p, c, a, old.neighbour[i1], index, beyond,
                 inside | cdt_mesh_bit(&old, i1) | bc << 2);
    ployi_cdt_tell(triangles, old.neighbour[i1], index, second);
    mesh->vertices[p].triangle = mesh->vertices[a].triangle = index;
    mesh->vertices[b].triangle = index;
    mesh->vertices[c].triangle = second;
    mesh->work[0] = index;
    mesh->work[1] = second;
    mesh->work_count = 2;
    if (bc != 0) cdt_mesh_split_piece(mesh, b, c, p);
    if (beyond < 0) return;
    ploy_cdt_triangle other = triangles[beyond];
    int32_t j = ployi_cdt_side(&other, index);
    int32_t j1 = ployi_cdt_after(j), j2 = ployi_cdt_before(j), d = other.corner[j];
    inside = other.flags & PLOY_CDT_INSIDE;
    cdt_mesh_set(&triangles[beyond], p, d, c, other.neighbour[j2], second, fourth,
                 inside | cdt_mesh_bit(&other, j2) | bc << 1);
    cdt_mesh_set(&triangles[fourth], p, b, d, other.neighbour[j1], beyond, index,
                 inside | cdt_mesh_bit(&other, j1) | bc << 2);
    ployi_cdt_tell(triangles, other.neighbour[j1], beyond, fourth);
    mesh->vertices[d].triangle = beyond;
    mesh->work[2] = beyond;
    mesh->work[3] = fourth;
    mesh->work_count = 4;
}

int32_t ployi_cdt_hull_next(const ployi_cdt_mesh *mesh, int32_t half) {
    int32_t t = half / 3, k = ployi_cdt_before(half % 3); // k: the corner the edge leads to
    int32_t vertex = mesh->triangles[t].corner[k];
    for (;;) { // clockwise round it, to the hull
        int32_t edge = ployi_cdt_before(k), beyond = mesh->triangles[t].neighbour[edge];
        if (beyond < 0) return t * 3 + edge;
        t = beyond;
        k = ployi_cdt_corner(&mesh->triangles[t], vertex);
    }
}

static int32_t cdt_mesh_hull_before(const ployi_cdt_mesh *mesh, int32_t half) {
    int32_t t = half / 3, k = ployi_cdt_after(half % 3); // k: the corner the edge comes from
    int32_t vertex = mesh->triangles[t].corner[k];
    for (;;) { // counter-clockwise
        int32_t edge = ployi_cdt_after(k), beyond = mesh->triangles[t].neighbour[edge];
        if (beyond < 0) return t * 3 + edge;
        t = beyond;
        k = ployi_cdt_corner(&mesh->triangles[t], vertex);
    }
}

// Whether a vertex sees an edge of the hull from beyond it.
static inline bool cdt_mesh_sees(const ployi_cdt_mesh *mesh, int32_t p, int32_t half) {
    const ploy_cdt_triangle *t = &mesh->triangles[half / 3];
    int32_t from = t->corner[ployi_cdt_after(half % 3)];
    int32_t to = t->corner[ployi_cdt_before(half % 3)];
    return ployi_orient2(mesh->points[from], mesh->points[to], mesh->points[p]) < 0;
}

// p lies outside and sees the hull's edge `half`: a triangle on each edge it sees.
static void cdt_mesh_extend(ployi_cdt_mesh *mesh, int32_t p, int32_t half) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    for (;;) {
        int32_t before = cdt_mesh_hull_before(mesh, half);
        if (!cdt_mesh_sees(mesh, p, before)) break;
        half = before;
    }
    uint32_t inside = mesh->bounded ? 0 : (uint32_t)PLOY_CDT_INSIDE;
    int32_t last = -1;
    mesh->work_count = 0;
    for (;;) {
        // Asked before the edge gets its triangle: the walk over the hull needs it bare.
        int32_t next = ployi_cdt_hull_next(mesh, half);
        bool more = cdt_mesh_sees(mesh, p, next);
        int32_t t = half / 3, i = half % 3, index = mesh->triangle_count++;
        int32_t from = triangles[t].corner[ployi_cdt_after(i)];
        int32_t to = triangles[t].corner[ployi_cdt_before(i)];
        cdt_mesh_set(&triangles[index], p, to, from, t, last, -1,
                     inside | cdt_mesh_bit(&triangles[t], i));
        triangles[t].neighbour[i] = index;
        if (last >= 0) triangles[last].neighbour[2] = index;
        last = index;
        mesh->work[mesh->work_count++] = index;
        if (!more) break;
        half = next;
    }
    mesh->vertices[p].triangle = last;
}

void ployi_cdt_mesh_join(ployi_cdt_mesh *mesh, int32_t vertex, ploy_cdt_location at) {
    PLOY_ASSERT(mesh->triangle_count + 2 <= 2 * mesh->capacity);
    switch (at.place) {
    case PLOY_CDT_IN_TRIANGLE: cdt_mesh_split_triangle(mesh, vertex, at.triangle); break;
    case PLOY_CDT_ON_EDGE: cdt_mesh_split_edge(mesh, vertex, at.triangle, at.index); break;
    default: cdt_mesh_extend(mesh, vertex, at.triangle * 3 + at.index); break;
    }
    cdt_mesh_flip_round(mesh);
}

// ---- flips anywhere ----

void ployi_cdt_touch(ployi_cdt_mesh *mesh, int32_t triangle) {
    if (mesh->marks[triangle] != 0) return;
    mesh->marks[triangle] = 1;
    mesh->work[mesh->work_count++] = triangle;
}

// Turns edge i of a triangle into the other diagonal: (p, a, b) and (q, b, a) become (p, a, q) and
// (q, b, p), in place.
static void cdt_mesh_flip(ployi_cdt_mesh *mesh, int32_t index, int32_t i) {
    ploy_cdt_triangle *triangles = mesh->triangles, *t = &triangles[index];
    int32_t beyond = t->neighbour[i];
    ploy_cdt_triangle *u = &triangles[beyond];
    int32_t j = ployi_cdt_side(u, index);
    int32_t i1 = ployi_cdt_after(i), i2 = ployi_cdt_before(i);
    int32_t j1 = ployi_cdt_after(j), j2 = ployi_cdt_before(j);
    int32_t p = t->corner[i], q = u->corner[j], a = t->corner[i1], b = t->corner[i2];
    int32_t beyond_aq = u->neighbour[j1], beyond_bp = t->neighbour[i1];
    uint32_t aq = cdt_mesh_bit(u, j1), bp = cdt_mesh_bit(t, i1);
    t->corner[i2] = q;
    u->corner[j2] = p;
    t->neighbour[i] = beyond_aq;
    u->neighbour[j] = beyond_bp;
    t->neighbour[i1] = beyond;
    u->neighbour[j1] = index;
    t->flags = (t->flags & ~(1u << i | 1u << i1)) | aq << i;
    u->flags = (u->flags & ~(1u << j | 1u << j1)) | bp << j;
    ployi_cdt_tell(triangles, beyond_aq, beyond, index);
    ployi_cdt_tell(triangles, beyond_bp, index, beyond);
    mesh->vertices[a].triangle = index;
    mesh->vertices[b].triangle = beyond;
}

void ployi_cdt_settle(ployi_cdt_mesh *mesh) {
    while (mesh->work_count > 0) {
        int32_t index = mesh->work[--mesh->work_count];
        const ploy_cdt_triangle *t = &mesh->triangles[index];
        mesh->marks[index] = 0;
        for (int32_t i = 0; i < 3; i++) {
            int32_t beyond = t->neighbour[i];
            if (beyond < 0 || cdt_mesh_bit(t, i) != 0) continue;
            const ploy_cdt_triangle *u = &mesh->triangles[beyond];
            int32_t q = u->corner[ployi_cdt_side(u, index)];
            if (!ployi_cdt_is_illegal(mesh->points, t->corner[i], t->corner[ployi_cdt_after(i)],
                                      t->corner[ployi_cdt_before(i)], q)) {
                continue;
            }
            cdt_mesh_flip(mesh, index, i);
            ployi_cdt_touch(mesh, index);
            ployi_cdt_touch(mesh, beyond);
            break;
        }
    }
}

// ---- holes ----

void ployi_cdt_link_halves(ployi_cdt_mesh *mesh, int32_t a, int32_t b, bool constrained) {
    const int32_t halves[2] = {a, b};
    for (int32_t k = 0; k < 2; k++) {
        if (halves[k] < 0) continue;
        ploy_cdt_triangle *t = &mesh->triangles[halves[k] / 3];
        t->neighbour[halves[k] % 3] = halves[1 - k] < 0 ? -1 : halves[1 - k] / 3;
        t->flags &= ~(1u << halves[k] % 3);
        if (constrained) t->flags |= 1u << halves[k] % 3;
    }
}

// Makes the link's edge edge i of a new triangle.
static void cdt_mesh_attach(ployi_cdt_mesh *mesh, int32_t index, int32_t i,
                            const ployi_cdt_link *link, int32_t *inner) {
    int32_t half = index * 3 + i;
    ployi_cdt_link_halves(mesh, half, link->outer, link->constrained);
    if (link->outer < -1) inner[-2 - link->outer] = half;
}

// A triangle on two links that follow each other, from x over y to z. Edge 1, from z to x, is open:
// x's link becomes the edge from x to z.
static int32_t cdt_mesh_ear(ployi_cdt_mesh *mesh, ployi_cdt_link *x, const ployi_cdt_link *y,
                            int32_t z, ployi_cdt_slots *slots, uint32_t inside, int32_t *inner) {
    PLOY_ASSERT(slots->used < slots->count);
    int32_t index = slots->items[slots->used++];
    cdt_mesh_set(&mesh->triangles[index], x->vertex, y->vertex, z, -1, -1, -1, inside);
    cdt_mesh_attach(mesh, index, 2, x, inner);
    cdt_mesh_attach(mesh, index, 0, y, inner);
    mesh->vertices[x->vertex].triangle = index;
    mesh->vertices[y->vertex].triangle = index;
    mesh->vertices[z].triangle = index;
    x->outer = index * 3 + 1;
    x->constrained = false;
    ployi_cdt_touch(mesh, index);
    return index;
}

// As Graham's scan. No other vertex of the chain can lie in a triangle cut off: each sees its own
// part of the far side of the hole, and the parts are in the chain's order.
int32_t ployi_cdt_fill_chain(ployi_cdt_mesh *mesh, ployi_cdt_link *chain, int32_t count,
                             ployi_cdt_slots *slots, uint32_t inside, int32_t *inner) {
    const ploy_vec2 *points = mesh->points;
    int32_t top = 0; // chain [0, top] is done
    for (int32_t k = 1; k < count; k++) {
        ployi_cdt_link next = chain[k];
        while (top >= 1 && ployi_orient2(points[chain[top - 1].vertex], points[chain[top].vertex],
                                         points[next.vertex]) > 0) {
            cdt_mesh_ear(mesh, &chain[top - 1], &chain[top], next.vertex, slots, inside, inner);
            top--;
        }
        chain[++top] = next;
    }
    return top + 1;
}

// Cuts ears that leave the centre on the hole's side, so that what is left stays a star round it
// (Devillers, "On deletion in Delaunay triangulations", 1999). There always is such an ear.
void ployi_cdt_fill_ring(ployi_cdt_mesh *mesh, ployi_cdt_link *ring, int32_t count,
                         ploy_vec2 centre, ployi_cdt_slots *slots, uint32_t inside, int32_t *next,
                         int32_t *before) {
    const ploy_vec2 *points = mesh->points;
    for (int32_t i = 0; i < count; i++) {
        next[i] = i + 1 < count ? i + 1 : 0;
        before[i] = i > 0 ? i - 1 : count - 1;
    }
    int32_t y = 0;
    for (int32_t left = count; left > 3;) {
        int32_t x = before[y], z = next[y];
        ploy_vec2 from = points[ring[x].vertex], to = points[ring[z].vertex];
        if (ployi_orient2(from, points[ring[y].vertex], to) > 0 &&
            ployi_orient2(from, to, centre) >= 0) {
            cdt_mesh_ear(mesh, &ring[x], &ring[y], ring[z].vertex, slots, inside, NULL);
            next[x] = z;
            before[z] = x;
            left--;
            y = x;
        } else {
            y = z;
        }
    }
    int32_t x = before[y], z = next[y];
    int32_t last = cdt_mesh_ear(mesh, &ring[x], &ring[y], ring[z].vertex, slots, inside, NULL);
    cdt_mesh_attach(mesh, last, 1, &ring[z], NULL);
}

// Moves the last triangle into a slot.
static void cdt_mesh_move(ployi_cdt_mesh *mesh, int32_t from, int32_t to) {
    ploy_cdt_triangle *triangles = mesh->triangles;
    triangles[to] = triangles[from];
    for (int32_t i = 0; i < 3; i++) {
        ployi_cdt_tell(triangles, triangles[to].neighbour[i], from, to);
        mesh->vertices[triangles[to].corner[i]].triangle = to;
    }
}

void ployi_cdt_slots_finish(ployi_cdt_mesh *mesh, const ployi_cdt_slots *slots) {
    for (int32_t k = slots->used; k < slots->count; k++) {
        mesh->triangles[slots->items[k]].corner[0] = -1; // no owner
    }
    for (int32_t k = slots->used; k < slots->count; k++) {
        while (mesh->triangle_count > 0 &&
               mesh->triangles[mesh->triangle_count - 1].corner[0] < 0) {
            mesh->triangle_count--;
        }
        if (slots->items[k] >= mesh->triangle_count) continue;
        cdt_mesh_move(mesh, mesh->triangle_count - 1, slots->items[k]);
        mesh->triangle_count--;
    }
}

// ---- order ----

static inline bool cdt_mesh_before(const ploy_vec2 *points, int32_t a, int32_t b) {
    return ployi_cdt_less(points[a], points[b]) || (ployi_cdt_same(points[a], points[b]) && a < b);
}

static void cdt_mesh_sift(const ploy_vec2 *points, int32_t *items, int32_t root, int32_t count) {
    for (int32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && cdt_mesh_before(points, items[child], items[child + 1])) child++;
        if (!cdt_mesh_before(points, items[root], items[child])) return;
        int32_t swap = items[root];
        items[root] = items[child];
        items[child] = swap;
        root = child;
    }
}

void ployi_cdt_sort(const ploy_vec2 *points, int32_t *items, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--) cdt_mesh_sift(points, items, i, count);
    for (int32_t end = count - 1; end > 0; end--) {
        int32_t swap = items[0];
        items[0] = items[end];
        items[end] = swap;
        cdt_mesh_sift(points, items, 0, end);
    }
}
