// Doubles with a given number of digits, exactly rounded, without a locale.
//
// A double is m * 2^e. For e >= 0 that is an integer; for e < 0 it is m * 5^-e with the point
// moved -e places. In both cases all decimal digits come from one big integer, at most 770 of them.
#include <string.h>

#include "ploy/base/number.h"
#include "ploy/decide/rule_value.h"

enum { FLOAT_WORDS = 130, FLOAT_DIGITS = FLOAT_WORDS * 9 };

typedef struct float_digits {
    char digits[FLOAT_DIGITS + 1]; // '0' to '9', the first one not zero unless the number is
    int32_t count;
    int32_t point; // digits before the decimal point; may be negative
} float_digits;

static void float_multiply(uint32_t *words, int32_t *count, uint32_t by) {
    uint64_t carry = 0;
    for (int32_t i = 0; i < *count; i++) {
        uint64_t product = (uint64_t)words[i] * by + carry;
        words[i] = (uint32_t)(product % 1000000000u);
        carry = product / 1000000000u;
    }
    while (carry > 0) {
        words[(*count)++] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
    }
}

static void float_expand(double value, float_digits *out) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & 0xFFFFFFFFFFFFFu;
    int32_t exponent = (int32_t)(bits >> 52 & 0x7FF);
    if (exponent > 0) mantissa |= 1ull << 52;
    exponent = (exponent > 0 ? exponent : 1) - 1075;
    uint32_t words[FLOAT_WORDS] = {0};
    int32_t count = 0;
    for (uint64_t rest = mantissa; rest > 0; rest /= 1000000000u) {
        words[count++] = (uint32_t)(rest % 1000000000u);
    }
    for (int32_t i = 0; i < exponent; i++) float_multiply(words, &count, 2);
    for (int32_t i = 0; i < -exponent; i++) float_multiply(words, &count, 5);
    out->count = 0;
    for (int32_t i = count; i-- > 0;) {
        for (uint32_t place = 100000000u; place > 0; place /= 10) {
            char digit = (char)('0' + words[i] / place % 10);
            if (out->count > 0 || digit != '0') out->digits[out->count++] = digit;
        }
    }
    out->point = out->count + (exponent < 0 ? exponent : 0);
    if (out->count == 0) {
        out->digits[out->count++] = '0';
        out->point = 1;
    }
}

// Cuts to `keep` digits (below 1: none, or one if it rounds up), to the nearest, ties to even.
static void float_round(float_digits *number, int32_t keep) {
    if (keep >= number->count) return;
    if (keep < 0) {
        number->digits[0] = '0';
        number->count = 1;
        number->point = 1;
        return;
    }
    bool up = number->digits[keep] > '5';
    if (number->digits[keep] == '5') {
        for (int32_t i = keep + 1; i < number->count && !up; i++) up = number->digits[i] != '0';
        if (!up) up = keep > 0 && (number->digits[keep - 1] - '0') % 2 == 1;
    }
    number->count = keep;
    int32_t at = keep;
    while (up && at > 0) {
        if (number->digits[at - 1]++ < '9') up = false;
        if (up) number->digits[at - 1] = '0';
        at--;
    }
    if (up) {
        memmove(number->digits + 1, number->digits, (size_t)number->count);
        number->digits[0] = '1';
        number->point++;
        number->count = keep == 0 ? 1 : number->count; // the last one is a zero then
    }
    if (number->count == 0) {
        number->digits[number->count++] = '0';
        number->point = 1;
    }
}

static char float_at(const float_digits *number, int32_t index) {
    return index >= 0 && index < number->count ? number->digits[index] : '0';
}

static size_t float_write_fixed(const float_digits *number, int32_t places, char *out) {
    size_t size = 0;
    if (number->point <= 0) out[size++] = '0';
    for (int32_t i = 0; i < number->point; i++) out[size++] = float_at(number, i);
    if (places > 0) out[size++] = '.';
    for (int32_t i = 0; i < places; i++) out[size++] = float_at(number, number->point + i);
    return size;
}

static size_t float_write_exponent(const float_digits *number, int32_t places, bool zero,
                                   char *out) {
    size_t size = 0;
    out[size++] = float_at(number, 0);
    if (places > 0) out[size++] = '.';
    for (int32_t i = 1; i <= places; i++) out[size++] = float_at(number, i);
    int32_t exponent = zero ? 0 : number->point - 1;
    out[size++] = 'e';
    out[size++] = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent < 10) out[size++] = '0';
    return size + ploy_print_i64(exponent, out + size);
}

size_t ploy_rule_print_float(double value, char conversion, int32_t precision, char *out) {
    size_t size = 0;
    if (precision < 0) precision = 6;
    if (precision > 100) precision = 100;
    uint64_t bits = 0; // the macros of math.h warn with some compilers
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63 != 0) out[size++] = '-';
    if ((bits >> 52 & 0x7FF) == 0x7FF) {
        memcpy(out + size, (bits & 0xFFFFFFFFFFFFFu) != 0 ? "nan" : "inf", 4);
        return size + 3;
    }
    float_digits number;
    float_expand(value, &number);
    bool zero = number.digits[0] == '0';
    if (conversion == 'f') {
        float_round(&number, number.point + precision);
        size += float_write_fixed(&number, precision, out + size);
    } else if (conversion == 'e') {
        float_round(&number, precision + 1);
        size += float_write_exponent(&number, precision, zero, out + size);
    } else {
        int32_t wanted = precision == 0 ? 1 : precision;
        float_round(&number, wanted);
        int32_t exponent = zero ? 0 : number.point - 1;
        int32_t last = number.count; // without the zeros at the end
        while (last > 1 && number.digits[last - 1] == '0') last--;
        if (exponent < -4 || exponent >= wanted) {
            size += float_write_exponent(&number, last - 1, zero, out + size);
        } else {
            int32_t places = last - number.point;
            size += float_write_fixed(&number, places < 0 ? 0 : places, out + size);
        }
    }
    out[size] = '\0';
    return size;
}
