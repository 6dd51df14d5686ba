// Queries: their makers, what they find put in order, and many of them over jobs.
#include "ploy/geom/index.h"

#include "geom/index_internal.h"
#include "ploy/base/math.h"

#include <string.h>

const char *ploy_query_kind_text(ploy_query_kind kind) {
    static const char *const texts[] = {"radius", "box", "nearest", "ray", "sweep"};
    int32_t index = (int32_t)kind;
    return index >= 0 && index < (int32_t)(sizeof texts / sizeof texts[0]) ? texts[index] : "?";
}

static ploy_query2 index_query2(ploy_query_kind kind, ploy_vec2 point, float radius) {
    ploy_query2 query;
    memset(&query, 0, sizeof query);
    query.kind = kind;
    query.point = point;
    query.radius = radius;
    return query;
}

ploy_query2 ploy_query2_radius(ploy_vec2 centre, float radius) {
    return index_query2(PLOY_QUERY_RADIUS, centre, radius);
}

ploy_query2 ploy_query2_nearest(ploy_vec2 point, float max_distance) {
    return index_query2(PLOY_QUERY_NEAREST, point, max_distance);
}

ploy_query2 ploy_query2_box(ploy_box2 box) {
    ploy_query2 query = index_query2(PLOY_QUERY_BOX, ploy_vec2_zero(), 0.0f);
    query.box = box;
    return query;
}

ploy_query2 ploy_query2_ray(ploy_ray2 ray) {
    ploy_query2 query = index_query2(PLOY_QUERY_RAY, ploy_vec2_zero(), 0.0f);
    query.ray = ray;
    return query;
}

ploy_query2 ploy_query2_sweep(ploy_sweep sweep) {
    ploy_query2 query = index_query2(PLOY_QUERY_SWEEP, ploy_vec2_zero(), sweep.radius);
    query.ray = sweep.ray;
    return query;
}

static ploy_query3 index_query3(ploy_query_kind kind, ploy_vec3 point, float radius) {
    ploy_query3 query;
    memset(&query, 0, sizeof query);
    query.kind = kind;
    query.point = point;
    query.radius = radius;
    return query;
}

ploy_query3 ploy_query3_radius(ploy_vec3 centre, float radius) {
    return index_query3(PLOY_QUERY_RADIUS, centre, radius);
}

ploy_query3 ploy_query3_nearest(ploy_vec3 point, float max_distance) {
    return index_query3(PLOY_QUERY_NEAREST, point, max_distance);
}

ploy_query3 ploy_query3_box(ploy_box3 box) {
    ploy_query3 query = index_query3(PLOY_QUERY_BOX, ploy_vec3_zero(), 0.0f);
    query.box = box;
    return query;
}

ploy_query3 ploy_query3_ray(ploy_ray3 ray) {
    ploy_query3 query = index_query3(PLOY_QUERY_RAY, ploy_vec3_zero(), 0.0f);
    query.ray = ray;
    return query;
}

ploy_query3 ploy_query3_sweep(ploy_ray3 ray, float radius) {
    ploy_query3 query = index_query3(PLOY_QUERY_SWEEP, ploy_vec3_zero(), radius);
    query.ray = ray;
    return query;
}

// The part of begin that the plane and space share: all but the members with their own types.
static void index_begin(ployi_query *query, ploy_query_kind kind, float radius, float length,
                        const float *min, const float *max, int32_t n) {
    query->kind = kind;
    query->limit = 0.0;
    bool finite = true;
    for (int32_t i = 0; i < n; i++) {
        finite = finite && fabs(query->at[i]) <= (double)FLT_MAX &&
                 fabs(query->along[i]) <= (double)FLT_MAX;
    }
    switch (kind) {
    case PLOY_QUERY_RADIUS:
    case PLOY_QUERY_NEAREST:
        query->nothing = !finite || !(radius >= 0.0f);
        query->limit = (double)radius * (double)radius;
        return;
    case PLOY_QUERY_BOX:
        for (int32_t i = 0; i < n; i++) {
            query->nothing = query->nothing || !(query->min[i] <= query->max[i]);
        }
        return;
    case PLOY_QUERY_SWEEP:
        if (!(radius > 0.0f)) query->kind = PLOY_QUERY_RAY;
        break;
    case PLOY_QUERY_RAY: break;
    default: query->nothing = true; return;
    }
    bool sweep = query->kind == PLOY_QUERY_SWEEP;
    query->nothing = !finite || !(length >= 0.0f) || (sweep && !(radius <= FLT_MAX));
    query->limit = (double)length;
    query->radius = sweep ? radius : 0.0f;
    query->grow = (double)query->radius;
    if (query->fn == NULL && !sweep) return;
    // How wrong other sums can be. Differences of floats are exact or right to 2^-53 of the largest,
    // products and sums of them to a few times that; and where a ray grazes something round, an
    // error e beside the way is sqrt(2 size e) along it: at most 1e-7 of the largest.
    double largest = query->grow;
    for (int32_t i = 0; i < n; i++) {
        double below = fabs((double)min[i] - query->at[i]);
        double above = fabs((double)max[i] - query->at[i]);
        double most = below > above ? below : above;
        largest = most > largest ? most : largest;
    }
    query->grow += largest * 8e-15;
    query->slack = largest * 4e-7;
}

void ployi_query_begin2(ployi_query *query, const ploy_query2 *asked, const float *min,
                        const float *max, ploy_visit_fn fn, void *user) {
    memset(query, 0, sizeof *query);
    bool ray = asked->kind == PLOY_QUERY_RAY || asked->kind == PLOY_QUERY_SWEEP;
    ploy_vec2 at = ray ? asked->ray.origin : asked->point;
    query->at[0] = (double)at.x;
    query->at[1] = (double)at.y;
    if (ray) {
        query->along[0] = (double)asked->ray.direction.x;
        query->along[1] = (double)asked->ray.direction.y;
        query->ray2 = asked->ray;
    }
    query->min[0] = asked->box.min.x;
    query->min[1] = asked->box.min.y;
    query->max[0] = asked->box.max.x;
    query->max[1] = asked->box.max.y;
    query->fn = fn;
    query->user = user;
    index_begin(query, asked->kind, asked->radius, asked->ray.length, min, max, 2);
}

void ployi_query_begin3(ployi_query *query, const ploy_query3 *asked, const float *min,
                        const float *max, ploy_visit_fn fn, void *user) {
    memset(query, 0, sizeof *query);
    bool ray = asked->kind == PLOY_QUERY_RAY || asked->kind == PLOY_QUERY_SWEEP;
    ploy_vec3 at = ray ? asked->ray.origin : asked->point;
    query->at[0] = (double)at.x;
    query->at[1] = (double)at.y;
    query->at[2] = (double)at.z;
    if (ray) {
        query->along[0] = (double)asked->ray.direction.x;
        query->along[1] = (double)asked->ray.direction.y;
        query->along[2] = (double)asked->ray.direction.z;
        query->ray3 = asked->ray;
    }
    query->min[0] = asked->box.min.x;
    query->min[1] = asked->box.min.y;
    query->min[2] = asked->box.min.z;
    query->max[0] = asked->box.max.x;
    query->max[1] = asked->box.max.y;
    query->max[2] = asked->box.max.z;
    query->fn = fn;
    query->user = user;
    index_begin(query, asked->kind, asked->radius, asked->ray.length, min, max, 3);
    if (query->kind != PLOY_QUERY_SWEEP) return;
    // Boxes are grown in float there, which rounds by half a digit of their places.
    double largest = (double)query->radius;
    for (int32_t i = 0; i < 3; i++) {
        double low = fabs((double)min[i]), high = fabs((double)max[i]);
        double most = low > high ? low : high;
        largest = most > largest ? most : largest;
    }
    query->grow += largest * 2.4e-7;
}

void ployi_query_collect(ployi_query *query, ploy_found *out, int32_t capacity) {
    query->out = out;
    query->capacity = out == NULL || capacity < 0 ? 0 : capacity;
    bool ranked = query->kind != PLOY_QUERY_RADIUS && query->kind != PLOY_QUERY_BOX;
    if (ranked && query->capacity == 0) query->nothing = true;
}

double ployi_query_hit(const ployi_query *query, const float *min, const float *max, int32_t n) {
    if (n == 2) {
        ploy_box2 box = {{min[0], min[1]}, {max[0], max[1]}};
        ploy_hit2 hit;
        bool met;
        if (query->kind == PLOY_QUERY_RAY) {
            met = ploy_ray2_hit_box(query->ray2, box, &hit);
        } else {
            ploy_sweep sweep = {query->ray2, query->radius};
            if (min[0] == max[0] && min[1] == max[1]) { // a point: one round thing, not four edges
                met = ploy_sweep_hit_circle(sweep, ploy_circle_make(box.min, 0.0f), &hit);
            } else {
                met = ploy_sweep_hit_box(sweep, box, &hit);
            }
        }
        return met ? (double)hit.distance : (double)NAN;
    }
    ploy_box3 box = {{min[0], min[1], min[2]}, {max[0], max[1], max[2]}};
    if (query->kind == PLOY_QUERY_SWEEP) box = ploy_box3_grow(box, query->radius);
    ploy_hit3 hit;
    return ploy_ray3_hit_box(query->ray3, box, &hit) ? (double)hit.distance : (double)NAN;
}

// True if a comes after b. Sets are ordered by id, the rest by rank, then id.
static inline bool index_after(const ploy_found *a, const ploy_found *b, bool ranked) {
    if (ranked && a->rank != b->rank) return a->rank > b->rank;
    return a->id > b->id;
}

static void index_heap_down(ploy_found *heap, int32_t count, int32_t at, bool ranked) {
    ploy_found item = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && index_after(&heap[child + 1], &heap[child], ranked)) child++;
        if (!index_after(&heap[child], &item, ranked)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

void ployi_query_found(ployi_query *query, int32_t id, double rank) {
    bool ranked = query->kind != PLOY_QUERY_RADIUS && query->kind != PLOY_QUERY_BOX;
    ploy_found item = {rank, id};
    ploy_found *out = query->out;
    int32_t capacity = query->capacity;
    if (query->total < capacity) {
        out[query->total++] = item;
        if (query->total < capacity || !ranked) return;
        for (int32_t i = capacity / 2 - 1; i >= 0; i--) index_heap_down(out, capacity, i, true);
        query->limit = out[0].rank; // enough: from now on only what is not worse
        return;
    }
    if (!ranked) {
        // The first too many makes a heap of what is there.
        if (query->total++ == capacity) {
            for (int32_t i = capacity / 2 - 1; i >= 0; i--) {
                index_heap_down(out, capacity, i, false);
            }
        }
    }
    if (capacity == 0 || !index_after(&out[0], &item, ranked)) return;
    out[0] = item;
    index_heap_down(out, capacity, 0, ranked);
    if (ranked) query->limit = out[0].rank;
}

static void index_sort(ploy_found *found, int32_t count, bool ranked) {
    if (count <= 32) { // short, as a rule
        for (int32_t i = 1; i < count; i++) {
            ploy_found item = found[i];
            int32_t j = i;
            for (; j > 0 && index_after(&found[j - 1], &item, ranked); j--) found[j] = found[j - 1];
            found[j] = item;
        }
        return;
    }
    for (int32_t i = count / 2 - 1; i >= 0; i--) index_heap_down(found, count, i, ranked);
    for (int32_t end = count - 1; end > 0; end--) {
        ploy_found swap = found[0];
        found[0] = found[end];
        found[end] = swap;
        index_heap_down(found, end, 0, ranked);
    }
}

int32_t ployi_query_end(ployi_query *query, ploy_query_stats *stats) {
    if (stats != NULL) {
        stats->nodes += query->nodes;
        stats->objects += query->objects;
        stats->found += query->met;
    }
    if (query->fn != NULL) return 0;
    bool ranked = query->kind != PLOY_QUERY_RADIUS && query->kind != PLOY_QUERY_BOX;
    index_sort(query->out, ploy_mini(query->total, query->capacity), ranked);
    return query->total;
}

static inline bool index_key_before(ployi_keyed a, ployi_keyed b) {
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

static inline void index_key_swap(ployi_keyed *a, ployi_keyed *b) {
    ployi_keyed swap = *a;
    *a = *b;
    *b = swap;
}

static void index_key_down(ployi_keyed *heap, int32_t count, int32_t at) {
    ployi_keyed item = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && index_key_before(heap[child], heap[child + 1])) child++;
        if (!index_key_before(item, heap[child])) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = item;
}

static void index_key_sort(ployi_keyed *items, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--) index_key_down(items, count, i);
    for (int32_t end = count - 1; end > 0; end--) {
        index_key_swap(&items[0], &items[end]);
        index_key_down(items, end, 0);
    }
}

// Hoare's selection with the middle of three as pivot; when that goes wrong for long, a heap sort
// of what is left (Musser, "Introspective Sorting and Selection Algorithms", 1997; the bound is
// then count log count).
void ployi_keyed_select(ployi_keyed *items, int32_t count, int32_t place) {
    int64_t work = 16 * (int64_t)count; // several times what it takes as a rule
    int32_t low = 0, high = count - 1;
    while (high - low > 8) {
        work -= high - low;
        if (work < 0) {
            index_key_sort(items + low, high - low + 1);
            return;
        }
        int32_t middle = low + (high - low) / 2;
        if (index_key_before(items[middle], items[low])) {
            index_key_swap(&items[middle], &items[low]);
        }
        if (index_key_before(items[high], items[low])) index_key_swap(&items[high], &items[low]);
        if (index_key_before(items[high], items[middle])) {
            index_key_swap(&items[high], &items[middle]);
        }
        ployi_keyed pivot = items[middle];
        int32_t i = low, j = high;
        while (i <= j) {
            while (index_key_before(items[i], pivot)) i++;
            while (index_key_before(pivot, items[j])) j--;
            if (i > j) break;
            index_key_swap(&items[i++], &items[j--]);
        }
        if (place <= j) {
            high = j;
        } else if (place >= i) {
            low = i;
        } else {
            return; // between the two: the pivot itself
        }
    }
    for (int32_t i = low + 1; i <= high; i++) {
        ployi_keyed item = items[i];
        int32_t j = i;
        for (; j > low && index_key_before(item, items[j - 1]); j--) items[j] = items[j - 1];
        items[j] = item;
    }
}

int32_t ploy_index2_find(ploy_index2 index, const ploy_query2 *query, ploy_found *out,
                         int32_t capacity, ploy_query_stats *stats) {
    return index.find(index.self, query, out, capacity, stats);
}

int32_t ploy_index3_find(ploy_index3 index, const ploy_query3 *query, ploy_found *out,
                         int32_t capacity, ploy_query_stats *stats) {
    return index.find(index.self, query, out, capacity, stats);
}

typedef struct index_batch {
    ploy_index2 plane;
    ploy_index3 space;
    const ploy_query2 *queries2; // one of the two
    const ploy_query3 *queries3;
    ploy_found *out;
    int32_t capacity;
    int32_t *totals;
} index_batch;

static void index_batch_run(void *arg, int32_t first, int32_t count, int32_t worker) {
    const index_batch *batch = arg;
    (void)worker;
    for (int32_t i = first; i < first + count; i++) {
        ploy_found *out =
            batch->out == NULL ? NULL : batch->out + (size_t)i * (size_t)batch->capacity;
        batch->totals[i] =
            batch->queries2 != NULL
                ? ploy_index2_find(batch->plane, &batch->queries2[i], out, batch->capacity, NULL)
                : ploy_index3_find(batch->space, &batch->queries3[i], out, batch->capacity, NULL);
    }
}

// Queries of one piece of work: enough to be worth a worker's waking, few enough to share.
enum { INDEX_GRAIN = 64 };

ploy_result ploy_index2_find_batch(ploy_index2 index, const ploy_query2 *queries, int32_t count,
                                   ploy_found *out, int32_t capacity, int32_t *totals,
                                   const ploy_jobs *jobs) {
    if (count < 0 || capacity < 0) return PLOY_ERR_ARGUMENT;
    ploy_index3 none = {NULL, NULL, NULL};
    index_batch batch = {index, none, queries, NULL, out, capacity, totals};
    ploy_jobs_run(jobs, index_batch_run, &batch, count, INDEX_GRAIN);
    return PLOY_OK;
}

ploy_result ploy_index3_find_batch(ploy_index3 index, const ploy_query3 *queries, int32_t count,
                                   ploy_found *out, int32_t capacity, int32_t *totals,
                                   const ploy_jobs *jobs) {
    if (count < 0 || capacity < 0) return PLOY_ERR_ARGUMENT;
    ploy_index2 none = {NULL, NULL, NULL};
    index_batch batch = {none, index, NULL, queries, out, capacity, totals};
    ploy_jobs_run(jobs, index_batch_run, &batch, count, INDEX_GRAIN);
    return PLOY_OK;
}
