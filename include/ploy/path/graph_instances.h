/// @file ploy/path/graph_instances.h
/// Instanced graphs: one graph for each type of building, used by every building of that type.
///
/// A world graph and any number of instances make one space. An instance's nodes follow those of
/// the world and of the instances before it: node n of its type is offset + n. Doors join a node of
/// an instance with one of the world: an entry, an exit, or both. Types are stored once, however
/// many instances they have.
///
/// Labels: edges of the world and of types keep theirs (so labels are not unique overall); doors
/// have -1 - the door's number.
///
/// Cost: expanding O(log instances + doors at the node). Threads: many may search at a time; adding
/// needs a single caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/search/space.h"

/// Opaque.
typedef struct ploy_graph_instances ploy_graph_instances;

/// Creates a world without instances.
/// @param world  copied; with a count; its user pointer must stay valid.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_instances_create(const ploy_space *world, const ploy_env *env,
                                                 ploy_graph_instances **out);
/// NULL is allowed.
PLOY_API void ploy_graph_instances_destroy(ploy_graph_instances *instances);
/// Adds a building.
/// @param type  copied; with a count; may be used by many.
/// @param out   its number; may be NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT if there would be too many nodes, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_instances_add(ploy_graph_instances *instances,
                                              const ploy_space *type, int32_t *out);
typedef enum ploy_door_direction {
    PLOY_DOOR_BOTH,
    PLOY_DOOR_IN,
    PLOY_DOOR_OUT
} ploy_door_direction;
/// Joins a node of a building with one of the world.
/// @param local  the node's number in the type. @param cost  0 or more, finite; 0 is fine.
/// @param out    the door's number; may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_instances_add_door(ploy_graph_instances *instances,
                                                   int32_t instance, int32_t local, int32_t world,
                                                   ploy_door_direction direction, double cost,
                                                   int32_t *out);
/// Returns the first node of a building; for the number after the last, that of the next building
/// to be added; -1 out of range.
PLOY_API int32_t ploy_graph_instances_offset(const ploy_graph_instances *instances,
                                             int32_t instance);
/// Returns the space, without an estimate. Call it again after adding. It has reverse edges if all
/// its parts do.
PLOY_API ploy_space ploy_graph_instances_space(const ploy_graph_instances *instances);
PLOY_API void ploy_graph_instances_memory(const ploy_graph_instances *instances, ploy_memory_fn fn,
                                          void *user);
