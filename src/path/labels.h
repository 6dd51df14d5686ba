// Labels: which cells hang together, as a forest that edits can keep up with.
//
// Every free cell points to a cell of its part of the map with a number no higher, and the root
// of a part is its label. A new passage joins two roots; a passage that closes may split a part, which only a
// look around can rule out: if a few steps lead from each end to the other, nothing split.
//
// Invariants, unless stale:
//   (1) up[c] is -1 for a cell that was never free since the last rebuild, else up[c] <= c;
//   (2) two free cells have the same root exactly if a path joins them.
#pragma once

#include "ploy/base/env.h"

// The free cells that passages join to a free cell; at most 8.
typedef int32_t (*ployi_links_fn)(const void *user, int32_t cell, int32_t out[8]);

typedef struct ployi_labels {
    int32_t *up;
    int32_t count;
    bool stale;
    ployi_links_fn links;
} ployi_labels;

// `free` says whether a cell is.
void ployi_labels_rebuild(ployi_labels *labels, const void *user,
                          bool (*is_free)(const void *user, int32_t cell));
// After a cell became free.
void ployi_labels_opened(ployi_labels *labels, const void *user, int32_t cell);
// After a cell stopped being free; `ends` are the cells it was linked to.
void ployi_labels_closed(ployi_labels *labels, const void *user, const int32_t *ends,
                         int32_t end_count);
int32_t ployi_labels_root(const ployi_labels *labels, int32_t cell);
