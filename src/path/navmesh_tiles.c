// Floors in tiles; the idea is in the header.
//
// Invariants:
//   (1) a tile's polygons are those of outline less grown obstacles within its square, unless it is
//       dirty or not loaded; they depend on nothing else, so the order of edits does not matter;
//   (2) obstacles are subtracted in the order of their places in the table, which edits may change,
//       but what a set of obstacles leaves is cut from their union, made in one step;
//   (3) vertices along the lines between tiles lie exactly on them;
//   (4) a tile that is not apart is joined to its neighbours as they are.
#include "ploy/path/navmesh_tiles.h"

#include <string.h>

#include "path/navmesh_cut.h"
#include "path/navmesh_join.h"
#include "ploy/base/array.h"
#include "ploy/base/hash.h"
#include "ploy/base/math.h"
#include "ploy/geom/boolean.h"
#include "ploy/geom/offset.h"

static const ploy_field navtiles_fields[] = {
    PLOY_FIELD_F32(ploy_navmesh_tiles_def, tile, 16, 0.5f, 1e5f, "m", "side of a tile"),
    PLOY_FIELD_F32(ploy_navmesh_tiles_def, radius, 0, 0, 1e4f, "m", "of the agent"),
    PLOY_FIELD_F32(ploy_navmesh_tiles_def, slack, 0.05f, 1e-4f, 1e3f, "m",
                   "how far round corners may be off"),
    PLOY_FIELD_I32(ploy_navmesh_tiles_def, max_corners, 8, 3, 256, "", "most of a polygon"),
};

// Vertices nearer to a tile's side than this lie on it: intersections are rounded.
static const float navtiles_snap = 1e-4f;

typedef struct navtiles_obstacle {
    uint32_t generation;
    uint32_t used;
    ploy_rings *grown;
    ploy_box2 box; // of it
} navtiles_obstacle;

typedef struct navtiles_tile {
    uint32_t loaded;
    uint32_t dirty;        // to be cut
    uint32_t apart;        // to be joined with its neighbours
    ployi_nav_piece piece; // its polygons
} navtiles_tile;

typedef struct navtiles_link {
    uint32_t generation;
    uint32_t used, open;
    ploy_navmesh_link link;
} navtiles_link;

struct ploy_navmesh_tiles {
    ploy_env env;
    ploy_navmesh_tiles_def def;
    ploy_rings *outline; // less the radius
    ploy_array obstacles;
    ploy_array links; // navtiles_link
    navtiles_tile *tiles;
    ployi_nav_piece **pieces; // of all tiles
    int32_t columns, rows, cut, joined, touched, obstacle_count;
    int32_t cutting;  // tiles cut since the last mesh
    uint32_t changed; // since the last refresh
    ploy_vec2 origin;
    ploy_navmesh *mesh;
    uint64_t generation; // of all its meshes so far, folded in order
};

ploy_fields ploy_navmesh_tiles_fields(void) {
    return PLOY_FIELDS(ploy_navmesh_tiles_def, navtiles_fields);
}

ploy_navmesh_tiles_def ploy_navmesh_tiles_def_default(void) {
    ploy_navmesh_tiles_def def;
    ploy_fields_default(ploy_navmesh_tiles_fields(), &def);
    return def;
}

// ---- life ----

static int32_t navtiles_count(const ploy_navmesh_tiles *tiles) {
    return tiles->columns * tiles->rows;
}

void ploy_navmesh_tiles_destroy(ploy_navmesh_tiles *tiles) {
    if (tiles == NULL) return;
    ploy_env env = tiles->env;
    for (int32_t i = 0; tiles->tiles != NULL && i < navtiles_count(tiles); i++) {
        ployi_nav_piece_fini(&tiles->tiles[i].piece);
    }
    if (tiles->tiles != NULL) {
        ploy_env_free(&env, tiles->tiles, (size_t)navtiles_count(tiles) * sizeof *tiles->tiles);
    }
    if (tiles->pieces != NULL) {
        ploy_env_free(&env, tiles->pieces, (size_t)navtiles_count(tiles) * sizeof(void *));
    }
    for (int32_t i = 0; i < tiles->obstacles.count; i++) {
        ploy_rings_destroy(PLOY_ARRAY_ITEMS(&tiles->obstacles, navtiles_obstacle)[i].grown);
    }
    ploy_array_fini(&tiles->obstacles);
    ploy_array_fini(&tiles->links);
    ploy_rings_destroy(tiles->outline);
    ploy_navmesh_destroy(tiles->mesh);
    ploy_env_free(&env, tiles, sizeof *tiles);
}

// How many tiles it takes from one coordinate to another; more than there may be if that is many.
static int32_t navtiles_across(double from, double to, double side) {
    double count = ceil((to - from) / side);
    if (!(count >= 1.0)) return 1;
    return count > (double)PLOY_NAVMESH_TILES_MAX ? PLOY_NAVMESH_TILES_MAX + 1 : (int32_t)count;
}

// The outline, made so that NON_ZERO decides what is floor, less the radius.
static ploy_result navtiles_outline(ploy_navmesh_tiles *tiles, const ploy_rings *rings,
                                    ploy_fill fill) {
    ploy_arena *scratch = NULL;
    ploy_rings *nothing = NULL;
    ploy_offset_style style = ploy_offset_style_default();
    float grow = tiles->def.radius + tiles->def.slack;
    style.tolerance = tiles->def.slack;
    ploy_result result = ploy_arena_create(0, 0, &tiles->env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_create(&tiles->env, &nothing);
    if (result == PLOY_OK && tiles->def.radius > 0.0f) {
        result = ploy_rings_offset(rings, fill, -grow, &style, scratch, tiles->outline);
    } else if (result == PLOY_OK) {
        result =
            ploy_rings_boolean(rings, nothing, PLOY_BOOLEAN_UNION, fill, scratch, tiles->outline);
    }
    ploy_rings_destroy(nothing);
    ploy_arena_destroy(scratch);
    return result;
}

static ploy_box2 navtiles_square(const ploy_navmesh_tiles *tiles, int32_t tile) {
    float side = tiles->def.tile;
    int32_t x = tile % tiles->columns, y = tile / tiles->columns;
    ploy_vec2 low = {tiles->origin.x + (float)x * side, tiles->origin.y + (float)y * side};
    ploy_vec2 high = {tiles->origin.x + (float)(x + 1) * side,
                      tiles->origin.y + (float)(y + 1) * side};
    return ploy_box2_make(low, high);
}

static ploy_result navtiles_lay(ploy_navmesh_tiles *tiles) {
    ploy_box2 box = ploy_rings_box(tiles->outline);
    if (ploy_rings_count(tiles->outline) == 0)
        box = ploy_box2_make(ploy_vec2_zero(), ploy_vec2_zero());
    float side = tiles->def.tile;
    // Lines lie on whole tiles, wherever the outline begins.
    tiles->origin =
        ploy_vec2_make(floorf(box.min.x / side) * side, floorf(box.min.y / side) * side);
    int32_t columns = navtiles_across((double)tiles->origin.x, (double)box.max.x, (double)side);
    int32_t rows = navtiles_across((double)tiles->origin.y, (double)box.max.y, (double)side);
    if ((int64_t)columns * rows > PLOY_NAVMESH_TILES_MAX) return PLOY_ERR_LIMIT;
    size_t size = (size_t)columns * (size_t)rows * sizeof *tiles->tiles;
    tiles->tiles = ploy_env_alloc_zero(&tiles->env, size);
    if (tiles->tiles == NULL) return PLOY_ERR_MEMORY;
    tiles->columns = columns;
    tiles->rows = rows;
    for (int32_t i = 0; i < navtiles_count(tiles); i++) {
        navtiles_tile *tile = &tiles->tiles[i];
        tile->loaded = tile->dirty = tile->apart = 1;
        ployi_nav_piece_init(&tile->piece, navtiles_square(tiles, i), &tiles->env);
    }
    tiles->pieces =
        ploy_env_alloc_zero(&tiles->env, (size_t)columns * (size_t)rows * sizeof(void *));
    if (tiles->pieces == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < navtiles_count(tiles); i++) tiles->pieces[i] = &tiles->tiles[i].piece;
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_create(const ploy_navmesh_tiles_def *def, const ploy_rings *rings,
                                      ploy_fill fill, const ploy_env *env,
                                      ploy_navmesh_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (rings == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_navmesh_tiles_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_navmesh_tiles *tiles = ploy_env_alloc_zero(env, sizeof *tiles);
    if (tiles == NULL) return PLOY_ERR_MEMORY;
    tiles->env = *env;
    tiles->def = *def;
    tiles->changed = 1;
    ploy_array_init(&tiles->obstacles, sizeof(navtiles_obstacle), env);
    ploy_array_init(&tiles->links, sizeof(navtiles_link), env);
    result = ploy_rings_create(env, &tiles->outline);
    if (result == PLOY_OK) result = navtiles_outline(tiles, rings, fill);
    if (result == PLOY_OK) result = navtiles_lay(tiles);
    if (result == PLOY_OK) {
        *out = tiles;
    } else {
        ploy_navmesh_tiles_destroy(tiles);
    }
    return result;
}

// ---- edits ----

static void navtiles_touch(ploy_navmesh_tiles *tiles, ploy_box2 box) {
    for (int32_t i = 0; i < navtiles_count(tiles); i++) {
        if (!ploy_box2_overlaps(navtiles_square(tiles, i), box)) continue;
        tiles->tiles[i].dirty = 1;
    }
    tiles->changed = 1;
}

// Grows an obstacle by the radius.
static ploy_result navtiles_grow(const ploy_navmesh_tiles *tiles, ploy_rings *out) {
    if (!(tiles->def.radius > 0.0f)) return PLOY_OK;
    ploy_arena *scratch = NULL;
    ploy_rings *plain = NULL;
    ploy_offset_style style = ploy_offset_style_default();
    style.tolerance = tiles->def.slack;
    ploy_result result = ploy_arena_create(0, 0, &tiles->env, &scratch);
    if (result == PLOY_OK) result = ploy_rings_create(&tiles->env, &plain);
    if (result == PLOY_OK) result = ploy_rings_copy(plain, out);
    if (result == PLOY_OK) {
        result = ploy_rings_offset(plain, PLOY_FILL_NON_ZERO, tiles->def.radius + tiles->def.slack,
                                   &style, scratch, out);
    }
    ploy_rings_destroy(plain);
    ploy_arena_destroy(scratch);
    return result;
}

// A place in the table that is free; one more at its end if there is none.
static ploy_result navtiles_place(ploy_navmesh_tiles *tiles, int32_t *out) {
    const navtiles_obstacle *items = PLOY_ARRAY_ITEMS(&tiles->obstacles, navtiles_obstacle);
    for (*out = 0; *out < tiles->obstacles.count; (*out)++) {
        if (!items[*out].used) return PLOY_OK;
    }
    return ploy_array_push(&tiles->obstacles, NULL);
}

ploy_result ploy_navmesh_tiles_add(ploy_navmesh_tiles *tiles, const ploy_vec2 *corners,
                                   int32_t count, ploy_id *id) {
    if (corners == NULL || count < 3 || count > PLOY_NAVMESH_OBSTACLE_MAX) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < count; i++) {
        bool near =
            ploy_in_range(corners[i].x, -1e9f, 1e9f) && ploy_in_range(corners[i].y, -1e9f, 1e9f);
        if (!near) return PLOY_ERR_ARGUMENT;
    }
    int32_t turn = ploy_polygon_turn(ploy_polygon_make(corners, count));
    if (turn == 0) return PLOY_ERR_ARGUMENT;
    ploy_rings *grown = NULL;
    int32_t place = 0;
    ploy_result result = ploy_rings_create(&tiles->env, &grown);
    if (result == PLOY_OK) {
        result = turn > 0 ? ploy_rings_add(grown, corners, count)
                          : ploy_rings_add_reversed(grown, corners, count);
    }
    if (result == PLOY_OK) result = navtiles_grow(tiles, grown);
    if (result == PLOY_OK) result = navtiles_place(tiles, &place);
    if (result != PLOY_OK) {
        ploy_rings_destroy(grown);
        return result;
    }
    navtiles_obstacle *obstacle = PLOY_ARRAY_AT(&tiles->obstacles, navtiles_obstacle, place);
    obstacle->generation++;
    if (obstacle->generation == 0) obstacle->generation = 1;
    obstacle->used = 1;
    obstacle->grown = grown;
    obstacle->box = ploy_rings_box(grown);
    tiles->obstacle_count++;
    navtiles_touch(tiles, obstacle->box);
    if (id != NULL) *id = ploy_id_make((uint32_t)place, obstacle->generation);
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_remove(ploy_navmesh_tiles *tiles, ploy_id id) {
    if (id.generation == 0 || id.index >= (uint32_t)tiles->obstacles.count) {
        return PLOY_ERR_NOT_FOUND;
    }
    navtiles_obstacle *obstacle =
        PLOY_ARRAY_AT(&tiles->obstacles, navtiles_obstacle, (int32_t)id.index);
    if (!obstacle->used || obstacle->generation != id.generation) return PLOY_ERR_NOT_FOUND;
    navtiles_touch(tiles, obstacle->box);
    ploy_rings_destroy(obstacle->grown);
    obstacle->grown = NULL;
    obstacle->used = 0;
    tiles->obstacle_count--;
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_set_loaded(ploy_navmesh_tiles *tiles, int32_t x, int32_t y,
                                          bool loaded) {
    if (x < 0 || y < 0 || x >= tiles->columns || y >= tiles->rows) return PLOY_ERR_ARGUMENT;
    navtiles_tile *tile = &tiles->tiles[y * tiles->columns + x];
    if ((tile->loaded != 0) == loaded) return PLOY_OK;
    tile->loaded = loaded;
    tile->dirty = 1;
    tiles->changed = 1;
    return PLOY_OK;
}

// ---- links ----

static bool navtiles_is_near(ploy_vec3 point) {
    return ploy_in_range(point.x, -1e9f, 1e9f) && ploy_in_range(point.y, -1e9f, 1e9f) &&
           ploy_in_range(point.z, -1e9f, 1e9f);
}

ploy_result ploy_navmesh_tiles_add_link(ploy_navmesh_tiles *tiles, const ploy_navmesh_link *link,
                                        ploy_id *id) {
    if (link == NULL || !navtiles_is_near(link->from) || !navtiles_is_near(link->to) ||
        !ploy_in_range(link->cost, -1e9f, 1e9f) || link->area >= PLOY_NAVMESH_AREAS ||
        link->flags > UINT16_MAX) {
        return PLOY_ERR_ARGUMENT;
    }
    int32_t place = 0;
    while (place < tiles->links.count && PLOY_ARRAY_AT(&tiles->links, navtiles_link, place)->used) {
        place++;
    }
    if (place == tiles->links.count) {
        ploy_result result = ploy_array_push(&tiles->links, NULL);
        if (result != PLOY_OK) return result;
    }
    navtiles_link *added = PLOY_ARRAY_AT(&tiles->links, navtiles_link, place);
    added->generation = added->generation + 1 == 0 ? 1 : added->generation + 1;
    added->used = added->open = 1;
    added->link = *link;
    tiles->changed = 1;
    if (id != NULL) *id = ploy_id_make((uint32_t)place, added->generation);
    return PLOY_OK;
}

// The link of an id, or NULL.
static navtiles_link *navtiles_link_of(const ploy_navmesh_tiles *tiles, ploy_id id) {
    if (id.generation == 0 || id.index >= (uint32_t)tiles->links.count) return NULL;
    navtiles_link *link = PLOY_ARRAY_AT(&tiles->links, navtiles_link, (int32_t)id.index);
    return link->used && link->generation == id.generation ? link : NULL;
}

ploy_result ploy_navmesh_tiles_set_link(ploy_navmesh_tiles *tiles, ploy_id id, bool open) {
    navtiles_link *link = navtiles_link_of(tiles, id);
    if (link == NULL) return PLOY_ERR_NOT_FOUND;
    if ((link->open != 0) != open) tiles->changed = 1;
    link->open = open;
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_remove_link(ploy_navmesh_tiles *tiles, ploy_id id) {
    navtiles_link *link = navtiles_link_of(tiles, id);
    if (link == NULL) return PLOY_ERR_NOT_FOUND;
    link->used = 0;
    tiles->changed = 1;
    return PLOY_OK;
}

// ---- refreshing ----

// Rounded intersections go back to the lines that they lie on; keeps (3).
static ploy_vec2 navtiles_snapped(ploy_vec2 point, ploy_box2 square) {
    if (fabsf(point.x - square.min.x) <= navtiles_snap) point.x = square.min.x;
    if (fabsf(point.x - square.max.x) <= navtiles_snap) point.x = square.max.x;
    if (fabsf(point.y - square.min.y) <= navtiles_snap) point.y = square.min.y;
    if (fabsf(point.y - square.max.y) <= navtiles_snap) point.y = square.max.y;
    return point;
}

static ploy_result navtiles_snap_rings(const ploy_rings *from, ploy_box2 square,
                                       ploy_arena *scratch, ploy_rings *out) {
    ploy_result result = PLOY_OK;
    ploy_rings_clear(out);
    for (int32_t i = 0; i < ploy_rings_count(from) && result == PLOY_OK; i++) {
        ploy_polygon ring = ploy_rings_get(from, i);
        ploy_vec2 *points = ploy_arena_alloc_array(scratch, ring.count, sizeof *points);
        if (points == NULL) return PLOY_ERR_MEMORY;
        int32_t count = 0;
        for (int32_t k = 0; k < ring.count; k++) {
            ploy_vec2 point = navtiles_snapped(ring.points[k], square);
            if (count > 0 && ploy_vec2_equal(points[count - 1], point)) continue;
            points[count++] = point;
        }
        while (count > 1 && ploy_vec2_equal(points[0], points[count - 1])) count--;
        bool area = count >= 3 && ploy_polygon_turn(ploy_polygon_make(points, count)) != 0;
        if (area) result = ploy_rings_add(out, points, count);
    }
    return result;
}

typedef struct navtiles_work {
    ploy_arena *scratch;
    ploy_rings *square, *obstacles, *part, *floor_rings;
    ployi_nav_cutter cutter;
    ployi_nav_cut cut;
} navtiles_work;

static ploy_result navtiles_open(navtiles_work *work, const ploy_navmesh_tiles *tiles) {
    const ploy_env *env = &tiles->env;
    memset(work, 0, sizeof *work);
    ployi_nav_cut_init(&work->cut, env);
    ploy_result result = ployi_nav_cutter_init(&work->cutter, tiles->def.max_corners, env);
    if (result == PLOY_OK) result = ploy_arena_create(0, 0, env, &work->scratch);
    if (result == PLOY_OK) result = ploy_rings_create(env, &work->square);
    if (result == PLOY_OK) result = ploy_rings_create(env, &work->obstacles);
    if (result == PLOY_OK) result = ploy_rings_create(env, &work->part);
    if (result == PLOY_OK) result = ploy_rings_create(env, &work->floor_rings);
    return result;
}

static void navtiles_close(navtiles_work *work) {
    ploy_rings_destroy(work->floor_rings);
    ploy_rings_destroy(work->part);
    ploy_rings_destroy(work->obstacles);
    ploy_rings_destroy(work->square);
    ploy_arena_destroy(work->scratch);
    ployi_nav_cutter_fini(&work->cutter);
    ployi_nav_cut_fini(&work->cut);
}

// A tile's neighbours, by side; NULL beyond the floor's rim.
static void navtiles_beside(const ploy_navmesh_tiles *tiles, int32_t index,
                            navtiles_tile *out[PLOYI_NAV_SIDES]) {
    int32_t x = index % tiles->columns, y = index / tiles->columns;
    out[0] = y > 0 ? &tiles->tiles[index - tiles->columns] : NULL;
    out[1] = x + 1 < tiles->columns ? &tiles->tiles[index + 1] : NULL;
    out[2] = y + 1 < tiles->rows ? &tiles->tiles[index + tiles->columns] : NULL;
    out[3] = x > 0 ? &tiles->tiles[index - 1] : NULL;
}

static void navtiles_pieces_beside(const ploy_navmesh_tiles *tiles, int32_t index,
                                   ployi_nav_piece *out[PLOYI_NAV_SIDES]) {
    navtiles_tile *beside[PLOYI_NAV_SIDES];
    navtiles_beside(tiles, index, beside);
    for (int32_t i = 0; i < PLOYI_NAV_SIDES; i++) {
        out[i] = beside[i] != NULL ? &beside[i]->piece : NULL;
    }
}

// Its floor is another now: it and its neighbours are to be joined.
static void navtiles_part(ploy_navmesh_tiles *tiles, int32_t index) {
    navtiles_tile *beside[PLOYI_NAV_SIDES];
    navtiles_beside(tiles, index, beside);
    tiles->tiles[index].apart = 1;
    for (int32_t i = 0; i < PLOYI_NAV_SIDES; i++) {
        if (beside[i] != NULL) beside[i]->apart = 1;
    }
}

// Cuts one tile; keeps (1). On failure it stays dirty.
static ploy_result navtiles_cut(ploy_navmesh_tiles *tiles, int32_t index, navtiles_work *work,
                                ploy_diags *diags) {
    navtiles_tile *tile = &tiles->tiles[index];
    ployi_nav_piece_clear(&tile->piece);
    ployi_nav_cut_clear(&work->cut);
    navtiles_part(tiles, index);
    if (!tile->loaded) {
        tile->dirty = 0;
        return PLOY_OK;
    }
    ploy_box2 box = navtiles_square(tiles, index);
    ploy_vec2 corners[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    ploy_arena_reset(work->scratch);
    ploy_rings_clear(work->square);
    ploy_rings_clear(work->obstacles);
    ploy_result result = ploy_rings_add(work->square, corners, 4);
    for (int32_t i = 0; i < tiles->obstacles.count && result == PLOY_OK; i++) {
        const navtiles_obstacle *obstacle = PLOY_ARRAY_AT(&tiles->obstacles, navtiles_obstacle, i);
        if (!obstacle->used || !ploy_box2_overlaps(obstacle->box, box)) continue;
        for (int32_t k = 0; k < ploy_rings_count(obstacle->grown) && result == PLOY_OK; k++) {
            ploy_polygon ring = ploy_rings_get(obstacle->grown, k);
            result = ploy_rings_add(work->obstacles, ring.points, ring.count);
        }
    }
    if (result == PLOY_OK) {
        result = ploy_rings_boolean(tiles->outline, work->square, PLOY_BOOLEAN_INTERSECTION,
                                    PLOY_FILL_NON_ZERO, work->scratch, work->floor_rings);
    }
    if (result == PLOY_OK) {
        result = ploy_rings_boolean(work->floor_rings, work->obstacles, PLOY_BOOLEAN_DIFFERENCE,
                                    PLOY_FILL_NON_ZERO, work->scratch, work->part);
    }
    if (result == PLOY_OK) {
        result = navtiles_snap_rings(work->part, box, work->scratch, work->floor_rings);
    }
    if (result == PLOY_OK) {
        result = ployi_nav_cut_add(&work->cutter, work->floor_rings, PLOY_FILL_NON_ZERO, INFINITY,
                                   diags, &work->cut);
    }
    if (result == PLOY_OK) {
        ploy_navmesh_soup soup = ployi_nav_cut_soup(&work->cut, NULL, 0);
        soup.closed = NULL; // tiles meet along edges that each of them takes for walls
        result = ployi_nav_piece_set(&tile->piece, &soup, &tiles->env, diags);
    }
    if (result == PLOY_OK) tile->dirty = 0;
    return result;
}

// Joins what was cut, and what lies beside that; all else stays joined as it is.
static ploy_result navtiles_join(ploy_navmesh_tiles *tiles, ploy_arena *scratch,
                                 ploy_diags *diags) {
    ployi_nav_piece *beside[PLOYI_NAV_SIDES];
    ploy_navmesh *mesh = NULL;
    ploy_result result = PLOY_OK;
    int32_t joined = 0, touched = 0, link_count = 0;
    ploy_navmesh_link *links =
        ploy_arena_alloc_array(scratch, tiles->links.count, sizeof(ploy_navmesh_link));
    if (links == NULL) return PLOY_ERR_MEMORY;
    for (int32_t i = 0; i < tiles->links.count; i++) {
        const navtiles_link *link = PLOY_ARRAY_AT(&tiles->links, navtiles_link, i);
        if (link->used && link->open) links[link_count++] = link->link;
    }
    for (int32_t i = 0; i < navtiles_count(tiles) && result == PLOY_OK; i++) {
        if (!tiles->tiles[i].apart) continue;
        navtiles_pieces_beside(tiles, i, beside);
        result = ployi_nav_piece_join(&tiles->tiles[i].piece, beside, scratch);
        joined++;
        touched += tiles->tiles[i].piece.all_sizes.count;
    }
    for (int32_t i = 0; i < navtiles_count(tiles) && result == PLOY_OK; i++) {
        if (!tiles->tiles[i].apart) continue;
        navtiles_pieces_beside(tiles, i, beside);
        ployi_nav_piece_mate(&tiles->tiles[i].piece, beside);
    }
    if (result == PLOY_OK) {
        result = ployi_nav_pieces_build(tiles->pieces, tiles->columns, tiles->rows, links,
                                        link_count, &tiles->env, diags, &mesh);
    }
    if (result != PLOY_OK) return result;
    for (int32_t i = 0; i < navtiles_count(tiles); i++) tiles->tiles[i].apart = 0;
    tiles->joined = joined;
    tiles->touched = touched;
    ploy_navmesh_destroy(tiles->mesh);
    tiles->mesh = mesh;
    tiles->generation = ploy_hash_combine(tiles->generation, ploy_navmesh_generation(mesh));
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_step(ploy_navmesh_tiles *tiles, ploy_budget *budget,
                                    ploy_diags *diags) {
    if (!tiles->changed) return PLOY_OK;
    if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
    navtiles_work work;
    ploy_result result = navtiles_open(&work, tiles);
    for (int32_t i = 0; i < navtiles_count(tiles) && result == PLOY_OK; i++) {
        if (!tiles->tiles[i].dirty) continue;
        if (budget != NULL && !ploy_budget_spend(budget, 1)) {
            result = PLOY_IN_PROGRESS; // what was cut is kept beside the mesh
            break;
        }
        result = navtiles_cut(tiles, i, &work, diags);
        tiles->cutting++;
    }
    if (result == PLOY_OK && budget != NULL && !ploy_budget_spend(budget, 1)) {
        result = PLOY_IN_PROGRESS;
    }
    if (result == PLOY_OK) {
        result = navtiles_join(tiles, work.scratch, diags);
    }
    navtiles_close(&work);
    if (result != PLOY_OK) return result;
    tiles->cut = tiles->cutting;
    tiles->cutting = 0;
    tiles->changed = 0;
    return PLOY_OK;
}

ploy_result ploy_navmesh_tiles_refresh(ploy_navmesh_tiles *tiles, ploy_diags *diags) {
    return ploy_navmesh_tiles_step(tiles, NULL, diags);
}

// ---- looking ----

const ploy_navmesh *ploy_navmesh_tiles_mesh(const ploy_navmesh_tiles *tiles) {
    return tiles->mesh;
}

uint64_t ploy_navmesh_tiles_generation(const ploy_navmesh_tiles *tiles) {
    return tiles->generation;
}

ploy_navmesh_tiles_stats ploy_navmesh_tiles_stats_of(const ploy_navmesh_tiles *tiles) {
    ploy_navmesh_tiles_stats stats;
    memset(&stats, 0, sizeof stats);
    stats.columns = tiles->columns;
    stats.rows = tiles->rows;
    stats.origin = tiles->origin;
    stats.obstacles = tiles->obstacle_count;
    stats.cut = tiles->cut;
    stats.joined = tiles->joined;
    stats.touched = tiles->touched;
    for (int32_t i = 0; i < navtiles_count(tiles); i++) stats.dirty += tiles->tiles[i].dirty != 0;
    for (int32_t i = 0; i < tiles->links.count; i++) {
        const navtiles_link *link = PLOY_ARRAY_AT(&tiles->links, navtiles_link, i);
        stats.links += link->used && link->open;
    }
    return stats;
}

void ploy_navmesh_tiles_describe(const ploy_navmesh_tiles *tiles, ploy_describe *out) {
    ploy_navmesh_tiles_stats stats = ploy_navmesh_tiles_stats_of(tiles);
    ploy_describe_i64(out, "columns", PLOY_STATE, stats.columns);
    ploy_describe_i64(out, "rows", PLOY_STATE, stats.rows);
    ploy_describe_i64(out, "dirty", PLOY_STATE, stats.dirty);
    ploy_describe_i64(out, "obstacles", PLOY_STATE, stats.obstacles);
    for (int32_t i = 0; i < tiles->obstacles.count; i++) {
        const navtiles_obstacle *obstacle = PLOY_ARRAY_AT(&tiles->obstacles, navtiles_obstacle, i);
        if (obstacle->used) ploy_rings_describe(obstacle->grown, out);
    }
    if (stats.links > 0) ploy_describe_i64(out, "links", PLOY_STATE, stats.links);
    if (tiles->mesh != NULL) ploy_navmesh_describe(tiles->mesh, out);
}

void ploy_navmesh_tiles_draw(const ploy_navmesh_tiles *tiles, ploy_draw *out) {
    if (tiles->mesh != NULL) ploy_navmesh_draw(tiles->mesh, out);
    for (int32_t i = 0; i < tiles->obstacles.count; i++) {
        const navtiles_obstacle *obstacle = PLOY_ARRAY_AT(&tiles->obstacles, navtiles_obstacle, i);
        if (!obstacle->used) continue;
        ploy_rings_draw(obstacle->grown, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, out);
    }
    for (int32_t i = 0; i < navtiles_count(tiles); i++) {
        ploy_box2 box = navtiles_square(tiles, i);
        ploy_vec2 corners[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
        ploy_draw_polygon(out, PLOY_LAYER_REGIONS, PLOY_STYLE_GHOST, ploy_agent_id_none(), corners,
                          4, 0.0f);
    }
}
