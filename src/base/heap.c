// Two d-ary heaps, d = 2^shift. The children of node i are (i << shift) + 1 to (i << shift) + d,
// its parent is (i - 1) >> shift.
//
// Invariants:
//   (1) no node comes before its parent, in the order of (key, order) or of (key, item);
//   (2) no two nodes are equal in that order, so what is popped does not depend on the shape;
//   (3) in the indexed heap nodes[positions[item]].item == item for every item in it, and
//       positions is -1 for all others.
#include "ploy/base/heap.h"

#include "base/base_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/visit.h"

// As one comparison of keys in the common case: ties are rare.
static inline bool heap_before(const ploy_heap_entry *a, const ploy_heap_entry *b) {
    return a->key < b->key || (a->key == b->key && a->order < b->order);
}

static bool heap_shift(int32_t arity, int32_t *shift) {
    *shift = arity == 8 ? 3 : arity == 4 ? 2 : 1;
    return arity == 2 || arity == 4 || arity == 8;
}

ploy_result ploy_heap_init(ploy_heap *heap, int32_t arity, const ploy_env *env) {
    memset(heap, 0, sizeof *heap);
    heap->env = *env;
    return heap_shift(arity, &heap->shift) ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

void ploy_heap_fini(ploy_heap *heap) {
    ploy_env_free(&heap->env, heap->entries, (size_t)heap->capacity * sizeof *heap->entries);
    heap->entries = NULL;
    heap->capacity = 0;
    ploy_heap_clear(heap);
}

ploy_result ploy_heap_reserve(ploy_heap *heap, int32_t capacity) {
    if (capacity < 0) return PLOY_ERR_ARGUMENT;
    if (capacity <= heap->capacity) return PLOY_OK;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, sizeof *heap->entries, &size)) return PLOY_ERR_MEMORY;
    ploy_heap_entry *entries = ploy_env_resize(
        &heap->env, heap->entries, (size_t)heap->capacity * sizeof *heap->entries, size);
    if (entries == NULL) return PLOY_ERR_MEMORY;
    heap->entries = entries;
    heap->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_heap_push(ploy_heap *heap, double key, uint64_t payload) {
    if (key != key) return PLOY_ERR_ARGUMENT;
    if (heap->count == heap->capacity) {
        if (heap->capacity > INT32_MAX / 2) return PLOY_ERR_MEMORY;
        ploy_result result =
            ploy_heap_reserve(heap, heap->capacity == 0 ? PLOY_CAPACITY(32) : heap->capacity * 2);
        if (result != PLOY_OK) return result;
    }
    // The hole at the end rises to where the new pair belongs. Its order is the largest, so among
    // equals it stays below: comparing keys is enough.
    int32_t hole = heap->count++;
    while (hole > 0) {
        int32_t parent = (hole - 1) >> heap->shift;
        if (!(key < heap->entries[parent].key)) break;
        heap->entries[hole] = heap->entries[parent];
        hole = parent;
    }
    heap->entries[hole].key = key;
    heap->entries[hole].payload = payload;
    heap->entries[hole].order = heap->next_order++;
    return PLOY_OK;
}

bool ploy_heap_pop(ploy_heap *heap, double *key, uint64_t *payload) {
    if (!ploy_heap_peek(heap, key, payload)) return false;
    ploy_heap_entry *entries = heap->entries;
    int32_t count = --heap->count;
    ploy_heap_entry last = entries[count];
    // The hole at the top sinks until the last pair fits into it. In 64 bits, because the index of
    // a child can pass 2^31.
    int32_t hole = 0;
    for (;;) {
        int64_t first = ((int64_t)hole << heap->shift) + 1;
        if (first >= count) break;
        int32_t end =
            first + (1 << heap->shift) < count ? (int32_t)first + (1 << heap->shift) : count;
        int32_t best = (int32_t)first;
        for (int32_t i = best + 1; i < end; i++) {
            if (heap_before(&entries[i], &entries[best])) best = i;
        }
        if (!heap_before(&entries[best], &last)) break;
        entries[hole] = entries[best];
        hole = best;
    }
    entries[hole] = last;
    return true;
}

bool ploy_heap_peek(const ploy_heap *heap, double *key, uint64_t *payload) {
    if (heap->count == 0) return false;
    if (key != NULL) *key = heap->entries[0].key;
    if (payload != NULL) *payload = heap->entries[0].payload;
    return true;
}

void ploy_heap_clear(ploy_heap *heap) {
    heap->count = 0;
    heap->next_order = 0;
}

int32_t ploy_heap_count(const ploy_heap *heap) {
    return heap->count;
}

bool ployi_heap_valid(const ploy_heap *heap) {
    for (int32_t i = 1; i < heap->count; i++) {
        int32_t parent = (i - 1) >> heap->shift;
        if (!heap_before(&heap->entries[parent], &heap->entries[i])) return false;
        if (heap->entries[i].order >= heap->next_order) return false;
    }
    return heap->count <= heap->capacity;
}

void ploy_visit_heap(ploy_visit *v, const char *name, ploy_heap *heap, int32_t max) {
    ploy_visit_struct(v, name, heap, sizeof *heap);
    ploy_visit_block(v, name, heap->entries, (size_t)heap->capacity * sizeof *heap->entries);
    PLOY_VISIT_SCRATCH(v, heap->env);
    PLOY_VISIT_SCRATCH(v, heap->entries);
    PLOY_VISIT_SCRATCH(v, heap->count);
    PLOY_VISIT_SCRATCH(v, heap->capacity);
    PLOY_VISIT_SCRATCH(v, heap->shift);
    ploy_visit_begin(v, name, PLOY_SAVED);
    int32_t count = ploy_visit_count(v, "entries", PLOY_SAVED, heap->count, max);
    if (ploy_visit_loads(v)) {
        if (count >= 0 && ploy_visit_result(v, ploy_heap_reserve(heap, count))) {
            ploy_visit_write(v, &heap->count, &count, sizeof count);
        }
        if (heap->count != count) count = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        ploy_heap_entry *entry = &heap->entries[i];
        ploy_visit_begin(v, "entry", PLOY_SAVED);
        ploy_visit_f64_in(v, "key", PLOY_SAVED, &entry->key, -(double)INFINITY, (double)INFINITY);
        ploy_visit_u64(v, "payload", PLOY_SAVED, &entry->payload);
        ploy_visit_u64(v, "order", PLOY_SAVED, &entry->order);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_u64(v, "next_order", PLOY_SAVED, &heap->next_order);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, ployi_heap_valid(heap), "invalid heap order", NULL);
    }
    ploy_visit_end(v);
}

void ploy_heap_memory(const ploy_heap *heap, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"heap", (size_t)heap->capacity * sizeof *heap->entries,
                             heap->entries == NULL ? 0 : 1};
    fn(user, &item);
}

// ---- the indexed heap

// The key travels with the item, so that sinking reads children side by side and not all over a
// table of keys.
typedef struct heap_node {
    double key;
    int32_t item;
    int32_t zero; // in place of padding, so that equal heaps in a region are equal bytes
} heap_node;

static inline bool heap_node_before(double key_a, int32_t item_a, double key_b, int32_t item_b) {
    return key_a < key_b || (key_a == key_b && item_a < item_b);
}

static heap_node *heap_nodes(const ploy_indexed_heap *heap) {
    return heap->nodes;
}

static size_t heap_indexed_size(int32_t capacity) {
    return (size_t)capacity * (sizeof(heap_node) + sizeof(int32_t));
}

static void heap_place(ploy_indexed_heap *heap, int32_t at, heap_node node) {
    heap_nodes(heap)[at] = node;
    heap->positions[node.item] = at;
}

static void heap_rise(ploy_indexed_heap *heap, int32_t hole, heap_node node) {
    heap_node *nodes = heap_nodes(heap);
    while (hole > 0) {
        int32_t parent = (hole - 1) >> heap->shift;
        if (!heap_node_before(node.key, node.item, nodes[parent].key, nodes[parent].item)) break;
        heap_place(heap, hole, nodes[parent]);
        hole = parent;
    }
    heap_place(heap, hole, node);
}

static void heap_sink(ploy_indexed_heap *heap, int32_t hole, heap_node node) {
    heap_node *nodes = heap_nodes(heap);
    for (;;) {
        int64_t first = ((int64_t)hole << heap->shift) + 1;
        if (first >= heap->count) break;
        int32_t end = first + (1 << heap->shift) < heap->count ? (int32_t)first + (1 << heap->shift)
                                                               : heap->count;
        int32_t best = (int32_t)first;
        for (int32_t i = best + 1; i < end; i++) {
            if (heap_node_before(nodes[i].key, nodes[i].item, nodes[best].key, nodes[best].item)) {
                best = i;
            }
        }
        if (!heap_node_before(nodes[best].key, nodes[best].item, node.key, node.item)) break;
        heap_place(heap, hole, nodes[best]);
        hole = best;
    }
    heap_place(heap, hole, node);
}

ploy_result ploy_indexed_heap_init(ploy_indexed_heap *heap, int32_t arity, const ploy_env *env) {
    memset(heap, 0, sizeof *heap);
    heap->env = *env;
    return heap_shift(arity, &heap->shift) ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

void ploy_indexed_heap_fini(ploy_indexed_heap *heap) {
    ploy_env_free(&heap->env, heap->nodes, heap_indexed_size(heap->capacity));
    heap->nodes = NULL;
    heap->positions = NULL;
    heap->count = 0;
    heap->capacity = 0;
}

ploy_result ploy_indexed_heap_reserve(ploy_indexed_heap *heap, int32_t capacity) {
    if (capacity < 0) return PLOY_ERR_ARGUMENT;
    if (capacity <= heap->capacity) return PLOY_OK;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, sizeof(heap_node) + sizeof(int32_t), &size)) {
        return PLOY_ERR_MEMORY;
    }
    heap_node *nodes = ploy_env_alloc(&heap->env, size);
    if (nodes == NULL) return PLOY_ERR_MEMORY;
    int32_t *positions = (int32_t *)(void *)(nodes + capacity);
    if (heap->count != 0) memcpy(nodes, heap->nodes, (size_t)heap->count * sizeof *nodes);
    if (heap->capacity != 0) {
        memcpy(positions, heap->positions, (size_t)heap->capacity * sizeof *positions);
    }
    for (int32_t i = heap->capacity; i < capacity; i++) positions[i] = -1;
    ploy_env_free(&heap->env, heap->nodes, heap_indexed_size(heap->capacity));
    heap->nodes = nodes;
    heap->positions = positions;
    heap->capacity = capacity;
    return PLOY_OK;
}

ploy_result ploy_indexed_heap_push(ploy_indexed_heap *heap, int32_t item, double key) {
    if (item < 0 || item == INT32_MAX || key != key) return PLOY_ERR_ARGUMENT;
    if (ploy_indexed_heap_contains(heap, item)) return PLOY_ERR_EXISTS;
    if (item >= heap->capacity) {
        int64_t wanted = (int64_t)heap->capacity * 2;
        if (wanted < PLOY_CAPACITY(32)) wanted = PLOY_CAPACITY(32);
        if (wanted <= item) wanted = (int64_t)item + 1;
        if (wanted > INT32_MAX) wanted = INT32_MAX;
        ploy_result result = ploy_indexed_heap_reserve(heap, (int32_t)wanted);
        if (result != PLOY_OK) return result;
    }
    heap_node node = {key, item, 0};
    heap_rise(heap, heap->count++, node);
    return PLOY_OK;
}

ploy_result ploy_indexed_heap_update(ploy_indexed_heap *heap, int32_t item, double key) {
    if (key != key) return PLOY_ERR_ARGUMENT;
    if (!ploy_indexed_heap_contains(heap, item)) return PLOY_ERR_NOT_FOUND;
    int32_t at = heap->positions[item];
    double before = heap_nodes(heap)[at].key;
    heap_node node = {key, item, 0};
    if (key < before) {
        heap_rise(heap, at, node);
    } else {
        heap_sink(heap, at, node);
    }
    return PLOY_OK;
}

bool ploy_indexed_heap_pop(ploy_indexed_heap *heap, int32_t *item, double *key) {
    if (!ploy_indexed_heap_peek(heap, item, key)) return false;
    return ploy_indexed_heap_remove(heap, heap_nodes(heap)[0].item);
}

bool ploy_indexed_heap_peek(const ploy_indexed_heap *heap, int32_t *item, double *key) {
    if (heap->count == 0) return false;
    if (item != NULL) *item = heap_nodes(heap)[0].item;
    if (key != NULL) *key = heap_nodes(heap)[0].key;
    return true;
}

bool ploy_indexed_heap_remove(ploy_indexed_heap *heap, int32_t item) {
    if (!ploy_indexed_heap_contains(heap, item)) return false;
    int32_t at = heap->positions[item];
    heap_node gone = heap_nodes(heap)[at], last = heap_nodes(heap)[--heap->count];
    heap->positions[item] = -1;
    if (at == heap->count) return true;
    // The last node takes the free place; it may belong above or below it.
    if (heap_node_before(last.key, last.item, gone.key, gone.item)) {
        heap_rise(heap, at, last);
    } else {
        heap_sink(heap, at, last);
    }
    return true;
}

bool ploy_indexed_heap_contains(const ploy_indexed_heap *heap, int32_t item) {
    return item >= 0 && item < heap->capacity && heap->positions[item] >= 0;
}

bool ploy_indexed_heap_key(const ploy_indexed_heap *heap, int32_t item, double *key) {
    if (!ploy_indexed_heap_contains(heap, item)) return false;
    *key = heap_nodes(heap)[heap->positions[item]].key;
    return true;
}

void ploy_indexed_heap_clear(ploy_indexed_heap *heap) {
    for (int32_t i = 0; i < heap->count; i++) heap->positions[heap_nodes(heap)[i].item] = -1;
    heap->count = 0;
}

int32_t ploy_indexed_heap_count(const ploy_indexed_heap *heap) {
    return heap->count;
}

bool ployi_indexed_heap_valid(const ploy_indexed_heap *heap) {
    const heap_node *nodes = heap_nodes(heap);
    int32_t placed = 0;
    for (int32_t item = 0; item < heap->capacity; item++) {
        int32_t at = heap->positions[item];
        if (at == -1) continue;
        if (at < 0 || at >= heap->count || nodes[at].item != item) return false;
        placed++;
    }
    for (int32_t i = 1; i < heap->count; i++) {
        const heap_node *parent = &nodes[(i - 1) >> heap->shift];
        if (!heap_node_before(parent->key, parent->item, nodes[i].key, nodes[i].item)) return false;
    }
    return placed == heap->count;
}

void ploy_indexed_heap_memory(const ploy_indexed_heap *heap, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"indexed_heap", heap_indexed_size(heap->capacity),
                             heap->nodes == NULL ? 0 : 1};
    fn(user, &item);
}
