// A small simulation with one of everything, for the tests and the fuzzer of the inspector: agents
// that drift about, fields of every type, commands with and without a value, a nested decision, and
// a step that can be made to fail.
#pragma once

#include <string.h>

#include "exec/exec_internal.h"
#include "ploy/exec/sim.h"

typedef struct inspector_sim_gust {
    uint32_t cookie;
    float strength;
    ploy_vec2 along;
} inspector_sim_gust;

typedef struct inspector_sim_def {
    uint32_t cookie;
    int32_t agents;
    float speed;
    double scale;
    int32_t mode;
    bool loud;
    uint64_t salt;
    inspector_sim_gust gust;
} inspector_sim_def;

typedef struct inspector_sim_state {
    int32_t count;
    bool fail_next;
    bool pressed;     // the budget puts turns off
    uint32_t reloads; // definitions that were loaded anew
    ploy_definition_text winds;
    uint32_t jumper; // who jumped last; 0: nobody yet
    uint64_t tick, jumped_at;
    ploy_vec2 target;
    ploy_vec2 at[1]; // count of them
} inspector_sim_state;

static const char *const inspector_sim_modes[] = {"walk", "run"};

static const ploy_field inspector_sim_gust_fields[] = {
    PLOY_FIELD_F32(inspector_sim_gust, strength, 0, 0, 10, "m/s", "how hard it blows"),
    PLOY_FIELD_VEC2(inspector_sim_gust, along, 1, 0, -1, 1, "", "where to"),
};

static ploy_fields inspector_sim_gust_table(void) {
    return PLOY_FIELDS(inspector_sim_gust, inspector_sim_gust_fields);
}

static const ploy_field inspector_sim_fields[] = {
    PLOY_FIELD_I32_FIXED(inspector_sim_def, agents, 3, 1, 100000, "", "how many"),
    PLOY_FIELD_F32(inspector_sim_def, speed, 1, 0, 10, "m/s", "how fast"),
    PLOY_FIELD_F64(inspector_sim_def, scale, 1, 0.5, 2, "", "how large"),
    PLOY_FIELD_ENUM(inspector_sim_def, mode, 0, inspector_sim_modes, "how they go"),
    PLOY_FIELD_BOOL(inspector_sim_def, loud, false, "whether they shout"),
    PLOY_FIELD_U64(inspector_sim_def, salt, 0, "a number of 64 bits"),
    PLOY_FIELD_DEF(inspector_sim_def, gust, inspector_sim_gust_table, "the wind"),
};

static ploy_fields inspector_sim_table(void) {
    return PLOY_FIELDS(inspector_sim_def, inspector_sim_fields);
}

static const ploy_command inspector_sim_commands[] = {
    {"target", "where they go", PLOY_VALUE_VEC2, false, "Pointer"},
    {"jump", "one of them jumps", PLOY_VALUE_NONE, true, "j"},
    {"shout", "a word is heard", PLOY_VALUE_TEXT, false, NULL},
    {"fail", "the next step fails", PLOY_VALUE_NONE, false, NULL},
};

static ploy_result inspector_sim_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                        void **out) {
    const inspector_sim_def *def = params;
    size_t size = sizeof(inspector_sim_state) + (size_t)(def->agents - 1) * sizeof(ploy_vec2);
    inspector_sim_state *state = ploy_env_alloc_zero(env, size);
    if (state == NULL) return PLOY_ERR_MEMORY;
    state->count = def->agents;
    for (int32_t i = 0; i < state->count; i++) {
        state->at[i].x = ploy_rng_range_at(key, (uint32_t)i, 0, 0, -10, 10);
        state->at[i].y = ploy_rng_range_at(key, (uint32_t)i, 0, 1, -10, 10);
    }
    *out = state;
    return PLOY_OK;
}

static void inspector_sim_inputs(inspector_sim_state *state, const ploy_sim_context *context) {
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (input->kind == PLOY_INPUT_RELOAD) {
            state->reloads++;
            (void)ploy_definition_text_set(&state->winds, input->bytes, input->size, context->env);
        }
        if (input->kind != PLOY_INPUT_COMMAND) continue;
        if (strcmp(input->name, "target") == 0) {
            state->target = ploy_vec2_make(input->value.as.vec[0], input->value.as.vec[1]);
        } else if (strcmp(input->name, "jump") == 0) {
            uint32_t index = input->agent.id.index;
            if (index < 1 || index > (uint32_t)state->count) continue;
            state->at[index - 1].y += 1;
            state->jumper = index;
            state->jumped_at = context->tick + 1;
        } else if (strcmp(input->name, "fail") == 0) {
            state->fail_next = true;
        }
    }
}

static ploy_result inspector_sim_step(void *self, const ploy_sim_context *context) {
    inspector_sim_state *state = self;
    const inspector_sim_def *def = context->params;
    inspector_sim_inputs(state, context);
    if (state->fail_next) return PLOY_ERR_CALLBACK;
    state->tick = context->tick + 1;
    state->pressed = def->scale >= 2;
    for (int32_t i = 0; i < state->count; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        // A salt above 1: a decision in every so many ticks.
        bool decides = def->salt < 2 || state->tick % def->salt == 0;
        ploy_trace *trace = decides ? context->trace : NULL;
        ploy_trace_begin(trace, agent, "move", "drift");
        float speed = def->mode == 1 ? 2 * def->speed : def->speed;
        float dx = ploy_rng_range_at(context->key, (uint32_t)i, context->tick + 1, 0, -1, 1);
        float dy = ploy_rng_range_at(context->key, (uint32_t)i, context->tick + 1, 1, -1, 1);
        dx += 0.1f * (state->target.x - state->at[i].x) + def->gust.strength * def->gust.along.x;
        dy += 0.1f * (state->target.y - state->at[i].y) + def->gust.strength * def->gust.along.y;
        state->at[i].x += speed * context->dt * dx;
        state->at[i].y += speed * context->dt * dy;
        bool still = def->gust.strength >= 10; // nothing is possible in such a storm
        ploy_trace_option(trace, def->mode == 1 ? "run" : "drift",
                          still ? PLOY_OUTCOME_REJECTED : PLOY_OUTCOME_WON, 1,
                          "nothing better to do");
        ploy_trace_option(trace, "sit", PLOY_OUTCOME_REJECTED, (double)NAN, "");
        ploy_trace_f32(trace, "speed", speed);
        ploy_trace_begin(trace, agent, "shout", "none");
        ploy_trace_note(trace, def->loud ? "It shouts." : "It keeps quiet.");
        ploy_trace_end(trace);
        ploy_trace_end(trace);
        if (def->scale > 0.75) continue; // small ones also decide what is never possible
        ploy_trace_begin(trace, agent, "fly", "drift");
        ploy_trace_option(trace, "up", PLOY_OUTCOME_REJECTED, 0, "it has no wings");
        ploy_trace_end(trace);
    }
    return PLOY_OK;
}

static void inspector_sim_draw(const void *self, ploy_draw *out) {
    const inspector_sim_state *state = self;
    ploy_draw_point(out, PLOY_LAYER_WORLD, PLOY_STYLE_TARGET, ploy_agent_id_none(), state->target);
    for (int32_t i = 0; i < state->count; i++) {
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, agent, state->at[i], 0.5f, 0.25f);
        ploy_draw_arrow(out, PLOY_LAYER_FORCES, PLOY_STYLE_VELOCITY, agent, state->at[i],
                        state->target);
        if (i == 0) ploy_draw_text(out, agent, state->at[i], "first");
    }
}

static void inspector_sim_describe(const void *self, ploy_describe *out) {
    const inspector_sim_state *state = self;
    ploy_describe_vec2(out, "target", PLOY_STATE, state->target.x, state->target.y);
    if (state->reloads > 0) ploy_describe_u64(out, "reloads", PLOY_STATE, state->reloads);
    ploy_describe_begin(out, "agents");
    for (int32_t i = 0; i < state->count; i++) {
        ploy_describe_begin_agent(out, "drifter", ploy_agent_id_make((uint32_t)i + 1, 1));
        ploy_describe_vec2(out, "at", PLOY_STATE, state->at[i].x, state->at[i].y);
        ploy_describe_i64(out, "number", PLOY_DERIVED, i);
        ploy_describe_text(out, "mood", PLOY_NOTE, "fine");
        bool jumps = state->jumper == (uint32_t)i + 1 && state->tick < state->jumped_at + 10;
        if (jumps) ploy_describe_text(out, "doing", PLOY_DERIVED, "jumping");
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    if (state->jumper == 0) return;
    // Tables of a scheduler and of a path service, whose rows belong to agents: their states are not those of agents.
    ploy_agent_id jumper = ploy_agent_id_make(state->jumper, 1),
                  manager = ploy_agent_id_make(99, 1);
    ploy_describe_begin(out, "turns");
    ploy_describe_begin_agent(out, "0:1", manager);
    ploy_describe_text(out, "state", PLOY_NOTE, "active");
    ploy_describe_begin(out, "self");
    ploy_describe_text(out, "state", PLOY_NOTE, "awake");
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_begin_agent(out, "0", jumper);
    ploy_describe_text(out, "state", PLOY_NOTE, "open");
    ploy_describe_end(out);
    // An agent that has no other group is one of a numbered array.
    ploy_describe_begin_agent(out, "1", ploy_agent_id_make(98, 1));
    if (state->tick < state->jumped_at + 10) {
        ploy_describe_text(out, "state", PLOY_NOTE, "watching");
    }
    ploy_describe_end(out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "events");
    ploy_describe_begin_item(out, 0);
    ploy_describe_u64(out, "tick", PLOY_NOTE, state->jumped_at);
    ploy_describe_text(out, "what", PLOY_NOTE, "a jump");
    ploy_describe_text(out, "who", PLOY_NOTE, "of a drifter");
    ploy_describe_id(out, "agent", PLOY_NOTE, ploy_id_make(state->jumper, 1));
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static bool inspector_sim_load(const void *self, ploy_workload *out) {
    const inspector_sim_state *state = self;
    if (state->tick == 0) return false;
    memset(out, 0, sizeof *out);
    out->tick = state->tick;
    out->units = 100;
    out->spent = state->pressed ? 100 : 30;
    out->due = state->count;
    out->put_off = state->pressed ? 1 : 0;
    out->ran = out->due - out->put_off;
    ployi_workload_add(out, "drift", ploy_agent_id_make(1, 1), 10);
    return true;
}

static const ploy_definition inspector_sim_definitions[] = {
    {"winds", "txt", "calm or storm, one to a line"},
};

static ploy_result inspector_sim_write(const void *self, int32_t definition, ploy_writer *out) {
    const inspector_sim_state *state = self;
    if (definition == 0 && state->winds.bytes == NULL) ploy_write_text(out, "calm");
    return ploy_definition_text_write(&state->winds, out);
}

// Every line that is neither is a fault.
static ploy_result inspector_sim_check(const void *self, int32_t definition, const void *bytes,
                                       size_t size, const ploy_env *env, ploy_diags *diags) {
    ploy_result result = PLOY_OK;
    int32_t line = 1;
    (void)self, (void)definition, (void)env;
    for (size_t at = 0; at < size; line++) {
        const char *text = (const char *)bytes + at, *end = memchr(text, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - text) : size - at;
        bool known = (length == 4 && memcmp(text, "calm", 4) == 0) ||
                     (length == 5 && memcmp(text, "storm", 5) == 0);
        if (!known) {
            result = PLOY_ERR_FORMAT;
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, result, "winds", line, 1, "no such wind",
                           "calm or storm", "storm");
        }
        at += length + 1;
    }
    return result;
}

static bool inspector_sim_part(int32_t definition, int32_t index, ploy_definition_part *out) {
    if (definition != 0 || index > 0) return false;
    out->name = "gust";
    out->help = "a wind that comes and goes";
    out->fields = inspector_sim_gust_table();
    return true;
}

static const ploy_sim_type inspector_sim_type = {
    .name = "drift",
    .title = "Drifting about",
    .help = "Agents that drift about.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 60.0f,
    .view = {-10, -10, 10, 10},
    .fields = inspector_sim_table,
    .commands = inspector_sim_commands,
    .command_count = 4,
    .create = inspector_sim_create,
    .destroy = NULL,
    .step = inspector_sim_step,
    .draw = inspector_sim_draw,
    .describe = inspector_sim_describe,
    .load = inspector_sim_load,
    .definitions = inspector_sim_definitions,
    .definition_count = 1,
    .write = inspector_sim_write,
    .check = inspector_sim_check,
    .part = inspector_sim_part,
};

static const ploy_sim_type *const inspector_sim_types[] = {&inspector_sim_type, NULL};
