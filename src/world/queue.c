// The queue by time; see the header beside this file.
//
// An item that is taken from the middle leaves its entry in the heap, to be passed over; entries do
// not know where they are, so sifting writes to the heap alone. (Keeping positions up to date more
// than doubled the cost of a queue of 100,000.)
//
// Invariants:
//   (1) the first `near` entries are a 4-ary heap by (time, rank, order), all due before the horizon;
//       the others are due at the horizon or later. There is one entry for each item in the queue,
//       and `stale` others, whose generation is not that of the item at their place;
//   (2) unless the queue is empty, the heap is not, and its first entry is not stale;
//   (3) a place's link is QUEUE_TAKEN, or the next free place, or QUEUE_END;
//   (4) a place whose generation is used up is neither taken nor in the free list: one more turn
//       would let an old id find a stranger.
#include <math.h>
#include <string.h>

#include "ploy/base/hash.h"
#include "world/queue_internal.h"

#define QUEUE_END (-1)
#define QUEUE_TAKEN (-2)
#define QUEUE_ARITY 4
#define QUEUE_LINE 64    // bytes that come together, on most machines
#define QUEUE_LARGE 4096 // entries; fewer stay in the processor's memory by themselves
#define QUEUE_SHARES 16  // of the time that all entries span, one is in the heap at once

typedef struct queue_place {
    uint32_t generation;
    int32_t link;
} queue_place;

static ployi_queue_entry *queue_heap(const ployi_queue *queue) {
    return PLOY_ARRAY_ITEMS(&queue->heap, ployi_queue_entry);
}

static queue_place *queue_place_at(const ployi_queue *queue, int32_t place) {
    return &PLOY_ARRAY_ITEMS(&queue->places, queue_place)[place];
}

static unsigned char *queue_item_at(const ployi_queue *queue, int32_t place) {
    return (unsigned char *)queue->items.items + (size_t)place * queue->items.item_size;
}

// Sets the state in which every entry is in the heap, whatever its order.
static void queue_all_near(ployi_queue *queue) {
    queue->stale = 0;
    queue->near = queue->heap.count;
    queue->split_at = QUEUE_LARGE;
    queue->horizon = (double)INFINITY;
}

void ployi_queue_init(ployi_queue *queue, size_t item_size, const ploy_env *env) {
    ploy_array_init(&queue->heap, sizeof(ployi_queue_entry), env);
    ploy_array_init(&queue->places, sizeof(queue_place), env);
    ploy_array_init(&queue->items, item_size, env);
    queue->first_free = QUEUE_END;
    queue_all_near(queue);
}

void ployi_queue_fini(ployi_queue *queue) {
    ploy_array_fini(&queue->heap);
    ploy_array_fini(&queue->places);
    ploy_array_fini(&queue->items);
    queue->first_free = QUEUE_END;
    queue_all_near(queue);
}

ploy_result ployi_queue_reserve(ployi_queue *queue, int32_t capacity) {
    if (capacity < 0 || capacity > INT32_MAX / 2) return PLOY_ERR_ARGUMENT;
    // Twice, for the stale: a full heap is half stale then, and clearing it up is worth the while.
    ploy_result result = ploy_array_reserve(&queue->heap, 2 * capacity);
    if (result == PLOY_OK) result = ploy_array_reserve(&queue->places, capacity);
    if (result == PLOY_OK) result = ploy_array_reserve(&queue->items, capacity);
    return result;
}

int32_t ployi_queue_capacity(const ployi_queue *queue) {
    int32_t half = queue->heap.capacity / 2;
    return half < queue->items.capacity ? half : queue->items.capacity;
}

int32_t ployi_queue_count(const ployi_queue *queue) {
    return queue->heap.count - queue->stale;
}

static bool queue_before(const ployi_queue_entry *a, const ployi_queue_entry *b) {
    if (a->time != b->time) return a->time < b->time;
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->order < b->order;
}

static bool queue_is_stale(const ployi_queue *queue, const ployi_queue_entry *entry) {
    const queue_place *place = queue_place_at(queue, entry->place);
    return place->generation != entry->generation || place->link != QUEUE_TAKEN;
}

static void queue_sift_up(ployi_queue *queue, int32_t position, ployi_queue_entry entry) {
    ployi_queue_entry *heap = queue_heap(queue);
    while (position > 0) {
        int32_t parent = (position - 1) / QUEUE_ARITY;
        if (!queue_before(&entry, &heap[parent])) break;
        heap[position] = heap[parent];
        position = parent;
    }
    heap[position] = entry;
}

// One of sixteen grandchildren is compared next; in a large heap they lie far away, and all come
// while the children are compared.
static void queue_expect_below(const ployi_queue_entry *heap, int64_t child, int32_t count) {
    int64_t end = (child + QUEUE_ARITY) * QUEUE_ARITY + 1;
    if (end > count) end = count;
    int64_t step = QUEUE_LINE / (int64_t)sizeof *heap;
    for (int64_t i = child * QUEUE_ARITY + 1; i < end; i += step) PLOYI_PREFETCH(&heap[i]);
}

static void queue_sift_down(ployi_queue *queue, int32_t position, ployi_queue_entry entry) {
    ployi_queue_entry *heap = queue_heap(queue);
    int32_t count = queue->near;
    for (;;) {
        int64_t child = (int64_t)position * QUEUE_ARITY + 1;
        if (child >= count) break;
        if (count > QUEUE_LARGE) queue_expect_below(heap, child, count);
        int32_t best = (int32_t)child;
        for (int32_t i = best + 1; i < count && i < (int32_t)child + QUEUE_ARITY; i++) {
            if (queue_before(&heap[i], &heap[best])) best = i;
        }
        if (!queue_before(&heap[best], &entry)) break;
        heap[position] = heap[best];
        position = best;
    }
    heap[position] = entry;
}

static void queue_heapify(ployi_queue *queue) {
    ployi_queue_entry *heap = queue_heap(queue);
    for (int32_t i = (queue->near - 2) / QUEUE_ARITY; i >= 0 && queue->near > 1; i--) {
        queue_sift_down(queue, i, heap[i]);
    }
}

// Chooses the horizon again: after the first share of the time that all entries span. A small queue
// has none.
static void queue_split(ployi_queue *queue) {
    ployi_queue_entry *heap = queue_heap(queue);
    int32_t count = queue->heap.count;
    double first = (double)INFINITY, last = -(double)INFINITY;
    for (int32_t i = 0; i < count; i++) {
        first = heap[i].time < first ? heap[i].time : first;
        last = heap[i].time > last ? heap[i].time : last;
    }
    queue->near = count;
    queue->horizon = (double)INFINITY;
    double horizon = first + (last - first) / QUEUE_SHARES;
    if (count > QUEUE_LARGE && horizon > first) {
        queue->horizon = horizon;
        queue->near = 0;
        for (int32_t i = 0; i < count; i++) {
            if (heap[i].time >= horizon) continue;
            ployi_queue_entry entry = heap[i];
            heap[i] = heap[queue->near];
            heap[queue->near++] = entry;
        }
    }
    queue->split_at = 2 * queue->near > QUEUE_LARGE ? 2 * queue->near : QUEUE_LARGE;
    queue_heapify(queue);
}

// Throws the stale entries away and makes a heap of the rest.
static void queue_compact(ployi_queue *queue) {
    ployi_queue_entry *heap = queue_heap(queue);
    int32_t kept = 0;
    for (int32_t i = 0; i < queue->heap.count; i++) {
        if (!queue_is_stale(queue, &heap[i])) heap[kept++] = heap[i];
    }
    while (queue->heap.count > kept) ploy_array_pop(&queue->heap, NULL);
    queue_all_near(queue);
    queue_heapify(queue);
}

// Room for one more entry: by clearing up if that is worth it, by growing, or by clearing up after
// all.
static bool queue_add_entry(ployi_queue *queue) {
    if (queue->heap.count == queue->heap.capacity && queue->stale > queue->heap.count / 4) {
        queue_compact(queue);
    }
    if (ploy_array_add(&queue->heap) != NULL) return true;
    if (queue->stale == 0) return false;
    queue_compact(queue);
    return ploy_array_add(&queue->heap) != NULL;
}

// Puts an entry into the room at the end, or into the heap before those that are due later.
static void queue_insert(ployi_queue *queue, ployi_queue_entry entry) {
    ployi_queue_entry *heap = queue_heap(queue);
    int32_t last = queue->heap.count - 1;
    if (last == 0) {
        queue_all_near(queue);
        queue->near = 0;
    }
    if (entry.time >= queue->horizon) {
        heap[last] = entry;
        return;
    }
    heap[last] = heap[queue->near];
    queue_sift_up(queue, queue->near++, entry);
    if (queue->near > queue->split_at) queue_split(queue);
}

ploy_result ployi_queue_push(ployi_queue *queue, double time, int32_t rank, uint64_t order,
                             const void *item, ploy_id *id) {
    int32_t place = queue->first_free;
    if (place == QUEUE_END) {
        place = queue->places.count;
        if (ploy_array_add(&queue->places) == NULL) return PLOY_ERR_MEMORY;
        if (ploy_array_add(&queue->items) == NULL) {
            ploy_array_pop(&queue->places, NULL);
            return PLOY_ERR_MEMORY;
        }
        queue_place fresh = {1, QUEUE_END};
        *queue_place_at(queue, place) = fresh;
    }
    if (!queue_add_entry(queue)) {
        if (queue->first_free == QUEUE_END) {
            ploy_array_pop(&queue->places, NULL);
            ploy_array_pop(&queue->items, NULL);
        }
        return PLOY_ERR_MEMORY;
    }
    queue_place *taken = queue_place_at(queue, place);
    queue->first_free = taken->link;
    taken->link = QUEUE_TAKEN;
    memcpy(queue_item_at(queue, place), item, queue->items.item_size);
    ployi_queue_entry entry = {time, order, rank, place, taken->generation, 0};
    queue_insert(queue, entry);
    if (id != NULL) *id = ploy_id_make((uint32_t)place, taken->generation);
    return PLOY_OK;
}

const ployi_queue_entry *ployi_queue_first(const ployi_queue *queue) {
    return queue->heap.count > 0 ? queue_heap(queue) : NULL;
}

static void queue_expect_item(const ployi_queue *queue, int32_t place) {
    const unsigned char *item = queue_item_at(queue, place);
    for (size_t at = 0; at < queue->items.item_size; at += QUEUE_LINE) {
        PLOYI_PREFETCH(item + at);
    }
    PLOYI_PREFETCH(queue_place_at(queue, place));
}

void ployi_queue_expect(const ployi_queue *queue) {
    if (queue->places.count <= QUEUE_LARGE) return;
    const ployi_queue_entry *heap = queue_heap(queue);
    int32_t end = queue->near < 1 + QUEUE_ARITY ? queue->near : 1 + QUEUE_ARITY;
    for (int32_t i = 0; i < end; i++) queue_expect_item(queue, heap[i].place);
}

static void queue_drop_first(ployi_queue *queue) {
    ployi_queue_entry *heap = queue_heap(queue), last = heap[--queue->near], later;
    ploy_array_pop(&queue->heap, &later);
    if (queue->heap.count > queue->near) heap[queue->near] = later; // closes the gap
    if (queue->near > 0) {
        queue_sift_down(queue, 0, last);
    } else if (queue->heap.count > 0) {
        queue_split(queue);
    }
}

static void queue_free_place(ployi_queue *queue, int32_t place) {
    memset(queue_item_at(queue, place), 0, queue->items.item_size);
    queue_place *gone = queue_place_at(queue, place);
    gone->link = QUEUE_END;
    if (gone->generation == UINT32_MAX) return; // keeps (4)
    gone->generation++;
    gone->link = queue->first_free;
    queue->first_free = place;
}

// Drops entries until the first is that of an item: restores (2).
static void queue_skip_stale(ployi_queue *queue) {
    while (queue->stale > 0 && queue_is_stale(queue, queue_heap(queue))) {
        queue_drop_first(queue);
        queue->stale--;
    }
}

bool ployi_queue_pop(ployi_queue *queue, void *item) {
    if (queue->heap.count == 0) return false;
    int32_t place = queue_heap(queue)[0].place;
    memcpy(item, queue_item_at(queue, place), queue->items.item_size);
    queue_drop_first(queue);
    queue_free_place(queue, place);
    queue_skip_stale(queue);
    return true;
}

void *ployi_queue_at(const ployi_queue *queue, int32_t place, ploy_id *id) {
    if (place < 0 || place >= queue->places.count) return NULL;
    const queue_place *found = queue_place_at(queue, place);
    if (found->link != QUEUE_TAKEN) return NULL;
    if (id != NULL) *id = ploy_id_make((uint32_t)place, found->generation);
    return queue_item_at(queue, place);
}

void *ployi_queue_get(const ployi_queue *queue, ploy_id id) {
    ploy_id there;
    if (id.index >= (uint32_t)queue->places.count) return NULL;
    void *item = ployi_queue_at(queue, (int32_t)id.index, &there);
    return item != NULL && there.generation == id.generation ? item : NULL;
}

int32_t ployi_queue_places(const ployi_queue *queue) {
    return queue->places.count;
}

int32_t ployi_queue_taken(const ployi_queue *queue) {
    int32_t count = 0;
    for (int32_t i = 0; i < queue->places.count; i++) {
        count += queue_place_at(queue, i)->link == QUEUE_TAKEN;
    }
    return count;
}

bool ployi_queue_remove(ployi_queue *queue, ploy_id id) {
    if (ployi_queue_get(queue, id) == NULL) return false;
    queue_free_place(queue, (int32_t)id.index);
    queue->stale++;
    queue_skip_stale(queue);
    return true;
}

uint64_t ployi_queue_free_hash(const ployi_queue *queue) {
    uint64_t hash = (uint64_t)queue->places.count;
    for (int32_t i = queue->first_free; i != QUEUE_END; i = queue_place_at(queue, i)->link) {
        hash = ploy_hash_combine(
            hash, ploy_id_to_u64(ploy_id_make((uint32_t)i, queue_place_at(queue, i)->generation)));
    }
    return hash;
}

// Whether the free places are a list without a circle.
static bool queue_is_sound(const ployi_queue *queue) {
    int32_t steps = 0, count = queue->places.count;
    for (int32_t at = queue->first_free; at != QUEUE_END;
         at = queue_place_at(queue, at)->link, steps++) {
        if (at < 0 || at >= count || steps >= count) return false;
        if (queue_place_at(queue, at)->link == QUEUE_TAKEN) return false;
    }
    return true;
}

void ployi_queue_visit(ploy_visit *v, ployi_queue *queue, int32_t max) {
    static const unsigned char zeros[256] = {0};
    PLOY_ASSERT(queue->items.item_size <= sizeof zeros);
    ploy_visit_begin(v, "queue", PLOY_SAVED);
    int32_t count = ploy_visit_array(v, "places", PLOY_SAVED, &queue->places, max);
    if (ploy_visit_loads(v)) {
        ploy_visit_result(v, ploy_array_reserve(&queue->heap, 2 * count));
        if (!ploy_visit_resize(v, &queue->items, count)) count = 0;
    }
    ploy_visit_struct(v, "queue.items", queue->items.items,
                      (size_t)queue->items.count * queue->items.item_size);
    for (int32_t i = 0; i < count; i++) {
        queue_place *place = queue_place_at(queue, i);
        ploy_visit_begin(v, "place", PLOY_SAVED);
        ploy_visit_u32_in(v, "generation", PLOY_SAVED, &place->generation, 1, UINT32_MAX);
        ploy_visit_i32_in(v, "link", PLOY_SAVED, &place->link, QUEUE_TAKEN, INT32_MAX);
        ploy_visit_end(v);
        if (place->link == QUEUE_TAKEN) continue;
        ploy_visit_scratch(v, queue_item_at(queue, i), queue->items.item_size);
        if (ploy_visit_loads(v)) {
            ploy_visit_write(v, queue_item_at(queue, i), zeros, queue->items.item_size);
        }
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "first_free", PLOY_SAVED, &queue->first_free, QUEUE_END, INT32_MAX);
    if (ploy_visit_is_ok(v)) {
        ploy_visit_check(v, queue_is_sound(queue), "invalid free list", NULL);
    }
    ploy_visit_end(v);
    ploy_visit_buffer(v, "queue.items", &queue->items);
    ploy_visit_buffer(v, "queue.heap", &queue->heap);
    PLOY_VISIT_SCRATCH(v, queue->stale);
    PLOY_VISIT_SCRATCH(v, queue->near); // the heap is made again
    PLOY_VISIT_SCRATCH(v, queue->split_at);
    PLOY_VISIT_SCRATCH(v, queue->horizon);
}

void ployi_queue_rebuild(ployi_queue *queue, ployi_queue_key_fn key) {
    ploy_array_clear(&queue->heap);
    queue_all_near(queue);
    for (int32_t i = 0; i < queue->places.count; i++) {
        const queue_place *place = queue_place_at(queue, i);
        if (place->link != QUEUE_TAKEN) continue;
        ployi_queue_entry entry = {0.0, 0, 0, i, place->generation, 0};
        key(queue_item_at(queue, i), &entry.time, &entry.rank, &entry.order);
        bool room = ploy_array_add(&queue->heap) != NULL;
        PLOY_ASSERT(room); // reserved by the visit, or there before it
        (void)room;
        queue_insert(queue, entry);
    }
}

void ployi_queue_memory(const ployi_queue *queue, ploy_memory_fn fn, void *user) {
    ploy_array_memory(&queue->heap, fn, user);
    ploy_array_memory(&queue->places, fn, user);
    ploy_array_memory(&queue->items, fn, user);
}

#undef QUEUE_END
#undef QUEUE_TAKEN
#undef QUEUE_ARITY
#undef QUEUE_LINE
#undef QUEUE_LARGE
