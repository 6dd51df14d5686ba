// One run of a generator or a recipe, as `ploy generate` needs it.
#include <string.h>

#include "apps/ploy/generate.h"

// The first generator of a kind; one without input before one that needs some of another kind.
static const ploy_generator_type *generate_maker(const ploy_generator_type *except, uint32_t kind) {
    const ploy_generator_type *second = NULL;
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        const ploy_generator_type *type = ploy_generators_at(i);
        if (type == except || (type->makes & kind) == 0 || (type->takes & kind) != 0) continue;
        if (type->takes == 0) return type;
        if (second == NULL) second = type;
    }
    return second;
}

// Makes what a type needs, with default settings: `input` has these kinds then.
static ploy_result generate_inputs(generate_subject *subject, const ploy_generator_type *type,
                                   ploy_rng_key key, ploy_content *input, const ploy_env *env) {
    for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
        if ((type->takes & ~input->kinds & kind) == 0) continue;
        const ploy_generator_type *maker = generate_maker(type, kind);
        if (maker == NULL || subject->input_count == PLOY_CONTENT_KINDS) return PLOY_ERR_NOT_FOUND;
        ploy_result result = PLOY_OK;
        // One level deep: nothing needs what needs a third.
        if (type == subject->type) result = generate_inputs(subject, maker, key, input, env);
        if (result != PLOY_OK) return result;
        ploy_generator *part = &subject->inputs[subject->input_count];
        result = ploy_generator_run(maker, NULL, key, input, NULL, env, part);
        if (result != PLOY_OK) return result;
        subject->input_count++;
        ploy_content made = ploy_generator_content(*part);
        *input = ploy_content_merge(input, &made);
    }
    return PLOY_OK;
}

static ploy_result generate_slice(void *self, ploy_budget *budget) {
    generate_subject *subject = self;
    return subject->run != NULL ? ploy_recipe_run_step(subject->run, budget)
                                : ploy_generator_step(subject->generator, budget);
}

static uint64_t generate_stages(const void *self) {
    return (uint64_t)ploy_recipe_run_count(((const generate_subject *)self)->run);
}

ploy_result generate_run(generate_subject *subject, uint64_t seed, ploy_trace *trace, bool bar,
                         const ploy_env *env) {
    ploy_rng_key key = ploy_rng_key_make(seed);
    if (subject->type == NULL) {
        ploy_result result = ploy_recipe_run_create(env, &subject->run);
        if (result != PLOY_OK) return result;
        ploy_recipe_run_begin(subject->run, subject->recipe, key, trace);
        cli_work work = {generate_slice, subject, generate_stages,
                         (uint64_t)ploy_recipe_count(subject->recipe)};
        return cli_work_run("generating", &work, bar);
    }
    ploy_content input = ploy_content_none();
    ploy_result result = generate_inputs(subject, subject->type, key, &input, env);
    if (result != PLOY_OK) return result;
    result = ploy_generator_begin(subject->type, subject->def, key, &input, trace, env,
                                  &subject->generator);
    if (result != PLOY_OK) return result;
    cli_work work = {generate_slice, subject, NULL,
                     (uint64_t)ploy_generator_outcome(subject->generator).total};
    result = cli_work_run("generating", &work, bar);
    if (result == PLOY_OK) return result;
    ploy_generator_cancel(subject->generator);
    subject->generator.type = NULL;
    subject->generator.self = NULL;
    return result;
}

void generate_end(generate_subject *subject) {
    ploy_generator none = {NULL, NULL};
    ploy_generator_cancel(subject->generator);
    subject->generator = none;
    while (subject->input_count > 0) ploy_generator_cancel(subject->inputs[--subject->input_count]);
    ploy_recipe_run_destroy(subject->run);
    subject->run = NULL;
}

const char *generate_name(const generate_subject *subject) {
    return subject->type != NULL ? subject->type->name : "recipe";
}

ploy_generate_outcome generate_outcome(const generate_subject *subject) {
    return subject->run != NULL ? ploy_recipe_run_outcome(subject->run)
                                : ploy_generator_outcome(subject->generator);
}

ploy_content generate_content(const generate_subject *subject) {
    return subject->run != NULL ? ploy_recipe_run_content(subject->run, -1)
                                : ploy_generator_content(subject->generator);
}

void generate_describe(const generate_subject *subject, ploy_describe *out) {
    if (subject->run != NULL) {
        ploy_recipe_run_describe(subject->run, out);
    } else {
        ploy_generator_describe(subject->generator, out);
    }
}

void generate_draw(const generate_subject *subject, ploy_draw *out) {
    if (subject->run != NULL) {
        ploy_recipe_run_draw(subject->run, -1, out);
    } else {
        ploy_generator_draw(subject->generator, out);
    }
}

uint64_t generate_hash(const generate_subject *subject) {
    if (subject->run == NULL) return ploy_generator_hash(subject->generator);
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_recipe_run_describe(subject->run, &out);
    return ploy_hash_sink_result(&sink);
}
