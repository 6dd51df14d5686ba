// Maps of tiles: cells, edits, labels and clearance. Walking on them is in tiles_space.c.
//
// Invariants, from create to destroy:
//   (1) used[k] cells have kind k, and least is the least cost of a passable kind that is used;
//   (2) clearance[c] > 0 exactly if the cost of c's kind is finite, and is what the header says;
//   (3) labels as labels.h says, over cells with clearance;
//   (4) version grows with every change, by 1 for one cell (which the journal holds), by more than
//       the journal's length for any other.
#include "ploy/path/tiles.h"

#include "path/path_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "path/tiles_internal.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const char *const tiles_neighbours[] = {"four", "eight", "hex"};
static const char *const tiles_corners[] = {"clear", "one", "cut"};

static const ploy_field tiles_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_tiles_def, width, 64, 1, 1 << 20, "", "cells in a row"),
    PLOY_FIELD_I32_FIXED(ploy_tiles_def, height, 64, 1, 1 << 20, "", "rows"),
    PLOY_FIELD_ENUM(ploy_tiles_def, neighbours, PLOY_TILE_EIGHT, tiles_neighbours,
                    "neighbours of a cell"),
    PLOY_FIELD_ENUM(ploy_tiles_def, corners, PLOY_TILE_CORNERS_CLEAR, tiles_corners,
                    "when a diagonal step is possible: both cells beside it free, one, any"),
    PLOY_FIELD_BOOL(ploy_tiles_def, wrap_x, false, "the last column leads to the first"),
    PLOY_FIELD_BOOL(ploy_tiles_def, wrap_y, false, "the last row leads to the first"),
    PLOY_FIELD_VEC2(ploy_tiles_def, origin, 0, 0, -1e9f, 1e9f, "m", "the map's least corner"),
    PLOY_FIELD_F32(ploy_tiles_def, size, 1, 1e-3f, 1e6f, "m", "side of a cell"),
};

const int8_t ployi_tile_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
const int8_t ployi_tile_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static const double tiles_sqrt3 = 1.7320508075688772;

ploy_fields ploy_tiles_fields(void) {
    return PLOY_FIELDS(ploy_tiles_def, tiles_fields);
}

ploy_tiles_def ploy_tiles_def_default(void) {
    ploy_tiles_def def;
    ploy_fields_default(ploy_tiles_fields(), &def);
    return def;
}

// ---- what is connected ----

static bool tiles_is_free(const void *user, int32_t cell) {
    return ployi_tiles_free(user, cell);
}

// Where corners are not cut, a diagonal step joins nothing that two straight ones do not.
static int32_t tiles_links(const void *user, int32_t cell, int32_t out[8]) {
    const ploy_tiles *tiles = user;
    bool all =
        tiles->def.neighbours == PLOY_TILE_HEX ||
        (tiles->def.neighbours == PLOY_TILE_EIGHT && tiles->def.corners == PLOY_TILE_CORNERS_CUT);
    int32_t count = 0, stride = all || tiles->directions == 4 ? 1 : 2;
    for (int32_t direction = 0; direction < tiles->directions; direction += stride) {
        int32_t to = ploy_tiles_neighbour(tiles, cell, direction);
        if (to >= 0 && ployi_tiles_free(tiles, to)) out[count++] = to;
    }
    return count;
}

// ---- clearance ----

static uint8_t tiles_clear_at(const ploy_tiles *tiles, int32_t x, int32_t y) {
    int32_t width = tiles->def.width, cell = y * width + x;
    if (!ploy_is_finite(tiles->costs[tiles->kinds[cell]])) return 0;
    if (!ployi_tiles_plain(tiles) || x + 1 == width || y + 1 == tiles->def.height) return 1;
    const uint8_t *c = tiles->clearance;
    int32_t least = ploy_mini(ploy_mini(c[cell + 1], c[cell + width]), c[cell + width + 1]);
    return (uint8_t)ploy_mini(least + 1, PLOY_TILES_CLEARANCE_MAX);
}

static void tiles_clear_all(ploy_tiles *tiles) {
    for (int32_t y = tiles->def.height - 1; y >= 0; y--) {
        for (int32_t x = tiles->def.width - 1; x >= 0; x--) {
            tiles->clearance[y * tiles->def.width + x] = tiles_clear_at(tiles, x, y);
        }
    }
}

// A cell depends on the three behind it, so a change runs towards the least corner and dies out.
static void tiles_clear_around(ploy_tiles *tiles, int32_t cell) {
    int32_t right = cell % tiles->def.width, low = right;
    for (int32_t y = cell / tiles->def.width; y >= 0; y--) {
        bool any = false, changed = true;
        int32_t reach = low;
        for (int32_t x = right; x >= 0 && (changed || x >= reach - 1); x--) {
            uint8_t clear = tiles_clear_at(tiles, x, y);
            uint8_t *place = &tiles->clearance[y * tiles->def.width + x];
            changed = clear != *place;
            *place = clear;
            if (changed) low = any ? ploy_mini(low, x) : x;
            any = any || changed;
        }
        if (!any) return;
    }
}

// ---- life ----

static void tiles_find_least(ploy_tiles *tiles) {
    float least = INFINITY;
    for (int32_t kind = 0; kind < PLOY_TILE_KINDS; kind++) {
        if (tiles->used[kind] > 0) least = ploy_minf(least, tiles->costs[kind]);
    }
    tiles->least = ploy_is_finite(least) ? least : 1.0f;
}

// The generation of a new map: cells are numbered, joined and placed as set in the def.
static uint64_t tiles_first_generation(const ploy_tiles_def *def) {
    const int32_t shape[] = {
        def->width,  def->height, (int32_t)def->neighbours, (int32_t)def->corners,
        def->wrap_x, def->wrap_y};
    const float place[] = {def->origin.x, def->origin.y, def->size};
    return ploy_hash_bytes(place, sizeof place, ploy_hash_bytes(shape, sizeof shape, 0));
}

// What follows from the kinds of the cells and their costs, labels excepted.
static void tiles_derive(ploy_tiles *tiles) {
    memset(tiles->used, 0, sizeof tiles->used);
    for (int32_t cell = 0; cell < tiles->count; cell++) tiles->used[tiles->kinds[cell]]++;
    tiles_find_least(tiles);
    tiles_clear_all(tiles);
}

// After a change of many cells.
static void tiles_changed_all(ploy_tiles *tiles) {
    tiles_derive(tiles);
    tiles->labels.stale = true;
    tiles->version += PLOYI_TILES_JOURNAL + 1;
}

ploy_result ploy_tiles_create(const ploy_tiles_def *def, const ploy_env *env, ploy_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_tiles_fields(), def, env);
    if (result != PLOY_OK) return result;
    bool hex = def->neighbours == PLOY_TILE_HEX;
    const char *fault = NULL;
    int64_t count = (int64_t)def->width * def->height;
    if (count > PLOY_TILES_CELLS_MAX) fault = "tiles: too many cells";
    // With two columns both neighbours would be the same cell.
    if ((def->wrap_x && def->width < 3) || (def->wrap_y && def->height < 3)) {
        fault = "tiles: wrapped side needs at least 3 cells";
    }
    if (hex && def->wrap_y && def->height % 2 != 0) {
        fault = "tiles: hexagons need an even number of rows to wrap";
    }
    if (fault != NULL) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, fault);
        return PLOY_ERR_ARGUMENT;
    }
    size_t head = (sizeof(ploy_tiles) + 15u) & ~(size_t)15u, bytes = 0;
    if (!ploy_size_add_array(head, count, sizeof(int32_t) + 2, &bytes)) return PLOY_ERR_ARGUMENT;
    ploy_tiles *tiles = ploy_env_alloc_zero(env, bytes);
    if (tiles == NULL) return PLOY_ERR_MEMORY;
    tiles->env = *env;
    tiles->def = *def;
    tiles->bytes = bytes;
    tiles->count = (int32_t)count;
    tiles->directions = hex ? 6 : def->neighbours == PLOY_TILE_FOUR ? 4 : 8;
    tiles->labels.up = (int32_t *)(void *)((char *)tiles + head);
    tiles->labels.count = tiles->count;
    tiles->labels.links = tiles_links;
    tiles->kinds = (uint8_t *)(tiles->labels.up + count);
    tiles->clearance = tiles->kinds + count;
    tiles->costs[PLOY_TILE_BLOCKED] = INFINITY;
    for (int32_t kind = 1; kind < PLOY_TILE_KINDS; kind++) tiles->costs[kind] = 1.0f;
    memset(tiles->kinds, PLOY_TILE_OPEN, (size_t)count);
    tiles->generation = tiles_first_generation(def);
    tiles_changed_all(tiles);
    *out = tiles;
    return PLOY_OK;
}

void ploy_tiles_destroy(ploy_tiles *tiles) {
    if (tiles == NULL) return;
    ploy_env env = tiles->env;
    ploy_env_free(&env, tiles, tiles->bytes);
}

int32_t ploy_tiles_width(const ploy_tiles *tiles) {
    return tiles->def.width;
}

int32_t ploy_tiles_height(const ploy_tiles *tiles) {
    return tiles->def.height;
}

ploy_tiles_def ploy_tiles_def_of(const ploy_tiles *tiles) {
    return tiles->def;
}

// ---- places ----

// In [0, size) if it wraps, -1 beyond.
static int32_t tiles_wrap(int32_t i, int32_t size, bool wrap) {
    if (i >= 0 && i < size) return i;
    if (!wrap) return -1;
    int32_t rest = i % size;
    return rest < 0 ? rest + size : rest;
}

int32_t ploy_tiles_cell(const ploy_tiles *tiles, int32_t x, int32_t y) {
    x = tiles_wrap(x, tiles->def.width, tiles->def.wrap_x);
    y = tiles_wrap(y, tiles->def.height, tiles->def.wrap_y);
    return x < 0 || y < 0 ? PLOY_STATE_NONE : y * tiles->def.width + x;
}

int32_t ploy_tiles_neighbour(const ploy_tiles *tiles, int32_t cell, int32_t direction) {
    if (cell < 0 || cell >= tiles->count || direction < 0 || direction >= tiles->directions) {
        return PLOY_STATE_NONE;
    }
    int32_t x = cell % tiles->def.width, y = cell / tiles->def.width;
    if (tiles->def.neighbours == PLOY_TILE_HEX) {
        // Up and down a row, x goes half a cell, which is a whole one for every second row.
        static const int8_t dy[6] = {0, 1, 1, 0, -1, -1};
        static const int8_t even_dx[6] = {1, 0, -1, -1, -1, 0}, odd_dx[6] = {1, 1, 0, -1, 0, 1};
        const int8_t *dx = y % 2 != 0 ? odd_dx : even_dx;
        return ploy_tiles_cell(tiles, x + dx[direction], y + dy[direction]);
    }
    int32_t index = tiles->directions == 4 ? 2 * direction : direction;
    return ploy_tiles_cell(tiles, x + ployi_tile_dx[index], y + ployi_tile_dy[index]);
}

// A whole number that fits, however far away the point is. False for NaN.
static bool tiles_floor(double v, int32_t *out) {
    v = floor(v);
    if (!(v >= -1e9 && v <= 1e9)) return false;
    *out = (int32_t)v;
    return true;
}

ploy_vec2 ploy_tiles_localise(const ploy_tiles *tiles, int32_t cell) {
    double x = cell % tiles->def.width, y = cell / tiles->def.width, size = tiles->def.size;
    if (tiles->def.neighbours == PLOY_TILE_HEX) {
        x += (cell / tiles->def.width) % 2 != 0 ? 1.0 : 0.5;
        y = y * (tiles_sqrt3 / 2.0) + 1.0 / tiles_sqrt3;
    } else {
        x += 0.5;
        y += 0.5;
    }
    return ploy_vec2_make((float)(tiles->def.origin.x + x * size),
                          (float)(tiles->def.origin.y + y * size));
}

int32_t ploy_tiles_quantise(const ploy_tiles *tiles, ploy_vec2 point) {
    double size = tiles->def.size;
    double x = ((double)point.x - tiles->def.origin.x) / size;
    double y = ((double)point.y - tiles->def.origin.y) / size;
    int32_t column = 0, row = 0;
    if (tiles->def.neighbours != PLOY_TILE_HEX) {
        if (!tiles_floor(x, &column) || !tiles_floor(y, &row)) return PLOY_STATE_NONE;
        return ploy_tiles_cell(tiles, column, row);
    }
    // Axial coordinates of the point, each rounded, and the one that is off the most made from the
    // other two: the nearest centre.
    double r = (y - 1.0 / tiles_sqrt3) * (2.0 / tiles_sqrt3), q = x - 0.5 - r / 2.0, s = -q - r;
    double rq = floor(q + 0.5), rr = floor(r + 0.5), rs = floor(s + 0.5);
    if (fabs(rq - q) > fabs(rr - r) && fabs(rq - q) > fabs(rs - s)) {
        rq = -rr - rs;
    } else if (fabs(rr - r) > fabs(rs - s)) {
        rr = -rq - rs;
    }
    if (!tiles_floor(rr, &row)) return PLOY_STATE_NONE;
    if (!tiles_floor(rq + floor(rr / 2.0), &column)) return PLOY_STATE_NONE;
    return ploy_tiles_cell(tiles, column, row);
}

// ---- kinds and costs ----

uint8_t ploy_tiles_get(const ploy_tiles *tiles, int32_t cell) {
    return cell >= 0 && cell < tiles->count ? tiles->kinds[cell] : PLOY_TILE_BLOCKED;
}

ploy_result ploy_tiles_set(ploy_tiles *tiles, int32_t cell, uint8_t kind) {
    if (cell < 0 || cell >= tiles->count) return PLOY_ERR_ARGUMENT;
    uint8_t before = tiles->kinds[cell];
    if (before == kind) return PLOY_OK;
    bool was_free = ployi_tiles_free(tiles, cell);
    bool is_free = ploy_is_finite(tiles->costs[kind]);
    int32_t ends[8], end_count = was_free ? tiles_links(tiles, cell, ends) : 0;
    tiles->kinds[cell] = kind;
    tiles->used[before]--;
    tiles->used[kind]++;
    if (tiles->used[before] == 0 || tiles->used[kind] == 1) tiles_find_least(tiles);
    tiles->version++;
    tiles->generation = ploy_hash_combine(tiles->generation, (uint64_t)cell << 8 | kind);
    tiles->journal[tiles->version % PLOYI_TILES_JOURNAL] = cell;
    if (was_free == is_free) return PLOY_OK;
    tiles_clear_around(tiles, cell);
    if (is_free) {
        ployi_labels_opened(&tiles->labels, tiles, cell);
    } else {
        ployi_labels_closed(&tiles->labels, tiles, ends, end_count);
    }
    return PLOY_OK;
}

void ploy_tiles_set_all(ploy_tiles *tiles, const uint8_t *kinds) {
    memcpy(tiles->kinds, kinds, (size_t)tiles->count);
    tiles->generation = ploy_hash_bytes(kinds, (size_t)tiles->count, tiles->generation);
    tiles_changed_all(tiles);
}

const uint8_t *ploy_tiles_kinds(const ploy_tiles *tiles) {
    return tiles->kinds;
}

float ploy_tiles_cost(const ploy_tiles *tiles, uint8_t kind) {
    return tiles->costs[kind];
}

ploy_result ploy_tiles_set_cost(ploy_tiles *tiles, uint8_t kind, float cost) {
    if (kind == PLOY_TILE_BLOCKED || !(cost > 0.0f)) return PLOY_ERR_ARGUMENT;
    if (tiles->costs[kind] == cost) return PLOY_OK;
    tiles->costs[kind] = cost;
    tiles->generation = ploy_hash_bytes(&cost, sizeof cost, tiles->generation + kind);
    tiles_changed_all(tiles);
    return PLOY_OK;
}

bool ploy_tiles_passable(const ploy_tiles *tiles, int32_t cell) {
    return cell >= 0 && cell < tiles->count && ployi_tiles_free(tiles, cell);
}

uint64_t ploy_tiles_generation(const ploy_tiles *tiles) {
    return tiles->generation;
}

void ploy_tiles_refresh(ploy_tiles *tiles) {
    if (tiles->labels.stale) ployi_labels_rebuild(&tiles->labels, tiles, tiles_is_free);
}

bool ployi_tiles_labelled(const ploy_tiles *tiles) {
    return !tiles->labels.stale;
}

bool ploy_tiles_connected(const ploy_tiles *tiles, int32_t a, int32_t b) {
    if (!ploy_tiles_passable(tiles, a) || !ploy_tiles_passable(tiles, b)) return false;
    return tiles->labels.stale ||
           ployi_labels_root(&tiles->labels, a) == ployi_labels_root(&tiles->labels, b);
}

int32_t ployi_tiles_clearance(const ploy_tiles *tiles, int32_t cell) {
    return cell >= 0 && cell < tiles->count ? tiles->clearance[cell] : 0;
}

// ---- sight ----

void ploy_tiles_draw_cells(const ploy_tiles *tiles, int32_t first, int32_t count, ploy_layer layer,
                           ploy_style style, float alpha, ploy_draw *out) {
    float size = tiles->def.size, half = 0.5f * size;
    ploy_agent_id nobody = ploy_agent_id_none();
    if (!ploy_draw_wants(out, layer) || !ploy_range_within(first, count, tiles->count)) return;
    if (tiles->def.neighbours == PLOY_TILE_HEX) {
        float tall = (float)((double)size / tiles_sqrt3);
        for (int32_t i = first; i < first + count; i++) {
            ploy_vec2 c = ploy_tiles_localise(tiles, i);
            ploy_vec2 corners[6] = {{c.x + half, c.y - 0.5f * tall},
                                    {c.x + half, c.y + 0.5f * tall},
                                    {c.x, c.y + tall},
                                    {c.x - half, c.y + 0.5f * tall},
                                    {c.x - half, c.y - 0.5f * tall},
                                    {c.x, c.y - tall}};
            ploy_draw_polygon(out, layer, style, nobody, corners, 6, alpha);
        }
        return;
    }
    int32_t width = tiles->def.width;
    while (count > 0) { // a rectangle for each row
        int32_t run = ploy_mini(count, width - first % width);
        ploy_vec2 from = ploy_tiles_localise(tiles, first);
        ploy_vec2 to = ploy_tiles_localise(tiles, first + run - 1);
        ploy_vec2 corners[4] = {{from.x - half, from.y - half},
                                {to.x + half, from.y - half},
                                {to.x + half, to.y + half},
                                {from.x - half, to.y + half}};
        ploy_draw_polygon(out, layer, style, nobody, corners, 4, alpha);
        first += run;
        count -= run;
    }
}

void ploy_tiles_draw(const ploy_tiles *tiles, ploy_draw *out) {
    if (!ploy_draw_wants(out, PLOY_LAYER_WORLD)) return;
    for (int32_t first = 0, next; first < tiles->count; first = next) {
        uint8_t kind = tiles->kinds[first];
        int32_t end = first - first % tiles->def.width + tiles->def.width;
        for (next = first + 1; next < end && tiles->kinds[next] == kind;) next++;
        float cost = tiles->costs[kind];
        if (!ploy_is_finite(cost)) {
            ploy_tiles_draw_cells(tiles, first, next - first, PLOY_LAYER_WORLD, PLOY_STYLE_WALL,
                                  1.0f, out);
        } else if (cost > tiles->least) {
            float alpha = ploy_clampf(0.1f * (cost / tiles->least), 0.1f, 0.6f);
            ploy_tiles_draw_cells(tiles, first, next - first, PLOY_LAYER_WORLD, PLOY_STYLE_WARNING,
                                  alpha, out);
        }
    }
}

static void tiles_loaded(void *object) {
    ploy_tiles *tiles = object;
    tiles_derive(tiles);
    if (!tiles->labels.stale) ployi_labels_rebuild(&tiles->labels, tiles, tiles_is_free);
}

static void tiles_visit_costs(ploy_visit *v, ploy_tiles *tiles) {
    uint64_t costs = 0;
    int32_t blocked = 0;
    for (int32_t kind = 0; kind < PLOY_TILE_KINDS; kind++) {
        uint32_t bits;
        memcpy(&bits, &tiles->costs[kind], sizeof bits);
        costs = ploy_hash_combine(costs, bits);
        if (!ploy_is_finite(tiles->costs[kind])) blocked += tiles->used[kind];
    }
    ploy_describe_u64(v->describe, "costs", PLOY_STATE, costs);
    int32_t count = ploy_visit_fixed(v, "costs", PLOY_SAVED, PLOY_TILE_KINDS);
    for (int32_t kind = 0; kind < count; kind++) {
        ploy_visit_f32_in(v, "cost", PLOY_SAVED, &tiles->costs[kind], FLT_MIN, INFINITY);
    }
    ploy_visit_end(v);
    ploy_visit_check(v, !ploy_is_finite(tiles->costs[PLOY_TILE_BLOCKED]),
                     "blocked cells must have no cost", NULL);
    // What was known of the map is state too: it decides whether a search is made in vain.
    ploy_describe_bool(v->describe, "labelled", PLOY_STATE, !tiles->labels.stale);
    ploy_visit_bool(v, "unlabelled", PLOY_SAVED, &tiles->labels.stale);
    ploy_describe_i64(v->describe, "blocked", PLOY_DERIVED, blocked);
    ploy_describe_f32(v->describe, "least cost", PLOY_DERIVED, tiles->least);
}

void ploy_tiles_visit(ploy_visit *v, void *object) {
    ploy_tiles *tiles = object;
    ploy_visit_struct(v, "tiles", tiles, sizeof *tiles);
    ploy_visit_block(v, "tiles", tiles, tiles->bytes);
    PLOY_VISIT_SCRATCH(v, tiles->env);
    PLOY_VISIT_SCRATCH(v, tiles->def);
    PLOY_VISIT_SCRATCH(v, tiles->bytes);
    PLOY_VISIT_SCRATCH(v, tiles->count);
    PLOY_VISIT_SCRATCH(v, tiles->directions);
    PLOY_VISIT_SCRATCH(v, tiles->used);
    PLOY_VISIT_SCRATCH(v, tiles->least);
    PLOY_VISIT_SCRATCH(v, tiles->labels.up);
    PLOY_VISIT_SCRATCH(v, tiles->labels.count);
    PLOY_VISIT_SCRATCH(v, tiles->labels.links);
    PLOY_VISIT_SCRATCH(v, tiles->kinds);
    PLOY_VISIT_SCRATCH(v, tiles->clearance);
    ploy_visit_after(v, tiles_loaded, tiles);
    ploy_describe_i64(v->describe, "width", PLOY_STATE, tiles->def.width);
    ploy_describe_i64(v->describe, "height", PLOY_STATE, tiles->def.height);
    ploy_describe_text(v->describe, "neighbours", PLOY_STATE,
                       tiles_neighbours[tiles->def.neighbours]);
    ploy_describe_text(v->describe, "corners", PLOY_STATE, tiles_corners[tiles->def.corners]);
    ploy_value width = ploy_value_i64(tiles->def.width);
    ploy_visit_same(v, "width", PLOY_SAVED, &width);
    ploy_visit_u64(v, "version", PLOY_STATE, &tiles->version);
    ploy_visit_hex64(v, "generation", PLOY_SAVED, &tiles->generation);
    int32_t count = ploy_visit_fixed(v, "edited", PLOY_SAVED, PLOYI_TILES_JOURNAL);
    for (int32_t i = 0; i < count; i++) {
        ploy_visit_i32_in(v, "cell", PLOY_SAVED, &tiles->journal[i], 0, tiles->count - 1);
    }
    ploy_visit_end(v);
    ploy_describe_u64(v->describe, "kinds", PLOY_STATE,
                      ploy_hash_bytes(tiles->kinds, (size_t)tiles->count, 0));
    ploy_visit_bytes(v, "kinds", PLOY_SAVED, tiles->kinds, (size_t)tiles->count);
    tiles_visit_costs(v, tiles);
}

void ploy_tiles_describe(const ploy_tiles *tiles, ploy_describe *out) {
    ploy_visit_describe(ploy_tiles_visit, tiles, NULL, out);
}

void ploy_tiles_memory(const ploy_tiles *tiles, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_tiles_visit, tiles, fn, user);
}
