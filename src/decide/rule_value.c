// Values of rules: see the header.
#include "ploy/decide/rule_value.h"

#include "decide/decide_internal.h"

#include "decide/rules_internal.h"
#include "ploy/base/hash.h"

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

uint32_t ployi_rule_hash(const ploy_rule_value *value, uint32_t seed) {
    uint64_t bits = value->as.bits;
    if (value->type == PLOY_RULE_MULTI) {
        for (int32_t i = 0; i < value->count; i++) {
            seed = ployi_rule_hash(&value->as.items[i], seed);
        }
        bits = (uint64_t)value->count;
    } else if (value->type == PLOY_RULE_FACT) {
        bits = value->as.fact == NULL ? 0 : (uint64_t)value->as.fact->index;
    }
    return ployi_rule_mix(bits, value->type, seed);
}

const char *ployi_rule_type_text(ploy_rule_type type) {
    static const char *const texts[PLOY_RULE_TYPE_COUNT] = {
        "VOID",    "SYMBOL", "STRING",     "INSTANCE-NAME",
        "INTEGER", "FLOAT",  "MULTIFIELD", "FACT-ADDRESS"};
    return (int32_t)type < 0 || type >= PLOY_RULE_TYPE_COUNT ? "?" : texts[type];
}
