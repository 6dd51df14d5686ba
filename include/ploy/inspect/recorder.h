/// @file ploy/inspect/recorder.h
/// The recorder: a simulation with its history. Rewind, step back, fork, ask why, save and load.
///
/// Time travel is re-execution: the recorder keeps the inputs, occasional snapshots, and a state
/// hash every few ticks. Going to tick T restores the nearest snapshot at or before T and steps
/// from there. Each recorded hash on the way is compared, so a simulation that is not repeatable is
/// detected at once (PLOY_ERR_STATE and a message in the log).
///
/// Snapshots are taken every few ticks and thinned out when their memory is full. The snapshot
/// removed is the one whose gap is smallest in proportion to its distance from the present, so the
/// near past stays dense and the far past becomes sparse. Going back d ticks executes at most
/// snapshot_every ticks while nothing is thinned out; after that at most about d / 2 if 32
/// snapshots fit, d / 5 if 64 fit. The snapshot of tick 0 is always kept.
///
/// A recording file holds versions, definition hashes, seed, parameters, the input log and the
/// hashes, but no snapshots. A loaded recording is executed again. docs/recording-format.md
/// describes the bytes.
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
    int32_t snapshot_mib;   ///< MiB for snapshots; beyond that they are thinned out
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

/// Checks an input, copies it and queues it for the next step. If the recorder is in the past,
/// everything recorded after the present tick is dropped, including the logged inputs: a new future
/// begins. @return as ploy_sim_check_input; PLOY_ERR_CAPACITY if the log is full; PLOY_ERR_MEMORY.
/// On failure nothing is dropped.
PLOY_API ploy_result ploy_recorder_input(ploy_recorder *recorder, const ploy_input *input,
                                         ploy_diags *diags);

/// Advances by one tick: in the past with the logged inputs, at the end with the queued inputs. If
/// the simulation's step fails, the recorder returns to the tick it was at (by re-execution) and
/// returns the error.
/// @return PLOY_ERR_STATE if the state differs from what was recorded for the new tick; the
///         recorder is then at the new tick.
PLOY_API ploy_result ploy_recorder_step(ploy_recorder *recorder);

/// Goes to a tick, backward or forward; a tick beyond the end of the record means its end. Long
/// seeks may be split into slices: the budget counts ticks executed, PLOY_IN_PROGRESS means call
/// again, and until then the recorder is somewhere in between. NULL budget: no limit.
/// @return as ploy_recorder_step.
PLOY_API ploy_result ploy_recorder_seek(ploy_recorder *recorder, uint64_t tick,
                                        ploy_budget *budget);

/// Returns the present tick.
PLOY_API uint64_t ploy_recorder_tick(const ploy_recorder *recorder);
/// Returns the last tick recorded, or the last tick of the loaded recording.
PLOY_API uint64_t ploy_recorder_end(const ploy_recorder *recorder);
PLOY_API const ploy_sim *ploy_recorder_sim(const ploy_recorder *recorder);

/// Reports every tick that step and seek execute from now on to a trace, for callers that log all
/// decisions. A run with a trace has the same states as a run without. Ticks executed only to
/// return to a tick (why, a failed step) are not reported.
/// @param trace  copied; NULL: stops reporting.
PLOY_API void ploy_recorder_set_trace(ploy_recorder *recorder, const ploy_trace *trace);

/// Executes the present tick again with a trace, which reports why each agent acts as it does now.
/// The state afterwards is the same, bit for bit, even on failure.
/// @return PLOY_ERR_STATE at tick 0, which has no decisions, or if the tick came out differently
///         this time.
PLOY_API ploy_result ploy_recorder_why(ploy_recorder *recorder, ploy_trace *trace);

/// Finds the last tick, up to and including the present one, in which an agent decided something,
/// by executing the earlier ticks again with a trace. Seek there and call ploy_recorder_why for the
/// reasons. The state afterwards is the same, bit for bit, even on failure.
/// @param agent  none: any agent.
/// @param most   most ticks to look back.
/// @return PLOY_ERR_NOT_FOUND if there was no decision in those ticks; as ploy_recorder_why.
PLOY_API ploy_result ploy_recorder_last_decision(ploy_recorder *recorder, ploy_agent_id agent,
                                                 uint64_t most, uint64_t *out);

/// The same two queries in slices, for a program that must not stall. Opaque.
typedef struct ploy_why ploy_why;

/// Starts a query at the present tick. The recorder may advance between two slices.
/// @param agent      the agent whose last decision to find; none: any agent.
/// @param look_back  ticks to search backward if there is no decision in this tick; 0: none.
/// @param trace      receives the reasons of the tick; copied; may be NULL.
/// @return PLOY_ERR_STATE at tick 0 and for a stopped simulation; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_why_create(ploy_recorder *recorder, ploy_agent_id agent,
                                     uint64_t look_back, const ploy_trace *trace,
                                     const ploy_env *env, ploy_why **out);
/// Starts a query at an earlier tick, as ploy_why_create, but without moving the recorder to that
/// tick. The state of the tick is not compared with what was recorded.
/// @param tick  1 to the current tick.
/// @return PLOY_ERR_ARGUMENT for another tick; otherwise as ploy_why_create.
PLOY_API ploy_result ploy_why_create_at(ploy_recorder *recorder, uint64_t tick, ploy_agent_id agent,
                                        uint64_t look_back, const ploy_trace *trace,
                                        const ploy_env *env, ploy_why **out);
/// Destroy it before the recorder. NULL is allowed.
PLOY_API void ploy_why_destroy(ploy_why *why);
/// Continues as far as the budget allows, which counts ticks executed. Afterwards the recorder is
/// in the same state as before, bit for bit. NULL budget: no limit.
/// @return PLOY_IN_PROGRESS; PLOY_OK when done; PLOY_ERR_CANCELLED if the recorder has dropped that
///         past; otherwise as ploy_recorder_why. An error ends the query.
PLOY_API ploy_result ploy_why_step(ploy_why *why, ploy_budget *budget);
/// Returns the last tick with a decision, once step has returned PLOY_OK; 0 if none was found.
PLOY_API uint64_t ploy_why_last_tick(const ploy_why *why);

/// Creates a second recorder with the same history, brought to the present tick by executing it
/// again; its record ends there. To fork in slices, save, load and seek instead.
/// @return PLOY_ERR_STATE if it came out differently.
PLOY_API ploy_result ploy_recorder_fork(const ploy_recorder *recorder, const ploy_env *env,
                                        ploy_recorder **out);

/// The number of inputs in the log, and one input with the tick before which it was applied (or, if
/// equal to the end, will be applied). NULL if out of range. Valid until the next input. tick may
/// be NULL.
PLOY_API int32_t ploy_recorder_input_count(const ploy_recorder *recorder);
PLOY_API const ploy_input *ploy_recorder_input_at(const ploy_recorder *recorder, int32_t index,
                                                  uint64_t *tick);

/// Writes the whole record up to its end, whatever the present tick.
/// @return the writer's failure; PLOY_ERR_STATE if the simulation is stopped by a failure from
///         which the recorder could not recover.
PLOY_API ploy_result ploy_recorder_save(const ploy_recorder *recorder, ploy_writer *writer);
/// Writes the record to a file. @return as ploy_recorder_save and ploy_os_write_file.
PLOY_API ploy_result ploy_recorder_save_file(const ploy_recorder *recorder, const char *path,
                                             const ploy_env *env);

/// A recording that is written during the run, so that a killed run leaves a recording up to that
/// point. Caller-owned; its contents are private.
typedef struct ploy_recording_stream {
    ploy_writer *to;    ///< borrowed
    ploy_hasher hasher; ///< of all bytes so far
    int64_t hashes;     ///< written so far
    int64_t inputs;     ///< written so far
} ploy_recording_stream;

/// Begins a stream with the header and everything recorded up to now.
/// @return the writer's failure.
PLOY_API ploy_result ploy_recording_stream_begin(ploy_recording_stream *stream,
                                                 const ploy_recorder *recorder,
                                                 ploy_writer *writer);
/// Appends what was recorded since the last call. Call it after every step, or every few steps.
/// @return the writer's failure; PLOY_ERR_STATE if what was written is no longer in the recorder,
///         because it went back and dropped that future.
PLOY_API ploy_result ploy_recording_stream_step(ploy_recording_stream *stream,
                                                const ploy_recorder *recorder);
/// Appends the rest and the end line. The bytes are the same as those of ploy_recorder_save.
/// @return as step and save.
PLOY_API ploy_result ploy_recording_stream_end(ploy_recording_stream *stream,
                                               const ploy_recorder *recorder);

/// Loads a recording: finds its type in the NULL-terminated list and checks everything that can be
/// checked without running. The recorder is at tick 0, and its end is the end of the recording;
/// seek executes and verifies. A file without an end line, as left by a killed run, is loaded up to
/// its last hash, with a warning in diags.
/// @param name   of the file, for messages.
/// @param def    NULL for the default; seed and hash_every come from the file.
/// @param diags  may be NULL; receives line and column of each fault.
/// @return PLOY_ERR_VERSION for a newer file, a different definition of the simulation or a
///         different first state, PLOY_ERR_FORMAT for a file that was altered or is truncated
///         before its first hash, PLOY_ERR_NOT_FOUND for an unknown simulation, PLOY_ERR_LIMIT for
///         more inputs than def allows, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_recorder_load(const void *bytes, size_t size, const char *name,
                                        const ploy_sim_type *const *types,
                                        const ploy_recorder_def *def, const ploy_jobs *jobs,
                                        const ploy_env *env, ploy_diags *diags,
                                        ploy_recorder **out);

PLOY_API void ploy_recorder_memory(const ploy_recorder *recorder, ploy_memory_fn fn, void *user);
