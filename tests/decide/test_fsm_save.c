#include "ploy/decide/fsm.h"

#include "tests/decide/saved.h"

// A worker's day: work, lunch, work ..., an alarm of fire, each by a key; the chef keeps count.
typedef struct save_day {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_fsm_type *type;
    ploy_fsm *fsm;
    ploy_step_context context;
    int32_t enters, exits;
} save_day;

static const ploy_blackboard_key save_keys[] = {
    {"noon", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"fire", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
};

static ploy_result save_enter(void *user, const ploy_fsm_turn *turn) {
    (void)turn;
    ((save_day *)user)->enters++;
    return PLOY_OK;
}

static ploy_result save_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    if (turn->data != NULL) ++*(int32_t *)turn->data;
    return PLOY_OK;
}

static void save_exit(void *user, const ploy_fsm_turn *turn) {
    (void)turn;
    ((save_day *)user)->exits++;
}

// @param states  in the order of adding: w work, l lunch, f fire, n nap. @param size  of lunch's
// bytes.
static void save_open(test_context *t, save_day *it, const char *states, size_t size) {
    memset(it, 0, sizeof *it);
    it->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(save_keys, 2, "day", &it->env, NULL, &it->layout));
    CHECK_OK(ploy_blackboard_create(it->layout, &it->env, &it->board));
    it->context.blackboard = it->board;
    it->context.dt = 0.25f;
    ploy_fsm_def def = ploy_fsm_def_default();
    def.stack = 4;
    def.arbiter = PLOY_FSM_LEAST_RECENT;
    CHECK_OK(ploy_fsm_type_create(&def, it->layout, &it->env, &it->type));
    ploy_fsm_hooks hooks = {
        .enter = save_enter, .execute = save_execute, .exit = save_exit, .user = it};
    ploy_fsm_state all[4] = {{0}, {0}, {0}, {0}};
    for (size_t i = 0; states[i] != 0; i++) {
        static const char letters[] = "wlfn";
        static const char *const ids[] = {"work", "lunch", "fire", "nap"};
        size_t which = (size_t)(strchr(letters, states[i]) - letters);
        all[which] = ploy_fsm_type_state(it->type, ids[which], &hooks, ploy_maker_none());
    }
    if (all[1].number != 0) CHECK_OK(ploy_fsm_type_set_data(it->type, all[1], size, true));
    ploy_conditions *set = ploy_fsm_type_conditions(it->type);
    if (all[1].number != 0) {
        ploy_fsm_rule noon =
            ploy_fsm_rule_make("noon", all[0], ploy_condition_bool(set, "noon"), all[1]);
        CHECK_OK(ploy_fsm_type_add(it->type, &noon));
        ploy_fsm_rule over = ploy_fsm_rule_make(
            "over", all[1], ploy_condition_not(set, ploy_condition_bool(set, "noon")), all[0]);
        CHECK_OK(ploy_fsm_type_add(it->type, &over));
    }
    if (all[2].number != 0) {
        CHECK_OK(ploy_fsm_type_alarm(it->type, "burns", 1, ploy_condition_bool(set, "fire"), all[2],
                                     ploy_condition_not(set, ploy_condition_bool(set, "fire"))));
    }
    CHECK_OK(ploy_fsm_type_finish(it->type, all[0]));
    CHECK_OK(ploy_fsm_create(it->type, it, &it->env, &it->fsm));
}

static void save_close(save_day *it) {
    ploy_fsm_destroy(it->fsm);
    ploy_fsm_type_destroy(it->type);
    ploy_blackboard_destroy(it->board);
    ploy_blackboard_layout_destroy(it->layout);
}

static void save_step(test_context *t, save_day *it, bool noon, bool fire) {
    ploy_slot slots[2] = {{1}, {2}};
    ploy_status status;
    ploy_blackboard_set_bool(it->board, slots[0], noon);
    ploy_blackboard_set_bool(it->board, slots[1], fire);
    CHECK_OK(ploy_behavior_step(ploy_fsm_behavior(it->fsm), &it->context, &status));
}

TEST(a_saved_machine_goes_on_in_an_edited_type) {
    static const struct {
        const char *row, *states;
        size_t size;
        int32_t warnings, enters;
        const char *now, *later;
    } rows[] = {
        {"the same", "wlf", 8, 0, 0, "fire", "lunch"},
        {"other numbers", "nflw", 8, 0, 0, "fire", "lunch"},
        {"what was put aside is gone", "wf", 8, 2, 0, "fire", "fire"},
        {"the present one is gone", "wln", 8, 1, 1, "work", "lunch"},
        {"other bytes", "wlf", 16, 1, 0, "fire", "lunch"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        save_day old, fresh;
        save_open(t, &old, "wlf", 8);
        CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(old.fsm), &old.context));
        save_step(t, &old, true, false);
        save_step(t, &old, true, false); // two steps of lunch
        save_step(t, &old, true, true);
        CHECK_TEXT(ploy_fsm_type_id(old.type, ploy_fsm_current(old.fsm)), "fire");
        uint64_t hash = saved_hash(ploy_fsm_behavior(old.fsm));
        ploy_json *doc = saved_take(t, ploy_fsm_behavior(old.fsm), &old.env);
        save_open(t, &fresh, rows[i].states, rows[i].size);
        CHECK_INT(saved_give(t, ploy_fsm_behavior(fresh.fsm), &fresh.context, doc, &fresh.env),
                  rows[i].warnings);
        if (i == 0) CHECK_UINT(saved_hash(ploy_fsm_behavior(fresh.fsm)), hash);
        CHECK_INT(fresh.enters, rows[i].enters);
        CHECK_TEXT(ploy_fsm_type_id(fresh.type, ploy_fsm_current(fresh.fsm)), rows[i].now);
        save_step(t, &fresh, true, false);
        CHECK_TEXT(ploy_fsm_type_id(fresh.type, ploy_fsm_current(fresh.fsm)), rows[i].later);
        save_close(&fresh);
        save_close(&old);
    }
}

TEST(a_running_machine_and_a_file_of_another_kind_are_refused_or_restart) {
    save_day it;
    save_open(t, &it, "wlf", 8);
    static const char *const texts[] = {
        "{\"type\": \"state machine\", \"state\": {\"state\": \"gone\"}}",
        "{\"type\": \"behavior tree\", \"state\": {}}", "{\"type\": \"state machine\"}", "[1, 2]"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        t->row = texts[i];
        ploy_json *doc = saved_read(t, texts[i], &it.env);
        CHECK_INT(saved_give(t, ploy_fsm_behavior(it.fsm), &it.context, doc, &it.env), 1);
        CHECK_INT(it.enters, (int32_t)i + 1);
        CHECK_TEXT(ploy_fsm_type_id(it.type, ploy_fsm_current(it.fsm)), "work");
        ploy_behavior_exit(ploy_fsm_behavior(it.fsm), &it.context, PLOY_EXIT_INTERRUPTED);
    }
    CHECK_OK(ploy_behavior_enter(ploy_fsm_behavior(it.fsm), &it.context));
    ploy_json *doc = saved_take(t, ploy_fsm_behavior(it.fsm), &it.env);
    CHECK_INT(
        ploy_behavior_load(ploy_fsm_behavior(it.fsm), &it.context, doc, ploy_json_root(doc), NULL),
        PLOY_ERR_STATE);
    ploy_json_destroy(doc);
    save_close(&it);
}
