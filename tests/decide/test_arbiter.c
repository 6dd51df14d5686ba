// Arbitration: the text's table, personalities from files, strategy sets and guesses.
#include "decide/decide_internal.h"
#include "ploy/decide/arbiter.h"
#include "ploy/decide/utility.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

// What a bot shows of itself.
typedef struct bot {
    float health, health_distance, shotgun_distance, railgun_distance, rocket_distance;
    float shotgun, railgun, rocket; // ammunition, 0 to 1
    bool target;
} bot;

static float want_health(void *user, const ploy_moment *moment, const float *args) {
    const bot *own = moment->context->world;
    (void)user, (void)args;
    return own->health_distance == 1.0f ? 0.0f : 0.2f * (1.0f - own->health) / own->health_distance;
}

static float want_weapon(const bot *own, float distance, float strength) {
    return distance == 1.0f ? 0.0f : 0.15f * own->health * (1.0f - strength) / distance;
}

static float want_shotgun(void *user, const ploy_moment *moment, const float *args) {
    const bot *own = moment->context->world;
    (void)user, (void)args;
    return want_weapon(own, own->shotgun_distance, own->shotgun);
}

static float want_railgun(void *user, const ploy_moment *moment, const float *args) {
    const bot *own = moment->context->world;
    (void)user, (void)args;
    return want_weapon(own, own->railgun_distance, own->railgun);
}

static float want_rocket(void *user, const ploy_moment *moment, const float *args) {
    const bot *own = moment->context->world;
    (void)user, (void)args;
    return want_weapon(own, own->rocket_distance, own->rocket);
}

static float strength(const bot *own) {
    return (own->shotgun + own->railgun + own->rocket) / 3.0f;
}

static float want_attack(void *user, const ploy_moment *moment, const float *args) {
    const bot *own = moment->context->world;
    (void)user, (void)args;
    return own->target ? strength(own) * own->health : 0.0f;
}

static float want_explore(void *user, const ploy_moment *moment, const float *args) {
    (void)user, (void)moment, (void)args;
    return 0.05f;
}

static const ploy_goal_type strategy = {.name = "strategy", .composite = false};

static const struct {
    const char *name;
    ploy_score_fn fn;
} strategies[] = {{"health", want_health},   {"explore", want_explore}, {"attack", want_attack},
                  {"shotgun", want_shotgun}, {"railgun", want_railgun}, {"rocket", want_rocket}};

// A type with the strategies [first, end) of the table.
static ploy_arbiter_type *make_type(test_context *t, int32_t first, int32_t end, ploy_ties ties,
                                    const ploy_env *env) {
    ploy_arbiter_def def = ploy_arbiter_def_default();
    def.ties = (int32_t)ties;
    ploy_arbiter_type *type = NULL;
    CHECK_OK(ploy_arbiter_type_create(&def, NULL, env, &type));
    for (int32_t i = first; i < end; i++) {
        ploy_score score = ploy_score_call(ploy_arbiter_type_conditions(type), strategies[i].name,
                                           strategies[i].fn, NULL);
        ploy_evaluator evaluator = ploy_evaluator_make(strategies[i].name, score, &strategy);
        evaluator.params[0] = (unsigned char)i; // so that strategies differ
        evaluator.param_size = 1;
        CHECK_OK(ploy_arbiter_type_add(type, &evaluator));
    }
    CHECK_OK(ploy_arbiter_type_finish(type));
    return type;
}

typedef struct scene {
    ploy_env env;
    ploy_arbiter_type *type;
    ploy_arbiter *arbiter;
    ploy_goals *goals;
    ploy_step_context context;
} scene;

static void start(test_context *t, scene *s) {
    memset(s, 0, sizeof *s);
    s->env = ploy_env_default();
    s->type = make_type(t, 0, (int32_t)COUNT_OF(strategies), PLOY_TIES_FIRST, &s->env);
    CHECK_OK(ploy_arbiter_create(s->type, NULL, &s->env, &s->arbiter));
    s->goals = ploy_arbiter_goals(s->arbiter);
}

static void end(scene *s) {
    ploy_arbiter_destroy(s->arbiter);
    ploy_arbiter_type_destroy(s->type);
}

static ploy_moment seen_of(scene *s, const bot *view) {
    s->context.world = view;
    return ploy_moment_make(&s->context);
}

static float score_of(scene *s, int32_t index, const bot *view) {
    ploy_moment moment = seen_of(s, view);
    return ploy_arbiter_score(s->arbiter, index, &moment);
}

static const char *choice_of(scene *s, const bot *view, float *score, float *margin) {
    ploy_moment moment = seen_of(s, view);
    return ploy_arbiter_type_name(s->type, ploy_arbiter_choose(s->arbiter, &moment, score, margin));
}

static const bot example = {0.5f, 0.25f, 0.5f, 1.0f, 0.3f, 0.5f, 0.0f, 0.0f, true};

// GOA-17 to GOA-22, GOA-24's aggressive character, GOA-25's file.
TEST(scores_and_winners_are_those_of_the_table) {
    static const float plain[] = {0.40f, 0.05f, 0.083333f, 0.075f, 0.0f, 0.25f};
    static const float biased[] = {0.24f, 0.05f, 0.125f, 0.075f, 0.0f, 0.25f};
    static const char file[] = "{\"bias\": {\"health\": 0.6, \"attack\": 1.5}}";
    scene s;
    start(t, &s);
    for (int32_t i = 0; i < 6; i++) CHECK_NEAR(score_of(&s, i, &example), plain[i], 1e-5);
    CHECK_TEXT(choice_of(&s, &example, NULL, NULL), "health");
    CHECK_OK(ploy_arbiter_load(s.arbiter, file, strlen(file), "aggressive.json", NULL));
    for (int32_t i = 0; i < 6; i++) CHECK_NEAR(score_of(&s, i, &example), biased[i], 1e-5);
    CHECK_TEXT(choice_of(&s, &example, NULL, NULL), "rocket");
    CHECK_OK(ploy_arbiter_set_bias(s.arbiter, "health", 1.0f));
    bot hurt = example;
    hurt.health = 0.2f;
    hurt.health_distance = 0.1f;
    CHECK_SAME(score_of(&s, 0, &hurt), 1.0); // 1.6 is clamped
    end(&s);
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
    scene s;
    start(t, &s);
    bot seen = {0.2f, 0.2f, 1, 1, 1, 0.5f, 0.5f, 0.5f, true};
    float score = 0.0f, margin = 0.0f;
    CHECK_TEXT(choice_of(&s, &seen, &score, &margin), "health");
    CHECK_NEAR(score, 0.8, 1e-5);
    CHECK_NEAR(margin, 0.7, 1e-5);
    end(&s);
}

static void step(test_context *t, scene *s, const bot *view) {
    ploy_status status;
    s->context.world = view;
    CHECK_OK(ploy_behavior_step(ploy_arbiter_behavior(s->arbiter), &s->context, &status));
    CHECK_INT(status, PLOY_STATUS_RUNNING);
    s->context.now += 0.25;
}

// S10, S11, S18.
TEST(a_strategy_that_wins_again_goes_on_and_a_set_can_be_changed) {
    scene s;
    start(t, &s);
    ploy_goal root = ploy_goals_root(s.goals);
    step(t, &s, &example);
    ploy_goal first = ploy_goals_first(s.goals, root);
    for (int32_t i = 0; i < 8; i++) step(t, &s, &example);
    CHECK(ploy_goal_equal(ploy_goals_first(s.goals, root), first)); // untouched
    bot well = example;
    well.health = 1.0f;
    step(t, &s, &well);
    step(t, &s, &well);
    CHECK_TEXT(ploy_arbiter_type_name(s.type, ploy_arbiter_current(s.arbiter)), "rocket");
    CHECK(!ployi_goals_has(s.goals, first));
    CHECK_INT(ploy_goals_count(s.goals), 1);
    // Another set without it: replaced at the next step. Biases are kept by name.
    CHECK_OK(ploy_arbiter_set_bias(s.arbiter, "explore", 2.0f));
    ploy_arbiter_type *calm = make_type(t, 1, 2, PLOY_TIES_FIRST, &s.env);
    CHECK_OK(ploy_arbiter_set_type(s.arbiter, calm));
    CHECK_INT(ploy_arbiter_current(s.arbiter), -1);
    CHECK_SAME(ployi_arbiter_bias(s.arbiter, "explore"), 2.0);
    step(t, &s, &well);
    CHECK_TEXT(ploy_arbiter_type_name(calm, ploy_arbiter_current(s.arbiter)), "explore");
    end(&s);
    ploy_arbiter_type_destroy(calm);
}

// What a step reported of its strategies.
typedef struct told {
    char text[512];
    double won, lost; // the winner's score, and the highest of the others
} told;

static void told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)user, (void)agent, (void)topic, (void)technique;
}

static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    told *to = user;
    size_t used = strlen(to->text);
    snprintf(to->text + used, sizeof to->text - used, "%s %s (%s). ", name,
             ploy_outcome_text(outcome), reason);
    if (outcome == PLOY_OUTCOME_WON) to->won = score;
    if (outcome == PLOY_OUTCOME_LOST && score > to->lost) to->lost = score;
}

static void told_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static void told_note(void *user, const char *text) {
    (void)user, (void)text;
}

static void told_end(void *user) {
    (void)user;
}

static float like_well(void *user, const ploy_moment *moment, const float *args) {
    (void)args;
    return ((const float *)moment->context->world)[*(const int32_t *)user];
}

// With a bonus for the running strategy, the scores that are reported are those that were compared.
TEST(a_strategy_that_is_kept_by_its_bonus_says_so) {
    static const int32_t numbers[3] = {0, 1, 2};
    static const char *const names[3] = {"rest", "dig", "flee"};
    ploy_env env = ploy_env_default();
    ploy_arbiter_def def = ploy_arbiter_def_default();
    def.commitment = 0.125f;
    ploy_arbiter_type *type = NULL;
    CHECK_OK(ploy_arbiter_type_create(&def, NULL, &env, &type));
    for (int32_t i = 0; i < 3; i++) {
        ploy_score score = ploy_score_call(ploy_arbiter_type_conditions(type), names[i], like_well,
                                           (void *)(uintptr_t)&numbers[i]);
        ploy_evaluator evaluator = ploy_evaluator_make(names[i], score, &strategy);
        evaluator.params[0] = (unsigned char)i;
        evaluator.param_size = 1;
        CHECK_OK(ploy_arbiter_type_add(type, &evaluator));
    }
    CHECK_OK(ploy_arbiter_type_finish(type));
    ploy_arbiter *arbiter = NULL;
    CHECK_OK(ploy_arbiter_create(type, NULL, &env, &arbiter));
    static const struct {
        const char *row, *text;
        float scores[3];
    } rows[] = {
        {"first",
         "rest won (the most desirable). dig lost (less desirable). flee rejected (not desirable "
         "at "
         "all). ",
         {0.5f, 0.25f, 0}},
        {"ahead without the bonus too",
         "rest won (the most desirable, and pursued already). dig lost (less desirable). flee "
         "rejected (not desirable at all). ",
         {0.5f, 0.25f, 0}},
        {"kept",
         "rest won (pursued already, which adds 0.125). dig lost (less desirable). flee rejected "
         "(not desirable at all). ",
         {0.5f, 0.5625f, 0}},
        {"equal",
         "rest won (pursued already, which adds 0.125). dig lost (equal; the tie was broken "
         "against "
         "it). flee rejected (not desirable at all). ",
         {0.5f, 0.625f, 0}},
        {"left",
         "rest lost (pursued until now, less desirable). dig won (the most desirable). flee "
         "rejected (not desirable at all). ",
         {0.5f, 0.75f, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        told to = {{0}, 0.0, 0.0};
        ploy_trace trace = {told_begin, told_option, told_value, told_note, told_end, &to};
        ploy_step_context context = ploy_step_context_make(ploy_agent_id_make(1, 1), NULL, 1.0f);
        context.world = (void *)(uintptr_t)rows[i].scores;
        context.now = (double)i * 100.0;
        context.trace = &trace;
        CHECK_OK(ploy_arbiter_step(arbiter, &context));
        CHECK_TEXT(to.text, rows[i].text);
        CHECK(to.won >= to.lost);
    }
    t->row = NULL;
    ploy_arbiter_destroy(arbiter);
    ploy_arbiter_type_destroy(type);
}

// A bot that passes a door passes it, whatever became more desirable meanwhile.
TEST(a_committed_goal_keeps_its_strategy_until_it_has_ended) {
    static const ploy_goal_type door = {.name = "door", .committed = true};
    scene s;
    start(t, &s);
    ploy_goal root = ploy_goals_root(s.goals), passing;
    step(t, &s, &example);
    CHECK_TEXT(ploy_arbiter_type_name(s.type, ploy_arbiter_current(s.arbiter)), "health");
    CHECK_OK(ploy_goals_add(s.goals, &s.context, root, PLOY_GOAL_FRONT, &door, NULL, 0, &passing));
    bot well = example;
    well.health = 1.0f;
    for (int32_t i = 0; i < 8; i++) step(t, &s, &well);
    CHECK_TEXT(ploy_arbiter_type_name(s.type, ploy_arbiter_current(s.arbiter)), "health");
    CHECK(ploy_goal_equal(ploy_goals_first(s.goals, root), passing));
    CHECK_OK(ploy_goals_set_status(s.goals, passing, PLOY_GOAL_COMPLETED));
    step(t, &s, &well);
    CHECK_TEXT(ploy_arbiter_type_name(s.type, ploy_arbiter_current(s.arbiter)), "rocket");
    end(&s);
}

TEST(ties_go_to_the_first_the_last_or_any) { // GOA-17
    static const ploy_score_fn same = want_explore;
    ploy_env env = ploy_env_default();
    for (int32_t ties = 0; ties < PLOY_TIES_COUNT; ties++) {
        ploy_arbiter_def def = ploy_arbiter_def_default();
        def.ties = ties;
        ploy_arbiter_type *type = NULL;
        ploy_arbiter *arbiter = NULL;
        CHECK_OK(ploy_arbiter_type_create(&def, NULL, &env, &type));
        static const char *const names[] = {"a", "b", "c"};
        for (int32_t i = 0; i < 3; i++) {
            ploy_score score =
                ploy_score_call(ploy_arbiter_type_conditions(type), names[i], same, NULL);
            ploy_evaluator one = ploy_evaluator_make(names[i], score, &strategy);
            CHECK_OK(ploy_arbiter_type_add(type, &one));
        }
        CHECK_OK(ploy_arbiter_type_finish(type));
        CHECK_OK(ploy_arbiter_create(type, NULL, &env, &arbiter));
        ploy_step_context context;
        memset(&context, 0, sizeof context);
        int32_t won[3] = {0};
        for (uint64_t tick = 0; tick < 300; tick++) {
            context.tick = tick;
            ploy_moment moment = ploy_moment_make(&context);
            won[ploy_arbiter_choose(arbiter, &moment, NULL, NULL)]++;
        }
        if (ties == PLOY_TIES_FIRST) CHECK_INT(won[0], 300);
        if (ties == PLOY_TIES_LAST) CHECK_INT(won[2], 300);
        for (int32_t i = 0; i < 3 && ties == PLOY_TIES_RANDOM; i++) {
            CHECK(won[i] > 60 && won[i] < 140);
        }
        ploy_arbiter_destroy(arbiter);
        ploy_arbiter_type_destroy(type);
    }
}

TEST(a_saved_arbiter_goes_on_with_its_strategy_and_personality) {
    scene s, other;
    start(t, &s);
    start(t, &other);
    CHECK_OK(ploy_arbiter_set_bias(s.arbiter, "rocket", 3.0f));
    for (int32_t i = 0; i < 3; i++) step(t, &s, &example);
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &s.env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    ploy_behavior_save(ploy_arbiter_behavior(s.arbiter), &json);
    ploy_json_def def = ploy_json_def_default();
    ploy_json *doc = NULL;
    CHECK_OK(ploy_json_load(text.bytes, text.size, "saved", &def, &s.env, NULL, &doc));
    CHECK_OK(ploy_behavior_load(ploy_arbiter_behavior(other.arbiter), &other.context, doc,
                                ploy_json_root(doc), NULL));
    CHECK_INT(ploy_arbiter_current(other.arbiter), ploy_arbiter_current(s.arbiter));
    CHECK_SAME(ployi_arbiter_bias(other.arbiter, "rocket"), 3.0);
    CHECK_INT(ploy_goals_count(other.goals), 1);
    ploy_json_destroy(doc);
    ploy_buffer_fini(&text);
    end(&s);
    end(&other);
}

TEST(personalities_with_faults_are_refused_whole) {
    static const struct {
        const char *row, *file, *want;
    } rows[] = {
        {"misspelt", "{\"bias\": {\"health\": 0.5,\n\"atack\": 1}}", "did you mean 'attack'?"},
        {"too large", "{\"bias\": {\"attack\": 11}}", "expected a number from 0 to 10"},
        {"no object", "[1]", "invalid personality"},
        {"unknown key", "{\"bias\": {}, \"biass\": 1}", "biass"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scene s;
        start(t, &s);
        ploy_diags *diags = NULL;
        char text[700];
        t->row = rows[i].row;
        CHECK_OK(ploy_diags_create(8, &s.env, &diags));
        CHECK_INT(ploy_arbiter_load(s.arbiter, rows[i].file, strlen(rows[i].file), "p.json", diags),
                  PLOY_ERR_FORMAT);
        (void)ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
        CHECK(strstr(text, rows[i].want) != NULL);
        CHECK_SAME(ployi_arbiter_bias(s.arbiter, "health"), 1.0);
        ploy_diags_destroy(diags);
        end(&s);
    }
}

static ploy_result make_arbiter(const ploy_env *env, void *arg) {
    static const char file[] = "{\"bias\": {\"a\": 2}}";
    ploy_arbiter_def def = ploy_arbiter_def_default();
    ploy_arbiter_type *type = NULL;
    ploy_arbiter *arbiter = NULL;
    (void)arg;
    ploy_result result = ploy_arbiter_type_create(&def, NULL, env, &type);
    if (result != PLOY_OK) return result;
    ploy_score score = ploy_score_text(ploy_arbiter_type_conditions(type), "0.5");
    ploy_evaluator a = ploy_evaluator_make("a", score, &strategy);
    result = ploy_arbiter_type_add(type, &a);
    if (result == PLOY_OK) result = ploy_arbiter_type_finish(type);
    if (result == PLOY_OK) result = ploy_arbiter_create(type, NULL, env, &arbiter);
    if (result == PLOY_OK) result = ploy_arbiter_set_type(arbiter, type);
    if (result == PLOY_OK) result = ploy_arbiter_load(arbiter, file, strlen(file), "p", NULL);
    ploy_arbiter_destroy(arbiter);
    ploy_arbiter_type_destroy(type);
    return result;
}

TEST(making_and_loading_survive_every_failing_allocation) {
    ploy_rng rng = ploy_rng_make(1);
    CHECK_FAIL_NTH(make_arbiter, NULL);
    scene s;
    start(t, &s);
    ployi_arbiter_draw_biases(s.arbiter, &rng, 0.5f, 1.5f);
    for (int32_t i = 0; i < 6; i++) {
        float bias = ployi_arbiter_bias(s.arbiter, ploy_arbiter_type_name(s.type, i));
        CHECK(bias >= 0.5f && bias <= 1.5f);
    }
    end(&s);
}

TEST(bad_strategies_are_refused) {
    for (int32_t i = 0; i < 4; i++) {
        ploy_env env = ploy_env_default();
        ploy_arbiter_def def = ploy_arbiter_def_default();
        ploy_arbiter_type *type = NULL;
        CHECK_OK(ploy_arbiter_type_create(&def, NULL, &env, &type));
        ploy_score score = ploy_score_text(ploy_arbiter_type_conditions(type), i == 3 ? "no" : "1");
        ploy_evaluator one = ploy_evaluator_make("x", score, &strategy);
        if (i == 0) CHECK_OK(ploy_arbiter_type_add(type, &one));
        if (i == 1) one.bias = NAN;
        if (i == 2) one.score = ploy_score_none();
        static const ploy_result want[] = {PLOY_ERR_EXISTS, PLOY_ERR_ARGUMENT, PLOY_ERR_ARGUMENT,
                                           PLOY_ERR_NOT_FOUND};
        CHECK_INT(ploy_arbiter_type_add(type, &one), want[i]);
        CHECK_INT(ploy_arbiter_type_finish(type), want[i]);
        ploy_arbiter_type_destroy(type);
    }
}
