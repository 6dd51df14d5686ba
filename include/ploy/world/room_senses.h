/// @file ploy/world/room_senses.h
/// Senses in a sense graph: which agents hear, smell and see what through rooms, doors and ducts.
///
/// Takes the signals and sensors of ploy/world/sense.h and spreads each signal along the graph
/// according to its modality's kind:
///
///     sight   to sensors in the same node and over one link (or two, for light); no further
///     sound   a wave outward, the nearest node first, each node once; also for PLOY_SENSE_OTHER
///     smell   stays in a node, fades, and travels from node to node at its speed; continuous
///             sources, wind, and a query for the direction up the scent
///     touch   within the node
///
/// The path of a signal goes from the source straight to a link, along the link (with the link's
/// distance), and on to the sensor or the next link. Intensity = strength * node^d1 * link^dc *
/// node^d2 ..., time = length of the path * inverse speed. So the sensor with the shorter path
/// through the corridors hears first, and a wall stops a signal that has no path around it.
///
/// Smell is event-driven: a smell that arrives in a node leaves for its neighbours at the same
/// simulated time, however long the steps are. If two smells meet in a node, the stronger counts;
/// they are never added, since a smell that goes back and forth would grow.
///
/// Technique: Millington, "AI for Games", finite-element sense manager. Differences: smell in
/// transit is kept in a queue (in a literal reading, slow smells never leave a room) and fades
/// there as in the room it left (otherwise two rooms would keep it alive between them), and a
/// sensor is notified again of a lingering smell only after an interval. Sight takes the time of
/// the path, not of the straight line; its speed is usually infinite.
///
/// Units: metres, seconds. Cost: a sound O(nodes reached log + sensors in them); a step O(sensors)
/// to find their nodes and O(nodes with a smell). Nothing is allocated once warm. Without smell
/// modalities, no memory is used for cells. Threads: one caller at a time.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/world/room_graph.h"
#include "ploy/world/sense_log.h"

typedef struct ploy_room_senses ploy_room_senses;

/// The order in which a wave of sound spreads.
typedef enum ploy_sound_order {
    PLOY_SOUND_BY_DISTANCE, ///< a node is entered by the nearest door
    PLOY_SOUND_BY_INTENSITY ///< by the door where it is loudest, even if that is farther
} ploy_sound_order;

typedef struct ploy_room_senses_def {
    uint32_t cookie;
    int32_t sensors; ///< that fit before it grows
    int32_t pending; ///< pending percepts that fit before it grows
    ploy_sound_order sound;
    int32_t sight_links; ///< how many links sight passes
    float renotify_s;    ///< s until a sensor is notified again of a lingering smell
    int32_t log;         ///< number of log entries kept; 0: none
} ploy_room_senses_def;

PLOY_API ploy_room_senses_def ploy_room_senses_def_default(void);
PLOY_API ploy_fields ploy_room_senses_fields(void);

/// Finds the node of a point, in place of the graph's zones; -1 for none.
typedef int32_t (*ploy_sense_locate_fn)(void *user, ploy_vec3 point);

/// @param graph  kept; must outlive the senses. @param poses  kept.
PLOY_API ploy_result ploy_room_senses_create(const ploy_room_senses_def *def,
                                             const ploy_room_graph *graph, ploy_pose_source poses,
                                             const ploy_env *env, ploy_room_senses **out);
PLOY_API void ploy_room_senses_destroy(ploy_room_senses *senses);

/// Adds or replaces the sensor of an agent. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_room_senses_set_sensor(ploy_room_senses *senses,
                                                 const ploy_sensor *sensor);
/// Removes a sensor and drops the percepts pending for it. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_room_senses_remove_sensor(ploy_room_senses *senses, ploy_agent_id agent);

/// Opens and closes a link at run time: a factor on intensities that pass it, 0 (shut) to 1 (as in
/// the graph). @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_room_senses_set_link(ploy_room_senses *senses, int32_t link, float gain);
/// Sets the wind in m/s. It carries smells whose modality has a `wind`: distances downwind are
/// shorter. A wind that is not finite is refused.
PLOY_API ploy_result ploy_room_senses_set_wind(ploy_room_senses *senses, ploy_vec3 wind);

/// Emits a signal now. Sight, sound and touch are computed immediately and queued; smell starts in
/// its node. If emitted in a callback, its percepts are delivered from the next step on.
/// @param now  s, not before the last step's.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_NOT_FOUND if it is in no node, PLOY_ERR_MEMORY; then nothing
///         has changed.
PLOY_API ploy_result ploy_room_senses_add_signal(ploy_room_senses *senses,
                                                 const ploy_signal *signal, double now);

/// Sets a continuous smell, whose strength is renewed in every step. There is one for each source
/// agent and modality; setting it again moves it. @return as add_signal; PLOY_ERR_ARGUMENT for
/// another kind.
PLOY_API ploy_result ploy_room_senses_set_source(ploy_room_senses *senses,
                                                 const ploy_signal *signal);
/// Stops a continuous smell; what it emitted lingers. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_room_senses_remove_source(ploy_room_senses *senses, ploy_agent_id source,
                                                    int32_t modality);

/// Locates the sensors, moves smells, and delivers what is due, in order of time.
/// @param now     s, finite, not before the last step's.
/// @param budget  one unit is a node with a smell; NULL: no limit. If it runs out, the next step
///                finishes the smells of this step's time before its own.
/// @param fn      may be NULL.
/// @return PLOY_IN_PROGRESS if the budget ran out; PLOY_ERR_ARGUMENT; PLOY_ERR_STATE from within a
///         callback; PLOY_ERR_MEMORY. After an error nothing has changed.
PLOY_API ploy_result ploy_room_senses_step(ploy_room_senses *senses, double now,
                                           ploy_budget *budget, ploy_percept_fn fn, void *user);

/// Returns the strength of a smell in a node, at the point where it entered; 0 for none.
PLOY_API float ploy_room_senses_smell(const ploy_room_senses *senses, int32_t modality,
                                      int32_t node);

/// Where a smell comes from, for trackers.
typedef struct ploy_smell_trail {
    int32_t node;     ///< the strongest of this node and its neighbours
    int32_t link;     ///< leads to that node; -1 if it is this node
    float intensity;  ///< in that node
    ploy_vec3 toward; ///< the link's start, or where the smell entered this node
} ploy_smell_trail;

/// @return false, leaving out unchanged, if there is no smell in this node or its neighbours.
PLOY_API bool ploy_room_senses_trail(const ploy_room_senses *senses, int32_t modality,
                                     ploy_vec3 from, ploy_smell_trail *out);

/// Returns the log: which agents sensed what, when and through what, and which did not, and why.
/// NULL if def.log is 0.
PLOY_API const ploy_sense_log *ploy_room_senses_log(const ploy_room_senses *senses);

/// Visits a ploy_room_senses (ploy/base/visit.h): sensors, gains, pending percepts and smells, but
/// not the log. A load needs the same graph. Do not call it during a delivery.
PLOY_API void ploy_room_senses_visit(ploy_visit *v, void *senses);
PLOY_API void ploy_room_senses_describe(const ploy_room_senses *senses, ploy_describe *out);
/// Draws nodes filled by the strength of their smell, and links that are shut.
PLOY_API void ploy_room_senses_draw(const ploy_room_senses *senses, ploy_draw *out);
PLOY_API void ploy_room_senses_memory(const ploy_room_senses *senses, ploy_memory_fn fn,
                                      void *user);
