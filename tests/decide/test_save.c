// Saved minds of every kind: each goes on as if it had never been saved, takes up what an edited
// definition still knows, survives altered files and every failing allocation. Machines with inner
// states and trees of goals have files of their own.
#include "decide/decide_internal.h"
#include "ploy/decide/action_stack.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/fuzzy_fsm.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/utility.h"
#include "tests/decide/saved.h"

static const char *const save_letters[] = {"a", "b", "c"};

// ---- fuzzy state machines: three moods; edition 1 has one less and another order

static ploy_result save_moods_build(saved_bench *bench, int32_t edition) {
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    ploy_fuzzy_fsm_type *type = NULL;
    ploy_fuzzy_fsm *fsm = NULL;
    ploy_result result = ploy_fuzzy_fsm_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_fuzzy_fsm_type_conditions(type);
    int32_t angry = ploy_fuzzy_fsm_type_state(type, "angry", 0.0);
    int32_t calm = ploy_fuzzy_fsm_type_state(type, "calm", 1.0);
    int32_t alert = edition == 0 ? ploy_fuzzy_fsm_type_state(type, "alert", 0.0) : calm;
    const int32_t ways[][2] = {{calm, alert}, {alert, angry}, {angry, calm}};
    for (int32_t i = 0; i < 3; i++) {
        if (ways[i][0] == ways[i][1]) continue;
        ploy_fuzzy_fsm_transition way = ploy_fuzzy_fsm_transition_make(
            ways[i][0], ploy_condition_bool(set, save_letters[i]), ways[i][1], 0.9 - 0.1 * i);
        (void)ploy_fuzzy_fsm_type_add(type, &way); // finish tells of faults
    }
    result = ploy_fuzzy_fsm_type_finish(type);
    if (result == PLOY_OK) result = ploy_fuzzy_fsm_create(type, &bench->env, &fsm);
    if (result != PLOY_OK) ploy_fuzzy_fsm_type_destroy(type);
    if (result != PLOY_OK) return result;
    bench->type = type;
    bench->mind = ploy_fuzzy_fsm_behavior(fsm);
    return PLOY_OK;
}

static void save_moods_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_fuzzy_fsm_type_destroy(bench->type);
}

static const char *save_moods_where(const saved_bench *bench) {
    const ploy_fuzzy_fsm *fsm = bench->mind.self;
    int32_t most =
        ploy_markov_largest(ployi_fuzzy_fsm_degrees(fsm), ploy_fuzzy_fsm_type_count(bench->type));
    return ploy_fuzzy_fsm_type_id(bench->type, most);
}

// ---- Markov machines: edition 1 has the same numbers in another order, and one less

static ploy_result save_markov_build(saved_bench *bench, int32_t edition) {
    static const char *const names[][3] = {{"near", "far", "high"}, {"far", "low", "near"}};
    static const double first[][3] = {{1.0, 0.5, 0.25}, {1.0, -4.0, 0.25}};
    ploy_markov_def def = ploy_markov_def_default();
    def.count = 3;
    def.reset_steps = 2;
    def.max = 4.0;
    def.min = -4.0;
    ploy_markov_type *type = NULL;
    ploy_markov *markov = NULL;
    ploy_result result = ploy_markov_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    double matrix[9];
    ploy_conditions *set = ploy_markov_type_conditions(type);
    for (int32_t i = 0; i < 2; i++) {
        ploy_markov_fill(matrix, 3, 0.5, 0.2 + 0.1 * i);
        matrix[i] = -0.75;
        (void)ploy_markov_type_add(type, save_letters[i], ploy_condition_bool(set, save_letters[i]),
                                   matrix, NULL, NULL);
        (void)ploy_markov_type_name(type, i, names[edition][i]);
    }
    // One of the first edition goes by its place.
    if (edition == 1) (void)ploy_markov_type_name(type, 2, names[1][2]);
    ploy_markov_fill(matrix, 3, 0.9, 0.3);
    (void)ploy_markov_type_set_default(type, matrix);
    (void)ploy_markov_type_set_initial(type, first[edition]);
    result = ploy_markov_type_finish(type);
    if (result == PLOY_OK) result = ploy_markov_create(type, &bench->env, &markov);
    if (result != PLOY_OK) ploy_markov_type_destroy(type);
    if (result != PLOY_OK) return result;
    bench->type = type;
    bench->mind = ploy_markov_behavior(markov);
    return PLOY_OK;
}

static void save_markov_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_markov_type_destroy(bench->type);
}

static const char *save_markov_where(const saved_bench *bench) {
    const ploy_markov *markov = bench->mind.self;
    const char *id =
        ployi_markov_type_id(bench->type, ploy_markov_largest(ploy_markov_vector(markov), 3));
    return id[0] != '\0' ? id : "#2";
}

// ---- utility: edition 1 has an option less

static ploy_result save_utility_build(saved_bench *bench, int32_t edition) {
    static const char *const ids[] = {"eat", "fight", "sleep"};
    ploy_utility_def def = ploy_utility_def_default();
    def.commitment = 0.2f;
    ploy_utility_type *type = NULL;
    ploy_utility *utility = NULL;
    ploy_result result = ploy_utility_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_utility_type_conditions(type);
    for (int32_t i = 2; i >= 0; i--) {
        if (edition == 1 && i == 1) continue;
        ploy_maker inside = i == 2 && edition == 0 ? ploy_maker_none() : saved_walk_maker(bench);
        ploy_utility_option option =
            ploy_utility_type_option(type, ids[i], 1.0f - 0.1f * (float)i, inside);
        (void)ploy_utility_type_guard(type, option, ploy_condition_bool(set, save_letters[i]));
        (void)ploy_utility_type_consider(
            type, option, ploy_score_key(set, "x"), 0.0f, 1.0f,
            ploy_curve_linear(i == 0 ? 1.0f : -0.5f, i == 0 ? 0 : 0.9f));
    }
    result = ploy_utility_type_finish(type);
    if (result == PLOY_OK) result = ploy_utility_create(type, &bench->env, &utility);
    if (result != PLOY_OK) ploy_utility_type_destroy(type);
    if (result != PLOY_OK) return result;
    bench->type = type;
    bench->mind = ploy_utility_behavior(utility);
    return PLOY_OK;
}

static void save_utility_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_utility_type_destroy(bench->type);
}

static const char *save_utility_where(const saved_bench *bench) {
    return ploy_utility_type_id(bench->type, ploy_utility_current(bench->mind.self));
}

// ---- decision trees that draw and remember; edition 1 has a leaf less

// @param leaves  two or three leaves, of which a node draws.
static ploy_decision_tree *save_tree_make(saved_bench *bench, int32_t edition, bool walks) {
    static const char *const ids[] = {"left", "right", "hide"};
    ploy_decision_tree *tree = NULL;
    if (ploy_decision_tree_create(bench->layout, &bench->env, &tree) != PLOY_OK) return NULL;
    ploy_decision_node leaves[3];
    for (int32_t i = 0; i < 3; i++) {
        int32_t which = edition == 1 ? (i + 1) % 3 : i;
        if (edition == 1 && which == 2) which = 0; // stays two leaves: left, right
        leaves[i] = ploy_decision_tree_find(tree, ids[which]);
        if (!ploy_decision_node_is_none(leaves[i])) continue;
        leaves[i] = ploy_decision_tree_leaf(tree, ids[which],
                                            walks ? saved_walk_maker(bench) : ploy_maker_none());
    }
    ploy_decision_random random = ploy_decision_random_default();
    random.stable = true;
    random.alternate = true;
    random.evaluations = 4;
    random.spread = 3;
    ploy_decision_node draw = ploy_decision_tree_random(tree, "where", &random, leaves, NULL, 3);
    ploy_decision_node root = ploy_decision_tree_test(
        tree, "sees", ploy_condition_bool(ploy_decision_tree_conditions(tree), "a"), leaves[0],
        draw);
    ploy_condition often = ploy_condition_range(ploy_decision_tree_conditions(tree), "x", 0.0, 0.8);
    root = ploy_decision_tree_test(tree, "calm", often, draw, root);
    if (ploy_decision_tree_finish(tree, root) == PLOY_OK) return tree;
    ploy_decision_tree_destroy(tree);
    return NULL;
}

static ploy_result save_tree_build(saved_bench *bench, int32_t edition) {
    ploy_decision_def def = ploy_decision_def_default();
    def.count = true;
    ploy_decision *decision = NULL;
    ploy_decision_tree *tree = save_tree_make(bench, edition, true);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_decision_create(&def, tree, &bench->env, &decision);
    if (result != PLOY_OK) ploy_decision_tree_destroy(tree);
    if (result != PLOY_OK) return result;
    bench->type = tree;
    bench->mind = ploy_decision_behavior(decision);
    return PLOY_OK;
}

static void save_tree_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_decision_tree_destroy(bench->type);
}

static const char *save_tree_where(const saved_bench *bench) {
    return ploy_decision_tree_id(bench->type, ployi_decision_leaf(bench->mind.self));
}

// ---- machines whose rule is such a tree

static ploy_result save_fsm_build(saved_bench *bench, int32_t edition) {
    static const char *const ids[] = {"hide", "right", "left"};
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    ploy_fsm *fsm = NULL;
    ploy_decision_tree *tree = save_tree_make(bench, edition, false);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_fsm_type_create(&def, bench->layout, &bench->env, &type);
    if (result == PLOY_OK) {
        ploy_fsm_state first = {0};
        for (int32_t i = edition; i < 3; i++) {
            ploy_fsm_state state = ploy_fsm_type_state(type, ids[i], NULL, saved_walk_maker(bench));
            if (i == edition) first = state;
        }
        ploy_fsm_rule rule = ploy_fsm_rule_make("where to", ploy_fsm_state_none(),
                                                ploy_condition_none(), ploy_fsm_state_none());
        rule.tree = tree;
        (void)ploy_fsm_type_add(type, &rule); // finish tells of faults
        result = ploy_fsm_type_finish(type, first);
        if (result == PLOY_OK) result = ploy_fsm_create(type, NULL, &bench->env, &fsm);
    }
    if (result != PLOY_OK) {
        ploy_fsm_type_destroy(type);
        ploy_decision_tree_destroy(tree);
        return result;
    }
    bench->type = type;
    bench->more = tree;
    bench->mind = ploy_fsm_behavior(fsm);
    return PLOY_OK;
}

static void save_fsm_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_fsm_type_destroy(bench->type);
    ploy_decision_tree_destroy(bench->more);
}

static const char *save_fsm_where(const saved_bench *bench) {
    return ploy_fsm_type_id(bench->type, ploy_fsm_current(bench->mind.self));
}

// ---- planning agents, by a goal and by recipes; world[0] is the stage that the cook is at, [1]
// the steps of the action

static ploy_result save_cook_sense(void *user, ploy_step_context *context,
                                   const ploy_goap_type *type, uint64_t *world) {
    const saved_bench *bench = user;
    (void)context;
    ploy_goap_world_set(type, world, ploy_goap_type_find(type, "stage"), (int32_t)bench->world[0]);
    return PLOY_OK;
}

// Actions are named by the stage they lead to. Sometimes one spoils everything, or fails.
static ploy_result save_cook_act(void *user, ploy_step_context *context, int32_t action, bool first,
                                 ploy_status *status) {
    saved_bench *bench = user;
    const ploy_goap_type *type = bench->type;
    const char *id = ploy_goap_type_action_id(type, action);
    bench->world[1] = first ? 1 : bench->world[1] + 1;
    saved_note(bench, ploy_hash_text(id) + bench->world[1]);
    int32_t luck = saved_draw(bench, context->tick, 9, 9);
    *status = PLOY_STATUS_RUNNING;
    if (bench->world[1] < 3) return PLOY_OK;
    *status = luck == 0 ? PLOY_STATUS_FAILURE : PLOY_STATUS_SUCCESS;
    if (luck != 0) bench->world[0] = luck == 1 ? 0 : (uint64_t)(id[strlen(id) - 1] - '0');
    return PLOY_OK;
}

// Six stages, each reached from the one before; the second and fourth also by a leap. In edition 1
// the leaps are gone and the actions have other numbers.
static ploy_result save_cook_domain(saved_bench *bench, int32_t edition, ploy_goap_type **out) {
    ploy_result result = ploy_goap_type_create(&bench->env, out);
    if (result != PLOY_OK) return result;
    ploy_goap_var stage = ploy_goap_type_int(*out, "stage", 0, 6);
    for (int32_t i = 0; i < 12; i++) {
        int32_t from = edition == 0 ? i / 2 : 5 - i / 2;
        bool jump = i % 2 == 1;
        if (jump && (edition == 1 || from % 2 == 1 || from == 4)) continue;
        char id[16];
        snprintf(id, sizeof id, "%s %d", jump ? "leap" : "to", (int)from + (jump ? 2 : 1));
        ploy_goap_need need = ploy_goap_is(stage, from);
        ploy_goap_gain gain = ploy_goap_set_to(stage, from + (jump ? 2 : 1));
        ploy_goap_action action = ploy_goap_action_make(id, 1.0);
        action.needs = &need;
        action.need_count = 1;
        action.gains = &gain;
        action.gain_count = 1;
        (void)ploy_goap_type_action(*out, &action);
    }
    result = ploy_goap_type_finish(*out);
    if (result != PLOY_OK) ploy_goap_type_destroy(*out);
    return result;
}

static ploy_result save_cook_make(saved_bench *bench, ploy_goap_agent **out) {
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_goap_hands hands = {save_cook_sense, save_cook_act, NULL, bench};
    return ploy_goap_agent_create(&def, bench->type, &hands, &bench->env, out);
}

static ploy_result save_cook_build(saved_bench *bench, int32_t edition) {
    ploy_goap_type *type = NULL;
    ploy_goap_agent *agent = NULL;
    ploy_result result = save_cook_domain(bench, edition, &type);
    if (result != PLOY_OK) return result;
    bench->type = type;
    result = save_cook_make(bench, &agent);
    if (result == PLOY_OK) {
        ploy_goap_need fed = ploy_goap_is(ploy_goap_type_find(type, "stage"), 6);
        result = ploy_goap_agent_set_goal(agent, &fed, 1);
    }
    if (result != PLOY_OK) {
        ploy_goap_agent_destroy(agent);
        ploy_goap_type_destroy(type);
        return result;
    }
    bench->mind = ploy_goap_agent_behavior(agent);
    return PLOY_OK;
}

// Recipes: by leaps if it may begin at 0, else step by step, which is written as a recursion.
static ploy_result save_recipes_build(saved_bench *bench, int32_t edition) {
    ploy_goap_type *type = NULL;
    ploy_htn_type *recipes = NULL;
    ploy_goap_agent *agent = NULL;
    ploy_result result = save_cook_domain(bench, edition, &type);
    if (result != PLOY_OK) return result;
    bench->type = type;
    result = ploy_htn_type_create(type, &bench->env, &recipes);
    if (result == PLOY_OK) {
        ploy_goap_var stage = ploy_goap_type_find(type, "stage");
        ploy_htn_task cook = ploy_htn_type_task(recipes, "cook");
        ploy_goap_need need = ploy_goap_is(stage, 0);
        if (edition == 0) {
            ploy_htn_task leaps[] = {ploy_htn_type_action(recipes, "leap 2"),
                                     ploy_htn_type_action(recipes, "leap 4"),
                                     ploy_htn_type_action(recipes, "to 5")};
            (void)ploy_htn_type_method(recipes, cook, "leaping", &need, 1, leaps, 3);
        }
        for (int32_t i = 5; i >= 0; i--) {
            char id[16];
            snprintf(id, sizeof id, "to %d", (int)i + 1);
            ploy_htn_task then[] = {ploy_htn_type_action(recipes, id), cook};
            need = ploy_goap_is(stage, i);
            (void)ploy_htn_type_method(recipes, cook, id, &need, 1, then, i == 5 ? 1 : 2);
        }
        need = ploy_goap_is(stage, 6);
        (void)ploy_htn_type_method(recipes, cook, "done", &need, 1, NULL, 0);
        result = ploy_htn_type_finish(recipes);
    }
    if (result == PLOY_OK) result = save_cook_make(bench, &agent);
    if (result == PLOY_OK) {
        result = ploy_goap_agent_set_task(agent, recipes, ploy_htn_type_find(recipes, "cook"));
    }
    if (result != PLOY_OK) {
        ploy_goap_agent_destroy(agent);
        ploy_htn_type_destroy(recipes);
        ploy_goap_type_destroy(type);
        return result;
    }
    bench->more = recipes;
    bench->mind = ploy_goap_agent_behavior(agent);
    return PLOY_OK;
}

static void save_cook_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_htn_type_destroy(bench->more);
    ploy_goap_type_destroy(bench->type);
}

// The last action of the plan stands for it.
static const char *save_cook_where(const saved_bench *bench) {
    const int32_t *plan = NULL;
    int32_t place = 0, count = ploy_goap_agent_plan(bench->mind.self, &plan, &place);
    return count > 0 && place < count ? ploy_goap_type_action_id(bench->type, plan[place]) : "";
}

// When a cook that succeeded is asked again, dinner is over.
static ploy_result save_cook_poke(saved_bench *bench, uint64_t tick) {
    (void)tick;
    if (bench->world[0] == 6) bench->world[0] = (uint64_t)saved_draw(bench, tick, 11, 1);
    return PLOY_OK;
}

// ---- an alarm and a decider, who think and ask for nothing

typedef struct save_body {
    ploy_actions *actions;
    ploy_action_book *book;
} save_body;

static void save_body_free(saved_bench *bench, save_body *body) {
    ploy_action_book_destroy(body->book);
    ploy_actions_destroy(body->actions);
    ploy_env_free(&bench->env, body, sizeof *body);
}

static ploy_result save_stack_build(saved_bench *bench, int32_t edition) {
    (void)edition;
    ploy_actions_def def = ploy_actions_def_default();
    ploy_action_stack_def stack_def = ploy_action_stack_def_default();
    ploy_action_host host;
    memset(&host, 0, sizeof host);
    save_body *body = ploy_env_alloc_zero(&bench->env, sizeof *body);
    if (body == NULL) return PLOY_ERR_MEMORY;
    ploy_action_stack *stack = NULL;
    ploy_result result = ploy_actions_create(&def, &host, &bench->env, &body->actions);
    if (result == PLOY_OK) result = ploy_action_book_create(&bench->env, &body->book);
    if (result == PLOY_OK) {
        ploy_action_part part = ploy_action_part_make("wave", PLOY_ACTION_ANIMATE, 1);
        ploy_action_book_add(body->book, &part);
        result = ploy_action_book_finish(body->book);
    }
    if (result == PLOY_OK) {
        result = ploy_action_stack_create(&stack_def, body->book, ploy_agent_id_make(1, 1),
                                          saved_walk_maker(bench), saved_walk_maker(bench),
                                          body->actions, &bench->env, &stack);
    }
    if (result != PLOY_OK) {
        save_body_free(bench, body);
        return result;
    }
    bench->more = body;
    bench->mind = ploy_action_stack_behavior(stack);
    return PLOY_OK;
}

static void save_stack_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    save_body_free(bench, bench->more);
}

static const char *save_stack_where(const saved_bench *bench) {
    (void)bench;
    return "";
}

static const saved_kind save_kinds[] = {
    {"fuzzy state machine", save_moods_build, save_moods_unbuild, NULL, save_moods_where, "calm",
     "alert", true},
    {"markov", save_markov_build, save_markov_unbuild, NULL, save_markov_where, "far", "#2", true},
    {"utility", save_utility_build, save_utility_unbuild, NULL, save_utility_where, "eat", "fight",
     true},
    {"decision tree", save_tree_build, save_tree_unbuild, NULL, save_tree_where, "right", "hide",
     true},
    {"state machine", save_fsm_build, save_fsm_unbuild, NULL, save_fsm_where, "left", "hide", true},
    {"goap", save_cook_build, save_cook_unbuild, save_cook_poke, save_cook_where, "to 5", "leap 4",
     false},
    {"recipes", save_recipes_build, save_cook_unbuild, save_cook_poke, save_cook_where, "to 3",
     "leap 4", false},
    {"action stack", save_stack_build, save_stack_unbuild, NULL, save_stack_where, NULL, NULL,
     true},
};

TEST(a_mind_that_was_saved_goes_on_as_one_that_never_was) {
    for (size_t i = 0; i < COUNT_OF(save_kinds); i++) {
        saved_check_round_trip(t, &save_kinds[i], test_rounds(40));
    }
}

TEST(an_edited_definition_keeps_what_it_knows_and_tells_of_the_rest) {
    for (size_t i = 0; i < COUNT_OF(save_kinds); i++) {
        if (save_kinds[i].kept != NULL) saved_check_edited(t, &save_kinds[i]);
    }
}

TEST(altered_files_of_minds_are_refused_or_do_no_harm) {
    for (size_t i = 0; i < COUNT_OF(save_kinds); i++) {
        saved_check_altered(t, &save_kinds[i], test_rounds(60));
    }
}

TEST(loading_a_mind_survives_every_failing_allocation) {
    for (size_t i = 0; i < COUNT_OF(save_kinds); i++) saved_check_fail(t, &save_kinds[i]);
}

TEST(a_mind_that_runs_is_not_loaded_over) {
    for (size_t i = 2; i < COUNT_OF(save_kinds) - 3; i++) { // those that hold others
        t->row = save_kinds[i].row;
        bool met = false;
        for (uint64_t ticks = 1; ticks < 40 && !met; ticks++) {
            saved_bench bench;
            ploy_env env = ploy_env_default();
            CHECK_OK(saved_open(&bench, &save_kinds[i], 0, 5, &env));
            CHECK_OK(saved_run(&bench, &save_kinds[i], 0, ticks));
            ploy_json *doc = saved_take(t, bench.mind, &env);
            ploy_json_node state = ploy_json_member(doc, ploy_json_root(doc), "state");
            met = !ploy_json_is_none(ploy_json_member(doc, state, "inside"));
            if (met) {
                CHECK_INT(
                    ploy_behavior_load(bench.mind, &bench.context, doc, ploy_json_root(doc), NULL),
                    PLOY_ERR_STATE);
            }
            ploy_json_destroy(doc);
            ploy_behavior_exit(bench.mind, &bench.context, PLOY_EXIT_REMOVED);
            saved_close(&bench, &save_kinds[i]);
        }
        CHECK(met);
    }
}
