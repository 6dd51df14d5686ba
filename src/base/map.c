// Hash map with a dense, ordered store; see the header.
//
//     table   [ . | 2 | . | 0 | 3 | . ]   slot: tag of the hash, place + 1 (0: empty)
//     keys    [ 40 | 17 | 8 | 99 ]        in the order of adding
//     values  [ ...            ]
//     gaps    [ 0    1    0   0  ]        a bit for each place whose key was removed
//
// Invariants:
//   (1) places [0, used) hold keys in the order of adding; used - count of them are gaps;
//   (2) each live place is in the table once, and between its home slot and its own there is
//       no empty slot; gaps are not in the table;
//   (3) used <= capacity, and the table has at least 3/2 * capacity slots, so a probe ends;
//   (4) all arrays are one block, or none exists and mask is 0.
//
// The table carries half of the hash, so that a probe touches the keys only when it has very
// likely found its own: maps are read far more often than they are written.
#include "ploy/base/map.h"

#include <string.h>

#include "ploy/base/name.h"

typedef struct map_slot {
    uint32_t tag;   // upper half of the mixed key
    uint32_t place; // from 1; 0 means empty
} map_slot;

// The finaliser of MurmurHash3 (Appleby, public domain): every bit of the key reaches every bit.
static uint64_t map_mix(uint64_t key) {
    key ^= key >> 33;
    key *= UINT64_C(0xff51afd7ed558ccd);
    key ^= key >> 33;
    key *= UINT64_C(0xc4ceb9fe1a85ec53);
    key ^= key >> 33;
    return key;
}

static bool map_is_gap(const ploy_map *map, int32_t place) {
    return (map->gaps[place >> 5] >> (place & 31) & 1u) != 0;
}

static void *map_value(const ploy_map *map, int32_t place) {
    return (char *)map->values + (size_t)place * map->value_size;
}

// The slot of a key, or -1.
static int64_t map_find(const ploy_map *map, uint64_t key) {
    if (map->mask == 0) return -1;
    const map_slot *table = map->table;
    uint64_t mixed = map_mix(key);
    uint32_t tag = (uint32_t)(mixed >> 32);
    for (uint32_t slot = (uint32_t)mixed & map->mask;; slot = (slot + 1) & map->mask) {
        if (table[slot].place == 0) return -1;
        if (table[slot].tag == tag && map->keys[table[slot].place - 1] == key) return slot;
    }
}

// Enters a place whose key is known not to be in the table.
static void map_enter(ploy_map *map, uint64_t key, int32_t place) {
    map_slot *table = map->table;
    uint64_t mixed = map_mix(key);
    uint32_t slot = (uint32_t)mixed & map->mask;
    while (table[slot].place != 0) slot = (slot + 1) & map->mask;
    table[slot].tag = (uint32_t)(mixed >> 32);
    table[slot].place = (uint32_t)place + 1;
}

// Fills the table again from the keys; there are no gaps.
static void map_rebuild(ploy_map *map) {
    memset(map->table, 0, ((size_t)map->mask + 1) * sizeof(map_slot));
    for (int32_t i = 0; i < map->count; i++) map_enter(map, map->keys[i], i);
}

// Moves the living places together, in order. Needs no memory.
static void map_close_gaps(ploy_map *map) {
    int32_t to = 0;
    for (int32_t from = 0; from < map->used; from++) {
        if (map_is_gap(map, from)) continue;
        if (to != from) {
            map->keys[to] = map->keys[from];
            if (map->value_size != 0) {
                memcpy(map_value(map, to), map_value(map, from), map->value_size);
            }
        }
        to++;
    }
    map->used = to;
    memset(map->gaps, 0, ((size_t)map->capacity + 31) / 32 * sizeof(uint32_t));
    map_rebuild(map);
}

// Moves everything to a block with that many places.
static ploy_result map_set_capacity(ploy_map *map, int32_t capacity) {
    uint32_t slots = 4;
    while (slots < (uint64_t)capacity * 3 / 2 + 1) slots *= 2;
    size_t size = 0, values_at, table_at, gaps_at;
    if (!ploy_size_add_array(0, capacity, sizeof(uint64_t), &values_at)) return PLOY_ERR_MEMORY;
    values_at = (values_at + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
    if (!ploy_size_add_array(values_at, capacity, map->value_size, &table_at) ||
        table_at > SIZE_MAX - PLOY_ALIGNMENT) {
        return PLOY_ERR_MEMORY;
    }
    table_at = (table_at + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
    if (!ploy_size_add_array(table_at, slots, sizeof(map_slot), &gaps_at) ||
        !ploy_size_add_array(gaps_at, ((int64_t)capacity + 31) / 32, sizeof(uint32_t), &size)) {
        return PLOY_ERR_MEMORY;
    }
    char *block = ploy_env_alloc(&map->env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;

    ploy_map old = *map;
    map->keys = (uint64_t *)(void *)block;
    map->values = block + values_at;
    map->table = block + table_at;
    map->gaps = (uint32_t *)(void *)(block + gaps_at);
    map->size = size;
    map->capacity = capacity;
    map->mask = slots - 1;
    map->used = 0;
    memset(map->gaps, 0, size - gaps_at);
    for (int32_t i = 0; i < old.used; i++) {
        if (map_is_gap(&old, i)) continue;
        map->keys[map->used] = old.keys[i];
        if (map->value_size != 0) {
            memcpy(map_value(map, map->used), map_value(&old, i), map->value_size);
        }
        map->used++;
    }
    map_rebuild(map);
    ploy_env_free(&map->env, old.keys, old.size);
    return PLOY_OK;
}

// Makes sure that there is a place for one more key.
static ploy_result map_make_room(ploy_map *map) {
    if (map->used < map->capacity) return PLOY_OK;
    if (map->count >= PLOY_MAP_MAX) return PLOY_ERR_LIMIT;
    // Closing pays when a fifth is gaps: then the work is spread over that many removals. Reserve
    // leaves a fifth free for the same reason.
    if ((int64_t)(map->used - map->count) * 5 >= map->capacity && map->capacity > 0) {
        map_close_gaps(map);
        return PLOY_OK;
    }
    int32_t least = PLOY_CAPACITY(16);
    return map_set_capacity(map, map->capacity < least ? least : map->capacity * 2);
}

void ploy_map_init(ploy_map *map, size_t value_size, const ploy_env *env) {
    memset(map, 0, sizeof *map);
    map->env = *env;
    map->value_size = value_size;
}

void ploy_map_fini(ploy_map *map) {
    ploy_env_free(&map->env, map->keys, map->size);
    ploy_env env = map->env;
    ploy_map_init(map, map->value_size, &env);
}

ploy_result ploy_map_reserve(ploy_map *map, int32_t count) {
    if (count < 0 || count > PLOY_MAP_MAX) return PLOY_ERR_ARGUMENT;
    // A quarter more than asked for, so that at `count` keys a full store has a fifth of gaps.
    int32_t capacity = count + count / 4 + 1;
    if (count == 0 || capacity <= map->capacity) return PLOY_OK;
    return map_set_capacity(map, capacity);
}

ploy_result ploy_map_put(ploy_map *map, uint64_t key, const void *value) {
    void *place = NULL;
    int64_t slot = map_find(map, key);
    if (slot >= 0) {
        place = map_value(map, (int32_t)((const map_slot *)map->table)[slot].place - 1);
        if (map->value_size == 0) return PLOY_OK;
        if (value == NULL) {
            memset(place, 0, map->value_size);
        } else {
            memmove(place, value, map->value_size);
        }
        return PLOY_OK;
    }
    ploy_result result = ploy_map_ensure(map, key, &place, NULL);
    if (result == PLOY_OK && value != NULL && map->value_size != 0) {
        memcpy(place, value, map->value_size);
    }
    return result;
}

ploy_result ploy_map_ensure(ploy_map *map, uint64_t key, void **value, bool *added) {
    int64_t slot = map_find(map, key);
    if (slot >= 0) {
        *value = map_value(map, (int32_t)((const map_slot *)map->table)[slot].place - 1);
        if (added != NULL) *added = false;
        return PLOY_OK;
    }
    ploy_result result = map_make_room(map);
    if (result != PLOY_OK) return result;
    int32_t place = map->used;
    map->keys[place] = key;
    map_enter(map, key, place);
    map->used++;
    map->count++;
    *value = map_value(map, place);
    if (map->value_size != 0) memset(*value, 0, map->value_size);
    if (added != NULL) *added = true;
    return PLOY_OK;
}

void *ploy_map_get(const ploy_map *map, uint64_t key) {
    int64_t slot = map_find(map, key);
    if (slot < 0) return NULL;
    return map_value(map, (int32_t)((const map_slot *)map->table)[slot].place - 1);
}

bool ploy_map_has(const ploy_map *map, uint64_t key) {
    return map_find(map, key) >= 0;
}

bool ploy_map_remove(ploy_map *map, uint64_t key) {
    int64_t found = map_find(map, key);
    if (found < 0) return false;
    map_slot *table = map->table;
    uint32_t hole = (uint32_t)found;
    int32_t place = (int32_t)table[hole].place - 1;
    map->gaps[place >> 5] |= 1u << (place & 31);
    map->count--;
    // Algorithm R: slots behind the hole move into it if it lies between their home and them, so
    // that no mark is left behind and probes never grow longer with age. keeps (2)
    for (uint32_t slot = (hole + 1) & map->mask; table[slot].place != 0;
         slot = (slot + 1) & map->mask) {
        uint32_t home = (uint32_t)map_mix(map->keys[table[slot].place - 1]) & map->mask;
        if (((slot - home) & map->mask) >= ((slot - hole) & map->mask)) {
            table[hole] = table[slot];
            hole = slot;
        }
    }
    table[hole].place = 0;
    table[hole].tag = 0;
    if (map->count == 0) ploy_map_clear(map); // all places are gaps: begin again for free
    return true;
}

void ploy_map_clear(ploy_map *map) {
    if (map->mask == 0) return;
    // After the last removal the table is empty already; only a filled one is wiped.
    if (map->count != 0) memset(map->table, 0, ((size_t)map->mask + 1) * sizeof(map_slot));
    memset(map->gaps, 0, ((size_t)map->used + 31) / 32 * sizeof(uint32_t));
    map->used = 0;
    map->count = 0;
}

int32_t ploy_map_count(const ploy_map *map) {
    return map->count;
}

bool ploy_map_next(const ploy_map *map, int32_t *cursor, uint64_t *key, void **value) {
    int32_t place = *cursor < 0 ? 0 : *cursor;
    while (place < map->used && map_is_gap(map, place)) place++;
    if (place >= map->used) {
        *cursor = place;
        return false;
    }
    if (key != NULL) *key = map->keys[place];
    if (value != NULL) *value = map_value(map, place);
    *cursor = place + 1;
    return true;
}

ploy_result ploy_map_put_text(ploy_map *map, const char *text, const void *value) {
    ploy_name name = ploy_name_of(text);
    if (ploy_name_is_none(name)) return PLOY_ERR_ARGUMENT;
    return ploy_map_put(map, name.hash, value);
}

void *ploy_map_find_text(const ploy_map *map, const char *text) {
    ploy_name name = ploy_name_of(text);
    return ploy_name_is_none(name) ? NULL : ploy_map_get(map, name.hash);
}

bool ploy_map_remove_text(ploy_map *map, const char *text) {
    ploy_name name = ploy_name_of(text);
    return !ploy_name_is_none(name) && ploy_map_remove(map, name.hash);
}

void ploy_map_memory(const ploy_map *map, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"map", map->size, map->keys == NULL ? 0 : 1};
    fn(user, &item);
}
