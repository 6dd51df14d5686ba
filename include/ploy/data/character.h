/// @file ploy/data/character.h
/// Characters ready to use: body, path, senses, memory and mind in one, with sensible defaults.
///
/// A ploy_cast holds the characters of one place. It is made of public parts, and each can be
/// reached or replaced: bodies are agents of a ploy_crowd, which is the one owner of positions and
/// velocities; paths come from a ploy_navigator each, over any path service; eyes are a
/// ploy_sight_def, ears a sensor of a ploy_senses; what was sensed is in a ploy_sense_memory; minds
/// are ploy_behavior of any technique, registered in a ploy_engine. Everything else is a view over
/// the cast: ploy_cast_poses is the pose source of senses, triggers and events,
/// ploy_crowd_agents(ploy_cast_crowd(cast)) the kinematics that steering reads.
///
///     ploy_cast_create(&def, &place, &env, &cast);
///     ploy_cast_add(cast, &guard, board, mind, at, 0, &id);         // or ploy_cast_add_kind
///     for (;;) {
///         ploy_cast_look(cast, id, enemy, now, trace);              // eyes to memory
///         ploy_engine_step(engine, dt, &budget, &frame);            // minds call ploy_cast_go
///         ploy_cast_step(cast, dt, NULL);                           // paths, crowd, turning
///     }
///
/// A character has one id for everything: in the cast, the crowd, the engine, senses and telegrams.
/// Filled from a file: name a section `{"character", ploy_character_fields}` in the
/// ploy_character_source and call ploy_cast_add_kind.
///
/// Units: metres, seconds, radians. Cost: that of the parts. A step allocates what paths need.
/// Threads: one caller at a time.
#pragma once

#include "ploy/data/characters.h"
#include "ploy/exec/engine.h"
#include "ploy/move/crowd.h"
#include "ploy/path/navigator.h"
#include "ploy/world/sense_memory.h"
#include "ploy/world/senses.h"
#include "ploy/world/sight.h"

/// Settings of one kind of character. Start from ploy_character_def_default().
typedef struct ploy_character_def {
    uint32_t cookie;
    float radius;        ///< m, of the body
    float max_speed;     ///< m/s
    float turn_rate;     ///< rad/s, toward where it goes
    float hearing;       ///< least intensity that it hears; 0: it is deaf
    int32_t think_every; ///< ticks between two thoughts, spread over the ticks
    ploy_sight_def sight;
    ploy_sense_memory_def memory;
    ploy_navigator_def navigator; ///< its max_speed is not used
} ploy_character_def;

PLOY_API ploy_character_def ploy_character_def_default(void);
PLOY_API ploy_fields ploy_character_fields(void);

/// One character. The parts may be used directly; what is marked so may be changed.
typedef struct ploy_character {
    ploy_agent_id id; ///< none: no character
    ploy_character_def def;
    float orientation; ///< rad; may be changed
    float speed;       ///< m/s that it walks with; set by go; may be changed
    float turn;        ///< rad/s while it does not walk: looking round; may be changed
    ploy_navigator *navigator;
    ploy_sense_memory *memory;
    ploy_blackboard *board; ///< NULL: none
    ploy_engine_id mind;    ///< in the engine; none without one
} ploy_character;

typedef struct ploy_cast_def {
    uint32_t cookie;
    int32_t modality;     ///< of the senses that `hearing` is about
    ploy_crowd_def crowd; ///< its capacity is that of the cast
} ploy_cast_def;

PLOY_API ploy_cast_def ploy_cast_def_default(void);
PLOY_API ploy_fields ploy_cast_fields(void);

/// Where they live. Borrowed; any part may be missing (all zero).
typedef struct ploy_cast_place {
    ploy_path_service service; ///< none: ploy_cast_go returns an error
    const ploy_scene *scene;   ///< what hides; NULL: nothing does
    const ploy_rings *walls;   ///< what bodies keep away from; copied; NULL: nothing
    ploy_engine *engine;       ///< steps the minds
} ploy_cast_place;

/// The characters of a place. Opaque.
typedef struct ploy_cast ploy_cast;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cast_create(const ploy_cast_def *def, const ploy_cast_place *place,
                                      const ploy_env *env, ploy_cast **out);
/// Destroys the characters with their boards; minds are the engine's: destroy that first. NULL is
/// allowed.
PLOY_API void ploy_cast_destroy(ploy_cast *cast);

/// Adds a character and registers its mind.
/// @param board  taken over on success; may be NULL.
/// @param mind   registered in the engine on success; none is allowed.
/// @return PLOY_ERR_ARGUMENT, also for a mind without an engine; PLOY_ERR_CAPACITY; PLOY_ERR_MEMORY.
///         Board and mind are the caller's then.
PLOY_API ploy_result ploy_cast_add(ploy_cast *cast, const ploy_character_def *def,
                                   ploy_blackboard *board, ploy_behavior mind, ploy_vec2 position,
                                   float orientation, ploy_agent_id *out);
/// Adds one of a kind from a file: its section "character" is the def, if the source has one, its
/// layout and values the board, its mind the mind.
/// @return as ploy_characters_make and ploy_cast_add; nothing is left then.
PLOY_API ploy_result ploy_cast_add_kind(ploy_cast *cast, const ploy_characters *kinds,
                                        int32_t index, ploy_vec2 position, float orientation,
                                        ploy_agent_id *out);
/// Removes one, with its mind and its sensor. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE as
/// ploy_engine_unregister.
PLOY_API ploy_result ploy_cast_remove(ploy_cast *cast, ploy_agent_id id);

/// A character; NULL if there is none. Valid until it is removed.
PLOY_API ploy_character *ploy_cast_get(const ploy_cast *cast, ploy_agent_id id);
/// By place, 0 to ploy_crowd_places - 1; NULL where there is none.
PLOY_API ploy_character *ploy_cast_at(const ploy_cast *cast, int32_t place);
/// The owner of positions and velocities.
PLOY_API ploy_crowd *ploy_cast_crowd(const ploy_cast *cast);
/// Position, orientation and body of any character, for senses, triggers and events.
PLOY_API ploy_pose_source ploy_cast_poses(const ploy_cast *cast);
/// m; zero for an unknown one.
PLOY_API ploy_vec2 ploy_cast_position(const ploy_cast *cast, ploy_agent_id id);
/// Puts it somewhere else, at rest and without a path. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_cast_move_to(ploy_cast *cast, ploy_agent_id id, ploy_vec2 position);

/// Gives every character that can hear a sensor of the senses, those added later too.
/// @param senses  borrowed; must outlive the cast. @return as ploy_senses_add_sensor.
PLOY_API ploy_result ploy_cast_connect_senses(ploy_cast *cast, ploy_senses *senses);
/// One looks at another with its eyes, and remembers. @return what it sees; not seen for an unknown
/// one.
PLOY_API ploy_sight ploy_cast_look(ploy_cast *cast, ploy_agent_id observer, ploy_agent_id target,
                                   double now, ploy_trace *trace);

/// Sends it to a place at a speed. The number names the trip: stop ends that one only, so that a
/// leaf which is halted does not end the trip of the leaf that took over.
/// @param trip  may be NULL. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE without a path service; as
///              ploy_path_service_request.
PLOY_API ploy_result ploy_cast_go(ploy_cast *cast, ploy_agent_id id, ploy_vec2 to, float speed,
                                  uint32_t *trip);
/// Ends a trip if it is still the present one. @return true if it was.
PLOY_API bool ploy_cast_stop(ploy_cast *cast, ploy_agent_id id, uint32_t trip);

/// One tick of all bodies: paths, velocities, the crowd's step, turning.
/// @return the first error of a path service; PLOY_ERR_ARGUMENT for dt. The others are stepped then,
///         too.
PLOY_API ploy_result ploy_cast_step(ploy_cast *cast, float dt, const ploy_jobs *jobs);

/// Visits a ploy_cast (ploy/base/visit.h): bodies, paths, memories. Boards and minds are visited by
/// the engine. A load needs a cast with the same characters.
PLOY_API void ploy_cast_visit(ploy_visit *v, void *cast);
PLOY_API void ploy_cast_describe(const ploy_cast *cast, ploy_describe *out);
/// Bodies, fields of view, paths, memories.
PLOY_API void ploy_cast_draw(const ploy_cast *cast, double now, ploy_draw *out);
PLOY_API void ploy_cast_memory(const ploy_cast *cast, ploy_memory_fn fn, void *user);
