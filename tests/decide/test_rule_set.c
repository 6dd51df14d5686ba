// Rule sets and their arbiters: the catalog's small tables.
#include "ploy/decide/rule_set.h"

#include "tests/test.h"

// A rule that holds while its flag does; it counts its firings.
typedef struct switch_rule {
    bool on;
    float priority;
    uint64_t matched;
    int32_t fired;
} switch_rule;

static bool switch_on(void *user, void *data) {
    (void)user;
    return ((switch_rule *)data)->on;
}
static void switch_fire(void *user, void *data) {
    (void)user;
    ((switch_rule *)data)->fired++;
}
static float switch_priority(void *user, void *data) {
    (void)user;
    return ((switch_rule *)data)->priority;
}
static uint64_t switch_matched(void *user, void *data) {
    (void)user;
    return ((switch_rule *)data)->matched;
}

static const char *const switch_names[] = {"R1", "R2", "R3"};

static ploy_rule_set *make_set(test_context *t, ploy_rule_arbiter arbiter,
                               ploy_suspension suspension, switch_rule *rules,
                               const ploy_env *env) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = (int32_t)arbiter;
    def.suspension = (int32_t)suspension;
    def.seed = 3;
    ploy_rule_set *set = NULL;
    CHECK_OK(ploy_rule_set_create(&def, env, &set));
    for (int32_t i = 0; i < 3; i++) {
        ploy_set_rule rule = {switch_names[i], i + 1,          switch_on, switch_fire,
                              switch_priority, switch_matched, &rules[i]};
        CHECK_OK(ploy_rule_set_add(set, &rule));
    }
    return set;
}

static void check_order(test_context *t, ploy_rule_set *set, const char *want) {
    for (; *want != '\0'; want++) {
        const char *name = ploy_rule_set_step(set, NULL);
        char got[2] = {name == NULL ? '-' : name[1], '\0'}, one[2] = {*want, '\0'};
        CHECK_TEXT(got, one);
    }
}

// RBS-06 to RBS-10.
TEST(arbiters_choose_as_the_catalog_says) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row;
        ploy_rule_arbiter arbiter;
        ploy_suspension suspension;
        bool on[3];
        const char *want;
    } rows[] = {
        {"first fires for ever",
         PLOY_RULE_ARBITER_FIRST,
         PLOY_SUSPEND_NEVER,
         {true, true, false},
         "111"},
        {"suspended",
         PLOY_RULE_ARBITER_FIRST,
         PLOY_SUSPEND_UNTIL_CHANGE,
         {true, true, false},
         "12-"},
        {"suspended by match",
         PLOY_RULE_ARBITER_FIRST,
         PLOY_SUSPEND_UNTIL_MATCH,
         {true, true, false},
         "12-"},
        {"least recent",
         PLOY_RULE_ARBITER_LEAST_RECENT,
         PLOY_SUSPEND_NEVER,
         {true, true, true},
         "1231"},
        {"specific", PLOY_RULE_ARBITER_SPECIFIC, PLOY_SUSPEND_NEVER, {true, true, false}, "22"},
        {"nothing holds",
         PLOY_RULE_ARBITER_RANDOM,
         PLOY_SUSPEND_NEVER,
         {false, false, false},
         "--"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        switch_rule rules[3];
        memset(rules, 0, sizeof rules);
        for (int k = 0; k < 3; k++) rules[k].on = rows[i].on[k];
        ploy_rule_set *set = make_set(t, rows[i].arbiter, rows[i].suspension, rules, &env);
        check_order(t, set, rows[i].want);
        ploy_rule_set_destroy(set);
    }
}

TEST(a_change_wakes_what_waits_for_it) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{.on = true}, {.on = true}, {.on = false}};
    ploy_rule_set *any =
        make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_CHANGE, rules, &env);
    check_order(t, any, "12-");
    ploy_rule_set_changed(any); // an unrelated change
    check_order(t, any, "12-");
    ploy_rule_set *own =
        make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_MATCH, rules, &env);
    check_order(t, own, "12-");
    ploy_rule_set_changed(own);
    check_order(t, own, "-");
    rules[1].matched++;
    check_order(t, own, "2-");
    ploy_rule_set_destroy(any);
    ploy_rule_set_destroy(own);
}

TEST(random_reaches_all_and_priority_follows_the_situation) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{.on = true}, {.on = true}, {.on = true}};
    ploy_rule_set *set = make_set(t, PLOY_RULE_ARBITER_RANDOM, PLOY_SUSPEND_NEVER, rules, &env);
    for (int i = 0; i < 3000; i++) CHECK(ploy_rule_set_step(set, NULL) != NULL);
    for (int i = 0; i < 3; i++) CHECK(rules[i].fired > 850 && rules[i].fired < 1150);
    ploy_rule_set_destroy(set);
    set = make_set(t, PLOY_RULE_ARBITER_PRIORITY, PLOY_SUSPEND_NEVER, rules, &env);
    rules[2].priority = 2.0f;
    check_order(t, set, "3");
    rules[0].priority = 9.0f;
    check_order(t, set, "1");
    ploy_rule_set_destroy(set);
}

// RBS-14: a set inside a set, switched; each applies its own arbiter.
TEST(sets_are_switched_and_answer_for_their_rules) {
    ploy_env env = ploy_env_default();
    switch_rule outer_rules[3] = {{.on = false}, {.on = false}, {.on = false}};
    switch_rule inner_rules[3] = {{.on = true}, {.on = true}, {.on = false}};
    ploy_rule_set *outer =
        make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_NEVER, outer_rules, &env);
    ploy_rule_set *inner =
        make_set(t, PLOY_RULE_ARBITER_LEAST_RECENT, PLOY_SUSPEND_NEVER, inner_rules, &env);
    CHECK_OK(ploy_rule_set_add_set(outer, inner, false));
    CHECK_INT(ploy_rule_set_add_set(inner, outer, true), PLOY_ERR_ARGUMENT);
    check_order(t, outer, "-");
    ploy_rule_set_activate(inner, true);
    check_order(t, outer, "1212");
    outer_rules[2].on = true;
    check_order(t, outer, "3");
    ploy_rule_set_destroy(inner);
    ploy_rule_set_destroy(outer);
}

static ploy_result create_set(const ploy_env *env, void *arg) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set *set = NULL;
    (void)arg;
    ploy_result result = ploy_rule_set_create(&def, env, &set);
    ploy_rule_set_destroy(set);
    return result;
}

TEST(creating_a_set_survives_short_memory) {
    CHECK_FAIL_NTH(create_set, NULL);
}
