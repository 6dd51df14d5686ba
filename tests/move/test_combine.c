// Combining: COM-01, COM-02, COM-04 to COM-09, COM-03's option, STE-22 to STE-25.
#include "ploy/move/combine.h"

#include "ploy/geom/scene.h"
#include "ploy/move/flee.h"
#include "ploy/move/integrate.h"
#include "ploy/move/seek.h"
#include "ploy/move/wander.h"
#include "tests/move/scene.h"
#include "tests/test.h"

// A source that always says the same, and counts.
typedef struct constant {
    ploy_steering says;
    int32_t calls;
} constant;

static ploy_steering say(const ploy_steering_source *source, const ploy_steering_context *context) {
    constant *it = source->state;
    (void)context;
    it->calls++;
    return it->says;
}

static ploy_steering3 say3(const ploy_steering_source *source,
                           const ploy_steering_context *context) {
    ploy_steering says = say(source, context);
    ploy_steering3 out = {{says.linear.x, says.linear.y, 0.0f}, {0.0f, 0.0f, says.angular}, 0};
    out.requested = says.requested;
    return out;
}

static const ploy_steering_type say_type = {"constant", say, say3, NULL, 0, false, true};

static ploy_combine_part part_with(ploy_steering_source source, float weight, int32_t group) {
    ploy_combine_part part = {"part", source, {1}, weight, 1.0f, group, false};
    return part;
}

static ploy_combine_part part_of(constant *it, float weight, int32_t group) {
    return part_with(ploy_steering_source_make(&say_type, it), weight, group);
}

static constant asks(float x, float y, float angular) {
    constant it = {ploy_steering_make(ploy_vec2_make(x, y), angular), 0};
    return it;
}

static ploy_combination combination_of(ploy_combine_mode mode, const ploy_combine_part *parts,
                                       int32_t count) {
    ploy_combine_def def = ploy_combine_def_default();
    def.mode = mode;
    ploy_combination out;
    ploy_combination_init(&out, &def, NULL);
    for (int32_t i = 0; i < count; i++) out.parts[i] = parts[i];
    out.part_count = count;
    return out;
}

TEST(sums_are_weighted_and_clipped) {
    // COM-02; ERR-12: the result is cut down to the limits, not up to them.
    constant a = asks(3, 0, 1), b = asks(0, 4, 2), quiet = {ploy_steering_none(), 0};
    ploy_combine_part parts[3] = {part_of(&a, 2, 0), part_of(&b, 1, 0), part_of(&quiet, 5, 0)};
    ploy_combination sum = combination_of(PLOY_COMBINE_SUM, parts, 3);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    ploy_steering out = ploy_combine(&sum, &context);
    CHECK_NEAR(out.linear.x, 6.0, 1e-6);
    CHECK_NEAR(out.linear.y, 4.0, 1e-6);
    CHECK_NEAR(out.angular, 4.0, 1e-6);
    sum.def.max_acceleration = 3.6055513f;
    sum.def.max_angular_acceleration = 0.5f;
    out = ploy_combine(&sum, &context);
    CHECK_NEAR(out.linear.x, 3.0, 1e-5);
    CHECK_NEAR(out.linear.y, 2.0, 1e-5);
    CHECK_SAME(out.angular, 0.5f);
    sum.parts[0].weight = 0.0f; // off, and not even run
    a.calls = 0;
    ploy_combine(&sum, &context);
    CHECK_INT(a.calls, 0);
    ploy_combination empty = combination_of(PLOY_COMBINE_SUM, &parts[2], 1);
    CHECK_UINT(ploy_combine(&empty, &context).requested, 0);
    sum.def.max_acceleration = NAN;
    CHECK_UINT(ploy_combine(&sum, &context).requested, PLOY_STEERING_INVALID);
}

TEST(normalised_components_give_the_exercise) {
    // COM-03, exercise 3.10: separation by offset / D^2, cohesion, alignment; 1/5, 2/5, 2/5.
    float sx = -(3.0f / 25.0f + 5.0f / 169.0f), sy = -(4.0f / 25.0f + 12.0f / 169.0f);
    constant separation = asks(sx, sy, 0), cohesion = asks(8.0f / 3, 16.0f / 3, 0);
    constant alignment = asks(5, 3, 0);
    ploy_combine_part parts[3] = {part_of(&separation, 0.2f, 0), part_of(&cohesion, 0.4f, 0),
                                  part_of(&alignment, 0.4f, 0)};
    ploy_combination sum = combination_of(PLOY_COMBINE_SUM, parts, 3);
    sum.def.normalise = true;
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    ploy_vec2 out = ploy_vec2_normalise(ploy_combine(&sum, &context).linear);
    CHECK_NEAR(out.x, 0.7222218, 1e-5);
    CHECK_NEAR(out.y, 0.6916615, 1e-5);
}

TEST(a_running_sum_gives_the_last_what_is_left) {
    // STE-24: max 6, weights 1; what is left is measured on the sum.
    static const struct {
        float x, y, want_x, want_y;
    } rows[] = {{3, 0, 3, 0}, {0, 4, 3, 3}, {100, 0, 4.75736f, 3}, {1, 1, 5.02304f, 3.26568f}};
    constant says[COUNT_OF(rows)];
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    ploy_combination sum = combination_of(PLOY_COMBINE_RUNNING_SUM, NULL, 0);
    sum.def.max_acceleration = 6.0f; // turns are left, but nothing that turns is there
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        says[i] = asks(rows[i].x, rows[i].y, 0);
        sum.parts[i] = part_of(&says[i], 1, 0);
        sum.part_count = (int32_t)i + 1;
        ploy_steering out = ploy_combine(&sum, &context);
        CHECK_NEAR(out.linear.x, (double)rows[i].want_x, 1e-5);
        CHECK_NEAR(out.linear.y, (double)rows[i].want_y, 1e-5);
    }
    // Used up by the first: the others are not run.
    sum.parts[0] = part_of(&says[2], 1, 0);
    says[1].calls = 0;
    ploy_steering out = ploy_combine(&sum, &context);
    CHECK_NEAR(out.linear.x, 6.0, 1e-5);
    CHECK_SAME(out.linear.y, 0.0f);
    CHECK_INT(says[1].calls, 0);
}

TEST(dithering_takes_one_and_evens_out) {
    constant seldom = asks(1, 0, 0), always = asks(0, 1, 0);
    ploy_combine_part parts[2] = {part_of(&seldom, 1, 0), part_of(&always, 1, 0)};
    parts[0].probability = 0.25f;
    ploy_combination dither = combination_of(PLOY_COMBINE_DITHER, parts, 2);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    double x = 0.0, y = 0.0;
    for (uint64_t tick = 0; tick < 4000; tick++) {
        context.tick = tick;
        ploy_steering out = ploy_combine(&dither, &context);
        CHECK(out.linear.x == 0.0f || out.linear.y == 0.0f);
        x += (double)out.linear.x, y += (double)out.linear.y;
    }
    CHECK_NEAR(x / 4000.0, 1.0, 0.1);
    CHECK_NEAR(y / 4000.0, 0.75, 0.05);
    CHECK_INT(always.calls, 4000 - seldom.calls);
}

static float urgency_of(void *user, int32_t group, const ploy_steering_context *context) {
    (void)context;
    return ((const float *)user)[group];
}

TEST(the_first_group_worth_mentioning_decides) {
    // COM-06, exercise 3.12: (0.01, 0.03) is skipped at 0.05 and used at 0.02.
    constant top = asks(0.01f, 0.03f, 0), low = asks(5, 0, 0), last = asks(0, 0.001f, 0);
    ploy_combine_part parts[3] = {part_of(&top, 1, 0), part_of(&low, 1, 1), part_of(&last, 1, 2)};
    ploy_combination groups = combination_of(PLOY_COMBINE_PRIORITY, parts, 2);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    groups.def.epsilon = 0.05f;
    CHECK_SAME(ploy_combine(&groups, &context).linear.x, 5.0f);
    groups.def.epsilon = 0.02f;
    low.calls = 0;
    CHECK_SAME(ploy_combine(&groups, &context).linear.y, 0.03f);
    CHECK_INT(low.calls, 0);
    // None is: the last one's small answer.
    ploy_combine_part quiet[2] = {part_of(&top, 1, 0), part_of(&last, 1, 2)};
    ploy_combination small = combination_of(PLOY_COMBINE_PRIORITY, quiet, 2);
    small.def.epsilon = 0.05f;
    CHECK_SAME(ploy_combine(&small, &context).linear.y, 0.001f);
    // COM-08: by urgency, equal ones by number.
    float urgency[3] = {0.0f, 2.0f, 2.0f};
    groups.parts[2] = parts[2];
    groups.part_count = 3;
    groups.urgency = urgency_of;
    groups.urgency_user = urgency;
    CHECK_SAME(ploy_combine(&groups, &context).linear.x, 5.0f);
    urgency[0] = 3.0f;
    CHECK_SAME(ploy_combine(&groups, &context).linear.y, 0.03f);
    // COM-01: a combination is a source of another.
    ploy_combine_part nested = part_with(ploy_combination_source(&groups), 2, 0);
    ploy_combination outer = combination_of(PLOY_COMBINE_SUM, &nested, 1);
    CHECK_SAME(ploy_combine(&outer, &context).linear.y, 0.06f);
}

// ---- the failure scenes of COM-04, and COM-07 ----

typedef struct scene_pull {
    ploy_seek_def seek;
    ploy_flee_def flee;
    ploy_vec2 at;
} scene_pull;

typedef struct scene_wander {
    ploy_wander_def def;
    float drift;
} scene_wander;

static ploy_combine_part seek_part(const scene_pull *pull) {
    ploy_steering_source source;
    ploy_seek_source(&pull->seek, &pull->at, NULL, &source);
    return part_with(source, 1, 0);
}

static ploy_combine_part flee_part(const scene_pull *pull) {
    ploy_steering_source source;
    ploy_flee_source(&pull->flee, &pull->at, NULL, &source);
    return part_with(source, 1, 0);
}

static ploy_combine_part wander_part(scene_wander *wander) {
    ploy_steering_source source;
    ploy_wander_source(&wander->def, &wander->drift, NULL, &source);
    return part_with(source, 1, 1);
}

static scene_pull pull_at(float x, float y) {
    scene_pull pull = {ploy_seek_def_default(), ploy_flee_def_default(), {x, y}};
    pull.seek.mode = PLOY_PULL_FULL;
    pull.flee.mode = PLOY_PULL_FULL;
    pull.seek.max_acceleration = 10.0f;
    pull.flee.max_acceleration = 10.0f;
    pull.flee.panic_distance = 6.0f;
    return pull;
}

// Walks for so many seconds and says how near to the goal it came. Walls of the scene, if there is one,
// stop a body of 0.25 m.
static float walk_among(const ploy_combination *combination, const ploy_scene *scene,
                        ploy_vec2 start, ploy_vec2 goal, float seconds) {
    ploy_integrate_def law = ploy_integrate_def_default();
    law.max_speed = 4.0f;
    law.drag = 2.0f;
    ploy_steering_context context = scene_context(ploy_kinematic_make(start, 0.0f));
    float nearest = ploy_vec2_distance(start, goal);
    for (int i = 0; i < (int)(seconds * 60.0f); i++) {
        context.tick = (uint64_t)i;
        ploy_vec2 from = context.agent.position;
        ploy_scene_hit hit;
        context.agent =
            ploy_integrate(&law, context.agent, ploy_combine(combination, &context), context.dt);
        if (scene != NULL &&
            ploy_scene_sweep2(scene, from, context.agent.position, 0.25f, 1, &hit)) {
            ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
            float into = fminf(ploy_vec2_dot(context.agent.velocity, normal), 0.0f);
            context.agent.position = from;
            context.agent.velocity = ploy_vec2_add_scaled(context.agent.velocity, normal, -into);
        }
        nearest = fminf(nearest, ploy_vec2_distance(context.agent.position, goal));
    }
    return nearest;
}

static float walk_to(const ploy_combination *combination, ploy_vec2 start, ploy_vec2 goal,
                     float seconds) {
    return walk_among(combination, NULL, start, goal, seconds);
}

TEST(a_group_out_of_range_is_reported_and_not_dropped) {
    // A part of a group that does not exist would never be run, and nobody would know.
    constant top = asks(0, 3, 0), lost = asks(5, 0, 0);
    ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
    static const int32_t groups[] = {0, PLOY_COMBINE_GROUPS - 1, PLOY_COMBINE_GROUPS, -1};
    for (size_t i = 0; i < COUNT_OF(groups); i++) {
        ploy_combine_part parts[2] = {part_of(&top, 1, 0), part_of(&lost, 1, groups[i])};
        ploy_combination mind = combination_of(PLOY_COMBINE_PRIORITY, parts, 2);
        bool exists = i < 2;
        top.calls = 0;
        ploy_steering out = ploy_combine(&mind, &context);
        CHECK_UINT(out.requested & PLOY_STEERING_INVALID, exists ? 0 : PLOY_STEERING_INVALID);
        CHECK_INT(top.calls, exists);
        CHECK_SAME(out.linear.y, exists ? 3.0f : 0.0f);
    }
}

TEST(an_enemy_right_between_stops_a_sum_and_wander_frees_a_priority) {
    // COM-04, unstable equilibrium; COM-07.
    scene_pull goal = pull_at(20, 0), enemy = pull_at(10, 0);
    scene_wander wander = {ploy_wander_def_default(), 0.0f};
    ploy_combine_part parts[3] = {seek_part(&goal), flee_part(&enemy), wander_part(&wander)};
    ploy_combination sum = combination_of(PLOY_COMBINE_SUM, parts, 2);
    CHECK(walk_to(&sum, ploy_vec2_zero(), goal.at, 60.0f) > 5.0f);
    ploy_combination priority = combination_of(PLOY_COMBINE_PRIORITY, parts, 3);
    CHECK(walk_to(&priority, ploy_vec2_zero(), goal.at, 60.0f) < 1.0f);
}

TEST(a_ring_of_enemies_is_a_basin_that_wander_does_not_leave) {
    // COM-04, stable equilibrium: a half ring of enemies before the goal holds even the wanderer.
    scene_pull goal = pull_at(30, 0), ring[7];
    ploy_combine_part parts[9];
    parts[0] = seek_part(&goal);
    for (int i = 0; i < 7; i++) {
        float angle = -1.5f + 0.5f * (float)i, s = ploy_sinf(angle), c = ploy_cosf(angle);
        ring[i] = pull_at(10.0f + 7.0f * c, 7.0f * s);
        parts[1 + i] = flee_part(&ring[i]);
    }
    scene_wander wander = {ploy_wander_def_default(), 0.0f};
    parts[8] = wander_part(&wander);
    ploy_combination priority = combination_of(PLOY_COMBINE_PRIORITY, parts, 9);
    CHECK(walk_to(&priority, ploy_vec2_zero(), goal.at, 60.0f) > 8.0f);
}

typedef struct scene_wall {
    const ploy_scene *scene;
    ploy_vec2 goal;
    bool slides;
} scene_wall;

// Wall avoidance that pushes straight off the wall, or slides along it with what was requested.
static ploy_steering scene_avoid(const ploy_steering_source *source,
                                 const ploy_steering_context *context) {
    const scene_wall *wall = source->state;
    ploy_scene_hit hit;
    ploy_vec2 from = context->agent.position;
    float horizon = 0.8f, speed = ploy_vec2_length(context->agent.velocity);
    ploy_vec2 to = ploy_vec2_add_scaled(from, context->agent.velocity, horizon);
    if (speed < 0.01f || !ploy_scene_sweep2(wall->scene, from, to, 0.3f, 1, &hit)) {
        return ploy_steering_none();
    }
    ploy_vec2 normal = ploy_vec2_from_vec3(hit.normal);
    if (!wall->slides) return ploy_steering_make(ploy_vec2_scale(normal, 10.0f), 0.0f);
    ploy_vec2 along = ploy_slide(context->earlier.linear, normal, hit.distance / speed, horizon,
                                 8.0f, ploy_vec2_sub(wall->goal, from));
    return ploy_steering_make(along, 0.0f);
}

static const ploy_steering_type scene_avoid_type = {"wall", scene_avoid, NULL, NULL,
                                                    0,      false,       true};

TEST(sliding_keeps_its_speed_along_a_wall) {
    // COM-09 and COM-04, constrained environment: a long wall at an acute angle to the way.
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    CHECK_OK(
        ploy_plain_scene_add_segment(plain, ploy_vec2_make(-5, 2), ploy_vec2_make(30, 2), 1, NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    scene_pull goal = pull_at(25, 6);
    scene_wall wall = {&scene, goal.at, false};
    ploy_steering_source avoid = ploy_steering_source_make(&scene_avoid_type, &wall);
    ploy_combine_part by_order[2] = {part_with(avoid, 1, 0), seek_part(&goal)};
    by_order[1].group = 1;
    ploy_combine_part together[2] = {by_order[1], by_order[0]};
    ploy_combination priority = combination_of(PLOY_COMBINE_PRIORITY, by_order, 2);
    ploy_combination cooperate = combination_of(PLOY_COMBINE_COOPERATE, together, 2);
    ploy_vec2 end = {25.0f, 1.5f};
    wall.slides = false;
    float alone = walk_to(&priority, ploy_vec2_zero(), end, 6.0f);
    wall.slides = true;
    float slid = walk_to(&cooperate, ploy_vec2_zero(), end, 6.0f);
    CHECK(slid < alone);
    ploy_plain_scene_destroy(plain);
}

TEST(a_doorway_at_an_acute_angle_needs_a_route) {
    // COM-04, constrained environment: the way to the goal runs along a wall with a door. Avoidance that
    // is blended with the pull pushes the agent off the wall and past the door, and sliding goes past it
    // too. A route by the door's middle gets every agent through.
    ploy_env env = ploy_env_default();
    ploy_plain_scene_def def = ploy_plain_scene_def_default();
    ploy_plain_scene *plain = NULL;
    CHECK_OK(ploy_plain_scene_create(&def, &env, &plain));
    CHECK_OK(ploy_plain_scene_add_segment(plain, ploy_vec2_make(-20, 0), ploy_vec2_make(-0.8f, 0),
                                          1, NULL));
    CHECK_OK(ploy_plain_scene_add_segment(plain, ploy_vec2_make(0.8f, 0), ploy_vec2_make(20, 0), 1,
                                          NULL));
    ploy_scene scene = ploy_plain_scene_interface(plain);
    int blended = 0, slid = 0, routed = 0;
    for (int i = 0; i < 10; i++) {
        ploy_vec2 start = {-10.0f - 0.5f * (float)i, -1.0f - 0.05f * (float)i};
        scene_pull goal = pull_at(6.0f, 0.8f), door = pull_at(0.0f, 0.0f);
        scene_wall wall = {&scene, goal.at, false};
        ploy_steering_source avoid = ploy_steering_source_make(&scene_avoid_type, &wall);
        ploy_combine_part parts[2] = {seek_part(&goal), part_with(avoid, 1, 0)};
        ploy_combination sum = combination_of(PLOY_COMBINE_SUM, parts, 2);
        blended += walk_among(&sum, &scene, start, goal.at, 20.0f) < 1.0f;
        wall.slides = true;
        ploy_combination cooperate = combination_of(PLOY_COMBINE_COOPERATE, parts, 2);
        slid += walk_among(&cooperate, &scene, start, goal.at, 20.0f) < 1.0f;
        // The route: to the door first.
        wall.goal = door.at;
        ploy_combine_part first[2] = {seek_part(&door), part_with(avoid, 1, 0)};
        ploy_combination to_door = combination_of(PLOY_COMBINE_COOPERATE, first, 2);
        bool at_door = walk_among(&to_door, &scene, start, door.at, 20.0f) < 0.5f;
        wall.goal = goal.at;
        routed += at_door &&
                  walk_among(&cooperate, &scene, ploy_vec2_make(0.0f, 0.1f), goal.at, 20.0f) < 1.0f;
    }
    CHECK_INT(blended, 0);
    CHECK_INT(slid, 0);
    CHECK_INT(routed, 10);
    ploy_plain_scene_destroy(plain);
}

TEST(a_slide_takes_away_only_what_leads_into_the_wall) {
    ploy_vec2 normal = {0.0f, -1.0f}, toward = {-1.0f, 1.0f};
    ploy_vec2 out = ploy_slide(ploy_vec2_make(3, 4), normal, 0.5f, 1.0f, 2.0f, toward);
    CHECK_NEAR(out.x, 3.0, 1e-6);
    CHECK_NEAR(out.y, -1.0, 1e-6); // nothing into it, half of the push off
    out = ploy_slide(ploy_vec2_make(3, 4), normal, 2.0f, 1.0f, 2.0f, toward);
    CHECK_NEAR(out.y, 4.0, 1e-6); // far off: unchanged
    out = ploy_slide(ploy_vec2_make(0, 4), normal, 0.0f, 1.0f, 0.0f, toward);
    CHECK_NEAR(out.x, -4.0, 1e-6); // head on: to the goal's side
}

TEST(a_trace_tells_every_source_and_changes_nothing) {
    // COM-05.
    constant a = asks(3, 1, 0.5f), b = asks(-1, 4, 0), quiet = {ploy_steering_none(), 0};
    ploy_combine_part parts[3] = {part_of(&a, 1, 0), part_of(&b, 1, 1), part_of(&quiet, 1, 1)};
    for (int mode = 0; mode <= PLOY_COMBINE_COOPERATE; mode++) {
        ploy_combination combination = combination_of((ploy_combine_mode)mode, parts, 3);
        ploy_steering_context context = scene_context(ploy_kinematic_make(ploy_vec2_zero(), 0.0f));
        ploy_steering silent = ploy_combine(&combination, &context);
        scene_told told;
        ploy_trace trace = scene_trace(&told);
        context.trace = &trace;
        ploy_steering loud = ploy_combine(&combination, &context);
        CHECK_BYTES(&loud, &silent, sizeof loud);
        CHECK_INT(told.depth, 0);
        CHECK(told.winners >= 1);
        // The first group settles a priority; all others tell of all three.
        CHECK_INT(told.options, mode == PLOY_COMBINE_PRIORITY ? 1 : 3);
    }
}
