/// @file ploy/data/save.h
/// Saved games by stable ids: a JSON file of all state that can still be loaded after definitions
/// were edited.
///
/// A recording (ploy/inspect/recorder.h) is exact and is opened by executing it again, so one
/// changed number in a tree changes the result. A save instead stores states under the names of the
/// definitions' parts, so that it can be loaded into a game whose trees, machines and rules were
/// edited since. Parts that cannot be matched restart and are reported in diags. The guide page
/// docs/guide/data-saves.md compares both.
///
///     ploy_save save = ploy_save_make("mygame", 3);
///     save.visit = game_visit, save.object = game;       // cast, telegrams, senses, planners, ...
///     save.engine = engine;                              // clocks, boards, minds
///     ploy_save_write(&save, &writer);
///     ...
///     ploy_save_load(&save, bytes, size, "slot1.json", &env, diags);   // into a game just made
///
/// Cost: the sum of the visitors' costs. Threads: one caller at a time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/exec/engine.h"

/// The format version that is written; newer versions are refused.
#define PLOY_SAVE_FORMAT 1

/// What is saved. Plain data; start from ploy_save_make.
typedef struct ploy_save {
    const char *game;               ///< name of the game; saves of other games are refused
    uint32_t version;               ///< of the game's own state; newer saves are refused
    ploy_visitor visit;             ///< all state except the engine's; NULL: none
    void *object;                   ///< of visit
    void *context;                  ///< of visit; may be NULL
    ploy_engine *engine;            ///< NULL: none
    const ploy_engine_frame *frame; ///< for the minds' loads, as for a step; may be NULL
} ploy_save;

PLOY_API ploy_save ploy_save_make(const char *game, uint32_t version);

/// Writes all state as JSON. The same state gives the same bytes.
/// @return PLOY_ERR_ARGUMENT, or the writer's error.
PLOY_API ploy_result ploy_save_write(const ploy_save *save, ploy_writer *out);

/// Writes a save to a file. @return as ploy_save_write and ploy_os_write_file.
PLOY_API ploy_result ploy_save_write_file(const ploy_save *save, const char *path,
                                          const ploy_env *env);

/// Loads a save into a game that was made the same way and has not stepped yet (as
/// ploy_engine_load).
/// @param name   of the file, for messages.
/// @param diags  faults with their positions; warnings for whatever restarts: tree nodes, states
///               and keys that no longer exist. May be NULL.
/// @return PLOY_ERR_FORMAT for a truncated or altered file or one of another game, PLOY_ERR_VERSION
///         for a newer one; PLOY_ERR_STATE, PLOY_ERR_MEMORY. Then the game is unchanged.
PLOY_API ploy_result ploy_save_load(const ploy_save *save, const void *bytes, size_t size,
                                    const char *name, const ploy_env *env, ploy_diags *diags);
