// Joining pieces of floor along the sides of their squares.
//
// Pieces meet along axis-parallel lines on which their vertices lie exactly, so that everything is
// decided by comparing numbers. First each piece takes its neighbours' vertices into its sides as
// corners, then edges and vertices at the same places are the same:
//
//       a piece     its neighbour           the piece then
//      +---------+  +---------+             +---------+
//      |         |  |  hole   |             |         |
//      |         |  +----+    |             +  <- a corner of the neighbour
//      |         |  |    |    |             |         |  and below it the edge that both have
//      +---------+  +----+----+             +---------+
//
// Places on a side depend on the two pieces there alone, and mates are places in the other's list:
// a piece that is joined again because of another neighbour has the same ones here as before.
#include "path/navmesh_join.h"

#include <string.h>

#include "ploy/base/math.h"

void ployi_nav_piece_init(ployi_nav_piece *piece, ploy_box2 square, const ploy_env *env) {
    memset(piece, 0, sizeof *piece);
    piece->square = square;
    ploy_array_init(&piece->vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&piece->sizes, sizeof(int32_t), env);
    ploy_array_init(&piece->corners, sizeof(int32_t), env);
    ploy_array_init(&piece->twins, sizeof(int32_t), env);
    ploy_array_init(&piece->all_vertices, sizeof(ploy_vec3), env);
    ploy_array_init(&piece->all_sizes, sizeof(int32_t), env);
    ploy_array_init(&piece->all_corners, sizeof(int32_t), env);
    ploy_array_init(&piece->all_twins, sizeof(int32_t), env);
    for (int32_t i = 0; i < 2 * PLOYI_NAV_SIDES; i++) {
        ploy_array_init(&piece->rims[i % 2][i / 2], sizeof(ployi_nav_rim), env);
    }
}

void ployi_nav_piece_fini(ployi_nav_piece *piece) {
    for (int32_t i = 0; i < 2 * PLOYI_NAV_SIDES; i++) ploy_array_fini(&piece->rims[i % 2][i / 2]);
    ploy_array_fini(&piece->all_twins);
    ploy_array_fini(&piece->all_corners);
    ploy_array_fini(&piece->all_sizes);
    ploy_array_fini(&piece->all_vertices);
    ploy_array_fini(&piece->twins);
    ploy_array_fini(&piece->corners);
    ploy_array_fini(&piece->sizes);
    ploy_array_fini(&piece->vertices);
}

void ployi_nav_piece_clear(ployi_nav_piece *piece) {
    ploy_array_clear(&piece->vertices);
    ploy_array_clear(&piece->sizes);
    ploy_array_clear(&piece->corners);
    ploy_array_clear(&piece->twins);
    piece->skipped = piece->t_junctions = 0;
}

// Vertices are the same or differ, and what was rounded to nothing is left out.
static ploy_navmesh_def navjoin_def(void) {
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.weld = 0.0f;
    def.stitch = true;
    def.skip_faults = true;
    return def;
}

static ploy_result navjoin_copy(ploy_array *array, const void *items, int32_t count) {
    return count > 0 ? ploy_array_push_many(array, items, count) : PLOY_OK;
}

ploy_result ployi_nav_piece_set(ployi_nav_piece *piece, const ploy_navmesh_soup *soup,
                                const ploy_env *env, ploy_diags *diags) {
    ploy_navmesh_def def = navjoin_def();
    ploy_navmesh *mesh = NULL;
    ployi_nav_piece_clear(piece);
    ploy_result result = ployi_nav_build(&def, soup, NULL, NULL, env, diags, &mesh);
    if (result != PLOY_OK) return result;
    const ploy_navmesh_stats *stats = &mesh->stats;
    result = navjoin_copy(&piece->vertices, mesh->vertices, stats->vertices);
    for (int32_t i = 0; i < stats->polygons && result == PLOY_OK; i++) {
        int32_t size = ployi_nav_count(&mesh->polygons[i]);
        result = ploy_array_push(&piece->sizes, &size);
    }
    for (int32_t e = 0; e < stats->edges && result == PLOY_OK; e++) {
        result = ploy_array_push(&piece->corners, &mesh->edges[e].vertex);
    }
    for (int32_t e = 0; e < stats->edges && result == PLOY_OK; e++) {
        result = ploy_array_push(&piece->twins, &mesh->edges[e].twin);
    }
    piece->skipped = stats->skipped;
    piece->t_junctions = stats->t_junctions;
    ploy_navmesh_destroy(mesh);
    if (result != PLOY_OK) ployi_nav_piece_clear(piece);
    return result;
}

// ---- sides ----

// True if a vertex is on that side; *along is where then.
static bool navjoin_on(ploy_box2 square, int32_t side, ploy_vec3 at, float *along) {
    *along = side % 2 == 0 ? at.x : at.y;
    switch (side) {
    case 0: return at.y == square.min.y;
    case 1: return at.x == square.max.x;
    case 2: return at.y == square.max.y;
    default: return at.x == square.min.x;
    }
}

static bool navjoin_before(const ployi_nav_rim *a, const ployi_nav_rim *b) {
    return a->along != b->along ? a->along < b->along : a->index < b->index;
}

// Shell's sort: sides have few vertices as a rule, and many must not take forever.
static void navjoin_sort(ploy_array *array) {
    ployi_nav_rim *items = PLOY_ARRAY_ITEMS(array, ployi_nav_rim);
    for (int32_t gap = array->count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
        for (int32_t i = gap; i < array->count; i++) {
            ployi_nav_rim item = items[i];
            int32_t at = i;
            for (; at >= gap && navjoin_before(&item, &items[at - gap]); at -= gap) {
                items[at] = items[at - gap];
            }
            items[at] = item;
        }
    }
}

// The vertices on a side, ascending.
static ploy_result navjoin_rim(const ploy_array *vertices, ploy_box2 square, int32_t side,
                               ploy_array *out) {
    const ploy_vec3 *at = PLOY_ARRAY_ITEMS(vertices, ploy_vec3);
    ploy_result result = PLOY_OK;
    ploy_array_clear(out);
    for (int32_t i = 0; i < vertices->count && result == PLOY_OK; i++) {
        ployi_nav_rim rim = {0.0f, 0.0f, i, -1};
        if (!navjoin_on(square, side, at[i], &rim.along)) continue;
        rim.end = rim.along;
        result = ploy_array_push(out, &rim);
    }
    navjoin_sort(out);
    return result;
}

// Which side an edge that nothing is behind lies on; -1: none.
static int32_t navjoin_side(const ployi_nav_piece *piece, const ploy_vec3 *from,
                            const ploy_vec3 *to) {
    float along;
    for (int32_t side = 0; side < PLOYI_NAV_SIDES; side++) {
        if (navjoin_on(piece->square, side, *from, &along) &&
            navjoin_on(piece->square, side, *to, &along)) {
            return side;
        }
    }
    return -1;
}

// ---- joining ----

// Adds the neighbour's vertices strictly between two corners as corners, in the order in which the
// edge goes. `line` holds those on the side.
static ploy_result navjoin_insert(ployi_nav_piece *piece, int32_t side, ploy_vec3 from,
                                  ploy_vec3 to, const ploy_array *line) {
    const ployi_nav_rim *rims = PLOY_ARRAY_ITEMS(line, ployi_nav_rim);
    float begin, end;
    navjoin_on(piece->square, side, from, &begin);
    navjoin_on(piece->square, side, to, &end);
    bool forward = begin < end;
    float low = forward ? begin : end, high = forward ? end : begin;
    int32_t first = 0, last = line->count; // by halving: the first above low
    while (first < last) {
        int32_t half = first + (last - first) / 2;
        if (rims[half].along > low) {
            last = half;
        } else {
            first = half + 1;
        }
    }
    while (last < line->count && rims[last].along < high) last++;
    ploy_result result = PLOY_OK;
    for (int32_t k = 0; k < last - first && result == PLOY_OK; k++) {
        ploy_vec3 at = from;
        int32_t vertex = piece->all_vertices.count, none = -1;
        float along = rims[forward ? first + k : last - 1 - k].along;
        *(side % 2 == 0 ? &at.x : &at.y) = along;
        result = ploy_array_push(&piece->all_vertices, &at);
        if (result == PLOY_OK) result = ploy_array_push(&piece->all_corners, &vertex);
        if (result == PLOY_OK) result = ploy_array_push(&piece->all_twins, &none);
    }
    return result;
}

// The polygons with the new corners. `moved` gets where each edge is now.
static ploy_result navjoin_polygons(ployi_nav_piece *piece, int32_t *moved) {
    const ploy_vec3 *at = PLOY_ARRAY_ITEMS(&piece->vertices, ploy_vec3);
    const int32_t *sizes = PLOY_ARRAY_ITEMS(&piece->sizes, int32_t);
    const int32_t *corners = PLOY_ARRAY_ITEMS(&piece->corners, int32_t);
    const int32_t *twins = PLOY_ARRAY_ITEMS(&piece->twins, int32_t);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0, e = 0; i < piece->sizes.count && result == PLOY_OK; i++) {
        int32_t first = e, before = piece->all_corners.count;
        for (; e < first + sizes[i] && result == PLOY_OK; e++) {
            ploy_vec3 from = at[corners[e]];
            ploy_vec3 to = at[corners[e + 1 < first + sizes[i] ? e + 1 : first]];
            moved[e] = piece->all_corners.count;
            result = ploy_array_push(&piece->all_corners, &corners[e]);
            if (result == PLOY_OK) result = ploy_array_push(&piece->all_twins, &twins[e]);
            int32_t side = twins[e] < 0 ? navjoin_side(piece, &from, &to) : -1;
            if (side >= 0 && result == PLOY_OK) {
                result = navjoin_insert(piece, side, from, to, &piece->rims[0][side]);
            }
        }
        int32_t size = piece->all_corners.count - before;
        if (result == PLOY_OK && size > PLOY_NAVMESH_POLYGON_MAX) result = PLOY_ERR_LIMIT;
        if (result == PLOY_OK) result = ploy_array_push(&piece->all_sizes, &size);
    }
    int32_t *all = PLOY_ARRAY_ITEMS(&piece->all_twins, int32_t);
    for (int32_t i = 0; i < piece->all_twins.count && result == PLOY_OK; i++) {
        if (all[i] >= 0) all[i] = moved[all[i]];
    }
    return result;
}

// The lists of what is on each side.
static ploy_result navjoin_rims(ployi_nav_piece *piece) {
    ploy_result result = PLOY_OK;
    for (int32_t side = 0; side < PLOYI_NAV_SIDES && result == PLOY_OK; side++) {
        ploy_array *rim = &piece->rims[0][side];
        result = navjoin_rim(&piece->all_vertices, piece->square, side, rim);
        ploy_array_clear(&piece->rims[1][side]);
        // Sides 0 and 1 begin at their lower ends, 2 and 3 at their upper ones.
        const ploy_box2 *box = &piece->square;
        float ends[PLOYI_NAV_SIDES] = {box->min.x, box->min.y, box->max.x, box->max.y};
        piece->corner[side] = -1;
        if (rim->count == 0) continue;
        const ployi_nav_rim *first =
            PLOY_ARRAY_AT(rim, ployi_nav_rim, side < 2 ? 0 : rim->count - 1);
        if (first->along == ends[side]) piece->corner[side] = first->index;
    }
    const ploy_vec3 *at = PLOY_ARRAY_ITEMS(&piece->all_vertices, ploy_vec3);
    const int32_t *sizes = PLOY_ARRAY_ITEMS(&piece->all_sizes, int32_t);
    const int32_t *corners = PLOY_ARRAY_ITEMS(&piece->all_corners, int32_t);
    const int32_t *twins = PLOY_ARRAY_ITEMS(&piece->all_twins, int32_t);
    for (int32_t i = 0, e = 0; i < piece->all_sizes.count && result == PLOY_OK; i++) {
        int32_t first = e;
        for (; e < first + sizes[i] && result == PLOY_OK; e++) {
            const ploy_vec3 *from = &at[corners[e]];
            const ploy_vec3 *to = &at[corners[e + 1 < first + sizes[i] ? e + 1 : first]];
            int32_t side = twins[e] < 0 ? navjoin_side(piece, from, to) : -1;
            if (side < 0) continue;
            ployi_nav_rim rim = {0.0f, 0.0f, e, -1};
            navjoin_on(piece->square, side, side < 2 ? *from : *to, &rim.along);
            navjoin_on(piece->square, side, side < 2 ? *to : *from, &rim.end);
            result = ploy_array_push(&piece->rims[1][side], &rim);
        }
    }
    for (int32_t side = 0; side < PLOYI_NAV_SIDES; side++) navjoin_sort(&piece->rims[1][side]);
    return result;
}

ploy_result ployi_nav_piece_join(ployi_nav_piece *piece,
                                 ployi_nav_piece *const neighbours[PLOYI_NAV_SIDES],
                                 ploy_arena *scratch) {
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    int32_t *moved = ploy_arena_alloc_array(scratch, piece->corners.count, sizeof *moved);
    ploy_result result = moved != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    for (int32_t side = 0; side < PLOYI_NAV_SIDES && result == PLOY_OK; side++) {
        // The rims are made again below: their memory serves for the neighbours' vertices first.
        const ployi_nav_piece *other = neighbours[side];
        ploy_array_clear(&piece->rims[0][side]);
        if (other == NULL) continue;
        result = navjoin_rim(&other->vertices, other->square, side ^ 2, &piece->rims[0][side]);
    }
    ploy_array_clear(&piece->all_vertices);
    ploy_array_clear(&piece->all_sizes);
    ploy_array_clear(&piece->all_corners);
    ploy_array_clear(&piece->all_twins);
    if (result == PLOY_OK) {
        result = navjoin_copy(&piece->all_vertices, piece->vertices.items, piece->vertices.count);
    }
    if (result == PLOY_OK) result = navjoin_polygons(piece, moved);
    if (result == PLOY_OK) result = navjoin_rims(piece);
    ploy_arena_rewind(scratch, mark);
    return result;
}

// ---- mates ----

// Finds what two lists of one side have at the same places.
static void navjoin_mates(ploy_array *own, const ploy_array *other) {
    ployi_nav_rim *a = PLOY_ARRAY_ITEMS(own, ployi_nav_rim);
    const ployi_nav_rim *b = other != NULL ? PLOY_ARRAY_ITEMS(other, ployi_nav_rim) : NULL;
    int32_t count = other != NULL ? other->count : 0;
    for (int32_t i = 0, k = 0; i < own->count; i++) {
        while (k < count && b[k].along < a[i].along) k++;
        bool same = k < count && b[k].along == a[i].along && b[k].end == a[i].end;
        a[i].mate = same ? k : -1;
    }
}

void ployi_nav_piece_mate(ployi_nav_piece *piece,
                          ployi_nav_piece *const neighbours[PLOYI_NAV_SIDES]) {
    for (int32_t i = 0; i < 2 * PLOYI_NAV_SIDES; i++) {
        int32_t kind = i % 2, side = i / 2;
        const ployi_nav_piece *other = neighbours[side];
        navjoin_mates(&piece->rims[kind][side],
                      other != NULL ? &other->rims[kind][side ^ 2] : NULL);
    }
}

// ---- one mesh ----

typedef struct navjoin_work {
    ployi_nav_piece *const *pieces;
    int32_t columns, rows;
    int32_t *first_vertex, *first_edge; // of pieces
    int32_t *ids;                       // of all pieces' vertices: which vertex of the mesh
    ploy_vec3 *vertices;
    int32_t *sizes, *corners, *twins;
    int32_t vertex_count, polygon_count, corner_count, skipped, t_junctions;
} navjoin_work;

// A piece's neighbour that many columns and rows away; -1: none.
static int32_t navjoin_beside(const navjoin_work *work, int32_t piece, int32_t x, int32_t y) {
    x += piece % work->columns;
    y += piece / work->columns;
    bool there = x >= 0 && y >= 0 && x < work->columns && y < work->rows;
    return there ? y * work->columns + x : -1;
}

static int32_t navjoin_across(const navjoin_work *work, int32_t piece, int32_t side) {
    static const int32_t steps[PLOYI_NAV_SIDES][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    return navjoin_beside(work, piece, steps[side][0], steps[side][1]);
}

// Calls back with what a piece and its neighbour across a side both have there.
static void navjoin_each_pair(navjoin_work *work, int32_t index, int32_t kind, int32_t side,
                              void (*fn)(navjoin_work *work, int32_t index, int32_t own,
                                         int32_t other, int32_t theirs)) {
    int32_t other = navjoin_across(work, index, side);
    const ploy_array *own = &work->pieces[index]->rims[kind][side];
    for (int32_t i = 0; i < own->count && other >= 0; i++) {
        const ployi_nav_rim *rim = PLOY_ARRAY_AT(own, ployi_nav_rim, i);
        if (rim->mate < 0) continue;
        const ploy_array *rims = &work->pieces[other]->rims[kind][side ^ 2];
        fn(work, index, rim->index, other, PLOY_ARRAY_AT(rims, ployi_nav_rim, rim->mate)->index);
    }
}

static void navjoin_same_vertex(navjoin_work *work, int32_t index, int32_t own, int32_t other,
                                int32_t theirs) {
    work->ids[work->first_vertex[index] + own] = work->ids[work->first_vertex[other] + theirs];
}

static void navjoin_same_edge(navjoin_work *work, int32_t index, int32_t own, int32_t other,
                              int32_t theirs) {
    work->twins[work->first_edge[index] + own] = work->first_edge[other] + theirs;
}

// A vertex that pieces share is that of the first of them. Those before a piece are below it, with
// the two across its lower corners, and to its left.
static void navjoin_number(navjoin_work *work, int32_t index) {
    const ployi_nav_piece *piece = work->pieces[index];
    int32_t *ids = work->ids + work->first_vertex[index];
    for (int32_t i = 0; i < piece->all_vertices.count; i++) ids[i] = -1;
    for (int32_t k = 0; k < 2; k++) {
        int32_t corner = piece->corner[k], other = navjoin_beside(work, index, k == 0 ? -1 : 1, -1);
        int32_t theirs = other >= 0 ? work->pieces[other]->corner[k + 2] : -1;
        if (corner >= 0 && theirs >= 0) navjoin_same_vertex(work, index, corner, other, theirs);
    }
    navjoin_each_pair(work, index, 0, 0, navjoin_same_vertex); // below
    navjoin_each_pair(work, index, 0, 3, navjoin_same_vertex); // to the left
    const ploy_vec3 *at = PLOY_ARRAY_ITEMS(&piece->all_vertices, ploy_vec3);
    for (int32_t i = 0; i < piece->all_vertices.count; i++) {
        if (ids[i] >= 0) continue;
        ids[i] = work->vertex_count;
        work->vertices[work->vertex_count++] = at[i];
    }
}

static void navjoin_append(navjoin_work *work, int32_t index) {
    const ployi_nav_piece *piece = work->pieces[index];
    const int32_t *ids = work->ids + work->first_vertex[index];
    const int32_t *corners = PLOY_ARRAY_ITEMS(&piece->all_corners, int32_t);
    const int32_t *twins = PLOY_ARRAY_ITEMS(&piece->all_twins, int32_t);
    const int32_t *sizes = PLOY_ARRAY_ITEMS(&piece->all_sizes, int32_t);
    int32_t base = work->first_edge[index];
    for (int32_t e = 0; e < piece->all_corners.count; e++) {
        work->corners[base + e] = ids[corners[e]];
        work->twins[base + e] = twins[e] >= 0 ? base + twins[e] : -1;
    }
    for (int32_t i = 0; i < piece->all_sizes.count; i++) {
        work->sizes[work->polygon_count++] = sizes[i];
    }
    for (int32_t side = 0; side < PLOYI_NAV_SIDES; side++) {
        navjoin_each_pair(work, index, 1, side, navjoin_same_edge);
    }
    work->skipped += piece->skipped;
    work->t_junctions += piece->t_junctions;
}

static ploy_result navjoin_open(navjoin_work *work, ploy_arena *scratch) {
    int32_t count = work->columns * work->rows;
    int64_t vertices = 0, edges = 0, polygons = 0;
    work->first_vertex = ploy_arena_alloc_array(scratch, count, sizeof(int32_t));
    work->first_edge = ploy_arena_alloc_array(scratch, count, sizeof(int32_t));
    if (work->first_vertex == NULL || work->first_edge == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        work->first_vertex[i] = (int32_t)vertices;
        work->first_edge[i] = (int32_t)edges;
        vertices += work->pieces[i]->all_vertices.count;
        edges += work->pieces[i]->all_corners.count;
        polygons += work->pieces[i]->all_sizes.count;
        if (vertices > PLOY_NAVMESH_CORNERS_MAX || edges > PLOY_NAVMESH_CORNERS_MAX) {
            return PLOY_ERR_LIMIT;
        }
    }
    work->corner_count = (int32_t)edges;
    work->ids = ploy_arena_alloc_array(scratch, vertices, sizeof(int32_t));
    work->vertices = ploy_arena_alloc_array(scratch, vertices, sizeof *work->vertices);
    work->sizes = ploy_arena_alloc_array(scratch, polygons, sizeof(int32_t));
    work->corners = ploy_arena_alloc_array(scratch, edges, sizeof(int32_t));
    work->twins = ploy_arena_alloc_array(scratch, edges, sizeof(int32_t));
    bool all = work->ids != NULL && work->vertices != NULL && work->sizes != NULL &&
               work->corners != NULL && work->twins != NULL;
    return all ? PLOY_OK : PLOY_ERR_MEMORY;
}

ploy_result ployi_nav_pieces_build(ployi_nav_piece *const *pieces, int32_t columns, int32_t rows,
                                   const ploy_navmesh_link *links, int32_t link_count,
                                   const ploy_env *env, ploy_diags *diags, ploy_navmesh **out) {
    navjoin_work work;
    ploy_arena *scratch = NULL;
    memset(&work, 0, sizeof work);
    work.pieces = pieces;
    work.columns = columns;
    work.rows = rows;
    ploy_result result = ploy_arena_create(0, 0, env, &scratch);
    if (result == PLOY_OK) result = navjoin_open(&work, scratch);
    for (int32_t i = 0; i < columns * rows && result == PLOY_OK; i++) navjoin_number(&work, i);
    for (int32_t i = 0; i < columns * rows && result == PLOY_OK; i++) navjoin_append(&work, i);
    if (result == PLOY_OK) {
        ploy_navmesh_soup soup;
        memset(&soup, 0, sizeof soup);
        soup.vertices = work.vertices;
        soup.vertex_count = work.vertex_count;
        soup.sizes = work.sizes;
        soup.polygon_count = work.polygon_count;
        soup.corners = work.corners;
        soup.corner_count = work.corner_count;
        soup.links = links;
        soup.link_count = link_count;
        ploy_navmesh_def def = navjoin_def();
        result = ployi_nav_build(&def, &soup, NULL, work.twins, env, diags, out);
    }
    if (result == PLOY_OK) {
        (*out)->stats.skipped += work.skipped;
        (*out)->stats.t_junctions = work.t_junctions;
    }
    ploy_arena_destroy(scratch);
    return result;
}
