/// @file ploy/data/moves_file.h
/// Patterns of movement from files: the moves of ploy/move/moves.h as JSON.
///
///     {"patterns": [{
///         "name": "zigzag", "weight": 2, "end": "loop",
///         "moves": [{"forward": 2}, {"right": 10}, {"left": 10, "forward": 1, "action": "fire"}]
///     }]}
///
/// A move turns first and then walks. `left` and `right` are degrees, `forward` and `back` metres,
/// `action` is a name that the game interprets; an empty move waits for one step. `weight` (default
/// 1) is for ploy_moves_choose, `end` is "stop" (the default), "loop" or "ping-pong".
///
/// Cost: linear in the file. Threads: const after load.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/env.h"
#include "ploy/move/moves.h"

/// The patterns of one file. Opaque.
typedef struct ploy_moves_file ploy_moves_file;

/// Maximum number of moves in one file.
#define PLOY_MOVES_FILE_MAX (1 << 20)

/// Reads a file. @param diags  receives every fault with its position; may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT (too many moves), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_moves_file_load(const void *bytes, size_t size, const char *name,
                                          const ploy_env *env, ploy_diags *diags,
                                          ploy_moves_file **out);
/// NULL is allowed.
PLOY_API void ploy_moves_file_destroy(ploy_moves_file *file);

/// The number of patterns.
PLOY_API int32_t ploy_moves_file_count(const ploy_moves_file *file);
/// Returns a pattern by index; without moves if out of range. Valid as long as the file.
PLOY_API ploy_moves ploy_moves_file_at(const ploy_moves_file *file, int32_t index);
/// Returns the index of the pattern with that name; -1 if there is none.
PLOY_API int32_t ploy_moves_file_find(const ploy_moves_file *file, const char *name);
/// The weights of all patterns, for ploy_moves_choose.
PLOY_API const float *ploy_moves_file_weights(const ploy_moves_file *file);
