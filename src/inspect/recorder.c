// The recorder: snapshots, the input log and hashes around one simulation.
//
//     tick    0 . . . . | . . . . | . . . . | . . . . end
//     snapshots ^         ^                   ^            nearest at or before, then step
//     hashes  h    h    h    h    h    h    h    h         compared whenever met again
//     inputs     i          ii             i         q     q waits at the end
//
// Invariants, from create to destroy:
//   (1) 0 <= the simulation's tick <= end;
//   (2) input_ticks never falls and never passes end; inputs of tick t are applied by the step from
//       t to t + 1, those of tick end are queued;
//   (3) hashes are known for the multiples of hash_every from 0 up, without gaps, and for all such
//       ticks that were ever executed in this past;
//   (4) the first snapshot is of tick 0, ticks rise strictly, none passes end;
//   (5) end_hash is known, or the simulation is at the end (or is stopped for good).
#include "ploy/inspect/recorder.h"

#include <stdio.h>
#include <string.h>

#include "inspect/recorder_internal.h"
#include "ploy/base/utf8.h"

// More would only make thinning slow; 4096 snapshots leave hardly any ticks to execute.
#define RECORDER_SNAPSHOTS_MAX 4096

static const ploy_field recorder_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_recorder_def, snapshot_every, 60, 1, 1000000, "ticks",
                         "time between snapshots, while none is thinned out"),
    PLOY_FIELD_I32_FIXED(ploy_recorder_def, snapshot_mib, 64, 1, 1 << 20, "MiB",
                         "memory for snapshots"),
    PLOY_FIELD_I32_FIXED(ploy_recorder_def, hash_every, 60, 1, 1000000, "ticks",
                         "time between state hashes"),
    PLOY_FIELD_I32_FIXED(ploy_recorder_def, max_inputs, 100000, 0, 100000000, "",
                         "most inputs in the log"),
    PLOY_FIELD_DEF(ploy_recorder_def, sim, ploy_sim_fields, "seed and memory of the simulation"),
};

ploy_recorder_def ploy_recorder_def_default(void) {
    ploy_recorder_def def;
    ploy_fields_default(ploy_recorder_fields(), &def);
    return def;
}

ploy_fields ploy_recorder_fields(void) {
    return PLOY_FIELDS(ploy_recorder_def, recorder_fields);
}

// Makes room for one more item. Capacities double, so appending is cheap on average.
static bool recorder_grow(const ploy_env *env, void **array, int64_t *capacity, int64_t count,
                          size_t item_size) {
    if (count < *capacity) return true;
    int64_t wanted = *capacity > 0 ? *capacity * 2 : PLOY_CAPACITY(64);
    size_t old_size = 0, new_size = 0;
    if (!ploy_size_add_array(0, *capacity, item_size, &old_size) ||
        !ploy_size_add_array(0, wanted, item_size, &new_size)) {
        return false;
    }
    void *grown = ploy_env_resize(env, *array, old_size, new_size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

// ---- the input log

static size_t recorder_input_size(const ploy_input *input) {
    size_t size = strlen(input->name) + 1;
    if (input->value.type == PLOY_VALUE_TEXT) size += strlen(input->value.as.text) + 1;
    return size + input->size;
}

// Copies texts and bytes into one block; the copy's name points to its beginning.
static ploy_result recorder_copy_input(const ploy_env *env, const ploy_input *input,
                                       ploy_input *out) {
    char *block = ploy_env_alloc(env, recorder_input_size(input));
    if (block == NULL) return PLOY_ERR_MEMORY;
    *out = *input;
    size_t size = strlen(input->name) + 1;
    out->name = memcpy(block, input->name, size);
    block += size;
    if (input->value.type == PLOY_VALUE_TEXT) {
        size = strlen(input->value.as.text) + 1;
        out->value.as.text = memcpy(block, input->value.as.text, size);
        block += size;
    }
    out->bytes = input->size > 0 ? memcpy(block, input->bytes, input->size) : NULL;
    return PLOY_OK;
}

static void recorder_free_input(const ploy_env *env, ploy_input *input) {
    // The name is where the block begins; it was allocated by the recorder, so writing is fine.
    union {
        const char *text;
        void *block;
    } name = {input->name};
    ploy_env_free(env, name.block, recorder_input_size(input));
}

ploy_result ployi_recorder_append_input(ploy_recorder *recorder, uint64_t tick,
                                        const ploy_input *input) {
    // Copied before the log grows: the input may be one of the log's own.
    ploy_input copy;
    ploy_result result = recorder_copy_input(&recorder->env, input, &copy);
    if (result != PLOY_OK) return result;
    void *inputs = recorder->inputs;
    void *ticks = recorder->input_ticks;
    bool room = recorder_grow(&recorder->env, &inputs, &recorder->input_capacity,
                              recorder->input_count, sizeof(ploy_input));
    recorder->inputs = inputs;
    room = room && recorder_grow(&recorder->env, &ticks, &recorder->input_tick_capacity,
                                 recorder->input_count, sizeof(uint64_t));
    recorder->input_ticks = ticks;
    if (!room) {
        recorder_free_input(&recorder->env, &copy);
        return PLOY_ERR_MEMORY;
    }
    recorder->inputs[recorder->input_count] = copy;
    recorder->input_ticks[recorder->input_count] = tick; // keeps (2)
    recorder->input_count++;
    return PLOY_OK;
}

// Index of the first input of that tick or a later one.
static int64_t recorder_first_input(const ploy_recorder *recorder, uint64_t tick) {
    int64_t low = 0, high = recorder->input_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (recorder->input_ticks[middle] < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void recorder_cut_inputs(ploy_recorder *recorder, int64_t count) {
    while (recorder->input_count > count) {
        recorder_free_input(&recorder->env, &recorder->inputs[--recorder->input_count]);
    }
}

void ployi_recorder_cut_inputs(ploy_recorder *recorder, uint64_t tick) {
    recorder_cut_inputs(recorder, recorder_first_input(recorder, tick));
}

// ---- hashes

static bool recorder_reserve_hash(ploy_recorder *recorder) {
    void *hashes = recorder->hashes;
    bool room = recorder_grow(&recorder->env, &hashes, &recorder->hash_capacity,
                              recorder->hash_count, sizeof(uint64_t));
    recorder->hashes = hashes;
    return room;
}

ploy_result ployi_recorder_append_hash(ploy_recorder *recorder, uint64_t hash) {
    if (!recorder_reserve_hash(recorder)) return PLOY_ERR_MEMORY;
    recorder->hashes[recorder->hash_count++] = hash; // keeps (3)
    return PLOY_OK;
}

// Compares the present state with what is known of this tick, or adds it to what is known.
static ploy_result recorder_check_hash(ploy_recorder *recorder) {
    uint64_t tick = ploy_sim_tick(recorder->sim);
    uint64_t every = (uint64_t)recorder->def.hash_every;
    bool regular = tick % every == 0;
    bool last = tick == recorder->end && recorder->end_hash_known;
    if (!regular && !last) return PLOY_OK;
    uint64_t hash = ploy_sim_hash(recorder->sim);
    uint64_t known = hash;
    if (regular) {
        int64_t index = (int64_t)(tick / every);
        if (index == recorder->hash_count) {
            recorder->hashes[recorder->hash_count++] = hash; // step made room
        } else {
            PLOY_ASSERT(index < recorder->hash_count);
            known = recorder->hashes[index];
        }
    }
    if (known == hash && last) known = recorder->end_hash;
    if (known == hash) return PLOY_OK;
    char text[160];
    snprintf(text, sizeof text,
             "%.60s is not repeatable: at tick %llu the state is %016llx, recorded was %016llx",
             recorder->type->name, (unsigned long long)tick, (unsigned long long)hash,
             (unsigned long long)known);
    ploy_env_log(&recorder->env, PLOY_SEVERITY_ERROR, text);
    return PLOY_ERR_STATE;
}

// ---- snapshots

// Index of the last snapshot at or before that tick; there always is one, by (4).
static int64_t recorder_nearest_snapshot(const ploy_recorder *recorder, uint64_t tick) {
    int64_t low = 0, high = recorder->snapshot_count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (recorder->snapshots[middle].tick <= tick) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void recorder_drop_snapshot(ploy_recorder *recorder, int64_t index) {
    ploy_snapshot_destroy(recorder->snapshots[index].snapshot);
    recorder->snapshot_count--;
    memmove(&recorder->snapshots[index], &recorder->snapshots[index + 1],
            (size_t)(recorder->snapshot_count - index) * sizeof recorder->snapshots[0]);
}

static void recorder_find_snapshot_bytes(void *user, const ploy_memory_item *item) {
    if (strcmp(item->name, "region.snapshots") == 0) *(size_t *)user = item->bytes;
}

static bool recorder_is_over(const ploy_recorder *recorder) {
    if (recorder->snapshot_count > RECORDER_SNAPSHOTS_MAX) return true;
    size_t bytes = 0;
    ploy_region_memory(ploy_sim_region(recorder->sim), recorder_find_snapshot_bytes, &bytes);
    return bytes / ((size_t)1 << 20) >= (size_t)recorder->def.snapshot_mib;
}

// How much the loss of a snapshot would hurt: the gap that it leaves in proportion to its distance
// from the present. Dropping the least again and again spaces them evenly in the logarithm of the
// distance, whatever the order of arrival was.
static double recorder_worth(const ploy_recorder *recorder, int64_t index) {
    const ployi_recorder_snapshot *all = recorder->snapshots;
    uint64_t now = ploy_sim_tick(recorder->sim);
    uint64_t every = (uint64_t)recorder->def.snapshot_every;
    uint64_t tick = all[index].tick;
    uint64_t next = index + 1 < recorder->snapshot_count ? all[index + 1].tick : tick + every;
    uint64_t distance = now > tick ? now - tick : tick - now;
    return (double)(next - all[index - 1].tick) / (double)(distance + every);
}

static void recorder_thin(ploy_recorder *recorder) {
    while (recorder->snapshot_count > 1 && recorder_is_over(recorder)) {
        int64_t worst = 1; // the first one stays, whatever it costs: keeps (4)
        double least = recorder_worth(recorder, 1);
        for (int64_t i = 2; i < recorder->snapshot_count; i++) {
            double worth = recorder_worth(recorder, i);
            if (worth < least) {
                least = worth;
                worst = i;
            }
        }
        recorder_drop_snapshot(recorder, worst);
    }
}

// Takes a snapshot of the present tick if there is none.
static ploy_result recorder_take_snapshot(ploy_recorder *recorder) {
    uint64_t tick = ploy_sim_tick(recorder->sim);
    int64_t at = 0;
    if (recorder->snapshot_count > 0) {
        at = recorder_nearest_snapshot(recorder, tick);
        if (recorder->snapshots[at].tick == tick) return PLOY_OK;
        at++;
    }
    void *snapshots = recorder->snapshots;
    bool room = recorder_grow(&recorder->env, &snapshots, &recorder->snapshot_capacity,
                              recorder->snapshot_count, sizeof(ployi_recorder_snapshot));
    recorder->snapshots = snapshots;
    if (!room) return PLOY_ERR_MEMORY;
    ploy_snapshot *snapshot = NULL;
    ploy_result result = ploy_sim_snapshot(recorder->sim, &snapshot);
    if (result != PLOY_OK) return result;
    memmove(&recorder->snapshots[at + 1], &recorder->snapshots[at],
            (size_t)(recorder->snapshot_count - at) * sizeof recorder->snapshots[0]);
    recorder->snapshots[at].tick = tick;
    recorder->snapshots[at].snapshot = snapshot;
    recorder->snapshot_count++;
    recorder_thin(recorder);
    return PLOY_OK;
}

// ---- life

ploy_result ploy_recorder_create(const ploy_recorder_def *def, const ploy_sim_type *type,
                                 const void *params, const ploy_jobs *jobs, const ploy_env *env,
                                 ploy_recorder **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_recorder_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_recorder *recorder = ploy_env_alloc_zero(env, sizeof *recorder);
    if (recorder == NULL) return PLOY_ERR_MEMORY;
    recorder->env = *env;
    recorder->def = *def;
    recorder->type = type;
    recorder->jobs = jobs;
    result = ploy_sim_create(&def->sim, type, params, jobs, env, &recorder->sim);
    if (result != PLOY_OK) goto fail;
    recorder->fields = type->fields(); // not before: the simulation checked the type
    recorder->params = ploy_env_alloc(env, recorder->fields.size);
    result = recorder->params != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result != PLOY_OK) goto fail;
    memcpy(recorder->params, ploy_sim_params(recorder->sim), recorder->fields.size);
    result = ployi_recorder_append_hash(recorder, ploy_sim_hash(recorder->sim));
    if (result != PLOY_OK) goto fail;
    result = recorder_take_snapshot(recorder);
    if (result != PLOY_OK) goto fail;
    *out = recorder;
    return PLOY_OK;
fail:
    ploy_recorder_destroy(recorder);
    return result;
}

void ploy_recorder_destroy(ploy_recorder *recorder) {
    if (recorder == NULL) return;
    ploy_env env = recorder->env;
    for (int64_t i = 0; i < recorder->snapshot_count; i++) {
        ploy_snapshot_destroy(recorder->snapshots[i].snapshot);
    }
    recorder_cut_inputs(recorder, 0);
    ploy_sim_destroy(recorder->sim);
    ploy_env_free(&env, recorder->snapshots,
                  (size_t)recorder->snapshot_capacity * sizeof recorder->snapshots[0]);
    ploy_env_free(&env, recorder->hashes,
                  (size_t)recorder->hash_capacity * sizeof recorder->hashes[0]);
    ploy_env_free(&env, recorder->input_ticks,
                  (size_t)recorder->input_tick_capacity * sizeof recorder->input_ticks[0]);
    ploy_env_free(&env, recorder->inputs,
                  (size_t)recorder->input_capacity * sizeof recorder->inputs[0]);
    ploy_env_free(&env, recorder->params, recorder->fields.size);
    ploy_env_free(&env, recorder, sizeof *recorder);
}

// Forgets everything after the present tick.
static void recorder_forget_future(ploy_recorder *recorder) {
    uint64_t tick = ploy_sim_tick(recorder->sim);
    if (tick == recorder->end) return;
    recorder_cut_inputs(recorder, recorder_first_input(recorder, tick));
    int64_t hashes = (int64_t)(tick / (uint64_t)recorder->def.hash_every) + 1;
    if (recorder->hash_count > hashes) recorder->hash_count = hashes;
    while (recorder->snapshots[recorder->snapshot_count - 1].tick > tick) {
        recorder_drop_snapshot(recorder, recorder->snapshot_count - 1);
    }
    recorder->end = tick;
    recorder->end_hash_known = false;
    recorder->era++;
}

void *ployi_recorder_user(const ploy_recorder *recorder) {
    return recorder->env.user;
}

ploy_result ploy_recorder_input(ploy_recorder *recorder, const ploy_input *input,
                                ploy_diags *diags) {
    if (recorder == NULL || input == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_sim_check_input(recorder->sim, input, diags);
    if (result != PLOY_OK) return result;
    bool texts = ploy_utf8_check(input->name, strlen(input->name), NULL) &&
                 (input->value.type != PLOY_VALUE_TEXT ||
                  ploy_utf8_check(input->value.as.text, strlen(input->value.as.text), NULL));
    if (!texts) { // a file could not hold it
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_ARGUMENT, "input", 0, 0,
                       "the text is not UTF-8", NULL, NULL);
        return PLOY_ERR_ARGUMENT;
    }
    uint64_t tick = ploy_sim_tick(recorder->sim);
    int64_t kept =
        tick == recorder->end ? recorder->input_count : recorder_first_input(recorder, tick);
    if (kept >= recorder->def.max_inputs) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_CAPACITY, input->name, 0, 0,
                       "recorder's input log is full", NULL, NULL);
        return PLOY_ERR_CAPACITY;
    }
    // Appended first, behind the inputs of the future, because only that can fail; and nothing is
    // freed before, because the input may be one of those.
    result = ployi_recorder_append_input(recorder, tick, input);
    if (result != PLOY_OK) return result;
    recorder->input_count--;
    ploy_input copy = recorder->inputs[recorder->input_count];
    recorder_forget_future(recorder);
    recorder->inputs[recorder->input_count] = copy;
    recorder->input_ticks[recorder->input_count] = tick; // keeps (2)
    recorder->input_count++;
    return PLOY_OK;
}

// ---- going

// One step without looking after failures: executes, compares, remembers.
ploy_result ployi_recorder_execute(ploy_recorder *recorder, ploy_trace *trace) {
    uint64_t tick = ploy_sim_tick(recorder->sim);
    // Room first: once the step is done nothing may fail but the comparison.
    if (!recorder_reserve_hash(recorder)) return PLOY_ERR_MEMORY;
    int64_t first = recorder_first_input(recorder, tick);
    int64_t count = recorder_first_input(recorder, tick + 1) - first;
    const ploy_input *inputs = count > 0 ? &recorder->inputs[first] : NULL;
    ploy_sim_set_repeats(recorder->sim, tick < recorder->end);
    ploy_result result = ploy_sim_step(recorder->sim, inputs, (int32_t)count, trace);
    if (result != PLOY_OK) return result;
    // What only this run could measure becomes an input of the tick.
    for (int32_t i = 0; i < ploy_sim_measured_count(recorder->sim); i++) {
        ploy_input measured = ploy_sim_measured(recorder->sim, i);
        ploy_result kept = recorder->input_count < recorder->def.max_inputs
                               ? ployi_recorder_append_input(recorder, tick, &measured)
                               : PLOY_ERR_CAPACITY;
        if (kept == PLOY_OK) continue;
        ploy_env_log(&recorder->env, PLOY_SEVERITY_ERROR,
                     "recorder's input log is full; a replay may differ from here on");
        break;
    }
    tick++;
    if (tick > recorder->end) {
        recorder->end = tick; // keeps (1)
        recorder->end_hash_known = false;
    }
    result = recorder_check_hash(recorder);
    if (result != PLOY_OK) return result;
    // A snapshot only saves time; without memory for one the run is just longer.
    if (tick % (uint64_t)recorder->def.snapshot_every == 0) recorder_take_snapshot(recorder);
    return PLOY_OK;
}

// Restores the snapshot from which the run to a tick is shortest, unless the run from here is.
void ployi_recorder_approach(ploy_recorder *recorder, uint64_t target) {
    uint64_t tick = ploy_sim_tick(recorder->sim);
    bool stopped = ploy_sim_stopped(recorder->sim);
    const ployi_recorder_snapshot *nearest =
        &recorder->snapshots[recorder_nearest_snapshot(recorder, target)];
    if (!stopped && tick <= target && nearest->tick <= tick) return;
    if (!stopped && tick == recorder->end && !recorder->end_hash_known) {
        recorder->end_hash = ploy_sim_hash(recorder->sim);
        recorder->end_hash_known = true; // keeps (5)
    }
    ploy_result result = ploy_sim_restore(recorder->sim, nearest->snapshot);
    PLOY_ASSERT(result == PLOY_OK); // it is a snapshot of this simulation
    (void)result;
}

static ploy_result recorder_run_to(ploy_recorder *recorder, uint64_t target) {
    ployi_recorder_approach(recorder, target);
    while (ploy_sim_tick(recorder->sim) < target) {
        ploy_result result = ployi_recorder_execute(recorder, NULL);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

ploy_result ploy_recorder_step(ploy_recorder *recorder) {
    if (recorder == NULL) return PLOY_ERR_ARGUMENT;
    uint64_t tick = ploy_sim_tick(recorder->sim);
    ploy_result result =
        ployi_recorder_execute(recorder, recorder->traced ? &recorder->trace : NULL);
    if (result != PLOY_OK && ploy_sim_stopped(recorder->sim)) {
        // Half a step is no state to look at or to go on from. What led here did work before.
        ploy_result back = recorder_run_to(recorder, tick);
        if (back != PLOY_OK) {
            ploy_env_log(&recorder->env, PLOY_SEVERITY_ERROR,
                         "cannot return to the tick before a failed step");
        }
    }
    return result;
}

ploy_result ploy_recorder_seek(ploy_recorder *recorder, uint64_t tick, ploy_budget *budget) {
    if (recorder == NULL) return PLOY_ERR_ARGUMENT;
    if (tick > recorder->end) tick = recorder->end;
    if (ploy_sim_tick(recorder->sim) == tick && !ploy_sim_stopped(recorder->sim)) return PLOY_OK;
    if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
    ployi_recorder_approach(recorder, tick);
    while (ploy_sim_tick(recorder->sim) < tick) {
        if (!ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
        ploy_result result = ploy_recorder_step(recorder);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

uint64_t ploy_recorder_tick(const ploy_recorder *recorder) {
    return ploy_sim_tick(recorder->sim);
}

uint64_t ploy_recorder_end(const ploy_recorder *recorder) {
    return recorder->end;
}

const ploy_sim *ploy_recorder_sim(const ploy_recorder *recorder) {
    return recorder->sim;
}

void ploy_recorder_set_trace(ploy_recorder *recorder, const ploy_trace *trace) {
    if (recorder == NULL) return;
    recorder->traced = trace != NULL;
    if (trace != NULL) recorder->trace = *trace;
}

ploy_result ploy_recorder_fork(const ploy_recorder *recorder, const ploy_env *env,
                               ploy_recorder **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (recorder == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    uint64_t tick = ploy_sim_tick(recorder->sim);
    ploy_recorder *fork = NULL;
    ploy_result result = ploy_recorder_create(&recorder->def, recorder->type, recorder->params,
                                              recorder->jobs, env, &fork);
    if (result != PLOY_OK) return result;
    for (int64_t i = 0; i < recorder->input_count && recorder->input_ticks[i] < tick; i++) {
        result = ployi_recorder_append_input(fork, recorder->input_ticks[i], &recorder->inputs[i]);
        if (result != PLOY_OK) goto fail;
    }
    // What is known of the past is compared on the way. The first one is there already.
    for (int64_t i = 1; i < recorder->hash_count; i++) {
        if ((uint64_t)i > tick / (uint64_t)recorder->def.hash_every) break;
        result = ployi_recorder_append_hash(fork, recorder->hashes[i]);
        if (result != PLOY_OK) goto fail;
    }
    fork->end = tick;
    result = fork->hashes[0] == recorder->hashes[0] ? PLOY_OK : PLOY_ERR_STATE;
    if (result == PLOY_OK) result = recorder_run_to(fork, tick);
    if (result == PLOY_OK && ploy_sim_hash(fork->sim) != ploy_sim_hash(recorder->sim)) {
        result = PLOY_ERR_STATE;
    }
    if (result != PLOY_OK) goto fail;
    *out = fork;
    return PLOY_OK;
fail:
    ploy_recorder_destroy(fork);
    return result;
}

int32_t ploy_recorder_input_count(const ploy_recorder *recorder) {
    return (int32_t)recorder->input_count;
}

const ploy_input *ploy_recorder_input_at(const ploy_recorder *recorder, int32_t index,
                                         uint64_t *tick) {
    if (recorder == NULL || index < 0 || index >= recorder->input_count) return NULL;
    if (tick != NULL) *tick = recorder->input_ticks[index];
    return &recorder->inputs[index];
}

void ploy_recorder_memory(const ploy_recorder *recorder, ploy_memory_fn fn, void *user) {
    if (recorder == NULL || fn == NULL) return;
    ploy_memory_item item = {"recorder", sizeof *recorder + recorder->fields.size, 2};
    fn(user, &item);
    ploy_memory_item inputs = {"recorder.inputs",
                               (size_t)recorder->input_capacity * sizeof recorder->inputs[0] +
                                   (size_t)recorder->input_tick_capacity *
                                       sizeof recorder->input_ticks[0],
                               2 + recorder->input_count};
    for (int64_t i = 0; i < recorder->input_count; i++) {
        inputs.bytes += recorder_input_size(&recorder->inputs[i]);
    }
    fn(user, &inputs);
    ploy_memory_item hashes = {"recorder.hashes",
                               (size_t)recorder->hash_capacity * sizeof recorder->hashes[0], 1};
    fn(user, &hashes);
    ploy_sim_memory(recorder->sim, fn, user);
}

#undef RECORDER_SNAPSHOTS_MAX
