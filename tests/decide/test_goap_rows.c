// Planning domains from tables.
#include "ploy/decide/goap_rows.h"
#include "tests/test.h"

static const ploy_goap_range ranges[] = {{"wood", 0, 3}};
static const ploy_goap_row rows[] = {
    {"get axe", 1, NULL, "axe := true"},
    {"chop", 2, "axe && !tired && wood < 3", "wood += 1; tired := true"},
    {"rest", 1, "tired", "tired := false"},
    {"burn", 1, "wood >= 2 && wood != 5", "wood -= 2; warm = true"},
};

TEST(a_table_makes_the_domain_that_calls_make) {
    ploy_env env = ploy_env_default();
    ploy_goap_type *type = NULL;
    ploy_goap *goap = NULL;
    ploy_goap_def def = ploy_goap_def_default();
    ploy_goap_need goal[4];
    int32_t count = 0, plan[16];
    CHECK_OK(ploy_goap_type_from(ranges, 1, rows, (int32_t)COUNT_OF(rows), &env, NULL, &type));
    CHECK_INT(ploy_goap_type_vars(type), 4);
    CHECK_OK(ploy_goap_needs_text(type, "warm && wood > 0", &env, NULL, goal, 4, &count));
    CHECK_INT(count, 2);
    CHECK_OK(ploy_goap_create(&def, type, &env, &goap));
    uint64_t world[1];
    ploy_goap_world_clear(type, world);
    CHECK_OK(ploy_goap_run(goap, world, goal, count));
    static const char *const want[] = {"get axe", "chop", "rest", "chop", "rest", "chop", "burn"};
    CHECK_INT(ploy_goap_plan(goap, plan, 16), (int32_t)COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        CHECK_TEXT(ploy_goap_type_action_id(type, plan[i]), want[i]);
    }
    ploy_goap_destroy(goap);
    CHECK_INT(ploy_goap_needs_text(type, "gold", &env, NULL, goal, 4, &count), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_goap_needs_text(type, "warm && axe && !tired", &env, NULL, goal, 2, &count),
              PLOY_ERR_CAPACITY);
    ploy_goap_type_destroy(type);
}

TEST(bad_rows_are_told_with_their_place) {
    static const struct {
        ploy_goap_row row;
        const char *want;
    } bad[] = {
        {{"a", 1, "x +", "y := 1"},
         "a:1:4: error: unexpected end of the expression; expected a value"},
        {{"a", 1, "x || y", "y := 1"},
         "a:1:3: error: invalid need; expected a name, !name or a comparison with a whole number"},
        {{"a", 1, "x < 1.5", "y := 1"}, "a:1:5: error: invalid constant; expected a whole number"},
        {{"a", 1, NULL, "y"}, "a:1:1: error: invalid gain; expected an assignment"},
        {{"a", 1, NULL, "y := z"}, "a:1:6: error: invalid constant; expected a whole number"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ploy_goap_type *type = NULL;
        ploy_diags *diags = NULL;
        char text[256];
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_INT(ploy_goap_type_from(NULL, 0, &bad[i].row, 1, &env, diags, &type),
                  PLOY_ERR_FORMAT);
        (void)ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK_TEXT(text, bad[i].want);
        ploy_diags_destroy(diags);
    }
}

static ploy_result make_domain(const ploy_env *env, void *arg) {
    ploy_goap_type *type = NULL;
    (void)arg;
    ploy_result result =
        ploy_goap_type_from(ranges, 1, rows, (int32_t)COUNT_OF(rows), env, NULL, &type);
    ploy_goap_type_destroy(type);
    return result;
}

TEST(making_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(make_domain, NULL);
}
