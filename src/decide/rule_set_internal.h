// Shared between the files of rule sets and their items.
#pragma once

#include "choice.h"
#include "decide_internal.h"
#include "ploy/decide/rule_set.h"

typedef struct ployi_set_entry {
    ploy_name name;
    ploy_set_rule rule; // texts are the type's
    ploy_rule_tree *pattern;
    const ploy_rule_set_type *set; // instead of a rule
    bool active;                   // the set, at first
} ployi_set_entry;

struct ploy_rule_set_type {
    ployi_build build;
    ploy_rule_set_def def;
    const ploy_blackboard_layout *layout;
    ploy_conditions *conditions;
    ploy_array entries; // ployi_set_entry
    ploy_rule_tree *items;
    int32_t patterns; // rules with one, those of inner sets included
};

static inline const ployi_set_entry *ployi_set_entry_at(const ploy_rule_set_type *type,
                                                        int32_t index) {
    return &PLOY_ARRAY_ITEMS(&type->entries, ployi_set_entry)[index];
}

// True if a rule's condition and pattern hold. bindings is set if there is a pattern.
bool ployi_set_rule_holds(const ploy_rule_set_type *type, const ployi_set_entry *entry,
                          const ploy_rule_tree *items, const ploy_moment *moment,
                          ploy_rule_bindings *bindings);
// How its set's arbiter rates a rule; the highest wins, of equals the first.
double ployi_set_rule_score(const ploy_rule_set_type *type, const ployi_set_entry *entry,
                            const ploy_set_turn *turn);

// Items, in the file as a list (rule_tree.c). A load cannot be undone: visit them after everything
// that can fail.
void ployi_rule_tree_visit(ploy_visit *v, const char *name, ploy_rule_tree *tree);
// Items at the top and inside them, for how specific a pattern is.
int32_t ployi_rule_tree_size(const ploy_rule_tree *tree);
// A copy.
ploy_result ployi_rule_tree_copy(const ploy_rule_tree *tree, const ploy_env *env,
                                 ploy_rule_tree **out);
// Everything as in another tree, the count of changes included.
ploy_result ployi_rule_tree_assign(ploy_rule_tree *tree, const ploy_rule_tree *from);
