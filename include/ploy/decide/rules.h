/// @file ploy/decide/rules.h
/// Running rules: a working memory of facts, the matches in it, and the rule that fires next.
///
/// Asserting or retracting a fact updates the network of a rule base (ploy/decide/rulebase.h) at
/// once; every complete match is an activation on the agenda of its rule's module. A step fires
/// activations in the order of salience and, among equals, of the strategy. It calls the game's
/// action, which may assert, retract and request anything. An activation fires once; it returns
/// only when one of its facts is asserted again (refraction).
///
/// Truth maintenance: a fact that a rule asserts while `logical` conditions matched is retracted
/// when they no longer match. Justification: with def.audit, every fact remembers the rule and the
/// facts it came from.
///
/// Memory comes from the env in chunks that are kept: a warmed-up step allocates nothing. Cost:
/// assert and retract O(matches changed), found by hashing; agenda O(saliences in use) for depth
/// and breadth, O(activations of one salience) for the other strategies. Threads: one caller at a
/// time; many may share a rule base.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/json.h"
#include "ploy/base/trace.h"
#include "ploy/decide/rulebase.h"

/// A working memory and agenda on a rule base. Opaque.
typedef struct ploy_rules ploy_rules;

/// Which activation of the highest salience fires first.
typedef enum ploy_rule_strategy {
    PLOY_RULE_DEPTH,      ///< the newest
    PLOY_RULE_BREADTH,    ///< the oldest
    PLOY_RULE_SIMPLICITY, ///< of the rule with the fewest tests
    PLOY_RULE_COMPLEXITY, ///< of the rule with the most tests: the most specific
    PLOY_RULE_LEX,        ///< with the most recent facts (OPS5)
    PLOY_RULE_MEA,        ///< the same, but the first pattern's fact counts most
    PLOY_RULE_RANDOM,     ///< drawn from the seed
    PLOY_RULE_STRATEGY_COUNT
} ploy_rule_strategy;

/// "depth", "breadth", ...
PLOY_API const char *ploy_rule_strategy_text(ploy_rule_strategy strategy);

/// Carries out a rule. It may assert, retract, focus and halt.
/// @return anything but PLOY_OK ends the step with PLOY_ERR_CALLBACK.
typedef ploy_result (*ploy_rule_action_fn)(void *user, ploy_rules *rules, int32_t rule);

/// Events reported to the watch function, which may be NULL and must not change the rules.
typedef enum ploy_rule_event {
    PLOY_RULE_ASSERTED,
    PLOY_RULE_RETRACTED,
    PLOY_RULE_ACTIVATED,
    PLOY_RULE_DEACTIVATED,
    PLOY_RULE_FIRING,
    PLOY_RULE_FOCUSED,
    PLOY_RULE_UNFOCUSED
} ploy_rule_event;

/// A match that waits to fire. Valid until the rules change.
typedef struct ploy_rule_activation {
    int32_t rule, salience;
    const void *handle; ///< for ploy_rules_activation_fact
} ploy_rule_activation;

typedef void (*ploy_rule_watch_fn)(void *user, ploy_rule_event event, const ploy_fact *fact,
                                   const ploy_rule_activation *activation, int32_t module);

/// Returns the present salience of a rule, for rules whose importance changes; called when the rule
/// is activated.
typedef int32_t (*ploy_rule_salience_fn)(void *user, int32_t rule, int32_t salience);

typedef struct ploy_rules_def {
    uint32_t cookie;
    int32_t strategy; ///< a ploy_rule_strategy
    int32_t modules;  ///< number of agendas at first; rules that name more add them
    bool duplicates;  ///< a fact may exist twice
    bool audit;       ///< facts remember their origin, also after they are retracted
    /// An action's changes are applied after it: first all removals, then all additions. In this
    /// mode, assert returns no fact.
    bool batch;
    bool loop;                  ///< as a behavior: keeps running when no rule can fire
    uint64_t seed;              ///< of the random strategy
    ploy_rule_action_fn action; ///< NULL: rules fire without effect
    ploy_rule_watch_fn watch;
    ploy_rule_salience_fn salience;
    void *user; ///< passed to all of them and to the tests
} ploy_rules_def;

PLOY_API ploy_rules_def ploy_rules_def_default(void);
PLOY_API ploy_fields ploy_rules_fields(void);

/// Creates an empty working memory. @param base must outlive it.
PLOY_API ploy_result ploy_rules_create(const ploy_rules_def *def, const ploy_rulebase *base,
                                       const ploy_env *env, ploy_rules **out);
/// NULL is allowed.
PLOY_API void ploy_rules_destroy(ploy_rules *rules);

/// Sets which events are reported: a bit (1 << ploy_rule_event) for each. The default is all.
PLOY_API void ploy_rules_set_events(ploy_rules *rules, uint32_t events);

/// Takes over what was added to the base since create or the last call: new rules match the
/// existing facts.
PLOY_API ploy_result ploy_rules_extend(ploy_rules *rules);
/// Removes a rule from the agenda permanently.
PLOY_API void ploy_rules_remove_rule(ploy_rules *rules, int32_t rule);

/// Restarts: no facts, no activations, module 0 in focus, indexes from 0 again. Activates rules
/// without conditions.
PLOY_API ploy_result ploy_rules_reset(ploy_rules *rules);

/// Makes the name of a text at run time and keeps the text until destroy.
PLOY_API ploy_result ploy_rules_text(ploy_rules *rules, const char *text, ploy_name *out);
/// The text of a symbol or string; "" if unknown.
PLOY_API const char *ploy_rules_text_of(const ploy_rules *rules, ploy_name name);

/// Adds a fact: one value for each slot, a sequence for slots that hold sequences. Copied.
/// @param out  the fact; the existing one if this one is a duplicate (then the result
///             is PLOY_ERR_EXISTS). May be NULL.
/// @return PLOY_ERR_ARGUMENT for values that do not fit the template, PLOY_ERR_STATE from inside a
///         test, PLOY_ERR_MEMORY. If memory runs out inside the network, matches are missing:
///         from then on everything but reset and destroy returns PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rules_assert(ploy_rules *rules, int32_t template_index,
                                       const ploy_rule_value *values, int32_t count,
                                       ploy_fact **out);
/// Adds a fact of an ordered relation.
PLOY_API ploy_result ploy_rules_assert_ordered(ploy_rules *rules, int32_t relation,
                                               const ploy_rule_value *fields, int32_t count,
                                               ploy_fact **out);
/// Removes a fact, its matches, and the facts that logically depend on them.
/// @return PLOY_ERR_NOT_FOUND if it is gone, PLOY_ERR_STATE from inside a test.
PLOY_API ploy_result ploy_rules_retract(ploy_rules *rules, ploy_fact *fact);

/// Iterates over the facts in the order in which they were asserted: pass NULL to begin; returns
/// NULL at the end. next_of visits only the facts of one template.
PLOY_API ploy_fact *ploy_rules_next_fact(const ploy_rules *rules, const ploy_fact *fact);
PLOY_API ploy_fact *ploy_rules_next_of(const ploy_rules *rules, int32_t template_index,
                                       const ploy_fact *fact);
/// Returns the fact with the index, or NULL.
PLOY_API ploy_fact *ploy_rules_find_fact(const ploy_rules *rules, int64_t index);
PLOY_API int32_t ploy_rules_fact_count(const ploy_rules *rules);

/// A fact's index (7 for f-7), and its template.
PLOY_API int64_t ploy_fact_index(const ploy_fact *fact);
PLOY_API int32_t ploy_fact_template(const ploy_fact *fact);
/// False after the fact was retracted. A fact's memory is kept while the fact is held.
PLOY_API bool ploy_fact_exists(const ploy_fact *fact);
PLOY_API ploy_rule_value ploy_fact_slot(const ploy_fact *fact, int32_t slot);
/// The memory of a retracted fact is reused at the next firing or retraction. No memory is reused
/// while `keep` has been called with true more often than with false. hold keeps the memory of one
/// fact until release.
PLOY_API void ploy_rules_keep(ploy_rules *rules, bool keep);
PLOY_API void ploy_rules_hold(ploy_rules *rules, ploy_fact *fact);
PLOY_API void ploy_rules_release(ploy_rules *rules, ploy_fact *fact);

/// Writes a value or a fact as CLIPS does: `(monkey (at t5-7) (on floor))`, `"a text"`, `3.0`.
PLOY_API void ploy_rules_write_value(const ploy_rules *rules, const ploy_rule_value *value,
                                     ploy_writer *out);
PLOY_API void ploy_rules_write_fact(const ploy_rules *rules, const ploy_fact *fact,
                                    ploy_writer *out);

/// Fires until the agenda is empty, halt is called, or the budget is spent. One unit is one firing.
/// @param trace  receives the agenda and the rule that fired; may be NULL.
/// @return PLOY_IN_PROGRESS if activations are left.
PLOY_API ploy_result ploy_rules_step(ploy_rules *rules, ploy_budget *budget, ploy_trace *trace);
/// Ends the step after the current action.
PLOY_API void ploy_rules_halt(ploy_rules *rules);
PLOY_API uint64_t ploy_rules_fired(const ploy_rules *rules);

/// While a rule fires: a variable of its conditions, and the fact that a pattern matched (NULL for
/// negations and out of range). Refers to the match at the time of firing, even if its facts have
/// been retracted since.
PLOY_API ploy_rule_value ploy_rules_variable(const ploy_rules *rules, int32_t variable);

/// Iterates over the agenda of a module in firing order: NULL begins. @return false at the end.
PLOY_API bool ploy_rules_next_activation(const ploy_rules *rules, int32_t module,
                                         ploy_rule_activation *activation);
PLOY_API int32_t ploy_rules_activation_patterns(const ploy_rule_activation *activation);
PLOY_API ploy_fact *ploy_rules_activation_fact(const ploy_rule_activation *activation,
                                               int32_t pattern);
PLOY_API int32_t ploy_rules_activation_count(const ploy_rules *rules);
PLOY_API void ploy_rules_set_strategy(ploy_rules *rules, ploy_rule_strategy strategy);
/// Computes the salience of every activation again and re-sorts the agenda.
PLOY_API void ploy_rules_refresh_saliences(ploy_rules *rules);
/// Puts a rule's matches that have already fired back on the agenda.
PLOY_API void ploy_rules_refresh(ploy_rules *rules, int32_t rule);

/// Puts a module (rule set) in focus. Only the agenda of the top module fires; when it is empty,
/// the module below takes over. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rules_focus(ploy_rules *rules, int32_t module);
/// Removes the top module from focus. @return the module, or -1.
PLOY_API int32_t ploy_rules_pop_focus(ploy_rules *rules);
/// The module at a depth, 0 for the top; -1 past the end.
PLOY_API int32_t ploy_rules_current_focus(const ploy_rules *rules, int32_t depth);
PLOY_API void ploy_rules_clear_focus(ploy_rules *rules);

/// Writes why a fact exists: the rule, the facts that matched, their reasons in turn, down to the
/// facts that came from outside. Needs def.audit. @return PLOY_ERR_NOT_FOUND if there never was
/// such a fact.
PLOY_API ploy_result ploy_rules_why(const ploy_rules *rules, int64_t fact_index, ploy_writer *out);
/// Gets the rule that asserted a fact (-1: from outside) and the indexes of the facts that matched
/// (-1 for a negation). @return how many there are, -1 if unknown; at most `room` are written.
PLOY_API int32_t ploy_rules_reason(const ploy_rules *rules, int64_t fact_index, int32_t *rule,
                                   int64_t *basis, int32_t room);

/// Writes working memory, agenda, refraction, justifications and truth maintenance as one JSON
/// value, by the names of templates, slots and rules.
PLOY_API void ploy_rules_save(const ploy_rules *rules, ploy_json_writer *out);
/// Restores a saved state, on the same rule base or an edited one. Facts keep their indexes. A
/// match that had fired does not fire again, unless its rule is new. Anything that an edited base
/// no longer contains (a template, a slot, a rule of the agenda, the support of a logical fact) is
/// dropped and reported. If negations ended in a different order than facts were asserted, later
/// matches of equal rank may come in a different order.
/// @param diags  may be NULL.
/// @return PLOY_ERR_STATE from inside a test or an action; PLOY_ERR_MEMORY, after which only reset
///         and destroy work.
PLOY_API ploy_result ploy_rules_load(ploy_rules *rules, const ploy_json *doc, ploy_json_node saved,
                                     ploy_diags *diags);

/// What is in use: partial matches of joins, facts in patterns' memories, bytes.
typedef struct ploy_rules_size {
    int64_t tokens, matches;
    size_t bytes;
} ploy_rules_size;
/// Visits the complete matches of a rule, including those that have fired: the facts of the
/// patterns, NULL for negations.
typedef void (*ploy_rule_match_fn)(void *user, ploy_fact *const *facts, int32_t count);

/// A step of matching a rule's conditions.
typedef struct ploy_rule_stage {
    int32_t pattern;   ///< from 1: the facts of that pattern only; 0: conditions matched together
    const char *label; ///< which of them, "1 - 2", "1 (P1) , 2 (P2 - P4)" with groups; or NULL
} ploy_rule_stage;
/// If facts is NULL and count is -1, a stage begins. Otherwise one match in the stage; NULL for a
/// negation or test.
typedef void (*ploy_rule_stage_fn)(void *user, const ploy_rule_stage *stage,
                                   ploy_fact *const *facts, int32_t count);
/// Visits how far a rule is matched: its patterns, then its conditions one after the other. The
/// first stage without matches shows why the rule does not fire.
PLOY_API void ploy_rules_stages(const ploy_rules *rules, int32_t rule, ploy_rule_stage_fn fn,
                                void *user);

/// Facts and agenda, as state.
PLOY_API void ploy_rules_describe(const ploy_rules *rules, ploy_describe *out);
