// From C to Lua: values, arrays, boxes, and the calls of Lua functions by the library.
#include <string.h>

#include "ploy/base/budget.h"
#include "ploy/base/value.h"
#include "ploy/geom/vec.h"
#include "script/bind_internal.h"

#define PUSH_MAGIC UINT64_C(0x706c6f7962696e64)

static ployi_handle *push_handle(ployi_bind *bind, lua_State *L, const ployi_bind_type *type,
                                 size_t bytes, int values) {
    ployi_handle *handle = lua_newuserdatauv(L, sizeof(ployi_handle) + bytes, values);
    handle->magic = 0; // not valid before its metatable is set, which may fail
    handle->type = type;
    handle->ptr = NULL;
    handle->box = NULL;
    ployi_bind_push_metatable(bind, L, type);
    lua_setmetatable(L, -2);
    handle->magic = PUSH_MAGIC ^ (uint64_t)(uintptr_t)handle;
    return handle;
}

ployi_handle *ployi_bind_handle(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA || lua_rawlen(L, index) < sizeof(ployi_handle))
        return NULL;
    ployi_handle *handle = lua_touserdata(L, index);
    return handle->magic == (PUSH_MAGIC ^ (uint64_t)(uintptr_t)handle) ? handle : NULL;
}

void *ployi_bind_place(lua_State *L, int index, bool *lent) {
    const ployi_handle *handle = ployi_bind_handle(L, index);
    void *place = handle == NULL || handle->box != NULL ? NULL : handle->ptr;
    *lent = false;
    if (place == NULL || place == (const void *)(handle + 1)) return place;
    *lent = true;
    if (!lua_checkstack(L, 2)) return NULL;
    // A part of another value, which is its user value, or the library's memory itself.
    if (lua_getiuservalue(L, index, 1) == LUA_TUSERDATA && ployi_bind_place(L, -1, lent) == NULL)
        place = NULL;
    lua_pop(L, 1);
    return place;
}

// As the host's object, if it has such a type.
static bool push_object(ployi_bind *bind, lua_State *L, const ployi_bind_type *type,
                        const void *from) {
    if (bind->push == NULL || from == NULL) return false;
    const float *v = from;
    int number = (int)(type - ployi_bind_types);
    ploy_value value;
    if (number == ployi_bind_type_vec2)
        value = ploy_value_vec2(v[0], v[1]);
    else if (number == ployi_bind_type_vec3)
        value = ploy_value_vec3(v[0], v[1], v[2]);
    else if (number == ployi_bind_type_quat)
        value = ploy_value_vec4(v[0], v[1], v[2], v[3]);
    else if (number == ployi_bind_type_id)
        value = ploy_value_id(*(const ploy_id *)from);
    else if (number == ployi_bind_type_name)
        value = ploy_value_name(*(const ploy_name *)from);
    else
        return false;
    bind->push(L, &value);
    return true;
}

void *ployi_bind_push_value(ployi_bind *bind, lua_State *L, const ployi_bind_type *type,
                            const void *from) {
    if (push_object(bind, L, type, from)) return NULL;
    ployi_handle *handle = push_handle(bind, L, type, type->size, 1);
    handle->ptr = handle + 1;
    if (from != NULL)
        memcpy(handle->ptr, from, type->size);
    else
        memset(handle->ptr, 0, type->size);
    return handle->ptr;
}

void ployi_bind_push_view(ployi_bind *bind, lua_State *L, const ployi_bind_type *type, void *at,
                          int parent) {
    if (push_object(bind, L, type, at)) return; // the host's are immutable, so a copy is as good
    parent = lua_absindex(L, parent);
    ployi_handle *handle = push_handle(bind, L, type, 0, 1);
    handle->ptr = at;
    lua_pushvalue(L, parent);
    lua_setiuservalue(L, -2, 1);
}

ployi_box *ployi_bind_push_box(ployi_bind *bind, lua_State *L, ployi_box_kind kind,
                               const ployi_bind_type *type, size_t size) {
    ployi_handle *handle = push_handle(bind, L, type, 0, 1);
    handle->box = ployi_box_make(bind, kind, type, size);
    if (handle->box == NULL) luaL_error(L, "out of memory for a %s", type->name);
    return handle->box;
}

static void push_enum(lua_State *L, const ployi_bind_type *type, int32_t value) {
    for (int32_t i = 0; i < type->member_count; i++) {
        if (type->values[i] == value) {
            lua_pushstring(L, type->names[i]);
            return;
        }
    }
    lua_pushinteger(L, value);
}

static void push_any(ployi_bind *bind, lua_State *L, const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_BOOL: lua_pushboolean(L, value->as.b); return;
    case PLOY_VALUE_I64: lua_pushinteger(L, value->as.i64); return;
    case PLOY_VALUE_U64: lua_pushinteger(L, (lua_Integer)value->as.u64); return;
    case PLOY_VALUE_F32: lua_pushnumber(L, (double)value->as.f32); return;
    case PLOY_VALUE_F64: lua_pushnumber(L, value->as.f64); return;
    case PLOY_VALUE_TEXT: lua_pushstring(L, value->as.text == NULL ? "" : value->as.text); return;
    case PLOY_VALUE_VEC2:
        ployi_bind_push_value(bind, L, &ployi_bind_types[ployi_bind_type_vec2], value->as.vec);
        return;
    case PLOY_VALUE_VEC3:
        ployi_bind_push_value(bind, L, &ployi_bind_types[ployi_bind_type_vec3], value->as.vec);
        return;
    case PLOY_VALUE_VEC4:
        ployi_bind_push_value(bind, L, &ployi_bind_types[ployi_bind_type_quat], value->as.vec);
        return;
    case PLOY_VALUE_ID:
        ployi_bind_push_value(bind, L, &ployi_bind_types[ployi_bind_type_id], &value->as.id);
        return;
    case PLOY_VALUE_NAME:
        ployi_bind_push_value(bind, L, &ployi_bind_types[ployi_bind_type_name], &value->as.name);
        return;
    default: lua_pushnil(L); return;
    }
}

void ployi_bind_push(ployi_bind *bind, lua_State *L, const ployi_bind_item *item,
                     const void *from) {
    switch (item->kind) {
    case PLOYI_BIND_BOOL: lua_pushboolean(L, *(const bool *)from); return;
    case PLOYI_BIND_I8: lua_pushinteger(L, *(const int8_t *)from); return;
    case PLOYI_BIND_U8: lua_pushinteger(L, *(const uint8_t *)from); return;
    case PLOYI_BIND_I16: lua_pushinteger(L, *(const int16_t *)from); return;
    case PLOYI_BIND_U16: lua_pushinteger(L, *(const uint16_t *)from); return;
    case PLOYI_BIND_I32: lua_pushinteger(L, *(const int32_t *)from); return;
    case PLOYI_BIND_U32: lua_pushinteger(L, *(const uint32_t *)from); return;
    case PLOYI_BIND_I64: lua_pushinteger(L, *(const int64_t *)from); return;
    case PLOYI_BIND_U64: lua_pushinteger(L, (lua_Integer) * (const uint64_t *)from); return;
    case PLOYI_BIND_SIZE: lua_pushinteger(L, (lua_Integer) * (const size_t *)from); return;
    case PLOYI_BIND_F32: lua_pushnumber(L, (double)*(const float *)from); return;
    case PLOYI_BIND_F64: lua_pushnumber(L, *(const double *)from); return;
    case PLOYI_BIND_CHAR: lua_pushlstring(L, from, 1); return;
    case PLOYI_BIND_ENUM:
        push_enum(L, &ployi_bind_types[item->type], *(const int32_t *)from);
        return;
    case PLOYI_BIND_TEXT: {
        const char *text = *(const char *const *)from;
        if (text == NULL)
            lua_pushnil(L);
        else
            lua_pushstring(L, text);
        return;
    }
    case PLOYI_BIND_PLAIN:
        ployi_bind_push_value(bind, L, &ployi_bind_types[item->type], from);
        return;
    case PLOYI_BIND_VALUE: push_any(bind, L, from); return;
    default: lua_pushnil(L); return;
    }
}

void ployi_bind_push_array(ployi_bind *bind, lua_State *L, const ployi_bind_item *item,
                           const void *from, int64_t count) {
    const unsigned char *at = from;
    if (item->kind == PLOYI_BIND_BYTES) {
        lua_pushlstring(L, (const char *)at, (size_t)count);
        return;
    }
    if (item->kind == PLOYI_BIND_CHAR) { // text in a fixed room
        const char *end = memchr(at, 0, (size_t)count);
        lua_pushlstring(L, (const char *)at,
                        end == NULL ? (size_t)count : (size_t)(end - (const char *)at));
        return;
    }
    size_t size = ployi_bind_size(item);
    lua_createtable(L, count > INT32_MAX ? 0 : (int)count, 0);
    for (int64_t i = 0; i < count; i++) {
        ployi_bind_push(bind, L, item, at + (size_t)i * size);
        lua_rawseti(L, -2, i + 1);
    }
}

// Writes what a call changed back into the sequence or table that it was given.
void ployi_bind_write_back(ployi_bind *bind, lua_State *L, int index, const ployi_bind_item *item,
                           const void *from, int64_t count) {
    const unsigned char *at = from;
    if (lua_type(L, index) != LUA_TTABLE) return;
    index = lua_absindex(L, index);
    bool array = item->role == PLOYI_BIND_ARRAY_INOUT || item->role == PLOYI_BIND_ARRAY_OUT;
    if (array) {
        size_t size = ployi_bind_size(item);
        for (int64_t i = 0; i < count; i++) {
            ployi_bind_push(bind, L, item, at + (size_t)i * size);
            lua_rawseti(L, index, i + 1);
        }
        return;
    }
    if (item->kind != PLOYI_BIND_PLAIN && item->kind != PLOYI_BIND_LIVE) return;
    const ployi_bind_type *type = &ployi_bind_types[item->type];
    for (int32_t m = 0; m < type->member_count; m++) {
        const ployi_bind_item *member = &type->members[m];
        lua_pushstring(L, member->name);
        if (lua_rawget(L, index) != LUA_TNIL) {
            if (member->role == PLOYI_BIND_ARRAY_INOUT && member->fixed == 0 && member->link >= 0) {
                const ployi_bind_item *length = &type->members[member->link];
                int64_t n = (int64_t)lua_rawlen(L, -1); // the number of elements that was read
                const void *elements = *(const void *const *)(const void *)(at + member->offset);
                if (length->role == PLOYI_BIND_COUNT && elements != NULL)
                    ployi_bind_write_back(bind, L, -1, member, elements, n);
            } else if (member->role == PLOYI_BIND_IN && (member->flags & PLOYI_BIND_POINTER) == 0 &&
                       member->kind != PLOYI_BIND_LIVE && member->kind != PLOYI_BIND_TEXT) {
                lua_pushstring(L, member->name);
                ployi_bind_push(bind, L, member, at + member->offset);
                lua_rawset(L, index);
            }
        }
        lua_pop(L, 1);
    }
}

// What a callback's call needs inside the protected part.
typedef struct push_call {
    ployi_box *box;
    const ployi_bind_type *type;
    void **a;
    void *r;
    ployi_box *boxes[16]; // objects lent to the function, gone afterwards
    int32_t box_count;
    int32_t views; // first of the values that point into C memory
} push_call;

static void push_lend(push_call *call, lua_State *L, const ployi_bind_item *item, void *at) {
    ployi_bind *bind = call->box->bind;
    const ployi_bind_type *type = &ployi_bind_types[item->type];
    if (at == NULL) {
        lua_pushnil(L);
        return;
    }
    ployi_box *box = ployi_bind_push_box(bind, L, PLOYI_BOX_OBJECT, type, 0);
    if (call->box_count == 16) luaL_error(L, "too many objects in the parameters of a callback");
    ployi_box_use(box);
    call->boxes[call->box_count++] = box;
    box->lent = true;
    box->ptr = at;
}

static void push_returned(push_call *call, lua_State *L) {
    const ployi_bind_type *type = call->type;
    if (type->result_kind == PLOYI_BIND_VOID) return;
    ployi_bind *bind = call->box->bind;
    ployi_call reader = {.bind = bind, .L = L};
    ployi_bind_item item = {.name = "result",
                            .kind = type->result_kind,
                            .type = type->result_type,
                            .link = -1,
                            .second = -1,
                            .written = -1};
    reader.at = &item;
    bool status = type->result_kind == PLOYI_BIND_ENUM &&
                  strcmp(ployi_bind_types[type->result_type].name, "result") == 0;
    if (status && lua_isnil(L, -1)) return; // nothing returned: done
    if (type->result_kind == PLOYI_BIND_BOOL) {
        *(bool *)call->r = lua_toboolean(L, -1) != 0;
        return;
    }
    if (!ployi_bind_read(&reader, -1, &item, call->r))
        luaL_error(L, "a callback's %s", bind->message);
}

static int push_protected(lua_State *L) {
    push_call *call = lua_touserdata(L, 1);
    const ployi_bind_type *type = call->type;
    ployi_bind *bind = call->box->bind;
    luaL_checkstack(L, 2 * type->member_count + 16, "callback");
    if (ployi_bind_push_ref(L, call->box->ref) == LUA_TTABLE) { // the functions of a struct
        lua_rawgetp(L, -1, type);
        lua_remove(L, -2);
    }
    int given = 0;
    for (int32_t i = 0; i < type->member_count; i++) {
        const ployi_bind_item *item = &type->members[i];
        if (item->role == PLOYI_BIND_USER || item->role == PLOYI_BIND_COUNT) continue;
        given += 1;
        if (item->kind == PLOYI_BIND_BYTES) {
            size_t size = item->link >= 0 ? *(size_t *)call->a[item->link] : 0;
            lua_pushlstring(L, *(const char **)call->a[i], size);
        } else if ((item->flags & PLOYI_BIND_POINTER) == 0)
            ployi_bind_push(bind, L, item, call->a[i]);
        else if (item->kind == PLOYI_BIND_PLAIN && (item->flags & PLOYI_BIND_CONST) == 0) {
            void *at = *(void **)call->a[i];
            if (at == NULL)
                lua_pushnil(L);
            else {
                ployi_handle *handle = push_handle(bind, L, &ployi_bind_types[item->type], 0, 1);
                handle->ptr = at;
                lua_pushvalue(L, -1); // kept below the call, so that it can expire afterwards
                lua_insert(L, 2);
            }
        } else if (item->kind == PLOYI_BIND_OBJECT || item->kind == PLOYI_BIND_LIVE)
            push_lend(call, L, item, *(void **)call->a[i]);
        else {
            const void *at = *(const void **)call->a[i];
            if (at == NULL)
                lua_pushnil(L);
            else
                ployi_bind_push(bind, L, item, at);
        }
    }
    call->views = lua_gettop(L) - given - 2;
    int status = lua_pcall(L, given, 1, 0);
    for (int32_t i = 0; i < call->views; i++)
        ((ployi_handle *)lua_touserdata(L, 2 + i))->ptr = NULL;
    if (status != LUA_OK) return lua_error(L);
    push_returned(call, L);
    return 0;
}

void ployi_bind_callback(void *user, const ployi_bind_type *type, void **a, void *r) {
    push_call call = {.box = user, .type = type, .a = a, .r = r};
    ployi_bind *bind = call.box->bind;
    bool status = type->result_kind == PLOYI_BIND_ENUM &&
                  strcmp(ployi_bind_types[type->result_type].name, "result") == 0;
    // After the first error the library may call on; the rest of its calls do nothing.
    lua_State *L = bind->running != NULL ? bind->running : bind->main;
    if (bind->failed || bind->closing || call.box->ref == LUA_NOREF || !lua_checkstack(L, 8)) {
        if (status) *(int32_t *)r = PLOY_ERR_CALLBACK;
        return;
    }
    ployi_box_use(call.box);
    lua_pushcfunction(L, push_protected);
    lua_pushlightuserdata(L, &call);
    if (lua_pcall(L, 1, 0, 0) != LUA_OK) {
        if (bind->running ==
            NULL) { // the host called the library; there is no call of a script to fail
            ploy_env_log(&bind->host, PLOY_SEVERITY_ERROR,
                         lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1)
                                                        : "a callback failed");
            lua_pop(L, 1);
        } else {
            bind->failed = true;
            lua_rawsetp(L, LUA_REGISTRYINDEX, &bind->failed);
        }
        if (status) *(int32_t *)r = PLOY_ERR_CALLBACK;
    }
    for (int32_t i = 0; i < call.box_count; i++) {
        call.boxes[i]->ptr = NULL; // lent only
        ployi_box_unuse(call.boxes[i]);
    }
    ployi_box_unuse(call.box);
}
