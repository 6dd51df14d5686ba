// Supports of wave function collapse: how many patterns of a neighbour allow a pattern of a cell.
//
// A removal takes one from the counts of what it allowed in the four neighbours; a pattern whose count
// becomes 0 has to go. This is where nearly all of the time is spent, so
//
//     - a pattern that is gone has WFC_GONE added to its counts: they cannot become 0, and only those that
//       have to go are found, which are few, where most would be gone already;
//     - for cells whose four neighbours are in the grid without wrapping, the places of the counts are the
//       same relative to the cell, and are computed once.
//
// Invariants:
//   (1) the counts of a cell in the grid are never below 0, so putting back restores them exactly;
//   (2) what lost its support is found by direction, then by pattern.
#include "base/compiler.h"
#include "generate/wfc_run.h"

#include <string.h>

// Added to a count, in four lanes of a word, one for each direction. A count is at most the number of
// patterns; where that does not fit in 15 bits, patterns that are gone are looked up instead.
#define WFC_GONE UINT64_C(0x8000800080008000)
#define WFC_GONE_MOST 0x7FFF

static bool support_marks(const ploy_wfc *wfc) {
    return wfc->patterns <= WFC_GONE_MOST;
}

static void support_add(ploy_wfc *wfc, int32_t cell, int32_t pattern, uint64_t lanes) {
    if (!support_marks(wfc)) return;
    uint16_t *at = wfc->support + ((ptrdiff_t)cell * wfc->patterns + pattern) * WFC_DIRECTIONS;
    uint64_t word;
    memcpy(&word, at, sizeof word);
    word += lanes; // never carries: keeps (1)
    memcpy(at, &word, sizeof word);
}

void ployi_wfc_support_gone(ploy_wfc *wfc, int32_t cell, int32_t pattern) {
    support_add(wfc, cell, pattern, WFC_GONE);
}

void ployi_wfc_support_back(ploy_wfc *wfc, int32_t cell, int32_t pattern) {
    support_add(wfc, cell, pattern, 0 - WFC_GONE);
}

// The counts of a cell's four neighbours for the direction back to it, as a row of the model names them.
static void support_around(const ploy_wfc *wfc, int32_t cell, uint16_t *out[WFC_DIRECTIONS]) {
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        int32_t beside = wfc->around[cell * WFC_DIRECTIONS + d];
        ptrdiff_t at = beside < 0 ? wfc->cells : beside;
        // Entries are other * 4 + d, counts other * 4 + 3 - d.
        out[d] = wfc->support + at * wfc->patterns * WFC_DIRECTIONS + 3 - 2 * d;
    }
}

// Takes from one count; no branch, because it would be a guess. True is added to `count` if it is 0 now.
#define SUPPORT_TAKE(at, entry)          \
    do {                                 \
        uint16_t support_left = --*(at); \
        lost[count] = (entry);           \
        count += support_left == 0;      \
    } while (0)

int32_t ployi_wfc_support_take(ploy_wfc *wfc, wfc_removal removal) {
    const ploy_wfc_model *model = wfc->model;
    const int32_t *all = model->all, *near = wfc->near;
    int32_t *lost = wfc->lost;
    int32_t count = 0, i = model->all_first[removal.pattern];
    int32_t end = model->all_first[removal.pattern + 1];
    if (wfc->inner[removal.cell]) {
        uint16_t *own = wfc->support + (ptrdiff_t)removal.cell * wfc->patterns * WFC_DIRECTIONS;
        for (; i < end; i++) SUPPORT_TAKE(own + near[i], all[i]);
        return count;
    }
    uint16_t *support[WFC_DIRECTIONS];
    support_around(wfc, removal.cell, support);
    for (; i < end; i++) SUPPORT_TAKE(support[all[i] & 3] + all[i], all[i]);
    return count;
}

void ployi_wfc_support_give(ploy_wfc *wfc, wfc_removal removal) {
    const ploy_wfc_model *model = wfc->model;
    uint16_t *support[WFC_DIRECTIONS];
    support_around(wfc, removal.cell, support);
    int32_t end = model->all_first[removal.pattern + 1];
    for (int32_t i = model->all_first[removal.pattern]; i < end; i++) {
        support[model->all[i] & 3][model->all[i]]++;
    }
}

// Whether a row of cells is short enough for places relative to a cell.
static bool support_is_near(const ploy_wfc *wfc) {
    return (int64_t)(wfc->columns + 1) * wfc->patterns * WFC_DIRECTIONS <= INT32_MAX;
}

bool ployi_wfc_support_begin(ploy_wfc *wfc) {
    const ploy_wfc_model *model = wfc->model;
    const int32_t step[WFC_DIRECTIONS] = {1, wfc->columns, -wfc->columns, -1};
    for (int32_t i = 0; support_is_near(wfc) && i < model->all_first[model->count]; i++) {
        int32_t d = model->all[i] & 3;
        wfc->near[i] = step[d] * wfc->patterns * WFC_DIRECTIONS + model->all[i] + 3 - 2 * d;
    }
    size_t beyond = (size_t)wfc->patterns * WFC_DIRECTIONS * sizeof *wfc->support;
    memset(wfc->support + (ptrdiff_t)wfc->cells * wfc->patterns * WFC_DIRECTIONS, 0, beyond);
    bool supported = true;
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        const int32_t *first = model->first[d];
        for (int32_t p = 0; p < wfc->patterns; p++) supported &= first[p + 1] > first[p];
    }
    return supported;
}

void ployi_wfc_support_fill(ploy_wfc *wfc, int32_t cell) {
    int32_t x = cell % wfc->columns, y = cell / wfc->columns;
    wfc->inner[cell] =
        support_is_near(wfc) && x > 0 && y > 0 && x < wfc->columns - 1 && y < wfc->rows - 1;
    uint16_t *support = wfc->support + (ptrdiff_t)cell * wfc->patterns * WFC_DIRECTIONS;
    if (cell > 0) { // all cells are alike
        memcpy(support, wfc->support, (size_t)wfc->patterns * WFC_DIRECTIONS * sizeof *support);
        return;
    }
    for (int32_t d = 0; d < WFC_DIRECTIONS; d++) {
        const int32_t *first = wfc->model->first[d];
        for (int32_t p = 0; p < wfc->patterns; p++) {
            support[(ptrdiff_t)p * WFC_DIRECTIONS + d] = (uint16_t)(first[p + 1] - first[p]);
        }
    }
}

#undef SUPPORT_TAKE
#undef WFC_GONE
#undef WFC_GONE_MOST
