// The rules of CLIPS: conditions, declarations, actions.
#include <string.h>

#include "data/clips_internal.h"
#include "ploy/base/hash.h"

enum { RULE_TEXT_DEPTH_MAX = 60 };

static ploy_rule_value rule_text_match_call(const ploy_rule_frame *match, const void *data) {
    ploy_clips *clips = ploy_rule_frame_user(match);
    ployi_frame frame = {.match = match};
    ploy_rule_value value = ployi_clips_eval(clips, &frame, data);
    if (clips->failed) return ployi_clips_bool(clips, false);
    return value;
}

// Equal trees have equal keys; names of variables do not count, their places do.
static uint64_t rule_text_key(const ployi_x *x) {
    uint64_t key = ploy_hash_combine(7, (uint64_t)x->kind);
    key = ploy_hash_combine(key, (uint64_t)x->index);
    if (x->function != NULL) key = ploy_hash_combine(key, ploy_hash_text(x->function->name));
    key = ploy_hash_combine(key, (uint64_t)x->value.type);
    key = ploy_hash_combine(key, x->value.as.bits);
    for (int32_t i = 0; i < x->count; i++) {
        key = ploy_hash_combine(key, x->args[i] == NULL ? 1 : rule_text_key(x->args[i]));
    }
    return key == 0 ? 1 : key;
}

// How CLIPS counts: a call is 1, and/or/not are their arguments.
static int32_t rule_text_cost(const ployi_x *x) {
    if (x->kind == PLOYI_X_USER) return 1;
    if (x->kind != PLOYI_X_CALL) return 0;
    const char *name = x->function->name;
    if (strcmp(name, "and") != 0 && strcmp(name, "or") != 0 && strcmp(name, "not") != 0) return 1;
    int32_t cost = 0;
    for (int32_t i = 0; i < x->count; i++) cost += rule_text_cost(x->args[i]);
    return cost;
}

// An expression of the conditions; the present token is its first.
static bool rule_text_call(ploy_clips *clips, ploy_rule_call *out) {
    ployi_scope scope = {.count = 0};
    ployi_x *x = ployi_clips_parse_x(clips, &scope);
    if (x == NULL) return false;
    const char **names = ployi_clips_alloc(clips, scope.count + 1, sizeof *names);
    if (names == NULL) return false;
    for (int32_t i = 0; i < scope.count; i++) names[i] = scope.names[i];
    out->fn = rule_text_match_call;
    out->pair = ployi_clips_pair(x);
    out->data = x;
    out->key = rule_text_key(x);
    out->variables = names;
    out->variable_count = scope.count;
    out->cost = rule_text_cost(x);
    return true;
}

// One term behind an optional '~'.
static bool rule_text_term(ploy_clips *clips, ploy_rule_constraint *out) {
    if (clips->token.kind == PLOYI_TOKEN_NOT) {
        out->negated = true;
        ployi_clips_next(clips);
    }
    if (clips->token.kind == PLOYI_TOKEN_VAR || clips->token.kind == PLOYI_TOKEN_MVAR) {
        out->kind = PLOY_RULE_SAME;
        out->variable = clips->token.text;
        ployi_clips_next(clips);
        return true;
    }
    if (clips->token.kind == PLOYI_TOKEN_VALUE) {
        bool call = clips->at < clips->size && clips->text[clips->at] == '(';
        bool holds = ployi_clips_is(clips, ":"), computed = ployi_clips_is(clips, "=");
        if (call && (holds || computed)) {
            out->kind = holds ? PLOY_RULE_HOLDS : PLOY_RULE_COMPUTED;
            ployi_clips_next(clips);
            return rule_text_call(clips, &out->call);
        }
        out->kind = PLOY_RULE_IS;
        out->value = clips->token.value;
        ployi_clips_next(clips);
        return true;
    }
    ployi_clips_syntax(clips, "defrule");
    return false;
}

static bool rule_text_field(ploy_clips *clips, ploy_rule_field *out) {
    ploy_rule_constraint terms[64];
    int32_t count = 0, group = 0;
    memset(terms, 0, sizeof terms);
    memset(out, 0, sizeof *out);
    bool more = true;
    ployi_token_kind kind = clips->token.kind;
    if (kind == PLOYI_TOKEN_ANY || kind == PLOYI_TOKEN_MANY || kind == PLOYI_TOKEN_VAR ||
        kind == PLOYI_TOKEN_MVAR) {
        out->multi = kind == PLOYI_TOKEN_MANY || kind == PLOYI_TOKEN_MVAR;
        const char *name = clips->token.text;
        ployi_clips_next(clips);
        if (clips->token.kind == PLOYI_TOKEN_OR && *name != '\0') { // ?x|?y tests, binds nothing
            terms[count].kind = PLOY_RULE_SAME;
            terms[count].value = terms[count].high = ploy_rule_none();
            terms[count++].variable = name;
            group = 1;
            ployi_clips_next(clips);
        } else {
            if (*name != '\0') out->variable = name;
            more = clips->token.kind == PLOYI_TOKEN_AND;
            if (more) ployi_clips_next(clips);
        }
    } else if (kind == PLOYI_TOKEN_NOT) { // ~$?x is a sequence too
        out->multi = clips->at + 1 < clips->size && clips->text[clips->at] == '$' &&
                     clips->text[clips->at + 1] == '?';
    }
    while (more && !clips->parse_failed) {
        if (count == 64) {
            ployi_clips_fault(clips, "too many constraints in a field", NULL);
            return false;
        }
        terms[count].group = group;
        terms[count].value = terms[count].high = ploy_rule_none();
        if (!rule_text_term(clips, &terms[count])) return false;
        count++;
        more = clips->token.kind == PLOYI_TOKEN_AND || clips->token.kind == PLOYI_TOKEN_OR;
        if (clips->token.kind == PLOYI_TOKEN_OR) group++;
        if (more) ployi_clips_next(clips);
    }
    if (count > 0) {
        ploy_rule_constraint *kept = ployi_clips_alloc(clips, count, sizeof *kept);
        if (kept == NULL) return false;
        memcpy(kept, terms, (size_t)count * sizeof *kept);
        out->constraints = kept;
        out->constraint_count = count;
    }
    return !clips->parse_failed;
}

// Fields up to ')'.
static bool rule_text_fields(ploy_clips *clips, int32_t slot, ploy_rule_slot_pattern *out) {
    ploy_rule_field *fields = NULL;
    int32_t count = 0, room = 0;
    while (clips->token.kind != PLOYI_TOKEN_CLOSE && !clips->parse_failed) {
        if (count == room) {
            room = room * 2 + 4;
            ploy_rule_field *more = ployi_clips_alloc(clips, room, sizeof *more);
            if (more == NULL) return false;
            if (count > 0) memcpy(more, fields, (size_t)count * sizeof *more);
            fields = more;
        }
        if (!rule_text_field(clips, &fields[count])) return false;
        count++;
    }
    out->slot = slot;
    out->fields = fields;
    out->field_count = count;
    return !clips->parse_failed;
}

// A pattern from behind '(' to behind ')'.
static bool rule_text_pattern(ploy_clips *clips, ploy_rule_ce *out) {
    if (clips->token.kind != PLOYI_TOKEN_VALUE || clips->token.value.type != PLOY_RULE_SYMBOL) {
        ployi_clips_syntax(clips, "the first field of a pattern");
        return false;
    }
    out->kind = PLOY_RULE_PATTERN;
    out->template_index = ployi_clips_template(clips, clips->token.text, true);
    if (out->template_index < 0) {
        ployi_clips_fault(clips, "out of memory for the relation ", clips->token.text);
        return false;
    }
    ployi_clips_next(clips);
    bool ordered = ploy_rulebase_template_ordered(clips->base, out->template_index);
    int32_t slot_count = ploy_rulebase_slot_count(clips->base, out->template_index);
    ploy_rule_slot_pattern *slots = ployi_clips_alloc(clips, slot_count + 1, sizeof *slots);
    if (slots == NULL) return false;
    out->slots = slots;
    if (ordered) {
        if (!rule_text_fields(clips, 0, &slots[0])) return false;
        out->slot_count = 1;
    }
    while (!ordered && clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        int32_t slot = ploy_rulebase_find_slot(clips->base, out->template_index, clips->token.text);
        if (slot < 0 || out->slot_count == slot_count) {
            ployi_clips_fault(clips,
                              "[TMPLTDEF1] Invalid slot name in pattern: ", clips->token.text);
            return false;
        }
        ployi_clips_next(clips);
        if (!rule_text_fields(clips, slot, &slots[out->slot_count])) return false;
        const ploy_rule_slot_pattern *made = &slots[out->slot_count];
        bool multi = ploy_rulebase_slot(clips->base, out->template_index, slot).multi;
        if (!multi && (made->field_count != 1 || made->fields[0].multi)) {
            ployi_clips_fault(clips, "[PATTERN2] A single field slot takes one field", NULL);
            return false;
        }
        out->slot_count++;
        if (!ployi_clips_construct_close(clips, "the pattern")) return false;
    }
    return ployi_clips_construct_close(clips, "the pattern");
}

static bool rule_text_ce(ploy_clips *clips, ploy_rule_ce *out, int32_t depth);

// Conditions up to ')' or "=>".
static bool rule_text_ces(ploy_clips *clips, ploy_rule_ce *out, int32_t depth) {
    ploy_rule_ce *items = NULL;
    int32_t count = 0, room = 0;
    while (clips->token.kind != PLOYI_TOKEN_CLOSE && !ployi_clips_is(clips, "=>") &&
           !clips->parse_failed) {
        if (count == room) {
            room = room * 2 + 4;
            ploy_rule_ce *more = ployi_clips_alloc(clips, room, sizeof *more);
            if (more == NULL) return false;
            if (count > 0) memcpy(more, items, (size_t)count * sizeof *more);
            items = more;
        }
        if (!rule_text_ce(clips, &items[count], depth)) return false;
        count++;
    }
    out->items = items;
    out->item_count = count;
    return !clips->parse_failed;
}

static bool rule_text_ce(ploy_clips *clips, ploy_rule_ce *out, int32_t depth) {
    memset(out, 0, sizeof *out);
    if (depth > RULE_TEXT_DEPTH_MAX) {
        ployi_clips_fault(clips, "conditions are nested too deeply", NULL);
        return false;
    }
    const char *address = NULL;
    if (clips->token.kind == PLOYI_TOKEN_VAR) {
        address = clips->token.text;
        ployi_clips_next(clips);
        if (!ployi_clips_is(clips, "<-")) {
            ployi_clips_syntax(clips, "defrule");
            return false;
        }
        ployi_clips_next(clips);
    }
    if (clips->token.kind != PLOYI_TOKEN_OPEN) {
        ployi_clips_syntax(clips, "defrule");
        return false;
    }
    ployi_clips_next(clips);
    static const struct {
        const char *word;
        ploy_rule_ce_kind kind;
    } words[] = {{"and", PLOY_RULE_AND},       {"or", PLOY_RULE_OR},
                 {"not", PLOY_RULE_NOT},       {"exists", PLOY_RULE_EXISTS},
                 {"forall", PLOY_RULE_FORALL}, {"logical", PLOY_RULE_LOGICAL}};
    for (size_t i = 0; address == NULL && i < sizeof words / sizeof words[0]; i++) {
        if (!ployi_clips_is(clips, words[i].word)) continue;
        ployi_clips_next(clips);
        out->kind = words[i].kind;
        if (!rule_text_ces(clips, out, depth + 1)) return false;
        if (out->item_count == 0) {
            ployi_clips_syntax(clips, "defrule");
            return false;
        }
        return ployi_clips_construct_close(clips, "defrule");
    }
    if (address == NULL && ployi_clips_is(clips, "test")) {
        ployi_clips_next(clips);
        out->kind = PLOY_RULE_TEST;
        return rule_text_call(clips, &out->call) && ployi_clips_construct_close(clips, "test CE");
    }
    out->address = address;
    return rule_text_pattern(clips, out);
}

static bool rule_text_declare(ploy_clips *clips, ployi_defrule *rule, ploy_rule_def *def) {
    while (clips->token.kind == PLOYI_TOKEN_OPEN && !clips->parse_failed) {
        ployi_clips_next(clips);
        bool salience = ployi_clips_is(clips, "salience");
        if (!salience && !ployi_clips_is(clips, "auto-focus")) {
            ployi_clips_syntax(clips, "declare statement");
            return false;
        }
        ployi_clips_next(clips);
        if (salience) {
            ployi_scope scope = {.count = 0};
            ployi_x *x = ployi_clips_parse_x(clips, &scope);
            if (x == NULL) return false;
            ployi_frame frame = {.count = 0};
            ploy_rule_value value = ployi_clips_eval(clips, &frame, x);
            if (clips->failed || value.type != PLOY_RULE_INTEGER) {
                ployi_clips_fault(clips, "[PRNTUTIL10] Salience value must be an integer value.",
                                  NULL);
                return false;
            }
            if (value.as.integer < -10000 || value.as.integer > 10000) {
                ployi_clips_fault(clips, "[PRNTUTIL9] Salience value out of range -10000 to 10000.",
                                  NULL);
                return false;
            }
            def->salience = (int32_t)value.as.integer;
            if (x->kind != PLOYI_X_VALUE) rule->salience = x;
        } else {
            bool yes = ployi_clips_is(clips, "TRUE");
            if (!yes && !ployi_clips_is(clips, "FALSE")) {
                ployi_clips_syntax(clips, "auto-focus statement");
                return false;
            }
            def->auto_focus = yes;
            ployi_clips_next(clips);
        }
        if (!ployi_clips_construct_close(clips, "declare statement")) return false;
    }
    return ployi_clips_construct_close(clips, "declare statement");
}

// Where each local of the actions is bound in the conditions, for each alternative.
static bool rule_text_map_locals(ploy_clips *clips, ployi_defrule *rule, const ployi_scope *scope) {
    rule->lhs = ployi_clips_alloc(clips, (int64_t)rule->count * scope->count + 1, sizeof(int32_t));
    if (rule->lhs == NULL) return false;
    for (int32_t i = 0; i < rule->count; i++) {
        for (int32_t k = 0; k < scope->count; k++) {
            rule->lhs[i * scope->count + k] =
                ploy_rulebase_find_variable(clips->base, rule->first + i, scope->names[k]);
        }
    }
    return true;
}

static bool rule_text_add_rule(ploy_clips *clips, ployi_defrule *rule, const ploy_rule_def *def) {
    ploy_diags *diags = NULL;
    if (ploy_diags_create(4, &clips->env, &diags) != PLOY_OK) return false;
    ploy_result result =
        ploy_rulebase_add_rule(clips->base, def, diags, &rule->first, &rule->count);
    if (result != PLOY_OK) {
        const ploy_diag *diag = ploy_diags_get(diags, 0);
        char text[PLOY_DIAG_TEXT_MAX * 2 + 8] = "[ANALYSIS4] ";
        size_t used = strlen(text);
        const char *message = diag == NULL ? ploy_result_text(result) : diag->message;
        memcpy(text + used, message, strlen(message) + 1);
        used += strlen(message);
        if (diag != NULL && diag->expected[0] != '\0') {
            memcpy(text + used, ": ?", 3);
            memcpy(text + used + 3, diag->expected, strlen(diag->expected) + 1);
        }
        ployi_clips_fault(clips, text, NULL);
    }
    ploy_diags_destroy(diags);
    return result == PLOY_OK;
}

bool ployi_clips_defrule(ploy_clips *clips) {
    int32_t module;
    const char *name = ployi_clips_construct_name(clips, &module);
    if (name == NULL) return false;
    ployi_defrule rule = {.name = name, .module = module, .line = clips->token.line};
    ploy_rule_def def = {.name = name, .module = module};
    // (declare ...) comes first; anything else in brackets is a condition.
    if (clips->token.kind == PLOYI_TOKEN_OPEN) {
        ployi_token open = clips->token;
        size_t at = clips->at, line_at = clips->line_at;
        int32_t line = clips->line;
        ployi_clips_next(clips);
        if (ployi_clips_is(clips, "declare")) {
            ployi_clips_next(clips);
            if (!rule_text_declare(clips, &rule, &def)) return false;
        } else {
            clips->token = open;
            clips->at = at;
            clips->line_at = line_at;
            clips->line = line;
        }
    }
    def.lhs.kind = PLOY_RULE_AND;
    if (!rule_text_ces(clips, &def.lhs, 0)) return false;
    if (!ployi_clips_is(clips, "=>")) {
        ployi_clips_syntax(clips, "defrule");
        return false;
    }
    ployi_clips_next(clips);
    ployi_scope scope = {.count = 0};
    if (!ployi_clips_parse_body(clips, &scope, NULL, NULL, &rule.body)) return false;
    rule.body.locals = scope.count;
    rule.conditions = def.lhs;
    rule.salience_value = def.salience;
    if (clips->token.kind != PLOYI_TOKEN_CLOSE) {
        ployi_clips_syntax(clips, "defrule");
        return false;
    }
    if (!ployi_clips_analyse(clips, &def.lhs, &rule.body)) return false;
    int32_t index = clips->defrules.count;
    uint64_t key = ploy_hash_combine(ploy_hash_bytes(name, strlen(name), 0), (uint64_t)module);
    const int32_t *last = ploy_map_get(&clips->rule_named, key);
    rule.same = last != NULL ? *last : -1;
    for (int32_t i = rule.same; i >= 0;) {
        ployi_defrule *old = ploy_array_at(&clips->defrules, i);
        i = old->same;
        if (old->removed || old->module != module || strcmp(old->name, name) != 0) continue;
        old->removed = true;
        for (int32_t k = 0; k < old->count; k++) {
            ploy_rules_remove_rule(clips->rules, old->first + k);
        }
    }
    if (!rule_text_add_rule(clips, &rule, &def) || !rule_text_map_locals(clips, &rule, &scope)) {
        return false;
    }
    if (ploy_array_push(&clips->defrules, &rule) != PLOY_OK ||
        ploy_map_put(&clips->rule_named, key, &index) != PLOY_OK) {
        return false;
    }
    for (int32_t i = 0; i < rule.count; i++) {
        if (ploy_map_put(&clips->rule_of, (uint64_t)(rule.first + i), &index) != PLOY_OK) {
            return false;
        }
    }
    ployi_clips_next(clips);
    return ploy_rules_extend(clips->rules) == PLOY_OK;
}
