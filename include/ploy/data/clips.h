/// @file ploy/data/clips.h
/// Reads and runs rule programs in the core language of CLIPS 6.30.
///
/// Constructs: deftemplate, deffacts, defrule, deffunction, defglobal, defmodule. Conditions:
/// patterns with all field constraints, test, not, and, or, exists, forall, logical. Actions: the
/// language's control structures and its usual functions on numbers, texts, multifields and facts.
/// Output and firing order are those of CLIPS 6.30. The rules run on ploy/decide/rules.h.
///
/// Not supported: objects (COOL), generic functions, streams other than the terminal, constraint
/// checking of slot types. All modules share one namespace for templates.
///
/// Cost: reading is linear in the text; running costs the rules' matching plus a tree walk over the
/// actions. Threads: one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/decide/rules.h"

/// A program with its facts. Opaque.
typedef struct ploy_clips ploy_clips;

/// Reads a file for `load`, `batch*` and `load-facts`: fills the buffer (which the callee
/// initializes with ploy_buffer_init) or returns an error.
typedef ploy_result (*ploy_clips_read_fn)(void *user, const char *path, ploy_buffer *out);

typedef struct ploy_clips_def {
    uint32_t cookie;
    bool audit;    ///< facts record where they came from
    uint64_t seed; ///< of `random` and of the random strategy
    int32_t depth; ///< maximum nesting of calls
    /// Limits, so that no program can hang the game or exhaust its memory; 0: no limit. Exceeding a
    /// limit ends the call with PLOY_ERR_LIMIT.
    uint64_t work;    ///< maximum function calls and loop turns in one construct, command or firing
    uint64_t firings; ///< maximum firings in one run that was given no limit
    uint64_t memory;  ///< maximum bytes of the program, its facts and its matches
    ploy_write_fn write;     ///< receives the program's output; NULL: discarded
    ploy_clips_read_fn read; ///< NULL: files cannot be read
    /// Called after each firing with the number of firings of this run; NULL: not needed.
    void (*progress)(void *user, int64_t fired);
    void *user; ///< passed to all three
} ploy_clips_def;

PLOY_API ploy_clips_def ploy_clips_def_default(void);
PLOY_API ploy_fields ploy_clips_fields(void);

/// Creates an empty program.
PLOY_API ploy_result ploy_clips_create(const ploy_clips_def *def, const ploy_env *env,
                                       ploy_clips **out);
/// NULL is allowed.
PLOY_API void ploy_clips_destroy(ploy_clips *clips);

/// Reads constructs. After a fault it continues with the next construct and reports all faults.
/// @return PLOY_ERR_FORMAT if there was any fault; the valid constructs are loaded.
///         PLOY_ERR_LIMIT at the first construct that exceeds a limit; the rest is not read.
PLOY_API ploy_result ploy_clips_load(ploy_clips *clips, const char *text, size_t size,
                                     const char *name, ploy_diags *diags);
/// Reads facts as `load-facts` does and asserts them.
PLOY_API ploy_result ploy_clips_load_facts(ploy_clips *clips, const char *text, size_t size,
                                           const char *name, ploy_diags *diags);
/// Executes commands and constructs one by one, as `batch*` does; faults are printed in the format
/// of CLIPS. If `console` is set, it prints a prompt before and the value after each, as at the
/// terminal.
PLOY_API ploy_result ploy_clips_batch(ploy_clips *clips, const char *text, size_t size,
                                      const char *name, bool console);

/// `(reset)`: restores the initial facts and removes all others.
PLOY_API ploy_result ploy_clips_reset(ploy_clips *clips);
/// `(run)`: fires at most `limit` rules; if it is below 0, all activated rules (up to def.firings).
/// @param fired  how many were fired; may be NULL.
/// @return PLOY_ERR_CALLBACK if a rule's actions failed, PLOY_ERR_LIMIT if a limit was exceeded.
PLOY_API ploy_result ploy_clips_run(ploy_clips *clips, int64_t limit, int64_t *fired);

/// Prints every firing, as `(watch rules)` does.
PLOY_API void ploy_clips_watch_rules(ploy_clips *clips, bool watch);

/// The running rules and their rule base. `(clear)` replaces both.
PLOY_API ploy_rules *ploy_clips_rules(ploy_clips *clips);
PLOY_API const ploy_rulebase *ploy_clips_base(const ploy_clips *clips);

/// Warns of suspicious contents: rules with patterns that no deffacts and no rule's action can
/// match, and unused templates. @return how many were found.
PLOY_API int32_t ploy_clips_lint(const ploy_clips *clips, ploy_diags *diags);
