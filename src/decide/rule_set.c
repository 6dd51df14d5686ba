// Rule sets: see the header.
//
// Invariants: (1) `order` is a permutation of the entries, which only the least-recent arbiter
// changes; (2) sets form a tree: a set has at most one outer set.
#include "ploy/decide/rule_set.h"

#include <string.h>

static const char *const rule_set_arbiters[] = {"first", "least-recent", "random", "specific",
                                                "priority"};
static const char *const rule_set_suspensions[] = {"never", "until-change", "until-match"};

static const ploy_field rule_set_fields[] = {
    PLOY_FIELD_ENUM(ploy_rule_set_def, arbiter, PLOY_RULE_ARBITER_FIRST, rule_set_arbiters,
                    "which of the triggered rules fires"),
    PLOY_FIELD_ENUM(ploy_rule_set_def, suspension, PLOY_SUSPEND_NEVER, rule_set_suspensions,
                    "how long a rule that fired must wait"),
    PLOY_FIELD_I32(ploy_rule_set_def, capacity, 32, 1, 1 << 20, "", "most rules and sets in it"),
    PLOY_FIELD_U64(ploy_rule_set_def, seed, 0, "of the random arbiter"),
};

typedef struct rule_set_entry {
    ploy_set_rule rule;
    ploy_rule_set *set; // instead of a rule
    uint64_t seen;      // the count at which it fired
    int32_t suspended, order;
} rule_set_entry;

struct ploy_rule_set {
    ploy_env env;
    ploy_rule_set_def def;
    size_t size;
    ploy_rule_set *outer;
    ploy_rng rng;
    uint64_t changes;
    int32_t count, active;
    rule_set_entry entries[];
};

// A candidate: the rule, and the way to it.
typedef struct rule_set_choice {
    ploy_rule_set *set;
    int32_t entry;
} rule_set_choice;

ploy_fields ploy_rule_set_fields(void) {
    return PLOY_FIELDS(ploy_rule_set_def, rule_set_fields);
}

ploy_rule_set_def ploy_rule_set_def_default(void) {
    ploy_rule_set_def def;
    memset(&def, 0, sizeof def);
    ploy_fields_default(ploy_rule_set_fields(), &def);
    return def;
}

ploy_result ploy_rule_set_create(const ploy_rule_set_def *def, const ploy_env *env,
                                 ploy_rule_set **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_rule_set_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_rule_set), def->capacity, sizeof(rule_set_entry), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_rule_set *set = ploy_env_alloc_zero(env, size);
    if (set == NULL) return PLOY_ERR_MEMORY;
    set->env = *env;
    set->def = *def;
    set->size = size;
    set->rng = ploy_rng_make(def->seed);
    set->active = 1;
    *out = set;
    return PLOY_OK;
}

void ploy_rule_set_destroy(ploy_rule_set *set) {
    if (set == NULL) return;
    ploy_env env = set->env;
    ploy_env_free(&env, set, set->size);
}

static ploy_result rule_set_push(ploy_rule_set *set, const ploy_set_rule *rule,
                                 ploy_rule_set *inner) {
    if (set->count == set->def.capacity) return PLOY_ERR_CAPACITY;
    rule_set_entry *entry = &set->entries[set->count];
    memset(entry, 0, sizeof *entry);
    if (rule != NULL) entry->rule = *rule;
    entry->set = inner;
    entry->order = set->count++;
    return PLOY_OK;
}

ploy_result ploy_rule_set_add(ploy_rule_set *set, const ploy_set_rule *rule) {
    if (set == NULL || rule == NULL || rule->name == NULL) return PLOY_ERR_ARGUMENT;
    return rule_set_push(set, rule, NULL);
}

ploy_result ploy_rule_set_add_set(ploy_rule_set *set, ploy_rule_set *inner, bool active) {
    if (set == NULL || inner == NULL || inner->outer != NULL) return PLOY_ERR_ARGUMENT;
    for (const ploy_rule_set *at = set; at != NULL; at = at->outer) {
        if (at == inner) return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = rule_set_push(set, NULL, inner);
    if (result != PLOY_OK) return result;
    inner->outer = set;
    inner->active = active;
    return PLOY_OK;
}

void ploy_rule_set_activate(ploy_rule_set *set, bool active) {
    set->active = active;
}

bool ploy_rule_set_active(const ploy_rule_set *set) {
    return set->active != 0;
}

void ploy_rule_set_changed(ploy_rule_set *set) {
    set->changes++;
    for (int32_t i = 0; i < set->count; i++) {
        if (set->entries[i].set != NULL) ploy_rule_set_changed(set->entries[i].set);
    }
}

static uint64_t rule_set_ground(const ploy_rule_set *set, const rule_set_entry *entry) {
    if (set->def.suspension == PLOY_SUSPEND_UNTIL_CHANGE) return set->changes;
    return entry->rule.matched == NULL ? 0 : entry->rule.matched(set->def.user, entry->rule.data);
}

static bool rule_set_triggered(const ploy_rule_set *set, const rule_set_entry *entry) {
    if (set->def.suspension != PLOY_SUSPEND_NEVER && entry->suspended &&
        entry->seen == rule_set_ground(set, entry)) {
        return false;
    }
    return entry->rule.triggered == NULL || entry->rule.triggered(set->def.user, entry->rule.data);
}

static bool rule_set_choose(ploy_rule_set *set, ploy_trace *trace, rule_set_choice *out);

// The rule that an entry offers: itself, or what the set's own arbiter picks.
static bool rule_set_offer(ploy_rule_set *set, int32_t index, ploy_trace *trace,
                           rule_set_choice *out) {
    rule_set_entry *entry = &set->entries[index];
    if (entry->set != NULL) {
        return entry->set->active && rule_set_choose(entry->set, trace, out);
    }
    out->set = set;
    out->entry = index;
    return rule_set_triggered(set, entry);
}

static double rule_set_score(const ploy_rule_set *set, const rule_set_choice *choice) {
    const ploy_set_rule *rule = &choice->set->entries[choice->entry].rule;
    if (set->def.arbiter == PLOY_RULE_ARBITER_SPECIFIC) return rule->clauses;
    if (set->def.arbiter != PLOY_RULE_ARBITER_PRIORITY || rule->priority == NULL) return 0.0;
    return (double)rule->priority(choice->set->def.user, rule->data);
}

static bool rule_set_choose(ploy_rule_set *set, ploy_trace *trace, rule_set_choice *out) {
    bool found = false;
    int32_t offers = 0;
    double best = 0.0;
    bool all = set->def.arbiter >= PLOY_RULE_ARBITER_RANDOM;
    for (int32_t place = 0; place < set->count && (all || !found); place++) {
        rule_set_choice choice;
        if (!rule_set_offer(set, set->entries[place].order, trace, &choice)) continue;
        double score = rule_set_score(set, &choice);
        offers++;
        bool takes = !found || score > best;
        // One of n at random without a list: the n-th replaces the choice with probability 1/n.
        if (set->def.arbiter == PLOY_RULE_ARBITER_RANDOM) {
            takes = ploy_rng_below(&set->rng, (uint64_t)offers) == 0;
        }
        ploy_trace_option(trace, choice.set->entries[choice.entry].rule.name,
                          takes ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST, score,
                          takes ? "best so far" : "another is better");
        if (!takes) continue;
        found = true;
        best = score;
        *out = choice;
    }
    return found;
}

// Moves an entry to the end of the order.
static void rule_set_to_end(ploy_rule_set *set, int32_t index) {
    int32_t place = 0;
    while (set->entries[place].order != index) place++;
    for (; place + 1 < set->count; place++)
        set->entries[place].order = set->entries[place + 1].order;
    set->entries[set->count - 1].order = index;
}

const char *ploy_rule_set_step(ploy_rule_set *set, ploy_trace *trace) {
    rule_set_choice choice;
    ploy_agent_id nobody = {{0, 0}};
    ploy_trace_begin(trace, nobody, "rule", rule_set_arbiters[set->def.arbiter]);
    bool found = set->active && rule_set_choose(set, trace, &choice);
    ploy_trace_end(trace);
    if (!found) return NULL;
    rule_set_entry *entry = &choice.set->entries[choice.entry];
    entry->suspended = 1;
    entry->seen = rule_set_ground(choice.set, entry);
    const ploy_rule_set *inner = choice.set;
    if (inner->def.arbiter == PLOY_RULE_ARBITER_LEAST_RECENT)
        rule_set_to_end(choice.set, choice.entry);
    for (ploy_rule_set *at = choice.set; at != set;
         at = at->outer) { // the sets on the way count too
        ploy_rule_set *outer = at->outer;
        for (int32_t i = 0; i < outer->count; i++) {
            if (outer->entries[i].set == at &&
                outer->def.arbiter == PLOY_RULE_ARBITER_LEAST_RECENT) {
                rule_set_to_end(outer, i);
            }
        }
    }
    const char *name = entry->rule.name;
    if (entry->rule.fire != NULL) entry->rule.fire(choice.set->def.user, entry->rule.data);
    return name;
}

void ploy_rule_set_describe(const ploy_rule_set *set, ploy_describe *out) {
    ploy_describe_begin(out, "rule_set");
    ploy_describe_bool(out, "active", PLOY_STATE, set->active != 0);
    ploy_describe_u64(out, "changes", PLOY_STATE, set->changes);
    for (int32_t place = 0; place < set->count; place++) {
        const rule_set_entry *entry = &set->entries[set->entries[place].order];
        ploy_describe_begin_item(out, place);
        if (entry->set != NULL) {
            ploy_rule_set_describe(entry->set, out);
        } else {
            ploy_describe_text(out, "rule", PLOY_STATE, entry->rule.name);
            ploy_describe_bool(out, "suspended", PLOY_STATE, entry->suspended != 0);
            ploy_describe_u64(out, "seen", PLOY_STATE, entry->seen);
        }
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}
