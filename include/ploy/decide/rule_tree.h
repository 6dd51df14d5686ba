/// @file ploy/decide/rule_tree.h
/// A database of nested items, and patterns over it: (Captain (Health 43) (Weapon (Rifle (Ammo
/// 36)))).
///
/// An item is a name with either a value or further items inside. A value is a number, a word, a
/// string ("two words", with \\" and \\\\ for a quote and a backslash) or a list in brackets, such
/// as a position [21, 46, 92]. A pattern has the same syntax, with `?x` for any name or value (the
/// same one wherever `?x` occurs), ranges `0-15`, comparisons `<15 <=15 >45 >=45`, and at the top
/// `(not ...)`, `(or ...)`, `(xor ...)` and `(< ?a ?b)`. A top-level item of a pattern may match
/// any item of the database; an inner item matches only items inside that match. Anything that the
/// pattern does not mention is ignored. Technique: Millington, "AI for Games", database matching
/// and unification, by backtracking with an undo list. For many rules over many facts use the Rete
/// network of ploy/decide/rules.h.
///
/// In a behavior, a rule tree is the memory of a rule set (ploy/decide/rule_set.h), whose rules
/// match patterns in it and change it. It is saved with the set.
///
/// Memory of removed items is reused. Cost: matching O(items ^ pattern items) at worst; remove
/// writes each top-level item as text to compare it. Threads: many threads may match at the same
/// time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/rule_value.h"

/// Maximum nesting depth of items, and number of variables in a pattern.
#define PLOY_RULE_TREE_DEPTH_MAX 64
#define PLOY_RULE_TREE_VARIABLES_MAX 32

/// Items, or a pattern: both are read from the same text. Opaque.
typedef struct ploy_rule_tree ploy_rule_tree;

/// Reads items or a pattern.
/// @param diags  receives faults with line and column; may be NULL. @return PLOY_ERR_FORMAT,
///         PLOY_ERR_LIMIT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rule_tree_load(const char *text, size_t size, const char *name,
                                         ploy_diags *diags, const ploy_env *env,
                                         ploy_rule_tree **out);
/// NULL is allowed.
PLOY_API void ploy_rule_tree_destroy(ploy_rule_tree *tree);
/// Writes all items, one top-level item per line.
PLOY_API void ploy_rule_tree_save(const ploy_rule_tree *tree, ploy_writer *out);

/// add appends top-level items; remove removes the top-level item with exactly this text.
PLOY_API ploy_result ploy_rule_tree_add(ploy_rule_tree *tree, const char *text);
/// @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_rule_tree_remove(ploy_rule_tree *tree, const char *text);

/// The values of a pattern's variables, in the order in which they were bound.
typedef struct ploy_rule_bindings {
    const char *names[PLOY_RULE_TREE_VARIABLES_MAX]; ///< without the '?'; the pattern's
    const char *texts[PLOY_RULE_TREE_VARIABLES_MAX]; ///< the database's; NULL for a number
    double numbers[PLOY_RULE_TREE_VARIABLES_MAX];
    int32_t count;
} ploy_rule_bindings;

/// Finds the first match, in the order of the items.
/// @param out  may be NULL. @return false if there is none.
PLOY_API bool ploy_rule_tree_match(const ploy_rule_tree *tree, const ploy_rule_tree *pattern,
                                   ploy_rule_bindings *out);
/// The text of a variable, or NULL if it is not bound to one.
PLOY_API const char *ploy_rule_bindings_text(const ploy_rule_bindings *bindings, const char *name);
/// Replaces the variables in a text with their values, for adding and removing items.
PLOY_API ploy_result ploy_rule_bindings_apply(const ploy_rule_bindings *bindings, const char *text,
                                              ploy_writer *out);
