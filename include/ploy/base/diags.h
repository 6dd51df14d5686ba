/// @file ploy/base/diags.h
/// Diagnostics: the faults of a file or a def, reported with position and likely fix.
///
/// A loader fills a caller-owned ploy_diags and continues after the first fault, so that it can
/// report several. A printed diagnostic looks like this: `guard.xml:12:9: error: unknown node
/// 'Sequnce' (did you mean 'Sequence'?)`.
#pragma once

#include "ploy/base/env.h"

/// Most bytes kept of each text of a diagnostic, including the terminating zero.
#define PLOY_DIAG_TEXT_MAX 160

typedef struct ploy_diag {
    ploy_severity severity;
    ploy_result code;
    int32_t line;                      ///< from 1; 0 if it concerns the whole file or def
    int32_t column;                    ///< from 1, in bytes; 0 if unknown
    char name[PLOY_DIAG_TEXT_MAX];     ///< of the file or def, as the caller gave it
    char message[PLOY_DIAG_TEXT_MAX];  ///< what is wrong
    char expected[PLOY_DIAG_TEXT_MAX]; ///< what was expected there, or ""
    char nearest[PLOY_DIAG_TEXT_MAX];  ///< the nearest valid name, or ""
} ploy_diag;

/// A list of diagnostics with a limit; diagnostics beyond the limit are counted but not kept.
/// Opaque.
typedef struct ploy_diags ploy_diags;

/// @param limit  most diagnostics kept, 1 to 10,000. All memory is allocated here, so adding a
///               diagnostic never fails.
PLOY_API ploy_result ploy_diags_create(int32_t limit, const ploy_env *env, ploy_diags **out);
PLOY_API void ploy_diags_destroy(ploy_diags *diags);
PLOY_API void ploy_diags_clear(ploy_diags *diags);

/// Adds a diagnostic. Texts are copied and truncated between characters. Control characters become
/// blanks, so that each text stays on one line. expected and nearest may be NULL. Does nothing if
/// diags is NULL, so a loader need not check.
PLOY_API void ploy_diags_add(ploy_diags *diags, ploy_severity severity, ploy_result code,
                             const char *name, int32_t line, int32_t column, const char *message,
                             const char *expected, const char *nearest);

/// Returns the number of diagnostics kept.
PLOY_API int32_t ploy_diags_count(const ploy_diags *diags);

/// Returns how many diagnostics of at least this severity were added, kept or not.
PLOY_API int64_t ploy_diags_total(const ploy_diags *diags, ploy_severity at_least);

/// Returns one of the diagnostics kept, in the order they were added; NULL if index is out of
/// range.
PLOY_API const ploy_diag *ploy_diags_get(const ploy_diags *diags, int32_t index);

/// Writes a diagnostic as `name:line:column: severity: message; expected X (did you mean 'Y'?)`,
/// truncated to size including the terminating zero. @return the length of the whole text without
/// the zero.
PLOY_API size_t ploy_diag_print(const ploy_diag *diag, char *text, size_t size);

/// Writes all diagnostics kept to the env's log, then a line with the number left out, if any.
PLOY_API void ploy_diags_log(const ploy_diags *diags, const ploy_env *env);
