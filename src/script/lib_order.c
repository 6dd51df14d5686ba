// pairs and next in a fixed order: numbers by value, then texts by their bytes.
//
// Lua's own order follows from a hash seed of time and addresses. A traversal here lists the keys
// when it begins, sorts them, and skips keys whose value is nil by then. Keys that are added during
// a traversal are not visited. A table that is a plain list 1 to n is recognised and not sorted.
//
// One block holds a traversal: a header, then n entries and n more for the merge sort. The keys
// themselves are in a Lua table in the order in which they were found, so that none is created.
#include <string.h>

#include "script/script_internal.h"

typedef struct order_entry {
    uint64_t rank;    // of a number: its floor; of a text: its first eight bytes
    const char *text; // NULL: a number
    union {
        double number; // of a number that is not an integer
        size_t size;   // of a text
    } as;
    int32_t index; // in the list of keys
    int32_t side;  // -1, 0, 1: below, at, above the rank
} order_entry;

typedef struct order_keys {
    int32_t count, at;
} order_keys;

static order_entry *order_entries(order_keys *keys) {
    return (order_entry *)(void *)(keys + 1);
}

static bool order_before(const order_entry *a, const order_entry *b) {
    if ((a->text == NULL) != (b->text == NULL)) return a->text == NULL;
    if (a->rank != b->rank) return a->rank < b->rank;
    if (a->text == NULL) {
        if (a->side != b->side) return a->side < b->side;
        return a->side != 0 && a->as.number < b->as.number;
    }
    size_t shorter = a->as.size < b->as.size ? a->as.size : b->as.size;
    int order = memcmp(a->text, b->text, shorter);
    return order != 0 ? order < 0 : a->as.size < b->as.size;
}

static void order_sort(order_entry *items, order_entry *other, int32_t count) {
    enum { RUN = 8 };
    for (int32_t from = 0; from < count; from += RUN) {
        int32_t end = from + RUN < count ? from + RUN : count;
        for (int32_t i = from + 1; i < end; i++) {
            order_entry item = items[i];
            int32_t j = i;
            for (; j > from && order_before(&item, &items[j - 1]); j--) items[j] = items[j - 1];
            items[j] = item;
        }
    }
    order_entry *source = items, *target = other;
    for (int32_t width = RUN; width < count; width *= 2) {
        for (int32_t from = 0; from < count; from += 2 * width) {
            int32_t middle = from + width < count ? from + width : count;
            int32_t end = middle + width < count ? middle + width : count;
            int32_t a = from, b = middle, at = from;
            while (a < middle && b < end) {
                target[at++] = order_before(&source[b], &source[a]) ? source[b++] : source[a++];
            }
            while (a < middle) target[at++] = source[a++];
            while (b < end) target[at++] = source[b++];
        }
        order_entry *swap = source;
        source = target;
        target = swap;
    }
    if (source != items) memcpy(items, source, (size_t)count * sizeof *items);
}

static void order_number(lua_State *L, int index, order_entry *entry) {
    const uint64_t middle = (uint64_t)1 << 63;
    entry->text = NULL;
    if (lua_isinteger(L, index)) {
        entry->rank = (uint64_t)lua_tointeger(L, index) + middle;
        entry->side = 0;
        entry->as.number = 0;
        return;
    }
    double number = lua_tonumber(L, index);
    entry->as.number = number;
    entry->side = 1;
    if (number >= 9223372036854775808.0) {
        entry->rank = UINT64_MAX;
    } else if (number < -9223372036854775808.0) {
        entry->rank = 0;
        entry->side = -1;
    } else {
        int64_t whole = (int64_t)number; // towards 0; the number is not whole
        if (number < 0) whole--;
        entry->rank = (uint64_t)whole + middle;
    }
}

static void order_text(lua_State *L, int index, order_entry *entry) {
    unsigned char first[8] = {0};
    entry->text = lua_tolstring(L, index, &entry->as.size);
    memcpy(first, entry->text, entry->as.size < 8 ? entry->as.size : 8);
    entry->rank = 0;
    for (int i = 0; i < 8; i++) entry->rank = entry->rank << 8 | first[i];
    entry->side = 0;
}

// Counts the keys of a table. *list: they are 1 to n, in this order.
static int32_t order_count(lua_State *L, int table, bool *list) {
    int32_t count = 0;
    *list = true;
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        count++;
        if (*list && !(lua_isinteger(L, -1) && lua_tointeger(L, -1) == count)) *list = false;
        if (count > 1 << 28) luaL_error(L, "too many keys");
    }
    return count;
}

// Pushes the list of keys and the block of a table with `count` keys, sorted.
static order_keys *order_collect(lua_State *L, int table, int32_t count) {
    lua_createtable(L, count, 0);
    int list = lua_gettop(L);
    size_t size = sizeof(order_keys) + (size_t)count * 2 * sizeof(order_entry);
    order_keys *keys = lua_newuserdatauv(L, size, 0);
    memset(keys, 0, size); // a region's bytes must repeat
    keys->count = count;
    order_entry *entries = order_entries(keys);
    int32_t index = 0;
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        order_entry *entry = &entries[index];
        entry->index = ++index;
        int type = lua_type(L, -1);
        if (type == LUA_TNUMBER) {
            order_number(L, -1, entry);
        } else if (type == LUA_TSTRING) {
            order_text(L, -1, entry);
        } else {
            luaL_error(L, "pairs: expected numbers and texts as keys, found a %s",
                       lua_typename(L, type));
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, list, index);
    }
    order_sort(entries, entries + count, count);
    return keys;
}

// Pushes the next pair: key, value. Returns false at the end.
static bool order_advance(lua_State *L, order_keys *keys, int list, int table) {
    const order_entry *entries = order_entries(keys);
    while (keys->at < keys->count) {
        lua_rawgeti(L, list, entries[keys->at++].index);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, table) != LUA_TNIL) return true;
        lua_pop(L, 2);
    }
    return false;
}

static int order_step(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    order_keys *keys = lua_touserdata(L, lua_upvalueindex(1));
    if (order_advance(L, keys, lua_upvalueindex(2), 1)) return 2;
    lua_pushnil(L);
    return 1;
}

static int order_step_list(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(1));
    lua_Integer at = lua_tointeger(L, 2);
    while (at >= 0 && at < last) {
        lua_pushinteger(L, ++at);
        if (lua_rawgeti(L, 1, at) != LUA_TNIL) return 2;
        lua_pop(L, 2);
    }
    lua_pushnil(L);
    return 1;
}

static int order_after_pairs(lua_State *L, int status, lua_KContext context) {
    (void)L;
    (void)status;
    (void)context;
    return 3;
}

int ployi_script_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, order_after_pairs);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    bool list;
    int32_t count = order_count(L, 1, &list);
    ployi_script_charge(L, 4 + count);
    if (list) {
        lua_pushinteger(L, count);
        lua_pushcclosure(L, order_step_list, 1);
    } else {
        (void)order_collect(L, 1, count);
        lua_insert(L, -2); // block, list
        lua_pushcclosure(L, order_step, 2);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

// The traversal that next has in progress is {table, list, block} in the registry.
bool ployi_script_next(lua_State *L, int index) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 10, "next");
    int key = lua_gettop(L);
    bool first = lua_isnil(L, key);
    order_keys *keys = NULL;
    if (!first && lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_ORDER) == LUA_TTABLE) {
        int cache = lua_gettop(L);
        lua_rawgeti(L, cache, 1);
        lua_rawgeti(L, cache, 2);
        lua_rawgeti(L, cache, 3);
        order_keys *known = lua_touserdata(L, -1);
        if (lua_rawequal(L, cache + 1, index) && known->at > 0) {
            lua_rawgeti(L, cache + 2, order_entries(known)[known->at - 1].index);
            if (lua_rawequal(L, -1, key)) keys = known;
            lua_pop(L, 1);
        }
        if (keys != NULL) {
            ployi_script_charge(L, 1);
            lua_remove(L, cache + 1);
            lua_remove(L, cache); // list, block
        }
    }
    if (keys == NULL) {
        lua_settop(L, key);
        bool list;
        int32_t count = order_count(L, index, &list);
        ployi_script_charge(L, 4 + count);
        keys = order_collect(L, index, count);
        if (!first) {
            bool found = false;
            while (keys->at < count && !found) {
                lua_rawgeti(L, -2, order_entries(keys)[keys->at++].index);
                found = lua_rawequal(L, -1, key) != 0;
                lua_pop(L, 1);
            }
            if (!found) luaL_error(L, "next: the key is not in the table");
        }
        lua_createtable(L, 3, 0);
        lua_pushvalue(L, index);
        lua_rawseti(L, -2, 1);
        lua_pushvalue(L, -3);
        lua_rawseti(L, -2, 2);
        lua_pushvalue(L, -2);
        lua_rawseti(L, -2, 3);
        lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_ORDER);
    }
    bool found = order_advance(L, keys, key + 1, index);
    if (!found) {
        lua_pushnil(L);
        lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_ORDER);
        lua_settop(L, key - 1);
        return false;
    }
    lua_remove(L, key + 2);
    lua_remove(L, key + 1);
    lua_remove(L, key);
    return true;
}

int32_t ployi_script_fields(lua_State *L, int table, int32_t *elements) {
    int32_t count = 0;
    *elements = (int32_t)lua_rawlen(L, table);
    table = lua_absindex(L, table);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        bool listed =
            lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= *elements;
        if (!listed && count < INT32_MAX) count++;
    }
    return count;
}

bool ployi_script_key_at(lua_State *L, int table, int32_t n) {
    order_entry first[PLOYI_SCRIPT_KEYS];
    int32_t found = 0, index = 0;
    if (n < 0 || n >= PLOYI_SCRIPT_KEYS) return false;
    table = lua_absindex(L, table);
    lua_pushnil(L);
    for (; lua_next(L, table) != 0; index++) {
        order_entry entry = {.index = index};
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TNUMBER)
            order_number(L, -1, &entry);
        else if (lua_type(L, -1) == LUA_TSTRING)
            order_text(L, -1, &entry);
        else
            continue;
        if (found > n && !order_before(&entry, &first[found - 1])) continue;
        int32_t at = found > n ? n : found++;
        for (; at > 0 && order_before(&entry, &first[at - 1]); at--) first[at] = first[at - 1];
        first[at] = entry;
    }
    if (found <= n) return false;
    lua_pushnil(L); // the key itself: a second pass, so that nothing is allocated
    for (index = 0; lua_next(L, table) != 0 && index < first[n].index; index++) lua_pop(L, 1);
    return true;
}
