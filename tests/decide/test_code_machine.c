// State machines written as code, as behaviors.
#include "ploy/decide/code_fsm.h"
#include "tests/decide/nested_probe.h"
#include "tests/decide/saved.h"

enum { SEEK, EAT, FULL };
static const char *const states[] = {"seek", "eat", "full"};

typedef struct eater {
    uint32_t cookie;
    int32_t food, enters, exits;
} eater;

static const ploy_field eater_table[] = {
    PLOY_FIELD_I32(eater, food, 2, 0, 100, "", "bites left"),
    PLOY_FIELD_I32(eater, enters, 0, 0, 1000, "", "states entered"),
    PLOY_FIELD_I32(eater, exits, 0, 0, 1000, "", "states left"),
};

static ploy_fields eater_fields(void) {
    return PLOY_FIELDS(eater, eater_table);
}

PLOY_CODE_FSM(eater_states, eater) {
    PLOY_CODE_STATE(SEEK)
    PLOY_ON_ENTER {
        owner->enters++;
    }
    PLOY_ON_EXIT {
        owner->exits++;
    }
    PLOY_ON_UPDATE {
        PLOY_SET_STATE(EAT);
    }
    PLOY_ON_MESSAGE("poison") {
        PLOY_FINISH(PLOY_STATUS_FAILURE);
    }
    PLOY_ON_MESSAGE("again") {
        PLOY_SET_STATE(FULL + 1); // one whose handlers never rest
    }
    PLOY_CODE_STATE(EAT)
    PLOY_ON_UPDATE {
        ploy_slot hungry = {1};
        if (ploy_blackboard_get_bool(machine->context->blackboard, hungry)) owner->food--;
        if (owner->food == 0) PLOY_SET_STATE(FULL);
    }
    PLOY_CODE_STATE(FULL)
    PLOY_ON_ENTER {
        PLOY_FINISH(PLOY_STATUS_SUCCESS);
    }
    PLOY_CODE_STATE(FULL + 1)
    PLOY_ON_ENTER {
        PLOY_SET_STATE(FULL + 1);
    }
}
PLOY_CODE_FSM_END

static ploy_code_machine eater_machine(void) {
    ploy_code_machine machine = {"eater", eater_states, SEEK, 0, eater_fields, states, 3};
    return machine;
}

typedef struct eater_world {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_step_context context;
} eater_world;

static void eater_world_open(test_context *t, eater_world *it) {
    static const ploy_blackboard_key keys[] = {
        {"hungry", PLOY_VALUE_BOOL, {PLOY_VALUE_BOOL, {.b = true}}, NULL},
    };
    memset(it, 0, sizeof *it);
    it->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "eater", &it->env, NULL, &it->layout));
    CHECK_OK(ploy_blackboard_create(it->layout, &it->env, &it->board));
    it->context.blackboard = it->board;
}

static void eater_world_close(eater_world *it) {
    ploy_blackboard_destroy(it->board);
    ploy_blackboard_layout_destroy(it->layout);
}

TEST(a_machine_in_code_runs_as_a_behavior) { // NTU-19
    eater_world world;
    eater_world_open(t, &world);
    ploy_code_machine machine = eater_machine();
    ploy_behavior behavior = {NULL, NULL};
    CHECK_OK(ploy_maker_make(ploy_code_machine_maker(&machine), &world.env, &behavior));
    for (int32_t run = 0; run < 2; run++) { // the owner starts from its defaults each time
        CHECK_OK(ploy_behavior_enter(behavior, &world.context));
        ploy_status status = PLOY_STATUS_RUNNING;
        int32_t steps = 0;
        while (status == PLOY_STATUS_RUNNING && steps < 10) {
            CHECK_OK(ploy_behavior_step(behavior, &world.context, &status));
            steps++;
        }
        CHECK_INT(status, PLOY_STATUS_SUCCESS);
        CHECK_INT(steps, 3); // seek, and two bites
        ploy_behavior_exit(behavior, &world.context, PLOY_EXIT_FINISHED);
    }
    ploy_behavior_destroy(behavior);
    eater_world_close(&world);
}

TEST(a_machine_in_code_is_saved_at_every_step) {
    eater_world world;
    eater_world_open(t, &world);
    for (int32_t when = 0; when < 4; when++) {
        ploy_code_machine machine = eater_machine();
        ploy_behavior old = {NULL, NULL}, fresh = {NULL, NULL};
        CHECK_OK(ploy_code_machine_behavior(&machine, &world.env, &old));
        CHECK_OK(ploy_code_machine_behavior(&machine, &world.env, &fresh));
        CHECK_OK(ploy_behavior_enter(old, &world.context));
        ploy_status status;
        for (int32_t i = 0; i < when; i++) {
            CHECK_OK(ploy_behavior_step(old, &world.context, &status));
        }
        ploy_json *doc = saved_take(t, old, &world.env);
        CHECK_INT(saved_give(t, fresh, &world.context, doc, &world.env), 0);
        CHECK(saved_hash(old) == saved_hash(fresh));
        ploy_status again = PLOY_STATUS_SKIPPED;
        CHECK_OK(ploy_behavior_step(old, &world.context, &status));
        CHECK_OK(ploy_behavior_step(fresh, &world.context, &again));
        CHECK_INT(status, again);
        CHECK(saved_hash(old) == saved_hash(fresh));
        ploy_behavior_destroy(fresh);
        ploy_behavior_destroy(old);
    }
    eater_world_close(&world);
}

TEST(a_machine_in_code_restarts_if_its_state_is_gone) {
    static const struct {
        const char *row, *text;
        int32_t lost;
    } rows[] = {
        {"fits",
         "{\"type\":\"code machine\",\"state\":{\"machine\":\"eater\",\"state\":\"eat\","
         "\"owner\":{\"food\":1}}}",
         0},
        {"another machine",
         "{\"type\":\"code machine\",\"state\":{\"machine\":\"drinker\",\"state\":\"eat\","
         "\"owner\":{\"food\":1}}}",
         1},
        {"unknown state",
         "{\"type\":\"code machine\",\"state\":{\"machine\":\"eater\",\"state\":\"doze\","
         "\"owner\":{\"food\":1}}}",
         1},
        {"another owner",
         "{\"type\":\"code machine\",\"state\":{\"machine\":\"eater\",\"state\":\"eat\","
         "\"owner\":{\"drink\":1}}}",
         1},
    };
    eater_world world;
    eater_world_open(t, &world);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_code_machine machine = eater_machine();
        ploy_behavior behavior = {NULL, NULL};
        CHECK_OK(ploy_code_machine_behavior(&machine, &world.env, &behavior));
        ploy_json *doc = saved_read(t, rows[i].text, &world.env);
        CHECK_INT(saved_give(t, behavior, &world.context, doc, &world.env), rows[i].lost);
        ploy_status status;
        CHECK_OK(ploy_behavior_step(behavior, &world.context, &status));
        CHECK_INT(status, rows[i].lost == 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING);
        ploy_behavior_destroy(behavior);
    }
    eater_world_close(&world);
}

TEST(a_machine_in_code_fails_by_a_message_or_by_endless_changes) {
    eater_world world;
    eater_world_open(t, &world);
    nested_lines lines;
    ploy_env env = nested_lines_env(&lines);
    ploy_code_machine machine = eater_machine();
    for (int32_t i = 0; i < 2; i++) {
        ploy_nested nested;
        CHECK_OK(ploy_nested_make(&nested, ploy_code_machine_maker(&machine), &env));
        CHECK_INT(ploy_nested_enter(&nested, &env, "eats", &world.context), PLOY_STATUS_RUNNING);
        ploy_message message = ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(),
                                                 ploy_name_of(i == 0 ? "poison" : "again"));
        bool handled = ploy_nested_message(&nested, &env, "eats", &world.context, &message);
        CHECK(handled == (i == 0));
        CHECK_INT(ploy_nested_step(&nested, &env, "eats", &world.context), PLOY_STATUS_FAILURE);
        CHECK(nested.failed == (i == 1));
        CHECK_INT(lines.count, i);
        ploy_nested_destroy(&nested);
    }
    CHECK_TEXT(lines.text, "eats/eater: a stated limit was reached");
    eater_world_close(&world);
}

static ploy_result eater_make(const ploy_env *env, void *arg) {
    ploy_behavior behavior = {NULL, NULL};
    ploy_result result = ploy_maker_make(ploy_code_machine_maker(arg), env, &behavior);
    ploy_behavior_destroy(behavior);
    return result;
}

TEST(a_machine_in_code_needs_memory_and_a_whole_definition) {
    ploy_code_machine machine = eater_machine();
    CHECK_FAIL_NTH(eater_make, &machine);
    ploy_env env = ploy_env_default();
    ploy_behavior behavior = {NULL, NULL};
    for (int32_t i = 0; i < 4; i++) {
        machine = eater_machine();
        if (i == 0) machine.name = NULL;
        if (i == 1) machine.fn = NULL;
        if (i == 2) machine.initial = 3;
        if (i == 3) machine.owner_size = 4;
        CHECK_INT(ploy_code_machine_behavior(&machine, &env, &behavior), PLOY_ERR_ARGUMENT);
    }
}
