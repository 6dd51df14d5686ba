// One character's fuzzy system; described in the header.
//
//     one block:  head | values | previous | seen | degrees | rules | active | counts | terms | ...
//
// Invariants, from create to destroy:
//   (1) values holds the inputs' numbers, then the outputs'; seen those that the inputs' degrees
//       were computed from, so that an input that did not change costs nothing;
//   (2) output o has count[o] conclusions in the places from its `active` on, in firing order.
#include <string.h>

#include "fuzzy_internal.h"
#include "ploy/base/math.h"

struct ploy_fuzzy {
    ploy_env env;
    const ploy_fuzzy_type *type;
    size_t size;
    double *values;
    double *previous;      // of each output, the last finite value
    double *seen;          // of each input
    double *degrees;       // of each term; of an output's, joined from its conclusions
    double *rules;         // of each rule
    double *active_degree; // of each place
    int32_t *count;        // of each output
    int32_t *active_term;
    int32_t *active_norm; // the implication
    int32_t *fired;       // of each rule
    int32_t *order;       // of the rules of one block
};

// Bytes of an instance; where its arrays begin if base is not NULL.
static bool fuzzy_layout(const ploy_fuzzy_type *type, ploy_fuzzy *fuzzy, size_t *out) {
    int32_t inputs = type->variables[0].count, outputs = type->variables[1].count;
    const int32_t doubles[] = {inputs + outputs, outputs,          inputs,
                               type->term_count, type->rule_count, type->place_count};
    const int32_t ints[] = {outputs, type->place_count, type->place_count, type->rule_count,
                            type->widest};
    double **const double_at[] = {&fuzzy->values,  &fuzzy->previous, &fuzzy->seen,
                                  &fuzzy->degrees, &fuzzy->rules,    &fuzzy->active_degree};
    int32_t **const int_at[] = {&fuzzy->count, &fuzzy->active_term, &fuzzy->active_norm,
                                &fuzzy->fired, &fuzzy->order};
    size_t size = (sizeof *fuzzy + 15) / 16 * 16;
    char *base = (char *)fuzzy;
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        if (out == NULL) *double_at[i] = (double *)(void *)(base + size);
        if (!ploy_size_add_array(size, doubles[i], sizeof(double), &size)) return false;
    }
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
        if (out == NULL) *int_at[i] = (int32_t *)(void *)(base + size);
        if (!ploy_size_add_array(size, ints[i], sizeof(int32_t), &size)) return false;
    }
    if (out != NULL) *out = size;
    return true;
}

size_t ploy_fuzzy_type_instance_size(const ploy_fuzzy_type *type) {
    size_t size = 0;
    ploy_fuzzy nobody;
    return fuzzy_layout(type, &nobody, &size) ? size : 0;
}

ploy_result ploy_fuzzy_create(const ploy_fuzzy_type *type, const ploy_env *env, ploy_fuzzy **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->finished) return PLOY_ERR_STATE;
    size_t size = ploy_fuzzy_type_instance_size(type);
    ploy_fuzzy *fuzzy = size > 0 ? ploy_env_alloc_zero(env, size) : NULL;
    if (fuzzy == NULL) return PLOY_ERR_MEMORY;
    fuzzy->env = *env;
    fuzzy->type = type;
    fuzzy->size = size;
    (void)fuzzy_layout(type, fuzzy, NULL);
    ploy_fuzzy_reset(fuzzy);
    *out = fuzzy;
    return PLOY_OK;
}

void ploy_fuzzy_destroy(ploy_fuzzy *fuzzy) {
    if (fuzzy == NULL) return;
    ploy_env env = fuzzy->env;
    ploy_env_free(&env, fuzzy, fuzzy->size);
}

void ploy_fuzzy_reset(ploy_fuzzy *fuzzy) {
    const ploy_fuzzy_type *type = fuzzy->type;
    size_t head = (sizeof *fuzzy + 15) / 16 * 16;
    memset((char *)fuzzy + head, 0, fuzzy->size - head);
    int32_t inputs = type->variables[0].count, outputs = type->variables[1].count;
    for (int32_t i = 0; i < inputs + outputs; i++) fuzzy->values[i] = (double)NAN;
    for (int32_t i = 0; i < inputs; i++) fuzzy->seen[i] = (double)NAN;
    for (int32_t i = 0; i < outputs; i++) fuzzy->previous[i] = (double)NAN;
}

const ploy_fuzzy_type *ploy_fuzzy_get_type(const ploy_fuzzy *fuzzy) {
    return fuzzy->type;
}

static double fuzzy_hold(const ploy_fuzzy_variable_def *def, double value) {
    if (!def->lock_range) return value;
    return value < def->min ? def->min : value > def->max ? def->max : value;
}

void ploy_fuzzy_set_input(ploy_fuzzy *fuzzy, int32_t input, double value) {
    if (input < 0 || input >= fuzzy->type->variables[0].count) return;
    fuzzy->values[input] = fuzzy_hold(&ployi_fuzzy_input_at(fuzzy->type, input)->def, value);
}

double ploy_fuzzy_input(const ploy_fuzzy *fuzzy, int32_t input) {
    bool there = input >= 0 && input < fuzzy->type->variables[0].count;
    return there ? fuzzy->values[input] : (double)NAN;
}

double ploy_fuzzy_output(const ploy_fuzzy *fuzzy, int32_t output) {
    bool there = output >= 0 && output < fuzzy->type->variables[1].count;
    return there ? fuzzy->values[fuzzy->type->variables[0].count + output] : (double)NAN;
}

// ---- rules ----

static void fuzzy_fuzzify(ploy_fuzzy *fuzzy) {
    const ploy_fuzzy_type *type = fuzzy->type;
    for (int32_t i = 0; i < type->variables[0].count; i++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(type, i);
        double x = fuzzy->values[i];
        bool same = x == fuzzy->seen[i];
        bool idle = x != x || !v->def.enabled; // belongs to no set
        for (int32_t k = 0; k < v->terms.count; k++) {
            const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
            if (same && !term->dynamic) continue;
            fuzzy->degrees[v->base + k] =
                idle ? 0.0 : ployi_fuzzy_term_degree(type, term, x, fuzzy->values);
        }
        fuzzy->seen[i] = x;
    }
}

static double fuzzy_known_degree(const void *user, const ployi_fuzzy_op *op) {
    return ((const ploy_fuzzy *)user)->degrees[op->number];
}

// The conclusions of a rule at that degree.
static void fuzzy_fire(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block, int32_t r) {
    const ploy_fuzzy_type *type = fuzzy->type;
    const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
    fuzzy->fired[block->base + r] = 1;
    for (int32_t e = 0; e < rule->end_count; e++) {
        const ployi_fuzzy_end *end =
            PLOY_ARRAY_ITEMS(&type->ends, ployi_fuzzy_end) + rule->end_first + e;
        const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, end->output);
        if (!v->def.enabled) continue;
        double degree = fuzzy->rules[block->base + r];
        const int32_t *hedges = PLOY_ARRAY_ITEMS(&type->hedges, int32_t);
        for (int32_t h = end->hedge_count - 1; h >= 0; h--) {
            degree = ploy_fuzzy_bend((ploy_fuzzy_hedge)hedges[end->hedge_first + h], degree);
        }
        int32_t place = v->active + fuzzy->count[end->output]++; // keeps (2)
        fuzzy->active_degree[place] = degree;
        fuzzy->active_term[place] = end->term;
        fuzzy->active_norm[place] = (int32_t)block->def.implication;
        double *joined = &fuzzy->degrees[v->base + end->term];
        if (v->def.aggregation == PLOY_FUZZY_MAXIMUM) {
            *joined = *joined < degree ? degree : *joined;
        } else {
            *joined = v->def.aggregation == PLOY_FUZZY_NONE
                          ? *joined + degree
                          : ploy_fuzzy_join(v->def.aggregation, *joined, degree);
        }
    }
}

static bool fuzzy_compares(ploy_fuzzy_comparison comparison, double a, double b) {
    bool equal = a == b || fabs(a - b) < PLOY_FUZZY_TOLERANCE;
    switch (comparison) {
    case PLOY_FUZZY_LESS: return !equal && a < b;
    case PLOY_FUZZY_AT_MOST: return equal || a < b;
    case PLOY_FUZZY_EQUAL: return equal;
    case PLOY_FUZZY_UNEQUAL: return !equal;
    case PLOY_FUZZY_AT_LEAST: return equal || a > b;
    case PLOY_FUZZY_GREATER:
    case PLOY_FUZZY_COMPARISON_COUNT: break;
    }
    return !equal && a > b;
}

// Puts the rules that could fire in order of their degrees; returns how many there are. Binary
// insertion would not pay: blocks that want an order are small.
static int32_t fuzzy_sort_rules(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block, bool highest) {
    int32_t count = 0;
    const double *degrees = fuzzy->rules + block->base;
    for (int32_t r = 0; r < block->rules.count; r++) {
        if (!(degrees[r] > PLOY_FUZZY_TOLERANCE)) continue;
        int32_t at = count++;
        for (; at > 0; at--) {
            double before = degrees[fuzzy->order[at - 1]];
            if (highest ? before >= degrees[r] : before <= degrees[r]) break;
            fuzzy->order[at] = fuzzy->order[at - 1];
        }
        fuzzy->order[at] = r;
    }
    return count;
}

static void fuzzy_activate_some(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block) {
    const ploy_fuzzy_block_def *def = &block->def;
    int32_t rules = block->rules.count, left = def->count;
    double *degrees = fuzzy->rules + block->base;
    if (def->activation == PLOY_FUZZY_HIGHEST || def->activation == PLOY_FUZZY_LOWEST) {
        int32_t count = fuzzy_sort_rules(fuzzy, block, def->activation == PLOY_FUZZY_HIGHEST);
        for (int32_t i = 0; i < count && i < left; i++) fuzzy_fire(fuzzy, block, fuzzy->order[i]);
        return;
    }
    double sum = 0.0;
    for (int32_t r = 0; r < rules && def->activation == PLOY_FUZZY_PROPORTIONAL; r++) {
        if (degrees[r] > 0.0) sum += degrees[r];
    }
    for (int32_t i = 0; i < rules; i++) {
        int32_t r = def->activation == PLOY_FUZZY_LAST ? rules - 1 - i : i;
        // Degrees in proportion are compared with nothing before they are scaled.
        if (def->activation == PLOY_FUZZY_PROPORTIONAL && degrees[r] > 0.0) degrees[r] /= sum;
        if (!(degrees[r] > PLOY_FUZZY_TOLERANCE)) continue;
        if (def->activation == PLOY_FUZZY_PROPORTIONAL) {
            // fires
        } else if (def->activation == PLOY_FUZZY_THRESHOLD) {
            if (!fuzzy_compares(def->comparison, degrees[r], def->threshold)) continue;
        } else {
            if (left == 0) return;
            if (!fuzzy_compares(PLOY_FUZZY_AT_LEAST, degrees[r], def->threshold)) continue;
            left--;
        }
        fuzzy_fire(fuzzy, block, r);
    }
}

// A rule of terms joined by min alone, which is most of them: the smallest degree.
static double fuzzy_smallest(const double *degrees, const ployi_fuzzy_op *ops, int32_t count) {
    double smallest = degrees[ops[0].number];
    for (int32_t i = 1; i < count; i++) {
        if (ops[i].code != PLOYI_FUZZY_TERM) continue;
        double degree = degrees[ops[i].number];
        smallest = smallest < degree ? smallest : degree;
    }
    return smallest;
}

static void fuzzy_apply_block(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block) {
    const ployi_fuzzy_op *ops = PLOY_ARRAY_ITEMS(&fuzzy->type->ops, ployi_fuzzy_op);
    bool all = block->def.activation == PLOY_FUZZY_GENERAL;
    // A rule may read what an earlier one of its block concluded, so that each fires at once where
    // nothing has to be chosen among them.
    for (int32_t r = 0; r < block->rules.count; r++) {
        const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
        double degree = rule->plain
                            ? fuzzy_smallest(fuzzy->degrees, ops + rule->op_first, rule->op_count)
                            : ployi_fuzzy_part_degree(ops + rule->op_first, rule->op_count,
                                                      &block->def, fuzzy_known_degree, fuzzy);
        fuzzy->rules[block->base + r] = rule->weight * degree;
        if (all && fuzzy->rules[block->base + r] > PLOY_FUZZY_TOLERANCE)
            fuzzy_fire(fuzzy, block, r);
    }
    if (!all) fuzzy_activate_some(fuzzy, block);
}

// ---- outputs ----

static double fuzzy_sample_x(const ployi_fuzzy_variable *v, int32_t sample) {
    double shift = v->def.sampling == PLOY_FUZZY_MIDPOINTS ? 0.5 : 1.0;
    return v->def.min + (sample + shift) * ((v->def.max - v->def.min) / v->def.samples);
}

static double fuzzy_sampled_degree(const ploy_fuzzy *fuzzy, const ployi_fuzzy_variable *v,
                                   const ployi_fuzzy_term *term, int32_t sample) {
    if (term->table != NULL) return term->table[sample];
    return ployi_fuzzy_term_degree(fuzzy->type, term, fuzzy_sample_x(v, sample), fuzzy->values);
}

// Raises y to the clipped set; loops so plain that they become vector instructions.
static void fuzzy_raise_clipped(const double *table, int32_t count, double degree, double *y) {
    for (int32_t i = 0; i < count; i++) {
        double clipped = table[i] < degree ? table[i] : degree;
        y[i] = y[i] < clipped ? clipped : y[i];
    }
}

// The same where y holds nothing yet.
static void fuzzy_copy_clipped(const double *table, int32_t count, double degree, double *y) {
    for (int32_t i = 0; i < count; i++) y[i] = table[i] < degree ? table[i] : degree;
}

static void fuzzy_raise_scaled(const double *table, int32_t count, double degree, double *y) {
    for (int32_t i = 0; i < count; i++) {
        double scaled = table[i] * degree;
        y[i] = y[i] < scaled ? scaled : y[i];
    }
}

// The joined conclusions of an output at samples [first, first + count) into y.
//
// Joined by max, the conclusions of one term are as good as the highest of them (min and product
// both grow with the degree), and what lies outside of a set's samples adds nothing.
static void fuzzy_span(const ploy_fuzzy *fuzzy, int32_t output, int32_t first, int32_t count,
                       double *y) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    if (v->fast) {
        bool fresh = true; // nothing stands in y yet
        for (int32_t k = 0; k < v->terms.count; k++) {
            const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
            double degree = fuzzy->degrees[v->base + k];
            int32_t from = term->first > first ? term->first : first;
            int32_t to = term->last < first + count ? term->last : first + count;
            if (!(degree > 0.0) || from >= to) continue;
            if (fresh && v->implication == PLOY_FUZZY_MINIMUM) {
                for (int32_t i = 0; i < from - first; i++) y[i] = 0.0;
                fuzzy_copy_clipped(term->table + from, to - from, degree, y + (from - first));
                for (int32_t i = to - first; i < count; i++) y[i] = 0.0;
                fresh = false;
                continue;
            }
            if (fresh) {
                for (int32_t i = 0; i < count; i++) y[i] = 0.0;
            }
            fresh = false;
            if (v->implication == PLOY_FUZZY_MINIMUM) {
                fuzzy_raise_clipped(term->table + from, to - from, degree, y + (from - first));
            } else {
                fuzzy_raise_scaled(term->table + from, to - from, degree, y + (from - first));
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
            y[i] += ploy_fuzzy_join(norm, fuzzy_sampled_degree(fuzzy, v, term, first + i), degree);
        }
    }
    for (int32_t a = v->active; a < v->active + fuzzy->count[output] && !summed; a++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, fuzzy->active_term[a]);
        ploy_fuzzy_norm norm = (ploy_fuzzy_norm)fuzzy->active_norm[a];
        for (int32_t i = 0; i < count; i++) {
            double at = fuzzy_sampled_degree(fuzzy, v, term, first + i);
            y[i] = ploy_fuzzy_join(v->def.aggregation, y[i],
                                   ploy_fuzzy_join(norm, at, fuzzy->active_degree[a]));
        }
    }
}

// Samples [*first, *last) hold all that is not 0; the first is a multiple of 4.
static void fuzzy_extent(const ploy_fuzzy *fuzzy, const ployi_fuzzy_variable *v, int32_t *first,
                         int32_t *last) {
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

static double fuzzy_centroid(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    // Four fixed lanes, added in their order: the same bits however wide the machine is. What is
    // summed beside the area is y times the sample's number, which becomes x at the end.
    double y[PLOYI_FUZZY_SPAN], all = 0.0, mean = 0.0;
    const double *numbers = fuzzy->type->numbers;
    int32_t begin, end;
    fuzzy_extent(fuzzy, v, &begin, &end);
    for (int32_t first = begin; first < end; first += PLOYI_FUZZY_SPAN) {
        int32_t left = end - first, count = left < PLOYI_FUZZY_SPAN ? left : PLOYI_FUZZY_SPAN;
        double area[4] = {0}, moment[4] = {0};
        fuzzy_span(fuzzy, output, first, count, y);
        for (int32_t i = count; i % 4 != 0; i++) y[i] = 0.0;
        for (int32_t i = 0; i < count; i += 4) {
            for (int32_t lane = 0; lane < 4; lane++) area[lane] += y[i + lane];
        }
        // A loop of its own: compilers make vectors of two plain loops, and a mess of one.
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
    return v->def.min + (mean + shift) * ((v->def.max - v->def.min) / v->def.samples);
}

// Grows the two areas towards each other, always the smaller; where they meet is weighted by what
// the last step overshot.
static double fuzzy_bisector(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    int32_t left = 0, right = v->def.samples - 1;
    double left_area = 0.0, right_area = 0.0, y, left_x = v->def.min, right_x = v->def.max;
    while (left <= right) {
        bool equal = fabs(left_area - right_area) < PLOY_FUZZY_TOLERANCE;
        if (equal || left_area < right_area) {
            left_x = fuzzy_sample_x(v, left);
            fuzzy_span(fuzzy, output, left++, 1, &y);
            left_area += y;
        } else {
            right_x = fuzzy_sample_x(v, right);
            fuzzy_span(fuzzy, output, right--, 1, &y);
            right_area += y;
        }
    }
    return (left_area * right_x + right_area * left_x) / (left_area + right_area);
}

static double fuzzy_of_max(const ploy_fuzzy *fuzzy, int32_t output) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    ploy_fuzzy_defuzzifier kind = v->def.defuzzifier;
    double y[PLOYI_FUZZY_SPAN], highest = -1.0, from = v->def.min, to = v->def.max;
    bool plateau = false;
    for (int32_t first = 0; first < v->def.samples; first += PLOYI_FUZZY_SPAN) {
        int32_t left = v->def.samples - first,
                count = left < PLOYI_FUZZY_SPAN ? left : PLOYI_FUZZY_SPAN;
        fuzzy_span(fuzzy, output, first, count, y);
        for (int32_t i = 0; i < count; i++) {
            double x = fuzzy_sample_x(v, first + i);
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

static double fuzzy_weighted(const ploy_fuzzy *fuzzy, int32_t output) {
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
                       : ploy_fuzzy_tsukamoto(&term->set, degree);
        sum += degree * z;
        weights += degree;
    }
    return v->def.defuzzifier == PLOY_FUZZY_WEIGHTED_SUM ? sum : sum / weights;
}

// Sets stand for themselves with one number each.
static double fuzzy_blend(const ploy_fuzzy *fuzzy, int32_t output) {
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

static double fuzzy_defuzzify(const ploy_fuzzy *fuzzy, int32_t output) {
    switch (ployi_fuzzy_output_at(fuzzy->type, output)->def.defuzzifier) {
    case PLOY_FUZZY_BISECTOR: return fuzzy_bisector(fuzzy, output);
    case PLOY_FUZZY_SMALLEST_OF_MAX:
    case PLOY_FUZZY_LARGEST_OF_MAX:
    case PLOY_FUZZY_MEAN_OF_MAX: return fuzzy_of_max(fuzzy, output);
    case PLOY_FUZZY_WEIGHTED_AVERAGE:
    case PLOY_FUZZY_WEIGHTED_SUM: return fuzzy_weighted(fuzzy, output);
    case PLOY_FUZZY_BLEND_OF_MAX:
    case PLOY_FUZZY_HIGHEST_SET: return fuzzy_blend(fuzzy, output);
    case PLOY_FUZZY_CENTROID:
    case PLOY_FUZZY_CENTROID_OF_SETS:
    case PLOY_FUZZY_DEFUZZIFIER_COUNT: break;
    }
    return fuzzy_centroid(fuzzy, output);
}

static void fuzzy_tell(const ploy_fuzzy *fuzzy, ploy_trace *trace) {
    const ploy_fuzzy_type *type = fuzzy->type;
    ploy_trace_begin(trace, ploy_agent_id_none(), type->name, "fuzzy");
    for (int32_t i = 0; i < type->variables[0].count; i++) {
        ploy_value value = ploy_value_f64(fuzzy->values[i]);
        ploy_trace_value(trace, ployi_fuzzy_input_at(type, i)->name, &value);
    }
    for (int32_t b = 0; b < type->blocks.count; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        for (int32_t r = 0; r < block->rules.count; r++) {
            double degree = fuzzy->rules[block->base + r];
            bool fired = fuzzy->fired[block->base + r] != 0;
            bool possible = degree > PLOY_FUZZY_TOLERANCE;
            ploy_trace_option(trace, ployi_fuzzy_rule_at(block, r)->text,
                              fired                 ? PLOY_OUTCOME_WON
                              : !block->def.enabled ? PLOY_OUTCOME_SKIPPED
                              : possible            ? PLOY_OUTCOME_LOST
                                                    : PLOY_OUTCOME_REJECTED,
                              degree,
                              fired                 ? "fired"
                              : !block->def.enabled ? "its block is off"
                              : possible            ? "the block's activation chose others"
                                                    : "what it asks for does not hold at all");
        }
    }
    for (int32_t i = 0; i < type->variables[1].count; i++) {
        ploy_value value = ploy_value_f64(ploy_fuzzy_output(fuzzy, i));
        ploy_trace_value(trace, ployi_fuzzy_output_at(type, i)->name, &value);
    }
    ploy_trace_end(trace);
}

void ploy_fuzzy_step(ploy_fuzzy *fuzzy, ploy_trace *trace) {
    const ploy_fuzzy_type *type = fuzzy->type;
    int32_t inputs = type->variables[0].count, outputs = type->variables[1].count;
    fuzzy_fuzzify(fuzzy);
    for (int32_t o = 0; o < outputs; o++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, o);
        fuzzy->count[o] = 0;
        for (int32_t k = 0; k < v->terms.count; k++) fuzzy->degrees[v->base + k] = 0.0;
    }
    memset(fuzzy->fired, 0, (size_t)type->rule_count * sizeof *fuzzy->fired);
    for (int32_t b = 0; b < type->blocks.count; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        if (block->def.enabled) {
            fuzzy_apply_block(fuzzy, block);
        } else {
            for (int32_t r = 0; r < block->rules.count; r++) fuzzy->rules[block->base + r] = 0.0;
        }
    }
    for (int32_t o = 0; o < outputs; o++) {
        const ploy_fuzzy_variable_def *def = &ployi_fuzzy_output_at(type, o)->def;
        double *value = &fuzzy->values[inputs + o];
        if (!def->enabled) continue;
        if (ploy_is_finite_d(*value)) fuzzy->previous[o] = *value;
        double now = (double)NAN;
        if (fuzzy->count[o] > 0) {
            now = fuzzy_defuzzify(fuzzy, o);
        } else if (def->lock_previous && fuzzy->previous[o] == fuzzy->previous[o]) {
            now = fuzzy->previous[o];
        } else if (def->fall_back) {
            now = def->fallback;
        }
        *value = fuzzy_hold(def, now);
    }
    if (trace != NULL) fuzzy_tell(fuzzy, trace);
}

double ploy_fuzzy_degree(const ploy_fuzzy *fuzzy, int32_t variable, int32_t term) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(fuzzy->type, variable);
    if (v == NULL || term < 0 || term >= v->terms.count) return 0.0;
    return fuzzy->degrees[v->base + term];
}

// The rule's number among all, or -1.
static int32_t fuzzy_rule_number(const ploy_fuzzy *fuzzy, int32_t block, int32_t rule) {
    const ployi_fuzzy_block *found = PLOY_ARRAY_AT(&fuzzy->type->blocks, ployi_fuzzy_block, block);
    return found != NULL && rule >= 0 && rule < found->rules.count ? found->base + rule : -1;
}

double ploy_fuzzy_rule_degree(const ploy_fuzzy *fuzzy, int32_t block, int32_t rule) {
    int32_t number = fuzzy_rule_number(fuzzy, block, rule);
    return number >= 0 ? fuzzy->rules[number] : 0.0;
}

bool ploy_fuzzy_rule_fired(const ploy_fuzzy *fuzzy, int32_t block, int32_t rule) {
    int32_t number = fuzzy_rule_number(fuzzy, block, rule);
    return number >= 0 && fuzzy->fired[number] != 0;
}

double ploy_fuzzy_conclusion(const ploy_fuzzy *fuzzy, int32_t output, double x) {
    if (output < 0 || output >= fuzzy->type->variables[1].count) return 0.0;
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(fuzzy->type, output);
    ploy_fuzzy_norm join =
        v->def.aggregation != PLOY_FUZZY_NONE ? v->def.aggregation : PLOY_FUZZY_MAXIMUM;
    double y = 0.0;
    for (int32_t a = v->active; a < v->active + fuzzy->count[output]; a++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, fuzzy->active_term[a]);
        ploy_fuzzy_norm norm = (ploy_fuzzy_norm)fuzzy->active_norm[a];
        if (norm == PLOY_FUZZY_NONE) norm = PLOY_FUZZY_MINIMUM;
        double at = ployi_fuzzy_term_degree(fuzzy->type, term, x, fuzzy->values);
        y = ploy_fuzzy_join(join, y, ploy_fuzzy_join(norm, at, fuzzy->active_degree[a]));
    }
    return y;
}

void ploy_fuzzy_describe(const ploy_fuzzy *fuzzy, ploy_describe *out) {
    if (fuzzy == NULL || out == NULL) return;
    const ploy_fuzzy_type *type = fuzzy->type;
    int32_t inputs = type->variables[0].count;
    for (int32_t i = 0; i < inputs + type->variables[1].count; i++) {
        const ployi_fuzzy_variable *v =
            i < inputs ? ployi_fuzzy_input_at(type, i) : ployi_fuzzy_output_at(type, i - inputs);
        ploy_describe_begin(out, v->name);
        ploy_describe_f64(out, "value", PLOY_STATE, fuzzy->values[i]);
        if (i >= inputs) {
            ploy_describe_f64(out, "previous", PLOY_STATE, fuzzy->previous[i - inputs]);
        }
        for (int32_t k = 0; k < v->terms.count; k++) {
            ploy_describe_f64(out, ployi_fuzzy_term_at(v, k)->name, PLOY_DERIVED,
                              fuzzy->degrees[v->base + k]);
        }
        ploy_describe_end(out);
    }
    for (int32_t b = 0; b < type->blocks.count; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        ploy_describe_begin(out, block->name[0] != '\0' ? block->name : "rules");
        for (int32_t r = 0; r < block->rules.count; r++) {
            ploy_describe_f64(out, ployi_fuzzy_rule_at(block, r)->text, PLOY_DERIVED,
                              fuzzy->rules[block->base + r]);
        }
        ploy_describe_end(out);
    }
}

// ---- as a behavior ----

static double fuzzy_read_board(const ployi_fuzzy_variable *v, const ploy_blackboard *board) {
    return v->narrow ? (double)ploy_blackboard_get_f32(board, v->slot)
                     : ploy_blackboard_get_f64(board, v->slot);
}

// True if the blackboard is one that the type was bound to.
static bool fuzzy_knows(const ploy_fuzzy_type *type, const ploy_blackboard *board) {
    return board != NULL && type->layout != NULL &&
           ploy_blackboard_get_layout(board) == type->layout;
}

static ploy_result fuzzy_behavior_step(void *self, ploy_step_context *context,
                                       ploy_status *status) {
    ploy_fuzzy *fuzzy = self;
    const ploy_fuzzy_type *type = fuzzy->type;
    bool knows = fuzzy_knows(type, context->blackboard);
    for (int32_t i = 0; i < type->variables[0].count && knows; i++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(type, i);
        if (ploy_slot_is_none(v->slot)) continue;
        ploy_fuzzy_set_input(fuzzy, i, fuzzy_read_board(v, context->blackboard));
    }
    ploy_fuzzy_step(fuzzy, context->trace);
    *status = PLOY_STATUS_SUCCESS;
    for (int32_t i = 0; i < type->variables[1].count; i++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, i);
        double value = ploy_fuzzy_output(fuzzy, i);
        if (value != value) {
            *status = PLOY_STATUS_FAILURE;
        } else if (knows && !ploy_slot_is_none(v->slot)) {
            ploy_result result =
                v->narrow ? ploy_blackboard_set_f32(context->blackboard, v->slot, (float)value)
                          : ploy_blackboard_set_f64(context->blackboard, v->slot, value);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static void fuzzy_behavior_describe(const void *self, ploy_describe *out) {
    ploy_fuzzy_describe(self, out);
}

static void fuzzy_behavior_destroy(void *self) {
    ploy_fuzzy_destroy(self);
}

static const ploy_behavior_type fuzzy_behavior = {.name = "fuzzy",
                                                  .step = fuzzy_behavior_step,
                                                  .destroy = fuzzy_behavior_destroy,
                                                  .describe = fuzzy_behavior_describe};

ploy_behavior ploy_fuzzy_get(ploy_fuzzy *fuzzy) {
    ploy_behavior behavior = {fuzzy != NULL ? &fuzzy_behavior : NULL, fuzzy};
    return behavior;
}

static ploy_result fuzzy_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = ploy_fuzzy_create(user, env, &fuzzy);
    if (result == PLOY_OK) *out = ploy_fuzzy_get(fuzzy);
    return result;
}

ploy_maker ploy_fuzzy_type_maker(ploy_fuzzy_type *type) {
    ploy_maker maker = {fuzzy_make, type};
    return maker;
}

// ---- guards ----

struct ploy_fuzzy_guard {
    ploy_env env;
    const ploy_fuzzy_type *type;
    ploy_array ops; // of ployi_fuzzy_op
    ploy_fuzzy_block_def norms;
    double cut_off;
    char text[PLOY_DIAG_TEXT_MAX];
};

ploy_result ploy_fuzzy_guard_create(const ploy_fuzzy_type *type, const char *text, double cut_off,
                                    const ploy_env *env, ploy_fuzzy_guard **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || text == NULL || env == NULL || cut_off != cut_off) return PLOY_ERR_ARGUMENT;
    if (!type->finished || type->layout == NULL) return PLOY_ERR_STATE;
    ploy_fuzzy_guard *guard = ploy_env_alloc_zero(env, sizeof *guard);
    if (guard == NULL) return PLOY_ERR_MEMORY;
    guard->env = *env;
    guard->type = type;
    guard->cut_off = cut_off;
    guard->norms = type->blocks.count > 0 ? ployi_fuzzy_block_at(type, 0)->def
                                          : ploy_fuzzy_block_def_default();
    if (guard->norms.conjunction == PLOY_FUZZY_NONE) guard->norms.conjunction = PLOY_FUZZY_MINIMUM;
    if (guard->norms.disjunction == PLOY_FUZZY_NONE) guard->norms.disjunction = PLOY_FUZZY_MAXIMUM;
    for (size_t i = 0; i + 1 < sizeof guard->text && text[i] != '\0'; i++) {
        guard->text[i] = text[i];
    }
    ploy_array_init(&guard->ops, sizeof(ployi_fuzzy_op), env);
    ploy_result result = ployi_fuzzy_read_part(type, text, &guard->ops);
    for (int32_t i = 0; i < guard->ops.count && result == PLOY_OK; i++) {
        const ployi_fuzzy_op *op = PLOY_ARRAY_AT(&guard->ops, ployi_fuzzy_op, i);
        if (op->code == PLOYI_FUZZY_TERM && op->variable >= PLOY_FUZZY_OUTPUT) {
            result = ployi_fuzzy_fault(
                type, NULL, NULL, 0, PLOY_ERR_ARGUMENT, "a guard asks for inputs only, not for",
                ploy_fuzzy_type_variable_name(type, op->variable), NULL, NULL);
        }
    }
    if (result != PLOY_OK) {
        ploy_fuzzy_guard_destroy(guard);
        return result;
    }
    *out = guard;
    return PLOY_OK;
}

void ploy_fuzzy_guard_destroy(ploy_fuzzy_guard *guard) {
    if (guard == NULL) return;
    ploy_array_fini(&guard->ops);
    ploy_env env = guard->env;
    ploy_env_free(&env, guard, sizeof *guard);
}

typedef struct fuzzy_look {
    const ploy_fuzzy_type *type;
    const ploy_blackboard *board;
} fuzzy_look;

static double fuzzy_board_degree(const void *user, const ployi_fuzzy_op *op) {
    const fuzzy_look *look = user;
    const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(look->type, op->variable);
    if (!v->def.enabled || ploy_slot_is_none(v->slot)) return 0.0;
    double x = fuzzy_hold(&v->def, fuzzy_read_board(v, look->board));
    const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, op->term);
    // A formula of other variables has nothing to look at here.
    return term->dynamic ? 0.0 : ployi_fuzzy_term_degree(look->type, term, x, NULL);
}

double ploy_fuzzy_guard_degree(const ploy_fuzzy_guard *guard, const ploy_blackboard *board) {
    if (!fuzzy_knows(guard->type, board)) return 0.0;
    fuzzy_look look = {guard->type, board};
    return ployi_fuzzy_part_degree(PLOY_ARRAY_ITEMS(&guard->ops, ployi_fuzzy_op), guard->ops.count,
                                   &guard->norms, fuzzy_board_degree, &look);
}

static bool fuzzy_guard_holds(void *user, const ploy_moment *moment, const float *args) {
    const ploy_fuzzy_guard *guard = user;
    (void)args;
    return moment->context != NULL &&
           ploy_fuzzy_to_bool(ploy_fuzzy_guard_degree(guard, moment->context->blackboard),
                              guard->cut_off);
}

ploy_condition ploy_fuzzy_guard_condition(ploy_fuzzy_guard *guard, ploy_conditions *set) {
    return ploy_condition_call(set, guard->text, fuzzy_guard_holds, guard);
}
