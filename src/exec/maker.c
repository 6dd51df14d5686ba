// Makers of nested behaviors; what they are for is told in the header.
#include "ploy/exec/maker.h"

ploy_maker ploy_maker_none(void) {
    ploy_maker maker = {NULL, NULL};
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
