/// @file ploy/decide/experts.h
/// The blackboard architecture: several decision makers that share what they know and take turns.
///
/// Experts of any kind read a blackboard and report how useful they could be now (their
/// insistence). In each turn the arbiter lets the most insistent expert work, which edits the
/// board. No expert calls another: a firing expert, for example, can force a new choice of target
/// by what it writes. An action is proposed with the experts that must agree to it, and leaves the
/// board when all have agreed. Technique: Millington, "AI for Games", blackboard architectures
/// (after Hearsay-II, 1980).
///
/// A ploy_experts_type is the definition, finished and shared; a ploy_experts is one character's
/// instance, and the board is the character's (ploy/exec/blackboard.h). Each slot records which
/// expert changed it last. An expert works by a function, or by a behavior of any technique, which
/// is stepped in each turn that the expert wins and interrupted when another wins.
///
/// As a behavior: enter drops all proposals, and each step is one turn. RUNNING while an expert
/// insists, SUCCESS when none does. Agreed actions go to the context's outbox, by their names and
/// with the subject as token; without an outbox they wait for ploy_experts_take. Messages go to the
/// expert that runs. Saved by the names of experts and keys.
///
/// Cost: O(experts) per step and O(slots) to record changes; no allocation after create. Threads: a
/// finished type may be used by many threads; experts take one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/rule_set.h"

/// Most experts of one board: each has one bit in an action's mask of needed experts.
#define PLOY_EXPERTS_MAX 32

/// The experts for one kind of board. Opaque.
typedef struct ploy_experts_type ploy_experts_type;
/// Experts around one board. Opaque.
typedef struct ploy_experts ploy_experts;

/// Passed to an expert's functions.
typedef struct ploy_expert_turn {
    ploy_experts *experts;
    ploy_blackboard *board;
    ploy_step_context *context;
    void *user; ///< of the def
    void *data; ///< of the expert
} ploy_expert_turn;

/// An expert. Start from ploy_expert_make().
typedef struct ploy_expert {
    const char *name; ///< stable and unique; copied
    /// How useful the expert could be now; 0 and below: not at all. A score of the type's
    /// conditions. For a function, the asker of the moment is the ploy_expert_turn. None: uses
    /// `insists`.
    ploy_score insistence;
    float insists;
    ploy_condition condition; ///< of the type's conditions; none: always
    /// Works briefly: split long work over turns and insist strongly in the next one. May be NULL.
    void (*run)(const ploy_expert_turn *turn);
    ploy_maker maker; ///< a behavior that works in addition; none: only `run`
    void *data;       ///< for its functions; shared by all characters
} ploy_expert;

/// An expert that never insists.
PLOY_API ploy_expert ploy_expert_make(const char *name);

typedef struct ploy_experts_def {
    uint32_t cookie;
    int32_t actions;  ///< most actions under discussion
    bool random_ties; ///< equal insistence: drawn at random; otherwise the first
    uint64_t seed;    ///< of those draws; each agent draws separately
    void *user;       ///< passed to the experts; shared by all characters
} ploy_experts_def;

PLOY_API ploy_experts_def ploy_experts_def_default(void);
PLOY_API ploy_fields ploy_experts_fields(void);

/// Creates an empty type. @param layout  of the boards; must outlive the type.
PLOY_API ploy_result ploy_experts_type_create(const ploy_experts_def *def,
                                              const ploy_blackboard_layout *layout,
                                              const ploy_env *env, ploy_experts_type **out);
/// NULL is allowed. Destroy its experts first.
PLOY_API void ploy_experts_type_destroy(ploy_experts_type *type);
/// Returns the set of conditions that experts test; add to it while building.
PLOY_API ploy_conditions *ploy_experts_type_conditions(ploy_experts_type *type);
/// @param out  set to the expert's number, from 0; may be NULL.
/// @return PLOY_ERR_CAPACITY past PLOY_EXPERTS_MAX.
PLOY_API ploy_result ploy_experts_type_add(ploy_experts_type *type, const ploy_expert *expert,
                                           int32_t *out);
/// Adds each rule of a rule set as an expert: the expert insists while the rule is triggered, as
/// the set's arbiter defines (first: all equally, so that the first wins; specific: by the number
/// of clauses; priority: by its priority, above 0), and works by firing the rule. In this way a
/// blackboard replaces a rule system.
/// @param rules  finished, of the same layout; must outlive the type.
/// @return PLOY_ERR_UNSUPPORTED for other arbiters, suspension, nested sets, patterns and items,
///         which a board cannot represent.
PLOY_API ploy_result ploy_experts_type_add_rules(ploy_experts_type *type,
                                                 const ploy_rule_set_type *rules);
/// Finishes the type. @return the first fault.
PLOY_API ploy_result ploy_experts_type_finish(ploy_experts_type *type);
/// NULL out of range.
PLOY_API const char *ploy_experts_type_name(const ploy_experts_type *type, int32_t expert);

/// @param type  finished; must outlive the experts.
PLOY_API ploy_result ploy_experts_create(const ploy_experts_type *type, const ploy_env *env,
                                         ploy_experts **out);
/// NULL is allowed.
PLOY_API void ploy_experts_destroy(ploy_experts *experts);

/// Runs one turn: evaluates all experts and lets the most insistent one work.
/// @param context  its blackboard is the board; with one of another layout, no expert insists.
/// @param status   may be NULL.
/// @return the number of the expert that worked, or -1 if none insists.
PLOY_API int32_t ploy_experts_step(ploy_experts *experts, ploy_step_context *context,
                                   ploy_status *status);

/// An action to carry out in the game.
typedef struct ploy_expert_action {
    ploy_name name;
    uint64_t subject; ///< the game's own value: a target, a place
} ploy_expert_action;

/// Proposes an action. @param needed a bit for each expert that must agree; 0: agreed at once.
/// @param out  the action's number, valid until all have agreed or it is withdrawn.
/// @return PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_experts_propose(ploy_experts *experts, ploy_expert_action action,
                                          uint32_t needed, int32_t *out);
/// @return PLOY_ERR_NOT_FOUND if there is no such action, PLOY_ERR_ARGUMENT if there is no such
///         expert.
PLOY_API ploy_result ploy_experts_agree(ploy_experts *experts, int32_t action, int32_t expert);
PLOY_API ploy_result ploy_experts_withdraw(ploy_experts *experts, int32_t action);
/// Takes the oldest action that all have agreed to; each is returned once. @return false if none.
PLOY_API bool ploy_experts_take(ploy_experts *experts, ploy_expert_action *out);

/// Returns the expert that last changed a slot, and the turn; -1 if none did.
PLOY_API int32_t ploy_experts_writer(const ploy_experts *experts, ploy_slot slot,
                                     uint64_t *iteration);

/// Returns the experts as a behavior; destroying the behavior destroys them.
PLOY_API ploy_behavior ploy_experts_behavior(ploy_experts *experts);
/// A maker that creates experts of a finished type, which must outlive them.
PLOY_API ploy_maker ploy_experts_type_maker(ploy_experts_type *type);
PLOY_API void ploy_experts_describe(const ploy_experts *experts, ploy_describe *out);
