/// @file ploy/exec/status.h
/// The result of a step of thinking or acting.
///
/// One answer for behaviors, tree nodes and actions, so that any of them can hold any other. An
/// error is not a status: it is a ploy_result, and the status is set only on PLOY_OK.
#pragma once

#include "ploy/base/api.h"

typedef enum ploy_status {
    PLOY_STATUS_RUNNING, ///< more to do next step
    PLOY_STATUS_SUCCESS,
    PLOY_STATUS_FAILURE, ///< could not; a normal answer, not an error
    PLOY_STATUS_SKIPPED  ///< did not apply; count it as neither
} ploy_status;

/// "running", "success", "failure", "skipped"; "?" for any other number.
PLOY_API const char *ploy_status_text(ploy_status status);
