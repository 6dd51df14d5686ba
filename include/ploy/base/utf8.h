/// @file ploy/base/utf8.h
/// UTF-8: checking, decoding, encoding, counting.
///
/// Well-formed text is what table 3-7 of the Unicode Standard allows: no overlong forms, no
/// surrogates, nothing above U+10FFFF. Ill-formed bytes are grouped as the standard recommends for
/// U+FFFD substitution: the longest start of a well-formed sequence counts as one fault.
///
/// Cost: linear, no allocation. Threads: no state; callable from any thread.
#pragma once

#include "ploy/base/api.h"

/// What ploy_utf8_next returns in place of a character.
#define PLOY_UTF8_BAD (-1)
#define PLOY_UTF8_END (-2)

/// Returns true if all size bytes are well-formed.
/// @param bad  if not NULL, receives the offset where the first character that is not well-formed
///             begins, or size if there is none.
PLOY_API bool ploy_utf8_check(const char *text, size_t size, size_t *bad);

/// Decodes the character at *at and moves *at past it.
/// @return its code point; PLOY_UTF8_BAD for ill-formed bytes, with *at moved past them (by 1 to
///         3), so that decoding can continue; PLOY_UTF8_END at the end, with *at unchanged.
PLOY_API int32_t ploy_utf8_next(const char *text, size_t size, size_t *at);

/// Writes the character's bytes to out, without a terminating zero.
/// @return the number of bytes, 1 to 4; 0, with out unchanged, for surrogates and codes beyond
///         U+10FFFF.
PLOY_API int32_t ploy_utf8_encode(uint32_t code, char out[4]);

/// Returns the number of characters: the calls of ploy_utf8_next until the end, so each fault
/// counts as one.
PLOY_API size_t ploy_utf8_count(const char *text, size_t size);
