/// @file ploy/path/graph_mine.h
/// Graphs from what was walked: mining a log of movements for places and the edges between them.
///
/// Let people or a wandering explorer play, write down where all were, and the level's graph
/// is in the log: places where many were become nodes, and where an agent went from one straight
/// to another there is an edge, one-way if no agent came back. Jumps, drops and lifts appear by
/// themselves. Steps over a teleporter or a new start are not walked and do not count.
///
///     density on a raster -> peaks, the highest first, some distance apart -> entries to the nearest
///     peak -> changes of peak are edges, costing the mean time they took
///
/// Technique: Millington, "AI for Games", data mining of movement. Units: metres, seconds.
/// Cost: O(entries x nodes). Not for every frame.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/path/graph.h"

/// One entry of a log, in the order of time for each character.
typedef struct ploy_log_entry {
    double time; ///< s
    ploy_vec3 position;
    int32_t character;
    uint32_t flags; ///< what it was doing: an edge gets the flags of all steps over it
    bool jumped;    ///< it was put here, by a teleporter or a new start: no step leads here
} ploy_log_entry;

typedef struct ploy_graph_mine_def {
    uint32_t cookie;
    float cell;          ///< m, of the raster that density is counted on
    float apart;         ///< m, between two nodes at least
    int32_t max_nodes;   ///< the highest peaks
    int32_t transitions; ///< that an edge needs
    float max_gap;       ///< s between two entries of one step
} ploy_graph_mine_def;

PLOY_API ploy_graph_mine_def ploy_graph_mine_def_default(void);
PLOY_API ploy_fields ploy_graph_mine_fields(void);

/// What the log covers.
typedef struct ploy_graph_mine_report {
    int32_t cells; ///< of the raster that any agent was in
    int32_t once;  ///< of those, only once
    int32_t nodes, edges;
    int32_t ignored; ///< steps that were no steps: jumps and gaps
} ploy_graph_mine_report;

/// Adds nodes and edges of a log to a graph, which must be empty and directed.
/// @param report  may be NULL.
/// @return PLOY_ERR_ARGUMENT, also for entries that are not finite; PLOY_ERR_LIMIT for a log that
///         spans more than 2^26 cells; PLOY_ERR_MEMORY. The graph is empty then.
PLOY_API ploy_result ploy_graph_mine(ploy_graph *graph, const ploy_graph_mine_def *def,
                                     const ploy_log_entry *entries, int32_t count,
                                     const ploy_env *env, ploy_graph_mine_report *report);
