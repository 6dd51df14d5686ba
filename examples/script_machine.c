// A state machine whose states are Lua tables: a miner digs until he has enough, goes home and
// sleeps. You see what he says in each step. Shows ploy_lua_minds_load, ploy_lua_machine_create and
// a function of the game that scripts call.
#include <stdio.h>

#include "ploy/script/lua.h"
#include "ploy/script/minds.h"

static const char text[] =
    "miner = { initial = 'home' }\n"
    "miner.home = { execute = function(self)\n"
    "  if (self.fatigue or 0) > 2 then change('sleep') else change('mine') end\n"
    "end }\n"
    "miner.mine = {\n"
    "  enter = function(self) speak('into the mine') end,\n"
    "  execute = function(self)\n"
    "    self.fatigue = (self.fatigue or 0) + 1\n"
    "    self.gold = (self.gold or 0) + 2\n"
    "    speak('gold ' .. self.gold)\n"
    "    if self.gold > 4 then change('home') end\n"
    "  end }\n"
    "miner.sleep = { execute = function(self)\n"
    "  if self.fatigue > 2 then self.fatigue = self.fatigue - 1; speak('zzz')\n"
    "  else change('mine') end\n"
    "end }\n";

static ploy_result speak(void *user, ploy_lua_frame *frame) {
    printf("step %d: %s\n", *(const int *)user, frame->args[0].as.text);
    return PLOY_OK;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    ploy_lua_minds *minds = NULL;
    ploy_lua_machine *machine = NULL;
    ploy_behavior mind = {NULL, NULL};
    int step = 0;
    const ploy_lua_function function = {"speak", speak, "(text)", 1, &step};
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK ||
        ploy_lua_minds_create(lua, &env, &minds) != PLOY_OK ||
        ploy_lua_register(lua, &function) != PLOY_OK ||
        ploy_lua_minds_load(minds, text, sizeof text - 1, "miner.lua", NULL) != PLOY_OK ||
        ploy_lua_machine_create(minds, "miner", NULL, &env, NULL, &machine) != PLOY_OK ||
        ploy_maker_make(ploy_fsm_type_maker(ploy_lua_machine_type(machine)), &env, &mind) !=
            PLOY_OK) {
        return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
    if (ploy_behavior_enter(mind, &context) != PLOY_OK) return 1;
    for (step = 1; step <= 8; step++) {
        ploy_status status;
        ploy_lua_tick(lua, context.key, context.tick); // refills the units of a tick
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
        ploy_step_context_next(&context);
    }
    ploy_behavior_exit(mind, &context, PLOY_EXIT_FINISHED);
    ploy_behavior_destroy(mind);
    ploy_lua_machine_destroy(machine);
    ploy_lua_minds_destroy(minds);
    ploy_lua_destroy(lua);
    return 0;
}
