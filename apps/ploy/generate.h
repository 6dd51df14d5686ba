// Shared by the files of `ploy generate`.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/generate/generator.h"
#include "ploy/generate/recipe.h"

// What is generated: one generator, with input where it needs some, or the stages of a recipe.
typedef struct generate_subject {
    const ploy_generator_type *type; // NULL: the recipe
    const void *def;
    const ploy_recipe *recipe;
    ploy_generator inputs[PLOY_CONTENT_KINDS];
    int32_t input_count;
    ploy_generator generator;
    ploy_recipe_run *run;
} generate_subject;

// Generates with a seed, to the end. A generator that takes content gets it from the first one that
// makes it from nothing. Free with generate_end in every case.
// @param bar  shows progress on a terminal.
ploy_result generate_run(generate_subject *subject, uint64_t seed, ploy_trace *trace, bool bar,
                         const ploy_env *env);
void generate_end(generate_subject *subject);

const char *generate_name(const generate_subject *subject);
ploy_generate_outcome generate_outcome(const generate_subject *subject);
ploy_content generate_content(const generate_subject *subject);
void generate_describe(const generate_subject *subject, ploy_describe *out);
void generate_draw(const generate_subject *subject, ploy_draw *out);
uint64_t generate_hash(const generate_subject *subject);

// Each writes a file and returns -1, or says why not and returns the exit status.
int generate_write_map(const generate_subject *subject, const char *path, const ploy_env *env);
int generate_write_tmx(const generate_subject *subject, const char *path, const ploy_env *env);
int generate_write_obj(const generate_subject *subject, const char *path, const ploy_env *env);

// `--batch N`: statistics over N seeds from the first on. Returns the exit status.
int generate_batch(generate_subject *subject, uint64_t first, int64_t count, bool json,
                   const ploy_env *env);
