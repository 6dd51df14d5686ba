// Every technique as a definition that holds another behavior, for test_nesting.c.
#pragma once

#include "decide/decide_internal.h"
#include "ploy/base/array.h"
#include "ploy/data/bt_file.h"
#include "ploy/data/machine.h"
#include "ploy/decide/action_stack.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/bt.h"
#include "ploy/decide/code_fsm.h"
#include "ploy/decide/decision_tree.h"
#include "ploy/decide/experts.h"
#include "ploy/decide/fsm.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/fuzzy_fsm.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/goap_policy.h"
#include "ploy/decide/gob_agent.h"
#include "ploy/decide/hsm.h"
#include "ploy/decide/htn.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/program.h"
#include "ploy/decide/routine.h"
#include "ploy/decide/rule_set.h"
#include "ploy/decide/rules_type.h"
#include "ploy/decide/utility.h"
#include "ploy/exec/group.h"
#include "ploy/exec/lod.h"
#include "ploy/exec/task_behavior.h"
#include "ploy/tactics/dwell.h"
#include "tests/test.h"

enum { NEST_KEYS = 6 };
static const ploy_blackboard_key nest_keys[NEST_KEYS] = {
    {"steps", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
    {"fail", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"done", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"go", PLOY_VALUE_BOOL, {PLOY_VALUE_BOOL, {.b = true}}, NULL},
    {"reached", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"x", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0.5f}}, NULL},
};

// What the innermost behavior counts, over all its lives.
typedef struct nest_counts {
    int32_t enters, exits, steps, messages, errors;
} nest_counts;

// What a definition consists of, to be freed in reverse.
typedef struct nest_part {
    void (*destroy)(void *object);
    void *object;
    size_t size; // of plain memory without a destroy
} nest_part;

typedef struct nest {
    ploy_env env;
    ploy_blackboard_layout *layout;
    nest_counts counts;
    ploy_function probe;
    ploy_array parts;   // nest_part
    ploy_result result; // the first fault of a definition
} nest;

// ---- the innermost behavior

typedef struct nest_state {
    uint32_t cookie;
    int32_t steps;
} nest_state;

static const ploy_field nest_fields[] = {
    PLOY_FIELD_I32(nest_state, steps, 0, 0, 1000000, "", "steps since enter")};

static ploy_fields nest_state_fields(void) {
    return PLOY_FIELDS(nest_state, nest_fields);
}

static ploy_result nest_enter(void *user, void *state, ploy_step_context *context) {
    (void)state, (void)context;
    ((nest *)user)->counts.enters++;
    return PLOY_OK;
}

static void nest_exit(void *user, void *state, ploy_step_context *context,
                      ploy_exit_reason reason) {
    (void)state, (void)context;
    ((nest *)user)->counts.exits++;
    if (reason == PLOY_EXIT_ERROR) ((nest *)user)->counts.errors++;
}

// Runs, and counts on the board, until the board says to fail or to be done.
static ploy_result nest_step(void *user, void *state, ploy_step_context *context,
                             ploy_status *status) {
    ploy_blackboard *board = context->blackboard;
    ((nest *)user)->counts.steps++;
    ((nest_state *)state)->steps++;
    if (ploy_blackboard_get_bool(board, (ploy_slot){2})) return PLOY_ERR_STATE;
    *status =
        ploy_blackboard_get_bool(board, (ploy_slot){3}) ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return ploy_blackboard_set_i64(board, (ploy_slot){1},
                                   ploy_blackboard_get_i64(board, (ploy_slot){1}) + 1);
}

static ploy_result nest_message(void *user, void *state, ploy_step_context *context,
                                const ploy_message *message, bool *handled) {
    (void)state, (void)context, (void)message;
    ((nest *)user)->counts.messages++;
    *handled = true;
    return PLOY_OK;
}

static ploy_result nest_begin(nest *n, const ploy_env *env) {
    memset(n, 0, sizeof *n);
    n->env = *env;
    ploy_array_init(&n->parts, sizeof(nest_part), env);
    n->probe.name = "probe";
    n->probe.step = nest_step;
    n->probe.enter = nest_enter;
    n->probe.exit = nest_exit;
    n->probe.message = nest_message;
    n->probe.user = n;
    n->probe.fields = nest_state_fields;
    return ploy_blackboard_layout_create(nest_keys, NEST_KEYS, "nest", env, NULL, &n->layout);
}

static void nest_end(nest *n) {
    for (int32_t i = n->parts.count - 1; i >= 0; i--) {
        const nest_part *part = &PLOY_ARRAY_ITEMS(&n->parts, nest_part)[i];
        if (part->destroy != NULL) {
            part->destroy(part->object);
        } else {
            ploy_env_free(&n->env, part->object, part->size);
        }
    }
    ploy_array_fini(&n->parts);
    ploy_blackboard_layout_destroy(n->layout);
}

// Notes a result. True if all went well so far.
static bool nest_note(nest *n, ploy_result result) {
    if (n->result == PLOY_OK && result < PLOY_OK) n->result = result;
    return n->result == PLOY_OK;
}

// Keeps a part of a definition; frees it at once if there is no room.
static bool nest_keep(nest *n, void (*destroy)(void *object), void *object) {
    nest_part part = {destroy, object, 0};
    if (object == NULL) return false;
    if (nest_note(n, ploy_array_push(&n->parts, &part))) return true;
    destroy(object);
    return false;
}

static void *nest_alloc(nest *n, size_t size) {
    nest_part part = {NULL, ploy_env_alloc_zero(&n->env, size), size};
    if (part.object == NULL) {
        (void)nest_note(n, PLOY_ERR_MEMORY);
        return NULL;
    }
    if (nest_note(n, ploy_array_push(&n->parts, &part))) return part.object;
    ploy_env_free(&n->env, part.object, size);
    return NULL;
}

#define NEST_DESTROY(type)                       \
    static void nest_free_##type(void *object) { \
        type##_destroy(object);                  \
    }
// Keeps a definition of a type whose destroy is type_destroy.
#define NEST_KEEP(n, type, object) nest_keep((n), nest_free_##type, (object))

// ---- decision trees and machines

NEST_DESTROY(ploy_decision_tree)
static ploy_maker nest_decision(nest *n, ploy_maker inside, bool edited) {
    ploy_decision_tree *tree = NULL;
    if (!nest_note(n, ploy_decision_tree_create(n->layout, &n->env, &tree)) ||
        !NEST_KEEP(n, ploy_decision_tree, tree)) {
        return ploy_maker_none();
    }
    ploy_decision_node act = ploy_decision_tree_leaf(tree, "act", inside);
    ploy_decision_node rest = ploy_decision_tree_leaf(tree, "rest", ploy_maker_none());
    ploy_condition go =
        ploy_condition_text(ploy_decision_tree_conditions(tree), edited ? "go && x > 0.1" : "go");
    (void)nest_note(n, ploy_conditions_result(ploy_decision_tree_conditions(tree)));
    ploy_decision_node root = ploy_decision_tree_test(tree, "go?", go, act, rest);
    (void)nest_note(n, ploy_decision_tree_finish(tree, root));
    return ploy_decision_tree_maker(tree);
}

NEST_DESTROY(ploy_fsm_type)
static ploy_maker nest_fsm(nest *n, ploy_maker inside, bool edited) {
    ploy_fsm_def def = ploy_fsm_def_default();
    ploy_fsm_type *type = NULL;
    if (!nest_note(n, ploy_fsm_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_fsm_type, type)) {
        return ploy_maker_none();
    }
    if (edited) (void)ploy_fsm_type_state(type, "new", NULL, ploy_maker_none());
    ploy_fsm_state act = ploy_fsm_type_state(type, "act", NULL, inside);
    ploy_fsm_state rest = ploy_fsm_type_state(type, "rest", NULL, ploy_maker_none());
    ploy_conditions *set = ploy_fsm_type_conditions(type);
    ploy_fsm_rule stop = ploy_fsm_rule_make("stop", act, ploy_condition_text(set, "!go"), rest);
    ploy_fsm_rule start = ploy_fsm_rule_make("start", rest, ploy_condition_text(set, "go"), act);
    (void)ploy_fsm_type_add(type, &stop);
    (void)ploy_fsm_type_add(type, &start);
    (void)nest_note(n, ploy_fsm_type_finish(type, act));
    return ploy_fsm_type_maker(type);
}

NEST_DESTROY(ploy_hsm_type)
static ploy_maker nest_hsm(nest *n, ploy_maker inside, bool edited) {
    ploy_hsm_def def = ploy_hsm_def_default();
    ploy_hsm_type *type = NULL;
    if (!nest_note(n, ploy_hsm_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_hsm_type, type)) {
        return ploy_maker_none();
    }
    ploy_hsm_hooks none;
    memset(&none, 0, sizeof none);
    ploy_hsm_state work = ploy_hsm_type_state(type, "work", ploy_hsm_root(), PLOY_HSM_STATE, &none,
                                              ploy_maker_none());
    (void)ploy_hsm_type_state(type, "act", work, PLOY_HSM_STATE, &none, inside);
    if (edited) {
        (void)ploy_hsm_type_state(type, "new", work, PLOY_HSM_STATE, &none, ploy_maker_none());
    }
    (void)nest_note(n, ploy_hsm_type_finish(type));
    return ploy_hsm_type_maker(type);
}

NEST_DESTROY(ploy_fuzzy_fsm_type)
static ploy_maker nest_fuzzy_fsm(nest *n, ploy_maker inside, bool edited) {
    ploy_fuzzy_fsm_def def = ploy_fuzzy_fsm_def_default();
    ploy_fuzzy_fsm_type *type = NULL;
    (void)inside;
    if (!nest_note(n, ploy_fuzzy_fsm_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_fuzzy_fsm_type, type)) {
        return ploy_maker_none();
    }
    int32_t calm = ploy_fuzzy_fsm_type_state(type, "calm", 1.0);
    int32_t angry = ploy_fuzzy_fsm_type_state(type, "angry", 0.0);
    if (edited) (void)ploy_fuzzy_fsm_type_state(type, "new", 0.0);
    ploy_condition go = ploy_condition_text(ploy_fuzzy_fsm_type_conditions(type), "go");
    ploy_fuzzy_fsm_transition rise = ploy_fuzzy_fsm_transition_make(calm, go, angry, 0.75);
    (void)ploy_fuzzy_fsm_type_add(type, &rise);
    (void)nest_note(n, ploy_fuzzy_fsm_type_finish(type));
    return ploy_fuzzy_fsm_type_maker(type);
}

typedef struct nest_owner {
    uint32_t cookie;
    int32_t count;
} nest_owner;

static const ploy_field nest_owner_table[] = {
    PLOY_FIELD_I32(nest_owner, count, 0, 0, 1000000, "", "updates")};

static ploy_fields nest_owner_fields(void) {
    return PLOY_FIELDS(nest_owner, nest_owner_table);
}

PLOY_CODE_FSM(nest_code_fn, nest_owner) {
    PLOY_CODE_STATE(0)
    PLOY_ON_UPDATE {
        owner->count++;
        if (owner->count % 3 == 0) PLOY_SET_STATE(1);
    }
    PLOY_CODE_STATE(1)
    PLOY_ON_UPDATE PLOY_SET_STATE(0);
}
PLOY_CODE_FSM_END

static ploy_maker nest_code(nest *n, ploy_maker inside, bool edited) {
    static const char *const states[] = {"a", "b"};
    static const ploy_code_machine machine = {.name = "code",
                                              .fn = nest_code_fn,
                                              .owner_fields = nest_owner_fields,
                                              .states = states,
                                              .state_count = 2};
    (void)n, (void)inside, (void)edited;
    return ploy_code_machine_maker(&machine);
}

// ---- trees

NEST_DESTROY(ploy_bt)
static ploy_maker nest_bt(nest *n, ploy_maker inside, bool edited) {
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    if (!nest_note(n, ploy_bt_builder_create("tree", n->layout, &n->env, &builder))) {
        return ploy_maker_none();
    }
    ploy_bt_builder_open(builder, PLOY_BT_FALLBACK, "root");
    if (edited) ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_FAILURE, "new");
    ploy_bt_builder_add_behavior(builder, "act", inside, true);
    ploy_bt_builder_close(builder);
    (void)nest_note(n, ploy_bt_builder_build(builder, NULL, &bt));
    ploy_bt_builder_destroy(builder);
    return NEST_KEEP(n, ploy_bt, bt) ? ploy_bt_maker(bt) : ploy_maker_none();
}

// ---- choices

NEST_DESTROY(ploy_utility_type)
static ploy_maker nest_utility(nest *n, ploy_maker inside, bool edited) {
    const ploy_utility_row rows[] = {
        {.option = "act", .when = "go", .score = "x + 0.1", .inside = inside},
        {.option = "rest", .weight = 0.05f},
        {.option = "new", .weight = 0.01f},
    };
    ploy_utility_type *type = NULL;
    (void)nest_note(
        n, ploy_utility_type_from(NULL, n->layout, NULL, 0, rows, edited ? 3 : 2, &n->env, &type));
    return NEST_KEEP(n, ploy_utility_type, type) ? ploy_utility_type_maker(type)
                                                 : ploy_maker_none();
}

NEST_DESTROY(ploy_gob_agent_type)
static ploy_maker nest_gob(nest *n, ploy_maker inside, bool edited) {
    static const float act[] = {-5}, rest[] = {0};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_gob_agent_type *type = NULL;
    if (!nest_note(n, ploy_gob_agent_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_gob_agent_type, type)) {
        return ploy_maker_none();
    }
    ploy_motive motive = ploy_motive_make("hunger", 5);
    motive.rate = 0.5f;
    ploy_gob_action doing = {"act", act, 0, 0, {0, 0}}, idle = {"rest", rest, 9, 0, {0, 0}};
    ploy_condition go = ploy_condition_text(ploy_gob_agent_type_conditions(type), "go");
    (void)ploy_gob_agent_type_motive(type, &motive, ploy_score_none());
    (void)ploy_gob_agent_type_action(type, &doing, go, inside);
    if (edited) {
        (void)ploy_gob_agent_type_action(type, &idle, ploy_condition_none(), ploy_maker_none());
    }
    (void)nest_note(n, ploy_gob_agent_type_finish(type));
    return ploy_gob_agent_type_maker(type);
}

NEST_DESTROY(ploy_goals_type)
static ploy_maker nest_goals(nest *n, ploy_maker inside, bool edited) {
    static const ploy_goal_type fresh = {.name = "new", .composite = true};
    ploy_goals_def def = ploy_goals_def_default();
    ploy_goals_type *type = NULL;
    ploy_goal_type *goal = nest_alloc(n, sizeof *goal);
    def.capacity = 4;
    if (goal == NULL || !nest_note(n, ploy_goals_type_create(&def, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_goals_type, type)) {
        return ploy_maker_none();
    }
    goal->name = "act";
    goal->maker = inside;
    (void)nest_note(n, ploy_goals_type_add(type, PLOY_GOAL_REPEAT, goal, NULL, 0));
    const ploy_goal_type *more = &fresh;
    if (edited) (void)nest_note(n, ployi_goals_type_register(type, &more, 1));
    return ploy_goals_type_maker(type);
}

NEST_DESTROY(ploy_arbiter_type)
static ploy_maker nest_arbiter(nest *n, ploy_maker inside, bool edited) {
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter_type *type = NULL;
    ploy_goal_type *goals = nest_alloc(n, 2 * sizeof *goals);
    if (goals == NULL || !nest_note(n, ploy_arbiter_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_arbiter_type, type)) {
        return ploy_maker_none();
    }
    goals[0].name = "act";
    goals[0].maker = inside;
    goals[1].name = "new";
    ploy_conditions *set = ploy_arbiter_type_conditions(type);
    ploy_evaluator act = ploy_evaluator_make("act", ploy_score_text(set, "go * 0.5"), &goals[0]);
    ploy_evaluator more = ploy_evaluator_make("new", ploy_score_text(set, "x * 0.1"), &goals[1]);
    (void)ploy_arbiter_type_add(type, &act);
    if (edited) (void)ploy_arbiter_type_add(type, &more);
    (void)nest_note(n, ploy_arbiter_type_finish(type));
    return ploy_arbiter_type_maker(type);
}

NEST_DESTROY(ploy_fuzzy_type)
static ploy_maker nest_fuzzy(nest *n, ploy_maker inside, bool edited) {
    ploy_fuzzy_type *type = NULL;
    if (!nest_note(n, ploy_fuzzy_type_create("gait", &n->env, &type)) ||
        !NEST_KEEP(n, ploy_fuzzy_type, type)) {
        return ploy_maker_none();
    }
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0.0;
    def.max = 1.0;
    int32_t x = ploy_fuzzy_type_input(type, "x", &def);
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0.0, 0.3, 0.7);
    ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(0.3, 0.7, 1.0);
    (void)ploy_fuzzy_type_term(type, x, "low", &low); // finish reports faults
    (void)ploy_fuzzy_type_term(type, x, "high", &high);
    def.aggregation = PLOY_FUZZY_MAXIMUM;
    int32_t act = ploy_fuzzy_type_output(type, "act", &def);
    ploy_fuzzy_set yes = ploy_fuzzy_triangle(0.6, 0.8, 1.0);
    (void)ploy_fuzzy_type_term(type, act, "yes", &yes);
    (void)ploy_fuzzy_type_option(type, act, inside);
    ploy_fuzzy_block_def block = ploy_fuzzy_block_def_default();
    block.conjunction = PLOY_FUZZY_MINIMUM;
    block.disjunction = PLOY_FUZZY_MAXIMUM;
    block.implication = PLOY_FUZZY_MINIMUM;
    int32_t rules = ploy_fuzzy_type_block(type, "", &block);
    (void)ploy_fuzzy_type_rule(type, rules, "if x is low then act is yes", NULL);
    if (edited) (void)ploy_fuzzy_type_rule(type, rules, "if x is high then act is yes", NULL);
    (void)nest_note(n, ploy_fuzzy_type_bind(type, n->layout));
    (void)nest_note(n, ploy_fuzzy_type_finish(type, NULL));
    return ploy_fuzzy_type_maker(type);
}

NEST_DESTROY(ploy_markov_type)
static ploy_maker nest_markov(nest *n, ploy_maker inside, bool edited) {
    static const double same[] = {1, 0, 0, 1}, first[] = {1, 0.5};
    ploy_markov_def def = ploy_markov_def_default();
    ploy_markov_type *type = NULL;
    def.count = 2;
    if (!nest_note(n, ploy_markov_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_markov_type, type)) {
        return ploy_maker_none();
    }
    ploy_conditions *set = ploy_markov_type_conditions(type);
    ploy_condition go = ploy_condition_text(set, edited ? "go && x > 0" : "go");
    (void)ploy_markov_type_add(type, "stay", go, same, NULL, NULL);
    (void)ploy_markov_type_option(type, 0, inside);
    (void)ploy_markov_type_name(type, 0, "act");
    (void)ploy_markov_type_set_initial(type, first);
    (void)nest_note(n, ploy_markov_type_finish(type));
    return ploy_markov_type_maker(type);
}

// ---- planners and rules

NEST_DESTROY(ploy_goap_type)
NEST_DESTROY(ploy_goap_agent_type)
NEST_DESTROY(ploy_goap_policy_type)
static ploy_goap_type *nest_domain(nest *n, bool edited, ploy_goap_need *goal) {
    ploy_goap_type *domain = NULL;
    if (!nest_note(n, ploy_goap_type_create(&n->env, &domain)) ||
        !NEST_KEEP(n, ploy_goap_type, domain)) {
        return NULL;
    }
    ploy_goap_var reached = ploy_goap_type_bool(domain, "reached");
    ploy_goap_gain gain = ploy_goap_set_to(reached, 1);
    ploy_goap_action act = ploy_goap_action_make("act", 1.0);
    act.gains = &gain;
    act.gain_count = 1;
    (void)ploy_goap_type_action(domain, &act);
    act.id = "new";
    act.cost = 9.0;
    if (edited) (void)ploy_goap_type_action(domain, &act);
    *goal = ploy_goap_is(reached, 1);
    return nest_note(n, ploy_goap_type_finish(domain)) ? domain : NULL;
}

static ploy_maker nest_goap(nest *n, ploy_maker inside, bool edited) {
    ploy_goap_need goal;
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_goap_agent_type *type = NULL;
    const ploy_goap_type *domain = nest_domain(n, edited, &goal);
    if (domain == NULL ||
        !nest_note(n, ploy_goap_agent_type_create(&def, domain, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_goap_agent_type, type)) {
        return ploy_maker_none();
    }
    (void)nest_note(n, ploy_goap_agent_type_set_goal(type, &goal, 1));
    (void)nest_note(n, ploy_goap_agent_type_set_action(type, "act", inside));
    return ploy_goap_agent_type_maker(type);
}

NEST_DESTROY(ploy_htn_type)
// A task whose recipe is the one action.
static ploy_maker nest_htn(nest *n, ploy_maker inside, bool edited) {
    ploy_goap_need goal;
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    ploy_goap_agent_type *type = NULL;
    ploy_htn_type *recipes = NULL;
    const ploy_goap_type *domain = nest_domain(n, edited, &goal);
    if (domain == NULL || !nest_note(n, ploy_htn_type_create(domain, &n->env, &recipes)) ||
        !NEST_KEEP(n, ploy_htn_type, recipes)) {
        return ploy_maker_none();
    }
    ploy_htn_task act = ploy_htn_type_action(recipes, "act");
    ploy_htn_task task = ploy_htn_type_task(recipes, "do it");
    (void)ploy_htn_type_method(recipes, task, "at once", NULL, 0, &act, 1);
    if (!nest_note(n, ploy_htn_type_finish(recipes)) ||
        !nest_note(n, ploy_goap_agent_type_create(&def, domain, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_goap_agent_type, type)) {
        return ploy_maker_none();
    }
    (void)nest_note(n, ploy_goap_agent_type_set_task(type, recipes, task));
    (void)nest_note(n, ploy_goap_agent_type_set_action(type, "act", inside));
    return ploy_goap_agent_type_maker(type);
}

static ploy_maker nest_policy(nest *n, ploy_maker inside, bool edited) {
    static const ploy_goap_branch branch[] = {{0, 1.0}};
    static const ploy_goap_gamble gambles[] = {{branch, 1}};
    ploy_goap_need goal;
    ploy_goap_policy_def def = ploy_goap_policy_def_default();
    ploy_goap_policy_type *type = NULL;
    const ploy_goap_type *domain = nest_domain(n, edited, &goal);
    if (domain == NULL ||
        !nest_note(
            n, ploy_goap_policy_type_create(&def, domain, gambles, 1, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_goap_policy_type, type)) {
        return ploy_maker_none();
    }
    (void)nest_note(n, ploy_goap_policy_type_set_goal(type, &goal, 1));
    (void)nest_note(n, ployi_goap_policy_type_set_action(type, 0, inside));
    return ploy_goap_policy_type_maker(type);
}

static ploy_result nest_routine_run(ploy_routine *routine, void *owner) {
    int64_t *count = owner;
    PLOY_ROUTINE_BEGIN(routine);
    for (*count = 0; *count < 1000; (*count)++) PLOY_ROUTINE_YIELD(routine);
    PLOY_ROUTINE_END(routine);
}

static ploy_maker nest_routine(nest *n, ploy_maker inside, bool edited) {
    static const ploy_routine_state states[] = {{"count", nest_routine_run, NULL}};
    static const ploy_routine_def def = {"routine", states, 1, NULL, sizeof(int64_t), 1};
    (void)n, (void)inside, (void)edited;
    return ploy_routine_maker(&def);
}

NEST_DESTROY(ploy_rulebase)
NEST_DESTROY(ploy_rules_type)
static ploy_maker nest_rules(nest *n, ploy_maker inside, bool edited) {
    ploy_rulebase *base = NULL;
    ploy_rules_type *type = NULL;
    int32_t go = 0;
    ploy_name name;
    if (!nest_note(n, ploy_rulebase_create(&n->env, &base)) || !NEST_KEEP(n, ploy_rulebase, base)) {
        return ploy_maker_none();
    }
    if (edited) (void)nest_note(n, ploy_rulebase_add_relation(base, "new", &go));
    (void)nest_note(n, ploy_rulebase_add_relation(base, "go", &go));
    if (!nest_note(n, ploy_rulebase_text(base, "TRUE", &name))) return ploy_maker_none();
    ploy_rule_constraint is;
    memset(&is, 0, sizeof is);
    is.kind = PLOY_RULE_IS;
    is.value = ploy_rule_symbol(name);
    ploy_rule_field yes = {false, NULL, &is, 1};
    ploy_rule_slot_pattern slot = {0, &yes, 1};
    ploy_rule_ce ce;
    memset(&ce, 0, sizeof ce);
    ce.kind = PLOY_RULE_PATTERN;
    ce.template_index = go;
    ce.slots = &slot;
    ce.slot_count = 1;
    ploy_rule_def rule;
    memset(&rule, 0, sizeof rule);
    rule.name = "act";
    rule.lhs.kind = PLOY_RULE_AND;
    rule.lhs.items = &ce;
    rule.lhs.item_count = 1;
    if (!nest_note(n, ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL))) {
        return ploy_maker_none();
    }
    ploy_rules_def def = ploy_rules_def_default();
    def.loop = true;
    if (!nest_note(n, ploy_rules_type_create(&def, base, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_rules_type, type)) {
        return ploy_maker_none();
    }
    (void)nest_note(n, ploy_rules_type_set_behavior(type, "act", inside));
    return ploy_rules_type_maker(type);
}

NEST_DESTROY(ploy_rule_set_type)
static ploy_maker nest_rule_set(nest *n, ploy_maker inside, bool edited) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set_type *type = NULL;
    if (!nest_note(n, ploy_rule_set_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_rule_set_type, type)) {
        return ploy_maker_none();
    }
    ploy_conditions *set = ploy_rule_set_type_conditions(type);
    ploy_set_rule rule = ploy_set_rule_make("act");
    rule.condition = ploy_condition_text(set, "go");
    rule.maker = inside;
    (void)ploy_rule_set_type_add(type, &rule);
    rule = ploy_set_rule_make("new");
    rule.condition = ploy_condition_text(set, "x > 2");
    if (edited) (void)ploy_rule_set_type_add(type, &rule);
    (void)nest_note(n, ploy_rule_set_type_finish(type));
    return ploy_rule_set_type_maker(type);
}

NEST_DESTROY(ploy_experts_type)
static ploy_maker nest_experts(nest *n, ploy_maker inside, bool edited) {
    ploy_experts_def def = ploy_experts_def_default();
    ploy_experts_type *type = NULL;
    if (!nest_note(n, ploy_experts_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_experts_type, type)) {
        return ploy_maker_none();
    }
    ploy_expert expert = ploy_expert_make("act");
    expert.insists = 0.5f;
    expert.condition = ploy_condition_text(ploy_experts_type_conditions(type), "go");
    expert.maker = inside;
    (void)ploy_experts_type_add(type, &expert, NULL);
    expert = ploy_expert_make("new");
    if (edited) (void)ploy_experts_type_add(type, &expert, NULL);
    (void)nest_note(n, ploy_experts_type_finish(type));
    return ploy_experts_type_maker(type);
}

// ---- who runs when

NEST_DESTROY(ploy_group_type)
static ploy_maker nest_group(nest *n, ploy_maker inside, bool edited) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    ploy_group_type *type = NULL;
    if (!nest_note(n, ploy_group_type_create(&def, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_group_type, type)) {
        return ploy_maker_none();
    }
    ploy_group_member member = ploy_group_member_default();
    (void)nest_note(n, ploy_group_type_add(type, "act", &member, inside));
    static const char *const names[] = {"new"};
    if (edited) {
        (void)nest_note(n,
                        ploy_group_type_add(type, names[0], &member, nest_code(n, inside, false)));
    }
    return ploy_group_type_maker(type);
}

NEST_DESTROY(ploy_lod)
static ploy_maker nest_lod(nest *n, ploy_maker inside, bool edited) {
    ploy_lod_level levels[2];
    memset(levels, 0, sizeof levels);
    levels[0].name = "act";
    levels[0].max = 1.0f;
    levels[0].maker = inside;
    levels[1].name = "new";
    levels[1].min = 5.0f;
    levels[1].max = 9.0f;
    levels[1].maker = nest_code(n, inside, false);
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = edited ? 2 : 1;
    def.importance_slot.number = 6;
    ploy_lod *lod = NULL;
    (void)nest_note(n, ploy_lod_create(&def, &n->env, &lod));
    return NEST_KEEP(n, ploy_lod, lod) ? ploy_lod_maker(lod) : ploy_maker_none();
}

// ---- files

NEST_DESTROY(ploy_bt_file)
static ploy_maker nest_bt_file(nest *n, ploy_maker inside, bool edited) {
    static const char plain[] =
        "<root BTCPP_format='4'><BehaviorTree ID='T'><Fallback>"
        "<Inner name='act' _skipIf='!go'/></Fallback></BehaviorTree></root>";
    static const char more[] =
        "<root BTCPP_format='4'><BehaviorTree ID='T'><Fallback><AlwaysFailure/>"
        "<Inner name='act' _skipIf='!go'/></Fallback></BehaviorTree></root>";
    const ploy_bt_file_maker makers[] = {{"Inner", inside}};
    ploy_bt_file_def def = ploy_bt_file_def_default();
    def.layout = n->layout;
    def.makers = makers;
    def.maker_count = 1;
    ploy_bt_file *file = NULL;
    const char *text = edited ? more : plain;
    (void)nest_note(n,
                    ploy_bt_file_load(text, strlen(text), "nest.xml", &def, &n->env, NULL, &file));
    return NEST_KEEP(n, ploy_bt_file, file) ? ploy_bt_maker(ploy_bt_file_main(file))
                                            : ploy_maker_none();
}

static ploy_machine_words nest_words(const nest *n, ploy_machine_work *work, ploy_maker inside) {
    ploy_machine_words words;
    memset(&words, 0, sizeof words);
    memset(work, 0, sizeof *work);
    work->name = "inner";
    work->inside = inside;
    words.layout = n->layout;
    words.works = work;
    words.work_count = 1;
    return words;
}

static ploy_maker nest_fsm_file(nest *n, ploy_maker inside, bool edited) {
    static const char plain[] =
        "{\"initial\": \"act\", \"states\": [{\"id\": \"act\", \"run\": \"inner\", \"rules\": "
        "[{\"if\": \"!go\", \"to\": \"rest\"}]}, {\"id\": \"rest\"}]}";
    static const char more[] =
        "{\"initial\": \"act\", \"states\": [{\"id\": \"new\"}, {\"id\": \"act\", \"run\": "
        "\"inner\", \"rules\": [{\"if\": \"!go\", \"to\": \"rest\"}]}, {\"id\": \"rest\"}]}";
    ploy_machine_work work;
    ploy_machine_words words = nest_words(n, &work, inside);
    ploy_machine *machine = NULL;
    ploy_fsm_type *type = NULL;
    const char *text = edited ? more : plain;
    if (nest_note(
            n, ploy_machine_load_json(text, strlen(text), "nest.json", &n->env, NULL, &machine))) {
        (void)nest_note(n, ploy_machine_build_fsm(machine, NULL, &words, &n->env, NULL, &type));
    }
    ploy_machine_destroy(machine);
    return NEST_KEEP(n, ploy_fsm_type, type) ? ploy_fsm_type_maker(type) : ploy_maker_none();
}

static ploy_maker nest_scxml(nest *n, ploy_maker inside, bool edited) {
    static const char plain[] = "<scxml><state id='act'><run name='inner'/>"
                                "<transition cond='!go' target='rest'/></state>"
                                "<state id='rest'/></scxml>";
    static const char more[] = "<scxml initial='act'><state id='new'/><state id='act'>"
                               "<run name='inner'/><transition cond='!go' target='rest'/></state>"
                               "<state id='rest'/></scxml>";
    ploy_machine_work work;
    ploy_machine_words words = nest_words(n, &work, inside);
    ploy_machine *machine = NULL;
    ploy_hsm_type *type = NULL;
    const char *text = edited ? more : plain;
    if (nest_note(n, ploy_machine_load_scxml(text, strlen(text), "nest.scxml", &n->env, NULL,
                                             &machine))) {
        (void)nest_note(n, ploy_machine_build(machine, NULL, &words, &n->env, NULL, &type));
    }
    ploy_machine_destroy(machine);
    return NEST_KEEP(n, ploy_hsm_type, type) ? ploy_hsm_type_maker(type) : ploy_maker_none();
}

static ploy_maker nest_function(nest *n, ploy_maker inside, bool edited) {
    (void)inside, (void)edited;
    return ploy_function_maker(&n->probe);
}

// ---- the list

// A rule whose pattern binds items.
static ploy_maker nest_rule_tree(nest *n, ploy_maker inside, bool edited) {
    ploy_rule_set_def def = ploy_rule_set_def_default();
    ploy_rule_set_type *type = NULL;
    if (!nest_note(n, ploy_rule_set_type_create(&def, n->layout, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_rule_set_type, type)) {
        return ploy_maker_none();
    }
    (void)nest_note(n, ploy_rule_set_type_items(type, "(radio (held-by sale))", NULL));
    ploy_set_rule rule = ploy_set_rule_make("act");
    rule.condition = ploy_condition_text(ploy_rule_set_type_conditions(type), "go");
    rule.pattern = "(radio (held-by ?who))";
    rule.maker = inside;
    (void)ploy_rule_set_type_add(type, &rule);
    rule = ploy_set_rule_make("new");
    rule.pattern = "(whisky ?)";
    if (edited) (void)ploy_rule_set_type_add(type, &rule);
    (void)nest_note(n, ploy_rule_set_type_finish(type));
    return ploy_rule_set_type_maker(type);
}

// ---- long work

static ploy_result nest_task_step(void *self, ploy_budget *budget) {
    (void)self, (void)budget;
    return PLOY_IN_PROGRESS;
}

static void nest_task_cancel(void *self) {
    (void)self;
}

static const ploy_task_type nest_task_type = {"work", nest_task_step, nest_task_cancel, NULL};

static ploy_result nest_task_begin(void *user, const ploy_step_context *context, ploy_task *out) {
    (void)user, (void)context;
    out->type = &nest_task_type;
    return PLOY_OK;
}

static void nest_task_save(void *user, ploy_task task, ploy_json_writer *out) {
    (void)user, (void)task;
    ploy_json_write_i64(out, 1);
}

static ploy_result nest_task_load(void *user, const ploy_step_context *context,
                                  const ploy_json *doc, ploy_json_node saved, ploy_task *out) {
    (void)doc, (void)saved;
    return nest_task_begin(user, context, out);
}

static ploy_maker nest_task(nest *n, ploy_maker inside, bool edited) {
    static const ploy_task_behavior_def def = {"work", nest_task_begin, nest_task_save,
                                               nest_task_load, NULL};
    (void)n, (void)inside, (void)edited;
    return ploy_task_behavior_maker(&def);
}

// ---- actions

NEST_DESTROY(ploy_actions)
NEST_DESTROY(ploy_action_book)
NEST_DESTROY(ploy_action_stack_type)
static ploy_result nest_action_step(void *user, ploy_action_id id,
                                    const ploy_action_request *request, float dt,
                                    ploy_status *status) {
    (void)user, (void)id, (void)request, (void)dt;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// A stack whose decider is the inner one.
static ploy_maker nest_action_stack(nest *n, ploy_maker inside, bool edited) {
    const ploy_action_host host = {.animate = {NULL, nest_action_step, NULL, NULL}};
    ploy_actions_def def = ploy_actions_def_default();
    ploy_action_stack_def stack = ploy_action_stack_def_default();
    ploy_actions *actions = NULL;
    ploy_action_book *book = NULL;
    ploy_action_stack_type *type = NULL;
    def.capacity = 4;
    stack.think_ahead = true;
    stack.tries = 1;
    if (!nest_note(n, ploy_actions_create(&def, &host, &n->env, &actions)) ||
        !NEST_KEEP(n, ploy_actions, actions) ||
        !nest_note(n, ploy_action_book_create(&n->env, &book)) ||
        !NEST_KEEP(n, ploy_action_book, book)) {
        return ploy_maker_none();
    }
    ploy_action_part part = ploy_action_part_make("act", PLOY_ACTION_ANIMATE, 1);
    ploy_action_book_add(book, &part);
    part = ploy_action_part_make("new", PLOY_ACTION_ANIMATE, 2);
    if (edited) ploy_action_book_add(book, &part);
    if (!nest_note(n, ploy_action_book_finish(book)) ||
        !nest_note(n, ploy_action_stack_type_create(&stack, book, ploy_maker_none(), inside,
                                                    actions, &n->env, &type)) ||
        !NEST_KEEP(n, ploy_action_stack_type, type)) {
        return ploy_maker_none();
    }
    return ploy_action_stack_type_maker(type);
}

// ---- programs, and a wrapper of another module

NEST_DESTROY(ploy_program)
static ploy_maker nest_program(nest *n, ploy_maker inside, bool edited) {
    static const char text[] = "keep rounds = 0\n"
                               "while go { rounds += 1; steps += 1; wait 0.25 }\n";
    static const char longer[] = "keep rounds = 0\n"
                                 "function twice(a) { return 2 * a }\n"
                                 "while go { rounds += 1; steps += twice(0.5); wait 0.25 }\n";
    const ploy_program_scope scope = {NULL, 0, n->layout};
    ploy_program_def def = ploy_program_def_default();
    ploy_program *program = NULL;
    (void)inside;
    (void)nest_note(n, ploy_program_create(&def, edited ? longer : text,
                                           edited ? sizeof longer - 1 : sizeof text - 1,
                                           "nest.ploy", &scope, &n->env, NULL, &program));
    return NEST_KEEP(n, ploy_program, program) ? ploy_program_maker(program) : ploy_maker_none();
}

NEST_DESTROY(ploy_dwell)
static ploy_maker nest_dwell(nest *n, ploy_maker inside, bool edited) {
    ploy_dwell_def def = ploy_dwell_def_default();
    ploy_dwell *dwell = NULL;
    def.mode = PLOY_DWELL_RESTORE; // the probe is stepped each time
    def.key = (ploy_slot){5};
    def.seconds = edited ? 0.5f : 0.25f;
    (void)nest_note(n, ploy_dwell_create(&def, inside, n->layout, &n->env, &dwell));
    return NEST_KEEP(n, ploy_dwell, dwell) ? ploy_dwell_maker(dwell) : ploy_maker_none();
}

typedef struct nest_technique {
    const char *name;
    ploy_maker (*make)(nest *n, ploy_maker inside, bool edited);
    bool holds; // runs what it is given
    bool exact; // a loaded one is saved and described as the first was; planners search again,
                // which counts
} nest_technique;

static const nest_technique nest_techniques[] = {
    {"function", nest_function, false, true},
    {"decision tree", nest_decision, true, true},
    {"fsm", nest_fsm, true, true},
    {"fsm from a file", nest_fsm_file, true, true},
    {"hsm", nest_hsm, true, true},
    {"chart from a file", nest_scxml, true, true},
    {"code machine", nest_code, false, true},
    {"fuzzy machine", nest_fuzzy_fsm, false, true},
    {"behavior tree", nest_bt, true, true},
    {"behavior tree from a file", nest_bt_file, true, true},
    {"utility", nest_utility, true, true},
    {"motives", nest_gob, true, true},
    {"goals", nest_goals, true, true},
    {"arbiter", nest_arbiter, true, true},
    {"fuzzy system", nest_fuzzy, true, true},
    {"markov", nest_markov, true, true},
    {"goap", nest_goap, true, false},
    {"htn", nest_htn, true, false},
    {"policy", nest_policy, true, false},
    {"routine", nest_routine, false, true},
    {"rules", nest_rules, true, true},
    {"rule set", nest_rule_set, true, true},
    {"rule tree", nest_rule_tree, true, true},
    {"experts", nest_experts, true, true},
    {"group", nest_group, true, true},
    {"level of detail", nest_lod, true, true},
    {"task", nest_task, false, true},
    {"action stack", nest_action_stack, true, true},
    {"program", nest_program, false, true},
    {"dwell", nest_dwell, true, true},
};
enum { NEST_TECHNIQUES = sizeof nest_techniques / sizeof nest_techniques[0] };
