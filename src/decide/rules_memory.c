// The memory of rules at work: chunks from the env, cut into pieces by size.
//
// Invariants:
//   (1) chunks live until reset or destroy; a freed piece waits in the list of its size, so a
//       warmed-up step allocates nothing;
//   (2) a piece too big for that is a separate block, in the list of the large ones.
#include <string.h>

#include "decide/rules_internal.h"

// The first chunk, and the largest: each is twice as big as the one before, so that many facts are in few large
// blocks, which a system may give in large pages.
enum { RULES_CHUNK = 1 << 16, RULES_CHUNK_MAX = 1 << 21 };

static size_t memory_chunk_size(int32_t index) {
    return index >= 5 ? RULES_CHUNK_MAX : (size_t)RULES_CHUNK << index;
}

// A piece too big for a chunk; it follows this.
typedef struct ployi_large {
    struct ployi_large *next, *prev;
    size_t size;
    size_t spare;
} ployi_large;

void *ployi_rules_take(ploy_rules *rules, size_t size) {
    void *piece = ployi_rules_take_raw(rules, size);
    if (piece != NULL) memset(piece, 0, size);
    return piece;
}

static void *memory_take_large(ploy_rules *rules, size_t size) {
    ployi_large *large = ploy_env_alloc_zero(&rules->env, sizeof *large + size);
    if (large == NULL) {
        rules->fault = PLOY_ERR_MEMORY;
        return NULL;
    }
    large->size = size;
    large->next = rules->large;
    if (rules->large != NULL) rules->large->prev = large;
    rules->large = large;
    return large + 1;
}

static bool memory_new_chunk(ploy_rules *rules) {
    size_t size = memory_chunk_size(rules->chunks.count);
    void *chunk = ploy_env_alloc(&rules->env, size);
    if (chunk != NULL && ploy_array_push(&rules->chunks, &chunk) != PLOY_OK) {
        ploy_env_free(&rules->env, chunk, size);
        chunk = NULL;
    }
    if (chunk == NULL) {
        rules->fault = PLOY_ERR_MEMORY;
        return false;
    }
    // What is left of the old chunk is not lost: it becomes a free piece.
    size_t left = (size_t)(rules->chunk_end - rules->chunk_at) / 16;
    if (left > 0 && left < PLOYI_SIZE_CLASSES) {
        memcpy(rules->chunk_at, &rules->free_pieces[left], sizeof(void *));
        rules->free_pieces[left] = rules->chunk_at;
    }
    rules->chunk_at = chunk;
    rules->chunk_end = rules->chunk_at + size;
    return true;
}

void *ployi_rules_take_raw(ploy_rules *rules, size_t size) {
    size_t index = (size + 15) / 16;
    if (index >= PLOYI_SIZE_CLASSES) return memory_take_large(rules, size);
    void *piece = rules->free_pieces[index];
    if (piece != NULL) {
        memcpy(&rules->free_pieces[index], piece, sizeof(void *));
        return piece;
    }
    if ((size_t)(rules->chunk_end - rules->chunk_at) < index * 16 && !memory_new_chunk(rules)) {
        return NULL;
    }
    piece = rules->chunk_at;
    rules->chunk_at += index * 16;
    return piece;
}

void ployi_rules_give(ploy_rules *rules, void *piece, size_t size) {
    size_t index = (size + 15) / 16;
    if (index < PLOYI_SIZE_CLASSES) {
        memcpy(piece, &rules->free_pieces[index], sizeof(void *));
        rules->free_pieces[index] = piece;
        return;
    }
    ployi_large *large = (ployi_large *)piece - 1;
    if (large->next != NULL) large->next->prev = large->prev;
    if (large->prev != NULL) {
        large->prev->next = large->next;
    } else {
        rules->large = large->next;
    }
    ploy_env_free(&rules->env, large, sizeof *large + large->size);
}

void ployi_rules_drop_pieces(ploy_rules *rules, bool all) {
    memset(rules->free_pieces, 0, sizeof rules->free_pieces);
    while (rules->large != NULL) {
        ployi_large *large = rules->large;
        rules->large = large->next;
        ploy_env_free(&rules->env, large, sizeof *large + large->size);
    }
    rules->chunk_at = rules->chunk_end = NULL;
    void **chunks = PLOY_ARRAY_ITEMS(&rules->chunks, void *);
    int32_t kept = all || rules->chunks.count == 0 ? 0 : 1;
    for (int32_t i = kept; i < rules->chunks.count; i++) {
        ploy_env_free(&rules->env, chunks[i], memory_chunk_size(i));
    }
    rules->chunks.count = kept;
    if (kept == 0) return;
    rules->chunk_at = chunks[0];
    rules->chunk_end = rules->chunk_at + RULES_CHUNK;
}

size_t ployi_rules_memory_size(const ploy_rules *rules) {
    size_t size = 0;
    for (int32_t i = 0; i < rules->chunks.count; i++) size += memory_chunk_size(i);
    return size;
}

void ployi_rules_report_pieces(const ploy_rules *rules, ploy_memory_fn fn, void *user) {
    for (int32_t i = 0; i < rules->chunks.count; i++) {
        ploy_memory_item item = {"rules.chunk", memory_chunk_size(i), 1};
        fn(user, &item);
    }
    for (const ployi_large *large = rules->large; large != NULL; large = large->next) {
        ploy_memory_item item = {"rules.large", sizeof *large + large->size, 1};
        fn(user, &item);
    }
}
