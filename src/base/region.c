// A heap in reserved addresses, and its snapshots.
//
//     base                                                      end         committed    capacity
//     │ region_heap │ block │ block │ free │ block │ ... │ block │ zero        │ no access │
//
// A block is a header of 16 bytes and its payload; a free one keeps its two links in the payload.
// Every place is an offset from the base (0 means none, because the heap's header lies there), so
// the bookkeeping's bytes do not even depend on where the system put the region.
//
// Invariants, between calls:
//   (1) blocks tile [sizeof heap, end) without holes; each knows its own size and its left
//       neighbour's; last_size is the size of the last one;
//   (2) no two neighbours are both free;
//   (3) each free block is in exactly the list of its size class, and the two bitmaps say
//       which lists are not empty;
//   (4) every byte of [end, committed) is zero, so fresh memory is the same after a restore as it
//       was the first time;
//   (5) allocated and blocks count the used blocks, in bytes as they were requested;
//   (6) a failed call changes nothing.
#include "ploy/base/region.h"

#include "base/base_internal.h"
#include "base/compiler.h"

#include <string.h>

#include "ploy/base/os.h"

// Size classes: below REGION_SMALL one list for every 16 bytes; above, each power of two is cut
// into 16 lists, so a block found is at most 1/16 larger than it needs to be.
#define REGION_STEP 16u
#define REGION_LISTS_LOG2 4
#define REGION_LISTS 16u
#define REGION_SMALL (REGION_STEP * REGION_LISTS)
#define REGION_CLASSES 34 // the last one covers 2^40

#define REGION_HEADER 16u    // bytes of a block's header
#define REGION_BLOCK_MIN 32u // header and two links
#define REGION_COMMIT_STEP ((size_t)1 << 18)

// A free tail of that size leaves the used part. Smaller ones stay, because zeroing the same few
// bytes again and again would cost more than copying them now and then.
#define REGION_TRIM ((uint64_t)PLOY_CAPACITY(65536))

typedef struct region_block {
    uint64_t left; // size of the block before this one; 0 for the first
    uint64_t word; // size | free bit | unused payload bytes << REGION_SLACK_SHIFT
    uint64_t next; // links, in free blocks only
    uint64_t previous;
} region_block;

#define REGION_FREE UINT64_C(1)
#define REGION_SLACK_SHIFT 56
#define REGION_SIZE_MASK ((UINT64_C(1) << REGION_SLACK_SHIFT) - REGION_STEP)

// The header of the region, itself part of every snapshot.
typedef struct region_heap {
    uint64_t end;       // offset of the end of the used part
    uint64_t last_size; // of the last block; 0 if there is none
    uint64_t allocated;
    int64_t blocks;
    uint64_t root; // the caller's pointer
    uint64_t class_bits;
    uint32_t list_bits[REGION_CLASSES];
    uint64_t lists[REGION_CLASSES][REGION_LISTS]; // first free block
} region_heap;

#define REGION_FIRST \
    (((uint64_t)sizeof(region_heap) + REGION_STEP - 1) & ~(uint64_t)(REGION_STEP - 1))

typedef struct region_page {
    int64_t owners;
    int64_t reserved; // keeps the bytes aligned
    unsigned char bytes[PLOY_REGION_PAGE];
} region_page;

struct ploy_snapshot {
    ploy_region *region;
    ploy_snapshot *newer, *older; // living snapshots of the region
    size_t size;                  // of the used part
    size_t count;                 // pages
    region_page *pages[];
};

struct ploy_region {
    ploy_env env;
    unsigned char *base;
    size_t capacity;
    size_t committed;
    ploy_snapshot *newest;
    int64_t snapshot_count;
    int64_t page_count; // different pages in all snapshots
    size_t table_bytes; // of the snapshots themselves
};

// ---- the heap

static region_heap *region_heap_of(const ploy_region *region) {
    return (region_heap *)(void *)region->base;
}

static region_block *region_at(const ploy_region *region, uint64_t offset) {
    return (region_block *)(void *)(region->base + offset);
}

static uint64_t region_offset(const ploy_region *region, const void *ptr) {
    return (uint64_t)((const unsigned char *)ptr - region->base);
}

static uint64_t region_size(const region_block *block) {
    return block->word & REGION_SIZE_MASK;
}

static bool region_is_free(const region_block *block) {
    return (block->word & REGION_FREE) != 0;
}

// Bytes that the owner of a used block asked for.
static uint64_t region_asked(const region_block *block) {
    return region_size(block) - REGION_HEADER - (block->word >> REGION_SLACK_SHIFT);
}

// Block size for a request. Requests are far below 2^56, as the capacity ensures.
static uint64_t region_need(size_t size) {
    uint64_t need =
        (((uint64_t)size + REGION_STEP - 1) & ~(uint64_t)(REGION_STEP - 1)) + REGION_HEADER;
    return need < REGION_BLOCK_MIN ? REGION_BLOCK_MIN : need;
}

// The size class of a free block.
static void region_class(uint64_t size, int32_t *class_out, uint32_t *list_out) {
    if (size < REGION_SMALL) {
        *class_out = 0;
        *list_out = (uint32_t)(size / REGION_STEP);
        return;
    }
    int32_t high = ployi_highest_bit(size);
    *class_out = high - 7; // REGION_SMALL is 2^8, the first of class 1
    *list_out = (uint32_t)(size >> (high - REGION_LISTS_LOG2)) - REGION_LISTS;
}

static void region_list_add(ploy_region *region, region_block *block) {
    region_heap *heap = region_heap_of(region);
    int32_t c;
    uint32_t l;
    region_class(region_size(block), &c, &l);
    uint64_t at = region_offset(region, block), head = heap->lists[c][l];
    block->next = head;
    block->previous = 0;
    if (head != 0) region_at(region, head)->previous = at;
    heap->lists[c][l] = at;
    heap->list_bits[c] |= 1u << l;
    heap->class_bits |= UINT64_C(1) << c;
}

static void region_list_remove(ploy_region *region, region_block *block) {
    region_heap *heap = region_heap_of(region);
    int32_t c;
    uint32_t l;
    region_class(region_size(block), &c, &l);
    if (block->next != 0) region_at(region, block->next)->previous = block->previous;
    if (block->previous != 0) {
        region_at(region, block->previous)->next = block->next;
        return;
    }
    heap->lists[c][l] = block->next;
    if (block->next != 0) return;
    heap->list_bits[c] &= ~(1u << l);
    if (heap->list_bits[c] == 0) heap->class_bits &= ~(UINT64_C(1) << c);
}

// A free block of at least that size, or NULL: the first of its list if it fits, so that what
// was just freed is used again; else the first of the smallest list of which every member fits.
static region_block *region_find(const ploy_region *region, uint64_t need) {
    const region_heap *heap = region_heap_of(region);
    int32_t c;
    uint32_t l;
    region_class(need, &c, &l);
    uint64_t own = heap->lists[c][l];
    if (own != 0 && region_size(region_at(region, own)) >= need) return region_at(region, own);
    // Small lists hold one size each, and the head just seen was the only candidate there. Larger
    // ones hold a range, so the search begins one list further.
    l++;
    uint32_t lists = l < REGION_LISTS ? heap->list_bits[c] & (~0u << l) : 0;
    if (lists == 0) {
        uint64_t classes = heap->class_bits & (~UINT64_C(0) << c << 1);
        if (classes == 0) return NULL;
        c = ployi_lowest_bit(classes);
        lists = heap->list_bits[c];
    }
    return region_at(region, heap->lists[c][ployi_lowest_bit(lists)]);
}

// The last resort when the addresses are used up: any member of the own list that fits. Not
// constant in time, but out of memory is worse.
static region_block *region_search(const ploy_region *region, uint64_t need) {
    const region_heap *heap = region_heap_of(region);
    int32_t c;
    uint32_t l;
    region_class(need, &c, &l);
    for (uint64_t at = heap->lists[c][l]; at != 0; at = region_at(region, at)->next) {
        if (region_size(region_at(region, at)) >= need) return region_at(region, at);
    }
    return NULL;
}

// Stores the present size in the block after this one, or in the heap.
static void region_tell_right(ploy_region *region, const region_block *block) {
    region_heap *heap = region_heap_of(region);
    uint64_t size = region_size(block), right = region_offset(region, block) + size;
    if (right == heap->end) {
        heap->last_size = size;
    } else {
        region_at(region, right)->left = size;
    }
}

// Makes sure that the used part may grow to `end`.
static bool region_commit(ploy_region *region, uint64_t end) {
    if (end > region->capacity) return false;
    if (end <= region->committed) return true;
    size_t target = ((size_t)end + REGION_COMMIT_STEP - 1) & ~(REGION_COMMIT_STEP - 1);
    if (target > region->capacity || target < end) target = region->capacity;
    size_t more = target - region->committed;
    if (ploy_os_commit(region->base, region->committed, more) != PLOY_OK) return false;
    region->committed = target;
    return true;
}

// Marks a block of `size` bytes as used for a request.
static void region_use(region_block *block, uint64_t size, size_t asked) {
    block->word = size | (size - REGION_HEADER - asked) << REGION_SLACK_SHIFT;
}

// Makes [block, block + size) free: joins it with free neighbours, then gives it back to the tail
// or to its list. Its left neighbour's size is right already.
static void region_release(ploy_region *region, region_block *block, uint64_t size) {
    region_heap *heap = region_heap_of(region);
    uint64_t at = region_offset(region, block);
    if (at + size != heap->end) {
        region_block *right = region_at(region, at + size);
        if (region_is_free(right)) {
            region_list_remove(region, right);
            size += region_size(right);
        }
    }
    if (block->left != 0) {
        region_block *left = region_at(region, at - block->left);
        if (region_is_free(left)) {
            region_list_remove(region, left);
            size += region_size(left);
            at -= region_size(left);
            block = left;
        }
    }
    if (at + size == heap->end && size >= REGION_TRIM) {
        heap->last_size = block->left;
        heap->end = at;
        memset(block, 0, (size_t)size); // keeps (4)
        return;
    }
    block->word = size | REGION_FREE;
    region_tell_right(region, block);
    region_list_add(region, block);
}

// Cuts a used block down to `need` bytes and frees the rest, if that makes a block.
static void region_cut(ploy_region *region, region_block *block, uint64_t need, size_t asked) {
    uint64_t size = region_size(block);
    if (size - need < REGION_BLOCK_MIN) {
        region_use(block, size, asked);
        return;
    }
    region_use(block, need, asked);
    region_block *rest = region_at(region, region_offset(region, block) + need);
    rest->left = need;
    region_release(region, rest, size - need);
}

// Takes a block from the tail, together with a free last block if there is one.
static region_block *region_grow(ploy_region *region, uint64_t need, size_t asked) {
    region_heap *heap = region_heap_of(region);
    uint64_t at = heap->end, left = heap->last_size;
    if (left != 0 && region_is_free(region_at(region, at - left))) {
        at -= left;
        left = region_at(region, at)->left;
    }
    // A free last block can be large enough and still not have been found, when it is not the first
    // of its list.
    uint64_t end = at + need > heap->end ? at + need : heap->end;
    if (!region_commit(region, end)) return NULL;
    region_block *block = region_at(region, at);
    uint64_t size = end - at;
    if (at != heap->end) region_list_remove(region, block);
    heap->end = end;
    block->left = left;
    block->word = size;
    region_tell_right(region, block);
    region_cut(region, block, need, asked);
    return block;
}

static void *region_alloc(ploy_region *region, size_t size) {
    if (size > region->capacity) return NULL;
    region_heap *heap = region_heap_of(region);
    uint64_t need = region_need(size);
    region_block *block = region_find(region, need), *grown = NULL;
    if (block == NULL) grown = region_grow(region, need, size);
    if (block == NULL && grown == NULL) block = region_search(region, need);
    if (block != NULL) {
        region_list_remove(region, block);
        block->word = region_size(block);
        region_cut(region, block, need, size);
    } else {
        block = grown;
    }
    if (block == NULL) return NULL;
    heap->allocated += size;
    heap->blocks++;
    return (unsigned char *)block + REGION_HEADER;
}

static void region_free(ploy_region *region, void *ptr) {
    region_heap *heap = region_heap_of(region);
    region_block *block = region_at(region, region_offset(region, ptr) - REGION_HEADER);
    heap->allocated -= region_asked(block);
    heap->blocks--;
    region_release(region, block, region_size(block));
}

// Resizes where it lies. False, with nothing changed, if there is no room.
static bool region_resize_here(ploy_region *region, region_block *block, size_t size) {
    region_heap *heap = region_heap_of(region);
    uint64_t need = region_need(size), have = region_size(block), asked = region_asked(block);
    if (need > have) {
        uint64_t at = region_offset(region, block), right_at = at + have;
        if (right_at != heap->end) {
            region_block *right = region_at(region, right_at);
            if (!region_is_free(right)) return false;
            uint64_t joined = have + region_size(right);
            bool is_last = right_at + region_size(right) == heap->end;
            if (joined < need && !is_last) return false;
            if (joined < need && !region_commit(region, at + need)) return false;
            region_list_remove(region, right);
            if (joined < need) {
                heap->end = at + need;
                joined = need;
            }
            have = joined;
        } else {
            if (!region_commit(region, at + need)) return false;
            heap->end = at + need;
            have = need;
        }
        block->word = have;
        region_tell_right(region, block);
    }
    block->word = have;
    region_cut(region, block, need, size);
    heap->allocated += (uint64_t)size - asked;
    return true;
}

static void *region_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    ploy_region *region = user;
    if (ptr == NULL) return new_size == 0 ? NULL : region_alloc(region, new_size);
    region_block *block = region_at(region, region_offset(region, ptr) - REGION_HEADER);
    PLOY_ASSERT(!region_is_free(block) && region_asked(block) == old_size);
    old_size = (size_t)region_asked(block);
    if (new_size == 0) {
        region_free(region, ptr);
        return NULL;
    }
    if (new_size > region->capacity) return NULL;
    if (region_resize_here(region, block, new_size)) return ptr;
    void *moved = region_alloc(region, new_size);
    if (moved == NULL) return NULL;
    memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
    region_free(region, ptr);
    return moved;
}

// ---- public: life, env, sight

ploy_result ploy_region_create(size_t capacity, const ploy_env *env, ploy_region **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL) return PLOY_ERR_ARGUMENT;
    if (capacity < PLOY_REGION_MIN || (uint64_t)capacity > (uint64_t)PLOY_REGION_MAX ||
        capacity > SIZE_MAX - PLOY_REGION_PAGE) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_region *region = ploy_env_alloc_zero(env, sizeof *region);
    if (region == NULL) return PLOY_ERR_MEMORY;
    region->env = *env;
    region->capacity = (capacity + PLOY_REGION_PAGE - 1) & ~(size_t)(PLOY_REGION_PAGE - 1);
    region->base = ploy_os_reserve(region->capacity);
    if (region->base == NULL) goto fail;
    if (!region_commit(region, REGION_FIRST)) goto fail;
    region_heap_of(region)->end = REGION_FIRST; // everything else is zero
    *out = region;
    return PLOY_OK;
fail:
    ploy_os_release(region->base, region->capacity);
    ploy_env_free(env, region, sizeof *region);
    return PLOY_ERR_MEMORY;
}

void ploy_region_destroy(ploy_region *region) {
    if (region == NULL) return;
    PLOY_ASSERT(region->newest == NULL);
    ploy_os_release(region->base, region->capacity);
    ploy_env env = region->env;
    ploy_env_free(&env, region, sizeof *region);
}

ploy_env ploy_region_env(ploy_region *region) {
    ploy_env env = region->env;
    env.allocator.resize = region_resize;
    env.allocator.user = region;
    return env;
}

void ploy_region_set_root(ploy_region *region, void *root) {
    region_heap_of(region)->root = (uint64_t)(uintptr_t)root;
}

void *ploy_region_root(const ploy_region *region) {
    return (void *)(uintptr_t)region_heap_of(region)->root;
}

const void *ployi_region_bytes(const ploy_region *region, size_t *size) {
    if (size != NULL) *size = (size_t)region_heap_of(region)->end;
    return region->base;
}

size_t ployi_region_allocated(const ploy_region *region, int64_t *blocks) {
    if (blocks != NULL) *blocks = region_heap_of(region)->blocks;
    return (size_t)region_heap_of(region)->allocated;
}

// The blocks themselves: (1), (2), (5). Counts the free ones.
static bool region_valid_blocks(const ploy_region *region, int64_t *free_count) {
    const region_heap *heap = region_heap_of(region);
    uint64_t at = REGION_FIRST, left = 0, allocated = 0;
    int64_t blocks = 0;
    bool left_free = false;
    *free_count = 0;
    while (at < heap->end) {
        const region_block *block = region_at(region, at);
        uint64_t size = region_size(block);
        if (size < REGION_BLOCK_MIN || size > heap->end - at || block->left != left) return false;
        if (region_is_free(block)) {
            if (left_free || block->word != (size | REGION_FREE)) return false;
            ++*free_count;
        } else {
            if ((block->word >> REGION_SLACK_SHIFT) > size - REGION_HEADER) return false;
            allocated += region_asked(block);
            blocks++;
        }
        left_free = region_is_free(block);
        left = size;
        at += size;
    }
    return at == heap->end && heap->last_size == left && heap->allocated == allocated &&
           heap->blocks == blocks;
}

// The lists of free blocks: (3).
static bool region_valid_lists(const ploy_region *region, int64_t free_count) {
    const region_heap *heap = region_heap_of(region);
    for (int32_t c = 0; c < REGION_CLASSES; c++) {
        if ((heap->class_bits >> c & 1) != (heap->list_bits[c] != 0 ? 1u : 0u)) return false;
        for (uint32_t l = 0; l < REGION_LISTS; l++) {
            if ((heap->list_bits[c] >> l & 1) != (heap->lists[c][l] != 0 ? 1u : 0u)) return false;
            uint64_t previous = 0;
            for (uint64_t at = heap->lists[c][l]; at != 0; at = region_at(region, at)->next) {
                if (at < REGION_FIRST || at % REGION_STEP != 0 ||
                    at > heap->end - REGION_BLOCK_MIN) {
                    return false;
                }
                const region_block *block = region_at(region, at);
                int32_t its_class;
                uint32_t its_list;
                region_class(region_size(block), &its_class, &its_list);
                if (!region_is_free(block) || its_class != c || its_list != l ||
                    block->previous != previous || --free_count < 0) {
                    return false;
                }
                previous = at;
            }
        }
    }
    return free_count == 0;
}

bool ployi_region_valid(const ploy_region *region) {
    const region_heap *heap = region_heap_of(region);
    if (heap->end < REGION_FIRST || heap->end > region->committed ||
        region->committed > region->capacity || heap->end % REGION_STEP != 0) {
        return false;
    }
    int64_t free_count = 0;
    if (!region_valid_blocks(region, &free_count)) return false;
    if (!region_valid_lists(region, free_count)) return false;
    // (4): the first byte is zero, and each of the others equals the one before it.
    const unsigned char *tail = region->base + heap->end;
    size_t size = region->committed - (size_t)heap->end;
    return size == 0 || (tail[0] == 0 && memcmp(tail, tail + 1, size - 1) == 0);
}

// ---- public: snapshots

static size_t region_pages(uint64_t size) {
    return (size_t)((size + PLOY_REGION_PAGE - 1) / PLOY_REGION_PAGE);
}

static size_t region_table_bytes(size_t pages) {
    return sizeof(ploy_snapshot) + pages * sizeof(region_page *);
}

// Lets go of the first `count` pages of a snapshot and frees it.
static void region_drop(ploy_snapshot *snapshot, size_t count) {
    ploy_region *region = snapshot->region;
    for (size_t i = 0; i < count; i++) {
        if (--snapshot->pages[i]->owners > 0) continue;
        ploy_env_free(&region->env, snapshot->pages[i], sizeof(region_page));
        region->page_count--;
    }
    ploy_env_free(&region->env, snapshot, region_table_bytes(snapshot->count));
}

ploy_result ploy_region_snapshot(ploy_region *region, ploy_snapshot **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    size_t size = (size_t)region_heap_of(region)->end, count = region_pages(size);
    ploy_snapshot *snapshot = ploy_env_alloc(&region->env, region_table_bytes(count));
    if (snapshot == NULL) return PLOY_ERR_MEMORY;
    snapshot->region = region;
    snapshot->size = size;
    snapshot->count = count;
    const ploy_snapshot *base = region->newest;
    for (size_t i = 0; i < count; i++) {
        // Whole pages, also the last: past the end there are zeros, by (4), and the capacity is a
        // multiple of the page.
        const unsigned char *bytes = region->base + i * PLOY_REGION_PAGE;
        region_page *page = base != NULL && i < base->count ? base->pages[i] : NULL;
        if (page == NULL || memcmp(page->bytes, bytes, PLOY_REGION_PAGE) != 0) {
            page = ploy_env_alloc(&region->env, sizeof *page);
            if (page == NULL) {
                region_drop(snapshot, i);
                return PLOY_ERR_MEMORY;
            }
            page->owners = 0;
            page->reserved = 0;
            memcpy(page->bytes, bytes, PLOY_REGION_PAGE);
            region->page_count++;
        }
        page->owners++;
        snapshot->pages[i] = page;
    }
    snapshot->newer = NULL;
    snapshot->older = region->newest;
    if (region->newest != NULL) region->newest->newer = snapshot;
    region->newest = snapshot;
    region->snapshot_count++;
    region->table_bytes += region_table_bytes(count);
    *out = snapshot;
    return PLOY_OK;
}

ploy_result ploy_region_restore(ploy_region *region, const ploy_snapshot *snapshot) {
    if (snapshot == NULL || snapshot->region != region) return PLOY_ERR_ARGUMENT;
    // What was used once stays committed, so the snapshot's part is: nothing here can fail.
    uint64_t end = region_heap_of(region)->end;
    size_t now = region_pages(end);
    for (size_t i = 0; i < snapshot->count; i++) {
        unsigned char *bytes = region->base + i * PLOY_REGION_PAGE;
        const unsigned char *saved = snapshot->pages[i]->bytes;
        if (memcmp(bytes, saved, PLOY_REGION_PAGE) != 0) memcpy(bytes, saved, PLOY_REGION_PAGE);
    }
    if (now > snapshot->count) { // keeps (4)
        memset(region->base + snapshot->count * PLOY_REGION_PAGE, 0,
               (now - snapshot->count) * PLOY_REGION_PAGE);
    }
    return PLOY_OK;
}

void ploy_snapshot_destroy(ploy_snapshot *snapshot) {
    if (snapshot == NULL) return;
    ploy_region *region = snapshot->region;
    if (snapshot->older != NULL) snapshot->older->newer = snapshot->newer;
    if (snapshot->newer != NULL) {
        snapshot->newer->older = snapshot->older;
    } else {
        region->newest = snapshot->older;
    }
    region->snapshot_count--;
    region->table_bytes -= region_table_bytes(snapshot->count);
    region_drop(snapshot, snapshot->count);
}

size_t ployi_snapshot_size(const ploy_snapshot *snapshot) {
    return snapshot->size;
}

size_t ployi_snapshot_own_size(const ploy_snapshot *snapshot) {
    size_t own = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        if (snapshot->pages[i]->owners != 1) continue;
        size_t begin = i * PLOY_REGION_PAGE, left = snapshot->size - begin;
        own += left < PLOY_REGION_PAGE ? left : PLOY_REGION_PAGE;
    }
    return own;
}

int64_t ployi_snapshot_difference(const ploy_snapshot *a, const ploy_snapshot *b) {
    static const unsigned char zeros[PLOY_REGION_PAGE] = {0};
    size_t count = a->count > b->count ? a->count : b->count;
    for (size_t i = 0; i < count; i++) {
        const unsigned char *x = i < a->count ? a->pages[i]->bytes : zeros;
        const unsigned char *y = i < b->count ? b->pages[i]->bytes : zeros;
        if (x == y || memcmp(x, y, PLOY_REGION_PAGE) == 0) continue;
        size_t j = 0;
        while (x[j] == y[j]) j++;
        return (int64_t)(i * PLOY_REGION_PAGE + j);
    }
    return -1;
}

void ploy_region_memory(const ploy_region *region, ploy_memory_fn fn, void *user) {
    const region_heap *heap = region_heap_of(region);
    ploy_memory_item used = {"region.used", (size_t)heap->end, heap->blocks};
    ploy_memory_item snapshots = {
        "region.snapshots", region->table_bytes + (size_t)region->page_count * sizeof(region_page),
        region->snapshot_count + region->page_count};
    fn(user, &used);
    fn(user, &snapshots);
}

#undef REGION_STEP
#undef REGION_LISTS_LOG2
#undef REGION_LISTS
#undef REGION_SMALL
#undef REGION_CLASSES
#undef REGION_HEADER
#undef REGION_BLOCK_MIN
#undef REGION_COMMIT_STEP
#undef REGION_TRIM
#undef REGION_FREE
#undef REGION_SLACK_SHIFT
#undef REGION_SIZE_MASK
#undef REGION_FIRST
