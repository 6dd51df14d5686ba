// Hierarchical machines: SMC-09's table, histories, regions, and random machines against a literal
// interpreter of the W3C's algorithm over lists.
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
    CHECK_OK(ploy_behavior_enter(ploy_hsm_get(f->hsm), &f->context));
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
    CHECK_OK(ploy_behavior_step(ploy_hsm_get(f->hsm), &f->context, &status));
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
    ploy_behavior_exit(ploy_hsm_get(f.hsm), &f.context, PLOY_EXIT_REMOVED);
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
    CHECK_OK(ploy_behavior_step(ploy_hsm_get(f.hsm), &f.context, &status));
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
    CHECK_INT(ploy_behavior_step(ploy_hsm_get(f.hsm), &f.context, &status), PLOY_ERR_LIMIT);
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

// ---- the W3C's algorithm over plain lists, as it is printed

enum { NAIVE_MAX = 24, NAIVE_RULES = 40 };

typedef struct naive_rule {
    int from, targets[2], count, event; // event -1: none
    bool internal;
} naive_rule;

typedef struct naive_spec {
    int count; // states 1..count - 1; 0 is the machine
    int parent[NAIVE_MAX];
    ploy_hsm_kind kind[NAIVE_MAX];
    int initial[NAIVE_MAX]; // child, or 0
    int rules;
    naive_rule rule[NAIVE_RULES];
    int history_rule[NAIVE_MAX]; // target, or 0
    char name[NAIVE_MAX][16], rule_name[NAIVE_RULES][16];
} naive_spec;

typedef struct naive_list {
    int count, item[NAIVE_MAX * 4];
} naive_list;

static bool naive_in(const naive_list *list, int item) {
    for (int i = 0; i < list->count; i++) {
        if (list->item[i] == item) return true;
    }
    return false;
}

static void naive_add(naive_list *list, int item) {
    if (!naive_in(list, item)) list->item[list->count++] = item;
}

typedef struct naive_machine {
    const naive_spec *spec;
    naive_list active, history[NAIVE_MAX];
    int queue[256], queued; // done events of states
    bool running;
    bool runaway; // done events that chase each other
    hsm_log *log;
} naive_machine;

static bool naive_descendant(const naive_spec *s, int a, int b) {
    while (a != 0) {
        a = s->parent[a];
        if (a == b) return true;
    }
    return false;
}

static bool naive_real(const naive_spec *s, int i) {
    return s->kind[i] < PLOY_HSM_HISTORY;
}

static bool naive_has_children(const naive_spec *s, int i) {
    for (int k = 1; k < s->count; k++) {
        if (s->parent[k] == i && naive_real(s, k)) return true;
    }
    return false;
}

static void naive_effective(const naive_machine *m, int target, naive_list *out) {
    if (naive_real(m->spec, target)) {
        naive_add(out, target);
    } else if (m->history[target].count > 0) {
        for (int i = 0; i < m->history[target].count; i++) {
            naive_add(out, m->history[target].item[i]);
        }
    } else {
        naive_effective(m, m->spec->history_rule[target], out);
    }
}

static int naive_domain(const naive_machine *m, const naive_rule *rule) {
    const naive_spec *s = m->spec;
    naive_list targets = {0};
    for (int i = 0; i < rule->count; i++) naive_effective(m, rule->targets[i], &targets);
    bool inside = rule->internal && s->kind[rule->from] == PLOY_HSM_STATE &&
                  naive_has_children(s, rule->from);
    for (int i = 0; i < targets.count; i++) {
        inside = inside && naive_descendant(s, targets.item[i], rule->from);
    }
    if (inside) return rule->from;
    for (int above = s->parent[rule->from];; above = s->parent[above]) {
        bool all = s->kind[above] == PLOY_HSM_STATE;
        for (int i = 0; i < targets.count; i++) {
            all = all && naive_descendant(s, targets.item[i], above);
        }
        if (all || above == 0) return above;
    }
}

static naive_list naive_exit_set(const naive_machine *m, const naive_rule *rule) {
    naive_list out = {0};
    if (rule->count == 0) return out;
    int domain = naive_domain(m, rule);
    for (int i = 1; i < m->spec->count; i++) {
        if (naive_in(&m->active, i) && naive_descendant(m->spec, i, domain)) naive_add(&out, i);
    }
    return out;
}

static void naive_descend(const naive_machine *m, int state, naive_list *enter);

static void naive_ancestors(const naive_machine *m, int state, int top, naive_list *enter) {
    const naive_spec *s = m->spec;
    for (int above = s->parent[state]; above != top && above != 0; above = s->parent[above]) {
        naive_add(enter, above);
        if (s->kind[above] != PLOY_HSM_PARALLEL) continue;
        for (int child = 1; child < s->count; child++) {
            if (s->parent[child] != above || !naive_real(s, child)) continue;
            bool some = false;
            for (int i = 0; i < enter->count; i++) {
                some = some || naive_descendant(s, enter->item[i], child);
            }
            if (!some) naive_descend(m, child, enter);
        }
    }
}

static void naive_descend(const naive_machine *m, int state, naive_list *enter) {
    const naive_spec *s = m->spec;
    if (!naive_real(s, state)) {
        naive_list targets = {0};
        naive_effective(m, state, &targets);
        for (int i = 0; i < targets.count; i++) naive_descend(m, targets.item[i], enter);
        for (int i = 0; i < targets.count; i++) {
            naive_ancestors(m, targets.item[i], s->parent[state], enter);
        }
        return;
    }
    naive_add(enter, state);
    if (s->kind[state] == PLOY_HSM_PARALLEL) {
        for (int child = 1; child < s->count; child++) {
            if (s->parent[child] != state || !naive_real(s, child)) continue;
            bool some = false;
            for (int i = 0; i < enter->count; i++) {
                some = some || naive_descendant(s, enter->item[i], child);
            }
            if (!some) naive_descend(m, child, enter);
        }
    } else if (naive_has_children(s, state)) {
        naive_descend(m, s->initial[state], enter);
        naive_ancestors(m, s->initial[state], state, enter);
    }
}

static bool naive_final(const naive_machine *m, int state) {
    const naive_spec *s = m->spec;
    bool parallel = s->kind[state] == PLOY_HSM_PARALLEL, any = false;
    for (int child = 1; child < s->count; child++) {
        if (s->parent[child] != state || !naive_real(s, child)) continue;
        any = true;
        if (parallel && !naive_final(m, child)) return false;
        if (!parallel && s->kind[child] == PLOY_HSM_FINAL && naive_in(&m->active, child)) {
            return true;
        }
    }
    return parallel && any;
}

static void naive_enter(naive_machine *m, const naive_list *enter) {
    const naive_spec *s = m->spec;
    for (int i = 1; i < s->count; i++) {
        // The one difference to the printed text: what is active is not entered again.
        if (!naive_in(enter, i) || naive_in(&m->active, i)) continue;
        naive_add(&m->active, i);
        log_add(m->log, s->name[i], "-entry");
        if (s->kind[i] != PLOY_HSM_FINAL) continue;
        int parent = s->parent[i], above = s->parent[parent];
        if (parent == 0) {
            m->running = false;
            continue;
        }
        m->queue[m->queued++] = parent;
        if (s->kind[above] == PLOY_HSM_PARALLEL && naive_final(m, above)) {
            m->queue[m->queued++] = above;
        }
    }
}

// Events: 0.. are sent ones, 100 + state its done event, -1 none.
static naive_list naive_select(const naive_machine *m, int event) {
    const naive_spec *s = m->spec;
    naive_list enabled = {0}, kept = {0};
    for (int i = 1; i < s->count; i++) {
        if (!naive_in(&m->active, i) || naive_has_children(s, i)) continue;
        bool found = false;
        for (int from = i; from != 0 && !found; from = s->parent[from]) {
            for (int r = 0; r < s->rules && !found; r++) {
                if (s->rule[r].from != from || s->rule[r].event != event) continue;
                naive_add(&enabled, r);
                found = true;
            }
        }
    }
    for (int i = 0; i < enabled.count; i++) {
        const naive_rule *rule = &s->rule[enabled.item[i]];
        naive_list exits = naive_exit_set(m, rule), gone = {0};
        bool preempted = false;
        for (int k = 0; k < kept.count && !preempted; k++) {
            const naive_rule *other = &s->rule[kept.item[k]];
            naive_list theirs = naive_exit_set(m, other);
            bool meet = false;
            for (int x = 0; x < exits.count; x++) meet = meet || naive_in(&theirs, exits.item[x]);
            if (!meet) continue;
            if (naive_descendant(s, rule->from, other->from)) {
                naive_add(&gone, kept.item[k]);
            } else {
                preempted = true;
            }
        }
        if (preempted) continue;
        naive_list next = {0};
        for (int k = 0; k < kept.count; k++) {
            if (!naive_in(&gone, kept.item[k])) naive_add(&next, kept.item[k]);
        }
        naive_add(&next, enabled.item[i]);
        kept = next;
    }
    return kept;
}

static void naive_microstep(naive_machine *m, const naive_list *rules) {
    const naive_spec *s = m->spec;
    naive_list exits = {0}, enter = {0}, stay = {0};
    for (int i = 0; i < rules->count; i++) {
        naive_list one = naive_exit_set(m, &s->rule[rules->item[i]]);
        for (int k = 0; k < one.count; k++) naive_add(&exits, one.item[k]);
    }
    for (int h = 1; h < s->count; h++) {
        if (naive_real(s, h) || !naive_in(&exits, s->parent[h])) continue;
        m->history[h].count = 0;
        for (int i = 1; i < s->count; i++) {
            if (!naive_in(&m->active, i) || !naive_descendant(s, i, s->parent[h])) continue;
            bool deep = s->kind[h] == PLOY_HSM_DEEP_HISTORY;
            if (deep ? !naive_has_children(s, i) : s->parent[i] == s->parent[h]) {
                naive_add(&m->history[h], i);
            }
        }
    }
    for (int i = s->count - 1; i > 0; i--) {
        if (naive_in(&exits, i)) log_add(m->log, s->name[i], "-exit");
    }
    for (int i = 0; i < m->active.count; i++) {
        if (!naive_in(&exits, m->active.item[i])) naive_add(&stay, m->active.item[i]);
    }
    m->active = stay;
    for (int i = 0; i < rules->count; i++) log_add(m->log, s->rule_name[rules->item[i]], "");
    for (int i = 0; i < rules->count; i++) {
        const naive_rule *rule = &s->rule[rules->item[i]];
        if (rule->count == 0) continue;
        for (int k = 0; k < rule->count; k++) naive_descend(m, rule->targets[k], &enter);
        int domain = naive_domain(m, rule);
        for (int k = 0; k < rule->count; k++) {
            naive_list targets = {0};
            naive_effective(m, rule->targets[k], &targets);
            for (int x = 0; x < targets.count; x++) {
                naive_ancestors(m, targets.item[x], domain, &enter);
            }
        }
    }
    naive_enter(m, &enter);
}

static void naive_run(naive_machine *m, int event) {
    for (int guard = 0; m->running; guard++) {
        m->runaway = guard == 1000 || m->queued > 64;
        if (m->runaway) return;
        naive_list rules = naive_select(m, -1);
        if (rules.count == 0) {
            int next = event;
            if (m->queued > 0) {
                next = 100 + m->queue[0];
                m->queued--;
                memmove(m->queue, m->queue + 1, (size_t)m->queued * sizeof m->queue[0]);
            } else {
                event = -1;
            }
            if (next < 0) return;
            rules = naive_select(m, next);
        }
        if (rules.count > 0) naive_microstep(m, &rules);
    }
}

// A random machine: a random tree of states, each with its own few rules.
static int naive_grow(naive_spec *s, ploy_rng *rng, int parent, int depth) {
    int me = s->count++;
    s->parent[me] = parent;
    snprintf(s->name[me], sizeof s->name[me], "s%d", me);
    s->kind[me] = PLOY_HSM_STATE;
    bool leaf = depth >= 3 || s->count > NAIVE_MAX - 6 || ploy_rng_chance(rng, 0.4f);
    if (leaf) {
        bool fin = ploy_rng_chance(rng, 0.2f) && s->kind[parent] == PLOY_HSM_STATE && me > 1;
        if (fin) s->kind[me] = PLOY_HSM_FINAL;
        return me;
    }
    if (ploy_rng_chance(rng, 0.3f)) s->kind[me] = PLOY_HSM_PARALLEL;
    int children = ploy_rng_int(rng, 2, 3);
    int first = 0, history = 0;
    for (int i = 0; i < children && s->count < NAIVE_MAX - 4; i++) {
        int child = naive_grow(s, rng, me, depth + 1);
        if (first == 0 || ploy_rng_chance(rng, 0.3f)) first = child;
    }
    s->initial[me] = first;
    if (ploy_rng_chance(rng, 0.5f)) {
        history = s->count++;
        s->parent[history] = me;
        s->kind[history] = ploy_rng_chance(rng, 0.5f) ? PLOY_HSM_HISTORY : PLOY_HSM_DEEP_HISTORY;
        snprintf(s->name[history], sizeof s->name[history], "h%d", history);
        s->history_rule[history] = first;
    }
    return me;
}

static naive_spec naive_random(ploy_rng *rng) {
    naive_spec s;
    memset(&s, 0, sizeof s);
    s.count = 1;
    int first = naive_grow(&s, rng, 0, 1);
    while (s.count < 8) (void)naive_grow(&s, rng, 0, 1);
    s.initial[0] = first;
    s.rules = ploy_rng_int(rng, 6, NAIVE_RULES - 1);
    for (int i = 0; i < s.rules; i++) {
        naive_rule *rule = &s.rule[i];
        do {
            rule->from = ploy_rng_int(rng, 1, s.count - 1);
        } while (s.kind[rule->from] >= PLOY_HSM_FINAL);
        rule->event = ploy_rng_int(rng, 0, 3);
        int done = s.parent[ploy_rng_int(rng, 1, s.count - 1)];
        if (done != 0 && ploy_rng_chance(rng, 0.15f)) rule->event = 100 + done;
        rule->count = ploy_rng_chance(rng, 0.1f) ? 0 : 1;
        rule->targets[0] = ploy_rng_int(rng, 1, s.count - 1);
        rule->internal = ploy_rng_chance(rng, 0.3f);
        snprintf(s.rule_name[i], sizeof s.rule_name[i], "r%d", i);
    }
    return s;
}

static void naive_build(test_context *t, const naive_spec *s, hsm_fixture *f) {
    ploy_hsm_def def = ploy_hsm_def_default();
    def.queue = 64;
    hsm_fixture_begin(t, f, &def);
    ploy_hsm_state at[NAIVE_MAX] = {{0}};
    for (int i = 1; i < s->count; i++) {
        at[i] = hsm_test_add(f->type, s->name[i], at[s->parent[i]], s->kind[i], false);
        CHECK_UINT(at[i].number, (uint32_t)i);
    }
    for (int i = 0; i < s->count; i++) {
        if (s->initial[i] == 0 || s->kind[i] == PLOY_HSM_PARALLEL) continue;
        CHECK_OK(ploy_hsm_type_set_initial(f->type, at[i], &at[s->initial[i]], 1, NULL, NULL));
    }
    for (int i = 0; i < s->rules; i++) {
        const naive_rule *rule = &s->rule[i];
        char on[32];
        if (rule->event >= 100) {
            snprintf(on, sizeof on, "done.state.%s", s->name[rule->event - 100]);
        } else {
            snprintf(on, sizeof on, "e%d", rule->event);
        }
        ploy_hsm_rule made = ploy_hsm_rule_make(s->rule_name[i], at[rule->from], on,
                                                rule->count > 0 ? &at[rule->targets[0]] : NULL);
        made.internal = rule->internal;
        made.action = hsm_test_action;
        made.user = (void *)(uintptr_t)s->rule_name[i];
        CHECK_OK(ploy_hsm_type_add(f->type, &made));
    }
    for (int i = 1; i < s->count; i++) {
        if (s->history_rule[i] == 0) continue;
        char id[16];
        snprintf(id, sizeof id, "default%d", i);
        ploy_hsm_rule made = ploy_hsm_rule_make(id, at[i], NULL, &at[s->history_rule[i]]);
        CHECK_OK(ploy_hsm_type_add(f->type, &made));
    }
}

TEST(random_machines_do_what_the_printed_algorithm_does) {
    int64_t moved = 0, finished = 0;
    for (int64_t round = 0; round < test_rounds(1500); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        naive_spec spec = naive_random(&rng);
        hsm_fixture f;
        naive_build(t, &spec, &f);
        hsm_log log;
        log_clear(&log);
        naive_machine m;
        memset(&m, 0, sizeof m);
        m.spec = &spec;
        m.log = &log;
        m.running = true;
        naive_list enter = {0};
        naive_descend(&m, spec.initial[0], &enter);
        naive_enter(&m, &enter);
        hsm_fixture_start(t, &f);
        for (int i = 0; i < 30; i++) {
            CHECK_TEXT(f.log.text, log.text);
            for (int k = 1; k < spec.count; k++) {
                if (naive_real(&spec, k)) {
                    CHECK_INT(ploy_hsm_is_in(f.hsm, spec.name[k]), naive_in(&m.active, k));
                }
            }
            if (!m.running) break;
            int event = ploy_rng_int(&rng, 0, 3);
            char name[16];
            snprintf(name, sizeof name, "e%d", event);
            ploy_hsm_event sent = ploy_hsm_event_make(name);
            CHECK_OK(ploy_hsm_send(f.hsm, &sent));
            log_clear(&log);
            log_clear(&f.log);
            naive_run(&m, event);
            ploy_status status;
            ploy_result result = ploy_behavior_step(ploy_hsm_get(f.hsm), &f.context, &status);
            if (result == PLOY_ERR_LIMIT || result == PLOY_ERR_CAPACITY) {
                CHECK(m.runaway);
                break;
            }
            CHECK_OK(result);
            CHECK_INT(status == PLOY_STATUS_RUNNING, m.running);
            moved += log.used > 0;
            finished += !m.running;
        }
        hsm_fixture_end(&f);
    }
    CHECK(moved > test_rounds(1500) * 5); // the machines really moved
    CHECK(finished > 0);
}
