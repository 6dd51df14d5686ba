// Transposition tables; layouts and policies are described in the header.
//
// Invariants, from create to destroy:
//   (1) each part has `count` entries, a power of two but for the chained layout;
//   (2) an entry with age 0 is empty; ages of stored entries are 1 to TABLE_AGE_MAX;
//   (3) chained: heads[b] and entry.next are 0 or a number from 1 to `filled`.
#include "board/search_internal.h"

#include <string.h>

static const char *const table_layouts[] = {"direct", "buckets", "chained"};
static const char *const table_policies[] = {"always", "later", "depth", "aged"};

static const ploy_field table_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_table_def, kilobytes, 2048, 0, 1 << 24, "KiB",
                         "memory of the entries; 0: no table"),
    PLOY_FIELD_ENUM_FIXED(ploy_board_table_def, layout, PLOY_BOARD_LAYOUT_BUCKETS, table_layouts,
                          "how entries are stored"),
    PLOY_FIELD_ENUM_FIXED(ploy_board_table_def, policy, PLOY_BOARD_REPLACE_AGED, table_policies,
                          "which entry stays"),
    PLOY_FIELD_BOOL(ploy_board_table_def, second, false,
                    "half of the memory is a second table that is always replaced"),
    PLOY_FIELD_BOOL(ploy_board_table_def, shadow, false,
                    "also count misses of what was stored before"),
};

enum { TABLE_BUCKET = 4, TABLE_AGE_MAX = 60000, TABLE_SHADOW_BITS = 1 << 20 };

typedef struct table_part {
    ploy_board_entry *entries;
    uint32_t *heads; // chained only
    int64_t count;
    int64_t filled; // chained: entries in use
} table_part;

struct ploy_board_table {
    ploy_env env;
    ploy_board_table_def def;
    table_part parts[2];
    ploy_board_replace policies[2];
    int32_t part_count;
    uint32_t age;
    unsigned char *shadow; // one bit for each hash of TABLE_SHADOW_BITS
    ploy_board_table_statistics statistics;
};

ploy_fields ploy_board_table_fields(void) {
    return PLOY_FIELDS(ploy_board_table_def, table_fields);
}

ploy_board_table_def ploy_board_table_def_default(void) {
    ploy_board_table_def def;
    ploy_fields_default(ploy_board_table_fields(), &def);
    return def;
}

static size_t table_entry_bytes(const table_part *part) {
    return (size_t)part->count * sizeof(ploy_board_entry);
}

static size_t table_head_bytes(const table_part *part) {
    return (size_t)part->count * sizeof(uint32_t);
}

void ploy_board_table_destroy(ploy_board_table *table) {
    if (table == NULL) return;
    for (int32_t i = 0; i < 2; i++) {
        table_part *part = &table->parts[i];
        if (part->entries != NULL) {
            ploy_env_free(&table->env, part->entries, table_entry_bytes(part));
        }
        if (part->heads != NULL) ploy_env_free(&table->env, part->heads, table_head_bytes(part));
    }
    if (table->shadow != NULL) ploy_env_free(&table->env, table->shadow, TABLE_SHADOW_BITS / 8);
    ploy_env env = table->env;
    ploy_env_free(&env, table, sizeof *table);
}

static ploy_result table_part_create(ploy_board_table *table, table_part *part, int64_t bytes) {
    bool chained = table->def.layout == PLOY_BOARD_LAYOUT_CHAINED;
    int64_t size = (int64_t)sizeof(ploy_board_entry) + (chained ? (int64_t)sizeof(uint32_t) : 0);
    int64_t count = bytes / size;
    if (count < TABLE_BUCKET) count = TABLE_BUCKET;
    if (!chained) {
        int64_t power = TABLE_BUCKET;
        while (power * 2 <= count) power *= 2;
        count = power;
    }
    size_t total = 0;
    if (!ploy_size_add_array(0, count, sizeof(ploy_board_entry), &total)) return PLOY_ERR_ARGUMENT;
    part->count = count;
    part->entries = ploy_env_alloc_zero(&table->env, total);
    if (part->entries == NULL) return PLOY_ERR_MEMORY;
    if (!chained) return PLOY_OK;
    part->heads = ploy_env_alloc_zero(&table->env, table_head_bytes(part));
    return part->heads == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
}

ploy_result ploy_board_table_create(const ploy_board_table_def *def, const ploy_env *env,
                                    ploy_board_table **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_table_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_board_table *table = ploy_env_alloc_zero(env, sizeof *table);
    if (table == NULL) return PLOY_ERR_MEMORY;
    table->env = *env;
    table->def = *def;
    table->age = 1;
    table->part_count = def->second ? 2 : 1;
    int64_t bytes = (int64_t)def->kilobytes * 1024 / table->part_count;
    for (int32_t i = 0; i < table->part_count && result == PLOY_OK; i++) {
        table->policies[i] = i == 0 ? def->policy : PLOY_BOARD_REPLACE_ALWAYS;
        result = table_part_create(table, &table->parts[i], bytes);
        table->statistics.capacity += table->parts[i].count;
    }
    if (result == PLOY_OK && def->shadow) {
        table->shadow = ploy_env_alloc_zero(env, TABLE_SHADOW_BITS / 8);
        if (table->shadow == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        ploy_board_table_destroy(table);
        return result;
    }
    *out = table;
    return PLOY_OK;
}

void ploy_board_table_clear(ploy_board_table *table) {
    int64_t capacity = table->statistics.capacity;
    for (int32_t i = 0; i < table->part_count; i++) {
        table_part *part = &table->parts[i];
        memset(part->entries, 0, table_entry_bytes(part));
        if (part->heads != NULL) memset(part->heads, 0, table_head_bytes(part));
        part->filled = 0;
    }
    if (table->shadow != NULL) memset(table->shadow, 0, TABLE_SHADOW_BITS / 8);
    memset(&table->statistics, 0, sizeof table->statistics);
    table->statistics.capacity = capacity;
    table->age = 1;
}

void ploy_board_table_advance(ploy_board_table *table) {
    // Ages stop growing in a game of 60,000 moves; the policies then treat all later ones alike.
    if (table->age < TABLE_AGE_MAX) table->age++;
}

static ploy_board_entry *table_part_find(const ploy_board_table *table, const table_part *part,
                                         uint64_t key) {
    if (part->heads != NULL) {
        uint32_t number = part->heads[key % (uint64_t)part->count];
        while (number != 0) {
            ploy_board_entry *entry = &part->entries[number - 1];
            if (entry->key == key) return entry;
            number = entry->next;
        }
        return NULL;
    }
    uint64_t mask = (uint64_t)part->count - 1;
    if (table->def.layout == PLOY_BOARD_LAYOUT_DIRECT) {
        ploy_board_entry *entry = &part->entries[key & mask];
        return entry->age != 0 && entry->key == key ? entry : NULL;
    }
    ploy_board_entry *bucket = &part->entries[key & mask & ~(uint64_t)(TABLE_BUCKET - 1)];
    for (int32_t i = 0; i < TABLE_BUCKET; i++) {
        if (bucket[i].age != 0 && bucket[i].key == key) return &bucket[i];
    }
    return NULL;
}

static uint32_t table_shadow_bit(uint64_t key) {
    return (uint32_t)(key >> 40) & (TABLE_SHADOW_BITS - 1);
}

const ploy_board_entry *ploy_board_table_find(ploy_board_table *table, uint64_t key) {
    table->statistics.probes++;
    for (int32_t i = 0; i < table->part_count; i++) {
        ploy_board_entry *entry = table_part_find(table, &table->parts[i], key);
        if (entry != NULL) {
            table->statistics.hits++;
            return entry;
        }
    }
    if (table->shadow != NULL) {
        uint32_t bit = table_shadow_bit(key);
        table->statistics.lost += table->shadow[bit / 8] >> (bit % 8) & 1;
    }
    return NULL;
}

const ploy_board_entry *ployi_table_peek(const ploy_board_table *table, uint64_t key) {
    const ploy_board_entry *entry = NULL;
    for (int32_t i = 0; i < table->part_count && entry == NULL; i++) {
        entry = table_part_find(table, &table->parts[i], key);
    }
    return entry;
}

void ployi_table_looked(ploy_board_table *table, int64_t probes, int64_t hits) {
    table->statistics.probes += probes;
    table->statistics.hits += hits;
}

int64_t ployi_table_filled(const ploy_board_table *table) {
    return table->parts[0].filled;
}

const ploy_board_entry *ployi_table_nth(const ploy_board_table *table, int64_t index) {
    return &table->parts[0].entries[index];
}

// Whether a new entry of that depth and age may displace the old one.
static bool table_displaces(ploy_board_replace policy, const ploy_board_entry *old, int32_t depth,
                            uint32_t age) {
    switch (policy) {
    case PLOY_BOARD_REPLACE_ALWAYS: return true;
    case PLOY_BOARD_REPLACE_LATER: return age >= old->age;
    case PLOY_BOARD_REPLACE_DEPTH: return depth >= old->depth;
    case PLOY_BOARD_REPLACE_AGED: return age != old->age || depth >= old->depth;
    }
    return true;
}

// What an entry is worth in a bucket: the least one goes.
static int64_t table_worth(ploy_board_replace policy, const ploy_board_entry *entry) {
    if (entry->age == 0) return INT64_MIN;
    int64_t age = entry->age, depth = entry->depth;
    if (policy == PLOY_BOARD_REPLACE_DEPTH) return depth;
    if (policy == PLOY_BOARD_REPLACE_AGED) return age * 4 + depth;
    return age;
}

static ploy_board_entry *table_chain(table_part *part, uint64_t key) {
    uint32_t *head = &part->heads[key % (uint64_t)part->count];
    if (part->filled < part->count) {
        ploy_board_entry *entry = &part->entries[part->filled++];
        entry->next = *head;
        *head = (uint32_t)part->filled;
        return entry;
    }
    return *head == 0 ? NULL : &part->entries[*head - 1];
}

// The place for a new entry, or NULL if the policy keeps what is there.
static ploy_board_entry *table_place(ploy_board_table *table, table_part *part, uint64_t key,
                                     int32_t depth) {
    uint64_t mask = (uint64_t)part->count - 1;
    ploy_board_replace policy = table->policies[part - table->parts];
    ploy_board_entry *place = NULL;
    if (part->heads != NULL) {
        place = table_chain(part, key);
        if (place == NULL) return NULL;
    } else if (table->def.layout == PLOY_BOARD_LAYOUT_DIRECT) {
        place = &part->entries[key & mask];
    } else {
        place = &part->entries[key & mask & ~(uint64_t)(TABLE_BUCKET - 1)];
        ploy_board_entry *bucket = place;
        for (int32_t i = 1; i < TABLE_BUCKET; i++) {
            if (table_worth(policy, &bucket[i]) < table_worth(policy, place)) {
                place = &bucket[i];
            }
        }
        // A full bucket always gives up its least entry: the three better ones stay.
        return place;
    }
    bool displaces = place->age == 0 || table_displaces(policy, place, depth, table->age);
    return displaces ? place : NULL;
}

void ploy_board_table_store(ploy_board_table *table, uint64_t key, int32_t depth, int32_t lower,
                            int32_t upper, ploy_board_move move) {
    table->statistics.stores++;
    if (table->shadow != NULL) {
        uint32_t bit = table_shadow_bit(key);
        table->shadow[bit / 8] = (unsigned char)(table->shadow[bit / 8] | (1u << (bit % 8)));
    }
    ploy_board_entry *entry = NULL;
    for (int32_t i = 0; i < table->part_count && entry == NULL; i++) {
        entry = table_part_find(table, &table->parts[i], key);
    }
    if (entry != NULL) {
        if (move != PLOY_BOARD_NO_MOVE) entry->move = move;
        if (entry->depth == depth) {
            if (lower > -PLOY_BOARD_INFINITY) entry->lower = lower;
            if (upper < PLOY_BOARD_INFINITY) entry->upper = upper;
            // A shifted search may contradict an old bound; the new one counts (keeps lower <= upper).
            if (entry->lower > entry->upper) {
                if (lower > -PLOY_BOARD_INFINITY)
                    entry->upper = PLOY_BOARD_INFINITY;
                else
                    entry->lower = -PLOY_BOARD_INFINITY;
            }
        } else {
            entry->depth = (int16_t)depth;
            entry->lower = lower;
            entry->upper = upper;
        }
        entry->age = (uint16_t)table->age;
        return;
    }
    for (int32_t i = 0; i < table->part_count && entry == NULL; i++) {
        entry = table_place(table, &table->parts[i], key, depth);
    }
    if (entry == NULL) {
        table->statistics.rejected++;
        return;
    }
    if (entry->age == 0)
        table->statistics.used++;
    else
        table->statistics.overwrites++;
    // A chained entry that changes its position stays in its chain: the bucket is the same (3).
    entry->key = key;
    entry->move = move;
    entry->lower = lower;
    entry->upper = upper;
    entry->depth = (int16_t)depth;
    entry->age = (uint16_t)table->age;
}

ploy_board_table_statistics ploy_board_table_statistics_of(const ploy_board_table *table) {
    return table->statistics;
}

static void table_visit_count(ploy_visit *v, const char *name, int64_t *value) {
    ploy_visit_i64_in(v, name, PLOY_NOTE, value, 0, INT64_MAX);
}

// After a load: numbers of a chain that lead out of the part would be followed (3).
static bool table_chains_hold(const table_part *part) {
    if (part->heads == NULL) return true;
    for (int64_t i = 0; i < part->count; i++) {
        if (part->heads[i] > part->filled || part->entries[i].next > (uint64_t)i) return false;
    }
    return true;
}

void ploy_board_table_visit(ploy_visit *v, void *object) {
    ploy_board_table *table = object;
    ploy_visit_object(v, "table", table, sizeof *table);
    PLOY_VISIT_SCRATCH(v, table->env);
    PLOY_VISIT_SCRATCH(v, table->def);
    PLOY_VISIT_SCRATCH(v, table->part_count);
    PLOY_VISIT_SCRATCH(v, table->policies);
    PLOY_VISIT_SCRATCH(v, table->shadow);
    ploy_visit_block(v, "table.shadow", table->shadow,
                     table->shadow != NULL ? TABLE_SHADOW_BITS / 8 : 0);
    ploy_visit_u32_in(v, "age", PLOY_STATE, &table->age, 1, TABLE_AGE_MAX);
    ploy_visit_begin(v, "statistics", PLOY_NOTE);
    PLOY_VISIT_SCRATCH(v, table->statistics.capacity);
    table_visit_count(v, "used", &table->statistics.used);
    table_visit_count(v, "probes", &table->statistics.probes);
    table_visit_count(v, "hits", &table->statistics.hits);
    table_visit_count(v, "stores", &table->statistics.stores);
    table_visit_count(v, "overwrites", &table->statistics.overwrites);
    table_visit_count(v, "rejected", &table->statistics.rejected);
    table_visit_count(v, "lost", &table->statistics.lost);
    ploy_visit_end(v);
    ploy_visit_fixed(v, "parts", PLOY_STATE, table->part_count);
    for (int32_t i = 0; i < 2; i++) {
        table_part *part = &table->parts[i];
        PLOY_VISIT_SCRATCH(v, part->entries);
        PLOY_VISIT_SCRATCH(v, part->heads);
        PLOY_VISIT_SCRATCH(v, part->count);
        if (i >= table->part_count) {
            PLOY_VISIT_SCRATCH(v, part->filled);
            continue;
        }
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i64_in(v, "filled", PLOY_STATE, &part->filled, 0, part->count);
        ploy_visit_block(v, "table.entries", part->entries, table_entry_bytes(part));
        ploy_visit_trimmed(v, "entries", PLOY_STATE, part->entries, table_entry_bytes(part));
        if (part->heads != NULL) {
            ploy_visit_block(v, "table.heads", part->heads, table_head_bytes(part));
            ploy_visit_trimmed(v, "heads", PLOY_STATE, part->heads, table_head_bytes(part));
        }
        ploy_visit_check(v, table_chains_hold(part), "a chain of the table leads nowhere",
                         "numbers of entries that are in use");
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}
