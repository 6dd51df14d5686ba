// Conditions in statechart files: a small grammar over states, words and blackboard keys.
//
//     any   = all { ("||" | "or") all }        all  = not { ("&&" | "and") not }
//     not   = ("!" | "not") not | "(" any ")" | test
//     test  = "true" | "false" | "In" "(" text ")" | name [ "(" number { "," number } ")" ]
//           | "after" "(" number ")", seconds in the state of a flat machine
//           | name ("<" | "<=" | ">" | ">=" | "==" | "!=") (number | text)
#include <math.h>
#include <string.h>

#include "machine_file.h"
#include "ploy/base/number.h"

enum { MACHINE_CONDITION_DEPTH = 48 };

typedef struct machine_condition {
    ployi_machine_reader *reader;
    const char *at;
    ployi_machine_place place;
    ploy_conditions *set; // NULL: only the form is looked at
    ploy_hsm_type *type;  // NULL: of a flat machine
    const ploy_machine_words *words;
    int32_t depth;
    bool wrong;
} machine_condition;

static ploy_condition machine_condition_any(machine_condition *c);

// Tells of the first mistake.
static ploy_condition machine_condition_fault(machine_condition *c, ploy_result code,
                                              const char *message, const char *word,
                                              const char *expected, const char *nearest) {
    if (!c->wrong) {
        ployi_machine_wrong(c->reader, c->place, code, message, word, expected, nearest);
    }
    c->wrong = true;
    return ploy_condition_none();
}

// Something else should stand here.
static ploy_condition machine_condition_expect(machine_condition *c, const char *expected) {
    const char *message =
        *c->at != '\0' ? "a condition goes wrong at" : "a condition ends too soon";
    return machine_condition_fault(c, PLOY_ERR_FORMAT, message, c->at, expected, NULL);
}

static void machine_condition_blanks(machine_condition *c) {
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r') c->at++;
}

static bool machine_condition_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (unsigned char)c >= 0x80;
}

// Takes a sign, or a word if it is one of letters.
static bool machine_condition_take(machine_condition *c, const char *sign) {
    size_t size = strlen(sign);
    machine_condition_blanks(c);
    if (strncmp(c->at, sign, size) != 0) return false;
    if (machine_condition_letter(sign[0]) && machine_condition_letter(c->at[size])) return false;
    c->at += size;
    return true;
}

// Takes a name or a text in quotes. False, and a fault, if there is none or it is too long.
static bool machine_condition_name(machine_condition *c, char text[PLOY_DIAG_TEXT_MAX]) {
    machine_condition_blanks(c);
    const char *begin = c->at, *end;
    char quote = *begin;
    bool quoted = quote == '\'' || quote == '"';
    if (quoted) {
        begin++;
        end = strchr(begin, quote);
        if (end == NULL) end = begin;
        c->at = *end == quote ? end + 1 : end;
    } else {
        while (machine_condition_letter(*c->at)) c->at++;
        end = c->at;
    }
    size_t size = (size_t)(end - begin);
    if (size > 0 && size < PLOY_DIAG_TEXT_MAX) {
        memcpy(text, begin, size);
        text[size] = '\0';
        return true;
    }
    text[0] = '\0';
    (void)machine_condition_expect(c, "a name, In('state'), true or false");
    return false;
}

static bool machine_condition_number(machine_condition *c, double *out) {
    size_t used = 0;
    machine_condition_blanks(c);
    if (ploy_parse_f64(c->at, strlen(c->at), &used, out) != PLOY_OK) {
        (void)machine_condition_expect(c, "a number");
        return false;
    }
    c->at += used;
    return true;
}

static ploy_condition machine_condition_in(machine_condition *c) {
    char id[PLOY_DIAG_TEXT_MAX];
    const ploy_machine *machine = c->reader->machine;
    if (!machine_condition_name(c, id)) return ploy_condition_none();
    if (!machine_condition_take(c, ")")) {
        return machine_condition_expect(c, "')'");
    }
    uint32_t number = ployi_machine_find(machine, id, strlen(id));
    if (number == 0) {
        ploy_nearest nearest = ploy_nearest_make(id);
        for (uint32_t i = 1; i < (uint32_t)machine->nodes.count; i++) {
            ploy_nearest_offer(&nearest,
                               ployi_machine_text(machine, ployi_machine_node_at(machine, i)->id));
        }
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "no state has the id", id, NULL,
                                       nearest.best);
    }
    ploy_hsm_state state = {number};
    if (c->set == NULL) return ploy_condition_none();
    if (c->type == NULL) {
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "only a chart asks", "In", NULL, NULL);
    }
    return ploy_hsm_type_in(c->type, state);
}

static ploy_condition machine_condition_unknown(machine_condition *c, const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; i < c->words->test_count; i++) {
        ploy_nearest_offer(&nearest, c->words->tests[i].name);
    }
    const ploy_blackboard_layout *layout = c->words->layout;
    for (int32_t i = 0; layout != NULL && i < ploy_blackboard_layout_count(layout); i++) {
        ploy_slot slot = {(uint32_t)i + 1};
        ploy_nearest_offer(&nearest, ploy_blackboard_layout_name(layout, slot));
    }
    return machine_condition_fault(c, PLOY_ERR_NOT_FOUND, "no test or key has the name", name, NULL,
                                   nearest.best);
}

static const ploy_machine_test *machine_condition_test(const machine_condition *c,
                                                       const char *name) {
    for (int32_t i = 0; i < c->words->test_count; i++) {
        if (strcmp(c->words->tests[i].name, name) == 0) return &c->words->tests[i];
    }
    return NULL;
}

// name(1, 2), or a key that is true.
static ploy_condition machine_condition_call(machine_condition *c, const char *name) {
    float args[PLOY_CONDITION_ARGS_MAX];
    int32_t count = 0;
    if (machine_condition_take(c, "(") && !machine_condition_take(c, ")")) {
        do {
            double value = 0.0;
            if (count == PLOY_CONDITION_ARGS_MAX) {
                return machine_condition_fault(c, PLOY_ERR_FORMAT, "too many numbers for", name,
                                               NULL, NULL);
            }
            if (!machine_condition_number(c, &value)) return ploy_condition_none();
            args[count++] = (float)value;
        } while (machine_condition_take(c, ","));
        if (!machine_condition_take(c, ")")) {
            return machine_condition_expect(c, "',' or ')'");
        }
    }
    if (c->set == NULL) return ploy_condition_none();
    const ploy_machine_test *test = machine_condition_test(c, name);
    if (test != NULL) {
        if (test->arity != count) {
            return machine_condition_fault(c, PLOY_ERR_FORMAT, "another number of numbers wants",
                                           name, NULL, NULL);
        }
        return ploy_condition_named(c->set, name, args, count);
    }
    if (strcmp(name, "after") == 0 && count == 1) {
        if (c->type == NULL) return ploy_condition_elapsed(c->set, (double)args[0]);
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "only a flat machine counts", name,
                                       "an event sent with a delay", NULL);
    }
    const ploy_blackboard_layout *layout = c->words->layout;
    ploy_slot slot = ploy_slot_none();
    if (layout != NULL && count == 0) slot = ploy_blackboard_layout_find(layout, name);
    if (ploy_slot_is_none(slot)) return machine_condition_unknown(c, name);
    if (ploy_blackboard_layout_type(layout, slot) != PLOY_VALUE_BOOL) {
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "neither true nor false is the key",
                                       name, "a comparison", NULL);
    }
    return ploy_condition_bool(c->set, name);
}

// The key lies in [min, max]; whole numbers are rounded inward, so that 2.5 is no bound of them.
static ploy_condition machine_condition_range(machine_condition *c, const char *name, double min,
                                              double max) {
    ploy_conditions *set = c->set;
    ploy_slot slot = ploy_blackboard_layout_find(c->words->layout, name);
    ploy_value_type type = ploy_blackboard_layout_type(c->words->layout, slot);
    if (type == PLOY_VALUE_F32 || type == PLOY_VALUE_F64) {
        return ploy_condition_range(set, name, min, max);
    }
    const double most = 9007199254740992.0; // 2^53: whole numbers beyond are not exact
    int64_t low = min <= -most ? INT64_MIN : (int64_t)ceil(min < most ? min : most);
    int64_t high = max >= most ? INT64_MAX : (int64_t)floor(max > -most ? max : -most);
    return ploy_condition_int(set, name, low, high);
}

static ploy_condition machine_condition_compare(machine_condition *c, const char *name,
                                                const char *sign) {
    char text[PLOY_DIAG_TEXT_MAX];
    double value = 0.0;
    machine_condition_blanks(c);
    bool quoted = *c->at == '\'' || *c->at == '"';
    if (quoted ? !machine_condition_name(c, text) : !machine_condition_number(c, &value)) {
        return ploy_condition_none();
    }
    bool equality = sign[1] == '=' && (sign[0] == '=' || sign[0] == '!');
    if (quoted && !equality) {
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "texts are equal or not:", text, NULL,
                                       NULL);
    }
    if (c->set == NULL) return ploy_condition_none();
    ploy_conditions *set = c->set;
    const ploy_blackboard_layout *layout = c->words->layout;
    ploy_slot slot = layout != NULL ? ploy_blackboard_layout_find(layout, name) : ploy_slot_none();
    if (ploy_slot_is_none(slot)) return machine_condition_unknown(c, name);
    ploy_value_type type = ploy_blackboard_layout_type(layout, slot);
    bool number = type == PLOY_VALUE_F32 || type == PLOY_VALUE_F64 || type == PLOY_VALUE_I64 ||
                  type == PLOY_VALUE_U64;
    if (quoted ? type != PLOY_VALUE_NAME : !number) {
        return machine_condition_fault(c, PLOY_ERR_FORMAT, "of another type is the key", name, NULL,
                                       NULL);
    }
    if (quoted) {
        ploy_condition is = ploy_condition_is(set, name, text);
        return sign[0] == '=' ? is : ploy_condition_not(set, is);
    }
    const double most = (double)INFINITY;
    ploy_condition same = machine_condition_range(c, name, value, value);
    if (equality) return sign[0] == '=' ? same : ploy_condition_not(set, same);
    // NaN is in no range, so it is neither less nor more.
    ploy_condition side = sign[0] == '<' ? machine_condition_range(c, name, -most, value)
                                         : machine_condition_range(c, name, value, most);
    if (sign[1] == '=') return side;
    return ploy_condition_and(set, side, ploy_condition_not(set, same));
}

static ploy_condition machine_condition_single(machine_condition *c) {
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};
    char name[PLOY_DIAG_TEXT_MAX];
    if (machine_condition_take(c, "true")) {
        return c->set != NULL ? ploy_condition_always(c->set) : ploy_condition_none();
    }
    if (machine_condition_take(c, "false")) {
        if (c->set == NULL) return ploy_condition_none();
        ploy_conditions *set = c->set;
        return ploy_condition_not(set, ploy_condition_always(set));
    }
    if (!machine_condition_name(c, name)) return ploy_condition_none();
    if (strcmp(name, "In") == 0 && machine_condition_take(c, "(")) return machine_condition_in(c);
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (machine_condition_take(c, signs[i])) {
            return machine_condition_compare(c, name, signs[i]);
        }
    }
    return machine_condition_call(c, name);
}

static ploy_condition machine_condition_not(machine_condition *c) {
    ploy_condition inner;
    if (++c->depth > MACHINE_CONDITION_DEPTH) {
        (void)machine_condition_fault(c, PLOY_ERR_FORMAT, "a condition is too deep", "", NULL,
                                      NULL);
    }
    if (c->wrong) return ploy_condition_none();
    machine_condition_blanks(c);
    bool negated =
        (*c->at == '!' && machine_condition_take(c, "!")) || machine_condition_take(c, "not");
    if (negated) {
        inner = machine_condition_not(c);
        if (c->set != NULL && !c->wrong) inner = ploy_condition_not(c->set, inner);
    } else if (machine_condition_take(c, "(")) {
        inner = machine_condition_any(c);
        if (!machine_condition_take(c, ")")) {
            inner = machine_condition_expect(c, "')'");
        }
    } else {
        inner = machine_condition_single(c);
    }
    c->depth--;
    return inner;
}

static ploy_condition machine_condition_all(machine_condition *c) {
    ploy_condition left = machine_condition_not(c);
    while (!c->wrong && (machine_condition_take(c, "&&") || machine_condition_take(c, "and"))) {
        ploy_condition right = machine_condition_not(c);
        if (c->set == NULL || c->wrong) continue;
        left = ploy_condition_and(c->set, left, right);
    }
    return left;
}

static ploy_condition machine_condition_any(machine_condition *c) {
    ploy_condition left = machine_condition_all(c);
    while (!c->wrong && (machine_condition_take(c, "||") || machine_condition_take(c, "or"))) {
        ploy_condition right = machine_condition_all(c);
        if (c->set == NULL || c->wrong) continue;
        left = ploy_condition_or(c->set, left, right);
    }
    return left;
}

ploy_condition ployi_machine_condition(ployi_machine_reader *reader, const char *text,
                                       ployi_machine_place place, ploy_conditions *set,
                                       ploy_hsm_type *type, const ploy_machine_words *words) {
    machine_condition c = {reader, text, place, set, type, words, 0, false};
    ploy_condition condition = machine_condition_any(&c);
    machine_condition_blanks(&c);
    if (*c.at == '\0' || c.wrong) return condition;
    return machine_condition_expect(&c, "and, or, or its end");
}
