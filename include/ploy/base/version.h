/// @file ploy/base/version.h
/// The version of the headers and of the library in use. Semantic versioning: a program built
/// against 1.2 runs with any 1.x from 1.2 on; while the first number is 0, minor versions may
/// break.
#pragma once

#include "ploy/base/api.h"

#define PLOY_VERSION_MAJOR 0
#define PLOY_VERSION_MINOR 2
#define PLOY_VERSION_PATCH 0
#define PLOY_VERSION_TEXT "0.2.0"

/// Three numbers, most significant first.
typedef struct ploy_version_number {
    int32_t major;
    int32_t minor;
    int32_t patch;
} ploy_version_number;

/// Returns the version of the linked library, which can differ from the headers' numbers above.
PLOY_API ploy_version_number ploy_version(void);

/// Returns the same as text, such as "0.2.0".
PLOY_API const char *ploy_version_text(void);
