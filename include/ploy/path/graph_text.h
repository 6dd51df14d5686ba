/// @file ploy/path/graph_text.h
/// Graphs as text, for files, tests and people.
///
///     graph 1                     # kind and version, first
///     options directed parallel   # any of: directed parallel loops
///     node 0 0 0 0                # number, position in metres, and a user word if it is not 0
///     gap 1                       # a number without a node
///     node 2 4.5 3 0 77
///     edge 0 2 5.4                # from, to, cost, and flags (hexadecimal) if there are any
///
/// Nodes come in the order of their numbers. Edges come in the order in which searches meet them,
/// and a load numbers them in that order; an undirected edge is written once. Saving, loading and
/// saving again gives the same text. `#` begins a comment.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/path/graph.h"

/// Writes a graph. @return the writer's error.
PLOY_API ploy_result ploy_graph_save(const ploy_graph *graph, ploy_writer *writer);

/// Reads a graph. Every fault is reported with its line and column; reading continues after it.
/// @param bytes  `size` of them; need not be zero-terminated. @param name  for messages.
/// @param diags  may be NULL.
/// @param out    the graph on PLOY_OK, otherwise NULL.
/// @return PLOY_ERR_FORMAT, PLOY_ERR_VERSION, PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY, PLOY_ERR_LIMIT.
PLOY_API ploy_result ploy_graph_load(const void *bytes, size_t size, const char *name,
                                     const ploy_env *env, ploy_diags *diags, ploy_graph **out);
