// The promises about workers: the same result for any number, nothing allocated, exact rewinding.
#include "base/base_internal.h"
#include "exec/exec_internal.h"
#include "ploy/exec/engine.h"

#include "ploy/base/hash.h"
#include "ploy/exec/sim.h"
#include "tests/exec/engine_probe.h"
#include "tests/test.h"

static ploy_result act_step(void *user, ploy_action_id id, const ploy_action_request *request,
                            float dt, ploy_status *status) {
    (void)user, (void)id, (void)dt;
    *status = request->parameters[0] > 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

// A crowd in which everybody draws, remembers, writes to others, asks for actions, sometimes
// finishes, fails or is starved.
typedef struct crowd_member {
    uint64_t memory;
    uint64_t heard;
    ploy_slot energy;
    int32_t size;
    bool fails;
} crowd_member;

static ploy_result crowd_step(void *self, ploy_step_context *context, ploy_status *status) {
    crowd_member *member = self;
    uint32_t id = context->agent.id.index;
    uint64_t draw = ploy_rng_u64_at(context->key, id, context->tick, 0);
    member->memory = ploy_hash_combine(member->memory, draw ^ (uint64_t)(context->dt * 1024.0f));
    uint64_t *scratch = ploy_arena_alloc_array(context->scratch, 32, sizeof *scratch);
    if (scratch == NULL) return PLOY_ERR_MEMORY;
    for (uint64_t i = 0; i < 32; i++) scratch[i] = draw * i;
    member->memory = ploy_hash_bytes(scratch, 32 * sizeof *scratch, member->memory);
    ploy_blackboard_set_f32(context->blackboard, member->energy, (float)(draw % 1000));
    int64_t work = (int64_t)(draw % 7);
    while (work-- > 0 && ploy_budget_spend(context->budget, 1)) member->memory *= 3;
    if (draw % 3 == 0) {
        ploy_message message = ploy_message_make(
            context->agent, agent((int32_t)(draw >> 8) % member->size), ploy_name_of("tell"));
        ploy_message_set_payload(&message, &draw, sizeof draw);
        ploy_result result = ploy_outbox_message(context->outbox, &message);
        if (result != PLOY_OK) return result;
    }
    if (draw % 5 == 0) {
        ploy_action_request request =
            ploy_action_request_make(context->agent, ploy_name_of("act"), PLOY_ACTION_ANIMATE);
        request.token = draw;
        request.parameters[0] = (float)(draw % 2);
        ploy_outbox_action(context->outbox, &request);
    }
    ploy_trace_begin(context->trace, context->agent, "work", "crowd");
    ploy_trace_end(context->trace);
    if (member->fails && draw % 50 == 0) return PLOY_ERR_LIMIT;
    *status = draw % 11 == 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result crowd_message(void *self, ploy_step_context *context,
                                 const ploy_message *message, bool *handled) {
    crowd_member *member = self;
    uint64_t bytes = ploy_hash_bytes(message->payload, message->size, message->order);
    member->heard = ploy_hash_combine(member->heard, bytes ^ message->kind.hash);
    *handled = true;
    if (message->size == sizeof(uint64_t) && bytes % 4 == 0) {
        ploy_message back =
            ploy_message_make(context->agent, message->sender, ploy_name_of("thanks"));
        ploy_outbox_message(context->outbox, &back); // may be full, which is the same everywhere
    }
    return PLOY_OK;
}

static ploy_result crowd_commit(void *self, ploy_step_context *context) {
    uint64_t *shared = context->game;
    *shared = ploy_hash_combine(*shared, ((crowd_member *)self)->memory); // order matters
    return PLOY_OK;
}

static void crowd_visit(ploy_visit *v, void *object) {
    crowd_member *member = object;
    ploy_visit_u64(v, "memory", PLOY_STATE, &member->memory);
    ploy_visit_u64(v, "heard", PLOY_STATE, &member->heard);
}

static const ploy_behavior_type crowd_type = {
    .name = "crowd",
    .step = crowd_step,
    .commit = crowd_commit,
    .message = crowd_message,
    .visit = crowd_visit,
};

enum { CROWD_SIZE = 200, CROWD_TICKS = 40 };

typedef struct crowd {
    ploy_engine *engine;
    ploy_actions *actions;
    ploy_blackboard_layout *layout;
    ploy_blackboard *boards[CROWD_SIZE];
    crowd_member members[CROWD_SIZE];
    uint64_t shared;
} crowd;

static void crowd_make(test_context *t, crowd *c, bool parallel, const ploy_env *env) {
    memset(c, 0, sizeof *c);
    static const ploy_blackboard_key keys[] = {{"energy", PLOY_VALUE_F32, {0}, NULL}};
    CHECK_OK(ploy_blackboard_layout_create(keys, 1, "crowd", env, NULL, &c->layout));
    ploy_action_host host = {.animate = {.step = act_step}};
    ploy_actions_def actions_def = ploy_actions_def_default();
    actions_def.capacity = 64; // so that some are refused
    CHECK_OK(ploy_actions_create(&actions_def, &host, env, &c->actions));
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.seed = 5;
    def.grain = 7;
    def.outbox_messages = 2;
    CHECK_OK(ploy_engine_create(&def, env, &c->engine));
    ployi_engine_set_actions(c->engine, c->actions);
    for (int32_t i = 0; i < CROWD_SIZE; i++) {
        CHECK_OK(ploy_blackboard_create(c->layout, env, &c->boards[i]));
        c->members[i].energy = ploy_blackboard_layout_find(c->layout, "energy");
        c->members[i].size = CROWD_SIZE;
        c->members[i].fails = i % 10 == 0;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &crowd_type;
        entry.behavior.self = &c->members[i];
        entry.agent = agent(i);
        entry.blackboard = c->boards[i];
        entry.schedule.period = 1 + i % 4;
        entry.schedule.phase = i;
        entry.schedule.priority = 1 + i % 3;
        CHECK_OK(ploy_engine_register(c->engine, &entry, NULL));
    }
}

static void crowd_free(crowd *c) {
    ploy_engine_destroy(c->engine);
    ploy_actions_destroy(c->actions);
    for (int32_t i = 0; i < CROWD_SIZE; i++) ploy_blackboard_destroy(c->boards[i]);
    ploy_blackboard_layout_destroy(c->layout);
}

static uint64_t crowd_hash(const crowd *c) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_describe_u64(&out, "shared", PLOY_STATE, c->shared);
    ploy_engine_describe(c->engine, &out);
    ploy_actions_describe(c->actions, &out);
    return ploy_hash_sink_result(&sink);
}

static void crowd_run(test_context *t, bool parallel, int64_t units, const ploy_jobs *jobs,
                      ploy_trace *trace, uint64_t hashes[CROWD_TICKS]) {
    ploy_env env = ploy_env_default();
    crowd c;
    crowd_make(t, &c, parallel, &env);
    for (int32_t i = 0; i < CROWD_TICKS; i++) {
        ploy_engine_frame frame = {.jobs = jobs, .trace = trace, .game = &c.shared};
        ploy_budget budget = ploy_budget_units(units);
        CHECK_OK(ploy_engine_step(c.engine, 0.125f, units > 0 ? &budget : NULL, &frame));
        hashes[i] = crowd_hash(&c);
    }
    crowd_free(&c);
}

static void count_decision(void *user, ploy_id who, const char *topic, const char *technique) {
    (void)who, (void)topic, (void)technique;
    (*(int32_t *)user)++;
}

TEST(results_are_the_same_for_any_number_of_workers_and_with_a_trace) {
    ploy_env env = ploy_env_default();
    static const int64_t budgets[] = {0, 1000, 60}; // none, ample, starving
    for (size_t b = 0; b < COUNT_OF(budgets); b++) {
        TEST_SEED(budgets[b]);
        uint64_t want[CROWD_TICKS], got[CROWD_TICKS];
        crowd_run(t, true, budgets[b], NULL, NULL, want);
        CHECK(want[0] != want[1]);
        static const int32_t workers[] = {1, 2, 4};
        for (size_t w = 0; w < COUNT_OF(workers); w++) {
            ploy_job_pool *pool = NULL;
            CHECK_OK(ploy_job_pool_create(workers[w], &env, &pool));
            const ploy_jobs *jobs = ploy_job_pool_jobs(pool);
            crowd_run(t, true, budgets[b], jobs, NULL, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], want[i]);
            int32_t decisions = 0;
            ploy_trace trace = {count_decision, NULL, NULL, NULL, NULL, &decisions};
            crowd_run(t, true, budgets[b], jobs, &trace, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], want[i]);
            CHECK(decisions > CROWD_TICKS);
            // Serial is another engine, with jobs or without.
            uint64_t serial[CROWD_TICKS];
            crowd_run(t, false, budgets[b], jobs, NULL, serial);
            crowd_run(t, false, budgets[b], NULL, &trace, got);
            for (int32_t i = 0; i < CROWD_TICKS; i++) CHECK_UINT(got[i], serial[i]);
            ploy_job_pool_destroy(pool);
        }
    }
}

TEST(a_warm_step_allocates_nothing) {
    for (int32_t parallel = 0; parallel < 2; parallel++) {
        test_counts counts;
        ploy_env env = test_counting_env(&counts);
        ploy_job_pool *pool = NULL;
        ploy_env plain = ploy_env_default();
        CHECK_OK(ploy_job_pool_create(2, &plain, &pool));
        crowd c;
        crowd_make(t, &c, parallel == 1, &env);
        ploy_engine_frame frame = {.jobs = ploy_job_pool_jobs(pool), .game = &c.shared};
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_engine_step(c.engine, 0.125f, NULL, &frame));
        int64_t calls = counts.calls;
        for (int32_t i = 0; i < 30; i++) {
            ploy_budget budget = ploy_budget_units(100 + i);
            CHECK_OK(ploy_engine_step(c.engine, 0.125f, &budget, &frame));
        }
        CHECK_INT(counts.calls, calls);
        crowd_free(&c);
        CHECK_INT(counts.blocks, 0);
        ploy_job_pool_destroy(pool);
    }
}

// ---- in a simulation

typedef struct crowd_def {
    uint32_t cookie;
    int32_t size;
} crowd_def;

static const ploy_field crowd_field_table[] = {
    PLOY_FIELD_I32_FIXED(crowd_def, size, 30, 1, 100, "", "how many there are"),
};

static ploy_fields crowd_fields(void) {
    return PLOY_FIELDS(crowd_def, crowd_field_table);
}

typedef struct crowd_state {
    ploy_env env;
    ploy_engine *engine;
    crowd_member *members;
    uint64_t shared;
} crowd_state;

static ploy_result crowd_sim_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    const crowd_def *def = params;
    crowd_state *state = ploy_env_alloc_zero(env, sizeof *state);
    if (state == NULL) return PLOY_ERR_MEMORY;
    state->env = *env;
    state->members = ploy_env_alloc_zero(env, (size_t)def->size * sizeof(crowd_member));
    if (state->members == NULL) return PLOY_ERR_MEMORY;
    ploy_engine_def engine_def = ploy_engine_def_default();
    engine_def.parallel = true;
    engine_def.seed = key.bits;
    engine_def.grain = 3;
    ploy_result result = ploy_engine_create(&engine_def, env, &state->engine);
    for (int32_t i = 0; i < def->size && result == PLOY_OK; i++) {
        state->members[i].size = def->size;
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior.type = &crowd_type;
        entry.behavior.self = &state->members[i];
        entry.agent = agent(i);
        result = ploy_engine_register(state->engine, &entry, NULL);
    }
    *out = state;
    return result;
}

static ploy_result crowd_sim_step(void *state_in, const ploy_sim_context *context) {
    crowd_state *state = state_in;
    ploy_engine_frame frame = {.jobs = context->jobs,
                               .scratch = context->scratch,
                               .trace = context->trace,
                               .game = &state->shared};
    ploy_budget budget = ploy_budget_units(50);
    return ploy_engine_step(state->engine, context->dt, &budget, &frame);
}

static void crowd_sim_describe(const void *state, ploy_describe *out) {
    ploy_engine_describe(((const crowd_state *)state)->engine, out);
}

TEST(an_engine_in_a_region_rewinds_byte_for_byte_whoever_works) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(3, &env, &pool));
    ploy_sim_type type = {.name = "crowd",
                          .dt = 0.125f,
                          .fields = crowd_fields,
                          .create = crowd_sim_create,
                          .step = crowd_sim_step,
                          .describe = crowd_sim_describe,
                          .capabilities = PLOY_SIM_PARALLEL};
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    CHECK_OK(ploy_sim_create(&def, &type, NULL, ploy_job_pool_jobs(pool), &env, &sim));
    for (int32_t i = 0; i < 20; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    ploy_snapshot *snapshot = NULL, *first = NULL, *second = NULL;
    CHECK_OK(ploy_sim_snapshot(sim, &snapshot));
    for (int32_t i = 0; i < 30; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    CHECK_OK(ploy_sim_snapshot(sim, &first));
    uint64_t hash = ploy_sim_hash(sim);
    CHECK_OK(ploy_sim_restore(sim, snapshot));
    for (int32_t i = 0; i < 30; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, NULL));
    CHECK_OK(ploy_sim_snapshot(sim, &second));
    CHECK_UINT(ploy_sim_hash(sim), hash);
    CHECK_INT(ployi_snapshot_difference(first, second), -1);
    ploy_snapshot_destroy(snapshot);
    ploy_snapshot_destroy(first);
    ploy_snapshot_destroy(second);
    ploy_sim_destroy(sim);
    ploy_job_pool_destroy(pool);
}
