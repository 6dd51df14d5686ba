// Formations: FRM-04 to FRM-07, FRM-09, FRM-10, FRM-13. The book's (x, z) is ploy's (y, x).
#include "move/move_internal.h"
#include "ploy/move/formation.h"

#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/move/arrive.h"
#include "ploy/move/integrate.h"
#include "tests/move/scene.h"
#include "tests/test.h"

static ploy_formation *new_formation(ploy_formation_def def, ploy_pattern pattern) {
    ploy_env env = ploy_env_default();
    ploy_formation *out = NULL;
    return ploy_formation_create(&def, &pattern, &env, &out) == PLOY_OK ? out : NULL;
}

static ploy_agent_id nth(int32_t i) {
    return ploy_agent_id_make((uint32_t)i + 1, 1);
}

static ploy_arena *scratch_arena(void) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    return ploy_arena_create(1 << 16, 0, &env, &arena) == PLOY_OK ? arena : NULL;
}

TEST(moderation_and_drift_are_those_of_the_exercise) {
    // FRM-05 and FRM-06, exercise 3.18.
    static const ploy_place places[3] = {{{18, 20}, 0}, {{12, 8}, 0}, {{12, 32}, 0}};
    static const ploy_place_list list = {places, 3};
    ploy_formation *formation =
        new_formation(ploy_formation_def_default(), ploy_pattern_list("three", &list));
    ploy_kinematic agents[3] = {
        {{16, 20}, 0, {1, 0}, 0}, {{11, 6}, 0, {1, 3}, 0}, {{9, 28}, 0, {7, 9}, 0}};
    ploy_kinematics view = ploy_kinematics_of(agents, 3);
    for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_formation_add(formation, nth(i), i));
    CHECK_OK(ploy_formation_moderate(formation, &view));
    ploy_kinematic anchor = ploy_formation_anchor(formation);
    CHECK_NEAR(anchor.position.y, 22.0, 1e-5);
    CHECK_NEAR(anchor.position.x, 15.0, 1e-5);
    CHECK_NEAR(anchor.velocity.y, 4.0, 1e-5);
    CHECK_NEAR(anchor.velocity.x, 3.0, 1e-5);
    // The slots relative to their centre (20, 14): (0, 4), (-12, -2), (12, -2).
    static const double want[3][2] = {{0, 4}, {-12, -2}, {12, -2}};
    for (int32_t i = 0; i < 3; i++) {
        ploy_place place = ploy_formation_place(formation, i);
        CHECK_NEAR(place.position.y - anchor.position.y, want[i][0], 1e-5);
        CHECK_NEAR(place.position.x - anchor.position.x, want[i][1], 1e-5);
    }
    CHECK_OK(ploy_formation_remove(formation, nth(2)));
    CHECK_OK(ploy_formation_moderate(formation, &view));
    CHECK_NEAR(ploy_formation_anchor(formation).position.y, 14.5, 1e-5);
    CHECK_NEAR(ploy_formation_anchor(formation).position.x, 14.5, 1e-5);
    // ERR-35: the centre is that of the two occupied slots.
    CHECK_NEAR(ployi_formation_drift(formation).position.y, 14.0, 1e-5);
    ploy_formation_destroy(formation);
}

TEST(the_offset_decides_whether_the_group_keeps_its_speed) {
    // FRM-05, the computed run: three in line, arrive with slow radius 1, k by row.
    static const struct {
        float k;
        double speed, tolerance;
    } rows[] = {{0, 0.267, 2e-3},
                {0.1f, 0.444, 2e-3},
                {0.25f, 4.0, 0.01},
                {0.5f, 4.0, 1e-3},
                {1, 4.0, 1e-3}};
    static const ploy_place places[3] = {{{-1, 0}, 0}, {{0, 0}, 0}, {{1, 0}, 0}};
    static const ploy_place_list list = {places, 3};
    for (size_t row = 0; row < COUNT_OF(rows); row++) {
        ploy_formation_def def = ploy_formation_def_default();
        def.offset = rows[row].k;
        ploy_formation *formation = new_formation(def, ploy_pattern_list("line", &list));
        ploy_arrive_def arrive = ploy_arrive_def_default();
        arrive.max_speed = 4.0f;
        arrive.max_acceleration = 20.0f;
        arrive.slow_radius = 1.0f;
        arrive.target_radius = 0.01f;
        arrive.time_to_target = 0.1f;
        arrive.stop_inside = false;
        ploy_integrate_def law = ploy_integrate_def_default();
        law.integrator = PLOY_INTEGRATOR_NEWTON_EULER;
        law.max_speed = 4.0f;
        law.facing = PLOY_FACING_FREE;
        ploy_kinematic agents[3];
        for (int32_t i = 0; i < 3; i++) {
            agents[i] = ploy_kinematic_make(places[i].position, 0.0f);
            agents[i].velocity.x = 2.0f;
            CHECK_OK(ploy_formation_add(formation, nth(i), i));
        }
        ploy_kinematics view = ploy_kinematics_of(agents, 3);
        for (int frame = 0; frame < 200; frame++) {
            CHECK_OK(ploy_formation_moderate(formation, &view));
            ploy_kinematic anchor = ploy_formation_anchor(formation);
            anchor.position.x += 4.0f / 60.0f;
            CHECK_OK(ploy_formation_set_anchor(formation, anchor));
            for (int32_t i = 0; i < 3; i++) {
                ploy_vec2 target = ploy_formation_place(formation, i).position;
                ploy_steering push = ploy_arrive(&arrive, agents[i], target);
                agents[i] = ploy_integrate(&law, agents[i], push, 1.0f / 60.0f);
            }
        }
        CHECK_NEAR(agents[1].velocity.x, rows[row].speed, rows[row].tolerance);
        ploy_formation_destroy(formation);
    }
}

typedef struct distance_cost {
    const ploy_kinematics *agents;
} distance_cost;

static float cost_of_way(void *user, const ploy_formation_member *member, int32_t slot,
                         ploy_place place) {
    const distance_cost *cost = user;
    (void)slot;
    return ploy_vec2_distance(ploy_kinematics_get(cost->agents, member->index).position,
                              place.position);
}

static void check_slots(test_context *t, const ploy_formation *formation, int32_t most) {
    bool taken[PLOY_FORMATION_MAX] = {false};
    for (int32_t i = 0; i < ploy_formation_count(formation); i++) {
        int32_t slot = ploy_formation_get(formation, i).slot;
        CHECK(slot >= 0 && slot < most);
        CHECK(!taken[slot]);
        taken[slot] = true;
    }
}

TEST(formations_of_one_to_a_hundred_never_give_a_slot_twice) {
    ploy_arena *arena = scratch_arena();
    for (int32_t n = 1; n <= 100; n++) {
        TEST_SEED(n);
        ploy_rng rng = ploy_rng_make((uint64_t)n);
        ploy_formation_shape_def shape = ploy_formation_shape_def_default();
        shape.shape = (ploy_formation_shape)(n % (PLOY_FORMATION_RINGS + 1));
        ploy_formation_def def = ploy_formation_def_default();
        def.capacity = 100;
        def.assign = n % 2 == 0 ? PLOY_ASSIGN_EXACT : PLOY_ASSIGN_GREEDY;
        ploy_formation *formation = new_formation(def, ploy_pattern_shape(&shape));
        ploy_kinematic agents[100];
        for (int32_t i = 0; i < n; i++) {
            ploy_vec2 at;
            at.x = ploy_rng_range(&rng, -50.0f, 50.0f);
            at.y = ploy_rng_range(&rng, -50.0f, 50.0f);
            agents[i] = ploy_kinematic_make(at, 0.0f);
            CHECK_OK(ploy_formation_add(formation, nth(i), i));
        }
        check_slots(t, formation, n);
        ploy_kinematics view = ploy_kinematics_of(agents, n);
        CHECK_OK(ploy_formation_moderate(formation, &view));
        distance_cost cost = {&view};
        int32_t unplaced = -1;
        CHECK_OK(ploy_formation_assign(formation, cost_of_way, &cost, arena, NULL, &unplaced));
        CHECK_INT(unplaced, 0);
        check_slots(t, formation, n);
        // The anchor is the centre of the places, whatever the shape.
        double x = 0.0, y = 0.0;
        for (int32_t i = 0; i < n; i++) {
            ploy_place place = ploy_formation_place(formation, i);
            x += (double)place.position.x, y += (double)place.position.y;
        }
        ploy_vec2 anchor = ploy_formation_anchor(formation).position;
        CHECK_NEAR(x / n, anchor.x, 1e-3);
        CHECK_NEAR(y / n, anchor.y, 1e-3);
        for (int32_t i = 0; i < n; i += 3) {
            CHECK_OK(ploy_formation_remove(formation, nth(i)));
            if (ploy_formation_count(formation) > 0) check_slots(t, formation, n);
        }
        CHECK_INT(ploy_formation_remove(formation, nth(0)), PLOY_ERR_NOT_FOUND);
        ploy_formation_destroy(formation);
    }
    ploy_arena_destroy(arena);
}

TEST(a_squad_of_fire_teams_is_a_formation_of_formations) {
    // FRM-09: two teams of three under a squad whose slots they take as if they were characters.
    ploy_formation_shape_def wedge = ploy_formation_shape_def_default();
    wedge.shape = PLOY_FORMATION_WEDGE;
    static const ploy_place squad_places[2] = {{{0, 6}, 0}, {{0, -6}, 0}};
    static const ploy_place_list squad_list = {squad_places, 2};
    ploy_formation_def def = ploy_formation_def_default();
    ploy_formation *squad = new_formation(def, ploy_pattern_list("squad", &squad_list));
    ploy_formation *teams[2];
    ploy_kinematic men[6], leads[2];
    ploy_integrate_def law = ploy_integrate_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    for (int32_t i = 0; i < 6; i++) {
        men[i] = ploy_kinematic_make(ploy_vec2_make((float)i, 0.5f * (float)i), 0.0f);
    }
    ploy_kinematics view = ploy_kinematics_of(men, 6), lead_view = ploy_kinematics_of(leads, 2);
    for (int32_t k = 0; k < 2; k++) {
        teams[k] = new_formation(def, ploy_pattern_shape(&wedge));
        for (int32_t i = 0; i < 3; i++) CHECK_OK(ploy_formation_add(teams[k], nth(i), 3 * k + i));
        CHECK_OK(ploy_formation_add(squad, nth(k), k));
    }
    ploy_kinematic goal = ploy_kinematic_make(ploy_vec2_make(40.0f, 10.0f), 0.0f);
    for (int frame = 0; frame < 1500; frame++) {
        CHECK_OK(ploy_formation_set_anchor(squad, goal));
        for (int32_t k = 0; k < 2; k++) {
            CHECK_OK(ploy_formation_kinematic(teams[k], &view, &leads[k]));
            ploy_place place = ploy_formation_place(squad, k);
            CHECK_OK(ploy_formation_set_anchor(
                teams[k], ploy_kinematic_make(place.position, place.orientation)));
            for (int32_t i = 0; i < 3; i++) {
                ploy_kinematic *man = &men[3 * k + i];
                ploy_vec2 to = ploy_formation_place(teams[k], i).position;
                *man = ploy_integrate(&law, *man, ploy_arrive(&arrive, *man, to), 1.0f / 60.0f);
            }
        }
    }
    ploy_kinematic whole;
    CHECK_OK(ploy_formation_kinematic(squad, &lead_view, &whole));
    CHECK_NEAR(whole.position.x, 40.0, 0.2);
    CHECK_NEAR(whole.position.y, 10.0, 0.2);
    CHECK_NEAR(leads[0].position.y - leads[1].position.y, 12.0, 0.3);
    for (int32_t k = 0; k < 2; k++) ploy_formation_destroy(teams[k]);
    ploy_formation_destroy(squad);
}

typedef struct role_party {
    const ploy_roles *roles;
    const int32_t *kinds;
} role_party;

static float cost_of_role(void *user, const ploy_formation_member *member, int32_t slot,
                          ploy_place place) {
    const role_party *party = user;
    (void)place;
    return ploy_roles_cost(party->roles, party->kinds[member->index], slot);
}

TEST(roles_seat_everyone_where_they_belong) {
    // FRM-10: mage in the middle, archers behind, fighters before; hard limit 1000.
    static const float costs[12] = {1000, 0, 1500, 1000, 0, 0, 2000, 1000, 0, 0, 500, 2000};
    static const int32_t slot_roles[5] = {2, 2, 0, 1, 1};
    static const int32_t kinds[5] = {3, 0, 2, 1, 2}; // mage, archer, fighter, elf, fighter
    static const ploy_place places[5] = {
        {{2, 1}, 0}, {{2, -1}, 0}, {{0, 0}, 0}, {{-2, 1}, 0}, {{-2, -1}, 0}};
    static const ploy_place_list list = {places, 5};
    ploy_roles roles = {costs, 4, 3, slot_roles, 5};
    role_party party = {&roles, kinds};
    ploy_arena *arena = scratch_arena();
    ploy_formation_def def = ploy_formation_def_default();
    def.cost_limit = 1000.0f;
    ploy_formation *formation = new_formation(def, ploy_pattern_list("party", &list));
    for (int32_t i = 0; i < 5; i++) CHECK_OK(ploy_formation_add(formation, nth(i), i));
    CHECK_INT(ploy_formation_add(formation, nth(5), 5), PLOY_ERR_CAPACITY);
    CHECK_INT(ploy_formation_add(formation, nth(0), 0), PLOY_ERR_EXISTS);
    int32_t unplaced = -1;
    CHECK_OK(ploy_formation_assign(formation, cost_of_role, &party, arena, NULL, &unplaced));
    CHECK_INT(unplaced, 0);
    for (int32_t i = 0; i < 5; i++) {
        int32_t slot = ploy_formation_get(formation, i).slot;
        CHECK_SAME(ploy_roles_cost(&roles, kinds[i], slot), 0.0f);
    }
    ploy_formation_destroy(formation);
    ploy_arena_destroy(arena);
}

TEST(a_pattern_can_be_exchanged_and_a_play_runs_on_its_clock) {
    static const ploy_play_key keys[] = {{0, 0.0f, {{0, 0}, 0}, false},
                                         {0, 2.0f, {{4, 0}, 0}, false},
                                         {1, 0.0f, {{0, 2}, 0}, false}};
    static const ploy_play play = {keys, 3, 2};
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    ploy_formation_def def = ploy_formation_def_default();
    def.drift = false; // fixed to the field
    ploy_formation *formation = new_formation(def, ploy_pattern_shape(&shape));
    for (int32_t i = 0; i < 2; i++) CHECK_OK(ploy_formation_add(formation, nth(i), i));
    CHECK_OK(ploy_formation_step(formation, 1.0f));
    ploy_pattern pattern = ploy_pattern_play("run", &play);
    CHECK_OK(ploy_formation_set_pattern(formation, &pattern));
    CHECK_SAME(ployi_formation_time(formation), 0.0f);
    for (int i = 0; i < 4; i++) CHECK_OK(ploy_formation_step(formation, 0.25f));
    CHECK_NEAR(ploy_formation_place(formation, 0).position.x, 2.0, 1e-5);
    CHECK_NEAR(ploy_formation_place(formation, 1).position.y, 2.0, 1e-5);
    CHECK_INT(ploy_formation_step(formation, NAN), PLOY_ERR_ARGUMENT);
    // A third does not fit into a play of two, and a pattern too small is refused.
    CHECK_INT(ploy_formation_add(formation, nth(2), 2), PLOY_ERR_CAPACITY);
    static const ploy_place one[1] = {{{0, 0}, 0}};
    static const ploy_place_list small = {one, 1};
    pattern = ploy_pattern_list("one", &small);
    CHECK_INT(ploy_formation_set_pattern(formation, &pattern), PLOY_ERR_CAPACITY);
    CHECK_NEAR(ploy_formation_place(formation, 0).position.x, 2.0, 1e-5);
    ploy_formation_destroy(formation);
}

static ploy_result create_formation(const ploy_env *env, void *arg) {
    ploy_formation_def def = ploy_formation_def_default();
    ploy_formation *formation = NULL;
    ploy_pattern pattern = ploy_pattern_shape(arg);
    ploy_result result = ploy_formation_create(&def, &pattern, env, &formation);
    ploy_formation_destroy(formation);
    return result;
}

TEST(create_and_anchor_refuse_what_is_wrong) {
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    CHECK_FAIL_NTH(create_formation, &shape);
    ploy_env env = ploy_env_default();
    ploy_formation_def def = ploy_formation_def_default();
    ploy_formation *formation = NULL;
    ploy_pattern pattern = ploy_pattern_shape(&shape);
    def.capacity = 0;
    CHECK_INT(ploy_formation_create(&def, &pattern, &env, &formation), PLOY_ERR_ARGUMENT);
    def = ploy_formation_def_default();
    CHECK_INT(ploy_formation_create(&def, NULL, &env, &formation), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_formation_create(&def, &pattern, &env, &formation));
    // Settings may change later, the capacity may not.
    ploy_formation_def other = def;
    other.drift = false;
    other.capacity = 1;
    CHECK_OK(ploy_formation_set_def(formation, &other));
    CHECK_OK(ploy_formation_add(formation, nth(7), 0));
    CHECK_OK(ploy_formation_add(formation, nth(8), 1));
    CHECK_SAME(ployi_formation_drift(formation).position.x, 0.0f);
    CHECK_OK(ploy_formation_set_def(formation, &def));
    CHECK(ployi_formation_drift(formation).position.x < -0.1f);
    other.offset = NAN;
    CHECK_INT(ploy_formation_set_def(formation, &other), PLOY_ERR_ARGUMENT);
    ploy_kinematic bad = ploy_kinematic_make(ploy_vec2_make(NAN, 0.0f), 0.0f);
    CHECK_INT(ploy_formation_set_anchor(formation, bad), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_formation_add(formation, ploy_agent_id_none(), 0), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_formation_add(formation, nth(0), 5));
    ploy_kinematic agent = ploy_kinematic_make(ploy_vec2_zero(), 0.0f);
    ploy_kinematics view = ploy_kinematics_of(&agent, 1);
    CHECK_INT(ploy_formation_moderate(formation, &view), PLOY_ERR_ARGUMENT);
    ploy_formation_destroy(formation);
}

TEST(nothing_allocates_when_warm) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    ploy_formation_def def = ploy_formation_def_default();
    ploy_formation *formation = NULL;
    ploy_arena *arena = NULL;
    ploy_pattern pattern = ploy_pattern_shape(&shape);
    CHECK_OK(ploy_arena_create(1 << 14, 0, &env, &arena));
    CHECK_OK(ploy_formation_create(&def, &pattern, &env, &formation));
    ploy_kinematic agents[16];
    for (int32_t i = 0; i < 16; i++) {
        agents[i] = ploy_kinematic_make(ploy_vec2_make((float)i, 0.0f), 0.0f);
    }
    ploy_kinematics view = ploy_kinematics_of(agents, 16);
    distance_cost cost = {&view};
    int64_t before = counts.calls;
    for (int32_t i = 0; i < 16; i++) CHECK_OK(ploy_formation_add(formation, nth(i), i));
    CHECK_OK(ploy_formation_assign(formation, cost_of_way, &cost, arena, NULL, NULL));
    CHECK_OK(ploy_formation_moderate(formation, &view));
    CHECK_OK(ploy_formation_remove(formation, nth(3)));
    CHECK_INT(counts.calls, before);
    ploy_formation_destroy(formation);
    ploy_arena_destroy(arena);
    CHECK_INT(counts.blocks, 0);
}

TEST(a_formation_is_described_and_drawn) {
    ploy_formation_shape_def shape = ploy_formation_shape_def_default();
    ploy_formation *formation =
        new_formation(ploy_formation_def_default(), ploy_pattern_shape(&shape));
    uint64_t hashes[4];
    for (int k = 0; k < 4; k++) {
        if (k == 1) CHECK_OK(ploy_formation_add(formation, nth(0), 0));
        if (k == 2) CHECK_OK(ploy_formation_add(formation, nth(1), 1));
        if (k == 3) CHECK_OK(ploy_formation_step(formation, 0.5f));
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe describe = ploy_hash_sink_describe(&sink);
        ploy_formation_describe(formation, &describe);
        hashes[k] = ploy_hash_sink_result(&sink);
        for (int j = 0; j < k; j++) CHECK(hashes[j] != hashes[k]);
    }
    ploy_kinematic agents[2] = {{{0, 0}, 0, {0, 0}, 0}, {{1, 0}, 0, {0, 0}, 0}};
    ploy_kinematics view = ploy_kinematics_of(agents, 2);
    scene_told told;
    ploy_draw draw = scene_draw(&told);
    ploy_formation_draw(formation, &view, &draw);
    CHECK_INT(told.items, 5); // the anchor, and a slot and a line for each
    ploy_formation_destroy(formation);
}
