/// @file ploy/decide/rule_set.h
/// Rule sets: plain rules in order, an arbiter that picks one of those that are triggered, and sets
/// inside sets that can be switched on and off.
///
/// The small form of a rule system, for a few dozen rules of a game's own code: each rule is a
/// condition and an action. (For patterns over many facts use ploy/decide/rules.h, whose matches
/// can be conditions here.) Large systems are cut into sets: upper ones hold little but rules that
/// switch the lower ones, and only active sets are looked at. Technique: Millington, "AI for
/// Games", rule-based systems, with his five arbiters.
///
/// Cost: O(rules of active sets) a choice; first-applicable stops at the first. No allocation.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"

/// A set of rules and sets. Opaque.
typedef struct ploy_rule_set ploy_rule_set;

typedef enum ploy_rule_arbiter {
    PLOY_RULE_ARBITER_FIRST,        ///< the first that is triggered
    PLOY_RULE_ARBITER_LEAST_RECENT, ///< the first; once fired it goes to the end of the list
    PLOY_RULE_ARBITER_RANDOM,       ///< any that is triggered, equally likely
    PLOY_RULE_ARBITER_SPECIFIC,     ///< the one with most clauses
    PLOY_RULE_ARBITER_PRIORITY,     ///< the one whose priority is highest now
    PLOY_RULE_ARBITER_COUNT
} ploy_rule_arbiter;

/// Keeps a rule that fired from firing again on the same grounds.
typedef enum ploy_suspension {
    PLOY_SUSPEND_NEVER,
    PLOY_SUSPEND_UNTIL_CHANGE, ///< until anything changes: the set's change count
    PLOY_SUSPEND_UNTIL_MATCH,  ///< until what the rule matched changes: the rule's own count
    PLOY_SUSPENSION_COUNT
} ploy_suspension;

typedef struct ploy_set_rule {
    const char *name; ///< must live as long as the set
    int32_t clauses;  ///< how specific it is
    /// True if the conditions hold. NULL: always.
    bool (*triggered)(void *user, void *data);
    /// What is to be done; may be NULL.
    void (*fire)(void *user, void *data);
    /// How important it is now; NULL: 0.
    float (*priority)(void *user, void *data);
    /// A number that changes when what it matched does; NULL: never.
    uint64_t (*matched)(void *user, void *data);
    void *data;
} ploy_set_rule;

typedef struct ploy_rule_set_def {
    uint32_t cookie;
    int32_t arbiter;    ///< a ploy_rule_arbiter
    int32_t suspension; ///< a ploy_suspension
    int32_t capacity;   ///< most rules and sets in it
    uint64_t seed;      ///< of the random arbiter
    void *user;         ///< handed to the rules
} ploy_rule_set_def;

PLOY_API ploy_rule_set_def ploy_rule_set_def_default(void);
PLOY_API ploy_fields ploy_rule_set_fields(void);
PLOY_API ploy_result ploy_rule_set_create(const ploy_rule_set_def *def, const ploy_env *env,
                                          ploy_rule_set **out);
/// Frees it, not the sets inside it. NULL is allowed.
PLOY_API void ploy_rule_set_destroy(ploy_rule_set *set);

/// Adds a rule, or a set (off at first unless `active`), behind what is there.
/// @return PLOY_ERR_CAPACITY, or PLOY_ERR_ARGUMENT for a set inside itself.
PLOY_API ploy_result ploy_rule_set_add(ploy_rule_set *set, const ploy_set_rule *rule);
PLOY_API ploy_result ploy_rule_set_add_set(ploy_rule_set *set, ploy_rule_set *inner, bool active);

/// Switches a set; a rule's action may do that.
PLOY_API void ploy_rule_set_activate(ploy_rule_set *set, bool active);
PLOY_API bool ploy_rule_set_active(const ploy_rule_set *set);
/// Tells that something the rules look at has changed.
PLOY_API void ploy_rule_set_changed(ploy_rule_set *set);

/// Chooses one triggered rule and fires it. @param trace may be NULL.
/// @return its name, or NULL if none was triggered.
PLOY_API const char *ploy_rule_set_step(ploy_rule_set *set, ploy_trace *trace);

PLOY_API void ploy_rule_set_describe(const ploy_rule_set *set, ploy_describe *out);
