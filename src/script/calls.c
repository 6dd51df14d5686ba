// Loading, calling and resuming.
//
// Compiled scripts: 8 bytes "PLOYLUA1", the release of Lua (zero-padded to 16), the hash of what
// follows, then Lua's own bytecode. Lua does not check bytecode, so a file is only accepted if the
// def says that files are trusted; release and hash guard against mixed-up and damaged files.
#include <stdio.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "script/script_internal.h"

enum { CALLS_MAGIC = 8, CALLS_RELEASE = 16, CALLS_HEADER = CALLS_MAGIC + CALLS_RELEASE + 8 };
enum { CALLS_FEW = 8 }; // arguments
static const char calls_magic[] = "PLOYLUA1";

// ---- messages

// Appends to lua->error, as far as there is room.
static void calls_append(ploy_lua *lua, const char *text) {
    size_t at = strlen(lua->error), size = strlen(text);
    if (at + size >= sizeof lua->error) size = sizeof lua->error - 1 - at;
    memcpy(lua->error + at, text, size);
    lua->error[at + size] = 0;
}

// The levels of the stack, the innermost first.
static void calls_levels(ploy_lua *lua, lua_State *L) {
    lua_Debug ar;
    char line[160];
    for (int level = 0; level < 12 && lua_getstack(L, level, &ar); level++) {
        if (!lua_getinfo(L, "Sln", &ar)) break;
        if (ar.currentline <= 0) continue; // C
        snprintf(line, sizeof line, "\n  %.80s:%d: in %s%s%s", ar.short_src, ar.currentline,
                 ar.name != NULL   ? "function '"
                 : *ar.what == 'm' ? "main chunk"
                                   : "a function",
                 ar.name != NULL ? ar.name : "", ar.name != NULL ? "'" : "");
        calls_append(lua, line);
    }
}

// Writes the message of the error value at `index` to lua->error.
static void calls_explain(lua_State *L, int index) {
    ploy_lua *lua = ployi_script_of(L);
    char line[160];
    if (lua->stop != PLOYI_SCRIPT_STOP_NONE) {
        if (lua->error[0] != 0) return; // of the place where it was reached
        lua_Debug ar;
        for (int level = 0; lua_getstack(L, level, &ar); level++) {
            if (lua_getinfo(L, "Sl", &ar) && ar.currentline > 0) {
                snprintf(line, sizeof line, "%.80s:%d: ", ar.short_src, ar.currentline);
                ployi_script_fail(lua, line);
                break;
            }
        }
        if (lua->stop == PLOYI_SCRIPT_STOP_UNITS) {
            snprintf(line, sizeof line, "limit of %lld units reached",
                     (long long)(lua->limit - lua->last_start));
        } else if (lua->stop == PLOYI_SCRIPT_STOP_STRING) {
            snprintf(line, sizeof line, "limit of %d KiB for a string reached",
                     (int)lua->def.string_kb);
        } else {
            snprintf(line, sizeof line, "limit of %d KiB of memory reached",
                     (int)lua->def.memory_kb);
        }
        calls_append(lua, line);
    } else if (lua_type(L, index) == LUA_TSTRING) {
        ployi_script_fail(lua, lua_tostring(L, index));
    } else if (lua_isinteger(L, index)) {
        snprintf(line, sizeof line, "%lld", (long long)lua_tointeger(L, index));
        ployi_script_fail(lua, line);
    } else {
        snprintf(line, sizeof line, "error object is a %s value", luaL_typename(L, index));
        ployi_script_fail(lua, line);
    }
    calls_levels(lua, L);
}

int ployi_script_traceback(lua_State *L) {
    calls_explain(L, 1);
    return 1;
}

// ---- loading

typedef struct calls_reader {
    const char *bytes;
    size_t size;
} calls_reader;

static const char *calls_read(lua_State *L, void *user, size_t *size) {
    calls_reader *reader = user;
    (void)L;
    *size = reader->size;
    reader->size = 0;
    return *size > 0 ? reader->bytes : NULL;
}

static void calls_load_compiled(lua_State *L, const char *bytes, size_t size, const char *name) {
    const ploy_lua *lua = ployi_script_of(L);
    char release[CALLS_RELEASE] = "";
    uint64_t hash;
    if (!lua->def.compiled) {
        luaL_error(L, "%s:1:1: compiled scripts are not allowed here", name);
    }
    if (size < CALLS_HEADER) luaL_error(L, "%s:1:1: the compiled script is truncated", name);
    memcpy(release, LUA_RELEASE, sizeof LUA_RELEASE);
    if (memcmp(bytes + CALLS_MAGIC, release, CALLS_RELEASE) != 0) {
        luaL_error(L, "%s:1:1: compiled for another release of Lua; expected %s", name,
                   LUA_RELEASE);
    }
    memcpy(&hash, bytes + CALLS_MAGIC + CALLS_RELEASE, sizeof hash);
    if (hash != ploy_hash_bytes(bytes + CALLS_HEADER, size - CALLS_HEADER, 0)) {
        luaL_error(L, "%s:1:1: the compiled script is damaged", name);
    }
    calls_reader reader = {bytes + CALLS_HEADER, size - CALLS_HEADER};
    if (lua_load(L, calls_read, &reader, name, "b") != LUA_OK) lua_error(L);
}

void ployi_script_compile_text(lua_State *L, const char *bytes, size_t size, const char *name,
                               bool text_only) {
    if (size >= CALLS_MAGIC && memcmp(bytes, calls_magic, CALLS_MAGIC) == 0 && !text_only) {
        calls_load_compiled(L, bytes, size, name);
        return;
    }
    if (size > 0 && bytes[0] == LUA_SIGNATURE[0]) {
        luaL_error(L, "%s:1:1: expected a text, found bytecode", name);
    }
    ployi_script_check_tokens(L, bytes, size, name);
    lua_pushfstring(L, "@%s", name);
    calls_reader reader = {bytes, size};
    if (lua_load(L, calls_read, &reader, lua_tostring(L, -1), "t") != LUA_OK) lua_error(L);
    lua_remove(L, -2);
}

typedef struct calls_load {
    ploy_lua *lua;
    const void *bytes;
    size_t size;
    const char *name;
    ploy_lua_ref *chunk;
    ploy_result result;
} calls_load;

static int calls_do_load(lua_State *L) {
    calls_load *load = lua_touserdata(L, 1);
    ployi_script_charge(L, (int64_t)(load->size / 16));
    ployi_script_compile_text(L, load->bytes, load->size, load->name, false);
    load->result = ployi_script_ref(load->lua, L, load->chunk);
    return 0;
}

// Splits "name:line:column: text", or Lua's "name:line: text near 'x'", and adds it to diags.
void ployi_script_diagnose(ploy_lua *lua, const char *name, ploy_result code, ploy_diags *diags) {
    const char *text = lua->error;
    int32_t numbers[2] = {0, 0};
    char message[PLOY_DIAG_TEXT_MAX];
    for (const char *at = strchr(text, ':'); at != NULL; at = strchr(at + 1, ':')) {
        if (at[1] < '0' || at[1] > '9') continue;
        for (int i = 0; i < 2 && *at == ':' && at[1] >= '0' && at[1] <= '9'; i++) {
            for (at++; *at >= '0' && *at <= '9'; at++) {
                if (numbers[i] < 100000000) numbers[i] = numbers[i] * 10 + (*at - '0');
            }
        }
        if (*at == ':') text = at + 1;
        break;
    }
    while (*text == ' ') text++;
    size_t size = strcspn(text, "\n");
    if (size >= sizeof message) size = sizeof message - 1;
    memcpy(message, text, size);
    message[size] = 0;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, name, numbers[0],
                   numbers[0] > 0 && numbers[1] == 0 ? 1 : numbers[1], message, NULL, NULL);
}

static ploy_result calls_load_code(const ploy_lua *lua) {
    if (strstr(lua->error, "are not allowed here") != NULL) return PLOY_ERR_DENIED;
    if (strstr(lua->error, "another release of Lua") != NULL) return PLOY_ERR_VERSION;
    return PLOY_ERR_FORMAT;
}

// Runs a C function as a call with its own units.
static ploy_result calls_enter_protect(ploy_lua *lua, lua_CFunction fn, void *arg) {
    ployi_script_entry entry;
    ploy_result result = ployi_script_enter(lua, &entry, -1);
    if (result != PLOY_OK) return result;
    lua_State *L = lua->at;
    lua_settop(L, lua->base);
    lua->handler = false;
    int status = LUA_ERRMEM;
    if (lua_checkstack(L, 12)) {
        lua_pushcfunction(L, fn);
        lua_pushlightuserdata(L, arg);
        status = lua_pcall(L, 1, 0, 0);
        if (status != LUA_OK) {
            if (lua->error[0] == 0 && lua_type(L, -1) == LUA_TSTRING) {
                ployi_script_fail(lua, lua_tostring(L, -1));
            }
            lua_pop(L, 1);
        }
    }
    return ployi_script_leave(lua, &entry, status);
}

ploy_result ploy_lua_load(ploy_lua *lua, const void *bytes, size_t size, const char *name,
                          ploy_diags *diags, ploy_lua_ref *chunk) {
    calls_load load = {lua, bytes, size, name != NULL ? name : "script", chunk, PLOY_OK};
    *chunk = ploy_lua_globals();
    ploy_result result = calls_enter_protect(lua, calls_do_load, &load);
    if (result == PLOY_OK) result = load.result;
    if (result == PLOY_ERR_CALLBACK) result = calls_load_code(lua);
    if (result != PLOY_OK) ployi_script_diagnose(lua, load.name, result, diags);
    return result;
}

ploy_result ploy_lua_run(ploy_lua *lua, const void *bytes, size_t size, const char *name,
                         ploy_diags *diags) {
    ploy_lua_ref chunk;
    ploy_result result = ploy_lua_load(lua, bytes, size, name, diags, &chunk);
    if (result != PLOY_OK) return result;
    result = ploy_lua_call(lua, chunk, ploy_lua_globals(), NULL, 0, NULL, 0);
    if (result != PLOY_OK)
        ployi_script_diagnose(lua, name != NULL ? name : "script", result, diags);
    (void)ploy_lua_release(lua, chunk);
    return result;
}

typedef struct calls_dump {
    calls_load load;
    bool strip;
    ploy_buffer code;
} calls_dump;

static int calls_write(lua_State *L, const void *bytes, size_t size, void *user) {
    ploy_buffer *code = user;
    (void)L;
    return ploy_buffer_append(code, bytes, size) == PLOY_OK ? 0 : 1;
}

static int calls_do_dump(lua_State *L) {
    calls_dump *dump = lua_touserdata(L, 1);
    ployi_script_compile_text(L, dump->load.bytes, dump->load.size, dump->load.name, true);
    if (lua_dump(L, calls_write, &dump->code, dump->strip) != 0) {
        dump->load.result = PLOY_ERR_MEMORY;
    }
    return 0;
}

ploy_result ploy_lua_compile(ploy_lua *lua, const void *bytes, size_t size, const char *name,
                             bool strip, ploy_diags *diags, ploy_writer *out) {
    calls_dump dump = {.load = {lua, bytes, size, name != NULL ? name : "script", NULL, PLOY_OK},
                       .strip = strip};
    ploy_buffer_init(&dump.code, 0, &lua->env);
    ploy_result result = calls_enter_protect(lua, calls_do_dump, &dump);
    if (result == PLOY_OK) result = dump.load.result;
    if (result == PLOY_ERR_CALLBACK) result = PLOY_ERR_FORMAT;
    if (result == PLOY_OK) {
        char header[CALLS_HEADER] = "";
        memcpy(header, calls_magic, CALLS_MAGIC);
        memcpy(header + CALLS_MAGIC, LUA_RELEASE, sizeof LUA_RELEASE);
        uint64_t hash = ploy_hash_bytes(dump.code.bytes, dump.code.size, 0);
        memcpy(header + CALLS_MAGIC + CALLS_RELEASE, &hash, sizeof hash);
        ploy_write_bytes(out, header, sizeof header);
        ploy_write_bytes(out, dump.code.bytes, dump.code.size);
        result = ploy_writer_result(out);
    } else {
        ployi_script_diagnose(lua, dump.load.name, result, diags);
    }
    ploy_buffer_fini(&dump.code);
    return result;
}

// ---- calling

typedef struct calls_push {
    const ploy_value *args;
    int32_t count;
} calls_push;

static int calls_do_push(lua_State *L) {
    const calls_push *push = lua_touserdata(L, 1);
    luaL_checkstack(L, push->count, "too many arguments");
    for (int32_t i = 0; i < push->count; i++) ployi_script_push(L, &push->args[i]);
    return push->count;
}

// Pushes arguments. Those that allocate need protection.
static ploy_result calls_push_args(lua_State *L, const ploy_value *args, int32_t count) {
    bool plain = true;
    for (int32_t i = 0; i < count; i++) plain = plain && args[i].type <= PLOY_VALUE_F64;
    // The callers have made room for a few.
    if (count < 0 || (count > CALLS_FEW && !lua_checkstack(L, count + 6))) return PLOY_ERR_MEMORY;
    if (plain) {
        for (int32_t i = 0; i < count; i++) {
            if (args[i].type == PLOY_VALUE_I64) {
                lua_pushinteger(L, args[i].as.i64);
            } else {
                ployi_script_push(L, &args[i]);
            }
        }
        return PLOY_OK;
    }
    calls_push push = {args, count};
    lua_pushcfunction(L, calls_do_push);
    lua_pushlightuserdata(L, &push);
    if (lua_pcall(L, 1, count, 0) == LUA_OK) return PLOY_OK;
    lua_pop(L, 1);
    return PLOY_ERR_MEMORY;
}

static bool calls_callable(lua_State *L, int index) {
    if (lua_isfunction(L, index)) return true;
    if (!luaL_getmetafield(L, index, "__call")) return false;
    lua_pop(L, 1);
    return true;
}

// Pushes what is called, and its first argument.
static ploy_result calls_push_function(ploy_lua *lua, lua_State *L, ploy_lua_ref fn,
                                       ploy_lua_ref self) {
    ploy_result result = PLOY_OK;
    // The base level of the main thread has room since create.
    if (lua->depth > 1 && !lua_checkstack(L, CALLS_FEW + 16)) return PLOY_ERR_MEMORY;
    if (ployi_script_push_known(lua, L, fn) != LUA_TFUNCTION) {
        // Not a plain function: again, with messages.
        lua_settop(L, lua->base + 1);
        result = ployi_script_push_ref(lua, L, fn);
        if (result == PLOY_OK && !calls_callable(L, -1)) {
            ployi_script_fail(lua, "the handle is not a function");
            result = PLOY_ERR_ARGUMENT;
        }
    }
    if (result == PLOY_OK && self.id.generation != 0) result = ployi_script_push_ref(lua, L, self);
    return result;
}

ploy_result ploy_lua_call(ploy_lua *lua, ploy_lua_ref fn, ploy_lua_ref self, const ploy_value *args,
                          int32_t arg_count, ploy_value *results, int32_t result_count) {
    ployi_script_entry entry;
    static const ploy_value none = {PLOY_VALUE_NONE, {0}};
    for (int32_t i = 0; i < result_count; i++) results[i] = none;
    ploy_result result = ployi_script_enter(lua, &entry, -1);
    if (result != PLOY_OK) return result;
    lua_State *L = lua->at;
    int base = lua->base;
    int given = arg_count + (self.id.generation != 0);
    int status = LUA_OK;
    if (lua->handler && lua->depth == 1) {
        lua_settop(L, base + 1); // the last call left it there
    } else {
        lua_settop(L, base);
        lua_pushcfunction(L, ployi_script_traceback);
        lua->handler = lua->depth == 1;
    }
    result = calls_push_function(lua, L, fn, self);
    if (result == PLOY_OK && arg_count != 0) result = calls_push_args(L, args, arg_count);
    if (result == PLOY_OK) {
        status = lua_pcall(L, given, LUA_MULTRET, base + 1);
        if (status == LUA_OK && result_count > 0) {
            // There is room for a few, and what the call did not return reads as none.
            int32_t made = result_count <= CALLS_FEW ? result_count : lua_gettop(L) - base - 1;
            for (int32_t i = 0; i < result_count && i < made; i++) {
                (void)ployi_script_read(L, base + 2 + i, &results[i]);
            }
        }
    }
    ploy_result ended = ployi_script_leave(lua, &entry, status);
    if (result == PLOY_OK) result = ended;
    if (result != PLOY_OK) {
        lua_settop(L, base);
        lua->handler = false;
    }
    return result;
}

ploy_result ploy_lua_result(ploy_lua *lua, int32_t index, ploy_lua_ref *out) {
    *out = ploy_lua_globals();
    lua_State *L = lua->at;
    if (index < 0 || index >= lua_gettop(L) - lua->base - 1) return PLOY_ERR_NOT_FOUND;
    if (!lua_checkstack(L, 2)) return PLOY_ERR_MEMORY;
    lua_pushvalue(L, lua->base + 2 + index);
    return ployi_script_ref(lua, L, out);
}

// ---- coroutines

static const char *const calls_statuses[PLOY_LUA_STATUSES] = {"ready", "yielded", "stopped", "done",
                                                              "failed"};

const char *ploy_lua_status_text(ploy_lua_status status) {
    return (unsigned)status < PLOY_LUA_STATUSES ? calls_statuses[status] : "?";
}

typedef struct calls_start {
    ploy_lua *lua;
    ploy_lua_ref fn, self;
    ploy_lua_ref *thread;
    ploy_result result;
} calls_start;

static int calls_do_start(lua_State *L) {
    calls_start *start = lua_touserdata(L, 1);
    lua_State *thread = lua_newthread(L);
    lua_sethook(thread, ployi_script_hook, LUA_MASKCOUNT | start->lua->observer_mask,
                start->lua->grain);
    start->result = ployi_script_push_ref(start->lua, L, start->fn);
    if (start->result != PLOY_OK) return 0;
    if (!lua_isfunction(L, -1)) {
        start->result = PLOY_ERR_ARGUMENT;
        ployi_script_fail(start->lua, "the handle is not a function");
        return 0;
    }
    lua_xmove(L, thread, 1);
    if (start->self.id.generation != 0) {
        start->result = ployi_script_push_ref(start->lua, L, start->self);
        if (start->result != PLOY_OK) return 0;
        lua_xmove(L, thread, 1);
    }
    start->result = ployi_script_ref(start->lua, L, start->thread);
    return 0;
}

ploy_result ploy_lua_start(ploy_lua *lua, ploy_lua_ref fn, ploy_lua_ref self,
                           ploy_lua_ref *thread) {
    calls_start start = {lua, fn, self, thread, PLOY_OK};
    *thread = ploy_lua_globals();
    ploy_result result = ployi_script_protect(lua, calls_do_start, &start);
    return result == PLOY_OK ? start.result : result;
}

static ploy_lua_status calls_status(lua_State *thread) {
    lua_Debug ar;
    switch (lua_status(thread)) {
    case LUA_YIELD:
        // A forced yield leaves a Lua function, or our own resume, as the innermost one.
        if (lua_getstack(thread, 0, &ar) && lua_getinfo(thread, "S", &ar) && *ar.what != 'C') {
            return PLOY_LUA_STOPPED;
        }
        return ployi_script_waits_inside(thread) ? PLOY_LUA_STOPPED : PLOY_LUA_YIELDED;
    case LUA_OK:
        if (lua_getstack(thread, 0, &ar)) return PLOY_LUA_YIELDED; // running now
        return lua_gettop(thread) > 0 ? PLOY_LUA_READY : PLOY_LUA_DONE;
    default: return PLOY_LUA_FAILED;
    }
}

ploy_lua_status ploy_lua_status_of(const ploy_lua *lua, ploy_lua_ref thread) {
    ploy_lua_status status = PLOY_LUA_FAILED;
    ploy_lua *state = lua->at != NULL ? ployi_script_of(lua->at) : NULL;
    if (state == NULL || ployi_script_push_ref(state, lua->at, thread) != PLOY_OK) return status;
    lua_State *target = lua_tothread(lua->at, -1);
    lua_pop(lua->at, 1);
    return target != NULL ? calls_status(target) : status;
}

ploy_result ploy_lua_resume(ploy_lua *lua, ploy_lua_ref thread, const ploy_value *args,
                            int32_t arg_count, ploy_budget *budget, ploy_value *results,
                            int32_t result_count, ploy_lua_status *status) {
    ployi_script_entry entry;
    *status = PLOY_LUA_FAILED;
    if (result_count > 0) memset(results, 0, (size_t)result_count * sizeof *results); // none
    if (budget != NULL && budget->units <= 0) {
        *status = ploy_lua_status_of(lua, thread);
        return PLOY_OK;
    }
    int64_t before = lua->units;
    int64_t units = budget != NULL && budget->units < INT32_MAX ? budget->units : -1;
    ploy_result result = ployi_script_enter(lua, &entry, units);
    if (result != PLOY_OK) return result;
    lua_State *L = lua->at;
    int base = lua->base;
    lua_settop(L, base);
    lua->handler = false;
    int rc = LUA_OK;
    lua_pushnil(L); // results begin at base + 2, as those of a call do
    if (!lua_checkstack(L, CALLS_FEW + 16)) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ployi_script_push_ref(lua, L, thread);
    lua_State *target = result == PLOY_OK ? lua_tothread(L, -1) : NULL;
    if (result == PLOY_OK && (target == NULL || target == L)) {
        ployi_script_fail(lua, "the handle is not a coroutine");
        result = PLOY_ERR_ARGUMENT;
    }
    if (result == PLOY_OK) {
        *status = calls_status(target);
        if (*status == PLOY_LUA_DONE || *status == PLOY_LUA_FAILED ||
            lua_getstack(target, 0, &(lua_Debug){0}) != (lua_status(target) == LUA_YIELD)) {
            ployi_script_fail(lua, "the coroutine has ended or is running");
            result = PLOY_ERR_STATE;
        }
    }
    if (result == PLOY_OK) result = calls_push_args(L, args, arg_count);
    if (result == PLOY_OK && !lua_checkstack(target, arg_count + 2)) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        lua_xmove(L, target, arg_count);
        int given = *status == PLOY_LUA_READY ? lua_gettop(target) - 1 : arg_count;
        int made = 0;
        ployi_script_count(lua, target);
        rc = lua_resume(target, L, given, &made);
        if (rc == LUA_OK || rc == LUA_YIELD) {
            *status = calls_status(target);
            if (rc == LUA_OK) *status = PLOY_LUA_DONE;
            lua_settop(L, base + 1);
            if (*status != PLOY_LUA_STOPPED && lua_checkstack(L, made)) {
                lua_xmove(target, L, made);
                for (int32_t i = 0; i < result_count && i < made; i++) {
                    (void)ployi_script_read(L, base + 2 + i, &results[i]);
                }
            } else if (*status == PLOY_LUA_STOPPED) {
                if (made > 0) lua_pop(target, made);
            }
        } else {
            *status = PLOY_LUA_FAILED;
            calls_explain(target, -1); // no handler runs in a coroutine; its stack is still there
        }
    }
    ploy_result ended = ployi_script_leave(lua, &entry, rc);
    if (result == PLOY_OK) result = ended;
    if (result != PLOY_OK) lua_settop(L, base);
    if (budget != NULL) (void)ploy_budget_spend(budget, lua->units - before);
    return result;
}
