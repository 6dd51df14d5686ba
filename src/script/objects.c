// Vectors, ids and names as objects of a script: immutable, compared by value, vectors with
// operators.
#include <math.h>
#include <string.h>

#include "script/script_internal.h"

static int32_t objects_width(const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_VEC2: return 2;
    case PLOY_VALUE_VEC3: return 3;
    case PLOY_VALUE_VEC4: return 4;
    default: return 0;
    }
}

static const ploy_value *objects_check(lua_State *L, int index) {
    const ploy_value *value = ployi_script_object(L, index);
    if (value == NULL || objects_width(value) == 0) luaL_typeerror(L, index, "vector");
    return value;
}

static int objects_make(lua_State *L, ploy_value_type type, int32_t width) {
    ploy_value value = ploy_value_none();
    value.type = type;
    for (int32_t i = 0; i < width; i++) value.as.vec[i] = (float)luaL_checknumber(L, i + 1);
    ployi_script_push(L, &value);
    return 1;
}

static int objects_vec2(lua_State *L) {
    return objects_make(L, PLOY_VALUE_VEC2, 2);
}

static int objects_vec3(lua_State *L) {
    return objects_make(L, PLOY_VALUE_VEC3, 3);
}

static int objects_sum(lua_State *L, float sign) {
    const ploy_value *a = objects_check(L, 1), *b = objects_check(L, 2);
    if (a->type != b->type) {
        return luaL_error(L, "expected two vectors of one size, found %s and %s",
                          ploy_value_type_text(a->type), ploy_value_type_text(b->type));
    }
    ploy_value sum = *a;
    for (int32_t i = 0; i < objects_width(a); i++) sum.as.vec[i] += sign * b->as.vec[i];
    ployi_script_push(L, &sum);
    return 1;
}

static int objects_add(lua_State *L) {
    return objects_sum(L, 1.0f);
}

static int objects_sub(lua_State *L) {
    return objects_sum(L, -1.0f);
}

static int objects_scale(lua_State *L, const ploy_value *vector, float by) {
    ploy_value scaled = *vector;
    for (int32_t i = 0; i < objects_width(vector); i++) scaled.as.vec[i] *= by;
    ployi_script_push(L, &scaled);
    return 1;
}

static int objects_mul(lua_State *L) {
    if (lua_type(L, 1) == LUA_TNUMBER) {
        return objects_scale(L, objects_check(L, 2), (float)lua_tonumber(L, 1));
    }
    return objects_scale(L, objects_check(L, 1), (float)luaL_checknumber(L, 2));
}

static int objects_div(lua_State *L) {
    ploy_value divided = *objects_check(L, 1);
    float by = (float)luaL_checknumber(L, 2);
    for (int32_t i = 0; i < objects_width(&divided); i++) divided.as.vec[i] /= by;
    ployi_script_push(L, &divided);
    return 1;
}

static int objects_unm(lua_State *L) {
    return objects_scale(L, objects_check(L, 1), -1.0f);
}

static int objects_eq(lua_State *L) {
    const ploy_value *a = ployi_script_object(L, 1), *b = ployi_script_object(L, 2);
    bool equal = a != NULL && b != NULL && a->type == b->type;
    if (equal && objects_width(a) > 0) {
        for (int32_t i = 0; i < objects_width(a); i++) {
            equal = equal && a->as.vec[i] == b->as.vec[i];
        }
    } else if (equal) {
        equal = ploy_value_equal(a, b);
    }
    lua_pushboolean(L, equal);
    return 1;
}

static int objects_tostring(lua_State *L) {
    const ploy_value *value = ployi_script_object(L, 1);
    char text[160];
    if (value == NULL) return luaL_typeerror(L, 1, "object");
    (void)ploy_value_print(value, text, sizeof text);
    lua_pushstring(L, text);
    return 1;
}

// v:length(), v:dot(w).
static int objects_length(lua_State *L) {
    const ploy_value *v = objects_check(L, 1);
    float sum = 0;
    for (int32_t i = 0; i < objects_width(v); i++) sum += v->as.vec[i] * v->as.vec[i];
    lua_pushnumber(L, (lua_Number)sqrtf(sum));
    return 1;
}

static int objects_dot(lua_State *L) {
    const ploy_value *a = objects_check(L, 1), *b = objects_check(L, 2);
    float sum = 0;
    luaL_argcheck(L, a->type == b->type, 2, "expected a vector of the same size");
    for (int32_t i = 0; i < objects_width(a); i++) sum += a->as.vec[i] * b->as.vec[i];
    lua_pushnumber(L, (lua_Number)sum);
    return 1;
}

// x, y, z (of a vec4: w, x, y, z), index, generation, or a method.
static int objects_index(lua_State *L) {
    const ploy_value *value = ployi_script_object(L, 1);
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (value == NULL) return luaL_typeerror(L, 1, "object");
    int32_t width = objects_width(value);
    if (width > 0 && key[0] != 0 && key[1] == 0) {
        const char *letters = width == 4 ? "wxyz" : "xyz";
        const char *at = strchr(letters, key[0]);
        if (at != NULL && at - letters < width) {
            lua_pushnumber(L, (lua_Number)value->as.vec[at - letters]);
            return 1;
        }
    }
    if (value->type == PLOY_VALUE_ID && strcmp(key, "index") == 0) {
        lua_pushinteger(L, value->as.id.index);
        return 1;
    }
    if (value->type == PLOY_VALUE_ID && strcmp(key, "generation") == 0) {
        lua_pushinteger(L, value->as.id.generation);
        return 1;
    }
    if (width > 0) {
        lua_pushvalue(L, 2);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    }
    return luaL_error(L, "a %s has no member '%s'", ploy_value_type_text(value->type), key);
}

void ployi_script_open_objects(lua_State *L) {
    static const luaL_Reg meta[] = {{"__add", objects_add},           {"__sub", objects_sub},
                                    {"__mul", objects_mul},           {"__div", objects_div},
                                    {"__unm", objects_unm},           {"__eq", objects_eq},
                                    {"__tostring", objects_tostring}, {NULL, NULL}};
    static const luaL_Reg methods[] = {
        {"length", objects_length}, {"dot", objects_dot}, {NULL, NULL}};
    luaL_newlib(L, meta);
    luaL_newlib(L, methods);
    lua_pushcclosure(L, objects_index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, LUA_REGISTRYINDEX, PLOYI_SCRIPT_VALUE_META);
    lua_register(L, "vec2", objects_vec2);
    lua_register(L, "vec3", objects_vec3);
}
