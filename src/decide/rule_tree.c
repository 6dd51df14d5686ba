// Nested items and patterns over them: see the header.
//
// Invariants: (1) nodes are in the order of the text, a parent before its children; indices, not
// pointers, join them; (2) texts lie in one buffer, zero-terminated, and are never moved inside it.
#include "ploy/decide/rule_tree.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/number.h"
#include "rule_set_internal.h"

enum { ITEMS_GROUP, ITEMS_NUMBER, ITEMS_WORD, ITEMS_RANGE, ITEMS_VARIABLE };
enum { ITEMS_ITEM, ITEMS_NOT, ITEMS_OR, ITEMS_XOR, ITEMS_LESS };

typedef struct items_node {
    int32_t name; // offset of the text
    int32_t kind; // of its contents
    int32_t form; // at the top of a pattern: what to do with its children
    int32_t word; // offset, of a word or variable
    double low, high;
    int32_t open; // bits: 1 without the low end, 2 without the high end
    int32_t child, next, parent;
} items_node;

struct ploy_rule_tree {
    ploy_env env;
    ploy_array nodes, texts;
    int32_t first, last; // at the top
    int32_t dead;        // nodes that were removed
    uint64_t changes;
};

typedef struct items_reader {
    ploy_rule_tree *tree;
    const char *text, *name;
    size_t size, at;
    size_t line_at; // where the line begins
    int32_t line;
    ploy_diags *diags;
    ploy_result result;
} items_reader;

static items_node *items_at(const ploy_rule_tree *tree, int32_t index) {
    return &PLOY_ARRAY_ITEMS(&tree->nodes, items_node)[index];
}

static const char *items_text(const ploy_rule_tree *tree, int32_t offset) {
    return PLOY_ARRAY_ITEMS(&tree->texts, char) + offset;
}

static void items_fault(items_reader *reader, ploy_result code, const char *message) {
    if (reader->result != PLOY_OK) return;
    reader->result = code;
    size_t at = reader->at < reader->size ? reader->at : reader->size;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name, reader->line,
                   (int32_t)(at - reader->line_at) + 1, message, NULL, NULL);
}

static char items_peek(items_reader *reader) {
    while (reader->at < reader->size) {
        char c = reader->text[reader->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
        reader->at++;
        if (c == '\n') {
            reader->line++;
            reader->line_at = reader->at;
        }
    }
    return '\0';
}

// Where a string or a list ends, from its first character on; 0 if it does not.
static size_t items_closed(const items_reader *reader) {
    bool string = reader->text[reader->at] == '"';
    for (size_t i = reader->at + 1; i < reader->size; i++) {
        char c = reader->text[i];
        if (c == '\n' || (!string && (c == '(' || c == ')'))) return 0;
        if (string && c == '\\') {
            i++;
        } else if (c == (string ? '"' : ']')) {
            return i + 1;
        }
    }
    return 0;
}

// A word up to a blank or bracket, a string or a list; offset of its copy, or -1.
static int32_t items_word(items_reader *reader) {
    char first = items_peek(reader);
    size_t from = reader->at, end = from;
    bool closed = first == '"' || first == '[';
    if (closed) {
        end = items_closed(reader);
        if (end == 0) {
            items_fault(reader, PLOY_ERR_FORMAT, first == '"' ? "missing '\"'" : "missing ']'");
            return -1;
        }
    }
    while (!closed && end < reader->size && strchr(" \t\r\n()", reader->text[end]) == NULL) end++;
    size_t size = end - from;
    if (size == 0 || size > 200) {
        items_fault(reader, PLOY_ERR_FORMAT, "missing or too long name");
        return -1;
    }
    reader->at = end;
    int32_t offset = reader->tree->texts.count;
    ploy_result result = PLOY_OK;
    for (size_t i = from; i < end && result == PLOY_OK; i++) {
        char c = reader->text[i];
        if (first == '[' && (c == ' ' || c == '\t')) continue; // lists are equal without blanks
        result = ploy_array_push(&reader->tree->texts, &c);
    }
    if (result == PLOY_OK) result = ploy_array_push(&reader->tree->texts, "");
    if (result != PLOY_OK) {
        items_fault(reader, result, "out of memory");
        return -1;
    }
    return offset;
}

// The value a word represents: a number, a range, a comparison, a variable, or itself.
static void items_value(items_reader *reader, items_node *node, int32_t word) {
    const char *text = items_text(reader->tree, word);
    size_t size = strlen(text), used = 0;
    node->word = word;
    node->kind = ITEMS_WORD;
    if (text[0] == '?') {
        node->kind = ITEMS_VARIABLE;
    } else if (text[0] == '<' || text[0] == '>') {
        size_t skip = text[1] == '=' ? 2 : 1;
        double bound = 0.0;
        if (ploy_parse_f64(text + skip, size - skip, NULL, &bound) != PLOY_OK) {
            items_fault(reader, PLOY_ERR_FORMAT, "expected a number to compare with");
            return;
        }
        node->kind = ITEMS_RANGE;
        node->low = text[0] == '<' ? -1e300 : bound;
        node->high = text[0] == '<' ? bound : 1e300;
        if (skip == 1) node->open = text[0] == '<' ? 2 : 1;
    } else if (ploy_parse_f64(text, size, &used, &node->low) == PLOY_OK) {
        node->high = node->low;
        if (used == size) {
            node->kind = ITEMS_NUMBER;
        } else if (text[used] == '-' &&
                   ploy_parse_f64(text + used + 1, size - used - 1, NULL, &node->high) == PLOY_OK) {
            node->kind = ITEMS_RANGE;
        }
    }
}

static int32_t items_item(items_reader *reader, int32_t parent, int32_t depth);

// Items inside, up to the ')'.
static void items_children(items_reader *reader, int32_t index, int32_t depth) {
    int32_t last = -1;
    while (items_peek(reader) == '(' && reader->result == PLOY_OK) {
        int32_t child = items_item(reader, index, depth + 1);
        if (child < 0) return;
        if (last < 0) {
            items_at(reader->tree, index)->child = child;
        } else {
            items_at(reader->tree, last)->next = child;
        }
        last = child;
    }
}

static int32_t items_item(items_reader *reader, int32_t parent, int32_t depth) {
    if (depth > PLOY_RULE_TREE_DEPTH_MAX) {
        items_fault(reader, PLOY_ERR_LIMIT, "items are nested too deeply");
        return -1;
    }
    reader->at++; // the '('
    items_node node;
    memset(&node, 0, sizeof node);
    node.parent = parent;
    node.child = node.next = -1;
    node.word = -1;
    node.name = items_word(reader);
    if (node.name < 0) return -1;
    static const char *const forms[] = {"", "not", "or", "xor", "<"};
    for (int32_t i = 1; i < 5; i++) {
        if (strcmp(items_text(reader->tree, node.name), forms[i]) == 0) node.form = i;
    }
    int32_t index = reader->tree->nodes.count;
    ploy_result pushed = ploy_array_push(&reader->tree->nodes, &node);
    if (pushed != PLOY_OK) {
        items_fault(reader, pushed, "out of memory");
        return -1;
    }
    if (node.form == ITEMS_LESS) { // two values: as a child each
        for (int32_t i = 0; i < 2 && reader->result == PLOY_OK; i++) {
            items_node value;
            memset(&value, 0, sizeof value);
            value.parent = index;
            value.child = value.next = -1;
            int32_t word = items_word(reader);
            if (word < 0) return -1;
            value.name = word;
            items_value(reader, &value, word);
            pushed = ploy_array_push(&reader->tree->nodes, &value);
            if (pushed != PLOY_OK) items_fault(reader, pushed, "out of memory");
            if (i == 0) items_at(reader->tree, index)->child = index + 1;
            if (i == 1 && pushed == PLOY_OK) items_at(reader->tree, index + 1)->next = index + 2;
        }
    } else if (items_peek(reader) == '(') {
        items_children(reader, index, depth);
    } else if (items_peek(reader) != ')') {
        int32_t word = items_word(reader);
        if (word < 0) return -1;
        items_node made = *items_at(reader->tree, index);
        items_value(reader, &made, word);
        *items_at(reader->tree, index) = made;
    }
    if (items_peek(reader) != ')') items_fault(reader, PLOY_ERR_FORMAT, "missing ')'");
    reader->at++;
    return reader->result == PLOY_OK ? index : -1;
}

// Reads items behind those at the top; takes everything back on a fault.
static ploy_result items_read(ploy_rule_tree *tree, const char *text, size_t size, const char *name,
                              ploy_diags *diags) {
    items_reader reader = {tree, text, name, size, 0, 0, 1, diags, PLOY_OK};
    int32_t nodes = tree->nodes.count, texts = tree->texts.count;
    int32_t first = tree->first, last = tree->last;
    while (reader.result == PLOY_OK && items_peek(&reader) != '\0') {
        if (items_peek(&reader) != '(') {
            items_fault(&reader, PLOY_ERR_FORMAT, "expected '(' at the start of an item");
            break;
        }
        int32_t index = items_item(&reader, -1, 0);
        if (index < 0) break;
        if (tree->last < 0) {
            tree->first = index;
        } else {
            items_at(tree, tree->last)->next = index;
        }
        tree->last = index;
    }
    if (reader.result != PLOY_OK) {
        tree->nodes.count = nodes;
        tree->texts.count = texts;
        tree->first = first;
        tree->last = last;
        if (last >= 0) items_at(tree, last)->next = -1;
    }
    return reader.result;
}

ploy_result ploy_rule_tree_load(const char *text, size_t size, const char *name, ploy_diags *diags,
                                const ploy_env *env, ploy_rule_tree **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (size > 0 && text == NULL)) return PLOY_ERR_ARGUMENT;
    ploy_rule_tree *tree = ploy_env_alloc_zero(env, sizeof *tree);
    if (tree == NULL) return PLOY_ERR_MEMORY;
    tree->env = *env;
    tree->first = tree->last = -1;
    ploy_array_init(&tree->nodes, sizeof(items_node), env);
    ploy_array_init(&tree->texts, 1, env);
    ploy_result result = items_read(tree, text, size, name, diags);
    if (result != PLOY_OK) {
        ploy_rule_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return PLOY_OK;
}

void ploy_rule_tree_destroy(ploy_rule_tree *tree) {
    if (tree == NULL) return;
    ploy_env env = tree->env;
    ploy_array_fini(&tree->nodes);
    ploy_array_fini(&tree->texts);
    ploy_env_free(&env, tree, sizeof *tree);
}

static void items_write(const ploy_rule_tree *tree, int32_t index, ploy_writer *out) {
    const items_node *node = items_at(tree, index);
    ploy_write_char(out, '(');
    ploy_write_text(out, items_text(tree, node->name));
    if (node->word >= 0) {
        ploy_write_char(out, ' ');
        ploy_write_text(out, items_text(tree, node->word));
    }
    for (int32_t child = node->child; child >= 0; child = items_at(tree, child)->next) {
        ploy_write_char(out, ' ');
        if (node->form == ITEMS_LESS) {
            ploy_write_text(out, items_text(tree, items_at(tree, child)->word));
        } else {
            items_write(tree, child, out);
        }
    }
    ploy_write_char(out, ')');
}

void ploy_rule_tree_save(const ploy_rule_tree *tree, ploy_writer *out) {
    for (int32_t i = tree->first; i >= 0; i = items_at(tree, i)->next) {
        items_write(tree, i, out);
        ploy_write_char(out, '\n');
    }
}

// Nodes of an item, those inside it included.
static int32_t items_size(const ploy_rule_tree *tree, int32_t index) {
    int32_t size = 1;
    for (int32_t child = items_at(tree, index)->child; child >= 0;
         child = items_at(tree, child)->next) {
        size += items_size(tree, child); // as deep as PLOY_RULE_TREE_DEPTH_MAX
    }
    return size;
}

// Rewrites all items if most nodes belong to removed ones. Without memory they stay.
static void items_compact(ploy_rule_tree *tree) {
    if (tree->dead <= PLOY_CAPACITY(32) || tree->dead <= tree->nodes.count / 2) return;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &tree->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_rule_tree_save(tree, &writer);
    if (ploy_writer_result(&writer) == PLOY_OK) {
        // What was there fits into what there is, so reading cannot run out of memory.
        ploy_array_clear(&tree->nodes);
        ploy_array_clear(&tree->texts);
        tree->first = tree->last = -1;
        tree->dead = 0;
        ploy_result result = items_read(tree, buffer.bytes, buffer.size, "items", NULL);
        PLOY_ASSERT(result == PLOY_OK);
        (void)result;
    }
    ploy_buffer_fini(&buffer);
}

ploy_result ploy_rule_tree_add(ploy_rule_tree *tree, const char *text) {
    if (text == NULL) return PLOY_ERR_ARGUMENT;
    items_compact(tree);
    ploy_result result = items_read(tree, text, strlen(text), "add", NULL);
    if (result == PLOY_OK) tree->changes++;
    return result;
}

ploy_result ploy_rule_tree_remove(ploy_rule_tree *tree, const char *text) {
    if (text == NULL) return PLOY_ERR_ARGUMENT;
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &tree->env);
    int32_t before = -1;
    ploy_result result = PLOY_ERR_NOT_FOUND;
    for (int32_t i = tree->first; i >= 0 && result == PLOY_ERR_NOT_FOUND;
         before = i, i = items_at(tree, i)->next) {
        ploy_buffer_clear(&buffer);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        items_write(tree, i, &writer);
        if (ploy_writer_result(&writer) != PLOY_OK) result = PLOY_ERR_MEMORY;
        if (result != PLOY_ERR_NOT_FOUND || strcmp(ploy_buffer_text(&buffer), text) != 0) continue;
        int32_t next = items_at(tree, i)->next;
        if (before < 0) {
            tree->first = next;
        } else {
            items_at(tree, before)->next = next;
        }
        if (tree->last == i) tree->last = before;
        tree->dead += items_size(tree, i);
        tree->changes++;
        result = PLOY_OK;
        break;
    }
    ploy_buffer_fini(&buffer);
    return result;
}

uint64_t ployi_rule_tree_changes(const ploy_rule_tree *tree) {
    return tree->changes;
}

// ---- Matching -----------------------------------------------------------------------------------

typedef struct items_match {
    const ploy_rule_tree *tree, *pattern;
    ploy_rule_bindings bound;
} items_match;

// Pattern items still to be matched: `pattern` inside `scope` (-1: anywhere), its later siblings
// too if it is one of a list, then the rest.
typedef struct items_goal {
    int32_t pattern, scope;
    bool list;
    const struct items_goal *rest;
} items_goal;

// What comes after a goal's own pattern; `room` holds it where it must be made.
static const items_goal *items_after(const ploy_rule_tree *pattern, const items_goal *goal,
                                     items_goal *room) {
    int32_t next = goal->list ? items_at(pattern, goal->pattern)->next : -1;
    if (next < 0) return goal->rest;
    *room = *goal;
    room->pattern = next;
    return room;
}

static int32_t items_find(const ploy_rule_bindings *bound, const char *name) {
    for (int32_t i = 0; i < bound->count; i++) {
        if (strcmp(bound->names[i], name) == 0) return i;
    }
    return -1;
}

// The same variable represents the same thing; a name and a value may be the same.
static bool items_bind(items_match *match, const char *variable, const char *text, double number) {
    ploy_rule_bindings *bound = &match->bound;
    int32_t at = items_find(bound, variable + 1);
    if (at >= 0) {
        if (text == NULL || bound->texts[at] == NULL) {
            return text == bound->texts[at] && bound->numbers[at] == number;
        }
        return strcmp(bound->texts[at], text) == 0;
    }
    if (bound->count == PLOY_RULE_TREE_VARIABLES_MAX) return false;
    bound->names[bound->count] = variable + 1;
    bound->texts[bound->count] = text;
    bound->numbers[bound->count++] = number;
    return true;
}

static bool items_unify(items_match *match, const items_node *want, const items_node *have) {
    const char *want_name = items_text(match->pattern, want->name);
    const char *have_name = items_text(match->tree, have->name);
    if (want_name[0] == '?') {
        if (!items_bind(match, want_name, have_name, 0.0)) return false;
    } else if (strcmp(want_name, have_name) != 0) {
        return false;
    }
    switch (want->kind) {
    case ITEMS_GROUP: return true; // its items are separate goals
    case ITEMS_VARIABLE:
        if (have->kind == ITEMS_NUMBER) {
            return items_bind(match, items_text(match->pattern, want->word), NULL, have->low);
        }
        return have->kind == ITEMS_WORD && items_bind(match, items_text(match->pattern, want->word),
                                                      items_text(match->tree, have->word), 0.0);
    case ITEMS_WORD:
        return have->kind == ITEMS_WORD && strcmp(items_text(match->pattern, want->word),
                                                  items_text(match->tree, have->word)) == 0;
    default:
        if (have->kind != ITEMS_NUMBER) return false;
        return ((want->open & 1) != 0 ? have->low > want->low : have->low >= want->low) &&
               ((want->open & 2) != 0 ? have->low < want->high : have->low <= want->high);
    }
}

static bool items_number(const items_match *match, const items_node *node, double *out) {
    *out = node->low;
    if (node->kind == ITEMS_NUMBER) return true;
    if (node->kind != ITEMS_VARIABLE) return false;
    int32_t at = items_find(&match->bound, items_text(match->pattern, node->word) + 1);
    if (at < 0 || match->bound.texts[at] != NULL) return false;
    *out = match->bound.numbers[at];
    return true;
}

static bool items_solve(items_match *match, const items_goal *goal);

// The items from `child` on as goals inside `scope`, then the rest.
static bool items_solve_items(items_match *match, int32_t child, int32_t scope,
                              const items_goal *rest) {
    if (child < 0) return items_solve(match, rest);
    items_goal goal = {child, scope, true, rest};
    return items_solve(match, &goal);
}

static bool items_try(items_match *match, const items_goal *goal, int32_t candidate) {
    int32_t mark = match->bound.count;
    const items_node *want = items_at(match->pattern, goal->pattern);
    items_goal room;
    const items_goal *after = items_after(match->pattern, goal, &room);
    if (items_unify(match, want, items_at(match->tree, candidate)) &&
        items_solve_items(match, want->child, candidate, after)) {
        return true;
    }
    match->bound.count = mark; // what a failed attempt bound is bound no more
    return false;
}

// The item or any inside it, in the order of the text.
static bool items_try_all(items_match *match, const items_goal *goal, int32_t candidate) {
    if (items_try(match, goal, candidate)) return true;
    for (int32_t i = items_at(match->tree, candidate)->child; i >= 0;
         i = items_at(match->tree, i)->next) {
        if (items_try_all(match, goal, i)) return true;
    }
    return false;
}

// True if one item of a pattern matches by itself, with a throwaway list of bindings.
static bool items_holds(const items_match *match, int32_t item) {
    items_match trial = *match;
    items_goal goal = {item, -1, false, NULL};
    return items_solve(&trial, &goal);
}

static bool items_solve(items_match *match, const items_goal *goal) {
    if (goal == NULL) return true;
    const items_node *want = items_at(match->pattern, goal->pattern);
    int32_t mark = match->bound.count;
    items_goal room;
    const items_goal *after = items_after(match->pattern, goal, &room);
    if (goal->scope < 0 && want->form == ITEMS_NOT && want->child >= 0) {
        return !items_holds(match, want->child) && items_solve(match, after);
    }
    if (goal->scope < 0 && want->form == ITEMS_XOR) {
        int32_t second = want->child < 0 ? -1 : items_at(match->pattern, want->child)->next;
        return second >= 0 && items_holds(match, want->child) != items_holds(match, second) &&
               items_solve(match, after);
    }
    if (goal->scope < 0 && want->form == ITEMS_OR) {
        for (int32_t i = want->child; i >= 0; i = items_at(match->pattern, i)->next) {
            items_goal one = {i, -1, false, after};
            if (items_solve(match, &one)) return true;
            match->bound.count = mark;
        }
        return false;
    }
    if (goal->scope < 0 && want->form == ITEMS_LESS) {
        double a = 0.0, b = 0.0;
        const items_node *first = items_at(match->pattern, want->child);
        return items_number(match, first, &a) &&
               items_number(match, items_at(match->pattern, first->next), &b) && a < b &&
               items_solve(match, after);
    }
    int32_t candidate =
        goal->scope < 0 ? match->tree->first : items_at(match->tree, goal->scope)->child;
    for (; candidate >= 0; candidate = items_at(match->tree, candidate)->next) {
        bool found = goal->scope < 0 ? items_try_all(match, goal, candidate)
                                     : items_try(match, goal, candidate);
        if (found) return true;
    }
    return false;
}

bool ploy_rule_tree_match(const ploy_rule_tree *tree, const ploy_rule_tree *pattern,
                          ploy_rule_bindings *out) {
    items_match match;
    memset(&match, 0, sizeof match);
    match.tree = tree;
    match.pattern = pattern;
    if (!items_solve_items(&match, pattern->first, -1, NULL)) return false;
    if (out != NULL) *out = match.bound;
    return true;
}

const char *ploy_rule_bindings_text(const ploy_rule_bindings *bindings, const char *name) {
    int32_t at = items_find(bindings, name);
    return at < 0 ? NULL : bindings->texts[at];
}

ploy_result ploy_rule_bindings_apply(const ploy_rule_bindings *bindings, const char *text,
                                     ploy_writer *out) {
    while (*text != '\0') {
        if (*text != '?') {
            ploy_write_char(out, *text++);
            continue;
        }
        char name[64];
        size_t size = strcspn(++text, " \t\r\n()");
        if (size >= sizeof name) return PLOY_ERR_LIMIT;
        memcpy(name, text, size);
        name[size] = '\0';
        text += size;
        int32_t at = items_find(bindings, name);
        if (at < 0) return PLOY_ERR_NOT_FOUND;
        if (bindings->texts[at] != NULL) {
            ploy_write_text(out, bindings->texts[at]);
        } else {
            ploy_write_f64(out, bindings->numbers[at]);
        }
    }
    return ploy_writer_result(out);
}

// ---- In a file: an item is ["name"], ["name", "value"] or ["name", [items]] --------------------

static void items_save(const ploy_rule_tree *tree, int32_t first, ploy_json_writer *out) {
    ploy_json_write_begin_array(out);
    for (int32_t i = first; i >= 0; i = items_at(tree, i)->next) {
        const items_node *node = items_at(tree, i);
        ploy_json_write_begin_row(out);
        ploy_json_write_text(out, items_text(tree, node->name));
        if (node->word >= 0) ploy_json_write_text(out, items_text(tree, node->word));
        if (node->child >= 0) items_save(tree, node->child, out);
        ploy_json_write_end_array(out);
    }
    ploy_json_write_end_array(out);
}

// Items as text; what is none is left out.
static void items_load(const ploy_json *doc, ploy_json_node items, int32_t depth,
                       ploy_writer *out) {
    for (int32_t i = 0; i < ploy_json_count(doc, items) && depth < PLOY_RULE_TREE_DEPTH_MAX; i++) {
        ploy_json_node item = ploy_json_at(doc, items, i), inside = ploy_json_at(doc, item, 1);
        const char *name = ploy_json_text(doc, ploy_json_at(doc, item, 0), NULL);
        if (name[0] == '\0') continue;
        ploy_write_char(out, '(');
        ploy_write_text(out, name);
        ploy_write_char(out, ' ');
        if (ploy_json_type_of(doc, inside) == PLOY_JSON_TEXT) {
            ploy_write_text(out, ploy_json_text(doc, inside, NULL));
        } else {
            items_load(doc, inside, depth + 1, out);
        }
        ploy_write_text(out, ")\n");
    }
}

static ploy_result items_load_tree(ploy_rule_tree *tree, const ploy_json *doc,
                                   ploy_json_node saved) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &tree->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    items_load(doc, saved, 0, &writer);
    ploy_result result = ploy_writer_result(&writer);
    ploy_rule_tree *fresh = NULL;
    if (result == PLOY_OK) {
        result = ploy_rule_tree_load(buffer.bytes, buffer.size, "items", NULL, &tree->env, &fresh);
    }
    ploy_buffer_fini(&buffer);
    if (result != PLOY_OK) return result;
    ploy_array nodes = tree->nodes, texts = tree->texts;
    tree->nodes = fresh->nodes;
    tree->texts = fresh->texts;
    tree->first = fresh->first;
    tree->last = fresh->last;
    tree->dead = 0;
    fresh->nodes = nodes;
    fresh->texts = texts;
    ploy_rule_tree_destroy(fresh);
    return PLOY_OK;
}

int32_t ployi_rule_tree_size(const ploy_rule_tree *tree) {
    int32_t size = 0;
    for (int32_t i = tree->first; i >= 0; i = items_at(tree, i)->next) size += items_size(tree, i);
    return size;
}

ploy_result ployi_rule_tree_assign(ploy_rule_tree *tree, const ploy_rule_tree *from) {
    ploy_result result = ploy_array_reserve(&tree->nodes, from->nodes.count);
    if (result == PLOY_OK) result = ploy_array_reserve(&tree->texts, from->texts.count);
    if (result != PLOY_OK) return result;
    ploy_array_clear(&tree->nodes);
    ploy_array_clear(&tree->texts);
    if (from->nodes.count > 0) { // there is room
        (void)ploy_array_push_many(&tree->nodes, from->nodes.items, from->nodes.count);
        (void)ploy_array_push_many(&tree->texts, from->texts.items, from->texts.count);
    }
    tree->first = from->first;
    tree->last = from->last;
    tree->dead = from->dead;
    tree->changes = from->changes;
    return PLOY_OK;
}

ploy_result ployi_rule_tree_copy(const ploy_rule_tree *tree, const ploy_env *env,
                                 ploy_rule_tree **out) {
    ploy_rule_tree *copy = NULL;
    ploy_result result = ploy_rule_tree_load("", 0, "items", NULL, env, &copy);
    if (result == PLOY_OK) result = ployi_rule_tree_assign(copy, tree);
    if (result != PLOY_OK) {
        ploy_rule_tree_destroy(copy);
        return result;
    }
    *out = copy;
    return PLOY_OK;
}

static void items_describe(const ploy_rule_tree *tree, ploy_describe *out) {
    int64_t number = 0;
    for (int32_t i = tree->first; i >= 0; i = items_at(tree, i)->next) {
        ploy_describe_begin_item(out, number++);
        const items_node *node = items_at(tree, i);
        ploy_describe_text(out, "item", PLOY_STATE, items_text(tree, node->name));
        if (node->word >= 0) {
            ploy_describe_text(out, "value", PLOY_STATE, items_text(tree, node->word));
        }
        int32_t depth_first = node->child; // inside: as one list of names and values, depth first
        while (depth_first >= 0) {
            const items_node *at = items_at(tree, depth_first);
            ploy_describe_text(out, items_text(tree, at->name), PLOY_STATE,
                               at->word >= 0 ? items_text(tree, at->word) : "");
            int32_t next = at->child >= 0 ? at->child : at->next;
            for (int32_t up = at->parent; next < 0 && up >= 0 && up != i;
                 up = items_at(tree, up)->parent) {
                next = items_at(tree, up)->next;
            }
            depth_first = next;
        }
        ploy_describe_end(out);
    }
}

void ployi_rule_tree_visit(ploy_visit *v, const char *name, ploy_rule_tree *tree) {
    ploy_visit_object(v, "rule tree", tree, sizeof *tree);
    PLOY_VISIT_SCRATCH(v, tree->env); // the list in the file is all of the rest
    PLOY_VISIT_SCRATCH(v, tree->first);
    PLOY_VISIT_SCRATCH(v, tree->last);
    PLOY_VISIT_SCRATCH(v, tree->dead);
    PLOY_VISIT_SCRATCH(v, tree->changes);
    ploy_visit_buffer(v, "rule tree.nodes", &tree->nodes);
    ploy_visit_buffer(v, "rule tree.texts", &tree->texts);
    if (v->describe != NULL) {
        ploy_describe_begin(v->describe, name);
        items_describe(tree, v->describe);
        ploy_describe_end(v->describe);
    }
    ploy_json_writer *json = ploy_visit_writer(v, name);
    if (json != NULL) items_save(tree, tree->first, json);
    const ploy_json *doc = NULL;
    ploy_json_node node;
    if (!ploy_visit_reader(v, name, &doc, &node, NULL) || !ploy_visit_is_ok(v)) return;
    ploy_result result = items_load_tree(tree, doc, node);
    if (result == PLOY_ERR_FORMAT || result == PLOY_ERR_LIMIT) {
        ploy_visit_lost(v, "the", name, "do not read: they restart");
    } else {
        ploy_visit_result(v, result);
    }
}
