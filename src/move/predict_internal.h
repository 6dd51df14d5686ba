// Prediction, for the behaviors that look ahead.
#pragma once

#include "move/steer_internal.h"
#include "ploy/move/predict.h"

bool ployi_predict_ok(const ploy_predict_def *def);

// The time to look ahead. Looks at agent->forward only if def->turn_time is above 0.
float ployi_predict(const ploy_predict_def *def, float max_speed, const ployi_mover *agent,
                    const ployi_mover *target, int n);

// The first time, not below 0, at which something at `offset` with a velocity can be met by who
// goes straight at `speed`. False if it never can.
bool ployi_predict_exact(ploy_vec3 offset, ploy_vec3 velocity, float speed, int n, double *time);

// The two as the agent sees them, if only relative motion counts.
static inline void ployi_predict_frame(const ploy_predict_def *def, ployi_mover *agent,
                                       ployi_mover *target) {
    if (def->method != PLOY_PREDICTION_RELATIVE) return;
    target->velocity = ployi_minus(target->velocity, agent->velocity);
    agent->velocity = ployi_times(agent->velocity, 0.0f);
}
