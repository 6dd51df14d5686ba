// Shared between the files that load, build and save behavior-tree documents.
//
// Invariants of a document while it is loaded and afterwards:
//   (1) items lie in the order of the text; a tree's are side by side, depth first, so that an
//       item's children lie between it and its `end`;
//   (2) texts point into the sources or the arena, which live as long as the document;
//   (3) keys of one group (`up` leads to its root) have one type, kept at the root.
#pragma once

#include "ploy/base/arena.h"
#include "ploy/base/array.h"
#include "ploy/base/json.h"
#include "ploy/base/map.h"
#include "ploy/data/bt_file.h"
#include "ploy/data/xml.h"

enum { PLOYI_BT_FILE_LEAF = 1000, PLOYI_BT_FILE_MAKER = 1 << 28 };

// How {@key} is called in trees that are held by others.
#define PLOYI_BT_FILE_ROOT "_root_"

// A text that was read, kept because its texts are used.
typedef struct ployi_btf_source {
    const char *name;
    ploy_xml *xml;
    ploy_json *json;
} ployi_btf_source;

typedef struct ployi_btf_place {
    int32_t source, line, column;
} ployi_btf_place;

typedef struct ployi_btf_attr {
    const char *name, *value;
    ployi_btf_place place;
    ploy_expression *expression; // NULL unless it is a script
} ployi_btf_attr;

// A node of a tree as the file has it.
typedef struct ployi_btf_item {
    const char *type, *category, *name; // category: "Action" of <Action ID="..">, or NULL
    const char *id;                     // of a SubTree
    ployi_btf_place place;
    int32_t parent, end, children, depth;
    int32_t first_attr, attr_count;
    int32_t kind;  // of ploy_bt_kind, -1 if unknown
    int32_t leaf;  // of leaves; of a behavior: of the def's makers
    int32_t tree;  // of a SubTree: which, -1 if there is none
    int32_t model; // of a SubTree, or -1
    bool autoremap;
    bool wrong; // an IfThenElse or WhileDoElse with another number of children
} ployi_btf_item;

typedef struct ployi_btf_tree {
    const char *id;
    ployi_btf_place place;
    int32_t first, end;                   // items
    bool named;                           // it has an explicit ID
    bool held;                            // as a sub-tree by another
    bool root;                            // its keys are the top: {@key} is {key}
    uint8_t visit;                        // for the search of cycles
    ploy_map by_name;                     // keys: name to index in keys
    ploy_array keys;                      // int32_t, of all keys
    const ploy_blackboard_layout *layout; // the game's or the own one
    ploy_blackboard_layout *own;
    ploy_bt *bt;
} ployi_btf_tree;

// How a key's type is known, the stronger the later.
typedef enum ployi_btf_rank {
    PLOYI_BT_RANK_NONE,
    PLOYI_BT_RANK_LITERAL,
    PLOYI_BT_RANK_SCRIPT,
    PLOYI_BT_RANK_PORT
} ployi_btf_rank;

typedef struct ployi_btf_key {
    const char *name;
    ployi_btf_place place;
    int32_t tree, up;
    // of the root of a group:
    ploy_value_type type;
    ploy_value_type literal; // what its literals read as
    ployi_btf_rank rank;
    bool made;
} ployi_btf_key;

// A model: what TreeNodesModel says of a node.
typedef struct ployi_btf_model {
    const char *category, *id;
    ployi_btf_place place;
    int32_t first_port, port_count;
} ployi_btf_model;

typedef struct ployi_btf_model_port {
    const char *direction, *name, *type, *value, *help; // value: its default, or NULL
    ployi_btf_place place;
} ployi_btf_model_port;

typedef struct ployi_btf_script {
    int32_t attr, tree;
    ploy_expression *expression;
} ployi_btf_script;

struct ploy_bt_file {
    ploy_env env;
    const ploy_bt_file_def *def; // while loading
    ploy_diags *diags;           // while loading
    ploy_result result;          // the first fault
    ploy_arena *arena;
    const char *main_id; // of the first source, or NULL
    ployi_btf_place main_place;
    int32_t main; // tree, -1 for none
    ploy_array sources, items, attrs, trees, keys, models, model_ports, scripts, leaves;
    ploy_array order;           // int32_t, trees with those they hold before them
    ploy_array binds;           // scratch
    ploy_map words;             // node names: a kind, or PLOYI_BT_FILE_LEAF + a leaf, or a maker
    ploy_conditions *functions; // what scripts may call, or NULL
    ploy_map ids;               // trees by ID
    bool changed;               // in the search for a fixpoint
    bool again;                 // it is not the first turn: what is said in each was said
};

#define PLOYI_BT_FILE_AT(file, list, index) (&((ployi_btf_##list *)(file)->list##s.items)[index])

// Says what is wrong: "message 'what'".
void ployi_bt_file_fault(ploy_bt_file *file, ployi_btf_place place, ploy_result code,
                         const char *message, const char *what, const char *expected,
                         const char *nearest);
// Notes that memory is short. False, for callers that return it.
bool ployi_bt_file_memory(ploy_bt_file *file);
// A copy in the arena, NULL if memory is short.
const char *ployi_bt_file_copy(ploy_bt_file *file, const char *text, size_t size);
// An item's attribute, or NULL.
ployi_btf_attr *ployi_bt_file_attr(const ploy_bt_file *file, const ployi_btf_item *item,
                                   const char *name);

// Reads the bytes and everything they include. In bt_file_read.c.
void ployi_bt_file_read(ploy_bt_file *file, const void *bytes, size_t size, const char *name);
// Finds out what each node is; names, children, cycles. In bt_file_check.c.
void ployi_bt_file_check(ploy_bt_file *file);
// Warns of what a tree that was built may not mean. In bt_file_check.c.
void ployi_bt_file_doubt(ploy_bt_file *file);
// Finds the keys and their types, and makes the layouts. In bt_file_keys.c.
void ployi_bt_file_keys(ploy_bt_file *file);
// The key that "{name}" represents in that tree, or NULL if it is not a key. "{=}" is the port.
// Faults for what cannot be one. In bt_file_keys.c.
const char *ployi_bt_file_key_name(ploy_bt_file *file, int32_t tree, const ployi_btf_attr *attr);
// The key of a tree, -1 if there is none.
int32_t ployi_bt_file_key_find(const ploy_bt_file *file, int32_t tree, const char *name);
// The root of a key's group.
ployi_btf_key *ployi_bt_file_key_root(const ploy_bt_file *file, int32_t key);
// A literal as a value of the type; constants count as numbers. False and a fault if it is none.
bool ployi_bt_file_literal(ploy_bt_file *file, const ployi_btf_attr *attr, const char *text,
                           ploy_value_type type, ploy_value *out);
// Builds all trees. In bt_file_build.c.
void ployi_bt_file_build(ploy_bt_file *file);
// True for "true" and "1"; false for "false" and "0"; else a fault.
bool ployi_bt_file_flag(ploy_bt_file *file, const ployi_btf_attr *attr, bool otherwise);
