// The edges of the world.
#include "ploy/move/bounds.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_bounds_def small_world(ploy_bounds_edge edge) {
    ploy_bounds_def def = ploy_bounds_def_default();
    def.edge = edge;
    def.min = ploy_vec3_make(-10.0f, 0.0f, -1.0f);
    def.max = ploy_vec3_make(10.0f, 5.0f, 1.0f);
    return def;
}

TEST(who_leaves_on_one_side_comes_in_on_the_other) {
    // STE-04.
    ploy_bounds_def def = small_world(PLOY_BOUNDS_WRAP);
    static const struct {
        const char *row;
        ploy_vec2 at, want;
    } rows[] = {
        {"inside", {3, 4}, {3, 4}},          {"right", {10.5f, 4}, {-9.5f, 4}},
        {"left", {-12, 4}, {8, 4}},          {"top", {3, 6}, {3, 1}},
        {"bottom", {3, -1}, {3, 4}},         {"the corner", {11, 7}, {-9, 2}},
        {"the far edge", {10, 5}, {-10, 0}}, {"several worlds away", {50, -17}, {-10, 3}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_kinematic agent = ploy_kinematic_make(rows[i].at, 0.0f);
        agent.velocity = ploy_vec2_make(1.0f, -2.0f);
        agent = ploy_bounds_apply(&def, agent);
        CHECK_NEAR(agent.position.x, rows[i].want.x, 1e-5);
        CHECK_NEAR(agent.position.y, rows[i].want.y, 1e-5);
        CHECK_SAME(agent.velocity.x, 1.0f);
        CHECK_SAME(agent.velocity.y, -2.0f);
    }
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_make(0.0f, 1.0f, 1.5f));
    CHECK_NEAR(ploy_bounds_apply3(&def, bird).position.z, -0.5, 1e-6);
}

TEST(walls_stop_what_points_outwards_and_let_slide) {
    ploy_bounds_def def = small_world(PLOY_BOUNDS_WALL);
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(11.0f, 3.0f), 0.0f);
    agent.velocity = ploy_vec2_make(2.0f, 1.0f);
    agent = ploy_bounds_apply(&def, agent);
    CHECK_SAME(agent.position.x, 10.0f);
    CHECK_SAME(agent.velocity.x, 0.0f);
    CHECK_SAME(agent.velocity.y, 1.0f);
    agent.velocity.x = -1.0f; // on its way back in
    agent = ploy_bounds_apply(&def, agent);
    CHECK_SAME(agent.velocity.x, -1.0f);
    agent = ploy_kinematic_make(ploy_vec2_make(-11.0f, -3.0f), 0.0f);
    agent.velocity = ploy_vec2_make(-2.0f, -1.0f);
    agent = ploy_bounds_apply(&def, agent);
    CHECK_SAME(agent.position.x, -10.0f);
    CHECK_SAME(agent.position.y, 0.0f);
    CHECK_SAME(agent.velocity.x, 0.0f);
    CHECK_SAME(agent.velocity.y, 0.0f);
}

TEST(an_axis_without_room_has_no_edge) {
    ploy_bounds_def def = small_world(PLOY_BOUNDS_WRAP);
    def.max.y = def.min.y;
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_make(30.0f, 999.0f), 0.0f);
    agent = ploy_bounds_apply(&def, agent);
    CHECK_NEAR(agent.position.x, -10.0, 1e-5);
    CHECK_SAME(agent.position.y, 999.0f);
    def.edge = PLOY_BOUNDS_NONE;
    agent.position.x = 30.0f;
    CHECK_SAME(ploy_bounds_apply(&def, agent).position.x, 30.0f);
}

TEST(wrapped_positions_are_inside_for_every_input) {
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make(seed);
        ploy_bounds_def def = ploy_bounds_def_default();
        def.min = scene_vec3(&rng, 1e9f);
        def.max = scene_vec3(&rng, 1e9f);
        ploy_kinematic3 agent = scene_agent3(&rng);
        ploy_kinematic3 out = ploy_bounds_apply3(&def, agent);
        CHECK(ploy_vec3_is_finite(out.position));
        if (def.min.x < def.max.x) CHECK(out.position.x >= def.min.x && out.position.x < def.max.x);
        if (def.min.z < def.max.z) CHECK(out.position.z >= def.min.z && out.position.z < def.max.z);
    }
}

TEST(batch_gives_the_bits_of_single) {
    static ploy_kinematic agents[40], want[40];
    static ploy_kinematic3 agents3[40], want3[40];
    for (int edge = 0; edge < 3; edge++) {
        ploy_rng rng = ploy_rng_make((uint64_t)edge + 1);
        ploy_bounds_def def = small_world((ploy_bounds_edge)edge);
        for (int32_t i = 0; i < 40; i++) {
            agents[i] = scene_agent(&rng);
            agents3[i] = scene_agent3(&rng);
            want[i] = i < 3 ? agents[i] : ploy_bounds_apply(&def, agents[i]);
            want3[i] = i < 3 ? agents3[i] : ploy_bounds_apply3(&def, agents3[i]);
        }
        ploy_kinematics view = ploy_kinematics_of(agents, 40);
        ploy_kinematics3 view3 = ploy_kinematics3_of(agents3, 40);
        CHECK_OK(ploy_bounds_apply_batch(&def, &view, 3, 37));
        CHECK_OK(ploy_bounds_apply3_batch(&def, &view3, 3, 37));
        CHECK_BYTES(agents, want, sizeof want);
        CHECK_BYTES(agents3, want3, sizeof want3);
        CHECK_INT(ploy_bounds_apply_batch(&def, &view, 3, 38), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_bounds_apply_batch(NULL, &view, 0, 1), PLOY_ERR_ARGUMENT);
        CHECK_INT(ploy_bounds_apply3_batch(NULL, &view3, 0, 1), PLOY_ERR_ARGUMENT);
    }
}

TEST(the_short_way_may_cross_the_seam) {
    ploy_bounds_def def = small_world(PLOY_BOUNDS_WRAP);
    ploy_vec2 way =
        ploy_bounds_offset(&def, ploy_vec2_make(9.0f, 1.0f), ploy_vec2_make(-9.0f, 4.5f));
    CHECK_NEAR(way.x, 2.0, 1e-5);
    CHECK_NEAR(way.y, -1.5, 1e-5);
    def.edge = PLOY_BOUNDS_WALL;
    way = ploy_bounds_offset(&def, ploy_vec2_make(9.0f, 1.0f), ploy_vec2_make(-9.0f, 4.5f));
    CHECK_SAME(way.x, -18.0f);
    def.edge = PLOY_BOUNDS_WRAP;
    ploy_vec3 up = ploy_bounds_offset3(&def, ploy_vec3_make(0.0f, 0.0f, 0.9f),
                                       ploy_vec3_make(0.0f, 0.0f, -0.9f));
    CHECK_NEAR(up.z, 0.2, 1e-5);
}

static void count_items(void *user, const ploy_draw_item *item) {
    int32_t *points = user;
    *points += item->count;
}

TEST(the_edge_is_drawn_as_a_closed_line) {
    int32_t points = 0;
    ploy_draw out = {count_items, &points, UINT32_MAX};
    ploy_bounds_def def = ploy_bounds_def_default();
    ploy_bounds_draw(&def, &out);
    CHECK_INT(points, 5);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_fields_check(ploy_bounds_fields(), &def, &env));
}
