// Local variables that survive a reload: keep("name", initial).
//
// A local variable of a script is an upvalue of the functions that use it. Before a reload the
// functions of the globals are searched for the kept names; after it the new functions are joined to
// the old variables. So old and new code share one variable, also while a coroutine runs old code.
#include <stdio.h>
#include <string.h>

#include "script/minds_internal.h"

enum { KEEP_DEPTH = 6 };

// What is done with each function that is found.
typedef struct keep_walk {
    ploy_lua_minds *minds;
    bool joins;
    int visited; // stack index of the set of tables that were searched
} keep_walk;

static ployi_minds_keep *keep_named(ploy_lua_minds *minds, const char *name) {
    for (int32_t i = 0; i < minds->keep_count; i++) {
        if (strcmp(minds->keeps[i].name, name) == 0) return &minds->keeps[i];
    }
    return NULL;
}

// The function on top of the stack.
static void keep_function(lua_State *L, keep_walk *walk) {
    ploy_lua_minds *minds = walk->minds;
    if (lua_iscfunction(L, -1)) return;
    for (int i = 1;; i++) {
        const char *name = lua_getupvalue(L, -1, i);
        if (name == NULL) return;
        lua_pop(L, 1);
        ployi_minds_keep *keep = keep_named(minds, name);
        if (keep == NULL) continue;
        bool found = keep->upvalue > 0;
        if (!walk->joins && !found) {
            lua_pushvalue(L, -1);
            if (ployi_script_ref(minds->lua, L, &keep->function) == PLOY_OK) keep->upvalue = i;
        } else if (walk->joins && found &&
                   ployi_script_push_ref(minds->lua, L, keep->function) == PLOY_OK) {
            lua_upvaluejoin(L, -2, i, -1, keep->upvalue);
            lua_pop(L, 1);
        }
    }
}

// The table on top of the stack, in an order that does not depend on hashes.
static void keep_table(lua_State *L, keep_walk *walk, int depth) {
    luaL_checkstack(L, 16, "keep");
    lua_pushvalue(L, -1);
    lua_rawget(L, walk->visited);
    bool seen = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (seen || depth > KEEP_DEPTH) return;
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, walk->visited);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        int kind = lua_type(L, -2);
        if (kind == LUA_TNUMBER || kind == LUA_TSTRING) continue;
        lua_pop(L, 2); // keys that have no order: not searched
        return;
    }
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (ployi_script_next(L, table)) {
        if (lua_isfunction(L, -1)) {
            keep_function(L, walk);
        } else if (lua_istable(L, -1)) {
            keep_table(L, walk, depth + 1);
        }
        lua_pop(L, 1);
    }
}

static int keep_search(lua_State *L) {
    keep_walk *walk = lua_touserdata(L, 1);
    lua_createtable(L, 0, 64);
    walk->visited = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    keep_table(L, walk, 0);
    return 0;
}

ploy_result ployi_minds_keep_find(ploy_lua_minds *minds) {
    for (int32_t i = 0; i < minds->keep_count; i++) {
        if (minds->keeps[i].upvalue > 0) {
            (void)ploy_lua_release(minds->lua, minds->keeps[i].function);
        }
        minds->keeps[i].upvalue = 0;
    }
    if (minds->keep_count == 0) return PLOY_OK;
    keep_walk walk = {minds, false, 0};
    return ployi_script_protect(minds->lua, keep_search, &walk);
}

ploy_result ployi_minds_keep_join(ploy_lua_minds *minds) {
    if (minds->keep_count == 0) return PLOY_OK;
    keep_walk walk = {minds, true, 0};
    return ployi_script_protect(minds->lua, keep_search, &walk);
}

// keep(name, initial): the value from before the reload, or the initial one.
static ploy_result keep_call(void *user, ploy_lua_frame *frame) {
    ploy_lua_minds *minds = user;
    const char *name = frame->args[0].as.text;
    ploy_lua_ref value;
    ploy_result result;
    ployi_minds_keep *keep = keep_named(minds, name);
    if (keep == NULL) {
        if (minds->keep_count == PLOYI_MINDS_KEEPS || strlen(name) >= PLOYI_MINDS_NAME) {
            snprintf(frame->error, sizeof frame->error,
                     "too many kept variables, or the name is too long");
            return PLOY_ERR_CAPACITY;
        }
        keep = &minds->keeps[minds->keep_count++];
        memset(keep, 0, sizeof *keep);
        snprintf(keep->name, sizeof keep->name, "%s", name);
    }
    if (minds->reloading && keep->upvalue > 0) {
        lua_State *L = minds->lua->at;
        result = ployi_script_push_ref(minds->lua, L, keep->function);
        if (result != PLOY_OK) return result;
        (void)lua_getupvalue(L, -1, keep->upvalue);
        lua_remove(L, -2);
        result = ployi_script_ref(minds->lua, L, &value);
    } else {
        result = ploy_lua_arg(frame, 1, &value);
    }
    if (result != PLOY_OK) return result;
    result = ploy_lua_return(frame, 0, value);
    (void)ploy_lua_release(minds->lua, value);
    return result;
}

ploy_result ployi_minds_open_keep(ploy_lua_minds *minds) {
    const ploy_lua_function keep = {"keep", keep_call, "(text, any)", 4, minds};
    return ploy_lua_register(minds->lua, &keep);
}
