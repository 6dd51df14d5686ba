/// @file ploy/move/source.h
/// Steering sources: the one interface of everything that requests an acceleration.
///
/// A source is a type and what it works with: settings, what it steers by (a point, another agent,
/// a path, a scene) and the state that it keeps from step to step. All of that is the caller's
/// memory and is only borrowed, so a target that moves needs no call, and saving the caller's
/// memory saves the source. Every behavior has a function that makes one, for the plane and for
/// space:
///
///     ploy_steering_source chase;
///     ploy_pursue_source(&pursue, &victim, &env, &chase);
///
/// Combinations (ploy/move/combine.h) and pipelines (ploy/move/pipeline.h) hold sources and are
/// sources themselves. A private source is a `ploy_steering_type` with a function, and
/// ploy_steering_source_make.
///
/// Units: metres, seconds, radians. Cost: one indirect call. Threads: as the behavior; one caller
/// at a time if it has state.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/move/kinematic.h"

/// What a source is given.
typedef struct ploy_steering_context {
    ploy_kinematic agent;   ///< on the plane
    ploy_kinematic3 agent3; ///< in space
    bool spatial;           ///< agent3 counts, not agent
    ploy_agent_id id;       ///< its index numbers the random draws
    float dt;               ///< s
    uint64_t tick;          ///< for random draws
    ploy_rng_key key;       ///< for random draws; every part of a combination has a separate one
    ploy_steering earlier;  ///< of COOPERATE: requested by the parts before it; else none
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

/// What all sources of one behavior share. Immutable.
typedef struct ploy_steering_type {
    const char *name;
    /// The request on the plane. NULL: a behavior of space only.
    ploy_steering (*steer)(const ploy_steering_source *source,
                           const ploy_steering_context *context);
    /// The request in space. NULL: a behavior of the plane only.
    ploy_steering3 (*steer3)(const ploy_steering_source *source,
                             const ploy_steering_context *context);
    /// Visits the state (ploy/base/visit.h). NULL: there is none.
    void (*visit)(ploy_visit *v, const ploy_steering_source *source);
    size_t state_size; ///< bytes at `state` that steps change; 0: none, or more than one block
    bool turns;        ///< may request an angular acceleration
    bool drawless;     ///< never draws a random number, so it needs no stream
} ploy_steering_type;

/// Anything that steers. All zero: none.
struct ploy_steering_source {
    const ploy_steering_type *type;
    const void *def;    ///< settings, borrowed
    const void *target; ///< what it steers by, borrowed
    const void *other;  ///< a second such thing
    void *state;        ///< what it keeps from step to step: the caller's
    int32_t number;     ///< elements at target or other, or the agent's index among them
    bool closed;        ///< of a path given as points: the last leads to the first
};

/// A private source. @param type, state  borrowed.
PLOY_API ploy_steering_source ploy_steering_source_make(const ploy_steering_type *type,
                                                        void *state);

/// The request of a source. None without a type; invalid if the type does not serve the plane, or
/// space.
PLOY_API ploy_steering ploy_steering_source_steer(const ploy_steering_source *source,
                                                  const ploy_steering_context *context);
PLOY_API ploy_steering3 ploy_steering_source_steer3(const ploy_steering_source *source,
                                                    const ploy_steering_context *context);
/// Visits the state of a source (ploy/base/visit.h). A load needs a source of the same behavior.
PLOY_API void ploy_steering_source_visit(ploy_visit *v, void *source);
/// The type's name, and its state as STATE.
PLOY_API void ploy_steering_source_describe(const ploy_steering_source *source, ploy_describe *out);
