/// @file ploy/path/network.h
/// Waypoint networks: places set by a designer, with data about each.
///
/// A waypoint has a name, a position, a direction toward something useful, a radius within which an
/// agent has arrived, and blind data: bytes that the network stores and never reads. Edges have one
/// direction, cost their length times a modifier (below 1 they are preferred, above 1 avoided) and
/// can be closed: doors, drawbridges, gas.
///
/// Entering and leaving the network requires line of sight to a waypoint, which the game's own ray
/// cast decides. A destination that does not exist is refused, not treated as free of cost.
/// Removing a waypoint also removes its edges.
///
/// As a space (ploy_network_space) states are numbers of slots; its estimate is the straight line
/// times the least modifier in the network, so paths are optimal even where edges are cheaper than
/// their length.
///
/// Cost: about 230 bytes a waypoint and 56 an edge, and the blind data. Adding and removing O(log
/// waypoints), finding and closing O(1), closest O(log waypoints) plus the rays that fail. Threads:
/// many may read at a time; changes need a single caller. Units: metres.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/geom/box.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/quat.h"
#include "ploy/search/search.h"

/// No waypoint.
#define PLOY_WAYPOINT_NONE 0u
/// Most bytes of blind data on one waypoint.
#define PLOY_WAYPOINT_BLIND_MAX 65536

typedef struct ploy_waypoint {
    uint64_t id; ///< a name of the caller's choice, not 0
    ploy_vec3 position;
    ploy_quat orientation; ///< forward points to something useful: cover, a view, a door
    float radius;          ///< m, 0 or more
} ploy_waypoint;

typedef struct ploy_waypoint_edge {
    float modifier; ///< factor on the length, 0 or more
    bool open;
    double cost;   ///< length x modifier; set by get, ignored by set
    uint64_t data; ///< the game's: an animation, a door; saved with the network
} ploy_waypoint_edge;

/// A place of the level that is not a waypoint: something to guard or to go to.
typedef struct ploy_network_place {
    uint64_t id;
    ploy_vec3 position;
    float radius; ///< m
} ploy_network_place;

/// Opaque.
typedef struct ploy_network ploy_network;

/// Creates an empty network. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_create(const ploy_env *env, ploy_network **out);
/// NULL is allowed.
PLOY_API void ploy_network_destroy(ploy_network *network);

/// Adds a waypoint. @return PLOY_ERR_EXISTS; PLOY_ERR_ARGUMENT for an id of 0, a number that is not
/// finite, a radius below 0 or an orientation of length 0 (others are normalised); PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_add(ploy_network *network, const ploy_waypoint *waypoint);
/// Replaces position, orientation and radius of the waypoint with that id; the costs of its edges
/// follow their new lengths. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_network_set(ploy_network *network, const ploy_waypoint *waypoint);
/// Removes a waypoint, its blind data and every edge from and to it. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_network_remove(ploy_network *network, uint64_t id);
/// Removes everything and keeps the memory.
PLOY_API void ploy_network_clear(ploy_network *network);
/// @return false, leaving out alone, if there is none.
PLOY_API bool ploy_network_get(const ploy_network *network, uint64_t id, ploy_waypoint *out);
PLOY_API int32_t ploy_network_count(const ploy_network *network);
/// Iterates over all waypoints in the order of their slots.
/// @param cursor  0 to begin with. @return false when there are no more.
PLOY_API bool ploy_network_next(const ploy_network *network, int32_t *cursor, ploy_waypoint *out);

/// Joins two waypoints with an edge, or one in each direction. @return PLOY_ERR_NOT_FOUND;
/// PLOY_ERR_EXISTS (for both: if either exists); PLOY_ERR_ARGUMENT; PLOY_ERR_MEMORY. Nothing
/// changes then.
PLOY_API ploy_result ploy_network_connect(ploy_network *network, uint64_t from, uint64_t to,
                                          float modifier);
PLOY_API ploy_result ploy_network_connect_both(ploy_network *network, uint64_t a, uint64_t b,
                                               float modifier);
/// Removes an edge. @return PLOY_ERR_NOT_FOUND.
PLOY_API ploy_result ploy_network_disconnect(ploy_network *network, uint64_t from, uint64_t to);
/// @return false, leaving out alone, if there is no such edge.
PLOY_API bool ploy_network_edge_at(const ploy_network *network, uint64_t from, uint64_t to,
                                   ploy_waypoint_edge *out);
/// Changes modifier, openness and data. @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_network_set_edge(ploy_network *network, uint64_t from, uint64_t to,
                                           const ploy_waypoint_edge *edge);
/// Returns the number of edges, open or closed.
PLOY_API int32_t ploy_network_edge_count(const ploy_network *network);

/// Replaces a waypoint's blind data with size bytes, all zero; 0: none.
/// @return PLOY_ERR_NOT_FOUND, PLOY_ERR_ARGUMENT beyond PLOY_WAYPOINT_BLIND_MAX, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_blind_resize(ploy_network *network, uint64_t id, int32_t size);
/// Returns the size of a waypoint's blind data in bytes; 0 if there is no such waypoint.
PLOY_API int32_t ploy_network_blind_size(const ploy_network *network, uint64_t id);
/// Copies bytes out of or into the block. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_ARGUMENT if the
/// range is not entirely within the block; offset + size cannot overflow.
PLOY_API ploy_result ploy_network_blind_read(const ploy_network *network, uint64_t id,
                                             int32_t offset, void *out, int32_t size);
PLOY_API ploy_result ploy_network_blind_write(ploy_network *network, uint64_t id, int32_t offset,
                                              const void *bytes, int32_t size);

/// Usual properties of a waypoint, for games without their own layout. Tags fill the blind
/// data with records of 8 bytes (tag and value, the low byte first); use them or a layout, not
/// both.
typedef enum ploy_waypoint_tag {
    PLOY_WAYPOINT_COLOR = 1, ///< 0xRRGGBB
    PLOY_WAYPOINT_ANIMATION, ///< which to play on arrival
    PLOY_WAYPOINT_WAIT,      ///< milliseconds to pause
    PLOY_WAYPOINT_LOOK,      ///< milliseconds to look around
    PLOY_WAYPOINT_COVER,     ///< a crouched agent is covered from the orientation's side
    PLOY_WAYPOINT_DEFEND,    ///< good to hold
    PLOY_WAYPOINT_DANGER,    ///< how dangerous
    PLOY_WAYPOINT_POSTURE    ///< when moving on: 0 walk, 1 run, 2 crouch
} ploy_waypoint_tag;
/// Adds or replaces a tag. @return PLOY_ERR_NOT_FOUND; PLOY_ERR_ARGUMENT for tag 0, or if the blind
/// data is not a whole number of records; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_set_tag(ploy_network *network, uint64_t id, uint32_t tag,
                                          uint32_t value);
/// @return false, leaving value alone, if the waypoint has no such tag.
PLOY_API bool ploy_network_tag(const ploy_network *network, uint64_t id, uint32_t tag,
                               uint32_t *value);

/// Adds a place that is not a waypoint. @return PLOY_ERR_EXISTS, PLOY_ERR_ARGUMENT,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_add_place(ploy_network *network, const ploy_network_place *place);
PLOY_API int32_t ploy_network_place_count(const ploy_network *network);
/// @return false, leaving out alone, out of range.
PLOY_API bool ploy_network_place_at(const ploy_network *network, int32_t index,
                                    ploy_network_place *out);

/// Returns true if one point is visible from another. Normally a ray cast.
typedef bool (*ploy_network_sees_fn)(void *user, ploy_vec3 from, ploy_vec3 to);

/// Returns the nearest waypoint that is visible from a point; among equals the lower slot.
/// @param sees  NULL: everything is visible.
/// @param within_radius  distances are measured to the edge of the waypoint's radius, 0 within it.
/// @return PLOY_WAYPOINT_NONE if none is visible.
PLOY_API uint64_t ploy_network_closest(const ploy_network *network, ploy_vec3 point,
                                       bool within_radius, ploy_network_sees_fn sees, void *user);

/// Returns the network as a space, valid until the network changes; its estimate is admissible for
/// every modifier.
PLOY_API ploy_space ploy_network_space(const ploy_network *network);
/// Convert a waypoint's id to its state (PLOY_STATE_NONE if there is none), and back.
PLOY_API int32_t ploy_network_state(const ploy_network *network, uint64_t id);
PLOY_API uint64_t ploy_network_id(const ploy_network *network, int32_t state);

/// Begins a search from waypoint to waypoint, which the caller steps.
/// @return PLOY_ERR_NOT_FOUND if an end is missing; the error of begin.
PLOY_API ploy_result ploy_network_begin(const ploy_network *network, ploy_search *search,
                                        uint64_t from, uint64_t to);
/// Returns the waypoints of the path that a search found, including both ends.
/// @return their number, which may exceed capacity (the last are then left out); -1 without a path.
PLOY_API int32_t ploy_network_path(const ploy_network *network, const ploy_search *search,
                                   uint64_t *out, int32_t capacity);

/// Finds a path between any two points: onto the network at the nearest visible waypoint, along it,
/// and off it at the waypoint nearest to the goal from which the goal is visible.
/// @param search    used for the search, which runs to the end.
/// @param trim      leave out waypoints before the last one that is visible from the start; all of
///                  them if the goal is visible.
/// @param out       the waypoints between; room for capacity of them.
/// @param count     their number, which may exceed capacity; 0: walk straight to the goal.
/// @return PLOY_ERR_NOT_FOUND if no waypoint is visible from one of the ends, or there is no path
///         between them; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_find(const ploy_network *network, ploy_search *search,
                                       ploy_vec3 from, ploy_vec3 to, bool trim,
                                       ploy_network_sees_fn sees, void *user, uint64_t *out,
                                       int32_t capacity, int32_t *count);

/// Writes the network as text; docs/guide/path-graphs.md describes the format.
PLOY_API ploy_result ploy_network_save(const ploy_network *network, ploy_writer *writer);
/// Reads a network. Faults are reported with line and column, and reading continues after them.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_VERSION, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_network_load(const void *bytes, size_t size, const char *name,
                                       const ploy_env *env, ploy_diags *diags, ploy_network **out);

PLOY_API void ploy_network_describe(const ploy_network *network, ploy_describe *out);
/// Draws waypoints as circles with arrows, edges as lines (closed ones muted), places as rings.
PLOY_API void ploy_network_draw(const ploy_network *network, ploy_draw *out);
PLOY_API void ploy_network_memory(const ploy_network *network, ploy_memory_fn fn, void *user);
