/// @file ploy/path/representation.h
/// A representation: how places of a level become states of a search, and back.
///
/// Whatever a level is cut into (tiles, waypoints, rooms), planning asks the same four things:
/// which state is a place in (quantise), where is a state (localise), which edges leave it (the
/// space), and can one walk straight from here to there. With a fifth an edge says how it is
/// travelled: by a door, a jump, a teleporter. What answers them can be planned on by
/// ploy/path/planners.h.
///
/// A representation is valid if an agent can walk straight between any points of two joined states.
/// Few are everywhere; ploy_representation_check looks for the edges that are not.
///
/// Technique: Millington, "AI for Games", world representations; Buckland, "Programming Game AI by
/// Example", chapter 8 (nearest visible node, edges that are annotated).
/// Units: metres. Threads: a representation is read by its searches.
#pragma once

#include "ploy/geom/path.h"
#include "ploy/geom/scene.h"
#include "ploy/path/graph.h"
#include "ploy/path/tiles.h"

/// The agent, as far as a representation needs it.
typedef struct ploy_representation_body {
    float radius;  ///< m
    uint32_t mask; ///< layers of the scene that block it
} ploy_representation_body;

/// The interface. space, quantise and localise are required. Plain data.
typedef struct ploy_representation {
    ploy_space space;
    /// The state that a place is in, reachable from it in a straight line; or PLOY_STATE_NONE.
    int32_t (*quantise)(const void *user, ploy_vec3 place, const ploy_representation_body *body);
    ploy_vec3 (*localise)(const void *user, int32_t state);
    /// Is the straight line free? NULL: unknown, and nothing is cut short.
    bool (*clear)(const void *user, ploy_vec3 from, ploy_vec3 to,
                  const ploy_representation_body *body);
    /// How an edge out of a state is travelled; out is walking at the edge's cost. NULL:
    /// all are ordinary.
    void (*travel)(const void *user, int32_t from, const ploy_edge *edge, ploy_path_edge *out);
    /// Names the contents: different after every change, see ploy_tiles_generation. NULL: it never
    /// changes.
    uint64_t (*generation)(const void *user);
    /// Draws a state. NULL: a point.
    void (*mark)(const void *user, int32_t state, ploy_style style, ploy_draw *out);
    const void *user;
} ploy_representation;

/// True if everything needed is there.
PLOY_API bool ploy_representation_is_complete(const ploy_representation *division);

/// Tiles as seen by a walker, which must stay where it is. A place is in its cell, if the walker
/// fits there; a walker of several cells is where its middle is. A straight line is free if the
/// walker fits in all cells that it touches, they cost the same, and the corners that it passes are
/// passed as the map's corner rule says; a body's radius keeps that far from walls. Decided
/// exactly, but for hexagons, which are sampled.
PLOY_API ploy_representation ploy_tiles_representation(const ploy_tiles_walker *walker);

/// A graph with a scene around it: the nearest node that one can walk to, found in an index over
/// the plane. Opaque.
typedef struct ploy_graph_representation ploy_graph_representation;

/// Most kinds of edges: one for each flag that is the game's.
#define PLOY_GRAPH_REPRESENTATION_KINDS 31

typedef struct ploy_graph_representation_def {
    uint32_t cookie;
    float reach;        ///< m from a place to its node
    int32_t candidates; ///< nodes that are tried, nearest first
    float cost_per_m;   ///< least cost of a metre, for estimates; 0 with teleporters: Dijkstra
} ploy_graph_representation_def;

PLOY_API ploy_graph_representation_def ploy_graph_representation_def_default(void);
PLOY_API ploy_fields ploy_graph_representation_fields(void);
/// @param graph  must outlive it. After adding, moving or removing nodes call rebuild.
/// @param scene  copied; NULL: walls are not known, so that the nearest node counts as reachable
///               and paths are neither straightened nor smoothed.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_representation_create(const ploy_graph_representation_def *def,
                                                      const ploy_graph *graph,
                                                      const ploy_scene *scene, const ploy_env *env,
                                                      ploy_graph_representation **out);
/// NULL is allowed.
PLOY_API void ploy_graph_representation_destroy(ploy_graph_representation *division);
/// Follows the graph's nodes. @return PLOY_ERR_MEMORY, with everything as it was.
PLOY_API ploy_result ploy_graph_representation_rebuild(ploy_graph_representation *division);
/// Names what an edge's flag means: "swim", "jump". Of several flags the lowest counts.
/// @param bit  0 to PLOY_GRAPH_REPRESENTATION_KINDS - 1. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_graph_representation_set_kind(ploy_graph_representation *division,
                                                        int32_t bit, ploy_name kind,
                                                        float speed_limit);
/// Says which door, lift or teleporter an edge goes through. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_representation_set_link(ploy_graph_representation *division,
                                                        int32_t edge, ploy_id link);
/// The nearest node in space that one can walk to: widened step by step up to the reach.
/// @return PLOY_GRAPH_NONE.
PLOY_API int32_t ploy_graph_representation_nearest(const ploy_graph_representation *division,
                                                   ploy_vec3 place,
                                                   const ploy_representation_body *body);
/// The interface over it, valid as long as it lives.
PLOY_API ploy_representation
ploy_graph_representation_view(const ploy_graph_representation *division);
PLOY_API void ploy_graph_representation_memory(const ploy_graph_representation *division,
                                               ploy_memory_fn fn, void *user);

/// An edge that one cannot walk.
typedef struct ploy_representation_fault {
    int32_t from;
    ploy_edge edge;
    ploy_vec3 a, b; ///< two points of its ends with something between them
} ploy_representation_fault;

/// Looks for edges that cannot be walked straight, between their states and between points around
/// them. Edges that are travelled specially (a kind or a link) are passed over.
/// @param samples  pairs of points for each edge beside the centres; 0 or more.
/// @param spread   m around a state's place from which points are drawn; those that quantise to
///                 another state are not used.
/// @param out      room for capacity faults; may be NULL with capacity 0.
/// @param count    how many edges are faulty, perhaps more than capacity.
/// @return PLOY_ERR_ARGUMENT for a representation without clear or a space without count; what
///         expand returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_representation_check(const ploy_representation *division,
                                               const ploy_representation_body *body,
                                               int32_t samples, float spread, uint64_t seed,
                                               const ploy_env *env, ploy_representation_fault *out,
                                               int32_t capacity, int32_t *count);
