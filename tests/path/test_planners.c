// The path service over any representation.
#include "ploy/path/planners.h"
#include "ploy/search/search.h"
#include "tests/path/planners_help.h"

static ploy_planners *serve(test_context *t, const ploy_planners_def *def,
                            const ploy_representation *representation) {
    ploy_env env = ploy_env_default();
    ploy_planners *planners = NULL;
    CHECK_OK(level_planners(def, representation, &env, &planners));
    return planners;
}

// A chain of states, each as far as the next: what it takes to the end is known.
static ploy_result chain_expand(void *user, int32_t state, ploy_edges *out) {
    int32_t count = *(const int32_t *)user;
    return state + 1 < count ? ploy_edges_add(out, state + 1, 1.0, 0) : PLOY_OK;
}

static int32_t chain_quantise(const void *user, ploy_vec3 at,
                              const ploy_representation_body *body) {
    (void)user;
    (void)body;
    return (int32_t)at.x;
}

static ploy_vec3 chain_localise(const void *user, int32_t state) {
    (void)user;
    return ploy_vec3_make((float)state, 0, 0);
}

static ploy_representation chain_division(int32_t *count) {
    ploy_representation representation = {{*count, chain_expand, NULL, NULL, count},
                                          chain_quantise,
                                          chain_localise,
                                          NULL,
                                          NULL,
                                          NULL,
                                          NULL,
                                          count};
    return representation;
}

TEST(searches_take_turns_and_nobody_starves) { // PLN-25
    int32_t length = 64;
    ploy_representation representation = chain_division(&length);
    static const struct {
        const char *row;
        int64_t budget;
        int32_t a, b; // edges: states less one
        int32_t a_done, b_done;
    } rows[] = {
        {"budget 4, A takes 3 states, B 5", 4, 2, 4, 2, 2},
        {"budget 1, A takes 3, B 1 and one more: the cursor is kept", 1, 2, 1, 5, 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_planners_def def = ploy_planners_def_default();
        def.searches = 2;
        def.slice = 1;
        ploy_planners *planners = serve(t, &def, &representation);
        ploy_path_service service = ploy_planners_service(planners);
        ploy_path_request a =
            level_ask(ploy_vec3_make(0, 0, 0), ploy_vec3_make((float)rows[i].a, 0, 0));
        ploy_path_request b =
            level_ask(ploy_vec3_make(10, 0, 0), ploy_vec3_make(10 + (float)rows[i].b, 0, 0));
        ploy_path_ticket ta, tb;
        CHECK_OK(ploy_path_service_request(&service, &a, &ta));
        CHECK_OK(ploy_path_service_request(&service, &b, &tb));
        int32_t a_done = 0, b_done = 0;
        for (int32_t update = 1; update <= 8; update++) {
            ploy_budget budget = ploy_budget_units(rows[i].budget);
            CHECK(ploy_path_service_step(&service, &budget) >= 0);
            CHECK(budget.spent <= rows[i].budget);
            ploy_planners_status status;
            CHECK(ploy_planners_get(planners, ta, &status));
            if (a_done == 0 && status.stage == PLOY_PLANNERS_DONE) a_done = update;
            CHECK(ploy_planners_get(planners, tb, &status));
            if (b_done == 0 && status.stage == PLOY_PLANNERS_DONE) b_done = update;
        }
        CHECK_INT(a_done, rows[i].a_done);
        CHECK_INT(b_done, rows[i].b_done);
        ploy_planners_destroy(planners);
    }
}

static double true_cost(test_context *t, ploy_search *search, const ploy_space *space, int32_t from,
                        int32_t to) {
    ploy_search_start start = {from, 0.0};
    ploy_search_query query = ploy_search_query_make(space, &start, to);
    double cost = -1.0;
    CHECK_OK(ploy_search_run(search, &query));
    if (ploy_search_outcome_of(search) == PLOY_SEARCH_FOUND) {
        (void)ploy_search_path(search, to, NULL, 0, &cost);
    }
    return cost;
}

TEST(a_thousand_requests_keep_the_budget_exactly_and_cost_the_least) {
    tile_level level;
    tile_level_make(t, 48, 0.25f, 9, &level);
    ploy_env env = ploy_env_default();
    ploy_search_def search_def = ploy_search_def_default();
    ploy_search *search = NULL;
    CHECK_OK(ploy_search_create(&search_def, &env, &search));
    ploy_planners_def def = ploy_planners_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_planners_fields(), NULL));
    def.capacity = 1000;
    def.searches = 8;
    def.smooth = PLOY_SMOOTH_NONE;
    def.straight = false;
    ploy_planners *planners = serve(t, &def, &level.representation);
    ploy_path_service service = ploy_planners_service(planners);
    static ploy_path_ticket tickets[1000];
    static int32_t from[1000], to[1000];
    ploy_rng rng = ploy_rng_make(4);
    for (int32_t i = 0; i < 1000; i++) {
        do {
            from[i] = ploy_rng_int(&rng, 0, 48 * 48 - 1);
            to[i] = ploy_rng_int(&rng, 0, 48 * 48 - 1);
        } while (!ploy_tiles_passable(level.tiles, from[i]) ||
                 !ploy_tiles_passable(level.tiles, to[i]));
        ploy_path_request request = level_ask_cells(&level, from[i], to[i]);
        CHECK_OK(ploy_path_service_request(&service, &request, &tickets[i]));
    }
    ploy_path_request more = level_ask_cells(&level, 0, 1);
    ploy_path_ticket none;
    CHECK_INT(ploy_path_service_request(&service, &more, &none), PLOY_ERR_CAPACITY);
    ploy_result result = PLOY_IN_PROGRESS;
    int32_t steps = 0;
    for (; result == PLOY_IN_PROGRESS; steps++) {
        ploy_budget budget = ploy_budget_units(1777);
        result = ploy_path_service_step(&service, &budget);
        if (result == PLOY_IN_PROGRESS) CHECK_INT(budget.spent, 1777); // exactly
        CHECK(budget.spent <= 1777);
    }
    CHECK_OK(result);
    CHECK(steps > 20);
    ploy_path *path = level_path(t);
    for (int32_t i = 0; i < 1000; i++) {
        TEST_SEED(i);
        ploy_path_outcome outcome;
        CHECK_OK(ploy_path_service_poll(&service, tickets[i], path, &outcome));
        double cost = true_cost(t, search, &level.representation.space, from[i], to[i]);
        if (cost < 0.0) {
            CHECK(outcome == PLOY_PATH_PARTIAL);
        } else {
            CHECK(outcome == PLOY_PATH_FOUND);
            CHECK_NEAR(ploy_path_cost(path), cost, 1e-3);
        }
    }
    ploy_path_destroy(path);
    ploy_search_destroy(search);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

TEST(over_jobs_the_answers_are_the_same_for_any_number_of_workers) {
    tile_level level;
    tile_level_make(t, 32, 0.2f, 5, &level);
    ploy_env env = ploy_env_default();
    double costs[3][40];
    for (int32_t run = 0; run < 3; run++) {
        ploy_planners_def def = ploy_planners_def_default();
        def.searches = 8;
        ploy_planners *planners = serve(t, &def, &level.representation);
        ploy_path_service service = ploy_planners_service(planners);
        ploy_job_pool *pool = NULL;
        if (run > 0) CHECK_OK(ploy_job_pool_create(2 * run, &env, &pool));
        ploy_path_ticket tickets[40];
        ploy_rng rng = ploy_rng_make(6);
        for (int32_t i = 0; i < 40; i++) {
            ploy_path_request request =
                level_ask_cells(&level, ploy_rng_int(&rng, 0, 1023), ploy_rng_int(&rng, 0, 1023));
            CHECK_OK(ploy_path_service_request(&service, &request, &tickets[i]));
        }
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(501);
            result = ploy_planners_step_jobs(planners, &budget,
                                             pool != NULL ? ploy_job_pool_jobs(pool) : NULL);
            CHECK(budget.spent <= 501);
            if (result == PLOY_IN_PROGRESS) CHECK_INT(budget.spent, 501);
        }
        CHECK_OK(result);
        ploy_path *path = level_path(t);
        for (int32_t i = 0; i < 40; i++) {
            ploy_planners_status status;
            ploy_path_outcome outcome;
            CHECK(ploy_planners_get(planners, tickets[i], &status));
            CHECK_OK(ploy_path_service_poll(&service, tickets[i], path, &outcome));
            costs[run][i] = ploy_path_cost(path) + 1000.0 * (double)status.units + (double)outcome;
            CHECK_SAME(costs[run][i], costs[0][i]);
        }
        ploy_path_destroy(path);
        ploy_planners_destroy(planners);
        ploy_job_pool_destroy(pool);
    }
    ploy_tiles_destroy(level.tiles);
}

TEST(known_ways_are_used_again_from_any_of_their_places_until_the_world_changes) { // PTH-38
    int32_t length = 64;
    ploy_representation representation = chain_division(&length);
    ploy_planners_def def = ploy_planners_def_default();
    def.cached = 2;
    ploy_planners *planners = serve(t, &def, &representation);
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path *path = level_path(t);
    static const struct {
        const char *row;
        int32_t from, to;
        bool change, cached;
    } rows[] = {
        {"new", 0, 30, false, false},      {"again", 0, 30, false, true},
        {"its rest", 12, 30, false, true}, {"another goal", 12, 29, false, false},
        {"changed", 12, 30, true, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        if (rows[i].change) ploy_planners_changed(planners);
        ploy_path_request request = level_ask(ploy_vec3_make((float)rows[i].from, 0, 0),
                                              ploy_vec3_make((float)rows[i].to, 0, 0));
        ploy_path_ticket ticket;
        ploy_planners_status status;
        ploy_path_outcome outcome;
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK(ploy_planners_get(planners, ticket, &status));
        CHECK(status.cached == rows[i].cached);
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        CHECK_NEAR(ploy_path_cost(path), rows[i].to - rows[i].from, 0);
    }
    CHECK_INT(ploy_planners_stats_of(planners).hits, 2);
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
}

static bool is_item(void *user, int32_t state) {
    const int32_t *items = user;
    return state == items[0] || state == items[1];
}

typedef struct heard {
    int32_t count, end;
    ploy_path_outcome outcome;
} heard;

static void hear(void *user, ploy_path_ticket ticket, ploy_agent_id agent,
                 ploy_path_outcome outcome, int32_t end) {
    heard *self = user;
    (void)ticket;
    (void)agent;
    self->count++;
    self->end = end;
    self->outcome = outcome;
}

TEST(items_urgency_glimpses_and_listeners) { // PLN-07, PLN-11, PLN-24, PLN-27
    tile_level level;
    tile_level_make(t, 16, 0.0f, 1, &level);
    ploy_planners_def def = ploy_planners_def_default();
    def.searches = 1;
    def.straight = false;
    ploy_planners *planners = serve(t, &def, &level.representation);
    ploy_path_service service = ploy_planners_service(planners);
    heard ear = {0, -1, PLOY_PATH_OPEN};
    ploy_planners_set_listener(planners, hear, &ear);
    int32_t items[2] = {15 * 16 + 15, 3 * 16 + 3};
    ploy_path_options wish = ploy_path_options_make();
    wish.is_goal = is_item;
    wish.user = items;
    ploy_path_request request = level_ask_cells(&level, 0, 0);
    ploy_path_ticket ticket, far, urgent;
    ploy_path *path = level_path(t);
    CHECK_OK(ploy_planners_request(planners, &request, &wish, &ticket));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_INT(ear.count, 1);
    CHECK_INT(ear.end, items[1]); // the cheaper one
    ploy_path_outcome outcome;
    CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
    CHECK_NEAR(ploy_path_cost(path), 3 * sqrt(2.0), 1e-4);
    // Urgent ones overtake; a glimpse of what is being searched for leads toward the goal.
    request = level_ask_cells(&level, 0, 15 * 16 + 15);
    CHECK_OK(ploy_planners_request(planners, &request, NULL, &far));
    wish = ploy_path_options_make();
    wish.priority = 5;
    CHECK_OK(ploy_planners_request(planners, &request, &wish, &urgent));
    ploy_budget few = ploy_budget_units(5);
    CHECK_INT(ploy_path_service_step(&service, &few), PLOY_IN_PROGRESS);
    CHECK_INT(ploy_planners_peek(planners, far, path), PLOY_ERR_STATE);
    CHECK_OK(ploy_planners_peek(planners, urgent, path));
    int32_t last = ploy_path_count(path) - 1;
    CHECK(ploy_path_point(path, last).x + ploy_path_point(path, last).y > 4);
    CHECK_OK(ploy_path_service_step(&service, NULL));
    // Ways of their own beside a wall that can be passed on both sides: not all the same.
    for (int32_t y = 3; y < 13; y++) CHECK_OK(ploy_tiles_set(level.tiles, y * 16 + 8, 0));
    ploy_planners_changed(planners);
    request = level_ask_cells(&level, 8 * 16, 8 * 16 + 15);
    int32_t above = 0;
    for (uint32_t i = 0; i < 16; i++) {
        wish = ploy_path_options_make();
        wish.variety = i + 1;
        CHECK_OK(ploy_planners_request(planners, &request, &wish, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        CHECK(ploy_path_length(path) < 1.4f * 21.0f);
        above += ploy_path_at(path, ploy_path_length(path) / 2).y > 8.0f;
    }
    CHECK(above > 0 && above < 16);
    wish.priority = 2000;
    CHECK_INT(ploy_planners_request(planners, &request, &wish, &ticket), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_path_service_cancel(&service, far));
    CHECK_INT(ploy_path_service_cancel(&service, far), PLOY_ERR_NOT_FOUND);
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

static ploy_result serve_one(const ploy_env *env, void *arg) {
    const tile_level *level = arg;
    ploy_planners_def def = ploy_planners_def_default();
    def.capacity = 2;
    def.searches = 2;
    def.cached = 1;
    def.straight = false;
    ploy_planners *planners = NULL;
    ploy_result result = level_planners(&def, &level->representation, env, &planners);
    if (result == PLOY_OK) {
        ploy_path_service service = ploy_planners_service(planners);
        ploy_path_request request = level_ask_cells(level, 0, 35);
        ploy_path_ticket ticket;
        result = ploy_path_service_request(&service, &request, &ticket);
        if (result == PLOY_OK) result = ploy_path_service_step(&service, NULL);
        // Whatever failed, the next step goes on where it stopped, or says why not.
        if (result == PLOY_OK) result = ploy_path_service_cancel(&service, ticket);
    }
    ploy_planners_destroy(planners);
    return result;
}

TEST(planners_survive_every_failing_allocation) {
    tile_level level;
    tile_level_make(t, 6, 0.0f, 1, &level);
    CHECK_FAIL_NTH(serve_one, &level);
    ploy_tiles_destroy(level.tiles);
}

TEST(a_cached_path_is_not_reused_after_an_edit) { // PTH-38
    tile_level level;
    tile_level_make(t, 12, 0.0f, 1, &level);
    ploy_planners_def def = ploy_planners_def_default();
    def.straight = false;
    def.smooth = PLOY_SMOOTH_NONE;
    ploy_planners *planners = serve(t, &def, &level.representation);
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_request request = level_ask_cells(&level, 6 * 12, 6 * 12 + 11);
    ploy_path *path = level_path(t);
    for (int32_t round = 0; round < 3; round++) {
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        ploy_planners_status status;
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK(ploy_planners_get(planners, ticket, &status));
        CHECK_INT(status.cached, round == 1);
        CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        for (int32_t i = 0; i < ploy_path_count(path); i++) {
            ploy_vec2 at = ploy_path_point(path, i);
            CHECK(ploy_tiles_passable(level.tiles, ploy_tiles_quantise(level.tiles, at)));
        }
        if (round == 1) CHECK_OK(ploy_tiles_set(level.tiles, 6 * 12 + 5, PLOY_TILE_BLOCKED));
    }
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

TEST(a_path_starts_where_the_agent_is_by_then) { // PLN-26
    int32_t arrived = 0, moved = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        tile_level level;
        tile_level_make(t, 24, 0.25f, (uint64_t)seed, &level);
        const ploy_representation *view = &level.representation;
        ploy_representation_body body = {0.0f, PLOY_SCENE_ALL};
        ploy_planners_def def = ploy_planners_def_default();
        def.straight = seed % 2 == 0;
        ploy_planners *planners = serve(t, &def, view);
        ploy_path_service service = ploy_planners_service(planners);
        ploy_rng rng = ploy_rng_make((uint64_t)seed + 1);
        ploy_path *path = level_path(t);
        int32_t cell = 0;
        ploy_path_request request = level_ask_cells(&level, 0, 24 * 24 - 1);
        ploy_path_ticket ticket;
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        for (int32_t tick = 0; tick < 2000 && outcome == PLOY_PATH_OPEN; tick++) {
            ploy_budget budget = ploy_budget_units(7);
            int32_t direction = ploy_rng_int(&rng, 0, 7); // it wanders while it waits
            if (ploy_tiles_walker_step(&level.walker, cell, direction) < (double)INFINITY) {
                cell = ploy_tiles_neighbour(level.tiles, cell, direction);
            }
            ploy_vec3 now = view->localise(view->user, cell);
            CHECK_OK(ploy_path_service_move(&service, ticket, now));
            CHECK(ploy_path_service_step(&service, &budget) >= 0);
            CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
            if (outcome != PLOY_PATH_FOUND) continue;
            arrived++;
            moved += cell != 0;
            CHECK_NEAR(ploy_path_point(path, 0).x, now.x, 1e-6);
            CHECK_NEAR(ploy_path_point(path, 0).y, now.y, 1e-6);
            for (int32_t i = 0; i + 1 < ploy_path_count(path); i++) {
                ploy_vec3 a = ploy_vec3_from_vec2(ploy_path_point(path, i), 0.0f);
                ploy_vec3 b = ploy_vec3_from_vec2(ploy_path_point(path, i + 1), 0.0f);
                CHECK(view->clear(view->user, a, b, &body));
            }
        }
        CHECK(outcome != PLOY_PATH_OPEN);
        CHECK_INT(ploy_path_service_move(&service, ticket, request.from), PLOY_ERR_NOT_FOUND);
        ploy_path_destroy(path);
        ploy_planners_destroy(planners);
        ploy_tiles_destroy(level.tiles);
    }
    CHECK(arrived > 20 && moved > 20);
}
