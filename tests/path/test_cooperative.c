// Windowed cooperative A*: nobody ever collides, and crowds arrive.
#include "path/path_internal.h"
#include "ploy/path/cooperative.h"
#include "tests/path/crowd_help.h"
#include "tests/state.h"

static void check_apart(test_context *t, const ploy_cooperative *all, const int32_t *before,
                        const ploy_space *space) {
    for (int32_t a = 0; a < ploy_cooperative_count(all); a++) {
        int32_t now = ploy_cooperative_state(all, a);
        CHECK(now == before[a] || crowd_is_edge(t, space, before[a], now));
        for (int32_t b = 0; b < a; b++) {
            int32_t other = ploy_cooperative_state(all, b);
            CHECK(now != other);
            CHECK(now != before[b] || other != before[a]);
        }
    }
}

// Steps until all are there; how many ticks it took, or the limit.
static int32_t run_crowd(test_context *t, ploy_cooperative *all, const ploy_space *space,
                         int32_t limit) {
    int32_t before[256];
    for (int32_t tick = 0; tick < limit; tick++) {
        if (ployi_cooperative_is_done(all)) return tick;
        for (int32_t i = 0; i < ploy_cooperative_count(all); i++) {
            before[i] = ploy_cooperative_state(all, i);
        }
        CHECK_OK(ploy_cooperative_step(all));
        check_apart(t, all, before, space);
    }
    return limit;
}

static ploy_cooperative *crowd_of(test_context *t, const ploy_space *space,
                                  const ploy_conflicts_agent *agents, int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_cooperative_def def = ploy_cooperative_def_default();
    def.capacity = count;
    ploy_cooperative *all = NULL;
    CHECK_OK(ploy_cooperative_create(&def, space, &env, &all));
    for (int32_t i = 0; i < count; i++) {
        CHECK_OK(ploy_cooperative_add(all, agents[i].start, agents[i].goal, NULL));
    }
    return all;
}

TEST(nobody_collides_whatever_the_crowd) {
    CHECK_OK(ploy_fields_check_table(ploy_cooperative_fields(), NULL));
    int32_t arrived = 0;
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        crowd_map map = crowd_map_make(t, 12, 10, 0.15f, (uint64_t)seed);
        ploy_conflicts_agent agents[24];
        int32_t count = crowd_agents(&map, (uint64_t)seed, agents, 24);
        ploy_cooperative *all = crowd_of(t, &map.space, agents, count);
        arrived += run_crowd(t, all, &map.space, 60) < 60;
        ploy_cooperative_destroy(all);
        crowd_map_free(&map);
    }
    CHECK(arrived > 0);
}

TEST(two_who_meet_in_the_open_pass_each_other) {
    crowd_map map = crowd_map_make(t, 9, 3, 0.0f, 0);
    ploy_conflicts_agent agents[2] = {{9, 17}, {17, 9}}; // along the middle row
    ploy_cooperative *all = crowd_of(t, &map.space, agents, 2);
    CHECK_INT(ployi_cooperative_distance(all, 0), 8);
    CHECK(run_crowd(t, all, &map.space, 40) <= 10);
    CHECK_INT(ploy_cooperative_stats_of(all).held, 0);
    CHECK_OK(ploy_cooperative_set_goal(all, 0, 0));
    CHECK(run_crowd(t, all, &map.space, 40) <= 12);
    ploy_cooperative_destroy(all);
    crowd_map_free(&map);
}

TEST(public_crowds_arrive) {
    crowd_map map;
    if (test_data_dir() == NULL || !crowd_map_load(t, "empty-16-16.map", &map)) {
        test_skip(t, "no outside data");
        return;
    }
    ploy_conflicts_agent agents[40];
    CHECK_INT(crowd_scenario(t, &map, "empty-16-16-random-1.scen", agents, 40), 40);
    ploy_cooperative *all = crowd_of(t, &map.space, agents, 40);
    CHECK(run_crowd(t, all, &map.space, 200) < 200);
    ploy_cooperative_destroy(all);
    crowd_map_free(&map);
}

static ploy_result walk_two(const ploy_env *env, void *arg) {
    const crowd_map *map = arg;
    ploy_cooperative_def def = ploy_cooperative_def_default();
    ploy_cooperative *all = NULL;
    def.window = 4;
    def.renew = 2;
    ploy_result result = ploy_cooperative_create(&def, &map->space, env, &all);
    if (result == PLOY_OK) result = ploy_cooperative_add(all, 0, 8, NULL);
    if (result == PLOY_OK) result = ploy_cooperative_add(all, 8, 0, NULL);
    for (int32_t i = 0; i < 4 && result == PLOY_OK; i++) result = ploy_cooperative_step(all);
    ploy_cooperative_destroy(all);
    return result;
}

TEST(bad_agents_are_refused_and_failing_allocations_survived) {
    crowd_map map = crowd_map_make(t, 3, 3, 0.0f, 0);
    ploy_conflicts_agent agent = {0, 8};
    ploy_cooperative *all = crowd_of(t, &map.space, &agent, 1);
    CHECK_INT(ploy_cooperative_add(all, 0, 99, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cooperative_add(all, 1, 2, NULL), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_cooperative_set_goal(all, 1, 0), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_cooperative_state(all, 5), PLOY_STATE_NONE);
    ploy_cooperative_destroy(all);
    CHECK_FAIL_NTH(walk_two, &map);
    crowd_map_free(&map);
}

// A space that gets an edge to a state that it did not have before.
typedef struct grown_space {
    ploy_space space;
    bool grown;
} grown_space;

static ploy_result grown_expand(void *user, int32_t state, ploy_edges *out) {
    const grown_space *self = user;
    ploy_result result = self->space.expand(self->space.user, state, out);
    if (result == PLOY_OK && self->grown) {
        result = ploy_edges_add(out, self->space.count + 1000, 1.0, 0);
    }
    return result;
}

static ploy_result grown_expand_back(void *user, int32_t state, ploy_edges *out) {
    const grown_space *self = user;
    return self->space.expand_back(self->space.user, state, out);
}

TEST(a_space_that_has_grown_is_an_error) {
    crowd_map map = crowd_map_make(t, 3, 3, 0.0f, 0);
    grown_space grown = {map.space, false};
    ploy_space space = map.space;
    space.expand = grown_expand;
    space.expand_back = grown_expand_back;
    space.estimate = NULL; // it takes the user of the map
    space.user = &grown;
    ploy_conflicts_agent agent = {0, 8};
    ploy_cooperative *all = crowd_of(t, &space, &agent, 1);
    CHECK_OK(ploy_cooperative_step(all));
    grown.grown = true;
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 32 && result == PLOY_OK; i++) result = ploy_cooperative_step(all);
    CHECK_INT(result, PLOY_ERR_STATE);
    ploy_cooperative_destroy(all);
    crowd_map_free(&map);
}

static ploy_cooperative *empty_crowd(test_context *t, const ploy_space *space,
                                     const ploy_env *env) {
    ploy_cooperative_def def = ploy_cooperative_def_default();
    ploy_cooperative *all = NULL;
    def.capacity = 12;
    def.window = 6;
    def.renew = 3;
    CHECK_OK(ploy_cooperative_create(&def, space, env, &all));
    return all;
}

TEST(a_crowd_is_saved_between_any_two_ticks) {
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
        crowd_map map = crowd_map_make(t, 8, 6, 0.15f, (uint64_t)seed);
        ploy_conflicts_agent agents[12];
        int32_t count = crowd_agents(&map, (uint64_t)seed, agents, 12);
        ploy_cooperative *one = empty_crowd(t, &map.space, &env);
        ploy_cooperative *two = empty_crowd(t, &map.space, &plain);
        for (int32_t i = 0; i < count; i++) {
            CHECK_OK(ploy_cooperative_add(one, agents[i].start, agents[i].goal, NULL));
        }
        // The other group is empty, or has agents that the saved one does not have.
        if (seed % 2 == 1)
            CHECK_OK(ploy_cooperative_add(two, agents[0].goal, agents[0].goal, NULL));
        for (int64_t i = 0; i < seed; i++) CHECK_OK(ploy_cooperative_step(one));
        static const char *const skip[] = {"state", "at", "owned", "count", NULL};
        state_check s = {ploy_cooperative_visit, one, NULL, skip, NULL};
        state_check_cover(t, &s);
        state_check_memory(t, &s, &counts);
        if (seed == 5) {
            CHECK(state_check_flips(t, &s) > 10);
            state_check_files(t, &s);
        }
        state_check_copy(t, &s, two);
        for (int32_t i = 0; i < 20; i++) {
            CHECK_OK(ploy_cooperative_step(one));
            CHECK_OK(ploy_cooperative_step(two));
            CHECK_UINT(ploy_visit_hash(ploy_cooperative_visit, two, NULL), state_hash(&s));
        }
        ploy_cooperative_destroy(one);
        ploy_cooperative_destroy(two);
        CHECK_INT(counts.bytes, 0);
        crowd_map_free(&map);
    }
}

typedef struct crowd_load {
    const ploy_space *space;
    const char *text;
} crowd_load;

static ploy_result load_crowd(const ploy_env *env, void *arg) {
    const crowd_load *load = arg;
    ploy_cooperative_def def = ploy_cooperative_def_default();
    ploy_cooperative *all = NULL;
    def.capacity = 12;
    def.window = 6;
    def.renew = 3;
    ploy_result result = ploy_cooperative_create(&def, load->space, env, &all);
    if (result == PLOY_OK) {
        state_check s = {ploy_cooperative_visit, all, NULL, NULL, NULL};
        result = state_load(&s, load->text, env, NULL);
    }
    ploy_cooperative_destroy(all);
    return result;
}

TEST(loading_a_crowd_survives_each_failing_allocation) {
    ploy_env env = ploy_env_default();
    crowd_map map = crowd_map_make(t, 6, 4, 0.0f, 3);
    ploy_cooperative *all = empty_crowd(t, &map.space, &env);
    CHECK_OK(ploy_cooperative_add(all, 0, 23, NULL));
    CHECK_OK(ploy_cooperative_add(all, 23, 0, NULL));
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_cooperative_step(all));
    state_check s = {ploy_cooperative_visit, all, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    crowd_load load = {&map.space, text};
    CHECK_FAIL_NTH(load_crowd, &load);
    free(text);
    ploy_cooperative_destroy(all);
    crowd_map_free(&map);
}
