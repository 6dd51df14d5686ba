// Reciprocal avoidance written plainly from its published description (van den Berg, Guy, Lin and
// Manocha, ISRR 2009): agents as structs, a kd-tree for the neighbours, lines as a point and a
// direction, one agent after the other. What ploy_crowd is measured against, and what its tests
// compare it with. No walls.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ploy/geom/vec.h"

enum { ORCA_PLAIN_NEIGHBOURS = 32 };

typedef struct orca_plain_agent {
    ploy_vec2 position, velocity, wanted, next; // next: the velocity found in this step
    float radius, max_speed;
    bool feasible; // the half-planes of this step could all be kept
} orca_plain_agent;

typedef struct orca_plain_node {
    int32_t first, last; // of the order
    int32_t left, right; // children; left is 0 for a leaf
    ploy_vec2 low, high;
} orca_plain_node;

typedef struct orca_plain {
    orca_plain_agent *agents;
    int32_t count;
    float horizon, range;
    int32_t max_neighbours;
    int32_t *order;         // count
    orca_plain_node *nodes; // 2 * count
    int32_t node_count;
} orca_plain;

// Nothing owned: agents has count, order count and nodes 2 * count items.
void orca_plain_step(orca_plain *plain, float dt);
