// Lines, calls and returns of Lua scripts for a probe; see ploy/exec/script_probe.h.
#include <stdio.h>
#include <string.h>

#include "script/minds_internal.h"

// The n-th level that runs Lua code.
static bool minds_view_level(lua_State *L, int32_t level, lua_Debug *ar) {
    for (int i = 0; lua_getstack(L, i, ar); i++) {
        if (!lua_getinfo(L, "Sln", ar)) return false;
        if (ar->currentline > 0 && level-- == 0) return true;
    }
    return false;
}

int32_t ployi_minds_line(const ploy_lua_minds *minds) {
    lua_Debug ar;
    return minds_view_level(minds->lua->at, 0, &ar) ? ar.currentline : 0;
}

// A function that the host calls has no name: it is named after its place. "" for the main chunk.
static void minds_view_function(const lua_Debug *ar, char *out, size_t size) {
    if (ar->name != NULL) {
        snprintf(out, size, "%s", ar->name);
    } else if (ar->linedefined > 0) {
        snprintf(out, size, "function at line %d", ar->linedefined);
    } else {
        out[0] = 0;
    }
}

static bool minds_view_frame(const void *self, int32_t level, ploy_script_frame *out) {
    ploy_lua_watch *view = (ploy_lua_watch *)(uintptr_t)self;
    lua_Debug ar;
    if (!minds_view_level(view->at, level, &ar)) return false;
    minds_view_function(&ar, view->names[0], sizeof view->names[0]);
    out->function = view->names[0];
    out->line = ar.currentline;
    return true;
}

// "table with 3 elements and 1 field"
static void minds_view_table(lua_State *L, char *out, size_t size) {
    int32_t elements = 0;
    int32_t fields = ployi_script_fields(L, -1, &elements);
    if (elements == 0 && fields == 0)
        snprintf(out, size, "empty table");
    else if (fields == 0)
        snprintf(out, size, "table with %d element%s", (int)elements, elements == 1 ? "" : "s");
    else if (elements == 0)
        snprintf(out, size, "table with %d field%s", (int)fields, fields == 1 ? "" : "s");
    else
        snprintf(out, size, "table with %d element%s and %d field%s", (int)elements,
                 elements == 1 ? "" : "s", (int)fields, fields == 1 ? "" : "s");
}

static void minds_view_value(lua_State *L, ploy_script_variable *out) {
    out->text[0] = 0;
    if (!ployi_script_read(L, -1, &out->value)) {
        out->value = ploy_value_none();
        if (lua_istable(L, -1)) {
            minds_view_table(L, out->text, sizeof out->text);
        } else {
            snprintf(out->text, sizeof out->text, "%s", luaL_typename(L, -1));
        }
    } else if (lua_isnil(L, -1)) {
        snprintf(out->text, sizeof out->text, "nil");
    }
}

static bool minds_view_is_name(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || c < '0' || c > '9')) return false;
    }
    return size > 0;
}

// The variable on top of the stack, then the keys of its table: "self", "self.gold", "path[1]". Counts index down by
// those that are passed; true if index was reached.
static bool minds_view_pick(ploy_lua_watch *view, lua_State *L, const char *name, int32_t *index,
                            ploy_script_variable *out) {
    enum { FIELDS_MAX = 256 }; // a larger table is only counted: a condition searches at each line
    size_t room = sizeof view->names[1];
    snprintf(view->names[1], room, "%s", name);
    out->name = view->names[1];
    if ((*index)-- == 0) {
        minds_view_value(L, out);
        return true;
    }
    int32_t elements = 0;
    if (!lua_istable(L, -1)) return false;
    int64_t keys = (int64_t)ployi_script_fields(L, -1, &elements);
    if (keys + elements > FIELDS_MAX) return false;
    for (int32_t k = 0; ployi_script_key_at(L, -1, k); k++) {
        if ((*index)-- > 0) {
            lua_pop(L, 2);
            continue;
        }
        size_t size = 0;
        if (lua_isinteger(L, -2)) {
            snprintf(view->names[1], room, "%s[%lld]", name, (long long)lua_tointeger(L, -2));
        } else if (lua_type(L, -2) == LUA_TNUMBER) {
            snprintf(view->names[1], room, "%s[%g]", name, lua_tonumber(L, -2));
        } else {
            const char *key = lua_tolstring(L, -2, &size);
            snprintf(view->names[1], room, minds_view_is_name(key, size) ? "%s.%s" : "%s[\"%s\"]",
                     name, key);
        }
        minds_view_value(L, out);
        return true;
    }
    return false;
}

// Upvalues, then locals, each with the fields of its table. The script's globals are not listed: they hold the whole
// library.
static bool minds_view_variable(const void *self, int32_t level, int32_t index,
                                ploy_script_variable *out) {
    ploy_lua_watch *view = (ploy_lua_watch *)(uintptr_t)self;
    lua_State *L = view->at;
    lua_Debug ar;
    if (level < 0 || !minds_view_level(L, level, &ar) || !lua_checkstack(L, 8)) return false;
    (void)lua_getinfo(L, "f", &ar);
    int function = lua_gettop(L);
    const char *name = NULL;
    bool found = false;
    for (int i = 1; !found && (name = lua_getupvalue(L, function, i)) != NULL; i++) {
        found = strcmp(name, "_ENV") != 0 && name[0] != '(' &&
                minds_view_pick(view, L, name, &index, out);
        lua_settop(L, function);
    }
    for (int i = 1; !found && (name = lua_getlocal(L, &ar, i)) != NULL; i++) {
        found = name[0] != '(' && minds_view_pick(view, L, name, &index, out);
        lua_settop(L, function);
    }
    lua_settop(L, function - 1);
    return found;
}

// Tables that the search allocates are events of the account: a probe must not move the limits.
static ploy_result minds_view_expect(const void *self, ploy_script_profile *profile) {
    ploy_lua *lua = ((const ploy_lua_watch *)self)->lua;
    int64_t units = lua->units, events = lua->events;
    ploy_result result = ploy_lua_expect_lines(lua, profile);
    lua->units = units;
    lua->events = events;
    return result;
}

static const ploy_script_view minds_view = {minds_view_frame, minds_view_variable,
                                            minds_view_expect};

static void minds_watch_event(void *user, ploy_lua *lua, lua_State *L, lua_Debug *ar) {
    ploy_lua_watch *watch = user;
    lua_Debug level;
    ploy_script_report report;
    memset(&report, 0, sizeof report);
    if (!lua_getinfo(L, "Sln", ar) || *ar->what == 'C') return;
    if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL) report.event = PLOY_SCRIPT_CALL;
    while (minds_view_level(L, report.depth + 1, &level)) report.depth++;
    if (ar->event == LUA_HOOKRET) {
        report.event = PLOY_SCRIPT_RETURN;
        if (!minds_view_level(L, 1, &level)) return; // to C: the stop follows
        ar = &level;
        report.depth--;
    }
    char script[128], function[PLOYI_MINDS_NAME];
    snprintf(script, sizeof script, "%s", ar->short_src);
    minds_view_function(ar, function, sizeof function);
    watch->at = L;
    report.agent = watch->agent;
    report.script = script;
    report.function = function;
    report.line = ar->currentline > 0 ? ar->currentline : 0;
    report.units = lua->units;
    report.self = watch;
    report.view = &minds_view;
    watch->probe->report(watch->probe->user, &report);
}

static void minds_watch(ploy_lua_watch *watch, ploy_lua *lua, ploy_script_probe *probe,
                        lua_State *thread, ploy_agent_id agent) {
    memset(watch, 0, sizeof *watch);
    watch->lua = lua;
    watch->probe = probe;
    watch->thread = thread;
    watch->agent = agent;
    watch->outer = (void (*)(void))lua->observer; // as private memory of a public struct
    watch->outer_user = lua->observer_user;
    watch->outer_mask = lua->observer_mask;
    ployi_script_observe(lua, thread, LUA_MASKLINE | LUA_MASKCALL | LUA_MASKRET, minds_watch_event,
                         watch);
}

void ploy_lua_watch_begin(ploy_lua_watch *watch, ploy_lua *lua, ploy_script_probe *probe) {
    minds_watch(watch, lua, probe, lua->at, lua->agent);
}

void ployi_minds_watch_begin(ployi_minds_watch *watch, ploy_lua_minds *minds,
                             const ploy_step_context *context, ploy_lua_ref thread) {
    ploy_lua *lua = minds->lua;
    ploy_script_probe *probe = ploy_script_probe_of(context->trace);
    memset(watch, 0, sizeof *watch);
    if (probe == NULL) return;
    lua_State *observed = lua->at;
    if (ploy_lua_kind_of(lua, thread) == PLOY_LUA_THREAD &&
        ployi_script_push_ref(lua, lua->at, thread) == PLOY_OK) {
        observed = lua_tothread(lua->at, -1);
        lua_pop(lua->at, 1);
    }
    minds_watch(watch, lua, probe, observed, context->agent);
}

void ploy_lua_watch_end(ploy_lua_watch *watch) {
    if (watch->probe == NULL) return;
    ployi_script_observe(watch->lua, watch->thread, watch->outer_mask,
                         (ployi_script_observer)watch->outer, watch->outer_user);
    ploy_script_report report;
    memset(&report, 0, sizeof report);
    report.event = PLOY_SCRIPT_STOP;
    report.agent = watch->agent;
    report.script = report.function = "";
    report.units = watch->lua->units;
    report.self = watch;
    report.view = &minds_view;
    watch->probe->report(watch->probe->user, &report);
    watch->probe = NULL;
}

// ---- lines that can run

enum { MINDS_LINES_DEPTH = 8 };

typedef struct minds_lines {
    ploy_script_profile *profile;
    int seen; // stack index of the set of what was searched
    ploy_result result;
} minds_lines;

static void minds_lines_search(lua_State *L, minds_lines *lines, int depth);

// The function on top: its lines, then what it holds.
static void minds_lines_function(lua_State *L, minds_lines *lines, int depth) {
    lua_Debug ar;
    if (lua_iscfunction(L, -1)) return;
    lua_pushvalue(L, -1);
    (void)lua_getinfo(L, ">SL", &ar);
    bool own = strcmp(ar.short_src, "minds") == 0; // the library's part in Lua
    for (lua_pushnil(L); lua_istable(L, -2) && lua_next(L, -2) != 0; lua_pop(L, 1)) {
        int64_t line = lua_tointeger(L, -2);
        ploy_result result =
            own || line < 1
                ? PLOY_OK
                : ploy_script_profile_expect(lines->profile, ar.short_src, "", (int32_t)line);
        if (result != PLOY_OK) lines->result = result;
    }
    lua_pop(L, 1);
    for (int i = 1; lua_getupvalue(L, -1, i) != NULL; i++) {
        minds_lines_search(L, lines, depth + 1);
        lua_pop(L, 1);
    }
}

// Whatever is on top of the stack. The order does not matter: lines are sorted by the profile.
static void minds_lines_search(lua_State *L, minds_lines *lines, int depth) {
    if ((!lua_istable(L, -1) && !lua_isfunction(L, -1)) || depth > MINDS_LINES_DEPTH) return;
    luaL_checkstack(L, 16, "lines");
    lua_pushvalue(L, -1);
    lua_rawget(L, lines->seen);
    bool seen = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (seen) return;
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, lines->seen);
    if (lua_isfunction(L, -1)) {
        minds_lines_function(L, lines, depth);
        return;
    }
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        minds_lines_search(L, lines, depth + 1);
    }
}

static int minds_lines_run(lua_State *L) {
    minds_lines *lines = lua_touserdata(L, 1);
    lua_createtable(L, 0, 64);
    lines->seen = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    minds_lines_search(L, lines, 0);
    return 0;
}

ploy_result ploy_lua_expect_lines(ploy_lua *lua, ploy_script_profile *profile) {
    minds_lines lines = {profile, 0, PLOY_OK};
    ploy_result result = ployi_script_protect(lua, minds_lines_run, &lines);
    return result == PLOY_OK ? lines.result : result;
}
