// A character at two levels of detail. Near the player it is a group of three parts that share its
// time and its blackboard: a mood (a Markov machine), a watch (rules over facts that are keys), and a
// crew (experts that were rules). Far away it only counts, as a sliced task. You see who does what.
// Shows makers of definitions: group, level of detail, task, Markov, rules and experts.
#include <stdio.h>
#include <string.h>

#include "ploy/decide/experts.h"
#include "ploy/decide/markov.h"
#include "ploy/decide/rules_type.h"
#include "ploy/exec/group.h"
#include "ploy/exec/lod.h"
#include "ploy/exec/task_behavior.h"

static const ploy_blackboard_key keys[] = {
    {"near", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "importance"},
    {"noise", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "was heard"},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, "calm or wary"},
    {"alarm", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "the watch has raised it"}};

// ---- far away: a task that counts in slices

static ploy_result count_step(void *self, ploy_budget *budget) {
    printf("  far away: counts to %d\n", ++*(int *)self);
    (void)budget;
    return *(int *)self % 3 != 0 ? PLOY_IN_PROGRESS : PLOY_OK;
}
static ploy_result count_begin(void *user, const ploy_step_context *context, ploy_task *out) {
    static const ploy_task_type type = {"count", count_step, NULL, NULL};
    (void)context;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

// ---- the watch: (noise TRUE) asserts (alarm TRUE), which is a key too

static ploy_result raise_alarm(void *user, ploy_rules *rules, int32_t rule) {
    ploy_rule_value yes = ploy_rule_symbol(ploy_name_of("TRUE"));
    (void)rule;
    printf("  the watch hears something at tick %d\n", (int)ploy_rules_context(rules)->tick);
    ploy_result result = ploy_rules_assert_ordered(rules, *(const int32_t *)user, &yes, 1, NULL);
    return result == PLOY_ERR_EXISTS ? PLOY_OK : result;
}
static ploy_result make_rules(ploy_rulebase *base, int32_t *alarm) {
    int32_t noise = 0;
    ploy_name yes;
    ploy_result result = ploy_rulebase_add_relation(base, "noise", &noise);
    if (result == PLOY_OK) result = ploy_rulebase_add_relation(base, "alarm", alarm);
    if (result == PLOY_OK) result = ploy_rulebase_text(base, "TRUE", &yes);
    if (result != PLOY_OK) return result;
    ploy_rule_constraint is = {.kind = PLOY_RULE_IS, .value = ploy_rule_symbol(yes)};
    ploy_rule_field field = {.constraints = &is, .constraint_count = 1};
    ploy_rule_slot_pattern slot = {0, &field, 1};
    ploy_rule_def rule = {.name = "hear", .lhs = {.template_index = noise, .slots = &slot}};
    rule.lhs.slot_count = 1;
    return ploy_rulebase_add_rule(base, &rule, NULL, NULL, NULL);
}

// ---- the crew: two rules as experts

static ploy_result man_the_gun(const ploy_set_turn *turn) {
    (void)turn;
    printf("  the gunner mans the gun\n");
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    ploy_blackboard *board = NULL;
    if (ploy_blackboard_layout_create(keys, 4, "squad", &env, NULL, &layout) != PLOY_OK) return 1;
    if (ploy_blackboard_create(layout, &env, &board) != PLOY_OK) return 1;
    // The mood: each noise moves half of what is calm to wary.
    static const double heard[] = {0.5, 0.5, 0.0, 1.0}, first[] = {1.0, 0.0};
    ploy_markov_def mood_def = ploy_markov_def_default();
    mood_def.count = 2;
    ploy_markov_type *mood = NULL;
    if (ploy_markov_type_create(&mood_def, layout, &env, &mood) != PLOY_OK) return 1;
    ploy_condition noise = ploy_condition_bool(ploy_markov_type_conditions(mood), "noise");
    (void)ploy_markov_type_add(mood, "heard", noise, heard, NULL, NULL); // finish reports faults
    (void)ploy_markov_type_set_initial(mood, first);
    (void)ploy_markov_type_name(mood, 0, "calm");
    (void)ploy_markov_type_name(mood, 1, "wary");
    (void)ploy_markov_type_key(mood, "mood");
    if (ploy_markov_type_finish(mood) != PLOY_OK) return 1;
    // The watch.
    int32_t alarm = 0;
    ploy_rulebase *base = NULL;
    ploy_rules_type *watch = NULL;
    ploy_rules_def rules_def = ploy_rules_def_default();
    rules_def.action = raise_alarm;
    rules_def.user = &alarm;
    rules_def.loop = true;
    if (ploy_rulebase_create(&env, &base) != PLOY_OK || make_rules(base, &alarm) != PLOY_OK ||
        ploy_rules_type_create(&rules_def, base, layout, &env, &watch) != PLOY_OK) {
        return 1;
    }
    // The crew: a rule set whose rules become experts.
    ploy_rule_set_def set_def = ploy_rule_set_def_default();
    ploy_rule_set_type *orders = NULL;
    if (ploy_rule_set_type_create(&set_def, layout, &env, &orders) != PLOY_OK) return 1;
    ploy_set_rule gun = ploy_set_rule_make("gunner");
    gun.condition = ploy_condition_bool(ploy_rule_set_type_conditions(orders), "alarm");
    gun.fire = man_the_gun;
    (void)ploy_rule_set_type_add(orders, &gun);
    if (ploy_rule_set_type_finish(orders) != PLOY_OK) return 1;
    ploy_experts_def crew_def = ploy_experts_def_default();
    ploy_experts_type *crew = NULL;
    if (ploy_experts_type_create(&crew_def, layout, &env, &crew) != PLOY_OK ||
        ploy_experts_type_add_rules(crew, orders) != PLOY_OK ||
        ploy_experts_type_finish(crew) != PLOY_OK) {
        return 1;
    }
    // All three as a group; the crew has a turn every second time.
    ploy_scheduler_def scheduler = ploy_scheduler_def_default();
    ploy_group_type *parts = NULL;
    if (ploy_group_type_create(&scheduler, &env, &parts) != PLOY_OK) return 1;
    ploy_group_member member = ploy_group_member_default();
    (void)ploy_group_type_add(parts, "mood", &member, ploy_markov_type_maker(mood));
    (void)ploy_group_type_add(parts, "watch", &member, ploy_rules_type_maker(watch));
    member.schedule.period = 2;
    (void)ploy_group_type_add(parts, "crew", &member, ploy_experts_type_maker(crew));
    // And the two levels.
    int counted = 0;
    const ploy_task_behavior_def count = {.name = "count", .begin = count_begin, .user = &counted};
    ploy_lod_level levels[] = {{.name = "far", .min = 0.0f, .max = 0.5f},
                               {.name = "near", .min = 0.5f, .max = 1.0f}};
    levels[0].maker = ploy_task_behavior_maker(&count);
    levels[1].maker = ploy_group_type_maker(parts);
    ploy_lod_def lod_def = ploy_lod_def_default();
    lod_def.levels = levels;
    lod_def.level_count = 2;
    lod_def.importance_slot = ploy_blackboard_layout_find(layout, "near");
    ploy_lod *lod = NULL;
    ploy_behavior mind;
    if (ploy_lod_create(&lod_def, &env, &lod) != PLOY_OK ||
        ploy_maker_check(ploy_lod_maker(lod), layout, &env, NULL) != PLOY_OK ||
        ploy_maker_make(ploy_lod_maker(lod), &env, &mind) != PLOY_OK) {
        return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), board, 0.1f);
    if (ploy_behavior_enter(mind, &context) != PLOY_OK) return 1;
    ploy_slot mood_slot = ploy_blackboard_layout_find(layout, "mood");
    for (int i = 0; i < 6; i++) {
        ploy_status status = PLOY_STATUS_RUNNING;
        context.tick = (uint64_t)i;
        (void)ploy_blackboard_set_f32(board, lod_def.importance_slot, i < 2 ? 0.2f : 0.9f);
        (void)ploy_blackboard_set_bool(board, ploy_blackboard_layout_find(layout, "noise"), i >= 4);
        printf("tick %d\n", i);
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
        if (ploy_behavior_commit(mind, &context) != PLOY_OK) return 1;
        if (i >= 2) {
            bool calm =
                ploy_name_equal(ploy_blackboard_get_name(board, mood_slot), ploy_name_of("calm"));
            printf("  %s\n", calm ? "calm" : "wary");
        }
    }
    ploy_behavior_exit(mind, &context, PLOY_EXIT_REMOVED);
    ploy_behavior_destroy(mind);
    ploy_lod_destroy(lod);
    ploy_group_type_destroy(parts);
    ploy_experts_type_destroy(crew);
    ploy_rule_set_type_destroy(orders);
    ploy_rules_type_destroy(watch);
    ploy_rulebase_destroy(base);
    ploy_markov_type_destroy(mood);
    ploy_blackboard_destroy(board);
    ploy_blackboard_layout_destroy(layout);
    return 0;
}
