// Makers of nested behaviors; the header says what they are for.
#include "ploy/exec/maker.h"

#include <string.h>

// Faults of a check that are kept for the log.
static const int32_t maker_diags_max = 8;

ploy_maker ploy_maker_none(void) {
    return ploy_maker_of(NULL, NULL);
}

ploy_maker ploy_maker_of(ploy_result (*make)(void *user, const ploy_env *env, ploy_behavior *out),
                         void *user) {
    ploy_maker maker = {make, user, NULL, NULL};
    return maker;
}

ploy_result ploy_maker_make(ploy_maker maker, const ploy_env *env, ploy_behavior *out) {
    if (env == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_behavior made = {NULL, NULL};
    if (maker.make != NULL) {
        ploy_result result = maker.make(maker.user, env, &made);
        if (result > PLOY_OK) return PLOY_ERR_CALLBACK;
        if (result != PLOY_OK) return result;
        if (made.type == NULL || made.type->step == NULL) return PLOY_ERR_CALLBACK;
    }
    *out = made;
    return PLOY_OK;
}

ploy_result ploy_maker_check(ploy_maker maker, const ploy_blackboard_layout *layout,
                             const ploy_env *env, ploy_diags *diags) {
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (maker.check == NULL) return PLOY_OK;
    ploy_diags *own = NULL;
    if (diags == NULL) {
        ploy_result result = ploy_diags_create(maker_diags_max, env, &own);
        if (result != PLOY_OK) return result;
        diags = own;
    }
    ploy_result result = maker.check(maker.user, layout, diags);
    if (own != NULL) ploy_diags_log(own, env);
    ploy_diags_destroy(own);
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

ploy_result ploy_maker_check_layout(const ploy_blackboard_layout *inner,
                                    const ploy_blackboard_layout *outer, ploy_diags *diags) {
    if (inner == NULL || outer == NULL || inner == outer) return PLOY_OK;
    ploy_result first = PLOY_OK;
    for (int32_t i = 0; i < ploy_blackboard_layout_count(inner); i++) {
        ploy_slot slot = {(uint32_t)i + 1}, found;
        const char *name = ploy_blackboard_layout_name(inner, slot);
        ploy_value_type type = ploy_blackboard_layout_type(inner, slot);
        ploy_result result = ploy_blackboard_layout_resolve(outer, name, type, diags, &found);
        if (first == PLOY_OK) first = result;
    }
    if (first != PLOY_OK) return first;
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "layout", 0, 0,
                   "nested definition was built for another layout with the same keys",
                   "one layout for both definitions", NULL);
    return PLOY_ERR_ARGUMENT;
}
