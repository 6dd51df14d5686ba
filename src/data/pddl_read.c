// Reading PDDL: brackets and words first, then what they mean.
//
// The file becomes a tree of nodes in one array, without recursion, so that no file can be too
// deep; what is nested deeper than PDDL_DEPTH is a fault. Meaning is read with a bounded recursion
// over `and` and `not`. Faults are counted and the reading goes on, so that all of them are told.
#include "pddl_internal.h"

#include <math.h>
#include <string.h>

#include "ploy/base/number.h"

enum { PDDL_DEPTH = 64, PDDL_FAULTS_MAX = 50, PDDL_WORD_MAX = 63 };

typedef struct pddl_reader {
    ployi_pddl *pddl;
    ploy_pddl_text file;
    ploy_diags *diags;
    int32_t faults;
    ploy_result result; // memory
    ploy_array nodes;   // ployi_pddl_node
    ploy_array text;    // char: the file in lower case
    // Parameters in scope, by name.
    ploy_name params[PLOY_PDDL_PARAMS_MAX];
    int32_t param_count;
} pddl_reader;

static const ployi_pddl_node *pddl_node(const pddl_reader *reader, int32_t node) {
    return &PLOY_ARRAY_ITEMS(&reader->nodes, ployi_pddl_node)[node];
}

static bool pddl_is_list(const pddl_reader *reader, int32_t node) {
    return pddl_node(reader, node)->size == 0;
}

// A word as text, cut; "" for a list.
static const char *pddl_text(const pddl_reader *reader, int32_t node, char out[PDDL_WORD_MAX + 1]) {
    const ployi_pddl_node *item = pddl_node(reader, node);
    size_t size = item->size < PDDL_WORD_MAX ? (size_t)item->size : PDDL_WORD_MAX;
    if (size > 0) memcpy(out, PLOY_ARRAY_ITEMS(&reader->text, char) + item->text, size);
    out[size] = '\0';
    return out;
}

static bool pddl_is(const pddl_reader *reader, int32_t node, const char *word) {
    const ployi_pddl_node *item = pddl_node(reader, node);
    size_t size = strlen(word);
    return item->size == (int32_t)size &&
           memcmp(PLOY_ARRAY_ITEMS(&reader->text, char) + item->text, word, size) == 0;
}

// Says what is wrong at a node, with its word and what may have been meant.
static void pddl_fault(pddl_reader *reader, int32_t node, const char *what, const char *expected,
                       const char *nearest) {
    char word[PDDL_WORD_MAX + 1] = "", message[PLOY_DIAG_TEXT_MAX];
    int32_t line = 0, column = 0;
    if (node >= 0) {
        line = pddl_node(reader, node)->line;
        column = pddl_node(reader, node)->column;
        (void)pddl_text(reader, node, word);
    }
    const char *parts[] = {what, word[0] != '\0' ? " '" : "", word, word[0] != '\0' ? "'" : ""};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof message; c++) {
            message[used++] = *c;
        }
    }
    message[used] = '\0';
    reader->faults++;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, reader->file.name, line,
                   column, message, expected, nearest);
}

static bool pddl_going(const pddl_reader *reader) {
    return reader->result == PLOY_OK && reader->faults < PDDL_FAULTS_MAX;
}

// Keeps the first trouble with memory.
static bool pddl_kept(pddl_reader *reader, ploy_result result) {
    if (result != PLOY_OK && reader->result == PLOY_OK) reader->result = result;
    return result == PLOY_OK;
}

// ---- brackets and words

static int32_t pddl_add_node(pddl_reader *reader, int32_t *last, int32_t parent, int32_t text,
                             int32_t size, int32_t line, int32_t column) {
    ployi_pddl_node node = {-1, -1, text, size, line, column};
    if (!pddl_kept(reader, ploy_array_push(&reader->nodes, &node))) return -1;
    int32_t index = reader->nodes.count - 1;
    ployi_pddl_node *nodes = PLOY_ARRAY_ITEMS(&reader->nodes, ployi_pddl_node);
    if (*last >= 0) {
        nodes[*last].next = index;
    } else if (parent >= 0) {
        nodes[parent].first = index;
    }
    *last = index;
    return index;
}

static bool pddl_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// The whole file under node 0.
static void pddl_scan(pddl_reader *reader) {
    int32_t parents[PDDL_DEPTH + 1], lasts[PDDL_DEPTH + 1], depth = 0, line = 1, column = 1;
    size_t size = reader->file.size;
    const char *bytes = reader->file.bytes;
    if (size >= (size_t)INT32_MAX / 2) {
        pddl_fault(reader, -1, "the file is too large", NULL, NULL);
        return;
    }
    if (!pddl_kept(reader, ploy_array_push_many(&reader->text, bytes, (int32_t)size))) return;
    char *text = PLOY_ARRAY_ITEMS(&reader->text, char);
    for (size_t i = 0; i < size; i++) {
        if (text[i] >= 'A' && text[i] <= 'Z') text[i] = (char)(text[i] - 'A' + 'a');
    }
    lasts[0] = -1;
    parents[0] = pddl_add_node(reader, &lasts[0], -1, 0, 0, 1, 1);
    lasts[0] = -1;
    for (size_t at = 0; at < size && pddl_going(reader);) {
        char c = text[at];
        if (c == '\n') {
            line++;
            column = 1;
            at++;
        } else if (pddl_blank(c)) {
            at++;
            column++;
        } else if (c == ';') {
            while (at < size && text[at] != '\n') at++;
        } else if (c == '(') {
            int32_t list = pddl_add_node(reader, &lasts[depth], parents[depth], 0, 0, line, column);
            if (list < 0) return;
            if (depth == PDDL_DEPTH) {
                pddl_fault(reader, list, "brackets are nested too deep", NULL, NULL);
                return;
            }
            depth++;
            parents[depth] = list;
            lasts[depth] = -1;
            at++;
            column++;
        } else if (c == ')') {
            if (depth == 0) {
                int32_t here = pddl_add_node(reader, &lasts[0], parents[0], 0, 0, line, column);
                if (here >= 0) pddl_fault(reader, here, "a bracket closes nothing", NULL, NULL);
            } else {
                depth--;
            }
            at++;
            column++;
        } else {
            size_t begin = at;
            while (at < size && !pddl_blank(text[at]) && text[at] != '(' && text[at] != ')' &&
                   text[at] != ';') {
                at++;
            }
            (void)pddl_add_node(reader, &lasts[depth], parents[depth], (int32_t)begin,
                                (int32_t)(at - begin), line, column);
            column += (int32_t)(at - begin);
        }
    }
    if (depth > 0 && pddl_going(reader)) {
        pddl_fault(reader, parents[depth], "a bracket is not closed", ")", NULL);
    }
}

// ---- names

// The name of a word, kept for printing; none after a fault.
static ploy_name pddl_name(pddl_reader *reader, int32_t node) {
    ploy_name none = {0}, name;
    char word[PDDL_WORD_MAX + 1];
    if (pddl_is_list(reader, node)) {
        pddl_fault(reader, node, "a bracket stands", "a name", NULL);
        return none;
    }
    if (pddl_node(reader, node)->size > PDDL_WORD_MAX) {
        pddl_fault(reader, node, "a name of more than 63 characters:", NULL, NULL);
        return none;
    }
    (void)pddl_text(reader, node, word);
    if (memchr(word, '\0', (size_t)pddl_node(reader, node)->size) != NULL) {
        pddl_fault(reader, node, "a name with a zero in it", NULL, NULL);
        return none;
    }
    ploy_result result = ploy_names_add(reader->pddl->names, word, &name);
    if (result == PLOY_OK) return name;
    if (result == PLOY_ERR_MEMORY) {
        (void)pddl_kept(reader, result);
    } else {
        pddl_fault(reader, node, "not a name:", NULL, NULL);
    }
    return none;
}

// Every table begins its items with the name.
static int32_t pddl_find(const ploy_array *items, ploy_name name) {
    for (int32_t i = 0; i < items->count; i++) {
        if (ploy_name_equal(*(const ploy_name *)ploy_array_at(items, i), name)) return i;
    }
    return -1;
}

// Says that a name is none of these, and which is nearest.
static void pddl_unknown(pddl_reader *reader, int32_t node, const char *what,
                         const ploy_array *items) {
    char word[PDDL_WORD_MAX + 1];
    ploy_nearest nearest = ploy_nearest_make(pddl_text(reader, node, word));
    for (int32_t i = 0; i < items->count; i++) {
        ploy_name name = *(const ploy_name *)ploy_array_at(items, i);
        const char *text = ploy_names_text(reader->pddl->names, name);
        if (text != NULL) ploy_nearest_offer(&nearest, text);
    }
    pddl_fault(reader, node, what, NULL, nearest.best);
}

static int32_t pddl_type_of(pddl_reader *reader, int32_t node) {
    ploy_name name = pddl_name(reader, node);
    if (ploy_name_is_none(name)) return -1;
    int32_t type = pddl_find(&reader->pddl->types, name);
    if (type < 0) pddl_unknown(reader, node, "unknown type", &reader->pddl->types);
    return type;
}

static ployi_pddl_kind pddl_any_kind(void) {
    ployi_pddl_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.count = 1; // object
    return kind;
}

// A type, or (either a b).
static ployi_pddl_kind pddl_kind(pddl_reader *reader, int32_t node) {
    ployi_pddl_kind kind = pddl_any_kind();
    if (!pddl_is_list(reader, node)) {
        int32_t type = pddl_type_of(reader, node);
        kind.types[0] = type >= 0 ? type : 0;
        return kind;
    }
    int32_t item = pddl_node(reader, node)->first;
    if (item < 0 || !pddl_is(reader, item, "either")) {
        pddl_fault(reader, node, "not a type", "a name or (either ...)", NULL);
        return kind;
    }
    kind.count = 0;
    for (item = pddl_node(reader, item)->next; item >= 0; item = pddl_node(reader, item)->next) {
        int32_t type = pddl_type_of(reader, item);
        if (type < 0) continue;
        if (kind.count == PLOYI_PDDL_EITHER) {
            pddl_fault(reader, item, "more than 8 types in either:", NULL, NULL);
            break;
        }
        kind.types[kind.count++] = type;
    }
    return kind.count > 0 ? kind : pddl_any_kind();
}

// Goes through "a b - t c": each item with the node of its type, or -1.
typedef void (*pddl_item_fn)(pddl_reader *reader, int32_t item, int32_t type);

static void pddl_typed_list(pddl_reader *reader, int32_t first, pddl_item_fn fn) {
    int32_t run = first;
    for (int32_t node = first; node >= 0 && pddl_going(reader);) {
        int32_t next = pddl_node(reader, node)->next;
        if (!pddl_is(reader, node, "-")) {
            node = next;
            continue;
        }
        if (next < 0) {
            pddl_fault(reader, node, "no type behind", "a type", NULL);
            return;
        }
        for (; run != node; run = pddl_node(reader, run)->next) fn(reader, run, next);
        node = run = pddl_node(reader, next)->next;
    }
    for (; run >= 0 && pddl_going(reader); run = pddl_node(reader, run)->next) fn(reader, run, -1);
}

// ---- the domain's tables

static void pddl_add_type(pddl_reader *reader, int32_t item, int32_t parent) {
    ployi_pddl_type type;
    memset(&type, 0, sizeof type);
    (void)parent; // read when all names are known
    type.name = pddl_name(reader, item);
    if (ploy_name_is_none(type.name) || pddl_find(&reader->pddl->types, type.name) >= 0) return;
    (void)pddl_kept(reader, ploy_array_push(&reader->pddl->types, &type));
}

// A parent that is named nowhere else is a type too.
static void pddl_add_parents(pddl_reader *reader, int32_t item, int32_t parent) {
    (void)item;
    if (parent < 0) return;
    if (!pddl_is_list(reader, parent)) {
        pddl_add_type(reader, parent, -1);
        return;
    }
    int32_t node = pddl_node(reader, parent)->first;
    if (node >= 0) node = pddl_node(reader, node)->next;
    for (; node >= 0; node = pddl_node(reader, node)->next) pddl_add_type(reader, node, -1);
}

static void pddl_set_parents(pddl_reader *reader, int32_t item, int32_t parent) {
    ploy_name name = pddl_name(reader, item);
    int32_t index = pddl_find(&reader->pddl->types, name);
    if (index <= 0) return; // object itself has none
    ployi_pddl_kind kind = parent >= 0 ? pddl_kind(reader, parent) : pddl_any_kind();
    ployi_pddl_type *type = ploy_array_at(&reader->pddl->types, index);
    type->parent_count = kind.count;
    memcpy(type->parents, kind.types, sizeof type->parents);
}

// Walks up with a bound: a circle of types ends too.
bool ployi_pddl_is_a(const ployi_pddl *pddl, const ployi_pddl_kind *kind, int32_t type) {
    int32_t stack[64], top = 0, steps = 0;
    stack[top++] = type;
    while (top > 0 && steps++ < 4096) {
        int32_t own = stack[--top];
        for (int32_t i = 0; i < kind->count; i++) {
            if (kind->types[i] == own || kind->types[i] == 0) return true;
        }
        const ployi_pddl_type *item = ploy_array_at(&pddl->types, own);
        for (int32_t i = 0; i < item->parent_count && top < 64; i++)
            stack[top++] = item->parents[i];
    }
    return false;
}

static void pddl_add_object(pddl_reader *reader, int32_t item, int32_t type) {
    ployi_pddl_object object;
    memset(&object, 0, sizeof object);
    object.name = pddl_name(reader, item);
    object.kind = type >= 0 ? pddl_kind(reader, type) : pddl_any_kind();
    // Objects may repeat constants.
    if (ploy_name_is_none(object.name) || pddl_find(&reader->pddl->objects, object.name) >= 0)
        return;
    (void)pddl_kept(reader, ploy_array_push(&reader->pddl->objects, &object));
}

static bool pddl_is_variable(const pddl_reader *reader, int32_t node) {
    const ployi_pddl_node *item = pddl_node(reader, node);
    return item->size > 1 && PLOY_ARRAY_ITEMS(&reader->text, char)[item->text] == '?';
}

static void pddl_add_param(pddl_reader *reader, int32_t item, int32_t type) {
    if (!pddl_is_variable(reader, item)) {
        pddl_fault(reader, item, "not a parameter:", "?name", NULL);
        return;
    }
    ploy_name name = pddl_name(reader, item);
    if (ploy_name_is_none(name)) return;
    for (int32_t i = 0; i < reader->param_count; i++) {
        // Predicates' parameters are only counted, and files name two alike.
        if (reader->pddl->schemas.count > 0 && ploy_name_equal(reader->params[i], name)) {
            pddl_fault(reader, item, "two parameters are named", NULL, NULL);
        }
    }
    if (reader->param_count == PLOY_PDDL_PARAMS_MAX) {
        pddl_fault(reader, item, "more than 15 parameters:", NULL, NULL);
        return;
    }
    // Of an action under construction; predicates only count them.
    if (reader->pddl->schemas.count > 0) {
        ployi_pddl_schema *schema =
            ploy_array_at(&reader->pddl->schemas, reader->pddl->schemas.count - 1);
        schema->params[reader->param_count] = type >= 0 ? pddl_kind(reader, type) : pddl_any_kind();
        schema->param_count = reader->param_count + 1;
    } else if (type >= 0) {
        (void)pddl_kind(reader, type); // for its faults
    }
    reader->params[reader->param_count++] = name;
}

static void pddl_add_symbols(pddl_reader *reader, int32_t first, bool function) {
    for (int32_t node = first; node >= 0 && pddl_going(reader);
         node = pddl_node(reader, node)->next) {
        if (function && !pddl_is_list(reader, node)) continue; // "- number"
        int32_t head = pddl_is_list(reader, node) ? pddl_node(reader, node)->first : -1;
        if (head < 0) {
            pddl_fault(reader, node, "not a predicate", "(name ?x ...)", NULL);
            continue;
        }
        ployi_pddl_symbol symbol;
        memset(&symbol, 0, sizeof symbol);
        symbol.name = pddl_name(reader, head);
        symbol.function = function;
        reader->param_count = 0;
        pddl_typed_list(reader, pddl_node(reader, head)->next, pddl_add_param);
        symbol.arity = reader->param_count;
        if (ploy_name_is_none(symbol.name)) continue;
        if (pddl_find(&reader->pddl->symbols, symbol.name) >= 0) {
            pddl_fault(reader, head, "there are two of", NULL, NULL);
            continue;
        }
        (void)pddl_kept(reader, ploy_array_push(&reader->pddl->symbols, &symbol));
    }
}

// ---- formulas

static int32_t pddl_term(pddl_reader *reader, int32_t node, bool *fine) {
    ploy_name name = pddl_name(reader, node);
    if (ploy_name_is_none(name)) {
        *fine = false;
        return 0;
    }
    if (pddl_is_variable(reader, node)) {
        char word[PDDL_WORD_MAX + 1];
        ploy_nearest nearest = ploy_nearest_make(pddl_text(reader, node, word));
        for (int32_t i = 0; i < reader->param_count; i++) {
            if (ploy_name_equal(reader->params[i], name)) return i;
            ploy_nearest_offer(&nearest, ploy_names_text(reader->pddl->names, reader->params[i]));
        }
        pddl_fault(reader, node, "unknown parameter", NULL, nearest.best);
        *fine = false;
        return 0;
    }
    int32_t object = pddl_find(&reader->pddl->objects, name);
    if (object < 0) {
        pddl_unknown(reader, node, "unknown object", &reader->pddl->objects);
        *fine = false;
    }
    return ~object;
}

// (name term ...) or (= term term).
static bool pddl_atom(pddl_reader *reader, int32_t list, bool function, ployi_pddl_atom *out) {
    memset(out, 0, sizeof *out);
    int32_t head = pddl_is_list(reader, list) ? pddl_node(reader, list)->first : -1;
    if (head < 0 || pddl_is_list(reader, head)) {
        pddl_fault(reader, list, "not an atom", "(name ...)", NULL);
        return false;
    }
    bool fine = true;
    int32_t arity = 2;
    out->predicate = -1;
    if (!pddl_is(reader, head, "=")) {
        ploy_name name = pddl_name(reader, head);
        out->predicate = pddl_find(&reader->pddl->symbols, name);
        if (out->predicate < 0 ||
            ((const ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, out->predicate))
                    ->function != function) {
            pddl_unknown(reader, head, function ? "unknown function" : "unknown predicate",
                         &reader->pddl->symbols);
            return false;
        }
        arity = ((const ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, out->predicate))
                    ->arity;
    }
    for (int32_t node = pddl_node(reader, head)->next; node >= 0;
         node = pddl_node(reader, node)->next) {
        if (out->count == PLOY_PDDL_PARAMS_MAX) {
            fine = false;
            break;
        }
        out->terms[out->count++] = pddl_term(reader, node, &fine);
    }
    if (out->count != arity) {
        pddl_fault(reader, head, "not the right number of terms for", NULL, NULL);
        return false;
    }
    return fine;
}

static bool pddl_beyond(pddl_reader *reader, int32_t head) {
    static const char *const words[] = {"or",         "imply",    "forall",   "exists",    "when",
                                        "<",          ">",        "<=",       ">=",        "assign",
                                        "preference", "decrease", "scale-up", "scale-down"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!pddl_is(reader, head, words[i])) continue;
        pddl_fault(reader, head, "not understood here:", "and, not, = and atoms", NULL);
        return true;
    }
    return false;
}

// (increase (total-cost) 3) or (increase (total-cost) (length ?a ?b)).
static void pddl_increase(pddl_reader *reader, int32_t head) {
    int32_t what = pddl_node(reader, head)->next;
    int32_t amount = what >= 0 ? pddl_node(reader, what)->next : -1;
    int32_t name = what >= 0 && pddl_is_list(reader, what) ? pddl_node(reader, what)->first : -1;
    if (amount < 0 || name < 0 || !pddl_is(reader, name, "total-cost")) {
        pddl_fault(reader, head, "not a cost:", "(increase (total-cost) ...)", NULL);
        return;
    }
    ployi_pddl_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.function.predicate = -2;
    if (pddl_is_list(reader, amount)) {
        if (!pddl_atom(reader, amount, true, &cost.function)) return;
    } else {
        const ployi_pddl_node *node = pddl_node(reader, amount);
        const char *text = PLOY_ARRAY_ITEMS(&reader->text, char) + node->text;
        if (ploy_parse_f64(text, (size_t)node->size, NULL, &cost.amount) != PLOY_OK ||
            !(cost.amount >= 0.0 && cost.amount <= 1e9)) {
            pddl_fault(reader, amount, "not a cost:", "a number of 0 or more", NULL);
            return;
        }
    }
    (void)pddl_kept(reader, ploy_array_push(&reader->pddl->costs, &cost));
}

// Conditions and effects, flat: atoms and negated ones go to `out`. The depth of brackets bounds
// the recursion.
static void pddl_formula(pddl_reader *reader, int32_t list, bool negated, bool effect,
                         ploy_array *out) {
    if (!pddl_going(reader)) return;
    if (!pddl_is_list(reader, list)) {
        pddl_fault(reader, list, "not a formula:", "(...)", NULL);
        return;
    }
    int32_t head = pddl_node(reader, list)->first;
    if (head < 0) return; // () holds
    if (pddl_is(reader, head, "and")) {
        int32_t node = pddl_node(reader, head)->next;
        if (negated) pddl_fault(reader, head, "not understood under not:", "an atom", NULL);
        for (; node >= 0; node = pddl_node(reader, node)->next) {
            pddl_formula(reader, node, negated, effect, out);
        }
    } else if (pddl_is(reader, head, "not")) {
        int32_t inner = pddl_node(reader, head)->next;
        if (inner < 0 || pddl_node(reader, inner)->next >= 0) {
            pddl_fault(reader, head, "one formula belongs behind", NULL, NULL);
            return;
        }
        pddl_formula(reader, inner, !negated, effect, out);
    } else if (effect && pddl_is(reader, head, "increase")) {
        pddl_increase(reader, head);
    } else if (!pddl_beyond(reader, head)) {
        ployi_pddl_atom atom;
        if (!pddl_atom(reader, list, false, &atom)) return;
        if (effect && atom.predicate < 0) {
            pddl_fault(reader, head, "no effect changes what is equal", NULL, NULL);
            return;
        }
        atom.negated = negated;
        if (!pddl_kept(reader, ploy_array_push(out, &atom)) || !effect) return;
        ((ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, atom.predicate))->changes =
            true;
    }
}

static void pddl_action(pddl_reader *reader, int32_t head) {
    int32_t node = pddl_node(reader, head)->next;
    ployi_pddl *pddl = reader->pddl;
    ployi_pddl_schema schema;
    memset(&schema, 0, sizeof schema);
    if (node < 0) {
        pddl_fault(reader, head, "no name behind", "a name", NULL);
        return;
    }
    schema.name = pddl_name(reader, node);
    if (pddl_find(&pddl->schemas, schema.name) >= 0) {
        pddl_fault(reader, node, "two actions are named", NULL, NULL);
    }
    if (!pddl_kept(reader, ploy_array_push(&pddl->schemas, &schema))) return;
    int32_t index = pddl->schemas.count - 1, name = node, effect = -1, needs = -1;
    reader->param_count = 0;
    for (node = pddl_node(reader, node)->next; node >= 0; node = pddl_node(reader, node)->next) {
        int32_t value = pddl_node(reader, node)->next;
        static const char *const keys[] = {":parameters", ":precondition", ":effect"};
        bool known = pddl_is(reader, node, keys[0]) || pddl_is(reader, node, keys[1]) ||
                     pddl_is(reader, node, keys[2]);
        if (!known || value < 0) {
            char word[PDDL_WORD_MAX + 1];
            ploy_nearest nearest = ploy_nearest_make(pddl_text(reader, node, word));
            for (int32_t i = 0; i < 3; i++) ploy_nearest_offer(&nearest, keys[i]);
            pddl_fault(reader, node, known ? "nothing behind" : "unknown part of an action:",
                       ":parameters, :precondition or :effect", known ? NULL : nearest.best);
            if (value < 0) break;
        } else if (pddl_is(reader, node, keys[0])) {
            pddl_typed_list(reader, pddl_node(reader, value)->first, pddl_add_param);
        } else if (pddl_is(reader, node, keys[1])) {
            needs = value;
        } else {
            effect = value;
        }
        node = value;
    }
    int32_t first_need = pddl->atoms.count;
    if (needs >= 0) pddl_formula(reader, needs, false, false, &pddl->atoms);
    int32_t first_gain = pddl->atoms.count, first_cost = pddl->costs.count;
    if (effect >= 0) pddl_formula(reader, effect, false, true, &pddl->atoms);
    if (effect < 0) pddl_fault(reader, name, "no effect of the action", ":effect", NULL);
    ployi_pddl_schema *own = ploy_array_at(&pddl->schemas, index);
    own->first_need = first_need;
    own->need_count = first_gain - first_need;
    own->first_gain = first_gain;
    own->gain_count = pddl->atoms.count - first_gain;
    own->first_cost = first_cost;
    own->cost_count = pddl->costs.count - first_cost;
}

static void pddl_requirements(pddl_reader *reader, int32_t node) {
    static const char *const known[] = {":strips", ":typing", ":negative-preconditions",
                                        ":equality", ":action-costs"};
    for (; node >= 0 && pddl_going(reader); node = pddl_node(reader, node)->next) {
        char word[PDDL_WORD_MAX + 1];
        bool fine = false;
        ploy_nearest nearest = ploy_nearest_make(pddl_text(reader, node, word));
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            fine |= pddl_is(reader, node, known[i]);
            ploy_nearest_offer(&nearest, known[i]);
        }
        if (!fine) pddl_fault(reader, node, "not understood: requirement", NULL, nearest.best);
    }
}

// ---- the problem's parts

static void pddl_init(pddl_reader *reader, int32_t node) {
    for (; node >= 0 && pddl_going(reader); node = pddl_node(reader, node)->next) {
        int32_t head = pddl_is_list(reader, node) ? pddl_node(reader, node)->first : -1;
        int32_t left = head >= 0 ? pddl_node(reader, head)->next : -1;
        if (left >= 0 && pddl_is(reader, head, "=") && pddl_is_list(reader, left)) {
            int32_t right = pddl_node(reader, left)->next;
            ployi_pddl_value value;
            memset(&value, 0, sizeof value);
            if (!pddl_atom(reader, left, true, &value.function)) continue;
            if (right < 0 ||
                ploy_parse_f64(
                    PLOY_ARRAY_ITEMS(&reader->text, char) + pddl_node(reader, right)->text,
                    (size_t)pddl_node(reader, right)->size, NULL, &value.value) != PLOY_OK ||
                !(value.value >= 0.0 && value.value <= 1e9)) {
                pddl_fault(reader, left, "no value of the function", "a number of 0 or more", NULL);
                continue;
            }
            (void)pddl_kept(reader, ploy_array_push(&reader->pddl->values, &value));
            continue;
        }
        if (head >= 0 && pddl_is(reader, head, "not")) continue; // what is absent is false anyway
        ployi_pddl_atom atom;
        if (!pddl_atom(reader, node, false, &atom)) continue;
        if (atom.predicate < 0) {
            pddl_fault(reader, node, "what is equal is not said", "an atom", NULL);
            continue;
        }
        (void)pddl_kept(reader, ploy_array_push(&reader->pddl->init, &atom));
    }
}

static void pddl_section(pddl_reader *reader, int32_t list, bool domain, bool early) {
    static const char *const parts[] = {":requirements", ":types",  ":constants", ":predicates",
                                        ":functions",    ":action", ":domain",    ":objects",
                                        ":init",         ":goal",   ":metric"};
    int32_t head = pddl_is_list(reader, list) ? pddl_node(reader, list)->first : -1;
    if (head < 0) {
        if (early) pddl_fault(reader, list, "not a part of a file", "(:name ...)", NULL);
        return;
    }
    int32_t rest = pddl_node(reader, head)->next;
    size_t part = 0, count = sizeof parts / sizeof parts[0];
    while (part < count && !pddl_is(reader, head, parts[part])) part++;
    if (part == count || (domain ? part > 5 : part > 0 && part < 6)) {
        if (!early) return;
        char word[PDDL_WORD_MAX + 1];
        ploy_nearest nearest = ploy_nearest_make(pddl_text(reader, head, word));
        for (size_t i = domain ? 0 : 6; i < (domain ? 6 : count); i++) {
            ploy_nearest_offer(&nearest, parts[i]);
        }
        pddl_fault(reader, head, "unknown part", NULL, nearest.best);
        return;
    }
    ployi_pddl *pddl = reader->pddl;
    // Names first, so that parts may stand in any order.
    if (early) {
        switch (part) {
        case 0: pddl_requirements(reader, rest); break;
        case 1:
            pddl_typed_list(reader, rest, pddl_add_type);
            pddl_typed_list(reader, rest, pddl_add_parents);
            pddl_typed_list(reader, rest, pddl_set_parents);
            break;
        case 6: {
            ploy_name name = {0};
            if (rest >= 0) name = pddl_name(reader, rest);
            if (!ploy_name_equal(name, pddl->domain)) {
                pddl_fault(reader, rest >= 0 ? rest : head,
                           "another domain is meant:", ploy_names_text(pddl->names, pddl->domain),
                           NULL);
            }
            break;
        }
        case 10: pddl->metric = true; break;
        default: break;
        }
        return;
    }
    switch (part) {
    case 2:
    case 7: pddl_typed_list(reader, rest, pddl_add_object); break;
    case 3: pddl_add_symbols(reader, rest, false); break;
    case 4: pddl_add_symbols(reader, rest, true); break;
    default: break;
    }
}

// The parts that use names.
static void pddl_late_section(pddl_reader *reader, int32_t list, bool *goal) {
    int32_t head = pddl_is_list(reader, list) ? pddl_node(reader, list)->first : -1;
    if (head < 0) return;
    int32_t rest = pddl_node(reader, head)->next;
    if (pddl_is(reader, head, ":action")) pddl_action(reader, head);
    reader->param_count = 0;
    if (pddl_is(reader, head, ":init")) pddl_init(reader, rest);
    if (!pddl_is(reader, head, ":goal")) return;
    *goal = true;
    if (rest < 0) {
        pddl_fault(reader, head, "nothing behind", "a formula", NULL);
    } else {
        pddl_formula(reader, rest, false, false, &reader->pddl->goal);
    }
}

// (define (domain NAME) parts...). @return the first part, -1 after a fault.
static int32_t pddl_define(pddl_reader *reader, const char *what, ploy_name *name) {
    int32_t list = reader->nodes.count > 0 ? pddl_node(reader, 0)->first : -1;
    int32_t define = list >= 0 && pddl_is_list(reader, list) ? pddl_node(reader, list)->first : -1;
    int32_t title =
        define >= 0 && pddl_is(reader, define, "define") ? pddl_node(reader, define)->next : -1;
    int32_t word = title >= 0 && pddl_is_list(reader, title) ? pddl_node(reader, title)->first : -1;
    if (word < 0 || !pddl_is(reader, word, what) || pddl_node(reader, word)->next < 0) {
        pddl_fault(reader, list, "the file does not begin as it should",
                   what[0] == 'd' ? "(define (domain NAME)" : "(define (problem NAME)", NULL);
        return -1;
    }
    *name = pddl_name(reader, pddl_node(reader, word)->next);
    return pddl_node(reader, title)->next;
}

static void pddl_open(pddl_reader *reader, ployi_pddl *pddl, ploy_pddl_text file,
                      ploy_diags *diags) {
    memset(reader, 0, sizeof *reader);
    reader->pddl = pddl;
    reader->file = file;
    if (file.bytes == NULL) reader->file.size = 0;
    if (file.name == NULL) reader->file.name = "";
    reader->diags = diags;
    ploy_array_init(&reader->nodes, sizeof(ployi_pddl_node), &pddl->env);
    ploy_array_init(&reader->text, 1, &pddl->env);
}

// Both files side by side: domains name objects that only the problem lists, so the names of both
// come before what uses them.
static ploy_result pddl_read_both(pddl_reader readers[2], ployi_pddl *pddl) {
    static const char *const words[] = {"domain", "problem"};
    int32_t firsts[2] = {-1, -1};
    bool goal = false;
    for (int32_t i = 0; i < 2; i++) {
        pddl_scan(&readers[i]);
        if (readers[i].result != PLOY_OK || readers[i].faults > 0) continue;
        firsts[i] = pddl_define(&readers[i], words[i], i == 0 ? &pddl->domain : &pddl->problem);
    }
    for (int32_t pass = 0; pass < 3; pass++) {
        for (int32_t i = 0; i < 2; i++) {
            // With a faulty domain most names of the problem would be unknown.
            if (pass == 2 && i == 1 && readers[0].faults > 0) break;
            for (int32_t node = firsts[i]; node >= 0 && pddl_going(&readers[i]);
                 node = pddl_node(&readers[i], node)->next) {
                if (pass < 2) {
                    pddl_section(&readers[i], node, i == 0, pass == 0);
                } else {
                    pddl_late_section(&readers[i], node, &goal);
                }
            }
        }
    }
    if (firsts[1] >= 0 && !goal && readers[0].faults == 0 && pddl_going(&readers[1])) {
        pddl_fault(&readers[1], 0, "the problem has no goal", "(:goal ...)", NULL);
    }
    for (int32_t i = 0; i < 2; i++) {
        if (readers[i].result != PLOY_OK) return readers[i].result;
    }
    return readers[0].faults + readers[1].faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

ploy_result ployi_pddl_read(ployi_pddl *pddl, ploy_pddl_text domain, ploy_pddl_text problem,
                            const ploy_env *env, ploy_diags *diags) {
    memset(pddl, 0, sizeof *pddl);
    pddl->env = *env;
    ploy_array_init(&pddl->types, sizeof(ployi_pddl_type), env);
    ploy_array_init(&pddl->objects, sizeof(ployi_pddl_object), env);
    ploy_array_init(&pddl->symbols, sizeof(ployi_pddl_symbol), env);
    ploy_array_init(&pddl->schemas, sizeof(ployi_pddl_schema), env);
    ploy_array_init(&pddl->atoms, sizeof(ployi_pddl_atom), env);
    ploy_array_init(&pddl->costs, sizeof(ployi_pddl_cost), env);
    ploy_array_init(&pddl->init, sizeof(ployi_pddl_atom), env);
    ploy_array_init(&pddl->values, sizeof(ployi_pddl_value), env);
    ploy_array_init(&pddl->goal, sizeof(ployi_pddl_atom), env);
    ploy_result result = ploy_names_create(env, &pddl->names);
    if (result != PLOY_OK) return result;
    ployi_pddl_type object;
    memset(&object, 0, sizeof object);
    result = ploy_names_add(pddl->names, "object", &object.name);
    if (result == PLOY_OK) result = ploy_array_push(&pddl->types, &object);
    if (result != PLOY_OK) return result;
    pddl_reader readers[2];
    pddl_open(&readers[0], pddl, domain, diags);
    pddl_open(&readers[1], pddl, problem, diags);
    result = pddl_read_both(readers, pddl);
    for (int32_t i = 0; i < 2; i++) {
        ploy_array_fini(&readers[i].nodes);
        ploy_array_fini(&readers[i].text);
    }
    return result;
}

void ployi_pddl_fini(ployi_pddl *pddl) {
    ploy_array *arrays[] = {&pddl->types,   &pddl->objects, &pddl->symbols,
                            &pddl->schemas, &pddl->atoms,   &pddl->costs,
                            &pddl->init,    &pddl->values,  &pddl->goal};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_names_destroy(pddl->names);
    pddl->names = NULL;
}
