// A fuzzy system over a blackboard: as a behavior that reads and writes it, and as a guard that
// asks it for a degree.
#include "fuzzy_internal.h"

static double fuzzy_board_read(const ployi_fuzzy_variable *v, const ploy_blackboard *board) {
    return v->narrow ? (double)ploy_blackboard_get_f32(board, v->slot)
                     : ploy_blackboard_get_f64(board, v->slot);
}

// True if the blackboard is one that the type was bound to.
static bool fuzzy_board_known(const ploy_fuzzy_type *type, const ploy_blackboard *board) {
    return board != NULL && type->layout != NULL &&
           ploy_blackboard_layout_of(board) == type->layout;
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
    return PLOY_OK;
}

static void fuzzy_board_describe(const void *self, ploy_describe *out) {
    ploy_fuzzy_describe(self, out);
}

static void fuzzy_board_destroy(void *self) {
    ploy_fuzzy_destroy(self);
}

static const ploy_behavior_type fuzzy_board_behavior = {.name = "fuzzy",
                                                        .step = fuzzy_board_step,
                                                        .destroy = fuzzy_board_destroy,
                                                        .describe = fuzzy_board_describe};

ploy_behavior ploy_fuzzy_get(ploy_fuzzy *fuzzy) {
    ploy_behavior behavior = {fuzzy != NULL ? &fuzzy_board_behavior : NULL, fuzzy};
    return behavior;
}

static ploy_result fuzzy_board_make(void *user, const ploy_env *env, ploy_behavior *out) {
    ploy_fuzzy *fuzzy = NULL;
    ploy_result result = ploy_fuzzy_create(user, env, &fuzzy);
    if (result == PLOY_OK) *out = ploy_fuzzy_get(fuzzy);
    return result;
}

ploy_maker ploy_fuzzy_type_maker(ploy_fuzzy_type *type) {
    ploy_maker maker = ploy_maker_of(fuzzy_board_make, type);
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
                type, NULL, NULL, 0, PLOY_ERR_ARGUMENT, "a guard asks for inputs only, not for",
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

double ploy_fuzzy_guard_degree(const ploy_fuzzy_guard *guard, const ploy_blackboard *board) {
    if (!fuzzy_board_known(guard->type, board)) return 0.0;
    fuzzy_board_look look = {guard->type, board};
    return ployi_fuzzy_part_degree(PLOY_ARRAY_ITEMS(&guard->ops, ployi_fuzzy_op), guard->ops.count,
                                   &guard->norms, fuzzy_board_term_degree, &look);
}

static bool fuzzy_board_guard_holds(void *user, const ploy_moment *moment, const float *args) {
    const ploy_fuzzy_guard *guard = user;
    (void)args;
    return moment->context != NULL &&
           ploy_fuzzy_to_bool(ploy_fuzzy_guard_degree(guard, moment->context->blackboard),
                              guard->cut_off);
}

ploy_condition ploy_fuzzy_guard_condition(ploy_fuzzy_guard *guard, ploy_conditions *set) {
    return ploy_condition_call(set, guard->text, fuzzy_board_guard_holds, guard);
}
