// Small predictions; described in the header.
#include "ploy/move/reckon.h"

#include "move/move_internal.h"

ploy_vec2 ploy_reckoning_position(const ploy_reckoning *reckoning) {
    ploy_vec2 believed =
        ploy_vec2_add_scaled(reckoning->position, reckoning->velocity, reckoning->age);
    float left = reckoning->blend > 0.0f ? 1.0f - reckoning->age / reckoning->blend : 0.0f;
    return ploy_vec2_add_scaled(believed, reckoning->error, ploy_maxf(left, 0.0f));
}

ploy_result ploy_reckoning_correct(ploy_reckoning *reckoning, ploy_vec2 position,
                                   ploy_vec2 velocity, float blend) {
    if (reckoning == NULL || !ploy_vec2_is_finite(position) || !ploy_vec2_is_finite(velocity) ||
        !ployi_within(blend, 0, PLOYI_TIME_MAX)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_vec2 shown = ploy_reckoning_position(reckoning);
    reckoning->position = position;
    reckoning->velocity = velocity;
    reckoning->error = ploy_vec2_sub(shown, position);
    reckoning->age = 0.0f;
    reckoning->blend = blend;
    return PLOY_OK;
}

void ploy_reckoning_step(ploy_reckoning *reckoning, float dt) {
    if (dt > 0.0f && reckoning->age + dt < 1e6f) reckoning->age += dt;
}

void ploy_reckoning_visit(ploy_visit *v, void *object) {
    ploy_reckoning *reckoning = object;
    ploy_vec2 shown = ploy_reckoning_position(reckoning);
    ploy_visit_struct(v, "reckoning", reckoning, sizeof *reckoning);
    ploy_visit_vec2(v, "position", PLOY_STATE, &reckoning->position.x, &reckoning->position.y);
    ploy_visit_vec2(v, "velocity", PLOY_STATE, &reckoning->velocity.x, &reckoning->velocity.y);
    ploy_visit_vec2(v, "error", PLOY_STATE, &reckoning->error.x, &reckoning->error.y);
    ploy_visit_f32_in(v, "age", PLOY_STATE, &reckoning->age, 0.0f, 1e6f);
    ploy_visit_f32_in(v, "blend", PLOY_STATE, &reckoning->blend, 0.0f, PLOYI_TIME_MAX);
    ploy_describe_vec2(v->describe, "shown", PLOY_DERIVED, shown.x, shown.y);
}

void ploy_reckoning_describe(const ploy_reckoning *reckoning, ploy_describe *out) {
    ploy_visit_describe(ploy_reckoning_visit, reckoning, NULL, out);
}

bool ploy_reckon_bounce(ploy_vec2 position, ploy_vec2 velocity, float line, float min, float max,
                        float *y, float *time) {
    if (!ploy_vec2_is_finite(position) || !ploy_vec2_is_finite(velocity) || !(min < max)) {
        return false;
    }
    double distance = (double)line - (double)position.x;
    if (velocity.x == 0.0f && distance != 0.0) return false;
    double t = distance == 0.0 ? 0.0 : distance / (double)velocity.x;
    if (!(t >= 0.0)) return false;
    // Unfolded, the walls repeat like mirrors: the ball flies straight through them.
    double width = (double)max - (double)min;
    double unfolded = (double)position.y + (double)velocity.y * t - (double)min;
    double folds = unfolded / (2.0 * width);
    double within = unfolded - floor(folds) * 2.0 * width;
    if (!ploy_is_finite_d(within)) return false;
    *y = (float)((double)min + (within > width ? 2.0 * width - within : within));
    if (time != NULL) *time = (float)t;
    return true;
}

ploy_vec2 ployi_reckon_walled(const ploy_scene *scene, uint32_t mask, ploy_vec2 position,
                              ploy_vec2 velocity, float radius, float t) {
    ploy_scene_hit hit;
    ploy_vec2 to = ploy_vec2_add_scaled(position, velocity, t);
    if (!ploy_scene_sweep2(scene, position, to, radius, mask, &hit)) return to;
    return ploy_vec2_add(position, ploy_vec2_with_length(velocity, hit.distance));
}

int32_t ployi_reckon_best(ploy_reckon_trial_fn trial, void *user, int32_t count, float *distance) {
    int32_t best = -1;
    float nearest = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        float here = trial(user, i);
        if (here < nearest) nearest = here, best = i;
    }
    if (best >= 0 && distance != NULL) *distance = nearest;
    return best;
}
