/// @file ploy/path/graph_mine.h
/// Graphs from recorded movement: finds places and the edges between them in a log.
///
/// Let people or a wandering explorer play and log all positions. Places that many visited become
/// nodes, and where an agent went straight from one to another there is an edge, one-way if no
/// agent came back. Jumps, drops and lifts are found without extra work. Steps over a teleporter or
/// a new start are not walked and do not count.
///
///     density on a raster -> peaks, the highest first, some distance apart -> entries to the nearest
///     peak -> changes of peak are edges, costing the mean time they took
///
/// Technique: Millington, "AI for Games", data mining of movement. Units: metres, seconds.
/// Cost: O(entries x nodes). Not for every frame.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/path/graph.h"

/// One entry of a log. Entries of each character are in the order of time.
typedef struct ploy_log_entry {
    double time; ///< s
    ploy_vec3 position;
    int32_t character;
    uint32_t flags; ///< what it was doing; an edge has the flags of all steps over it
    bool jumped;    ///< placed here by a teleporter or a new start: no step leads here
} ploy_log_entry;

typedef struct ploy_graph_mine_def {
    uint32_t cookie;
    float cell;          ///< m, cell size of the density raster
    float apart;         ///< m, least distance between two nodes
    int32_t max_nodes;   ///< most nodes: the highest peaks are used
    int32_t transitions; ///< least number of transitions for an edge
    float max_gap;       ///< s, longest time between two entries of one step
} ploy_graph_mine_def;

PLOY_API ploy_graph_mine_def ploy_graph_mine_def_default(void);
PLOY_API ploy_fields ploy_graph_mine_fields(void);

/// What the log covers.
typedef struct ploy_graph_mine_report {
    int32_t cells; ///< cells of the raster that any agent was in
    int32_t once;  ///< of those, visited only once
    int32_t nodes, edges;
    int32_t ignored; ///< entries that are not steps: jumps and gaps
} ploy_graph_mine_report;

/// Adds nodes and edges of a log to a graph, which must be empty and directed.
/// @param report  may be NULL.
/// @return PLOY_ERR_ARGUMENT, also for entries that are not finite; PLOY_ERR_LIMIT for a log that
///         spans more than 2^26 cells; PLOY_ERR_MEMORY. The graph is empty then.
PLOY_API ploy_result ploy_graph_mine(ploy_graph *graph, const ploy_graph_mine_def *def,
                                     const ploy_log_entry *entries, int32_t count,
                                     const ploy_env *env, ploy_graph_mine_report *report);
