// Saved machines with inner states: charts of both policies and random ones, edited and altered.
#include "decide/decide_internal.h"
#include "ploy/decide/hsm.h"
#include "tests/decide/saved.h"

static ploy_result chart_enter(void *user, const ploy_hsm_turn *turn) {
    saved_note(turn->owner, 1000 + (uint64_t)(uintptr_t)user);
    return PLOY_OK;
}

static ploy_result chart_execute(void *user, const ploy_hsm_turn *turn) {
    saved_note(turn->owner, 2000 + (uint64_t)(uintptr_t)user);
    return PLOY_OK;
}

static void chart_exit(void *user, const ploy_hsm_turn *turn) {
    saved_note(turn->owner, 3000 + (uint64_t)(uintptr_t)user);
}

// What a state is called stands for it in the trace.
static ploy_hsm_hooks chart_hooks(const char *id) {
    ploy_hsm_hooks hooks = {chart_enter, chart_execute, chart_exit,
                            (void *)(uintptr_t)(ploy_hash_text(id) % 1000)};
    return hooks;
}

typedef struct chart_row {
    const char *id, *parent;
    ploy_hsm_kind kind;
    bool walks;
} chart_row;

static const chart_row chart_rows[][10] = {
    {{"work", "", PLOY_HSM_STATE, false},
     {"dig", "work", PLOY_HSM_STATE, true},
     {"carry", "work", PLOY_HSM_STATE, true},
     {"last", "work", PLOY_HSM_HISTORY, false},
     {"rest", "", PLOY_HSM_PARALLEL, false},
     {"eat", "rest", PLOY_HSM_STATE, false},
     {"chew", "eat", PLOY_HSM_STATE, true},
     {"gulp", "eat", PLOY_HSM_STATE, false},
     {"sing", "rest", PLOY_HSM_STATE, true},
     {"hum", "sing", PLOY_HSM_STATE, false}},
    // Other numbers; nobody digs any more, and one rests without singing.
    {{"rest", "", PLOY_HSM_PARALLEL, false},
     {"eat", "rest", PLOY_HSM_STATE, false},
     {"gulp", "eat", PLOY_HSM_STATE, false},
     {"chew", "eat", PLOY_HSM_STATE, true},
     {"drink", "rest", PLOY_HSM_STATE, false},
     {"work", "", PLOY_HSM_STATE, false},
     {"last", "work", PLOY_HSM_HISTORY, false},
     {"carry", "work", PLOY_HSM_STATE, true},
     {"haul", "work", PLOY_HSM_STATE, false},
     {NULL, NULL, PLOY_HSM_STATE, false}},
};

static const struct {
    const char *from, *on, *to;
} chart_links[] = {{"work", "next", "carry"}, {"carry", "done.invoke.carry", "dig"},
                   {"carry", "next", "work"}, {"work", "tired", "rest"},
                   {"rest", "fit", "last"},   {"chew", "done.invoke.chew", "gulp"},
                   {"gulp", "next", "chew"},  {"rest", "late", "work"}};

static ploy_result chart_done(saved_bench *bench, ploy_hsm_type *type) {
    ploy_hsm *hsm = NULL;
    ploy_result result = ploy_hsm_type_finish(type);
    if (result == PLOY_OK) result = ploy_hsm_create(type, bench, &bench->env, &hsm);
    if (result != PLOY_OK) {
        ploy_hsm_type_destroy(type);
        return result;
    }
    bench->type = type;
    bench->mind = ploy_hsm_behavior(hsm);
    return PLOY_OK;
}

static ploy_result chart_build_as(saved_bench *bench, int32_t edition, ploy_hsm_policy policy) {
    ploy_hsm_def def = ploy_hsm_def_default();
    def.policy = policy;
    def.queue = 4;
    ploy_hsm_type *type = NULL;
    ploy_result result = ploy_hsm_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    bool levels = policy == PLOY_HSM_KEEP_INNER;
    for (size_t i = 0; i < 10 && chart_rows[edition][i].id != NULL; i++) {
        const chart_row *row = &chart_rows[edition][i];
        if (levels && row->kind == PLOY_HSM_HISTORY) continue;
        ploy_hsm_hooks hooks = chart_hooks(row->id);
        (void)ploy_hsm_type_state(type, row->id, ploy_hsm_type_find(type, row->parent),
                                  levels ? PLOY_HSM_STATE : row->kind, &hooks,
                                  row->walks ? saved_walk_maker(bench) : ploy_maker_none());
    }
    // Going to rest, one sends for later, which a rule of rest answers.
    ploy_hsm_op send = {PLOY_HSM_OP_SEND, "late", "call", 2.0, {0}, NULL, NULL};
    ploy_hsm_content content = ploy_hsm_type_content(type, &send, 1);
    if (!levels) {
        (void)ploy_hsm_type_set_content(type, ploy_hsm_type_find(type, "rest"), PLOY_HSM_ON_ENTER,
                                        content);
    }
    for (size_t i = 0; i < COUNT_OF(chart_links); i++) {
        const char *name =
            levels && strcmp(chart_links[i].to, "last") == 0 ? "work" : chart_links[i].to;
        ploy_hsm_state from = ploy_hsm_type_find(type, chart_links[i].from);
        ploy_hsm_state to = ploy_hsm_type_find(type, name);
        char id[32];
        snprintf(id, sizeof id, "%s %s", chart_links[i].from, chart_links[i].on);
        if (from.number == 0 || to.number == 0) continue;
        ploy_hsm_rule rule = ploy_hsm_rule_make(id, from, chart_links[i].on, &to);
        (void)ploy_hsm_type_add(type, &rule); // finish tells of faults
    }
    return chart_done(bench, type);
}

static ploy_result chart_build(saved_bench *bench, int32_t edition) {
    return chart_build_as(bench, edition, PLOY_HSM_SCXML);
}

static ploy_result chart_build_levels(saved_bench *bench, int32_t edition) {
    return chart_build_as(bench, edition, PLOY_HSM_KEEP_INNER);
}

static void chart_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_hsm_type_destroy(bench->type);
}

static ploy_result chart_poke(saved_bench *bench, uint64_t tick) {
    static const char *const names[] = {"next", "tired", "fit", "next.but.one"};
    int32_t draw = saved_draw(bench, tick, 8, 7);
    if (draw >= (int32_t)COUNT_OF(names)) return PLOY_OK;
    ploy_hsm_event event = ploy_hsm_event_make(names[draw]);
    return ploy_hsm_send(bench->mind.self, &event);
}

// The innermost of the first region.
static const char *chart_where(const saved_bench *bench) {
    ploy_hsm_state states[32];
    int32_t count = ploy_hsm_active(bench->mind.self, states, 32);
    for (int32_t i = 0; i < count && i < 32; i++) {
        if (ploy_hsm_type_is_atomic(bench->type, states[i])) {
            return ploy_hsm_type_id(bench->type, states[i]);
        }
    }
    return "";
}

// ---- random charts: the seed draws states, kinds and rules

static ploy_result chart_build_random(saved_bench *bench, int32_t edition) {
    (void)edition;
    ploy_hsm_def def = ploy_hsm_def_default();
    def.queue = 32;
    def.changes = 40;
    ploy_hsm_type *type = NULL;
    ploy_result result = ploy_hsm_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    int32_t count = 3 + saved_draw(bench, 0, 20, 9);
    ploy_hsm_state open[16];
    int32_t depth = 0, made = 0;
    ploy_hsm_state all[32];
    for (int32_t i = 0; i < count; i++) {
        uint32_t draw = 100 + 8 * (uint32_t)i;
        while (depth > 0 && saved_draw(bench, 0, draw++, 2) == 0) depth--;
        bool leaf = saved_draw(bench, 0, draw + 1, 2) == 0 || depth > 3;
        int32_t what = saved_draw(bench, 0, draw + 2, 9);
        bool parallel = !leaf && what < 3;
        // What holds others begins with one, so that it is no empty one; in front of it a history.
        ploy_hsm_state state = depth > 0 ? open[depth - 1] : ploy_hsm_root();
        for (int32_t k = 0; k < (leaf ? 1 : 3); k++) {
            char id[16];
            snprintf(id, sizeof id, "s%d.%d", (int)i, (int)k);
            ploy_hsm_hooks hooks = chart_hooks(id);
            ploy_hsm_kind kind = k == 0 && parallel ? PLOY_HSM_PARALLEL
                                 : k == 1
                                     ? (what % 2 == 0 ? PLOY_HSM_HISTORY : PLOY_HSM_DEEP_HISTORY)
                                     : PLOY_HSM_STATE;
            bool walks = k != 1 && saved_draw(bench, 0, draw + 3, 3) == 0;
            ploy_hsm_state now = ploy_hsm_type_state(
                type, id, k == 0 ? state : open[depth - 1], kind, k == 1 ? NULL : &hooks,
                walks ? saved_walk_maker(bench) : ploy_maker_none());
            if (k == 0 && !leaf) open[depth++] = now;
            if (made < 32) all[made++] = now;
        }
    }
    static const char *const events[] = {"next", "tired", "fit", "done.invoke"};
    for (int32_t i = 0; i < 2 * count && made > 0; i++) {
        uint32_t draw = 400 + 4 * (uint32_t)i;
        ploy_hsm_state from = all[saved_draw(bench, 0, draw, made - 1)];
        ploy_hsm_state to = all[saved_draw(bench, 0, draw + 1, made - 1)];
        if (ployi_hsm_type_kind(type, from) >= PLOY_HSM_HISTORY) continue;
        char id[16];
        snprintf(id, sizeof id, "r%d", (int)i);
        ploy_hsm_rule rule =
            ploy_hsm_rule_make(id, from, events[saved_draw(bench, 0, draw + 2, 3)], &to);
        (void)ploy_hsm_type_add(type, &rule);
    }
    return chart_done(bench, type);
}

static const char *chart_nowhere(const saved_bench *bench) {
    (void)bench;
    return "";
}

static const saved_kind chart_kinds[] = {
    {"scxml", chart_build, chart_unbuild, chart_poke, chart_where, "carry", "dig", true},
    {"keep_inner", chart_build_levels, chart_unbuild, chart_poke, chart_where, "carry", "dig",
     true},
    {"random", chart_build_random, chart_unbuild, chart_poke, chart_nowhere, NULL, NULL, true},
};

TEST(a_saved_chart_goes_on_as_one_that_never_was) {
    saved_check_round_trip(t, &chart_kinds[0], test_rounds(60));
    saved_check_round_trip(t, &chart_kinds[1], test_rounds(60));
    saved_check_round_trip(t, &chart_kinds[2], test_rounds(300));
}

TEST(an_edited_chart_keeps_the_states_it_knows) {
    saved_check_edited(t, &chart_kinds[0]);
    saved_check_edited(t, &chart_kinds[1]);
}

TEST(altered_files_of_charts_are_refused_or_do_no_harm) {
    for (size_t i = 0; i < COUNT_OF(chart_kinds); i++) {
        saved_check_altered(t, &chart_kinds[i], test_rounds(100));
    }
}

TEST(loading_a_chart_survives_every_failing_allocation) {
    saved_check_fail(t, &chart_kinds[0]);
    saved_check_fail(t, &chart_kinds[1]);
}

// A row of the edited chart: at `saved` events, what goes on, what is entered, what is told.
TEST(regions_histories_and_events_that_wait_are_matched_one_by_one) {
    static const struct {
        const char *row, *events, *in, *out, *lost;
    } rows[] = {
        {"only its history is gone", "next", "carry", "rest",
         "history 'last' remembers a state that no longer exists: forgets"},
        {"the innermost is gone", "", "carry", "rest", "state 'dig' no longer exists"},
        {"a region is gone and another is new", "tired", "drink", "work",
         "state 'sing' no longer exists"},
        {"history of a state that is gone", "tired", "chew", "work",
         "history 'last' remembers a state that no longer exists: forgets"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_env env = ploy_env_default();
        saved_bench old, fresh;
        CHECK_OK(saved_open(&old, &chart_kinds[0], 0, 1, &env));
        CHECK_OK(ploy_behavior_enter(old.mind, &old.context));
        if (rows[i].events[0] != '\0') {
            ploy_hsm_event event = ploy_hsm_event_make(rows[i].events);
            CHECK_OK(ploy_hsm_send(old.mind.self, &event));
            ploy_status status;
            CHECK_OK(ploy_behavior_step(old.mind, &old.context, &status));
        }
        ploy_json *doc = saved_take(t, old.mind, &env);
        CHECK_OK(saved_open(&fresh, &chart_kinds[0], 1, 1, &env));
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(16, &env, &diags));
        CHECK_OK(ploy_behavior_load(fresh.mind, &fresh.context, doc, ploy_json_root(doc), diags));
        bool told = false;
        for (int32_t k = 0; k < ploy_diags_count(diags); k++) {
            told = told || strcmp(ploy_diags_get(diags, k)->message, rows[i].lost) == 0;
        }
        CHECK(told);
        CHECK(ploy_hsm_is_in(fresh.mind.self, rows[i].in));
        CHECK(!ploy_hsm_is_in(fresh.mind.self, rows[i].out));
        double due = 0.0;
        bool tired = strcmp(rows[i].events, "tired") == 0;
        CHECK_INT(ploy_hsm_next_due(fresh.mind.self, &due), tired);
        if (tired) CHECK_NEAR(due, 2.0, 0.0);
        ploy_diags_destroy(diags);
        ploy_json_destroy(doc);
        ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
        ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
        saved_close(&fresh, &chart_kinds[0]);
        saved_close(&old, &chart_kinds[0]);
    }
}

TEST(a_chart_of_another_policy_restarts_and_one_that_runs_is_not_loaded_over) {
    ploy_env env = ploy_env_default();
    saved_bench old, fresh;
    CHECK_OK(saved_open(&old, &chart_kinds[1], 0, 1, &env));
    CHECK_OK(saved_run(&old, &chart_kinds[1], 0, 5));
    ploy_json *doc = saved_take(t, old.mind, &env);
    CHECK_OK(saved_open(&fresh, &chart_kinds[0], 0, 1, &env));
    CHECK_INT(saved_give(t, fresh.mind, &fresh.context, doc, &env), 1);
    CHECK_TEXT(chart_where(&fresh), "dig");
    doc = saved_take(t, fresh.mind, &env);
    CHECK_INT(ploy_behavior_load(fresh.mind, &fresh.context, doc, ploy_json_root(doc), NULL),
              PLOY_ERR_STATE);
    ploy_json_destroy(doc);
    ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
    ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
    saved_close(&fresh, &chart_kinds[0]);
    saved_close(&old, &chart_kinds[1]);
}
