// Names of a fuzzy system's variables and terms: kept with single blanks, found by hash.
#include <string.h>

#include "fuzzy_internal.h"

#include "ploy/base/hash.h"

const char *ployi_fuzzy_keep(ploy_fuzzy_type *type, const char *text, size_t size) {
    while (size > 0 && ployi_fuzzy_is_blank(text[0])) text++, size--;
    while (size > 0 && ployi_fuzzy_is_blank(text[size - 1])) size--;
    char *kept = ploy_arena_alloc(type->texts, size + 1);
    if (kept == NULL) {
        if (type->result == PLOY_OK) type->result = PLOY_ERR_MEMORY;
        return NULL;
    }
    // Any stretch of blanks becomes one; a rule may span several lines of its file.
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        bool blank = ployi_fuzzy_is_blank(text[i]);
        if (blank && used > 0 && kept[used - 1] == ' ') continue;
        kept[used++] = blank ? ' ' : text[i];
    }
    kept[used] = '\0';
    return kept;
}

// True if keeping `name` would give that text: stretches of blanks count as one.
static bool fuzzy_names_is(const char *kept, const char *name) {
    while (ployi_fuzzy_is_blank(*name)) name++;
    for (; *name != '\0'; kept++) {
        bool blank = ployi_fuzzy_is_blank(*name);
        if (!blank && *kept != *name) return false;
        name++;
        while (blank && ployi_fuzzy_is_blank(*name)) name++;
        if (blank && *name == '\0') break; // blanks behind it
        if (blank && *kept != ' ') return false;
    }
    return *kept == '\0';
}

// Equal for names that fuzzy_names_is holds equal.
static uint64_t fuzzy_names_key(int32_t owner, const char *name) {
    uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
    bool gap = false;
    while (ployi_fuzzy_is_blank(*name)) name++;
    for (; *name != '\0'; name++) {
        if (ployi_fuzzy_is_blank(*name)) {
            gap = true;
            continue;
        }
        if (gap) hash = (hash ^ (uint64_t)' ') * 0x100000001b3u;
        gap = false;
        hash = (hash ^ (uint64_t)(unsigned char)*name) * 0x100000001b3u;
    }
    return ploy_hash_combine((uint64_t)(int64_t)owner, hash);
}

ploy_result ployi_fuzzy_index(ploy_fuzzy_type *type, int32_t owner, const char *name,
                              int32_t number) {
    void *held = NULL;
    bool added = false;
    ploy_result result =
        ploy_map_ensure(&type->by_name, fuzzy_names_key(owner, name), &held, &added);
    if (result == PLOY_OK && added) memcpy(held, &number, sizeof number);
    return result;
}

int32_t ploy_fuzzy_type_find(const ploy_fuzzy_type *type, const char *name) {
    if (name == NULL) return -1;
    const int32_t *first =
        ploy_map_get(&type->by_name, fuzzy_names_key(PLOYI_FUZZY_VARIABLES, name));
    if (first == NULL) return -1;
    if (fuzzy_names_is(ployi_fuzzy_find_variable(type, *first)->name, name)) return *first;
    for (int32_t kind = 0; kind < 2; kind++) { // another name with the same key
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            if (fuzzy_names_is(PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i)->name,
                               name)) {
                return i + (kind == 0 ? 0 : PLOY_FUZZY_OUTPUT);
            }
        }
    }
    return -1;
}

int32_t ploy_fuzzy_type_find_term(const ploy_fuzzy_type *type, int32_t variable, const char *name) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    if (v == NULL || name == NULL) return -1;
    const int32_t *first = ploy_map_get(&type->by_name, fuzzy_names_key(variable, name));
    for (int32_t i = first != NULL ? *first : v->terms.count; i < v->terms.count; i++) {
        if (fuzzy_names_is(ployi_fuzzy_term_at(v, i)->name, name)) return i;
    }
    return -1;
}
