// Movement planning and footfalls.
#include "ploy/base/math.h"
#include "ploy/path/motion_clips.h"
#include "tests/test.h"

TEST(ranges_are_cut_and_envelopes_respected) { // PTH-46, PTH-48
    float values[4], one = 0;
    CHECK_OK(ploy_clip_choices(15, 30, 4, values));
    for (int32_t i = 0; i < 4; i++) CHECK_NEAR(values[i], 15 + 5 * i, 0);
    CHECK_OK(ploy_clip_choices(1, 3, 1, &one));
    CHECK_NEAR(one, 2, 0);
    CHECK_INT(ploy_clip_choices(3, 1, 2, values), PLOY_ERR_ARGUMENT);
    ploy_clip run = ploy_clip_make(ploy_name_of("run"), ploy_vec2_make(2, 0), 0, 0.5f);
    run.rate_min = 0.8f;
    run.rate_max = 1.2f;
    CHECK(ploy_clip_fits(&run, 4.0f, 0, 0.01f));
    CHECK(ploy_clip_fits(&run, 4.8f, 0, 0.01f));
    CHECK(!ploy_clip_fits(&run, 5.0f, 0, 0.01f));
    CHECK(!ploy_clip_fits(&run, 4.0f, 1, 0.01f));
    ploy_clip_pose pose = {{1, 1}, PLOY_PI_F / 2, 0};
    pose = ploy_clip_apply(&run, 1.0f, pose);
    CHECK_NEAR(pose.position.x, 1, 1e-6);
    CHECK_NEAR(pose.position.y, 3, 1e-6);
}

// Stepping stones: discs that one may stand on.
static bool stone_at(ploy_vec2 at) {
    static const ploy_vec2 stones[] = {{0, 0}, {1, 0.4f}, {2, 0}, {3, -0.4f}, {4, 0}, {5, 0}};
    for (size_t i = 0; i < COUNT_OF(stones); i++) {
        if (ploy_vec2_distance(stones[i], at) < 0.35f) return true;
    }
    return false;
}

static bool lands_on_stone(void *user, const ploy_clip *move, ploy_clip_pose from,
                           ploy_clip_pose to) {
    (void)user;
    (void)move;
    (void)from;
    return stone_at(to.position);
}

static ploy_clip_planner *planner_of(test_context *t, const ploy_env *env,
                                     ploy_clip_clear_fn clear) {
    ploy_clip moves[3] = {
        ploy_clip_make(ploy_name_of("jump"), ploy_vec2_make(1, 0), 0, 0.6f),
        ploy_clip_make(ploy_name_of("left"), ploy_vec2_make(0, 0), PLOY_PI_F / 8, 0.2f),
        ploy_clip_make(ploy_name_of("right"), ploy_vec2_make(0, 0), -PLOY_PI_F / 8, 0.2f),
    };
    moves[0].scale_min = 0.8f;
    moves[0].scale_max = 1.2f;
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.headings = 64;
    def.max_states = 20000;
    ploy_clip_planner *planner = NULL;
    CHECK_OK(ploy_clip_planner_create(&def, moves, 3, clear, NULL, env, &planner));
    return planner;
}

TEST(a_row_of_jumps_leads_over_the_stones) { // PTH-47
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fields_check_table(ploy_clip_planner_fields(), NULL));
    ploy_clip_planner *planner = planner_of(t, &env, lands_on_stone);
    ploy_clip_pose from = {{0, 0}, 0, 0}, to = {{5, 0}, 0, 0};
    CHECK_OK(ploy_clip_planner_begin(planner, from, to, -1));
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(50);
        result = ploy_clip_planner_step(planner, &budget);
    }
    CHECK_OK(result);
    CHECK_INT(ploy_clip_planner_outcome(planner), PLOY_SEARCH_FOUND);
    ploy_clip_step steps[64];
    double seconds = 0, sum = 0;
    int32_t count = ploy_clip_planner_plan(planner, steps, 64, &seconds), jumps = 0;
    CHECK(count > 5 && count <= 64);
    ploy_vec2 at = from.position;
    for (int32_t i = 0; i < count; i++) {
        float moved = ploy_vec2_distance(at, steps[i].to.position);
        CHECK(stone_at(steps[i].to.position));
        if (steps[i].move == 0) CHECK_NEAR(moved, steps[i].scale, 0.06);
        jumps += steps[i].move == 0;
        sum += (double)steps[i].seconds;
        at = steps[i].to.position;
    }
    CHECK(jumps >= 5);
    CHECK_NEAR(sum, seconds, 1e-5);
    CHECK(ploy_vec2_distance(at, to.position) <= 0.25f);
    // Off the stones there is no way, and it ends.
    to.position.y = 3;
    CHECK_OK(ploy_clip_planner_begin(planner, from, to, -1));
    CHECK_OK(ploy_clip_planner_step(planner, NULL));
    CHECK(ploy_clip_planner_outcome(planner) != PLOY_SEARCH_FOUND);
    CHECK_INT(ploy_clip_planner_plan(planner, NULL, 0, NULL), -1);
    to.position.x = NAN;
    CHECK_INT(ploy_clip_planner_begin(planner, from, to, -1), PLOY_ERR_ARGUMENT);
    ploy_clip_planner_destroy(planner);
}

// A plank: feet may stand within 0.25 m of it.
static bool on_plank(void *user, ploy_vec2 place) {
    (void)user;
    return fabsf(place.y) < 0.25f;
}

static bool foot_on_plank(void *user, const ploy_clip *move, ploy_clip_pose from,
                          ploy_clip_pose to) {
    ploy_footfalls feet = ploy_footfalls_default();
    (void)move;
    (void)from;
    return on_plank(user, ploy_footfalls_place(&feet, to));
}

TEST(feet_alternate_and_stay_on_the_plank) { // PTH-49
    ploy_env env = ploy_env_default();
    ploy_footfalls feet = ploy_footfalls_default();
    ploy_clip moves[64];
    int32_t count = ploy_footfalls_clips(&feet, moves, 64);
    CHECK_INT(count, 2 * feet.steps * feet.turns);
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.max_states = 20000;
    ploy_clip_planner *planner = NULL;
    CHECK_OK(ploy_clip_planner_create(&def, moves, count, foot_on_plank, NULL, &env, &planner));
    ploy_clip_pose from = {{0, 0}, 0, PLOY_FOOT_LEFT}, to = {{4, 0}, 0, 0};
    CHECK_OK(ploy_clip_planner_begin(planner, from, to, -1));
    CHECK_OK(ploy_clip_planner_step(planner, NULL));
    ploy_clip_step steps[32];
    int32_t made = ploy_clip_planner_plan(planner, steps, 32, NULL);
    CHECK(made >= 5 && made <= 7);
    for (int32_t i = 0; i < made; i++) {
        CHECK_INT(steps[i].to.posture, i % 2 == 0 ? PLOY_FOOT_RIGHT : PLOY_FOOT_LEFT);
        CHECK(on_plank(NULL, ploy_footfalls_place(&feet, steps[i].to)));
    }
    ploy_clip_planner_destroy(planner);
    ploy_vec2 place = {1, 0.5f}, snapped = {0, 0};
    CHECK(ploy_footfalls_snap(place, 0.5f, 0.05f, on_plank, NULL, &snapped));
    CHECK(on_plank(NULL, snapped));
    CHECK_NEAR(ploy_vec2_distance(place, snapped), 0.3, 0.051);
    CHECK(!ploy_footfalls_snap(place, 0.1f, 0.05f, on_plank, NULL, &snapped));
}

static ploy_result plan_small(const ploy_env *env, void *arg) {
    test_context *t = arg;
    (void)t;
    ploy_clip move = ploy_clip_make(ploy_name_of("step"), ploy_vec2_make(1, 0), 0, 1);
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    ploy_clip_planner *planner = NULL;
    ploy_clip_pose from = {{0, 0}, 0, 0}, to = {{5, 0}, 0, 0};
    ploy_result result = ploy_clip_planner_create(&def, &move, 1, NULL, NULL, env, &planner);
    if (result == PLOY_OK) result = ploy_clip_planner_begin(planner, from, to, -1);
    if (result == PLOY_OK) result = ploy_clip_planner_step(planner, NULL);
    ploy_clip_planner_destroy(planner);
    return result;
}

TEST(a_move_planner_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(plan_small, t);
}
