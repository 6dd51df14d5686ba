// Shared by the files of the waypoint network.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/path/graph.h"
#include "ploy/path/network.h"

// One for each slot of the graph's nodes.
typedef struct ployi_network_item {
    ploy_waypoint waypoint; // id 0: a free slot
    unsigned char *blind;
    int32_t blind_size;
    int32_t next_free;
} ployi_network_item;

struct ploy_network {
    ploy_env env;
    ploy_graph *graph; // positions, ways, costs, openness
    ploy_array items;  // ployi_network_item
    ploy_array links;  // float: the modifier of each edge slot
    ploy_array places; // ploy_network_place
    ploy_map slots;    // id: int32_t
    int32_t free_slot;
    float least; // modifier of all ways; 0 if there are none
};

// The item of an id, or NULL.
ployi_network_item *ployi_network_at(const ploy_network *network, uint64_t id);
