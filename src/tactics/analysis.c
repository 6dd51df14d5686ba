// The analysis server; see the header.
//
// Invariants between calls:
//   (1) layers[front] of an entry is a whole pass if `complete`; a pass at work writes the other;
//   (2) entries keep their index, because the words of combinations point to it;
//   (3) an entry of class 3 has no layers.
#include "ploy/tactics/analysis.h"

#include "tactics/analysis_internal.h"

#include <math.h>
#include <string.h>

enum { ANALYSIS_UNIT = 64 };

static const ploy_field analysis_table[] = {
    PLOY_FIELD_I32(ploy_analysis_server_def, units, 2000, 1, 1 << 30, "", "budget of a frame"),
};

ploy_fields ploy_analysis_server_fields(void) {
    return PLOY_FIELDS(ploy_analysis_server_def, analysis_table);
}

ploy_analysis_server_def ploy_analysis_server_def_default(void) {
    ploy_analysis_server_def def;
    ploy_fields_default(ploy_analysis_server_fields(), &def);
    return def;
}

// ---- plug-ins

static ploy_result analysis_fill_begin(void *self, ploy_tactics_layer *out) {
    ploy_analysis_fill *fill = self;
    fill->out = out;
    fill->next = 0;
    return PLOY_OK;
}

static ploy_result analysis_fill_step(void *self, ploy_budget *budget) {
    ploy_analysis_fill *fill = self;
    int32_t count = ploy_tactics_layer_places(fill->out)->count;
    float *numbers = ploy_tactics_layer_numbers(fill->out);
    while (fill->next < count) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        int32_t part = count - fill->next < ANALYSIS_UNIT ? count - fill->next : ANALYSIS_UNIT;
        fill->fill(fill->user, fill->next, part, numbers + fill->next);
        fill->next += part;
    }
    return PLOY_OK;
}

static float analysis_fill_value(void *self, int32_t place) {
    ploy_analysis_fill *fill = self;
    float value = NAN;
    fill->fill(fill->user, place, 1, &value);
    return value;
}

// The function and its user are the caller's.
static void analysis_fill_visit(ploy_visit *v, void *self) {
    ploy_analysis_fill *fill = self;
    ploy_visit_i32_in(v, "next", PLOY_STATE, &fill->next, 0, INT32_MAX);
}

static void analysis_fill_resume(void *self, ploy_tactics_layer *out) {
    ploy_analysis_fill *fill = self;
    fill->out = out;
}

static const ploy_analysis_type analysis_fill_type = {
    "fill", analysis_fill_begin, analysis_fill_step,  analysis_fill_value,
    NULL,   analysis_fill_visit, analysis_fill_resume};

ploy_analysis ploy_analysis_fill_make(ploy_analysis_fill *fill) {
    ploy_analysis analysis = {&analysis_fill_type, fill};
    return analysis;
}

static ploy_result analysis_sight_begin(void *self, ploy_tactics_layer *out) {
    return ploy_sight_map_begin(self, out);
}

static ploy_result analysis_sight_step(void *self, ploy_budget *budget) {
    return ploy_sight_map_step(self, budget);
}

static float analysis_sight_value(void *self, int32_t place) {
    return ploy_sight_map_at(self, place);
}

static void analysis_sight_invalidate(void *self, ploy_box2 region) {
    (void)region; // bits are cheap: all of them are read again
    ploy_sight_map_refresh(self);
}

static void analysis_sight_resume(void *self, ploy_tactics_layer *out) {
    ployi_sight_map_resume(self, out);
}

static const ploy_analysis_type analysis_sight_type = {"sight",
                                                       analysis_sight_begin,
                                                       analysis_sight_step,
                                                       analysis_sight_value,
                                                       analysis_sight_invalidate,
                                                       ploy_sight_map_visit,
                                                       analysis_sight_resume};

ploy_analysis ploy_sight_map_analysis(ploy_sight_map *map) {
    ploy_analysis analysis = {&analysis_sight_type, map};
    return analysis;
}

// ---- life

ploy_result ploy_analysis_server_create(const ploy_analysis_server_def *def,
                                        const ploy_places *places, const ploy_env *env,
                                        ploy_analysis_server **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_analysis_server_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (!ploy_places_is_complete(places)) return PLOY_ERR_ARGUMENT;
    ploy_analysis_server *server = ploy_env_alloc_zero(env, sizeof *server);
    if (server == NULL) return PLOY_ERR_MEMORY;
    server->env = *env;
    server->def = *def;
    server->places = *places;
    result = ploy_conditions_create(NULL, env, &server->words);
    if (result != PLOY_OK) {
        ploy_analysis_server_destroy(server);
        return result;
    }
    *out = server;
    return PLOY_OK;
}

static void analysis_entry_destroy(ploy_analysis_server *server, analysis_entry *entry) {
    ploy_tactics_layer_destroy(entry->layers[0]);
    ploy_tactics_layer_destroy(entry->layers[1]);
    if (entry->combination != NULL) ploy_convolve_destroy(entry->combination->convolve);
    ploy_env_free(&server->env, entry->combination, sizeof *entry->combination);
    ploy_env_free(&server->env, entry, sizeof *entry);
}

void ployi_analysis_cut(ploy_analysis_server *server, int32_t count) {
    while (server->count > count) {
        server->count--;
        analysis_entry_destroy(server, server->entries[server->count]);
        server->entries[server->count] = NULL;
    }
}

void ploy_analysis_server_destroy(ploy_analysis_server *server) {
    if (server == NULL) return;
    ploy_env env = server->env;
    ployi_analysis_cut(server, 0);
    ploy_conditions_destroy(server->words);
    ploy_env_free(&env, server, sizeof *server);
}

static bool analysis_name_ok(const char *name) {
    size_t size = name == NULL ? 0 : strlen(name);
    if (size == 0 || size >= PLOY_ANALYSIS_NAME || (name[0] >= '0' && name[0] <= '9')) return false;
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

// The word of an analysis: its value at the place that is being computed.
static float analysis_word(void *user, const ploy_moment *moment, const float *args) {
    const analysis_site *site = moment->asker;
    const analysis_entry *entry = *(analysis_entry **)user;
    (void)args;
    if (site == NULL || entry == NULL) return NAN;
    if (entry->layers[0] == NULL)
        return entry->analysis.type->value(entry->analysis.self, site->place);
    return entry->complete ? ploy_tactics_layer_at(entry->layers[entry->front], site->place) : NAN;
}

ploy_result ployi_analysis_add(ploy_analysis_server *server, const char *name,
                               ploy_analysis_class level, ploy_analysis analysis,
                               analysis_combination *combination, int32_t *out) {
    if (ploy_analysis_server_find(server, name) >= 0) return PLOY_ERR_EXISTS;
    if (server->count == PLOY_ANALYSES_MAX) return PLOY_ERR_CAPACITY;
    analysis_entry *entry = ploy_env_alloc_zero(&server->env, sizeof *entry);
    if (entry == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 2 && level != PLOY_ANALYSIS_FAST && result == PLOY_OK; i++) {
        result = ploy_tactics_layer_create(&server->places, PLOY_TACTICS_NUMBERS, &server->env,
                                           &entry->layers[i]);
    }
    if (result == PLOY_OK) {
        ploy_word word = {name, NULL, analysis_word, &server->entries[server->count], 0};
        result = ploy_conditions_register_words(server->words, &word, 1);
    }
    if (result != PLOY_OK) {
        analysis_entry_destroy(server, entry);
        return result;
    }
    memcpy(entry->name, name, strlen(name) + 1);
    entry->level = level;
    entry->analysis = analysis;
    entry->combination = combination;
    if (out != NULL) *out = server->count;
    server->entries[server->count++] = entry;
    return PLOY_OK;
}

ploy_result ploy_analysis_server_add(ploy_analysis_server *server, const char *name,
                                     ploy_analysis_class level, ploy_analysis analysis,
                                     int32_t *out) {
    if (server == NULL || !analysis_name_ok(name) || analysis.type == NULL ||
        level < PLOY_ANALYSIS_STATIC || level > PLOY_ANALYSIS_FAST ||
        (level == PLOY_ANALYSIS_FAST
             ? analysis.type->value == NULL
             : analysis.type->begin == NULL || analysis.type->step == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    return ployi_analysis_add(server, name, level, analysis, NULL, out);
}

// ---- frames

// Goes on with an entry's pass. PLOY_OK: it was completed.
static ploy_result analysis_advance(analysis_entry *entry, ploy_budget *budget) {
    ploy_analysis analysis = entry->analysis;
    ploy_result result = PLOY_OK;
    if (!entry->begun) {
        entry->spent = 0;
        result = analysis.type->begin(analysis.self, entry->layers[1 - entry->front]);
        entry->begun = result == PLOY_OK;
    }
    int64_t before = budget != NULL ? budget->spent : 0;
    if (result == PLOY_OK) result = analysis.type->step(analysis.self, budget);
    entry->spent += budget != NULL ? budget->spent - before : 0;
    if (result == PLOY_OK) {
        entry->front = 1 - entry->front;
        entry->complete = true;
        entry->valid = true;
        entry->passes++;
        entry->age = 0;
        entry->cost = entry->spent;
    }
    if (result != PLOY_IN_PROGRESS) entry->begun = false;
    return result;
}

// The entry that works next; -1. Class 1 first. `left` counts how many of class 2 may still begin.
static int32_t analysis_next(ploy_analysis_server *server, int32_t *left) {
    for (int32_t i = 0; i < server->count; i++) {
        if (server->entries[i]->level == PLOY_ANALYSIS_STATIC && !server->entries[i]->valid) {
            return i;
        }
    }
    while (*left > 0) {
        server->turn = server->turn < server->count ? server->turn : 0;
        if (server->entries[server->turn]->level == PLOY_ANALYSIS_SLOW) return server->turn;
        server->turn++;
        --*left;
    }
    return -1;
}

static ploy_result analysis_work(ploy_analysis_server *server, ploy_budget *budget) {
    int32_t left = server->count;
    ploy_result first_error = PLOY_OK;
    int32_t index = analysis_next(server, &left);
    while (index >= 0 && !ploy_budget_empty(budget)) {
        analysis_entry *entry = server->entries[index];
        ploy_result result = analysis_advance(entry, budget);
        if (result == PLOY_IN_PROGRESS) return first_error;
        if (result != PLOY_OK && first_error == PLOY_OK) first_error = result;
        if (entry->level == PLOY_ANALYSIS_SLOW) {
            server->turn++;
            left--;
        } else if (result != PLOY_OK) {
            return first_error; // it would be tried again at once
        }
        index = analysis_next(server, &left);
    }
    return first_error;
}

ploy_result ploy_analysis_server_step(ploy_analysis_server *server) {
    if (server == NULL) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < server->count; i++) server->entries[i]->age++;
    int64_t units = server->def.units - server->debt;
    if (units <= 0) {
        server->debt -= server->def.units;
        server->last = 0;
        return PLOY_OK;
    }
    ploy_budget budget = ploy_budget_units(units);
    ploy_result result = analysis_work(server, &budget);
    server->last = budget.spent;
    server->debt = budget.spent > units ? budget.spent - units : 0;
    return result;
}

ploy_result ploy_analysis_server_run(ploy_analysis_server *server) {
    if (server == NULL) return PLOY_ERR_ARGUMENT;
    ploy_budget budget = ploy_budget_unlimited();
    return analysis_work(server, &budget);
}

void ploy_analysis_server_invalidate(ploy_analysis_server *server, int32_t index,
                                     ploy_box2 region) {
    for (int32_t i = 0; server != NULL && i < server->count; i++) {
        if (index >= 0 && i != index) continue;
        analysis_entry *entry = server->entries[i];
        if (entry->analysis.type->invalidate != NULL) {
            entry->analysis.type->invalidate(entry->analysis.self, region);
        }
        entry->valid = false;
        // A pass at work has already read what is old.
        if (entry->level == PLOY_ANALYSIS_STATIC) entry->begun = false;
    }
}

// ---- reading

int32_t ploy_analysis_server_count(const ploy_analysis_server *server) {
    return server == NULL ? 0 : server->count;
}

int32_t ploy_analysis_server_find(const ploy_analysis_server *server, const char *name) {
    for (int32_t i = 0; server != NULL && name != NULL && i < server->count; i++) {
        if (strcmp(server->entries[i]->name, name) == 0) return i;
    }
    return -1;
}

static analysis_entry *analysis_at(const ploy_analysis_server *server, int32_t index) {
    return server == NULL || index < 0 || index >= server->count ? NULL : server->entries[index];
}

const ploy_tactics_layer *ploy_analysis_server_layer(const ploy_analysis_server *server,
                                                     int32_t index) {
    const analysis_entry *entry = analysis_at(server, index);
    return entry == NULL || !entry->complete ? NULL : entry->layers[entry->front];
}

float ploy_analysis_server_value(ploy_analysis_server *server, int32_t index, int32_t place) {
    analysis_entry *entry = analysis_at(server, index);
    if (entry == NULL || place < 0 || place >= server->places.count) return NAN;
    if (entry->level == PLOY_ANALYSIS_FAST) {
        return entry->analysis.type->value(entry->analysis.self, place);
    }
    return ploy_tactics_layer_at(ploy_analysis_server_layer(server, index), place);
}

bool ploy_analysis_server_info(const ploy_analysis_server *server, int32_t index,
                               ploy_analysis_info *out) {
    const analysis_entry *entry = analysis_at(server, index);
    if (entry == NULL) return false;
    ploy_analysis_info info = {entry->name, entry->level, entry->passes, entry->age, entry->cost};
    *out = info;
    return true;
}

int64_t ploy_analysis_server_bound(const ploy_analysis_server *server) {
    int64_t units = 0;
    for (int32_t i = 0; server != NULL && i < server->count; i++) {
        if (server->entries[i]->level != PLOY_ANALYSIS_FAST) units += server->entries[i]->cost;
    }
    // A round of passes, the pass that was at work, and the frames that end within a pass.
    return server == NULL ? 0 : 2 * (units / server->def.units + 1);
}

int64_t ploy_analysis_server_spent(const ploy_analysis_server *server) {
    return server == NULL ? 0 : server->last;
}

void ploy_analysis_server_draw(const ploy_analysis_server *server, int32_t index, ploy_draw *out) {
    const ploy_tactics_layer *layer = ploy_analysis_server_layer(server, index);
    if (layer != NULL) ploy_tactics_layer_draw(layer, server->entries[index]->name, out);
}

// After a load: passes under way get their layer; those that cannot be saved begin again.
static void analysis_resume(void *object) {
    ploy_analysis_server *server = object;
    for (int32_t i = 0; i < server->count; i++) {
        analysis_entry *entry = server->entries[i];
        const ploy_analysis_type *type = entry->analysis.type;
        if (!entry->begun) continue;
        entry->begun = type->visit != NULL && type->resume != NULL;
        if (entry->begun) type->resume(entry->analysis.self, entry->layers[1 - entry->front]);
    }
}

// Both layers: the back one holds the part of a pass that is done, or what the next one begins from.
static void analysis_visit_layers(ploy_visit *v, analysis_entry *entry) {
    static const char *const names[2] = {"first", "second"};
    for (int32_t i = 0; i < 2 && v->mode != PLOY_VISIT_DESCRIBE; i++) {
        bool read = i == entry->front ? entry->complete : entry->begun;
        if (v->mode == PLOY_VISIT_COVER && !read) continue; // saved, but nothing depends on it
        ploy_visit_begin(v, names[i], PLOY_SAVED);
        ploy_tactics_layer_visit(v, entry->layers[i]);
        ploy_visit_end(v);
    }
    if (v->describe == NULL) return;
    if (entry->complete) ploy_tactics_layer_describe(entry->layers[entry->front], v->describe);
    // Of a pass under way, the hashes: a description is for people, and the values change each frame.
    if (!entry->begun) return;
    ploy_describe_u64(
        v->describe, "next", PLOY_STATE,
        ploy_visit_hash(ploy_tactics_layer_visit, entry->layers[1 - entry->front], NULL));
}

static void analysis_entry_visit(ploy_visit *v, analysis_entry *entry) {
    const ploy_analysis_type *type = entry->analysis.type;
    ploy_visit_object(v, "analysis", entry, sizeof *entry);
    PLOY_VISIT_SCRATCH(v, entry->name); // the group's
    PLOY_VISIT_SCRATCH(v, entry->level);
    PLOY_VISIT_SCRATCH(v, entry->analysis);
    PLOY_VISIT_SCRATCH(v, entry->combination);
    PLOY_VISIT_SCRATCH(v, entry->layers);
    ploy_value level = ploy_value_i64(entry->level);
    ploy_visit_same(v, "class", PLOY_STATE, &level);
    ploy_visit_i64_in(v, "passes", PLOY_STATE, &entry->passes, 0, INT64_MAX);
    ploy_visit_i64_in(v, "age", PLOY_STATE, &entry->age, 0, INT64_MAX);
    ploy_visit_i64_in(v, "cost", PLOY_STATE, &entry->cost, 0, INT64_MAX);
    ploy_visit_i64_in(v, "spent", PLOY_STATE, &entry->spent, 0, INT64_MAX);
    ploy_visit_i32_in(v, "front", PLOY_STATE, &entry->front, 0, 1);
    ploy_visit_bool(v, "complete", PLOY_STATE, &entry->complete);
    ploy_visit_bool(v, "valid", PLOY_STATE, &entry->valid);
    ploy_visit_bool(v, "begun", PLOY_STATE, &entry->begun);
    if (entry->layers[0] != NULL) analysis_visit_layers(v, entry);
    // Memory of plug-ins is the caller's.
    bool saves = v->mode == PLOY_VISIT_SAVE || v->mode == PLOY_VISIT_LOAD;
    bool owns = entry->combination != NULL && v->mode == PLOY_VISIT_MEMORY;
    if (type->visit == NULL) return;
    if (v->describe != NULL && entry->begun) {
        ploy_describe_u64(v->describe, "pass", PLOY_STATE,
                          ploy_visit_hash(type->visit, entry->analysis.self, NULL));
    }
    bool covers = entry->combination != NULL && v->mode == PLOY_VISIT_COVER;
    if (!((saves || covers) && entry->begun) && !owns) return;
    ploy_visit_begin(v, "pass", PLOY_SAVED);
    type->visit(v, entry->analysis.self);
    ploy_visit_end(v);
}

void ploy_analysis_server_visit(ploy_visit *v, void *object) {
    ploy_analysis_server *server = object;
    ploy_visit_object(v, "analysis server", server, sizeof *server);
    ploy_visit_after(v, analysis_resume, server);
    PLOY_VISIT_SCRATCH(v, server->env);
    PLOY_VISIT_SCRATCH(v, server->def);
    PLOY_VISIT_SCRATCH(v, server->places);
    PLOY_VISIT_SCRATCH(v, server->words);
    PLOY_VISIT_SCRATCH(v, server->entries);
    PLOY_VISIT_SCRATCH(v, server->count);
    if (v->memory != NULL) ploy_conditions_memory(server->words, v->memory, v->memory_user);
    ploy_visit_i64_in(v, "debt", PLOY_STATE, &server->debt, 0, INT64_MAX);
    ploy_visit_i64(v, "last", PLOY_DERIVED, &server->last);
    ploy_visit_i32_in(v, "turn", PLOY_STATE, &server->turn, 0, PLOY_ANALYSES_MAX);
    for (int32_t i = 0; i < server->count; i++) {
        ploy_visit_begin(v, server->entries[i]->name, PLOY_STATE);
        analysis_entry_visit(v, server->entries[i]);
        ploy_visit_end(v);
    }
}

void ploy_analysis_server_describe(const ploy_analysis_server *server, ploy_describe *out) {
    if (server == NULL || out == NULL) return;
    ploy_visit_describe(ploy_analysis_server_visit, server, NULL, out);
}

void ploy_analysis_server_memory(const ploy_analysis_server *server, ploy_memory_fn fn,
                                 void *user) {
    if (server == NULL || fn == NULL) return;
    ploy_visit_memory(ploy_analysis_server_visit, server, fn, user);
}
