/// @file ploy/inspect/debugger.h
/// A debugger for scripts: breakpoints with conditions, watches, locals, the call stack, and steps
/// in, over, out and back. For programs (ploy/decide/program.h) and for Lua.
///
/// It never stops the game. A query names a tick of a recorder and a line in it; the debugger
/// executes that tick again with a probe (ploy/exec/script_probe.h), followed by later ticks if the
/// move needs them, and returns where the script would have stopped. The next query starts there.
/// Stepping back is a query for an earlier line. Coverage and the profile by function are a query
/// too: it executes a number of ticks and counts.
///
/// The lines that run in a tick are numbered in their order, across all scripts and agents.
/// Conditions and watches are expressions (ploy/decide/expression.h) over the variables that are
/// visible at the stop; a watch that is a plain name may have any type.
///
/// Cost: each slice copies the simulation's state once; a query executes the ticks that it
/// searches, and one more to show the stop. Threads: one caller at a time.
#pragma once

#include "ploy/base/json_writer.h"
#include "ploy/exec/script_probe.h"
#include "ploy/inspect/recorder.h"

/// Maximum number of breakpoints, and of watches, of a query.
#define PLOY_DEBUG_BREAKS_MAX 64
#define PLOY_DEBUG_WATCHES_MAX 64

typedef enum ploy_debug_move {
    PLOY_DEBUG_STAY,     ///< show the line `at`
    PLOY_DEBUG_CONTINUE, ///< to the next breakpoint
    PLOY_DEBUG_IN,       ///< to the next line of the agent
    PLOY_DEBUG_OVER,     ///< the same, but not inside a function that is called
    PLOY_DEBUG_OUT,      ///< to the next line of the caller
    PLOY_DEBUG_BACK,     ///< to the line before, not inside a function that was called
    PLOY_DEBUG_COUNT,    ///< stops nowhere: counts lines and units, for coverage and a profile
    PLOY_DEBUG_MOVES
} ploy_debug_move;

/// "stay", "continue", "in", "over", "out", "back", "count".
PLOY_API const char *ploy_debug_move_text(ploy_debug_move move);

/// A breakpoint.
typedef struct ploy_debug_break {
    const char *script;    ///< the name it was loaded with; NULL: any
    int32_t line;          ///< from 1
    const char *condition; ///< NULL: none. One that cannot be evaluated does not hold.
} ploy_debug_break;

typedef struct ploy_debug_query {
    ploy_agent_id agent; ///< stop only in this agent; none: any
    uint64_t tick;       ///< from 1 to the end of the record
    int64_t at; ///< number of a line in that tick, from 1; 0: before the first, or to count
    ploy_debug_move move;
    const ploy_debug_break *breaks;
    int32_t break_count;
    const char *const *watches;
    int32_t watch_count;
    uint64_t ticks; ///< maximum number of ticks to search or to count
} ploy_debug_query;

/// Returns a query that stays before the first line of tick 1, for any agent, over 600 ticks.
PLOY_API ploy_debug_query ploy_debug_query_default(void);

/// Where the script stopped.
typedef struct ploy_debug_stop {
    bool found; ///< false: no such line in the searched ticks
    uint64_t tick;
    int64_t at;
    ploy_agent_id agent;
    int32_t line, column, depth;
    int32_t hit; ///< index of the breakpoint; -1 for none
    char script[128], function[128];
} ploy_debug_stop;

/// A running query. Opaque.
typedef struct ploy_debug ploy_debug;

/// Starts a query. The recorder may advance between two slices.
/// @param query  copied, with its texts.
/// @param diags  gets faults of conditions and watches; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a tick or a move out of range, PLOY_ERR_FORMAT for an invalid
///         expression, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_debug_create(ploy_recorder *recorder, const ploy_debug_query *query,
                                       const ploy_env *env, ploy_diags *diags, ploy_debug **out);
/// Destroy it before the recorder. NULL is allowed.
PLOY_API void ploy_debug_destroy(ploy_debug *debug);
/// Continues as far as the budget allows, which counts executed ticks; NULL: no limit. Afterwards
/// the recorder is in the same state as before, bit for bit.
/// @return PLOY_IN_PROGRESS; PLOY_OK when done; PLOY_ERR_CANCELLED if the recorder has dropped that
///         past; PLOY_ERR_STATE if a tick gave a different result.
PLOY_API ploy_result ploy_debug_step(ploy_debug *debug, ploy_budget *budget);
/// Returns the stop, once step has returned PLOY_OK.
PLOY_API const ploy_debug_stop *ploy_debug_result(const ploy_debug *debug);
/// Returns what PLOY_DEBUG_COUNT counted, with the lines that can run but did not; NULL for other
/// moves. Valid until destroy.
PLOY_API const ploy_script_profile *ploy_debug_profile(const ploy_debug *debug);
/// Writes it as members of an open JSON object: found, tick, at, agent, script, function, line,
/// column, depth, break; stack (function, line and locals of each level), globals, watches. Of
/// PLOY_DEBUG_COUNT: found, from, to (ticks), lines (script, line, runs) and functions (script,
/// function, calls, units).
PLOY_API void ploy_debug_write(const ploy_debug *debug, ploy_json_writer *out);
