// Agitation; described in the header.
#include "ploy/move/agitate.h"

#include "move/move_internal.h"

static const ploy_field agitate_fields[] = {
    PLOY_FIELD_F32(ploy_agitate_def, patience, 5, 0, PLOYI_TIME_MAX, "s",
                   "time without reaching anything; 0 means forever"),
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

// Counts, and returns whether it is time for a kick.
static bool agitate_is_due(const ploy_agitate_def *def, float *waited, float dt) {
    if (!ployi_within(def->patience, 0, PLOYI_TIME_MAX) || def->patience == 0.0f) return false;
    if (dt > 0.0f && dt <= PLOY_DT_MAX_S) *waited += dt;
    if (!(*waited > def->patience)) return false;
    *waited = 0.0f;
    return true;
}

ploy_vec2 ploy_agitate(const ploy_agitate_def *def, float *waited, ploy_vec2 requested, float side,
                       float dt) {
    if (!agitate_is_due(def, waited, dt)) return requested;
    ploy_vec2 left = {-requested.y, requested.x}, right = {requested.y, -requested.x};
    return def->inwards && side > 0.0f ? left : right;
}

ploy_vec3 ploy_agitate3(const ploy_agitate_def *def, float *waited, ploy_vec3 requested,
                        ploy_vec3 toward, float dt) {
    if (!agitate_is_due(def, waited, dt)) return requested;
    ploy_vec3 direction = ploy_vec3_normalise(requested), aim = ploy_vec3_normalise(toward);
    ploy_vec3 across = ploy_vec3_add_scaled(aim, direction, -ploy_vec3_dot(aim, direction));
    if (!def->inwards || !(ploy_vec3_length_sq(across) > 1e-12f)) {
        across = ploy_vec3_cross(direction, ploy_vec3_make(0.0f, 0.0f, 1.0f));
        if (!(ploy_vec3_length_sq(across) > 1e-12f)) across = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    }
    return ploy_vec3_with_length(across, ploy_vec3_length(requested));
}
