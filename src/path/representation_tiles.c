// Tiles as a representation; see representation.h.
//
// A body of several cells is named by the least of them, and is where its middle is: half a cell
// further for each cell that it is wider. Lines are drawn for that least cell, over the cells that
// the body fits in.
#include <math.h>

#include "ploy/base/hash.h"

#include "path/path_internal.h"
#include "ploy/base/math.h"
#include "ploy/path/representation.h"

// ---- places ----

// From the middle of the least cell to that of the body, in metres.
static float tiles_view_shift(const ploy_tiles_walker *walker) {
    return 0.5f * (float)(walker->size - 1) * ploy_tiles_def_of(walker->tiles).size;
}

static int32_t tiles_view_quantise(const void *user, ploy_vec3 place,
                                   const ploy_representation_body *body) {
    const ploy_tiles_walker *walker = user;
    float shift = tiles_view_shift(walker);
    (void)body;
    ploy_vec2 at = ploy_vec2_make(place.x - shift, place.y - shift);
    int32_t cell = ploy_tiles_quantise(walker->tiles, at);
    return cell >= 0 && ployi_tiles_walker_fits(walker, cell) ? cell : PLOY_STATE_NONE;
}

static ploy_vec3 tiles_view_localise(const void *user, int32_t state) {
    const ploy_tiles_walker *walker = user;
    float height = 0.0f, shift = tiles_view_shift(walker);
    if (walker->heights != NULL) {
        int32_t width = ploy_tiles_width(walker->tiles);
        height = ploy_heightfield_sample(walker->heights, state % width, state / width);
    }
    ploy_vec2 at = ploy_tiles_localise(walker->tiles, state);
    return ploy_vec3_make(at.x + shift, at.y + shift, height);
}

static double tiles_view_price(const ploy_tiles_walker *walker, int32_t cell) {
    uint8_t kind = ploy_tiles_get(walker->tiles, cell);
    return walker->costs != NULL ? (double)walker->costs[kind]
                                 : (double)ploy_tiles_cost(walker->tiles, kind);
}

// ---- straight lines ----

// A line in cells, for the least cell's middle; the cell (x, y) is the square from there to x + 1,
// y + 1.
typedef struct tiles_line {
    const ploy_tiles_walker *walker;
    double ax, ay, bx, by;
    double radius;
    ploy_tile_corners corners;
} tiles_line;

typedef enum tiles_contact {
    TILES_CONTACT_NONE,
    TILES_CONTACT_CORNER, // passes one corner and touches nothing else
    TILES_CONTACT_EDGE,   // touches the edge, or ends at it
    TILES_CONTACT_INSIDE
} tiles_contact;

// The side of the line that a point is on; 0 if rounding leaves doubt.
static int32_t tiles_line_side(const tiles_line *line, double x, double y) {
    double left = (line->bx - line->ax) * (y - line->ay);
    double right = (line->by - line->ay) * (x - line->ax);
    double bound = (fabs(left) + fabs(right)) * 4e-16;
    return left - right > bound ? 1 : right - left > bound ? -1 : 0;
}

// What a line without width does to a cell's square. *corner: which one it passes, 0 to 3, + 1 for
// the right and + 2 for the upper ones.
static tiles_contact tiles_line_contact(const tiles_line *line, int32_t x, int32_t y,
                                        int32_t *corner) {
    double left = x, right = left + 1.0, low = y, high = low + 1.0;
    double min_x = fmin(line->ax, line->bx), max_x = fmax(line->ax, line->bx);
    double min_y = fmin(line->ay, line->by), max_y = fmax(line->ay, line->by);
    if (max_x < left || min_x > right || max_y < low || min_y > high) return TILES_CONTACT_NONE;
    if (min_x == max_x && min_y == max_y) return TILES_CONTACT_INSIDE;
    int32_t above = 0, below = 0, on = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t side = tiles_line_side(line, i % 2 == 0 ? left : right, i / 2 == 0 ? low : high);
        above += side > 0;
        below += side < 0;
        on += side == 0;
        if (side == 0) *corner = i;
    }
    bool across = above > 0 && below > 0;
    if (across) {
        bool open = max_x > left && min_x < right && max_y > low && min_y < high;
        return open ? TILES_CONTACT_INSIDE : TILES_CONTACT_EDGE;
    }
    if (on == 0) return TILES_CONTACT_NONE;
    if (on > 1) return TILES_CONTACT_EDGE;
    double cx = *corner % 2 == 0 ? left : right, cy = *corner / 2 == 0 ? low : high;
    if (cx < min_x || cx > max_x || cy < min_y || cy > max_y) return TILES_CONTACT_NONE;
    bool end = (line->ax == cx && line->ay == cy) || (line->bx == cx && line->by == cy);
    return end ? TILES_CONTACT_EDGE : TILES_CONTACT_CORNER;
}

// From a point to a cell's square, squared.
static double tiles_line_gap(double px, double py, double left, double low) {
    double dx = fmax(fmax(left - px, px - left - 1.0), 0.0);
    double dy = fmax(fmax(low - py, py - low - 1.0), 0.0);
    return dx * dx + dy * dy;
}

// From the line to a cell's square that it does not touch, squared: the least is at an end of the
// line or at a corner of the square.
static double tiles_line_distance(const tiles_line *line, int32_t x, int32_t y) {
    double dx = line->bx - line->ax, dy = line->by - line->ay, length = dx * dx + dy * dy;
    double best =
        fmin(tiles_line_gap(line->ax, line->ay, x, y), tiles_line_gap(line->bx, line->by, x, y));
    for (int32_t i = 0; i < 4 && length > 0.0; i++) {
        double cx = x + i % 2 - line->ax, cy = y + i / 2 - line->ay;
        double along = fmin(fmax((cx * dx + cy * dy) / length, 0.0), 1.0);
        double rx = cx - along * dx, ry = cy - along * dy;
        best = fmin(best, rx * rx + ry * ry);
    }
    return best;
}

static bool tiles_line_fits(const tiles_line *line, int32_t x, int32_t y, int32_t *cell) {
    *cell = ploy_tiles_cell(line->walker->tiles, x, y);
    return *cell >= 0 && ployi_tiles_walker_fits(line->walker, *cell);
}

// May the line pass a cell? *price is that of the cells passed so far, below 0 before the first.
static bool tiles_line_passes(const tiles_line *line, int32_t x, int32_t y, double *price) {
    int32_t corner = 0, cell = -1;
    bool fits = tiles_line_fits(line, x, y, &cell);
    tiles_contact contact = tiles_line_contact(line, x, y, &corner);
    if (line->radius > 0.0) {
        bool near = contact != TILES_CONTACT_NONE ||
                    tiles_line_distance(line, x, y) < line->radius * line->radius - 1e-9;
        if (near) contact = TILES_CONTACT_INSIDE;
    }
    if (contact == TILES_CONTACT_NONE) return true;
    if (fits) {
        double here = tiles_view_price(line->walker, cell);
        if (contact != TILES_CONTACT_INSIDE) return true;
        if (*price < 0.0) *price = here;
        return here == *price;
    }
    if (contact != TILES_CONTACT_CORNER || line->corners == PLOY_TILE_CORNERS_CLEAR) return false;
    if (line->corners == PLOY_TILE_CORNERS_CUT) return true;
    // The other cell beside the line is across the corner.
    return tiles_line_fits(line, x + (corner % 2 == 0 ? -1 : 1), y + (corner / 2 == 0 ? -1 : 1),
                           &cell);
}

// All cells that the line, as wide as it is, may touch: row by row, from column to column.
static bool tiles_line_is_clear(const tiles_line *line) {
    double low = fmin(line->ay, line->by) - line->radius;
    double high = fmax(line->ay, line->by) + line->radius, price = -1.0;
    double rise = line->by - line->ay;
    for (int32_t y = (int32_t)ceil(low) - 1; y <= (int32_t)floor(high); y++) {
        double from = 0.0, to = 1.0; // the part of the line that is near this row, and a hair more
        if (rise != 0.0) {
            double a = (y - line->radius - 1e-6 - line->ay) / rise;
            double b = (y + 1.0 + line->radius + 1e-6 - line->ay) / rise;
            from = fmax(from, fmin(a, b));
            to = fmin(to, fmax(a, b));
        }
        double x0 = line->ax + from * (line->bx - line->ax);
        double x1 = line->ax + to * (line->bx - line->ax);
        double left = fmin(x0, x1) - line->radius, right = fmax(x0, x1) + line->radius;
        for (int32_t x = (int32_t)ceil(left) - 1; x <= (int32_t)floor(right); x++) {
            if (!tiles_line_passes(line, x, y, &price)) return false;
        }
    }
    return true;
}

// Hexagons: samples the straight line eight times a cell, and the body's sides likewise.
static bool tiles_hex_is_clear(const ploy_tiles_walker *walker, ploy_vec2 a, ploy_vec2 b,
                               float radius) {
    ploy_vec2 aside = ploy_vec2_with_length(ploy_vec2_perp(ploy_vec2_sub(b, a)), radius);
    float steps = ceilf(ploy_vec2_distance(a, b) / ploy_tiles_def_of(walker->tiles).size * 8.0f);
    int32_t first = ploy_tiles_quantise(walker->tiles, a);
    if (first < 0 || !(steps < 1e6f)) return false;
    double price = tiles_view_price(walker, first);
    for (int32_t i = 0; i <= (int32_t)steps; i++) {
        ploy_vec2 middle = ploy_vec2_lerp(a, b, steps > 0.0f ? (float)i / steps : 0.0f);
        for (int32_t side = -1; side <= 1; side++) {
            ploy_vec2 at = ploy_vec2_add_scaled(middle, aside, (float)side);
            int32_t cell = ploy_tiles_quantise(walker->tiles, at);
            if (cell < 0 || !ployi_tiles_walker_fits(walker, cell)) return false;
            if (tiles_view_price(walker, cell) != price) return false;
        }
    }
    return true;
}

static bool tiles_view_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                             const ploy_representation_body *body) {
    const ploy_tiles_walker *walker = user;
    const ploy_tiles_def def = ploy_tiles_def_of(walker->tiles);
    if (walker->heights != NULL) return false; // slopes are not cut short
    if (def.neighbours == PLOY_TILE_HEX) {
        return tiles_hex_is_clear(walker, ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to),
                                  body->radius);
    }
    double size = (double)def.size, shift = 0.5 * (walker->size - 1);
    tiles_line line = {walker,
                       ((double)from.x - (double)def.origin.x) / size - shift,
                       ((double)from.y - (double)def.origin.y) / size - shift,
                       ((double)to.x - (double)def.origin.x) / size - shift,
                       ((double)to.y - (double)def.origin.y) / size - shift,
                       (double)body->radius / size,
                       def.corners};
    // A body of several cells brings its width along: the cells it fits in know of it.
    if (walker->size > 1) line.radius = 0.0;
    double far = fmax(fmax(fabs(line.ax), fabs(line.ay)), fmax(fabs(line.bx), fabs(line.by)));
    if (!(far < 1e8) || !(line.radius < 1e4)) return false;
    if (fabs(line.bx - line.ax) + fabs(line.by - line.ay) > 1e6) return false;
    return tiles_line_is_clear(&line);
}

// ---- the representation ----

static uint64_t tiles_view_generation(const void *user) {
    const ploy_tiles_walker *walker = user;
    return ploy_hash_combine(ploy_tiles_generation(walker->tiles), (uint32_t)walker->size);
}

static void tiles_view_mark(const void *user, int32_t state, ploy_style style, ploy_draw *out) {
    const ploy_tiles_walker *walker = user;
    ploy_tiles_draw_cells(walker->tiles, state, 1, PLOY_LAYER_PATHS, style, 0.5f, out);
}

ploy_representation ploy_tiles_representation(const ploy_tiles_walker *walker) {
    ploy_representation view = {ploy_tiles_space(walker),
                                tiles_view_quantise,
                                tiles_view_localise,
                                tiles_view_clear,
                                NULL,
                                tiles_view_generation,
                                tiles_view_mark,
                                walker};
    return view;
}
