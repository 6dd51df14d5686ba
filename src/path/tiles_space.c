// Walking on tiles: what a step costs, and the map as a space to search.
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "path/tiles_internal.h"

#include "path/path_internal.h"
#include "ploy/base/math.h"

#define WALKER_SQRT2 1.4142135623730951

ploy_tiles_walker ploy_tiles_walker_make(const ploy_tiles *tiles, const float *costs) {
    ploy_tiles_walker walker;
    memset(&walker, 0, sizeof walker);
    walker.tiles = tiles;
    walker.costs = costs;
    walker.size = 1;
    walker.max_slope = INFINITY;
    walker.least = 0.0f; // the map's, which edits may lower
    if (costs != NULL) {
        walker.least = INFINITY;
        for (int32_t kind = 1; kind < PLOY_TILE_KINDS; kind++) {
            walker.least = ploy_minf(walker.least, costs[kind]);
        }
        if (!(walker.least > 0.0f && ploy_is_finite(walker.least))) walker.least = 0.0f;
    }
    return walker;
}

static double walker_enter(const ploy_tiles_walker *walker, int32_t cell) {
    const float *costs = walker->costs != NULL ? walker->costs : walker->tiles->costs;
    uint8_t kind = walker->tiles->kinds[cell];
    return kind == PLOY_TILE_BLOCKED ? (double)INFINITY : (double)costs[kind];
}

bool ployi_tiles_walker_fits(const ploy_tiles_walker *walker, int32_t cell) {
    const ploy_tiles *tiles = walker->tiles;
    if (cell < 0 || cell >= tiles->count) return false;
    if (walker->size > 1 && !ployi_tiles_plain(tiles)) return false;
    // With separate costs, what blocks others may not block it, nor the other way round.
    if (walker->costs == NULL) return tiles->clearance[cell] >= walker->size;
    int32_t x = cell % tiles->def.width, y = cell / tiles->def.width;
    if (x + walker->size > tiles->def.width || y + walker->size > tiles->def.height) return false;
    for (int32_t i = 0; i < walker->size; i++) {
        for (int32_t k = 0; k < walker->size; k++) {
            if (!(walker_enter(walker, cell + i * tiles->def.width + k) < (double)INFINITY)) {
                return false;
            }
        }
    }
    return true;
}

// What is beside a diagonal step lets it pass.
static bool walker_corners(const ploy_tiles_walker *walker, int32_t from, int32_t direction) {
    const ploy_tiles *tiles = walker->tiles;
    if (tiles->directions != 8 || direction % 2 == 0) return true;
    if (tiles->def.corners == PLOY_TILE_CORNERS_CUT) return true;
    bool a = ployi_tiles_walker_fits(walker, ploy_tiles_neighbour(tiles, from, direction - 1));
    bool b =
        ployi_tiles_walker_fits(walker, ploy_tiles_neighbour(tiles, from, (direction + 1) % 8));
    return tiles->def.corners == PLOY_TILE_CORNERS_CLEAR ? a && b : a || b;
}

// How many times longer the distance over the slope is than on level ground of length 1; the penalty for
// climbing with it.
static double walker_slope(const ploy_tiles_walker *walker, int32_t from, int32_t to,
                           double length) {
    const ploy_tiles *tiles = walker->tiles;
    int32_t width = tiles->def.width;
    double rise = (double)ploy_heightfield_sample(walker->heights, to % width, to / width) -
                  (double)ploy_heightfield_sample(walker->heights, from % width, from / width);
    double slope = rise / (length * (double)tiles->def.size);
    if (!(fabs(slope) <= (double)walker->max_slope)) return (double)INFINITY; // a hole too
    double share = slope > 0.0 ? (double)walker->uphill * slope : (double)walker->downhill * -slope;
    return sqrt(1.0 + slope * slope) * (1.0 + share);
}

// The step into a cell that is there, fits and is not around a corner.
static double walker_cost(const ploy_tiles_walker *walker, int32_t from, int32_t to,
                          int32_t direction) {
    double length = walker->tiles->directions == 8 && direction % 2 != 0 ? WALKER_SQRT2 : 1.0;
    double cost = length * walker_enter(walker, to);
    return walker->heights == NULL ? cost : cost * walker_slope(walker, from, to, length);
}

double ploy_tiles_walker_step(const ploy_tiles_walker *walker, int32_t from, int32_t direction) {
    int32_t to = ploy_tiles_neighbour(walker->tiles, from, direction);
    if (to < 0 || !ployi_tiles_walker_fits(walker, to) ||
        !walker_corners(walker, from, direction)) {
        return (double)INFINITY;
    }
    return walker_cost(walker, from, to, direction);
}

// Adds the edges of a cell away from the rim; there is room for eight. shift: 1 for the four straight
// directions alone, a constant where it is called.
PLOYI_INLINE void walker_write_edges(const ploy_tiles *tiles, int32_t state, int32_t shift,
                                     ploy_edges *out) {
    const ptrdiff_t width = tiles->def.width;
    const ptrdiff_t offsets[8] = {1,  width + 1,  width,  width - 1,
                                  -1, -width - 1, -width, 1 - width};
    const uint8_t *clearance = tiles->clearance + state, *kinds = tiles->kinds + state;
    // A bit for each direction: free cells, and those of them that no corner hides.
    uint32_t free = 0;
    for (int32_t i = 0; i < 8; i++) free |= (uint32_t)(clearance[offsets[i]] > 0) << i;
    uint32_t before = free << 1 | free >> 7, after = free >> 1 | free << 7;
    uint32_t corners = tiles->def.corners == PLOY_TILE_CORNERS_CUT     ? 0xff
                       : tiles->def.corners == PLOY_TILE_CORNERS_CLEAR ? before & after
                                                                       : before | after;
    uint32_t open = free & (shift == 0 ? 0x55 | corners : 0x55);
    // Each edge is written where the next one belongs, and counted if the step is possible: a jump
    // that depends on the map would be guessed wrong too often.
    ploy_edge *edge = out->items + out->count;
    for (int32_t i = 0; i < 8; i += 1 + shift) {
        double cost = (double)tiles->costs[kinds[offsets[i]]];
        edge->to = state + (int32_t)offsets[i];
        edge->label = i >> shift;
        edge->cost = i % 2 == 0 ? cost : cost * WALKER_SQRT2;
        edge += open >> i & 1;
    }
    out->count = (int32_t)(edge - out->items);
}

// The usual case, a body of one cell with the map's own costs on level squares, away from the rim:
// the same edges in the same order, without a division and a call for each of them.
static bool walker_expand_inside(const ploy_tiles_walker *walker, int32_t state, ploy_edges *out) {
    const ploy_tiles *tiles = walker->tiles;
    int32_t width = tiles->def.width, directions = tiles->directions;
    if (walker->size != 1 || walker->costs != NULL || walker->heights != NULL || directions == 6 ||
        out->view != out->items || out->capacity - out->count < 8 || state < 0 ||
        state >= tiles->count) {
        return false;
    }
    int32_t x = state % width, y = state / width;
    if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= tiles->def.height) return false;
    if (directions == 8) {
        walker_write_edges(tiles, state, 0, out);
    } else {
        walker_write_edges(tiles, state, 1, out);
    }
    return true;
}

static ploy_result walker_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_tiles_walker *walker = user;
    if (walker_expand_inside(walker, state, out)) return PLOY_OK;
    for (int32_t direction = 0; direction < walker->tiles->directions; direction++) {
        double cost = ploy_tiles_walker_step(walker, state, direction);
        if (!(cost < (double)INFINITY)) continue;
        ploy_result result = ploy_edges_add(
            out, ploy_tiles_neighbour(walker->tiles, state, direction), cost, direction);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// The steps that lead here, each with the direction it is walked in.
static ploy_result walker_expand_back(void *user, int32_t state, ploy_edges *out) {
    const ploy_tiles_walker *walker = user;
    int32_t directions = walker->tiles->directions;
    if (!ployi_tiles_walker_fits(walker, state)) return PLOY_OK;
    for (int32_t back = 0; back < directions; back++) {
        int32_t from = ploy_tiles_neighbour(walker->tiles, state, back);
        int32_t direction = (back + directions / 2) % directions;
        if (from < 0 || !ployi_tiles_walker_fits(walker, from)) continue;
        double cost = ploy_tiles_walker_step(walker, from, direction);
        if (!(cost < (double)INFINITY)) continue;
        ploy_result result = ploy_edges_add(out, from, cost, direction);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

// How far apart two columns or rows are, in the shorter direction.
static int32_t walker_gap(int32_t a, int32_t b, int32_t size, bool wrap) {
    int32_t gap = a < b ? b - a : a - b;
    return wrap ? ploy_mini(gap, size - gap) : gap;
}

// Steps between two cells of hexagons; the axial column of (x, y) is x - floor(y / 2).
static int32_t walker_hex(int32_t dx, int32_t dy) {
    int32_t ds = dx + dy;
    dx = dx < 0 ? -dx : dx;
    dy = dy < 0 ? -dy : dy;
    ds = ds < 0 ? -ds : ds;
    return ploy_maxi(ploy_maxi(dx, dy), ds);
}

static double walker_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_tiles_walker *walker = user;
    const ploy_tiles_def *def = &walker->tiles->def;
    if (goal < 0) return 0.0;
    int32_t x = state % def->width, y = state / def->width;
    int32_t gx = goal % def->width, gy = goal / def->width;
    double steps = 0.0;
    if (def->neighbours == PLOY_TILE_HEX) {
        // Of the distances round a wrapped map, the shortest: the goal is beside itself.
        int32_t best = INT32_MAX;
        for (int32_t i = def->wrap_y ? -1 : 0; i <= (def->wrap_y ? 1 : 0); i++) {
            for (int32_t k = def->wrap_x ? -1 : 0; k <= (def->wrap_x ? 1 : 0); k++) {
                int32_t row = gy + i * def->height, column = gx + k * def->width;
                int32_t half = (row - (row & 1)) / 2;
                best = ploy_mini(best, walker_hex(column - half - (x - y / 2), row - y));
            }
        }
        steps = best;
    } else {
        int32_t dx = walker_gap(x, gx, def->width, def->wrap_x);
        int32_t dy = walker_gap(y, gy, def->height, def->wrap_y);
        int32_t less = ploy_mini(dx, dy), more = ploy_maxi(dx, dy);
        steps = def->neighbours == PLOY_TILE_FOUR
                    ? (double)(dx + dy)
                    : (double)(more - less) + WALKER_SQRT2 * (double)less;
    }
    // A hair less: the sum of many steps of sqrt(2) may round below the product.
    double least = walker->costs == NULL ? (double)walker->tiles->least : (double)walker->least;
    return steps * least * (1.0 - 1e-12);
}

ploy_space ploy_tiles_space(const ploy_tiles_walker *walker) {
    ploy_space space;
    memset(&space, 0, sizeof space);
    space.count = walker->tiles->count;
    space.expand = walker_expand;
    space.expand_back = walker_expand_back;
    space.estimate = walker_estimate;
    memcpy(&space.user, &walker, sizeof space.user); // the callbacks read only
    return space;
}

const ploy_tiles_walker *ploy_tiles_space_walker(const ploy_space *space) {
    return space != NULL && space->expand == walker_expand ? space->user : NULL;
}

// ---- the steps of all cells

// A row of cells away from the rim, a bit for each of eight directions. cut, any: 1 if corners may be
// cut, or passed if one side is free.
PLOYI_INLINE void walker_steps_row_body(int32_t n, const uint8_t *restrict own,
                                        const uint8_t *restrict above,
                                        const uint8_t *restrict below, uint8_t cut, uint8_t any,
                                        uint8_t *restrict out) {
    for (int32_t x = 0; x < n; x++) {
        uint8_t east = own[x + 1] > 0, west = own[x - 1] > 0;
        uint8_t north = above[x] > 0, south = below[x] > 0;
        uint8_t north_east = (above[x + 1] > 0) & (cut | (any & (north | east)) | (north & east));
        uint8_t north_west = (above[x - 1] > 0) & (cut | (any & (north | west)) | (north & west));
        uint8_t south_west = (below[x - 1] > 0) & (cut | (any & (south | west)) | (south & west));
        uint8_t south_east = (below[x + 1] > 0) & (cut | (any & (south | east)) | (south & east));
        out[x] = (uint8_t)(east | north_east << 1 | north << 2 | north_west << 3 | west << 4 |
                           south_west << 5 | south << 6 | south_east << 7);
    }
}
PLOYI_KERNEL(walker_steps_row,
             (int32_t n, const uint8_t *restrict own, const uint8_t *restrict above,
              const uint8_t *restrict below, uint8_t cut, uint8_t any, uint8_t *restrict out),
             (n, own, above, below, cut, any, out))

static uint8_t walker_steps_at(const ploy_tiles_walker *walker, int32_t cell) {
    uint32_t steps = 0;
    for (int32_t i = 0; i < walker->tiles->directions; i++) {
        bool possible = ploy_tiles_walker_step(walker, cell, i) < (double)INFINITY;
        steps |= (uint32_t)possible << i;
    }
    return (uint8_t)steps;
}

void ploy_tiles_steps(const ploy_tiles *tiles, uint8_t *out) {
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    int32_t width = tiles->def.width, height = tiles->def.height;
    uint8_t cut = tiles->def.corners == PLOY_TILE_CORNERS_CUT;
    uint8_t any = tiles->def.corners != PLOY_TILE_CORNERS_CLEAR;
    for (int32_t y = 0; y < height; y++) {
        bool rim = y == 0 || y + 1 == height || width < 3 || tiles->directions == 6;
        int32_t first = y * width;
        if (rim) {
            for (int32_t x = 0; x < width; x++)
                out[first + x] = walker_steps_at(&walker, first + x);
            continue;
        }
        const uint8_t *row = tiles->clearance + first + 1;
        walker_steps_row(width - 2, row, row + width, row - width, cut, any, out + first + 1);
        for (int32_t x = 1; x + 1 < width && tiles->directions == 4; x++) {
            uint32_t eight = out[first + x]; // every other direction
            out[first + x] =
                (uint8_t)((eight & 1) | (eight >> 1 & 2) | (eight >> 2 & 4) | (eight >> 3 & 8));
        }
        out[first] = walker_steps_at(&walker, first);
        out[first + width - 1] = walker_steps_at(&walker, first + width - 1);
    }
}
