// Lakes and rivers of the water analysis; see water.h.
//
// Rivers are found from their mouths upward. Each river cell has one feeder: of the cells that drain
// to it the one with most water, if that is a river cell or in a lake. A river follows feeders from
// its mouth to its source; every other river cell that drains to a river cell is the mouth of a
// tributary. The largest mouths come first.
#include <string.h>

#include "generate/water_internal.h"
#include "ploy/base/math.h"

// ---- lakes

// True for a cell that holds water in a hollow.
static bool water_wet(const ploy_water *water, int32_t cell) {
    return water->filled[cell] > water->elevation[cell] &&
           (water->marks[cell] & PLOYI_WATER_IS_SEA) == 0;
}

// Collects the hollow around a cell: writes its cells to `order` (the flood's is not needed any more)
// and returns how many there are.
static int32_t water_collect(ploy_water *water, int32_t cell, ploy_lake *lake) {
    int32_t count = 0, next = 0;
    int32_t *cells = water->order;
    memset(lake, 0, sizeof *lake);
    lake->level = water->filled[cell];
    lake->outlet = cell;
    water->marks[cell] |= PLOYI_WATER_SEEN;
    cells[count++] = cell;
    while (next < count) {
        int32_t here = cells[next++];
        lake->depth = ploy_maxf(lake->depth, lake->level - water->elevation[here]);
        if (water->drained[here] > water->drained[lake->outlet]) lake->outlet = here;
        for (int32_t i = 0; i < 4; i++) {
            int32_t near = ployi_water_near(water, here, i);
            if (near < 0 || (water->marks[near] & PLOYI_WATER_SEEN) != 0) continue;
            if (!water_wet(water, near) || water->filled[near] != lake->level) continue;
            water->marks[near] |= PLOYI_WATER_SEEN;
            cells[count++] = near;
        }
    }
    float spacing = ploy_heightmap_def_of(water->map)->spacing;
    lake->area = (float)count * spacing * spacing;
    return count;
}

// Sides of a cell in the order of a walk with the lake on the left: south, east, north, west.
static const int32_t water_side_ahead[4] = {0, 1, 3, 2}; // direction of travel along the side
static const int32_t water_side_out[4] = {2, 0, 1, 3};   // direction to the neighbour beyond it

static bool water_in_lake(const ploy_water *water, int32_t cell, int32_t number) {
    return cell >= 0 && water->lake[cell] == number;
}

// The corner at which a side begins.
static ploy_vec2 water_corner(const ploy_water *water, int32_t cell, int32_t side) {
    static const float dx[4] = {-0.5f, 0.5f, 0.5f, -0.5f}, dy[4] = {-0.5f, -0.5f, 0.5f, 0.5f};
    float spacing = ploy_heightmap_def_of(water->map)->spacing;
    ploy_vec2 at = ploy_heightmap_position(water->map, cell);
    return ploy_vec2_make(at.x + dx[side] * spacing, at.y + dy[side] * spacing);
}

// Walks once around an outline from a side that is not traced yet.
static ploy_result water_trace_ring(ploy_water *water, int32_t cell, int32_t side, int32_t number,
                                    ploy_array *corners) {
    int32_t start_cell = cell, start_side = side;
    ploy_array_clear(corners);
    bool turned = true; // the first corner always counts
    do {
        water->marks[cell] |= (uint8_t)(PLOYI_WATER_TRACED << side);
        if (turned) {
            ploy_vec2 corner = water_corner(water, cell, side);
            ploy_result result = ploy_array_push(corners, &corner);
            if (result != PLOY_OK) return result;
        }
        int32_t ahead = ployi_water_near(water, cell, water_side_ahead[side]);
        int32_t next_side = (side + 1) % 4;
        turned = true;
        if (water_in_lake(water, ahead, number)) {
            int32_t beyond = ployi_water_near(water, ahead, water_side_out[side]);
            if (water_in_lake(water, beyond, number)) {
                cell = beyond;
                next_side = (side + 3) % 4;
            } else {
                cell = ahead;
                next_side = side;
                turned = false;
            }
        }
        side = next_side;
    } while (cell != start_cell || side != start_side);
    return ploy_rings_add(water->rings, corners->items, corners->count);
}

static ploy_result water_outline(ploy_water *water, const int32_t *cells, int32_t count,
                                 int32_t number, ploy_lake *lake) {
    ploy_array corners;
    ploy_array_init(&corners, sizeof(ploy_vec2), &water->env);
    lake->first_ring = ploy_rings_count(water->rings);
    ploy_result result = PLOY_OK;
    // The lowest cell first: its southern side is on the outer ring.
    int32_t lowest = cells[0];
    for (int32_t i = 1; i < count; i++) lowest = ploy_mini(lowest, cells[i]);
    result = water_trace_ring(water, lowest, 0, number, &corners);
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        for (int32_t side = 0; side < 4 && result == PLOY_OK; side++) {
            if ((water->marks[cells[i]] >> side & PLOYI_WATER_TRACED) != 0) continue;
            int32_t beyond = ployi_water_near(water, cells[i], water_side_out[side]);
            if (water_in_lake(water, beyond, number)) continue;
            result = water_trace_ring(water, cells[i], side, number, &corners);
        }
    }
    lake->ring_count = ploy_rings_count(water->rings) - lake->first_ring;
    ploy_array_fini(&corners);
    return result;
}

static void water_trace_lake(const ploy_water *water, const ploy_lake *lake, const char *why) {
    if (water->trace == NULL) return;
    ploy_trace_begin(water->trace, ploy_agent_id_none(), "lake", "water");
    ploy_trace_option(water->trace, "lake", why == NULL ? PLOY_OUTCOME_WON : PLOY_OUTCOME_REJECTED,
                      (double)lake->area, why == NULL ? "" : why);
    ploy_trace_end(water->trace);
}

static ploy_result water_add_lake(ploy_water *water, int32_t cell) {
    ploy_lake lake;
    int32_t count = water_collect(water, cell, &lake);
    water->credit -= count; // paid with the next unit
    const char *why = lake.depth < water->def.lake_depth           ? "too shallow"
                      : lake.area < water->def.lake_area           ? "too small"
                      : water->lakes.count == water->def.max_lakes ? "too many"
                                                                   : NULL;
    water->outcome.attempts++;
    water_trace_lake(water, &lake, why);
    if (why != NULL) {
        water->outcome.rejected++;
        bool many = lake.depth >= water->def.lake_depth && lake.area >= water->def.lake_area;
        if (many) water->outcome.limit = "max_lakes";
        return PLOY_OK;
    }
    int32_t number = water->lakes.count + 1;
    for (int32_t i = 0; i < count; i++) {
        water->lake[water->order[i]] = number;
        water->depth[water->order[i]] = lake.level - water->elevation[water->order[i]];
    }
    ploy_result result = water_outline(water, water->order, count, number, &lake);
    if (result != PLOY_OK) return result;
    return ploy_array_push(&water->lakes, &lake);
}

ploy_result ployi_water_lakes(ploy_water *water, ploy_budget *budget) {
    for (; water->cursor < water->cells; water->cursor++) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t cell = water->cursor;
        if ((water->marks[cell] & PLOYI_WATER_SEEN) != 0 || !water_wet(water, cell)) continue;
        ploy_result result = water_add_lake(water, cell);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// ---- rivers

static float water_area(const ploy_water *water, int32_t cell) {
    float spacing = ploy_heightmap_def_of(water->map)->spacing;
    return (float)water->drained[cell] * spacing * spacing;
}

bool ployi_water_is_river(const ploy_water *water, int32_t cell) {
    return water->lake[cell] == 0 && (water->marks[cell] & PLOYI_WATER_IS_SEA) == 0 &&
           water_area(water, cell) >= water->def.river_area;
}

ploy_result ployi_water_heads(ploy_water *water, ploy_budget *budget) {
    for (; water->cursor < water->cells; water->cursor++) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        int32_t cell = water->cursor, to = water->drain[cell];
        if (to < 0 || !ployi_water_is_river(water, to)) continue;
        if (water->lake[cell] == 0 && !ployi_water_is_river(water, cell)) continue;
        int32_t old = water->feeder[to];
        if (old < 0 || water->drained[cell] > water->drained[old]) water->feeder[to] = cell;
    }
    // All mouths, the largest first; among equals the lower cell.
    ploy_heap_clear(&water->heap);
    for (int32_t cell = 0; cell < water->cells; cell++) {
        if (!ployi_water_is_river(water, cell)) continue;
        int32_t to = water->drain[cell];
        if (to >= 0 && ployi_water_is_river(water, to) && water->feeder[to] == cell) continue;
        ploy_result result =
            ploy_heap_push(&water->heap, -(double)water->drained[cell], (uint64_t)cell);
        if (result != PLOY_OK) return result;
    }
    for (int32_t cell = 0; cell < water->cells; cell++) water->order[cell] = -1; // now: the river
    return PLOY_OK;
}

static ploy_result water_add_point(ploy_water *water, int32_t cell, float width) {
    ploy_vec2 at = ploy_heightmap_position(water->map, cell);
    ploy_river_point point = {{at.x, at.y, water->filled[cell]}, width, cell};
    return ploy_array_push(&water->points, &point);
}

// The cell after its last one: in the sea, a lake or another river.
static ploy_result water_end(ploy_water *water, int32_t mouth, ploy_river *river) {
    int32_t to = water->drain[mouth];
    river->into = -1;
    river->end = PLOY_RIVER_AT_EDGE;
    if (to < 0) return PLOY_OK;
    if ((water->marks[to] & PLOYI_WATER_IS_SEA) != 0) {
        river->end = PLOY_RIVER_IN_SEA;
    } else if (water->lake[to] > 0) {
        river->end = PLOY_RIVER_IN_LAKE;
        river->into = water->lake[to] - 1;
    } else {
        river->end = PLOY_RIVER_IN_RIVER;
        river->into = water->order[to];
    }
    return water_add_point(water, to, water->def.river_width * sqrtf(water_area(water, mouth)));
}

static ploy_result water_add_river(ploy_water *water, int32_t mouth) {
    ploy_river river;
    memset(&river, 0, sizeof river);
    river.first = water->points.count;
    river.from_lake = -1;
    // Upstream to the source, then the points in reverse.
    int32_t source = mouth, length = 1;
    while (water->feeder[source] >= 0 && water->lake[water->feeder[source]] == 0) {
        source = water->feeder[source];
        length++;
    }
    water->credit -= length;
    ploy_result result = PLOY_OK;
    int32_t lake = water->feeder[source];
    float factor = water->def.river_width;
    if (lake >= 0) {
        river.from_lake = water->lake[lake] - 1;
        result = water_add_point(water, lake, factor * sqrtf(water_area(water, lake)));
    }
    for (int32_t cell = source; result == PLOY_OK; cell = water->drain[cell]) {
        water->order[cell] = water->rivers.count;
        result = water_add_point(water, cell, factor * sqrtf(water_area(water, cell)));
        if (cell == mouth) break;
    }
    if (result == PLOY_OK) result = water_end(water, mouth, &river);
    river.count = water->points.count - river.first;
    ploy_trace_begin(water->trace, ploy_agent_id_none(), "river", "water");
    ploy_trace_i64(water->trace, "cells", water->drained[mouth]);
    ploy_trace_text(water->trace, "end", ploy_river_end_text(river.end));
    ploy_trace_end(water->trace);
    if (result == PLOY_OK) result = ploy_array_push(&water->rivers, &river);
    return result;
}

ploy_result ployi_water_rivers(ploy_water *water, ploy_budget *budget) {
    while (ploy_heap_count(&water->heap) > 0) {
        if (!ployi_water_spend(water, budget, 1)) return PLOY_IN_PROGRESS;
        if (water->rivers.count == water->def.max_rivers) {
            water->outcome.limit = "max_rivers";
            break;
        }
        uint64_t mouth = 0;
        ploy_heap_pop(&water->heap, NULL, &mouth);
        ploy_result result = water_add_river(water, (int32_t)mouth);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}
