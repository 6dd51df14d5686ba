// Definitions of fuzzy systems; described in the header.
//
// Invariants of a finished type:
//   (1) every step of every rule names a variable and a term that are there (or "any" alone), and
//       every norm that a rule needs is one;
//   (2) outputs that are defuzzified by area have a finite range of more than 0;
//   (3) texts, values and samples lie in the arena and never move; so do the arrays, as nothing is
//       added any more.
#include <string.h>

#include "fuzzy_internal.h"

#include "decide/decide_internal.h"
#include "ploy/base/math.h"

static const char *const fuzzy_type_defuzzifiers[PLOY_FUZZY_DEFUZZIFIER_COUNT] = {
    "Centroid",        "Bisector",    "SmallestOfMaximum", "LargestOfMaximum", "MeanOfMaximum",
    "WeightedAverage", "WeightedSum", "BlendOfMaximum",    "HighestSet",       "CentroidOfSets"};
static const char *const fuzzy_type_weightings[] = {"Automatic", "TakagiSugeno", "Tsukamoto"};
static const char *const fuzzy_type_activations[PLOY_FUZZY_ACTIVATION_COUNT] = {
    "General", "First", "Last", "Highest", "Lowest", "Proportional", "Threshold"};
static const char *const fuzzy_type_comparisons[PLOY_FUZZY_COMPARISON_COUNT] = {
    "<", "<=", "==", "!=", ">=", ">"};
static const char *const fuzzy_type_samplings[] = {"midpoints", "right_ends"};
static const char *const fuzzy_type_points[] = {"mean", "smallest", "largest", "bisector",
                                                "centroid"};
static const char *const fuzzy_type_norms[PLOY_FUZZY_NORM_COUNT] = {"none",
                                                                    "minimum",
                                                                    "algebraic_product",
                                                                    "bounded_difference",
                                                                    "drastic_product",
                                                                    "einstein_product",
                                                                    "hamacher_product",
                                                                    "nilpotent_minimum",
                                                                    "maximum",
                                                                    "algebraic_sum",
                                                                    "bounded_sum",
                                                                    "drastic_sum",
                                                                    "einstein_sum",
                                                                    "hamacher_sum",
                                                                    "nilpotent_maximum",
                                                                    "normalized_sum",
                                                                    "unbounded_sum"};

static const ploy_field fuzzy_type_variable_fields[] = {
    PLOY_FIELD_BOOL(ploy_fuzzy_variable_def, enabled, 1, "takes part"),
    PLOY_FIELD_BOOL(ploy_fuzzy_variable_def, lock_range, 0, "values are held within the range"),
    PLOY_FIELD_BOOL(ploy_fuzzy_variable_def, lock_previous, 0, "keeps its value if no rule fires"),
    PLOY_FIELD_BOOL(ploy_fuzzy_variable_def, fall_back, 0, "has a value for when no rule fires"),
    PLOY_FIELD_F64(ploy_fuzzy_variable_def, min, -(double)INFINITY, -(double)INFINITY,
                   (double)INFINITY, "", "where the range begins"),
    PLOY_FIELD_F64(ploy_fuzzy_variable_def, max, (double)INFINITY, -(double)INFINITY,
                   (double)INFINITY, "", "where the range ends"),
    PLOY_FIELD_F64(ploy_fuzzy_variable_def, fallback, 0, -(double)INFINITY, (double)INFINITY, "",
                   "the value when no rule fires"),
    PLOY_FIELD_ENUM(ploy_fuzzy_variable_def, defuzzifier, 0, fuzzy_type_defuzzifiers,
                    "how an output becomes a number"),
    PLOY_FIELD_ENUM(ploy_fuzzy_variable_def, aggregation, PLOY_FUZZY_MAXIMUM, fuzzy_type_norms,
                    "joins what several rules say"),
    PLOY_FIELD_ENUM(ploy_fuzzy_variable_def, sampling, 0, fuzzy_type_samplings,
                    "where an area is sampled"),
    PLOY_FIELD_ENUM(ploy_fuzzy_variable_def, weighting, 0, fuzzy_type_weightings,
                    "what a rule says to a weighted output"),
    PLOY_FIELD_ENUM(ploy_fuzzy_variable_def, point, 0, fuzzy_type_points, "what represents a set"),
    PLOY_FIELD_I32_FIXED(ploy_fuzzy_variable_def, samples, 100, 1, PLOY_FUZZY_SAMPLES_MAX, "",
                         "slices of the range"),
};

static const ploy_field fuzzy_type_block_fields[] = {
    PLOY_FIELD_BOOL(ploy_fuzzy_block_def, enabled, 1, "takes part"),
    PLOY_FIELD_ENUM(ploy_fuzzy_block_def, conjunction, PLOY_FUZZY_MINIMUM, fuzzy_type_norms, "and"),
    PLOY_FIELD_ENUM(ploy_fuzzy_block_def, disjunction, PLOY_FUZZY_MAXIMUM, fuzzy_type_norms, "or"),
    PLOY_FIELD_ENUM(ploy_fuzzy_block_def, implication, PLOY_FUZZY_MINIMUM, fuzzy_type_norms,
                    "how a degree clips its set"),
    PLOY_FIELD_ENUM(ploy_fuzzy_block_def, activation, 0, fuzzy_type_activations,
                    "which rules fire"),
    PLOY_FIELD_ENUM(ploy_fuzzy_block_def, comparison, PLOY_FUZZY_GREATER, fuzzy_type_comparisons,
                    "with the threshold"),
    PLOY_FIELD_I32(ploy_fuzzy_block_def, count, 1, 0, PLOY_FUZZY_COUNT_MAX, "",
                   "rules that fire at most"),
    PLOY_FIELD_F64(ploy_fuzzy_block_def, threshold, 0, -(double)INFINITY, (double)INFINITY, "",
                   "degree that rules are compared with"),
    PLOY_FIELD_BOOL(ploy_fuzzy_block_def, carry_hedges, 0,
                    "hedges of a conclusion apply to those after it, too"),
};

ploy_fields ploy_fuzzy_variable_fields(void) {
    return PLOY_FIELDS(ploy_fuzzy_variable_def, fuzzy_type_variable_fields);
}

ploy_fields ploy_fuzzy_block_fields(void) {
    return PLOY_FIELDS(ploy_fuzzy_block_def, fuzzy_type_block_fields);
}

ploy_fuzzy_variable_def ploy_fuzzy_variable_def_default(void) {
    ploy_fuzzy_variable_def def;
    ploy_fields_default(ploy_fuzzy_variable_fields(), &def);
    return def;
}

ploy_fuzzy_block_def ploy_fuzzy_block_def_default(void) {
    ploy_fuzzy_block_def def;
    ploy_fields_default(ploy_fuzzy_block_fields(), &def);
    return def;
}

// The text of an enumerator, "" out of range.
static const char *fuzzy_type_choice(const char *const *texts, int32_t count, int32_t value) {
    return value >= 0 && value < count ? texts[value] : "";
}

const char *ploy_fuzzy_defuzzifier_text(ploy_fuzzy_defuzzifier defuzzifier) {
    return fuzzy_type_choice(fuzzy_type_defuzzifiers, PLOY_FUZZY_DEFUZZIFIER_COUNT,
                             (int32_t)defuzzifier);
}

const char *ploy_fuzzy_weighting_text(ploy_fuzzy_weighting weighting) {
    return fuzzy_type_choice(fuzzy_type_weightings, 3, (int32_t)weighting);
}

const char *ploy_fuzzy_activation_text(ploy_fuzzy_activation activation) {
    return fuzzy_type_choice(fuzzy_type_activations, PLOY_FUZZY_ACTIVATION_COUNT,
                             (int32_t)activation);
}

const char *ploy_fuzzy_comparison_text(ploy_fuzzy_comparison comparison) {
    return fuzzy_type_choice(fuzzy_type_comparisons, PLOY_FUZZY_COMPARISON_COUNT,
                             (int32_t)comparison);
}

// ---- faults and texts ----

ploy_result ployi_fuzzy_fault(const ploy_fuzzy_type *type, const ploy_fuzzy_source *source,
                              const char *source_text, size_t offset, ploy_result code,
                              const char *message, const char *name, const char *expected,
                              const char *nearest) {
    char text[PLOY_DIAG_TEXT_MAX];
    const char *parts[] = {message, name != NULL ? " '" : "", name != NULL ? name : "",
                           name != NULL ? "'" : ""};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof text; c++) text[used++] = *c;
    }
    text[used] = '\0';
    if (source == NULL) {
        ploy_env_log(&type->env, PLOY_SEVERITY_ERROR, text);
        return code;
    }
    int64_t column = (int64_t)source->column + (int64_t)offset;
    int32_t line = source->line;
    for (size_t i = 0; source_text != NULL && i < offset; i++) {
        if (source_text[i] != '\n') continue;
        line++;
        column = (int64_t)(offset - i);
    }
    ploy_diags_add(source->diags, PLOY_SEVERITY_ERROR, code,
                   source->name != NULL ? source->name : "", line,
                   line == 0 ? 0 : (int32_t)(column < INT32_MAX ? column : INT32_MAX), text,
                   expected, nearest);
    return code;
}

// Notes the first fault.
static ploy_result fuzzy_type_fault(ploy_fuzzy_type *type, const ploy_fuzzy_source *source,
                                    ploy_result code, const char *message, const char *name) {
    if (type->result == PLOY_OK) type->result = code;
    return ployi_fuzzy_fault(type, source, NULL, 0, code, message, name, NULL, NULL);
}

// ---- building ----

ploy_result ploy_fuzzy_type_create(const char *name, const ploy_env *env, ploy_fuzzy_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_fuzzy_type *type = ploy_env_alloc_zero(env, sizeof *type);
    if (type == NULL) return PLOY_ERR_MEMORY;
    type->env = *env;
    for (int32_t i = 0; i < PLOYI_FUZZY_SPAN; i++) type->numbers[i] = i;
    ploy_array_init(&type->variables[0], sizeof(ployi_fuzzy_variable), env);
    ploy_array_init(&type->variables[1], sizeof(ployi_fuzzy_variable), env);
    ploy_map_init(&type->by_name, sizeof(int32_t), env);
    ploy_array_init(&type->blocks, sizeof(ployi_fuzzy_block), env);
    ploy_array_init(&type->ops, sizeof(ployi_fuzzy_op), env);
    ploy_array_init(&type->ends, sizeof(ployi_fuzzy_end), env);
    ploy_array_init(&type->hedges, sizeof(int32_t), env);
    ploy_array_init(&type->plain, sizeof(int32_t), env);
    ploy_array_init(&type->quick, sizeof(ployi_fuzzy_quick), env);
    ploy_array_init(&type->formula, sizeof(ployi_formula_op), env);
    ploy_result result = ploy_arena_create(0, 0, env, &type->texts);
    if (result == PLOY_OK) {
        if (name == NULL) name = "";
        type->name = ployi_fuzzy_keep(type, name, strlen(name));
        type->description = "";
        if (type->name == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result != PLOY_OK) {
        ploy_fuzzy_type_destroy(type);
        return result;
    }
    *out = type;
    return PLOY_OK;
}

void ploy_fuzzy_type_destroy(ploy_fuzzy_type *type) {
    if (type == NULL) return;
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            ploy_array_fini(&PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i)->terms);
        }
        ploy_array_fini(&type->variables[kind]);
    }
    for (int32_t i = 0; i < type->blocks.count; i++) {
        ploy_array_fini(&ployi_fuzzy_block_at(type, i)->rules);
    }
    ploy_map_fini(&type->by_name);
    ploy_array_fini(&type->blocks);
    ploy_array_fini(&type->ops);
    ploy_array_fini(&type->ends);
    ploy_array_fini(&type->hedges);
    ploy_array_fini(&type->plain);
    ploy_array_fini(&type->quick);
    ploy_array_fini(&type->formula);
    ploy_arena_destroy(type->texts);
    ploy_env env = type->env;
    ploy_env_free(&env, type, sizeof *type);
}

static int32_t fuzzy_type_add(ploy_fuzzy_type *type, int32_t kind, const char *name,
                              const ploy_fuzzy_variable_def *def) {
    if (type == NULL || type->finished) return -1;
    ploy_fuzzy_variable_def copy = ploy_fuzzy_variable_def_default();
    if (def != NULL) copy = *def;
    if (name == NULL || name[0] == '\0') {
        (void)fuzzy_type_fault(type, NULL, PLOY_ERR_ARGUMENT, "missing name of a variable", NULL);
        return -1;
    }
    ploy_result result = ploy_fields_check(ploy_fuzzy_variable_fields(), &copy, &type->env);
    if (result == PLOY_OK && !(copy.min <= copy.max)) result = PLOY_ERR_ARGUMENT;
    if (result != PLOY_OK) {
        (void)fuzzy_type_fault(type, NULL, result, "settings are out of range in variable", name);
        return -1;
    }
    if (ploy_fuzzy_type_find(type, name) >= 0) {
        (void)fuzzy_type_fault(type, NULL, PLOY_ERR_EXISTS, "duplicate variable", name);
        return -1;
    }
    if (type->variables[kind].count >= PLOY_FUZZY_COUNT_MAX) {
        (void)fuzzy_type_fault(type, NULL, PLOY_ERR_LIMIT, "too many variables:", name);
        return -1;
    }
    ployi_fuzzy_variable variable;
    memset(&variable, 0, sizeof variable);
    variable.name = ployi_fuzzy_keep(type, name, strlen(name));
    variable.description = "";
    variable.def = copy;
    ploy_array_init(&variable.terms, sizeof(ployi_fuzzy_term), &type->env);
    int32_t number = type->variables[kind].count + (kind == 0 ? 0 : PLOY_FUZZY_OUTPUT);
    if (variable.name == NULL || ploy_array_push(&type->variables[kind], &variable) != PLOY_OK ||
        ployi_fuzzy_index(type, PLOYI_FUZZY_VARIABLES, variable.name, number) != PLOY_OK) {
        if (type->result == PLOY_OK) type->result = PLOY_ERR_MEMORY;
        return -1;
    }
    return number;
}

int32_t ploy_fuzzy_type_input(ploy_fuzzy_type *type, const char *name,
                              const ploy_fuzzy_variable_def *def) {
    return fuzzy_type_add(type, 0, name, def);
}

int32_t ploy_fuzzy_type_output(ploy_fuzzy_type *type, const char *name,
                               const ploy_fuzzy_variable_def *def) {
    return fuzzy_type_add(type, 1, name, def);
}

int32_t ploy_fuzzy_type_term_at(ploy_fuzzy_type *type, int32_t variable, const char *name,
                                const ploy_fuzzy_set *set, const ploy_fuzzy_source *source) {
    if (type == NULL || type->finished) return -1;
    ployi_fuzzy_variable *owner = ployi_fuzzy_find_variable(type, variable);
    const char *why = "no such variable for the term";
    if (name == NULL || name[0] == '\0') {
        (void)fuzzy_type_fault(type, source, PLOY_ERR_ARGUMENT, "missing name of a term", NULL);
        return -1;
    }
    if (owner == NULL || ploy_fuzzy_set_check(set, &why) != PLOY_OK) {
        (void)fuzzy_type_fault(type, source, PLOY_ERR_ARGUMENT, why, name);
        return -1;
    }
    bool exists = ploy_fuzzy_type_find_term(type, variable, name) >= 0;
    if (exists || owner->terms.count >= PLOY_FUZZY_COUNT_MAX) {
        (void)fuzzy_type_fault(type, source, exists ? PLOY_ERR_EXISTS : PLOY_ERR_LIMIT,
                               exists ? "duplicate term" : "too many terms:", name);
        return -1;
    }
    ployi_fuzzy_term term;
    memset(&term, 0, sizeof term);
    term.set = *set;
    term.set.values = NULL;
    term.set.formula = NULL;
    term.name = ployi_fuzzy_keep(type, name, strlen(name));
    bool listed = set->shape == PLOY_FUZZY_DISCRETE || set->shape == PLOY_FUZZY_LINEAR;
    if (!listed) term.set.count = 0;
    if (listed && set->count > 0) {
        double *values = ploy_arena_alloc_array(type->texts, set->count, sizeof *values);
        if (values != NULL) memcpy(values, set->values, (size_t)set->count * sizeof *values);
        term.set.values = values;
    }
    if (set->shape == PLOY_FUZZY_FUNCTION) {
        term.set.formula = ployi_fuzzy_keep(type, set->formula, strlen(set->formula));
    }
    if (source != NULL) {
        term.line = source->line;
        term.column = source->column;
    }
    bool fine = term.name != NULL && (term.set.values != NULL || term.set.count == 0) &&
                (term.set.formula != NULL || set->shape != PLOY_FUZZY_FUNCTION);
    if (!fine || ploy_array_push(&owner->terms, &term) != PLOY_OK ||
        ployi_fuzzy_index(type, variable, term.name, owner->terms.count - 1) != PLOY_OK) {
        if (type->result == PLOY_OK) type->result = PLOY_ERR_MEMORY;
        return -1;
    }
    return owner->terms.count - 1;
}

int32_t ploy_fuzzy_type_term(ploy_fuzzy_type *type, int32_t variable, const char *name,
                             const ploy_fuzzy_set *set) {
    return ploy_fuzzy_type_term_at(type, variable, name, set, NULL);
}

int32_t ploy_fuzzy_type_block(ploy_fuzzy_type *type, const char *name,
                              const ploy_fuzzy_block_def *def) {
    if (type == NULL || type->finished) return -1;
    ployi_fuzzy_block block;
    memset(&block, 0, sizeof block);
    block.def = def != NULL ? *def : ploy_fuzzy_block_def_default();
    if (name == NULL) name = "";
    ploy_result result = ploy_fields_check(ploy_fuzzy_block_fields(), &block.def, &type->env);
    if (result == PLOY_OK && type->blocks.count >= PLOY_FUZZY_COUNT_MAX) result = PLOY_ERR_LIMIT;
    if (result != PLOY_OK) {
        (void)fuzzy_type_fault(type, NULL, result, "settings are out of range in block", name);
        return -1;
    }
    block.name = ployi_fuzzy_keep(type, name, strlen(name));
    ploy_array_init(&block.rules, sizeof(ployi_fuzzy_rule), &type->env);
    if (block.name == NULL || ploy_array_push(&type->blocks, &block) != PLOY_OK) {
        if (type->result == PLOY_OK) type->result = PLOY_ERR_MEMORY;
        return -1;
    }
    return type->blocks.count - 1;
}

ploy_result ploy_fuzzy_type_describe_as(ploy_fuzzy_type *type, int32_t variable, const char *text) {
    if (type == NULL || type->finished || text == NULL) return PLOY_ERR_ARGUMENT;
    ployi_fuzzy_variable *owner = ployi_fuzzy_find_variable(type, variable);
    if (owner == NULL && variable >= 0) return PLOY_ERR_ARGUMENT;
    const char *kept = ployi_fuzzy_keep(type, text, strlen(text));
    if (kept == NULL) return PLOY_ERR_MEMORY;
    *(owner != NULL ? &owner->description : &type->description) = kept;
    return PLOY_OK;
}

ploy_result ploy_fuzzy_type_bind(ploy_fuzzy_type *type, const ploy_blackboard_layout *layout) {
    if (type == NULL || layout == NULL || type->finished) return PLOY_ERR_ARGUMENT;
    type->layout = layout;
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            ployi_fuzzy_variable *v =
                PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i);
            v->slot = ploy_blackboard_layout_find(layout, v->name);
            if (ploy_slot_is_none(v->slot)) continue;
            ploy_value_type kind_of = ploy_blackboard_layout_type(layout, v->slot);
            v->narrow = kind_of == PLOY_VALUE_F32;
            if (!v->narrow && kind_of != PLOY_VALUE_F64) {
                return fuzzy_type_fault(type, NULL, PLOY_ERR_ARGUMENT,
                                        "expected an f32 or f64 key, found", v->name);
            }
        }
    }
    return PLOY_OK;
}

// ---- finishing ----

static bool fuzzy_type_is_triangle(const ploy_fuzzy_set *set) {
    const double *p = set->param;
    return set->shape == PLOY_FUZZY_TRIANGLE && ploy_is_finite_d(p[0]) && ploy_is_finite_d(p[1]) &&
           ploy_is_finite_d(p[2]);
}

// Compiles formulas; after it no term depends on something unknown.
static void fuzzy_type_read_formulas(ploy_fuzzy_type *type, ploy_diags *diags) {
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            ployi_fuzzy_variable *v =
                PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i);
            for (int32_t k = 0; k < v->terms.count; k++) {
                ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
                term->dynamic = term->set.shape == PLOY_FUZZY_LINEAR;
                term->triangle = fuzzy_type_is_triangle(&term->set);
                if (term->set.shape != PLOY_FUZZY_FUNCTION) continue;
                ploy_fuzzy_source source = {type->name, term->line, term->column, diags};
                bool uses_x;
                term->op_first = type->formula.count;
                ploy_result result =
                    ployi_formula_read(type, term->set.formula, diags != NULL ? &source : NULL,
                                       &type->formula, &uses_x, &term->dynamic);
                term->op_count = type->formula.count - term->op_first;
                if (result != PLOY_OK && type->result == PLOY_OK) type->result = result;
            }
        }
    }
}

static bool fuzzy_type_is_weighted(const ployi_fuzzy_variable *v) {
    return v->def.defuzzifier == PLOY_FUZZY_WEIGHTED_AVERAGE ||
           v->def.defuzzifier == PLOY_FUZZY_WEIGHTED_SUM;
}

// A range that was not given is what the terms cover.
static void fuzzy_type_find_range(ployi_fuzzy_variable *v) {
    if (v->def.min > -(double)INFINITY || v->def.max < (double)INFINITY) return;
    double min = 0.0, max = 0.0;
    bool any = false;
    for (int32_t i = 0; i < v->terms.count; i++) {
        double from, to;
        if (!ployi_fuzzy_set_extent(&ployi_fuzzy_term_at(v, i)->set, &from, &to)) continue;
        if (!any || from < min) min = from;
        if (!any || to > max) max = to;
        any = true;
    }
    if (!any) return;
    double room = min < max ? 0.0 : 0.5; // a single point is in the middle of something
    v->def.min = min - room;
    v->def.max = max + room;
}

// Lists the terms of a rule that joins nothing but terms, by min.
static void fuzzy_type_list_plain(ploy_fuzzy_type *type, const ployi_fuzzy_block *block,
                                  ployi_fuzzy_rule *rule) {
    rule->plain_first = type->plain.count;
    rule->plain_count = 0;
    if (block->def.conjunction != PLOY_FUZZY_MINIMUM) return;
    for (int32_t i = 0; i < rule->op_count; i++) {
        const ployi_fuzzy_op *op = PLOY_ARRAY_AT(&type->ops, ployi_fuzzy_op, rule->op_first + i);
        if (op->code == PLOYI_FUZZY_AND) continue;
        bool plain = op->code == PLOYI_FUZZY_TERM && op->term >= 0;
        ploy_result result = plain ? ploy_array_push(&type->plain, &op->number) : PLOY_OK;
        if (result != PLOY_OK && type->result == PLOY_OK) type->result = result;
        if (!plain || result != PLOY_OK) return;
    }
    rule->plain_count = type->plain.count - rule->plain_first;
}

// Numbers terms and rules, resolves steps, and checks that each block has the norms it needs.
static void fuzzy_type_resolve(ploy_fuzzy_type *type, const ploy_fuzzy_source *source) {
    type->term_count = type->rule_count = type->widest = 0;
    ploy_array_clear(&type->plain);
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            ployi_fuzzy_variable *v =
                PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i);
            v->base = type->term_count;
            type->term_count += v->terms.count;
            v->places = 0;
            v->implication = PLOY_FUZZY_NORM_COUNT; // no rule concludes it yet
        }
    }
    for (int32_t i = 0; i < type->ops.count; i++) {
        ployi_fuzzy_op *op = PLOY_ARRAY_AT(&type->ops, ployi_fuzzy_op, i);
        if (op->code != PLOYI_FUZZY_TERM || op->term < 0) continue;
        const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, op->variable);
        op->number = v->base + op->term;
        ployi_fuzzy_term_at(v, op->term)->used = true;
    }
    for (int32_t b = 0; b < type->blocks.count; b++) {
        ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        block->base = type->rule_count;
        type->rule_count += block->rules.count;
        if (block->rules.count > type->widest) type->widest = block->rules.count;
        for (int32_t r = 0; r < block->rules.count; r++) {
            ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
            fuzzy_type_list_plain(type, block, rule);
            if (rule->ands && block->def.conjunction == PLOY_FUZZY_NONE) {
                (void)fuzzy_type_fault(
                    type, source, PLOY_ERR_FORMAT,
                    "the block has no conjunction, but a rule with 'and':", rule->text);
            }
            if (rule->ors && block->def.disjunction == PLOY_FUZZY_NONE) {
                (void)fuzzy_type_fault(
                    type, source, PLOY_ERR_FORMAT,
                    "the block has no disjunction, but a rule with 'or':", rule->text);
            }
            for (int32_t e = 0; e < rule->end_count; e++) {
                const ployi_fuzzy_end *end =
                    PLOY_ARRAY_AT(&type->ends, ployi_fuzzy_end, rule->end_first + e);
                ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, end->output);
                ployi_fuzzy_term_at(v, end->term)->used = true;
                v->places++;
                if (ployi_fuzzy_is_area(v) && block->def.implication == PLOY_FUZZY_NONE) {
                    (void)fuzzy_type_fault(type, source, PLOY_ERR_FORMAT,
                                           "the block has no implication for the output", v->name);
                }
                v->implication = v->implication == PLOY_FUZZY_NORM_COUNT ||
                                         v->implication == block->def.implication
                                     ? block->def.implication
                                     : PLOY_FUZZY_NONE;
            }
        }
    }
    type->place_count = 0;
    for (int32_t i = 0; i < type->variables[1].count; i++) {
        ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, i);
        if (v->implication == PLOY_FUZZY_NORM_COUNT) v->implication = PLOY_FUZZY_NONE;
        v->active = type->place_count;
        type->place_count += v->places;
        if (v->places == 0) continue; // never fires, needs nothing
        bool finite = ploy_is_finite_d(v->def.min) && ploy_is_finite_d(v->def.max);
        if (!fuzzy_type_is_weighted(v) && (!finite || !(v->def.min < v->def.max))) {
            (void)fuzzy_type_fault(type, source, PLOY_ERR_FORMAT,
                                   "output needs a finite range:", v->name);
        }
        if (ployi_fuzzy_is_area(v) && v->def.aggregation == PLOY_FUZZY_NONE) {
            (void)fuzzy_type_fault(type, source, PLOY_ERR_FORMAT,
                                   "output needs an aggregation:", v->name);
        }
    }
}

// Prepares conclusions for firing, when the outputs' places are known.
static void fuzzy_type_resolve_ends(ploy_fuzzy_type *type) {
    for (int32_t i = 0; i < type->ends.count; i++) {
        ployi_fuzzy_end *end = PLOY_ARRAY_AT(&type->ends, ployi_fuzzy_end, i);
        const ployi_fuzzy_variable *v = ployi_fuzzy_output_at(type, end->output);
        end->number = v->base + end->term;
        end->active = v->active;
        end->direct =
            v->def.enabled && end->hedge_count == 0 && v->def.aggregation == PLOY_FUZZY_MAXIMUM;
    }
}

// Lists the rules of a block in their short form, if all have one.
static ploy_result fuzzy_type_list_quick(ploy_fuzzy_type *type, ployi_fuzzy_block *block) {
    int32_t first = type->quick.count, output = -1;
    block->quick_first = block->quick_output = -1;
    if (block->def.activation != PLOY_FUZZY_GENERAL) return PLOY_OK;
    for (int32_t r = 0; r < block->rules.count; r++) {
        const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
        if (rule->plain_count < 1 || rule->plain_count > 2 || rule->end_count != 1) return PLOY_OK;
        const ployi_fuzzy_end *end = PLOY_ARRAY_AT(&type->ends, ployi_fuzzy_end, rule->end_first);
        if (!end->direct || (r > 0 && end->output != output)) return PLOY_OK;
        output = end->output;
    }
    for (int32_t r = 0; r < block->rules.count; r++) {
        const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
        const ployi_fuzzy_end *end = PLOY_ARRAY_AT(&type->ends, ployi_fuzzy_end, rule->end_first);
        const int32_t *terms = PLOY_ARRAY_ITEMS(&type->plain, int32_t) + rule->plain_first;
        ployi_fuzzy_quick quick = {rule->weight, terms[0], terms[rule->plain_count - 1], end->term,
                                   end->number};
        ploy_result result = ploy_array_push(&type->quick, &quick);
        if (result != PLOY_OK) return result;
    }
    block->quick_first = output >= 0 ? first : -1;
    block->quick_output = output;
    return PLOY_OK;
}

ploy_result ploy_fuzzy_type_finish(ploy_fuzzy_type *type, ploy_diags *diags) {
    if (type == NULL) return PLOY_ERR_ARGUMENT;
    if (type->finished) return PLOY_ERR_STATE;
    ploy_fuzzy_source source = {type->name, 0, 0, diags};
    fuzzy_type_read_formulas(type, diags);
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            fuzzy_type_find_range(PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i));
        }
    }
    fuzzy_type_resolve(type, diags != NULL ? &source : NULL);
    fuzzy_type_resolve_ends(type);
    for (int32_t b = 0; b < type->blocks.count && type->result == PLOY_OK; b++) {
        type->result = fuzzy_type_list_quick(type, ployi_fuzzy_block_at(type, b));
    }
    for (int32_t i = 0; i < type->variables[1].count && type->result == PLOY_OK; i++) {
        type->result = ployi_fuzzy_sample(type, ployi_fuzzy_output_at(type, i));
    }
    if (type->result == PLOY_OK) type->finished = true;
    return type->result;
}

double ployi_fuzzy_term_degree(const ploy_fuzzy_type *type, const ployi_fuzzy_term *term, double x,
                               const double *values) {
    const ploy_fuzzy_set *set = &term->set;
    if (set->shape == PLOY_FUZZY_FUNCTION) {
        return set->height * ployi_formula_eval(PLOY_ARRAY_ITEMS(&type->formula, ployi_formula_op) +
                                                    term->op_first,
                                                term->op_count, x, values);
    }
    if (set->shape != PLOY_FUZZY_LINEAR) return ploy_fuzzy_membership(set, x);
    int32_t inputs = type->variables[0].count;
    double sum = 0.0;
    for (int32_t i = 0; i < inputs && i < set->count; i++) sum += set->values[i] * values[i];
    return set->count > inputs ? sum + set->values[set->count - 1] : sum;
}

// ---- looking ----

ployi_fuzzy_variable *ployi_fuzzy_find_variable(const ploy_fuzzy_type *type, int32_t variable) {
    bool output = variable >= PLOY_FUZZY_OUTPUT;
    return PLOY_ARRAY_AT(&type->variables[output], ployi_fuzzy_variable,
                         output ? variable - PLOY_FUZZY_OUTPUT : variable);
}

const char *ploy_fuzzy_type_name(const ploy_fuzzy_type *type) {
    return type->name;
}

int32_t ploy_fuzzy_type_inputs(const ploy_fuzzy_type *type) {
    return type->variables[0].count;
}

int32_t ploy_fuzzy_type_outputs(const ploy_fuzzy_type *type) {
    return type->variables[1].count;
}

const char *ploy_fuzzy_type_variable_name(const ploy_fuzzy_type *type, int32_t variable) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    return v != NULL ? v->name : "";
}

const char *ploy_fuzzy_type_description(const ploy_fuzzy_type *type, int32_t variable) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    return v != NULL ? v->description : type->description;
}

const ploy_fuzzy_variable_def *ploy_fuzzy_type_variable(const ploy_fuzzy_type *type,
                                                        int32_t variable) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    return v != NULL ? &v->def : NULL;
}

int32_t ploy_fuzzy_type_terms(const ploy_fuzzy_type *type, int32_t variable) {
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    return v != NULL ? v->terms.count : 0;
}

ploy_fuzzy_term ploy_fuzzy_type_term_of(const ploy_fuzzy_type *type, int32_t variable,
                                        int32_t term) {
    ploy_fuzzy_term out;
    memset(&out, 0, sizeof out);
    out.name = "";
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    if (v == NULL || term < 0 || term >= v->terms.count) return out;
    out.name = ployi_fuzzy_term_at(v, term)->name;
    out.set = ployi_fuzzy_term_at(v, term)->set;
    return out;
}

int32_t ploy_fuzzy_type_blocks(const ploy_fuzzy_type *type) {
    return type->blocks.count;
}

static const ployi_fuzzy_block *fuzzy_type_block_or_none(const ploy_fuzzy_type *type,
                                                         int32_t block) {
    return PLOY_ARRAY_AT(&type->blocks, ployi_fuzzy_block, block);
}

const char *ploy_fuzzy_type_block_name(const ploy_fuzzy_type *type, int32_t block) {
    const ployi_fuzzy_block *found = fuzzy_type_block_or_none(type, block);
    return found != NULL ? found->name : "";
}

const ploy_fuzzy_block_def *ploy_fuzzy_type_block_at(const ploy_fuzzy_type *type, int32_t block) {
    const ployi_fuzzy_block *found = fuzzy_type_block_or_none(type, block);
    return found != NULL ? &found->def : NULL;
}

int32_t ploy_fuzzy_type_rules(const ploy_fuzzy_type *type, int32_t block) {
    const ployi_fuzzy_block *found = fuzzy_type_block_or_none(type, block);
    if (found != NULL) return found->rules.count;
    int32_t sum = 0;
    for (int32_t i = 0; i < type->blocks.count && block == -1; i++) {
        sum += ployi_fuzzy_block_at(type, i)->rules.count;
    }
    return sum;
}

const char *ploy_fuzzy_type_rule_text(const ploy_fuzzy_type *type, int32_t block, int32_t rule) {
    const ployi_fuzzy_block *found = fuzzy_type_block_or_none(type, block);
    if (found == NULL || rule < 0 || rule >= found->rules.count) return "";
    return ployi_fuzzy_rule_at(found, rule)->text;
}
