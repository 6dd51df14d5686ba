// Looking at fuzzy systems: doubts about a definition, pictures of variables and surfaces.
#include <string.h>

#include "decide_internal.h"

#include "decide/decide_internal.h"
#include "fuzzy_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

// ---- doubts ----

// Says `what` with the place: "speed has a gap at 12.5".
static void fuzzy_sight_doubt(ploy_diags *diags, int32_t *count, const char *what, double x,
                              const char *name) {
    char text[PLOY_DIAG_TEXT_MAX] = "", number[PLOY_PRINT_F64_SIZE];
    (void)ploy_print_f64(x, number);
    const char *parts[] = {what, number, ":"};
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < sizeof text; c++) text[used++] = *c;
    }
    ployi_lint(diags, count, text, name);
}

// Buckland's rules of thumb for one input. Each is reported once, where it is first broken.
static void fuzzy_sight_lint_input(const ployi_fuzzy_variable *v, int32_t samples, double tolerance,
                                   ploy_diags *diags, int32_t *count) {
    bool finite = ploy_is_finite_d(v->def.min) && ploy_is_finite_d(v->def.max);
    if (v->terms.count == 0 || !finite || !(v->def.min < v->def.max)) {
        ployi_lint(diags, count,
                   v->terms.count == 0 ? "missing terms of" : "missing finite range:", v->name);
        return;
    }
    bool gap = false, sum_off = false, crowd = false;
    for (int32_t i = 0; i <= samples; i++) {
        double x = v->def.min + (v->def.max - v->def.min) * i / samples, sum = 0.0;
        int32_t sets = 0;
        for (int32_t k = 0; k < v->terms.count; k++) {
            const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
            if (term->dynamic || term->set.shape == PLOY_FUZZY_FUNCTION)
                return; // not to be reported
            double degree = ploy_fuzzy_membership(&term->set, x);
            sum += degree;
            // Tails of bells reach everywhere: only what counts is a set at a place.
            sets += degree > 0.01;
        }
        if (!gap && !(sum > PLOY_FUZZY_TOLERANCE)) {
            gap = true;
            fuzzy_sight_doubt(diags, count, "missing set at ", x, v->name);
        } else if (!sum_off && !(fabs(sum - 1.0) <= tolerance) && sum > PLOY_FUZZY_TOLERANCE) {
            sum_off = true;
            fuzzy_sight_doubt(diags, count, "degrees do not sum to 1 at ", x, v->name);
        }
        if (!crowd && sets > 2) {
            crowd = true;
            fuzzy_sight_doubt(diags, count, "too many sets, at most 2, at ", x, v->name);
        }
    }
}

// True if two sets of one variable have a place in common.
static bool fuzzy_sight_overlap(const ployi_fuzzy_variable *v, int32_t a, int32_t b,
                                int32_t samples) {
    const ployi_fuzzy_term *first = ployi_fuzzy_term_at(v, a), *second = ployi_fuzzy_term_at(v, b);
    if (a == b || first->set.shape >= PLOY_FUZZY_CONSTANT ||
        second->set.shape >= PLOY_FUZZY_CONSTANT || !ploy_is_finite_d(v->def.max - v->def.min)) {
        return true;
    }
    for (int32_t i = 0; i <= samples; i++) {
        double x = v->def.min + (v->def.max - v->def.min) * i / samples;
        double low = ploy_fuzzy_membership(&first->set, x);
        double other = ploy_fuzzy_membership(&second->set, x);
        if (low > PLOY_FUZZY_TOLERANCE && other > PLOY_FUZZY_TOLERANCE) return true;
    }
    return false;
}

// A rule of terms joined by "and" alone that requires two sets of one input without a common place.
static bool fuzzy_sight_impossible(const ploy_fuzzy_type *type, const ployi_fuzzy_rule *rule,
                                   int32_t samples) {
    const ployi_fuzzy_op *ops = PLOY_ARRAY_ITEMS(&type->ops, ployi_fuzzy_op) + rule->op_first;
    if (rule->weight <= PLOY_FUZZY_TOLERANCE) return true;
    for (int32_t i = 0; i < rule->op_count; i++) {
        if (ops[i].code != PLOYI_FUZZY_TERM && ops[i].code != PLOYI_FUZZY_AND) return false;
    }
    for (int32_t i = 0; i < rule->op_count; i++) {
        for (int32_t k = 0; k < i; k++) {
            if (ops[i].code != PLOYI_FUZZY_TERM || ops[k].code != PLOYI_FUZZY_TERM ||
                ops[i].variable != ops[k].variable || ops[i].variable >= PLOY_FUZZY_OUTPUT) {
                continue;
            }
            if (!fuzzy_sight_overlap(ployi_fuzzy_input_at(type, ops[i].variable), ops[i].term,
                                     ops[k].term, samples)) {
                return true;
            }
        }
    }
    return false;
}

// What two rules of the same part say about an output: the same, or something else.
static void fuzzy_sight_lint_pair(const ploy_fuzzy_type *type, const ployi_fuzzy_rule *a,
                                  const ployi_fuzzy_rule *b, ploy_diags *diags, int32_t *count) {
    const ployi_fuzzy_end *ends = PLOY_ARRAY_ITEMS(&type->ends, ployi_fuzzy_end);
    for (int32_t i = 0; i < a->end_count; i++) {
        for (int32_t k = 0; k < b->end_count; k++) {
            const ployi_fuzzy_end *x = &ends[a->end_first + i], *y = &ends[b->end_first + k];
            if (x->output != y->output) continue;
            ployi_lint(diags, count,
                       x->term == y->term
                           ? "duplicate rule"
                           : "rule contradicts an earlier one with the same conditions:",
                       b->text);
            return;
        }
    }
}

int32_t ploy_fuzzy_type_lint(const ploy_fuzzy_type *type, int32_t samples, double tolerance,
                             ploy_diags *diags) {
    int32_t count = 0;
    if (type == NULL || !type->finished) return 0;
    samples = ploy_clampi(samples, 1, PLOY_FUZZY_SAMPLES_MAX);
    for (int32_t i = 0; i < type->variables[0].count; i++) {
        fuzzy_sight_lint_input(ployi_fuzzy_input_at(type, i), samples, tolerance, diags, &count);
    }
    for (int32_t kind = 0; kind < 2; kind++) {
        for (int32_t i = 0; i < type->variables[kind].count; i++) {
            const ployi_fuzzy_variable *v =
                PLOY_ARRAY_AT(&type->variables[kind], ployi_fuzzy_variable, i);
            if (kind == 1 && v->places == 0) {
                ployi_lint(diags, &count, "output has no rule:", v->name);
                continue;
            }
            for (int32_t k = 0; k < v->terms.count; k++) {
                if (ployi_fuzzy_term_at(v, k)->used) continue;
                ployi_lint(diags, &count, "unused term", ployi_fuzzy_term_at(v, k)->name);
            }
        }
    }
    for (int32_t b = 0; b < type->blocks.count; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        for (int32_t r = 0; r < block->rules.count; r++) {
            const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, r);
            if (fuzzy_sight_impossible(type, rule, samples)) {
                ployi_lint(diags, &count, "rule can never fire:", rule->text);
            }
            for (int32_t k = 0; k < r; k++) {
                const ployi_fuzzy_rule *other = ployi_fuzzy_rule_at(block, k);
                if (!ployi_fuzzy_same_part(type, other, rule)) continue;
                fuzzy_sight_lint_pair(type, other, rule, diags, &count);
                break;
            }
        }
    }
    return count;
}

// ---- pictures ----

enum { FUZZY_SIGHT_POINTS = 129 };

static const ploy_style fuzzy_sight_styles[] = {PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                                PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D,
                                                PLOY_STYLE_PATH,    PLOY_STYLE_FORCE};

static ploy_vec2 fuzzy_sight_at(const float box[4], double x_share, double y_share) {
    double y = y_share < 0.0 ? 0.0 : y_share > 1.0 ? 1.0 : y_share;
    return ploy_vec2_make(box[0] + (float)x_share * (box[2] - box[0]),
                          box[1] + (float)y * (box[3] - box[1]));
}

static void fuzzy_sight_frame(const float box[4], ploy_layer layer, ploy_draw *out) {
    ploy_vec2 frame[5] = {fuzzy_sight_at(box, 0, 0), fuzzy_sight_at(box, 1, 0),
                          fuzzy_sight_at(box, 1, 1), fuzzy_sight_at(box, 0, 1),
                          fuzzy_sight_at(box, 0, 0)};
    ploy_draw_polyline(out, layer, PLOY_STYLE_GHOST, ploy_agent_id_none(), frame, 5);
}

void ploy_fuzzy_draw_variable(const ploy_fuzzy *fuzzy, int32_t variable, const float box[4],
                              ploy_draw *out) {
    const ploy_fuzzy_type *type = ployi_fuzzy_type_of(fuzzy);
    const ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, variable);
    if (v == NULL || out == NULL) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    double min = v->def.min, max = v->def.max;
    bool output = variable >= PLOY_FUZZY_OUTPUT;
    fuzzy_sight_frame(box, PLOY_LAYER_REGIONS, out);
    ploy_draw_text(out, nobody, ploy_vec2_make(box[0], box[3] + 0.06f * (box[3] - box[1])),
                   v->name);
    if (!ploy_is_finite_d(min) || !ploy_is_finite_d(max) || !(min < max)) return;
    ploy_vec2 points[FUZZY_SIGHT_POINTS + 2];
    for (int32_t k = 0; k < v->terms.count; k++) {
        const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, k);
        ploy_style style = fuzzy_sight_styles[k % 6];
        if (term->set.shape >= PLOY_FUZZY_LINEAR) continue; // no shape
        double top = ploy_fuzzy_representative(&term->set, PLOY_FUZZY_POINT_MEAN, min, max);
        if (term->set.shape >= PLOY_FUZZY_SINGLETON) {
            double share = (top - min) / (max - min);
            ploy_draw_line(out, PLOY_LAYER_PATHS, style, nobody, fuzzy_sight_at(box, share, 0.0),
                           fuzzy_sight_at(box, share, 1.0));
        } else {
            for (int32_t i = 0; i < FUZZY_SIGHT_POINTS; i++) {
                double share = (double)i / (FUZZY_SIGHT_POINTS - 1);
                points[i] = fuzzy_sight_at(
                    box, share, ploy_fuzzy_membership(&term->set, min + share * (max - min)));
            }
            ploy_draw_polyline(out, PLOY_LAYER_PATHS, style, nobody, points, FUZZY_SIGHT_POINTS);
        }
        double share = (top - min) / (max - min);
        share = share < 0.0 ? 0.0 : share > 0.9 ? 0.9 : share;
        ploy_vec2 at = fuzzy_sight_at(box, share, 1.0);
        at.y -= (0.13f + 0.11f * (float)(k % 2)) * (box[3] - box[1]);
        ploy_draw_text(out, nobody, at, term->name);
    }
    if (output) { // what the rules concluded, filled
        int32_t count = 0;
        points[count++] = fuzzy_sight_at(box, 0.0, 0.0);
        double most = 0.0;
        for (int32_t i = 0; i < FUZZY_SIGHT_POINTS; i++) {
            double share = (double)i / (FUZZY_SIGHT_POINTS - 1);
            double y = ployi_fuzzy_conclusion(fuzzy, variable - PLOY_FUZZY_OUTPUT,
                                              min + share * (max - min));
            if (y != y) y = 0.0;
            if (y > most) most = y;
            points[count++] = fuzzy_sight_at(box, share, y);
        }
        points[count++] = fuzzy_sight_at(box, 1.0, 0.0);
        if (most > 0.0) {
            ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GOOD, nobody, points, count,
                              0.35f);
        }
    }
    double value = output ? ploy_fuzzy_output(fuzzy, variable - PLOY_FUZZY_OUTPUT)
                          : ploy_fuzzy_input(fuzzy, variable);
    if (!ploy_is_finite_d(value)) return;
    double share = (value - min) / (max - min);
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    ploy_draw_line(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                   fuzzy_sight_at(box, share, 0.0), fuzzy_sight_at(box, share, 1.0));
    char text[PLOY_PRINT_F32_SIZE];
    (void)ploy_print_f32((float)(floor(value * 100.0 + 0.5) / 100.0), text);
    ploy_vec2 below = fuzzy_sight_at(box, share, 0.0);
    below.y -= 0.09f * (box[3] - box[1]);
    ploy_draw_text(out, nobody, below, text);
}

void ploy_fuzzy_draw_surface(const ploy_fuzzy *fuzzy, ploy_fuzzy *scratch, int32_t input_x,
                             int32_t input_y, int32_t output, int32_t cells, const float box[4],
                             ploy_draw *out) {
    const ploy_fuzzy_type *type = ployi_fuzzy_type_of(fuzzy);
    int32_t inputs = type->variables[0].count;
    if (out == NULL || scratch == NULL || ployi_fuzzy_type_of(scratch) != type || input_x < 0 ||
        input_x >= inputs || input_y < 0 || input_y >= inputs || output < 0 ||
        output >= type->variables[1].count || cells < 1) {
        return;
    }
    const ploy_fuzzy_variable_def *x = &ployi_fuzzy_input_at(type, input_x)->def;
    const ploy_fuzzy_variable_def *y = &ployi_fuzzy_input_at(type, input_y)->def;
    const ploy_fuzzy_variable_def *z = &ployi_fuzzy_output_at(type, output)->def;
    if (!ploy_is_finite_d(x->max - x->min) || !ploy_is_finite_d(y->max - y->min)) return;
    ploy_agent_id nobody = ploy_agent_id_none();
    for (int32_t i = 0; i < inputs; i++)
        ploy_fuzzy_set_input(scratch, i, ploy_fuzzy_input(fuzzy, i));
    // Shades by the output's range, or by what comes up where that has no end.
    double low = z->min, high = z->max;
    bool known = ploy_is_finite_d(low) && ploy_is_finite_d(high) && low < high;
    for (int32_t pass = known ? 1 : 0; pass < 2; pass++) {
        if (pass == 0) low = (double)INFINITY, high = -(double)INFINITY;
        for (int32_t cell = 0; cell < cells * cells; cell++) {
            int32_t column = cell % cells, row = cell / cells;
            ploy_fuzzy_set_input(scratch, input_x,
                                 x->min + (column + 0.5) / cells * (x->max - x->min));
            ploy_fuzzy_set_input(scratch, input_y,
                                 y->min + (row + 0.5) / cells * (y->max - y->min));
            ploy_fuzzy_step(scratch, NULL);
            double value = ploy_fuzzy_output(scratch, output);
            if (!ploy_is_finite_d(value)) continue; // a hole shows as one
            if (pass == 0) {
                low = value < low ? value : low;
                high = value > high ? value : high;
                continue;
            }
            double share = high > low ? (value - low) / (high - low) : 0.5;
            double left = (double)column / cells, right = (column + 1.0) / cells;
            double bottom = (double)row / cells, top = (row + 1.0) / cells;
            ploy_vec2 square[4] = {fuzzy_sight_at(box, left, bottom),
                                   fuzzy_sight_at(box, right, bottom),
                                   fuzzy_sight_at(box, right, top), fuzzy_sight_at(box, left, top)};
            ploy_draw_polygon(out, PLOY_LAYER_INFLUENCE, PLOY_STYLE_AGENT_A, nobody, square, 4,
                              (float)(share < 0.0   ? 0.0
                                      : share > 1.0 ? 1.0
                                                    : share) *
                                  0.9f);
        }
    }
    fuzzy_sight_frame(box, PLOY_LAYER_REGIONS, out);
    double here_x = (ploy_fuzzy_input(fuzzy, input_x) - x->min) / (x->max - x->min);
    double here_y = (ploy_fuzzy_input(fuzzy, input_y) - y->min) / (y->max - y->min);
    if (here_x >= 0.0 && here_x <= 1.0 && here_y >= 0.0 && here_y <= 1.0) {
        ploy_draw_disc(out, PLOY_LAYER_AGENTS, PLOY_STYLE_TARGET, nobody,
                       fuzzy_sight_at(box, here_x, here_y), 0.015f * (box[2] - box[0]), 1.0f);
    }
    float line = 0.06f * (box[3] - box[1]);
    ploy_draw_text(out, nobody, ploy_vec2_make(box[0], box[1] - line),
                   ployi_fuzzy_input_at(type, input_x)->name);
    ploy_draw_text(out, nobody, ploy_vec2_make(box[0], box[3] + 0.3f * line),
                   ployi_fuzzy_input_at(type, input_y)->name);
    ploy_draw_text(out, nobody, ploy_vec2_make(0.5f * (box[0] + box[2]), box[3] + 0.3f * line),
                   ployi_fuzzy_output_at(type, output)->name);
}
