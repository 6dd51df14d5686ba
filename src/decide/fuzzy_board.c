// A fuzzy system over a blackboard: as a behavior that reads and writes it, and as a guard that
// asks it for a degree.
#include <string.h>

#include "decide_internal.h"

#include "decide/decide_internal.h"
#include "fuzzy_internal.h"
#include "ploy/base/math.h"

static double fuzzy_board_read(const ployi_fuzzy_variable *v, const ploy_blackboard *board) {
    return v->narrow ? (double)ploy_blackboard_get_f32(board, v->slot)
                     : ploy_blackboard_get_f64(board, v->slot);
}

// True if the blackboard is one that the type was bound to.
static bool fuzzy_board_known(const ploy_fuzzy_type *type, const ploy_blackboard *board) {
    return board != NULL && type->layout != NULL &&
           ploy_blackboard_layout_of(board) == type->layout;
}

// ---- options ----

ploy_result ploy_fuzzy_type_option(ploy_fuzzy_type *type, int32_t output, ploy_maker maker) {
    if (type == NULL || type->finished) return PLOY_ERR_ARGUMENT;
    ployi_fuzzy_variable *v = ployi_fuzzy_find_variable(type, output);
    if (v == NULL || output < PLOY_FUZZY_OUTPUT || ploy_maker_is_none(maker)) {
        return ployi_fuzzy_fault(type, NULL, NULL, 0, PLOY_ERR_ARGUMENT,
                                 "expected an output as an option, found", v != NULL ? v->name : "",
                                 NULL, NULL);
    }
    v->maker = maker;
    type->options = true;
    return PLOY_OK;
}

ploy_result ploy_fuzzy_type_choose(ploy_fuzzy_type *type, const char *key) {
    if (type == NULL || key == NULL || type->finished) return PLOY_ERR_ARGUMENT;
    if (type->layout == NULL) return PLOY_ERR_STATE;
    return ploy_blackboard_layout_resolve(type->layout, key, PLOY_VALUE_NAME, NULL, &type->chosen);
}

static ploy_maker fuzzy_board_maker(const void *user, int32_t index) {
    return ployi_fuzzy_output_at(user, index)->maker;
}

ploy_result ployi_fuzzy_make_options(ploy_fuzzy *fuzzy) {
    int32_t count = fuzzy->type->options ? fuzzy->type->variables[1].count : 0;
    return ployi_choice_init(&fuzzy->choice, count, fuzzy_board_maker, fuzzy->type, &fuzzy->env);
}

// The largest output that is a number, or -1.
static int32_t fuzzy_board_largest(const ploy_fuzzy *fuzzy) {
    int32_t best = -1;
    for (int32_t i = 0; i < fuzzy->type->variables[1].count; i++) {
        double value = ploy_fuzzy_output(fuzzy, i);
        if (value != value) continue;
        if (best < 0 || value > ploy_fuzzy_output(fuzzy, best)) best = i;
    }
    return best;
}

static void fuzzy_board_trace(const ploy_fuzzy *fuzzy, ploy_step_context *context, int32_t best) {
    if (context->trace == NULL) return;
    ploy_trace_begin(context->trace, context->agent, "choose", "fuzzy");
    for (int32_t i = 0; i < fuzzy->type->variables[1].count; i++) {
        ploy_trace_option(context->trace, ployi_fuzzy_output_at(fuzzy->type, i)->name,
                          i == best ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          ploy_fuzzy_output(fuzzy, i), i == best ? "the largest" : "");
    }
    ploy_trace_end(context->trace);
}

// ---- the behavior ----

static ploy_result fuzzy_board_choose(ploy_fuzzy *fuzzy, ploy_step_context *context,
                                      ploy_status *status) {
    const ploy_fuzzy_type *type = fuzzy->type;
    int32_t best = fuzzy_board_largest(fuzzy);
    bool knows = fuzzy_board_known(type, context->blackboard);
    if (best >= 0 && knows && !ploy_slot_is_none(type->chosen)) {
        ploy_result result =
            ploy_blackboard_set_name(context->blackboard, type->chosen,
                                     ploy_name_of(ployi_fuzzy_output_at(type, best)->name));
        if (result != PLOY_OK) return result;
    }
    if (!type->options) return PLOY_OK;
    fuzzy_board_trace(fuzzy, context, best);
    if (best < 0) {
        ployi_choice_leave(&fuzzy->choice, context, PLOY_EXIT_INTERRUPTED);
        *status = PLOY_STATUS_FAILURE;
    } else {
        *status = ployi_choice_step(&fuzzy->choice, context, best,
                                    ployi_fuzzy_output_at(type, best)->name);
    }
    return PLOY_OK;
}

static ploy_result fuzzy_board_step(void *self, ploy_step_context *context, ploy_status *status) {
    ploy_fuzzy *fuzzy = self;
    const ploy_fuzzy_type *type = fuzzy->type;
    bool knows = fuzzy_board_known(type, context->blackboard);
    for (int32_t i = 0; i < type->variables[0].count && knows; i++) {
        const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(type, i);
        if (ploy_slot_is_none(v->slot)) continue;
        ploy_fuzzy_set_input(fuzzy, i, fuzzy_board_read(v, context->blackboard));
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
    return fuzzy_board_choose(fuzzy, context, status);
}

// The name of the option that runs; "" if none does.
static const char *fuzzy_board_running(const ploy_fuzzy *fuzzy) {
    int32_t running = fuzzy->choice.running;
    return running >= 0 ? ployi_fuzzy_output_at(fuzzy->type, running)->name : "";
}

static void fuzzy_board_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    ployi_choice_leave(&((ploy_fuzzy *)self)->choice, context, reason);
}

static ploy_result fuzzy_board_commit(void *self, ploy_step_context *context) {
    ploy_fuzzy *fuzzy = self;
    ployi_choice_commit(&fuzzy->choice, context, fuzzy_board_running(fuzzy));
    return PLOY_OK;
}

static ploy_result fuzzy_board_message(void *self, ploy_step_context *context,
                                       const ploy_message *message, bool *handled) {
    ploy_fuzzy *fuzzy = self;
    *handled = ployi_choice_message(&fuzzy->choice, context, message, fuzzy_board_running(fuzzy));
    return PLOY_OK;
}

static void fuzzy_board_draw(const void *self, ploy_draw *out) {
    ployi_choice_draw(&((const ploy_fuzzy *)self)->choice, out);
}

static void fuzzy_board_destroy(void *self) {
    ploy_fuzzy_destroy(self);
}

static const ploy_behavior_type fuzzy_board_behavior = {.name = "fuzzy",
                                                        .step = fuzzy_board_step,
                                                        .exit = fuzzy_board_exit,
                                                        .commit = fuzzy_board_commit,
                                                        .message = fuzzy_board_message,
                                                        .destroy = fuzzy_board_destroy,
                                                        .draw = fuzzy_board_draw,
                                                        .visit = ployi_fuzzy_visit};

ploy_behavior ploy_fuzzy_behavior(ploy_fuzzy *fuzzy) {
    ploy_behavior behavior = {fuzzy != NULL ? &fuzzy_board_behavior : NULL, fuzzy};
    return behavior;
}

static ploy_result fuzzy_board_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = ploy_fuzzy_create(user, env, &fuzzy);
    if (result == PLOY_OK) *out = ploy_fuzzy_behavior(fuzzy);
    return result;
}

static ploy_result fuzzy_board_check(const void *user, const ploy_blackboard_layout *layout,
                                     ploy_diags *diags) {
    const ploy_fuzzy_type *type = user;
    return ployi_choice_check(type->options ? type->variables[1].count : 0, fuzzy_board_maker, type,
                              &type->env, type->layout, layout, diags);
}

ploy_maker ploy_fuzzy_type_maker(ploy_fuzzy_type *type) {
    ploy_maker maker = {fuzzy_board_make, type, NULL, fuzzy_board_check};
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
                type, NULL, NULL, 0, PLOY_ERR_ARGUMENT, "expected an input in a guard, found",
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

typedef struct fuzzy_board_look {
    const ploy_fuzzy_type *type;
    const ploy_blackboard *board;
} fuzzy_board_look;

static double fuzzy_board_term_degree(const void *user, const ployi_fuzzy_op *op) {
    const fuzzy_board_look *look = user;
    const ployi_fuzzy_variable *v = ployi_fuzzy_input_at(look->type, op->variable);
    if (!v->def.enabled || ploy_slot_is_none(v->slot)) return 0.0;
    double x = ployi_fuzzy_hold(&v->def, fuzzy_board_read(v, look->board));
    const ployi_fuzzy_term *term = ployi_fuzzy_term_at(v, op->term);
    // A formula of other variables has nothing to look at here.
    return term->dynamic ? 0.0 : ployi_fuzzy_term_degree(look->type, term, x, NULL);
}

double ployi_fuzzy_guard_degree(const ploy_fuzzy_guard *guard, const ploy_blackboard *board) {
    if (!fuzzy_board_known(guard->type, board)) return 0.0;
    fuzzy_board_look look = {guard->type, board};
    return ployi_fuzzy_part_degree(PLOY_ARRAY_ITEMS(&guard->ops, ployi_fuzzy_op), guard->ops.count,
                                   &guard->norms, fuzzy_board_term_degree, &look);
}

static bool fuzzy_board_guard_holds(void *user, const ploy_moment *moment, const float *args) {
    const ploy_fuzzy_guard *guard = user;
    (void)args;
    return moment->context != NULL &&
           ploy_fuzzy_to_bool(ployi_fuzzy_guard_degree(guard, moment->context->blackboard),
                              guard->cut_off);
}

ploy_condition ploy_fuzzy_guard_condition(ploy_fuzzy_guard *guard, ploy_conditions *set) {
    return ploy_condition_call(set, guard->text, fuzzy_board_guard_holds, guard);
}

// ---- in the patterns of rules ----

static ploy_rule_value fuzzy_board_rule_holds(const ploy_rule_frame *frame, const void *data) {
    const ploy_fuzzy_rule_test *test = data;
    ploy_rule_value value = ploy_rule_frame_get(frame, 0);
    double x = value.type == PLOY_RULE_FLOAT     ? value.as.real
               : value.type == PLOY_RULE_INTEGER ? (double)value.as.integer
                                                 : (double)NAN;
    bool holds = ploy_fuzzy_to_bool(ploy_fuzzy_membership(&test->set, x), test->cut_off);
    return ploy_rule_symbol(ploy_name_of(holds ? "TRUE" : "FALSE"));
}

ploy_rule_call ploy_fuzzy_rule_call(const ploy_fuzzy_rule_test *test) {
    ploy_rule_call call;
    memset(&call, 0, sizeof call);
    call.fn = fuzzy_board_rule_holds;
    call.data = test;
    call.variables = &test->variable;
    call.variable_count = 1;
    call.cost = 1;
    return call;
}
