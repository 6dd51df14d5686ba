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

static bool switch_on(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return ((switch_rule *)user)->on;
}
static ploy_result switch_fire(const ploy_set_turn *turn) {
    ((switch_rule *)turn->data)->fired++;
    return PLOY_OK;
}
static float switch_priority(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    const ploy_set_turn *turn = moment->asker;
    return ((switch_rule *)turn->data)->priority;
}
static uint64_t switch_matched(const ploy_set_turn *turn) {
    return ((switch_rule *)turn->data)->matched;
}

static const char *const switch_names[] = {"R1", "R2", "R3"};

// The type of three rules; the caller finishes it.
static ploy_rule_set_type *make_type(test_context *t, ploy_rule_arbiter arbiter,
                                     ploy_suspension suspension, switch_rule *rules,
                                     const ploy_env *env) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = (int32_t)arbiter;
    def.suspension = (int32_t)suspension;
    def.seed = 3;
    ploy_rule_set_type *type = NULL;
    CHECK_OK(ploy_rule_set_type_create(&def, NULL, env, &type));
    ploy_conditions *conditions = ploy_rule_set_type_conditions(type);
    for (int32_t i = 0; i < 3; i++) {
        ploy_set_rule rule = ploy_set_rule_make(switch_names[i]);
        rule.condition = ploy_condition_call(conditions, switch_names[i], switch_on, &rules[i]);
        rule.clauses = i + 1;
        rule.fire = switch_fire;
        rule.priority = ploy_score_call(conditions, switch_names[i], switch_priority, NULL);
        rule.matched = switch_matched;
        rule.data = &rules[i];
        CHECK_OK(ploy_rule_set_type_add(type, &rule));
    }
    return type;
}

typedef struct switch_set {
    ploy_rule_set_type *type;
    ploy_rule_set *set;
} switch_set;

static switch_set make_set(test_context *t, ploy_rule_arbiter arbiter, ploy_suspension suspension,
                           switch_rule *rules, const ploy_env *env) {
    switch_set made = {make_type(t, arbiter, suspension, rules, env), NULL};
    CHECK_OK(ploy_rule_set_type_finish(made.type));
    CHECK_OK(ploy_rule_set_create(made.type, env, &made.set));
    return made;
}

static void drop_set(switch_set made) {
    ploy_rule_set_destroy(made.set);
    ploy_rule_set_type_destroy(made.type);
}

static void check_order(test_context *t, ploy_rule_set *set, const char *want) {
    for (; *want != '\0'; want++) {
        const char *name = NULL;
        ploy_status status = PLOY_STATUS_RUNNING;
        CHECK_OK(ploy_rule_set_step(set, NULL, &name, &status));
        char got[2] = {name == NULL ? '-' : name[1], '\0'}, one[2] = {*want, '\0'};
        CHECK_TEXT(got, one);
        CHECK_INT(status, name == NULL ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS);
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
        switch_set made = make_set(t, rows[i].arbiter, rows[i].suspension, rules, &env);
        check_order(t, made.set, rows[i].want);
        drop_set(made);
    }
}

TEST(a_change_wakes_what_waits_for_it) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{.on = true}, {.on = true}, {.on = false}};
    switch_set any = make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_CHANGE, rules, &env);
    check_order(t, any.set, "12-");
    ploy_rule_set_changed(any.set); // an unrelated change
    check_order(t, any.set, "12-");
    CHECK_OK(ploy_rule_tree_add(ploy_rule_set_items(any.set), "(Sale (health 5))"));
    check_order(t, any.set, "12-");
    switch_set own = make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_MATCH, rules, &env);
    check_order(t, own.set, "12-");
    ploy_rule_set_changed(own.set);
    check_order(t, own.set, "-");
    rules[1].matched++;
    check_order(t, own.set, "2-");
    drop_set(any);
    drop_set(own);
}

TEST(random_reaches_all_and_priority_follows_the_situation) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{.on = true}, {.on = true}, {.on = true}};
    switch_set made = make_set(t, PLOY_RULE_ARBITER_RANDOM, PLOY_SUSPEND_NEVER, rules, &env);
    for (int i = 0; i < 3000; i++) CHECK_OK(ploy_rule_set_step(made.set, NULL, NULL, NULL));
    for (int i = 0; i < 3; i++) CHECK(rules[i].fired > 850 && rules[i].fired < 1150);
    drop_set(made);
    made = make_set(t, PLOY_RULE_ARBITER_PRIORITY, PLOY_SUSPEND_NEVER, rules, &env);
    rules[2].priority = 2.0f;
    check_order(t, made.set, "3");
    rules[0].priority = 9.0f;
    check_order(t, made.set, "1");
    drop_set(made);
}

// RBS-14: a set inside a set, switched; each applies its own arbiter.
TEST(sets_are_switched_and_answer_for_their_rules) {
    ploy_env env = ploy_env_default();
    switch_rule outer_rules[3] = {{.on = false}, {.on = false}, {.on = false}};
    switch_rule inner_rules[3] = {{.on = true}, {.on = true}, {.on = false}};
    ploy_rule_set_type *outer =
        make_type(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_NEVER, outer_rules, &env);
    ploy_rule_set_type *inner =
        make_type(t, PLOY_RULE_ARBITER_LEAST_RECENT, PLOY_SUSPEND_NEVER, inner_rules, &env);
    CHECK_OK(ploy_rule_set_type_finish(inner));
    CHECK_OK(ploy_rule_set_type_add_set(outer, "moves", inner, false));
    CHECK_OK(ploy_rule_set_type_finish(outer));
    ploy_rule_set *set = NULL;
    CHECK_OK(ploy_rule_set_create(outer, &env, &set));
    check_order(t, set, "-");
    CHECK_INT(ploy_rule_set_activate(set, "mvoes", true), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_rule_set_activate(set, "moves", true));
    CHECK(ploy_rule_set_active(set, "moves"));
    check_order(t, set, "1212");
    outer_rules[2].on = true;
    check_order(t, set, "3");
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(outer);
    ploy_rule_set_type_destroy(inner);
}

// A rule may switch sets by name: game code need not.
TEST(a_rule_switches_sets) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{.on = true}, {.on = false}, {.on = false}};
    ploy_rule_set_type *near =
        make_type(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_NEVER, rules, &env);
    CHECK_OK(ploy_rule_set_type_finish(near));
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.suspension = PLOY_SUSPEND_UNTIL_MATCH;
    ploy_rule_set_type *type = NULL;
    CHECK_OK(ploy_rule_set_type_create(&def, NULL, &env, &type));
    ploy_set_rule rule = ploy_set_rule_make("S enemy is near");
    rule.pattern = "(Enemy (distance <10))";
    rule.on = "near";
    CHECK_OK(ploy_rule_set_type_add(type, &rule));
    CHECK_OK(ploy_rule_set_type_add_set(type, "near", near, false));
    CHECK_OK(ploy_rule_set_type_items(type, "(Enemy (distance 20))", NULL));
    CHECK_OK(ploy_rule_set_type_finish(type));
    ploy_rule_set *set = NULL;
    CHECK_OK(ploy_rule_set_create(type, &env, &set));
    check_order(t, set, "-");
    CHECK_OK(ploy_rule_tree_remove(ploy_rule_set_items(set), "(Enemy (distance 20))"));
    CHECK_OK(ploy_rule_tree_add(ploy_rule_set_items(set), "(Enemy (distance 5))"));
    check_order(t, set, " 11"); // "S enemy is near" switches, then R1 of the set inside
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(type);
    ploy_rule_set_type_destroy(near);
}

// RBS-05, RBS-11: rules that rewrite the items with what their patterns bound.
TEST(rules_rewrite_the_items) {
    ploy_env env = ploy_env_default();
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set_type *type = NULL;
    CHECK_OK(ploy_rule_set_type_create(&def, NULL, &env, &type));
    ploy_set_rule rule = ploy_set_rule_make("attack");
    rule.pattern = "(Currently patrolling) (Enemies ?first)";
    rule.remove = "(Currently patrolling)";
    rule.add = "(attack ?first)";
    CHECK_OK(ploy_rule_set_type_add(type, &rule));
    CHECK_OK(ploy_rule_set_type_items(
        type, "(Fuel 1500) (Enemies 42) (Enemies 21) (Currently patrolling)", NULL));
    CHECK_OK(ploy_rule_set_type_finish(type));
    ploy_rule_set *set = NULL;
    CHECK_OK(ploy_rule_set_create(type, &env, &set));
    check_order(t, set, "t-");
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_rule_tree_save(ploy_rule_set_items(set), &writer);
    CHECK_TEXT(ploy_buffer_text(&buffer), "(Fuel 1500)\n(Enemies 42)\n(Enemies 21)\n(attack 42)\n");
    ploy_buffer_fini(&buffer);
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(type);
}

TEST(a_type_refuses_what_it_cannot_hold) {
    ploy_env env = ploy_env_default();
    static const struct {
        const char *row, *first, *second, *pattern;
        ploy_result want;
    } rows[] = {
        {"fine", "a", "b", "(x 1)", PLOY_OK},
        {"two of a name", "a", "a", NULL, PLOY_ERR_EXISTS},
        {"no pattern", "a", "b", "(x 1", PLOY_ERR_FORMAT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_rule_set_def def = ploy_rule_set_def_default();
        ploy_rule_set_type *type = NULL;
        ploy_rule_set *set = NULL;
        CHECK_OK(ploy_rule_set_type_create(&def, NULL, &env, &type));
        ploy_set_rule rule = ploy_set_rule_make(rows[i].first);
        CHECK_OK(ploy_rule_set_type_add(type, &rule));
        rule.name = rows[i].second;
        rule.pattern = rows[i].pattern;
        CHECK_INT(ploy_rule_set_type_add(type, &rule), rows[i].want);
        CHECK_INT(ploy_rule_set_create(type, &env, &set), PLOY_ERR_STATE);
        CHECK_INT(ploy_rule_set_type_finish(type), rows[i].want);
        ploy_rule_set_type_destroy(type);
    }
}

static ploy_result create_set(const ploy_env *env, void *arg) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set_type *type = NULL, *inner = NULL;
    ploy_rule_set *set = NULL;
    (void)arg;
    ploy_set_rule rule = ploy_set_rule_make("a");
    rule.pattern = "(x ?y)";
    rule.remove = "(x ?y)";
    rule.add = "(z ?y)";
    ploy_result result = ploy_rule_set_type_create(&def, NULL, env, &inner);
    if (result == PLOY_OK) result = ploy_rule_set_type_add(inner, &rule);
    if (result == PLOY_OK) result = ploy_rule_set_type_finish(inner);
    if (result == PLOY_OK) result = ploy_rule_set_type_create(&def, NULL, env, &type);
    if (result == PLOY_OK) result = ploy_rule_set_type_items(type, "(x 1)", NULL);
    if (result == PLOY_OK) result = ploy_rule_set_type_add_set(type, "inner", inner, true);
    if (result == PLOY_OK) result = ploy_rule_set_type_finish(type);
    if (result == PLOY_OK) result = ploy_rule_set_create(type, env, &set);
    if (result == PLOY_OK) result = ploy_rule_set_step(set, NULL, NULL, NULL);
    ploy_rule_set_destroy(set);
    ploy_rule_set_type_destroy(type);
    ploy_rule_set_type_destroy(inner);
    return result;
}

TEST(creating_a_set_survives_short_memory) {
    CHECK_FAIL_NTH(create_set, NULL);
}

typedef struct told_rules {
    int32_t outcomes[4];
    char last[64]; // reason of the last one that was rejected
} told_rules;

static void told_begin(void *user, ploy_id agent, const char *topic, const char *text) {
    (void)user, (void)agent, (void)topic, (void)text;
}
static void told_end(void *user) {
    (void)user;
}
static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *why) {
    told_rules *told = user;
    (void)name, (void)score;
    told->outcomes[outcome]++;
    if (outcome == PLOY_OUTCOME_REJECTED) snprintf(told->last, sizeof told->last, "%s", why);
}

TEST(the_trace_names_every_rule_of_a_set) {
    ploy_env env = ploy_env_default();
    switch_rule rules[3] = {{false, 1, 0, 0}, {true, 1, 0, 0}, {true, 2, 0, 0}};
    switch_set made = make_set(t, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_CHANGE, rules, &env);
    told_rules told;
    memset(&told, 0, sizeof told);
    ploy_trace trace = {told_begin, told_option, NULL, NULL, told_end, &told};
    ploy_step_context context;
    memset(&context, 0, sizeof context);
    context.trace = &trace;
    const char *name = NULL;
    CHECK_OK(ploy_rule_set_step(made.set, &context, &name, NULL));
    CHECK_TEXT(name, "R2");
    CHECK_INT(told.outcomes[PLOY_OUTCOME_REJECTED], 1); // R1 does not hold
    CHECK_INT(told.outcomes[PLOY_OUTCOME_WON], 1);
    CHECK_INT(told.outcomes[PLOY_OUTCOME_SKIPPED], 1); // R3 was not looked at
    CHECK_TEXT(told.last, "its condition does not hold");
    memset(&told, 0, sizeof told);
    rules[2].on = false;
    CHECK_OK(ploy_rule_set_step(made.set, &context, &name, NULL)); // R2 waits for a change
    CHECK(name == NULL);
    CHECK_INT(told.outcomes[PLOY_OUTCOME_REJECTED], 3);
    drop_set(made);
}
