// Documents: looking things up in what json_read.c made, and writing them out again.
#include "ploy/base/json.h"

#include <string.h>

#include "base/base_internal.h"
#include "base/json_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/number.h"

const char *ploy_json_type_text(ploy_json_type type) {
    switch (type) {
    case PLOY_JSON_NONE: return "none";
    case PLOY_JSON_NULL: return "null";
    case PLOY_JSON_BOOL: return "bool";
    case PLOY_JSON_NUMBER: return "number";
    case PLOY_JSON_TEXT: return "text";
    case PLOY_JSON_ARRAY: return "array";
    case PLOY_JSON_OBJECT: return "object";
    }
    return "?";
}

// Orders by size, then bytes: any total order serves, and this one is cheap.
int ployi_json_compare_keys(const ploy_json *doc, const char *key, size_t size, uint32_t node) {
    const ployi_json_node *other = &doc->nodes[node];
    if (size != other->key_size) return size < other->key_size ? -1 : 1;
    return size > 0 ? memcmp(key, doc->texts + other->key_text, size) : 0;
}

void ploy_json_destroy(ploy_json *doc) {
    if (doc == NULL) return;
    ploy_env env = doc->env;
    ploy_env_free(&env, doc, doc->size);
}

// The node behind a handle; the one that means none for a handle that is not of this document.
static const ployi_json_node *json_get(const ploy_json *doc, ploy_json_node node) {
    static const ployi_json_node none = {0, 0, 0, 0, 0, 0, 0, PLOY_JSON_NONE};
    return doc != NULL && node.index < doc->node_count ? &doc->nodes[node.index] : &none;
}

static bool json_is_container(const ployi_json_node *node) {
    return node->type == PLOY_JSON_ARRAY || node->type == PLOY_JSON_OBJECT;
}

ploy_json_node ploy_json_root(const ploy_json *doc) {
    ploy_json_node root = {1};
    return doc != NULL ? root : ploy_json_none();
}

ploy_json_type ploy_json_type_of(const ploy_json *doc, ploy_json_node node) {
    return (ploy_json_type)json_get(doc, node)->type;
}

int32_t ploy_json_count(const ploy_json *doc, ploy_json_node node) {
    const ployi_json_node *found = json_get(doc, node);
    return json_is_container(found) ? (int32_t)found->count : 0;
}

ploy_json_node ploy_json_at(const ploy_json *doc, ploy_json_node node, int32_t index) {
    const ployi_json_node *found = json_get(doc, node);
    if (!json_is_container(found) || index < 0 || (uint32_t)index >= found->count) {
        return ploy_json_none();
    }
    ploy_json_node child = {doc->children[found->first + (uint32_t)index]};
    return child;
}

ploy_json_node ploy_json_member(const ploy_json *doc, ploy_json_node node, const char *key) {
    return key != NULL ? ploy_json_member_bytes(doc, node, key, strlen(key)) : ploy_json_none();
}

ploy_json_node ploy_json_member_bytes(const ploy_json *doc, ploy_json_node node, const char *key,
                                      size_t size) {
    const ployi_json_node *found = json_get(doc, node);
    if (found->type != PLOY_JSON_OBJECT) return ploy_json_none();
    uint32_t low = 0, high = found->count; // the key, if there, is in [low, high)
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t index = doc->by_key[found->first + middle];
        int order = ployi_json_compare_keys(doc, key, size, index);
        if (order == 0) {
            ploy_json_node member = {index};
            return member;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return ploy_json_none();
}

static bool json_is_member(const ploy_json *doc, const ployi_json_node *node) {
    return node->parent != 0 && doc->nodes[node->parent].type == PLOY_JSON_OBJECT;
}

const char *ploy_json_key(const ploy_json *doc, ploy_json_node node, size_t *size) {
    const ployi_json_node *found = json_get(doc, node);
    bool member = json_is_member(doc, found);
    if (size != NULL) *size = member ? found->key_size : 0;
    return member ? doc->texts + found->key_text : "";
}

ploy_json_node ploy_json_parent(const ploy_json *doc, ploy_json_node node) {
    ploy_json_node parent = {json_get(doc, node)->parent};
    return parent;
}

const char *ploy_json_text(const ploy_json *doc, ploy_json_node node, size_t *size) {
    const ployi_json_node *found = json_get(doc, node);
    bool has_text = found->type == PLOY_JSON_TEXT || found->type == PLOY_JSON_NUMBER;
    if (size != NULL) *size = has_text ? found->count : 0;
    return has_text ? doc->texts + found->first : "";
}

ploy_result ploy_json_bool(const ploy_json *doc, ploy_json_node node, bool *out) {
    const ployi_json_node *found = json_get(doc, node);
    if (found->type != PLOY_JSON_BOOL) return PLOY_ERR_ARGUMENT;
    *out = found->first != 0;
    return PLOY_OK;
}

// The text of a number, or of one of the three texts that represent numbers JSON does not have.
static const char *json_real_text(const ploy_json *doc, ploy_json_node node, size_t *size) {
    const char *text = ploy_json_text(doc, node, size);
    ploy_json_type type = ploy_json_type_of(doc, node);
    if (type == PLOY_JSON_NUMBER) return text;
    if (type != PLOY_JSON_TEXT) return NULL;
    bool known = strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    return known ? text : NULL;
}

ploy_result ploy_json_f64(const ploy_json *doc, ploy_json_node node, double *out) {
    size_t size = 0;
    const char *text = json_real_text(doc, node, &size);
    return text != NULL ? ploy_parse_f64(text, size, NULL, out) : PLOY_ERR_ARGUMENT;
}

ploy_result ploy_json_f32(const ploy_json *doc, ploy_json_node node, float *out) {
    size_t size = 0;
    const char *text = json_real_text(doc, node, &size);
    return text != NULL ? ploy_parse_f32(text, size, NULL, out) : PLOY_ERR_ARGUMENT;
}

// Reads a JSON number as sign and magnitude of a whole number, exactly. Digit k of the mantissa
// represents 10^(before - 1 - k + exponent), where `before` digits come before the point.
static ploy_result json_whole(const char *text, size_t size, bool *negative, uint64_t *magnitude) {
    int64_t before = 0, ordinal = 0, first = -1, last = -1, exponent = 0;
    bool point = false;
    size_t end = 0;
    *negative = text[0] == '-';
    for (end = *negative ? 1 : 0; end < size && text[end] != 'e' && text[end] != 'E'; end++) {
        if (text[end] == '.') {
            point = true;
            continue;
        }
        if (text[end] != '0') {
            if (first < 0) first = ordinal;
            last = ordinal;
        }
        ordinal++;
        if (!point) before++;
    }
    if (end < size) {
        bool minus = text[end + 1] == '-';
        size_t at = end + 1 + (minus || text[end + 1] == '+' ? 1 : 0);
        for (; at < size; at++) {
            // Held far past any mantissa's length, so that it cannot overflow.
            if (exponent < INT64_C(1000000000000)) exponent = exponent * 10 + (text[at] - '0');
        }
        if (minus) exponent = -exponent;
    }
    *magnitude = 0;
    if (first < 0) return PLOY_OK; // zero, whatever the exponent
    if (before - 1 - last + exponent < 0) return PLOY_ERR_ARGUMENT;
    if (before - 1 - first + exponent > 19) return PLOY_ERR_LIMIT;
    int64_t digits = before + exponent - first; // with the zeros that the exponent adds
    ordinal = 0;
    for (size_t at = *negative ? 1 : 0; digits > 0; at++) {
        bool more = at < end;
        if (more && text[at] == '.') continue;
        if (more && ordinal++ < first) continue;
        uint64_t digit = more ? (uint64_t)(text[at] - '0') : 0;
        if (*magnitude > (UINT64_MAX - digit) / 10) return PLOY_ERR_LIMIT;
        *magnitude = *magnitude * 10 + digit;
        digits--;
    }
    return PLOY_OK;
}

ploy_result ploy_json_i64(const ploy_json *doc, ploy_json_node node, int64_t *out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_NUMBER) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    const char *text = ploy_json_text(doc, node, &size);
    bool negative = false;
    uint64_t magnitude = 0;
    ploy_result result = json_whole(text, size, &negative, &magnitude);
    if (result != PLOY_OK) return result;
    if (magnitude > (uint64_t)INT64_MAX + (negative ? 1u : 0u)) return PLOY_ERR_LIMIT;
    *out = negative && magnitude > 0 ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
    return PLOY_OK;
}

ploy_result ploy_json_u64(const ploy_json *doc, ploy_json_node node, uint64_t *out) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_NUMBER) return PLOY_ERR_ARGUMENT;
    size_t size = 0;
    const char *text = ploy_json_text(doc, node, &size);
    bool negative = false;
    uint64_t magnitude = 0;
    ploy_result result = json_whole(text, size, &negative, &magnitude);
    if (result != PLOY_OK) return result;
    if (negative && magnitude > 0) return PLOY_ERR_LIMIT;
    *out = magnitude;
    return PLOY_OK;
}

static ploy_json_position json_position(const ploy_json *doc, uint32_t offset) {
    uint32_t low = 0, high = doc->line_count; // the line is in [low, high)
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (doc->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    ploy_json_position position = {offset, (int32_t)low + 1,
                                   (int32_t)(offset - doc->lines[low]) + 1};
    return position;
}

ploy_json_position ploy_json_position_of(const ploy_json *doc, ploy_json_node node) {
    ploy_json_position nowhere = {0, 0, 0};
    const ployi_json_node *found = json_get(doc, node);
    return found->type != PLOY_JSON_NONE ? json_position(doc, found->at) : nowhere;
}

ploy_json_position ploy_json_key_position(const ploy_json *doc, ploy_json_node node) {
    ploy_json_position nowhere = {0, 0, 0};
    const ployi_json_node *found = json_get(doc, node);
    return json_is_member(doc, found) ? json_position(doc, found->key_at) : nowhere;
}

const char *ploy_json_name(const ploy_json *doc) {
    return doc != NULL ? doc->name : "";
}

void ploy_json_fault(const ploy_json *doc, ploy_json_node node, ploy_diags *diags,
                     const char *message, const char *expected, const char *nearest) {
    ploy_json_position at = ploy_json_position_of(doc, node);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, ploy_json_name(doc), at.line,
                   at.column, message, expected, nearest);
}

int32_t ploy_json_check_keys(const ploy_json *doc, ploy_json_node node, const char *const *keys,
                             int32_t key_count, ploy_diags *diags) {
    if (ploy_json_type_of(doc, node) != PLOY_JSON_OBJECT) return 0;
    int32_t unknown = 0;
    for (int32_t i = 0; i < ploy_json_count(doc, node); i++) {
        ploy_json_node member = ploy_json_at(doc, node, i);
        size_t size = 0;
        const char *key = ploy_json_key(doc, member, &size);
        ploy_nearest nearest = ploy_nearest_make(key);
        bool known = false;
        for (int32_t k = 0; k < key_count && !known; k++) {
            known = strlen(keys[k]) == size && memcmp(keys[k], key, size) == 0;
            ploy_nearest_offer(&nearest, keys[k]);
        }
        if (known) continue;
        unknown++;
        char message[PLOY_DIAG_TEXT_MAX];
        ployi_text out;
        ployi_text_init(&out, message, sizeof message);
        ploy_writer writer = ployi_text_writer(&out);
        ploy_write_text(&writer, "unknown key '");
        ploy_write_text(&writer, key);
        ploy_write_char(&writer, '\'');
        ployi_text_finish(&out);
        ploy_json_position at = ploy_json_key_position(doc, member);
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, doc->name, at.line, at.column,
                       message, NULL, nearest.best);
    }
    return unknown;
}

void ploy_json_write(const ploy_json *doc, ploy_json_node node, ploy_json_writer *json) {
    if (json_get(doc, node)->type == PLOY_JSON_NONE) return;
    uint32_t index = node.index;
    uint32_t open = doc->nodes[index].parent; // the container whose children are being written
    uint32_t top = open;
    // Nodes are in the order of the text (1), so a subtree is a run of them; a container ends
    // where the next node's parent is not inside it.
    for (uint32_t i = index; i < doc->node_count; i++) {
        const ployi_json_node *at = &doc->nodes[i];
        if (i > index && at->parent < index) break; // left the subtree
        while (i > index && open != at->parent) {
            if (doc->nodes[open].type == PLOY_JSON_OBJECT)
                ploy_json_write_end_object(json);
            else
                ploy_json_write_end_array(json);
            open = doc->nodes[open].parent;
        }
        if (i > index && json_is_member(doc, at)) {
            ploy_json_write_key_bytes(json, doc->texts + at->key_text, at->key_size);
        }
        switch ((ploy_json_type)at->type) {
        case PLOY_JSON_NONE: break;
        case PLOY_JSON_NULL: ploy_json_write_null(json); break;
        case PLOY_JSON_BOOL: ploy_json_write_bool(json, at->first != 0); break;
        case PLOY_JSON_NUMBER:
            ploy_json_write_raw_bytes(json, doc->texts + at->first, at->count);
            break;
        case PLOY_JSON_TEXT:
            ploy_json_write_text_bytes(json, doc->texts + at->first, at->count);
            break;
        case PLOY_JSON_ARRAY:
            ploy_json_write_begin_array(json);
            open = i;
            break;
        case PLOY_JSON_OBJECT:
            ploy_json_write_begin_object(json);
            open = i;
            break;
        }
    }
    while (open != top) {
        if (doc->nodes[open].type == PLOY_JSON_OBJECT)
            ploy_json_write_end_object(json);
        else
            ploy_json_write_end_array(json);
        open = doc->nodes[open].parent;
    }
}

void ploy_json_memory(const ploy_json *doc, ploy_memory_fn fn, void *user) {
    if (doc == NULL || fn == NULL) return;
    ploy_memory_item item = {"document", doc->size, 1};
    fn(user, &item);
}
