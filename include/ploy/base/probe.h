/// @file ploy/base/probe.h
/// Probe: reads a few numbers from anything that has a describe function.
///
/// A path names the groups and the value, separated by dots: "summary.score.x" is the first
/// component of the vector `score` in the group `summary`. Booleans count as 0 and 1; texts, names
/// and ids are not numbers. If several values have the same path, the first one is read.
///
///     const char *paths[] = {"summary.score.x", "summary.score.y"};
///     double goals[2];
///     ploy_probe probe;
///     ploy_probe_init(&probe, paths, 2, goals);
///     ploy_describe out = ploy_probe_describe(&probe);
///     thing_describe(thing, &out);
///
/// Cost: every described value is compared with every path. Allocates nothing. Threads: one caller.
#pragma once

#include "ploy/base/describe.h"

/// Most paths of a probe, and the longest path including the terminating zero.
#define PLOY_PROBE_PATHS_MAX 64
#define PLOY_PROBE_PATH_MAX 256
/// Deepest nesting of groups that is searched.
#define PLOY_PROBE_DEPTH_MAX 32

/// Caller-owned memory of a probe; its contents are private.
typedef struct ploy_probe {
    const char *const *paths;
    double *out;
    int32_t count;
    int32_t depth;                         ///< open groups
    int32_t lengths[PLOY_PROBE_DEPTH_MAX]; ///< of `at` before each open group
    int32_t length;                        ///< of `at`
    uint64_t found;                        ///< a bit for each path
    char at[PLOY_PROBE_PATH_MAX];          ///< path of the open group
} ploy_probe;

/// Starts a probe; all numbers are set to 0 until they are found.
/// @param paths  borrowed while the probe is in use; at most PLOY_PROBE_PATHS_MAX.
/// @param out    one number for each path.
PLOY_API void ploy_probe_init(ploy_probe *probe, const char *const *paths, int32_t count,
                              double *out);
/// Returns the sink to describe to.
PLOY_API ploy_describe ploy_probe_describe(ploy_probe *probe);
/// Returns the index of the first path that was not found or is not a number, or -1 if all were
/// read.
PLOY_API int32_t ploy_probe_missing(const ploy_probe *probe);
