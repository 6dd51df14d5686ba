// The miner's wife: housework, a sudden need now and then, and a stew when he comes home.
#include "games/westworld/westworld.h"

// ---- whatever she does

static ploy_result need_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    const west_person *wife = west_self(turn);
    // Going there from there would forget what she did before.
    if (ploy_fsm_is_in(turn->fsm, "bathroom")) return PLOY_OK;
    if (west_random(wife, 0) >= wife->town->def.bathroom) {
        west_stay(turn, "nothing calls her away", wife->town->goes[WEST_CAUSE_NATURE],
                  "by chance, no need came");
        return PLOY_OK;
    }
    return west_go(turn, WEST_CAUSE_NATURE);
}

static ploy_result need_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                bool *handled) {
    (void)user;
    if (!west_is(message, "home")) return PLOY_OK;
    *handled = true;
    west_say(west_self(turn), WEST_GREET, 0);
    return west_go(turn, WEST_CAUSE_HE_IS_HOME);
}

// ---- states

static ploy_result house_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *wife = west_self(turn);
    if (wife->town->def.stage >= WEST_STAGE_MESSAGES) west_say(wife, WEST_HOUSEWORK, 0);
    return PLOY_OK;
}

static ploy_result house_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    static const west_line chores[] = {WEST_MOP, WEST_DISHES, WEST_BED};
    west_person *wife = west_self(turn);
    west_say(wife, chores[(int32_t)(3.0f * west_random(wife, 1))], 0);
    return PLOY_OK;
}

// A state for one tick: the need comes before what she does, so all of it is in the same one.
static ploy_result bathroom_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_BATHROOM, 0);
    return PLOY_OK;
}

static ploy_result bathroom_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_RELIEF, 0);
    return west_back(turn, "the need is over");
}

static void bathroom_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_LEAVE_BATHROOM, 0);
}

static ploy_result cook_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *wife = west_self(turn);
    west_town *town = wife->town;
    if (town->cooking) return PLOY_OK;
    west_say(wife, WEST_STEW_IN, 0);
    town->cooking = true;
    return west_tell(wife, WEST_WIFE, "stew", (double)town->def.stew);
}

static ploy_result cook_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_FUSS, 0);
    return PLOY_OK;
}

static void cook_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *wife = west_self(turn);
    if (!wife->town->cooking) west_say(wife, WEST_STEW_TABLE, 0);
}

// He is called before she leaves the oven: his answer comes first.
static ploy_result cook_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                bool *handled) {
    (void)user;
    if (!west_is(message, "stew")) return PLOY_OK;
    *handled = true;
    west_person *wife = west_self(turn);
    west_town *town = wife->town;
    west_say(wife, WEST_STEW_READY, 0);
    ploy_result result = west_tell(wife, WEST_MINER, "stew", 0.0);
    if (result != PLOY_OK) return result;
    if (!ploy_fsm_is_in(town->people[WEST_MINER].fsm, "eat")) town->lost_stews++;
    town->cooking = false;
    return west_go(turn, WEST_CAUSE_STEW_DONE);
}

ploy_result west_wife_make(west_town *town, const ploy_env *env) {
    static const west_state states[] = {
        {"housework", {house_enter, house_execute, NULL, NULL, NULL, NULL}},
        {"bathroom", {bathroom_enter, bathroom_execute, bathroom_exit, NULL, NULL, NULL}},
        {"cook", {cook_enter, cook_execute, cook_exit, cook_message, NULL, NULL}},
    };
    static const ploy_fsm_hooks global = {NULL, need_execute, NULL, need_message, NULL, NULL};
    town->people[WEST_WIFE].place = WEST_SHACK;
    return west_person_make(town, WEST_WIFE, states, (int32_t)(sizeof states / sizeof states[0]),
                            &global, env);
}
