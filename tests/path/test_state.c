// The visitors of path: coverage, save and load in the middle of searches, memory, short memory.
#include "path/path_internal.h"
#include "tests/state.h"

#include "ploy/path/corridors.h"
#include "ploy/path/explorer.h"
#include "ploy/path/navigator.h"
#include "tests/path/navmesh_help.h"
#include "tests/path/planners_help.h"

// ---- maps and explorers

static ploy_tiles *state_tiles(test_context *t, const ploy_env *env, uint64_t seed) {
    ploy_tiles_def def = ploy_tiles_def_default();
    ploy_tiles *tiles = NULL;
    def.width = 9;
    def.height = 7;
    CHECK_OK(ploy_tiles_create(&def, env, &tiles));
    ploy_rng rng = ploy_rng_make(seed);
    CHECK_OK(ploy_tiles_set_cost(tiles, 3, 2.5f));
    for (int32_t i = 0; i < 40; i++) {
        int32_t cell = ploy_rng_int(&rng, 0, 62);
        CHECK_OK(ploy_tiles_set(tiles, cell, (uint8_t)(i % 2 == 0 ? PLOY_TILE_BLOCKED : 3)));
    }
    return tiles;
}

TEST(tiles_are_saved_with_their_edits) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    for (uint64_t seed = 0; seed < 20; seed++) {
        TEST_SEED(seed);
        ploy_tiles *one = state_tiles(t, &env, seed), *two = state_tiles(t, &env, 77);
        // Not described: who follows the map reads them.
        static const char *const skip[] = {"generation", "cell", NULL};
        state_check s = {ploy_tiles_visit, one, NULL, skip, NULL};
        if (seed % 2 == 0) ploy_tiles_refresh(one);
        if (seed == 0) {
            state_check_cover(t, &s);
            state_check_files(t, &s);
            CHECK(state_check_flips(t, &s) > 2);
        }
        state_check_copy(t, &s, two);
        CHECK_UINT(ploy_tiles_generation(two), ploy_tiles_generation(one));
        for (int32_t cell = 0; cell < 63; cell++) {
            CHECK_INT(ploy_tiles_get(two, cell), ploy_tiles_get(one, cell));
            CHECK_INT(ploy_tiles_passable(two, cell), ploy_tiles_passable(one, cell));
            CHECK_INT(ployi_tiles_clearance(two, cell), ployi_tiles_clearance(one, cell));
            CHECK_INT(ploy_tiles_connected(two, 0, cell), ploy_tiles_connected(one, 0, cell));
        }
        // Both are edited alike from there on.
        CHECK_OK(ploy_tiles_set(one, 30, PLOY_TILE_BLOCKED));
        CHECK_OK(ploy_tiles_set(two, 30, PLOY_TILE_BLOCKED));
        CHECK_UINT(ploy_tiles_generation(two), ploy_tiles_generation(one));
        CHECK_UINT(ploy_visit_hash(ploy_tiles_visit, two, NULL), state_hash(&s));
        ploy_tiles_destroy(two);
        if (seed == 0) state_check_memory(t, &s, &counts);
        ploy_tiles_destroy(one);
    }
    CHECK_INT(counts.bytes, 0);
}

static bool state_walks(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    (void)from;
    return to.x < 4.0f || to.x > 5.0f || to.y > 6.0f; // a wall with a gap
}

TEST(an_explorer_is_saved_on_its_path) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_explorer_def def = ploy_explorer_def_default();
    ploy_box2 bounds = {{0.0f, 0.0f}, {10.0f, 8.0f}};
    ploy_vec2 start = {1.5f, 1.5f};
    ploy_explorer *one = NULL, *two = NULL;
    def.max_entries = 400;
    CHECK_OK(ploy_explorer_create(&def, bounds, start, state_walks, NULL, &env, &one));
    ploy_budget budget = ploy_budget_units(150);
    CHECK_INT(ploy_explorer_step(one, &budget), PLOY_IN_PROGRESS);
    state_check s = {ploy_explorer_visit, one, NULL, NULL, NULL};
    state_check_memory(t, &s, &counts);
    state_check_cover(t, &s);
    state_check_files(t, &s);
    CHECK_OK(ploy_explorer_create(&def, bounds, start, state_walks, NULL, &env, &two));
    state_check_copy(t, &s, two);
    for (int32_t i = 0; i < 100; i++) { // both walk on alike
        ploy_budget a = ploy_budget_units(1), b = ploy_budget_units(1);
        CHECK_INT(ploy_explorer_step(one, &a), ploy_explorer_step(two, &b));
        CHECK_UINT(ploy_visit_hash(ploy_explorer_visit, two, NULL), state_hash(&s));
    }
    ploy_explorer_destroy(one);
    ploy_explorer_destroy(two);
    CHECK_INT(counts.bytes, 0);
}

// ---- planners

// Values that belong together: a flip of one alone does not fit.
static const char *const planners_skip[] = {
    "state",     "slot",           "which",  "spent",       "free",        "states", "turn",
    "next turn", "search outcome", "closed", "closing set", "next finder", NULL};

static ploy_planners *open_planners(const tile_level *level, const ploy_env *env) {
    ploy_planners_def def = ploy_planners_def_default();
    ploy_planners *planners = NULL;
    def.searches = 2;
    def.slice = 3;
    def.cached = 3;
    def.capacity = 7;
    def.straight = false;
    return level_planners(&def, &level->representation, env, &planners) == PLOY_OK ? planners
                                                                                   : NULL;
}

// Requests in every stage: answered and cached, answered and not fetched, searched, queued.
static void fill_planners(test_context *t, const tile_level *level, ploy_planners *planners,
                          int64_t units) {
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    ploy_path *path = level_path(t);
    for (int32_t i = 0; i < 2; i++) {
        ploy_path_request request = level_ask_cells(level, i, 24 * 24 - 1 - 24 * i);
        CHECK_OK(ploy_path_service_request(&service, &request, &ticket));
        CHECK_OK(ploy_path_service_step(&service, NULL));
        if (i == 0) CHECK_OK(ploy_path_service_poll(&service, ticket, path, &outcome));
    }
    for (int32_t i = 0; i < 4; i++) {
        ploy_path_request request = level_ask_cells(level, 24 * 23 + i, 23);
        ploy_path_options options = ploy_path_options_make();
        options.priority = i % 2;
        options.variety = i == 3 ? 5u : 0u;
        request.agent = ploy_agent_id_make((uint32_t)i + 1, 1);
        CHECK_OK(ploy_planners_request(planners, &request, &options, &ticket));
    }
    ploy_budget budget = ploy_budget_units(units);
    CHECK_INT(ploy_path_service_step(&service, &budget), PLOY_IN_PROGRESS);
    ploy_planners_stats stats = ploy_planners_stats_of(planners);
    CHECK_INT(stats.active, units > 0 ? 2 : 0);
    CHECK_INT(stats.queued, units > 0 ? 2 : 4);
    ploy_path_destroy(path);
}

TEST(planners_are_saved_in_the_middle_of_searches) {
    tile_level level;
    tile_level_make(t, 24, 0.2f, 3, &level);
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_planners *one = open_planners(&level, &env);
    state_check s = {ploy_planners_visit, one, NULL, planners_skip, NULL};
    fill_planners(t, &level, one, 11);
    state_check_memory(t, &s, &counts);
    state_check_cover(t, &s);
    state_check_files(t, &s);
    ploy_planners *two = open_planners(&level, &env);
    state_check_copy(t, &s, two);
    ploy_path_service first = ploy_planners_service(one), second = ploy_planners_service(two);
    for (int32_t i = 0; i < 200; i++) { // both go on alike, unit by unit
        ploy_budget a = ploy_budget_units(7), b = ploy_budget_units(7);
        CHECK_INT(ploy_path_service_step(&first, &a), ploy_path_service_step(&second, &b));
        CHECK_UINT(ploy_visit_hash(ploy_planners_visit, two, NULL), state_hash(&s));
    }
    CHECK_INT(ploy_planners_stats_of(two).active, 0);
    ploy_planners_destroy(one);
    ploy_planners_destroy(two);
    CHECK_INT(counts.bytes, 0);
    ploy_tiles_destroy(level.tiles);
}

TEST(every_value_of_planners_is_saved) {
    // Without searches under way: what one of those has reached follows from its request.
    tile_level level;
    tile_level_make(t, 24, 0.2f, 3, &level);
    ploy_env env = ploy_env_default();
    ploy_planners *planners = open_planners(&level, &env);
    fill_planners(t, &level, planners, 0);
    state_check s = {ploy_planners_visit, planners, NULL, planners_skip, NULL};
    state_check_all(t, &s);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

static bool never(void *user, int32_t state) {
    (void)user, (void)state;
    return false;
}

TEST(planners_do_not_load_callbacks) {
    tile_level level;
    tile_level_make(t, 24, 0.2f, 3, &level);
    ploy_env env = ploy_env_default();
    ploy_planners *planners = open_planners(&level, &env);
    ploy_path_request request = level_ask_cells(&level, 0, 23);
    ploy_path_options options = ploy_path_options_make();
    ploy_path_ticket ticket;
    options.is_goal = never;
    ploy_result asked = ploy_planners_request(planners, &request, &options, &ticket);
    CHECK_OK(asked);
    state_check s = {ploy_planners_visit, planners, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    uint64_t hash = state_hash(&s);
    CHECK_INT(state_load(&s, text, &env, NULL), PLOY_ERR_FORMAT);
    CHECK_UINT(state_hash(&s), hash);
    free(text);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

typedef struct planners_case {
    const tile_level *level;
    const char *text;
} planners_case;

static ploy_result planners_body(const ploy_env *env, void *arg) {
    const planners_case *it = arg;
    ploy_planners *planners = open_planners(it->level, env);
    if (planners == NULL) return PLOY_ERR_MEMORY;
    state_check s = {ploy_planners_visit, planners, NULL, NULL, NULL};
    uint64_t before = state_hash(&s);
    ploy_result result = state_load(&s, it->text, env, NULL);
    if (result != PLOY_OK && state_hash(&s) != before) result = PLOY_ERR_STATE;
    ploy_planners_destroy(planners);
    return result;
}

TEST(planners_load_under_short_memory) {
    tile_level level;
    tile_level_make(t, 24, 0.2f, 3, &level);
    ploy_env env = ploy_env_default();
    ploy_planners *planners = open_planners(&level, &env);
    fill_planners(t, &level, planners, 11);
    state_check s = {ploy_planners_visit, planners, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    planners_case it = {&level, text};
    CHECK_FAIL_NTH(planners_body, &it);
    free(text);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(level.tiles);
}

// ---- navigators

TEST(a_navigator_is_saved_on_its_path) {
    static const char *const skip[] = {"state", "edge", "closed", "closing set", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts), plain = ploy_env_default();
    ploy_navigator_def def = ploy_navigator_def_default();
    ploy_direct_paths_def paths_def = ploy_direct_paths_def_default();
    ploy_direct_paths *paths = NULL;
    ploy_navigator *one = NULL, *two = NULL;
    CHECK_OK(ploy_direct_paths_create(&paths_def, NULL, &plain, &paths));
    ploy_path_service service = ploy_direct_paths_service(paths);
    CHECK_OK(ploy_navigator_create(&def, &env, &one));
    ploy_path_request request = level_ask(ploy_vec3_make(1, 2, 0), ploy_vec3_make(9, 2, 0));
    CHECK_OK(ploy_navigator_begin(one, &service, &request));
    CHECK_OK(ploy_path_service_step(&service, NULL));
    for (int32_t i = 0; i < 4; i++) {
        ploy_vec3 at = {1.0f + 0.2f * (float)i, 2, 0};
        CHECK_OK(ploy_navigator_step(one, &service, at, 0.1f));
    }
    CHECK_INT(ploy_navigator_state_of(one), PLOY_NAVIGATOR_FOLLOWING);
    state_check s = {ploy_navigator_visit, one, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    CHECK_OK(ploy_navigator_create(&def, &env, &two));
    state_check_copy(t, &s, two);
    ploy_vec3 near = {8.9f, 2, 0};
    CHECK_OK(ploy_navigator_step(two, &service, near, 0.1f));
    CHECK_INT(ploy_navigator_state_of(two), PLOY_NAVIGATOR_ARRIVED);
    ploy_navigator_destroy(one);
    ploy_navigator_destroy(two);
    CHECK_INT(counts.bytes, 0);
    ploy_direct_paths_destroy(paths);
}

// ---- corridors

static const char *const corridor_skip[] = {"polygons", "closed", "closing set", "mark", NULL};

TEST(a_corridor_is_saved_and_compared_with_the_mesh) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    nav_floor floor = nav_hall(t, 5, 0.3f), other_floor = nav_hall(t, 6, 0.3f);
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *one = NULL, *two = NULL;
    ploy_path *path = nav_path(t);
    def.capacity = 64;
    CHECK_OK(ploy_corridor_create(&def, &env, &one));
    ploy_navmesh_request request = ploy_navmesh_request_make(nav_at(t, floor.query, 0.6f, 0.6f),
                                                             nav_at(t, floor.query, 39.3f, 29.3f));
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    CHECK_OK(ploy_corridor_set(one, floor.query));
    CHECK(ploy_path_count(ploy_corridor_path(one)) > 2);
    state_check s = {ploy_corridor_visit, one, NULL, corridor_skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    CHECK_OK(ploy_corridor_create(&def, &env, &two));
    state_check_copy(t, &s, two);
    ploy_vec2 to = ploy_vec2_make(0.9f, 0.8f);
    CHECK_INT(ploy_corridor_move(two, other_floor.query, to), PLOY_ERR_CHANGED);
    CHECK_OK(ploy_corridor_move(one, floor.query, to));
    CHECK_OK(ploy_corridor_move(two, floor.query, to));
    CHECK_UINT(ploy_visit_hash(ploy_corridor_visit, two, NULL), state_hash(&s));
    // A row that is not one of the mesh is never used.
    int32_t count = 0;
    int32_t *row = (int32_t *)(uintptr_t)ployi_corridor_polygons(one, &count);
    CHECK(count > 2);
    row[1] += 1;
    char *text = state_save(t, &s);
    row[1] -= 1;
    s.object = two;
    state_expect_load(t, &s, text);
    CHECK_INT(ploy_corridor_move(two, floor.query, to), PLOY_ERR_CHANGED);
    free(text);
    ploy_corridor_destroy(one);
    ploy_corridor_destroy(two);
    CHECK_INT(counts.bytes, 0);
    ploy_path_destroy(path);
    nav_close(&floor);
    nav_close(&other_floor);
}

static ploy_result corridor_body(const ploy_env *env, void *arg) {
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *corridor = NULL;
    def.capacity = 64;
    ploy_result result = ploy_corridor_create(&def, env, &corridor);
    if (result != PLOY_OK) return result;
    state_check s = {ploy_corridor_visit, corridor, NULL, NULL, NULL};
    result = state_load(&s, arg, env, NULL);
    ploy_corridor_destroy(corridor);
    return result;
}

TEST(corridors_load_under_short_memory) {
    ploy_env env = ploy_env_default();
    nav_floor floor = nav_hall(t, 5, 0.3f);
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_corridor *corridor = NULL;
    ploy_path *path = nav_path(t);
    def.capacity = 64;
    CHECK_OK(ploy_corridor_create(&def, &env, &corridor));
    ploy_navmesh_request request = ploy_navmesh_request_make(nav_at(t, floor.query, 0.6f, 0.6f),
                                                             nav_at(t, floor.query, 39.3f, 29.3f));
    CHECK_OK(ploy_navmesh_find_path(floor.query, &request, path, NULL));
    CHECK_OK(ploy_corridor_set(corridor, floor.query));
    state_check s = {ploy_corridor_visit, corridor, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    CHECK_FAIL_NTH(corridor_body, text);
    free(text);
    ploy_corridor_destroy(corridor);
    ploy_path_destroy(path);
    nav_close(&floor);
}

// ---- crowds over corridors

static ploy_corridors *state_crowd(test_context *t, const nav_floor *floor, const ploy_env *env) {
    ploy_corridors_def def = ploy_corridors_def_default();
    ploy_corridors *crowd = NULL;
    def.capacity = 5;
    def.polygons = 64;
    CHECK_OK(ploy_corridors_create(&def, floor->mesh, env, &crowd));
    return crowd;
}

static void state_crowd_walk(test_context *t, ploy_corridors *crowd, int64_t units) {
    ploy_vec2 positions[5], velocities[5];
    ploy_budget budget = ploy_budget_units(units);
    CHECK(ploy_corridors_step(crowd, &budget) >= 0);
    ploy_corridors_velocities(crowd, 3.0f, velocities);
    for (int32_t i = 0; i < ploy_corridors_count(crowd); i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_corridors_get(crowd, i).place.point);
        positions[i] = ploy_vec2_add_scaled(at, velocities[i], 0.1f);
    }
    CHECK_OK(ploy_corridors_follow(crowd, positions));
}

TEST(a_crowd_is_saved_while_it_walks_and_waits) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    nav_floor floor = nav_hall(t, 3, 0.3f);
    ploy_corridors *one = state_crowd(t, &floor, &env);
    ploy_rng rng = ploy_rng_make(4);
    for (int32_t i = 0; i < 4; i++) {
        ploy_navmesh_place from, to;
        CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &from));
        CHECK_OK(ploy_navmesh_find_random_near(floor.query, from, 60.0f, &rng, &to));
        CHECK_OK(ploy_corridors_add(one, from.point, NULL));
        CHECK_OK(ploy_corridors_set_goal(one, i, to.point));
        if (i < 2) {
            for (int32_t k = 0; k < 3; k++) state_crowd_walk(t, one, INT64_MAX);
        }
    }
    int32_t waiting = 0;
    for (int32_t i = 0; i < 4; i++) {
        waiting += ploy_corridors_get(one, i).mode == PLOY_CORRIDORS_WAITING;
    }
    CHECK_INT(waiting, 2);
    state_check s = {ploy_corridors_visit, one, NULL, NULL, NULL};
    state_check_memory(t, &s, &counts);
    state_check_cover(t, &s);
    state_check_files(t, &s);
    ploy_corridors *two = state_crowd(t, &floor, &env);
    state_check_copy(t, &s, two);
    for (int32_t i = 0; i < 200; i++) { // both walk on alike
        state_crowd_walk(t, one, INT64_MAX);
        state_crowd_walk(t, two, INT64_MAX);
        CHECK_UINT(ploy_visit_hash(ploy_corridors_visit, two, NULL), state_hash(&s));
    }
    CHECK_INT(ploy_corridors_get(two, 0).mode, PLOY_CORRIDORS_ARRIVED);
    ploy_corridors_destroy(one);
    ploy_corridors_destroy(two);
    nav_close(&floor);
    CHECK_INT(counts.bytes, 0);
}
