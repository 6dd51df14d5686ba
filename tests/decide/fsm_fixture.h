// A machine over a world of a few bools that logs what its states do, for the tests of machines.
#pragma once

#include "ploy/decide/fsm.h"
#include "tests/test.h"

static const ploy_blackboard_key fsm_keys[] = {
    {"a", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"b", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"c", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
};

typedef struct fsm_fixture {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_fsm_type *type;
    ploy_fsm *fsm;
    ploy_step_context context;
    ploy_condition a, b, c, not_a, not_b, not_c;
    char log[1024];
    int calls; // of the counting condition
} fsm_fixture;

static inline void fsm_say(fsm_fixture *f, const char *word, const char *what) {
    size_t used = strlen(f->log);
    snprintf(f->log + used, sizeof f->log - used, "%s%s ", what, word);
}

static inline ploy_result fsm_say_enter(void *user, const ploy_fsm_turn *turn) {
    fsm_say(turn->owner, user, "+");
    return PLOY_OK;
}
static inline ploy_result fsm_say_execute(void *user, const ploy_fsm_turn *turn) {
    fsm_say(turn->owner, user, "");
    return PLOY_OK;
}
static inline void fsm_say_exit(void *user, const ploy_fsm_turn *turn) {
    fsm_say(turn->owner, user, "-");
}

static inline ploy_fsm_hooks fsm_say_hooks(const char *id) {
    ploy_fsm_hooks hooks = {fsm_say_enter, fsm_say_execute,      fsm_say_exit, NULL,
                            NULL,          (void *)(uintptr_t)id};
    return hooks;
}

static inline void fsm_begin(test_context *t, fsm_fixture *f, const ploy_fsm_def *def) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(fsm_keys, (int32_t)COUNT_OF(fsm_keys), "fsm", &f->env,
                                           NULL, &f->layout));
    CHECK_OK(ploy_blackboard_create(f->layout, &f->env, &f->board));
    CHECK_OK(ploy_fsm_type_create(def, f->layout, &f->env, &f->type));
    ploy_conditions *set = ploy_fsm_type_conditions(f->type);
    f->a = ploy_condition_bool(set, "a");
    f->b = ploy_condition_bool(set, "b");
    f->c = ploy_condition_bool(set, "c");
    f->not_a = ploy_condition_not(set, f->a);
    f->not_b = ploy_condition_not(set, f->b);
    f->not_c = ploy_condition_not(set, f->c);
    f->context.blackboard = f->board;
    f->context.dt = 0.5f;
    f->context.key = ploy_rng_key_make(5);
}

static inline ploy_fsm_state fsm_state(fsm_fixture *f, const char *id) {
    ploy_fsm_hooks hooks = fsm_say_hooks(id);
    return ploy_fsm_type_state(f->type, id, &hooks, ploy_maker_none());
}

static inline void fsm_rule(test_context *t, fsm_fixture *f, const char *id, ploy_fsm_state from,
                            ploy_condition when, ploy_fsm_state to) {
    ploy_fsm_rule rule = ploy_fsm_rule_make(id, from, when, to);
    CHECK_OK(ploy_fsm_type_add(f->type, &rule));
}

static inline void fsm_start(test_context *t, fsm_fixture *f, ploy_fsm_state initial) {
    CHECK_OK(ploy_fsm_type_finish(f->type, initial));
    CHECK_OK(ploy_fsm_create(f->type, f, &f->env, &f->fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(f->fsm), &f->context));
}

static inline void fsm_end(fsm_fixture *f) {
    ploy_fsm_destroy(f->fsm);
    ploy_fsm_type_destroy(f->type);
    ploy_blackboard_destroy(f->board);
    ploy_blackboard_layout_destroy(f->layout);
}

// Sets the bools and steps; returns the present state's id.
static const char *fsm_step(test_context *t, fsm_fixture *f, bool a, bool b, bool c) {
    bool values[3] = {a, b, c};
    for (uint32_t i = 0; i < 3; i++) {
        ploy_slot slot = {i + 1};
        CHECK_OK(ploy_blackboard_set_bool(f->board, slot, values[i]));
    }
    ploy_status status;
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(f->fsm), &f->context, &status));
    f->context.tick++;
    return ploy_fsm_type_id(f->type, ploy_fsm_current(f->fsm));
}
