// Simulations.
//
//     ploy_sim (in the caller's env)            region (what snapshots copy)
//     type, seed, jobs, scratch, stopped  --->  root: tick, state, params
//                                                             |
//                                                             +--> whatever the type allocated
//
// Invariants, from create to destroy:
//   (1) everything that a step's result depends on is in the region, in the type, or an input;
//   (2) the region's root is one sim_root, whose params passed the type's field table;
//   (3) the scratch arena is empty between two calls;
//   (4) inputs are checked, on a copy of the parameters, before the first byte of the region
//       changes.
#include "ploy/exec/sim.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/base/probe.h"

static const ploy_field sim_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_sim_def, region_mib, 32, 1, 4096, "MiB",
                         "addresses reserved for the state"),
    PLOY_FIELD_U64(ploy_sim_def, seed, 1, "what all random numbers come from"),
};

// What lies at the region's root; the parameters' bytes follow, aligned as an allocation is.
typedef struct sim_root {
    uint64_t tick;
    void *state; // of the type
} sim_root;

#define SIM_PARAMS_OFFSET \
    ((sizeof(sim_root) + PLOY_ALIGNMENT - 1) / PLOY_ALIGNMENT * PLOY_ALIGNMENT)

struct ploy_sim_measures {
    int32_t count;
    ploy_input items[PLOY_SIM_MEASURED_MAX];
};

struct ploy_sim {
    ploy_env env;
    ploy_env region_env;
    const ploy_sim_type *type;
    ploy_fields fields; // of the type's parameters
    const ploy_jobs *jobs;
    ploy_region *region;
    ploy_arena *scratch;
    uint64_t seed;
    ploy_rng_key key;
    bool stopped; // outside the region on purpose: restoring a snapshot heals it
    bool repeats;
    ploy_sim_measures measures; // of the last step
};

const char *ploy_input_kind_text(ploy_input_kind kind) {
    switch (kind) {
    case PLOY_INPUT_PARAMETER: return "parameter";
    case PLOY_INPUT_COMMAND: return "command";
    case PLOY_INPUT_RELOAD: return "reload";
    case PLOY_INPUT_UNITS: return "units";
    }
    return "?";
}

ploy_sim_def ploy_sim_def_default(void) {
    ploy_sim_def def;
    ploy_fields_default(ploy_sim_fields(), &def);
    return def;
}

ploy_fields ploy_sim_fields(void) {
    return PLOY_FIELDS(ploy_sim_def, sim_fields);
}

static sim_root *sim_get_root(const ploy_sim *sim) {
    return ploy_region_root(sim->region);
}

static void *sim_get_params(const ploy_sim *sim) {
    return (unsigned char *)ploy_region_root(sim->region) + SIM_PARAMS_OFFSET;
}

// What is missing in a type, or NULL.
static const char *sim_type_fault(const ploy_sim_type *type) {
    if (type == NULL) return "no simulation type";
    if (type->name == NULL || type->name[0] == 0) return "a simulation type needs a name";
    if (type->fields == NULL) return "a simulation type needs a field table";
    if (type->create == NULL) return "a simulation type needs create";
    if (type->step == NULL) return "a simulation type needs step";
    if (type->describe == NULL) return "a simulation type needs describe";
    if (!(type->dt > 0.0f && type->dt <= PLOY_SIM_DT_MAX_S)) {
        return "a simulation type's dt is out of its range";
    }
    if (type->command_count < 0 || (type->command_count > 0 && type->commands == NULL)) {
        return "a simulation type's commands are missing";
    }
    if (type->definition_count < 0 || (type->definition_count > 0 && type->definitions == NULL)) {
        return "a simulation type's definitions are missing";
    }
    if (type->definition_count > 0 && (type->write == NULL || type->check == NULL)) {
        return "a simulation type with definitions needs write and check";
    }
    if (ploy_fields_check_table(type->fields(), NULL) != PLOY_OK) {
        return "a simulation type's field table has a fault, such as a default out of its range";
    }
    return NULL;
}

// Puts root, parameters and the type's state into the new region.
static ploy_result sim_fill_region(ploy_sim *sim, const void *params) {
    size_t size = 0;
    if (!ploy_size_add_array(SIM_PARAMS_OFFSET, sim->fields.size, 1, &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    sim_root *root = ploy_env_alloc_zero(&sim->region_env, size);
    if (root == NULL) return PLOY_ERR_MEMORY;
    ploy_region_set_root(sim->region, root);
    if (params != NULL) {
        memcpy(sim_get_params(sim), params, sim->fields.size);
    } else {
        ploy_fields_default(sim->fields, sim_get_params(sim));
    }
    void *state = NULL;
    ploy_result result = sim->type->create(sim_get_params(sim), sim->key, &sim->region_env, &state);
    if (result != PLOY_OK) return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
    root->state = state;
    return PLOY_OK;
}

ploy_result ploy_sim_create(const ploy_sim_def *def, const ploy_sim_type *type, const void *params,
                            const ploy_jobs *jobs, const ploy_env *env, ploy_sim **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_sim_fields(), def, env);
    if (result != PLOY_OK) return result;
    const char *fault = sim_type_fault(type);
    if (fault != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
        return PLOY_ERR_ARGUMENT;
    }
    ploy_fields fields = type->fields();
    if (params != NULL) {
        result = ploy_fields_check(fields, params, env);
        if (result != PLOY_OK) return result;
    }
    uint64_t capacity = (uint64_t)def->region_mib << 20;
    if (capacity > SIZE_MAX) return PLOY_ERR_ARGUMENT; // 32-bit targets
    ploy_sim *sim = ploy_env_alloc_zero(env, sizeof *sim);
    if (sim == NULL) return PLOY_ERR_MEMORY;
    sim->env = *env;
    sim->type = type;
    sim->fields = fields;
    sim->jobs = jobs;
    sim->seed = def->seed;
    sim->key = ploy_rng_key_make(def->seed);
    result = ploy_arena_create(0, 0, env, &sim->scratch);
    if (result != PLOY_OK) goto fail;
    result = ploy_region_create((size_t)capacity, env, &sim->region);
    if (result != PLOY_OK) goto fail;
    sim->region_env = ploy_region_env(sim->region);
    result = sim_fill_region(sim, params);
    if (result != PLOY_OK) goto fail;
    *out = sim;
    return PLOY_OK;
fail:
    ploy_region_destroy(sim->region); // whatever the type's create left behind goes with it
    ploy_arena_destroy(sim->scratch);
    ploy_env_free(env, sim, sizeof *sim);
    return result;
}

void ploy_sim_destroy(ploy_sim *sim) {
    if (sim == NULL) return;
    ploy_env env = sim->env;
    if (sim->type->destroy != NULL) sim->type->destroy(sim_get_root(sim)->state);
    ploy_region_destroy(sim->region);
    ploy_arena_destroy(sim->scratch);
    ploy_env_free(&env, sim, sizeof *sim);
}

static bool sim_value_finite(const ploy_value *value) {
    switch (value->type) {
    case PLOY_VALUE_F32: return ploy_is_finite(value->as.f32);
    case PLOY_VALUE_F64: return ploy_is_finite_d(value->as.f64);
    case PLOY_VALUE_VEC2:
    case PLOY_VALUE_VEC3:
    case PLOY_VALUE_VEC4:
        for (int32_t i = 0; i < 2 + (int32_t)value->type - (int32_t)PLOY_VALUE_VEC2; i++) {
            if (!ploy_is_finite(value->as.vec[i])) return false;
        }
        return true;
    default: return true;
    }
}

static ploy_result sim_refuse(ploy_diags *diags, ploy_result code, const char *name,
                              const char *message, const char *expected, const char *nearest) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, code, name, 0, 0, message, expected, nearest);
    return code;
}

static ploy_result sim_check_parameter(const ploy_sim *sim, const ploy_input *input, void *params,
                                       ploy_diags *diags) {
    const ploy_field *field = ploy_fields_find(sim->fields, input->name, NULL);
    if (field != NULL && !field->live) {
        return sim_refuse(diags, PLOY_ERR_DENIED, input->name,
                          "parameter cannot change after the simulation has started", NULL, NULL);
    }
    // An unknown name, a wrong type and a range are all the field table's to report.
    return ploy_fields_set(sim->fields, params, input->name, &input->value, diags);
}

static ploy_result sim_check_command(const ploy_sim *sim, const ploy_input *input,
                                     ploy_input *checked, ploy_diags *diags) {
    const ploy_sim_type *type = sim->type;
    const ploy_command *command = NULL;
    ploy_nearest nearest = ploy_nearest_make(input->name);
    for (int32_t i = 0; i < type->command_count; i++) {
        if (strcmp(type->commands[i].name, input->name) == 0) command = &type->commands[i];
        ploy_nearest_offer(&nearest, type->commands[i].name);
    }
    if (command == NULL) {
        return sim_refuse(diags, PLOY_ERR_NOT_FOUND, input->name, "unknown command", NULL,
                          nearest.best);
    }
    if (command->needs_agent && ploy_id_is_none(input->agent.id)) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "command needs an agent", NULL,
                          NULL);
    }
    // A file or a page may know only one kind of number; the command gets the type it names.
    if (ploy_value_convert(&input->value, command->value, &checked->value) != PLOY_OK) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name,
                          "wrong type of value for the command",
                          ploy_value_type_text(command->value), NULL);
    }
    if (!sim_value_finite(&checked->value)) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "value is not finite", NULL, NULL);
    }
    return PLOY_OK;
}

static ploy_result sim_check_reload(const ploy_sim *sim, const ploy_input *input,
                                    ploy_diags *diags) {
    const ploy_sim_type *type = sim->type;
    if ((type->capabilities & PLOY_SIM_RELOADS) == 0) {
        return sim_refuse(diags, PLOY_ERR_UNSUPPORTED, input->name, "simulation cannot reload",
                          NULL, NULL);
    }
    if (input->bytes == NULL && input->size != 0) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "missing bytes", NULL, NULL);
    }
    if (type->definition_count == 0) return PLOY_OK; // the type takes what comes
    const char *nearest = NULL;
    int32_t definition = ploy_sim_type_find_definition(type, input->name, &nearest);
    if (definition < 0) {
        return sim_refuse(diags, PLOY_ERR_NOT_FOUND, input->name, "unknown definition", NULL,
                          nearest);
    }
    ploy_result result =
        type->check(sim_get_root(sim)->state, definition, input->bytes != NULL ? input->bytes : "",
                    input->size, &sim->env, diags);
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

// Checks one input, sets it in `params` if it is a parameter and writes it as the step will see it.
static ploy_result sim_check(const ploy_sim *sim, const ploy_input *input, void *params,
                             ploy_input *checked, ploy_diags *diags) {
    if (input->name == NULL || input->name[0] == 0) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, sim->type->name, "missing input name", NULL,
                          NULL);
    }
    if (input->value.type == PLOY_VALUE_TEXT && input->value.as.text == NULL) {
        return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "missing text", NULL, NULL);
    }
    *checked = *input;
    switch (input->kind) {
    case PLOY_INPUT_PARAMETER: return sim_check_parameter(sim, input, params, diags);
    case PLOY_INPUT_COMMAND: return sim_check_command(sim, input, checked, diags);
    case PLOY_INPUT_RELOAD: return sim_check_reload(sim, input, diags);
    case PLOY_INPUT_UNITS:
        if (ploy_value_convert(&input->value, PLOY_VALUE_U64, &checked->value) != PLOY_OK) {
            return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "wrong type of units", "u64",
                              NULL);
        }
        return PLOY_OK;
    }
    return sim_refuse(diags, PLOY_ERR_ARGUMENT, input->name, "unknown kind of input", NULL, NULL);
}

ploy_result ploy_sim_check_input(const ploy_sim *sim, const ploy_input *input, ploy_diags *diags) {
    if (sim == NULL || input == NULL) return PLOY_ERR_ARGUMENT;
    ploy_arena_mark mark = ploy_arena_mark_of(sim->scratch);
    void *params = ploy_arena_alloc(sim->scratch, sim->fields.size);
    if (params == NULL) return PLOY_ERR_MEMORY;
    memcpy(params, sim_get_params(sim), sim->fields.size);
    ploy_input checked;
    ploy_result result = sim_check(sim, input, params, &checked, diags);
    ploy_arena_rewind(sim->scratch, mark); // keeps (3)
    return result;
}

ploy_result ploy_sim_write_definition(const ploy_sim *sim, const char *name, ploy_writer *out) {
    if (sim == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    int32_t definition = ploy_sim_type_find_definition(sim->type, name, NULL);
    if (definition < 0) return PLOY_ERR_NOT_FOUND;
    ploy_result result = sim->type->write(sim_get_root(sim)->state, definition, out);
    return result > PLOY_OK ? PLOY_ERR_CALLBACK : result;
}

// Copies the inputs as the step will see them and sets parameters; keeps (4).
static ploy_result sim_take_inputs(ploy_sim *sim, const ploy_input *inputs, int32_t count,
                                   ploy_input **out) {
    *out = NULL;
    if (count == 0) return PLOY_OK;
    void *params = ploy_arena_alloc(sim->scratch, sim->fields.size);
    ploy_input *checked = ploy_arena_alloc_array(sim->scratch, count, sizeof *checked);
    if (params == NULL || checked == NULL) return PLOY_ERR_MEMORY;
    memcpy(params, sim_get_params(sim), sim->fields.size);
    for (int32_t i = 0; i < count; i++) {
        ploy_result result = sim_check(sim, &inputs[i], params, &checked[i], NULL);
        if (result != PLOY_OK) return result;
    }
    memcpy(sim_get_params(sim), params, sim->fields.size);
    *out = checked;
    return PLOY_OK;
}

ploy_result ploy_sim_step(ploy_sim *sim, const ploy_input *inputs, int32_t input_count,
                          ploy_trace *trace) {
    if (sim == NULL || input_count < 0 || (input_count > 0 && inputs == NULL)) {
        return PLOY_ERR_ARGUMENT;
    }
    if (sim->stopped) return PLOY_ERR_STATE;
    sim->measures.count = 0;
    ploy_input *checked = NULL;
    ploy_result result = sim_take_inputs(sim, inputs, input_count, &checked);
    if (result != PLOY_OK) {
        ploy_arena_reset(sim->scratch);
        return result;
    }
    sim_root *root = sim_get_root(sim);
    ploy_sim_context context = {
        .tick = root->tick,
        .dt = sim->type->dt,
        .inputs = checked,
        .input_count = input_count,
        .key = sim->key,
        .trace = trace,
        .scratch = sim->scratch,
        .jobs = sim->jobs,
        .params = sim_get_params(sim),
        .env = &sim->region_env,
        .repeats = sim->repeats,
        .measures = &sim->measures,
    };
    ploy_env_zone_begin(&sim->env, "ploy_sim_step");
    result = sim->type->step(root->state, &context);
    ploy_env_zone_end(&sim->env, "ploy_sim_step");
    ploy_arena_reset(sim->scratch);
    if (result != PLOY_OK) {
        // Half a step has been taken; going on from here would not be what a replay sees.
        sim->stopped = true;
        if (result > PLOY_OK) result = PLOY_ERR_CALLBACK;
        ploy_env_log(&sim->env, PLOY_SEVERITY_ERROR,
                     "simulation step failed; the simulation is stopped");
        ploy_env_log(&sim->env, PLOY_SEVERITY_ERROR, ploy_result_text(result));
        return result;
    }
    root->tick++;
    return PLOY_OK;
}

ploy_result ploy_sim_measure(const ploy_sim_context *context, const char *name, uint64_t value) {
    if (context == NULL || name == NULL || name[0] == 0) return PLOY_ERR_ARGUMENT;
    ploy_sim_measures *measures = context->measures;
    if (context->repeats || measures == NULL) return PLOY_OK;
    if (measures->count == PLOY_SIM_MEASURED_MAX) return PLOY_ERR_CAPACITY;
    measures->items[measures->count++] =
        (ploy_input){.kind = PLOY_INPUT_UNITS, .name = name, .value = ploy_value_u64(value)};
    return PLOY_OK;
}

void ploy_sim_set_repeats(ploy_sim *sim, bool repeats) {
    if (sim != NULL) sim->repeats = repeats;
}

int32_t ploy_sim_measured_count(const ploy_sim *sim) {
    return sim != NULL ? sim->measures.count : 0;
}

ploy_input ploy_sim_measured(const ploy_sim *sim, int32_t index) {
    ploy_input none = {.kind = PLOY_INPUT_UNITS};
    if (sim == NULL || !ploy_range_within(index, 1, sim->measures.count)) return none;
    return sim->measures.items[index];
}

uint64_t ploy_sim_tick(const ploy_sim *sim) {
    return sim_get_root(sim)->tick;
}

const ploy_sim_type *ploy_sim_type_of(const ploy_sim *sim) {
    return sim->type;
}

uint64_t ploy_sim_seed(const ploy_sim *sim) {
    return sim->seed;
}

const void *ploy_sim_params(const ploy_sim *sim) {
    return sim_get_params(sim);
}

const void *ploy_sim_state(const ploy_sim *sim) {
    return sim != NULL ? sim_get_root(sim)->state : NULL;
}

ploy_region *ploy_sim_region(ploy_sim *sim) {
    return sim->region;
}

bool ploy_sim_stopped(const ploy_sim *sim) {
    return sim->stopped;
}

void ploy_sim_draw(const ploy_sim *sim, ploy_draw *out) {
    if (sim == NULL || out == NULL || sim->type->draw == NULL) return;
    sim->type->draw(sim_get_root(sim)->state, out);
}

ploy_result ploy_sim_workload(const ploy_sim *sim, ploy_workload *out) {
    if (sim == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (sim->type->load == NULL) return PLOY_ERR_UNSUPPORTED;
    return sim->type->load(sim_get_root(sim)->state, out) ? PLOY_OK : PLOY_ERR_NOT_FOUND;
}

void ploy_sim_describe(const ploy_sim *sim, ploy_describe *out) {
    if (sim == NULL || out == NULL) return;
    ploy_describe_u64(out, "tick", PLOY_STATE, sim_get_root(sim)->tick);
    ploy_describe_begin(out, "params");
    ploy_fields_describe(sim->fields, sim_get_params(sim), PLOY_STATE, out);
    ploy_describe_end(out);
    ploy_describe_begin(out, "state");
    sim->type->describe(sim_get_root(sim)->state, out);
    ploy_describe_end(out);
}

uint64_t ploy_sim_hash(const ploy_sim *sim) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_sim_describe(sim, &out);
    return ploy_hash_sink_result(&sink);
}

ploy_result ploy_sim_snapshot(ploy_sim *sim, ploy_snapshot **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (sim == NULL) return PLOY_ERR_ARGUMENT;
    if (sim->stopped) return PLOY_ERR_STATE; // half a step is not worth keeping
    return ploy_region_snapshot(sim->region, out);
}

ploy_result ploy_sim_restore(ploy_sim *sim, const ploy_snapshot *snapshot) {
    if (sim == NULL || snapshot == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_region_restore(sim->region, snapshot);
    if (result == PLOY_OK) sim->stopped = false;
    return result;
}

void ploy_sim_memory(const ploy_sim *sim, ploy_memory_fn fn, void *user) {
    if (sim == NULL || fn == NULL) return;
    ploy_memory_item item = {"sim", sizeof *sim, 1};
    fn(user, &item);
    ploy_region_memory(sim->region, fn, user);
    ploy_arena_memory(sim->scratch, fn, user);
}

ploy_result ploy_sim_play(const ploy_sim_type *type, const void *params, uint64_t seed,
                          uint64_t ticks, const char *const *paths, int32_t path_count,
                          const ploy_env *env, double *out, uint64_t *hash) {
    if (path_count < 0 || (path_count > 0 && (paths == NULL || out == NULL))) {
        return PLOY_ERR_ARGUMENT;
    }
    if (path_count > PLOY_PROBE_PATHS_MAX) return PLOY_ERR_LIMIT;
    ploy_sim_def def = ploy_sim_def_default();
    def.seed = seed;
    ploy_sim *sim = NULL;
    ploy_result result = ploy_sim_create(&def, type, params, NULL, env, &sim);
    for (uint64_t i = 0; i < ticks && result == PLOY_OK; i++) {
        result = ploy_sim_step(sim, NULL, 0, NULL);
    }
    if (result == PLOY_OK) {
        double read[PLOY_PROBE_PATHS_MAX];
        ploy_probe probe;
        ploy_probe_init(&probe, paths, path_count, read);
        ploy_describe sink = ploy_probe_describe(&probe);
        ploy_sim_describe(sim, &sink);
        if (ploy_probe_missing(&probe) >= 0) result = PLOY_ERR_NOT_FOUND;
        if (result == PLOY_OK && path_count > 0) {
            memcpy(out, read, (size_t)path_count * sizeof(double));
        }
        if (result == PLOY_OK && hash != NULL) *hash = ploy_sim_hash(sim);
    }
    ploy_sim_destroy(sim);
    return result;
}

const ploy_sim_type *ploy_sim_type_find(const ploy_sim_type *const *types, const char *name,
                                        const char **nearest) {
    if (nearest != NULL) *nearest = NULL;
    if (types == NULL || name == NULL) return NULL;
    ploy_nearest found = ploy_nearest_make(name);
    for (; *types != NULL; types++) {
        if (strcmp((*types)->name, name) == 0) return *types;
        ploy_nearest_offer(&found, (*types)->name);
    }
    if (nearest != NULL) *nearest = found.best;
    return NULL;
}

int32_t ploy_sim_type_find_definition(const ploy_sim_type *type, const char *name,
                                      const char **nearest) {
    if (nearest != NULL) *nearest = NULL;
    if (type == NULL || name == NULL) return -1;
    ploy_nearest found = ploy_nearest_make(name);
    for (int32_t i = 0; i < type->definition_count; i++) {
        if (strcmp(type->definitions[i].name, name) == 0) return i;
        ploy_nearest_offer(&found, type->definitions[i].name);
    }
    if (nearest != NULL) *nearest = found.best;
    return -1;
}

ploy_result ploy_definition_text_set(ploy_definition_text *text, const void *bytes, size_t size,
                                     const ploy_env *env) {
    if (text == NULL || env == NULL || (bytes == NULL && size != 0)) return PLOY_ERR_ARGUMENT;
    if (size == SIZE_MAX) return PLOY_ERR_LIMIT;
    char *copy = ploy_env_alloc(env, size + 1);
    if (copy == NULL) return PLOY_ERR_MEMORY;
    if (size > 0) memcpy(copy, bytes, size);
    copy[size] = 0;
    if (text->bytes != NULL) {
        ploy_env_free(env, text->bytes, text->size + 1);
        text->reloads++;
    }
    text->bytes = copy;
    text->size = size;
    return PLOY_OK;
}

ploy_result ploy_definition_text_write(const ploy_definition_text *text, ploy_writer *out) {
    if (text == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if (text->size > 0) ploy_write_bytes(out, text->bytes, text->size);
    return ploy_writer_result(out);
}

void ploy_definition_text_describe(const ploy_definition_text *text, const char *name,
                                   const ploy_diags *lost, ploy_describe *out) {
    if (text->reloads == 0) return;
    ploy_describe_begin(out, name);
    ploy_describe_u64(out, "reloads", PLOY_STATE, text->reloads);
    ploy_describe_u64(out, "text", PLOY_STATE, ploy_hash_bytes(text->bytes, text->size, 0));
    for (int32_t i = 0; lost != NULL && i < ploy_diags_count(lost); i++) {
        ploy_describe_text(out, "lost", PLOY_NOTE, ploy_diags_get(lost, i)->message);
    }
    ploy_describe_end(out);
}

static uint64_t sim_hash_text(uint64_t hash, const char *text) {
    return ploy_hash_combine(hash, ploy_hash_text(text != NULL ? text : ""));
}

uint64_t ploy_sim_type_hash(const ploy_sim_type *type) {
    if (sim_type_fault(type) != NULL) return 0;
    uint32_t dt_bits = 0;
    memcpy(&dt_bits, &type->dt, sizeof dt_bits);
    uint64_t hash = sim_hash_text(0, type->name);
    hash = ploy_hash_combine(hash, type->version);
    hash = ploy_hash_combine(hash, dt_bits);
    hash = ploy_hash_combine(hash, ploy_fields_hash(type->fields()));
    hash = ploy_hash_combine(hash, (uint64_t)type->command_count);
    for (int32_t i = 0; i < type->command_count; i++) {
        hash = sim_hash_text(hash, type->commands[i].name);
        hash = ploy_hash_combine(hash, (uint64_t)type->commands[i].value);
        hash = ploy_hash_combine(hash, type->commands[i].needs_agent ? 1 : 0);
    }
    for (int32_t i = 0; i < type->definition_count; i++) {
        hash = sim_hash_text(hash, type->definitions[i].name);
    }
    return hash;
}

#undef SIM_PARAMS_OFFSET
