/// @file ploy/data/polyglot.h
/// Chess opening books as Polyglot files: 16 bytes per entry, big-endian, sorted by key.
///
///     key 8 bytes | move 2 | weight 2 | learn 4
///
/// The weight is an entry's strength. `learn` holds the number of games in its upper half and twice
/// the wins plus the draws in its lower half, so that learned results are kept; other programs
/// ignore it.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/board/book.h"

/// Adds the entries of a file to a chess book, then seals it.
/// @return PLOY_ERR_FORMAT if the size is not a multiple of 16 or keys are not sorted, with the
///         position in diags (may be NULL); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_polyglot_load(const void *bytes, size_t size, const char *name,
                                        ploy_board_book *book, ploy_diags *diags);
/// Writes a sealed book with its current weights, without entries of weight 0.
PLOY_API ploy_result ploy_polyglot_save(const ploy_board_book *book, ploy_writer *writer);
