/// @file ploy/generate/grammar.h
/// Shape grammars: an object grows by rules, which fire as long as any of them applies.
///
/// Each turn asks every rule for its importance on the object (0 or less: it does not apply), draws
/// one rule by importance, and fires it. The derivation ends when no rule applies. The caller
/// defines the object and what a rule does to it, in code, because conditions and geometry need
/// code. Two objects are built in: buildings (ploy/generate/skyscraper.h) and strings of tokens.
///
/// Rules may lead to a dead end: none applies and the object is not complete. A plan searches over
/// sequences of firings instead of drawing one: depth first with backtracking, by least cost
/// (Dijkstra), or by least cost with an estimate (A*). It works on clones. The rule that fired
/// first decides whether an object is complete. The search may be endless, so it has limits.
/// Technique: Millington, "AI for Games", 8.5. ploy/decide/htn.h is a planner for characters that
/// decomposes tasks in a similar manner.
///
/// Unit of budget: one firing. Cost: O(rules) per firing. Threads: one caller for each work or
/// plan.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/budget.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"

/// One rule over the caller's object.
typedef struct ploy_grammar_rule {
    const char *name;
    /// The importance; 0 or less, or NaN: the rule does not apply.
    float (*importance)(void *user, const void *object);
    /// Changes the object. @return PLOY_OK, or an error that ends the work.
    ploy_result (*fire)(void *user, void *object, ploy_rng *rng);
    /// Plans: whether the object is complete; only the rule that fired first is asked. NULL: it is
    /// complete when no rule applies.
    bool (*complete)(void *user, const void *object);
    float cost; ///< for plans by cost: cost of one firing, 0 or more
    void *user;
} ploy_grammar_rule;

/// The first index whose cumulative sum is above the draw; importances of 0 or less count as 0.
/// @param draw  in [0, sum). @return -1 if the sum is not above the draw.
PLOY_API int32_t ploy_grammar_pick(const float *importances, int32_t count, float draw);

/// A derivation under way. Open; counts may be read at any time.
typedef struct ploy_grammar_work {
    const ploy_grammar_rule *rules; ///< the caller's
    int32_t rule_count;
    void *object; ///< the caller's
    ploy_rng rng;
    int32_t max_firings;
    ploy_array fired;       ///< int32_t: the rules that fired, in order
    ploy_array importances; ///< float: scratch
    ploy_trace *trace;      ///< may be NULL
    bool done, out_of_firings;
} ploy_grammar_work;

/// Prepares. @param max_firings  limit, 1 or more. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grammar_init(ploy_grammar_work *work, const ploy_grammar_rule *rules,
                                       int32_t rule_count, void *object, ploy_rng_key key,
                                       int32_t max_firings, ploy_trace *trace, const ploy_env *env);
/// PLOY_IN_PROGRESS; PLOY_OK when no rule applies or max_firings is reached; or a rule's error.
PLOY_API ploy_result ploy_grammar_step(ploy_grammar_work *work, ploy_budget *budget);
PLOY_API void ploy_grammar_fini(ploy_grammar_work *work);

// ---- tokens

/// Maximum number of symbols that a token rule makes or needs.
#define PLOY_TOKEN_RESULTS 8

/// Replaces the first `target` with `results` if all `needs` are present.
typedef struct ploy_token_rule {
    const char *name;
    int32_t target;
    int32_t results[PLOY_TOKEN_RESULTS];
    int32_t result_count;
    int32_t needs[PLOY_TOKEN_RESULTS]; ///< other symbols that must be present; they stay
    int32_t need_count;
    float weight;   ///< importance where it applies
    float cost;     ///< of one firing, for plans
    int32_t number; ///< set by ploy_token_rules
} ploy_token_rule;

/// A token that is or was part of an object: a node of the derivation, which is a rooted graph.
typedef struct ploy_token {
    int32_t symbol;
    int32_t rule;                            ///< that made it; -1: present from the start
    int32_t parents[PLOY_TOKEN_RESULTS + 1]; ///< the token replaced, then those needed
    int32_t parent_count;
    bool present; ///< still part of the object
} ploy_token;

/// A string of tokens. Opaque.
typedef struct ploy_tokens ploy_tokens;

/// One token. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tokens_create(int32_t axiom, const ploy_env *env, ploy_tokens **out);
PLOY_API ploy_result ploy_tokens_copy(const ploy_tokens *tokens, const ploy_env *env,
                                      ploy_tokens **out);
/// NULL is allowed.
PLOY_API void ploy_tokens_destroy(ploy_tokens *tokens);
/// Number of tokens present, and the i-th of them as an index into the derivation.
PLOY_API int32_t ploy_tokens_count(const ploy_tokens *tokens);
PLOY_API int32_t ploy_tokens_at(const ploy_tokens *tokens, int32_t index);
/// All present and former tokens, in the order in which they were made.
PLOY_API const ploy_token *ploy_tokens_derivation(const ploy_tokens *tokens, int32_t *count);
/// Makes engine rules from token rules, which must stay valid, and numbers them. `complete` is
/// NULL; set it where needed.
PLOY_API void ploy_token_rules(ploy_token_rule *rules, int32_t count, ploy_grammar_rule *out);

// ---- plans

/// Operations on the caller's object that a plan needs.
typedef struct ploy_grammar_object {
    /// A copy that `destroy` frees. @return PLOY_ERR_MEMORY.
    ploy_result (*clone)(void *user, const void *object, const ploy_env *env, void **out);
    void (*destroy)(void *user, void *object);
    /// Equal for equal objects. NULL: no two objects count as equal.
    uint64_t (*hash)(void *user, const void *object);
    /// A*: estimate of the remaining cost, never too high. NULL: 0.
    float (*remaining)(void *user, const void *object);
    void *user;
} ploy_grammar_object;

/// The calls for ploy_tokens.
PLOY_API ploy_grammar_object ploy_tokens_object(void);

typedef enum ploy_grammar_method {
    PLOY_GRAMMAR_DEPTH_FIRST, ///< rules in random order; any plan
    PLOY_GRAMMAR_DIJKSTRA,    ///< the cheapest plan
    PLOY_GRAMMAR_A_STAR       ///< the same with an estimate
} ploy_grammar_method;

/// Settings. Start from ploy_grammar_plan_def_default().
typedef struct ploy_grammar_plan_def {
    uint32_t cookie;
    int32_t method;    ///< ploy_grammar_method
    int32_t max_depth; ///< firings of one plan
    int32_t max_nodes; ///< firings tried
} ploy_grammar_plan_def;

PLOY_API ploy_grammar_plan_def ploy_grammar_plan_def_default(void);
PLOY_API ploy_fields ploy_grammar_plan_fields(void);

/// A search for a plan. Opaque.
typedef struct ploy_grammar_plan ploy_grammar_plan;

typedef struct ploy_grammar_plan_outcome {
    bool done, found;
    bool depth_reached; ///< a branch was cut off at max_depth: not finding a plan proves nothing
    bool nodes_reached; ///< max_nodes ended the search
    int64_t nodes;      ///< firings tried
    int64_t repeated;   ///< objects that were equal to earlier ones
    int32_t length;     ///< firings of the plan
    float cost;
} ploy_grammar_plan_outcome;

/// Starts. Rules and object must stay valid until cancel; the object is not changed.
/// @return PLOY_ERR_ARGUMENT, also for more than 64 rules or a cost below 0; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_grammar_plan_begin(const ploy_grammar_plan_def *def,
                                             const ploy_grammar_rule *rules, int32_t rule_count,
                                             const ploy_grammar_object *calls, const void *object,
                                             ploy_rng_key key, const ploy_env *env,
                                             ploy_grammar_plan **out);
/// @return PLOY_IN_PROGRESS; PLOY_OK at the end, found or not; or an error.
PLOY_API ploy_result ploy_grammar_plan_step(ploy_grammar_plan *plan, ploy_budget *budget);
PLOY_API ploy_grammar_plan_outcome ploy_grammar_plan_outcome_of(const ploy_grammar_plan *plan);
/// The rules of the plan in the order of firing, outcome.length of them; NULL if none was found.
PLOY_API const int32_t *ploy_grammar_plan_rules(const ploy_grammar_plan *plan);
/// The complete object; NULL if none was found. Borrowed.
PLOY_API const void *ploy_grammar_plan_object(const ploy_grammar_plan *plan);
/// Ends and frees the search. NULL is allowed.
PLOY_API void ploy_grammar_plan_cancel(ploy_grammar_plan *plan);
