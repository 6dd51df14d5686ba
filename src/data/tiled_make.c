// Generated content as a Tiled map.
#include <string.h>

#include "data/tiled_internal.h"
#include "ploy/data/tiled_use.h"
#include "ploy/generate/floor_plan.h"

enum { MAKE_PIXELS = 16, MAKE_TILES = 4096 }; // a metre; most tiles of the set

typedef struct tiled_maker {
    ploy_tiled *map;
    ploy_result result; // the first failure
    float scale;        // pixels a metre
    ploy_vec2 origin;   // m, lower left corner of the map
} tiled_maker;

static void make_push(tiled_maker *maker, ploy_array *array, const void *item) {
    if (maker->result == PLOY_OK) maker->result = ploy_array_push(array, item);
}

static const char *make_text(tiled_maker *maker, const char *text) {
    const char *copy = ployi_tiled_keep(maker->map, text, strlen(text));
    if (copy == NULL && maker->result == PLOY_OK) maker->result = PLOY_ERR_MEMORY;
    return copy != NULL ? copy : "";
}

static ploy_tiled_layer make_layer(tiled_maker *maker, const char *name,
                                   ploy_tiled_layer_kind kind) {
    ploy_tiled_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.name = name;
    layer.class_name = layer.tint = layer.blend = layer.color = "";
    layer.image.source = layer.image.trans = "";
    layer.kind = kind;
    layer.id = maker->map->view.next_layer++;
    layer.parent = -1;
    layer.visible = true;
    layer.opacity = layer.parallax_x = layer.parallax_y = 1;
    return layer;
}

// The tileset: one tile for each number, with a class and a cost for those of a plan.
static void make_tileset(tiled_maker *maker, int32_t count, bool plan) {
    static const char *const classes[PLOY_PLAN_KINDS] = {"wall", "room", "corridor", "door"};
    ploy_tiled *map = maker->map;
    ploy_tiled_tileset set;
    memset(&set, 0, sizeof set);
    set.name = "ploy";
    set.class_name = set.source = set.alignment = set.render_size = set.fill_mode = "";
    set.background = set.image.source = set.image.trans = "";
    set.loaded = true;
    set.first_gid = 1;
    set.tile_width = set.tile_height = map->view.tile_width;
    set.tile_count = count;
    for (int32_t i = 0; i < count; i++) {
        ploy_tiled_tile tile;
        memset(&tile, 0, sizeof tile);
        tile.class_name = plan ? classes[i] : "";
        tile.id = i;
        tile.probability = 1;
        for (int32_t k = 0; k < 4; k++) tile.terrain[k] = -1;
        tile.image.source = tile.image.trans = "";
        if (plan) {
            bool wall = i == PLOY_PLAN_SOLID;
            ploy_tiled_property property = {"cost", "", "1", 1, PLOY_TILED_FLOAT, {0, 0}};
            ploy_tiled_property solid = {"solid", "", "true", 1, PLOY_TILED_BOOL, {0, 0}};
            tile.properties.first = map->properties.count;
            tile.properties.count = 1;
            make_push(maker, &map->properties, wall ? &solid : &property);
        }
        make_push(maker, &map->tiles, &tile);
    }
    set.tiles.count = count;
    make_push(maker, &map->tilesets, &set);
}

// A grid of numbers, row by row from the lowest; number n is tile n.
static void make_grid(tiled_maker *maker, int32_t columns, int32_t rows, const uint8_t *kinds,
                      const int32_t *tiles) {
    ploy_tiled *map = maker->map;
    ploy_tiled_layer layer = make_layer(maker, "tiles", PLOY_TILED_LAYER_TILES);
    layer.width = columns;
    layer.height = rows;
    layer.chunks.first = map->chunks.count;
    layer.chunks.count = 1;
    ploy_tiled_chunk chunk = {0, 0, columns, rows, map->cells.count};
    int32_t most = 0;
    for (int32_t row = rows - 1; row >= 0; row--) {
        for (int32_t column = 0; column < columns; column++) {
            ptrdiff_t at = (ptrdiff_t)row * columns + column;
            int32_t number = kinds != NULL ? kinds[at] : tiles[at];
            if (number < -1 || number >= MAKE_TILES) number = -1;
            if (number > most) most = number;
            uint32_t gid = (uint32_t)(number + 1);
            make_push(maker, &map->cells, &gid);
        }
    }
    make_push(maker, &map->chunks, &chunk);
    make_push(maker, &map->layers, &layer);
    make_tileset(maker, kinds != NULL ? PLOY_PLAN_KINDS : most + 1, kinds != NULL);
}

// A place or an area, metres; the size is 0 for a point.
static void make_object(tiled_maker *maker, const char *name, const char *class_name,
                        ploy_tiled_shape shape, ploy_vec2 low, float width, float height) {
    ploy_tiled *map = maker->map;
    ploy_tiled_object object;
    memset(&object, 0, sizeof object);
    object.name = name;
    object.class_name = class_name;
    object.template_name = object.text = "";
    object.id = map->view.next_object++;
    object.shape = shape;
    object.visible = true;
    object.opacity = 1;
    double high = (double)map->view.height * map->view.tile_height;
    object.x = (double)((low.x - maker->origin.x) * maker->scale);
    object.y = high - (double)((low.y - maker->origin.y + height) * maker->scale);
    object.width = (double)(width * maker->scale);
    object.height = (double)(height * maker->scale);
    make_push(maker, &map->objects, &object);
}

static ploy_tiled_layer make_begin_objects(tiled_maker *maker, const char *name) {
    ploy_tiled_layer layer = make_layer(maker, name, PLOY_TILED_LAYER_OBJECTS);
    layer.objects.first = maker->map->objects.count;
    return layer;
}

static void make_end_objects(tiled_maker *maker, ploy_tiled_layer *layer) {
    layer->objects.count = maker->map->objects.count - layer->objects.first;
    make_push(maker, &maker->map->layers, layer);
}

static void make_numbered(char *text, const char *word, int32_t number) {
    char digits[16];
    int32_t at = (int32_t)sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    text[0] = '\0';
    (void)strncat(text, word, 16);
    (void)strncat(text, " ", 2);
    (void)strncat(text, digits + at, 12);
}

static void make_plan(tiled_maker *maker, const ploy_floor_plan *plan) {
    ploy_floor_plan_view view = ploy_floor_plan_get(plan);
    ploy_plan_grid grid = ploy_floor_plan_grid(plan, 1);
    ploy_tiled *map = maker->map;
    size_t size = (size_t)grid.width * (size_t)grid.height;
    uint8_t *kinds = ploy_env_alloc(&map->env, size);
    if (kinds == NULL) {
        maker->result = PLOY_ERR_MEMORY;
        return;
    }
    ploy_floor_plan_tiles(plan, 1, kinds);
    map->view.width = grid.width;
    map->view.height = grid.height;
    maker->origin = grid.origin;
    maker->scale = (float)map->view.tile_width / grid.size;
    make_grid(maker, grid.width, grid.height, kinds, NULL);
    ploy_env_free(&map->env, kinds, size);
    char text[48];
    ploy_tiled_layer rooms = make_begin_objects(maker, "rooms");
    for (int32_t i = 0; i < view.room_count; i++) {
        const ploy_plan_room *room = &view.rooms[i];
        make_numbered(text, "room", i);
        const char *role = ploy_plan_role_text(room->role);
        make_object(maker, make_text(maker, text), role, PLOY_TILED_RECTANGLE,
                    ploy_vec2_make((float)room->x, (float)room->y), (float)room->width,
                    (float)room->height);
    }
    make_end_objects(maker, &rooms);
    ploy_tiled_layer places = make_begin_objects(maker, "places");
    for (int32_t i = 0; i < view.door_count; i++) {
        make_numbered(text, view.doors[i].lock >= 0 ? "locked door" : "door", i);
        make_object(maker, make_text(maker, text), "door", PLOY_TILED_POINT,
                    ploy_floor_plan_point(plan, view.doors[i].cell), 0, 0);
    }
    for (int32_t i = 0; i < view.lock_count; i++) {
        make_numbered(text, "key", i);
        make_object(maker, make_text(maker, text), "key", PLOY_TILED_POINT,
                    ploy_floor_plan_point(plan, view.locks[i].key_cell), 0, 0);
    }
    if (view.entrance >= 0) {
        make_object(maker, "entrance", "entrance", PLOY_TILED_POINT,
                    ploy_floor_plan_point(plan, view.entrance), 0, 0);
    }
    if (view.exit >= 0) {
        make_object(maker, "exit", "exit", PLOY_TILED_POINT, ploy_floor_plan_point(plan, view.exit),
                    0, 0);
    }
    make_end_objects(maker, &places);
}

static void make_points(tiled_maker *maker, const ploy_content *content) {
    char text[48];
    ploy_tiled_layer points = make_begin_objects(maker, "points");
    for (int32_t i = 0; i < content->point_count; i++) {
        const ploy_placed *one = &content->points[i];
        make_numbered(text, "type", one->type > 0 ? one->type : 0);
        ploy_vec2 low = ploy_vec2_sub(one->position, ploy_vec2_make(one->radius, one->radius));
        make_object(maker, "", make_text(maker, text),
                    one->radius > 0 ? PLOY_TILED_ELLIPSE : PLOY_TILED_POINT, low,
                    2.0f * one->radius, 2.0f * one->radius);
    }
    make_end_objects(maker, &points);
}

ploy_result ploy_tiled_from_content(const ploy_content *content, const ploy_env *env,
                                    ploy_tiled **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (content == NULL || env == NULL) return PLOY_ERR_ARGUMENT;
    bool tiles = (content->kinds & PLOY_CONTENT_TILES) != 0;
    bool points = (content->kinds & PLOY_CONTENT_POINTS) != 0;
    bool plan = (content->kinds & PLOY_CONTENT_PLAN) != 0;
    if (!tiles && !points && !plan) return PLOY_ERR_ARGUMENT;
    tiled_maker maker = {NULL, PLOY_OK, MAKE_PIXELS, {0, 0}};
    ploy_result result = ployi_tiled_create(env, &maker.map);
    if (result != PLOY_OK) return result;
    ploy_tiled_view *view = &maker.map->view;
    view->version = "1.10";
    view->tile_width = view->tile_height = MAKE_PIXELS;
    if (!ploy_box2_is_empty(content->area)) maker.origin = content->area.min;
    if (plan) {
        make_plan(&maker, content->plan);
    } else if (tiles) {
        view->width = content->tile_columns;
        view->height = content->tile_rows;
        if (content->tile_size > 0) maker.scale = MAKE_PIXELS / content->tile_size;
        make_grid(&maker, content->tile_columns, content->tile_rows, NULL, content->tiles);
    } else {
        ploy_vec2 size = ploy_vec2_sub(content->area.max, content->area.min);
        bool known = !ploy_box2_is_empty(content->area) && size.x < 4096 && size.y < 4096;
        view->width = known ? (int32_t)size.x + 1 : 1;
        view->height = known ? (int32_t)size.y + 1 : 1;
    }
    if (points) make_points(&maker, content);
    if (maker.result != PLOY_OK) {
        ploy_tiled_destroy(maker.map);
        return maker.result;
    }
    ployi_tiled_publish(maker.map);
    *out = maker.map;
    return PLOY_OK;
}
