// A kd-tree over points of the plane (Bentley, "Multidimensional Binary Search Trees Used for
// Associative Searching", 1975), with bounds in place of splitting lines.
//
// The tree is complete and has no pointers: node i's children are 2 i + 1 and 2 i + 2, and all
// leaves lie on the lowest of `levels` levels. A node's points are items [low, high), its children
// share them half and half; walkers carry the range along.
//
//     bounds: [0: all][1: left half][2: right half][3][4][5][6] ...
//     items:  |---- 3 ----|---- 4 ----|---- 5 ----|---- 6 ----|      levels = 2
//
// Tight bounds cost four floats a node and save most of what a splitting line lets through; they
// also make a kd-tree, a hierarchy of boxes and a quadtree test by the same sums.
//
// Invariants, after each rebuild:
//   (1) items [0, count) hold each finite point once;
//   (2) bounds of a node are those of its items, empty if it has none;
//   (3) no leaf has more than KDTREE_LEAF items.
#include "ploy/geom/kdtree.h"

#include "geom/index_internal.h"
#include "ploy/base/math.h"

#include <string.h>

#define KDTREE_LEAF PLOY_CAPACITY(8)
// More levels than 2^24 points need, in leaves of one.
enum { KDTREE_DEPTH = 32 };

static const ploy_field kdtree_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_kdtree_def, capacity, 1024, 1, 1 << 24, "",
                         "most points; ids go from 0 to one less"),
};

typedef struct kdtree_part_bounds {
    float min[2], max[2];
} kdtree_part_bounds;

struct ploy_kdtree {
    ploy_env env;
    size_t size; // bytes of the one block that holds this struct and all arrays
    int32_t capacity;
    int32_t count;
    int32_t levels; // below the root; 0 is a single leaf
    kdtree_part_bounds *bounds;
    ployi_point *items;
    ployi_keyed *order; // scratch of rebuild
};

// A part of the tree still to be looked at.
typedef struct kdtree_part {
    double rank;
    int32_t node, level, low, high;
} kdtree_part;

ploy_fields ploy_kdtree_fields(void) {
    return PLOY_FIELDS(ploy_kdtree_def, kdtree_fields);
}

ploy_kdtree_def ploy_kdtree_def_default(void) {
    ploy_kdtree_def def;
    ploy_fields_default(ploy_kdtree_fields(), &def);
    return def;
}

static int32_t kdtree_levels_for(int32_t count) {
    int32_t levels = 0;
    // Halving may give one half the odd one: rounded up at each level, which is rounding up once.
    while (((count - 1) >> levels) + 1 > KDTREE_LEAF) levels++;
    return levels;
}

ploy_result ploy_kdtree_create(const ploy_kdtree_def *def, const ploy_env *env, ploy_kdtree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_kdtree_fields(), def, env);
    if (result != PLOY_OK) return result;
    int64_t nodes = ((int64_t)2 << kdtree_levels_for(def->capacity)) - 1;
    size_t head = (sizeof(ploy_kdtree) + 15u) & ~(size_t)15u, size = head;
    if (!ploy_size_add_array(size, nodes, sizeof(kdtree_part_bounds), &size) ||
        !ploy_size_add_array(size, def->capacity, sizeof(ployi_point) + sizeof(ployi_keyed),
                             &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_kdtree *tree = ploy_env_alloc(env, size);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    memset(tree, 0, size);
    tree->env = *env;
    tree->size = size;
    tree->capacity = def->capacity;
    tree->bounds = (kdtree_part_bounds *)(void *)((unsigned char *)tree + head);
    tree->items = (ployi_point *)(void *)(tree->bounds + nodes);
    tree->order = (ployi_keyed *)(void *)(tree->items + def->capacity);
    *out = tree;
    return PLOY_OK;
}

void ploy_kdtree_destroy(ploy_kdtree *tree) {
    if (tree == NULL) return;
    ploy_env env = tree->env;
    ploy_env_free(&env, tree, tree->size);
}

// Bounds of order [low, high), by the points themselves.
static kdtree_part_bounds kdtree_bounds_of(const ploy_kdtree *tree, const ploy_points *points,
                                           int32_t low, int32_t high) {
    kdtree_part_bounds bounds = {{FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX}};
    for (int32_t i = low; i < high; i++) {
        ploy_vec2 point = ploy_points_get(points, tree->order[i].id);
        float at[2] = {point.x, point.y};
        for (int32_t k = 0; k < 2; k++) {
            bounds.min[k] = at[k] < bounds.min[k] ? at[k] : bounds.min[k];
            bounds.max[k] = at[k] > bounds.max[k] ? at[k] : bounds.max[k];
        }
    }
    return bounds;
}

// As deep as there are levels: at most KDTREE_DEPTH.
static void kdtree_split(ploy_kdtree *tree, const ploy_points *points, int32_t node, int32_t level,
                         int32_t low, int32_t high) {
    kdtree_part_bounds bounds = kdtree_bounds_of(tree, points, low, high);
    tree->bounds[node] = bounds;
    if (level == tree->levels) return;
    double width = (double)bounds.max[0] - (double)bounds.min[0];
    double height = (double)bounds.max[1] - (double)bounds.min[1];
    for (int32_t i = low; i < high; i++) {
        ploy_vec2 point = ploy_points_get(points, tree->order[i].id);
        tree->order[i].key = width >= height ? point.x : point.y;
    }
    int32_t middle = low + (high - low) / 2;
    ployi_keyed_select(tree->order + low, high - low, middle - low);
    kdtree_split(tree, points, 2 * node + 1, level + 1, low, middle);
    kdtree_split(tree, points, 2 * node + 2, level + 1, middle, high);
}

ploy_result ploy_kdtree_rebuild(ploy_kdtree *tree, const ploy_points *points) {
    if (points->count < 0) return PLOY_ERR_ARGUMENT;
    if (points->count > tree->capacity) return PLOY_ERR_CAPACITY;
    tree->count = 0;
    for (int32_t id = 0; id < points->count; id++) {
        if (ploy_vec2_is_finite(ploy_points_get(points, id))) tree->order[tree->count++].id = id;
    }
    tree->levels = kdtree_levels_for(ploy_maxi(tree->count, 1));
    kdtree_split(tree, points, 0, 0, 0, tree->count);
    for (int32_t i = 0; i < tree->count; i++) {
        int32_t id = tree->order[i].id;
        ploy_vec2 point = ploy_points_get(points, id);
        ployi_point item = {{point.x, point.y}, id};
        tree->items[i] = item;
    }
    return PLOY_OK;
}

int32_t ploy_kdtree_count(const ploy_kdtree *tree) {
    return tree->count;
}

// Depth first, the nearer child before the other; what got too far meanwhile is dropped.
static inline void kdtree_walk(const ploy_kdtree *tree, ployi_query *query, ploy_query_kind kind,
                               int32_t n) {
    const bool ranked = kind != PLOY_QUERY_RADIUS && kind != PLOY_QUERY_BOX;
    const kdtree_part_bounds *all = tree->bounds;
    kdtree_part stack[KDTREE_DEPTH];
    int32_t depth = 0;
    kdtree_part part = {ployi_query_look(query, all->min, all->max, kind, n), 0, 0, 0, tree->count};
    for (;;) {
        if (part.rank <= query->limit) { // not for NaN
            if (part.level == tree->levels) {
                ployi_query_ask_points(query, tree->items + part.low, part.high - part.low, kind);
                if (query->stopped) return;
            } else {
                const kdtree_part_bounds *child = &all[2 * part.node + 1];
                int32_t middle = part.low + (part.high - part.low) / 2;
                kdtree_part first = {0.0, 2 * part.node + 1, part.level + 1, part.low, middle};
                kdtree_part second = {0.0, 2 * part.node + 2, part.level + 1, middle, part.high};
                first.rank = ployi_query_look(query, child[0].min, child[0].max, kind, n);
                second.rank = ployi_query_look(query, child[1].min, child[1].max, kind, n);
                // NaN, no meeting at all, compares as not nearer.
                bool swapped =
                    (ranked && second.rank < first.rank) || !(first.rank <= query->limit);
                part = swapped ? second : first;
                if (swapped) second = first;
                if (second.rank <= query->limit) stack[depth++] = second;
                continue;
            }
        }
        if (depth == 0) return;
        part = stack[--depth];
    }
}

static void kdtree_run(const ploy_kdtree *tree, ployi_query *query, int32_t n) {
    if (query->nothing || tree->count == 0) return;
    PLOYI_QUERY_BY_KIND(kdtree_walk, tree, query, n);
}

static ployi_box kdtree_bounds(const ploy_kdtree *tree) {
    const kdtree_part_bounds *all = tree->bounds;
    ployi_box box = {{all->min[0], all->min[1], 0.0f}, {all->max[0], all->max[1], 0.0f}};
    return box;
}

#define INDEX_TYPE ploy_kdtree
#define INDEX_N 2
#define INDEX_BOUNDS kdtree_bounds
#define INDEX_RUN kdtree_run
#include "geom/index_ask.inc"

void ploy_kdtree_describe(const ploy_kdtree *tree, ploy_describe *out) {
    // The order of items follows from the points, so hashing in it is as good as by id.
    uint64_t hash = 0;
    for (int32_t i = 0; i < tree->count; i++) {
        hash = ployi_point_hash(hash, &tree->items[i]);
    }
    ploy_describe_i64(out, "count", PLOY_STATE, tree->count);
    ploy_describe_u64(out, "points", PLOY_STATE, hash);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, tree->capacity);
    ploy_describe_i64(out, "levels", PLOY_NOTE, tree->levels);
}

void ploy_kdtree_draw(const ploy_kdtree *tree, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_REGIONS) || tree->count == 0) return;
    int32_t leaves = 1 << tree->levels;
    for (int32_t i = 0; i < leaves; i++) {
        kdtree_part_bounds part = tree->bounds[leaves - 1 + i];
        if (!(part.min[0] <= part.max[0])) continue;
        ployi_box box = {{part.min[0], part.min[1], 0.0f}, {part.max[0], part.max[1], 0.0f}};
        ployi_box_draw(&box, 2, PLOY_STYLE_GHOST, out);
    }
}

void ploy_kdtree_memory(const ploy_kdtree *tree, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"kdtree", tree->size, 1};
    fn(user, &item);
}

#undef KDTREE_LEAF
