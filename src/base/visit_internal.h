// Shared by the files of visitors: visit.c walks, visit_values.c knows the types, visit_load.c
// undoes failed loads.
#pragma once

#include "ploy/base/visit.h"

typedef struct ployi_visit_level {
    ploy_json_node node;
    int32_t next; // item of a list
    int32_t seen; // length of `seen` when it was opened
} ployi_visit_level;

typedef struct ployi_visit_load {
    const ploy_json *doc;
    ploy_diags *diags;
    ploy_result result; // the first fault
    bool known;         // faults are warnings; missing and unknown members are ignored
    bool undoes;        // a failed load is undone
    bool notes;         // the caller gave memory for the arrays
    ploy_array undo;    // bytes: what was at an address, then a visit_undo
    ploy_array seen;    // uint32_t: the nodes that were visited
    ploy_array after;   // visit_after
    ploy_array blocks;  // visit_block
    ployi_visit_level levels[PLOY_VISIT_DEPTH + 1];
    int32_t depth; // index of the open level
} ployi_visit_load;

// Whether a mark is described, and whether it is saved.
static inline bool ployi_visit_shows(ploy_mark mark) {
    return mark != PLOY_SAVED;
}
static inline bool ployi_visit_saves(ploy_mark mark) {
    return mark != PLOY_DERIVED;
}

// Saving: writes the key of a value, unless it is an item of a list.
void ployi_visit_write_key(ploy_visit *v, const char *name);
// Loading: finds a value. False if it is missing; a fault unless it is a note.
bool ployi_visit_find(ploy_visit *v, const char *name, ploy_mark mark, ploy_json_node *node);
void ployi_visit_fault(ploy_visit *v, ploy_json_node node, const char *message,
                       const char *expected);
// "state 'doze' no longer exists"; why may be "".
void ployi_visit_fault_name(ploy_visit *v, ploy_json_node node, const char *what, const char *name,
                            const char *why);
void ployi_visit_report(ploy_visit *v, const ploy_visit_seen *seen);

void ployi_visit_load_init(ployi_visit_load *load, const ploy_json *doc, ploy_json_node node,
                           const ploy_env *env, ploy_diags *diags, bool known);
// Opens and closes an object or array of the file.
void ployi_visit_load_push(ploy_visit *v, ploy_json_node node);
void ployi_visit_load_pop(ploy_visit *v, bool is_array);
// Undoes the load if it failed, calls what is to be called after it, and frees the notes.
ploy_result ployi_visit_load_finish(ployi_visit_load *load);
