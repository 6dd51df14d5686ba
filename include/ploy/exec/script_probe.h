/// @file ploy/exec/script_probe.h
/// Probes: interfaces through which a running script reports to a debugger, profiler or coverage
/// tool.
///
/// One interface for every language: a program (ploy/decide/program.h) or a Lua script reports each
/// line before it runs, each call, each return and each stop. During the report the probe may read
/// the call stack and the variables of each function; it cannot change them.
///
/// A trace carries the probe: ploy_script_probe_trace() makes a ploy_trace that reports no
/// decisions but carries the probe, so every simulation that passes its trace on can be probed.
/// Probing never changes a result. It costs time, but only while there is a probe.
///
/// ploy_script_profile is a probe that counts: how often each line ran, and the units of each
/// function.
///
/// Cost: one call per line, call, return and stop. Threads: as the trace that carries it.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/trace.h"
#include "ploy/base/writer.h"

/// Maximum size of the text of a variable that is not a plain value, including the final zero.
#define PLOY_SCRIPT_TEXT_MAX 64

typedef enum ploy_script_event {
    PLOY_SCRIPT_LINE,   ///< before a line or statement runs, and where a step continues
    PLOY_SCRIPT_CALL,   ///< a function was entered
    PLOY_SCRIPT_RETURN, ///< a function was left; the place is the caller's
    PLOY_SCRIPT_STOP    ///< the script stopped until its next step, or ended
} ploy_script_event;

/// One function on the call stack.
typedef struct ploy_script_frame {
    const char *function; ///< "" for the statements outside functions
    int32_t line;         ///< 0 if unknown
} ploy_script_frame;

/// Counts of lines and functions; see below.
typedef struct ploy_script_profile ploy_script_profile;

/// One variable.
typedef struct ploy_script_variable {
    const char *name;                ///< of a field of a Lua table: "self.gold", "path[1]"
    ploy_value value;                ///< none if it is not a plain value
    char text[PLOY_SCRIPT_TEXT_MAX]; ///< of a value that is not plain: "list of 3"; otherwise ""
} ploy_script_variable;

/// The functions through which a probe reads a script. Level 0 is the running function.
typedef struct ploy_script_view {
    /// @return false if there is no such level.
    bool (*frame)(const void *self, int32_t level, ploy_script_frame *out);
    /// The variables of a level in scope; level -1: those of the script. A later variable hides an
    /// earlier one of the same name. @return false if there is no such index.
    bool (*variable)(const void *self, int32_t level, int32_t index, ploy_script_variable *out);
    /// Adds the lines that can run to a profile: of a program, or of everything that a Lua state has
    /// loaded. Only during PLOY_SCRIPT_STOP.
    ploy_result (*expect)(const void *self, ploy_script_profile *profile);
} ploy_script_view;

/// A report. Valid only during the call.
typedef struct ploy_script_report {
    ploy_script_event event;
    ploy_agent_id agent;
    const char *script;   ///< the name that it was loaded with
    const char *function; ///< "" for the statements outside functions
    int32_t line, column; ///< from 1; 0 if unknown
    int32_t depth;        ///< of nested calls, from 0
    int64_t units;        ///< units that the script has used so far
    const void *self;     ///< for the view
    const ploy_script_view *view;
} ploy_script_report;

/// Receives reports.
typedef struct ploy_script_probe {
    void (*report)(void *user, const ploy_script_report *report);
    void *user;
} ploy_script_probe;

/// Finds a variable by name: of the level, then of the script. @return false if there is none.
PLOY_API bool ploy_script_find(const ploy_script_report *report, int32_t level, const char *name,
                               ploy_script_variable *out);

/// Returns a trace that carries a probe. @param probe  must outlive the trace.
PLOY_API ploy_trace ploy_script_probe_trace(ploy_script_probe *probe);
/// Returns the probe that a trace carries, for script languages; NULL if there is none, or if the
/// trace is NULL.
PLOY_API ploy_script_probe *ploy_script_probe_of(const ploy_trace *trace);

// ---- counting

/// Creates a profile, which counts over all scripts and agents.
PLOY_API ploy_result ploy_script_profile_create(const ploy_env *env, ploy_script_profile **out);
/// NULL is allowed.
PLOY_API void ploy_script_profile_destroy(ploy_script_profile *profile);
/// Returns the probe to pass to scripts; valid until destroy.
PLOY_API ploy_script_probe *ploy_script_profile_probe(ploy_script_profile *profile);
/// Adds an executable line, so that it is listed even if it never runs.
PLOY_API ploy_result ploy_script_profile_expect(ploy_script_profile *profile, const char *script,
                                                const char *function, int32_t line);

typedef struct ploy_script_profile_line {
    const char *script, *function;
    int32_t line;
    int64_t runs;
} ploy_script_profile_line;

typedef struct ploy_script_profile_function {
    const char *script, *function;
    int64_t calls;
    int64_t units; ///< without those of the functions it called
} ploy_script_profile_function;

/// The lines by script and number, the functions by units, most first.
/// @return false if there is no such index.
PLOY_API bool ploy_script_profile_line_at(const ploy_script_profile *profile, int32_t index,
                                          ploy_script_profile_line *out);
PLOY_API bool ploy_script_profile_function_at(const ploy_script_profile *profile, int32_t index,
                                              ploy_script_profile_function *out);
/// Returns PLOY_OK, or PLOY_ERR_MEMORY if something could not be counted.
PLOY_API ploy_result ploy_script_profile_result(const ploy_script_profile *profile);
/// Writes one line for each script's coverage and each function, then the lines that never ran.
PLOY_API void ploy_script_profile_print(const ploy_script_profile *profile, ploy_writer *out);
