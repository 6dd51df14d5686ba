// Running minds that go on in another behavior, on an engine.
#include <string.h>

#include "ploy/exec/engine.h"
#include "tests/test.h"

// Counts its steps, and can be taken up where another one was.
typedef struct counter {
    int64_t n;
    int32_t enters, loads, exits, destroys;
    ploy_exit_reason reason;
    ploy_result load_result;
    const void *world;
} counter;

static ploy_result counter_enter(void *self, ploy_step_context *context) {
    (void)context;
    ((counter *)self)->enters++;
    return PLOY_OK;
}
static ploy_result counter_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)context;
    ((counter *)self)->n++;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}
static void counter_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context;
    ((counter *)self)->exits++;
    ((counter *)self)->reason = reason;
}
static void counter_destroy(void *self) {
    ((counter *)self)->destroys++;
}
static void counter_visit(ploy_visit *v, void *object) {
    counter *one = object;
    const ploy_step_context *context = v->context;
    if (ploy_visit_loads(v)) {
        one->loads++;
        one->world = context->world;
        ploy_visit_result(v, one->load_result);
    }
    ploy_visit_i64(v, "n", PLOY_STATE, &one->n);
}

static const ploy_behavior_type counter_type = {.name = "counter",
                                                .enter = counter_enter,
                                                .step = counter_step,
                                                .exit = counter_exit,
                                                .destroy = counter_destroy,
                                                .visit = counter_visit};

static ploy_engine *reload_engine(test_context *t, counter *one, const ploy_env *env,
                                  ploy_engine_id *id) {
    ploy_engine *engine = NULL;
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior.type = &counter_type;
    entry.agent = ploy_agent_id_make(1, 1);
    entry.behavior.self = one;
    CHECK_OK(ploy_engine_create(&def, env, &engine));
    CHECK_OK(ploy_engine_register(engine, &entry, id));
    return engine;
}

TEST(a_running_mind_goes_on_in_its_replacement) {
    ploy_env env = ploy_env_default();
    counter old = {0}, fresh = {0}, third = {0};
    ploy_engine_id id;
    ploy_engine *engine = reload_engine(t, &old, &env, &id);
    ploy_behavior next = {&counter_type, &fresh}, last = {&counter_type, &third};
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    ploy_engine_frame frame = {.world = &env};
    CHECK_OK(ploy_engine_reload(engine, id, next, &frame, NULL));
    CHECK_INT(old.exits, 1);
    CHECK_INT(old.reason, PLOY_EXIT_REPLACED);
    CHECK_INT(old.destroys, 1);
    CHECK_INT(fresh.n, 3);
    CHECK_INT(fresh.enters, 0); // loaded instead
    CHECK(fresh.world == &env);
    CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    CHECK_INT(fresh.n, 4);
    // An error of the new one stops it.
    third.load_result = PLOY_ERR_FORMAT;
    CHECK_INT(ploy_engine_reload(engine, id, last, NULL, NULL), PLOY_ERR_FORMAT);
    CHECK_INT(third.reason, PLOY_EXIT_ERROR);
    CHECK_INT(third.exits, 1);
    CHECK_INT(fresh.destroys, 1);
    CHECK_INT(ploy_engine_failure(engine, NULL), PLOY_ERR_FORMAT);
    ploy_engine_id nobody = {{7, 7}};
    CHECK_INT(ploy_engine_reload(engine, nobody, next, NULL, NULL), PLOY_ERR_NOT_FOUND);
    ploy_behavior none = {NULL, NULL};
    CHECK_INT(ploy_engine_reload(engine, id, none, NULL, NULL), PLOY_ERR_ARGUMENT);
    ploy_engine_destroy(engine);
    CHECK_INT(third.destroys, 1);
}

TEST(a_mind_that_has_not_entered_is_only_replaced) {
    ploy_env env = ploy_env_default();
    counter old = {0}, fresh = {0};
    ploy_engine_id id;
    ploy_engine *engine = reload_engine(t, &old, &env, &id);
    ploy_behavior next = {&counter_type, &fresh};
    CHECK_OK(ploy_engine_reload(engine, id, next, NULL, NULL));
    CHECK_INT(old.exits, 0);
    CHECK_INT(old.destroys, 1);
    CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, NULL));
    CHECK_INT(fresh.enters, 1);
    CHECK_INT(fresh.n, 1);
    ploy_engine_destroy(engine);
}

// Memory is short only while the mind is handed over: the old one goes on then.
static ploy_result reload_short(const ploy_env *env, void *arg) {
    bool *fine = arg;
    counter old = {0}, fresh = {0};
    ploy_engine *engine = NULL;
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine_entry entry = ploy_engine_entry_default();
    ploy_engine_id id;
    entry.behavior.type = &counter_type;
    entry.agent = ploy_agent_id_make(1, 1);
    entry.behavior.self = &old;
    ploy_result result = ploy_engine_create(&def, env, &engine);
    if (result == PLOY_OK) result = ploy_engine_register(engine, &entry, &id);
    if (result == PLOY_OK) result = ploy_engine_step(engine, 0.1f, NULL, NULL);
    bool ready = result == PLOY_OK;
    ploy_behavior next = {&counter_type, &fresh};
    if (ready) result = ploy_engine_reload(engine, id, next, NULL, NULL);
    if (ready && result != PLOY_OK) {
        *fine = *fine && old.exits == 0 && fresh.destroys == 1 && fresh.loads == 0;
    }
    ploy_engine_destroy(engine);
    return result;
}

TEST(a_mind_runs_on_if_memory_is_short) {
    bool fine = true;
    CHECK_FAIL_NTH(reload_short, &fine);
    CHECK(fine);
}
