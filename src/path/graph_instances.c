// Instanced graphs; see the header. As in Millington, "AI for Games", chapter 4, with exits added
// once for each node, both ends of an edge translated and the types' own edges left as they are.
//
// Invariants:
//   (1) offsets rise: the first is the world's count, each next one the last plus its type's count;
//   (2) a door is in the list of its world node and in that of its inner node, in the order of
//       adding; the lists run through the doors, and their heads are found by node.
#include "ploy/path/graph_instances.h"

#include "path/path_internal.h"

#include <math.h>

#include "ploy/base/array.h"
#include "ploy/base/map.h"

typedef struct instances_item {
    ploy_space type;
    int32_t offset;
} instances_item;

typedef struct instances_door {
    int32_t node[2];   // [0] in the world, [1] inside, as states of the whole space
    int32_t next[2];   // the next door at each
    int32_t direction; // ploy_door_direction
    double cost;
} instances_door;

// First and last door at a node.
typedef struct instances_list {
    int32_t first, last;
} instances_list;

struct ploy_graph_instances {
    ploy_env env;
    ploy_space world;
    int32_t count;    // states in all
    bool backward;    // all parts know their edges back
    ploy_array items; // instances_item
    ploy_array doors; // instances_door
    ploy_map lists;   // node: instances_list
};

ploy_result ploy_graph_instances_create(const ploy_space *world, const ploy_env *env,
                                        ploy_graph_instances **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (world == NULL || env == NULL || world->expand == NULL || world->count <= 0) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_graph_instances *instances = ploy_env_alloc_zero(env, sizeof *instances);
    if (instances == NULL) return PLOY_ERR_MEMORY;
    instances->env = *env;
    instances->world = *world;
    instances->count = world->count;
    instances->backward = world->expand_back != NULL;
    ploy_array_init(&instances->items, sizeof(instances_item), env);
    ploy_array_init(&instances->doors, sizeof(instances_door), env);
    ploy_map_init(&instances->lists, sizeof(instances_list), env);
    *out = instances;
    return PLOY_OK;
}

void ploy_graph_instances_destroy(ploy_graph_instances *instances) {
    if (instances == NULL) return;
    ploy_env env = instances->env;
    ploy_array_fini(&instances->items);
    ploy_array_fini(&instances->doors);
    ploy_map_fini(&instances->lists);
    ploy_env_free(&env, instances, sizeof *instances);
}

ploy_result ploy_graph_instances_add(ploy_graph_instances *instances, const ploy_space *type,
                                     int32_t *out) {
    if (type == NULL || type->expand == NULL || type->count <= 0) return PLOY_ERR_ARGUMENT;
    if (type->count > INT32_MAX - instances->count) return PLOY_ERR_LIMIT;
    instances_item item = {*type, instances->count};
    ploy_result result = ploy_array_push(&instances->items, &item);
    if (result != PLOY_OK) return result;
    instances->count += type->count; // keeps (1)
    if (type->expand_back == NULL) instances->backward = false;
    if (out != NULL) *out = instances->items.count - 1;
    return PLOY_OK;
}

ploy_result ploy_graph_instances_add_door(ploy_graph_instances *instances, int32_t instance,
                                          int32_t local, int32_t world,
                                          ploy_door_direction direction, double cost,
                                          int32_t *out) {
    const instances_item *item = ploy_array_at(&instances->items, instance);
    if (item == NULL || local < 0 || local >= item->type.count || world < 0 ||
        world >= instances->world.count || (int32_t)direction < 0 || direction > PLOY_DOOR_OUT ||
        !(cost >= 0.0 && cost < INFINITY)) {
        return PLOY_ERR_ARGUMENT;
    }
    instances_door door = {{world, item->offset + local}, {-1, -1}, (int32_t)direction, cost};
    int32_t number = instances->doors.count;
    // Everything that can fail first; an empty list that is left behind does no harm.
    void *found = NULL;
    bool added = false;
    for (int32_t side = 0; side < 2; side++) {
        ploy_result result =
            ploy_map_ensure(&instances->lists, (uint64_t)door.node[side], &found, &added);
        if (result != PLOY_OK) return result;
        instances_list empty = {-1, -1};
        if (added) *(instances_list *)found = empty;
    }
    ploy_result result = ploy_array_push(&instances->doors, &door);
    if (result != PLOY_OK) return result;
    instances_door *doors = PLOY_ARRAY_ITEMS(&instances->doors, instances_door);
    for (int32_t side = 0; side < 2; side++) {
        instances_list *list = ploy_map_get(&instances->lists, (uint64_t)door.node[side]);
        if (list->last >= 0)
            doors[list->last].next[side] = number;
        else
            list->first = number;
        list->last = number; // keeps (2)
    }
    if (out != NULL) *out = number;
    return PLOY_OK;
}

int32_t ployi_graph_instances_count(const ploy_graph_instances *instances) {
    return instances->items.count;
}

int32_t ploy_graph_instances_offset(const ploy_graph_instances *instances, int32_t instance) {
    if (instance == instances->items.count) return instances->count;
    const instances_item *item = ploy_array_at(&instances->items, instance);
    return item != NULL ? item->offset : -1;
}

int32_t ployi_graph_instances_locate(const ploy_graph_instances *instances, int32_t node,
                                     int32_t *local) {
    const instances_item *items = PLOY_ARRAY_ITEMS(&instances->items, instances_item);
    int32_t low = -1, high = instances->items.count - 1; // -1 represents the world
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (items[middle].offset <= node)
            low = middle;
        else
            high = middle - 1;
    }
    if (local != NULL) *local = low >= 0 ? node - items[low].offset : node;
    return low;
}

// The doors at a node that lead in the right direction.
static ploy_result instances_doors(const ploy_graph_instances *instances, int32_t node, bool inside,
                                   bool backward, ploy_edges *out) {
    const instances_list *list = ploy_map_get(&instances->lists, (uint64_t)node);
    if (list == NULL) return PLOY_OK;
    const instances_door *doors = PLOY_ARRAY_ITEMS(&instances->doors, instances_door);
    int32_t side = inside ? 1 : 0;
    // From inside one leaves and from the world one enters; backwards it is the other way round.
    int32_t shut = inside != backward ? PLOY_DOOR_IN : PLOY_DOOR_OUT;
    for (int32_t d = list->first; d >= 0; d = doors[d].next[side]) {
        if (doors[d].direction == shut) continue;
        ploy_result result = ploy_edges_add(out, doors[d].node[1 - side], doors[d].cost, -1 - d);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// Turns the edges of a part, lent or not, into edges of the whole that more can be added to.
static ploy_result instances_translate(int32_t count, int32_t offset, ploy_edges *out) {
    ploy_result result = PLOY_OK;
    if (out->view != out->items) { // a type's own rows are shared and stay as they are
        const ploy_edge *lent = out->view;
        int32_t lent_count = out->count;
        ploy_edges_clear(out);
        for (int32_t i = 0; i < lent_count && result == PLOY_OK; i++) {
            result = ploy_edges_add(out, lent[i].to, lent[i].cost, lent[i].label);
        }
    }
    for (int32_t i = 0; i < out->count && result == PLOY_OK; i++) {
        // An edge that leaves its part would lead into a foreign part.
        if (out->items[i].to < 0 || out->items[i].to >= count)
            result = PLOY_ERR_CALLBACK;
        else
            out->items[i].to += offset;
    }
    return result;
}

static ploy_result instances_edges(const ploy_graph_instances *instances, int32_t state,
                                   bool backward, ploy_edges *out) {
    int32_t local = 0, offset = 0;
    int32_t instance = ployi_graph_instances_locate(instances, state, &local);
    const ploy_space *part = &instances->world;
    if (instance >= 0) {
        const instances_item *item = ploy_array_at(&instances->items, instance);
        part = &item->type;
        offset = item->offset;
    }
    ploy_result result =
        backward ? part->expand_back(part->user, local, out) : part->expand(part->user, local, out);
    if (result == PLOY_OK) result = instances_translate(part->count, offset, out);
    if (result == PLOY_OK) result = instances_doors(instances, state, instance >= 0, backward, out);
    return result;
}

static ploy_result instances_expand(void *user, int32_t state, ploy_edges *out) {
    return instances_edges(user, state, false, out);
}

static ploy_result instances_expand_back(void *user, int32_t state, ploy_edges *out) {
    return instances_edges(user, state, true, out);
}

ploy_space ploy_graph_instances_space(const ploy_graph_instances *instances) {
    ploy_space space = {instances->count, instances_expand, NULL, NULL,
                        (void *)(uintptr_t)instances};
    if (instances->backward) space.expand_back = instances_expand_back;
    return space;
}

void ploy_graph_instances_memory(const ploy_graph_instances *instances, ploy_memory_fn fn,
                                 void *user) {
    ploy_memory_item self = {"instances", sizeof *instances, 1};
    fn(user, &self);
    ploy_array_memory(&instances->items, fn, user);
    ploy_array_memory(&instances->doors, fn, user);
    ploy_map_memory(&instances->lists, fn, user);
}
