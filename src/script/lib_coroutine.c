// Coroutines that share the account. A new coroutine pays for one grain, because its own counter
// starts full; a budget that ends inside one stops all that resumed it.
#include "script/script_internal.h"

static lua_State *coroutine_get(lua_State *L) {
    lua_State *thread = lua_tothread(L, 1);
    luaL_argexpected(L, thread != NULL, 1, "coroutine");
    return thread;
}

static int coroutine_create(lua_State *L) {
    const ploy_lua *lua = ployi_script_of(L);
    luaL_checktype(L, 1, LUA_TFUNCTION);
    ployi_script_charge(L, lua->grain);
    lua_State *thread = lua_newthread(L);
    lua_sethook(thread, ployi_script_hook, LUA_MASKCOUNT | lua->observer_mask, lua->grain);
    lua_pushvalue(L, 1);
    lua_xmove(L, thread, 1);
    return 1;
}

// Resumes with the arguments on top of L. Returns the number of results on top, -1 with a message
// there, or -2 if the budget ended inside.
static int coroutine_transfer(lua_State *L, lua_State *thread, int count) {
    ploy_lua *lua = ployi_script_of(L);
    ployi_script_charge(L, 2 + count / 8);
    if (!lua_checkstack(thread, count)) {
        lua_pushliteral(L, "too many arguments to resume");
        return -1;
    }
    lua_Debug ar;
    bool suspended = lua_status(thread) == LUA_YIELD;
    if (!suspended &&
        (lua_status(thread) != LUA_OK || lua_getstack(thread, 0, &ar) || lua_gettop(thread) == 0)) {
        lua_pushstring(L, lua_status(thread) == LUA_OK && lua_getstack(thread, 0, &ar)
                              ? "cannot resume non-suspended coroutine"
                              : "cannot resume dead coroutine");
        return -1;
    }
    lua_xmove(L, thread, count);
    int made = 0;
    lua->preempted = false;
    int status = lua_resume(thread, L, count, &made);
    if (status == LUA_OK || status == LUA_YIELD) {
        if (status == LUA_YIELD && lua->preempted) {
            if (made > 0) lua_pop(thread, made);
            return -2;
        }
        if (!lua_checkstack(L, made + 1)) {
            lua_pop(thread, made);
            lua_pushliteral(L, "too many results to resume");
            return -1;
        }
        lua_xmove(thread, L, made);
        return made;
    }
    ployi_script_rethrow(L);
    lua_xmove(thread, L, 1); // the message
    return -1;
}

static int coroutine_finish_resume(lua_State *L, int count) {
    if (count < 0) {
        lua_pushboolean(L, 0);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushboolean(L, 1);
    lua_insert(L, -(count + 1));
    return count + 1;
}

static int coroutine_finish_wrap(lua_State *L, lua_State *thread, int count) {
    if (count >= 0) return count;
    int status = lua_status(thread);
    if (status != LUA_OK && status != LUA_YIELD) { // an error in the coroutine: close its variables
        status = lua_resetthread(thread);
        ployi_script_rethrow(L);
        lua_xmove(thread, L, 1);
    }
    if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

// Continues a coroutine that the budget stopped: where L itself can stop it does, otherwise the
// other goes on, up to the hard limit.
static int coroutine_again(lua_State *L, int status, lua_KContext wrap) {
    (void)status;
    lua_State *thread = lua_tothread(L, wrap ? lua_upvalueindex(1) : 1);
    for (;;) {
        lua_settop(L, wrap ? 0 : 1);
        int count = coroutine_transfer(L, thread, 0);
        if (count != -2) {
            return wrap ? coroutine_finish_wrap(L, thread, count)
                        : coroutine_finish_resume(L, count);
        }
        if (lua_isyieldable(L)) return lua_yieldk(L, 0, wrap, coroutine_again);
    }
}

static int coroutine_resume(lua_State *L) {
    lua_State *thread = coroutine_get(L);
    int count = coroutine_transfer(L, thread, lua_gettop(L) - 1);
    if (count != -2) return coroutine_finish_resume(L, count);
    lua_settop(L, 1);
    if (lua_isyieldable(L)) return lua_yieldk(L, 0, 0, coroutine_again);
    return coroutine_again(L, LUA_OK, 0);
}

static int coroutine_call(lua_State *L) {
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    int count = coroutine_transfer(L, thread, lua_gettop(L));
    if (count != -2) return coroutine_finish_wrap(L, thread, count);
    lua_settop(L, 0);
    if (lua_isyieldable(L)) return lua_yieldk(L, 0, 1, coroutine_again);
    return coroutine_again(L, LUA_OK, 1);
}

bool ployi_script_waits_inside(lua_State *thread) {
    lua_Debug ar;
    if (!lua_getstack(thread, 0, &ar) || !lua_checkstack(thread, 2)) return false;
    (void)lua_getinfo(thread, "f", &ar);
    lua_CFunction fn = lua_tocfunction(thread, -1);
    lua_pop(thread, 1);
    return fn == coroutine_resume || fn == coroutine_call;
}

static int coroutine_wrap(lua_State *L) {
    (void)coroutine_create(L);
    lua_pushcclosure(L, coroutine_call, 1);
    return 1;
}

static int coroutine_yield(lua_State *L) {
    ployi_script_charge(L, 1);
    return lua_yield(L, lua_gettop(L));
}

static const char *coroutine_status_text(lua_State *L, lua_State *thread) {
    lua_Debug ar;
    if (L == thread) return "running";
    switch (lua_status(thread)) {
    case LUA_YIELD: return "suspended";
    case LUA_OK:
        if (lua_getstack(thread, 0, &ar)) return "normal";
        return lua_gettop(thread) == 0 ? "dead" : "suspended";
    default: return "dead";
    }
}

static int coroutine_status(lua_State *L) {
    lua_pushstring(L, coroutine_status_text(L, coroutine_get(L)));
    return 1;
}

static int coroutine_isyieldable(lua_State *L) {
    lua_State *thread = lua_isnone(L, 1) ? L : coroutine_get(L);
    lua_pushboolean(L, lua_isyieldable(thread));
    return 1;
}

static int coroutine_running(lua_State *L) {
    int main = lua_pushthread(L);
    lua_pushboolean(L, main);
    return 2;
}

static int coroutine_close(lua_State *L) {
    lua_State *thread = coroutine_get(L);
    const char *status = coroutine_status_text(L, thread);
    ployi_script_charge(L, 2);
    if (*status != 'd' && *status != 's') {
        return luaL_error(L, "cannot close a %s coroutine", status);
    }
    if (lua_resetthread(thread) == LUA_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    ployi_script_rethrow(L);
    lua_pushboolean(L, 0);
    lua_xmove(thread, L, 1);
    return 2;
}

void ployi_script_open_coroutine(lua_State *L) {
    static const luaL_Reg functions[] = {{"create", coroutine_create},
                                         {"resume", coroutine_resume},
                                         {"running", coroutine_running},
                                         {"status", coroutine_status},
                                         {"wrap", coroutine_wrap},
                                         {"yield", coroutine_yield},
                                         {"isyieldable", coroutine_isyieldable},
                                         {"close", coroutine_close},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_setglobal(L, "coroutine");
}
