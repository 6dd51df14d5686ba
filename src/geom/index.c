// Queries: their makers, what they find put in order, and many of them over jobs.
#include "ploy/geom/index.h"

#include "geom/index_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

const char *ploy_query_kind_text(ploy_query_kind kind) {
    static const char *const texts[] = {"radius", "box", "nearest", "ray", "sweep"};
    int32_t index = (int32_t)kind;
    return index >= 0 && index < (int32_t)(sizeof texts / sizeof texts[0]) ? texts[index] : "?";
}

// A box around the whole path of a ray or sweep, wide enough that what lies beside it is not met by
// any of the sums that follow: two millionths where they round by less than a quarter of one. Most
// of an index lies beside a short path, and comparing is cheaper than dividing.
static void index_bound_line(ployi_query *query, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        double along = query->along[i];
        double end = query->at[i] + (along == 0.0 ? 0.0 : along * query->limit);
        double low = along < 0.0 ? end : query->at[i], high = along < 0.0 ? query->at[i] : end;
        double pad = query->grow + query->slack * (1.0 + fabs(along)) +
                     2e-6 * (fabs(query->at[i]) + fabs(end));
        low -= pad;
        high += pad;
        query->min[i] = low >= -(double)FLT_MAX ? (float)low : -INFINITY;
        query->max[i] = high <= (double)FLT_MAX ? (float)high : INFINITY;
    }
}

// The part of begin that needs no types of the plane or of space.
static void index_measure(ployi_query *query, ploy_query_kind kind, float radius, float length,
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
    // error e beside the path is sqrt(2 size e) along it: at most 1e-7 of the largest.
    double largest = query->grow;
    for (int32_t i = 0; i < n; i++) {
        double below = fabs((double)min[i] - query->at[i]);
        double above = fabs((double)max[i] - query->at[i]);
        double most = below > above ? below : above;
        largest = most > largest ? most : largest;
    }
    query->grow += largest * 8e-15;
    query->slack = largest * 4e-7;
    if (n == 2 || !sweep) return;
    // In space boxes are grown in float, which rounds by half a digit of their places.
    double furthest = (double)query->radius;
    for (int32_t i = 0; i < n; i++) {
        double low = fabs((double)min[i]), high = fabs((double)max[i]);
        double most = low > high ? low : high;
        furthest = most > furthest ? most : furthest;
    }
    query->grow += furthest * 2.4e-7;
}

static void index_begin(ployi_query *query, ploy_query_kind kind, float radius, float length,
                        const float *min, const float *max, int32_t n) {
    index_measure(query, kind, radius, length, min, max, n);
    bool moves = query->kind == PLOY_QUERY_RAY || query->kind == PLOY_QUERY_SWEEP;
    if (moves && !query->nothing) index_bound_line(query, n);
}

void ployi_query_collect(ployi_query *query, ploy_found *out, int32_t capacity) {
    query->out = out;
    query->capacity = out == NULL || capacity < 0 ? 0 : capacity;
    bool ranked = query->kind != PLOY_QUERY_RADIUS && query->kind != PLOY_QUERY_BOX;
    if (ranked && query->capacity == 0) query->nothing = true;
}

void ployi_query_watched(const ployi_query *query, const float *min, const float *max, int32_t id,
                         int32_t n) {
    ploy_box3 bounds = {{min[0], min[1], n == 3 ? min[2] : 0.0f},
                        {max[0], max[1], n == 3 ? max[2] : 0.0f}};
    query->watch->look(query->watch->user, bounds, id);
}

bool ployi_box_valid(const ployi_box *box, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        if (!(box->min[i] <= box->max[i] && box->min[i] >= -FLT_MAX && box->max[i] <= FLT_MAX)) {
            return false;
        }
    }
    return true;
}

uint64_t ployi_box_hash(uint64_t hash, int32_t id, const ployi_box *box, int32_t n) {
    hash = ploy_hash_combine(hash, (uint64_t)id);
    for (int32_t i = 0; i < n; i++) {
        uint32_t low, high;
        memcpy(&low, &box->min[i], sizeof low);
        memcpy(&high, &box->max[i], sizeof high);
        hash = ploy_hash_combine(hash, (uint64_t)low << 32 | high);
    }
    return hash;
}

uint64_t ployi_point_hash(uint64_t hash, const ployi_point *point) {
    uint32_t x, y;
    memcpy(&x, &point->at[0], sizeof x);
    memcpy(&y, &point->at[1], sizeof y);
    return ploy_hash_combine(ploy_hash_combine(hash, (uint64_t)point->id), (uint64_t)x << 32 | y);
}

void ployi_box_draw(const ployi_box *box, int32_t n, ploy_style style, ploy_draw *out) {
    float x[4] = {box->min[0], box->max[0], box->max[0], box->min[0]};
    float y[4] = {box->min[1], box->min[1], box->max[1], box->max[1]};
    ploy_vec3 points[10];
    for (int32_t i = 0; i < 10; i++) {
        points[i] = ploy_vec3_make(x[i % 5 % 4], y[i % 5 % 4], i < 5 ? box->min[2] : box->max[2]);
    }
    ploy_draw_item item;
    memset(&item, 0, sizeof item);
    item.shape = PLOY_SHAPE_LINE;
    item.layer = PLOY_LAYER_REGIONS;
    item.style = style;
    item.alpha = 1.0f;
    item.points = points;
    item.count = n == 2 ? 5 : 10; // floor, up at the first corner, ceiling
    ploy_draw_item_out(out, &item);
    for (int32_t i = 1; i < 4 && n == 3; i++) {
        ploy_vec3 edge[2] = {points[i], points[5 + i]};
        item.points = edge;
        item.count = 2;
        ploy_draw_item_out(out, &item);
    }
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

static void index_parts2(ploy_vec2 v, float out[3]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = 0.0f;
}

static void index_parts3(ploy_vec3 v, float out[3]) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// Queries of one piece of work: enough to be worth a worker's waking, few enough to share.
enum { INDEX_GRAIN = 64 };

#define INDEX_N 2
#include "geom/index_query.inc"

#define INDEX_N 3
#include "geom/index_query.inc"

ploy_query2 ploy_query2_sweep(ploy_sweep sweep) {
    ploy_query2 query = index_query_empty2(PLOY_QUERY_SWEEP, sweep.radius);
    query.ray = sweep.ray;
    return query;
}

ploy_query3 ploy_query3_sweep(ploy_ray3 ray, float radius) {
    ploy_query3 query = index_query_empty3(PLOY_QUERY_SWEEP, radius);
    query.ray = ray;
    return query;
}
