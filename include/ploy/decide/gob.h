/// @file ploy/decide/gob.h
/// Goal-oriented behavior: motives that press, actions that relieve them, and the choice between.
///
/// A motive is a number for the strength of a need, 0 for content: hunger, boredom. An
/// action changes motives, perhaps several, and takes time. Four methods of choice:
///
///     simple    the largest motive, then the action that lowers it most: quick, blind to harm
///     hasty     the same, less a penalty for the time that an action takes
///     overall   the action after which discontentment is least: the sum of weighted powers of all
///               motives, squares unless told otherwise, so that one large outweighs many small
///     timed     the same, with every motive grown by its rate while the action lasts
///
/// Ties go to the first action, or to any of them by a draw. Motives never fall below 0 nor rise
/// above their maximum. Technique: Millington, "AI for Games", 5.7; planning over several actions
/// is in ploy/decide/goap.h, following smells in ploy/world/smell.h.
///
/// Motives and actions are plain data of the caller. Cost: simple O(motives + actions), the others
/// O(motives x actions); nothing allocates but offers. Threads: pure.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"

/// A need of a character.
typedef struct ploy_motive {
    const char *name; ///< for people; borrowed
    float value;      ///< insistence, 0 to max; 0: content
    float rate;       ///< growth a second (or whatever unit durations have)
    float weight;     ///< of its discontentment
    float exponent;   ///< of its discontentment: 2; 3 and more for what is vital
    float max;        ///< INFINITY: none
} ploy_motive;

/// Weight 1, exponent 2, no rate, no maximum.
PLOY_API ploy_motive ploy_motive_make(const char *name, float value);

/// Something that a character can do.
typedef struct ploy_gob_action {
    const char *name;     ///< for people; borrowed
    const float *changes; ///< one for each motive
    float duration;       ///< including the approach and what must follow, 0 or more
    int32_t label;        ///< the caller's
    ploy_id object;       ///< what offers it, or none
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
    bool drift_affected; ///< of timed: motives that the action changes grow too
    bool random_ties;    ///< any of the best, not the first
    float least;         ///< of simple and hasty: no action unless it relieves this much
} ploy_gob_def;

PLOY_API ploy_gob_def ploy_gob_def_default(void);
PLOY_API ploy_fields ploy_gob_fields(void);

/// Insistence of a motive after a change and so much time; within 0 and its maximum.
PLOY_API float ploy_motive_after(const ploy_motive *motive, float change, float time);
/// Discontentment of all at their present values.
PLOY_API float ploy_motives_discontentment(const ploy_motive *motives, int32_t count);
/// Time passes: every motive grows by its rate.
PLOY_API void ploy_motives_step(ploy_motive *motives, int32_t count, float time);

/// What an action is worth to the method of choice; larger is better. Of simple and hasty: how much
/// the pressing motive is relieved; of the others: minus the discontentment after it.
PLOY_API float ploy_gob_score(const ploy_gob_def *def, const ploy_motive *motives,
                              int32_t motive_count, const ploy_gob_action *action);

/// Chooses. @param rng  for random ties; NULL: the first. @param score  of the chosen; may be NULL.
/// @param trace  may be NULL. @return the action's index, -1 if there is none to take.
PLOY_API int32_t ploy_gob_choose(const ploy_gob_def *def, const ploy_motive *motives,
                                 int32_t motive_count, const ploy_gob_action *actions,
                                 int32_t action_count, ploy_rng *rng, ploy_trace *trace,
                                 ploy_agent_id agent, float *score);

/// For huge populations: goals that are on or off. The action that fulfils most of the active ones,
/// less those it breaks; the first of equals. @return -1 if none fulfils more than it breaks.
PLOY_API int32_t ploy_gob_choose_bits(uint64_t wanted, const uint64_t *fulfils,
                                      const uint64_t *breaks, int32_t count);

/// An estimate of a motive's rate where none is known, by a recency-weighted average. Plain data,
/// zero at first.
typedef struct ploy_gob_rate {
    float estimate;
    float last;      ///< value at the last look
    float own;       ///< changes by own actions since then, left out of the estimate
    int32_t started; ///< 0 before the first look
} ploy_gob_rate;

/// Looks at a motive after `time`. @param keep  share of the old estimate, such as 0.95.
PLOY_API void ploy_gob_rate_step(ploy_gob_rate *rate, float value, float time, float keep);
/// Says that an own action changed the value, so that it does not count as drift.
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
/// Forgets the offers and keeps the memory.
PLOY_API void ploy_gob_offers_clear(ploy_gob_offers *offers);
/// Adds an offer; its changes are copied. @return PLOY_ERR_ARGUMENT for a negative duration or a
/// number that is not finite, PLOY_ERR_MEMORY; nothing is added then.
PLOY_API ploy_result ploy_gob_offers_add(ploy_gob_offers *offers, const ploy_gob_action *action);

/// What an object offers to a character in the present world: any number of ploy_gob_offers_add.
typedef ploy_result (*ploy_gob_offer_fn)(void *user, ploy_id object, ploy_agent_id character,
                                         ploy_gob_offers *out);
/// Asks each of the objects. @return the first error; what was offered before it stays.
PLOY_API ploy_result ploy_gob_offers_ask(ploy_gob_offers *offers, const ploy_id *objects,
                                         int32_t count, ploy_agent_id character,
                                         ploy_gob_offer_fn fn, void *user);
/// The offers, valid until the next change. @param count  how many.
PLOY_API const ploy_gob_action *ploy_gob_offers_get(ploy_gob_offers *offers, int32_t *count);
