#include "decide/decide_internal.h"
#include "ploy/decide/hacks.h"

#include "tests/test.h"

// ENG-09: behaviors by their probabilities, and the last one less likely.
TEST(weights_are_frequencies) {
    static const float weights[] = {1, 0, 3, NAN, -2};
    ploy_rng_key key = ploy_rng_key_make(5);
    ploy_agent_id agent = ploy_agent_id_make(2, 1);
    int32_t counts[5] = {0}, repeats = 0, last = -1;
    for (uint64_t tick = 0; tick < 8000; tick++) {
        int32_t picked = ployi_pick_weighted(weights, 5, -1, 1, key, agent, tick);
        CHECK(picked == 0 || picked == 2);
        counts[picked]++;
        int32_t next = ployi_pick_weighted(weights, 5, last, 0, key, agent, tick);
        repeats += next == last;
        last = next;
    }
    CHECK_NEAR(counts[2], 6000, 150); // four deviations
    CHECK_INT(repeats, 0);
    CHECK_INT(ployi_pick_weighted(weights + 1, 1, -1, 1, key, agent, 0), -1);
    CHECK_INT(ployi_pick_weighted(weights, 0, -1, 1, key, agent, 0), -1);
}

// ENG-09: it homes in, and now and then steps aside, both ways, for as long as the def says.
TEST(a_sidestepper_dodges_and_arrives) {
    CHECK_OK(ploy_fields_check_table(ploy_sidestep_fields(), NULL));
    ploy_sidestep_def def = ploy_sidestep_def_default();
    ploy_sidestep state = {0, 0, 0};
    ploy_rng_key key = ploy_rng_key_make(9);
    ploy_agent_id agent = ploy_agent_id_make(1, 1);
    ploy_vec2 at = {0, 0}, target = {200, 0};
    int32_t left = 0, right = 0, straight = 0, run = 0;
    const float dt = 0.05f;
    for (uint64_t tick = 0; tick < 1200; tick++) {
        ploy_vec2 v = ploy_sidestep_step(&def, &state, at, target, dt, key, agent, tick);
        ploy_vec2 way = ploy_vec2_sub(target, at);
        float toward = ploy_vec2_dot(v, way) / ploy_vec2_length(way);
        CHECK_NEAR(toward, def.speed, 1e-3); // never slower ahead
        float aside = ploy_vec2_cross(way, v);
        bool dodges = ploy_vec2_length(v) > def.speed * 1.01f;
        left += dodges && aside > 0;
        right += dodges && aside < 0;
        straight += !dodges;
        run = dodges ? run + 1 : 0;
        CHECK(run <= 8); // 0.4 s
        at = ploy_vec2_add(at, ploy_vec2_scale(v, dt));
    }
    CHECK(left > 20 && right > 20 && straight > 600);
    CHECK(ploy_vec2_length(ploy_vec2_sub(target, at)) < 21);
    ploy_vec2 stay = ploy_sidestep_step(&def, &state, target, target, dt, key, agent, 0);
    CHECK_SAME(stay.x, 0);
    CHECK_SAME(stay.y, 0);
}

// ENG-09: a table from triggers to animations, with a pause after each.
TEST(a_gesture_plays_at_its_moment_and_then_pauses) {
    ploy_name passed = ploy_name_of("rival passed"), fist = ploy_name_of("shake fist");
    ploy_name stamp = ploy_name_of("stamp foot"), rub = ploy_name_of("rub temple");
    const ploy_gesture rows[] = {
        {passed, fist, 5, 1}, {passed, stamp, 1, 1}, {ploy_name_of("long day"), rub, 0, 0.5f}};
    double ready[3] = {0, 0, 0};
    ploy_rng_key key = ploy_rng_key_make(1);
    ploy_agent_id agent = ploy_agent_id_make(1, 1);
    const struct {
        double now;
        ploy_name want;
    } steps[] = {{0, fist}, {0.5, stamp}, {1, {0}}, {1.5, stamp}, {4.9, stamp}, {5, fist}};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        ploy_name got =
            ploy_gesture_find(rows, 3, ready, passed, steps[i].now, key, agent, (uint64_t)i);
        CHECK_UINT(got.hash, steps[i].want.hash);
    }
    int32_t rubbed = 0;
    for (uint64_t tick = 0; tick < 2000; tick++) {
        ploy_name got =
            ploy_gesture_find(rows, 3, ready, ploy_name_of("long day"), 9, key, agent, tick);
        rubbed += ploy_name_equal(got, rub);
    }
    CHECK_NEAR(rubbed, 1000, 90);
    CHECK(ploy_name_is_none(
        ploy_gesture_find(rows, 3, ready, ploy_name_of("rain"), 9, key, agent, 0)));
}
