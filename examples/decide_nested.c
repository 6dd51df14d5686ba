// A guard whose mind is made of several techniques over one blackboard: a fuzzy system chooses
// between working and resting; work is a plan, whose action "fetch" is a tree of goals and whose
// action "build" is a rule set; rest is a routine. The mind is saved in mid-plan and continues in a
// second guard. Shows makers of definitions and saved minds.
#include <stdio.h>
#include <string.h>

#include "ploy/base/writer.h"
#include "ploy/decide/fuzzy.h"
#include "ploy/decide/goals.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/routine.h"
#include "ploy/decide/rule_set.h"

static ploy_result say(const ploy_goal_turn *turn, ploy_goal_status *status) {
    printf("  walks to the quarry\n");
    *(int64_t *)turn->data += 1; // two steps
    if (*(int64_t *)turn->data >= 2) *status = PLOY_GOAL_COMPLETED;
    return PLOY_OK;
}

static ploy_result lay(const ploy_set_turn *turn) {
    printf("  lays a stone on the %s\n", ploy_rule_bindings_text(turn->bindings, "where"));
    return PLOY_OK;
}

static ploy_result nap(ploy_routine *routine, void *memory) {
    (void)memory;
    PLOY_ROUTINE_BEGIN(routine);
    printf("  lies down\n");
    PLOY_ROUTINE_YIELD(routine);
    printf("  gets up\n");
    PLOY_ROUTINE_END(routine);
}

static ploy_result make_choice(ploy_fuzzy_type *type, ploy_maker work, ploy_maker rest,
                               const ploy_blackboard_layout *layout) {
    ploy_fuzzy_variable_def def = ploy_fuzzy_variable_def_default();
    def.min = 0.0;
    def.max = 100.0;
    int32_t tired = ploy_fuzzy_type_input(type, "tired", &def);
    ploy_fuzzy_set low = ploy_fuzzy_left_shoulder(0, 30, 70);
    ploy_fuzzy_set high = ploy_fuzzy_right_shoulder(30, 70, 100);
    ploy_fuzzy_type_term(type, tired, "little", &low); // finish reports faults
    ploy_fuzzy_type_term(type, tired, "very", &high);
    def.aggregation = PLOY_FUZZY_MAXIMUM;
    const char *const names[] = {"work", "rest"};
    const ploy_maker makers[] = {work, rest};
    for (int i = 0; i < 2; i++) {
        int32_t output = ploy_fuzzy_type_output(type, names[i], &def);
        ploy_fuzzy_type_term(type, output, "no", &low);
        ploy_fuzzy_type_term(type, output, "yes", &high);
        (void)ploy_fuzzy_type_option(type, output, makers[i]);
    }
    int32_t rules = ploy_fuzzy_type_block(type, "", NULL);
    (void)ploy_fuzzy_type_rule(type, rules, "if tired is little then work is yes and rest is no",
                               NULL);
    (void)ploy_fuzzy_type_rule(type, rules, "if tired is very then work is no and rest is yes",
                               NULL);
    (void)ploy_fuzzy_type_bind(type, layout);
    (void)ploy_fuzzy_type_choose(type, "does");
    return ploy_fuzzy_type_finish(type, NULL);
}

static void act(ploy_goap_type *type, const char *id, ploy_goap_var needs, ploy_goap_var gains) {
    ploy_goap_action action = ploy_goap_action_make(id, 1.0);
    ploy_goap_need need = ploy_goap_is(needs, 1);
    ploy_goap_gain gain = ploy_goap_set_to(gains, 1);
    action.needs = &need;
    action.need_count = needs.number != 0;
    action.gains = &gain;
    action.gain_count = 1;
    (void)ploy_goap_type_action(type, &action);
}

static int step(ploy_behavior mind, ploy_step_context *context, const char *who) {
    ploy_status status = PLOY_STATUS_RUNNING;
    if (ploy_behavior_step(mind, context, &status) != PLOY_OK) return 1;
    printf("%s: %s\n", who, ploy_status_text(status));
    return 0;
}

int main(void) {
    ploy_env env = ploy_env_default();
    static const ploy_blackboard_key keys[] = {
        {"tired", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "0 to 100"},
        {"does", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, "the option that was chosen"},
        {"wall", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "is built"}};
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    if (ploy_blackboard_layout_create(keys, 3, "guard", &env, NULL, &layout) != PLOY_OK) return 1;
    if (ploy_blackboard_create(layout, &env, &board) != PLOY_OK) return 1;
    // Fetching a stone: a tree with one goal.
    static const ploy_goal_type walk = {.name = "walk", .process = say};
    ploy_goals_def goals_def = ploy_goals_def_default();
    ploy_goals_type *fetch = NULL;
    if (ploy_goals_type_create(&goals_def, &env, &fetch) != PLOY_OK) return 1;
    (void)ploy_goals_type_add(fetch, PLOY_GOAL_REAR, &walk, NULL, 0);
    // Building: a rule over items.
    ploy_rule_set_def set_def = ploy_rule_set_def_default();
    ploy_rule_set_type *build = NULL;
    if (ploy_rule_set_type_create(&set_def, layout, &env, &build) != PLOY_OK) return 1;
    ploy_set_rule rule = ploy_set_rule_make("lay");
    rule.pattern = "(gap ?where)";
    rule.fire = lay;
    (void)ploy_rule_set_type_add(build, &rule);
    (void)ploy_rule_set_type_items(build, "(gap \"north side\")", NULL);
    if (ploy_rule_set_type_finish(build) != PLOY_OK) return 1;
    // Work: a plan over both. "stone" is the guard's own memory, "wall" a key of the board.
    ploy_goap_type *domain = NULL;
    ploy_goap_agent_type *work = NULL;
    if (ploy_goap_type_create(&env, &domain) != PLOY_OK) return 1;
    ploy_goap_var stone = ploy_goap_type_bool(domain, "stone"), none = {0};
    ploy_goap_var wall = ploy_goap_type_bool(domain, "wall");
    act(domain, "fetch", none, stone);
    act(domain, "build", stone, wall);
    if (ploy_goap_type_finish(domain) != PLOY_OK) return 1;
    ploy_goap_agent_def agent_def = ploy_goap_agent_def_default();
    if (ploy_goap_agent_type_create(&agent_def, domain, layout, &env, &work) != PLOY_OK) return 1;
    ploy_goap_need goal = ploy_goap_is(wall, 1);
    (void)ploy_goap_agent_type_set_goal(work, &goal, 1);
    (void)ploy_goap_agent_type_set_action(work, "fetch", ploy_goals_type_maker(fetch));
    (void)ploy_goap_agent_type_set_action(work, "build", ploy_rule_set_type_maker(build));
    // Rest: a routine. And the choice between them.
    static const ploy_routine_state states[] = {{"nap", nap, NULL}};
    static const ploy_routine_def rest = {"rest", states, 1, NULL, 0, 1};
    ploy_fuzzy_type *mind = NULL;
    if (ploy_fuzzy_type_create("guard", &env, &mind) != PLOY_OK) return 1;
    if (make_choice(mind, ploy_goap_agent_type_maker(work), ploy_routine_maker(&rest), layout) !=
        PLOY_OK) {
        return 1;
    }
    ploy_behavior first, second;
    ploy_maker maker = ploy_fuzzy_type_maker(mind);
    if (ploy_maker_make(maker, &env, &first) != PLOY_OK) return 1;
    if (ploy_maker_make(maker, &env, &second) != PLOY_OK) return 1;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(0, 1), board, 0.1f);
    if (ploy_behavior_enter(first, &context) != PLOY_OK) return 1;
    if (step(first, &context, "first")) return 1; // plans, and begins to walk
    // Saved in mid-plan, in the middle of a goal; the second guard continues there.
    if (ploy_behavior_reload(first, second, &context, &env, NULL) != PLOY_OK) return 1;
    for (int i = 0; i < 3; i++) {
        if (step(second, &context, "second")) return 1;
    }
    (void)ploy_blackboard_set_f32(board, ploy_blackboard_layout_find(layout, "tired"), 90.0f);
    for (int i = 0; i < 2; i++) {
        if (step(second, &context, "second")) return 1;
    }
    ploy_behavior_exit(second, &context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(first);
    ploy_behavior_destroy(second);
    ploy_fuzzy_type_destroy(mind);
    ploy_goap_agent_type_destroy(work);
    ploy_goap_type_destroy(domain);
    ploy_rule_set_type_destroy(build);
    ploy_goals_type_destroy(fetch);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
