// Execution: what it costs to find out who is due, to let an engine give the turns, and to think on
// two workers.
//
// The minds of exec.schedule do almost nothing, so that what is measured is the handing out of
// turns: periods of 10, 20, 30 and 60 ticks, phases spread. The plain loop is what a game writes
// first: it looks at every agent in every tick.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/base/hash.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/group.h"

// Ample: no agent is put off.
enum { EXEC_UNITS = 50000 };

enum { EXEC_GROUP = 1000 };

enum { EXEC_MINDS = 10000, EXEC_TICKS = 120, EXEC_IDLE_TIMES = 10, EXEC_THOUGHT = 1600 };

typedef struct exec_mind {
    uint64_t memory;
    int32_t period, phase;
    int32_t work; // turns of the inner loop
} exec_mind;

typedef struct exec_data {
    exec_mind *minds;
    int32_t count;
    int32_t *due[EXEC_TICKS]; // who is due in each tick, for the floor
    int32_t due_count[EXEC_TICKS];
    int64_t turns; // in all ticks
    ploy_scheduler *scheduler;
    ploy_engine *engine;
    ploy_group *group;
    const ploy_jobs *jobs;
    uint64_t tick;
} exec_data;

static void exec_check(bool fine) {
    if (fine) return;
    fprintf(stderr, "ploy: cannot set up the benchmark\n");
    exit(2);
}

static void exec_think(exec_mind *mind, uint64_t tick) {
    uint64_t memory = mind->memory + tick;
    for (int32_t i = 0; i < mind->work; i++) memory = memory * 6364136223846793005u + 1;
    mind->memory = memory;
}

static ploy_result exec_step(void *self, ploy_step_context *context, ploy_status *status) {
    exec_think(self, context->tick);
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void exec_visit(ploy_visit *v, void *object) {
    ploy_visit_u64(v, "memory", PLOY_STATE, &((exec_mind *)object)->memory);
}

static const ploy_behavior_type exec_type = {
    .name = "mind", .step = exec_step, .visit = exec_visit};

static ploy_schedule exec_schedule(const exec_mind *mind) {
    ploy_schedule schedule = ploy_schedule_default();
    schedule.period = mind->period;
    schedule.phase = mind->phase;
    return schedule;
}

// The first `busy` have the mixed periods, the others one so long that no tick here is theirs.
static exec_data exec_make(int32_t count, int32_t busy, int32_t work) {
    static const int32_t periods[] = {10, 20, 30, 60};
    exec_data data = {0};
    data.count = count;
    data.minds = calloc((size_t)count, sizeof *data.minds);
    exec_check(data.minds != NULL);
    for (int32_t i = 0; i < count; i++) {
        exec_mind *mind = &data.minds[i];
        mind->period = i < busy ? periods[i % 4] : 1 << 20;
        mind->phase = i < busy ? i / 4 : 1;
        mind->work = work;
    }
    for (int32_t tick = 0; tick < EXEC_TICKS; tick++) {
        data.due[tick] = calloc((size_t)count, sizeof(int32_t));
        exec_check(data.due[tick] != NULL);
        for (int32_t i = 0; i < count; i++) {
            bool due = (tick + data.minds[i].phase) % data.minds[i].period == 0;
            if (due) data.due[tick][data.due_count[tick]++] = i;
        }
        data.turns += data.due_count[tick];
    }
    return data;
}

static void exec_add_scheduler(exec_data *data) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.capacity = data->count;
    exec_check(ploy_scheduler_create(&def, &env, &data->scheduler) == PLOY_OK);
    for (int32_t i = 0; i < data->count; i++) {
        ploy_schedule schedule = exec_schedule(&data->minds[i]);
        exec_check(ploy_scheduler_add(data->scheduler, i, &schedule) == PLOY_OK);
    }
}

static void exec_add_engine(exec_data *data, bool parallel) {
    ploy_env env = ploy_env_default();
    ploy_engine_def def = ploy_engine_def_default();
    def.capacity = data->count;
    def.parallel = parallel;
    def.outbox_messages = 0;
    def.outbox_actions = 0;
    exec_check(ploy_engine_create(&def, &env, &data->engine) == PLOY_OK);
    for (int32_t i = 0; i < data->count; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &exec_type;
        entry.behavior.self = &data->minds[i];
        entry.agent = ploy_agent_id_make((uint32_t)i, 1);
        entry.schedule = exec_schedule(&data->minds[i]);
        exec_check(ploy_engine_register(data->engine, &entry, NULL) == PLOY_OK);
    }
}

static void exec_free(exec_data *data) {
    ploy_scheduler_destroy(data->scheduler);
    ploy_engine_destroy(data->engine);
    ploy_group_destroy(data->group);
    for (int32_t i = 0; i < EXEC_TICKS; i++) free(data->due[i]);
    free(data->minds);
}

static void exec_scheduled(void *self) {
    exec_data *data = self;
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        uint64_t tick = data->tick++;
        ploy_turn turn;
        ploy_scheduler_begin(data->scheduler, tick, EXEC_UNITS, NULL);
        while (ploy_scheduler_next(data->scheduler, &turn)) {
            exec_think(&data->minds[turn.item], tick);
            ploy_scheduler_report(data->scheduler, turn.item, 1);
        }
        ploy_scheduler_end(data->scheduler);
    }
    bench_keep(data->minds);
}

static void exec_engine(void *self) {
    exec_data *data = self;
    ploy_engine_frame frame = {.jobs = data->jobs};
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        ploy_budget budget = ploy_budget_units(EXEC_UNITS);
        ploy_engine_step(data->engine, 1.0f / 64.0f, &budget, &frame);
    }
    bench_keep(data->minds);
}

static void exec_plain(void *self) {
    exec_data *data = self;
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        uint64_t tick = data->tick++;
        for (int32_t k = 0; k < data->count; k++) {
            exec_mind *mind = &data->minds[k];
            uint64_t at = tick + (uint64_t)mind->phase;
            if (at % (uint64_t)mind->period == 0) exec_think(mind, tick);
        }
    }
    bench_keep(data->minds);
}

static void exec_direct(void *self) {
    exec_data *data = self;
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        uint64_t tick = data->tick++;
        for (int32_t k = 0; k < data->due_count[i]; k++) {
            exec_think(&data->minds[data->due[i][k]], tick);
        }
    }
    bench_keep(data->minds);
}

// Both have taken the same ticks: all agents must remember the same.
static void exec_compare(bench_run *run, const exec_data *a, const exec_data *b) {
    for (int32_t i = 0; i < a->count && i < b->count; i++) {
        if (a->minds[i].memory == b->minds[i].memory) continue;
        bench_fail(run, "the two sides gave different turns");
        return;
    }
}

static void exec_measure(bench_run *run, void (*ours)(void *), exec_data *mine) {
    exec_data plain = exec_make(EXEC_MINDS, EXEC_MINDS, 1);
    exec_data direct = exec_make(EXEC_MINDS, EXEC_MINDS, 1);
    double turns = (double)mine->turns;
    bench_measure(run, bench_call(ours, mine, turns), bench_call(exec_plain, &plain, turns),
                  bench_call(exec_direct, &direct, turns));
    exec_compare(run, mine, &plain);
    exec_free(&plain);
    exec_free(&direct);
}

void bench_exec_schedule(bench_run *run) {
    exec_data data = exec_make(EXEC_MINDS, EXEC_MINDS, 1);
    exec_add_scheduler(&data);
    exec_measure(run, exec_scheduled, &data);
    exec_free(&data);
}

void bench_exec_engine(bench_run *run) {
    exec_data data = exec_make(EXEC_MINDS, EXEC_MINDS, 1);
    exec_add_engine(&data, false);
    exec_measure(run, exec_engine, &data);
    exec_free(&data);
}

void bench_exec_idle(bench_run *run) {
    exec_data many = exec_make(EXEC_MINDS * EXEC_IDLE_TIMES, EXEC_MINDS, 1);
    exec_data few = exec_make(EXEC_MINDS, EXEC_MINDS, 1);
    exec_add_scheduler(&many);
    exec_add_scheduler(&few);
    double turns = (double)few.turns;
    bench_measure(run, bench_call(exec_scheduled, &many, turns),
                  bench_call(exec_scheduled, &few, turns), bench_nothing());
    exec_compare(run, &many, &few);
    exec_free(&many);
    exec_free(&few);
}

static void exec_grouped(void *self) {
    exec_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 1.0f / 64.0f);
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        ploy_budget budget = ploy_budget_units(EXEC_UNITS);
        context.tick = data->tick++;
        context.budget = &budget;
        ploy_status status;
        ploy_behavior_step(ploy_group_behavior(data->group), &context, &status);
        ploy_behavior_commit(ploy_group_behavior(data->group), &context);
    }
    bench_keep(data->minds);
}

// Every agent in every tick, without a scheduler: through the type, as a behavior is called.
static void exec_each(void *self) {
    exec_data *data = self;
    ploy_step_context context = ploy_step_context_make(ploy_agent_id_none(), NULL, 1.0f / 64.0f);
    for (int32_t i = 0; i < EXEC_TICKS; i++) {
        context.tick = data->tick++;
        for (int32_t k = 0; k < data->count; k++) {
            ploy_behavior behavior = {&exec_type, &data->minds[k]};
            ploy_status status;
            ploy_behavior_step(behavior, &context, &status);
        }
    }
    bench_keep(data->minds);
}

void bench_exec_group(bench_run *run) {
    exec_data ours = exec_make(EXEC_GROUP, 0, 1), plain = exec_make(EXEC_GROUP, 0, 1);
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = PLOY_POLICY_EVEN;
    def.capacity = EXEC_GROUP;
    exec_check(ploy_group_create(&def, &env, &ours.group) == PLOY_OK);
    for (int32_t i = 0; i < EXEC_GROUP; i++) {
        ploy_group_member member = ploy_group_member_default();
        member.behavior.type = &exec_type;
        member.behavior.self = &ours.minds[i];
        member.agent = ploy_agent_id_make((uint32_t)i, 1);
        exec_check(ploy_group_add(ours.group, &member, NULL) == PLOY_OK);
    }
    double turns = (double)EXEC_GROUP * EXEC_TICKS;
    bench_measure(run, bench_call(exec_grouped, &ours, turns), bench_nothing(),
                  bench_call(exec_each, &plain, turns));
    exec_free(&ours);
    exec_free(&plain);
}

static uint64_t exec_hash(const exec_data *data) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_engine_describe(data->engine, &out);
    return ploy_hash_sink_result(&sink);
}

void bench_exec_parallel(bench_run *run) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    exec_check(ploy_job_pool_create(2, &env, &pool) == PLOY_OK);
    exec_data two = exec_make(EXEC_MINDS, EXEC_MINDS, EXEC_THOUGHT);
    exec_data one = exec_make(EXEC_MINDS, EXEC_MINDS, EXEC_THOUGHT);
    exec_add_engine(&two, true);
    exec_add_engine(&one, true);
    two.jobs = ploy_job_pool_jobs(pool);
    double turns = (double)one.turns;
    bench_measure(run, bench_call(exec_engine, &two, turns), bench_call(exec_engine, &one, turns),
                  bench_nothing());
    if (exec_hash(&two) != exec_hash(&one)) bench_fail(run, "two workers came to another result");
    exec_free(&two);
    exec_free(&one);
    ploy_job_pool_destroy(pool);
}
