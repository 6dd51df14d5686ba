// Every technique as a maker from a shared definition: it continues as if it had never been saved,
// takes up what an edited definition still knows, survives altered files and every failing
// allocation. What runs inside is three steps long and keeps count (saved_walk).
#include "decide/decide_internal.h"
#include "ploy/decide/action_stack.h"
#include "ploy/decide/experts.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/goals.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/goap_policy.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/routine.h"
#include "ploy/decide/rule_set.h"
#include "ploy/decide/rules_type.h"
#include "tests/decide/saved.h"

static const char *minds_nowhere(const saved_bench *bench) {
    (void)bench;
    return "";
}

// ---- fuzzy: two options by the key "x"; edition 1 has one

static ploy_result minds_fuzzy_build(saved_bench *bench, int32_t edition) {
    ploy_fuzzy_type *type = NULL;
    ploy_result result = ploy_fuzzy_type_create("gait", &bench->env, &type);
    if (result != PLOY_OK) return result;
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0.0;
    def.max = 1.0;
    int32_t x = ploy_fuzzy_type_input(type, "x", &def);
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0.0, 0.3, 0.7);
    ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(0.3, 0.7, 1.0);
    (void)ploy_fuzzy_type_term(type, x, "low", &low); // finish tells of faults
    (void)ploy_fuzzy_type_term(type, x, "high", &high);
    static const char *const names[] = {"walk", "run"};
    def.aggregation = PLOY_FUZZY_MAXIMUM;
    for (int32_t i = 0; i < 2 - edition; i++) {
        int32_t output = ploy_fuzzy_type_output(type, names[i], &def);
        ploy_fuzzy_set no = ploy_fuzzy_triangle(0.0, 0.2, 0.4);
        ploy_fuzzy_set yes = ploy_fuzzy_triangle(0.6, 0.8, 1.0);
        (void)ploy_fuzzy_type_term(type, output, "no", &no);
        (void)ploy_fuzzy_type_term(type, output, "yes", &yes);
        (void)ploy_fuzzy_type_option(type, output, saved_walk_maker(bench));
    }
    ploy_fuzzy_block_def block = ploy_fuzzy_block_def_default();
    block.conjunction = PLOY_FUZZY_MINIMUM;
    block.disjunction = PLOY_FUZZY_MAXIMUM;
    block.implication = PLOY_FUZZY_MINIMUM;
    int32_t rules = ploy_fuzzy_type_block(type, "", &block);
    (void)ploy_fuzzy_type_rule(type, rules, "if x is low then walk is yes", NULL);
    (void)ploy_fuzzy_type_rule(type, rules, "if x is high then walk is no", NULL);
    if (edition == 0) {
        (void)ploy_fuzzy_type_rule(type, rules, "if x is low then run is no", NULL);
        (void)ploy_fuzzy_type_rule(type, rules, "if x is high then run is yes", NULL);
    }
    result = ploy_fuzzy_type_bind(type, bench->layout);
    if (result == PLOY_OK) result = ploy_fuzzy_type_finish(type, NULL);
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_fuzzy_type_maker(type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) ploy_fuzzy_type_destroy(type);
    bench->type = type;
    return result;
}

static void minds_fuzzy_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_fuzzy_type_destroy(bench->type);
}

static const char *minds_fuzzy_where(const saved_bench *bench) {
    const ploy_fuzzy *fuzzy = bench->mind.self;
    return ploy_fuzzy_output(fuzzy, 1) > ploy_fuzzy_output(fuzzy, 0) ? "run" : "walk";
}

// ---- Markov: the larger of two runs; in edition 1 one of them has another id

static ploy_result minds_markov_build(saved_bench *bench, int32_t edition) {
    ploy_markov_def def = ploy_markov_def_default();
    def.count = 2;
    def.min = 0.0;
    def.max = 4.0;
    ploy_markov_type *type = NULL;
    ploy_result result = ploy_markov_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    static const double matrices[][4] = {{0.5, 0.5, 0.0, 1.0}, {1.0, 0.0, 0.5, 0.5}};
    static const double first[] = {1.0, 0.0};
    static const char *const keys[] = {"a", "b"};
    ploy_conditions *set = ploy_markov_type_conditions(type);
    for (int32_t i = 0; i < 2; i++) {
        (void)ploy_markov_type_add(type, keys[i], ploy_condition_bool(set, keys[i]), matrices[i],
                                   NULL, NULL);
        (void)ploy_markov_type_option(type, i, saved_walk_maker(bench));
    }
    (void)ploy_markov_type_name(type, 0, "near");
    (void)ploy_markov_type_name(type, 1, edition == 0 ? "far" : "high");
    (void)ploy_markov_type_set_initial(type, first);
    result = ploy_markov_type_finish(type);
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_markov_type_maker(type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) ploy_markov_type_destroy(type);
    bench->type = type;
    return result;
}

static void minds_markov_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_markov_type_destroy(bench->type);
}

static const char *minds_markov_where(const saved_bench *bench) {
    const double *v = ploy_markov_vector(bench->mind.self);
    return ployi_markov_type_id(bench->type, ploy_markov_largest(v, 2));
}

// ---- goals: two behaviors in turn, for ever; edition 1 has one

typedef struct minds_goals {
    ploy_goal_type types[2];
    ploy_goals_type *type;
} minds_goals;

static ploy_result minds_goals_build(saved_bench *bench, int32_t edition) {
    minds_goals *it = ploy_env_alloc_zero(&bench->env, sizeof *it);
    if (it == NULL) return PLOY_ERR_MEMORY;
    ploy_goals_def def = ploy_goals_def_default();
    def.capacity = 4;
    ploy_result result = ploy_goals_type_create(&def, &bench->env, &it->type);
    static const char *const names[] = {"patrol", "rest"};
    for (int32_t i = 0; i < 2 - edition && result == PLOY_OK; i++) {
        it->types[i].name = names[i];
        it->types[i].maker = saved_walk_maker(bench);
        result = ploy_goals_type_add(it->type, PLOY_GOAL_REPEAT, &it->types[i], NULL, 0);
    }
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_goals_type_maker(it->type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) {
        ploy_goals_type_destroy(it->type);
        ploy_env_free(&bench->env, it, sizeof *it);
    }
    bench->type = it;
    return result;
}

static void minds_goals_unbuild(saved_bench *bench) {
    minds_goals *it = bench->type;
    ploy_behavior_destroy(bench->mind);
    ploy_goals_type_destroy(it->type);
    ploy_env_free(&bench->env, it, sizeof *it);
}

static const char *minds_goals_where(const saved_bench *bench) {
    const ploy_goals *goals = ploy_goals_of(bench->mind);
    const ploy_goal_type *type = ploy_goals_type_of(goals, ployi_goals_leaf(goals));
    return type != NULL ? type->name : "nothing";
}

// ---- planners: wood, with an axe or quickly while "c" holds; edition 1 cannot be quick

typedef struct minds_plan {
    ploy_goap_type *domain;
    ploy_htn_type *recipes;
    ploy_goap_agent_type *type;
    ploy_goap_policy_type *policy;
} minds_plan;

static void minds_action(ploy_goap_type *type, const char *id, double cost, ploy_goap_need need,
                         ploy_goap_gain gain) {
    ploy_goap_action action = ploy_goap_action_make(id, cost);
    action.needs = &need;
    action.need_count = need.var.number != 0 ? 1 : 0;
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(type, &action); // finish tells of faults
}

static ploy_result minds_domain(saved_bench *bench, int32_t edition, minds_plan *it,
                                ploy_goap_need *goal) {
    ploy_result result = ploy_goap_type_create(&bench->env, &it->domain);
    if (result != PLOY_OK) return result;
    ploy_goap_var quick = ploy_goap_type_bool(it->domain, "c"); // a key
    ploy_goap_var axe = ploy_goap_type_bool(it->domain, "axe"); // the agent's own
    ploy_goap_var wood = ploy_goap_type_int(it->domain, "wood", 0, 3);
    ploy_goap_var none = {0};
    minds_action(it->domain, "get axe", 1.0, ploy_goap_is(none, 0), ploy_goap_set_to(axe, 1));
    minds_action(it->domain, "chop", 2.0, ploy_goap_is(axe, 1), ploy_goap_add_to(wood, 1));
    if (edition == 0) {
        minds_action(it->domain, "buy", 1.0, ploy_goap_is(quick, 1), ploy_goap_add_to(wood, 1));
    }
    *goal = ploy_goap_need_make(wood, PLOY_GOAP_AT_LEAST, 3);
    return ploy_goap_type_finish(it->domain);
}

static void minds_plan_free(saved_bench *bench, minds_plan *it) {
    ploy_goap_agent_type_destroy(it->type);
    ploy_goap_policy_type_destroy(it->policy);
    ploy_htn_type_destroy(it->recipes);
    ploy_goap_type_destroy(it->domain);
    ploy_env_free(&bench->env, it, sizeof *it);
}

static ploy_result minds_recipes(saved_bench *bench, int32_t edition, minds_plan *it) {
    ploy_result result = ploy_htn_type_create(it->domain, &bench->env, &it->recipes);
    if (result != PLOY_OK) return result;
    ploy_htn_task task = ploy_htn_type_task(it->recipes, "work");
    ploy_htn_task axe = ploy_htn_type_action(it->recipes, "get axe");
    ploy_htn_task chop = ploy_htn_type_action(it->recipes, "chop");
    if (edition == 0) {
        ploy_goap_need need = ploy_goap_is(ploy_goap_type_find(it->domain, "c"), 1);
        ploy_htn_task buy = ploy_htn_type_action(it->recipes, "buy");
        ploy_htn_task steps[] = {buy, buy};
        (void)ploy_htn_type_method(it->recipes, task, "quick", &need, 1, steps, 2);
    }
    ploy_htn_task steps[] = {axe, chop, chop};
    (void)ploy_htn_type_method(it->recipes, task, "slow", NULL, 0, steps, 3);
    return ploy_htn_type_finish(it->recipes);
}

static ploy_result minds_goap_make(saved_bench *bench, int32_t edition, bool recipes) {
    minds_plan *it = ploy_env_alloc_zero(&bench->env, sizeof *it);
    if (it == NULL) return PLOY_ERR_MEMORY;
    ploy_goap_need goal;
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_result result = minds_domain(bench, edition, it, &goal);
    if (result == PLOY_OK) {
        result =
            ploy_goap_agent_type_create(&def, it->domain, bench->layout, &bench->env, &it->type);
    }
    if (result == PLOY_OK && recipes) result = minds_recipes(bench, edition, it);
    if (result == PLOY_OK) {
        result = recipes ? ploy_goap_agent_type_set_task(it->type, it->recipes,
                                                         ploy_htn_type_find(it->recipes, "work"))
                         : ploy_goap_agent_type_set_goal(it->type, &goal, 1);
    }
    static const char *const actions[] = {"get axe", "chop", "buy"};
    for (int32_t i = 0; i < 3 - edition && result == PLOY_OK; i++) {
        result = ploy_goap_agent_type_set_action(it->type, actions[i], saved_walk_maker(bench));
    }
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_goap_agent_type_maker(it->type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) minds_plan_free(bench, it);
    bench->type = it;
    return result;
}

static ploy_result minds_goap_build(saved_bench *bench, int32_t edition) {
    return minds_goap_make(bench, edition, false);
}

static ploy_result minds_htn_build(saved_bench *bench, int32_t edition) {
    return minds_goap_make(bench, edition, true);
}

static void minds_plan_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    minds_plan_free(bench, bench->type);
}

static const char *minds_goap_where(const saved_bench *bench) {
    const int32_t *plan = NULL;
    int32_t place = 0;
    int32_t count = ploy_goap_agent_plan(ploy_goap_agent_of(bench->mind), &plan, &place);
    const minds_plan *it = bench->type;
    return place < count ? ploy_goap_type_action_id(it->domain, plan[place]) : "thinks";
}

// Chopping may fail.
static ploy_result minds_policy_build(saved_bench *bench, int32_t edition) {
    minds_plan *it = ploy_env_alloc_zero(&bench->env, sizeof *it);
    if (it == NULL) return PLOY_ERR_MEMORY;
    ploy_goap_need goal;
    static const ploy_goap_branch axe[] = {{0, 1.0}}, chop[] = {{1, 0.5}, {0, 0.5}};
    static const ploy_goap_gamble gambles[] = {{axe, 1}, {chop, 2}};
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    ploy_result result = minds_domain(bench, edition, it, &goal);
    if (result == PLOY_OK) {
        result = ploy_goap_policy_type_create(&def, it->domain, gambles, 2, bench->layout,
                                              &bench->env, &it->policy);
    }
    if (result == PLOY_OK) result = ploy_goap_policy_type_set_goal(it->policy, &goal, 1);
    if (result == PLOY_OK) { // the axe is drawn, and always comes
        result = ployi_goap_policy_type_set_action(it->policy, 1, saved_walk_maker(bench));
    }
    if (result == PLOY_OK) {
        result =
            ploy_maker_make(ploy_goap_policy_type_maker(it->policy), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) minds_plan_free(bench, it);
    bench->type = it;
    return result;
}

// ---- routines: two states that wait and count; both lie in one file, so that lines are known

typedef struct minds_guard {
    int64_t post, rounds;
} minds_guard;

static saved_bench *minds_routine_bench(const ploy_routine *routine) {
    return (saved_bench *)(uintptr_t)routine->context->world;
}

static ploy_result minds_patrol(ploy_routine *routine, void *self) {
    minds_guard *guard = self;
    PLOY_ROUTINE_BEGIN(routine);
    for (guard->post = 0; guard->post < 3; guard->post++) {
        saved_note(minds_routine_bench(routine), 10 + (uint64_t)guard->post);
        PLOY_ROUTINE_WAIT(routine, 0.5);
    }
    guard->rounds++;
    PLOY_ROUTINE_GO(routine, 1);
    PLOY_ROUTINE_END(routine);
}

static ploy_result minds_sleep(ploy_routine *routine, void *self) {
    minds_guard *guard = self;
    PLOY_ROUTINE_BEGIN(routine);
    saved_note(minds_routine_bench(routine), 20 + (uint64_t)guard->rounds);
    PLOY_ROUTINE_YIELD(routine);
    PLOY_ROUTINE_UNTIL(routine,
                       ploy_blackboard_get_bool(routine->context->blackboard, (ploy_slot){1}));
    PLOY_ROUTINE_GO(routine, 0);
    PLOY_ROUTINE_END(routine);
}

static ploy_result minds_routine_build(saved_bench *bench, int32_t edition) {
    static const ploy_routine_state states[] = {{"patrol", minds_patrol, NULL},
                                                {"sleep", minds_sleep, NULL}};
    static const ploy_routine_def defs[] = {
        {"guard", states, 2, NULL, sizeof(minds_guard), 1},
        {"guard", states, 2, NULL, sizeof(minds_guard), 2}}; // lines have moved
    bench->context.world = bench;
    return ploy_maker_make(ploy_routine_maker(&defs[edition]), &bench->env, &bench->mind);
}

static void minds_routine_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
}

// ---- rule sets: behaviors by keys, items that are rewritten, a set that is switched

static ploy_result minds_note_fire(const ploy_set_turn *turn) {
    saved_note((saved_bench *)(uintptr_t)turn->moment->context->world,
               (uint64_t)(uintptr_t)turn->data);
    return PLOY_OK;
}

typedef struct minds_sets {
    ploy_rule_set_type *outer, *inner;
} minds_sets;

static ploy_result minds_set_fill(saved_bench *bench, minds_sets *it, int32_t edition,
                                  ploy_rule_arbiter arbiter, ploy_suspension suspension) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = (int32_t)arbiter;
    def.suspension = (int32_t)suspension;
    def.seed = 5;
    ploy_result result = ploy_rule_set_type_create(&def, bench->layout, &bench->env, &it->inner);
    if (result == PLOY_OK) {
        result = ploy_rule_set_type_create(&def, bench->layout, &bench->env, &it->outer);
    }
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_rule_set_type_conditions(it->outer);
    ploy_set_rule rule = ploy_set_rule_make("flee");
    rule.condition = ploy_condition_bool(set, "a");
    rule.fire = minds_note_fire;
    rule.data = (void *)(uintptr_t)1;
    if (edition == 0) rule.maker = saved_walk_maker(bench);
    if (edition == 0) (void)ploy_rule_set_type_add(it->outer, &rule); // finish tells of faults
    rule = ploy_set_rule_make("take");
    rule.condition = ploy_condition_bool(set, "b");
    rule.pattern = "(gold ?place)";
    rule.remove = "(gold ?place)";
    rule.add = "(taken ?place)";
    rule.on = "inside";
    rule.fire = minds_note_fire;
    rule.data = (void *)(uintptr_t)2;
    (void)ploy_rule_set_type_add(it->outer, &rule);
    rule = ploy_set_rule_make("spend");
    rule.condition = ploy_condition_bool(set, "c");
    rule.pattern = "(taken ?place)";
    rule.remove = "(taken ?place)";
    rule.add = "(gold ?place)";
    rule.off = "inside";
    rule.fire = minds_note_fire;
    rule.data = (void *)(uintptr_t)3;
    (void)ploy_rule_set_type_add(it->outer, &rule);
    rule = ploy_set_rule_make("idle");
    rule.maker = saved_walk_maker(bench);
    rule.fire = minds_note_fire;
    rule.data = (void *)(uintptr_t)4;
    (void)ploy_rule_set_type_add(it->inner, &rule);
    result = ploy_rule_set_type_finish(it->inner);
    if (result != PLOY_OK) return result;
    (void)ploy_rule_set_type_add_set(it->outer, "inside", it->inner, false);
    (void)ploy_rule_set_type_items(it->outer, "(gold [1, 2]) (gold \"the mill\")", NULL);
    result = ploy_rule_set_type_finish(it->outer);
    if (result != PLOY_OK) return result;
    return ploy_maker_make(ploy_rule_set_type_maker(it->outer), &bench->env, &bench->mind);
}

static ploy_result minds_set_make(saved_bench *bench, int32_t edition, ploy_rule_arbiter arbiter,
                                  ploy_suspension suspension) {
    minds_sets *it = ploy_env_alloc_zero(&bench->env, sizeof *it);
    if (it == NULL) return PLOY_ERR_MEMORY;
    bench->context.world = bench;
    ploy_result result = minds_set_fill(bench, it, edition, arbiter, suspension);
    if (result != PLOY_OK) {
        ploy_rule_set_type_destroy(it->outer);
        ploy_rule_set_type_destroy(it->inner);
        ploy_env_free(&bench->env, it, sizeof *it);
    }
    bench->type = it;
    return result;
}

static ploy_result minds_set_first_build(saved_bench *bench, int32_t edition) {
    return minds_set_make(bench, edition, PLOY_RULE_ARBITER_FIRST, PLOY_SUSPEND_UNTIL_CHANGE);
}

static ploy_result minds_set_recent_build(saved_bench *bench, int32_t edition) {
    return minds_set_make(bench, edition, PLOY_RULE_ARBITER_LEAST_RECENT, PLOY_SUSPEND_UNTIL_MATCH);
}

static ploy_result minds_set_random_build(saved_bench *bench, int32_t edition) {
    return minds_set_make(bench, edition, PLOY_RULE_ARBITER_RANDOM, PLOY_SUSPEND_NEVER);
}

static void minds_set_unbuild(saved_bench *bench) {
    minds_sets *it = bench->type;
    ploy_behavior_destroy(bench->mind);
    ploy_rule_set_type_destroy(it->outer);
    ploy_rule_set_type_destroy(it->inner);
    ploy_env_free(&bench->env, it, sizeof *it);
}

// ---- experts: one proposes, one agrees, one walks

static float minds_propose_insists(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)args;
    return moment->context->tick % 4 == 1 ? 0.9f : 0.0f;
}

static void minds_propose(const ploy_expert_turn *turn) {
    ploy_expert_action action = {ploy_name_of("fire"), turn->context->tick};
    int32_t number = 0;
    if (ploy_experts_propose(turn->experts, action, 1u << 1, &number) != PLOY_OK) return;
    saved_note((saved_bench *)(uintptr_t)turn->context->world, (uint64_t)number);
}

static void minds_agree(const ploy_expert_turn *turn) {
    ploy_expert_action action;
    for (int32_t i = 1; i < 100; i++) (void)ploy_experts_agree(turn->experts, i, 1);
    while (ploy_experts_take(turn->experts, &action)) {
        saved_note((saved_bench *)(uintptr_t)turn->context->world, action.subject);
    }
}

static ploy_result minds_experts_build(saved_bench *bench, int32_t edition) {
    ploy_experts_def def = ploy_experts_def_default();
    def.random_ties = true;
    bench->context.world = bench;
    ploy_experts_type *type = NULL;
    ploy_result result = ploy_experts_type_create(&def, bench->layout, &bench->env, &type);
    if (result != PLOY_OK) return result;
    ploy_conditions *set = ploy_experts_type_conditions(type);
    ploy_expert expert = ploy_expert_make("proposer");
    expert.insistence = ploy_score_call(set, "propose", minds_propose_insists, NULL);
    expert.run = minds_propose;
    (void)ploy_experts_type_add(type, &expert, NULL); // finish tells of faults
    expert = ploy_expert_make("judge");
    expert.insists = 0.5f;
    expert.condition = ploy_condition_bool(set, "a");
    expert.run = minds_agree;
    (void)ploy_experts_type_add(type, &expert, NULL);
    for (int32_t i = 0; i < 2 - edition; i++) {
        expert = ploy_expert_make(i == 0 ? "driver" : "loader");
        expert.insists = 0.2f;
        expert.maker = saved_walk_maker(bench);
        (void)ploy_experts_type_add(type, &expert, NULL);
    }
    result = ploy_experts_type_finish(type);
    if (result == PLOY_OK) {
        result = ploy_maker_make(ploy_experts_type_maker(type), &bench->env, &bench->mind);
    }
    if (result != PLOY_OK) ploy_experts_type_destroy(type);
    bench->type = type;
    return result;
}

static void minds_experts_unbuild(saved_bench *bench) {
    ploy_behavior_destroy(bench->mind);
    ploy_experts_type_destroy(bench->type);
}

// ---- rules: facts bound to keys, logical conclusions, refraction, sequences, a behavior

typedef struct minds_rules {
    ploy_rulebase *base;
    ploy_rules_type *type;
    int32_t a, log, tired;
} minds_rules;

static ploy_result minds_rule_action(void *user, ploy_rules *rules, int32_t rule) {
    minds_rules *it = user;
    const char *name = ploy_rulebase_rule_name(it->base, rule);
    const ploy_step_context *context = ploy_rules_context(rules);
    saved_note((saved_bench *)(uintptr_t)context->world, ploy_name_of(name).hash);
    if (strcmp(name, "note") == 0) { // (log TICK rest...)
        ploy_rule_value fields[3] = {ploy_rule_integer((int64_t)context->tick),
                                     ploy_rule_symbol(ploy_name_of("x")), ploy_rule_float(0.5)};
        ploy_result result = ploy_rules_assert_ordered(rules, it->log, fields, 3, NULL);
        return result == PLOY_ERR_EXISTS ? PLOY_OK : result;
    }
    if (strcmp(name, "tire") == 0) { // logical: goes with (a TRUE)
        ploy_rule_value field = ploy_rules_variable(rules, 0);
        ploy_result result = ploy_rules_assert_ordered(rules, it->tired, &field, 1, NULL);
        return result == PLOY_ERR_EXISTS || result == PLOY_ERR_DENIED ? PLOY_OK : result;
    }
    if (strcmp(name, "forget") == 0)
        return ploy_rules_retract(rules, ployi_rules_matched(rules, 0));
    return PLOY_OK;
}

static ploy_rule_ce minds_ce(int32_t relation, const ploy_rule_slot_pattern *slot) {
    ploy_rule_ce ce;
    memset(&ce, 0, sizeof ce);
    ce.kind = PLOY_RULE_PATTERN;
    ce.template_index = relation;
    ce.slots = slot;
    ce.slot_count = 1;
    return ce;
}

static ploy_result minds_rule(ploy_rulebase *base, const char *name, int32_t salience,
                              ploy_rule_ce_kind kind, const ploy_rule_ce *items, int32_t count) {
    ploy_rule_def def;
    memset(&def, 0, sizeof def);
    def.name = name;
    def.salience = salience;
    def.lhs.kind = kind;
    def.lhs.items = items;
    def.lhs.item_count = count;
    return ploy_rulebase_add_rule(base, &def, NULL, NULL, NULL);
}

static ploy_result minds_rules_fill(saved_bench *bench, minds_rules *it, int32_t edition) {
    ploy_result result = ploy_rulebase_create(&bench->env, &it->base);
    int32_t b = 0;
    ploy_name name = {0};
    if (result == PLOY_OK && edition == 1) { // another number for every template
        result = ploy_rulebase_add_relation(it->base, "new", &b);
    }
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(it->base, "a", &it->a);
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(it->base, "b", &b);
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(it->base, "log", &it->log);
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(it->base, "tired", &it->tired);
    if (result == PLOY_OK) result = ploy_rulebase_text(it->base, "x", &name);
    if (result == PLOY_OK) result = ploy_rulebase_text(it->base, "TRUE", &name);
    if (result != PLOY_OK) return result;
    ploy_rule_constraint is;
    memset(&is, 0, sizeof is);
    is.kind = PLOY_RULE_IS;
    is.value = ploy_rule_symbol(ploy_name_of("TRUE"));
    ploy_rule_field yes = {false, NULL, &is, 1};
    ploy_rule_field any = {false, "v", NULL, 0};
    ploy_rule_field two[] = {{false, "when", NULL, 0}, {true, "rest", NULL, 0}};
    ploy_rule_slot_pattern yes_slot = {0, &yes, 1}, any_slot = {0, &any, 1}, log_slot = {0, two, 2};
    ploy_rule_ce a_yes = minds_ce(it->a, &yes_slot), b_any = minds_ce(b, &any_slot);
    ploy_rule_ce log = minds_ce(it->log, &log_slot), tired = minds_ce(it->tired, &any_slot);
    ploy_rule_ce logical[] = {b_any, a_yes};
    ploy_rule_ce grounds;
    memset(&grounds, 0, sizeof grounds);
    grounds.kind = PLOY_RULE_LOGICAL;
    grounds.items = logical;
    grounds.item_count = 2;
    ploy_rule_ce both[] = {a_yes, b_any}, pair[] = {log, tired};
    result = minds_rule(it->base, "note", 0, PLOY_RULE_AND, both, 2);
    if (result == PLOY_OK) result = minds_rule(it->base, "tire", 5, PLOY_RULE_AND, &grounds, 1);
    if (result == PLOY_OK) result = minds_rule(it->base, "walk", 1, PLOY_RULE_AND, &tired, 1);
    if (result == PLOY_OK && edition == 0) {
        result = minds_rule(it->base, "forget", -5, PLOY_RULE_AND, pair, 2);
    }
    if (result == PLOY_OK && edition == 1) { // matches what is there already
        result = minds_rule(it->base, "fresh", 0, PLOY_RULE_AND, &b_any, 1);
    }
    if (result != PLOY_OK) return result;
    ploy_rules_def def = ploy_rules_def_default();
    def.audit = true;
    def.loop = true;
    def.action = minds_rule_action;
    def.user = it;
    result = ploy_rules_type_create(&def, it->base, bench->layout, &bench->env, &it->type);
    if (result == PLOY_OK) {
        result = ploy_rules_type_set_behavior(it->type, "walk", saved_walk_maker(bench));
    }
    if (result != PLOY_OK) return result;
    return ploy_maker_make(ploy_rules_type_maker(it->type), &bench->env, &bench->mind);
}

static ploy_result minds_rules_build(saved_bench *bench, int32_t edition) {
    minds_rules *it = ploy_env_alloc_zero(&bench->env, sizeof *it);
    if (it == NULL) return PLOY_ERR_MEMORY;
    bench->context.world = bench;
    ploy_result result = minds_rules_fill(bench, it, edition);
    if (result != PLOY_OK) {
        ploy_rules_type_destroy(it->type);
        ploy_rulebase_destroy(it->base);
        ploy_env_free(&bench->env, it, sizeof *it);
    }
    bench->type = it;
    return result;
}

static void minds_rules_unbuild(saved_bench *bench) {
    minds_rules *it = bench->type;
    ploy_behavior_destroy(bench->mind);
    ploy_rules_type_destroy(it->type);
    ploy_rulebase_destroy(it->base);
    ploy_env_free(&bench->env, it, sizeof *it);
}

// ---- all of them

static const saved_kind minds_kinds[] = {
    {"fuzzy", minds_fuzzy_build, minds_fuzzy_unbuild, NULL, minds_fuzzy_where, "walk", "run", true},
    {"markov", minds_markov_build, minds_markov_unbuild, NULL, minds_markov_where, "near", "far",
     true},
    {"goals", minds_goals_build, minds_goals_unbuild, NULL, minds_goals_where, "patrol", "rest",
     true},
    {"goap", minds_goap_build, minds_plan_unbuild, NULL, minds_goap_where, "get axe", "buy", false},
    {"htn", minds_htn_build, minds_plan_unbuild, NULL, minds_goap_where, "get axe", "buy", false},
    {"policy", minds_policy_build, minds_plan_unbuild, NULL, minds_nowhere, NULL, NULL, false},
    {"routine", minds_routine_build, minds_routine_unbuild, NULL, minds_nowhere, NULL, NULL, true},
    {"rule set, first", minds_set_first_build, minds_set_unbuild, NULL, minds_nowhere, NULL, NULL,
     true},
    {"rule set, least recent", minds_set_recent_build, minds_set_unbuild, NULL, minds_nowhere, NULL,
     NULL, true},
    {"rule set, random", minds_set_random_build, minds_set_unbuild, NULL, minds_nowhere, NULL, NULL,
     true},
    {"experts", minds_experts_build, minds_experts_unbuild, NULL, minds_nowhere, NULL, NULL, true},
    {"rules", minds_rules_build, minds_rules_unbuild, NULL, minds_nowhere, NULL, NULL, true},
};

TEST(every_mind_continues_as_if_it_had_never_been_saved) {
    for (size_t i = 0; i < COUNT_OF(minds_kinds); i++) {
        saved_check_round_trip(t, &minds_kinds[i], 60);
    }
}

TEST(every_mind_keeps_what_an_edited_definition_knows) {
    for (size_t i = 0; i < COUNT_OF(minds_kinds); i++) {
        if (minds_kinds[i].kept != NULL) saved_check_edited(t, &minds_kinds[i]);
    }
}

TEST(an_altered_file_gives_a_mind_that_works) {
    for (size_t i = 0; i < COUNT_OF(minds_kinds); i++) {
        saved_check_altered(t, &minds_kinds[i], 150);
    }
}

TEST(loading_a_mind_survives_every_failing_allocation) {
    for (size_t i = 0; i < COUNT_OF(minds_kinds); i++) saved_check_fail(t, &minds_kinds[i]);
}

// The other editions: what is gone is reported, and the mind goes on.
TEST(edited_definitions_report_what_is_gone) {
    static const struct {
        const char *row;
        uint64_t ticks;
    } rows[] = {{"routine", 2},
                {"rule set, first", 9},
                {"rule set, least recent", 9},
                {"experts", 3},
                {"rules", 12}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        const saved_kind *kind = NULL;
        for (size_t i = 0; i < COUNT_OF(minds_kinds); i++) {
            if (strcmp(minds_kinds[i].row, rows[r].row) == 0) kind = &minds_kinds[i];
        }
        t->row = rows[r].row;
        int32_t warned = 0;
        for (uint64_t seed = 1; seed <= 40; seed++) {
            TEST_SEED(seed);
            ploy_env env = ploy_env_default();
            saved_bench old, fresh;
            CHECK_OK(saved_open(&old, kind, 0, seed, &env));
            CHECK_OK(saved_run(&old, kind, 0, rows[r].ticks));
            warned += saved_hand_over(t, &fresh, &old, kind, 1, rows[r].ticks);
            for (uint64_t i = rows[r].ticks; i < rows[r].ticks + 10; i++) {
                CHECK_OK(saved_tick(&fresh, kind, i));
            }
            ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
            ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
            saved_close(&fresh, kind);
            saved_close(&old, kind);
        }
        CHECK(warned > 0);
    }
}

// A rule that is new in an edited base matches the facts that were saved; the others do not fire
// again on what they fired on.
TEST(a_new_rule_fires_on_saved_facts_and_old_ones_do_not_fire_again) {
    ploy_env env = ploy_env_default();
    const saved_kind *kind = &minds_kinds[COUNT_OF(minds_kinds) - 1];
    saved_bench old, fresh;
    TEST_SEED(2);
    CHECK_OK(saved_open(&old, kind, 0, t->seed, &env));
    CHECK_OK(saved_run(&old, kind, 0, 6));
    uint64_t fired = ploy_rules_fired(ployi_rules_of(old.mind));
    CHECK(fired > 0);
    (void)saved_hand_over(t, &fresh, &old, kind, 1, 6);
    const ploy_rules *rules = ployi_rules_of(fresh.mind);
    CHECK_UINT(ploy_rules_fired(rules), fired);
    CHECK_INT(ploy_rules_fact_count(rules), ploy_rules_fact_count(ployi_rules_of(old.mind)));
    int32_t waiting = 0;
    ploy_rule_activation at = {-1, 0, NULL};
    const minds_rules *it = fresh.type;
    while (ploy_rules_next_activation(rules, 0, &at)) {
        waiting += strcmp(ploy_rulebase_rule_name(it->base, at.rule), "fresh") == 0;
    }
    CHECK_INT(waiting, 1); // (b TRUE) or (b FALSE)
    // Why a fact is there survives, with bindings and the firing.
    ploy_fact *tired = ploy_rules_next_of(rules, it->tired, NULL);
    if (tired != NULL) {
        ploy_buffer text;
        ploy_buffer_init(&text, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&text);
        CHECK_OK(ploy_rules_why(rules, ploy_fact_index(tired), &writer));
        CHECK(strstr(ploy_buffer_text(&text), "from rule tire, firing ") != NULL);
        CHECK(strstr(ploy_buffer_text(&text), " s, with ") != NULL); // the time of the firing
        CHECK(strstr(ploy_buffer_text(&text), "?v = ") != NULL);
        ploy_buffer_fini(&text);
    }
    ploy_behavior_exit(old.mind, &old.context, PLOY_EXIT_REMOVED);
    ploy_behavior_exit(fresh.mind, &fresh.context, PLOY_EXIT_REMOVED);
    saved_close(&fresh, kind);
    saved_close(&old, kind);
}
