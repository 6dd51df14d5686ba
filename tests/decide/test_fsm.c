// State machines.
#include "decide/decide_internal.h"
#include "ploy/decide/fsm.h"

#include "tests/decide/fsm_fixture.h"

TEST(a_rule_fires_exit_action_entry) { // SMC-01, SMC-02, NTU-17
    static const struct {
        const char *row;
        ploy_fsm_order order;
        const char *want;
    } rows[] = {
        {"rules first", PLOY_FSM_RULES_FIRST, "+x x -x act +y y "},
        {"execute first", PLOY_FSM_EXECUTE_FIRST, "+x x x -x act +y "},
        {"either", PLOY_FSM_EITHER, "+x x -x act +y "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fsm_def def = ploy_fsm_def_default();
        def.order = rows[i].order;
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state x = fsm_state(&f, "x"), y = fsm_state(&f, "y");
        ploy_fsm_rule rule = ploy_fsm_rule_make("r", x, f.a, y);
        rule.action = fsm_say_execute;
        rule.user = (void *)(uintptr_t) "act";
        CHECK_OK(ploy_fsm_type_add(f.type, &rule));
        fsm_start(t, &f, x);
        fsm_step(t, &f, false, false, false);
        CHECK_TEXT(fsm_step(t, &f, true, false, false), "y");
        CHECK_TEXT(f.log, rows[i].want);
        CHECK_TEXT(ploy_fsm_last_rule(f.fsm), "r");
        fsm_end(&f);
    }
}

// FSM-02's switch: the oracle of FSM-03's table. Inputs: safe, threatened, stronger.
static int fsm_oracle(int state, bool safe, bool threatened, bool stronger) {
    enum { RUN, PATROL, ATTACK };
    switch (state) {
    case RUN: return safe ? PATROL : RUN;
    case PATROL: return !threatened ? PATROL : stronger ? ATTACK : RUN;
    default: return stronger ? ATTACK : RUN;
    }
}

TEST(the_table_does_what_the_switch_does) { // FSM-01, FSM-02, FSM-03, SMC-03
    static const char *const ids[] = {"run", "patrol", "attack"};
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state run = fsm_state(&f, "run"), patrol = fsm_state(&f, "patrol");
    ploy_fsm_state attack = fsm_state(&f, "attack");
    ploy_conditions *set = ploy_fsm_type_conditions(f.type);
    fsm_rule(t, &f, "safe", run, f.a, patrol);
    fsm_rule(t, &f, "weak", attack, f.not_c, run);
    fsm_rule(t, &f, "fight", patrol, ploy_condition_and(set, f.b, f.c), attack);
    fsm_rule(t, &f, "flee", patrol, ploy_condition_and(set, f.b, f.not_c), run);
    fsm_start(t, &f, patrol);
    int state = 1;
    ploy_rng rng = ploy_rng_make(3);
    for (int i = 0; i < 500; i++) {
        bool in[3];
        for (int k = 0; k < 3; k++) in[k] = ploy_rng_chance(&rng, 0.5f);
        state = fsm_oracle(state, in[0], in[1], in[2]);
        CHECK_TEXT(fsm_step(t, &f, in[0], in[1], in[2]), ids[state]);
        f.log[0] = '\0';
    }
    fsm_end(&f);
}

// States of up to nine rules that test single bools, so that rows of tests are full, part full and
// empty. A plain loop over the rules is the oracle; every other step has a trace, which takes the
// long form of a step; some have no board, or one of another layout, whose bools are false.
TEST(rules_that_test_bools_equal_a_plain_loop) { // SMC-01
    enum { STATES = 4, RULES = 9 };
    for (int64_t round = 0; round < test_rounds(100); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_blackboard_layout *foreign_layout = NULL;
        ploy_blackboard *foreign = NULL;
        CHECK_OK(
            ploy_blackboard_layout_create(fsm_keys, 2, "foreign", &f.env, NULL, &foreign_layout));
        CHECK_OK(ploy_blackboard_create(foreign_layout, &f.env, &foreign));
        for (uint32_t k = 1; k <= 2; k++) {
            ploy_slot slot = {k};
            (void)ploy_blackboard_set_bool(foreign, slot, true);
        }
        ploy_fsm_state states[STATES];
        static const char *const ids[STATES] = {"p", "q", "r", "s"};
        bool acts = ploy_rng_chance(&rng, 0.5f);
        for (int i = 0; i < STATES; i++) {
            states[i] = acts ? fsm_state(&f, ids[i])
                             : ploy_fsm_type_state(f.type, ids[i], NULL, ploy_maker_none());
        }
        const ploy_condition conditions[] = {f.a, f.b, f.c, f.not_a, f.not_b, f.not_c};
        int count[STATES], when[STATES][RULES], to[STATES][RULES];
        for (int i = 0; i < STATES; i++) {
            count[i] = (int)ploy_rng_below(&rng, RULES + 1);
            for (int k = 0; k < count[i]; k++) {
                char id[8];
                snprintf(id, sizeof id, "%d.%d", i, k);
                // Most rules of a state ask the same, so that late ones fire too.
                when[i][k] = (int)ploy_rng_below(&rng, k < count[i] - 1 ? 2 : 6);
                to[i][k] = (int)ploy_rng_below(&rng, STATES);
                fsm_rule(t, &f, id, states[i], conditions[when[i][k]], states[to[i][k]]);
            }
        }
        fsm_start(t, &f, states[0]);
        int state = 0;
        ploy_trace trace = {0};
        for (int step = 0; step < 60; step++) {
            bool known[3];
            for (uint32_t k = 0; k < 3; k++) {
                ploy_slot slot = {k + 1};
                known[k] = ploy_rng_chance(&rng, 0.5f);
                (void)ploy_blackboard_set_bool(f.board, slot, known[k]);
            }
            uint64_t board = ploy_rng_below(&rng, 8);
            f.context.blackboard = board == 0 ? NULL : board == 1 ? foreign : f.board;
            f.context.trace = step % 2 == 0 ? NULL : &trace;
            for (int k = 0; k < count[state]; k++) {
                int bit = when[state][k] % 3;
                if ((board > 1 && known[bit]) != (when[state][k] < 3)) continue;
                state = to[state][k];
                break;
            }
            f.log[0] = '\0';
            ploy_status status;
            CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(f.fsm), &f.context, &status));
            CHECK_INT(status, PLOY_STATUS_RUNNING);
            CHECK_UINT(ploy_fsm_current(f.fsm).number, states[state].number);
        }
        f.context.blackboard = f.board;
        f.context.trace = NULL;
        fsm_end(&f);
        ploy_blackboard_destroy(foreign);
        ploy_blackboard_layout_destroy(foreign_layout);
    }
}

TEST(the_last_of_several_assignments_counts) { // NTU-18
    // Treasure hunter; a: sees a monster, b: cornered.
    static const struct {
        int from;
        bool see, cornered;
        const char *want;
    } rows[] = {{0, true, false, "flee"},  {1, true, false, "flee"},  {1, false, false, "gather"},
                {1, true, true, "fight"},  {1, false, true, "fight"}, {2, true, false, "fight"},
                {2, false, true, "gather"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        def.arbiter = PLOY_FSM_LAST;
        def.order = PLOY_FSM_EXECUTE_FIRST;
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state s[3] = {fsm_state(&f, "gather"), fsm_state(&f, "flee"),
                               fsm_state(&f, "fight")};
        fsm_rule(t, &f, "see", s[0], f.a, s[1]);
        fsm_rule(t, &f, "gone", s[1], f.not_a, s[0]);
        fsm_rule(t, &f, "corner", s[1], f.b, s[2]);
        fsm_rule(t, &f, "won", s[2], f.not_a, s[0]);
        fsm_start(t, &f, s[rows[i].from]);
        CHECK_TEXT(fsm_step(t, &f, rows[i].see, rows[i].cornered, false), rows[i].want);
        fsm_end(&f);
    }
}

static ploy_result fsm_global_blip(void *user, const ploy_fsm_turn *turn) {
    fsm_fixture *f = turn->owner;
    (void)user;
    ploy_fsm_state bath = ploy_fsm_type_find(f->type, "bath");
    ploy_slot a = {1};
    if (!ploy_blackboard_get_bool(f->board, a) || ploy_fsm_is_in(f->fsm, "bath")) return PLOY_OK;
    return ploy_fsm_change(turn->fsm, turn->context, bath);
}

static ploy_result fsm_blip_execute(void *user, const ploy_fsm_turn *turn) {
    fsm_say(turn->owner, user, "");
    return ploy_fsm_revert(turn->fsm, turn->context);
}

TEST(the_global_state_runs_first_and_a_blip_reverts) { // FSM-09, FSM-10, FSM-11
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state house = fsm_state(&f, "house");
    ploy_fsm_hooks hooks = fsm_say_hooks("bath");
    hooks.execute = fsm_blip_execute;
    ploy_fsm_type_state(f.type, "bath", &hooks, ploy_maker_none());
    ploy_fsm_hooks global = {NULL, fsm_global_blip, NULL, NULL, NULL, NULL};
    CHECK_OK(ploy_fsm_type_set_global(f.type, &global));
    fsm_start(t, &f, house);
    fsm_step(t, &f, false, false, false);
    fsm_step(t, &f, true, false, false);
    // All of the blip within one update, because the global state runs before.
    CHECK_TEXT(f.log, "+house house -house +bath bath -bath +house ");
    CHECK_TEXT(ploy_fsm_type_id(f.type, ploy_fsm_previous(f.fsm)), "bath");
    fsm_end(&f);
}

static ploy_result fsm_enter_goes_on(void *user, const ploy_fsm_turn *turn) {
    fsm_fixture *f = turn->owner;
    fsm_say(f, user, "+");
    ploy_result result =
        ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(f->type, "z"));
    fsm_say(f, user, "after ");
    return result;
}

static void fsm_exit_goes_on(void *user, const ploy_fsm_turn *turn) {
    fsm_fixture *f = turn->owner;
    fsm_say(f, user, "-");
    (void)ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(f->type, "z"));
}

TEST(states_change_from_within_enter_and_exit) { // FSM-04, FSM-05
    for (int i = 0; i < 2; i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_hooks hooks = fsm_say_hooks("x");
        if (i == 1) hooks.exit = fsm_exit_goes_on;
        ploy_fsm_state x = ploy_fsm_type_state(f.type, "x", &hooks, ploy_maker_none());
        hooks = fsm_say_hooks("y");
        if (i == 0) hooks.enter = fsm_enter_goes_on;
        ploy_fsm_state y = ploy_fsm_type_state(f.type, "y", &hooks, ploy_maker_none());
        fsm_state(&f, "z");
        fsm_rule(t, &f, "r", x, f.a, y);
        fsm_start(t, &f, x);
        CHECK_TEXT(fsm_step(t, &f, true, false, false), "z");
        CHECK_TEXT(f.log, i == 0 ? "+x -x +y -y +z after y z " : "+x -x +y -y +z z ");
        fsm_end(&f);
    }
}

static ploy_result fsm_ping(void *user, const ploy_fsm_turn *turn) {
    const fsm_fixture *f = turn->owner;
    return ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(f->type, user));
}

TEST(states_that_chase_each_other_end_in_an_error) {
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state x = fsm_state(&f, "x");
    ploy_fsm_hooks ping = {fsm_ping, NULL, NULL, NULL, NULL, (void *)(uintptr_t) "pong"};
    ploy_fsm_hooks pong = {fsm_ping, NULL, NULL, NULL, NULL, (void *)(uintptr_t) "ping"};
    ploy_fsm_state y = ploy_fsm_type_state(f.type, "ping", &ping, ploy_maker_none());
    ploy_fsm_type_state(f.type, "pong", &pong, ploy_maker_none());
    fsm_start(t, &f, x);
    CHECK_INT(ploy_fsm_change(f.fsm, &f.context, y), PLOY_ERR_LIMIT);
    fsm_end(&f);
}

static ploy_result fsm_twice(void *user, const ploy_fsm_turn *turn) {
    fsm_fixture *f = turn->owner;
    fsm_say(f, user, "");
    ploy_result result =
        ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(f->type, "y"));
    if (result != PLOY_OK) return result;
    return ploy_fsm_change(turn->fsm, turn->context, ploy_fsm_type_find(f->type, "z"));
}

TEST(two_changes_in_one_hook_happen_both_or_the_last_if_deferred) { // FSM-05, FSM-22
    for (int i = 0; i < 2; i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        def.deferred = i == 1;
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_hooks hooks = fsm_say_hooks("x");
        hooks.execute = fsm_twice;
        ploy_fsm_state x = ploy_fsm_type_state(f.type, "x", &hooks, ploy_maker_none());
        fsm_state(&f, "y");
        fsm_state(&f, "z");
        fsm_start(t, &f, x);
        fsm_step(t, &f, false, false, false);
        CHECK_TEXT(f.log, i == 0 ? "+x x -x +y -y +z " : "+x x -x +z ");
        fsm_end(&f);
    }
}

TEST(alarms_interrupt_and_give_back) { // SMC-08
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state search = fsm_state(&f, "search"), carry = fsm_state(&f, "carry");
    ploy_fsm_state fuel = fsm_state(&f, "fuel"), hide = fsm_state(&f, "hide");
    fsm_rule(t, &f, "found", search, f.c, carry);
    CHECK_OK(ploy_fsm_type_alarm(f.type, "low", 1, f.a, fuel, f.not_a));
    CHECK_OK(ploy_fsm_type_alarm(f.type, "fight", 2, f.b, hide, f.not_b));
    fsm_start(t, &f, search);
    static const struct {
        bool a, b, c;
        const char *want;
    } rows[] = {{0, 0, 1, "carry"}, {1, 0, 0, "fuel"}, {1, 1, 0, "hide"}, {1, 1, 0, "hide"},
                {0, 1, 0, "hide"},  {1, 0, 0, "fuel"}, {0, 0, 0, "carry"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        CHECK_TEXT(fsm_step(t, &f, rows[i].a, rows[i].b, rows[i].c), rows[i].want);
    }
    CHECK_INT(ployi_fsm_depth(f.fsm), 0);
    fsm_end(&f);
}

TEST(alarms_of_more_levels_than_the_stack_has_places_are_refused) {
    ploy_fsm_def def = ploy_fsm_def_default();
    def.stack = 1;
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state work = fsm_state(&f, "work"), fuel = fsm_state(&f, "fuel");
    ploy_fsm_state rest = fsm_state(&f, "rest"), hide = fsm_state(&f, "hide");
    CHECK_OK(ploy_fsm_type_alarm(f.type, "low", 1, f.a, fuel, f.not_a));
    CHECK_OK(ploy_fsm_type_alarm(f.type, "tired", 1, f.c, rest, f.not_a)); // of the same level
    CHECK_INT(ploy_fsm_type_alarm(f.type, "fight", 2, f.b, hide, f.not_b), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_fsm_type_finish(f.type, work), PLOY_ERR_LIMIT);
    fsm_end(&f);
}

static bool fsm_count_sight(void *user, const ploy_moment *moment, const float *args) {
    fsm_fixture *f = user;
    ploy_slot a = {1};
    (void)args;
    f->calls++;
    return ploy_blackboard_get_bool(moment->context->blackboard, a);
}

TEST(a_decision_tree_asks_once_what_two_rules_ask_twice) { // SMC-13
    int calls[2];
    for (int i = 0; i < 2; i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state alert = fsm_state(&f, "alert"), defend = fsm_state(&f, "defend");
        ploy_fsm_state alarm = fsm_state(&f, "alarm");
        ploy_decision_tree *tree = NULL;
        if (i == 0) {
            CHECK_OK(ploy_decision_tree_create(f.layout, &f.env, &tree));
            ploy_conditions *set = ploy_decision_tree_conditions(tree);
            ploy_condition see = ploy_condition_call(set, "see", fsm_count_sight, &f);
            ploy_decision_node near =
                ploy_decision_tree_test(tree, "near?", ploy_condition_bool(set, "b"),
                                        ploy_decision_tree_leaf(tree, "defend", ploy_maker_none()),
                                        ploy_decision_tree_leaf(tree, "alarm", ploy_maker_none()));
            ploy_decision_node root =
                ploy_decision_tree_test(tree, "see?", see, near, ploy_decision_node_none());
            CHECK_OK(ploy_decision_tree_finish(tree, root));
            ploy_fsm_rule rule =
                ploy_fsm_rule_make("tree", alert, ploy_condition_none(), ploy_fsm_state_none());
            rule.tree = tree;
            CHECK_OK(ploy_fsm_type_add(f.type, &rule));
        } else {
            ploy_conditions *set = ploy_fsm_type_conditions(f.type);
            ploy_condition see = ploy_condition_call(set, "see", fsm_count_sight, &f);
            fsm_rule(t, &f, "near", alert, ploy_condition_and(set, see, f.b), defend);
            fsm_rule(t, &f, "far", alert, ploy_condition_and(set, see, f.not_b), alarm);
        }
        fsm_start(t, &f, alert);
        CHECK_TEXT(fsm_step(t, &f, false, true, false), "alert");
        CHECK_TEXT(fsm_step(t, &f, true, false, false), "alarm");
        calls[i] = f.calls;
        fsm_end(&f);
        ploy_decision_tree_destroy(tree);
    }
    CHECK_INT(calls[0], 2);
    CHECK_INT(calls[1], 4);
}

static float fsm_score_b(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const float *)user;
}

TEST(arbiters_choose_among_rules_that_hold) { // SMC-14
    static const struct {
        const char *row;
        ploy_fsm_arbiter arbiter;
        const char *want;
    } rows[] = {{"first", PLOY_FSM_FIRST, "one"},
                {"last", PLOY_FSM_LAST, "three"},
                {"specific", PLOY_FSM_MOST_SPECIFIC, "two"},
                {"score", PLOY_FSM_SCORE, "three"}};
    static const float scores[] = {1.0f, NAN, 2.0f};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fsm_def def = ploy_fsm_def_default();
        def.arbiter = rows[i].arbiter;
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state from = fsm_state(&f, "from");
        ploy_conditions *set = ploy_fsm_type_conditions(f.type);
        static const char *const ids[] = {"one", "two", "three"};
        for (int k = 0; k < 3; k++) {
            ploy_fsm_state to = fsm_state(&f, ids[k]);
            ploy_condition when = k == 1 ? ploy_condition_or(set, f.a, f.b) : f.a;
            ploy_fsm_rule rule = ploy_fsm_rule_make(ids[k], from, when, to);
            rule.score = ploy_score_call(set, ids[k], fsm_score_b, (void *)(uintptr_t)&scores[k]);
            CHECK_OK(ploy_fsm_type_add(f.type, &rule));
        }
        fsm_start(t, &f, from);
        CHECK_TEXT(fsm_step(t, &f, true, false, false), rows[i].want);
        fsm_end(&f);
    }
}

TEST(the_least_recent_rule_has_its_turn) { // SMC-14
    ploy_fsm_def def = ploy_fsm_def_default();
    def.arbiter = PLOY_FSM_LEAST_RECENT;
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state hub = fsm_state(&f, "hub"), x = fsm_state(&f, "x"), y = fsm_state(&f, "y");
    fsm_rule(t, &f, "x", hub, f.a, x);
    fsm_rule(t, &f, "y", hub, f.a, y);
    fsm_rule(t, &f, "xb", x, ploy_condition_none(), hub);
    fsm_rule(t, &f, "yb", y, ploy_condition_none(), hub);
    fsm_start(t, &f, hub);
    static const char *const want[] = {"x", "hub", "y", "hub", "x", "hub", "y"};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_TEXT(fsm_step(t, &f, true, false, false), want[i]);
    }
    fsm_end(&f);
}

TEST(idleness_and_time_lead_on) { // SMC-15, SMC-04
    ploy_fsm_def def = ploy_fsm_def_default();
    def.idle = 1.5f; // three steps of half a second
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state work = fsm_state(&f, "work"), yawn = fsm_state(&f, "yawn");
    ploy_conditions *set = ploy_fsm_type_conditions(f.type);
    fsm_rule(t, &f, "again", yawn, ploy_condition_elapsed(set, 1.0), work);
    CHECK_OK(ploy_fsm_type_set_idle(f.type, yawn));
    fsm_start(t, &f, work);
    static const char *const want[] = {"work", "work", "yawn", "yawn", "work", "work", "work"};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_TEXT(fsm_step(t, &f, false, false, false), want[i]);
    }
    fsm_end(&f);
}

// Takes the message if c holds; in the global state, if b does.
static ploy_result fsm_hear(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                            bool *handled) {
    fsm_fixture *f = turn->owner;
    (void)message;
    fsm_say(f, user, "?");
    ploy_slot slot = {strcmp(user, "global") == 0 ? 2u : 3u};
    *handled = ploy_blackboard_get_bool(f->board, slot);
    return PLOY_OK;
}

TEST(messages_go_to_the_state_then_rules_then_the_global_state) { // SMC-06, SMC-05
    static const struct {
        const char *row;
        bool a, b, c; // the rule holds, the global state takes it, the state takes it
        bool handled;
        const char *state, *heard;
    } rows[] = {
        {"nobody", false, false, false, false, "sleep", "?sleep ?global "},
        {"the global state, last", false, true, false, true, "sleep", "?sleep ?global "},
        {"a rule before it", true, true, false, true, "defend", "?sleep -sleep +defend "},
        {"the state before both", true, true, true, true, "sleep", "?sleep "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_hooks hooks = fsm_say_hooks("sleep");
        hooks.message = fsm_hear;
        ploy_fsm_state sleep = ploy_fsm_type_state(f.type, "sleep", &hooks, ploy_maker_none());
        ploy_fsm_state defend = fsm_state(&f, "defend");
        ploy_fsm_hooks global = {.message = fsm_hear, .user = (void *)(uintptr_t) "global"};
        CHECK_OK(ploy_fsm_type_set_global(f.type, &global));
        ploy_fsm_rule rule = ploy_fsm_rule_make("noise", sleep, f.a, defend);
        rule.on = "noise";
        CHECK_OK(ploy_fsm_type_add(f.type, &rule));
        fsm_start(t, &f, sleep);
        // Only a message wakes it, even if the condition holds.
        CHECK_TEXT(fsm_step(t, &f, rows[i].a, rows[i].b, rows[i].c), "sleep");
        f.log[0] = '\0';
        ploy_message noise =
            ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("noise"));
        bool handled = !rows[i].handled;
        CHECK_OK(ploy_behavior_message(ploy_fsm_behavior(f.fsm), &f.context, &noise, &handled));
        CHECK(handled == rows[i].handled);
        CHECK(ploy_fsm_is_in(f.fsm, rows[i].state));
        CHECK_TEXT(f.log, rows[i].heard);
        fsm_end(&f);
    }
}

TEST(a_machine_runs_inside_a_state_and_its_end_leads_on) { // FSM-18, NTU-28
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_type *inner = NULL; // for the same blackboards
    CHECK_OK(ploy_fsm_type_create(&def, f.layout, &f.env, &inner));
    ploy_fsm_state aim = ploy_fsm_type_state(inner, "aim", NULL, ploy_maker_none());
    ploy_fsm_state hit = ploy_fsm_type_state(inner, "hit", NULL, ploy_maker_none());
    CHECK_OK(ploy_fsm_type_set_final(inner, hit, PLOY_STATUS_SUCCESS));
    ploy_conditions *set = ploy_fsm_type_conditions(inner);
    ploy_fsm_rule shot = ploy_fsm_rule_make("shot", aim, ploy_condition_elapsed(set, 1.0), hit);
    CHECK_OK(ploy_fsm_type_add(inner, &shot));
    CHECK_OK(ploy_fsm_type_finish(inner, aim));
    ploy_fsm_state combat = ploy_fsm_type_state(f.type, "combat", NULL, ploy_fsm_type_maker(inner));
    ploy_fsm_state rest = fsm_state(&f, "rest");
    set = ploy_fsm_type_conditions(f.type);
    fsm_rule(t, &f, "won", combat, ploy_condition_status(set, PLOY_STATUS_SUCCESS), rest);
    fsm_start(t, &f, combat);
    static const char *const want[] = {"combat", "combat", "rest"};
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_TEXT(fsm_step(t, &f, false, false, false), want[i]);
    }
    fsm_end(&f);
    ploy_fsm_type_destroy(inner);
}

static ploy_result fsm_count_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    ++*(int64_t *)turn->data;
    return PLOY_OK;
}

static void fsm_count_describe(void *user, const void *data, ploy_describe *out) {
    (void)user;
    ploy_describe_i64(out, "count", PLOY_STATE, *(const int64_t *)data);
}

static uint64_t fsm_hash(const ploy_fsm *fsm) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_fsm_describe(fsm, &out);
    return ploy_hash_sink_result(&sink);
}

// A type whose state "x" counts its steps; `extra` adds a rule to another state.
static ploy_fsm_type *fsm_counting_type(test_context *t, fsm_fixture *f, const char *other) {
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, f->layout, &f->env, &type));
    ploy_fsm_hooks hooks = {NULL, fsm_count_execute, NULL, NULL, fsm_count_describe, NULL};
    ploy_fsm_state o = ploy_fsm_type_state(type, other, NULL, ploy_maker_none());
    ploy_fsm_state x = ploy_fsm_type_state(type, "x", &hooks, ploy_maker_none());
    CHECK_OK(ploy_fsm_type_set_data(type, x, sizeof(int64_t), true));
    ploy_fsm_rule rule =
        ploy_fsm_rule_make("r", x, ploy_condition_bool(ploy_fsm_type_conditions(type), "a"), o);
    CHECK_OK(ploy_fsm_type_add(type, &rule));
    CHECK_OK(ploy_fsm_type_finish(type, x));
    return type;
}

TEST(a_machine_is_exchanged_and_keeps_its_mind) { // FSM-06, FSM-19
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_type *old = fsm_counting_type(t, &f, "y"), *edited = fsm_counting_type(t, &f, "z");
    CHECK_OK(ploy_fsm_create(old, NULL, &f.env, &f.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(f.fsm), &f.context));
    fsm_step(t, &f, false, false, false);
    fsm_step(t, &f, false, false, false);
    uint64_t before = fsm_hash(f.fsm);
    bool kept = false;
    CHECK_OK(ploy_fsm_swap(f.fsm, &f.context, edited, true, &kept));
    CHECK(kept);
    CHECK_NEAR(ploy_fsm_elapsed(f.fsm), 1.0, 0.0);
    fsm_step(t, &f, true, false, false);
    CHECK(ploy_fsm_is_in(f.fsm, "z"));
    CHECK(before != fsm_hash(f.fsm));
    CHECK_OK(ploy_fsm_swap(f.fsm, &f.context, old, true, &kept));
    CHECK(!kept); // the old one has no z
    CHECK(ploy_fsm_is_in(f.fsm, "x"));
    CHECK_INT(ploy_fsm_swap(f.fsm, &f.context, f.type, true, NULL), PLOY_ERR_STATE);
    ploy_fsm_destroy(f.fsm);
    f.fsm = NULL;
    ploy_fsm_type_destroy(old);
    ploy_fsm_type_destroy(edited);
    fsm_end(&f);
}

TEST(bad_types_are_refused) { // NTU-21, NTU-22
    for (int i = 0; i < 7; i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state x = fsm_state(&f, "x"), nowhere = {77}, initial = x;
        ploy_conditions *set = ploy_fsm_type_conditions(f.type);
        ploy_fsm_rule rule = ploy_fsm_rule_make("r", x, f.a, x);
        ploy_result want = PLOY_ERR_ARGUMENT;
        if (i == 0) rule.to = nowhere;
        if (i == 1) rule.from = nowhere;
        if (i == 2) rule.when.number = 1000;
        if (i == 3) rule.id = NULL;
        if (i == 4) rule.to = ploy_fsm_state_none();
        if (i == 5) initial = nowhere;
        if (i == 6) rule.when = ploy_condition_named(set, "sea_monster", NULL, 0);
        if (i == 6) want = PLOY_ERR_NOT_FOUND;
        (void)ploy_fsm_type_add(f.type, &rule);
        CHECK_INT(ploy_fsm_type_finish(f.type, initial), want);
        CHECK_INT(ploy_fsm_create(f.type, NULL, &f.env, &f.fsm), PLOY_ERR_STATE);
        fsm_end(&f);
    }
}

TEST(lint_and_graph_tell_about_the_table) { // NTU-21
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state x = ploy_fsm_type_state(f.type, "x", NULL, ploy_maker_none());
    ploy_fsm_state y = ploy_fsm_type_state(f.type, "y", NULL, ploy_maker_none());
    ploy_fsm_type_state(f.type, "lost", NULL, ploy_maker_none());
    fsm_rule(t, &f, "always", x, ploy_condition_none(), y);
    fsm_rule(t, &f, "never", x, f.a, y);
    CHECK_OK(ploy_fsm_type_finish(f.type, x));
    // lost is not reached, and neither lost nor y can be left; "never" comes too late.
    CHECK_INT(ploy_fsm_type_lint(f.type, NULL), 4);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 1 << 16, &f.env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_fsm_type_print(f.type, &writer);
    CHECK(strstr(ploy_buffer_text(&buffer), "\"x\" -> \"y\" [label=\"never: a\"];") != NULL);
    ploy_buffer_fini(&buffer);
    fsm_end(&f);
}

typedef struct fsm_told {
    int won, rejected, skipped;
} fsm_told;

static void fsm_told_option(void *user, const char *name, ploy_outcome outcome, double score,
                            const char *reason) {
    fsm_told *told = user;
    (void)name, (void)score, (void)reason;
    told->won += outcome == PLOY_OUTCOME_WON;
    told->rejected += outcome == PLOY_OUTCOME_REJECTED;
    told->skipped += outcome == PLOY_OUTCOME_SKIPPED;
}

TEST(the_trace_tells_what_was_considered_and_changes_nothing) { // SMC-16, FSM-21
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        ploy_fsm_def def = ploy_fsm_def_default();
        fsm_fixture f;
        fsm_begin(t, &f, &def);
        ploy_fsm_state x = fsm_state(&f, "x"), y = fsm_state(&f, "y");
        fsm_rule(t, &f, "1", x, f.a, y);
        fsm_rule(t, &f, "2", x, f.b, y);
        fsm_rule(t, &f, "3", x, f.c, y);
        fsm_start(t, &f, x);
        fsm_told told = {0, 0, 0};
        ploy_trace trace = {NULL, fsm_told_option, NULL, NULL, NULL, &told};
        if (i == 1) f.context.trace = &trace;
        fsm_step(t, &f, false, true, true);
        CHECK_INT(told.won, i);
        CHECK_INT(told.rejected, i);
        CHECK_INT(told.skipped, i);
        hashes[i] = fsm_hash(f.fsm);
        fsm_end(&f);
    }
    CHECK_UINT(hashes[0], hashes[1]);
}

static ploy_result fsm_build_all(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL, *inner = NULL;
    ploy_decision_tree *tree = NULL;
    ploy_fsm *fsm = NULL;
    ploy_result result = ploy_fsm_type_create(&def, NULL, env, &inner);
    if (result == PLOY_OK) {
        ploy_fsm_state s = ploy_fsm_type_state(inner, "s", NULL, ploy_maker_none());
        result = ploy_fsm_type_finish(inner, s);
    }
    if (result == PLOY_OK) result = ploy_decision_tree_create(NULL, env, &tree);
    if (result == PLOY_OK) {
        ploy_decision_node leaf = ploy_decision_tree_leaf(tree, "b", ploy_maker_none());
        result = ploy_decision_tree_finish(tree, leaf);
    }
    if (result == PLOY_OK) result = ploy_fsm_type_create(&def, NULL, env, &type);
    if (result == PLOY_OK) {
        ploy_fsm_state a = ploy_fsm_type_state(type, "a", NULL, ploy_fsm_type_maker(inner));
        ploy_fsm_state b = ploy_fsm_type_state(type, "b", NULL, ploy_maker_none());
        ploy_conditions *set = ploy_fsm_type_conditions(type);
        ploy_fsm_rule rule = ploy_fsm_rule_make("r", a, ploy_condition_elapsed(set, 1.0), b);
        (void)ploy_fsm_type_add(type, &rule);
        rule.id = "t";
        rule.tree = tree;
        (void)ploy_fsm_type_add(type, &rule);
        result = ploy_fsm_type_finish(type, a);
    }
    if (result == PLOY_OK) result = ploy_fsm_create(type, NULL, env, &fsm);
    ploy_fsm_destroy(fsm);
    ploy_fsm_type_destroy(type);
    ploy_fsm_type_destroy(inner);
    ploy_decision_tree_destroy(tree);
    return result;
}

TEST(building_and_creating_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(fsm_build_all, NULL);
}

TEST(a_step_allocates_nothing) {
    test_counts counts;
    ploy_env counting = test_counting_env(&counts);
    ploy_fsm_def def = ploy_fsm_def_default();
    fsm_fixture f;
    fsm_begin(t, &f, &def);
    ploy_fsm_state x = fsm_state(&f, "x"), y = fsm_state(&f, "y");
    fsm_rule(t, &f, "xy", x, f.a, y);
    fsm_rule(t, &f, "yx", y, f.not_a, x);
    CHECK_OK(ploy_fsm_type_finish(f.type, x));
    CHECK_OK(ploy_fsm_create(f.type, &f, &counting, &f.fsm));
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(f.fsm), &f.context));
    int64_t before = counts.calls;
    for (int i = 0; i < 20; i++) {
        f.log[0] = '\0';
        fsm_step(t, &f, i % 2 == 0, false, false);
    }
    CHECK_UINT(ployi_fsm_changes(f.fsm), 20);
    CHECK_INT(counts.calls, before);
    fsm_end(&f);
    CHECK_INT(counts.blocks, 0);
}

TEST(rules_are_told_for_pictures) {
    ploy_env env = ploy_env_default();
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    CHECK_OK(ploy_fsm_type_create(&def, NULL, &env, &type));
    ploy_fsm_state a = ploy_fsm_type_state(type, "a", NULL, ploy_maker_none());
    ploy_fsm_state b = ploy_fsm_type_state(type, "b", NULL, ploy_maker_none());
    ploy_fsm_rule rules[] = {
        ploy_fsm_rule_make("on", a, ploy_condition_none(), b),
        ploy_fsm_rule_make("back", ploy_fsm_state_none(), ploy_condition_none(), a)};
    for (size_t i = 0; i < COUNT_OF(rules); i++) CHECK_OK(ploy_fsm_type_add(type, &rules[i]));
    CHECK_OK(ploy_fsm_type_finish(type, a));
    CHECK_INT(ploy_fsm_type_rule_count(type), 2);
    ploy_fsm_rule_info info;
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_fsm_type_rule_at(type, i, &info));
        CHECK_TEXT(info.id, rules[i].id);
        CHECK_UINT(info.from.number, rules[i].from.number);
        CHECK_UINT(info.to.number, rules[i].to.number);
        CHECK_INT(info.effect, PLOY_FSM_GO);
    }
    CHECK_INT(ploy_fsm_type_rule_at(type, 2, &info), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fsm_type_rule_at(type, -1, &info), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fsm_type_rule_at(type, 0, NULL), PLOY_ERR_ARGUMENT);
    ploy_fsm_type_destroy(type);
}
