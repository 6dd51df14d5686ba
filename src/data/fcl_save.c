// Writes FCL; see fcl.c for the language.
#include "fcl_names.h"
#include "fuzzy_file.h"
#include "ploy/base/math.h"

const ployi_fcl_norm ployi_fcl_norms[PLOYI_FCL_NORMS] = {
    {"MIN", PLOY_FUZZY_MINIMUM},
    {"PROD", PLOY_FUZZY_ALGEBRAIC_PRODUCT},
    {"BDIF", PLOY_FUZZY_BOUNDED_DIFFERENCE},
    {"DPROD", PLOY_FUZZY_DRASTIC_PRODUCT},
    {"EPROD", PLOY_FUZZY_EINSTEIN_PRODUCT},
    {"HPROD", PLOY_FUZZY_HAMACHER_PRODUCT},
    {"NMIN", PLOY_FUZZY_NILPOTENT_MINIMUM},
    {"NIPMIN", PLOY_FUZZY_NILPOTENT_MINIMUM},
    {"DMIN", PLOY_FUZZY_DRASTIC_PRODUCT},
    {"HAMACHER", PLOY_FUZZY_HAMACHER_PRODUCT},
    {"MAX", PLOY_FUZZY_MAXIMUM},
    {"ASUM", PLOY_FUZZY_ALGEBRAIC_SUM},
    {"BSUM", PLOY_FUZZY_BOUNDED_SUM},
    {"DSUM", PLOY_FUZZY_DRASTIC_SUM},
    {"ESUM", PLOY_FUZZY_EINSTEIN_SUM},
    {"HSUM", PLOY_FUZZY_HAMACHER_SUM},
    {"NMAX", PLOY_FUZZY_NILPOTENT_MAXIMUM},
    {"NIPMAX", PLOY_FUZZY_NILPOTENT_MAXIMUM},
    {"NSUM", PLOY_FUZZY_NORMALIZED_SUM},
    {"SUM", PLOY_FUZZY_UNBOUNDED_SUM},
    {"DMAX", PLOY_FUZZY_DRASTIC_SUM},
    {"EINSTEIN", PLOY_FUZZY_EINSTEIN_SUM},
    {"NONE", PLOY_FUZZY_NONE},
};

const ployi_fcl_method ployi_fcl_methods[PLOYI_FCL_METHODS] = {
    {"COG", PLOY_FUZZY_CENTROID},          {"COGS", PLOY_FUZZY_WEIGHTED_AVERAGE},
    {"COGF", PLOY_FUZZY_WEIGHTED_AVERAGE}, {"COGSS", PLOY_FUZZY_WEIGHTED_SUM},
    {"COA", PLOY_FUZZY_BISECTOR},          {"LM", PLOY_FUZZY_SMALLEST_OF_MAX},
    {"RM", PLOY_FUZZY_LARGEST_OF_MAX},     {"MM", PLOY_FUZZY_MEAN_OF_MAX},
};

static const char *fcl_save_norm_name(ploy_fuzzy_norm norm) {
    for (int32_t i = 0; i < PLOYI_FCL_NORMS; i++) {
        if (ployi_fcl_norms[i].norm == norm) return ployi_fcl_norms[i].name;
    }
    return "NONE";
}

static void fcl_save_text(ploy_writer *writer, const char *before, const char *text,
                          const char *after) {
    ploy_write_text(writer, before);
    ploy_write_text(writer, text);
    ploy_write_text(writer, after);
}

static void fcl_save_declarations(const ploy_fuzzy_type *type, bool output, ploy_writer *writer) {
    int32_t count = output ? ploy_fuzzy_type_outputs(type) : ploy_fuzzy_type_inputs(type);
    ploy_write_text(writer, output ? "VAR_OUTPUT\n" : "VAR_INPUT\n");
    for (int32_t i = 0; i < count; i++) {
        fcl_save_text(writer, "  ",
                      ploy_fuzzy_type_variable_name(type, i + (output ? PLOY_FUZZY_OUTPUT : 0)),
                      " : REAL;\n");
    }
    ploy_write_text(writer, "END_VAR\n\n");
}

static ploy_result fcl_save_variable(const ploy_fuzzy_type *type, int32_t variable,
                                     ploy_writer *writer) {
    const ploy_fuzzy_variable_def *def = ploy_fuzzy_type_variable(type, variable);
    bool output = variable >= PLOY_FUZZY_OUTPUT;
    fcl_save_text(writer, output ? "DEFUZZIFY " : "FUZZIFY ",
                  ploy_fuzzy_type_variable_name(type, variable), "\n");
    if (ploy_is_finite_d(def->min) && ploy_is_finite_d(def->max)) {
        ploy_write_text(writer, "  RANGE := (");
        ploy_write_f64(writer, def->min);
        ploy_write_text(writer, " .. ");
        ploy_write_f64(writer, def->max);
        ploy_write_text(writer, ");\n");
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_terms(type, variable); i++) {
        ploy_fuzzy_term term = ploy_fuzzy_type_term_of(type, variable, i);
        fcl_save_text(writer, "  TERM ", term.name, " := ");
        ployi_fuzzy_write_set(&term.set, writer);
        ploy_write_text(writer, ";\n");
    }
    if (output) {
        const char *method = NULL;
        for (int32_t i = 0; i < PLOYI_FCL_METHODS && method == NULL; i++) {
            if (ployi_fcl_methods[i].defuzzifier == def->defuzzifier)
                method = ployi_fcl_methods[i].name;
        }
        if (method == NULL) return PLOY_ERR_UNSUPPORTED;
        fcl_save_text(writer, "  METHOD : ", method, ";\n");
        fcl_save_text(writer, "  ACCU : ", fcl_save_norm_name(def->aggregation), ";\n");
        ploy_write_text(writer, "  DEFAULT := ");
        ploy_write_f64(writer, def->fall_back ? def->fallback : (double)NAN);
        ploy_write_text(writer, def->lock_previous ? " | NC;\n" : ";\n");
    }
    ploy_write_text(writer, output ? "END_DEFUZZIFY\n\n" : "END_FUZZIFY\n\n");
    return PLOY_OK;
}

ploy_result ploy_fcl_save(const ploy_fuzzy_type *type, ploy_writer *writer) {
    if (type == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    fcl_save_text(writer, "FUNCTION_BLOCK ", ploy_fuzzy_type_name(type), "\n\n");
    fcl_save_declarations(type, false, writer);
    fcl_save_declarations(type, true, writer);
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(type); i++) {
        (void)fcl_save_variable(type, i, writer);
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_outputs(type); i++) {
        ploy_result result = fcl_save_variable(type, PLOY_FUZZY_OUTPUT + i, writer);
        if (result != PLOY_OK) return result;
    }
    for (int32_t b = 0; b < ploy_fuzzy_type_blocks(type); b++) {
        const ploy_fuzzy_block_def *def = ploy_fuzzy_type_block_at(type, b);
        if (def->activation != PLOY_FUZZY_GENERAL || !def->enabled) return PLOY_ERR_UNSUPPORTED;
        fcl_save_text(writer, "RULEBLOCK ", ploy_fuzzy_type_block_name(type, b), "\n");
        fcl_save_text(writer, "  AND : ", fcl_save_norm_name(def->conjunction), ";\n");
        fcl_save_text(writer, "  OR : ", fcl_save_norm_name(def->disjunction), ";\n");
        fcl_save_text(writer, "  ACT : ", fcl_save_norm_name(def->implication), ";\n");
        for (int32_t r = 0; r < ploy_fuzzy_type_rules(type, b); r++) {
            ploy_write_text(writer, "  RULE ");
            ploy_write_i64(writer, r + 1);
            fcl_save_text(writer, " : ", ploy_fuzzy_type_rule_text(type, b, r), ";\n");
        }
        ploy_write_text(writer, "END_RULEBLOCK\n\n");
    }
    ploy_write_text(writer, "END_FUNCTION_BLOCK\n");
    return ploy_writer_result(writer);
}
