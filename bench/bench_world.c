// Benchmarks of messages: a telegram that is delivered at once beside the call itself, and a queue
// that always holds as many delayed ones as the entry says, beside the plainest thing that keeps
// the same order: a binary heap of whole messages in an array and a direct call, with no ids, no
// cancelling, no chains, no log.
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/base/rng.h"
#include "ploy/world/telegram.h"

enum { WORLD_BATCH = 10000, WORLD_DELAYS = 4096 };

typedef struct world_data {
    ploy_telegrams *telegrams;
    ploy_message *heap; // of the peer
    int32_t count;
    uint64_t order;
    double now, peer_now;
    int64_t delivered, peer_delivered;
    uint64_t sum, peer_sum; // of the orders in which things arrived
    double delays[WORLD_DELAYS];
} world_data;

static ploy_result world_receive(void *user, const ploy_message *message, bool *handled) {
    world_data *data = user;
    data->delivered++;
    data->sum = data->sum * 31 + message->sender.id.index;
    *handled = true;
    return PLOY_OK;
}

// Through a pointer that the compiler does not see through, as a game's is.
static ploy_telegram_fn volatile world_callee = world_receive;

static ploy_message world_message(uint64_t number) {
    uint32_t sender = (uint32_t)(number % 1000);
    return ploy_message_make(ploy_agent_id_make(sender, 1), ploy_agent_id_make(sender ^ 1, 1),
                             ploy_name_of("hello"));
}

static void world_send_now(void *self) {
    world_data *data = self;
    ploy_message message = world_message(0);
    for (int32_t i = 0; i < WORLD_BATCH; i++) {
        message.sender.id.index = (uint32_t)i;
        ploy_telegrams_send(data->telegrams, &message, 0.0, NULL);
    }
    bench_keep(&data->sum);
}

static void world_call_now(void *self) {
    world_data *data = self;
    ploy_message message = world_message(0);
    for (int32_t i = 0; i < WORLD_BATCH; i++) {
        message.sender.id.index = (uint32_t)i;
        bool handled = false;
        world_callee(data, &message, &handled);
    }
    bench_keep(&data->sum);
}

// One operation: one is sent, and one, on average, arrives.
static void world_send_later(void *self) {
    world_data *data = self;
    for (int32_t i = 0; i < WORLD_BATCH; i += 100) {
        for (int32_t k = 0; k < 100; k++) {
            ploy_message message = world_message(data->order);
            double delay = data->delays[data->order++ % WORLD_DELAYS];
            ploy_telegrams_send(data->telegrams, &message, delay, NULL);
        }
        data->now += 100.0;
        ploy_telegrams_step(data->telegrams, data->now, NULL, NULL, NULL);
    }
    bench_keep(&data->sum);
}

static bool world_before(const ploy_message *a, const ploy_message *b) {
    return a->due < b->due || (a->due == b->due && a->order < b->order);
}

static void world_heap_push(world_data *data, ploy_message message) {
    int32_t at = data->count++;
    while (at > 0 && world_before(&message, &data->heap[(at - 1) / 2])) {
        data->heap[at] = data->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    data->heap[at] = message;
}

static ploy_message world_heap_pop(world_data *data) {
    ploy_message first = data->heap[0], last = data->heap[--data->count];
    int32_t at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= data->count) break;
        if (child + 1 < data->count && world_before(&data->heap[child + 1], &data->heap[child])) {
            child++;
        }
        if (!world_before(&data->heap[child], &last)) break;
        data->heap[at] = data->heap[child];
        at = child;
    }
    data->heap[at] = last;
    return first;
}

static void world_peer_later(void *self) {
    world_data *data = self;
    for (int32_t i = 0; i < WORLD_BATCH; i += 100) {
        for (int32_t k = 0; k < 100; k++) {
            ploy_message message = world_message(data->order);
            message.due = data->peer_now + data->delays[data->order % WORLD_DELAYS];
            message.order = data->order++;
            world_heap_push(data, message);
        }
        data->peer_now += 100.0;
        while (data->count > 0 && data->heap[0].due <= data->peer_now) {
            ploy_message message = world_heap_pop(data);
            bool handled = false;
            world_callee(data, &message, &handled);
        }
    }
    bench_keep(&data->sum);
}

// Delays whose mean is the number that shall wait, since one is sent in each second.
static bool world_make(world_data *data, int64_t waiting) {
    memset(data, 0, sizeof *data);
    ploy_env env = ploy_env_default();
    ploy_telegrams_def def = ploy_telegrams_def_default();
    def.log = 0;
    def.capacity = (int32_t)(2 * waiting) + WORLD_BATCH;
    ploy_rng rng = ploy_rng_make(9);
    for (int32_t i = 0; i < WORLD_DELAYS; i++) {
        data->delays[i] = (double)ploy_rng_range(&rng, 1.0f, 2.0f * (float)waiting + 1.0f);
    }
    data->heap = malloc((size_t)def.capacity * sizeof *data->heap);
    if (data->heap == NULL) return false;
    if (ploy_telegrams_create(&def, &env, &data->telegrams) != PLOY_OK) return false;
    ploy_telegrams_set_receiver(data->telegrams, world_receive, data);
    return true;
}

static void world_free(world_data *data) {
    ploy_telegrams_destroy(data->telegrams);
    free(data->heap);
}

void bench_world_dispatch(bench_run *run) {
    static world_data data; // its delays are large for a stack
    if (!world_make(&data, 0)) {
        bench_fail(run, "out of memory");
    } else {
        bench_measure(run, bench_call(world_send_now, &data, WORLD_BATCH), bench_nothing(),
                      bench_call(world_call_now, &data, WORLD_BATCH));
    }
    world_free(&data);
}

void bench_world_dispatch_later(bench_run *run) {
    static world_data ours, peer;
    int64_t waiting = bench_size(run);
    if (!world_make(&ours, waiting) || !world_make(&peer, waiting)) {
        bench_fail(run, "out of memory");
    } else {
        // Both run until the queue is as full as it will be, and must agree on what arrived.
        for (int64_t i = 0; i < 2 * waiting; i += WORLD_BATCH) {
            world_send_later(&ours);
            world_peer_later(&peer);
        }
        bool same = ours.sum == peer.sum && ours.delivered == peer.delivered;
        int32_t full = ploy_telegrams_waiting(ours.telegrams);
        bench_measure(run, bench_call(world_send_later, &ours, WORLD_BATCH),
                      bench_call(world_peer_later, &peer, WORLD_BATCH), bench_nothing());
        if (!same) bench_fail(run, "the peer's order of arrival is another");
        if (full < waiting * 9 / 10) bench_fail(run, "the queue is not as full as it should be");
    }
    world_free(&ours);
    world_free(&peer);
}
