// Taking a room (TAC-53): which corners, and the three scripts.
#include "ploy/base/rng.h"
#include "ploy/tactics/house.h"
#include "ploy/tactics/squad_script.h"
#include "tests/test.h"

// 6 m wide, 4 m deep, the door in the middle of a long wall.
static const ploy_vec2 rectangle[] = {{-3, 0}, {3, 0}, {3, 4}, {-3, 4}};

static ploy_house_room room_of(const ploy_vec2 *corners, int32_t count, float door_x) {
    ploy_house_room room = {corners, count, {door_x, 0}, {0, 2}, 1.0f};
    return room;
}

TEST(the_corners_are_the_two_nearest_that_can_be_defended) {
    static const struct {
        const char *row;
        float door_x, least;
        int32_t count;
        ploy_vec2 first, second;
    } rows[] = {
        {"the ends of the door's wall, 3 m each", 0, 1, 2, {-3, 0}, {3, 0}},
        {"just far enough", 0, 3, 2, {-3, 0}, {3, 0}},
        {"too near: the far pair", 0, 3.01f, 2, {3, 4}, {-3, 4}},
        {"none is far enough: both flank", 0, 6, 0, {-0.9f, 0.5f}, {0.9f, 0.5f}},
        {"the near one is too near: both others on one side", 2.5f, 1, 2, {3, 4}, {-3, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_house_room room = room_of(rectangle, 4, rows[i].door_x);
        ploy_house_plan plan;
        CHECK_OK(ploy_house_plan_make(&room, rows[i].least, &plan));
        CHECK_INT(plan.corner_count, rows[i].count);
        CHECK_NEAR(plan.corners[0].x, rows[i].first.x, 1e-6);
        CHECK_NEAR(plan.corners[0].y, rows[i].first.y, 1e-6);
        CHECK_NEAR(plan.corners[1].x, rows[i].second.x, 1e-6);
        CHECK_NEAR(plan.corners[1].y, rows[i].second.y, 1e-6);
    }
    // On one side of the door, the first gets the one along the near wall although it is farther.
    static const ploy_vec2 narrow[] = {{0.2f, 0}, {6, 0}, {5.9f, 1}, {0.2f, 1}};
    ploy_house_room room = room_of(narrow, 4, 0.1f);
    ploy_house_plan plan;
    CHECK_OK(ploy_house_plan_make(&room, 2, &plan));
    CHECK_NEAR(plan.corners[0].x, 6.0, 1e-6);
    CHECK_NEAR(plan.corners[1].x, 5.9, 1e-6);
    // One corner only: the second member flanks.
    room.corner_count = 2;
    CHECK_OK(ploy_house_plan_make(&room, 2, &plan));
    CHECK_INT(plan.corner_count, 1);
    CHECK_NEAR(plan.corners[1].x, plan.flank[1].x, 0);
}

TEST(bad_rooms_are_refused) {
    ploy_house_room room = room_of(rectangle, 4, 0);
    ploy_house_plan plan;
    CHECK_INT(ploy_house_plan_make(&room, -1, &plan), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_house_plan_make(&room, NAN, &plan), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_house_plan_make(NULL, 1, &plan), PLOY_ERR_ARGUMENT);
    room.inward = ploy_vec2_make(0, 0);
    CHECK_INT(ploy_house_plan_make(&room, 1, &plan), PLOY_ERR_ARGUMENT);
    room = room_of(rectangle, 4, 0);
    room.door_width = 0;
    CHECK_INT(ploy_house_plan_make(&room, 1, &plan), PLOY_ERR_ARGUMENT);
}

TEST(places_differ_in_every_room) {
    for (int64_t seed = 1; seed <= test_rounds(500); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 corners[8];
        int32_t count = ploy_rng_int(&rng, 3, 8);
        for (int32_t i = 0; i < count; i++) {
            float x = ploy_rng_range(&rng, -6, 6);
            float y = ploy_rng_range(&rng, 0, 6);
            corners[i] = ploy_vec2_make(x, y);
        }
        float door_x = ploy_rng_range(&rng, -3, 3);
        float least = ploy_rng_range(&rng, 0, 5);
        ploy_house_room room = room_of(corners, count, door_x);
        ploy_house_plan plan;
        CHECK_OK(ploy_house_plan_make(&room, least, &plan));
        CHECK(ploy_vec2_distance(plan.corners[0], plan.corners[1]) > 0.0f);
        int32_t nearer = 0;
        for (int32_t i = 0; i < count; i++) {
            float distance = ploy_vec2_distance(corners[i], room.door);
            if (distance < least) continue;
            // No usable corner is nearer than both that were taken.
            float farther = 0.0f;
            for (int32_t k = 0; k < plan.corner_count; k++) {
                farther = fmaxf(farther, ploy_vec2_distance(plan.corners[k], room.door));
            }
            nearer += distance < farther;
        }
        CHECK(nearer <= 1);
        for (int32_t i = 0; i < PLOY_HOUSE_SLOTS; i++) {
            CHECK(plan.outside[i].y < 0.0f); // outside
            for (int32_t k = 0; k < i; k++) {
                CHECK(ploy_vec2_distance(plan.outside[i], plan.outside[k]) > 0.5f);
            }
        }
    }
}

TEST(the_scripts_are_for_four_three_and_two_and_have_no_deadlock) {
    ploy_env env = ploy_env_default();
    ploy_squad_scripts *scripts = NULL;
    ploy_diags *diags = NULL;
    const char *text = ploy_house_script();
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_OK(ploy_squad_scripts_load(text, strlen(text), "house", &env, diags, &scripts));
    CHECK_INT(ploy_squad_scripts_lint(scripts, diags), 0);
    CHECK_INT(ploy_diags_count(diags), 0);
    static const char *const names[] = {"house4", "house3", "house2"};
    for (int32_t i = 0; i < 3; i++) {
        CHECK_INT(ploy_squad_scripts_find(scripts, names[i]), i);
        CHECK_INT(ploy_squad_scripts_actors(scripts, i), 4 - i);
        // Everybody who waits has a timeout: a fallen partner blocks nobody forever.
        for (int32_t a = 0; a < 4 - i; a++) {
            for (int32_t k = 0; k < ploy_squad_scripts_steps(scripts, i, a); k++) {
                ploy_squad_step step;
                CHECK_OK(ploy_squad_scripts_step_at(scripts, i, a, k, &step));
                CHECK(step.kind != PLOY_SQUAD_WAIT || step.timeout > 0.0f);
            }
        }
    }
    ploy_diags_destroy(diags);
    ploy_squad_scripts_destroy(scripts);
}
