// Points of an integer lattice, sorted and found: what boolean operations work on.
//
// Coordinates are at most 2^24 in size, so that differences fit 26 bits and products of two 52.
#pragma once

#include "ploy/base/arena.h"

typedef struct ployi_lattice_point {
    int32_t x, y;
} ployi_lattice_point;

typedef struct ployi_lattice_box {
    ployi_lattice_point min, max; // both within
} ployi_lattice_box;

// The side of b seen from o -> a: above 0 left, 0 on the line.
static inline int64_t ployi_lattice_cross(ployi_lattice_point o, ployi_lattice_point a,
                                          ployi_lattice_point b) {
    return ((int64_t)a.x - o.x) * ((int64_t)b.y - o.y) -
           ((int64_t)a.y - o.y) * ((int64_t)b.x - o.x);
}

// By x, then by y.
static inline int32_t ployi_lattice_compare(ployi_lattice_point a, ployi_lattice_point b) {
    if (a.x != b.x) return a.x < b.x ? -1 : 1;
    return a.y < b.y ? -1 : a.y > b.y;
}

// The box around a segment.
ployi_lattice_box ployi_lattice_box_of(ployi_lattice_point a, ployi_lattice_point b);

typedef int32_t (*ployi_order_fn)(const void *a, const void *b);

// A merge sort over items of up to 64 bytes; equal items keep their order. The scratch memory is
// given back. False if it is short; then the items are in some order.
bool ployi_lattice_sort(void *items, int32_t count, size_t size, ployi_order_fn order,
                        ploy_arena *scratch);

enum { PLOYI_LATTICE_FAN = 8, PLOYI_LATTICE_LEVELS = 12 };

// A packed tree of boxes, made once. Nothing is owned: all lies in an arena.
typedef struct ployi_lattice_tree {
    int32_t *items;           // numbers of boxes, leaf after leaf
    ployi_lattice_box *boxes; // of the items, then of the nodes above, level by level
    int32_t first[PLOYI_LATTICE_LEVELS + 1]; // where in boxes a level begins
    int32_t count[PLOYI_LATTICE_LEVELS + 1];
    int32_t levels; // the last of them has one node; 0 for an empty tree
} ployi_lattice_tree;

// Builds the tree over some boxes. False if memory is short. Cost: O(n log n).
bool ployi_lattice_tree_build(ployi_lattice_tree *tree, const ployi_lattice_box *boxes,
                              int32_t count, ploy_arena *scratch);

// A walk over the items whose boxes touch a box and, if there is a line, are not clear of it by a
// step or more. The order is fixed and means nothing.
typedef struct ployi_lattice_walk {
    const ployi_lattice_tree *tree;
    ployi_lattice_box box;
    bool line;
    ployi_lattice_point from, to; // of the line, from before to
    int32_t depth;
    struct {
        int32_t level, at, end;
    } stack[PLOYI_LATTICE_LEVELS + 1];
} ployi_lattice_walk;

void ployi_lattice_walk_begin(ployi_lattice_walk *walk, const ployi_lattice_tree *tree,
                              ployi_lattice_box box);
// The same along a segment, whose ends are in order.
void ployi_lattice_walk_along(ployi_lattice_walk *walk, const ployi_lattice_tree *tree,
                              ployi_lattice_point from, ployi_lattice_point to);
// The next item's number, -1 at the end.
int32_t ployi_lattice_walk_next(ployi_lattice_walk *walk);
