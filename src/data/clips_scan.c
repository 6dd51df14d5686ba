// Reading CLIPS text: tokens, and faults at them. Expressions: clips_parse.c.
//
// Faults go to the diagnostics of the caller with line and column; where the text is typed as
// commands there are none, and the fault is printed as CLIPS does.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/number.h"

void *ployi_clips_alloc(ploy_clips *clips, int64_t count, size_t size) {
    void *made = ploy_arena_alloc_array(clips->program, count, size);
    if (made == NULL) clips->parse_failed = clips->failed = true;
    return made;
}

char *ployi_clips_copy(ploy_clips *clips, const char *text, size_t size) {
    char *made = ployi_clips_alloc(clips, (int64_t)size + 1, 1);
    if (made != NULL && size > 0) memcpy(made, text, size);
    return made;
}

void ployi_clips_open(ploy_clips *clips, const char *text, size_t size, const char *name,
                      ploy_diags *diags) {
    clips->text = text;
    clips->size = size;
    clips->at = 0;
    clips->line_at = 0;
    clips->line = 1;
    clips->name = name;
    clips->diags = diags;
    clips->faults = 0;
    clips->parse_failed = false;
    ployi_clips_next(clips);
}

void ployi_clips_restore(ploy_clips *clips, const ploy_clips *saved) {
    clips->text = saved->text;
    clips->size = saved->size;
    clips->at = saved->at;
    clips->line_at = saved->line_at;
    clips->line = saved->line;
    clips->name = saved->name;
    clips->diags = saved->diags;
    clips->faults = saved->faults;
    clips->token = saved->token;
    clips->parse_failed = saved->parse_failed;
}

static bool scan_ends_symbol(char c) {
    return c == '\0' || (c >= 0 && c <= ' ') || strchr("()&|<~\";", c) != NULL;
}

static void scan_blanks(ploy_clips *clips) {
    while (clips->at < clips->size) {
        char c = clips->text[clips->at];
        if (c == '\n') {
            clips->line++;
            clips->line_at = clips->at + 1;
        } else if (c == ';') {
            while (clips->at < clips->size && clips->text[clips->at] != '\n') clips->at++;
            continue;
        } else if (c < 0 || c > ' ') {
            return;
        }
        clips->at++;
    }
}

static void scan_name_value(ploy_clips *clips, ploy_rule_type type) {
    ploy_name name = {0};
    if (ploy_rulebase_text(clips->base, clips->token.text, &name) != PLOY_OK) {
        clips->parse_failed = true;
        return;
    }
    clips->token.value = ploy_rule_symbol(name);
    clips->token.value.type = (int32_t)type;
}

static void scan_string(ploy_clips *clips) {
    size_t from = ++clips->at;
    char *text = ployi_clips_alloc(clips, (int64_t)(clips->size - from) + 1, 1);
    size_t used = 0;
    if (text == NULL) return;
    while (clips->at < clips->size && clips->text[clips->at] != '"') {
        char c = clips->text[clips->at++];
        if (c == '\\' && clips->at < clips->size) c = clips->text[clips->at++];
        if (c == '\n') {
            clips->line++;
            clips->line_at = clips->at;
        }
        if (c != '\0') text[used++] = c;
    }
    text[used] = '\0';
    if (clips->at >= clips->size) {
        clips->token.kind = PLOYI_TOKEN_BAD;
    } else {
        clips->at++;
        clips->token.kind = PLOYI_TOKEN_VALUE;
    }
    clips->token.text = text;
    scan_name_value(clips, PLOY_RULE_STRING);
}

static void scan_symbol(ploy_clips *clips) {
    size_t from = clips->at++;
    while (clips->at < clips->size && !scan_ends_symbol(clips->text[clips->at])) clips->at++;
    const char *text = clips->text + from;
    size_t size = clips->at - from;
    clips->token.text = ployi_clips_copy(clips, text, size);
    if (clips->token.text == NULL) return;
    clips->token.kind = PLOYI_TOKEN_VALUE;
    int64_t integer = 0;
    double real = 0.0;
    bool digit = false;
    for (size_t i = 0; i < size && i < 3; i++) digit = digit || (text[i] >= '0' && text[i] <= '9');
    if (digit && ploy_parse_i64(text, size, NULL, &integer) == PLOY_OK) {
        clips->token.value = ploy_rule_integer(integer);
    } else if (digit && ploy_parse_f64(text, size, NULL, &real) == PLOY_OK) {
        clips->token.value = ploy_rule_float(real);
    } else if (size > 2 && text[0] == '[' && text[size - 1] == ']') {
        clips->token.text = ployi_clips_copy(clips, text + 1, size - 2);
        if (clips->token.text != NULL) scan_name_value(clips, PLOY_RULE_NAME);
    } else {
        scan_name_value(clips, PLOY_RULE_SYMBOL);
    }
}

static void scan_variable(ploy_clips *clips, size_t skip, bool multi) {
    clips->at += skip;
    size_t from = clips->at;
    while (clips->at < clips->size && !scan_ends_symbol(clips->text[clips->at])) clips->at++;
    size_t size = clips->at - from;
    const char *text = clips->text + from;
    if (size == 0) {
        clips->token.kind = multi ? PLOYI_TOKEN_MANY : PLOYI_TOKEN_ANY;
        return;
    }
    if (!multi && size > 2 && text[0] == '*' && text[size - 1] == '*') {
        clips->token.kind = PLOYI_TOKEN_GLOBAL;
        clips->token.text = ployi_clips_copy(clips, text + 1, size - 2);
        return;
    }
    clips->token.kind = multi ? PLOYI_TOKEN_MVAR : PLOYI_TOKEN_VAR;
    clips->token.text = ployi_clips_copy(clips, text, size);
}

void ployi_clips_next(ploy_clips *clips) {
    scan_blanks(clips);
    ployi_token *token = &clips->token;
    memset(token, 0, sizeof *token);
    token->text = "";
    token->value = ploy_rule_none();
    token->line = clips->line;
    token->column = (int32_t)(clips->at - clips->line_at) + 1;
    token->begin = clips->at;
    token->kind = PLOYI_TOKEN_END;
    if (clips->at >= clips->size || clips->parse_failed) return;
    char c = clips->text[clips->at];
    char c2 = clips->at + 1 < clips->size ? clips->text[clips->at + 1] : '\0';
    static const char marks[] = "()&|~";
    static const ployi_token_kind kinds[] = {PLOYI_TOKEN_OPEN, PLOYI_TOKEN_CLOSE, PLOYI_TOKEN_AND,
                                             PLOYI_TOKEN_OR, PLOYI_TOKEN_NOT};
    const char *mark = c == '\0' ? NULL : strchr(marks, c);
    if (mark != NULL) {
        token->kind = kinds[mark - marks];
        clips->at++;
    } else if (c == '"') {
        scan_string(clips);
    } else if (c == '?') {
        scan_variable(clips, 1, false);
    } else if (c == '$' && c2 == '?') {
        scan_variable(clips, 2, true);
    } else {
        scan_symbol(clips);
    }
    token->end = clips->at;
}

bool ployi_clips_is(const ploy_clips *clips, const char *symbol) {
    return clips->token.kind == PLOYI_TOKEN_VALUE && clips->token.value.type == PLOY_RULE_SYMBOL &&
           strcmp(clips->token.text, symbol) == 0;
}

void ployi_clips_fault(ploy_clips *clips, const char *message, const char *what) {
    clips->faults++;
    if (clips->parse_failed) return;
    clips->parse_failed = true;
    clips->fault_end = clips->token.end;
    clips->fault_tight = clips->fault_blank = false;
    if (clips->diags != NULL) {
        char line[PLOY_DIAG_TEXT_MAX] = ""; // a message of several lines as one
        for (size_t i = 0; i + 1 < sizeof line && message[i] != '\0'; i++) {
            line[i] = message[i] == '\n' ? ' ' : message[i];
        }
        ploy_diags_add(clips->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, clips->name,
                       clips->token.line, clips->token.column, line, what, NULL);
        return;
    }
    static const char *const plain_codes[] = {"[ARGACCES", "[FACTQPSR", "[MULTIFUN", "[PRNTUTIL1]"};
    bool plain = false;
    for (size_t i = 0; i < sizeof plain_codes / sizeof plain_codes[0]; i++) {
        plain = plain || strncmp(message, plain_codes[i], strlen(plain_codes[i])) == 0;
    }
    if (!plain) ployi_clips_out(clips, "\n");
    ployi_clips_out(clips, message);
    if (what != NULL) ployi_clips_out(clips, what);
    ployi_clips_out(clips, "\n");
}

void ployi_clips_fault_list(ploy_clips *clips, const char *const *parts, int32_t count) {
    char text[240] = "";
    size_t used = 0;
    for (int32_t i = 0; i < count; i++) {
        size_t size = strlen(parts[i]);
        if (size > sizeof text - 1 - used) size = sizeof text - 1 - used;
        memcpy(text + used, parts[i], size);
        used += size;
    }
    ployi_clips_fault(clips, text, NULL);
}

void ployi_clips_syntax(ploy_clips *clips, const char *where) {
    const char *parts[] = {"[PRNTUTIL2] Syntax Error:  Check appropriate syntax for ", where, "."};
    ployi_clips_fault_list(clips, parts, 3);
}

// To the '(' that begins the next construct: the first in column 1 after the present token.
void ployi_clips_skip_construct(ploy_clips *clips) {
    clips->parse_failed = false;
    for (;;) {
        ployi_clips_next(clips);
        if (clips->token.kind == PLOYI_TOKEN_END) return;
        if (clips->token.kind != PLOYI_TOKEN_OPEN) continue;
        size_t at = clips->at;
        int32_t line = clips->line;
        size_t line_at = clips->line_at;
        ployi_token open = clips->token;
        ployi_clips_next(clips);
        bool construct =
            clips->token.kind == PLOYI_TOKEN_VALUE && ployi_clips_is_construct(clips->token.text);
        clips->at = at;
        clips->line = line;
        clips->line_at = line_at;
        clips->token = open;
        if (construct) return;
    }
}

enum { SCAN_ECHO_DEPTH = 64 };

// How CLIPS lays out a construct again: what is in the construct itself on separate lines,
// the items of a group of conditions below one another, one blank between all else.
typedef struct scan_echo {
    ploy_clips *clips;
    int32_t depth, column;
    bool actions;                    // behind the =>
    bool group[SCAN_ECHO_DEPTH + 1]; // the list at that depth holds conditions
    int32_t align[SCAN_ECHO_DEPTH + 1], open[SCAN_ECHO_DEPTH + 1]; // columns; align 0: in a row
    int32_t items[SCAN_ECHO_DEPTH + 1];
} scan_echo;

static void scan_echo_text(scan_echo *echo, const char *text, size_t size) {
    ploy_write_bytes(&echo->clips->out, text, size);
    echo->column += (int32_t)size;
}

static void scan_echo_line(scan_echo *echo, int32_t column) {
    ployi_clips_out(echo->clips, "\n");
    echo->column = 0;
    while (echo->column < column) scan_echo_text(echo, " ", 1);
}

// What comes before a token that is not glued to the one before it.
static void scan_echo_gap(scan_echo *echo, bool close) {
    int32_t depth = echo->depth < SCAN_ECHO_DEPTH ? echo->depth : SCAN_ECHO_DEPTH;
    if (close || echo->align[depth] == 0 || echo->clips->token.kind != PLOYI_TOKEN_OPEN) {
        scan_echo_text(echo, " ", 1);
    } else if (echo->align[depth] == echo->open[depth] + 5 && echo->items[depth]++ == 0) {
        while (echo->column < echo->align[depth]) scan_echo_text(echo, " ", 1);
    } else {
        scan_echo_line(echo, echo->align[depth]);
    }
}

// The first word of a list of conditions says how its items are laid out.
static void scan_echo_word(scan_echo *echo) {
    static const struct {
        const char *word;
        bool aligned;
    } rows[] = {{"and", true},    {"or", true},      {"exists", true},
                {"forall", true}, {"logical", true}, {"not", false}};
    int32_t depth = echo->depth;
    if (depth > SCAN_ECHO_DEPTH || echo->actions) return;
    if (!(depth == 2 || (depth > 2 && echo->group[depth - 1]))) return;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!ployi_clips_is(echo->clips, rows[i].word)) continue;
        echo->group[depth] = true;
        if (rows[i].aligned) echo->align[depth] = echo->open[depth] + 5;
        // The longer words leave no room for an item beside them.
        echo->items[depth] = strlen(rows[i].word) > 3;
    }
}

// CLIPS shows as much of a faulty construct as it has read.
void ployi_clips_echo(ploy_clips *clips, size_t begin) {
    if (clips->diags != NULL || clips->fault_end <= begin) return;
    ploy_clips saved = *clips;
    size_t size = clips->fault_end - begin;
    int32_t seen = 0;
    bool glued = true, opened = false;
    scan_echo echo;
    memset(&echo, 0, sizeof echo);
    echo.clips = clips;
    ployi_clips_out(clips, "\nERROR:\n");
    ployi_clips_open(clips, saved.text + begin, size, saved.name, NULL);
    bool rule = clips->size > 8 && strncmp(clips->text, "(defrule", 8) == 0;
    for (; clips->token.kind != PLOYI_TOKEN_END; ployi_clips_next(clips), seen++) {
        const ployi_token *token = &clips->token;
        bool mark = token->kind == PLOYI_TOKEN_AND || token->kind == PLOYI_TOKEN_OR;
        bool close = token->kind == PLOYI_TOKEN_CLOSE;
        bool last = close && token->end == size && echo.depth > 1 && !saved.fault_tight;
        bool arrow = ployi_clips_is(clips, "<-");
        bool comment = token->value.type == PLOY_RULE_STRING && seen == 3;
        if (echo.depth == 1 && seen > 2 && !glued && !close && !mark && !arrow && !comment) {
            scan_echo_line(&echo, 3);
        } else if (!glued && !mark && (!close || last)) {
            scan_echo_gap(&echo, close); // a bracket here is out of place
        }
        if (seen == 2 && strstr(token->text, "::") == NULL) {
            ployi_clips_out(clips, ployi_clips_module_name(clips, saved.module));
            ployi_clips_out(clips, "::");
        }
        if (opened && rule) scan_echo_word(&echo);
        opened = token->kind == PLOYI_TOKEN_OPEN;
        if (opened && ++echo.depth <= SCAN_ECHO_DEPTH) {
            echo.group[echo.depth] = false;
            echo.align[echo.depth] = 0;
            echo.open[echo.depth] = echo.column;
        }
        echo.actions = echo.actions || (echo.depth == 1 && ployi_clips_is(clips, "=>"));
        scan_echo_text(&echo, clips->text + token->begin, token->end - token->begin);
        if (close) echo.depth--;
        bool call = clips->at < size && clips->text[clips->at] == '(';
        bool computes = ployi_clips_is(clips, "=") || ployi_clips_is(clips, ":");
        glued = opened || token->kind == PLOYI_TOKEN_NOT || mark || (call && computes);
        if (arrow && echo.depth == 1) {
            scan_echo_text(&echo, " ", 1); // its pattern follows on the same line
            glued = true;
        }
    }
    ployi_clips_out(clips, saved.fault_blank ? " \n" : "\n");
    ployi_clips_restore(clips, &saved);
}
