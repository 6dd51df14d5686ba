// math, over ploy/base/math.h instead of the C library, and random numbers that are a function of
// (key, agent, tick, draw number).
#include <math.h>

#include "ploy/base/math.h"
#include "script/script_internal.h"

typedef double (*math_fn)(double);

static int math_apply(lua_State *L, math_fn fn) {
    lua_pushnumber(L, fn(luaL_checknumber(L, 1)));
    return 1;
}

static int math_sin(lua_State *L) {
    return math_apply(L, ploy_sin);
}
static int math_cos(lua_State *L) {
    return math_apply(L, ploy_cos);
}
static int math_tan(lua_State *L) {
    return math_apply(L, ploy_tan);
}
static int math_asin(lua_State *L) {
    return math_apply(L, ploy_asin);
}
static int math_acos(lua_State *L) {
    return math_apply(L, ploy_acos);
}
static int math_exp(lua_State *L) {
    return math_apply(L, ploy_exp);
}
static int math_sqrt(lua_State *L) {
    return math_apply(L, sqrt);
}

static int math_atan(lua_State *L) {
    lua_pushnumber(L, ploy_atan2(luaL_checknumber(L, 1), luaL_optnumber(L, 2, 1)));
    return 1;
}

static int math_pow(lua_State *L) {
    lua_pushnumber(L, ploy_pow(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    return 1;
}

static int math_log(lua_State *L) {
    double x = luaL_checknumber(L, 1);
    if (lua_isnoneornil(L, 2)) {
        lua_pushnumber(L, ploy_log(x));
        return 1;
    }
    double base = luaL_checknumber(L, 2);
    lua_pushnumber(L, base == 2.0    ? ploy_log2(x)
                      : base == 10.0 ? ploy_log10(x)
                                     : ploy_log(x) / ploy_log(base));
    return 1;
}

// Pushes a whole number, as an integer if it fits.
static void math_push_whole(lua_State *L, double number) {
    lua_Integer whole;
    if (lua_numbertointeger(number, &whole)) {
        lua_pushinteger(L, whole);
    } else {
        lua_pushnumber(L, number);
    }
}

static int math_round(lua_State *L, math_fn fn) {
    if (lua_isinteger(L, 1)) {
        lua_settop(L, 1);
    } else {
        math_push_whole(L, fn(luaL_checknumber(L, 1)));
    }
    return 1;
}

static int math_floor(lua_State *L) {
    return math_round(L, floor);
}
static int math_ceil(lua_State *L) {
    return math_round(L, ceil);
}

static int math_abs(lua_State *L) {
    if (lua_isinteger(L, 1)) {
        lua_Integer n = lua_tointeger(L, 1);
        lua_pushinteger(L, n < 0 ? (lua_Integer)(0u - (lua_Unsigned)n) : n);
    } else {
        lua_pushnumber(L, fabs(luaL_checknumber(L, 1)));
    }
    return 1;
}

static int math_fmod(lua_State *L) {
    if (lua_isinteger(L, 1) && lua_isinteger(L, 2)) {
        lua_Integer d = lua_tointeger(L, 2);
        if ((lua_Unsigned)d + 1u <= 1u) { // 0 and -1
            luaL_argcheck(L, d != 0, 2, "zero");
            lua_pushinteger(L, 0);
        } else {
            lua_pushinteger(L, lua_tointeger(L, 1) % d);
        }
    } else {
        lua_pushnumber(L, fmod(luaL_checknumber(L, 1), luaL_checknumber(L, 2)));
    }
    return 1;
}

static int math_modf(lua_State *L) {
    if (lua_isinteger(L, 1)) {
        lua_settop(L, 1);
        lua_pushnumber(L, 0);
        return 2;
    }
    double x = luaL_checknumber(L, 1);
    double whole = x < 0 ? ceil(x) : floor(x);
    lua_pushnumber(L, whole);
    lua_pushnumber(L, x == whole ? 0.0 : x - whole);
    return 2;
}

static int math_tointeger(lua_State *L) {
    int whole;
    lua_Integer n = lua_tointegerx(L, 1, &whole);
    if (whole) {
        lua_pushinteger(L, n);
    } else {
        luaL_checkany(L, 1);
        lua_pushnil(L);
    }
    return 1;
}

static int math_ult(lua_State *L) {
    lua_pushboolean(L,
                    (lua_Unsigned)luaL_checkinteger(L, 1) < (lua_Unsigned)luaL_checkinteger(L, 2));
    return 1;
}

static int math_extreme(lua_State *L, bool max) {
    int count = lua_gettop(L), best = 1;
    luaL_checknumber(L, 1);
    ployi_script_charge(L, count / 8);
    for (int i = 2; i <= count; i++) {
        luaL_checknumber(L, i);
        if (max ? lua_compare(L, best, i, LUA_OPLT) : lua_compare(L, i, best, LUA_OPLT)) best = i;
    }
    lua_pushvalue(L, best);
    return 1;
}

static int math_min(lua_State *L) {
    return math_extreme(L, false);
}
static int math_max(lua_State *L) {
    return math_extreme(L, true);
}

static int math_type(lua_State *L) {
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_pushstring(L, lua_isinteger(L, 1) ? "integer" : "float");
    } else {
        luaL_checkany(L, 1);
        lua_pushnil(L);
    }
    return 1;
}

static uint64_t math_draw(ploy_lua *lua) {
    return ploy_rng_u64_at(lua->key, lua->agent.id.index, lua->tick, lua->draw++);
}

static int math_random(lua_State *L) {
    ploy_lua *lua = ployi_script_of(L);
    lua_Integer low = 1, high;
    ployi_script_charge(L, 4);
    switch (lua_gettop(L)) {
    case 0: lua_pushnumber(L, (double)(math_draw(lua) >> 11) * 0x1p-53); return 1;
    case 1:
        high = luaL_checkinteger(L, 1);
        if (high == 0) {
            lua_pushinteger(L, (lua_Integer)math_draw(lua));
            return 1;
        }
        break;
    case 2:
        low = luaL_checkinteger(L, 1);
        high = luaL_checkinteger(L, 2);
        break;
    default: return luaL_error(L, "math.random: expected at most 2 arguments");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
    uint64_t span = (uint64_t)high - (uint64_t)low;
    if (span == UINT64_MAX) {
        lua_pushinteger(L, (lua_Integer)math_draw(lua));
        return 1;
    }
    span++;
    // Draws above the largest multiple of the span would favour some results.
    uint64_t over = (UINT64_MAX % span + 1) % span;
    uint64_t draw;
    do {
        draw = math_draw(lua);
    } while (over != 0 && draw > UINT64_MAX - over);
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + draw % span));
    return 1;
}

static int math_randomseed(lua_State *L) {
    return luaL_error(L, "math.randomseed: random numbers follow from the seed of the simulation");
}

void ployi_script_open_math(lua_State *L) {
    static const luaL_Reg functions[] = {{"abs", math_abs},
                                         {"acos", math_acos},
                                         {"asin", math_asin},
                                         {"atan", math_atan},
                                         {"ceil", math_ceil},
                                         {"cos", math_cos},
                                         {"exp", math_exp},
                                         {"floor", math_floor},
                                         {"fmod", math_fmod},
                                         {"log", math_log},
                                         {"max", math_max},
                                         {"min", math_min},
                                         {"modf", math_modf},
                                         {"pow", math_pow},
                                         {"random", math_random},
                                         {"sin", math_sin},
                                         {"sqrt", math_sqrt},
                                         {"tan", math_tan},
                                         {"tointeger", math_tointeger},
                                         {"type", math_type},
                                         {"ult", math_ult},
                                         {"randomseed", math_randomseed},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_pushnumber(L, PLOY_PI);
    lua_setfield(L, -2, "pi");
    lua_pushnumber(L, HUGE_VAL);
    lua_setfield(L, -2, "huge");
    lua_pushinteger(L, LUA_MAXINTEGER);
    lua_setfield(L, -2, "maxinteger");
    lua_pushinteger(L, LUA_MININTEGER);
    lua_setfield(L, -2, "mininteger");
    lua_setglobal(L, "math");
}
