// A hash of everything that a state can reach, in an order that follows from its contents alone.
//
// Each table, function, object and coroutine gets a number when it is first met; later meetings
// count as that number, so cycles end and sharing is seen. Keys are visited in the order of pairs,
// then truth values. Keys that are objects have no order: they are sorted by a hash of what is
// below them. The traversal needs no memory of the state itself: numbers are kept in memory from
// malloc, values on the room that create reserved on the stack. What is nested deeper waits in
// `pending` slots and is visited afterwards.
#include <string.h>

#include "ploy/base/hash.h"
#include "script/script_internal.h"

enum {
    REACH_DEPTH = 160,   // nested objects on the stack, at most 4 slots each
    REACH_PENDING = 160, // slots for objects that are deeper
    REACH_LOCAL = 6,     // depth of the hash that sorts objects
    REACH_OBJECTS = 256  // most object keys of a table that are sorted
};

typedef struct reach_seen {
    const void *object;
    uint64_t number;
} reach_seen;

typedef struct reach_key {
    uint64_t rank;
    const char *text;
    size_t size;
    lua_Number number;
    const void *object;
    int32_t kind; // 0 number, 1 text, 2 truth value, 3 object
} reach_key;

typedef struct reach {
    lua_State *L;
    ploy_env env; // outside the state
    uint64_t hash, count;
    reach_seen *seen;
    size_t capacity;
    int32_t depth, limit;
    int pending_base, pending;
    bool failed, local;
} reach;

static void reach_add(reach *r, uint64_t bits) {
    r->hash = ploy_hash_combine(r->hash, bits);
}

static bool reach_grow(reach *r) {
    size_t capacity = r->capacity == 0 ? 256 : r->capacity * 2;
    reach_seen *made = ploy_env_alloc_zero(&r->env, capacity * sizeof *made);
    if (made == NULL) return false;
    for (size_t i = 0; i < r->capacity; i++) {
        if (r->seen[i].object == NULL) continue;
        uintptr_t bits = (uintptr_t)r->seen[i].object;
        size_t at = ploy_hash_combine(1, bits) & (capacity - 1);
        while (made[at].object != NULL) at = (at + 1) & (capacity - 1);
        made[at] = r->seen[i];
    }
    ploy_env_free(&r->env, r->seen, r->capacity * sizeof *r->seen);
    r->seen = made;
    r->capacity = capacity;
    return true;
}

// The number of an object. *is_new: it was not met before.
static uint64_t reach_number(reach *r, const void *object, bool *is_new) {
    *is_new = false;
    if (r->count * 2 >= r->capacity && !reach_grow(r)) {
        r->failed = true;
        return 0;
    }
    size_t at = ploy_hash_combine(1, (uintptr_t)object) & (r->capacity - 1);
    while (r->seen[at].object != NULL) {
        if (r->seen[at].object == object) return r->seen[at].number;
        at = (at + 1) & (r->capacity - 1);
    }
    *is_new = true;
    r->seen[at] = (reach_seen){object, ++r->count};
    return r->count;
}

static void reach_value(reach *r);

static int32_t reach_compare(const reach_key *a, const reach_key *b) {
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->kind == 0 && a->number != b->number) return a->number < b->number ? -1 : 1;
    if (a->kind == 1) {
        size_t shorter = a->size < b->size ? a->size : b->size;
        int order = memcmp(a->text, b->text, shorter);
        if (order != 0) return order;
        return a->size < b->size ? -1 : a->size > b->size;
    }
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

// Heap sort: no further memory, and no order of equal keys is needed.
static void reach_sift(reach_key *keys, int32_t from, int32_t count) {
    for (;;) {
        int32_t child = from * 2 + 1;
        if (child >= count) return;
        if (child + 1 < count && reach_compare(&keys[child], &keys[child + 1]) < 0) child++;
        if (reach_compare(&keys[from], &keys[child]) >= 0) return;
        reach_key swap = keys[from];
        keys[from] = keys[child];
        keys[child] = swap;
        from = child;
    }
}

static void reach_sort(reach_key *keys, int32_t count) {
    for (int32_t i = count / 2; i-- > 0;) reach_sift(keys, i, count);
    for (int32_t end = count; end-- > 1;) {
        reach_key swap = keys[0];
        keys[0] = keys[end];
        keys[end] = swap;
        reach_sift(keys, 0, end);
    }
}

// The hash of what is near the value on top, which stays there.
static uint64_t reach_near(const reach *r) {
    reach near = {.L = r->L, .env = r->env, .hash = 7, .limit = REACH_LOCAL, .local = true};
    lua_pushvalue(r->L, -1);
    reach_value(&near);
    ploy_env_free(&near.env, near.seen, near.capacity * sizeof *near.seen);
    return near.hash;
}

static void reach_fill_key(const reach *r, reach_key *key, bool sorted) {
    lua_State *L = r->L;
    memset(key, 0, sizeof *key);
    switch (lua_type(L, -1)) {
    case LUA_TNUMBER:
        key->number = lua_tonumber(L, -1);
        key->rank = (uint64_t)lua_tointeger(L, -1) + ((uint64_t)1 << 63);
        break;
    case LUA_TSTRING:
        key->kind = 1;
        key->text = lua_tolstring(L, -1, &key->size);
        break;
    case LUA_TBOOLEAN:
        key->kind = 2;
        key->rank = (uint64_t)lua_toboolean(L, -1);
        break;
    default:
        key->kind = 3;
        key->object = lua_topointer(L, -1);
        key->rank = sorted ? reach_near(r) : 0;
        break;
    }
}

// Pushes the key. Objects have to be searched for.
static void reach_push_key(lua_State *L, int table, const reach_key *key) {
    switch (key->kind) {
    case 0: {
        int64_t whole = (int64_t)(key->rank - ((uint64_t)1 << 63));
        if ((lua_Number)whole == key->number) {
            lua_pushinteger(L, whole);
        } else {
            lua_pushnumber(L, key->number);
        }
        return;
    }
    case 1: lua_pushlstring(L, key->text, key->size); return;
    case 2: lua_pushboolean(L, key->rank != 0); return;
    default:
        lua_pushnil(L);
        while (lua_next(L, table) != 0) {
            lua_pop(L, 1);
            if (lua_topointer(L, -1) == key->object) return;
        }
        lua_pushnil(L);
        return;
    }
}

static void reach_table(reach *r) {
    lua_State *L = r->L;
    int table = lua_gettop(L);
    if (lua_getmetatable(L, table)) {
        reach_add(r, 1);
        reach_value(r);
    }
    int32_t count = 0, objects = 0;
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        count++;
        if (lua_type(L, -1) > LUA_TSTRING || lua_type(L, -1) == LUA_TLIGHTUSERDATA) objects++;
    }
    reach_add(r, (uint64_t)count);
    if (count == 0) return;
    reach_key *keys = ploy_env_alloc(&r->env, (size_t)count * sizeof *keys);
    if (keys == NULL) {
        r->failed = true;
        return;
    }
    bool sorted = objects <= REACH_OBJECTS && !r->local;
    int32_t made = 0;
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        lua_pop(L, 1);
        reach_fill_key(r, &keys[made++], sorted);
    }
    reach_sort(keys, count);
    for (int32_t i = 0; i < count && !r->failed; i++) {
        if (keys[i].kind == 3 && !sorted) continue; // counted above
        reach_push_key(L, table, &keys[i]);
        lua_pushvalue(L, -1);
        lua_rawget(L, table);
        lua_insert(L, -2);
        reach_value(r); // the key
        reach_value(r);
    }
    ploy_env_free(&r->env, keys, (size_t)count * sizeof *keys);
}

static void reach_function(reach *r) {
    lua_State *L = r->L;
    int function = lua_gettop(L);
    lua_Debug ar;
    lua_pushvalue(L, function);
    (void)lua_getinfo(L, ">Su", &ar);
    if (lua_iscfunction(L, function)) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_NAMES);
        lua_pushvalue(L, function);
        if (lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TSTRING) {
            reach_add(r, ploy_hash_text(lua_tostring(L, -1)));
        }
        lua_settop(L, function);
        const char *host = ployi_script_host_name(L, function);
        if (host != NULL) reach_add(r, ploy_hash_text(host));
    } else {
        reach_add(r, ploy_hash_text(ar.source));
        reach_add(r, (uint64_t)ar.linedefined);
        reach_add(r, (uint64_t)ar.lastlinedefined);
    }
    for (int i = 1; lua_getupvalue(L, function, i) != NULL; i++) {
        bool is_new = true;
        if (!lua_iscfunction(L, function)) {
            reach_add(r, reach_number(r, lua_upvalueid(L, function, i), &is_new));
        }
        if (is_new) {
            reach_value(r);
        } else {
            lua_pop(L, 1);
        }
    }
}

static void reach_thread(reach *r) {
    lua_State *L = r->L, *thread = lua_tothread(L, -1);
    lua_Debug ar;
    reach_add(r, (uint64_t)lua_status(thread));
    if (thread == L) return; // the main thread is idle
    if (lua_status(thread) != LUA_OK && lua_status(thread) != LUA_YIELD) return; // it has failed
    int level = 0;
    for (; lua_getstack(thread, level, &ar) && !r->failed; level++) {
        // One slot above the top is always there: Lua keeps some for its own calls.
        (void)lua_getinfo(thread, "Slf", &ar);
        lua_xmove(thread, L, 1);
        reach_value(r);
        reach_add(r, (uint64_t)ar.currentline);
        for (int n = 1; lua_getlocal(thread, &ar, n) != NULL; n++) {
            lua_xmove(thread, L, 1);
            reach_value(r);
        }
        for (int n = -1; lua_getlocal(thread, &ar, n) != NULL; n--) {
            lua_xmove(thread, L, 1);
            reach_value(r);
        }
    }
    if (level > 0) return;
    for (int i = 1; i <= lua_gettop(thread); i++) { // not started: function and arguments
        lua_pushvalue(thread, i);
        lua_xmove(thread, L, 1);
        reach_value(r);
    }
}

static void reach_userdata(reach *r) {
    lua_State *L = r->L;
    const ploy_value *object = ployi_script_object(L, -1);
    if (object != NULL) {
        char text[160];
        (void)ploy_value_print(object, text, sizeof text);
        reach_add(r, ploy_hash_text(text));
        return;
    }
    // Objects of bindings are known by their class; what they refer to is described by its owner.
    if (lua_getmetatable(L, -1)) reach_value(r);
    for (int i = 1; lua_getiuservalue(L, -1, i) != LUA_TNONE; i++) reach_value(r);
    lua_pop(L, 1);
}

static void reach_contents(reach *r) {
    switch (lua_type(r->L, -1)) {
    case LUA_TTABLE: reach_table(r); break;
    case LUA_TFUNCTION: reach_function(r); break;
    case LUA_TTHREAD: reach_thread(r); break;
    default: reach_userdata(r); break;
    }
}

// Adds the value on top and pops it.
static void reach_value(reach *r) {
    lua_State *L = r->L;
    int type = lua_type(L, -1);
    reach_add(r, (uint64_t)type + 100);
    switch (type) {
    case LUA_TNIL:
    case LUA_TLIGHTUSERDATA: break;
    case LUA_TBOOLEAN: reach_add(r, (uint64_t)lua_toboolean(L, -1)); break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1)) {
            reach_add(r, (uint64_t)lua_tointeger(L, -1));
        } else {
            double number = lua_tonumber(L, -1);
            uint64_t bits = 0x7ff8000000000000u;
            if (number == number) memcpy(&bits, &number, sizeof bits);
            reach_add(r, bits ^ 1);
        }
        break;
    case LUA_TSTRING: {
        size_t size;
        const char *text = lua_tolstring(L, -1, &size);
        reach_add(r, ploy_hash_bytes(text, size, 0));
        break;
    }
    default: {
        bool is_new;
        reach_add(r, reach_number(r, lua_topointer(L, -1), &is_new));
        if (!is_new || r->failed) break;
        if (r->depth < r->limit) {
            int top = lua_gettop(L);
            r->depth++;
            reach_contents(r);
            r->depth--;
            lua_settop(L, top);
        } else if (!r->local && r->pending < REACH_PENDING) {
            lua_pushvalue(L, -1);
            lua_replace(L, r->pending_base + ++r->pending);
        }
        break;
    }
    }
    lua_pop(L, 1);
}

// A root: the value on top, then everything that was too deep.
static void reach_root(reach *r) {
    reach_value(r);
    while (r->pending > 0 && !r->failed) {
        lua_pushvalue(r->L, r->pending_base + r->pending);
        lua_pushnil(r->L);
        lua_replace(r->L, r->pending_base + r->pending--);
        reach_contents(r);
        lua_settop(r->L, r->pending_base + REACH_PENDING);
    }
}

static void reach_all(reach *r, const ploy_lua *lua) {
    lua_State *L = r->L;
    r->pending_base = lua_gettop(L);
    lua_settop(L, r->pending_base + REACH_PENDING);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    reach_root(r);
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) reach_root(r);
    lua_settop(L, r->pending_base + REACH_PENDING);
    for (int32_t i = 0; i < lua->slots.count; i++) {
        if (PLOY_ARRAY_ITEMS(&lua->slots, ployi_script_slot)[i].generation % 2 == 0) continue;
        reach_add(r, (uint64_t)i);
        lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_REFS + i);
        reach_root(r);
    }
    for (int i = PLOYI_SCRIPT_BIND; i <= PLOYI_SCRIPT_MINDS; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, i);
        reach_root(r);
    }
    lua_settop(L, r->pending_base);
}

typedef struct reach_request {
    const ploy_lua *lua;
    uint64_t hash;
} reach_request;

static int reach_run(lua_State *L) {
    reach_request *request = lua_touserdata(L, 1);
    reach r = {.L = L, .env = ploy_env_default(), .hash = 1, .limit = REACH_DEPTH};
    const ploy_lua *lua = request->lua;
    reach_all(&r, lua);
    reach_add(&r, (uint64_t)lua->units);
    reach_add(&r, (uint64_t)lua->tick_end);
    reach_add(&r, lua->key.bits);
    reach_add(&r, lua->tick);
    reach_add(&r, ploy_id_to_u64(lua->agent.id));
    reach_add(&r, lua->draw);
    ploy_env_free(&r.env, r.seen, r.capacity * sizeof *r.seen);
    request->hash = r.failed ? 0 : r.hash;
    return 0;
}

uint64_t ploy_lua_hash(const ploy_lua *lua) {
    if (lua->depth > 0) return 0;
    reach_request request = {lua, 0};
    ploy_lua *state = ployi_script_of(lua->main);
    return ployi_script_protect(state, reach_run, &request) == PLOY_OK ? request.hash : 0;
}

void ploy_lua_describe(const ploy_lua *lua, ploy_describe *out) {
    if (out == NULL) return;
    ploy_describe_i64(out, "units", PLOY_STATE, lua->units);
    ploy_describe_u64(out, "hash", PLOY_STATE, ploy_lua_hash(lua));
    ploy_describe_i64(out, "bytes", PLOY_NOTE, (int64_t)lua->bytes); // depends on Lua's hash seed
    ploy_describe_i64(out, "handles", PLOY_DERIVED, lua->refs);
    if (lua->error[0] != 0) ploy_describe_text(out, "error", PLOY_NOTE, lua->error);
}
