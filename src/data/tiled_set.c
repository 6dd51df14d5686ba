// Tilesets of Tiled files: tiles, animations, terrains, Wang sets; inside a map or in a file.
#include <string.h>

#include "data/tiled_internal.h"
#include "ploy/base/number.h"

static void set_push(ployi_tiled_reader *reader, ploy_array *array, const void *item) {
    ploy_result result = ploy_array_push(array, item);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
}

// ---- tiles

static ploy_tiled_range set_frames(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_range range = {reader->map->frames.count, 0};
    ployi_tiled_each each =
        ployi_tiled_each_make(&reader->doc, node, "animation", "frame", "animation");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        ploy_tiled_frame frame;
        frame.tile = ployi_tiled_i32(reader, each.at, "tileid", 0, 0, 1 << 28);
        frame.duration = ployi_tiled_i32(reader, each.at, "duration", 0, 0, INT32_MAX);
        set_push(reader, &reader->map->frames, &frame);
    }
    range.count = reader->map->frames.count - range.first;
    return range;
}

// "0,1,,2" in XML, [0, 1, -1, 2] in JSON.
static void set_corners(ployi_tiled_reader *reader, ployi_tiled_node node, ploy_tiled_tile *tile) {
    for (int32_t i = 0; i < 4; i++) tile->terrain[i] = -1;
    if (reader->doc.json != NULL) {
        ploy_json_node object = {node.index};
        ploy_json_node list = ploy_json_member(reader->doc.json, object, "terrain");
        for (int32_t i = 0; i < 4 && i < ploy_json_count(reader->doc.json, list); i++) {
            int64_t value = -1;
            (void)ploy_json_i64(reader->doc.json, ploy_json_at(reader->doc.json, list, i), &value);
            if (value >= 0 && value <= 65535) tile->terrain[i] = (int32_t)value;
            tile->has_terrain = true;
        }
        return;
    }
    const char *text = ployi_tiled_text(&reader->doc, node, "terrain");
    if (text == NULL) return;
    tile->has_terrain = true;
    for (int32_t i = 0; i < 4; i++) {
        int64_t value = -1;
        size_t used = 0;
        if (ploy_parse_i64(text, strlen(text), &used, &value) == PLOY_OK && value >= 0 &&
            value <= 65535) {
            tile->terrain[i] = (int32_t)value;
            text += used;
        }
        if (*text != ',') break;
        text++;
    }
}

static ploy_tiled_tile set_tile(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t id) {
    ploy_tiled_tile tile;
    memset(&tile, 0, sizeof tile);
    tile.id = id;
    tile.class_name = ployi_tiled_class(reader, node);
    tile.probability = ployi_tiled_f64(reader, node, "probability", 1);
    set_corners(reader, node, &tile);
    tile.x = ployi_tiled_i32(reader, node, "x", 0, -(1 << 24), 1 << 24);
    tile.y = ployi_tiled_i32(reader, node, "y", 0, -(1 << 24), 1 << 24);
    tile.width = ployi_tiled_i32(reader, node, "width", 0, 0, 1 << 24);
    tile.height = ployi_tiled_i32(reader, node, "height", 0, 0, 1 << 24);
    tile.properties = ployi_tiled_properties(reader, node);
    ployi_tiled_node group = ployi_tiled_child(&reader->doc, node, "objectgroup");
    if (group.index != 0) tile.objects = ployi_tiled_objects(reader, group);
    tile.frames = set_frames(reader, node);
    tile.image = ployi_tiled_image(reader, node);
    return tile;
}

// Puts a tile at its place by id. @return the tile; an earlier one of the id is replaced.
static void set_insert(ployi_tiled_reader *reader, int32_t first, const ploy_tiled_tile *tile) {
    ploy_array *tiles = &reader->map->tiles;
    int32_t at = tiles->count;
    const ploy_tiled_tile *items = PLOY_ARRAY_ITEMS(tiles, ploy_tiled_tile);
    while (at > first && items[at - 1].id > tile->id) at--;
    if (at > first && items[at - 1].id == tile->id) {
        PLOY_ARRAY_ITEMS(tiles, ploy_tiled_tile)[at - 1] = *tile;
        return;
    }
    ploy_result result = ploy_array_insert(tiles, at, tile);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
}

// Old JSON files: "tiles": {"7": {...}}, "tileproperties": {"7": {name: value}}.
static int32_t set_key_id(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_json_node value = {node.index};
    const char *key = ploy_json_key(reader->doc.json, value, NULL);
    int64_t id = -1;
    if (ploy_parse_i64(key, strlen(key), NULL, &id) == PLOY_OK && id >= 0 && id <= 1 << 28) {
        return (int32_t)id;
    }
    ployi_tiled_fault(reader, node, NULL, "the key of a tile is not its id", "a whole number",
                      NULL);
    return 0;
}

static void set_old_properties(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t first) {
    if (reader->doc.json == NULL) return;
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, NULL, "tileproperties");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        int32_t id = set_key_id(reader, each.at);
        ploy_tiled_range range = {reader->map->properties.count, 0};
        ploy_json_node object = {each.at.index};
        int32_t count = ploy_json_count(reader->doc.json, object);
        for (int32_t i = 0; i < count; i++) {
            ploy_json_node value = ploy_json_at(reader->doc.json, object, i);
            const char *key = ploy_json_key(reader->doc.json, value, NULL);
            const char *text = ployi_tiled_text(&reader->doc, each.at, key);
            ploy_tiled_property property = {"", "", "", 0, PLOY_TILED_STRING, {0, 0}};
            property.name = ployi_tiled_keep(reader->map, key, strlen(key));
            property.text = ployi_tiled_keep(reader->map, text != NULL ? text : "",
                                             text != NULL ? strlen(text) : 0);
            if (property.name == NULL || property.text == NULL) {
                ployi_tiled_fail(reader, PLOY_ERR_MEMORY);
                return;
            }
            set_push(reader, &reader->map->properties, &property);
        }
        range.count = reader->map->properties.count - range.first;
        ploy_tiled_tile *found = NULL;
        for (int32_t i = first; i < reader->map->tiles.count; i++) {
            ploy_tiled_tile *tile = ploy_array_at(&reader->map->tiles, i);
            if (tile->id == id) found = tile;
        }
        if (found != NULL) {
            found->properties = range;
            continue;
        }
        ployi_tiled_node nothing = {0};
        ploy_tiled_tile tile = set_tile(reader, nothing, id);
        tile.properties = range;
        set_insert(reader, first, &tile);
    }
}

static ploy_tiled_range set_tiles(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_range range = {reader->map->tiles.count, 0};
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, "tile", "tiles");
    bool keyed = false;
    if (reader->doc.json != NULL) {
        ploy_json_node list = {each.list.index};
        keyed = ploy_json_type_of(reader->doc.json, list) == PLOY_JSON_OBJECT;
    }
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        int32_t id = keyed ? set_key_id(reader, each.at)
                           : ployi_tiled_i32(reader, each.at, "id", 0, 0, 1 << 28);
        ploy_tiled_tile tile = set_tile(reader, each.at, id);
        set_insert(reader, range.first, &tile);
    }
    set_old_properties(reader, node, range.first);
    range.count = reader->map->tiles.count - range.first;
    return range;
}

// ---- terrains and Wang sets

static ploy_tiled_range set_terrains(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_range range = {reader->map->terrains.count, 0};
    ployi_tiled_each each =
        ployi_tiled_each_make(&reader->doc, node, "terraintypes", "terrain", "terrains");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        ploy_tiled_terrain terrain;
        terrain.name = ployi_tiled_string(reader, each.at, "name");
        terrain.tile = ployi_tiled_i32(reader, each.at, "tile", -1, -1, 1 << 28);
        set_push(reader, &reader->map->terrains, &terrain);
    }
    range.count = reader->map->terrains.count - range.first;
    return range;
}

// Eight numbers, "0,1,0,..." in XML; before version 1.5 one hexadecimal number of 32 bits.
static void set_wang_id(ployi_tiled_reader *reader, ployi_tiled_node node,
                        ploy_tiled_wang_tile *tile) {
    memset(tile->colors, 0, sizeof tile->colors);
    int32_t count = 0;
    if (reader->doc.json != NULL) {
        ploy_json_node object = {node.index};
        ploy_json_node list = ploy_json_member(reader->doc.json, object, "wangid");
        for (; count < 8 && count < ploy_json_count(reader->doc.json, list); count++) {
            uint64_t value = 256;
            (void)ploy_json_u64(reader->doc.json, ploy_json_at(reader->doc.json, list, count),
                                &value);
            if (value > 255) break;
            tile->colors[count] = (uint8_t)value;
        }
    } else {
        const char *text = ployi_tiled_text(&reader->doc, node, "wangid");
        uint64_t old = 0;
        if (text != NULL && text[0] == '0' && text[1] == 'x' &&
            ploy_parse_hex64(text + 2, strlen(text + 2), NULL, &old) == PLOY_OK) {
            for (; count < 8; count++) tile->colors[count] = (uint8_t)(old >> (4 * count) & 15);
        }
        while (text != NULL && count < 8) {
            uint64_t value = 0;
            size_t used = 0;
            if (ploy_parse_u64(text, strlen(text), &used, &value) != PLOY_OK || value > 255) break;
            tile->colors[count++] = (uint8_t)value;
            text += used;
            if (*text == ',') text++;
        }
    }
    if (count < 8) {
        ployi_tiled_fault(reader, node, "wangid", "invalid colours of a Wang tile",
                          "eight numbers up to 255", NULL);
    }
}

static void set_wang(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled *map = reader->map;
    ploy_tiled_wang_set set;
    memset(&set, 0, sizeof set);
    set.name = ployi_tiled_string(reader, node, "name");
    set.class_name = ployi_tiled_string(reader, node, "class");
    set.type = ployi_tiled_string(reader, node, "type");
    set.tile = ployi_tiled_i32(reader, node, "tile", -1, -1, 1 << 28);
    set.properties = ployi_tiled_properties(reader, node);
    set.colors.first = map->wang_colors.count;
    // Before version 1.5 there were two lists, of corners and of edges.
    static const char *const lists[][2] = {{"wangcolor", "colors"},
                                           {"wangcornercolor", "cornercolors"},
                                           {"wangedgecolor", "edgecolors"}};
    for (int32_t i = 0; i < 3; i++) {
        ployi_tiled_each each =
            ployi_tiled_each_make(&reader->doc, node, NULL, lists[i][0], lists[i][1]);
        while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
            ploy_tiled_wang_color color;
            memset(&color, 0, sizeof color);
            color.name = ployi_tiled_string(reader, each.at, "name");
            color.class_name = ployi_tiled_string(reader, each.at, "class");
            color.color = ployi_tiled_string(reader, each.at, "color");
            color.tile = ployi_tiled_i32(reader, each.at, "tile", -1, -1, 1 << 28);
            color.probability = ployi_tiled_f64(reader, each.at, "probability", 1);
            color.properties = ployi_tiled_properties(reader, each.at);
            set_push(reader, &map->wang_colors, &color);
        }
    }
    set.colors.count = map->wang_colors.count - set.colors.first;
    set.tiles.first = map->wang_tiles.count;
    ployi_tiled_each each =
        ployi_tiled_each_make(&reader->doc, node, NULL, "wangtile", "wangtiles");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        ploy_tiled_wang_tile tile;
        tile.tile = ployi_tiled_i32(reader, each.at, "tileid", 0, 0, 1 << 28);
        set_wang_id(reader, each.at, &tile);
        set_push(reader, &map->wang_tiles, &tile);
    }
    set.tiles.count = map->wang_tiles.count - set.tiles.first;
    set_push(reader, &map->wang_sets, &set);
}

// ---- the tileset

static void set_fill(ployi_tiled_reader *reader, ployi_tiled_node node, ploy_tiled_tileset *set) {
    const ployi_tiled_doc *doc = &reader->doc;
    set->loaded = true;
    set->name = ployi_tiled_string(reader, node, "name");
    set->class_name = ployi_tiled_string(reader, node, "class");
    set->tile_width = ployi_tiled_i32(reader, node, "tilewidth", 0, 0, 1 << 24);
    set->tile_height = ployi_tiled_i32(reader, node, "tileheight", 0, 0, 1 << 24);
    set->spacing = ployi_tiled_i32(reader, node, "spacing", 0, 0, 1 << 24);
    set->margin = ployi_tiled_i32(reader, node, "margin", 0, 0, 1 << 24);
    set->tile_count = ployi_tiled_i32(reader, node, "tilecount", 0, 0, 1 << 28);
    set->columns = ployi_tiled_i32(reader, node, "columns", 0, 0, 1 << 28);
    set->alignment = ployi_tiled_string(reader, node, "objectalignment");
    set->render_size = ployi_tiled_string(reader, node, "tilerendersize");
    set->fill_mode = ployi_tiled_string(reader, node, "fillmode");
    set->background = ployi_tiled_string(reader, node, "backgroundcolor");
    ployi_tiled_node offset = ployi_tiled_child(doc, node, "tileoffset");
    set->offset_x = ployi_tiled_i32(reader, offset, "x", 0, -(1 << 24), 1 << 24);
    set->offset_y = ployi_tiled_i32(reader, offset, "y", 0, -(1 << 24), 1 << 24);
    ployi_tiled_node grid = ployi_tiled_child(doc, node, "grid");
    if (grid.index != 0) {
        set->has_grid = true;
        set->grid_isometric =
            ployi_tiled_word(reader, grid, "orientation", ployi_tiled_orientation_words, 2, 0) == 1;
        set->grid_width = ployi_tiled_i32(reader, grid, "width", 0, 0, 1 << 24);
        set->grid_height = ployi_tiled_i32(reader, grid, "height", 0, 0, 1 << 24);
    }
    ployi_tiled_node turns = ployi_tiled_child(doc, node, "transformations");
    if (turns.index != 0) {
        set->has_transformations = true;
        set->flip_x = ployi_tiled_bool(reader, turns, "hflip", false);
        set->flip_y = ployi_tiled_bool(reader, turns, "vflip", false);
        set->rotate = ployi_tiled_bool(reader, turns, "rotate", false);
        set->prefer_untransformed = ployi_tiled_bool(reader, turns, "preferuntransformed", false);
    }
    set->image = ployi_tiled_image(reader, node);
    set->properties = ployi_tiled_properties(reader, node);
    set->terrains = set_terrains(reader, node);
    set->tiles = set_tiles(reader, node);
    set->wang_sets.first = reader->map->wang_sets.count;
    ployi_tiled_each each = ployi_tiled_each_make(doc, node, "wangsets", "wangset", "wangsets");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) set_wang(reader, each.at);
    set->wang_sets.count = reader->map->wang_sets.count - set->wang_sets.first;
}

void ployi_tiled_tileset(ployi_tiled_reader *reader, ployi_tiled_node node, bool in_map) {
    ploy_tiled_tileset set;
    memset(&set, 0, sizeof set);
    set.name = set.class_name = set.alignment = set.render_size = set.fill_mode = "";
    set.background = set.image.source = set.image.trans = "";
    set.source = in_map ? ployi_tiled_string(reader, node, "source") : "";
    if (in_map && ployi_tiled_text(&reader->doc, node, "firstgid") == NULL) {
        ployi_tiled_fault(reader, node, NULL, "the tileset has no firstgid", NULL, NULL);
    }
    set.first_gid = in_map ? ployi_tiled_i32(reader, node, "firstgid", 1, 1, 1 << 28) : 1;
    if (set.source[0] == '\0') {
        set_fill(reader, node, &set);
    } else {
        ployi_tiled_reader inner;
        if (ployi_tiled_external(reader, node, "source", set.source, &inner)) {
            if (strcmp(ployi_tiled_root_kind(&inner.doc), "tileset") != 0) {
                ployi_tiled_fault(&inner, ployi_tiled_root(&inner.doc), NULL,
                                  "the file is not a tileset", NULL, NULL);
            } else {
                set_fill(&inner, ployi_tiled_root(&inner.doc), &set);
            }
            ployi_tiled_doc_close(&inner.doc);
            if (inner.result != PLOY_OK) ployi_tiled_fail(reader, inner.result);
        }
    }
    set_push(reader, &reader->map->tilesets, &set);
}
