/// @file ploy/move/source.h
/// Steering sources: one interface for everything that requests an acceleration.
///
/// A source is a type with pointers to its data: the settings, the target (a point, another agent,
/// a path, a scene) and the state that it keeps from step to step. All of this data is borrowed
/// from the caller: a moving target needs no call, and saving the caller's memory saves the source.
/// Every behavior has functions that make a source, for the plane and for space:
///
///     ploy_steering_source chase;
///     ploy_pursue_source(&pursue, &victim, &env, &chase);
///
/// Combinations (ploy/move/combine.h) and pipelines (ploy/move/pipeline.h) hold sources and are
/// sources themselves. To make a private source, fill in a `ploy_steering_type` and call
/// ploy_steering_source_make.
///
/// Units: metres, seconds, radians. Cost: one indirect call. Threads: as for the behavior; one
/// caller at a time if it has state.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"

/// The input of a source.
typedef struct ploy_steering_context {
    ploy_kinematic agent;   ///< on the plane
    ploy_kinematic3 agent3; ///< in space
    bool spatial;           ///< agent3 is used, not agent
    ploy_agent_id id;       ///< its index numbers the random draws
    float dt;               ///< s
    uint64_t tick;          ///< for random draws
    ploy_rng_key key;       ///< for random draws; separate for every part of a combination
    ploy_steering earlier;  ///< COOPERATE only: the request of the parts before it; else none
    ploy_steering3 earlier3;
    ploy_trace *trace; ///< NULL in production
} ploy_steering_context;

/// A context without a trace, for an agent on the plane or in space.
PLOY_API ploy_steering_context ploy_steering_context_make(ploy_kinematic agent, ploy_agent_id id,
                                                          float dt, uint64_t tick,
                                                          ploy_rng_key key);
PLOY_API ploy_steering_context ploy_steering_context3_make(ploy_kinematic3 agent, ploy_agent_id id,
                                                           float dt, uint64_t tick,
                                                           ploy_rng_key key);

typedef struct ploy_steering_source ploy_steering_source;

/// The data that all sources of one behavior share. Immutable.
typedef struct ploy_steering_type {
    const char *name;
    /// The request on the plane. NULL: the behavior works only in space.
    ploy_steering (*steer)(const ploy_steering_source *source,
                           const ploy_steering_context *context);
    /// The request in space. NULL: the behavior works only on the plane.
    ploy_steering3 (*steer3)(const ploy_steering_source *source,
                             const ploy_steering_context *context);
    /// Visits the state (ploy/base/visit.h). NULL: the behavior has no state.
    void (*visit)(ploy_visit *v, const ploy_steering_source *source);
    size_t state_size; ///< bytes at `state` that steps change; 0: none, or more than one block
    bool turns;        ///< may request an angular acceleration
    bool drawless;     ///< never draws a random number, so it needs no stream
} ploy_steering_type;

/// Anything that steers. All zero: none.
struct ploy_steering_source {
    const ploy_steering_type *type;
    const void *def;    ///< settings, borrowed
    const void *target; ///< the target, borrowed
    const void *other;  ///< a second target, borrowed
    void *state;        ///< kept from step to step; the caller's memory
    int32_t number;     ///< elements at target or other, or the agent's index among them
    bool closed;        ///< for a path of points: the last leads to the first
};

/// Makes a private source. @param type, state  borrowed.
PLOY_API ploy_steering_source ploy_steering_source_make(const ploy_steering_type *type,
                                                        void *state);

/// Returns the request of a source: none if the source has no type, invalid if the type does not
/// support the plane, or space.
PLOY_API ploy_steering ploy_steering_source_steer(const ploy_steering_source *source,
                                                  const ploy_steering_context *context);
PLOY_API ploy_steering3 ploy_steering_source_steer3(const ploy_steering_source *source,
                                                    const ploy_steering_context *context);
/// Visits the state of a source (ploy/base/visit.h). A load needs a source of the same behavior.
PLOY_API void ploy_steering_source_visit(ploy_visit *v, void *source);
/// Writes the type's name, and its state as STATE.
PLOY_API void ploy_steering_source_describe(const ploy_steering_source *source, ploy_describe *out);
