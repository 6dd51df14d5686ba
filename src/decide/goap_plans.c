// Constraints and partial orders of plans; described in the header.
#include "ploy/decide/goap_plans.h"

#include <string.h>

#include "goap_internal.h"

// ---- what must not change ----

// One action on its way into the new domain.
typedef struct goap_plans_draft {
    const ploy_goap_type *type;
    ploy_array needs; // ploy_goap_need: its own, and what keeps the conditions
    ploy_result result;
} goap_plans_draft;

static void goap_plans_need(goap_plans_draft *draft, ploy_goap_var var, ploy_goap_test test,
                            int64_t value) {
    // Beyond the ends of a range the nearest value that means the same.
    const ployi_goap_var *v = ployi_goap_var_at(draft->type, var);
    int64_t low = (int64_t)v->min - 1, high = (int64_t)v->max + 1;
    if (test == PLOY_GOAP_AT_LEAST && value <= v->min) return;
    if (test == PLOY_GOAP_AT_MOST && value >= v->max) return;
    if (test == PLOY_GOAP_DIFFERENT && (value <= low || value >= high)) return;
    bool never = test == PLOY_GOAP_AT_LEAST ? value > v->max : value < v->min;
    ploy_goap_need need = ploy_goap_need_make(var, test, (int32_t)value);
    // Nothing meets both of these, in any world.
    if (never) need = ploy_goap_need_make(var, PLOY_GOAP_EQUAL, v->min);
    ploy_result result = ploy_array_push(&draft->needs, &need);
    if (never && result == PLOY_OK) {
        need.test = PLOY_GOAP_DIFFERENT;
        result = ploy_array_push(&draft->needs, &need);
    }
    if (draft->result == PLOY_OK) draft->result = result;
}

// A need that no world meets.
static void goap_plans_never(goap_plans_draft *draft, ploy_goap_var var) {
    const ployi_goap_var *v = ployi_goap_var_at(draft->type, var);
    goap_plans_need(draft, var, PLOY_GOAP_AT_LEAST, (int64_t)v->max + 1);
}

// What has to hold before the change for the condition to hold after it, as it did before.
static void goap_plans_guard(goap_plans_draft *draft, const ploy_goap_gain *gain,
                             const ploy_goap_need *keep) {
    const ployi_goap_var *var = ployi_goap_var_at(draft->type, gain->var);
    int64_t by = gain->value, value = keep->value;
    if (!gain->add || keep->test == PLOY_GOAP_EQUAL) {
        // An equality says what the value was.
        int32_t after = ployi_goap_after(var, gain, keep->value);
        if (!ployi_goap_meets(keep->test, after, keep->value)) goap_plans_never(draft, gain->var);
        return;
    }
    switch (keep->test) {
    case PLOY_GOAP_AT_LEAST:
        if (by < 0 && value > var->min) {
            goap_plans_need(draft, gain->var, PLOY_GOAP_AT_LEAST, value - by);
        }
        return;
    case PLOY_GOAP_AT_MOST:
        if (by > 0 && value < var->max) {
            goap_plans_need(draft, gain->var, PLOY_GOAP_AT_MOST, value - by);
        }
        return;
    default: // different: at an end of the range all beyond it come to it
        if (value < var->min || value > var->max) return;
        if (by > 0 && value == var->max) {
            goap_plans_need(draft, gain->var, PLOY_GOAP_AT_MOST, value - by - 1);
        } else if (by < 0 && value == var->min) {
            goap_plans_need(draft, gain->var, PLOY_GOAP_AT_LEAST, value - by + 1);
        } else if (by != 0) {
            goap_plans_need(draft, gain->var, PLOY_GOAP_DIFFERENT, value - by);
        }
    }
}

static ploy_result goap_plans_copy_vars(const ploy_goap_type *type, ploy_goap_type *out,
                                        const ploy_env *env) {
    ploy_array texts;
    ploy_array_init(&texts, sizeof(const char *), env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < type->vars.count && result == PLOY_OK; i++) {
        const ployi_goap_var *var = PLOY_ARRAY_AT(&type->vars, ployi_goap_var, i);
        const char *id = ployi_build_text(&type->build, var->id);
        ploy_array_clear(&texts);
        for (int32_t k = 0; var->choices >= 0 && k <= var->max && result == PLOY_OK; k++) {
            ploy_name name = PLOY_ARRAY_ITEMS(&type->texts, ploy_name)[var->choices + k];
            const char *text = ployi_build_text(&type->build, name);
            result = ploy_array_push(&texts, &text);
        }
        if (result != PLOY_OK) break;
        if (var->choices >= 0) {
            (void)ploy_goap_type_choice(out, id, PLOY_ARRAY_ITEMS(&texts, const char *),
                                        texts.count);
        } else {
            (void)ploy_goap_type_int(out, id, var->min, var->max);
        }
    }
    ploy_array_fini(&texts);
    return result;
}

static ploy_result goap_plans_copy_action(goap_plans_draft *draft, int32_t action,
                                          const ploy_goap_need *keep, int32_t count,
                                          ploy_goap_type *out) {
    ploy_goap_action copy;
    (void)ploy_goap_type_action_at(draft->type, action, &copy);
    ploy_array_clear(&draft->needs);
    draft->result = ploy_array_push_many(&draft->needs, copy.needs, copy.need_count);
    for (int32_t i = 0; i < copy.gain_count; i++) {
        for (int32_t k = 0; k < count; k++) {
            if (keep[k].var.number != copy.gains[i].var.number) continue;
            goap_plans_guard(draft, &copy.gains[i], &keep[k]);
        }
    }
    copy.needs = PLOY_ARRAY_ITEMS(&draft->needs, ploy_goap_need);
    copy.need_count = draft->needs.count;
    if (draft->result == PLOY_OK) (void)ploy_goap_type_action(out, &copy);
    return draft->result;
}

ploy_result ploy_goap_type_keep(const ploy_goap_type *type, const ploy_goap_need *keep,
                                int32_t count, const ploy_env *env, ploy_goap_type **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (type == NULL || env == NULL || count < 0 || (count > 0 && keep == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!ployi_goap_need_valid(type, &keep[i])) return PLOY_ERR_ARGUMENT;
    }
    ploy_goap_type *made = NULL;
    ploy_result result = ploy_goap_type_create(env, &made);
    if (result != PLOY_OK) return result;
    goap_plans_draft draft = {.type = type};
    ploy_array_init(&draft.needs, sizeof(ploy_goap_need), env);
    result = goap_plans_copy_vars(type, made, env);
    for (int32_t i = 0; i < type->actions.count && result == PLOY_OK; i++) {
        result = goap_plans_copy_action(&draft, i, keep, count, made);
    }
    ploy_array_fini(&draft.needs);
    if (result == PLOY_OK) result = ploy_goap_type_finish(made);
    if (result != PLOY_OK) {
        ploy_goap_type_destroy(made);
        return result;
    }
    *out = made;
    return PLOY_OK;
}

// ---- partial order ----

// True if the first changes what the second needs.
static bool goap_plans_disturbs(const ploy_goap_action *a, const ploy_goap_action *b) {
    if (a->gain_count > 0 && (b->allowed != NULL || b->price != NULL)) return true;
    for (int32_t i = 0; i < a->gain_count; i++) {
        for (int32_t k = 0; k < b->need_count; k++) {
            if (a->gains[i].var.number == b->needs[k].var.number) return true;
        }
    }
    return false;
}

// True if both change one variable, and not to the same value.
static bool goap_plans_clash(const ploy_goap_action *a, const ploy_goap_action *b) {
    for (int32_t i = 0; i < a->gain_count; i++) {
        for (int32_t k = 0; k < b->gain_count; k++) {
            const ploy_goap_gain *x = &a->gains[i], *y = &b->gains[k];
            if (x->var.number != y->var.number) continue;
            if (x->add || y->add || x->value != y->value) return true;
        }
    }
    return false;
}

bool ploy_goap_type_commute(const ploy_goap_type *type, int32_t a, int32_t b) {
    ploy_goap_action first, second;
    if (!ploy_goap_type_action_at(type, a, &first) || !ploy_goap_type_action_at(type, b, &second)) {
        return false;
    }
    return !goap_plans_disturbs(&first, &second) && !goap_plans_disturbs(&second, &first) &&
           !goap_plans_clash(&first, &second);
}

int32_t ploy_goap_plan_stages(const ploy_goap_type *type, const int32_t *plan, int32_t count,
                              int32_t *stages) {
    int32_t most = 0;
    for (int32_t j = 0; j < count; j++) {
        stages[j] = 0;
        for (int32_t i = 0; i < j; i++) {
            if (stages[i] < stages[j] || ploy_goap_type_commute(type, plan[i], plan[j])) continue;
            stages[j] = stages[i] + 1;
        }
        if (stages[j] >= most) most = stages[j] + 1;
    }
    return most;
}
