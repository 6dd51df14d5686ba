// How far a rule's conditions are matched: its patterns, and its chain of joins step by step.
//
// The chain is walked from its beginning. A group in brackets is a separate chain from there, on
// the right side of the join that negates it (rulebase_lhs.c):
//
//     P1 ──► join ────────────────► negation ──►    the stages: 1 - 2, 1 - 3,
//              └──► P2 ──► P3 ─────────▲                        1 (P1) , 2 (P2 - P3)
//
// What a join lets through lies in the memory of the join that follows it.
#include <string.h>

#include "decide/rules_internal.h"
#include "ploy/base/number.h"

enum { STAGES_MAX = PLOY_RULE_PATTERNS_MAX + 1, STAGES_TEXT_MAX = 4096 };

// The conditions of one stage: patterns [first, last], a group's in brackets.
typedef struct stages_entry {
    int32_t first, last;
    bool group;
} stages_entry;

typedef struct stages_text {
    char bytes[STAGES_TEXT_MAX];
    size_t size;
} stages_text;

typedef struct stages_walk {
    const ploy_rules *rules;
    ploy_rule_stage_fn fn;
    void *user;
    bool patterns; // the first round reports patterns, the second what was joined
    int32_t pattern;
    stages_entry entries[STAGES_MAX];
    int32_t count;
    stages_text label; // here, because chains nest and each is a call
} stages_walk;

// A number between two texts; what does not fit is left out.
static void stages_add(stages_text *text, const char *before, int32_t number, const char *after) {
    char digits[PLOY_PRINT_I64_SIZE];
    const char *parts[3] = {before, digits, after};
    ploy_print_i64(number, digits);
    for (int i = 0; i < 3; i++) {
        size_t size = strlen(parts[i]);
        if (text->size + size + 1 > sizeof text->bytes) return;
        memcpy(text->bytes + text->size, parts[i], size + 1);
        text->size += size;
    }
}

// "1 - 3"; with groups "1 (P1) - 2 (P2) , 3 (P3 - P4)": conditions, and the patterns they are.
static void stages_label(stages_walk *walk) {
    stages_text *text = &walk->label;
    bool groups = false;
    text->size = 0;
    for (int32_t i = 0; i < walk->count; i++) groups = groups || walk->entries[i].group;
    if (!groups) {
        stages_add(text, "", 1, " - ");
        stages_add(text, "", walk->count, "");
        return;
    }
    for (int32_t i = 0; i < walk->count; i++) {
        const stages_entry *entry = &walk->entries[i];
        stages_add(text, i > 0 ? " , " : "", i + 1, "");
        stages_add(text, " (P", entry->first, entry->group ? "" : ")");
        if (entry->group) {
            stages_add(text, " - P", entry->last, ")");
            continue;
        }
        int32_t first = i;
        while (i + 1 < walk->count && !walk->entries[i + 1].group) i++;
        if (i == first) continue;
        stages_add(text, " - ", i + 1, "");
        stages_add(text, " (P", walk->entries[i].first, ")");
    }
}

// Reports a stage: that it begins, then each match in the memory.
static void stages_tell(const stages_walk *walk, const ploy_rule_stage *stage,
                        const ployi_memory *memory, bool facts) {
    walk->fn(walk->user, stage, NULL, -1);
    ploy_fact *found[STAGES_MAX];
    for (int32_t i = 0; memory != NULL && i < memory->size; i++) {
        for (const ployi_pm *pm = memory->heads[i]; pm != NULL; pm = pm->next) {
            int32_t count = facts ? 1 : pm->count;
            ployi_alpha *const one[1] = {(ployi_alpha *)(uintptr_t)pm};
            ployi_alpha *const *binds =
                facts ? one : ployi_binds((const ployi_joined *)(const void *)pm);
            for (int32_t k = 0; k < count; k++) {
                found[k] = binds[k] == NULL ? NULL : binds[k]->fact;
            }
            walk->fn(walk->user, stage, found, count);
        }
    }
}

static void stages_pattern(stages_walk *walk, const ployi_join *join) {
    ploy_rule_stage stage = {++walk->pattern, NULL};
    if (!walk->patterns) return;
    const ploy_array *memories = &walk->rules->alpha;
    stages_tell(walk, &stage,
                join->memory < 0 ? NULL : &PLOY_ARRAY_ITEMS(memories, ployi_memory)[join->memory],
                true);
    if (join->memory >= 0 || join->left >= 0) return;
    ploy_fact *nothing[1] = {NULL}; // a chain that begins with a test needs no fact
    walk->fn(walk->user, &stage, nothing, 1);
}

// The joins of a chain from behind `before` to `last`; then come those of `memory`.
static void stages_chain(stages_walk *walk, int32_t before, int32_t last,
                         const ployi_memory *memory) {
    const ploy_rulebase *base = walk->rules->base;
    int32_t joins[STAGES_MAX], count = 0, outer = walk->count;
    for (int32_t i = last; i >= 0 && i != before && count < STAGES_MAX;) {
        joins[count++] = i;
        i = PLOYI_JOINS(base, i)->left;
    }
    while (count-- > 0 && walk->count < STAGES_MAX) {
        const ployi_join *join = PLOYI_JOINS(base, joins[count]);
        stages_entry entry = {walk->pattern + 1, walk->pattern + 1, join->group >= 0};
        if (entry.group) {
            stages_chain(walk, join->left, join->group,
                         &PLOY_ARRAY_ITEMS(&walk->rules->right, ployi_memory)[joins[count]]);
        } else {
            stages_pattern(walk, join);
        }
        entry.last = walk->pattern;
        walk->entries[walk->count++] = entry;
        if (walk->patterns || (walk->count == 1 && !entry.group)) continue;
        stages_label(walk);
        ploy_rule_stage stage = {0, walk->label.bytes};
        stages_tell(walk, &stage,
                    count == 0 ? memory : ployi_match_left(walk->rules, joins[count - 1]), false);
    }
    walk->count = outer;
}

void ploy_rules_stages(const ploy_rules *rules, int32_t rule, ploy_rule_stage_fn fn, void *user) {
    const ployi_rule *found = ploy_array_at(&rules->base->rules, rule);
    if (found == NULL || found->terminal >= rules->known_joins) return;
    stages_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.rules = rules;
    walk.fn = fn;
    walk.user = user;
    for (int32_t round = 0; round < 2; round++) {
        walk.patterns = round == 0;
        walk.pattern = 0;
        stages_chain(&walk, -1, PLOYI_JOINS(rules->base, found->terminal)->left,
                     ployi_match_left(rules, found->terminal));
    }
}
