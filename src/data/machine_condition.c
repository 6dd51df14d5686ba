// Conditions in machine files: the one language of ploy/decide/expression.h.
//
// Files have one special form: `!` is as loose as `not`, so that `!health < 10` means
// `not health < 10`. It is translated for reading; what is saved is the file's text.
#include <string.h>

#include "machine_file.h"
#include "ploy/decide/expression.h"

static const char machine_condition_not[] = " not ";
enum { MACHINE_CONDITION_NOT = 5, MACHINE_CONDITION_DIAGS = 8 };

// True if a `!` at this place is a negation: not in quotes and no part of `!=`.
static bool machine_condition_negates(const char *at, char *quote) {
    if (*quote != '\0') {
        if (*at == *quote) *quote = '\0';
        return false;
    }
    if (*at == '\'' || *at == '"') *quote = *at;
    return *at == '!' && at[1] != '=';
}

// The text with `not` for `!`, in memory of the env's. NULL without memory.
static char *machine_condition_translate(const char *text, const ploy_env *env, size_t *size) {
    char quote = '\0';
    *size = 1;
    for (const char *c = text; *c != '\0'; c++) {
        *size += machine_condition_negates(c, &quote) ? MACHINE_CONDITION_NOT : 1;
    }
    char *out = ploy_env_alloc(env, *size);
    if (out == NULL) return NULL;
    size_t used = 0;
    quote = '\0';
    for (const char *c = text; *c != '\0'; c++) {
        if (machine_condition_negates(c, &quote)) {
            memcpy(out + used, machine_condition_not, MACHINE_CONDITION_NOT);
            used += MACHINE_CONDITION_NOT;
        } else {
            out[used++] = *c;
        }
    }
    out[used] = '\0';
    return out;
}

// Columns of the translation, counted from the text's beginning, in the file's text.
static int32_t machine_condition_column(const char *text, int32_t column) {
    char quote = '\0';
    int32_t at = 0, seen = 0;
    for (const char *c = text; *c != '\0' && seen < column; c++, at++) {
        seen += machine_condition_negates(c, &quote) ? MACHINE_CONDITION_NOT : 1;
    }
    return at;
}

// Hands on what was found wrong, with the columns of the file.
static void machine_condition_report(ployi_machine_reader *reader, const char *text,
                                     ployi_machine_place place, ploy_diags *found) {
    for (int32_t i = 0; i < ploy_diags_count(found); i++) {
        const ploy_diag *diag = ploy_diags_get(found, i);
        int32_t column = diag->column;
        if (diag->line == place.line && column >= place.column) {
            column = place.column + machine_condition_column(text, column - place.column);
        }
        ploy_diags_add(reader->diags, diag->severity, diag->code, diag->name, diag->line, column,
                       diag->message, diag->expected, diag->nearest);
    }
}

// The states that it asks for are there.
static void machine_condition_states(ployi_machine_reader *reader, const char *text,
                                     ployi_machine_place place, const ploy_expression *expression) {
    const ploy_machine *machine = reader->machine;
    ploy_expression_call call;
    for (int32_t i = 0; ploy_expression_call_at(expression, i, &call); i++) {
        if (strcmp(call.name, "In") != 0 || call.text == NULL) continue;
        if (ployi_machine_find(machine, call.text, strlen(call.text)) != 0) continue;
        ploy_nearest nearest = ploy_nearest_make(call.text);
        bool looks = ployi_machine_looks(reader);
        for (uint32_t k = 1; looks && k < (uint32_t)machine->nodes.count; k++) {
            ploy_nearest_offer(&nearest,
                               ployi_machine_text(machine, ployi_machine_node_at(machine, k)->id));
        }
        ployi_machine_place at = {call.line, call.column};
        if (at.line == place.line) {
            at.column = place.column + machine_condition_column(text, at.column - place.column);
        }
        ployi_machine_wrong(reader, at, PLOY_ERR_FORMAT, "unknown state", call.text, NULL,
                            nearest.best);
    }
}

static ploy_condition machine_condition_in(void *user, ploy_conditions *set, const char *text) {
    const ployi_machine_chart *chart = user;
    (void)set;
    ploy_hsm_state state = {ployi_machine_find(chart->machine, text, strlen(text))};
    return state.number != 0 ? ploy_hsm_type_in(chart->type, state) : ploy_condition_none();
}

ploy_result ployi_machine_register(const ploy_machine_words *words, ployi_machine_chart *chart,
                                   ploy_conditions *set) {
    ploy_result result = ploy_conditions_register_words(set, words->tests, words->test_count);
    if (result != PLOY_OK || chart == NULL) return result;
    return ploy_conditions_register_quoted(set, "In", machine_condition_in, chart);
}

// ---- what a document uses

typedef struct machine_uses {
    const ploy_machine *machine;
    ploy_machine_use_fn fn;
    void *user;
    ploy_result result;
} machine_uses;

static void machine_uses_tell(machine_uses *uses, ploy_machine_use use, const char *name,
                              int32_t count) {
    if (uses->result == PLOY_OK) uses->result = uses->fn(uses->user, use, name, count);
}

static void machine_uses_condition(machine_uses *uses, uint32_t when) {
    static const char *const known[] = {"In", "after", "on", "status"};
    const ploy_env *env = &uses->machine->env;
    ploy_expression *expression = NULL;
    ploy_expression_call call;
    ploy_expression_use name;
    size_t size = 0;
    if (when == 0 || uses->result != PLOY_OK) return;
    char *text = machine_condition_translate(ployi_machine_text(uses->machine, when), env, &size);
    uses->result = text == NULL
                       ? PLOY_ERR_MEMORY
                       : ploy_expression_create(text, "", 1, 1, NULL, 0, env, NULL, &expression);
    for (int32_t i = 0; uses->result == PLOY_OK && ploy_expression_call_at(expression, i, &call);
         i++) {
        bool ours = false;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
            ours = ours || strcmp(known[k], call.name) == 0;
        }
        if (!ours) machine_uses_tell(uses, PLOY_MACHINE_USES_CALL, call.name, call.count);
    }
    for (int32_t i = 0; uses->result == PLOY_OK && ploy_expression_name(expression, i, &name);
         i++) {
        // In(id) names a state.
        if (ployi_machine_find(uses->machine, name.name, strlen(name.name)) != 0) continue;
        machine_uses_tell(uses, name.quoted ? PLOY_MACHINE_USES_TEXT : PLOY_MACHINE_USES_NAME,
                          name.name, 0);
    }
    ploy_expression_destroy(expression);
    if (text != NULL) ploy_env_free(env, text, size);
}

ploy_result ploy_machine_uses(const ploy_machine *machine, ploy_machine_use_fn fn, void *user) {
    if (machine == NULL || fn == NULL) return PLOY_ERR_ARGUMENT;
    machine_uses uses = {machine, fn, user, PLOY_OK};
    for (uint32_t i = 0; i < (uint32_t)machine->nodes.count; i++) {
        uint32_t run = ployi_machine_node_at(machine, i)->run;
        if (run != 0) {
            machine_uses_tell(&uses, PLOY_MACHINE_USES_ACTION, ployi_machine_text(machine, run), 0);
        }
    }
    for (int32_t i = 0; i < machine->rules.count; i++) {
        machine_uses_condition(&uses,
                               PLOY_ARRAY_ITEMS(&machine->rules, ployi_machine_rule)[i].when);
    }
    for (int32_t i = 0; i < machine->ops.count; i++) {
        const ployi_machine_op *op = &PLOY_ARRAY_ITEMS(&machine->ops, ployi_machine_op)[i];
        machine_uses_condition(&uses, op->when);
        if (op->kind == PLOY_HSM_OP_CALL) {
            machine_uses_tell(&uses, PLOY_MACHINE_USES_ACTION,
                              ployi_machine_text(machine, op->text), 0);
        }
    }
    return uses.result;
}

// ---- reading

// A chart does not count the seconds in its states, unless the game has a word for that.
static ploy_result machine_condition_chart(const char *text, const char *source,
                                           ployi_machine_place place,
                                           const ploy_machine_words *words, const ploy_env *env,
                                           ploy_diags *diags) {
    ploy_expression *expression = NULL;
    ploy_expression_call call;
    for (int32_t i = 0; i < words->test_count; i++) {
        if (strcmp(words->tests[i].name, "after") == 0) return PLOY_OK;
    }
    ploy_result result = ploy_expression_create(text, source, place.line, place.column, NULL, 0,
                                                env, diags, &expression);
    for (int32_t i = 0; result == PLOY_OK && ploy_expression_call_at(expression, i, &call); i++) {
        if (strcmp(call.name, "after") != 0) continue;
        result = PLOY_ERR_FORMAT;
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, source, call.line, call.column,
                       "unsupported 'after' outside a flat machine", "an event sent with a delay",
                       NULL);
    }
    ploy_expression_destroy(expression);
    return result;
}

ploy_condition ployi_machine_condition(ployi_machine_reader *reader, const char *text,
                                       ployi_machine_place place, ploy_conditions *set,
                                       const ploy_machine_words *chart) {
    const ploy_machine *machine = reader->machine;
    const ploy_env *env = &machine->env;
    const char *source = ployi_machine_text(machine, machine->source);
    ploy_condition condition = ploy_condition_none();
    ploy_expression *expression = NULL;
    ploy_diags *found = NULL;
    size_t size = 0;
    char *read = machine_condition_translate(text, env, &size);
    ploy_result result =
        read == NULL ? PLOY_ERR_MEMORY : ploy_diags_create(MACHINE_CONDITION_DIAGS, env, &found);
    if (result == PLOY_OK && set == NULL) {
        result = ploy_expression_create(read, source, place.line, place.column, NULL, 0, env, found,
                                        &expression);
        if (result == PLOY_OK) machine_condition_states(reader, text, place, expression);
        ploy_expression_destroy(expression);
    } else if (result == PLOY_OK) {
        if (chart != NULL) result = machine_condition_chart(read, source, place, chart, env, found);
    }
    if (result == PLOY_OK && set != NULL) {
        result =
            ploy_condition_read(set, read, source, place.line, place.column, found, &condition);
    }
    if (result != PLOY_OK) {
        if (found != NULL) machine_condition_report(reader, text, place, found);
        bool kept =
            result == PLOY_ERR_NOT_FOUND || result == PLOY_ERR_MEMORY || result == PLOY_ERR_LIMIT;
        if (reader->result == PLOY_OK) reader->result = kept ? result : PLOY_ERR_FORMAT;
    }
    ploy_diags_destroy(found);
    if (read != NULL) ploy_env_free(env, read, size);
    return condition;
}
