// What labs read of the inputs of a tick, what a mind gets of it, and how labs name those of whom
// there are many.
#pragma once

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/exec/behavior.h"
#include "ploy/exec/sim.h"
#include "ploy/geom/vec.h"

// Parameters are set already when a step comes: commands are what is left to look at.
static inline bool lab_input_is(const ploy_input *input, const char *command) {
    return input->kind == PLOY_INPUT_COMMAND && strcmp(input->name, command) == 0;
}

// Commands of that name in a tick.
static inline uint64_t lab_input_count(const ploy_sim_context *context, const char *command) {
    uint64_t count = 0;
    for (int32_t i = 0; i < context->input_count; i++) {
        if (lab_input_is(&context->inputs[i], command)) count++;
    }
    return count;
}

// The place of a click.
static inline ploy_vec2 lab_input_point(const ploy_input *input) {
    return ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]);
}

// The same within x and y of the middle, m.
static inline ploy_vec2 lab_input_point_within(const ploy_input *input, float x, float y) {
    ploy_vec2 at = lab_input_point(input);
    return ploy_vec2_make(ploy_clampf(at.x, -x, x), ploy_clampf(at.y, -y, y));
}

// What a mind of the lab gets in this tick; all zero before the first one (sim NULL).
static inline ploy_step_context lab_step_context(const ploy_sim_context *sim, ploy_agent_id agent) {
    ploy_step_context step = ploy_step_context_make(agent, NULL, sim != NULL ? sim->dt : 0.0f);
    if (sim == NULL) return step;
    step.tick = sim->tick;
    step.now = (double)sim->tick * (double)sim->dt;
    step.key = sim->key;
    step.trace = sim->trace;
    return step;
}

// Opens the group of number i among its like: "craft 7".
static inline void lab_begin_numbered(ploy_describe *out, const char *kind, int32_t i,
                                      ploy_agent_id id) {
    char name[32];
    size_t length = strlen(kind);
    ploy_value number = ploy_value_i64(i);
    memcpy(name, kind, length);
    name[length] = ' ';
    ploy_value_print(&number, name + length + 1, sizeof name - length - 1);
    ploy_describe_begin_agent(out, name, id);
}
