// Assessment by rays: the vectors of TAC-10, TAC-11 and TAC-12, slices, workers, state, memory.
#include "ploy/tactics/assess.h"

#include "tests/state.h"
#include "tests/test.h"

typedef struct assess_lab {
    ploy_plain_scene *plain;
    ploy_assess_world world;
    const float *lights; // one for each call, in turn
    int32_t light_count, light_at;
} assess_lab;

static void assess_open(test_context *t, assess_lab *lab) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    memset(lab, 0, sizeof *lab);
    CHECK_OK(ploy_plain_scene_create(&def, &env, &lab->plain));
    lab->world.scene = ploy_plain_scene_interface(lab->plain);
    lab->world.mask = PLOY_SCENE_ALL;
    lab->world.user = lab;
}

static void assess_wall(test_context *t, assess_lab *lab, float x0, float y0, float x1, float y1) {
    CHECK_OK(ploy_plain_scene_add_segment(lab->plain, ploy_vec2_make(x0, y0),
                                          ploy_vec2_make(x1, y1), 1, NULL));
}

static ploy_assessment assess_one(test_context *t, const ploy_assess_def *def,
                                  const assess_lab *lab, ploy_vec3 at) {
    ploy_env env = ploy_env_default();
    ploy_assess *assess = NULL;
    ploy_assessment out;
    CHECK_OK(ploy_assess_create(def, &env, &assess));
    CHECK_OK(ploy_assess_begin(assess, &at, 1, &lab->world, ploy_rng_key_make(7)));
    CHECK_OK(ploy_assess_step(assess, NULL, NULL));
    CHECK(ploy_assess_result(assess, 0, &out));
    CHECK(!ploy_assess_result(assess, 1, &out));
    CHECK(ploy_assess_result(assess, 0, &out));
    ploy_assess_destroy(assess);
    return out;
}

static bool assess_never(void *user, ploy_vec3 from, ploy_vec3 point) {
    (void)user, (void)from, (void)point;
    return false;
}

TEST(jitter_stays_below_the_distance_between_directions) {
    // TAC-10: 22.5 degrees at 5 m: below 1.913 m.
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess *assess = NULL;
    def.radius = 5;
    def.angle = 22.5f * 3.14159265f / 180;
    def.jitter = 1.913f;
    CHECK_OK(ploy_assess_create(&def, &env, &assess));
    ploy_assess_destroy(assess);
    def.jitter = 1.914f;
    CHECK_INT(ploy_assess_create(&def, &env, &assess), PLOY_ERR_ARGUMENT);
}

TEST(an_open_plane_has_no_cover_and_a_full_view) {
    assess_lab lab;
    assess_open(t, &lab);
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assessment found = assess_one(t, &def, &lab, ploy_vec3_make(3, 4, 0));
    CHECK_SAME(found.cover, 0);
    CHECK_INT(found.valid, def.rays);
    CHECK_SAME(found.visibility, 1);
    CHECK(isnan(found.shadow)); // nobody was asked for light
    ploy_plain_scene_destroy(lab.plain);
}

TEST(without_a_valid_attack_cover_is_unassessed) {
    assess_lab lab;
    assess_open(t, &lab);
    lab.world.same_room = assess_never;
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assessment found = assess_one(t, &def, &lab, ploy_vec3_make(0, 0, 0));
    CHECK_INT(found.valid, 0);
    CHECK(isnan(found.cover));
    ploy_plain_scene_destroy(lab.plain);
}

TEST(a_wall_covers_its_side_alone) {
    assess_lab lab;
    assess_open(t, &lab);
    assess_wall(t, &lab, 1.2f, -30, 1.2f, 30);
    ploy_assess_def def = ploy_assess_def_default();
    def.rays = 512;
    ploy_assessment found = assess_one(t, &def, &lab, ploy_vec3_make(0, 0, 0));
    CHECK(found.cover > 0.3f && found.cover < 0.5f);
    CHECK(found.cover_of[0] > 0.99f);
    CHECK(found.cover_of[2] < 0.01f);
    CHECK(found.visibility_of[0] < 0.1f);
    CHECK_SAME(found.visibility_of[2], 1);
    ploy_plain_scene_destroy(lab.plain);
}

TEST(a_keyhole_has_cover_and_a_view) {
    // TAC-11: view is not the inverse of cover. A niche with one narrow opening to a long hall.
    assess_lab lab;
    assess_open(t, &lab);
    assess_wall(t, &lab, -1, -1, -1, 1);
    assess_wall(t, &lab, -1, -1, 1, -1);
    assess_wall(t, &lab, -1, 1, 1, 1);
    assess_wall(t, &lab, 1, -1, 1, -0.2f);
    assess_wall(t, &lab, 1, 0.2f, 1, 1);
    ploy_assess_def def = ploy_assess_def_default();
    def.rays = 256;
    ploy_assessment found = assess_one(t, &def, &lab, ploy_vec3_make(0, 0, 0));
    CHECK(found.cover > 0.85f);
    CHECK(found.visibility_of[0] > 0.2f);
    ploy_plain_scene_destroy(lab.plain);
}

TEST(a_thin_corridor_is_exposed_to_those_who_can_stand_in_it) {
    assess_lab lab;
    assess_open(t, &lab);
    assess_wall(t, &lab, -40, 1, 40, 1);
    assess_wall(t, &lab, -40, -1, 40, -1);
    ploy_assess_def def = ploy_assess_def_default();
    def.rays = 256;
    ploy_vec3 at = ploy_vec3_make(0, 0, 0);
    CHECK(assess_one(t, &def, &lab, at).cover > 0.6f); // rays from inside the walls
    const ploy_vec3 places[] = {{-8, 0, 0}, {-5, 0, 0}, {5, 0, 0}, {8, 0, 0}, {200, 0, 0}};
    lab.world.origins = places;
    lab.world.origin_count = (int32_t)COUNT_OF(places);
    def.jitter = 0.2f;
    ploy_assessment found = assess_one(t, &def, &lab, at);
    CHECK_SAME(found.cover, 0);
    CHECK(found.valid > 200 && found.valid < 256); // the far one is no sample
    ploy_plain_scene_destroy(lab.plain);
}

static float assess_light(void *user, ploy_vec3 at) {
    assess_lab *lab = user;
    (void)at;
    return lab->lights[lab->light_at++ % lab->light_count];
}

TEST(the_brightest_sample_decides_about_shadow) {
    // TAC-12: {0, 0, 0, 1} is 0; {0.5 x 4} is 0.5, although the first mean is darker.
    static const float one_lit[] = {0, 0, 0, 1}, half[] = {0.5f, 0.5f, 0.5f, 0.5f};
    assess_lab lab;
    assess_open(t, &lab);
    lab.world.light = assess_light;
    lab.lights = one_lit;
    lab.light_count = 4;
    ploy_assess_def def = ploy_assess_def_default();
    CHECK_SAME(assess_one(t, &def, &lab, ploy_vec3_make(0, 0, 0)).shadow, 0);
    lab.lights = half;
    CHECK_SAME(assess_one(t, &def, &lab, ploy_vec3_make(0, 0, 0)).shadow, 0.5f);
    // A lamp behind a wall is dark.
    const ploy_assess_lamp lamp = {{0, 0, 0}, 10};
    CHECK_NEAR(ploy_assess_light(&lab.world.scene, 1, &lamp, 1, ploy_vec3_make(4, 0, 0)), 0.6,
               1e-6);
    assess_wall(t, &lab, 2, -1, 2, 1);
    CHECK_SAME(ploy_assess_light(&lab.world.scene, 1, &lamp, 1, ploy_vec3_make(4, 0, 0)), 0);
    ploy_plain_scene_destroy(lab.plain);
}

static ploy_assess *assess_random(test_context *t, assess_lab *lab, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(seed);
    assess_open(t, lab);
    for (int32_t i = 0; i < 20; i++) {
        float x = ploy_rng_range(&rng, 0, 30);
        float y = ploy_rng_range(&rng, 0, 30);
        float dx = ploy_rng_range(&rng, -6, 6);
        float dy = ploy_rng_range(&rng, -6, 6);
        assess_wall(t, lab, x, y, x + dx, y + dy);
    }
    ploy_vec3 at[9];
    for (int32_t i = 0; i < 9; i++) {
        float x = ploy_rng_range(&rng, 0, 30);
        float y = ploy_rng_range(&rng, 0, 30);
        at[i] = ploy_vec3_make(x, y, 0);
    }
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess *assess = NULL;
    CHECK_OK(ploy_assess_create(&def, &env, &assess));
    CHECK_OK(ploy_assess_begin(assess, at, 9, &lab->world, ploy_rng_key_make(seed)));
    return assess;
}

TEST(slices_and_workers_change_no_bit) {
    ploy_env env = ploy_env_default();
    ploy_job_pool *pool = NULL;
    CHECK_OK(ploy_job_pool_create(3, &env, &pool));
    for (uint64_t seed = 1; seed <= (uint64_t)test_rounds(10); seed++) {
        TEST_SEED(seed);
        assess_lab a, b;
        ploy_assess *whole = assess_random(t, &a, seed), *sliced = assess_random(t, &b, seed);
        CHECK_OK(ploy_assess_step(whole, NULL, ploy_job_pool_jobs(pool)));
        int64_t units = 1 + (int64_t)(seed % 97), steps = 0, total = 0;
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS) {
            ploy_budget budget = ploy_budget_units(units);
            result = ploy_assess_step(sliced, &budget, NULL);
            steps++;
        }
        CHECK_OK(result);
        CHECK_INT(ploy_assess_done(sliced, &total), 9 * 80);
        CHECK_INT(total, 9 * 80);
        CHECK_INT(steps, (total + units - 1) / units);
        CHECK_UINT(ploy_visit_hash(ploy_assess_visit, whole, NULL),
                   ploy_visit_hash(ploy_assess_visit, sliced, NULL));
        ploy_assess_destroy(whole);
        ploy_assess_destroy(sliced);
        ploy_plain_scene_destroy(a.plain);
        ploy_plain_scene_destroy(b.plain);
    }
    ploy_job_pool_destroy(pool);
}

TEST(an_assessment_is_stored_in_the_set) {
    ploy_env env = ploy_env_default();
    assess_lab lab;
    assess_open(t, &lab);
    assess_wall(t, &lab, 1.2f, -30, 1.2f, 30);
    ploy_tactical_points_def points_def = ploy_tactical_points_def_default();
    ploy_tactical_points *points = NULL;
    CHECK_OK(ploy_tactical_points_create(&points_def, &env, &points));
    ploy_tactical_id id;
    ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make(0, 0, 0));
    CHECK_OK(ploy_tactical_points_add(points, &point, &id));
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess *assess = NULL;
    CHECK_OK(ploy_assess_create(&def, &env, &assess));
    CHECK_INT(ploy_assess_step(assess, NULL, NULL), PLOY_ERR_STATE);
    CHECK_OK(ploy_assess_begin_points(assess, points, &lab.world, ploy_rng_key_make(1)));
    CHECK_INT(ploy_assess_store(assess, points), PLOY_ERR_STATE);
    CHECK_OK(ploy_assess_step(assess, NULL, NULL));
    CHECK_OK(ploy_assess_store(assess, points));
    float cover = ploy_tactical_points_value(points, id, PLOY_TACTICAL_COVER, 0);
    CHECK(cover > 0.2f && cover < 0.6f);
    CHECK_SAME(ploy_tactical_points_value(points, id, PLOY_TACTICAL_EXPOSED, 0), 1.0f - cover);
    CHECK(isnan(ploy_tactical_points_value(points, id, PLOY_TACTICAL_SHADOW, 0)));
    const ploy_tactical_threat east = {{20, 0, 0}, 2}, west = {{-20, 0, 0}, 2};
    CHECK(ploy_tactical_points_against(points, id, PLOY_TACTICAL_COVER, &east, 1, 0, 0) > 0.95f);
    CHECK(ploy_tactical_points_against(points, id, PLOY_TACTICAL_COVER, &west, 1, 0, 0) < 0.05f);
    CHECK_OK(ploy_tactical_points_add(points, &point, NULL));
    CHECK_INT(ploy_assess_store(assess, points), PLOY_ERR_CHANGED);
    ploy_assess_destroy(assess);
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(lab.plain);
}

TEST(state_in_the_middle_of_an_assessment_is_visited_completely) {
    assess_lab a, b;
    ploy_assess *assess = assess_random(t, &a, 5), *other = assess_random(t, &b, 5);
    ploy_budget budget = ploy_budget_units(300);
    CHECK_INT(ploy_assess_step(assess, &budget, NULL), PLOY_IN_PROGRESS);
    state_check s = {ploy_assess_visit, assess, NULL, NULL, NULL};
    state_check_all(t, &s);
    state_check_copy(t, &s, other);
    CHECK_OK(ploy_assess_step(assess, NULL, NULL)); // both go on alike
    CHECK_OK(ploy_assess_step(other, NULL, NULL));
    CHECK_UINT(ploy_visit_hash(ploy_assess_visit, assess, NULL),
               ploy_visit_hash(ploy_assess_visit, other, NULL));
    ploy_assess_destroy(assess);
    ploy_assess_destroy(other);
    ploy_plain_scene_destroy(a.plain);
    ploy_plain_scene_destroy(b.plain);
}

static ploy_result assess_body(const ploy_env *env, void *arg) {
    const ploy_assess_world *world = arg;
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess *assess = NULL;
    ploy_vec3 at = {0, 0, 0};
    ploy_result result = ploy_assess_create(&def, env, &assess);
    if (result == PLOY_OK) {
        result = ploy_assess_begin(assess, &at, 1, world, ploy_rng_key_make(1));
    }
    if (result == PLOY_OK) result = ploy_assess_step(assess, NULL, NULL);
    TEST_REPORT(result, env, assess, ploy_assess_memory);
    if (assess != NULL) ploy_assess_cancel(assess);
    ploy_assess_destroy(assess);
    return result;
}

TEST(a_lack_of_memory_leaves_no_assessment_behind) {
    assess_lab lab;
    assess_open(t, &lab);
    CHECK_FAIL_NTH(assess_body, &lab.world);
    ploy_plain_scene_destroy(lab.plain);
}

TEST(a_warm_assessment_allocates_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    assess_lab lab;
    assess_open(t, &lab);
    assess_wall(t, &lab, 2, -1, 2, 1);
    ploy_assess_def def = ploy_assess_def_default();
    ploy_assess *assess = NULL;
    ploy_vec3 at[8];
    for (int32_t i = 0; i < 8; i++) at[i] = ploy_vec3_make((float)i, 0.5f * (float)i, 0);
    CHECK_OK(ploy_assess_create(&def, &env, &assess));
    int64_t before = 0;
    for (int32_t count = 8; count > 0; count--) { // as many points, then fewer
        CHECK_OK(ploy_assess_begin(assess, at, count, &lab.world, ploy_rng_key_make(1)));
        CHECK_OK(ploy_assess_step(assess, NULL, NULL));
        if (count == 8) before = counts.calls;
    }
    CHECK_INT(counts.calls, before);
    ploy_assess_destroy(assess);
    CHECK_INT(counts.bytes, 0);
    ploy_plain_scene_destroy(lab.plain);
}
