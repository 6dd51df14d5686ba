// Overlap: STE-26, one by one and all at once.
#include "ploy/move/overlap.h"

#include "ploy/geom/bvh.h"
#include "ploy/geom/grid.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"
#include "tests/test.h"

enum { CROWD = 200 };

TEST(a_body_is_pushed_out_by_the_whole_depth) {
    // STE-26: (0,0) r 5 against (6,0) r 5 gives (-4,0).
    static const struct {
        float x, y, r, other_x, other_y, other_r, want_x, want_y;
    } rows[] = {
        {0, 0, 5, 6, 0, 5, -4, 0},       {0, 0, 5, 10, 0, 5, 0, 0}, // they only touch
        {0, 0, 5, 0, 11, 5, 0, 0},                                  // apart
        {3, 4, 2, 0, 0, 8, 3, 4},                                   // 5 deep, along (3, 4) / 5
        {0, 0, -1, 0, 1, 5, 0, 0},                                  // no body
        {0, 0, 1, 0, 0.5f, 0, 0, -0.5f},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_vec2 at = {rows[i].x, rows[i].y}, other = {rows[i].other_x, rows[i].other_y};
        CHECK_VEC2(ploy_overlap_push(at, rows[i].r, other, rows[i].other_r, 0), rows[i].want_x,
                   rows[i].want_y, 1e-5);
        ploy_vec3 push = ploy_overlap_push3(ploy_vec3_from_vec2(at, 7.0f), rows[i].r,
                                            ploy_vec3_from_vec2(other, 7.0f), rows[i].other_r, 0);
        CHECK_NEAR(push.x, rows[i].want_x, 1e-5);
        CHECK_NEAR(push.y, rows[i].want_y, 1e-5);
        CHECK_SAME(push.z, 0.0f);
    }
    CHECK_UINT(
        ploy_vec2_is_zero(ploy_overlap_push(ploy_vec2_zero(), NAN, ploy_vec2_zero(), 1.0f, 0)), 1);
}

TEST(who_shares_a_spot_goes_a_way_of_its_own) {
    ploy_vec2 at = {3.0f, -2.0f};
    for (int32_t i = 0; i < 20; i++) {
        ploy_vec2 push = ploy_overlap_push(at, 1.0f, at, 1.0f, i);
        CHECK_NEAR(ploy_vec2_length(push), 2.0, 1e-5);
        for (int32_t j = 0; j < i; j++) {
            CHECK(ploy_vec2_distance(push, ploy_overlap_push(at, 1.0f, at, 1.0f, j)) > 1e-3f);
        }
    }
}

TEST(leaving_one_by_one_ends_apart_from_the_last_asked) {
    ploy_kinematic agents[3] = {mover(0, 0, 1, 0), mover(1, 0, 0, 0), mover(9, 0, 0, 0)};
    float radii[3] = {1, 1, 1};
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    CHECK_INT(ploy_overlap_leave(&view, radii, 0), 1);
    CHECK_VEC2(agents[0].position, -1.0f, 0.0f, 1e-6);
    CHECK_SAME(agents[0].velocity.x, 1.0f);
    CHECK_VEC2(agents[1].position, 1.0f, 0.0f, 0.0); // only the tested one moves
    CHECK_INT(ploy_overlap_leave(&view, radii, 0), 0);
    CHECK_INT(ploy_overlap_leave(&view, radii, 3), 0);
    CHECK_INT(ploy_overlap_leave(&view, radii, -1), 0);
}

static float deepest(const ploy_kinematic *agents, const float *radii, int32_t count) {
    float depth = 0.0f;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = 0; j < i; j++) {
            float apart = ploy_vec2_distance(agents[i].position, agents[j].position);
            depth = ploy_maxf(depth, radii[i] + radii[j] - apart);
        }
    }
    return depth;
}

TEST(a_crowd_comes_apart_with_and_without_an_index_to_the_same_bits) {
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 1; seed <= 4; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_kinematic agents[CROWD];
        float radii[CROWD];
        for (int32_t i = 0; i < CROWD; i++) {
            agents[i] = ploy_kinematic_make(scene_near2(&rng, 12.0f), 0.0f);
            radii[i] = ploy_rng_range(&rng, 0.2f, 0.5f);
        }
        agents[5].position = agents[6].position;
        ploy_kinematics view = ploy_kinematics_of(agents, CROWD);
        ploy_overlap_def def = ploy_overlap_def_default();
        def.max_radius = 0.5f;
        ploy_grid_def grid_def = ploy_grid_def_default();
        grid_def.capacity = CROWD;
        ploy_grid *grid = NULL;
        CHECK_OK(ploy_grid_create(&grid_def, &env, &grid));
        float before = deepest(agents, radii, CROWD);
        for (int step = 0; step < 40; step++) {
            ploy_points points = ploy_points_of_agents(&view);
            ploy_vec2 all[CROWD], near[CROWD];
            CHECK_OK(ploy_grid_rebuild(grid, &points));
            ploy_index2 index = ploy_grid_index(grid);
            CHECK_OK(ploy_overlap_find(&def, &view, radii, 0, CROWD, NULL, all));
            // In two ranges, in the wrong order.
            CHECK_OK(ploy_overlap_find(&def, &view, radii, 77, CROWD - 77, &index, near));
            CHECK_OK(ploy_overlap_find(&def, &view, radii, 0, 77, &index, near));
            CHECK_BYTES(near, all, sizeof all);
            CHECK_OK(ploy_overlap_apply(&view, 0, CROWD, all));
        }
        CHECK(before > 0.3f);
        CHECK(deepest(agents, radii, CROWD) < 0.05f);
        ploy_grid_destroy(grid);
    }
}

TEST(a_swarm_comes_apart_in_space) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(3);
    ploy_kinematic3 agents[CROWD];
    float radii[CROWD], depth = 0.0f;
    ploy_box3 boxes[CROWD];
    for (int32_t i = 0; i < CROWD; i++) {
        agents[i] = ploy_kinematic3_make(scene_near3(&rng, 3.5f));
        radii[i] = ploy_rng_range(&rng, 0.2f, 0.5f);
    }
    ploy_kinematics3 view = ploy_kinematics3_of(agents, CROWD);
    ploy_overlap_def def = ploy_overlap_def_default();
    def.max_radius = 0.5f;
    ploy_bvh_def tree = ploy_bvh_def_default();
    tree.capacity = CROWD;
    ploy_bvh3 *bvh = NULL;
    CHECK_OK(ploy_bvh3_create(&tree, &env, &bvh));
    for (int step = 0; step < 60; step++) {
        for (int32_t i = 0; i < CROWD; i++) {
            boxes[i] = ploy_box3_make(agents[i].position, agents[i].position);
        }
        CHECK_OK(ploy_bvh3_rebuild(bvh, boxes, CROWD));
        ploy_index3 index = ploy_bvh3_index(bvh);
        ploy_vec3 pushes[CROWD];
        CHECK_OK(ploy_overlap_find3(&def, &view, radii, 0, CROWD, &index, pushes));
        CHECK_OK(ploy_overlap_apply3(&view, 0, CROWD, pushes));
    }
    for (int32_t i = 0; i < CROWD; i++) {
        for (int32_t j = 0; j < i; j++) {
            float apart = ploy_vec3_distance(agents[i].position, agents[j].position);
            depth = ploy_maxf(depth, radii[i] + radii[j] - apart);
        }
    }
    CHECK(depth < 0.05f);
    ploy_bvh3_destroy(bvh);
    // One by one: out of the first along the line of the centres, by the whole depth.
    agents[0] = ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 1.0f));
    agents[1] = ploy_kinematic3_make(ploy_vec3_zero());
    radii[0] = radii[1] = 1.0f;
    view = ploy_kinematics3_of(agents, 2);
    CHECK_INT(ploy_overlap_leave3(&view, radii, 0), 1);
    CHECK_NEAR(agents[0].position.z, 2.0, 1e-6);
    CHECK_INT(ploy_overlap_leave3(&view, radii, 0), 0);
    CHECK_INT(ploy_overlap_leave3(&view, radii, 2), 0);
    CHECK_INT(ploy_overlap_leave3(NULL, radii, 0), 0);
    ploy_vec3 push[2];
    CHECK_INT(ploy_overlap_find3(&def, &view, radii, 1, 2, NULL, push), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_overlap_find3(NULL, &view, radii, 0, 2, NULL, push), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_overlap_apply3(&view, 0, 2, NULL), PLOY_ERR_ARGUMENT);
}

TEST(whatever_the_numbers_a_push_is_finite_and_views_are_checked) {
    ploy_overlap_def def = ploy_overlap_def_default();
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_vec2 at = scene_vec2(&rng, 1e9f), other = scene_target(&rng, at);
        float r = fabsf(scene_number(&rng, 1e6f)), s = fabsf(scene_number(&rng, 1e6f));
        CHECK(ploy_vec2_is_finite(ploy_overlap_push(at, r, other, s, 3)));
    }
    ploy_kinematic agents[2] = {mover(0, 0, 0, 0), mover(0.5f, 0, 0, 0)};
    ploy_kinematics view = ploy_kinematics_of(agents, 2);
    float radii[2] = {1, 1};
    ploy_vec2 out[2];
    CHECK_INT(ploy_overlap_find(&def, &view, radii, 1, 2, NULL, out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_overlap_find(&def, &view, NULL, 0, 2, NULL, out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_overlap_apply(&view, 0, 3, out), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_overlap_apply(&view, 0, 2, NULL), PLOY_ERR_ARGUMENT);
    def.share = NAN;
    CHECK_INT(ploy_overlap_find(&def, &view, radii, 0, 2, NULL, out), PLOY_ERR_ARGUMENT);
    def = ploy_overlap_def_default();
    def.max_push = 0.1f;
    CHECK_OK(ploy_overlap_find(&def, &view, radii, 0, 2, NULL, out));
    CHECK_NEAR(ploy_vec2_length(out[0]), 0.1, 1e-6);
    CHECK_OK(ploy_fields_check_table(ploy_overlap_fields(), NULL));
}
