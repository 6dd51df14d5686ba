#include "ploy/base/alloc.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/lod.h"
#include "tests/exec/lod_probe.h"
#include "tests/exec/trace_probe.h"
#include "tests/test.h"

// A [0,6] carries its payload to B [4,10] and back; beyond them there is nothing.
static void carry_pack(void *user, const ploy_lod_change *change) {
    const lod_probe *probe = change->behavior.self;
    (void)user;
    lod_log_add(probe->log, 'p', 0);
    memcpy(change->handover, &probe->payload, sizeof probe->payload);
}

static void carry_unpack(void *user, const ploy_lod_change *change) {
    lod_probe *probe = change->behavior.self;
    lod_log_add(probe->log, 'u', 0);
    memcpy(&probe->payload, change->handover, sizeof probe->payload);
    if (user != NULL) ++*(int32_t *)user;
}

static const ploy_lod_level two_levels[] = {
    {"A", 0, 6, NULL, 0, NULL, NULL, {0}},
    {"B", 4, 10, NULL, 0, NULL, NULL, {0}},
};

typedef struct rig {
    lod_log log;
    lod_probe pattern; // what levels learn on entering
    ploy_lod *lod;
    ploy_lod_selector *selector;
    ploy_behavior behavior;
    ploy_step_context context;
} rig;

static void rig_start(test_context *t, rig *r, const ploy_lod_transition *transitions,
                      int32_t count) {
    ploy_lod_level levels[2] = {two_levels[0], two_levels[1]};
    memset(r, 0, sizeof *r);
    r->pattern.log = &r->log;
    for (int32_t i = 0; i < 2; i++) {
        levels[i].type = lod_probe_type();
        levels[i].state_size = (int32_t)sizeof(lod_probe);
    }
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    def.transitions = transitions;
    def.transition_count = count;
    def.select_units = 3;
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_lod_create(&def, &env, &r->lod));
    CHECK_OK(ploy_lod_selector_create(r->lod, ploy_agent_id_make(4, 1), &env, &r->selector));
    r->behavior = ploy_lod_selector_behavior(r->selector);
    r->context = lod_context(&r->pattern);
}

static void rig_end(rig *r) {
    ploy_behavior_destroy(r->behavior);
    ploy_lod_destroy(r->lod);
}

static void rig_step(test_context *t, rig *r, float importance, int32_t level, const char *log) {
    ploy_status status = PLOY_STATUS_FAILURE;
    lod_log_clear(&r->log);
    CHECK_OK(ploy_lod_selector_set_importance(r->selector, importance));
    CHECK_OK(ploy_behavior_step(r->behavior, &r->context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    CHECK_INT(ploy_lod_selector_get(r->selector).level, level);
    CHECK_TEXT(r->log.text, log);
}

static lod_probe *rig_probe(const rig *r) {
    return ploy_lod_selector_get(r->selector).behavior.self;
}

// EXE-17: exit before enter, the first choice sets the current one, nothing valid exits and reports.
TEST(levels_change_exit_before_enter) {
    rig r;
    rig_start(t, &r, NULL, 0);
    CHECK_OK(ploy_behavior_enter(r.behavior, &r.context));
    rig_step(t, &r, 3, 0, "ES");
    rig_step(t, &r, 5, 0, "S");
    rig_step(t, &r, 6.5f, 1, "XES");
    CHECK_INT(r.log.reason, PLOY_EXIT_INTERRUPTED);
    rig_step(t, &r, 5, 1, "S");
    rig_step(t, &r, 3, 0, "XES");
    rig_step(t, &r, 11, PLOY_LOD_NONE, "X");
    rig_step(t, &r, 12, PLOY_LOD_NONE, "");
    CHECK_INT(ploy_lod_selector_get(r.selector).uncovered, 2);
    CHECK_INT(ploy_lod_selector_get(r.selector).switches, 4);
    rig_step(t, &r, 10, 1, "ES");
    CHECK_INT(r.log.most_alive, 1);
    lod_log_clear(&r.log);
    ploy_behavior_exit(r.behavior, &r.context, PLOY_EXIT_REMOVED);
    ploy_behavior_exit(r.behavior, &r.context, PLOY_EXIT_REMOVED); // and no second one below
    CHECK_TEXT(r.log.text, "X");
    CHECK_INT(r.log.reason, PLOY_EXIT_REMOVED);
    rig_step(t, &r, 5, 1, "ES"); // remembered, though the first would be A
    ploy_behavior_exit(r.behavior, &r.context, PLOY_EXIT_REMOVED);
    rig_end(&r);
}

// EXE-18, NTU-27: what the next level should know is packed before exit and unpacked after enter.
TEST(transitions_carry_state_over_the_change) {
    static const ploy_lod_transition both[] = {{0, 1, carry_pack, carry_unpack, NULL},
                                               {1, 0, carry_pack, carry_unpack, NULL}};
    rig r;
    rig_start(t, &r, both, 2);
    rig_step(t, &r, 3, 0, "ES");
    rig_probe(&r)->payload = 42;
    rig_step(t, &r, 9, 1, "pXEuS");
    CHECK_INT(rig_probe(&r)->payload, 42);
    CHECK_INT(rig_probe(&r)->steps, 1); // all else began anew
    rig_probe(&r)->payload = 43;
    rig_step(t, &r, 1, 0, "pXEuS");
    CHECK_INT(rig_probe(&r)->payload, 43);
    rig_end(&r);
}

TEST(the_most_special_transition_is_taken_and_the_buffer_outlives_nothing_running) {
    int32_t exact = 0, from = 0, to = 0, any = 0;
    const ploy_lod_transition some[] = {
        {PLOY_LOD_ANY, PLOY_LOD_ANY, carry_pack, carry_unpack, &any},
        {PLOY_LOD_ANY, 0, carry_pack, carry_unpack, &to},
        {0, PLOY_LOD_ANY, carry_pack, carry_unpack, &from},
        {PLOY_LOD_NONE, 1, NULL, carry_unpack, &exact},
    };
    rig r;
    rig_start(t, &r, some, 4);
    rig_step(t, &r, 3, 0, "EuS"); // none to A: by its to
    CHECK_INT(to, 1);
    rig_probe(&r)->payload = 7;
    rig_step(t, &r, 9, 1, "pXEuS"); // A to B: by its from
    CHECK_INT(from, 1);
    CHECK_INT(rig_probe(&r)->payload, 7);
    rig_probe(&r)->payload = 8;
    rig_step(t, &r, 20, PLOY_LOD_NONE, "pX"); // B to none: any, and nobody to unpack
    CHECK_INT(any, 0);
    rig_step(t, &r, 20, PLOY_LOD_NONE, "");
    rig_step(t, &r, 9, 1, "EuS"); // exactly this pair
    CHECK_INT(exact, 1);
    CHECK_INT(rig_probe(&r)->payload, 8);
    rig_end(&r);
}

TEST(choosing_is_deducted_from_the_budget) {
    rig r;
    rig_start(t, &r, NULL, 0);
    static const struct {
        float importance;
        const char *log;
        int64_t allowed;
    } rows[] = {{3, "ES", 7}, {3, "S", 10}, {9, "XES", 7}, {9, "S", 10}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_budget budget = ploy_budget_units(10);
        r.context.budget = &budget;
        rig_step(t, &r, rows[i].importance, i < 2 ? 0 : 1, rows[i].log);
        CHECK_INT(rig_probe(&r)->allowed, rows[i].allowed);
    }
    r.context.budget = NULL;
    rig_end(&r);
}

TEST(commit_and_messages_reach_the_level_that_runs) {
    rig r;
    rig_start(t, &r, NULL, 0);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    bool handled = true;
    CHECK_OK(ploy_behavior_commit(r.behavior, &r.context)); // nothing runs yet
    CHECK_OK(ploy_behavior_message(r.behavior, &r.context, &message, &handled));
    CHECK(!handled);
    rig_step(t, &r, 3, 0, "ES");
    lod_log_clear(&r.log);
    CHECK_OK(ploy_behavior_commit(r.behavior, &r.context));
    CHECK_OK(ploy_behavior_message(r.behavior, &r.context, &message, &handled));
    CHECK(handled);
    CHECK_TEXT(r.log.text, "CM");
    CHECK_INT(ploy_lod_selector_set_importance(r.selector, NAN), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_lod_selector_set_importance(r.selector, INFINITY), PLOY_ERR_ARGUMENT);
    CHECK_NEAR(ploy_lod_selector_get(r.selector).importance, 3, 0);
    rig_end(&r);
}

// ---- levels that are made, and importance that is asked for

typedef struct maker {
    lod_probe probe;
    int32_t made, destroyed;
    ploy_result result;
} maker;

static void maker_destroy(void *self) {
    ((maker *)self)->destroyed++;
}

static ploy_result maker_step(void *self, ploy_step_context *context, ploy_status *status) {
    return lod_probe_step(&((maker *)self)->probe, context, status);
}

static ploy_result maker_make(void *user, ploy_agent_id agent, const ploy_env *env,
                              ploy_behavior *out) {
    static const ploy_behavior_type type = {
        .name = "made", .step = maker_step, .destroy = maker_destroy};
    maker *m = user;
    (void)agent, (void)env;
    if (m->result != PLOY_OK) return m->result;
    m->made++;
    out->type = &type;
    out->self = m;
    return PLOY_OK;
}

static float asked(void *user, ploy_agent_id agent, const ploy_step_context *context) {
    (void)agent, (void)context;
    return *(float *)user;
}

TEST(made_levels_live_as_long_as_the_selector_and_importance_can_be_asked_for) {
    maker makers[2];
    memset(makers, 0, sizeof makers);
    ploy_lod_level levels[2] = {two_levels[0], two_levels[1]};
    float importance = 3;
    for (int32_t i = 0; i < 2; i++) {
        levels[i].make = maker_make;
        levels[i].user = &makers[i];
    }
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    def.importance = asked;
    def.importance_user = &importance;
    ploy_env env = ploy_env_default();
    ploy_lod *lod = NULL;
    ploy_lod_selector *selector = NULL;
    CHECK_OK(ploy_lod_create(&def, &env, &lod));
    makers[1].result = PLOY_ERR_LIMIT; // the first was made and goes again
    CHECK_INT(ploy_lod_selector_create(lod, ploy_agent_id_none(), &env, &selector), PLOY_ERR_LIMIT);
    CHECK(selector == NULL);
    CHECK_INT(makers[0].destroyed, 1);
    makers[1].result = PLOY_OK;
    CHECK_OK(ploy_lod_selector_create(lod, ploy_agent_id_none(), &env, &selector));
    ploy_behavior behavior = ploy_lod_selector_behavior(selector);
    ploy_step_context context = lod_context(NULL);
    ploy_status status;
    static const float walk[] = {3, 9, 3, NAN, 9};
    static const int32_t steps[][2] = {{1, 0}, {1, 1}, {2, 1}, {3, 1}, {3, 2}};
    for (size_t i = 0; i < COUNT_OF(walk); i++) {
        TEST_SEED(i);
        importance = walk[i];
        CHECK_OK(ploy_behavior_step(behavior, &context, &status));
        CHECK_INT(makers[0].probe.steps, steps[i][0]);
        CHECK_INT(makers[1].probe.steps, steps[i][1]);
    }
    CHECK_INT(makers[0].made, 2);
    ploy_behavior_destroy(behavior);
    CHECK_INT(makers[0].destroyed, 2);
    CHECK_INT(makers[1].destroyed, 1);
    ploy_lod_destroy(lod);
}

TEST(an_error_of_a_level_is_the_selectors_and_its_exit_comes_once) {
    static const struct {
        const char *row;
        bool fail_enter;
        int32_t fails_after;
        const char *log;
    } rows[] = {{"enter fails", true, 0, "EX"}, {"the second step fails", false, 2, "ESSX"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        rig r;
        rig_start(t, &r, NULL, 0);
        r.pattern.fail_enter = rows[i].fail_enter;
        r.pattern.fails_after = rows[i].fails_after;
        CHECK_OK(ploy_lod_selector_set_importance(r.selector, 3));
        ploy_status status;
        if (!rows[i].fail_enter) CHECK_OK(ploy_behavior_step(r.behavior, &r.context, &status));
        CHECK_INT(ploy_behavior_step(r.behavior, &r.context, &status), PLOY_ERR_LIMIT);
        ploy_behavior_exit(r.behavior, &r.context, PLOY_EXIT_ERROR);
        CHECK_TEXT(r.log.text, rows[i].log);
        CHECK_INT(r.log.reason, PLOY_EXIT_ERROR);
        rig_end(&r);
    }
}

TEST(changing_levels_allocates_nothing_and_an_engine_runs_it) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    rig r;
    rig_start(t, &r, NULL, 0);
    ploy_lod_selector *selector = NULL;
    CHECK_OK(ploy_lod_selector_create(r.lod, ploy_agent_id_make(1, 1), &env, &selector));
    int64_t reported = 0;
    ploy_lod_selector_memory(selector, test_sum_memory, &reported);
    CHECK_INT(reported, counts.bytes);
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = true;
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &env, &engine));
    ploy_engine_entry entry = ploy_engine_entry_default();
    entry.behavior = ploy_lod_selector_behavior(selector);
    entry.agent = ploy_agent_id_make(1, 1);
    CHECK_OK(ploy_engine_register(engine, &entry, NULL));
    ploy_engine_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.world = &r.pattern;
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, &frame));
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 50; i++) {
        CHECK_OK(ploy_lod_selector_set_importance(selector, (float)(i % 12)));
        CHECK_OK(ploy_engine_step(engine, 0.1f, NULL, &frame));
    }
    CHECK(ploy_lod_selector_get(selector).switches > 8);
    CHECK_INT(counts.calls, calls);
    ploy_engine_destroy(engine);
    CHECK_INT(r.log.alive, 0);
    CHECK_INT(counts.bytes, 0);
    rig_end(&r);
}

static uint64_t selector_hash(ploy_behavior behavior) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_behavior_describe(behavior, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_tells_level_importance_and_hand_over) {
    rig a, b;
    rig_start(t, &a, NULL, 0);
    rig_start(t, &b, NULL, 0);
    rig_step(t, &a, 3, 0, "ES");
    rig_step(t, &b, 3, 0, "ES");
    CHECK_UINT(selector_hash(a.behavior), selector_hash(b.behavior));
    int32_t size = 0;
    *(char *)ploy_lod_selector_handover(b.selector, &size) = 1;
    CHECK_INT(size, 64);
    CHECK(selector_hash(a.behavior) != selector_hash(b.behavior));
    *(char *)ploy_lod_selector_handover(b.selector, NULL) = 0;
    rig_step(t, &b, 9, 1, "XES");
    CHECK(selector_hash(a.behavior) != selector_hash(b.behavior));
    rig_end(&a);
    rig_end(&b);
}

TEST(the_trace_tells_who_won_and_changes_nothing) {
    static const struct {
        const char *row, *winner;
        float importance;
        int32_t lost, rejected, notes;
    } rows[] = {
        {"a first choice of two", "A", 5, 1, 0, 0},
        {"only the other", "B", 9, 0, 1, 0},
        {"it still fits", "B", 5, 1, 0, 0},
        {"nobody", "", 20, 0, 2, 1},
    };
    rig traced, plain;
    rig_start(t, &traced, NULL, 0);
    rig_start(t, &plain, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        trace_why why;
        ploy_trace trace = trace_probe(&why);
        ploy_status status;
        traced.context.trace = &trace;
        CHECK_OK(ploy_lod_selector_set_importance(traced.selector, rows[i].importance));
        CHECK_OK(ploy_lod_selector_set_importance(plain.selector, rows[i].importance));
        CHECK_OK(ploy_behavior_step(traced.behavior, &traced.context, &status));
        CHECK_OK(ploy_behavior_step(plain.behavior, &plain.context, &status));
        CHECK_TEXT(why.winner, rows[i].winner);
        CHECK_INT(why.options, 2);
        CHECK_INT(why.lost, rows[i].lost);
        CHECK_INT(why.rejected, rows[i].rejected);
        CHECK_INT(why.notes, rows[i].notes);
        CHECK(why.begins == 1 && why.depth == 0);
        CHECK_UINT(selector_hash(traced.behavior), selector_hash(plain.behavior));
    }
    rig_end(&traced);
    rig_end(&plain);
}

static ploy_result selector_body(const ploy_env *env, void *arg) {
    ploy_lod_level level = {"A", 0, 6, lod_probe_type(), 8, NULL, NULL, {0}};
    ploy_lod_def def = ploy_lod_def_default();
    ploy_lod *lod = NULL;
    ploy_lod_selector *selector = NULL;
    (void)arg;
    def.levels = &level;
    def.level_count = 1;
    ploy_result result = ploy_lod_create(&def, env, &lod);
    if (result == PLOY_OK) {
        result = ploy_lod_selector_create(lod, ploy_agent_id_none(), env, &selector);
    }
    ploy_lod_selector_destroy(selector);
    ploy_lod_destroy(lod);
    return result;
}

TEST(lod_and_selector_creates_survive_failing_allocations) {
    CHECK_FAIL_NTH(selector_body, NULL);
}
