/// @file ploy/decide/rulebase.h
/// Rule bases: templates of facts and rules over them, compiled to one shared Rete network.
///
/// A rule says: where these patterns match, do that. Matching every pattern against every fact
/// before each firing costs O(facts ^ patterns); a Rete network remembers what matched and looks
/// only at what changed. Equal tests and equal joins of different rules are one node. Technique:
/// Forgy, "Rete: A Fast Algorithm for the Many Pattern/Many Object Pattern Match Problem", 1982,
/// with hashed joins; the order in which matches arise is that of CLIPS 6.30.
///
/// The base is built once, shared and not changed while rules at work (ploy/decide/rules.h) use it.
/// Cost of adding a rule: O(size of the rule times nodes it meets).
/// Threads: reading from many at a time; building one caller.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/decide/rule_value.h"

/// Templates and rules. Opaque.
typedef struct ploy_rulebase ploy_rulebase;

/// Most slots of a template, patterns of a rule, fields of a slot, and alternatives that the `or`s
/// of a rule may come to.
#define PLOY_RULE_SLOTS_MAX 4096
#define PLOY_RULE_PATTERNS_MAX 250
#define PLOY_RULE_FIELDS_MAX 250
#define PLOY_RULE_ORS_MAX 256

/// An empty base.
PLOY_API ploy_result ploy_rulebase_create(const ploy_env *env, ploy_rulebase **out);
/// NULL is allowed. No rules may be at work on it any more.
PLOY_API void ploy_rulebase_destroy(ploy_rulebase *base);

/// The name of a text that is kept in the base. @return PLOY_ERR_EXISTS on a collision of hashes.
PLOY_API ploy_result ploy_rulebase_text(ploy_rulebase *base, const char *text, ploy_name *out);

typedef struct ploy_rule_slot {
    const char *name;
    bool multi; ///< holds a sequence
} ploy_rule_slot;

/// Adds a template: the slots of a kind of fact. count 0 is allowed.
/// @param out  its number, from 0.
/// @return PLOY_ERR_EXISTS for a name there is, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rulebase_add_template(ploy_rulebase *base, const char *name,
                                                const ploy_rule_slot *slots, int32_t count,
                                                int32_t *out);
/// Adds an ordered relation: one slot "implied" that holds a sequence.
PLOY_API ploy_result ploy_rulebase_add_relation(ploy_rulebase *base, const char *name,
                                                int32_t *out);
/// The template of that name, or -1; and what it has.
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

/// What a test sees: the variables it named, in that order. Opaque.
typedef struct ploy_rule_frame ploy_rule_frame;
PLOY_API ploy_rule_value ploy_rule_frame_get(const ploy_rule_frame *frame, int32_t variable);
/// The `user` of the rules at work.
PLOY_API void *ploy_rule_frame_user(const ploy_rule_frame *frame);

/// A computation inside a pattern. It must depend on its variables alone (and on what does not
/// change between two firings), because its answer is remembered.
typedef ploy_rule_value (*ploy_rule_call_fn)(const ploy_rule_frame *frame, const void *data);

typedef struct ploy_rule_call {
    ploy_rule_call_fn fn;
    const void *data; ///< handed to it; must live as long as the base
    uint64_t key;     ///< equal keys, fn and variables mean the same computation; 0: like no other
    const char *const *variables;
    int32_t variable_count;
    int32_t cost; ///< what it adds to the rule's cost; below 1 counts as 1
} ploy_rule_call;

typedef enum ploy_rule_constraint_kind {
    PLOY_RULE_IS,       ///< equals a value
    PLOY_RULE_SAME,     ///< equals a variable
    PLOY_RULE_HOLDS,    ///< the call gives anything but the symbol FALSE
    PLOY_RULE_COMPUTED, ///< equals what the call gives
    PLOY_RULE_RANGE     ///< a number from `value` to `high`; the ends belong to it unless strict
} ploy_rule_constraint_kind;

/// One condition of a field. Those of a group must all hold; of several groups, one must.
typedef struct ploy_rule_constraint {
    ploy_rule_constraint_kind kind;
    bool negated;
    bool strict; ///< of a range: without its ends
    int32_t group;
    ploy_rule_value value, high;
    const char *variable;
    ploy_rule_call call;
} ploy_rule_constraint;

/// One place of a slot: a single value, or (multi) any number of them in a row.
typedef struct ploy_rule_field {
    bool multi;
    const char *variable; ///< binds the first time, is a condition after that; NULL: none
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
    PLOY_RULE_FORALL, ///< wherever the first item matches, the others do
    PLOY_RULE_LOGICAL ///< what the rule asserts lasts only as long as these match
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
    int32_t module;   ///< whose agenda it goes to, from 0
    int32_t salience; ///< -10,000 to 10,000; higher fires first
    bool auto_focus;  ///< an activation puts its module in focus
    ploy_rule_ce lhs; ///< usually an AND; one without items always matches, once
    const void *data; ///< handed to the rules' action
    int32_t cost;     ///< tests it makes, for the strategies; 0: counted here
} ploy_rule_def;

/// Compiles a rule. A rule whose `or`s come to several alternatives is as many rules of one name.
/// @param diags  gets what is wrong; may be NULL.
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

/// What the network came to.
typedef struct ploy_rulebase_size {
    int32_t tests;    ///< nodes that look at one fact
    int32_t memories; ///< patterns that remember facts
    int32_t joins;    ///< nodes that combine
    int32_t rules;
} ploy_rulebase_size;
PLOY_API void ploy_rulebase_describe(const ploy_rulebase *base, ploy_describe *out);
