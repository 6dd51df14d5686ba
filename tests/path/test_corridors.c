// A crowd over corridors: everybody arrives, walls hold, a small budget is enough, and meshes may be
// replaced under way.
#include "ploy/path/corridors.h"

#include "tests/draw_count.h"
#include "tests/path/navmesh_help.h"

enum { CROWD_AGENTS = 24 };

static ploy_corridors *crowd_over(test_context *t, const ploy_navmesh *mesh, const ploy_env *env) {
    ploy_corridors_def def = ploy_corridors_def_default();
    ploy_corridors *crowd = NULL;
    CHECK_OK(ploy_fields_check_table(ploy_corridors_fields(), NULL));
    def.capacity = CROWD_AGENTS;
    CHECK_OK(ploy_corridors_create(&def, mesh, env, &crowd));
    return crowd;
}

// One tick of a tenth of a second; pushes are what avoidance might do.
static void crowd_tick(test_context *t, ploy_corridors *crowd, ploy_rng *rng, int64_t units) {
    ploy_vec2 velocities[CROWD_AGENTS], positions[CROWD_AGENTS];
    ploy_budget budget = ploy_budget_units(units);
    CHECK(ploy_corridors_step(crowd, &budget) >= 0);
    ploy_corridors_velocities(crowd, 3.0f, velocities);
    for (int32_t i = 0; i < ploy_corridors_count(crowd); i++) {
        ploy_vec2 at = ploy_vec2_from_vec3(ploy_corridors_get(crowd, i).place.point);
        ploy_vec2 push = {ploy_rng_range(rng, -0.05f, 0.05f), ploy_rng_range(rng, -0.05f, 0.05f)};
        positions[i] = ploy_vec2_add(ploy_vec2_add_scaled(at, velocities[i], 0.1f), push);
    }
    CHECK_OK(ploy_corridors_follow(crowd, positions));
}

static int32_t crowd_arrived(const ploy_corridors *crowd) {
    int32_t arrived = 0;
    for (int32_t i = 0; i < ploy_corridors_count(crowd); i++) {
        arrived += ploy_corridors_get(crowd, i).mode == PLOY_CORRIDORS_ARRIVED;
    }
    return arrived;
}

TEST(everybody_arrives_on_a_small_budget) {
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(6); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.3f);
        ploy_corridors *crowd = crowd_over(t, floor.mesh, &env);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_navmesh_place goals[CROWD_AGENTS];
        for (int32_t i = 0; i < CROWD_AGENTS; i++) {
            ploy_navmesh_place from;
            int32_t index = -1;
            CHECK_OK(ploy_navmesh_find_random(floor.query, &rng, &from));
            CHECK_OK(ploy_navmesh_find_random_near(floor.query, from, 60.0f, &rng, &goals[i]));
            CHECK_OK(ploy_corridors_add(crowd, from.point, &index));
            CHECK_INT(index, i);
            CHECK_OK(ploy_corridors_set_goal(crowd, i, goals[i].point));
            CHECK_INT(ploy_corridors_get(crowd, i).mode, PLOY_CORRIDORS_WAITING);
        }
        CHECK_INT(ploy_corridors_add(crowd, goals[0].point, NULL), PLOY_ERR_CAPACITY);
        int32_t ticks = 0;
        // Five nodes a tick are not enough for one search: it goes on over several.
        for (; ticks < 1500 && crowd_arrived(crowd) < CROWD_AGENTS; ticks++) {
            crowd_tick(t, crowd, &rng, 5);
            for (int32_t i = 0; i < CROWD_AGENTS; i++) { // on the floor, always
                ploy_navmesh_place at = ploy_corridors_get(crowd, i).place;
                ploy_vec2 point = ploy_vec2_from_vec3(at.point);
                ploy_vec3 on = ploy_navmesh_closest(floor.mesh, at.polygon, point);
                CHECK(ploy_vec2_distance(ploy_vec2_from_vec3(on), point) < 1e-4f);
            }
        }
        CHECK_DRAWS(CROWD_AGENTS, ploy_corridors_draw(crowd, &drawing));
        CHECK(ticks < 1500);
        for (int32_t i = 0; i < CROWD_AGENTS; i++) {
            ploy_corridors_agent agent = ploy_corridors_get(crowd, i);
            CHECK(ploy_vec3_distance(agent.place.point, goals[i].point) < 1.5f);
            CHECK(agent.searches >= 1 && agent.searches < 40);
        }
        ploy_corridors_destroy(crowd);
        nav_close(&floor);
    }
}

TEST(a_mesh_is_replaced_under_way_and_goals_move) {
    static const ploy_vec2 hall[] = {{0, 0}, {40, 0}, {40, 20}, {0, 20}};
    static const ploy_vec2 wall[] = {{18, -1}, {22, -1}, {22, 15}, {18, 15}};
    ploy_env env = ploy_env_default();
    ploy_navmesh_tiles *tiles = NULL;
    CHECK_OK(nav_tiled(hall, 4, 8.0f, 0.3f, &env, &tiles));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    ploy_corridors *crowd = crowd_over(t, ploy_navmesh_tiles_mesh(tiles), &env);
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < 4; i++) {
        CHECK_OK(ploy_corridors_add(crowd, ploy_vec3_make(2, 2 + 4 * (float)i, 0), NULL));
        CHECK_OK(ploy_corridors_set_goal(crowd, i, ploy_vec3_make(38, 10, 0)));
    }
    for (int32_t i = 0; i < 20; i++) crowd_tick(t, crowd, &rng, 100);
    CHECK_INT(ploy_corridors_get(crowd, 0).mode, PLOY_CORRIDORS_WALKING);
    // A wall comes; the old mesh is gone with the refresh.
    CHECK_OK(ploy_navmesh_tiles_add(tiles, wall, 4, NULL));
    CHECK_OK(ploy_navmesh_tiles_refresh(tiles, NULL));
    CHECK_OK(ploy_corridors_set_mesh(crowd, ploy_navmesh_tiles_mesh(tiles)));
    CHECK_INT(ploy_corridors_get(crowd, 0).mode, PLOY_CORRIDORS_WAITING);
    int32_t ticks = 0;
    for (; ticks < 600 && crowd_arrived(crowd) < 4; ticks++) {
        crowd_tick(t, crowd, &rng, 100);
        for (int32_t i = 0; i < 4; i++) {
            ploy_vec3 at = ploy_corridors_get(crowd, i).place.point;
            CHECK(!(at.x > 18.0f && at.x < 22.0f && at.y < 15.0f)); // never in the wall
        }
        // A goal that walks does not need a search each time.
        ploy_vec3 goal = {38, 10 + 0.01f * (float)ticks, 0};
        if (ploy_corridors_get(crowd, 3).mode == PLOY_CORRIDORS_WALKING) {
            CHECK_OK(ploy_corridors_set_goal(crowd, 3, goal));
        }
    }
    CHECK(ticks < 600);
    CHECK(ploy_corridors_get(crowd, 3).searches <= 4);
    CHECK_OK(ploy_corridors_stop(crowd, 0));
    CHECK_INT(ploy_corridors_get(crowd, 0).mode, PLOY_CORRIDORS_IDLE);
    CHECK_INT(ploy_corridors_stop(crowd, 9), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_corridors_get(crowd, 9).place.polygon, -1);
    CHECK_INT(ploy_corridors_set_mesh(crowd, NULL), PLOY_ERR_ARGUMENT);
    ploy_corridors_destroy(crowd);
    ploy_navmesh_tiles_destroy(tiles);
}

static ploy_result crowd_nth(const ploy_env *env, void *arg) {
    const ploy_navmesh *mesh = arg;
    ploy_corridors_def def = ploy_corridors_def_default();
    ploy_corridors *crowd = NULL;
    ploy_vec2 position = {3, 3};
    def.capacity = 2;
    ploy_result result = ploy_corridors_create(&def, mesh, env, &crowd);
    if (result == PLOY_OK) result = ploy_corridors_add(crowd, ploy_vec3_make(1, 1, 0), NULL);
    if (result == PLOY_OK) result = ploy_corridors_set_goal(crowd, 0, ploy_vec3_make(38, 28, 0));
    if (result == PLOY_OK) result = ploy_corridors_step(crowd, NULL);
    if (result == PLOY_OK) result = ploy_corridors_follow(crowd, &position);
    if (result == PLOY_OK) result = ploy_corridors_set_mesh(crowd, mesh);
    ploy_corridors_destroy(crowd);
    return result;
}

TEST(a_crowd_survives_every_failing_allocation) {
    nav_floor floor = nav_hall(t, 1, 0.3f);
    CHECK_FAIL_NTH(crowd_nth, floor.mesh);
    nav_close(&floor);
}
