// Flocking for one agent: views, sums and rules.
#include "ploy/geom/angle.h"
#include "ploy/move/flock.h"
#include "tests/move/vectors.h"

// Everybody is seen and pushes, and sums are what they are.
static ploy_flock_def open_def(void) {
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    def.radius = def.separation_radius = 1000.0f;
    def.separation_strength = 1.0f;
    def.max_acceleration = 1e6f;
    def.time_to_target = 1.0f;
    return def;
}

TEST(views_see_what_the_book_says) {
    // INT-16, NTU-40; the book's (x to starboard, y ahead) is ploy's (y, -x), so ours are (y, -x).
    static const struct {
        const char *row;
        ploy_view_model view;
        float x, y;
        bool want;
    } rows[] = {
        {"wide: straight behind", PLOY_VIEW_WIDE, 0, -5, false},
        {"wide: on the edge", PLOY_VIEW_WIDE, 5, -5, false},
        {"wide: beside it", PLOY_VIEW_WIDE, 6, -5, true},
        {"wide: ahead", PLOY_VIEW_WIDE, 0, 5, true},
        {"limited: ahead", PLOY_VIEW_LIMITED, 3, 0.1f, true},
        {"limited: behind", PLOY_VIEW_LIMITED, 3, -0.1f, false},
        {"limited: abeam", PLOY_VIEW_LIMITED, 3, 0, true},
        {"narrow: ahead", PLOY_VIEW_NARROW, 1, 5, true},
        {"narrow: on the edge", PLOY_VIEW_NARROW, 5, 5, false},
        {"all: straight behind", PLOY_VIEW_ALL, 0, -5, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_flock_def def = ploy_flock_def_default();
        def.view = rows[i].view;
        def.radius = 10.0f;
        ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
        ploy_vec2 point = {rows[i].y, -rows[i].x};
        CHECK_INT(ploy_flock_sees(&def, agent, point), rows[i].want);
        point.y = -point.y; // both sides alike
        CHECK_INT(ploy_flock_sees(&def, agent, point), rows[i].want);
        ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
        CHECK_INT(ploy_flock3_sees(&def, bird, ploy_vec3_make(rows[i].y, 0.0f, rows[i].x)),
                  rows[i].want);
    }
    ploy_flock_def def = ploy_flock_def_default();
    def.view = PLOY_VIEW_ALL;
    def.radius = 5.0f;
    ploy_kinematic agent = mover(0.0f, 0.0f, 0.0f, 0.0f);
    CHECK(!ploy_flock_sees(&def, agent, ploy_vec2_make(5.0f, 0.0f))); // nearer, not as near
    def.body_radius = 0.5f;
    CHECK(ploy_flock_sees(&def, agent, ploy_vec2_make(5.0f, 0.0f)));
}

TEST(separation_of_every_book) {
    ploy_flock_def def = open_def();
    ploy_kinematic self = mover(0.0f, 0.0f, 0.0f, 0.0f);
    // STE-18, NTU-41: 1 / d.
    ploy_kinematic a[] = {mover(2, 0, 0, 0), mover(0, -4, 0, 0)};
    ploy_kinematics view = ploy_kinematics_of(a, 2);
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.5, 0.25, 1e-6);
    ploy_kinematic b[] = {mover(1, 0, 0, 0), mover(0, 2, 0, 0)};
    view = ploy_kinematics_of(b, 2);
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(seen.push, -1.0, -0.5, 1e-6);
    CHECK_VEC2(seen.middle, 0.5, 1.0, 1e-6); // NTU-42
    CHECK_VEC2(ploy_separate(&def, &seen).linear, -1.0, -0.5, 1e-6);
    // MOV-23, exercises 3.9 and 3.10; ploy (x, y) is the book's (z, x).
    ploy_kinematic c[] = {mover(4, 3, 4, 2), mover(12, 5, 2, 8)};
    view = ploy_kinematics_of(c, 2);
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.2310059, -0.1495858, 1e-6);
    def.separation = PLOY_SEPARATION_INVERSE_SQUARE;
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.0374620, -0.0262758, 1e-6);
    def.separation = PLOY_SEPARATION_LINEAR;
    def.separation_radius = 10.0f; // only the one at 5 m is within
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.4, -0.3, 1e-6);
    def.separation_strength = -1.0f; // attraction
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, 0.4, 0.3, 1e-6);
}

TEST(alignment_and_cohesion_of_every_book) {
    ploy_flock_def def = open_def();
    // NTU-43, STE-19: the mean velocity less one's own.
    ploy_kinematic a[] = {mover(1, 0, 1, 0), mover(0, 2, 0, 1)};
    ploy_kinematics view = ploy_kinematics_of(a, 2);
    ploy_kinematic self = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(ploy_conform(&def, self, &seen).linear, 0.5, 0.5, 1e-6);
    self.velocity = ploy_vec2_make(1.0f, 0.0f);
    CHECK_VEC2(ploy_conform(&def, self, &seen).linear, -0.5, 0.5, 1e-6);
    // STE-20.
    ploy_kinematic b[] = {mover(10, 0, 0, 0), mover(0, 10, 0, 0), mover(20, 20, 0, 0)};
    view = ploy_kinematics_of(b, 3);
    seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(ploy_cohere(&def, self, &seen).linear, 2.53553, 3.53553, 1e-4);
    // Nobody: nothing.
    view.count = 0;
    seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_INT(seen.count, 0);
    CHECK_UINT(ploy_cohere(&def, self, &seen).requested, 0);
    CHECK_UINT(ploy_conform(&def, self, &seen).requested, 0);
    CHECK_UINT(ploy_separate(&def, &seen).requested, 0);
    CHECK_UINT(ploy_flock_steer(&def, self, &seen).requested, 0);
}

TEST(the_blend_of_the_exercise) {
    // MOV-23, exercise 3.10: 1/5, 2/5, 2/5 of three unit vectors. The book's alignment is the mean
    // velocity itself, so the agent rests here.
    ploy_flock_def def = open_def();
    ploy_kinematic a[] = {mover(4, 3, 4, 2), mover(12, 5, 2, 8)};
    ploy_kinematics view = ploy_kinematics_of(a, 2);
    ploy_kinematic self = mover(0.0f, 0.0f, 0.0f, 0.0f);
    def.separation_weight = 0.2f;
    def.alignment_weight = def.cohesion_weight = 0.4f;
    def.normalise = true;
    def.max_acceleration = 1.0f;
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(seen.velocity, 3.0, 5.0, 1e-6);
    ploy_vec2 sum = ploy_flock_steer(&def, self, &seen).linear;
    CHECK_VEC2(sum, 0.3956921, 0.4131753, 1e-5);
    CHECK_VEC2(ploy_vec2_normalise(sum), 0.6916615, 0.7222218, 1e-5);
    // Every rule as long as it is.
    def.normalise = false;
    def.max_acceleration = 1e6f;
    ploy_vec2 off = ploy_vec2_scale(ploy_separate(&def, &seen).linear, 0.2f);
    ploy_vec2 as = ploy_vec2_scale(ploy_conform(&def, self, &seen).linear, 0.4f);
    ploy_vec2 with = ploy_vec2_scale(ploy_cohere(&def, self, &seen).linear, 0.4f);
    sum = ploy_vec2_add(ploy_vec2_add(off, as), with);
    CHECK_VEC2(ploy_flock_steer(&def, self, &seen).linear, sum.x, sum.y, 1e-5);
}

TEST(alignment_by_heading_ignores_speeds) {
    // STE-19: headings (1, 0) and (0, 1), own (1, 0). The speeds say something else.
    ploy_flock_def def = open_def();
    def.alignment = PLOY_ALIGNMENT_HEADING;
    def.max_speed = 1.0f;
    ploy_kinematic others[] = {mover(1, 0, 7, 0), mover(0, 2, 3, 3)};
    others[0].orientation = 0.0f;
    others[1].orientation = 0.5f * PLOY_PI_F;
    ploy_kinematics view = ploy_kinematics_of(others, 2);
    ploy_kinematic self = mover(0.0f, 0.0f, -4.0f, 1.0f);
    self.orientation = 0.0f;
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(seen.velocity, 0.5, 0.5, 1e-6);
    CHECK_VEC2(ploy_conform(&def, self, &seen).linear, -0.5, 0.5, 1e-6);
    def.separation_weight = def.cohesion_weight = 0.0f;
    def.alignment_weight = 1.0f;
    CHECK_VEC2(ploy_flock_steer(&def, self, &seen).linear, -0.5, 0.5, 1e-6);
    // In space: one looks ahead as the agent does, one to its left.
    ploy_kinematic3 birds[2] = {ploy_kinematic3_make(ploy_vec3_make(1.0f, 0.0f, 0.0f)),
                                ploy_kinematic3_make(ploy_vec3_make(0.0f, 2.0f, 1.0f))};
    birds[0].velocity = ploy_vec3_make(0.0f, 0.0f, 9.0f);
    birds[1].orientation =
        ploy_quat_from_axis_angle(ploy_vec3_make(0.0f, 0.0f, 1.0f), 0.5f * PLOY_PI_F);
    ploy_kinematics3 view3 = ploy_kinematics3_of(birds, 2);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
    ploy_neighbours3 seen3 = ploy_neighbours3_find(&def, bird, &view3, -1);
    ploy_vec3 turn = ploy_conform3(&def, bird, &seen3).linear;
    CHECK_NEAR(ploy_vec3_distance(turn, ploy_vec3_make(-0.5f, 0.5f, 0.0f)), 0.0, 1e-6);
}

TEST(each_rule_has_its_own_radius_and_angle) {
    // COM-03, NTU-44. Ahead at 2 m, to the left at 4 m, behind at 6 m.
    static const struct {
        const char *row;
        float separation, alignment, cohesion; // m
        float separation_angle, alignment_angle, cohesion_angle;
        int32_t aligned, cohered;
        float push_x, push_y, middle_x, middle_y, velocity_x, velocity_y;
    } rows[] = {
        {"all three share", 10, 10, 10, 4, 4, 4, 3, 3, -0.5f + 1 / 6.0f, -0.25f, -4 / 3.0f,
         4 / 3.0f, 1, 2},
        {"own radii", 3, 5, 10, 4, 4, 4, 2, 3, -0.5f, 0, -4 / 3.0f, 4 / 3.0f, 1.5f, 0},
        {"own angles", 10, 10, 10, 4, 0.1f, 2, 1, 2, -0.5f + 1 / 6.0f, -0.25f, 1, 2, 3, 0},
        {"angle of separation", 10, 10, 10, 0.1f, 4, 4, 3, 3, -0.5f, 0, -4 / 3.0f, 4 / 3.0f, 1, 2},
        {"both", 10, 3, 5, 2, 0.5f, 2, 1, 2, -0.5f, -0.25f, 1, 2, 3, 0},
        {"nobody for alignment", 10, 1, 10, 4, 4, 4, 0, 3, -0.5f + 1 / 6.0f, -0.25f, -4 / 3.0f,
         4 / 3.0f, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_flock_def def = open_def();
        def.radius = 10.0f;
        def.separation_radius = rows[i].separation;
        def.alignment_radius = rows[i].alignment;
        def.cohesion_radius = rows[i].cohesion;
        def.separation_angle = ploy_minf(rows[i].separation_angle, PLOY_PI_F);
        def.alignment_angle = ploy_minf(rows[i].alignment_angle, PLOY_PI_F);
        def.cohesion_angle = ploy_minf(rows[i].cohesion_angle, PLOY_PI_F);
        ploy_kinematic a[] = {mover(2, 0, 3, 0), mover(0, 4, 0, 0), mover(-6, 0, 0, 6)};
        ploy_kinematics view = ploy_kinematics_of(a, 3);
        ploy_kinematic self = mover(0.0f, 0.0f, 0.0f, 0.0f);
        ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
        CHECK_INT(seen.count, 3);
        CHECK_INT(seen.alignment_count, rows[i].aligned);
        CHECK_INT(seen.cohesion_count, rows[i].cohered);
        CHECK_VEC2(seen.push, rows[i].push_x, rows[i].push_y, 1e-5);
        CHECK_VEC2(seen.middle, rows[i].middle_x, rows[i].middle_y, 1e-5);
        CHECK_VEC2(seen.velocity, rows[i].velocity_x, rows[i].velocity_y, 1e-5);
        CHECK_UINT(ploy_conform(&def, self, &seen).requested, rows[i].aligned > 0);
        CHECK_UINT(ploy_cohere(&def, self, &seen).requested, rows[i].cohered > 0);
        CHECK_UINT(ploy_flock_steer(&def, self, &seen).requested, 1);
    }
}

TEST(separation_from_the_nearest_only) {
    // MOV-23, the aggregate mode: two push from the left, the one on the right is nearer.
    ploy_flock_def def = open_def();
    def.separation_nearest = true;
    ploy_kinematic a[] = {mover(-3, 0, 0, 0), mover(-3, 0.5f, 0, 0), mover(2, 0, 0, 0),
                          mover(50, 0, 0, 0)};
    ploy_kinematics view = ploy_kinematics_of(a, 4);
    ploy_kinematic self = mover(0.0f, 0.0f, 0.0f, 0.0f);
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.5, 0.0, 1e-6);
    def.separation = PLOY_SEPARATION_INVERSE_SQUARE;
    CHECK_VEC2(ploy_neighbours_find(&def, self, &view, -1).push, -0.25, 0.0, 1e-6);
    def.separation = PLOY_SEPARATION_LINEAR;
    def.separation_radius = 4.0f;
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    CHECK_VEC2(seen.push, -0.5, 0.0, 1e-6);
    CHECK_INT(seen.count, 4); // the other rules see all
    // Two as near: the order in the list does not decide.
    ploy_kinematic pair[] = {mover(1, 0, 0, 0), mover(0, 1, 0, 0)};
    ploy_kinematic other[] = {pair[1], pair[0]};
    ploy_kinematics one = ploy_kinematics_of(pair, 2), two = ploy_kinematics_of(other, 2);
    ploy_vec2 first = ploy_neighbours_find(&def, self, &one, -1).push;
    ploy_vec2 second = ploy_neighbours_find(&def, self, &two, -1).push;
    CHECK_BYTES(&first, &second, sizeof first);
    CHECK_NEAR(ploy_vec2_length(first), 0.75, 1e-6);
    ploy_kinematic3 birds[2] = {ploy_kinematic3_make(ploy_vec3_make(0.0f, 0.0f, 2.0f)),
                                ploy_kinematic3_make(ploy_vec3_make(3.0f, 0.0f, 0.0f))};
    ploy_kinematics3 view3 = ploy_kinematics3_of(birds, 2);
    ploy_kinematic3 bird = ploy_kinematic3_make(ploy_vec3_zero());
    ploy_vec3 push = ploy_neighbours3_find(&def, bird, &view3, -1).push;
    CHECK_NEAR(ploy_vec3_distance(push, ploy_vec3_make(0.0f, 0.0f, -0.5f)), 0.0, 1e-6);
}

TEST(agents_on_one_spot_are_pushed_apart) {
    ploy_flock_def def = ploy_flock_def_default();
    ploy_kinematic heap[5];
    for (int32_t i = 0; i < 5; i++) heap[i] = mover(3.0f, 3.0f, 0.0f, 0.0f);
    ploy_kinematics view = ploy_kinematics_of(heap, 5);
    ploy_vec2 pushes[5];
    for (int32_t i = 0; i < 5; i++) {
        ploy_neighbours seen = ploy_neighbours_find(&def, heap[i], &view, i);
        CHECK_INT(seen.count, 4);
        pushes[i] = ploy_separate(&def, &seen).linear;
        CHECK_NEAR(ploy_vec2_length(pushes[i]), def.max_acceleration, 1e-3);
        for (int32_t k = 0; k < i; k++) CHECK(ploy_vec2_distance(pushes[i], pushes[k]) > 1.0f);
    }
}

TEST(bad_settings_see_nobody_and_the_trace_tells_the_rules) {
    ploy_flock_def def = ploy_flock_def_default();
    ploy_kinematic a[] = {mover(1, 0, 1, 0)}, self = mover(0.0f, 0.0f, 0.0f, 0.0f);
    ploy_kinematics view = ploy_kinematics_of(a, 1);
    ploy_neighbours seen = ploy_neighbours_find(&def, self, &view, -1);
    winner_trace w;
    ploy_flock_trace(&def, self, &seen, somebody(), winner_start(&w));
    CHECK_TEXT(w.winner, "cohesion");
    CHECK_INT(w.depth, 0);
    CHECK_INT(ploy_neighbours_find(&def, self, NULL, -1).count, 0);
    static const float bad[] = {NAN, -1.0f, 1e9f};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        def = ploy_flock_def_default();
        def.radius = bad[i];
        CHECK_INT(ploy_neighbours_find(&def, self, &view, -1).count, -1);
        CHECK(!ploy_flock_sees(&def, self, a[0].position));
        def = ploy_flock_def_default();
        def.cohesion_weight = bad[i];
        CHECK_UINT(ploy_flock_steer(&def, self, &seen).requested, PLOY_STEERING_INVALID);
    }
}

TEST(a_neighbour_that_is_not_finite_counts_for_nothing) {
    ploy_flock_def def = ploy_flock_def_default();
    ploy_kinematic others[] = {mover(1, 0, 1, 0), mover(0, 1, NAN, 0), mover(NAN, 0, 0, 1),
                               mover(1, 1, 0, INFINITY)};
    ploy_kinematics view = ploy_kinematics_of(others, 4);
    ploy_neighbours seen = ploy_neighbours_find(&def, mover(0.0f, 0.0f, 1.0f, 0.0f), &view, -1);
    CHECK_INT(seen.count, 1);
    CHECK_SAME(seen.velocity.x, 1.0f);
    CHECK_SAME(seen.velocity.y, 0.0f);
}
