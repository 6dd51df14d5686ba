// The memory of a JSON document, shared between reading and looking up.
//
//   block: | ploy_json | nodes | children | by_key | lines | texts | name |
//
// Invariants of a document:
//   (1) nodes[0] is the node that means none; nodes[1 .. node_count) are in the order of the
//       text, so a parent comes before its children;
//   (2) the children of container c are children[first .. first + count), in the order of the text;
//   (3) by_key[first .. first + count) holds the children of an object, sorted by key (shorter
//       first, then by bytes), all keys different;
//   (4) lines[0 .. line_count) are the offsets at which lines begin, rising;
//   (5) every text in texts is UTF-8 and has a zero behind it.
#pragma once

#include "ploy/base/json.h"

typedef struct ployi_json_node {
    uint32_t at;       // offset of the value in the document
    uint32_t key_at;   // offset of its key, if it is a member of an object
    uint32_t key_text; // the decoded key in texts
    uint32_t key_size;
    uint32_t parent; // 0 for the root
    uint32_t first;  // container: its place in children; text and number: in texts; bool: 0 or 1
    uint32_t count;  // container: its children; text and number: bytes
    uint32_t type;
} ployi_json_node;

struct ploy_json {
    ploy_env env;
    size_t size; // bytes of this block
    uint32_t node_count;
    uint32_t line_count;
    ployi_json_node *nodes;
    uint32_t *children;
    uint32_t *by_key;
    uint32_t *lines;
    char *texts;
    char *name;
};

// Orders a key against that of a node: by size, then bytes. Any total order serves; this is cheap.
int ployi_json_compare_keys(const ploy_json *doc, const char *key, size_t size, uint32_t node);
