// table, with every element charged, and a stable sort.
#include <string.h>

#include "script/script_internal.h"

static lua_Integer table_length(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE && !luaL_getmetafield(L, index, "__index")) {
        luaL_checktype(L, index, LUA_TTABLE);
    }
    return luaL_len(L, index);
}

static int table_concat(lua_State *L) {
    lua_Integer last = table_length(L, 1);
    size_t gap, total = 0;
    const char *separator = luaL_optlstring(L, 2, "", &gap);
    lua_Integer from = luaL_optinteger(L, 3, 1);
    last = luaL_optinteger(L, 4, last);
    size_t limit = (size_t)ployi_script_of(L)->def.string_kb * 1024;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    for (lua_Integer i = from; i <= last; i++) {
        size_t size;
        int type = lua_geti(L, 1, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER) {
            return luaL_error(L, "invalid value (at index %I) in table for 'concat'",
                              (LUAI_UACINT)i);
        }
        (void)lua_tolstring(L, -1, &size);
        total += size + gap;
        ployi_script_charge(L, 1 + (int64_t)((size + gap) / 16));
        if (total > limit + gap) return luaL_error(L, "resulting string too large");
        luaL_addvalue(&out);
        if (i == last) break; // also where i + 1 would overflow
        luaL_addlstring(&out, separator, gap);
    }
    luaL_pushresult(&out);
    return 1;
}

static int table_insert(lua_State *L) {
    lua_Integer end = (lua_Integer)((lua_Unsigned)table_length(L, 1) + 1);
    switch (lua_gettop(L)) {
    case 2: break;
    case 3: {
        lua_Integer at = luaL_checkinteger(L, 2);
        luaL_argcheck(L, (lua_Unsigned)at - 1u < (lua_Unsigned)end, 2, "position out of bounds");
        for (lua_Integer i = end; i > at; i--) {
            ployi_script_charge(L, 1);
            lua_geti(L, 1, i - 1);
            lua_seti(L, 1, i);
        }
        end = at;
        break;
    }
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
    }
    lua_seti(L, 1, end);
    return 0;
}

static int table_remove(lua_State *L) {
    lua_Integer size = table_length(L, 1);
    lua_Integer at = luaL_optinteger(L, 2, size);
    if (at != size) {
        luaL_argcheck(L, (lua_Unsigned)at - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
    }
    lua_settop(L, 1);
    lua_geti(L, 1, at);
    for (; at < size; at++) {
        ployi_script_charge(L, 1);
        lua_geti(L, 1, at + 1);
        lua_seti(L, 1, at);
    }
    lua_pushnil(L);
    lua_seti(L, 1, at);
    return 1;
}

static int table_move(lua_State *L) {
    lua_Integer from = luaL_checkinteger(L, 2), end = luaL_checkinteger(L, 3);
    lua_Integer to = luaL_checkinteger(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    (void)table_length(L, 1);
    lua_settop(L, 5);
    if (target == 5 && lua_type(L, 5) != LUA_TTABLE) {
        if (!luaL_getmetafield(L, 5, "__newindex")) luaL_checktype(L, 5, LUA_TTABLE);
        lua_pop(L, 1);
    }
    if (end >= from) {
        luaL_argcheck(L, from > 0 || end < LUA_MAXINTEGER + from, 3, "too many elements to move");
        lua_Integer count = end - from + 1;
        luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
        bool up = to > end || to <= from || (target == 5 && !lua_compare(L, 1, 5, LUA_OPEQ));
        for (lua_Integer i = 0; i < count; i++) {
            lua_Integer k = up ? i : count - 1 - i;
            ployi_script_charge(L, 1);
            lua_geti(L, 1, from + k);
            lua_seti(L, target, to + k);
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

static int table_pack(lua_State *L) {
    int count = lua_gettop(L);
    ployi_script_charge(L, count / 4);
    lua_createtable(L, count, 1);
    lua_insert(L, 1);
    for (int i = count; i >= 1; i--) lua_seti(L, 1, i);
    lua_pushinteger(L, count);
    lua_setfield(L, 1, "n");
    return 1;
}

static int table_unpack(lua_State *L) {
    lua_Integer from = luaL_optinteger(L, 2, 1);
    lua_Integer end = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
    if (from > end) return 0;
    lua_Unsigned more = (lua_Unsigned)end - (lua_Unsigned)from;
    if (more >= PLOYI_SCRIPT_RESULTS || !lua_checkstack(L, (int)more + 1)) {
        return luaL_error(L, "too many results to unpack");
    }
    ployi_script_charge(L, 1 + (int64_t)(more / 2));
    for (; from < end; from++) lua_geti(L, 1, from);
    lua_geti(L, 1, end);
    return (int)more + 1;
}

// ---- sort: a merge sort over numbers of elements, so that equal elements keep their order

enum { TABLE_VALUES = 3, TABLE_BLOCK = 4 }; // stack: table, function or nil, values, block

static bool table_before(lua_State *L, int32_t a, int32_t b) {
    ployi_script_charge(L, 1);
    lua_rawgeti(L, TABLE_VALUES, a);
    lua_rawgeti(L, TABLE_VALUES, b);
    bool before;
    if (lua_isnil(L, 2)) {
        before = lua_compare(L, -2, -1, LUA_OPLT) != 0;
        lua_pop(L, 2);
    } else {
        lua_pushvalue(L, 2);
        lua_insert(L, -3);
        lua_call(L, 2, 1);
        before = lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
    }
    return before;
}

static int32_t *table_merge_sort(lua_State *L, int32_t *items, int32_t *other, int32_t count) {
    for (int32_t width = 1; width < count; width *= 2) {
        for (int32_t from = 0; from < count; from += 2 * width) {
            int32_t middle = from + width < count ? from + width : count;
            int32_t end = count - middle > width ? middle + width : count;
            int32_t a = from, b = middle, at = from;
            while (a < middle && b < end) {
                other[at++] = table_before(L, items[b], items[a]) ? items[b++] : items[a++];
            }
            while (a < middle) other[at++] = items[a++];
            while (b < end) other[at++] = items[b++];
            if (count - from < 2 * width) break; // the sum could overflow
        }
        int32_t *swap = items;
        items = other;
        other = swap;
    }
    return items;
}

static int table_sort(lua_State *L) {
    lua_Integer size = table_length(L, 1);
    if (size < 2) return 0;
    luaL_argcheck(L, size < 1 << 28, 1, "array too big");
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    int32_t count = (int32_t)size;
    ployi_script_charge(L, count);
    lua_createtable(L, count, 0);
    for (int32_t i = 1; i <= count; i++) {
        lua_geti(L, 1, i);
        lua_rawseti(L, TABLE_VALUES, i);
    }
    int32_t *items = lua_newuserdatauv(L, (size_t)count * 2 * sizeof *items, 0);
    memset(items, 0, (size_t)count * 2 * sizeof *items);
    for (int32_t i = 0; i < count; i++) items[i] = i + 1;
    const int32_t *sorted = table_merge_sort(L, items, items + count, count);
    ployi_script_charge(L, count);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, TABLE_VALUES, sorted[i]);
        lua_seti(L, 1, i + 1);
    }
    return 0;
}

void ployi_script_open_table(lua_State *L) {
    static const luaL_Reg functions[] = {{"concat", table_concat}, {"insert", table_insert},
                                         {"remove", table_remove}, {"move", table_move},
                                         {"pack", table_pack},     {"unpack", table_unpack},
                                         {"sort", table_sort},     {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_setglobal(L, "table");
}
