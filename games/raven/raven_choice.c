// Which weapon suits a target (FUZ-18, FUZ-21) and how far a shot deviates (FUZ-20): fuzzy rules in
// files that can be edited while a match runs.
//
// Every bot has an instance of each file's rules, because all bots choose and aim at the same time.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "games/raven/raven_goals.h"
#include "ploy/base/math.h"
#include "ploy/data/fuzzy_file.h"

// Inputs by name; a file may leave out those it does not use.
static const char *const choice_inputs[2][3] = {{"distance", "rounds", NULL},
                                                {"distance", "crossing", "visible"}};

// Rules with the one output that is expected and no other input than those above.
static ploy_result choice_load(int32_t file, const void *bytes, size_t size, const ploy_env *env,
                               ploy_diags *diags, ploy_fuzzy_type **out) {
    const char *name = raven_definitions[RAVEN_DEFINITION_RULES + file].name;
    const char *output = file == RAVEN_RULES_AIM ? "error" : "desirability";
    ploy_result result = ploy_fll_load(bytes, size, name, env, diags, out);
    if (result != PLOY_OK) return result;
    bool fits = ploy_fuzzy_type_outputs(*out) == 1 &&
                ploy_fuzzy_type_find(*out, output) == PLOY_FUZZY_OUTPUT;
    // Every bot evaluates the rules twice a second or more: a match must be able to afford them.
    if (fits && (ploy_fuzzy_type_rules(*out, -1) > 500 ||
                 ploy_fuzzy_type_variable(*out, PLOY_FUZZY_OUTPUT)->samples > 1000)) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, name, 1, 1, "too many rules",
                       "at most 500 rules and 1000 samples", NULL);
        ploy_fuzzy_type_destroy(*out);
        *out = NULL;
        return PLOY_ERR_LIMIT;
    }
    for (int32_t i = 0; i < ploy_fuzzy_type_inputs(*out) && fits; i++) {
        const char *input = ploy_fuzzy_type_variable_name(*out, i);
        const char *const *known = choice_inputs[file == RAVEN_RULES_AIM ? 1 : 0];
        fits = false;
        for (int32_t k = 0; k < 3 && !fits; k++) {
            fits = known[k] != NULL && strcmp(known[k], input) == 0;
        }
    }
    if (fits) return PLOY_OK;
    const char *expected = file == RAVEN_RULES_AIM
                               ? "inputs distance, crossing, visible; output error"
                               : "inputs distance, rounds; output desirability";
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, 1, "unexpected variables",
                   expected, NULL);
    ploy_fuzzy_type_destroy(*out);
    *out = NULL;
    return PLOY_ERR_FORMAT;
}

static void choice_clear(raven_rules *rules) {
    for (int32_t i = 0; i < RAVEN_BOTS_MAX; i++) ploy_fuzzy_destroy(rules->of[i]);
    ploy_fuzzy_type_destroy(rules->type);
    memset(rules->of, 0, sizeof rules->of);
    rules->type = NULL;
}

static ploy_result choice_fill(raven_rules *rules, int32_t file, const void *bytes, size_t size,
                               const ploy_env *env) {
    ploy_result result = choice_load(file, bytes, size, env, NULL, &rules->type);
    for (int32_t i = 0; i < RAVEN_BOTS_MAX && result == PLOY_OK; i++) {
        result = ploy_fuzzy_create(rules->type, env, &rules->of[i]);
    }
    if (result != PLOY_OK) choice_clear(rules);
    return result;
}

ploy_result raven_rules_create(raven_match *match, const ploy_env *env) {
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < RAVEN_RULES && result == PLOY_OK; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "fuzzy/%s.fll",
                       i == RAVEN_RULES_AIM ? "aim" : raven_weapon_name(i));
        const raven_file *file = raven_file_find(name);
        result = file != NULL ? raven_rules_reload(match, i, file->bytes, file->size, env)
                              : PLOY_ERR_NOT_FOUND;
    }
    return result;
}

ploy_result raven_rules_write(const raven_match *match, int32_t file, ploy_writer *out) {
    return ploy_definition_text_write(&match->plans->rules[file].text, out);
}

ploy_result raven_rules_check(int32_t file, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags) {
    ploy_fuzzy_type *type = NULL;
    ploy_result result = choice_load(file, bytes, size, env, diags, &type);
    ploy_fuzzy_type_destroy(type);
    return result;
}

ploy_result raven_rules_reload(raven_match *match, int32_t file, const void *bytes, size_t size,
                               const ploy_env *env) {
    raven_rules *rules = &match->plans->rules[file], fresh;
    memset(&fresh, 0, sizeof fresh);
    ploy_result result = choice_fill(&fresh, file, bytes, size, env);
    if (result != PLOY_OK) return result;
    result = ploy_definition_text_set(&rules->text, bytes, size, env);
    if (result != PLOY_OK) {
        choice_clear(&fresh);
        return result;
    }
    fresh.text = rules->text;
    choice_clear(rules);
    *rules = fresh;
    return PLOY_OK;
}

// ---- use

static void choice_set(const raven_rules *rules, ploy_fuzzy *fuzzy, const char *input,
                       float value) {
    int32_t variable = ploy_fuzzy_type_find(rules->type, input);
    if (variable >= 0) ploy_fuzzy_set_input(fuzzy, variable, (double)value);
}

float raven_weapon_desirability(const raven_bot *bot, raven_weapon weapon, float distance,
                                int32_t rounds, ploy_trace *trace) {
    const raven_rules *rules = &bot->match->plans->rules[weapon];
    ploy_fuzzy *fuzzy = rules->of[bot->index];
    // Without a round it is worth nothing, whatever the rules say.
    if (!bot->match->weapons.items[weapon].endless && rounds <= 0) return 0.0f;
    choice_set(rules, fuzzy, "distance", distance);
    choice_set(rules, fuzzy, "rounds", (float)rounds);
    ploy_fuzzy_step(fuzzy, trace);
    double score = ploy_fuzzy_output(fuzzy, 0);
    return score >= 0.0 ? (float)score : 0.0f; // 0 for not a number
}

float raven_aim_deviation(const raven_bot *bot, float distance, float lateral_speed,
                          float time_visible) {
    const raven_rules *rules = &bot->match->plans->rules[RAVEN_RULES_AIM];
    ploy_fuzzy *fuzzy = rules->of[bot->index];
    choice_set(rules, fuzzy, "distance", distance);
    choice_set(rules, fuzzy, "crossing", lateral_speed);
    choice_set(rules, fuzzy, "visible", time_visible);
    ploy_fuzzy_step(fuzzy, NULL);
    double share = ploy_fuzzy_output(fuzzy, 0);
    // Twice the skill's deviation at worst, so that the mean is about that of uniform noise.
    return bot->skill.accuracy * 2.0f * (share >= 0.0 ? ploy_minf((float)share, 1.0f) : 1.0f);
}

// ---- sight

// The conclusion of the rule for a distance and, if column is not NULL, for rounds: as the file has
// it, with its degree if it fired at the bot's last choice. "" if the file has no such rule.
static void choice_cell(const ploy_fuzzy_type *type, const ploy_fuzzy *fuzzy, const char *row,
                        const char *column, char *out, size_t size) {
    char asked[256];
    int32_t length =
        snprintf(asked, sizeof asked, "if distance is %s%s%s then desirability is ", row,
                 column != NULL ? " and rounds is " : "", column != NULL ? column : "");
    out[0] = 0;
    if (length < 0 || (size_t)length >= sizeof asked) return;
    for (int32_t b = 0; b < ploy_fuzzy_type_blocks(type); b++) {
        for (int32_t r = 0; r < ploy_fuzzy_type_rules(type, b); r++) {
            const char *text = ploy_fuzzy_type_rule_text(type, b, r);
            if (strncmp(text, asked, (size_t)length) != 0) continue;
            bool fired = ploy_fuzzy_rule_fired(fuzzy, b, r);
            (void)snprintf(out, size, fired ? "%s %.2f" : "%s", text + length,
                           ploy_fuzzy_rule_degree(fuzzy, b, r));
        }
    }
}

static void choice_append(char *text, size_t size, const char *more, const char *end) {
    size_t used = strlen(text);
    if (used + 1 < size) (void)snprintf(text + used, size - used, "%s%s", more, end);
}

void raven_draw_rules(const raven_bot *bot, ploy_vec2 at, ploy_draw *out) {
    const raven_rules *rules = &bot->match->plans->rules[bot->weapon];
    const ploy_fuzzy_type *type = rules->type;
    const ploy_fuzzy *fuzzy = rules->of[bot->index];
    int32_t rows = ploy_fuzzy_type_find(type, "distance");
    int32_t columns = ploy_fuzzy_type_find(type, "rounds");
    int32_t row_count = rows >= 0 ? ploy_fuzzy_type_terms(type, rows) : 0;
    int32_t column_count = columns >= 0 ? ploy_fuzzy_type_terms(type, columns) : 1;
    // An edited file may have more terms than a table shows.
    enum { CHOICE_TERMS = 8 };
    if (row_count < 1 || row_count > CHOICE_TERMS || column_count > CHOICE_TERMS) return;
    char table[4096], cell[256];
    (void)snprintf(table, sizeof table, "%.*s\n%s", (int)column_count + 1, "llllllllll",
                   raven_weapon_name(bot->weapon));
    for (int32_t c = 0; c < column_count && columns >= 0; c++) {
        choice_append(table, sizeof table, "\trounds ",
                      ploy_fuzzy_type_term_of(type, columns, c).name);
    }
    for (int32_t r = 0; r < row_count; r++) {
        const char *row = ploy_fuzzy_type_term_of(type, rows, r).name;
        choice_append(table, sizeof table, "\n", row);
        for (int32_t c = 0; c < column_count; c++) {
            const char *column =
                columns >= 0 ? ploy_fuzzy_type_term_of(type, columns, c).name : NULL;
            choice_cell(type, fuzzy, row, column, cell, sizeof cell);
            choice_append(table, sizeof table, "\t", cell);
        }
    }
    ploy_draw_table(out, raven_id(bot->index), at, table);
}
