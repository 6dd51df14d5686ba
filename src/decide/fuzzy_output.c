// What the conclusions on an output come to: defuzzification.
#include "fuzzy_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

static double fuzzy_output_sample_x(const ployi_fuzzy_variable *v, int32_t sample) {
    double shift = v->def.sampling == PLOY_FUZZY_MIDPOINTS ? 0.5 : 1.0;
    return v->def.min + (sample + shift) * v->step;
}

static double fuzzy_output_sampled_degree(const ploy_fuzzy *fuzzy, const ployi_fuzzy_variable *v,
                                          const ployi_fuzzy_term *term, int32_t sample) {
    if (term->table != NULL) return term->table[sample];
    return ployi_fuzzy_term_degree(fuzzy->type, term, fuzzy_output_sample_x(v, sample),
                                   fuzzy->values);
}

// Raises y to the clipped set; loops so plain that they become vector instructions.
static void fuzzy_output_raise_clipped(const double *table, int32_t count, double degree,
                                       double *y) {
    for (int32_t i = 0; i < count; i++) {
        double clipped = table[i] < degree ? table[i] : degree;
        y[i] = y[i] < clipped ? clipped : y[i];
    }
}

// The same where y holds nothing yet.
static void fuzzy_output_copy_clipped(const double *table, int32_t count, double degree,
                                      double *y) {
    for (int32_t i = 0; i < count; i++) y[i] = table[i] < degree ? table[i] : degree;
}

static void fuzzy_output_raise_scaled(const double *table, int32_t count, double degree,
                                      double *y) {
    for (int32_t i = 0; i < count; i++) {
        double scaled = table[i] * degree;
        y[i] = y[i] < scaled ? scaled : y[i];
    }
}

// The joined conclusions of an output at samples [first, first + count) into y.
//
// Joined by max, the conclusions of one term are as good as the highest of them (min and product
// both grow with the degree), and what lies outside of a set's samples adds nothing.
static void fuzzy_output_span(const ploy_fuzzy *fuzzy, int32_t output, int32_t first, int32_t count,
                              double *y) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    if (v->fast) {
        bool fresh = true; // nothing is in y yet
        for (int32_t k = 0; k < v->terms.count; k++) {
            const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
            double degree = fuzzy->degrees[v->base + k];
            int32_t from = term->first > first ? term->first : first;
            int32_t to = term->last < first + count ? term->last : first + count;
            if (!(degree > 0.0) || from >= to) continue;
            if (fresh && v->implication == PLOY_FUZZY_MINIMUM) {
                for (int32_t i = 0; i < from - first; i++) y[i] = 0.0;
                fuzzy_output_copy_clipped(term->table + from, to - from, degree,
                                          y + (from - first));
                for (int32_t i = to - first; i < count; i++) y[i] = 0.0;
                fresh = false;
                continue;
            }
            if (fresh) {
                for (int32_t i = 0; i < count; i++) y[i] = 0.0;
            }
            fresh = false;
            if (v->implication == PLOY_FUZZY_MINIMUM) {
                fuzzy_output_raise_clipped(term->table + from, to - from, degree,
                                           y + (from - first));
            } else {
                fuzzy_output_raise_scaled(term->table + from, to - from, degree,
                                          y + (from - first));
            }
        }
        for (int32_t i = 0; i < count && fresh; i++) y[i] = 0.0;
        return;
    }
    for (int32_t i = 0; i < count; i++) y[i] = 0.0;
    bool summed = v->def.defuzzifier == PLOY_FUZZY_CENTROID_OF_SETS;
    for (int32_t k = 0; k < v->terms.count && summed; k++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        double degree = fuzzy->degrees[v->base + k];
        ploy_fuzzy_norm norm =
            v->implication != PLOY_FUZZY_NONE ? v->implication : PLOY_FUZZY_MINIMUM;
        if (!(degree > 0.0)) continue;
        for (int32_t i = 0; i < count; i++) {
            y[i] += ploy_fuzzy_join(norm, fuzzy_output_sampled_degree(fuzzy, v, term, first + i),
                                    degree);
        }
    }
    for (int32_t a = v->active; a < v->active + fuzzy->count[output] && !summed; a++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, fuzzy->active_term[a]);
        ploy_fuzzy_norm norm = (ploy_fuzzy_norm)fuzzy->active_norm[a];
        for (int32_t i = 0; i < count; i++) {
            double at = fuzzy_output_sampled_degree(fuzzy, v, term, first + i);
            y[i] = ploy_fuzzy_join(v->def.aggregation, y[i],
                                   ploy_fuzzy_join(norm, at, fuzzy->active_degree[a]));
        }
    }
}

// Samples [*first, *last) hold all that is not 0; the first is a multiple of 4.
static void fuzzy_output_extent(const ploy_fuzzy *fuzzy, const ployi_fuzzy_variable *v,
                                int32_t *first, int32_t *last) {
    *first = 0;
    *last = v->def.samples;
    if (!v->fast) return;
    int32_t from = v->def.samples, to = 0;
    for (int32_t k = 0; k < v->terms.count; k++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        if (!(fuzzy->degrees[v->base + k] > 0.0)) continue;
        if (term->first < from) from = term->first;
        if (term->last > to) to = term->last;
    }
    *first = from / 4 * 4;
    *last = to;
}

// ---- centroids of rows ----

// What the sets of a row add to a centroid.
typedef struct fuzzy_output_sums {
    double area, moment;
} fuzzy_output_sums;

// The level of a degree in the term's tables, from which a search is short.
static int32_t fuzzy_output_level(const ployi_fuzzy_term *term, double degree) {
    double level = degree * term->scale;
    return level < term->levels ? (int32_t)level : term->levels;
}

// The first sample of the rise that is not below the degree; the peak if there is none.
static int32_t fuzzy_output_rise(const ployi_fuzzy_term *term, double degree) {
    int32_t at = term->rise[fuzzy_output_level(term, degree)];
    while (at < term->peak && term->table[at] < degree) at++;
    return at;
}

// One past the last sample of the fall that is not below the degree; the peak if there is none.
static int32_t fuzzy_output_fall(const ployi_fuzzy_term *term, double degree) {
    int32_t at = term->fall[fuzzy_output_level(term, degree)];
    while (at > term->peak && term->table[at - 1] < degree) at--;
    return at;
}

// The first sample that the right one of two neighbours has higher, both clipped. Whole, they meet
// at the right one's `meet`. The lower of the two degrees decides: where the other set crosses that
// height, unless they meet before.
static int32_t fuzzy_output_border(const ployi_fuzzy_term *left, double left_degree,
                                   const ployi_fuzzy_term *right, double right_degree) {
    if (left->last <= right->first) return left->last;
    int32_t meet = right->meet, at;
    if (left_degree < right_degree) {
        at = fuzzy_output_rise(right, left_degree);
        return at < meet && right->table[at] >= left_degree ? at : meet;
    }
    at = fuzzy_output_fall(left, right_degree);
    return at > meet ? at : meet;
}

// Adds what the clipped set has in samples [from, to).
static void fuzzy_output_add(const ployi_fuzzy_term *term, double degree, int32_t from, int32_t to,
                             fuzzy_output_sums *sums) {
    if (from < term->first) from = term->first;
    if (to > term->last) to = term->last;
    if (from >= to) return;
    // The set below the degree, flat at the degree, and below it again.
    int32_t flat = fuzzy_output_rise(term, degree), end = fuzzy_output_fall(term, degree);
    flat = flat < from ? from : flat > to ? to : flat;
    end = end < flat ? flat : end > to ? to : end;
    const double *areas = term->areas, *moments = term->moments;
    sums->area += (areas[flat] - areas[from]) + (areas[to] - areas[end]);
    sums->moment += (moments[flat] - moments[from]) + (moments[to] - moments[end]);
    if (flat == end) return;
    double width = end - flat;
    sums->area += degree * width;
    sums->moment += degree * width * (0.5 * (flat + (double)end - 1.0));
}

static fuzzy_output_sums fuzzy_output_row(const ploy_fuzzy *fuzzy, const ployi_fuzzy_variable *v) {
    fuzzy_output_sums sums = {0.0, 0.0};
    const ployi_fuzzy_term *left = NULL;
    double left_degree = 0.0;
    int32_t from = 0;
    for (int32_t k = 0; k < v->row_count; k++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, v->row[k]);
        double degree = fuzzy->degrees[v->base + v->row[k]];
        if (!(degree > 0.0)) continue;
        if (left != NULL) {
            int32_t border = fuzzy_output_border(left, left_degree, term, degree);
            fuzzy_output_add(left, left_degree, from, border, &sums);
            from = border;
        }
        left = term;
        left_degree = degree;
    }
    if (left != NULL) fuzzy_output_add(left, left_degree, from, left->last, &sums);
    return sums;
}

// ---- defuzzifiers ----

static double fuzzy_output_centroid(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    // Four fixed lanes, added in their order: the same bits however wide the machine is. What is
    // summed beside the area is y times the sample's number, which becomes x at the end.
    double y[PLOYI_FUZZY_SPAN], all = 0.0, mean = 0.0;
    const double *numbers = fuzzy->type->numbers;
    int32_t begin = 0, end = 0;
    if (v->row != NULL) {
        fuzzy_output_sums sums = fuzzy_output_row(fuzzy, v);
        all = sums.area;
        mean = sums.moment;
    } else {
        fuzzy_output_extent(fuzzy, v, &begin, &end);
    }
    for (int32_t first = begin; first < end; first += PLOYI_FUZZY_SPAN) {
        int32_t left = end - first, count = left < PLOYI_FUZZY_SPAN ? left : PLOYI_FUZZY_SPAN;
        double area[4] = {0}, moment[4] = {0};
        fuzzy_output_span(fuzzy, output, first, count, y);
        for (int32_t i = count; i % 4 != 0; i++) y[i] = 0.0;
        for (int32_t i = 0; i < count; i += 4) {
            for (int32_t lane = 0; lane < 4; lane++) area[lane] += y[i + lane];
        }
        // A separate loop: compilers make vectors of two plain loops, and a mess of one.
        for (int32_t i = 0; i < count; i += 4) {
            for (int32_t lane = 0; lane < 4; lane++)
                moment[lane] += y[i + lane] * numbers[i + lane];
        }
        double part = area[0] + area[1] + area[2] + area[3];
        all += part;
        mean += moment[0] + moment[1] + moment[2] + moment[3] + part * (double)first;
    }
    mean /= all;
    double shift = v->def.sampling == PLOY_FUZZY_MIDPOINTS ? 0.5 : 1.0;
    return v->def.min + (mean + shift) * v->step;
}

// Grows the two areas towards each other, always the smaller; where they meet is weighted by what
// the last step overshot.
static double fuzzy_output_bisector(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    int32_t left = 0, right = v->def.samples - 1;
    double left_area = 0.0, right_area = 0.0, y, left_x = v->def.min, right_x = v->def.max;
    while (left <= right) {
        bool equal = fabs(left_area - right_area) < PLOY_FUZZY_TOLERANCE;
        if (equal || left_area < right_area) {
            left_x = fuzzy_output_sample_x(v, left);
            fuzzy_output_span(fuzzy, output, left++, 1, &y);
            left_area += y;
        } else {
            right_x = fuzzy_output_sample_x(v, right);
            fuzzy_output_span(fuzzy, output, right--, 1, &y);
            right_area += y;
        }
    }
    return (left_area * right_x + right_area * left_x) / (left_area + right_area);
}

static double fuzzy_output_of_max(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    ploy_fuzzy_defuzzifier kind = v->def.defuzzifier;
    double y[PLOYI_FUZZY_SPAN], highest = -1.0, from = v->def.min, to = v->def.max;
    bool plateau = false;
    for (int32_t first = 0; first < v->def.samples; first += PLOYI_FUZZY_SPAN) {
        int32_t left = v->def.samples - first,
                count = left < PLOYI_FUZZY_SPAN ? left : PLOYI_FUZZY_SPAN;
        fuzzy_output_span(fuzzy, output, first, count, y);
        for (int32_t i = 0; i < count; i++) {
            double x = fuzzy_output_sample_x(v, first + i);
            bool equal = fabs(y[i] - highest) < PLOY_FUZZY_TOLERANCE;
            if (!equal && y[i] > highest) {
                highest = y[i];
                from = to = x;
                plateau = true;
            } else if (kind == PLOY_FUZZY_LARGEST_OF_MAX) {
                if (equal || y[i] > highest) {
                    highest = y[i];
                    to = x;
                }
            } else if (equal && plateau) {
                to = x;
            } else if (!equal) {
                plateau = false;
            }
        }
    }
    return kind == PLOY_FUZZY_SMALLEST_OF_MAX  ? from
           : kind == PLOY_FUZZY_LARGEST_OF_MAX ? to
                                               : 0.5 * (from + to);
}

static double fuzzy_output_weighted(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    ploy_fuzzy_weighting weighting = v->def.weighting;
    double sum = 0.0, weights = 0.0;
    for (int32_t a = v->active; a < v->active + fuzzy->count[output]; a++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, fuzzy->active_term[a]);
        double degree = fuzzy->active_degree[a];
        if (weighting == PLOY_FUZZY_WEIGHTING_AUTOMATIC) {
            weighting = term->set.shape >= PLOY_FUZZY_CONSTANT ? PLOY_FUZZY_TAKAGI_SUGENO
                                                               : PLOY_FUZZY_TSUKAMOTO;
        }
        double z = weighting == PLOY_FUZZY_TAKAGI_SUGENO || term->set.shape >= PLOY_FUZZY_CONSTANT
                       ? ployi_fuzzy_term_degree(fuzzy->type, term, degree, fuzzy->values)
                       : ployi_fuzzy_tsukamoto(&term->set, degree);
        sum += degree * z;
        weights += degree;
    }
    return v->def.defuzzifier == PLOY_FUZZY_WEIGHTED_SUM ? sum : sum / weights;
}

// Sets represent themselves with one number each.
static double fuzzy_output_blend(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    const double *degrees = fuzzy->degrees + v->base;
    if (v->def.defuzzifier == PLOY_FUZZY_HIGHEST_SET) {
        int32_t best = ploy_fuzzy_highest(degrees, v->terms.count);
        return best >= 0 ? ployi_fuzzy_term_at(v, best)->point : (double)NAN;
    }
    double sum = 0.0, weights = 0.0;
    for (int32_t k = 0; k < v->terms.count; k++) {
        sum += degrees[k] * ployi_fuzzy_term_at(v, k)->point;
        weights += degrees[k];
    }
    return sum / weights;
}

double ployi_fuzzy_defuzzify(const ploy_fuzzy *fuzzy, int32_t output) {
    switch (ployi_fuzzy_output_at(fuzzy->type, output)->def.defuzzifier) {
    case PLOY_FUZZY_BISECTOR: return fuzzy_output_bisector(fuzzy, output);
    case PLOY_FUZZY_SMALLEST_OF_MAX:
    case PLOY_FUZZY_LARGEST_OF_MAX:
    case PLOY_FUZZY_MEAN_OF_MAX: return fuzzy_output_of_max(fuzzy, output);
    case PLOY_FUZZY_WEIGHTED_AVERAGE:
    case PLOY_FUZZY_WEIGHTED_SUM: return fuzzy_output_weighted(fuzzy, output);
    case PLOY_FUZZY_BLEND_OF_MAX:
    case PLOY_FUZZY_HIGHEST_SET: return fuzzy_output_blend(fuzzy, output);
    case PLOY_FUZZY_CENTROID:
    case PLOY_FUZZY_CENTROID_OF_SETS:
    case PLOY_FUZZY_DEFUZZIFIER_COUNT: break;
    }
    return fuzzy_output_centroid(fuzzy, output);
}
