/// @file ploy/decide/markov.h
/// Markov processes and Markov state machines: a matrix computes the next vector from the present
/// one.
///
/// A vector holds one number for each state: how safe each sniping point is, how important each
/// behavior is, how likely each kind of weather is. One step of the process multiplies the vector
/// by a matrix: m[i * n + j] is the share of old element i that goes to new element j (row vector
/// times matrix). A machine keeps a vector and applies the matrix of the first triggered
/// transition. After some steps without a transition it applies a default matrix.
///
/// Technique: Millington, "AI for Games", 5.6, with the book's vectors (its listing multiplies in
/// the other order; ployi_markov_step_column does that). The vector of an affine process, which
/// also adds constants, has a last element of 1; make its matrix with ploy_markov_affine.
///
/// Cost: O(n^2) per step. Threads: the plain functions have no state; many threads may use a
/// finished type; a machine takes one caller at a time.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/decide/condition.h"
#include "ploy/exec/maker.h"

/// Maximum number of elements in a vector.
#define PLOY_MARKOV_MAX 4096

/// Computes one step: out = v m. out must not overlap v.
PLOY_API void ploy_markov_step(const double *matrix, int32_t count, const double *v, double *out);
/// Steps v in place until no element changes by more than the tolerance.
/// @return the number of steps, or -1 if v did not settle within max_steps: the process grows,
///         oscillates, or needs longer.
PLOY_API int64_t ploy_markov_settle(const double *matrix, int32_t count, double tolerance,
                                    int64_t max_steps, double *v, double *scratch);
/// Makes the (count + 1)-wide matrix of v m + constants, for vectors whose last element is 1.
PLOY_API void ploy_markov_affine(const double *matrix, int32_t count, const double *constants,
                                 double *out);
/// Fills a matrix with `same` on the diagonal and `other` elsewhere.
PLOY_API void ploy_markov_fill(double *matrix, int32_t count, double same, double other);
/// Learns a matrix from a sequence of `length` states, in which states[k] is followed by states[k +
/// 1]. Each row holds the observed shares, with `prior` added to every count. If prior is 0, a row
/// that was never observed has equal shares.
/// @return PLOY_ERR_ARGUMENT for a state out of range or a prior below 0; nothing is written then.
PLOY_API ploy_result ploy_markov_learn(const int32_t *states, int64_t length, int32_t count,
                                       double prior, double *matrix);
/// Returns the index of the largest element, the first of equals; -1 if all are NaN.
PLOY_API int32_t ploy_markov_largest(const double *v, int32_t count);
/// Draws the next state of a chain from row `state`.
/// @param share  in [0, 1), for instance from ploy_rng_double. Shares below 0 count as 0.
/// @return -1 if the row has nothing to draw.
PLOY_API int32_t ploy_markov_draw(const double *matrix, int32_t count, int32_t state, double share);

// ---- the machine ----

typedef struct ploy_markov_type ploy_markov_type;
typedef struct ploy_markov ploy_markov;

typedef struct ploy_markov_def {
    uint32_t cookie;     ///< set by the default; leave alone
    int32_t count;       ///< elements of the vector
    int32_t reset_steps; ///< steps without a transition until the default matrix; 0: never
    double min, max;     ///< every element is clamped to this range after each matrix
} ploy_markov_def;

PLOY_API ploy_markov_def ploy_markov_def_default(void);
PLOY_API ploy_fields ploy_markov_fields(void);

/// Begins a type. @param layout  as in ploy_conditions_create.
PLOY_API ploy_result ploy_markov_type_create(const ploy_markov_def *def,
                                             const ploy_blackboard_layout *layout,
                                             const ploy_env *env, ploy_markov_type **out);
/// NULL is allowed. Destroy its machines first.
PLOY_API void ploy_markov_type_destroy(ploy_markov_type *type);
/// The conditions that its transitions test; add to them while building.
PLOY_API ploy_conditions *ploy_markov_type_conditions(ploy_markov_type *type);
/// Called when a transition fires; may be NULL.
typedef ploy_result (*ploy_markov_action_fn)(void *user, const ploy_moment *moment);
/// Adds a transition; earlier ones win. The matrix is copied.
PLOY_API ploy_result ploy_markov_type_add(ploy_markov_type *type, const char *id,
                                          ploy_condition condition, const double *matrix,
                                          ploy_markov_action_fn action, void *user);
/// Sets the matrix that is applied after reset_steps steps without a transition.
PLOY_API ploy_result ploy_markov_type_set_default(ploy_markov_type *type, const double *matrix);
/// Sets the initial vector. The default is all zeros.
PLOY_API ploy_result ploy_markov_type_set_initial(ploy_markov_type *type, const double *v);
/// Names an element, for display and for saved machines. A load finds a named element by its name
/// even if the vector was edited, and an unnamed one by its index.
/// @param id  unique, not beginning with '#'.
PLOY_API ploy_result ploy_markov_type_name(ploy_markov_type *type, int32_t element, const char *id);
/// Makes an element an option: its behavior runs while the element is the largest (the first of
/// equals).
PLOY_API ploy_result ploy_markov_type_option(ploy_markov_type *type, int32_t element,
                                             ploy_maker maker);
/// In each step of the behavior, writes the id of the largest element to a key of the layout of
/// type PLOY_VALUE_NAME, so that other techniques can read the state.
PLOY_API ploy_result ploy_markov_type_key(ploy_markov_type *type, const char *key);
/// Ends the building.
/// @return the first fault; PLOY_ERR_STATE if reset_steps is set without a default matrix.
PLOY_API ploy_result ploy_markov_type_finish(ploy_markov_type *type);

/// The element with that id, or -1.
PLOY_API int32_t ploy_markov_type_find(const ploy_markov_type *type, const char *id);

/// @param type  finished; must outlive the machine.
PLOY_API ploy_result ploy_markov_create(const ploy_markov_type *type, const ploy_env *env,
                                        ploy_markov **out);
/// NULL is allowed.
PLOY_API void ploy_markov_destroy(ploy_markov *markov);
/// Runs one step: applies the first triggered transition, or counts down to the default matrix.
/// @param fired  number of the transition, -1 for none, -2 for the default; may be NULL.
/// @return the result of the transition's action.
PLOY_API ploy_result ploy_markov_update(ploy_markov *markov, const ploy_moment *moment,
                                        int32_t *fired);
/// The vector, for the caller to interpret.
PLOY_API const double *ploy_markov_vector(const ploy_markov *markov);
PLOY_API void ploy_markov_describe(const ploy_markov *markov, ploy_describe *out);

/// As a behavior: enter sets the initial vector, each step updates, and the status is always
/// RUNNING. With options, the behavior of the largest element runs and receives the messages, and
/// its status is the machine's. It is interrupted when another element becomes the largest.
PLOY_API ploy_behavior ploy_markov_behavior(ploy_markov *markov);
PLOY_API ploy_maker ploy_markov_type_maker(ploy_markov_type *type);
