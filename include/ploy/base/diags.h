/// @file ploy/base/diags.h
/// Diagnostics: everything that is wrong with a file or a def, said so that it can be mended.
///
/// A loader fills a caller-owned ploy_diags, goes on after the first fault and reports several.
/// Printed, one reads `guard.xml:12:9: error: unknown node 'Sequnce' (did you mean 'Sequence'?)`.
#pragma once

#include "ploy/base/env.h"

/// Most characters kept of each text of a diagnostic, with the zero.
#define PLOY_DIAG_TEXT_MAX 160

typedef struct ploy_diag {
    ploy_severity severity;
    ploy_result code;
    int32_t line;                      ///< from 1; 0 if the whole thing is meant
    int32_t column;                    ///< from 1, in bytes; 0 if unknown
    char name[PLOY_DIAG_TEXT_MAX];     ///< of the file or def, as the caller gave it
    char message[PLOY_DIAG_TEXT_MAX];  ///< what is wrong
    char expected[PLOY_DIAG_TEXT_MAX]; ///< what was expected there, or ""
    char nearest[PLOY_DIAG_TEXT_MAX];  ///< the nearest valid name, or ""
} ploy_diag;

/// A list of diagnostics with a limit: past it they are counted, not kept. Opaque.
typedef struct ploy_diags ploy_diags;

/// @param limit  most diagnostics kept, 1 to 10,000. All memory is taken here, so adding one
///               can never fail.
PLOY_API ploy_result ploy_diags_create(int32_t limit, const ploy_env *env, ploy_diags **out);
PLOY_API void ploy_diags_destroy(ploy_diags *diags);
PLOY_API void ploy_diags_clear(ploy_diags *diags);

/// Adds one; texts are copied, cut between characters, and control characters in them become
/// blanks, so that each stays one line. expected and nearest may be NULL. diags NULL: does nothing,
/// so a loader need not ask whether its caller wants to hear.
PLOY_API void ploy_diags_add(ploy_diags *diags, ploy_severity severity, ploy_result code,
                             const char *name, int32_t line, int32_t column, const char *message,
                             const char *expected, const char *nearest);

/// How many are kept.
PLOY_API int32_t ploy_diags_count(const ploy_diags *diags);

/// How many were added in all with a severity of at least that one, kept or not.
PLOY_API int64_t ploy_diags_total(const ploy_diags *diags, ploy_severity at_least);

/// One of those kept, in the order of adding; NULL out of range.
PLOY_API const ploy_diag *ploy_diags_get(const ploy_diags *diags, int32_t index);

/// Writes one as `name:line:column: severity: message; expected X (did you mean 'Y'?)`, cut to size
/// with its zero. @return the length the whole text has, without the zero.
PLOY_API size_t ploy_diag_print(const ploy_diag *diag, char *text, size_t size);

/// Sends all that are kept to the env's log, and a line with the number left out, if any.
PLOY_API void ploy_diags_log(const ploy_diags *diags, const ploy_env *env);
