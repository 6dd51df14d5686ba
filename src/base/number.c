// Decimal text to numbers and back.
//
// Reading a floating-point number, from the cheapest method that can decide to the surest:
//   1. up to 19 digits w and a power of ten e with |e| <= 22 and w <= 2^53: both are exact doubles,
//      so one multiplication or division rounds correctly (Clinger 1990);
//   2. w * 10^e with 128 bits of 10^e gives a lower and an upper bound of the true value. Rounding
//      is monotonic: where both bounds round to the same number, so does the value (the idea of
//      Lemire 2021, stated with an interval);
//   3. otherwise the value lies next to the middle of two neighbours, and an exact comparison with
//      that middle in big integers decides.
// Printing is Giulietti's "The Schubfach way to render doubles" (2020): scale the number and the
// ends of its rounding interval by one power of ten so that the interval is between one and ten
// units wide; it then holds at most one multiple of ten, and at least one unit.
//
// Both need 128 bits of any power of ten; number_power derives them from every 28th power kept with
// 192 bits and an exact power of five.
#include "ploy/base/number.h"

#include <float.h>
#include <string.h>

#include "base/wide_inline.h"

// A binary floating-point format: v = mantissa * 2^exponent.
typedef struct number_format {
    int mantissa_bits; // with the hidden one
    int bias;          // exponent of the mantissa's last bit = field - bias
    uint64_t infinity; // the bits of +infinity
} number_format;

static const number_format number_f64 = {53, 1075, UINT64_C(0x7FF0000000000000)};
static const number_format number_f32 = {24, 150, UINT64_C(0x7F800000)};

// Powers of ten ------------------------------------------------------------------------------

#define NUMBER_POWER_STEP 28
#define NUMBER_POWER_MIN (-392)
#define NUMBER_POWER_MAX 335

// 10^(-392 + 28 i), normalised to 192 bits and cut.
static const uint64_t number_powers[26][3] = {
    {UINT64_C(0xDF82365C497B5453), UINT64_C(0xCB285CEB2FED040D), UINT64_C(0x8BF77D4BC59B35B1)},
    {UINT64_C(0xE1AFA13AFBD14D6D), UINT64_C(0x82189C09A3A1EC21), UINT64_C(0x7A43516213C7E04C)},
    {UINT64_C(0xE3E27A444D8D98B7), UINT64_C(0xFD1B1B2308169B25), UINT64_C(0x363B1F2C568DC3E2)},
    {UINT64_C(0xE61ACF033D1A45DF), UINT64_C(0x6FB92487298E33BD), UINT64_C(0xADD7728C20B99BD1)},
    {UINT64_C(0xE858AD248F5C22C9), UINT64_C(0xD1B3400F8F9CFF68), UINT64_C(0xF910F9F648232F14)},
    {UINT64_C(0xEA9C227723EE8BCB), UINT64_C(0x465E15A979C1CADC), UINT64_C(0x0A0CE827EAC11F2D)},
    {UINT64_C(0xECE53CEC4A314EBD), UINT64_C(0xA4F8BF5635246428), UINT64_C(0x4609AC5C7899CA36)},
    {UINT64_C(0xEF340A98172AACE4), UINT64_C(0x86FB897116C87C34), UINT64_C(0x9C39C1DA4C49278D)},
    {UINT64_C(0xF18899B1BC3F8CA1), UINT64_C(0xDC44E6C3CB279AC1), UINT64_C(0xF80F36174730CA34)},
    {UINT64_C(0xF3E2F893DEC3F126), UINT64_C(0x5A89DBA3C3EFCCFA), UINT64_C(0xD8ECB58659BE9C90)},
    {UINT64_C(0xF64335BCF065D37D), UINT64_C(0x4D4617B5FF4A16D5), UINT64_C(0xAA09501D5954A559)},
    {UINT64_C(0xF8A95FCF88747D94), UINT64_C(0x75A44C6397CE912A), UINT64_C(0x33CCA6C06B07B74D)},
    {UINT64_C(0xFB158592BE068D2E), UINT64_C(0xEED6E2F0F0D56712), UINT64_C(0xAC2E4F162CFAD40A)},
    {UINT64_C(0xFD87B5F28300CA0D), UINT64_C(0x8BCA9D6E188853FC), UINT64_C(0x76DCB60081CE0FA5)},
    {UINT64_C(0x8000000000000000), UINT64_C(0x0000000000000000), UINT64_C(0x0000000000000000)},
    {UINT64_C(0x813F3978F8940984), UINT64_C(0x4000000000000000), UINT64_C(0x0000000000000000)},
    {UINT64_C(0x82818F1281ED449F), UINT64_C(0xBFF8F10E7A8921A4), UINT64_C(0x2000000000000000)},
    {UINT64_C(0x83C7088E1AAB65DB), UINT64_C(0x792667C6DA79E0FA), UINT64_C(0x0861D3EE22D1CC53)},
    {UINT64_C(0x850FADC09923329E), UINT64_C(0x03E2CF6BC604DDB0), UINT64_C(0x74A7EF0198791097)},
    {UINT64_C(0x865B86925B9BC5C2), UINT64_C(0x0B8A2392BA45A9B2), UINT64_C(0x5C6658D409FB8BF7)},
    {UINT64_C(0x87AA9AFF79042286), UINT64_C(0x90FB44D2F05D0842), UINT64_C(0xFB118FC9C217A1D2)},
    {UINT64_C(0x88FCF317F22241E2), UINT64_C(0x441FECE3BDF81F03), UINT64_C(0x12F274928400100D)},
    {UINT64_C(0x8A5296FFE33CC92F), UINT64_C(0x82BD6B70D99AAA6F), UINT64_C(0xBC10C5C5CDA97C8D)},
    {UINT64_C(0x8BAB8EEFB6409C1A), UINT64_C(0x1AD089B6C2F7548E), UINT64_C(0x25C7B885BA466E37)},
    {UINT64_C(0x8D07E33455637EB2), UINT64_C(0xDB0B487B6423E1E8), UINT64_C(0x7EC63730F500B406)},
    {UINT64_C(0x8E679C2F5E44FF8F), UINT64_C(0x570F09EAA7EA7648), UINT64_C(0x5961DB50C6D2B886)},
};

typedef struct number_wide {
    uint64_t high, low;
} number_wide;

// floor(numerator / 2^bits), also for negative numerators, whose shift C leaves to the compiler.
static int number_floor_shift(int64_t numerator, int bits) {
    int64_t unit = (int64_t)1 << bits;
    int64_t quotient = numerator / unit;
    return (int)(numerator % unit < 0 ? quotient - 1 : quotient);
}

// floor(log2(10^e)); 1741647 / 2^19 approximates log2(10) well enough for |e| <= 1233.
static int number_log2_power(int e) {
    return number_floor_shift((int64_t)e * 1741647, 19);
}

// The mantissa g of 10^e, 2^127 <= g < 2^128, exact for 0 <= e <= 55 and the next integer above
// otherwise: g - 1 < 10^e * 2^(127 - floor(log2(10^e))) <= g. For every e in the range the 192 bits
// were compared with exact integers: the cut tail never reaches the 128th bit.
static number_wide number_power(int e) {
    int index = (e - NUMBER_POWER_MIN) / NUMBER_POWER_STEP;
    int rest = (e - NUMBER_POWER_MIN) % NUMBER_POWER_STEP;
    const uint64_t *power = number_powers[index];
    uint64_t five = 1;
    for (int i = 0; i < rest; i++) five *= 5; // 5^27 < 2^63
    // 192 by 64 bits; the lowest word of the product serves only for its carry.
    uint64_t unused, low_2, low_1;
    uint64_t high_2 = ployi_multiply_64(power[2], five, &unused);
    uint64_t high_1 = ployi_multiply_64(power[1], five, &low_2);
    uint64_t high_0 = ployi_multiply_64(power[0], five, &low_1);
    uint64_t w1 = low_2 + high_2;
    uint64_t carry = w1 < low_2;
    uint64_t w2 = low_1 + carry;
    carry = w2 < carry;
    w2 += high_1;
    carry += w2 < high_1;
    uint64_t w3 = high_0 + carry;
    number_wide g;
    if (w3 == 0) { // only for rest 0
        g.high = w2;
        g.low = w1;
    } else {
        int shift = ployi_leading_zeros_64(w3);
        g.high = shift == 0 ? w3 : w3 << shift | w2 >> (64 - shift);
        g.low = shift == 0 ? w2 : w2 << shift | w1 >> (64 - shift);
    }
    if (e < 0 || e > 55) {
        g.low++;
        if (g.low == 0) g.high++;
    }
    return g;
}

// Big integers -------------------------------------------------------------------------------

// Holds 10^769 * 2^60 and 5^1095 * 2^60, the largest numbers that the exact comparison meets.
#define NUMBER_BIG_WORDS 88

typedef struct number_big {
    int32_t count; // words in use; the highest is not 0
    uint32_t words[NUMBER_BIG_WORDS];
} number_big;

static void number_big_push(number_big *big, uint32_t word) {
    PLOY_ASSERT(big->count < NUMBER_BIG_WORDS);
    if (word != 0 && big->count < NUMBER_BIG_WORDS) big->words[big->count++] = word;
}

static void number_big_multiply_add(number_big *big, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    number_big_push(big, (uint32_t)carry);
}

static void number_big_multiply_power_of_5(number_big *big, int64_t exponent) {
    for (; exponent >= 13; exponent -= 13) number_big_multiply_add(big, 1220703125u, 0);
    for (; exponent > 0; exponent--) number_big_multiply_add(big, 5, 0);
}

static void number_big_shift(number_big *big, int64_t bits) {
    int32_t words = (int32_t)(bits / 32);
    PLOY_ASSERT(big->count + words <= NUMBER_BIG_WORDS);
    if (big->count == 0 || big->count + words > NUMBER_BIG_WORDS) return;
    memmove(big->words + words, big->words, (size_t)big->count * sizeof big->words[0]);
    memset(big->words, 0, (size_t)words * sizeof big->words[0]);
    big->count += words;
    number_big_multiply_add(big, 1u << bits % 32, 0);
}

static int number_big_compare(const number_big *a, const number_big *b) {
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (int32_t i = a->count - 1; i >= 0; i--) {
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    }
    return 0;
}

// Reading ------------------------------------------------------------------------------------

// More digits than this cannot be distinguished from the middle of two doubles except by being not zero.
#define NUMBER_DIGITS_MAX 768
// Exponents saturate here: far beyond any text, and ten times as much still fits into 64 bits.
#define NUMBER_EXPONENT_MAX INT64_C(100000000000000000)

// What a decimal text says, before rounding: digits * 10^exponent.
typedef struct number_decimal {
    const char *first;   // the first digit that is not 0
    const char *end;     // behind the last digit; a point may lie between
    uint64_t head;       // the first 19 digits from there
    int64_t exponent;    // of head's last digit
    int64_t head_digits; // how many
    bool more;           // there are digits that head leaves out
    bool negative;
} number_decimal;

static bool number_is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads the text's syntax. Returns its length, 0 if no number begins here.
static size_t number_scan(const char *text, size_t size, number_decimal *decimal) {
    memset(decimal, 0, sizeof *decimal);
    size_t at = 0;
    if (at < size && (text[at] == '-' || text[at] == '+')) decimal->negative = text[at++] == '-';
    bool any = false, point = false;
    for (; at < size; at++) {
        if (text[at] == '.' && !point) {
            point = true;
            continue;
        }
        if (!number_is_digit(text[at])) break;
        any = true;
        unsigned digit = (unsigned)(text[at] - '0');
        if (point) decimal->exponent--;
        if (decimal->first == NULL && digit == 0) continue;
        if (decimal->first == NULL) decimal->first = text + at;
        if (decimal->head_digits < 19) {
            decimal->head = decimal->head * 10 + digit;
            decimal->head_digits++;
        } else {
            decimal->more = true;
            decimal->exponent++;
        }
    }
    if (!any) return 0;
    decimal->end = text + at;
    // An exponent without digits is not part of the number.
    if (at < size && (text[at] == 'e' || text[at] == 'E')) {
        size_t from = at + 1;
        bool minus = false;
        if (from < size && (text[from] == '-' || text[from] == '+')) minus = text[from++] == '-';
        if (from < size && number_is_digit(text[from])) {
            int64_t exponent = 0;
            for (at = from; at < size && number_is_digit(text[at]); at++) {
                if (exponent < NUMBER_EXPONENT_MAX) exponent = exponent * 10 + (text[at] - '0');
            }
            decimal->exponent += minus ? -exponent : exponent;
        }
    }
    return at;
}

// Rounds m * 2^exponent, m of 128 bits with its top bit set, to nearest, ties to even. Returns the
// bits of the positive result.
static uint64_t number_round(number_wide m, int exponent, const number_format *format) {
    // As a fraction of the format: the field of a number whose highest bit is bit 127 of m.
    int field = exponent + 128 - format->mantissa_bits + format->bias;
    int drop = 128 - format->mantissa_bits; // bits to round away
    if (field < 1) {                        // denormal: fewer bits stay
        drop += 1 - field;
        field = 0;
    }
    if (drop > 128) return 0; // below half of the smallest denormal
    uint64_t kept, half, below;
    if (drop == 128) {
        kept = 0;
        half = m.high >> 63;
        below = (m.high << 1) | m.low;
    } else { // drop is 75 at least, so all that is kept comes from the high word
        int shift = drop - 64;
        kept = m.high >> shift;
        half = m.high >> (shift - 1) & 1;
        below = (m.high & ((UINT64_C(1) << (shift - 1)) - 1)) | m.low;
    }
    if (half != 0 && (below != 0 || (kept & 1) != 0)) kept++;
    // Adding lets a carry out of the mantissa raise the field, from the largest denormal to the
    // smallest normal number and from the largest finite one to infinity as well.
    uint64_t bits = kept;
    if (field > 0) bits += (uint64_t)(field - 1) << (format->mantissa_bits - 1);
    return bits < format->infinity ? bits : format->infinity;
}

// -1, 0, 1 as the decimal lies below, on or above the middle between the number with these bits and
// the next one.
static int number_compare_middle(const number_decimal *decimal, uint64_t bits,
                                 const number_format *format) {
    number_big left = {0, {0}}; // the decimal's digits
    int64_t digits = 0;         // taken
    bool more = false;
    uint32_t chunk = 0, scale = 1;
    for (const char *at = decimal->first; at < decimal->end; at++) {
        if (*at == '.') continue;
        if (digits == NUMBER_DIGITS_MAX) {
            more = more || *at != '0';
            continue;
        }
        chunk = chunk * 10 + (uint32_t)(*at - '0');
        scale *= 10;
        digits++;
        if (scale == 1000000000u) {
            number_big_multiply_add(&left, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    if (scale > 1) number_big_multiply_add(&left, scale, chunk);
    int64_t exponent_10 = decimal->exponent + decimal->head_digits - digits;
    if (more) { // one digit more represents the rest: it only says "a little above"
        number_big_multiply_add(&left, 10, 1);
        exponent_10--;
    }

    uint64_t hidden = UINT64_C(1) << (format->mantissa_bits - 1);
    uint64_t field = bits / hidden;
    uint64_t mantissa = bits % hidden + (field > 0 ? hidden : 0);
    int64_t exponent_2 = (field > 0 ? (int64_t)field : 1) - format->bias - 1;
    uint64_t middle = 2 * mantissa + 1;
    number_big right = {0, {0}};
    number_big_push(&right, (uint32_t)middle);
    number_big_push(&right, (uint32_t)(middle >> 32));

    // left * 10^e10 against right * 2^e2, the powers moved to the side where they are whole.
    if (exponent_10 >= 0) number_big_multiply_power_of_5(&left, exponent_10);
    if (exponent_10 < 0) number_big_multiply_power_of_5(&right, -exponent_10);
    int64_t shift = exponent_10 - exponent_2;
    if (shift > 0) number_big_shift(&left, shift);
    if (shift < 0) number_big_shift(&right, -shift);
    return number_big_compare(&left, &right);
}

// Method 1 of the head comment: true, with the bits, if both factors are exact.
static bool number_nearest_exact(const number_decimal *decimal, const number_format *format,
                                 uint64_t *bits) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t most = format == &number_f64 ? 22 : 10; // 5^22 < 2^53, 5^10 < 2^24
    int64_t e = decimal->exponent;
    if (decimal->more || decimal->head > UINT64_C(1) << format->mantissa_bits) return false;
    if (e < -most || e > most) return false;
    double head = (double)(int64_t)decimal->head;
    if (format == &number_f64) {
        double value = e < 0 ? head / powers[-e] : head * powers[e];
        memcpy(bits, &value, sizeof value);
    } else {
        float value = e < 0 ? (float)head / (float)powers[-e] : (float)head * (float)powers[e];
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        *bits = word;
    }
    return true;
}

// The bits of the positive number nearest to the decimal; head is not 0.
static uint64_t number_nearest(const number_decimal *decimal, const number_format *format) {
    uint64_t exact;
    if (number_nearest_exact(decimal, format, &exact)) return exact;
    // head * 10^exponent lies in [10^e, 10^(e + 19)), beyond every format's range here:
    if (decimal->exponent > 310) return format->infinity;
    if (decimal->exponent < -365) return 0;
    int e = (int)decimal->exponent;
    number_wide g = number_power(e);
    uint64_t bounds[2];
    for (int upper = 0; upper < 2; upper++) {
        // head <= digits < head + 1, and g - 1 < power <= g.
        uint64_t head = decimal->head + (upper && decimal->more ? 1 : 0);
        int zeros = ployi_leading_zeros_64(head);
        uint64_t unused, middle;
        uint64_t carry = ployi_multiply_64(g.low, head << zeros, &unused);
        number_wide product;
        product.high = ployi_multiply_64(g.high, head << zeros, &middle);
        product.low = middle + carry;
        if (product.low < carry) product.high++;
        // The product's low 64 bits are cut and g may be one too large: together the true value
        // lies within one unit of the last bit on either side.
        if (upper) {
            product.low++;
            if (product.low == 0) product.high++;
        } else {
            if (product.low == 0) product.high--;
            product.low--;
        }
        // Both factors have their top bit set, so the product's is bit 127 or 126.
        int exponent_2 = number_log2_power(e) - 127 - zeros + 64;
        while (product.high >> 63 ==
               0) { // twice where the lower bound borrowed from a power of two
            product.high = product.high << 1 | product.low >> 63;
            product.low <<= 1;
            exponent_2--;
        }
        bounds[upper] = number_round(product, exponent_2, format);
    }
    if (bounds[0] == bounds[1]) return bounds[0];
    PLOY_ASSERT(bounds[1] == bounds[0] + 1);
    int side = number_compare_middle(decimal, bounds[0], format);
    if (side == 0) return bounds[0] + (bounds[0] & 1); // the even one
    return side < 0 ? bounds[0] : bounds[1];
}

// "nan", "inf" with a sign. Returns its length or 0, and the bits.
static size_t number_scan_special(const char *text, size_t size, const number_format *format,
                                  uint64_t *bits, bool *negative) {
    size_t at = 0;
    *negative = size > 0 && text[0] == '-';
    if (size > 0 && (text[0] == '-' || text[0] == '+')) at = 1;
    if (size - at < 3) return 0;
    if (memcmp(text + at, "inf", 3) == 0) {
        *bits = format->infinity;
        return at + 3;
    }
    if (at == 0 && memcmp(text, "nan", 3) == 0) {
        *bits = format->infinity | format->infinity >> 1; // quiet, as every platform's default
        return 3;
    }
    return 0;
}

// The common part of f64 and f32: gives the positive number's bits and the sign.
static ploy_result number_parse(const char *text, size_t size, size_t *used,
                                const number_format *format, uint64_t *bits, bool *negative) {
    number_decimal decimal;
    size_t length = number_scan(text, size, &decimal);
    bool finite = length > 0;
    if (!finite) length = number_scan_special(text, size, format, bits, negative);
    if (length == 0 || (used == NULL && length != size)) return PLOY_ERR_FORMAT;
    if (used != NULL) *used = length;
    if (!finite) return PLOY_OK;
    *negative = decimal.negative;
    *bits = decimal.head == 0 ? 0 : number_nearest(&decimal, format);
    return *bits == format->infinity ? PLOY_ERR_LIMIT : PLOY_OK;
}

ploy_result ploy_parse_f64(const char *text, size_t size, size_t *used, double *out) {
    uint64_t bits = 0;
    bool negative = false;
    ploy_result result = number_parse(text, size, used, &number_f64, &bits, &negative);
    if (result != PLOY_OK) return result;
    if (negative) bits |= UINT64_C(1) << 63;
    memcpy(out, &bits, sizeof bits);
    return PLOY_OK;
}

ploy_result ploy_parse_f32(const char *text, size_t size, size_t *used, float *out) {
    uint64_t bits = 0;
    bool negative = false;
    ploy_result result = number_parse(text, size, used, &number_f32, &bits, &negative);
    if (result != PLOY_OK) return result;
    uint32_t word = (uint32_t)bits | (negative ? UINT32_C(1) << 31 : 0);
    memcpy(out, &word, sizeof word);
    return PLOY_OK;
}

// Digits in base 10 or 16 from *at on. PLOY_ERR_FORMAT if there are none; PLOY_ERR_LIMIT if they
// exceed max, *at still moved behind all of them.
static ploy_result number_parse_digits(const char *text, size_t size, size_t *at, unsigned base,
                                       uint64_t max, uint64_t *out) {
    size_t from = *at;
    uint64_t value = 0;
    ploy_result result = PLOY_OK;
    for (; *at < size; ++*at) {
        char c = text[*at];
        unsigned digit = 99;
        if (number_is_digit(c)) digit = (unsigned)(c - '0');
        if (c >= 'a' && c <= 'f') digit = (unsigned)(c - 'a') + 10;
        if (c >= 'A' && c <= 'F') digit = (unsigned)(c - 'A') + 10;
        if (digit >= base) break;
        if (value > (max - digit) / base) result = PLOY_ERR_LIMIT;
        value = value * base + digit;
    }
    if (*at == from) return PLOY_ERR_FORMAT;
    if (result == PLOY_OK) *out = value;
    return result;
}

// Applies the rule of `used` that all readers share.
static ploy_result number_parse_end(ploy_result result, size_t at, size_t size, size_t *used) {
    if (result == PLOY_ERR_FORMAT || (used == NULL && at != size)) return PLOY_ERR_FORMAT;
    if (used != NULL) *used = at;
    return result;
}

ploy_result ploy_parse_i64(const char *text, size_t size, size_t *used, int64_t *out) {
    bool negative = size > 0 && text[0] == '-';
    size_t at = size > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    uint64_t max = negative ? UINT64_C(1) << 63 : (uint64_t)INT64_MAX;
    uint64_t value = 0;
    ploy_result result = number_parse_digits(text, size, &at, 10, max, &value);
    result = number_parse_end(result, at, size, used);
    if (result != PLOY_OK) return result;
    // -value - 1 keeps INT64_MIN within what the conversion defines.
    *out = negative && value > 0 ? -(int64_t)(value - 1) - 1 : (int64_t)value;
    return PLOY_OK;
}

ploy_result ploy_parse_u64(const char *text, size_t size, size_t *used, uint64_t *out) {
    size_t at = size > 0 && text[0] == '+' ? 1 : 0;
    uint64_t value = 0;
    ploy_result result = number_parse_digits(text, size, &at, 10, UINT64_MAX, &value);
    result = number_parse_end(result, at, size, used);
    if (result == PLOY_OK) *out = value;
    return result;
}

ploy_result ploy_parse_hex64(const char *text, size_t size, size_t *used, uint64_t *out) {
    size_t at = 0;
    uint64_t value = 0;
    ploy_result result = number_parse_digits(text, size, &at, 16, UINT64_MAX, &value);
    result = number_parse_end(result, at, size, used);
    if (result == PLOY_OK) *out = value;
    return result;
}

// Printing -----------------------------------------------------------------------------------

// floor(m * g / 2^128), its lowest bit set if anything but a rounding trace was cut (rounding to
// odd), so that comparisons with even bounds come out as they would with the exact product.
static uint64_t number_scale(number_wide g, uint64_t m) {
    uint64_t unused, low;
    uint64_t carry = ployi_multiply_64(g.low, m, &unused);
    uint64_t high = ployi_multiply_64(g.high, m, &low);
    low += carry;
    if (low < carry) high++;
    return high | (low > 1 ? 1 : 0);
}

// The shortest decimal digits * 10^*exponent_10 that rounds to mantissa * 2^exponent, and of those
// the nearest to it. closer_below: the number is a power of two, so that the neighbour below is
// half as far away as the one above.
static uint64_t number_shortest(uint64_t mantissa, int exponent, bool closer_below,
                                int *exponent_10) {
    // 10^k is the largest power of ten that fits into the interval: 1262611 / 2^22 is log10(2),
    // 524031 / 2^22 is -log10(3 / 4).
    int k = number_floor_shift((int64_t)exponent * 1262611 - (closer_below ? 524031 : 0), 22);
    number_wide g = number_power(-k);
    int shift = exponent + number_log2_power(-k) + 1;
    // All in quarters of 10^k. The ends belong to the interval where ties round to this number.
    uint64_t odd = mantissa & 1;
    uint64_t below = number_scale(g, (4 * mantissa - (closer_below ? 1 : 2)) << shift) + odd;
    uint64_t value = number_scale(g, (4 * mantissa) << shift);
    uint64_t above = number_scale(g, (4 * mantissa + 2) << shift) - odd;
    uint64_t units = value / 4;
    // A multiple of ten within the interval is shorter than anything else in it.
    uint64_t tens = units / 10;
    bool lower_fits = below <= 40 * tens;
    bool upper_fits = 40 * tens + 40 <= above;
    if (lower_fits != upper_fits) {
        *exponent_10 = k + 1;
        return lower_fits ? tens : tens + 1;
    }
    *exponent_10 = k;
    lower_fits = below <= 4 * units;
    upper_fits = 4 * units + 4 <= above;
    if (lower_fits != upper_fits) return lower_fits ? units : units + 1;
    uint64_t middle = 4 * units + 2;
    bool up = value > middle || (value == middle && (units & 1) != 0);
    return up ? units + 1 : units;
}

// Digits of value from the left, without a closing zero; returns how many.
static int number_digits(uint64_t value, char *out) {
    char reversed[20];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    for (int i = 0; i < count; i++) out[i] = reversed[count - 1 - i];
    return count;
}

static size_t number_print(uint64_t bits, bool negative, const number_format *format, char *out) {
    char *at = out;
    if (bits > format->infinity) {
        memcpy(out, "nan", 4);
        return 3;
    }
    if (negative) *at++ = '-';
    if (bits == format->infinity || bits == 0) {
        const char *text = bits == 0 ? "0" : "inf";
        size_t size = strlen(text);
        memcpy(at, text, size + 1);
        return (size_t)(at - out) + size;
    }
    uint64_t hidden = UINT64_C(1) << (format->mantissa_bits - 1);
    uint64_t field = bits / hidden;
    uint64_t mantissa = bits % hidden + (field > 0 ? hidden : 0);
    int exponent = (field > 0 ? (int)field : 1) - format->bias;
    int exponent_10;
    uint64_t value =
        number_shortest(mantissa, exponent, mantissa == hidden && field > 1, &exponent_10);
    while (value % 10 == 0) {
        value /= 10;
        exponent_10++;
    }
    char digits[20];
    int count = number_digits(value, digits);
    int point = count + exponent_10; // the value is 0.digits * 10^point
    if (point >= -4 && point <= 17) {
        int i = 0;
        if (point <= 0) *at++ = '0';
        for (; i < point; i++) *at++ = i < count ? digits[i] : '0';
        if (i < count) *at++ = '.';
        for (int zeros = point; zeros < 0; zeros++) *at++ = '0';
        for (; i < count; i++) *at++ = digits[i];
    } else {
        *at++ = digits[0];
        if (count > 1) *at++ = '.';
        for (int i = 1; i < count; i++) *at++ = digits[i];
        *at++ = 'e';
        int e = point - 1;
        if (e < 0) *at++ = '-';
        at += number_digits((uint64_t)(e < 0 ? -e : e), at);
    }
    *at = 0;
    return (size_t)(at - out);
}

size_t ploy_print_f64(double value, char *out) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = UINT64_C(1) << 63;
    return number_print(bits & ~sign, (bits & sign) != 0, &number_f64, out);
}

size_t ploy_print_f32(float value, char *out) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = UINT32_C(1) << 31;
    return number_print(bits & ~sign, (bits & sign) != 0, &number_f32, out);
}

size_t ploy_print_i64(int64_t value, char *out) {
    size_t at = 0;
    if (value < 0) out[at++] = '-';
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return at + ploy_print_u64(size, out + at);
}

size_t ploy_print_u64(uint64_t value, char *out) {
    int count = number_digits(value, out);
    out[count] = 0;
    return (size_t)count;
}

size_t ploy_print_hex64(uint64_t value, char *out) {
    for (int i = 0; i < 16; i++) out[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
    out[16] = 0;
    return 16;
}

#undef NUMBER_POWER_STEP
#undef NUMBER_POWER_MIN
#undef NUMBER_POWER_MAX
#undef NUMBER_BIG_WORDS
#undef NUMBER_DIGITS_MAX
#undef NUMBER_EXPONENT_MAX
