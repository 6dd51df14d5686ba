/// @file ploy/data/xml.h
/// Reads XML 1.0, the format of behavior trees, statecharts and tile maps, with a position for
/// every element and attribute.
///
/// A document is read completely and never changes. Nodes are its elements: small handles by value.
/// All zero means none, and every query on none returns none, "" or 0, so that lookups can be
/// chained:
///
///     ploy_xml_node tree = ploy_xml_find(doc, ploy_xml_root(doc), "BehaviorTree");
///     const char *id = ploy_xml_get(doc, tree, "ID"); // NULL if it is not there
///
/// The five entities of XML and character references are decoded, CDATA is text, comments and
/// processing instructions are skipped. A document type with its own declarations is refused:
/// nothing is ever expanded or fetched. Text is UTF-8. Names keep their prefix; the local name is
/// what follows it. Reading continues after a fault, so that several are reported.
///
/// Relaxed reading accepts raw `<` and `&` in attribute values as literal characters, because some
/// tools write them.
///
/// Cost: linear. Threads: a document may be read from many threads at once.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/fields.h"
#include "ploy/base/writer.h"

/// Maximum number of attributes of one element.
#define PLOY_XML_ATTRIBUTES_MAX 256

/// Limits and leniency. Start from ploy_xml_def_default().
typedef struct ploy_xml_def {
    uint32_t cookie;
    bool relaxed;      ///< raw '<' and '&' in attribute values are allowed
    int32_t max_depth; ///< deepest nesting
    int32_t max_kib;   ///< KiB, largest document
} ploy_xml_def;

PLOY_API ploy_xml_def ploy_xml_def_default(void);
PLOY_API ploy_fields ploy_xml_fields(void);

/// A document. Opaque.
typedef struct ploy_xml ploy_xml;

/// An element; all zero means none. Valid as long as the document.
typedef struct ploy_xml_node {
    uint32_t index;
} ploy_xml_node;

static inline ploy_xml_node ploy_xml_none(void) {
    ploy_xml_node none = {0};
    return none;
}

static inline bool ploy_xml_is_none(ploy_xml_node node) {
    return node.index == 0;
}

/// A position in the text.
typedef struct ploy_xml_position {
    int32_t line;   ///< from 1; 0 if there is no such element
    int32_t column; ///< from 1, in bytes
} ploy_xml_position;

/// One attribute.
typedef struct ploy_xml_attribute {
    const char *name;  ///< NULL if there is none
    const char *value; ///< decoded, with line ends and tabs as blanks
    ploy_xml_position position;
} ploy_xml_attribute;

/// Reads a document.
/// @param bytes  need not end with a zero; not kept.
/// @param name   of the file, for messages; copied. NULL counts as "".
/// @param def    NULL for the default.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT if it is not XML, PLOY_ERR_LIMIT if it is too large or too deep (diags
///         have the position), PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_xml_load(const void *bytes, size_t size, const char *name,
                                   const ploy_xml_def *def, const ploy_env *env, ploy_diags *diags,
                                   ploy_xml **out);
/// Frees the document. NULL is allowed.
PLOY_API void ploy_xml_destroy(ploy_xml *doc);

/// The outermost element; the parent; the first child; the next sibling. And the total number of
/// elements, which are numbered from 1 in the order of the text.
PLOY_API ploy_xml_node ploy_xml_root(const ploy_xml *doc);
PLOY_API ploy_xml_node ploy_xml_parent(const ploy_xml *doc, ploy_xml_node node);
PLOY_API ploy_xml_node ploy_xml_first(const ploy_xml *doc, ploy_xml_node node);
PLOY_API ploy_xml_node ploy_xml_next(const ploy_xml *doc, ploy_xml_node node);
PLOY_API int32_t ploy_xml_total(const ploy_xml *doc);
/// The number of direct child elements.
PLOY_API int32_t ploy_xml_count(const ploy_xml *doc, ploy_xml_node node);
/// The first child, or the next sibling, with that local name.
PLOY_API ploy_xml_node ploy_xml_find(const ploy_xml *doc, ploy_xml_node node, const char *local);
PLOY_API ploy_xml_node ploy_xml_find_next(const ploy_xml *doc, ploy_xml_node node,
                                          const char *local);

/// The element's name as written, and without the prefix.
PLOY_API const char *ploy_xml_name(const ploy_xml *doc, ploy_xml_node node);
PLOY_API const char *ploy_xml_local(const ploy_xml *doc, ploy_xml_node node);
/// True if the element has that local name.
PLOY_API bool ploy_xml_is(const ploy_xml *doc, ploy_xml_node node, const char *local);

/// The element's attributes in the order of the text, and the value of one by name; NULL if there
/// is none.
PLOY_API int32_t ploy_xml_attribute_count(const ploy_xml *doc, ploy_xml_node node);
PLOY_API ploy_xml_attribute ploy_xml_attribute_at(const ploy_xml *doc, ploy_xml_node node,
                                                  int32_t index);
PLOY_API const char *ploy_xml_get(const ploy_xml *doc, ploy_xml_node node, const char *name);

/// Returns the text directly in the element, without runs of only blanks.
/// @param size  may be NULL.
PLOY_API const char *ploy_xml_text(const ploy_xml *doc, ploy_xml_node node, size_t *size);

/// The position where the element begins, and the name under which the document was loaded.
PLOY_API ploy_xml_position ploy_xml_position_of(const ploy_xml *doc, ploy_xml_node node);
PLOY_API const char *ploy_xml_source(const ploy_xml *doc);

/// Adds an error with code PLOY_ERR_FORMAT at the position of the element, or of the named
/// attribute if the element has it. Any text except the message may be NULL.
PLOY_API void ploy_xml_fault(const ploy_xml *doc, ploy_xml_node node, const char *attribute,
                             ploy_diags *diags, const char *message, const char *expected,
                             const char *nearest);

/// Writes text for an element or in an attribute's value, escaped where needed.
PLOY_API void ploy_xml_write_text(ploy_writer *writer, const char *text, size_t size);
/// Writes an element and everything in it, indented, with its text before its children.
PLOY_API void ploy_xml_write(const ploy_xml *doc, ploy_xml_node node, ploy_writer *writer);

PLOY_API void ploy_xml_memory(const ploy_xml *doc, ploy_memory_fn fn, void *user);
