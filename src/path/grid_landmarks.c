// Landmarks of a grid map: cells from which the distance to every cell is known.
//
// Every part of the map that hangs together has its own landmark number i, because no question
// leads from one part into another. One flood from all of them together measures them all. The
// first is the cell farthest from the part's first cell, each other the one farthest from all
// before it: corners of the map, where estimates for paths across it are best.
//
// Which cells are chosen depends on what is connected and on distances alone, never on how labels
// are kept; so tables of a map that followed edits equal those of a newly made map.
#include <string.h>

#include "path/grid_internal.h"

// Floods the map from the landmarks, one for each part: lead[root of a part], -1 for none.
static ploy_result grid_marks_flood(ploy_grid_search *flood, const ploy_grid_map *map,
                                    const int32_t *lead) {
    bool begun = false;
    for (int32_t root = 0; root < map->count; root++) {
        int32_t cell = lead[root];
        if (cell < 0) continue;
        if (!begun) {
            ploy_result result = ploy_grid_search_begin(flood, map, cell, PLOY_STATE_NONE);
            if (result != PLOY_OK) return result;
            begun = true;
            continue;
        }
        ployi_grid_record *record = &flood->records[cell];
        record->cost = 0;
        record->parent = PLOY_STATE_NONE;
        record->mark = flood->generation << 16 | 255u;
        ployi_grid_push(flood, cell, 0);
        if (flood->failed) return PLOY_ERR_MEMORY;
    }
    return begun ? ploy_grid_search_step(flood, NULL) : PLOY_OK;
}

// What is only needed while landmarks are chosen: an entry for each cell of the map.
typedef struct grid_marks_scratch {
    int32_t *free; // cells that the body fits in, in their order; often few of all
    int32_t *far;  // their distance from the landmarks so far
    int32_t *lead; // of the root of a part: its next landmark, -1 where there is none
    int32_t free_count;
} grid_marks_scratch;

// For each part the cell that is farthest from the landmarks so far. The first of equals, in the
// order of cells.
static void grid_marks_choose(const ploy_grid_map *map, grid_marks_scratch *scratch) {
    memset(scratch->lead, 0xFF, (size_t)map->count * sizeof *scratch->lead);
    for (int32_t k = 0; k < scratch->free_count; k++) {
        int32_t cell = scratch->free[k];
        int32_t *best = &scratch->lead[ployi_labels_root(&map->labels, cell)];
        if (*best < 0 || scratch->far[cell] > scratch->far[*best]) *best = cell;
    }
}

static ploy_result grid_marks_make(ploy_grid_map *map, ploy_grid_search *flood,
                                   grid_marks_scratch *scratch) {
    size_t count = (size_t)map->def.landmarks;
    memset(map->marks, 0, (size_t)map->count * count * sizeof *map->marks);
    memset(scratch->far, 0, (size_t)map->count * sizeof *scratch->far);
    scratch->free_count = 0;
    for (int32_t y = 0, cell = 0; y < map->height; y++) {
        for (int32_t x = 0; x < map->width; x++, cell++) {
            if (ployi_grid_fits(map, x, y)) scratch->free[scratch->free_count++] = cell;
        }
    }
    for (int32_t i = -1; i < map->def.landmarks; i++) { // -1: from the first cell of each part
        grid_marks_choose(map, scratch);
        ploy_result result = grid_marks_flood(flood, map, scratch->lead);
        if (result != PLOY_OK) return result;
        for (int32_t k = 0; k < scratch->free_count; k++) {
            int32_t cell = scratch->free[k];
            int32_t distance = (int32_t)(flood->records[cell].cost >> PLOYI_GRID_MARK_SHIFT);
            if (i <= 0 || distance < scratch->far[cell]) scratch->far[cell] = distance;
            if (i >= 0) map->marks[(size_t)cell * count + (size_t)i] = distance;
        }
    }
    return PLOY_OK;
}

ploy_result ployi_grid_make_marks(ploy_grid_map *map) {
    ploy_grid_search_def def = ploy_grid_search_def_default();
    def.algorithm = PLOY_GRID_DIJKSTRA;
    ploy_grid_search *flood = NULL;
    size_t bytes = 3 * (size_t)map->count * sizeof(int32_t);
    int32_t *block = ploy_env_alloc(&map->env, bytes);
    ploy_result result = PLOY_ERR_MEMORY;
    if (block != NULL) result = ploy_grid_search_create(&def, &map->env, &flood);
    if (result == PLOY_OK) {
        grid_marks_scratch scratch = {block, block + map->count, block + 2 * map->count, 0};
        result = grid_marks_make(map, flood, &scratch);
    }
    ploy_grid_search_destroy(flood);
    ploy_env_free(&map->env, block, bytes);
    return result;
}
