/// @file ploy/data/save.h
/// Saved games by stable ids: a JSON file of everything that has state, which survives edited
/// definitions.
///
/// A recording (ploy/inspect/recorder.h) is exact and is opened by executing it again; one changed
/// number in a tree makes another game of it. This is the other kind: states are stored by the names
/// of the definitions' parts, so that a save is loaded into a game whose trees, machines and rules
/// were edited since. What cannot be matched starts again, and diags name it. The guide page
/// docs/guide/data-saves.md compares both.
///
///     ploy_save save = ploy_save_make("mygame", 3);
///     save.visit = game_visit, save.object = game;       // cast, telegrams, senses, planners, ...
///     save.engine = engine;                              // clocks, boards, minds
///     ploy_save_write(&save, &writer);
///     ...
///     ploy_save_load(&save, bytes, size, "slot1.json", &env, diags);   // into a game just made
///
/// Cost: that of the visitors. Threads: one caller at a time.
#pragma once

#include "ploy/base/visit.h"
#include "ploy/exec/engine.h"

/// The format that is written; newer ones are refused.
#define PLOY_SAVE_FORMAT 1

/// What is saved. Plain data; start from ploy_save_make.
typedef struct ploy_save {
    const char *game;               ///< whose save it is; others are refused
    uint32_t version;               ///< of the game's own state; newer saves are refused
    ploy_visitor visit;             ///< all state but the engine's; NULL: none
    void *object;                   ///< of visit
    void *context;                  ///< of visit; may be NULL
    ploy_engine *engine;            ///< NULL: none
    const ploy_engine_frame *frame; ///< for the minds' loads, as for a step; may be NULL
} ploy_save;

PLOY_API ploy_save ploy_save_make(const char *game, uint32_t version);

/// Writes everything as JSON. The same state gives the same bytes.
/// @return PLOY_ERR_ARGUMENT, the writer's failure.
PLOY_API ploy_result ploy_save_write(const ploy_save *save, ploy_writer *out);

/// Loads a save into a game that was made the same way and has not stepped yet (as
/// ploy_engine_load).
/// @param name   of the file, for messages.
/// @param diags  faults with their places; warnings for what restarts: tree nodes, states, keys that
///               no longer exist. May be NULL.
/// @return PLOY_ERR_FORMAT for a truncated or altered file and one of another game,
///         PLOY_ERR_VERSION for a newer one; PLOY_ERR_STATE, PLOY_ERR_MEMORY. The game is as it was
///         then.
PLOY_API ploy_result ploy_save_load(const ploy_save *save, const void *bytes, size_t size,
                                    const char *name, const ploy_env *env, ploy_diags *diags);
