// Rings of records; see the header beside this file.
#include <string.h>

#include "world/ring_internal.h"

ploy_result ployi_ring_init(ployi_ring *ring, size_t item_size, int32_t capacity,
                            const ploy_env *env) {
    memset(ring, 0, sizeof *ring);
    ring->env = *env;
    ring->item_size = item_size;
    if (capacity <= 0) return PLOY_OK;
    size_t size = 0;
    if (!ploy_size_add_array(0, capacity, item_size, &size)) return PLOY_ERR_ARGUMENT;
    ring->items = ploy_env_alloc_zero(env, size);
    if (ring->items == NULL) return PLOY_ERR_MEMORY;
    ring->capacity = capacity;
    return PLOY_OK;
}

void ployi_ring_fini(ployi_ring *ring) {
    ploy_env_free(&ring->env, ring->items, (size_t)ring->capacity * ring->item_size);
    ring->items = NULL;
    ring->capacity = 0;
}

static unsigned char *ring_at(const ployi_ring *ring, uint64_t number) {
    return ring->items + (size_t)(number % (uint64_t)ring->capacity) * ring->item_size;
}

void *ployi_ring_push(ployi_ring *ring, uint64_t *number) {
    *number = ring->next;
    if (ring->capacity == 0) return NULL;
    void *item = ring_at(ring, ring->next++);
    memset(item, 0, ring->item_size);
    return item;
}

int32_t ployi_ring_count(const ployi_ring *ring) {
    return ring->next < (uint64_t)ring->capacity ? (int32_t)ring->next : ring->capacity;
}

void *ployi_ring_get(const ployi_ring *ring, uint64_t number) {
    if (number >= ring->next || ring->next - number > (uint64_t)ring->capacity) return NULL;
    return ring_at(ring, number);
}

const void *ployi_ring_newest(const ployi_ring *ring, int32_t age) {
    if (age < 0 || age >= ployi_ring_count(ring)) return NULL;
    return ring_at(ring, ring->next - 1 - (uint64_t)age);
}

int32_t ployi_ring_visit(ploy_visit *v, const char *name, ployi_ring *ring) {
    ploy_visit_struct(v, "ring", ring, sizeof *ring);
    ploy_visit_struct(v, "log", ring->items, (size_t)ployi_ring_count(ring) * ring->item_size);
    ploy_visit_block(v, "log", ring->items, (size_t)ring->capacity * ring->item_size);
    PLOY_VISIT_SCRATCH(v, ring->env);
    PLOY_VISIT_SCRATCH(v, ring->item_size);
    PLOY_VISIT_SCRATCH(v, ring->capacity);
    PLOY_VISIT_SCRATCH(v, ring->items);
    ploy_visit_u64(v, "records", PLOY_SAVED, &ring->next);
    return ploy_visit_fixed(v, name, PLOY_STATE, ployi_ring_count(ring));
}

void *ployi_ring_record(const ployi_ring *ring, int32_t age) {
    return ring_at(ring, ring->next - 1 - (uint64_t)age);
}

void ployi_ring_memory(const ployi_ring *ring, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"log", (size_t)ring->capacity * ring->item_size, ring->capacity > 0};
    fn(user, &item);
}

void ployi_print_id(ploy_id id, char *text, size_t size) {
    ploy_value value = ploy_value_id(id);
    ploy_value_print(&value, text, size);
}

void ployi_visit_name(ploy_visit *v, const char *label, ploy_mark mark, ploy_name *name) {
    ploy_visit_name(v, label, mark, name);
    const ploy_names *names = v->context;
    const char *text = names != NULL && v->describe != NULL ? ploy_names_text(names, *name) : NULL;
    if (text != NULL) ploy_describe_text(v->describe, "called", PLOY_NOTE, text);
}

void ployi_describe_name(ploy_describe *out, const char *label, ploy_mark mark,
                         const ploy_names *names, ploy_name name) {
    ploy_describe_name(out, label, mark, name);
    const char *text = names != NULL ? ploy_names_text(names, name) : NULL;
    if (text != NULL) ploy_describe_text(out, "called", PLOY_NOTE, text);
}
