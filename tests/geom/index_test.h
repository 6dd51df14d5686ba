// What the tests of spatial indices share: a list of boxes that is asked one by one, boxes and
// questions of many kinds, and the comparison of an index with the list.
#pragma once

#include "tests/geom/geom_test.h"

#include "ploy/geom/index.h"

#include <stdlib.h>

enum { INDEX_MOST = 260 };

// The slow, obvious index.
typedef struct index_list2 {
    ploy_box2 box[INDEX_MOST];
    bool there[INDEX_MOST];
    int32_t count; // ids in use are below this
} index_list2;

typedef struct index_list3 {
    ploy_box3 box[INDEX_MOST];
    bool there[INDEX_MOST];
    int32_t count;
} index_list3;

static inline bool index_is_ranked(ploy_query_kind kind) {
    return kind == PLOY_QUERY_NEAREST || kind == PLOY_QUERY_RAY || kind == PLOY_QUERY_SWEEP;
}

static int index_by_rank(const void *a, const void *b) {
    const ploy_found *p = a, *q = b;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static inline double index_gap_sq(double min, double max, double at) {
    double gap = at < min ? min - at : at > max ? at - max : 0.0;
    return gap * gap;
}

// The rank of one box, NaN if the query does not meet it.
static inline double index_slow2(const ploy_query2 *query, ploy_box2 box) {
    double radius = (double)query->radius;
    ploy_hit2 hit;
    if (query->kind == PLOY_QUERY_RADIUS || query->kind == PLOY_QUERY_NEAREST) {
        double sum = index_gap_sq((double)box.min.x, (double)box.max.x, (double)query->point.x) +
                     index_gap_sq((double)box.min.y, (double)box.max.y, (double)query->point.y);
        return radius >= 0 && sum <= radius * radius ? sum : (double)NAN;
    }
    if (query->kind == PLOY_QUERY_BOX) {
        return ploy_box2_overlaps(query->box, box) ? 0.0 : (double)NAN;
    }
    if (query->kind == PLOY_QUERY_RAY) {
        return ploy_ray2_hit_box(query->ray, box, &hit) ? (double)hit.distance : (double)NAN;
    }
    ploy_sweep sweep = {query->ray, query->radius};
    return ploy_sweep_hit_box(sweep, box, &hit) ? (double)hit.distance : (double)NAN;
}

static inline double index_slow3(const ploy_query3 *query, ploy_box3 box) {
    double radius = (double)query->radius;
    ploy_hit3 hit;
    if (query->kind == PLOY_QUERY_RADIUS || query->kind == PLOY_QUERY_NEAREST) {
        double sum = index_gap_sq((double)box.min.x, (double)box.max.x, (double)query->point.x) +
                     index_gap_sq((double)box.min.y, (double)box.max.y, (double)query->point.y) +
                     index_gap_sq((double)box.min.z, (double)box.max.z, (double)query->point.z);
        return radius >= 0 && sum <= radius * radius ? sum : (double)NAN;
    }
    if (query->kind == PLOY_QUERY_BOX) {
        return ploy_box3_overlaps(query->box, box) ? 0.0 : (double)NAN;
    }
    if (query->kind == PLOY_QUERY_SWEEP && query->radius > 0) {
        box = ploy_box3_grow(box, query->radius);
    }
    return ploy_ray3_hit_box(query->ray, box, &hit) ? (double)hit.distance : (double)NAN;
}

// Compares what find gave with the whole answer, which is in order of ids.
static inline void index_compare(test_context *t, ploy_query_kind kind, ploy_found *want,
                                 int32_t total, const ploy_found *got, int32_t returned,
                                 int32_t capacity) {
    int32_t fits = total < capacity ? total : capacity;
    CHECK_INT(returned, index_is_ranked(kind) ? fits : total);
    if (index_is_ranked(kind)) qsort(want, (size_t)total, sizeof want[0], index_by_rank);
    for (int32_t i = 0; i < fits; i++) {
        CHECK_INT(got[i].id, want[i].id);
        CHECK_SAME(got[i].rank, want[i].rank);
    }
}

static inline void index_check2(test_context *t, ploy_index2 index, const index_list2 *list,
                                const ploy_query2 *query, int32_t capacity) {
    static ploy_found want[INDEX_MOST], got[INDEX_MOST];
    int32_t total = 0;
    for (int32_t id = 0; id < list->count; id++) {
        if (!list->there[id]) continue;
        ploy_found item = {index_slow2(query, list->box[id]), id};
        if (item.rank == item.rank) want[total++] = item;
    }
    t->row = ploy_query_kind_text(query->kind);
    int32_t returned = ploy_index2_find(index, query, got, capacity, NULL);
    index_compare(t, query->kind, want, total, got, returned, capacity);
    t->row = NULL;
}

static inline void index_check3(test_context *t, ploy_index3 index, const index_list3 *list,
                                const ploy_query3 *query, int32_t capacity) {
    static ploy_found want[INDEX_MOST], got[INDEX_MOST];
    int32_t total = 0;
    for (int32_t id = 0; id < list->count; id++) {
        if (!list->there[id]) continue;
        ploy_found item = {index_slow3(query, list->box[id]), id};
        if (item.rank == item.rank) want[total++] = item;
    }
    t->row = ploy_query_kind_text(query->kind);
    int32_t returned = ploy_index3_find(index, query, got, capacity, NULL);
    index_compare(t, query->kind, want, total, got, returned, capacity);
    t->row = NULL;
}

// The thin walls of a visitor: each box holds one, from corner to corner.
typedef struct index_walls2 {
    const index_list2 *list;
    ploy_ray2 ray;
    float radius;
    double distance; // of the best so far
    int32_t id;      // -1 for none
} index_walls2;

static inline void index_wall_ask(index_walls2 *walls, int32_t id) {
    ploy_segment2 wall = {walls->list->box[id].min, walls->list->box[id].max};
    ploy_sweep sweep = {walls->ray, walls->radius};
    ploy_hit2 hit;
    if (!ploy_sweep_hit_segment(sweep, wall, &hit)) return;
    double distance = (double)hit.distance;
    if (walls->id >= 0 && distance > walls->distance) return;
    if (walls->id >= 0 && distance == walls->distance && id > walls->id) return;
    walls->distance = distance;
    walls->id = id;
}

static inline bool index_wall_visit(void *user, int32_t id, double *limit) {
    index_walls2 *walls = user;
    index_wall_ask(walls, id);
    if (walls->id >= 0 && walls->distance < *limit) *limit = walls->distance;
    return true;
}

// The first wall on the way, through the index and one by one.
static inline void index_check_walls2(test_context *t, ploy_index2 index, const index_list2 *list,
                                      const ploy_query2 *query) {
    index_walls2 fast = {list, query->ray, query->radius, 0, -1}, slow = fast;
    index.visit(index.self, query, index_wall_visit, &fast, NULL);
    for (int32_t id = 0; id < list->count; id++) {
        if (list->there[id]) index_wall_ask(&slow, id);
    }
    CHECK_INT(fast.id, slow.id);
    if (slow.id >= 0) CHECK_SAME(fast.distance, slow.distance);
}

static inline bool index_mark_visit(void *user, int32_t id, double *limit) {
    (void)limit;
    ((uint8_t *)user)[id]++;
    return true;
}

// A visitor is told of everybody whom find finds, of nobody twice, and a watcher of them all.
static inline void index_check_visit2(test_context *t, ploy_index2 index, const index_list2 *list,
                                      const ploy_query2 *query) {
    uint8_t told[INDEX_MOST] = {0};
    ploy_query_stats stats;
    memset(&stats, 0, sizeof stats);
    index.visit(index.self, query, index_mark_visit, told, &stats);
    int64_t sum = 0;
    for (int32_t id = 0; id < list->count; id++) {
        if (!list->there[id]) {
            CHECK_INT(told[id], 0);
            continue;
        }
        CHECK(told[id] <= 1);
        sum += told[id];
        double rank = index_slow2(query, list->box[id]);
        if (rank == rank) CHECK_INT(told[id], 1);
    }
    CHECK_INT(stats.found, sum);
    CHECK(stats.objects >= sum);
}

// Places in many kinds of heaps.
static inline ploy_vec2 index_place2(ploy_rng *rng, uint64_t kind, float size, int32_t id) {
    ploy_vec2 p = test_random_vec2(rng, size);
    switch (kind % 6) {
    case 0: return p;                                                          // anywhere
    case 1: return ploy_vec2_make(size * 0.5f, size * 0.5f);                   // all in one place
    case 2: return ploy_vec2_make(p.x, 0);                                     // in a row
    case 3: return ploy_vec2_make((float)(id % 20), (float)(id / 20));         // in ranks
    case 4: return ploy_vec2_scale(p, ploy_rng_float(rng) < 0.5f ? 1e-3f : 1); // a knot and a few
    default: return ploy_vec2_make(p.x, p.x);                                  // slanting
    }
}

// Boxes from none of any size to some as large as everything.
static inline ploy_box2 index_box2(ploy_rng *rng, uint64_t kind, float size, int32_t id) {
    ploy_vec2 p = index_place2(rng, kind, size, id), half = test_random_vec2(rng, 0.5f);
    half = ploy_vec2_scale(half, kind % 6 == 3 ? 4 : size * ploy_exp2f(ploy_rng_range(rng, -9, 1)));
    if (kind % 6 == 3) half = ploy_vec2_make(floorf(half.x), floorf(half.y)); // many touch
    if (ploy_rng_chance(rng, 0.2f)) half.x = 0;
    if (ploy_rng_chance(rng, 0.2f)) half.y = 0;
    return ploy_box2_make(p, ploy_vec2_add(p, half));
}

static inline ploy_box3 index_box3(ploy_rng *rng, uint64_t kind, float size, int32_t id) {
    ploy_box2 flat = index_box2(rng, kind, size, id);
    float z = ploy_rng_range(rng, -size, size), high = ploy_rng_range(rng, 0, size * 0.1f);
    if (kind % 6 == 3) z = (float)ploy_rng_int(rng, 0, 6);
    if (ploy_rng_chance(rng, 0.3f)) high = kind % 6 == 3 ? 1.0f : 0.0f;
    ploy_vec3 low = ploy_vec3_from_vec2(flat.min, z);
    return ploy_box3_make(low, ploy_vec3_from_vec2(flat.max, z + high));
}

// Where a question begins: anywhere, or at a corner of something.
static inline ploy_vec2 index_spot2(ploy_rng *rng, const index_list2 *list, float size) {
    ploy_vec2 p = test_random_vec2(rng, size);
    if (list->count == 0 || ploy_rng_chance(rng, 0.4f)) return p;
    ploy_box2 box = list->box[ploy_rng_int(rng, 0, list->count - 1)];
    if (ploy_rng_chance(rng, 0.5f)) return box.min;
    return ploy_vec2_make(box.max.x, ploy_rng_chance(rng, 0.5f) ? box.max.y : p.y);
}

static inline float index_radius(ploy_rng *rng, float size, float exactly) {
    if (ploy_rng_chance(rng, 0.1f)) return 0;
    if (ploy_rng_chance(rng, 0.05f)) return INFINITY;
    if (ploy_rng_chance(rng, 0.25f)) return exactly;
    return size * ploy_exp2f(ploy_rng_range(rng, -10, 1));
}

static inline ploy_query2 index_query2_any(ploy_rng *rng, const index_list2 *list, float size) {
    ploy_vec2 at = index_spot2(rng, list, size), to = index_spot2(rng, list, size);
    float radius = index_radius(rng, size, ploy_vec2_distance(at, to));
    ploy_ray2 ray = ploy_ray2_between(at, to);
    if (ploy_rng_chance(rng, 0.2f)) ray = ploy_ray2_make(at, ploy_vec2_make(1, 0));
    if (ploy_rng_chance(rng, 0.2f)) ray = ploy_ray2_make(at, ploy_vec2_make(0, -1));
    if (ploy_rng_chance(rng, 0.2f)) ray.length = INFINITY;
    ploy_sweep sweep = {ray, radius <= FLT_MAX ? radius * 0.1f : size};
    switch (ploy_rng_int(rng, 0, 4)) {
    case 0: return ploy_query2_radius(at, radius);
    case 1: return ploy_query2_nearest(at, ploy_rng_chance(rng, 0.5f) ? INFINITY : radius);
    case 2: return ploy_query2_box(ploy_box2_make(at, to));
    case 3: return ploy_query2_ray(ray);
    default: return ploy_query2_sweep(sweep);
    }
}

static inline ploy_query3 index_query3_any(ploy_rng *rng, const index_list3 *list, float size) {
    ploy_vec3 at = test_random_vec3(rng, size), to = test_random_vec3(rng, size);
    if (list->count > 0 && ploy_rng_chance(rng, 0.6f)) {
        at = list->box[ploy_rng_int(rng, 0, list->count - 1)].min;
        if (ploy_rng_chance(rng, 0.5f)) to = list->box[ploy_rng_int(rng, 0, list->count - 1)].max;
    }
    float radius = index_radius(rng, size, ploy_vec3_distance(at, to));
    ploy_ray3 ray = ploy_ray3_between(at, to);
    if (ploy_rng_chance(rng, 0.2f)) ray = ploy_ray3_make(at, ploy_vec3_make(0, 0, 1));
    if (ploy_rng_chance(rng, 0.2f)) ray.length = INFINITY;
    switch (ploy_rng_int(rng, 0, 4)) {
    case 0: return ploy_query3_radius(at, radius);
    case 1: return ploy_query3_nearest(at, ploy_rng_chance(rng, 0.5f) ? INFINITY : radius);
    case 2: return ploy_query3_box(ploy_box3_make(at, to));
    case 3: return ploy_query3_ray(ray);
    default: return ploy_query3_sweep(ray, radius <= FLT_MAX ? radius * 0.1f : size);
    }
}

// Room for answers: all, few, one or none.
static inline int32_t index_room(ploy_rng *rng) {
    static const int32_t rooms[] = {INDEX_MOST, INDEX_MOST, 1, 3, 10, 40, 0};
    return rooms[ploy_rng_int(rng, 0, (int32_t)COUNT_OF(rooms) - 1)];
}
