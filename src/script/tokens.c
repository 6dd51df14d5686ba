// A look at the tokens of a script before Lua compiles it. Lua's `^` calls the C library's pow,
// whose last bit differs between machines; only a square is computed without it.
#include <string.h>

#include "script/script_internal.h"

typedef struct tokens_scan {
    const char *text;
    size_t size, at;
    int line;
    size_t line_start;
} tokens_scan;

static char tokens_peek(const tokens_scan *scan, size_t ahead) {
    return scan->at + ahead < scan->size ? scan->text[scan->at + ahead] : 0;
}

static void tokens_step(tokens_scan *scan) {
    if (scan->text[scan->at] == '\n') {
        scan->line++;
        scan->line_start = scan->at + 1;
    }
    scan->at++;
}

// The level of a long bracket that opens here, or -1.
static int tokens_long_level(const tokens_scan *scan) {
    size_t equals = 0;
    if (tokens_peek(scan, 0) != '[') return -1;
    while (tokens_peek(scan, 1 + equals) == '=') equals++;
    return tokens_peek(scan, 1 + equals) == '[' ? (int)equals : -1;
}

static void tokens_skip_long(tokens_scan *scan, int level) {
    scan->at += (size_t)level + 2;
    while (scan->at < scan->size) {
        if (scan->text[scan->at] == ']') {
            size_t equals = 0;
            while (tokens_peek(scan, 1 + equals) == '=') equals++;
            if ((int)equals == level && tokens_peek(scan, 1 + equals) == ']') {
                scan->at += equals + 2;
                return;
            }
            scan->at += equals + 1;
        } else {
            tokens_step(scan);
        }
    }
}

static void tokens_skip_quoted(tokens_scan *scan, char quote) {
    for (scan->at++; scan->at < scan->size; tokens_step(scan)) {
        char c = scan->text[scan->at];
        if (c == '\\' && scan->at + 1 < scan->size) {
            tokens_step(scan);
        } else if (c == quote || c == '\n') {
            scan->at++;
            return;
        }
    }
}

static bool tokens_is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Skips blanks and comments. Returns false if nothing was skipped.
static bool tokens_skip_space(tokens_scan *scan) {
    size_t from = scan->at;
    while (scan->at < scan->size) {
        char c = scan->text[scan->at];
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            tokens_step(scan);
        } else if (c == '-' && tokens_peek(scan, 1) == '-') {
            scan->at += 2;
            int level = tokens_long_level(scan);
            if (level >= 0) {
                tokens_skip_long(scan, level);
            } else {
                while (scan->at < scan->size && scan->text[scan->at] != '\n') scan->at++;
            }
        } else {
            break;
        }
    }
    return scan->at > from;
}

void ployi_script_check_tokens(lua_State *L, const char *text, size_t size, const char *name) {
    tokens_scan scan = {text, size, 0, 1, 0};
    while (scan.at < scan.size) {
        if (tokens_skip_space(&scan)) continue;
        char c = scan.text[scan.at];
        if (c == '"' || c == '\'') {
            tokens_skip_quoted(&scan, c);
        } else if (c == '[' && tokens_long_level(&scan) >= 0) {
            tokens_skip_long(&scan, tokens_long_level(&scan));
        } else if (c == '^') {
            int line = scan.line, column = (int)(scan.at - scan.line_start) + 1;
            scan.at++;
            (void)tokens_skip_space(&scan);
            char after = tokens_peek(&scan, 1);
            if (tokens_peek(&scan, 0) != '2' || tokens_is_word(after) || after == '.') {
                luaL_error(L, "%s:%d:%d: expected 2 after '^' (use math.pow for other powers)",
                           name, line, column);
            }
        } else {
            tokens_step(&scan);
        }
    }
}
