// Reading JSON; what it promises is in the header, the document it makes in json_internal.h.
//
// The text is gone through twice by the same code: first to check it and to count what it holds,
// then to fill one block of exactly that size. So there is one allocation, and the second pass
// cannot fail. Both passes are loops without recursion; the open containers of the first are one
// bit each, those of the second are found by the parents of the nodes.
#include "ploy/base/json.h"

#include <string.h>

#include "base/base_internal.h"
#include "base/json_internal.h"
#include "ploy/base/number.h"
#include "ploy/base/utf8.h"

#define JSON_DEPTH_MAX PLOY_JSON_WRITER_DEPTH

static const ploy_field json_fields[] = {
    PLOY_FIELD_BOOL(ploy_json_def, relaxed, false, "allow comments, trailing commas and a BOM"),
    PLOY_FIELD_I32(ploy_json_def, max_depth, 256, 1, JSON_DEPTH_MAX, "", "deepest nesting"),
    PLOY_FIELD_I32(ploy_json_def, max_kib, 65536, 1, 1 << 20, "KiB", "largest document"),
    PLOY_FIELD_I32(ploy_json_def, max_nodes, 1 << 22, 1, 1 << 29, "", "most values"),
};

// One pass over the text.
typedef struct json_reader {
    const char *bytes;
    size_t size;
    size_t at;
    ploy_json_def def;
    const char *name;
    ploy_diags *diags;
    ploy_result result; // of the first fault
    ploy_json *doc;     // NULL in the first pass
    uint32_t node_count;
    uint32_t text_size;
    uint32_t line_count;
    size_t line_start;
    int32_t depth;
    uint32_t container; // the open container's node, in the second pass
    uint32_t key_at, key_text, key_size;
    uint64_t is_object[JSON_DEPTH_MAX / 64];
} json_reader;

ploy_fields ploy_json_fields(void) {
    return PLOY_FIELDS(ploy_json_def, json_fields);
}

ploy_json_def ploy_json_def_default(void) {
    ploy_json_def def;
    ploy_fields_default(ploy_json_fields(), &def);
    return def;
}

// Reports a fault on the present line. Always false, for the caller to return.
static bool json_fault(json_reader *reader, ploy_result code, size_t at, const char *message,
                       const char *expected, const char *nearest) {
    if (reader->result == PLOY_OK) reader->result = code;
    ploy_diags_add(reader->diags, PLOY_SEVERITY_ERROR, code, reader->name,
                   (int32_t)reader->line_count, (int32_t)(at - reader->line_start) + 1, message,
                   expected, nearest);
    return false;
}

static bool json_at_end(const json_reader *reader) {
    return reader->at >= reader->size;
}

static char json_peek(const json_reader *reader) {
    return reader->at < reader->size ? reader->bytes[reader->at] : '\0';
}

static bool json_take(json_reader *reader, char c) {
    if (json_at_end(reader) || reader->bytes[reader->at] != c) return false;
    reader->at++;
    return true;
}

// "unexpected 'x'", or that the text ends.
static bool json_fault_here(json_reader *reader, const char *expected) {
    if (json_at_end(reader)) {
        return json_fault(reader, PLOY_ERR_FORMAT, reader->at, "unexpected end of text", expected,
                          NULL);
    }
    size_t next = reader->at;
    int32_t code = ploy_utf8_next(reader->bytes, reader->size, &next);
    char message[64];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    if (code >= 0x20 && code != 0x7F) {
        ploy_write_text(&writer, "unexpected '");
        ploy_write_bytes(&writer, reader->bytes + reader->at, next - reader->at);
        ploy_write_char(&writer, '\'');
    } else {
        ploy_write_text(&writer, "unexpected byte ");
        ploy_write_u64(&writer, (unsigned char)reader->bytes[reader->at]);
    }
    ployi_text_finish(&out);
    return json_fault(reader, PLOY_ERR_FORMAT, reader->at, message, expected, NULL);
}

static void json_new_line(json_reader *reader) {
    reader->line_start = reader->at;
    if (reader->doc != NULL) reader->doc->lines[reader->line_count] = (uint32_t)reader->at;
    reader->line_count++;
}

static bool json_skip_comment(json_reader *reader) {
    size_t start = reader->at;
    if (!reader->def.relaxed) {
        return json_fault(reader, PLOY_ERR_FORMAT, start, "unexpected comment", NULL, NULL);
    }
    reader->at++;
    if (json_take(reader, '/')) {
        while (!json_at_end(reader) && json_peek(reader) != '\n') reader->at++;
        return true;
    }
    if (!json_take(reader, '*')) {
        return json_fault_here(reader, "'/' or '*' to begin a comment");
    }
    json_reader before = *reader; // the fault, if any, is where the comment begins
    while (!json_at_end(reader)) {
        char c = reader->bytes[reader->at++];
        if (c == '\n') json_new_line(reader);
        if (c == '*' && json_take(reader, '/')) return true;
    }
    json_fault(&before, PLOY_ERR_FORMAT, start, "unclosed comment", "'*/'", NULL);
    reader->result = before.result;
    return false;
}

// Skips blanks, and comments where they are allowed.
static bool json_skip(json_reader *reader) {
    while (!json_at_end(reader)) {
        char c = reader->bytes[reader->at];
        if (c == '\n') {
            reader->at++;
            json_new_line(reader);
        } else if (c == ' ' || c == '\t' || c == '\r') {
            reader->at++;
        } else if (c == '/') {
            if (!json_skip_comment(reader)) return false;
        } else {
            return true;
        }
    }
    return true;
}

static void json_put(json_reader *reader, const char *bytes, size_t size) {
    if (reader->doc != NULL && size > 0) {
        memcpy(reader->doc->texts + reader->text_size, bytes, size);
    }
    reader->text_size += (uint32_t)size;
}

// Adds a node to the open container. False if there are too many.
static bool json_add_node(json_reader *reader, ploy_json_type type, size_t at, uint32_t first,
                          uint32_t count) {
    if (reader->node_count > (uint32_t)reader->def.max_nodes) {
        return json_fault(reader, PLOY_ERR_LIMIT, at, "too many values", NULL, NULL);
    }
    uint32_t index = reader->node_count++;
    if (reader->doc == NULL) return true;
    ployi_json_node *nodes = reader->doc->nodes;
    ployi_json_node node = {
        (uint32_t)at, reader->key_at, reader->key_text, reader->key_size, reader->container,
        first,        count,          (uint32_t)type};
    nodes[index] = node;
    if (reader->container != 0) nodes[reader->container].count++;
    return true;
}

static bool json_read_hex4(json_reader *reader, uint32_t *out) {
    uint64_t code = 0;
    size_t left = reader->size - reader->at;
    if (left < 4 || ploy_parse_hex64(reader->bytes + reader->at, 4, NULL, &code) != PLOY_OK) {
        return false;
    }
    reader->at += 4;
    *out = (uint32_t)code;
    return true;
}

// Reads the rest of "\uXXXX", which may be half of a pair.
static bool json_read_unicode(json_reader *reader, size_t start) {
    uint32_t code = 0;
    if (!json_read_hex4(reader, &code)) {
        return json_fault(reader, PLOY_ERR_FORMAT, start, "incomplete escape",
                          "four hexadecimal digits after \\u", NULL);
    }
    bool whole = code < 0xD800 || code > 0xDFFF;
    uint32_t low = 0;
    if (code >= 0xD800 && code <= 0xDBFF) {
        size_t before = reader->at;
        whole = json_take(reader, '\\') && json_take(reader, 'u') && json_read_hex4(reader, &low) &&
                low >= 0xDC00 && low <= 0xDFFF;
        if (whole)
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        else
            reader->at = before;
    }
    if (!whole) {
        return json_fault(reader, PLOY_ERR_FORMAT, start, "unpaired surrogate",
                          "a pair from \\uD800\\uDC00 to \\uDBFF\\uDFFF", NULL);
    }
    char encoded[4];
    int32_t size = ploy_utf8_encode(code, encoded);
    json_put(reader, encoded, (size_t)size);
    return true;
}

// Reads what follows a backslash. Faults are reported and passed over.
static void json_read_escape(json_reader *reader) {
    static const char escapes[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    size_t start = reader->at++;
    char c = json_peek(reader);
    const char *found = c != '\0' ? strchr(escapes, c) : NULL;
    if (found != NULL) {
        reader->at++;
        json_put(reader, &meanings[found - escapes], 1);
    } else if (c == 'u') {
        reader->at++;
        json_read_unicode(reader, start);
    } else {
        json_fault(reader, PLOY_ERR_FORMAT, start, "unknown escape",
                   "\\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u", NULL);
    }
}

// Reads a text, the present byte being its opening quote, into texts. False if it never ends.
static bool json_read_text(json_reader *reader, uint32_t *text, uint32_t *text_size) {
    size_t start = reader->at++;
    *text = reader->text_size;
    for (;;) {
        size_t run = reader->at;
        while (!json_at_end(reader)) {
            unsigned char c = (unsigned char)reader->bytes[reader->at];
            if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
            reader->at++;
        }
        json_put(reader, reader->bytes + run, reader->at - run);
        if (json_at_end(reader) || json_peek(reader) == '\n') {
            return json_fault(reader, PLOY_ERR_FORMAT, start, "unclosed string",
                              "'\"' on the same line", NULL);
        }
        unsigned char c = (unsigned char)json_peek(reader);
        if (c == '"') break;
        if (c == '\\') {
            json_read_escape(reader);
            continue;
        }
        size_t at = reader->at;
        if (c < 0x20) {
            json_fault(reader, PLOY_ERR_FORMAT, at, "unescaped control character in a string", NULL,
                       NULL);
            reader->at++;
        } else if (ploy_utf8_next(reader->bytes, reader->size, &reader->at) == PLOY_UTF8_BAD) {
            json_fault(reader, PLOY_ERR_FORMAT, at, "invalid UTF-8", NULL, NULL);
        } else {
            json_put(reader, reader->bytes + at, reader->at - at);
        }
    }
    reader->at++;
    *text_size = reader->text_size - *text;
    json_put(reader, "", 1); // keeps (5)
    return true;
}

static int32_t json_skip_digits(json_reader *reader) {
    size_t start = reader->at;
    while (json_peek(reader) >= '0' && json_peek(reader) <= '9') reader->at++;
    return reader->at > start;
}

static bool json_read_number(json_reader *reader) {
    size_t start = reader->at;
    json_take(reader, '-');
    bool zero = json_take(reader, '0');
    if (zero && json_peek(reader) >= '0' && json_peek(reader) <= '9') {
        return json_fault(reader, PLOY_ERR_FORMAT, start, "unexpected leading zero", NULL, NULL);
    }
    if (!zero && !json_skip_digits(reader)) return json_fault_here(reader, "a digit");
    if (json_take(reader, '.') && !json_skip_digits(reader)) {
        return json_fault_here(reader, "a digit after the point");
    }
    if (json_take(reader, 'e') || json_take(reader, 'E')) {
        if (!json_take(reader, '+')) json_take(reader, '-');
        if (!json_skip_digits(reader)) return json_fault_here(reader, "a digit in the exponent");
    }
    uint32_t text = reader->text_size;
    size_t size = reader->at - start;
    json_put(reader, reader->bytes + start, size);
    json_put(reader, "", 1);
    return json_add_node(reader, PLOY_JSON_NUMBER, start, text, (uint32_t)size);
}

// Reads true, false or null; anything else that looks like a word is answered with the nearest.
static bool json_read_word(json_reader *reader) {
    static const struct {
        const char *word;
        ploy_json_type type;
        uint32_t value;
    } words[] = {
        {"true", PLOY_JSON_BOOL, 1}, {"false", PLOY_JSON_BOOL, 0}, {"null", PLOY_JSON_NULL, 0}};
    size_t start = reader->at;
    char word[32] = {0};
    size_t size = 0;
    while (!json_at_end(reader)) {
        char c = json_peek(reader);
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(size > 0 && c >= '0' && c <= '9')) break;
        if (size < sizeof word - 1) word[size] = c;
        size++;
        reader->at++;
    }
    if (size == 0) return json_fault_here(reader, "a value");
    const char *nearest = NULL;
    for (int32_t i = 0; i < 3; i++) {
        if (strcmp(word, words[i].word) == 0 && strlen(words[i].word) == size) {
            return json_add_node(reader, words[i].type, start, words[i].value, 0);
        }
        if (nearest == NULL && ploy_edit_distance(word, words[i].word) <= 2) {
            nearest = words[i].word;
        }
    }
    char message[64];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, "unexpected '");
    ploy_write_text(&writer, word);
    ploy_write_char(&writer, '\'');
    ployi_text_finish(&out);
    return json_fault(reader, PLOY_ERR_FORMAT, start, message,
                      nearest == NULL ? "a value; strings need double quotes" : NULL, nearest);
}

static bool json_read_scalar(json_reader *reader) {
    char c = json_peek(reader);
    if (c == '"') {
        size_t start = reader->at;
        uint32_t text = 0, size = 0;
        if (!json_read_text(reader, &text, &size)) return false;
        return json_add_node(reader, PLOY_JSON_TEXT, start, text, size);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return json_read_number(reader);
    return json_read_word(reader);
}

static bool json_inside_object(const json_reader *reader) {
    int32_t depth = reader->depth - 1;
    return reader->depth > 0 && (reader->is_object[depth / 64] >> (depth % 64) & 1) != 0;
}

static bool json_open(json_reader *reader, bool object) {
    if (reader->depth >= reader->def.max_depth) {
        return json_fault(reader, PLOY_ERR_LIMIT, reader->at, "values are nested too deeply", NULL,
                          NULL);
    }
    ploy_json_type type = object ? PLOY_JSON_OBJECT : PLOY_JSON_ARRAY;
    uint32_t index = reader->node_count;
    if (!json_add_node(reader, type, reader->at, 0, 0)) return false;
    reader->at++;
    uint64_t mask = (uint64_t)1 << (reader->depth % 64);
    uint64_t *bits = &reader->is_object[reader->depth / 64];
    *bits = object ? *bits | mask : *bits & ~mask;
    reader->depth++;
    reader->container = index;
    return true;
}

static void json_close(json_reader *reader) {
    reader->at++;
    reader->depth--;
    if (reader->doc != NULL) reader->container = reader->doc->nodes[reader->container].parent;
}

// Reads `"key" :` if the open container is an object; leaves the reader before a value.
static bool json_read_key(json_reader *reader) {
    if (!json_inside_object(reader)) return true;
    if (json_peek(reader) != '"') return json_fault_here(reader, "a key in double quotes");
    reader->key_at = (uint32_t)reader->at;
    if (!json_read_text(reader, &reader->key_text, &reader->key_size)) return false;
    if (!json_skip(reader)) return false;
    if (!json_take(reader, ':')) return json_fault_here(reader, "':' after the key");
    return json_skip(reader);
}

// After a value: closes what closes and stops before the next value, or at the end (*done).
static bool json_read_after_value(json_reader *reader, bool *done) {
    while (reader->depth > 0) {
        if (!json_skip(reader)) return false;
        bool object = json_inside_object(reader);
        char closer = object ? '}' : ']';
        if (json_peek(reader) == closer) {
            json_close(reader);
            continue;
        }
        if (!json_take(reader, ',')) {
            return json_fault_here(reader, object ? "',' or '}'" : "',' or ']'");
        }
        if (!json_skip(reader)) return false;
        if (json_peek(reader) != closer) return json_read_key(reader);
        if (!reader->def.relaxed) {
            // Said of the bracket, because the comma may be lines back.
            return json_fault(reader, PLOY_ERR_FORMAT, reader->at,
                              "unexpected ',' before the closing bracket", NULL, NULL);
        }
        json_close(reader);
    }
    *done = true;
    return true;
}

static bool json_read_document(json_reader *reader) {
    json_new_line(reader);
    if (reader->size >= 3 && memcmp(reader->bytes, "\xEF\xBB\xBF", 3) == 0) {
        if (!reader->def.relaxed) {
            return json_fault(reader, PLOY_ERR_FORMAT, 0, "unexpected byte order mark", NULL, NULL);
        }
        reader->at = 3;
    }
    bool done = false;
    if (!json_skip(reader)) return false;
    while (!done) {
        char c = json_peek(reader);
        if (c == '{' || c == '[') {
            if (!json_open(reader, c == '{') || !json_skip(reader)) return false;
            if (json_peek(reader) == (c == '{' ? '}' : ']')) {
                json_close(reader);
            } else {
                if (!json_read_key(reader)) return false;
                continue;
            }
        } else if (!json_read_scalar(reader)) {
            return false;
        }
        if (!json_read_after_value(reader, &done)) return false;
        if (!done && !json_skip(reader)) return false;
    }
    if (!json_skip(reader)) return false;
    return json_at_end(reader) || json_fault_here(reader, "nothing after the document");
}

static void json_reader_begin(json_reader *reader, ploy_json *doc) {
    reader->doc = doc;
    reader->at = 0;
    reader->node_count = 1; // nodes[0] means none
    reader->text_size = 1;  // texts[0] is the empty text
    reader->line_count = 0;
    reader->line_start = 0;
    reader->depth = 0;
    reader->container = 0;
    reader->key_at = reader->key_text = reader->key_size = 0;
}

static bool json_node_before(const ploy_json *doc, uint32_t a, uint32_t b) {
    const ployi_json_node *node = &doc->nodes[a];
    int order = ployi_json_compare_keys(doc, doc->texts + node->key_text, node->key_size, b);
    return order != 0 ? order < 0 : a < b;
}

static void json_sift_down(const ploy_json *doc, uint32_t *heap, uint32_t count, uint32_t at) {
    uint32_t moving = heap[at];
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= count) break;
        if (child + 1 < count && json_node_before(doc, heap[child], heap[child + 1])) child++;
        if (!json_node_before(doc, moving, heap[child])) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

// Heapsort: in place, and no key order can make it slow.
static void json_sort_members(ploy_json *doc, uint32_t *members, uint32_t count) {
    for (uint32_t i = count / 2; i > 0; i--) json_sift_down(doc, members, count, i - 1);
    for (uint32_t end = count; end > 1; end--) {
        uint32_t largest = members[0];
        members[0] = members[end - 1];
        members[end - 1] = largest;
        json_sift_down(doc, members, end - 1, 0);
    }
}

// Gives each container its children, filling (2) from the back so that `first` ends at the front.
static void json_link_children(ploy_json *doc) {
    uint32_t next = 0;
    for (uint32_t i = 1; i < doc->node_count; i++) {
        ployi_json_node *node = &doc->nodes[i];
        if (node->type != PLOY_JSON_ARRAY && node->type != PLOY_JSON_OBJECT) continue;
        next += node->count;
        node->first = next;
    }
    for (uint32_t i = doc->node_count - 1; i > 1; i--) {
        doc->children[--doc->nodes[doc->nodes[i].parent].first] = i;
    }
}

static void json_fault_twice(const ploy_json *doc, uint32_t first, uint32_t second,
                             ploy_diags *diags) {
    ploy_json_node first_node = {first}, second_node = {second};
    ploy_json_position at = ploy_json_key_position(doc, second_node);
    char message[PLOY_DIAG_TEXT_MAX];
    ployi_text out;
    ployi_text_init(&out, message, sizeof message);
    ploy_writer writer = ployi_text_writer(&out);
    ploy_write_text(&writer, "duplicate key, first in line ");
    ploy_write_i64(&writer, ploy_json_key_position(doc, first_node).line);
    ploy_write_text(&writer, ": '");
    ploy_write_text(&writer, doc->texts + doc->nodes[second].key_text);
    ploy_write_char(&writer, '\'');
    ployi_text_finish(&out);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, doc->name, at.line, at.column,
                   message, NULL, NULL);
}

// Sorts the members of every object and reports keys that occur twice. False if there are any.
static bool json_sort_keys(ploy_json *doc, ploy_diags *diags) {
    bool fine = true;
    for (uint32_t i = 1; i < doc->node_count; i++) {
        const ployi_json_node *node = &doc->nodes[i];
        if (node->type != PLOY_JSON_OBJECT || node->count == 0) continue;
        uint32_t *members = doc->by_key + node->first;
        memcpy(members, doc->children + node->first, node->count * sizeof *members);
        json_sort_members(doc, members, node->count);
        uint32_t first = 0; // of a run of equal keys
        for (uint32_t m = 1; m < node->count; m++) {
            const ployi_json_node *key = &doc->nodes[members[m]];
            if (ployi_json_compare_keys(doc, doc->texts + key->key_text, key->key_size,
                                        members[first]) != 0) {
                first = m;
                continue;
            }
            json_fault_twice(doc, members[first], members[m], diags);
            fine = false;
        }
    }
    return fine;
}

// Allocates the block for what the first pass counted, laid out but empty.
static ploy_json *json_alloc(const json_reader *counted, const ploy_env *env) {
    size_t name_size = strlen(counted->name) + 1;
    size_t size = (sizeof(ploy_json) + 15) / 16 * 16;
    size_t nodes = size, children, by_key, lines, texts;
    if (!ploy_size_add_array(size, counted->node_count, sizeof(ployi_json_node), &size))
        return NULL;
    children = size;
    if (!ploy_size_add_array(size, counted->node_count, sizeof(uint32_t), &size)) return NULL;
    by_key = size;
    if (!ploy_size_add_array(size, counted->node_count, sizeof(uint32_t), &size)) return NULL;
    lines = size;
    if (!ploy_size_add_array(size, counted->line_count, sizeof(uint32_t), &size)) return NULL;
    texts = size;
    if (!ploy_size_add_array(size, counted->text_size, 1, &size)) return NULL;
    if (!ploy_size_add_array(size, (int64_t)name_size, 1, &size)) return NULL;
    ploy_json *doc = ploy_env_alloc(env, size);
    if (doc == NULL) return NULL;
    char *block = (char *)doc;
    doc->env = *env;
    doc->size = size;
    doc->node_count = counted->node_count;
    doc->line_count = counted->line_count;
    doc->nodes = (ployi_json_node *)(void *)(block + nodes);
    doc->children = (uint32_t *)(void *)(block + children);
    doc->by_key = (uint32_t *)(void *)(block + by_key);
    doc->lines = (uint32_t *)(void *)(block + lines);
    doc->texts = block + texts;
    doc->name = block + size - name_size;
    memset(&doc->nodes[0], 0, sizeof doc->nodes[0]);
    doc->texts[0] = '\0';
    memcpy(doc->name, counted->name, name_size);
    return doc;
}

ploy_result ploy_json_load(const void *bytes, size_t size, const char *name,
                           const ploy_json_def *def, const ploy_env *env, ploy_diags *diags,
                           ploy_json **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    json_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.def = def != NULL ? *def : ploy_json_def_default();
    ploy_result result = ploy_fields_check(ploy_json_fields(), &reader.def, env);
    if (result != PLOY_OK) return result;
    reader.bytes = bytes != NULL ? bytes : "";
    reader.size = size;
    reader.name = ployi_text_or_empty(name);
    reader.diags = diags;
    if (size > (size_t)reader.def.max_kib * 1024) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_LIMIT, reader.name, 0, 0,
                       "document is too large", NULL, NULL);
        return PLOY_ERR_LIMIT;
    }
    json_reader_begin(&reader, NULL);
    bool complete = json_read_document(&reader);
    if (!complete || reader.result != PLOY_OK) return reader.result;
    ploy_json *doc = json_alloc(&reader, env);
    if (doc == NULL) return PLOY_ERR_MEMORY;
    json_reader_begin(&reader, doc);
    complete = json_read_document(&reader);
    PLOY_ASSERT(complete && reader.node_count == doc->node_count);
    json_link_children(doc);
    if (!json_sort_keys(doc, diags)) {
        ploy_json_destroy(doc);
        return PLOY_ERR_FORMAT;
    }
    *out = doc;
    return PLOY_OK;
}

#undef JSON_DEPTH_MAX
