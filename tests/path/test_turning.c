// Dubins' and Reeds and Shepp's curves against ways that were thrown together.
#include "path/path_internal.h"
#include "ploy/base/math.h"
#include "ploy/base/rng.h"
#include "ploy/geom/angle.h"
#include "ploy/path/turning.h"
#include "tests/test.h"

static ploy_turning_pose drawn_pose(ploy_rng *rng, float spread) {
    ploy_turning_pose pose = {
        {ploy_rng_range(rng, -spread, spread), ploy_rng_range(rng, -spread, spread)},
        ploy_rng_range(rng, -3.14f, 3.14f)};
    return pose;
}

static void check_end(test_context *t, const ploy_turning *way, ploy_turning_pose to) {
    ploy_turning_pose end = ploy_turning_at(way, way->length);
    CHECK_NEAR(end.position.x, to.position.x, 2e-3);
    CHECK_NEAR(end.position.y, to.position.y, 2e-3);
    CHECK_NEAR(ploy_angle_difference(end.orientation, to.orientation), 0, 2e-3);
}

TEST(ways_end_where_they_should_and_reversing_never_makes_them_longer) {
    for (int64_t seed = 0; seed < test_rounds(20000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        float radius = ploy_rng_range(&rng, 0.5f, 3.0f);
        ploy_turning_pose from = drawn_pose(&rng, 5), to = drawn_pose(&rng, 5);
        ploy_turning dubins, reeds, back;
        CHECK_OK(ploy_turning_find(PLOY_TURNING_DUBINS, from, to, radius, &dubins));
        CHECK_OK(ploy_turning_find(PLOY_TURNING_REEDS_SHEPP, from, to, radius, &reeds));
        CHECK_OK(ploy_turning_find(PLOY_TURNING_REEDS_SHEPP, to, from, radius, &back));
        check_end(t, &dubins, to);
        check_end(t, &reeds, to);
        CHECK(reeds.length <= dubins.length + 1e-3f);
        CHECK_NEAR(reeds.length, back.length, 5e-3); // driven the other way round
        CHECK(dubins.length + 1e-3f >= ploy_vec2_distance(from.position, to.position));
        for (int32_t i = 0; i < dubins.count; i++) CHECK(dubins.pieces[i].length > 0);
    }
}

// Any way of arcs and lines that leads to a pose is at least as long as the one that is found.
TEST(no_way_that_is_thrown_together_is_shorter) {
    for (int64_t seed = 0; seed < test_rounds(40000); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        bool reverse = seed % 2 == 0;
        ploy_turning thrown;
        memset(&thrown, 0, sizeof thrown);
        thrown.from = drawn_pose(&rng, 3);
        thrown.radius = 1.0f;
        thrown.count = ploy_rng_int(&rng, 1, PLOY_TURNING_PIECES);
        for (int32_t i = 0; i < thrown.count; i++) {
            float length = ploy_rng_range(&rng, 0.1f, 2.0f);
            if (reverse && ploy_rng_chance(&rng, 0.5f)) length = -length;
            thrown.pieces[i].turn = ploy_rng_int(&rng, -1, 1);
            thrown.pieces[i].length = length;
            thrown.length += fabsf(length);
        }
        ploy_turning_pose to = ploy_turning_at(&thrown, thrown.length);
        ploy_turning found;
        CHECK_OK(ploy_turning_find(reverse ? PLOY_TURNING_REEDS_SHEPP : PLOY_TURNING_DUBINS,
                                   thrown.from, to, 1.0f, &found));
        CHECK(found.length <= thrown.length + 2e-3f);
    }
}

TEST(known_ways_have_their_words) {
    static const struct {
        const char *row;
        ploy_turning_kind kind;
        ploy_turning_pose to;
        const char *word;
        double length;
    } rows[] = {
        {"straight on", PLOY_TURNING_DUBINS, {{5, 0}, 0}, "S", 5},
        {"a half turn", PLOY_TURNING_DUBINS, {{0, 2}, PLOY_PI_F}, "L", 3.14159265},
        {"straight back", PLOY_TURNING_REEDS_SHEPP, {{-5, 0}, 0}, "S", 5},
        {"nowhere", PLOY_TURNING_REEDS_SHEPP, {{0, 0}, 0}, "", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_turning_pose from = {{0, 0}, 0};
        ploy_turning way;
        char word[2 * PLOY_TURNING_PIECES + 1];
        CHECK_OK(ploy_turning_find(rows[i].kind, from, rows[i].to, 1.0f, &way));
        ploy_turning_word(&way, word);
        CHECK_TEXT(word, rows[i].word);
        CHECK_NEAR(way.length, rows[i].length, 1e-4);
    }
    t->row = NULL;
    ploy_turning_pose pose = {{0, 0}, 0}, bad = {{NAN, 0}, 0};
    ploy_turning way;
    CHECK_INT(ploy_turning_find(PLOY_TURNING_DUBINS, pose, bad, 1, &way), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_turning_find(PLOY_TURNING_DUBINS, pose, pose, 0, &way), PLOY_ERR_ARGUMENT);
}

TEST(a_way_is_written_as_a_path_with_its_reverse_parts_marked) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    ploy_turning_pose from = {{0, 0}, 0}, to = {{0, 1}, 0}; // parking
    ploy_turning way;
    CHECK_OK(ploy_turning_find(PLOY_TURNING_REEDS_SHEPP, from, to, 1.0f, &way));
    CHECK_OK(ploy_turning_path(&way, 0.05f, path));
    CHECK_NEAR(ploy_path_cost(path), way.length, 1e-3);
    CHECK(ploy_path_length(path) <= way.length + 1e-4f);
    int32_t reverse = 0, last = ploy_path_count(path) - 1;
    for (int32_t i = 0; i < last; i++) reverse += ploy_path_edge_from(path, i)->kind.hash != 0;
    CHECK(reverse > 0 && reverse < last);
    CHECK(ploy_vec2_near(ploy_path_point(path, last), to.position, 1e-3f));
    CHECK_INT(ploy_turning_path(&way, 0, path), PLOY_ERR_ARGUMENT);
    ploy_path_destroy(path);
}
