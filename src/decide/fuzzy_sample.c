// Samples of an output's terms, taken once when a fuzzy system is finished.
//
// Most outputs are divided by a row of sets: each rises to a peak and falls again, overlaps the
// next in the row between the two peaks only, and no other. Clipped and joined by max, each of them
// then owns the samples between two borders, and has them in three parts: below the degree, flat,
// and below the degree again. Sums of the samples are kept here, so that a part's share in a
// centroid is a difference of two of them: a centroid takes a few look-ups, however many samples
// there are.
//
//     low \    /\ middle   / high       areas[i]    sum of the samples before i
//          \  /  \       /             moments[i]  sum of each times its number
//     ------\/----\-----/- degree      rise[k]     the first sample not below level k
//           /\     \   /               fall[k]     one past the last
//          /  \     \ /                meet        where two whole sets cross
#include "fuzzy_internal.h"
#include "ploy/base/math.h"

// Beyond that many numbers an output is not sampled ahead.
enum { FUZZY_SAMPLE_TABLE_MAX = 1 << 20 };

// Finds the term's peak. False unless it rises to it and falls from it, and is finite.
static bool fuzzy_sample_peak(ployi_fuzzy_term *term) {
    int32_t peak = term->first;
    for (int32_t i = term->first; i < term->last; i++) {
        if (!ploy_is_finite_d(term->table[i])) return false;
        if (term->table[i] > term->table[peak]) peak = i;
    }
    for (int32_t i = term->first + 1; i < term->last; i++) {
        bool rises = term->table[i] >= term->table[i - 1],
             falls = term->table[i] <= term->table[i - 1];
        if (i <= peak ? !rises : !falls) return false;
    }
    term->peak = term->peak_end = peak;
    while (term->peak_end < term->last && !(term->table[term->peak_end] < term->table[peak])) {
        term->peak_end++;
    }
    return true;
}

static bool fuzzy_sample_is_row(const ployi_fuzzy_variable *v, const int32_t *row, int32_t count) {
    for (int32_t k = 0; k + 1 < count; k++) {
        const ployi_fuzzy_term *left = ployi_fuzzy_term_at(v, row[k]);
        const ployi_fuzzy_term *right = ployi_fuzzy_term_at(v, row[k + 1]);
        if (right->first < left->peak || left->last > right->peak_end) return false;
        if (k + 2 < count && left->last > ployi_fuzzy_term_at(v, row[k + 2])->first) return false;
    }
    return true;
}

static ploy_result fuzzy_sample_sums(ploy_fuzzy_type *type, ployi_fuzzy_term *term,
                                     int32_t samples) {
    double *areas = ploy_arena_alloc_array(type->texts, samples + 1, sizeof *areas);
    double *moments = ploy_arena_alloc_array(type->texts, samples + 1, sizeof *moments);
    if (areas == NULL || moments == NULL) return PLOY_ERR_MEMORY;
    areas[0] = moments[0] = 0.0;
    for (int32_t i = 0; i < samples; i++) {
        areas[i + 1] = areas[i] + term->table[i];
        moments[i + 1] = moments[i] + term->table[i] * i;
    }
    term->areas = areas;
    term->moments = moments;
    return PLOY_OK;
}

// As many levels as samples: a search from one of them has a step to take, or two. A sample that is
// not below a degree has a level that is not below the degree's, because rounding keeps order; so
// the tables never lead past it.
static ploy_result fuzzy_sample_levels(ploy_fuzzy_type *type, ployi_fuzzy_term *term,
                                       int32_t samples) {
    int32_t *rise = ploy_arena_alloc_array(type->texts, samples + 1, sizeof *rise);
    int32_t *fall = ploy_arena_alloc_array(type->texts, samples + 1, sizeof *fall);
    if (rise == NULL || fall == NULL) return PLOY_ERR_MEMORY;
    term->levels = samples;
    term->scale = samples / term->table[term->peak];
    int32_t up = term->first, down = term->last;
    for (int32_t k = 0; k <= samples; k++) {
        while (up < term->peak && term->table[up] * term->scale < k) up++;
        while (down > term->peak && term->table[down - 1] * term->scale < k) down--;
        rise[k] = up;
        fall[k] = down;
    }
    term->rise = rise;
    term->fall = fall;
    return PLOY_OK;
}

// Puts the terms in a row if they can form one. Those that are 0 everywhere are left out.
static ploy_result fuzzy_sample_row(ploy_fuzzy_type *type, ployi_fuzzy_variable *v) {
    int32_t samples = v->def.samples, count = 0;
    if (!v->fast || v->implication != PLOY_FUZZY_MINIMUM ||
        v->def.defuzzifier != PLOY_FUZZY_CENTROID ||
        (int64_t)samples * v->terms.count > FUZZY_SAMPLE_TABLE_MAX / 4) {
        return PLOY_OK;
    }
    int32_t *row = ploy_arena_alloc_array(type->texts, v->terms.count, sizeof *row);
    if (row == NULL) return PLOY_ERR_MEMORY;
    for (int32_t k = 0; k < v->terms.count; k++) {
        ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        if (term->first >= term->last) continue;
        if (!fuzzy_sample_peak(term)) return PLOY_OK;
        int32_t at = count++;
        for (; at > 0 && ployi_fuzzy_term_at(v, row[at - 1])->peak > term->peak; at--) {
            row[at] = row[at - 1];
        }
        row[at] = k;
    }
    if (count == 0 || !fuzzy_sample_is_row(v, row, count)) return PLOY_OK;
    for (int32_t k = 0; k < count; k++) {
        ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, row[k]);
        const ployi_fuzzy_term *left = k > 0 ? ployi_fuzzy_term_at(v, row[k - 1]) : term;
        ploy_result result = fuzzy_sample_sums(type, term, samples);
        if (result == PLOY_OK) result = fuzzy_sample_levels(type, term, samples);
        if (result != PLOY_OK) return result;
        term->meet = term->first;
        while (term->meet < left->last && term->table[term->meet] <= left->table[term->meet]) {
            term->meet++;
        }
    }
    v->row = row;
    v->row_count = count;
    return PLOY_OK;
}

ploy_result ployi_fuzzy_sample(ploy_fuzzy_type *type, ployi_fuzzy_variable *v) {
    int32_t samples = v->def.samples;
    v->step = (v->def.max - v->def.min) / samples;
    for (int32_t k = 0; k < v->terms.count; k++) {
        ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        term->point =
            term->dynamic || term->set.shape == PLOY_FUZZY_FUNCTION
                ? 0.5 * (v->def.min + v->def.max)
                : ploy_fuzzy_representative(&term->set, v->def.point, v->def.min, v->def.max);
    }
    v->fast = false;
    v->row = NULL;
    if (!ployi_fuzzy_is_area(v) || v->places == 0 ||
        (int64_t)samples * v->terms.count > FUZZY_SAMPLE_TABLE_MAX) {
        return PLOY_OK;
    }
    bool all = true;
    for (int32_t k = 0; k < v->terms.count; k++) {
        ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        if (term->dynamic) {
            all = false;
            continue;
        }
        double *table = ploy_arena_alloc_array(type->texts, samples, sizeof *table);
        if (table == NULL) return PLOY_ERR_MEMORY;
        double shift = v->def.sampling == PLOY_FUZZY_MIDPOINTS ? 0.5 : 1.0;
        term->first = samples;
        term->last = 0;
        for (int32_t i = 0; i < samples; i++) {
            double x = v->def.min + (i + shift) * v->step;
            table[i] = ployi_fuzzy_term_degree(type, term, x, NULL);
            // Below 0 (a formula may be) neither min nor product may take it for nothing.
            if (table[i] == 0.0) continue;
            if (i < term->first) term->first = i;
            term->last = i + 1;
            if (!(table[i] > 0.0)) all = false;
        }
        term->table = table;
    }
    v->fast =
        all && v->def.defuzzifier != PLOY_FUZZY_CENTROID_OF_SETS &&
        v->def.aggregation == PLOY_FUZZY_MAXIMUM &&
        (v->implication == PLOY_FUZZY_MINIMUM || v->implication == PLOY_FUZZY_ALGEBRAIC_PRODUCT);
    return fuzzy_sample_row(type, v);
}
