// A dog that pens a flock: flocking and evasion on one side, driving on the other.
#include "ploy/move/arrive.h"
#include "ploy/move/flock.h"
#include "ploy/move/integrate.h"
#include "ploy/move/pursue.h"
#include "tests/move/scene.h"
#include "tests/move/vectors.h"

enum { SHEEP = 20 };

typedef struct meadow {
    ploy_flock *flock;
    ploy_flock_def rules;
    ploy_kinematic sheep[SHEEP];
    ploy_steering steerings[SHEEP];
    ploy_kinematic dog;
    ploy_vec2 pen;
} meadow;

static ploy_vec2 meadow_middle(const meadow *m) {
    ploy_vec2 middle = {0.0f, 0.0f};
    for (int i = 0; i < SHEEP; i++) {
        middle = ploy_vec2_add_scaled(middle, m->sheep[i].position, 1.0f / SHEEP);
    }
    return middle;
}

// How many sheep are within so many metres of the pen's middle.
static int meadow_penned(const meadow *m, float within) {
    int count = 0;
    for (int i = 0; i < SHEEP; i++) {
        count += ploy_vec2_distance(m->sheep[i].position, m->pen) < within;
    }
    return count;
}

// The dog goes behind the sheep that strays most, seen from the middle, and brings it back; with all
// together it goes behind the flock, as seen from the pen. It circles round instead of running through.
static ploy_vec2 meadow_dog_goal(const meadow *m) {
    ploy_vec2 middle = meadow_middle(m), stray = middle;
    float most = 5.0f;
    for (int i = 0; i < SHEEP; i++) {
        float away = ploy_vec2_distance(m->sheep[i].position, middle);
        if (away <= most) continue;
        most = away;
        stray = m->sheep[i].position;
    }
    bool strays = most > 5.0f;
    ploy_vec2 from = strays ? middle : m->pen, behind = ploy_vec2_sub(stray, from);
    ploy_vec2 goal = ploy_vec2_add(stray, ploy_vec2_with_length(behind, strays ? 2.0f : 4.0f));
    ploy_vec2 off = ploy_vec2_sub(m->dog.position, middle), to = ploy_vec2_sub(goal, middle);
    // On the wrong side: along a circle round the flock first.
    if (ploy_vec2_dot(off, to) < 0.0f) {
        float side = ploy_vec2_cross(off, to) >= 0.0f ? 1.0f : -1.0f;
        ploy_vec2 round = ploy_vec2_rotate(ploy_vec2_with_length(off, most + 6.0f), side * 0.6f);
        return ploy_vec2_add(middle, round);
    }
    return goal;
}

static void meadow_step(test_context *t, meadow *m) {
    const float dt = 1.0f / 60.0f;
    ploy_evade_def evade = ploy_evade_def_default();
    evade.threat_range = 6.0f;
    ploy_integrate_def grazing = ploy_integrate_def_default(), running = grazing;
    grazing.max_speed = 3.0f;
    grazing.drag = 1.5f; // sheep that the dog leaves alone stand still
    running.max_speed = 6.0f;
    ploy_kinematics view = ploy_kinematics_of(m->sheep, SHEEP);
    ploy_steerings out = ploy_steerings_of(m->steerings, SHEEP);
    CHECK_OK(ploy_flock_update(m->flock, &view));
    CHECK_OK(ploy_flock_step_all(m->flock, NULL, &out));
    for (int i = 0; i < SHEEP; i++) {
        ploy_steering away = ploy_evade(&evade, m->sheep[i], m->dog);
        ploy_steering both = ploy_steering_add(m->steerings[i], away);
        m->sheep[i] = ploy_integrate(&grazing, m->sheep[i], both, dt);
    }
    ploy_arrive_def arrive = ploy_arrive_def_default();
    arrive.max_speed = 6.0f;
    arrive.slow_radius = 1.0f;
    ploy_steering run = ploy_arrive(&arrive, m->dog, meadow_dog_goal(m));
    m->dog = ploy_integrate(&running, m->dog, run, dt);
}

TEST(the_dog_pens_the_flock) {
    // STE-31, with a dog that drives by itself.
    for (int64_t seed = 0; seed < test_rounds(10); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_env env = ploy_env_default();
        meadow m;
        m.rules = ploy_flock_def_default();
        m.rules.view = PLOY_VIEW_ALL;
        m.rules.radius = 10.0f;
        m.rules.separation_radius = 1.5f;
        m.rules.cohesion_weight = 0.6f;
        m.pen = ploy_vec2_make(40.0f, 0.0f);
        CHECK_OK(ploy_flock_create(&m.rules, SHEEP, &env, &m.flock));
        for (int i = 0; i < SHEEP; i++) {
            m.sheep[i] = ploy_kinematic_make(scene_near2(&rng, 8.0f), 0.0f);
            m.steerings[i] = ploy_steering_none();
        }
        m.dog = ploy_kinematic_make(ploy_vec2_make(20.0f, 20.0f), 0.0f); // on the wrong side
        CHECK_INT(meadow_penned(&m, 8.0f), 0);
        int tick = 0;
        for (; tick < 60 * 180 && meadow_penned(&m, 8.0f) < SHEEP; tick++) meadow_step(t, &m);
        CHECK_INT(meadow_penned(&m, 8.0f), SHEEP);
        ploy_flock_destroy(m.flock);
    }
}

TEST(without_a_dog_the_flock_stays_where_it_is) {
    // Otherwise the test above would prove nothing.
    ploy_rng rng = ploy_rng_make(1);
    ploy_env env = ploy_env_default();
    meadow m;
    m.rules = ploy_flock_def_default();
    m.pen = ploy_vec2_make(40.0f, 0.0f);
    CHECK_OK(ploy_flock_create(&m.rules, SHEEP, &env, &m.flock));
    for (int i = 0; i < SHEEP; i++) {
        m.sheep[i] = ploy_kinematic_make(scene_near2(&rng, 8.0f), 0.0f);
        m.steerings[i] = ploy_steering_none();
    }
    for (int tick = 0; tick < 60 * 30; tick++) {
        m.dog = ploy_kinematic_make(ploy_vec2_make(-1000.0f, 0.0f), 0.0f);
        meadow_step(t, &m);
    }
    CHECK(ploy_vec2_length(meadow_middle(&m)) < 10.0f);
    CHECK_INT(meadow_penned(&m, 8.0f), 0);
    ploy_flock_destroy(m.flock);
}
