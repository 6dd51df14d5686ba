// A small simulation for tests, with one of everything that can go wrong in a rewind: lists that
// allocate and free in the region all the time, a random stream and keyed draws, fixed and live
// parameters, every kind of input, decisions that can be traced, and memory that changes each tick.
//
// Everything is static, so that several tests, and a fuzz target, can include it.
#pragma once

#include <stddef.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/exec/sim.h"

typedef struct toy_def {
    uint32_t cookie;
    int32_t agents;
    int32_t ballast_kib;
    float speed;
    int32_t mode;
    ploy_vec2 home;
    bool noisy;
} toy_def;

static const char *const toy_modes[] = {"wander", "gather", "rest"};

static const ploy_field toy_field_table[] = {
    PLOY_FIELD_I32_FIXED(toy_def, agents, 5, 1, 64, "", "agents at the beginning"),
    PLOY_FIELD_I32_FIXED(toy_def, ballast_kib, 0, 0, 4096, "KiB", "memory that changes each tick"),
    PLOY_FIELD_F32(toy_def, speed, 2, 0, 100, "m/s", "how fast they go"),
    PLOY_FIELD_ENUM(toy_def, mode, 0, toy_modes, "what they do"),
    PLOY_FIELD_VEC2(toy_def, home, 3, -1, -1000, 1000, "m", "where they gather"),
    PLOY_FIELD_BOOL(toy_def, noisy, true, "leave a trail of random length"),
};

static inline ploy_fields toy_fields(void) {
    return PLOY_FIELDS(toy_def, toy_field_table);
}

typedef struct toy_crumb {
    struct toy_crumb *next;
    uint64_t size; // of this block
    float x, y;
} toy_crumb;

typedef struct toy_agent {
    ploy_agent_id id;
    float x, y;
    float heading; // rad
    int32_t crumb_count;
    toy_crumb *crumbs; // newest first
} toy_agent;

typedef struct toy_state {
    ploy_env env;
    toy_agent *agents;
    int32_t count, capacity;
    uint32_t generation;
    uint32_t reserved;
    ploy_rng rng;
    uint64_t units, reloaded, said;
    unsigned char *ballast;
    uint64_t ballast_size;
} toy_state;

static inline ploy_result toy_spawn(toy_state *toy) {
    if (toy->count == toy->capacity) {
        int32_t capacity = toy->capacity == 0 ? 2 : toy->capacity * 2;
        void *grown =
            ploy_env_resize(&toy->env, toy->agents, (size_t)toy->capacity * sizeof(toy_agent),
                            (size_t)capacity * sizeof(toy_agent));
        if (grown == NULL) return PLOY_ERR_MEMORY;
        toy->agents = grown;
        toy->capacity = capacity;
    }
    toy_agent *agent = &toy->agents[toy->count];
    memset(agent, 0, sizeof *agent);
    agent->id = ploy_agent_id_make((uint32_t)toy->count, ++toy->generation);
    agent->x = ploy_rng_range(&toy->rng, -5.0f, 5.0f);
    agent->y = ploy_rng_range(&toy->rng, -5.0f, 5.0f);
    toy->count++;
    return PLOY_OK;
}

static inline ploy_result toy_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                     void **out) {
    const toy_def *def = params;
    toy_state *toy = ploy_env_alloc_zero(env, sizeof *toy);
    if (toy == NULL) return PLOY_ERR_MEMORY;
    toy->env = *env;
    toy->rng = ploy_rng_from_key(key, 0);
    toy->ballast_size = (uint64_t)def->ballast_kib << 10;
    if (toy->ballast_size > 0) {
        toy->ballast = ploy_env_alloc_zero(env, (size_t)toy->ballast_size);
        if (toy->ballast == NULL) return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < def->agents; i++) {
        ploy_result result = toy_spawn(toy);
        if (result != PLOY_OK) return result;
    }
    *out = toy;
    return PLOY_OK;
}

static inline ploy_result toy_take(toy_state *toy, const ploy_input *input) {
    if (input->kind == PLOY_INPUT_UNITS) toy->units += input->value.as.u64;
    if (input->kind == PLOY_INPUT_RELOAD) {
        toy->reloaded = ploy_hash_bytes(input->bytes, input->size, toy->reloaded);
    }
    if (input->kind != PLOY_INPUT_COMMAND) return PLOY_OK;
    if (strcmp(input->name, "spawn") == 0) return toy->count < 64 ? toy_spawn(toy) : PLOY_OK;
    if (strcmp(input->name, "say") == 0) toy->said = ploy_hash_text(input->value.as.text);
    if (strcmp(input->name, "push") == 0) {
        for (int32_t i = 0; i < toy->count; i++) {
            if (!ploy_id_equal(toy->agents[i].id.id, input->agent.id)) continue;
            toy->agents[i].x += input->value.as.vec[0];
            toy->agents[i].y += input->value.as.vec[1];
        }
    }
    if (strcmp(input->name, "fail") == 0) {
        toy->units = 12345; // half a step: what a failure must not leave behind
        return PLOY_ERR_CALLBACK;
    }
    return PLOY_OK;
}

// Adds a crumb and drops the oldest past a random number of them.
static inline ploy_result toy_drop_crumb(toy_state *toy, toy_agent *agent) {
    uint64_t size = sizeof(toy_crumb) + ploy_rng_below(&toy->rng, 200);
    toy_crumb *crumb = ploy_env_alloc_zero(&toy->env, (size_t)size);
    if (crumb == NULL) return PLOY_ERR_MEMORY;
    crumb->next = agent->crumbs;
    crumb->size = size;
    crumb->x = agent->x;
    crumb->y = agent->y;
    agent->crumbs = crumb;
    agent->crumb_count++;
    int32_t most = 3 + ploy_rng_int(&toy->rng, 0, 9);
    while (agent->crumb_count > most) {
        toy_crumb **last = &agent->crumbs;
        while ((*last)->next != NULL) last = &(*last)->next;
        ploy_env_free(&toy->env, *last, (size_t)(*last)->size);
        *last = NULL;
        agent->crumb_count--;
    }
    return PLOY_OK;
}

static inline void toy_decide(const toy_def *def, const toy_agent *agent, ploy_trace *trace) {
    if (trace == NULL) return;
    ploy_trace_begin(trace, agent->id, "move", "toy");
    for (int32_t i = 0; i < 3; i++) {
        ploy_trace_option(trace, toy_modes[i],
                          i == def->mode ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          i == def->mode ? 1.0 : 0.0, "the parameter 'mode' says so");
    }
    ploy_trace_vec2(trace, "position", agent->x, agent->y);
    ploy_trace_end(trace);
}

static inline ploy_result toy_step(void *state, const ploy_sim_context *context) {
    toy_state *toy = state;
    const toy_def *def = context->params;
    for (int32_t i = 0; i < context->input_count; i++) {
        ploy_result result = toy_take(toy, &context->inputs[i]);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < toy->count; i++) {
        toy_agent *agent = &toy->agents[i];
        toy_decide(def, agent, context->trace);
        float way = def->speed * context->dt;
        float turn = ploy_rng_binomial_at(context->key, agent->id.id.index, context->tick, 0);
        agent->heading = agent->heading + turn;
        if (def->mode == 0) {
            float s = 0.0f, c = 0.0f;
            ploy_sincosf(agent->heading, &s, &c);
            agent->x += way * c;
            agent->y += way * s;
        } else if (def->mode == 1) {
            agent->x += (def->home.x - agent->x) * way * 0.1f;
            agent->y += (def->home.y - agent->y) * way * 0.1f;
        }
        if (def->noisy) {
            ploy_result result = toy_drop_crumb(toy, agent);
            if (result != PLOY_OK) return result;
        }
    }
    for (uint64_t i = 0; i < toy->ballast_size; i += 64) {
        toy->ballast[i] = (unsigned char)(toy->ballast[i] + i / 64 + context->tick + 1);
    }
    return PLOY_OK;
}

static inline void toy_draw(const void *state, ploy_draw *out) {
    const toy_state *toy = state;
    for (int32_t i = 0; i < toy->count; i++) {
        const toy_agent *agent = &toy->agents[i];
        ploy_draw_agent(out, PLOY_STYLE_AGENT_A, agent->id, ploy_vec2_make(agent->x, agent->y),
                        agent->heading, 0.5f);
    }
}

static inline void toy_describe(const void *state, ploy_describe *out) {
    const toy_state *toy = state;
    ploy_describe_i64(out, "count", PLOY_STATE, toy->count);
    ploy_describe_u64(out, "units", PLOY_STATE, toy->units);
    ploy_describe_u64(out, "reloaded", PLOY_STATE, toy->reloaded);
    ploy_describe_u64(out, "said", PLOY_STATE, toy->said);
    ploy_describe_u64(out, "draws", PLOY_STATE, toy->rng.counter);
    ploy_describe_u64(out, "ballast", PLOY_STATE,
                      ploy_hash_bytes(toy->ballast, (size_t)toy->ballast_size, 0));
    for (int32_t i = 0; i < toy->count; i++) {
        const toy_agent *agent = &toy->agents[i];
        ploy_describe_begin_agent(out, "agent", agent->id);
        ploy_describe_vec2(out, "position", PLOY_STATE, agent->x, agent->y);
        ploy_describe_f32(out, "heading", PLOY_STATE, agent->heading);
        ploy_describe_i64(out, "crumbs", PLOY_STATE, agent->crumb_count);
        for (const toy_crumb *crumb = agent->crumbs; crumb != NULL; crumb = crumb->next) {
            ploy_describe_vec2(out, "crumb", PLOY_STATE, crumb->x, crumb->y);
        }
        ploy_describe_end(out);
    }
}

static const ploy_command toy_commands[] = {
    {"spawn", "one agent more", PLOY_VALUE_NONE, false, "n"},
    {"push", "moves an agent", PLOY_VALUE_VEC2, true, NULL},
    {"say", "remembers a text", PLOY_VALUE_TEXT, false, NULL},
    {"fail", "makes the step fail halfway", PLOY_VALUE_NONE, false, NULL},
};

static const ploy_sim_type toy_sim = {
    .name = "toy",
    .title = "Toy",
    .help = "Agents that wander about and drop crumbs.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_RELOADS,
    .dt = 1.0f / 32.0f,
    .view = {-10, -10, 10, 10},
    .fields = toy_fields,
    .commands = toy_commands,
    .command_count = 4,
    .create = toy_create,
    .step = toy_step,
    .draw = toy_draw,
    .describe = toy_describe,
};

static inline ploy_input toy_input(ploy_input_kind kind, const char *name, ploy_value value) {
    ploy_input input;
    memset(&input, 0, sizeof input);
    input.kind = kind;
    input.name = name;
    input.value = value;
    return input;
}

static inline ploy_value toy_random_vec2(ploy_rng *rng, float size) {
    // One after the other: compilers evaluate a call's arguments in different orders.
    float x = ploy_rng_range(rng, -size, size);
    float y = ploy_rng_range(rng, -size, size);
    return ploy_value_vec2(x, y);
}

// A random input that the toy takes: what a player would do now and then.
static inline ploy_input toy_random_input(ploy_rng *rng) {
    switch (ploy_rng_int(rng, 0, 8)) {
    case 0:
        return toy_input(PLOY_INPUT_PARAMETER, "speed",
                         ploy_value_f32(ploy_rng_range(rng, 0.0f, 9.0f)));
    case 1:
        return toy_input(PLOY_INPUT_PARAMETER, "mode",
                         ploy_value_text(toy_modes[ploy_rng_below(rng, 3)]));
    case 2: return toy_input(PLOY_INPUT_PARAMETER, "home", toy_random_vec2(rng, 9.0f));
    case 3:
        return toy_input(PLOY_INPUT_PARAMETER, "noisy",
                         ploy_value_bool(ploy_rng_chance(rng, 0.5f)));
    case 4: return toy_input(PLOY_INPUT_COMMAND, "spawn", ploy_value_none());
    case 5: {
        ploy_input push = toy_input(PLOY_INPUT_COMMAND, "push", toy_random_vec2(rng, 1.0f));
        uint32_t index = (uint32_t)ploy_rng_below(rng, 5);
        push.agent = ploy_agent_id_make(index, index + 1);
        return push;
    }
    case 6:
        return toy_input(PLOY_INPUT_COMMAND, "say",
                         ploy_value_text(ploy_rng_chance(rng, 0.5f) ? "ho\"\n\xC3\xA4" : ""));
    case 7:
        return toy_input(PLOY_INPUT_UNITS, "planner", ploy_value_u64(ploy_rng_below(rng, 1000)));
    default: {
        static const char bytes[] = "a\0b\xFF definition";
        ploy_input reload = toy_input(PLOY_INPUT_RELOAD, "tree", ploy_value_none());
        reload.bytes = bytes;
        reload.size = (size_t)ploy_rng_below(rng, sizeof bytes);
        return reload;
    }
    }
}
