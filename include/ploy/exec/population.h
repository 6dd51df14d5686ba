/// @file ploy/exec/population.h
/// Population on demand: a city of thousands, in which only the people who may be seen exist.
///
/// A table gives the number of people outdoors in each district at each time of day. Where the
/// player looks, that many are created; out of sight there are none. Who they are follows from
/// district and number alone: number 7 of the harbour has the same face, age and purse whenever the
/// player comes by, without being remembered. What happened to a person can be stored, and is
/// available when that person returns.
///
/// No person appears or vanishes in plain sight: those that come to a district in view are marked
/// as arriving, to be put at its edge; surplus people are asked to leave, and are removed when out
/// of view or when the game removes them.
///
/// Only ambient people are scaled to what the machine can afford (`scale`, see ploy_ambient_scale);
/// named story characters exist whenever their district is in view. Techniques: top-down simulation
/// and population on demand; Millington, "AI for Games", 3rd ed. 2019, chapters 2 and 10. Their
/// properties: ploy/exec/distribution.h.
///
/// Cost: a step is O(districts + people there + named); it allocates nothing.
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/base/visit.h"

typedef struct ploy_population_def {
    uint32_t cookie;
    int32_t capacity;    ///< most people at once, named ones included
    int32_t regions;     ///< districts
    int32_t times;       ///< columns of the table, evenly over the day
    float day_length;    ///< s
    int32_t records;     ///< people whose story can be stored
    int32_t record_size; ///< bytes of a stored story
    uint64_t seed;       ///< what the people's keys come from
    /// flow[region * times + time]: people outdoors at that time, 0 or more; interpolated between
    /// columns, and from the last back to the first. Copied.
    const float *flow;
} ploy_population_def;

PLOY_API ploy_population_def ploy_population_def_default(void);
PLOY_API ploy_fields ploy_population_fields(void);

/// Opaque.
typedef struct ploy_population ploy_population;

/// @return PLOY_ERR_ARGUMENT for a setting out of range or a table with a number that is negative
///         or not finite; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_population_create(const ploy_population_def *def, const ploy_env *env,
                                            ploy_population **out);
/// NULL is allowed.
PLOY_API void ploy_population_destroy(ploy_population *population);

/// The identity of a person: district and number in it; a named one has number -1 - its order.
typedef struct ploy_person {
    int32_t region;
    int32_t number;
} ploy_person;

/// A person who exists now.
typedef struct ploy_inhabitant {
    ploy_id id; ///< of the slot in the population's table; a new one each time the person appears
    ploy_person who;
    uint64_t token; ///< of a named one: the game's own number; else 0
    bool named;
    bool arriving; ///< its district was already in view: place it at the edge
    bool leaving;  ///< surplus: let it walk away, then remove it
} ploy_inhabitant;

/// Adjusts the people to the table.
/// @param now  s; the time of day is its remainder by day_length.
/// @param visible  one byte for each district: not 0 if it may be seen.
/// @param scale  0 to 1: share of the ambient crowd that may exist.
/// @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_population_step(ploy_population *population, double now,
                                          const uint8_t *visible, float scale);

/// Existing people: [0, count), in no particular order; their indices change in a step.
PLOY_API int32_t ploy_population_count(const ploy_population *population);
PLOY_API ploy_result ploy_population_at(const ploy_population *population, int32_t index,
                                        ploy_inhabitant *out);
/// @return PLOY_ERR_NOT_FOUND if that person is gone.
PLOY_API ploy_result ploy_population_get(const ploy_population *population, ploy_id id,
                                         ploy_inhabitant *out);
/// Call when a person who was asked to leave is out of sight. @return PLOY_ERR_NOT_FOUND;
/// PLOY_ERR_STATE for a person who was not asked.
PLOY_API ploy_result ploy_population_remove(ploy_population *population, ploy_id id);

/// Who was created in the last step, and who was removed in it; NULL out of range.
PLOY_API int32_t ploy_population_born_count(const ploy_population *population);
PLOY_API int32_t ploy_population_gone_count(const ploy_population *population);

/// The key that a person's properties are drawn with: (key, person's number, draw).
PLOY_API ploy_rng_key ploy_population_key(const ploy_population *population, ploy_person who);

/// Stores what must be remembered about a person, record_size bytes. If there is no room, the
/// oldest record is dropped. @return PLOY_ERR_ARGUMENT, PLOY_ERR_UNSUPPORTED without room.
PLOY_API ploy_result ploy_population_store(ploy_population *population, ploy_person who,
                                           const void *record);
/// @return PLOY_ERR_NOT_FOUND if nothing is stored for that person.
PLOY_API ploy_result ploy_population_recall(const ploy_population *population, ploy_person who,
                                            void *record);

/// Visits a ploy_population (ploy/base/visit.h): people keep their ids, and stored records stay.
/// Who came and went in the last step is not in a file.
PLOY_API void ploy_population_visit(ploy_visit *v, void *population);
PLOY_API void ploy_population_describe(const ploy_population *population, ploy_describe *out);
PLOY_API void ploy_population_memory(const ploy_population *population, ploy_memory_fn fn,
                                     void *user);

/// How many ambient people the machine can afford, from the cost of thinking. Units are counted, so
/// that a replay scales in the same way.
typedef struct ploy_ambient_def {
    uint32_t cookie;
    float target; ///< part of the allowed units that should be spent
    float rise;   ///< largest growth of the scale, 1/s
    float fall;   ///< largest fall of the scale, 1/s
    float min;    ///< least scale
} ploy_ambient_def;

PLOY_API ploy_ambient_def ploy_ambient_def_default(void);
PLOY_API ploy_fields ploy_ambient_fields(void);

/// The next scale.
/// @param scale  the last one; @param spent and @param allowed units of the last step. Falls in
///              proportion to the overrun, rises slowly below the target; always within min to 1.
PLOY_API float ploy_ambient_scale(const ploy_ambient_def *def, float scale, int64_t spent,
                                  int64_t allowed, float dt);
