// Spatial indices against a list: the input is a sequence of insert, move, remove, refit, rebuild
// and questions. Whatever the sequence, a hierarchy, a quadtree and a kd-tree answer as asking every
// box in turn does, to the bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/geom/bvh.h"
#include "ploy/geom/kdtree.h"
#include "ploy/geom/quadtree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                           \
    do {                                                             \
        if (!(condition)) {                                          \
            fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
            abort();                                                 \
        }                                                            \
    } while (0)

enum { IDS = 48, STEPS = 400 };

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

typedef struct list {
    ploy_box2 box[IDS];
    bool there[IDS];
} list;

static uint8_t take(input *in) {
    if (in->size == 0) return 0;
    in->size--;
    return *in->data++;
}

// Mostly small whole numbers, which meet often; sometimes any float of the promised range.
static float take_number(input *in) {
    uint8_t first = take(in);
    if (first < 240) return (float)first * 0.5f - 60.0f;
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++) bits = bits << 8 | take(in);
    float value;
    memcpy(&value, &bits, sizeof value);
    return fabsf(value) <= 1e9f ? value : (float)first;
}

static ploy_vec2 take_vec2(input *in) {
    float x = take_number(in);
    return ploy_vec2_make(x, take_number(in));
}

static ploy_query2 take_query(input *in) {
    uint8_t kind = take(in);
    ploy_vec2 at = take_vec2(in), to = take_vec2(in);
    float radius = fabsf(take_number(in));
    ploy_ray2 ray = ploy_ray2_between(at, to);
    if ((kind & 64) != 0) ray.length = INFINITY;
    ploy_sweep sweep = {ray, radius};
    switch (kind % 5) {
    case 0: return ploy_query2_radius(at, radius);
    case 1: return ploy_query2_box(ploy_box2_make(at, to));
    case 2: return ploy_query2_nearest(at, (kind & 64) != 0 ? INFINITY : radius);
    case 3: return ploy_query2_ray(ray);
    default: return ploy_query2_sweep(sweep);
    }
}

// The rank of a box, NaN if the query does not meet it.
static double ask(const ploy_query2 *query, ploy_box2 box) {
    ploy_hit2 hit;
    ploy_sweep sweep = {query->ray, query->radius};
    double sum = 0.0, radius = (double)query->radius;
    switch (query->kind) {
    case PLOY_QUERY_BOX: return ploy_box2_overlaps(query->box, box) ? 0.0 : (double)NAN;
    case PLOY_QUERY_RAY:
        return ploy_ray2_hit_box(query->ray, box, &hit) ? (double)hit.distance : (double)NAN;
    case PLOY_QUERY_SWEEP:
        return ploy_sweep_hit_box(sweep, box, &hit) ? (double)hit.distance : (double)NAN;
    default: break;
    }
    float at[2] = {query->point.x, query->point.y};
    float min[2] = {box.min.x, box.min.y}, max[2] = {box.max.x, box.max.y};
    for (int i = 0; i < 2; i++) {
        double gap = at[i] < min[i]   ? (double)min[i] - (double)at[i]
                     : at[i] > max[i] ? (double)at[i] - (double)max[i]
                                      : 0.0;
        sum += gap * gap;
    }
    return sum <= radius * radius ? sum : (double)NAN;
}

static int by_rank(const void *a, const void *b) {
    const ploy_found *p = a, *q = b;
    if (p->rank != q->rank) return p->rank < q->rank ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static void compare(ploy_index2 index, const list *all, const ploy_query2 *query, int32_t room) {
    ploy_found want[IDS], got[IDS];
    int32_t total = 0;
    for (int32_t id = 0; id < IDS; id++) {
        if (!all->there[id]) continue;
        ploy_found item = {ask(query, all->box[id]), id};
        if (item.rank == item.rank) want[total++] = item;
    }
    bool set = query->kind == PLOY_QUERY_RADIUS || query->kind == PLOY_QUERY_BOX;
    if (!set) qsort(want, (size_t)total, sizeof want[0], by_rank);
    int32_t fits = total < room ? total : room;
    int32_t found = ploy_index2_find(index, query, got, room, NULL);
    REQUIRE(found == (set ? total : fits));
    for (int32_t i = 0; i < fits; i++) {
        REQUIRE(got[i].id == want[i].id);
        REQUIRE(got[i].rank == want[i].rank);
    }
}

static void question(input *in, const ploy_bvh2 *bvh, const ploy_quadtree *quadtree,
                     ploy_kdtree *kdtree, const list *all) {
    ploy_query2 query = take_query(in);
    int32_t room = take(in) % (IDS + 1);
    compare(ploy_bvh2_index(bvh), all, &query, room);
    compare(ploy_quadtree_index(quadtree), all, &query, room);
    // Their lower corners, as points; those that are gone are left out.
    list corners = *all;
    ploy_vec2 points[IDS];
    for (int32_t id = 0; id < IDS; id++) {
        points[id] = all->there[id] ? all->box[id].min : ploy_vec2_make(NAN, 0.0f);
        corners.box[id].max = corners.box[id].min;
    }
    ploy_points view = ploy_points_make(points, IDS);
    REQUIRE(ploy_kdtree_rebuild(kdtree, &view) == PLOY_OK);
    compare(ploy_kdtree_index(kdtree), &corners, &query, room);
}

static void step(input *in, ploy_bvh2 *bvh, ploy_quadtree *quadtree, ploy_kdtree *kdtree,
                 list *all) {
    uint8_t what = take(in) % 8;
    int32_t id = take(in) % IDS;
    bool there = all->there[id];
    if (what < 5) {
        ploy_vec2 corner = take_vec2(in);
        ploy_box2 box = ploy_box2_make(corner, take_vec2(in));
        if (what < 3) {
            ploy_result want = there ? PLOY_ERR_EXISTS : PLOY_OK;
            REQUIRE(ploy_bvh2_insert(bvh, id, box) == want);
            REQUIRE(ploy_quadtree_insert(quadtree, id, box) == want);
            if (there) return;
        } else {
            ploy_result want = there ? PLOY_OK : PLOY_ERR_NOT_FOUND;
            REQUIRE(ploy_bvh2_move(bvh, id, box) == want);
            REQUIRE(ploy_quadtree_move(quadtree, id, box) == want);
            if (!there) return;
        }
        all->there[id] = true;
        all->box[id] = box;
    } else if (what == 5) {
        ploy_result want = there ? PLOY_OK : PLOY_ERR_NOT_FOUND;
        REQUIRE(ploy_bvh2_remove(bvh, id) == want);
        REQUIRE(ploy_quadtree_remove(quadtree, id) == want);
        all->there[id] = false;
    } else if (what == 6 && id % 8 == 0) {
        ploy_box2 boxes[IDS];
        for (int32_t i = 0; i < IDS; i++) {
            boxes[i] = all->there[i] ? all->box[i] : ploy_box2_empty();
        }
        ploy_result result =
            id == 0 ? ploy_bvh2_refit(bvh, boxes, IDS) : ploy_bvh2_rebuild(bvh, boxes, IDS);
        REQUIRE(result == PLOY_OK);
    } else {
        question(in, bvh, quadtree, kdtree, all);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = {data, size};
    ploy_env env = ploy_env_default();
    ploy_bvh_def bvh_def = ploy_bvh_def_default();
    ploy_kdtree_def kdtree_def = ploy_kdtree_def_default();
    ploy_quadtree_def quadtree_def = ploy_quadtree_def_default();
    bvh_def.capacity = kdtree_def.capacity = quadtree_def.capacity = IDS;
    bvh_def.margin = (float)(take(&in) % 8);
    quadtree_def.size = 1.0f + (float)take(&in);
    quadtree_def.levels = 1 + take(&in) % 16;
    ploy_bvh2 *bvh = NULL;
    ploy_kdtree *kdtree = NULL;
    ploy_quadtree *quadtree = NULL;
    REQUIRE(ploy_bvh2_create(&bvh_def, &env, &bvh) == PLOY_OK);
    REQUIRE(ploy_kdtree_create(&kdtree_def, &env, &kdtree) == PLOY_OK);
    REQUIRE(ploy_quadtree_create(&quadtree_def, &env, &quadtree) == PLOY_OK);
    static const list nobody;
    list all = nobody;
    for (int32_t i = 0; i < STEPS && in.size > 0; i++) step(&in, bvh, quadtree, kdtree, &all);
    int32_t count = 0;
    for (int32_t id = 0; id < IDS; id++) count += all.there[id];
    REQUIRE(ploy_bvh2_count(bvh) == count);
    REQUIRE(ploy_quadtree_count(quadtree) == count);
    ploy_bvh2_destroy(bvh);
    ploy_kdtree_destroy(kdtree);
    ploy_quadtree_destroy(quadtree);
    return 0;
}
