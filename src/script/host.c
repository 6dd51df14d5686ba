// Host functions: one C closure for all of them, with the record of its function as upvalue.
#include <stdio.h>
#include <string.h>

#include "script/script_internal.h"

typedef enum host_kind {
    HOST_ANY,
    HOST_BOOL,
    HOST_INTEGER,
    HOST_NUMBER,
    HOST_TEXT,
    HOST_ID,
    HOST_NAME,
    HOST_VEC2,
    HOST_VEC3,
    HOST_VEC4,
    HOST_TABLE,
    HOST_FUNCTION,
    HOST_KINDS,
    HOST_OPTIONAL = 0x80
} host_kind;

static const char *const host_words[HOST_KINDS] = {"any",  "bool", "integer", "number",
                                                   "text", "id",   "name",    "vec2",
                                                   "vec3", "vec4", "table",   "function"};

static bool host_is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Reads "(number, text?)".
static ploy_result host_signature(const char *text, ployi_script_host *host) {
    host->arg_count = -1;
    if (text == NULL) return PLOY_OK;
    const char *at = strchr(text, '(');
    if (at == NULL) return PLOY_ERR_FORMAT;
    host->arg_count = 0;
    for (at++; *at != ')';) {
        while (host_is_blank(*at)) at++;
        if (*at == ')' && host->arg_count == 0) break;
        size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz234");
        uint8_t kind = HOST_KINDS;
        for (uint8_t i = 0; i < HOST_KINDS; i++) {
            if (strlen(host_words[i]) == size && memcmp(host_words[i], at, size) == 0) kind = i;
        }
        if (kind == HOST_KINDS || host->arg_count == PLOY_LUA_ARGS_MAX) return PLOY_ERR_FORMAT;
        at += size;
        if (*at == '?') {
            kind |= HOST_OPTIONAL;
            at++;
        } else {
            host->needed = host->arg_count + 1;
        }
        host->kinds[host->arg_count++] = kind;
        while (host_is_blank(*at)) at++;
        if (*at == ',') {
            at++;
        } else if (*at != ')') {
            return PLOY_ERR_FORMAT;
        }
    }
    return PLOY_OK;
}

static bool host_fits(lua_State *L, int index, uint8_t kind, ploy_value *value) {
    int type = lua_type(L, index);
    if ((kind & HOST_OPTIONAL) && type <= LUA_TNIL) return true;
    switch ((host_kind)(kind & ~HOST_OPTIONAL)) {
    case HOST_ANY: return true;
    case HOST_BOOL: return type == LUA_TBOOLEAN;
    case HOST_INTEGER: {
        int whole = 0;
        lua_Integer number = type == LUA_TNUMBER ? lua_tointegerx(L, index, &whole) : 0;
        if (whole) *value = ploy_value_i64(number);
        return whole != 0;
    }
    case HOST_NUMBER:
        if (type == LUA_TNUMBER) *value = ploy_value_f64(lua_tonumber(L, index));
        return type == LUA_TNUMBER;
    case HOST_TEXT: return type == LUA_TSTRING;
    case HOST_ID: return value->type == PLOY_VALUE_ID;
    case HOST_NAME: return value->type == PLOY_VALUE_NAME;
    case HOST_VEC2: return value->type == PLOY_VALUE_VEC2;
    case HOST_VEC3: return value->type == PLOY_VALUE_VEC3;
    case HOST_VEC4: return value->type == PLOY_VALUE_VEC4;
    case HOST_TABLE: return type == LUA_TTABLE;
    case HOST_FUNCTION: return type == LUA_TFUNCTION;
    default: return false;
    }
}

static int host_call(lua_State *L);

static int host_continue(lua_State *L, int status, lua_KContext count) {
    (void)status;
    lua_settop(L, (int)count); // the arguments are still there
    return host_call(L);
}

static int host_call(lua_State *L) {
    ploy_lua *lua = ployi_script_of(L);
    const ployi_script_host *host = lua_touserdata(L, lua_upvalueindex(1));
    ploy_value args[PLOY_LUA_ARGS_MAX];
    ployi_script_charge(L, host->cost);
    int count = lua_gettop(L);
    if (count > PLOY_LUA_ARGS_MAX || (host->arg_count >= 0 && count > host->arg_count)) {
        return luaL_error(L, "%s: expected at most %d arguments, found %d", host->name,
                          host->arg_count >= 0 ? host->arg_count : PLOY_LUA_ARGS_MAX, count);
    }
    if (count < host->needed) {
        return luaL_error(L, "%s: expected %d arguments, found %d", host->name, host->needed,
                          count);
    }
    for (int i = 0; i < count; i++) {
        (void)ployi_script_read(L, i + 1, &args[i]);
        if (host->arg_count >= 0 && !host_fits(L, i + 1, host->kinds[i], &args[i])) {
            return luaL_error(L, "%s: argument %d: expected %s, found %s", host->name, i + 1,
                              host_words[host->kinds[i] & ~HOST_OPTIONAL], luaL_typename(L, i + 1));
        }
    }
    ploy_lua_frame frame;
    frame.lua = lua;
    frame.args = args;
    frame.arg_count = count;
    frame.result_count = 0;
    frame.error[0] = 0;
    // Results that are handles wait in a slot for each, above the arguments.
    luaL_checkstack(L, PLOY_LUA_ARGS_MAX * 2 + 8, "host function");
    lua_settop(L, count + PLOY_LUA_ARGS_MAX);
    lua_State *at = lua->at;
    int32_t base = lua->base;
    lua->at = L;
    lua->base = count + PLOY_LUA_ARGS_MAX;
    for (int32_t i = 0; i < PLOY_LUA_ARGS_MAX; i++) frame.results[i] = ploy_value_none();
    ploy_result result = host->fn(host->user, &frame);
    lua->at = at;
    lua->base = base;
    ployi_script_rethrow(L);
    if (result == PLOY_IN_PROGRESS) {
        if (!lua_isyieldable(L)) {
            return luaL_error(L, "%s: expected a coroutine to wait in", host->name);
        }
        lua_settop(L, count);
        return lua_yieldk(L, 0, count, host_continue);
    }
    if (result != PLOY_OK) {
        frame.error[sizeof frame.error - 1] = 0;
        return luaL_error(L, "%s: %s", host->name,
                          frame.error[0] != 0 ? frame.error : ploy_result_text(result));
    }
    if (frame.result_count < 0 || frame.result_count > PLOY_LUA_ARGS_MAX) frame.result_count = 0;
    lua_settop(L, count + PLOY_LUA_ARGS_MAX);
    for (int32_t i = 0; i < frame.result_count; i++) {
        if (lua_isnil(L, count + 1 + i)) {
            ployi_script_push(L, &frame.results[i]);
        } else {
            lua_pushvalue(L, count + 1 + i);
        }
    }
    return frame.result_count;
}

const char *ployi_script_host_name(lua_State *L, int index) {
    if (lua_tocfunction(L, index) != host_call || lua_getupvalue(L, index, 1) == NULL) return NULL;
    const ployi_script_host *host = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return host->name;
}

ploy_result ploy_lua_arg(ploy_lua_frame *frame, int32_t index, ploy_lua_ref *out) {
    ploy_lua *lua = frame->lua;
    *out = ploy_lua_globals();
    if (index < 0 || index >= frame->arg_count) return PLOY_ERR_NOT_FOUND;
    lua_pushvalue(lua->at, index + 1);
    return ployi_script_ref(lua, lua->at, out);
}

ploy_result ploy_lua_return(ploy_lua_frame *frame, int32_t index, ploy_lua_ref value) {
    ploy_lua *lua = frame->lua;
    if (index < 0 || index >= PLOY_LUA_ARGS_MAX) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_script_push_ref(lua, lua->at, value);
    if (result != PLOY_OK) return result;
    lua_replace(lua->at, frame->arg_count + 1 + index);
    if (frame->result_count <= index) frame->result_count = index + 1;
    return PLOY_OK;
}

typedef struct host_request {
    ployi_script_host *host;
} host_request;

static int host_register(lua_State *L) {
    const host_request *request = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushlightuserdata(L, request->host);
    lua_pushcclosure(L, host_call, 1);
    ployi_script_assign(L, request->host->name);
    return 0;
}

ploy_result ploy_lua_register(ploy_lua *lua, const ploy_lua_function *function) {
    if (function == NULL || function->fn == NULL || function->name == NULL ||
        function->name[0] == 0 || strlen(function->name) >= PLOY_LUA_PATH_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_array_reserve(&lua->hosts, lua->hosts.count + 1);
    if (result != PLOY_OK) return result;
    ployi_script_host *host = ploy_env_alloc_zero(&lua->env, sizeof *host);
    if (host == NULL) return PLOY_ERR_MEMORY;
    memcpy(host->name, function->name, strlen(function->name) + 1);
    host->fn = function->fn;
    host->user = function->user;
    host->cost = function->cost;
    result = host_signature(function->signature, host);
    host_request request = {host};
    if (result == PLOY_OK) result = ployi_script_protect(lua, host_register, &request);
    if (result != PLOY_OK) {
        ploy_env_free(&lua->env, host, sizeof *host);
        return result;
    }
    (void)ploy_array_push(&lua->hosts, &host); // reserved
    return PLOY_OK;
}
