// Recipes: reading, writing and running stages; see the header.
//
// Invariants of a run:
//   (1) generators [0, count) have begun, all but the last one are done;
//   (2) prints[i] is the hash of all that stage i depends on: its generator, settings and key, and
//       prints[i - 1]. Equal prints mean equal content.
#include "ploy/generate/recipe.h"

#include "ploy/base/fields_json.h"
#include "ploy/base/hash.h"
#include "ploy/base/name.h"

#include <stdio.h>
#include <string.h>

typedef struct recipe_stage {
    const ploy_generator_type *type;
    void *def; // type->fields().size bytes
    uint64_t seed;
} recipe_stage;

struct ploy_recipe {
    ploy_env env;
    int32_t count;
    recipe_stage stages[PLOY_RECIPE_STAGES];
};

void ploy_recipe_destroy(ploy_recipe *recipe) {
    if (recipe == NULL) return;
    ploy_env env = recipe->env;
    for (int32_t i = 0; i < recipe->count; i++) {
        recipe_stage *stage = &recipe->stages[i];
        ploy_env_free(&env, stage->def, stage->type->fields().size);
    }
    ploy_env_free(&env, recipe, sizeof *recipe);
}

// ---- reading

typedef struct recipe_reader {
    ploy_recipe *recipe;
    const ploy_json *doc;
    ploy_diags *diags;
    ploy_result result; // the first fault
    uint32_t made;      // kinds that the stages so far make
} recipe_reader;

static void recipe_fault(recipe_reader *reader, ploy_json_node node, const char *message,
                         const char *expected, const char *nearest) {
    ploy_json_fault(reader->doc, node, reader->diags, message, expected, nearest);
    reader->result = PLOY_ERR_FORMAT;
}

static const ploy_generator_type *recipe_read_type(recipe_reader *reader, ploy_json_node stage) {
    ploy_json_node node = ploy_json_member(reader->doc, stage, "generator");
    if (ploy_json_type_of(reader->doc, node) != PLOY_JSON_TEXT) {
        recipe_fault(reader, ploy_json_is_none(node) ? stage : node, "a stage needs a generator",
                     "\"generator\": a name as text", NULL);
        return NULL;
    }
    const char *name = ploy_json_text(reader->doc, node, NULL);
    const ploy_generator_type *type = ploy_generators_find(name);
    if (type != NULL) return type;
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; ploy_generators_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_generators_at(i)->name);
    }
    char message[PLOY_DIAG_TEXT_MAX];
    snprintf(message, sizeof message, "unknown generator '%s'", name);
    recipe_fault(reader, node, message, NULL, nearest.best);
    return NULL;
}

// Stages of the same generator that have no seed are told apart by their number.
static uint64_t recipe_next_seed(const ploy_recipe *recipe, const ploy_generator_type *type) {
    uint64_t seed = 0;
    for (int32_t i = 0; i < recipe->count; i++) seed += recipe->stages[i].type == type;
    return seed;
}

static void recipe_check_input(recipe_reader *reader, ploy_json_node node,
                               const ploy_generator_type *type) {
    for (uint32_t kind = 1; kind < 1u << PLOY_CONTENT_KINDS; kind <<= 1) {
        if ((type->takes & kind & ~reader->made) == 0) continue;
        char message[PLOY_DIAG_TEXT_MAX];
        snprintf(message, sizeof message, "'%s' needs '%s', which no stage before it makes",
                 type->name, ploy_content_kind_text((ploy_content_kind)kind));
        recipe_fault(reader, node, message, NULL, NULL);
    }
    reader->made |= type->makes;
}

static void recipe_read_stage(recipe_reader *reader, ploy_json_node node) {
    static const char *const keys[] = {"generator", "seed", "set"};
    const ploy_json *doc = reader->doc;
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT) {
        recipe_fault(reader, node, "a stage is not an object", "{\"generator\": ...}", NULL);
        return;
    }
    if (ploy_json_check_keys(doc, node, keys, 3, reader->diags) > 0) {
        reader->result = PLOY_ERR_FORMAT;
    }
    const ploy_generator_type *type = recipe_read_type(reader, node);
    if (type == NULL) return;
    recipe_check_input(reader, node, type);
    recipe_stage stage = {type, NULL, recipe_next_seed(reader->recipe, type)};
    ploy_json_node seed = ploy_json_member(doc, node, "seed");
    if (!ploy_json_is_none(seed) && ploy_json_u64(doc, seed, &stage.seed) != PLOY_OK) {
        recipe_fault(reader, seed, "invalid seed", "a whole number from 0 on", NULL);
    }
    stage.def = ploy_env_alloc(&reader->recipe->env, type->fields().size);
    if (stage.def == NULL) {
        reader->result = PLOY_ERR_MEMORY;
        return;
    }
    ploy_fields_default(type->fields(), stage.def);
    reader->recipe->stages[reader->recipe->count++] = stage;
    ploy_json_node set = ploy_json_member(doc, node, "set");
    if (!ploy_json_is_none(set) &&
        ploy_fields_load_json(type->fields(), stage.def, doc, set, reader->diags) != PLOY_OK) {
        reader->result = PLOY_ERR_FORMAT;
    }
}

static ploy_result recipe_read(ploy_recipe *recipe, const ploy_json *doc, ploy_diags *diags) {
    recipe_reader reader = {recipe, doc, diags, PLOY_OK, 0};
    ploy_json_node root = ploy_json_root(doc);
    if (ploy_json_type_of(doc, root) != PLOY_JSON_ARRAY || ploy_json_count(doc, root) == 0) {
        recipe_fault(&reader, root, "a recipe has no stages", "an array of stages", NULL);
        return reader.result;
    }
    if (ploy_json_count(doc, root) > PLOY_RECIPE_STAGES) {
        recipe_fault(&reader, root, "too many stages", "at most 64", NULL);
        return PLOY_ERR_LIMIT;
    }
    for (int32_t i = 0; i < ploy_json_count(doc, root) && reader.result != PLOY_ERR_MEMORY; i++) {
        recipe_read_stage(&reader, ploy_json_at(doc, root, i));
    }
    return reader.result;
}

ploy_result ploy_recipe_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                             ploy_diags *diags, ploy_recipe **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_json_def relaxed = ploy_json_def_default();
    relaxed.relaxed = true;
    ploy_json *doc = NULL;
    ploy_result result = ploy_json_load(bytes, size, name, &relaxed, env, diags, &doc);
    if (result != PLOY_OK) return result;
    ploy_recipe *recipe = ploy_env_alloc_zero(env, sizeof *recipe);
    if (recipe != NULL) {
        recipe->env = *env;
        result = recipe_read(recipe, doc, diags);
    } else {
        result = PLOY_ERR_MEMORY;
    }
    ploy_json_destroy(doc);
    if (result != PLOY_OK) {
        ploy_recipe_destroy(recipe);
        return result;
    }
    *out = recipe;
    return PLOY_OK;
}

void ploy_recipe_save(const ploy_recipe *recipe, ploy_json_writer *json) {
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < recipe->count; i++) {
        const recipe_stage *stage = &recipe->stages[i];
        ploy_json_write_begin_object(json);
        ploy_json_write_key(json, "generator");
        ploy_json_write_text(json, stage->type->name);
        ploy_json_write_key(json, "seed");
        ploy_json_write_u64(json, stage->seed);
        ploy_json_write_key(json, "set");
        ploy_fields_save_json(stage->type->fields(), stage->def, json);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
}

int32_t ploy_recipe_count(const ploy_recipe *recipe) {
    return recipe->count;
}

const ploy_generator_type *ploy_recipe_type_at(const ploy_recipe *recipe, int32_t stage) {
    return stage >= 0 && stage < recipe->count ? recipe->stages[stage].type : NULL;
}

void *ploy_recipe_def_at(ploy_recipe *recipe, int32_t stage) {
    return stage >= 0 && stage < recipe->count ? recipe->stages[stage].def : NULL;
}

ploy_rng_key ploy_recipe_key_at(const ploy_recipe *recipe, ploy_rng_key key, int32_t stage) {
    if (stage < 0 || stage >= recipe->count) return key;
    const recipe_stage *item = &recipe->stages[stage];
    return ploy_rng_key_split(ploy_generate_stream(key, item->type->name), item->seed);
}

// ---- running

struct ploy_recipe_run {
    ploy_env env;
    const ploy_recipe *recipe;
    ploy_rng_key key;
    ploy_trace *trace;
    int32_t count, kept;
    bool done;
    ploy_generator generators[PLOY_RECIPE_STAGES];
    uint64_t prints[PLOY_RECIPE_STAGES];
};

ploy_result ploy_recipe_run_create(const ploy_env *env, ploy_recipe_run **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_recipe_run *run = ploy_env_alloc_zero(env, sizeof *run);
    if (run == NULL) return PLOY_ERR_MEMORY;
    run->env = *env;
    *out = run;
    return PLOY_OK;
}

static void recipe_run_cut(ploy_recipe_run *run, int32_t count) {
    while (run->count > count) ploy_generator_cancel(run->generators[--run->count]);
}

void ploy_recipe_run_destroy(ploy_recipe_run *run) {
    if (run == NULL) return;
    ploy_env env = run->env;
    recipe_run_cut(run, 0);
    ploy_env_free(&env, run, sizeof *run);
}

// Settings are hashed by name and value, because defs may have padding.
static uint64_t recipe_print(const ploy_recipe_run *run, int32_t stage, uint64_t before) {
    const recipe_stage *item = &run->recipe->stages[stage];
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_fields_describe(item->type->fields(), item->def, PLOY_STATE, &out);
    uint64_t hash = ploy_hash_combine(before, ploy_hash_text(item->type->name));
    hash = ploy_hash_combine(hash, ploy_recipe_key_at(run->recipe, run->key, stage).bits);
    return ploy_hash_combine(hash, ploy_hash_sink_result(&sink));
}

void ploy_recipe_run_begin(ploy_recipe_run *run, const ploy_recipe *recipe, ploy_rng_key key,
                           ploy_trace *trace) {
    run->recipe = recipe;
    run->key = key;
    run->trace = trace;
    run->done = false;
    int32_t same = 0;
    uint64_t before = 0;
    while (same < run->count && same < recipe->count) {
        before = recipe_print(run, same, before);
        if (before != run->prints[same]) break;
        if (!ploy_generator_outcome(run->generators[same]).done) break;
        same++;
    }
    recipe_run_cut(run, same);
    run->kept = same;
}

static ploy_result recipe_run_next(ploy_recipe_run *run) {
    const recipe_stage *stage = &run->recipe->stages[run->count];
    ploy_content input = ploy_recipe_run_content(run, -1);
    uint64_t before = run->count > 0 ? run->prints[run->count - 1] : 0;
    ploy_result result = ploy_generator_begin(
        stage->type, stage->def, ploy_recipe_key_at(run->recipe, run->key, run->count), &input,
        run->trace, &run->env, &run->generators[run->count]);
    if (result != PLOY_OK) return result;
    run->prints[run->count] = recipe_print(run, run->count, before);
    run->count++;
    return PLOY_OK;
}

ploy_result ploy_recipe_run_step(ploy_recipe_run *run, ploy_budget *budget) {
    if (run->recipe == NULL) return PLOY_ERR_STATE;
    while (!run->done) {
        if (run->count > 0 && !ploy_generator_outcome(run->generators[run->count - 1]).done) {
            ploy_result result = ploy_generator_step(run->generators[run->count - 1], budget);
            if (result < 0) recipe_run_cut(run, run->count - 1);
            if (result != PLOY_OK) return result;
        }
        if (run->count == run->recipe->count) {
            run->done = true;
            break;
        }
        if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
        ploy_result result = recipe_run_next(run);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_generate_outcome ploy_recipe_run_outcome(const ploy_recipe_run *run) {
    ploy_generate_outcome sum;
    memset(&sum, 0, sizeof sum);
    sum.done = run->done;
    sum.limit = "";
    for (int32_t i = 0; i < run->count; i++) {
        ploy_generate_outcome one = ploy_generator_outcome(run->generators[i]);
        sum.partial = sum.partial || one.partial;
        if (sum.limit[0] == 0) sum.limit = one.limit;
        sum.count += one.count;
        sum.attempts += one.attempts;
        sum.rejected += one.rejected;
        sum.draws += one.draws;
        sum.units += one.units;
    }
    return sum;
}

int32_t ploy_recipe_run_count(const ploy_recipe_run *run) {
    return run->count;
}

int32_t ploy_recipe_run_kept(const ploy_recipe_run *run) {
    return run->kept;
}

ploy_generator ploy_recipe_run_at(const ploy_recipe_run *run, int32_t stage) {
    ploy_generator none = {NULL, NULL};
    return stage >= 0 && stage < run->count ? run->generators[stage] : none;
}

ploy_content ploy_recipe_run_content(const ploy_recipe_run *run, int32_t stage) {
    int32_t last = stage < 0 || stage >= run->count ? run->count - 1 : stage;
    ploy_content content = ploy_content_none();
    for (int32_t i = 0; i <= last; i++) {
        ploy_content made = ploy_generator_content(run->generators[i]);
        content = ploy_content_merge(&content, &made);
    }
    return content;
}

void ploy_recipe_run_describe(const ploy_recipe_run *run, ploy_describe *out) {
    for (int32_t i = 0; i < run->count; i++) {
        ploy_describe_begin_item(out, i);
        ploy_generator_describe(run->generators[i], out);
        ploy_describe_end(out);
    }
}

void ploy_recipe_run_draw(const ploy_recipe_run *run, int32_t stage, ploy_draw *out) {
    int32_t count = stage < 0 || stage >= run->count ? run->count : stage + 1;
    for (int32_t i = 0; i < count; i++) {
        uint32_t later = 0;
        for (int32_t k = i + 1; k < count; k++) later |= run->generators[k].type->makes;
        if ((run->generators[i].type->makes & ~later) != 0) {
            ploy_generator_draw(run->generators[i], out);
        }
    }
}

void ploy_recipe_run_memory(const ploy_recipe_run *run, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"recipe", sizeof *run, 1};
    fn(user, &item);
    for (int32_t i = 0; i < run->count; i++) ploy_generator_memory(run->generators[i], fn, user);
}
