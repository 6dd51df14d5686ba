// Voronoi cells by cutting; the technique is described in the header.
//
// Invariants, between builds: (1) links_first has one entry more than there are sites, ascending;
// links [links_first[s], links_first[s + 1]) are s's neighbours in the triangulation; (2) cells,
// sites and present have one entry for each site; (3) a failed build changes nothing.
#include "ploy/geom/voronoi.h"

#include "geom/geom_internal.h"
#include "geom/lattice_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

struct ploy_voronoi {
    ploy_env env;
    ploy_array cells;       // ploy_voronoi_cell
    ploy_array sites;       // ploy_vec2
    ploy_array present;     // bool: there is such a site
    ploy_array corners;     // ploy_vec2
    ploy_array neighbours;  // int32_t
    ploy_array links;       // int32_t
    ploy_array links_first; // int32_t
};

// A corner in double, with the site behind the edge that begins there.
typedef struct voronoi_corner {
    ployi_dvec2 at; // from the site
    int32_t behind; // -1: the box
} voronoi_corner;

typedef struct voronoi_work {
    const ploy_cdt *cdt;
    ploy_cdt_view view;
    int32_t *first, *links; // as in the object
    int32_t link_count;
    voronoi_corner *cell, *cut; // the present cell, and what a cut leaves of it
    ploy_voronoi_cell *cells;
    ploy_vec2 *corners;
    int32_t *neighbours;
    int32_t corner_count;
} voronoi_work;

// Each array once: what it is, and how much of it a build makes.
static ploy_array *voronoi_array(ploy_voronoi *voronoi, int32_t index) {
    ploy_array *const arrays[] = {&voronoi->cells,      &voronoi->sites,      &voronoi->present,
                                  &voronoi->corners,    &voronoi->neighbours, &voronoi->links,
                                  &voronoi->links_first};
    return arrays[index];
}

enum { VORONOI_ARRAYS = 7 };

ploy_result ploy_voronoi_create(const ploy_env *env, ploy_voronoi **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_voronoi *voronoi = ploy_env_alloc(env, sizeof *voronoi);
    if (voronoi == NULL) return PLOY_ERR_MEMORY;
    static const size_t sizes[VORONOI_ARRAYS] = {
        sizeof(ploy_voronoi_cell), sizeof(ploy_vec2), sizeof(bool),   sizeof(ploy_vec2),
        sizeof(int32_t),           sizeof(int32_t),   sizeof(int32_t)};
    voronoi->env = *env;
    for (int32_t i = 0; i < VORONOI_ARRAYS; i++) {
        ploy_array_init(voronoi_array(voronoi, i), sizes[i], env);
    }
    *out = voronoi;
    return PLOY_OK;
}

void ploy_voronoi_destroy(ploy_voronoi *voronoi) {
    if (voronoi == NULL) return;
    ploy_env env = voronoi->env;
    for (int32_t i = 0; i < VORONOI_ARRAYS; i++) ploy_array_fini(voronoi_array(voronoi, i));
    ploy_env_free(&env, voronoi, sizeof *voronoi);
}

// ---- neighbours ----

typedef struct voronoi_place {
    ploy_vec2 at;
    int32_t site;
} voronoi_place;

static int32_t voronoi_order(const void *a, const void *b) {
    const voronoi_place *p = a, *q = b;
    if (p->at.x != q->at.x) return p->at.x < q->at.x ? -1 : 1;
    return p->at.y < q->at.y ? -1 : p->at.y > q->at.y;
}

// Without triangles all sites lie on one line: neighbours are those before and behind.
static bool voronoi_link_line(voronoi_work *work, ploy_arena *scratch) {
    int32_t count = 0, sites = work->view.point_count;
    voronoi_place *places = ploy_arena_alloc_array(scratch, sites, sizeof *places);
    int32_t(*sides)[2] = ploy_arena_alloc_array(scratch, sites, sizeof *sides);
    if (places == NULL || sides == NULL) return false;
    for (int32_t s = 0; s < sites; s++) {
        voronoi_place place = {work->view.points[s], s};
        if (ploy_cdt_has_vertex(work->cdt, s)) places[count++] = place;
    }
    if (!ployi_lattice_sort(places, count, sizeof *places, voronoi_order, scratch)) return false;
    for (int32_t i = 0; i < count; i++) {
        sides[places[i].site][0] = i > 0 ? places[i - 1].site : -1;
        sides[places[i].site][1] = i + 1 < count ? places[i + 1].site : -1;
    }
    for (int32_t s = 0; s < sites; s++) {
        work->first[s] = work->link_count;
        for (int32_t k = 0; k < 2 && ploy_cdt_has_vertex(work->cdt, s); k++) {
            if (sides[s][k] >= 0) work->links[work->link_count++] = sides[s][k];
        }
    }
    work->first[sites] = work->link_count;
    return true;
}

static void voronoi_link(voronoi_work *work) {
    int32_t sites = work->view.point_count;
    for (int32_t s = 0; s < sites; s++) {
        work->first[s] = work->link_count;
        if (!ploy_cdt_has_vertex(work->cdt, s)) continue;
        ploy_cdt_fan fan = ploy_cdt_fan_begin(work->cdt, s);
        int32_t last = -1, last_corner = 0;
        for (; fan.triangle >= 0; ploy_cdt_fan_next(work->cdt, &fan)) {
            const ploy_cdt_triangle *triangle = &work->view.triangles[fan.triangle];
            work->links[work->link_count++] = triangle->corner[(fan.corner + 1) % 3];
            last = fan.triangle;
            last_corner = fan.corner;
        }
        // On the hull the last triangle has one more neighbour, which no next triangle has.
        if (last >= 0 && work->view.triangles[last].neighbour[(last_corner + 1) % 3] < 0) {
            work->links[work->link_count++] =
                work->view.triangles[last].corner[(last_corner + 2) % 3];
        }
    }
    work->first[sites] = work->link_count;
}

// ---- cells ----

// Cuts off what is nearer to a neighbour than to the site, which is the origin: all with
// 2 x . to > to . to. @return how many corners are left.
static int32_t voronoi_cut(voronoi_work *work, int32_t count, ployi_dvec2 to, int32_t site) {
    double half = 0.5 * ployi_dvec2_dot(to, to);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        voronoi_corner a = work->cell[i], b = work->cell[i + 1 < count ? i + 1 : 0];
        double over = ployi_dvec2_dot(a.at, to) - half, next = ployi_dvec2_dot(b.at, to) - half;
        if (over <= 0.0) {
            work->cut[kept++] = a;
            // From a corner on the line itself the cut begins there.
            if (over == 0.0 && next > 0.0) work->cut[kept - 1].behind = site;
        }
        if ((over < 0.0 && next > 0.0) || (over > 0.0 && next < 0.0)) {
            double share = over / (over - next);
            voronoi_corner corner = {
                {a.at.x + (b.at.x - a.at.x) * share, a.at.y + (b.at.y - a.at.y) * share},
                over < 0.0 ? site : a.behind};
            work->cut[kept++] = corner;
        }
    }
    voronoi_corner *swap = work->cell;
    work->cell = work->cut;
    work->cut = swap;
    return kept;
}

static void voronoi_make_cell(voronoi_work *work, int32_t site, ploy_box2 box) {
    ploy_vec2 own = work->view.points[site];
    const ploy_vec2 corners[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    int32_t count = 4, first = work->corner_count;
    for (int32_t i = 0; i < 4; i++) {
        voronoi_corner corner = {ployi_dvec2_between(corners[i], own), -1};
        work->cell[i] = corner;
    }
    for (int32_t k = work->first[site]; k < work->first[site + 1] && count > 0; k++) {
        int32_t other = work->links[k];
        count = voronoi_cut(work, count, ployi_dvec2_between(work->view.points[other], own), other);
    }
    // Corners that are the same once rounded leave an edge without length: the later one counts.
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 at = {(float)((double)own.x + work->cell[i].at.x),
                        (float)((double)own.y + work->cell[i].at.y)};
        if (work->corner_count > first &&
            ploy_vec2_equal(work->corners[work->corner_count - 1], at)) {
            work->neighbours[work->corner_count - 1] = work->cell[i].behind;
            continue;
        }
        work->corners[work->corner_count] = at;
        work->neighbours[work->corner_count++] = work->cell[i].behind;
    }
    while (work->corner_count > first + 1 &&
           ploy_vec2_equal(work->corners[work->corner_count - 1], work->corners[first])) {
        work->corner_count--;
    }
    if (work->corner_count - first < 3) work->corner_count = first;
    work->cells[site].first = first;
    work->cells[site].count = work->corner_count - first;
}

// Room for all cells: a cell has at most four corners and one for each neighbour.
static bool voronoi_prepare(voronoi_work *work, ploy_arena *scratch) {
    int64_t sites = work->view.point_count;
    int64_t most_links = 6 * (int64_t)work->view.triangle_count + 2 * sites;
    work->first = ploy_arena_alloc_array(scratch, sites + 1, sizeof *work->first);
    work->links = ploy_arena_alloc_array(scratch, most_links, sizeof *work->links);
    work->cells = ploy_arena_alloc_array(scratch, sites, sizeof *work->cells);
    if (work->first == NULL || work->links == NULL || work->cells == NULL) return false;
    if (work->view.triangle_count > 0) {
        voronoi_link(work);
    } else if (!voronoi_link_line(work, scratch)) {
        return false;
    }
    int64_t corners = 4 * sites + work->link_count, most = 0;
    for (int64_t s = 0; s < sites; s++) {
        int64_t links = work->first[s + 1] - work->first[s];
        most = links > most ? links : most;
    }
    work->cell = ploy_arena_alloc_array(scratch, most + 8, sizeof *work->cell);
    work->cut = ploy_arena_alloc_array(scratch, most + 8, sizeof *work->cut);
    work->corners = ploy_arena_alloc_array(scratch, corners, sizeof *work->corners);
    work->neighbours = ploy_arena_alloc_array(scratch, corners, sizeof *work->neighbours);
    return work->cell != NULL && work->cut != NULL && work->corners != NULL &&
           work->neighbours != NULL;
}

static ploy_result voronoi_publish(ploy_voronoi *voronoi, const voronoi_work *work,
                                   const bool *present) {
    int32_t sites = work->view.point_count;
    const void *const items[VORONOI_ARRAYS] = {work->cells,   work->view.points, present,
                                               work->corners, work->neighbours,  work->links,
                                               work->first};
    const int32_t counts[VORONOI_ARRAYS] = {
        sites, sites, sites, work->corner_count, work->corner_count, work->link_count, sites + 1};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < VORONOI_ARRAYS && result == PLOY_OK; i++) {
        result = ploy_array_reserve(voronoi_array(voronoi, i), counts[i]);
    }
    // There is room: nothing fails from here on.
    for (int32_t i = 0; i < VORONOI_ARRAYS && result == PLOY_OK; i++) {
        ploy_array_clear(voronoi_array(voronoi, i));
        if (counts[i] > 0) {
            result = ploy_array_push_many(voronoi_array(voronoi, i), items[i], counts[i]);
        }
    }
    return result;
}

ploy_result ploy_voronoi_build(ploy_voronoi *voronoi, const ploy_cdt *cdt, ploy_box2 box,
                               ploy_arena *scratch) {
    if (!ploy_is_finite(box.min.x) || !ploy_is_finite(box.min.y) || !ploy_is_finite(box.max.x) ||
        !ploy_is_finite(box.max.y) || !(box.min.x < box.max.x) || !(box.min.y < box.max.y)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (ploy_cdt_edge_count(cdt) > 0) return PLOY_ERR_STATE;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    voronoi_work work;
    memset(&work, 0, sizeof work);
    work.cdt = cdt;
    work.view = ploy_cdt_get(cdt);
    bool *present = ploy_arena_alloc_array(scratch, work.view.point_count, sizeof *present);
    bool fits = present != NULL && voronoi_prepare(&work, scratch);
    for (int32_t s = 0; s < work.view.point_count && fits; s++) {
        present[s] = ploy_cdt_has_vertex(cdt, s);
        if (present[s]) voronoi_make_cell(&work, s, box);
    }
    ploy_result result = fits ? voronoi_publish(voronoi, &work, present) : PLOY_ERR_MEMORY;
    ploy_arena_rewind(scratch, mark);
    return result;
}

// ---- looking ----

ploy_voronoi_view ploy_voronoi_get(const ploy_voronoi *voronoi) {
    ploy_voronoi_view view = {voronoi->cells.items,      voronoi->sites.items,
                              voronoi->sites.count,      voronoi->corners.items,
                              voronoi->neighbours.items, voronoi->corners.count};
    return view;
}

ploy_polygon ploy_voronoi_cell_of(const ploy_voronoi *voronoi, int32_t site) {
    const ploy_voronoi_cell *cell = ploy_array_at(&voronoi->cells, site);
    if (cell == NULL || cell->count == 0) return ploy_polygon_make(NULL, 0);
    return ploy_polygon_make(PLOY_ARRAY_ITEMS(&voronoi->corners, ploy_vec2) + cell->first,
                             cell->count);
}

int32_t ploy_voronoi_nearest(const ploy_voronoi *voronoi, ploy_vec2 point, int32_t hint) {
    if (!ploy_is_finite(point.x) || !ploy_is_finite(point.y)) return -1;
    const bool *present = PLOY_ARRAY_ITEMS(&voronoi->present, bool);
    const ploy_vec2 *sites = PLOY_ARRAY_ITEMS(&voronoi->sites, ploy_vec2);
    int32_t count = voronoi->sites.count, at = hint;
    if (hint < 0 || hint >= count || !present[hint]) {
        for (at = 0; at < count && !present[at];) at++;
        if (at == count) return -1;
    }
    const int32_t *first = PLOY_ARRAY_ITEMS(&voronoi->links_first, int32_t);
    const int32_t *links = PLOY_ARRAY_ITEMS(&voronoi->links, int32_t);
    ployi_dvec2 gap = ployi_dvec2_between(sites[at], point);
    double best = ployi_dvec2_dot(gap, gap);
    // Each step is strictly nearer, so the walk ends; in a Delaunay triangulation no site but the
    // nearest has only neighbours that are no nearer.
    for (bool moved = true; moved;) {
        moved = false;
        int32_t from = at;
        for (int32_t k = first[from]; k < first[from + 1]; k++) {
            gap = ployi_dvec2_between(sites[links[k]], point);
            double distance = ployi_dvec2_dot(gap, gap);
            if (!(distance < best)) continue;
            best = distance;
            at = links[k];
            moved = true;
        }
    }
    return at;
}

void ploy_voronoi_describe(const ploy_voronoi *voronoi, ploy_describe *out) {
    ploy_voronoi_view view = ploy_voronoi_get(voronoi);
    uint64_t hash = 0;
    int32_t cells = 0;
    for (int32_t i = 0; i < view.site_count; i++) {
        hash = ploy_hash_combine(hash, (uint64_t)view.cells[i].count);
        cells += view.cells[i].count > 0;
    }
    for (int32_t i = 0; i < view.corner_count; i++) {
        uint32_t x, y; // one by one: the same on machines of either byte order
        memcpy(&x, &view.corners[i].x, sizeof x);
        memcpy(&y, &view.corners[i].y, sizeof y);
        hash = ploy_hash_combine(hash, (uint64_t)x << 32 | y);
        hash = ploy_hash_combine(hash, (uint64_t)(uint32_t)view.neighbours[i]);
    }
    ploy_describe_i64(out, "cells", PLOY_STATE, cells);
    ploy_describe_i64(out, "corners", PLOY_STATE, view.corner_count);
    ploy_describe_u64(out, "shape", PLOY_STATE, hash);
}

void ploy_voronoi_draw(const ploy_voronoi *voronoi, ploy_draw *out) {
    ploy_voronoi_view view = ploy_voronoi_get(voronoi);
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < view.site_count; i++) {
        ploy_polygon cell = ploy_voronoi_cell_of(voronoi, i);
        if (cell.count == 0) continue;
        ploy_draw_polyline(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_B, nobody, cell.points,
                           cell.count);
        ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_B, nobody,
                       cell.points[cell.count - 1], cell.points[0]);
        ploy_draw_point(out, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_B, nobody, view.sites[i]);
    }
}

void ploy_voronoi_memory(const ploy_voronoi *voronoi, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"voronoi", sizeof *voronoi, 1};
    fn(user, &item);
    const ploy_array *const arrays[] = {
        &voronoi->cells,      &voronoi->sites, &voronoi->present,    &voronoi->corners,
        &voronoi->neighbours, &voronoi->links, &voronoi->links_first};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
}
