// The steering pipeline: COM-10, COM-11, COM-13 to COM-16.
#include "move/move_internal.h"
#include "ploy/move/pipeline.h"

#include "ploy/base/rng.h"
#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/test.h"

TEST(goals_merge_by_channel_and_conflicts_show) {
    // COM-11.
    ploy_steering_goal goal = ploy_steering_goal_none(), more = ploy_steering_goal_none();
    more.has = PLOY_GOAL_POSITION | PLOY_GOAL_ROTATION;
    more.position = ploy_vec3_make(1, 2, 0);
    more.rotation.z = 3.0f;
    CHECK_UINT(ployi_steering_goal_merge(&goal, more), 0);
    more.has = PLOY_GOAL_POSITION | PLOY_GOAL_ORIENTATION;
    more.position = ploy_vec3_make(5, 6, 0);
    CHECK_UINT(ployi_steering_goal_merge(&goal, more), PLOY_GOAL_POSITION);
    CHECK_SAME(goal.position.x, 5.0f);
    CHECK_SAME(goal.rotation.z, 3.0f);
    CHECK_UINT(goal.has, PLOY_GOAL_POSITION | PLOY_GOAL_ROTATION | PLOY_GOAL_ORIENTATION);
}

TEST(keeping_out_of_a_circle_suggests_the_vectors) {
    // COM-13: centre (5, 1) radius 2 margin 1.5: (5, -2). Centre on the way: (5, 3) or (5, -3).
    static const struct {
        float y;
        bool broken;
        double suggested;
    } rows[] = {{1.0f, true, -2.0}, {0.0f, true, 3.0}, {2.0f, false, 0.0}, {-1.0f, true, 2.0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_keep_out circle = {{5.0f, rows[i].y, 0.0f}, 2.0f, 1.5f};
        ploy_constraint constraint = ploy_keep_out_constraint(&circle);
        ploy_steering_path path;
        path.points[0] = ploy_vec3_make(0, 0, 0);
        path.points[1] = ploy_vec3_make(10, 0, 0);
        path.count = 2;
        int32_t piece = -1;
        ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
        CHECK_INT(constraint.broken(constraint.user, &context, &path, &piece), rows[i].broken);
        if (!rows[i].broken) continue;
        ploy_steering_goal goal =
            constraint.suggest(constraint.user, &context, &path, piece, ploy_steering_goal_none());
        CHECK_NEAR(goal.position.x, 5.0, 1e-5);
        CHECK_NEAR(goal.position.y, rows[i].suggested, 1e-5);
    }
}

TEST(keeping_out_of_a_circle_heeds_the_deepest_piece_and_lets_go_who_is_inside) {
    static const struct {
        const char *row;
        ploy_vec3 points[4];
        int32_t count;
        int32_t piece; // -1: not broken
    } rows[] = {
        {"in, through and out",
         {{-5, 0.5f, 0}, {-1.5f, 0.5f, 0}, {1.5f, 0.5f, 0}, {5, 0.5f, 0}},
         4,
         1},
        {"from within, outward", {{-1, 0, 0}, {-5, 0, 0}}, 2, -1},
        {"from within, on through", {{-1, 0, 0}, {5, 0, 0}}, 2, 0},
        {"out, and back in", {{-1, 0, 0}, {-5, 0, 0}, {0, 0.1f, 0}}, 3, 1},
        {"past it", {{-5, 3, 0}, {5, 3, 0}}, 2, -1},
    };
    ploy_keep_out circle = {{0, 0, 0}, 2.0f, 1.5f};
    ploy_constraint constraint = ploy_keep_out_constraint(&circle);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_steering_path path;
        memcpy(path.points, rows[i].points, sizeof rows[i].points);
        path.count = rows[i].count;
        int32_t piece = -1;
        ploy_steering_context context =
            scene_context(ploy_kinematic_make(ploy_vec2_from_vec3(path.points[0]), 0.0f));
        CHECK_INT(constraint.broken(constraint.user, &context, &path, &piece), rows[i].piece >= 0);
        CHECK_INT(piece, rows[i].piece);
    }
}

// Walks a pipeline; the nearest that it comes to the goal, and to any circle.
typedef struct walked {
    float nearest, gap;
    int32_t deadlocks;
} walked;

static walked walk(const ploy_pipeline *pipeline, ploy_vec2 start, ploy_vec2 goal,
                   const ploy_keep_out *circles, int32_t count, float seconds) {
    ploy_integrate_def law = ploy_integrate_def_default();
    walked out = {INFINITY, INFINITY, 0};
    ploy_steering_context context = scene_context(ploy_kinematic_make(start, 0.0f));
    for (int i = 0; i < (int)(seconds * 60.0f); i++) {
        ploy_pipeline_report report;
        context.tick = (uint64_t)i;
        ploy_steering push = ploy_pipeline_steer(pipeline, &context, &report);
        out.deadlocks += report.deadlock;
        context.agent = ploy_integrate(&law, context.agent, push, context.dt);
        out.nearest = fminf(out.nearest, ploy_vec2_distance(context.agent.position, goal));
        for (int32_t k = 0; k < count; k++) {
            float gap =
                ploy_vec2_distance(context.agent.position, ploy_vec2_from_vec3(circles[k].centre));
            out.gap = fminf(out.gap, gap - circles[k].radius);
        }
    }
    return out;
}

TEST(it_finds_its_way_around_circles) {
    // COM-10, COM-14, COM-15.
    for (int64_t seed = 0; seed < test_rounds(40); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_keep_out circles[3];
        ploy_constraint constraints[3];
        for (int i = 0; i < 3; i++) {
            circles[i].centre.z = 0.0f;
            circles[i].centre.x = 6.0f + 7.0f * (float)i;
            circles[i].centre.y = ploy_rng_range(&rng, -1.5f, 1.5f);
            circles[i].radius = 1.5f;
            circles[i].margin = 1.4f;
            constraints[i] = ploy_keep_out_constraint(&circles[i]);
        }
        ploy_kinematic victim = ploy_kinematic_make(ploy_vec2_make(28, 0), 0.0f);
        ploy_chase chase = {&victim, NULL, 1.0f};
        ploy_targeter targeter = ploy_chase_targeter(&chase);
        ploy_plain_actuator plain = ploy_plain_actuator_default();
        ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
        pipeline.tries = 6;
        CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
        for (int i = 0; i < 3; i++) {
            CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraints[i]));
        }
        walked out = walk(&pipeline, ploy_vec2_zero(), victim.position, circles, 3, 25.0f);
        CHECK(out.nearest < 0.3f);
        CHECK(out.gap > -0.3f);
    }
}

static ploy_steering stay(const ploy_steering_source *source,
                          const ploy_steering_context *context) {
    ++*(int32_t *)source->state;
    (void)context;
    return ploy_steering_make(ploy_vec2_make(0, 7), 0.0f);
}

static const ploy_steering_type stay_type = {"stay", stay, NULL, NULL, 0, false, true};

TEST(constraints_that_cannot_be_met_are_a_deadlock) {
    // COM-16: two circles that send it into each other.
    ploy_keep_out circles[2] = {{{5, 2, 0}, 4, 1.1f}, {{5, -2, 0}, 4, 1.1f}};
    ploy_constraint constraints[2] = {ploy_keep_out_constraint(&circles[0]),
                                      ploy_keep_out_constraint(&circles[1])};
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_make(5, 0, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    int32_t calls = 0;
    ploy_steering_source deadlock = ploy_steering_source_make(&stay_type, &calls);
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 1;
    pipeline.deadlock = deadlock;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraints[i]));
    }
    ploy_pipeline_report report;
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_make(4, 0), 0.0f));
    CHECK_SAME(ploy_pipeline_steer(&pipeline, &context, &report).linear.y, 7.0f);
    CHECK(report.deadlock);
    CHECK_INT(calls, 1);
    CHECK_INT(report.tries, 1);
    ploy_steering_source source = ploy_pipeline_source(&pipeline);
    CHECK_SAME(ploy_steering_source_steer(&source, &context).linear.y, 7.0f);
    pipeline.deadlock.type = NULL;
    CHECK_UINT(ploy_pipeline_steer(&pipeline, &context, NULL).requested, 0);
}

TEST(a_goal_with_a_velocity_is_passed_at_that_velocity) {
    // COM-15: the run-up.
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION | PLOY_GOAL_VELOCITY;
    goal.position = ploy_vec3_make(10, 0, 0);
    goal.velocity = ploy_vec3_make(0, 4, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 1;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));

    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    float best = INFINITY;
    for (int i = 0; i < 1200; i++) {
        ploy_steering push = ploy_pipeline_steer(&pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, push, context.dt);
        if (ploy_vec2_distance(context.agent.position, ploy_vec2_from_vec3(goal.position)) < 0.3f) {
            best = fminf(best, ploy_vec2_distance(context.agent.velocity,
                                                  ploy_vec2_from_vec3(goal.velocity)));
        }
    }
    CHECK(best < 0.8f);
}

TEST(facing_is_a_channel_of_its_own) {
    ploy_vec3 point = {0, 10, 0};
    ploy_targeter targeter = ploy_look_targeter(&point);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 1;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));

    ploy_integrate_def law = ploy_integrate_def_default();
    law.facing = PLOY_FACING_FREE;
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), -2.0f));
    for (int i = 0; i < 300; i++) {
        ploy_steering push = ploy_pipeline_steer(&pipeline, &context, NULL);
        context.agent = ploy_integrate(&law, context.agent, push, context.dt);
    }
    CHECK_NEAR(context.agent.orientation, 1.5707963, 0.02);
    CHECK_NEAR(ploy_vec2_length(context.agent.position), 0.0, 1e-6);
}

TEST(a_box_holds_a_goal_back) {
    ploy_keep_in box = {{-5, -5, 0}, {5, 5, 0}};
    ploy_constraint constraint = ploy_keep_in_constraint(&box);
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_make(20, 3, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 3;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraint));
    walked out = walk(&pipeline, ploy_vec2_zero(), ploy_vec2_make(5, 3), NULL, 0, 10.0f);
    CHECK(out.nearest < 0.2f);
    CHECK_INT(out.deadlocks, 0);
}

TEST(the_pipeline_tells_what_it_tried) {
    ploy_keep_out circle = {{5, 0, 0}, 2, 1.5f};
    ploy_constraint constraint = ploy_keep_out_constraint(&circle);
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_make(10, 0, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 4;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraint));
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    ploy_steering silent = ploy_pipeline_steer(&pipeline, &context, NULL);
    ploy_pipeline_report report;
    scene_told told;
    ploy_trace trace = scene_trace(&told);
    context.trace = &trace;
    ploy_steering loud = ploy_pipeline_steer(&pipeline, &context, &report);
    CHECK_BYTES(&loud, &silent, sizeof loud);
    CHECK_INT(told.depth, 0);
    CHECK_INT(told.options,
              3); // the targeter, the circle that the first path broke and the second kept
    CHECK_INT(report.tries, 2);
    ploy_draw draw = scene_draw(&told);
    ploy_pipeline_report_draw(&report, context.id, &draw);
    CHECK_INT(told.items, 2);
}

TEST(a_suggestion_is_held_until_it_is_reached_or_of_no_use) {
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_keep_out circle = {{5, 0, 0}, 2.0f, 1.5f};
    ploy_constraint constraint = ploy_keep_out_constraint(&circle);
    ploy_steering_goal goal = ploy_steering_goal_none();
    goal.has = PLOY_GOAL_POSITION;
    goal.position = ploy_vec3_make(10, 0, 0);
    ploy_targeter targeter = ploy_goal_targeter(&goal);
    ploy_pipeline_hold fresh = ploy_pipeline_hold_default(), hold;
    ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
    pipeline.tries = 4;
    pipeline.hold = &hold;
    CHECK_OK(ploy_pipeline_add_targeter(&pipeline, targeter));
    CHECK_OK(ploy_pipeline_add_constraint(&pipeline, constraint));
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    static const struct {
        const char *row;
        float x, y, goal_y, centre_y; // of the second step: the agent, what is wanted, the circle
        float left;                   // s that are left before it
        double want;                  // y of the goal in the end
    } rows[] = {
        {"held, though the way is free", 0, 6, 0, 0, 1.0f, 3},
        {"its time is up", 0, 6, 0, 0, 0.01f, 0},
        {"there", 5, 3.5f, 0, 0, 1.0f, 0},
        {"something else is wanted", 0, 6, 8, 0, 1.0f, 8},
        {"the way to it is blocked", 0, 6, 0, 3.0f, 1.0f, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        hold = fresh;
        circle.centre.y = 0.0f;
        goal.position.y = 0.0f;
        context.agent.position = ploy_vec2_zero();
        ploy_pipeline_report report;
        ploy_pipeline_steer(&pipeline, &context, &report);
        CHECK_NEAR(report.goal.position.y, 3.0, 1e-5);
        CHECK_SAME(hold.left, 1.0f);
        hold.left = rows[i].left;
        context.agent.position = ploy_vec2_make(rows[i].x, rows[i].y);
        circle.centre.y = rows[i].centre_y;
        goal.position.y = rows[i].goal_y;
        ploy_pipeline_steer(&pipeline, &context, &report);
        if (i == 4) { // the other goal's way is blocked too, and gets another suggestion
            CHECK(report.goal.position.y > 3.5f || report.goal.position.y < 2.5f);
        } else {
            CHECK_NEAR(report.goal.position.y, rows[i].want, 1e-5);
        }
    }
    // A hold of no length is none.
    hold = fresh;
    hold.seconds = 0.0f;
    circle.centre.y = goal.position.y = 0.0f;
    context.agent.position = ploy_vec2_zero();
    ploy_pipeline_steer(&pipeline, &context, NULL);
    CHECK_SAME(hold.left, 0.0f);
}

TEST(a_character_that_crosses_the_path_is_avoided_ahead_of_time) {
    // COM-13: a walker crosses; the agent keeps apart, and gets there.
    ploy_kinematic walker = ploy_kinematic_make(ploy_vec2_make(8, -4.8f), 1.5707963f);
    walker.velocity = ploy_vec2_make(0, 3);
    ploy_kinematics others = ploy_kinematics_of(&walker, 1);
    ploy_keep_apart apart = {&others, -1, 1.2f, 4.0f, 5.0f, 1.5f};
    ploy_steering_goal goal = ploy_steering_goal_at(ploy_vec2_make(18, 0));
    ploy_plain_actuator plain = ploy_plain_actuator_default();
    ploy_integrate_def law = ploy_integrate_def_default();
    float nearest[2] = {INFINITY, INFINITY}, left[2] = {0.0f, 0.0f};
    for (int with = 0; with < 2; with++) {
        ploy_pipeline pipeline = ploy_pipeline_make(ploy_plain_actuator_make(&plain));
        CHECK_OK(ploy_pipeline_add_targeter(&pipeline, ploy_goal_targeter(&goal)));
        if (with) {
            CHECK_OK(ploy_pipeline_add_constraint(&pipeline, ploy_keep_apart_constraint(&apart)));
        }
        walker.position = ploy_vec2_make(8, -4.8f);
        ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
        context.agent.velocity.x = 5.0f;
        for (int i = 0; i < 60 * 12; i++) {
            ploy_steering push = ploy_pipeline_steer(&pipeline, &context, NULL);
            context.agent = ploy_integrate(&law, context.agent, push, context.dt);
            walker.position = ploy_vec2_add_scaled(walker.position, walker.velocity, context.dt);
            nearest[with] =
                fminf(nearest[with], ploy_vec2_distance(context.agent.position, walker.position));
        }
        left[with] = ploy_vec2_distance(context.agent.position, ploy_vec2_make(18, 0));
    }
    CHECK(nearest[0] < 0.8f); // it would have been run into
    CHECK(nearest[1] > 1.0f);
    CHECK(left[1] < 0.3f);
}

// A ridge along y at x = 5, with a pass at y = 6.
static bool ridge_ground(void *user, ploy_vec3 at, uint32_t mask, float *height,
                         ploy_vec3 *normal) {
    (void)user, (void)mask;
    float top = fabsf(at.y - 6.0f) < 2.0f ? 0.1f : 3.0f, off = fabsf(at.x - 5.0f);
    float slope = off < 1.0f ? (at.x < 5.0f ? top : -top) : 0.0f;
    if (height != NULL) *height = off < 1.0f ? top * (1.0f - off) : 0.0f;
    if (normal != NULL) *normal = ploy_vec3_normalise(ploy_vec3_make(-slope, 0.0f, 1.0f));
    return true;
}

TEST(a_slope_that_is_too_steep_is_not_walked) {
    // COM-13: straight over the ridge is refused, through the pass is not.
    ploy_scene scene = {NULL, NULL, NULL, ridge_ground, NULL};
    ploy_keep_level level = {&scene, PLOY_SCENE_ALL, 1.0f, 0.25f, 0.2f};
    ploy_constraint constraint = ploy_keep_level_constraint(&level);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    static const struct {
        const char *row;
        float y;
        bool broken;
    } rows[] = {{"over the ridge", 0.0f, true}, {"through the pass", 6.0f, false}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_steering_path path;
        path.points[0] = ploy_vec3_make(0, rows[i].y, 0);
        path.points[1] = ploy_vec3_make(10, rows[i].y + 1.0f, 0);
        path.count = 2;
        int32_t piece = -1;
        CHECK_INT(constraint.broken(constraint.user, &context, &path, &piece), rows[i].broken);
        if (!rows[i].broken) continue;
        ploy_steering_goal goal = constraint.suggest(constraint.user, &context, &path, piece,
                                                     ploy_steering_goal_at(ploy_vec2_make(10, 1)));
        CHECK_INT(piece, 0);
        CHECK(goal.position.x < 4.1f); // before the foot of the ridge
        CHECK(goal.position.y > 0.5f); // and along it
    }
}
