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

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

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

size_t ployi_fuzzy_type_instance_size(const ploy_fuzzy_type *type) {
    size_t size = 0;
    ploy_fuzzy nobody;
    return fuzzy_layout(type, &nobody, &size) ? size : 0;
}

ploy_result ploy_fuzzy_create(const ploy_fuzzy_type *type, const ploy_env *env, ploy_fuzzy **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    if (!type->finished) return PLOY_ERR_STATE;
    size_t size = ployi_fuzzy_type_instance_size(type);
    ploy_fuzzy *fuzzy = size > 0 ? ploy_env_alloc_zero(env, size) : NULL;
    if (fuzzy == NULL) return PLOY_ERR_MEMORY;
    fuzzy->env = *env;
    fuzzy->type = type;
    fuzzy->size = size;
    (void)fuzzy_layout(type, fuzzy, NULL);
    ployi_fuzzy_reset(fuzzy);
    ploy_result result = ployi_fuzzy_make_options(fuzzy);
    if (result != PLOY_OK) {
        ploy_env_free(env, fuzzy, size);
        return result;
    }
    *out = fuzzy;
    return PLOY_OK;
}

void ploy_fuzzy_destroy(ploy_fuzzy *fuzzy) {
    if (fuzzy == NULL) return;
    ploy_env env = fuzzy->env;
    ployi_choice_fini(&fuzzy->choice);
    ploy_env_free(&env, fuzzy, fuzzy->size);
}

void ployi_fuzzy_reset(ploy_fuzzy *fuzzy) {
    const ploy_fuzzy_type *type = fuzzy->type;
    size_t head = (sizeof *fuzzy + 15) / 16 * 16;
    memset((char *)fuzzy + head, 0, fuzzy->size - head);
    int32_t inputs = type->variables[0].count, outputs = type->variables[1].count;
    for (int32_t i = 0; i < inputs + outputs; i++) fuzzy->values[i] = (double)NAN;
    for (int32_t i = 0; i < inputs; i++) fuzzy->seen[i] = (double)NAN;
    for (int32_t i = 0; i < outputs; i++) fuzzy->previous[i] = (double)NAN;
}

const ploy_fuzzy_type *ployi_fuzzy_type_of(const ploy_fuzzy *fuzzy) {
    return fuzzy->type;
}

void ploy_fuzzy_set_input(ploy_fuzzy *fuzzy, int32_t input, double value) {
    if (input < 0 || input >= fuzzy->type->variables[0].count) return;
    fuzzy->values[input] = ployi_fuzzy_hold(&ployi_fuzzy_input_at(fuzzy->type, input)->def, value);
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

// ploy_fuzzy_membership of the commonest set, with the same bits and without a branch, because where
// a value lies is as good as random.
static inline double fuzzy_triangle(const ploy_fuzzy_set *set, double x) {
    const double *p = set->param;
    double left = x - p[0], middle = x - p[1], right = p[2] - x;
    bool outside = (left <= -PLOY_FUZZY_TOLERANCE) | (right <= -PLOY_FUZZY_TOLERANCE);
    bool rises = x < p[1];
    double part = rises ? left : right, whole = rises ? p[1] - p[0] : p[2] - p[1];
    double degree = fabs(middle) < PLOY_FUZZY_TOLERANCE ? 1.0 : part / whole;
    return set->height * (outside ? 0.0 : degree);
}

static void fuzzy_fuzzify(ploy_fuzzy *fuzzy) {
    const ploy_fuzzy_type *type = fuzzy->type;
    for (int32_t i = 0; i < type->variables[0].count; i++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(type, i);
        double x = fuzzy->values[i];
        bool same = x == fuzzy->seen[i];
        bool idle = x != x || !v->def.enabled; // belongs to no set
        double *degrees = fuzzy->degrees + v->base;
        for (int32_t k = 0; k < v->terms.count; k++) {
            const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
            if (same && !term->dynamic) continue;
            degrees[k] = idle             ? 0.0
                         : term->triangle ? fuzzy_triangle(&term->set, x)
                         : term->set.shape >= PLOY_FUZZY_LINEAR
                             ? ployi_fuzzy_term_degree(type, term, x, fuzzy->values)
                             : ploy_fuzzy_membership(&term->set, x);
        }
        fuzzy->seen[i] = x;
    }
}

static double fuzzy_known_degree(const void *user, const ployi_fuzzy_op *op) {
    return ((const ploy_fuzzy *)user)->degrees[op->number];
}

// Adds one conclusion to the list of its output.
static void fuzzy_conclude(ploy_fuzzy *fuzzy, const ployi_fuzzy_end *end, ploy_fuzzy_norm norm,
                           double degree) {
    int32_t place = end->active + fuzzy->count[end->output]++; // keeps (2)
    fuzzy->active_degree[place] = degree;
    fuzzy->active_term[place] = end->term;
    fuzzy->active_norm[place] = (int32_t)norm;
}

// A conclusion of any kind; the degree that the next one of the rule begins with.
static double fuzzy_conclude_bent(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block,
                                  const ployi_fuzzy_end *end, double reached) {
    const ploy_fuzzy_type *type = fuzzy->type;
    const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, end->output);
    if (!v->def.enabled) return reached;
    double degree = reached;
    const int32_t *hedges = PLOY_ARRAY_ITEMS(&type->hedges, int32_t);
    for (int32_t h = end->hedge_count - 1; h >= 0; h--) {
        degree = ploy_fuzzy_bend((ploy_fuzzy_hedge)hedges[end->hedge_first + h], degree);
    }
    fuzzy_conclude(fuzzy, end, block->def.implication, degree);
    double *joined = &fuzzy->degrees[end->number];
    *joined = v->def.aggregation == PLOY_FUZZY_NONE
                  ? *joined + degree
                  : ploy_fuzzy_join(v->def.aggregation, *joined, degree);
    return block->def.carry_hedges ? degree : reached;
}

// A plain conclusion: no hedges, an enabled output joined by max.
static inline void fuzzy_conclude_plain(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block,
                                        const ployi_fuzzy_end *end, double reached) {
    fuzzy_conclude(fuzzy, end, block->def.implication, reached);
    double *joined = &fuzzy->degrees[end->number];
    *joined = *joined < reached ? reached : *joined;
}

// The conclusions of a rule at that degree. Most rules have one, and it is plain.
static inline void fuzzy_fire(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block,
                              const ployi_fuzzy_rule *rule, int32_t r) {
    double reached = fuzzy->rules[block->base + r];
    fuzzy->fired[block->base + r] = 1;
    const ployi_fuzzy_end *end =
        PLOY_ARRAY_ITEMS(&fuzzy->type->ends, ployi_fuzzy_end) + rule->end_first;
    for (const ployi_fuzzy_end *stop = end + rule->end_count; end < stop; end++) {
        if (end->direct) {
            fuzzy_conclude_plain(fuzzy, block, end, reached);
        } else {
            reached = fuzzy_conclude_bent(fuzzy, block, end, reached);
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
// insertion would not pay: blocks that need an order are small.
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
        for (int32_t i = 0; i < count && i < left; i++)
            fuzzy_fire(fuzzy, block, ployi_fuzzy_rule_at(block, fuzzy->order[i]), fuzzy->order[i]);
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
        fuzzy_fire(fuzzy, block, ployi_fuzzy_rule_at(block, r), r);
    }
}

// A rule of terms joined by min alone, which is most of them: the smallest degree.
static double fuzzy_smallest(const double *degrees, const int32_t *numbers, int32_t count) {
    double smallest = degrees[numbers[0]];
    for (int32_t i = 1; i < count; i++) {
        double degree = degrees[numbers[i]];
        smallest = smallest < degree ? smallest : degree;
    }
    return smallest;
}

// A block of quick rules. Which of them fire is as good as random, so there is no branch on it: a
// conclusion of one that does not fire is overwritten by the next.
static void fuzzy_apply_quick(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block) {
    const ployi_fuzzy_quick *quick =
        PLOY_ARRAY_ITEMS(&fuzzy->type->quick, ployi_fuzzy_quick) + block->quick_first;
    int32_t place = ployi_fuzzy_output_at(fuzzy->type, block->quick_output)->active;
    int32_t count = fuzzy->count[block->quick_output], norm = (int32_t)block->def.implication;
    double *active = fuzzy->active_degree + place;
    int32_t *terms = fuzzy->active_term + place, *norms = fuzzy->active_norm + place;
    double *known = fuzzy->degrees, *degrees = fuzzy->rules + block->base;
    int32_t *fired = fuzzy->fired + block->base;
    for (int32_t r = 0; r < block->rules.count; r++) {
        double a = known[quick[r].a], b = known[quick[r].b];
        double degree = quick[r].weight * (a < b ? a : b);
        bool fires = degree > PLOY_FUZZY_TOLERANCE;
        degrees[r] = degree;
        fired[r] = fires;
        active[count] = degree; // there is room: each rule of the output has a place
        terms[count] = quick[r].term;
        norms[count] = norm;
        count += fires; // keeps (2)
        double reached = fires ? degree : 0.0, joined = known[quick[r].number];
        known[quick[r].number] = joined < reached ? reached : joined;
    }
    fuzzy->count[block->quick_output] = count;
}

static void fuzzy_apply_block(ploy_fuzzy *fuzzy, const ployi_fuzzy_block *block) {
    if (block->quick_first >= 0) {
        fuzzy_apply_quick(fuzzy, block);
        return;
    }
    const ployi_fuzzy_op *ops = PLOY_ARRAY_ITEMS(&fuzzy->type->ops, ployi_fuzzy_op);
    const int32_t *plain = PLOY_ARRAY_ITEMS(&fuzzy->type->plain, int32_t);
    double *degrees = fuzzy->rules + block->base;
    bool all = block->def.activation == PLOY_FUZZY_GENERAL;
    // A rule may read what an earlier one of its block concluded, so that each fires at once where
    // nothing has to be chosen among them.
    for (int32_t r = 0; r < block->rules.count; r++) {
        const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
        double degree =
            rule->plain_count > 0
                ? fuzzy_smallest(fuzzy->degrees, plain + rule->plain_first, rule->plain_count)
                : ployi_fuzzy_part_degree(ops + rule->op_first, rule->op_count, &block->def,
                                          fuzzy_known_degree, fuzzy);
        degrees[r] = rule->weight * degree;
        if (all && degrees[r] > PLOY_FUZZY_TOLERANCE) fuzzy_fire(fuzzy, block, rule, r);
    }
    if (!all) fuzzy_activate_some(fuzzy, block);
}

// ---- steps ----

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
            now = ployi_fuzzy_defuzzify(fuzzy, o);
        } else if (def->lock_previous && fuzzy->previous[o] == fuzzy->previous[o]) {
            now = fuzzy->previous[o];
        } else if (def->fall_back) {
            now = def->fallback;
        }
        *value = ployi_fuzzy_hold(def, now);
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

double ployi_fuzzy_conclusion(const ploy_fuzzy *fuzzy, int32_t output, double x) {
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

static void fuzzy_visit_number(ploy_visit *v, const char *name,
                               const ployi_fuzzy_variable *variable, double *value) {
    bool lock = variable->def.lock_range;
    double none = (double)NAN, far = (double)INFINITY;
    ploy_describe_f64(v->describe, name, PLOY_STATE, *value);
    if (ploy_visit_optional(v, variable->name, *value == *value)) {
        ploy_visit_f64_in(v, variable->name, PLOY_SAVED, value, lock ? variable->def.min : -far,
                          lock ? variable->def.max : far);
        return;
    }
    ploy_visit_write(v, value, &none, sizeof none);
    PLOY_VISIT_SCRATCH(v, *value);
}

static const char *fuzzy_visit_input(const void *user, uint32_t number) {
    const ploy_fuzzy_type *type = user;
    bool there = number < (uint32_t)type->variables[0].count;
    return there ? ployi_fuzzy_input_at(type, (int32_t)number)->name : "";
}

static const char *fuzzy_visit_output(const void *user, uint32_t number) {
    const ploy_fuzzy_type *type = user;
    bool there = number < (uint32_t)type->variables[1].count;
    return there ? ployi_fuzzy_output_at(type, (int32_t)number)->name : "";
}

// The numbers of the inputs or of the outputs.
static void fuzzy_visit_variables(ploy_visit *v, ploy_fuzzy *fuzzy, bool outputs) {
    const ploy_fuzzy_type *type = fuzzy->type;
    ploy_visit_table table = {outputs ? fuzzy_visit_output : fuzzy_visit_input,
                              NULL,
                              type,
                              (uint32_t)type->variables[outputs].count,
                              outputs ? "output" : "input",
                              NULL};
    ploy_visit_begin(v, outputs ? "outputs" : "inputs", PLOY_SAVED);
    for (int32_t i = 0; i < type->variables[outputs].count; i++) {
        const ployi_fuzzy_variable *variable =
            outputs ? ployi_fuzzy_output_at(type, i) : ployi_fuzzy_input_at(type, i);
        ploy_visit_begin(v, variable->name, PLOY_DERIVED);
        fuzzy_visit_number(v, "value", variable,
                           &fuzzy->values[outputs ? type->variables[0].count + i : i]);
        if (outputs) ploy_describe_f64(v->describe, "previous", PLOY_STATE, fuzzy->previous[i]);
        for (int32_t k = 0; k < variable->terms.count && v->describe != NULL; k++) {
            ploy_describe_f64(v->describe, ployi_fuzzy_term_at(variable, k)->name, PLOY_DERIVED,
                              fuzzy->degrees[variable->base + k]);
        }
        ploy_visit_end(v);
    }
    ploy_visit_gone(v, &table);
    ploy_visit_end(v);
}

// { "inputs": { "distance": 80 }, "outputs": { "want": 61.5 }, "previous": { ... },
// "option": { "id": "want", "behavior": { ... } } }; what is not a number is left out
void ployi_fuzzy_visit(ploy_visit *v, void *object) {
    ploy_fuzzy *fuzzy = object;
    const ploy_fuzzy_type *type = fuzzy->type;
    int32_t inputs = type->variables[0].count, outputs = type->variables[1].count;
    ploy_visit_table options = {fuzzy_visit_output, NULL,     type,
                                (uint32_t)outputs,  "option", "no longer exists: it restarts"};
    if (ploy_visit_tolerates(v)) ployi_fuzzy_reset(fuzzy);
    ploy_visit_object(v, "fuzzy", fuzzy, fuzzy->size);
    PLOY_VISIT_SCRATCH(v, fuzzy->env);
    PLOY_VISIT_SCRATCH(v, fuzzy->type);
    PLOY_VISIT_SCRATCH(v, fuzzy->size);
    PLOY_VISIT_SCRATCH(v, fuzzy->values); // this and the next point into the block
    PLOY_VISIT_SCRATCH(v, fuzzy->previous);
    PLOY_VISIT_SCRATCH(v, fuzzy->seen);
    PLOY_VISIT_SCRATCH(v, fuzzy->degrees);
    PLOY_VISIT_SCRATCH(v, fuzzy->rules);
    PLOY_VISIT_SCRATCH(v, fuzzy->active_degree);
    PLOY_VISIT_SCRATCH(v, fuzzy->count);
    PLOY_VISIT_SCRATCH(v, fuzzy->active_term);
    PLOY_VISIT_SCRATCH(v, fuzzy->active_norm);
    PLOY_VISIT_SCRATCH(v, fuzzy->fired);
    PLOY_VISIT_SCRATCH(v, fuzzy->order);
    ploy_visit_scratch(v, fuzzy + 1, (size_t)((char *)fuzzy->values - (char *)(fuzzy + 1)));
    // Behind the numbers, all that an evaluation computes.
    char *derived = (char *)(fuzzy->values + inputs + outputs);
    ploy_visit_scratch(v, derived, (size_t)((char *)fuzzy + fuzzy->size - derived));
    fuzzy_visit_variables(v, fuzzy, false);
    fuzzy_visit_variables(v, fuzzy, true);
    ploy_visit_begin(v, "previous", PLOY_SAVED);
    for (int32_t i = 0; i < outputs && v->mode != PLOY_VISIT_DESCRIBE; i++) {
        fuzzy_visit_number(v, "previous", ployi_fuzzy_output_at(type, i), &fuzzy->previous[i]);
    }
    ploy_visit_end(v);
    for (int32_t b = 0; b < type->blocks.count && v->describe != NULL; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        ploy_describe_begin(v->describe, block->name[0] != '\0' ? block->name : "rules");
        for (int32_t r = 0; r < block->rules.count; r++) {
            ploy_describe_f64(v->describe, ployi_fuzzy_rule_at(block, r)->text, PLOY_DERIVED,
                              fuzzy->rules[block->base + r]);
        }
        ploy_describe_end(v->describe);
    }
    ployi_choice_visit(v, &fuzzy->choice, "option", &options);
}

void ploy_fuzzy_describe(const ploy_fuzzy *fuzzy, ploy_describe *out) {
    ploy_visit_describe(ployi_fuzzy_visit, fuzzy, NULL, out);
}
