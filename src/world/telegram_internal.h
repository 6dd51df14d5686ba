// Shared by the two files of telegrams: telegram.c carries them, telegram_sight.c describes them.
#pragma once

#include "ploy/world/telegram.h"
#include "world/queue_internal.h"
#include "world/ring_internal.h"

#define PLOYI_TELEGRAMS_MAX (1 << 24)

enum { PLOYI_TELEGRAM_RECEIVER, PLOYI_TELEGRAM_ALIKE, PLOYI_TELEGRAM_SORTS };

typedef struct ployi_telegram_link {
    int32_t previous, next;
} ployi_telegram_link;

// The links of one place, apart from the telegrams themselves: neighbours in a chain are seldom
// neighbours in memory, and small links are more often in the cache.
typedef struct ployi_telegram_links {
    ployi_telegram_link sorts[PLOYI_TELEGRAM_SORTS];
} ployi_telegram_links;

typedef struct ployi_telegram {
    ploy_message message;
    double sent;   // s
    uint64_t life; // number of its record in the log, once it is noted
    bool noted;
    bool reserved[7];
} ployi_telegram;

struct ploy_telegrams {
    ploy_env env;
    ploy_telegrams_def def;
    ployi_queue queue; // ployi_telegram
    ployi_ring lives;  // ploy_telegram_life
    ploy_array links;  // ployi_telegram_links, one for each place of the queue
    int32_t *buckets;  // of each sort, one after the other
    int32_t sorts; // chains that are kept: of receivers with entities, of those alike with a filter
    int32_t reserved;
    uint32_t bucket_mask;
    int32_t depth; // deliveries within each other
    double now;
    uint64_t next_order;
    int64_t ends[PLOY_TELEGRAM_FATE_COUNT];
    int64_t most_waiting;
    ploy_telegram_fn receive;
    void *receive_user;
    ploy_entities *entities;
    ploy_engine *engine;
    const ploy_engine_frame *frame; // of the step under way; not state
};

// Logs why a telegram was dropped.
void ployi_telegram_warn(const ploy_telegrams *telegrams, const ploy_message *message,
                         ploy_telegram_fate fate, ploy_result result);

// Chains again all that waits. Allocates nothing: for after a load.
void ployi_telegram_relink(ploy_telegrams *telegrams);
// Makes room for the chains of that many places.
ploy_result ployi_telegram_reserve_chains(ploy_telegrams *telegrams, int32_t count);
