// What the two halves of a rule's analysis share: clips_analysis.c for the conditions,
// clips_analysis_rhs.c for the actions.
#pragma once

#include "data/clips_internal.h"
#include "ploy/base/writer.h"

typedef struct ployi_analysis_node {
    const char *variable; // NULL: none
    const ployi_constraint *allowed;
    const ploy_rule_constraint *term; // NULL for heads and arguments
    const ployi_x *call;              // around an argument
    int32_t argument;                 // its place there, from 1; 0: not an argument
    int32_t end;                      // of a head's terms, of a term's arguments
    bool multi, negated;
    bool bound, bound_multi; // an earlier node binds its variable, to a sequence
} ployi_analysis_node;

typedef struct ployi_analysis_ce {
    const ploy_rule_ce *ce;
    int32_t which;      // from 1, alternatives that are not taken included
    int32_t begin, end; // depth of the not-groups where it begins and behind it, from 1
    int32_t first, node_end;
    bool lone;                   // negated or `exists`: binds nothing for others
    bool address_bound;          // its address's variable was bound before
    bool address_was_an_address; // by another fact's address
} ployi_analysis_ce;

// A variable of the actions, by its number there.
typedef struct ployi_analysis_local {
    const ployi_constraint *given;   // by `bind`; NULL: never
    const ployi_constraint *matched; // by the conditions, once asked; NULL: never
    bool looped;                     // it is the variable of a loop: nothing is known
    bool asked;
} ployi_analysis_local;

typedef struct ployi_analysis {
    ploy_clips *clips;
    const ployi_body *rhs;
    ployi_analysis_ce *ces;
    ployi_analysis_node *nodes;
    int32_t ce_count, node_count;
    int32_t which;
    bool failed;
    // The odometer of the `or`s: which item each takes.
    int32_t picks[PLOY_RULE_ORS_MAX], items[PLOY_RULE_ORS_MAX];
    int32_t or_count;
    ployi_analysis_local locals[PLOYI_SCOPE_MAX];
} ployi_analysis;

typedef struct ployi_analysis_message {
    ploy_buffer text;
    ploy_writer out;
} ployi_analysis_message;

// A message in parts. The name follows its text; NULL: none.
void ployi_analysis_begin(ployi_analysis *a, ployi_analysis_message *message, const char *text,
                          const char *name);
void ployi_analysis_say(ployi_analysis_message *message, const char *text, const char *name);
// Reports it. A rule may have several.
void ployi_analysis_end(ployi_analysis *a, ployi_analysis_message *message, const char *text);

// Notes what `bind` and the loops of the actions do to their variables.
void ployi_analysis_binds(ployi_analysis *a, const ployi_x *x);
// Checks the actions, when the conditions are done.
void ployi_analysis_actions(ployi_analysis *a);
