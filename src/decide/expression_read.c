// Reading expressions: one function climbs the table of binary operators; see the header.
#include <string.h>

#include "decide/expression_internal.h"
#include "ploy/base/number.h"

typedef struct expression_reader {
    ploy_expression *made;
    const char *text;
    size_t size, at;
    const ploy_expression_constant *constants;
    int32_t constant_count;
    ploy_diags *diags;
    int32_t depth; // of parentheses and signs
    ploy_result result;
} expression_reader;

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

ploy_result ployi_expression_fault(const ploy_expression *expression, ploy_diags *diags,
                                   ploy_result code, uint32_t at, const char *message,
                                   const char *expected) {
    const char *texts = PLOY_ARRAY_ITEMS(&expression->texts, char);
    int32_t line, column;
    ployi_expression_place(expression, at, &line, &column);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, texts + expression->source, line, column,
                   message, expected, NULL);
    return code;
}

static int32_t expression_fail(expression_reader *reader, ploy_result code, size_t at,
                               const char *message, const char *expected) {
    if (reader->result == PLOY_OK) {
        reader->result = ployi_expression_fault(reader->made, reader->diags, code, (uint32_t)at,
                                                message, expected);
    }
    return -1;
}

static int32_t expression_short(expression_reader *reader) {
    if (reader->result == PLOY_OK) reader->result = PLOY_ERR_MEMORY;
    return -1;
}

static void expression_skip(expression_reader *reader) {
    while (reader->at < reader->size &&
           (reader->text[reader->at] == ' ' || reader->text[reader->at] == '\t' ||
            reader->text[reader->at] == '\n' || reader->text[reader->at] == '\r')) {
        reader->at++;
    }
}

static bool expression_at(const expression_reader *reader, const char *text) {
    size_t size = strlen(text);
    return reader->size - reader->at >= size && memcmp(reader->text + reader->at, text, size) == 0;
}

static bool expression_take(expression_reader *reader, const char *text) {
    expression_skip(reader);
    if (!expression_at(reader, text)) return false;
    reader->at += strlen(text);
    return true;
}

static bool expression_begins_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@' ||
           (unsigned char)c >= 0x80;
}

static bool expression_in_name(char c) {
    return (expression_begins_name(c) && c != '@') || (c >= '0' && c <= '9');
}

// True if a name goes on so many bytes from here: a point needs more of the name behind it, because
// two of them join.
static bool expression_names_on(const expression_reader *reader, size_t skip) {
    size_t at = reader->at + skip;
    if (at >= reader->size) return false;
    char c = reader->text[at];
    if (c == '.') return at + 1 < reader->size && expression_in_name(reader->text[at + 1]);
    return expression_in_name(c);
}

static uint32_t expression_keep(expression_reader *reader, const char *text, size_t size) {
    uint32_t at = (uint32_t)reader->made->texts.count;
    if (ploy_array_push_many(&reader->made->texts, text, (int32_t)size) != PLOY_OK ||
        ploy_array_push(&reader->made->texts, "") != PLOY_OK) {
        expression_short(reader);
    }
    return at;
}

static const ployi_expression_node *expression_node(const expression_reader *reader, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&reader->made->nodes, ployi_expression_node)[node];
}

static ployi_expression_node expression_blank(uint8_t op, size_t at) {
    ployi_expression_node node;
    memset(&node, 0, sizeof node);
    node.op = op;
    node.at = (uint32_t)at;
    node.a = node.b = node.c = node.d = node.next = -1;
    return node;
}

// @return the node's number, or -1.
static int32_t expression_add(expression_reader *reader, ployi_expression_node node) {
    const int32_t below[4] = {node.a, node.b, node.c, node.d};
    node.depth = 1;
    for (int32_t i = 0; i < 4; i++) {
        if (below[i] < 0) continue;
        uint16_t depth = (uint16_t)(expression_node(reader, below[i])->depth + 1);
        if (depth > node.depth) node.depth = depth;
    }
    if (node.depth > PLOY_EXPRESSION_DEPTH_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, node.at, "expression is nested too deeply",
                               NULL);
    }
    if (ploy_array_push(&reader->made->nodes, &node) != PLOY_OK) return expression_short(reader);
    return reader->made->nodes.count - 1;
}

// ---- values ----

static int32_t expression_read_number(expression_reader *reader) {
    size_t begin = reader->at, used = 0;
    const char *text = reader->text + begin;
    ployi_expression_node node = expression_blank(PLOYI_EXPRESSION_NUMBER, begin);
    ploy_result result;
    if (expression_at(reader, "0x") || expression_at(reader, "0X")) {
        uint64_t bits = 0;
        result = ploy_parse_hex64(text + 2, reader->size - begin - 2, &used, &bits);
        node.number = (double)bits;
        used += 2;
    } else {
        result = ploy_parse_f64(text, reader->size - begin, &used, &node.number);
    }
    reader->at += used;
    char next = reader->at < reader->size ? reader->text[reader->at] : ' ';
    bool joins = expression_at(reader, "..");
    // A point needs a digit behind it: `1..2` joins, `1.` is nothing.
    bool cut = result == PLOY_OK && used > 0 && text[used - 1] == '.';
    if (result != PLOY_OK || cut || expression_in_name(next) || (next == '.' && !joins)) {
        return expression_fail(reader, PLOY_ERR_FORMAT, begin, "invalid number", NULL);
    }
    return expression_add(reader, node);
}

static int32_t expression_read_text(expression_reader *reader) {
    const char quote[2] = {reader->text[reader->at], 0};
    size_t begin = ++reader->at;
    while (reader->at < reader->size && reader->text[reader->at] != quote[0]) reader->at++;
    if (reader->at >= reader->size) {
        return expression_fail(reader, PLOY_ERR_FORMAT, begin - 1, "unclosed quote", quote);
    }
    ployi_expression_node node = expression_blank(PLOYI_EXPRESSION_TEXT, begin - 1);
    if (reader->at - begin > PLOY_BLACKBOARD_TEXT_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin - 1, "text is too long", NULL);
    }
    node.text = expression_keep(reader, reader->text + begin, reader->at - begin);
    reader->at++;
    return expression_add(reader, node);
}

// The place of a name among the names; -1 if there are too many.
static int32_t expression_find_name(expression_reader *reader, size_t begin, size_t size) {
    ploy_array *names = &reader->made->names;
    for (int32_t i = 0; i < names->count; i++) {
        const char *known = PLOY_ARRAY_ITEMS(&reader->made->texts, char) +
                            PLOY_ARRAY_ITEMS(names, ployi_expression_name)[i].text;
        if (strlen(known) == size && memcmp(known, reader->text + begin, size) == 0) return i;
    }
    if (names->count == PLOY_EXPRESSION_NAMES_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin, "too many names", NULL);
    }
    ployi_expression_name name;
    memset(&name, 0, sizeof name);
    name.text = expression_keep(reader, reader->text + begin, size);
    if (reader->result != PLOY_OK) return -1; // it has no end, so nothing may look for it
    if (ploy_array_push(names, &name) != PLOY_OK) return expression_short(reader);
    return names->count - 1;
}

static int32_t expression_read_binary(expression_reader *reader, uint8_t level);
static int32_t expression_read_value(expression_reader *reader, bool assignable);
static int32_t expression_read_choice(expression_reader *reader);
static int32_t expression_read_statement(expression_reader *reader);

// One of `:= = += -= *= /=` behind a name; *op is the operation in it, NUMBER for none.
static bool expression_take_assignment(expression_reader *reader, bool *makes, uint8_t *op) {
    static const struct {
        const char *text;
        uint8_t op;
    } assignments[] = {{"+=", PLOYI_EXPRESSION_ADD},
                       {"-=", PLOYI_EXPRESSION_SUBTRACT},
                       {"*=", PLOYI_EXPRESSION_MULTIPLY},
                       {"/=", PLOYI_EXPRESSION_DIVIDE}};
    expression_skip(reader);
    *op = PLOYI_EXPRESSION_NUMBER;
    *makes = expression_take(reader, ":=");
    if (*makes) return true;
    for (size_t i = 0; i < sizeof assignments / sizeof assignments[0]; i++) {
        if (!expression_take(reader, assignments[i].text)) continue;
        *op = assignments[i].op;
        return true;
    }
    if (expression_at(reader, "==") || !expression_at(reader, "=")) return false;
    reader->at++;
    return true;
}

static const char expression_signs[] = "!~-";
enum { EXPRESSION_WORD_NOT = 3 };

// The value behind a sign, which is taken; which of expression_signs it is, or the word `not`, which
// is looser than comparisons.
static int32_t expression_read_sign(expression_reader *reader, size_t begin, int32_t sign) {
    static const uint8_t ops[] = {PLOYI_EXPRESSION_NOT, PLOYI_EXPRESSION_INVERT,
                                  PLOYI_EXPRESSION_NEGATE, PLOYI_EXPRESSION_NOT};
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    reader->depth++;
    int32_t inner = sign == EXPRESSION_WORD_NOT ? expression_read_binary(reader, EXPRESSION_COMPARE)
                                                : expression_read_value(reader, false);
    reader->depth--;
    if (inner < 0) return -1;
    ployi_expression_node node = expression_blank(ops[sign], begin);
    node.a = inner;
    return expression_add(reader, node);
}

// Arguments up to the closing parenthesis; the opening one is taken.
static int32_t expression_read_call(expression_reader *reader, size_t begin, size_t size) {
    ployi_expression_node node = expression_blank(PLOYI_EXPRESSION_CALL, begin);
    ploy_array *calls = &reader->made->calls;
    ployi_expression_call call;
    memset(&call, 0, sizeof call);
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX || calls->count == PLOY_EXPRESSION_NAMES_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin, "too many calls", NULL);
    }
    reader->depth++;
    int32_t *const args[PLOY_CONDITION_ARGS_MAX] = {&node.a, &node.b, &node.c, &node.d};
    for (bool more = !expression_take(reader, ")"); more;) {
        if (call.count == PLOY_CONDITION_ARGS_MAX) {
            return expression_fail(reader, PLOY_ERR_FORMAT, reader->at, "too many arguments", NULL);
        }
        int32_t arg = expression_read_binary(reader, 1);
        if (arg < 0) return -1;
        *args[call.count++] = arg;
        more = expression_take(reader, ",");
        if (!more && !expression_take(reader, ")")) {
            return expression_fail(reader, PLOY_ERR_FORMAT, reader->at, "unclosed arguments",
                                   "',' or ')'");
        }
    }
    reader->depth--;
    call.at = (uint32_t)begin;
    call.text = expression_keep(reader, reader->text + begin, size);
    if (reader->result != PLOY_OK) return -1;
    call.node = reader->made->nodes.count;
    node.name = (uint8_t)calls->count;
    if (ploy_array_push(calls, &call) != PLOY_OK) return expression_short(reader);
    return expression_add(reader, node);
}

// True if `not` stands here as an operator: something that it can negate follows. A key may have
// that name, too.
static bool expression_negates(const expression_reader *reader, size_t begin, size_t size) {
    if (size != 3 || memcmp(reader->text + begin, "not", 3) != 0) return false;
    expression_reader ahead = *reader;
    expression_skip(&ahead);
    if (ahead.at >= ahead.size) return false;
    char c = ahead.text[ahead.at];
    if (c == '!') return !expression_at(&ahead, "!=");
    bool binary = expression_at(&ahead, "and") || expression_at(&ahead, "or");
    if (binary && !expression_names_on(&ahead, c == 'a' ? 3 : 2)) return false;
    return expression_begins_name(c) || (c >= '0' && c <= '9') || c == '(' || c == '\'' ||
           c == '"' || c == '~';
}

static int32_t expression_read_name(expression_reader *reader, bool assignable) {
    size_t begin = reader->at++;
    while (expression_names_on(reader, 0)) reader->at++;
    size_t size = reader->at - begin;
    if (expression_negates(reader, begin, size)) {
        return expression_read_sign(reader, begin, EXPRESSION_WORD_NOT);
    }
    if (expression_take(reader, "(")) return expression_read_call(reader, begin, size);
    ployi_expression_node node = expression_blank(PLOYI_EXPRESSION_NUMBER, begin);
    bool truth = size == 4 && memcmp(reader->text + begin, "true", 4) == 0;
    bool known = truth || (size == 5 && memcmp(reader->text + begin, "false", 5) == 0);
    node.number = truth ? 1.0 : 0.0;
    for (int32_t i = 0; i < reader->constant_count && !known; i++) {
        const char *name = reader->constants[i].name;
        known = strlen(name) == size && memcmp(name, reader->text + begin, size) == 0;
        if (known) node.number = reader->constants[i].value;
    }
    if (known) return expression_add(reader, node);
    int32_t name = expression_find_name(reader, begin, size);
    if (name < 0) return -1;
    node.op = PLOYI_EXPRESSION_NAME;
    node.number = 0.0;
    node.name = (uint8_t)name;
    bool makes = false;
    uint8_t op = PLOYI_EXPRESSION_NUMBER;
    bool assigns = assignable && expression_take_assignment(reader, &makes, &op);
    if (!assigns || op != PLOYI_EXPRESSION_NUMBER) {
        PLOY_ARRAY_ITEMS(&reader->made->names, ployi_expression_name)[name].reads = true;
    }
    if (!assigns) return expression_add(reader, node);
    // Taken again below, because reading on may move the names.
    int32_t left = op != PLOYI_EXPRESSION_NUMBER ? expression_add(reader, node) : -1;
    int32_t right = expression_read_statement(reader);
    if (right < 0 || (op != PLOYI_EXPRESSION_NUMBER && left < 0)) return -1;
    if (op != PLOYI_EXPRESSION_NUMBER) {
        ployi_expression_node sum = expression_blank(op, begin);
        sum.a = left;
        sum.b = right;
        right = expression_add(reader, sum);
        if (right < 0) return -1;
    }
    ployi_expression_name *known_name =
        &PLOY_ARRAY_ITEMS(&reader->made->names, ployi_expression_name)[name];
    known_name->writes = true;
    known_name->makes = known_name->makes || makes;
    node.op = makes ? PLOYI_EXPRESSION_MAKE : PLOYI_EXPRESSION_SET;
    node.a = right;
    return expression_add(reader, node);
}

static int32_t expression_read_value(expression_reader *reader, bool assignable) {
    expression_skip(reader);
    if (reader->at >= reader->size) {
        return expression_fail(reader, PLOY_ERR_FORMAT, reader->at,
                               "unexpected end of the expression", "a value");
    }
    char c = reader->text[reader->at];
    if (c == '\'' || c == '"') return expression_read_text(reader);
    if (c >= '0' && c <= '9') return expression_read_number(reader);
    if (expression_begins_name(c)) return expression_read_name(reader, assignable);
    const char *sign = c != 0 ? strchr(expression_signs, c) : NULL;
    if (sign == NULL && c != '(') {
        return expression_fail(reader, PLOY_ERR_FORMAT, reader->at, "invalid value",
                               "a number, a name, a text in quotes or '('");
    }
    size_t begin = reader->at++;
    if (sign != NULL) {
        return expression_read_sign(reader, begin, (int32_t)(sign - expression_signs));
    }
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    reader->depth++;
    int32_t inner = expression_read_statement(reader);
    reader->depth--;
    if (inner < 0 || expression_take(reader, ")")) return inner;
    return expression_fail(reader, PLOY_ERR_FORMAT, begin, "unclosed '('", "')'");
}

// ---- operators ----

// The operator that stands here, if it binds at least so tightly; -1 else.
static int32_t expression_peek(expression_reader *reader, uint8_t level) {
    expression_skip(reader);
    for (int32_t i = 0; i < (int32_t)(sizeof expression_operators / sizeof expression_operators[0]);
         i++) {
        const char *text = expression_operators[i].text;
        if (!expression_at(reader, text)) continue;
        if (expression_begins_name(text[0]) && expression_names_on(reader, strlen(text))) continue;
        return expression_operators[i].level >= level ? i : -1;
    }
    return -1;
}

static int32_t expression_climb(expression_reader *reader, int32_t left, uint8_t level) {
    bool chained = false;
    for (int32_t found = expression_peek(reader, level); found >= 0 && left >= 0;
         found = expression_peek(reader, level)) {
        uint8_t tighter = (uint8_t)(expression_operators[found].level + 1);
        ployi_expression_node node = expression_blank(expression_operators[found].op, reader->at);
        reader->at += strlen(expression_operators[found].text);
        int32_t right = tighter < EXPRESSION_TIGHTEST ? expression_read_binary(reader, tighter)
                                                      : expression_read_value(reader, false);
        if (right < 0) return -1;
        bool compares = expression_operators[found].level == EXPRESSION_COMPARE;
        node.a = left;
        node.b = right;
        node.chained = compares && chained;
        chained = compares;
        left = expression_add(reader, node);
    }
    return left;
}

static int32_t expression_read_binary(expression_reader *reader, uint8_t level) {
    int32_t left = expression_read_value(reader, false);
    return left < 0 ? -1 : expression_climb(reader, left, level);
}

static int32_t expression_read_choice(expression_reader *reader) {
    int32_t left = expression_read_value(reader, true);
    if (left < 0) return -1;
    uint8_t op = expression_node(reader, left)->op;
    // `a = b` is a whole statement, unless it stood in parentheses, where nothing follows wrongly.
    if ((op == PLOYI_EXPRESSION_MAKE || op == PLOYI_EXPRESSION_SET) &&
        reader->text[reader->at - 1] != ')') {
        return left;
    }
    left = expression_climb(reader, left, 1);
    if (left < 0) return -1;
    size_t begin = reader->at;
    if (!expression_take(reader, "?")) return left;
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, begin, "expression is nested too deeply",
                               NULL);
    }
    ployi_expression_node node = expression_blank(PLOYI_EXPRESSION_CHOOSE, begin);
    node.a = left;
    reader->depth++;
    node.b = expression_read_choice(reader);
    if (node.b >= 0 && !expression_take(reader, ":")) {
        node.b =
            expression_fail(reader, PLOY_ERR_FORMAT, reader->at, "missing ':' of a choice", "':'");
    }
    if (node.b >= 0) node.c = expression_read_choice(reader);
    reader->depth--;
    return node.b < 0 || node.c < 0 ? -1 : expression_add(reader, node);
}

static int32_t expression_read_statement(expression_reader *reader) {
    if (reader->depth == PLOY_EXPRESSION_DEPTH_MAX) {
        return expression_fail(reader, PLOY_ERR_LIMIT, reader->at,
                               "expression is nested too deeply", NULL);
    }
    reader->depth++;
    int32_t read = expression_read_choice(reader);
    reader->depth--;
    return read;
}

static void expression_read(expression_reader *reader) {
    ploy_expression *made = reader->made;
    while (reader->result == PLOY_OK) {
        while (expression_take(reader, ";")) {
        }
        expression_skip(reader);
        if (reader->at >= reader->size) break;
        int32_t statement = expression_read_statement(reader);
        if (statement < 0) return;
        if (made->last >= 0) {
            PLOY_ARRAY_ITEMS(&made->nodes, ployi_expression_node)[made->last].next = statement;
        } else {
            made->first = statement;
        }
        made->last = statement;
        expression_skip(reader);
        if (reader->at < reader->size && reader->text[reader->at] != ';') {
            expression_fail(reader, PLOY_ERR_FORMAT, reader->at, "unexpected text",
                            "an operator or ';'");
        }
    }
    if (reader->result == PLOY_OK && made->first < 0) {
        expression_fail(reader, PLOY_ERR_FORMAT, 0, "unexpected end", "an expression");
    }
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
    expression_reader reader = {made,  text, strlen(text), 0, constants, constant_count,
                                diags, 0,    PLOY_OK};
    expression_keep(&reader, text, reader.size);
    made->source = (uint32_t)made->texts.count;
    if (name == NULL) name = "";
    expression_keep(&reader, name, strlen(name));
    if (reader.result == PLOY_OK) expression_read(&reader);
    if (reader.result != PLOY_OK) {
        ploy_expression_destroy(made);
        return reader.result;
    }
    *out = made;
    return PLOY_OK;
}
