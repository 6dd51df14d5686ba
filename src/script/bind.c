// The bindings of one Lua state: modules on request, and the metatables of objects, structs and values.
//
// A module's table is filled as names are used: a script that uses ten functions pays for ten closures, not for
// all of `decide`.
#include <stdio.h>
#include <string.h>

#include "ploy/base/number.h"
#include "script/bind_internal.h"

static const char bind_key = 0;
static const char bind_refs = 0;

static void bind_log(void *user, ploy_severity severity, const char *text) {
    ployi_bind *bind = user;
    if (severity == PLOY_SEVERITY_ERROR && bind->log[0] == 0)
        (void)snprintf(bind->log, sizeof bind->log, "%s", text);
    ploy_env_log(&bind->host, severity, text);
}

static void *bind_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ployi_bind *bind = user;
    ployi_bind_block *block = ptr == NULL ? NULL : (ployi_bind_block *)ptr - 1;
    if (new_size > SIZE_MAX / 2) return NULL;
    ployi_bind_block *previous = block == NULL ? NULL : block->previous;
    ployi_bind_block *next = block == NULL ? bind->blocks : block->next;
    size_t before = block == NULL ? 0 : old_size + sizeof *block;
    if (new_size == 0) {
        if (block == NULL) return NULL;
        ploy_env_free(&bind->host, block, before);
        block = NULL;
    } else {
        block = ploy_env_resize(&bind->host, block, before, new_size + sizeof *block);
        if (block == NULL) return NULL;
        *block = (ployi_bind_block){previous, next, new_size, 0};
    }
    ployi_bind_block *here = block != NULL ? block : next;
    if (previous != NULL)
        previous->next = here;
    else
        bind->blocks = here;
    if (next != NULL) next->previous = block != NULL ? block : previous;
    return block == NULL ? NULL : block + 1;
}

ployi_bind *ployi_bind_of(lua_State *L) {
    ployi_bind **held = lua_rawgetp(L, LUA_REGISTRYINDEX, &bind_key) == LUA_TUSERDATA
                            ? lua_touserdata(L, -1)
                            : NULL;
    lua_pop(L, 1);
    return held == NULL ? NULL : *held;
}

static int bind_close(lua_State *L) {
    ployi_bind **held = lua_touserdata(L, 1);
    ployi_bind *bind = *held;
    if (bind == NULL) return 0;
    *held = NULL;
    bind->main = L;
    ployi_box_close(bind);
    ploy_diags_destroy(bind->diags);
    while (bind->blocks != NULL) (void)bind_resize(bind, bind->blocks + 1, bind->blocks->size, 0);
    ploy_env env = bind->host;
    ploy_env_free(&env, bind, sizeof *bind);
    return 0;
}

ploy_result ployi_bind_open(lua_State *L, const ploy_env *env, ployi_bind **out) {
    *out = ployi_bind_of(L);
    if (*out != NULL) return PLOY_OK;
    ployi_bind **held = lua_newuserdatauv(L, sizeof *held, 0);
    *held = NULL;
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, bind_close);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    ployi_bind *bind = ploy_env_alloc_zero(env, sizeof *bind);
    if (bind == NULL) return lua_pop(L, 1), PLOY_ERR_MEMORY;
    if (ploy_diags_create(16, env, &bind->diags) != PLOY_OK) {
        ploy_env_free(env, bind, sizeof *bind);
        return lua_pop(L, 1), PLOY_ERR_MEMORY;
    }
    bind->host = *env;
    bind->env = *env;
    bind->env.allocator = (ploy_allocator){bind_resize, bind};
    bind->env.log = bind_log;
    bind->env.log_user = bind;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    bind->main = lua_tothread(L, -1);
    lua_pop(L, 1);
    *held = bind;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &bind_key);
    lua_createtable(L, 0, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &bind_refs);
    lua_pushboolean(L,
                    false); // the place of a callback's error, so that storing one needs no memory
    lua_rawsetp(L, LUA_REGISTRYINDEX, &bind->failed);
    *out = bind;
    return PLOY_OK;
}

int ployi_bind_ref(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bind_refs);
    lua_insert(L, -2);
    int ref = luaL_ref(L, -2);
    lua_pop(L, 1);
    return ref;
}

int ployi_bind_push_ref(lua_State *L, int ref) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bind_refs);
    int type = lua_rawgeti(L, -1, ref);
    lua_remove(L, -2);
    return type;
}

void ployi_bind_unref(lua_State *L, int ref) {
    if (!lua_checkstack(L, 2)) return; // kept until the state closes
    lua_rawgetp(L, LUA_REGISTRYINDEX, &bind_refs);
    luaL_unref(L, -1, ref);
    lua_pop(L, 1);
}

static int bind_compare(const char *name, const ployi_bind_function *fn) {
    return strcmp(name, fn->name);
}

const ployi_bind_function *ployi_bind_find(const char *module, const char *name) {
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        const ployi_bind_module *at = ployi_bind_modules[m];
        if (strcmp(at->name, module) != 0) continue;
        int32_t low = 0;
        int32_t high = at->count;
        while (low < high) {
            int32_t mid = low + (high - low) / 2;
            int order = bind_compare(name, &at->functions[mid]);
            if (order == 0) return &at->functions[mid];
            if (order < 0)
                high = mid;
            else
                low = mid + 1;
        }
    }
    return NULL;
}

static void bind_push_function(ployi_bind *bind, lua_State *L, const ployi_bind_function *fn) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)fn);
    lua_pushlightuserdata(L, bind);
    lua_pushcclosure(L, ployi_bind_call, 2);
}

// vec2(1, 2), vec2{x = 1} or vec2(): a new value.
static int bind_construct(lua_State *L) {
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    int given = lua_gettop(L);
    if (given > type->member_count)
        return luaL_error(L, "%s: too many arguments; expected %d", type->name,
                          (int)type->member_count);
    ployi_bind_item item = {.name = type->name,
                            .kind = PLOYI_BIND_PLAIN,
                            .type = (uint16_t)(type - ployi_bind_types),
                            .link = -1,
                            .second = -1,
                            .written = -1};
    ployi_call call = {.bind = bind, .L = L, .at = &item};
    bool whole = given == 1 && (lua_istable(L, 1) || ployi_bind_handle(L, 1) != NULL);
    bool read = true;
    union {
        max_align_t align;
        unsigned char bytes[64];
    } own; // a vector, id or name becomes an object of the host
    bool small = bind->push != NULL && type->size <= sizeof own;
    memset(&own, 0, sizeof own);
    void *made = small ? own.bytes : ployi_bind_push_value(bind, L, type, NULL);
    if (type->initial != NULL) type->initial(made);
    if (whole)
        read = ployi_bind_read(&call, 1, &item, made);
    else {
        for (int i = 0; i < given && read; i++) {
            const ployi_bind_item *member = &type->members[i];
            call.at = member;
            if (member->fixed > 0)
                read =
                    ployi_bind_fail(&call, "is an array; give the members as a table%s%s", "", "");
            else
                read =
                    ployi_bind_read(&call, i + 1, member, (unsigned char *)made + member->offset);
        }
    }
    if (call.root != NULL) ployi_box_forget(call.root);
    if (!read) return luaL_error(L, "%s: %s", type->name, bind->message);
    if (small) (void)ployi_bind_push_value(bind, L, type, own.bytes);
    return 1;
}

static int bind_module_index(lua_State *L) {
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    const ployi_bind_module *module = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *name = lua_tostring(L, 2);
    const ployi_bind_function *fn = ployi_bind_find(module->name, name);
    if (fn != NULL)
        bind_push_function(bind, L, fn);
    else {
        const ployi_bind_type *type = NULL;
        for (int32_t i = 0; i < ployi_bind_type_count && type == NULL; i++) {
            if (ployi_bind_types[i].kind == PLOYI_BIND_PLAIN &&
                strcmp(ployi_bind_types[i].name, name) == 0)
                type = &ployi_bind_types[i];
        }
        if (type == NULL) {
            ploy_nearest nearest = ploy_nearest_make(name);
            for (int32_t i = 0; i < module->count; i++)
                ploy_nearest_offer(&nearest, module->functions[i].name);
            if (nearest.best != NULL)
                return luaL_error(L, "unknown function '%s' in module %s (did you mean '%s'?)",
                                  name, module->name, nearest.best);
            return luaL_error(L, "unknown function '%s' in module %s", name, module->name);
        }
        lua_pushlightuserdata(L, (void *)(uintptr_t)type);
        lua_pushlightuserdata(L, bind);
        lua_pushcclosure(L, bind_construct, 2);
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

ploy_result ployi_bind_register(ployi_bind *bind, lua_State *L, const char *name) {
    const ployi_bind_module *module = NULL;
    int32_t number = 0;
    for (int32_t m = 0; m < ployi_bind_module_count; m++) {
        if (strcmp(ployi_bind_modules[m]->name, name) == 0) module = ployi_bind_modules[number = m];
    }
    if (module == NULL) return PLOY_ERR_NOT_FOUND;
    bind->modules |= UINT32_C(1) << number;
    lua_createtable(L, 0, 16);
    lua_createtable(L, 0, 2);
    lua_pushlightuserdata(L, (void *)(uintptr_t)module);
    lua_pushlightuserdata(L, bind);
    lua_pushcclosure(L, bind_module_index, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    return PLOY_OK;
}

static int bind_method_index(lua_State *L) {
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    const char *name = lua_tostring(L, 2);
    uint16_t number = (uint16_t)(type - ployi_bind_types);
    ploy_nearest nearest = ploy_nearest_make(name);
    // A method of the type itself comes before a function that only takes it first.
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t m = 0; m < ployi_bind_module_count; m++) {
            if ((bind->modules >> m & 1) == 0) continue;
            const ployi_bind_module *module = ployi_bind_modules[m];
            for (int32_t i = 0; i < module->count; i++) {
                const ployi_bind_function *fn = &module->functions[i];
                if ((fn->flags & PLOYI_BIND_SELF) == 0 || fn->self != number) continue;
                const char *called = pass == 0 ? fn->method : fn->name;
                if (called == NULL) continue;
                if (strcmp(called, name) != 0) {
                    ploy_nearest_offer(&nearest, called);
                    continue;
                }
                bind_push_function(bind, L, fn);
                lua_pushvalue(L, 2);
                lua_pushvalue(L, -2);
                lua_rawset(L, 1);
                return 1;
            }
        }
    }
    if (type->kind != PLOYI_BIND_OBJECT) return 0; // the caller looks further
    if (nearest.best != NULL)
        return luaL_error(L, "unknown method '%s' of a %s (did you mean '%s'?)", name, type->name,
                          nearest.best);
    return luaL_error(L, "unknown method '%s' of a %s", name, type->name);
}

// The bytes of a value or struct; raises an error for one that is no longer valid.
static unsigned char *bind_bytes(lua_State *L, int index, const ployi_bind_type *type) {
    const ployi_handle *handle = ployi_bind_handle(L, index);
    if (handle == NULL || handle->type != type)
        luaL_error(L, "expected a %s, found %s", type->name, luaL_typename(L, index));
    if (handle->box != NULL) {
        const char *fault = ployi_box_state(handle->box);
        if (fault != NULL) luaL_error(L, "the %s %s", type->name, fault);
        return handle->box->ptr;
    }
    bool lent = false;
    unsigned char *place = ployi_bind_place(L, index, &lent);
    if (place == NULL) luaL_error(L, "the %s was valid only in its callback", type->name);
    return place;
}

static const ployi_bind_item *bind_member(lua_State *L, const ployi_bind_type *type, int key) {
    if (lua_type(L, key) != LUA_TSTRING) return NULL;
    const char *name = lua_tostring(L, key);
    for (int32_t m = 0; m < type->member_count; m++) {
        if (strcmp(type->members[m].name, name) == 0) return &type->members[m];
    }
    return NULL;
}

static int bind_value_index(lua_State *L) {
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    unsigned char *bytes = bind_bytes(L, 1, type);
    const ployi_bind_item *item = bind_member(L, type, 2);
    if (item == NULL) {
        lua_pushvalue(L, 2);
        lua_gettable(L, lua_upvalueindex(3));
        if (!lua_isnil(L, -1)) return 1;
        if (lua_getiuservalue(L, 1, 1) ==
            LUA_TUSERDATA) { // the methods of the object that an id belongs to
            const ployi_handle *owner = ployi_bind_handle(L, -1);
            if (owner != NULL && owner->type->kind == PLOYI_BIND_OBJECT) {
                lua_pushvalue(L, 2);
                lua_gettable(L, -2);
                return 1;
            }
        }
        return luaL_error(L, "unknown member '%s' of a %s",
                          lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2),
                          type->name);
    }
    bool array = item->role >= PLOYI_BIND_ARRAY_IN && item->role <= PLOYI_BIND_ARRAY_INOUT;
    const unsigned char *at = bytes + item->offset;
    if (array && item->fixed > 0)
        ployi_bind_push_array(bind, L, item, at, item->fixed);
    else if (array && item->link >= 0 && item->kind != PLOYI_BIND_OBJECT &&
             item->kind != PLOYI_BIND_LIVE) {
        const ployi_bind_item *count = &type->members[item->link];
        ployi_bind_push(bind, L, count, bytes + count->offset);
        int64_t n = lua_tointeger(L, -1);
        if (n >= 0 && n <= INT32_MAX) n = ployi_bind_elements(item, n);
        const void *elements = *(const void *const *)(const void *)at;
        bool strided = false;
        for (int32_t m = 0; m < type->member_count; m++)
            strided = strided || type->members[m].role == PLOYI_BIND_STRIDE;
        if (elements == NULL || n < 0 || n > INT32_MAX || strided)
            lua_pushnil(L);
        else
            ployi_bind_push_array(bind, L, item, elements, n);
    } else if (array || (item->flags & PLOYI_BIND_POINTER) != 0 || item->role == PLOYI_BIND_CALL ||
               item->role == PLOYI_BIND_USER || item->role == PLOYI_BIND_UNUSED)
        lua_pushnil(L);
    else if (item->kind == PLOYI_BIND_PLAIN && type->kind == PLOYI_BIND_PLAIN)
        ployi_bind_push_view(bind, L, &ployi_bind_types[item->type], bytes + item->offset, 1);
    else
        ployi_bind_push(bind, L, item, at);
    return 1;
}

// The library may have kept the address of the value, so what it trusts holds after each change, not only at a call.
static bool bind_allowed(ployi_call *call, const ployi_bind_type *type, const unsigned char *bytes,
                         const void *member, size_t size) {
    unsigned char *changed = ployi_bind_memory(call, type->size);
    if (changed == NULL) return false;
    memcpy(changed, bytes, type->size);
    memcpy(changed + call->at->offset, member, size);
    const char *refused = type->check(changed);
    return refused == NULL || ployi_bind_fail(call, "makes '%s' leave its range%s", refused, "");
}

static int bind_value_newindex(lua_State *L) {
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    unsigned char *bytes = bind_bytes(L, 1, type);
    const ployi_bind_item *item = bind_member(L, type, 2);
    if (item == NULL) {
        const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t m = 0; m < type->member_count; m++)
            ploy_nearest_offer(&nearest, type->members[m].name);
        if (nearest.best != NULL)
            return luaL_error(L, "unknown member '%s' of a %s (did you mean '%s'?)", name,
                              type->name, nearest.best);
        return luaL_error(L, "unknown member '%s' of a %s", name, type->name);
    }
    ployi_call call = {.bind = bind, .L = L, .at = item};
    bool read = false;
    size_t one = ployi_bind_size(item);
    size_t size = (item->fixed > 0 ? item->fixed : 1) * one;
    unsigned char *room = ployi_bind_memory(&call, size); // unchanged if the value is refused
    if (room != NULL && item->fixed > 0) {
        void *elements = NULL;
        int64_t count = 0;
        read = ployi_bind_read_array(&call, 3, item, &elements, &count);
        bool text = item->kind == PLOYI_BIND_CHAR;
        if (read && count + (text ? 1 : 0) > (int64_t)item->fixed)
            read = ployi_bind_fail(&call, "has too many elements%s%s", "", "");
        memset(room, 0, size);
        if (read && count > 0) memcpy(room, elements, (size_t)count * one);
    } else if (room != NULL)
        read = ployi_bind_read(&call, 3, item, room);
    if (read && type->check != NULL) read = bind_allowed(&call, type, bytes, room, size);
    if (read) memcpy(bytes + item->offset, room, size);
    if (call.root != NULL) ployi_box_forget(call.root);
    return read ? 0 : luaL_error(L, "%s: %s", type->name, bind->message);
}

static bool bind_same(const ployi_bind_type *type, const unsigned char *a, const unsigned char *b) {
    for (int32_t m = 0; m < type->member_count; m++) { // by member: padding is not part of a value
        const ployi_bind_item *item = &type->members[m];
        size_t count = item->fixed > 0 ? item->fixed : 1;
        for (size_t i = 0; i < count; i++) {
            const unsigned char *x = a + item->offset + i * ployi_bind_size(item);
            const unsigned char *y = b + item->offset + i * ployi_bind_size(item);
            if (item->kind == PLOYI_BIND_PLAIN ? !bind_same(&ployi_bind_types[item->type], x, y)
                                               : memcmp(x, y, ployi_bind_size(item)) != 0)
                return false;
        }
    }
    return true;
}

static int bind_equal(lua_State *L) {
    const ployi_handle *a = ployi_bind_handle(L, 1);
    const ployi_handle *b = ployi_bind_handle(L, 2);
    bool same = false;
    if (a != NULL && b != NULL && a->type == b->type) {
        if (a->box != NULL && b->box != NULL)
            same = a->box == b->box || (a->box->ptr != NULL && a->box->ptr == b->box->ptr);
        else if (a->box == NULL && b->box == NULL) {
            bool lent = false;
            const unsigned char *x = ployi_bind_place(L, 1, &lent);
            const unsigned char *y = ployi_bind_place(L, 2, &lent);
            same = x != NULL && y != NULL && bind_same(a->type, x, y);
        }
    }
    lua_pushboolean(L, same);
    return 1;
}

static int bind_gc(lua_State *L) {
    ployi_handle *handle = ployi_bind_handle(L, 1);
    if (handle == NULL) return 0;
    ployi_box *box = handle->box;
    handle->magic = 0;
    handle->box = NULL;
    handle->ptr = NULL;
    if (box != NULL && ployi_bind_of(L) == box->bind) ployi_box_forget(box);
    return 0;
}

static void bind_print(luaL_Buffer *to, const ployi_bind_type *type, const unsigned char *bytes) {
    luaL_addstring(to, type->name);
    luaL_addchar(to, '(');
    for (int32_t m = 0; m < type->member_count; m++) {
        const ployi_bind_item *item = &type->members[m];
        const unsigned char *at = bytes + item->offset;
        char text[64] = "...";
        if (m > 0) luaL_addstring(to, ", ");
        if (item->kind == PLOYI_BIND_PLAIN && item->fixed == 0) {
            bind_print(to, &ployi_bind_types[item->type], at);
            continue;
        }
        if (item->fixed == 0) {
            switch (item->kind) {
            case PLOYI_BIND_F32:
                (void)ploy_print_f32(*(const float *)(const void *)at, text);
                break;
            case PLOYI_BIND_F64:
                (void)ploy_print_f64(*(const double *)(const void *)at, text);
                break;
            case PLOYI_BIND_BOOL:
                (void)snprintf(text, sizeof text, "%s", *(const bool *)at ? "true" : "false");
                break;
            case PLOYI_BIND_U8: (void)snprintf(text, sizeof text, "%d", *at); break;
            case PLOYI_BIND_I32:
            case PLOYI_BIND_ENUM:
                (void)snprintf(text, sizeof text, "%d", *(const int32_t *)(const void *)at);
                break;
            case PLOYI_BIND_U32:
                (void)snprintf(text, sizeof text, "%u", *(const uint32_t *)(const void *)at);
                break;
            case PLOYI_BIND_I64:
                (void)snprintf(text, sizeof text, "%lld",
                               (long long)*(const int64_t *)(const void *)at);
                break;
            case PLOYI_BIND_U64:
                (void)snprintf(text, sizeof text, "%llu",
                               (unsigned long long)*(const uint64_t *)(const void *)at);
                break;
            default: break;
            }
        }
        luaL_addstring(to, text);
    }
    luaL_addchar(to, ')');
}

// No address: it differs between runs.
static int bind_tostring(lua_State *L) {
    const ployi_handle *handle = ployi_bind_handle(L, 1);
    if (handle == NULL) return luaL_error(L, "expected an object");
    bool lent = false;
    const unsigned char *bytes = ployi_bind_place(L, 1, &lent);
    if (bytes == NULL) {
        lua_pushstring(L, handle->type->name);
        return 1;
    }
    luaL_Buffer buffer;
    luaL_buffinit(L, &buffer);
    bind_print(&buffer, handle->type, bytes);
    luaL_pushresult(&buffer);
    return 1;
}

static int bind_operate(lua_State *L, char operation) {
    const ployi_bind_type *type = lua_touserdata(L, lua_upvalueindex(1));
    ployi_bind *bind = lua_touserdata(L, lua_upvalueindex(2));
    size_t count = type->size / sizeof(float);
    bool scale = operation == '*' || operation == '/';
    int vector = scale && lua_type(L, 1) == LUA_TNUMBER ? 2 : 1;
    if (scale && operation == '/' && vector == 2)
        return luaL_error(L, "cannot divide a number by a %s", type->name);
    const float *a = (const float *)(const void *)bind_bytes(L, vector, type);
    const float *b = a;
    float factor = 0;
    if (scale) {
        if (lua_type(L, 3 - vector) != LUA_TNUMBER)
            return luaL_error(L, "a %s can be multiplied only with a number", type->name);
        factor = (float)lua_tonumber(L, 3 - vector);
    } else if (operation != '~')
        b = (const float *)(const void *)bind_bytes(L, 2, type);
    float *to = ployi_bind_push_value(bind, L, type, NULL);
    for (size_t i = 0; i < count; i++) {
        to[i] = operation == '+'   ? a[i] + b[i]
                : operation == '-' ? a[i] - b[i]
                : operation == '*' ? a[i] * factor
                : operation == '/' ? a[i] / factor
                                   : -a[i];
    }
    return 1;
}

static int bind_add(lua_State *L) {
    return bind_operate(L, '+');
}
static int bind_subtract(lua_State *L) {
    return bind_operate(L, '-');
}
static int bind_multiply(lua_State *L) {
    return bind_operate(L, '*');
}
static int bind_divide(lua_State *L) {
    return bind_operate(L, '/');
}
static int bind_negate(lua_State *L) {
    return bind_operate(L, '~');
}

static void bind_set(ployi_bind *bind, lua_State *L, const ployi_bind_type *type, const char *name,
                     lua_CFunction fn, bool methods) {
    lua_pushlightuserdata(L, (void *)(uintptr_t)type);
    lua_pushlightuserdata(L, bind);
    if (methods) lua_pushvalue(L, -4); // the methods are below the metatable
    lua_pushcclosure(L, fn, methods ? 3 : 2);
    lua_setfield(L, -2, name);
}

void ployi_bind_push_metatable(ployi_bind *bind, lua_State *L, const ployi_bind_type *type) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, type) == LUA_TTABLE) return;
    lua_pop(L, 1);
    luaL_checkstack(L, 8, "metatable");
    lua_createtable(L, 0, 8); // methods
    lua_createtable(L, 0, 1);
    bind_set(bind, L, type, "__index", bind_method_index, false);
    lua_setmetatable(L, -2);
    lua_createtable(L, 0, 12);
    lua_pushstring(L, type->name);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    bind_set(bind, L, type, "__tostring", bind_tostring, false);
    bind_set(bind, L, type, "__eq", bind_equal, false);
    if (type->kind == PLOYI_BIND_OBJECT) {
        lua_pushvalue(L, -2);
        lua_setfield(L, -2, "__index");
    } else
        bind_set(bind, L, type, "__index", bind_value_index, true);
    if (type->kind == PLOYI_BIND_PLAIN)
        bind_set(bind, L, type, "__newindex", bind_value_newindex, false);
    else {
        bind_set(bind, L, type, "__gc", bind_gc, false);
    }
    if ((type->flags & PLOYI_BIND_VECTOR) != 0) {
        bind_set(bind, L, type, "__add", bind_add, false);
        bind_set(bind, L, type, "__sub", bind_subtract, false);
        bind_set(bind, L, type, "__mul", bind_multiply, false);
        bind_set(bind, L, type, "__div", bind_divide, false);
        bind_set(bind, L, type, "__unm", bind_negate, false);
    }
    lua_remove(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, type);
}
