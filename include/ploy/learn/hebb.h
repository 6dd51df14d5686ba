/// @file ploy/learn/hebb.h
/// Hebbian grid: learns which places agree, and predicts the values of unseen ones.
///
/// Nodes are -1 or +1. Learning a pattern strengthens the link of two nodes that agree and weakens
/// the link of two that differ. Recall clamps the known nodes and lets the others settle to the
/// sign of their neighbours' weighted sum. With links between neighbours it predicts unseen places
/// of a map (safe or dangerous) from visible ones; with links between all nodes it is a Hopfield
/// network, which recalls whole patterns from parts. Technique: Millington, "AI for Games", 7.8;
/// Hebb 1949; Hopfield 1982.
///
/// Where most nodes have the same value in most patterns, agreement says little. With `centred` a
/// link is the covariance of its nodes, and a node is the sign of its habit (its mean over all
/// patterns) plus the weighted mean of how far the clamped nodes differ from theirs. Technique:
/// Amari 1989, "Characteristics of Sparsely Encoded Associative Memory"; the weighting is ours.
///
/// Unclamped nodes start at 0 and have no effect until they are set; sweeps run in index order and
/// change nodes one at a time, so recall ends. A unit of work is one sweep. Threads: recall from
/// many at a time; learning one caller.
#pragma once

#include "ploy/base/visit.h"

typedef struct ploy_hebb_def {
    uint32_t cookie;
    int32_t width, height; ///< nodes; at most 2^20 links in all
    bool all;              ///< links between all nodes (Hopfield), not only the eight neighbours
    float rate;            ///< how much a pattern changes a link
    int32_t sweeps;        ///< maximum number of sweeps of a recall
    bool centred;          ///< links count only what goes beyond the habits of both nodes
} ploy_hebb_def;

PLOY_API ploy_hebb_def ploy_hebb_def_default(void);
PLOY_API ploy_fields ploy_hebb_fields(void);

/// A grid of nodes. Opaque.
typedef struct ploy_hebb ploy_hebb;

/// @return PLOY_ERR_ARGUMENT if a setting is out of range, PLOY_ERR_LIMIT for too many links,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_hebb_create(const ploy_hebb_def *def, const ploy_env *env,
                                      ploy_hebb **out);
/// NULL is allowed.
PLOY_API void ploy_hebb_destroy(ploy_hebb *hebb);
/// Learns a whole pattern, one value per node: above 0 is +1, otherwise -1.
PLOY_API void ploy_hebb_learn(ploy_hebb *hebb, const float *pattern);
/// Fills in a pattern: 0 is unknown, others are clamped to their sign.
/// @return the number of sweeps until nothing changed; def.sweeps + 1 if it did not settle.
PLOY_API int32_t ploy_hebb_recall(const ploy_hebb *hebb, const float *known, float *out);
/// The link of two nodes: the mean over all patterns; 0 if they are not linked.
PLOY_API float ploy_hebb_link(const ploy_hebb *hebb, int32_t a, int32_t b);
/// The number of patterns learned.
PLOY_API int32_t ploy_hebb_patterns(const ploy_hebb *hebb);

/// Links and counters; the size is fixed at create.
PLOY_API void ploy_hebb_visit(ploy_visit *v, void *object);
