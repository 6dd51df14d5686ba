// Lua's patterns, with every step charged: find, match, gmatch, gsub.
//
// The syntax and its meaning are those of the reference manual of Lua 5.4, section 6.4.1. A pattern
// such as "(.-)*x" can take exponential time, so the matcher counts each comparison of a character
// and each item of the pattern, and charges one unit for PATTERN_STEPS of them.
#include <string.h>

#include "script/script_internal.h"

enum {
    PATTERN_CAPTURES = 32,
    PATTERN_DEPTH = 200,
    PATTERN_STEPS = 4,
    PATTERN_OPEN = -1,    // a capture whose end is not found yet
    PATTERN_POSITION = -2 // "()"
};

typedef unsigned char pattern_char;

typedef struct pattern_state {
    lua_State *L;
    const pattern_char *text, *text_end, *pattern_end;
    int count, depth;
    int64_t steps;
    struct {
        const pattern_char *from;
        ptrdiff_t size;
    } captures[PATTERN_CAPTURES];
} pattern_state;

static void pattern_count(pattern_state *m, int64_t steps) {
    m->steps += steps;
    if (m->steps >= 64 * PATTERN_STEPS) {
        ployi_script_charge(m->L, m->steps / PATTERN_STEPS);
        m->steps = 0;
    }
}

static bool pattern_in_range(pattern_char c, char from, char to) {
    return c >= (pattern_char)from && c <= (pattern_char)to;
}

static bool pattern_is_alpha(pattern_char c) {
    return pattern_in_range(c, 'a', 'z') || pattern_in_range(c, 'A', 'Z');
}

// Whether a character belongs to the class of a letter. The classes are those of the C locale.
static bool pattern_in_class(pattern_char c, pattern_char letter) {
    bool in;
    switch (letter | 0x20) {
    case 'a': in = pattern_is_alpha(c); break;
    case 'd': in = pattern_in_range(c, '0', '9'); break;
    case 'l': in = pattern_in_range(c, 'a', 'z'); break;
    case 'u': in = pattern_in_range(c, 'A', 'Z'); break;
    case 's': in = c == ' ' || pattern_in_range(c, '\t', '\r'); break;
    case 'w': in = pattern_is_alpha(c) || pattern_in_range(c, '0', '9'); break;
    case 'c': in = c < 32 || c == 127; break;
    case 'g': in = c > 32 && c < 127; break;
    case 'p':
        in = c > 32 && c < 127 && !pattern_is_alpha(c) && !pattern_in_range(c, '0', '9');
        break;
    case 'x':
        in = pattern_in_range(c, '0', '9') || pattern_in_range((pattern_char)(c | 0x20), 'a', 'f');
        break;
    default: return letter == c; // %. and other escaped characters
    }
    if (!pattern_is_alpha(letter)) return letter == c;
    return pattern_in_range(letter, 'A', 'Z') ? !in : in;
}

// The end of the single-character item that begins at p.
static const pattern_char *pattern_item_end(pattern_state *m, const pattern_char *p) {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    pattern_char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
        return p + 1;
    }
    if (first != '[') return p;
    if (p < m->pattern_end && *p == '^') p++;
    bool at_start = true; // a first ']' is a member
    for (;; at_start = false) {
        if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
        if (*p == ']' && !at_start) return p + 1;
        pattern_char c = *p++;
        if (c == '%') {
            if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
            p++;
        }
    }
}

// Whether c is in the set from `[` at p to its last character, the `]` at end - 1.
static bool pattern_in_set(pattern_state *m, pattern_char c, const pattern_char *p,
                           const pattern_char *end) {
    bool inside = true;
    const pattern_char *from = p;
    const pattern_char *last = end - 1;
    bool found = false;
    p++;
    if (*p == '^') {
        inside = false;
        p++;
    }
    for (; p < last && !found; p++) {
        if (*p == '%') {
            p++;
            found = pattern_in_class(c, *p);
        } else if (p + 2 < last && p[1] == '-') {
            found = p[0] <= c && c <= p[2];
            p += 2;
        } else {
            found = *p == c;
        }
    }
    pattern_count(m, p - from);
    return found == inside;
}

static bool pattern_one(pattern_state *m, const pattern_char *s, const pattern_char *p,
                        const pattern_char *end) {
    m->steps++;
    if (s >= m->text_end) return false;
    switch (*p) {
    case '.': return true;
    case '%': return pattern_in_class(*s, p[1]);
    case '[': return pattern_in_set(m, *s, p, end);
    default: return *p == *s;
    }
}

static const pattern_char *pattern_match(pattern_state *m, const pattern_char *s,
                                         const pattern_char *p);

// As many as possible, then fewer.
static const pattern_char *pattern_most(pattern_state *m, const pattern_char *s,
                                        const pattern_char *p, const pattern_char *end) {
    ptrdiff_t count = 0;
    while (pattern_one(m, s + count, p, end)) {
        count++;
        pattern_count(m, 0);
    }
    for (; count >= 0; count--) {
        const pattern_char *found = pattern_match(m, s + count, end + 1);
        if (found != NULL) return found;
    }
    return NULL;
}

// As few as possible, then more.
static const pattern_char *pattern_least(pattern_state *m, const pattern_char *s,
                                         const pattern_char *p, const pattern_char *end) {
    for (;; s++) {
        const pattern_char *found = pattern_match(m, s, end + 1);
        if (found != NULL) return found;
        if (!pattern_one(m, s, p, end)) return NULL;
        pattern_count(m, 0);
    }
}

static const pattern_char *pattern_begin_capture(pattern_state *m, const pattern_char *s,
                                                 const pattern_char *p, ptrdiff_t kind) {
    if (m->count >= PATTERN_CAPTURES) luaL_error(m->L, "too many captures");
    m->captures[m->count].from = s;
    m->captures[m->count].size = kind;
    m->count++;
    const pattern_char *found = pattern_match(m, s, p);
    if (found == NULL) m->count--;
    return found;
}

static const pattern_char *pattern_end_capture(pattern_state *m, const pattern_char *s,
                                               const pattern_char *p) {
    int open = m->count;
    while (open-- > 0 && m->captures[open].size != PATTERN_OPEN) continue;
    if (open < 0) luaL_error(m->L, "invalid pattern capture");
    m->captures[open].size = s - m->captures[open].from;
    const pattern_char *found = pattern_match(m, s, p);
    if (found == NULL) m->captures[open].size = PATTERN_OPEN;
    return found;
}

// %bxy: from x to its balanced y.
static const pattern_char *pattern_balance(pattern_state *m, const pattern_char *s,
                                           const pattern_char *p) {
    if (p + 1 >= m->pattern_end) {
        luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
    }
    if (s >= m->text_end || *s != p[0]) return NULL;
    int64_t level = 1;
    for (const pattern_char *at = s + 1; at < m->text_end; at++) {
        pattern_count(m, 1);
        if (*at == p[1]) {
            if (--level == 0) return at + 1;
        } else if (*at == p[0]) {
            level++;
        }
    }
    return NULL;
}

// %1 to %9: the same characters as a capture.
static const pattern_char *pattern_again(pattern_state *m, const pattern_char *s,
                                         pattern_char digit) {
    int index = digit - '1';
    if (index < 0 || index >= m->count || m->captures[index].size == PATTERN_OPEN) {
        luaL_error(m->L, "invalid capture index %%%d", index + 1);
    }
    ptrdiff_t size = m->captures[index].size;
    if (size < 0) size = 0;
    if (m->text_end - s < size) return NULL;
    pattern_count(m, size);
    return memcmp(m->captures[index].from, s, (size_t)size) == 0 ? s + size : NULL;
}

static const pattern_char *pattern_special(pattern_state *m, const pattern_char *s,
                                           const pattern_char **p, bool *handled) {
    const pattern_char *at = *p;
    *handled = true;
    if (at + 1 < m->pattern_end) {
        switch (at[1]) {
        case 'b': {
            const pattern_char *found = pattern_balance(m, s, at + 2);
            *p = at + 4;
            return found;
        }
        case 'f': {
            const pattern_char *set = at + 2;
            if (set >= m->pattern_end || *set != '[') {
                luaL_error(m->L, "missing '[' after '%%f' in pattern");
            }
            const pattern_char *end = pattern_item_end(m, set);
            pattern_char before = s == m->text ? 0 : s[-1], here = s < m->text_end ? *s : 0;
            *p = end;
            return !pattern_in_set(m, before, set, end) && pattern_in_set(m, here, set, end) ? s
                                                                                             : NULL;
        }
        default:
            if (pattern_in_range(at[1], '0', '9')) {
                *p = at + 2;
                return pattern_again(m, s, at[1]);
            }
        }
    }
    *handled = false;
    return NULL;
}

// The end of a match of the pattern from p at s, or NULL.
static const pattern_char *pattern_match(pattern_state *m, const pattern_char *s,
                                         const pattern_char *p) {
    const pattern_char *found = NULL;
    if (++m->depth > PATTERN_DEPTH) luaL_error(m->L, "pattern too complex");
    for (;;) {
        pattern_count(m, 1);
        if (p == m->pattern_end) {
            found = s;
            break;
        }
        if (*p == '(') {
            bool position = p + 1 < m->pattern_end && p[1] == ')';
            found = pattern_begin_capture(m, s, p + (position ? 2 : 1),
                                          position ? PATTERN_POSITION : PATTERN_OPEN);
            break;
        }
        if (*p == ')') {
            found = pattern_end_capture(m, s, p + 1);
            break;
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            found = s == m->text_end ? s : NULL;
            break;
        }
        if (*p == '%') {
            bool handled;
            const pattern_char *next = pattern_special(m, s, &p, &handled);
            if (handled) {
                if (next == NULL) break;
                s = next;
                continue;
            }
        }
        const pattern_char *end = pattern_item_end(m, p);
        pattern_char suffix = end < m->pattern_end ? *end : 0;
        if (suffix == '*') {
            found = pattern_most(m, s, p, end);
            break;
        }
        if (suffix == '-') {
            found = pattern_least(m, s, p, end);
            break;
        }
        bool one = pattern_one(m, s, p, end);
        if (suffix == '+') {
            found = one ? pattern_most(m, s + 1, p, end) : NULL;
            break;
        }
        if (suffix == '?') {
            if (one) found = pattern_match(m, s + 1, end + 1);
            if (found != NULL) break;
            p = end + 1;
            continue;
        }
        if (!one) break;
        s++;
        p = end;
    }
    m->depth--;
    return found;
}

// ---- results

static void pattern_push_capture(pattern_state *m, int index, const pattern_char *s,
                                 const pattern_char *end) {
    if (index >= m->count) {
        if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
        lua_pushlstring(m->L, (const char *)s, (size_t)(end - s));
        return;
    }
    ptrdiff_t size = m->captures[index].size;
    if (size == PATTERN_OPEN) luaL_error(m->L, "unfinished capture");
    if (size == PATTERN_POSITION) {
        lua_pushinteger(m->L, m->captures[index].from - m->text + 1);
    } else {
        lua_pushlstring(m->L, (const char *)m->captures[index].from, (size_t)size);
    }
}

// All captures; without any, the whole match if s is not NULL.
static int pattern_push_captures(pattern_state *m, const pattern_char *s, const pattern_char *end) {
    int count = m->count == 0 && s != NULL ? 1 : m->count;
    luaL_checkstack(m->L, count, "too many captures");
    for (int i = 0; i < count; i++) pattern_push_capture(m, i, s, end);
    return count;
}

static void pattern_prepare(pattern_state *m, lua_State *L, const char *text, size_t size,
                            const char *pattern, size_t pattern_size) {
    memset(m, 0, sizeof *m);
    m->L = L;
    m->text = (const pattern_char *)text;
    m->text_end = m->text + size;
    m->pattern_end = (const pattern_char *)pattern + pattern_size;
}

static void pattern_finish(pattern_state *m) {
    ployi_script_charge(m->L, m->steps / PATTERN_STEPS);
    m->steps = 0;
}

static const pattern_char *pattern_try(pattern_state *m, const pattern_char *s,
                                       const pattern_char *p) {
    m->count = 0;
    m->depth = 0;
    return pattern_match(m, s, p);
}

// Start of a search, from 0; size + 1 if it is beyond the end.
static size_t pattern_start(lua_Integer init, size_t size) {
    if (init > 0) return (lua_Unsigned)init > size ? size + 1 : (size_t)init - 1;
    if (init == 0) return 0;
    return (lua_Unsigned)0 - (lua_Unsigned)init > size ? 0 : size - (size_t)-init;
}

static const char *pattern_plain(pattern_state *m, const char *text, size_t size, const char *what,
                                 size_t what_size) {
    if (what_size == 0) return text;
    for (; size >= what_size; text++, size--) {
        const char *at = memchr(text, what[0], size - what_size + 1);
        if (at == NULL) {
            pattern_count(m, (int64_t)size / 8);
            return NULL;
        }
        pattern_count(m, (at - text) / 8 + 1);
        size -= (size_t)(at - text);
        text = at;
        size_t same = 1;
        while (same < what_size && text[same] == what[same]) same++;
        pattern_count(m, (int64_t)same);
        if (same == what_size) return text;
    }
    return NULL;
}

static int pattern_search(lua_State *L, bool find) {
    size_t size, pattern_size;
    const char *text = luaL_checklstring(L, 1, &size);
    const char *pattern = luaL_checklstring(L, 2, &pattern_size);
    size_t init = pattern_start(luaL_optinteger(L, 3, 1), size);
    pattern_state m;
    pattern_prepare(&m, L, text, size, pattern, pattern_size);
    if (init > size) {
        lua_pushnil(L);
        return 1;
    }
    bool plain = find && (lua_toboolean(L, 4) || strpbrk(pattern, "^$*+?.([%-") == NULL);
    // A zero byte hides what follows it from strpbrk.
    if (plain && !lua_toboolean(L, 4) && strlen(pattern) != pattern_size) {
        for (size_t i = 0; i < pattern_size; i++) {
            if (pattern[i] != 0 && strchr("^$*+?.([%-", pattern[i]) != NULL) plain = false;
        }
    }
    if (plain) {
        const char *at = pattern_plain(&m, text + init, size - init, pattern, pattern_size);
        pattern_finish(&m);
        if (at == NULL) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, at - text + 1);
        lua_pushinteger(L, at - text + (ptrdiff_t)pattern_size);
        return 2;
    }
    const pattern_char *p = (const pattern_char *)pattern;
    bool anchor = pattern_size > 0 && *p == '^';
    if (anchor) p++;
    for (const pattern_char *s = m.text + init; s <= m.text_end; s++) {
        const pattern_char *end = pattern_try(&m, s, p);
        if (end != NULL) {
            pattern_finish(&m);
            if (!find) return pattern_push_captures(&m, s, end);
            lua_pushinteger(L, s - m.text + 1);
            lua_pushinteger(L, end - m.text);
            return pattern_push_captures(&m, NULL, NULL) + 2;
        }
        if (anchor) break;
    }
    pattern_finish(&m);
    lua_pushnil(L);
    return 1;
}

int ployi_script_find(lua_State *L) {
    return pattern_search(L, true);
}

int ployi_script_match(lua_State *L) {
    return pattern_search(L, false);
}

// Upvalues: text, pattern, start of the next search, end of the last match.
static int pattern_gmatch_step(lua_State *L) {
    size_t size, pattern_size;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &size);
    const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_size);
    pattern_state m;
    pattern_prepare(&m, L, text, size, pattern, pattern_size);
    lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    const pattern_char *s = m.text + lua_tointeger(L, lua_upvalueindex(3));
    for (; s <= m.text_end; s++) {
        const pattern_char *end = pattern_try(&m, s, (const pattern_char *)pattern);
        if (end != NULL && end - m.text != last) {
            pattern_finish(&m);
            lua_pushinteger(L, end - m.text);
            lua_pushvalue(L, -1);
            lua_replace(L, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return pattern_push_captures(&m, s, end);
        }
    }
    pattern_finish(&m);
    lua_pushinteger(L, (lua_Integer)size + 1);
    lua_replace(L, lua_upvalueindex(3));
    return 0;
}

int ployi_script_gmatch(lua_State *L) {
    size_t size;
    (void)luaL_checklstring(L, 1, &size);
    (void)luaL_checkstring(L, 2);
    size_t init = pattern_start(luaL_optinteger(L, 3, 1), size);
    lua_settop(L, 2);
    lua_pushinteger(L, (lua_Integer)(init > size ? size + 1 : init));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, pattern_gmatch_step, 4);
    return 1;
}

// Adds a replacement text, in which %0 to %9 are captures.
static void pattern_add_text(pattern_state *m, luaL_Buffer *out, const pattern_char *s,
                             const pattern_char *end) {
    lua_State *L = m->L;
    size_t size;
    const char *text = lua_tolstring(L, 3, &size);
    pattern_count(m, (int64_t)size / 4);
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '%') {
            luaL_addchar(out, text[i]);
            continue;
        }
        i++;
        char c = i < size ? text[i] : 0;
        if (c == '%') {
            luaL_addchar(out, c);
        } else if (c == '0') {
            luaL_addlstring(out, (const char *)s, (size_t)(end - s));
        } else if (c >= '1' && c <= '9') {
            pattern_push_capture(m, c - '1', s, end);
            (void)luaL_tolstring(L, -1, NULL); // a position becomes text
            lua_remove(L, -2);
            luaL_addvalue(out);
        } else {
            luaL_error(L, "invalid use of '%%' in replacement string");
        }
    }
}

// Adds what replaces one match. Returns false if the match stays as it is.
static bool pattern_replace(pattern_state *m, luaL_Buffer *out, const pattern_char *s,
                            const pattern_char *end, int kind) {
    lua_State *L = m->L;
    switch (kind) {
    case LUA_TFUNCTION: {
        lua_pushvalue(L, 3);
        int count = pattern_push_captures(m, s, end);
        lua_call(L, count, 1);
        break;
    }
    case LUA_TTABLE:
        pattern_push_capture(m, 0, s, end);
        lua_gettable(L, 3);
        break;
    default: pattern_add_text(m, out, s, end); return true;
    }
    if (!lua_toboolean(L, -1)) {
        lua_pop(L, 1);
        luaL_addlstring(out, (const char *)s, (size_t)(end - s));
        return false;
    }
    if (!lua_isstring(L, -1)) {
        luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
    }
    luaL_addvalue(out);
    return true;
}

int ployi_script_gsub(lua_State *L) {
    size_t size, pattern_size;
    const char *text = luaL_checklstring(L, 1, &size);
    const char *pattern = luaL_checklstring(L, 2, &pattern_size);
    int kind = lua_type(L, 3);
    luaL_argexpected(L,
                     kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION ||
                         kind == LUA_TTABLE,
                     3, "string/function/table");
    lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)size + 1), done = 0;
    pattern_state m;
    pattern_prepare(&m, L, text, size, pattern, pattern_size);
    const pattern_char *p = (const pattern_char *)pattern, *s = m.text, *last = NULL;
    bool anchor = pattern_size > 0 && *p == '^';
    bool changed = false;
    if (anchor) p++;
    luaL_Buffer out;
    luaL_buffinit(L, &out);
    while (done < most) {
        const pattern_char *end = pattern_try(&m, s, p);
        if (end != NULL && end != last) {
            done++;
            changed = pattern_replace(&m, &out, s, end, kind) || changed;
            s = last = end;
        } else if (s < m.text_end) {
            luaL_addchar(&out, (char)*s);
            s++;
        } else {
            break;
        }
        if (anchor) break;
    }
    pattern_finish(&m);
    if (!changed) {
        lua_pushvalue(L, 1);
    } else {
        luaL_addlstring(&out, (const char *)s, (size_t)(m.text_end - s));
        luaL_pushresult(&out);
    }
    lua_pushinteger(L, done);
    return 2;
}
