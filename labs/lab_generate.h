// Labs that watch a generator at work: it goes on by a few units a tick, is shown for a while when it is
// done, and begins again with the next key. A changed setting begins it again with the same key.
#pragma once

#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "ploy/generate/generator.h"

enum { LAB_GENERATE_DEF_MAX = 512 };

// The settings that all of them begin with; the generator's own follow.
typedef struct lab_generate_def {
    uint32_t cookie;
    int32_t units; // of budget a tick
    int32_t hold;  // ticks that a result is shown
} lab_generate_def;

typedef struct lab_generate {
    ploy_env env;
    const ploy_generator_type *type;
    size_t def_size;
    unsigned char def[LAB_GENERATE_DEF_MAX]; // as begun
    ploy_generator generator;
    ploy_rng_key key;
    int32_t level, held;
} lab_generate;

static inline ploy_result lab_generate_restart(lab_generate *lab, const void *def) {
    ploy_generator_cancel(lab->generator);
    memset(&lab->generator, 0, sizeof lab->generator);
    memcpy(lab->def, def, lab->def_size);
    lab->held = 0;
    return ploy_generator_begin(lab->type, lab->def,
                                ploy_rng_key_split(lab->key, (uint64_t)lab->level), NULL, NULL,
                                &lab->env, &lab->generator);
}

static inline ploy_result lab_generate_create(const ploy_generator_type *type, const void *def,
                                              ploy_rng_key key, const ploy_env *env, void **out) {
    lab_generate *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region goes, and all that is in it
    lab->env = *env;
    lab->type = type;
    lab->def_size = type->fields().size;
    lab->key = key;
    ploy_result result = lab_generate_restart(lab, def);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static inline ploy_result lab_generate_step(lab_generate *lab, const lab_generate_def *settings,
                                            const void *def, const ploy_sim_context *context) {
    bool next = lab->held > settings->hold;
    for (int32_t i = 0; i < context->input_count; i++) {
        next |= lab_input_is(&context->inputs[i], "next");
    }
    if (next || memcmp(lab->def, def, lab->def_size) != 0) {
        lab->level += next;
        ploy_result result = lab_generate_restart(lab, def);
        if (result != PLOY_OK) return result;
    }
    ploy_budget budget = ploy_budget_units(settings->units);
    ploy_result result = ploy_generator_step(lab->generator, &budget);
    if (result == PLOY_OK) lab->held++;
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

// The content, and below it what came of it so far.
static inline void lab_generate_draw(const lab_generate *lab, const char *things, ploy_vec2 at,
                                     ploy_draw *out) {
    ploy_generator_draw(lab->generator, out);
    ploy_generate_outcome outcome = ploy_generator_outcome(lab->generator);
    char text[160];
    snprintf(text, sizeof text, "level %d: %d %s, %d tries, %d rejected, %d units%s%s",
             (int)lab->level, (int)outcome.count, things, (int)outcome.attempts,
             (int)outcome.rejected, (int)outcome.units, outcome.partial ? ", limit " : "",
             outcome.limit);
    ploy_draw_text(out, ploy_agent_id_none(), at, text);
}

static inline void lab_generate_describe(const lab_generate *lab, ploy_describe *out) {
    ploy_describe_i64(out, "level", PLOY_STATE, lab->level);
    ploy_describe_i64(out, "held", PLOY_STATE, lab->held);
    ploy_describe_begin(out, "generator");
    ploy_generator_describe(lab->generator, out);
    ploy_describe_end(out);
}

// Defines a lab that has no settings beyond those of its generator. X is the generator.
#define LAB_GENERATE(X, generator, lab_title, lab_help, things, default_units, x0, y0, x1, y1)   \
    typedef struct X##_lab_def {                                                                 \
        lab_generate_def watch;                                                                  \
        ploy_##X##_def X;                                                                        \
    } X##_lab_def;                                                                               \
    static const ploy_field X##_lab_fields[] = {                                                 \
        {"units",                                                                                \
         PLOY_FIELD_TYPE_I32,                                                                    \
         true,                                                                                   \
         (uint32_t)(offsetof(X##_lab_def, watch) + offsetof(lab_generate_def, units)),           \
         {default_units, 0, 0},                                                                  \
         1,                                                                                      \
         10000,                                                                                  \
         "",                                                                                     \
         "units of budget a tick",                                                               \
         NULL,                                                                                   \
         0,                                                                                      \
         NULL},                                                                                  \
        {"hold",                                                                                 \
         PLOY_FIELD_TYPE_I32,                                                                    \
         true,                                                                                   \
         (uint32_t)(offsetof(X##_lab_def, watch) + offsetof(lab_generate_def, hold)),            \
         {120, 0, 0},                                                                            \
         0,                                                                                      \
         100000,                                                                                 \
         "",                                                                                     \
         "ticks that a result is shown",                                                         \
         NULL,                                                                                   \
         0,                                                                                      \
         NULL},                                                                                  \
        PLOY_FIELD_DEF(X##_lab_def, X, ploy_##X##_fields, "settings of the generator"),          \
    };                                                                                           \
    static ploy_fields X##_lab_get_fields(void) {                                                \
        return PLOY_FIELDS(X##_lab_def, X##_lab_fields);                                         \
    }                                                                                            \
    static ploy_result X##_lab_create(const void *params, ploy_rng_key key, const ploy_env *env, \
                                      void **out) {                                              \
        const X##_lab_def *def = params;                                                         \
        return lab_generate_create(generator(), &def->X, key, env, out);                         \
    }                                                                                            \
    static ploy_result X##_lab_step(void *state, const ploy_sim_context *context) {              \
        const X##_lab_def *def = context->params;                                                \
        return lab_generate_step(state, &def->watch, &def->X, context);                          \
    }                                                                                            \
    static void X##_lab_draw(const void *state, ploy_draw *out) {                                \
        lab_generate_draw(state, things, ploy_vec2_make(x0 + 1.0f, y0 + 1.0f), out);             \
    }                                                                                            \
    static void X##_lab_describe(const void *state, ploy_describe *out) {                        \
        lab_generate_describe(state, out);                                                       \
    }                                                                                            \
    static const ploy_command X##_lab_commands[] = {                                             \
        {"next", "begin the next level", PLOY_VALUE_NONE, false, "n"},                           \
    };                                                                                           \
    extern const ploy_sim_type ploy_lab_##X; /* in labs.c */                                     \
    const ploy_sim_type ploy_lab_##X = {                                                         \
        .name = #X,                                                                              \
        .title = lab_title,                                                                      \
        .help = lab_help,                                                                        \
        .version = 1,                                                                            \
        .capabilities = PLOY_SIM_INTERACTIVE,                                                    \
        .dt = 1.0f / 60.0f,                                                                      \
        .view = {x0, y0, x1, y1},                                                                \
        .fields = X##_lab_get_fields,                                                            \
        .commands = X##_lab_commands,                                                            \
        .command_count = 1,                                                                      \
        .create = X##_lab_create,                                                                \
        .destroy = NULL, /* the region goes with the simulation */                               \
        .step = X##_lab_step,                                                                    \
        .draw = X##_lab_draw,                                                                    \
        .describe = X##_lab_describe,                                                            \
    };
