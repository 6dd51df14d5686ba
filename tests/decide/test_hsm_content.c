// Contents of hierarchical machines: what is refused, order of delayed events, no allocation.
#include "decide/decide_internal.h"
#include "ploy/decide/hsm.h"
#include "tests/test.h"

static ploy_hsm_op content_op(ploy_hsm_op_kind kind, const char *text) {
    ploy_hsm_op op;
    memset(&op, 0, sizeof op);
    op.kind = kind;
    op.text = text;
    return op;
}

static ploy_hsm_type *content_type(test_context *t, const ploy_env *env) {
    ploy_hsm_def def = ploy_hsm_def_default();
    def.queue = 4;
    ploy_hsm_type *type = NULL;
    CHECK_OK(ploy_hsm_type_create(&def, NULL, env, &type));
    for (int i = 0; i < 3; i++) {
        static const char *const ids[] = {"a", "b", "c"};
        (void)ploy_hsm_type_state(type, ids[i], ploy_hsm_root(), PLOY_HSM_STATE, NULL,
                                  ploy_maker_none());
    }
    return type;
}

TEST(contents_that_make_no_sense_are_refused) {
    static const struct {
        const char *row;
        ploy_hsm_op_kind kinds[4];
        const char *text;
        double delay;
        int32_t count;
    } rows[] = {
        {"an event without a name", {PLOY_HSM_OP_RAISE}, "", 0.0, 1},
        {"a send into the past", {PLOY_HSM_OP_SEND}, "e", -1.0, 1},
        {"a send at no time", {PLOY_HSM_OP_SEND}, "e", (double)NAN, 1},
        {"nothing to call", {PLOY_HSM_OP_CALL}, "e", 0.0, 1},
        {"an if without an end", {PLOY_HSM_OP_IF}, NULL, 0.0, 1},
        {"an end without an if", {PLOY_HSM_OP_END}, NULL, 0.0, 1},
        {"an else without an if", {PLOY_HSM_OP_ELSE, PLOY_HSM_OP_END}, NULL, 0.0, 2},
        {"two elses",
         {PLOY_HSM_OP_IF, PLOY_HSM_OP_ELSE, PLOY_HSM_OP_ELSE, PLOY_HSM_OP_END},
         NULL,
         0.0,
         4},
        {"no such step", {(ploy_hsm_op_kind)99}, "e", 0.0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        ploy_hsm_type *type = content_type(t, &env);
        ploy_hsm_op ops[4];
        for (int k = 0; k < 4; k++) {
            ops[k] = content_op(rows[i].kinds[k], rows[i].text);
            ops[k].delay = rows[i].delay;
        }
        CHECK_UINT(ploy_hsm_type_content(type, ops, rows[i].count).number, 0);
        CHECK_INT(ploy_hsm_type_finish(type), PLOY_ERR_ARGUMENT);
        ploy_hsm_type_destroy(type);
    }
}

// a sends late, soon and middle; b and c wait for them.
static ploy_hsm_type *content_timers(test_context *t, const ploy_env *env, int sends) {
    static const char *const names[] = {"late", "soon", "middle", "more", "too many"};
    static const double delays[] = {3.0, 1.0, 2.0, 2.0, 1.0};
    ploy_hsm_type *type = content_type(t, env);
    ploy_hsm_op ops[5];
    for (int i = 0; i < 5; i++) {
        ops[i] = content_op(PLOY_HSM_OP_SEND, names[i]);
        ops[i].delay = delays[i];
    }
    ploy_hsm_state a = {1}, b = {2}, c = {3};
    CHECK_OK(ploy_hsm_type_set_content(type, a, PLOY_HSM_ON_ENTER,
                                       ploy_hsm_type_content(type, ops, sends)));
    ploy_hsm_rule rules[] = {
        ploy_hsm_rule_make("1", a, "soon", &b), ploy_hsm_rule_make("2", b, "middle", &c),
        ploy_hsm_rule_make("3", c, "more", &b), ploy_hsm_rule_make("4", b, "late", &a)};
    for (size_t i = 0; i < COUNT_OF(rules); i++) CHECK_OK(ploy_hsm_type_add(type, &rules[i]));
    CHECK_OK(ploy_hsm_type_finish(type));
    return type;
}

TEST(delayed_events_come_in_the_order_of_their_time_without_allocation) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_hsm_type *type = content_timers(t, &env, 4);
    ploy_hsm *hsm = NULL;
    ploy_step_context context = {0};
    ploy_status status;
    CHECK_OK(ploy_hsm_create(type, NULL, &env, &hsm));
    int64_t calls = counts.calls;
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context));
    // Middle and more are due at the same time: as they were sent, and both in one step.
    static const struct {
        double now;
        const char *in;
    } rows[] = {{0.9, "a"}, {1.0, "b"}, {1.5, "b"}, {2.0, "b"}, {3.0, "a"}, {3.9, "a"}, {4.0, "b"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        TEST_SEED(i);
        context.now = rows[i].now;
        CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(hsm), &context, &status));
        CHECK(ploy_hsm_is_in(hsm, rows[i].in));
    }
    CHECK_INT(ployi_hsm_changes(hsm), 5);
    CHECK(ployi_hsm_has_taken(hsm, 0));
    CHECK(!ployi_hsm_has_taken(hsm, 1));
    CHECK_INT(counts.calls, calls);
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_REMOVED);
    double due;
    CHECK(!ploy_hsm_next_due(hsm, &due));
    ploy_hsm_destroy(hsm);
    ploy_hsm_type_destroy(type);
    CHECK_INT(counts.blocks, 0);
}

TEST(more_delayed_events_than_the_queue_holds_are_an_error) {
    ploy_env env = ploy_env_default();
    ploy_hsm_type *type = content_timers(t, &env, 5);
    ploy_hsm *hsm = NULL;
    ploy_step_context context = {0};
    CHECK_OK(ploy_hsm_create(type, NULL, &env, &hsm));
    CHECK_INT(ploy_behavior_enter(ploy_hsm_behavior(hsm), &context), PLOY_ERR_CAPACITY);
    ploy_behavior_exit(ploy_hsm_behavior(hsm), &context, PLOY_EXIT_ERROR);
    ploy_hsm_destroy(hsm);
    ploy_hsm_type_destroy(type);
}
