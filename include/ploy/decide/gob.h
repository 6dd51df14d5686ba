/// @file ploy/decide/gob.h
/// Goal-oriented behavior: motives, the actions that relieve them, and the choice between actions.
///
/// A motive is the strength of a need, 0 for content: hunger, boredom. An action changes one or
/// more motives and takes time. Four methods of choice:
///
///     simple    the largest motive, then the action that lowers it most: quick, blind to harm
///     hasty     the same, less a penalty for the time that an action takes
///     overall   the action after which discontentment is least: the sum of weighted powers of all
///               motives, squares by default, so that one large motive outweighs many small
///     timed     the same, with every motive grown by its rate while the action lasts
///
/// Ties go to the first action, or to a random one. Motives never fall below 0 nor rise above their
/// maximum. Technique: Millington, "AI for Games", 5.7; planning over several actions is in
/// ploy/decide/goap.h, following smells in ploy/world/smell.h.
///
/// Motives and actions are plain data of the caller. Cost: simple O(motives + actions), the others
/// O(motives x actions); only offers allocate. Threads: pure functions.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"

/// A need of a character.
typedef struct ploy_motive {
    const char *name; ///< for people; borrowed
    float value;      ///< insistence, 0 to max; 0: content
    float rate;       ///< growth per second (or per unit of durations)
    float weight;     ///< of its discontentment
    float exponent;   ///< of its discontentment: 2; 3 or more for vital needs
    float max;        ///< INFINITY: none
} ploy_motive;

/// Weight 1, exponent 2, no rate, no maximum.
PLOY_API ploy_motive ploy_motive_make(const char *name, float value);

/// An action that a character can take.
typedef struct ploy_gob_action {
    const char *name;     ///< for people; borrowed
    const float *changes; ///< one for each motive
    float duration;       ///< including the approach and necessary follow-ups, 0 or more
    int32_t label;        ///< the caller's own value
    ploy_id object;       ///< the object that offers it, or none
} ploy_gob_action;

typedef enum ploy_gob_mode {
    PLOY_GOB_SIMPLE,
    PLOY_GOB_HASTY,
    PLOY_GOB_OVERALL,
    PLOY_GOB_TIMED
} ploy_gob_mode;

/// How to choose.
typedef struct ploy_gob_def {
    uint32_t cookie;
    ploy_gob_mode mode;
    float time_penalty;  ///< of hasty: utility lost for each unit of duration
    bool drift_affected; ///< of timed: motives that the action changes also grow
    bool random_ties;    ///< a random one of the best, not the first
    float least;         ///< of simple and hasty: least relief; below it no action is chosen
} ploy_gob_def;

PLOY_API ploy_gob_def ploy_gob_def_default(void);
PLOY_API ploy_fields ploy_gob_fields(void);

/// Insistence of a motive after a change and a time; clamped to 0 and its maximum.
PLOY_API float ploy_motive_after(const ploy_motive *motive, float change, float time);
/// Advances time: every motive grows by its rate.
PLOY_API void ploy_motives_step(ploy_motive *motives, int32_t count, float time);

/// Score of an action for the method of choice; larger is better. For simple and hasty: the relief
/// of the largest motive; for the others: minus the discontentment after the action.
PLOY_API float ploy_gob_score(const ploy_gob_def *def, const ploy_motive *motives,
                              int32_t motive_count, const ploy_gob_action *action);

/// Chooses an action. @param rng  for random ties; NULL: the first. @param score  score of the
/// chosen action; may be NULL.
/// @param trace  may be NULL. @return the action's index, -1 if none is chosen.
PLOY_API int32_t ploy_gob_choose(const ploy_gob_def *def, const ploy_motive *motives,
                                 int32_t motive_count, const ploy_gob_action *actions,
                                 int32_t action_count, ploy_rng *rng, ploy_trace *trace,
                                 ploy_agent_id agent, float *score);

/// An estimate of an unknown rate of a motive, by a recency-weighted average. Plain data, initially
/// zero.
typedef struct ploy_gob_rate {
    float estimate;
    float last;      ///< value at the last step
    float own;       ///< changes by own actions since then, excluded from the estimate
    int32_t started; ///< 0 before the first step
} ploy_gob_rate;

/// Updates the estimate with the motive's value after `time`. @param keep  share of the old
/// estimate, such as 0.95.
PLOY_API void ploy_gob_rate_step(ploy_gob_rate *rate, float value, float time, float keep);
/// Reports a change by the character's own action, so that it does not count as drift.
PLOY_API void ploy_gob_rate_own(ploy_gob_rate *rate, float change);

/// Actions that the objects of the world offer, collected before choosing. Set up with
/// ploy_gob_offers_init; read through ploy_gob_offers_get.
typedef struct ploy_gob_offers {
    ploy_array actions; ///< ploy_gob_action
    ploy_array changes; ///< float, motive_count for each action
    int32_t motive_count;
} ploy_gob_offers;

PLOY_API void ploy_gob_offers_init(ploy_gob_offers *offers, int32_t motive_count,
                                   const ploy_env *env);
PLOY_API void ploy_gob_offers_fini(ploy_gob_offers *offers);
/// Removes the offers and keeps the memory.
PLOY_API void ploy_gob_offers_clear(ploy_gob_offers *offers);
/// Adds an offer; its changes are copied. @return PLOY_ERR_ARGUMENT for a negative duration or a
/// number that is not finite, PLOY_ERR_MEMORY; nothing is then added.
PLOY_API ploy_result ploy_gob_offers_add(ploy_gob_offers *offers, const ploy_gob_action *action);

/// Adds what an object offers to a character now, by any number of calls of ploy_gob_offers_add.
typedef ploy_result (*ploy_gob_offer_fn)(void *user, ploy_id object, ploy_agent_id character,
                                         ploy_gob_offers *out);
/// Calls fn for each of the objects. @return the first error; earlier offers stay.
PLOY_API ploy_result ploy_gob_offers_ask(ploy_gob_offers *offers, const ploy_id *objects,
                                         int32_t count, ploy_agent_id character,
                                         ploy_gob_offer_fn fn, void *user);
/// The offers, valid until the next change. @param count  how many.
PLOY_API const ploy_gob_action *ploy_gob_offers_get(ploy_gob_offers *offers, int32_t *count);
