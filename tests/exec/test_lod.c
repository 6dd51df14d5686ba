#include "ploy/exec/lod.h"

#include "ploy/base/rng.h"
#include "tests/exec/lod_probe.h"
#include "tests/test.h"

static ploy_lod *lod_of(test_context *t, const float (*ranges)[2], int32_t count,
                        ploy_lod_arbitration arbitration) {
    static const char *const names[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    ploy_lod_level levels[8];
    memset(levels, 0, sizeof levels);
    for (int32_t i = 0; i < count; i++) {
        levels[i].name = names[i];
        levels[i].min = ranges[i][0];
        levels[i].max = ranges[i][1];
        levels[i].type = lod_probe_type();
        levels[i].state_size = (int32_t)sizeof(lod_probe);
    }
    ploy_lod_def def = ploy_lod_def_default();
    def.arbitration = arbitration;
    def.levels = levels;
    def.level_count = count;
    ploy_env env = ploy_env_default();
    ploy_lod *lod = NULL;
    CHECK_OK(ploy_lod_create(&def, &env, &lod));
    return lod;
}

// EXE-19: A [0,6], B [4,10]; 3 -> A; 5 stays; 6.5 -> B; 5 stays; 3 -> A.
TEST(overlapping_ranges_keep_whoever_is_in_them) {
    static const float ranges[][2] = {{0, 6}, {4, 10}};
    static const struct {
        float importance;
        int32_t want;
    } walk[] = {{3, 0}, {5, 0}, {6.5f, 1}, {5, 1}, {3, 0}, {6, 0}, {4, 0}};
    for (ploy_lod_arbitration a = PLOY_LOD_FIRST; a <= PLOY_LOD_ANY_FIT; a++) {
        t->row = ploy_lod_arbitration_text(a);
        ploy_lod *lod = lod_of(t, ranges, 2, a);
        int32_t level = PLOY_LOD_NONE;
        for (size_t i = 0; i < COUNT_OF(walk); i++) {
            level = ploy_lod_find(lod, walk[i].importance, level);
            CHECK_INT(level, walk[i].want);
        }
        ploy_lod_destroy(lod);
    }
}

// EXE-19: from none at 5: first = A, most central = tie, so A; at 5.5 most central = B.
TEST(arbitration_decides_when_several_fit) {
    static const float pair[][2] = {{0, 6}, {4, 10}};
    static const float nested[][2] = {{0, 10}, {4, 8}, {5, 6}};
    static const struct {
        const char *row;
        const float (*ranges)[2];
        int32_t count;
        ploy_lod_arbitration arbitration;
        float importance;
        int32_t want;
    } rows[] = {
        {"first", pair, 2, PLOY_LOD_FIRST, 5, 0},
        {"first at 5.5", pair, 2, PLOY_LOD_FIRST, 5.5f, 0},
        {"most central, a tie", pair, 2, PLOY_LOD_MOST_CENTRAL, 5, 0},
        {"most central", pair, 2, PLOY_LOD_MOST_CENTRAL, 5.5f, 1},
        {"smallest", nested, 3, PLOY_LOD_SMALLEST, 5.5f, 2},
        {"smallest but one", nested, 3, PLOY_LOD_SMALLEST, 4.5f, 1},
        {"the fallback", nested, 3, PLOY_LOD_SMALLEST, 9, 0},
        {"equal ranges: the first", pair, 2, PLOY_LOD_SMALLEST, 5, 0},
        {"ends belong to the range", pair, 2, PLOY_LOD_FIRST, 10, 1},
        {"nobody", pair, 2, PLOY_LOD_FIRST, 10.5f, PLOY_LOD_NONE},
        {"nobody below", pair, 2, PLOY_LOD_ANY_FIT, -1, PLOY_LOD_NONE},
        {"not a number fits nowhere", pair, 2, PLOY_LOD_MOST_CENTRAL, NAN, PLOY_LOD_NONE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_lod *lod = lod_of(t, rows[i].ranges, rows[i].count, rows[i].arbitration);
        CHECK_INT(ploy_lod_find(lod, rows[i].importance, PLOY_LOD_NONE), rows[i].want);
        ploy_lod_destroy(lod);
    }
}

TEST(every_arbitration_agrees_with_looking_at_all) {
    for (int64_t seed = 0; seed < test_rounds(300); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float ranges[8][2];
        int32_t count = ploy_rng_int(&rng, 1, 8);
        for (int32_t i = 0; i < count; i++) {
            ranges[i][0] = (float)ploy_rng_int(&rng, 0, 10);
            ranges[i][1] = ranges[i][0] + (float)ploy_rng_int(&rng, 0, 10);
        }
        ploy_lod_arbitration a = (ploy_lod_arbitration)ploy_rng_int(&rng, 0, 3);
        ploy_lod *lod = lod_of(t, (const float(*)[2])ranges, count, a);
        for (int32_t n = 0; n < 20; n++) {
            float x = (float)ploy_rng_int(&rng, -4, 44) * 0.5f;
            int32_t got = ploy_lod_find(lod, x, PLOY_LOD_NONE), want = PLOY_LOD_NONE;
            float least = 1e9f;
            for (int32_t i = 0; i < count; i++) {
                if (x < ranges[i][0] || x > ranges[i][1]) continue;
                float middle = (ranges[i][0] + ranges[i][1]) / 2;
                float rank = a == PLOY_LOD_FIRST          ? (float)i
                             : a == PLOY_LOD_MOST_CENTRAL ? fabsf(x - middle)
                                                          : ranges[i][1] - ranges[i][0];
                if (rank < least) {
                    least = rank;
                    want = i;
                }
            }
            if (a == PLOY_LOD_ANY_FIT) {
                CHECK_INT(got < 0, want < 0);
                if (got >= 0) CHECK(ranges[got][0] <= x && x <= ranges[got][1]);
            } else {
                CHECK_INT(got, want);
            }
        }
        ploy_lod_destroy(lod);
    }
}

TEST(definitions_that_make_no_sense_are_refused) {
    ploy_env env = ploy_env_default();
    ploy_behavior_type stepless;
    memset(&stepless, 0, sizeof stepless);
    for (int32_t fault = 0; fault < 14; fault++) {
        TEST_SEED(fault);
        ploy_lod_level levels[2] = {{"A", 0, 1, lod_probe_type(), 8, NULL, NULL, {0}},
                                    {"B", 1, 2, lod_probe_type(), 8, NULL, NULL, {0}}};
        ploy_lod_transition transitions[2] = {{0, 1, NULL, NULL, NULL}, {1, 0, NULL, NULL, NULL}};
        ploy_lod_def def = ploy_lod_def_default();
        def.levels = levels;
        def.level_count = 2;
        def.transitions = transitions;
        def.transition_count = 2;
        ploy_result want = PLOY_ERR_ARGUMENT;
        ploy_lod *lod = (ploy_lod *)&def;
        if (fault == 0) def.level_count = 0;
        if (fault == 1) def.level_count = PLOY_LOD_LEVELS_MAX + 1;
        if (fault == 2) def.levels = NULL;
        if (fault == 3) levels[1].name = "";
        if (fault == 4) levels[1].min = 3;
        if (fault == 5) levels[1].max = NAN;
        if (fault == 6) levels[1].type = NULL; // and nothing makes one
        if (fault == 7) levels[1].type = &stepless;
        if (fault == 8) levels[1].state_size = -1;
        if (fault == 9) transitions[1].to = 2;
        if (fault == 10) transitions[1].from = -3;
        if (fault == 11) def.transitions = NULL;
        if (fault == 12) transitions[1] = transitions[0], want = PLOY_ERR_EXISTS;
        if (fault == 13) def.handover_size = -1;
        CHECK_INT(ploy_lod_create(&def, &env, &lod), want);
        CHECK(lod == NULL);
    }
    CHECK_OK(ploy_fields_check_table(ploy_lod_fields(), NULL));
    CHECK_TEXT(ploy_lod_arbitration_text((ploy_lod_arbitration)9), "?");
}

TEST(definitions_copy_what_they_are_given) {
    char name[] = "near";
    ploy_lod_level level = {name, 0, 1, lod_probe_type(), 8, NULL, NULL, {0}};
    ploy_lod_def def = ploy_lod_def_default();
    def.levels = &level;
    def.level_count = 1;
    ploy_env env = ploy_env_default();
    ploy_lod *lod = NULL;
    CHECK_OK(ploy_lod_create(&def, &env, &lod));
    name[0] = 'd';
    level.max = -5;
    CHECK_TEXT(ploy_lod_level_name(lod, 0), "near");
    CHECK(ploy_lod_level_name(lod, 1) == NULL);
    CHECK(ploy_lod_level_name(lod, PLOY_LOD_NONE) == NULL);
    CHECK_INT(ploy_lod_find(lod, 1, PLOY_LOD_NONE), 0);
    CHECK_INT(ploy_lod_level_count(lod), 1);
    ploy_lod_destroy(lod);
}
