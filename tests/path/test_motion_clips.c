// Movement planning and footfalls.
#include "path/path_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
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
    run.turn_min = -0.25f; // a range of rotation: -0.6 to 0.6 rad/s at the fastest
    run.turn_max = 0.25f;
    CHECK(ploy_clip_fits(&run, 4.0f, 0.59f, 0.01f));
    CHECK(ploy_clip_fits(&run, 4.0f, -0.59f, 0.01f));
    CHECK(!ploy_clip_fits(&run, 4.0f, 0.7f, 0.01f));
    ploy_clip_pose pose = ploy_clip_pose_make(ploy_vec2_make(1, 1), PLOY_PI_F / 2);
    pose = ployi_clip_apply(&run, (ploy_clip_choice){1.0f, 0.0f, 0.8f}, pose);
    CHECK_NEAR(pose.position.x, 1, 1e-6);
    CHECK_NEAR(pose.position.y, 3, 1e-6);
    CHECK_NEAR(pose.velocity.y, 3.2, 1e-5);
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
    CHECK_OK(ploy_clip_planner_create(&def, moves, 3, NULL, clear, NULL, env, &planner));
    return planner;
}

TEST(a_row_of_jumps_leads_over_the_stones) { // PTH-47
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fields_check_table(ploy_clip_planner_fields(), NULL));
    ploy_clip_planner *planner = planner_of(t, &env, lands_on_stone);
    ploy_clip_pose from = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0);
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(5, 0), 0);
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
        if (steps[i].clip == 0) CHECK_NEAR(moved, steps[i].choice.scale, 1e-5);
        jumps += steps[i].clip == 0;
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

// Plans from the origin, plays the plan clip by clip, and checks that it ends where it says, to the
// bit. @return the number of clips, -1 without a plan.
static int32_t plan_and_play(test_context *t, const ploy_clip_planner_def *def,
                             const ploy_clip *clips, int32_t count, const ploy_scene *scene,
                             ploy_clip_pose to, ploy_clip_step *steps, int32_t capacity) {
    ploy_env env = ploy_env_default();
    ploy_clip_planner *planner = NULL;
    ploy_clip_pose pose = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0);
    CHECK_OK(ploy_clip_planner_create(def, clips, count, scene, NULL, NULL, &env, &planner));
    CHECK_OK(ploy_clip_planner_begin(planner, pose, to, -1));
    CHECK_OK(ploy_clip_planner_step(planner, NULL));
    int32_t made = ploy_clip_planner_plan(planner, steps, capacity, NULL);
    CHECK(made <= capacity);
    for (int32_t i = 0; i < made; i++) {
        pose = ployi_clip_apply(&clips[steps[i].clip], steps[i].choice, pose);
        CHECK(memcmp(&pose, &steps[i].to, sizeof pose) == 0);
    }
    if (made > 0) CHECK(ploy_vec2_distance(pose.position, to.position) <= def->goal_radius);
    ploy_clip_planner_destroy(planner);
    return made;
}

TEST(playing_a_plan_ends_where_the_plan_does) { // PTH-47: snapped poses drifted by 0.4 m here
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    ploy_clip step = ploy_clip_make(ploy_name_of("step"), ploy_vec2_make(0.33f, 0), 0, 0.5f);
    ploy_clip_step steps[32];
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(7, 0), 0);
    CHECK_INT(plan_and_play(t, &def, &step, 1, NULL, to, steps, 32), 21);
    CHECK_NEAR(steps[20].to.position.x, 6.93, 1e-4);
}

TEST(clips_smaller_than_a_bin_are_not_lost) { // PTH-47
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.headings = 8; // 45 degrees each
    def.lattice = 0.5f;
    def.goal_angle = 0.05f;
    ploy_clip clips[2] = {
        ploy_clip_make(ploy_name_of("turn"), ploy_vec2_make(0, 0), 0.1f, 0.2f),
        ploy_clip_make(ploy_name_of("creep"), ploy_vec2_make(0.1f, 0), 0, 0.2f),
    };
    ploy_clip_step steps[32];
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(0, 0), 1.0f);
    CHECK_INT(plan_and_play(t, &def, clips, 1, NULL, to, steps, 32), 10);
    to = ploy_clip_pose_make(ploy_vec2_make(1, 0), 0);
    CHECK_INT(plan_and_play(t, &def, clips, 2, NULL, to, steps, 32), 8); // 0.8 m: near enough
}

TEST(a_jump_needs_a_run_up) { // PTH-47: velocity in the state, PTH-48: rates as choices
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.goal_radius = 0.5f;
    enum { WALK, RUN, LEAP };
    ploy_clip clips[3] = {
        ploy_clip_make(ploy_name_of("walk"), ploy_vec2_make(0.7f, 0), 0, 0.5f),
        ploy_clip_make(ploy_name_of("run"), ploy_vec2_make(1.5f, 0), 0, 0.5f),
        ploy_clip_make(ploy_name_of("leap"), ploy_vec2_make(3, 0), 0, 0.6f),
    };
    clips[RUN].speed_min = 1.0f; // from a walk only, and no leap without full speed
    clips[RUN].rate_min = 0.5f;
    clips[LEAP].speed_min = 2.8f;
    ploy_clip_step steps[32];
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(5.2f, 0), 0);
    int32_t made = plan_and_play(t, &def, clips, 3, NULL, to, steps, 32);
    CHECK_INT(made, 3);
    CHECK_INT(steps[0].clip, WALK);
    CHECK_INT(steps[1].clip, RUN);
    CHECK_INT(steps[2].clip, LEAP);
    // A goal that asks for a velocity: only the run at three quarters of its rate ends with it.
    to = ploy_clip_pose_make(ploy_vec2_make(2.2f, 0), 0);
    to.velocity = ploy_vec2_make(2.25f, 0);
    def.goal_velocity = 0.1f;
    made = plan_and_play(t, &def, clips, 3, NULL, to, steps, 32);
    CHECK_INT(made, 2);
    CHECK_INT(steps[1].clip, RUN);
    CHECK_NEAR(steps[1].choice.rate, 0.75, 1e-6);
    def.rates = 1; // the middle of 0.5 to 1, too
    CHECK_INT(plan_and_play(t, &def, clips, 3, NULL, to, steps, 32), 2);
    to.velocity.x = 9;
    CHECK_INT(plan_and_play(t, &def, clips, 3, NULL, to, steps, 32), -1);
}

TEST(a_clip_turns_within_its_range_and_sweeps_its_radius) { // PTH-46, PTH-47
    ploy_env env = ploy_env_default();
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    ploy_clip walk = ploy_clip_make(ploy_name_of("walk"), ploy_vec2_make(0.5f, 0), 0, 0.5f);
    walk.turn_min = -0.4f;
    walk.turn_max = 0.4f;
    walk.radius = 0.3f;
    ploy_clip_step steps[64];
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(4, 0), 0);
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_plain_scene *walls = NULL;
    CHECK_OK(ploy_plain_scene_create(&scene_def, &env, &walls));
    CHECK_OK(ploy_plain_scene_add_circle(walls, ploy_vec2_make(2, 0), 0.5f, 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(walls);
    int32_t made = plan_and_play(t, &def, &walk, 1, &scene, to, steps, 64);
    CHECK(made >= 8);
    ploy_vec2 at = {0, 0};
    for (int32_t i = 0; i < made; i++) {
        ploy_segment2 leg = {at, steps[i].to.position};
        CHECK(ploy_segment2_distance(leg, ploy_vec2_make(2, 0)) >= 0.8f - 1e-4f);
        at = steps[i].to.position;
    }
    // A gap of 0.5 m between two walls lets a body of radius 0.2 m through, one of 0.3 m not.
    ploy_plain_scene_clear(walls);
    CHECK_OK(ploy_plain_scene_add_segment(walls, ploy_vec2_make(3, 0.25f), ploy_vec2_make(3, 50), 1,
                                          NULL));
    CHECK_OK(ploy_plain_scene_add_segment(walls, ploy_vec2_make(3, -0.25f), ploy_vec2_make(3, -50),
                                          1, NULL));
    def.max_states = 4000;
    CHECK_INT(plan_and_play(t, &def, &walk, 1, &scene, to, steps, 64), -1);
    walk.radius = 0.2f;
    CHECK(plan_and_play(t, &def, &walk, 1, &scene, to, steps, 64) > 0);
    ploy_plain_scene_destroy(walls);
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

// Plans to a place with a turning clip. @return the number of poses, or -1; *end: where it stops.
static int32_t turn_to(test_context *t, int32_t refine, ploy_vec2 goal, ploy_vec2 *end) {
    ploy_env env = ploy_env_default();
    ploy_clip clip = ploy_clip_make(ploy_name_of("step"), ploy_vec2_make(0.8f, 0), 0, 0.5f);
    clip.scale_min = 0.25f;
    clip.scale_max = 1.25f;
    clip.turn_min = -0.6f;
    clip.turn_max = 0.6f;
    ploy_clip_planner_def def = ploy_clip_planner_def_default();
    def.refine = refine;
    def.goal_radius = 0.02f;
    def.goal_angle = PLOY_PI_F;
    ploy_clip_planner *planner = NULL;
    CHECK_OK(ploy_clip_planner_create(&def, &clip, 1, NULL, NULL, NULL, &env, &planner));
    CHECK_OK(ploy_clip_planner_begin(planner, ploy_clip_pose_make(ploy_vec2_make(0, 0), 0),
                                     ploy_clip_pose_make(goal, 0), -1));
    ploy_budget budget = ploy_budget_units(50000);
    ploy_result result = ploy_clip_planner_step(planner, &budget);
    ploy_clip_step steps[64];
    int32_t count = ploy_clip_planner_plan(planner, steps, 64, NULL), taken = -1;
    if (result == PLOY_OK && count > 0 && count <= 64) {
        taken = (int32_t)budget.spent;
        *end = steps[count - 1].to.position;
    }
    ploy_clip_planner_destroy(planner);
    return taken;
}

TEST(sampling_around_the_best_reaches_an_exact_place_with_few_states) { // PTH-48 (a)
    int32_t found = 0;
    int64_t total = 0;
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec2 goal = {ploy_rng_range(&rng, 3, 8), ploy_rng_range(&rng, -2, 2)}, end = {0, 0};
        int32_t taken = turn_to(t, 10, goal, &end);
        if (taken < 0) continue;
        found++;
        CHECK(ploy_vec2_distance(end, goal) <= 0.02f);
        total += taken;
    }
    CHECK(found * 20 >= test_rounds(40) * 19);
    CHECK(total < 200 * (int64_t)found);
    // Fixed choices need a search for what one more round of samples finds.
    ploy_vec2 end = {0, 0};
    int32_t fixed = turn_to(t, 0, ploy_vec2_make(5.13f, 1.27f), &end);
    int32_t sampled = turn_to(t, 10, ploy_vec2_make(5.13f, 1.27f), &end);
    CHECK(sampled > 0 && (fixed < 0 || fixed > 20 * sampled));
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
    CHECK_OK(
        ploy_clip_planner_create(&def, moves, count, NULL, foot_on_plank, NULL, &env, &planner));
    ploy_clip_pose from = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0);
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(4, 0), 0);
    from.posture = PLOY_FOOT_LEFT;
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
    ploy_clip_pose from = ploy_clip_pose_make(ploy_vec2_make(0, 0), 0);
    ploy_clip_pose to = ploy_clip_pose_make(ploy_vec2_make(5, 0), 0);
    ploy_result result = ploy_clip_planner_create(&def, &move, 1, NULL, NULL, NULL, env, &planner);
    if (result == PLOY_OK) result = ploy_clip_planner_begin(planner, from, to, -1);
    if (result == PLOY_OK) result = ploy_clip_planner_step(planner, NULL);
    TEST_REPORT(result, env, planner, ploy_clip_planner_memory);
    ploy_clip_planner_destroy(planner);
    return result;
}

TEST(a_move_planner_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(plan_small, t);
}
