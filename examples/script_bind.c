// A function of the game that scripts call: one line registers it, wrong arguments are errors of the
// script that name the argument. Shows ploy_lua_register and ploy_lua_set_print.
#include <stdio.h>
#include <string.h>

#include "ploy/script/lua.h"

typedef struct shop {
    double gold;
} shop;

static ploy_result buy(void *user, ploy_lua_frame *frame) {
    shop *owner = user;
    double price = frame->args[1].as.f64;
    if (price > owner->gold) {
        snprintf(frame->error, sizeof frame->error, "%s costs %g, found %g gold",
                 frame->args[0].as.text, price, owner->gold);
        return PLOY_ERR_DENIED;
    }
    owner->gold -= price;
    frame->results[0] = ploy_value_f64(owner->gold);
    frame->result_count = 1;
    return PLOY_OK;
}

static void say(void *user, const char *text, size_t size) {
    (void)user;
    printf("%.*s\n", (int)size, text);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    ploy_lua *lua = NULL;
    shop owner = {10};
    if (ploy_lua_create(&def, &env, &lua) != PLOY_OK) return 1;
    ploy_lua_set_print(lua, say, NULL);
    if (ploy_lua_register(
            lua, &(ploy_lua_function){"shop.buy", buy, "(text, number)", 5, &owner}) != PLOY_OK) {
        return 1;
    }
    static const char script[] = "print('left: ' .. shop.buy('rope', 4))\n"
                                 "print(pcall(shop.buy, 'boat', 50))\n"
                                 "print(pcall(shop.buy, 'rope', 'four'))\n";
    if (ploy_lua_run(lua, script, strlen(script), "shop.lua", NULL) != PLOY_OK) return 1;
    ploy_lua_destroy(lua);
    return 0;
}
