// Any text as a script, and host functions called with any arguments: a result or an error, never a
// crash, and always within the limits. The first byte chooses whether the rest is a script or the
// arguments of a library function.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/script/lua.h"

static void must(bool condition) {
    if (!condition) abort();
}

static ploy_result echo(void *user, ploy_lua_frame *frame) {
    (void)user;
    frame->results[0] = frame->args[0];
    frame->results[1] = frame->args[1];
    frame->result_count = 2;
    return PLOY_OK;
}

static ploy_result again(void *user, ploy_lua_frame *frame) {
    ploy_lua_ref fn;
    (void)user;
    ploy_result result = ploy_lua_arg(frame, 0, &fn);
    if (result == PLOY_OK) {
        result = ploy_lua_call(frame->lua, fn, PLOY_LUA_GLOBALS, NULL, 0, NULL, 0);
        (void)ploy_lua_release(frame->lua, fn);
    }
    return result;
}

// Calls one function of the library with arguments made from the bytes.
static void call(ploy_lua *lua, const uint8_t *data, size_t size) {
    static const char *const names[] = {
        "string.find",    "string.match",   "string.gsub",     "string.gmatch",
        "string.format",  "string.rep",     "string.byte",     "string.sub",
        "table.concat",   "table.insert",   "table.remove",    "table.move",
        "table.unpack",   "table.sort",     "math.random",     "math.fmod",
        "math.tointeger", "utf8.codepoint", "utf8.offset",     "next",
        "pairs",          "select",         "setmetatable",    "rawset",
        "load",           "coroutine.wrap", "coroutine.close", "tostring",
        "tonumber",       "echo",           "again",           "vec2",
        "string.pack",    "string.unpack",  "xpcall"};
    enum { COUNT = 5 };
    char text[COUNT][64];
    ploy_value args[COUNT];
    ploy_lua_ref fn;
    if (size < 1) return;
    const char *name = names[data[0] % (sizeof names / sizeof names[0])];
    must(ploy_lua_get_ref(lua, PLOY_LUA_GLOBALS, name, &fn) == PLOY_OK);
    size_t at = 1;
    int32_t count = 0;
    for (; count < COUNT && at < size; count++) {
        uint8_t kind = data[at++];
        size_t length = kind >> 3;
        if (length > size - at) length = size - at;
        int64_t number = 0;
        memcpy(&number, data + at, length < 8 ? length : 8);
        memcpy(text[count], data + at, length);
        text[count][length] = 0;
        at += length;
        double real;
        memcpy(&real, &number, sizeof real);
        switch (kind & 7) {
        case 0: args[count] = ploy_value_none(); break;
        case 1: args[count] = ploy_value_bool(number & 1); break;
        case 2: args[count] = ploy_value_i64(number); break;
        case 3: args[count] = ploy_value_f64(real); break;
        case 4: args[count] = ploy_value_vec2((float)number, 1.0f); break;
        case 5: args[count] = ploy_value_id(ploy_id_from_u64((uint64_t)number)); break;
        default: args[count] = ploy_value_text(text[count]); break;
        }
    }
    ploy_value results[3];
    ploy_lua_ref self = PLOY_LUA_GLOBALS;
    if (data[0] & 0x80) must(ploy_lua_new_table(lua, &self) == PLOY_OK);
    (void)ploy_lua_call(lua, fn, self, args, count, results, 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_lua_def def = ploy_lua_def_default();
    def.call_units = 20000;
    def.memory_kb = 1024;
    def.string_kb = 64;
    ploy_lua *lua = NULL;
    must(ploy_lua_create(&def, &env, &lua) == PLOY_OK);
    const ploy_lua_function functions[] = {{"echo", echo, "(any, any)", 1, NULL},
                                           {"again", again, "(function)", 1, NULL}};
    for (size_t i = 0; i < 2; i++) must(ploy_lua_register(lua, &functions[i]) == PLOY_OK);
    if (size > 0 && data[0] == 1) {
        call(lua, data + 1, size - 1);
    } else {
        (void)ploy_lua_run(lua, data, size, "fuzz", NULL);
    }
    ploy_lua_stats stats = ploy_lua_get_stats(lua);
    must(stats.last_units <= 10 * (int64_t)def.call_units);
    must(stats.peak_bytes <= (size_t)def.memory_kb * 1024);
    static const char next[] = "after = 1";
    must(ploy_lua_run(lua, next, sizeof next - 1, "next", NULL) == PLOY_OK);
    (void)ploy_lua_hash(lua);
    ploy_lua_destroy(lua);
    return 0;
}
