// Values between C and Lua: handles, paths and plain values.
//
// Invariants:
//   (1) slot i of `slots` is in use while its generation is odd; registry[REFS + i] then holds its
//       value (a nil value has no entry);
//   (2) free slots form a list from free_slot.
#include <string.h>

#include "script/script_internal.h"

ploy_lua_ref ploy_lua_globals(void) {
    ploy_lua_ref ref = {{0, 0}, 0};
    return ref;
}

// PLOY_OK with the slot's index, or -1 for the globals.
static inline ploy_result values_slot(const ploy_lua *lua, ploy_lua_ref ref, int32_t *index) {
    *index = -1;
    if (ref.owner == 0 && ref.id.generation == 0) return PLOY_OK;
    if (ref.owner != lua->owner) return PLOY_ERR_ARGUMENT;
    if (ref.id.index >= (uint32_t)lua->slots.count) return PLOY_ERR_NOT_FOUND;
    const ployi_script_slot *slot = &PLOY_ARRAY_ITEMS(&lua->slots, ployi_script_slot)[ref.id.index];
    if (slot->generation != ref.id.generation) return PLOY_ERR_NOT_FOUND;
    *index = (int32_t)ref.id.index;
    return PLOY_OK;
}

ploy_result ployi_script_push_ref(ploy_lua *lua, lua_State *L, ploy_lua_ref ref) {
    int32_t index;
    ploy_result result = values_slot(lua, ref, &index);
    if (result != PLOY_OK) {
        ployi_script_fail(lua, result == PLOY_ERR_NOT_FOUND
                                   ? "the handle has expired"
                                   : "the handle belongs to another state");
        return result;
    }
    if (!lua_checkstack(L, 4)) return PLOY_ERR_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, index < 0 ? LUA_RIDX_GLOBALS : PLOYI_SCRIPT_REFS + index);
    return PLOY_OK;
}

int ployi_script_push_known(const ploy_lua *lua, lua_State *L, ploy_lua_ref ref) {
    int32_t index;
    if (values_slot(lua, ref, &index) != PLOY_OK) return LUA_TNONE;
    return lua_rawgeti(L, LUA_REGISTRYINDEX,
                       index < 0 ? LUA_RIDX_GLOBALS : PLOYI_SCRIPT_REFS + index);
}

static int values_store(lua_State *L) {
    const int32_t *index = lua_touserdata(L, 2);
    lua_pushvalue(L, 1);
    lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_REFS + *index);
    return 0;
}

ploy_result ployi_script_ref(ploy_lua *lua, lua_State *L, ploy_lua_ref *out) {
    int32_t index = lua->free_slot;
    if (index < 0) {
        const ployi_script_slot fresh = {0, -1};
        ploy_result result = ploy_array_push(&lua->slots, &fresh);
        if (result != PLOY_OK) {
            lua_pop(L, 1);
            return result;
        }
        index = lua->slots.count - 1;
        lua->free_slot = index;
    }
    if (!lua_checkstack(L, 4)) {
        lua_pop(L, 1);
        return PLOY_ERR_MEMORY;
    }
    lua_pushcfunction(L, values_store);
    lua_insert(L, -2);
    lua_pushlightuserdata(L, &index);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
        lua_pop(L, 1);
        return PLOY_ERR_MEMORY;
    }
    ployi_script_slot *slot = &PLOY_ARRAY_ITEMS(&lua->slots, ployi_script_slot)[index];
    lua->free_slot = slot->next;
    slot->generation++; // odd again, never 0
    slot->next = -1;
    lua->refs++;
    out->id = ploy_id_make((uint32_t)index, slot->generation);
    out->owner = lua->owner;
    return PLOY_OK;
}

ploy_result ploy_lua_release(ploy_lua *lua, ploy_lua_ref ref) {
    int32_t index;
    ploy_result result = values_slot(lua, ref, &index);
    if (result != PLOY_OK || index < 0) return result;
    ployi_script_slot *slot = &PLOY_ARRAY_ITEMS(&lua->slots, ployi_script_slot)[index];
    slot->generation++;
    slot->next = lua->free_slot;
    lua->free_slot = index;
    lua->refs--;
    // An existing key is cleared, which allocates nothing. Slots of nil have none.
    if (lua_checkstack(lua->at, 2)) {
        if (lua_rawgeti(lua->at, LUA_REGISTRYINDEX, PLOYI_SCRIPT_REFS + index) != LUA_TNIL) {
            lua_pushnil(lua->at);
            lua_rawseti(lua->at, LUA_REGISTRYINDEX, PLOYI_SCRIPT_REFS + index);
        }
        lua_pop(lua->at, 1);
    }
    return PLOY_OK;
}

ploy_lua_kind ploy_lua_kind_of(const ploy_lua *lua, ploy_lua_ref ref) {
    static const ploy_lua_kind kinds[] = {PLOY_LUA_NIL,      PLOY_LUA_BOOL,   PLOY_LUA_OBJECT,
                                          PLOY_LUA_NUMBER,   PLOY_LUA_TEXT,   PLOY_LUA_TABLE,
                                          PLOY_LUA_FUNCTION, PLOY_LUA_OBJECT, PLOY_LUA_THREAD};
    int32_t index;
    if (values_slot(lua, ref, &index) != PLOY_OK) return PLOY_LUA_INVALID;
    lua_State *L = lua->at;
    if (!lua_checkstack(L, 2)) return PLOY_LUA_INVALID;
    int type =
        lua_rawgeti(L, LUA_REGISTRYINDEX, index < 0 ? LUA_RIDX_GLOBALS : PLOYI_SCRIPT_REFS + index);
    lua_pop(L, 1);
    return type >= 0 && type <= LUA_TTHREAD ? kinds[type] : PLOY_LUA_INVALID;
}

bool ploy_lua_same(const ploy_lua *lua, ploy_lua_ref a, ploy_lua_ref b) {
    int32_t first, second;
    lua_State *L = lua->at;
    if (values_slot(lua, a, &first) != PLOY_OK || values_slot(lua, b, &second) != PLOY_OK) {
        return false;
    }
    if (!lua_checkstack(L, 3)) return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, first < 0 ? LUA_RIDX_GLOBALS : PLOYI_SCRIPT_REFS + first);
    lua_rawgeti(L, LUA_REGISTRYINDEX, second < 0 ? LUA_RIDX_GLOBALS : PLOYI_SCRIPT_REFS + second);
    bool same = lua_rawequal(L, -1, -2) != 0;
    lua_pop(L, 2);
    return same;
}

const char *ploy_lua_text(const ploy_lua *lua, ploy_lua_ref ref, size_t *size) {
    int32_t index;
    lua_State *L = lua->at;
    const char *text = NULL;
    if (values_slot(lua, ref, &index) != PLOY_OK || index < 0 || !lua_checkstack(L, 2)) return NULL;
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_REFS + index) == LUA_TSTRING) {
        text = lua_tolstring(L, -1, size);
    }
    lua_pop(L, 1);
    return text;
}

void ployi_script_push(lua_State *L, const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_BOOL: lua_pushboolean(L, value->as.b); return;
    case PLOY_VALUE_I64: lua_pushinteger(L, value->as.i64); return;
    case PLOY_VALUE_U64:
        if (value->as.u64 <= INT64_MAX) {
            lua_pushinteger(L, (lua_Integer)value->as.u64);
        } else {
            lua_pushnumber(L, (lua_Number)value->as.u64);
        }
        return;
    case PLOY_VALUE_F32: lua_pushnumber(L, (lua_Number)value->as.f32); return;
    case PLOY_VALUE_F64: lua_pushnumber(L, value->as.f64); return;
    case PLOY_VALUE_TEXT: lua_pushstring(L, value->as.text); return;
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4:
    case PLOY_VALUE_ID:
    case PLOY_VALUE_NAME: {
        ploy_value *object = lua_newuserdatauv(L, sizeof *object, 0);
        memset(object, 0, sizeof *object); // padding is state in a region
        object->type = value->type;
        if (value->type == PLOY_VALUE_ID) {
            object->as.id = value->as.id;
        } else if (value->type == PLOY_VALUE_NAME) {
            object->as.name = value->as.name;
        } else {
            int32_t count = 2 + (int32_t)(value->type - PLOY_VALUE_VEC2);
            for (int32_t i = 0; i < count; i++) object->as.vec[i] = value->as.vec[i];
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_VALUE_META);
        lua_setmetatable(L, -2);
        return;
    }
    default: lua_pushnil(L); return;
    }
}

const ploy_value *ployi_script_object(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
    lua_rawgeti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_VALUE_META);
    bool is = lua_rawequal(L, -1, -2) != 0;
    lua_pop(L, 2);
    return is ? lua_touserdata(L, index) : NULL;
}

bool ployi_script_read(lua_State *L, int index, ploy_value *out) {
    static const ploy_value none = {PLOY_VALUE_NONE, {0}};
    *out = none;
    if (lua_isinteger(L, index)) { // the most common kind
        out->type = PLOY_VALUE_I64;
        out->as.i64 = lua_tointegerx(L, index, NULL);
        return true;
    }
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return true;
    case LUA_TBOOLEAN:
        out->type = PLOY_VALUE_BOOL;
        out->as.b = lua_toboolean(L, index) != 0;
        return true;
    case LUA_TNUMBER:
        out->type = PLOY_VALUE_F64;
        out->as.f64 = lua_tonumberx(L, index, NULL);
        return true;
    case LUA_TSTRING: *out = ploy_value_text(lua_tostring(L, index)); return true;
    case LUA_TUSERDATA: {
        const ploy_value *object = ployi_script_object(L, index);
        if (object != NULL) *out = *object;
        return object != NULL;
    }
    default: return false;
    }
}

ploy_result ployi_script_protect(ploy_lua *lua, lua_CFunction fn, void *arg) {
    lua_State *L = lua->at;
    if (lua->depth == 0) {
        lua->stop = PLOYI_SCRIPT_STOP_NONE;
        lua->retry = false;
        lua->emergencies = 0;
    }
    if (!lua_checkstack(L, 12)) return PLOY_ERR_MEMORY;
    lua_pushcfunction(L, fn);
    lua_pushlightuserdata(L, arg);
    int status = lua_pcall(L, 1, 0, 0);
    if (status == LUA_OK) return PLOY_OK;
    bool memory = status == LUA_ERRMEM || lua->stop != PLOYI_SCRIPT_STOP_NONE;
    if (memory || !lua_isstring(L, -1)) {
        ployi_script_fail(lua, "not enough memory");
    } else {
        ployi_script_fail(lua, lua_tostring(L, -1));
    }
    lua_pop(L, 1);
    if (lua->depth == 0) lua->stop = PLOYI_SCRIPT_STOP_NONE;
    return memory ? PLOY_ERR_MEMORY : PLOY_ERR_ARGUMENT;
}

// Pushes the member of the table at `index` that a part of a path names.
static int values_member(lua_State *L, int index, const char *part, size_t size) {
    index = lua_absindex(L, index);
    lua_pushlstring(L, part, size);
    int type = lua_rawget(L, index);
    if (type != LUA_TNIL || size == 0 || size > 10) return type;
    lua_Integer number = 0;
    for (size_t i = 0; i < size; i++) {
        if (part[i] < '0' || part[i] > '9') return type;
        number = number * 10 + (part[i] - '0');
    }
    lua_pop(L, 1);
    return lua_rawgeti(L, index, number);
}

static size_t values_part(const char *path) {
    size_t size = 0;
    while (path[size] != 0 && path[size] != '.') size++;
    return size;
}

// Changes, insertions and removals between two names, for "did you mean"; large if more than 2.
static int values_distance(const char *a, size_t a_size, const char *b, size_t b_size) {
    int row[34];
    if (a_size > 32 || b_size > 32) return 99;
    for (size_t j = 0; j <= b_size; j++) row[j] = (int)j;
    for (size_t i = 1; i <= a_size; i++) {
        int corner = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= b_size; j++) {
            int best = corner + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[b_size];
}

// Writes the text for a missing part: the name, and the nearest of the table at the top.
static void values_missing(ploy_lua *lua, lua_State *L, const char *path, size_t from,
                           size_t size) {
    char nearest[33] = "";
    int best = 3;
    if (lua_istable(L, -1)) {
        lua_pushnil(L);
        while (lua_next(L, -2) != 0) {
            lua_pop(L, 1);
            if (lua_type(L, -1) != LUA_TSTRING) continue;
            size_t length;
            const char *name = lua_tolstring(L, -1, &length);
            int distance = values_distance(path + from, size, name, length);
            bool before = distance == best && strcmp(name, nearest) < 0; // a fixed order
            if ((distance < best || before) && length < sizeof nearest && distance < (int)length) {
                best = distance;
                memcpy(nearest, name, length + 1);
            }
        }
    }
    char text[PLOY_LUA_PATH_MAX + 96];
    size_t end = from + size < PLOY_LUA_PATH_MAX ? from + size : PLOY_LUA_PATH_MAX - 1;
    size_t at = 0;
    memcpy(text, "no value '", 10);
    at = 10;
    memcpy(text + at, path, end);
    at += end;
    text[at++] = '\'';
    if (nearest[0] != 0) {
        memcpy(text + at, " (did you mean '", 16);
        at += 16;
        memcpy(text + at, nearest, strlen(nearest));
        at += strlen(nearest);
        memcpy(text + at, "'?)", 3);
        at += 3;
    }
    text[at] = 0;
    ployi_script_fail(lua, text);
}

bool ployi_script_walk(ploy_lua *lua, lua_State *L, const char *path) {
    size_t from = 0;
    if (path == NULL || path[0] == 0) return true;
    for (;;) {
        size_t size = values_part(path + from);
        bool found = lua_istable(L, -1);
        if (found) {
            found = values_member(L, -1, path + from, size) != LUA_TNIL;
            if (found) {
                lua_remove(L, -2);
            } else {
                lua_pop(L, 1);
            }
        }
        if (!found) {
            values_missing(lua, L, path, from, size);
            lua_pop(L, 1);
            lua_pushnil(L);
            return false;
        }
        from += size;
        if (path[from] == 0) return true;
        from++;
    }
}

void ployi_script_assign(lua_State *L, const char *path) {
    lua_insert(L, -2); // value, table
    for (;;) {
        size_t size = values_part(path);
        if (!lua_istable(L, -1)) luaL_error(L, "'%s' is not inside a table", path);
        if (path[size] == 0) {
            // A part of digits is an index, as in a read, unless the text is a key already.
            lua_Integer number = 0;
            bool digits = size > 0 && size <= 10;
            for (size_t i = 0; i < size && digits; i++) {
                digits = path[i] >= '0' && path[i] <= '9';
                if (digits) number = number * 10 + (path[i] - '0');
            }
            lua_pushlstring(L, path, size);
            lua_pushvalue(L, -1);
            if (digits && lua_rawget(L, -3) == LUA_TNIL) {
                lua_pop(L, 2);
                lua_pushvalue(L, -2);
                lua_rawseti(L, -2, number);
            } else {
                lua_settop(L, lua_gettop(L) - 1);
                lua_pushvalue(L, -3);
                lua_rawset(L, -3);
            }
            lua_pop(L, 2);
            return;
        }
        if (values_member(L, -1, path, size) == LUA_TNIL) {
            lua_pop(L, 1);
            lua_createtable(L, 0, 0);
            lua_pushlstring(L, path, size);
            lua_pushvalue(L, -2);
            lua_rawset(L, -4);
        }
        lua_remove(L, -2);
        path += size + 1;
    }
}

typedef struct values_request {
    ploy_lua *lua;
    ploy_lua_ref from;
    const char *path;
    const ploy_value *value; // to write
    const ploy_lua_ref *ref; // to write instead
    ploy_value *out;
    ploy_lua_ref *out_ref;
    ploy_result result;
} values_request;

static int values_do_get(lua_State *L) {
    values_request *request = lua_touserdata(L, 1);
    request->result = ployi_script_push_ref(request->lua, L, request->from);
    if (request->result != PLOY_OK) return 0;
    if (!ployi_script_walk(request->lua, L, request->path)) {
        request->result = PLOY_ERR_NOT_FOUND;
    } else if (request->out_ref != NULL) {
        request->result = ployi_script_ref(request->lua, L, request->out_ref);
    } else if (!ployi_script_read(L, -1, request->out)) {
        request->result = PLOY_ERR_ARGUMENT;
        ployi_script_fail(request->lua, "the value needs a handle");
    }
    return 0;
}

static int values_do_set(lua_State *L) {
    values_request *request = lua_touserdata(L, 1);
    request->result = ployi_script_push_ref(request->lua, L, request->from);
    if (request->result != PLOY_OK) return 0;
    if (request->ref != NULL) {
        request->result = ployi_script_push_ref(request->lua, L, *request->ref);
        if (request->result != PLOY_OK) return 0;
    } else {
        ployi_script_push(L, request->value);
    }
    ployi_script_assign(L, request->path);
    return 0;
}

static ploy_result values_access(values_request *request, lua_CFunction fn) {
    const char *path = request->path != NULL ? request->path : "";
    if (strlen(path) >= PLOY_LUA_PATH_MAX) return PLOY_ERR_ARGUMENT;
    ploy_result result = ployi_script_protect(request->lua, fn, request);
    return result == PLOY_OK ? request->result : result;
}

ploy_result ploy_lua_get(ploy_lua *lua, ploy_lua_ref from, const char *path, ploy_value *out) {
    values_request request = {lua, from, path, NULL, NULL, out, NULL, PLOY_OK};
    *out = ploy_value_none();
    return values_access(&request, values_do_get);
}

ploy_result ploy_lua_get_ref(ploy_lua *lua, ploy_lua_ref from, const char *path,
                             ploy_lua_ref *out) {
    values_request request = {lua, from, path, NULL, NULL, NULL, out, PLOY_OK};
    *out = ploy_lua_globals();
    return values_access(&request, values_do_get);
}

ploy_result ploy_lua_set(ploy_lua *lua, ploy_lua_ref from, const char *path,
                         const ploy_value *value) {
    values_request request = {lua, from, path, value, NULL, NULL, NULL, PLOY_OK};
    if (path == NULL || path[0] == 0) return PLOY_ERR_ARGUMENT;
    return values_access(&request, values_do_set);
}

ploy_result ploy_lua_set_ref(ploy_lua *lua, ploy_lua_ref from, const char *path,
                             ploy_lua_ref value) {
    values_request request = {lua, from, path, NULL, &value, NULL, NULL, PLOY_OK};
    if (path == NULL || path[0] == 0) return PLOY_ERR_ARGUMENT;
    return values_access(&request, values_do_set);
}

static int values_do_table(lua_State *L) {
    values_request *request = lua_touserdata(L, 1);
    lua_createtable(L, 0, 0);
    request->result = ployi_script_ref(request->lua, L, request->out_ref);
    return 0;
}

ploy_result ploy_lua_new_table(ploy_lua *lua, ploy_lua_ref *out) {
    values_request request = {lua, ploy_lua_globals(), "", NULL, NULL, NULL, out, PLOY_OK};
    *out = ploy_lua_globals();
    return values_access(&request, values_do_table);
}

typedef struct values_step {
    ploy_lua *lua;
    ploy_lua_ref table;
    ploy_value *key, *value;
    ploy_result result;
} values_step;

static int values_do_next(lua_State *L) {
    values_step *step = lua_touserdata(L, 1);
    step->result = ployi_script_push_ref(step->lua, L, step->table);
    if (step->result != PLOY_OK) return 0;
    if (!lua_istable(L, -1)) {
        ployi_script_fail(step->lua, "the handle is not a table");
        step->result = PLOY_ERR_ARGUMENT;
        return 0;
    }
    ployi_script_push(L, step->key);
    if (!ployi_script_next(L, -2)) {
        step->result = PLOY_ERR_NOT_FOUND;
        return 0;
    }
    (void)ployi_script_read(L, -2, step->key);
    (void)ployi_script_read(L, -1, step->value);
    return 0;
}

ploy_result ploy_lua_next(ploy_lua *lua, ploy_lua_ref table, ploy_value *key, ploy_value *value) {
    values_step step = {lua, table, key, value, PLOY_OK};
    ploy_result result = ployi_script_protect(lua, values_do_next, &step);
    return result == PLOY_OK ? step.result : result;
}
