/// @file ploy/decide/fuzzy_fsm.h
/// Fuzzy state machines: a character is in several states at once, each to a degree.
///
/// The definition names states and transitions; a transition is triggered by a condition and moves
/// degrees to its targets, limited by its degree of transition (DOT). The game decides how to use
/// the degrees: blend, take the highest, feed a fuzzy system.
///
/// One step: the active states, highest degree first, each fire their first triggered transition:
/// every target rises to min(degree, DOT), the source falls to 1 - the largest DOT. A state that
/// becomes active waits for the next step. By default, later states see the changes of earlier
/// ones; with `simultaneous`, all are computed from the degrees at the start. If a transition
/// targets its own state, only the fall is left out for that target.
///
/// Technique: Millington, "AI for Games", 5.5.7. Cost of a step: O(states x transitions), nothing
/// allocates. Threads: a finished type may be used by many threads; an instance takes one caller at
/// a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

typedef struct ploy_fuzzy_fsm_type ploy_fuzzy_fsm_type;
typedef struct ploy_fuzzy_fsm ploy_fuzzy_fsm;

/// Most states, and most targets of one transition.
#define PLOY_FUZZY_FSM_STATES_MAX 4096
#define PLOY_FUZZY_FSM_TARGETS_MAX 8

typedef struct ploy_fuzzy_fsm_def {
    uint32_t cookie;   ///< set by the default; leave alone
    bool simultaneous; ///< all transitions see the degrees at the start of the step
} ploy_fuzzy_fsm_def;

PLOY_API ploy_fuzzy_fsm_def ploy_fuzzy_fsm_def_default(void);
PLOY_API ploy_fields ploy_fuzzy_fsm_fields(void);

typedef struct ploy_fuzzy_fsm_transition {
    int32_t from;
    ploy_condition condition; ///< none: always
    /// How strongly the transition is triggered, 0 to 1; its DOTs are multiplied by this. At 0 and
    /// below, and at NaN, it is not triggered. None: 1 while the condition holds.
    ploy_score degree;
    int32_t target_count;
    int32_t targets[PLOY_FUZZY_FSM_TARGETS_MAX];
    double dots[PLOY_FUZZY_FSM_TARGETS_MAX]; ///< of each target, 0 to 1
} ploy_fuzzy_fsm_transition;

/// A transition to one state.
PLOY_API ploy_fuzzy_fsm_transition ploy_fuzzy_fsm_transition_make(int32_t from,
                                                                  ploy_condition condition,
                                                                  int32_t to, double dot);

/// Creates an empty type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_fuzzy_fsm_type_create(const ploy_fuzzy_fsm_def *def,
                                                const ploy_blackboard_layout *layout,
                                                const ploy_env *env, ploy_fuzzy_fsm_type **out);
/// NULL is allowed. Destroy its instances first.
PLOY_API void ploy_fuzzy_fsm_type_destroy(ploy_fuzzy_fsm_type *type);
/// Returns the set of conditions that the transitions test; add to it while building.
PLOY_API ploy_conditions *ploy_fuzzy_fsm_type_conditions(ploy_fuzzy_fsm_type *type);
/// Adds a state. @param initial  its degree at the start. @return its number, or -1 after a fault.
PLOY_API int32_t ploy_fuzzy_fsm_type_state(ploy_fuzzy_fsm_type *type, const char *id,
                                           double initial);
/// Adds a transition, tested after those already added.
PLOY_API ploy_result ploy_fuzzy_fsm_type_add(ploy_fuzzy_fsm_type *type,
                                             const ploy_fuzzy_fsm_transition *transition);
/// Finishes the type. @return the first fault.
PLOY_API ploy_result ploy_fuzzy_fsm_type_finish(ploy_fuzzy_fsm_type *type);
PLOY_API int32_t ploy_fuzzy_fsm_type_count(const ploy_fuzzy_fsm_type *type);
/// The state's id; "" out of range.
PLOY_API const char *ploy_fuzzy_fsm_type_id(const ploy_fuzzy_fsm_type *type, int32_t state);

/// @param type  finished; must outlive the instance.
PLOY_API ploy_result ploy_fuzzy_fsm_create(const ploy_fuzzy_fsm_type *type, const ploy_env *env,
                                           ploy_fuzzy_fsm **out);
/// NULL is allowed.
PLOY_API void ploy_fuzzy_fsm_destroy(ploy_fuzzy_fsm *fsm);
/// Runs one step. Reports the transitions that fired to the context's trace.
PLOY_API void ploy_fuzzy_fsm_step(ploy_fuzzy_fsm *fsm, const ploy_moment *moment);
/// The state's degree; 0 for a state that is not active or does not exist.
PLOY_API double ploy_fuzzy_fsm_degree(const ploy_fuzzy_fsm *fsm, int32_t state);
/// All degrees, one for each state.
PLOY_API void ploy_fuzzy_fsm_describe(const ploy_fuzzy_fsm *fsm, ploy_describe *out);

/// Returns the instance as a behavior: enter sets the initial degrees; each step runs one step and
/// returns RUNNING.
PLOY_API ploy_behavior ploy_fuzzy_fsm_behavior(ploy_fuzzy_fsm *fsm);
PLOY_API ploy_maker ploy_fuzzy_fsm_type_maker(ploy_fuzzy_fsm_type *type);
