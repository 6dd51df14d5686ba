#include "ploy/exec/lod_group.h"

#include "ploy/exec/lod.h"
#include "tests/exec/lod_probe.h"
#include "tests/test.h"

typedef struct band {
    lod_log log;
    lod_probe probes[3];
    ploy_lod_group *group;
    ploy_behavior behavior;
    ploy_step_context context;
} band;

static void band_start(test_context *t, band *b) {
    memset(b, 0, sizeof *b);
    ploy_env env = ploy_env_default();
    ploy_lod_group_def def = ploy_lod_group_def_default();
    CHECK_OK(ploy_lod_group_create(&def, &env, &b->group));
    b->behavior = ploy_lod_group_behavior(b->group);
    b->context = lod_context(NULL);
    for (int32_t i = 0; i < 3; i++) {
        b->probes[i].log = &b->log;
        b->probes[i].name = (char)('a' + i);
        CHECK_OK(ploy_lod_group_add(b->group, lod_probe_behavior(&b->probes[i]),
                                    ploy_agent_id_make((uint32_t)i + 10, 1), NULL));
    }
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
    band_step(t, &b, -1, "EaSaEbSbEcScCaCbCc");
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
    ploy_lod_member member;
    CHECK_OK(ploy_lod_group_get(b.group, 0, &member));
    CHECK_INT(member.result, PLOY_ERR_LIMIT);
    CHECK(!member.running);
    CHECK_INT(ploy_lod_group_get(b.group, 3, &member), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_lod_group_count(b.group), 3);
    ploy_behavior_exit(b.behavior, &b.context, PLOY_EXIT_INTERRUPTED);
    CHECK_INT(b.log.alive, 0);
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
    CHECK_INT(ploy_lod_group_add(b.group, nothing, ploy_agent_id_none(), NULL), PLOY_ERR_ARGUMENT);
    ploy_behavior_destroy(b.behavior);
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
    ploy_lod_group_def def = ploy_lod_group_def_default();
    ploy_lod_group *group = NULL;
    ploy_result result = ploy_lod_group_create(&def, env, &group);
    for (int32_t i = 0; result == PLOY_OK && i < (block ? BLOCKS : PEOPLE); i++) {
        ploy_behavior member = {&counter_type, NULL};
        ploy_agent_id own = member_agent(agent, i, block);
        ploy_lod_selector *selector = NULL;
        if (block) {
            result = ploy_lod_selector_create(all->block, own, env, &selector);
            if (result == PLOY_OK) member = ploy_lod_selector_behavior(selector);
        }
        if (result == PLOY_OK) {
            result = ploy_lod_group_add(group, member, own, NULL);
            if (result != PLOY_OK) ploy_lod_selector_destroy(selector);
        }
    }
    if (result != PLOY_OK) {
        ploy_lod_group_destroy(group);
        return result;
    }
    *out = ploy_lod_group_behavior(group);
    return PLOY_OK;
}

static ploy_result cities_lod(cities *all, const ploy_env *env, ploy_lod **out) {
    ploy_lod_level levels[2] = {{"as one", 0, 0.5f, &counter_type, 0, NULL, NULL},
                                {"one by one", 0.5f, 1, NULL, 0, group_make, all}};
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = levels;
    def.level_count = 2;
    def.importance = where_importance;
    return ploy_lod_create(&def, env, out);
}

static ploy_result cities_make(cities *all, const ploy_env *env, ploy_lod_group **out) {
    ploy_lod_group_def def = ploy_lod_group_def_default();
    *out = NULL;
    all->city = NULL;
    all->block = NULL;
    ploy_result result = cities_lod(all, env, &all->block);
    if (result == PLOY_OK) result = cities_lod(all, env, &all->city);
    if (result == PLOY_OK) result = ploy_lod_group_create(&def, env, out);
    for (int32_t c = 0; result == PLOY_OK && c < CITIES; c++) {
        ploy_lod_selector *selector = NULL;
        ploy_agent_id agent = ploy_agent_id_make((uint32_t)c * 100, 1);
        result = ploy_lod_selector_create(all->city, agent, env, &selector);
        if (result != PLOY_OK) break;
        result = ploy_lod_group_add(*out, ploy_lod_selector_behavior(selector), agent, NULL);
        if (result != PLOY_OK) ploy_lod_selector_destroy(selector);
    }
    return result;
}

static void cities_free(cities *all, ploy_lod_group *group) {
    ploy_lod_group_destroy(group);
    ploy_lod_destroy(all->city);
    ploy_lod_destroy(all->block);
}

// EXE-20: player in block (c, b): individuals run only in (c, b), the block behavior in other
// blocks of c, the economic behavior in other cities.
TEST(detail_follows_the_player_from_city_to_block_to_person) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    cities all;
    ploy_lod_group *group = NULL;
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
        CHECK_OK(ploy_behavior_step(ploy_lod_group_behavior(group), &context, &status));
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
    ploy_lod_group *group = NULL;
    (void)arg;
    ploy_result result = cities_make(&all, env, &group);
    cities_free(&all, group);
    return result;
}

TEST(groups_of_groups_survive_failing_allocations) {
    CHECK_OK(ploy_fields_check_table(ploy_lod_group_fields(), NULL));
    CHECK_FAIL_NTH(cities_body, NULL);
}
