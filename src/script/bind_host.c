// The bindings in the sandbox: its account, its memory cap, its vectors.
#include "ploy/script/bind.h"

#include <stdio.h>
#include <string.h>

#include "script/bind_internal.h"
#include "script/script_internal.h"

// Memory of the library's objects. It is counted apart from Lua's own, whose size depends on hash seeds, so that
// the place where it ends is the same in every run.
static void *bind_host_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ployi_bind_account *account = user;
    size_t held = ptr == NULL ? 0 : old_size;
    if (new_size > held && new_size - held > account->cap - account->bytes) return NULL;
    if (new_size == 0) {
        ploy_env_free(&account->env, ptr, held);
        account->bytes -= held;
        return NULL;
    }
    void *made = ploy_env_resize(&account->env, ptr, held, new_size);
    if (made != NULL) account->bytes = account->bytes - held + new_size;
    return made;
}

static void bind_host_charge(void *user, lua_State *L, int64_t units) {
    (void)user;
    ployi_script_charge(L, units);
}

static const ploy_value *bind_host_object(lua_State *L, int index) {
    return ployi_script_object(L, index);
}

typedef struct bind_host_request {
    ploy_lua *lua;
    const char *module;
    ploy_result result;
} bind_host_request;

static ployi_bind *bind_host_open(lua_State *L, bind_host_request *request) {
    ployi_bind *bind = ployi_bind_of(L);
    if (bind != NULL) return bind;
    // The account is a userdata, so that it lives until the state has closed the bindings.
    ployi_bind_account *account = lua_newuserdatauv(L, sizeof *account, 0);
    *account = (ployi_bind_account){.env = request->lua->env, .cap = request->lua->most};
    lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_BIND);
    ploy_env env = request->lua->env;
    env.allocator = (ploy_allocator){bind_host_resize, account};
    request->result = ployi_bind_open(L, &env, &bind);
    if (request->result != PLOY_OK) return NULL;
    bind->charge = bind_host_charge;
    bind->rethrow = ployi_script_rethrow;
    bind->object = bind_host_object;
    bind->push = ployi_script_push;
    return bind;
}

static int bind_host_protected(lua_State *L) {
    bind_host_request *request = lua_touserdata(L, 1);
    ployi_bind *bind = bind_host_open(L, request);
    if (bind == NULL) return 0;
    lua_pushglobaltable(L);
    lua_pushstring(L, "ploy");
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 4);
        lua_pushstring(L, "ploy");
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    lua_pushstring(L, request->module);
    if (lua_rawget(L, -2) == LUA_TTABLE) return 0;
    lua_pop(L, 1);
    request->result = ployi_bind_register(bind, L, request->module);
    if (request->result != PLOY_OK) return 0;
    lua_pushstring(L, request->module);
    lua_insert(L, -2);
    lua_rawset(L, -3);
    return 0;
}

ploy_result ploy_lua_bind(ploy_lua *lua, const char *module) {
    if (lua == NULL || module == NULL) return PLOY_ERR_ARGUMENT;
    bind_host_request request = {lua, module, PLOY_OK};
    ploy_result result = ployi_script_protect(lua, bind_host_protected, &request);
    if (result != PLOY_OK) return result;
    if (request.result == PLOY_ERR_NOT_FOUND) {
        char text[160];
        ploy_nearest nearest = ploy_nearest_make(module);
        for (int32_t m = 0; m < ployi_bind_module_count; m++)
            ploy_nearest_offer(&nearest, ployi_bind_modules[m]->name);
        if (nearest.best == NULL)
            (void)snprintf(text, sizeof text, "unknown module '%.60s'", module);
        else
            (void)snprintf(text, sizeof text, "unknown module '%.60s' (did you mean '%s'?)", module,
                           nearest.best);
        ployi_script_fail(lua, text);
    }
    return request.result;
}
