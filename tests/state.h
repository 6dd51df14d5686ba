// Checks of an object's visitor (ploy/base/visit.h):
//
//     state_check s = {ploy_guard_visit, guard, NULL, env, NULL, NULL};
//     state_check_all(t, &s);            // coverage, flips and broken files
//     state_check_memory(t, &s, &counts) // the report against the counting allocator
//     state_check_copy(t, &s, other)     // saved from one, loaded into another of the same def
//
// Coverage: every byte of each struct and array that the visitor names must be visited, marked as
// scratch, or be padding. A gap counts as padding if it is shorter than the alignment of what
// follows and ends where that is aligned; tests/tree/state.mjs looks for members that hide there.
#pragma once

#include <stdlib.h>

#include "base/base_internal.h"
#include "ploy/base/visit.h"
#include "ploy/base/writer.h"
#include "tests/test.h"

typedef struct state_check {
    ploy_visitor visit;
    void *object;
    void *context;
    const char *const *skip; // values that must not be changed alone, such as links; ends with NULL
    const char *const *refused; // values whose change a load refuses; ends with NULL
} state_check;

typedef struct state_list {
    ploy_visit_seen *items;
    int32_t count, capacity;
} state_list;

static inline void state_add(void *user, const ploy_visit_seen *seen) {
    state_list *list = user;
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = realloc(list->items, (size_t)list->capacity * sizeof *list->items);
    }
    list->items[list->count++] = *seen;
}

static inline state_list state_collect(const state_check *s) {
    state_list list = {NULL, 0, 0};
    ployi_visit_cover(s->visit, s->object, s->context, state_add, &list);
    return list;
}

static inline bool state_named(const char *const *names, const char *name) {
    for (; names != NULL && *names != NULL; names++) {
        if (strcmp(*names, name) == 0) return true;
    }
    return false;
}

static inline uint64_t state_hash(const state_check *s) {
    return ploy_visit_hash(s->visit, s->object, s->context);
}

// The saved object as text; free it.
static inline char *state_save(test_context *t, const state_check *s) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_visit_save(s->visit, s->object, s->context, &json);
    CHECK_OK(ploy_json_writer_finish(&json));
    const char *text = ploy_buffer_text(&buffer);
    char *copy = malloc(strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    ploy_buffer_fini(&buffer);
    return copy;
}

// Loads text with that env. faults may be NULL; it gets the number of errors reported.
static inline ploy_result state_load(const state_check *s, const char *text, const ploy_env *env,
                                     int64_t *faults) {
    ploy_json *doc = NULL;
    ploy_diags *diags = NULL;
    ploy_env plain = ploy_env_default();
    ploy_result result = ploy_diags_create(16, &plain, &diags);
    if (result == PLOY_OK) {
        result = ploy_json_load(text, strlen(text), "save", NULL, &plain, diags, &doc);
    }
    if (result == PLOY_OK) {
        result =
            ploy_visit_load(s->visit, s->object, s->context, doc, ploy_json_root(doc), env, diags);
    }
    if (faults != NULL) *faults = ploy_diags_total(diags, PLOY_SEVERITY_ERROR);
    if (result == PLOY_ERR_FORMAT && getenv("STATE_VERBOSE") != NULL) {
        for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
            char line[512];
            ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
            printf("%s\n", line);
        }
    }
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    return result;
}

static inline void state_expect_load(test_context *t, const state_check *s, const char *text) {
    ploy_env env = ploy_env_default();
    ploy_json *doc = NULL;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    CHECK_OK(ploy_json_load(text, strlen(text), "save", NULL, &env, diags, &doc));
    ploy_result result =
        ploy_visit_load(s->visit, s->object, s->context, doc, ploy_json_root(doc), &env, diags);
    if (result != PLOY_OK && ploy_diags_count(diags) > 0) {
        CHECK_TEXT(ploy_diags_get(diags, 0)->message, "");
    }
    CHECK_OK(result);
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
}

// ---- coverage

static inline size_t state_alignment(const ploy_visit_seen *seen) {
    size_t align = 8; // of anything larger
    while (seen->size % align != 0 || (uintptr_t)seen->address % align != 0) align /= 2;
    return align;
}

// Whether the bytes from `from` to `to`, which are not visited, can be padding.
static inline bool state_is_padding(const state_list *list, const ploy_visit_seen *whole,
                                    size_t from, size_t to) {
    char *end = (char *)whole->address + to;
    if (to == whole->size) return to - from < 8;
    // Behind a pointer of 4 bytes what is aligned to 8 leaves a gap that the 64-bit builds do not have; they
    // check the same members.
    if (sizeof(void *) == 4 && to - from == 4 && to % 8 == 0) return true;
    for (int32_t i = 0; i < list->count; i++) {
        const ploy_visit_seen *next = &list->items[i];
        bool ends = next->part == PLOY_VISIT_STRUCT && (char *)next->address + next->size == end;
        if (ends && to - from < 8) return true; // the end of a struct inside
        if (next->address != end) continue;     // a struct inside is aligned too
        if (to - from < state_alignment(next)) return true;
    }
    return false;
}

// Sets what to the first gap in the struct; false if there is none.
static inline bool state_gap_of(const state_list *list, const ploy_visit_seen *whole,
                                char what[160]) {
    unsigned char *map = calloc(whole->size + 1, 1);
    uintptr_t begin = (uintptr_t)whole->address;
    bool found = false;
    for (int32_t k = 0; k < list->count; k++) {
        const ploy_visit_seen *part = &list->items[k];
        uintptr_t from = (uintptr_t)part->address, to = from + part->size;
        if (part->part == PLOY_VISIT_STRUCT) continue;
        if (to <= begin || from >= begin + whole->size) continue;
        from = from < begin ? 0 : from - begin;
        to = to - begin < whole->size ? to - begin : whole->size;
        memset(map + from, 1, to - from);
    }
    for (size_t at = 0; at < whole->size && !found;) {
        size_t end = at;
        while (end < whole->size && map[end] == 0) end++;
        found = end > at && !state_is_padding(list, whole, at, end);
        if (found) {
            snprintf(what, 160, "%s: bytes %zu to %zu of %zu are not visited", whole->name, at, end,
                     whole->size);
        }
        at = end + 1;
    }
    free(map);
    return found;
}

// Sets what to the first gap, or to "".
static inline void state_find_gap(const state_check *s, char what[160]) {
    state_list list = state_collect(s);
    what[0] = '\0';
    bool found = false;
    for (int32_t i = 0; i < list.count && !found; i++) {
        if (list.items[i].part == PLOY_VISIT_STRUCT) {
            found = state_gap_of(&list, &list.items[i], what);
        }
    }
    free(list.items);
}

static inline void state_check_cover(test_context *t, const state_check *s) {
    char what[160];
    state_find_gap(s, what);
    CHECK_TEXT(what, "");
}

// ---- flips

static inline double state_other(double value, double min, double max) {
    if (value + 1.0 <= max && value + 1.0 != value) return value + 1.0;
    if (value - 1.0 >= min && value - 1.0 != value) return value - 1.0;
    return value / 2.0 + 0.25 >= min && value / 2.0 + 0.25 <= max ? value / 2.0 + 0.25 : min;
}

static inline void state_change_int(const ploy_visit_seen *seen, bool is_signed) {
    uint64_t now = 0;
    memcpy(&now, seen->address, seen->size); // little-endian
    double value = (double)now;
    if (is_signed) value = seen->size == 4 ? (double)(int32_t)(uint32_t)now : (double)(int64_t)now;
    now += value + 1.0 <= seen->max ? (uint64_t)1 : ~(uint64_t)0;
    memcpy(seen->address, &now, seen->size);
}

// Changes a value to another valid one; false if there is none.
static inline bool state_change(const ploy_visit_seen *seen) {
    unsigned char *bytes = seen->address;
    float f32;
    double f64;
    ploy_id id;
    if (seen->size == 0) return false;
    if (seen->part == PLOY_VISIT_RNG) {
        (void)ploy_rng_u32(seen->address);
        return true;
    }
    if (seen->part == PLOY_VISIT_BYTES) {
        bytes[0] ^= 1;
        return true;
    }
    if (seen->part == PLOY_VISIT_ENUM) {
        if (seen->max < 1.0) return false;
        bytes[0] = (unsigned char)((bytes[0] + 1) % (int32_t)(seen->max + 1.0));
        return true;
    }
    if (seen->part != PLOY_VISIT_VALUE) return false;
    if (seen->type != PLOY_VALUE_ID && seen->type != PLOY_VALUE_NAME && seen->min >= seen->max) {
        return false;
    }
    switch (seen->type) {
    case PLOY_VALUE_BOOL: bytes[0] ^= 1; return true;
    case PLOY_VALUE_I64: state_change_int(seen, true); return true;
    case PLOY_VALUE_U64:
    case PLOY_VALUE_NAME: {
        ploy_visit_seen number = *seen;
        if (seen->type == PLOY_VALUE_NAME) number.max = 18446744073709551615.0;
        state_change_int(&number, false);
        return true;
    }
    case PLOY_VALUE_F32:
        memcpy(&f32, bytes, sizeof f32);
        f32 = (float)state_other((double)f32, seen->min, seen->max);
        memcpy(bytes, &f32, sizeof f32);
        return true;
    case PLOY_VALUE_F64:
        memcpy(&f64, bytes, sizeof f64);
        f64 = state_other(f64, seen->min, seen->max);
        memcpy(bytes, &f64, sizeof f64);
        return true;
    case PLOY_VALUE_ID:
        memcpy(&id, bytes, sizeof id);
        id = ploy_id_make(id.index + 1, id.generation + 1);
        memcpy(bytes, &id, sizeof id);
        return true;
    case PLOY_VALUE_TEXT: bytes[0] = bytes[0] == 'x' ? 'y' : 'x'; return true;
    default: return false;
    }
}

// Changes each state value in turn: hash and save must change, and a load must bring the change.
// Returns how many were changed.
static inline int32_t state_check_flips(test_context *t, const state_check *s) {
    char *first = state_save(t, s);
    uint64_t hash = state_hash(s);
    int32_t flipped = 0;
    for (int32_t i = 0;; i++) {
        state_list list = state_collect(s); // again, because a load may move arrays
        if (i >= list.count) {
            free(list.items);
            break;
        }
        ploy_visit_seen seen = list.items[i];
        free(list.items);
        if ((seen.mark != PLOY_STATE && seen.mark != PLOY_SAVED) ||
            seen.part == PLOY_VISIT_STRUCT || state_named(s->skip, seen.name)) {
            continue;
        }
        unsigned char before[4096];
        if (seen.size > sizeof before) continue;
        t->row = seen.name;
        memcpy(before, seen.address, seen.size);
        if (!state_change(&seen) || memcmp(before, seen.address, seen.size) == 0) continue;
        flipped++;
        uint64_t changed = state_hash(s);
        char *second = state_save(t, s);
        memcpy(seen.address, before, seen.size);
        CHECK(changed != hash);            // described
        CHECK(strcmp(first, second) != 0); // saved
        CHECK_UINT(state_hash(s), hash);
        int64_t faults = 0;
        ploy_env env = ploy_env_default();
        if (state_named(s->refused, seen.name)) {
            CHECK_INT(state_load(s, second, &env, &faults), PLOY_ERR_FORMAT);
            CHECK(faults > 0);
            CHECK_UINT(state_hash(s), hash);
        } else {
            state_expect_load(t, s, second);
            CHECK_UINT(state_hash(s), changed); // loaded
            state_expect_load(t, s, first);
            CHECK_UINT(state_hash(s), hash);
        }
        free(second);
    }
    t->row = NULL;
    free(first);
    return flipped;
}

// ---- broken files

static inline void state_check_broken(test_context *t, const state_check *s, const char *text,
                                      uint64_t hash, const char *good, int32_t *refused) {
    int64_t faults = 0;
    ploy_env env = ploy_env_default();
    ploy_result result = state_load(s, text, &env, &faults);
    if (result == PLOY_OK) {
        state_expect_load(t, s, good);
        CHECK_UINT(state_hash(s), hash);
        return;
    }
    ++*refused;
    CHECK(result != PLOY_ERR_MEMORY);
    CHECK(faults > 0);
    CHECK_UINT(state_hash(s), hash);
    char *after = state_save(t, s);
    CHECK_TEXT(after, good);
    free(after);
}

// Replaces values, renames members and cuts the text at many places: each variant is loaded
// completely or refused with a message and no change.
static inline void state_check_files(test_context *t, const state_check *s) {
    static const char *const others[] = {"null", "\"?\"",       "-1e300", "[]",
                                         "{}",   "99999999999", "-7"};
    char *good = state_save(t, s);
    uint64_t hash = state_hash(s);
    size_t length = strlen(good);
    int32_t refused = 0, renamed = 0;
    char *text = malloc(length + 64);
    t->row = good;
    state_expect_load(t, s, good);
    CHECK_UINT(state_hash(s), hash);
    for (size_t i = 0; i < 20; i++) {
        memcpy(text, good, length * i / 20);
        text[length * i / 20] = '\0';
        state_check_broken(t, s, text, hash, good, &renamed);
    }
    CHECK_INT(renamed, 20);
    // Values follow ':' or ',' or '['; keys follow '{' or ',' and end in ':'.
    size_t step = length / 3000 + 1;
    for (size_t at = 1, turn = 0; at < length; at++) {
        char before = good[at - 1], c = good[at];
        bool starts = before == ':' || before == ',' || before == '[' || before == '{';
        if (!starts || c == '{' || c == '[' || c == ']' || c == '}' || ++turn % step != 0) continue;
        size_t end = at;
        if (c == '"') {
            for (end = at + 1; good[end] != '"'; end++) end += good[end] == '\\';
            end++;
        } else {
            while (strchr(",]}", good[end]) == NULL) end++;
        }
        if (good[end] == ':') {
            snprintf(text, length + 64, "%.*s\"?%s", (int)at, good, good + at + 1);
            state_check_broken(t, s, text, hash, good, &refused);
            continue;
        }
        for (size_t k = 0; k < COUNT_OF(others); k++) {
            snprintf(text, length + 64, "%.*s%s%s", (int)at, good, others[k], good + end);
            state_check_broken(t, s, text, hash, good, &refused);
        }
    }
    CHECK(refused > 0);
    t->row = NULL;
    free(text);
    free(good);
}

static inline void state_check_all(test_context *t, const state_check *s) {
    state_check_cover(t, s);
    CHECK(state_check_flips(t, s) > 0);
    state_check_files(t, s);
}

// ---- copies and memory

// Saves the object and loads it into another that was made from the same def.
static inline void state_check_copy(test_context *t, const state_check *s, void *other) {
    state_check second = *s;
    second.object = other;
    char *text = state_save(t, s);
    state_expect_load(t, &second, text);
    CHECK_UINT(state_hash(&second), state_hash(s));
    char *again = state_save(t, &second);
    CHECK_TEXT(again, text);
    free(text);
    free(again);
}

typedef struct state_total {
    int64_t bytes, blocks;
} state_total;

static inline void state_sum(void *user, const ploy_memory_item *item) {
    state_total *total = user;
    total->bytes += (int64_t)item->bytes;
    total->blocks += item->blocks;
}

// The object and all that it owns were allocated with the counting env, and nothing else was.
static inline void state_check_memory(test_context *t, const state_check *s,
                                      const test_counts *counts) {
    state_total total = {0, 0};
    ploy_visit_memory(s->visit, s->object, state_sum, &total);
    CHECK_INT(total.bytes, counts->bytes);
    CHECK_INT(total.blocks, counts->blocks);
}
