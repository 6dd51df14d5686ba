// The bar fly: drinks, insults guests once it had enough, fights, sleeps it off.
#include "games/westworld/westworld.h"

static ploy_result loiter_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *fly = west_self(turn);
    west_stay(turn, "it is in the saloon to drink", "fight", "no one has answered an insult");
    if (west_random(fly, 1) >= 0.3f) return PLOY_OK; // most of the time the glass is enough
    fly->town->drinks++;
    west_say(fly, WEST_FLY_DRINKS, fly->town->drinks);
    return PLOY_OK;
}

static ploy_result loiter_message(void *user, const ploy_fsm_turn *turn,
                                  const ploy_message *message, bool *handled) {
    (void)user;
    west_person *fly = west_self(turn);
    if (west_is(message, "come_on")) {
        *handled = true;
        return west_change(turn, "fight", "the insult was answered");
    }
    if (!west_is(message, "company")) return PLOY_OK;
    *handled = true;
    if (fly->town->drinks < fly->town->def.drunk) return PLOY_OK;
    west_say(fly, WEST_INSULT, 0);
    return west_tell(fly, WEST_MINER, "insult", 0.0);
}

static ploy_result scrap_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *fly = west_self(turn);
    fly->health = fly->town->def.health;
    west_say(fly, WEST_SLEEVES, 0);
    return PLOY_OK;
}

static ploy_result scrap_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_stay(turn, "neither has given up", "sleep", "it is not beaten");
    return west_strike(west_self(turn), WEST_MINER, WEST_FLY_HITS, WEST_FLY_MISSES);
}

static ploy_result scrap_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                 bool *handled) {
    (void)user;
    west_person *fly = west_self(turn);
    if (west_is(message, "give_up")) {
        *handled = true;
        west_say(fly, WEST_FLY_WINS, 0);
        return west_change(turn, "drink", "the fight is won");
    }
    if (!west_is(message, "blow")) return PLOY_OK;
    *handled = true;
    fly->health--;
    if (fly->health > 0) return PLOY_OK;
    west_say(fly, WEST_FLY_DOWN, 0);
    ploy_result result = west_tell(fly, WEST_MINER, "give_up", 0.0);
    return result == PLOY_OK ? west_change(turn, "sleep", "it was beaten") : result;
}

static ploy_result snore_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *fly = west_self(turn);
    return west_tell(fly, WEST_FLY, "wake_up", (double)fly->town->def.sleep);
}

static ploy_result snore_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    const west_town *town = west_self(turn)->town;
    west_stay(turn, "it sleeps it off", town->goes[WEST_CAUSE_SOBER], "it has not woken up");
    return PLOY_OK;
}

static ploy_result snore_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                 bool *handled) {
    (void)user;
    west_person *fly = west_self(turn);
    if (!west_is(message, "wake_up")) return PLOY_OK;
    *handled = true;
    fly->town->drinks = 0;
    west_say(fly, WEST_FLY_WAKES, 0);
    return west_go(turn, WEST_CAUSE_SOBER);
}

ploy_result west_fly_make(west_town *town, const ploy_env *env) {
    static const west_state states[] = {
        {"drink", {NULL, loiter_execute, NULL, loiter_message, NULL, NULL}},
        {"fight", {scrap_enter, scrap_execute, NULL, scrap_message, NULL, NULL}},
        {"sleep", {snore_enter, snore_execute, NULL, snore_message, NULL, NULL}},
    };
    town->people[WEST_FLY].place = WEST_SALOON;
    return west_person_make(town, WEST_FLY, states, (int32_t)(sizeof states / sizeof states[0]),
                            NULL, env);
}
