// Sorting and finding on an integer lattice.
//
// The tree is packed by sorting and tiling (Leutenegger, Lopez and Edgington, "STR: a simple and
// efficient algorithm for R-tree packing", 1997): items are cut into slabs by x, slabs sorted by y,
// and every PLOYI_LATTICE_FAN neighbours get a node; so do nodes, up to one.
#include "geom/lattice_internal.h"

#include "ploy/base/math.h"

#include <string.h>

typedef struct lattice_item {
    int32_t x, y; // twice the middle of the box
    int32_t index;
} lattice_item;

ployi_lattice_box ployi_lattice_box_of(ployi_lattice_point a, ployi_lattice_point b) {
    ployi_lattice_box box = {{ploy_mini(a.x, b.x), ploy_mini(a.y, b.y)},
                             {ploy_maxi(a.x, b.x), ploy_maxi(a.y, b.y)}};
    return box;
}

enum { LATTICE_RUN = 12 }; // items that are sorted by insertion

static void lattice_insert(unsigned char *items, size_t count, size_t size, ployi_order_fn order) {
    unsigned char item[64];
    for (size_t i = 1; i < count; i++) {
        size_t at = i;
        while (at > 0 && order(items + (at - 1) * size, items + i * size) > 0) at--;
        if (at == i) continue;
        memcpy(item, items + i * size, size);
        memmove(items + (at + 1) * size, items + at * size, (i - at) * size);
        memcpy(items + at * size, item, size);
    }
}

static void lattice_merge_runs(const unsigned char *from, size_t middle, size_t end, size_t size,
                               ployi_order_fn order, unsigned char *to) {
    size_t a = 0, b = middle;
    // Runs that are in order already, as sorted input has them, are copied at once.
    if (middle == end || order(from + (middle - 1) * size, from + middle * size) <= 0) {
        memcpy(to, from, end * size);
        return;
    }
    for (; a < middle && b < end; to += size) {
        bool second = order(from + b * size, from + a * size) < 0;
        memcpy(to, from + (second ? b : a) * size, size);
        if (second) {
            b++;
        } else {
            a++;
        }
    }
    memcpy(to, from + a * size, (middle - a) * size);
    memcpy(to + (middle - a) * size, from + b * size, (end - b) * size);
}

bool ployi_lattice_sort(void *array, int32_t count, size_t size, ployi_order_fn order,
                        ploy_arena *scratch) {
    unsigned char *items = array;
    size_t n = count > 0 ? (size_t)count : 0;
    for (size_t at = 0; at < n; at += LATTICE_RUN) {
        lattice_insert(items + at * size, n - at < LATTICE_RUN ? n - at : LATTICE_RUN, size, order);
    }
    if (n <= LATTICE_RUN) return true;
    ploy_arena_mark mark = ploy_arena_mark_of(scratch);
    unsigned char *other = ploy_arena_alloc_array(scratch, count, size);
    if (other == NULL) return false;
    unsigned char *from = items, *to = other;
    for (size_t run = LATTICE_RUN; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t rest = n - at, end = rest < 2 * run ? rest : 2 * run;
            lattice_merge_runs(from + at * size, run < end ? run : end, end, size, order,
                               to + at * size);
        }
        unsigned char *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, n * size);
    ploy_arena_rewind(scratch, mark);
    return true;
}

static int32_t lattice_by_x(const void *a, const void *b) {
    const lattice_item *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static int32_t lattice_by_y(const void *a, const void *b) {
    const lattice_item *p = a, *q = b;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

static ployi_lattice_box lattice_merge(ployi_lattice_box a, ployi_lattice_box b) {
    ployi_lattice_box box = {{ploy_mini(a.min.x, b.min.x), ploy_mini(a.min.y, b.min.y)},
                             {ploy_maxi(a.max.x, b.max.x), ploy_maxi(a.max.y, b.max.y)}};
    return box;
}

bool ployi_lattice_tree_build(ployi_lattice_tree *tree, const ployi_lattice_box *boxes,
                              int32_t count, ploy_arena *scratch) {
    memset(tree, 0, sizeof *tree);
    if (count <= 0) return true;
    lattice_item *order = ploy_arena_alloc_array(scratch, count, sizeof *order);
    tree->items = ploy_arena_alloc_array(scratch, count, sizeof *tree->items);
    // Each level has at most an eighth of the one below, and one more.
    tree->boxes = ploy_arena_alloc_array(
        scratch, (int64_t)count + count / (PLOYI_LATTICE_FAN - 1) + PLOYI_LATTICE_LEVELS + 1,
        sizeof *tree->boxes);
    if (order == NULL || tree->items == NULL || tree->boxes == NULL) return false;
    for (int32_t i = 0; i < count; i++) {
        lattice_item item = {boxes[i].min.x + boxes[i].max.x, boxes[i].min.y + boxes[i].max.y, i};
        order[i] = item;
    }
    if (!ployi_lattice_sort(order, count, sizeof *order, lattice_by_x, scratch)) return false;
    int32_t slab = (int32_t)ceil(sqrt((double)count * PLOYI_LATTICE_FAN));
    for (int32_t at = 0; at < count; at += slab) {
        if (!ployi_lattice_sort(order + at, ploy_mini(slab, count - at), sizeof *order,
                                lattice_by_y, scratch)) {
            return false;
        }
        if (at > count - slab) break; // at + slab might not be a number
    }
    for (int32_t i = 0; i < count; i++) {
        tree->items[i] = order[i].index;
        tree->boxes[i] = boxes[order[i].index];
    }
    tree->count[0] = count;
    while (tree->levels == 0 || tree->count[tree->levels] > 1) {
        int32_t below = tree->levels++, level = tree->levels;
        int32_t size = tree->count[below], first = tree->first[below];
        tree->first[level] = first + size;
        tree->count[level] = size / PLOYI_LATTICE_FAN + (size % PLOYI_LATTICE_FAN != 0);
        for (int32_t i = 0; i < size; i++) {
            ployi_lattice_box *node = &tree->boxes[tree->first[level] + i / PLOYI_LATTICE_FAN];
            ployi_lattice_box own = tree->boxes[first + i];
            *node = i % PLOYI_LATTICE_FAN == 0 ? own : lattice_merge(*node, own);
        }
    }
    return true;
}

void ployi_lattice_walk_begin(ployi_lattice_walk *walk, const ployi_lattice_tree *tree,
                              ployi_lattice_box box) {
    walk->tree = tree;
    walk->box = box;
    walk->line = false;
    walk->depth = 0;
    if (tree->levels == 0) return;
    walk->stack[0].level = tree->levels;
    walk->stack[0].at = 0;
    walk->stack[0].end = 1;
    walk->depth = 1;
}

void ployi_lattice_walk_along(ployi_lattice_walk *walk, const ployi_lattice_tree *tree,
                              ployi_lattice_point from, ployi_lattice_point to) {
    ployi_lattice_walk_begin(walk, tree, ployi_lattice_box_of(from, to));
    walk->line = true;
    walk->from = from;
    walk->to = to;
}

static bool lattice_walk_wants(const ployi_lattice_walk *walk, ployi_lattice_box box) {
    if (box.min.x > walk->box.max.x || box.max.x < walk->box.min.x || box.min.y > walk->box.max.y ||
        box.max.y < walk->box.min.y) {
        return false;
    }
    if (!walk->line) return true;
    // The side grows with y (as the line goes to the right or straight up) and, by the line's
    // slope, with x or against it; so two corners suffice.
    int64_t x = (int64_t)walk->to.x - walk->from.x, y = (int64_t)walk->to.y - walk->from.y;
    int64_t left = (int64_t)box.min.x - walk->from.x - 1;
    int64_t right = (int64_t)box.max.x - walk->from.x + 1;
    int64_t low = (int64_t)box.min.y - walk->from.y - 1;
    int64_t high = (int64_t)box.max.y - walk->from.y + 1;
    int64_t most = x * high - y * (y > 0 ? left : right);
    int64_t least = x * low - y * (y > 0 ? right : left);
    return most >= 0 && least <= 0;
}

int32_t ployi_lattice_walk_next(ployi_lattice_walk *walk) {
    const ployi_lattice_tree *tree = walk->tree;
    while (walk->depth > 0) {
        int32_t top = walk->depth - 1, level = walk->stack[top].level;
        if (walk->stack[top].at >= walk->stack[top].end) {
            walk->depth--;
            continue;
        }
        int32_t at = walk->stack[top].at++;
        if (!lattice_walk_wants(walk, tree->boxes[tree->first[level] + at])) continue;
        if (level == 0) return tree->items[at];
        walk->stack[walk->depth].level = level - 1;
        walk->stack[walk->depth].at = at * PLOYI_LATTICE_FAN;
        int32_t end = ploy_mini((at + 1) * PLOYI_LATTICE_FAN, tree->count[level - 1]);
        walk->stack[walk->depth].end = end;
        walk->depth++;
    }
    return -1;
}
