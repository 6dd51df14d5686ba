// Programs among many agents: made from a file of characters, stepped in a parallel engine.
#include "data/data_internal.h"
#include "program_desk.h"

#include <math.h>

#include "ploy/base/hash.h"
#include "ploy/data/characters.h"
#include "ploy/exec/engine.h"

enum { TROOP_SIZE = 120, TROOP_TICKS = 60, TROOP_KINDS = 3 };

static const ploy_blackboard_key troop_keys[] = {
    {"strength", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 1}}, NULL},
    {"gold", PLOY_VALUE_F32, {PLOY_VALUE_F32, {.f32 = 0}}, NULL},
    {"word", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = ""}}, NULL},
};

static const char troop_digger[] = "keep days = 0\n"
                                   "function dig(n) { local found = 0\n"
                                   "  for i = 1, n { found += random() < 0.5 }\n"
                                   "  return found * strength }\n"
                                   "while true {\n"
                                   "  gold += dig(6)\n"
                                   "  days += 1\n"
                                   "  word = 'day ' .. days\n"
                                   "  if days - floor(days / 3) * 3 == 0 report(gold)\n"
                                   "  when gold > 40 do { gold -= 40\nwait 0.5 }\n"
                                   "  when gold > 20 do yield\n"
                                   "}\n";
static const char troop_guard[] = "while true { report(strength)\nwait 1 + random() }\n";

static const char troop_file[] =
    "{ \"characters\": {\n"
    "  \"digger\": { \"layout\": \"troop\", \"values\": { \"strength\": 2 }, \"mind\": \"digger\" "
    "},\n"
    "  \"giant\": { \"like\": \"digger\", \"values\": { \"strength\": 5 } },\n"
    "  \"guard\": { \"like\": \"giant\", \"mind\": \"guard\" }\n"
    "} }";

// Sends a number to the chief, agent 0.
static ploy_result troop_report(void *user, ploy_step_context *context, const ploy_value *args,
                                ploy_value *out) {
    (void)user;
    (void)out;
    ploy_message message =
        ploy_message_make(context->agent, ploy_agent_id_make(0, 1), ploy_name_of("report"));
    ploy_message_set_payload(&message, &args[0].as.f64, sizeof args[0].as.f64);
    return ploy_outbox_message(context->outbox, &message);
}

// The chief remembers every report in the order in which it came.
typedef struct troop_chief {
    uint64_t heard;
    int64_t reports;
} troop_chief;

static ploy_result troop_chief_step(void *self, ploy_step_context *context, ploy_status *status) {
    (void)self, (void)context;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static ploy_result troop_chief_message(void *self, ploy_step_context *context,
                                       const ploy_message *message, bool *handled) {
    troop_chief *chief = self;
    (void)context;
    chief->heard = ploy_hash_bytes(message->payload, message->size,
                                   ploy_hash_combine(chief->heard, message->sender.id.index));
    chief->reports += 1;
    *handled = true;
    return PLOY_OK;
}

static const ploy_behavior_type troop_chief_type = {
    .name = "chief", .step = troop_chief_step, .message = troop_chief_message};

typedef struct troop {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_program *programs[2];
    ploy_program_host hosts[1];
    ploy_setup_layout layouts[1];
    ploy_character_mind minds[2];
    ploy_characters *characters;
    ploy_engine *engine;
    ploy_blackboard *boards[TROOP_SIZE];
    ploy_behavior behaviors[TROOP_SIZE];
    troop_chief chief;
} troop;

static void troop_open(test_context *t, troop *it) {
    memset(it, 0, sizeof *it);
    it->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(troop_keys, COUNT_OF(troop_keys), "troop", &it->env,
                                           NULL, &it->layout));
    it->hosts[0] = (ploy_program_host){"report", troop_report, "(number)", 3, NULL};
    ploy_program_scope scope = {it->hosts, 1, it->layout};
    it->programs[0] = desk_compile(t, troop_digger, &scope);
    it->programs[1] = desk_compile(t, troop_guard, &scope);
    it->layouts[0] = (ploy_setup_layout){"troop", it->layout};
    it->minds[0] = (ploy_character_mind){"digger", ploy_program_maker(it->programs[0])};
    it->minds[1] = (ploy_character_mind){"guard", ploy_program_maker(it->programs[1])};
    ploy_character_source source = {it->layouts, 1, it->minds, 2, NULL, 0};
    CHECK_OK(ploy_characters_load(troop_file, strlen(troop_file), "troop.json", &source, &it->env,
                                  NULL, &it->characters));
    for (int32_t i = 0; i < TROOP_SIZE; i++)
        CHECK_OK(ploy_characters_make(it->characters, i % TROOP_KINDS, &it->env, &it->boards[i],
                                      &it->behaviors[i]));
}

static void troop_close(troop *it) {
    ploy_engine_destroy(it->engine); // and the behaviors, once there is an engine
    for (int32_t i = 0; i < TROOP_SIZE; i++) {
        if (it->engine == NULL) ploy_behavior_destroy(it->behaviors[i]);
        ploy_blackboard_destroy(it->boards[i]);
    }
    ploy_characters_destroy(it->characters);
    ploy_program_destroy(it->programs[0]);
    ploy_program_destroy(it->programs[1]);
    ploy_blackboard_layout_destroy(it->layout);
}

static float troop_number(const troop *it, int32_t i, const char *key) {
    return ploy_blackboard_get_f32(it->boards[i], ploy_blackboard_layout_find(it->layout, key));
}

// LNG-13
TEST(a_character_like_another_runs_its_program_with_other_values) {
    static troop it;
    troop_open(t, &it);
    static const float strengths[TROOP_KINDS] = {2, 5, 5};
    static const char *const minds[TROOP_KINDS] = {"digger", "digger", "guard"};
    float gold[TROOP_KINDS];
    for (int32_t kind = 0; kind < TROOP_KINDS; kind++) {
        t->row = ploy_characters_name(it.characters, kind);
        CHECK_TEXT(ployi_characters_mind(it.characters, kind), minds[kind]);
        // The same agent in the same ticks: the draws are the same.
        ploy_step_context context =
            ploy_step_context_make(ploy_agent_id_make(7, 1), it.boards[kind], 0.25f);
        context.key = ploy_rng_key_make(3);
        ploy_outbox *outbox = NULL;
        CHECK_OK(ploy_outbox_create(context.agent, 4, 4, &it.env, &outbox));
        context.outbox = outbox;
        ploy_status status;
        CHECK_OK(ploy_behavior_enter(it.behaviors[kind], &context));
        CHECK_OK(ploy_behavior_step(it.behaviors[kind], &context, &status));
        CHECK_INT(status, PLOY_STATUS_RUNNING);
        ploy_behavior_exit(it.behaviors[kind], &context, PLOY_EXIT_INTERRUPTED);
        ploy_outbox_destroy(outbox);
        CHECK_SAME(troop_number(&it, kind, "strength"), strengths[kind]);
        gold[kind] = troop_number(&it, kind, "gold");
    }
    // Each stops with more than 20; what it has is a multiple of its strength.
    CHECK(gold[0] > 20 && gold[1] > 20 && gold[0] != gold[1]);
    CHECK_SAME(gold[0] / 2, floorf(gold[0] / 2));
    CHECK_SAME(gold[1] / 5, floorf(gold[1] / 5));
    CHECK_SAME(gold[2], 0);
    troop_close(&it);
}

static void troop_run(test_context *t, bool parallel, int64_t units, const ploy_jobs *jobs,
                      uint64_t hashes[TROOP_TICKS]) {
    static troop it;
    troop_open(t, &it);
    ploy_engine_def def = ploy_engine_def_default();
    def.parallel = parallel;
    def.seed = 11;
    def.grain = 7;
    CHECK_OK(ploy_engine_create(&def, &it.env, &it.engine));
    for (int32_t i = -1; i < TROOP_SIZE; i++) {
        ploy_engine_entry entry = ploy_engine_entry_default();
        if (i < 0) {
            entry.behavior.type = &troop_chief_type;
            entry.behavior.self = &it.chief;
        } else {
            entry.behavior = it.behaviors[i];
            entry.blackboard = it.boards[i];
            entry.schedule.period = 1 + i % 3;
            entry.schedule.phase = i;
        }
        entry.agent = ploy_agent_id_make((uint32_t)(i + 1), 1);
        CHECK_OK(ploy_engine_register(it.engine, &entry, NULL));
    }
    for (int32_t tick = 0; tick < TROOP_TICKS; tick++) {
        ploy_engine_frame frame = {.jobs = jobs};
        ploy_budget budget = ploy_budget_units(units);
        CHECK_OK(ploy_engine_step(it.engine, 0.125f, units > 0 ? &budget : NULL, &frame));
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        ploy_engine_describe(it.engine, &out);
        for (int32_t i = 0; i < TROOP_SIZE; i++) {
            ploy_behavior_describe(it.behaviors[i], &out);
            ploy_blackboard_describe(it.boards[i], &out);
        }
        ploy_describe_u64(&out, "heard", PLOY_STATE, it.chief.heard);
        hashes[tick] = ploy_hash_sink_result(&sink);
    }
    CHECK(it.chief.reports > TROOP_TICKS);
    troop_close(&it);
}

TEST(programs_give_the_same_result_for_any_number_of_workers) {
    ploy_env env = ploy_env_default();
    static const int64_t budgets[] = {0, 20000, 900}; // none, ample, too small for all
    uint64_t last[COUNT_OF(budgets)];
    for (size_t b = 0; b < COUNT_OF(budgets); b++) {
        uint64_t want[TROOP_TICKS], got[TROOP_TICKS];
        TEST_SEED(budgets[b]);
        troop_run(t, true, budgets[b], NULL, want);
        last[b] = want[TROOP_TICKS - 1];
        static const int32_t workers[] = {1, 2, 4};
        for (size_t w = 0; w < COUNT_OF(workers); w++) {
            ploy_job_pool *pool = NULL;
            CHECK_OK(ploy_job_pool_create(workers[w], &env, &pool));
            troop_run(t, true, budgets[b], ploy_job_pool_jobs(pool), got);
            for (int32_t i = 0; i < TROOP_TICKS; i++) CHECK_UINT(got[i], want[i]);
            ploy_job_pool_destroy(pool);
        }
    }
    CHECK(last[0] != last[2]); // the small budget cut programs off
}
