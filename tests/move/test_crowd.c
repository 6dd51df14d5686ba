// Crowds: the same bits as the single form, in any number of workers; compared with the plain
// version in whole scenes; everybody arrives.
#include "bench/orca_plain.c"
#include "ploy/move/crowd.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"
#include "tests/state.h"

enum { CROWD_MOST = 400 };

static ploy_crowd *crowd_start(test_context *t, int32_t capacity, const ploy_orca_def *avoid,
                               const ploy_env *env) {
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = capacity;
    if (avoid != NULL) def.avoid = *avoid;
    ploy_crowd *crowd = NULL;
    CHECK_OK(ploy_crowd_create(&def, env, &crowd));
    return crowd;
}

static ploy_orca_agent crowd_agent(ploy_rng *rng, float reach) {
    ploy_orca_agent agent = ploy_orca_agent_make(scene_near2(rng, reach), 0.4f, 2.0f, 0);
    agent.velocity = scene_near2(rng, 1.4f);
    agent.wanted = scene_near2(rng, 2.0f);
    agent.radius = ploy_rng_range(rng, 0.1f, 0.5f);
    if (ploy_rng_chance(rng, 0.1f)) agent.max_speed = 0.0f;
    if (ploy_rng_chance(rng, 0.2f)) agent.responsibility = ploy_rng_range(rng, 0.0f, 3.0f);
    return agent;
}

static const ploy_vec2 crowd_house[6] = {{-2.0f, -2.0f}, {2.0f, -2.0f}, {2.0f, 2.0f},
                                         {1.0f, 2.0f},   {1.0f, -1.0f}, {-2.0f, -1.0f}};

// A crowd of the agents, and what the single form says to each.
static void crowd_compare(test_context *t, ploy_crowd *crowd, const ploy_orca_def *def) {
    static ploy_orca_agent before[CROWD_MOST];
    static ploy_orca_agent others[CROWD_MOST];
    int32_t count = 0, walls = 0;
    const ploy_orca_wall *edges = ploy_crowd_walls(crowd, &walls);
    for (int32_t i = 0; i < ploy_crowd_places(crowd); i++) {
        ploy_agent_id id = ploy_crowd_id_at(crowd, i);
        if (!ploy_id_is_none(id.id)) CHECK_OK(ploy_crowd_get(crowd, id, &before[count++]));
    }
    CHECK_INT(count, ploy_crowd_count(crowd));
    CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
    for (int32_t i = 0; i < count; i++) {
        memcpy(others, before, sizeof others);
        others[i] = others[count - 1];
        ploy_orca_result want =
            ploy_orca_find(def, &before[i], others, count - 1, edges, walls, 0.1f, NULL);
        ploy_orca_agent got;
        ploy_agent_id id = ploy_crowd_id_at(crowd, (int32_t)before[i].number);
        CHECK_OK(ploy_crowd_get(crowd, id, &got));
        CHECK_BYTES(&got.velocity, &want.velocity, sizeof want.velocity);
        ploy_vec2 at = ploy_vec2_add_scaled(before[i].position, want.velocity, 0.1f);
        CHECK_BYTES(&got.position, &at, sizeof at);
    }
}

TEST(a_crowd_gives_the_bits_of_the_single_form) {
    for (int64_t round = 0; round < test_rounds(16); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_orca_def def = ploy_orca_def_default();
        def.range = ploy_rng_range(&rng, 1.0f, 12.0f);
        def.max_neighbours = ploy_rng_int(&rng, 1, PLOY_ORCA_NEIGHBOURS_MAX);
        ploy_env env = ploy_env_default();
        ploy_crowd *crowd = crowd_start(t, CROWD_MOST, &def, &env);
        static const float reaches[4] = {3.0f, 10.0f, 40.0f, 300.0f};
        float reach = reaches[round % 4];
        ploy_vec2 spot = scene_near2(&rng, reach);
        ploy_agent_id ids[CROWD_MOST];
        for (int32_t i = 0; i < CROWD_MOST; i++) {
            ploy_orca_agent agent = crowd_agent(&rng, reach);
            if (ploy_rng_chance(&rng, 0.15f)) agent.position = spot; // a heap
            if (ploy_rng_chance(&rng, 0.02f)) agent.position = scene_vec2(&rng, 0.5e9f);
            CHECK_OK(ploy_crowd_add(crowd, &agent, &ids[i]));
        }
        if (round % 2 == 1) CHECK_OK(ploy_crowd_add_walls(crowd, crowd_house, 6));
        crowd_compare(t, crowd, &def);
        for (int32_t i = 0; i < CROWD_MOST; i += 3) CHECK_OK(ploy_crowd_remove(crowd, ids[i]));
        crowd_compare(t, crowd, &def);
        ploy_crowd_destroy(crowd);
    }
}

TEST(a_heap_on_one_spot_is_no_trouble) {
    ploy_orca_def def = ploy_orca_def_default();
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_start(t, CROWD_MOST, &def, &env);
    for (int32_t i = 0; i < CROWD_MOST; i++) {
        ploy_orca_agent agent = ploy_orca_agent_make(ploy_vec2_make(5.0f, 5.0f), 0.3f, 2.0f, 0);
        ploy_agent_id id;
        CHECK_OK(ploy_crowd_add(crowd, &agent, &id));
    }
    crowd_compare(t, crowd, &def);
    for (int32_t i = 0; i < 200; i++) CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
    CHECK_INT(ploy_crowd_last(crowd).infeasible, 0); // all have parted
    CHECK_UINT(ploy_crowd_last(crowd).steps, 201);
    crowd_compare(t, crowd, &def);
    ploy_crowd_destroy(crowd);
}

TEST(workers_change_no_bit_and_a_warm_step_allocates_nothing) {
    static ploy_orca_agent want[3000];
    for (int32_t workers = 0; workers <= 4; workers = workers == 0 ? 1 : 2 * workers) {
        test_counts counts = {0, 0, 0};
        ploy_env env = test_counting_env(&counts);
        ploy_job_pool *pool = NULL;
        if (workers > 0) {
            ploy_result made = ploy_job_pool_create(workers, &env, &pool);
            if (made == PLOY_ERR_UNSUPPORTED) break;
            CHECK_OK(made);
        }
        ploy_crowd *crowd = crowd_start(t, 3000, NULL, &env);
        ploy_rng rng = ploy_rng_make(9);
        for (int32_t i = 0; i < 3000; i++) {
            ploy_agent_id id;
            ploy_orca_agent agent = crowd_agent(&rng, 50.0f);
            CHECK_OK(ploy_crowd_add(crowd, &agent, &id));
        }
        CHECK_OK(ploy_crowd_add_walls(crowd, crowd_house, 6));
        int64_t calls = counts.calls;
        const ploy_jobs *jobs = pool == NULL ? NULL : ploy_job_pool_jobs(pool);
        for (int32_t i = 0; i < 10; i++) CHECK_OK(ploy_crowd_step(crowd, 0.1f, jobs));
        CHECK_INT(counts.calls, calls);
        for (int32_t i = 0; i < 3000; i++) {
            ploy_orca_agent got;
            CHECK_OK(ploy_crowd_get(crowd, ploy_crowd_id_at(crowd, i), &got));
            if (workers == 0) want[i] = got;
            CHECK_BYTES(&got, &want[i], sizeof got);
        }
        int64_t told = 0;
        ploy_crowd_memory(crowd, test_sum_memory, &told);
        ploy_job_pool_destroy(pool);
        CHECK_INT(told, counts.bytes);
        ploy_crowd_destroy(crowd);
        CHECK_INT(counts.bytes, 0);
    }
}

// ---- whole scenes ----

// A scene: agents on their ways, each with a goal and a place to pass before it.
typedef struct journey {
    ploy_crowd *crowd;
    int32_t count;
    ploy_agent_id id[CROWD_MOST];
    ploy_vec2 via[CROWD_MOST], goal[CROWD_MOST];
    bool passed[CROWD_MOST];
    float near; // m from its goal that counts as there
} journey;

static void journey_add(test_context *t, journey *j, ploy_vec2 from, ploy_vec2 via, ploy_vec2 to,
                        float radius, float speed) {
    ploy_orca_agent agent = ploy_orca_agent_make(from, radius, speed, 0);
    CHECK_OK(ploy_crowd_add(j->crowd, &agent, &j->id[j->count]));
    j->via[j->count] = via;
    j->goal[j->count] = to;
    j->passed[j->count] = ploy_vec2_equal(via, to);
    j->count++;
}

// One step toward the goals. @return how many are not there yet.
static int32_t journey_step(test_context *t, journey *j, float dt, uint64_t tick) {
    int32_t under_way = 0;
    ploy_rng_key key = ploy_rng_key_make(1);
    for (int32_t i = 0; i < j->count; i++) {
        ploy_orca_agent agent;
        CHECK_OK(ploy_crowd_get(j->crowd, j->id[i], &agent));
        if (ploy_vec2_distance(agent.position, j->via[i]) < 1.5f) j->passed[i] = true;
        ploy_vec2 way = ploy_vec2_sub(j->passed[i] ? j->goal[i] : j->via[i], agent.position);
        bool there = j->passed[i] && ploy_vec2_length(way) < j->near;
        under_way += !there;
        ploy_vec2 wanted = ploy_vec2_limit(way, agent.max_speed);
        // A little noise, without which rows that meet head-on would stand for long.
        wanted.x += 0.02f * ploy_rng_binomial_at(key, (uint32_t)i, tick, 0);
        wanted.y += 0.02f * ploy_rng_binomial_at(key, (uint32_t)i, tick, 1);
        CHECK_OK(ploy_crowd_set_wanted(j->crowd, j->id[i], wanted));
    }
    CHECK_OK(ploy_crowd_step(j->crowd, dt, NULL));
    return under_way;
}

static float worst_overlap(const ploy_vec2 *at, int32_t count, float radius) {
    float nearest = 1e9f;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < i; k++) {
            nearest = ploy_minf(nearest, ploy_vec2_distance_sq(at[i], at[k]));
        }
    }
    return ploy_maxf(2.0f * radius - sqrtf(nearest), 0.0f);
}

TEST(crossing_a_circle_all_arrive_and_overlap_no_more_than_in_the_plain_version) {
    enum { RING = 250 };
    const float radius = 0.5f, speed = 2.0f, dt = 0.1f;
    static journey j;
    memset(&j, 0, sizeof j);
    static orca_plain_agent agents[RING];
    static int32_t order[RING];
    static orca_plain_node nodes[2 * RING];
    ploy_orca_def def = ploy_orca_def_default();
    def.horizon = 3.0f;
    orca_plain plain = {agents, RING, def.horizon, def.range, def.max_neighbours, order, nodes, 0};
    memset(agents, 0, sizeof agents);
    ploy_env env = ploy_env_default();
    j.crowd = crowd_start(t, RING, &def, &env);
    j.near = 1.0f;
    for (int32_t i = 0; i < RING; i++) {
        float angle = (float)i * 2.0f * PLOY_PI_F / RING - PLOY_PI_F;
        ploy_vec2 from = ploy_vec2_scale(ploy_angle_heading(angle), 50.0f);
        ploy_vec2 to = ploy_vec2_negate(from);
        journey_add(t, &j, from, to, to, radius, speed);
        agents[i].position = from;
        agents[i].radius = radius;
        agents[i].max_speed = speed;
    }
    int32_t ours = 0, theirs = 0, steps = 0, under_way = RING;
    float our_worst = 0.0f, their_worst = 0.0f;
    bool feasible = true; // so far, for everybody
    for (; under_way > 0 && steps < 2500; steps++) {
        under_way = journey_step(t, &j, dt, (uint64_t)steps);
        ours += ploy_crowd_last(j.crowd).infeasible;
        feasible = feasible && ours == 0;
        if (feasible || steps % 10 == 0) {
            ploy_vec2 at[RING];
            for (int32_t i = 0; i < RING; i++) {
                ploy_orca_agent agent;
                CHECK_OK(ploy_crowd_get(j.crowd, j.id[i], &agent));
                at[i] = agent.position;
            }
            float overlap = worst_overlap(at, RING, radius);
            our_worst = ploy_maxf(our_worst, overlap);
            if (feasible) CHECK(overlap < 1e-3f * radius);
        }
    }
    CHECK_INT(under_way, 0);
    ploy_rng_key key = ploy_rng_key_make(1);
    for (int32_t step = 0; step < steps; step++) {
        for (int32_t i = 0; i < RING; i++) {
            ploy_vec2 way = ploy_vec2_negate(ploy_vec2_scale(
                ploy_angle_heading((float)i * 2.0f * PLOY_PI_F / RING - PLOY_PI_F), 50.0f));
            way = ploy_vec2_limit(ploy_vec2_sub(way, agents[i].position), speed);
            way.x += 0.02f * ploy_rng_binomial_at(key, (uint32_t)i, (uint64_t)step, 0);
            way.y += 0.02f * ploy_rng_binomial_at(key, (uint32_t)i, (uint64_t)step, 1);
            agents[i].wanted = way;
        }
        orca_plain_step(&plain, dt);
        for (int32_t i = 0; i < RING; i++) theirs += !agents[i].feasible;
        if (step % 10 != 0) continue;
        ploy_vec2 at[RING];
        for (int32_t i = 0; i < RING; i++) at[i] = agents[i].position;
        their_worst = ploy_maxf(their_worst, worst_overlap(at, RING, radius));
    }
    printf("infeasible %d (plain %d), worst overlap %.4f m (plain %.4f m), %d steps\n", ours,
           theirs, (double)our_worst, (double)their_worst, steps);
    // Two chaotic runs of the same law: equal but for luck.
    CHECK((double)ours <= 1.1 * (double)theirs);
    CHECK(our_worst <= 1.25f * their_worst + 1e-3f);
    ploy_crowd_destroy(j.crowd);
}

TEST(feasible_crowds_do_not_touch) {
    // Thin crowds, in which every program stays feasible: agents of several sizes and speeds.
    int32_t checked = 0;
    for (int64_t round = 0; round < test_rounds(8); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        ploy_env env = ploy_env_default();
        ploy_crowd *crowd = crowd_start(t, 40, NULL, &env);
        for (int32_t i = 0; i < 40; i++) {
            ploy_vec2 at = {(float)(i % 7) * 6.0f, (float)(i / 7) * 6.0f};
            ploy_orca_agent agent = ploy_orca_agent_make(at, 0.0f, 0.0f, 0);
            agent.radius = ploy_rng_range(&rng, 0.2f, 0.6f);
            agent.max_speed = ploy_rng_range(&rng, 1.0f, 2.0f);
            agent.wanted = scene_near2(&rng, 1.5f);
            ploy_agent_id id;
            CHECK_OK(ploy_crowd_add(crowd, &agent, &id));
        }
        for (int32_t step = 0; step < 300; step++) {
            CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
            if (ploy_crowd_last(crowd).infeasible > 0) break;
            for (int32_t i = 0; i < 40; i++) {
                ploy_orca_agent a, b;
                CHECK_OK(ploy_crowd_get(crowd, ploy_crowd_id_at(crowd, i), &a));
                for (int32_t k = 0; k < i; k++) {
                    CHECK_OK(ploy_crowd_get(crowd, ploy_crowd_id_at(crowd, k), &b));
                    float gap = ploy_vec2_distance(a.position, b.position) - a.radius - b.radius;
                    CHECK(gap > -1e-3f * ploy_minf(a.radius, b.radius));
                    checked += gap < 0.02f;
                }
            }
        }
        ploy_crowd_destroy(crowd);
    }
    CHECK(checked > 100); // and some of them met
}

// A wall 1 m thick from x = -0.5 to 0.5, with a door from y = -1 to 1.
static const ploy_vec2 door_low[4] = {
    {-0.5f, -20.0f}, {0.5f, -20.0f}, {0.5f, -1.0f}, {-0.5f, -1.0f}};
static const ploy_vec2 door_high[4] = {{-0.5f, 1.0f}, {0.5f, 1.0f}, {0.5f, 20.0f}, {-0.5f, 20.0f}};
static const ploy_vec2 corridor[2][4] = {
    {{-40.0f, -6.0f}, {40.0f, -6.0f}, {40.0f, -4.0f}, {-40.0f, -4.0f}},
    {{-40.0f, 4.0f}, {40.0f, 4.0f}, {40.0f, 6.0f}, {-40.0f, 6.0f}}};

TEST(through_a_doorway_and_along_a_corridor_all_arrive) {
    for (int32_t scene = 0; scene < 2; scene++) {
        t->row = scene == 0 ? "doorway" : "corridor";
        static journey j;
        memset(&j, 0, sizeof j);
        ploy_orca_def def = ploy_orca_def_default();
        def.horizon = 2.0f;
        def.wall_horizon = 0.5f;
        ploy_env env = ploy_env_default();
        j.crowd = crowd_start(t, CROWD_MOST, &def, &env);
        j.near = scene == 0 ? 4.0f : 3.0f;
        if (scene == 0) {
            CHECK_OK(ploy_crowd_add_walls(j.crowd, door_low, 4));
            CHECK_OK(ploy_crowd_add_walls(j.crowd, door_high, 4));
        } else {
            for (int32_t k = 0; k < 2; k++) {
                CHECK_OK(ploy_crowd_add_walls(j.crowd, corridor[k], 4));
            }
        }
        for (int32_t i = 0; i < 60; i++) {
            float x = (float)(i / 6), y = (float)(i % 6) - 2.5f;
            if (scene == 0) {
                ploy_vec2 goal = {8.0f + x, y};
                journey_add(t, &j, ploy_vec2_make(-4.0f - 1.2f * x, 1.2f * y),
                            ploy_vec2_make(0.5f, 0.0f), goal, 0.35f, 1.5f);
            } else {
                float side = i % 2 == 0 ? 1.0f : -1.0f;
                ploy_vec2 goal = {side * (20.0f + x), y};
                journey_add(t, &j, ploy_vec2_make(-side * (20.0f + 1.2f * x), 1.2f * y), goal, goal,
                            0.35f, 1.5f);
            }
        }
        int32_t steps = 0, under_way = 60;
        for (; under_way > 0 && steps < 3000; steps++) {
            under_way = journey_step(t, &j, 0.1f, (uint64_t)steps);
            for (int32_t i = 0; i < j.count; i++) { // nobody walks through a wall
                ploy_orca_agent agent;
                CHECK_OK(ploy_crowd_get(j.crowd, j.id[i], &agent));
                if (scene == 0 && fabsf(agent.position.x) < 0.5f) {
                    CHECK(fabsf(agent.position.y) < 1.0f - 0.3f);
                } else if (scene == 1) {
                    CHECK(fabsf(agent.position.y) < 4.0f - 0.3f);
                }
            }
        }
        CHECK_INT(under_way, 0);
        ploy_crowd_destroy(j.crowd);
    }
}

TEST(two_agents_pass_each_other_in_a_doorway) {
    // Head on, both on the middle line, in a door two bodies and a half wide: both get through, on
    // different sides, without touching each other or the wall.
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        static journey j;
        memset(&j, 0, sizeof j);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_orca_def def = ploy_orca_def_default();
        def.horizon = 2.0f;
        def.wall_horizon = 0.3f;
        ploy_env env = ploy_env_default();
        j.crowd = crowd_start(t, CROWD_MOST, &def, &env);
        j.near = 1.0f;
        CHECK_OK(ploy_crowd_add_walls(j.crowd, door_low, 4));
        CHECK_OK(ploy_crowd_add_walls(j.crowd, door_high, 4));
        float off = seed == 0 ? 0.0f : ploy_rng_range(&rng, -0.5f, 0.5f);
        float start = ploy_rng_range(&rng, 4.0f, 8.0f), radius = 0.4f;
        journey_add(t, &j, ploy_vec2_make(-start, off), ploy_vec2_make(0.0f, 0.0f),
                    ploy_vec2_make(8.0f, off), radius, 1.5f);
        journey_add(t, &j, ploy_vec2_make(start, -off), ploy_vec2_make(0.0f, 0.0f),
                    ploy_vec2_make(-8.0f, -off), radius, 1.5f);
        int32_t steps = 0, together = 0;
        while (journey_step(t, &j, 0.05f, (uint64_t)steps) > 0 && steps < 800) {
            ploy_orca_agent a, b;
            CHECK_OK(ploy_crowd_get(j.crowd, j.id[0], &a));
            CHECK_OK(ploy_crowd_get(j.crowd, j.id[1], &b));
            CHECK(ploy_vec2_distance(a.position, b.position) > 2.0f * radius - 0.02f);
            CHECK(fabsf(a.position.x) > 0.5f || fabsf(a.position.y) < 1.0f - radius + 0.02f);
            CHECK(fabsf(b.position.x) > 0.5f || fabsf(b.position.y) < 1.0f - radius + 0.02f);
            together += fabsf(a.position.x) < 0.9f && fabsf(b.position.x) < 0.9f;
            steps++;
        }
        CHECK(steps < 800);
        if (seed == 0) CHECK(together > 0); // they did meet in the door
        ploy_crowd_destroy(j.crowd);
    }
}

// ---- the object ----

static ploy_result crowd_once(const ploy_env *env, void *arg) {
    ploy_crowd_def def = ploy_crowd_def_default();
    ploy_crowd *crowd = NULL;
    (void)arg;
    ploy_result result = ploy_crowd_create(&def, env, &crowd);
    if (result == PLOY_OK) result = ploy_crowd_add_walls(crowd, crowd_house, 6);
    if (result == PLOY_OK) result = ploy_crowd_add_walls(crowd, door_low, 4);
    ploy_crowd_destroy(crowd);
    return result;
}

TEST(create_and_walls_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(crowd_once, NULL);
}

TEST(ids_know_when_their_agent_is_gone) {
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_start(t, 3, NULL, &env);
    ploy_orca_agent agent = ploy_orca_agent_make(ploy_vec2_zero(), 0.5f, 2.0f, 99), got;
    ploy_agent_id a, b, c, d;
    CHECK_OK(ploy_crowd_add(crowd, &agent, &a));
    CHECK_OK(ploy_crowd_add(crowd, &agent, &b));
    CHECK_OK(ploy_crowd_add(crowd, &agent, &c));
    CHECK_INT(ploy_crowd_add(crowd, &agent, &d), PLOY_ERR_CAPACITY);
    CHECK_OK(ploy_crowd_remove(crowd, b));
    CHECK_INT(ploy_crowd_remove(crowd, b), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_crowd_get(crowd, b, &got), PLOY_ERR_NOT_FOUND);
    CHECK(ploy_id_is_none(ploy_crowd_id_at(crowd, 1).id));
    CHECK(ploy_id_is_none(ploy_crowd_id_at(crowd, 3).id));
    CHECK_OK(ploy_crowd_add(crowd, &agent, &d));
    CHECK_INT(d.id.index, b.id.index);
    CHECK_INT(ploy_crowd_set(crowd, b, &agent), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_crowd_set_wanted(crowd, b, agent.wanted), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_crowd_set_wanted(crowd, d, ploy_vec2_make(NAN, 0.0f)), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_crowd_get(crowd, d, &got));
    CHECK_UINT(got.number, d.id.index);
    agent.radius = NAN;
    CHECK_INT(ploy_crowd_set(crowd, d, &agent), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_add(crowd, &agent, &a), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_get(crowd, ploy_agent_id_none(), &got), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_crowd_count(crowd), 3);
    ploy_crowd_destroy(crowd);
    ploy_crowd_destroy(NULL);
}

TEST(what_is_wrong_is_refused_and_changes_nothing) {
    ploy_env env = ploy_env_default();
    ploy_crowd_def def = ploy_crowd_def_default();
    ploy_crowd *crowd = NULL;
    def.capacity = 0;
    CHECK_INT(ploy_crowd_create(&def, &env, &crowd), PLOY_ERR_ARGUMENT);
    def = ploy_crowd_def_default();
    def.avoid.range = NAN;
    CHECK_INT(ploy_crowd_create(&def, &env, &crowd), PLOY_ERR_ARGUMENT);
    CHECK(crowd == NULL);
    crowd = crowd_start(t, 8, NULL, &env);
    CHECK_INT(ploy_crowd_set_def(crowd, &def), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_step(crowd, 1.5f, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_step(crowd, NAN, NULL), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_crowd_step(crowd, 0.0f, NULL)); // nobody is there
    ploy_vec2 twice[3] = {{0.0f, 0.0f}, {0.0f, 0.0f}, {1.0f, 0.0f}};
    CHECK_INT(ploy_crowd_add_walls(crowd, twice, 3), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_add_walls(crowd, twice, 1), PLOY_ERR_ARGUMENT);
    twice[1].x = INFINITY;
    CHECK_INT(ploy_crowd_add_walls(crowd, twice, 3), PLOY_ERR_ARGUMENT);
    int32_t walls = -1;
    ploy_crowd_walls(crowd, &walls);
    CHECK_INT(walls, 0);
    ploy_orca_result out;
    CHECK_INT(ploy_crowd_find(crowd, ploy_agent_id_none(), 0.1f, NULL, &out), PLOY_ERR_NOT_FOUND);
    ploy_crowd_destroy(crowd);
}

TEST(requests_of_all_at_once_are_those_one_by_one) {
    ploy_rng rng = ploy_rng_make(4);
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_start(t, 20, NULL, &env);
    ploy_agent_id ids[20];
    ploy_vec2 wanted[20];
    for (int32_t i = 0; i < 20; i++) {
        ploy_orca_agent agent = crowd_agent(&rng, 8.0f);
        wanted[i] = scene_near2(&rng, 2.0f);
        CHECK_OK(ploy_crowd_add(crowd, &agent, &ids[i]));
    }
    CHECK_OK(ploy_crowd_remove(crowd, ids[3]));
    ploy_points view = ploy_points_make(wanted, 20);
    CHECK_OK(ploy_crowd_set_wanted_all(crowd, &view));
    ploy_kinematics agents = ploy_crowd_agents(crowd);
    CHECK_INT(agents.count, 20);
    for (int32_t i = 0; i < 20; i++) {
        ploy_orca_agent got;
        if (i == 3) continue;
        CHECK_OK(ploy_crowd_get(crowd, ids[i], &got));
        CHECK_BYTES(&got.wanted, &wanted[i], sizeof got.wanted);
        ploy_kinematic seen = ploy_kinematics_get(&agents, i);
        CHECK_BYTES(&got.position, &seen.position, sizeof got.position);
        CHECK_BYTES(&got.velocity, &seen.velocity, sizeof got.velocity);
    }
    wanted[0].x = 9.0f;
    wanted[7].y = INFINITY;
    CHECK_INT(ploy_crowd_set_wanted_all(crowd, &view), PLOY_ERR_ARGUMENT);
    ploy_orca_agent first;
    CHECK_OK(ploy_crowd_get(crowd, ids[0], &first));
    CHECK(first.wanted.x != 9.0f); // nothing was changed
    view.count = 19;
    CHECK_INT(ploy_crowd_set_wanted_all(crowd, &view), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_set_wanted_all(crowd, NULL), PLOY_ERR_ARGUMENT);
    ploy_crowd_destroy(crowd);
}

TEST(find_tells_what_the_next_step_will_do) {
    ploy_rng rng = ploy_rng_make(4);
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_start(t, 200, NULL, &env);
    ploy_agent_id ids[200];
    for (int32_t i = 0; i < 200; i++) {
        ploy_orca_agent agent = crowd_agent(&rng, 8.0f);
        CHECK_OK(ploy_crowd_add(crowd, &agent, &ids[i]));
    }
    CHECK_OK(ploy_crowd_add_walls(crowd, crowd_house, 6));
    ploy_orca_result want[200];
    ploy_orca_line lines[PLOY_ORCA_LINES_MAX];
    for (int32_t i = 0; i < 200; i++) {
        CHECK_OK(ploy_crowd_find(crowd, ids[i], 0.1f, lines, &want[i]));
        for (int32_t k = want[i].walls; k < want[i].lines; k++) {
            CHECK(lines[k].index != i && lines[k].index >= 0 && lines[k].index < 200);
        }
    }
    CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
    for (int32_t i = 0; i < 200; i++) {
        ploy_orca_agent got;
        CHECK_OK(ploy_crowd_get(crowd, ids[i], &got));
        CHECK_BYTES(&got.velocity, &want[i].velocity, sizeof got.velocity);
    }
    scene_told told;
    ploy_draw draw = scene_draw(&told);
    ploy_crowd_draw(crowd, &draw);
    CHECK_INT(told.items, 6 + 2 * 200);
    ploy_crowd_destroy(crowd);
}

static uint64_t crowd_hash(const ploy_crowd *crowd) {
    ploy_hash_sink sink;
    ploy_hash_sink_init(&sink);
    ploy_describe out = ploy_hash_sink_describe(&sink);
    ploy_crowd_describe(crowd, &out);
    return ploy_hash_sink_result(&sink);
}

TEST(describe_hashes_every_agent_wall_and_setting) {
    ploy_rng rng = ploy_rng_make(4);
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_start(t, 300, NULL, &env);
    ploy_agent_id ids[300];
    uint64_t last = crowd_hash(crowd);
    for (int32_t i = 0; i < 300; i++) {
        ploy_orca_agent agent = crowd_agent(&rng, 8.0f);
        CHECK_OK(ploy_crowd_add(crowd, &agent, &ids[i]));
        uint64_t now = crowd_hash(crowd);
        CHECK(now != last);
        last = now;
    }
    for (int32_t i = 0; i < 300; i += 299) { // one that is told, one in the rest
        ploy_orca_agent agent;
        CHECK_OK(ploy_crowd_get(crowd, ids[i], &agent));
        float *const numbers[] = {&agent.position.x, &agent.velocity.y, &agent.wanted.x,
                                  &agent.radius,     &agent.max_speed,  &agent.responsibility};
        for (size_t k = 0; k < COUNT_OF(numbers); k++) {
            *numbers[k] += 0.25f;
            CHECK_OK(ploy_crowd_set(crowd, ids[i], &agent));
            CHECK(crowd_hash(crowd) != last);
            last = crowd_hash(crowd);
        }
    }
    CHECK_OK(ploy_crowd_add_walls(crowd, crowd_house, 6));
    CHECK(crowd_hash(crowd) != last);
    last = crowd_hash(crowd);
    ploy_crowd_def def = ploy_crowd_def_default();
    def.avoid.horizon = 2.5f;
    def.moves = false;
    CHECK_OK(ploy_crowd_set_def(crowd, &def));
    CHECK(crowd_hash(crowd) != last);
    ploy_orca_agent before, after;
    CHECK_OK(ploy_crowd_get(crowd, ids[0], &before));
    CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
    CHECK_OK(ploy_crowd_get(crowd, ids[0], &after));
    CHECK_BYTES(&after.position, &before.position, sizeof after.position); // the game moves them
    CHECK(!ploy_vec2_equal(after.velocity, before.velocity));
    ploy_crowd_destroy(crowd);
}

TEST(bodies_of_all_at_once_are_those_one_by_one) {
    ploy_rng rng = ploy_rng_make(9);
    ploy_env env = ploy_env_default();
    ploy_crowd *many = crowd_start(t, 20, NULL, &env), *single = crowd_start(t, 20, NULL, &env);
    ploy_crowd_def def = ploy_crowd_def_default();
    def.moves = false;
    CHECK_OK(ploy_crowd_set_def(many, &def));
    CHECK_OK(ploy_crowd_set_def(single, &def));
    ploy_agent_id ids[2][20];
    for (int32_t i = 0; i < 20; i++) {
        ploy_orca_agent agent = crowd_agent(&rng, 8.0f);
        CHECK_OK(ploy_crowd_add(many, &agent, &ids[0][i]));
        CHECK_OK(ploy_crowd_add(single, &agent, &ids[1][i]));
    }
    ploy_vec2 places[20], speeds[20];
    for (int32_t step = 0; step < 30; step++) {
        CHECK_OK(ploy_crowd_step(many, 0.1f, NULL));
        CHECK_OK(ploy_crowd_step(single, 0.1f, NULL));
        for (int32_t i = 0; i < 20; i++) { // a physics that lets half of the speed through
            ploy_orca_agent agent;
            CHECK_OK(ploy_crowd_get(single, ids[1][i], &agent));
            agent.velocity = ploy_vec2_scale(agent.velocity, 0.5f);
            agent.position = ploy_vec2_add_scaled(agent.position, agent.velocity, 0.1f);
            places[i] = agent.position;
            speeds[i] = agent.velocity;
            CHECK_OK(ploy_crowd_set(single, ids[1][i], &agent));
        }
        ploy_points bodies = ploy_points_make(places, 20), moving = ploy_points_make(speeds, 20);
        CHECK_OK(ploy_crowd_set_bodies(many, &bodies, &moving));
        CHECK(crowd_hash(many) == crowd_hash(single));
    }
    ploy_points bodies = ploy_points_make(places, 20), moving = ploy_points_make(speeds, 20);
    uint64_t before = crowd_hash(many);
    CHECK_OK(ploy_crowd_set_bodies(many, &bodies, NULL)); // velocities stay
    CHECK(crowd_hash(many) == before);
    places[3].x += 1.0f;
    speeds[19].y = NAN;
    CHECK_INT(ploy_crowd_set_bodies(many, &bodies, &moving), PLOY_ERR_ARGUMENT);
    places[4].x = 2e9f;
    CHECK_INT(ploy_crowd_set_bodies(many, &bodies, NULL), PLOY_ERR_ARGUMENT);
    bodies.count = 19;
    CHECK_INT(ploy_crowd_set_bodies(many, &bodies, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_crowd_set_bodies(many, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK(crowd_hash(many) == before); // nothing was changed
    ploy_crowd_destroy(many);
    ploy_crowd_destroy(single);
}

static ploy_crowd *crowd_full(test_context *t, const ploy_env *env, int32_t steps) {
    ploy_crowd_def def = ploy_crowd_def_default();
    def.capacity = 12;
    ploy_crowd *crowd = NULL;
    CHECK_OK(ploy_crowd_create(&def, env, &crowd));
    ploy_agent_id ids[8];
    for (int32_t i = 0; i < 8; i++) {
        ploy_orca_agent agent =
            ploy_orca_agent_make(ploy_vec2_make((float)(i % 4), (float)(i / 4)), 0.4f, 2.0f, 0);
        agent.wanted = ploy_vec2_make(i % 2 == 0 ? 1.0f : -1.0f, 0.5f);
        CHECK_OK(ploy_crowd_add(crowd, &agent, &ids[i]));
    }
    CHECK_OK(ploy_crowd_remove(crowd, ids[2]));
    CHECK_OK(ploy_crowd_remove(crowd, ids[5]));
    for (int32_t i = 0; i < steps; i++) CHECK_OK(ploy_crowd_step(crowd, 0.1f, NULL));
    return crowd;
}

TEST(a_crowd_saves_and_loads_with_its_ids) {
    static const char *const skip[] = {"generation", "free", NULL};
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_crowd *a = crowd_full(t, &env, 9);
    state_check s = {ploy_crowd_visit, a, NULL, skip, NULL};
    state_check_memory(t, &s, &counts);
    state_check_all(t, &s);
    ploy_crowd *b = crowd_full(t, &env, 0);
    state_check_copy(t, &s, b);
    for (int32_t i = 0; i < 20; i++) {
        CHECK_OK(ploy_crowd_step(a, 0.1f, NULL));
        CHECK_OK(ploy_crowd_step(b, 0.1f, NULL));
        CHECK_UINT(ploy_visit_hash(ploy_crowd_visit, b, NULL), state_hash(&s));
    }
    ploy_orca_agent late = ploy_orca_agent_make(ploy_vec2_make(9, 9), 0.4f, 2.0f, 0);
    ploy_agent_id one, two;
    CHECK_OK(ploy_crowd_add(a, &late, &one));
    CHECK_OK(ploy_crowd_add(b, &late, &two));
    CHECK(ploy_id_equal(one.id, two.id));
    ploy_crowd_destroy(a);
    ploy_crowd_destroy(b);
}

TEST(a_crowd_refuses_a_file_with_other_walls) {
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_full(t, &env, 3);
    state_check s = {ploy_crowd_visit, crowd, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    char *at = strstr(text, "\"walls\":0");
    CHECK(at != NULL);
    at[8] = '3';
    int64_t faults = 0;
    CHECK_INT(state_load(&s, text, &env, &faults), PLOY_ERR_FORMAT);
    CHECK_INT(faults, 1);
    free(text);
    ploy_crowd_destroy(crowd);
}

TEST(a_crowd_refuses_a_file_with_another_capacity) {
    ploy_env env = ploy_env_default();
    ploy_crowd *crowd = crowd_full(t, &env, 3);
    state_check s = {ploy_crowd_visit, crowd, NULL, NULL, NULL};
    char *text = state_save(t, &s);
    char *at = strstr(strstr(text, "\"def\":"), "\"capacity\":");
    at[strlen("\"capacity\":")] = '9';
    int64_t faults = 0;
    CHECK_INT(state_load(&s, text, &env, &faults), PLOY_ERR_FORMAT);
    CHECK_INT(faults, 1);
    free(text);
    ploy_crowd_destroy(crowd);
}
