// A thousand characters of every kind for a long time: the budget, the bound on waiting, memory and
// sameness hold all the while. `make soak` runs it for 100,000 ticks and more.
#include "ploy/base/hash.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/group.h"
#include "tests/exec/engine_probe.h"
#include "tests/test.h"

enum { SOAK_MINDS = 1000, SOAK_BUDGET = 500, SOAK_SLICE = 12, SOAK_WARM = 200, SOAK_LOOK = 500 };

// One mind: divisible work that goes on in the next turn, or a slice that cannot be cut.
typedef struct soak_mind {
    uint64_t memory;
    int64_t left;  // units of the thought under way
    int32_t slice; // 0: divisible
} soak_mind;

static ploy_result soak_step(void *self, ploy_step_context *context, ploy_status *status) {
    soak_mind *mind = self;
    uint64_t draw = ploy_rng_u64_at(context->key, context->agent.id.index, context->tick, 0);
    mind->memory = ploy_hash_combine(mind->memory, draw);
    *status = PLOY_STATUS_RUNNING;
    if (mind->slice > 0) {
        ploy_budget_spend(context->budget, mind->slice); // at once, whatever is allowed
    } else {
        if (mind->left == 0) mind->left = 1 + (int64_t)(draw % 9);
        while (mind->left > 0 && ploy_budget_spend(context->budget, 1)) {
            mind->memory = mind->memory * 6364136223846793005u + 1;
            mind->left--;
        }
        if (mind->left == 0 && draw % 16 == 0) *status = PLOY_STATUS_SUCCESS;
    }
    if (draw % 8 == 0) {
        ploy_message message = ploy_message_make(
            context->agent, agent((int32_t)(draw >> 16) % SOAK_MINDS), ploy_name_of("tell"));
        ploy_message_set_payload(&message, &draw, sizeof draw);
        return ploy_outbox_message(context->outbox, &message);
    }
    return PLOY_OK;
}

static ploy_result soak_message(void *self, ploy_step_context *context, const ploy_message *message,
                                bool *handled) {
    soak_mind *mind = self;
    (void)context;
    mind->memory = ploy_hash_bytes(message->payload, message->size, mind->memory);
    *handled = true;
    return PLOY_OK;
}

static ploy_result soak_commit(void *self, ploy_step_context *context) {
    uint64_t *shared = context->game;
    *shared = ploy_hash_combine(*shared, ((soak_mind *)self)->memory); // order matters
    return PLOY_OK;
}

static void soak_visit(ploy_visit *v, void *object) {
    soak_mind *mind = object;
    ploy_visit_u64(v, "memory", PLOY_STATE, &mind->memory);
    ploy_visit_i64(v, "left", PLOY_STATE, &mind->left);
}

static const ploy_behavior_type soak_type = {
    .name = "mind",
    .step = soak_step,
    .commit = soak_commit,
    .message = soak_message,
    .visit = soak_visit,
};

// `make soak` has time for many more.
static int64_t soak_ticks(void) {
    return test_rounds(1) > 1 ? 100000 : 2000;
}

typedef struct soak_town {
    ploy_engine *engine;
    soak_mind minds[SOAK_MINDS];
    soak_mind parts[SOAK_MINDS / 10 * 3]; // every tenth is a group of three
    ploy_engine_id ids[SOAK_MINDS];
    int32_t periods[SOAK_MINDS];
    uint64_t shared;
    ploy_job_pool *pool;
    test_counts counts;
} soak_town;

static ploy_behavior soak_group(test_context *t, soak_town *town, int32_t index,
                                const ploy_env *env) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = index % 20 == 0 ? PLOY_POLICY_EVEN : PLOY_POLICY_PRIORITY;
    ploy_group *group = NULL;
    CHECK_OK(ploy_group_create(&def, env, &group));
    for (int32_t i = 0; i < 3; i++) {
        ploy_group_member member = ploy_group_member_default();
        member.behavior.type = &soak_type;
        member.behavior.self = &town->parts[index / 10 * 3 + i];
        member.schedule.period = 1 + i;
        CHECK_OK(ploy_group_add(group, &member, NULL));
    }
    return ploy_group_behavior(group);
}

static void soak_make(test_context *t, soak_town *town, bool parallel, int32_t workers) {
    memset(town, 0, sizeof *town);
    ploy_env plain = ploy_env_default();
    if (workers > 1) CHECK_OK(ploy_job_pool_create(workers, &plain, &town->pool));
    ploy_env env = test_counting_env(&town->counts);
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.capacity = SOAK_MINDS;
    def.scratch_kib = 4;
    CHECK_OK(ploy_engine_create(&def, &env, &town->engine));
    for (int32_t i = 0; i < SOAK_MINDS; i++) {
        static const int32_t periods[] = {1, 2, 3, 5, 8, 30, 300};
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &soak_type;
        entry.behavior.self = &town->minds[i];
        if (i % 10 == 0) entry.behavior = soak_group(t, town, i, &env);
        entry.agent = agent(i);
        entry.schedule.period = town->periods[i] = periods[i % 7];
        entry.schedule.auto_phase = true;
        entry.schedule.priority = 1 + i % 4;
        if (i % 10 == 3) {
            town->minds[i].slice = 2 + i % (SOAK_SLICE - 1);
            entry.schedule.indivisible = true;
            entry.schedule.min_slice = town->minds[i].slice;
        }
        if (i % 50 == 7) entry.schedule.max_interval = 4 * entry.schedule.period;
        CHECK_OK(ploy_engine_register(town->engine, &entry, &town->ids[i]));
    }
}

static void soak_tick(test_context *t, soak_town *town) {
    ploy_engine_frame frame = {.jobs = town->pool != NULL ? ploy_job_pool_jobs(town->pool) : NULL,
                               .game = &town->shared};
    ploy_budget budget = ploy_budget_units(SOAK_BUDGET);
    CHECK_OK(ploy_engine_step(town->engine, 1.0f / 64.0f, &budget, &frame));
    ploy_workload load;
    CHECK_OK(ploy_engine_workload(town->engine, 0, &load));
    CHECK(load.spent < SOAK_BUDGET + SOAK_SLICE); // one slice at most beyond it
    CHECK_INT(load.due, load.ran + load.put_off);
    CHECK(load.put_off == 0 || load.spent > SOAK_BUDGET / 2); // and not for want of using it
}

static uint64_t soak_hash(const soak_town *town) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_describe_u64(&out, "shared", PLOY_STATE, town->shared);
    ploy_engine_describe(town->engine, &out);
    return ploy_hash_sink_result(&sink);
}

// Nobody waited longer than the scheduler's header says, and everybody had turns.
static void soak_check_service(test_context *t, const soak_town *town) {
    int64_t waits = 0;
    for (int32_t i = 0; i < SOAK_MINDS; i++) {
        ploy_engine_info info;
        CHECK_OK(ploy_engine_get(town->engine, town->ids[i], &info));
        CHECK(info.service.worst_interval <= (uint64_t)(town->periods[i] + SOAK_MINDS - 1));
        CHECK(info.service.turns > 0);
        waits += info.service.waits;
    }
    CHECK(waits > 0); // there was something to wait for
}

static void soak_free(test_context *t, soak_town *town) {
    ploy_engine_destroy(town->engine);
    CHECK_INT(town->counts.blocks, 0);
    ploy_job_pool_destroy(town->pool);
}

TEST(a_thousand_minds_keep_every_promise_for_a_long_time_on_1_2_and_4_workers) {
    static soak_town towns[3];
    for (int32_t i = 0; i < 3; i++) soak_make(t, &towns[i], true, 1 << i);
    int64_t calls[3] = {0}, ticks = soak_ticks();
    for (int64_t tick = 0; tick < ticks; tick++) {
        TEST_SEED(tick);
        for (int32_t i = 0; i < 3; i++) soak_tick(t, &towns[i]);
        if (tick == SOAK_WARM) {
            for (int32_t i = 0; i < 3; i++) calls[i] = towns[i].counts.calls;
        }
        if (tick % SOAK_LOOK != SOAK_LOOK - 1) continue;
        uint64_t hash = soak_hash(&towns[0]);
        for (int32_t i = 1; i < 3; i++) CHECK_UINT(soak_hash(&towns[i]), hash);
    }
    for (int32_t i = 0; i < 3; i++) {
        CHECK_INT(towns[i].counts.calls, calls[i]); // nothing allocated once warm
        soak_check_service(t, &towns[i]);
        soak_free(t, &towns[i]);
    }
}

TEST(a_thousand_minds_one_by_one_keep_every_promise_too) {
    static soak_town towns[2];
    for (int32_t i = 0; i < 2; i++) soak_make(t, &towns[i], false, 1 + i); // workers don't matter
    int64_t calls = 0, ticks = soak_ticks();
    for (int64_t tick = 0; tick < ticks; tick++) {
        TEST_SEED(tick);
        for (int32_t i = 0; i < 2; i++) soak_tick(t, &towns[i]);
        if (tick == SOAK_WARM) calls = towns[0].counts.calls;
        if (tick % SOAK_LOOK == 0) CHECK_UINT(soak_hash(&towns[1]), soak_hash(&towns[0]));
    }
    CHECK_INT(towns[0].counts.calls, calls);
    for (int32_t i = 0; i < 2; i++) {
        soak_check_service(t, &towns[i]);
        soak_free(t, &towns[i]);
    }
}
