/// @file ploy/inspect/recorder.h
/// The recorder: a simulation with its past. Rewind, step back, fork, ask why, save and open again.
///
/// Time travel is re-execution: the recorder keeps the inputs, a snapshot now and then, and a state
/// hash every few ticks; going to tick T restores the nearest snapshot at or before it and steps
/// on. Each hash met again on the way is compared, so a simulation that is not repeatable is found
/// out at once (PLOY_ERR_STATE and a message in the log).
///
/// Snapshots are taken every few ticks and thinned out when their memory is full. The one goes
/// that is missed the least: whose gap is smallest in proportion to its distance from the present.
/// So the near past stays dense and the far past grows sparse. Going back d ticks executes at most
/// snapshot_every ticks while nothing is thinned out; after that about d / 2 at most if 32
/// snapshots fit, d / 5 if 64 do. The one of tick 0 always stays.
///
/// A recording file holds versions, definition hashes, seed, parameters, the input log and the
/// hashes; no snapshots. It is opened by executing it again. docs/recording-format.md has the
/// bytes.
///
/// Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/diags.h"
#include "ploy/base/hash.h"
#include "ploy/base/writer.h"
#include "ploy/exec/sim.h"

typedef struct ploy_recorder ploy_recorder;

typedef struct ploy_recorder_def {
    uint32_t cookie;
    int32_t snapshot_every; ///< ticks between snapshots, while none is thinned out
    int32_t snapshot_mib;   ///< MiB for snapshots; past it they are thinned out
    int32_t hash_every;     ///< ticks between state hashes
    int32_t max_inputs;     ///< most inputs in the log
    ploy_sim_def sim;       ///< seed and memory of the simulation
} ploy_recorder_def;

PLOY_API ploy_recorder_def ploy_recorder_def_default(void);
PLOY_API ploy_fields ploy_recorder_fields(void);

/// Starts a simulation and its record. @param params  NULL for the type's defaults.
PLOY_API ploy_result ploy_recorder_create(const ploy_recorder_def *def, const ploy_sim_type *type,
                                          const void *params, const ploy_jobs *jobs,
                                          const ploy_env *env, ploy_recorder **out);
PLOY_API void ploy_recorder_destroy(ploy_recorder *recorder);

/// Queues an input for the next step; checked now, copied. If the recorder is in the past, the
/// future after the present tick is forgotten, with the inputs that the log has for it: it will be
/// another one. @return as ploy_sim_check_input; PLOY_ERR_CAPACITY if the log is full;
/// PLOY_ERR_MEMORY. On failure nothing is forgotten.
PLOY_API ploy_result ploy_recorder_input(ploy_recorder *recorder, const ploy_input *input,
                                         ploy_diags *diags);

/// One tick on: in the past with the inputs that the log has for it, at the end with those that are
/// queued. If the simulation's step fails, the recorder comes back to the tick it stood at (by
/// re-execution) and returns the error.
/// @return PLOY_ERR_STATE if the state differs from what was recorded for the new tick; the
///         recorder is there then.
PLOY_API ploy_result ploy_recorder_step(ploy_recorder *recorder);

/// Goes to a tick, back or forth; a tick past the end of the record means its end. Long seeks may
/// be cut into slices: the budget counts ticks executed, PLOY_IN_PROGRESS means call again, and
/// until then the recorder is somewhere in between. NULL budget: no limit.
/// @return as ploy_recorder_step.
PLOY_API ploy_result ploy_recorder_seek(ploy_recorder *recorder, uint64_t tick,
                                        ploy_budget *budget);

/// The present tick.
PLOY_API uint64_t ploy_recorder_tick(const ploy_recorder *recorder);
/// The last tick recorded, or that an opened recording has.
PLOY_API uint64_t ploy_recorder_end(const ploy_recorder *recorder);
PLOY_API const ploy_sim *ploy_recorder_sim(const ploy_recorder *recorder);

/// Has every tick that step and seek execute from now on reported to a trace, for callers that keep
/// account of all decisions; a run with a trace has the same states as one without. What is
/// executed only to come back somewhere (why, a failed step) is not reported.
/// @param trace  copied; NULL: stops reporting.
PLOY_API void ploy_recorder_set_trace(ploy_recorder *recorder, const ploy_trace *trace);

/// Executes the present tick again with a trace and comes back: why each agent acts as it does
/// now. The state afterwards is the same, bit for bit, also on failure.
/// @return PLOY_ERR_STATE at tick 0, where there is nothing to ask about, or if the tick came out
///         differently this time.
PLOY_API ploy_result ploy_recorder_why(ploy_recorder *recorder, ploy_trace *trace);

/// Finds the last tick, the present one included, in which an agent decided something, by executing
/// the ticks before this one again with a trace. Seek there and call ploy_recorder_why for the
/// reasons. The state afterwards is the same, bit for bit, also on failure.
/// @param agent  none: any agent.
/// @param most   ticks to look back at most.
/// @return PLOY_ERR_NOT_FOUND if there was no decision in those ticks; as ploy_recorder_why.
PLOY_API ploy_result ploy_recorder_last_decision(ploy_recorder *recorder, ploy_agent_id agent,
                                                 uint64_t most, uint64_t *out);

/// The same two questions in slices, for a program that must not stand still meanwhile. Opaque.
typedef struct ploy_why ploy_why;

/// Asks why at the present tick. The recorder may go on between two slices.
/// @param agent      whose last decision is looked for; none: any agent's.
/// @param look_back  ticks in which to look for it if there is no decision in this tick; 0: none.
/// @param trace      gets the reasons of the tick; copied; may be NULL.
/// @return PLOY_ERR_STATE at tick 0 and for a simulation that is stopped; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_why_create(ploy_recorder *recorder, ploy_agent_id agent,
                                     uint64_t look_back, const ploy_trace *trace,
                                     const ploy_env *env, ploy_why **out);
/// Destroy it before the recorder. NULL is allowed.
PLOY_API void ploy_why_destroy(ploy_why *why);
/// Goes on as far as the budget allows, which counts ticks executed; the recorder is where it was
/// afterwards, bit for bit. NULL budget: no limit.
/// @return PLOY_IN_PROGRESS; PLOY_OK when done; PLOY_ERR_CANCELLED if the recorder forgot that past
///         meanwhile; otherwise as ploy_recorder_why. After an error it is over.
PLOY_API ploy_result ploy_why_step(ploy_why *why, ploy_budget *budget);
/// The last tick with a decision, once step returned PLOY_OK; 0 if none was found.
PLOY_API uint64_t ploy_why_last_tick(const ploy_why *why);

/// A second simulation beside the first, brought to the present tick by executing it again; its
/// record ends there. To do that in slices, save and load instead, and seek.
/// @return PLOY_ERR_STATE if it came out differently.
PLOY_API ploy_result ploy_recorder_fork(const ploy_recorder *recorder, const ploy_env *env,
                                        ploy_recorder **out);

/// Inputs in the log, and one of them with the tick before which it was applied (or, equal to the
/// end, will be); NULL out of range. Valid until the next input. tick may be NULL.
PLOY_API int32_t ploy_recorder_input_count(const ploy_recorder *recorder);
PLOY_API const ploy_input *ploy_recorder_input_at(const ploy_recorder *recorder, int32_t index,
                                                  uint64_t *tick);

/// Writes the whole record, to its end, wherever the recorder is.
/// @return the writer's failure; PLOY_ERR_STATE if the simulation is stopped by a failure that the
///         recorder could not come back from.
PLOY_API ploy_result ploy_recorder_save(const ploy_recorder *recorder, ploy_writer *writer);

/// A recording that is written while it is made, so that a run that is killed leaves what it did so far.
/// Plain data of the caller; everything in it is the stream's.
typedef struct ploy_recording_stream {
    ploy_writer *to;    ///< borrowed
    ploy_hasher hasher; ///< of all bytes so far
    int64_t hashes;     ///< written so far
    int64_t inputs;     ///< written so far
} ploy_recording_stream;

/// Begins a stream with the header and all that is recorded up to now.
/// @return the writer's failure.
PLOY_API ploy_result ploy_recording_stream_begin(ploy_recording_stream *stream,
                                                 const ploy_recorder *recorder,
                                                 ploy_writer *writer);
/// Appends what was recorded since: call it after every step, or every few.
/// @return the writer's failure; PLOY_ERR_STATE if what was written is no longer in the recorder: it
///         went back and took another course.
PLOY_API ploy_result ploy_recording_stream_step(ploy_recording_stream *stream,
                                                const ploy_recorder *recorder);
/// Appends the rest and the end line. The bytes are those of ploy_recorder_save.
/// @return as step and save.
PLOY_API ploy_result ploy_recording_stream_end(ploy_recording_stream *stream,
                                               const ploy_recorder *recorder);

/// Opens a recording: finds its type in the NULL-ended list and checks everything that can be
/// checked without running. The recorder is at tick 0 with its end where the recording ended;
/// seek executes and verifies. A file without an end line, as a killed run leaves it, is opened up to its
/// last hash, with a warning in diags.
/// @param name   of the file, for messages.
/// @param def    NULL for the default; seed and hash_every come from the file.
/// @param diags  may be NULL; line and column of what is wrong.
/// @return PLOY_ERR_VERSION for a newer file, another definition of the simulation or another first
///         state, PLOY_ERR_FORMAT for an altered file and for one
///         that is truncated before its first hash, PLOY_ERR_NOT_FOUND for an
///         unknown simulation, PLOY_ERR_LIMIT for more inputs than def allows, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_recorder_load(const void *bytes, size_t size, const char *name,
                                        const ploy_sim_type *const *types,
                                        const ploy_recorder_def *def, const ploy_jobs *jobs,
                                        const ploy_env *env, ploy_diags *diags,
                                        ploy_recorder **out);

PLOY_API void ploy_recorder_memory(const ploy_recorder *recorder, ploy_memory_fn fn, void *user);
