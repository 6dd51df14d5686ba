// From Lua to C: numbers, texts, structs, sequences and functions, by the tables of their types.
//
// A reader returns false with the state's message set; nothing here raises a Lua error but if out of memory. Values
// are only read raw, so no metamethod runs between the first argument and the call.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/budget.h"
#include "ploy/base/name.h"
#include "ploy/base/value.h"
#include "script/bind_internal.h"

// Most bytes of one argument's elements. More is refused before it is allocated.
#define READ_BYTES_MAX ((size_t)1 << 28)
#define READ_DEPTH_MAX 16

bool ployi_bind_fail(ployi_call *call, const char *format, const char *a, const char *b) {
    char text[300];
    // The formats are literals of this module with at most two texts.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    (void)snprintf(text, sizeof text, format, a, b);
#pragma GCC diagnostic pop
    (void)snprintf(call->bind->message, sizeof call->bind->message, "parameter '%s%s' %s",
                   call->at->name, call->path, text);
    return false;
}

static bool read_expected(ployi_call *call, int index, const char *what) {
    const ployi_handle *handle = ployi_bind_handle(call->L, index);
    return ployi_bind_fail(call, "is %s; expected %s",
                           handle != NULL ? handle->type->name : luaL_typename(call->L, index),
                           what);
}

size_t ployi_bind_size(const ployi_bind_item *item) {
    switch (item->kind) {
    case PLOYI_BIND_BOOL: return sizeof(bool);
    case PLOYI_BIND_I8:
    case PLOYI_BIND_U8:
    case PLOYI_BIND_CHAR:
    case PLOYI_BIND_BYTES: return 1;
    case PLOYI_BIND_I16:
    case PLOYI_BIND_U16: return 2;
    case PLOYI_BIND_I32:
    case PLOYI_BIND_U32:
    case PLOYI_BIND_F32:
    case PLOYI_BIND_ENUM: return 4;
    case PLOYI_BIND_I64:
    case PLOYI_BIND_U64:
    case PLOYI_BIND_F64: return 8;
    case PLOYI_BIND_SIZE: return sizeof(size_t);
    case PLOYI_BIND_PLAIN:
    case PLOYI_BIND_LIVE: return ployi_bind_types[item->type].size;
    case PLOYI_BIND_VALUE: return sizeof(ploy_value);
    default: return sizeof(void *);
    }
}

// What the library keeps is in the root's boxes; what it only reads is on the C stack while there is room.
void *ployi_bind_memory(ployi_call *call, size_t size) {
    if (size == 0) size = 1;
    size_t at = (call->stack_used + 15) & ~(size_t)15;
    if (!call->keeps && !call->bind->separate && size <= PLOYI_BIND_STACK &&
        at <= PLOYI_BIND_STACK - size) {
        call->stack_used = at + size;
        memset(call->stack.bytes + at, 0, size);
        return call->stack.bytes + at;
    }
    if (size > READ_BYTES_MAX) return NULL;
    if (call->root == NULL) {
        call->root = ployi_box_make(call->bind, PLOYI_BOX_MEMORY, NULL, 0);
        if (call->root == NULL) return NULL;
    }
    ployi_box *block = ployi_box_make(call->bind, PLOYI_BOX_MEMORY, NULL, size);
    if (block == NULL) return NULL;
    bool held = ployi_box_hold(call->root, block);
    ployi_box_forget(block); // only the root holds it
    return held ? block->content.bytes : NULL;
}

static void *read_memory(ployi_call *call, size_t size) {
    void *memory = ployi_bind_memory(call, size);
    if (memory == NULL) ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
    return memory;
}

bool ployi_bind_keep(ployi_call *call, ployi_box *box) {
    if (call->used_count == PLOYI_BIND_PARAMETERS * 2) {
        // Rare: an array of many objects. The root holds them for the call.
        if (call->root == NULL) call->root = ployi_box_make(call->bind, PLOYI_BOX_MEMORY, NULL, 0);
        if (call->root == NULL || !ployi_box_hold(call->root, box))
            return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
        return true;
    }
    if (call->at->kind == PLOYI_BIND_OBJECT && (call->at->flags & PLOYI_BIND_CONST) == 0)
        call->changed |= UINT64_C(1) << call->used_count;
    call->used_at[call->used_count] = call->at;
    call->used[call->used_count++] = box;
    return true;
}

static bool read_integer(ployi_call *call, int index, int64_t min, int64_t max, int64_t *to) {
    lua_State *L = call->L;
    int exact = 0;
    lua_Integer value = 0;
    if (lua_type(L, index) == LUA_TNUMBER) value = lua_tointegerx(L, index, &exact);
    if (!exact) {
        char found[48] = "";
        if (lua_type(L, index) == LUA_TNUMBER)
            (void)snprintf(found, sizeof found, "%g", lua_tonumber(L, index));
        return found[0] != 0 ? ployi_bind_fail(call, "is %s; expected a whole number%s", found, "")
                             : read_expected(call, index, "a whole number");
    }
    if (value < min || value > max) {
        char found[32];
        char range[64];
        (void)snprintf(found, sizeof found, "%lld", (long long)value);
        (void)snprintf(range, sizeof range, "%lld to %lld", (long long)min, (long long)max);
        return ployi_bind_fail(call, "is %s; expected a whole number from %s", found, range);
    }
    *to = value;
    return true;
}

static bool read_number(ployi_call *call, int index, double *to) {
    if (lua_type(call->L, index) != LUA_TNUMBER) return read_expected(call, index, "a number");
    double value = lua_tonumber(call->L, index);
    if (isnan(value)) return ployi_bind_fail(call, "is not a number (NaN)%s%s", "", "");
    *to = value;
    return true;
}

static bool read_enum(ployi_call *call, int index, const ployi_bind_type *type, int32_t *to) {
    lua_State *L = call->L;
    if (lua_type(L, index) == LUA_TSTRING) {
        const char *text = lua_tostring(L, index);
        ploy_nearest nearest = ploy_nearest_make(text);
        for (int32_t i = 0; i < type->member_count; i++) {
            if (strcmp(type->names[i], text) == 0) {
                *to = type->values[i];
                return true;
            }
            ploy_nearest_offer(&nearest, type->names[i]);
        }
        if (nearest.best != NULL)
            return ployi_bind_fail(call, "is '%s' (did you mean '%s'?)", text, nearest.best);
        return ployi_bind_fail(call, "is '%s'; expected a %s", text, type->name);
    }
    int64_t value = 0;
    if (lua_type(L, index) != LUA_TNUMBER) return read_expected(call, index, type->name);
    if (!read_integer(call, index, INT32_MIN, INT32_MAX, &value)) return false;
    bool flags = true;
    int32_t all = 0;
    for (int32_t i = 0; i < type->member_count; i++) {
        int32_t one = type->values[i];
        if (one == value) {
            *to = one;
            return true;
        }
        if (one < 0 || (one & (one - 1)) != 0) flags = false;
        all |= one;
    }
    if (type->member_count > 2 && flags && value >= 0 && (value & ~(int64_t)all) == 0 && all > 3) {
        *to = (int32_t)value;
        return true;
    }
    char found[32];
    (void)snprintf(found, sizeof found, "%lld", (long long)value);
    return ployi_bind_fail(call, "is %s; expected a %s", found, type->name);
}

static bool read_text(ployi_call *call, int index, const ployi_bind_item *item, const char **to,
                      bool copy) {
    lua_State *L = call->L;
    if (lua_isnil(L, index) && (item->flags & PLOYI_BIND_NULLABLE) != 0) {
        *to = NULL;
        return true;
    }
    if (lua_type(L, index) != LUA_TSTRING) return read_expected(call, index, "a string");
    size_t size = 0;
    const char *text = lua_tolstring(L, index, &size);
    if (memchr(text, 0, size) != NULL)
        return ployi_bind_fail(call, "is a string with a zero byte; expected a text%s%s", "", "");
    if (copy || call->keeps) {
        char *made = read_memory(call, size + 1);
        if (made == NULL) return false;
        memcpy(made, text, size + 1);
        text = made;
    }
    call->work += (int64_t)(size / 64);
    *to = text;
    return true;
}

static bool read_value(ployi_call *call, int index, ploy_value *to) {
    lua_State *L = call->L;
    switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TNONE: *to = ploy_value_none(); return true;
    case LUA_TBOOLEAN: *to = ploy_value_bool(lua_toboolean(L, index) != 0); return true;
    case LUA_TNUMBER:
        *to = lua_isinteger(L, index) ? ploy_value_i64(lua_tointeger(L, index))
                                      : ploy_value_f64(lua_tonumber(L, index));
        return true;
    case LUA_TSTRING: {
        ployi_bind_item item = {.flags = 0};
        const char *text = NULL;
        if (!read_text(call, index, &item, &text, true)) return false;
        *to = ploy_value_text(text);
        return true;
    }
    default: break;
    }
    const ploy_value *object = call->bind->object == NULL ? NULL : call->bind->object(L, index);
    if (object != NULL) return *to = *object, true;
    const ployi_handle *handle = ployi_bind_handle(L, index);
    bool lent = false;
    const void *place = handle == NULL ? NULL : ployi_bind_place(L, index, &lent);
    if (place != NULL && handle->type->kind == PLOYI_BIND_PLAIN) {
        const float *v = place;
        if (handle->type == &ployi_bind_types[ployi_bind_type_vec2])
            return *to = ploy_value_vec2(v[0], v[1]), true;
        if (handle->type == &ployi_bind_types[ployi_bind_type_vec3])
            return *to = ploy_value_vec3(v[0], v[1], v[2]), true;
        if (handle->type == &ployi_bind_types[ployi_bind_type_quat])
            return *to = ploy_value_vec4(v[0], v[1], v[2], v[3]), true;
        if (handle->type == &ployi_bind_types[ployi_bind_type_id])
            return *to = ploy_value_id(*(const ploy_id *)place), true;
        if (handle->type == &ployi_bind_types[ployi_bind_type_name])
            return *to = ploy_value_name(*(const ploy_name *)place), true;
    }
    return read_expected(call, index, "nil, a boolean, number, string, vector, id or name");
}

// What the library takes over must be the script's, and only once.
static bool read_give(ployi_call *call, ployi_box *box) {
    if (box->kind == PLOYI_BOX_OBJECT && !box->owned)
        return ployi_bind_fail(call, "is a %s that the script does not own%s", box->type->name, "");
    for (int32_t i = 0; i < box->hold_count; i++) {
        if (box->holds[i]->given)
            return ployi_bind_fail(call, "is a %s whose object was already given away%s",
                                   box->type->name, "");
    }
    for (int32_t i = 0; i < call->give_count; i++) {
        if (call->gives[i] == box)
            return ployi_bind_fail(call, "is a %s that is given twice%s", box->type->name, "");
    }
    if (call->give_count == 4)
        return ployi_bind_fail(call, "is one object too many; a call can take over at most 4%s%s",
                               "", "");
    call->gives[call->give_count++] = box;
    return true;
}

// The address of the content of a handle of the type; NULL with a message. Boxes are used by the call.
static void *read_handle(ployi_call *call, int index, const ployi_bind_type *type) {
    ployi_handle *handle = ployi_bind_handle(call->L, index);
    if (handle == NULL || handle->type != type) {
        read_expected(call, index, type->name);
        return NULL;
    }
    if (handle->box == NULL) {
        bool lent = false;
        void *place = ployi_bind_place(call->L, index, &lent);
        if (place == NULL)
            ployi_bind_fail(call, "is a %s that was valid only in its callback%s", type->name, "");
        else if (lent && call->keeps && (call->at->flags & PLOYI_BIND_POINTER) != 0) {
            ployi_bind_fail(call, "is a %s that is lent to a callback and cannot be kept%s",
                            type->name, "");
            return NULL;
        }
        return place;
    }
    if (handle->box->bind != call->bind) {
        ployi_bind_fail(call, "is a %s of another state%s", type->name, "");
        return NULL;
    }
    const char *fault = ployi_box_state(handle->box);
    if (fault == NULL && handle->box->lent && call->keeps && call->at != &call->fn->parameters[0])
        fault = "is lent to a callback and cannot be kept";
    if (fault != NULL) {
        ployi_bind_fail(call, "is a %s that %s", type->name, fault);
        return NULL;
    }
    bool own = call->fn != NULL && call->at == &call->fn->parameters[0];
    bool gives = (call->at->flags & PLOYI_BIND_GIVES) != 0 ||
                 (call->keeps && !own && (type->flags & PLOYI_BIND_OWNER) != 0 &&
                  (call->at->flags & PLOYI_BIND_LENDS) == 0);
    if (gives && !read_give(call, handle->box)) return NULL;
    return ployi_bind_keep(call, handle->box) ? handle->box->ptr : NULL;
}

const void *ployi_bind_object(const ployi_bind *bind, lua_State *L, int index,
                              const ployi_bind_type *type) {
    if (bind->object == NULL || type->kind != PLOYI_BIND_PLAIN) return NULL;
    int number = (int)(type - ployi_bind_types);
    ploy_value_type wanted = number == ployi_bind_type_vec2   ? PLOY_VALUE_VEC2
                             : number == ployi_bind_type_vec3 ? PLOY_VALUE_VEC3
                             : number == ployi_bind_type_quat ? PLOY_VALUE_VEC4
                             : number == ployi_bind_type_id   ? PLOY_VALUE_ID
                             : number == ployi_bind_type_name ? PLOY_VALUE_NAME
                                                              : PLOY_VALUE_NONE;
    if (wanted == PLOY_VALUE_NONE) return NULL;
    const ploy_value *object = bind->object(L, index);
    if (object == NULL || object->type != wanted) return NULL;
    return wanted == PLOY_VALUE_ID     ? (const void *)&object->as.id
           : wanted == PLOY_VALUE_NAME ? (const void *)&object->as.name
                                       : (const void *)object->as.vec;
}

static bool read_table(ployi_call *call, int index, const ployi_bind_type *type, void *to,
                       int depth);

// A script may set any member, so those that the library uses as an index or a state are checked at each use.
static bool read_checked(ployi_call *call, const ployi_bind_type *type, const void *value) {
    const char *member = type->check == NULL ? NULL : type->check(value);
    return member == NULL ||
           ployi_bind_fail(call, "has a '%s' that is out of its range%s", member, "");
}

static bool read_struct(ployi_call *call, int index, const ployi_bind_type *type, void *to,
                        int depth) {
    lua_State *L = call->L;
    if (lua_type(L, index) == LUA_TUSERDATA) {
        const void *from = ployi_bind_object(call->bind, L, index, type);
        if (from == NULL) from = read_handle(call, index, type);
        if (from == NULL) return false;
        memcpy(to, from, type->size);
        return read_checked(call, type, to);
    }
    if (type == &ployi_bind_types[ployi_bind_type_name] && lua_type(L, index) == LUA_TSTRING) {
        *(ploy_name *)to = ploy_name_of(lua_tostring(L, index));
        return true;
    }
    if (type == &ployi_bind_types[ployi_bind_type_budget] && lua_type(L, index) == LUA_TNUMBER) {
        int64_t units = 0;
        if (!read_integer(call, index, 0, INT64_MAX, &units)) return false;
        *(ploy_budget *)to = ploy_budget_units(units);
        return true;
    }
    if (type->kind == PLOYI_BIND_LIVE && (type->flags & PLOYI_BIND_MAKEABLE) == 0)
        return read_expected(call, index, type->name);
    if (lua_type(L, index) == LUA_TFUNCTION && type->kind == PLOYI_BIND_LIVE) {
        // A struct with one callback accepts the function itself.
        const ployi_bind_item *only = NULL;
        for (int32_t m = 0; m < type->member_count; m++) {
            if (type->members[m].role != PLOYI_BIND_CALL) continue;
            if (only != NULL) return read_expected(call, index, type->name);
            only = &type->members[m];
        }
        if (only == NULL) return read_expected(call, index, type->name);
        index = lua_absindex(L, index);
        lua_createtable(L, 0, 1);
        lua_pushvalue(L, index);
        lua_setfield(L, -2, only->name);
        bool read = read_table(call, -1, type, to, depth);
        lua_pop(L, 1);
        return read;
    }
    if (lua_type(L, index) != LUA_TTABLE) return read_expected(call, index, type->name);
    return read_table(call, index, type, to, depth);
}

static bool read_item(ployi_call *call, int index, const ployi_bind_item *item, void *to,
                      int depth) {
    int64_t i = 0;
    double f = 0;
    switch (item->kind) {
    case PLOYI_BIND_BOOL:
        if (lua_type(call->L, index) != LUA_TBOOLEAN)
            return read_expected(call, index, "a boolean");
        *(bool *)to = lua_toboolean(call->L, index) != 0;
        return true;
    case PLOYI_BIND_I8:
        return read_integer(call, index, INT8_MIN, INT8_MAX, &i) &&
               (*(int8_t *)to = (int8_t)i, true);
    case PLOYI_BIND_U8:
        return read_integer(call, index, 0, UINT8_MAX, &i) && (*(uint8_t *)to = (uint8_t)i, true);
    case PLOYI_BIND_I16:
        return read_integer(call, index, INT16_MIN, INT16_MAX, &i) &&
               (*(int16_t *)to = (int16_t)i, true);
    case PLOYI_BIND_U16:
        return read_integer(call, index, 0, UINT16_MAX, &i) &&
               (*(uint16_t *)to = (uint16_t)i, true);
    case PLOYI_BIND_I32:
        return read_integer(call, index, INT32_MIN, INT32_MAX, &i) &&
               (*(int32_t *)to = (int32_t)i, true);
    case PLOYI_BIND_U32:
        return read_integer(call, index, 0, UINT32_MAX, &i) &&
               (*(uint32_t *)to = (uint32_t)i, true);
    case PLOYI_BIND_I64:
        return read_integer(call, index, INT64_MIN, INT64_MAX, &i) && (*(int64_t *)to = i, true);
    case PLOYI_BIND_U64:
        return read_integer(call, index, INT64_MIN, INT64_MAX, &i) &&
               (*(uint64_t *)to = (uint64_t)i, true);
    case PLOYI_BIND_SIZE:
        return read_integer(call, index, 0, INT32_MAX, &i) && (*(size_t *)to = (size_t)i, true);
    case PLOYI_BIND_F32:
        if (!read_number(call, index, &f)) return false;
        if (isfinite(f) && fabs(f) > (double)FLT_MAX)
            return ployi_bind_fail(call, "is out of the range of a float%s%s", "", "");
        *(float *)to = (float)f;
        return true;
    case PLOYI_BIND_F64: return read_number(call, index, (double *)to);
    case PLOYI_BIND_CHAR: {
        size_t size = 0;
        const char *text =
            lua_type(call->L, index) == LUA_TSTRING ? lua_tolstring(call->L, index, &size) : NULL;
        if (text == NULL || size != 1)
            return read_expected(call, index, "a string of one character");
        *(char *)to = text[0];
        return true;
    }
    case PLOYI_BIND_ENUM: return read_enum(call, index, &ployi_bind_types[item->type], to);
    case PLOYI_BIND_TEXT: return read_text(call, index, item, to, depth > 0);
    case PLOYI_BIND_VALUE: return read_value(call, index, to);
    case PLOYI_BIND_PLAIN:
    case PLOYI_BIND_LIVE: return read_struct(call, index, &ployi_bind_types[item->type], to, depth);
    case PLOYI_BIND_OBJECT: {
        if (lua_isnil(call->L, index) && (item->flags & PLOYI_BIND_NULLABLE) != 0) {
            *(void **)to = NULL;
            return true;
        }
        void *object = read_handle(call, index, &ployi_bind_types[item->type]);
        *(void **)to = object;
        return object != NULL;
    }
    default: return ployi_bind_fail(call, "cannot be given by a script%s%s", "", "");
    }
}

bool ployi_bind_read(ployi_call *call, int index, const ployi_bind_item *item, void *to) {
    return read_item(call, index, item, to, 0);
}

// Reads a sequence into new memory. Elements are read in order, and the first that is wrong is named.
static bool read_sequence(ployi_call *call, int index, const ployi_bind_item *item, void **to,
                          int64_t *count, int depth) {
    lua_State *L = call->L;
    index = lua_absindex(L, index);
    if (item->kind == PLOYI_BIND_BYTES || item->kind == PLOYI_BIND_CHAR) {
        size_t size = 0;
        if (lua_type(L, index) != LUA_TSTRING) return read_expected(call, index, "a string");
        const char *bytes = lua_tolstring(L, index, &size);
        char *made = read_memory(call, size + 1);
        if (made == NULL) return false;
        memcpy(made, bytes, size);
        *to = made;
        *count = (int64_t)size;
        call->work += (int64_t)(size / 64);
        return true;
    }
    if (lua_type(L, index) != LUA_TTABLE) return read_expected(call, index, "a sequence");
    lua_Unsigned length = lua_rawlen(L, index);
    size_t one = ployi_bind_size(item);
    if (length > INT32_MAX || length > READ_BYTES_MAX / one)
        return ployi_bind_fail(call, "has too many elements%s%s", "", "");
    unsigned char *made = read_memory(call, (size_t)length * one);
    if (made == NULL) return false;
    char path[sizeof call->path];
    memcpy(path, call->path, sizeof path);
    if (!lua_checkstack(L, 4)) return ployi_bind_fail(call, "is nested too deep%s%s", "", "");
    for (int64_t i = 0; i < (int64_t)length; i++) {
        lua_rawgeti(L, index, i + 1);
        bool read = read_item(call, -1, item, made + (size_t)i * one, depth + 1);
        if (!read && strcmp(call->path, path) ==
                         0) { // say which element, by reading it again with its place
            (void)snprintf(call->path, sizeof call->path, "%.60s[%lld]", path, (long long)i + 1);
            (void)read_item(call, -1, item, made + (size_t)i * one, depth + 1);
        }
        lua_pop(L, 1);
        if (!read) return false;
    }
    call->work += (int64_t)length / 4;
    *to = made;
    *count = (int64_t)length;
    return true;
}

bool ployi_bind_read_array(ployi_call *call, int index, const ployi_bind_item *item, void **to,
                           int64_t *count) {
    if (lua_isnil(call->L, index) && (item->flags & PLOYI_BIND_NULLABLE) != 0) {
        *to = NULL;
        *count = -1;
        return true;
    }
    return read_sequence(call, index, item, to, count, 0);
}

// Keeps a Lua value for the call, and for as long as its root is held.
static bool read_box(ployi_call *call, int index, void **to) {
    lua_State *L = call->L;
    index = lua_absindex(L, index);
    if (call->root == NULL) call->root = ployi_box_make(call->bind, PLOYI_BOX_MEMORY, NULL, 0);
    ployi_box *box = call->root == NULL ? NULL : ployi_box_make(call->bind, PLOYI_BOX_LUA, NULL, 0);
    bool held = box != NULL && ployi_box_hold(call->root, box);
    if (box != NULL) ployi_box_forget(box); // only the root holds it
    if (!held) return ployi_bind_fail(call, "needs more memory than is available%s%s", "", "");
    lua_pushvalue(L, index);
    box->ref = ployi_bind_ref(L);
    *to = box;
    return true;
}

bool ployi_bind_read_callback(ployi_call *call, int index, const ployi_bind_item *item,
                              ployi_bind_any *fn, void **user) {
    lua_State *L = call->L;
    if (lua_isnil(L, index) && (item->flags & PLOYI_BIND_NULLABLE) != 0) {
        *fn = NULL;
        return true;
    }
    if (lua_type(L, index) != LUA_TFUNCTION) return read_expected(call, index, "a function");
    if (!read_box(call, index, user)) return false;
    *fn = ployi_bind_types[item->type].trampoline;
    return true;
}

// A pointer to one struct: the handle's own memory, or a copy of a table.
static bool read_pointed(ployi_call *call, int index, const ployi_bind_item *item, void **to,
                         int depth) {
    lua_State *L = call->L;
    if (lua_isnoneornil(L, index) && (item->flags & PLOYI_BIND_NULLABLE) != 0) {
        *to = NULL;
        return true;
    }
    if (item->kind == PLOYI_BIND_OBJECT) {
        *to = read_handle(call, index, &ployi_bind_types[item->type]);
        return *to != NULL;
    }
    if (item->kind != PLOYI_BIND_PLAIN && item->kind != PLOYI_BIND_LIVE) {
        *to = read_memory(call, ployi_bind_size(item));
        return *to != NULL && read_item(call, index, item, *to, depth);
    }
    const ployi_bind_type *type = &ployi_bind_types[item->type];
    if (lua_type(L, index) == LUA_TUSERDATA &&
        ployi_bind_object(call->bind, L, index, type) == NULL) {
        *to = read_handle(call, index, type);
        if (*to == NULL) return false;
        // The library may keep the address of a value, so the value must live as long.
        if (call->keeps && type->kind == PLOYI_BIND_PLAIN) {
            void *box = NULL;
            if (!read_box(call, index, &box)) return false;
        }
        return read_checked(call, type, *to);
    }
    if ((item->flags & PLOYI_BIND_BOXED) != 0) return read_expected(call, index, type->name);
    *to = read_memory(call, type->size);
    if (*to == NULL) return false;
    if (lua_isnoneornil(L, index) && type->initial != NULL) { // a def left out: its default
        type->initial(*to);
        return true;
    }
    return read_struct(call, index, type, *to, depth);
}

bool ployi_bind_read_pointer(ployi_call *call, int index, const ployi_bind_item *item, void **to) {
    return read_pointed(call, index, item, to, 0);
}

// A function in a struct, from the top of the stack. Members that share one user are kept in one table by the
// type of their callback.
static bool read_member_function(ployi_call *call, const ployi_bind_type *type,
                                 const ployi_bind_item *item, unsigned char *to) {
    lua_State *L = call->L;
    const ployi_bind_type *made = &ployi_bind_types[item->type];
    ployi_bind_any fn = made->trampoline;
    void *user = NULL;
    if (lua_type(L, -1) != LUA_TFUNCTION) return read_expected(call, -1, "a function");
    if (item->link < 0) return ployi_bind_fail(call, "cannot be given by a script%s%s", "", "");
    memcpy(&user, to + type->members[item->link].offset, sizeof user);
    if (user == NULL) {
        lua_createtable(L, 0, 2);
        bool boxed = read_box(call, -1, &user);
        lua_pop(L, 1);
        if (!boxed) return false;
    }
    ployi_bind_push_ref(L, ((ployi_box *)user)->ref);
    bool taken = lua_rawgetp(L, -1, made) != LUA_TNIL;
    lua_pop(L, 1);
    if (!taken) {
        lua_pushvalue(L, -2);
        lua_rawsetp(L, -2, made);
    }
    lua_pop(L, 1);
    if (taken)
        return ployi_bind_fail(
            call, "cannot be given together with another function of its type%s%s", "", "");
    memcpy(to + item->offset, &fn, sizeof fn);
    memcpy(to + type->members[item->link].offset, &user, sizeof user);
    return true;
}

// One member from the value on top of the stack.
static bool read_member(ployi_call *call, const ployi_bind_type *type, const ployi_bind_item *item,
                        unsigned char *to, int64_t *counts, int depth) {
    int m = (int)(item - type->members);
    switch ((ployi_bind_role)item->role) {
    case PLOYI_BIND_ARRAY_IN:
    case PLOYI_BIND_ARRAY_INOUT:
    case PLOYI_BIND_ARRAY_OUT: {
        void *elements = NULL;
        int64_t count = 0;
        if (!read_sequence(call, -1, item, &elements, &count, depth)) return false;
        if (item->fixed > 0) {
            bool text = item->kind == PLOYI_BIND_CHAR;
            if (count + (text ? 1 : 0) > (int64_t)item->fixed)
                return ployi_bind_fail(call, "has too many elements%s%s", "", "");
            memcpy(to + item->offset, elements, (size_t)count * ployi_bind_size(item));
            return true;
        }
        memcpy(to + item->offset, &elements, sizeof elements);
        counts[m] = count;
        return true;
    }
    case PLOYI_BIND_CALL: return read_member_function(call, type, item, to);
    case PLOYI_BIND_COUNT:
    case PLOYI_BIND_STRIDE:
    case PLOYI_BIND_USER:
    case PLOYI_BIND_UNUSED: return ployi_bind_fail(call, "cannot be given by a script%s%s", "", "");
    default: break;
    }
    if ((item->flags & PLOYI_BIND_POINTER) != 0) {
        void *pointed = NULL;
        if (!read_pointed(call, -1, item, &pointed, depth + 1)) return false;
        memcpy(to + item->offset, &pointed, sizeof pointed);
        return true;
    }
    return read_item(call, -1, item, to + item->offset, depth + 1);
}

int64_t ployi_bind_elements(const ployi_bind_item *item, int64_t count) {
    if (item->written > 0) return item->written * count;
    return item->second >= 0 ? count * count : count;
}

// Counts, strides and members that were left out.
static bool read_finish(ployi_call *call, const ployi_bind_type *type, unsigned char *to,
                        const int64_t *counts, const bool *given) {
    static const uint64_t nothing[8] = {0};
    int64_t lengths[64] = {0};
    for (int32_t m = 0; m < type->member_count; m++) lengths[m] = -1;
    for (int32_t m = 0; m < type->member_count; m++) {
        const ployi_bind_item *item = &type->members[m];
        if (counts[m] < 0 || item->link < 0) continue;
        int64_t count = counts[m]; // of the array with this many elements
        if (ployi_bind_elements(item, count) != count) count = 0;
        while (ployi_bind_elements(item, count) < counts[m]) count++;
        if (ployi_bind_elements(item, count) != counts[m] ||
            (lengths[item->link] >= 0 && lengths[item->link] != count)) {
            return ployi_bind_fail(call, "has sequences of different lengths; '%s' has another%s",
                                   item->name, "");
        }
        lengths[item->link] = count;
    }
    for (int32_t m = 0; m < type->member_count; m++) {
        const ployi_bind_item *item = &type->members[m];
        bool array = item->role >= PLOYI_BIND_ARRAY_IN && item->role <= PLOYI_BIND_ARRAY_INOUT;
        if (item->role == PLOYI_BIND_COUNT) {
            int64_t n = lengths[m] < 0 ? 0 : lengths[m];
            if (item->kind == PLOYI_BIND_I32 || item->kind == PLOYI_BIND_U32)
                *(int32_t *)(void *)(to + item->offset) = (int32_t)n;
            else if (item->kind == PLOYI_BIND_SIZE)
                *(size_t *)(void *)(to + item->offset) = (size_t)n;
            else if (item->kind == PLOYI_BIND_I64 || item->kind == PLOYI_BIND_U64)
                *(int64_t *)(void *)(to + item->offset) = n;
            else if (n <= INT8_MAX && (item->kind == PLOYI_BIND_U8 || item->kind == PLOYI_BIND_I8))
                *(to + item->offset) = (uint8_t)n;
            else if (n > 0)
                return ployi_bind_fail(call, "has too many elements%s%s", "", "");
        } else if (item->role == PLOYI_BIND_STRIDE) {
            size_t stride = 4; // every strided view is of floats
            memcpy(to + item->offset, &stride, sizeof stride);
        } else if (given[m] || (item->flags & PLOYI_BIND_NULLABLE) != 0)
            continue;
        else if (array && item->fixed == 0) {
            if (item->link < 0 || lengths[item->link] > 0)
                return ployi_bind_fail(call, "has no '%s'; expected a sequence%s", item->name, "");
            const void *none = nothing;
            memcpy(to + item->offset, &none, sizeof none);
        } else if (item->kind == PLOYI_BIND_TEXT) {
            const char *none = "";
            memcpy(to + item->offset, &none, sizeof none);
        } else if (item->role == PLOYI_BIND_CALL)
            return ployi_bind_fail(call, "has no '%s'; expected a function%s", item->name, "");
        else if (item->role == PLOYI_BIND_IN &&
                 (item->kind == PLOYI_BIND_OBJECT || (item->flags & PLOYI_BIND_POINTER) != 0)) {
            return ployi_bind_fail(call, "has no '%s'; expected a %s", item->name,
                                   ployi_bind_types[item->type].name);
        } else if (item->kind == PLOYI_BIND_LIVE) {
            return ployi_bind_fail(call, "has no '%s'; expected a %s", item->name,
                                   ployi_bind_types[item->type].name);
        } else if (item->kind == PLOYI_BIND_PLAIN && ployi_bind_types[item->type].initial != NULL &&
                   type->initial == NULL) {
            ployi_bind_types[item->type].initial(to + item->offset);
        }
    }
    return true;
}

// Names the first unknown key in the order of texts, so that the message does not depend on the table's order.
static bool read_unknown(ployi_call *call, int index, const ployi_bind_type *type) {
    lua_State *L = call->L;
    const char *found = NULL;
    bool other = false;
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) {
            other = true;
            continue;
        }
        const char *key = lua_tostring(L, -1);
        bool known = false;
        for (int32_t m = 0; m < type->member_count && !known; m++)
            known = strcmp(type->members[m].name, key) == 0;
        if (!known && (found == NULL || strcmp(key, found) < 0)) found = key; // the table keeps it
    }
    if (found == NULL)
        return other ? ployi_bind_fail(call, "has a key that is not a string%s%s", "", "") : true;
    ploy_nearest nearest = ploy_nearest_make(found);
    for (int32_t m = 0; m < type->member_count; m++)
        ploy_nearest_offer(&nearest, type->members[m].name);
    if (nearest.best != NULL)
        return ployi_bind_fail(call, "has the unknown key '%s' (did you mean '%s'?)", found,
                               nearest.best);
    return ployi_bind_fail(call, "has the unknown key '%s'; expected the members of a %s", found,
                           type->name);
}

static bool read_fields(ployi_call *call, const ployi_bind_type *type, const void *def) {
    ploy_diags *diags = call->bind->diags;
    ploy_diags_clear(diags);
    if (ploy_fields_check_diags(type->fields(), def, call->at->name, diags) == PLOY_OK) return true;
    const ploy_diag *diag = ploy_diags_count(diags) > 0 ? ploy_diags_get(diags, 0) : NULL;
    ployi_bind_fail(call, "is refused: %s%s",
                    diag == NULL ? "a setting is out of its range" : diag->message, "");
    if (diag != NULL && diag->expected[0] != 0) {
        size_t used = strlen(call->bind->message);
        (void)snprintf(call->bind->message + used, sizeof call->bind->message - used,
                       "; expected %s", diag->expected);
    }
    ploy_diags_clear(diags);
    return false;
}

static bool read_table(ployi_call *call, int index, const ployi_bind_type *type, void *to,
                       int depth) {
    lua_State *L = call->L;
    if (depth > READ_DEPTH_MAX || !lua_checkstack(L, 8))
        return ployi_bind_fail(call, "is nested too deep%s%s", "", "");
    if (type->member_count > 64)
        return ployi_bind_fail(call, "cannot be given by a script%s%s", "", "");
    index = lua_absindex(L, index);
    if (type->initial != NULL)
        type->initial(to);
    else
        memset(to, 0, type->size);
    int64_t counts[64];
    bool given[64] = {false};
    int32_t found = 0;
    char path[sizeof call->path];
    memcpy(path, call->path, sizeof path);
    bool positional = type->member_count > 0 && lua_rawlen(L, index) > 0;
    if (positional && lua_rawlen(L, index) != type->member_count) {
        return ployi_bind_fail(call,
                               "is a sequence of another length; expected the members of a %s%s",
                               type->name, "");
    }
    for (int32_t m = 0; m < type->member_count; m++) {
        const ployi_bind_item *item = &type->members[m];
        counts[m] = -1;
        if (positional)
            lua_rawgeti(L, index, m + 1);
        else {
            lua_pushstring(L, item->name);
            lua_rawget(L, index);
        }
        if (lua_isnil(L, -1)) {
            lua_pop(L, 1);
            continue;
        }
        found += 1;
        given[m] = true;
        (void)snprintf(call->path, sizeof call->path, "%.60s.%.30s", path, item->name);
        bool read = read_member(call, type, item, to, counts, depth);
        lua_pop(L, 1);
        if (!read) return false;
    }
    memcpy(call->path, path, sizeof path);
    // Only a table with more keys than were found is searched for the others.
    int32_t keys = 0;
    lua_pushnil(L);
    while (lua_next(L, index) != 0) {
        lua_pop(L, 1);
        if (++keys > found) {
            lua_pop(L, 1);
            break;
        }
    }
    if (keys > found && !read_unknown(call, index, type)) return false;
    call->work += type->member_count / 4;
    if (!read_finish(call, type, to, counts, given) || !read_checked(call, type, to)) return false;
    return type->fields == NULL || type->initial == NULL || read_fields(call, type, to);
}
