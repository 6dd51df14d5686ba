/// @file ploy/world/sense_memory.h
/// Sensory memory: what a character remembers of the others it has sensed.
///
/// Without it a guard forgets an intruder as soon as a pillar hides it. With it, the guard knows
/// which agents it sensed in the last seconds, where they were, how long they were in view and for
/// how long they have been out of view. Queries need no line-of-sight test.
///
/// Technique: Buckland, "Programming Game AI by Example", sensory memory. Differs in that memory is
/// bounded (the agent sensed longest ago is replaced), that an agent never sensed takes no space,
/// that certainty may fade, and that a character that died and was spawned again is unknown.
///
/// Units: seconds, metres. Cost: O(records) for each call, a few dozen at most; no allocation after
/// create. Threads: one caller at a time for each memory.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/world/sense.h"
#include "ploy/world/sight.h"
#include "ploy/world/sight_batch.h"

/// Opaque.
typedef struct ploy_sense_memory ploy_sense_memory;

/// Settings, shared by similar characters; copied by create.
typedef struct ploy_sense_memory_def {
    uint32_t cookie;
    int32_t capacity;    ///< maximum number of others remembered
    float span;          ///< s; sensed up to this long ago is recent, longer ago is forgotten
    float half_life;     ///< s in which certainty halves; 0: certain to the end of the span
    bool heard_position; ///< a sound reveals its source even out of sight
} ploy_sense_memory_def;

/// What is remembered about one other agent. A time is -INFINITY if it never happened.
typedef struct ploy_sense_record {
    ploy_agent_id agent;
    double last_sensed;    ///< s, seen or otherwise
    double became_visible; ///< s, start of the current or last period in view
    double last_visible;   ///< s
    ploy_vec3 position;    ///< where it was when last sensed
    float visibility;      ///< of the last look, 0 to 1
    bool has_position;     ///< position was ever known
    bool visible;          ///< in view at the last look
    bool shootable;        ///< nothing was in between at the last look
} ploy_sense_record;

PLOY_API ploy_sense_memory_def ploy_sense_memory_def_default(void);
PLOY_API ploy_fields ploy_sense_memory_fields(void);
/// @param owner  the agent that remembers; never remembers itself.
PLOY_API ploy_result ploy_sense_memory_create(const ploy_sense_memory_def *def, ploy_agent_id owner,
                                              const ploy_env *env, ploy_sense_memory **out);
/// NULL is allowed.
PLOY_API void ploy_sense_memory_destroy(ploy_sense_memory *memory);

/// Records a look at another agent: in view and in the line of sight, or one of them, or neither.
/// The agent is sensed only if both hold. A position that is not finite, or no agent, changes
/// nothing.
/// @param visibility  0 to 1, kept for queries.
PLOY_API void ploy_sense_memory_look(ploy_sense_memory *memory, ploy_agent_id other,
                                     ploy_vec3 position, bool in_view, bool in_line,
                                     float visibility, double now);
/// Records a look from the result of a sight test: seen counts as in view and in line, outside the
/// cone as not in view with the line unchanged, everything else as neither.
PLOY_API void ploy_sense_memory_sight(ploy_sense_memory *memory, ploy_agent_id other,
                                      ploy_vec3 position, const ploy_sight *sight, double now);
/// Records a sound, smell or touch of another agent.
/// @param in_line  whether the line of sight is clear: then the agent is shootable, and its
/// position known.
PLOY_API void ploy_sense_memory_hear(ploy_sense_memory *memory, ploy_agent_id other,
                                     ploy_vec3 position, bool in_line, double now);
/// Records a percept of the owner: sight as a look, everything else as a sound out of the line of
/// sight. A percept without a source changes nothing.
PLOY_API void ploy_sense_memory_percept(ploy_sense_memory *memory, const ploy_percept *percept,
                                        const ploy_modalities *modalities);

/// Drops all records older than the span. Does not change the results of queries.
PLOY_API void ploy_sense_memory_forget(ploy_sense_memory *memory, double now);
PLOY_API void ploy_sense_memory_clear(ploy_sense_memory *memory);

/// Returns the record of another agent, forgotten or not; NULL if there is none. Valid until the
/// next change.
PLOY_API const ploy_sense_record *ploy_sense_memory_get(const ploy_sense_memory *memory,
                                                        ploy_agent_id other);
PLOY_API int32_t ploy_sense_memory_count(const ploy_sense_memory *memory);
/// Returns a record by index, in ascending order of agent id; NULL out of range.
PLOY_API const ploy_sense_record *ploy_sense_memory_at(const ploy_sense_memory *memory,
                                                       int32_t index);
/// Lists the agents sensed recently, in ascending order of id. @return how many, which may be more
/// than capacity.
PLOY_API int32_t ploy_sense_memory_recent(const ploy_sense_memory *memory, double now,
                                          ploy_agent_id *out, int32_t capacity);
/// Gets the last known position of another agent. @return false, leaving out unchanged, if it is
/// not known.
PLOY_API bool ploy_sense_memory_position(const ploy_sense_memory *memory, ploy_agent_id other,
                                         ploy_vec3 *out);
/// s since the agent was sensed, and since it was in view; INFINITY if it never was.
PLOY_API double ploy_sense_memory_time_out_of_view(const ploy_sense_memory *memory,
                                                   ploy_agent_id other, double now);
/// How reliable the memory is: 1 when sensed now, halved with each half-life, 0 when forgotten or
/// never sensed.
PLOY_API float ploy_sense_memory_certainty(const ploy_sense_memory *memory, ploy_agent_id other,
                                           double now);

/// Visits a ploy_sense_memory (ploy/base/visit.h). The owner must be the same after a load.
PLOY_API void ploy_sense_memory_visit(ploy_visit *v, void *memory);
PLOY_API void ploy_sense_memory_describe(const ploy_sense_memory *memory, ploy_describe *out);
/// Draws ghosts at the last known positions of agents that are remembered but out of view, fading
/// with certainty.
PLOY_API void ploy_sense_memory_draw(const ploy_sense_memory *memory, double now, ploy_draw *out);
PLOY_API void ploy_sense_memory_memory(const ploy_sense_memory *memory, ploy_memory_fn fn,
                                       void *user);
