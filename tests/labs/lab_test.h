// What the tests of labs share: starting one with parameters, clicking, asking what it describes,
// going back.
#pragma once

#include "base/base_internal.h"
#include "ploy/geom/draw.h"
#include "tests/test.h"

// Where names are looked up: the tests of games say ploy_games() before they include this.
#ifndef LAB_TYPES
#include "labs/labs.h"
#define LAB_TYPES ploy_labs()
#endif

static inline void lab_run(test_context *t, ploy_sim *sim, int32_t ticks) {
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
}

// From here, so many ticks; back, and the same again: equal hashes, and equal bytes of the whole
// region, which finds state that describe forgot.
static inline void lab_check_rewind(test_context *t, ploy_sim *sim, int32_t ticks) {
    ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    lab_run(t, sim, ticks);
    CHECK_OK(ploy_sim_snapshot(sim, &late));
    uint64_t hash = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, early));
    lab_run(t, sim, ticks);
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_OK(ploy_sim_snapshot(sim, &again));
    CHECK_INT(ployi_snapshot_difference(late, again), -1);
    ploy_snapshot_destroy(again);
    ploy_snapshot_destroy(late);
    ploy_snapshot_destroy(early);
}

// For CHECK_FAIL_NTH; arg is the name of the lab.
static inline ploy_result lab_create(const ploy_env *env, void *arg) {
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    const ploy_sim_type *type = ploy_sim_type_find(LAB_TYPES, arg, NULL);
    ploy_result result = ploy_sim_create(&def, type, NULL, NULL, env, &sim);
    ploy_sim_destroy(sim);
    return result;
}

// Starts a lab with "name=value" parameters, ended by NULL.
static inline ploy_sim *lab_start_seed(test_context *t, const char *lab,
                                       const char *const *settings, uint64_t seed,
                                       const ploy_env *env) {
    const ploy_sim_type *type = ploy_sim_type_find(LAB_TYPES, lab, NULL);
    static unsigned char params[1024];
    CHECK(type != NULL);
    CHECK(type->fields().size <= sizeof params);
    ploy_fields_default(type->fields(), params);
    for (; settings != NULL && *settings != NULL; settings++) {
        char name[64];
        const char *equals = strchr(*settings, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - *settings), *settings);
        CHECK_OK(ploy_fields_set_text(type->fields(), params, name, equals + 1, NULL));
    }
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = seed;
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, type, params, NULL, env, &sim));
    return sim;
}

static inline ploy_sim *lab_start(test_context *t, const char *lab, const char *const *settings,
                                  const ploy_env *env) {
    return lab_start_seed(t, lab, settings, 7, env);
}

static inline void lab_command(test_context *t, ploy_sim *sim, const char *name, ploy_value value) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_COMMAND;
    input.name = name;
    input.value = value;
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
}

// A parameter as a slider sets it, with the step that applies it.
static inline void lab_set(test_context *t, ploy_sim *sim, const char *path, ploy_value value) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = PLOY_INPUT_PARAMETER;
    input.name = path;
    input.value = value;
    CHECK_OK(ploy_sim_step(sim, &input, 1, NULL));
}

// A command with a place.
static inline void lab_send_at(test_context *t, ploy_sim *sim, const char *command, float x,
                               float y) {
    lab_command(t, sim, command, ploy_value_vec2(x, y));
}

static inline void lab_click(test_context *t, ploy_sim *sim, float x, float y) {
    lab_send_at(t, sim, "click", x, y);
}

// The numbers a lab describes, by the path of their names: "made/area".
typedef struct lab_asked {
    const char *path;
    char at[256];
    double number;
    bool found;
} lab_asked;

static inline void lab_asked_begin(void *user, const char *name, ploy_id owner) {
    lab_asked *asked = user;
    (void)owner;
    if (name == NULL) name = "";
    size_t length = strlen(asked->at), more = strlen(name);
    if (length + 2 > sizeof asked->at) return;
    if (length + more + 2 > sizeof asked->at) more = sizeof asked->at - length - 2;
    memcpy(asked->at + length, name, more);
    memcpy(asked->at + length + more, "/", 2);
}
static inline void lab_asked_end(void *user) {
    lab_asked *asked = user;
    size_t length = strlen(asked->at);
    if (length > 0) asked->at[length - 1] = '\0';
    char *slash = strrchr(asked->at, '/');
    if (slash != NULL) {
        slash[1] = '\0';
    } else {
        asked->at[0] = '\0';
    }
}

static inline void lab_asked_value(void *user, const char *name, ploy_mark mark,
                                   const ploy_value *value) {
    lab_asked *asked = user;
    (void)mark;
    // Most values have another name, and a description has thousands.
    const char *slash = strrchr(asked->path, '/');
    const char *last = slash != NULL ? slash + 1 : asked->path;
    size_t have_name = strlen(name), want_name = strlen(last);
    if (have_name < want_name || strcmp(name + have_name - want_name, last) != 0) return;
    size_t whole = strlen(asked->path);
    // Labs may stand under a name of the simulation's own: the end of the path decides.
    char path[512], text[64];
    snprintf(path, sizeof path, "%s%s", asked->at, name);
    size_t have = strlen(path);
    if (have < whole || strcmp(path + have - whole, asked->path) != 0) return;
    if (have > whole && path[have - whole - 1] != '/') return;
    ploy_value_print(value, text, sizeof text);
    asked->found = sscanf(text, "%lf", &asked->number) == 1;
}

// Not found where nothing of that name is told at present.
static inline lab_asked lab_ask(const ploy_sim *sim, const char *path) {
    lab_asked asked;
    memset(&asked, 0, sizeof asked);
    asked.path = path;
    ploy_describe out = {lab_asked_begin, lab_asked_end, lab_asked_value, &asked};
    ploy_sim_describe(sim, &out);
    return asked;
}

static inline double lab_number(test_context *t, const ploy_sim *sim, const char *path) {
    lab_asked asked = lab_ask(sim, path);
    t->row = path;
    CHECK(asked.found);
    t->row = NULL;
    return asked.number;
}

static inline void lab_count_item(void *user, const ploy_draw_item *item) {
    int32_t *count = user;
    for (int32_t i = 0; i < item->count; i++) {
        if (!ploy_vec3_is_finite(item->points[i])) *count = -1000000;
    }
    ++*count;
}

// How many shapes it draws; far below 0 if a point is not finite.
static inline int32_t lab_drawn(const ploy_sim *sim) {
    int32_t items = 0;
    ploy_draw draw = {lab_count_item, &items, 0xffffffffu};
    ploy_sim_draw(sim, &draw);
    return items;
}

// Plays, comes back to the start and does it again: the same bytes.
static inline void lab_check_rewind_of(test_context *t, ploy_sim *sim,
                                       void (*play)(test_context *t, ploy_sim *sim)) {
    ploy_snapshot *early = NULL, *late = NULL, *again = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &early));
    for (int32_t turn = 0; turn < 2; turn++) {
        play(t, sim);
        CHECK_OK(ploy_sim_snapshot(sim, turn == 0 ? &late : &again));
        if (turn == 0) CHECK_OK(ploy_sim_restore(sim, early));
    }
    CHECK_INT(ployi_snapshot_difference(late, again), -1);
    ploy_snapshot_destroy(again);
    ploy_snapshot_destroy(late);
    ploy_snapshot_destroy(early);
}

// Clicks about for a while.
static inline void lab_click_about(test_context *t, ploy_sim *sim) {
    for (int32_t i = 0; i < 60; i++) {
        if (i % 3 == 0) {
            lab_click(t, sim, (float)(i % 7) * 2.0f - 6.0f, (float)(i % 5) * 2.0f - 4.0f);
        } else {
            CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
        }
    }
}

static inline void lab_check_rewind_clicking(test_context *t, ploy_sim *sim) {
    lab_check_rewind_of(t, sim, lab_click_about);
}
