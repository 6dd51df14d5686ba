// Arena of chained blocks.
//
//     first ──► full ──► current ──► spare ──► NULL
//
// Invariants:
//   (1) blocks before current are closed, those after it are spare: nothing in them is in use;
//   (2) current is NULL only while there is no block; current->used <= current->capacity;
//   (3) current->before is what was handed out in the blocks before it;
//   (4) total is the sum of all capacities, and limit is 0 or total <= limit;
//   (5) capacities and used are multiples of PLOY_ALIGNMENT, so every pointer is aligned.
#include "ploy/base/arena.h"

#include "base/base_internal.h"

#include <string.h>

// Written over memory that is given back, in debug builds.
#define ARENA_STALE 0xdd

typedef struct arena_block arena_block;
struct arena_block {
    arena_block *next;
    size_t capacity;
    size_t used;
    size_t before;
};

// Bytes of the header, a multiple of the alignment.
#define ARENA_HEADER ((sizeof(arena_block) + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1))

struct ploy_arena {
    ploy_env env;
    arena_block *first;
    arena_block *current;
    size_t total;
    size_t limit; // SIZE_MAX if there is none
    size_t peak;
    int64_t blocks;
};

static unsigned char *arena_bytes(arena_block *block) {
    return (unsigned char *)block + ARENA_HEADER;
}

static void arena_spoil(arena_block *block, size_t from) {
#if PLOY_DEBUG_CHECKS
    memset(arena_bytes(block) + from, ARENA_STALE, block->used - from);
#else
    (void)block;
    (void)from;
#endif
}

// A new block, not yet in the chain. capacity is a multiple of the alignment and within the limit.
static arena_block *arena_take(ploy_arena *arena, size_t capacity) {
    if (capacity > SIZE_MAX - ARENA_HEADER) return NULL;
    arena_block *block = ploy_env_alloc(&arena->env, ARENA_HEADER + capacity);
    if (block == NULL) return NULL;
    block->next = NULL;
    block->capacity = capacity;
    block->used = 0;
    block->before = 0;
    arena->total += capacity;
    arena->blocks++;
    return block;
}

static void arena_free_blocks(ploy_arena *arena) {
    for (arena_block *block = arena->first; block != NULL;) {
        arena_block *next = block->next;
        ploy_env_free(&arena->env, block, ARENA_HEADER + block->capacity);
        block = next;
    }
    arena->first = NULL;
    arena->current = NULL;
    arena->total = 0;
    arena->blocks = 0;
}

// Makes a block with room for `size` bytes the current one.
static bool arena_advance(ploy_arena *arena, size_t size) {
    size_t before = arena->current == NULL ? 0 : arena->current->before + arena->current->used;
    arena_block *block = arena->current == NULL ? arena->first : arena->current->next;
    if (block == NULL || block->capacity < size) {
        // Twice what there is keeps the number of blocks logarithmic; a request may need more, the
        // limit may allow less.
        size_t room = (arena->limit - arena->total) & ~(size_t)(PLOY_ALIGNMENT - 1);
        if (size > room) return false;
        size_t wanted = arena->total < PLOY_CAPACITY(4096) ? PLOY_CAPACITY(4096) : arena->total;
        wanted = (wanted + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
        if (wanted > room) wanted = room;
        if (wanted < size) wanted = size;
        arena_block *spare = block;
        block = arena_take(arena, wanted);
        if (block == NULL && wanted > size) block = arena_take(arena, size);
        if (block == NULL) return false;
        block->next = spare;
        if (arena->current == NULL) {
            arena->first = block;
        } else {
            arena->current->next = block;
        }
    }
    block->used = 0;
    block->before = before;
    arena->current = block;
    return true;
}

ploy_result ploy_arena_create(size_t first_size, size_t limit, const ploy_env *env,
                              ploy_arena **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (limit != 0 && first_size > limit) return PLOY_ERR_ARGUMENT;
    if (first_size > SIZE_MAX / 2) return PLOY_ERR_MEMORY;
    ploy_arena *arena = ploy_env_alloc_zero(env, sizeof *arena);
    if (arena == NULL) return PLOY_ERR_MEMORY;
    arena->env = *env;
    arena->limit = limit == 0 ? SIZE_MAX : limit;
    if (first_size != 0) {
        size_t capacity = (first_size + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
        if (capacity > arena->limit) capacity -= PLOY_ALIGNMENT; // keeps (4) for odd limits
        arena->first = capacity == 0 ? NULL : arena_take(arena, capacity);
        if (capacity != 0 && arena->first == NULL) {
            ploy_env_free(env, arena, sizeof *arena);
            return PLOY_ERR_MEMORY;
        }
        arena->current = arena->first;
    }
    *out = arena;
    return PLOY_OK;
}

void ploy_arena_destroy(ploy_arena *arena) {
    if (arena == NULL) return;
    ploy_env env = arena->env;
    arena_free_blocks(arena);
    ploy_env_free(&env, arena, sizeof *arena);
}

void *ploy_arena_alloc(ploy_arena *arena, size_t size) {
    if (size > SIZE_MAX - PLOY_ALIGNMENT) return NULL;
    size = size == 0 ? PLOY_ALIGNMENT : (size + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
    if (arena->current == NULL || size > arena->current->capacity - arena->current->used) {
        if (!arena_advance(arena, size)) return NULL;
    }
    arena_block *block = arena->current;
    void *ptr = arena_bytes(block) + block->used;
    block->used += size;
    if (block->before + block->used > arena->peak) arena->peak = block->before + block->used;
    return ptr;
}

void *ploy_arena_alloc_array(ploy_arena *arena, int64_t count, size_t size) {
    size_t bytes = 0;
    if (!ploy_size_add_array(0, count, size, &bytes)) return NULL;
    void *ptr = ploy_arena_alloc(arena, bytes);
    if (ptr != NULL) memset(ptr, 0, bytes);
    return ptr;
}

ploy_arena_mark ploy_arena_mark_of(const ploy_arena *arena) {
    ploy_arena_mark mark = {arena->current, arena->current == NULL ? 0 : arena->current->used};
    return mark;
}

void ploy_arena_rewind(ploy_arena *arena, ploy_arena_mark mark) {
    if (arena->current == NULL) return; // nothing was ever handed out
    if (mark.block == arena->current && mark.used == arena->current->used) return;
    arena_block *target = mark.block == NULL ? arena->first : mark.block;
    for (arena_block *block = target; block != NULL; block = block->next) {
        size_t keep = block == target ? mark.used : 0;
        PLOY_ASSERT(keep <= block->used); // else the mark is older than a reset
        arena_spoil(block, keep);
        block->used = keep;
        if (block == arena->current) break;
    }
    arena->current = target; // keeps (1): the later ones are spare now
}

void ploy_arena_reset(ploy_arena *arena) {
    if (arena->current == NULL) return;
    if (arena->first->next == NULL) {
        arena_spoil(arena->first, 0);
        arena->first->used = 0;
        return;
    }
    size_t total = arena->total;
    arena_free_blocks(arena);
    arena->first = arena_take(arena, total);
    arena->current = arena->first;
}

size_t ploy_arena_used(const ploy_arena *arena) {
    return arena->current == NULL ? 0 : arena->current->before + arena->current->used;
}

size_t ployi_arena_peak(const ploy_arena *arena) {
    return arena->peak;
}

void ploy_arena_memory(const ploy_arena *arena, ploy_memory_fn fn, void *user) {
    size_t headers = (size_t)arena->blocks * ARENA_HEADER;
    ploy_memory_item item = {"arena", sizeof *arena + headers + arena->total, arena->blocks + 1};
    fn(user, &item);
}

#undef ARENA_STALE
#undef ARENA_HEADER
