// Maps, layers, objects and properties of Tiled files.
#include <string.h>

#include "data/tiled_internal.h"
#include "ploy/base/number.h"

const char *const ployi_tiled_property_words[PLOY_TILED_PROPERTY_TYPES] = {
    "string", "int", "float", "bool", "color", "file", "object", "class"};

static const char *read_keep(ployi_tiled_reader *reader, const char *text, size_t size) {
    const char *copy = ployi_tiled_keep(reader->map, text, size);
    if (copy != NULL) return copy;
    ployi_tiled_fail(reader, PLOY_ERR_MEMORY);
    return "";
}

// ---- properties

static void read_property_set(ployi_tiled_reader *reader, int32_t at,
                              const ploy_tiled_property *property) {
    PLOY_ARRAY_ITEMS(&reader->map->properties, ploy_tiled_property)[at] = *property;
}

// Room for some properties side by side.
static ploy_tiled_range read_property_room(ployi_tiled_reader *reader, int32_t count) {
    ploy_tiled_range range = {reader->map->properties.count, count};
    ploy_result result = ploy_array_resize(&reader->map->properties, range.first + count);
    if (result == PLOY_OK) return range;
    ployi_tiled_fail(reader, result);
    range.count = 0;
    return range;
}

// Fills in number and text of a value, in the one form that writing gives.
static void read_value(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                       const char *text, size_t size, ploy_tiled_property *property) {
    char printed[PLOY_PRINT_F64_SIZE];
    bool number = property->type == PLOY_TILED_INT || property->type == PLOY_TILED_FLOAT ||
                  property->type == PLOY_TILED_OBJECT;
    property->number = 0;
    if (number) {
        if (size > 0 && (ploy_parse_f64(text, size, NULL, &property->number) != PLOY_OK ||
                         !(property->number >= -1e300 && property->number <= 1e300))) {
            ployi_tiled_fault(reader, node, key, "the value of the property is not a number", NULL,
                              NULL);
            property->number = 0;
        }
        property->text = read_keep(reader, printed, ploy_print_f64(property->number, printed));
    } else if (property->type == PLOY_TILED_BOOL) {
        bool yes = (size == 4 && memcmp(text, "true", 4) == 0) || (size == 1 && text[0] == '1');
        bool no = size == 0 || (size == 5 && memcmp(text, "false", 5) == 0) ||
                  (size == 1 && text[0] == '0');
        if (!yes && !no) {
            ployi_tiled_fault(reader, node, key, "the value of the property is invalid",
                              "true or false", NULL);
        }
        property->number = yes ? 1 : 0;
        property->text = yes ? "true" : "false";
    } else {
        property->text = read_keep(reader, text, size);
    }
}

static ploy_tiled_range read_members(ployi_tiled_reader *reader, ploy_json_node object);

// A JSON value whose type is not written beside it.
static void read_json_value(ployi_tiled_reader *reader, ploy_json_node value,
                            ploy_tiled_property *property) {
    const ploy_json *json = reader->doc.json;
    size_t size = 0;
    const char *text = ploy_json_text(json, value, &size);
    bool truth = false;
    ployi_tiled_node node = {value.index};
    switch (ploy_json_type_of(json, value)) {
    case PLOY_JSON_BOOL:
        (void)ploy_json_bool(json, value, &truth);
        property->type = PLOY_TILED_BOOL;
        text = truth ? "true" : "false";
        size = strlen(text);
        break;
    case PLOY_JSON_NUMBER:
        property->type = memchr(text, '.', size) != NULL || memchr(text, 'e', size) != NULL ||
                                 memchr(text, 'E', size) != NULL
                             ? PLOY_TILED_FLOAT
                             : PLOY_TILED_INT;
        break;
    case PLOY_JSON_OBJECT:
        property->type = PLOY_TILED_CLASS;
        property->members = read_members(reader, value);
        return;
    default: property->type = PLOY_TILED_STRING;
    }
    read_value(reader, node, NULL, text, size, property);
}

// The members of a JSON object as properties.
static ploy_tiled_range read_members(ployi_tiled_reader *reader, ploy_json_node object) {
    const ploy_json *json = reader->doc.json;
    ploy_tiled_range none = {0, 0};
    if (++reader->depth > PLOY_TILED_DEPTH_MAX) {
        ployi_tiled_node node = {object.index};
        ployi_tiled_fault(reader, node, NULL, "properties are nested more than 32 deep", NULL,
                          NULL);
        reader->depth--;
        return none;
    }
    ploy_tiled_range range = read_property_room(reader, ploy_json_count(json, object));
    for (int32_t i = 0; i < range.count; i++) {
        ploy_json_node value = ploy_json_at(json, object, i);
        ploy_tiled_property property = {"", "", "", 0, PLOY_TILED_STRING, {0, 0}};
        property.name = read_keep(reader, ploy_json_key(json, value, NULL),
                                  strlen(ploy_json_key(json, value, NULL)));
        read_json_value(reader, value, &property);
        read_property_set(reader, range.first + i, &property);
    }
    reader->depth--;
    return range;
}

// Old JSON files: "properties": {name: value}, "propertytypes": {name: type}.
static ploy_tiled_range read_old_properties(ployi_tiled_reader *reader, ployi_tiled_node node,
                                            ploy_json_node object) {
    ploy_tiled_range range = read_members(reader, object);
    ployi_tiled_node types = ployi_tiled_child(&reader->doc, node, "propertytypes");
    for (int32_t i = 0; i < range.count && types.index != 0; i++) {
        ploy_tiled_property property =
            PLOY_ARRAY_ITEMS(&reader->map->properties, ploy_tiled_property)[range.first + i];
        int32_t type = ployi_tiled_word(reader, types, property.name, ployi_tiled_property_words,
                                        PLOY_TILED_CLASS, (int32_t)property.type);
        if (type == (int32_t)property.type) continue;
        property.type = (ploy_tiled_property_type)type;
        read_value(reader, node, "properties", property.text, strlen(property.text), &property);
        read_property_set(reader, range.first + i, &property);
    }
    return range;
}

static void read_property(ployi_tiled_reader *reader, ployi_tiled_node node,
                          ploy_tiled_property *property) {
    ployi_tiled_doc *doc = &reader->doc;
    property->name = ployi_tiled_string(reader, node, "name");
    property->class_name = ployi_tiled_string(reader, node, "propertytype");
    property->type = (ploy_tiled_property_type)ployi_tiled_word(
        reader, node, "type", ployi_tiled_property_words, PLOY_TILED_PROPERTY_TYPES, 0);
    if (property->type == PLOY_TILED_CLASS) {
        if (doc->xml != NULL) {
            property->members = ployi_tiled_properties(reader, node);
        } else {
            ployi_tiled_node value = ployi_tiled_child(doc, node, "value");
            ploy_json_node object = {value.index};
            if (value.index != 0) property->members = read_members(reader, object);
        }
        return;
    }
    const char *text = ployi_tiled_text(doc, node, "value");
    size_t size = text != NULL ? strlen(text) : 0;
    if (text == NULL && doc->xml != NULL) { // a text of several lines
        ploy_xml_node element = {node.index};
        text = ploy_xml_text(doc->xml, element, &size);
    }
    read_value(reader, node, "value", text != NULL ? text : "", size, property);
}

ploy_tiled_range ployi_tiled_properties(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_range range = {0, 0};
    if (ployi_tiled_broken(reader)) return range;
    if (reader->doc.json != NULL) {
        ploy_json_node object = {node.index};
        ploy_json_node list = ploy_json_member(reader->doc.json, object, "properties");
        if (ploy_json_type_of(reader->doc.json, list) == PLOY_JSON_OBJECT) {
            return read_old_properties(reader, node, list);
        }
    }
    ployi_tiled_each each =
        ployi_tiled_each_make(&reader->doc, node, "properties", "property", "properties");
    int32_t count = ployi_tiled_each_count(each);
    if (count == 0) return range;
    if (++reader->depth > PLOY_TILED_DEPTH_MAX) {
        ployi_tiled_fault(reader, node, NULL, "properties are nested more than 32 deep", NULL,
                          NULL);
        reader->depth--;
        return range;
    }
    range = read_property_room(reader, count);
    for (int32_t i = 0; i < range.count && ployi_tiled_each_next(&each); i++) {
        ploy_tiled_property property = {"", "", "", 0, PLOY_TILED_STRING, {0, 0}};
        read_property(reader, each.at, &property);
        read_property_set(reader, range.first + i, &property);
    }
    reader->depth--;
    return range;
}

// ---- objects

static void read_point(ployi_tiled_reader *reader, double x, double y) {
    ploy_vec2 point = {(float)x, (float)y};
    ploy_result result = ploy_array_push(&reader->map->points, &point);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
}

static ploy_tiled_range read_points(ployi_tiled_reader *reader, ployi_tiled_node node,
                                    const char *key) {
    ploy_tiled_range range = {reader->map->points.count, 0};
    if (reader->doc.json != NULL) {
        ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, NULL, key);
        while (ployi_tiled_each_next(&each)) {
            double x = ployi_tiled_f64(reader, each.at, "x", 0);
            double y = ployi_tiled_f64(reader, each.at, "y", 0);
            read_point(reader, x, y);
        }
    } else {
        ployi_tiled_node child = ployi_tiled_child(&reader->doc, node, key);
        const char *text = ployi_tiled_text(&reader->doc, child, "points");
        const char *end = text != NULL ? text + strlen(text) : NULL;
        while (text != end) {
            double xy[2] = {0, 0};
            size_t used = 0;
            bool good = ploy_parse_f64(text, (size_t)(end - text), &used, &xy[0]) == PLOY_OK;
            if (good && text[used] == ',') {
                text += used + 1;
                good = ploy_parse_f64(text, (size_t)(end - text), &used, &xy[1]) == PLOY_OK;
            } else {
                good = false;
            }
            if (!good || !(xy[0] >= -1e12 && xy[0] <= 1e12 && xy[1] >= -1e12 && xy[1] <= 1e12)) {
                ployi_tiled_fault(reader, child, "points", "invalid points", "x,y x,y ...", NULL);
                break;
            }
            text += used;
            while (*text == ' ') text++;
            read_point(reader, xy[0], xy[1]);
        }
    }
    range.count = reader->map->points.count - range.first;
    return range;
}

// The attributes of a text, all but the text itself, as properties.
static ploy_tiled_range read_text_attributes(ployi_tiled_reader *reader, ployi_tiled_node node) {
    static const struct {
        const char *key;
        ploy_tiled_property_type type;
    } keys[] = {{"fontfamily", PLOY_TILED_STRING}, {"pixelsize", PLOY_TILED_INT},
                {"wrap", PLOY_TILED_BOOL},         {"color", PLOY_TILED_COLOR},
                {"bold", PLOY_TILED_BOOL},         {"italic", PLOY_TILED_BOOL},
                {"underline", PLOY_TILED_BOOL},    {"strikeout", PLOY_TILED_BOOL},
                {"kerning", PLOY_TILED_BOOL},      {"halign", PLOY_TILED_STRING},
                {"valign", PLOY_TILED_STRING}};
    int32_t count = 0;
    const int32_t all = (int32_t)(sizeof keys / sizeof keys[0]);
    for (int32_t i = 0; i < all; i++) {
        count += ployi_tiled_text(&reader->doc, node, keys[i].key) != NULL;
    }
    ploy_tiled_range range = read_property_room(reader, count);
    for (int32_t i = 0, at = 0; i < all && at < range.count; i++) {
        const char *text = ployi_tiled_text(&reader->doc, node, keys[i].key);
        if (text == NULL) continue;
        ploy_tiled_property property = {keys[i].key, "", "", 0, keys[i].type, {0, 0}};
        read_value(reader, node, keys[i].key, text, strlen(text), &property);
        read_property_set(reader, range.first + at++, &property);
    }
    return range;
}

// True if the object has that shape: an element in XML, a member in JSON.
static bool read_has(const ployi_tiled_reader *reader, ployi_tiled_node node, const char *key) {
    if (reader->doc.xml != NULL) return ployi_tiled_child(&reader->doc, node, key).index != 0;
    ploy_json_node object = {node.index};
    ploy_json_node member = ploy_json_member(reader->doc.json, object, key);
    ploy_json_type type = ploy_json_type_of(reader->doc.json, member);
    bool truth = type != PLOY_JSON_NONE && type != PLOY_JSON_NULL;
    if (type == PLOY_JSON_BOOL) (void)ploy_json_bool(reader->doc.json, member, &truth);
    return truth;
}

static void read_shape(ployi_tiled_reader *reader, ployi_tiled_node node,
                       ploy_tiled_object *object) {
    static const char *const keys[] = {"ellipse", "point", "polygon", "polyline", "text"};
    for (int32_t i = 0; i < 5; i++) {
        if (!read_has(reader, node, keys[i])) continue;
        object->shape = (ploy_tiled_shape)(PLOY_TILED_ELLIPSE + i);
        if (i == 2 || i == 3) object->points = read_points(reader, node, keys[i]);
        if (i != 4) continue;
        ployi_tiled_node child = ployi_tiled_child(&reader->doc, node, "text");
        object->attributes = read_text_attributes(reader, child);
        if (reader->doc.xml != NULL) {
            ploy_xml_node element = {child.index};
            size_t size = 0;
            const char *text = ploy_xml_text(reader->doc.xml, element, &size);
            object->text = read_keep(reader, text, size);
        } else {
            object->text = ployi_tiled_string(reader, child, "text");
        }
    }
    if (ployi_tiled_text(&reader->doc, node, "gid") != NULL) {
        object->gid = ployi_tiled_gid(reader, node, "gid");
        object->shape = PLOY_TILED_TILE;
    }
}

// The map's id of a template's tile: its tileset is found by its file, or added.
static uint32_t read_template_gid(ployi_tiled_reader *map_reader, ployi_tiled_reader *reader,
                                  ployi_tiled_node set, uint32_t gid) {
    ploy_tiled *map = reader->map;
    const char *source = ployi_tiled_text(&reader->doc, set, "source");
    int32_t first = ployi_tiled_i32(reader, set, "firstgid", 1, 1, 1 << 28);
    if (source == NULL || (gid & ~PLOY_TILED_FLAGS) < (uint32_t)first) return gid;
    const char *name = ployi_tiled_resolve(reader, source);
    int32_t next = 1, found = -1;
    for (int32_t i = 0; name != NULL && i < map->tilesets.count; i++) {
        const ploy_tiled_tileset *one = ploy_array_at(&map->tilesets, i);
        const char *other = ployi_tiled_resolve(map_reader, one->source);
        if (other != NULL && one->source[0] != '\0' && strcmp(name, other) == 0) found = i;
        int32_t end = one->first_gid + (one->tile_count > 0 ? one->tile_count : 1);
        if (end > next) next = end;
    }
    if (found < 0) {
        found = map->tilesets.count;
        ployi_tiled_tileset(reader, set, true);
        ploy_tiled_tileset *added = ploy_array_at(&map->tilesets, found);
        if (added == NULL) return 0;
        added->first_gid = next;
    }
    const ploy_tiled_tileset *one = ploy_array_at(&map->tilesets, found);
    uint32_t local = (gid & ~PLOY_TILED_FLAGS) - (uint32_t)first;
    return (gid & PLOY_TILED_FLAGS) | ((local + (uint32_t)one->first_gid) & ~PLOY_TILED_FLAGS);
}

// The object of a template, read once for each file.
static bool read_template(ployi_tiled_reader *reader, ployi_tiled_node node, const char *source,
                          ploy_tiled_object *out) {
    const char *name = ployi_tiled_resolve(reader, source);
    for (int32_t i = 0; name != NULL && i < reader->templates->count; i++) {
        const ployi_tiled_template *one = ploy_array_at(reader->templates, i);
        if (strcmp(one->name, name) != 0) continue;
        *out = one->object;
        return true;
    }
    ployi_tiled_reader inner;
    if (name == NULL || !ployi_tiled_external(reader, node, "template", source, &inner)) {
        return false;
    }
    ployi_tiled_node root = ployi_tiled_root(&inner.doc);
    ployi_tiled_node object = ployi_tiled_child(&inner.doc, root, "object");
    ployi_tiled_node set = ployi_tiled_child(&inner.doc, root, "tileset");
    if (object.index == 0) {
        ployi_tiled_fault(&inner, root, NULL, "the template has no object", NULL, NULL);
    } else if (ployi_tiled_text(&inner.doc, object, "template") != NULL) {
        ployi_tiled_fault(&inner, object, "template", "a template cannot use a template", NULL,
                          NULL);
    } else {
        ployi_tiled_template one = {name, ployi_tiled_object(&inner, object)};
        if (one.object.gid != 0) {
            one.object.gid = read_template_gid(reader, &inner, set, one.object.gid);
        }
        *out = one.object;
        ploy_result result = ploy_array_push(reader->templates, &one);
        if (result != PLOY_OK) ployi_tiled_fail(&inner, result);
    }
    ployi_tiled_doc_close(&inner.doc);
    if (inner.result != PLOY_OK) ployi_tiled_fail(reader, inner.result);
    return inner.result == PLOY_OK;
}

// The object's own properties, then those of its template that it does not have.
static ploy_tiled_range read_merge(ployi_tiled_reader *reader, ploy_tiled_range own,
                                   ploy_tiled_range base) {
    if (base.count == 0 || ployi_tiled_broken(reader)) return own.count > 0 ? own : base;
    ploy_tiled_range range = read_property_room(reader, own.count + base.count);
    if (range.count == 0) return own;
    ploy_tiled_property *all = PLOY_ARRAY_ITEMS(&reader->map->properties, ploy_tiled_property);
    int32_t count = 0;
    for (int32_t i = 0; i < own.count; i++) all[range.first + count++] = all[own.first + i];
    for (int32_t i = 0; i < base.count; i++) {
        if (ploy_tiled_find_property(reader->map, own, all[base.first + i].name) != NULL) continue;
        all[range.first + count++] = all[base.first + i];
    }
    range.count = count;
    ploy_result result = ploy_array_resize(&reader->map->properties, range.first + count);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
    return range;
}

ploy_tiled_object ployi_tiled_object(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_object object;
    memset(&object, 0, sizeof object);
    object.name = object.class_name = object.template_name = object.text = "";
    object.visible = true;
    object.opacity = 1;
    const char *source = ployi_tiled_text(&reader->doc, node, "template");
    if (source != NULL) {
        (void)read_template(reader, node, source, &object);
        object.template_name = ployi_tiled_string(reader, node, "template");
    }
    if (ployi_tiled_text(&reader->doc, node, "name") != NULL) {
        object.name = ployi_tiled_string(reader, node, "name");
    }
    const char *class_name = ployi_tiled_class(reader, node);
    if (*class_name != '\0') object.class_name = class_name;
    object.id = ployi_tiled_i32(reader, node, "id", 0, 0, INT32_MAX);
    object.x = ployi_tiled_f64(reader, node, "x", 0);
    object.y = ployi_tiled_f64(reader, node, "y", 0);
    object.width = ployi_tiled_f64(reader, node, "width", object.width);
    object.height = ployi_tiled_f64(reader, node, "height", object.height);
    object.rotation = ployi_tiled_f64(reader, node, "rotation", object.rotation);
    object.opacity = ployi_tiled_f64(reader, node, "opacity", object.opacity);
    object.visible = ployi_tiled_bool(reader, node, "visible", object.visible);
    read_shape(reader, node, &object);
    object.properties = read_merge(reader, ployi_tiled_properties(reader, node), object.properties);
    return object;
}

ploy_tiled_range ployi_tiled_objects(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_range range = {reader->map->objects.count, 0};
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, "object", "objects");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        ploy_tiled_object object = ployi_tiled_object(reader, each.at);
        ploy_result result = ploy_array_push(&reader->map->objects, &object);
        if (result != PLOY_OK) ployi_tiled_fail(reader, result);
    }
    range.count = reader->map->objects.count - range.first;
    return range;
}

// ---- layers

static void read_layers(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t parent);

static ploy_tiled_layer read_layer_common(ployi_tiled_reader *reader, ployi_tiled_node node) {
    ploy_tiled_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.name = ployi_tiled_string(reader, node, "name");
    layer.class_name = ployi_tiled_string(reader, node, "class");
    layer.tint = ployi_tiled_string(reader, node, "tintcolor");
    layer.blend = ployi_tiled_string(reader, node, "mode");
    if (strcmp(layer.blend, "normal") == 0) layer.blend = "";
    layer.color = "";
    layer.image.source = layer.image.trans = "";
    layer.id = ployi_tiled_i32(reader, node, "id", 0, 0, INT32_MAX);
    layer.visible = ployi_tiled_bool(reader, node, "visible", true);
    layer.locked = ployi_tiled_bool(reader, node, "locked", false);
    layer.opacity = ployi_tiled_f64(reader, node, "opacity", 1);
    layer.offset_x = ployi_tiled_f64(reader, node, "offsetx", 0);
    layer.offset_y = ployi_tiled_f64(reader, node, "offsety", 0);
    layer.parallax_x = ployi_tiled_f64(reader, node, "parallaxx", 1);
    layer.parallax_y = ployi_tiled_f64(reader, node, "parallaxy", 1);
    layer.properties = ployi_tiled_properties(reader, node);
    return layer;
}

static void read_layer(ployi_tiled_reader *reader, ployi_tiled_node node,
                       ploy_tiled_layer_kind kind, int32_t parent) {
    static const char *const orders[] = {"topdown", "index"};
    ploy_tiled_layer layer = read_layer_common(reader, node);
    layer.kind = kind;
    layer.parent = parent;
    if (kind == PLOY_TILED_LAYER_TILES) {
        layer.width = ployi_tiled_i32(reader, node, "width", 0, 0, PLOY_TILED_SIDE_MAX);
        layer.height = ployi_tiled_i32(reader, node, "height", 0, 0, PLOY_TILED_SIDE_MAX);
        ployi_tiled_cells(reader, node, &layer);
    } else if (kind == PLOY_TILED_LAYER_OBJECTS) {
        layer.color = ployi_tiled_string(reader, node, "color");
        layer.index_order = ployi_tiled_word(reader, node, "draworder", orders, 2, 0) == 1;
        layer.objects = ployi_tiled_objects(reader, node);
    } else if (kind == PLOY_TILED_LAYER_IMAGE) {
        layer.image = ployi_tiled_image(reader, node);
        layer.repeat_x = ployi_tiled_bool(reader, node, "repeatx", false);
        layer.repeat_y = ployi_tiled_bool(reader, node, "repeaty", false);
    }
    ploy_result result = ploy_array_push(&reader->map->layers, &layer);
    if (result != PLOY_OK) ployi_tiled_fail(reader, result);
    if (result == PLOY_OK && kind == PLOY_TILED_LAYER_GROUP) {
        read_layers(reader, node, reader->map->layers.count - 1);
    }
}

static void read_layers(ployi_tiled_reader *reader, ployi_tiled_node node, int32_t parent) {
    static const char *const elements[] = {"layer", "objectgroup", "imagelayer", "group"};
    static const char *const types[] = {"tilelayer", "objectgroup", "imagelayer", "group"};
    if (++reader->depth > PLOY_TILED_DEPTH_MAX) {
        ployi_tiled_fault(reader, node, NULL, "groups are nested more than 32 deep", NULL, NULL);
        reader->depth--;
        return;
    }
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, NULL, "layers");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        int32_t kind = -1;
        if (reader->doc.json != NULL) {
            kind = ployi_tiled_word(reader, each.at, "type", types, 4, -1);
            if (kind < 0 && reader->result == PLOY_OK) {
                ployi_tiled_fault(reader, each.at, NULL, "a layer has no type", NULL, NULL);
            }
        } else {
            ploy_xml_node element = {each.at.index};
            for (int32_t i = 0; i < 4; i++) {
                if (ploy_xml_is(reader->doc.xml, element, elements[i])) kind = i;
            }
        }
        if (kind >= 0) read_layer(reader, each.at, (ploy_tiled_layer_kind)kind, parent);
    }
    reader->depth--;
}

// ---- maps

// A number from 1 on that a map must have.
static int32_t read_needed(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key) {
    if (ployi_tiled_text(&reader->doc, node, key) == NULL) {
        char message[64] = "the map has no ";
        (void)strncat(message, key, 30);
        ployi_tiled_fault(reader, node, NULL, message, NULL, NULL);
        return 0;
    }
    return ployi_tiled_i32(reader, node, key, 0, 1, PLOY_TILED_SIDE_MAX);
}

void ployi_tiled_map(ployi_tiled_reader *reader, ployi_tiled_node node) {
    static const char *const axes[] = {"y", "x"};
    static const char *const indexes[] = {"odd", "even"};
    ploy_tiled_view *view = &reader->map->view;
    view->class_name = ployi_tiled_string(reader, node, "class");
    view->background = ployi_tiled_string(reader, node, "backgroundcolor");
    view->orientation = (ploy_tiled_orientation)ployi_tiled_word(
        reader, node, "orientation", ployi_tiled_orientation_words, PLOY_TILED_ORIENTATIONS, 0);
    if (ployi_tiled_text(&reader->doc, node, "renderorder") != NULL) {
        view->render_order = ployi_tiled_string(reader, node, "renderorder");
    }
    view->infinite = ployi_tiled_bool(reader, node, "infinite", false);
    view->width = read_needed(reader, node, "width");
    view->height = read_needed(reader, node, "height");
    view->tile_width = read_needed(reader, node, "tilewidth");
    view->tile_height = read_needed(reader, node, "tileheight");
    view->hex_side = ployi_tiled_i32(reader, node, "hexsidelength", 0, 0, PLOY_TILED_SIDE_MAX);
    view->stagger_x = ployi_tiled_word(reader, node, "staggeraxis", axes, 2, 0) == 1;
    view->stagger_even = ployi_tiled_word(reader, node, "staggerindex", indexes, 2, 0) == 1;
    view->next_layer = ployi_tiled_i32(reader, node, "nextlayerid", 1, 0, INT32_MAX);
    view->next_object = ployi_tiled_i32(reader, node, "nextobjectid", 1, 0, INT32_MAX);
    view->parallax_x = ployi_tiled_f64(reader, node, "parallaxoriginx", 0);
    view->parallax_y = ployi_tiled_f64(reader, node, "parallaxoriginy", 0);
    view->properties = ployi_tiled_properties(reader, node);
    ployi_tiled_each each = ployi_tiled_each_make(&reader->doc, node, NULL, "tileset", "tilesets");
    while (ployi_tiled_each_next(&each) && !ployi_tiled_broken(reader)) {
        ployi_tiled_tileset(reader, each.at, true);
    }
    if (!ployi_tiled_broken(reader)) read_layers(reader, node, -1);
}
