/// @file ploy/exec/sim.h
/// A simulation: what labs and games are, and what the recorder, the command line, benchmarks and
/// the studio run.
///
/// A ploy_sim_type is an immutable description (name, parameters, inputs, functions); ploy_sim is
/// one run of it. All state lives in one region, so that a snapshot is a copy and a rewind is
/// exact. Everything from outside (a parameter change, a command, a reload, units spent at a
/// deadline) is a typed ploy_input applied at a tick boundary in arrival order. Same type,
/// parameters, seed and inputs: same bits, everywhere.
///
/// Threads: one caller at a time for each sim; different sims are independent.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/jobs.h"
#include "ploy/base/region.h"
#include "ploy/base/rng.h"
#include "ploy/base/trace.h"
#include "ploy/base/writer.h"
#include "ploy/exec/workload.h"
#include "ploy/geom/draw.h"

typedef enum ploy_input_kind {
    PLOY_INPUT_PARAMETER, ///< name = path in the field table, value
    PLOY_INPUT_COMMAND,   ///< name = one of the type's commands, agent, value
    PLOY_INPUT_RELOAD,    ///< name = definition, bytes = its new contents
    PLOY_INPUT_UNITS      ///< name = who, value = u64 units actually spent at a deadline
} ploy_input_kind;

/// "parameter", "command", "reload", "units".
PLOY_API const char *ploy_input_kind_text(ploy_input_kind kind);

typedef struct ploy_input {
    ploy_input_kind kind;
    const char *name; ///< borrowed
    ploy_agent_id agent;
    ploy_value value;
    const void *bytes; ///< borrowed; of a reload
    size_t size;
} ploy_input;

/// A command that a simulation accepts, for menus and checks.
typedef struct ploy_command {
    const char *name;
    const char *help;
    ploy_value_type value; ///< type of its value; PLOY_VALUE_NONE: it has none
    bool needs_agent;
    /// In the studio: a key such as "ArrowUp"; "Pointer" for a click, "Shift Pointer" for one with
    /// shift, "Hover" for the cursor; "Arrows" for a direction; "View" and "Whole" for what its
    /// view shows (docs/inspector-protocol.md, Command); or NULL.
    const char *key;
} ploy_command;

/// A text that a simulation is built from and can reload at run time: a tree, a chart, rules, a
/// map.
typedef struct ploy_definition {
    const char *name;   ///< as in a PLOY_INPUT_RELOAD: "guard"
    const char *format; ///< what such files end with: "xml", "scxml", "json", "fll", "clp", "txt"
    const char *help;   ///< a sentence
} ploy_definition;

/// A part that a definition's text can have, for editors with more than a text field: a kind of
/// stage, node or rule, with its settings.
typedef struct ploy_definition_part {
    const char *name; ///< as the text names it: "dungeon"
    const char *help; ///< one line
    ploy_fields fields;
} ploy_definition_part;

/// A definition's text, kept with the state that was built from it. All zero is none.
typedef struct ploy_definition_text {
    char *bytes;      ///< followed by a zero; NULL for none
    size_t size;      ///< without it
    uint64_t reloads; ///< how often the text was replaced
} ploy_definition_text;

/// Copies the bytes into env (with a step's env they are state) and frees the previous ones.
/// @return PLOY_ERR_MEMORY, with the old text still there.
PLOY_API ploy_result ploy_definition_text_set(ploy_definition_text *text, const void *bytes,
                                              size_t size, const ploy_env *env);
/// Writes it; for a type's write. @return the writer's error.
PLOY_API ploy_result ploy_definition_text_write(const ploy_definition_text *text, ploy_writer *out);
/// Describes how often it was replaced, its hash as STATE, and what the last replacement lost as
/// notes. Before the first replacement it describes nothing, because the type's version stands for
/// the text.
/// @param lost  warnings of ploy_behavior_reload; may be NULL.
PLOY_API void ploy_definition_text_describe(const ploy_definition_text *text, const char *name,
                                            const ploy_diags *lost, ploy_describe *out);

enum {
    PLOY_SIM_PARALLEL = 1,    ///< uses the jobs it is given
    PLOY_SIM_SPATIAL = 2,     ///< draws in three dimensions
    PLOY_SIM_INTERACTIVE = 4, ///< has commands that are worth offering
    PLOY_SIM_RELOADS = 8,     ///< takes PLOY_INPUT_RELOAD; refused otherwise
    PLOY_SIM_DIAGRAM = 32,    ///< draws a diagram, table or board: its units are not metres
    PLOY_SIM_ABOVE = 128,     ///< its flat picture is space seen from above, with the same x and y
    PLOY_SIM_TACTICS = 64,    ///< shows maps of values, queries, orders or squad scripts
    PLOY_SIM_SPEAKS = 16      ///< describes a group "said": texts of the last tick, for people
};

/// Most numbers that one step reports with ploy_sim_measure.
#define PLOY_SIM_MEASURED_MAX 32

/// What a step has measured. Opaque.
typedef struct ploy_sim_measures ploy_sim_measures;

/// What a step gets.
typedef struct ploy_sim_context {
    uint64_t tick; ///< of the step that runs: 0 in the first
    float dt;      ///< s, fixed by the type
    /// Every input of this tick, checked; values have the type that the command names, and
    /// parameters are set already.
    const ploy_input *inputs;
    int32_t input_count;
    ploy_rng_key key;      ///< made from the seed; draw with (key, agent, tick, draw)
    ploy_trace *trace;     ///< NULL in production
    ploy_arena *scratch;   ///< reset after the step
    const ploy_jobs *jobs; ///< NULL: in the calling thread
    const void *params;    ///< the parameters as they are now
    const ploy_env *env;   ///< of the region: what is allocated here is state; its user is the
                           ///< pointer of the env that the simulation was created with
    /// The tick was executed before: what was measured then is among the inputs, and nothing is
    /// measured again.
    bool repeats;
    ploy_sim_measures *measures; ///< for ploy_sim_measure; NULL: nothing is kept
} ploy_sim_context;

/// Reports a number that another run of this tick would measure differently: the units spent until
/// a deadline, or the place where memory ended a script. A recorder adds it to the inputs of the
/// tick, as PLOY_INPUT_UNITS; a replay finds it there.
/// @param name  who; must live as long as the type.
/// @return PLOY_ERR_CAPACITY after PLOY_SIM_MEASURED_MAX numbers in one step.
PLOY_API ploy_result ploy_sim_measure(const ploy_sim_context *context, const char *name,
                                      uint64_t value);

/// Longest tick, in seconds.
#define PLOY_SIM_DT_MAX_S 60.0f

/// The description of a simulation. Immutable; must outlive its runs.
typedef struct ploy_sim_type {
    const char *name;  ///< "seek"
    const char *title; ///< "Seek, arrive, wander"
    const char *help;  ///< a sentence or two
    uint32_t version;  ///< raise when the same inputs give another run
    uint32_t capabilities;
    float dt;                    ///< s, length of a tick; 0 < dt <= PLOY_SIM_DT_MAX_S
    float view[4];               ///< initial view: min x, min y, max x, max y
    ploy_fields (*fields)(void); ///< parameters
    const ploy_command *commands;
    int32_t command_count;
    /// Builds the state in env (the region's) from checked parameters. On failure it need not free
    /// anything: the region is discarded. env->user is the pointer of the env that the simulation
    /// was created with (level texts, tables, meshes: what is shared and does not change).
    ploy_result (*create)(const void *params, ploy_rng_key key, const ploy_env *env, void **out);
    /// Frees the state; may be NULL, because the region is freed with the simulation.
    void (*destroy)(void *state);
    ploy_result (*step)(void *state, const ploy_sim_context *context);
    void (*draw)(const void *state, ploy_draw *out); ///< may be NULL
    /// Describes everything that the future depends on as STATE; the hash is computed from it.
    void (*describe)(const void *state, ploy_describe *out);
    /// Returns what thinking cost in the last tick; false if there was none. May be NULL.
    bool (*load)(const void *state, ploy_workload *out);
    /// The definitions that may be reloaded. If there are any, an input for another name is
    /// refused. The texts are state: they are in the region, so that a rewind brings the old one
    /// back.
    const ploy_definition *definitions;
    int32_t definition_count;
    /// Writes the current text of a definition (by its index).
    ploy_result (*write)(const void *state, int32_t definition, ploy_writer *out);
    /// Reads a new text, reports every fault and changes nothing. A step can use whatever this
    /// accepts, so that a text with a fault never reaches a running simulation.
    /// @param env  not the region's: what it allocates is not state.
    ploy_result (*check)(const void *state, int32_t definition, const void *bytes, size_t size,
                         const ploy_env *env, ploy_diags *diags);
    /// Part 0, 1, ... of a definition (by its index); false past the last one. May be NULL.
    bool (*part)(int32_t definition, int32_t index, ploy_definition_part *out);
    /// Returns the release of an interpreter that the run depends on, such as ploy_lua_version():
    /// recordings store it, and one of another release is refused. May be NULL: none.
    const char *(*runtime)(void);
} ploy_sim_type;

/// One run. Opaque.
typedef struct ploy_sim ploy_sim;

typedef struct ploy_sim_def {
    uint32_t cookie;
    int32_t region_mib; ///< MiB of addresses reserved for the state
    uint64_t seed;
} ploy_sim_def;

PLOY_API ploy_sim_def ploy_sim_def_default(void);
PLOY_API ploy_fields ploy_sim_fields(void);

/// Starts a run, at tick 0.
/// @param params  of the type's def, or NULL for its defaults; copied.
/// @param jobs    kept; may be NULL.
/// @return PLOY_ERR_ARGUMENT for a def or parameters out of range or a type that lacks something
///         (the log names it); whatever the type's create returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_sim_create(const ploy_sim_def *def, const ploy_sim_type *type,
                                     const void *params, const ploy_jobs *jobs, const ploy_env *env,
                                     ploy_sim **out);
PLOY_API void ploy_sim_destroy(ploy_sim *sim);

/// Checks an input against the type: known name, right value, live parameter. Changes nothing.
/// @return PLOY_ERR_NOT_FOUND for a name the type does not know, PLOY_ERR_DENIED for a parameter
///         that is fixed at create, PLOY_ERR_ARGUMENT for a wrong value or a missing agent,
///         PLOY_ERR_UNSUPPORTED for a reload of a type that takes none, what the type's check
///         returned for a definition with faults. diags may be NULL.
PLOY_API ploy_result ploy_sim_check_input(const ploy_sim *sim, const ploy_input *input,
                                          ploy_diags *diags);

/// Writes a definition as it is at this tick: what a PLOY_INPUT_RELOAD of that name replaces.
/// @return PLOY_ERR_NOT_FOUND if the type has none of that name; what the writer returned.
PLOY_API ploy_result ploy_sim_write_definition(const ploy_sim *sim, const char *name,
                                               ploy_writer *out);

/// Advances one tick: applies the inputs in order, then steps. Inputs that fail the check are
/// refused before anything changes. If the type's step reports an error the simulation is stopped:
/// further steps return PLOY_ERR_STATE until a snapshot is restored.
/// @param trace  NULL, or where decisions report their reasons; never changes a bit of the state.
PLOY_API ploy_result ploy_sim_step(ploy_sim *sim, const ploy_input *inputs, int32_t input_count,
                                   ploy_trace *trace);

/// Whether the next steps were executed before (ploy_sim_context.repeats). False at first.
PLOY_API void ploy_sim_set_repeats(ploy_sim *sim, bool repeats);
/// What the last step measured, as inputs: a replay passes them to the same step.
PLOY_API int32_t ploy_sim_measured_count(const ploy_sim *sim);
/// @param index  0 <= index < ploy_sim_measured_count().
PLOY_API ploy_input ploy_sim_measured(const ploy_sim *sim, int32_t index);

/// Ticks done so far.
PLOY_API uint64_t ploy_sim_tick(const ploy_sim *sim);
PLOY_API const ploy_sim_type *ploy_sim_type_of(const ploy_sim *sim);
PLOY_API uint64_t ploy_sim_seed(const ploy_sim *sim);
/// The parameters as they are now.
PLOY_API const void *ploy_sim_params(const ploy_sim *sim);
/// The state that the type's create returned, for a game that reads its own simulation: score,
/// positions, what to play as sound. Read-only, because a change that is not an input is lost when
/// the tick is executed again. Valid until the next step or restore.
PLOY_API const void *ploy_sim_state(const ploy_sim *sim);
PLOY_API ploy_region *ploy_sim_region(ploy_sim *sim);
/// True from a failed step until a snapshot is restored.
PLOY_API bool ploy_sim_stopped(const ploy_sim *sim);
PLOY_API void ploy_sim_draw(const ploy_sim *sim, ploy_draw *out);
/// What thinking cost in the last tick. @return PLOY_ERR_UNSUPPORTED if the type does not report
/// it, PLOY_ERR_NOT_FOUND if there was no such tick.
PLOY_API ploy_result ploy_sim_workload(const ploy_sim *sim, ploy_workload *out);
/// "tick", the parameters in a group "params" and the type's own description in a group "state".
PLOY_API void ploy_sim_describe(const ploy_sim *sim, ploy_describe *out);
/// Hash of tick, parameters and everything described as STATE.
PLOY_API uint64_t ploy_sim_hash(const ploy_sim *sim);

/// The whole state at this moment; cheap if little has changed since the last snapshot. Snapshots
/// must be destroyed before the simulation; see ploy/base/region.h.
PLOY_API ploy_result ploy_sim_snapshot(ploy_sim *sim, ploy_snapshot **out);
/// Restores a snapshot exactly. It must be of this simulation.
PLOY_API ploy_result ploy_sim_restore(ploy_sim *sim, const ploy_snapshot *snapshot);
PLOY_API void ploy_sim_memory(const ploy_sim *sim, ploy_memory_fn fn, void *user);

/// Plays a match: creates a simulation, steps it without inputs and reads a few described numbers at
/// the end. Nothing of it stays. Many matches may be played at the same time.
/// @param params  NULL: the defaults.
/// @param paths   what is read, as in ploy/base/probe.h; "state.summary.score.x".
/// @param out     one number for each path; set only on PLOY_OK.
/// @param hash    receives the hash at the end; may be NULL.
/// @return PLOY_ERR_NOT_FOUND if a path is not described or not a number, PLOY_ERR_LIMIT for too
///         many paths, or the error of create or step.
PLOY_API ploy_result ploy_sim_play(const ploy_sim_type *type, const void *params, uint64_t seed,
                                   uint64_t ticks, const char *const *paths, int32_t path_count,
                                   const ploy_env *env, double *out, uint64_t *hash);

/// Finds a type by name in a list that ends with NULL; nearest gets the closest name if not found.
PLOY_API const ploy_sim_type *ploy_sim_type_find(const ploy_sim_type *const *types,
                                                 const char *name, const char **nearest);
/// The place of a definition in the type's list, or -1.
PLOY_API int32_t ploy_sim_type_find_definition(const ploy_sim_type *type, const char *name,
                                               const char **nearest);
/// Hash of name, version, tick length, field table, commands and names of definitions: recordings
/// carry it.
PLOY_API uint64_t ploy_sim_type_hash(const ploy_sim_type *type);
