// Spatial indices against a list: the input is a sequence of insert, move, remove, refit, rebuild
// and questions. Whatever the sequence, a hierarchy, a quadtree, a grid, a kd-tree and the plain
// scene answer as asking every box, point or wall in turn does, to the bit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/geom/bvh.h"
#include "ploy/geom/grid.h"
#include "ploy/geom/kdtree.h"
#include "ploy/geom/quadtree.h"
#include "ploy/geom/scene.h"

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
    ploy_obstacle wall[IDS]; // across the box
    ploy_obstacle_id name[IDS];
} list;

// All that is tried.
typedef struct subjects {
    ploy_bvh2 *bvh;
    ploy_kdtree *kdtree;
    ploy_quadtree *quadtree;
    ploy_grid *grid; // of lower corners
    ploy_plain_scene *plain;
} subjects;

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

// The first wall along a ray; among equally near ones, the lowest index.
static void cast(const ploy_plain_scene *plain, const list *all, const ploy_query2 *query,
                 uint32_t mask) {
    ploy_vec2 from = query->ray.origin;
    ploy_vec2 to = ploy_vec2_add_scaled(from, query->ray.direction,
                                        query->ray.length <= 1e9f ? query->ray.length : 1e9f);
    if (query->kind < PLOY_QUERY_RAY) to = query->point;
    ploy_segment2 way = {from, to};
    float radius = query->radius <= 1e9f ? query->radius : 0.0f; // the nearest have no limit
    ploy_sweep sweep = ploy_sweep_between(from, to, radius);
    ploy_id best = {0, 0};
    float nearest = 0.0f;
    bool want = false;
    for (int32_t id = 0; id < IDS; id++) {
        const ploy_obstacle *wall = &all->wall[id];
        if (!all->there[id] || (wall->layers & mask) == 0) continue;
        float distance;
        ploy_hit2 hit;
        ploy_crossing2 crossing;
        if (sweep.radius > 0.0f || wall->radius > 0.0f) {
            if (!ploy_sweep_hit_capsule(sweep, wall->segment, wall->radius, &hit)) continue;
            distance = hit.distance;
        } else {
            if (!ploy_segment2_touches(way, wall->segment, &crossing)) continue;
            distance = crossing.distance;
        }
        ploy_id name = all->name[id].id;
        if (want && (distance > nearest || (distance == nearest && name.index > best.index))) {
            continue;
        }
        want = true;
        nearest = distance;
        best = name;
    }
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_scene_hit hit;
    REQUIRE(ploy_scene_sweep2(&scene, from, to, sweep.radius, mask, &hit) == want);
    if (!want) return;
    REQUIRE(hit.distance == nearest);
    REQUIRE(ploy_id_equal(hit.object, best));
}

static void question(input *in, const subjects *s, const list *all) {
    ploy_query2 query = take_query(in);
    int32_t room = take(in) % (IDS + 1);
    compare(ploy_bvh2_index(s->bvh), all, &query, room);
    compare(ploy_quadtree_index(s->quadtree), all, &query, room);
    cast(s->plain, all, &query, room % 3 == 0 ? PLOY_SCENE_ALL : (uint32_t)room);
    // Their lower corners, as points; those that are gone are left out.
    list corners = *all;
    ploy_vec2 points[IDS];
    for (int32_t id = 0; id < IDS; id++) {
        points[id] = all->there[id] ? all->box[id].min : ploy_vec2_make(NAN, 0.0f);
        corners.box[id].max = corners.box[id].min;
    }
    ploy_points view = ploy_points_make(points, IDS);
    REQUIRE(ploy_kdtree_rebuild(s->kdtree, &view) == PLOY_OK);
    compare(ploy_kdtree_index(s->kdtree), &corners, &query, room);
    compare(ploy_grid_index(s->grid), &corners, &query, room);
}

static void put(input *in, const subjects *s, list *all, int32_t id, bool insert) {
    bool there = all->there[id];
    ploy_vec2 corner = take_vec2(in);
    ploy_box2 box = ploy_box2_make(corner, take_vec2(in));
    uint8_t more = take(in);
    ploy_obstacle wall = {{box.min, box.max}, (more & 3) == 3 ? 2.0f : 0.0f, more >> 2};
    if (insert) {
        ploy_result want = there ? PLOY_ERR_EXISTS : PLOY_OK;
        REQUIRE(ploy_bvh2_insert(s->bvh, id, box) == want);
        REQUIRE(ploy_quadtree_insert(s->quadtree, id, box) == want);
        REQUIRE(ploy_grid_insert(s->grid, id, box.min) == want);
        if (there) return;
        REQUIRE(ploy_plain_scene_add(s->plain, &wall, &all->name[id]) == PLOY_OK);
    } else {
        ploy_result want = there ? PLOY_OK : PLOY_ERR_NOT_FOUND;
        REQUIRE(ploy_bvh2_move(s->bvh, id, box) == want);
        REQUIRE(ploy_quadtree_move(s->quadtree, id, box) == want);
        REQUIRE(ploy_grid_move(s->grid, id, box.min) == want);
        REQUIRE(ploy_plain_scene_set(s->plain, all->name[id], &wall) == want);
        if (!there) return;
    }
    all->there[id] = true;
    all->box[id] = box;
    all->wall[id] = wall;
}

static void step(input *in, const subjects *s, list *all) {
    uint8_t what = take(in) % 8;
    int32_t id = take(in) % IDS;
    if (what < 5) {
        put(in, s, all, id, what < 3);
    } else if (what == 5) {
        ploy_result want = all->there[id] ? PLOY_OK : PLOY_ERR_NOT_FOUND;
        REQUIRE(ploy_bvh2_remove(s->bvh, id) == want);
        REQUIRE(ploy_quadtree_remove(s->quadtree, id) == want);
        REQUIRE(ploy_grid_remove(s->grid, id) == want);
        REQUIRE(ploy_plain_scene_remove(s->plain, all->name[id]) == want);
        all->there[id] = false;
    } else if (what == 6 && id % 8 == 0) {
        ploy_box2 boxes[IDS];
        for (int32_t i = 0; i < IDS; i++) {
            boxes[i] = all->there[i] ? all->box[i] : ploy_box2_empty();
        }
        ploy_result result =
            id == 0 ? ploy_bvh2_refit(s->bvh, boxes, IDS) : ploy_bvh2_rebuild(s->bvh, boxes, IDS);
        REQUIRE(result == PLOY_OK);
        if (id == 8) ploy_plain_scene_tidy(s->plain);
    } else {
        question(in, s, all);
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
    ploy_grid_def grid_def = ploy_grid_def_default();
    grid_def.capacity = IDS;
    grid_def.cell_size = (float)(1 + quadtree_def.levels) * 0.75f;
    ploy_plain_scene_def plain_def = ploy_plain_scene_def_default();
    plain_def.margin = bvh_def.margin;
    subjects s = {NULL, NULL, NULL, NULL, NULL};
    REQUIRE(ploy_bvh2_create(&bvh_def, &env, &s.bvh) == PLOY_OK);
    REQUIRE(ploy_kdtree_create(&kdtree_def, &env, &s.kdtree) == PLOY_OK);
    REQUIRE(ploy_quadtree_create(&quadtree_def, &env, &s.quadtree) == PLOY_OK);
    REQUIRE(ploy_grid_create(&grid_def, &env, &s.grid) == PLOY_OK);
    REQUIRE(ploy_plain_scene_create(&plain_def, &env, &s.plain) == PLOY_OK);
    static const list nobody;
    list all = nobody;
    for (int32_t i = 0; i < STEPS && in.size > 0; i++) step(&in, &s, &all);
    int32_t count = 0;
    for (int32_t id = 0; id < IDS; id++) count += all.there[id];
    REQUIRE(ploy_bvh2_count(s.bvh) == count);
    REQUIRE(ploy_quadtree_count(s.quadtree) == count);
    REQUIRE(ploy_grid_count(s.grid) == count);
    REQUIRE(ploy_plain_scene_count(s.plain) == count);
    ploy_bvh2_destroy(s.bvh);
    ploy_kdtree_destroy(s.kdtree);
    ploy_quadtree_destroy(s.quadtree);
    ploy_grid_destroy(s.grid);
    ploy_plain_scene_destroy(s.plain);
    return 0;
}
