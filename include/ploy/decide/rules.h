/// @file ploy/decide/rules.h
/// Rules at work: a working memory of facts, what matches in it, and which rule fires next.
///
/// Asserting and retracting facts goes through the network of a rule base (ploy/decide/rulebase.h)
/// at once; every complete match is an activation on the agenda of its rule's module. A step fires
/// activations in the order of salience and, among equals, of the strategy, calling the action of
/// the game, which may assert, retract and request whatever it likes. An activation fires once;
/// it comes again only when one of its facts does (refraction).
///
/// Truth maintenance: a fact that a rule asserts while `logical` conditions matched vanishes with
/// them. Justification: with def.audit, every fact remembers the rule and the facts it came from.
///
/// Memory comes from the env in chunks that are kept: a warmed-up step allocates nothing.
/// Cost: assert and retract O(matches changed), finding them by hashing; agenda O(saliences in use)
/// for depth and breadth, O(activations of one salience) for the other strategies.
/// Threads: one caller at a time; many may share a rule base.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/json.h"
#include "ploy/base/trace.h"
#include "ploy/decide/rulebase.h"

/// Rules at work on a rule base. Opaque.
typedef struct ploy_rules ploy_rules;

/// Which activation of the highest salience fires first.
typedef enum ploy_rule_strategy {
    PLOY_RULE_DEPTH,      ///< the newest
    PLOY_RULE_BREADTH,    ///< the oldest
    PLOY_RULE_SIMPLICITY, ///< of the rule with fewest tests
    PLOY_RULE_COMPLEXITY, ///< of the rule with most tests: the most specific
    PLOY_RULE_LEX,        ///< with the most recent facts (OPS5)
    PLOY_RULE_MEA,        ///< the same, but the first pattern's fact counts most
    PLOY_RULE_RANDOM,     ///< drawn from the seed
    PLOY_RULE_STRATEGY_COUNT
} ploy_rule_strategy;

/// "depth", "breadth", ...
PLOY_API const char *ploy_rule_strategy_text(ploy_rule_strategy strategy);

/// Does what a rule says. It may assert, retract, focus and halt.
/// @return anything but PLOY_OK ends the step with PLOY_ERR_CALLBACK.
typedef ploy_result (*ploy_rule_action_fn)(void *user, ploy_rules *rules, int32_t rule);

/// Hears of what happens, for watching; may be NULL. It must not change the rules.
typedef enum ploy_rule_event {
    PLOY_RULE_ASSERTED,
    PLOY_RULE_RETRACTED,
    PLOY_RULE_ACTIVATED,
    PLOY_RULE_DEACTIVATED,
    PLOY_RULE_FIRING,
    PLOY_RULE_FOCUSED,
    PLOY_RULE_UNFOCUSED
} ploy_rule_event;

/// A match that awaits firing. Valid until the rules change.
typedef struct ploy_rule_activation {
    int32_t rule, salience;
    const void *handle; ///< for ploy_rules_activation_fact
} ploy_rule_activation;

typedef void (*ploy_rule_watch_fn)(void *user, ploy_rule_event event, const ploy_fact *fact,
                                   const ploy_rule_activation *activation, int32_t module);

/// The salience of a rule now, for rules whose importance changes; asked when it is activated.
typedef int32_t (*ploy_rule_salience_fn)(void *user, int32_t rule, int32_t salience);

typedef struct ploy_rules_def {
    uint32_t cookie;
    int32_t strategy;           ///< a ploy_rule_strategy
    int32_t modules;            ///< agendas there are at first; more come with rules that name them
    bool duplicates;            ///< a fact may be there twice
    bool audit;                 ///< facts remember where they came from, those that are gone too
    bool batch;                 ///< what an action asserts and retracts happens after it: first all
                                ///< removals, then all additions; assert gives no fact then
    bool loop;                  ///< as a behavior: runs on when no rule can fire
    uint64_t seed;              ///< of the random strategy
    ploy_rule_action_fn action; ///< NULL: rules fire without effect
    ploy_rule_watch_fn watch;
    ploy_rule_salience_fn salience;
    void *user; ///< handed to all of them and to the tests
} ploy_rules_def;

PLOY_API ploy_rules_def ploy_rules_def_default(void);
PLOY_API ploy_fields ploy_rules_fields(void);

/// An empty working memory. @param base must outlive it.
PLOY_API ploy_result ploy_rules_create(const ploy_rules_def *def, const ploy_rulebase *base,
                                       const ploy_env *env, ploy_rules **out);
/// NULL is allowed.
PLOY_API void ploy_rules_destroy(ploy_rules *rules);

/// Which events are reported: a bit (1 << ploy_rule_event) for each. All at first.
PLOY_API void ploy_rules_set_events(ploy_rules *rules, uint32_t events);

/// Takes in what was added to the base since create or the last call: new rules match the facts
/// that are there.
PLOY_API ploy_result ploy_rules_extend(ploy_rules *rules);
/// Takes a rule off the agenda for good.
PLOY_API void ploy_rules_remove_rule(ploy_rules *rules, int32_t rule);

/// No facts, no activations, module 0 in focus, indexes from 0 again; rules without conditions
/// are activated.
PLOY_API ploy_result ploy_rules_reset(ploy_rules *rules);

/// The name of a text made at run time, kept until destroy.
PLOY_API ploy_result ploy_rules_text(ploy_rules *rules, const char *text, ploy_name *out);
/// The text of a symbol or string; "" if unknown.
PLOY_API const char *ploy_rules_text_of(const ploy_rules *rules, ploy_name name);

/// Adds a fact: one value for each slot, sequences for those that hold them. Copied.
/// @param out  the fact; the one that is there already if this one is a duplicate (then the result
///             is PLOY_ERR_EXISTS). May be NULL.
/// @return PLOY_ERR_ARGUMENT for values that do not fit the template, PLOY_ERR_STATE from inside a
///         test, PLOY_ERR_MEMORY. When memory ran short inside the network, matches are missing:
///         from then on everything but reset and destroy answers PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rules_assert(ploy_rules *rules, int32_t template_index,
                                       const ploy_rule_value *values, int32_t count,
                                       ploy_fact **out);
/// Adds a fact of an ordered relation.
PLOY_API ploy_result ploy_rules_assert_ordered(ploy_rules *rules, int32_t relation,
                                               const ploy_rule_value *fields, int32_t count,
                                               ploy_fact **out);
/// Removes a fact, what was matched with it, and what hung on that.
/// @return PLOY_ERR_NOT_FOUND if it is gone, PLOY_ERR_STATE from inside a test.
PLOY_API ploy_result ploy_rules_retract(ploy_rules *rules, ploy_fact *fact);

/// Facts in the order of asserting: NULL begins, NULL ends. The second of one template.
PLOY_API ploy_fact *ploy_rules_next_fact(const ploy_rules *rules, const ploy_fact *fact);
PLOY_API ploy_fact *ploy_rules_next_of(const ploy_rules *rules, int32_t template_index,
                                       const ploy_fact *fact);
/// By index; NULL if there is none.
PLOY_API ploy_fact *ploy_rules_find_fact(const ploy_rules *rules, int64_t index);
PLOY_API int32_t ploy_rules_fact_count(const ploy_rules *rules);

/// What a fact is called (f-7), and its template.
PLOY_API int64_t ploy_fact_index(const ploy_fact *fact);
PLOY_API int32_t ploy_fact_template(const ploy_fact *fact);
/// False once it was retracted; a fact's memory is kept while it is held.
PLOY_API bool ploy_fact_exists(const ploy_fact *fact);
PLOY_API ploy_rule_value ploy_fact_slot(const ploy_fact *fact, int32_t slot);
/// The memory of a retracted fact is reused at the next firing or retraction. While `keep` was
/// called with true more often than with false, none is; hold keeps one fact's, release lets go.
PLOY_API void ploy_rules_keep(ploy_rules *rules, bool keep);
PLOY_API void ploy_rules_hold(ploy_rules *rules, ploy_fact *fact);
PLOY_API void ploy_rules_release(ploy_rules *rules, ploy_fact *fact);

/// Writes a value or a fact as CLIPS does: `(monkey (at t5-7) (on floor))`, `"a text"`, `3.0`.
PLOY_API void ploy_rules_write_value(const ploy_rules *rules, const ploy_rule_value *value,
                                     ploy_writer *out);
PLOY_API void ploy_rules_write_fact(const ploy_rules *rules, const ploy_fact *fact,
                                    ploy_writer *out);

/// Fires until the agenda is empty, something halts, or the budget is spent: a unit is a firing.
/// @param trace  receives what was on the agenda and what won; may be NULL.
/// @return PLOY_IN_PROGRESS if activations are left.
PLOY_API ploy_result ploy_rules_step(ploy_rules *rules, ploy_budget *budget, ploy_trace *trace);
/// Ends the step after the present action.
PLOY_API void ploy_rules_halt(ploy_rules *rules);
PLOY_API uint64_t ploy_rules_fired(const ploy_rules *rules);

/// While a rule fires: a variable of its conditions, and the fact that a pattern matched (NULL for
/// negations and out of range). Refers to the match as it was, also if its facts are gone by now.
PLOY_API ploy_rule_value ploy_rules_variable(const ploy_rules *rules, int32_t variable);

/// The agenda of a module in the order of firing: NULL begins. @return false at the end.
PLOY_API bool ploy_rules_next_activation(const ploy_rules *rules, int32_t module,
                                         ploy_rule_activation *activation);
PLOY_API int32_t ploy_rules_activation_patterns(const ploy_rule_activation *activation);
PLOY_API ploy_fact *ploy_rules_activation_fact(const ploy_rule_activation *activation,
                                               int32_t pattern);
PLOY_API int32_t ploy_rules_activation_count(const ploy_rules *rules);
PLOY_API void ploy_rules_set_strategy(ploy_rules *rules, ploy_rule_strategy strategy);
/// Requests the salience of every activation again and sorts again.
PLOY_API void ploy_rules_refresh_saliences(ploy_rules *rules);
/// Puts matches that fired already back on the agenda.
PLOY_API void ploy_rules_refresh(ploy_rules *rules, int32_t rule);

/// Modules (rule sets) in focus: only the top one's agenda is looked at; when it is empty the one
/// below takes over. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_rules_focus(ploy_rules *rules, int32_t module);
/// Takes the top one off. @return it, or -1.
PLOY_API int32_t ploy_rules_pop_focus(ploy_rules *rules);
/// From the top, 0 on; -1 at the end.
PLOY_API int32_t ploy_rules_current_focus(const ploy_rules *rules, int32_t depth);
PLOY_API void ploy_rules_clear_focus(ploy_rules *rules);

/// Why a fact is there: the rule, the facts that matched, theirs in turn, down to those that came
/// from outside. Needs def.audit. @return PLOY_ERR_NOT_FOUND if there never was such a fact.
PLOY_API ploy_result ploy_rules_why(const ploy_rules *rules, int64_t fact_index, ploy_writer *out);
/// The rule that made it (-1: from outside) and the indexes of the facts that matched (-1 for a
/// negation). @return how many there are, -1 if unknown; at most `room` are written.
PLOY_API int32_t ploy_rules_reason(const ploy_rules *rules, int64_t fact_index, int32_t *rule,
                                   int64_t *basis, int32_t room);

/// Writes working memory, agenda, refraction, justifications and truth maintenance as one JSON
/// value, by the names of templates, slots and rules.
PLOY_API void ploy_rules_save(const ploy_rules *rules, ploy_json_writer *out);
/// Continues with what was saved, on the same rule base or an edited one. Facts keep their indexes.
/// A match that had fired does not fire again, unless its rule is new. What an edited base does not
/// know any more (a template, a slot, a rule of the agenda, the ground of a logical fact) is
/// dropped and reported. Where negations were lifted in another order than facts came, matches that
/// arise later may come in another order among equals.
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
/// Visits the complete matches of a rule, those that fired too: facts of the patterns, NULL for
/// negations.
typedef void (*ploy_rule_match_fn)(void *user, ploy_fact *const *facts, int32_t count);
PLOY_API void ploy_rules_matches(const ploy_rules *rules, int32_t rule, ploy_rule_match_fn fn,
                                 void *user);

/// A step of matching a rule's conditions.
typedef struct ploy_rule_stage {
    int32_t pattern;   ///< from 1: the facts of that pattern alone; 0: conditions matched together
    const char *label; ///< which of them, "1 - 2", "1 (P1) , 2 (P2 - P4)" with groups; or NULL
} ploy_rule_stage;
/// facts NULL and count -1: the stage begins. Otherwise a match in it; NULL for a negation or test.
typedef void (*ploy_rule_stage_fn)(void *user, const ploy_rule_stage *stage,
                                   ploy_fact *const *facts, int32_t count);
/// Visits how far a rule is matched: its patterns, then its conditions one after the other. Where
/// the matches end is why it does not fire.
PLOY_API void ploy_rules_stages(const ploy_rules *rules, int32_t rule, ploy_rule_stage_fn fn,
                                void *user);

/// Facts and agenda, as state.
PLOY_API void ploy_rules_describe(const ploy_rules *rules, ploy_describe *out);
