// Let many characters think on several threads. You will see that the result has the same bits on
// any number of workers: all read the same world, each writes to itself, and what they send arrives
// when all have thought. Shows a parallel ploy_engine over ploy_job_pool.
#include <stdio.h>
#include <string.h>

#include "ploy/base/jobs.h"
#include "ploy/exec/engine.h"

enum { GOSSIPS = 200, TICKS = 100 };

typedef struct gossip {
    uint64_t knows; // what it has heard, folded into one number
    int heard;
} gossip;

// Thinks about what it knows, and passes it on to a random agent. No other gossip is touched here.
static ploy_result gossip_step(void *self, ploy_step_context *context, ploy_status *status) {
    gossip *one = self;
    uint32_t me = context->agent.id.index;
    for (int i = 0; i < 200; i++) one->knows = one->knows * 6364136223846793005u + me;
    int other = ploy_rng_int_at(context->key, me, context->tick, 0, 1, GOSSIPS);
    ploy_message news = ploy_message_make(context->agent, ploy_agent_id_make((uint32_t)other, 1),
                                          ploy_name_of("news"));
    ploy_message_set_payload(&news, &one->knows, sizeof one->knows);
    *status = PLOY_STATUS_RUNNING;
    return ploy_outbox_message(context->outbox, &news);
}

// Called on the main thread, one by one in order of ids, after all have thought.
static ploy_result gossip_message(void *self, ploy_step_context *context, const ploy_message *news,
                                  bool *handled) {
    gossip *one = self;
    uint64_t told = 0;
    (void)context;
    memcpy(&told, news->payload, sizeof told);
    one->knows ^= told;
    one->heard++;
    *handled = true;
    return PLOY_OK;
}

static uint64_t live(const ploy_jobs *jobs, int *heard) {
    static const ploy_behavior_type type = {
        .name = "gossip", .step = gossip_step, .message = gossip_message};
    static gossip all[GOSSIPS];
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    def.parallel = true; // the def chooses how messages arrive, never the number of workers
    if (ploy_engine_create(&def, &env, &engine) != PLOY_OK) return 0;
    for (int i = 0; i < GOSSIPS; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        ploy_engine_id id;
        all[i] = (gossip){0, 0};
        entry.behavior = (ploy_behavior){&type, &all[i]};
        entry.agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        if (ploy_engine_register(engine, &entry, &id) != PLOY_OK) return 0;
    }
    ploy_engine_frame frame = {.jobs = jobs};
    for (int i = 0; i < TICKS; i++) ploy_engine_step(engine, 0.1f, NULL, &frame);
    uint64_t sum = 0;
    *heard = 0;
    for (int i = 0; i < GOSSIPS; i++) sum = sum * 31 + all[i].knows, *heard += all[i].heard;
    ploy_engine_destroy(engine);
    return sum;
}

int main(void) {
    int heard = 0;
    uint64_t alone = live(NULL, &heard); // without threads, where there are none
    printf("alone: %d messages heard\n", heard);
    for (int32_t workers = 1; workers <= 4; workers *= 2) {
        ploy_env env = ploy_env_default();
        ploy_job_pool *pool = NULL;
        if (ploy_job_pool_create(workers, &env, &pool) != PLOY_OK) return 1;
        uint64_t sum = live(ploy_job_pool_jobs(pool), &heard);
        printf("%d worker(s): %d messages heard, %s\n", (int)workers, heard,
               sum == alone ? "the same bits" : "different");
        ploy_job_pool_destroy(pool);
    }
    return 0;
}
