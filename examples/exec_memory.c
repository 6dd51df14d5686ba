// Take all memory before the level starts. You will see an engine that allocates while it is filled
// and never while it runs, its report of what it holds, and that everything comes back. Shows
// ploy_counting_allocator and ploy_engine_memory.
#include <stdio.h>
#include <string.h>

#include "ploy/base/alloc.h"
#include "ploy/exec/engine.h"

enum { MINDS = 500 };

static ploy_result dream(void *self, ploy_step_context *context, ploy_status *status) {
    // Scratch memory is taken from the engine's arena, which is reset after the turn.
    float *thoughts = ploy_arena_alloc(context->scratch, 64 * sizeof *thoughts);
    if (thoughts == NULL) return PLOY_ERR_MEMORY;
    for (int i = 0; i < 64; i++) thoughts[i] = (float)i;
    *(float *)self += thoughts[context->tick % 64];
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// Adds up the bytes and prints each name once; every mind has an outbox.
typedef struct tally {
    size_t bytes;
    const char *last;
} tally;

static void report(void *user, const ploy_memory_item *item) {
    tally *sum = user;
    sum->bytes += item->bytes;
    if (sum->last == NULL || strcmp(sum->last, item->name) != 0) printf("  %s\n", item->name);
    sum->last = item->name;
}

int main(void) {
    static const ploy_behavior_type type = {.name = "mind", .step = dream};
    static float minds[MINDS]; // one array, in the order of thinking
    ploy_counting_allocator counting;
    ploy_counting_allocator_init(&counting, NULL, false);
    ploy_env env = ploy_env_with_allocator(ploy_counting_allocator_get(&counting));
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    def.capacity = MINDS; // room for all minds now, so that nothing grows later
    if (ploy_engine_create(&def, &env, &engine) != PLOY_OK) return 1;
    for (int i = 0; i < MINDS; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        ploy_engine_id id;
        entry.behavior = (ploy_behavior){&type, &minds[i]};
        entry.agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        entry.schedule.period = 4;
        entry.schedule.auto_phase = true;
        if (ploy_engine_register(engine, &entry, &id) != PLOY_OK) return 1;
    }
    for (int i = 0; i < 8; i++) ploy_engine_step(engine, 0.1f, NULL, NULL); // warms up
    int64_t before = counting.allocations;
    for (int i = 0; i < 1000; i++) ploy_engine_step(engine, 0.1f, NULL, NULL);
    int64_t after = counting.allocations;
    printf("allocations before the level: %s\n", before > 0 ? "some" : "none");
    printf("allocations in 1000 steps of %d minds: %d\n", MINDS, (int)(after - before));
    tally sum = {0, NULL};
    printf("the engine holds:\n");
    ploy_engine_memory(engine, report, &sum);
    bool all = (int64_t)sum.bytes <= counting.live_bytes;
    printf("all of it was counted: %s\n", all ? "yes" : "no");
    ploy_engine_destroy(engine);
    printf("bytes left: %d\n", (int)counting.live_bytes);
    return 0;
}
