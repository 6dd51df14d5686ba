// The minds of the lab `village`: one day of a villager, as a behavior tree, as a state machine, as
// actions of a planner and as rules. All four read and write the same blackboard, so the world does not
// know which kind it moves.
#include "labs/village.h"

#include <string.h>

#include "ploy/decide/bt_table.h"
#include "ploy/decide/fsm_table.h"
#include "ploy/decide/goap_agent.h"
#include "ploy/decide/goap_rows.h"
#include "ploy/decide/rule_set.h"

struct village_minds {
    ploy_blackboard_layout *layout;
    ploy_bt *tree;
    ploy_fsm_type *machine;
    ploy_goap_type *domain;
    ploy_goap_agent_type *planner;
    ploy_rule_set_type *rules;
};

static const ploy_blackboard_key village_keys[VILLAGE_KEYS] = {
    {"hunger", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0.5f}}, "0 to 1"},
    {"tired", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0.3f}}, "0 to 1"},
    {"danger", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "has seen a wolf lately"},
    {"place", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = VILLAGE_ON_THE_WAY}}, "where it is"},
    {"hungry", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "hunger is above a half"},
    {"bread", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, "carries some"},
    {"goal", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = VILLAGE_FIELD}}, "place it goes to"},
    {"work", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, "s, of what it does here"},
};

static ploy_slot village_slot(int32_t key) {
    ploy_slot slot = {(uint32_t)key + 1};
    return slot;
}

float village_number(const ploy_blackboard *board, int32_t key) {
    return ploy_blackboard_get_f32(board, village_slot(key));
}

int64_t village_whole(const ploy_blackboard *board, int32_t key) {
    return ploy_blackboard_get_i64(board, village_slot(key));
}

void village_set_number(ploy_blackboard *board, int32_t key, float value) {
    ploy_blackboard_set_f32(board, village_slot(key), value);
}

void village_set_whole(ploy_blackboard *board, int32_t key, int64_t value) {
    ploy_blackboard_set_i64(board, village_slot(key), value);
}

void village_set_flag(ploy_blackboard *board, int32_t key, bool value) {
    ploy_blackboard_set_bool(board, village_slot(key), value);
}

// ---- what all kinds can do ----

// Turns come every few ticks: a turn represents the time since the last.
static const float village_turn = 10.0f / 60.0f;

// Goes to a place. @return true when it is there.
static bool village_go(ploy_blackboard *board, int32_t place) {
    if (village_whole(board, VILLAGE_GOAL) != place) {
        village_set_whole(board, VILLAGE_GOAL, place);
        village_set_number(board, VILLAGE_WORK, 0.0f);
    }
    return village_whole(board, VILLAGE_PLACE) == place;
}

// Goes to a place and works there for so long. @return true when it is done.
static bool village_do(ploy_blackboard *board, int32_t place, float seconds) {
    if (!village_go(board, place)) return false;
    float work = village_number(board, VILLAGE_WORK) + village_turn;
    village_set_number(board, VILLAGE_WORK, work < seconds ? work : 0.0f);
    return work >= seconds;
}

static bool village_eat(ploy_blackboard *board) {
    if (!village_do(board, VILLAGE_MARKET, 2.0f)) return false;
    village_set_number(board, VILLAGE_HUNGER, 0.0f);
    return true;
}

static bool village_sleep(ploy_blackboard *board) {
    if (!village_do(board, VILLAGE_HOME, 4.0f)) return false;
    village_set_number(board, VILLAGE_TIRED, 0.0f);
    return true;
}

// ---- the tree ----

static ploy_result village_bt(bool done, ploy_status *status) {
    *status = done ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result village_bt_flee(ploy_bt_call *call, ploy_status *status) {
    (void)village_go(call->context->blackboard, VILLAGE_HOME);
    return village_bt(false, status);
}

static ploy_result village_bt_eat(ploy_bt_call *call, ploy_status *status) {
    return village_bt(village_eat(call->context->blackboard), status);
}

static ploy_result village_bt_sleep(ploy_bt_call *call, ploy_status *status) {
    return village_bt(village_sleep(call->context->blackboard), status);
}

static ploy_result village_bt_field(ploy_bt_call *call, ploy_status *status) {
    return village_bt(village_do(call->context->blackboard, VILLAGE_FIELD, 5.0f), status);
}

static ploy_result village_bt_water(ploy_bt_call *call, ploy_status *status) {
    return village_bt(village_do(call->context->blackboard, VILLAGE_WELL, 2.0f), status);
}

static ploy_result village_make_tree(village_minds *minds, const ploy_env *env) {
    static const ploy_bt_row rows[] = {
        {.depth = 0, .kind = PLOY_BT_REACTIVE_FALLBACK, .name = "villager"},
        {.depth = 1,
         .kind = PLOY_BT_LEAF,
         .name = "flee home",
         .when = "danger",
         .step = village_bt_flee},
        {.depth = 1,
         .kind = PLOY_BT_LEAF,
         .name = "eat",
         .when = "hunger > 0.6",
         .step = village_bt_eat},
        {.depth = 1,
         .kind = PLOY_BT_LEAF,
         .name = "sleep",
         .when = "tired > 0.7",
         .step = village_bt_sleep},
        {.depth = 1, .kind = PLOY_BT_SEQUENCE, .name = "work"},
        {.depth = 2, .kind = PLOY_BT_LEAF, .name = "fetch water", .step = village_bt_water},
        {.depth = 2, .kind = PLOY_BT_LEAF, .name = "till the field", .step = village_bt_field},
    };
    return ploy_bt_from_table("villager", rows, (int32_t)(sizeof rows / sizeof rows[0]),
                              minds->layout, env, NULL, &minds->tree);
}

// ---- the machine ----

static ploy_result village_fsm_go(void *user, const ploy_fsm_turn *turn) {
    ploy_blackboard *board = turn->context->blackboard;
    const char *what = user;
    if (strcmp(what, "eat") == 0) {
        (void)village_eat(board);
    } else if (strcmp(what, "sleep") == 0) {
        (void)village_sleep(board);
    } else if (strcmp(what, "flee") == 0) {
        (void)village_go(board, VILLAGE_HOME);
    } else {
        (void)village_do(board, VILLAGE_FIELD, 5.0f);
    }
    return PLOY_OK;
}

static ploy_result village_make_machine(village_minds *minds, const ploy_env *env) {
    static char eat[] = "eat", sleep[] = "sleep", flee[] = "flee", work[] = "work";
    static const ploy_fsm_state_row states[] = {
        {.id = "work", .hooks = {.execute = village_fsm_go, .user = work}},
        {.id = "eat", .hooks = {.execute = village_fsm_go, .user = eat}},
        {.id = "sleep", .hooks = {.execute = village_fsm_go, .user = sleep}},
        {.id = "flee", .hooks = {.execute = village_fsm_go, .user = flee}},
    };
    static const ploy_fsm_rule_row rules[] = {
        {.id = "a wolf", .when = "danger", .to = "flee"},
        {.id = "safe again", .from = "flee", .when = "!danger", .to = "work"},
        {.id = "hungry", .from = "work", .when = "hunger > 0.6", .to = "eat"},
        {.id = "fed", .from = "eat", .when = "hunger < 0.1", .to = "work"},
        {.id = "tired", .from = "work", .when = "tired > 0.7", .to = "sleep"},
        {.id = "rested", .from = "sleep", .when = "tired < 0.1", .to = "work"},
    };
    static const ploy_fsm_table table = {
        .states = states, .state_count = 4, .rules = rules, .rule_count = 6};
    return ploy_fsm_type_from_table(NULL, &table, minds->layout, env, &minds->machine);
}

// ---- the planner: it bakes its own bread ----

typedef struct village_act {
    const char *action;
    int32_t place;
    float seconds;
} village_act;

static const village_act village_acts[] = {
    {"fetch water", VILLAGE_WELL, 1.0f}, {"harvest", VILLAGE_FIELD, 3.0f},
    {"bake", VILLAGE_HOME, 2.0f},        {"buy", VILLAGE_MARKET, 1.0f},
    {"eat", VILLAGE_HOME, 1.0f},         {"hide", VILLAGE_HOME, 2.0f},
};

// One action as a behavior: goes to its place and works there.
static ploy_result village_act_step(void *self, ploy_step_context *context, ploy_status *status) {
    const village_act *act = self;
    bool done = village_do(context->blackboard, act->place, act->seconds);
    if (done && strcmp(act->action, "eat") == 0) {
        village_set_number(context->blackboard, VILLAGE_HUNGER, 0.0f);
        village_set_number(context->blackboard, VILLAGE_TIRED, 0.0f);
    }
    *status = done ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result village_act_make(void *user, const ploy_env *env, ploy_behavior *out) {
    static const ploy_behavior_type type = {.name = "village action", .step = village_act_step};
    (void)env;
    out->type = &type;
    out->self = user;
    return PLOY_OK;
}

static ploy_result village_make_planner(village_minds *minds, const ploy_env *env) {
    static const ploy_goap_row rows[] = {
        {"fetch water", 2, NULL, "water := true"},
        {"harvest", 3, NULL, "grain := true"},
        {"bake", 2, "grain && water", "bread := true; grain := false; water := false"},
        {"eat", 1, "bread && !danger", "bread := false; hungry := false"},
        {"buy", 8, NULL, "bread := true"},
        {"hide", 1, "danger", "danger := false"},
    };
    ploy_goap_need goal[2];
    int32_t count = 0;
    ploy_result result = ploy_goap_type_from(NULL, 0, rows, 6, env, NULL, &minds->domain);
    if (result == PLOY_OK) {
        result =
            ploy_goap_needs_text(minds->domain, "!hungry && !danger", env, NULL, goal, 2, &count);
    }
    ploy_goap_agent_def def = ploy_goap_agent_def_default();
    def.planner.max_states = 256;
    if (result == PLOY_OK) {
        result =
            ploy_goap_agent_type_create(&def, minds->domain, minds->layout, env, &minds->planner);
    }
    if (result == PLOY_OK) result = ploy_goap_agent_type_set_goal(minds->planner, goal, count);
    for (size_t i = 0; i < sizeof village_acts / sizeof village_acts[0] && result == PLOY_OK; i++) {
        // The behavior has no state: what it works on is on the blackboard.
        ploy_maker maker = ploy_maker_of(village_act_make, (void *)(uintptr_t)&village_acts[i]);
        result = ploy_goap_agent_type_set_action(minds->planner, village_acts[i].action, maker);
    }
    return result;
}

// ---- the rules ----

static ploy_result village_rule_flee(const ploy_set_turn *turn) {
    (void)village_go(turn->moment->context->blackboard, VILLAGE_HOME);
    return PLOY_OK;
}

static ploy_result village_rule_eat(const ploy_set_turn *turn) {
    (void)village_eat(turn->moment->context->blackboard);
    return PLOY_OK;
}

static ploy_result village_rule_sleep(const ploy_set_turn *turn) {
    (void)village_sleep(turn->moment->context->blackboard);
    return PLOY_OK;
}

static ploy_result village_rule_water(const ploy_set_turn *turn) {
    (void)village_do(turn->moment->context->blackboard, VILLAGE_WELL, 2.0f);
    return PLOY_OK;
}

static ploy_result village_rule_field(const ploy_set_turn *turn) {
    (void)village_do(turn->moment->context->blackboard, VILLAGE_FIELD, 5.0f);
    return PLOY_OK;
}

static ploy_result village_make_rules(village_minds *minds, const ploy_env *env) {
    static const struct {
        const char *name, *when;
        ploy_result (*fire)(const ploy_set_turn *turn);
    } rows[] = {
        {"run from wolves", "danger", village_rule_flee},
        {"eat when hungry", "hunger > 0.6 || (goal == 1 && hunger > 0.1)", village_rule_eat},
        {"sleep when tired", "tired > 0.7 || (goal == 2 && tired > 0.1)", village_rule_sleep},
        {"drink in the heat", "hunger > 0.3 && tired < 0.4", village_rule_water},
        {"till the field", NULL, village_rule_field},
    };
    // All are looked at, so that "why" names the losers.
    static const char *const priorities[] = {"5", "4", "3", "2", "1"};
    ploy_rule_set_def def = ploy_rule_set_def_default();
    def.arbiter = PLOY_RULE_ARBITER_PRIORITY;
    ploy_result result = ploy_rule_set_type_create(&def, minds->layout, env, &minds->rules);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && result == PLOY_OK; i++) {
        ploy_set_rule rule = ploy_set_rule_make(rows[i].name);
        ploy_conditions *set = ploy_rule_set_type_conditions(minds->rules);
        if (rows[i].when != NULL) rule.condition = ploy_condition_text(set, rows[i].when);
        rule.fire = rows[i].fire;
        rule.priority = ploy_score_text(set, priorities[i]);
        result = ploy_rule_set_type_add(minds->rules, &rule);
    }
    return result == PLOY_OK ? ploy_rule_set_type_finish(minds->rules) : result;
}

ploy_result village_minds_create(const ploy_env *env, village_minds **out) {
    village_minds *minds = ploy_env_alloc_zero(env, sizeof *minds);
    if (minds == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = ploy_blackboard_layout_create(village_keys, VILLAGE_KEYS, "villager", env,
                                                       NULL, &minds->layout);
    if (result == PLOY_OK) result = village_make_tree(minds, env);
    if (result == PLOY_OK) result = village_make_machine(minds, env);
    if (result == PLOY_OK) result = village_make_planner(minds, env);
    if (result == PLOY_OK) result = village_make_rules(minds, env);
    *out = minds; // the region goes with the simulation, also after a failure
    return result;
}

const ploy_blackboard_layout *village_minds_layout(const village_minds *minds) {
    return minds->layout;
}

ploy_maker village_minds_maker(const village_minds *minds, village_kind kind) {
    switch (kind) {
    case VILLAGE_TREE: return ploy_bt_maker(minds->tree);
    case VILLAGE_MACHINE: return ploy_fsm_type_maker(minds->machine);
    case VILLAGE_PLANNER: return ploy_goap_agent_type_maker(minds->planner);
    case VILLAGE_RULES: return ploy_rule_set_type_maker(minds->rules);
    case VILLAGE_KINDS: break;
    }
    return ploy_maker_none();
}
