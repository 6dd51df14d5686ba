// Blackboards.
//
// A layout is one block: the struct, an entry for each key, a hash table of slots, the first values
// as a board holds them, and the texts. A board is one block too:
//
//     struct | values, each aligned to its type | change counters, 4 bytes a key
//
// Invariants:
//   (1) an entry's offset and the size of its type lie within value_size, aligned, no two overlap;
//   (2) table holds each slot number once, by linear probing from its name's hash; at least one
//       place is 0, so that every search ends;
//   (3) a board's bytes are all set, gaps too, so that equal boards have equal bytes;
//   (4) no number on a board is NaN, and a bool is 0 or 1.
#include "ploy/exec/blackboard.h"

#include "exec/exec_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/hash.h"

typedef struct blackboard_entry {
    ploy_name name;
    const char *text; // in this block
    const char *help; // in this block
    ploy_value_type type;
    uint32_t offset; // of the value in the values
} blackboard_entry;

struct ploy_blackboard_layout {
    ploy_env env;
    size_t size; // of this block
    int32_t count;
    uint32_t table_mask; // places - 1
    size_t value_size;   // bytes of all values, a multiple of 8
    blackboard_entry *entries;
    uint32_t *table;        // slot numbers by hash; 0 is empty
    unsigned char *initial; // value_size bytes
};

struct ploy_blackboard {
    const ploy_blackboard_layout *layout;
    ploy_blackboard *parent;
    uint64_t changes;
    uint64_t owned; // 1: comes after a blackboard_owner
};

// What precedes a board that ploy_blackboard_create allocated.
typedef struct blackboard_owner {
    ploy_env env;
    size_t size; // of the whole block
} blackboard_owner;

#define BLACKBOARD_OWNER_SIZE ((sizeof(blackboard_owner) + 15u) / 16u * 16u)

// Bytes of a value on the board, 0 for a type that cannot be there.
static uint32_t blackboard_value_size(ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_BOOL: return 1;
    case PLOY_VALUE_F32: return 4;
    case PLOY_VALUE_I64:
    case PLOY_VALUE_U64:
    case PLOY_VALUE_F64:
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_ID:
    case PLOY_VALUE_NAME: return 8;
    case PLOY_VALUE_VEC3: return 12;
    case PLOY_VALUE_VEC4: return 16;
    case PLOY_VALUE_TEXT: return PLOY_BLACKBOARD_TEXT_MAX + 1;
    case PLOY_VALUE_NONE: return 0;
    }
    return 0;
}

static uint32_t blackboard_alignment(ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_BOOL:
    case PLOY_VALUE_TEXT: return 1;
    case PLOY_VALUE_I64:
    case PLOY_VALUE_U64:
    case PLOY_VALUE_F64:
    case PLOY_VALUE_NAME: return 8;
    default: return 4;
    }
}

static int32_t blackboard_vec_count(ploy_value_type type) {
    switch (type) {
    case PLOY_VALUE_VEC2: return 2;
    case PLOY_VALUE_VEC3: return 3;
    case PLOY_VALUE_VEC4: return 4;
    default: return 0;
    }
}

static bool blackboard_is_nan(const ploy_value *value) {
    if (value->type == PLOY_VALUE_F32) return value->as.f32 != value->as.f32;
    if (value->type == PLOY_VALUE_F64) return value->as.f64 != value->as.f64;
    for (int32_t i = 0; i < blackboard_vec_count(value->type); i++) {
        if (value->as.vec[i] != value->as.vec[i]) return true;
    }
    return false;
}

static bool blackboard_is_long(const ploy_value *value) {
    return value->type == PLOY_VALUE_TEXT && value->as.text != NULL &&
           strlen(value->as.text) > PLOY_BLACKBOARD_TEXT_MAX;
}

// Writes a value's bytes as a board holds them; behind a text all are zero, for (3).
static void blackboard_store(const ploy_value *value, unsigned char *bytes) {
    switch (value->type) {
    case PLOY_VALUE_BOOL: bytes[0] = value->as.b ? 1 : 0; break; // keeps (4)
    case PLOY_VALUE_I64: memcpy(bytes, &value->as.i64, 8); break;
    case PLOY_VALUE_U64: memcpy(bytes, &value->as.u64, 8); break;
    case PLOY_VALUE_F32: memcpy(bytes, &value->as.f32, 4); break;
    case PLOY_VALUE_F64: memcpy(bytes, &value->as.f64, 8); break;
    case PLOY_VALUE_VEC2: memcpy(bytes, value->as.vec, 8); break;
    case PLOY_VALUE_VEC3: memcpy(bytes, value->as.vec, 12); break;
    case PLOY_VALUE_VEC4: memcpy(bytes, value->as.vec, 16); break;
    case PLOY_VALUE_ID: memcpy(bytes, &value->as.id, 8); break;
    case PLOY_VALUE_NAME: memcpy(bytes, &value->as.name, 8); break;
    case PLOY_VALUE_TEXT: {
        size_t size = value->as.text != NULL ? strlen(value->as.text) : 0;
        memset(bytes, 0, PLOY_BLACKBOARD_TEXT_MAX + 1);
        if (size > 0) memcpy(bytes, value->as.text, size);
        break;
    }
    case PLOY_VALUE_NONE: break;
    }
}

static bool blackboard_name_valid(const char *name) {
    if (name == NULL || name[0] == 0) return false;
    for (int32_t i = 0; name[i] != 0; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        bool other = (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
        if (!letter && !(i > 0 && other)) return false;
        if (i >= PLOY_BLACKBOARD_NAME_MAX) return false;
    }
    return true;
}

static ploy_result blackboard_fault(ploy_diags *diags, ploy_result code, const char *name,
                                    const char *key, const char *what, const char *expected) {
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, "key '%.*s' %s", PLOY_BLACKBOARD_NAME_MAX,
             key != NULL ? key : "", what);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, name, 0, 0, message, expected, NULL);
    return code;
}

// Checks one key by itself and gives its first value in its own type.
static ploy_result blackboard_check_key(const ploy_blackboard_key *key, const char *name,
                                        ploy_diags *diags, ploy_value *initial) {
    if (!blackboard_name_valid(key->name)) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, key->name, "has an invalid name",
                                "a letter, then letters, digits and _-.:");
    }
    uint32_t size = blackboard_value_size(key->type);
    if (size == 0) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, key->name,
                                "has a type that a blackboard cannot store", NULL);
    }
    *initial = ploy_value_none();
    if (key->initial.type == PLOY_VALUE_NONE) {
        memset(initial, 0, sizeof *initial);
        initial->type = key->type;
        return PLOY_OK;
    }
    if (ploy_value_convert(&key->initial, key->type, initial) != PLOY_OK) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, key->name,
                                "has an initial value of another type",
                                ploy_value_type_text(key->type));
    }
    if (blackboard_is_nan(initial)) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, key->name,
                                "has an initial value that is not a number", NULL);
    }
    if (blackboard_is_long(initial)) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, key->name,
                                "has an initial text that is too long", NULL);
    }
    return PLOY_OK;
}

static size_t blackboard_align(size_t size, size_t to) {
    return (size + to - 1) / to * to;
}

// Where the parts of a layout's block begin.
typedef struct blackboard_plan {
    size_t entries, table, initial, texts, size;
    uint32_t places;
    size_t value_size;
} blackboard_plan;

static ploy_result blackboard_make_plan(const ploy_blackboard_key *keys, int32_t count,
                                        const char *name, ploy_diags *diags,
                                        blackboard_plan *plan) {
    ploy_result result = PLOY_OK;
    size_t values = 0, texts = 0;
    for (int32_t i = 0; i < count; i++) {
        ploy_value initial;
        ploy_result fault = blackboard_check_key(&keys[i], name, diags, &initial);
        if (fault != PLOY_OK) {
            if (result == PLOY_OK) result = fault;
            continue; // the others' faults are worth hearing too
        }
        values = blackboard_align(values, blackboard_alignment(keys[i].type));
        values += blackboard_value_size(keys[i].type);
        texts += strlen(keys[i].name) + 1;
        texts += keys[i].help != NULL ? strlen(keys[i].help) + 1 : 0;
    }
    if (result != PLOY_OK) return result;
    plan->places = 2;
    while (plan->places < (uint32_t)count * 2) plan->places *= 2; // keeps (2)
    plan->value_size = blackboard_align(values, 8);
    plan->entries = blackboard_align(sizeof(ploy_blackboard_layout), 8);
    plan->table = plan->entries + (size_t)count * sizeof(blackboard_entry);
    plan->initial = blackboard_align(plan->table + plan->places * sizeof(uint32_t), 8);
    plan->texts = plan->initial + plan->value_size;
    plan->size = plan->texts + texts;
    return PLOY_OK;
}

static uint32_t blackboard_search(const ploy_blackboard_layout *layout, ploy_name name) {
    uint32_t place = (uint32_t)name.hash & layout->table_mask;
    while (layout->table[place] != 0) {
        uint32_t number = layout->table[place];
        if (ploy_name_equal(layout->entries[number - 1].name, name)) return number;
        place = (place + 1) & layout->table_mask;
    }
    return 0;
}

static const char *blackboard_copy_text(char **at, const char *text) {
    if (text == NULL) return NULL;
    size_t size = strlen(text) + 1;
    char *copy = memcpy(*at, text, size);
    *at += size;
    return copy;
}

// Fills the block, which the plan made large enough. Fails only for names that meet.
static ploy_result blackboard_fill(ploy_blackboard_layout *layout, const blackboard_plan *plan,
                                   const ploy_blackboard_key *keys, const char *name,
                                   ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    unsigned char *block = (unsigned char *)layout;
    char *text = (char *)block + plan->texts;
    layout->entries = (blackboard_entry *)(void *)(block + plan->entries);
    layout->table = (uint32_t *)(void *)(block + plan->table);
    layout->initial = block + plan->initial;
    layout->table_mask = plan->places - 1;
    layout->value_size = plan->value_size;
    size_t values = 0;
    for (int32_t i = 0; i < layout->count; i++) {
        ploy_value initial;
        blackboard_check_key(&keys[i], name, NULL, &initial);
        blackboard_entry *entry = &layout->entries[i];
        entry->name = ploy_name_of(keys[i].name);
        entry->text = blackboard_copy_text(&text, keys[i].name);
        entry->help = blackboard_copy_text(&text, keys[i].help);
        entry->type = keys[i].type;
        values = blackboard_align(values, blackboard_alignment(entry->type));
        entry->offset = (uint32_t)values; // keeps (1)
        values += blackboard_value_size(entry->type);
        blackboard_store(&initial, layout->initial + entry->offset);
        uint32_t other = blackboard_search(layout, entry->name);
        if (other != 0) {
            bool same = strcmp(layout->entries[other - 1].text, entry->text) == 0;
            result = blackboard_fault(
                diags, PLOY_ERR_EXISTS, name, entry->text,
                same ? "is a duplicate" : "has the same hash as another; rename it", NULL);
            continue;
        }
        uint32_t place = (uint32_t)entry->name.hash & layout->table_mask;
        while (layout->table[place] != 0) place = (place + 1) & layout->table_mask;
        layout->table[place] = (uint32_t)i + 1;
    }
    return result;
}

ploy_result ploy_blackboard_layout_create(const ploy_blackboard_key *keys, int32_t count,
                                          const char *name, const ploy_env *env, ploy_diags *diags,
                                          ploy_blackboard_layout **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || count < 0 || count > PLOY_BLACKBOARD_KEYS_MAX ||
        (count > 0 && keys == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    blackboard_plan plan;
    ploy_result result = blackboard_make_plan(keys, count, name, diags, &plan);
    if (result != PLOY_OK) return result;
    ploy_blackboard_layout *layout = ploy_env_alloc_zero(env, plan.size);
    if (layout == NULL) return PLOY_ERR_MEMORY;
    layout->env = *env;
    layout->size = plan.size;
    layout->count = count;
    result = blackboard_fill(layout, &plan, keys, name, diags);
    if (result != PLOY_OK) {
        ploy_env_free(env, layout, plan.size);
        return result;
    }
    *out = layout;
    return PLOY_OK;
}

void ploy_blackboard_layout_destroy(ploy_blackboard_layout *layout) {
    if (layout == NULL) return;
    ploy_env env = layout->env;
    ploy_env_free(&env, layout, layout->size);
}

int32_t ploy_blackboard_layout_count(const ploy_blackboard_layout *layout) {
    return layout->count;
}

ploy_slot ploy_blackboard_layout_find(const ploy_blackboard_layout *layout, const char *name) {
    ploy_slot slot = {0};
    if (name == NULL || name[0] == 0) return slot;
    uint32_t number = blackboard_search(layout, ploy_name_of(name));
    // The text is compared too: a name from outside was never checked against this layout's.
    if (number != 0 && strcmp(layout->entries[number - 1].text, name) == 0) slot.number = number;
    return slot;
}

// The key most like a name, or NULL.
static const char *blackboard_nearest(const ploy_blackboard_layout *layout, const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < layout->count; i++) {
        ploy_nearest_offer(&nearest, layout->entries[i].text);
    }
    return nearest.best;
}

ploy_result ploy_blackboard_layout_resolve(const ploy_blackboard_layout *layout, const char *name,
                                           ploy_value_type type, ploy_diags *diags,
                                           ploy_slot *out) {
    if (layout == NULL || name == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_slot slot = ploy_blackboard_layout_find(layout, name);
    if (ploy_slot_is_none(slot)) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_NOT_FOUND, name, 0, 0,
                       "unknown blackboard key", NULL, blackboard_nearest(layout, name));
        return PLOY_ERR_NOT_FOUND;
    }
    if (layout->entries[slot.number - 1].type != type) {
        return blackboard_fault(diags, PLOY_ERR_ARGUMENT, name, name, "has another type",
                                ploy_value_type_text(type));
    }
    *out = slot;
    return PLOY_OK;
}

static const blackboard_entry *blackboard_get_entry(const ploy_blackboard_layout *layout,
                                                    ploy_slot slot) {
    // Slot 0 wraps to the largest number and is out of range like any other.
    return slot.number - 1u < (uint32_t)layout->count ? &layout->entries[slot.number - 1] : NULL;
}

const char *ploy_blackboard_layout_name(const ploy_blackboard_layout *layout, ploy_slot slot) {
    const blackboard_entry *entry = blackboard_get_entry(layout, slot);
    return entry != NULL ? entry->text : NULL;
}

const char *ployi_blackboard_layout_help(const ploy_blackboard_layout *layout, ploy_slot slot) {
    const blackboard_entry *entry = blackboard_get_entry(layout, slot);
    return entry != NULL ? entry->help : NULL;
}

int32_t ploy_blackboard_layout_offset(const ploy_blackboard_layout *layout, ploy_slot slot) {
    const blackboard_entry *entry = blackboard_get_entry(layout, slot);
    return entry != NULL ? (int32_t)entry->offset : -1;
}

ploy_value_type ploy_blackboard_layout_type(const ploy_blackboard_layout *layout, ploy_slot slot) {
    const blackboard_entry *entry = blackboard_get_entry(layout, slot);
    return entry != NULL ? entry->type : PLOY_VALUE_NONE;
}

uint64_t ploy_blackboard_layout_hash(const ploy_blackboard_layout *layout) {
    uint64_t hash = ploy_hash_bytes(layout->initial, layout->value_size, 0);
    for (int32_t i = 0; i < layout->count; i++) {
        hash = ploy_hash_combine(hash, layout->entries[i].name.hash);
        hash = ploy_hash_combine(hash, (uint64_t)layout->entries[i].type);
    }
    return hash;
}

size_t ploy_blackboard_size(const ploy_blackboard_layout *layout) {
    return blackboard_align(
        sizeof(ploy_blackboard) + layout->value_size + (size_t)layout->count * sizeof(uint32_t), 8);
}

static unsigned char *blackboard_values(const ploy_blackboard *board) {
    return (unsigned char *)board + sizeof *board;
}

static uint32_t *blackboard_counters(const ploy_blackboard *board) {
    return (uint32_t *)(void *)(blackboard_values(board) + board->layout->value_size);
}

ploy_result ploy_blackboard_init(void *memory, size_t size, const ploy_blackboard_layout *layout,
                                 ploy_blackboard **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (memory == NULL || layout == NULL || (uintptr_t)memory % 8 != 0) return PLOY_ERR_ARGUMENT;
    size_t need = ploy_blackboard_size(layout);
    if (size < need) return PLOY_ERR_ARGUMENT;
    memset(memory, 0, need); // keeps (3)
    ploy_blackboard *board = memory;
    board->layout = layout;
    memcpy(blackboard_values(board), layout->initial, layout->value_size);
    *out = board;
    return PLOY_OK;
}

ploy_result ploy_blackboard_create(const ploy_blackboard_layout *layout, const ploy_env *env,
                                   ploy_blackboard **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (layout == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    size_t size = BLACKBOARD_OWNER_SIZE + ploy_blackboard_size(layout);
    unsigned char *block = ploy_env_alloc_zero(env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    blackboard_owner *owner = (blackboard_owner *)(void *)block;
    owner->env = *env;
    owner->size = size;
    ploy_result result = ploy_blackboard_init(block + BLACKBOARD_OWNER_SIZE,
                                              size - BLACKBOARD_OWNER_SIZE, layout, out);
    PLOY_ASSERT(result == PLOY_OK);
    (*out)->owned = 1;
    return result;
}

void ploy_blackboard_destroy(ploy_blackboard *board) {
    if (board == NULL || board->owned == 0) return;
    void *block = (unsigned char *)board - BLACKBOARD_OWNER_SIZE;
    blackboard_owner owner = *(blackboard_owner *)block;
    ploy_env_free(&owner.env, block, owner.size);
}

const ploy_blackboard_layout *ploy_blackboard_layout_of(const ploy_blackboard *board) {
    return board->layout;
}

const unsigned char *ploy_blackboard_values(const ploy_blackboard *board,
                                            const ploy_blackboard_layout *layout) {
    return board != NULL && board->layout == layout ? (const unsigned char *)board + sizeof *board
                                                    : NULL;
}

// The bytes of a slot's value, or NULL if the slot is no slot or of another type.
static unsigned char *blackboard_at(const ploy_blackboard *board, ploy_slot slot,
                                    ploy_value_type type) {
    const blackboard_entry *entry = blackboard_get_entry(board->layout, slot);
    if (entry == NULL || entry->type != type) return NULL;
    return blackboard_values(board) + entry->offset;
}

bool ploy_blackboard_get_bool(const ploy_blackboard *board, ploy_slot slot) {
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_BOOL);
    return at != NULL && *at != 0;
}

int64_t ploy_blackboard_get_i64(const ploy_blackboard *board, ploy_slot slot) {
    int64_t value = 0;
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_I64);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

uint64_t ploy_blackboard_get_u64(const ploy_blackboard *board, ploy_slot slot) {
    uint64_t value = 0;
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_U64);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

float ploy_blackboard_get_f32(const ploy_blackboard *board, ploy_slot slot) {
    float value = 0.0f;
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_F32);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

double ploy_blackboard_get_f64(const ploy_blackboard *board, ploy_slot slot) {
    double value = 0.0;
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_F64);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

ploy_id ploy_blackboard_get_id(const ploy_blackboard *board, ploy_slot slot) {
    ploy_id value = ploy_id_none();
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_ID);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

ploy_name ploy_blackboard_get_name(const ploy_blackboard *board, ploy_slot slot) {
    ploy_name value = {0};
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_NAME);
    if (at != NULL) memcpy(&value, at, sizeof value);
    return value;
}

const char *ploy_blackboard_get_text(const ploy_blackboard *board, ploy_slot slot) {
    const unsigned char *at = blackboard_at(board, slot, PLOY_VALUE_TEXT);
    return at != NULL ? (const char *)at : "";
}

void ploy_blackboard_get_vec(const ploy_blackboard *board, ploy_slot slot, float out[4]) {
    memset(out, 0, 4 * sizeof out[0]);
    const blackboard_entry *entry = blackboard_get_entry(board->layout, slot);
    if (entry == NULL) return;
    size_t count = (size_t)blackboard_vec_count(entry->type);
    memcpy(out, blackboard_values(board) + entry->offset, count * sizeof out[0]);
}

ploy_vec2 ploy_blackboard_get_vec2(const ploy_blackboard *board, ploy_slot slot) {
    float v[4];
    ploy_blackboard_get_vec(board, slot, v);
    return ploy_vec2_make(v[0], v[1]);
}

ploy_result ploy_blackboard_get(const ploy_blackboard *board, ploy_slot slot, ploy_value *out) {
    if (board == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    const blackboard_entry *entry = blackboard_get_entry(board->layout, slot);
    if (entry == NULL) return PLOY_ERR_ARGUMENT;
    switch (entry->type) {
    case PLOY_VALUE_BOOL: *out = ploy_value_bool(ploy_blackboard_get_bool(board, slot)); break;
    case PLOY_VALUE_I64: *out = ploy_value_i64(ploy_blackboard_get_i64(board, slot)); break;
    case PLOY_VALUE_U64: *out = ploy_value_u64(ploy_blackboard_get_u64(board, slot)); break;
    case PLOY_VALUE_F32: *out = ploy_value_f32(ploy_blackboard_get_f32(board, slot)); break;
    case PLOY_VALUE_F64: *out = ploy_value_f64(ploy_blackboard_get_f64(board, slot)); break;
    case PLOY_VALUE_ID: *out = ploy_value_id(ploy_blackboard_get_id(board, slot)); break;
    case PLOY_VALUE_NAME: *out = ploy_value_name(ploy_blackboard_get_name(board, slot)); break;
    case PLOY_VALUE_TEXT: *out = ploy_value_text(ploy_blackboard_get_text(board, slot)); break;
    default: {
        float v[4];
        ploy_blackboard_get_vec(board, slot, v);
        *out = ploy_value_vec4(v[0], v[1], v[2], v[3]);
        out->type = entry->type;
        break;
    }
    }
    return PLOY_OK;
}

// Counts a change if the bytes differ.
static void blackboard_write(ploy_blackboard *board, uint32_t number, const void *bytes) {
    const blackboard_entry *entry = &board->layout->entries[number - 1];
    unsigned char *at = blackboard_values(board) + entry->offset;
    size_t size = blackboard_value_size(entry->type);
    if (memcmp(at, bytes, size) == 0) return;
    memcpy(at, bytes, size);
    blackboard_counters(board)[number - 1]++;
    board->changes++;
}

static ploy_result blackboard_set_typed(ploy_blackboard *board, ploy_slot slot,
                                        const ploy_value *value) {
    if (board == NULL || blackboard_at(board, slot, value->type) == NULL) return PLOY_ERR_ARGUMENT;
    if (blackboard_is_nan(value)) return PLOY_ERR_ARGUMENT; // keeps (4)
    if (blackboard_is_long(value)) return PLOY_ERR_LIMIT;
    unsigned char bytes[PLOY_BLACKBOARD_TEXT_MAX + 1];
    blackboard_store(value, bytes);
    blackboard_write(board, slot.number, bytes);
    return PLOY_OK;
}

ploy_result ploy_blackboard_set_bool(ploy_blackboard *board, ploy_slot slot, bool value) {
    ploy_value holder = ploy_value_bool(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_i64(ploy_blackboard *board, ploy_slot slot, int64_t value) {
    ploy_value holder = ploy_value_i64(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_u64(ploy_blackboard *board, ploy_slot slot, uint64_t value) {
    ploy_value holder = ploy_value_u64(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_f32(ploy_blackboard *board, ploy_slot slot, float value) {
    ploy_value holder = ploy_value_f32(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_f64(ploy_blackboard *board, ploy_slot slot, double value) {
    ploy_value holder = ploy_value_f64(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_id(ploy_blackboard *board, ploy_slot slot, ploy_id value) {
    ploy_value holder = ploy_value_id(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_name(ploy_blackboard *board, ploy_slot slot, ploy_name value) {
    ploy_value holder = ploy_value_name(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_text(ploy_blackboard *board, ploy_slot slot, const char *value) {
    ploy_value holder = ploy_value_text(value);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_vec(ploy_blackboard *board, ploy_slot slot, const float value[]) {
    if (board == NULL || value == NULL) return PLOY_ERR_ARGUMENT;
    const blackboard_entry *entry = blackboard_get_entry(board->layout, slot);
    int32_t count = entry != NULL ? blackboard_vec_count(entry->type) : 0;
    if (count == 0) return PLOY_ERR_ARGUMENT;
    ploy_value holder = ploy_value_vec4(0, 0, 0, 0);
    holder.type = entry->type;
    memcpy(holder.as.vec, value, (size_t)count * sizeof value[0]);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set_vec2(ploy_blackboard *board, ploy_slot slot, ploy_vec2 value) {
    if (board == NULL) return PLOY_ERR_ARGUMENT;
    ploy_value holder = ploy_value_vec2(value.x, value.y);
    return blackboard_set_typed(board, slot, &holder);
}

ploy_result ploy_blackboard_set(ploy_blackboard *board, ploy_slot slot, const ploy_value *value) {
    if (board == NULL || value == NULL) return PLOY_ERR_ARGUMENT;
    ploy_value_type type = ploy_blackboard_layout_type(board->layout, slot);
    ploy_value holder;
    if (type == PLOY_VALUE_NONE || ploy_value_convert(value, type, &holder) != PLOY_OK) {
        return PLOY_ERR_ARGUMENT;
    }
    return blackboard_set_typed(board, slot, &holder);
}

static void blackboard_write_all(ploy_blackboard *board, const unsigned char *values) {
    for (int32_t i = 0; i < board->layout->count; i++) {
        blackboard_write(board, (uint32_t)i + 1, values + board->layout->entries[i].offset);
    }
}

void ploy_blackboard_reset(ploy_blackboard *board) {
    blackboard_write_all(board, board->layout->initial);
}

ploy_result ploy_blackboard_copy(ploy_blackboard *board, const ploy_blackboard *from) {
    if (board == NULL || from == NULL || board->layout != from->layout) return PLOY_ERR_ARGUMENT;
    blackboard_write_all(board, blackboard_values(from));
    return PLOY_OK;
}

uint64_t ploy_blackboard_changes(const ploy_blackboard *board) {
    return board->changes;
}

uint32_t ploy_blackboard_slot_changes(const ploy_blackboard *board, ploy_slot slot) {
    if (blackboard_get_entry(board->layout, slot) == NULL) return 0;
    return blackboard_counters(board)[slot.number - 1];
}

ploy_result ploy_blackboard_set_parent(ploy_blackboard *board, ploy_blackboard *parent) {
    if (board == NULL) return PLOY_ERR_ARGUMENT;
    for (const ploy_blackboard *scope = parent; scope != NULL; scope = scope->parent) {
        if (scope == board) return PLOY_ERR_ARGUMENT;
    }
    board->parent = parent;
    return PLOY_OK;
}

ploy_blackboard *ployi_blackboard_parent(const ploy_blackboard *board) {
    return board->parent;
}

ploy_result ploy_blackboard_lookup(ploy_blackboard *board, const char *name, ploy_value_type type,
                                   ploy_blackboard_ref *out) {
    if (board == NULL || name == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    for (; board != NULL; board = board->parent) {
        ploy_slot slot = ploy_blackboard_layout_find(board->layout, name);
        if (ploy_slot_is_none(slot)) continue;
        if (ploy_blackboard_layout_type(board->layout, slot) != type) return PLOY_ERR_ARGUMENT;
        out->board = board;
        out->slot = slot;
        return PLOY_OK;
    }
    return PLOY_ERR_NOT_FOUND;
}

// A value where it is stored: aligned to its type, as (1) says.
static void blackboard_visit_value(ploy_visit *v, const blackboard_entry *entry,
                                   unsigned char *bytes) {
    void *at = bytes;
    float *f = at;
    switch (entry->type) {
    case PLOY_VALUE_BOOL: ploy_visit_bool(v, entry->text, PLOY_STATE, at); break;
    case PLOY_VALUE_I64: ploy_visit_i64(v, entry->text, PLOY_STATE, at); break;
    case PLOY_VALUE_U64: ploy_visit_u64(v, entry->text, PLOY_STATE, at); break;
    case PLOY_VALUE_F32:
        ploy_visit_f32_in(v, entry->text, PLOY_STATE, f, -INFINITY, INFINITY);
        break;
    case PLOY_VALUE_F64:
        ploy_visit_f64_in(v, entry->text, PLOY_STATE, at, -(double)INFINITY, (double)INFINITY);
        break;
    case PLOY_VALUE_VEC2: ploy_visit_vec2(v, entry->text, PLOY_STATE, f, f + 1); break;
    case PLOY_VALUE_VEC3: ploy_visit_vec3(v, entry->text, PLOY_STATE, f, f + 1, f + 2); break;
    case PLOY_VALUE_VEC4:
        ploy_visit_vec4(v, entry->text, PLOY_STATE, f, f + 1, f + 2, f + 3);
        break;
    case PLOY_VALUE_ID: ploy_visit_id(v, entry->text, PLOY_STATE, at); break;
    case PLOY_VALUE_NAME: ploy_visit_name(v, entry->text, PLOY_STATE, at); break;
    case PLOY_VALUE_TEXT:
        ploy_visit_text(v, entry->text, PLOY_STATE, at, PLOY_BLACKBOARD_TEXT_MAX + 1);
        break;
    case PLOY_VALUE_NONE: break;
    }
}

void ploy_blackboard_visit(ploy_visit *v, void *object) {
    ploy_blackboard *board = object;
    const ploy_blackboard_layout *layout = board->layout;
    if (board->owned != 0) {
        unsigned char *block = (unsigned char *)board - BLACKBOARD_OWNER_SIZE;
        ploy_visit_block(v, "blackboard", block, ((blackboard_owner *)(void *)block)->size);
    }
    ploy_visit_struct(v, "blackboard", board, sizeof *board);
    PLOY_VISIT_SCRATCH(v, board->layout);
    PLOY_VISIT_SCRATCH(v, board->parent);
    PLOY_VISIT_SCRATCH(v, board->owned);
    for (int32_t i = 0; i < layout->count; i++) {
        const blackboard_entry *entry = &layout->entries[i];
        blackboard_visit_value(v, entry, blackboard_values(board) + entry->offset);
    }
    // Watchers compare counters, so the future depends on them even where values are back again.
    ploy_visit_u64(v, "#changes", PLOY_STATE, &board->changes);
    uint32_t *counters = blackboard_counters(board);
    int32_t count = ploy_visit_fixed(v, "#counters", PLOY_SAVED, layout->count);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_u32(v, "counter", PLOY_SAVED, &counters[i]);
    }
    ploy_visit_end(v);
}

void ploy_blackboard_describe(const ploy_blackboard *board, ploy_describe *out) {
    ploy_visit_describe(ploy_blackboard_visit, board, NULL, out);
}

#undef BLACKBOARD_OWNER_SIZE
