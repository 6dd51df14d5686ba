// The path service over meshes and grid maps, and over several kinds of ground at once.
#include "path/path_internal.h"
#include "ploy/path/planners.h"
#include "tests/path/navmesh_help.h"
#include "tests/path/planners_help.h"
#include "tests/path/tile_maps.h"

typedef struct served {
    nav_floor floor;
    ploy_planners *planners;
    ploy_path_service service;
} served;

// Planners over a mesh, for requests without a profile.
static ploy_result mesh_planners(const ploy_planners_def *def, const ploy_navmesh_finder_def *mesh,
                                 const ploy_env *env, ploy_planners **out) {
    ploy_finder_factory finder = ploy_navmesh_finder(mesh);
    ploy_result result = ploy_planners_create(def, env, out);
    if (result == PLOY_OK) result = ploy_planners_add_finder(*out, (ploy_name){0}, &finder);
    return result;
}

// Replaces a profile's finders by one over a mesh.
static ploy_result set_mesh(ploy_planners *planners, ploy_name profile,
                            const ploy_navmesh_finder_def *mesh) {
    ploy_finder_factory finder = ploy_navmesh_finder(mesh);
    (void)ployi_planners_remove_finders(planners, profile);
    return ploy_planners_add_finder(planners, profile, &finder);
}

static ploy_navmesh_finder_def mesh_def(const ploy_navmesh *mesh) {
    ploy_navmesh_finder_def def = ploy_navmesh_finder_def_default();
    def.mesh = mesh;
    return def;
}

static served serve(test_context *t, int32_t capacity) {
    served out;
    ploy_env env = ploy_env_default();
    ploy_planners_def def = ploy_planners_def_default();
    def.capacity = capacity;
    out.floor = nav_hall(t, 5, 0.0f);
    ploy_navmesh_finder_def mesh = mesh_def(out.floor.mesh);
    CHECK_OK(mesh_planners(&def, &mesh, &env, &out.planners));
    out.service = ploy_planners_service(out.planners);
    return out;
}

static void unserve(served *out) {
    ploy_planners_destroy(out->planners);
    nav_close(&out->floor);
}

static ploy_path_request ask(float x, float y) {
    return level_ask(ploy_vec3_make(0.2f, 0.2f, 0), ploy_vec3_make(x, y, 0));
}

TEST(statistics_tell_how_long_requests_wait) { // PTH-43
    served in = serve(t, 4);
    ploy_path_ticket tickets[3];
    for (int32_t i = 0; i < 3; i++) {
        ploy_path_request request = ask(38.0f - 4.0f * (float)i, 28.0f);
        CHECK_OK(ploy_path_service_request(&in.service, &request, &tickets[i]));
    }
    int64_t steps = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS && steps < 10000; steps++) {
        ploy_budget budget = ploy_budget_units(3);
        result = ploy_path_service_step(&in.service, &budget);
    }
    CHECK_OK(result);
    ploy_planners_stats stats = ploy_planners_stats_of(in.planners);
    CHECK_INT(stats.answers, 3);
    CHECK(steps > 3);
    CHECK_INT(stats.longest_wait, steps); // the last one was asked before the first step
    CHECK(stats.waited > steps && stats.waited <= 3 * steps);
    unserve(&in);
}

// Requests of a round: equal ones in groups of three, cancelled or moved here and there.
static int64_t merged_run(test_context *t, uint64_t seed, bool restart, int64_t *units,
                          uint64_t *paths) {
    enum { MERGED = 12 };
    served in = serve(t, 2 * MERGED);
    ploy_rng rng = ploy_rng_make(seed);
    ploy_path_ticket tickets[MERGED];
    ploy_path *path = level_path(t);
    for (int32_t i = 0; i < MERGED; i++) {
        ploy_path_request request = ask(38.0f - 4.0f * (float)(i / 3), 28.0f);
        CHECK_OK(ploy_path_service_request(&in.service, &request, &tickets[i]));
    }
    ploy_result result = PLOY_IN_PROGRESS;
    int32_t cancelled = (int32_t)ploy_rng_below(&rng, MERGED), left = MERGED - 1;
    for (int32_t step = 0; result == PLOY_IN_PROGRESS && step < 10000; step++) {
        ploy_budget budget = ploy_budget_units(3);
        if (step == 1) CHECK_OK(ploy_path_service_cancel(&in.service, tickets[cancelled]));
        if (restart && step == 2) ploy_planners_changed(in.planners); // all begin again
        result = ploy_path_service_step(&in.service, &budget);
    }
    CHECK_OK(result);
    *paths = 0;
    for (int32_t i = 0; i < MERGED; i++) {
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        if (i == cancelled) continue;
        CHECK_OK(ploy_path_service_poll(&in.service, tickets[i], path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        float length = ploy_path_length(path);
        *paths = ploy_hash_combine(*paths, ploy_hash_bytes(&length, sizeof length, 0));
        left--;
    }
    CHECK_INT(left, 0);
    ploy_planners_stats stats = ploy_planners_stats_of(in.planners);
    CHECK_INT(stats.answers, MERGED - 1);
    CHECK_INT(stats.searched + stats.merged, MERGED - 1);
    CHECK_INT(stats.queued, 0);
    *units = stats.units;
    ploy_path_destroy(path);
    unserve(&in);
    return stats.merged;
}

TEST(equal_requests_share_one_search) { // PTH-43
    for (int64_t seed = 0; seed < test_rounds(12); seed++) {
        TEST_SEED(seed);
        int64_t units = 0, again = 0;
        uint64_t paths = 0, other = 0;
        CHECK(merged_run(t, (uint64_t)seed, false, &units, &paths) >= 6);
        // Searches that begin again release those who wait for them, who join again.
        CHECK(merged_run(t, (uint64_t)seed, true, &again, &other) >= 6);
        CHECK(paths == other && again > units);
    }
}

TEST(ways_over_a_mesh_are_those_of_its_query_within_the_budget) {
    served in = serve(t, 4);
    ploy_path_ticket tickets[4];
    ploy_path *path = nav_path(t), *want = nav_path(t);
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_request request = ask(39.5f, 29.5f - 7.0f * (float)i);
        CHECK_OK(ploy_path_service_request(&in.service, &request, &tickets[i]));
    }
    ploy_path_request more = ask(1, 1);
    ploy_path_ticket none;
    CHECK_INT(ploy_path_service_request(&in.service, &more, &none), PLOY_ERR_CAPACITY);
    int32_t steps = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    for (; result == PLOY_IN_PROGRESS; steps++) {
        ploy_budget budget = ploy_budget_units(3);
        result = ploy_path_service_step(&in.service, &budget);
        CHECK(budget.spent <= 3);
        if (result == PLOY_IN_PROGRESS) CHECK_INT(budget.spent, 3);
        // A glimpse of the way so far, which changes nothing about what comes.
        CHECK_OK(ploy_planners_peek(in.planners, tickets[0], path));
        CHECK(ploy_path_count(path) > 0);
        CHECK_NEAR(ploy_path_point(path, 0).x, 0.2f, 1e-6);
    }
    CHECK_OK(result);
    CHECK(steps > 4);
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_outcome outcome;
        ploy_planners_status status;
        ploy_navmesh_answer answer;
        ploy_navmesh_request request =
            ploy_navmesh_request_make(nav_at(t, in.floor.query, 0.2f, 0.2f),
                                      nav_at(t, in.floor.query, 39.5f, 29.5f - 7.0f * (float)i));
        CHECK_OK(ploy_navmesh_find_path(in.floor.query, &request, want, &answer));
        CHECK(ploy_planners_get(in.planners, tickets[i], &status));
        CHECK_INT(status.units, answer.pops);
        CHECK_INT(status.end_state, answer.end.polygon);
        CHECK_OK(ploy_path_service_poll(&in.service, tickets[i], path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        CHECK_INT(ploy_path_count(path), ploy_path_count(want));
        CHECK_SAME(ploy_path_length(path), ploy_path_length(want));
        CHECK_INT(ploy_path_service_poll(&in.service, tickets[i], path, &outcome),
                  PLOY_ERR_NOT_FOUND);
    }
    ploy_path_destroy(path);
    ploy_path_destroy(want);
    unserve(&in);
}

TEST(cancelling_at_any_moment_leaves_the_others_alone) {
    for (int64_t units = 0; units < 30; units++) {
        served in = serve(t, 2);
        ploy_path_ticket first, second;
        ploy_path_request a = ask(39.5f, 29.5f), b = ask(39.5f, 0.5f);
        CHECK_OK(ploy_path_service_request(&in.service, &a, &first));
        CHECK_OK(ploy_path_service_request(&in.service, &b, &second));
        ploy_budget budget = ploy_budget_units(units);
        CHECK(ploy_path_service_step(&in.service, &budget) >= 0);
        CHECK_OK(ploy_path_service_cancel(&in.service, first));
        CHECK_INT(ploy_path_service_cancel(&in.service, first), PLOY_ERR_NOT_FOUND);
        if (units % 3 == 0) ploy_planners_changed(in.planners);
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        ploy_path_outcome outcome;
        CHECK_OK(ploy_path_service_poll(&in.service, second, NULL, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        unserve(&in);
    }
}

static bool any_state(void *user, int32_t state) {
    (void)user;
    (void)state;
    return true;
}

TEST(what_is_off_the_floor_has_no_way_and_profiles_choose_filters) {
    served in = serve(t, 8);
    ploy_navmesh_finder_def mesh = mesh_def(in.floor.mesh);
    mesh.filter.exclude = 1;
    CHECK_OK(set_mesh(in.planners, ploy_name_of("ghost"), &mesh));
    mesh.filter.cost[0] = -1.0f;
    CHECK_INT(set_mesh(in.planners, ploy_name_of("odd"), &mesh), PLOY_ERR_ARGUMENT);
    mesh = mesh_def(NULL);
    CHECK_INT(set_mesh(in.planners, ploy_name_of("odd"), &mesh), PLOY_ERR_ARGUMENT);
    ploy_path_request far = ask(90, 90), ghost = ask(39.5f, 29.5f), plain = ghost;
    ghost.profile = ploy_name_of("ghost");
    ploy_path_request *requests[3] = {&far, &ghost, &plain};
    for (int32_t i = 0; i < 3; i++) {
        ploy_path_ticket ticket;
        ploy_path_outcome outcome = PLOY_PATH_OPEN;
        CHECK_OK(ploy_path_service_request(&in.service, requests[i], &ticket));
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, NULL, &outcome));
        CHECK_INT(outcome, PLOY_PATH_OPEN);
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, NULL, &outcome));
        CHECK_INT(outcome, i == 2 ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
    }
    unserve(&in);
}

static bool is_that(void *user, int32_t state) {
    return state == *(const int32_t *)user;
}

TEST(over_a_mesh_one_may_ask_for_a_polygon_of_a_kind) {
    served in = serve(t, 8);
    int32_t there = nav_at(t, in.floor.query, 39.5f, 29.5f).polygon, nowhere = -5;
    ploy_path *path = nav_path(t);
    for (int32_t i = 0; i < 2; i++) {
        ploy_path_request request = ask(900, 900); // not read
        ploy_path_options wish = ploy_path_options_make();
        ploy_planners_status status;
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        wish.is_goal = is_that;
        wish.user = i == 0 ? &there : &nowhere;
        CHECK_OK(ploy_planners_request(in.planners, &request, &wish, &ticket));
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        CHECK(ploy_planners_get(in.planners, ticket, &status));
        CHECK_INT(status.end_state, i == 0 ? there : PLOY_STATE_NONE);
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, path, &outcome));
        CHECK_INT(outcome, i == 0 ? PLOY_PATH_FOUND : PLOY_PATH_NONE);
        if (i == 0) CHECK(ploy_path_length(path) > 30.0f);
    }
    ploy_path_destroy(path);
    unserve(&in);
}

TEST(one_service_plans_on_tiles_and_on_meshes) {
    const ploy_name nobody = {0};
    ploy_env env = ploy_env_default();
    tile_level level;
    tile_level_make(t, 30, 0.1f, 3, &level);
    nav_floor floor = nav_hall(t, 5, 0.0f);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    CHECK_OK(level_planners(&def, &level.representation, &env, &planners));
    ploy_navmesh_finder_def mesh = mesh_def(floor.mesh);
    CHECK_OK(set_mesh(planners, ploy_name_of("hall"), &mesh));
    CHECK_INT(ploy_planners_set_costs(planners, ploy_name_of("who"), NULL), PLOY_ERR_NOT_FOUND);
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_request tiles = level_ask_cells(&level, 0, 899), hall = ask(39.5f, 29.5f);
    hall.profile = ploy_name_of("hall");
    ploy_path_ticket a, b;
    ploy_path_outcome outcome;
    ploy_path *path = nav_path(t);
    CHECK_OK(ploy_path_service_request(&service, &tiles, &a));
    CHECK_OK(ploy_path_service_request(&service, &hall, &b));
    ploy_budget budget = ploy_budget_units(4);
    CHECK_INT(ploy_path_service_step(&service, &budget), PLOY_IN_PROGRESS);
    // Another mesh in its place while it is searched: it begins again.
    CHECK_OK(set_mesh(planners, ploy_name_of("hall"), &mesh));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_OK(ploy_path_service_poll(&service, a, path, &outcome));
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    CHECK_NEAR(ploy_path_point(path, ploy_path_count(path) - 1).x, 29.5, 1e-6);
    CHECK_OK(ploy_path_service_poll(&service, b, path, &outcome));
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    CHECK_NEAR(ploy_path_point(path, ploy_path_count(path) - 1).x, 39.5, 1e-6);
    // In place of the tiles, too.
    CHECK_OK(set_mesh(planners, nobody, &mesh));
    tiles = ask(39.5f, 29.5f);
    CHECK_OK(ploy_path_service_request(&service, &tiles, &a));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK_OK(ploy_path_service_poll(&service, a, path, &outcome));
    CHECK_INT(outcome, PLOY_PATH_FOUND);
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    nav_close(&floor);
    ploy_tiles_destroy(level.tiles);
}

TEST(ways_of_their_own_over_a_mesh_differ_and_are_little_longer) {
    served in = serve(t, 16);
    ploy_path *path = nav_path(t);
    float best = 0.0f, worst = 0.0f;
    int32_t others = 0;
    for (uint32_t i = 0; i < 12; i++) {
        ploy_path_options wish = ploy_path_options_make();
        ploy_path_request request = ask(39.5f, 29.5f);
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        wish.variety = i;
        CHECK_OK(ploy_planners_request(in.planners, &request, &wish, &ticket));
        CHECK_OK(ploy_path_service_step(&in.service, NULL));
        CHECK_OK(ploy_path_service_poll(&in.service, ticket, path, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        float length = ploy_path_length(path);
        if (i == 0) best = length;
        worst = ploy_maxf(worst, length);
        others += length != best;
    }
    CHECK(others > 0);
    CHECK(worst <= 1.6f * best); // prices vary by up to 60 %
    ploy_path_destroy(path);
    unserve(&in);
}

// Asks for a way, looks at it when little is done, and then has it all.
static ploy_result glimpse(const ploy_env *env, ploy_planners *planners,
                           const ploy_path_request *request) {
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    ploy_path_ticket ticket;
    ploy_budget budget = ploy_budget_units(4);
    ploy_result result = ploy_path_create(&def, env, &path);
    if (result == PLOY_OK) result = ploy_path_service_request(&service, request, &ticket);
    if (result == PLOY_OK) result = ploy_path_service_step(&service, &budget);
    if (result == PLOY_IN_PROGRESS) result = ploy_planners_peek(planners, ticket, path);
    if (result == PLOY_OK) result = ploy_path_service_step(&service, NULL);
    ploy_path_destroy(path);
    return result;
}

static ploy_result serve_one(const ploy_env *env, void *arg) {
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    ploy_navmesh_finder_def mesh = mesh_def(arg);
    def.capacity = def.searches = 2;
    ploy_result result = mesh_planners(&def, &mesh, env, &planners);
    if (result == PLOY_OK) result = set_mesh(planners, ploy_name_of("b"), &mesh);
    if (result == PLOY_OK) {
        ploy_path_request request = ask(39.5f, 29.5f);
        result = glimpse(env, planners, &request);
    }
    ploy_planners_destroy(planners);
    return result;
}

TEST(planners_over_a_mesh_survive_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 5, 0.0f);
    CHECK_FAIL_NTH(serve_one, floor.mesh);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_navmesh_finder_def mesh = mesh_def(floor.mesh);
    ploy_planners *planners = NULL;
    int64_t bytes = 0;
    CHECK_OK(mesh_planners(&def, &mesh, &env, &planners));
    ploy_planners_memory(planners, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_planners_destroy(planners);
    nav_close(&floor);
}

// Planners over a grid map, and over its tiles for what that cannot serve.
static ploy_result grid_planners(const ploy_planners_def *def, const ploy_grid_map *map,
                                 ploy_grid_algorithm algorithm, const ploy_representation *tiles,
                                 const ploy_env *env, ploy_planners **out) {
    ploy_finder_factory finders[2] = {ploy_grid_finder(map, algorithm),
                                      ploy_representation_finder(tiles, PLOY_SPACE_ASTAR)};
    ploy_result result = ploy_planners_create(def, env, out);
    for (int32_t i = 0; i < (tiles != NULL ? 2 : 1) && result == PLOY_OK; i++) {
        result = ploy_planners_add_finder(*out, (ploy_name){0}, &finders[i]);
    }
    return result;
}

typedef struct grid_served {
    tile_level level;
    ploy_grid_map *map;
    ploy_planners *fast, *slow; // over the grid map, over its tiles as a representation
} grid_served;

// In place: the representation looks through the level's walker.
static void serve_grid(test_context *t, int32_t side, uint64_t seed, bool partial,
                       grid_served *out) {
    ploy_env env = ploy_env_default();
    ploy_planners_def def = ploy_planners_def_default();
    def.smooth = PLOY_SMOOTH_NONE;
    def.straight = false;
    def.cached = 0;
    def.partial = partial;
    tile_level_make(t, side, 0.25f, seed, &out->level);
    out->map = maps_grid(t, out->level.tiles, 1, false);
    CHECK_OK(
        grid_planners(&def, out->map, PLOY_GRID_JPS, &out->level.representation, &env, &out->fast));
    CHECK_OK(level_planners(&def, &out->level.representation, &env, &out->slow));
}

static void unserve_grid(grid_served *in) {
    ploy_planners_destroy(in->fast);
    ploy_planners_destroy(in->slow);
    ploy_grid_map_destroy(in->map);
    ploy_tiles_destroy(in->level.tiles);
}

// What one service answers: outcome, cost, and the units it took.
static ploy_path_outcome ask_one(test_context *t, ploy_planners *planners,
                                 const ploy_path_request *request, const ploy_path_options *wish,
                                 double *cost, int64_t *units) {
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path *path = level_path(t);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    ploy_planners_status status;
    CHECK_OK(ploy_planners_request(planners, request, wish, &ticket));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    CHECK(ploy_planners_get(planners, ticket, &status));
    CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
    *cost = ploy_path_cost(path);
    *units += status.units;
    ploy_path_destroy(path);
    return outcome;
}

TEST(ways_over_a_grid_map_cost_what_the_division_finds_and_far_less_work) {
    int64_t fast_units = 0, slow_units = 0;
    for (int64_t seed = 0; seed < test_rounds(8); seed++) {
        TEST_SEED(seed);
        grid_served in;
        serve_grid(t, 40, (uint64_t)seed, seed % 2 == 0, &in);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        for (int32_t i = 0; i < 12; i++) {
            int32_t from = ploy_rng_int(&rng, 0, 1599), to = ploy_rng_int(&rng, 0, 1599);
            ploy_path_request request = level_ask_cells(&in.level, from, to);
            double fast, slow;
            int64_t units = 0, others = 0;
            ploy_path_outcome outcome = ask_one(t, in.fast, &request, NULL, &fast, &units);
            CHECK_INT(outcome, ask_one(t, in.slow, &request, NULL, &slow, &others));
            CHECK_NEAR(fast, slow, 1e-3);
            fast_units += outcome == PLOY_PATH_FOUND ? units : 0;
            slow_units += outcome == PLOY_PATH_FOUND ? others : 0;
        }
        // Behind its tiles, or with costs that jumps refuse: the representation answers, and rightly.
        CHECK_OK(ploy_tiles_set(in.level.tiles, 20 * 40 + 20, 2));
        CHECK_OK(ploy_tiles_set_cost(in.level.tiles, 2, 7.0f));
        for (int32_t i = 0; i < 2; i++) {
            ploy_path_request request = level_ask_cells(&in.level, 0, 1599);
            double fast, slow;
            int64_t units = 0, others = 0;
            ploy_path_outcome outcome = ask_one(t, in.fast, &request, NULL, &fast, &units);
            CHECK_INT(outcome, ask_one(t, in.slow, &request, NULL, &slow, &others));
            CHECK_NEAR(fast, slow, 1e-3);
            CHECK_INT(units, others);
            CHECK_OK(ploy_grid_map_refresh(in.map));
        }
        unserve_grid(&in);
    }
    printf("units: %d by jumps, %d by neighbours\n", (int)fast_units, (int)slow_units);
    CHECK(2 * fast_units < slow_units); // among single cells thrown about, where jumps gain least
}

TEST(the_way_so_far_over_a_grid_map_comes_nearer_and_can_be_walked) {
    grid_served in;
    serve_grid(t, 40, 3, true, &in);
    ploy_path_service service = ploy_planners_service(in.fast);
    ploy_path_request request = level_ask_cells(&in.level, 0, 1599);
    ploy_path *path = level_path(t);
    ploy_path_ticket ticket;
    double cost, last = (double)INFINITY;
    int64_t units = 0;
    int32_t glimpses = 0;
    CHECK_INT(ask_one(t, in.fast, &request, NULL, &cost, &units), PLOY_PATH_FOUND);
    CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
    CHECK_INT(ploy_planners_peek(in.fast, ticket, path), PLOY_ERR_STATE); // it is queued
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(2);
        result = ploy_path_service_step(&service, &budget);
        CHECK_OK(ploy_planners_peek(in.fast, ticket, path));
        double way = 0.0;
        int32_t at = 0, count = ploy_path_count(path);
        for (int32_t i = 1; i < count; i++) {
            ploy_vec2 point = ploy_path_point(path, i);
            int32_t to = (int32_t)point.y * 40 + (int32_t)point.x, step = 0;
            while (step < 8 && ploy_tiles_neighbour(in.level.tiles, at, step) != to) step++;
            CHECK(step < 8);
            way += ploy_tiles_walker_step(&in.level.walker, at, step);
            at = to;
        }
        CHECK_NEAR(way, ploy_path_cost(path), 1e-3); // finite, so every step is allowed
        double dx = 39 - at % 40, dy = 39 - at / 40;
        double gap = fmax(dx, dy) + (sqrt(2.0) - 1.0) * fmin(dx, dy);
        CHECK(gap <= last + 1e-9);
        last = gap;
        glimpses += at != 0 && at != 1599;
    }
    CHECK_OK(result);
    CHECK(glimpses > 3);
    ploy_planners_status status;
    CHECK(ploy_planners_get(in.fast, ticket, &status));
    CHECK_INT(status.units, units);
    CHECK_NEAR(ploy_path_cost(path), cost, 1e-9); // in the end it is the answer
    ploy_path_destroy(path);
    unserve_grid(&in);
}

TEST(what_a_grid_map_cannot_answer_its_tiles_do) {
    grid_served in;
    serve_grid(t, 20, 4, true, &in);
    ploy_path_request request = level_ask_cells(&in.level, 0, 399);
    float danger[400];
    for (int32_t i = 0; i < 400; i++) danger[i] = (float)(i % 3);
    ploy_cost_layer layer = {danger, 400, 1.0f};
    for (int32_t i = 0; i < 3; i++) {
        ploy_path_options wish = ploy_path_options_make();
        if (i == 0) wish.costs = ploy_cost_layer_hook(&layer);
        if (i == 1) wish.variety = 3;
        if (i == 2) wish.is_goal = any_state;
        double fast, slow;
        int64_t units = 0, others = 0;
        ploy_path_outcome outcome = ask_one(t, in.fast, &request, &wish, &fast, &units);
        CHECK_INT(outcome, ask_one(t, in.slow, &request, &wish, &slow, &others));
        CHECK_SAME(fast, slow);
        CHECK_INT(units, others);
    }
    ploy_env env = ploy_env_default();
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *none = NULL;
    ploy_finder_factory faulty[2] = {ploy_grid_finder(NULL, PLOY_GRID_JPS),
                                     ploy_grid_finder(in.map, PLOY_GRID_ALGORITHM_COUNT)};
    CHECK_OK(ploy_planners_create(&def, &env, &none));
    for (int32_t i = 0; i < 2; i++) {
        CHECK_INT(ploy_planners_add_finder(none, (ploy_name){0}, &faulty[i]), PLOY_ERR_ARGUMENT);
    }
    ploy_planners_destroy(none);
    unserve_grid(&in);
}

TEST(cancelling_a_grid_search_at_any_moment_leaves_the_others_alone) {
    for (int64_t units = 0; units < 20; units++) {
        grid_served in;
        serve_grid(t, 30, 7, true, &in);
        ploy_path_service service = ploy_planners_service(in.fast);
        ploy_path_request request = level_ask_cells(&in.level, 0, 899);
        ploy_path_ticket first, second;
        ploy_path_outcome outcome;
        CHECK_OK(ploy_path_service_request(&service, &request, &first));
        CHECK_OK(ploy_path_service_request(&service, &request, &second));
        ploy_budget budget = ploy_budget_units(units);
        CHECK(ploy_path_service_step(&service, &budget) >= 0);
        CHECK_INT(budget.spent, units);
        CHECK_OK(ploy_path_service_cancel(&service, first));
        if (units % 3 == 0) {
            ploy_finder_factory astar = ploy_grid_finder(in.map, PLOY_GRID_ASTAR);
            CHECK_OK(ploy_planners_add_finder(in.fast, ploy_name_of("b"), &astar));
        }
        CHECK_OK(ploy_path_service_step(&service, NULL));
        CHECK_OK(ploy_path_service_poll(&service, second, NULL, &outcome));
        CHECK_INT(outcome, PLOY_PATH_FOUND);
        unserve_grid(&in);
    }
}

static ploy_result serve_grid_one(const ploy_env *env, void *arg) {
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    def.capacity = def.searches = 2;
    ploy_tiles_walker walker = ploy_tiles_walker_make(ployi_grid_map_tiles(arg), NULL);
    ploy_representation tiles = ploy_tiles_representation(&walker);
    ploy_finder_factory astar = ploy_grid_finder(arg, PLOY_GRID_ASTAR);
    ploy_result result = grid_planners(&def, arg, PLOY_GRID_JPS, &tiles, env, &planners);
    if (result == PLOY_OK) {
        result = ploy_planners_add_finder(planners, ploy_name_of("b"), &astar);
    }
    if (result == PLOY_OK) {
        ploy_path_request request =
            level_ask(ploy_vec3_make(0.5f, 0.5f, 0), ploy_vec3_make(23.5f, 23.5f, 0));
        result = glimpse(env, planners, &request);
    }
    ploy_planners_destroy(planners);
    return result;
}

TEST(planners_over_a_grid_map_survive_every_failing_allocation) {
    ploy_tiles *tiles = maps_winding(t);
    ploy_grid_map *map = maps_grid(t, tiles, 1, false);
    CHECK_FAIL_NTH(serve_grid_one, map);
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    int64_t bytes = 0;
    CHECK_OK(grid_planners(&def, map, PLOY_GRID_FAST, NULL, &env, &planners));
    ploy_planners_memory(planners, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_planners_destroy(planners);
    ploy_grid_map_destroy(map);
    ploy_tiles_destroy(tiles);
}
