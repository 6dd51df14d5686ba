// Shared by the parts of the water analysis: flood and drainage (water.c), lakes and rivers
// (water_shapes.c).
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/heap.h"
#include "ploy/generate/water.h"

typedef enum ployi_water_stage {
    PLOYI_WATER_SEA,   // fills the sea from the edge
    PLOYI_WATER_FLOOD, // fills hollows, from the outlets upward
    PLOYI_WATER_DRAIN, // adds up areas, against the order of the flood
    PLOYI_WATER_LAKES,
    PLOYI_WATER_HEADS, // finds where each river is joined by its largest feeder, and all mouths
    PLOYI_WATER_RIVERS,
    PLOYI_WATER_DONE
} ployi_water_stage;

// Marks of a cell.
enum {
    PLOYI_WATER_IS_SEA = 1,
    PLOYI_WATER_SEEN = 2,    // by the flood, then by the search for lakes
    PLOYI_WATER_TRACED = 16, // times 1 << side: the outline along that side is in a ring
};

// Cells that one unit of budget pays for.
#define PLOYI_WATER_UNIT 64

struct ploy_water {
    ploy_env env;
    ploy_water_def def;
    ploy_trace *trace;
    ploy_heightmap *map;
    int32_t columns, rows, cells;
    const float *elevation;
    float *filled, *depth;           // layers
    int32_t *drain, *drained, *lake; // layers
    int32_t *order;                  // cells in the order of the flood; before it the sea's stack
    int32_t *feeder;                 // of a river cell: the upstream cell with most water, or -1
    uint8_t *marks;
    ploy_heap heap;
    ployi_water_stage stage;
    int32_t cursor, order_count;
    int32_t credit;                   // cells that the last unit still pays for
    ploy_array rivers, points, lakes; // ploy_river, ploy_river_point, ploy_lake
    ploy_rings *rings;
    ploy_generate_outcome outcome;
};

// Direction i of eight: 0 to 3 are those of the four neighbours, +x, +y, -y, -x.
extern const int32_t ployi_water_dx[8];
extern const int32_t ployi_water_dy[8];

// The neighbour in a direction; -1 beyond the edge.
int32_t ployi_water_near(const ploy_water *water, int32_t cell, int32_t direction);
// True if the cell is part of a river.
bool ployi_water_is_river(const ploy_water *water, int32_t cell);

// Pays for that many cells, PLOYI_WATER_UNIT of them with one unit; false if the budget is empty.
bool ployi_water_spend(ploy_water *water, ploy_budget *budget, int32_t cells);

// Each does one stage, from the cursor on: PLOY_OK when it is done.
ploy_result ployi_water_lakes(ploy_water *water, ploy_budget *budget);
ploy_result ployi_water_heads(ploy_water *water, ploy_budget *budget);
ploy_result ployi_water_rivers(ploy_water *water, ploy_budget *budget);
