#include "tests/geom/geom_test.h"

#include "ploy/geom/scene.h"

static ploy_plain_scene *scene_new(test_context *t) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_env env = ploy_env_default();
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &scene));
    return scene;
}

TEST(scene_create_refuses_bad_settings) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene *scene = (ploy_plain_scene *)&env;
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    def.ground_height = NAN;
    CHECK_INT(ploy_plain_scene_create(&def, &env, &scene), PLOY_ERR_ARGUMENT);
    CHECK(scene == NULL);
    def = ploy_plain_scene_def_default();
    def.capacity = -1;
    CHECK_INT(ploy_plain_scene_create(&def, &env, &scene), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_create(&def, &env, NULL), PLOY_ERR_ARGUMENT);
    ploy_plain_scene_destroy(NULL);
}

TEST(rays_and_sweeps_meet_walls_and_pillars) {
    ploy_plain_scene *plain = scene_new(t);
    ploy_obstacle_id wall, pillar;
    CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(10, -5), test_v2(10, 5), 1, &wall));
    CHECK_OK(ploy_plain_scene_add_circle(plain, test_v2(5, 0), 1, 2, &pillar));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_scene_hit hit;
    CHECK(ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(20, 0), PLOY_SCENE_ALL, &hit));
    CHECK_NEAR(hit.distance, 4, 1e-6);
    CHECK_VEC3(hit.point, 4, 0, 0, 1e-6);
    CHECK_VEC3(hit.normal, -1, 0, 0, 1e-6);
    CHECK(ploy_id_equal(hit.object, pillar.id));
    CHECK_UINT(hit.layers, 2);
    CHECK(ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(20, 0), 1, &hit)); // sees walls only
    CHECK_SAME(hit.distance, 10);
    CHECK(ploy_id_equal(hit.object, wall.id));
    CHECK(!ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(20, 0), 4, &hit));
    CHECK(!ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(3.9, 0), PLOY_SCENE_ALL, NULL));
    CHECK(ploy_scene_sweep2(&scene, test_v2(0, 0), test_v2(20, 0), 2, PLOY_SCENE_ALL, &hit));
    CHECK_NEAR(hit.distance, 2, 1e-6);
    CHECK_VEC3(hit.point, 4, 0, 0, 1e-6);
    CHECK(ploy_scene_sweep2(&scene, test_v2(0, 0), test_v2(20, 0), 2, 1, &hit));
    CHECK_SAME(hit.distance, 8);
    CHECK(ploy_scene_sweep2(&scene, test_v2(5, 0.5), test_v2(5, 9), 1, 2, &hit));
    CHECK(hit.inside);
    CHECK(ploy_scene_sees2(&scene, test_v2(0, 3), test_v2(9, 3), PLOY_SCENE_ALL));
    CHECK(!ploy_scene_sees2(&scene, test_v2(0, 3), test_v2(11, 3), PLOY_SCENE_ALL));
    // Exactly onto the wall: its ends and faces count.
    CHECK(!ploy_scene_sees2(&scene, test_v2(3, 4.1), test_v2(10, 4.9), 1));
    CHECK(!ploy_scene_sees2(&scene, test_v2(0, 5), test_v2(20, 5), 1));
    // Along the wall: its end, against the way.
    CHECK(ploy_scene_ray2(&scene, test_v2(10, 9), test_v2(10, 0), 1, &hit));
    CHECK_SAME(hit.distance, 4);
    CHECK_VEC3(hit.normal, 0, 1, 0, 0);
    // Walls are endlessly high; z follows the way.
    CHECK(ploy_scene_ray(&scene, test_v3(0, 3, 100), test_v3(20, 3, 200), 1, &hit));
    CHECK_VEC3(hit.point, 10, 3, 150, 1e-4);
    ploy_plain_scene_destroy(plain);
}

TEST(overlap_tells_who_touches_in_order) {
    ploy_plain_scene *plain = scene_new(t);
    ploy_obstacle_id id[3];
    CHECK_OK(ploy_plain_scene_add_circle(plain, test_v2(5, 0), 2, 1, &id[0]));
    CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(-9, 3), test_v2(9, 3), 2, &id[1]));
    ploy_obstacle capsule = {{{-5, -5}, {5, -5}}, 2, 4};
    CHECK_OK(ploy_plain_scene_add(plain, &capsule, &id[2]));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_id out[3];
    CHECK_INT(ploy_scene_overlap(&scene, test_v3(0, 0, 7), 3, PLOY_SCENE_ALL, out, 3), 3);
    for (int32_t i = 0; i < 3; i++) CHECK(ploy_id_equal(out[i], id[i].id));
    CHECK_INT(ploy_scene_overlap(&scene, test_v3(0, 0, 7), 2.9f, PLOY_SCENE_ALL, out, 3), 0);
    CHECK_INT(ploy_scene_overlap(&scene, test_v3(0, 0, 0), 3, 6, out, 1), 2);
    CHECK(ploy_id_equal(out[0], id[1].id));
    CHECK_INT(ploy_scene_overlap(&scene, test_v3(0, 0, 0), 3, 6, NULL, 0), 2);
    CHECK_INT(ploy_scene_overlap(&scene, test_v3(5, 1, 0), -1, 1, out, 3), 1);
    ploy_plain_scene_destroy(plain);
}

TEST(an_empty_interface_is_an_empty_flat_scene) {
    ploy_scene none = {NULL, NULL, NULL, NULL, NULL};
    const ploy_scene *scenes[2] = {NULL, &none};
    for (int32_t i = 0; i < 2; i++) {
        TEST_SEED(i);
        float height = 9;
        ploy_vec3 normal = {9, 9, 9};
        CHECK(!ploy_scene_ray2(scenes[i], test_v2(0, 0), test_v2(1, 0), 1, NULL));
        CHECK(!ploy_scene_sweep2(scenes[i], test_v2(0, 0), test_v2(1, 0), 1, 1, NULL));
        CHECK_INT(ploy_scene_overlap(scenes[i], test_v3(0, 0, 0), 9, 1, NULL, 0), 0);
        CHECK(ploy_scene_ground(scenes[i], test_v3(1, 2, 3), 1, &height, &normal));
        CHECK_SAME(height, 0);
        CHECK_VEC3(normal, 0, 0, 1, 0);
        CHECK(ploy_scene_sees2(scenes[i], test_v2(0, 0), test_v2(1, 0), 1));
    }
}

// A game's own scene: a hillside, and a wall that only rays know.
static bool hill_ray(void *user, ploy_vec3 from, ploy_vec3 to, uint32_t mask, ploy_scene_hit *hit) {
    int32_t *calls = user;
    ++*calls;
    if (from.x >= 5 || to.x < 5 || mask == 0) return false;
    memset(hit, 0, sizeof *hit);
    hit->distance = 5 - from.x;
    return true;
}

static bool hill_ground(void *user, ploy_vec3 at, uint32_t mask, float *height, ploy_vec3 *normal) {
    (void)user;
    (void)mask;
    if (at.y > 100) return false; // the world's end
    *height = at.x * 0.5f;
    *normal = ploy_vec3_normalise(ploy_vec3_make(-0.5f, 0, 1));
    return true;
}

TEST(a_games_own_physics_stands_behind_the_same_calls) {
    int32_t calls = 0;
    ploy_scene scene = {hill_ray, NULL, NULL, hill_ground, &calls};
    ploy_scene_hit hit;
    CHECK(ploy_scene_ray2(&scene, test_v2(1, 0), test_v2(9, 0), 1, &hit));
    CHECK_SAME(hit.distance, 4);
    CHECK(ploy_scene_sweep2(&scene, test_v2(1, 0), test_v2(9, 0), 1, 1, NULL)); // falls back
    CHECK_INT(calls, 2);
    float height = 0;
    CHECK(ploy_scene_ground(&scene, test_v3(6, 0, 0), 1, &height, NULL));
    CHECK_SAME(height, 3);
    CHECK(!ploy_scene_ground(&scene, test_v3(6, 101, 0), 1, &height, NULL));
    // Numbers that are not finite never reach the game.
    CHECK(!ploy_scene_ray2(&scene, test_v2(NAN, 0), test_v2(9, 0), 1, NULL));
    CHECK(!ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(INFINITY, 0), 1, NULL));
    CHECK(!ploy_scene_ground(&scene, test_v3(NAN, 0, 0), 1, NULL, NULL));
    scene.sweep = NULL;
    CHECK(!ploy_scene_sweep2(&scene, test_v2(NAN, 0), test_v2(9, 0), 1, 1, NULL));
    CHECK_INT(calls, 2);
}

TEST(obstacles_move_go_and_are_not_mistaken_for_others) {
    ploy_plain_scene *plain = scene_new(t);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_obstacle_id a, b, c;
    ploy_obstacle circle = {{{5, 0}, {5, 0}}, 1, 1}, got;
    ploy_plain_scene_clear(plain); // of nothing
    CHECK_OK(ploy_plain_scene_add(plain, &circle, &a));
    CHECK_INT(ploy_plain_scene_count(plain), 1);
    circle.segment.from = circle.segment.to = test_v2(5, 10);
    CHECK_OK(ploy_plain_scene_set(plain, a, &circle));
    CHECK(ploy_scene_sees2(&scene, test_v2(0, 0), test_v2(9, 0), 1));
    CHECK(!ploy_scene_sees2(&scene, test_v2(0, 10), test_v2(9, 10), 1));
    CHECK(ploy_plain_scene_get(plain, a, &got));
    CHECK_VEC2(got.segment.from, 5, 10, 0);
    CHECK_OK(ploy_plain_scene_remove(plain, a));
    CHECK_INT(ploy_plain_scene_remove(plain, a), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_plain_scene_set(plain, a, &circle), PLOY_ERR_NOT_FOUND);
    CHECK(!ploy_plain_scene_get(plain, a, &got));
    CHECK(ploy_scene_sees2(&scene, test_v2(0, 10), test_v2(9, 10), 1));
    CHECK_OK(ploy_plain_scene_add(plain, &circle, &b)); // in the same place
    CHECK_INT(b.id.index, a.id.index);
    CHECK(b.id.generation != a.id.generation);
    CHECK(!ploy_plain_scene_get(plain, a, &got) && ploy_plain_scene_get(plain, b, &got));
    CHECK_OK(ploy_plain_scene_add(plain, &circle, &c));
    CHECK_OK(ploy_plain_scene_remove(plain, b)); // one is free already
    ploy_plain_scene_clear(plain);
    CHECK_INT(ploy_plain_scene_count(plain), 0);
    CHECK(!ploy_plain_scene_get(plain, b, &got) && !ploy_plain_scene_get(plain, c, &got));
    CHECK(ploy_scene_sees2(&scene, test_v2(0, 10), test_v2(9, 10), 1));
    CHECK_OK(ploy_plain_scene_add(plain, &circle, &a));
    CHECK_INT(a.id.index, 0);
    CHECK_OK(ploy_plain_scene_add(plain, &circle, &b));
    CHECK_INT(b.id.index, 1);
    CHECK_INT(ploy_plain_scene_count(plain), 2);
    ploy_obstacle_id none = {{0, 0}}, wild = {{77, 1}};
    CHECK(!ploy_plain_scene_get(plain, none, &got) && !ploy_plain_scene_get(plain, wild, &got));
    ploy_plain_scene_destroy(plain);
}

TEST(bad_obstacles_are_refused) {
    ploy_plain_scene *plain = scene_new(t);
    ploy_obstacle_id id = {{7, 7}};
    CHECK_INT(ploy_plain_scene_add(plain, NULL, &id), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_add_circle(plain, test_v2(0, 0), -1, 1, &id), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_add_circle(plain, test_v2(0, 0), NAN, 1, &id), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_add_segment(plain, test_v2(0, INFINITY), test_v2(0, 0), 1, &id),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(id.id.index, 7);
    CHECK_INT(ploy_plain_scene_count(plain), 0);
    CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(0, 0), test_v2(1, 0), 1, &id));
    ploy_obstacle bad = {{{0, 0}, {NAN, 0}}, 0, 1};
    CHECK_INT(ploy_plain_scene_set(plain, id, &bad), PLOY_ERR_ARGUMENT);
    ploy_plain_scene_destroy(plain);
}

// The slow version: every obstacle by itself, without bounds and places.
TEST(casts_agree_with_every_obstacle_asked_alone) {
    for (uint64_t seed = 0; seed < 400; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_plain_scene *plain = scene_new(t);
        ploy_scene scene = ploy_plain_scene_interface(plain);
        ploy_obstacle all[30];
        ploy_obstacle_id id[30];
        float size = seed % 4 == 0 ? 1e6f : 10;
        for (int32_t i = 0; i < 30; i++) {
            all[i].segment.from = test_random_vec2(&rng, size);
            all[i].segment.to =
                ploy_vec2_add(all[i].segment.from, test_random_vec2(&rng, size / 3));
            all[i].radius = ploy_rng_chance(&rng, 0.5f) ? 0 : ploy_rng_range(&rng, 0, size / 10);
            if (ploy_rng_chance(&rng, 0.3f)) all[i].segment.to = all[i].segment.from;
            all[i].layers = 1u << ploy_rng_int(&rng, 0, 3);
            CHECK_OK(ploy_plain_scene_add(plain, &all[i], &id[i]));
        }
        for (int32_t i = 0; i < 30; i += 3) { // some are taken away and put back elsewhere
            CHECK_OK(ploy_plain_scene_remove(plain, id[i]));
        }
        for (int32_t i = 0; i < 30; i += 3) {
            CHECK_OK(ploy_plain_scene_add(plain, &all[i], &id[i]));
        }
        for (int32_t k = 0; k < 20; k++) {
            ploy_vec2 from = test_random_vec2(&rng, size), to = test_random_vec2(&rng, size);
            float radius = k % 2 == 0 ? 0 : ploy_rng_range(&rng, 0, size / 10);
            uint32_t mask = ploy_rng_u32(&rng) & 15u;
            float best = INFINITY;
            int32_t touching = 0;
            for (int32_t i = 0; i < 30; i++) {
                if ((all[i].layers & mask) == 0) continue;
                ploy_hit2 hit;
                ploy_crossing2 crossing;
                ploy_segment2 way = {from, to};
                if (radius > 0 || all[i].radius > 0) {
                    if (ploy_sweep_hit_capsule(ploy_sweep_between(from, to, radius), all[i].segment,
                                               all[i].radius, &hit)) {
                        best = fminf(best, hit.distance);
                    }
                } else if (ploy_segment2_touches(way, all[i].segment, &crossing)) {
                    best = fminf(best, crossing.distance);
                }
                touching += ploy_segment2_distance(all[i].segment, from) <= radius + all[i].radius;
            }
            ploy_scene_hit hit;
            bool met = ploy_scene_sweep2(&scene, from, to, radius, mask, &hit);
            CHECK(met == (best < INFINITY));
            if (met) {
                CHECK_SAME(hit.distance, best);
                ploy_obstacle_id object = {hit.object};
                ploy_obstacle named;
                CHECK(ploy_plain_scene_get(plain, object, &named));
                CHECK_UINT(named.layers, hit.layers);
                CHECK(ploy_vec3_is_finite(hit.point) && ploy_vec3_is_finite(hit.normal));
                CHECK_NEAR(ploy_vec3_length(hit.normal), 1, 1e-5);
            }
            int32_t overlap =
                ploy_scene_overlap(&scene, ploy_vec3_from_vec2(from, 0), radius, mask, NULL, 0);
            CHECK(overlap >= touching - 1 && overlap <= touching + 1); // but for the last digit
        }
        ploy_plain_scene_destroy(plain);
    }
}

static ploy_result scene_make(const ploy_env *env, void *arg) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    (void)arg;
    def.capacity = 2;
    ploy_result result = ploy_plain_scene_create(&def, env, &plain);
    if (result != PLOY_OK) return plain == NULL ? result : PLOY_ERR_STATE;
    for (int32_t i = 0; i < 50 && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_circle(plain, test_v2(i, 0), 0.4f, 1, NULL);
        if (result != PLOY_OK && ploy_plain_scene_count(plain) != i) result = PLOY_ERR_STATE;
    }
    ploy_plain_scene_destroy(plain);
    return result;
}

TEST(scenes_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(scene_make, NULL);
}

static uint64_t scene_hash(const ploy_plain_scene *scene) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_plain_scene_describe(scene, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(every_change_of_a_scene_shows_in_its_hash) {
    ploy_plain_scene *plain = scene_new(t);
    ploy_obstacle_id id;
    uint64_t empty = scene_hash(plain);
    CHECK_OK(ploy_plain_scene_add_circle(plain, test_v2(1, 2), 3, 4, &id));
    uint64_t one = scene_hash(plain);
    CHECK(one != empty);
    ploy_obstacle changed = {{{1, 2}, {1, 2}}, 3, 5};
    CHECK_OK(ploy_plain_scene_set(plain, id, &changed));
    CHECK(scene_hash(plain) != one);
    changed.layers = 4;
    CHECK_OK(ploy_plain_scene_set(plain, id, &changed));
    CHECK_UINT(scene_hash(plain), one);
    CHECK_OK(ploy_plain_scene_remove(plain, id));
    CHECK(scene_hash(plain) != empty); // the next id will be another
    ploy_plain_scene_destroy(plain);
}

static void draw_kinds(void *user, const ploy_draw_item *item) {
    int32_t *seen = user;
    seen[item->shape]++;
}

static void memory_sum(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

TEST(scenes_draw_what_stands_and_tell_their_memory) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    def.ground_height = 2.5f;
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    ploy_obstacle capsule = {{{-5, -5}, {5, -5}}, 2, 4};
    ploy_obstacle_id gone;
    CHECK_OK(ploy_plain_scene_add(plain, &capsule, NULL));
    CHECK_OK(ploy_plain_scene_add_circle(plain, test_v2(1, 2), 3, 4, NULL));
    CHECK_OK(ploy_plain_scene_add_circle(plain, test_v2(1, 2), 0, 4, NULL));
    CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(1, 2), test_v2(3, 4), 1, NULL));
    CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(1, 2), test_v2(3, 4), 1, &gone));
    CHECK_OK(ploy_plain_scene_remove(plain, gone));
    int32_t seen[PLOY_SHAPE_COUNT] = {0};
    ploy_draw out = {draw_kinds, seen, 1u << PLOY_LAYER_WORLD};
    ploy_plain_scene_draw(plain, &out);
    CHECK_INT(seen[PLOY_SHAPE_DISC], 3);
    CHECK_INT(seen[PLOY_SHAPE_POLYGON], 1);
    CHECK_INT(seen[PLOY_SHAPE_POINT], 1);
    CHECK_INT(seen[PLOY_SHAPE_LINE], 1);
    int64_t told = 0;
    ploy_plain_scene_memory(plain, memory_sum, &told);
    CHECK_INT(told, counts.bytes);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    float height = 0;
    CHECK(ploy_scene_ground(&scene, test_v3(4, 5, 6), 1, &height, NULL));
    CHECK_SAME(height, 2.5);
    int64_t calls = counts.calls;
    for (int32_t i = 0; i < 100; i++) {
        (void)ploy_scene_sweep2(&scene, test_v2(i, i), test_v2(0, 0), 1, 7, NULL);
    }
    CHECK_INT(counts.calls, calls);
    ploy_plain_scene_destroy(plain);
    CHECK_INT(counts.bytes, 0);
}
