// Smoothing paths and curves through them.
#include "geom/geom_internal.h"
#include "ploy/base/rng.h"
#include "ploy/geom/segment.h"
#include "ploy/path/smooth.h"
#include "tests/test.h"

static ploy_path *empty_path(test_context *t) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    CHECK_OK(ploy_path_create(&def, &env, &path));
    return path;
}

// Points on a line, their x is their number; pairs that see each other are in a table.
typedef struct line_sight {
    const char *pairs; // "02 03 46"
} line_sight;

static bool line_sees(void *user, ploy_vec3 from, ploy_vec3 to) {
    const line_sight *sight = user;
    int a = (int)from.x, b = (int)to.x;
    if (b == a + 1) return true;
    for (const char *at = sight->pairs; *at != '\0'; at++) {
        if (at[0] - '0' == a && at[1] - '0' == b) return true;
        while (at[1] != '\0' && *at != ' ') at++;
    }
    return false;
}

static ploy_path *line_path(test_context *t, int32_t count) {
    ploy_path *path = empty_path(t);
    for (int32_t i = 0; i < count; i++) {
        CHECK_OK(ploy_path_append(path, ploy_vec2_make((float)i, 0), 0, NULL));
    }
    return path;
}

TEST(the_rules_merge_the_edges_of_the_textbooks) {
    static const struct {
        const char *row;
        ploy_smooth_kind kind;
        int32_t count;
        const char *pairs, *want;
        int32_t asked;
    } rows[] = {
        // PLN-17: S-1-2-3-4-5-T is 0 to 6.
        {"quick", PLOY_SMOOTH_QUICK, 7, "02 03 46", "0346", 5},
        // PLN-18.
        {"precise", PLOY_SMOOTH_PRECISE, 7, "02 03 46 36", "036", -1},
        // PTH-28: the last point is asked about, too.
        {"the last leg", PLOY_SMOOTH_QUICK, 4, "02", "023", 2},
        {"two points", PLOY_SMOOTH_QUICK, 2, "", "01", 0},
        {"one point", PLOY_SMOOTH_PRECISE, 1, "", "0", 0},
        {"no points", PLOY_SMOOTH_SHORTEST, 0, "", "", 0},
        {"none", PLOY_SMOOTH_NONE, 4, "03", "0123", 0},
        {"shortest sees the end", PLOY_SMOOTH_SHORTEST, 4, "03", "03", -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        line_sight sight = {rows[i].pairs};
        ploy_env env = ploy_env_default();
        ploy_path *from = line_path(t, rows[i].count), *to = empty_path(t);
        ploy_smooth_rule rule = ploy_smooth_rule_make(rows[i].kind, line_sees, &sight);
        int32_t asked = -1;
        char got[16] = "";
        CHECK_OK(ploy_path_smooth(from, &rule, &env, to, &asked));
        for (int32_t k = 0; k < ploy_path_count(to); k++) {
            got[k] = (char)('0' + (int)ploy_path_point(to, k).x);
            got[k + 1] = '\0';
        }
        if (rows[i].kind != PLOY_SMOOTH_SHORTEST) CHECK_TEXT(got, rows[i].want);
        if (rows[i].asked >= 0) CHECK_INT(asked, rows[i].asked);
        // On a line all lengths are equal: costs are those of the whole.
        if (rows[i].count > 1) CHECK_NEAR(ploy_path_cost(to), rows[i].count - 1, 1e-5);
        ploy_path_destroy(from);
        ploy_path_destroy(to);
    }
}

// A disc stands in the way.
typedef struct disc_field {
    ploy_vec2 at[8];
    float radius;
} disc_field;

static bool disc_clear(void *user, ploy_vec3 from, ploy_vec3 to) {
    const disc_field *field = user;
    ploy_segment2 way = {ploy_vec2_from_vec3(from), ploy_vec2_from_vec3(to)};
    for (int32_t i = 0; i < 8; i++) {
        if (ploy_segment2_distance(way, field->at[i]) < field->radius) return false;
    }
    return true;
}

TEST(smoothed_paths_stay_free_and_shortest_is_the_shortest) {
    for (int64_t seed = 0; seed < test_rounds(200); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_env env = ploy_env_default();
        disc_field field = {{{0, 0}}, 1.0f};
        for (int32_t i = 0; i < 8; i++) {
            field.at[i] = ploy_vec2_make(ploy_rng_range(&rng, 2, 18), ploy_rng_range(&rng, -4, 4));
        }
        // A walk of free steps.
        ploy_path *from = empty_path(t), *to = empty_path(t);
        ploy_vec3 at = {0, 0, 0};
        CHECK_OK(ploy_path_append(from, ploy_vec2_make(0, 0), 0, NULL));
        for (int32_t i = 0; i < 60; i++) {
            ploy_vec3 next = at;
            next.x += ploy_rng_range(&rng, -0.5f, 1.5f);
            next.y += ploy_rng_range(&rng, -1, 1);
            if (!disc_clear(&field, at, next)) continue;
            at = next;
            CHECK_OK(ploy_path_append(from, ploy_vec2_from_vec3(at), 0, NULL));
        }
        float lengths[5] = {0};
        for (int32_t kind = PLOY_SMOOTH_NONE; kind <= PLOY_SMOOTH_SHORTEST; kind++) {
            ploy_smooth_rule rule =
                ploy_smooth_rule_make((ploy_smooth_kind)kind, disc_clear, &field);
            CHECK_OK(ploy_path_smooth(from, &rule, &env, to, NULL));
            lengths[kind] = ploy_path_length(to);
            for (int32_t i = 0; i + 1 < ploy_path_count(to); i++) {
                CHECK(disc_clear(&field, ploy_vec3_from_vec2(ploy_path_point(to, i), 0),
                                 ploy_vec3_from_vec2(ploy_path_point(to, i + 1), 0)));
            }
            CHECK(ploy_vec2_equal(ploy_path_point(to, ploy_path_count(to) - 1),
                                  ploy_vec2_from_vec3(at)));
        }
        CHECK(lengths[PLOY_SMOOTH_QUICK] <= lengths[PLOY_SMOOTH_NONE] + 1e-3f);
        CHECK(lengths[PLOY_SMOOTH_SHORTEST] <= lengths[PLOY_SMOOTH_QUICK] + 1e-3f);
        CHECK(lengths[PLOY_SMOOTH_SHORTEST] <= lengths[PLOY_SMOOTH_PRECISE] + 1e-3f);
        CHECK_OK(ploy_path_curve(from, 0.05f, disc_clear, &field, &env, to));
        for (int32_t i = 0; i + 1 < ploy_path_count(to); i++) {
            CHECK(disc_clear(&field, ploy_vec3_from_vec2(ploy_path_point(to, i), 0),
                             ploy_vec3_from_vec2(ploy_path_point(to, i + 1), 0)));
        }
        CHECK(ploy_path_count(to) >= ploy_path_count(from));
        ploy_path_destroy(from);
        ploy_path_destroy(to);
    }
}

static bool upward_clear(void *user, ploy_vec3 from, ploy_vec3 to) {
    (void)user;
    return from.x == to.x;
}

TEST(edges_of_a_kind_and_turns_that_do_not_fit_stay) { // PLN-19
    ploy_env env = ploy_env_default();
    line_sight all = {"02 03 04 05 13 14 15 24 25 35"};
    ploy_path *from = empty_path(t), *to = empty_path(t);
    ploy_path_edge door = {ploy_name_of("door"), 1.0f, 0.0f, {3, 1}};
    for (int32_t i = 0; i < 6; i++) {
        CHECK_OK(ploy_path_append(from, ploy_vec2_make((float)i, 0), 0, i == 3 ? &door : NULL));
    }
    for (int32_t kind = PLOY_SMOOTH_QUICK; kind <= PLOY_SMOOTH_SHORTEST; kind++) {
        ploy_smooth_rule rule = ploy_smooth_rule_make((ploy_smooth_kind)kind, line_sees, &all);
        CHECK_OK(ploy_path_smooth(from, &rule, &env, to, NULL));
        int32_t doors = 0;
        for (int32_t i = 0; i + 1 < ploy_path_count(to); i++) {
            const ploy_path_edge *edge = ploy_path_edge_from(to, i);
            if (edge->link.generation == 0) continue;
            doors++;
            CHECK_NEAR(ploy_path_point(to, i).x, 2, 0);
            CHECK_NEAR(ploy_path_point(to, i + 1).x, 3, 0);
        }
        CHECK_INT(doors, 1);
    }
    // A right angle of edges of 2 m fits a radius of 1 m, not one of 1.5 m.
    ploy_path_clear(from);
    static const ploy_vec2 corner[] = {{0, 0}, {2, 0}, {2, 1}, {2, 2}};
    CHECK_OK(ployi_path_set(from, corner, 4));
    for (int32_t i = 0; i < 2; i++) {
        ploy_smooth_rule rule = ploy_smooth_rule_make(PLOY_SMOOTH_PRECISE, upward_clear, NULL);
        rule.turn_radius = i == 0 ? 1.0f : 1.5f;
        CHECK_OK(ploy_path_smooth(from, &rule, &env, to, NULL));
        CHECK_INT(ploy_path_count(to), i == 0 ? 3 : 4);
    }
    ploy_smooth_rule blind = ploy_smooth_rule_make(PLOY_SMOOTH_QUICK, NULL, NULL);
    CHECK_INT(ploy_path_smooth(from, &blind, &env, to, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_smooth(from, &blind, &env, from, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_path_curve(from, 0, NULL, NULL, &env, to), PLOY_ERR_ARGUMENT);
    ploy_path_destroy(from);
    ploy_path_destroy(to);
}
