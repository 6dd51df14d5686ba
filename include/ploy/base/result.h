/// @file ploy/base/result.h
/// The result type of every function that can fail.
///
/// Below 0: an error; 0: done; above 0: progress. Codes and texts are in one list, so
/// ploy_result_text() covers every code.
#pragma once

#include "ploy/base/api.h"

/// X(name, value, text). Values are part of the API and never change.
#define PLOY_RESULTS(X)                                                    \
    X(PLOY_IN_PROGRESS, 1, "work is left; step again")                     \
    X(PLOY_OK, 0, "done")                                                  \
    X(PLOY_ERR_ARGUMENT, -1, "an argument is out of its range")            \
    X(PLOY_ERR_MEMORY, -2, "out of memory")                                \
    X(PLOY_ERR_FORMAT, -3, "the data is not in the expected format")       \
    X(PLOY_ERR_VERSION, -4, "the data was written by another version")     \
    X(PLOY_ERR_NOT_FOUND, -5, "no such thing")                             \
    X(PLOY_ERR_EXISTS, -6, "there is one already")                         \
    X(PLOY_ERR_CAPACITY, -7, "a stated capacity is full")                  \
    X(PLOY_ERR_STATE, -8, "not possible in the present state")             \
    X(PLOY_ERR_LIMIT, -9, "a stated limit was reached")                    \
    X(PLOY_ERR_DENIED, -10, "not allowed")                                 \
    X(PLOY_ERR_SYSTEM, -11, "the operating system refused")                \
    X(PLOY_ERR_CANCELLED, -12, "cancelled")                                \
    X(PLOY_ERR_UNSUPPORTED, -13, "not supported here")                     \
    X(PLOY_ERR_INTERRUPTED, -14, "cut short before its end")               \
    X(PLOY_ERR_CALLBACK, -15, "a callback of the caller reported failure") \
    X(PLOY_ERR_CHANGED, -16, "what it was built on has changed")

typedef enum ploy_result {
#define PLOY_RESULT_ENUM(name, value, text) name = value,
    PLOY_RESULTS(PLOY_RESULT_ENUM)
#undef PLOY_RESULT_ENUM
} ploy_result;

/// Returns a short English sentence without a full stop; "unknown result" for an invalid code.
PLOY_API const char *ploy_result_text(ploy_result result);

/// Returns the enumerator's name, such as "PLOY_ERR_MEMORY"; "?" for an invalid code.
PLOY_API const char *ploy_result_name(ploy_result result);
