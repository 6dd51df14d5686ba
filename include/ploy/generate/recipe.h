/// @file ploy/generate/recipe.h
/// Recipes: generators and modifiers in sequence, each reading the content of the earlier ones.
///
///     [
///       { "generator": "scatter", "set": { "radius_min": 3, "radius_max": 5, "max_points": 12 } },
///       { "generator": "scatter", "seed": 7, "set": { "radius_min": 0.5, "radius_max": 0.5 } }
///     ]
///
/// A stage has a generator by name, settings that differ from the defaults, and a seed below the
/// recipe's key. Without one, stages of the same generator are numbered from 0, so that a new stage
/// of another kind changes none of the others. A stage reads the latest content of each kind.
///
/// A run keeps the generators of all stages: any stage can be inspected, and when the recipe is
/// edited, the stages before the first change are kept. Technique: Millington, "AI for Games",
/// 8.3.1 (modifiers in any order), as data.
///
/// Units of budget are those of the stages. Threads: one caller.
#pragma once

#include "ploy/base/json.h"
#include "ploy/generate/generator.h"

/// The stages, without results. Opaque.
typedef struct ploy_recipe ploy_recipe;

/// Maximum number of stages.
#define PLOY_RECIPE_STAGES 64

/// Reads a recipe from JSON; comments and trailing commas are allowed. All faults are reported with
/// their position: unknown generators and settings with the nearest name, values out of range, and
/// stages whose input no earlier stage makes.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT, PLOY_ERR_MEMORY, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_recipe_load(const void *bytes, size_t size, const char *name,
                                      const ploy_env *env, ploy_diags *diags, ploy_recipe **out);
/// NULL is allowed.
PLOY_API void ploy_recipe_destroy(ploy_recipe *recipe);
/// Writes the recipe as one JSON array, with every setting.
PLOY_API void ploy_recipe_save(const ploy_recipe *recipe, ploy_json_writer *json);

PLOY_API int32_t ploy_recipe_count(const ploy_recipe *recipe);
/// Generator and settings of a stage; NULL out of range. The settings may be changed through the
/// field table of the generator (ploy_fields_set); the next begin uses the change.
PLOY_API const ploy_generator_type *ploy_recipe_type_at(const ploy_recipe *recipe, int32_t stage);
PLOY_API void *ploy_recipe_def_at(ploy_recipe *recipe, int32_t stage);
/// The key of a stage, below the recipe's.
PLOY_API ploy_rng_key ploy_recipe_key_at(const ploy_recipe *recipe, ploy_rng_key key,
                                         int32_t stage);

/// Results of the stages. Opaque.
typedef struct ploy_recipe_run ploy_recipe_run;

/// An empty run. @return PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_recipe_run_create(const ploy_env *env, ploy_recipe_run **out);
/// NULL is allowed.
PLOY_API void ploy_recipe_run_destroy(ploy_recipe_run *run);

/// Starts a recipe, or continues with an edited one: finished stages that are unchanged, and have
/// only unchanged stages before them, are kept. The recipe is read here and by steps, and must stay
/// valid until the run has ended. @param trace  receives the choices of new stages; may be NULL.
PLOY_API void ploy_recipe_run_begin(ploy_recipe_run *run, const ploy_recipe *recipe,
                                    ploy_rng_key key, ploy_trace *trace);
/// Continues until all stages are done (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS).
/// @return an error of a stage, which ends the run; the stages before it stay.
PLOY_API ploy_result ploy_recipe_run_step(ploy_recipe_run *run, ploy_budget *budget);
/// Partial if a stage is; counts and units are sums over the stages.
PLOY_API ploy_generate_outcome ploy_recipe_run_outcome(const ploy_recipe_run *run);
/// Stages begun so far, and how many of them the last begin kept.
PLOY_API int32_t ploy_recipe_run_count(const ploy_recipe_run *run);
PLOY_API int32_t ploy_recipe_run_kept(const ploy_recipe_run *run);
/// The generator of a stage: its preview. None if it has not begun.
PLOY_API ploy_generator ploy_recipe_run_at(const ploy_recipe_run *run, int32_t stage);
/// The latest content of each kind after a stage; -1: after the last one that has begun.
PLOY_API ploy_content ploy_recipe_run_content(const ploy_recipe_run *run, int32_t stage);

/// Describes every stage.
PLOY_API void ploy_recipe_run_describe(const ploy_recipe_run *run, ploy_describe *out);
/// Draws the content after a stage (-1: after the last one that has begun): all stages whose
/// content no later one replaced.
PLOY_API void ploy_recipe_run_draw(const ploy_recipe_run *run, int32_t stage, ploy_draw *out);
PLOY_API void ploy_recipe_run_memory(const ploy_recipe_run *run, ploy_memory_fn fn, void *user);
