// Documents: looking things up in what xml_read.c made, and writing them out again.
#include <string.h>

#include "data/xml_internal.h"

void ploy_xml_destroy(ploy_xml *doc) {
    if (doc == NULL) return;
    ploy_env env = doc->env;
    ploy_array_fini(&doc->elements);
    ploy_array_fini(&doc->attributes);
    ploy_array_fini(&doc->lines);
    if (doc->texts != NULL) ploy_env_free(&env, doc->texts, doc->texts_size);
    ploy_env_free(&env, doc, sizeof *doc);
}

ploy_xml_position ployi_xml_place(const ploy_xml *doc, uint32_t at) {
    const uint32_t *lines = PLOY_ARRAY_ITEMS(&doc->lines, uint32_t);
    int32_t low = 0, high = doc->lines.count;
    while (high - low > 1) { // the line is one of [low, high)
        int32_t middle = low + (high - low) / 2;
        if (lines[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    uint32_t begin = doc->lines.count > 0 ? lines[low] : 0;
    ploy_xml_position place = {low + 1, (int32_t)(at - begin) + 1};
    return place;
}

// The element behind a handle; the one that means none for a handle that is not of this document.
static const ployi_xml_element *xml_get(const ploy_xml *doc, ploy_xml_node node) {
    static const ployi_xml_element none = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    if (doc == NULL || node.index >= (uint32_t)doc->elements.count) return &none;
    return &PLOY_ARRAY_ITEMS(&doc->elements, ployi_xml_element)[node.index];
}

static ploy_xml_node xml_node(uint32_t index) {
    ploy_xml_node node = {index};
    return node;
}

ploy_xml_node ploy_xml_root(const ploy_xml *doc) {
    return doc != NULL && doc->elements.count > 1 ? xml_node(1) : ploy_xml_none();
}

ploy_xml_node ploy_xml_parent(const ploy_xml *doc, ploy_xml_node node) {
    return xml_node(xml_get(doc, node)->parent);
}

ploy_xml_node ploy_xml_first(const ploy_xml *doc, ploy_xml_node node) {
    return node.index == 0 ? ploy_xml_none() : xml_node(xml_get(doc, node)->first);
}

ploy_xml_node ploy_xml_next(const ploy_xml *doc, ploy_xml_node node) {
    return xml_node(xml_get(doc, node)->next);
}

int32_t ploy_xml_total(const ploy_xml *doc) {
    return doc != NULL ? doc->elements.count - 1 : 0;
}

int32_t ploy_xml_count(const ploy_xml *doc, ploy_xml_node node) {
    int32_t count = 0;
    for (node = ploy_xml_first(doc, node); node.index != 0; node = ploy_xml_next(doc, node)) {
        count++;
    }
    return count;
}

// This one or the next beside it with that local name.
static ploy_xml_node xml_seek(const ploy_xml *doc, ploy_xml_node node, const char *local) {
    while (node.index != 0 && !ploy_xml_is(doc, node, local)) node = ploy_xml_next(doc, node);
    return node;
}

ploy_xml_node ploy_xml_find(const ploy_xml *doc, ploy_xml_node node, const char *local) {
    return xml_seek(doc, ploy_xml_first(doc, node), local);
}

ploy_xml_node ploy_xml_find_next(const ploy_xml *doc, ploy_xml_node node, const char *local) {
    return xml_seek(doc, ploy_xml_next(doc, node), local);
}

const char *ploy_xml_name(const ploy_xml *doc, ploy_xml_node node) {
    const ployi_xml_element *element = xml_get(doc, node);
    return element->name != 0 ? doc->texts + element->name : "";
}

const char *ploy_xml_local(const ploy_xml *doc, ploy_xml_node node) {
    const ployi_xml_element *element = xml_get(doc, node);
    return element->name != 0 ? doc->texts + element->local : "";
}

bool ploy_xml_is(const ploy_xml *doc, ploy_xml_node node, const char *local) {
    return local != NULL && strcmp(ploy_xml_local(doc, node), local) == 0;
}

int32_t ploy_xml_attribute_count(const ploy_xml *doc, ploy_xml_node node) {
    return (int32_t)xml_get(doc, node)->attribute_count;
}

static const ployi_xml_pair *xml_pair(const ploy_xml *doc, const ployi_xml_element *element,
                                      uint32_t index) {
    return &PLOY_ARRAY_ITEMS(&doc->attributes, ployi_xml_pair)[element->attribute + index];
}

ploy_xml_attribute ploy_xml_attribute_at(const ploy_xml *doc, ploy_xml_node node, int32_t index) {
    ploy_xml_attribute attribute = {NULL, NULL, {0, 0}};
    const ployi_xml_element *element = xml_get(doc, node);
    if (index < 0 || (uint32_t)index >= element->attribute_count) return attribute;
    const ployi_xml_pair *pair = xml_pair(doc, element, (uint32_t)index);
    attribute.name = doc->texts + pair->name;
    attribute.value = doc->texts + pair->value;
    attribute.position = ployi_xml_place(doc, pair->at);
    return attribute;
}

const char *ploy_xml_get(const ploy_xml *doc, ploy_xml_node node, const char *name) {
    const ployi_xml_element *element = xml_get(doc, node);
    for (uint32_t i = 0; i < element->attribute_count && name != NULL; i++) {
        const ployi_xml_pair *pair = xml_pair(doc, element, i);
        if (strcmp(doc->texts + pair->name, name) == 0) return doc->texts + pair->value;
    }
    return NULL;
}

const char *ploy_xml_text(const ploy_xml *doc, ploy_xml_node node, size_t *size) {
    const ployi_xml_element *element = xml_get(doc, node);
    if (size != NULL) *size = element->text_size;
    return element->text_size > 0 ? doc->texts + element->text : "";
}

ploy_xml_position ploy_xml_position_of(const ploy_xml *doc, ploy_xml_node node) {
    const ployi_xml_element *element = xml_get(doc, node);
    ploy_xml_position none = {0, 0};
    return element->name != 0 ? ployi_xml_place(doc, element->at) : none;
}

const char *ploy_xml_source(const ploy_xml *doc) {
    return doc != NULL ? doc->texts + doc->source : "";
}

void ploy_xml_fault(const ploy_xml *doc, ploy_xml_node node, const char *attribute,
                    ploy_diags *diags, const char *message, const char *expected,
                    const char *nearest) {
    ploy_xml_position place = ploy_xml_position_of(doc, node);
    for (int32_t i = 0; attribute != NULL && i < ploy_xml_attribute_count(doc, node); i++) {
        ploy_xml_attribute found = ploy_xml_attribute_at(doc, node, i);
        if (strcmp(found.name, attribute) == 0) place = found.position;
    }
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, ploy_xml_source(doc), place.line,
                   place.column, message, expected, nearest);
}

void ploy_xml_write_text(ploy_writer *writer, const char *text, size_t size) {
    size_t begin = 0;
    for (size_t i = 0; i < size; i++) {
        const char *escape = text[i] == '<'    ? "&lt;"
                             : text[i] == '>'  ? "&gt;"
                             : text[i] == '&'  ? "&amp;"
                             : text[i] == '"'  ? "&quot;"
                             : text[i] == '\n' ? "&#10;"
                             : text[i] == '\r' ? "&#13;"
                             : text[i] == '\t' ? "&#9;"
                                               : NULL;
        if (escape == NULL) continue;
        if (i > begin) ploy_write_bytes(writer, text + begin, i - begin);
        ploy_write_text(writer, escape);
        begin = i + 1;
    }
    if (size > begin) ploy_write_bytes(writer, text + begin, size - begin);
}

static void xml_indent(ploy_writer *writer, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) ploy_write_text(writer, "  ");
}

// As deep as the document, which is max_depth at most. Beside text nothing is indented, because
// blanks there would belong to it: depth is below 0 then.
static void xml_write(const ploy_xml *doc, ploy_xml_node node, int32_t depth, ploy_writer *writer) {
    const char *end = depth < 0 ? "" : "\n";
    xml_indent(writer, depth);
    ploy_write_char(writer, '<');
    ploy_write_text(writer, ploy_xml_name(doc, node));
    for (int32_t i = 0; i < ploy_xml_attribute_count(doc, node); i++) {
        ploy_xml_attribute attribute = ploy_xml_attribute_at(doc, node, i);
        ploy_write_char(writer, ' ');
        ploy_write_text(writer, attribute.name);
        ploy_write_text(writer, "=\"");
        ploy_xml_write_text(writer, attribute.value, strlen(attribute.value));
        ploy_write_char(writer, '"');
    }
    size_t size = 0;
    const char *text = ploy_xml_text(doc, node, &size);
    ploy_xml_node child = ploy_xml_first(doc, node);
    if (size == 0 && child.index == 0) {
        ploy_write_text(writer, "/>");
        ploy_write_text(writer, end);
        return;
    }
    bool indented = size == 0 && depth >= 0;
    ploy_write_char(writer, '>');
    ploy_xml_write_text(writer, text, size);
    if (indented) ploy_write_char(writer, '\n');
    for (; child.index != 0; child = ploy_xml_next(doc, child)) {
        xml_write(doc, child, indented ? depth + 1 : -1, writer);
    }
    if (indented) xml_indent(writer, depth);
    ploy_write_text(writer, "</");
    ploy_write_text(writer, ploy_xml_name(doc, node));
    ploy_write_char(writer, '>');
    ploy_write_text(writer, end);
}

void ploy_xml_write(const ploy_xml *doc, ploy_xml_node node, ploy_writer *writer) {
    if (ploy_xml_name(doc, node)[0] != 0) xml_write(doc, node, 0, writer);
}

void ploy_xml_memory(const ploy_xml *doc, ploy_memory_fn fn, void *user) {
    ploy_memory_item item = {"xml", sizeof *doc + doc->texts_size, 2};
    fn(user, &item);
    ploy_array_memory(&doc->elements, fn, user);
    ploy_array_memory(&doc->attributes, fn, user);
    ploy_array_memory(&doc->lines, fn, user);
}
