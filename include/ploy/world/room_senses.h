/// @file ploy/world/room_senses.h
/// Senses in a sense graph: who hears, smells and sees what through rooms, doors and ducts.
///
/// Takes signals and sensors as ploy/world/sense.h has them, and spreads each signal along the
/// graph as its modality's kind says:
///
///     sight   to sensors in the same node and over one link (or two, for light); no further
///     sound   a wave outward, the nearest node first, each node once; so do other modalities
///     smell   hangs in a node, fades, and travels from node to node at its speed; continuous
///             sources, wind, and a query for the direction up the scent
///     touch   within the node
///
/// The path of a signal is source to link (straight), along the link (its own distance), link to
/// sensor or next link. Intensity = strength * node^d1 * link^dc * node^d2 ..., time = length of
/// the length * inverse speed. So what is nearer by the corridor hears first, and a wall stops what
/// has no detour around it.
///
/// Smell is event-driven: what arrives in a node leaves for its neighbours at that very moment of
/// the simulated time, however coarse the steps are. Where two smells meet in a node the stronger
/// counts; they are never added, since what goes back and forth would grow.
///
/// Technique: Millington, "AI for Games", finite-element sense manager. Where we differ: smell on
/// its progress is kept in a queue (read literally, slow smells never leave a room) and fades there
/// as in the room it left (else two rooms keep it alive between them), and a sensor is notified
/// again of a lingering smell only after an interval. Sight takes the time of the path, not of the
/// straight line; its speed is endless as a rule.
///
/// Units: metres, seconds. Cost: a sound O(nodes reached log + sensors in them); a step O(sensors)
/// for finding their nodes and O(nodes that smell). Nothing is allocated once warm. Without smell
/// modalities no memory is used for cells. Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/world/room_graph.h"
#include "ploy/world/sense_log.h"

typedef struct ploy_room_senses ploy_room_senses;

/// What comes first in a wave of sound.
typedef enum ploy_sound_order {
    PLOY_SOUND_BY_DISTANCE, ///< a node is entered by the nearest door
    PLOY_SOUND_BY_INTENSITY ///< by the one where it is loudest, even if that is farther
} ploy_sound_order;

typedef struct ploy_room_senses_def {
    uint32_t cookie;
    int32_t sensors; ///< that fit before it grows
    int32_t pending; ///< percepts on their way that fit before it grows
    ploy_sound_order sound;
    int32_t sight_links; ///< how many links sight passes
    float renotify_s;    ///< s until a sensor is notified again of a lingering smell
    int32_t log;         ///< entries of who sensed what and who did not; 0: none
} ploy_room_senses_def;

PLOY_API ploy_room_senses_def ploy_room_senses_def_default(void);
PLOY_API ploy_fields ploy_room_senses_fields(void);

/// Finds the node of a place instead of the graph's zones; -1 for none.
typedef int32_t (*ploy_sense_locate_fn)(void *user, ploy_vec3 point);

/// @param graph  kept; must outlive it. @param poses  kept.
PLOY_API ploy_result ploy_room_senses_create(const ploy_room_senses_def *def,
                                             const ploy_room_graph *graph, ploy_pose_source poses,
                                             const ploy_env *env, ploy_room_senses **out);
PLOY_API void ploy_room_senses_destroy(ploy_room_senses *senses);

/// Adds or replaces the sensor of an agent. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_room_senses_set_sensor(ploy_room_senses *senses,
                                                 const ploy_sensor *sensor);
/// What is on its way to it is lost. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_room_senses_remove_sensor(ploy_room_senses *senses, ploy_agent_id agent);

/// Opens and closes a link at run time: a factor on what passes it, 0 (shut) to 1 (as the graph
/// has it). @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_room_senses_set_link(ploy_room_senses *senses, int32_t link, float gain);
/// m/s; carries smells whose modality uses it: distances downwind are shorter. Not finite: refused.
PLOY_API ploy_result ploy_room_senses_set_wind(ploy_room_senses *senses, ploy_vec3 wind);

/// Emits a signal now. Sight, sound and touch are computed immediately and queued; smell starts in
/// its node. From within a callback, what it causes is delivered from the next step on.
/// @param now  s, not before the last step's.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND if it is in no node, PLOY_ERR_MEMORY; nothing
///         has changed then.
PLOY_API ploy_result ploy_room_senses_add_signal(ploy_room_senses *senses,
                                                 const ploy_signal *signal, double now);

/// A smell that does not end: its strength is renewed in every step. One for each source agent
/// and modality; again, it moves. @return as add_signal; PLOY_ERR_ARGUMENT for another kind.
PLOY_API ploy_result ploy_room_senses_set_source(ploy_room_senses *senses,
                                                 const ploy_signal *signal);
/// It stops; what it left lingers. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_room_senses_remove_source(ploy_room_senses *senses, ploy_agent_id source,
                                                    int32_t modality);

/// Finds where sensors are, lets smells drift, and delivers what is due, in order of time.
/// @param now     s, finite, not before the last step's.
/// @param budget  one unit is a node in which a smell hangs; NULL: no limit. When it ends, the next
///                step goes on with the smells of this one's time before it turns to its own.
/// @param fn      may be NULL.
/// @return PLOY_IN_PROGRESS if the budget ended; PLOY_ERR_ARGUMENT; PLOY_ERR_STATE from within a
///         callback; PLOY_ERR_MEMORY. With an error nothing has changed.
PLOY_API ploy_result ploy_room_senses_step(ploy_room_senses *senses, double now,
                                           ploy_budget *budget, ploy_percept_fn fn, void *user);

/// How strong a smell is in a node, where it entered; 0 for none.
PLOY_API float ploy_room_senses_smell(const ploy_room_senses *senses, int32_t modality,
                                      int32_t node);

/// Where a smell comes from, for trackers.
typedef struct ploy_smell_trail {
    int32_t node;     ///< the strongest of this node and its neighbours
    int32_t link;     ///< that leads there, -1 if it is this node
    float intensity;  ///< there
    ploy_vec3 toward; ///< the link's start, or where the smell entered this node
} ploy_smell_trail;

/// @return false, leaving out alone, if it smells neither here nor next door.
PLOY_API bool ploy_room_senses_trail(const ploy_room_senses *senses, int32_t modality,
                                     ploy_vec3 from, ploy_smell_trail *out);

/// Who sensed what, when, through what, and who did not, why not. NULL if the def asks for none.
PLOY_API const ploy_sense_log *ploy_room_senses_log(const ploy_room_senses *senses);

/// Visits a ploy_room_senses (ploy/base/visit.h): sensors, gains, percepts on their way, smells.
/// Not the log. A load needs the same graph; not from within a delivery.
PLOY_API void ploy_room_senses_visit(ploy_visit *v, void *senses);
PLOY_API void ploy_room_senses_describe(const ploy_room_senses *senses, ploy_describe *out);
/// Nodes filled by how much they smell, and links that are shut.
PLOY_API void ploy_room_senses_draw(const ploy_room_senses *senses, ploy_draw *out);
PLOY_API void ploy_room_senses_memory(const ploy_room_senses *senses, ploy_memory_fn fn,
                                      void *user);
