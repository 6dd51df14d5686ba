// Which polygon a point is on.
#include "tests/path/navmesh_help.h"

TEST(the_nearest_is_what_asking_every_polygon_gives) {
    for (int64_t seed = 0; seed < test_rounds(20); seed++) {
        TEST_SEED(seed);
        nav_floor floor = nav_hall(t, (uint64_t)seed, 0.3f);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t polygons = ploy_navmesh_stats_of(floor.mesh).polygons, last = -1;
        for (int32_t i = 0; i < 100; i++) {
            ploy_vec2 p = {ploy_rng_range(&rng, -5, 45), ploy_rng_range(&rng, -5, 35)};
            float best = INFINITY;
            for (int32_t k = 0; k < polygons; k++) {
                ploy_vec2 near = ploy_vec2_from_vec3(ploy_navmesh_closest(floor.mesh, k, p));
                best = ploy_minf(best, ploy_vec2_distance(near, p));
            }
            ploy_navmesh_place place, hinted;
            ploy_vec3 point = ploy_vec3_from_vec2(p, 0.0f);
            CHECK_OK(ploy_navmesh_find_nearest(floor.query, point, -1, NULL, &place));
            CHECK_NEAR(place.distance, best, 1e-6);
            // A hint, right or wrong, changes at most which of equal ones is told.
            int32_t hint = i % 2 == 0 ? last : ploy_rng_int(&rng, -3, polygons + 3);
            CHECK_OK(ploy_navmesh_find_nearest(floor.query, point, hint, NULL, &hinted));
            CHECK_NEAR(hinted.distance, best, 1e-6);
            last = place.polygon;
            ploy_navmesh_reach reach = ploy_navmesh_reach_default();
            reach.radius = 1.0f;
            ploy_result result = ploy_navmesh_find_nearest(floor.query, point, -1, &reach, &place);
            if (fabsf(best - 1.0f) > 1e-4f) {
                CHECK_INT(result, best < 1.0f ? PLOY_OK : PLOY_ERR_NOT_FOUND);
            }
        }
        nav_close(&floor);
    }
}

// A floor 10 m by 4 m, and 3 m above it a walkway with a gap from x = 4 to x = 6.
static nav_floor walkway(test_context *t) {
    static const ploy_vec3 points[] = {{0, 0, 0}, {10, 0, 0}, {10, 4, 0}, {0, 4, 0},
                                       {0, 1, 3}, {4, 1, 3},  {4, 3, 3},  {0, 3, 3},
                                       {6, 1, 3}, {10, 1, 3}, {10, 3, 3}, {6, 3, 3}};
    static const int32_t sizes[] = {4, 4, 4}, corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    ploy_navmesh_soup soup = {points, 12,   sizes, 3, corners, 12,  NULL,
                              NULL,   NULL, NULL,  0, NULL,    NULL};
    return nav_soup(t, soup);
}

// PTH-22: who jumps over the gap keeps the walkway, a plumb line finds the floor.
TEST(who_is_in_the_air_is_where_the_policy_says) {
    static const struct {
        const char *row;
        ploy_vec3 at;
        int32_t hint;
        float height;
        ploy_navmesh_airborne airborne;
        int32_t want;
    } rows[] = {
        {"dropped over the gap", {5, 2, 4}, 1, INFINITY, PLOY_NAVMESH_DROP, 0},
        {"held over the gap", {5, 2, 4}, 1, INFINITY, PLOY_NAVMESH_HOLD_LAST, 1},
        {"on the walkway", {2, 2, 3}, -1, INFINITY, PLOY_NAVMESH_DROP, 1},
        {"on the floor below it", {2, 2, 0.1f}, -1, INFINITY, PLOY_NAVMESH_DROP, 0},
        {"the floor is too far below", {5, 2, 4}, -1, 2.0f, PLOY_NAVMESH_DROP, 1},
        {"held without a hint", {5, 2, 4}, -1, INFINITY, PLOY_NAVMESH_HOLD_LAST, 0},
        {"the hint decides between floors", {2, 2, 1.6f}, 0, INFINITY, PLOY_NAVMESH_DROP, 0},
    };
    nav_floor floor = walkway(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_navmesh_reach reach = {INFINITY, rows[i].height, rows[i].airborne};
        ploy_navmesh_place place;
        CHECK_OK(ploy_navmesh_find_nearest(floor.query, rows[i].at, rows[i].hint, &reach, &place));
        CHECK_INT(place.polygon, rows[i].want);
    }
    nav_close(&floor);
}

// A point beside a floor is on that floor, not on one far below: the nearest in space, where a step's
// height over a floor does not count.
TEST(the_nearest_in_space_is_not_the_floor_below_a_rim) {
    static const struct {
        const char *row;
        ploy_vec3 at;
        int32_t drop, closest;
    } rows[] = {
        {"2 cm off the walkway's rim", {4.02f, 2, 3}, 0, 1},
        {"2 cm off, a little above it", {4.02f, 2, 3.2f}, 0, 1},
        {"on the walkway", {2, 2, 3}, 1, 1},
        {"above the walkway", {2, 2, 5}, 1, 1},
        {"below it, on the floor", {2, 2, 0.4f}, 0, 0},
        {"in the gap, nearer to the floor", {5, 2, 1}, 0, 0},
        {"in the gap, nearer to the other side", {5.8f, 2, 3}, 0, 2},
        {"beside everything", {-0.5f, 2, 3}, 1, 1},
    };
    nav_floor floor = walkway(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_navmesh_reach reach = ploy_navmesh_reach_default();
        ploy_navmesh_place place;
        CHECK_OK(ploy_navmesh_find_nearest(floor.query, rows[i].at, -1, &reach, &place));
        CHECK_INT(place.polygon, rows[i].drop);
        reach.airborne = PLOY_NAVMESH_CLOSEST;
        CHECK_OK(ploy_navmesh_find_nearest(floor.query, rows[i].at, -1, &reach, &place));
        CHECK_INT(place.polygon, rows[i].closest);
    }
    nav_close(&floor);
}

TEST(the_nearest_in_space_is_what_asking_every_polygon_gives) {
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec3 points[48];
        int32_t sizes[12], corners[48];
        for (int32_t i = 0; i < 12; i++) { // plates at any height
            float x = ploy_rng_range(&rng, 0, 8), y = ploy_rng_range(&rng, 0, 8);
            float z = 6.0f * (float)i / 11.0f;
            ploy_vec3 ring[4] = {{x, y, z}, {x + 3, y, z}, {x + 3, y + 2, z}, {x, y + 2, z}};
            memcpy(points + 4 * i, ring, sizeof ring);
            for (int32_t k = 0; k < 4; k++) corners[4 * i + k] = 4 * i + k;
            sizes[i] = 4;
        }
        ploy_navmesh_soup soup = {points, 48,   sizes, 12, corners, 48,  NULL,
                                  NULL,   NULL, NULL,  0,  NULL,    NULL};
        nav_floor floor = nav_soup(t, soup);
        double step = (double)ploy_navmesh_def_default().step_height;
        for (int32_t i = 0; i < 200; i++) {
            ploy_vec3 at = {ploy_rng_range(&rng, -2, 12), ploy_rng_range(&rng, -2, 12),
                            ploy_rng_range(&rng, -2, 8)};
            double best = (double)INFINITY;
            for (int32_t k = 0; k < 12; k++) {
                ploy_vec3 near = ploy_navmesh_closest(floor.mesh, k, ploy_vec2_from_vec3(at));
                double dx = near.x - at.x, dy = near.y - at.y, dz = near.z - at.z;
                bool over = ploy_navmesh_holds(floor.mesh, k, ploy_vec2_from_vec3(at));
                double high = fmax(fabs(dz) - step, 0.0);
                best = fmin(best, over ? high * high : dx * dx + dy * dy + dz * dz);
            }
            ploy_navmesh_reach reach = ploy_navmesh_reach_default();
            ploy_navmesh_place place;
            reach.airborne = PLOY_NAVMESH_CLOSEST;
            CHECK_OK(ploy_navmesh_find_nearest(floor.query, at, -1, &reach, &place));
            double dx = place.point.x - at.x, dy = place.point.y - at.y, dz = place.point.z - at.z;
            bool over = dx == 0.0 && dy == 0.0;
            double high = fmax(fabs(dz) - step, 0.0);
            CHECK_NEAR(over ? high * high : dx * dx + dy * dy + dz * dz, best, 1e-5);
        }
        nav_close(&floor);
    }
}

// PTH-22: predicting the landing.
TEST(a_jump_lands_where_its_parabola_meets_the_floor) {
    static const struct {
        const char *row;
        ploy_vec3 velocity;
        ploy_result result;
        int32_t want;
    } rows[] = {{"over the gap", {4, 0, 5}, PLOY_OK, 2},
                {"too short", {1, 0, 1}, PLOY_OK, 0},
                {"straight up", {0, 0, 5}, PLOY_OK, 1},
                {"off the map", {0, 40, 5}, PLOY_ERR_NOT_FOUND, -1}};
    nav_floor floor = walkway(t);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_navmesh_place place = {-1, {0, 0, 0}, 0};
        CHECK_INT(ploy_navmesh_find_landing(floor.query, ploy_vec3_make(3.9f, 2, 3),
                                            rows[i].velocity, 9.81f, 5.0f, &place),
                  rows[i].result);
        CHECK_INT(place.polygon, rows[i].want);
    }
    ploy_navmesh_place place;
    ploy_vec3 up = {0, 0, 1}, nan = {NAN, 0, 0};
    CHECK_INT(ploy_navmesh_find_landing(floor.query, nan, up, 9.81f, 5.0f, &place),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_find_landing(floor.query, up, up, 0.0f, 5.0f, &place),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_navmesh_find_nearest(floor.query, nan, -1, NULL, &place), PLOY_ERR_ARGUMENT);
    nav_close(&floor);
}
