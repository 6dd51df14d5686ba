#include "ploy/exec/maker.h"

#include "tests/test.h"

static ploy_result maker_nothing(void *user, const ploy_env *env, ploy_behavior *out) {
    (void)env;
    (void)out;
    return *(ploy_result *)user;
}

TEST(a_maker_that_makes_nothing_is_an_error) {
    ploy_env env = ploy_env_default();
    ploy_behavior behavior = {NULL, NULL};
    ploy_result answer = PLOY_OK;
    CHECK(ploy_maker_is_none(ploy_maker_none()));
    CHECK_OK(ploy_maker_make(ploy_maker_none(), &env, &behavior));
    CHECK(behavior.type == NULL);
    ploy_maker maker = ploy_maker_of(maker_nothing, &answer);
    CHECK(!ploy_maker_is_none(maker));
    CHECK(ploy_maker_equal(maker, maker) && !ploy_maker_equal(maker, ploy_maker_none()));
    CHECK_INT(ploy_maker_make(maker, &env, &behavior), PLOY_ERR_CALLBACK);
    answer = PLOY_IN_PROGRESS;
    CHECK_INT(ploy_maker_make(maker, &env, &behavior), PLOY_ERR_CALLBACK);
    answer = PLOY_ERR_LIMIT;
    CHECK_INT(ploy_maker_make(maker, &env, &behavior), PLOY_ERR_LIMIT);
    CHECK_INT(ploy_maker_make(maker, NULL, &behavior), PLOY_ERR_ARGUMENT);
}

static const ploy_blackboard_key maker_keys[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, NULL},
    {"ammo", PLOY_VALUE_I64, {PLOY_VALUE_NONE, {0}}, NULL},
};
static const ploy_blackboard_key maker_real_ammo[] = {
    {"health", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"enemy", PLOY_VALUE_ID, {PLOY_VALUE_NONE, {0}}, NULL},
    {"ammo", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
};
static ploy_blackboard_layout *maker_layout(test_context *t, const ploy_blackboard_key *keys,
                                            int32_t count) {
    ploy_env env = ploy_env_default();
    ploy_blackboard_layout *layout = NULL;
    CHECK_OK(ploy_blackboard_layout_create(keys, count, "keys", &env, NULL, &layout));
    return layout;
}

TEST(a_layout_fits_only_itself_and_faults_name_the_keys) {
    static const struct {
        const char *row;
        const ploy_blackboard_key *inner;
        int32_t inner_count;
        const ploy_blackboard_key *outer;
        int32_t outer_count;
        ploy_result want;
        int32_t faults;
    } rows[] = {
        {"equal but another object", maker_keys, 3, maker_keys, 3, PLOY_ERR_ARGUMENT, 1},
        {"a key is missing", maker_keys, 3, maker_keys, 2, PLOY_ERR_NOT_FOUND, 1},
        {"two keys are missing", maker_keys, 3, maker_keys, 1, PLOY_ERR_NOT_FOUND, 2},
        {"another type", maker_keys, 3, maker_real_ammo, 3, PLOY_ERR_ARGUMENT, 1},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_blackboard_layout *inner = maker_layout(t, rows[i].inner, rows[i].inner_count);
        ploy_blackboard_layout *outer = maker_layout(t, rows[i].outer, rows[i].outer_count);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(ploy_maker_check_layout(inner, outer, diags), rows[i].want);
        CHECK_INT(ploy_diags_count(diags), rows[i].faults);
        CHECK_OK(ploy_maker_check_layout(outer, outer, diags));
        CHECK_OK(ploy_maker_check_layout(NULL, outer, diags));
        CHECK_OK(ploy_maker_check_layout(inner, NULL, diags));
        ploy_diags_destroy(diags);
        ploy_blackboard_layout_destroy(inner);
        ploy_blackboard_layout_destroy(outer);
    }
}

static ploy_result maker_check_keys(const void *user, const ploy_blackboard_layout *layout,
                                    ploy_diags *diags) {
    return ploy_maker_check_layout(user, layout, diags);
}

static void maker_log(void *user, ploy_severity severity, const char *text) {
    char *line = user;
    if (severity == PLOY_SEVERITY_ERROR) strncat(line, text, 255);
}

TEST(a_check_logs_its_faults_if_there_are_no_diags) {
    char line[512] = "";
    ploy_env env = ploy_env_default();
    env.log = maker_log;
    env.log_user = line;
    ploy_blackboard_layout *inner = maker_layout(t, maker_keys, 3);
    ploy_blackboard_layout *outer = maker_layout(t, maker_keys, 2);
    ploy_maker maker = ploy_maker_of(maker_nothing, inner);
    CHECK_OK(ploy_maker_check(maker, outer, &env, NULL)); // without a check
    maker.check = maker_check_keys;
    CHECK_INT(ploy_maker_check(maker, outer, &env, NULL), PLOY_ERR_NOT_FOUND);
    CHECK(strstr(line, "ammo") != NULL);
    CHECK_OK(ploy_maker_check(maker, inner, &env, NULL));
    ploy_blackboard_layout_destroy(inner);
    ploy_blackboard_layout_destroy(outer);
}
