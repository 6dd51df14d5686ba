// A run of wave function collapse, shared by the solver (wfc.c) and what is read of it (wfc_result.c).
#pragma once

#include "generate/wfc_internal.h"
#include "ploy/base/rng.h"

typedef enum wfc_phase {
    WFC_FILL,      // all patterns into all cells
    WFC_BEGIN,     // what can never be there out of them
    WFC_PROPAGATE, // remove what lost its support
    WFC_LINKS,     // look whether the demanded paths are still possible
    WFC_DECIDE,    // one cell
    WFC_UNDO,      // back to `mark`
    WFC_DONE
} wfc_phase;

typedef struct wfc_removal {
    int32_t cell, pattern;
} wfc_removal;

typedef struct wfc_decision {
    int32_t cell, pattern;
    int64_t mark; // removals before it
} wfc_decision;

typedef struct wfc_link {
    int32_t from, to;
    int32_t length; // of the path known to be possible; 0 if none is known
    int32_t *path;  // cells
} wfc_link;

struct ploy_wfc {
    ploy_env env;
    ploy_wfc_def def;
    const ploy_wfc_model *model;
    ploy_wfc_model *own; // made by the front from a sample; NULL otherwise
    ploy_trace *trace;
    ploy_rng_key decide_key, noise_key;
    ploy_rng rng;
    size_t size; // of this block, all arrays below but `paint` and `links` included

    int32_t columns, rows; // cells: positions of patterns
    int32_t cells, patterns, words;
    wfc_phase phase;
    int32_t at; // next cell of WFC_FILL and WFC_BEGIN
    bool failed;
    const char *limit;

    int64_t total, total_log; // sums over all patterns
    uint64_t *wave;           // patterns that a cell has, `words` for each
    uint16_t *support;      // (cell, pattern, direction): neighbours there that allow it. One cell
                            // more takes what goes beyond the edge
    int32_t *near;          // of every entry of the model's rows: its count, relative to the cell's
    bool supported;         // every pattern has a neighbour in every direction
    uint8_t *inner;         // of a cell: `near` holds, because no neighbour is across an edge
    int32_t *left;          // patterns of a cell
    int64_t *sum, *sum_log; // of the weights of a cell's patterns
    int32_t *around;        // (cell, direction): neighbour, -1 beyond the edge
    int32_t *lost;          // scratch: entries of a row that lost their support
    wfc_removal *trail;     // removals in order
    int64_t removed, head;  // on the trail; of them propagated
    double *key;            // of a cell: the lowest is decided next, infinity if it is decided
    float *noise;
    uint8_t *stale, *row_stale; // key, lowest of a row to be computed again
    int32_t *row_of;     // of a cell: a division for every removal would be a tenth of the time
    int32_t *row_lowest; // cell with the lowest key of a row, -1 if all are decided
    wfc_decision *decisions;
    int32_t depth;
    int64_t base;         // removals that hold without any decision
    int64_t mark;         // WFC_UNDO: how far back
    int32_t ruled_out[2]; // cell and pattern to remove after it; -1 if none
    int32_t decided;

    uint64_t *paint;    // patterns allowed by ploy_wfc_allow, as `wave`; NULL if none
    uint8_t *open;      // of a pattern: its open sides; NULL without links
    int32_t *open_left; // (cell, direction): patterns with that side open
    int32_t *queue, *came;
    wfc_link links[PLOY_WFC_LINKS_MAX];
    int32_t link_count;
    size_t link_bytes; // of the block that `open` begins

    int32_t *tiles, *best; // def.columns * def.rows
    int32_t best_decided;
    int32_t backtracks, restarts;
    int64_t decisions_made, conflicts, units;
    uint64_t draws; // of the starts before this one
    ploy_wfc_conflict conflict;
};

// Computes `near`. Returns whether every pattern has a neighbour in every direction.
bool ployi_wfc_support_begin(ploy_wfc *wfc);
// A cell that has all patterns, as have its neighbours. In the order of cells.
void ployi_wfc_support_fill(ploy_wfc *wfc, int32_t cell);
// Takes what a removed pattern supported in its neighbours. What is left without support is in `lost`, as
// other * WFC_DIRECTIONS + direction; returns how many.
int32_t ployi_wfc_support_take(ploy_wfc *wfc, wfc_removal removal);
// Puts it back.
void ployi_wfc_support_give(ploy_wfc *wfc, wfc_removal removal);
// A pattern left a cell, or came back: what is gone is not found again.
void ployi_wfc_support_gone(ploy_wfc *wfc, int32_t cell, int32_t pattern);
void ployi_wfc_support_back(ploy_wfc *wfc, int32_t cell, int32_t pattern);
