#include "exec/exec_internal.h"
#include "ploy/exec/population.h"

#include "ploy/exec/distribution.h"
#include "tests/rewind.h"
#include "tests/state.h"

enum { REGIONS = 3, TIMES = 4 };

// Market, harbour, park; night, morning, noon, evening of a day of 400 s.
static const float city_flow[REGIONS * TIMES] = {0, 10, 20, 6, 2, 8, 4, 12, 0, 0, 30, 5};

static ploy_population *city_of(test_context *t, int32_t capacity, const ploy_env *env) {
    ploy_population_def def = ploy_population_def_default();
    ploy_population *population = NULL;
    def.capacity = capacity;
    def.regions = REGIONS;
    def.times = TIMES;
    def.day_length = 400;
    def.records = 2;
    def.record_size = sizeof(int32_t);
    def.flow = city_flow;
    CHECK_OK(ploy_population_create(&def, env, &population));
    return population;
}

static int32_t people_in(const ploy_population *population, int32_t region) {
    int32_t count = 0;
    ploy_inhabitant who;
    for (int32_t i = 0; ploy_population_at(population, i, &who) == PLOY_OK; i++) {
        count += who.who.region == region;
    }
    return count;
}

static void look(test_context *t, ploy_population *population, double now, bool market,
                 bool harbour, bool park, float scale) {
    const uint8_t visible[REGIONS] = {market, harbour, park};
    CHECK_OK(ploy_population_step(population, now, visible, scale));
}

// ENG-06: flow table [region][time], a test of visibility, a largest number of instances.
TEST(people_are_where_somebody_looks_as_many_as_the_table_says) {
    ploy_env env = ploy_env_default();
    ploy_population *city = city_of(t, 100, &env);
    CHECK_NEAR(ployi_population_flow(city, 0, 100), 10, 1e-6);
    CHECK_NEAR(ployi_population_flow(city, 0, 150), 15, 1e-6);
    CHECK_NEAR(ployi_population_flow(city, 0, 350), 3, 1e-6); // evening leads to night
    CHECK_NEAR(ployi_population_flow(city, 0, 400 * 1000 + 100), 10, 1e-3);
    CHECK_NEAR(ployi_population_flow(city, 0, -300), 10, 1e-6);
    CHECK_NEAR(ployi_population_flow(city, 3, 100), 0, 0);
    look(t, city, 200, true, false, false, 1);
    CHECK_INT(people_in(city, 0), 20);
    CHECK_INT(ploy_population_count(city), 20);
    CHECK_INT(ploy_population_born_count(city), 20);
    CHECK(!ployi_population_born(city, 0)->arriving); // nobody saw them come
    look(t, city, 200, false, true, true, 1);
    CHECK_INT(people_in(city, 0), 0);
    CHECK_INT(people_in(city, 1), 4);
    CHECK_INT(people_in(city, 2), 30);
    CHECK_INT(ploy_population_gone_count(city), 20);
    look(t, city, 200, false, false, false, 1);
    CHECK_INT(ploy_population_count(city), 0);
    ploy_population_destroy(city);
}

TEST(nobody_appears_or_vanishes_in_plain_sight) {
    ploy_env env = ploy_env_default();
    ploy_population *city = city_of(t, 100, &env);
    look(t, city, 100, true, false, false, 1); // 10
    look(t, city, 200, true, false, false, 1); // 20
    CHECK_INT(ploy_population_born_count(city), 10);
    for (int32_t i = 0; i < 10; i++) CHECK(ployi_population_born(city, i)->arriving);
    look(t, city, 300, true, false, false, 1); // 6: the others are asked to leave
    CHECK_INT(ploy_population_count(city), 20);
    CHECK_INT(ploy_population_gone_count(city), 0);
    ploy_inhabitant who, leaver = {{0, 0}, {0, 0}, 0, false, false, false};
    int32_t leaving = 0;
    for (int32_t i = 0; i < 20; i++) {
        CHECK_OK(ploy_population_at(city, i, &who));
        CHECK_INT(who.leaving, who.who.number >= 6);
        leaving += who.leaving;
        if (who.who.number == 12) leaver = who;
        if (!who.leaving) CHECK_INT(ploy_population_remove(city, who.id), PLOY_ERR_STATE);
    }
    CHECK_INT(leaving, 14);
    CHECK_OK(ploy_population_remove(city, leaver.id));
    CHECK_INT(ploy_population_remove(city, leaver.id), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_population_get(city, leaver.id, &who), PLOY_ERR_NOT_FOUND);
    look(t, city, 200, true, false, false, 1); // wanted again before they had gone
    CHECK_INT(ploy_population_count(city), 20);
    CHECK_INT(ploy_population_born_count(city), 1); // number 12
    CHECK_INT(ployi_population_born(city, 0)->who.number, 12);
    CHECK(ployi_population_born(city, 1) == NULL);
    ploy_population_destroy(city);
}

// EXE-22: whoever is drawn again is the same, because all follows from district and number.
TEST(whoever_returns_is_the_same_person) {
    ploy_env env = ploy_env_default();
    ploy_population *city = city_of(t, 100, &env);
    ploy_distribution age = ploy_distribution_normal(40, 10);
    float ages[2][4] = {{0}};
    for (int32_t visit = 0; visit < 2; visit++) {
        look(t, city, 200, false, true, false, 1);
        CHECK_INT(ploy_population_count(city), 4);
        for (int32_t i = 0; i < 4; i++) {
            const ploy_inhabitant *born = ployi_population_born(city, i);
            ages[visit][born->who.number] = ploy_distribution_sample(
                &age, ploy_population_key(city, born->who), (uint32_t)born->who.number, 0);
        }
        look(t, city, 250, true, false, true, 1);
    }
    CHECK_BYTES(ages[0], ages[1], sizeof ages[0]);
    ploy_person market = {0, 1}, harbour = {1, 1};
    CHECK(ploy_population_key(city, market).bits != ploy_population_key(city, harbour).bits);
    ploy_population_destroy(city);
}

TEST(stored_stories_come_back_and_the_oldest_goes_first) {
    ploy_env env = ploy_env_default();
    ploy_population *city = city_of(t, 100, &env); // room for two
    ploy_person a = {0, 5}, b = {2, 1}, c = {1, 9}, nowhere = {3, 0};
    int32_t story = 1, got = 0;
    CHECK_INT(ploy_population_recall(city, a, &got), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_population_store(city, a, &story));
    story = 2;
    CHECK_OK(ploy_population_store(city, b, &story));
    story = 3;
    CHECK_OK(ploy_population_store(city, a, &story)); // b is the oldest now
    story = 4;
    CHECK_OK(ploy_population_store(city, c, &story));
    CHECK_INT(ploy_population_recall(city, b, &got), PLOY_ERR_NOT_FOUND);
    CHECK_OK(ploy_population_recall(city, a, &got));
    CHECK_INT(got, 3);
    CHECK_OK(ploy_population_recall(city, c, &got));
    CHECK_INT(got, 4);
    CHECK_INT(ploy_population_store(city, nowhere, &story), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_population_store(city, a, NULL), PLOY_ERR_ARGUMENT);
    ploy_population_destroy(city);
}

// ENG-06: ambient people scale with the machine, those of the game do not.
TEST(only_ambient_people_are_scaled_and_the_named_have_room) {
    ploy_env env = ploy_env_default();
    ploy_population *city = city_of(t, 12, &env);
    ploy_person guard;
    CHECK_OK(ployi_population_add_named(city, 0, 77, &guard));
    CHECK_INT(guard.number, -1);
    CHECK_INT(ployi_population_add_named(city, 9, 1, NULL), PLOY_ERR_ARGUMENT);
    look(t, city, 200, true, false, false, 0.25f);
    CHECK_INT(ploy_population_count(city), 6); // 5 of 20, and the guard
    look(t, city, 200, true, false, false, 0);
    look(t, city, 200, false, false, false, 0);
    look(t, city, 200, true, false, false, 0);
    CHECK_INT(ploy_population_count(city), 1);
    CHECK(ployi_population_born(city, 0)->named);
    CHECK_UINT(ployi_population_born(city, 0)->token, 77);
    look(t, city, 200, true, true, true, 1); // 20 + 4 + 30 want 11 places
    CHECK_INT(ploy_population_count(city), 12);
    CHECK(people_in(city, 2) > people_in(city, 1));
    CHECK(people_in(city, 1) >= 1);
    // One more of the story where it is full: somebody of the crowd makes room.
    CHECK_OK(ployi_population_add_named(city, 1, 78, NULL));
    look(t, city, 200, true, true, true, 1);
    CHECK_INT(ploy_population_count(city), 12);
    CHECK_INT(ploy_population_gone_count(city), 1);
    CHECK_OK(ployi_population_move_named(city, 78, 2));
    CHECK_INT(ployi_population_move_named(city, 79, 2), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ployi_population_move_named(city, 78, -1), PLOY_ERR_ARGUMENT);
    look(t, city, 200, false, false, true, 1);
    CHECK_INT(ploy_population_count(city), 12); // 78 and 11 in the park
    ploy_population_destroy(city);
}

TEST(the_scale_follows_what_thinking_cost) {
    ploy_ambient_def def = ploy_ambient_def_default();
    float scale = 1;
    for (int32_t i = 0; i < 10; i++) scale = ploy_ambient_scale(&def, scale, 1600, 1000, 0.1f);
    CHECK_NEAR(scale, 0, 1e-4); // twice the target: the largest fall, 1/s
    for (int32_t i = 0; i < 10; i++) scale = ploy_ambient_scale(&def, scale, 0, 1000, 1);
    CHECK_NEAR(scale, 1, 1e-4);
    CHECK_NEAR(ploy_ambient_scale(&def, 0.5f, 800, 1000, 1), 0.5, 1e-6); // as it should be
    CHECK_NEAR(ploy_ambient_scale(&def, 0.5f, 800, 0, 1), 0.5, 0);
    CHECK_NEAR(ploy_ambient_scale(&def, NAN, 800, 1000, 1), 0, 0);
    // In a loop in which each one costs the same it settles at the target.
    scale = 1;
    for (int32_t i = 0; i < 2000; i++) {
        scale = ploy_ambient_scale(&def, scale, (int64_t)(scale * 4000), 1000, 0.1f);
    }
    CHECK_NEAR(scale, 0.2, 0.01);
    CHECK_OK(ploy_fields_check_table(ploy_ambient_fields(), NULL));
}

static uint64_t city_hash(const void *city) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_population_describe(city, &out);
    return ploy_hash_sink_result(&sink);
}

// The same against a slow, obvious version: who should be there is the prefix of each district.
TEST(random_walks_keep_districts_full_and_within_capacity_and_rewind) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_population *a = city_of(t, 25, &env), *b = city_of(t, 25, &env);
        CHECK_OK(ployi_population_add_named(a, 0, 1, NULL));
        CHECK_OK(ployi_population_add_named(b, 0, 1, NULL));
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int64_t calls = counts.calls;
        for (int32_t tick = 0; tick < 60; tick++) {
            uint8_t visible[REGIONS];
            double now = (double)ploy_rng_range(&rng, 0, 4000);
            for (int32_t r = 0; r < REGIONS; r++) visible[r] = ploy_rng_chance(&rng, 0.6f);
            CHECK_OK(ploy_population_step(a, now, visible, 1));
            CHECK_OK(ploy_population_step(b, now, visible, 1));
            CHECK_UINT(city_hash(a), city_hash(b));
            CHECK(ploy_population_count(a) <= 25);
            int32_t wanted = 0, staying[REGIONS] = {0};
            bool taken[REGIONS][64] = {{false}};
            ploy_inhabitant who;
            for (int32_t r = 0; r < REGIONS; r++) {
                if (visible[r]) wanted += (int32_t)(ployi_population_flow(a, r, now) + 0.5f);
            }
            for (int32_t i = 0; ploy_population_at(a, i, &who) == PLOY_OK; i++) {
                CHECK(visible[who.who.region]);
                if (who.named) continue;
                CHECK(!taken[who.who.region][who.who.number]); // nobody twice
                taken[who.who.region][who.who.number] = true;
                staying[who.who.region] += !who.leaving;
            }
            int32_t stay = 0;
            for (int32_t r = 0; r < REGIONS; r++) {
                for (int32_t i = 0; i < staying[r]; i++) CHECK(taken[r][i]); // a prefix
                stay += staying[r];
            }
            CHECK(stay <= wanted);
            // Those asked to leave go now, or next time there is no room.
            for (int32_t i = 0; ploy_population_at(a, i, &who) == PLOY_OK; i++) {
                if (!who.leaving) continue;
                CHECK_OK(ploy_population_remove(a, who.id));
                CHECK_OK(ploy_population_remove(b, who.id));
                i--;
            }
            CHECK_OK(ploy_population_step(a, now, visible, 1));
            CHECK_OK(ploy_population_step(b, now, visible, 1));
            int32_t room = 25 - visible[0];
            CHECK_INT(ploy_population_count(a), (wanted < room ? wanted : room) + visible[0]);
        }
        CHECK_INT(counts.calls, calls);
        ploy_population_destroy(a);
        ploy_population_destroy(b);
    }
    CHECK_INT(counts.bytes, 0);
}

static void city_days(test_context *t, void *object, uint64_t seed) {
    ploy_population *city = object;
    ploy_rng rng = ploy_rng_make(seed);
    for (int32_t tick = 0; tick < 100; tick++) {
        ploy_person who = {ploy_rng_int(&rng, 0, REGIONS - 1), ploy_rng_int(&rng, 0, 20)};
        look(t, city, tick * 9.0, ploy_rng_chance(&rng, 0.5f), ploy_rng_chance(&rng, 0.5f),
             ploy_rng_chance(&rng, 0.5f), 0.7f);
        CHECK_OK(ploy_population_store(city, who, &tick));
    }
}

TEST(a_population_in_a_region_rewinds_to_the_same_bytes) {
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_population *city = city_of(t, 30, &inside);
    test_rewind(t, region, city, city_days, city_hash);
    ploy_population_destroy(city);
    ploy_region_destroy(region);
}

static ploy_result city_body(const ploy_env *env, void *arg) {
    ploy_population_def def = ploy_population_def_default();
    ploy_population *population = NULL;
    def.flow = arg;
    ploy_result result = ploy_population_create(&def, env, &population);
    ploy_population_destroy(population);
    return result;
}

TEST(population_create_refuses_bad_tables_and_survives_failing_allocations) {
    ploy_env env = ploy_env_default();
    ploy_population_def def = ploy_population_def_default();
    ploy_population *population = NULL;
    float flow = 1;
    CHECK_INT(ploy_population_create(&def, &env, &population), PLOY_ERR_ARGUMENT); // no table
    def.flow = &flow;
    static const float bad[] = {-1, NAN, INFINITY, 2e6f};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        flow = bad[i];
        CHECK_INT(ploy_population_create(&def, &env, &population), PLOY_ERR_ARGUMENT);
    }
    flow = 1;
    def.capacity = 0;
    CHECK_INT(ploy_population_create(&def, &env, &population), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_fields_check_table(ploy_population_fields(), NULL));
    CHECK_FAIL_NTH(city_body, &flow);
    def = ploy_population_def_default();
    def.flow = &flow;
    CHECK_OK(ploy_population_create(&def, &env, &population));
    uint8_t visible = 1;
    CHECK_INT(ploy_population_step(population, NAN, &visible, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_population_step(population, 0, NULL, 1), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_population_step(population, 0, &visible, 1.5f), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_population_count(population), 0);
    ploy_population_destroy(population);
}

TEST(a_population_saves_and_loads) {
    static const char *const skip[] = {"generation", "index",    "token",   "is named", "next",
                                       "first_free", "order",    "head",    "seen",     "stores",
                                       "bytes",      "arriving", "leaving", "region",   "number",
                                       "place",      NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_population *a = city_of(t, 24, &env);
    CHECK_OK(ployi_population_add_named(a, 1, 77, NULL));
    CHECK_OK(ployi_population_add_named(a, 2, 78, NULL));
    look(t, a, 100, true, true, false, 1.0f);
    look(t, a, 200, true, false, true, 0.5f);
    look(t, a, 300, false, true, true, 0.7f);
    for (int32_t i = 0; i < 3; i++) {
        CHECK_OK(ploy_population_store(a, (ploy_person){2, 3 - i}, &i));
    }
    CHECK(ploy_population_count(a) > 3);
    state_check s = {ploy_population_visit, a, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_population *b = city_of(t, 24, &env);
    look(t, b, 10, true, true, true, 1.0f);
    state_check_copy(t, &s, b);
    for (int32_t i = 0; i < 20; i++) {
        bool market = i % 2 == 0, park = i % 3 != 0;
        look(t, a, 300 + 37.0 * i, market, true, park, 0.8f);
        look(t, b, 300 + 37.0 * i, market, true, park, 0.8f);
        CHECK_UINT(ploy_visit_hash(ploy_population_visit, b, NULL), state_hash(&s));
    }
    ploy_population_destroy(a);
    ploy_population_destroy(b);
}
