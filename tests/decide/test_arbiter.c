// Arbitration: the text's table, personalities from files, strategy sets and guesses.
#include "ploy/decide/arbiter.h"
#include "ploy/decide/utility.h"
#include "tests/test.h"

// What a bot shows of itself.
typedef struct bot {
    float health, health_distance, shotgun_distance, railgun_distance, rocket_distance;
    float shotgun, railgun, rocket; // ammunition, 0 to 1
    bool target;
} bot;

static float want_health(void *user, const void *view) {
    const bot *own = view;
    (void)user;
    return own->health_distance == 1.0f ? 0.0f : 0.2f * (1.0f - own->health) / own->health_distance;
}

static float want_weapon(const bot *own, float distance, float strength) {
    return distance == 1.0f ? 0.0f : 0.15f * own->health * (1.0f - strength) / distance;
}

static float want_shotgun(void *user, const void *view) {
    const bot *own = view;
    (void)user;
    return want_weapon(own, own->shotgun_distance, own->shotgun);
}

static float want_railgun(void *user, const void *view) {
    const bot *own = view;
    (void)user;
    return want_weapon(own, own->railgun_distance, own->railgun);
}

static float want_rocket(void *user, const void *view) {
    const bot *own = view;
    (void)user;
    return want_weapon(own, own->rocket_distance, own->rocket);
}

static float strength(const bot *own) {
    return (own->shotgun + own->railgun + own->rocket) / 3.0f;
}

static float want_attack(void *user, const void *view) {
    const bot *own = view;
    (void)user;
    return own->target ? strength(own) * own->health : 0.0f;
}

static float want_explore(void *user, const void *view) {
    (void)user, (void)view;
    return 0.05f;
}

static const ploy_goal_type strategy = {.name = "strategy", .composite = false};

static const struct {
    const char *name;
    ploy_desirability_fn fn;
} strategies[] = {{"health", want_health},   {"explore", want_explore}, {"attack", want_attack},
                  {"shotgun", want_shotgun}, {"railgun", want_railgun}, {"rocket", want_rocket}};

static ploy_arbiter *start(test_context *t, const ploy_env *env) {
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter *arbiter = NULL;
    CHECK_OK(ploy_arbiter_create(&def, env, &arbiter));
    for (size_t i = 0; i < COUNT_OF(strategies); i++) {
        ploy_evaluator evaluator =
            ploy_evaluator_make(strategies[i].name, strategies[i].fn, &strategy, NULL);
        evaluator.params[0] = (unsigned char)i; // so that strategies differ
        evaluator.param_size = 1;
        CHECK_OK(ploy_arbiter_add(arbiter, &evaluator));
    }
    return arbiter;
}

static const bot example = {0.5f, 0.25f, 0.5f, 1.0f, 0.3f, 0.5f, 0.0f, 0.0f, true};

// GOA-17 to GOA-22, GOA-24's aggressive character, GOA-25's file.
TEST(scores_and_winners_are_those_of_the_table) {
    static const float plain[] = {0.40f, 0.05f, 0.083333f, 0.075f, 0.0f, 0.25f};
    static const float biased[] = {0.24f, 0.05f, 0.125f, 0.075f, 0.0f, 0.25f};
    static const char file[] = "{\"bias\": {\"health\": 0.6, \"attack\": 1.5}}";
    ploy_env env = ploy_env_default();
    ploy_arbiter *arbiter = start(t, &env);
    for (int32_t i = 0; i < 6; i++) {
        CHECK_NEAR(ploy_arbiter_score(arbiter, i, &example), plain[i], 1e-5);
    }
    CHECK_TEXT(ploy_arbiter_name(arbiter, ploy_arbiter_choose(arbiter, &example, NULL, NULL)),
               "health");
    CHECK_OK(ploy_arbiter_load(arbiter, file, strlen(file), "aggressive.json", NULL));
    for (int32_t i = 0; i < 6; i++) {
        CHECK_NEAR(ploy_arbiter_score(arbiter, i, &example), biased[i], 1e-5);
    }
    CHECK_TEXT(ploy_arbiter_name(arbiter, ploy_arbiter_choose(arbiter, &example, NULL, NULL)),
               "rocket");
    CHECK_OK(ploy_arbiter_set_bias(arbiter, "health", 1.0f));
    bot hurt = example;
    hurt.health = 0.2f;
    hurt.health_distance = 0.1f;
    CHECK_SAME(ploy_arbiter_score(arbiter, 0, &hurt), 1.0); // 1.6 is clamped
    ploy_arbiter_destroy(arbiter);
}

// GOA-18, printed: full railgun, half the rockets, no shotgun.
TEST(features_lie_between_nothing_and_one) {
    bot armed = example;
    armed.shotgun = 0.0f;
    armed.railgun = ploy_feature_share(50, 50);
    armed.rocket = ploy_feature_share(10, 20);
    CHECK_NEAR(strength(&armed), 0.5, 1e-6);
    CHECK_SAME(ploy_feature_share(3, 0), 0.0);
    CHECK_SAME(ploy_feature_distance(10, 50, 500), 0.1f);
    CHECK_SAME(ploy_feature_distance(250, 50, 500), 0.5);
    CHECK_SAME(ploy_feature_distance(INFINITY, 50, 500), 1.0);
    CHECK_SAME(ploy_feature_distance(NAN, 50, 500), 1.0);
    // GOA-23: pulls by response curves.
    ploy_curve spring = ploy_curve_inverse(0.1f, 1), magnet = ploy_curve_inverse(0.1f, 2);
    CHECK_NEAR(ploy_curve_at(&spring, 0.5f), 0.2, 1e-6);
    CHECK_NEAR(ploy_curve_at(&magnet, 0.5f), 0.4, 1e-6);
}

// GOA-27: what would I want in his place, and how sure is that?
TEST(another_one_s_strategy_is_guessed_from_what_is_seen_of_him) {
    ploy_env env = ploy_env_default();
    ploy_arbiter *arbiter = start(t, &env);
    bot seen = {0.2f, 0.2f, 1, 1, 1, 0.5f, 0.5f, 0.5f, true};
    float score = 0.0f, margin = 0.0f;
    int32_t guess = ploy_arbiter_choose(arbiter, &seen, &score, &margin);
    CHECK_TEXT(ploy_arbiter_name(arbiter, guess), "health");
    CHECK_NEAR(score, 0.8, 1e-5);
    CHECK_NEAR(margin, 0.7, 1e-5);
    ploy_arbiter_destroy(arbiter);
}

typedef struct scene {
    ploy_goals *goals;
    ploy_step_context context;
} scene;

static void step(test_context *t, scene *s, ploy_arbiter *arbiter, const bot *view) {
    ploy_goal_status status;
    CHECK_OK(ploy_arbiter_step(arbiter, s->goals, &s->context, view));
    CHECK_OK(ploy_goals_step(s->goals, &s->context, &status));
    s->context.now += 0.25;
}

// S10, S11, S18.
TEST(a_strategy_that_wins_again_goes_on_and_a_set_can_be_changed) {
    ploy_env env = ploy_env_default();
    ploy_arbiter *arbiter = start(t, &env);
    ploy_goals_def def = ploy_goals_def_default();
    scene s;
    memset(&s, 0, sizeof s);
    CHECK_OK(ploy_goals_create(&def, NULL, &env, &s.goals));
    ploy_goal root = ploy_goals_root(s.goals);
    step(t, &s, arbiter, &example);
    ploy_goal first = ploy_goals_first(s.goals, root);
    for (int32_t i = 0; i < 8; i++) step(t, &s, arbiter, &example);
    CHECK(ploy_goal_equal(ploy_goals_first(s.goals, root), first)); // untouched
    bot well = example;
    well.health = 1.0f;
    step(t, &s, arbiter, &well);
    step(t, &s, arbiter, &well);
    CHECK_TEXT(ploy_arbiter_name(arbiter, ploy_arbiter_current(arbiter)), "rocket");
    CHECK(!ploy_goals_has(s.goals, first));
    CHECK_INT(ploy_goals_count(s.goals), 1);
    // Another set without it: replaced at the next step.
    ploy_evaluator calm = ploy_evaluator_make("explore", want_explore, &strategy, NULL);
    CHECK_OK(ploy_arbiter_replace(arbiter, &calm, 1));
    CHECK_INT(ploy_arbiter_current(arbiter), -1);
    step(t, &s, arbiter, &well);
    CHECK_TEXT(ploy_arbiter_name(arbiter, ploy_arbiter_current(arbiter)), "explore");
    // Equal scores: the later one.
    ploy_evaluator twin = ploy_evaluator_make("twin", want_explore, &strategy, NULL);
    CHECK_OK(ploy_arbiter_add(arbiter, &twin));
    CHECK_INT(ploy_arbiter_choose(arbiter, &well, NULL, NULL), 1);
    CHECK_OK(ploy_arbiter_remove(arbiter, "twin"));
    CHECK_INT(ploy_arbiter_remove(arbiter, "twin"), PLOY_ERR_NOT_FOUND);
    ploy_goals_destroy(s.goals);
    ploy_arbiter_destroy(arbiter);
}

TEST(personalities_with_faults_are_refused_whole) {
    static const struct {
        const char *row, *file, *want;
    } rows[] = {
        {"misspelt", "{\"bias\": {\"health\": 0.5,\n\"atack\": 1}}", "did you mean 'attack'?"},
        {"too large", "{\"bias\": {\"attack\": 11}}", "expected a number from 0 to 10"},
        {"no object", "[1]", "not a personality"},
        {"unknown key", "{\"bias\": {}, \"biass\": 1}", "biass"},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_arbiter *arbiter = start(t, &env);
        ploy_diags *diags = NULL;
        char text[700];
        t->row = rows[i].row;
        CHECK_OK(ploy_diags_create(8, &env, &diags));
        CHECK_INT(ploy_arbiter_load(arbiter, rows[i].file, strlen(rows[i].file), "p.json", diags),
                  PLOY_ERR_FORMAT);
        (void)ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK(strstr(text, rows[i].want) != NULL);
        CHECK_SAME(ploy_arbiter_bias(arbiter, "health"), 1.0);
        ploy_diags_destroy(diags);
        ploy_arbiter_destroy(arbiter);
    }
}

static ploy_result make_arbiter(const ploy_env *env, void *arg) {
    static const char file[] = "{\"bias\": {\"a\": 2}}";
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter *arbiter = NULL;
    (void)arg;
    ploy_result result = ploy_arbiter_create(&def, env, &arbiter);
    ploy_evaluator a = ploy_evaluator_make("a", want_explore, &strategy, NULL);
    if (result == PLOY_OK) result = ploy_arbiter_add(arbiter, &a);
    if (result == PLOY_OK) result = ploy_arbiter_replace(arbiter, &a, 1);
    if (result == PLOY_OK) result = ploy_arbiter_load(arbiter, file, strlen(file), "p", NULL);
    ploy_arbiter_destroy(arbiter);
    return result;
}

TEST(making_and_loading_survive_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_rng rng = ploy_rng_make(1);
    CHECK_FAIL_NTH(make_arbiter, NULL);
    ploy_arbiter *arbiter = start(t, &env);
    ploy_arbiter_draw_biases(arbiter, &rng, 0.5f, 1.5f);
    for (int32_t i = 0; i < 6; i++) {
        float bias = ploy_arbiter_bias(arbiter, ploy_arbiter_name(arbiter, i));
        CHECK(bias >= 0.5f && bias <= 1.5f);
    }
    ploy_evaluator bad = ploy_evaluator_make("health", want_health, &strategy, NULL);
    CHECK_INT(ploy_arbiter_add(arbiter, &bad), PLOY_ERR_EXISTS);
    bad.name = "x";
    bad.bias = NAN;
    CHECK_INT(ploy_arbiter_add(arbiter, &bad), PLOY_ERR_ARGUMENT);
    ploy_arbiter_destroy(arbiter);
}
