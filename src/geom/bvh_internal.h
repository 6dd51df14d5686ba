// What the plain scene asks of a hierarchy beyond its public calls: layers, bits that each box has
// and of which a query sees some. Inner nodes know those of all below them, so that a walk skips
// what it may not see without looking at any of it. Insert and rebuild give every box all layers.
#pragma once

#include "ploy/geom/bvh.h"

// Of a box that is held. O(log n).
void ployi_bvh2_set_layers(ploy_bvh2 *bvh, int32_t id, uint32_t layers);
// Replaces everything by what another holds, which has no higher ids than there is room for.
void ployi_bvh2_rebuild_from(ploy_bvh2 *bvh, const ploy_bvh2 *from);
// Makes the best tree of what it holds.
void ployi_bvh2_tidy(ploy_bvh2 *bvh);
// ploy_bvh2_visit for boxes that share a layer with the mask. Under the mask of all bits, boxes
// without any layer are reported too.
void ployi_bvh2_visit_layers(const ploy_bvh2 *bvh, const ploy_query2 *query, uint32_t mask,
                             ploy_visit_fn fn, void *user);
