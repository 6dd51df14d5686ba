// Distributions and the people drawn from them; the techniques are described in the header.
//
// Everything is drawn through the quantile function: a free draw takes it at a random place, a
// quota at evenly spaced places in random order. So one test of the quantiles covers both.
#include "ploy/exec/distribution.h"

#include "exec/exec_internal.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

#define DISTRIBUTION_LIMIT 1e9f        // largest mean, deviation, x_min and sample
#define DISTRIBUTION_EXPONENT_MIN 1.01 // below it a sum of a few samples has no end
#define DISTRIBUTION_EXPONENT_MAX 100.0

static const char *const distribution_kinds[] = {"normal", "power", "histogram"};

const char *ployi_distribution_kind_text(ploy_distribution_kind kind) {
    bool known = (uint32_t)kind < sizeof distribution_kinds / sizeof distribution_kinds[0];
    return known ? distribution_kinds[kind] : "?";
}

static ploy_distribution distribution_make(ploy_distribution_kind kind) {
    ploy_distribution out;
    memset(&out, 0, sizeof out);
    out.kind = kind;
    out.min = -DISTRIBUTION_LIMIT;
    out.max = DISTRIBUTION_LIMIT;
    return out;
}

ploy_distribution ploy_distribution_normal(float mean, float deviation) {
    ploy_distribution out = distribution_make(PLOY_DISTRIBUTION_NORMAL);
    out.mean = mean;
    out.deviation = deviation;
    return out;
}

ploy_distribution ploy_distribution_power(float x_min, float exponent) {
    ploy_distribution out = distribution_make(PLOY_DISTRIBUTION_POWER);
    out.x_min = x_min;
    out.exponent = exponent;
    return out;
}

ploy_distribution ploy_distribution_histogram(const int32_t *counts, int32_t bins) {
    ploy_distribution out = distribution_make(PLOY_DISTRIBUTION_HISTOGRAM);
    out.bins = ploy_clampi(bins, 1, PLOY_DISTRIBUTION_BINS_MAX);
    if (counts != NULL) memcpy(out.counts, counts, (size_t)out.bins * sizeof counts[0]);
    out.min = 0.0f;
    out.max = (float)(out.bins - 1);
    return out;
}

ploy_result ployi_distribution_check(const ploy_distribution *d) {
    if (d == NULL || !ploy_in_range(d->min, -DISTRIBUTION_LIMIT, DISTRIBUTION_LIMIT) ||
        !ploy_in_range(d->max, d->min, DISTRIBUTION_LIMIT)) {
        return PLOY_ERR_ARGUMENT;
    }
    bool fine = false;
    switch (d->kind) {
    case PLOY_DISTRIBUTION_NORMAL:
        fine = ploy_in_range(d->mean, -DISTRIBUTION_LIMIT, DISTRIBUTION_LIMIT) &&
               ploy_in_range(d->deviation, 0.0f, DISTRIBUTION_LIMIT);
        break;
    case PLOY_DISTRIBUTION_POWER:
        fine = d->x_min > 0.0f && d->x_min <= DISTRIBUTION_LIMIT &&
               ploy_in_range(d->exponent, (float)DISTRIBUTION_EXPONENT_MIN,
                             (float)DISTRIBUTION_EXPONENT_MAX);
        break;
    case PLOY_DISTRIBUTION_HISTOGRAM:
        fine = d->bins >= 1 && d->bins <= PLOY_DISTRIBUTION_BINS_MAX;
        for (int32_t i = 0; fine && i < d->bins; i++) fine = d->counts[i] >= 0;
        break;
    }
    return fine ? PLOY_OK : PLOY_ERR_ARGUMENT;
}

// ---- quantiles

// A ratio of two polynomials with 6 coefficients above, and below 4 or 5 and a one: the caller's
// `below` has a leading zero where there are 4.
static double distribution_ratio(const double above[6], const double below[5], double x) {
    double a = above[0], b = below[0];
    for (int32_t i = 1; i < 6; i++) a = a * x + above[i];
    for (int32_t i = 1; i < 5; i++) b = b * x + below[i];
    return a / (b * x + 1.0);
}

// The inverse of the normal distribution, by P. J. Acklam's rational approximation: its relative
// error is below 1.15e-9.
static double distribution_normal_quantile(double u) {
    static const double centre_above[6] = {-3.969683028665376e+01, 2.209460984245205e+02,
                                           -2.759285104469687e+02, 1.383577518672690e+02,
                                           -3.066479806614716e+01, 2.506628277459239e+00};
    static const double centre_below[5] = {-5.447609879822406e+01, 1.615858368580409e+02,
                                           -1.556989798598866e+02, 6.680131188771972e+01,
                                           -1.328068155288572e+01};
    static const double tail_above[6] = {-7.784894002430293e-03, -3.223964580411365e-01,
                                         -2.400758277161838e+00, -2.549732539343734e+00,
                                         4.374664141464968e+00,  2.938163982698783e+00};
    static const double tail_below[5] = {0.0, 7.784695709041462e-03, 3.224671290700398e-01,
                                         2.445134137142996e+00, 3.754408661907416e+00};
    static const double tail = 0.02425;
    if (u < tail) return distribution_ratio(tail_above, tail_below, sqrt(-2.0 * ploy_log(u)));
    if (u > 1.0 - tail) {
        return -distribution_ratio(tail_above, tail_below, sqrt(-2.0 * ploy_log(1.0 - u)));
    }
    double x = u - 0.5;
    return x * distribution_ratio(centre_above, centre_below, x * x);
}

static int64_t distribution_total(const ploy_distribution *d) {
    int64_t total = 0;
    for (int32_t i = 0; i < d->bins && i < PLOY_DISTRIBUTION_BINS_MAX; i++) total += d->counts[i];
    return total;
}

static int32_t distribution_bin(const ploy_distribution *d, double u) {
    double at = u * (double)distribution_total(d), sum = 0.0;
    int32_t last = 0;
    for (int32_t i = 0; i < d->bins && i < PLOY_DISTRIBUTION_BINS_MAX; i++) {
        if (d->counts[i] <= 0) continue; // never drawn, not even by a rounding
        sum += (double)d->counts[i];
        last = i;
        if (at < sum) return i;
    }
    return last;
}

static float distribution_at(const ploy_distribution *d, double u) {
    // Half of the least step of the draws away from both ends, where some quantiles are infinite.
    const double edge = 1.0 / 8589934592.0;
    u = u > edge ? u < 1.0 - edge ? u : 1.0 - edge : edge;
    double value = 0.0;
    switch (d->kind) {
    case PLOY_DISTRIBUTION_NORMAL:
        value = (double)d->mean + (double)d->deviation * distribution_normal_quantile(u);
        break;
    case PLOY_DISTRIBUTION_POWER:
        value = (double)d->x_min * ploy_pow(1.0 - u, -1.0 / ((double)d->exponent - 1.0));
        break;
    case PLOY_DISTRIBUTION_HISTOGRAM: value = (double)distribution_bin(d, u); break;
    }
    value = value < (double)d->max ? value : (double)d->max;
    return value > (double)d->min ? (float)value : d->min;
}

float ployi_distribution_quantile(const ploy_distribution *distribution, float u) {
    return distribution_at(distribution, (double)u);
}

// The middle of one of 2^32 equal parts of (0, 1).
static double distribution_unit(ploy_rng_key key, uint32_t id, uint32_t draw) {
    return ((double)ploy_rng_u32_at(key, id, 0, draw) + 0.5) / 4294967296.0;
}

float ploy_distribution_sample(const ploy_distribution *distribution, ploy_rng_key key, uint32_t id,
                               uint32_t draw) {
    return distribution_at(distribution, distribution_unit(key, id, draw));
}

// ---- quotas

// A place in a random order of 0 to count - 1 that needs no table: a Feistel network over the next
// even power of two permutes, and places beyond count are permuted again (at most four times as
// many numbers, so that four rounds are expected at the worst).
static uint32_t distribution_shuffled(uint32_t index, uint32_t count, uint64_t seed) {
    uint32_t half = 1;
    while (((uint64_t)1 << (2 * half)) < count) half++;
    uint32_t mask = ((uint32_t)1 << half) - 1;
    do {
        uint32_t left = index >> half, right = index & mask;
        for (uint64_t round = 0; round < 6; round++) {
            uint64_t mixed = ploy_hash_combine(seed + round, right);
            uint32_t next = (left ^ (uint32_t)(mixed >> 32)) & mask;
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

float ploy_distribution_quota(const ploy_distribution *distribution, int32_t count, int32_t index,
                              ploy_rng_key key, uint32_t draw) {
    uint32_t people = (uint32_t)ploy_maxi(count, 1);
    uint32_t start = (uint32_t)ploy_maxi(index, 0) % people;
    uint32_t place = distribution_shuffled(start, people, ploy_rng_key_split(key, draw).bits);
    // Categories get the middle of each part, for then their numbers are right to within one.
    bool exact = distribution->kind == PLOY_DISTRIBUTION_HISTOGRAM;
    double inside = exact ? 0.5 : distribution_unit(key, start, draw);
    return distribution_at(distribution, ((double)place + inside) / (double)people);
}

// ---- people

static bool distribution_people_fine(const ploy_people *people, int32_t properties) {
    return people != NULL && properties >= 0 && people->count >= 0 &&
           people->stride >= properties && (people->count == 0 || people->values != NULL);
}

static bool distribution_named(const ploy_people *people, int32_t row) {
    return people->named != NULL && people->named[row] != 0;
}

static float *distribution_value(const ploy_people *people, int32_t row, int32_t property) {
    return &people->values[(size_t)row * (size_t)people->stride + (size_t)property];
}

static bool distribution_counts(const ploy_distribution *d, float value) {
    if (!ploy_is_finite(value)) return false;
    switch (d->kind) {
    case PLOY_DISTRIBUTION_POWER: return value > 0.0f && value >= d->x_min;
    case PLOY_DISTRIBUTION_HISTOGRAM:
        return value >= 0.0f && value < (float)d->bins && value == floorf(value);
    case PLOY_DISTRIBUTION_NORMAL: break;
    }
    return true;
}

// Two passes: the mean first, because the shorter formula loses the digits of a small deviation.
static void distribution_fit_normal(const ploy_people *people, int32_t property, int32_t counted,
                                    double sum, ploy_distribution *d) {
    double mean = sum / (double)counted, squares = 0.0;
    for (int32_t i = 0; i < people->count; i++) {
        float value = *distribution_value(people, i, property);
        if (distribution_named(people, i) || !distribution_counts(d, value)) continue;
        squares += ((double)value - mean) * ((double)value - mean);
    }
    d->mean = (float)mean;
    d->deviation = (float)sqrt(squares / (double)counted);
}

static void distribution_fit_power(const ploy_people *people, int32_t property, int32_t counted,
                                   float smallest, ploy_distribution *d) {
    double x_min = d->x_min > 0.0f ? (double)d->x_min : (double)smallest, logs = 0.0;
    for (int32_t i = 0; i < people->count; i++) {
        float value = *distribution_value(people, i, property);
        if (distribution_named(people, i) || !distribution_counts(d, value)) continue;
        logs += ploy_log((double)value / x_min);
    }
    // Equal members have no exponent; the steepest one keeps them so.
    double exponent = logs > 0.0 ? 1.0 + (double)counted / logs : DISTRIBUTION_EXPONENT_MAX;
    exponent = exponent < DISTRIBUTION_EXPONENT_MAX ? exponent : DISTRIBUTION_EXPONENT_MAX;
    d->exponent = (float)(exponent > DISTRIBUTION_EXPONENT_MIN ? exponent : 1.0101);
    d->x_min = (float)x_min;
}

int32_t ploy_people_estimate(const ploy_people *people, int32_t property,
                             ploy_distribution *distribution) {
    if (property < 0 || !distribution_people_fine(people, property + 1)) return 0;
    int32_t counted = 0, bins[PLOY_DISTRIBUTION_BINS_MAX] = {0};
    double sum = 0.0;
    float smallest = 0.0f;
    bool histogram = distribution->kind == PLOY_DISTRIBUTION_HISTOGRAM;
    if (histogram)
        distribution->bins = ploy_clampi(distribution->bins, 1, PLOY_DISTRIBUTION_BINS_MAX);
    for (int32_t i = 0; i < people->count; i++) {
        float value = *distribution_value(people, i, property);
        if (distribution_named(people, i) || !distribution_counts(distribution, value)) continue;
        sum += (double)value;
        if (histogram) bins[(int32_t)value]++;
        smallest = counted == 0 ? value : ploy_minf(smallest, value);
        counted++;
    }
    if (counted == 0) return 0;
    switch (distribution->kind) {
    case PLOY_DISTRIBUTION_NORMAL:
        distribution_fit_normal(people, property, counted, sum, distribution);
        break;
    case PLOY_DISTRIBUTION_POWER:
        distribution_fit_power(people, property, counted, smallest, distribution);
        break;
    case PLOY_DISTRIBUTION_HISTOGRAM:
        memcpy(distribution->counts, bins, sizeof distribution->counts);
        break;
    }
    return counted;
}

static int32_t distribution_nameless(const ploy_people *people) {
    int32_t count = 0;
    for (int32_t i = 0; i < people->count; i++) count += distribution_named(people, i) ? 0 : 1;
    return count;
}

ploy_result ploy_people_compress(const ploy_people *people, ploy_distribution *distributions,
                                 int32_t properties, int32_t *count) {
    if (!distribution_people_fine(people, properties) || distributions == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t p = 0; p < properties; p++) ploy_people_estimate(people, p, &distributions[p]);
    if (count != NULL) *count = distribution_nameless(people);
    return PLOY_OK;
}

ploy_result ploy_people_sample(const ploy_people *people, const ploy_distribution *distributions,
                               int32_t properties, ploy_rng_key key, bool quota) {
    if (!distribution_people_fine(people, properties) || distributions == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t p = 0; p < properties; p++) {
        if (ployi_distribution_check(&distributions[p]) != PLOY_OK) return PLOY_ERR_ARGUMENT;
    }
    int32_t nameless = distribution_nameless(people), order = 0;
    for (int32_t i = 0; i < people->count; i++) {
        if (distribution_named(people, i)) continue;
        uint32_t id = people->ids != NULL ? people->ids[i] : (uint32_t)i;
        for (int32_t p = 0; p < properties; p++) {
            const ploy_distribution *d = &distributions[p];
            *distribution_value(people, i, p) =
                quota ? ploy_distribution_quota(d, nameless, order, key, (uint32_t)p)
                      : ploy_distribution_sample(d, key, id, (uint32_t)p);
        }
        order++;
    }
    return PLOY_OK;
}

void ploy_distribution_describe(const ploy_distribution *d, ploy_mark mark, ploy_describe *out) {
    ploy_describe_text(out, "kind", mark, ployi_distribution_kind_text(d->kind));
    ploy_describe_f32(out, "min", mark, d->min);
    ploy_describe_f32(out, "max", mark, d->max);
    switch (d->kind) {
    case PLOY_DISTRIBUTION_NORMAL:
        ploy_describe_f32(out, "mean", mark, d->mean);
        ploy_describe_f32(out, "deviation", mark, d->deviation);
        break;
    case PLOY_DISTRIBUTION_POWER:
        ploy_describe_f32(out, "x_min", mark, d->x_min);
        ploy_describe_f32(out, "exponent", mark, d->exponent);
        break;
    case PLOY_DISTRIBUTION_HISTOGRAM:
        for (int32_t i = 0; i < d->bins && i < PLOY_DISTRIBUTION_BINS_MAX; i++) {
            ploy_describe_begin_item(out, i);
            ploy_describe_i64(out, "count", mark, d->counts[i]);
            ploy_describe_end(out);
        }
        break;
    }
}

#undef DISTRIBUTION_LIMIT
#undef DISTRIBUTION_EXPONENT_MIN
#undef DISTRIBUTION_EXPONENT_MAX
