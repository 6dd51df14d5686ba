// Lua inside a behavior tree: a condition and a leaf are functions of a script. The guard patrols
// with a coroutine until an alarm; you see each step. Shows ploy_lua_mind_create,
// ploy_lua_mind_register and ploy_lua_mind_maker.
#include <stdio.h>

#include "ploy/decide/bt_table.h"
#include "ploy/script/lua.h"
#include "ploy/script/minds.h"

static const char text[] = "function quiet(self, limit) return now() < limit end\n"
                           "function patrol(self)\n"
                           "  for post = 1, 3 do\n"
                           "    print('walks to post ' .. post)\n"
                           "    wait(1)\n"
                           "  end\n"
                           "  print('back at the gate')\n"
                           "end\n";

static void print(void *user, const char *line, size_t size) {
    (void)user;
    printf("%.*s\n", (int)size, line);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    ploy_lua_minds *minds = NULL;
    ploy_lua_mind *quiet = NULL, *patrol = NULL;
    ploy_conditions *set = NULL;
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK ||
        ploy_lua_minds_create(lua, &env, &minds) != PLOY_OK ||
        ploy_lua_minds_load(minds, text, sizeof text - 1, "guard.lua", NULL) != PLOY_OK ||
        ploy_lua_mind_create(minds, "quiet", &env, &quiet) != PLOY_OK ||
        ploy_lua_mind_create(minds, "patrol", &env, &patrol) != PLOY_OK ||
        ploy_conditions_create(NULL, &env, &set) != PLOY_OK ||
        ploy_lua_mind_register(quiet, set, "quiet", 1) != PLOY_OK) {
        return 1;
    }
    ploy_lua_set_print(lua, print, NULL);
    ploy_condition calm = ploy_condition_text(set, "quiet(6) and not quiet(0)");
    ploy_maker maker = ploy_lua_mind_maker(patrol);
    const ploy_bt_row rows[] = {
        {.depth = 0, PLOY_BT_SEQUENCE, "guard"},
        {1, PLOY_BT_BEHAVIOR, "patrol", .maker = &maker},
    };
    ploy_bt *bt = NULL;
    ploy_behavior mind = {NULL, NULL};
    if (ploy_bt_from_table("guard", rows, 2, NULL, &env, NULL, &bt) != PLOY_OK ||
        ploy_maker_make(ploy_bt_maker(bt), &env, &mind) != PLOY_OK) {
        return 1;
    }
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 0.5f);
    for (ploy_status status = PLOY_STATUS_SUCCESS;; ploy_step_context_next(&context)) {
        ploy_moment moment = ploy_moment_make(&context);
        ploy_lua_tick(lua, context.key, context.tick);
        if (!ploy_condition_test(set, calm, &moment)) break;
        if (ploy_behavior_step(mind, &context, &status) != PLOY_OK) return 1;
    }
    printf("alarm at %.1f s\n", context.now);
    ploy_behavior_destroy(mind);
    ploy_bt_destroy(bt);
    ploy_conditions_destroy(set);
    ploy_lua_mind_destroy(quiet);
    ploy_lua_mind_destroy(patrol);
    ploy_lua_minds_destroy(minds);
    ploy_lua_destroy(lua);
    return 0;
}
