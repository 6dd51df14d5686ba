// The parser of expressions: one function climbs the table of binary operators; see
// ploy/decide/expression.h. Statements are in program_statement.c.
#include <string.h>

#include "decide/program_read.h"

// Binary operators from loose to tight; longer ones before their beginnings.
static const struct {
    const char *text;
    uint8_t op, level;
} expression_operators[] = {
    {"or", PLOYI_EXPRESSION_OR, 1},         {"and", PLOYI_EXPRESSION_AND, 2},
    {"||", PLOYI_EXPRESSION_OR, 1},         {"&&", PLOYI_EXPRESSION_AND, 2},
    {"==", PLOYI_EXPRESSION_EQUAL, 3},      {"!=", PLOYI_EXPRESSION_DIFFERENT, 3},
    {"<=", PLOYI_EXPRESSION_LESS_EQUAL, 3}, {">=", PLOYI_EXPRESSION_GREATER_EQUAL, 3},
    {"<", PLOYI_EXPRESSION_LESS, 3},        {">", PLOYI_EXPRESSION_GREATER, 3},
    {"|", PLOYI_EXPRESSION_BIT_OR, 4},      {"^", PLOYI_EXPRESSION_BIT_XOR, 4},
    {"&", PLOYI_EXPRESSION_BIT_AND, 5},     {"..", PLOYI_EXPRESSION_JOIN, 6},
    {"+", PLOYI_EXPRESSION_ADD, 6},         {"-", PLOYI_EXPRESSION_SUBTRACT, 6},
    {"*", PLOYI_EXPRESSION_MULTIPLY, 7},    {"/", PLOYI_EXPRESSION_DIVIDE, 7},
};
enum { EXPRESSION_COMPARE = 3, EXPRESSION_TIGHTEST = 8 };

void ployi_expression_place(const ploy_expression *expression, uint32_t at, int32_t *line,
                            int32_t *column) {
    const char *texts = PLOY_ARRAY_ITEMS(&expression->texts, char);
    *line = expression->line;
    *column = expression->column;
    for (uint32_t i = 0; i < at && texts[i] != 0; i++) {
        *column = texts[i] == '\n' ? 1 : *column + 1;
        if (texts[i] == '\n') ++*line;
    }
}

static ploy_result expression_fault_near(const ploy_expression *expression, ploy_diags *diags,
                                         ploy_result code, uint32_t at, const char *message,
                                         const char *expected, const char *nearest) {
    const char *texts = PLOY_ARRAY_ITEMS(&expression->texts, char);
    int32_t line, column;
    ployi_expression_place(expression, at, &line, &column);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, texts + expression->source, line, column,
                   message, expected, nearest);
    return code;
}

ploy_result ployi_expression_fault(const ploy_expression *expression, ploy_diags *diags,
                                   ploy_result code, uint32_t at, const char *message,
                                   const char *expected) {
    return expression_fault_near(expression, diags, code, at, message, expected, NULL);
}

int32_t ployi_read_fail(ployi_reader *reader, ploy_result code, size_t at, const char *message,
                        const char *expected) {
    return ployi_read_fail_near(reader, code, at, message, expected, NULL);
}

int32_t ployi_read_fail_near(ployi_reader *reader, ploy_result code, size_t at, const char *message,
                             const char *expected, const char *nearest) {
    if (!reader->failed) {
        ploy_result fault = expression_fault_near(reader->made, reader->diags, code, (uint32_t)at,
                                                  message, expected, nearest);
        if (reader->result == PLOY_OK) reader->result = fault;
    }
    reader->failed = true;
    return -1;
}

// Reports what the present token is not.
int32_t ployi_read_unexpected(ployi_reader *reader, const char *message, const char *expected) {
    const ployi_program_token *token = &reader->token;
    if (token->kind == PLOYI_PROGRAM_TOKEN_FAULT && token->message != NULL) {
        return ployi_read_fail(reader, (ploy_result)token->code, token->at, token->message,
                               token->expected);
    }
    return ployi_read_fail(reader, PLOY_ERR_FORMAT, token->at, message, expected);
}

static int32_t expression_short(ployi_reader *reader) {
    reader->result = PLOY_ERR_MEMORY;
    reader->failed = true;
    return -1;
}

void ployi_read_next(ployi_reader *reader) {
    size_t last = reader->token.at + reader->token.size;
    reader->last = reader->token;
    do {
        reader->token = ployi_lex(reader->text, reader->size, &reader->at, reader->program);
    } while (reader->token.kind == PLOYI_PROGRAM_TOKEN_SPACE);
    for (size_t i = last; i < reader->token.at; i++) {
        if (reader->text[i] == '\n') reader->token.first = true;
    }
}

bool ployi_read_at(const ployi_reader *reader, const char *text) {
    size_t size = strlen(text);
    return reader->token.kind == PLOYI_PROGRAM_TOKEN_SIGN && reader->token.size == size &&
           memcmp(reader->text + reader->token.at, text, size) == 0;
}

bool ployi_read_word(const ployi_reader *reader, const char *word) {
    size_t size = strlen(word);
    return reader->token.kind == PLOYI_PROGRAM_TOKEN_NAME && reader->token.size == size &&
           memcmp(reader->text + reader->token.at, word, size) == 0;
}

bool ployi_read_take(ployi_reader *reader, const char *text) {
    if (!ployi_read_at(reader, text)) return false;
    ployi_read_next(reader);
    return true;
}

uint32_t ployi_read_keep(ployi_reader *reader, const char *text, size_t size) {
    uint32_t at = (uint32_t)reader->made->texts.count;
    if (ploy_array_push_many(&reader->made->texts, text, (int32_t)size) != PLOY_OK ||
        ploy_array_push(&reader->made->texts, "") != PLOY_OK) {
        expression_short(reader);
    }
    return at;
}

static const ployi_expression_node *expression_node(const ployi_reader *reader, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&reader->made->nodes, ployi_expression_node)[node];
}

ployi_expression_node ployi_read_node(uint8_t op, size_t at) {
    ployi_expression_node node;
    memset(&node, 0, sizeof node);
    node.op = op;
    node.at = (uint32_t)at;
    node.a = node.b = node.c = node.d = node.next = node.symbol = node.entry = -1;
    return node;
}

// @return the node's number, or -1.
int32_t ployi_read_add(ployi_reader *reader, ployi_expression_node node) {
    const int32_t below[4] = {node.a, node.b, node.c, node.d};
    node.depth = 1;
    for (int32_t i = 0; i < 4; i++) {
        // The statements of a block are side by side.
        for (int32_t at = below[i]; at >= 0; at = expression_node(reader, at)->next) {
            uint16_t depth = (uint16_t)(expression_node(reader, at)->depth + 1);
            if (depth > node.depth) node.depth = depth;
        }
    }
    if (node.depth > PLOY_EXPRESSION_DEPTH_MAX) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, node.at, "expression is nested too deeply",
                               NULL);
    }
    if (ploy_array_push(&reader->made->nodes, &node) != PLOY_OK) return expression_short(reader);
    return reader->made->nodes.count - 1;
}

// ---- values ----

static int32_t expression_read_number(ployi_reader *reader) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_NUMBER, reader->token.at);
    node.number = reader->token.number;
    ployi_read_next(reader);
    return ployi_read_add(reader, node);
}

static int32_t expression_read_text(ployi_reader *reader) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_TEXT, reader->token.at);
    node.text =
        ployi_read_keep(reader, reader->text + reader->token.at + 1, reader->token.size - 2);
    ployi_read_next(reader);
    return ployi_read_add(reader, node);
}

// The place of a name among the names; -1 if there are too many.
int32_t ployi_read_find_name(ployi_reader *reader, size_t begin, size_t size) {
    ploy_array *names = &reader->made->names;
    for (int32_t i = 0; i < names->count; i++) {
        const char *known = PLOY_ARRAY_ITEMS(&reader->made->texts, char) +
                            PLOY_ARRAY_ITEMS(names, ployi_expression_name)[i].text;
        if (strlen(known) == size && memcmp(known, reader->text + begin, size) == 0) return i;
    }
    if (names->count == reader->names_max) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, begin, "too many names", NULL);
    }
    ployi_expression_name name;
    memset(&name, 0, sizeof name);
    name.text = ployi_read_keep(reader, reader->text + begin, size);
    if (reader->failed) return -1; // it has no end, so nothing may look for it
    if (ploy_array_push(names, &name) != PLOY_OK) return expression_short(reader);
    return names->count - 1;
}

static int32_t expression_read_binary(ployi_reader *reader, uint8_t level);
static int32_t expression_read_value(ployi_reader *reader, bool assignable);
static int32_t expression_read_choice(ployi_reader *reader);
static int32_t expression_read_statement(ployi_reader *reader);

// One of `:= = += -= *= /=` behind a name; *op is the operation in it, NUMBER for none.
static bool expression_take_assignment(ployi_reader *reader, bool *makes, uint8_t *op) {
    static const struct {
        const char *text;
        uint8_t op;
    } assignments[] = {{"+=", PLOYI_EXPRESSION_ADD},
                       {"-=", PLOYI_EXPRESSION_SUBTRACT},
                       {"*=", PLOYI_EXPRESSION_MULTIPLY},
                       {"/=", PLOYI_EXPRESSION_DIVIDE}};
    *op = PLOYI_EXPRESSION_NUMBER;
    *makes = ployi_read_take(reader, ":=");
    if (*makes) return true;
    for (size_t i = 0; i < sizeof assignments / sizeof assignments[0]; i++) {
        if (!ployi_read_take(reader, assignments[i].text)) continue;
        *op = assignments[i].op;
        return true;
    }
    return ployi_read_take(reader, "=");
}

static const char expression_signs[] = "!~-";
enum { EXPRESSION_WORD_NOT = 3 };

// The value behind a sign, which is taken; which of expression_signs it is, or the word `not`, which
// is looser than comparisons.
static int32_t expression_read_sign(ployi_reader *reader, size_t begin, int32_t sign) {
    static const uint8_t ops[] = {PLOYI_EXPRESSION_NOT, PLOYI_EXPRESSION_INVERT,
                                  PLOYI_EXPRESSION_NEGATE, PLOYI_EXPRESSION_NOT};
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    reader->depth++;
    int32_t inner = sign == EXPRESSION_WORD_NOT ? expression_read_binary(reader, EXPRESSION_COMPARE)
                                                : expression_read_value(reader, false);
    reader->depth--;
    if (inner < 0) return -1;
    ployi_expression_node node = ployi_read_node(ops[sign], begin);
    node.a = inner;
    return ployi_read_add(reader, node);
}

// Arguments up to the closing parenthesis; the opening one is taken.
static int32_t expression_read_call(ployi_reader *reader, size_t begin, size_t size) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_CALL, begin);
    ploy_array *calls = &reader->made->calls;
    ployi_expression_call call;
    memset(&call, 0, sizeof call);
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX || calls->count == reader->names_max) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, begin, "too many calls", NULL);
    }
    reader->depth++;
    int32_t *const args[PLOY_CONDITION_ARGS_MAX] = {&node.a, &node.b, &node.c, &node.d};
    reader->parens++;
    for (bool more = !ployi_read_take(reader, ")"); more;) {
        if (call.count == PLOY_CONDITION_ARGS_MAX) {
            return ployi_read_unexpected(reader, "too many arguments", NULL);
        }
        int32_t arg =
            reader->program ? expression_read_statement(reader) : expression_read_binary(reader, 1);
        if (arg < 0) return -1;
        *args[call.count++] = arg;
        more = ployi_read_take(reader, ",");
        if (!more && !ployi_read_take(reader, ")")) {
            return ployi_read_unexpected(reader, "unclosed arguments", "',' or ')'");
        }
    }
    reader->depth--;
    reader->parens--;
    call.at = (uint32_t)begin;
    call.text = ployi_read_keep(reader, reader->text + begin, size);
    if (reader->failed) return -1;
    call.node = reader->made->nodes.count;
    node.name = (uint16_t)calls->count;
    if (ploy_array_push(calls, &call) != PLOY_OK) return expression_short(reader);
    return ployi_read_add(reader, node);
}

// True if `not` is an operator here: something that it can negate follows. A key may have
// that name, too.
static bool expression_negates(const ployi_reader *reader, size_t begin, size_t size) {
    if (size != 3 || memcmp(reader->text + begin, "not", 3) != 0) return false;
    switch ((ployi_program_token_kind)reader->token.kind) {
    case PLOYI_PROGRAM_TOKEN_NAME:
        return !ployi_read_word(reader, "and") && !ployi_read_word(reader, "or");
    case PLOYI_PROGRAM_TOKEN_NUMBER:
    case PLOYI_PROGRAM_TOKEN_TEXT: return true;
    case PLOYI_PROGRAM_TOKEN_FAULT: return reader->token.message != NULL;
    default:
        return ployi_read_at(reader, "!") || ployi_read_at(reader, "~") ||
               ployi_read_at(reader, "(");
    }
}

// name[index], also assigned. Only in programs.
static int32_t expression_read_index(ployi_reader *reader, size_t begin, int32_t name,
                                     bool assignable) {
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_INDEX, begin);
    node.name = (uint16_t)name;
    reader->parens++;
    node.a = expression_read_statement(reader);
    reader->parens--;
    if (node.a < 0) return -1;
    if (!ployi_read_take(reader, "]")) return ployi_read_unexpected(reader, "unclosed '['", "']'");
    if (assignable && ployi_read_take(reader, "=")) {
        node.op = PLOYI_EXPRESSION_SETINDEX;
        node.b = expression_read_statement(reader);
        if (node.b < 0) return -1;
    }
    return ployi_read_add(reader, node);
}

static int32_t expression_read_name(ployi_reader *reader, bool assignable) {
    size_t begin = reader->token.at, size = reader->token.size;
    ployi_read_next(reader);
    bool same_line = !reader->program || !reader->token.first;
    if (expression_negates(reader, begin, size)) {
        return expression_read_sign(reader, begin, EXPRESSION_WORD_NOT);
    }
    if (same_line && ployi_read_take(reader, "(")) return expression_read_call(reader, begin, size);
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_NUMBER, begin);
    bool truth = size == 4 && memcmp(reader->text + begin, "true", 4) == 0;
    bool known = truth || (size == 5 && memcmp(reader->text + begin, "false", 5) == 0);
    node.number = truth ? 1.0 : 0.0;
    for (int32_t i = 0; i < reader->constant_count && !known; i++) {
        const char *name = reader->constants[i].name;
        known = strlen(name) == size && memcmp(name, reader->text + begin, size) == 0;
        if (known) node.number = reader->constants[i].value;
    }
    if (known) return ployi_read_add(reader, node);
    if (reader->program && size == 4 && memcmp(reader->text + begin, "none", 4) == 0) {
        node.op = PLOYI_EXPRESSION_NOTHING;
        return ployi_read_add(reader, node);
    }
    int32_t name = ployi_read_find_name(reader, begin, size);
    if (name < 0) return -1;
    if (reader->program && same_line && ployi_read_take(reader, "[")) {
        return expression_read_index(reader, begin, name, assignable);
    }
    node.op = PLOYI_EXPRESSION_NAME;
    node.number = 0.0;
    node.name = (uint16_t)name;
    bool makes = false;
    uint8_t op = PLOYI_EXPRESSION_NUMBER;
    bool assigns = assignable && expression_take_assignment(reader, &makes, &op);
    if (!assigns || op != PLOYI_EXPRESSION_NUMBER) {
        PLOY_ARRAY_ITEMS(&reader->made->names, ployi_expression_name)[name].reads = true;
    }
    if (!assigns) return ployi_read_add(reader, node);
    // Taken again below, because reading on may move the names.
    int32_t left = op != PLOYI_EXPRESSION_NUMBER ? ployi_read_add(reader, node) : -1;
    int32_t right = expression_read_statement(reader);
    if (right < 0 || (op != PLOYI_EXPRESSION_NUMBER && left < 0)) return -1;
    if (op != PLOYI_EXPRESSION_NUMBER) {
        ployi_expression_node sum = ployi_read_node(op, begin);
        sum.a = left;
        sum.b = right;
        right = ployi_read_add(reader, sum);
        if (right < 0) return -1;
    }
    ployi_expression_name *known_name =
        &PLOY_ARRAY_ITEMS(&reader->made->names, ployi_expression_name)[name];
    known_name->writes = true;
    known_name->makes = known_name->makes || makes;
    node.op = makes ? PLOYI_EXPRESSION_MAKE : PLOYI_EXPRESSION_SET;
    node.a = right;
    return ployi_read_add(reader, node);
}

static int32_t expression_read_value(ployi_reader *reader, bool assignable) {
    size_t begin = reader->token.at;
    switch ((ployi_program_token_kind)reader->token.kind) {
    case PLOYI_PROGRAM_TOKEN_END:
        return ployi_read_unexpected(reader, "unexpected end of the expression", "a value");
    case PLOYI_PROGRAM_TOKEN_TEXT: return expression_read_text(reader);
    case PLOYI_PROGRAM_TOKEN_NUMBER: return expression_read_number(reader);
    case PLOYI_PROGRAM_TOKEN_NAME:
        if (reader->program && ployi_tree_keyword(reader->text + begin, reader->token.size) != 0) {
            return ployi_read_unexpected(reader, "unexpected keyword", "a value");
        }
        return expression_read_name(reader, assignable);
    default: break;
    }
    const char *sign = reader->token.size == 1 && reader->token.kind == PLOYI_PROGRAM_TOKEN_SIGN
                           ? strchr(expression_signs, reader->text[begin])
                           : NULL;
    if (sign == NULL && !ployi_read_at(reader, "(")) {
        return ployi_read_unexpected(reader, "invalid value",
                                     "a number, a name, a text in quotes or '('");
    }
    ployi_read_next(reader);
    if (sign != NULL) {
        return expression_read_sign(reader, begin, (int32_t)(sign - expression_signs));
    }
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    reader->depth++;
    reader->parens++;
    int32_t inner = expression_read_statement(reader);
    reader->parens--;
    reader->depth--;
    if (inner < 0 || ployi_read_take(reader, ")")) return inner;
    return ployi_read_fail(reader, PLOY_ERR_FORMAT, begin, "unclosed '('", "')'");
}

// ---- operators ----

// The operator here, if it binds at least that tightly; -1 else.
static int32_t expression_peek(ployi_reader *reader, uint8_t level) {
    if (reader->program && reader->parens == 0 && reader->token.first) return -1; // a new line
    for (int32_t i = 0; i < (int32_t)(sizeof expression_operators / sizeof expression_operators[0]);
         i++) {
        const char *text = expression_operators[i].text;
        if (!ployi_read_at(reader, text) && !ployi_read_word(reader, text)) continue;
        return expression_operators[i].level >= level ? i : -1;
    }
    return -1;
}

static int32_t expression_climb(ployi_reader *reader, int32_t left, uint8_t level) {
    bool chained = false;
    for (int32_t found = expression_peek(reader, level); found >= 0 && left >= 0;
         found = expression_peek(reader, level)) {
        uint8_t tighter = (uint8_t)(expression_operators[found].level + 1);
        ployi_expression_node node =
            ployi_read_node(expression_operators[found].op, reader->token.at);
        ployi_read_next(reader);
        int32_t right = tighter < EXPRESSION_TIGHTEST ? expression_read_binary(reader, tighter)
                                                      : expression_read_value(reader, false);
        if (right < 0) return -1;
        bool compares = expression_operators[found].level == EXPRESSION_COMPARE;
        node.a = left;
        node.b = right;
        node.chained = compares && chained;
        chained = compares;
        left = ployi_read_add(reader, node);
    }
    return left;
}

static int32_t expression_read_binary(ployi_reader *reader, uint8_t level) {
    int32_t left = expression_read_value(reader, false);
    return left < 0 ? -1 : expression_climb(reader, left, level);
}

static int32_t expression_read_choice(ployi_reader *reader) {
    int32_t left = expression_read_value(reader, true);
    if (left < 0) return -1;
    uint8_t op = expression_node(reader, left)->op;
    // `a = b` is a whole statement, unless it stood in parentheses, where nothing follows wrongly.
    if ((op == PLOYI_EXPRESSION_MAKE || op == PLOYI_EXPRESSION_SET) &&
        reader->text[reader->last.at] != ')') {
        return left;
    }
    left = expression_climb(reader, left, 1);
    if (left < 0) return -1;
    size_t begin = reader->token.at;
    if (!ployi_read_take(reader, "?")) return left;
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    ployi_expression_node node = ployi_read_node(PLOYI_EXPRESSION_CHOOSE, begin);
    node.a = left;
    reader->depth++;
    node.b = expression_read_choice(reader);
    if (node.b >= 0 && !ployi_read_take(reader, ":")) {
        node.b = ployi_read_unexpected(reader, "missing ':' of a choice", "':'");
    }
    if (node.b >= 0) node.c = expression_read_choice(reader);
    reader->depth--;
    return node.b < 0 || node.c < 0 ? -1 : ployi_read_add(reader, node);
}

static int32_t expression_read_statement(ployi_reader *reader) {
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return ployi_read_fail(reader, PLOY_ERR_LIMIT, reader->token.at,
                               "expression is nested too deeply", NULL);
    }
    reader->depth++;
    int32_t read = expression_read_choice(reader);
    reader->depth--;
    return read;
}

int32_t ployi_read_value(ployi_reader *reader) {
    return expression_read_statement(reader);
}

static void expression_read(ployi_reader *reader) {
    ploy_expression *made = reader->made;
    while (reader->result == PLOY_OK) {
        while (ployi_read_take(reader, ";")) {
        }
        if (reader->token.kind == PLOYI_PROGRAM_TOKEN_END) break;
        int32_t statement = expression_read_statement(reader);
        if (statement < 0) return;
        if (made->last >= 0) {
            PLOY_ARRAY_ITEMS(&made->nodes, ployi_expression_node)[made->last].next = statement;
        } else {
            made->first = statement;
        }
        made->last = statement;
        if (reader->token.kind != PLOYI_PROGRAM_TOKEN_END && !ployi_read_at(reader, ";")) {
            ployi_read_unexpected(reader, "unexpected text", "an operator or ';'");
        }
    }
    if (reader->result == PLOY_OK && made->first < 0) {
        ployi_read_fail(reader, PLOY_ERR_FORMAT, 0, "unexpected end", "an expression");
    }
}

ploy_result ployi_reader_init(ployi_reader *reader, const char *text, size_t size, const char *name,
                              int32_t line, int32_t column, const ploy_env *env,
                              ploy_diags *diags) {
    memset(reader, 0, sizeof *reader);
    ploy_expression *made = ploy_env_alloc_zero(env, sizeof *made);
    if (made == NULL) return PLOY_ERR_MEMORY;
    made->env = *env;
    made->first = made->last = -1;
    made->line = line;
    made->column = column;
    ploy_array_init(&made->nodes, sizeof(ployi_expression_node), env);
    ploy_array_init(&made->names, sizeof(ployi_expression_name), env);
    ploy_array_init(&made->texts, 1, env);
    ploy_array_init(&made->calls, sizeof(ployi_expression_call), env);
    reader->made = made;
    reader->text = text;
    reader->size = size;
    reader->diags = diags;
    reader->names_max = PLOY_EXPRESSION_NAMES_MAX;
    ployi_read_keep(reader, text, size);
    made->source = (uint32_t)made->texts.count;
    if (name == NULL) name = "";
    ployi_read_keep(reader, name, strlen(name));
    if (reader->result == PLOY_OK) return PLOY_OK;
    ploy_expression_destroy(made);
    return reader->result;
}

ploy_result ploy_expression_create(const char *text, const char *name, int32_t line, int32_t column,
                                   const ploy_expression_constant *constants,
                                   int32_t constant_count, const ploy_env *env, ploy_diags *diags,
                                   ploy_expression **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (text == NULL || env == NULL || constant_count < 0 ||
        (constants == NULL && constant_count > 0) || strlen(text) > INT32_MAX / 4) {
        return PLOY_ERR_ARGUMENT;
    }
    ployi_reader reader;
    ploy_result result =
        ployi_reader_init(&reader, text, strlen(text), name, line, column, env, diags);
    if (result != PLOY_OK) return result;
    reader.constants = constants;
    reader.constant_count = constant_count;
    ployi_read_next(&reader);
    expression_read(&reader);
    if (reader.result != PLOY_OK) {
        ploy_expression_destroy(reader.made);
        return reader.result;
    }
    *out = reader.made;
    return PLOY_OK;
}
