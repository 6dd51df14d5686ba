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
//   (1) leaf[id] is BVH_NONE or the leaf whose child[1] is id; child[0] of leaves is below 0;
//   (2) bounds of a leaf contain tight[id] and, unless it is fat, are tight[id]; its layers are
//       layers[id]; bounds and layers of an inner node are those of its children together;
//   (3) height is 0 of leaves and one more than the taller child of others; siblings' heights
//       differ by one at most, so the tree of 2^24 leaves is less than BVH_DEPTH high;
//   (4) ids from `used` on are not held; nodes that are not in the tree hang on `free` by parent.
#include "ploy/geom/bvh.h"

#include "geom/bvh_internal.h"
#include "geom/index_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#include <string.h>

#define BVH_NONE (-1)
#define BVH_TIGHT (-1)
#define BVH_FAT (-2)
#define BVH_ALL_LAYERS (~(uint32_t)0)
// Bytes of a cache line, on whatever machine this will run.
#define BVH_LINE 64u
enum { BVH_DEPTH = 48 };

static const ploy_field bvh_def_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_bvh_def, capacity, 1024, 1, 1 << 24, "",
                         "most boxes; ids go from 0 to one less"),
    PLOY_FIELD_F32(ploy_bvh_def, margin, 0.1f, 0, 1e9f, "m",
                   "room around boxes inserted or moved alone, about the distance of one step"),
};

// What queries read: two siblings side by side fill one cache line, if they came by rebuild.
typedef struct bvh_node {
    ployi_box box;
    int32_t child[2]; // of a leaf: BVH_TIGHT or BVH_FAT, and the id
} bvh_node;

// What only changes read, and queries that see some layers only.
typedef struct bvh_link {
    int32_t parent;
    int32_t height;
    uint32_t layers; // of all below
} bvh_link;

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
    bvh_node *nodes;    // 2 capacity; the first is not used, so that pairs begin at even places
    bvh_link *links;    // likewise
    ployi_box *tight;   // by id
    ployi_keyed *order; // scratch of rebuild
    int32_t *leaf;      // by id
    uint32_t *layers;   // by id
} bvh_core;

ploy_fields ploy_bvh_fields(void) {
    return PLOY_FIELDS(ploy_bvh_def, bvh_def_fields);
}

ploy_bvh_def ploy_bvh_def_default(void) {
    ploy_bvh_def def;
    ploy_fields_default(ploy_bvh_fields(), &def);
    return def;
}

static void bvh_free_all(bvh_core *core) {
    int32_t nodes = 2 * core->capacity;
    for (int32_t i = 1; i < nodes; i++) core->links[i].parent = i + 1 < nodes ? i + 1 : BVH_NONE;
    core->free = 1;
}

static void bvh_clear(bvh_core *core) {
    for (int32_t id = 0; id < core->used; id++) core->leaf[id] = BVH_NONE;
    core->used = 0;
    core->count = 0;
    core->root = BVH_NONE;
    bvh_free_all(core);
}

static ploy_result bvh_create(const ploy_bvh_def *def, const ploy_env *env, int32_t n, void **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_bvh_fields(), def, env);
    if (result != PLOY_OK) return result;
    // Allocators give multiples of 16; the rest of a line is room to begin the nodes at one.
    size_t head = (sizeof(bvh_core) + 15u) & ~(size_t)15u, size = head + BVH_LINE - 16u;
    int64_t capacity = def->capacity, nodes = 2 * capacity;
    if (!ploy_size_add_array(size, nodes, sizeof(bvh_node) + sizeof(bvh_link), &size) ||
        !ploy_size_add_array(
            size, capacity, sizeof(ployi_box) + sizeof(ployi_keyed) + 2 * sizeof(int32_t), &size)) {
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
    unsigned char *first = (unsigned char *)core + head;
    first += (BVH_LINE - (uintptr_t)first % BVH_LINE) % BVH_LINE;
    core->nodes = (bvh_node *)(void *)first;
    core->tight = (ployi_box *)(void *)(core->nodes + nodes);
    core->order = (ployi_keyed *)(void *)(core->tight + capacity);
    core->links = (bvh_link *)(void *)(core->order + capacity);
    core->leaf = (int32_t *)(void *)(core->links + nodes);
    core->layers = (uint32_t *)(void *)(core->leaf + capacity);
    core->used = def->capacity; // so that clear reaches all of them
    bvh_clear(core);
    *out = core;
    return PLOY_OK;
}

static bool bvh_holds(const bvh_core *core, int32_t id) {
    return id >= 0 && id < core->capacity && core->leaf[id] != BVH_NONE;
}

// Half the perimeter, or half the surface.
static double bvh_measure(const ployi_box *box, int32_t n) {
    double x = (double)box->max[0] - (double)box->min[0];
    double y = (double)box->max[1] - (double)box->min[1];
    if (n == 2) return x + y;
    double z = (double)box->max[2] - (double)box->min[2];
    return x * y + y * z + z * x;
}

static ployi_box bvh_bounds(const bvh_core *core) {
    ployi_box nowhere = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    return core->root == BVH_NONE ? nowhere : core->nodes[core->root].box;
}

static int32_t bvh_take_node(bvh_core *core) {
    int32_t node = core->free;
    PLOY_ASSERT(node != BVH_NONE); // 2 capacity - 1 are enough for capacity leaves
    core->free = core->links[node].parent;
    return node;
}

static void bvh_give_node(bvh_core *core, int32_t node) {
    core->links[node].parent = core->free;
    core->free = node;
}

static inline bool bvh_is_leaf(const bvh_node *node) {
    return node->child[0] < 0;
}

// Bounds, layers and height of an inner node from its children. Keeps (2) and (3).
static void bvh_update(bvh_core *core, int32_t node) {
    bvh_node *at = &core->nodes[node];
    const bvh_link *a = &core->links[at->child[0]], *b = &core->links[at->child[1]];
    at->box = ployi_box_merge(&core->nodes[at->child[0]].box, &core->nodes[at->child[1]].box);
    core->links[node].height = 1 + ploy_maxi(a->height, b->height);
    core->links[node].layers = a->layers | b->layers;
}

// Puts `now` where `before` hangs.
static void bvh_replace(bvh_core *core, int32_t parent, int32_t before, int32_t now) {
    core->links[now].parent = parent;
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
    bvh_link *links = core->links;
    int32_t difference = links[at->child[1]].height - links[at->child[0]].height;
    if (difference >= -1 && difference <= 1) return node;
    int32_t side = difference > 0, up = at->child[side];
    int32_t tall = nodes[up].child[0], low = nodes[up].child[1];
    // Of two as tall, the one that fits the node's other child better goes down to it.
    const ployi_box *other = &nodes[at->child[1 - side]].box;
    ployi_box with_low = ployi_box_merge(other, &nodes[low].box);
    ployi_box with_tall = ployi_box_merge(other, &nodes[tall].box);
    bool fits = bvh_measure(&with_tall, core->n) < bvh_measure(&with_low, core->n);
    int32_t taller = links[low].height - links[tall].height;
    if (taller > 0 || (taller == 0 && fits)) {
        int32_t swap = tall;
        tall = low;
        low = swap;
    }
    bvh_replace(core, links[node].parent, node, up);
    nodes[up].child[0] = node;
    nodes[up].child[1] = tall;
    links[node].parent = up;
    at->child[side] = low;
    links[low].parent = node;
    bvh_update(core, node);
    bvh_update(core, up);
    return up;
}

// Changes places of a child and a child of the other, if that makes the other's bounds smaller and
// no height outside of it different: balance alone would let bounds overlap more and more. (Kopta
// and others, "Fast, Effective BVH Updates for Animated Scenes", 2012.)
static void bvh_improve(bvh_core *core, int32_t node) {
    bvh_node *nodes = core->nodes, *at = &nodes[node];
    bvh_link *links = core->links;
    double best = 0.0;
    int32_t best_side = BVH_NONE, best_which = 0;
    for (int32_t side = 0; side < 2; side++) {
        int32_t low = at->child[side], up = at->child[1 - side];
        if (bvh_is_leaf(&nodes[up])) continue;
        double before = bvh_measure(&nodes[up].box, core->n);
        for (int32_t which = 0; which < 2; which++) {
            int32_t goes = nodes[up].child[which], stays = nodes[up].child[1 - which];
            int32_t apart = links[low].height - links[stays].height;
            int32_t height = 1 + ploy_maxi(links[low].height, links[stays].height);
            int32_t across = links[goes].height - height;
            if (apart < -1 || apart > 1 || across < -1 || across > 1) continue; // keeps (3)
            if (1 + ploy_maxi(links[goes].height, height) != links[node].height) continue;
            ployi_box both = ployi_box_merge(&nodes[low].box, &nodes[stays].box);
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
    links[goes].parent = node;
    nodes[up].child[best_which] = low;
    links[low].parent = up;
    bvh_update(core, up);
}

static void bvh_repair(bvh_core *core, int32_t node) {
    while (node != BVH_NONE) {
        node = bvh_balance(core, node);
        bvh_update(core, node);
        bvh_improve(core, node);
        node = core->links[node].parent;
    }
}

// The leaf beside which a box adds least, branch by branch. (Staying higher up may add less still,
// but a leaf beside a tall node would upset (3) by more than a rotation mends.)
static int32_t bvh_find_sibling(const bvh_core *core, const ployi_box *box) {
    const bvh_node *nodes = core->nodes;
    int32_t node = core->root;
    while (!bvh_is_leaf(&nodes[node])) {
        double cost[2];
        for (int32_t i = 0; i < 2; i++) {
            const bvh_node *child = &nodes[nodes[node].child[i]];
            ployi_box both = ployi_box_merge(&child->box, box);
            cost[i] = bvh_measure(&both, core->n) - bvh_measure(&child->box, core->n);
        }
        node = nodes[node].child[cost[1] < cost[0]];
    }
    return node;
}

static void bvh_hang(bvh_core *core, int32_t leaf) {
    bvh_node *nodes = core->nodes;
    bvh_link *links = core->links;
    if (core->root == BVH_NONE) {
        core->root = leaf;
        links[leaf].parent = BVH_NONE;
        return;
    }
    int32_t sibling = bvh_find_sibling(core, &nodes[leaf].box);
    int32_t above = bvh_take_node(core);
    bvh_replace(core, links[sibling].parent, sibling, above);
    nodes[above].child[0] = sibling;
    nodes[above].child[1] = leaf;
    links[sibling].parent = above;
    links[leaf].parent = above;
    bvh_repair(core, above);
}

static void bvh_unhang(bvh_core *core, int32_t leaf) {
    bvh_node *nodes = core->nodes;
    int32_t above = core->links[leaf].parent;
    if (above == BVH_NONE) {
        core->root = BVH_NONE;
        return;
    }
    int32_t sibling = nodes[above].child[nodes[above].child[0] == leaf];
    int32_t parent = core->links[above].parent;
    bvh_replace(core, parent, above, sibling);
    bvh_give_node(core, above);
    bvh_repair(core, parent);
}

static void bvh_fatten(const bvh_core *core, int32_t leaf, const ployi_box *box) {
    bvh_node *node = &core->nodes[leaf];
    node->box = *box;
    node->child[0] = BVH_FAT;
    for (int32_t i = 0; i < core->n; i++) {
        node->box.min[i] -= core->margin;
        node->box.max[i] += core->margin;
    }
}

static ploy_result bvh_insert(bvh_core *core, int32_t id, ployi_box box) {
    if (id < 0 || id >= core->capacity || !ployi_box_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    if (core->leaf[id] != BVH_NONE) return PLOY_ERR_EXISTS;
    int32_t leaf = bvh_take_node(core);
    core->nodes[leaf].child[1] = id;
    bvh_fatten(core, leaf, &box);
    core->links[leaf].height = 0;
    core->links[leaf].layers = core->layers[id] = BVH_ALL_LAYERS;
    core->tight[id] = box;
    core->leaf[id] = leaf;
    core->count++;
    core->used = ploy_maxi(core->used, id + 1);
    bvh_hang(core, leaf);
    return PLOY_OK;
}

static ploy_result bvh_move(bvh_core *core, int32_t id, ployi_box box) {
    if (id < 0 || id >= core->capacity || !ployi_box_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    int32_t leaf = core->leaf[id];
    if (leaf == BVH_NONE) return PLOY_ERR_NOT_FOUND;
    core->tight[id] = box;
    const ployi_box *fat = &core->nodes[leaf].box;
    bool fits = ployi_box_contains(fat, &box, core->n);
    for (int32_t i = 0; i < core->n; i++) {
        // What has shrunk must not keep the room it had.
        double spare =
            (double)box.min[i] - (double)fat->min[i] + (double)fat->max[i] - (double)box.max[i];
        fits = fits && spare <= 4.0 * (double)core->margin;
    }
    if (fits) {
        core->nodes[leaf].child[0] = BVH_FAT;
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
static void bvh_enlist(bvh_core *core, int32_t id, ployi_box box, uint32_t layers) {
    if (!ployi_box_valid(&box, core->n)) return;
    core->tight[id] = box;
    core->layers[id] = layers;
    core->leaf[id] = 0;
    core->order[core->count++].id = id;
    core->used = id + 1;
}

static inline float bvh_centre(const ployi_box *box, int32_t axis) {
    return 0.5f * box->min[axis] + 0.5f * box->max[axis];
}

// Makes a taken node the tree over order [low, high). As deep as that is high.
static void bvh_split(bvh_core *core, int32_t node, int32_t low, int32_t high) {
    bvh_node *at = &core->nodes[node];
    if (high - low == 1) {
        int32_t id = core->order[low].id;
        at->box = core->tight[id];
        at->child[0] = BVH_TIGHT;
        at->child[1] = id;
        core->links[node].height = 0;
        core->links[node].layers = core->layers[id];
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
    // Siblings side by side: a visit of one visits the other.
    for (int32_t i = 0; i < 2; i++) {
        at->child[i] = bvh_take_node(core);
        core->links[at->child[i]].parent = node;
    }
    bvh_split(core, at->child[0], low, middle);
    bvh_split(core, at->child[1], middle, high);
    bvh_update(core, node);
}

static void bvh_build(bvh_core *core) {
    if (core->count == 0) return;
    core->root = bvh_take_node(core);
    core->links[core->root].parent = BVH_NONE;
    bvh_split(core, core->root, 0, core->count);
}

static void bvh_refit(bvh_core *core, int32_t node) {
    bvh_node *at = &core->nodes[node];
    if (bvh_is_leaf(at)) {
        at->box = core->tight[at->child[1]];
        at->child[0] = BVH_TIGHT;
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

// Looks at a node. NaN too if there is nothing below it that the query may see.
static inline double bvh_look(const bvh_core *core, ployi_query *query, int32_t node,
                              ploy_query_kind kind, int32_t n) {
    const ployi_box *box = &core->nodes[node].box;
    double rank = ployi_query_look(query, box->min, box->max, kind, n);
    bool some = query->mask != BVH_ALL_LAYERS; // all is the rule, and needs no second look
    return some && (core->links[node].layers & query->mask) == 0 ? (double)NAN : rank;
}

// Depth first, the nearer child before the other; what got too far meanwhile is dropped.
static inline void bvh_walk(const bvh_core *core, ployi_query *query, ploy_query_kind kind,
                            int32_t n) {
    const bool ranked = kind != PLOY_QUERY_RADIUS && kind != PLOY_QUERY_BOX;
    bvh_part stack[BVH_DEPTH];
    int32_t depth = 0;
    bvh_part part = {bvh_look(core, query, core->root, kind, n), core->root};
    for (;;) {
        if (part.rank <= query->limit) { // not for NaN
            const bvh_node *node = &core->nodes[part.node];
            if (bvh_is_leaf(node)) {
                int32_t id = node->child[1];
                if (node->child[0] == BVH_TIGHT) {
                    ployi_query_ask_ranked(query, node->box.min, node->box.max, id, part.rank, kind,
                                           n);
                } else { // by the box itself, not its margin
                    ployi_query_ask(query, core->tight[id].min, core->tight[id].max, id, kind, n);
                }
                if (query->stopped) return;
            } else {
                bvh_part first = {bvh_look(core, query, node->child[0], kind, n), node->child[0]};
                bvh_part second = {bvh_look(core, query, node->child[1], kind, n), node->child[1]};
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
    PLOYI_QUERY_BY_KIND(bvh_walk, core, query, n);
}

static void bvh_describe(const bvh_core *core, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t id = 0; id < core->used; id++) {
        if (core->leaf[id] != BVH_NONE) hash = ployi_box_hash(hash, id, &core->tight[id], core->n);
    }
    ploy_describe_i64(out, "count", PLOY_STATE, core->count);
    ploy_describe_u64(out, "boxes", PLOY_STATE, hash);
    ploy_describe_f32(out, "margin", PLOY_NOTE, core->margin);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, core->capacity);
    ploy_describe_i64(out, "height", PLOY_NOTE,
                      core->root == BVH_NONE ? 0 : core->links[core->root].height);
}

static void bvh_draw_under(const bvh_core *core, int32_t node, ploy_draw *out) {
    const bvh_node *at = &core->nodes[node];
    if (bvh_is_leaf(at)) {
        ployi_box_draw(&core->tight[at->child[1]], core->n, PLOY_STYLE_PLAIN, out);
        return;
    }
    ployi_box_draw(&at->box, core->n, PLOY_STYLE_GHOST, out);
    bvh_draw_under(core, at->child[0], out);
    bvh_draw_under(core, at->child[1], out);
}

static void bvh_draw(const bvh_core *core, ploy_draw *out) {
    if (core->root == BVH_NONE || !ploy_draw_wants(out, PLOY_LAYER_REGIONS)) return;
    bvh_draw_under(core, core->root, out);
}

static int32_t bvh_count(const bvh_core *core) {
    return core->count;
}

static const ployi_box *bvh_box(const bvh_core *core, int32_t id) {
    return &core->tight[id];
}

#define BVH_INDEX_BOUNDS(index) bvh_bounds(&(index)->core)
#define BVH_INDEX_RUN(index, query, n) bvh_run(&(index)->core, query, n)

#define INDEX_TYPE ploy_bvh2
#define INDEX_N 2
#define INDEX_CORE bvh
#define INDEX_TEXT "bvh2"
#define INDEX_BOUNDS BVH_INDEX_BOUNDS
#define INDEX_RUN BVH_INDEX_RUN
#include "geom/index_box.inc"

#include "geom/bvh_all.inc"

#include "geom/index_ask.inc"

#define INDEX_TYPE ploy_bvh3
#define INDEX_N 3
#define INDEX_CORE bvh
#define INDEX_TEXT "bvh3"
#define INDEX_BOUNDS BVH_INDEX_BOUNDS
#define INDEX_RUN BVH_INDEX_RUN
#include "geom/index_box.inc"

#include "geom/bvh_all.inc"

#include "geom/index_ask.inc"

// ---- for the plain scene ----

void ployi_bvh2_set_layers(ploy_bvh2 *bvh, int32_t id, uint32_t layers) {
    bvh_core *core = &bvh->core;
    int32_t node = core->leaf[id];
    core->layers[id] = layers;
    core->links[node].layers = layers;
    for (node = core->links[node].parent; node != BVH_NONE; node = core->links[node].parent) {
        const int32_t *child = core->nodes[node].child;
        uint32_t both = core->links[child[0]].layers | core->links[child[1]].layers;
        if (core->links[node].layers == both) return;
        core->links[node].layers = both;
    }
}

void ployi_bvh2_rebuild_from(ploy_bvh2 *bvh, const ploy_bvh2 *from) {
    const bvh_core *old = &from->core;
    bvh_core *core = &bvh->core;
    PLOY_ASSERT(core != old && core->capacity >= old->used);
    bvh_clear(core);
    for (int32_t id = 0; id < old->used; id++) {
        if (old->leaf[id] != BVH_NONE) bvh_enlist(core, id, old->tight[id], old->layers[id]);
    }
    bvh_build(core);
}

void ployi_bvh2_tidy(ploy_bvh2 *bvh) {
    bvh_core *core = &bvh->core;
    int32_t used = core->used;
    core->count = 0;
    core->root = BVH_NONE;
    for (int32_t id = 0; id < used; id++) {
        if (core->leaf[id] != BVH_NONE) bvh_enlist(core, id, core->tight[id], core->layers[id]);
    }
    bvh_free_all(core);
    bvh_build(core);
}

void ployi_bvh2_visit_layers(const ploy_bvh2 *bvh, const ploy_query2 *query, uint32_t mask,
                             ploy_visit_fn fn, void *user) {
    ployi_query ready;
    ployi_box bounds = bvh_bounds(&bvh->core);
    ployi_query_begin2(&ready, query, bounds.min, bounds.max, fn, user);
    ready.mask = mask;
    bvh_run(&bvh->core, &ready, 2);
}

#undef BVH_NONE
#undef BVH_TIGHT
#undef BVH_FAT
#undef BVH_ALL_LAYERS
#undef BVH_LINE
#undef BVH_INDEX_BOUNDS
#undef BVH_INDEX_RUN
