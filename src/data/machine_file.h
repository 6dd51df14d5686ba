// Shared between the readers and writers of statecharts.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/map.h"
#include "ploy/data/machine.h"

// Texts are offsets into one pool; 0 is "".
typedef struct ployi_machine_place {
    int32_t line, column;
} ployi_machine_place;

typedef struct ployi_machine_block {
    int32_t first, count; // in ops
} ployi_machine_block;

// A state; number 0 is the machine. They are in the order of the document.
typedef struct ployi_machine_node {
    uint32_t id, initial, run;
    uint32_t status; // of a flat machine's final state
    ploy_hsm_kind kind;
    uint32_t parent, last;
    bool named; // the id is the file's own
    ployi_machine_block enter, exit, on_initial;
    ployi_machine_place place;
} ployi_machine_node;

typedef struct ployi_machine_rule {
    uint32_t id, on, when, targets;
    uint32_t effect; // of a flat machine's
    int32_t priority;
    uint32_t from; // 0, in a flat machine: every state
    bool internal, named;
    ployi_machine_block content;
    ployi_machine_place place, when_place; // of the rule, of its condition's text
} ployi_machine_rule;

// A step of a content. text: the event, label, action or id to cancel. value: the expression of a
// log; shown: what it writes.
typedef struct ployi_machine_op {
    ploy_hsm_op_kind kind;
    uint32_t text, id, delay, target, type, value, shown, when;
    ployi_machine_place place, when_place;
} ployi_machine_op;

struct ploy_machine {
    ploy_env env;
    ploy_array texts; // char
    ploy_array nodes; // ployi_machine_node
    ploy_array rules; // ployi_machine_rule, grouped by state
    ploy_array ops;   // ployi_machine_op
    ploy_map ids;     // hash of a state's id -> uint32_t number, the first of equals
    uint32_t source;  // the file's name
    uint32_t idle;    // the state that a flat machine falls into
    bool flat;        // something in it is for flat machines alone
};

// A document that is being read, or built.
typedef struct ployi_machine_reader {
    ploy_machine *machine; // changed by readers alone
    ploy_diags *diags;
    ploy_result result; // the first fault
    int32_t unknown;    // ids that no state has, so far
} ployi_machine_reader;

// Whether to look for the nearest id: looking for many takes long, and few are shown.
bool ployi_machine_looks(ployi_machine_reader *reader);

// Begins a document with its root, and ends it: checks everything, hands it out or destroys it.
ploy_result ployi_machine_begin(ployi_machine_reader *reader, const char *name, const ploy_env *env,
                                ploy_diags *diags);
ploy_result ployi_machine_end(ployi_machine_reader *reader, ploy_machine **out);

// Says what is wrong; `word`, if not "", follows, quoted, the message.
void ployi_machine_wrong(ployi_machine_reader *reader, ployi_machine_place place, ploy_result code,
                         const char *message, const char *word, const char *expected,
                         const char *nearest);

uint32_t ployi_machine_keep(ployi_machine_reader *reader, const char *text);
uint32_t ployi_machine_keep_bytes(ployi_machine_reader *reader, const char *text, size_t size);
const char *ployi_machine_text(const ploy_machine *machine, uint32_t text);

// Adds a state; 0 and a fault if there are too many. A missing id is made up.
uint32_t ployi_machine_add_node(ployi_machine_reader *reader, uint32_t parent, ploy_hsm_kind kind,
                                const char *id, ployi_machine_place place);
ployi_machine_node *ployi_machine_node_at(const ploy_machine *machine, uint32_t number);
void ployi_machine_add_rule(ployi_machine_reader *reader, const ployi_machine_rule *rule);
void ployi_machine_add_op(ployi_machine_reader *reader, const ployi_machine_op *op);

// The number of a state, 0 if there is none.
uint32_t ployi_machine_find(const ploy_machine *machine, const char *id, size_t size);

// Takes the next word of a list divided by blanks; false at its end.
bool ployi_machine_word(const char **list, const char **word, size_t *size);

// Reads a delay: "1s", "100ms", ".5s"; a plain number is milliseconds. False if it is none.
bool ployi_machine_delay(const char *text, double *seconds);

// Where a send goes.
typedef enum ployi_machine_way {
    PLOYI_MACHINE_OUTER,
    PLOYI_MACHINE_INNER,
    PLOYI_MACHINE_LOST, // error.communication
    PLOYI_MACHINE_BAD   // error.execution
} ployi_machine_way;
ployi_machine_way ployi_machine_send_way(const ploy_machine *machine, const ployi_machine_op *op);

// Reads a condition, which begins at the place. Without a set only its form and the states in it are
// checked. @param chart  the words of a chart; NULL for a flat machine.
ploy_condition ployi_machine_condition(ployi_machine_reader *reader, const char *text,
                                       ployi_machine_place place, ploy_conditions *set,
                                       const ploy_machine_words *chart);
// What a state may run besides an action, or NULL.
const ploy_machine_work *ployi_machine_work(const ploy_machine_words *words, const char *name);
// What In('id') needs in a chart. Must live as long as the type is built.
typedef struct ployi_machine_chart {
    const ploy_machine *machine;
    ploy_hsm_type *type;
} ployi_machine_chart;
// Registers the words; with a chart also In.
ploy_result ployi_machine_register(const ploy_machine_words *words, ployi_machine_chart *chart,
                                   ploy_conditions *set);
