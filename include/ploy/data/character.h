/// @file ploy/data/character.h
/// Ready-to-use characters: body, path, senses, memory and mind in one, with sensible defaults.
///
/// A ploy_cast holds the characters of one place. It is made of public parts, each of which can be
/// accessed or replaced: bodies are agents of a ploy_crowd, which is the only owner of positions
/// and velocities; each character has a ploy_navigator for paths over any path service; eyes are a
/// ploy_sight_def, ears a sensor of a ploy_senses; a ploy_sense_memory stores what was sensed;
/// minds are ploy_behaviors of any technique, registered in a ploy_engine. Everything else is a
/// view over the cast: ploy_cast_poses is the pose source of senses, triggers and events,
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
/// To load characters from a file, add a section `{"character", ploy_character_fields}` to the
/// ploy_character_source and call ploy_cast_add_kind.
///
/// Units: metres, seconds, radians. Cost: the sum of the parts' costs. A step allocates only for
/// paths. Threads: one caller at a time.
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
    float turn_rate;     ///< rad/s, toward its direction of motion
    float hearing;       ///< minimum intensity that it hears; 0: deaf
    int32_t think_every; ///< ticks between two thoughts, spread over the ticks
    float step_noise;    ///< strength of its footsteps in a ploy_site; 0: silent
    float quiet_speed;   ///< m/s; at most this fast, its footsteps are silent
    float stride;        ///< m between two footsteps
    ploy_sight_def sight;
    ploy_sense_memory_def memory;
    ploy_navigator_def navigator; ///< its max_speed is not used
} ploy_character_def;

PLOY_API ploy_character_def ploy_character_def_default(void);
PLOY_API ploy_fields ploy_character_fields(void);

/// One character. The parts may be used directly; only members marked so may be changed.
typedef struct ploy_character {
    ploy_agent_id id; ///< none: no character
    ploy_character_def def;
    float orientation; ///< rad; may be changed
    float speed;       ///< m/s, walking speed; set by go; may be changed
    float turn;        ///< rad/s while not walking, to look around; may be changed
    uint32_t turns;    ///< how often ploy_cast_turn was called
    float walked;      ///< m since its last footstep
    ploy_navigator *navigator;
    ploy_sense_memory *memory;
    ploy_blackboard *board; ///< NULL: none
    ploy_engine_id mind;    ///< in the engine; none without one
} ploy_character;

typedef struct ploy_cast_def {
    uint32_t cookie;
    int32_t modality;     ///< modality of the senses to which `hearing` applies
    ploy_crowd_def crowd; ///< its capacity is that of the cast
} ploy_cast_def;

PLOY_API ploy_cast_def ploy_cast_def_default(void);
PLOY_API ploy_fields ploy_cast_fields(void);

/// The surroundings of the characters. Borrowed; any part may be missing (all zero).
typedef struct ploy_cast_place {
    ploy_path_service service; ///< none: ploy_cast_go returns an error
    const ploy_scene *scene;   ///< blocks sight; NULL: nothing does
    const ploy_rings *walls;   ///< what bodies keep away from; copied; NULL: nothing
    ploy_engine *engine;       ///< steps the minds
} ploy_cast_place;

/// The characters of a place. Opaque.
typedef struct ploy_cast ploy_cast;

/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_cast_create(const ploy_cast_def *def, const ploy_cast_place *place,
                                      const ploy_env *env, ploy_cast **out);
/// Destroys the characters with their boards. The engine owns the minds: destroy the engine first,
/// or call ploy_cast_clear if it lives on. NULL is allowed.
PLOY_API void ploy_cast_destroy(ploy_cast *cast);

/// Adds a character and registers its mind.
/// @param board  taken over on success; may be NULL.
/// @param mind   registered in the engine on success; none is allowed.
/// @return PLOY_ERR_ARGUMENT, also for a mind without an engine; PLOY_ERR_CAPACITY;
///         PLOY_ERR_MEMORY.
///         Then the caller still owns board and mind.
PLOY_API ploy_result ploy_cast_add(ploy_cast *cast, const ploy_character_def *def,
                                   ploy_blackboard *board, ploy_behavior mind, ploy_vec2 position,
                                   float orientation, ploy_agent_id *out);
/// Adds a character of a kind from a file: its section "character" gives the def (if the source has
/// that section), its layout and values the board, and its mind the mind.
/// @return as ploy_characters_make and ploy_cast_add; on an error nothing is left allocated.
PLOY_API ploy_result ploy_cast_add_kind(ploy_cast *cast, const ploy_characters *kinds,
                                        int32_t index, ploy_vec2 position, float orientation,
                                        ploy_agent_id *out);
/// Removes a character with its mind and its sensor. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE as
/// ploy_engine_unregister.
PLOY_API ploy_result ploy_cast_remove(ploy_cast *cast, ploy_agent_id id);
/// Removes all characters. @return the first error of ploy_cast_remove.
PLOY_API ploy_result ploy_cast_clear(ploy_cast *cast);

/// Returns a character; NULL if there is none. Valid until the character is removed.
PLOY_API ploy_character *ploy_cast_get(const ploy_cast *cast, ploy_agent_id id);
/// Returns the character in a slot, 0 to ploy_crowd_places - 1; NULL if the slot is empty.
PLOY_API ploy_character *ploy_cast_at(const ploy_cast *cast, int32_t place);
/// The owner of positions and velocities.
PLOY_API ploy_crowd *ploy_cast_crowd(const ploy_cast *cast);
/// Position, orientation and body of any character, for senses, triggers and events.
PLOY_API ploy_pose_source ploy_cast_poses(const ploy_cast *cast);
/// m; zero for an unknown character.
PLOY_API ploy_vec2 ploy_cast_position(const ploy_cast *cast, ploy_agent_id id);
/// Places a character somewhere else, at rest and without a path. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_cast_move_to(ploy_cast *cast, ploy_agent_id id, ploy_vec2 position);

/// Adds a sensor to the senses for every character that can hear, including those added later.
/// @param senses  borrowed; must outlive the cast. @return as ploy_senses_add_sensor.
PLOY_API ploy_result ploy_cast_connect_senses(ploy_cast *cast, ploy_senses *senses);
/// Makes one character look at another and remember the result. @return what it sees; not seen for
/// an unknown character.
PLOY_API ploy_sight ploy_cast_look(ploy_cast *cast, ploy_agent_id observer, ploy_agent_id target,
                                   double now, ploy_trace *trace);

/// Sends a character to a position at a speed. `trip` identifies the trip: ploy_cast_stop ends only
/// that trip, so that a halted leaf does not end the trip of the leaf that took over.
/// @param trip  may be NULL. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_STATE without a path service; as
///              ploy_path_service_request.
PLOY_API ploy_result ploy_cast_go(ploy_cast *cast, ploy_agent_id id, ploy_vec2 to, float speed,
                                  uint32_t *trip);
/// Ends a trip if it is still the current one. @return true if it was.
PLOY_API bool ploy_cast_stop(ploy_cast *cast, ploy_agent_id id, uint32_t trip);

/// Turns a character at a rate while it is not walking, to look around. `turn` identifies this turn
/// for ploy_cast_stop_turn, as `trip` does for trips.
/// @param rate  rad/s, finite. @param turn  may be NULL.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_cast_turn(ploy_cast *cast, ploy_agent_id id, float rate, uint32_t *turn);
/// Ends a turn if it is still the current one. @return true if it was.
PLOY_API bool ploy_cast_stop_turn(ploy_cast *cast, ploy_agent_id id, uint32_t turn);

/// Steps all bodies by one tick: paths, velocities, the crowd's step, turning.
/// @return the first error of a path service; PLOY_ERR_ARGUMENT for dt. After a path error the
///         other characters are still stepped.
PLOY_API ploy_result ploy_cast_step(ploy_cast *cast, float dt, const ploy_jobs *jobs);

/// Visits a ploy_cast (ploy/base/visit.h): bodies, paths, memories. Boards and minds are visited by
/// the engine. A load needs a cast with the same characters.
PLOY_API void ploy_cast_visit(ploy_visit *v, void *cast);
PLOY_API void ploy_cast_describe(const ploy_cast *cast, ploy_describe *out);
/// Draws bodies, fields of view, paths and memories.
PLOY_API void ploy_cast_draw(const ploy_cast *cast, double now, ploy_draw *out);
PLOY_API void ploy_cast_memory(const ploy_cast *cast, ploy_memory_fn fn, void *user);
