/// @file ploy/base/number.h
/// Number text without a locale: reading rounds correctly, printing gives the shortest text.
///
/// Reading gives the floating-point number nearest to the decimal text, however long it is (ties to
/// even), so every system reads the same file to the same bits. Printing gives the shortest decimal
/// text that reads back to the same bits and, among those, the one nearest to the number.
/// Techniques: Clinger's exact cases (1990), then an interval of 128-bit products as in Lemire's
/// "Number parsing at a gigabyte per second" (2021), then big integers for undecided cases; for
/// printing Giulietti's "The Schubfach way to render doubles" (2020).
///
/// Cost: no allocation; reading is linear in the text. Threads: no state; callable from any thread.
#pragma once

#include "ploy/base/result.h"

/// Buffer size in bytes for any text that the function of that name prints, including the
/// terminating zero.
#define PLOY_PRINT_F64_SIZE 32
#define PLOY_PRINT_F32_SIZE 24
#define PLOY_PRINT_I64_SIZE 24
#define PLOY_PRINT_U64_SIZE 24
#define PLOY_PRINT_HEX64_SIZE 17

/// Read the number at the start of text. Floating point: an optional sign, decimal digits with an
/// optional point (at least one digit on either side of it), an optional exponent; or nan, inf,
/// -inf in lower case, as printed. Integers: an optional sign ('-' not for unsigned) and digits.
/// Nothing else is skipped or accepted: no blanks, no hexadecimal, no digit separators.
///
/// @param size  bytes of text, which need not be zero-terminated.
/// @param used  receives the number of bytes read, also with PLOY_ERR_LIMIT. NULL means that the
///              whole text must be the number.
/// @return PLOY_ERR_FORMAT if there is no number, or if `used` is NULL and text follows it;
///         PLOY_ERR_LIMIT if it is beyond the type's range (including a finite text that would
///         round to infinity; numbers that are too small become denormals or a zero with their
///         sign); out is set only on PLOY_OK.
PLOY_API ploy_result ploy_parse_f64(const char *text, size_t size, size_t *used, double *out);
PLOY_API ploy_result ploy_parse_f32(const char *text, size_t size, size_t *used, float *out);
PLOY_API ploy_result ploy_parse_i64(const char *text, size_t size, size_t *used, int64_t *out);
PLOY_API ploy_result ploy_parse_u64(const char *text, size_t size, size_t *used, uint64_t *out);

/// Reads hexadecimal digits of either case, without a prefix, up to 64 bits.
PLOY_API ploy_result ploy_parse_hex64(const char *text, size_t size, size_t *used, uint64_t *out);

/// Write the number and a terminating zero to out, which has the size named above, and return the
/// number of characters without the zero.
///
/// Floating point: plain digits while 1e-5 <= |value| < 1e17 ("1", "-0.25", "16777216"), otherwise
/// one digit, the rest after a point, and an exponent ("1e30", "1.5e-7"); no ".0" on whole numbers;
/// "0", "-0", "inf", "-inf", and "nan" for every NaN.
PLOY_API size_t ploy_print_f64(double value, char *out);
PLOY_API size_t ploy_print_f32(float value, char *out);
PLOY_API size_t ploy_print_i64(int64_t value, char *out);
PLOY_API size_t ploy_print_u64(uint64_t value, char *out);
/// Writes sixteen lower-case hexadecimal digits.
PLOY_API size_t ploy_print_hex64(uint64_t value, char *out);
