// The lexer of expressions and programs: one token at a time; see ploy/decide/program.h.
#include <string.h>

#include "decide/program_internal.h"
#include "ploy/base/number.h"

// Longer signs before their beginnings.
static const char *const lex_signs[] = {
    ":=", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "||", "&&", "..",
    "=",  "<",  ">",  "|",  "^",  "&",  "+",  "-",  "*",  "/",  "!",  "~",
    "?",  ":",  "(",  ")",  ",",  ";",  "{",  "}",  "[",  "]"};

static bool lex_begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@' ||
           (unsigned char)c >= 0x80;
}

bool ployi_lex_in_name(char c) {
    return (lex_begins_name(c) && c != '@') || (c >= '0' && c <= '9');
}

// True if a name goes on here: a point needs more of the name behind it, because two of them join.
static bool lex_names_on(const char *text, size_t size, size_t at) {
    if (at >= size) return false;
    if (text[at] == '.') return at + 1 < size && ployi_lex_in_name(text[at + 1]);
    return ployi_lex_in_name(text[at]);
}

static bool lex_at(const char *text, size_t size, size_t at, const char *sign) {
    size_t length = strlen(sign);
    return size - at >= length && memcmp(text + at, sign, length) == 0;
}

static bool lex_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void lex_fault(ployi_program_token *token, ploy_result code, const char *message,
                      const char *expected) {
    token->kind = PLOYI_PROGRAM_TOKEN_FAULT;
    token->code = (int8_t)code;
    token->message = message;
    token->expected = expected;
}

static size_t lex_number(const char *text, size_t size, size_t at, ployi_program_token *token) {
    size_t used = 0;
    ploy_result result;
    token->kind = PLOYI_PROGRAM_TOKEN_NUMBER;
    if (lex_at(text, size, at, "0x") || lex_at(text, size, at, "0X")) {
        uint64_t bits = 0;
        result = ploy_parse_hex64(text + at + 2, size - at - 2, &used, &bits);
        token->number = (double)bits;
        used += 2;
    } else {
        result = ploy_parse_f64(text + at, size - at, &used, &token->number);
    }
    size_t end = at + used;
    char next = end < size ? text[end] : ' ';
    bool joins = lex_at(text, size, end, "..");
    // A point needs a digit behind it: `1..2` joins, `1.` is nothing.
    bool cut = result == PLOY_OK && used > 0 && text[end - 1] == '.';
    if (result != PLOY_OK || cut || ployi_lex_in_name(next) || (next == '.' && !joins)) {
        lex_fault(token, PLOY_ERR_FORMAT, "invalid number", NULL);
        while (lex_names_on(text, size, end)) end++;
        if (end == at) end++;
    }
    return end;
}

static size_t lex_text(const char *text, size_t size, size_t at, ployi_program_token *token) {
    char quote = text[at];
    size_t end = at + 1;
    while (end < size && text[end] != quote) end++;
    token->kind = PLOYI_PROGRAM_TOKEN_TEXT;
    if (end >= size) {
        lex_fault(token, PLOY_ERR_FORMAT, "unclosed quote", quote == '"' ? "\"" : "'");
        return end;
    }
    if (end - at - 1 > PLOY_BLACKBOARD_TEXT_MAX) {
        lex_fault(token, PLOY_ERR_LIMIT, "text is too long", NULL);
    }
    return end + 1;
}

ployi_program_token ployi_lex(const char *text, size_t size, size_t *at, bool program) {
    ployi_program_token token;
    memset(&token, 0, sizeof token);
    size_t begin = *at, end = begin;
    token.at = (uint32_t)begin;
    if (begin >= size) return token;
    char c = text[begin];
    if (lex_blank(c)) {
        token.kind = PLOYI_PROGRAM_TOKEN_SPACE;
        while (end < size && lex_blank(text[end])) end++;
    } else if (program && lex_at(text, size, begin, "//")) {
        token.kind = PLOYI_PROGRAM_TOKEN_SPACE;
        while (end < size && text[end] != '\n') end++;
    } else if (c == '\'' || c == '"') {
        end = lex_text(text, size, begin, &token);
    } else if (c >= '0' && c <= '9') {
        end = lex_number(text, size, begin, &token);
    } else if (lex_begins_name(c)) {
        token.kind = PLOYI_PROGRAM_TOKEN_NAME;
        end++;
        while (lex_names_on(text, size, end)) end++;
    } else {
        size_t i = 0;
        while (i < sizeof lex_signs / sizeof lex_signs[0] &&
               !lex_at(text, size, begin, lex_signs[i])) {
            i++;
        }
        token.kind = PLOYI_PROGRAM_TOKEN_SIGN;
        if (i == sizeof lex_signs / sizeof lex_signs[0]) {
            // The parser says what it expected instead.
            lex_fault(&token, PLOY_ERR_FORMAT, NULL, NULL);
            end++;
        } else {
            end += strlen(lex_signs[i]);
        }
    }
    token.size = (uint32_t)(end - begin);
    *at = end;
    return token;
}

static const char *lex_kind_text(uint8_t kind) {
    static const char *const texts[] = {"end", "name", "number", "text", "sign", "space", "fault"};
    return texts[kind];
}

ploy_result ploy_program_print_tokens(const char *text, size_t size, bool spaces,
                                      const ploy_env *env, ploy_writer *out) {
    if ((text == NULL && size > 0) || env == NULL || out == NULL || size > INT32_MAX / 4) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t line = 1, column = 1;
    for (size_t at = 0; at < size;) {
        size_t begin = at;
        ployi_program_token token = ployi_lex(text, size, &at, true);
        if (spaces || token.kind != PLOYI_PROGRAM_TOKEN_SPACE) {
            ploy_write_i64(out, line);
            ploy_write_char(out, ':');
            ploy_write_i64(out, column);
            ploy_write_char(out, ' ');
            bool word = token.kind == PLOYI_PROGRAM_TOKEN_NAME &&
                        ployi_tree_keyword(text + begin, token.size) != 0;
            ploy_write_text(out, word ? "keyword" : lex_kind_text(token.kind));
            if (token.kind != PLOYI_PROGRAM_TOKEN_SPACE) {
                ploy_write_char(out, ' ');
                ploy_write_bytes(out, text + begin, token.size);
            }
            ploy_write_char(out, '\n');
        }
        for (; begin < at; begin++) {
            column = text[begin] == '\n' ? 1 : column + 1;
            if (text[begin] == '\n') line++;
        }
    }
    return ploy_writer_result(out);
}
