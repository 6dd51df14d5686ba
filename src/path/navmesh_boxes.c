// The hierarchy of boxes over the polygons of a mesh: four children a node, built once.
//
// Groups hold powers of four, so that all nodes but the last of each level are full: about one node
// for three polygons, 27 bytes a polygon.
#include "path/navmesh_internal.h"
#include "ploy/base/math.h"

typedef struct navboxes_work {
    const ploy_box2 *boxes; // of polygons
    int32_t *ids;           // of polygons, in groups
    ployi_nav_boxes *nodes;
    int32_t count; // of nodes
    uint32_t pivot;
} navboxes_work;

// The size of the groups that this many polygons are divided into: the largest power of four below.
static int32_t navboxes_unit(int32_t count) {
    int32_t unit = 1;
    while (unit < count - 3 * unit) unit *= 4;
    return unit;
}

int32_t ployi_nav_boxes_count(int32_t polygons) {
    if (polygons <= 4) return 1;
    int32_t unit = navboxes_unit(polygons), rest = polygons % unit;
    int32_t full = unit > 1 ? polygons / unit * ployi_nav_boxes_count(unit) : 0;
    return 1 + full + (rest > 1 ? ployi_nav_boxes_count(rest) : 0);
}

static float navboxes_key(const navboxes_work *work, int32_t id, bool tall) {
    const ploy_box2 *box = &work->boxes[id];
    return tall ? box->min.y + box->max.y : box->min.x + box->max.x;
}

static bool navboxes_before(const navboxes_work *work, int32_t a, int32_t b, bool tall) {
    float key_a = navboxes_key(work, a, tall), key_b = navboxes_key(work, b, tall);
    return key_a != key_b ? key_a < key_b : a < b;
}

// Moves the polygons with the lower centres along the longer side of the group before `middle`.
// Quickselect (Hoare 1961); the pivots are drawn, so that no order of polygons is a bad one.
static void navboxes_split(navboxes_work *work, int32_t low, int32_t middle, int32_t high) {
    ploy_box2 around = ploy_box2_empty();
    for (int32_t i = low; i < high; i++) {
        const ploy_box2 *box = &work->boxes[work->ids[i]];
        ploy_vec2 twice = ploy_vec2_add(box->min, box->max);
        around = ploy_box2_merge(around, ploy_box2_make(twice, twice));
    }
    bool tall = around.max.y - around.min.y > around.max.x - around.min.x;
    int32_t *ids = work->ids;
    while (high - low > 1) {
        work->pivot = work->pivot * 1664525u + 1013904223u;
        int32_t pivot = ids[low + (int32_t)(work->pivot % (uint32_t)(high - low))];
        int32_t i = low, k = high - 1;
        while (i <= k) {
            while (navboxes_before(work, ids[i], pivot, tall)) i++;
            while (navboxes_before(work, pivot, ids[k], tall)) k--;
            if (i > k) break;
            int32_t id = ids[i];
            ids[i++] = ids[k];
            ids[k--] = id;
        }
        if (middle <= k) {
            high = k + 1;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static int32_t navboxes_group(navboxes_work *work, int32_t low, int32_t high, ploy_box2 *out);

static void navboxes_child(navboxes_work *work, int32_t node, int32_t lane, int32_t low,
                           int32_t high) {
    ploy_box2 box = ploy_box2_empty();
    int32_t child;
    if (high - low == 1) {
        child = ~work->ids[low];
        box = work->boxes[work->ids[low]];
    } else {
        child = navboxes_group(work, low, high, &box);
    }
    ployi_nav_boxes *out = &work->nodes[node];
    out->min_x[lane] = box.min.x;
    out->min_y[lane] = box.min.y;
    out->max_x[lane] = box.max.x;
    out->max_y[lane] = box.max.y;
    out->child[lane] = child;
}

// The node over polygons [low, high) of the list. The depth is that of a tree of four: 13 at most.
static int32_t navboxes_group(navboxes_work *work, int32_t low, int32_t high, ploy_box2 *out) {
    int32_t node = work->count++, count = high - low;
    int32_t unit = navboxes_unit(count), groups = (count + unit - 1) / unit;
    int32_t half = low + (groups + 1) / 2 * unit;
    if (groups > 1) navboxes_split(work, low, half, high);
    if (half - low > unit) navboxes_split(work, low, low + unit, half);
    if (high - half > unit) navboxes_split(work, half, half + unit, high);
    ployi_nav_boxes *empty = &work->nodes[node];
    for (int32_t lane = 0; lane < 4; lane++) {
        empty->min_x[lane] = empty->min_y[lane] = INFINITY;
        empty->max_x[lane] = empty->max_y[lane] = -INFINITY;
        empty->child[lane] = 0; // the root is no child
    }
    ploy_box2 box = ploy_box2_empty();
    for (int32_t lane = 0; lane < groups; lane++) {
        int32_t from = low + lane * unit;
        navboxes_child(work, node, lane, from, ploy_mini(from + unit, high));
    }
    for (int32_t i = low; i < high; i++) box = ploy_box2_merge(box, work->boxes[work->ids[i]]);
    *out = box;
    return node;
}

ploy_result ployi_nav_boxes_build(ploy_navmesh *mesh, const ploy_box2 *boxes, ploy_arena *scratch) {
    int32_t polygons = mesh->stats.polygons;
    navboxes_work work = {boxes, NULL, mesh->boxes, 0, 1};
    work.ids = ploy_arena_alloc_array(scratch, polygons, sizeof *work.ids);
    if (work.ids == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < polygons; i++) work.ids[i] = i;
    ploy_box2 all;
    navboxes_group(&work, 0, polygons, &all);
    return PLOY_OK;
}
