// Quadtree regions; see the header.
//
// Invariants, from create to destroy:
//   (1) the squares are disjoint, each has one passable kind, and together they cover all passable
//       cells; no four quarters of one square are all states of the same kind;
//   (2) cells[i] is the square of cell i, or -1 for a blocked cell;
//   (3) edges[start[n]] to edges[start[n + 1] - 1] lead from square n to squares that share a side
//       with it: left, below, right, above, each by rising coordinate. The label is the side.
#include "ploy/path/quad_regions.h"

#include <math.h>
#include <string.h>

#include "path/path_internal.h"
#include "ploy/base/array.h"
#include "ploy/base/math.h"

typedef struct quad_map {
    ploy_array squares; // ploy_quad_region
    ploy_array edges;   // ploy_edge
    ploy_array starts;  // int32_t, one more than squares
    int32_t *cells;
} quad_map;

struct ploy_quad_regions {
    ploy_env env;
    const ploy_tiles *tiles;
    ploy_tiles_walker walker; // of one cell, for straight lines
    ploy_representation lines;
    quad_map map;
    int32_t width, height;
    uint64_t generation; // of the tiles when they were divided
};

static void quad_map_fini(quad_map *map, int32_t cells, const ploy_env *env) {
    ploy_array_fini(&map->squares);
    ploy_array_fini(&map->edges);
    ploy_array_fini(&map->starts);
    ploy_env_free(env, map->cells, (size_t)cells * sizeof *map->cells);
}

// ---- dividing ----

// What a square consists of, beside a passable kind.
enum { QUAD_MIXED = -1 };

typedef struct quad_build {
    const ploy_quad_regions *regions;
    quad_map *map;
    ploy_result result;
} quad_build;

static void quad_emit(quad_build *build, int32_t x, int32_t y, int32_t side) {
    ploy_quad_region square = {x, y, side};
    int32_t index = build->map->squares.count, width = build->regions->width;
    if (build->result == PLOY_OK) build->result = ploy_array_push(&build->map->squares, &square);
    for (int32_t j = y; j < y + side && build->result == PLOY_OK; j++) {
        for (int32_t i = x; i < x + side; i++) build->map->cells[j * width + i] = index;
    }
}

// Returns the kind of a whole square, blocked for one outside; QUAD_MIXED if it has several. Its
// quarters become states then; otherwise the caller decides.
static int32_t quad_divide(quad_build *build, int32_t x, int32_t y, int32_t side) {
    const ploy_quad_regions *regions = build->regions;
    if (x >= regions->width || y >= regions->height) return PLOY_TILE_BLOCKED;
    if (side == 1) {
        int32_t cell = y * regions->width + x;
        bool passable = ploy_tiles_passable(regions->tiles, cell);
        return passable ? ploy_tiles_get(regions->tiles, cell) : PLOY_TILE_BLOCKED;
    }
    int32_t half = side / 2, kinds[4];
    for (int32_t q = 0; q < 4; q++) {
        kinds[q] = quad_divide(build, x + half * (q & 1), y + half * (q >> 1), half);
    }
    bool whole = kinds[0] != QUAD_MIXED && kinds[1] == kinds[0] && kinds[2] == kinds[0] &&
                 kinds[3] == kinds[0];
    if (whole) return kinds[0];
    for (int32_t q = 0; q < 4; q++) {
        if (kinds[q] == QUAD_MIXED || kinds[q] == PLOY_TILE_BLOCKED) continue;
        quad_emit(build, x + half * (q & 1), y + half * (q >> 1), half);
    }
    return QUAD_MIXED;
}

// ---- joining ----

static double quad_price(const ploy_quad_regions *regions, const ploy_quad_region *square) {
    int32_t cell = square->y * regions->width + square->x;
    return (double)ploy_tiles_cost(regions->tiles, ploy_tiles_get(regions->tiles, cell));
}

// The line between the centres meets the border at the share of the first one's side.
static double quad_cost(const ploy_quad_regions *regions, const ploy_quad_region *a,
                        const ploy_quad_region *b) {
    double dx = (b->x + 0.5 * b->side) - (a->x + 0.5 * a->side);
    double dy = (b->y + 0.5 * b->side) - (a->y + 0.5 * a->side);
    double both = a->side + b->side;
    return sqrt(dx * dx + dy * dy) *
           (quad_price(regions, a) * a->side + quad_price(regions, b) * b->side) / both;
}

// Walks along the cells around a square and adds the squares on the other side.
static ploy_result quad_join(const ploy_quad_regions *regions, quad_map *map, int32_t index) {
    static const int32_t step_x[4] = {0, 1, 0, 1}, step_y[4] = {1, 0, 1, 0};
    const ploy_quad_region square = *PLOY_ARRAY_AT(&map->squares, ploy_quad_region, index);
    const int32_t corner_x[4] = {square.x - 1, square.x, square.x + square.side, square.x};
    const int32_t corner_y[4] = {square.y, square.y - 1, square.y, square.y + square.side};
    for (int32_t side = 0; side < 4; side++) {
        int32_t last = -1; // squares follow each other along a side, so one is enough
        for (int32_t k = 0; k < square.side; k++) {
            int32_t x = corner_x[side] + step_x[side] * k, y = corner_y[side] + step_y[side] * k;
            if (x < 0 || y < 0 || x >= regions->width || y >= regions->height) continue;
            int32_t other = map->cells[y * regions->width + x];
            if (other < 0 || other == last) continue;
            last = other;
            const ploy_quad_region *to = PLOY_ARRAY_AT(&map->squares, ploy_quad_region, other);
            ploy_edge edge = {other, side, quad_cost(regions, &square, to)};
            ploy_result result = ploy_array_push(&map->edges, &edge);
            if (result != PLOY_OK) return result;
        }
    }
    return ploy_array_push(&map->starts, &map->edges.count);
}

ploy_result ploy_quad_regions_rebuild(ploy_quad_regions *regions) {
    quad_map map;
    int32_t count = regions->width * regions->height, side = 1, zero = 0;
    quad_build build = {regions, &map, PLOY_OK};
    ploy_array_init(&map.squares, sizeof(ploy_quad_region), &regions->env);
    ploy_array_init(&map.edges, sizeof(ploy_edge), &regions->env);
    ploy_array_init(&map.starts, sizeof(int32_t), &regions->env);
    map.cells = ploy_env_alloc(&regions->env, (size_t)count * sizeof *map.cells);
    if (map.cells == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < count; i++) map.cells[i] = -1;
    while (side < regions->width || side < regions->height) side *= 2;
    int32_t kind = quad_divide(&build, 0, 0, side);
    if (kind != QUAD_MIXED && kind != PLOY_TILE_BLOCKED) quad_emit(&build, 0, 0, side);
    ploy_result result = build.result;
    if (result == PLOY_OK) result = ploy_array_push(&map.starts, &zero);
    for (int32_t i = 0; i < map.squares.count && result == PLOY_OK; i++) {
        result = quad_join(regions, &map, i);
    }
    if (result != PLOY_OK) {
        quad_map_fini(&map, count, &regions->env);
        return result;
    }
    if (regions->map.cells != NULL) quad_map_fini(&regions->map, count, &regions->env);
    regions->map = map;                                             // keeps (1) to (3)
    regions->walker = ploy_tiles_walker_make(regions->tiles, NULL); // with the least cost
    regions->generation = ploy_tiles_generation(regions->tiles);
    return PLOY_OK;
}

ploy_result ploy_quad_regions_create(const ploy_tiles *tiles, const ploy_env *env,
                                     ploy_quad_regions **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (tiles == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_tiles_def def = ploy_tiles_def_of(tiles);
    if (def.neighbours == PLOY_TILE_HEX || def.wrap_x || def.wrap_y) return PLOY_ERR_UNSUPPORTED;
    ploy_quad_regions *regions = ploy_env_alloc_zero(env, sizeof *regions);
    if (regions == NULL) return PLOY_ERR_MEMORY;
    regions->env = *env;
    regions->tiles = tiles;
    regions->width = def.width;
    regions->height = def.height;
    regions->walker = ploy_tiles_walker_make(tiles, NULL);
    regions->lines = ploy_tiles_representation(&regions->walker);
    ploy_result result = ploy_quad_regions_rebuild(regions);
    if (result != PLOY_OK) {
        ploy_env_free(env, regions, sizeof *regions);
        return result;
    }
    *out = regions;
    return PLOY_OK;
}

void ploy_quad_regions_destroy(ploy_quad_regions *regions) {
    if (regions == NULL) return;
    ploy_env env = regions->env;
    quad_map_fini(&regions->map, regions->width * regions->height, &env);
    ploy_env_free(&env, regions, sizeof *regions);
}

int32_t ploy_quad_regions_count(const ploy_quad_regions *regions) {
    return regions->map.squares.count;
}

ploy_quad_region ploy_quad_regions_at(const ploy_quad_regions *regions, int32_t state) {
    ploy_quad_region none = {0, 0, 0};
    if (state < 0 || state >= regions->map.squares.count) return none;
    return *PLOY_ARRAY_AT(&regions->map.squares, ploy_quad_region, state);
}

// ---- the representation ----

static int32_t quad_quantise(const void *user, ploy_vec3 place,
                             const ploy_representation_body *body) {
    const ploy_quad_regions *regions = user;
    (void)body;
    int32_t cell = ploy_tiles_quantise(regions->tiles, ploy_vec2_from_vec3(place));
    return cell >= 0 ? regions->map.cells[cell] : PLOY_STATE_NONE;
}

static ploy_vec3 quad_localise(const void *user, int32_t state) {
    const ploy_quad_regions *regions = user;
    ploy_tiles_def def = ploy_tiles_def_of(regions->tiles);
    ploy_quad_region square = ploy_quad_regions_at(regions, state);
    float half = 0.5f * (float)square.side;
    return ploy_vec3_make(def.origin.x + def.size * ((float)square.x + half),
                          def.origin.y + def.size * ((float)square.y + half), 0.0f);
}

static bool quad_clear(const void *user, ploy_vec3 from, ploy_vec3 to,
                       const ploy_representation_body *body) {
    const ploy_quad_regions *regions = user;
    return regions->lines.clear(regions->lines.user, from, to, body);
}

static ploy_result quad_expand(void *user, int32_t state, ploy_edges *out) {
    const ploy_quad_regions *regions = user;
    if (state < 0 || state >= regions->map.squares.count) return PLOY_OK;
    const int32_t *starts = PLOY_ARRAY_ITEMS(&regions->map.starts, int32_t);
    const ploy_edge *edges = PLOY_ARRAY_ITEMS(&regions->map.edges, ploy_edge);
    ploy_edges_lend(out, edges + starts[state], starts[state + 1] - starts[state]);
    return PLOY_OK;
}

static double quad_estimate(void *user, int32_t state, int32_t goal) {
    const ploy_quad_regions *regions = user;
    if (goal < 0) return 0.0;
    ploy_quad_region a = ploy_quad_regions_at(regions, state);
    ploy_quad_region b = ploy_quad_regions_at(regions, goal);
    double dx = (b.x + 0.5 * b.side) - (a.x + 0.5 * a.side);
    double dy = (b.y + 0.5 * b.side) - (a.y + 0.5 * a.side);
    // A little less than the sum of lengths, which rounding may leave below the straight line.
    return sqrt(dx * dx + dy * dy) * (double)regions->walker.least * (1.0 - 1e-9);
}

static uint64_t quad_generation(const void *user) {
    return ((const ploy_quad_regions *)user)->generation;
}

static void quad_mark_square(const ploy_quad_regions *regions, int32_t state, ploy_style style,
                             ploy_draw *out) {
    ploy_vec3 centre = quad_localise(regions, state);
    ploy_quad_region square = ploy_quad_regions_at(regions, state);
    float half = 0.5f * (float)square.side * ploy_tiles_def_of(regions->tiles).size;
    ploy_vec2 corners[5];
    for (int32_t i = 0; i < 5; i++) {
        float x = i == 1 || i == 2 ? half : -half, y = i == 2 || i == 3 ? half : -half;
        corners[i] = ploy_vec2_make(centre.x + x, centre.y + y);
    }
    ploy_draw_polyline(out, PLOY_LAYER_REGIONS, style, ploy_agent_id_none(), corners, 5);
}

static void quad_mark(const void *user, int32_t state, ploy_style style, ploy_draw *out) {
    quad_mark_square(user, state, style, out);
}

ploy_representation ploy_quad_regions_view(const ploy_quad_regions *regions) {
    ploy_representation out;
    memset(&out, 0, sizeof out);
    out.space.count = regions->map.squares.count;
    out.space.expand = quad_expand;
    out.space.expand_back = quad_expand; // every edge has one of equal cost that leads back
    out.space.estimate = quad_estimate;
    memcpy(&out.space.user, &regions, sizeof out.space.user); // the callbacks read only
    out.quantise = quad_quantise;
    out.localise = quad_localise;
    out.clear = quad_clear;
    out.generation = quad_generation;
    out.mark = quad_mark;
    out.user = regions;
    return out;
}

void ploy_quad_regions_draw(const ploy_quad_regions *regions, ploy_draw *out) {
    for (int32_t i = 0; i < regions->map.squares.count; i++) {
        quad_mark_square(regions, i, PLOY_STYLE_GHOST, out);
    }
}

void ploy_quad_regions_memory(const ploy_quad_regions *regions, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"quad regions", sizeof *regions, 1};
    ploy_memory_item cells = {"cells", (size_t)regions->width * (size_t)regions->height * 4, 1};
    fn(user, &item);
    fn(user, &cells);
    ploy_array_memory(&regions->map.squares, fn, user);
    ploy_array_memory(&regions->map.edges, fn, user);
    ploy_array_memory(&regions->map.starts, fn, user);
}
