// The miner: digs, banks, drinks, sleeps; eats and fights when a telegram asks him to.
#include "games/westworld/westworld.h"

// ---- at home

static ploy_result home_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    if (!west_walk(miner, WEST_SHACK, WEST_WALK_HOME)) return PLOY_OK;
    if (miner->town->def.stage < WEST_STAGE_MESSAGES) return PLOY_OK;
    return west_tell(miner, WEST_WIFE, "home", 0.0);
}

static ploy_result home_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    west_town *town = miner->town;
    if (town->fatigue <= town->def.tired) {
        west_say(miner, WEST_RESTED, 0);
        return west_go(turn, WEST_CAUSE_RESTED);
    }
    town->fatigue--;
    west_say(miner, WEST_SLEEP, 0);
    west_stay(turn, "he sleeps", town->goes[WEST_CAUSE_RESTED], "he is still tired");
    return PLOY_OK;
}

static ploy_result home_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                bool *handled) {
    (void)user;
    if (!west_is(message, "stew")) return PLOY_OK;
    *handled = true;
    west_say(west_self(turn), WEST_COMING, 0);
    return west_go(turn, WEST_CAUSE_STEW_READY);
}

// A state for one tick: he goes on with what he did before.
static ploy_result eat_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_SMELLS, 0);
    return PLOY_OK;
}

static ploy_result eat_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_TASTES, 0);
    west_self(turn)->town->stews++;
    return west_back(turn, "the stew is eaten");
}

static void eat_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_THANKS, 0);
}

// ---- in the mine

static ploy_result dig_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_walk(west_self(turn), WEST_MINE, WEST_WALK_MINE);
    return PLOY_OK;
}

static ploy_result dig_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    west_town *town = miner->town;
    town->gold++;
    town->fatigue++;
    west_say(miner, WEST_PICK, 0);
    bool full = town->gold >= town->def.pockets;
    if (full) {
        ploy_result result = west_go(turn, WEST_CAUSE_FULL);
        if (result != PLOY_OK) return result;
    }
    if (!full) {
        west_stay(turn, "there is room in his pockets", town->goes[WEST_CAUSE_FULL],
                  "his pockets are not full");
    }
    if (town->thirst < town->def.thirsty || (full && !town->def.two_changes)) return PLOY_OK;
    return west_go(turn, WEST_CAUSE_THIRSTY);
}

static void dig_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_LEAVE_MINE, 0);
}

// ---- at the bank

static ploy_result bank_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_walk(west_self(turn), WEST_BANK, WEST_GO_BANK);
    return PLOY_OK;
}

static ploy_result bank_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    west_town *town = miner->town;
    town->bank += town->gold;
    town->gold = 0;
    west_say(miner, WEST_DEPOSIT, (int32_t)town->bank);
    if (town->bank < town->def.comfort) return west_go(turn, WEST_CAUSE_MORE);
    west_say(miner, WEST_RICH, 0);
    return west_go(turn, WEST_CAUSE_ENOUGH);
}

static void bank_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_say(west_self(turn), WEST_LEAVE_BANK, 0);
}

// ---- in the saloon

static ploy_result drink_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    if (!west_walk(miner, WEST_SALOON, WEST_THIRSTY_WALK)) return PLOY_OK;
    return west_tell(miner, WEST_FLY, "company", 0.0);
}

static ploy_result drink_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    west_town *town = miner->town;
    town->thirst = 0;
    town->bank -= town->def.drink_price; // below 0 it is on the slate
    west_say(miner, WEST_LIQUOR, 0);
    return west_go(turn, WEST_CAUSE_REFRESHED);
}

// Only a change of place leaves the saloon: a fight does not.
static void drink_exit(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    if (miner->town->thirst == 0) west_say(miner, WEST_LEAVE_SALOON, 0);
}

// The answer goes out first, so that both are in the fight when this returns.
static ploy_result drink_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                 bool *handled) {
    (void)user;
    if (!west_is(message, "insult")) return PLOY_OK;
    *handled = true;
    west_person *miner = west_self(turn);
    west_say(miner, WEST_TAKES_UP, 0);
    ploy_result result = west_tell(miner, WEST_FLY, "come_on", 0.0);
    return result == PLOY_OK ? west_change(turn, "fight", "he was insulted") : result;
}

static ploy_result brawl_enter(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_person *miner = west_self(turn);
    miner->health = miner->town->def.health;
    miner->town->fights++;
    return PLOY_OK;
}

static ploy_result brawl_execute(void *user, const ploy_fsm_turn *turn) {
    (void)user;
    west_stay(turn, "neither has given up", "home", "he is not beaten");
    return west_strike(west_self(turn), WEST_FLY, WEST_MINER_HITS, WEST_MINER_MISSES);
}

static ploy_result brawl_message(void *user, const ploy_fsm_turn *turn, const ploy_message *message,
                                 bool *handled) {
    (void)user;
    west_person *miner = west_self(turn);
    west_town *town = miner->town;
    if (west_is(message, "give_up")) {
        *handled = true;
        town->fights_won++;
        west_say(miner, WEST_MINER_WINS, 0);
        return west_back(turn, "the fight is won"); // to the drink he came for
    }
    if (!west_is(message, "blow")) return PLOY_OK;
    *handled = true;
    miner->health--;
    if (miner->health > 0) return PLOY_OK;
    west_say(miner, WEST_MINER_DOWN, 0);
    town->fatigue = town->def.tired + 4; // he needs some sleep now
    ploy_result result = west_tell(miner, WEST_FLY, "give_up", 0.0);
    return result == PLOY_OK ? west_change(turn, "home", "he was beaten") : result;
}

ploy_result west_miner_make(west_town *town, const ploy_env *env) {
    static const west_state states[] = {
        {"home", {home_enter, home_execute, NULL, home_message, NULL, NULL}},
        {"dig", {dig_enter, dig_execute, dig_exit, NULL, NULL, NULL}},
        {"bank", {bank_enter, bank_execute, bank_exit, NULL, NULL, NULL}},
        {"drink", {drink_enter, drink_execute, drink_exit, drink_message, NULL, NULL}},
        {"eat", {eat_enter, eat_execute, eat_exit, NULL, NULL, NULL}},
        {"fight", {brawl_enter, brawl_execute, NULL, brawl_message, NULL, NULL}},
    };
    town->people[WEST_MINER].place = WEST_SHACK;
    if (town->def.miner == WEST_IN_PROGRAM) return west_program_make(town, env);
#ifdef PLOY_HAS_SCRIPT_LUA
    if (town->def.miner == WEST_IN_LUA) return west_lua_make(town, env);
#endif
    return west_person_make(town, WEST_MINER, states, (int32_t)(sizeof states / sizeof states[0]),
                            NULL, env);
}
