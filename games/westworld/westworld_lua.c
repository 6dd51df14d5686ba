// The miner in Lua: a table of states, as ploy/script/minds.h runs them. Line by line he says and does
// what the miner in C does. Only where the component script_lua is built.
#include <stdio.h>
#include <string.h>

#include "games/westworld/westworld_mind.h"
#include "ploy/script/minds.h"

static const char lua_text[] =
    "town = setmetatable({}, {\n"
    "  __index = function(_, key) return value(key) end,\n"
    "  __newindex = function(_, key, number) set_value(key, number) end })\n"
    "miner = { initial = 'home' }\n"
    "miner.home = {\n"
    "  enter = function()\n"
    "    if walk('shack', 'walk_home') and town.stage >= 2 then send('wife', 'home') end\n"
    "  end,\n"
    "  execute = function()\n"
    "    if town.fatigue <= town.tired then\n"
    "      speak('rested'); leave('rested')\n"
    "    else\n"
    "      town.fatigue = town.fatigue - 1\n"
    "      speak('sleep')\n"
    "      stay('he sleeps', 'rested', 'he is still tired')\n"
    "    end\n"
    "  end,\n"
    "  message = function(_, kind)\n"
    "    if kind ~= name('stew') then return false end\n"
    "    speak('coming'); leave('stew_ready')\n"
    "    return true\n"
    "  end,\n"
    "}\n"
    "miner.eat = {\n"
    "  enter = function() speak('smells') end,\n"
    "  execute = function()\n"
    "    speak('tastes')\n"
    "    town.stews = town.stews + 1\n"
    "    resume('the stew is eaten')\n"
    "  end,\n"
    "  exit = function() speak('thanks') end,\n"
    "}\n"
    "miner.dig = {\n"
    "  enter = function() walk('mine', 'walk_mine') end,\n"
    "  execute = function()\n"
    "    town.gold = town.gold + 1\n"
    "    town.fatigue = town.fatigue + 1\n"
    "    speak('pick')\n"
    "    local full = town.gold >= town.pockets\n"
    "    if full then leave('full') else\n"
    "      stay('there is room in his pockets', 'full', 'his pockets are not full')\n"
    "    end\n"
    "    if town.thirst >= town.thirsty and (town.two_changes == 1 or not full) then\n"
    "      leave('thirsty')\n"
    "    end\n"
    "  end,\n"
    "  exit = function() speak('leave_mine') end,\n"
    "}\n"
    "miner.bank = {\n"
    "  enter = function() walk('bank', 'go_bank') end,\n"
    "  execute = function()\n"
    "    town.bank = town.bank + town.gold\n"
    "    town.gold = 0\n"
    "    speak('deposit', town.bank)\n"
    "    if town.bank < town.comfort then leave('more') else speak('rich'); leave('enough') end\n"
    "  end,\n"
    "  exit = function() speak('leave_bank') end,\n"
    "}\n"
    "miner.drink = {\n"
    "  enter = function()\n"
    "    if walk('saloon', 'thirsty_walk') then send('fly', 'company') end\n"
    "  end,\n"
    "  execute = function()\n"
    "    town.thirst = 0\n"
    "    town.bank = town.bank - town.drink_price -- below 0 it is on the slate\n"
    "    speak('liquor')\n"
    "    leave('refreshed')\n"
    "  end,\n"
    "  exit = function() if town.thirst == 0 then speak('leave_saloon') end end,\n"
    "  message = function(_, kind)\n"
    "    if kind ~= name('insult') then return false end\n"
    "    speak('takes_up')\n"
    "    send('fly', 'come_on') -- first, so that both are in the fight\n"
    "    become('fight', 'he was insulted')\n"
    "    return true\n"
    "  end,\n"
    "}\n"
    "miner.fight = {\n"
    "  enter = function()\n"
    "    town.health = town.full_health\n"
    "    town.fights = town.fights + 1\n"
    "  end,\n"
    "  execute = function()\n"
    "    stay('neither has given up', 'home', 'he is not beaten')\n"
    "    strike()\n"
    "  end,\n"
    "  message = function(_, kind)\n"
    "    if kind == name('give_up') then\n"
    "      town.fights_won = town.fights_won + 1\n"
    "      speak('wins'); resume('the fight is won')\n"
    "      return true\n"
    "    end\n"
    "    if kind ~= name('blow') then return false end\n"
    "    town.health = town.health - 1\n"
    "    if town.health <= 0 then\n"
    "      speak('down')\n"
    "      town.fatigue = town.tired + 4 -- he needs some sleep now\n"
    "      send('fly', 'give_up')\n"
    "      become('home', 'he was beaten')\n"
    "    end\n"
    "    return true\n"
    "  end,\n"
    "}\n";

typedef struct lua_mind {
    ploy_lua *lua;
    ploy_lua_minds *minds;
    ploy_lua_machine *machine;
} lua_mind;

// The machine's turn, as the town's functions expect it.
static ploy_fsm_turn lua_turn(west_town *town) {
    const lua_mind *mind = town->mind;
    ploy_fsm_turn turn = {town->people[WEST_MINER].fsm, ploy_lua_minds_context(mind->minds),
                          &town->people[WEST_MINER], NULL};
    return turn;
}

static const char *lua_arg(const ploy_lua_frame *frame, int32_t index) {
    return frame->args[index].as.text;
}

static ploy_result lua_find_value(ploy_lua_frame *frame, int32_t *index) {
    for (*index = 0; *index < WEST_VALUES; (*index)++) {
        if (strcmp(west_value_name(*index), lua_arg(frame, 0)) == 0) return PLOY_OK;
    }
    snprintf(frame->error, sizeof frame->error, "unknown value '%.40s'", lua_arg(frame, 0));
    return PLOY_ERR_NOT_FOUND;
}

static ploy_result lua_value(void *town, ploy_lua_frame *frame) {
    int32_t index;
    ploy_result result = lua_find_value(frame, &index);
    if (result != PLOY_OK) return result;
    frame->results[0] = ploy_value_i64(west_value_get(town, index));
    frame->result_count = 1;
    return PLOY_OK;
}

static ploy_result lua_set_value(void *town, ploy_lua_frame *frame) {
    int32_t index;
    ploy_result result = lua_find_value(frame, &index);
    if (result == PLOY_OK) west_value_set(town, index, frame->args[1].as.i64);
    return result;
}

static ploy_result lua_speak(void *town, ploy_lua_frame *frame) {
    int32_t number = frame->arg_count > 1 ? (int32_t)frame->args[1].as.i64 : 0;
    return west_mind_say(town, lua_arg(frame, 0), number);
}

static ploy_result lua_walk(void *town, ploy_lua_frame *frame) {
    bool moved = false;
    ploy_result result = west_mind_walk(town, lua_arg(frame, 0), lua_arg(frame, 1), &moved);
    frame->results[0] = ploy_value_bool(moved);
    frame->result_count = 1;
    return result;
}

static ploy_result lua_send(void *town, ploy_lua_frame *frame) {
    return west_mind_send(town, lua_arg(frame, 0), lua_arg(frame, 1));
}

static ploy_result lua_leave(void *town, ploy_lua_frame *frame) {
    ploy_fsm_turn turn = lua_turn(town);
    return west_mind_go(&turn, lua_arg(frame, 0));
}

static ploy_result lua_become(void *town, ploy_lua_frame *frame) {
    ploy_fsm_turn turn = lua_turn(town);
    return west_change(&turn, lua_arg(frame, 0), lua_arg(frame, 1));
}

static ploy_result lua_resume(void *town, ploy_lua_frame *frame) {
    ploy_fsm_turn turn = lua_turn(town);
    return west_back(&turn, lua_arg(frame, 0));
}

static ploy_result lua_stay(void *town, ploy_lua_frame *frame) {
    ploy_fsm_turn turn = lua_turn(town);
    west_mind_stay(&turn, lua_arg(frame, 0), lua_arg(frame, 1), lua_arg(frame, 2));
    return PLOY_OK;
}

static ploy_result lua_strike(void *town, ploy_lua_frame *frame) {
    (void)frame;
    return west_mind_strike(town);
}

ploy_result west_lua_make(west_town *town, const ploy_env *env) {
    static const ploy_lua_function functions[] = {
        {"value", lua_value, "(text)", 1, NULL},
        {"set_value", lua_set_value, "(text, integer)", 1, NULL},
        {"speak", lua_speak, "(text, integer?)", 1, NULL},
        {"walk", lua_walk, "(text, text)", 1, NULL},
        {"send", lua_send, "(text, text)", 1, NULL},
        {"leave", lua_leave, "(text)", 1, NULL},
        {"become", lua_become, "(text, text)", 1, NULL},
        {"resume", lua_resume, "(text)", 1, NULL},
        {"stay", lua_stay, "(text, text, text)", 1, NULL},
        {"strike", lua_strike, "()", 1, NULL},
    };
    lua_mind *mind = ploy_env_alloc_zero(env, sizeof *mind);
    if (mind == NULL) return PLOY_ERR_MEMORY;
    town->mind = mind;
    ploy_lua_def def = ploy_lua_def_default();
    ploy_result result = ploy_lua_create(&def, env, &mind->lua);
    if (result == PLOY_OK) result = ploy_lua_minds_create(mind->lua, env, &mind->minds);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && result == PLOY_OK; i++) {
        ploy_lua_function function = functions[i];
        function.user = town;
        result = ploy_lua_register(mind->lua, &function);
    }
    if (result == PLOY_OK) {
        result = ploy_lua_minds_load(mind->minds, lua_text, sizeof lua_text - 1, "miner.lua", NULL);
    }
    ploy_fsm_def machine = ploy_fsm_def_default();
    machine.enter_initial = false; // as for all characters in the town
    if (result == PLOY_OK) {
        result = ploy_lua_machine_create(mind->minds, "miner", &machine, env, NULL, &mind->machine);
    }
    if (result != PLOY_OK) return result;
    return west_person_join(town, WEST_MINER, ploy_lua_machine_type(mind->machine), env);
}

void west_lua_step(west_town *town, ploy_rng_key key, uint64_t tick) {
    const lua_mind *mind = town->mind;
    ploy_lua_tick(mind->lua, key, tick);
}
