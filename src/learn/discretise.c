// Bins, sectors and codes of states; see the header.
#include "ploy/learn/discretise.h"

#include "ploy/base/math.h"
#include "ploy/base/number.h"

#include <stdio.h>
#include <string.h>

int32_t ploy_bins_find(const ploy_bins *bins, double value) {
    int32_t low = 0, high = bins->count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (value < bins->thresholds[middle]) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void bins_add(ploy_bins *bins, double threshold, double least) {
    double last = bins->count > 0 ? bins->thresholds[bins->count - 1] : least;
    if (threshold > last && bins->count < PLOY_BINS_MAX)
        bins->thresholds[bins->count++] = threshold;
}

static bool bins_valid(const double *values, int32_t count, int32_t bins, const ploy_bins *out) {
    return out != NULL && count >= 0 && (values != NULL || count == 0) && bins >= 1 &&
           bins <= PLOY_BINS_MAX + 1;
}

ploy_result ploy_bins_equal_width(const double *values, int32_t count, int32_t bins,
                                  ploy_bins *out) {
    if (!bins_valid(values, count, bins, out)) return PLOY_ERR_ARGUMENT;
    double low = PLOY_MISSING, high = -PLOY_MISSING;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_is_missing(values[i])) continue;
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    ploy_bins made = {{0}, 0};
    for (int32_t i = 1; i < bins && low < high; i++) {
        bins_add(&made, low + (high - low) * i / bins, low);
    }
    *out = made;
    return PLOY_OK;
}

// Heap sort: no memory, and O(n log n) in every case. Missing values come last.
static void bins_sift(double *values, int32_t root, int32_t count) {
    for (int32_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && values[child] < values[child + 1]) child++;
        if (!(values[root] < values[child])) return;
        double value = values[root];
        values[root] = values[child];
        values[child] = value;
    }
}

// @return the number of values that are not missing.
static int32_t bins_sort(double *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (ploy_is_missing(values[i])) values[i] = PLOY_MISSING; // NaN has no order
    }
    for (int32_t i = count / 2 - 1; i >= 0; i--) bins_sift(values, i, count);
    for (int32_t i = count - 1; i > 0; i--) {
        double value = values[0];
        values[0] = values[i];
        values[i] = value;
        bins_sift(values, 0, i);
    }
    while (count > 0 && ploy_is_missing(values[count - 1])) count--;
    return count;
}

ploy_result ploy_bins_equal_frequency(double *values, int32_t count, int32_t bins, ploy_bins *out) {
    if (!bins_valid(values, count, bins, out)) return PLOY_ERR_ARGUMENT;
    count = bins_sort(values, count);
    ploy_bins made = {{0}, 0};
    for (int32_t i = 1; i < bins && count > 0; i++) {
        int32_t at = (int32_t)((int64_t)count * i / bins);
        if (at <= 0 || at >= count) continue;
        // Halfway, unless equal values lie on both sides; then they all go up.
        double below = values[at - 1], above = values[at];
        bins_add(&made, below < above ? below + (above - below) * 0.5 : above, values[0]);
    }
    *out = made;
    return PLOY_OK;
}

ploy_result ploy_bins_clusters(double *values, int32_t count, int32_t bins, ploy_bins *out) {
    if (!bins_valid(values, count, bins, out)) return PLOY_ERR_ARGUMENT;
    count = bins_sort(values, count);
    ploy_bins made = {{0}, 0};
    double centres[PLOY_BINS_MAX + 1];
    for (int32_t i = 0; i < bins && count > 0; i++) {
        centres[i] = values[(int32_t)(((int64_t)2 * i + 1) * count / (2 * bins))];
    }
    for (int32_t round = 0; round < 100 && count > 0; round++) {
        bool changed = false;
        int32_t at = 0;
        for (int32_t i = 0; i < bins; i++) { // sorted, so each cluster is a run
            double sum = 0.0;
            int32_t first = at;
            for (; at < count; at++) {
                if (i + 1 < bins && values[at] >= 0.5 * (centres[i] + centres[i + 1])) break;
                sum += values[at];
            }
            double centre = at > first ? sum / (at - first) : centres[i];
            changed = changed || centre != centres[i];
            centres[i] = centre;
        }
        if (!changed) break;
    }
    for (int32_t i = 1; i < bins && count > 0; i++) {
        bins_add(&made, 0.5 * (centres[i - 1] + centres[i]), values[0]);
    }
    *out = made;
    return PLOY_OK;
}

int32_t ploy_sector(double angle, int32_t sectors) {
    if (sectors <= 1 || !ploy_is_finite_d(angle)) return 0;
    const double turn = 6.283185307179586;
    double share = angle / turn + 0.5 / sectors;
    share -= floor(share);
    int32_t sector = (int32_t)(share * sectors);
    return sector < sectors ? sector : 0;
}

ploy_result ploy_state_code_make(const int32_t *radix, int32_t parts, uint64_t limit,
                                 const ploy_env *env, ploy_state_code *out) {
    if (radix == NULL || out == NULL || parts < 1 || parts > PLOY_STATE_PARTS_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_state_code code;
    memset(&code, 0, sizeof code);
    code.parts = parts;
    code.states = 1;
    double size = 1.0;
    for (int32_t i = 0; i < parts; i++) {
        if (radix[i] < 1) return PLOY_ERR_ARGUMENT;
        code.radix[i] = radix[i];
        size *= radix[i];
        if (size < 1e18) code.states *= (uint64_t)radix[i];
    }
    if (size >= 1e18 || code.states > limit) {
        char text[128];
        char number[PLOY_PRINT_F64_SIZE];
        ploy_print_f64(size, number);
        snprintf(text, sizeof text, "%s states are more than the limit of %llu", number,
                 (unsigned long long)limit);
        ploy_env_log(env, PLOY_SEVERITY_ERROR, text);
        return PLOY_ERR_LIMIT;
    }
    *out = code;
    return PLOY_OK;
}

uint64_t ploy_state_encode(const ploy_state_code *code, const int32_t *values) {
    uint64_t state = 0;
    for (int32_t i = 0; i < code->parts; i++) {
        int32_t value = values[i] < 0                ? 0
                        : values[i] < code->radix[i] ? values[i]
                                                     : code->radix[i] - 1;
        state = state * (uint64_t)code->radix[i] + (uint64_t)value;
    }
    return state;
}

void ploy_state_decode(const ploy_state_code *code, uint64_t state, int32_t *values) {
    for (int32_t i = code->parts - 1; i >= 0; i--) {
        values[i] = (int32_t)(state % (uint64_t)code->radix[i]);
        state /= (uint64_t)code->radix[i];
    }
}
