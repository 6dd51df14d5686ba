// Reading PDDL: what brackets and words (pddl_scan.c) mean.
//
// Meaning is read with a bounded recursion over `and` and `not`. Faults are counted and the reading
// goes on, so that all of them are reported.
#include <math.h>
#include <string.h>

#include "pddl_reader.h"
#include "ploy/base/number.h"

static int32_t pddl_type_of(ployi_pddl_reader *reader, int32_t node) {
    ploy_name name = ployi_pddl_name(reader, node);
    if (ploy_name_is_none(name)) return -1;
    int32_t type = ployi_pddl_find(&reader->pddl->types, name);
    if (type < 0) ployi_pddl_unknown(reader, node, "unknown type", &reader->pddl->types);
    return type;
}

static ployi_pddl_kind pddl_any_kind(void) {
    ployi_pddl_kind kind;
    memset(&kind, 0, sizeof kind);
    kind.count = 1; // object
    return kind;
}

// A type, or (either a b).
static ployi_pddl_kind pddl_kind(ployi_pddl_reader *reader, int32_t node) {
    ployi_pddl_kind kind = pddl_any_kind();
    if (!ployi_pddl_is_list(reader, node)) {
        int32_t type = pddl_type_of(reader, node);
        kind.types[0] = type >= 0 ? type : 0;
        return kind;
    }
    int32_t item = ployi_pddl_at(reader, node)->first;
    if (item < 0 || !ployi_pddl_is(reader, item, "either")) {
        ployi_pddl_fault(reader, node, "invalid type", "a name or (either ...)", NULL);
        return kind;
    }
    kind.count = 0;
    for (item = ployi_pddl_at(reader, item)->next; item >= 0;
         item = ployi_pddl_at(reader, item)->next) {
        int32_t type = pddl_type_of(reader, item);
        if (type < 0) continue;
        if (kind.count == PLOYI_PDDL_EITHER) {
            ployi_pddl_fault(reader, item, "too many types in 'either', at most 8:", NULL, NULL);
            break;
        }
        kind.types[kind.count++] = type;
    }
    return kind.count > 0 ? kind : pddl_any_kind();
}

// Goes through "a b - t c": each item with the node of its type, or -1.
typedef void (*pddl_item_fn)(ployi_pddl_reader *reader, int32_t item, int32_t type);

static void pddl_typed_list(ployi_pddl_reader *reader, int32_t first, pddl_item_fn fn) {
    int32_t run = first;
    for (int32_t node = first; node >= 0 && ployi_pddl_going(reader);) {
        int32_t next = ployi_pddl_at(reader, node)->next;
        if (!ployi_pddl_is(reader, node, "-")) {
            node = next;
            continue;
        }
        if (next < 0) {
            ployi_pddl_fault(reader, node, "missing type after", "a type", NULL);
            return;
        }
        for (; run != node; run = ployi_pddl_at(reader, run)->next) fn(reader, run, next);
        node = run = ployi_pddl_at(reader, next)->next;
    }
    for (; run >= 0 && ployi_pddl_going(reader); run = ployi_pddl_at(reader, run)->next)
        fn(reader, run, -1);
}

// ---- the domain's tables

static void pddl_add_type(ployi_pddl_reader *reader, int32_t item, int32_t parent) {
    ployi_pddl_type type;
    memset(&type, 0, sizeof type);
    (void)parent; // read when all names are known
    type.name = ployi_pddl_name(reader, item);
    if (ploy_name_is_none(type.name) || ployi_pddl_find(&reader->pddl->types, type.name) >= 0)
        return;
    (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->types, &type));
}

// A parent that is named nowhere else is a type too.
static void pddl_add_parents(ployi_pddl_reader *reader, int32_t item, int32_t parent) {
    (void)item;
    if (parent < 0) return;
    if (!ployi_pddl_is_list(reader, parent)) {
        pddl_add_type(reader, parent, -1);
        return;
    }
    int32_t node = ployi_pddl_at(reader, parent)->first;
    if (node >= 0) node = ployi_pddl_at(reader, node)->next;
    for (; node >= 0; node = ployi_pddl_at(reader, node)->next) pddl_add_type(reader, node, -1);
}

static void pddl_set_parents(ployi_pddl_reader *reader, int32_t item, int32_t parent) {
    ploy_name name = ployi_pddl_name(reader, item);
    int32_t index = ployi_pddl_find(&reader->pddl->types, name);
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

static void pddl_add_object(ployi_pddl_reader *reader, int32_t item, int32_t type) {
    ployi_pddl_object object;
    memset(&object, 0, sizeof object);
    object.name = ployi_pddl_name(reader, item);
    object.kind = type >= 0 ? pddl_kind(reader, type) : pddl_any_kind();
    // Objects may repeat constants.
    if (ploy_name_is_none(object.name) || ployi_pddl_find(&reader->pddl->objects, object.name) >= 0)
        return;
    (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->objects, &object));
}

static bool pddl_is_variable(const ployi_pddl_reader *reader, int32_t node) {
    const ployi_pddl_node *item = ployi_pddl_at(reader, node);
    return item->size > 1 && PLOY_ARRAY_ITEMS(&reader->text, char)[item->text] == '?';
}

static void pddl_add_param(ployi_pddl_reader *reader, int32_t item, int32_t type) {
    if (!pddl_is_variable(reader, item)) {
        ployi_pddl_fault(reader, item, "invalid parameter", "?name", NULL);
        return;
    }
    ploy_name name = ployi_pddl_name(reader, item);
    if (ploy_name_is_none(name)) return;
    for (int32_t i = 0; i < reader->param_count; i++) {
        // Predicates' parameters are only counted, and files name two alike.
        if (reader->pddl->schemas.count > 0 && ploy_name_equal(reader->params[i], name)) {
            ployi_pddl_fault(reader, item, "duplicate parameter", NULL, NULL);
        }
    }
    if (reader->param_count == PLOY_PDDL_PARAMS_MAX) {
        ployi_pddl_fault(reader, item, "too many parameters, at most 15:", NULL, NULL);
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

static void pddl_add_symbols(ployi_pddl_reader *reader, int32_t first, bool function) {
    for (int32_t node = first; node >= 0 && ployi_pddl_going(reader);
         node = ployi_pddl_at(reader, node)->next) {
        if (function && !ployi_pddl_is_list(reader, node)) continue; // "- number"
        int32_t head = ployi_pddl_is_list(reader, node) ? ployi_pddl_at(reader, node)->first : -1;
        if (head < 0) {
            ployi_pddl_fault(reader, node, "invalid predicate", "(name ?x ...)", NULL);
            continue;
        }
        ployi_pddl_symbol symbol;
        memset(&symbol, 0, sizeof symbol);
        symbol.name = ployi_pddl_name(reader, head);
        symbol.function = function;
        reader->param_count = 0;
        pddl_typed_list(reader, ployi_pddl_at(reader, head)->next, pddl_add_param);
        symbol.arity = reader->param_count;
        if (ploy_name_is_none(symbol.name)) continue;
        if (ployi_pddl_find(&reader->pddl->symbols, symbol.name) >= 0) {
            ployi_pddl_fault(reader, head, "duplicate name", NULL, NULL);
            continue;
        }
        (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->symbols, &symbol));
    }
}

// ---- formulas

static int32_t pddl_term(ployi_pddl_reader *reader, int32_t node, bool *fine) {
    ploy_name name = ployi_pddl_name(reader, node);
    if (ploy_name_is_none(name)) {
        *fine = false;
        return 0;
    }
    if (pddl_is_variable(reader, node)) {
        char word[PLOYI_PDDL_WORD_MAX + 1];
        ploy_nearest nearest = ploy_nearest_make(ployi_pddl_text(reader, node, word));
        for (int32_t i = 0; i < reader->param_count; i++) {
            if (ploy_name_equal(reader->params[i], name)) return i;
            ploy_nearest_offer(&nearest, ploy_names_text(reader->pddl->names, reader->params[i]));
        }
        ployi_pddl_fault(reader, node, "unknown parameter", NULL, nearest.best);
        *fine = false;
        return 0;
    }
    int32_t object = ployi_pddl_find(&reader->pddl->objects, name);
    if (object < 0) {
        ployi_pddl_unknown(reader, node, "unknown object", &reader->pddl->objects);
        *fine = false;
    }
    return ~object;
}

// (name term ...) or (= term term).
static bool pddl_atom(ployi_pddl_reader *reader, int32_t list, bool function,
                      ployi_pddl_atom *out) {
    memset(out, 0, sizeof *out);
    int32_t head = ployi_pddl_is_list(reader, list) ? ployi_pddl_at(reader, list)->first : -1;
    if (head < 0 || ployi_pddl_is_list(reader, head)) {
        ployi_pddl_fault(reader, list, "expected an atom", "(name ...)", NULL);
        return false;
    }
    bool fine = true;
    int32_t arity = 2;
    out->predicate = -1;
    if (!ployi_pddl_is(reader, head, "=")) {
        ploy_name name = ployi_pddl_name(reader, head);
        out->predicate = ployi_pddl_find(&reader->pddl->symbols, name);
        if (out->predicate < 0 ||
            ((const ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, out->predicate))
                    ->function != function) {
            ployi_pddl_unknown(reader, head, function ? "unknown function" : "unknown predicate",
                               &reader->pddl->symbols);
            return false;
        }
        arity = ((const ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, out->predicate))
                    ->arity;
    }
    for (int32_t node = ployi_pddl_at(reader, head)->next; node >= 0;
         node = ployi_pddl_at(reader, node)->next) {
        if (out->count == PLOY_PDDL_PARAMS_MAX) {
            fine = false;
            break;
        }
        out->terms[out->count++] = pddl_term(reader, node, &fine);
    }
    if (out->count != arity) {
        ployi_pddl_fault(reader, head, "wrong number of terms for", NULL, NULL);
        return false;
    }
    return fine;
}

static bool pddl_beyond(ployi_pddl_reader *reader, int32_t head) {
    static const char *const words[] = {"or",         "imply",    "forall",   "exists",    "when",
                                        "<",          ">",        "<=",       ">=",        "assign",
                                        "preference", "decrease", "scale-up", "scale-down"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!ployi_pddl_is(reader, head, words[i])) continue;
        ployi_pddl_fault(reader, head, "unsupported formula", "and, not, = and atoms", NULL);
        return true;
    }
    return false;
}

// (increase (total-cost) 3) or (increase (total-cost) (length ?a ?b)).
static void pddl_increase(ployi_pddl_reader *reader, int32_t head) {
    int32_t what = ployi_pddl_at(reader, head)->next;
    int32_t amount = what >= 0 ? ployi_pddl_at(reader, what)->next : -1;
    int32_t name =
        what >= 0 && ployi_pddl_is_list(reader, what) ? ployi_pddl_at(reader, what)->first : -1;
    if (amount < 0 || name < 0 || !ployi_pddl_is(reader, name, "total-cost")) {
        ployi_pddl_fault(reader, head, "invalid cost", "(increase (total-cost) ...)", NULL);
        return;
    }
    ployi_pddl_cost cost;
    memset(&cost, 0, sizeof cost);
    cost.function.predicate = -2;
    if (ployi_pddl_is_list(reader, amount)) {
        if (!pddl_atom(reader, amount, true, &cost.function)) return;
    } else {
        const ployi_pddl_node *node = ployi_pddl_at(reader, amount);
        const char *text = PLOY_ARRAY_ITEMS(&reader->text, char) + node->text;
        if (ploy_parse_f64(text, (size_t)node->size, NULL, &cost.amount) != PLOY_OK ||
            !(cost.amount >= 0.0 && cost.amount <= 1e9)) {
            ployi_pddl_fault(reader, amount, "invalid cost", "a number of 0 or more", NULL);
            return;
        }
    }
    (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->costs, &cost));
}

// Conditions and effects, flat: atoms and negated ones go to `out`. The depth of brackets bounds
// the recursion.
static void pddl_formula(ployi_pddl_reader *reader, int32_t list, bool negated, bool effect,
                         ploy_array *out) {
    if (!ployi_pddl_going(reader)) return;
    if (!ployi_pddl_is_list(reader, list)) {
        ployi_pddl_fault(reader, list, "invalid formula", "(...)", NULL);
        return;
    }
    int32_t head = ployi_pddl_at(reader, list)->first;
    if (head < 0) return; // () holds
    if (ployi_pddl_is(reader, head, "and")) {
        int32_t node = ployi_pddl_at(reader, head)->next;
        if (negated)
            ployi_pddl_fault(reader, head, "unsupported formula in 'not':", "an atom", NULL);
        for (; node >= 0; node = ployi_pddl_at(reader, node)->next) {
            pddl_formula(reader, node, negated, effect, out);
        }
    } else if (ployi_pddl_is(reader, head, "not")) {
        int32_t inner = ployi_pddl_at(reader, head)->next;
        if (inner < 0 || ployi_pddl_at(reader, inner)->next >= 0) {
            ployi_pddl_fault(reader, head, "expected one formula after", NULL, NULL);
            return;
        }
        pddl_formula(reader, inner, !negated, effect, out);
    } else if (effect && ployi_pddl_is(reader, head, "increase")) {
        pddl_increase(reader, head);
    } else if (!pddl_beyond(reader, head)) {
        ployi_pddl_atom atom;
        if (!pddl_atom(reader, list, false, &atom)) return;
        if (effect && atom.predicate < 0) {
            ployi_pddl_fault(reader, head, "unsupported '=' in an effect", NULL, NULL);
            return;
        }
        atom.negated = negated;
        if (!ployi_pddl_kept(reader, ploy_array_push(out, &atom)) || !effect) return;
        ((ployi_pddl_symbol *)ploy_array_at(&reader->pddl->symbols, atom.predicate))->changes =
            true;
    }
}

static void pddl_action(ployi_pddl_reader *reader, int32_t head) {
    int32_t node = ployi_pddl_at(reader, head)->next;
    ployi_pddl *pddl = reader->pddl;
    ployi_pddl_schema schema;
    memset(&schema, 0, sizeof schema);
    if (node < 0) {
        ployi_pddl_fault(reader, head, "missing name after", "a name", NULL);
        return;
    }
    schema.name = ployi_pddl_name(reader, node);
    if (ployi_pddl_find(&pddl->schemas, schema.name) >= 0) {
        ployi_pddl_fault(reader, node, "duplicate action", NULL, NULL);
    }
    if (!ployi_pddl_kept(reader, ploy_array_push(&pddl->schemas, &schema))) return;
    int32_t index = pddl->schemas.count - 1, name = node, effect = -1, needs = -1;
    reader->param_count = 0;
    for (node = ployi_pddl_at(reader, node)->next; node >= 0;
         node = ployi_pddl_at(reader, node)->next) {
        int32_t value = ployi_pddl_at(reader, node)->next;
        static const char *const keys[] = {":parameters", ":precondition", ":effect"};
        bool known = ployi_pddl_is(reader, node, keys[0]) || ployi_pddl_is(reader, node, keys[1]) ||
                     ployi_pddl_is(reader, node, keys[2]);
        if (!known || value < 0) {
            char word[PLOYI_PDDL_WORD_MAX + 1];
            ploy_nearest nearest = ploy_nearest_make(ployi_pddl_text(reader, node, word));
            for (int32_t i = 0; i < 3; i++) ploy_nearest_offer(&nearest, keys[i]);
            ployi_pddl_fault(reader, node,
                             known ? "missing value after" : "unknown part of an action",
                             ":parameters, :precondition or :effect", known ? NULL : nearest.best);
            if (value < 0) break;
        } else if (ployi_pddl_is(reader, node, keys[0])) {
            pddl_typed_list(reader, ployi_pddl_at(reader, value)->first, pddl_add_param);
        } else if (ployi_pddl_is(reader, node, keys[1])) {
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
    if (effect < 0) ployi_pddl_fault(reader, name, "missing effect of action", ":effect", NULL);
    ployi_pddl_schema *own = ploy_array_at(&pddl->schemas, index);
    own->first_need = first_need;
    own->need_count = first_gain - first_need;
    own->first_gain = first_gain;
    own->gain_count = pddl->atoms.count - first_gain;
    own->first_cost = first_cost;
    own->cost_count = pddl->costs.count - first_cost;
}

static void pddl_requirements(ployi_pddl_reader *reader, int32_t node) {
    static const char *const known[] = {":strips", ":typing", ":negative-preconditions",
                                        ":equality", ":action-costs"};
    for (; node >= 0 && ployi_pddl_going(reader); node = ployi_pddl_at(reader, node)->next) {
        char word[PLOYI_PDDL_WORD_MAX + 1];
        bool fine = false;
        ploy_nearest nearest = ploy_nearest_make(ployi_pddl_text(reader, node, word));
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            fine |= ployi_pddl_is(reader, node, known[i]);
            ploy_nearest_offer(&nearest, known[i]);
        }
        if (!fine) ployi_pddl_fault(reader, node, "unsupported requirement", NULL, nearest.best);
    }
}

// ---- the problem's parts

static void pddl_init(ployi_pddl_reader *reader, int32_t node) {
    for (; node >= 0 && ployi_pddl_going(reader); node = ployi_pddl_at(reader, node)->next) {
        int32_t head = ployi_pddl_is_list(reader, node) ? ployi_pddl_at(reader, node)->first : -1;
        int32_t left = head >= 0 ? ployi_pddl_at(reader, head)->next : -1;
        if (left >= 0 && ployi_pddl_is(reader, head, "=") && ployi_pddl_is_list(reader, left)) {
            int32_t right = ployi_pddl_at(reader, left)->next;
            ployi_pddl_value value;
            memset(&value, 0, sizeof value);
            if (!pddl_atom(reader, left, true, &value.function)) continue;
            if (right < 0 ||
                ploy_parse_f64(
                    PLOY_ARRAY_ITEMS(&reader->text, char) + ployi_pddl_at(reader, right)->text,
                    (size_t)ployi_pddl_at(reader, right)->size, NULL, &value.value) != PLOY_OK ||
                !(value.value >= 0.0 && value.value <= 1e9)) {
                ployi_pddl_fault(reader, left, "missing value of function", "a number of 0 or more",
                                 NULL);
                continue;
            }
            (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->values, &value));
            continue;
        }
        if (head >= 0 && ployi_pddl_is(reader, head, "not"))
            continue; // what is absent is false anyway
        ployi_pddl_atom atom;
        if (!pddl_atom(reader, node, false, &atom)) continue;
        if (atom.predicate < 0) {
            ployi_pddl_fault(reader, node, "invalid '='", "an atom", NULL);
            continue;
        }
        (void)ployi_pddl_kept(reader, ploy_array_push(&reader->pddl->init, &atom));
    }
}

static void pddl_section(ployi_pddl_reader *reader, int32_t list, bool domain, bool early) {
    static const char *const parts[] = {":requirements", ":types",  ":constants", ":predicates",
                                        ":functions",    ":action", ":domain",    ":objects",
                                        ":init",         ":goal",   ":metric"};
    int32_t head = ployi_pddl_is_list(reader, list) ? ployi_pddl_at(reader, list)->first : -1;
    if (head < 0) {
        if (early)
            ployi_pddl_fault(reader, list, "unexpected text in the file", "(:name ...)", NULL);
        return;
    }
    int32_t rest = ployi_pddl_at(reader, head)->next;
    size_t part = 0, count = sizeof parts / sizeof parts[0];
    while (part < count && !ployi_pddl_is(reader, head, parts[part])) part++;
    if (part == count || (domain ? part > 5 : part > 0 && part < 6)) {
        if (!early) return;
        char word[PLOYI_PDDL_WORD_MAX + 1];
        ploy_nearest nearest = ploy_nearest_make(ployi_pddl_text(reader, head, word));
        for (size_t i = domain ? 0 : 6; i < (domain ? 6 : count); i++) {
            ploy_nearest_offer(&nearest, parts[i]);
        }
        ployi_pddl_fault(reader, head, "unknown part", NULL, nearest.best);
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
            if (rest >= 0) name = ployi_pddl_name(reader, rest);
            if (!ploy_name_equal(name, pddl->domain)) {
                ployi_pddl_fault(reader, rest >= 0 ? rest : head, "problem is for another domain:",
                                 ploy_names_text(pddl->names, pddl->domain), NULL);
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
static void pddl_late_section(ployi_pddl_reader *reader, int32_t list, bool *goal) {
    int32_t head = ployi_pddl_is_list(reader, list) ? ployi_pddl_at(reader, list)->first : -1;
    if (head < 0) return;
    int32_t rest = ployi_pddl_at(reader, head)->next;
    if (ployi_pddl_is(reader, head, ":action")) pddl_action(reader, head);
    reader->param_count = 0;
    if (ployi_pddl_is(reader, head, ":init")) pddl_init(reader, rest);
    if (!ployi_pddl_is(reader, head, ":goal")) return;
    *goal = true;
    if (rest < 0) {
        ployi_pddl_fault(reader, head, "missing value after", "a formula", NULL);
    } else {
        pddl_formula(reader, rest, false, false, &reader->pddl->goal);
    }
}

// (define (domain NAME) parts...). @return the first part, -1 after a fault.
static int32_t pddl_define(ployi_pddl_reader *reader, const char *what, ploy_name *name) {
    int32_t list = reader->nodes.count > 0 ? ployi_pddl_at(reader, 0)->first : -1;
    int32_t define =
        list >= 0 && ployi_pddl_is_list(reader, list) ? ployi_pddl_at(reader, list)->first : -1;
    int32_t title = define >= 0 && ployi_pddl_is(reader, define, "define")
                        ? ployi_pddl_at(reader, define)->next
                        : -1;
    int32_t word =
        title >= 0 && ployi_pddl_is_list(reader, title) ? ployi_pddl_at(reader, title)->first : -1;
    if (word < 0 || !ployi_pddl_is(reader, word, what) || ployi_pddl_at(reader, word)->next < 0) {
        ployi_pddl_fault(reader, list, "unexpected start of the file",
                         what[0] == 'd' ? "(define (domain NAME)" : "(define (problem NAME)", NULL);
        return -1;
    }
    *name = ployi_pddl_name(reader, ployi_pddl_at(reader, word)->next);
    return ployi_pddl_at(reader, title)->next;
}

static void pddl_open(ployi_pddl_reader *reader, ployi_pddl *pddl, ploy_pddl_text file,
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
static ploy_result pddl_read_both(ployi_pddl_reader readers[2], ployi_pddl *pddl) {
    static const char *const words[] = {"domain", "problem"};
    int32_t firsts[2] = {-1, -1};
    bool goal = false;
    for (int32_t i = 0; i < 2; i++) {
        ployi_pddl_scan(&readers[i]);
        if (readers[i].result != PLOY_OK || readers[i].faults > 0) continue;
        firsts[i] = pddl_define(&readers[i], words[i], i == 0 ? &pddl->domain : &pddl->problem);
    }
    for (int32_t pass = 0; pass < 3; pass++) {
        for (int32_t i = 0; i < 2; i++) {
            // With a faulty domain most names of the problem would be unknown.
            if (pass == 2 && i == 1 && readers[0].faults > 0) break;
            for (int32_t node = firsts[i]; node >= 0 && ployi_pddl_going(&readers[i]);
                 node = ployi_pddl_at(&readers[i], node)->next) {
                if (pass < 2) {
                    pddl_section(&readers[i], node, i == 0, pass == 0);
                } else {
                    pddl_late_section(&readers[i], node, &goal);
                }
            }
        }
    }
    if (firsts[1] >= 0 && !goal && readers[0].faults == 0 && ployi_pddl_going(&readers[1])) {
        ployi_pddl_fault(&readers[1], 0, "missing goal", "(:goal ...)", NULL);
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
    ployi_pddl_reader readers[2];
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
