// Reciprocal avoidance for one agent: the linear programs against brute force, the half-planes
// against their definition, and everything against turning, moving and odd numbers.
#include "move/move_internal.h"
#include "ploy/move/orca.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

// ---- the programs ----

static double worst_of(const ploy_orca_line *lines, int32_t from, int32_t count, double x,
                       double y) {
    double worst = -1e300;
    for (int32_t k = from; k < count; k++) {
        double broken =
            (double)lines[k].normal.x * x + (double)lines[k].normal.y * y - (double)lines[k].limit;
        if (broken > worst) worst = broken;
    }
    return worst;
}

typedef struct brute {
    const ploy_orca_line *lines;
    int32_t count;
    double wx, wy, speed, slack;
    double best; // m/s from the wanted velocity; -1: none found
} brute;

static void brute_try(brute *b, double x, double y) {
    if (x * x + y * y > b->speed * b->speed * (1.0 + 1e-6)) return;
    if (b->count > 0 && worst_of(b->lines, 0, b->count, x, y) > b->slack + 1e-6)
        return; // normals are unit to within 1e-7
    double distance = sqrt((x - b->wx) * (x - b->wx) + (y - b->wy) * (y - b->wy));
    if (b->best < 0.0 || distance < b->best) b->best = distance;
}

// Every place at which the nearest allowed velocity can be: the wanted one, its foot on the circle
// and on each line, where a line meets the circle, and where two lines meet.
static double brute_nearest(const ploy_orca_line *lines, int32_t count, ploy_vec2 wanted,
                            float speed, double slack) {
    brute b = {lines, count, (double)wanted.x, (double)wanted.y, (double)speed, slack, -1.0};
    brute_try(&b, b.wx, b.wy);
    double length = sqrt(b.wx * b.wx + b.wy * b.wy);
    if (length > 0.0) brute_try(&b, b.wx / length * b.speed, b.wy / length * b.speed);
    for (int32_t i = 0; i < count; i++) {
        double nx = (double)lines[i].normal.x, ny = (double)lines[i].normal.y;
        double c = (double)lines[i].limit + slack, along = nx * b.wy - ny * b.wx;
        brute_try(&b, c * nx - along * ny, c * ny + along * nx);
        double room = b.speed * b.speed - c * c;
        for (int side = -1; side <= 1 && room >= 0.0; side += 2) {
            double t = side * sqrt(room);
            brute_try(&b, c * nx - t * ny, c * ny + t * nx);
        }
        for (int32_t k = 0; k < i; k++) {
            double mx = (double)lines[k].normal.x, my = (double)lines[k].normal.y;
            double d = (double)lines[k].limit + slack, cross = nx * my - ny * mx;
            if (fabs(cross) < 1e-9) continue;
            brute_try(&b, (c * my - d * ny) / cross, (d * nx - c * mx) / cross);
        }
    }
    return b.best;
}

// The least that the worst line can be broken by within the circle: the function is convex, so two
// nested searches by thirds find it.
static double brute_column(const ploy_orca_line *lines, int32_t count, double speed, double x) {
    double half = sqrt(fmax(speed * speed - x * x, 0.0)), low = -half, high = half;
    for (int i = 0; i < 60; i++) {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (worst_of(lines, 0, count, x, a) < worst_of(lines, 0, count, x, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return worst_of(lines, 0, count, x, 0.5 * (low + high));
}

static double brute_least(const ploy_orca_line *lines, int32_t count, double speed) {
    double low = -speed, high = speed;
    for (int i = 0; i < 60; i++) {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (brute_column(lines, count, speed, a) < brute_column(lines, count, speed, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return brute_column(lines, count, speed, 0.5 * (low + high));
}

static ploy_vec2 random_unit(ploy_rng *rng) {
    return ploy_angle_heading(ploy_rng_range(rng, -PLOY_PI_F, PLOY_PI_F));
}

static void random_lines(ploy_rng *rng, ploy_orca_line *lines, int32_t count, float low) {
    for (int32_t k = 0; k < count; k++) {
        lines[k].normal = random_unit(rng);
        lines[k].limit = ploy_rng_range(rng, low, 1.5f);
        lines[k].index = k;
        if (k > 0 && ploy_rng_chance(rng, 0.1f)) { // parallel, or the other way round
            bool back = ploy_rng_chance(rng, 0.5f);
            lines[k].normal = back ? ploy_vec2_negate(lines[k - 1].normal) : lines[k - 1].normal;
        }
    }
}

TEST(the_program_equals_brute_force_over_pairs_of_lines_and_the_circle) {
    int32_t kept = 0, broken = 0;
    for (int64_t round = 0; round < test_rounds(3000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_line lines[10];
        int32_t count = ploy_rng_int(&rng, 0, 10);
        random_lines(&rng, lines, count, -1.0f);
        ploy_vec2 wanted = ploy_vec2_limit(scene_near2(&rng, 2.0f), 2.0f); // it is cut first
        ploy_orca_result got = ployi_orca_solve_lines(lines, count, 0, wanted, 2.0f);
        double x = (double)got.velocity.x, y = (double)got.velocity.y;
        CHECK(sqrt(x * x + y * y) <= 2.0 + 1e-5);
        double distance = sqrt(pow(x - (double)wanted.x, 2) + pow(y - (double)wanted.y, 2));
        double loose = brute_nearest(lines, count, wanted, 2.0f, 1e-4);
        double tight = brute_nearest(lines, count, wanted, 2.0f, -1e-4);
        if (tight >= 0.0) { // there is room: the nearest velocity, and no line broken
            kept++;
            CHECK_SAME(got.violation, 0.0f);
            CHECK(distance <= tight + 1e-3 && distance >= loose - 1e-3);
            if (count > 0) CHECK(worst_of(lines, 0, count, x, y) <= 1e-5);
        }
    }
    for (int64_t round = 0; round < test_rounds(60); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round + 7777);
        ploy_orca_line lines[10];
        int32_t count = ploy_rng_int(&rng, 3, 10);
        random_lines(&rng, lines, count, -3.0f);
        ploy_orca_result got =
            ployi_orca_solve_lines(lines, count, 0, scene_near2(&rng, 2.0f), 2.0f);
        double least = brute_least(lines, count, 2.0);
        if (least > 1e-3) { // no room: the worst line is broken as little as possible
            broken++;
            double worst =
                worst_of(lines, 0, count, (double)got.velocity.x, (double)got.velocity.y);
            CHECK_NEAR(got.violation, worst, 1e-4);
            CHECK_NEAR(worst, least, 1e-3);
        }
    }
    CHECK(kept > 1000 && broken > 25);
}

TEST(walls_are_not_traded_for_agents) {
    int32_t tried = 0;
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_line lines[10];
        random_lines(&rng, lines, 10, -2.5f);
        int32_t hard = ploy_rng_int(&rng, 1, 3);
        for (int32_t k = 0; k < hard; k++) lines[k].limit = fabsf(lines[k].limit); // 0 is allowed
        ploy_orca_result got =
            ployi_orca_solve_lines(lines, 10, hard, scene_near2(&rng, 2.0f), 2.0f);
        tried += got.violation > 0.0f;
        double x = (double)got.velocity.x, y = (double)got.velocity.y;
        CHECK(worst_of(lines, 0, hard, x, y) <= 1e-4);
        CHECK(worst_of(lines, hard, 10, x, y) <= (double)got.violation + 1e-4);
    }
    CHECK(tried > 500);
}

TEST(the_order_of_lines_does_not_matter) {
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_line lines[10];
        int32_t count = ploy_rng_int(&rng, 2, 10);
        random_lines(&rng, lines, count, -1.0f);
        ploy_vec2 wanted = ploy_vec2_limit(scene_near2(&rng, 2.0f), 2.0f);
        ploy_orca_result want = ployi_orca_solve_lines(lines, count, 0, wanted, 2.0f);
        if (want.violation > 0.0f) continue; // the worst one may be broken alike at many places
        if (brute_nearest(lines, count, wanted, 2.0f, -1e-3) < 0.0) continue; // hardly any room
        ploy_rng_shuffle(&rng, lines, count, sizeof lines[0]);
        ploy_orca_result got = ployi_orca_solve_lines(lines, count, 0, wanted, 2.0f);
        CHECK_VEC2(got.velocity, want.velocity.x, want.velocity.y, 2e-3);
    }
}

// ---- agents ----

static ploy_orca_agent random_agent(ploy_rng *rng, float reach, uint32_t number) {
    ploy_orca_agent agent = ploy_orca_agent_make(scene_near2(rng, reach), 0.0f, 2.0f, number);
    agent.radius = ploy_rng_range(rng, 0.2f, 0.6f);
    agent.velocity = scene_near2(rng, 1.4f);
    agent.wanted = scene_near2(rng, 1.4f);
    agent.responsibility = ploy_rng_chance(rng, 0.8f) ? 1.0f : ploy_rng_range(rng, 0.0f, 3.0f);
    return agent;
}

static ploy_orca_result find_plain(const ploy_orca_agent *agents, int32_t count,
                                   ploy_orca_line *lines) {
    ploy_orca_def def = ploy_orca_def_default();
    return ploy_orca_find(&def, &agents[0], agents + 1, count - 1, NULL, 0, 0.1f, lines);
}

TEST(the_order_of_others_changes_no_bit) {
    for (int64_t round = 0; round < test_rounds(1000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_agent agents[25];
        for (uint32_t i = 0; i < 25; i++) agents[i] = random_agent(&rng, 5.0f, i);
        agents[7].position = agents[3].position; // equally near
        ploy_orca_result want = find_plain(agents, 25, NULL);
        ploy_rng_shuffle(&rng, agents + 1, 24, sizeof agents[0]);
        ploy_orca_result got = find_plain(agents, 25, NULL);
        CHECK_BYTES(&got, &want, sizeof got);
    }
}

// What happens to a scene in a transformation of the plane, and to the answer.
typedef struct motion {
    const char *row;
    ploy_vec2 (*turn)(ploy_vec2 v);
    ploy_vec2 shift, speed;
} motion;

static ploy_vec2 as_it_is(ploy_vec2 v) {
    return v;
}
static ploy_vec2 by_an_angle(ploy_vec2 v) {
    return ploy_vec2_rotate(v, 1.0f);
}

TEST(answers_turn_and_move_with_the_scene_and_do_not_depend_on_a_common_velocity) {
    static const motion rows[] = {
        {"a quarter turn", scene_turn, {0.0f, 0.0f}, {0.0f, 0.0f}},
        {"a turn", by_an_angle, {0.0f, 0.0f}, {0.0f, 0.0f}},
        {"mirrored", scene_mirror, {0.0f, 0.0f}, {0.0f, 0.0f}},
        {"moved", as_it_is, {64.0f, -128.0f}, {0.0f, 0.0f}},
        {"a velocity added to everybody", as_it_is, {0.0f, 0.0f}, {5.0f, -3.0f}},
    };
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        t->row = rows[r].row;
        int32_t avoided = 0;
        for (int64_t round = 0; round < test_rounds(400); round++) {
            TEST_SEED(round);
            ploy_rng rng = ploy_rng_make((uint64_t)round);
            ploy_orca_agent agents[8], moved[8];
            for (uint32_t i = 0; i < 8; i++) {
                agents[i] = random_agent(&rng, 6.0f, i);
                agents[i].max_speed = 50.0f; // out of the way: the circle does not move along
                moved[i] = agents[i];
                moved[i].position = ploy_vec2_add(rows[r].turn(agents[i].position), rows[r].shift);
                moved[i].velocity = ploy_vec2_add(rows[r].turn(agents[i].velocity), rows[r].speed);
                moved[i].wanted = ploy_vec2_add(rows[r].turn(agents[i].wanted), rows[r].speed);
            }
            ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
            ploy_orca_result want = find_plain(agents, 8, lines);
            ploy_orca_result got = find_plain(moved, 8, NULL);
            // Where lines are nearly parallel a hair decides: the scene is no test then.
            double loose = brute_nearest(lines, want.lines, agents[0].wanted, 50.0f, 1e-3);
            double tight = brute_nearest(lines, want.lines, agents[0].wanted, 50.0f, -1e-3);
            if (want.violation > 0.0f || tight < 0.0 || tight - loose > 0.02) continue;
            avoided += !ploy_vec2_equal(want.velocity, agents[0].wanted);
            ploy_vec2 here = ploy_vec2_add(rows[r].turn(want.velocity), rows[r].speed);
            CHECK_VEC2(got.velocity, here.x, here.y, 0.03f);
        }
        CHECK(avoided > 100);
    }
}

TEST(two_that_follow_their_answers_stay_apart_for_the_horizon) {
    // Both keep the velocities that they found, each by itself: nobody touches until the horizon.
    ploy_orca_def def = ploy_orca_def_default();
    int32_t near = 0;
    for (int64_t round = 0; round < test_rounds(4000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_agent pair[2] = {random_agent(&rng, 4.0f, 0), random_agent(&rng, 4.0f, 1)};
        float touch = pair[0].radius + pair[1].radius;
        if (pair[0].responsibility + pair[1].responsibility == 0.0f) continue;
        if (ploy_vec2_distance(pair[0].position, pair[1].position) < touch) continue;
        ploy_orca_result a = ploy_orca_find(&def, &pair[0], &pair[1], 1, NULL, 0, 0.1f, NULL);
        ploy_orca_result b = ploy_orca_find(&def, &pair[1], &pair[0], 1, NULL, 0, 0.1f, NULL);
        if (a.violation > 0.0f || b.violation > 0.0f) continue;
        // Who does not look keeps its velocity for the other to reckon with.
        if (pair[0].responsibility == 0.0f) a.velocity = pair[0].velocity;
        if (pair[1].responsibility == 0.0f) b.velocity = pair[1].velocity;
        ploy_vec2 offset = ploy_vec2_sub(pair[1].position, pair[0].position);
        ploy_vec2 speed = ploy_vec2_sub(b.velocity, a.velocity);
        float least = ploy_vec2_length(offset);
        for (int i = 0; i <= 200; i++) {
            float time = def.horizon * (float)i / 200.0f;
            least = ploy_minf(least, ploy_vec2_length(ploy_vec2_add_scaled(offset, speed, time)));
        }
        CHECK(least > touch - 1e-3f);
        near += least < touch + 0.05f;
    }
    CHECK(near > 50);
}

TEST(responsibility_says_who_yields) {
    static const struct {
        const char *row;
        float mine, theirs, share; // of the sideways motion
    } rows[] = {
        {"half each", 1.0f, 1.0f, 0.5f},
        {"the other does not look", 1.0f, 0.0f, 1.0f},
        {"a quarter", 1.0f, 3.0f, 0.25f},
        {"nothing", 0.0f, 1.0f, 0.0f},
    };
    ploy_orca_def def = ploy_orca_def_default();
    ploy_orca_agent me = ploy_orca_agent_make(ploy_vec2_make(0.0f, 0.0f), 0.5f, 2.0f, 0);
    ploy_orca_agent other = ploy_orca_agent_make(ploy_vec2_make(5.0f, 0.1f), 0.5f, 2.0f, 1);
    me.velocity = me.wanted = ploy_vec2_make(1.0f, 0.0f);
    other.velocity = other.wanted = ploy_vec2_make(-1.0f, 0.0f);
    ploy_orca_line line;
    ploy_orca_result full = ploy_orca_find(&def, &me, &other, 1, NULL, 0, 0.1f, &line);
    CHECK_INT(full.lines, 1);
    float whole = 2.0f * (line.limit - ploy_vec2_dot(line.normal, me.velocity));
    CHECK(whole < 0.0f);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        me.responsibility = rows[i].mine;
        other.responsibility = rows[i].theirs;
        ploy_orca_result got = ploy_orca_find(&def, &me, &other, 1, NULL, 0, 0.1f, &line);
        CHECK_INT(got.lines, rows[i].share > 0.0f ? 1 : 0);
        if (got.lines == 0) continue;
        CHECK_NEAR(line.limit - ploy_vec2_dot(line.normal, me.velocity), rows[i].share * whole,
                   1e-5);
    }
    // Who cannot move is walked around by the other alone, whatever it says.
    t->row = "static";
    me.responsibility = other.responsibility = 1.0f;
    other.max_speed = 0.0f;
    other.velocity = ploy_vec2_zero();
    ploy_orca_find(&def, &me, &other, 1, NULL, 0, 0.1f, &line);
    ploy_vec2 stays = {me.velocity.x, me.velocity.y};
    float alone = line.limit - ploy_vec2_dot(line.normal, stays);
    other.max_speed = 1.0f;
    ploy_orca_find(&def, &me, &other, 1, NULL, 0, 0.1f, &line);
    CHECK_NEAR(line.limit - ploy_vec2_dot(line.normal, stays), 0.5f * alone, 1e-5);
}

TEST(those_on_one_spot_part) {
    ploy_orca_def def = ploy_orca_def_default();
    for (uint32_t i = 0; i < 40; i++) {
        ploy_orca_agent a = ploy_orca_agent_make(ploy_vec2_make(3.0f, 4.0f), 0.5f, 2.0f, i);
        ploy_orca_agent b = a;
        b.number = i + 1 + i % 3;
        ploy_vec2 one = ploy_orca_find(&def, &a, &b, 1, NULL, 0, 0.1f, NULL).velocity;
        ploy_vec2 two = ploy_orca_find(&def, &b, &a, 1, NULL, 0, 0.1f, NULL).velocity;
        CHECK_NEAR(ploy_vec2_length(one), 2.0f, 1e-4);
        CHECK_VEC2(two, -one.x, -one.y, 1e-5);
    }
}

// ---- walls ----

static const ploy_vec2 house[4] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 3.0f}, {0.0f, 3.0f}};

// Where an agent comes to that follows its answers past a polygon, and how near the wall it was.
static ploy_vec2 walk(const ploy_vec2 *corners, int32_t count, ploy_vec2 from, ploy_vec2 wanted,
                      float seconds, float *nearest) {
    ploy_orca_wall walls[16];
    ploy_orca_walls_make(corners, count, walls);
    ploy_orca_def def = ploy_orca_def_default();
    ploy_orca_agent agent = ploy_orca_agent_make(from, 0.5f, 1.5f, 0);
    agent.wanted = wanted;
    *nearest = 1e9f;
    for (int32_t i = 0; i < (int32_t)(seconds * 20.0f); i++) {
        agent.velocity = ploy_orca_find(&def, &agent, NULL, 0, walls, count, 0.05f, NULL).velocity;
        agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.05f);
        for (int32_t k = 0; k < count; k++) {
            ploy_vec2 along = ploy_vec2_sub(walls[k].to, walls[k].from);
            ploy_vec2 offset = ploy_vec2_sub(agent.position, walls[k].from);
            float s =
                ploy_clampf(ploy_vec2_dot(offset, along) / ploy_vec2_length_sq(along), 0.0f, 1.0f);
            float d = ploy_vec2_length(ploy_vec2_add_scaled(offset, along, -s));
            *nearest = ploy_minf(*nearest, d);
        }
    }
    return agent.position;
}

TEST(walls_stop_slide_and_let_pass_at_corners) {
    float nearest = 0.0f;
    t->row = "straight into the wall: it stops at its radius";
    ploy_vec2 at =
        walk(house, 4, ploy_vec2_make(2.0f, -5.0f), ploy_vec2_make(0.0f, 1.5f), 20.0f, &nearest);
    CHECK_VEC2(at, 2.0f, -0.5f, 2e-3);
    CHECK(nearest > 0.499f);
    t->row = "slanting into it: it slides along, round the corner and on";
    at = walk(house, 4, ploy_vec2_make(1.0f, -2.0f), ploy_vec2_make(1.0f, 1.0f), 10.0f, &nearest);
    CHECK(at.x > 7.0f && at.y > 5.0f);
    CHECK(nearest > 0.499f);
    t->row = "past the corner at its radius: nothing slows it";
    at = walk(house, 4, ploy_vec2_make(4.502f, -6.0f), ploy_vec2_make(0.0f, 1.5f), 8.0f, &nearest);
    CHECK_VEC2(at, 4.502f, 6.0f, 0.02);
    t->row = "along the wall at its radius: nothing either";
    at = walk(house, 4, ploy_vec2_make(-4.0f, -0.501f), ploy_vec2_make(1.5f, 0.0f), 8.0f, &nearest);
    CHECK_VEC2(at, 8.0f, -0.501f, 0.02);
    t->row = "away from inside: walls are seen from the front alone";
    at = walk(house, 4, ploy_vec2_make(2.0f, 1.5f), ploy_vec2_make(1.5f, 0.0f), 4.0f, &nearest);
    CHECK_NEAR(at.x, 8.0f, 0.1);
}

TEST(seams_and_bends_do_not_catch) {
    // A long wall in four pieces, the last of them bent by three degrees toward the agent; solid
    // above, the agent walks below.
    static const ploy_vec2 bent[7] = {{0.0f, 0.0f},    {5.0f, 0.0f},  {10.0f, 0.0f}, {15.0f, 0.0f},
                                      {20.0f, -0.25f}, {20.0f, 5.0f}, {0.0f, 5.0f}};
    float nearest = 0.0f;
    ploy_vec2 at =
        walk(bent, 7, ploy_vec2_make(1.0f, -0.505f), ploy_vec2_make(1.5f, 0.0f), 8.0f, &nearest);
    CHECK(at.x > 12.9f);
    CHECK(nearest > 0.499f);
    at = walk(bent, 7, ploy_vec2_make(1.0f, -0.505f), ploy_vec2_make(1.5f, 0.0f), 20.0f, &nearest);
    CHECK(at.x > 20.0f);
    CHECK(nearest > 0.499f);
}

TEST(a_receding_corner_holds_from_both_sides_and_not_through_the_wall) {
    // An angle iron 0.2 m thick: inside the angle both faces stop, outside of it the faces' lines
    // beyond the corner do not.
    static const ploy_vec2 iron[6] = {{0.0f, 0.0f}, {5.0f, 0.0f}, {5.0f, 0.2f},
                                      {0.2f, 0.2f}, {0.2f, 5.0f}, {0.0f, 5.0f}};
    float nearest = 0.0f;
    t->row = "into the corner";
    ploy_vec2 at =
        walk(iron, 6, ploy_vec2_make(3.0f, 3.5f), ploy_vec2_make(-1.0f, -1.0f), 10.0f, &nearest);
    CHECK_VEC2(at, 0.7f, 0.7f, 5e-3);
    CHECK(nearest > 0.499f);
    t->row = "below it: the upright's face does not go on down here";
    at = walk(iron, 6, ploy_vec2_make(3.0f, -2.0f), ploy_vec2_make(-1.5f, 0.0f), 4.0f, &nearest);
    CHECK_VEC2(at, -3.0f, -2.0f, 0.02);
    t->row = "a wall of two corners, from both sides";
    static const ploy_vec2 fence[2] = {{-5.0f, 0.0f}, {5.0f, 0.0f}};
    at = walk(fence, 2, ploy_vec2_make(0.0f, -3.0f), ploy_vec2_make(0.0f, 1.0f), 10.0f, &nearest);
    CHECK_VEC2(at, 0.0f, -0.5f, 2e-3);
    at = walk(fence, 2, ploy_vec2_make(0.0f, 3.0f), ploy_vec2_make(0.0f, -1.0f), 10.0f, &nearest);
    CHECK_VEC2(at, 0.0f, 0.5f, 2e-3);
}

TEST(no_wall_is_run_into_from_anywhere) {
    static const ploy_vec2 shape[8] = {{0.0f, 0.0f}, {6.0f, 0.0f}, {6.0f, 6.0f}, {4.0f, 6.0f},
                                       {4.0f, 2.0f}, {2.0f, 2.0f}, {2.0f, 6.0f}, {0.0f, 6.0f}};
    int32_t met = 0;
    for (int64_t round = 0; round < test_rounds(150); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        float nearest = 0.0f;
        ploy_vec2 from = ploy_vec2_add_scaled(ploy_vec2_make(3.0f, 3.0f), random_unit(&rng), 6.0f);
        ploy_vec2 to =
            ploy_vec2_make(ploy_rng_range(&rng, 0.0f, 6.0f), ploy_rng_range(&rng, 0.0f, 6.0f));
        ploy_vec2 wanted = ploy_vec2_with_length(ploy_vec2_sub(to, from), 1.5f);
        walk(shape, 8, from, wanted, 8.0f, &nearest);
        CHECK(nearest > 0.499f);
        met += nearest < 0.51f;
    }
    CHECK(met > 75);
}

TEST(who_is_too_near_a_wall_is_pushed_off) {
    float nearest = 0.0f;
    ploy_vec2 at = walk(house, 4, ploy_vec2_make(2.0f, -0.1f), ploy_vec2_zero(), 20.0f, &nearest);
    CHECK_VEC2(at, 2.0f, -0.5f, 0.01);
}

// ---- numbers ----

// The half-planes of a wall that goes on to beyond the horizon are those of its near piece.
TEST(a_wall_with_an_end_far_away_holds_where_it_is_near) {
    static const float radii[] = {0.0f, 0.5f, 7.0f};
    for (int64_t round = 0; round < test_rounds(300); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_vec2 end = scene_near2(&rng, 3.0f),
                  along = ploy_angle_heading(ploy_rng_range(&rng, -3.1f, 3.1f));
        bool from_end = ploy_rng_chance(&rng, 0.5f);
        ploy_orca_agent agent = ploy_orca_agent_make(ploy_vec2_zero(), 0.0f, 5.0f, 0);
        agent.radius = radii[ploy_rng_int(&rng, 0, 2)];
        agent.velocity = agent.wanted = scene_near2(&rng, 4.0f);
        ploy_orca_def def = ploy_orca_def_default();
        ploy_orca_line lines[2][PLOY_ORCA_LINES_MAX];
        ploy_orca_result got[2];
        for (int32_t k = 0; k < 2; k++) {
            ploy_vec2 far = ploy_vec2_add_scaled(end, along, k == 0 ? 1e3f : 5e8f);
            ploy_vec2 corners[2] = {from_end ? end : far, from_end ? far : end};
            ploy_orca_wall walls[2];
            ploy_orca_walls_make(corners, 2, walls);
            got[k] = ploy_orca_find(&def, &agent, NULL, 0, walls, 2, 0.1f, lines[k]);
        }
        CHECK_INT(got[1].lines, got[0].lines);
        for (int32_t i = 0; i < got[0].lines; i++) {
            CHECK_VEC2(lines[1][i].normal, lines[0][i].normal.x, lines[0][i].normal.y, 2e-3);
            CHECK_NEAR(lines[1][i].limit, lines[0][i].limit, 1e-2);
        }
    }
}

TEST(answers_are_finite_whatever_comes) {
    for (int64_t round = 0; round < test_rounds(6000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_agent agents[12];
        for (uint32_t i = 0; i < 12; i++) {
            ploy_kinematic odd = scene_agent(&rng);
            agents[i] = ploy_orca_agent_make(odd.position, 0.0f, 0.0f, i);
            agents[i].velocity = odd.velocity;
            agents[i].wanted = scene_vec2(&rng, 0.57f * PLOY_SPEED_MAX_MPS);
            agents[i].radius = fabsf(scene_number(&rng, 1e5f));
            agents[i].max_speed = fabsf(scene_number(&rng, PLOY_SPEED_MAX_MPS));
            agents[i].responsibility = fabsf(scene_number(&rng, 1e3f));
            if (i > 0 && ploy_rng_chance(&rng, 0.5f)) { // near the first, or on the spot
                agents[i].position = ploy_vec2_add(
                    agents[0].position,
                    ploy_rng_chance(&rng, 0.3f) ? ploy_vec2_zero() : scene_near2(&rng, 5.0f));
            }
            CHECK(ployi_orca_agent_ok(&agents[i]));
        }
        ploy_vec2 corners[5];
        ploy_orca_wall walls[5];
        for (int32_t i = 0; i < 5; i++) {
            corners[i] = ploy_rng_chance(&rng, 0.5f)
                             ? ploy_vec2_add(agents[0].position, scene_near2(&rng, 3.0f))
                             : scene_vec2(&rng, 0.57f * PLOY_POSITION_MAX_M);
        }
        ploy_orca_walls_make(corners, 5, walls);
        ploy_orca_def def = ploy_orca_def_default();
        def.range = ploy_rng_chance(&rng, 0.5f) ? 1e6f : 10.0f;
        def.horizon = ploy_rng_chance(&rng, 0.3f) ? 0.01f : 1e3f;
        static const float steps[4] = {0.0f, 1e-6f, 0.1f, 1.0f};
        float dt = steps[ploy_rng_int(&rng, 0, 3)];
        ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
        ploy_orca_result got =
            ploy_orca_find(&def, &agents[0], agents + 1, 11, walls, 5, dt, lines);
        CHECK(ploy_vec2_is_finite(got.velocity));
        CHECK(fabsf(got.violation) <= FLT_MAX);
        CHECK(ploy_vec2_length(got.velocity) <= agents[0].max_speed * 1.0001f + 1e-20f);
        for (int32_t k = 0; k < got.lines; k++) {
            CHECK_NEAR(ploy_vec2_length(lines[k].normal), 1.0, 1e-5);
            CHECK(fabsf(lines[k].limit) <= FLT_MAX);
        }
    }
}

TEST(bad_numbers_give_a_zero_answer) {
    ploy_orca_def def = ploy_orca_def_default();
    ploy_orca_agent agent = ploy_orca_agent_make(ploy_vec2_zero(), 0.5f, 2.0f, 0);
    agent.wanted = ploy_vec2_make(3.0f, 0.0f);
    CHECK_VEC2(ploy_orca_find(&def, &agent, NULL, 0, NULL, 0, 0.1f, NULL).velocity, 2.0f, 0.0f, 0);
    static const struct {
        const char *row;
        float radius, speed, x, dt, horizon;
        int32_t neighbours;
    } rows[] = {
        {"radius", -1.0f, 2.0f, 0.0f, 0.1f, 4.0f, 10}, {"speed", 0.5f, NAN, 0.0f, 0.1f, 4.0f, 10},
        {"place", 0.5f, 2.0f, 2e9f, 0.1f, 4.0f, 10},   {"dt", 0.5f, 2.0f, 0.0f, 1.5f, 4.0f, 10},
        {"horizon", 0.5f, 2.0f, 0.0f, 0.1f, 0.0f, 10}, {"nobody", 0.5f, 2.0f, 0.0f, 0.1f, 4.0f, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_orca_agent bad = agent;
        bad.radius = rows[i].radius;
        bad.max_speed = rows[i].speed;
        bad.position.x = rows[i].x;
        ploy_orca_def odd = def;
        odd.horizon = rows[i].horizon;
        odd.max_neighbours = rows[i].neighbours;
        ploy_orca_result got = ploy_orca_find(&odd, &bad, NULL, 0, NULL, 0, rows[i].dt, NULL);
        CHECK_VEC2(got.velocity, 0.0f, 0.0f, 0);
    }
    ploy_orca_line line = {{NAN, 0.0f}, 1.0f, 0};
    CHECK_VEC2(ployi_orca_solve_lines(&line, 1, 0, agent.wanted, 2.0f).velocity, 0.0f, 0.0f, 0);
    line.normal = ploy_vec2_make(1.0f, 0.0f);
    CHECK_VEC2(ployi_orca_solve_lines(&line, 1, 2, agent.wanted, 2.0f).velocity, 0.0f, 0.0f, 0);
    CHECK_VEC2(ployi_orca_solve_lines(&line, 1, 0, agent.wanted, 2.0f).velocity, 1.0f, 0.0f, 1e-6);
}

TEST(trace_and_draw_tell_what_decided) {
    ploy_orca_def def = ploy_orca_def_default();
    ploy_orca_agent me = ploy_orca_agent_make(ploy_vec2_zero(), 0.5f, 2.0f, 0);
    ploy_orca_agent other = ploy_orca_agent_make(ploy_vec2_make(3.0f, 0.0f), 0.5f, 2.0f, 1);
    me.velocity = me.wanted = ploy_vec2_make(1.0f, 0.0f);
    ploy_orca_wall walls[2];
    static const ploy_vec2 fence[2] = {{-1.0f, 1.0f}, {5.0f, 1.0f}};
    ploy_orca_walls_make(fence, 2, walls);
    ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
    ploy_orca_result got = ploy_orca_find(&def, &me, &other, 1, walls, 2, 0.1f, lines);
    CHECK(got.walls == 1 && got.lines == 2);
    scene_told told;
    ploy_trace trace = scene_trace(&told);
    ploy_orca_trace(&got, lines, me.wanted, ploy_agent_id_make(1, 1), &trace);
    CHECK_INT(told.depth, 0);
    CHECK_INT(told.options, 2);
    CHECK_TEXT(told.winner, "agent 0");
    ploy_orca_trace(&got, lines, me.wanted, ploy_agent_id_make(1, 1), NULL);
    ploy_draw draw = scene_draw(&told);
    ploy_orca_draw(&got, lines, &me, 1.0f, ploy_agent_id_make(1, 1), &draw);
    CHECK(told.items >= 7);
}
