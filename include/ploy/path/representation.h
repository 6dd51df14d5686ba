/// @file ploy/path/representation.h
/// A representation: how places of a level become states of a search, and back.
///
/// Whatever a level is divided into (tiles, waypoints, rooms), planning needs the same four
/// functions: which state a place is in (quantise), where a state is (localise), which edges leave
/// it (the space), and whether an agent can walk straight between two places (clear). A fifth
/// reports how an edge is travelled (travel): by a door, a jump, a teleporter. ploy/path/planners.h
/// can plan on anything that provides them.
///
/// A representation is valid if an agent can walk straight between any points of two joined states.
/// Few representations are valid everywhere; ploy_representation_check finds the edges that are
/// not.
///
/// Technique: Millington, "AI for Games", world representations; Buckland, "Programming Game AI by
/// Example", chapter 8 (nearest visible node, annotated edges). Units: metres. Threads: a
/// representation is read by its searches.
#pragma once

#include "ploy/geom/path.h"
#include "ploy/geom/scene.h"
#include "ploy/path/graph.h"
#include "ploy/path/tiles.h"

/// The properties of an agent that a representation needs.
typedef struct ploy_representation_body {
    float radius;  ///< m
    uint32_t mask; ///< layers of the scene that block it
} ploy_representation_body;

/// The interface. space, quantise and localise are required. Plain data.
typedef struct ploy_representation {
    ploy_space space;
    /// Returns the state that a place is in, reachable from there in a straight line, or
    /// PLOY_STATE_NONE.
    int32_t (*quantise)(const void *user, ploy_vec3 place, const ploy_representation_body *body);
    ploy_vec3 (*localise)(const void *user, int32_t state);
    /// Returns true if the straight line is free. NULL: unknown, and no path is shortened.
    bool (*clear)(const void *user, ploy_vec3 from, ploy_vec3 to,
                  const ploy_representation_body *body);
    /// Sets how an edge out of a state is travelled; on entry, out is walking at the edge's cost.
    /// NULL: all edges are walked.
    void (*travel)(const void *user, int32_t from, const ploy_edge *edge, ploy_path_edge *out);
    /// Identifies the contents: different after every change, see ploy_tiles_generation. NULL: the
    /// contents never change.
    uint64_t (*generation)(const void *user);
    /// Draws a state. NULL: a point.
    void (*mark)(const void *user, int32_t state, ploy_style style, ploy_draw *out);
    const void *user;
} ploy_representation;

/// Returns true if all required functions are set.
PLOY_API bool ploy_representation_is_complete(const ploy_representation *representation);

/// Represents tiles as seen by a walker, which must stay valid at its address. A place is in its
/// cell if the walker fits there; a walker of several cells is located by its middle. A straight
/// line is free if the walker fits in all cells that the line touches, these cells cost the same,
/// and the line passes corners as the map's corner rule allows. With a body radius, the line must
/// also keep that distance from walls. Decided exactly, except for hexagons, which are sampled.
PLOY_API ploy_representation ploy_tiles_representation(const ploy_tiles_walker *walker);

/// A graph with a scene around it. A place maps to the nearest node that can be walked to, found in
/// a spatial index over the plane. Opaque.
typedef struct ploy_graph_representation ploy_graph_representation;

/// Most kinds of edges: one for each of the game's flags.
#define PLOY_GRAPH_REPRESENTATION_KINDS 31

typedef struct ploy_graph_representation_def {
    uint32_t cookie;
    float reach;        ///< m, largest distance from a place to its node
    int32_t candidates; ///< nodes that are tried, nearest first
    float
        cost_per_m; ///< least cost of a metre, for estimates; 0 if there are teleporters (Dijkstra)
} ploy_graph_representation_def;

PLOY_API ploy_graph_representation_def ploy_graph_representation_def_default(void);
PLOY_API ploy_fields ploy_graph_representation_fields(void);
/// @param graph  must outlive it. Call rebuild after adding, moving or removing nodes.
/// @param scene  copied; NULL: walls are unknown, so the nearest node counts as reachable
///               and paths are neither straightened nor smoothed.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_representation_create(const ploy_graph_representation_def *def,
                                                      const ploy_graph *graph,
                                                      const ploy_scene *scene, const ploy_env *env,
                                                      ploy_graph_representation **out);
/// NULL is allowed.
PLOY_API void ploy_graph_representation_destroy(ploy_graph_representation *representation);
/// Updates the index to the graph's nodes. @return PLOY_ERR_MEMORY, changing nothing.
PLOY_API ploy_result ploy_graph_representation_rebuild(ploy_graph_representation *representation);
/// Names the kind that an edge's flag stands for: "swim", "jump". If several flags are set, the
/// lowest counts.
/// @param bit  0 to PLOY_GRAPH_REPRESENTATION_KINDS - 1. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_graph_representation_set_kind(ploy_graph_representation *representation,
                                                        int32_t bit, ploy_name kind,
                                                        float speed_limit);
/// Sets which door, lift or teleporter an edge goes through. @return PLOY_ERR_NOT_FOUND,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_graph_representation_set_link(ploy_graph_representation *representation,
                                                        int32_t edge, ploy_id link);
/// Returns the nearest node in space that can be walked to. The search widens step by step up to
/// the reach.
/// @return PLOY_GRAPH_NONE.
PLOY_API int32_t ploy_graph_representation_nearest(const ploy_graph_representation *representation,
                                                   ploy_vec3 place,
                                                   const ploy_representation_body *body);
/// Returns the interface, valid as long as the object exists.
PLOY_API ploy_representation
ploy_graph_representation_view(const ploy_graph_representation *representation);
PLOY_API void ploy_graph_representation_memory(const ploy_graph_representation *representation,
                                               ploy_memory_fn fn, void *user);

/// An edge that cannot be walked.
typedef struct ploy_representation_fault {
    int32_t from;
    ploy_edge edge;
    ploy_vec3 a, b; ///< two points of its end states with an obstacle between them
} ploy_representation_fault;

/// Finds edges that cannot be walked straight, between their states and between points around them.
/// Edges that are travelled specially (a kind or a link) are skipped.
/// @param samples  pairs of points for each edge besides the centres; 0 or more.
/// @param spread   m around a state's place from which points are drawn; those that quantise to
///                 another state are not used.
/// @param out      room for capacity faults; may be NULL with capacity 0.
/// @param count    number of faulty edges, which may exceed capacity.
/// @return PLOY_ERR_ARGUMENT for a representation without clear or a space without count; what
///         expand returned; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_representation_check(const ploy_representation *representation,
                                               const ploy_representation_body *body,
                                               int32_t samples, float spread, uint64_t seed,
                                               const ploy_env *env, ploy_representation_fault *out,
                                               int32_t capacity, int32_t *count);
