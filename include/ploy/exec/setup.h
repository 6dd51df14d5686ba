/// @file ploy/exec/setup.h
/// Data-driven set-up: characters, their behaviors, schedules and blackboards from a JSON file.
///
///     { "characters": [
///         { "name": "guard", "layout": "soldier", "values": { "health": 80 },
///           "behaviors": [
///             { "kind": "patrol", "params": { "speed": 2 },
///               "schedule": { "period": 4, "auto_phase": true } },
///             { "kind": "bark", "once": true } ] } ] }
///
/// The game lists the kinds of behavior (each a factory with a field table for its parameters) and
/// the blackboard layouts. A file is loaded completely or not at all: if it has faults, all are
/// reported with line, column and the nearest valid name, and nothing is registered. Comments and
/// trailing commas are allowed. Agents are numbered in the order of the file.
///
/// Cost: linear in the file. Threads: one caller at a time.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/exec/engine.h"

/// Most characters, and most behaviors of one, in a file.
#define PLOY_SETUP_CHARACTERS_MAX 100000
#define PLOY_SETUP_BEHAVIORS_MAX 1000

/// One character as it was loaded. Pointers live as long as the set-up.
typedef struct ploy_setup_character {
    const char *name;
    ploy_agent_id agent;
    ploy_blackboard *blackboard; ///< NULL if the file names no layout
} ploy_setup_character;

/// Makes a behavior of one kind.
/// @param params  of the kind's table, checked; NULL if it has none. Valid during the call only.
/// @return an error ends the load; nothing stays registered.
typedef ploy_result (*ploy_setup_create_fn)(void *user, const void *params,
                                            const ploy_setup_character *who, const ploy_env *env,
                                            ploy_behavior *out);

/// A kind of behavior that a file may name.
typedef struct ploy_setup_kind {
    const char *name;
    ploy_fields (*fields)(void); ///< of its parameters; NULL: it has none
    ploy_setup_create_fn create;
    void *user;
} ploy_setup_kind;

/// A layout that a file may name.
typedef struct ploy_setup_layout {
    const char *name;
    const ploy_blackboard_layout *layout; ///< must outlive the set-up
} ploy_setup_layout;

/// What files may refer to; all zero is fine.
typedef struct ploy_setup_source {
    const ploy_setup_kind *kinds;
    int32_t kind_count;
    const ploy_setup_layout *layouts;
    int32_t layout_count;
    uint32_t first_agent; ///< index of the first character's agent; generations are 1
} ploy_setup_source;

/// The loaded file: characters by name, with their blackboards.
typedef struct ploy_setup ploy_setup;

/// Loads a file's bytes into an engine, all or nothing. Not from within a step.
/// @param name   of the file, for messages.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_LIMIT if anything is wrong with the file; PLOY_ERR_ARGUMENT;
///         PLOY_ERR_MEMORY; whatever a factory or ploy_engine_register returned.
PLOY_API ploy_result ploy_setup_load(const void *bytes, size_t size, const char *name,
                                     const ploy_setup_source *source, ploy_engine *engine,
                                     const ploy_env *env, ploy_diags *diags, ploy_setup **out);

/// Unregisters those of the file's behaviors that are still in the engine.
PLOY_API void ploy_setup_unload(ploy_setup *setup, ploy_engine *engine);
/// Frees the characters and their blackboards: after unload, or after the engine. NULL is allowed.
PLOY_API void ploy_setup_destroy(ploy_setup *setup);

PLOY_API int32_t ploy_setup_count(const ploy_setup *setup);
/// In the order of the file; NULL out of range.
PLOY_API const ploy_setup_character *ploy_setup_at(const ploy_setup *setup, int32_t index);
/// By name; NULL if there is none.
PLOY_API const ploy_setup_character *ploy_setup_find(const ploy_setup *setup, const char *name);
