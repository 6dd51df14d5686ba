// Personalities from files: what is read, what is refused, and that a fault changes nothing.
#include "decide/decide_internal.h"
#include "ploy/decide/personality.h"

#include "tests/test.h"

typedef struct traits {
    uint32_t cookie;
    float accuracy, shotgun, keep_distance;
} traits;

static const ploy_field trait_table[] = {
    PLOY_FIELD_F32(traits, accuracy, 0.5f, 0, 1, "", "of aiming"),
    PLOY_FIELD_F32(traits, shotgun, 1, 0, 10, "", "how much it is liked"),
    PLOY_FIELD_F32(traits, keep_distance, 8, 0, 100, "m", "from enemies"),
};

static float half(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment, (void)args;
    return 0.5f;
}

// GOA-25.
TEST(a_personality_is_read_whole_or_not_at_all) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        double accuracy, attack;
    } rows[] = {
        {"all of it", "{\"bias\": {\"attack\": 1.5}, \"traits\": {\"accuracy\": 0.8}}", PLOY_OK,
         0.8, 1.5},
        {"only traits", "{\"traits\": {\"accuracy\": 0.25}}", PLOY_OK, 0.25, 1.0},
        {"nothing", "{}", PLOY_OK, 0.5, 1.0},
        {"an unknown strategy", "{\"bias\": {\"atack\": 2}, \"traits\": {\"accuracy\": 0.8}}",
         PLOY_ERR_FORMAT, 0.5, 1.0},
        {"a bias below 0", "{\"bias\": {\"attack\": -1}}", PLOY_ERR_FORMAT, 0.5, 1.0},
        {"out of range", "{\"bias\": {\"attack\": 2}, \"traits\": {\"accuracy\": 2}}",
         PLOY_ERR_FORMAT, 0.5, 1.0},
        {"an unknown trait", "{\"traits\": {\"acuracy\": 0.3}}", PLOY_ERR_FORMAT, 0.5, 1.0},
        {"an unknown part", "{\"biases\": {}}", PLOY_ERR_FORMAT, 0.5, 1.0},
        {"no object", "[1]", PLOY_ERR_FORMAT, 0.5, 1.0},
    };
    static const ploy_goal_type attack = {.name = "attack"};
    ploy_env env = ploy_env_default();
    ploy_fields fields = PLOY_FIELDS(traits, trait_table);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_arbiter_def def = ploy_arbiter_def_default();
        ploy_arbiter_type *type = NULL;
        ploy_arbiter *arbiter = NULL;
        CHECK_OK(ploy_arbiter_type_create(&def, NULL, &env, &type));
        ploy_score score = ploy_score_call(ploy_arbiter_type_conditions(type), "half", half, NULL);
        ploy_evaluator evaluator = ploy_evaluator_make("attack", score, &attack);
        CHECK_OK(ploy_arbiter_type_add(type, &evaluator));
        CHECK_OK(ploy_arbiter_type_finish(type));
        CHECK_OK(ploy_arbiter_create(type, NULL, &env, &arbiter));
        traits own;
        ploy_fields_default(fields, &own);
        ploy_diags *diags = NULL;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(ploy_personality_load(rows[i].text, strlen(rows[i].text), "bot", fields, &own,
                                        arbiter, diags, &env),
                  rows[i].want);
        CHECK(rows[i].want == PLOY_OK || ploy_diags_get(diags, 0)->line == 1);
        if (i == 3) CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, "attack");
        CHECK_NEAR(own.accuracy, rows[i].accuracy, 1e-6);
        CHECK_NEAR(ployi_arbiter_bias(arbiter, "attack"), rows[i].attack, 1e-6);
        ploy_diags_destroy(diags);
        ploy_arbiter_destroy(arbiter);
        ploy_arbiter_type_destroy(type);
    }
}

static ploy_result load_personality(const ploy_env *env, void *arg) {
    static const char text[] = "{\"traits\": {\"accuracy\": 0.8, \"shotgun\": 2}}";
    ploy_fields fields = PLOY_FIELDS(traits, trait_table);
    traits own;
    (void)arg;
    ploy_fields_default(fields, &own);
    return ploy_personality_load(text, sizeof text - 1, "bot", fields, &own, NULL, NULL, env);
}

TEST(loading_a_personality_survives_short_memory) {
    CHECK_FAIL_NTH(load_personality, NULL);
}
