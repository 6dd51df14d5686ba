// What the pipeline and its stages share: agents of plane and space in one shape.
#pragma once

#include "move/steer_internal.h"
#include "ploy/move/pipeline.h"

static inline ploy_vec3 ployi_context_position(const ploy_steering_context *context) {
    return context->spatial ? context->agent3.position : ployi_plane(context->agent.position);
}

static inline ploy_vec3 ployi_context_velocity(const ploy_steering_context *context) {
    return context->spatial ? context->agent3.velocity : ployi_plane(context->agent.velocity);
}
