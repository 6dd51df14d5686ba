// Hierarchical machines: SMC-09's table, histories, regions. Random machines are in
// test_hsm_run.c.
#include "ploy/decide/hsm.h"
#include "tests/test.h"

// ---- a log of what happened

typedef struct hsm_log {
    char text[4096];
    size_t used;
} hsm_log;

static void log_add(hsm_log *log, const char *word, const char *suffix) {
    int n = snprintf(log->text + log->used, sizeof log->text - log->used, "%s%s ", word, suffix);
    if (n > 0 && log->used + (size_t)n < sizeof log->text) log->used += (size_t)n;
}

static void log_clear(hsm_log *log) {
    log->used = 0;
    log->text[0] = '\0';
}

// Hooks whose user is the state's name and whose owner is the log.
static ploy_result hsm_test_enter(void *user, const ploy_hsm_turn *turn) {
    log_add(turn->owner, user, "-entry");
    return PLOY_OK;
}

static ploy_result hsm_test_active(void *user, const ploy_hsm_turn *turn) {
    log_add(turn->owner, user, "-active");
    return PLOY_OK;
}

static void hsm_test_exit(void *user, const ploy_hsm_turn *turn) {
    log_add(turn->owner, user, "-exit");
}

static ploy_result hsm_test_action(void *user, const ploy_hsm_turn *turn) {
    log_add(turn->owner, user, "");
    return PLOY_OK;
}

static ploy_hsm_state hsm_test_add(ploy_hsm_type *type, const char *id, ploy_hsm_state parent,
                                   ploy_hsm_kind kind, bool active) {
    ploy_hsm_hooks hooks = {hsm_test_enter, active ? hsm_test_active : NULL, hsm_test_exit,
                            (void *)(uintptr_t)id};
    return ploy_hsm_type_state(type, id, parent, kind, &hooks, ploy_maker_none());
}

static ploy_result hsm_test_rule(ploy_hsm_type *type, const char *id, const char *from,
                                 const char *on, const char *to) {
    ploy_hsm_state target = ploy_hsm_type_find(type, to);
    ploy_hsm_rule rule =
        ploy_hsm_rule_make(id, ploy_hsm_type_find(type, from), on, to != NULL ? &target : NULL);
    rule.action = hsm_test_action;
    rule.user = (void *)(uintptr_t)id;
    return ploy_hsm_type_add(type, &rule);
}

typedef struct hsm_fixture {
    ploy_env env;
    ploy_hsm_type *type;
    ploy_hsm *hsm;
    ploy_step_context context;
    hsm_log log;
} hsm_fixture;

static void hsm_fixture_begin(test_context *t, hsm_fixture *f, const ploy_hsm_def *def) {
    memset(f, 0, sizeof *f);
    f->env = ploy_env_default();
    CHECK_OK(ploy_hsm_type_create(def, NULL, &f->env, &f->type));
}

static void hsm_fixture_start(test_context *t, hsm_fixture *f) {
    CHECK_OK(ploy_hsm_type_finish(f->type));
    CHECK_OK(ploy_hsm_create(f->type, &f->log, &f->env, &f->hsm));
    CHECK_OK(ploy_behavior_enter(ploy_hsm_behavior(f->hsm), &f->context));
}

static void hsm_fixture_end(hsm_fixture *f) {
    ploy_hsm_destroy(f->hsm);
    ploy_hsm_type_destroy(f->type);
}

// Steps with an event, or none; the log holds what happened, then the states.
static const char *hsm_fixture_step(test_context *t, hsm_fixture *f, const char *event) {
    log_clear(&f->log);
    if (event != NULL) {
        ploy_hsm_event e = ploy_hsm_event_make(event);
        CHECK_OK(ploy_hsm_send(f->hsm, &e));
    }
    ploy_status status;
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(f->hsm), &f->context, &status));
    ploy_hsm_state states[16];
    int32_t count = ploy_hsm_active(f->hsm, states, 16);
    log_add(&f->log, "[", "");
    for (int32_t i = 0; i < count; i++) {
        log_add(&f->log, ploy_hsm_type_id(f->type, states[i]), "");
    }
    log_add(&f->log, "]", "");
    return f->log.text;
}

// SMC-09: the machine of the table.
static void hsm_table_machine(test_context *t, hsm_fixture *f, const ploy_hsm_def *def) {
    hsm_fixture_begin(t, f, def);
    ploy_hsm_state root = ploy_hsm_root();
    ploy_hsm_state l = hsm_test_add(f->type, "L", root, PLOY_HSM_STATE, true);
    hsm_test_add(f->type, "A", l, PLOY_HSM_STATE, true);
    hsm_test_add(f->type, "B", l, PLOY_HSM_STATE, true);
    hsm_test_add(f->type, "C", l, PLOY_HSM_STATE, true);
    hsm_test_add(f->type, "M", root, PLOY_HSM_STATE, true);
    hsm_test_add(f->type, "N", root, PLOY_HSM_STATE, true);
    static const char *const rules[][4] = {
        {"1", "A", "t1", "B"}, {"2", "M", "t2", "C"}, {"3", "B", "t3", "N"}, {"4", "L", "t4", "M"},
        {"5", "M", "t5", "N"}, {"6", "N", "t6", "L"}, {"7", "N", "t7", "M"}};
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        CHECK_OK(hsm_test_rule(f->type, rules[i][0], rules[i][1], rules[i][2], rules[i][3]));
    }
}

TEST(keep_inner_gives_the_table_of_actions) { // SMC-09, SMC-11
    static const char *const rows[][2] = {
        {NULL, "A-entry L-active [ L A ] "},
        {"t1", "A-exit 1 B-entry L-active [ L B ] "},
        {NULL, "B-active L-active [ L B ] "},
        {"t4", "L-exit 4 M-entry [ M ] "},
        {"t5", "M-exit 5 N-entry [ N ] "},
        {"t6", "N-exit 6 L-entry [ L B ] "},
        {"t3", "B-exit L-exit 3 N-entry [ N ] "},
        {"t7", "N-exit 7 M-entry [ M ] "},
        {"t2", "M-exit 2 L-entry C-entry [ L C ] "},
        {"t4", "L-exit 4 M-entry [ M ] "},
        {"t2", "M-exit 2 L-entry C-exit C-entry [ L C ] "}, // 8': L still remembered one
    };
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    def.policy = PLOY_HSM_KEEP_INNER;
    hsm_table_machine(t, &f, &def);
    hsm_fixture_start(t, &f);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_TEXT(hsm_fixture_step(t, &f, rows[i][0]), rows[i][1]);
    }
    hsm_fixture_end(&f);
}

TEST(keep_inner_forgets_what_was_left_from_inside) { // SMC-09, last row
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    def.policy = PLOY_HSM_KEEP_INNER;
    hsm_table_machine(t, &f, &def);
    hsm_fixture_start(t, &f);
    hsm_fixture_step(t, &f, NULL);
    hsm_fixture_step(t, &f, "t1");
    hsm_fixture_step(t, &f, "t3");
    CHECK_TEXT(hsm_fixture_step(t, &f, "t6"), "N-exit 6 L-entry [ L ] ");
    CHECK_TEXT(hsm_fixture_step(t, &f, NULL), "A-entry L-active [ L A ] ");
    hsm_fixture_end(&f);
}

TEST(keep_inner_has_eager_deep_and_clearing_forms) { // 13.5
    static const struct {
        const char *row;
        bool eager, clear, deep;
        const char *leave, *back;
    } rows[] = {
        {"eager", true, false, false, "L-exit 4 M-entry [ M ] ", "N-exit 6 L-entry [ L B ] "},
        {"clear", false, true, false, "L-exit 4 M-entry [ M ] ", "N-exit 6 L-entry [ L ] "},
        {"eager, clear", true, true, false, "L-exit 4 M-entry [ M ] ",
         "N-exit 6 L-entry A-entry [ L A ] "},
        {"deep", false, false, true, "B-exit L-exit 4 M-entry [ M ] ",
         "N-exit 6 L-entry B-entry [ L B ] "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        hsm_fixture f;
        ploy_hsm_def def = ploy_hsm_def_default();
        def.policy = PLOY_HSM_KEEP_INNER;
        def.eager = rows[i].eager;
        def.clear_inner = rows[i].clear;
        def.deep_exit = rows[i].deep;
        hsm_table_machine(t, &f, &def);
        hsm_fixture_start(t, &f);
        hsm_fixture_step(t, &f, NULL);
        hsm_fixture_step(t, &f, "t1");
        CHECK_TEXT(hsm_fixture_step(t, &f, "t4"), rows[i].leave);
        hsm_fixture_step(t, &f, "t5");
        CHECK_TEXT(hsm_fixture_step(t, &f, "t6"), rows[i].back);
        hsm_fixture_end(&f);
    }
}

TEST(levels_are_computed_and_same_level_machines_refuse_others) { // SMC-10, SMC-12
    static const int32_t want[] = {0, -1, 1, 0, 0, 0, 0};
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_table_machine(t, &f, &def);
    for (int i = 0; i < 7; i++) {
        char id[2] = {(char)('1' + i), '\0'};
        int32_t level = 99;
        CHECK_OK(ploy_hsm_type_level(f.type, id, &level));
        CHECK_INT(level, want[i]);
    }
    hsm_fixture_end(&f);
    def.same_level = true;
    hsm_table_machine(t, &f, &def);
    CHECK_INT(ploy_hsm_type_finish(f.type), PLOY_ERR_ARGUMENT);
    hsm_fixture_end(&f);
}

TEST(scxml_leaves_and_enters_everything_in_order) {
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_table_machine(t, &f, &def);
    hsm_fixture_start(t, &f);
    CHECK_TEXT(f.log.text, "L-entry A-entry ");
    CHECK_TEXT(hsm_fixture_step(t, &f, "t1"), "A-exit 1 B-entry B-active L-active [ L B ] ");
    CHECK_TEXT(hsm_fixture_step(t, &f, "t4"), "B-exit L-exit 4 M-entry M-active [ M ] ");
    CHECK_TEXT(hsm_fixture_step(t, &f, "t2"),
               "M-exit 2 L-entry C-entry C-active L-active [ L C ] ");
    log_clear(&f.log);
    ploy_behavior_exit(ploy_hsm_behavior(f.hsm), &f.context, PLOY_EXIT_REMOVED);
    CHECK_TEXT(f.log.text, "C-exit L-exit ");
    hsm_fixture_end(&f);
}

// SMC-08, SMC-11, D08: the cleaning robot with history, interrupted by low power.
TEST(a_robot_goes_on_where_the_alarm_interrupted_it) {
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_fixture_begin(t, &f, &def);
    ploy_hsm_state root = ploy_hsm_root();
    ploy_hsm_state clean = hsm_test_add(f.type, "clean", root, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "last", clean, PLOY_HSM_DEEP_HISTORY, false);
    hsm_test_add(f.type, "search", clean, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "pick", clean, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "refuel", root, PLOY_HSM_STATE, false);
    CHECK_OK(hsm_test_rule(f.type, "seen", "search", "trash", "pick"));
    CHECK_OK(hsm_test_rule(f.type, "low", "clean", "power.low", "refuel"));
    CHECK_OK(hsm_test_rule(f.type, "full", "refuel", "power.full", "last"));
    CHECK_OK(hsm_test_rule(f.type, "idle", "search", "nothing", "refuel"));
    hsm_fixture_start(t, &f);
    hsm_fixture_step(t, &f, "trash");
    CHECK_TEXT(hsm_fixture_step(t, &f, "power.low"),
               "pick-exit clean-exit low refuel-entry [ refuel ] ");
    CHECK_TEXT(hsm_fixture_step(t, &f, "power.full"),
               "refuel-exit full clean-entry pick-entry [ clean pick ] ");
    CHECK(ploy_hsm_is_in(f.hsm, "pick"));
    CHECK(!ploy_hsm_is_in(f.hsm, "search"));
    hsm_fixture_end(&f);
}

TEST(history_that_has_neither_memory_nor_a_rule_means_its_parent) {
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_fixture_begin(t, &f, &def);
    ploy_hsm_state root = ploy_hsm_root();
    ploy_hsm_state home = hsm_test_add(f.type, "home", root, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "door", home, PLOY_HSM_STATE, false);
    ploy_hsm_state away = hsm_test_add(f.type, "away", root, PLOY_HSM_STATE, false);
    ploy_hsm_state work = hsm_test_add(f.type, "work", away, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "last", work, PLOY_HSM_HISTORY, false);
    hsm_test_add(f.type, "dig", work, PLOY_HSM_STATE, false);
    CHECK_OK(hsm_test_rule(f.type, "go", "door", "go", "last"));
    hsm_fixture_start(t, &f);
    CHECK_TEXT(hsm_fixture_step(t, &f, "go"), "door-exit home-exit go away-entry work-entry "
                                              "dig-entry [ away work dig ] ");
    hsm_fixture_end(&f);
}

TEST(two_regions_finish_together) { // FSM-17, done events
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    hsm_fixture_begin(t, &f, &def);
    ploy_hsm_state root = ploy_hsm_root();
    ploy_hsm_state p = hsm_test_add(f.type, "p", root, PLOY_HSM_PARALLEL, false);
    ploy_hsm_state a = hsm_test_add(f.type, "a", p, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "a1", a, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "a2", a, PLOY_HSM_FINAL, false);
    ploy_hsm_state b = hsm_test_add(f.type, "b", p, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "b1", b, PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "b2", b, PLOY_HSM_FINAL, false);
    hsm_test_add(f.type, "end", root, PLOY_HSM_FINAL, false);
    CHECK_OK(hsm_test_rule(f.type, "ra", "a1", "x", "a2"));
    CHECK_OK(hsm_test_rule(f.type, "rb", "b1", "y.*", "b2"));
    CHECK_OK(hsm_test_rule(f.type, "rp", "p", "done.state.p", "end"));
    hsm_fixture_start(t, &f);
    CHECK_TEXT(hsm_fixture_step(t, &f, "x"), "a1-exit ra a2-entry [ p a a2 b b1 ] ");
    log_clear(&f.log);
    ploy_hsm_event event = ploy_hsm_event_make("y.z");
    CHECK_OK(ploy_hsm_send(f.hsm, &event));
    ploy_status status;
    CHECK_OK(ploy_behavior_step(ploy_hsm_behavior(f.hsm), &f.context, &status));
    CHECK_INT(status, PLOY_STATUS_SUCCESS);
    CHECK_TEXT(f.log.text,
               "b1-exit rb b2-entry b2-exit b-exit a2-exit a-exit p-exit rp end-entry ");
    hsm_fixture_end(&f);
}

TEST(rules_that_never_settle_end_in_an_error) {
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    def.changes = 10;
    hsm_fixture_begin(t, &f, &def);
    hsm_test_add(f.type, "a", ploy_hsm_root(), PLOY_HSM_STATE, false);
    hsm_test_add(f.type, "b", ploy_hsm_root(), PLOY_HSM_STATE, false);
    CHECK_OK(hsm_test_rule(f.type, "ab", "a", NULL, "b"));
    CHECK_OK(hsm_test_rule(f.type, "ba", "b", NULL, "a"));
    hsm_fixture_start(t, &f);
    ploy_status status;
    CHECK_INT(ploy_behavior_step(ploy_hsm_behavior(f.hsm), &f.context, &status), PLOY_ERR_LIMIT);
    hsm_fixture_end(&f);
}

TEST(bad_machines_are_refused) {
    hsm_fixture f;
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_state root = ploy_hsm_root();
    for (int i = 0; i < 6; i++) {
        hsm_fixture_begin(t, &f, &def);
        ploy_hsm_state a = hsm_test_add(f.type, "a", root, PLOY_HSM_STATE, false);
        ploy_hsm_state fin = hsm_test_add(f.type, "f", root, PLOY_HSM_FINAL, false);
        ploy_result want = PLOY_ERR_ARGUMENT;
        if (i == 0) hsm_test_add(f.type, "late", a, PLOY_HSM_STATE, false);
        if (i == 1) hsm_test_add(f.type, "in final", fin, PLOY_HSM_STATE, false);
        if (i == 2) hsm_test_add(f.type, "a", root, PLOY_HSM_STATE, false);
        if (i == 3) (void)hsm_test_rule(f.type, "r", "f", "x", "a");
        if (i == 4) (void)hsm_test_rule(f.type, "r", "nowhere", "x", "a");
        if (i == 5) hsm_test_add(f.type, "h", root, PLOY_HSM_HISTORY, false);
        CHECK_INT(ploy_hsm_type_finish(f.type), want);
        CHECK_INT(ploy_hsm_create(f.type, NULL, &f.env, &f.hsm), PLOY_ERR_STATE);
        hsm_fixture_end(&f);
    }
    def.queue = 0;
    CHECK_INT(ploy_hsm_type_create(&def, NULL, &f.env, &f.type), PLOY_ERR_ARGUMENT);
    CHECK(f.type == NULL);
}

static ploy_result hsm_build_all(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    ploy_hsm *hsm = NULL;
    ploy_result result = ploy_hsm_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    ploy_hsm_state a = hsm_test_add(type, "a", ploy_hsm_root(), PLOY_HSM_STATE, true);
    hsm_test_add(type, "h", a, PLOY_HSM_HISTORY, false);
    hsm_test_add(type, "b", a, PLOY_HSM_STATE, true);
    (void)hsm_test_rule(type, "r", "b", "x y", "a");
    result = ploy_hsm_type_finish(type);
    if (result == PLOY_OK) result = ploy_hsm_create(type, NULL, env, &hsm);
    ploy_hsm_destroy(hsm);
    ploy_hsm_type_destroy(type);
    return result;
}

TEST(building_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(hsm_build_all, NULL);
}
