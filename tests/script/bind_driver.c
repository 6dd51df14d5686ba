#include "bind_driver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lualib.h>

#define COUNT_OF(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))
#define DRIVER_POOL 6 // objects kept of each type

uint32_t driver_draw(driver *d, uint32_t below) {
    d->random ^= d->random << 13;
    d->random ^= d->random >> 7;
    d->random ^= d->random << 17;
    return below == 0 ? 0 : (uint32_t)((d->random >> 11) % below);
}

int32_t driver_function_count(void) {
    int32_t count = 0;
    for (int32_t m = 0; m < ployi_bind_module_count; m++) count += ployi_bind_modules[m]->count;
    return count;
}

const ployi_bind_function *driver_function(int32_t number) {
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        if (number < ployi_bind_modules[m]->count) return &ployi_bind_modules[m]->functions[number];
        number -= ployi_bind_modules[m]->count;
    }
    return NULL;
}

bool driver_open(driver *d, const ploy_env *env, uint64_t seed) {
    *d = (driver){.random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1, .wild = 10};
    d->L = luaL_newstate();
    if (d->L == NULL || ployi_bind_open(d->L, env, &d->bind) != PLOY_OK) return false;
    d->bind->separate = true;
    luaL_requiref(d->L, "_G", luaopen_base, 1); // assert, for the recipes
    lua_pop(d->L, 1);
    lua_newtable(d->L);
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        if (ployi_bind_register(d->bind, d->L, ployi_bind_modules[m]->name) != PLOY_OK)
            return false;
        lua_setfield(d->L, -2, ployi_bind_modules[m]->name);
    }
    lua_setglobal(d->L, "ploy");
    lua_newtable(d->L);
    lua_rawsetp(d->L, LUA_REGISTRYINDEX, d);
    return true;
}

void driver_close(driver *d) {
    if (d->L != NULL) lua_close(d->L);
    d->L = NULL;
}

// file(path): the bytes of a file of the source tree.
static int driver_file(lua_State *L) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", lua_tostring(L, lua_upvalueindex(1)),
                   luaL_checkstring(L, 1));
    FILE *file = fopen(path, "rb");
    if (file == NULL) return luaL_error(L, "%s: cannot be read", path);
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    for (size_t got = 1; got > 0;) {
        char *room = luaL_prepbuffer(&buffer);
        got = fread(room, 1, LUAL_BUFFERSIZE, file);
        luaL_addsize(&buffer, got);
    }
    (void)fclose(file);
    luaL_pushresult(&buffer);
    return 1;
}

static const char driver_key = 0;

// Tells the watch which bound function a recipe calls.
static void driver_hook(lua_State *L, lua_Debug *ar) {
    if (lua_getinfo(L, "f", ar) == 0) return;
    if (lua_tocfunction(L, -1) == ployi_bind_call && lua_getupvalue(L, -1, 1) != NULL) {
        const ployi_bind_function *fn = lua_touserdata(L, -1);
        lua_rawgetp(L, LUA_REGISTRYINDEX, &driver_key);
        driver *d = lua_touserdata(L, -1);
        if (d->watch != NULL) d->watch(d, fn);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

int32_t driver_recipes(driver *d, const char *root, char *text, size_t size) {
    lua_State *L = d->L;
    int top = lua_gettop(L);
    lua_pushlightuserdata(L, d);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &driver_key);
    if (d->watch != NULL) lua_sethook(L, driver_hook, LUA_MASKCALL, 0);
    char path[512];
    text[0] = 0;
    lua_pushstring(L, root);
    lua_pushcclosure(L, driver_file, 1);
    lua_setglobal(L, "file");
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "made");
    (void)snprintf(path, sizeof path, "%s/tools/api-recipes.lua", root);
    if (luaL_loadfile(L, path) != LUA_OK || lua_pcall(L, 0, 1, 0) != LUA_OK ||
        lua_type(L, -1) != LUA_TTABLE) {
        (void)snprintf(text, size, "%s", lua_tostring(L, -1));
        lua_sethook(L, NULL, 0, 0);
        lua_settop(L, top);
        return 1;
    }
    int32_t failed = 0;
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, top + 2); i++) {
        lua_rawgeti(L, top + 2, i);
        if (lua_pcall(L, 0, LUA_MULTRET, 0) != LUA_OK) {
            size_t used = strlen(text); // every failure: they are mended together
            (void)snprintf(text + used, size - used, "%s\n", lua_tostring(L, -1));
            failed += 1;
        } else {
            for (int k = top + 3; k <= lua_gettop(L); k++) {
                const ployi_handle *handle = ployi_bind_handle(L, k);
                if (handle == NULL) continue;
                driver_keep(d, k);
                lua_pushvalue(L, k);
                lua_setfield(L, top + 1, handle->type->name);
            }
        }
        lua_settop(L, top + 2);
    }
    lua_sethook(L, NULL, 0, 0);
    lua_settop(L, top);
    return failed;
}

bool driver_is_argument(const ployi_bind_item *item) {
    switch ((ployi_bind_role)item->role) {
    case PLOYI_BIND_IN:
    case PLOYI_BIND_INOUT:
    case PLOYI_BIND_ARRAY_IN:
    case PLOYI_BIND_ARRAY_INOUT:
    case PLOYI_BIND_CAPACITY:
    case PLOYI_BIND_OWNED:
    case PLOYI_BIND_CALL: return true;
    default: return false;
    }
}

// Pushes an object of the type, if there is one.
static bool driver_pooled(driver *d, const ployi_bind_type *type) {
    lua_State *L = d->L;
    lua_rawgetp(L, LUA_REGISTRYINDEX, d);
    if (lua_rawgetp(L, -1, type) != LUA_TTABLE) {
        lua_pop(L, 2);
        return false;
    }
    uint32_t count = (uint32_t)lua_rawlen(L, -1);
    uint32_t first = d->mode == DRIVER_WILD ? driver_draw(d, count)
                                            : count - 1; // plainly, the newest that can be used
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)((first + count - i) % count) + 1);
        const ployi_handle *handle = ployi_bind_handle(L, -1);
        if (handle != NULL && (handle->box == NULL || d->mode == DRIVER_WILD ||
                               ployi_box_state(handle->box) == NULL)) {
            lua_replace(L, -3);
            lua_pop(L, 1);
            return true;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    return false;
}

void driver_keep(driver *d, int index) {
    lua_State *L = d->L;
    const ployi_handle *handle = ployi_bind_handle(L, index);
    if (handle == NULL || (handle->type->kind == PLOYI_BIND_PLAIN && d->mode == DRIVER_PLAIN))
        return;
    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, d);
    if (lua_rawgetp(L, -1, handle->type) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, -3, handle->type);
    }
    lua_Integer count = (lua_Integer)lua_rawlen(L, -1);
    lua_pushvalue(L, index);
    lua_rawseti(L, -2,
                count < DRIVER_POOL ? count + 1 : 1 + (lua_Integer)driver_draw(d, DRIVER_POOL));
    lua_pop(L, 2);
}

static const double driver_far[] = {0,    1,    -1,  2,   3,     7,        0.5,   -0.25, 1e9,
                                    -1e9, 1e30, 3.5, 100, 65536, HUGE_VAL, -1e30, 1e-30};
static const int32_t driver_whole[] = {-1, -2,  INT32_MAX, INT32_MIN, 7,    17,    31,
                                       32, 100, 255,       256,       1000, 65536, 1 << 20};

static void driver_push_wild(driver *d) {
    lua_State *L = d->L;
    switch (driver_draw(d, 13)) {
    case 0: lua_pushnil(L); return;
    case 1: lua_pushboolean(L, driver_draw(d, 2) != 0); return;
    case 2: lua_pushinteger(L, (lua_Integer)driver_draw(d, 5) - 1); return;
    case 3: lua_pushinteger(L, INT32_MAX - (lua_Integer)driver_draw(d, 2)); return;
    case 4: lua_pushinteger(L, INT32_MIN); return;
    case 5: lua_pushnumber(L, 0.0 / (double)driver_draw(d, 1)); return; // NaN
    case 6: lua_pushnumber(L, 1e308 * 10); return;
    case 7: lua_pushnumber(L, driver_far[driver_draw(d, COUNT_OF(driver_far))]); return;
    case 8: lua_pushstring(L, driver_draw(d, 2) != 0 ? "" : "a b(c"); return;
    case 9: lua_newtable(L); return;
    case 10:
        lua_newtable(L);
        lua_pushinteger(L, 3);
        lua_rawseti(L, -2, 1);
        return;
    case 11: lua_pushinteger(L, INT64_MAX); return;
    default: { // any object or struct
        const ployi_bind_type *type =
            &ployi_bind_types[driver_draw(d, (uint32_t)ployi_bind_type_count)];
        for (int32_t tries = 0; tries < 20 && type->kind != PLOYI_BIND_OBJECT; tries++)
            type = &ployi_bind_types[driver_draw(d, (uint32_t)ployi_bind_type_count)];
        if (!driver_pooled(d, type)) lua_pushnil(L);
        return;
    }
    }
}

// A callback: returns something of its type.
static int driver_callback(lua_State *L) {
    driver *d = lua_touserdata(L, lua_upvalueindex(1));
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(2));
    luaL_checkstack(L, 20, "callback");
    for (int i = 1, count = lua_gettop(L);
         i <= count && d->lent != NULL && !d->inside && d->calls < 4; i++) {
        const ployi_handle *handle = ployi_bind_handle(L, i);
        if (handle == NULL || handle->box == NULL) continue;
        d->inside = true;
        driver_keep(d, i);
        d->lent(d, handle->type);
        d->inside = false;
    }
    if (d->mode == DRIVER_WILD && d->nested < 2 && driver_draw(d, 4) == 0) {
        // Whatever a script may do in a callback: use and destroy objects, also those of the call around it.
        char text[200];
        int32_t calls = d->calls, depth = d->depth;
        for (int i = 1, count = lua_gettop(L); i <= count; i++) driver_keep(d, i);
        d->nested += 1;
        d->depth = 0;
        (void)driver_call(
            d, driver_function((int32_t)driver_draw(d, (uint32_t)driver_function_count())), text,
            sizeof text);
        if (driver_draw(d, 8) == 0) lua_gc(L, LUA_GCCOLLECT, 0);
        d->nested -= 1;
        d->calls = calls;
        d->depth = depth;
    }
    if (d->mode == DRIVER_WILD && driver_draw(d, 12) == 0) return luaL_error(L, "callback fails");
    if (type->result_kind == PLOYI_BIND_VOID) return 0;
    ployi_bind_item item = {.name = "result",
                            .kind = type->result_kind,
                            .type = type->result_type,
                            .link = -1,
                            .second = -1,
                            .written = -1};
    if (++d->calls > 40)
        return luaL_error(L, "called too often"); // ends loops that wait for another answer
    if (!driver_push(d, &item)) lua_pushnil(L);
    return 1;
}

static void driver_push_scalar(driver *d, const ployi_bind_item *item) {
    lua_State *L = d->L;
    static const char *const words[] = {"a", "b", "name", "x > 1"};
    bool wild = d->mode == DRIVER_WILD;
    switch (item->kind) {
    case PLOYI_BIND_BOOL: lua_pushboolean(L, driver_draw(d, 2) != 0); return;
    case PLOYI_BIND_F32:
    case PLOYI_BIND_F64:
        if (wild && driver_draw(d, 4) == 0)
            lua_pushnumber(L, driver_far[driver_draw(d, COUNT_OF(driver_far))]);
        else
            lua_pushnumber(L, wild ? ((double)driver_draw(d, 2001) - 1000) / 8 : 0.5);
        return;
    case PLOYI_BIND_CHAR: lua_pushstring(L, "c"); return;
    case PLOYI_BIND_TEXT: lua_pushstring(L, words[wild ? driver_draw(d, 4) : 0]); return;
    case PLOYI_BIND_BYTES: lua_pushstring(L, "{}"); return;
    case PLOYI_BIND_VALUE: lua_pushinteger(L, 1); return;
    case PLOYI_BIND_ENUM: {
        const ployi_bind_type *type = &ployi_bind_types[item->type];
        lua_pushstring(L, type->names[wild ? driver_draw(d, type->member_count) : 0]);
        return;
    }
    default:
        if (wild && driver_draw(d, 4) == 0)
            lua_pushinteger(L, driver_whole[driver_draw(d, COUNT_OF(driver_whole))]);
        else
            lua_pushinteger(L, wild ? (lua_Integer)driver_draw(d, 6) : 1);
        return;
    }
}

static void driver_push_function(driver *d, const ployi_bind_item *item) {
    lua_pushlightuserdata(d->L, d);
    lua_pushlightuserdata(d->L, (void *)(uintptr_t)&ployi_bind_types[item->type]);
    lua_pushcclosure(d->L, driver_callback, 2);
}

static bool driver_push_sequence(driver *d, const ployi_bind_item *item, int64_t count) {
    lua_State *L = d->L;
    if (item->kind == PLOYI_BIND_BYTES || item->kind == PLOYI_BIND_CHAR) {
        lua_pushstring(L, item->fixed == 1 ? "" : "a");
        return true;
    }
    ployi_bind_item one = *item;
    one.role = PLOYI_BIND_IN;
    one.flags = 0;
    one.fixed = 0;
    lua_newtable(L);
    for (int64_t i = 0; i < count; i++) {
        if (!driver_push(d, &one)) return lua_pop(L, 1), false;
        lua_rawseti(L, -2, i + 1);
    }
    return true;
}

static bool driver_push_struct(driver *d, const ployi_bind_type *type) {
    lua_State *L = d->L;
    bool made = type->kind == PLOYI_BIND_LIVE ||
                (d->mode == DRIVER_WILD && driver_draw(d, 2) == 0); // what an earlier call returned
    if (made && driver_pooled(d, type)) return true;
    if (type->kind == PLOYI_BIND_LIVE && (type->flags & PLOYI_BIND_MAKEABLE) == 0) return false;
    if (d->depth > 6) return false;
    d->depth += 1;
    bool ok = true;
    lua_newtable(L);
    for (int32_t m = 0; m < type->member_count && ok; m++) {
        const ployi_bind_item *item = &type->members[m];
        if (type->initial != NULL && item->role == PLOYI_BIND_IN &&
            (item->flags & PLOYI_BIND_POINTER) == 0 && item->kind != PLOYI_BIND_OBJECT &&
            item->kind != PLOYI_BIND_LIVE && (d->mode == DRIVER_PLAIN || driver_draw(d, 4) != 0)) {
            continue; // the default
        }
        if (item->role == PLOYI_BIND_COUNT || item->role == PLOYI_BIND_STRIDE ||
            item->role == PLOYI_BIND_USER || item->role == PLOYI_BIND_UNUSED)
            continue;
        bool array = item->role >= PLOYI_BIND_ARRAY_IN && item->role <= PLOYI_BIND_ARRAY_INOUT;
        if (array && item->fixed > 0 && d->mode == DRIVER_PLAIN) continue;
        bool pushed =
            array ? driver_push_sequence(
                        d, item, item->fixed > 0 ? item->fixed : ployi_bind_elements(item, 3))
                  : driver_push(d, item);
        if (!pushed) {
            ok = (item->flags & PLOYI_BIND_NULLABLE) != 0;
            continue;
        }
        lua_setfield(L, -2, item->name);
    }
    d->depth -= 1;
    if (!ok) lua_pop(L, 1);
    return ok;
}

bool driver_push(driver *d, const ployi_bind_item *item) {
    luaL_checkstack(d->L, 24, "driver");
    if (d->mode == DRIVER_WILD && driver_draw(d, d->wild) == 0) {
        driver_push_wild(d);
        return true;
    }
    switch (item->kind) {
    case PLOYI_BIND_PLAIN:
    case PLOYI_BIND_LIVE: return driver_push_struct(d, &ployi_bind_types[item->type]);
    case PLOYI_BIND_OBJECT:
        if (driver_pooled(d, &ployi_bind_types[item->type])) return true;
        if ((item->flags & PLOYI_BIND_NULLABLE) == 0) return false;
        lua_pushnil(d->L);
        return true;
    case PLOYI_BIND_CALLBACK: driver_push_function(d, item); return true;
    default: driver_push_scalar(d, item); return true;
    }
}

int driver_arguments(driver *d, const ployi_bind_function *fn) {
    int pushed = 0;
    int32_t length = d->mode == DRIVER_WILD ? (int32_t)driver_draw(d, 5) : 3;
    for (int32_t i = 0; i < fn->count; i++) {
        const ployi_bind_item *item = &fn->parameters[i];
        if (!driver_is_argument(item)) continue;
        bool states = false; // the length of a sequence
        for (int32_t k = 0; k < fn->count; k++)
            states = states || fn->parameters[k].link == i || fn->parameters[k].second == i;
        bool array = item->role == PLOYI_BIND_ARRAY_IN || item->role == PLOYI_BIND_ARRAY_INOUT;
        bool ok = true;
        if (states && item->kind <= PLOYI_BIND_SIZE &&
            (d->mode == DRIVER_PLAIN || driver_draw(d, d->wild) != 0))
            lua_pushinteger(d->L, length);
        else if (array) {
            int64_t count = item->fixed > 0 ? (int64_t)item->fixed : length;
            if (item->second >= 0) count = (int64_t)length * length;
            if (d->mode == DRIVER_WILD && driver_draw(d, d->wild) == 0)
                driver_push_wild(d);
            else
                ok = driver_push_sequence(d, item, count);
        } else
            ok = driver_push(d, item);
        if (!ok) {
            lua_pop(d->L, pushed);
            return -1;
        }
        pushed += 1;
    }
    return pushed;
}

int driver_call(driver *d, const ployi_bind_function *fn, char *text, size_t size) {
    lua_State *L = d->L;
    int top = lua_gettop(L);
    text[0] = 0;
    d->calls = 0;
    luaL_checkstack(L, 64, "driver");
    lua_pushlightuserdata(L, (void *)(uintptr_t)fn);
    lua_pushlightuserdata(L, d->bind);
    lua_pushcclosure(L, ployi_bind_call, 2);
    int pushed = driver_arguments(d, fn);
    if (pushed < 0) {
        lua_settop(L, top);
        return -1;
    }
    if (d->watch != NULL) d->watch(d, fn);
    int status = lua_pcall(L, pushed, LUA_MULTRET, 0);
    if (status != LUA_OK)
        (void)snprintf(text, size, "%s", lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "");
    else {
        for (int i = top + 1; i <= lua_gettop(L); i++) driver_keep(d, i);
    }
    lua_settop(L, top);
    return status;
}

static int driver_poke_protected(lua_State *L) {
    driver *d = lua_touserdata(L, lua_upvalueindex(1));
    const ployi_handle *handle = ployi_bind_handle(L, 1);
    const ployi_bind_type *type = handle->type;
    switch (driver_draw(d, 4)) {
    case 0: (void)luaL_tolstring(L, 1, NULL); break;
    case 1: (void)lua_compare(L, 1, 2, LUA_OPEQ); break;
    case 2:
        if (type->member_count == 0 || type->kind == PLOYI_BIND_OBJECT) break;
        (void)lua_getfield(L, 1, type->members[driver_draw(d, type->member_count)].name);
        driver_keep(d, -1);
        break;
    default: {
        if (type->member_count == 0 || type->kind == PLOYI_BIND_OBJECT) break;
        const ployi_bind_item *item = &type->members[driver_draw(d, type->member_count)];
        if (driver_push(d, item)) lua_setfield(L, 1, item->name);
        break;
    }
    }
    return 0;
}

void driver_poke(driver *d) {
    lua_State *L = d->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 16, "driver");
    const ployi_bind_type *type = NULL;
    for (int32_t tries = 0; tries < 20 && lua_gettop(L) == top; tries++) {
        type = &ployi_bind_types[driver_draw(d, (uint32_t)ployi_bind_type_count)];
        lua_pushlightuserdata(L, d);
        lua_pushcclosure(L, driver_poke_protected, 1);
        if (type->kind == PLOYI_BIND_CALLBACK || type->kind == PLOYI_BIND_ENUM ||
            !driver_pooled(d, type) || !driver_pooled(d, type))
            lua_settop(L, top);
    }
    if (lua_gettop(L) == top + 3) (void)lua_pcall(L, 2, 0, 0);
    lua_settop(L, top);
}
