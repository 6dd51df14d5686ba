// Shared by the files of the waypoint network.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/geom/bvh.h"
#include "ploy/path/graph.h"
#include "ploy/path/network.h"

// One for each slot of the graph's nodes.
typedef struct ployi_network_item {
    ploy_waypoint waypoint; // id 0: a free slot
    unsigned char *blind;
    int32_t blind_size;
    int32_t next_free;
} ployi_network_item;

// One for each slot of the graph's edges.
typedef struct ployi_network_link {
    uint64_t data;
    float modifier;
} ployi_network_link;

struct ploy_network {
    ploy_env env;
    ploy_graph *graph; // positions, edges, costs, openness
    ploy_array items;  // ployi_network_item
    ploy_array links;  // ployi_network_link
    ploy_array places; // ploy_network_place
    ploy_map slots;    // id: int32_t
    ploy_bvh3 *index;  // boxes around the waypoints' radii, by slot
    int32_t index_capacity;
    int32_t free_slot;
    float least; // modifier of all edges; 0 if there are none
};

// The item of an id, or NULL.
ployi_network_item *ployi_network_at(const ploy_network *network, uint64_t id);
