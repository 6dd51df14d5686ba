/// @file ploy/base/trace.h
/// Trace: the reasons for a decision. A decision reports what it considered, what won, what lost
/// and by how much.
///
/// The step context carries a `ploy_trace *`, NULL in production; every call below does nothing for
/// NULL. Tracing never changes a result: "why at tick T" is tick T executed again with a trace.
/// Decisions nest: a leaf's decision is inside the decision of its tree.
#pragma once

#include "ploy/base/value.h"

typedef enum ploy_outcome {
    PLOY_OUTCOME_WON,      ///< chosen, or contributed
    PLOY_OUTCOME_LOST,     ///< possible, but another was better
    PLOY_OUTCOME_REJECTED, ///< not possible; reported with the reason
    PLOY_OUTCOME_SKIPPED   ///< not considered: already decided, or no budget left
} ploy_outcome;

/// "won", "lost", "rejected", "skipped".
PLOY_API const char *ploy_outcome_text(ploy_outcome outcome);

typedef struct ploy_trace {
    /// Begins a decision: the agent that decides, what is decided ("steer", "target"), and the
    /// technique.
    void (*begin)(void *user, ploy_id agent, const char *topic, const char *technique);
    /// One alternative: its score (larger is better; NaN if it has none) and the reason for its
    /// outcome.
    void (*option)(void *user, const char *name, ploy_outcome outcome, double score,
                   const char *reason);
    /// A value that influenced the decision.
    void (*value)(void *user, const char *name, const ploy_value *value);
    /// A whole sentence for human readers.
    void (*note)(void *user, const char *text);
    void (*end)(void *user);
    void *user;
} ploy_trace;

/// Each calls the sink's function of that name; NULL does nothing.
PLOY_API void ploy_trace_begin(ploy_trace *trace, ploy_agent_id agent, const char *topic,
                               const char *technique);
PLOY_API void ploy_trace_option(ploy_trace *trace, const char *name, ploy_outcome outcome,
                                double score, const char *reason);
PLOY_API void ploy_trace_value(ploy_trace *trace, const char *name, const ploy_value *value);
PLOY_API void ploy_trace_f32(ploy_trace *trace, const char *name, float value);
PLOY_API void ploy_trace_i64(ploy_trace *trace, const char *name, int64_t value);
PLOY_API void ploy_trace_vec2(ploy_trace *trace, const char *name, float x, float y);
PLOY_API void ploy_trace_text(ploy_trace *trace, const char *name, const char *value);
PLOY_API void ploy_trace_note(ploy_trace *trace, const char *text);
PLOY_API void ploy_trace_end(ploy_trace *trace);
