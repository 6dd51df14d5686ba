// Groups whose members are agents of their own: many minds as one.
#include "ploy/exec/group.h"

#include "ploy/base/hash.h"
#include "ploy/exec/engine.h"
#include "ploy/exec/lod.h"
#include "tests/exec/lod_probe.h"
#include "tests/rewind.h"
#include "tests/test.h"

typedef struct band {
    lod_log log;
    lod_probe probes[3];
    ploy_group *group;
    ploy_behavior behavior;
    ploy_step_context context;
} band;

static ploy_scheduler_def even_def(void) {
    ploy_scheduler_def def = ploy_scheduler_def_default();
    def.policy = PLOY_POLICY_EVEN;
    def.capacity = 4;
    return def;
}

static ploy_result join_as(ploy_group *group, ploy_behavior behavior, ploy_agent_id agent) {
    ploy_group_member member = ploy_group_member_default();
    member.behavior = behavior;
    member.agent = agent;
    return ploy_group_add(group, &member, NULL);
}

static void band_start(test_context *t, band *b) {
    memset(b, 0, sizeof *b);
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = even_def();
    CHECK_OK(ploy_group_create(&def, &env, &b->group));
    b->behavior = ploy_group_behavior(b->group);
    b->context = lod_context(NULL);
    for (int32_t i = 0; i < 3; i++) {
        b->probes[i].log = &b->log;
        b->probes[i].name = (char)('a' + i);
        CHECK_OK(join_as(b->group, lod_probe_behavior(&b->probes[i]),
                         ploy_agent_id_make((uint32_t)i + 10, 1)));
    }
    CHECK_OK(ploy_behavior_enter(b->behavior, &b->context));
}

static void band_step(test_context *t, band *b, int64_t units, const char *log) {
    ploy_status status = PLOY_STATUS_FAILURE;
    ploy_budget budget = ploy_budget_units(units);
    b->context.budget = units >= 0 ? &budget : NULL;
    lod_log_clear(&b->log);
    CHECK_OK(ploy_behavior_step(b->behavior, &b->context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    CHECK_OK(ploy_behavior_commit(b->behavior, &b->context));
    CHECK_TEXT(b->log.text, log);
}

TEST(members_run_in_turn_each_as_itself) {
    band b;
    band_start(t, &b);
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc");
    band_step(t, &b, -1, "SaSbScCaCbCc");
    for (int32_t i = 0; i < 3; i++) CHECK_INT(b.probes[i].agent.id.index, i + 10);
    lod_log_clear(&b.log);
    ploy_behavior_exit(b.behavior, &b.context, PLOY_EXIT_INTERRUPTED);
    CHECK_TEXT(b.log.text, "XaXbXc");
    CHECK_INT(b.log.reason, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(b.log.alive, 0);
    CHECK_OK(ploy_behavior_enter(b.behavior, &b.context));
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc");
    CHECK_SAME(b.probes[0].dt, 0.1f); // what passed between exit and enter does not count
    ploy_behavior_destroy(b.behavior);
}

TEST(the_budget_is_shared_and_those_left_over_come_first) {
    band b;
    band_start(t, &b);
    for (int32_t i = 0; i < 3; i++) b.probes[i].cost = 4;
    band_step(t, &b, 12, "EaSaEbSbEcScCaCbCc");
    for (int32_t i = 0; i < 3; i++) CHECK_INT(b.probes[i].allowed, 4);
    b.probes[0].cost = 6; // EXE-10's sums: 4 allowed and 6 used, 3 allowed and 2 used, 4 allowed
    b.probes[1].cost = 2;
    band_step(t, &b, 12, "SaSbScCaCbCc");
    CHECK_INT(b.probes[0].allowed, 4);
    CHECK_INT(b.probes[1].allowed, 3);
    CHECK_INT(b.probes[2].allowed, 4);
    for (int32_t i = 0; i < 3; i++) b.probes[i].cost = 4;
    band_step(t, &b, 4, "SaCa");
    band_step(t, &b, 8, "SbScCbCc");
    band_step(t, &b, 1, "SaCa");
    band_step(t, &b, 8, "SbScCbCc");
    CHECK_NEAR(b.probes[1].dt, 0.2, 1e-6); // it had waited for one
    band_step(t, &b, 0, "");
    band_step(t, &b, 100, "SaSbScCaCbCc");
    CHECK_NEAR(b.probes[0].dt, 0.3, 1e-6);
    ploy_behavior_destroy(b.behavior);
}

TEST(one_that_fails_stops_alone_and_one_that_ends_begins_again) {
    band b;
    band_start(t, &b);
    b.probes[0].fails_after = 2;
    b.probes[2].ends_after = 2;
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc");
    band_step(t, &b, -1, "SaXaSbScCbCcXc");
    CHECK_INT(b.log.reason, PLOY_EXIT_FINISHED);
    band_step(t, &b, -1, "SbEcScCbCc");
    ploy_group_info info;
    CHECK_OK(ploy_group_get(b.group, 0, &info));
    CHECK_INT(info.result, PLOY_ERR_LIMIT);
    CHECK(!info.entered);
    CHECK(info.ended);
    CHECK_INT(ploy_group_get(b.group, 3, &info), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_group_get(b.group, -1, &info), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_group_count(b.group), 3);
    ploy_behavior_exit(b.behavior, &b.context, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(b.log.alive, 0);
    CHECK_OK(ploy_behavior_enter(b.behavior, &b.context));
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc"); // another chance
    ploy_behavior_destroy(b.behavior);
}

TEST(messages_reach_the_one_named_or_all) {
    band b;
    band_start(t, &b);
    ploy_message message =
        ploy_message_make(ploy_agent_id_none(), ploy_agent_id_none(), ploy_name_of("x"));
    bool handled = true;
    CHECK_OK(ploy_behavior_message(b.behavior, &b.context, &message, &handled));
    CHECK(!handled); // nobody runs
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc");
    lod_log_clear(&b.log);
    CHECK_OK(ploy_behavior_message(b.behavior, &b.context, &message, &handled));
    message.receiver = ploy_agent_id_make(11, 1);
    CHECK_OK(ploy_behavior_message(b.behavior, &b.context, &message, &handled));
    CHECK(handled);
    CHECK_TEXT(b.log.text, "MaMbMcMb");
    ploy_behavior nothing = {NULL, NULL};
    CHECK_INT(join_as(b.group, nothing, ploy_agent_id_none()), PLOY_ERR_ARGUMENT);
    ploy_behavior_destroy(b.behavior);
}

static uint64_t clock_of_units(void *user) { // a nanosecond a reading
    return ++*(uint64_t *)user;
}

TEST(a_deadline_of_the_group_is_one_of_its_members) {
    band b;
    band_start(t, &b);
    uint64_t now = 0;
    ploy_env env = ploy_env_default();
    env.clock = clock_of_units;
    env.clock_user = &now;
    for (int32_t i = 0; i < 3; i++) b.probes[i].cost = 1;
    ploy_budget budget = ploy_budget_deadline(PLOY_BUDGET_UNLIMITED, 3, 1, &env);
    b.context.budget = &budget;
    ploy_status status;
    CHECK_OK(ploy_behavior_step(b.behavior, &b.context, &status));
    CHECK_TEXT(b.log.text, "EaSaEbSb"); // each reads the clock once, and so does the group
    CHECK(ploy_budget_empty(&budget));
    ploy_behavior_destroy(b.behavior);
}

typedef struct sender {
    ploy_group *group;
    ploy_result said; // to its own message
    int32_t commits, exits;
} sender;

static ploy_result sender_step(void *self, ploy_step_context *context, ploy_status *status) {
    sender *s = self;
    ploy_message message = ploy_message_make(context->agent, context->agent, ploy_name_of("x"));
    bool handled = false;
    *status = PLOY_STATUS_RUNNING;
    return ploy_behavior_message(ploy_group_behavior(s->group), context, &message, &handled);
}

static void sender_exit(void *self, ploy_step_context *context, ploy_exit_reason reason) {
    (void)context, (void)reason;
    ((sender *)self)->exits++;
}

static ploy_result sender_commit(void *self, ploy_step_context *context) {
    (void)context;
    ((sender *)self)->commits++;
    return PLOY_OK;
}

static ploy_result sender_message(void *self, ploy_step_context *context,
                                  const ploy_message *message, bool *handled) {
    (void)context, (void)message;
    *handled = true;
    return ((sender *)self)->said;
}

static const ploy_behavior_type sender_type = {
    .name = "sender",
    .step = sender_step,
    .exit = sender_exit,
    .commit = sender_commit,
    .message = sender_message,
};

TEST(one_stopped_by_its_own_message_has_nothing_to_commit) {
    ploy_env env = ploy_env_default();
    ploy_scheduler_def def = even_def();
    sender s = {NULL, PLOY_ERR_LIMIT, 0, 0};
    CHECK_OK(ploy_group_create(&def, &env, &s.group));
    ploy_behavior behavior = {&sender_type, &s};
    CHECK_OK(join_as(s.group, behavior, ploy_agent_id_make(3, 1)));
    ploy_step_context context = lod_context(NULL);
    ploy_status status;
    CHECK_OK(ploy_behavior_step(ploy_group_behavior(s.group), &context, &status));
    CHECK_INT(status, PLOY_STATUS_FAILURE);
    CHECK_OK(ploy_behavior_commit(ploy_group_behavior(s.group), &context));
    CHECK_INT(s.exits, 1);
    CHECK_INT(s.commits, 0);
    ploy_group_destroy(s.group);
    CHECK_INT(s.exits, 1);
}

TEST(every_byte_of_a_group_is_told) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_scheduler_def def = even_def();
    ploy_group *group = NULL;
    CHECK_OK(ploy_group_create(&def, &env, &group));
    lod_probe probes[9] = {{.log = NULL}};
    for (int32_t i = 0; i < 9; i++) {
        CHECK_OK(join_as(group, lod_probe_behavior(&probes[i]), ploy_agent_id_none()));
    }
    int64_t bytes = 0;
    ploy_group_memory(group, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_group_destroy(group);
}

TEST(a_member_without_an_agent_speaks_for_the_group) {
    band b;
    band_start(t, &b);
    lod_probe part = {.log = NULL};
    CHECK_OK(join_as(b.group, lod_probe_behavior(&part), ploy_agent_id_none()));
    b.context.agent = ploy_agent_id_make(77, 1);
    ploy_status status;
    CHECK_OK(ploy_behavior_step(b.behavior, &b.context, &status));
    CHECK_INT(part.agent.id.index, 77);
    CHECK_INT(b.probes[0].agent.id.index, 10);
    ploy_behavior_destroy(b.behavior);
}

// ---- time travel

// What a member of the choir remembers; in the region, like the rest.
typedef struct singer {
    uint64_t sung;
} singer;

static ploy_result singer_step(void *self, ploy_step_context *context, ploy_status *status) {
    singer *s = self;
    uint64_t draw = ploy_rng_u64_at(context->key, context->agent.id.index, context->tick, 0);
    s->sung = ploy_hash_combine(s->sung, draw + (uint64_t)(context->dt * 1000.0f));
    ploy_budget_spend(context->budget, 1 + (int64_t)(draw % 5));
    *status = draw % 11 == 0 ? PLOY_STATUS_SUCCESS : PLOY_STATUS_RUNNING;
    return draw % 97 == 0 ? PLOY_ERR_LIMIT : PLOY_OK;
}

static void singer_visit(ploy_visit *v, void *object) {
    ploy_visit_u64(v, "sung", PLOY_STATE, &((singer *)object)->sung);
}

static const ploy_behavior_type singer_type = {
    .name = "singer", .step = singer_step, .visit = singer_visit};

static void choir_life(test_context *t, void *object, uint64_t seed) {
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t tick = 0; tick < 40; tick++) {
        ploy_budget budget = ploy_budget_units(ploy_rng_int(&rng, 1, 30));
        CHECK_OK(ploy_engine_step(object, 0.1f, &budget, NULL));
    }
}

static uint64_t choir_hash(const void *object) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_engine_describe(object, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(groups_in_an_engine_go_back_in_time_and_come_again_byte_by_byte) {
    enum { CHOIRS = 3, SINGERS = 6 };
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_engine_def def = ploy_engine_def_default();
    ploy_engine *engine = NULL;
    CHECK_OK(ploy_engine_create(&def, &inside, &engine));
    singer *singers = ploy_env_alloc_zero(&inside, CHOIRS * SINGERS * sizeof *singers);
    CHECK(singers != NULL);
    for (uint32_t c = 0; c < CHOIRS; c++) {
        ploy_scheduler_def even = even_def();
        ploy_group *group = NULL;
        CHECK_OK(ploy_group_create(&even, &inside, &group));
        for (uint32_t i = 0; i < SINGERS; i++) {
            ploy_behavior behavior = {&singer_type, &singers[c * SINGERS + i]};
            CHECK_OK(join_as(group, behavior, ploy_agent_id_make(10 * c + i, 1)));
        }
        ploy_engine_entry entry = ploy_engine_entry_default();
        entry.behavior = ploy_group_behavior(group);
        entry.agent = ploy_agent_id_make(100 + c, 1);
        entry.schedule.period = 1 + (int32_t)c;
        CHECK_OK(ploy_engine_register(engine, &entry, NULL));
    }
    test_rewind(t, region, engine, choir_life, choir_hash);
    ploy_engine_destroy(engine);
    ploy_env_free(&inside, singers, CHOIRS * SINGERS * sizeof *singers);
    ploy_region_destroy(region);
}

// ---- four cities

enum { CITIES = 4, BLOCKS = 3, PEOPLE = 5 };

typedef struct city_world {
    int32_t city, block; // where the player is
    int32_t economies[CITIES], blocks[CITIES][BLOCKS], people[CITIES][BLOCKS][PEOPLE];
} city_world;

// Agents are numbered 1 + (city, block + 1, person + 1) in decimal, so that 321 is a person.
typedef struct place {
    int32_t city, block, person; // -1: not that deep
} place;

static place place_of(ploy_agent_id agent) {
    int32_t n = (int32_t)agent.id.index;
    place p = {n / 100, n / 10 % 10 - 1, n % 10 - 1};
    return p;
}

static ploy_result counter_step(void *self, ploy_step_context *context, ploy_status *status) {
    city_world *world = context->game;
    place p = place_of(context->agent);
    (void)self;
    if (p.block < 0) {
        world->economies[p.city]++;
    } else if (p.person < 0) {
        world->blocks[p.city][p.block]++;
    } else {
        world->people[p.city][p.block][p.person]++;
    }
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static const ploy_behavior_type counter_type = {.name = "counter", .step = counter_step};

static float where_importance(void *user, ploy_agent_id agent, const ploy_step_context *context) {
    const city_world *world = context->world;
    place p = place_of(agent);
    (void)user;
    bool here = p.city == world->city && (p.block < 0 || p.block == world->block);
    return here ? 1.0f : 0.0f;
}

typedef struct cities {
    ploy_lod *city, *block;
} cities;

static ploy_agent_id member_agent(ploy_agent_id agent, int32_t i, bool block) {
    return ploy_agent_id_make(agent.id.index + (uint32_t)(i + 1) * (block ? 10u : 1u), 1);
}

// The level "everybody below": blocks of a city, people of a block.
static ploy_result group_make(void *user, ploy_agent_id agent, const ploy_env *env,
                              ploy_behavior *out) {
    const cities *all = user;
    bool block = place_of(agent).block < 0; // its members are blocks
    ploy_scheduler_def def = even_def();
    ploy_group *group = NULL;
    ploy_result result = ploy_group_create(&def, env, &group);
    for (int32_t i = 0; result == PLOY_OK && i < (block ? BLOCKS : PEOPLE); i++) {
        ploy_behavior member = {&counter_type, NULL};
        ploy_agent_id own = member_agent(agent, i, block);
        ploy_lod_selector *selector = NULL;
        if (block) {
            result = ploy_lod_selector_create(all->block, own, env, &selector);
            if (result == PLOY_OK) member = ploy_lod_selector_behavior(selector);
        }
        if (result == PLOY_OK) {
            result = join_as(group, member, own);
            if (result != PLOY_OK) ploy_lod_selector_destroy(selector);
        }
    }
    if (result != PLOY_OK) {
        ploy_group_destroy(group);
        return result;
    }
    *out = ploy_group_behavior(group);
    return PLOY_OK;
}

static ploy_result cities_lod(cities *all, const ploy_env *env, ploy_lod **out) {
    ploy_lod_level levels[2] = {{"as one", 0, 0.5f, &counter_type, 0, NULL, NULL, {0}},
                                {"one by one", 0.5f, 1, NULL, 0, group_make, all, {0}}};
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    def.importance = where_importance;
    return ploy_lod_create(&def, env, out);
}

static ploy_result cities_make(cities *all, const ploy_env *env, ploy_group **out) {
    ploy_scheduler_def def = even_def();
    *out = NULL;
    all->city = NULL;
    all->block = NULL;
    ploy_result result = cities_lod(all, env, &all->block);
    if (result == PLOY_OK) result = cities_lod(all, env, &all->city);
    if (result == PLOY_OK) result = ploy_group_create(&def, env, out);
    for (int32_t c = 0; result == PLOY_OK && c < CITIES; c++) {
        ploy_lod_selector *selector = NULL;
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)c * 100, 1);
        result = ploy_lod_selector_create(all->city, agent, env, &selector);
        if (result != PLOY_OK) break;
        result = join_as(*out, ploy_lod_selector_behavior(selector), agent);
        if (result != PLOY_OK) ploy_lod_selector_destroy(selector);
    }
    return result;
}

static void cities_free(cities *all, ploy_group *group) {
    ploy_group_destroy(group);
    ploy_lod_destroy(all->city);
    ploy_lod_destroy(all->block);
}

// EXE-20: player in block (c, b): individuals run only in (c, b), the block behavior in other
// blocks of c, the economic behavior in other cities.
TEST(detail_follows_the_player_from_city_to_block_to_person) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    cities all;
    ploy_group *group = NULL;
    CHECK_OK(cities_make(&all, &env, &group));
    int64_t calls = counts.calls;
    city_world world;
    ploy_step_context context = lod_context(&world);
    context.game = &world;
    ploy_status status;
    for (int32_t visit = 0; visit < 2 * CITIES * BLOCKS; visit++) {
        TEST_SEED(visit);
        memset(&world, 0, sizeof world);
        world.city = visit * 3 % CITIES;
        world.block = visit * 2 % BLOCKS;
        CHECK_OK(ploy_behavior_step(ploy_group_behavior(group), &context, &status));
        for (int32_t c = 0; c < CITIES; c++) {
            bool city = c == world.city;
            CHECK_INT(world.economies[c], city ? 0 : 1);
            for (int32_t b = 0; b < BLOCKS; b++) {
                bool block = city && b == world.block;
                CHECK_INT(world.blocks[c][b], city && !block ? 1 : 0);
                for (int32_t p = 0; p < PEOPLE; p++) {
                    CHECK_INT(world.people[c][b][p], block ? 1 : 0);
                }
            }
        }
    }
    CHECK_INT(counts.calls, calls); // nothing is allocated on the way
    cities_free(&all, group);
    CHECK_INT(counts.bytes, 0);
}

static ploy_result cities_body(const ploy_env *env, void *arg) {
    cities all;
    ploy_group *group = NULL;
    (void)arg;
    ploy_result result = cities_make(&all, env, &group);
    cities_free(&all, group);
    return result;
}

TEST(groups_of_groups_survive_failing_allocations) {
    CHECK_OK(ploy_fields_check_table(ploy_group_member_fields(), NULL));
    CHECK_FAIL_NTH(cities_body, NULL);
}
