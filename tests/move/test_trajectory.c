// Free fall: PHY-01, PHY-02, PHY-04. The book has y up and z ahead: (x, y, z) is ploy's (z, x, y).
#include "move/move_internal.h"
#include "ploy/move/trajectory.h"

#include <string.h>

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_vec3 from_book(float x, float y, float z) {
    return ploy_vec3_make(z, x, y);
}

static const ploy_vec3 earth = {0.0f, 0.0f, -9.81f};

TEST(a_projectile_falls_as_the_formula_says) {
    ploy_projectile ball =
        ploy_projectile_make(ploy_vec3_make(1.0f, 2.0f, 3.0f), ploy_vec3_make(4.0f, 0.0f, 5.0f));
    ploy_vec3 at = ploy_projectile_at(&ball, 2.0f);
    CHECK_NEAR(at.x, 9.0, 1e-5);
    CHECK_NEAR(at.y, 2.0, 1e-5);
    CHECK_NEAR(at.z, 3.0 + 10.0 - 2.0 * 9.81, 1e-5);
    CHECK_NEAR(ployi_projectile_velocity(&ball, 2.0f).z, 5.0 - 19.62, 1e-5);
    ball.gravity = ploy_vec3_zero(); // the straight line
    CHECK_SAME(ploy_projectile_at(&ball, 2.0f).z, 13.0f);
}

TEST(it_lands_where_the_exercises_say) {
    // PHY-02, exercises 3.13 and 3.14, and the derived rows.
    static const struct {
        const char *row;
        float x, y, vx, vy, height;
        bool lands;
        double time, at;
    } rows[] = {
        {"exercise", 11.0f, 4.0f, 6.0f, 8.0f, 4.0f, true, 1.6309888, 20.7859327},
        {"below the start", 0.0f, 1.5f, 6.0f, 8.0f, 0.0f, true, 1.8008073, 10.8048437},
        {"never so high", 0.0f, 1.5f, 6.0f, 8.0f, 10.0f, false, 0, 0},
        {"fell past it", 0.0f, -1.0f, 6.0f, -8.0f, 0.0f, false, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_projectile ball = ploy_projectile_make(from_book(rows[i].x, rows[i].y, 0.0f),
                                                    from_book(rows[i].vx, rows[i].vy, 0.0f));
        ploy_landing landing = {-7.0f, {0.0f, 0.0f, 0.0f}};
        CHECK_INT(ploy_projectile_landing(&ball, rows[i].height, &landing), rows[i].lands);
        if (rows[i].lands) {
            CHECK_NEAR(landing.time, rows[i].time, 1e-6);
            CHECK_NEAR(landing.point.y, rows[i].at, 2e-6);
            CHECK_SAME(landing.point.z, rows[i].height);
        } else {
            CHECK_SAME(landing.time, -7.0f); // left alone
        }
    }
    // Without gravity: when it flies towards the height, and when not.
    ploy_projectile ray = {{0.0f, 0.0f, 5.0f}, {1.0f, 0.0f, -2.0f}, {0.0f, 0.0f, 0.0f}};
    ploy_landing landing;
    CHECK(ploy_projectile_landing(&ray, 0.0f, &landing));
    CHECK_NEAR(landing.time, 2.5, 1e-6);
    ray.velocity.z = 2.0f;
    CHECK(!ploy_projectile_landing(&ray, 0.0f, &landing));
}

static bool slope_ground(void *user, ploy_vec3 at, uint32_t mask, float *height,
                         ploy_vec3 *normal) {
    (void)mask;
    *height = *(float *)user * at.y;
    *normal = ploy_vec3_make(0.0f, 0.0f, 1.0f);
    return true;
}

TEST(on_a_slope_the_repetition_settles) {
    // PHY-02: ground y = 0.1 x.
    float slope = 0.1f;
    ploy_scene scene = {NULL, NULL, NULL, slope_ground, &slope};
    ploy_projectile ball =
        ploy_projectile_make(from_book(0.0f, 1.5f, 0.0f), from_book(6.0f, 8.0f, 0.0f));
    ploy_landing landing;
    CHECK(ployi_projectile_landing_on(&ball, &scene, PLOY_SCENE_ALL, 1e-5f, 50, &landing));
    CHECK_NEAR(landing.point.y, 10.1379271, 1e-4);
    CHECK_NEAR(landing.time, 1.6896545, 1e-5);
    CHECK(!ployi_projectile_landing_on(&ball, &scene, PLOY_SCENE_ALL, 1e-5f, 1, &landing));
    CHECK(!ployi_projectile_landing_on(&ball, &scene, PLOY_SCENE_ALL, NAN, 50, &landing));
    slope = 3.0f; // so steep that the guesses leave the arc
    CHECK(!ployi_projectile_landing_on(&ball, &scene, PLOY_SCENE_ALL, 1e-5f, 50, &landing));
    // Flat ground by an empty scene.
    CHECK(ployi_projectile_landing_on(&ball, NULL, PLOY_SCENE_ALL, 1e-5f, 2, &landing));
    CHECK_NEAR(landing.point.y, 10.8048437, 1e-5);
}

TEST(firing_solutions_are_those_of_the_table) {
    // PHY-04.
    static const struct {
        const char *row;
        float x, y, z, speed;
        int32_t count;
        double low_time, low_up, low_x, high_time, high_up, high_x;
    } rows[] = {
        {"flat", 10, 0, 0, 20, 2, 0.5038618, 0.1235721, 0.9923356, 4.0462206, 0.9923356, 0.1235721},
        {"up and across", 30, 5, 40, 30, 2, 1.8081763, 0.3878107, 0.5530434, 5.6656652, 0.9557532,
         0.1765018},
        {"too far", 50, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_shot shots[2];
        ploy_vec3 to = from_book(rows[i].x, rows[i].y, rows[i].z);
        CHECK_INT(ploy_firing_find(ploy_vec3_zero(), to, rows[i].speed, earth, shots),
                  rows[i].count);
        if (rows[i].count == 0) continue;
        CHECK_NEAR(shots[PLOY_ARC_LOW].time, rows[i].low_time, 1e-6);
        CHECK_NEAR(shots[PLOY_ARC_LOW].direction.z, rows[i].low_up, 1e-6);
        CHECK_NEAR(shots[PLOY_ARC_LOW].direction.y, rows[i].low_x, 1e-6);
        CHECK_NEAR(shots[PLOY_ARC_HIGH].time, rows[i].high_time, 1e-6);
        CHECK_NEAR(shots[PLOY_ARC_HIGH].direction.z, rows[i].high_up, 1e-6);
        CHECK_NEAR(shots[PLOY_ARC_HIGH].direction.y, rows[i].high_x, 1e-6);
    }
    // A hair within the range's limit s^2 / g both arcs are close to 45 degrees.
    ploy_shot shots[2];
    CHECK(ploy_firing_find(ploy_vec3_zero(), from_book(40.7747f, 0.0f, 0.0f), 20.0f, earth, shots) >
          0);
    CHECK_NEAR(shots[0].time, 2.8832081, 5e-3);
    CHECK_NEAR(shots[0].direction.z, 0.70710678, 2e-3);
    CHECK_NEAR(shots[1].time, 2.8832081, 5e-3);
}

TEST(degenerate_shots_are_defined) {
    ploy_shot shots[2];
    ploy_vec3 here = {3.0f, 4.0f, 5.0f}, none = {0.0f, 0.0f, 0.0f};
    CHECK_INT(ploy_firing_find(here, here, 10.0f, earth, shots), 2);
    CHECK_SAME(shots[PLOY_ARC_LOW].time, 0.0f);
    CHECK_NEAR(shots[PLOY_ARC_HIGH].time, 20.0 / 9.81, 1e-6);
    CHECK_SAME(shots[PLOY_ARC_HIGH].direction.z, 1.0f);
    CHECK_INT(ploy_firing_find(none, here, 10.0f, none, shots), 1);
    CHECK_NEAR(shots[0].time, sqrt(50.0) / 10.0, 1e-6);
    CHECK_NEAR(shots[0].direction.y, 4.0 / sqrt(50.0), 1e-6);
    static const float bad[] = {0.0f, -1.0f, NAN, INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        CHECK_INT(ploy_firing_find(none, here, bad[i], earth, shots), 0);
        CHECK_INT(ploy_firing_find(none, ploy_vec3_make(NAN, 0.0f, 0.0f), 5.0f, earth, shots), 0);
    }
}

TEST(every_solution_hits_and_none_means_out_of_range) {
    for (int64_t seed = 0; seed < test_rounds(3000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec3 from = scene_near3(&rng, 50.0f), to = scene_near3(&rng, 50.0f);
        ploy_vec3 gravity = scene_near3(&rng, 20.0f);
        float speed = ploy_rng_range(&rng, 1.0f, 60.0f);
        ploy_shot shots[2];
        int32_t count = ploy_firing_find(from, to, speed, gravity, shots);
        for (int32_t i = 0; i < count; i++) {
            ploy_projectile shot = {from, ploy_vec3_scale(shots[i].direction, speed), gravity};
            ploy_vec3 at = ploy_projectile_at(&shot, shots[i].time);
            double reach = (double)speed * (double)shots[i].time + 100.0;
            CHECK_NEAR(ploy_vec3_length(shots[i].direction), 1.0, 1e-6);
            CHECK_NEAR(ploy_vec3_distance(at, to), 0.0, 2e-5 * reach);
        }
        if (count > 0) {
            CHECK(shots[PLOY_ARC_LOW].time <= shots[PLOY_ARC_HIGH].time);
            continue;
        }
        // No time exists at which the shell of all shots contains the point.
        for (int step = 1; step < 400; step++) {
            float time = 0.05f * (float)step;
            ploy_vec3 drop = ploy_vec3_scale(gravity, 0.5f * time * time);
            float need = ploy_vec3_distance(to, ploy_vec3_add(from, drop));
            CHECK(need > speed * time * 0.999f);
        }
    }
}

TEST(leading_meets_a_target_that_goes_on) {
    for (int64_t seed = 0; seed < test_rounds(500); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_vec3 target = scene_near3(&rng, 30.0f), velocity = scene_near3(&rng, 5.0f);
        ploy_shot shot;
        if (!ploy_firing_lead(ploy_vec3_zero(), target, velocity, 40.0f, earth, PLOY_ARC_LOW, 1e-3f,
                              &shot)) {
            continue;
        }
        ploy_projectile ball =
            ploy_projectile_make(ploy_vec3_zero(), ploy_vec3_scale(shot.direction, 40.0f));
        ploy_vec3 meets = ploy_vec3_add_scaled(target, velocity, shot.time);
        CHECK_NEAR(ploy_vec3_distance(ploy_projectile_at(&ball, shot.time), meets), 0.0, 5e-3);
    }
    ploy_shot shot;
    CHECK(!ploy_firing_lead(ploy_vec3_zero(), from_book(500.0f, 0.0f, 0.0f), ploy_vec3_zero(),
                            20.0f, earth, PLOY_ARC_LOW, 1e-3f, &shot));
}

// A wall across the way, 4 m high, that a plain scene of the plane cannot have.
static bool wall_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit) {
    float height = *(float *)user;
    (void)mask;
    if ((from.y < 5.0f) == (to.y < 5.0f)) return false;
    float part = (5.0f - from.y) / (to.y - from.y);
    ploy_vec3 at = ploy_vec3_lerp(from, to, part);
    if (at.z > height) return false;
    memset(hit, 0, sizeof *hit);
    hit->distance = ploy_vec3_distance(from, at);
    hit->point = at;
    return true;
}

TEST(the_first_clear_throw_is_taken) {
    float height = 4.0f;
    ploy_scene scene = {wall_ray, NULL, NULL, NULL, &height};
    static const ploy_throw throws[] = {{"weak", 5.0f, PLOY_ARC_LOW},
                                        {"fast", 20.0f, PLOY_ARC_LOW},
                                        {"lob", 20.0f, PLOY_ARC_HIGH},
                                        {"slow lob", 12.0f, PLOY_ARC_HIGH}};
    ploy_shot shot;
    ploy_vec3 to = from_book(10.0f, 0.0f, 0.0f), from = ploy_vec3_zero();
    ploy_agent_id id = ploy_agent_id_make(1, 1);
    CHECK_INT(
        ploy_firing_choose(from, to, earth, throws, 4, 0.0f, NULL, PLOY_SCENE_ALL, id, NULL, &shot),
        1);
    CHECK_INT(ploy_firing_choose(from, to, earth, throws, 4, 0.0f, &scene, PLOY_SCENE_ALL, id, NULL,
                                 &shot),
              2);
    CHECK_NEAR(shot.time, 4.0462206, 1e-5);
    height = 1000.0f;
    CHECK_INT(ploy_firing_choose(from, to, earth, throws, 4, 0.0f, &scene, PLOY_SCENE_ALL, id, NULL,
                                 &shot),
              -1);
    ploy_projectile ball = ploy_projectile_make(from, from_book(10.0f, 5.0f, 0.0f));
    ploy_scene_hit hit;
    CHECK(ployi_projectile_blocked(&ball, 1.0f, 0.0f, &scene, PLOY_SCENE_ALL, 64, &hit));
    CHECK_NEAR(hit.point.y, 5.0, 1e-4);
    CHECK(hit.distance > 5.0f && hit.distance < 6.0f);
    CHECK(!ployi_projectile_blocked(&ball, 0.4f, 0.0f, &scene, PLOY_SCENE_ALL, 64, &hit));
}

TEST(what_rises_without_gravity_does_not_come_down) {
    ploy_projectile projectile;
    memset(&projectile, 0, sizeof projectile);
    projectile.velocity = ploy_vec3_make(1, 0, 2);
    ploy_landing landing;
    CHECK(!ploy_projectile_landing(&projectile, 10.0f, &landing));
    projectile.velocity.z = -2.0f;
    CHECK(ploy_projectile_landing(&projectile, -10.0f, &landing));
    CHECK_NEAR(landing.time, 5.0, 1e-6);
}
