// Tiled maps as tiles, rings, level objects and pictures.
#include "ploy/data/tiled_use.h"

#include <math.h>
#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/math.h"

ploy_tiled_use ploy_tiled_use_default(void) {
    ploy_tiled_use use = {1.0f, "cost", "solid"};
    return use;
}

static ploy_tiled_use use_of(const ploy_tiled_use *use) {
    return use != NULL ? *use : ploy_tiled_use_default();
}

static bool use_valid(const ploy_tiled_use *use) {
    return use->tile_size > 0.0f && use->tile_size <= 1e6f && use->cost != NULL &&
           use->solid != NULL;
}

// 1 if the row or column is shifted by half a cell.
static int32_t use_shift(const ploy_tiled_view *view, int32_t line) {
    return (int32_t)((line & 1) != (view->stagger_even ? 1 : 0));
}

// Pixels from a row to the next, of maps with staggered rows.
static double use_row_step(const ploy_tiled_view *view) {
    return (view->tile_height + (double)view->hex_side) / 2;
}

ploy_vec2 ploy_tiled_position(const ploy_tiled *map, const ploy_tiled_use *use, double x,
                              double y) {
    ploy_tiled_view view = ploy_tiled_get(map);
    ploy_tiled_use how = use_of(use);
    double across = view.orientation == PLOY_TILED_ISOMETRIC ? view.tile_height : view.tile_width;
    double down = view.tile_height, bottom = view.height;
    if (view.orientation >= PLOY_TILED_STAGGERED && !view.stagger_x) {
        bottom = (use_row_step(&view) * (view.height - 1) + down) / down;
    } else if (view.orientation >= PLOY_TILED_STAGGERED) {
        bottom = view.height + 0.5;
    }
    if (view.infinite) bottom = 0;
    ploy_vec2 at = {(float)(x / across * how.tile_size),
                    (float)((bottom - y / down) * how.tile_size)};
    return at;
}

// ---- tiles

typedef struct use_bounds {
    int32_t x0, y0, x1, y1; // cells; x1 and y1 are behind the last
} use_bounds;

static use_bounds use_bounds_of(const ploy_tiled_view *view) {
    use_bounds bounds = {0, 0, view->width, view->height};
    if (!view->infinite) return bounds;
    bool any = false;
    for (int32_t i = 0; i < view->layer_count; i++) {
        ploy_tiled_range range = view->layers[i].chunks;
        for (int32_t k = 0; k < range.count; k++) {
            const ploy_tiled_chunk *chunk = &view->chunks[range.first + k];
            if (!any || chunk->x < bounds.x0) bounds.x0 = chunk->x;
            if (!any || chunk->y < bounds.y0) bounds.y0 = chunk->y;
            if (!any || chunk->x + chunk->width > bounds.x1) bounds.x1 = chunk->x + chunk->width;
            if (!any || chunk->y + chunk->height > bounds.y1) bounds.y1 = chunk->y + chunk->height;
            any = true;
        }
    }
    return bounds;
}

// The cell of the isometric grid that a cell of a staggered map shows.
static void use_diamond(const ploy_tiled_view *view, int32_t column, int32_t row, int32_t *u,
                        int32_t *v) {
    int32_t s = use_shift(view, view->stagger_x ? column : row), odd = view->stagger_even ? 1 : 0;
    if (view->stagger_x) {
        *u = row + (column + s + odd) / 2;
        *v = row + (s - column + odd + 65536) / 2 - 32768; // rounds down below 0 too
    } else {
        *u = column + (row + s + odd) / 2;
        *v = (row - s + odd) / 2 - column;
    }
}

typedef struct use_tiles {
    const ploy_tiled *map;
    ploy_tiled_view view;
    ploy_tiled_use use;
    use_bounds bounds;
    int32_t width, height, first_u, first_v, below;
    double costs[PLOY_TILE_KINDS]; // by kind
    int32_t kinds;
    ploy_diags *diags;
    uint8_t *cells;
} use_tiles;

// The cost of a tile; INFINITY if it is blocked.
static double use_cost(const use_tiles *job, uint32_t gid) {
    const ploy_tiled_tile *tile = ploy_tiled_find_tile(job->map, gid);
    if (tile == NULL) return 1;
    const ploy_tiled_property *solid =
        ploy_tiled_find_property(job->map, tile->properties, job->use.solid);
    if (solid != NULL && solid->number != 0) return (double)INFINITY;
    const ploy_tiled_property *cost =
        ploy_tiled_find_property(job->map, tile->properties, job->use.cost);
    if (cost == NULL || (cost->type != PLOY_TILED_INT && cost->type != PLOY_TILED_FLOAT)) return 1;
    return cost->number > 0 && cost->number <= 1e6 ? cost->number : (double)INFINITY;
}

static bool use_solid(const ploy_tiled *map, ploy_tiled_range properties, const char *name) {
    const ploy_tiled_property *solid = ploy_tiled_find_property(map, properties, name);
    return solid != NULL && solid->number != 0;
}

// The kind of a cost; -1 if there are too many.
static int32_t use_kind(use_tiles *job, double cost) {
    if (!(cost < (double)INFINITY)) return PLOY_TILE_BLOCKED;
    for (int32_t i = 1; i < job->kinds; i++) {
        if (job->costs[i] == cost) return i;
    }
    if (job->kinds == PLOY_TILE_KINDS) return -1;
    job->costs[job->kinds] = cost;
    return job->kinds++;
}

// Where a cell of the map is in the tiles.
static ptrdiff_t use_index(const use_tiles *job, int32_t column, int32_t row) {
    if (job->view.orientation == PLOY_TILED_STAGGERED) {
        int32_t u, v;
        use_diamond(&job->view, column, row, &u, &v);
        return (ptrdiff_t)(job->height - 1 - (v - job->first_v)) * job->width + u - job->first_u;
    }
    int32_t y = job->below + job->bounds.y1 - 1 - row;
    return (ptrdiff_t)y * job->width + column - job->bounds.x0;
}

// Costs of all cells, and their kinds.
static ploy_result use_fill(use_tiles *job, double *costs) {
    size_t count = (size_t)job->width * (size_t)job->height;
    for (size_t i = 0; i < count; i++) costs[i] = -1; // no tile
    for (int32_t i = 0; i < job->view.layer_count; i++) {
        const ploy_tiled_layer *layer = &job->view.layers[i];
        if (!ploy_tiled_layer_shown(job->map, i)) continue;
        bool solid = use_solid(job->map, layer->properties, job->use.solid);
        for (int32_t k = 0; k < layer->chunks.count; k++) {
            const ploy_tiled_chunk *chunk = &job->view.chunks[layer->chunks.first + k];
            for (int32_t c = 0; c < chunk->width * chunk->height; c++) {
                uint32_t gid = job->view.cells[chunk->cells + c];
                int32_t column = chunk->x + c % chunk->width, row = chunk->y + c / chunk->width;
                if (gid == 0 || column >= job->bounds.x1 || row >= job->bounds.y1) continue;
                double cost = solid ? (double)INFINITY : use_cost(job, gid);
                ptrdiff_t at = use_index(job, column, row);
                if (cost > costs[at]) costs[at] = cost;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        int32_t kind = costs[i] < 0 ? PLOY_TILE_BLOCKED : use_kind(job, costs[i]);
        if (kind < 0) {
            ploy_diags_add(job->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, "", 0, 0,
                           "the tiles have more than 254 different costs", NULL, NULL);
            return PLOY_ERR_LIMIT;
        }
        job->cells[i] = (uint8_t)kind;
    }
    return PLOY_OK;
}

static ploy_result use_size(use_tiles *job, ploy_tiles_def *def) {
    int64_t width = job->bounds.x1 - (int64_t)job->bounds.x0;
    int64_t height = job->bounds.y1 - (int64_t)job->bounds.y0;
    if (job->view.orientation == PLOY_TILED_STAGGERED && width <= 65536 && height <= 65536) {
        // The corners of the rectangle are the extremes of the diamond, to within one cell.
        int32_t low[2] = {0, 0}, high[2] = {0, 0};
        for (int32_t i = 0; i < 4; i++) {
            int32_t uv[2];
            use_diamond(&job->view, i & 1 ? job->bounds.x1 - 1 : job->bounds.x0,
                        i & 2 ? job->bounds.y1 - 1 : job->bounds.y0, &uv[0], &uv[1]);
            for (int32_t k = 0; k < 2; k++) {
                if (i == 0 || uv[k] < low[k]) low[k] = uv[k];
                if (i == 0 || uv[k] > high[k]) high[k] = uv[k];
            }
        }
        job->first_u = low[0] - 1;
        job->first_v = low[1] - 1;
        width = high[0] - (int64_t)low[0] + 3;
        height = high[1] - (int64_t)low[1] + 3;
    } else if (job->view.orientation == PLOY_TILED_HEXAGONAL) {
        if (job->view.stagger_x) {
            ploy_diags_add(job->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_UNSUPPORTED, "", 0, 0,
                           "hexagons with staggered columns cannot become tiles", "staggeraxis y",
                           NULL);
            return PLOY_ERR_UNSUPPORTED;
        }
        // Odd rows of tiles are shifted to the right.
        job->below = use_shift(&job->view, job->bounds.y1 - 1);
        height += job->below;
        def->neighbours = PLOY_TILE_HEX;
    }
    if (width < 1 || height < 1 || width * height > PLOY_TILES_CELLS_MAX) {
        ploy_diags_add(job->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, "", 0, 0,
                       "the map has no cells or too many", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    job->width = def->width = (int32_t)width;
    job->height = def->height = (int32_t)height;
    def->size = job->use.tile_size;
    if (job->view.infinite) {
        def->origin.x = (float)job->bounds.x0 * def->size;
        def->origin.y = -(float)job->bounds.y1 * def->size;
    }
    return PLOY_OK;
}

ploy_result ploy_tiles_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                  const ploy_env *env, ploy_diags *diags, ploy_tiles **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    use_tiles job;
    memset(&job, 0, sizeof job);
    job.map = map;
    job.view = ploy_tiled_get(map);
    job.use = use_of(use);
    job.diags = diags;
    job.costs[PLOY_TILE_OPEN] = 1;
    job.kinds = PLOY_TILE_OPEN + 1;
    if (!use_valid(&job.use) || job.view.kind != PLOY_TILED_MAP) return PLOY_ERR_ARGUMENT;
    job.bounds = use_bounds_of(&job.view);
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_result result = use_size(&job, &def);
    if (result != PLOY_OK) return result;
    size_t count = (size_t)job.width * (size_t)job.height;
    double *costs = ploy_env_alloc(env, count * sizeof *costs);
    job.cells = ploy_env_alloc(env, count);
    result = costs != NULL && job.cells != NULL ? use_fill(&job, costs) : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) result = ploy_tiles_create(&def, env, out);
    if (result == PLOY_OK) {
        for (int32_t i = PLOY_TILE_OPEN + 1; i < job.kinds; i++) {
            (void)ploy_tiles_set_cost(*out, (uint8_t)i, (float)job.costs[i]);
        }
        ploy_tiles_set_all(*out, job.cells);
    }
    if (costs != NULL) ploy_env_free(env, costs, count * sizeof *costs);
    if (job.cells != NULL) ploy_env_free(env, job.cells, count);
    return result;
}

// ---- shapes

enum { USE_CORNERS = 16 };

// A corner of an object in its own frame, before its rotation.
static ploy_vec2 use_corner(const ploy_tiled_view *view, const ploy_tiled_object *object,
                            int32_t i) {
    float w = (float)object->width, h = (float)object->height;
    ploy_vec2 corner = {0, 0};
    if (object->shape == PLOY_TILED_ELLIPSE) {
        float angle = (float)i * (2.0f * PLOY_PI_F / USE_CORNERS);
        corner.x = w * (0.5f + 0.5f * ploy_cosf(angle));
        corner.y = h * (0.5f + 0.5f * ploy_sinf(angle));
    } else if (object->shape == PLOY_TILED_POLYGON || object->shape == PLOY_TILED_POLYLINE) {
        corner = view->points[object->points.first + i];
    } else {
        corner.x = i == 1 || i == 2 ? w : 0;
        corner.y = i >= 2 ? h : 0;
        if (object->shape == PLOY_TILED_TILE) corner.y -= h; // its position is its lower left
    }
    return corner;
}

static int32_t use_corner_count(const ploy_tiled_object *object) {
    switch (object->shape) {
    case PLOY_TILED_ELLIPSE: return USE_CORNERS;
    case PLOY_TILED_POLYGON:
    case PLOY_TILED_POLYLINE: return object->points.count;
    case PLOY_TILED_POINT: return 0;
    default: return 4;
    }
}

// A corner with the object's rotation and position, in pixels.
static ploy_vec2 use_turned(const ploy_tiled_view *view, const ploy_tiled_object *object,
                            int32_t i) {
    ploy_vec2 corner = use_corner(view, object, i);
    float angle = ploy_clampf((float)object->rotation, -1e6f, 1e6f) * (PLOY_PI_F / 180.0f);
    float c = ploy_cosf(angle), s = ploy_sinf(angle);
    ploy_vec2 out = {(float)object->x + corner.x * c - corner.y * s,
                     (float)object->y + corner.x * s + corner.y * c};
    return out;
}

typedef struct use_rings {
    const ploy_tiled *map;
    ploy_tiled_view view;
    ploy_tiled_use use;
    ploy_rings *rings;
    ploy_array corners; // ploy_vec2
} use_rings;

static ploy_result use_add_ring(use_rings *job) {
    int32_t count = job->corners.count;
    const ploy_vec2 *points = PLOY_ARRAY_ITEMS(&job->corners, ploy_vec2);
    int32_t turn = count < 3 ? 0 : ploy_polygon_turn(ploy_polygon_make(points, count));
    if (turn == 0) return PLOY_OK; // no area
    return turn > 0 ? ploy_rings_add(job->rings, points, count)
                    : ploy_rings_add_reversed(job->rings, points, count);
}

// Pixels of the upper left corner of a cell's picture.
static ploy_vec2 use_cell_pixels(const ploy_tiled_view *view, int32_t column, int32_t row) {
    float tw = (float)view->tile_width, th = (float)view->tile_height;
    ploy_vec2 at = {(float)column * tw, (float)row * th};
    if (view->orientation < PLOY_TILED_STAGGERED) return at;
    if (view->stagger_x) {
        at.x = (float)column * (tw + (float)view->hex_side) / 2.0f;
        at.y += (float)use_shift(view, column) * th / 2.0f;
    } else {
        at.x += (float)use_shift(view, row) * tw / 2.0f;
        at.y = (float)row * (float)use_row_step(view);
    }
    return at;
}

// The shapes of one tile at a cell.
static ploy_result use_tile_rings(use_rings *job, uint32_t gid, int32_t column, int32_t row) {
    const ploy_tiled_tile *tile = ploy_tiled_find_tile(job->map, gid);
    if (tile == NULL || tile->objects.count == 0) return PLOY_OK;
    const ploy_tiled_view *view = &job->view;
    const ploy_tiled_tileset *set = &view->tilesets[ploy_tiled_find_tileset(job->map, gid)];
    bool single = tile->image.height > 0;
    float w = (float)(single ? tile->image.width : set->tile_width);
    float h = (float)(single ? tile->image.height : set->tile_height);
    ploy_vec2 cell = use_cell_pixels(view, column, row);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < tile->objects.count && result == PLOY_OK; i++) {
        const ploy_tiled_object *object = &view->objects[tile->objects.first + i];
        if (object->shape == PLOY_TILED_POLYLINE || object->shape == PLOY_TILED_TEXT) continue;
        ploy_array_clear(&job->corners);
        for (int32_t k = 0; k < use_corner_count(object) && result == PLOY_OK; k++) {
            ploy_vec2 p = use_turned(view, object, k);
            if (gid & PLOY_TILED_FLIP_DIAGONAL) p = ploy_vec2_make(p.y, p.x);
            if (gid & PLOY_TILED_FLIP_X) p.x = w - p.x;
            if (gid & PLOY_TILED_FLIP_Y) p.y = h - p.y;
            p.x += (float)set->offset_x;
            p.y += (float)set->offset_y + (float)view->tile_height - h; // aligned below
            if (view->orientation == PLOY_TILED_ISOMETRIC) {
                // From the picture to the plane; both axes have the length of a tile's height.
                float sx = p.x / (float)view->tile_width - 0.5f;
                float sy = p.y / (float)view->tile_height, side = (float)view->tile_height;
                p = ploy_vec2_make(((float)column + sy + sx) * side, ((float)row + sy - sx) * side);
            } else {
                p = ploy_vec2_add(p, cell);
            }
            p = ploy_tiled_position(job->map, &job->use, p.x, p.y);
            result = ploy_array_push(&job->corners, &p);
        }
        if (result == PLOY_OK) result = use_add_ring(job);
    }
    return result;
}

static ploy_result use_layer_rings(use_rings *job, const ploy_tiled_layer *layer) {
    ploy_result result = PLOY_OK;
    for (int32_t k = 0; k < layer->chunks.count && result == PLOY_OK; k++) {
        const ploy_tiled_chunk *chunk = &job->view.chunks[layer->chunks.first + k];
        for (int32_t c = 0; c < chunk->width * chunk->height && result == PLOY_OK; c++) {
            result = use_tile_rings(job, job->view.cells[chunk->cells + c],
                                    chunk->x + c % chunk->width, chunk->y + c / chunk->width);
        }
    }
    bool all = use_solid(job->map, layer->properties, job->use.solid);
    for (int32_t i = 0; i < layer->objects.count && result == PLOY_OK; i++) {
        const ploy_tiled_object *object = &job->view.objects[layer->objects.first + i];
        if (!object->visible || object->shape == PLOY_TILED_POLYLINE) continue;
        if (!all && !use_solid(job->map, object->properties, job->use.solid)) continue;
        ploy_array_clear(&job->corners);
        for (int32_t k = 0; k < use_corner_count(object) && result == PLOY_OK; k++) {
            ploy_vec2 p = use_turned(&job->view, object, k);
            p = ploy_tiled_position(job->map, &job->use, p.x, p.y);
            result = ploy_array_push(&job->corners, &p);
        }
        if (result == PLOY_OK) result = use_add_ring(job);
    }
    return result;
}

ploy_result ploy_rings_from_tiled(const ploy_tiled *map, const ploy_tiled_use *use,
                                  const ploy_env *env, ploy_rings *rings) {
    if (map == NULL || env == NULL || rings == NULL) return PLOY_ERR_ARGUMENT;
    use_rings job;
    memset(&job, 0, sizeof job);
    job.map = map;
    job.view = ploy_tiled_get(map);
    job.use = use_of(use);
    job.rings = rings;
    if (!use_valid(&job.use) || job.view.kind != PLOY_TILED_MAP) return PLOY_ERR_ARGUMENT;
    ploy_array_init(&job.corners, sizeof(ploy_vec2), env);
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < job.view.layer_count && result == PLOY_OK; i++) {
        if (ploy_tiled_layer_shown(map, i)) result = use_layer_rings(&job, &job.view.layers[i]);
    }
    ploy_array_fini(&job.corners);
    return result;
}

// ---- level objects

static ploy_value use_value(const ploy_tiled_property *property) {
    switch (property->type) {
    case PLOY_TILED_INT:
    case PLOY_TILED_OBJECT:
        return ploy_value_i64((int64_t)fmin(fmax(property->number, -9e15), 9e15));
    case PLOY_TILED_FLOAT: return ploy_value_f64(property->number);
    case PLOY_TILED_BOOL: return ploy_value_bool(property->number != 0);
    default: return ploy_value_text(property->text);
    }
}

static ploy_result use_set(ploy_level_builder *builder, const char *key, ploy_value value) {
    ploy_result result = ploy_level_builder_set(builder, key, value);
    return result == PLOY_ERR_EXISTS ? PLOY_OK : result; // the property counts
}

static ploy_result use_add_object(ploy_level_builder *builder, const ploy_tiled *map,
                                  const ploy_tiled_use *use, const ploy_tiled_layer *layer,
                                  const ploy_tiled_object *object) {
    static const char *const shapes[PLOY_TILED_SHAPES] = {
        "rectangle", "ellipse", "point", "polygon", "polyline", "text", "tile"};
    ploy_tiled_view view = ploy_tiled_get(map);
    ploy_vec2 at = {(float)object->x, (float)object->y};
    if (object->shape == PLOY_TILED_RECTANGLE || object->shape == PLOY_TILED_TILE ||
        object->shape == PLOY_TILED_ELLIPSE) {
        int32_t far = object->shape == PLOY_TILED_ELLIPSE ? USE_CORNERS / 2 : 2;
        at = ploy_vec2_scale(
            ploy_vec2_add(use_turned(&view, object, 0), use_turned(&view, object, far)), 0.5f);
    }
    at = ploy_tiled_position(map, use, at.x, at.y);
    ploy_result result = ploy_level_builder_add(builder, object->name, object->class_name,
                                                ploy_vec3_make(at.x, at.y, 0.0f));
    for (int32_t i = 0; i < object->properties.count && result == PLOY_OK; i++) {
        const ploy_tiled_property *one = &view.all_properties[object->properties.first + i];
        if (one->type != PLOY_TILED_CLASS) result = use_set(builder, one->name, use_value(one));
    }
    double side = view.orientation == PLOY_TILED_ISOMETRIC ? view.tile_height : view.tile_width;
    double wide = object->width / side * use->tile_size;
    double high = object->height / view.tile_height * use->tile_size;
    if (result == PLOY_OK && wide > 0) result = use_set(builder, "width", ploy_value_f64(wide));
    if (result == PLOY_OK && high > 0) result = use_set(builder, "height", ploy_value_f64(high));
    if (result == PLOY_OK && object->rotation != 0) {
        double turn = -object->rotation * (double)PLOY_PI_F / 180.0;
        result = use_set(builder, "rotation", ploy_value_f64(turn));
    }
    if (result == PLOY_OK) {
        result = use_set(builder, "shape", ploy_value_text(shapes[object->shape]));
    }
    if (result == PLOY_OK) result = use_set(builder, "layer", ploy_value_text(layer->name));
    if (result == PLOY_OK && object->gid != 0) {
        result = use_set(builder, "gid", ploy_value_i64(object->gid));
    }
    return result;
}

ploy_result ploy_level_builder_add_tiled(ploy_level_builder *builder, const ploy_tiled *map,
                                         const ploy_tiled_use *use) {
    if (builder == NULL || map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_tiled_view view = ploy_tiled_get(map);
    ploy_tiled_use how = use_of(use);
    if (!use_valid(&how) || view.kind != PLOY_TILED_MAP) return PLOY_ERR_ARGUMENT;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < view.layer_count; i++) {
        if (!ploy_tiled_layer_shown(map, i)) continue;
        ploy_tiled_range range = view.layers[i].objects;
        for (int32_t k = 0; k < range.count && result == PLOY_OK; k++) {
            result =
                use_add_object(builder, map, &how, &view.layers[i], &view.objects[range.first + k]);
        }
    }
    return result;
}

// ---- picture

static void use_draw_cell(const ploy_tiled *map, const ploy_tiled_view *view,
                          const ploy_tiled_use *use, uint32_t gid, int32_t column, int32_t row,
                          ploy_draw *out) {
    static const ploy_style styles[] = {PLOY_STYLE_FLOOR, PLOY_STYLE_AGENT_A, PLOY_STYLE_AGENT_B,
                                        PLOY_STYLE_AGENT_C, PLOY_STYLE_AGENT_D};
    const ploy_tiled_tile *tile = ploy_tiled_find_tile(map, gid);
    int32_t set = ploy_tiled_find_tileset(map, gid);
    ploy_style style = styles[set < 0 ? 0 : set % 5];
    if (tile != NULL && use_solid(map, tile->properties, use->solid)) style = PLOY_STYLE_WALL;
    ploy_vec2 cell = use_cell_pixels(view, column, row);
    float w = (float)view->tile_width, h = (float)view->tile_height;
    if (view->orientation == PLOY_TILED_ISOMETRIC) {
        w = h;
        cell = ploy_vec2_make((float)column * h, (float)row * h);
    }
    ploy_vec2 corners[4];
    if (view->orientation == PLOY_TILED_STAGGERED) { // diamonds
        const float at[4][2] = {{0.5f, 0}, {1, 0.5f}, {0.5f, 1}, {0, 0.5f}};
        for (int32_t i = 0; i < 4; i++) {
            corners[i] =
                ploy_tiled_position(map, use, cell.x + at[i][0] * w, cell.y + at[i][1] * h);
        }
    } else {
        const float at[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        for (int32_t i = 0; i < 4; i++) {
            corners[i] =
                ploy_tiled_position(map, use, cell.x + at[i][0] * w, cell.y + at[i][1] * h);
        }
    }
    ploy_draw_polygon(out, PLOY_LAYER_WORLD, style, ploy_agent_id_none(), corners, 4, 0.5f);
}

void ploy_tiled_draw(const ploy_tiled *map, const ploy_tiled_use *use, ploy_draw *out) {
    ploy_tiled_view view = ploy_tiled_get(map);
    ploy_tiled_use how = use_of(use);
    for (int32_t i = 0; i < view.layer_count; i++) {
        const ploy_tiled_layer *layer = &view.layers[i];
        if (!ploy_tiled_layer_shown(map, i)) continue;
        for (int32_t k = 0; k < layer->chunks.count; k++) {
            const ploy_tiled_chunk *chunk = &view.chunks[layer->chunks.first + k];
            for (int32_t c = 0; c < chunk->width * chunk->height; c++) {
                uint32_t gid = view.cells[chunk->cells + c];
                if (gid == 0) continue;
                use_draw_cell(map, &view, &how, gid, chunk->x + c % chunk->width,
                              chunk->y + c / chunk->width, out);
            }
        }
        for (int32_t k = 0; k < layer->objects.count; k++) {
            const ploy_tiled_object *object = &view.objects[layer->objects.first + k];
            if (!object->visible) continue;
            ploy_vec2 at = ploy_tiled_position(map, &how, object->x, object->y), before = at;
            int32_t count = use_corner_count(object);
            if (count == 0) {
                ploy_draw_disc(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, ploy_agent_id_none(), at,
                               0.15f * how.tile_size, 1.0f);
            }
            bool closed = object->shape != PLOY_TILED_POLYLINE;
            for (int32_t c = 0; c < count + (closed ? 1 : 0); c++) {
                ploy_vec2 p = use_turned(&view, object, c % count);
                p = ploy_tiled_position(map, &how, p.x, p.y);
                if (c > 0) {
                    ploy_draw_line(out, PLOY_LAYER_REGIONS, PLOY_STYLE_TARGET, ploy_agent_id_none(),
                                   before, p);
                }
                before = p;
            }
            if (object->name[0] != '\0')
                ploy_draw_text(out, ploy_agent_id_none(), at, object->name);
        }
    }
}
