// Assignment of slots: FRM-10, FRM-11, FRM-12.
#include "move/move_internal.h"
#include "ploy/geom/vec.h"
#include "ploy/move/assign.h"

#include "ploy/base/rng.h"
#include "tests/test.h"

static ploy_arena *scratch_arena(void) {
    ploy_env env = ploy_env_default();
    ploy_arena *arena = NULL;
    return ploy_arena_create(1024, 0, &env, &arena) == PLOY_OK ? arena : NULL;
}

// The printed table: archer, elf, fighter, mage for magic, missile, melee.
static const float role_costs[4][3] = {
    {1000, 0, 1500}, {1000, 0, 0}, {2000, 1000, 0}, {0, 500, 2000}};

TEST(ease_is_that_of_the_exercise) {
    // FRM-11, exercise 3.20, limit 1600, for three layouts of (magic, missile, melee) slots.
    static const struct {
        int32_t slots[3];
        double ease[4];
    } rows[] = {
        {{2, 2, 5}, {2.005329, 7.001998, 5.001998, 2.003992}},
        {{1, 3, 5}, {3.004330, 8.000999, 5.002997, 1.005988}},
        {{2, 1, 6}, {1.005995, 7.001998, 6.000999, 2.001996}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int kind = 0; kind < 4; kind++) {
            float costs[9];
            int32_t count = 0;
            for (int role = 0; role < 3; role++) {
                for (int32_t j = 0; j < rows[i].slots[role]; j++) {
                    costs[count++] = role_costs[kind][role];
                }
            }
            CHECK_NEAR(ployi_assign_ease(costs, count, 1600.0f), rows[i].ease[kind], 1e-6);
        }
    }
}

TEST(greedy_is_far_off_where_the_exact_answer_is_cheap) {
    // FRM-11, derived.
    static const float costs[9] = {0, 5, 10, 10, 0, 10, 3, 2, 2};
    ploy_arena *arena = scratch_arena();
    int32_t slot_of[3];
    double total = 0.0;
    CHECK_NEAR(ployi_assign_ease(costs, 3, 100.0f), 1.2576, 1e-4);
    CHECK_NEAR(ployi_assign_ease(costs + 3, 3, 100.0f), 1.1818, 1e-4);
    CHECK_NEAR(ployi_assign_ease(costs + 6, 3, 100.0f), 0.9167, 1e-4);
    CHECK_OK(ploy_assign_find(PLOY_ASSIGN_GREEDY, costs, 3, 3, 100.0f, arena, slot_of, &total));
    CHECK_NEAR(total, 22.0, 1e-9); // by the lowest slot of equals
    CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 3, 3, 100.0f, arena, slot_of, &total));
    CHECK_NEAR(total, 2.0, 1e-9);
    CHECK_INT(slot_of[0], 0);
    CHECK_INT(slot_of[1], 1);
    CHECK_INT(slot_of[2], 2);
    ploy_arena_destroy(arena);
}

// All ways to seat members from `i` on: most seated first, then the cheapest.
typedef struct all_ways {
    const float *costs;
    int32_t members, slots;
    float limit;
    int32_t seated;
    double total;
} all_ways;

static void try_all(all_ways *best, int32_t i, uint32_t taken, int32_t seated, double total) {
    if (i == best->members) {
        if (seated > best->seated || (seated == best->seated && total < best->total)) {
            best->seated = seated;
            best->total = total;
        }
        return;
    }
    try_all(best, i + 1, taken, seated, total);
    for (int32_t j = 0; j < best->slots; j++) {
        float cost = best->costs[i * best->slots + j];
        if ((taken >> j & 1u) || !(cost < best->limit)) continue;
        try_all(best, i + 1, taken | 1u << j, seated + 1, total + (double)cost);
    }
}

TEST(exact_equals_all_permutations_up_to_eight) {
    ploy_arena *arena = scratch_arena();
    for (int64_t seed = 0; seed < test_rounds(120); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t most = seed % 20 == 0 ? 8 : 6;
        int32_t members = ploy_rng_int(&rng, 1, most), slots = ploy_rng_int(&rng, 1, most);
        bool whole = ploy_rng_chance(&rng, 0.5f); // many ties
        float costs[64];
        for (int32_t i = 0; i < members * slots; i++) {
            costs[i] = whole ? (float)ploy_rng_int(&rng, 0, 4) : ploy_rng_range(&rng, 0.0f, 10.0f);
            if (ploy_rng_chance(&rng, 0.2f)) costs[i] = INFINITY;
        }
        all_ways best = {costs, members, slots, 9.0f, -1, 0.0};
        try_all(&best, 0, 0, 0, 0.0);
        for (int mode = 0; mode < 2; mode++) {
            int32_t slot_of[8], seated = 0;
            uint32_t taken = 0;
            double total = -1.0;
            CHECK_OK(ploy_assign_find((ploy_assign_mode)mode, costs, members, slots, 9.0f, arena,
                                      slot_of, &total));
            for (int32_t i = 0; i < members; i++) {
                if (slot_of[i] < 0) continue;
                CHECK(slot_of[i] < slots && !(taken >> slot_of[i] & 1u));
                CHECK(costs[i * slots + slot_of[i]] < 9.0f);
                taken |= 1u << slot_of[i];
                seated++;
            }
            if (mode == PLOY_ASSIGN_EXACT) {
                CHECK_INT(seated, best.seated);
                CHECK_NEAR(total, best.total, 1e-5);
            } else {
                CHECK(seated <= best.seated);
            }
        }
    }
    CHECK_UINT(ploy_arena_used(arena), 0); // scratch is given back
    ploy_arena_destroy(arena);
}

TEST(a_party_without_mages_fills_what_it_can) {
    // FRM-10, exercise 3.19: 2 elves and 7 fighters. With (2, 1, 6) the exercise's answer of 4000
    // puts two fighters into magic; elves there and one fighter into missile cost only 3000.
    static const struct {
        int32_t slots[3];
        double total;
    } rows[] = {{{2, 2, 5}, 4000.0}, {{2, 1, 6}, 3000.0}, {{1, 3, 5}, 3000.0}};
    ploy_arena *arena = scratch_arena();
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        float costs[81];
        int32_t roles[9], n = 0, slot_of[9];
        for (int role = 0; role < 3; role++) {
            for (int32_t j = 0; j < rows[k].slots[role]; j++) roles[n++] = role;
        }
        for (int i = 0; i < 9; i++) {
            for (int j = 0; j < 9; j++) costs[i * 9 + j] = role_costs[i < 2 ? 1 : 2][roles[j]];
        }
        double total = 0.0;
        CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 9, 9, 1e6f, arena, slot_of, &total));
        CHECK_NEAR(total, rows[k].total, 1e-6);
        // Hard roles: seven of nine find a place.
        int32_t seated = 0;
        CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 9, 9, 1.0f, arena, slot_of, &total));
        for (int i = 0; i < 9; i++) seated += slot_of[i] >= 0;
        CHECK_INT(seated, 7);
    }
    ploy_arena_destroy(arena);
}

static ploy_result assign_small(const ploy_env *env, void *arg) {
    ploy_arena *arena = NULL;
    float costs[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
    int32_t slot_of[3];
    ploy_result result = ploy_arena_create(16, 0, env, &arena);
    if (result == PLOY_OK) {
        result =
            ploy_assign_find(*(ploy_assign_mode *)arg, costs, 3, 4, 100.0f, arena, slot_of, NULL);
    }
    ploy_arena_destroy(arena);
    return result;
}

TEST(bad_tables_and_short_memory_are_results) {
    ploy_arena *arena = scratch_arena();
    float costs[2] = {-1.0f, 2.0f};
    int32_t slot_of[2] = {7, 7};
    CHECK_INT(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 1, 2, 10.0f, arena, slot_of, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, -1, 2, 10.0f, arena, slot_of, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 1, 2, NAN, arena, slot_of, NULL),
              PLOY_ERR_ARGUMENT);
    CHECK_INT(slot_of[0], 7);
    costs[0] = NAN; // not possible, like infinity
    CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 1, 2, 10.0f, arena, slot_of, NULL));
    CHECK_INT(slot_of[0], 1);
    CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, 2, 0, 10.0f, arena, slot_of, NULL));
    CHECK_INT(slot_of[1], -1);
    ploy_arena_destroy(arena);
    for (int mode = 0; mode < 2; mode++) {
        ploy_assign_mode which = (ploy_assign_mode)mode;
        CHECK_FAIL_NTH(assign_small, &which);
    }
}

TEST(slices_find_what_one_call_finds) {
    // FRM-11: any budget, the same places; cancelled anywhere and begun again too.
    ploy_env env = ploy_env_default();
    ploy_arena *arena = scratch_arena();
    ploy_assign *assign = NULL;
    CHECK_OK(ploy_assign_create(&env, &assign));
    ploy_budget one = ploy_budget_units(1);
    CHECK_INT(ploy_assign_step(assign, &one), PLOY_ERR_ARGUMENT);
    for (int64_t seed = 0; seed < test_rounds(30); seed++) {
        TEST_SEED(seed);
        enum { MOST = 20 };
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        int32_t members = ploy_rng_int(&rng, 0, MOST), slots = ploy_rng_int(&rng, 0, MOST);
        float costs[MOST * MOST];
        for (int32_t i = 0; i < members * slots; i++) {
            costs[i] = ploy_rng_chance(&rng, 0.2f) ? 1e6f : ploy_rng_range(&rng, 0.0f, 100.0f);
        }
        int32_t want[MOST], got[MOST], units = 0;
        double want_total = 0.0, got_total = 0.0;
        CHECK_OK(ploy_assign_find(PLOY_ASSIGN_EXACT, costs, members, slots, 1e5f, arena, want,
                                  &want_total));
        CHECK_OK(ploy_assign_begin(assign, costs, members, slots, 1e5f));
        one = ploy_budget_units(seed % 7);
        (void)ploy_assign_step(assign, &one);
        if (seed % 3 == 0) {
            ploy_assign_cancel(assign);
            CHECK_INT(ploy_assign_result(assign, got, NULL), PLOY_ERR_ARGUMENT);
            CHECK_OK(ploy_assign_begin(assign, costs, members, slots, 1e5f));
        }
        ploy_result result = PLOY_IN_PROGRESS;
        while (result == PLOY_IN_PROGRESS && units < 10000) {
            if (members > 0 && units == 0 && seed % 3 == 0) {
                CHECK_INT(ploy_assign_result(assign, got, NULL), PLOY_IN_PROGRESS);
            }
            one = ploy_budget_units(1);
            result = ploy_assign_step(assign, &one);
            units++;
        }
        CHECK_OK(result);
        CHECK_OK(ploy_assign_result(assign, got, &got_total));
        CHECK_BYTES(got, want, sizeof(int32_t) * (size_t)members);
        CHECK_BYTES(&got_total, &want_total, sizeof got_total);
    }
    static const float bad[] = {-1.0f};
    CHECK_INT(ploy_assign_begin(assign, bad, 1, 1, 1.0f), PLOY_ERR_ARGUMENT);
    ploy_assign_destroy(assign);
    ploy_arena_destroy(arena);
}

TEST(a_thousand_members_are_seated_within_a_stated_number_of_units) {
    // FRM-11 in bulk: 1,024 members walk from a random spot to the slots of a block. The header states
    // below members^2 / 4 units for distances in the plane: 64 frames of 4,096.
    enum { MANY = 1024, A_FRAME = 4096 };
    static float costs[MANY * MANY];
    static int32_t slots[MANY];
    static bool taken[MANY];
    ploy_rng rng = ploy_rng_make(3);
    for (int32_t i = 0; i < MANY; i++) {
        ploy_vec2 from = {ploy_rng_range(&rng, -60.0f, 60.0f), ploy_rng_range(&rng, -60.0f, 60.0f)};
        for (int32_t k = 0; k < MANY; k++) {
            ploy_vec2 slot = {2.0f * (float)(k % 32) - 31.0f, 2.0f * (float)(k / 32) - 31.0f};
            costs[i * MANY + k] = ploy_vec2_distance(from, slot);
        }
    }
    ploy_env env = ploy_env_default();
    ploy_assign *assign = NULL;
    CHECK_OK(ploy_assign_create(&env, &assign));
    CHECK_OK(ploy_assign_begin(assign, costs, MANY, MANY, 1e6f));
    int64_t units = 0;
    int32_t frames = 0;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS && frames < 1000) {
        ploy_budget budget = ploy_budget_units(A_FRAME);
        result = ploy_assign_step(assign, &budget);
        units += budget.spent;
        CHECK(budget.spent <= A_FRAME);
        frames++;
    }
    CHECK_OK(result);
    double total = 0.0;
    CHECK_OK(ploy_assign_result(assign, slots, &total));
    CHECK(units <= (int64_t)MANY * MANY / 4);
    CHECK(frames <= 64);
    memset(taken, 0, sizeof taken);
    for (int32_t i = 0; i < MANY; i++) {
        CHECK(slots[i] >= 0 && slots[i] < MANY && !taken[slots[i]]);
        taken[slots[i]] = true;
    }
    ploy_assign_destroy(assign);
}

static ploy_result assign_in_slices(const ploy_env *env, void *arg) {
    static const float costs[4] = {1, 2, 2, 1};
    ploy_assign *assign = NULL;
    ploy_budget all = ploy_budget_unlimited();
    ploy_result result = ploy_assign_create(env, &assign);
    (void)arg;
    if (result == PLOY_OK) result = ploy_assign_begin(assign, costs, 2, 2, 10.0f);
    if (result == PLOY_OK) result = ploy_assign_step(assign, &all);
    ploy_assign_destroy(assign);
    return result;
}

TEST(slices_survive_short_memory) {
    CHECK_FAIL_NTH(assign_in_slices, NULL);
}
