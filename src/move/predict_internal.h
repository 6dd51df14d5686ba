// Prediction, for the behaviors that look ahead.
#pragma once

#include "move/steer_internal.h"
#include "ploy/move/predict.h"

PLOYI_INLINE bool ployi_predict_ok(const ploy_predict_def *def) {
    return (uint32_t)def->method <= PLOY_PREDICTION_RELATIVE &&
           ployi_within(def->max_time, 0, PLOYI_TIME_MAX) && ployi_within(def->scale, 0, 1e3) &&
           ployi_within(def->turn_time, 0, PLOYI_TIME_MAX);
}

// The first time, not below 0, at which something at `offset` with a velocity can be met by who
// goes straight at `speed`. False if it never can.
bool ployi_predict_exact(ploy_vec3 offset, ploy_vec3 velocity, float speed, int n, double *time);

// distance / speed, but never more than max: tested by a product, so that no division overflows.
PLOYI_INLINE float ployi_predict_quotient(float distance, float speed, float max) {
    return speed * max <= distance ? max : distance / speed;
}

// The time to look ahead. Looks at agent->forward only if def->turn_time is above 0.
PLOYI_INLINE float ployi_predict(const ploy_predict_def *def, float max_speed,
                                 const ployi_mover *agent, const ployi_mover *target, int n) {
    ploy_vec3 offset = ployi_minus(target->position, agent->position);
    float distance = ployi_length(offset, n), max = def->max_time, time = 0.0f;
    double exact = 0.0;
    switch (def->method) {
    case PLOY_PREDICTION_OWN_SPEED:
        time = ployi_predict_quotient(distance, ployi_length(agent->velocity, n), max);
        break;
    case PLOY_PREDICTION_MAX_SPEED: time = ployi_predict_quotient(distance, max_speed, max); break;
    case PLOY_PREDICTION_BOTH_SPEEDS:
        time = ployi_predict_quotient(distance, max_speed + ployi_length(target->velocity, n), max);
        break;
    case PLOY_PREDICTION_SCALED: time = distance * def->scale; break;
    case PLOY_PREDICTION_CLOSING:
    case PLOY_PREDICTION_RELATIVE: {
        ploy_vec3 closing = ployi_minus(target->velocity, agent->velocity);
        time = ployi_predict_quotient(distance, ployi_length(closing, n), max);
        break;
    }
    case PLOY_PREDICTION_EXACT:
        time = max;
        if (ployi_predict_exact(offset, target->velocity, max_speed, n, &exact) &&
            exact < (double)max) {
            time = (float)exact;
        }
        break;
    }
    if (def->turn_time > 0.0f) {
        float ahead = ployi_dot(agent->forward, ployi_unit(offset, n), n);
        time += def->turn_time * (1.0f - ahead);
    }
    return ploy_clampf(time, 0.0f, max);
}

// Where the target will be after that time.
PLOYI_INLINE ploy_vec3 ployi_predict_at(const ploy_predict_def *def, const ployi_mover *target,
                                        float time, int n) {
    ploy_vec3 straight = ployi_plus_scaled(target->position, target->velocity, time);
    if (def->position == NULL || def->method == PLOY_PREDICTION_RELATIVE) return straight;
    ploy_kinematic3 other = ploy_kinematic3_make(target->position);
    other.velocity = target->velocity;
    ploy_vec3 known = def->position(def->user, other, time);
    if (n == 2) known.z = 0.0f;
    return ploy_vec3_is_finite(known) ? known : straight;
}

// The two as the agent sees them, if only relative motion counts.
static inline void ployi_predict_frame(const ploy_predict_def *def, ployi_mover *agent,
                                       ployi_mover *target) {
    if (def->method != PLOY_PREDICTION_RELATIVE) return;
    target->velocity = ployi_minus(target->velocity, agent->velocity);
    agent->velocity = ployi_times(agent->velocity, 0.0f);
}
