// Rules at work: the network against a matcher that tries everything, the catalog's examples, truth
// maintenance, strategies, memory.
#include "decide/decide_internal.h"
#include "ploy/decide/rules.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

// ---- A rule small enough to be tried out by loops -----------------------------------------------

enum { NAIVE_CES = 3, NAIVE_FIELDS = 2, NAIVE_RELATIONS = 3, NAIVE_VALUES = 3, NAIVE_RULES = 4 };

// A field: below 0 a variable (-1, -2, -3), else a value; 100 anything, 200 + v anything but v.
typedef struct naive_pattern {
    int32_t relation;
    int32_t fields[NAIVE_FIELDS];
} naive_pattern;

// A negation or existence may hold two patterns, the second one negated or not.
typedef struct naive_ce {
    ploy_rule_ce_kind kind;
    int32_t count;
    bool inner_not;
    naive_pattern patterns[2];
} naive_ce;

typedef struct naive_rule {
    naive_ce ces[NAIVE_CES];
    int32_t count;
} naive_rule;

static const char *const naive_variables[] = {"a", "b", "c"};

static bool naive_fits(const naive_pattern *pattern, const ploy_fact *fact, int64_t *bound,
                       bool *has) {
    if (ploy_fact_template(fact) != pattern->relation) return false;
    ploy_rule_value fields = ploy_fact_slot(fact, 0);
    if (fields.count != NAIVE_FIELDS) return false;
    for (int32_t i = 0; i < NAIVE_FIELDS; i++) {
        int64_t value = fields.as.items[i].as.integer;
        int32_t want = pattern->fields[i];
        if (want == 100) continue;
        if (want >= 200) {
            if (value == want - 200) return false;
        } else if (want >= 0) {
            if (value != want) return false;
        } else if (has[-1 - want]) {
            if (bound[-1 - want] != value) return false;
        } else {
            has[-1 - want] = true;
            bound[-1 - want] = value;
        }
    }
    return true;
}

// Sums up all matches of a rule: how many, and a hash that does not depend on their order.
typedef struct naive_sum {
    int64_t count;
    uint64_t hash;
} naive_sum;

static void naive_add(void *user, ploy_fact *const *facts, int32_t count) {
    naive_sum *sum = user;
    uint64_t hash = 5;
    for (int32_t i = 0; i < count; i++) {
        uint64_t index = facts[i] == NULL ? 7 : (uint64_t)ploy_fact_index(facts[i]) + 100;
        hash = (hash ^ index) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    sum->count++;
    sum->hash += hash;
}

// True if the patterns of a negation or existence from the k-th on have a match.
static bool naive_any(const ploy_rules *rules, const naive_ce *ce, int32_t k, const int64_t *bound,
                      const bool *has) {
    if (k == ce->count || k >= 2) return true;
    bool negated = k == 1 && ce->inner_not;
    for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(rules, fact)) {
        int64_t next_bound[3] = {bound[0], bound[1], bound[2]};
        bool next_has[3] = {has[0], has[1], has[2]};
        if (!naive_fits(&ce->patterns[k], fact, next_bound, next_has)) continue;
        if (negated) return false;
        if (naive_any(rules, ce, k + 1, next_bound, next_has)) return true;
    }
    return negated;
}

static void naive_match(const ploy_rules *rules, const naive_rule *rule, int32_t at,
                        const int64_t *bound, const bool *has, ploy_fact **facts, naive_sum *sum) {
    if (at == rule->count) {
        naive_add(sum, facts, at);
        return;
    }
    const naive_ce *ce = &rule->ces[at];
    if (ce->kind != PLOY_RULE_PATTERN) {
        if (naive_any(rules, ce, 0, bound, has) == (ce->kind == PLOY_RULE_NOT)) return;
        facts[at] = NULL;
        naive_match(rules, rule, at + 1, bound, has, facts, sum);
        return;
    }
    for (ploy_fact *fact = ploy_rules_next_fact(rules, NULL); fact != NULL;
         fact = ploy_rules_next_fact(rules, fact)) {
        int64_t next_bound[3] = {bound[0], bound[1], bound[2]};
        bool next_has[3] = {has[0], has[1], has[2]};
        if (!naive_fits(&ce->patterns[0], fact, next_bound, next_has)) continue;
        facts[at] = fact;
        naive_match(rules, rule, at + 1, next_bound, next_has, facts, sum);
    }
}

// What a pattern is made of while the rule is added.
typedef struct naive_parts {
    ploy_rule_constraint constraints[NAIVE_FIELDS];
    ploy_rule_field fields[NAIVE_FIELDS];
    ploy_rule_slot_pattern slot;
    ploy_rule_ce ce, negation;
} naive_parts;

static void naive_make(naive_parts *parts, const naive_pattern *pattern) {
    memset(parts, 0, sizeof *parts);
    for (int32_t k = 0; k < NAIVE_FIELDS; k++) {
        int32_t want = pattern->fields[k];
        parts->constraints[k].kind = PLOY_RULE_IS;
        parts->constraints[k].high = ploy_rule_none();
        parts->constraints[k].negated = want >= 200;
        parts->constraints[k].value = ploy_rule_integer(want >= 200 ? want - 200 : want);
        if (want < 0) parts->fields[k].variable = naive_variables[-1 - want];
        if (want < 0 || want == 100) continue;
        parts->fields[k].constraints = &parts->constraints[k];
        parts->fields[k].constraint_count = 1;
    }
    parts->slot.fields = parts->fields;
    parts->slot.field_count = NAIVE_FIELDS;
    parts->ce.kind = PLOY_RULE_PATTERN;
    parts->ce.template_index = pattern->relation;
    parts->ce.slots = &parts->slot;
    parts->ce.slot_count = 1;
    parts->negation.kind = PLOY_RULE_NOT;
    parts->negation.items = &parts->ce;
    parts->negation.item_count = 1;
}

static ploy_result naive_build(ploy_rulebase *base, const naive_rule *rule, const char *name) {
    naive_parts parts[NAIVE_CES][2];
    ploy_rule_ce ces[NAIVE_CES], groups[NAIVE_CES][2];
    memset(ces, 0, sizeof ces);
    for (int32_t i = 0; i < rule->count; i++) {
        const naive_ce *ce = &rule->ces[i];
        for (int32_t k = 0; k < ce->count; k++) {
            naive_make(&parts[i][k], &ce->patterns[k]);
            groups[i][k] = k == 1 && ce->inner_not ? parts[i][k].negation : parts[i][k].ce;
        }
        ces[i].kind = ce->kind;
        ces[i].items = groups[i];
        ces[i].item_count = ce->count;
        if (ce->kind == PLOY_RULE_PATTERN) ces[i] = parts[i][0].ce;
    }
    ploy_rule_def def = {.name = name};
    def.lhs.kind = PLOY_RULE_AND;
    def.lhs.items = ces;
    def.lhs.item_count = rule->count;
    return ploy_rulebase_add_rule(base, &def, NULL, NULL, NULL);
}

static void naive_draw(ploy_rng *rng, naive_rule *rule) {
    static const ploy_rule_ce_kind kinds[] = {PLOY_RULE_PATTERN, PLOY_RULE_PATTERN, PLOY_RULE_NOT,
                                              PLOY_RULE_EXISTS};
    rule->count = ploy_rng_int(rng, 1, NAIVE_CES);
    for (int32_t i = 0; i < rule->count; i++) {
        naive_ce *ce = &rule->ces[i];
        ce->kind = kinds[ploy_rng_int(rng, 0, 3)];
        ce->count = ce->kind == PLOY_RULE_PATTERN ? 1 : ploy_rng_int(rng, 1, 2);
        ce->inner_not = ploy_rng_int(rng, 0, 1) == 1;
        for (int32_t n = 0; n < ce->count * NAIVE_FIELDS; n++) {
            naive_pattern *pattern = &ce->patterns[n / NAIVE_FIELDS];
            int32_t draw = ploy_rng_int(rng, 0, 9);
            pattern->relation = ploy_rng_int(rng, 0, NAIVE_RELATIONS - 1);
            pattern->fields[n % NAIVE_FIELDS] = draw < 2   ? ploy_rng_int(rng, 0, NAIVE_VALUES - 1)
                                                : draw < 3 ? 100
                                                : draw < 4
                                                    ? 200 + ploy_rng_int(rng, 0, NAIVE_VALUES - 1)
                                                    : -1 - ploy_rng_int(rng, 0, 2);
        }
    }
}

static ploy_result make_relations(ploy_rulebase *base) {
    static const char *const names[NAIVE_RELATIONS] = {"p", "q", "r"};
    for (int32_t i = 0; i < NAIVE_RELATIONS; i++) {
        ploy_result result = ploy_rulebase_add_relation(base, names[i], NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static ploy_result assert_numbers(ploy_rules *rules, int32_t relation, int64_t a, int64_t b,
                                  ploy_fact **out) {
    ploy_rule_value fields[2] = {ploy_rule_integer(a), ploy_rule_integer(b)};
    return ploy_rules_assert_ordered(rules, relation, fields, 2, out);
}

// RBS-11, RBS-12, RBS-13: after any stream of changes the matches are those of the loops, and
// taking everything out leaves nothing behind.
TEST(the_network_finds_what_trying_everything_finds) {
    int64_t rounds = test_rounds(60);
    for (int64_t round = 0; round < rounds; round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ploy_rulebase *base = NULL;
        ploy_rules *rules = NULL;
        naive_rule forms[NAIVE_RULES];
        CHECK_OK(ploy_rulebase_create(&env, &base));
        CHECK_OK(make_relations(base));
        int32_t early = ploy_rng_int(&rng, 0, NAIVE_RULES); // the others come when facts are there
        for (int32_t i = 0; i < early; i++) {
            naive_draw(&rng, &forms[i]);
            CHECK_OK(naive_build(base, &forms[i], "early"));
        }
        ploy_rules_def def = ploy_rules_def_default();
        CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
        int32_t known = early;
        for (int32_t step = 0; step < 40; step++) {
            if (ploy_rng_int(&rng, 0, 2) > 0) {
                ploy_result result =
                    assert_numbers(rules, ploy_rng_int(&rng, 0, 2), ploy_rng_int(&rng, 0, 2),
                                   ploy_rng_int(&rng, 0, 2), NULL);
                CHECK(result == PLOY_OK || result == PLOY_ERR_EXISTS);
            } else {
                ploy_fact *fact = ploy_rules_find_fact(rules, ploy_rng_int(&rng, 0, step));
                if (fact != NULL) CHECK_OK(ploy_rules_retract(rules, fact));
            }
            if (known < NAIVE_RULES && ploy_rng_int(&rng, 0, 4) == 0) {
                naive_draw(&rng, &forms[known]);
                CHECK_OK(naive_build(base, &forms[known], "late"));
                CHECK_OK(ploy_rules_extend(rules));
                known++;
            }
            for (int32_t i = 0; i < known; i++) {
                naive_sum want = {0, 0}, got = {0, 0};
                int64_t bound[3] = {0, 0, 0};
                bool has[3] = {false, false, false};
                ploy_fact *facts[NAIVE_CES];
                naive_match(rules, &forms[i], 0, bound, has, facts, &want);
                ployi_rules_matches(rules, i, naive_add, &got);
                CHECK_INT(got.count, want.count);
                CHECK_UINT(got.hash, want.hash);
            }
        }
        while (ploy_rules_next_fact(rules, NULL) != NULL) {
            CHECK_OK(ploy_rules_retract(rules, ploy_rules_next_fact(rules, NULL)));
        }
        ploy_rules_size size = ployi_rules_size_of(rules);
        CHECK_INT(size.matches, 0);
        // Only what negations alone make is left, and that is what an empty memory has.
        ploy_rules *empty = NULL;
        CHECK_OK(ploy_rules_create(&def, base, &env, &empty));
        CHECK_INT(size.tokens, ployi_rules_size_of(empty).tokens);
        ploy_rules_destroy(empty);
        ploy_rules_destroy(rules);
        ploy_rulebase_destroy(base);
    }
}

typedef struct stage_text {
    char bytes[256];
    int32_t matches;
} stage_text;

static void add_stage(void *user, const ploy_rule_stage *stage, ploy_fact *const *facts,
                      int32_t count) {
    stage_text *text = user;
    size_t used = strlen(text->bytes);
    if (count < 0) {
        snprintf(text->bytes + used, sizeof text->bytes - used, "[%d %s]", stage->pattern,
                 stage->label == NULL ? "" : stage->label);
    } else {
        text->matches++;
        for (int32_t i = 0; i < count; i++) {
            used = strlen(text->bytes);
            snprintf(text->bytes + used, sizeof text->bytes - used, " %d",
                     facts[i] == NULL ? -1 : (int)ploy_fact_index(facts[i]));
        }
    }
}

// Where the matches end is the condition that keeps the rule from firing.
TEST(the_stages_tell_how_far_a_rule_is_matched) {
    // p(a, any) and not (q(a, any) and r(any, any)) and q(a, 2)
    static const naive_rule form = {{{PLOY_RULE_PATTERN, 1, false, {{0, {-1, 100}}}},
                                     {PLOY_RULE_NOT, 2, false, {{1, {-1, 100}}, {2, {100, 100}}}},
                                     {PLOY_RULE_PATTERN, 1, false, {{1, {-1, 2}}}}},
                                    3};
    ploy_env env = ploy_env_default();
    ploy_rulebase *base = NULL;
    ploy_rules *rules = NULL;
    CHECK_OK(ploy_rulebase_create(&env, &base));
    CHECK_OK(make_relations(base));
    CHECK_OK(naive_build(base, &form, "rule"));
    ploy_rules_def def = ploy_rules_def_default();
    CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
    CHECK_OK(assert_numbers(rules, 0, 7, 1, NULL)); // f-0
    CHECK_OK(assert_numbers(rules, 1, 7, 2, NULL)); // f-1
    stage_text text = {"", 0};
    ploy_rules_stages(rules, 0, add_stage, &text);
    CHECK_TEXT(text.bytes, "[1 ] 0[2 ] 1[3 ][4 ] 1[0 1 - 2] 0 1[0 1 - 3]"
                           "[0 1 (P1) , 2 (P2 - P3)] 0 -1[0 1 (P1) , 2 (P2 - P3) , 3 (P4)] 0 -1 1");
    CHECK_OK(assert_numbers(rules, 2, 1, 1, NULL)); // f-2 completes the group
    memset(&text, 0, sizeof text);
    ploy_rules_stages(rules, 0, add_stage, &text);
    CHECK_TEXT(text.bytes, "[1 ] 0[2 ] 1[3 ] 2[4 ] 1[0 1 - 2] 0 1[0 1 - 3] 0 1 2"
                           "[0 1 (P1) , 2 (P2 - P3)][0 1 (P1) , 2 (P2 - P3) , 3 (P4)]");
    memset(&text, 0, sizeof text);
    ploy_rules_stages(rules, 1, add_stage, &text); // there is no such rule
    CHECK_TEXT(text.bytes, "");
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

// ---- The catalog's network ----------------------------------------------------------------------

// Rules as tables: a pattern is (relation, person variable or name, kind of second field).
typedef struct squad_test {
    ploy_rulebase *base;
    ploy_rules *rules;
    int32_t health, held, covers;
    ploy_rule_value names[5]; // Captain, Johnson, Sale, Whisker, radio
} squad_test;

static ploy_rule_ce squad_pattern(int32_t relation, const ploy_rule_field *fields,
                                  ploy_rule_slot_pattern *slot) {
    ploy_rule_ce ce;
    memset(&ce, 0, sizeof ce);
    memset(slot, 0, sizeof *slot);
    slot->fields = fields;
    slot->field_count = 2;
    ce.kind = PLOY_RULE_PATTERN;
    ce.template_index = relation;
    ce.slots = slot;
    ce.slot_count = 1;
    return ce;
}

static void squad_add(test_context *t, squad_test *squad, int32_t relation, int32_t who,
                      ploy_rule_value what) {
    ploy_rule_value fields[2] = {squad->names[who], what};
    CHECK_OK(ploy_rules_assert_ordered(squad->rules, relation, fields, 2, NULL));
}

static void squad_remove(test_context *t, squad_test *squad, int32_t who) {
    for (ploy_fact *fact = ploy_rules_next_of(squad->rules, squad->health, NULL); fact != NULL;
         fact = ploy_rules_next_of(squad->rules, squad->health, fact)) {
        ploy_rule_value fields = ploy_fact_slot(fact, 0);
        if (!ploy_rule_equal(&fields.as.items[0], &squad->names[who])) continue;
        CHECK_OK(ploy_rules_retract(squad->rules, fact));
        return;
    }
    CHECK(false);
}

static void squad_open(test_context *t, squad_test *squad, const ploy_env *env) {
    static const char *const people[] = {"Captain", "Johnson", "Sale", "Whisker", "radio"};
    CHECK_OK(ploy_rulebase_create(env, &squad->base));
    CHECK_OK(ploy_rulebase_add_relation(squad->base, "health", &squad->health));
    CHECK_OK(ploy_rulebase_add_relation(squad->base, "held-by", &squad->held));
    CHECK_OK(ploy_rulebase_add_relation(squad->base, "covers", &squad->covers));
    for (int32_t i = 0; i < 5; i++) {
        ploy_name name;
        CHECK_OK(ploy_rulebase_text(squad->base, people[i], &name));
        squad->names[i] = ploy_rule_symbol(name);
    }
    ploy_rule_constraint low = {.kind = PLOY_RULE_RANGE, .strict = true};
    low.value = ploy_rule_none();
    low.high = ploy_rule_integer(15);
    ploy_rule_constraint high = {.kind = PLOY_RULE_RANGE, .strict = true};
    high.value = ploy_rule_integer(45);
    high.high = ploy_rule_none();
    ploy_rule_constraint radio = {.kind = PLOY_RULE_IS, .value = squad->names[4]};
    radio.high = ploy_rule_none();
    ploy_rule_field low_fields[2] = {{.variable = "p1"},
                                     {.constraints = &low, .constraint_count = 1}};
    ploy_rule_field high_fields[2] = {{.variable = "p2"},
                                      {.constraints = &high, .constraint_count = 1}};
    ploy_rule_field radio_fields[2] = {{.constraints = &radio, .constraint_count = 1},
                                       {.variable = "p1"}};
    ploy_rule_field cover_fields[2] = {{.variable = "p2"}, {.variable = "p1"}};
    ploy_rule_slot_pattern slots[4];
    ploy_rule_ce swap[3] = {squad_pattern(squad->health, low_fields, &slots[0]),
                            squad_pattern(squad->health, high_fields, &slots[1]),
                            squad_pattern(squad->held, radio_fields, &slots[2])};
    ploy_rule_ce backup[3] = {swap[0], swap[1],
                              squad_pattern(squad->covers, cover_fields, &slots[3])};
    ploy_rule_def def = {.name = "swap-radio"};
    def.lhs.kind = PLOY_RULE_AND;
    def.lhs.items = swap;
    def.lhs.item_count = 3;
    CHECK_OK(ploy_rulebase_add_rule(squad->base, &def, NULL, NULL, NULL));
    def.name = "change-backup";
    def.lhs.items = backup;
    CHECK_OK(ploy_rulebase_add_rule(squad->base, &def, NULL, NULL, NULL));
    ploy_rules_def rules_def = ploy_rules_def_default();
    CHECK_OK(ploy_rules_create(&rules_def, squad->base, env, &squad->rules));
    static const int32_t health[] = {57, 38, 42, 12};
    for (int32_t i = 0; i < 4; i++)
        squad_add(t, squad, squad->health, i, ploy_rule_integer(health[i]));
    squad_add(t, squad, squad->covers, 0, squad->names[1]);
    squad_add(t, squad, squad->covers, 3, squad->names[2]);
    squad_add(t, squad, squad->held, 4, squad->names[3]);
}

// RBS-12: four pattern nodes, two of them shared, joins A, B and C; only the radio is swapped.
// RBS-13: then Whisker recovers and Sale is hit, and only the backup changes.
TEST(the_catalogs_network_shares_nodes_and_follows_changes) {
    ploy_env env = ploy_env_default();
    squad_test squad;
    squad_open(t, &squad, &env);
    ploy_rulebase_size size = ployi_rulebase_size_of(squad.base);
    CHECK_INT(size.memories, 4);
    CHECK_INT(size.joins, 1 + 3 + 2); // low, A, B, C and the two ends
    naive_sum swap = {0, 0}, backup = {0, 0};
    ployi_rules_matches(squad.rules, 0, naive_add, &swap);
    ployi_rules_matches(squad.rules, 1, naive_add, &backup);
    CHECK_INT(swap.count, 1);
    CHECK_INT(backup.count, 0);
    squad_remove(t, &squad, 3);
    squad_remove(t, &squad, 2);
    CHECK_INT(ploy_rules_activation_count(squad.rules), 0);
    squad_add(t, &squad, squad.health, 3, ploy_rule_integer(62));
    squad_add(t, &squad, squad.health, 2, ploy_rule_integer(5));
    ploy_rule_activation activation = {0, 0, NULL};
    CHECK(ploy_rules_next_activation(squad.rules, 0, &activation));
    CHECK_TEXT(ploy_rulebase_rule_name(squad.base, activation.rule), "change-backup");
    ploy_rule_value who = ploy_fact_slot(ploy_rules_activation_fact(&activation, 0), 0);
    CHECK(ploy_rule_equal(&who.as.items[0], &squad.names[2]));
    CHECK(!ploy_rules_next_activation(squad.rules, 0, &activation));
    ploy_rules_destroy(squad.rules);
    ploy_rulebase_destroy(squad.base);
}

// ---- Comparisons --------------------------------------------------------------------------------

typedef struct pair_test {
    int32_t pairs, calls;
} pair_test;

static ploy_rule_value pair_call(const ploy_rule_frame *frame, const void *data) {
    pair_test *it = ploy_rule_frame_user(frame);
    ploy_rule_value a = ploy_rule_frame_get(frame, 0), b = ploy_rule_frame_get(frame, 1);
    (void)data;
    it->calls++;
    return ploy_rule_symbol(ploy_name_of(a.as.integer < b.as.integer ? "TRUE" : "FALSE"));
}

// Compares odd ends by itself and has the call compare the even ones.
static bool pair_quick(void *user, const ploy_rule_value *a, const ploy_rule_value *b,
                       bool *holds) {
    if (b->as.integer % 2 == 0) return false;
    ((pair_test *)user)->pairs++;
    *holds = a->as.integer < b->as.integer;
    return true;
}

static void pair_count(void *user, ploy_fact *const *facts, int32_t count) {
    (void)facts, (void)count;
    ++*(int32_t *)user;
}

// RBS-11, RBS-17: variables are compared directly where the game has a quick form, by the call where
// it leaves that to it, and with the same matches as by calls alone.
TEST(comparisons_of_variables_find_what_calls_find) {
    enum { PAIR_FACTS = 12 };
    ploy_env env = ploy_env_default();
    for (int32_t place = 0; place < 3; place++) { // of a field, negated; as a test behind it
        for (uint64_t seed = 1; seed <= 20; seed++) {
            TEST_SEED(seed);
            static const char *const names[] = {"x", "y"};
            pair_test it = {0, 0};
            ploy_rulebase *base = NULL;
            ploy_rules *rules = NULL;
            int32_t relation[2];
            CHECK_OK(ploy_rulebase_create(&env, &base));
            CHECK_OK(ploy_rulebase_add_relation(base, "p", &relation[0]));
            CHECK_OK(ploy_rulebase_add_relation(base, "q", &relation[1]));
            for (int32_t quick = 0; quick < 2; quick++) { // rule 0 by calls, rule 1 quickly
                ploy_rule_constraint less = {.kind = PLOY_RULE_HOLDS, .negated = place == 1};
                less.value = less.high = ploy_rule_none();
                less.call.fn = pair_call;
                less.call.pair = quick == 1 ? pair_quick : NULL;
                less.call.key = 7; // equal keys: the quick form alone tells the tests apart
                less.call.variables = names;
                less.call.variable_count = 2;
                ploy_rule_field fields[2][2] = {
                    {{.variable = "x"}, {.multi = false}},
                    {{.variable = "y", .constraints = &less, .constraint_count = place < 2},
                     {.multi = false}}};
                ploy_rule_slot_pattern slots[2] = {{0, fields[0], 2}, {0, fields[1], 2}};
                ploy_rule_ce items[3];
                memset(items, 0, sizeof items);
                for (int32_t i = 0; i < 2; i++) {
                    items[i].kind = PLOY_RULE_PATTERN;
                    items[i].template_index = relation[i];
                    items[i].slots = &slots[i];
                    items[i].slot_count = 1;
                }
                items[2].kind = PLOY_RULE_TEST;
                items[2].call = less.call;
                ploy_rule_def def = {.name = quick == 1 ? "quick" : "called"};
                def.lhs.kind = PLOY_RULE_AND;
                def.lhs.items = items;
                def.lhs.item_count = place == 2 ? 3 : 2;
                CHECK_OK(ploy_rulebase_add_rule(base, &def, NULL, NULL, NULL));
            }
            ploy_rules_def def = ploy_rules_def_default();
            def.user = &it;
            CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
            ploy_rng rng = ploy_rng_make(seed);
            int64_t values[2][PAIR_FACTS];
            for (int32_t i = 0; i < PAIR_FACTS; i++) {
                for (int32_t k = 0; k < 2; k++) {
                    values[k][i] = (int64_t)ploy_rng_below(&rng, 20);
                    CHECK_OK(assert_numbers(rules, relation[k], values[k][i], i, NULL));
                }
            }
            int32_t want = 0, odd = 0;
            for (int32_t i = 0; i < PAIR_FACTS; i++) {
                for (int32_t k = 0; k < PAIR_FACTS; k++) {
                    want += (values[0][i] < values[1][k]) != (place == 1);
                    odd += values[1][k] % 2 != 0;
                }
            }
            for (int32_t rule = 0; rule < 2; rule++) {
                int32_t found = 0;
                ployi_rules_matches(rules, rule, pair_count, &found);
                CHECK_INT(found, want);
            }
            CHECK_INT(it.pairs, odd);
            CHECK_INT(it.calls, 2 * PAIR_FACTS * PAIR_FACTS - odd);
            ploy_rules_destroy(rules);
            ploy_rulebase_destroy(base);
        }
    }
}

// ---- Firing -------------------------------------------------------------------------------------

typedef struct chain_test {
    int32_t relation;
    int64_t fired[16];
    int32_t count;
    bool logical;
} chain_test;

// "If (p n 0) then (p n+1 0)", up to ten.
static ploy_result chain_action(void *user, ploy_rules *rules, int32_t rule) {
    chain_test *chain = user;
    (void)rule;
    ploy_rule_value n = ploy_rules_variable(rules, 0);
    if (chain->count < 16) chain->fired[chain->count++] = n.as.integer;
    if (n.as.integer >= 10) return PLOY_OK;
    ploy_result result = assert_numbers(rules, chain->relation, n.as.integer + 1, 0, NULL);
    return result == PLOY_ERR_EXISTS ? PLOY_OK : result;
}

static ploy_result chain_open(chain_test *chain, const ploy_env *env, bool audit,
                              ploy_rulebase **base, ploy_rules **rules) {
    *base = NULL;
    *rules = NULL;
    memset(chain->fired, 0, sizeof chain->fired);
    chain->count = 0;
    ploy_result result = ploy_rulebase_create(env, base);
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(*base, "p", &chain->relation);
    ploy_rule_field fields[2] = {{.variable = "n"}, {.multi = false}};
    ploy_rule_slot_pattern slot = {0, fields, 2};
    ploy_rule_ce ce = {.kind = PLOY_RULE_PATTERN,
                       .template_index = chain->relation,
                       .slots = &slot,
                       .slot_count = 1};
    ploy_rule_def def = {.name = "count"};
    def.lhs.kind = chain->logical ? PLOY_RULE_LOGICAL : PLOY_RULE_AND;
    def.lhs.items = &ce;
    def.lhs.item_count = 1;
    if (result == PLOY_OK) result = ploy_rulebase_add_rule(*base, &def, NULL, NULL, NULL);
    ploy_rules_def rules_def = ploy_rules_def_default();
    rules_def.action = chain_action;
    rules_def.user = chain;
    rules_def.audit = audit;
    if (result == PLOY_OK) result = ploy_rules_create(&rules_def, *base, env, rules);
    return result;
}

// RBS-01: forward chaining; a budget counts firings.
TEST(a_step_fires_as_many_as_its_budget) {
    ploy_env env = ploy_env_default();
    chain_test chain = {.logical = false};
    ploy_rulebase *base;
    ploy_rules *rules;
    CHECK_OK(chain_open(&chain, &env, false, &base, &rules));
    CHECK_OK(assert_numbers(rules, chain.relation, 1, 0, NULL));
    ploy_budget budget = ploy_budget_units(4);
    CHECK_INT(ploy_rules_step(rules, &budget, NULL), PLOY_IN_PROGRESS);
    CHECK_INT(chain.count, 4);
    CHECK_OK(ploy_rules_step(rules, NULL, NULL));
    CHECK_INT(chain.count, 10);
    CHECK_INT(chain.fired[9], 10);
    CHECK_INT(ploy_rules_fact_count(rules), 10);
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

TEST(what_hangs_on_a_fact_goes_with_it) {
    ploy_env env = ploy_env_default();
    chain_test chain = {.logical = true};
    ploy_rulebase *base;
    ploy_rules *rules;
    ploy_fact *first = NULL;
    CHECK_OK(chain_open(&chain, &env, false, &base, &rules));
    CHECK_OK(assert_numbers(rules, chain.relation, 1, 0, &first));
    CHECK_OK(ploy_rules_step(rules, NULL, NULL));
    CHECK_INT(ploy_rules_fact_count(rules), 10);
    // One of them said from outside stands on its own, and so does what follows from it.
    CHECK_INT(assert_numbers(rules, chain.relation, 6, 0, NULL), PLOY_ERR_EXISTS);
    CHECK_OK(ploy_rules_retract(rules, first));
    CHECK_INT(ploy_rules_fact_count(rules), 5);
    CHECK_INT(ploy_rules_retract(rules, first), PLOY_ERR_NOT_FOUND);
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

// RBS-15: down to what came from outside.
TEST(why_tells_the_rule_and_the_facts) {
    ploy_env env = ploy_env_default();
    chain_test chain = {.logical = false};
    ploy_rulebase *base;
    ploy_rules *rules;
    CHECK_OK(chain_open(&chain, &env, true, &base, &rules));
    CHECK_OK(assert_numbers(rules, chain.relation, 8, 0, NULL));
    CHECK_OK(ploy_rules_step(rules, NULL, NULL));
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&text);
    CHECK_OK(ploy_rules_why(rules, 2, &writer));
    CHECK_TEXT(ploy_buffer_text(&text), "f-2 (p 10 0) from rule count, firing 2, with ?n = 9\n"
                                        "  f-1 (p 9 0) from rule count, firing 1, with ?n = 8\n"
                                        "    f-0 (p 8 0) from outside\n");
    CHECK_INT(ploy_rules_why(rules, 3, &writer), PLOY_ERR_NOT_FOUND);
    int32_t rule = -2;
    int64_t basis[4];
    CHECK_INT(ploy_rules_reason(rules, 2, &rule, basis, 4), 1);
    CHECK_INT(rule, 0);
    CHECK_INT(basis[0], 1);
    CHECK_INT(ploy_rules_reason(rules, 0, &rule, basis, 4), 0);
    CHECK_INT(rule, -1);
    // A retracted fact and its value stay known, under its own index and below what came of it.
    ploy_fact *fact = ploy_rules_next_fact(rules, NULL);
    while (fact != NULL && ploy_fact_index(fact) != 1) fact = ploy_rules_next_fact(rules, fact);
    CHECK_OK(ploy_rules_retract(rules, fact));
    ploy_buffer_clear(&text);
    CHECK_OK(ploy_rules_why(rules, 2, &writer));
    CHECK_OK(ploy_rules_why(rules, 1, &writer));
    CHECK_TEXT(ploy_buffer_text(&text),
               "f-2 (p 10 0) from rule count, firing 2, with ?n = 9\n"
               "  f-1 (p 9 0) (gone) from rule count, firing 1, with ?n = 8\n"
               "    f-0 (p 8 0) from outside\n"
               "f-1 (p 9 0) (gone) from rule count, firing 1, with ?n = 8\n"
               "  f-0 (p 8 0) from outside\n");
    ploy_buffer_fini(&text);
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

static ploy_result run_chain(const ploy_env *env, void *arg) {
    chain_test chain = {.logical = *(bool *)arg};
    ploy_rulebase *base;
    ploy_rules *rules;
    ploy_result result = chain_open(&chain, env, true, &base, &rules);
    if (result == PLOY_OK) result = assert_numbers(rules, chain.relation, 1, 0, NULL);
    if (result == PLOY_OK) result = ploy_rules_step(rules, NULL, NULL);
    if (result == PLOY_ERR_CALLBACK) result = PLOY_ERR_MEMORY; // what the action ran into
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
    return result;
}

TEST(short_memory_is_a_result) {
    bool logical = false;
    CHECK_FAIL_NTH(run_chain, &logical);
    logical = true;
    CHECK_FAIL_NTH(run_chain, &logical);
}

TEST(a_warm_step_allocates_nothing) {
    test_counts counter = {0, 0, 0};
    ploy_env env = test_counting_env(&counter);
    chain_test chain = {.logical = true};
    ploy_rulebase *base;
    ploy_rules *rules;
    CHECK_OK(chain_open(&chain, &env, false, &base, &rules));
    int64_t before = 0;
    for (int32_t round = 0; round < 5; round++) {
        ploy_fact *first = NULL;
        CHECK_OK(assert_numbers(rules, chain.relation, 1, 0, &first));
        CHECK_OK(ploy_rules_step(rules, NULL, NULL));
        CHECK_OK(ploy_rules_retract(rules, first));
        CHECK_INT(ploy_rules_fact_count(rules), 0);
        if (round == 1) before = counter.calls;
    }
    CHECK_INT(counter.calls, before);
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

TEST(bad_rules_and_facts_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_rulebase *base = NULL;
    ploy_rules *rules = NULL;
    ploy_rules_def def = ploy_rules_def_default();
    CHECK_OK(ploy_rulebase_create(&env, &base));
    CHECK_OK(make_relations(base));
    CHECK_INT(ploy_rulebase_add_relation(base, "p", NULL), PLOY_ERR_EXISTS);
    CHECK_INT(ploy_rulebase_add_relation(base, "", NULL), PLOY_ERR_ARGUMENT);
    ploy_rule_slot twice[2] = {{"s", false}, {"s", true}};
    CHECK_INT(ploy_rulebase_add_template(base, "t", twice, 2, NULL), PLOY_ERR_EXISTS);
    ploy_rule_constraint same = {.kind = PLOY_RULE_SAME, .variable = "nowhere", .negated = true};
    same.value = same.high = ploy_rule_none();
    ploy_rule_field field = {.constraints = &same, .constraint_count = 1};
    ploy_rule_slot_pattern slot = {0, &field, 1};
    ploy_rule_ce ce = {.kind = PLOY_RULE_PATTERN, .slots = &slot, .slot_count = 1};
    ploy_rule_def rule = {.name = "r", .lhs = ce};
    CHECK_INT(ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    rule.lhs.template_index = 99;
    CHECK_INT(ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    rule.salience = 20000;
    CHECK_INT(ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rulebase_rule_count(base), 0);
    def.cookie = 0;
    CHECK_INT(ploy_rules_create(&def, base, &env, &rules), PLOY_ERR_ARGUMENT);
    def = ploy_rules_def_default();
    CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
    ploy_rule_value one = ploy_rule_integer(1);
    CHECK_INT(ploy_rules_assert(rules, 0, &one, 1, NULL), PLOY_ERR_ARGUMENT); // wants a sequence
    CHECK_INT(ploy_rules_assert(rules, 7, &one, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rules_assert_ordered(rules, 0, NULL, 3, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_rules_retract(rules, NULL), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_rules_fact_count(rules), 0);
    ploy_rules_destroy(rules);
    ploy_rulebase_destroy(base);
}

TEST(floats_are_printed_as_c_prints_them) {
    static const double values[] = {0.0,        1.0, -2.5,    1e21,   1e-7,
                                    123456.789, 0.1, 2.0 / 3, 5e-324, 1.7976931348623157e308,
                                    0.5,        2.5, 1e15,    1e16};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        for (int32_t precision = 0; precision < 20; precision++) {
            for (const char *kind = "efg"; *kind != '\0'; kind++) {
                char form[16], want[512], got[PLOY_RULE_FLOAT_TEXT(20)];
                snprintf(form, sizeof form, "%%.%d%c", precision, *kind);
                snprintf(want, sizeof want, form, values[i]);
                ploy_rule_print_float(values[i], *kind, precision, got);
                CHECK_TEXT(got, want);
            }
        }
    }
}

// RBS-13: in a batch all removals of an action come before its additions, and both after it.
typedef struct batch_watch {
    int32_t relation;
    char log[64];
    bool saw; // during the action: the fact it asserted was there
} batch_watch;

static void batch_note(void *user, ploy_rule_event event, const ploy_fact *fact,
                       const ploy_rule_activation *activation, int32_t module) {
    batch_watch *watch = user;
    (void)fact, (void)activation, (void)module;
    size_t used = strlen(watch->log);
    char what = event == PLOY_RULE_ASSERTED    ? '+'
                : event == PLOY_RULE_RETRACTED ? '-'
                : event == PLOY_RULE_FIRING    ? '!'
                                               : '\0';
    if (what == '\0' || used + 1 >= sizeof watch->log) return;
    watch->log[used] = what;
    watch->log[used + 1] = '\0';
}

static ploy_result batch_act(void *user, ploy_rules *rules, int32_t rule) {
    batch_watch *watch = user;
    (void)rule;
    int32_t before = ploy_rules_fact_count(rules);
    ploy_rule_value values[] = {ploy_rule_integer(7), ploy_rule_integer(8)};
    ploy_result result = ploy_rules_assert_ordered(rules, watch->relation, values, 2, NULL);
    watch->saw = ploy_rules_fact_count(rules) != before;
    if (result == PLOY_OK) result = ploy_rules_retract(rules, ployi_rules_matched(rules, 0));
    return result;
}

TEST(a_batch_removes_before_it_adds) {
    ploy_env env = ploy_env_default();
    for (int32_t batch = 0; batch < 2; batch++) {
        ploy_rulebase *base = NULL;
        batch_watch watch = {0, "", false};
        CHECK_OK(ploy_rulebase_create(&env, &base));
        CHECK_OK(ploy_rulebase_add_relation(base, "p", &watch.relation));
        ploy_rule_field field = {.variable = "n"};
        ploy_rule_slot_pattern slot = {0, &field, 1}; // facts of one field
        ploy_rule_ce ce = {.kind = PLOY_RULE_PATTERN, .slots = &slot, .slot_count = 1};
        ploy_rule_def rule = {.name = "r", .lhs = ce};
        CHECK_OK(ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL));
        ploy_rules_def def = ploy_rules_def_default();
        def.batch = batch != 0;
        def.action = batch_act;
        def.watch = batch_note;
        def.user = &watch;
        ploy_rules *rules = NULL;
        CHECK_OK(ploy_rules_create(&def, base, &env, &rules));
        ploy_rule_value one = ploy_rule_integer(1);
        CHECK_OK(ploy_rules_assert_ordered(rules, watch.relation, &one, 1, NULL));
        CHECK_OK(ploy_rules_step(rules, NULL, NULL));
        CHECK_TEXT(watch.log, batch ? "+!-+" : "+!+-");
        CHECK_INT(watch.saw, !batch);
        CHECK_INT(ploy_rules_fact_count(rules), 1);
        ploy_rule_value kept = ploy_fact_slot(ploy_rules_next_fact(rules, NULL), 0);
        CHECK_INT(kept.count, 2);
        CHECK_INT(kept.as.items[1].as.integer, 8);
        ploy_rules_destroy(rules);
        ploy_rulebase_destroy(base);
    }
}
