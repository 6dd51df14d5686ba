/// @file ploy/decide/experts.h
/// The blackboard architecture: several decision makers that share what they know and take turns.
///
/// Experts of any kind read a blackboard and say how much they insist on being useful now; the
/// arbiter lets the most insistent one work, which edits the board, and so on. Nobody calls
/// anybody: a firing expert may force a new choice of target by what it writes. Actions are
/// proposed with the experts that must agree to them, and leave the board when all have.
/// Technique: Millington, "AI for Games", blackboard architectures (after Hearsay-II, 1980).
///
/// The board is exec's (ploy/exec/blackboard.h). Each slot remembers which expert changed it last.
/// Cost: O(experts) a step and O(slots) for the audit; no allocation after create.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/trace.h"
#include "ploy/exec/blackboard.h"

/// Most experts of one board: each has a bit in an action's agreement.
#define PLOY_EXPERTS_MAX 32

/// Experts around a board. Opaque.
typedef struct ploy_experts ploy_experts;

typedef struct ploy_expert {
    const char *name; ///< must live as long as the experts
    /// How useful it could be now; 0 and below: not at all. Only looks, quickly.
    float (*insistence)(void *user, const ploy_blackboard *board, void *data);
    /// Works, briefly: long work stops midway and insists strongly next time.
    void (*run)(void *user, ploy_experts *experts, ploy_blackboard *board, void *data);
    void *data;
} ploy_expert;

typedef struct ploy_experts_def {
    uint32_t cookie;
    int32_t actions;  ///< most actions under discussion
    bool random_ties; ///< equal insistence: drawn; otherwise the first
    uint64_t seed;    ///< of those draws
    void *user;       ///< handed to the experts
} ploy_experts_def;

PLOY_API ploy_experts_def ploy_experts_def_default(void);
PLOY_API ploy_fields ploy_experts_fields(void);
/// @param board  must outlive the experts.
PLOY_API ploy_result ploy_experts_create(const ploy_experts_def *def, ploy_blackboard *board,
                                         const ploy_env *env, ploy_experts **out);
/// NULL is allowed.
PLOY_API void ploy_experts_destroy(ploy_experts *experts);

/// @param out  its number, from 0; may be NULL. @return PLOY_ERR_CAPACITY past PLOY_EXPERTS_MAX.
PLOY_API ploy_result ploy_experts_add(ploy_experts *experts, const ploy_expert *expert,
                                      int32_t *out);
/// One iteration: asks all, lets the most insistent one work. @param trace may be NULL.
/// @return its number, or -1 if nobody insists.
PLOY_API int32_t ploy_experts_step(ploy_experts *experts, ploy_trace *trace);

/// Something to be done in the game.
typedef struct ploy_expert_action {
    ploy_name name;
    uint64_t subject; ///< the game's own: a target, a place
} ploy_expert_action;

/// Proposes an action. @param needed a bit for each expert that must agree; 0: it passes at once.
/// @param out  its number for agreeing, until it passes or is withdrawn.
/// @return PLOY_ERR_CAPACITY.
PLOY_API ploy_result ploy_experts_propose(ploy_experts *experts, ploy_expert_action action,
                                          uint32_t needed, int32_t *out);
/// @return PLOY_ERR_NOT_FOUND if there is no such action, PLOY_ERR_ARGUMENT for no such expert.
PLOY_API ploy_result ploy_experts_agree(ploy_experts *experts, int32_t action, int32_t expert);
PLOY_API ploy_result ploy_experts_withdraw(ploy_experts *experts, int32_t action);
/// Takes the oldest action that all have agreed to; each comes out once. @return false if none.
PLOY_API bool ploy_experts_take(ploy_experts *experts, ploy_expert_action *out);

/// Which expert changed a slot last, and in which iteration; -1 if none did.
PLOY_API int32_t ploy_experts_writer(const ploy_experts *experts, ploy_slot slot,
                                     uint64_t *iteration);

PLOY_API void ploy_experts_describe(const ploy_experts *experts, ploy_describe *out);
