// A game loop in Lua: the script creates the library's objects and moves an agent to a goal, past an
// obstacle. Shows ploy_lua_bind; wrong names are errors with the nearest one.
#include <stdio.h>
#include <string.h>

#include "ploy/script/bind.h"

static void say(void *user, const char *text, size_t size) {
    (void)user;
    printf("%.*s\n", (int)size, text);
}

static const char script[] =
    "local geom, move = ploy.geom, ploy.move\n"
    "local agent = move.kinematic{position = vec2(0, 0)}\n"
    "local goal = vec2(10, 0)\n"
    "local step = 0\n"
    "while geom.vec2_distance(agent.position, goal) > 0.5 and step < 200 do\n"
    "    step = step + 1\n"
    "    local steering = move.arrive({max_speed = 3}, agent, goal)\n"
    "    agent.velocity = agent.velocity + steering.linear * 0.1\n"
    "    agent.position = agent.position + agent.velocity * 0.1\n"
    "end\n"
    "print('arrived: ' .. tostring(step < 200))\n"
    "local area = geom.polygon_area{points = {vec2(0, 0), vec2(4, 0), vec2(4, 3)}}\n"
    "print('area: ' .. area)\n"
    "local flock = move.wander_create({max_speed = 2}, 8)\n"
    "print(flock)\n"
    "flock:destroy()\n"
    "print(pcall(flock.destroy, flock))\n"
    "print(pcall(move.arrive, {max_sped = 3}, agent, goal))\n";

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return 1;
    ploy_lua_set_print(lua, say, NULL);
    ploy_result result = ploy_lua_bind(lua, "geom");
    if (result == PLOY_OK) result = ploy_lua_bind(lua, "move");
    if (result == PLOY_OK) result = ploy_lua_run(lua, script, strlen(script), "loop.lua", NULL);
    if (result != PLOY_OK) printf("%s\n", ploy_lua_error(lua));
    ploy_lua_destroy(lua);
    return result == PLOY_OK ? 0 : 1;
}
