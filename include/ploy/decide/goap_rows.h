/// @file ploy/decide/goap_rows.h
/// Planning domains from constant tables.
///
///     static const ploy_goap_range ranges[] = {{"wood", 0, 3}};
///     static const ploy_goap_row rows[] = {
///         {"get axe", 1, NULL, "axe := true"},
///         {"chop", 2, "axe && !tired", "wood += 1; tired := true"},
///         {"rest", 1, NULL, "tired := false"},
///     };
///     ploy_goap_type_from(ranges, 1, rows, 3, env, &domain);
///     ploy_goap_needs_text(domain, "wood >= 3", goal, 4, &count);
///
/// Needs and gains are texts of ploy/decide/expression.h. Needs are joined by `&&`: a name, its
/// negation, or a comparison with a whole number (`==`, `!=`, `<`, `<=`, `>`, `>=`). Gains are
/// assignments: `x := 3`, `x := true`, `x += 1`, `x -= 1`. Names without a range are bools.
///
/// Cost: linear in the texts. Threads: one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/decide/goap.h"

/// A variable of whole numbers.
typedef struct ploy_goap_range {
    const char *name;
    int32_t min, max;
} ploy_goap_range;

/// An action.
typedef struct ploy_goap_row {
    const char *action;
    double cost;       ///< 0 or more
    const char *needs; ///< NULL: none
    const char *gains;
} ploy_goap_row;

/// Most needs and most gains of one row.
#define PLOY_GOAP_ROW_MAX 32

/// Creates a finished domain. @param diags  receives faults, with the row's action as the name and
/// the column in the text; may be NULL.
/// @return PLOY_ERR_FORMAT for invalid needs or gains, PLOY_ERR_LIMIT, the first fault of
///         the domain, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_goap_type_from(const ploy_goap_range *ranges, int32_t range_count,
                                         const ploy_goap_row *rows, int32_t row_count,
                                         const ploy_env *env, ploy_diags *diags,
                                         ploy_goap_type **out);

/// Reads needs, such as a goal, of a finished domain.
/// @param out    room for `room` needs. @param count  set to the number of needs.
/// @return PLOY_ERR_NOT_FOUND for an unknown variable, PLOY_ERR_CAPACITY, and as above.
PLOY_API ploy_result ploy_goap_needs_text(const ploy_goap_type *type, const char *text,
                                          const ploy_env *env, ploy_diags *diags,
                                          ploy_goap_need *out, int32_t room, int32_t *count);
