// Shared by the recorder and the reader and writer of its files.
#pragma once

#include "ploy/inspect/recorder.h"

// The newest format of recording files that is written and read.
#define PLOYI_RECORDING_FORMAT 1

typedef struct ployi_recorder_snapshot {
    uint64_t tick;
    ploy_snapshot *snapshot;
} ployi_recorder_snapshot;

struct ploy_recorder {
    ploy_env env;
    ploy_recorder_def def;
    const ploy_sim_type *type;
    const ploy_jobs *jobs;
    ploy_sim *sim;
    ploy_trace trace; // hears every tick that is executed for its own sake
    bool traced;
    ploy_fields fields; // of the type's parameters
    void *params;       // those of tick 0; fields.size bytes
    uint64_t end;
    uint64_t era; // raised when a future is forgotten

    ploy_input *inputs;    // the log; each one's texts and bytes are in one block at its name
    uint64_t *input_ticks; // for each input, never falling
    int64_t input_count, input_capacity, input_tick_capacity;

    uint64_t *hashes; // hashes[i] is that of tick i * def.hash_every
    int64_t hash_count, hash_capacity;
    uint64_t end_hash; // that of tick end, if it is known
    bool end_hash_known;

    ployi_recorder_snapshot *snapshots; // by rising tick; the first is of tick 0
    int64_t snapshot_count, snapshot_capacity;
};

// Copies an input to the end of the log, for that tick. Not checked.
ploy_result ployi_recorder_append_input(ploy_recorder *recorder, uint64_t tick,
                                        const ploy_input *input);

// Appends the hash of the next multiple of hash_every.
ploy_result ployi_recorder_append_hash(ploy_recorder *recorder, uint64_t hash);

// Forgets the inputs of that tick and later ones.
void ployi_recorder_cut_inputs(ploy_recorder *recorder, uint64_t tick);

// One step without looking after failures: executes, compares, remembers.
ploy_result ployi_recorder_execute(ploy_recorder *recorder, ploy_trace *trace);

// Restores the snapshot from which the path to a tick is shortest, unless the present tick is nearer.
void ployi_recorder_approach(ploy_recorder *recorder, uint64_t target);

// The user pointer of the env that the recorder was created with.
void *ployi_recorder_user(const ploy_recorder *recorder);
