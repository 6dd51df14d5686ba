// A ring of records for the logs of messages, events and polls, and how they describe names and ids.
//
// A record has a number, counted from 0 forever; the ring holds the last ones. A caller that
// keeps a number finds its record again, or learns that it was overwritten.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/env.h"
#include "ploy/base/visit.h"

typedef struct ployi_ring {
    ploy_env env;
    size_t item_size;
    int32_t capacity; // 0: nothing is kept
    uint64_t next;    // number of the next record
    unsigned char *items;
} ployi_ring;

ploy_result ployi_ring_init(ployi_ring *ring, size_t item_size, int32_t capacity,
                            const ploy_env *env);
void ployi_ring_fini(ployi_ring *ring);
// A new record, all zero, to be filled at once; NULL if nothing is kept.
void *ployi_ring_push(ployi_ring *ring, uint64_t *number);
// The record of that number, or NULL if it is not there any more.
void *ployi_ring_get(const ployi_ring *ring, uint64_t number);
int32_t ployi_ring_count(const ployi_ring *ring);
// By age: 0 is the newest. NULL out of range.
const void *ployi_ring_newest(const ployi_ring *ring, int32_t age);
// How many were pushed, into the open group. Then opens the list of records, newest first, as a
// group of that name; the owner visits them and ends it. Returns how many there are.
int32_t ployi_ring_visit(ploy_visit *v, const char *name, ployi_ring *ring);
// The record of that age, to be visited.
void *ployi_ring_record(const ployi_ring *ring, int32_t age);
void ployi_ring_memory(const ployi_ring *ring, ploy_memory_fn fn, void *user);

// "3:1"
void ployi_print_id(ploy_id id, char *text, size_t size);
// A name, and the text behind it as a note, if names (v->context) has it.
void ployi_visit_name(ploy_visit *v, const char *label, ploy_mark mark, ploy_name *name);
// A name, and the text behind it as a note, if names has it.
void ployi_describe_name(ploy_describe *out, const char *label, ploy_mark mark,
                         const ploy_names *names, ploy_name name);
