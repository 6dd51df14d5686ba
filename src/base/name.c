// Names and the table of their texts.
//
// Invariants of a table:
//   (1) texts[0 .. count) are different, none empty, in the order of adding, each a separate block
//       of size bytes, zero included, so that a text never moves;
//   (2) index maps the hash of each to its number, and no two share a hash.
#include "ploy/base/name.h"

#include <string.h>

#include "base/base_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/map.h"

// Longest text that ploy_edit_distance looks into; keeps its table in 8 KiB of stack.
#define NAME_EDIT_MAX 63

typedef struct name_text {
    char *text;
    size_t size; // with the zero
} name_text;

struct ploy_names {
    ploy_env env;
    name_text *texts;
    int32_t count;
    int32_t capacity;
    ploy_map index; // hash to int32_t
    size_t bytes;   // of all texts
};

ploy_name ploy_name_of(const char *text) {
    return ploy_name_of_bytes(text, text == NULL ? 0 : strlen(text));
}

ploy_name ploy_name_of_bytes(const char *text, size_t size) {
    ploy_name name = {0};
    if (size == 0) return name;
    name.hash = ploy_hash_bytes(text, size, 0);
    if (name.hash == 0) name.hash = 1; // 0 is taken: it means none
    return name;
}

ploy_result ploy_names_create(const ploy_env *env, ploy_names **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_names *names = ploy_env_alloc_zero(env, sizeof *names);
    if (names == NULL) return PLOY_ERR_MEMORY;
    names->env = *env;
    ploy_map_init(&names->index, sizeof(int32_t), env);
    *out = names;
    return PLOY_OK;
}

void ploy_names_destroy(ploy_names *names) {
    if (names == NULL) return;
    ploy_env env = names->env;
    for (int32_t i = 0; i < names->count; i++) {
        ploy_env_free(&env, names->texts[i].text, names->texts[i].size);
    }
    ploy_env_free(&env, names->texts, (size_t)names->capacity * sizeof *names->texts);
    ploy_map_fini(&names->index);
    ploy_env_free(&env, names, sizeof *names);
}

static ploy_result name_grow(ploy_names *names) {
    int32_t capacity = names->capacity == 0 ? PLOY_CAPACITY(16) : names->capacity * 2;
    name_text *texts =
        ploy_env_resize(&names->env, names->texts, (size_t)names->capacity * sizeof *names->texts,
                        (size_t)capacity * sizeof *names->texts);
    if (texts == NULL) return PLOY_ERR_MEMORY;
    names->texts = texts;
    names->capacity = capacity;
    return PLOY_OK;
}

ploy_result ployi_names_add_hashed(ploy_names *names, const char *text, size_t size, ploy_name name,
                                   ploy_name *out) {
    const int32_t *known = ploy_map_get(&names->index, name.hash);
    if (known != NULL) {
        const name_text *other = &names->texts[*known];
        bool same = other->size == size + 1 && memcmp(other->text, text, size) == 0;
        if (!same) return PLOY_ERR_EXISTS;
        if (out != NULL) *out = name;
        return PLOY_OK;
    }
    if (names->count == names->capacity) {
        if (names->count >= PLOY_MAP_MAX) return PLOY_ERR_LIMIT;
        ploy_result result = name_grow(names);
        if (result != PLOY_OK) return result;
    }
    char *copy = ploy_env_alloc(&names->env, size + 1);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_map_put(&names->index, name.hash, &names->count);
    if (result != PLOY_OK) {
        ploy_env_free(&names->env, copy, size + 1);
        return result;
    }
    memcpy(copy, text, size);
    copy[size] = 0;
    names->texts[names->count].text = copy;
    names->texts[names->count].size = size + 1;
    names->count++;
    names->bytes += size + 1;
    if (out != NULL) *out = name;
    return PLOY_OK;
}

ploy_result ploy_names_add(ploy_names *names, const char *text, ploy_name *out) {
    if (text == NULL || text[0] == 0) return PLOY_ERR_ARGUMENT;
    size_t size = strlen(text);
    return ployi_names_add_hashed(names, text, size, ploy_name_of_bytes(text, size), out);
}

const char *ploy_names_text(const ploy_names *names, ploy_name name) {
    const int32_t *index = ploy_map_get(&names->index, name.hash);
    return index == NULL ? NULL : names->texts[*index].text;
}

const char *ployi_names_nearest(const ploy_names *names, const char *text) {
    if (text == NULL) return NULL;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < names->count; i++) ploy_nearest_offer(&nearest, names->texts[i].text);
    return nearest.best;
}

int32_t ploy_names_count(const ploy_names *names) {
    return names->count;
}

const char *ploy_names_at(const ploy_names *names, int32_t index) {
    return index < 0 || index >= names->count ? NULL : names->texts[index].text;
}

void ploy_names_memory(const ploy_names *names, ploy_memory_fn fn, void *user) {
    ploy_memory_item table = {"names.table",
                              sizeof *names + (size_t)names->capacity * sizeof *names->texts,
                              names->texts == NULL ? 1 : 2};
    ploy_memory_item texts = {"names.texts", names->bytes, names->count};
    fn(user, &table);
    fn(user, &texts);
    ploy_map_memory(&names->index, fn, user);
}

// Damerau's distance in the unrestricted form of Lowrance and Wagner, "An Extension of the
// String-to-String Correction Problem", 1975: swapped neighbours may be edited again, so that it
// is a true metric ("ca" is 2 from "abc", where the usual short cut gives 3).
int32_t ploy_edit_distance(const char *a, const char *b) {
    const unsigned char *x = (const unsigned char *)(a == NULL ? "" : a);
    const unsigned char *y = (const unsigned char *)(b == NULL ? "" : b);
    size_t long_n = strlen((const char *)x), long_m = strlen((const char *)y);
    if (long_n > NAME_EDIT_MAX || long_m > NAME_EDIT_MAX) {
        if (long_n == long_m && memcmp(x, y, long_n) == 0) return 0;
        size_t longer = long_n > long_m ? long_n : long_m;
        return longer > INT32_MAX ? INT32_MAX : (int32_t)longer;
    }
    int32_t n = (int32_t)long_n, m = (int32_t)long_m, beyond = n + m;
    // cost[i + 1][j + 1]: from the first i of x to the first j of y; row and column 0 are a border
    // so expensive that no swap reaches across it.
    int16_t cost[NAME_EDIT_MAX + 2][NAME_EDIT_MAX + 2];
    uint8_t last_row[256] = {0}; // last row in which a character stood in x
    cost[0][0] = (int16_t)beyond;
    for (int32_t i = 0; i <= n; i++) {
        cost[i + 1][0] = (int16_t)beyond;
        cost[i + 1][1] = (int16_t)i;
    }
    for (int32_t j = 0; j <= m; j++) {
        cost[0][j + 1] = (int16_t)beyond;
        cost[1][j + 1] = (int16_t)j;
    }
    for (int32_t i = 1; i <= n; i++) {
        int32_t match_column = 0; // last column of this row where the characters were equal
        for (int32_t j = 1; j <= m; j++) {
            int32_t row = last_row[y[j - 1]], column = match_column;
            int32_t replace = cost[i][j] + (x[i - 1] == y[j - 1] ? 0 : 1);
            int32_t best = replace;
            if (cost[i + 1][j] + 1 < best) best = cost[i + 1][j] + 1;
            if (cost[i][j + 1] + 1 < best) best = cost[i][j + 1] + 1;
            int32_t swap = cost[row][column] + (i - row - 1) + 1 + (j - column - 1);
            if (swap < best) best = swap;
            if (x[i - 1] == y[j - 1]) match_column = j;
            cost[i + 1][j + 1] = (int16_t)best;
        }
        last_row[x[i - 1]] = (uint8_t)i;
    }
    return cost[n + 1][m + 1];
}

#undef NAME_EDIT_MAX

ploy_nearest ploy_nearest_make(const char *wanted) {
    ploy_nearest nearest = {wanted == NULL ? "" : wanted, NULL, 0};
    size_t length = strlen(nearest.wanted), third = length / 3;
    if (third < 1) third = 1;
    if (third > 20) third = 20; // edit distances of long texts are only their lengths
    if (length > 0) nearest.distance = (int32_t)third + 1;
    return nearest;
}

void ploy_nearest_offer(ploy_nearest *nearest, const char *text) {
    // Each edit changes the length by one at most, which rules out most texts unread.
    size_t length = strlen(text), wanted = strlen(nearest->wanted);
    size_t apart = length > wanted ? length - wanted : wanted - length;
    if (apart >= (size_t)nearest->distance) return;
    int32_t distance = ploy_edit_distance(text, nearest->wanted);
    if (distance >= nearest->distance) return;
    nearest->distance = distance;
    nearest->best = text;
}
