// Inside the reader and writer of Tiled files: the map, and one view of XML and JSON documents.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/data/tiled.h"
#include "ploy/data/xml.h"

struct ploy_tiled {
    ploy_env env;
    ploy_arena *texts;    // all strings
    ploy_tiled_view view; // arrays are set at the end of loading
    ploy_array layers, tilesets, chunks, cells, objects, points, properties;
    ploy_array tiles, frames, terrains, wang_sets, wang_colors, wang_tiles;
};

ploy_result ployi_tiled_create(const ploy_env *env, ploy_tiled **out);
// Points the view to the arrays.
void ployi_tiled_publish(ploy_tiled *map);
// A copy of the text that lives as long as the map; NULL if memory is short.
const char *ployi_tiled_keep(ploy_tiled *map, const char *text, size_t size);

// ---- documents: XML or JSON, one of the two

typedef struct ployi_tiled_doc {
    ploy_xml *xml;
    ploy_json *json;
} ployi_tiled_doc;

// An element or an object; 0 is none.
typedef struct ployi_tiled_node {
    uint32_t index;
} ployi_tiled_node;

ploy_result ployi_tiled_doc_open(ployi_tiled_doc *doc, const void *bytes, size_t size,
                                 const char *name, const ploy_env *env, ploy_diags *diags);
void ployi_tiled_doc_close(ployi_tiled_doc *doc);
ployi_tiled_node ployi_tiled_root(const ployi_tiled_doc *doc);
// The kind of the outermost value: "map", "tileset", "template"; "" if unknown.
const char *ployi_tiled_root_kind(const ployi_tiled_doc *doc);
// An attribute, or a member that is a number, bool or text; NULL if it is not there.
const char *ployi_tiled_text(const ployi_tiled_doc *doc, ployi_tiled_node node, const char *key);
// A child element, or a member that is an object.
ployi_tiled_node ployi_tiled_child(const ployi_tiled_doc *doc, ployi_tiled_node node,
                                   const char *key);
void ployi_tiled_doc_fault(const ployi_tiled_doc *doc, ployi_tiled_node node, const char *key,
                           ploy_diags *diags, ploy_severity severity, ploy_result code,
                           const char *message, const char *expected, const char *nearest);

// Walks over child elements of one name (NULL: of any), or the items of a member that is an array
// or an object.
typedef struct ployi_tiled_each {
    const ployi_tiled_doc *doc;
    const char *xml_name;
    ployi_tiled_node list, at;
    int32_t next;
} ployi_tiled_each;

// @param wrapper  element around the elements; NULL: they are in the node itself.
ployi_tiled_each ployi_tiled_each_make(const ployi_tiled_doc *doc, ployi_tiled_node node,
                                       const char *wrapper, const char *xml_name,
                                       const char *json_key);
bool ployi_tiled_each_next(ployi_tiled_each *each);
int32_t ployi_tiled_each_count(ployi_tiled_each each);

// ---- reading

typedef struct ployi_tiled_template {
    const char *name; // resolved
    ploy_tiled_object object;
} ployi_tiled_template;

typedef struct ployi_tiled_reader {
    ploy_tiled *map;
    ployi_tiled_doc doc;
    const char *name; // of the document, resolved
    const ploy_tiled_options *options;
    ploy_diags *diags;
    ploy_array *templates; // ployi_tiled_template
    int32_t depth;
    ploy_result result; // the first failure; reading goes on after PLOY_ERR_FORMAT
} ployi_tiled_reader;

void ployi_tiled_fault(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                       const char *message, const char *expected, const char *nearest);
// True after a failure that ends the reading.
bool ployi_tiled_broken(const ployi_tiled_reader *reader);
void ployi_tiled_fail(ployi_tiled_reader *reader, ploy_result result);
const char *ployi_tiled_string(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key);
// The `class` of a thing, in older files its `type`.
const char *ployi_tiled_class(ployi_tiled_reader *reader, ployi_tiled_node node);
int32_t ployi_tiled_i32(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                        int32_t fallback, int32_t min, int32_t max);
uint32_t ployi_tiled_gid(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key);
double ployi_tiled_f64(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                       double fallback);
bool ployi_tiled_bool(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                      bool fallback);
// The place of a value in a list of words; a fault and -1 for another.
int32_t ployi_tiled_word(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                         const char *const *words, int32_t count, int32_t fallback);
ploy_tiled_image ployi_tiled_image(ployi_tiled_reader *reader, ployi_tiled_node node);
ploy_tiled_range ployi_tiled_properties(ployi_tiled_reader *reader, ployi_tiled_node node);
ploy_tiled_range ployi_tiled_objects(ployi_tiled_reader *reader, ployi_tiled_node node);
ploy_tiled_object ployi_tiled_object(ployi_tiled_reader *reader, ployi_tiled_node node);
// Reads the cells of a layer, and of all its chunks.
void ployi_tiled_cells(ployi_tiled_reader *reader, ployi_tiled_node node, ploy_tiled_layer *layer);
// Reads a tileset of a map (with a first global id) or of a file.
void ployi_tiled_tileset(ployi_tiled_reader *reader, ployi_tiled_node node, bool in_map);
void ployi_tiled_map(ployi_tiled_reader *reader, ployi_tiled_node node);
// Opens the file that `source` names, relative to the reader's, for a second reader. False if it is
// not there, after a fault or warning; close the second's document.
bool ployi_tiled_external(ployi_tiled_reader *reader, ployi_tiled_node node, const char *key,
                          const char *source, ployi_tiled_reader *out);
const char *ployi_tiled_resolve(ployi_tiled_reader *reader, const char *source);

extern const char *const ployi_tiled_property_words[PLOY_TILED_PROPERTY_TYPES];
extern const char *const ployi_tiled_orientation_words[PLOY_TILED_ORIENTATIONS];
extern const char *const ployi_tiled_compression_words[PLOY_TILED_COMPRESSIONS];

// Base64 (RFC 4648). Decoding skips white space. @return PLOY_ERR_FORMAT, PLOY_ERR_MEMORY.
ploy_result ployi_base64_decode(const char *text, size_t size, ploy_buffer *out);
void ployi_base64_write(const void *bytes, size_t size, ploy_writer *out);
