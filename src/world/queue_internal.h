// A queue by time with items that can be taken out anywhere: what telegrams, events and alarms
// wait in.
//
// What comes first: the earlier time, then the lower rank, then the lower order. Orders are the
// caller's and different, so the sequence depends on what was put in, not on the heap's shape.
//
// Technique: a 4-ary heap of small entries beside the items; an item taken from the middle leaves a
// stale entry behind, which is passed over later: O(log count) on average. In a large queue only the
// near future is in the heap; what is due later waits behind it in no order, and is added when its
// time comes near. Items have ids with generations.
#pragma once

#include "ploy/base/array.h"
#include "ploy/base/id.h"
#include "ploy/base/visit.h"

#include "base/compiler.h"

typedef struct ployi_queue_entry {
    double time;
    uint64_t order;
    int32_t rank;
    int32_t place;
    uint32_t generation; // of the place
    uint32_t reserved;
} ployi_queue_entry;

typedef struct ployi_queue {
    ploy_array heap;   // ployi_queue_entry: the heap, then those that are due later
    ploy_array places; // generation of each, and which are free
    ploy_array items;
    int32_t first_free; // place; -1: none
    int32_t stale;      // entries whose item was taken from the middle
    int32_t near;       // entries that are in the heap
    int32_t split_at;   // size of the heap at which it is divided again
    double horizon;     // what is due from then on is not in the heap
} ployi_queue;

void ployi_queue_init(ployi_queue *queue, size_t item_size, const ploy_env *env);
void ployi_queue_fini(ployi_queue *queue);
// Room for that many items in all. On failure the queue is as it was.
ploy_result ployi_queue_reserve(ployi_queue *queue, int32_t capacity);
// How many items fit before it grows.
int32_t ployi_queue_capacity(const ployi_queue *queue);
int32_t ployi_queue_count(const ployi_queue *queue);
// Copies the item in.
ploy_result ployi_queue_push(ployi_queue *queue, double time, int32_t rank, uint64_t order,
                             const void *item, ploy_id *id);
// The first entry, or NULL.
const ployi_queue_entry *ployi_queue_first(const ployi_queue *queue);
// Hints to the processor that the first item will be needed soon. Changes nothing.
void ployi_queue_expect(const ployi_queue *queue);
// Takes the first item out into `item`. False if there is none.
bool ployi_queue_pop(ployi_queue *queue, void *item);
// The item of an id, or NULL; good until the next push or reserve.
void *ployi_queue_get(const ployi_queue *queue, ploy_id id);
// The item at a place and its id, or NULL; places go from 0 to ployi_queue_places - 1.
void *ployi_queue_at(const ployi_queue *queue, int32_t place, ploy_id *id);
int32_t ployi_queue_places(const ployi_queue *queue);
// Places that are taken; the same as the count, except in a load.
int32_t ployi_queue_taken(const ployi_queue *queue);
bool ployi_queue_remove(ployi_queue *queue, ploy_id id);
// The free places in the order in which they will be taken, folded: they are state, as ids are.
uint64_t ployi_queue_free_hash(const ployi_queue *queue);
// The places, into the open group; the owner visits the items, in the order of their places, and
// calls ployi_queue_rebuild after a load. At most `max` places.
void ployi_queue_visit(ploy_visit *v, ployi_queue *queue, int32_t max);
// Sets up the order of waiting from the items: for after a load. Allocates nothing.
typedef void (*ployi_queue_key_fn)(const void *item, double *time, int32_t *rank, uint64_t *order);
void ployi_queue_rebuild(ployi_queue *queue, ployi_queue_key_fn key);
void ployi_queue_memory(const ployi_queue *queue, ploy_memory_fn fn, void *user);
