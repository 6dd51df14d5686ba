/// @file ploy/data/board_file.h
/// Learned evaluations of board games as JSON files.
///
///     {"format": "ploy board evaluation", "version": 1, "game": "backgammon",
///      "rules": {...}, "settings": {"kind": "value", "hidden": 40, ...}, "state": {...}}
///
/// Threads: pure.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/board/learned.h"

#define PLOY_BOARD_FILE_VERSION 1

/// Writes an evaluation. @return the writer's error.
PLOY_API ploy_result ploy_board_learned_save(const ploy_board_learned *learned,
                                             ploy_writer *writer);
/// Reads an evaluation; the caller destroys it.
/// @param board  the game that it evaluates; the file must name that game. Its rules may differ as
/// long as the networks have
///               the same size.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with the reasons in diags, PLOY_ERR_MEMORY; then *out is NULL.
PLOY_API ploy_result ploy_board_learned_load(const void *bytes, size_t size, const char *name,
                                             ploy_board board, const ploy_env *env,
                                             ploy_diags *diags, ploy_board_learned **out);
