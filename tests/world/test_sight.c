// Sight: each factor alone, the reasons, camouflage and silhouettes, cover, the trace.
#include "ploy/world/sight.h"
#include "world/world_internal.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/world/sense_test.h"

enum { WALLS = 1, BUSHES = 2 };
enum { BRICK, FOLIAGE, SKY };

// An observer at the origin that looks along x, and a target.
typedef struct sight_scene {
    ploy_sight_def def;
    ploy_sight_observer observer;
    ploy_sight_target target;
    ploy_sight_world world;
    ploy_plain_scene *walls;
    ploy_scene scene;
} sight_scene;

static void sight_begin(test_context *t, sight_scene *s, float x, float y) {
    ploy_env env = ploy_env_default();
    memset(s, 0, sizeof *s);
    s->def = ploy_sight_def_default();
    s->def.blocks = WALLS;
    s->def.covers = BUSHES;
    s->def.peripheral = 1;
    s->observer.agent = crowd_agent(1);
    s->observer.pose = ploy_pose_make2(ploy_vec2_zero(), 0, 0.5f);
    s->observer.def = &s->def;
    s->target.agent = crowd_agent(2);
    s->target.pose = ploy_pose_make2(ploy_vec2_make(x, y), 0, 0.5f);
    s->target.clothing = -1;
    ploy_plain_scene_def walls = ploy_plain_scene_def_default();
    CHECK_OK(ploy_plain_scene_create(&walls, &env, &s->walls));
    s->scene = ploy_plain_scene_interface(s->walls);
    s->world = ploy_sight_world_make(&s->scene);
}

static ploy_sight sight_look(const sight_scene *s) {
    return ploy_sight_test(&s->observer, &s->target, &s->world, NULL);
}

static void sight_wall(test_context *t, sight_scene *s, float x, float y1, float y2) {
    CHECK_OK(ploy_plain_scene_add_segment(s->walls, ploy_vec2_make(x, y1), ploy_vec2_make(x, y2),
                                          WALLS, NULL));
}

static void sight_move(sight_scene *s, float x, float y, float z) {
    s->target.pose.frame.position = ploy_vec3_make(x, y, z);
}

TEST(the_field_table_of_sight_is_sound_and_defs_are_checked) {
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fields_check_table(ploy_sight_fields(), NULL));
    ploy_sight_def def = ploy_sight_def_default(), bad = def;
    CHECK_OK(ployi_sight_def_check(&def, &env));
    bad.covers = 4;
    CHECK_INT(ployi_sight_def_check(&bad, &env), PLOY_ERR_ARGUMENT);
    bad = def, bad.focus = 3;
    CHECK_INT(ployi_sight_def_check(&bad, &env), PLOY_ERR_ARGUMENT);
    bad = def, bad.size_min = 0.5f;
    CHECK_INT(ployi_sight_def_check(&bad, &env), PLOY_ERR_ARGUMENT);
    bad = def, bad.range = NAN;
    CHECK_INT(ployi_sight_def_check(&bad, &env), PLOY_ERR_ARGUMENT);
}

TEST(range_and_cone_decide_first) {
    static const struct {
        const char *row;
        float x, y, z, fov, orientation;
        bool searching;
        ploy_sight_reason want;
    } rows[] = {
        {"ahead", 10, 0, 0, 1.5707964f, 0, false, PLOY_SIGHT_SEEN},
        {"on the edge of ninety degrees", 10, 9.999f, 0, 1.5707964f, 0, false, PLOY_SIGHT_SEEN},
        {"over that edge", 10, 10.01f, 0, 1.5707964f, 0, false, PLOY_SIGHT_OUTSIDE},
        {"over it, but searching", 10, 10.01f, 0, 1.5707964f, 0, true, PLOY_SIGHT_SEEN},
        {"beside, half a turn in view", 0, 10, 0, 3.1415927f, 0, false, PLOY_SIGHT_SEEN}, // RAV-23
        {"behind, half a turn in view", -1, 10, 0, 3.1415927f, 0, false, PLOY_SIGHT_OUTSIDE},
        {"behind, all around in view", -10, 0, 0, 6.2831855f, 0, false, PLOY_SIGHT_SEEN},
        {"behind, but turned round", -10, 0, 0, 1, 3.1415925f, false, PLOY_SIGHT_SEEN},
        {"at the range", 40, 0, 0, 1, 0, false, PLOY_SIGHT_SEEN},
        {"beyond it", 40.01f, 0, 0, 1, 0, false, PLOY_SIGHT_TOO_FAR},
        {"too high", 5, 0, 10, 1, 0, false, PLOY_SIGHT_OUTSIDE_LEVEL},
        {"at the very eye", 0, 0, 0, 1, 0, false, PLOY_SIGHT_SEEN},
        {"touching from behind", -0.4f, 0, 0, 1, 0, false, PLOY_SIGHT_SEEN},
        {"nowhere", NAN, 0, 0, 1, 0, false, PLOY_SIGHT_TOO_FAR},
    };
    sight_scene s;
    sight_begin(t, &s, 0, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        sight_move(&s, rows[i].x, rows[i].y, rows[i].z);
        s.def.fov = rows[i].fov;
        s.def.focus = 0.1f;
        s.observer.pose = ploy_pose_make2(ploy_vec2_zero(), rows[i].orientation, 0.5f);
        s.observer.searching = rows[i].searching;
        CHECK_TEXT(ploy_sight_reason_text(sight_look(&s).reason),
                   ploy_sight_reason_text(rows[i].want));
    }
    sight_move(&s, 300.0f, 400.0f, 0.0f); // a sight that is too far still says how far
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_FAR);
    CHECK_NEAR(sight_look(&s).distance, 500.0f, 2.0f);
    s.target.agent = s.observer.agent;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_SELF);
    ploy_plain_scene_destroy(s.walls);
}

TEST(attention_falls_from_the_focus_to_the_edge) {
    sight_scene s;
    sight_begin(t, &s, 10, 0);
    s.def.fov = 2;
    s.def.focus = 1;
    s.def.peripheral = 0.2f;
    s.def.threshold = 0.5f;
    static const struct {
        float angle, want;
    } rows[] = {{0, 1}, {0.5f, 1}, {0.75f, 0.6f}, {-0.75f, 0.6f}, {0.9999f, 0.2f}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        sight_move(&s, 10 * ploy_cosf(rows[i].angle), 10 * ploy_sinf(rows[i].angle), 0);
        ploy_sight sight = sight_look(&s);
        CHECK_NEAR(sight.factors[PLOY_SIGHT_ATTENTION], rows[i].want, 1e-3);
        CHECK_INT(sight.reason, rows[i].want >= 0.5f ? PLOY_SIGHT_SEEN : PLOY_SIGHT_INATTENTIVE);
    }
    ploy_plain_scene_destroy(s.walls);
}

TEST(size_fog_and_light_weaken_and_are_blamed) {
    sight_scene s;
    sight_begin(t, &s, 20, 0);
    s.def.size_min = 0.02f;
    s.def.size_full = 0.08f;
    CHECK_NEAR(sight_look(&s).factors[PLOY_SIGHT_SIZE], 0.5, 1e-5); // 1 m at 20 m: 0.05
    s.target.pose.radius = 0.1f;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_SMALL);
    s.target.height = 2; // a thin, long thing
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_SEEN);
    s.def.size_min = s.def.size_full = 0;
    s.world.fog = 0.05f;
    CHECK_NEAR(sight_look(&s).visibility, 0.36788, 1e-4);
    s.world.fog = 0.5f;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_FOGGED);
    s.world.fog = 0;
    s.world.daylight = 0.25f;
    CHECK_NEAR(sight_look(&s).visibility, 0.5, 1e-6);
    s.world.daylight = 0;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_DARK);
    s.target.glow = 0.5f; // it carries a torch
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_SEEN);
    s.target.glow = 0;
    s.def.night_vision = 0.8f; // RAV-22
    CHECK_NEAR(sight_look(&s).visibility, 0.8, 1e-6);
    ploy_plain_scene_destroy(s.walls);
}

TEST(walls_hide_the_part_of_the_body_that_is_behind_them) {
    sight_scene s;
    sight_begin(t, &s, 10, 0);
    s.target.pose.radius = 1;
    sight_wall(t, &s, 9, 0.3f, 5);
    ploy_sight sight = sight_look(&s);
    CHECK_NEAR(sight.factors[PLOY_SIGHT_COVER], 2.0 / 3.0, 1e-6);
    CHECK_INT(sight.reason, PLOY_SIGHT_SEEN);
    s.def.threshold = 0.7f;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_COVERED);
    s.def.threshold = 0.1f;
    sight_wall(t, &s, 9, -5, 0.4f);
    sight = sight_look(&s);
    CHECK_INT(sight.reason, PLOY_SIGHT_BLOCKED);
    CHECK_NEAR(sight.visibility, 0, 0);
    CHECK_NEAR(sight.factors[PLOY_SIGHT_CONTRAST], -1, 0);
    s.def.blocks = 8; // glass to these eyes
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_SEEN);
    ploy_plain_scene_destroy(s.walls);
}

TEST(bushes_take_more_the_deeper_they_are) {
    sight_scene s;
    sight_begin(t, &s, 10, 0);
    s.def.samples = 1;
    s.def.cover_transmission = 0.5f;
    CHECK_NEAR(sight_look(&s).visibility, 1, 0);
    ploy_obstacle_id id;
    CHECK_OK(ploy_plain_scene_add_circle(s.walls, ploy_vec2_make(5, 0), 0.5f, BUSHES, &id));
    float thin = sight_look(&s).visibility;
    CHECK_NEAR(thin, 0.5, 0.11); // 1 m deep, in steps of 0.25 m
    ploy_obstacle deep = {{ploy_vec2_make(5, 0), ploy_vec2_make(5, 0)}, 1, BUSHES};
    CHECK_OK(ploy_plain_scene_set(s.walls, id, &deep));
    float thick = sight_look(&s).visibility;
    CHECK_NEAR(thick, 0.25, 0.06);
    CHECK(thick < thin);
    deep.radius = 4;
    CHECK_OK(ploy_plain_scene_set(s.walls, id, &deep));
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_COVERED);
    ploy_plain_scene_destroy(s.walls);
}

// What the tests see behind the target: brick within 20 m, foliage within 30 m, else the sky.
static ploy_background sight_background(void *user, const ploy_scene_hit *hit) {
    const float *light = user;
    ploy_background behind = {hit == NULL ? SKY : hit->point.x < 20 ? BRICK : FOLIAGE, *light};
    return behind;
}

static const float sight_clothes[] = {
    0.9f, 0.1f, 1.5f, // WLD-20: green camouflage before brick, foliage, sky
    0.2f, 1.0f, 1.0f, // brick red
};

TEST(clothes_are_compared_with_what_is_behind) {
    static const struct {
        const char *row;
        float wall_x;
        int32_t clothing;
        float threshold, want;
    } rows[] = {
        {"green before brick", 15, 0, 0.2f, 0.9f},
        {"green before foliage", 25, 0, 0.2f, 0.1f},
        {"green before the sky", 0, 0, 0.2f, 1.5f},
        {"red before brick", 15, 1, 0.3f, 0.2f},
        {"red before foliage", 25, 1, 0.3f, 1.0f},
        {"no clothes known", 25, -1, 0.3f, 1.0f},
        {"clothes out of the table", 25, 2, 0.3f, 1.0f},
    };
    ploy_camouflage table = {sight_clothes, 2, 3};
    float light = -1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        sight_scene s;
        sight_begin(t, &s, 10, 0);
        if (rows[i].wall_x > 0) sight_wall(t, &s, rows[i].wall_x, -5, 5);
        s.world.background = sight_background;
        s.world.user = &light;
        s.world.camouflage = &table;
        s.target.clothing = rows[i].clothing;
        s.def.threshold = rows[i].threshold;
        ploy_sight sight = sight_look(&s);
        CHECK_NEAR(sight.factors[PLOY_SIGHT_CONTRAST], rows[i].want, 1e-6);
        CHECK_NEAR(sight.visibility, rows[i].want > 1 ? 1 : rows[i].want, 1e-6);
        bool seen = rows[i].want >= rows[i].threshold;
        CHECK_INT(sight.reason, seen ? PLOY_SIGHT_SEEN : PLOY_SIGHT_CAMOUFLAGED);
        // Standing out makes up for dusk: 0.8 * 0.5 lies below 0.5, with the sky behind it not.
        s.world.daylight = 0.2f;
        s.def.threshold = 0.5f;
        light = -1;
        CHECK((sight_look(&s).reason == PLOY_SIGHT_SEEN) == (rows[i].want == 1.5f));
        s.world.daylight = 1; // and for fog, though the fog alone would settle it
        s.world.fog = 0.09f;
        CHECK((sight_look(&s).reason == PLOY_SIGHT_SEEN) == (rows[i].want == 1.5f));
        s.def.background_rays = 0;
        CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_FOGGED);
        CHECK_NEAR(sight_look(&s).factors[PLOY_SIGHT_CONTRAST], -1, 0);
        ploy_plain_scene_destroy(s.walls);
    }
    CHECK_NEAR(ploy_camouflage_get(NULL, 0, 0), 1, 0);
}

TEST(a_silhouette_in_the_shadow_is_seen_before_a_bright_wall) {
    sight_scene s;
    float behind = 0.9f;
    sight_begin(t, &s, 10, 0);
    sight_wall(t, &s, 15, -5, 5);
    s.world.daylight = 0.02f; // in the shadow
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_DARK);
    s.world.background = sight_background;
    s.world.user = &behind;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_SEEN);
    CHECK_NEAR(sight_look(&s).factors[PLOY_SIGHT_LIGHT], 1, 0);
    behind = 0.03f;
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_DARK);
    behind = -1; // unknown: the shadow alone counts
    CHECK_INT(sight_look(&s).reason, PLOY_SIGHT_TOO_DARK);
    ploy_plain_scene_destroy(s.walls);
}

// Whatever the world, answers are finite and in range, and more range, light and angle never hide.
TEST(visibility_is_in_range_and_monotonic) {
    ploy_camouflage table = {sight_clothes, 2, 3};
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        sight_scene s;
        float light = ploy_rng_range(&rng, -0.5f, 1);
        sight_begin(t, &s, ploy_rng_range(&rng, -30, 30), ploy_rng_range(&rng, -30, 30));
        for (int32_t i = 0; i < 6; i++) {
            ploy_vec2 from = {ploy_rng_range(&rng, -30, 30), ploy_rng_range(&rng, -30, 30)};
            ploy_vec2 to = {from.x + ploy_rng_range(&rng, -9, 9), ploy_rng_range(&rng, -30, 30)};
            CHECK_OK(
                ploy_plain_scene_add_segment(s.walls, from, to, i % 2 == 0 ? WALLS : BUSHES, NULL));
        }
        s.def.peripheral = ploy_rng_float(&rng);
        s.def.fov = ploy_rng_range(&rng, 0.6f, 6);
        s.def.samples = ploy_rng_int(&rng, 1, 5);
        s.world.daylight = ploy_rng_float(&rng);
        s.world.fog = ploy_rng_range(&rng, 0, 0.1f);
        if (ploy_rng_chance(&rng, 0.5f)) {
            s.world.background = sight_background;
            s.world.user = &light;
            s.world.camouflage = &table;
        }
        s.target.clothing = ploy_rng_int(&rng, -1, 1);
        s.def.threshold = ploy_rng_float(&rng);
        ploy_sight sight = sight_look(&s);
        CHECK(sight.visibility >= 0 && sight.visibility <= 1);
        if (sight.reason == PLOY_SIGHT_SEEN) CHECK(sight.visibility >= s.def.threshold);
        s.def.threshold = 0;
        ploy_sight open = sight_look(&s);
        if (sight.reason == PLOY_SIGHT_SEEN) CHECK_SAME(open.visibility, sight.visibility);
        s.world.fog = 0;
        CHECK(sight_look(&s).visibility >= open.visibility);
        s.def.peripheral = 1;
        s.def.fov = PLOY_TWO_PI_F;
        CHECK(sight_look(&s).visibility >= open.visibility);
        ploy_plain_scene_destroy(s.walls);
    }
}

typedef struct sight_trace {
    int32_t options, rejected, skipped;
    char outcome[64];
} sight_trace;

static void sight_on_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}
static void sight_on_option(void *user, const char *name, ploy_outcome outcome, double score,
                            const char *reason) {
    sight_trace *seen = user;
    (void)score, (void)reason;
    seen->options++;
    if (outcome == PLOY_OUTCOME_SKIPPED) seen->skipped++;
    if (outcome != PLOY_OUTCOME_REJECTED) return;
    seen->rejected++;
    snprintf(seen->outcome, sizeof seen->outcome, "%s", name);
}
static void sight_on_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}
static void sight_on_note(void *user, const char *text) {
    (void)user, (void)text;
}
static void sight_on_end(void *user) {
    (void)user;
}

TEST(the_trace_names_the_factor_that_decided) {
    sight_scene s;
    sight_begin(t, &s, 10, 0);
    s.world.fog = 1;
    sight_trace seen;
    memset(&seen, 0, sizeof seen);
    ploy_trace trace = {sight_on_begin, sight_on_option, sight_on_value,
                        sight_on_note,  sight_on_end,    &seen};
    ploy_sight traced = ploy_sight_test(&s.observer, &s.target, &s.world, &trace);
    ploy_sight plain = sight_look(&s);
    CHECK_BYTES(&traced, &plain, sizeof plain);
    CHECK_INT(seen.options, PLOY_SIGHT_FACTORS);
    CHECK_INT(seen.rejected, 1);
    CHECK_INT(seen.skipped, 2); // cover and contrast were not looked at
    CHECK_TEXT(seen.outcome, "fog");
    ploy_plain_scene_destroy(s.walls);
}

static bool sight_signal_target(void *user, const ploy_signal *signal, ploy_sight_target *target) {
    (void)user;
    target->pose.radius = 0.5f;
    return signal->size == 0;
}

TEST(sight_serves_as_the_check_of_a_modality) {
    sight_scene s; // WLD-14, WLD-19: cone, then ray, then camouflage
    sight_begin(t, &s, 10, 0);
    s.def.threshold = 0;
    ploy_sight_checker checker = {&s.def, &s.world, sight_signal_target, NULL};
    ploy_modality item = ploy_modality_of(PLOY_SENSE_SIGHT);
    item.check = ployi_sight_check;
    item.check_user = &checker;
    ploy_modalities *table = sense_table(t, &item, 1);
    ploy_signal signal = sense_signal(0, 1, 10, 0);
    ploy_sensor sensor = ploy_sensor_make(crowd_agent(1));
    CHECK_OK(ploy_sensor_set(&sensor, 0, 0.5f));
    ploy_sense_test test = {&signal, &sensor, &s.observer.pose, 0, 10, 1, 0};
    CHECK_INT(ploy_modalities_test(table, &test), PLOY_SENSE_SENSED);
    sight_wall(t, &s, 5, -5, 5);
    test.intensity = 1;
    CHECK_INT(ploy_modalities_test(table, &test), PLOY_SENSE_CHECKED);
    CHECK_INT(test.detail, PLOY_SIGHT_BLOCKED);
    ploy_plain_scene_clear(s.walls);
    s.world.daylight = 0.2f; // light makes the strength of "I am here"
    test.intensity = 1;
    CHECK_INT(ploy_modalities_test(table, &test), PLOY_SENSE_TOO_WEAK);
    CHECK_NEAR(test.intensity, 0.4, 1e-6);
    s.world.daylight = 1;
    signal.size = 1;
    test.intensity = 1;
    CHECK_INT(ploy_modalities_test(table, &test), PLOY_SENSE_CHECKED);
    ploy_modalities_destroy(table);
    ploy_plain_scene_destroy(s.walls);
}

TEST(the_default_cone_is_sixty_degrees) { // WLD-14
    ploy_sight_def def = ploy_sight_def_default();
    CHECK_NEAR(def.fov, PLOY_PI_F / 3.0f, 1e-6);
    CHECK_NEAR(def.fov_vertical, PLOY_PI_F / 3.0f, 1e-6);
    static const struct {
        const char *row;
        float degrees;
        bool seen;
    } rows[] = {{"ahead", 0, true},
                {"at 29 degrees", 29, true},
                {"at 31 degrees", 31, false},
                {"at -29 degrees", -29, true},
                {"at -31 degrees", -31, false},
                {"behind", 180, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        float sine, cosine;
        ploy_sincosf(rows[i].degrees * PLOY_PI_F / 180.0f, &sine, &cosine);
        ploy_sight_observer observer = {
            ploy_agent_id_make(1, 1), ploy_pose_make2(ploy_vec2_make(0, 0), 0, 0.5f), &def, false};
        ploy_sight_target target = {
            ploy_agent_id_make(2, 1),
            ploy_pose_make2(ploy_vec2_make(10 * cosine, 10 * sine), 0, 0.4f), 0, 0, -1};
        ploy_sight_world world = ploy_sight_world_make(NULL);
        ploy_sight sight = ploy_sight_test(&observer, &target, &world, NULL);
        CHECK_INT(sight.reason == PLOY_SIGHT_SEEN, rows[i].seen);
        if (!rows[i].seen) CHECK_INT(sight.reason, PLOY_SIGHT_OUTSIDE);
    }
}
