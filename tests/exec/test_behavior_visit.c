#include "ploy/exec/behavior_visit.h"

#include "tests/state.h"

// A behavior whose only state is a number, all of it through one visitor.
typedef struct counter {
    int64_t n;
    int32_t loads;
} counter;

static void counter_visit(ploy_visit *v, void *object) {
    counter *c = object;
    if (ploy_visit_loads(v)) c->loads++;
    ploy_visit_i64_in(v, "n", PLOY_STATE, &c->n, 0, 100);
}

static ploy_result counter_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)context;
    ((counter *)self)->n++;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_behavior_type counter_type = {
    .name = "counter", .step = counter_step, .visit = counter_visit};

typedef struct holder {
    double since;
    counter inner;
} holder;

static void holder_visit(ploy_visit *v, void *object) {
    holder *h = object;
    ploy_behavior inner = {&counter_type, &h->inner};
    ploy_visit_f64(v, "since", PLOY_STATE, &h->since);
    ploy_visit_behavior(v, "inner", inner, v->context);
}

TEST(a_visitor_holds_a_behavior) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    holder a = {2.5, {7, 0}}, b = {0.0, {0, 0}};
    state_check s = {holder_visit, &a, &context, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_TEXT(text, "{\"since\":2.5,\"inner\":{\"type\":\"counter\",\"state\":{\"n\":7}}}");
    free(text);
    state_check_copy(t, &s, &b);
    CHECK_INT(b.inner.loads, 1);
    CHECK_INT(b.inner.n, 7);
}

TEST(a_fault_before_a_behavior_leaves_it_alone) {
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    ploy_env env = ploy_env_default();
    holder b = {1.0, {1, 0}};
    state_check s = {holder_visit, &b, &context, NULL, NULL};
    CHECK_INT(state_load(&s,
                         "{\"since\":\"x\",\"inner\":{\"type\":\"counter\",\"state\":{\"n\":7}}}",
                         &env, NULL),
              PLOY_ERR_FORMAT);
    CHECK_INT(b.inner.loads, 0);
    CHECK_SAME(b.since, 1.0);
}
