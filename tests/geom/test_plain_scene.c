#include "geom/geom_internal.h"
#include "tests/geom/geom_test.h"

#include "ploy/geom/scene.h"
#include "tests/rewind.h"

enum { SCENE_MOST = 160 };

// The slow, obvious scene: a list that is asked from end to end.
typedef struct scene_list {
    ploy_obstacle at[SCENE_MOST];
    ploy_obstacle_id id[SCENE_MOST];
    bool there[SCENE_MOST];
} scene_list;

static ploy_plain_scene *scene_new(test_context *t, const ploy_env *env, float margin) {
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    def.margin = margin;
    ploy_plain_scene *scene = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, env, &scene));
    return scene;
}

// One obstacle by itself, in the public shapes.
static bool slow_meets(const ploy_obstacle *one, ploy_vec2 from, ploy_vec2 to, float radius,
                       float *distance) {
    ploy_hit2 hit;
    ploy_crossing2 crossing;
    ploy_segment2 way = {from, to};
    if (radius > 0 || one->radius > 0) {
        ploy_sweep sweep = ploy_sweep_between(from, to, radius);
        if (!ploy_sweep_hit_capsule(sweep, one->segment, one->radius, &hit)) return false;
        *distance = hit.distance;
        return true;
    }
    if (!ploy_segment2_touches(way, one->segment, &crossing)) return false;
    *distance = crossing.distance;
    return true;
}

static void check_cast(test_context *t, const ploy_scene *scene, const scene_list *list,
                       ploy_vec2 from, ploy_vec2 to, float radius, uint32_t mask) {
    uint32_t first = 0;
    float best = 0;
    const ploy_obstacle *who = NULL;
    ploy_id name = {0, 0};
    for (int32_t i = 0; i < SCENE_MOST; i++) {
        float distance;
        if (!list->there[i] || (list->at[i].layers & mask) == 0) continue;
        if (!slow_meets(&list->at[i], from, to, radius, &distance)) continue;
        uint32_t index = list->id[i].id.index; // equally near: by the scene's own order
        if (who != NULL && (distance > best || (distance == best && index > first))) continue;
        who = &list->at[i];
        name = list->id[i].id;
        first = index;
        best = distance;
    }
    ploy_scene_hit hit;
    bool met = ploy_scene_sweep2(scene, from, to, radius, mask, &hit);
    CHECK_INT(met, who != NULL);
    if (!met || who == NULL) return;
    CHECK_SAME(hit.distance, best);
    CHECK(ploy_id_equal(hit.object, name));
    CHECK_UINT(hit.layers, who->layers);
}

// Who touches a circle, decided as the header says and in order of indexes. A circle's radius and
// an obstacle's are added in double, as sums of floats are exact there.
static void check_overlap(test_context *t, const ploy_scene *scene, const scene_list *list,
                          ploy_vec2 at, float radius, uint32_t mask, int32_t room) {
    ploy_id all[SCENE_MOST], few[SCENE_MOST];
    int32_t total =
        ploy_scene_overlap(scene, ploy_vec3_from_vec2(at, 0), radius, mask, all, SCENE_MOST);
    bool told[SCENE_MOST] = {false};
    for (int32_t i = 0; i < total; i++) {
        if (i > 0) CHECK(all[i - 1].index < all[i].index);
        for (int32_t k = 0; k < SCENE_MOST; k++) {
            if (list->there[k] && ploy_id_equal(list->id[k].id, all[i])) told[k] = true;
        }
    }
    int32_t count = 0;
    for (int32_t k = 0; k < SCENE_MOST; k++) {
        count += told[k];
        if (!list->there[k] || (list->at[k].layers & mask) == 0) {
            CHECK(!told[k]);
            continue;
        }
        // But for the last digit, which the public distance has rounded.
        double gap = (double)ploy_segment2_distance(list->at[k].segment, at);
        double reach = (double)radius + (double)list->at[k].radius, hair = 1e-6 * (gap + reach);
        if (gap < reach - hair) CHECK(told[k]);
        if (gap > reach + hair) CHECK(!told[k]);
    }
    CHECK_INT(count, total);
    CHECK_INT(ploy_scene_overlap(scene, ploy_vec3_from_vec2(at, 0), radius, mask, few, room),
              total);
    for (int32_t i = 0; i < total && i < room; i++) CHECK(ploy_id_equal(few[i], all[i]));
}

static const float scene_sizes[] = {10, 1000, 1e6f, 1e-2f, 1e9f, 1e17f};

// Walls in a maze of whole numbers that touch everywhere, in a fan from one point, all on one line,
// all in one place; or any thick and thin ones.
static ploy_obstacle any_obstacle(ploy_rng *rng, uint64_t kind, float size, int32_t i) {
    ploy_obstacle one;
    one.segment.from = test_random_vec2(rng, size);
    one.segment.to = ploy_vec2_add(one.segment.from, test_random_vec2(rng, size * 0.1f));
    one.radius = ploy_rng_chance(rng, 0.5f) ? 0 : ploy_rng_range(rng, 0, size * 0.05f);
    float unit = size * 0.125f;
    switch (kind % 5) {
    case 1:
        one.segment.from = test_v2((double)(unit * (float)ploy_rng_int(rng, -8, 8)),
                                   (double)(unit * (float)ploy_rng_int(rng, -8, 8)));
        one.segment.to = one.segment.from;
        if (ploy_rng_chance(rng, 0.5f)) {
            one.segment.to.x += unit;
        } else {
            one.segment.to.y += unit;
        }
        one.radius = ploy_rng_chance(rng, 0.8f) ? 0 : unit;
        break;
    case 2: one.segment.from = test_v2(0, 0); break;
    case 3: one.segment.from.y = one.segment.to.y = 0; break;
    case 4:
        one.segment.from = test_v2((double)unit, (double)unit);
        one.segment.to = i % 2 == 0 ? one.segment.from : test_v2((double)(2 * unit), (double)unit);
        break;
    default: break;
    }
    if (ploy_rng_chance(rng, 0.2f)) one.segment.to = one.segment.from;
    one.layers = ploy_rng_chance(rng, 0.1f) ? 0 : 1u << ploy_rng_int(rng, 0, 3);
    return one;
}

static void check_questions(test_context *t, const ploy_plain_scene *plain, const scene_list *list,
                            ploy_rng *rng, float size) {
    ploy_scene scene = ploy_plain_scene_interface(plain);
    for (int32_t k = 0; k < 6; k++) {
        ploy_vec2 from = test_random_vec2(rng, size), to = test_random_vec2(rng, size);
        int32_t who = ploy_rng_int(rng, 0, SCENE_MOST - 1);
        if (ploy_rng_chance(rng, 0.4f)) from = list->at[who].segment.from; // exactly at an end
        if (ploy_rng_chance(rng, 0.3f)) to = list->at[(who + 1) % SCENE_MOST].segment.to;
        if (ploy_rng_chance(rng, 0.2f)) to.y = from.y;
        if (ploy_rng_chance(rng, 0.1f)) to = from;
        float radius = ploy_rng_chance(rng, 0.5f) ? 0 : ploy_rng_range(rng, 0, size * 0.1f);
        uint32_t mask = ploy_rng_chance(rng, 0.4f) ? PLOY_SCENE_ALL : ploy_rng_u32(rng) & 15u;
        check_cast(t, &scene, list, from, to, radius, mask);
        check_overlap(t, &scene, list, from, radius, mask, ploy_rng_int(rng, 0, 9));
    }
}

TEST(a_changing_scene_equals_asking_every_obstacle) {
    static scene_list list;
    for (uint64_t seed = 0; seed < (uint64_t)test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        float size = scene_sizes[seed % COUNT_OF(scene_sizes)];
        ploy_env env = ploy_env_default();
        ploy_plain_scene *plain = scene_new(t, &env, seed % 3 == 0 ? 0 : fminf(size / 50, 1e9f));
        memset(&list, 0, sizeof list);
        int32_t count = 0;
        for (int32_t step = 0; step < 300; step++) {
            int32_t i = ploy_rng_int(&rng, 0, SCENE_MOST - 1), what = ploy_rng_int(&rng, 0, 9);
            ploy_obstacle one = any_obstacle(&rng, seed / 3, size, i);
            bool there = list.there[i];
            if (what < 6 && !there) {
                CHECK_OK(ploy_plain_scene_add(plain, &one, &list.id[i]));
                count++;
            } else if (what < 7) {
                if (what % 2 == 0 && there) { // a small step, mostly within the margin
                    one = list.at[i];
                    one.segment.from.x += size * 1e-3f;
                }
                CHECK_INT(ploy_plain_scene_set(plain, list.id[i], &one),
                          there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                if (!there) continue;
            } else if (what < 8) {
                CHECK_INT(ploy_plain_scene_remove(plain, list.id[i]),
                          there ? PLOY_OK : PLOY_ERR_NOT_FOUND);
                count -= there;
                list.there[i] = false;
                continue;
            } else if (what == 8 && step % 10 == 0) {
                ploy_plain_scene_tidy(plain);
                continue;
            } else {
                continue;
            }
            list.at[i] = one;
            list.there[i] = true;
            CHECK_INT(ploy_plain_scene_count(plain), count);
            if (step % 10 == 0) check_questions(t, plain, &list, &rng, size);
        }
        check_questions(t, plain, &list, &rng, size);
        ploy_plain_scene_clear(plain);
        memset(list.there, 0, sizeof list.there);
        check_questions(t, plain, &list, &rng, size);
        ploy_plain_scene_destroy(plain);
    }
}

TEST(of_equally_near_obstacles_the_lowest_index_is_met) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene *plain = scene_new(t, &env, 0.1f);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_obstacle_id id[40];
    for (int32_t i = 0; i < 40; i++) { // a fan from one point
        CHECK_OK(ploy_plain_scene_add_segment(plain, test_v2(5, 0), test_v2(9, i - 20), 1u << i % 4,
                                              &id[i]));
    }
    ploy_scene_hit hit;
    for (int32_t turn = 0; turn < 2; turn++) {
        for (uint32_t mask = 1; mask < 16; mask++) {
            int32_t lowest = (mask & 1) != 0 ? 0 : (mask & 2) != 0 ? 1 : (mask & 4) != 0 ? 2 : 3;
            CHECK(ploy_scene_ray2(&scene, test_v2(0, 0), test_v2(5, 0), mask, &hit));
            CHECK(ploy_id_equal(hit.object, id[lowest].id));
            CHECK_SAME(hit.distance, 5);
        }
        ploy_plain_scene_tidy(plain); // another tree, the same answers
    }
    ploy_plain_scene_destroy(plain);
}

TEST(numbers_at_the_end_of_floats_are_as_a_list_has_them) {
    static scene_list list;
    ploy_env env = ploy_env_default();
    ploy_plain_scene *plain = scene_new(t, &env, 0.1f);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    memset(&list, 0, sizeof list);
    static const ploy_obstacle odd[] = {
        {{{-FLT_MAX, 0}, {FLT_MAX, 0}}, 0, 1},
        {{{3e38f, 3e38f}, {3e38f, 3e38f}}, 3e38f, 1},
        {{{1e30f, 0}, {1e30f, 1e30f}}, 0, 1},
        {{{0, -FLT_MAX}, {0, FLT_MAX}}, 1e38f, 1},
        {{{1, 1}, {1, 2}}, 0, 1},
    };
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        list.at[i] = odd[i];
        list.there[i] = true;
        CHECK_OK(ploy_plain_scene_add(plain, &odd[i], &list.id[i]));
    }
    static const ploy_vec2 ends[] = {{0, 0},         {2, 1.5f},       {-FLT_MAX, 5}, {FLT_MAX, 5},
                                     {2e30f, 5e29f}, {3e38f, -3e38f}, {0.5f, 1.5f}};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        for (size_t k = 0; k < COUNT_OF(ends); k++) {
            for (int32_t r = 0; r < 3; r++) {
                static const float radii[] = {0, 1, 1e37f};
                check_cast(t, &scene, &list, ends[i], ends[k], radii[r], 1);
            }
        }
    }
    ploy_plain_scene_destroy(plain);
}

TEST(an_outline_is_added_whole_or_not_at_all) {
    ploy_env env = ploy_env_default();
    ploy_plain_scene *plain = scene_new(t, &env, 0.1f);
    ploy_vec2 square[4] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    ploy_obstacle_id ids[8];
    ploy_obstacle got;
    CHECK_OK(ploy_plain_scene_add_outline(plain, square, 4, true, 0.5f, 2, ids));
    CHECK_INT(ploy_plain_scene_count(plain), 4);
    CHECK(ploy_plain_scene_get(plain, ids[3], &got));
    CHECK_VEC2(got.segment.from, 0, 4, 0);
    CHECK_VEC2(got.segment.to, 0, 0, 0);
    CHECK_SAME(got.radius, 0.5f);
    CHECK_UINT(got.layers, 2);
    CHECK_OK(ploy_plain_scene_add_outline(plain, square, 4, false, 0, 1, NULL));
    CHECK_INT(ploy_plain_scene_count(plain), 7);
    CHECK_OK(ploy_plain_scene_add_outline(plain, square, 2, true, 0, 1, NULL)); // one wall, not two
    CHECK_OK(ploy_plain_scene_add_outline(plain, square, 1, true, 0, 1, NULL)); // none
    CHECK_OK(ploy_plain_scene_add_outline(plain, NULL, 0, true, 0, 1, NULL));
    CHECK_INT(ploy_plain_scene_count(plain), 8);
    CHECK_INT(ploy_plain_scene_add_outline(plain, NULL, 1, true, 0, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_add_outline(plain, square, -1, true, 0, 1, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_add_outline(plain, square, 4, true, NAN, 1, ids), PLOY_ERR_ARGUMENT);
    square[3].y = INFINITY;
    CHECK_INT(ploy_plain_scene_add_outline(plain, square, 4, true, 0, 1, ids), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_plain_scene_count(plain), 8);
    square[3].y = 4;
    ploy_plain_scene_clear(plain);
    ploy_rings *rings = NULL;
    CHECK_OK(ploy_rings_create(&env, &rings));
    CHECK_OK(ploy_plain_scene_add_rings(plain, rings, 0, 1, NULL)); // nothing of nothing
    ploy_vec2 hole[3] = {{1, 1}, {2, 1}, {1, 2}};
    CHECK_OK(ploy_rings_add(rings, square, 4));
    CHECK_OK(ploy_rings_add_reversed(rings, hole, 3));
    CHECK_INT(ploy_plain_scene_add_rings(plain, rings, -1, 1, ids), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_plain_scene_add_rings(plain, rings, 0, 1, ids));
    CHECK_INT(ploy_plain_scene_count(plain), 7);
    // All of them by index, and nobody else.
    int32_t cursor = 0, seen = 0;
    ploy_obstacle_id id;
    while (ployi_plain_scene_next(plain, &cursor, &id, &got)) {
        CHECK(ploy_id_equal(id.id, ids[seen].id));
        seen++;
    }
    CHECK_INT(seen, 7);
    CHECK_OK(ploy_plain_scene_remove(plain, ids[0]));
    CHECK_OK(ploy_plain_scene_remove(plain, ids[6]));
    for (cursor = 0, seen = 0; ployi_plain_scene_next(plain, &cursor, NULL, NULL);) seen++;
    CHECK_INT(seen, 5);
    // Between the square and the hole a ray meets the hole's wall; through the wall, the square's.
    ploy_scene scene = ploy_plain_scene_interface(plain);
    CHECK(!ploy_scene_sees2(&scene, test_v2(0.5, 1.5), test_v2(1.2, 1.2), 1));
    CHECK(ploy_scene_sees2(&scene, test_v2(3, 3), test_v2(3, 3.5), 1));
    ploy_rings_destroy(rings);
    ploy_plain_scene_destroy(plain);
}

static ploy_result outline_make(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    ploy_vec2 points[40];
    for (int32_t i = 0; i < 40; i++) points[i] = test_v2(i, i % 3);
    ploy_result result = ploy_plain_scene_create(&def, env, &plain);
    if (result != PLOY_OK) return plain == NULL ? result : PLOY_ERR_STATE;
    for (int32_t i = 0; i < 3 && result == PLOY_OK; i++) {
        result = ploy_plain_scene_add_outline(plain, points, 40, true, 0.1f, 1, NULL);
        if (result != PLOY_OK && ploy_plain_scene_count(plain) != i * 40) result = PLOY_ERR_STATE;
    }
    ploy_plain_scene_destroy(plain);
    return result;
}

TEST(outlines_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(outline_make, NULL);
}

TEST(questions_moves_and_tidying_allocate_nothing) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_plain_scene *plain = scene_new(t, &env, 0.1f);
    ploy_rng rng = ploy_rng_make(1);
    ploy_obstacle_id id[200];
    for (int32_t i = 0; i < 200; i++) {
        ploy_obstacle one = any_obstacle(&rng, 0, 50, i);
        CHECK_OK(ploy_plain_scene_add(plain, &one, &id[i]));
    }
    int64_t calls = counts.calls;
    ploy_scene scene = ploy_plain_scene_interface(plain);
    ploy_id out[8];
    for (int32_t i = 0; i < 200; i++) {
        ploy_obstacle one = any_obstacle(&rng, 0, 50, i);
        CHECK_OK(ploy_plain_scene_set(plain, id[i], &one));
        ploy_vec2 from = test_random_vec2(&rng, 50), to = test_random_vec2(&rng, 50);
        (void)ploy_scene_sweep2(&scene, from, to, 1, PLOY_SCENE_ALL, NULL);
        (void)ploy_scene_overlap(&scene, ploy_vec3_from_vec2(from, 0), 5, PLOY_SCENE_ALL, out, 8);
        if (i % 4 == 0) CHECK_OK(ploy_plain_scene_remove(plain, id[i]));
    }
    ploy_plain_scene_tidy(plain);
    CHECK_INT(counts.calls, calls);
    ploy_plain_scene_destroy(plain);
    CHECK_INT(counts.bytes, 0);
}

// Some turns of changes, the same for the same number.
static void scene_turns(test_context *t, void *object, uint64_t number) {
    ploy_plain_scene *plain = object;
    ploy_rng rng = ploy_rng_make(number);
    for (int32_t step = 0; step < 60; step++) {
        ploy_obstacle one = any_obstacle(&rng, 0, 50, step);
        int32_t cursor = ploy_rng_int(&rng, 0, 40);
        ploy_obstacle_id id;
        bool some = ployi_plain_scene_next(plain, &cursor, &id, NULL);
        if (!some || step % 3 != 0) {
            CHECK_OK(ploy_plain_scene_add(plain, &one, NULL));
        } else if (step % 2 == 0) {
            CHECK_OK(ploy_plain_scene_set(plain, id, &one));
        } else {
            CHECK_OK(ploy_plain_scene_remove(plain, id));
        }
    }
}

TEST(a_scene_goes_back_in_time_and_comes_again_byte_by_byte) {
    ploy_region *region = test_region(t);
    ploy_env inside = ploy_region_env(region);
    ploy_plain_scene *plain = scene_new(t, &inside, 0.5f);
    test_rewind(t, region, plain, scene_turns, NULL);
    ploy_plain_scene_destroy(plain);
    ploy_region_destroy(region);
}
