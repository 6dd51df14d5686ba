// Bounding-volume hierarchies, of the plane and of space: one body over n parts.
//
// A binary tree with one box in each leaf. Boxes that come one by one go down to where they add
// least to the bounds (half the perimeter on the plane, half the surface in space: what a random
// ray is likely to hit; Goldsmith and Salmon, "Automatic Creation of Object Hierarchies for Ray
// Tracing", 1987). On the way back up the taller of two siblings is rotated until heights differ by
// one at most, as in an AVL tree, except that leaves need no order, so that one kind of rotation
// does. Many boxes at once are halved at the middle of their centres, which is balanced already.
// Catto's dynamic tree (GDC 2019) is the model; margins are his too.
//
// Invariants, from create to destroy:
//   (1) leaf[id] is BVH_NONE or the leaf whose child[1] is id; child[0] of leaves is BVH_NONE;
//   (2) bounds of a leaf contain tight[id] and, unless it is fat, are tight[id]; those of an inner
//       node are the bounds of its children;
//   (3) height is 0 of leaves and one more than the taller child of others; siblings' heights
//       differ by one at most, so the tree of 2^24 leaves is less than BVH_DEPTH high;
//   (4) ids from `used` on are not held; nodes that are not in the tree hang on `free` by parent.
#include "ploy/geom/bvh.h"

#include "geom/index_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

#define BVH_NONE (-1)
enum { BVH_DEPTH = 48 };

static const ploy_field bvh_def_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_bvh_def, capacity, 1024, 1, 1 << 24, "",
                         "most boxes; ids go from 0 to one less"),
    PLOY_FIELD_F32(ploy_bvh_def, margin, 0.1f, 0, 1e9f, "m",
                   "room around boxes inserted or moved alone, about the way of one step"),
};

typedef struct bvh_box {
    float min[3], max[3]; // the third part is 0 on the plane
} bvh_box;

typedef struct bvh_node {
    bvh_box box;
    int32_t child[2];
    int32_t parent;
    int16_t height;
    int16_t fat; // of a leaf: its bounds may be wider than its box
} bvh_node;

typedef struct bvh_core {
    ploy_env env;
    size_t size; // bytes of the one block that holds this struct and all arrays
    int32_t n;   // parts of a place
    int32_t capacity;
    int32_t count;
    int32_t used;
    int32_t root;
    int32_t free;
    float margin;
    bvh_node *nodes;    // 2 capacity - 1
    bvh_box *tight;     // by id
    int32_t *leaf;      // by id
    ployi_keyed *order; // scratch of rebuild
} bvh_core;

ploy_fields ploy_bvh_fields(void) {
    return PLOY_FIELDS(ploy_bvh_def, bvh_def_fields);
}

ploy_bvh_def ploy_bvh_def_default(void) {
    ploy_bvh_def def;
    ploy_fields_default(ploy_bvh_fields(), &def);
    return def;
}

static void bvh_clear(bvh_core *core) {
    for (int32_t id = 0; id < core->used; id++) core->leaf[id] = BVH_NONE;
    core->used = 0;
    core->count = 0;
    core->root = BVH_NONE;
    int32_t nodes = 2 * core->capacity - 1;
    for (int32_t i = 0; i < nodes; i++) core->nodes[i].parent = i + 1 < nodes ? i + 1 : BVH_NONE;
    core->free = 0;
}

static ploy_result bvh_create(const ploy_bvh_def *def, const ploy_env *env, int32_t n,
                              bvh_core **out) {
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_bvh_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t head = (sizeof(bvh_core) + 15u) & ~(size_t)15u, size = head;
    int64_t capacity = def->capacity, nodes = 2 * capacity - 1;
    if (!ploy_size_add_array(size, nodes, sizeof(bvh_node), &size) ||
        !ploy_size_add_array(size, capacity,
                             sizeof(bvh_box) + sizeof(int32_t) + sizeof(ployi_keyed), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    bvh_core *core = ploy_env_alloc(env, size);
    if (core == NULL) return PLOY_ERR_MEMORY;
    memset(core, 0, size);
    core->env = *env;
    core->size = size;
    core->n = n;
    core->capacity = def->capacity;
    core->margin = def->margin;
    core->nodes = (bvh_node *)(void *)((unsigned char *)core + head);
    core->tight = (bvh_box *)(void *)(core->nodes + nodes);
    core->order = (ployi_keyed *)(void *)(core->tight + capacity);
    core->leaf = (int32_t *)(void *)(core->order + capacity);
    core->used = def->capacity; // so that clear reaches all of them
    bvh_clear(core);
    *out = core;
    return PLOY_OK;
}

static void bvh_destroy(bvh_core *core) {
    ploy_env env = core->env;
    ploy_env_free(&env, core, core->size);
}

// Finite and not empty.
static bool bvh_valid(const bvh_box *box, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        if (!(box->min[i] <= box->max[i] && box->min[i] >= -FLT_MAX && box->max[i] <= FLT_MAX)) {
            return false;
        }
    }
    return true;
}

static bool bvh_holds(const bvh_core *core, int32_t id) {
    return id >= 0 && id < core->capacity && core->leaf[id] != BVH_NONE;
}

static inline bvh_box bvh_merge(const bvh_box *a, const bvh_box *b) {
    bvh_box both;
    for (int32_t i = 0; i < 3; i++) {
        both.min[i] = a->min[i] < b->min[i] ? a->min[i] : b->min[i];
        both.max[i] = a->max[i] > b->max[i] ? a->max[i] : b->max[i];
    }
    return both;
}

// Half the perimeter, or half the surface.
static double bvh_measure(const bvh_box *box, int32_t n) {
    double x = (double)box->max[0] - (double)box->min[0];
    double y = (double)box->max[1] - (double)box->min[1];
    if (n == 2) return x + y;
    double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

static bvh_box bvh_bounds(const bvh_core *core) {
    bvh_box nowhere = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return core->root == BVH_NONE ? nowhere : core->nodes[core->root].box;
}

static int32_t bvh_take_node(bvh_core *core) {
    int32_t node = core->free;
    PLOY_ASSERT(node != BVH_NONE); // 2 capacity - 1 are enough for capacity leaves
    core->free = core->nodes[node].parent;
    return node;
}

static void bvh_give_node(bvh_core *core, int32_t node) {
    core->nodes[node].parent = core->free;
    core->free = node;
}

// Bounds and height of an inner node from its children. Keeps (2) and (3).
static void bvh_update(bvh_core *core, int32_t node) {
    bvh_node *at = &core->nodes[node];
    const bvh_node *a = &core->nodes[at->child[0]], *b = &core->nodes[at->child[1]];
    at->box = bvh_merge(&a->box, &b->box);
    at->height = (int16_t)(1 + ploy_maxi(a->height, b->height));
}

// Puts `now` where `before` hangs.
static void bvh_replace(bvh_core *core, int32_t parent, int32_t before, int32_t now) {
    core->nodes[now].parent = parent;
    if (parent == BVH_NONE) {
        core->root = now;
    } else {
        core->nodes[parent].child[core->nodes[parent].child[1] == before] = now;
    }
}

// If one child is taller than the other by two, it comes up and keeps its taller child; the
// shorter one goes down to the node:
//
//          node                  up
//         /    \               /    \         Heights: low h, up h + 2, tall h + 1, short h or
//       low     up    ->    node    tall      h + 1; node becomes h + 1 or h + 2: (3) holds again.
//              /  \         /  \                                                                    .
//          short  tall    low  short
//
// @return what hangs in node's place now.
static int32_t bvh_balance(bvh_core *core, int32_t node) {
    bvh_node *nodes = core->nodes, *at = &nodes[node];
    int32_t difference = nodes[at->child[1]].height - nodes[at->child[0]].height;
    if (difference >= -1 && difference <= 1) return node;
    int32_t side = difference > 0, up = at->child[side];
    int32_t tall = nodes[up].child[0], low = nodes[up].child[1];
    // Of two as tall, the one that fits the node's other child better goes down to it.
    const bvh_box *other = &nodes[at->child[1 - side]].box;
    bvh_box with_low = bvh_merge(other, &nodes[low].box);
    bvh_box with_tall = bvh_merge(other, &nodes[tall].box);
    bool fits = bvh_measure(&with_tall, core->n) < bvh_measure(&with_low, core->n);
    int32_t taller = nodes[low].height - nodes[tall].height;
    if (taller > 0 || (taller == 0 && fits)) {
        int32_t swap = tall;
        tall = low;
        low = swap;
    }
    bvh_replace(core, at->parent, node, up);
    nodes[up].child[0] = node;
    nodes[up].child[1] = tall;
    at->parent = up;
    at->child[side] = low;
    nodes[low].parent = node;
    bvh_update(core, node);
    bvh_update(core, up);
    return up;
}

// Changes places of a child and a child of the other, if that makes the other's bounds smaller and
// no height outside of it different: balance alone would let bounds overlap more and more. (Kopta
// and others, "Fast, Effective BVH Updates for Animated Scenes", 2012.)
static void bvh_improve(bvh_core *core, int32_t node) {
    bvh_node *nodes = core->nodes, *at = &nodes[node];
    double best = 0.0;
    int32_t best_side = BVH_NONE, best_which = 0;
    for (int32_t side = 0; side < 2; side++) {
        const bvh_node *low = &nodes[at->child[side]], *up = &nodes[at->child[1 - side]];
        if (up->child[0] == BVH_NONE) continue;
        double before = bvh_measure(&up->box, core->n);
        for (int32_t which = 0; which < 2; which++) {
            const bvh_node *goes = &nodes[up->child[which]], *stays = &nodes[up->child[1 - which]];
            int32_t apart = low->height - stays->height;
            int32_t height = 1 + ploy_maxi(low->height, stays->height);
            int32_t across = goes->height - height;
            if (apart < -1 || apart > 1 || across < -1 || across > 1) continue; // keeps (3)
            if (1 + ploy_maxi(goes->height, height) != at->height) continue;
            bvh_box both = bvh_merge(&low->box, &stays->box);
            double gain = before - bvh_measure(&both, core->n);
            if (gain <= best) continue;
            best = gain;
            best_side = side;
            best_which = which;
        }
    }
    if (best_side == BVH_NONE) return;
    int32_t low = at->child[best_side], up = at->child[1 - best_side];
    int32_t goes = nodes[up].child[best_which];
    at->child[best_side] = goes;
    nodes[goes].parent = node;
    nodes[up].child[best_which] = low;
    nodes[low].parent = up;
    bvh_update(core, up);
}

static void bvh_repair(bvh_core *core, int32_t node) {
    while (node != BVH_NONE) {
        node = bvh_balance(core, node);
        bvh_update(core, node);
        bvh_improve(core, node);
        node = core->nodes[node].parent;
    }
}

// The leaf beside which a box adds least, branch by branch. (Staying higher up may add less still,
// but a leaf beside a tall node would upset (3) by more than a rotation mends.)
static int32_t bvh_find_sibling(const bvh_core *core, const bvh_box *box) {
    const bvh_node *nodes = core->nodes;
    int32_t node = core->root;
    while (nodes[node].child[0] != BVH_NONE) {
        double cost[2];
        for (int32_t i = 0; i < 2; i++) {
            const bvh_node *child = &nodes[nodes[node].child[i]];
            bvh_box both = bvh_merge(&child->box, box);
            cost[i] = bvh_measure(&both, core->n) - bvh_measure(&child->box, core->n);
        }
        node = nodes[node].child[cost[1] < cost[0]];
    }
    return node;
}

static void bvh_hang(bvh_core *core, int32_t leaf) {
    bvh_node *nodes = core->nodes;
    if (core->root == BVH_NONE) {
        core->root = leaf;
        nodes[leaf].parent = BVH_NONE;
        return;
    }
    int32_t sibling = bvh_find_sibling(core, &nodes[leaf].box);
    int32_t above = bvh_take_node(core);
    bvh_replace(core, nodes[sibling].parent, sibling, above);
    nodes[above].child[0] = sibling;
    nodes[above].child[1] = leaf;
    nodes[sibling].parent = above;
    nodes[leaf].parent = above;
    bvh_repair(core, above);
}

static void bvh_unhang(bvh_core *core, int32_t leaf) {
    bvh_node *nodes = core->nodes;
    int32_t above = nodes[leaf].parent;
    if (above == BVH_NONE) {
        core->root = BVH_NONE;
        return;
    }
    int32_t sibling = nodes[above].child[nodes[above].child[0] == leaf];
    int32_t parent = nodes[above].parent;
    bvh_replace(core, parent, above, sibling);
    bvh_give_node(core, above);
    bvh_repair(core, parent);
}

static void bvh_fatten(const bvh_core *core, int32_t leaf, const bvh_box *box) {
    bvh_node *node = &core->nodes[leaf];
    node->box = *box;
    node->fat = 1;
    for (int32_t i = 0; i < core->n; i++) {
        node->box.min[i] -= core->margin;
        node->box.max[i] += core->margin;
    }
}

static ploy_result bvh_insert(bvh_core *core, int32_t id, bvh_box box) {
    if (id < 0 || id >= core->capacity || !bvh_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    if (core->leaf[id] != BVH_NONE) return PLOY_ERR_EXISTS;
    int32_t leaf = bvh_take_node(core);
    bvh_node *node = &core->nodes[leaf];
    node->child[0] = BVH_NONE;
    node->child[1] = id;
    node->height = 0;
    bvh_fatten(core, leaf, &box);
    core->tight[id] = box;
    core->leaf[id] = leaf;
    core->count++;
    core->used = ploy_maxi(core->used, id + 1);
    bvh_hang(core, leaf);
    return PLOY_OK;
}

static ploy_result bvh_move(bvh_core *core, int32_t id, bvh_box box) {
    if (id < 0 || id >= core->capacity || !bvh_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    int32_t leaf = core->leaf[id];
    if (leaf == BVH_NONE) return PLOY_ERR_NOT_FOUND;
    core->tight[id] = box;
    const bvh_box *fat = &core->nodes[leaf].box;
    bool fits = true;
    for (int32_t i = 0; i < core->n; i++) {
        fits = fits && fat->min[i] <= box.min[i] && box.max[i] <= fat->max[i];
        // What has shrunk must not keep the room it had.
        double spare =
            (double)box.min[i] - (double)fat->min[i] + (double)fat->max[i] - (double)box.max[i];
        fits = fits && spare <= 4.0 * (double)core->margin;
    }
    if (fits) {
        core->nodes[leaf].fat = 1;
        return PLOY_OK;
    }
    bvh_unhang(core, leaf);
    bvh_fatten(core, leaf, &box);
    bvh_hang(core, leaf);
    return PLOY_OK;
}

static ploy_result bvh_remove(bvh_core *core, int32_t id) {
    if (!bvh_holds(core, id)) return PLOY_ERR_NOT_FOUND;
    int32_t leaf = core->leaf[id];
    bvh_unhang(core, leaf);
    bvh_give_node(core, leaf);
    core->leaf[id] = BVH_NONE;
    core->count--;
    while (core->used > 0 && core->leaf[core->used - 1] == BVH_NONE) core->used--;
    return PLOY_OK;
}

// Puts a box on the list that bvh_build makes a tree of, if it is good for anything. Its node
// comes later; until then 0 says that it is there.
static void bvh_enlist(bvh_core *core, int32_t id, bvh_box box) {
    if (!bvh_valid(&box, core->n)) return;
    core->tight[id] = box;
    core->leaf[id] = 0;
    core->order[core->count++].id = id;
    core->used = id + 1;
}

static inline float bvh_centre(const bvh_box *box, int32_t axis) {
    return 0.5f * box->min[axis] + 0.5f * box->max[axis];
}

// Makes a taken node the tree over order [low, high). As deep as that is high.
static void bvh_split(bvh_core *core, int32_t node, int32_t low, int32_t high) {
    bvh_node *at = &core->nodes[node];
    if (high - low == 1) {
        int32_t id = core->order[low].id;
        at->box = core->tight[id];
        at->child[0] = BVH_NONE;
        at->child[1] = id;
        at->height = 0;
        at->fat = 0;
        core->leaf[id] = node;
        return;
    }
    // The axis along which centres spread most.
    int32_t axis = 0;
    double widest = -1.0;
    for (int32_t i = 0; i < core->n; i++) {
        float least = FLT_MAX, most = -FLT_MAX;
        for (int32_t k = low; k < high; k++) {
            float centre = bvh_centre(&core->tight[core->order[k].id], i);
            least = centre < least ? centre : least;
            most = centre > most ? centre : most;
        }
        double spread = (double)most - (double)least;
        if (spread <= widest) continue;
        widest = spread;
        axis = i;
    }
    for (int32_t k = low; k < high; k++) {
        core->order[k].key = bvh_centre(&core->tight[core->order[k].id], axis);
    }
    int32_t middle = low + (high - low) / 2;
    ployi_keyed_select(core->order + low, high - low, middle - low);
    // Siblings side by side: whoever looks at one looks at the other.
    for (int32_t i = 0; i < 2; i++) {
        at->child[i] = bvh_take_node(core);
        core->nodes[at->child[i]].parent = node;
    }
    bvh_split(core, at->child[0], low, middle);
    bvh_split(core, at->child[1], middle, high);
    bvh_update(core, node);
}

static void bvh_build(bvh_core *core) {
    if (core->count == 0) return;
    core->root = bvh_take_node(core);
    core->nodes[core->root].parent = BVH_NONE;
    bvh_split(core, core->root, 0, core->count);
}

static void bvh_refit(bvh_core *core, int32_t node) {
    bvh_node *at = &core->nodes[node];
    if (at->child[0] == BVH_NONE) {
        at->box = core->tight[at->child[1]];
        at->fat = 0;
        return;
    }
    bvh_refit(core, at->child[0]);
    bvh_refit(core, at->child[1]);
    bvh_update(core, node);
}

// A part of the tree still to be looked at.
typedef struct bvh_part {
    double rank;
    int32_t node;
} bvh_part;

// Depth first, the nearer child before the other; what got too far meanwhile is dropped.
static inline void bvh_walk(const bvh_core *core, ployi_query *query, ploy_query_kind kind,
                            int32_t n) {
    const bvh_node *nodes = core->nodes;
    const bool ranked = kind != PLOY_QUERY_RADIUS && kind != PLOY_QUERY_BOX;
    bvh_part stack[BVH_DEPTH];
    int32_t depth = 0;
    const bvh_box *box = &nodes[core->root].box;
    bvh_part part = {ployi_query_reach(query, box->min, box->max, kind, n), core->root};
    query->nodes++;
    for (;;) {
        if (part.rank <= query->limit) { // not for NaN
            const bvh_node *node = &nodes[part.node];
            if (node->child[0] == BVH_NONE) {
                int32_t id = node->child[1];
                query->objects++;
                const bvh_box *own = &node->box;
                if (node->fat) { // by the box itself, not its margin
                    own = &core->tight[id];
                    part.rank = ployi_query_reach(query, own->min, own->max, kind, n);
                }
                if (part.rank <= query->limit) {
                    ployi_query_meet(query, own->min, own->max, id, part.rank, kind, n);
                    if (query->stopped) return;
                }
            } else {
                const bvh_box *a = &nodes[node->child[0]].box, *b = &nodes[node->child[1]].box;
                bvh_part first = {ployi_query_reach(query, a->min, a->max, kind, n),
                                  node->child[0]};
                bvh_part second = {ployi_query_reach(query, b->min, b->max, kind, n),
                                   node->child[1]};
                query->nodes += 2;
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

static inline void bvh_run(const bvh_core *core, ployi_query *query, int32_t n) {
    if (query->nothing || core->count == 0) return;
    switch (query->kind) {
    case PLOY_QUERY_RADIUS: bvh_walk(core, query, PLOY_QUERY_RADIUS, n); break;
    case PLOY_QUERY_BOX: bvh_walk(core, query, PLOY_QUERY_BOX, n); break;
    case PLOY_QUERY_NEAREST: bvh_walk(core, query, PLOY_QUERY_NEAREST, n); break;
    case PLOY_QUERY_RAY: bvh_walk(core, query, PLOY_QUERY_RAY, n); break;
    default: bvh_walk(core, query, PLOY_QUERY_SWEEP, n); break;
    }
}

static void bvh_describe(const bvh_core *core, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t id = 0; id < core->used; id++) {
        if (core->leaf[id] == BVH_NONE) continue;
        hash = ploy_hash_combine(hash, (uint64_t)id);
        for (int32_t i = 0; i < core->n; i++) {
            uint32_t low, high;
            memcpy(&low, &core->tight[id].min[i], sizeof low);
            memcpy(&high, &core->tight[id].max[i], sizeof high);
            hash = ploy_hash_combine(hash, (uint64_t)low << 32 | high);
        }
    }
    ploy_describe_i64(out, "count", PLOY_STATE, core->count);
    ploy_describe_u64(out, "boxes", PLOY_STATE, hash);
    ploy_describe_f32(out, "margin", PLOY_NOTE, core->margin);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, core->capacity);
    ploy_describe_i64(out, "height", PLOY_NOTE,
                      core->root == BVH_NONE ? 0 : core->nodes[core->root].height);
}

// A box as lines: its floor, and in space its ceiling and the four edges between.
static void bvh_draw_box(const bvh_box *box, int32_t n, ploy_style style, ploy_draw *out) {
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

static void bvh_draw_under(const bvh_core *core, int32_t node, ploy_draw *out) {
    const bvh_node *at = &core->nodes[node];
    if (at->child[0] == BVH_NONE) {
        bvh_draw_box(&core->tight[at->child[1]], core->n, PLOY_STYLE_PLAIN, out);
        return;
    }
    bvh_draw_box(&at->box, core->n, PLOY_STYLE_GHOST, out);
    bvh_draw_under(core, at->child[0], out);
    bvh_draw_under(core, at->child[1], out);
}

static void bvh_draw(const bvh_core *core, ploy_draw *out) {
    if (core->root == BVH_NONE || !ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    bvh_draw_under(core, core->root, out);
}

// ---- the plane ----

struct ploy_bvh2 {
    bvh_core core;
};

static bvh_box bvh_box2_in(ploy_box2 box) {
    bvh_box in = {{box.min.x, box.min.y, 0.0f}, {box.max.x, box.max.y, 0.0f}};
    return in;
}

static ploy_box2 bvh_box2_out(const bvh_box *box) {
    ploy_box2 out = {{box->min[0], box->min[1]}, {box->max[0], box->max[1]}};
    return out;
}

ploy_result ploy_bvh2_create(const ploy_bvh_def *def, const ploy_env *env, ploy_bvh2 **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    bvh_core *core = NULL;
    ploy_result result = bvh_create(def, env, 2, &core);
    if (result == PLOY_OK) *out = (ploy_bvh2 *)(void *)core; // its only member
    return result;
}

void ploy_bvh2_destroy(ploy_bvh2 *bvh) {
    if (bvh != NULL) bvh_destroy(&bvh->core);
}

ploy_result ploy_bvh2_rebuild(ploy_bvh2 *bvh, const ploy_box2 *boxes, int32_t count) {
    bvh_core *core = &bvh->core;
    if (count < 0) return PLOY_ERR_ARGUMENT;
    if (count > core->capacity) return PLOY_ERR_CAPACITY;
    bvh_clear(core);
    for (int32_t id = 0; id < count; id++) bvh_enlist(core, id, bvh_box2_in(boxes[id]));
    bvh_build(core);
    return PLOY_OK;
}

ploy_result ploy_bvh2_refit(ploy_bvh2 *bvh, const ploy_box2 *boxes, int32_t count) {
    bvh_core *core = &bvh->core;
    if (count < 0 || count > core->capacity) return PLOY_ERR_ARGUMENT;
    for (int32_t id = 0; id < count; id++) {
        bvh_box box = bvh_box2_in(boxes[id]);
        if (core->leaf[id] != BVH_NONE && !bvh_valid(&box, 2)) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t id = 0; id < count; id++) {
        if (core->leaf[id] != BVH_NONE) core->tight[id] = bvh_box2_in(boxes[id]);
    }
    if (core->root != BVH_NONE) bvh_refit(core, core->root);
    return PLOY_OK;
}

ploy_result ploy_bvh2_insert(ploy_bvh2 *bvh, int32_t id, ploy_box2 box) {
    return bvh_insert(&bvh->core, id, bvh_box2_in(box));
}

ploy_result ploy_bvh2_move(ploy_bvh2 *bvh, int32_t id, ploy_box2 box) {
    return bvh_move(&bvh->core, id, bvh_box2_in(box));
}

ploy_result ploy_bvh2_remove(ploy_bvh2 *bvh, int32_t id) {
    return bvh_remove(&bvh->core, id);
}

void ploy_bvh2_clear(ploy_bvh2 *bvh) {
    bvh_clear(&bvh->core);
}

int32_t ploy_bvh2_count(const ploy_bvh2 *bvh) {
    return bvh->core.count;
}

bool ploy_bvh2_get(const ploy_bvh2 *bvh, int32_t id, ploy_box2 *out) {
    if (!bvh_holds(&bvh->core, id)) return false;
    *out = bvh_box2_out(&bvh->core.tight[id]);
    return true;
}

int32_t ploy_bvh2_find(const ploy_bvh2 *bvh, const ploy_query2 *query, ploy_found *out,
                       int32_t capacity, ploy_query_stats *stats) {
    ployi_query ready;
    bvh_box bounds = bvh_bounds(&bvh->core);
    ployi_query_begin2(&ready, query, bounds.min, bounds.max, NULL, NULL);
    ployi_query_collect(&ready, out, capacity);
    bvh_run(&bvh->core, &ready, 2);
    return ployi_query_end(&ready, stats);
}

void ploy_bvh2_visit(const ploy_bvh2 *bvh, const ploy_query2 *query, ploy_visit_fn fn, void *user,
                     ploy_query_stats *stats) {
    ployi_query ready;
    bvh_box bounds = bvh_bounds(&bvh->core);
    ployi_query_begin2(&ready, query, bounds.min, bounds.max, fn, user);
    bvh_run(&bvh->core, &ready, 2);
    (void)ployi_query_end(&ready, stats);
}

static int32_t bvh_index2_find(const void *self, const ploy_query2 *query, ploy_found *out,
                               int32_t capacity, ploy_query_stats *stats) {
    return ploy_bvh2_find(self, query, out, capacity, stats);
}

static void bvh_index2_visit(const void *self, const ploy_query2 *query, ploy_visit_fn fn,
                             void *user, ploy_query_stats *stats) {
    ploy_bvh2_visit(self, query, fn, user, stats);
}

ploy_index2 ploy_bvh2_index(const ploy_bvh2 *bvh) {
    ploy_index2 index = {bvh_index2_find, bvh_index2_visit, bvh};
    return index;
}

void ploy_bvh2_describe(const ploy_bvh2 *bvh, ploy_describe *out) {
    bvh_describe(&bvh->core, out);
}

void ploy_bvh2_draw(const ploy_bvh2 *bvh, ploy_draw *out) {
    bvh_draw(&bvh->core, out);
}

void ploy_bvh2_memory(const ploy_bvh2 *bvh, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"bvh2", bvh->core.size, 1};
    fn(user, &item);
}

// ---- space ----

struct ploy_bvh3 {
    bvh_core core;
};

static bvh_box bvh_box3_in(ploy_box3 box) {
    bvh_box in = {{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}};
    return in;
}

static ploy_box3 bvh_box3_out(const bvh_box *box) {
    ploy_box3 out = {{box->min[0], box->min[1], box->min[2]},
                     {box->max[0], box->max[1], box->max[2]}};
    return out;
}

ploy_result ploy_bvh3_create(const ploy_bvh_def *def, const ploy_env *env, ploy_bvh3 **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    bvh_core *core = NULL;
    ploy_result result = bvh_create(def, env, 3, &core);
    if (result == PLOY_OK) *out = (ploy_bvh3 *)(void *)core; // its only member
    return result;
}

void ploy_bvh3_destroy(ploy_bvh3 *bvh) {
    if (bvh != NULL) bvh_destroy(&bvh->core);
}

ploy_result ploy_bvh3_rebuild(ploy_bvh3 *bvh, const ploy_box3 *boxes, int32_t count) {
    bvh_core *core = &bvh->core;
    if (count < 0) return PLOY_ERR_ARGUMENT;
    if (count > core->capacity) return PLOY_ERR_CAPACITY;
    bvh_clear(core);
    for (int32_t id = 0; id < count; id++) bvh_enlist(core, id, bvh_box3_in(boxes[id]));
    bvh_build(core);
    return PLOY_OK;
}

ploy_result ploy_bvh3_refit(ploy_bvh3 *bvh, const ploy_box3 *boxes, int32_t count) {
    bvh_core *core = &bvh->core;
    if (count < 0 || count > core->capacity) return PLOY_ERR_ARGUMENT;
    for (int32_t id = 0; id < count; id++) {
        bvh_box box = bvh_box3_in(boxes[id]);
        if (core->leaf[id] != BVH_NONE && !bvh_valid(&box, 3)) return PLOY_ERR_ARGUMENT;
    }
    for (int32_t id = 0; id < count; id++) {
        if (core->leaf[id] != BVH_NONE) core->tight[id] = bvh_box3_in(boxes[id]);
    }
    if (core->root != BVH_NONE) bvh_refit(core, core->root);
    return PLOY_OK;
}

ploy_result ploy_bvh3_insert(ploy_bvh3 *bvh, int32_t id, ploy_box3 box) {
    return bvh_insert(&bvh->core, id, bvh_box3_in(box));
}

ploy_result ploy_bvh3_move(ploy_bvh3 *bvh, int32_t id, ploy_box3 box) {
    return bvh_move(&bvh->core, id, bvh_box3_in(box));
}

ploy_result ploy_bvh3_remove(ploy_bvh3 *bvh, int32_t id) {
    return bvh_remove(&bvh->core, id);
}

void ploy_bvh3_clear(ploy_bvh3 *bvh) {
    bvh_clear(&bvh->core);
}

int32_t ploy_bvh3_count(const ploy_bvh3 *bvh) {
    return bvh->core.count;
}

bool ploy_bvh3_get(const ploy_bvh3 *bvh, int32_t id, ploy_box3 *out) {
    if (!bvh_holds(&bvh->core, id)) return false;
    *out = bvh_box3_out(&bvh->core.tight[id]);
    return true;
}

int32_t ploy_bvh3_find(const ploy_bvh3 *bvh, const ploy_query3 *query, ploy_found *out,
                       int32_t capacity, ploy_query_stats *stats) {
    ployi_query ready;
    bvh_box bounds = bvh_bounds(&bvh->core);
    ployi_query_begin3(&ready, query, bounds.min, bounds.max, NULL, NULL);
    ployi_query_collect(&ready, out, capacity);
    bvh_run(&bvh->core, &ready, 3);
    return ployi_query_end(&ready, stats);
}

void ploy_bvh3_visit(const ploy_bvh3 *bvh, const ploy_query3 *query, ploy_visit_fn fn, void *user,
                     ploy_query_stats *stats) {
    ployi_query ready;
    bvh_box bounds = bvh_bounds(&bvh->core);
    ployi_query_begin3(&ready, query, bounds.min, bounds.max, fn, user);
    bvh_run(&bvh->core, &ready, 3);
    (void)ployi_query_end(&ready, stats);
}

static int32_t bvh_index3_find(const void *self, const ploy_query3 *query, ploy_found *out,
                               int32_t capacity, ploy_query_stats *stats) {
    return ploy_bvh3_find(self, query, out, capacity, stats);
}

static void bvh_index3_visit(const void *self, const ploy_query3 *query, ploy_visit_fn fn,
                             void *user, ploy_query_stats *stats) {
    ploy_bvh3_visit(self, query, fn, user, stats);
}

ploy_index3 ploy_bvh3_index(const ploy_bvh3 *bvh) {
    ploy_index3 index = {bvh_index3_find, bvh_index3_visit, bvh};
    return index;
}

void ploy_bvh3_describe(const ploy_bvh3 *bvh, ploy_describe *out) {
    bvh_describe(&bvh->core, out);
}

void ploy_bvh3_draw(const ploy_bvh3 *bvh, ploy_draw *out) {
    bvh_draw(&bvh->core, out);
}

void ploy_bvh3_memory(const ploy_bvh3 *bvh, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"bvh3", bvh->core.size, 1};
    fn(user, &item);
}

#undef BVH_NONE
