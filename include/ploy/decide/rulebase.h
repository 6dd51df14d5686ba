/// @file ploy/decide/rulebase.h
/// Rule bases: templates of facts and rules over them, compiled to one shared Rete network.
///
/// A rule runs an action wherever its patterns match. Matching every pattern against every fact
/// before each firing costs O(facts ^ patterns); a Rete network remembers what matched and looks
/// only at what changed. Equal tests and equal joins of different rules share one node. Technique:
/// Forgy, "Rete: A Fast Algorithm for the Many Pattern/Many Object Pattern Match Problem", 1982,
/// with hashed joins; matches arise in the order of CLIPS 6.30.
///
/// The base is built once, shared, and not changed while a working memory (ploy/decide/rules.h)
/// uses it. Cost of adding a rule: O(size of the rule times nodes visited). Threads: many threads
/// may read; building takes one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/decide/rule_value.h"

/// Templates and rules. Opaque.
typedef struct ploy_rulebase ploy_rulebase;

/// Maximum numbers: slots of a template, patterns of a rule, fields of a slot, and alternatives
/// that the `or`s of a rule expand to.
#define PLOY_RULE_SLOTS_MAX 4096
#define PLOY_RULE_PATTERNS_MAX 250
#define PLOY_RULE_FIELDS_MAX 250
#define PLOY_RULE_ORS_MAX 256

/// Creates an empty base.
PLOY_API ploy_result ploy_rulebase_create(const ploy_env *env, ploy_rulebase **out);
/// NULL is allowed. Destroy the working memories that use it first.
PLOY_API void ploy_rulebase_destroy(ploy_rulebase *base);

/// Makes the name of a text and keeps the text in the base.
/// @return PLOY_ERR_EXISTS on a hash collision.
PLOY_API ploy_result ploy_rulebase_text(ploy_rulebase *base, const char *text, ploy_name *out);

typedef struct ploy_rule_slot {
    const char *name;
    bool multi; ///< holds a sequence
} ploy_rule_slot;

/// Adds a template: the slots of a kind of fact. count 0 is allowed.
/// @param out  its number, from 0.
/// @return PLOY_ERR_EXISTS if the name exists, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rulebase_add_template(ploy_rulebase *base, const char *name,
                                                const ploy_rule_slot *slots, int32_t count,
                                                int32_t *out);
/// Adds an ordered relation: one slot "implied" that holds a sequence.
PLOY_API ploy_result ploy_rulebase_add_relation(ploy_rulebase *base, const char *name,
                                                int32_t *out);
/// Returns the template with that name, or -1. The functions below describe templates.
PLOY_API int32_t ploy_rulebase_find_template(const ploy_rulebase *base, const char *name);
PLOY_API int32_t ploy_rulebase_template_count(const ploy_rulebase *base);
PLOY_API const char *ploy_rulebase_template_name(const ploy_rulebase *base, int32_t template_index);
PLOY_API bool ploy_rulebase_template_ordered(const ploy_rulebase *base, int32_t template_index);
PLOY_API int32_t ploy_rulebase_slot_count(const ploy_rulebase *base, int32_t template_index);
/// The slot; name NULL out of range.
PLOY_API ploy_rule_slot ploy_rulebase_slot(const ploy_rulebase *base, int32_t template_index,
                                           int32_t slot);
PLOY_API int32_t ploy_rulebase_find_slot(const ploy_rulebase *base, int32_t template_index,
                                         const char *name);

/// The variables of a test, in the order in which it names them. Opaque.
typedef struct ploy_rule_frame ploy_rule_frame;
PLOY_API ploy_rule_value ploy_rule_frame_get(const ploy_rule_frame *frame, int32_t variable);
/// The `user` of the ploy_rules_def.
PLOY_API void *ploy_rule_frame_user(const ploy_rule_frame *frame);

/// A computation inside a pattern. Its result must depend only on its variables (and on data that
/// does not change between two firings), because the result is cached.
typedef ploy_rule_value (*ploy_rule_call_fn)(const ploy_rule_frame *frame, const void *data);

/// The quick form of a call that compares two variables: sets `holds`, or returns false to have the
/// call decide. The values are read where they lie, without a frame.
/// @param user  that of the ploy_rules_def.
typedef bool (*ploy_rule_pair_fn)(void *user, const ploy_rule_value *a, const ploy_rule_value *b,
                                  bool *holds);

typedef struct ploy_rule_call {
    ploy_rule_call_fn fn;
    ploy_rule_pair_fn pair; ///< of a constraint HOLDS or a test with two variables; NULL: none
    const void *data;       ///< passed to fn; must outlive the base
    uint64_t key;           ///< equal key, fn and variables: the same computation; 0: unique
    const char *const *variables;
    int32_t variable_count;
    int32_t cost; ///< added to the rule's cost; below 1 counts as 1
} ploy_rule_call;

typedef enum ploy_rule_constraint_kind {
    PLOY_RULE_IS,       ///< equals a value
    PLOY_RULE_SAME,     ///< equals a variable
    PLOY_RULE_HOLDS,    ///< the call returns anything but the symbol FALSE
    PLOY_RULE_COMPUTED, ///< equals the call's result
    PLOY_RULE_RANGE     ///< a number from `value` to `high`, including both unless strict
} ploy_rule_constraint_kind;

/// One condition of a field. All conditions of a group must hold; of several groups, one must hold.
typedef struct ploy_rule_constraint {
    ploy_rule_constraint_kind kind;
    bool negated;
    bool strict; ///< of a range: excludes its ends
    int32_t group;
    ploy_rule_value value, high;
    const char *variable;
    ploy_rule_call call;
} ploy_rule_constraint;

/// One position in a slot: a single value, or (multi) any number of consecutive values.
typedef struct ploy_rule_field {
    bool multi;
    const char *variable; ///< bound at its first use, a condition after that; NULL: none
    const ploy_rule_constraint *constraints;
    int32_t constraint_count;
} ploy_rule_field;

typedef struct ploy_rule_slot_pattern {
    int32_t slot;
    const ploy_rule_field *fields; ///< exactly one unless the slot holds a sequence
    int32_t field_count;
} ploy_rule_slot_pattern;

typedef enum ploy_rule_ce_kind {
    PLOY_RULE_PATTERN,
    PLOY_RULE_TEST,
    PLOY_RULE_AND,
    PLOY_RULE_OR,
    PLOY_RULE_NOT,
    PLOY_RULE_EXISTS,
    PLOY_RULE_FORALL, ///< wherever the first item matches, the others match too
    PLOY_RULE_LOGICAL ///< facts that the rule asserts last only as long as these match
} ploy_rule_ce_kind;

/// A conditional element: a pattern, a test, or a combination of elements.
typedef struct ploy_rule_ce {
    ploy_rule_ce_kind kind;
    int32_t template_index;
    const char *address; ///< variable for the matching fact; NULL: none
    const ploy_rule_slot_pattern *slots;
    int32_t slot_count;
    ploy_rule_call call; ///< of a test
    const struct ploy_rule_ce *items;
    int32_t item_count;
} ploy_rule_ce;

typedef struct ploy_rule_def {
    const char *name;
    int32_t module;   ///< module whose agenda gets the rule's activations, from 0
    int32_t salience; ///< -10,000 to 10,000; higher fires first
    bool auto_focus;  ///< an activation puts its module in focus
    ploy_rule_ce lhs; ///< usually an AND; an AND without items always matches, once
    const void *data; ///< passed to the action
    int32_t cost;     ///< number of tests, for the strategies; 0: counted by add_rule
} ploy_rule_def;

/// Compiles a rule. A rule whose `or`s expand to several alternatives becomes as many rules with
/// the same name.
/// @param diags  receives the faults; may be NULL.
/// @param first  number of its first alternative, from 0; the others follow. @param count may be
///         NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_LIMIT or PLOY_ERR_MEMORY, the base unchanged except that it
///         may hold unused nodes.
PLOY_API ploy_result ploy_rulebase_add_rule(ploy_rulebase *base, const ploy_rule_def *def,
                                            ploy_diags *diags, int32_t *first, int32_t *count);

PLOY_API int32_t ploy_rulebase_rule_count(const ploy_rulebase *base);
PLOY_API const char *ploy_rulebase_rule_name(const ploy_rulebase *base, int32_t rule);
/// The number of a rule's variable for ploy_rules_variable, or -1.
PLOY_API int32_t ploy_rulebase_find_variable(const ploy_rulebase *base, int32_t rule,
                                             const char *name);

/// The size of the network.
typedef struct ploy_rulebase_size {
    int32_t tests;    ///< nodes that test one fact
    int32_t memories; ///< nodes that store the facts of a pattern
    int32_t joins;    ///< nodes that combine matches
    int32_t rules;
} ploy_rulebase_size;
PLOY_API void ploy_rulebase_describe(const ploy_rulebase *base, ploy_describe *out);
