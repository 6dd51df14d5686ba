// Numbers for states; see the header.
//
// States lie in chunks of STATES_CHUNK, each chunk one block. A table of numbers, open addressing
// with linear probing, finds equal bytes.
//
// Invariants:
//   (1) states [0, count) have a place in chunks [0, chunk_count), which never move;
//   (2) if merge is on, each of them is in the table once, and no two have equal bytes;
//   (3) the table has a power of two of places, at least twice count.
#include "ploy/search/states.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "search/search_internal.h"

// Small enough that a short search stays small, large enough that chunks are few.
#define STATES_CHUNK PLOY_CAPACITY(256)

static const ploy_field states_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_states_def, size, 8, 1, 1 << 16, "B", "bytes of a state"),
    PLOY_FIELD_I32_FIXED(ploy_states_def, capacity, 1 << 20, 1, 1 << 28, "", "most states"),
    PLOY_FIELD_BOOL(ploy_states_def, merge, true, "equal bytes are one state"),
};

struct ploy_states {
    ploy_env env;
    ploy_states_def def;
    unsigned char **chunks;
    int32_t chunk_count, chunk_capacity;
    int32_t *table; // numbers, -1 where empty
    int32_t places;
    int32_t count;
};

ploy_fields ploy_states_fields(void) {
    return PLOY_FIELDS(ploy_states_def, states_fields);
}

ploy_states_def ploy_states_def_default(void) {
    ploy_states_def def;
    ploy_fields_default(ploy_states_fields(), &def);
    return def;
}

ploy_result ploy_states_create(const ploy_states_def *def, const ploy_env *env, ploy_states **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_states_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_states *states = ploy_env_alloc(env, sizeof *states);
    if (states == NULL) return PLOY_ERR_MEMORY;
    memset(states, 0, sizeof *states);
    states->env = *env;
    states->def = *def;
    *out = states;
    return PLOY_OK;
}

static size_t states_chunk_size(const ploy_states *states) {
    return (size_t)STATES_CHUNK * (size_t)states->def.size;
}

void ploy_states_destroy(ploy_states *states) {
    if (states == NULL) return;
    ploy_env env = states->env;
    for (int32_t i = 0; i < states->chunk_count; i++) {
        ploy_env_free(&env, states->chunks[i], states_chunk_size(states));
    }
    ploy_env_free(&env, states->chunks, (size_t)states->chunk_capacity * sizeof *states->chunks);
    ploy_env_free(&env, states->table, (size_t)states->places * sizeof *states->table);
    ploy_env_free(&env, states, sizeof *states);
}

void ploy_states_clear(ploy_states *states) {
    states->count = 0;
    for (int32_t i = 0; i < states->places; i++) states->table[i] = -1;
}

static unsigned char *states_at(const ploy_states *states, int32_t state) {
    return states->chunks[state / STATES_CHUNK] +
           (size_t)(state % STATES_CHUNK) * (size_t)states->def.size;
}

static uint64_t states_hash(const ploy_states *states, const void *bytes) {
    return ploy_hash_bytes(bytes, (size_t)states->def.size, 0);
}

// Spreads bytes over the table. Small states of whole words, such as the worlds of planners, are
// mixed here: a multiplication for each word. No result depends on the places.
static uint32_t states_spread(const ploy_states *states, const void *bytes) {
    enum { STATES_WORDS = 4 };
    size_t size = (size_t)states->def.size;
    if (size % sizeof(uint64_t) != 0 || size > STATES_WORDS * sizeof(uint64_t)) {
        return (uint32_t)states_hash(states, bytes);
    }
    uint64_t hash = 0;
    for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

static bool states_equal(const ploy_states *states, const void *a, const void *b) {
    uint64_t one = 0, two = 0;
    if (states->def.size != (int32_t)sizeof one) {
        return memcmp(a, b, (size_t)states->def.size) == 0;
    }
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return one == two;
}

// The place of equal bytes, or the empty one where they belong.
static int32_t states_probe(const ploy_states *states, const void *bytes) {
    uint32_t mask = (uint32_t)states->places - 1;
    uint32_t place = states_spread(states, bytes) & mask;
    while (states->table[place] >= 0) {
        const void *other = states_at(states, states->table[place]);
        if (states_equal(states, other, bytes)) break;
        place = (place + 1) & mask;
    }
    return (int32_t)place;
}

void ployi_states_cut(ploy_states *states, int32_t count) {
    // A state found last is at the end of its run of places, so its place can become empty without
    // cutting another off: growing the table enters states in the order of their numbers.
    while (states->count > count) {
        states->count--;
        if (!states->def.merge) continue;
        states->table[states_probe(states, states_at(states, states->count))] = -1;
    }
}

bool ployi_states_same(const ploy_states *states, int32_t a, int32_t b) {
    if (a == b) return true;
    if (states->def.merge) return false;
    return memcmp(states_at(states, a), states_at(states, b), (size_t)states->def.size) == 0;
}

int32_t ployi_states_size(const ploy_states *states) {
    return states->def.size;
}

static ploy_result states_grow_table(ploy_states *states) {
    int32_t places = states->places == 0 ? PLOY_CAPACITY(64) * 2 : states->places * 2;
    size_t size = 0;
    if (!ploy_size_add_array(0, places, sizeof *states->table, &size)) return PLOY_ERR_MEMORY;
    int32_t *table = ploy_env_alloc(&states->env, size);
    if (table == NULL) return PLOY_ERR_MEMORY;
    ploy_env_free(&states->env, states->table, (size_t)states->places * sizeof *states->table);
    states->table = table;
    states->places = places;
    for (int32_t i = 0; i < places; i++) table[i] = -1;
    for (int32_t i = 0; i < states->count; i++) {
        table[states_probe(states, states_at(states, i))] = i;
    }
    return PLOY_OK;
}

static ploy_result states_add_chunk(ploy_states *states) {
    if (states->chunk_count == states->chunk_capacity) {
        int32_t capacity =
            states->chunk_capacity == 0 ? PLOY_CAPACITY(16) : states->chunk_capacity * 2;
        unsigned char **chunks = ploy_env_resize(
            &states->env, states->chunks, (size_t)states->chunk_capacity * sizeof *states->chunks,
            (size_t)capacity * sizeof *states->chunks);
        if (chunks == NULL) return PLOY_ERR_MEMORY;
        states->chunks = chunks;
        states->chunk_capacity = capacity;
    }
    unsigned char *chunk = ploy_env_alloc(&states->env, states_chunk_size(states));
    if (chunk == NULL) return PLOY_ERR_MEMORY;
    memset(chunk, 0, states_chunk_size(states)); // a region has the same bytes whatever lay there
    states->chunks[states->chunk_count++] = chunk;
    return PLOY_OK;
}

ploy_result ploy_states_find(ploy_states *states, const void *bytes, int32_t *out) {
    if (states == NULL || bytes == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    // Grown first, so that nothing has changed if memory is short. Keeps (3).
    if (states->def.merge && (int64_t)(states->count + 1) * 2 > states->places) {
        ploy_result result = states_grow_table(states);
        if (result != PLOY_OK) return result;
    }
    int32_t place = -1;
    if (states->def.merge) {
        place = states_probe(states, bytes);
        if (states->table[place] >= 0) {
            *out = states->table[place];
            return PLOY_OK;
        }
    }
    if (states->count == states->def.capacity) return PLOY_ERR_LIMIT;
    if (states->count / STATES_CHUNK == states->chunk_count) {
        ploy_result result = states_add_chunk(states);
        if (result != PLOY_OK) return result;
    }
    memcpy(states_at(states, states->count), bytes, (size_t)states->def.size);
    if (place >= 0) states->table[place] = states->count;
    *out = states->count++;
    return PLOY_OK;
}

int32_t ploy_states_known(const ploy_states *states, const void *bytes) {
    if (states->count == 0 || !states->def.merge) return -1;
    return states->table[states_probe(states, bytes)];
}

const void *ploy_states_get(const ploy_states *states, int32_t state) {
    if (state < 0 || state >= states->count) return NULL;
    return states_at(states, state);
}

int32_t ploy_states_count(const ploy_states *states) {
    return states->count;
}

void ploy_states_describe(const ploy_states *states, ploy_describe *out) {
    uint64_t hash = 0;
    for (int32_t i = 0; i < states->count; i++) {
        hash = ploy_hash_combine(hash, states_hash(states, states_at(states, i)));
    }
    ploy_describe_i64(out, "count", PLOY_STATE, states->count);
    ploy_describe_u64(out, "hash of all states", PLOY_STATE, hash);
}

void ploy_states_memory(const ploy_states *states, ploy_memory_fn fn, void *user) {
    ploy_memory_item bytes = {"states",
                              (size_t)states->chunk_count * states_chunk_size(states) +
                                  (size_t)states->chunk_capacity * sizeof *states->chunks +
                                  sizeof *states,
                              states->chunk_count + (states->chunks != NULL) + 1};
    ploy_memory_item table = {"states table", (size_t)states->places * sizeof *states->table,
                              states->table != NULL};
    fn(user, &bytes);
    fn(user, &table);
}

#undef STATES_CHUNK
