// Writes Tiled files: one walk over the map for both forms.
//
// Attributes of XML are members of JSON; a list is a row of elements in XML, an array in JSON.
// Everything that the loader would fill in with the same value is left out, except on objects with
// a template, where the template's value would be filled in.
#include <string.h>

#include "data/tiled_internal.h"
#include "ploy/base/number.h"

typedef struct tiled_out {
    const ploy_tiled *map;
    ploy_tiled_view view;
    ploy_tiled_form form;
    ploy_writer *writer;
    ploy_json_writer json;
    int32_t depth; // XML: open elements
    bool open;     // XML: the last tag is not closed yet
    ploy_result result;
} tiled_out;

// ---- elements and members

static void out_indent(tiled_out *out) {
    ploy_write_char(out->writer, '\n');
    for (int32_t i = 0; i < out->depth; i++) ploy_write_char(out->writer, ' ');
}

static void out_begin(tiled_out *out, const char *element, const char *key) {
    if (out->form.json) {
        if (key != NULL) ploy_json_write_key(&out->json, key);
        ploy_json_write_begin_object(&out->json);
        return;
    }
    if (out->open) ploy_write_char(out->writer, '>');
    out_indent(out);
    ploy_write_char(out->writer, '<');
    ploy_write_text(out->writer, element);
    out->depth++;
    out->open = true;
}

static void out_end(tiled_out *out, const char *element) {
    if (out->form.json) {
        ploy_json_write_end_object(&out->json);
        return;
    }
    out->depth--;
    if (out->open) {
        ploy_write_text(out->writer, "/>");
    } else {
        out_indent(out);
        ploy_write_text(out->writer, "</");
        ploy_write_text(out->writer, element);
        ploy_write_char(out->writer, '>');
    }
    out->open = false;
}

static void out_list(tiled_out *out, const char *wrapper, const char *key) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_begin_array(&out->json);
    } else if (wrapper != NULL) {
        out_begin(out, wrapper, NULL);
    }
}

static void out_list_end(tiled_out *out, const char *wrapper) {
    if (out->form.json) {
        ploy_json_write_end_array(&out->json);
    } else if (wrapper != NULL) {
        out_end(out, wrapper);
    }
}

static void out_attribute(tiled_out *out, const char *key) {
    ploy_write_char(out->writer, ' ');
    ploy_write_text(out->writer, key);
    ploy_write_text(out->writer, "=\"");
}

static void out_text(tiled_out *out, const char *key, const char *text) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_text(&out->json, text);
        return;
    }
    out_attribute(out, key);
    ploy_xml_write_text(out->writer, text, strlen(text));
    ploy_write_char(out->writer, '"');
}

static void out_some(tiled_out *out, const char *key, const char *text) {
    if (text[0] != '\0') out_text(out, key, text);
}

static void out_f64(tiled_out *out, const char *key, double value) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_f64(&out->json, value);
        return;
    }
    out_attribute(out, key);
    ploy_write_f64(out->writer, value);
    ploy_write_char(out->writer, '"');
}

static void out_i64(tiled_out *out, const char *key, int64_t value) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_i64(&out->json, value);
        return;
    }
    out_attribute(out, key);
    ploy_write_i64(out->writer, value);
    ploy_write_char(out->writer, '"');
}

static void out_bool(tiled_out *out, const char *key, bool value) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_bool(&out->json, value);
    } else {
        out_i64(out, key, value ? 1 : 0);
    }
}

// Writes a number only if it is not the one that reading fills in.
static void out_other(tiled_out *out, const char *key, double value, double usual) {
    if (value != usual) out_f64(out, key, value);
}

// Text inside an element.
static void out_content(tiled_out *out, const char *text) {
    if (out->open) ploy_write_char(out->writer, '>');
    out->open = false;
    ploy_xml_write_text(out->writer, text, strlen(text));
}

// ---- properties

static void out_properties(tiled_out *out, ploy_tiled_range range);

// A value in JSON; a float always with a point or exponent, so that it stays one.
static void out_json_value(tiled_out *out, const ploy_tiled_property *property) {
    switch (property->type) {
    case PLOY_TILED_BOOL: ploy_json_write_bool(&out->json, property->number != 0); break;
    case PLOY_TILED_INT:
    case PLOY_TILED_OBJECT: ploy_json_write_raw(&out->json, property->text); break;
    case PLOY_TILED_FLOAT: {
        char text[PLOY_PRINT_F64_SIZE + 2];
        size_t size = ploy_print_f64(property->number, text);
        if (strpbrk(text, ".e") == NULL) memcpy(text + size, ".0", 3);
        ploy_json_write_raw(&out->json, text);
        break;
    }
    case PLOY_TILED_CLASS:
        ploy_json_write_begin_object(&out->json);
        for (int32_t i = 0; i < property->members.count; i++) {
            const ploy_tiled_property *member =
                &out->view.all_properties[property->members.first + i];
            ploy_json_write_key(&out->json, member->name);
            out_json_value(out, member);
        }
        ploy_json_write_end_object(&out->json);
        break;
    default: ploy_json_write_text(&out->json, property->text);
    }
}

static void out_property(tiled_out *out, const ploy_tiled_property *property) {
    out_begin(out, "property", NULL);
    out_text(out, "name", property->name);
    if (out->form.json || property->type != PLOY_TILED_STRING) {
        out_text(out, "type", ployi_tiled_property_words[property->type]);
    }
    out_some(out, "propertytype", property->class_name);
    if (out->form.json) {
        ploy_json_write_key(&out->json, "value");
        out_json_value(out, property);
    } else if (property->type == PLOY_TILED_CLASS) {
        out_properties(out, property->members);
    } else if (strchr(property->text, '\n') != NULL) {
        out_content(out, property->text); // attributes have no line ends
        out->depth--;
        ploy_write_text(out->writer, "</property>");
        return;
    } else {
        out_text(out, "value", property->text);
    }
    out_end(out, "property");
}

static void out_properties(tiled_out *out, ploy_tiled_range range) {
    if (range.count == 0) return;
    out_list(out, "properties", "properties");
    for (int32_t i = 0; i < range.count; i++) {
        out_property(out, &out->view.all_properties[range.first + i]);
    }
    out_list_end(out, "properties");
}

// ---- objects

static void out_points(tiled_out *out, const char *key, ploy_tiled_range range) {
    if (out->form.json) {
        ploy_json_write_key(&out->json, key);
        ploy_json_write_begin_array(&out->json);
        for (int32_t i = 0; i < range.count; i++) {
            ploy_json_write_begin_object(&out->json);
            ploy_json_write_key(&out->json, "x");
            ploy_json_write_f32(&out->json, out->view.points[range.first + i].x);
            ploy_json_write_key(&out->json, "y");
            ploy_json_write_f32(&out->json, out->view.points[range.first + i].y);
            ploy_json_write_end_object(&out->json);
        }
        ploy_json_write_end_array(&out->json);
        return;
    }
    out_begin(out, key, NULL);
    out_attribute(out, "points");
    for (int32_t i = 0; i < range.count; i++) {
        if (i > 0) ploy_write_char(out->writer, ' ');
        ploy_write_f32(out->writer, out->view.points[range.first + i].x);
        ploy_write_char(out->writer, ',');
        ploy_write_f32(out->writer, out->view.points[range.first + i].y);
    }
    ploy_write_char(out->writer, '"');
    out_end(out, key);
}

static void out_object_text(tiled_out *out, const ploy_tiled_object *object) {
    out_begin(out, "text", "text");
    for (int32_t i = 0; i < object->attributes.count; i++) {
        const ploy_tiled_property *one = &out->view.all_properties[object->attributes.first + i];
        if (one->type == PLOY_TILED_BOOL) {
            out_bool(out, one->name, one->number != 0);
        } else if (one->type == PLOY_TILED_INT) {
            out_f64(out, one->name, one->number);
        } else {
            out_text(out, one->name, one->text);
        }
    }
    if (out->form.json) {
        out_text(out, "text", object->text);
        out_end(out, "text");
    } else {
        out_content(out, object->text);
        out->depth--;
        ploy_write_text(out->writer, "</text>");
    }
}

static void out_shape(tiled_out *out, const ploy_tiled_object *object) {
    static const char *const names[] = {"", "ellipse", "point", "polygon", "polyline"};
    switch (object->shape) {
    case PLOY_TILED_ELLIPSE:
    case PLOY_TILED_POINT:
        if (out->form.json) {
            out_bool(out, names[object->shape], true);
        } else {
            out_begin(out, names[object->shape], NULL);
            out_end(out, names[object->shape]);
        }
        break;
    case PLOY_TILED_POLYGON:
    case PLOY_TILED_POLYLINE: out_points(out, names[object->shape], object->points); break;
    case PLOY_TILED_TEXT: out_object_text(out, object); break;
    default: break;
    }
}

static void out_object(tiled_out *out, const ploy_tiled_object *object, const char *key) {
    bool all = object->template_name[0] != '\0'; // else the template's values would come back
    out_begin(out, "object", key);
    out_i64(out, "id", object->id);
    out_some(out, "template", object->template_name);
    if (all || object->name[0] != '\0') out_text(out, "name", object->name);
    out_some(out, "type", object->class_name);
    if (object->gid != 0) out_i64(out, "gid", object->gid);
    out_f64(out, "x", object->x);
    out_f64(out, "y", object->y);
    out_other(out, "width", object->width, all ? -1 : 0);
    out_other(out, "height", object->height, all ? -1 : 0);
    out_other(out, "rotation", object->rotation, all ? 1e13 : 0);
    out_other(out, "opacity", object->opacity, all ? -1 : 1);
    if (all || !object->visible) out_bool(out, "visible", object->visible);
    out_properties(out, object->properties);
    out_shape(out, object);
    out_end(out, "object");
}

static void out_objects(tiled_out *out, ploy_tiled_range range) {
    out_list(out, NULL, "objects");
    for (int32_t i = 0; i < range.count; i++) {
        out_object(out, &out->view.objects[range.first + i], NULL);
    }
    out_list_end(out, NULL);
}

// ---- tilesets

static void out_image(tiled_out *out, const ploy_tiled_image *image) {
    if (image->source[0] == '\0') return;
    if (out->form.json) {
        out_text(out, "image", image->source);
        out_i64(out, "imagewidth", image->width);
        out_i64(out, "imageheight", image->height);
        out_some(out, "transparentcolor", image->trans);
        return;
    }
    out_begin(out, "image", NULL);
    out_text(out, "source", image->source);
    out_some(out, "trans", image->trans);
    if (image->width > 0) out_i64(out, "width", image->width);
    if (image->height > 0) out_i64(out, "height", image->height);
    out_end(out, "image");
}

static void out_tile_terrain(tiled_out *out, const ploy_tiled_tile *tile) {
    if (!tile->has_terrain) return;
    if (out->form.json) {
        ploy_json_write_key(&out->json, "terrain");
        ploy_json_write_begin_row(&out->json);
        for (int32_t i = 0; i < 4; i++) ploy_json_write_i64(&out->json, tile->terrain[i]);
        ploy_json_write_end_array(&out->json);
        return;
    }
    out_attribute(out, "terrain");
    for (int32_t i = 0; i < 4; i++) {
        if (i > 0) ploy_write_char(out->writer, ',');
        if (tile->terrain[i] >= 0) ploy_write_i64(out->writer, tile->terrain[i]);
    }
    ploy_write_char(out->writer, '"');
}

static void out_tile(tiled_out *out, const ploy_tiled_tile *tile) {
    out_begin(out, "tile", NULL);
    out_i64(out, "id", tile->id);
    out_some(out, "type", tile->class_name);
    out_tile_terrain(out, tile);
    out_other(out, "probability", tile->probability, 1);
    out_other(out, "x", tile->x, 0);
    out_other(out, "y", tile->y, 0);
    out_other(out, "width", tile->width, 0);
    out_other(out, "height", tile->height, 0);
    out_properties(out, tile->properties);
    out_image(out, &tile->image);
    if (tile->objects.count > 0) {
        out_begin(out, "objectgroup", "objectgroup");
        out_text(out, "draworder", "index");
        if (out->form.json) out_text(out, "type", "objectgroup");
        out_objects(out, tile->objects);
        out_end(out, "objectgroup");
    }
    if (tile->frames.count > 0) {
        out_list(out, "animation", "animation");
        for (int32_t i = 0; i < tile->frames.count; i++) {
            const ploy_tiled_frame *frame = &out->view.frames[tile->frames.first + i];
            out_begin(out, "frame", NULL);
            out_i64(out, "tileid", frame->tile);
            out_i64(out, "duration", frame->duration);
            out_end(out, "frame");
        }
        out_list_end(out, "animation");
    }
    out_end(out, "tile");
}

static void out_wang_tile(tiled_out *out, const ploy_tiled_wang_tile *tile) {
    out_begin(out, "wangtile", NULL);
    out_i64(out, "tileid", tile->tile);
    if (out->form.json) {
        ploy_json_write_key(&out->json, "wangid");
        ploy_json_write_begin_row(&out->json);
        for (int32_t i = 0; i < 8; i++) ploy_json_write_i64(&out->json, tile->colors[i]);
        ploy_json_write_end_array(&out->json);
    } else {
        out_attribute(out, "wangid");
        for (int32_t i = 0; i < 8; i++) {
            if (i > 0) ploy_write_char(out->writer, ',');
            ploy_write_i64(out->writer, tile->colors[i]);
        }
        ploy_write_char(out->writer, '"');
    }
    out_end(out, "wangtile");
}

static void out_wang_set(tiled_out *out, const ploy_tiled_wang_set *set) {
    out_begin(out, "wangset", NULL);
    out_text(out, "name", set->name);
    out_some(out, "class", set->class_name);
    out_some(out, "type", set->type);
    out_i64(out, "tile", set->tile);
    out_properties(out, set->properties);
    out_list(out, NULL, "colors");
    for (int32_t i = 0; i < set->colors.count; i++) {
        const ploy_tiled_wang_color *color = &out->view.wang_colors[set->colors.first + i];
        out_begin(out, "wangcolor", NULL);
        out_text(out, "name", color->name);
        out_some(out, "class", color->class_name);
        out_text(out, "color", color->color);
        out_i64(out, "tile", color->tile);
        out_f64(out, "probability", color->probability);
        out_properties(out, color->properties);
        out_end(out, "wangcolor");
    }
    out_list_end(out, NULL);
    out_list(out, NULL, "wangtiles");
    for (int32_t i = 0; i < set->tiles.count; i++) {
        out_wang_tile(out, &out->view.wang_tiles[set->tiles.first + i]);
    }
    out_list_end(out, NULL);
    out_end(out, "wangset");
}

static void out_set_parts(tiled_out *out, const ploy_tiled_tileset *set) {
    if (set->offset_x != 0 || set->offset_y != 0) {
        out_begin(out, "tileoffset", "tileoffset");
        out_i64(out, "x", set->offset_x);
        out_i64(out, "y", set->offset_y);
        out_end(out, "tileoffset");
    }
    if (set->has_grid) {
        out_begin(out, "grid", "grid");
        out_text(out, "orientation", ployi_tiled_orientation_words[set->grid_isometric ? 1 : 0]);
        out_i64(out, "width", set->grid_width);
        out_i64(out, "height", set->grid_height);
        out_end(out, "grid");
    }
    out_properties(out, set->properties);
    out_image(out, &set->image);
    if (set->has_transformations) {
        out_begin(out, "transformations", "transformations");
        out_bool(out, "hflip", set->flip_x);
        out_bool(out, "vflip", set->flip_y);
        out_bool(out, "rotate", set->rotate);
        out_bool(out, "preferuntransformed", set->prefer_untransformed);
        out_end(out, "transformations");
    }
    if (set->terrains.count > 0) {
        out_list(out, "terraintypes", "terrains");
        for (int32_t i = 0; i < set->terrains.count; i++) {
            const ploy_tiled_terrain *terrain = &out->view.terrains[set->terrains.first + i];
            out_begin(out, "terrain", NULL);
            out_text(out, "name", terrain->name);
            out_i64(out, "tile", terrain->tile);
            out_end(out, "terrain");
        }
        out_list_end(out, "terraintypes");
    }
    if (set->tiles.count > 0) {
        out_list(out, NULL, "tiles");
        for (int32_t i = 0; i < set->tiles.count; i++) {
            out_tile(out, &out->view.tiles[set->tiles.first + i]);
        }
        out_list_end(out, NULL);
    }
    if (set->wang_sets.count > 0) {
        out_list(out, "wangsets", "wangsets");
        for (int32_t i = 0; i < set->wang_sets.count; i++) {
            out_wang_set(out, &out->view.wang_sets[set->wang_sets.first + i]);
        }
        out_list_end(out, "wangsets");
    }
}

// Version and, in JSON, kind of the outermost element.
static void out_version(tiled_out *out, const char *kind) {
    if (out->form.json) out_text(out, "type", kind);
    out_text(out, "version", out->view.version[0] != '\0' ? out->view.version : "1.10");
    out_some(out, "tiledversion", out->view.tiled_version);
}

static void out_tileset(tiled_out *out, const ploy_tiled_tileset *set, bool in_map,
                        const char *key) {
    out_begin(out, "tileset", key);
    if (in_map) {
        out_i64(out, "firstgid", set->first_gid);
    } else {
        out_version(out, "tileset");
    }
    if (set->source[0] != '\0' && (!out->form.embed || !set->loaded)) {
        out_text(out, "source", set->source);
    } else {
        out_text(out, "name", set->name);
        out_some(out, "class", set->class_name);
        out_i64(out, "tilewidth", set->tile_width);
        out_i64(out, "tileheight", set->tile_height);
        out_other(out, "spacing", set->spacing, 0);
        out_other(out, "margin", set->margin, 0);
        out_i64(out, "tilecount", set->tile_count);
        out_i64(out, "columns", set->columns);
        out_some(out, "objectalignment", set->alignment);
        out_some(out, "tilerendersize", set->render_size);
        out_some(out, "fillmode", set->fill_mode);
        out_some(out, "backgroundcolor", set->background);
        out_set_parts(out, set);
    }
    out_end(out, "tileset");
}

// ---- cells

static void out_base64(tiled_out *out, const ploy_tiled_chunk *chunk,
                       ploy_tiled_compression compression) {
    const ploy_env *env = &out->map->env;
    ploy_buffer bytes, packed, text;
    ploy_buffer_init(&bytes, 0, env);
    ploy_buffer_init(&packed, 0, env);
    ploy_buffer_init(&text, 0, env);
    ploy_result result = PLOY_OK;
    int32_t count = chunk->width * chunk->height;
    for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
        uint32_t gid = out->view.cells[chunk->cells + i];
        const uint8_t four[4] = {(uint8_t)gid, (uint8_t)(gid >> 8), (uint8_t)(gid >> 16),
                                 (uint8_t)(gid >> 24)};
        result = ploy_buffer_append(&bytes, four, 4);
    }
    const ploy_buffer *source = &bytes;
    if (result == PLOY_OK && compression != PLOY_TILED_PLAIN) {
        const ploy_compression_service *service = out->form.service;
        result = service->compress(service->user, compression, bytes.bytes, bytes.size, &packed);
        source = &packed;
    }
    if (result == PLOY_OK) {
        ploy_writer writer = ploy_buffer_writer(&text);
        ployi_base64_write(source->bytes, source->size, &writer);
        result = ploy_writer_result(&writer);
    }
    if (result != PLOY_OK) {
        if (out->result == PLOY_OK) out->result = result;
    } else if (out->form.json) {
        ploy_json_write_text(&out->json, ploy_buffer_text(&text));
    } else {
        out_content(out, ploy_buffer_text(&text));
    }
    ploy_buffer_fini(&bytes);
    ploy_buffer_fini(&packed);
    ploy_buffer_fini(&text);
}

static void out_csv(tiled_out *out, const ploy_tiled_chunk *chunk) {
    int32_t count = chunk->width * chunk->height; // may be 0; then there may be no cells at all
    if (out->form.json) {
        ploy_json_write_begin_row(&out->json);
        for (int32_t i = 0; i < count; i++) {
            ploy_json_write_i64(&out->json, out->view.cells[chunk->cells + i]);
        }
        ploy_json_write_end_array(&out->json);
        return;
    }
    out_content(out, "\n");
    for (int32_t i = 0; i < count; i++) {
        ploy_write_i64(out->writer, out->view.cells[chunk->cells + i]);
        if (i + 1 < count) ploy_write_char(out->writer, ',');
        if ((i + 1) % chunk->width == 0) ploy_write_char(out->writer, '\n');
    }
}

// The cells of a chunk, inside the element that is open or as the member "data".
static void out_cells(tiled_out *out, const ploy_tiled_chunk *chunk, ploy_tiled_encoding encoding,
                      ploy_tiled_compression compression) {
    if (out->form.json) ploy_json_write_key(&out->json, "data");
    if (encoding == PLOY_TILED_BASE64) {
        out_base64(out, chunk, compression);
    } else if (encoding == PLOY_TILED_CSV || out->form.json) {
        out_csv(out, chunk);
    } else {
        for (int32_t i = 0; i < chunk->width * chunk->height; i++) {
            out_begin(out, "tile", NULL);
            if (out->view.cells[chunk->cells + i] != 0) {
                out_i64(out, "gid", out->view.cells[chunk->cells + i]);
            }
            out_end(out, "tile");
        }
    }
}

static void out_layer_cells(tiled_out *out, const ploy_tiled_layer *layer) {
    ploy_tiled_encoding encoding = out->form.recode ? out->form.encoding : layer->encoding;
    ploy_tiled_compression compression =
        out->form.recode ? out->form.compression : layer->compression;
    if (encoding != PLOY_TILED_BASE64 || out->form.service == NULL) compression = PLOY_TILED_PLAIN;
    if (layer->chunks.count == 0 && !out->view.infinite) return; // it had no cells
    if (!out->form.json) out_begin(out, "data", NULL);
    if (encoding == PLOY_TILED_BASE64) {
        out_text(out, "encoding", "base64");
    } else if (encoding == PLOY_TILED_CSV && !out->form.json) {
        out_text(out, "encoding", "csv");
    }
    if (compression != PLOY_TILED_PLAIN) {
        out_text(out, "compression", ployi_tiled_compression_words[compression]);
    }
    if (!out->view.infinite) {
        out_cells(out, &out->view.chunks[layer->chunks.first], encoding, compression);
    } else {
        out_list(out, NULL, "chunks");
        for (int32_t i = 0; i < layer->chunks.count; i++) {
            const ploy_tiled_chunk *chunk = &out->view.chunks[layer->chunks.first + i];
            out_begin(out, "chunk", NULL);
            out_i64(out, "x", chunk->x);
            out_i64(out, "y", chunk->y);
            out_i64(out, "width", chunk->width);
            out_i64(out, "height", chunk->height);
            out_cells(out, chunk, encoding, compression);
            out_end(out, "chunk");
        }
        out_list_end(out, NULL);
    }
    if (!out->form.json) out_end(out, "data");
}

// ---- layers and the map

static void out_layers(tiled_out *out, int32_t parent);

static void out_layer(tiled_out *out, int32_t index) {
    static const char *const elements[] = {"layer", "objectgroup", "imagelayer", "group"};
    static const char *const types[] = {"tilelayer", "objectgroup", "imagelayer", "group"};
    const ploy_tiled_layer *layer = &out->view.layers[index];
    out_begin(out, elements[layer->kind], NULL);
    if (out->form.json) out_text(out, "type", types[layer->kind]);
    out_i64(out, "id", layer->id);
    out_text(out, "name", layer->name);
    out_some(out, "class", layer->class_name);
    if (layer->kind == PLOY_TILED_LAYER_TILES) {
        out_i64(out, "width", layer->width);
        out_i64(out, "height", layer->height);
    }
    out_other(out, "opacity", layer->opacity, 1);
    if (!layer->visible) out_bool(out, "visible", false);
    if (layer->locked) out_bool(out, "locked", true);
    out_some(out, "tintcolor", layer->tint);
    out_some(out, "mode", layer->blend);
    out_other(out, "offsetx", layer->offset_x, 0);
    out_other(out, "offsety", layer->offset_y, 0);
    out_other(out, "parallaxx", layer->parallax_x, 1);
    out_other(out, "parallaxy", layer->parallax_y, 1);
    if (layer->kind == PLOY_TILED_LAYER_OBJECTS) {
        out_some(out, "color", layer->color);
        if (layer->index_order) out_text(out, "draworder", "index");
    }
    if (layer->repeat_x) out_bool(out, "repeatx", true);
    if (layer->repeat_y) out_bool(out, "repeaty", true);
    out_properties(out, layer->properties);
    switch (layer->kind) {
    case PLOY_TILED_LAYER_TILES: out_layer_cells(out, layer); break;
    case PLOY_TILED_LAYER_OBJECTS: out_objects(out, layer->objects); break;
    case PLOY_TILED_LAYER_IMAGE: out_image(out, &layer->image); break;
    case PLOY_TILED_LAYER_GROUP: out_layers(out, index); break;
    }
    out_end(out, elements[layer->kind]);
}

static void out_layers(tiled_out *out, int32_t parent) {
    out_list(out, NULL, "layers");
    for (int32_t i = parent + 1; i < out->view.layer_count; i++) {
        if (out->view.layers[i].parent == parent) out_layer(out, i);
    }
    out_list_end(out, NULL);
}

static void out_map(tiled_out *out) {
    const ploy_tiled_view *view = &out->view;
    out_begin(out, "map", NULL);
    out_version(out, "map");
    out_some(out, "class", view->class_name);
    out_text(out, "orientation", ployi_tiled_orientation_words[view->orientation]);
    out_text(out, "renderorder", view->render_order);
    out_i64(out, "width", view->width);
    out_i64(out, "height", view->height);
    out_i64(out, "tilewidth", view->tile_width);
    out_i64(out, "tileheight", view->tile_height);
    out_bool(out, "infinite", view->infinite);
    out_other(out, "hexsidelength", view->hex_side, 0);
    if (view->orientation >= PLOY_TILED_STAGGERED) {
        out_text(out, "staggeraxis", view->stagger_x ? "x" : "y");
        out_text(out, "staggerindex", view->stagger_even ? "even" : "odd");
    }
    out_other(out, "parallaxoriginx", view->parallax_x, 0);
    out_other(out, "parallaxoriginy", view->parallax_y, 0);
    out_some(out, "backgroundcolor", view->background);
    out_i64(out, "nextlayerid", view->next_layer);
    out_i64(out, "nextobjectid", view->next_object);
    out_properties(out, view->properties);
    out_list(out, NULL, "tilesets");
    for (int32_t i = 0; i < view->tileset_count; i++) {
        out_tileset(out, &view->tilesets[i], true, NULL);
    }
    out_list_end(out, NULL);
    out_layers(out, -1);
    out_end(out, "map");
}

static void out_template(tiled_out *out) {
    out_begin(out, "template", NULL);
    if (out->form.json) out_text(out, "type", "template");
    if (out->view.tileset_count > 0) out_tileset(out, &out->view.tilesets[0], true, "tileset");
    out_object(out, &out->view.objects[0], "object");
    out_end(out, "template");
}

ploy_result ploy_tiled_save(const ploy_tiled *map, const ploy_tiled_form *form,
                            ploy_writer *writer) {
    if (map == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    tiled_out out;
    memset(&out, 0, sizeof out);
    out.map = map;
    out.view = map->view;
    out.writer = writer;
    if (form != NULL) out.form = *form;
    if ((uint32_t)out.form.encoding >= PLOY_TILED_ENCODINGS ||
        (uint32_t)out.form.compression >= PLOY_TILED_COMPRESSIONS) {
        return PLOY_ERR_ARGUMENT;
    }
    if (out.form.json) {
        ploy_json_writer_init(&out.json, writer, 1);
    } else {
        ploy_write_text(writer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    }
    switch (out.view.kind) {
    case PLOY_TILED_MAP: out_map(&out); break;
    case PLOY_TILED_TILESET: out_tileset(&out, &out.view.tilesets[0], false, NULL); break;
    case PLOY_TILED_TEMPLATE: out_template(&out); break;
    }
    if (out.form.json) {
        ploy_result result = ploy_json_writer_finish(&out.json);
        if (out.result == PLOY_OK) out.result = result;
    } else {
        ploy_write_char(writer, '\n');
    }
    return out.result != PLOY_OK ? out.result : ploy_writer_result(writer);
}
