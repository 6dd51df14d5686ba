// Reading behavior-tree documents: XML or JSON into the same items, and what they include.
#include <string.h>

#include "data/bt_file_internal.h"

// Most files of one document: the caller's reader might return more of them without end.
enum { BT_READ_SOURCES = 256 };

// A source that is being read.
typedef struct bt_read {
    ploy_bt_file *file;
    const ploy_xml *xml;
    const ploy_json *json;
    int32_t source;
} bt_read;

static const char *const bt_read_categories[] = {"Action", "Condition", "Control", "Decorator"};

static ployi_btf_place bt_read_xml_place(const bt_read *read, ploy_xml_node node) {
    ploy_xml_position at = ploy_xml_position_of(read->xml, node);
    ployi_btf_place place = {read->source, at.line, at.column};
    return place;
}

static ployi_btf_place bt_read_json_place(const bt_read *read, ploy_json_node node) {
    ploy_json_position at = ploy_json_position_of(read->json, node);
    ployi_btf_place place = {read->source, at.line, at.column};
    return place;
}

// ---- items ----

static bool bt_read_push(ploy_bt_file *file, ploy_array *array, const void *item) {
    return ploy_array_push(array, item) == PLOY_OK || ployi_bt_file_memory(file);
}

// Adds an item under its parent, -1 for a tree's root. -1 if memory is short.
static int32_t bt_read_item(ploy_bt_file *file, int32_t parent, ployi_btf_place place) {
    ployi_btf_item item;
    memset(&item, 0, sizeof item);
    item.place = place;
    item.parent = parent;
    item.kind = item.tree = item.model = item.leaf = -1;
    item.first_attr = file->attrs.count;
    if (parent >= 0) {
        ployi_btf_item *above = PLOYI_BT_FILE_AT(file, item, parent);
        above->children++;
        item.depth = above->depth + 1;
    }
    if (!bt_read_push(file, &file->items, &item)) return -1;
    return file->items.count - 1;
}

static bool bt_read_attr(ploy_bt_file *file, int32_t item, const char *name, const char *value,
                         ployi_btf_place place) {
    ployi_btf_attr attr = {name, value, place, NULL};
    if (!bt_read_push(file, &file->attrs, &attr)) return false;
    PLOYI_BT_FILE_AT(file, item, item)->attr_count++;
    return true;
}

static bool bt_read_tree(ploy_bt_file *file, const char *id, ployi_btf_place place) {
    ployi_btf_tree tree;
    memset(&tree, 0, sizeof tree);
    tree.id = id != NULL ? id : "BehaviorTree";
    tree.named = id != NULL;
    tree.place = place;
    tree.first = tree.end = file->items.count;
    ploy_map_init(&tree.by_name, sizeof(int32_t), &file->env);
    ploy_array_init(&tree.keys, sizeof(int32_t), &file->env);
    return bt_read_push(file, &file->trees, &tree);
}

static void bt_read_end_tree(ploy_bt_file *file, int32_t roots) {
    ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, file->trees.count - 1);
    tree->end = file->items.count;
    if (roots == 1) return;
    ployi_bt_file_fault(file, tree->place, PLOY_ERR_FORMAT,
                        roots == 0 ? "missing root node in tree"
                                   : "more than one root node in tree",
                        tree->id, NULL, NULL);
}

// The main tree is what the file that was requested says; included ones have no say.
static void bt_read_main(const bt_read *read, const char *id, ployi_btf_place place) {
    if (read->source != 0 || id == NULL) return;
    read->file->main_id = id;
    read->file->main_place = place;
}

static const char *bt_read_category(const char *word) {
    for (size_t i = 0; i < sizeof bt_read_categories / sizeof bt_read_categories[0]; i++) {
        if (strcmp(word, bt_read_categories[i]) == 0) return bt_read_categories[i];
    }
    return NULL;
}

// ---- includes ----

// Writes the path behind the folder of the including file, without "." and "x/..".
static const char *bt_read_join(ploy_bt_file *file, const char *from, const char *path) {
    const char *slash = strrchr(from, '/');
    size_t folder = slash != NULL && path[0] != '/' ? (size_t)(slash - from) + 1 : 0;
    size_t size = folder + strlen(path);
    char *whole = ploy_arena_alloc(file->arena, size + 1);
    if (whole == NULL) {
        ployi_bt_file_memory(file);
        return NULL;
    }
    if (folder > 0) memcpy(whole, from, folder);
    memcpy(whole + folder, path, size - folder + 1);
    size_t out = 0;
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && whole[end] != '/') end++;
        size_t length = end - at, next = end < size ? end + 1 : end;
        bool here = length == 1 && whole[at] == '.';
        bool up = length == 2 && whole[at] == '.' && whole[at + 1] == '.';
        size_t back = out > 0 ? out - 1 : 0; // before the last slash
        while (back > 0 && whole[back - 1] != '/') back--;
        bool above = out > 0 && !(out == 1 && whole[0] == '/') &&
                     !(out - back == 3 && whole[back] == '.' && whole[back + 1] == '.');
        if (up && above) {
            out = back;
        } else if (!here) {
            memmove(whole + out, whole + at, next - at);
            out += next - at;
        }
        at = next;
    }
    whole[out] = 0;
    return whole;
}

static void bt_read_include(const bt_read *read, const char *path, ployi_btf_place place) {
    ploy_bt_file *file = read->file;
    if (path == NULL || path[0] == 0) {
        ployi_bt_file_fault(file, place, PLOY_ERR_FORMAT, "missing attribute", "path", NULL, NULL);
        return;
    }
    if (file->def->read == NULL) {
        ployi_bt_file_fault(file, place, PLOY_ERR_UNSUPPORTED,
                            "cannot read without a reader the included file", path, NULL, NULL);
        return;
    }
    if (file->sources.count >= BT_READ_SOURCES) {
        ployi_bt_file_fault(file, place, PLOY_ERR_LIMIT, "too many included files, stopped at",
                            path, NULL, NULL);
        return;
    }
    const char *from = PLOYI_BT_FILE_AT(file, source, read->source)->name;
    ployi_btf_source source = {bt_read_join(file, from, path), NULL, NULL};
    if (source.name == NULL) return;
    for (int32_t i = 0; i < file->sources.count; i++) {
        const char *name = bt_read_join(file, "", PLOYI_BT_FILE_AT(file, source, i)->name);
        if (name == NULL || strcmp(name, source.name) == 0) return; // each file once
    }
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &file->env);
    ploy_result result = file->def->read(file->def->read_user, source.name, &bytes);
    if (result == PLOY_ERR_MEMORY) {
        ployi_bt_file_memory(file);
    } else if (result != PLOY_OK) {
        ployi_bt_file_fault(file, place, result < 0 ? result : PLOY_ERR_CALLBACK,
                            "cannot read the included file", source.name, NULL, NULL);
    } else {
        ployi_bt_file_read(file, bytes.bytes, bytes.size, source.name);
    }
    ploy_buffer_fini(&bytes);
}

// ---- XML ----

static void bt_read_xml_attrs(const bt_read *read, ploy_xml_node node, int32_t at) {
    ploy_bt_file *file = read->file;
    const char *word = ploy_xml_name(read->xml, node);
    ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    item->type = word;
    item->category = bt_read_category(word);
    bool subtree = strcmp(word, "SubTree") == 0;
    if (item->category != NULL) item->type = NULL;
    int32_t count = ploy_xml_attribute_count(read->xml, node);
    for (int32_t i = 0; i < count; i++) {
        ploy_xml_attribute attribute = ploy_xml_attribute_at(read->xml, node, i);
        item = PLOYI_BT_FILE_AT(file, item, at);
        if (strcmp(attribute.name, "name") == 0) {
            item->name = attribute.value;
        } else if (strcmp(attribute.name, "ID") == 0 && item->category != NULL) {
            item->type = attribute.value;
        } else if (strcmp(attribute.name, "ID") == 0 && subtree) {
            item->id = attribute.value;
        } else {
            ployi_btf_place place = {read->source, attribute.position.line,
                                     attribute.position.column};
            if (!bt_read_attr(file, at, attribute.name, attribute.value, place)) return;
        }
    }
    item = PLOYI_BT_FILE_AT(file, item, at);
    if (item->type == NULL) {
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "missing ID in", word, NULL, NULL);
        item->type = "";
    }
}

// As deep as the document, which the reader limits.
static void bt_read_xml_item(const bt_read *read, ploy_xml_node node, int32_t parent) {
    ploy_bt_file *file = read->file;
    int32_t at = bt_read_item(file, parent, bt_read_xml_place(read, node));
    if (at < 0) return;
    bt_read_xml_attrs(read, node, at);
    ploy_xml_node child = ploy_xml_first(read->xml, node);
    for (; !ploy_xml_is_none(child); child = ploy_xml_next(read->xml, child)) {
        bt_read_xml_item(read, child, at);
    }
    PLOYI_BT_FILE_AT(file, item, at)->end = file->items.count;
}

static void bt_read_xml_model(const bt_read *read, ploy_xml_node node) {
    ploy_bt_file *file = read->file;
    ployi_btf_model model = {ploy_xml_name(read->xml, node), ploy_xml_get(read->xml, node, "ID"),
                             bt_read_xml_place(read, node), file->model_ports.count, 0};
    ploy_xml_node child = ploy_xml_first(read->xml, node);
    for (; !ploy_xml_is_none(child); child = ploy_xml_next(read->xml, child)) {
        const char *word = ploy_xml_name(read->xml, child);
        size_t size = strlen(word);
        if (size < 5 || strcmp(word + size - 5, "_port") != 0) continue; // an editor's own
        const char *help = ploy_xml_text(read->xml, child, NULL);
        ployi_btf_model_port port = {word,
                                     ploy_xml_get(read->xml, child, "name"),
                                     ploy_xml_get(read->xml, child, "type"),
                                     ploy_xml_get(read->xml, child, "default"),
                                     help[0] != 0 ? help : NULL,
                                     bt_read_xml_place(read, child)};
        if (!bt_read_push(file, &file->model_ports, &port)) return;
        model.port_count++;
    }
    bt_read_push(file, &file->models, &model);
}

static void bt_read_xml(const bt_read *read) {
    ploy_bt_file *file = read->file;
    const ploy_xml *xml = read->xml;
    ploy_xml_node root = ploy_xml_root(xml);
    if (!ploy_xml_is(xml, root, "root")) {
        ployi_bt_file_fault(file, bt_read_xml_place(read, root), PLOY_ERR_FORMAT,
                            "unexpected root element", ploy_xml_name(xml, root), "root", NULL);
        return;
    }
    const char *version = ploy_xml_get(xml, root, "BTCPP_format");
    if (version != NULL && strcmp(version, "4") != 0) {
        ployi_bt_file_fault(file, bt_read_xml_place(read, root), PLOY_ERR_VERSION,
                            "unsupported BTCPP_format", version, "4", NULL);
    }
    bt_read_main(read, ploy_xml_get(xml, root, "main_tree_to_execute"),
                 bt_read_xml_place(read, root));
    ploy_xml_node node = ploy_xml_first(xml, root);
    for (; !ploy_xml_is_none(node); node = ploy_xml_next(xml, node)) {
        ployi_btf_place place = bt_read_xml_place(read, node);
        const char *word = ploy_xml_name(xml, node);
        if (strcmp(word, "BehaviorTree") == 0) {
            if (!bt_read_tree(file, ploy_xml_get(xml, node, "ID"), place)) return;
            ploy_xml_node item = ploy_xml_first(xml, node);
            for (; !ploy_xml_is_none(item); item = ploy_xml_next(xml, item)) {
                bt_read_xml_item(read, item, -1);
            }
            bt_read_end_tree(file, ploy_xml_count(xml, node));
        } else if (strcmp(word, "TreeNodesModel") == 0) {
            ploy_xml_node model = ploy_xml_first(xml, node);
            for (; !ploy_xml_is_none(model); model = ploy_xml_next(xml, model)) {
                bt_read_xml_model(read, model);
            }
        } else if (strcmp(word, "include") != 0) { // those below, when this file's trees are there
            ploy_nearest nearest = ploy_nearest_make(word);
            ploy_nearest_offer(&nearest, "BehaviorTree");
            ploy_nearest_offer(&nearest, "TreeNodesModel");
            ploy_nearest_offer(&nearest, "include");
            ployi_bt_file_fault(file, place, PLOY_ERR_FORMAT, "unknown element", word,
                                "BehaviorTree, TreeNodesModel or include", nearest.best);
        }
    }
    node = ploy_xml_find(xml, root, "include");
    for (; !ploy_xml_is_none(node); node = ploy_xml_find_next(xml, node, "include")) {
        bt_read_include(read, ploy_xml_get(xml, node, "path"), bt_read_xml_place(read, node));
    }
}

// ---- JSON ----

// A member that is a text; NULL if it is not there, and a fault if it is something else.
static const char *bt_read_text(const bt_read *read, ploy_json_node object, const char *key) {
    ploy_json_node node = ploy_json_member(read->json, object, key);
    ploy_json_type type = ploy_json_type_of(read->json, node);
    if (type == PLOY_JSON_TEXT) return ploy_json_text(read->json, node, NULL);
    if (type != PLOY_JSON_NONE) {
        ployi_bt_file_fault(read->file, bt_read_json_place(read, node), PLOY_ERR_FORMAT,
                            "expected text, found another type in", key, NULL, NULL);
    }
    return NULL;
}

// True if the node is of the type; false and a fault otherwise, but not if it may be missing.
static bool bt_read_is(const bt_read *read, ploy_json_node node, ploy_json_type type,
                       const char *what, bool optional) {
    ploy_json_type is = ploy_json_type_of(read->json, node);
    if (is == type) return true;
    if (is == PLOY_JSON_NONE && optional) return false;
    ployi_bt_file_fault(read->file, bt_read_json_place(read, node), PLOY_ERR_FORMAT,
                        "missing or wrong type:", what, ploy_json_type_text(type), NULL);
    return false;
}

static void bt_read_json_attrs(const bt_read *read, ploy_json_node attrs, int32_t at) {
    int32_t count = ploy_json_count(read->json, attrs);
    for (int32_t i = 0; i < count; i++) {
        ploy_json_node node = ploy_json_at(read->json, attrs, i);
        const char *name = ploy_json_key(read->json, node, NULL), *value;
        ployi_btf_place place = bt_read_json_place(read, node);
        bool flag = false;
        switch (ploy_json_type_of(read->json, node)) {
        case PLOY_JSON_TEXT:
        case PLOY_JSON_NUMBER: value = ploy_json_text(read->json, node, NULL); break;
        case PLOY_JSON_BOOL:
            (void)ploy_json_bool(read->json, node, &flag);
            value = flag ? "true" : "false";
            break;
        default:
            ployi_bt_file_fault(read->file, place, PLOY_ERR_FORMAT,
                                "expected text, a number or a bool in attribute", name, NULL, NULL);
            continue;
        }
        if (!bt_read_attr(read->file, at, name, value, place)) return;
    }
}

static void bt_read_json_item(const bt_read *read, ploy_json_node node, int32_t parent) {
    static const char *const keys[] = {"type", "category", "id", "name", "attributes", "children"};
    ploy_bt_file *file = read->file;
    if (!bt_read_is(read, node, PLOY_JSON_OBJECT, "node", false)) return;
    int32_t at = bt_read_item(file, parent, bt_read_json_place(read, node));
    if (at < 0) return;
    if (ploy_json_check_keys(read->json, node, keys, 6, file->diags) > 0 &&
        file->result == PLOY_OK) {
        file->result = PLOY_ERR_FORMAT;
    }
    const char *type = bt_read_text(read, node, "type");
    const char *category = bt_read_text(read, node, "category");
    ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    item->type = type != NULL ? type : "";
    item->category = category != NULL ? bt_read_category(category) : NULL;
    item->name = bt_read_text(read, node, "name");
    item->id = bt_read_text(read, node, "id");
    if (type == NULL) {
        ployi_bt_file_fault(file, item->place, PLOY_ERR_FORMAT, "missing attribute", "type", NULL,
                            NULL);
    }
    ploy_json_node attrs = ploy_json_member(read->json, node, "attributes");
    if (bt_read_is(read, attrs, PLOY_JSON_OBJECT, "attributes", true)) {
        bt_read_json_attrs(read, attrs, at);
    }
    ploy_json_node children = ploy_json_member(read->json, node, "children");
    if (bt_read_is(read, children, PLOY_JSON_ARRAY, "children", true)) {
        for (int32_t i = 0; i < ploy_json_count(read->json, children); i++) {
            bt_read_json_item(read, ploy_json_at(read->json, children, i), at);
        }
    }
    PLOYI_BT_FILE_AT(file, item, at)->end = file->items.count;
}

static void bt_read_json_model(const bt_read *read, ploy_json_node node) {
    ploy_bt_file *file = read->file;
    const char *category = bt_read_text(read, node, "category");
    ployi_btf_model model = {category != NULL ? category : "", bt_read_text(read, node, "id"),
                             bt_read_json_place(read, node), file->model_ports.count, 0};
    ploy_json_node ports = ploy_json_member(read->json, node, "ports");
    for (int32_t i = 0; i < ploy_json_count(read->json, ports); i++) {
        ploy_json_node at = ploy_json_at(read->json, ports, i);
        const char *direction = bt_read_text(read, at, "direction");
        ployi_btf_model_port port = {direction != NULL ? direction : "inout_port",
                                     bt_read_text(read, at, "name"),
                                     bt_read_text(read, at, "type"),
                                     bt_read_text(read, at, "default"),
                                     bt_read_text(read, at, "help"),
                                     bt_read_json_place(read, at)};
        if (!bt_read_push(file, &file->model_ports, &port)) return;
        model.port_count++;
    }
    bt_read_push(file, &file->models, &model);
}

static void bt_read_json(const bt_read *read) {
    static const char *const keys[] = {"format", "main", "trees", "models", "include"};
    ploy_bt_file *file = read->file;
    const ploy_json *json = read->json;
    ploy_json_node root = ploy_json_root(json);
    if (!bt_read_is(read, root, PLOY_JSON_OBJECT, "document", false)) return;
    if (ploy_json_check_keys(json, root, keys, 5, file->diags) > 0 && file->result == PLOY_OK) {
        file->result = PLOY_ERR_FORMAT;
    }
    const char *format = bt_read_text(read, root, "format");
    if (format == NULL || strcmp(format, "ploy.bt") != 0) {
        ployi_bt_file_fault(file, bt_read_json_place(read, root), PLOY_ERR_FORMAT,
                            "unexpected format", format, "ploy.bt", NULL);
    }
    bt_read_main(read, bt_read_text(read, root, "main"),
                 bt_read_json_place(read, ploy_json_member(json, root, "main")));
    ploy_json_node trees = ploy_json_member(json, root, "trees");
    for (int32_t i = 0; i < ploy_json_count(json, trees); i++) {
        ploy_json_node tree = ploy_json_at(json, trees, i);
        const char *id = bt_read_text(read, tree, "id");
        if (!bt_read_tree(file, id, bt_read_json_place(read, tree))) return;
        bt_read_json_item(read, ploy_json_member(json, tree, "root"), -1);
        bt_read_end_tree(file, 1);
    }
    ploy_json_node models = ploy_json_member(json, root, "models");
    for (int32_t i = 0; i < ploy_json_count(json, models); i++) {
        bt_read_json_model(read, ploy_json_at(json, models, i));
    }
    ploy_json_node include = ploy_json_member(json, root, "include");
    for (int32_t i = 0; i < ploy_json_count(json, include); i++) {
        ploy_json_node at = ploy_json_at(json, include, i);
        bt_read_include(read, ploy_json_text(json, at, NULL), bt_read_json_place(read, at));
    }
}

void ployi_bt_file_read(ploy_bt_file *file, const void *bytes, size_t size, const char *name) {
    const char *text = bytes;
    size_t at = 0;
    while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
    // What it is says its first character; what is neither is measured by the name it has.
    size_t length = strlen(name);
    bool named_json = length >= 5 && strcmp(name + length - 5, ".json") == 0;
    char first = at < size ? text[at] : '\0';
    bool json = first == '{' || (named_json && first != '<');
    ployi_btf_source source = {ployi_bt_file_copy(file, name, length), NULL, NULL};
    ploy_xml_def def = ploy_xml_def_default();
    def.relaxed = file->def->relaxed;
    if (source.name == NULL) return;
    ploy_result result =
        json ? ploy_json_load(bytes, size, name, NULL, &file->env, file->diags, &source.json)
             : ploy_xml_load(bytes, size, name, &def, &file->env, file->diags, &source.xml);
    if (result != PLOY_OK) {
        if (file->result == PLOY_OK) file->result = result;
        return;
    }
    if (!bt_read_push(file, &file->sources, &source)) {
        ploy_xml_destroy(source.xml);
        ploy_json_destroy(source.json);
        return;
    }
    bt_read read = {file, source.xml, source.json, file->sources.count - 1};
    if (json) {
        bt_read_json(&read);
    } else {
        bt_read_xml(&read);
    }
}
