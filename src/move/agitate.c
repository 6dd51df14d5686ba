// Agitation; described in the header.
#include "ploy/move/agitate.h"

#include "move/move_internal.h"

static const ploy_field agitate_fields[] = {
    PLOY_FIELD_F32(ploy_agitate_def, patience, 5, 0, PLOYI_TIME_MAX, "s",
                   "time without reaching anything; 0 means for ever"),
    PLOY_FIELD_BOOL(ploy_agitate_def, inwards, true, "kick to the side of the point"),
};

ploy_fields ploy_agitate_fields(void) {
    return PLOY_FIELDS(ploy_agitate_def, agitate_fields);
}

ploy_agitate_def ploy_agitate_def_default(void) {
    ploy_agitate_def def;
    ploy_fields_default(ploy_agitate_fields(), &def);
    return def;
}

ploy_vec2 ploy_agitate(const ploy_agitate_def *def, float *waited, ploy_vec2 wish, float side,
                       float dt) {
    if (!ployi_within(def->patience, 0, PLOYI_TIME_MAX) || def->patience == 0.0f) return wish;
    if (dt > 0.0f && dt <= PLOY_DT_MAX_S) *waited += dt;
    if (!(*waited > def->patience)) return wish;
    *waited = 0.0f;
    ploy_vec2 left = {-wish.y, wish.x}, right = {wish.y, -wish.x};
    return def->inwards && side > 0.0f ? left : right;
}
