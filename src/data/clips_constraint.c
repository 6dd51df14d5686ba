// What the slots of CLIPS may hold, as records that can be intersected and united.
//
// The rules are those of CLIPS 6.30, its oddities included, since its messages are compared with
// ours:
//   (1) an allowed-... list without a type restricts the values of that type only;
//   (2) the field of a slot that holds sequences still says that a sequence is allowed, so two such
//       fields never contradict one another by their types;
//   (3) the union with nothing is the other one, though nothing allows everything elsewhere.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/writer.h"

static const ployi_clips_range constraint_endless = {{PLOY_RULE_NONE, 0, {0}},
                                                     {PLOY_RULE_NONE, 0, {0}}};
static const ployi_clips_range constraint_counts = {{PLOY_RULE_INTEGER, 0, {0}},
                                                    {PLOY_RULE_NONE, 0, {0}}};

// What functions give and take, one letter each; the last letter represents all arguments that
// follow. Those that are not here give and take anything. In the order of their bytes.
static const struct {
    const char *name;
    char result;
    const char *arguments;
} constraint_signatures[] = {
    {"!=", 'w', "n"},
    {"*", 'n', "n"},
    {"**", 'f', "n"},
    {"+", 'n', "n"},
    {"-", 'n', "n"},
    {"/", 'n', "n"},
    {"<", 'w', "n"},
    {"<=", 'w', "n"},
    {"<>", 'w', "n"},
    {"=", 'w', "n"},
    {">", 'w', "n"},
    {">=", 'w', "n"},
    {"abs", 'n', "n"},
    {"agenda", 'v', "w"},
    {"and", 'w', "u"},
    {"any-factp", 'w', "u"},
    {"assert-string", 'u', "s"},
    {"atan", 'f', "n"},
    {"build", 'w', "k"},
    {"cos", 'f', "n"},
    {"create$", 'm', "u"},
    {"delete$", 'm', "mi"},
    {"delete-member$", 'm', "mu"},
    {"div", 'i', "n"},
    {"eq", 'w', "u"},
    {"eval", 'u', "k"},
    {"evenp", 'w', "i"},
    {"exp", 'f', "n"},
    {"explode$", 'm', "s"},
    {"fact-existp", 'w', "z"},
    {"fact-index", 'i', "y"},
    {"fact-relation", 'w', "z"},
    {"fact-slot-names", 'u', "z"},
    {"fact-slot-value", 'u', "zw"},
    {"facts", 'v', "ui"},
    {"find-all-facts", 'm', "u"},
    {"find-fact", 'm', "u"},
    {"first$", 'm', "m"},
    {"float", 'f', "n"},
    {"floatp", 'w', "u"},
    {"focus", 'w', "w"},
    {"format", 's', "usu"},
    {"gensym", 'w', "u"},
    {"gensym*", 'w', "u"},
    {"get-focus", 'w', "u"},
    {"get-strategy", 'w', "u"},
    {"halt", 'v', "u"},
    {"implode$", 's', "m"},
    {"insert$", 'm', "miu"},
    {"integer", 'i', "n"},
    {"integerp", 'w', "u"},
    {"length", 'i', "q"},
    {"length$", 'i', "q"},
    {"lexemep", 'w', "u"},
    {"log", 'f', "n"},
    {"lowcase", 'j', "j"},
    {"matches", 'u', "w"},
    {"max", 'n', "n"},
    {"member", 'u', "um"},
    {"member$", 'u', "um"},
    {"min", 'n', "n"},
    {"mod", 'n', "n"},
    {"multifieldp", 'w', "u"},
    {"mv-append", 'm', "u"},
    {"mv-delete", 'm', "im"},
    {"mv-replace", 'm', "imu"},
    {"mv-subseq", 'm', "iim"},
    {"neq", 'w', "u"},
    {"not", 'w', "u"},
    {"nth", 'u', "im"},
    {"nth$", 'u', "im"},
    {"numberp", 'w', "u"},
    {"oddp", 'w', "i"},
    {"or", 'w', "u"},
    {"pi", 'f', "u"},
    {"pointerp", 'w', "u"},
    {"pop-focus", 'w', "u"},
    {"printout", 'v', "u"},
    {"random", 'i', "i"},
    {"readline", 'k', "u"},
    {"refresh", 'v', "w"},
    {"replace$", 'm', "miiu"},
    {"replace-member$", 'm', "mu"},
    {"reset", 'v', "u"},
    {"rest$", 'm', "m"},
    {"retract", 'v', "z"},
    {"round", 'i', "n"},
    {"run", 'v', "i"},
    {"seed", 'v', "i"},
    {"sequencep", 'w', "u"},
    {"set-strategy", 'w', "w"},
    {"setgen", 'i', "i"},
    {"sin", 'f', "n"},
    {"sqrt", 'f', "n"},
    {"str-cat", 'k', "u"},
    {"str-compare", 'i', "jji"},
    {"str-explode", 'm', "s"},
    {"str-implode", 's', "m"},
    {"str-index", 'u', "j"},
    {"str-length", 'i', "j"},
    {"string-to-field", 'u', "j"},
    {"stringp", 'w', "u"},
    {"sub-string", 's', "iij"},
    {"subseq$", 'm', "mi"},
    {"subset", 'w', "m"},
    {"subsetp", 'w', "m"},
    {"sym-cat", 'k', "u"},
    {"symbolp", 'w', "u"},
    {"tan", 'f', "n"},
    {"undefrule", 'v', "w"},
    {"upcase", 'j', "j"},
    {"wordp", 'w', "u"},
};

static int32_t constraint_find_signature(const ployi_function *function) {
    int32_t low = 0,
            high = (int32_t)(sizeof constraint_signatures / sizeof constraint_signatures[0]) - 1;
    while (function != NULL && low <= high) {
        int32_t middle = (low + high) / 2;
        int order = strcmp(function->name, constraint_signatures[middle].name);
        if (order == 0) return middle;
        if (order < 0) {
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    return -1;
}

char ployi_clips_result_letter(const ployi_function *function) {
    int32_t found = constraint_find_signature(function);
    return found < 0 ? 'u' : constraint_signatures[found].result;
}

char ployi_clips_argument_letter(const ployi_function *function, int32_t i) {
    int32_t found = constraint_find_signature(function);
    if (found < 0) return 'u';
    const char *letters = constraint_signatures[found].arguments;
    while (--i > 0 && letters[1] != '\0') letters++;
    return *letters;
}

uint32_t ployi_type_bit(int32_t type) {
    switch (type) {
    case PLOY_RULE_SYMBOL: return PLOYI_TYPE_SYMBOL;
    case PLOY_RULE_STRING: return PLOYI_TYPE_STRING;
    case PLOY_RULE_NAME: return PLOYI_TYPE_NAME;
    case PLOY_RULE_INTEGER: return PLOYI_TYPE_INTEGER;
    case PLOY_RULE_FLOAT: return PLOYI_TYPE_FLOAT;
    case PLOY_RULE_FACT: return PLOYI_TYPE_FACT;
    default: return 0;
    }
}

ployi_constraint ployi_constraint_any(void) {
    ployi_constraint made;
    memset(&made, 0, sizeof made);
    made.any = made.single = true;
    made.range = &constraint_endless;
    made.size = &constraint_counts;
    made.range_count = made.size_count = 1;
    return made;
}

static void *constraint_alloc(ploy_clips *clips, int64_t count, size_t size) {
    void *made = ploy_arena_alloc_array(clips->scratch, count, size);
    if (made == NULL) clips->failed = true;
    return made;
}

const ployi_constraint *ployi_constraint_keep(ploy_clips *clips, const ployi_constraint *from) {
    ployi_constraint *made = constraint_alloc(clips, 1, sizeof *made);
    if (made != NULL) *made = *from;
    return made;
}

const ployi_constraint *ployi_constraint_letter(ploy_clips *clips, char letter) {
    static const struct {
        char letter;
        uint32_t types;
    } rows[] = {
        {'f', PLOYI_TYPE_FLOAT},
        {'i', PLOYI_TYPE_INTEGER},
        {'j', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING | PLOYI_TYPE_NAME},
        {'k', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING},
        {'n', PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT},
        {'q', PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING},
        {'s', PLOYI_TYPE_STRING},
        {'v', PLOYI_TYPE_VOID},
        {'w', PLOYI_TYPE_SYMBOL},
        {'y', PLOYI_TYPE_FACT},
        {'z', PLOYI_TYPE_FACT | PLOYI_TYPE_SYMBOL | PLOYI_TYPE_INTEGER},
    };
    ployi_constraint made = ployi_constraint_any();
    made.any = letter == 'u';
    made.multi = letter == 'u' || letter == 'm' || letter == 'q';
    made.single = letter != 'm';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].letter == letter) made.types = rows[i].types;
    }
    return ployi_constraint_keep(clips, &made);
}

const ployi_constraint *ployi_constraint_value(ploy_clips *clips, const ploy_rule_value *value) {
    ployi_constraint made = ployi_constraint_any();
    made.any = false;
    made.types = made.listed = ployi_type_bit(value->type);
    made.values = value;
    made.value_count = 1;
    return ployi_constraint_keep(clips, &made);
}

const ployi_constraint *ployi_constraint_of(ploy_clips *clips, const ployi_x *x) {
    ployi_constraint made = ployi_constraint_any();
    if (x != NULL && x->kind == PLOYI_X_CALL) {
        return ployi_constraint_letter(clips, ployi_clips_result_letter(x->function));
    }
    if (x != NULL && x->kind == PLOYI_X_VALUE) return ployi_constraint_value(clips, &x->value);
    made.any = made.multi = x != NULL; // nothing comes of nothing
    return ployi_constraint_keep(clips, &made);
}

bool ployi_constraint_empty(const ployi_constraint *a) {
    return a != NULL && !a->any && a->types == 0 && !a->multi;
}

// ---- Comparing and combining --------------------------------------------------------------------

static double constraint_number(const ploy_rule_value *value) {
    return value->type == PLOY_RULE_INTEGER ? (double)value->as.integer : value->as.real;
}

// -1, 0 or 1 for two numbers.
static int constraint_compare(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type == PLOY_RULE_INTEGER && b->type == PLOY_RULE_INTEGER) {
        return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
    }
    double x = constraint_number(a), y = constraint_number(b);
    return (x > y) - (x < y);
}

int ployi_clips_compare_ends(const ploy_rule_value *low, const ploy_rule_value *high) {
    bool endless = low->type == PLOY_RULE_NONE || high->type == PLOY_RULE_NONE;
    return endless ? -1 : constraint_compare(low, high);
}

// The later of two beginnings, the earlier of two ends.
static const ploy_rule_value *constraint_inner(const ploy_rule_value *a, const ploy_rule_value *b,
                                               int sign) {
    if (a->type == PLOY_RULE_NONE) return b;
    if (b->type == PLOY_RULE_NONE) return a;
    return constraint_compare(a, b) * sign > 0 ? a : b;
}

// The earlier of two beginnings, the later of two ends.
static const ploy_rule_value *constraint_outer(const ploy_rule_value *a, const ploy_rule_value *b,
                                               int sign) {
    return constraint_inner(a, b, sign) == a ? b : a;
}

// What two lists of spans have in common, in their order; count 0: nothing.
static const ployi_clips_range *constraint_common(ploy_clips *clips, const ployi_clips_range *a,
                                                  int32_t a_count, const ployi_clips_range *b,
                                                  int32_t b_count, int32_t *count) {
    ployi_clips_range *made = constraint_alloc(clips, (int64_t)a_count * b_count + 1, sizeof *made);
    *count = 0;
    for (int32_t i = 0; made != NULL && i < a_count; i++) {
        for (int32_t k = 0; k < b_count; k++) {
            if (ployi_clips_compare_ends(&b[k].low, &a[i].high) > 0 ||
                ployi_clips_compare_ends(&a[i].low, &b[k].high) > 0) {
                continue;
            }
            made[*count].low = *constraint_inner(&a[i].low, &b[k].low, 1);
            made[(*count)++].high = *constraint_inner(&a[i].high, &b[k].high, -1);
        }
    }
    return made;
}

// Both lists as one, in order, with those joined that meet.
static const ployi_clips_range *constraint_joined(ploy_clips *clips, const ployi_clips_range *a,
                                                  int32_t a_count, const ployi_clips_range *b,
                                                  int32_t b_count, int32_t *count) {
    ployi_clips_range *made = constraint_alloc(clips, (int64_t)a_count + b_count + 1, sizeof *made);
    *count = 0;
    for (int32_t i = 0; made != NULL && i < a_count + b_count; i++) {
        ployi_clips_range span = i < a_count ? a[i] : b[i - a_count];
        int32_t kept = 0;
        for (int32_t k = 0; k < *count; k++) {
            bool apart = ployi_clips_compare_ends(&span.low, &made[k].high) > 0 ||
                         ployi_clips_compare_ends(&made[k].low, &span.high) > 0;
            if (apart) {
                made[kept++] = made[k];
            } else {
                span.low = *constraint_outer(&span.low, &made[k].low, 1);
                span.high = *constraint_outer(&span.high, &made[k].high, -1);
            }
        }
        int32_t at = kept; // those after it move up
        while (at > 0 && ployi_clips_compare_ends(&made[at - 1].low, &span.low) > 0) at--;
        if (span.low.type == PLOY_RULE_NONE) at = 0;
        memmove(made + at + 1, made + at, (size_t)(kept - at) * sizeof *made);
        made[at] = span;
        *count = kept + 1;
    }
    return made;
}

static bool constraint_has(const ploy_rule_value *values, int32_t count,
                           const ploy_rule_value *value) {
    for (int32_t i = 0; i < count; i++) {
        if (ploy_rule_equal(&values[i], value)) return true;
    }
    return false;
}

static bool constraint_lists(const ployi_constraint *a, const ploy_rule_value *value) {
    if (!a->any_listed && (a->listed & ployi_type_bit(value->type)) == 0) return true;
    return constraint_has(a->values, a->value_count, value);
}

static void constraint_drop_all(ployi_constraint *a) {
    a->any = false;
    a->types = 0;
}

// A type without a value left in the list is no longer allowed.
static void constraint_settle(ployi_constraint *a) {
    if (a->any_listed && a->value_count == 0) constraint_drop_all(a);
    uint32_t there = 0;
    for (int32_t i = 0; i < a->value_count; i++) there |= ployi_type_bit(a->values[i].type);
    a->types &= ~(a->listed & ~there);
}

static void constraint_merge_values(ploy_clips *clips, const ployi_constraint *a,
                                    const ployi_constraint *b, bool both, ployi_constraint *out) {
    ploy_rule_value *values =
        constraint_alloc(clips, (int64_t)a->value_count + b->value_count + 1, sizeof *values);
    int32_t count = 0;
    for (int32_t i = 0; values != NULL && i < a->value_count + b->value_count; i++) {
        const ploy_rule_value *value =
            i < a->value_count ? &a->values[i] : &b->values[i - a->value_count];
        bool kept = both ? constraint_lists(a, value) && constraint_lists(b, value)
                         : out->any_listed || (out->listed & ployi_type_bit(value->type)) != 0;
        if (kept && !constraint_has(values, count, value)) values[count++] = *value;
    }
    out->values = values;
    out->value_count = count;
}

const ployi_constraint *ployi_constraint_both(ploy_clips *clips, const ployi_constraint *a,
                                              const ployi_constraint *b) {
    ployi_constraint made = ployi_constraint_any();
    if (a == NULL && b == NULL) {
        made.multi = true;
        return ployi_constraint_keep(clips, &made);
    }
    if (a == NULL || b == NULL) return a == NULL ? b : a;
    if (a->multi != b->multi && a->single != b->single) {
        made.any = false;
        return ployi_constraint_keep(clips, &made);
    }
    made.multi = a->multi && b->multi;
    made.single = a->single && b->single;
    made.any = a->any && b->any;
    made.types = (a->any ? PLOYI_TYPE_ALL : a->types) & (b->any ? PLOYI_TYPE_ALL : b->types);
    if (made.any) made.types = 0;
    made.any_listed = a->any_listed || b->any_listed;
    if (!made.any_listed) made.listed = a->listed | b->listed;
    constraint_merge_values(clips, a, b, true, &made);
    int32_t count = 0;
    const ployi_clips_range *spans =
        constraint_common(clips, a->range, a->range_count, b->range, b->range_count, &count);
    if (count > 0) {
        made.range = spans;
        made.range_count = count;
    } else {
        if (made.any) made.types = PLOYI_TYPE_ALL;
        made.any = false;
        made.types &= ~(uint32_t)(PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT);
    }
    spans = constraint_common(clips, a->size, a->size_count, b->size, b->size_count, &count);
    if (count > 0) {
        made.size = spans;
        made.size_count = count;
    } else {
        constraint_drop_all(&made);
        made.single = made.multi = false;
    }
    constraint_settle(&made);
    if (made.multi && (a->inside != NULL || b->inside != NULL)) {
        made.inside = ployi_constraint_both(clips, a->inside, b->inside);
        if (ployi_constraint_empty(made.inside)) made.multi = false;
    }
    return ployi_constraint_keep(clips, &made);
}

const ployi_constraint *ployi_constraint_either(ploy_clips *clips, const ployi_constraint *a,
                                                const ployi_constraint *b) {
    ployi_constraint made = ployi_constraint_any();
    if (a == NULL && b == NULL) return ployi_constraint_keep(clips, &made);
    if (a == NULL || b == NULL) return a == NULL ? b : a;
    made.multi = a->multi || b->multi;
    made.any = a->any || b->any;
    if (!made.any) made.types = a->types | b->types;
    made.any_listed = a->any_listed && b->any_listed;
    if (!made.any_listed) {
        made.listed = (a->any_listed ? PLOYI_TYPE_ALL : a->listed) &
                      (b->any_listed ? PLOYI_TYPE_ALL : b->listed);
    }
    constraint_merge_values(clips, a, b, false, &made);
    made.range = constraint_joined(clips, a->range, a->range_count, b->range, b->range_count,
                                   &made.range_count);
    made.size =
        constraint_joined(clips, a->size, a->size_count, b->size, b->size_count, &made.size_count);
    if (made.multi && (a->inside != NULL || b->inside != NULL)) {
        made.inside = ployi_constraint_either(clips, a->inside, b->inside);
    }
    return ployi_constraint_keep(clips, &made);
}

const ployi_constraint *ployi_constraint_without(ploy_clips *clips, const ployi_constraint *a,
                                                 const ploy_rule_value *value) {
    if (a == NULL) return NULL;
    ployi_constraint made = *a;
    ploy_rule_value *values = constraint_alloc(clips, (int64_t)a->value_count + 1, sizeof *values);
    made.value_count = 0;
    for (int32_t i = 0; values != NULL && i < a->value_count; i++) {
        if (!ploy_rule_equal(&a->values[i], value)) values[made.value_count++] = a->values[i];
    }
    made.values = values;
    constraint_settle(&made);
    return ployi_constraint_keep(clips, &made);
}

// ---- Checking -----------------------------------------------------------------------------------

ployi_violation ployi_constraint_check(const ployi_constraint *a, const ploy_rule_value *value) {
    if (a == NULL) return PLOYI_VIOLATES_NOTHING;
    if (!a->any && (a->types & ployi_type_bit(value->type)) == 0) return PLOYI_VIOLATES_TYPE;
    if (!constraint_lists(a, value)) return PLOYI_VIOLATES_VALUES;
    if (value->type != PLOY_RULE_INTEGER && value->type != PLOY_RULE_FLOAT) {
        return PLOYI_VIOLATES_NOTHING;
    }
    for (int32_t i = 0; i < a->range_count; i++) {
        if (ployi_clips_compare_ends(&a->range[i].low, value) <= 0 &&
            ployi_clips_compare_ends(value, &a->range[i].high) <= 0) {
            return PLOYI_VIOLATES_NOTHING;
        }
    }
    return PLOYI_VIOLATES_RANGE;
}

// True if what a function gives may stand there.
static bool constraint_takes(const ployi_constraint *a, char letter) {
    switch (letter) {
    case 'w': return (a->types & PLOYI_TYPE_SYMBOL) != 0;
    case 'i': return (a->types & PLOYI_TYPE_INTEGER) != 0;
    case 'f': return (a->types & PLOYI_TYPE_FLOAT) != 0;
    case 'n': return (a->types & (PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT)) != 0;
    case 's': return (a->types & PLOYI_TYPE_STRING) != 0;
    case 'j': return (a->types & (PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING | PLOYI_TYPE_NAME)) != 0;
    case 'k': return (a->types & (PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING)) != 0;
    case 'm': return a->multi;
    default: return true;
    }
}

ployi_violation ployi_constraint_check_list(const ployi_constraint *a, ployi_x *const *items,
                                            int32_t count) {
    if (a == NULL) return PLOYI_VIOLATES_NOTHING;
    ploy_rule_value least = ploy_rule_integer(0);
    bool open = false;
    for (int32_t i = 0; i < count; i++) {
        char letter = 'u';
        if (items[i]->kind == PLOYI_X_VALUE) letter = 'w';
        if (items[i]->kind == PLOYI_X_CALL) letter = ployi_clips_result_letter(items[i]->function);
        bool one = letter != 'u' && letter != 'm';
        if (one) least.as.integer++;
        open = open || !one;
    }
    if (ployi_clips_compare_ends(&least, &a->size[0].high) > 0 ||
        (!open && ployi_clips_compare_ends(&a->size[0].low, &least) > 0)) {
        return PLOYI_VIOLATES_SIZE;
    }
    for (int32_t i = 0; i < count; i++) {
        const ployi_x *x = items[i];
        ployi_violation found = PLOYI_VIOLATES_NOTHING;
        if (x->kind == PLOYI_X_VALUE) {
            found = ployi_constraint_check(a, &x->value);
        } else if (x->kind == PLOYI_X_CALL && !a->any &&
                   !constraint_takes(a, ployi_clips_result_letter(x->function))) {
            found = PLOYI_VIOLATES_RESULT;
        }
        if (found != PLOYI_VIOLATES_NOTHING) return found;
    }
    return PLOYI_VIOLATES_NOTHING;
}

static void constraint_write_end(ploy_clips *clips, const ploy_rule_value *end, const char *endless,
                                 ploy_writer *out) {
    if (end->type == PLOY_RULE_NONE) {
        ploy_write_text(out, endless);
    } else {
        ploy_rules_write_value(clips->rules, end, out);
    }
}

void ployi_constraint_fault(ploy_clips *clips, const char *what, const char *place, int32_t ce,
                            const char *slot, int32_t field, ployi_violation violation,
                            const ployi_constraint *a) {
    static const char *const tails[] = {"",
                                        "does not match the allowed types",
                                        "does not match the allowed values",
                                        "does not fall in the allowed range ",
                                        "does not satisfy the cardinality restrictions",
                                        "does not match the allowed types"};
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &clips->env);
    ploy_writer out = ploy_buffer_writer(&text);
    ploy_write_text(&out, "[CSTRNCHK1] ");
    ploy_write_text(&out, violation == PLOYI_VIOLATES_RESULT ? "The function return value" : what);
    ploy_write_text(&out, " found in ");
    if (ce > 0) {
        ploy_write_text(&out, "CE #");
        ploy_write_i64(&out, ce);
    } else {
        ploy_write_text(&out, place);
    }
    ploy_write_text(&out, "\n");
    ploy_write_text(&out, tails[violation]);
    if (violation == PLOYI_VIOLATES_RANGE && a->range_count > 0) {
        constraint_write_end(clips, &a->range[0].low, "-oo", &out);
        ploy_write_text(&out, " to ");
        constraint_write_end(clips, &a->range[0].high, "+oo", &out);
    }
    ploy_write_text(&out, slot != NULL ? " for slot " : " for field #");
    if (slot != NULL) {
        ploy_write_text(&out, slot);
    } else {
        ploy_write_i64(&out, field);
    }
    ploy_write_text(&out, ".");
    ployi_clips_fault(clips, ploy_buffer_text(&text), NULL);
    clips->fault_tight = true;
    ploy_buffer_fini(&text);
}

bool ployi_clips_check_slot(ploy_clips *clips, int32_t form, int32_t slot, ployi_x *const *items,
                            int32_t count, const char *place) {
    const ployi_deftemplate *made = ploy_array_at(&clips->templates, form);
    const ployi_constraint *allowed = made->slots[slot].constraint;
    if (clips->unchecked || allowed == NULL) return true;
    ployi_violation found = ployi_constraint_check_list(allowed, items, count);
    if (found == PLOYI_VIOLATES_NOTHING) return true;
    ployi_constraint_fault(
        clips, found == PLOYI_VIOLATES_SIZE ? "Literal slot values" : "A literal slot value", place,
        0, ploy_rulebase_slot(clips->base, form, slot).name, 0, found, allowed);
    return false;
}
