// Writing behavior-tree documents as XML and as JSON.
//
// Both write the items as they were read: attributes in their order, names as they stood. A node
// whose type is no XML name keeps the explicit form that it must have come in.
#include <string.h>

#include "data/bt_file_internal.h"
#include "ploy/base/json_writer.h"

// ---- XML ----

static void bt_save_indent(ploy_writer *writer, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(writer, "  ");
}

static void bt_save_attr(ploy_writer *writer, const char *name, const char *value) {
    if (value == NULL) return;
    ploy_write_char(writer, ' ');
    ploy_write_text(writer, name);
    ploy_write_text(writer, "=\"");
    ploy_xml_write_text(writer, value, strlen(value));
    ploy_write_char(writer, '"');
}

static void bt_save_open(ploy_writer *writer, int32_t depth, const char *tag) {
    bt_save_indent(writer, depth);
    ploy_write_char(writer, '<');
    ploy_write_text(writer, tag);
}

static void bt_save_close(ploy_writer *writer, int32_t depth, const char *tag) {
    bt_save_indent(writer, depth);
    ploy_write_text(writer, "</");
    ploy_write_text(writer, tag);
    ploy_write_text(writer, ">\n");
}

// Types with blanks and similar characters come from JSON or from the explicit form.
static bool bt_save_is_tag(const char *type) {
    for (const char *at = type; *at != 0; at++) {
        unsigned char c = (unsigned char)*at;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
        bool other = (c >= '0' && c <= '9') || c == '-' || c == '.';
        if (!letter && (at == type || !other)) return false;
    }
    return type[0] != 0;
}

static void bt_save_xml_item(const ploy_bt_file *file, int32_t at, ploy_writer *writer) {
    const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    const char *tag = item->category;
    if (tag == NULL) tag = bt_save_is_tag(item->type) ? item->type : "Action";
    int32_t depth = item->depth + 2;
    bt_save_open(writer, depth, tag);
    bt_save_attr(writer, "ID", tag != item->type ? item->type : item->id);
    bt_save_attr(writer, "name", item->name);
    for (int32_t i = 0; i < item->attr_count; i++) {
        const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
        bt_save_attr(writer, attr->name, attr->value);
    }
    if (item->children == 0) {
        ploy_write_text(writer, "/>\n");
        return;
    }
    ploy_write_text(writer, ">\n");
    for (int32_t child = at + 1; child < item->end;) {
        bt_save_xml_item(file, child, writer);
        child = PLOYI_BT_FILE_AT(file, item, child)->end;
    }
    bt_save_close(writer, depth, tag);
}

static void bt_save_xml_model(const ploy_bt_file *file, const ployi_btf_model *model,
                              ploy_writer *writer) {
    bt_save_open(writer, 2, model->category);
    bt_save_attr(writer, "ID", model->id);
    ploy_write_text(writer, model->port_count > 0 ? ">\n" : "/>\n");
    for (int32_t i = 0; i < model->port_count; i++) {
        const ployi_btf_model_port *port =
            PLOYI_BT_FILE_AT(file, model_port, model->first_port + i);
        bt_save_open(writer, 3, port->direction);
        bt_save_attr(writer, "name", port->name);
        bt_save_attr(writer, "type", port->type);
        bt_save_attr(writer, "default", port->value);
        if (port->help == NULL) {
            ploy_write_text(writer, "/>\n");
            continue;
        }
        ploy_write_char(writer, '>');
        ploy_xml_write_text(writer, port->help, strlen(port->help));
        bt_save_close(writer, 0, port->direction);
    }
    if (model->port_count > 0) bt_save_close(writer, 2, model->category);
}

ploy_result ploy_bt_file_save_xml(const ploy_bt_file *file, ploy_writer *writer) {
    bt_save_open(writer, 0, "root");
    bt_save_attr(writer, "BTCPP_format", "4");
    bt_save_attr(writer, "main_tree_to_execute", file->main_id);
    ploy_write_text(writer, ">\n");
    for (int32_t i = 0; i < file->trees.count; i++) {
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        bt_save_open(writer, 1, "BehaviorTree");
        bt_save_attr(writer, "ID", tree->named ? tree->id : NULL);
        ploy_write_text(writer, ">\n");
        bt_save_xml_item(file, tree->first, writer);
        bt_save_close(writer, 1, "BehaviorTree");
    }
    if (file->models.count > 0) ploy_write_text(writer, "  <TreeNodesModel>\n");
    for (int32_t i = 0; i < file->models.count; i++) {
        bt_save_xml_model(file, PLOYI_BT_FILE_AT(file, model, i), writer);
    }
    if (file->models.count > 0) ploy_write_text(writer, "  </TreeNodesModel>\n");
    ploy_write_text(writer, "</root>\n");
    return ploy_writer_result(writer);
}

// ---- JSON ----

static void bt_save_member(ploy_json_writer *json, const char *key, const char *value) {
    if (value == NULL) return;
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, value);
}

static void bt_save_json_item(const ploy_bt_file *file, int32_t at, ploy_json_writer *json) {
    const ployi_btf_item *item = PLOYI_BT_FILE_AT(file, item, at);
    ploy_json_write_begin_object(json);
    bt_save_member(json, "type", item->type);
    bt_save_member(json, "category", item->category);
    bt_save_member(json, "id", item->id);
    bt_save_member(json, "name", item->name);
    if (item->attr_count > 0) {
        ploy_json_write_key(json, "attributes");
        ploy_json_write_begin_object(json);
        for (int32_t i = 0; i < item->attr_count; i++) {
            const ployi_btf_attr *attr = PLOYI_BT_FILE_AT(file, attr, item->first_attr + i);
            bt_save_member(json, attr->name, attr->value);
        }
        ploy_json_write_end_object(json);
    }
    if (item->children > 0) {
        ploy_json_write_key(json, "children");
        ploy_json_write_begin_array(json);
        for (int32_t child = at + 1; child < item->end;) {
            bt_save_json_item(file, child, json);
            child = PLOYI_BT_FILE_AT(file, item, child)->end;
        }
        ploy_json_write_end_array(json);
    }
    ploy_json_write_end_object(json);
}

static void bt_save_json_model(const ploy_bt_file *file, const ployi_btf_model *model,
                               ploy_json_writer *json) {
    ploy_json_write_begin_object(json);
    bt_save_member(json, "category", model->category);
    bt_save_member(json, "id", model->id);
    ploy_json_write_key(json, "ports");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < model->port_count; i++) {
        const ployi_btf_model_port *port =
            PLOYI_BT_FILE_AT(file, model_port, model->first_port + i);
        ploy_json_write_begin_object(json);
        bt_save_member(json, "direction", port->direction);
        bt_save_member(json, "name", port->name);
        bt_save_member(json, "type", port->type);
        bt_save_member(json, "default", port->value);
        bt_save_member(json, "help", port->help);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    ploy_json_write_end_object(json);
}

ploy_result ploy_bt_file_save_json(const ploy_bt_file *file, ploy_writer *writer) {
    ploy_json_writer json;
    ploy_json_writer_init(&json, writer, 2);
    ploy_json_write_begin_object(&json);
    bt_save_member(&json, "format", "ploy.bt");
    bt_save_member(&json, "main", file->main_id);
    ploy_json_write_key(&json, "trees");
    ploy_json_write_begin_array(&json);
    for (int32_t i = 0; i < file->trees.count; i++) {
        const ployi_btf_tree *tree = PLOYI_BT_FILE_AT(file, tree, i);
        ploy_json_write_begin_object(&json);
        bt_save_member(&json, "id", tree->named ? tree->id : NULL);
        ploy_json_write_key(&json, "root");
        bt_save_json_item(file, tree->first, &json);
        ploy_json_write_end_object(&json);
    }
    ploy_json_write_end_array(&json);
    if (file->models.count > 0) {
        ploy_json_write_key(&json, "models");
        ploy_json_write_begin_array(&json);
        for (int32_t i = 0; i < file->models.count; i++) {
            bt_save_json_model(file, PLOYI_BT_FILE_AT(file, model, i), &json);
        }
        ploy_json_write_end_array(&json);
    }
    ploy_json_write_end_object(&json);
    return ploy_json_writer_finish(&json);
}
