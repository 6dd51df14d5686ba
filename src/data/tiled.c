// Maps of the Tiled editor: the object, its lookups and the loading of a file and of those it names.
#include "ploy/data/tiled.h"

#include <string.h>

#include "data/tiled_internal.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"

const char *const ployi_tiled_orientation_words[PLOY_TILED_ORIENTATIONS] = {
    "orthogonal", "isometric", "staggered", "hexagonal"};
const char *const ployi_tiled_compression_words[PLOY_TILED_COMPRESSIONS] = {"none", "zlib", "gzip",
                                                                            "zstd"};

const char *ploy_tiled_orientation_text(ploy_tiled_orientation orientation) {
    bool known = (uint32_t)orientation < PLOY_TILED_ORIENTATIONS;
    return known ? ployi_tiled_orientation_words[orientation] : "";
}

// ---- the object

ploy_result ployi_tiled_create(const ploy_env *env, ploy_tiled **out) {
    *out = NULL;
    ploy_tiled *map = ploy_env_alloc_zero(env, sizeof *map);
    if (map == NULL) return PLOY_ERR_MEMORY;
    map->env = *env;
    const struct {
        ploy_array *array;
        size_t size;
    } arrays[] = {{&map->layers, sizeof(ploy_tiled_layer)},
                  {&map->tilesets, sizeof(ploy_tiled_tileset)},
                  {&map->chunks, sizeof(ploy_tiled_chunk)},
                  {&map->cells, sizeof(uint32_t)},
                  {&map->objects, sizeof(ploy_tiled_object)},
                  {&map->points, sizeof(ploy_vec2)},
                  {&map->properties, sizeof(ploy_tiled_property)},
                  {&map->tiles, sizeof(ploy_tiled_tile)},
                  {&map->frames, sizeof(ploy_tiled_frame)},
                  {&map->terrains, sizeof(ploy_tiled_terrain)},
                  {&map->wang_sets, sizeof(ploy_tiled_wang_set)},
                  {&map->wang_colors, sizeof(ploy_tiled_wang_color)},
                  {&map->wang_tiles, sizeof(ploy_tiled_wang_tile)}};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_init(arrays[i].array, arrays[i].size, env);
    }
    ploy_result result = ploy_arena_create(0, 0, env, &map->texts);
    if (result != PLOY_OK) {
        ploy_tiled_destroy(map);
        return result;
    }
    ploy_tiled_view *view = &map->view;
    view->version = view->tiled_version = view->class_name = view->background = "";
    view->render_order = "right-down";
    view->next_layer = view->next_object = 1;
    *out = map;
    return PLOY_OK;
}

void ploy_tiled_destroy(ploy_tiled *map) {
    if (map == NULL) return;
    ploy_env env = map->env;
    ploy_array *const arrays[] = {
        &map->layers,    &map->tilesets,    &map->chunks,    &map->cells,  &map->objects,
        &map->points,    &map->properties,  &map->tiles,     &map->frames, &map->terrains,
        &map->wang_sets, &map->wang_colors, &map->wang_tiles};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) ploy_array_fini(arrays[i]);
    ploy_arena_destroy(map->texts);
    ploy_env_free(&env, map, sizeof *map);
}

void ployi_tiled_publish(ploy_tiled *map) {
    ploy_tiled_view *view = &map->view;
    view->layers = map->layers.items;
    view->layer_count = map->layers.count;
    view->tilesets = map->tilesets.items;
    view->tileset_count = map->tilesets.count;
    view->chunks = map->chunks.items;
    view->cells = map->cells.items;
    view->cell_count = map->cells.count;
    view->objects = map->objects.items;
    view->object_count = map->objects.count;
    view->points = map->points.items;
    view->all_properties = map->properties.items;
    view->property_count = map->properties.count;
    view->tiles = map->tiles.items;
    view->frames = map->frames.items;
    view->terrains = map->terrains.items;
    view->wang_sets = map->wang_sets.items;
    view->wang_colors = map->wang_colors.items;
    view->wang_tiles = map->wang_tiles.items;
}

const char *ployi_tiled_keep(ploy_tiled *map, const char *text, size_t size) {
    if (size == 0) return "";
    char *copy = ploy_arena_alloc(map->texts, size + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

ploy_tiled_view ploy_tiled_get(const ploy_tiled *map) {
    return map->view;
}

void ploy_tiled_memory(const ploy_tiled *map, ploy_memory_fn fn, void *user) {
    const ploy_array *const arrays[] = {
        &map->layers,    &map->tilesets,    &map->chunks,    &map->cells,  &map->objects,
        &map->points,    &map->properties,  &map->tiles,     &map->frames, &map->terrains,
        &map->wang_sets, &map->wang_colors, &map->wang_tiles};
    ploy_memory_item item = {"tiled", sizeof *map, 1};
    fn(user, &item);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ploy_array_memory(arrays[i], fn, user);
    }
    ploy_arena_memory(map->texts, fn, user);
}

// ---- values

void ployi_tiled_fail(ployi_tiled_reader *reader, ploy_result result) {
    if (reader->result == PLOY_OK || reader->result == PLOY_ERR_FORMAT) reader->result = result;
}

bool ployi_tiled_broken(const ployi_tiled_reader *reader) {
    return reader->result != PLOY_OK && reader->result != PLOY_ERR_FORMAT;
}

void ployi_tiled_fault(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                       const char *message, const char *expected, const char *nearest) {
    ployi_tiled_doc_fault(&reader->doc, node, key, reader->diags, PLOY_SEVERITY_ERROR,
                          PLOY_ERR_FORMAT, message, expected, nearest);
    if (reader->result == PLOY_OK) reader->result = PLOY_ERR_FORMAT;
}

static const char *tiled_keep(ployi_tiled_reader *reader, const char *text) {
    if (text == NULL) return "";
    const char *copy = ployi_tiled_keep(reader->map, text, strlen(text));
    if (copy != NULL) return copy;
    ployi_tiled_fail(reader, PLOY_ERR_MEMORY);
    return "";
}

const char *ployi_tiled_string(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key) {
    return tiled_keep(reader, ployi_tiled_text(&reader->doc, node, key));
}

const char *ployi_tiled_class(ployi_tiled_reader *reader, ployi_tiled_node node) {
    const char *text = ployi_tiled_text(&reader->doc, node, "class");
    if (text == NULL || *text == '\0') text = ployi_tiled_text(&reader->doc, node, "type");
    return tiled_keep(reader, text);
}

int32_t ployi_tiled_i32(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                        int32_t fallback, int32_t min, int32_t max) {
    const char *text = ployi_tiled_text(&reader->doc, node, key);
    if (text == NULL) return fallback;
    double value = 0;
    // Some exporters write whole numbers with a point.
    if (ploy_parse_f64(text, strlen(text), NULL, &value) == PLOY_OK && value >= min &&
        value <= max && (double)(int32_t)value == value) {
        return (int32_t)value;
    }
    char expected[96] = "a whole number from ";
    size_t used = strlen(expected);
    used += ploy_print_i64(min, expected + used);
    memcpy(expected + used, " to ", 4);
    (void)ploy_print_i64(max, expected + used + 4);
    ployi_tiled_fault(reader, node, key, "a number is out of range", expected, NULL);
    return fallback;
}

uint32_t ployi_tiled_gid(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key) {
    const char *text = ployi_tiled_text(&reader->doc, node, key);
    uint64_t value = 0;
    if (text == NULL) return 0;
    if (ploy_parse_u64(text, strlen(text), NULL, &value) == PLOY_OK && value <= UINT32_MAX) {
        return (uint32_t)value;
    }
    ployi_tiled_fault(reader, node, key, "invalid tile id", "a whole number of 32 bits", NULL);
    return 0;
}

double ployi_tiled_f64(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                       double fallback) {
    const char *text = ployi_tiled_text(&reader->doc, node, key);
    if (text == NULL) return fallback;
    double value = 0;
    if (ploy_parse_f64(text, strlen(text), NULL, &value) == PLOY_OK && value >= -1e12 &&
        value <= 1e12) {
        return value;
    }
    ployi_tiled_fault(reader, node, key, "invalid number", "a number from -1e12 to 1e12", NULL);
    return fallback;
}

bool ployi_tiled_bool(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                      bool fallback) {
    const char *text = ployi_tiled_text(&reader->doc, node, key);
    if (text == NULL || *text == '\0') return fallback;
    if (strcmp(text, "1") == 0 || strcmp(text, "true") == 0) return true;
    if (strcmp(text, "0") == 0 || strcmp(text, "false") == 0) return false;
    ployi_tiled_fault(reader, node, key, "invalid value", "0, 1, false or true", NULL);
    return fallback;
}

int32_t ployi_tiled_word(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                         const char *const *words, int32_t count, int32_t fallback) {
    const char *text = ployi_tiled_text(&reader->doc, node, key);
    if (text == NULL || *text == '\0') return fallback;
    ploy_nearest nearest = ploy_nearest_make(text);
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) return i;
        ploy_nearest_offer(&nearest, words[i]);
    }
    char message[96] = "unknown ";
    (void)strncat(message, key, 20);
    (void)strncat(message, " '", 3);
    (void)strncat(message, text, 40);
    (void)strncat(message, "'", 2);
    ployi_tiled_fault(reader, node, key, message, NULL, nearest.best);
    return fallback;
}

ploy_tiled_image ployi_tiled_image(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_image image = {"", "", 0, 0};
    if (reader->doc.xml != NULL) {
        ployi_tiled_node child = ployi_tiled_child(&reader->doc, node, "image");
        image.source = ployi_tiled_string(reader, child, "source");
        image.trans = ployi_tiled_string(reader, child, "trans");
        image.width = ployi_tiled_i32(reader, child, "width", 0, 0, 1 << 24);
        image.height = ployi_tiled_i32(reader, child, "height", 0, 0, 1 << 24);
    } else {
        image.source = ployi_tiled_string(reader, node, "image");
        image.trans = ployi_tiled_string(reader, node, "transparentcolor");
        image.width = ployi_tiled_i32(reader, node, "imagewidth", 0, 0, 1 << 24);
        image.height = ployi_tiled_i32(reader, node, "imageheight", 0, 0, 1 << 24);
    }
    if (image.trans[0] == '#') image.trans++; // XML files have it without
    return image;
}

// ---- other files

const char *ployi_tiled_resolve(ployi_tiled_reader *reader, const char *source) {
    const char *slash = source[0] == '/' ? NULL : strrchr(reader->name, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - reader->name) + 1;
    size_t size = strlen(source);
    char *path = ploy_arena_alloc(reader->map->texts, folder + size + 1);
    if (path == NULL) {
        ployi_tiled_fail(reader, PLOY_ERR_MEMORY);
        return NULL;
    }
    memcpy(path, reader->name, folder);
    memcpy(path + folder, source, size + 1);
    for (size_t i = 0; path[i] != '\0'; i++) {
        if (path[i] == '\\') path[i] = '/';
    }
    // "a/../b" is "b", so that one file has one name.
    for (char *up = strstr(path, "/../"); up != NULL; up = strstr(up, "/../")) {
        char *from = up;
        while (from > path && from[-1] != '/') from--;
        if (from == up || (up - from == 2 && from[0] == '.' && from[1] == '.')) {
            up++;
            continue;
        }
        memmove(from, up + 4, strlen(up + 4) + 1);
        up = from > path ? from - 1 : path;
    }
    return path;
}

bool ployi_tiled_external(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                          const char *source, ployi_tiled_reader *out) {
    const ploy_tiled_options *options = reader->options;
    if (options->source == NULL) return false;
    *out = *reader;
    out->doc.xml = NULL;
    out->doc.json = NULL;
    out->result = PLOY_OK;
    out->name = ployi_tiled_resolve(reader, source);
    if (out->name == NULL) return false;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &reader->map->env);
    ploy_result result = options->source->read(options->source->user, out->name, &bytes);
    if (result != PLOY_OK) {
        ploy_buffer_fini(&bytes);
        if (result == PLOY_ERR_MEMORY) {
            ployi_tiled_fail(reader, result);
            return false;
        }
        char message[PLOY_DIAG_TEXT_MAX] = "cannot read '";
        (void)strncat(message, out->name, sizeof message - 20);
        (void)strncat(message, "'", 2);
        ployi_tiled_doc_fault(&reader->doc, node, key, reader->diags,
                              options->allow_missing ? PLOY_SEVERITY_WARNING : PLOY_SEVERITY_ERROR,
                              PLOY_ERR_NOT_FOUND, message, NULL, NULL);
        if (!options->allow_missing && reader->result == PLOY_OK) reader->result = PLOY_ERR_FORMAT;
        return false;
    }
    result = ployi_tiled_doc_open(&out->doc, bytes.bytes, bytes.size, out->name, &reader->map->env,
                                  reader->diags);
    ploy_buffer_fini(&bytes);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
    return result == PLOY_OK;
}

// ---- loading

ploy_result ploy_tiled_load(const void *bytes, size_t size, const char *name,
                            const ploy_tiled_options *options, const ploy_env *env,
                            ploy_diags *diags, ploy_tiled **out) {
    static const ploy_tiled_options none = {NULL, NULL, false};
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if ((bytes == NULL && size > 0) || env == NULL) return PLOY_ERR_ARGUMENT;
    ploy_array templates;
    ploy_array_init(&templates, sizeof(ployi_tiled_template), env);
    ployi_tiled_reader reader = {.name = name != NULL ? name : "",
                                 .options = options != NULL ? options : &none,
                                 .diags = diags,
                                 .templates = &templates};
    reader.result =
        ployi_tiled_doc_open(&reader.doc, size > 0 ? bytes : "", size, name, env, diags);
    if (reader.result == PLOY_OK) reader.result = ployi_tiled_create(env, &reader.map);
    if (reader.result == PLOY_OK) {
        const char *kind = ployi_tiled_root_kind(&reader.doc);
        ployi_tiled_node root = ployi_tiled_root(&reader.doc);
        ploy_tiled_view *view = &reader.map->view;
        view->version = ployi_tiled_string(&reader, root, "version");
        view->tiled_version = ployi_tiled_string(&reader, root, "tiledversion");
        if (strcmp(kind, "map") == 0) {
            ployi_tiled_map(&reader, root);
        } else if (strcmp(kind, "tileset") == 0) {
            view->kind = PLOY_TILED_TILESET;
            ployi_tiled_tileset(&reader, root, false);
        } else if (strcmp(kind, "template") == 0) {
            view->kind = PLOY_TILED_TEMPLATE;
            ployi_tiled_node set = ployi_tiled_child(&reader.doc, root, "tileset");
            if (set.index != 0) ployi_tiled_tileset(&reader, set, true);
            ploy_tiled_object object =
                ployi_tiled_object(&reader, ployi_tiled_child(&reader.doc, root, "object"));
            ploy_result pushed = ploy_array_push(&reader.map->objects, &object);
            if (pushed != PLOY_OK) ployi_tiled_fail(&reader, pushed);
        } else {
            ployi_tiled_fault(&reader, root, NULL, "the file is not a Tiled file",
                              "map, tileset or template", NULL);
        }
    }
    ployi_tiled_doc_close(&reader.doc);
    ploy_array_fini(&templates);
    if (reader.result != PLOY_OK) {
        ploy_tiled_destroy(reader.map);
        return reader.result;
    }
    ployi_tiled_publish(reader.map);
    *out = reader.map;
    return PLOY_OK;
}

// ---- lookup

int32_t ploy_tiled_find_tileset(const ploy_tiled *map, uint32_t gid) {
    gid &= ~PLOY_TILED_FLAGS;
    int32_t best = -1, best_first = 0;
    for (int32_t i = 0; gid != 0 && i < map->tilesets.count; i++) {
        const ploy_tiled_tileset *set = &PLOY_ARRAY_ITEMS(&map->tilesets, ploy_tiled_tileset)[i];
        if ((uint32_t)set->first_gid > gid || set->first_gid < best_first) continue;
        best = i;
        best_first = set->first_gid;
    }
    return best;
}

const ploy_tiled_tile *ploy_tiled_find_tile(const ploy_tiled *map, uint32_t gid) {
    int32_t index = ploy_tiled_find_tileset(map, gid);
    if (index < 0) return NULL;
    const ploy_tiled_tileset *set = &PLOY_ARRAY_ITEMS(&map->tilesets, ploy_tiled_tileset)[index];
    const ploy_tiled_tile *tiles = PLOY_ARRAY_ITEMS(&map->tiles, ploy_tiled_tile);
    int32_t id = (int32_t)((gid & ~PLOY_TILED_FLAGS) - (uint32_t)set->first_gid);
    int32_t low = set->tiles.first, high = low + set->tiles.count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (tiles[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < set->tiles.first + set->tiles.count && tiles[low].id == id;
    return found ? &tiles[low] : NULL;
}

const ploy_tiled_property *ploy_tiled_find_property(const ploy_tiled *map, ploy_tiled_range range,
                                                    const char *name) {
    const ploy_tiled_property *all = PLOY_ARRAY_ITEMS(&map->properties, ploy_tiled_property);
    if (range.first < 0 || range.count < 0 || range.first > map->properties.count ||
        range.count > map->properties.count - range.first)
        return NULL; // a range of another map
    for (int32_t i = range.first; i < range.first + range.count; i++) {
        if (strcmp(all[i].name, name) == 0) return &all[i];
    }
    return NULL;
}

uint32_t ploy_tiled_cell(const ploy_tiled *map, int32_t layer, int32_t column, int32_t row) {
    const ploy_tiled_layer *one = ploy_array_at(&map->layers, layer);
    if (one == NULL) return 0;
    for (int32_t i = one->chunks.first; i < one->chunks.first + one->chunks.count; i++) {
        const ploy_tiled_chunk *chunk = ploy_array_at(&map->chunks, i);
        int64_t x = (int64_t)column - chunk->x, y = (int64_t)row - chunk->y;
        if (x < 0 || y < 0 || x >= chunk->width || y >= chunk->height) continue;
        return PLOY_ARRAY_ITEMS(&map->cells, uint32_t)[chunk->cells + y * chunk->width + x];
    }
    return 0;
}

bool ploy_tiled_layer_shown(const ploy_tiled *map, int32_t layer) {
    for (int32_t i = layer; i >= 0;) {
        const ploy_tiled_layer *one = ploy_array_at(&map->layers, i);
        if (one == NULL || !one->visible) return false;
        i = one->parent;
    }
    return true;
}
