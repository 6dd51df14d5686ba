// The slots of CLIPS's templates: types, allowed values, ranges, cardinalities, and the defaults
// that follow from them.
#include <string.h>

#include "data/clips_internal.h"

enum {
    FACET_TYPE,
    FACET_RANGE,
    FACET_CARDINALITY,
    FACET_SYMBOLS,
    FACET_STRINGS,
    FACET_LEXEMES,
    FACET_INTEGERS,
    FACET_FLOATS,
    FACET_NUMBERS,
    FACET_NAMES,
    FACET_CLASSES,
    FACET_VALUES,
    FACET_DEFAULT,
    FACET_DYNAMIC,
    FACET_COUNT
};

static const struct {
    const char *name;
    uint32_t types; // of its values
} facet_rows[FACET_COUNT] = {
    {"type", 0},
    {"range", 0},
    {"cardinality", 0},
    {"allowed-symbols", PLOYI_TYPE_SYMBOL},
    {"allowed-strings", PLOYI_TYPE_STRING},
    {"allowed-lexemes", PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING},
    {"allowed-integers", PLOYI_TYPE_INTEGER},
    {"allowed-floats", PLOYI_TYPE_FLOAT},
    {"allowed-numbers", PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT},
    {"allowed-instance-names", PLOYI_TYPE_NAME},
    {"allowed-classes", PLOYI_TYPE_SYMBOL},
    {"allowed-values", PLOYI_TYPE_ALL},
    {"default", 0},
    {"default-dynamic", 0},
};

// Two that exclude one another.
static const int8_t facet_pairs[][2] = {
    {FACET_VALUES, FACET_SYMBOLS},  {FACET_VALUES, FACET_STRINGS},   {FACET_VALUES, FACET_LEXEMES},
    {FACET_VALUES, FACET_INTEGERS}, {FACET_VALUES, FACET_FLOATS},    {FACET_VALUES, FACET_NUMBERS},
    {FACET_VALUES, FACET_NAMES},    {FACET_VALUES, FACET_RANGE},     {FACET_LEXEMES, FACET_SYMBOLS},
    {FACET_LEXEMES, FACET_STRINGS}, {FACET_NUMBERS, FACET_INTEGERS}, {FACET_NUMBERS, FACET_FLOATS},
    {FACET_RANGE, FACET_INTEGERS},  {FACET_RANGE, FACET_FLOATS},     {FACET_RANGE, FACET_NUMBERS},
};

typedef struct facet_reader {
    ploy_clips *clips;
    ployi_constraint *made;
    ploy_rule_slot *slot;
    ployi_defslot *defslot;
    uint32_t seen; // facets, as bits
    int32_t room;  // of values
} facet_reader;

// A fault with CLIPS's display of the construct up to it.
static bool facet_fault(facet_reader *reader, const char *before, const char *name,
                        const char *after, bool tight, bool blank) {
    const char *parts[] = {before, name, after};
    ployi_clips_fault_list(reader->clips, parts, 3);
    reader->clips->fault_tight = tight;
    reader->clips->fault_blank = blank;
    return false;
}

static bool facet_syntax(facet_reader *reader, int32_t facet, bool tight, bool blank) {
    return facet_fault(reader, "[PRNTUTIL2] Syntax Error:  Check appropriate syntax for ",
                       facet_rows[facet].name, " attribute.", tight, blank);
}

static bool facet_is_open(const ploy_clips *clips) { // ?VARIABLE
    return clips->token.kind == PLOYI_TOKEN_VAR && strcmp(clips->token.text, "VARIABLE") == 0;
}

static bool facet_read_types(facet_reader *reader) {
    static const struct {
        const char *name;
        uint32_t types;
    } words[] = {
        {"SYMBOL", PLOYI_TYPE_SYMBOL},
        {"STRING", PLOYI_TYPE_STRING},
        {"LEXEME", PLOYI_TYPE_SYMBOL | PLOYI_TYPE_STRING},
        {"INTEGER", PLOYI_TYPE_INTEGER},
        {"FLOAT", PLOYI_TYPE_FLOAT},
        {"NUMBER", PLOYI_TYPE_INTEGER | PLOYI_TYPE_FLOAT},
        {"INSTANCE-NAME", PLOYI_TYPE_NAME},
        {"INSTANCE-ADDRESS", PLOYI_TYPE_INSTANCE},
        {"INSTANCE", PLOYI_TYPE_NAME | PLOYI_TYPE_INSTANCE},
        {"EXTERNAL-ADDRESS", PLOYI_TYPE_EXTERNAL},
        {"FACT-ADDRESS", PLOYI_TYPE_FACT},
    };
    ploy_clips *clips = reader->clips;
    bool first = true;
    do {
        if (first && facet_is_open(clips)) {
            ployi_clips_next(clips);
            return clips->token.kind == PLOYI_TOKEN_CLOSE ||
                   facet_syntax(reader, FACET_TYPE, false, true);
        }
        uint32_t types = 0;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (ployi_clips_is(clips, words[i].name)) types = words[i].types;
        }
        if (types == 0 || (reader->made->types & types) == types) { // unknown, or named twice
            bool close = clips->token.kind == PLOYI_TOKEN_CLOSE;
            return facet_syntax(reader, FACET_TYPE, close, !close);
        }
        reader->made->any = false;
        reader->made->types |= types;
        first = false;
        ployi_clips_next(clips);
    } while (clips->token.kind != PLOYI_TOKEN_CLOSE);
    return true;
}

static bool facet_add_value(facet_reader *reader, ploy_rule_value value) {
    ployi_constraint *made = reader->made;
    if (made->value_count == reader->room) {
        int32_t room = reader->room * 2 + 4;
        ploy_rule_value *values = ployi_clips_alloc(reader->clips, room, sizeof *values);
        if (values == NULL) return false;
        if (made->value_count > 0) {
            memcpy(values, made->values, (size_t)made->value_count * sizeof *values);
        }
        made->values = values;
        reader->room = room;
    }
    ((ploy_rule_value *)(uintptr_t)made->values)[made->value_count++] = value;
    return true;
}

static bool facet_read_values(facet_reader *reader, int32_t facet) {
    ploy_clips *clips = reader->clips;
    if (clips->token.kind == PLOYI_TOKEN_CLOSE) return facet_syntax(reader, facet, false, false);
    if (facet_is_open(clips)) {
        ployi_clips_next(clips);
        return clips->token.kind == PLOYI_TOKEN_CLOSE || facet_syntax(reader, facet, false, true);
    }
    while (clips->token.kind != PLOYI_TOKEN_CLOSE && !clips->parse_failed) {
        if (clips->token.kind != PLOYI_TOKEN_VALUE) {
            return facet_syntax(reader, facet, false, true);
        }
        if ((facet_rows[facet].types & ployi_type_bit(clips->token.value.type)) == 0) {
            return facet_fault(reader,
                               "[CSTRNPSR4] Value does not match the expected type for the ",
                               facet_rows[facet].name, " attribute", false, true);
        }
        // Classes are of instances, which do not exist here.
        if (facet != FACET_CLASSES && !facet_add_value(reader, clips->token.value)) return false;
        ployi_clips_next(clips);
    }
    if (facet == FACET_CLASSES) return !clips->parse_failed;
    if (facet == FACET_VALUES) {
        reader->made->any_listed = true;
    } else {
        reader->made->listed |= facet_rows[facet].types;
    }
    return !clips->parse_failed;
}

// Two numbers, or ?VARIABLE for an open end.
static bool facet_read_span(facet_reader *reader, int32_t facet) {
    ploy_clips *clips = reader->clips;
    ployi_clips_range *span = ployi_clips_alloc(clips, 1, sizeof *span);
    bool size = facet == FACET_CARDINALITY;
    if (span == NULL) return false;
    for (int i = 0; i < 2; i++) {
        ploy_rule_value *end = i == 0 ? &span->low : &span->high;
        int32_t type = clips->token.value.type;
        *end = size && i == 0 ? ploy_rule_integer(0) : ploy_rule_none();
        if (!facet_is_open(clips)) {
            bool number = type == PLOY_RULE_INTEGER || (type == PLOY_RULE_FLOAT && !size);
            if (clips->token.kind != PLOYI_TOKEN_VALUE || !number) {
                return facet_syntax(reader, facet, false, false);
            }
            *end = clips->token.value;
            if (size && end->as.integer < 0) {
                return facet_fault(reader, "[CSTRNPSR6] ", i == 0 ? "Minimum" : "Maximum",
                                   " cardinality value must be greater than or equal to zero",
                                   false, false);
            }
        }
        ployi_clips_next(clips);
    }
    if (clips->token.kind != PLOYI_TOKEN_CLOSE) return facet_syntax(reader, facet, false, false);
    if (ployi_clips_compare_ends(&span->low, &span->high) > 0) {
        return facet_fault(reader, "[CSTRNPSR2] Minimum ",
                           size ? "cardinality value must be less than\nor equal to the maximum "
                                  "cardinality"
                                : "range value must be less than\nor equal to the maximum range",
                           " value", true, false);
    }
    if (size) {
        reader->made->size = span;
    } else {
        reader->made->range = span;
    }
    return true;
}

static bool facet_read_default(facet_reader *reader, bool dynamic) {
    ploy_clips *clips = reader->clips;
    if (clips->token.kind == PLOYI_TOKEN_VAR) {
        reader->defslot->required = strcmp(clips->token.text, "NONE") == 0;
        ployi_clips_next(clips);
        return true;
    }
    ployi_scope scope = {.count = 0};
    ployi_body body;
    ployi_x *list = ployi_clips_new_x(clips, PLOYI_X_CALL);
    if (list == NULL || !ployi_clips_parse_body(clips, &scope, NULL, NULL, &body)) return false;
    if (!reader->slot->multi && body.count != 1) {
        return facet_fault(reader, "[DEFAULT1] The default value for a single field slot",
                           " must be a single field value", "", true, false);
    }
    list->function = ployi_clips_find(clips, "create$");
    list->args = body.items;
    list->count = body.count;
    reader->defslot->initial = list;
    reader->defslot->dynamic = dynamic;
    return true;
}

static bool facet_read(facet_reader *reader, int32_t facet) {
    ploy_clips *clips = reader->clips;
    uint32_t bit = 1u << facet;
    if (facet == FACET_DYNAMIC) bit |= 1u << FACET_DEFAULT;
    if (facet == FACET_DEFAULT) bit |= 1u << FACET_DYNAMIC;
    if ((reader->seen & bit) != 0) {
        return facet_fault(reader, "[PRNTUTIL5] The ", facet_rows[facet].name,
                           " attribute has already been parsed.", false, false);
    }
    if (facet == FACET_CARDINALITY && !reader->slot->multi) {
        return facet_fault(reader, "[CSTRNPSR5] The cardinality attribute ",
                           "can only be used with multifield slots.", "", false, false);
    }
    for (size_t i = 0; i < sizeof facet_pairs / sizeof facet_pairs[0]; i++) {
        int32_t other = -1;
        if (facet_pairs[i][0] == facet) other = facet_pairs[i][1];
        if (facet_pairs[i][1] == facet) other = facet_pairs[i][0];
        if (other < 0 || (reader->seen & (1u << other)) == 0) continue;
        const char *parts[] = {"[CSTRNPSR3] The ", facet_rows[facet].name,
                               " attribute cannot be used\nin conjunction with the ",
                               facet_rows[other].name, " attribute."};
        ployi_clips_fault_list(clips, parts, 5);
        return false;
    }
    reader->seen |= bit;
    ployi_clips_next(clips);
    if (facet == FACET_TYPE) return facet_read_types(reader);
    if (facet == FACET_RANGE || facet == FACET_CARDINALITY) return facet_read_span(reader, facet);
    if (facet == FACET_DEFAULT || facet == FACET_DYNAMIC) {
        return facet_read_default(reader, facet == FACET_DYNAMIC);
    }
    return facet_read_values(reader, facet);
}

// What the types of the slot exclude, as the name of a facet; NULL: nothing.
static const char *facet_conflict(const facet_reader *reader) {
    static const struct {
        uint32_t type;
        const char *facet;
    } rows[] = {{PLOYI_TYPE_SYMBOL, "allowed-symbols"},
                {PLOYI_TYPE_STRING, "allowed-strings"},
                {PLOYI_TYPE_INTEGER, "allowed-integers/numbers"},
                {PLOYI_TYPE_FLOAT, "allowed-floats/numbers"},
                {PLOYI_TYPE_NAME, "allowed-instance-names"}};
    const ployi_constraint *made = reader->made;
    if (made->any) return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if ((made->listed & rows[i].type) == 0 || (made->types & rows[i].type) != 0) continue;
        for (int32_t k = 0; k < made->value_count; k++) {
            if (ployi_type_bit(made->values[k].type) == rows[i].type) return rows[i].facet;
        }
    }
    for (int32_t i = 0; made->any_listed && i < made->value_count; i++) {
        if ((made->types & ployi_type_bit(made->values[i].type)) == 0) return "allowed-values";
    }
    uint32_t ends =
        ployi_type_bit(made->range[0].low.type) | ployi_type_bit(made->range[0].high.type);
    return (ends & ~made->types) != 0 ? "range" : NULL;
}

// The first of the allowed values of a type, an end of the range, or what is usual.
static ploy_rule_value facet_first(const ployi_constraint *made, ploy_rule_value usual) {
    for (int32_t i = 0; i < made->value_count; i++) {
        if (made->values[i].type == usual.type) return made->values[i];
    }
    const ploy_rule_value *end = &made->range[0].low;
    if (end->type == PLOY_RULE_NONE) end = &made->range[0].high;
    if (end->type == PLOY_RULE_NONE || end->type == usual.type) {
        bool number = usual.type == PLOY_RULE_INTEGER || usual.type == PLOY_RULE_FLOAT;
        return end->type != PLOY_RULE_NONE && number ? *end : usual;
    }
    if (usual.type == PLOY_RULE_FLOAT) return ploy_rule_float((double)end->as.integer);
    // A float that no integer comes near has no integer part here either.
    bool fits = end->as.real > -9e18 && end->as.real < 9e18;
    return usual.type == PLOY_RULE_INTEGER && fits ? ploy_rule_integer((int64_t)end->as.real)
                                                   : usual;
}

static ploy_rule_value facet_derive(ploy_clips *clips, const ployi_constraint *made) {
    ploy_rule_value nil = ploy_rule_symbol(clips->nil);
    if (made->any || (made->types & PLOYI_TYPE_SYMBOL) != 0) return facet_first(made, nil);
    if ((made->types & PLOYI_TYPE_STRING) != 0) {
        return facet_first(made, ployi_clips_text(clips, PLOY_RULE_STRING, ""));
    }
    if ((made->types & PLOYI_TYPE_INTEGER) != 0) return facet_first(made, ploy_rule_integer(0));
    if ((made->types & PLOYI_TYPE_FLOAT) != 0) return facet_first(made, ploy_rule_float(0.0));
    if ((made->types & PLOYI_TYPE_NAME) != 0) {
        return facet_first(made, ployi_clips_text(clips, PLOY_RULE_NAME, "nil"));
    }
    return nil; // there is no address to be had
}

// The constraint's default: one value, or as many as the slot must hold.
static bool facet_set_default(facet_reader *reader) {
    enum { MOST = 65536 };
    ploy_clips *clips = reader->clips;
    ploy_rule_value value = facet_derive(clips, reader->made);
    reader->defslot->derived = value;
    if (!reader->slot->multi) return true;
    int64_t least = reader->made->size[0].low.as.integer;
    if (least > MOST) {
        ployi_clips_fault(clips, "too many values in the slot", NULL);
        return false;
    }
    ploy_rule_value *items = ployi_clips_alloc(clips, least + 1, sizeof *items);
    if (items == NULL) return false;
    for (int64_t i = 0; i < least; i++) items[i] = value;
    reader->defslot->derived = ploy_rule_multi(items, (int32_t)least);
    return true;
}

bool ployi_clips_slot(ploy_clips *clips, ploy_rule_slot *slot, ployi_defslot *made) {
    slot->multi = ployi_clips_is(clips, "multislot") || ployi_clips_is(clips, "multifield");
    if (!slot->multi && !ployi_clips_is(clips, "slot") && !ployi_clips_is(clips, "field")) {
        ployi_clips_syntax(clips, "deftemplate");
        return false;
    }
    ployi_clips_next(clips);
    slot->name = clips->token.text;
    if (clips->token.kind != PLOYI_TOKEN_VALUE) ployi_clips_syntax(clips, "deftemplate");
    ployi_clips_next(clips);
    ployi_constraint *allowed = ployi_clips_alloc(clips, 1, sizeof *allowed);
    if (allowed == NULL || clips->parse_failed) return false;
    *allowed = ployi_constraint_any();
    allowed->multi = slot->multi;
    facet_reader reader = {clips, allowed, slot, made, 0, 0};
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        int32_t facet = 0;
        while (facet < FACET_COUNT && !ployi_clips_is(clips, facet_rows[facet].name)) facet++;
        if (facet == FACET_COUNT) {
            ployi_clips_syntax(clips, "slot attributes");
            return false;
        }
        if (!facet_read(&reader, facet)) return false;
        if (!ployi_clips_construct_close(clips, "deftemplate")) return false;
    }
    const char *conflict = facet_conflict(&reader);
    if (conflict != NULL) {
        return facet_fault(&reader, "[CSTRNPSR1] The type attribute conflicts with the ", conflict,
                           " attribute.", true, false);
    }
    if (made->initial != NULL && !clips->unchecked) {
        ployi_violation found =
            ployi_constraint_check_list(allowed, made->initial->args, made->initial->count);
        if (found == PLOYI_VIOLATES_RESULT) found = PLOYI_VIOLATES_TYPE;
        if (found != PLOYI_VIOLATES_NOTHING) {
            ployi_constraint_fault(clips, "An expression", "the default attribute", 0, slot->name,
                                   0, found, allowed);
            return false;
        }
    }
    made->constraint = allowed;
    return facet_set_default(&reader) && ployi_clips_construct_close(clips, "deftemplate");
}
