// Driving through traffic.
#include "path/path_internal.h"
#include "ploy/base/rng.h"
#include "ploy/path/lanes.h"
#include "tests/draw_count.h"
#include "tests/test.h"

TEST(coming_up_behind_a_car_takes_the_time_of_the_closed_form) { // PTH-45
    static const struct {
        const char *row;
        double gap, speed, lead, max_speed;
        bool can;
        double seconds, peak;
    } rows[] = {
        {"no limit", 20, 10, 15, 1000, true, 6.5826, 24.832},
        {"a limit", 20, 10, 15, 20, true, 7.75, 20},
        {"too late", 5, 25, 15, 1000, false, 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_lane_profile profile;
        bool can = ployi_lane_follow(rows[i].gap, rows[i].speed, rows[i].lead, rows[i].max_speed, 3,
                                     6, &profile);
        CHECK(can == rows[i].can);
        if (!can) continue;
        double seconds = profile.rise + profile.hold + profile.fall, speed = 0;
        CHECK_NEAR(seconds, rows[i].seconds, 1e-3);
        CHECK_NEAR(profile.peak, rows[i].peak, 1e-3);
        double at = ploy_lane_profile_at(&profile, seconds, &speed);
        CHECK_NEAR(at, rows[i].gap + rows[i].lead * seconds, 1e-6);
        CHECK_NEAR(speed, rows[i].lead, 1e-9);
    }
}

// Drives a plan in small steps: never within a car's length of another in a lane it is in.
static double check_drive(test_context *t, const ploy_lanes_def *def, const ploy_lane_piece *pieces,
                          int32_t count, const ploy_lane_car *cars, int32_t car_count) {
    double time = 0, at = pieces[0].position;
    int32_t lane = pieces[0].from_lane;
    for (int32_t i = 0; i < count; i++) {
        const ploy_lane_piece *piece = &pieces[i];
        CHECK_NEAR(piece->begin, time, 1e-9);
        CHECK_NEAR(piece->position, at, 1e-6);
        CHECK_INT(piece->from_lane, lane);
        for (int32_t k = 0; k <= 50; k++) {
            double dt = (piece->end - piece->begin) * k / 50.0, speed = 0;
            double x = piece->position + ploy_lane_profile_at(&piece->profile, dt, &speed);
            CHECK(speed >= -1e-9 && speed <= def->max_speed + 1e-9);
            for (int32_t c = 0; c < car_count; c++) {
                if (cars[c].lane != piece->from_lane && cars[c].lane != piece->to_lane) continue;
                double other = cars[c].position + cars[c].speed * (piece->begin + dt);
                CHECK(fabs(other - x) >= def->car_length - 1e-3);
            }
        }
        time = piece->end;
        lane = piece->to_lane;
        at = piece->position +
             ploy_lane_profile_at(&piece->profile, piece->end - piece->begin, NULL);
    }
    return at;
}

TEST(plans_touch_nobody_and_an_empty_road_is_driven_at_full_speed) {
    ploy_env env = ploy_env_default();
    ploy_lanes_def def = ploy_lanes_def_default();
    CHECK_OK(ploy_fields_check_table(ploy_lanes_fields(), NULL));
    def.max_states = 2000;
    ploy_lanes *lanes = NULL;
    CHECK_OK(ploy_lanes_create(&def, &env, &lanes));
    ploy_lane_piece pieces[64];
    ploy_lane_car me = {0, 30, 1, 0};
    double seconds = 0;
    CHECK_OK(ploy_lanes_begin(lanes, NULL, 0, &me, 150));
    CHECK_OK(ploy_lanes_step(lanes, NULL));
    CHECK_INT(ploy_lanes_plan(lanes, pieces, 64, &seconds), 1);
    CHECK_NEAR(seconds, 5, 1e-9);
    int32_t found = 0, changed = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_lane_car cars[12];
        int32_t count = 0;
        for (int32_t lane = 0; lane < 3; lane++) { // in a lane all as fast: nobody hits another
            double speed = (double)ploy_rng_range(&rng, 8, 20),
                   at = (double)ploy_rng_range(&rng, 10, 40);
            for (int32_t i = 0; i < 3; i++) {
                ploy_lane_car car = {at, speed, lane, 0};
                cars[count++] = car;
                at += (double)ploy_rng_range(&rng, 12, 60);
            }
        }
        me.speed = (double)ploy_rng_range(&rng, 5, 15);
        CHECK_OK(ploy_lanes_begin(lanes, cars, count, &me, 200));
        CHECK_OK(ploy_lanes_step(lanes, NULL));
        if (ployi_lanes_outcome(lanes) != PLOY_SEARCH_FOUND) continue;
        int32_t made = ploy_lanes_plan(lanes, pieces, 64, &seconds);
        CHECK(made > 0 && made <= 64);
        double end = check_drive(t, &def, pieces, made, cars, count);
        const ploy_lane_piece *last = &pieces[made - 1];
        // Who is changing lanes at the goal ends when that is done.
        double over =
            last->action == PLOY_LANE_CHANGE ? last->profile.speed * def.change_seconds : 0;
        CHECK(end > 200 - 1e-5 && end < 200 + over + 1e-5);
        CHECK_NEAR(pieces[made - 1].end, seconds, 1e-6);
        found++;
        changed += made > 1;
    }
    CHECK(found > 40);
    CHECK(changed > 20);
    ploy_lanes_destroy(lanes);
}

TEST(two_gaps_are_dodged_through) { // a slow car ahead, another in the next lane further on
    ploy_env env = ploy_env_default();
    ploy_lanes_def def = ploy_lanes_def_default();
    ploy_lanes *lanes = NULL;
    CHECK_OK(ploy_lanes_create(&def, &env, &lanes));
    ploy_lane_car cars[2] = {{40, 5, 0, 0}, {90, 5, 1, 0}}, me = {0, 20, 0, 0};
    ploy_lane_piece pieces[16];
    CHECK_OK(ploy_lanes_begin(lanes, cars, 2, &me, 250));
    CHECK_OK(ploy_lanes_step(lanes, NULL));
    int32_t count = ploy_lanes_plan(lanes, pieces, 16, NULL), changes = 0;
    CHECK(count > 0);
    for (int32_t i = 0; i < count; i++) changes += pieces[i].action == PLOY_LANE_CHANGE;
    CHECK(changes >= 2);
    (void)check_drive(t, &def, pieces, count, cars, 2);
    me.lane = 7;
    CHECK_INT(ploy_lanes_begin(lanes, cars, 2, &me, 250), PLOY_ERR_ARGUMENT);
    ploy_lanes_destroy(lanes);
}

// Two lanes of our own (0, 1) and two of oncoming traffic (2, 3).
static int32_t two_way_traffic(ploy_rng *rng, ploy_lane_car *cars) {
    int32_t count = 0;
    for (int32_t lane = 0; lane < 4; lane++) { // in a lane all as fast: none hits another
        double speed = (double)ploy_rng_range(rng, 4, 14) * (lane < 2 ? 1 : -1);
        double at = (double)ploy_rng_range(rng, 12, 40);
        for (int32_t i = 0; i < 4; i++) {
            ploy_lane_car car = {at, speed, lane, 0};
            cars[count++] = car;
            at += (double)ploy_rng_range(rng, 20, 90);
        }
    }
    return count;
}

TEST(oncoming_cars_are_passed_and_never_met) { // PTH-45: negative speeds, unsafe opportunities
    ploy_env env = ploy_env_default();
    ploy_lane_piece pieces[64];
    int32_t found = 0, used = 0, faster = 0;
    for (int64_t seed = 0; seed < test_rounds(60); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_lane_car cars[16], me = {0, 12, 1, 0};
        int32_t count = two_way_traffic(&rng, cars);
        double seconds[2] = {0, 0};
        for (int32_t unsafe = 0; unsafe < 2; unsafe++) {
            ploy_lanes_def def = ploy_lanes_def_default();
            def.lanes = 4;
            def.max_states = 4000;
            def.unsafe = unsafe == 1;
            ploy_lanes *lanes = NULL;
            CHECK_OK(ploy_lanes_create(&def, &env, &lanes));
            CHECK_OK(ploy_lanes_begin(lanes, cars, count, &me, 150));
            CHECK_OK(ploy_lanes_step(lanes, NULL));
            int32_t made = ploy_lanes_plan(lanes, pieces, 64, &seconds[unsafe]);
            if (made > 0) {
                found++;
                CHECK(check_drive(t, &def, pieces, made, cars, count) > 150 - 1e-5);
                for (int32_t i = 0; i < made; i++) used += pieces[i].to_lane >= 2;
            }
            ploy_lanes_destroy(lanes);
        }
        if (!(seconds[0] > 0) || !(seconds[1] > 0)) continue;
        CHECK(seconds[1] <= seconds[0] + 1e-9); // it has all choices of the other
        faster += seconds[1] < seconds[0] - 1e-3;
    }
    CHECK(found > 80);
    CHECK(used > 5);
    CHECK(faster > 5);
}

TEST(a_parked_car_is_overtaken_after_the_oncoming_one) { // two lanes, one each way
    ploy_env env = ploy_env_default();
    ploy_lanes_def def = ploy_lanes_def_default();
    def.lanes = 2;
    ploy_lanes *lanes = NULL;
    CHECK_OK(ploy_lanes_create(&def, &env, &lanes));
    ploy_lane_car cars[2] = {{60, 0, 0, 0}, {110, -10, 1, 0}}, me = {0, 10, 0, 0};
    ploy_lane_piece pieces[16];
    CHECK_OK(ploy_lanes_begin(lanes, cars, 2, &me, 150));
    CHECK_OK(ploy_lanes_step(lanes, NULL));
    int32_t count = ploy_lanes_plan(lanes, pieces, 16, NULL), changes = 0;
    CHECK(count > 0 && count <= 16);
    (void)check_drive(t, &def, pieces, count, cars, 2);
    for (int32_t i = 0; i < count; i++) {
        if (pieces[i].action != PLOY_LANE_CHANGE || changes++ > 0) continue;
        double oncoming = cars[1].position + cars[1].speed * pieces[i].begin;
        CHECK(oncoming <= pieces[i].position - def.car_length + 1e-3);
    }
    CHECK(changes >= 1);
    me.speed = -10;
    CHECK_INT(ploy_lanes_begin(lanes, cars, 2, &me, 150), PLOY_ERR_ARGUMENT);
    ploy_lanes_destroy(lanes);
}

TEST(a_near_miss_costs) { // PTH-45
    ploy_env env = ploy_env_default();
    double gap[2] = {0, 0}, seconds[2] = {0, 0};
    for (int32_t i = 0; i < 2; i++) {
        ploy_lanes_def def = ploy_lanes_def_default();
        def.miss_distance = 20;
        def.miss_cost = i == 0 ? 0 : 30;
        ploy_lanes *lanes = NULL;
        CHECK_OK(ploy_lanes_create(&def, &env, &lanes));
        ploy_lane_car cars[2] = {{40, 5, 0, 0}, {60, 12, 1, 0}}, me = {0, 25, 0, 0};
        ploy_lane_piece pieces[16];
        CHECK_OK(ploy_lanes_begin(lanes, cars, 2, &me, 300));
        CHECK_OK(ploy_lanes_step(lanes, NULL));
        int32_t count = ploy_lanes_plan(lanes, pieces, 16, &seconds[i]);
        CHECK(count > 0 && count <= 16);
        (void)check_drive(t, &def, pieces, count, cars, 2);
        gap[i] = pieces[0].gap;
        for (int32_t k = 0; k < count; k++) {
            if (pieces[k].gap < gap[i]) gap[i] = pieces[k].gap;
            CHECK_NEAR(pieces[count - 1].end, seconds[i], 1e-9);
            CHECK(i == 1 || fabs(pieces[k].cost - (pieces[k].end - pieces[k].begin)) < 1e-12);
        }
        ploy_lanes_destroy(lanes);
    }
    CHECK(gap[1] > gap[0] + 1);     // more distance,
    CHECK(seconds[1] > seconds[0]); // bought with time
}

static ploy_result drive_small(const ploy_env *env, void *arg) {
    ploy_lanes_def def = ploy_lanes_def_default();
    ploy_lanes *lanes = NULL;
    ploy_lane_car car = {40, 5, 0, 0}, me = {0, 20, 0, 0};
    (void)arg;
    ploy_result result = ploy_lanes_create(&def, env, &lanes);
    if (result == PLOY_OK) result = ploy_lanes_begin(lanes, &car, 1, &me, 100);
    if (result == PLOY_OK) result = ploy_lanes_step(lanes, NULL);
    if (result == PLOY_OK) {
        draw_count drawn;
        ploy_draw out = draw_count_sink(&drawn);
        ploy_lanes_draw(lanes, 3.0f, &out);
        if (drawn.items == 0 || drawn.broken) result = PLOY_ERR_STATE;
    }
    TEST_REPORT(result, env, lanes, ploy_lanes_memory);
    ploy_lanes_destroy(lanes);
    return result;
}

TEST(lanes_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(drive_small, NULL);
}
