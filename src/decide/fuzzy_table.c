// Rules as tables; described in the header.
#include "ploy/decide/fuzzy_table.h"

#include "decide/decide_internal.h"

#include <string.h>

#include "fuzzy_internal.h"
#include "ploy/base/number.h"

// ---- rules from matrices ----

// Writes a rule into a buffer of the type's and adds it.
static ploy_result fuzzy_table_rule(ploy_fuzzy_type *type, int32_t block, int32_t row,
                                    int32_t row_term, int32_t column, int32_t column_term,
                                    int32_t output, const char *cell) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &type->env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    const char *parts[] = {"if ",
                           ploy_fuzzy_type_variable_name(type, row),
                           " is ",
                           ploy_fuzzy_type_term_of(type, row, row_term).name,
                           column >= 0 ? " and " : "",
                           column >= 0 ? ploy_fuzzy_type_variable_name(type, column) : "",
                           column >= 0 ? " is " : "",
                           column >= 0 ? ploy_fuzzy_type_term_of(type, column, column_term).name
                                       : "",
                           " then ",
                           ploy_fuzzy_type_variable_name(type, output),
                           " is ",
                           cell};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) ploy_write_text(&writer, parts[i]);
    ploy_result result = ploy_writer_result(&writer);
    if (result == PLOY_OK) {
        result = ploy_fuzzy_type_rule(type, block, ploy_buffer_text(&buffer), NULL);
    }
    ploy_buffer_fini(&buffer);
    return result;
}

ploy_result ploy_fuzzy_type_matrix(ploy_fuzzy_type *type, int32_t block, int32_t row,
                                   int32_t column, int32_t output, const char *const *cells) {
    if (type == NULL || cells == NULL || ployi_fuzzy_find_variable(type, row) == NULL ||
        (column >= 0 && ployi_fuzzy_find_variable(type, column) == NULL) ||
        output < PLOY_FUZZY_OUTPUT || ployi_fuzzy_find_variable(type, output) == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t rows = ploy_fuzzy_type_terms(type, row);
    int32_t columns = column >= 0 ? ploy_fuzzy_type_terms(type, column) : 1;
    ploy_result first = PLOY_OK;
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < columns; c++) {
            const char *cell = cells[(size_t)r * (size_t)columns + (size_t)c];
            if (cell == NULL || cell[0] == '\0') continue;
            ploy_result result = fuzzy_table_rule(type, block, row, r, column, c, output, cell);
            if (first == PLOY_OK) first = result;
        }
    }
    return first;
}

ploy_result ploy_fuzzy_type_combs(ploy_fuzzy_type *type, int32_t block, int32_t input,
                                  int32_t output, const char *const *cells) {
    return ploy_fuzzy_type_matrix(type, block, input, -1, output, cells);
}

void ploy_fuzzy_combs_vote(const int32_t *cells, int32_t rows, int32_t columns, int32_t terms,
                           int32_t *row_terms, int32_t *column_terms) {
    for (int32_t line = 0; line < rows + columns; line++) {
        bool is_row = line < rows;
        int32_t best = -1, most = 0;
        for (int32_t term = 0; term < terms; term++) {
            int32_t votes = 0;
            for (int32_t i = 0; i < (is_row ? columns : rows); i++) {
                int32_t cell = is_row ? line * columns + i : i * columns + line - rows;
                votes += cells[cell] == term;
            }
            if (votes > 0 && votes >= most) {
                most = votes;
                best = term;
            }
        }
        *(is_row ? &row_terms[line] : &column_terms[line - rows]) = best;
    }
}

// The rule that asks for just these two terms, in any block; NULL if there is none.
static const ployi_fuzzy_rule *fuzzy_table_find(const ploy_fuzzy_type *type, int32_t row, int32_t r,
                                                int32_t column, int32_t c, int32_t output,
                                                int32_t *block_out, int32_t *rule_out,
                                                int32_t *term_out) {
    for (int32_t b = 0; b < type->blocks.count; b++) {
        const ployi_fuzzy_block *block = ployi_fuzzy_block_at(type, b);
        for (int32_t i = 0; i < block->rules.count; i++) {
            const ployi_fuzzy_rule *rule = ployi_fuzzy_rule_at(block, i);
            const ployi_fuzzy_op *ops =
                PLOY_ARRAY_ITEMS(&type->ops, ployi_fuzzy_op) + rule->op_first;
            if (rule->op_count != 3 || ops[2].code != PLOYI_FUZZY_AND) continue;
            bool straight = ops[0].variable == row && ops[0].term == r &&
                            ops[1].variable == column && ops[1].term == c;
            bool crossed = ops[1].variable == row && ops[1].term == r &&
                           ops[0].variable == column && ops[0].term == c;
            if (!straight && !crossed) continue;
            for (int32_t e = 0; e < rule->end_count; e++) {
                const ployi_fuzzy_end *end =
                    PLOY_ARRAY_AT(&type->ends, ployi_fuzzy_end, rule->end_first + e);
                if (end->output + PLOY_FUZZY_OUTPUT != output) continue;
                *block_out = b;
                *rule_out = i;
                *term_out = end->term;
                return rule;
            }
        }
    }
    return NULL;
}

// The text, and blanks up to the width.
static void fuzzy_table_cell(ploy_writer *writer, const char *text, int32_t width) {
    ploy_write_text(writer, text);
    for (int32_t i = (int32_t)strlen(text); i < width; i++) ploy_write_char(writer, ' ');
}

void ployi_fuzzy_print_matrix(const ploy_fuzzy *fuzzy, int32_t row, int32_t column, int32_t output,
                              ploy_writer *writer) {
    const ploy_fuzzy_type *type = ployi_fuzzy_type_of(fuzzy);
    int32_t rows = ploy_fuzzy_type_terms(type, row), columns = ploy_fuzzy_type_terms(type, column);
    enum { FUZZY_TABLE_WIDTH = 24 };
    fuzzy_table_cell(writer, "", FUZZY_TABLE_WIDTH);
    for (int32_t c = 0; c < columns; c++) {
        fuzzy_table_cell(writer, ploy_fuzzy_type_term_of(type, column, c).name, FUZZY_TABLE_WIDTH);
    }
    ploy_write_char(writer, '\n');
    for (int32_t r = 0; r < rows; r++) {
        fuzzy_table_cell(writer, ploy_fuzzy_type_term_of(type, row, r).name, FUZZY_TABLE_WIDTH);
        for (int32_t c = 0; c < columns; c++) {
            int32_t block, rule, term;
            char text[PLOY_DIAG_TEXT_MAX] = "-", number[PLOY_PRINT_F32_SIZE];
            if (fuzzy_table_find(type, row, r, column, c, output, &block, &rule, &term) != NULL) {
                double degree = ploy_fuzzy_rule_degree(fuzzy, block, rule);
                // Three digits: a table is for looking.
                (void)ploy_print_f32((float)((double)(int64_t)(degree * 1000.0 + 0.5) / 1000.0),
                                     number);
                const char *name = ploy_fuzzy_type_term_of(type, output, term).name;
                size_t length = strlen(name) < 100 ? strlen(name) : 100;
                memcpy(text, name, length);
                text[length] = ' ';
                memcpy(text + length + 1, number, strlen(number) + 1);
                if (ploy_fuzzy_rule_fired(fuzzy, block, rule)) {
                    memcpy(text + strlen(text), "*", 2);
                }
            }
            fuzzy_table_cell(writer, text, FUZZY_TABLE_WIDTH);
        }
        ploy_write_char(writer, '\n');
    }
}

// ---- the block format ----

int64_t ployi_fuzzy_block_decide(const double *degrees, int32_t inputs,
                                 const ploy_fuzzy_block_rule *rules, int32_t rule_count,
                                 double *out, int32_t output_count) {
    int64_t looks = 0;
    for (int32_t i = 0; i < output_count; i++) out[i] = 0.0;
    for (int32_t r = 0; r < rule_count; r++) {
        double *best = &out[rules[r].conclusion], degree = 1.0;
        bool left = false;
        for (int32_t i = 0; i < inputs && !left; i++) {
            double d = degrees[rules[r].states[i]];
            looks++;
            left = d < *best; // it can only fall from here
            degree = d < degree ? d : degree;
        }
        if (!left && degree > *best) *best = degree;
    }
    return looks;
}

ploy_result ployi_fuzzy_block_decide_complete(const double *degrees, const int32_t *counts,
                                              int32_t inputs, const int32_t *conclusions,
                                              double *out, int32_t output_count) {
    enum { FUZZY_TABLE_INPUTS = 16 };
    // below[i]: the smallest degree of the states chosen before input i.
    double below[FUZZY_TABLE_INPUTS + 1];
    int32_t state[FUZZY_TABLE_INPUTS], first[FUZZY_TABLE_INPUTS];
    if (inputs < 1 || inputs > FUZZY_TABLE_INPUTS) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < inputs; i++) {
        if (counts[i] < 1) return PLOY_ERR_ARGUMENT;
        first[i] = i == 0 ? 0 : first[i - 1] + counts[i - 1];
        state[i] = 0;
    }
    for (int32_t i = 0; i < output_count; i++) out[i] = 0.0;
    below[0] = 1.0;
    int64_t index = 0;
    for (int32_t changed = 0; changed >= 0;) {
        for (int32_t i = changed; i < inputs; i++) {
            double d = degrees[first[i] + state[i]];
            below[i + 1] = d < below[i] ? d : below[i];
        }
        int32_t conclusion = conclusions[index++];
        if (conclusion >= 0 && conclusion < output_count && below[inputs] > out[conclusion]) {
            out[conclusion] = below[inputs];
        }
        // The next combination, the last input's states fastest.
        changed = inputs - 1;
        while (changed >= 0 && ++state[changed] == counts[changed]) state[changed--] = 0;
    }
    return PLOY_OK;
}

void ployi_fuzzy_block_decide_combs(const double *degrees, int32_t states,
                                    const int32_t *conclusions, double *out, int32_t output_count) {
    for (int32_t i = 0; i < output_count; i++) out[i] = 0.0;
    for (int32_t s = 0; s < states; s++) {
        int32_t conclusion = conclusions[s];
        if (conclusion >= 0 && conclusion < output_count && degrees[s] > out[conclusion]) {
            out[conclusion] = degrees[s];
        }
    }
}

// The smaller of two rows, into the first.
static void fuzzy_table_min(uint8_t *restrict to, const uint8_t *restrict with, int32_t count) {
    for (int32_t i = 0; i < count; i++) to[i] = with[i] < to[i] ? with[i] : to[i];
}

static void fuzzy_table_max(uint8_t *restrict to, const uint8_t *restrict with, int32_t count) {
    for (int32_t i = 0; i < count; i++) to[i] = with[i] > to[i] ? with[i] : to[i];
}

void ployi_fuzzy_block_decide_bytes(const uint8_t *degrees, int32_t characters, int32_t inputs,
                                    const ploy_fuzzy_block_rule *rules, int32_t rule_count,
                                    uint8_t *out, int32_t output_count) {
    enum { FUZZY_TABLE_PIECE = 256 }; // of the characters, so that a row of all stays near
    uint8_t row[FUZZY_TABLE_PIECE];
    memset(out, 0, (size_t)output_count * (size_t)characters);
    for (int32_t at = 0; at < characters; at += FUZZY_TABLE_PIECE) {
        int32_t count = characters - at < FUZZY_TABLE_PIECE ? characters - at : FUZZY_TABLE_PIECE;
        for (int32_t r = 0; r < rule_count; r++) {
            memset(row, 255, sizeof row);
            for (int32_t i = 0; i < inputs; i++) {
                size_t state = (size_t)rules[r].states[i] * (size_t)characters;
                fuzzy_table_min(row, degrees + state + at, count);
            }
            size_t conclusion = (size_t)rules[r].conclusion * (size_t)characters;
            fuzzy_table_max(out + conclusion + at, row, count);
        }
    }
}
