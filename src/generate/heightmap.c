// Height maps; the layout is described in the header.
//
// Invariants, from create to destroy:
//   (1) layers[0] is "elevation", of type F32; names of layers are different;
//   (2) every layer holds columns * rows values, packed;
//   (3) a failed call leaves the map as it was.
#include "ploy/generate/heightmap.h"

#include <string.h>

#include "ploy/base/hash.h"
#include "ploy/base/math.h"

static const ploy_field heightmap_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_heightmap_def, columns, 128, 2, PLOY_HEIGHTMAP_SIDE, "",
                         "cells along x"),
    PLOY_FIELD_I32_FIXED(ploy_heightmap_def, rows, 128, 2, PLOY_HEIGHTMAP_SIDE, "",
                         "cells along y"),
    PLOY_FIELD_F32(ploy_heightmap_def, spacing, 1, 1e-3f, 1e5f, "m", "distance between cells"),
    PLOY_FIELD_VEC2(ploy_heightmap_def, origin, 0, 0, -1e8f, 1e8f, "m", "position of cell (0, 0)"),
};

ploy_fields ploy_heightmap_fields(void) {
    return PLOY_FIELDS(ploy_heightmap_def, heightmap_fields);
}

ploy_heightmap_def ploy_heightmap_def_default(void) {
    ploy_heightmap_def def;
    ploy_fields_default(ploy_heightmap_fields(), &def);
    return def;
}

typedef struct heightmap_layer {
    char name[PLOY_HEIGHTMAP_NAME];
    ploy_heightmap_type type;
    void *values;
} heightmap_layer;

struct ploy_heightmap {
    ploy_env env;
    ploy_heightmap_def def;
    int32_t count;
    heightmap_layer layers[PLOY_HEIGHTMAP_LAYERS];
};

static const char *const heightmap_type_texts[] = {"f32", "vec2", "i32", "u8"};
static const size_t heightmap_type_sizes[] = {sizeof(float), sizeof(ploy_vec2), sizeof(int32_t),
                                              sizeof(uint8_t)};

const char *ploy_heightmap_type_text(ploy_heightmap_type type) {
    return (uint32_t)type <= PLOY_HEIGHTMAP_U8 ? heightmap_type_texts[type] : "?";
}

static size_t heightmap_bytes(const ploy_heightmap *map, ploy_heightmap_type type) {
    return (size_t)ploy_heightmap_cells(map) * heightmap_type_sizes[type];
}

static int32_t heightmap_find(const ploy_heightmap *map, const char *name) {
    if (map == NULL || name == NULL) return -1;
    for (int32_t i = 0; i < map->count; i++) {
        if (strcmp(map->layers[i].name, name) == 0) return i;
    }
    return -1;
}

ploy_result ploy_heightmap_create(const ploy_heightmap_def *def, const ploy_env *env,
                                  ploy_heightmap **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_heightmap_fields(), def, env);
    if (result != PLOY_OK) return result;
    ploy_heightmap *map = ploy_env_alloc_zero(env, sizeof *map);
    if (map == NULL) return PLOY_ERR_MEMORY;
    map->env = *env;
    map->def = *def;
    void *elevation = NULL;
    result = ploy_heightmap_add(map, "elevation", PLOY_HEIGHTMAP_F32, &elevation); // (1)
    if (result != PLOY_OK) {
        ploy_heightmap_destroy(map);
        return result;
    }
    *out = map;
    return PLOY_OK;
}

ploy_result ploy_heightmap_copy(const ploy_heightmap *map, const ploy_env *env,
                                ploy_heightmap **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (map == NULL) return PLOY_ERR_ARGUMENT;
    ploy_heightmap *copy = NULL;
    ploy_result result = ploy_heightmap_create(&map->def, env, &copy);
    for (int32_t i = 0; i < map->count && result == PLOY_OK; i++) {
        const heightmap_layer *layer = &map->layers[i];
        void *values = NULL;
        result = ploy_heightmap_add(copy, layer->name, layer->type, &values);
        if (result == PLOY_OK) memcpy(values, layer->values, heightmap_bytes(map, layer->type));
    }
    if (result != PLOY_OK) {
        ploy_heightmap_destroy(copy);
        return result;
    }
    *out = copy;
    return PLOY_OK;
}

void ploy_heightmap_destroy(ploy_heightmap *map) {
    if (map == NULL) return;
    for (int32_t i = 0; i < map->count; i++) {
        const heightmap_layer *layer = &map->layers[i];
        ploy_env_free(&map->env, layer->values, heightmap_bytes(map, layer->type));
    }
    ploy_env env = map->env;
    ploy_env_free(&env, map, sizeof *map);
}

const ploy_heightmap_def *ploy_heightmap_def_of(const ploy_heightmap *map) {
    return &map->def;
}

int32_t ploy_heightmap_cells(const ploy_heightmap *map) {
    return map->def.columns * map->def.rows;
}

ploy_vec2 ploy_heightmap_position(const ploy_heightmap *map, int32_t cell) {
    const ploy_heightmap_def *def = &map->def;
    return ploy_vec2_make(def->origin.x + (float)(cell % def->columns) * def->spacing,
                          def->origin.y + (float)(cell / def->columns) * def->spacing);
}

int32_t ploy_heightmap_quantise(const ploy_heightmap *map, ploy_vec2 point) {
    const ploy_heightmap_def *def = &map->def;
    double x = ((double)point.x - (double)def->origin.x) / (double)def->spacing + 0.5;
    double y = ((double)point.y - (double)def->origin.y) / (double)def->spacing + 0.5;
    if (!(x >= 0.0 && x < (double)def->columns && y >= 0.0 && y < (double)def->rows)) return -1;
    return (int32_t)y * def->columns + (int32_t)x;
}

ploy_box2 ploy_heightmap_box(const ploy_heightmap *map) {
    const ploy_heightmap_def *def = &map->def;
    float half = 0.5f * def->spacing;
    ploy_vec2 low = {def->origin.x - half, def->origin.y - half};
    ploy_vec2 high = {low.x + (float)def->columns * def->spacing,
                      low.y + (float)def->rows * def->spacing};
    return ploy_box2_make(low, high);
}

float *ploy_heightmap_elevation(const ploy_heightmap *map) {
    return map->layers[0].values;
}

ploy_heightfield ploy_heightmap_field(const ploy_heightmap *map) {
    const ploy_heightmap_def *def = &map->def;
    return ploy_heightfield_make(map->layers[0].values, def->columns, def->rows, def->origin,
                                 def->spacing);
}

ploy_result ploy_heightmap_add(ploy_heightmap *map, const char *name, ploy_heightmap_type type,
                               void **out) {
    if (map == NULL || name == NULL || out == NULL) return PLOY_ERR_ARGUMENT;
    if ((uint32_t)type > PLOY_HEIGHTMAP_U8) return PLOY_ERR_ARGUMENT;
    size_t length = strlen(name);
    if (length == 0 || length >= PLOY_HEIGHTMAP_NAME) return PLOY_ERR_ARGUMENT;
    int32_t found = heightmap_find(map, name);
    if (found >= 0) {
        if (map->layers[found].type != type) return PLOY_ERR_EXISTS;
        *out = map->layers[found].values;
        return PLOY_OK;
    }
    if (map->count == PLOY_HEIGHTMAP_LAYERS) return PLOY_ERR_CAPACITY;
    void *values = ploy_env_alloc_zero(&map->env, heightmap_bytes(map, type));
    if (values == NULL) return PLOY_ERR_MEMORY;
    heightmap_layer *layer = &map->layers[map->count++];
    memcpy(layer->name, name, length + 1);
    layer->type = type;
    layer->values = values;
    *out = values;
    return PLOY_OK;
}

void *ploy_heightmap_layer(const ploy_heightmap *map, const char *name, ploy_heightmap_type type) {
    int32_t found = heightmap_find(map, name);
    return found >= 0 && map->layers[found].type == type ? map->layers[found].values : NULL;
}

bool ploy_heightmap_remove(ploy_heightmap *map, const char *name) {
    int32_t found = heightmap_find(map, name);
    if (found < 1) return false; // keeps (1)
    ploy_env_free(&map->env, map->layers[found].values,
                  heightmap_bytes(map, map->layers[found].type));
    map->count--;
    for (int32_t i = found; i < map->count; i++) map->layers[i] = map->layers[i + 1];
    return true;
}

int32_t ploy_heightmap_layer_count(const ploy_heightmap *map) {
    return map->count;
}

const char *ploy_heightmap_layer_name(const ploy_heightmap *map, int32_t index,
                                      ploy_heightmap_type *type) {
    if (index < 0 || index >= map->count) return NULL;
    if (type != NULL) *type = map->layers[index].type;
    return map->layers[index].name;
}

void ploy_heightmap_range(const ploy_heightmap *map, float *low, float *high) {
    const float *elevation = map->layers[0].values;
    int32_t cells = ploy_heightmap_cells(map);
    float least = elevation[0], most = elevation[0];
    for (int32_t i = 1; i < cells; i++) {
        least = elevation[i] < least ? elevation[i] : least;
        most = elevation[i] > most ? elevation[i] : most;
    }
    *low = least;
    *high = most;
}

void ploy_heightmap_rescale(ploy_heightmap *map, float low, float high) {
    float least = 0.0f, most = 0.0f;
    ploy_heightmap_range(map, &least, &most);
    float *elevation = map->layers[0].values;
    int32_t cells = ploy_heightmap_cells(map);
    double scale = most > least ? ((double)high - (double)low) / ((double)most - (double)least) : 0;
    for (int32_t i = 0; i < cells; i++) {
        elevation[i] = (float)((double)low + ((double)elevation[i] - (double)least) * scale);
    }
}

void ploy_heightmap_apply(ploy_heightmap *map, ploy_heightmap_fn fn, void *user) {
    float *elevation = map->layers[0].values;
    int32_t cells = ploy_heightmap_cells(map);
    for (int32_t i = 0; i < cells; i++) elevation[i] = fn(user, i, elevation[i]);
}

ploy_result ploy_heightmap_blend(ploy_heightmap *map, const ploy_heightfield *other, float share) {
    if (map == NULL || other == NULL || other->samples == NULL || other->columns < 2 ||
        other->rows < 2 || !ploy_in_range(share, 0.0f, 1.0f)) {
        return PLOY_ERR_ARGUMENT;
    }
    float *elevation = map->layers[0].values;
    int32_t columns = map->def.columns, rows = map->def.rows;
    ploy_heightfield source = *other; // in units of the cells
    source.origin = ploy_vec2_make(0.0f, 0.0f);
    source.spacing = 1.0f;
    for (int32_t y = 0; y < rows; y++) {
        float v = (float)((double)y * (source.rows - 1) / (rows - 1));
        for (int32_t x = 0; x < columns; x++) {
            float u = (float)((double)x * (source.columns - 1) / (columns - 1));
            float height = 0.0f;
            if (!ploy_heightfield_smooth_height(&source, ploy_vec2_make(u, v), &height)) continue;
            float *cell = &elevation[y * columns + x];
            *cell = share * height + (1.0f - share) * *cell;
        }
    }
    return PLOY_OK;
}

// ---- sight

// Draws one square of a side of `size` cells whose lowest cell is (x, y).
static void heightmap_square(const ploy_heightmap *map, int32_t x, int32_t y, int32_t size,
                             ploy_layer layer, ploy_style style, float alpha, ploy_draw *out) {
    const ploy_heightmap_def *def = &map->def;
    float half = 0.5f * def->spacing;
    int32_t last_x = ploy_mini(x + size, def->columns), last_y = ploy_mini(y + size, def->rows);
    float x0 = def->origin.x + (float)x * def->spacing - half;
    float y0 = def->origin.y + (float)y * def->spacing - half;
    float x1 = def->origin.x + (float)last_x * def->spacing - half;
    float y1 = def->origin.y + (float)last_y * def->spacing - half;
    ploy_vec2 corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    ploy_draw_polygon(out, layer, style, ploy_agent_id_none(), corners, 4, alpha);
}

// Cosine between the normal and the light, which comes from the north-west, 45 degrees high, with
// slopes exaggerated so that the steepest part of any map shows.
static float heightmap_light(const ploy_heightmap *map, int32_t x, int32_t y, int32_t size,
                             float relief) {
    const float *elevation = map->layers[0].values;
    int32_t columns = map->def.columns;
    int32_t x0 = ploy_maxi(x - size, 0), x1 = ploy_mini(x + size, columns - 1);
    int32_t y0 = ploy_maxi(y - size, 0), y1 = ploy_mini(y + size, map->def.rows - 1);
    float dx = (elevation[y * columns + x1] - elevation[y * columns + x0]) / (float)(x1 - x0);
    float dy = (elevation[y1 * columns + x] - elevation[y0 * columns + x]) / (float)(y1 - y0);
    dx *= relief;
    dy *= relief;
    return (0.5f * dx - 0.5f * dy + 0.70710678f) / sqrtf(1.0f + dx * dx + dy * dy);
}

void ploy_heightmap_draw(const ploy_heightmap *map, int32_t detail, ploy_draw *out) {
    if (map == NULL || !ploy_draw_wants(out, PLOY_LAYER_WORLD)) return;
    ploy_draw_key(out, PLOY_STYLE_GOOD, "low terrain");
    ploy_draw_key(out, PLOY_STYLE_FLOOR, "high terrain");
    ploy_draw_key(out, PLOY_STYLE_WALL, "slopes in shadow");
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "water");
    ploy_draw_key(out, PLOY_STYLE_BAD, "roads");
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    float range = high > low ? high - low : 1.0f;
    const float *elevation = map->layers[0].values;
    const float *water = ploy_heightmap_layer(map, "water", PLOY_HEIGHTMAP_F32);
    const uint8_t *road = ploy_heightmap_layer(map, "road", PLOY_HEIGHTMAP_U8);
    int32_t size = ploy_clampi(detail, 1, 1024);
    // A map as high as a fifth of its width has slopes that show as they are.
    float relief = 0.12f * (float)ploy_maxi(map->def.columns, map->def.rows) / range;
    for (int32_t y = 0; y < map->def.rows; y += size) {
        for (int32_t x = 0; x < map->def.columns; x += size) {
            int32_t middle_x = ploy_mini(x + size / 2, map->def.columns - 1);
            int32_t middle_y = ploy_mini(y + size / 2, map->def.rows - 1);
            int32_t cell = middle_y * map->def.columns + middle_x;
            float height = (elevation[cell] - low) / range;
            // Green lowlands fade into grey, which fades into white peaks; light darkens or not.
            heightmap_square(map, x, y, size, PLOY_LAYER_WORLD, PLOY_STYLE_FLOOR, 1.0f, out);
            float green = ploy_clampf(0.75f - 1.1f * height, 0.0f, 1.0f);
            if (green > 0.02f) {
                heightmap_square(map, x, y, size, PLOY_LAYER_WORLD, PLOY_STYLE_GOOD, green, out);
            }
            float light = heightmap_light(map, middle_x, middle_y, size, relief);
            float shade = ploy_clampf(0.95f - light, 0.0f, 0.75f);
            heightmap_square(map, x, y, size, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, shade, out);
            if (water != NULL && water[cell] > 0.03f * range) {
                float depth = ploy_clampf(0.3f + 3.0f * water[cell] / range, 0.0f, 0.9f);
                heightmap_square(map, x, y, size, PLOY_LAYER_REGIONS, PLOY_STYLE_AGENT_A, depth,
                                 out);
            }
            if (road != NULL && road[cell] != 0) {
                heightmap_square(map, x, y, size, PLOY_LAYER_REGIONS, PLOY_STYLE_BAD, 0.9f, out);
            }
        }
    }
}

static uint64_t heightmap_hash(const ploy_heightmap *map, const heightmap_layer *layer) {
    return ploy_hash_bytes(layer->values, heightmap_bytes(map, layer->type), (uint64_t)layer->type);
}

void ploy_heightmap_describe(const ploy_heightmap *map, ploy_describe *out) {
    if (map == NULL) return;
    float low = 0.0f, high = 0.0f;
    ploy_heightmap_range(map, &low, &high);
    ploy_describe_i64(out, "columns", PLOY_STATE, map->def.columns);
    ploy_describe_i64(out, "rows", PLOY_STATE, map->def.rows);
    ploy_describe_f32(out, "spacing", PLOY_STATE, map->def.spacing);
    ploy_describe_vec2(out, "origin", PLOY_STATE, map->def.origin.x, map->def.origin.y);
    ploy_describe_f32(out, "lowest", PLOY_DERIVED, low);
    ploy_describe_f32(out, "highest", PLOY_DERIVED, high);
    ploy_describe_begin(out, "layers");
    for (int32_t i = 0; i < map->count; i++) {
        ploy_describe_u64(out, map->layers[i].name, PLOY_STATE,
                          heightmap_hash(map, &map->layers[i]));
    }
    ploy_describe_end(out);
}

void ploy_heightmap_memory(const ploy_heightmap *map, ploy_memory_fn fn, void *user) {
    if (map == NULL) return;
    ploy_memory_item self = {"height map", sizeof *map, 1};
    fn(user, &self);
    for (int32_t i = 0; i < map->count; i++) {
        ploy_memory_item item = {map->layers[i].name, heightmap_bytes(map, map->layers[i].type), 1};
        fn(user, &item);
    }
}
