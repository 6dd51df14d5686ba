// Pool of items in chunks.
//
//     chunks ──► [ places | items ] [ places | items ] ...     2^shift of each
//
// Invariants:
//   (1) indexes [0, used) have been handed out at least once; count of them
//       are alive;
//   (2) a place's generation is at least 1 and never falls; an id is good while its place is alive
//       and the generations are equal;
//   (3) dead places below used are in the free list, except those whose generation is used up:
//       they rest forever, because one more turn would let an old id find a stranger;
//   (4) chunks never move or shrink before destroy.
#include "ploy/base/pool.h"

#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/visit.h"

#define POOL_SIZE_MAX (1u << 20)
#define POOL_ALIVE (-2) // in place of a link
#define POOL_END (-1)

typedef struct pool_place {
    uint32_t generation;
    int32_t link; // next free index, POOL_END, or POOL_ALIVE
} pool_place;

struct ploy_pool {
    ploy_env env;
    size_t item_size;
    size_t chunk_size; // bytes
    size_t items_at;   // offset of the items in a chunk
    void **chunks;
    int32_t chunk_count;
    int32_t chunk_capacity; // of the table
    int32_t shift;          // log2 of the items in a chunk
    int32_t limit;
    int32_t used;
    int32_t count;
    int32_t first_free;
};

static pool_place *pool_place_at(const ploy_pool *pool, int32_t index) {
    pool_place *places = pool->chunks[index >> pool->shift];
    return &places[index & ((1 << pool->shift) - 1)];
}

static void *pool_item_at(const ploy_pool *pool, int32_t index) {
    char *chunk = pool->chunks[index >> pool->shift];
    return chunk + pool->items_at + (size_t)(index & ((1 << pool->shift) - 1)) * pool->item_size;
}

static ploy_result pool_add_chunk(ploy_pool *pool) {
    if (pool->chunk_count == pool->chunk_capacity) {
        int32_t capacity = pool->chunk_capacity == 0 ? PLOY_CAPACITY(8) : pool->chunk_capacity * 2;
        void **chunks =
            ploy_env_resize(&pool->env, pool->chunks, (size_t)pool->chunk_capacity * sizeof *chunks,
                            (size_t)capacity * sizeof *chunks);
        if (chunks == NULL) return PLOY_ERR_MEMORY;
        pool->chunks = chunks;
        pool->chunk_capacity = capacity;
    }
    pool_place *places = ploy_env_alloc(&pool->env, pool->chunk_size);
    if (places == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < 1 << pool->shift; i++) {
        places[i].generation = 1;
        places[i].link = POOL_END;
    }
    pool->chunks[pool->chunk_count++] = places;
    return PLOY_OK;
}

ploy_result ploy_pool_create(size_t item_size, int32_t chunk_items, int32_t limit,
                             const ploy_env *env, ploy_pool **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (item_size == 0 || item_size > POOL_SIZE_MAX) return PLOY_ERR_ARGUMENT;
    if (chunk_items < 0 || chunk_items > (int32_t)POOL_SIZE_MAX) return PLOY_ERR_ARGUMENT;
    if (limit < 0 || limit > PLOY_POOL_MAX) return PLOY_ERR_ARGUMENT;
    if (chunk_items == 0) chunk_items = PLOY_CAPACITY(64);
    int32_t shift = 0;
    while (1 << shift < chunk_items) shift++;
    size_t items_at =
        ((sizeof(pool_place) << shift) + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
    size_t chunk_size = 0;
    if (!ploy_size_add_array(items_at, (int64_t)1 << shift, item_size, &chunk_size)) {
        return PLOY_ERR_ARGUMENT; // 32-bit targets
    }
    ploy_pool *pool = ploy_env_alloc_zero(env, sizeof *pool);
    if (pool == NULL) return PLOY_ERR_MEMORY;
    pool->env = *env;
    pool->item_size = item_size;
    pool->items_at = items_at;
    pool->chunk_size = chunk_size;
    pool->shift = shift;
    pool->limit = limit == 0 ? PLOY_POOL_MAX : limit;
    pool->first_free = POOL_END;
    *out = pool;
    return PLOY_OK;
}

void ploy_pool_destroy(ploy_pool *pool) {
    if (pool == NULL) return;
    ploy_env env = pool->env;
    for (int32_t i = 0; i < pool->chunk_count; i++) {
        ploy_env_free(&env, pool->chunks[i], pool->chunk_size);
    }
    ploy_env_free(&env, pool->chunks, (size_t)pool->chunk_capacity * sizeof *pool->chunks);
    ploy_env_free(&env, pool, sizeof *pool);
}

ploy_result ploy_pool_reserve(ploy_pool *pool, int32_t count) {
    if (count < 0 || count > pool->limit) return PLOY_ERR_ARGUMENT;
    while (((int64_t)pool->chunk_count << pool->shift) < count) {
        ploy_result result = pool_add_chunk(pool);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_pool_add(ploy_pool *pool, ploy_id *id, void **item) {
    if (pool->count >= pool->limit) return PLOY_ERR_CAPACITY;
    int32_t index = pool->first_free;
    if (index == POOL_END) {
        if (pool->used >= PLOY_POOL_MAX) return PLOY_ERR_CAPACITY; // places at rest count too
        if (((int64_t)pool->chunk_count << pool->shift) <= pool->used) {
            ploy_result result = pool_add_chunk(pool);
            if (result != PLOY_OK) return result;
        }
        index = pool->used++;
    } else {
        pool->first_free = pool_place_at(pool, index)->link;
    }
    pool_place *place = pool_place_at(pool, index);
    place->link = POOL_ALIVE;
    pool->count++;
    void *bytes = pool_item_at(pool, index);
    memset(bytes, 0, pool->item_size);
    *id = ploy_id_make((uint32_t)index, place->generation);
    if (item != NULL) *item = bytes;
    return PLOY_OK;
}

void *ploy_pool_get(const ploy_pool *pool, ploy_id id) {
    if (id.index >= (uint32_t)pool->used) return NULL;
    const pool_place *place = pool_place_at(pool, (int32_t)id.index);
    if (place->link != POOL_ALIVE || place->generation != id.generation) return NULL;
    return pool_item_at(pool, (int32_t)id.index);
}

bool ploy_pool_remove(ploy_pool *pool, ploy_id id) {
    if (ploy_pool_get(pool, id) == NULL) return false;
    pool_place *place = pool_place_at(pool, (int32_t)id.index);
    pool->count--;
    place->link = POOL_END;
    if (place->generation == UINT32_MAX) return true; // keeps (3)
    place->generation++;
    place->link = pool->first_free;
    pool->first_free = (int32_t)id.index;
    return true;
}

void ploy_pool_clear(ploy_pool *pool) {
    // From the top down, so that the free list begins with the lowest index. Places never used
    // since the last clear need nothing.
    pool->first_free = POOL_END;
    for (int32_t i = pool->used - 1; i >= 0; i--) {
        pool_place *place = pool_place_at(pool, i);
        bool alive = place->link == POOL_ALIVE;
        place->link = POOL_END;
        if (place->generation == UINT32_MAX) continue; // keeps (3)
        if (alive) place->generation++;
        place->link = pool->first_free;
        pool->first_free = i;
    }
    pool->count = 0;
}

int32_t ploy_pool_count(const ploy_pool *pool) {
    return pool->count;
}

ploy_id ploy_pool_id_at(const ploy_pool *pool, uint32_t index) {
    if (index >= (uint32_t)pool->used) return ploy_id_none();
    const pool_place *place = pool_place_at(pool, (int32_t)index);
    return place->link == POOL_ALIVE ? ploy_id_make(index, place->generation) : ploy_id_none();
}

bool ploy_pool_next(const ploy_pool *pool, uint32_t *cursor, ploy_id *id, void **item) {
    for (uint32_t index = *cursor; index < (uint32_t)pool->used; index++) {
        const pool_place *place = pool_place_at(pool, (int32_t)index);
        if (place->link != POOL_ALIVE) continue;
        if (id != NULL) *id = ploy_id_make(index, place->generation);
        if (item != NULL) *item = pool_item_at(pool, (int32_t)index);
        *cursor = index + 1;
        return true;
    }
    *cursor = (uint32_t)pool->used;
    return false;
}

ploy_id ployi_pool_set_generation(ploy_pool *pool, ploy_id id, uint32_t generation) {
    PLOY_ASSERT(ploy_pool_get(pool, id) != NULL && generation >= id.generation);
    pool_place_at(pool, (int32_t)id.index)->generation = generation;
    return ploy_id_make(id.index, generation);
}

// Whether the free list is a chain of dead places without a circle: the alive and the linked places
// are no more than there are, so that a walk of `used` steps must have ended.
static bool pool_is_sound(const ploy_pool *pool) {
    int32_t steps = 0, alive = 0;
    for (int32_t i = 0; i < pool->used; i++) {
        const pool_place *place = pool_place_at(pool, i);
        if (place->link == POOL_ALIVE) alive++;
        if (place->generation == 0) return false;
    }
    for (int32_t at = pool->first_free; at != POOL_END;
         at = pool_place_at(pool, at)->link, steps++) {
        if (at < 0 || at >= pool->used || steps >= pool->used) return false;
        if (pool_place_at(pool, at)->link == POOL_ALIVE) return false;
    }
    return alive == pool->count && alive + steps <= pool->used;
}

void ploy_visit_pool(ploy_visit *v, const char *name, ploy_pool *pool, int32_t max) {
    if (v->mode == PLOY_VISIT_MEMORY) ploy_pool_memory(pool, v->memory, v->memory_user);
    if (v->mode != PLOY_VISIT_SAVE && v->mode != PLOY_VISIT_LOAD) {
        if (v->mode != PLOY_VISIT_COVER) return;
        uint32_t cursor = 0;
        void *item = NULL;
        while (ploy_pool_next(pool, &cursor, NULL, &item)) {
            ploy_visit_struct(v, name, item, pool->item_size);
        }
        return;
    }
    ploy_visit_begin(v, name, PLOY_SAVED);
    int32_t before = pool->used, count = 0;
    if (max > pool->limit) max = pool->limit;
    int32_t found = ploy_visit_count(v, "places", PLOY_SAVED, pool->used, max);
    if (ploy_visit_loads(v)) {
        if (found >= 0 && ploy_visit_result(v, ploy_pool_reserve(pool, found))) {
            ploy_visit_write(v, &pool->used, &found, sizeof found);
        }
        if (pool->used != found) found = 0;
    }
    for (int32_t i = 0; i < found; i++) {
        pool_place *place = pool_place_at(pool, i);
        bool was = i < before && place->link == POOL_ALIVE;
        ploy_visit_begin(v, "place", PLOY_SAVED);
        ploy_visit_u32_in(v, "generation", PLOY_SAVED, &place->generation, 1, UINT32_MAX);
        ploy_visit_i32_in(v, "link", PLOY_SAVED, &place->link, POOL_ALIVE, INT32_MAX);
        ploy_visit_end(v);
        if (place->link != POOL_ALIVE) continue;
        count++;
        // An item that comes to life starts as zeros; behind a dead place nothing is restored.
        if (!was && ploy_visit_loads(v)) memset(pool_item_at(pool, i), 0, pool->item_size);
    }
    ploy_visit_end(v);
    if (ploy_visit_loads(v)) ploy_visit_write(v, &pool->count, &count, sizeof count);
    ploy_visit_i32_in(v, "first_free", PLOY_SAVED, &pool->first_free, POOL_END, INT32_MAX);
    if (ploy_visit_loads(v) && ploy_visit_is_ok(v)) {
        ploy_visit_check(v, pool_is_sound(pool), "invalid free list", NULL);
    }
    ploy_visit_end(v);
}

void ploy_pool_memory(const ploy_pool *pool, ploy_memory_fn fn, void *user) {
    size_t table = sizeof *pool + (size_t)pool->chunk_capacity * sizeof *pool->chunks;
    ploy_memory_item item = {"pool", table + (size_t)pool->chunk_count * pool->chunk_size,
                             1 + (pool->chunks == NULL ? 0 : 1) + pool->chunk_count};
    fn(user, &item);
}

#undef POOL_SIZE_MAX
#undef POOL_ALIVE
#undef POOL_END
