// The store of signals; described in the header.
//
// Invariant: (1) entries rise by scope, then by the name's hash, and no two are equal.
#include "ploy/tactics/signals.h"

#include <string.h>

#include "ploy/base/array.h"

enum { SIGNALS_MAX = 1 << 20 };

static const ploy_field signals_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_signals_def, capacity, 64, 1, SIGNALS_MAX, "",
                         "signals that fit before it grows"),
    PLOY_FIELD_F32(ploy_signals_def, lifetime, 0, 0, 1e9f, "s", "until a purge; 0: never"),
};

typedef struct signals_entry {
    uint64_t scope;
    ploy_name name;
    double time; // s
} signals_entry;

struct ploy_signals {
    ploy_env env;
    ploy_signals_def def;
    ploy_array entries;
};

ploy_fields ploy_signals_fields(void) {
    return PLOY_FIELDS(ploy_signals_def, signals_fields);
}

ploy_signals_def ploy_signals_def_default(void) {
    ploy_signals_def def;
    ploy_fields_default(ploy_signals_fields(), &def);
    return def;
}

ploy_result ploy_signals_create(const ploy_signals_def *def, const ploy_env *env,
                                ploy_signals **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_signals_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_signals *signals = ploy_env_alloc_zero(env, sizeof *signals);
    if (signals == NULL) return PLOY_ERR_MEMORY;
    signals->env = *env;
    signals->def = *def;
    ploy_array_init(&signals->entries, sizeof(signals_entry), env);
    result = ploy_array_reserve(&signals->entries, def->capacity);
    if (result != PLOY_OK) {
        ploy_signals_destroy(signals);
        return result;
    }
    *out = signals;
    return PLOY_OK;
}

void ploy_signals_destroy(ploy_signals *signals) {
    if (signals == NULL) return;
    ploy_env env = signals->env;
    ploy_array_fini(&signals->entries);
    ploy_env_free(&env, signals, sizeof *signals);
}

static bool signals_before(const signals_entry *a, uint64_t scope, ploy_name name) {
    return a->scope != scope ? a->scope < scope : a->name.hash < name.hash;
}

// The first entry that is not before (scope, name).
static int32_t signals_place(const ploy_signals *signals, uint64_t scope, ploy_name name) {
    int32_t low = 0, high = signals->entries.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (signals_before(PLOY_ARRAY_AT(&signals->entries, signals_entry, middle), scope, name)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static signals_entry *signals_find(const ploy_signals *signals, uint64_t scope, ploy_name name) {
    int32_t at = signals_place(signals, scope, name);
    if (at >= signals->entries.count) return NULL;
    signals_entry *entry = PLOY_ARRAY_AT(&signals->entries, signals_entry, at);
    return entry->scope == scope && ploy_name_equal(entry->name, name) ? entry : NULL;
}

ploy_result ploy_signals_set(ploy_signals *signals, uint64_t scope, ploy_name name, double now) {
    if (signals == NULL || ploy_name_is_none(name)) return PLOY_ERR_ARGUMENT;
    signals_entry *found = signals_find(signals, scope, name);
    if (found != NULL) {
        found->time = now;
        return PLOY_OK;
    }
    if (signals->entries.count == SIGNALS_MAX) return PLOY_ERR_CAPACITY;
    signals_entry entry = {scope, name, now};
    return ploy_array_insert(&signals->entries, signals_place(signals, scope, name), &entry);
}

bool ploy_signals_has(const ploy_signals *signals, uint64_t scope, ploy_name name) {
    return signals != NULL && signals_find(signals, scope, name) != NULL;
}

bool ploy_signals_clear(ploy_signals *signals, uint64_t scope, ploy_name name) {
    if (signals == NULL || signals_find(signals, scope, name) == NULL) return false;
    return ploy_array_remove(&signals->entries, signals_place(signals, scope, name));
}

int32_t ploy_signals_clear_scope(ploy_signals *signals, uint64_t scope) {
    if (signals == NULL) return 0;
    ploy_name first = {0};
    int32_t at = signals_place(signals, scope, first), count = 0;
    while (at < signals->entries.count &&
           PLOY_ARRAY_AT(&signals->entries, signals_entry, at)->scope == scope) {
        (void)ploy_array_remove(&signals->entries, at);
        count++;
    }
    return count;
}

int32_t ploy_signals_purge(ploy_signals *signals, double now) {
    if (signals == NULL || !(signals->def.lifetime > 0.0f)) return 0;
    int32_t count = 0;
    for (int32_t i = signals->entries.count - 1; i >= 0; i--) {
        double age = now - PLOY_ARRAY_AT(&signals->entries, signals_entry, i)->time;
        if (age < (double)signals->def.lifetime) continue;
        (void)ploy_array_remove(&signals->entries, i);
        count++;
    }
    return count;
}

int32_t ploy_signals_count(const ploy_signals *signals) {
    return signals != NULL ? signals->entries.count : 0;
}

void ploy_signals_visit(ploy_visit *v, void *object) {
    ploy_signals *signals = object;
    ploy_visit_object(v, "signals", signals, sizeof *signals);
    PLOY_VISIT_SCRATCH(v, signals->env);
    PLOY_VISIT_SCRATCH(v, signals->def);
    int32_t count = ploy_visit_array(v, "signals", PLOY_STATE, &signals->entries, SIGNALS_MAX);
    for (int32_t i = 0; i < count; i++) {
        signals_entry *entry = PLOY_ARRAY_AT(&signals->entries, signals_entry, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_u64(v, "scope", PLOY_STATE, &entry->scope);
        ploy_visit_name(v, "name", PLOY_STATE, &entry->name);
        ploy_visit_f64(v, "time", PLOY_STATE, &entry->time);
        bool sorted = i == 0 || signals_before(entry - 1, entry->scope, entry->name);
        ploy_visit_check(v, sorted, "signals are not sorted by scope and name", NULL); // keeps (1)
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_signals_describe(const ploy_signals *signals, ploy_describe *out) {
    if (signals == NULL || out == NULL) return;
    ploy_visit_describe(ploy_signals_visit, signals, NULL, out);
}

void ploy_signals_memory(const ploy_signals *signals, ploy_memory_fn fn, void *user) {
    if (signals == NULL) return;
    ploy_visit_memory(ploy_signals_visit, signals, fn, user);
}
