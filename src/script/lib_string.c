// string and utf8. Functions that do work in proportion to their arguments charge for it; format
// prints numbers without the sign of a NaN and refuses addresses.
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "script/script_internal.h"

static size_t string_limit(lua_State *L) {
    return (size_t)ployi_script_of(L)->def.string_kb * 1024;
}

static int string_rep(lua_State *L) {
    size_t size, gap;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &gap);
    if (count <= 0 || size + gap == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    size_t limit = string_limit(L);
    if ((lua_Unsigned)count > limit || size + gap > limit / (size_t)count + gap) {
        return luaL_error(L, "resulting string too large");
    }
    size_t total = (size_t)count * size + ((size_t)count - 1) * gap;
    if (total > limit) return luaL_error(L, "resulting string too large");
    ployi_script_charge(L, 1 + (int64_t)(total / 16) + (int64_t)(count / 4));
    luaL_Buffer buffer;
    char *out = luaL_buffinitsize(L, &buffer, total);
    for (lua_Integer i = 0; i < count; i++) {
        memcpy(out, text, size);
        out += size;
        if (i + 1 < count) {
            memcpy(out, separator, gap);
            out += gap;
        }
    }
    luaL_pushresultsize(&buffer, total);
    return 1;
}

static int string_byte(lua_State *L) {
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    lua_Integer from = luaL_optinteger(L, 2, 1), end = (lua_Integer)size;
    if (from < 0) from = -from > end ? 1 : end + from + 1;
    if (from == 0) from = 1;
    lua_Integer to = luaL_optinteger(L, 3, from);
    if (to > end) to = end;
    if (to < 0) to = end + to + 1;
    if (from > to) return 0;
    if (to - from >= PLOYI_SCRIPT_RESULTS) return luaL_error(L, "string slice too long");
    int count = (int)(to - from) + 1;
    ployi_script_charge(L, count / 4);
    luaL_checkstack(L, count, "string slice too long");
    for (int i = 0; i < count; i++) lua_pushinteger(L, (unsigned char)text[from - 1 + i]);
    return count;
}

// Charges for the length of the first argument, then calls Lua's own function.
static int string_charged(lua_State *L) {
    ployi_script_charge(L,
                        1 + (int64_t)(lua_type(L, 1) == LUA_TSTRING ? lua_rawlen(L, 1) / 16 : 0));
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// ---- format

typedef struct string_spec {
    char text[16]; // with the % and the conversion
    char kind;
    bool precise; // it has a precision
    size_t length;
} string_spec;

// Reads flags, width and precision, at most two digits each. Returns the end.
static const char *string_read_spec(lua_State *L, const char *at, const char *end,
                                    string_spec *spec) {
    const char *from = at;
    memset(spec, 0, sizeof *spec);
    while (at < end && *at != 0 && strchr("-+ #0", *at) != NULL) at++;
    if (at - from > 5) luaL_error(L, "invalid format (repeated flags)");
    for (int part = 0; part < 2; part++) {
        for (int digits = 0; at < end && *at >= '0' && *at <= '9'; at++) {
            if (++digits > 2) luaL_error(L, "invalid format (width or precision too long)");
        }
        if (part == 0) {
            if (at >= end || *at != '.') break;
            spec->precise = true;
            at++;
        }
    }
    if (at >= end) luaL_error(L, "invalid conversion '%%%s' to 'format'", from);
    spec->text[0] = '%';
    spec->length = 1 + (size_t)(at - from);
    memcpy(spec->text + 1, from, (size_t)(at - from));
    spec->kind = *at;
    return at + 1;
}

static void string_add_number(luaL_Buffer *out, string_spec *spec, double number) {
    char text[512];
    if (number != number) {
        // Width, but no sign, which differs between processors, and no zeros.
        size_t width = 0;
        bool left = false;
        for (const char *at = spec->text + 1; *at != 0 && *at != '.'; at++) {
            if (*at == '-') left = true;
            if (*at >= '0' && *at <= '9') width = width * 10 + (size_t)(*at - '0');
        }
        for (size_t i = 3; !left && i < width; i++) luaL_addchar(out, ' ');
        luaL_addstring(out, spec->kind < 'a' ? "NAN" : "nan");
        for (size_t i = 3; left && i < width; i++) luaL_addchar(out, ' ');
        return;
    }
    spec->text[spec->length] = spec->kind;
    int size = snprintf(text, sizeof text, spec->text, number);
    luaL_addlstring(out, text, (size_t)size);
}

static void string_add_integer(luaL_Buffer *out, string_spec *spec, lua_Integer number) {
    char text[160];
    spec->text[spec->length] = 'l';
    spec->text[spec->length + 1] = 'l';
    spec->text[spec->length + 2] = spec->kind;
    int size = spec->kind == 'd' || spec->kind == 'i'
                   ? snprintf(text, sizeof text, spec->text, (long long)number)
                   : snprintf(text, sizeof text, spec->text, (unsigned long long)number);
    luaL_addlstring(out, text, (size_t)size);
}

static void string_add_quoted(lua_State *L, luaL_Buffer *out, int arg) {
    char text[64];
    switch (lua_type(L, arg)) {
    case LUA_TSTRING: {
        size_t size;
        const char *from = lua_tolstring(L, arg, &size);
        luaL_addchar(out, '"');
        for (size_t i = 0; i < size; i++) {
            char c = from[i];
            if (c == '"' || c == '\\' || c == '\n') {
                luaL_addchar(out, '\\');
                luaL_addchar(out, c);
            } else if ((unsigned char)c < 32 || c == 127) {
                bool digit = i + 1 < size && from[i + 1] >= '0' && from[i + 1] <= '9';
                snprintf(text, sizeof text, digit ? "\\%03d" : "\\%d", (int)(unsigned char)c);
                luaL_addstring(out, text);
            } else {
                luaL_addchar(out, c);
            }
        }
        luaL_addchar(out, '"');
        return;
    }
    case LUA_TNUMBER:
        if (lua_isinteger(L, arg)) {
            lua_Integer number = lua_tointeger(L, arg);
            snprintf(text, sizeof text, number == LUA_MININTEGER ? "0x%llx" : "%lld",
                     (long long)number);
        } else {
            double number = lua_tonumber(L, arg);
            if (number != number) {
                snprintf(text, sizeof text, "(0/0)");
            } else if (number - number != 0) {
                snprintf(text, sizeof text, number > 0 ? "1e9999" : "-1e9999");
            } else {
                snprintf(text, sizeof text, "%a", number);
            }
        }
        luaL_addstring(out, text);
        return;
    case LUA_TNIL:
    case LUA_TBOOLEAN:
        (void)ployi_script_tostring(L, arg, NULL);
        luaL_addvalue(out);
        return;
    default: luaL_argerror(L, arg, "value has no literal form");
    }
}

static void string_add_text(lua_State *L, luaL_Buffer *out, string_spec *spec, int arg) {
    size_t size;
    const char *text = ployi_script_tostring(L, arg, &size);
    ployi_script_charge(L, 1 + (int64_t)(size / 16));
    if (spec->length == 1) {
        luaL_addvalue(out);
        return;
    }
    luaL_argcheck(L, size == strlen(text), arg, "string contains zeros");
    if (!spec->precise && size >= 100) {
        luaL_addvalue(out);
        return;
    }
    char made[256];
    spec->text[spec->length] = 's';
    int made_size = snprintf(made, sizeof made, spec->text, text);
    lua_pop(L, 1);
    luaL_addlstring(out, made, (size_t)made_size);
}

static int string_format(lua_State *L) {
    size_t size;
    const char *at = luaL_checklstring(L, 1, &size), *end = at + size;
    int arg = 1, top = lua_gettop(L);
    ployi_script_charge(L, 1 + (int64_t)(size / 8));
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    while (at < end) {
        if (*at != '%') {
            luaL_addchar(&out, *at++);
            continue;
        }
        if (++at < end && *at == '%') {
            luaL_addchar(&out, *at++);
            continue;
        }
        string_spec spec;
        at = string_read_spec(L, at, end, &spec);
        if (++arg > top) return luaL_argerror(L, arg, "no value");
        switch (spec.kind) {
        case 'c': {
            char text[128];
            spec.text[spec.length] = 'c';
            int made = snprintf(text, sizeof text, spec.text, (int)luaL_checkinteger(L, arg));
            luaL_addlstring(&out, text, (size_t)made);
            break;
        }
        case 'd':
        case 'i':
        case 'o':
        case 'x':
        case 'X': string_add_integer(&out, &spec, luaL_checkinteger(L, arg)); break;
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            ployi_script_charge(L, 4);
            string_add_number(&out, &spec, luaL_checknumber(L, arg));
            break;
        case 'q':
            if (spec.length > 1) return luaL_error(L, "specifier '%%q' cannot have modifiers");
            string_add_quoted(L, &out, arg);
            break;
        case 's': string_add_text(L, &out, &spec, arg); break;
        case 'p': return luaL_error(L, "format '%%p' is not repeatable: it prints an address");
        default:
            return luaL_error(L, "invalid conversion '%s%c' to 'format'", spec.text, spec.kind);
        }
    }
    luaL_pushresult(&out);
    return 1;
}

// Wraps the named functions of the library on top of the stack.
static void string_wrap(lua_State *L, const char *const *names) {
    for (; *names != NULL; names++) {
        if (lua_getfield(L, -1, *names) == LUA_TFUNCTION) {
            lua_pushcclosure(L, string_charged, 1);
            lua_setfield(L, -2, *names);
        } else {
            lua_pop(L, 1);
        }
    }
}

void ployi_script_open_string(lua_State *L) {
    static const luaL_Reg replaced[] = {
        {"rep", string_rep},           {"byte", string_byte},
        {"format", string_format},     {"find", ployi_script_find},
        {"match", ployi_script_match}, {"gmatch", ployi_script_gmatch},
        {"gsub", ployi_script_gsub},   {NULL, NULL}};
    static const char *const charged[] = {"lower", "upper",    "reverse", "sub",
                                          "pack",  "packsize", "unpack",  NULL};
    luaL_requiref(L, "string", luaopen_string, 1);
    luaL_setfuncs(L, replaced, 0);
    string_wrap(L, charged);
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 1);
    // Scripts must not change how all strings behave.
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void ployi_script_open_utf8(lua_State *L) {
    static const char *const charged[] = {"len", "codepoint", "offset", NULL};
    luaL_requiref(L, "utf8", luaopen_utf8, 1);
    string_wrap(L, charged);
    lua_pop(L, 1);
}
