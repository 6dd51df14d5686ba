// Shared between the files that read PDDL: a file as brackets and words, and its faults.
#pragma once

#include "pddl_internal.h"

enum { PLOYI_PDDL_WORD_MAX = 63 };

typedef struct ployi_pddl_reader {
    ployi_pddl *pddl;
    ploy_pddl_text file;
    ploy_diags *diags;
    int32_t faults;
    ploy_result result; // memory
    ploy_array nodes;   // ployi_pddl_node
    ploy_array text;    // char: the file in lower case
    // Parameters in scope, by name.
    ploy_name params[PLOY_PDDL_PARAMS_MAX];
    int32_t param_count;
} ployi_pddl_reader;

const ployi_pddl_node *ployi_pddl_at(const ployi_pddl_reader *reader, int32_t node);
bool ployi_pddl_is_list(const ployi_pddl_reader *reader, int32_t node);
// A word as text, cut; "" for a list.
const char *ployi_pddl_text(const ployi_pddl_reader *reader, int32_t node,
                            char out[PLOYI_PDDL_WORD_MAX + 1]);
bool ployi_pddl_is(const ployi_pddl_reader *reader, int32_t node, const char *word);
// Says what is wrong at a node, with its word and what may have been meant.
void ployi_pddl_fault(ployi_pddl_reader *reader, int32_t node, const char *what,
                      const char *expected, const char *nearest);
// There is memory, and there are not too many faults yet.
bool ployi_pddl_going(const ployi_pddl_reader *reader);
// Keeps the first trouble with memory.
bool ployi_pddl_kept(ployi_pddl_reader *reader, ploy_result result);
// The whole file under node 0.
void ployi_pddl_scan(ployi_pddl_reader *reader);
// The name of a word, kept for printing; none after a fault.
ploy_name ployi_pddl_name(ployi_pddl_reader *reader, int32_t node);
// Every table begins its items with the name.
int32_t ployi_pddl_find(const ploy_array *items, ploy_name name);
// Says that a name is none of these, and which is nearest.
void ployi_pddl_unknown(ployi_pddl_reader *reader, int32_t node, const char *what,
                        const ploy_array *items);
