// Loose quadtrees and octrees: one body over n parts.
//
// A cell's share is a square (a cube); its bounds are twice as wide about the same middle (Ulrich,
// "Loose Octrees", Game Programming Gems, 2000). A box goes down, toward its middle, as long as the
// next cell exists and contains it. Queries look at the box around what a cell really holds, which is
// smaller than its loose bounds by far, so rounding decides where a box is kept and never whether it
// is found.
//
// Cells are cut when a box comes and there are many; children lie side by side in a block from a
// fixed store. When the store is empty, cells stay uncut: slower, and as right. When few are left
// below a cell, it takes them back and returns the blocks.
//
// Invariants, from create to destroy:
//   (1) items[id].cell is QUADTREE_NONE or the cell in whose list the id is;
//   (2) bounds of a cell but the first contain the boxes below it; the first holds what fits no other;
//   (3) count of a cell is the number of boxes in it and below; unless that is 0, `held` contains
//       them all, and lies in the bounds of all cells but the first;
//   (4) bounds of the tree contain all boxes there were since it was empty.
#include "ploy/geom/quadtree.h"

#include "geom/index_internal.h"
#include "ploy/base/math.h"
#include "ploy/geom/octree.h"

#include <string.h>

#define QUADTREE_NONE (-1)
// Boxes that a cell holds before it is cut.
#define QUADTREE_MANY PLOY_CAPACITY(8)
enum { QUADTREE_LEVELS = 16 };

typedef struct quadtree_cell {
    ployi_box bounds; // that a box must fit into; of the first: unused
    ployi_box held;   // around what is in the cell and below
    int32_t child;    // first of its block, or QUADTREE_NONE
    int32_t first;    // id of a box, or QUADTREE_NONE
    int32_t count;
    int32_t parent; // or the next free block's first cell
} quadtree_cell;

typedef struct quadtree_item {
    ployi_box box;
    int32_t cell;
    int32_t next, previous; // in the cell, ended by QUADTREE_NONE
} quadtree_item;

typedef struct quadtree_core {
    ploy_env env;
    size_t size; // bytes of the one block that holds this struct and all arrays
    int32_t n;   // parts of a place
    int32_t capacity;
    int32_t levels;
    int32_t blocks; // of 2^n cells, behind the first cell
    int32_t free;
    ployi_box world;  // the first cell's loose bounds
    ployi_box bounds; // of all there is
    quadtree_cell *cells;
    quadtree_item *items; // by id
} quadtree_core;

static void quadtree_clear(quadtree_core *core) {
    for (int32_t id = 0; id < core->capacity; id++) core->items[id].cell = QUADTREE_NONE;
    quadtree_cell *root = &core->cells[0];
    memset(&core->bounds, 0, sizeof core->bounds);
    root->bounds = core->world;
    root->child = root->first = root->parent = QUADTREE_NONE;
    root->count = 0;
    core->free = QUADTREE_NONE;
    for (int32_t i = core->blocks - 1; i >= 0; i--) {
        int32_t first = 1 + (i << core->n);
        core->cells[first].parent = core->free;
        core->free = first;
    }
}

static ploy_result quadtree_create(int32_t capacity, int32_t levels, const float centre[3],
                                   float side, int32_t n, const ploy_env *env, void **out) {
    int32_t blocks = capacity / 4 + 1;
    size_t head = (sizeof(quadtree_core) + 15u) & ~(size_t)15u, size = head;
    int64_t cells = 1 + ((int64_t)blocks << n);
    if (!ploy_size_add_array(size, cells, sizeof(quadtree_cell), &size) ||
        !ploy_size_add_array(size, capacity, sizeof(quadtree_item), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    quadtree_core *core = ploy_env_alloc(env, size);
    if (core == NULL) return PLOY_ERR_MEMORY;
    memset(core, 0, size);
    core->env = *env;
    core->size = size;
    core->n = n;
    core->capacity = capacity;
    core->levels = levels;
    core->blocks = blocks;
    core->cells = (quadtree_cell *)(void *)((unsigned char *)core + head);
    core->items = (quadtree_item *)(void *)(core->cells + cells);
    for (int32_t i = 0; i < n; i++) { // twice as wide as the world
        core->world.min[i] = centre[i] - side;
        core->world.max[i] = centre[i] + side;
    }
    quadtree_clear(core);
    *out = core;
    return PLOY_OK;
}

static bool quadtree_holds(const quadtree_core *core, int32_t id) {
    return id >= 0 && id < core->capacity && core->items[id].cell != QUADTREE_NONE;
}

static inline double quadtree_middle(const ployi_box *box, int32_t axis) {
    return 0.5 * ((double)box->min[axis] + (double)box->max[axis]);
}

// The cell below a cut one that a box goes to, or QUADTREE_NONE if it does not fit.
static int32_t quadtree_below(const quadtree_core *core, int32_t cell, const ployi_box *box) {
    const quadtree_cell *at = &core->cells[cell];
    int32_t which = 0;
    for (int32_t i = 0; i < core->n; i++) {
        bool upper = quadtree_middle(box, i) >= quadtree_middle(&at->bounds, i);
        which |= (int32_t)upper << i;
    }
    int32_t child = at->child + which;
    bool fits = ployi_box_contains(&core->cells[child].bounds, box, core->n);
    return fits ? child : QUADTREE_NONE;
}

// Counts a box that comes into a cell or below it. Keeps (3).
static void quadtree_hold(quadtree_cell *cell, const ployi_box *box) {
    cell->held = cell->count == 0 ? *box : ployi_box_merge(&cell->held, box);
    cell->count++;
}

// Makes `held` as small as it can be after a box has gone, where that is little work: of a few boxes
// in an uncut cell, or of the cells below one that keeps none itself.
static void quadtree_shrink(quadtree_core *core, quadtree_cell *cell) {
    bool cut = cell->child != QUADTREE_NONE;
    if (cell->count == 0 || (cut && cell->first != QUADTREE_NONE)) return;
    if (!cut && cell->count > QUADTREE_MANY) return;
    bool only = true;
    for (int32_t id = cell->first; id != QUADTREE_NONE; id = core->items[id].next) {
        const ployi_box *box = &core->items[id].box;
        cell->held = only ? *box : ployi_box_merge(&cell->held, box);
        only = false;
    }
    for (int32_t k = 0; cut && k < 1 << core->n; k++) {
        const quadtree_cell *child = &core->cells[cell->child + k];
        if (child->count == 0) continue;
        cell->held = only ? child->held : ployi_box_merge(&cell->held, &child->held);
        only = false;
    }
}

// Puts an id at the head of a cell's list.
static void quadtree_link(quadtree_core *core, int32_t id, int32_t cell) {
    quadtree_item *item = &core->items[id];
    item->cell = cell;
    item->previous = QUADTREE_NONE;
    item->next = core->cells[cell].first;
    if (item->next != QUADTREE_NONE) core->items[item->next].previous = id;
    core->cells[cell].first = id;
}

static void quadtree_unlink(quadtree_core *core, int32_t id) {
    quadtree_item *item = &core->items[id];
    if (item->next != QUADTREE_NONE) core->items[item->next].previous = item->previous;
    if (item->previous != QUADTREE_NONE) {
        core->items[item->previous].next = item->next;
    } else {
        core->cells[item->cell].first = item->next;
    }
}

// Cuts a cell and lets its boxes go down by one level. False if the store is empty.
static bool quadtree_cut(quadtree_core *core, int32_t cell) {
    int32_t first = core->free;
    if (first == QUADTREE_NONE) return false;
    core->free = core->cells[first].parent;
    quadtree_cell *at = &core->cells[cell];
    at->child = first;
    for (int32_t k = 0; k < 1 << core->n; k++) {
        quadtree_cell *child = &core->cells[first + k];
        memset(child, 0, sizeof *child);
        child->child = child->first = QUADTREE_NONE;
        child->parent = cell;
        for (int32_t i = 0; i < core->n; i++) {
            // Loose bounds of side 2 s become two of side s, their middles half an s apart.
            double half = 0.25 * ((double)at->bounds.max[i] - (double)at->bounds.min[i]);
            double middle = quadtree_middle(&at->bounds, i);
            middle += (k >> i & 1) != 0 ? 0.5 * half : -0.5 * half;
            child->bounds.min[i] = (float)(middle - half);
            child->bounds.max[i] = (float)(middle + half);
        }
    }
    int32_t id = at->first;
    while (id != QUADTREE_NONE) {
        int32_t next = core->items[id].next;
        int32_t child = quadtree_below(core, cell, &core->items[id].box);
        if (child != QUADTREE_NONE) {
            quadtree_unlink(core, id);
            quadtree_link(core, id, child);
            quadtree_hold(&core->cells[child], &core->items[id].box);
        }
        id = next;
    }
    return true;
}

// Brings everything below a cell up into `into` and returns the blocks. As deep as there are levels.
static void quadtree_join(quadtree_core *core, int32_t cell, int32_t into) {
    int32_t first = core->cells[cell].child;
    if (first == QUADTREE_NONE) return;
    for (int32_t k = 0; k < 1 << core->n; k++) {
        quadtree_join(core, first + k, into);
        while (core->cells[first + k].first != QUADTREE_NONE) {
            int32_t id = core->cells[first + k].first;
            quadtree_unlink(core, id);
            quadtree_link(core, id, into);
        }
    }
    core->cells[cell].child = QUADTREE_NONE;
    core->cells[first].parent = core->free;
    core->free = first;
}

static void quadtree_put(quadtree_core *core, int32_t id) {
    const ployi_box *box = &core->items[id].box;
    for (int32_t i = 0; i < core->n; i++) { // keeps (4)
        bool only = core->cells[0].count == 0;
        ployi_box *all = &core->bounds;
        all->min[i] = only || box->min[i] < all->min[i] ? box->min[i] : all->min[i];
        all->max[i] = only || box->max[i] > all->max[i] ? box->max[i] : all->max[i];
    }
    int32_t cell = 0;
    for (int32_t level = 0;; level++) {
        quadtree_cell *at = &core->cells[cell];
        quadtree_hold(at, box);
        bool cut = at->child != QUADTREE_NONE;
        if (!cut && at->count > QUADTREE_MANY && level < core->levels)
            cut = quadtree_cut(core, cell);
        int32_t child = cut ? quadtree_below(core, cell, box) : QUADTREE_NONE;
        if (child == QUADTREE_NONE) break;
        cell = child;
    }
    quadtree_link(core, id, cell);
}

static void quadtree_take(quadtree_core *core, int32_t id) {
    quadtree_unlink(core, id);
    int32_t sparse = QUADTREE_NONE;
    for (int32_t cell = core->items[id].cell; cell != QUADTREE_NONE;
         cell = core->cells[cell].parent) {
        quadtree_cell *at = &core->cells[cell];
        at->count--;
        quadtree_shrink(core, at);
        // Half of what makes a cut, lest a box on the border cuts and joins with every step.
        if (at->child != QUADTREE_NONE && at->count <= QUADTREE_MANY / 2) sparse = cell;
    }
    if (sparse != QUADTREE_NONE) quadtree_join(core, sparse, sparse);
    core->items[id].cell = QUADTREE_NONE;
}

static ploy_result quadtree_insert(quadtree_core *core, int32_t id, ployi_box box) {
    if (id < 0 || id >= core->capacity || !ployi_box_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    if (core->items[id].cell != QUADTREE_NONE) return PLOY_ERR_EXISTS;
    core->items[id].box = box;
    quadtree_put(core, id);
    return PLOY_OK;
}

static ploy_result quadtree_move(quadtree_core *core, int32_t id, ployi_box box) {
    if (id < 0 || id >= core->capacity || !ployi_box_valid(&box, core->n)) return PLOY_ERR_ARGUMENT;
    int32_t cell = core->items[id].cell;
    if (cell == QUADTREE_NONE) return PLOY_ERR_NOT_FOUND;
    bool stays = cell != 0 && core->cells[cell].child == QUADTREE_NONE &&
                 ployi_box_contains(&core->cells[cell].bounds, &box, core->n) &&
                 ployi_box_contains(&core->bounds, &box, core->n);
    if (stays) {
        core->items[id].box = box;
        // Up to the first cell that is wide enough already. Keeps (3).
        while (cell != QUADTREE_NONE &&
               !ployi_box_contains(&core->cells[cell].held, &box, core->n)) {
            core->cells[cell].held = ployi_box_merge(&core->cells[cell].held, &box);
            cell = core->cells[cell].parent;
        }
        return PLOY_OK;
    }
    quadtree_take(core, id);
    core->items[id].box = box;
    quadtree_put(core, id);
    return PLOY_OK;
}

static ploy_result quadtree_remove(quadtree_core *core, int32_t id) {
    if (!quadtree_holds(core, id)) return PLOY_ERR_NOT_FOUND;
    quadtree_take(core, id);
    return PLOY_OK;
}

// A cell still to be looked at.
typedef struct quadtree_part {
    double rank;
    int32_t cell;
} quadtree_part;

static inline void quadtree_walk(const quadtree_core *core, ployi_query *query,
                                 ploy_query_kind kind, int32_t n) {
    quadtree_part stack[QUADTREE_LEVELS * 7 + 8];
    int32_t depth = 1;
    stack[0].rank = 0.0; // the first cell has no bounds
    stack[0].cell = 0;
    while (depth > 0) {
        quadtree_part part = stack[--depth];
        if (!(part.rank <= query->limit)) continue; // too far meanwhile
        const quadtree_cell *cell = &core->cells[part.cell];
        for (int32_t id = cell->first; id != QUADTREE_NONE; id = core->items[id].next) {
            const ployi_box *box = &core->items[id].box;
            ployi_query_ask(query, box->min, box->max, id, kind, n);
            if (query->stopped) return;
        }
        if (cell->child == QUADTREE_NONE) continue;
        // The nearest on top of the stack.
        int32_t bottom = depth;
        for (int32_t k = 0; k < 1 << n; k++) {
            const quadtree_cell *child = &core->cells[cell->child + k];
            if (child->count == 0) continue;
            double rank = ployi_query_look(query, child->held.min, child->held.max, kind, n);
            if (!(rank <= query->limit)) continue;
            int32_t at = depth++;
            for (; at > bottom && stack[at - 1].rank < rank; at--) stack[at] = stack[at - 1];
            stack[at].rank = rank;
            stack[at].cell = cell->child + k;
        }
    }
}

static inline void quadtree_run(const quadtree_core *core, ployi_query *query, int32_t n) {
    if (query->nothing || core->cells[0].count == 0) return;
    PLOYI_QUERY_BY_KIND(quadtree_walk, core, query, n);
}

static void quadtree_describe(const quadtree_core *core, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t id = 0; id < core->capacity; id++) {
        const quadtree_item *item = &core->items[id];
        if (item->cell != QUADTREE_NONE) hash = ployi_box_hash(hash, id, &item->box, core->n);
    }
    int32_t free = 0, top = 0;
    for (int32_t i = core->free; i != QUADTREE_NONE; i = core->cells[i].parent) free++;
    for (int32_t i = core->cells[0].first; i != QUADTREE_NONE; i = core->items[i].next) top++;
    ploy_describe_i64(out, "count", PLOY_STATE, core->cells[0].count);
    ploy_describe_u64(out, "boxes", PLOY_STATE, hash);
    ploy_describe_i64(out, "capacity", PLOY_NOTE, core->capacity);
    ploy_describe_i64(out, "cuts", PLOY_NOTE, core->blocks - free);
    ploy_describe_i64(out, "at_the_top", PLOY_NOTE, top);
}

static void quadtree_draw_under(const quadtree_core *core, int32_t cell, ploy_draw *out) {
    const quadtree_cell *at = &core->cells[cell];
    if (at->count == 0) return;
    ployi_box share = at->bounds;
    for (int32_t i = 0; i < core->n; i++) {
        double half = 0.25 * ((double)share.max[i] - (double)share.min[i]);
        double middle = quadtree_middle(&share, i);
        share.min[i] = (float)(middle - half);
        share.max[i] = (float)(middle + half);
    }
    ployi_box_draw(&share, core->n, PLOY_STYLE_GHOST, out);
    for (int32_t id = at->first; id != QUADTREE_NONE; id = core->items[id].next) {
        ployi_box_draw(&core->items[id].box, core->n, PLOY_STYLE_PLAIN, out);
    }
    if (at->child == QUADTREE_NONE) return;
    for (int32_t k = 0; k < 1 << core->n; k++) quadtree_draw_under(core, at->child + k, out);
}

static void quadtree_draw(const quadtree_core *core, ploy_draw *out) {
    if (ploy_draw_wants(out, PLOY_LAYER_REGIONS)) quadtree_draw_under(core, 0, out);
}

static int32_t quadtree_count(const quadtree_core *core) {
    return core->cells[0].count;
}

static const ployi_box *quadtree_box(const quadtree_core *core, int32_t id) {
    return &core->items[id].box;
}

#define QUADTREE_BOUNDS(index) (index)->core.bounds
#define QUADTREE_RUN(index, query, n) quadtree_run(&(index)->core, query, n)

// ---- the plane ----

static const ploy_field quadtree_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_quadtree_def, capacity, 1024, 1, 1 << 24, "",
                         "most boxes; ids go from 0 to one less"),
    PLOY_FIELD_VEC2(ploy_quadtree_def, centre, 0, 0, -1e9f, 1e9f, "m", "of the world"),
    PLOY_FIELD_F32(ploy_quadtree_def, size, 1000, 1e-3f, 2e9f, "m", "side of the world"),
    PLOY_FIELD_I32_FIXED(ploy_quadtree_def, levels, 10, 1, QUADTREE_LEVELS, "",
                         "most levels of cells below the world"),
};

ploy_fields ploy_quadtree_fields(void) {
    return PLOY_FIELDS(ploy_quadtree_def, quadtree_fields);
}

ploy_quadtree_def ploy_quadtree_def_default(void) {
    ploy_quadtree_def def;
    ploy_fields_default(ploy_quadtree_fields(), &def);
    return def;
}

ploy_result ploy_quadtree_create(const ploy_quadtree_def *def, const ploy_env *env,
                                 ploy_quadtree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_quadtree_fields(), def, env);
    if (result != PLOY_OK) return result;
    float centre[3] = {def->centre.x, def->centre.y, 0.0f};
    void *core = NULL;
    result = quadtree_create(def->capacity, def->levels, centre, def->size, 2, env, &core);
    *out = core; // its only member
    return result;
}

#define INDEX_TYPE ploy_quadtree
#define INDEX_N 2
#define INDEX_CORE quadtree
#define INDEX_TEXT "quadtree"
#define INDEX_BOUNDS QUADTREE_BOUNDS
#define INDEX_RUN QUADTREE_RUN
#include "geom/index_box.inc"

#include "geom/index_ask.inc"

// ---- space ----

static const ploy_field quadtree_octree_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_octree_def, capacity, 1024, 1, 1 << 24, "",
                         "most boxes; ids go from 0 to one less"),
    PLOY_FIELD_VEC3(ploy_octree_def, centre, 0, 0, 0, -1e9f, 1e9f, "m", "of the world"),
    PLOY_FIELD_F32(ploy_octree_def, size, 1000, 1e-3f, 2e9f, "m", "side of the world"),
    PLOY_FIELD_I32_FIXED(ploy_octree_def, levels, 10, 1, QUADTREE_LEVELS, "",
                         "most levels of cells below the world"),
};

ploy_fields ploy_octree_fields(void) {
    return PLOY_FIELDS(ploy_octree_def, quadtree_octree_fields);
}

ploy_octree_def ploy_octree_def_default(void) {
    ploy_octree_def def;
    ploy_fields_default(ploy_octree_fields(), &def);
    return def;
}

ploy_result ploy_octree_create(const ploy_octree_def *def, const ploy_env *env, ploy_octree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_octree_fields(), def, env);
    if (result != PLOY_OK) return result;
    float centre[3] = {def->centre.x, def->centre.y, def->centre.z};
    void *core = NULL;
    result = quadtree_create(def->capacity, def->levels, centre, def->size, 3, env, &core);
    *out = core; // its only member
    return result;
}

#define INDEX_TYPE ploy_octree
#define INDEX_N 3
#define INDEX_CORE quadtree
#define INDEX_TEXT "octree"
#define INDEX_BOUNDS QUADTREE_BOUNDS
#define INDEX_RUN QUADTREE_RUN
#include "geom/index_box.inc"

#include "geom/index_ask.inc"

#undef QUADTREE_NONE
#undef QUADTREE_MANY
#undef QUADTREE_BOUNDS
#undef QUADTREE_RUN
