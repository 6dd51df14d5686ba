// Shared between xml_read.c, which makes documents, and xml.c, which looks things up in them.
//
// Invariants of a document that was loaded:
//   (1) elements[0] is none; elements lie in the order of the text, a parent before its children;
//   (2) names and values are offsets into `texts`, each ended by a zero;
//   (3) `lines` are the offsets where lines begin, rising, the first 0.
#pragma once

#include "ploy/base/array.h"
#include "ploy/data/xml.h"

typedef struct ployi_xml_element {
    uint32_t at; // bytes from the beginning of the file
    uint32_t name, local;
    uint32_t parent, first, next; // elements, 0 for none
    uint32_t attribute, attribute_count;
    uint32_t text, text_size;
} ployi_xml_element;

typedef struct ployi_xml_pair {
    uint32_t at, name, value;
} ployi_xml_pair;

struct ploy_xml {
    ploy_env env;
    ploy_array elements, attributes, lines;
    char *texts; // of the file, decoded in place, then what had to be joined, then its name
    size_t texts_size;
    uint32_t source; // the file's name in texts
};

// The line and column of an offset. In xml.c.
ploy_xml_position ployi_xml_place(const ploy_xml *doc, uint32_t at);
