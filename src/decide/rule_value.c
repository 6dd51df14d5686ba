// Values of rules: see the header.
#include "ploy/decide/rule_value.h"

#include "decide/rules_internal.h"
#include "ploy/base/hash.h"

static ploy_rule_value rule_value_make(ploy_rule_type type) {
    ploy_rule_value value;
    value.type = (int32_t)type;
    value.count = 0;
    value.as.bits = 0;
    return value;
}

ploy_rule_value ploy_rule_none(void) {
    return rule_value_make(PLOY_RULE_NONE);
}

ploy_rule_value ploy_rule_symbol(ploy_name name) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_SYMBOL);
    value.as.text = name.hash;
    return value;
}

ploy_rule_value ploy_rule_string(ploy_name name) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_STRING);
    value.as.text = name.hash;
    return value;
}

ploy_rule_value ploy_rule_integer(int64_t number) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_INTEGER);
    value.as.integer = number;
    return value;
}

ploy_rule_value ploy_rule_float(double number) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_FLOAT);
    value.as.real = number == 0.0 ? 0.0 : number; // one zero only, so that equal hashes follow
    return value;
}

ploy_rule_value ploy_rule_multi(const ploy_rule_value *items, int32_t count) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_MULTI);
    value.count = count;
    if (count > 0) value.as.items = items;
    return value;
}

ploy_rule_value ploy_rule_fact(ploy_fact *fact) {
    ploy_rule_value value = rule_value_make(PLOY_RULE_FACT);
    value.as.fact = fact;
    return value;
}

bool ploy_rule_equal(const ploy_rule_value *a, const ploy_rule_value *b) {
    if (a->type != b->type || a->count != b->count) return false;
    switch (a->type) {
    case PLOY_RULE_NONE: return true;
    case PLOY_RULE_FLOAT: return a->as.real == b->as.real;
    case PLOY_RULE_FACT: return a->as.fact == b->as.fact;
    case PLOY_RULE_MULTI:
        for (int32_t i = 0; i < a->count; i++) {
            if (!ploy_rule_equal(&a->as.items[i], &b->as.items[i])) return false;
        }
        return true;
    default: return a->as.bits == b->as.bits;
    }
}

uint32_t ploy_rule_hash(const ploy_rule_value *value, uint32_t seed) {
    uint64_t bits = value->as.bits;
    if (value->type == PLOY_RULE_MULTI) {
        for (int32_t i = 0; i < value->count; i++) {
            seed = ploy_rule_hash(&value->as.items[i], seed);
        }
        bits = (uint64_t)value->count;
    } else if (value->type == PLOY_RULE_FACT) {
        bits = value->as.fact == NULL ? 0 : (uint64_t)value->as.fact->index;
    }
    return ployi_rule_mix(bits, value->type, seed);
}

const char *ploy_rule_type_text(ploy_rule_type type) {
    static const char *const texts[PLOY_RULE_TYPE_COUNT] = {
        "VOID",    "SYMBOL", "STRING",     "INSTANCE-NAME",
        "INTEGER", "FLOAT",  "MULTIFIELD", "FACT-ADDRESS"};
    return (int32_t)type < 0 || type >= PLOY_RULE_TYPE_COUNT ? "?" : texts[type];
}
