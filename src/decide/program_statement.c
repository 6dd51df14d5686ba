// The parser of statements, and the tree as text; see ploy/decide/program.h.
//
// A fault ends its statement only: reading goes on at the next line or `;`, so that all are
// reported.
#include <string.h>

#include "decide/program_read.h"
#include "ploy/base/name.h"

enum {
    WORD_NONE,
    WORD_IF,
    WORD_ELSE,
    WORD_WHILE,
    WORD_FOR,
    WORD_IN,
    WORD_FUNCTION,
    WORD_RETURN,
    WORD_LOCAL,
    WORD_KEEP,
    WORD_YIELD,
    WORD_WAIT,
    WORD_UNTIL,
    WORD_ATOMIC,
    WORD_WHEN,
    WORD_DO,
    WORD_MONITOR,
    WORD_RECORD
};

static const char *const statement_words[] = {
    "if",    "else", "while", "for",    "in",   "function", "return",  "local", "keep",
    "yield", "wait", "until", "atomic", "when", "do",       "monitor", "record"};
enum { STATEMENT_WORDS = sizeof statement_words / sizeof statement_words[0] };

int32_t ployi_tree_keyword(const char *text, size_t size) {
    for (int32_t i = 0; i < STATEMENT_WORDS; i++) {
        if (strlen(statement_words[i]) == size && memcmp(statement_words[i], text, size) == 0) {
            return i + 1;
        }
    }
    return WORD_NONE;
}

static int32_t statement_read(ployi_reader *reader);

static int32_t statement_word(const ployi_reader *reader) {
    if (reader->token.kind != PLOYI_PROGRAM_TOKEN_NAME) return WORD_NONE;
    return ployi_tree_keyword(reader->text + reader->token.at, reader->token.size);
}

// A new name; its place among the names, or -1.
static int32_t statement_name(ployi_reader *reader, const char *what) {
    size_t at = reader->token.at, size = reader->token.size;
    if (reader->token.kind != PLOYI_PROGRAM_TOKEN_NAME || statement_word(reader) != WORD_NONE) {
        return ployi_read_unexpected(reader, "missing name", what);
    }
    if (memchr(reader->text + at, '.', size) != NULL) {
        return ployi_read_fail(reader, PLOY_ERR_FORMAT, at, "invalid name", "a name without '.'");
    }
    ployi_read_next(reader);
    return ployi_read_find_name(reader, at, size);
}

static bool statement_expect(ployi_reader *reader, const char *sign) {
    if (ployi_read_take(reader, sign)) return true;
    char expected[8] = {'\'', 0};
    strcat(strcat(expected, sign), "'");
    (void)ployi_read_unexpected(reader, "unexpected text", expected);
    return false;
}

// After a fault: the next place where a statement may begin. A block behind it is skipped.
static void statement_recover(ployi_reader *reader, size_t begin) {
    int32_t blocks = 0;
    reader->parens = 0;
    reader->failed = false;
    while (reader->token.kind != PLOYI_PROGRAM_TOKEN_END) {
        bool closes = ployi_read_at(reader, "}");
        bool fresh = reader->token.first && reader->token.at != begin;
        if (blocks == 0 && (fresh || closes || ployi_read_at(reader, ";"))) return;
        if (ployi_read_at(reader, "{")) blocks++;
        if (closes) blocks--;
        ployi_read_next(reader);
        if (blocks == 0 && closes) return;
    }
}

static void statement_link(ploy_expression *tree, int32_t *first, int32_t *last, int32_t node) {
    if (*last >= 0) {
        PLOY_ARRAY_ITEMS(&tree->nodes, ployi_expression_node)[*last].next = node;
    } else {
        *first = node;
    }
    *last = node;
}

// Text follows a whole statement in its line. A statement of one name is more likely a misspelled keyword.
static void statement_excess(ployi_reader *reader, size_t before) {
    const ployi_program_token *word = &reader->last;
    char name[24];
    bool alone = word->at == before && word->kind == PLOYI_PROGRAM_TOKEN_NAME &&
                 reader->token.kind != PLOYI_PROGRAM_TOKEN_FAULT && word->size < sizeof name;
    if (alone) {
        memcpy(name, reader->text + before, word->size);
        name[word->size] = 0;
        ploy_nearest nearest = ploy_nearest_make(name);
        for (int32_t i = 0; i < STATEMENT_WORDS; i++) {
            ploy_nearest_offer(&nearest, statement_words[i]);
        }
        if (nearest.best != NULL) {
            char message[64] = "unknown statement '";
            strcat(strcat(message, name), "'");
            (void)ployi_read_fail_near(reader, PLOY_ERR_FORMAT, before, message, NULL,
                                       nearest.best);
            return;
        }
    }
    (void)ployi_read_unexpected(reader, "unexpected text", "a new line or ';'");
}

// Statements up to '}' or the end. @return the first, or -1.
static int32_t statement_list(ployi_reader *reader) {
    int32_t first = -1, last = -1;
    while (reader->result != PLOY_ERR_MEMORY) {
        while (ployi_read_take(reader, ";")) {
        }
        if (reader->token.kind == PLOYI_PROGRAM_TOKEN_END || ployi_read_at(reader, "}")) break;
        size_t before = reader->token.at;
        int32_t node = statement_read(reader);
        if (node >= 0) statement_link(reader->made, &first, &last, node);
        if (!reader->failed && reader->token.kind != PLOYI_PROGRAM_TOKEN_END &&
            !reader->token.first && !ployi_read_at(reader, ";") && !ployi_read_at(reader, "}") &&
            reader->text[reader->last.at] != '}') {
            statement_excess(reader, before);
        }
        if (reader->failed) {
            statement_recover(reader, before);
        }
    }
    return first;
}

// A block in braces, or one statement. @return a BLOCK, or -1.
static int32_t statement_block(ployi_reader *reader) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_BLOCK, reader->token.at);
    if (reader->depth >= PLOY_EXPRESSION_DEPTH_MAX / 2) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, node.at, "blocks are nested too deeply",
                               NULL);
    }
    reader->depth++;
    size_t begin = reader->token.at;
    if (ployi_read_take(reader, "{")) {
        node.a = statement_list(reader);
        if (!ployi_read_take(reader, "}")) {
            (void)ployi_read_fail(reader, PLOY_ERR_FORMAT, begin, "unclosed '{'", "'}'");
        }
    } else {
        node.a = statement_read(reader);
    }
    reader->depth--;
    if (reader->failed) return -1;
    return ployi_read_add(reader, node);
}

static int32_t statement_if(ployi_reader *reader, ployi_expression_node node) {
    node.op = PLOYI_EXPRESSION_IF;
    node.a = ployi_read_value(reader);
    if (node.a < 0) return -1;
    node.b = statement_block(reader);
    if (node.b < 0) return -1;
    // `if (a) return; else return`: the separator before else is part of the statement.
    ployi_reader before = *reader;
    (void)ployi_read_take(reader, ";");
    if (statement_word(reader) != WORD_ELSE) {
        *reader = before;
        return ployi_read_add(reader, node);
    }
    ployi_read_next(reader);
    node.c = statement_block(reader);
    return node.c < 0 ? -1 : ployi_read_add(reader, node);
}

static int32_t statement_for(ployi_reader *reader, ployi_expression_node node) {
    int32_t name = statement_name(reader, "a variable");
    if (name < 0) return -1;
    node.name = (uint16_t)name;
    if (statement_word(reader) == WORD_IN) {
        ployi_read_next(reader);
        node.op = PLOYI_EXPRESSION_EACH;
        node.a = ployi_read_value(reader);
        if (node.a >= 0) node.b = statement_block(reader);
        return node.b < 0 ? -1 : ployi_read_add(reader, node);
    }
    node.op = PLOYI_EXPRESSION_FOR;
    node.number = 1.0;
    if (!statement_expect(reader, "=")) return -1;
    node.a = ployi_read_value(reader);
    if (node.a < 0 || !statement_expect(reader, ",")) return -1;
    node.b = ployi_read_value(reader);
    if (node.b < 0) return -1;
    if (ployi_read_take(reader, ",")) {
        bool negative = ployi_read_take(reader, "-");
        if (reader->token.kind != PLOYI_PROGRAM_TOKEN_NUMBER || reader->token.number == 0.0) {
            return ployi_read_unexpected(reader, "invalid step of a loop", "a number but 0");
        }
        node.number = negative ? -reader->token.number : reader->token.number;
        ployi_read_next(reader);
    }
    node.c = statement_block(reader);
    return node.c < 0 ? -1 : ployi_read_add(reader, node);
}

static int32_t statement_function(ployi_reader *reader, ployi_expression_node node) {
    int32_t name = statement_name(reader, "the function's name"), last = -1, count = 0;
    node.op = PLOYI_EXPRESSION_FUNCTION;
    if (name < 0 || !statement_expect(reader, "(")) return -1;
    node.name = (uint16_t)name;
    for (bool more = !ployi_read_take(reader, ")"); more;) {
        ployi_expression_node param = ployi_read_node(PLOYI_EXPRESSION_NAME, reader->token.at);
        if (count++ == PLOY_PROGRAM_ARGS_MAX) {
            return ployi_read_unexpected(reader, "too many parameters", NULL);
        }
        int32_t of = statement_name(reader, "a parameter");
        if (of < 0) return -1;
        param.name = (uint16_t)of;
        int32_t added = ployi_read_add(reader, param);
        if (added < 0) return -1;
        statement_link(reader->made, &node.a, &last, added);
        more = ployi_read_take(reader, ",");
        if (!more && !statement_expect(reader, ")")) return -1;
    }
    node.b = statement_block(reader);
    return node.b < 0 ? -1 : ployi_read_add(reader, node);
}

// name = value, of local, keep and the fields of a record.
static int32_t statement_variable(ployi_reader *reader, ployi_expression_node node, uint8_t op) {
    int32_t name = statement_name(reader, "a variable");
    node.op = op;
    if (name < 0 || !statement_expect(reader, "=")) return -1;
    node.name = (uint16_t)name;
    node.a = ployi_read_value(reader);
    return node.a < 0 ? -1 : ployi_read_add(reader, node);
}

static int32_t statement_record(ployi_reader *reader, ployi_expression_node node) {
    int32_t name = statement_name(reader, "the record's name"), last = -1;
    node.op = PLOYI_EXPRESSION_RECORD;
    if (name < 0 || !statement_expect(reader, "{")) return -1;
    node.name = (uint16_t)name;
    while (!ployi_read_take(reader, "}")) {
        ployi_expression_node field = ployi_read_node(0, reader->token.at);
        int32_t added = statement_variable(reader, field, PLOYI_EXPRESSION_KEEP);
        if (added < 0) return -1;
        statement_link(reader->made, &node.a, &last, added);
        if (!ployi_read_take(reader, ",") && !ployi_read_at(reader, "}") && !reader->token.first) {
            return ployi_read_unexpected(reader, "unexpected text", "',' or '}'");
        }
    }
    return ployi_read_add(reader, node);
}

static int32_t statement_when(ployi_reader *reader, ployi_expression_node node) {
    node.op = PLOYI_EXPRESSION_WHEN;
    node.a = ployi_read_value(reader);
    if (node.a < 0) return -1;
    if (ployi_read_word(reader, "priority")) {
        ployi_read_next(reader);
        if (reader->token.kind != PLOYI_PROGRAM_TOKEN_NUMBER) {
            return ployi_read_unexpected(reader, "invalid priority", "a number");
        }
        node.number = reader->token.number;
        ployi_read_next(reader);
    }
    if (statement_word(reader) != WORD_DO) {
        return ployi_read_unexpected(reader, "unexpected text", "'do'");
    }
    ployi_read_next(reader);
    node.b = statement_block(reader);
    return node.b < 0 ? -1 : ployi_read_add(reader, node);
}

// A statement with one operand: a value, a block or none.
static int32_t statement_single(ployi_reader *reader, ployi_expression_node node, uint8_t op) {
    node.op = op;
    bool ends = reader->token.first || reader->token.kind == PLOYI_PROGRAM_TOKEN_END ||
                ployi_read_at(reader, ";") || ployi_read_at(reader, "}");
    if (op == PLOYI_EXPRESSION_ATOMIC) {
        node.a = statement_block(reader);
        if (node.a < 0) return -1;
    } else if (op == PLOYI_EXPRESSION_WAIT || op == PLOYI_EXPRESSION_UNTIL ||
               (op == PLOYI_EXPRESSION_RETURN && !ends)) {
        node.a = ployi_read_value(reader);
        if (node.a < 0) return -1;
    }
    return ployi_read_add(reader, node);
}

static int32_t statement_read(ployi_reader *reader) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_BLOCK, reader->token.at);
    int32_t word = statement_word(reader), made = -1;
    if (reader->depth >= PLOY_EXPRESSION_DEPTH_MAX / 2) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, node.at, "statement is nested too deeply",
                               NULL);
    }
    reader->depth++;
    if (word != WORD_NONE) ployi_read_next(reader);
    switch (word) {
    case WORD_IF: made = statement_if(reader, node); break;
    case WORD_WHILE:
        node.op = PLOYI_EXPRESSION_WHILE;
        node.a = ployi_read_value(reader);
        if (node.a >= 0) node.b = statement_block(reader);
        made = node.b < 0 ? -1 : ployi_read_add(reader, node);
        break;
    case WORD_FOR: made = statement_for(reader, node); break;
    case WORD_FUNCTION: made = statement_function(reader, node); break;
    case WORD_RETURN: made = statement_single(reader, node, PLOYI_EXPRESSION_RETURN); break;
    case WORD_LOCAL: made = statement_variable(reader, node, PLOYI_EXPRESSION_LOCAL); break;
    case WORD_KEEP: made = statement_variable(reader, node, PLOYI_EXPRESSION_KEEP); break;
    case WORD_YIELD: made = statement_single(reader, node, PLOYI_EXPRESSION_YIELD); break;
    case WORD_WAIT: made = statement_single(reader, node, PLOYI_EXPRESSION_WAIT); break;
    case WORD_UNTIL: made = statement_single(reader, node, PLOYI_EXPRESSION_UNTIL); break;
    case WORD_ATOMIC: made = statement_single(reader, node, PLOYI_EXPRESSION_ATOMIC); break;
    case WORD_WHEN: made = statement_when(reader, node); break;
    case WORD_MONITOR: made = statement_single(reader, node, PLOYI_EXPRESSION_MONITOR); break;
    case WORD_RECORD: made = statement_record(reader, node); break;
    case WORD_NONE:
        made = ployi_read_at(reader, "{") ? statement_block(reader) : ployi_read_value(reader);
        break;
    default:
        reader->token = reader->last; // the word itself is the fault
        reader->at = reader->token.at + reader->token.size;
        made = ployi_read_unexpected(reader, "unexpected keyword", "a statement");
        break;
    }
    reader->depth--;
    if (made >= 0) {
        PLOY_ARRAY_ITEMS(&reader->made->nodes, ployi_expression_node)
        [made].end = reader->last.at + reader->last.size;
    }
    return made;
}

ploy_result ployi_tree_read(const char *text, size_t size, const char *name, const ploy_env *env,
                            ploy_diags *diags, ploy_expression **out) {
    ployi_reader reader;
    *out = NULL;
    ploy_result result = ployi_reader_init(&reader, text, size, name, 1, 1, env, diags);
    if (result != PLOY_OK) return result;
    reader.program = true;
    reader.names_max = PLOY_PROGRAM_NAMES_MAX;
    ployi_read_next(&reader);
    reader.made->first = statement_list(&reader);
    while (reader.result != PLOY_ERR_MEMORY && reader.token.kind != PLOYI_PROGRAM_TOKEN_END) {
        (void)ployi_read_unexpected(&reader, "unexpected '}'", "a statement");
        ployi_read_next(&reader);
        reader.failed = false;
        (void)statement_list(&reader);
    }
    if (reader.result != PLOY_OK) {
        ploy_expression_destroy(reader.made);
        return reader.result;
    }
    *out = reader.made;
    return PLOY_OK;
}

// ---- the tree as text

static const char *statement_op_text(uint8_t op) {
    static const char *const texts[] = {"number",
                                        "text",
                                        "name",
                                        "call",
                                        "make",
                                        "set",
                                        "choose",
                                        "or",
                                        "and",
                                        "equal",
                                        "different",
                                        "less or equal",
                                        "greater or equal",
                                        "less",
                                        "greater",
                                        "bit or",
                                        "bit xor",
                                        "bit and",
                                        "add",
                                        "subtract",
                                        "join",
                                        "multiply",
                                        "divide",
                                        "not",
                                        "invert",
                                        "negate",
                                        "index",
                                        "set index",
                                        "none",
                                        "block",
                                        "if",
                                        "while",
                                        "for",
                                        "each",
                                        "function",
                                        "return",
                                        "local",
                                        "keep",
                                        "yield",
                                        "wait",
                                        "until",
                                        "atomic",
                                        "when",
                                        "monitor",
                                        "record"};
    return op < sizeof texts / sizeof texts[0] ? texts[op] : "?";
}

static void statement_print(const ploy_expression *tree, int32_t node, int32_t indent,
                            ploy_writer *out) {
    const char *texts = PLOY_ARRAY_ITEMS(&tree->texts, char);
    for (int32_t next; node >= 0; node = next) {
        const ployi_expression_node *at =
            &PLOY_ARRAY_ITEMS(&tree->nodes, ployi_expression_node)[node];
        next = at->next;
        for (int32_t i = 0; i < indent; i++) ploy_write_text(out, "  ");
        ploy_write_text(out, statement_op_text(at->op));
        uint32_t text = 0;
        if (at->op == PLOYI_EXPRESSION_NUMBER || at->op == PLOYI_EXPRESSION_WHEN ||
            (at->op == PLOYI_EXPRESSION_FOR && at->number != 1.0)) {
            ploy_write_char(out, ' ');
            ploy_write_f64(out, at->number);
        }
        if (at->op == PLOYI_EXPRESSION_TEXT) {
            text = at->text;
        } else if (at->op == PLOYI_EXPRESSION_CALL) {
            text = PLOY_ARRAY_ITEMS(&tree->calls, ployi_expression_call)[at->name].text;
        } else if (at->op == PLOYI_EXPRESSION_NAME || at->op == PLOYI_EXPRESSION_MAKE ||
                   at->op == PLOYI_EXPRESSION_SET || at->op == PLOYI_EXPRESSION_INDEX ||
                   at->op == PLOYI_EXPRESSION_SETINDEX || at->op == PLOYI_EXPRESSION_FOR ||
                   at->op == PLOYI_EXPRESSION_EACH || at->op == PLOYI_EXPRESSION_FUNCTION ||
                   at->op == PLOYI_EXPRESSION_LOCAL || at->op == PLOYI_EXPRESSION_KEEP ||
                   at->op == PLOYI_EXPRESSION_RECORD) {
            text = PLOY_ARRAY_ITEMS(&tree->names, ployi_expression_name)[at->name].text;
        }
        if (text != 0) {
            ploy_write_text(out, at->op == PLOYI_EXPRESSION_TEXT ? " '" : " ");
            ploy_write_text(out, texts + text);
            if (at->op == PLOYI_EXPRESSION_TEXT) ploy_write_char(out, '\'');
        }
        ploy_write_char(out, '\n');
        const int32_t below[4] = {at->a, at->b, at->c, at->d};
        for (int32_t i = 0; i < 4; i++) statement_print(tree, below[i], indent + 1, out);
    }
}

ploy_result ploy_program_print_tree(const char *text, size_t size, const char *name,
                                    const ploy_env *env, ploy_diags *diags, ploy_writer *out) {
    if ((text == NULL && size > 0) || env == NULL || out == NULL || size > INT32_MAX / 4) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_expression *tree = NULL;
    ploy_result result = ployi_tree_read(size > 0 ? text : "", size, name, env, diags, &tree);
    if (result != PLOY_OK) return result;
    statement_print(tree, tree->first, 0, out);
    ploy_expression_destroy(tree);
    return ploy_writer_result(out);
}
