// Lines, calls and returns of Lua scripts for a probe; see ploy/exec/script_probe.h.
#include <stdio.h>
#include <string.h>

#include "script/minds_internal.h"

// The lua_State that reports is the view's `self`: levels and locals are Lua's own.
typedef struct minds_view {
    lua_State *L;
    char names[2][PLOYI_MINDS_NAME]; // of the frame and the variable that were asked for last
} minds_view;

// The n-th level that runs Lua code.
static bool minds_view_level(lua_State *L, int32_t level, lua_Debug *ar) {
    for (int i = 0; lua_getstack(L, i, ar); i++) {
        if (!lua_getinfo(L, "Sln", ar)) return false;
        if (ar->currentline > 0 && level-- == 0) return true;
    }
    return false;
}

static const char *minds_view_function(const lua_Debug *ar) {
    return ar->name != NULL ? ar->name : "";
}

static bool minds_view_frame(const void *self, int32_t level, ploy_script_frame *out) {
    minds_view *view = (minds_view *)(uintptr_t)self;
    lua_Debug ar;
    if (!minds_view_level(view->L, level, &ar)) return false;
    snprintf(view->names[0], sizeof view->names[0], "%s", minds_view_function(&ar));
    out->function = view->names[0];
    out->line = ar.currentline;
    return true;
}

static void minds_view_value(lua_State *L, ploy_script_variable *out) {
    out->text[0] = 0;
    if (!ployi_script_read(L, -1, &out->value)) {
        out->value = ploy_value_none();
        if (lua_istable(L, -1)) {
            snprintf(out->text, sizeof out->text, "table with %d elements", (int)lua_rawlen(L, -1));
        } else {
            snprintf(out->text, sizeof out->text, "%s", luaL_typename(L, -1));
        }
    } else if (lua_isnil(L, -1)) {
        snprintf(out->text, sizeof out->text, "nil");
    }
}

// Locals, then upvalues. The script's globals are not listed: they hold the whole library.
static bool minds_view_variable(const void *self, int32_t level, int32_t index,
                                ploy_script_variable *out) {
    minds_view *view = (minds_view *)(uintptr_t)self;
    lua_State *L = view->L;
    lua_Debug ar;
    if (level < 0 || !minds_view_level(L, level, &ar) || !lua_checkstack(L, 4)) return false;
    (void)lua_getinfo(L, "f", &ar);
    int function = lua_gettop(L);
    const char *name = NULL;
    for (int i = 1; (name = lua_getupvalue(L, function, i)) != NULL; i++) {
        if (strcmp(name, "_ENV") != 0 && name[0] != '(' && index-- == 0) break;
        lua_pop(L, 1);
    }
    for (int i = 1; name == NULL && (name = lua_getlocal(L, &ar, i)) != NULL; i++) {
        if (name[0] != '(' && index-- == 0) break;
        lua_pop(L, 1);
        name = NULL;
    }
    if (name != NULL) {
        snprintf(view->names[1], sizeof view->names[1], "%s", name);
        out->name = view->names[1];
        minds_view_value(L, out);
    }
    lua_settop(L, function - 1);
    return name != NULL;
}

static void minds_watch_event(void *user, ploy_lua *lua, lua_State *L, lua_Debug *ar) {
    static const ploy_script_view type = {minds_view_frame, minds_view_variable};
    ployi_minds_watch *watch = user;
    ploy_script_event event = PLOY_SCRIPT_LINE;
    if (!lua_getinfo(L, "Sln", ar) || *ar->what == 'C') return;
    if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL) event = PLOY_SCRIPT_CALL;
    if (ar->event == LUA_HOOKRET) event = PLOY_SCRIPT_RETURN;
    minds_view view = {L, {"", ""}};
    char script[128], function[PLOYI_MINDS_NAME];
    snprintf(script, sizeof script, "%s", ar->short_src);
    snprintf(function, sizeof function, "%s", minds_view_function(ar));
    ploy_script_report report;
    lua_Debug level;
    memset(&report, 0, sizeof report);
    report.event = event;
    report.agent = watch->context->agent;
    report.script = script;
    report.function = function;
    report.line = ar->currentline > 0 ? ar->currentline : 0;
    while (minds_view_level(L, report.depth + 1, &level)) report.depth++;
    report.units = lua->units;
    report.self = &view;
    report.view = &type;
    watch->probe->report(watch->probe->user, &report);
}

void ployi_minds_watch_begin(ployi_minds_watch *watch, ploy_lua_minds *minds,
                             ploy_step_context *context, ploy_lua_ref thread) {
    memset(watch, 0, sizeof *watch);
    watch->probe = ploy_script_probe_of(context->trace);
    if (watch->probe == NULL) return;
    watch->minds = minds;
    watch->context = context;
    watch->thread = minds->lua->at;
    lua_State *L = minds->lua->at;
    if (ploy_lua_kind_of(minds->lua, thread) == PLOY_LUA_THREAD &&
        ployi_script_push_ref(minds->lua, L, thread) == PLOY_OK) {
        watch->thread = lua_tothread(L, -1);
        lua_pop(L, 1);
    }
    watch->outer = minds->lua->observer;
    watch->outer_user = minds->lua->observer_user;
    watch->outer_mask = minds->lua->observer_mask;
    ployi_script_observe(minds->lua, watch->thread, LUA_MASKLINE | LUA_MASKCALL | LUA_MASKRET,
                         minds_watch_event, watch);
}

void ployi_minds_watch_end(ployi_minds_watch *watch) {
    if (watch->probe == NULL) return;
    ployi_script_observe(watch->minds->lua, watch->thread, watch->outer_mask, watch->outer,
                         watch->outer_user);
    ploy_script_report report;
    memset(&report, 0, sizeof report);
    report.event = PLOY_SCRIPT_STOP;
    report.agent = watch->context->agent;
    report.script = report.function = "";
    report.units = watch->minds->lua->units;
    watch->probe->report(watch->probe->user, &report);
}
