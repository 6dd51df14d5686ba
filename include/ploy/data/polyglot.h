/// @file ploy/data/polyglot.h
/// Opening books of chess as Polyglot files: 16 bytes an entry, big-endian, sorted by key.
///
///     key 8 bytes | move 2 | weight 2 | learn 4
///
/// The weight is an entry's strength. `learn` holds the games in its upper half and twice the wins plus
/// the draws in its lower half, so that what was learned survives; other programs ignore it.
#pragma once

#include "ploy/base/writer.h"
#include "ploy/board/book.h"

/// Adds the entries of a file to a book of chess; the book is sealed then.
/// @return PLOY_ERR_FORMAT if the size is not a multiple of 16 or keys are not sorted, with the place in
///         diags (may be NULL); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_polyglot_load(const void *bytes, size_t size, const char *name,
                                        ploy_board_book *book, ploy_diags *diags);
/// Writes a sealed book, with present weights; entries of weight 0 are left out.
PLOY_API ploy_result ploy_polyglot_save(const ploy_board_book *book, ploy_writer *writer);
