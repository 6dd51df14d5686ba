// An object with a field of every kind, for the tests of visitors.
#pragma once

#include "ploy/base/visit.h"

typedef enum example_mood { EXAMPLE_CALM, EXAMPLE_ALERT, EXAMPLE_ANGRY } example_mood;

typedef struct example_item {
    int64_t stamp;
    float weight;
    bool heavy;
} example_item;

typedef struct example {
    ploy_env env;
    bool awake;
    int32_t level;
    uint8_t small;
    uint32_t word;
    int64_t big;
    uint64_t bits;
    float ratio;
    double since;
    float x, y, z;
    ploy_id target;
    ploy_name topic;
    char label[12];
    unsigned char raw[40];
    ploy_rng rng;
    ploy_message message;
    example_mood mood;
    uint32_t state; // of a definition with four
    int64_t note;
    int32_t derived;
    int32_t scratch;
    int32_t depth;
    uint32_t stack[4];
    ploy_array items; // example_item
    int32_t *block;
    int32_t rebuilt; // how often
    bool has_extra;
    double extra;
} example;

static inline const char *example_mood_text(int32_t mood) {
    static const char *const texts[] = {"calm", "alert", "angry"};
    return mood >= 0 && mood < 3 ? texts[mood] : "?";
}

static inline const char *example_state_text(const void *user, uint32_t number) {
    const char *const *texts = user;
    return number < 4 ? texts[number] : "";
}

static inline bool example_state_find(const void *user, const char *text, uint32_t *number) {
    for (uint32_t i = 0; i < 4; i++) {
        if (strcmp(example_state_text(user, i), text) != 0) continue;
        *number = i;
        return true;
    }
    return false;
}

static const char *const example_states[] = {"", "idle", "walk", "fight"};

static inline void example_rebuild(void *object) {
    ((example *)object)->rebuilt++;
}

static inline void example_visit(ploy_visit *v, void *object) {
    example *e = object;
    static const ploy_visit_table states = {
        example_state_text, example_state_find, example_states, 4, "state", NULL};
    ploy_visit_object(v, "example", e, sizeof *e);
    ploy_visit_block(v, "example.block", e->block, 4 * sizeof *e->block);
    PLOY_VISIT_SCRATCH(v, e->env);
    ploy_visit_bool(v, "awake", PLOY_STATE, &e->awake);
    ploy_visit_i32_in(v, "level", PLOY_STATE, &e->level, -3, 3);
    ploy_visit_u8_in(v, "small", PLOY_STATE, &e->small, 0, 9);
    ploy_visit_u32(v, "word", PLOY_STATE, &e->word);
    ploy_visit_i64(v, "big", PLOY_STATE, &e->big);
    ploy_visit_u64(v, "bits", PLOY_STATE, &e->bits);
    ploy_visit_f32_in(v, "ratio", PLOY_STATE, &e->ratio, 0.0f, 1.0f);
    ploy_visit_f64(v, "since", PLOY_STATE, &e->since);
    ploy_visit_vec3(v, "at", PLOY_STATE, &e->x, &e->y, &e->z);
    ploy_visit_begin(v, "mind", PLOY_STATE);
    ploy_visit_id(v, "target", PLOY_STATE, &e->target);
    ploy_visit_name(v, "topic", PLOY_STATE, &e->topic);
    PLOY_VISIT_ENUM(v, "mood", PLOY_STATE, e->mood, example_mood_text, 3);
    ploy_visit_key(v, "place");
    ploy_visit_ref(v, "state", PLOY_STATE, &e->state, &states);
    ploy_visit_end(v);
    ploy_visit_text(v, "label", PLOY_STATE, e->label, sizeof e->label);
    ploy_visit_bytes(v, "raw", PLOY_STATE, e->raw, sizeof e->raw);
    ploy_visit_rng(v, "rng", PLOY_STATE, &e->rng);
    ploy_visit_message(v, "message", PLOY_STATE, &e->message);
    ploy_visit_i64(v, "note", PLOY_NOTE, &e->note);
    ploy_visit_i32(v, "derived", PLOY_DERIVED, &e->derived);
    PLOY_VISIT_SCRATCH(v, e->scratch);
    int32_t depth = ploy_visit_list(v, "stack", PLOY_STATE, &e->depth, 4);
    for (int32_t i = 0; i < depth; i++) {
        ploy_visit_begin_item(v, i, PLOY_DERIVED);
        ploy_visit_u32(v, "place", PLOY_STATE, &e->stack[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_scratch(v, e->stack + e->depth, (size_t)(4 - e->depth) * sizeof e->stack[0]);
    int32_t count = ploy_visit_array(v, "items", PLOY_STATE, &e->items, 8);
    for (int32_t i = 0; i < count; i++) {
        example_item *item = PLOY_ARRAY_AT(&e->items, example_item, i);
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_i64_in(v, "stamp", PLOY_STATE, &item->stamp, 0, 1000);
        ploy_visit_f32(v, "weight", PLOY_STATE, &item->weight);
        ploy_visit_bool(v, "heavy", PLOY_STATE, &item->heavy);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    PLOY_VISIT_SCRATCH(v, e->block);
    PLOY_VISIT_SCRATCH(v, e->rebuilt);
    bool extra = ploy_visit_optional(v, "extra", e->has_extra);
    if (ploy_visit_loads(v)) ploy_visit_write(v, &e->has_extra, &extra, sizeof extra);
    PLOY_VISIT_SCRATCH(v, e->has_extra);
    PLOY_VISIT_SCRATCH(v, e->extra);
    if (extra) ploy_visit_f64(v, "extra", PLOY_STATE, &e->extra);
    ploy_visit_check(v, e->level != 2 || e->awake, "level 2 asleep", NULL);
    ploy_visit_after(v, example_rebuild, e);
}

static inline ploy_result example_create(const ploy_env *env, example **out) {
    example *e = ploy_env_alloc_zero(env, sizeof *e);
    if (e == NULL) return PLOY_ERR_MEMORY;
    e->env = *env;
    ploy_array_init(&e->items, sizeof(example_item), env);
    e->block = ploy_env_alloc_zero(env, 4 * sizeof *e->block);
    ploy_result result = e->block != NULL ? ploy_array_resize(&e->items, 3) : PLOY_ERR_MEMORY;
    *out = e;
    if (result != PLOY_OK) return result;
    e->rng = ploy_rng_make(3);
    e->message =
        ploy_message_make(ploy_agent_id_make(1, 1), ploy_agent_id_none(), ploy_name_of("hi"));
    ploy_message_set_payload(&e->message, "abc", 3);
    e->depth = 2;
    e->stack[0] = 5;
    e->stack[1] = 6;
    e->state = 1;
    e->awake = true;
    memcpy(e->label, "north", 6);
    for (int32_t i = 0; i < 3; i++) PLOY_ARRAY_AT(&e->items, example_item, i)->stamp = 10 + i;
    return PLOY_OK;
}

static inline void example_destroy(example *e) {
    if (e == NULL) return;
    ploy_env env = e->env;
    ploy_array_fini(&e->items);
    ploy_env_free(&env, e->block, 4 * sizeof *e->block);
    ploy_env_free(&env, e, sizeof *e);
}
