/// @file ploy/data/clips.h
/// Rule programs in the core language of CLIPS 6.30: reading them, and running them.
///
/// Constructs: deftemplate, deffacts, defrule, deffunction, defglobal, defmodule. Conditions:
/// patterns with all field constraints, test, not, and, or, exists, forall, logical. Actions: the
/// language's control structures and its usual functions of numbers, texts, multifields and facts.
/// What a program prints, and the order in which its rules fire, are those of CLIPS 6.30. The rules
/// run on ploy/decide/rules.h.
///
/// Left out: objects (COOL), generic functions, streams other than the terminal, constraint
/// checking of slots' types. Templates have one namespace for all modules.
///
/// Cost: reading is linear in the text; running is the rules' cost and that of a tree walk over the
/// actions. Threads: one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/writer.h"
#include "ploy/decide/rules.h"

/// A program with its facts. Opaque.
typedef struct ploy_clips ploy_clips;

/// Reads a file for `load`, `batch*` and `load-facts`: fills the buffer (set up by the callee with
/// ploy_buffer_init) or says why not.
typedef ploy_result (*ploy_clips_read_fn)(void *user, const char *path, ploy_buffer *out);

typedef struct ploy_clips_def {
    uint32_t cookie;
    bool audit;    ///< facts remember where they came from
    uint64_t seed; ///< of `random` and of the random strategy
    int32_t depth; ///< most calls inside one another
    /// Limits, so that no text can hang or exhaust the game: 0 means none. What exceeds one ends
    /// the call with PLOY_ERR_LIMIT.
    uint64_t work;       ///< most function calls and loop turns in one construct, command or firing
    uint64_t firings;    ///< most firings in one run that was given no limit
    uint64_t memory;     ///< most bytes of the program, its facts and its matches
    ploy_write_fn write; ///< what the program prints goes here; NULL: nowhere
    ploy_clips_read_fn read; ///< NULL: no files
    void *user;              ///< handed to both
} ploy_clips_def;

PLOY_API ploy_clips_def ploy_clips_def_default(void);
PLOY_API ploy_fields ploy_clips_fields(void);

/// An empty program.
PLOY_API ploy_result ploy_clips_create(const ploy_clips_def *def, const ploy_env *env,
                                       ploy_clips **out);
/// NULL is allowed.
PLOY_API void ploy_clips_destroy(ploy_clips *clips);

/// Reads constructs. Goes on after a fault to the next construct and reports all.
/// @return PLOY_ERR_FORMAT if there was any fault; the good constructs are there all the same.
///         PLOY_ERR_LIMIT at the first construct that exceeds a limit; the rest is not read.
PLOY_API ploy_result ploy_clips_load(ploy_clips *clips, const char *text, size_t size,
                                     const char *name, ploy_diags *diags);
/// Reads facts as `load-facts` does and asserts them.
PLOY_API ploy_result ploy_clips_load_facts(ploy_clips *clips, const char *text, size_t size,
                                           const char *name, ploy_diags *diags);
/// Executes commands and constructs one by one, as `batch*` does; faults are printed as CLIPS
/// prints them. console: prints a prompt before and the value after each, as at the terminal.
PLOY_API ploy_result ploy_clips_batch(ploy_clips *clips, const char *text, size_t size,
                                      const char *name, bool console);

/// `(reset)`: the initial facts and no others.
PLOY_API ploy_result ploy_clips_reset(ploy_clips *clips);
/// `(run)`: fires at most `limit` rules, all that come (up to def.firings) if it is below 0.
/// @param fired  how many were fired; may be NULL.
/// @return PLOY_ERR_CALLBACK if a rule's actions failed, PLOY_ERR_LIMIT if a limit was exceeded.
PLOY_API ploy_result ploy_clips_run(ploy_clips *clips, int64_t limit, int64_t *fired);

/// Prints every firing, as `(watch rules)` does.
PLOY_API void ploy_clips_watch_rules(ploy_clips *clips, bool watch);

/// The rules at work and their base. Both are replaced by `(clear)`.
PLOY_API ploy_rules *ploy_clips_rules(ploy_clips *clips);
PLOY_API const ploy_rulebase *ploy_clips_base(const ploy_clips *clips);

/// Looks for doubtful things: rules whose patterns no deffacts and no rule's action can make,
/// templates that nothing uses. @return how many were found.
PLOY_API int32_t ploy_clips_lint(const ploy_clips *clips, ploy_diags *diags);
