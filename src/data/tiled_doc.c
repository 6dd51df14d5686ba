// One view of the XML and the JSON form of a Tiled file.
//
// Both forms have the same names for attributes and members. Lists differ: XML has elements of one
// name, often inside an element around them; JSON has an array, in old files an object.
#include "data/tiled_internal.h"

#include <string.h>

static ploy_xml_node doc_xml(ployi_tiled_node node) {
    ploy_xml_node out = {node.index};
    return out;
}

static ploy_json_node doc_json(ployi_tiled_node node) {
    ploy_json_node out = {node.index};
    return out;
}

static ployi_tiled_node doc_node(uint32_t index) {
    ployi_tiled_node out = {index};
    return out;
}

ploy_result ployi_tiled_doc_open(ployi_tiled_doc *doc, const void *bytes, size_t size,
                                 const char *name, const ploy_env *env, ploy_diags *diags) {
    doc->xml = NULL;
    doc->json = NULL;
    const char *text = bytes;
    size_t at = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
    if (at < size && text[at] == '{') {
        ploy_json_def def = ploy_json_def_default();
        def.relaxed = true; // a byte order mark
        return ploy_json_load(bytes, size, name, &def, env, diags, &doc->json);
    }
    return ploy_xml_load(bytes, size, name, NULL, env, diags, &doc->xml);
}

void ployi_tiled_doc_close(ployi_tiled_doc *doc) {
    ploy_xml_destroy(doc->xml);
    ploy_json_destroy(doc->json);
    doc->xml = NULL;
    doc->json = NULL;
}

ployi_tiled_node ployi_tiled_root(const ployi_tiled_doc *doc) {
    return doc->xml != NULL ? doc_node(ploy_xml_root(doc->xml).index)
                            : doc_node(ploy_json_root(doc->json).index);
}

const char *ployi_tiled_root_kind(const ployi_tiled_doc *doc) {
    if (doc->xml != NULL) return ploy_xml_local(doc->xml, ploy_xml_root(doc->xml));
    const char *type = ployi_tiled_text(doc, ployi_tiled_root(doc), "type");
    if (type != NULL) return type;
    // Before version 1.2 maps and tilesets had no type.
    ploy_json_node root = ploy_json_root(doc->json);
    if (!ploy_json_is_none(ploy_json_member(doc->json, root, "layers"))) return "map";
    if (!ploy_json_is_none(ploy_json_member(doc->json, root, "tilewidth"))) return "tileset";
    return "";
}

const char *ployi_tiled_text(const ployi_tiled_doc *doc, ployi_tiled_node node, const char *key) {
    if (doc->xml != NULL) return ploy_xml_get(doc->xml, doc_xml(node), key);
    ploy_json_node value = ploy_json_member(doc->json, doc_json(node), key);
    bool truth = false;
    switch (ploy_json_type_of(doc->json, value)) {
    case PLOY_JSON_BOOL:
        (void)ploy_json_bool(doc->json, value, &truth);
        return truth ? "true" : "false";
    case PLOY_JSON_NUMBER:
    case PLOY_JSON_TEXT: return ploy_json_text(doc->json, value, NULL);
    default: return NULL;
    }
}

ployi_tiled_node ployi_tiled_child(const ployi_tiled_doc *doc, ployi_tiled_node node,
                                   const char *key) {
    if (doc->xml != NULL) return doc_node(ploy_xml_find(doc->xml, doc_xml(node), key).index);
    ploy_json_node value = ploy_json_member(doc->json, doc_json(node), key);
    bool object = ploy_json_type_of(doc->json, value) == PLOY_JSON_OBJECT;
    return doc_node(object ? value.index : 0);
}

void ployi_tiled_doc_fault(const ployi_tiled_doc *doc, ployi_tiled_node node, const char *key,
                           ploy_diags *diags, ploy_severity severity, ploy_result code,
                           const char *message, const char *expected, const char *nearest) {
    const char *name;
    int32_t line, column;
    if (doc->xml != NULL) {
        name = ploy_xml_source(doc->xml);
        ploy_xml_position at = ploy_xml_position_of(doc->xml, doc_xml(node));
        for (int32_t i = 0; key != NULL && i < ploy_xml_attribute_count(doc->xml, doc_xml(node));
             i++) {
            ploy_xml_attribute one = ploy_xml_attribute_at(doc->xml, doc_xml(node), i);
            if (strcmp(one.name, key) == 0) at = one.position;
        }
        line = at.line;
        column = at.column;
    } else {
        name = ploy_json_name(doc->json);
        ploy_json_node value = doc_json(node);
        if (key != NULL) {
            ploy_json_node member = ploy_json_member(doc->json, value, key);
            if (!ploy_json_is_none(member)) value = member;
        }
        ploy_json_position at = ploy_json_position_of(doc->json, value);
        line = at.line;
        column = at.column;
    }
    ploy_diags_add(diags, severity, code, name, line, column, message, expected, nearest);
}

ployi_tiled_each ployi_tiled_each_make(const ployi_tiled_doc *doc, ployi_tiled_node node,
                                       const char *wrapper, const char *xml_name,
                                       const char *json_key) {
    ployi_tiled_each each = {doc, xml_name, node, {0}, 0};
    if (doc->xml != NULL) {
        if (wrapper != NULL) each.list = ployi_tiled_child(doc, node, wrapper);
    } else if (json_key != NULL) {
        each.list = doc_node(ploy_json_member(doc->json, doc_json(node), json_key).index);
    }
    return each;
}

bool ployi_tiled_each_next(ployi_tiled_each *each) {
    const ployi_tiled_doc *doc = each->doc;
    if (doc->xml == NULL) {
        each->at = doc_node(ploy_json_at(doc->json, doc_json(each->list), each->next++).index);
        return each->at.index != 0;
    }
    ploy_xml_node next;
    if (each->next++ == 0) {
        next = each->xml_name != NULL ? ploy_xml_find(doc->xml, doc_xml(each->list), each->xml_name)
                                      : ploy_xml_first(doc->xml, doc_xml(each->list));
    } else {
        next = each->xml_name != NULL
                   ? ploy_xml_find_next(doc->xml, doc_xml(each->at), each->xml_name)
                   : ploy_xml_next(doc->xml, doc_xml(each->at));
    }
    each->at = doc_node(next.index);
    return next.index != 0;
}

int32_t ployi_tiled_each_count(ployi_tiled_each each) {
    if (each.doc->xml == NULL) return ploy_json_count(each.doc->json, doc_json(each.list));
    int32_t count = 0;
    while (ployi_tiled_each_next(&each)) count++;
    return count;
}
