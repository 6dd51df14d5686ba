// Goal-oriented behavior: the worked examples of the text, and choices over offers.
#include "decide/decide_internal.h"
#include "ploy/decide/gob.h"
#include "tests/test.h"

static int32_t choose(ploy_gob_mode mode, bool affected, const ploy_motive *motives, int32_t n,
                      const ploy_gob_action *actions, int32_t m, float *score) {
    ploy_gob_def def = ploy_gob_def_default();
    def.mode = mode;
    def.drift_affected = affected;
    return ploy_gob_choose(&def, motives, n, actions, m, NULL, NULL, ploy_agent_id_none(), score);
}

static ploy_gob_action act(const char *name, const float *changes, float duration) {
    ploy_gob_action action = {name, changes, duration, 0, {0, 0}};
    return action;
}

// GOB-03, N24.
TEST(simple_choice_serves_the_largest_motive) {
    static const float changes[4][2] = {{-3, 0}, {-2, 0}, {0, -4}, {0, -2}};
    const ploy_motive motives[] = {ploy_motive_make("eat", 4), ploy_motive_make("sleep", 3)};
    const ploy_gob_action actions[] = {
        act("Get-Raw-Food", changes[0], 0), act("Get-Snack", changes[1], 0),
        act("Sleep-In-Bed", changes[2], 0), act("Sleep-On-Sofa", changes[3], 0)};
    float score = 0.0f;
    CHECK_INT(choose(PLOY_GOB_SIMPLE, true, motives, 2, actions, 4, &score), 0);
    CHECK_SAME(score, 3.0);
    // No action at all, and none that relieves enough.
    ploy_gob_def def = ploy_gob_def_default();
    def.mode = PLOY_GOB_SIMPLE;
    def.least = 3.5f;
    ploy_agent_id nobody = ploy_agent_id_none();
    CHECK_INT(ploy_gob_choose(&def, motives, 2, actions, 4, NULL, NULL, nobody, NULL), -1);
    CHECK_INT(ploy_gob_choose(&def, motives, 2, actions, 0, NULL, NULL, nobody, NULL), -1);
    CHECK_INT(ploy_gob_choose(&def, motives, 0, actions, 4, NULL, NULL, nobody, NULL), -1);
}

// GOB-04, N25: soda 29 (40 without the five-point scale and with +3), bathroom 16.
TEST(overall_choice_minds_side_effects) {
    static const struct {
        const char *row;
        float soda, max, want;
    } rows[] = {{"as corrected", 2, INFINITY, 29},
                {"first listing", 3, INFINITY, 40},
                {"clamped", 3, 5, 29}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const float drink[] = {-2, rows[i].soda}, visit[] = {0, -4};
        ploy_motive motives[] = {ploy_motive_make("eat", 4), ploy_motive_make("bathroom", 3)};
        motives[0].max = motives[1].max = rows[i].max;
        const ploy_gob_action actions[] = {act("Drink-Soda", drink, 0),
                                           act("Visit-Bathroom", visit, 0)};
        ploy_gob_def def = ploy_gob_def_default();
        float score = 0.0f;
        CHECK_SAME(-ploy_gob_score(&def, motives, 2, &actions[0]), rows[i].want);
        CHECK_INT(choose(PLOY_GOB_OVERALL, true, motives, 2, actions, 2, &score), 1);
        CHECK_SAME(-score, 16.0);
        CHECK_INT(choose(PLOY_GOB_SIMPLE, true, motives, 2, actions, 2, NULL), 0);
        CHECK_SAME(ployi_motives_discontentment(motives, 2), 25.0);
    }
}

// GOB-05, N26: printed 16.25, 25, 25 and by the formula 21.25, 41, 25.
TEST(timed_choice_lets_motives_grow_meanwhile) {
    static const float snack[] = {-2, 0}, meal[] = {-4, 0}, visit[] = {0, -4};
    static const float want[2][3] = {{16.25f, 25, 25}, {21.25f, 41, 25}};
    ploy_motive motives[] = {ploy_motive_make("eat", 4), ploy_motive_make("bathroom", 3)};
    motives[0].rate = 4;
    motives[1].rate = 2;
    const ploy_gob_action actions[] = {act("Eat-Snack", snack, 0.25f),
                                       act("Eat-Main-Meal", meal, 1),
                                       act("Visit-Bathroom", visit, 0.25f)};
    for (int32_t affected = 0; affected < 2; affected++) {
        ploy_gob_def def = ploy_gob_def_default();
        def.mode = PLOY_GOB_TIMED;
        def.drift_affected = affected != 0;
        for (int32_t i = 0; i < 3; i++) {
            CHECK_SAME(-ploy_gob_score(&def, motives, 2, &actions[i]), want[affected][i]);
        }
        CHECK_INT(choose(PLOY_GOB_TIMED, affected != 0, motives, 2, actions, 3, NULL), 0);
    }
}

// GOB-05, exercise 5.18, N32: the charger is better exactly while charge is below 72.5 %.
TEST(the_charger_wins_below_72_5_percent) {
    for (int32_t tenths = 0; tenths <= 1000; tenths += 5) {
        float g = 100.0f - 0.1f * (float)tenths;
        ploy_motive need = ploy_motive_make("charge", g);
        need.rate = 5;
        const float full[] = {-g}, quarter[] = {-25};
        const ploy_gob_action actions[] = {act("battery", quarter, 0.5f), act("charger", full, 1)};
        int32_t best = choose(PLOY_GOB_TIMED, true, &need, 1, actions, 2, NULL);
        if (tenths != 725) CHECK_INT(best, tenths < 725 ? 1 : 0);
    }
}

TEST(hasty_choice_takes_time_off) {
    static const float far[] = {-5}, near[] = {-3};
    const ploy_motive hunger = ploy_motive_make("hunger", 5);
    const ploy_gob_action actions[] = {act("restaurant", far, 10), act("snack", near, 1)};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_agent_id nobody = ploy_agent_id_none();
    def.mode = PLOY_GOB_HASTY;
    CHECK_INT(ploy_gob_choose(&def, &hunger, 1, actions, 2, NULL, NULL, nobody, NULL), 0);
    def.time_penalty = 0.5f;
    CHECK_INT(ploy_gob_choose(&def, &hunger, 1, actions, 2, NULL, NULL, nobody, NULL), 1);
}

TEST(equals_are_drawn_evenly_or_the_first_wins) {
    static const float same[] = {-1};
    const ploy_motive hunger = ploy_motive_make("hunger", 5);
    const ploy_gob_action actions[] = {act("a", same, 0), act("b", same, 0), act("c", same, 0)};
    ploy_gob_def def = ploy_gob_def_default();
    ploy_agent_id nobody = ploy_agent_id_none();
    CHECK_INT(ploy_gob_choose(&def, &hunger, 1, actions, 3, NULL, NULL, nobody, NULL), 0);
    def.random_ties = true;
    ploy_rng rng = ploy_rng_make(3);
    int32_t counts[3] = {0, 0, 0};
    for (int32_t i = 0; i < 3000; i++) {
        counts[ploy_gob_choose(&def, &hunger, 1, actions, 3, &rng, NULL, nobody, NULL)]++;
    }
    for (int32_t i = 0; i < 3; i++) CHECK_NEAR(counts[i], 1000, 120);
}

// GOB-06, N27.
TEST(rates_are_estimated_from_what_was_seen) {
    static const float want[] = {0.1f, 0.195f, 0.28525f};
    ploy_gob_rate rate = {0, 0, 0, 0}, own = {0, 0, 0, 0};
    ploy_gob_rate_step(&rate, 0, 1, 0.95f);
    ploy_gob_rate_step(&own, 0, 1, 0.95f);
    for (int32_t i = 0; i < 3; i++) {
        ploy_gob_rate_step(&rate, 2.0f * (float)(i + 1), 1, 0.95f);
        CHECK_NEAR(rate.estimate, want[i], 1e-6);
        ploy_gob_rate_own(&own, 2.0f); // the same changes, by own actions: no drift
        ploy_gob_rate_step(&own, 2.0f * (float)(i + 1), 1, 0.95f);
        CHECK_SAME(own.estimate, 0.0);
    }
}

TEST(goals_that_are_on_or_off_are_chosen_by_bits) {
    static const uint64_t fulfils[] = {0x1, 0x6, 0x7}, breaks[] = {0, 0, 0x30};
    CHECK_INT(ployi_gob_choose_bits(0x7, fulfils, NULL, 3), 2);
    CHECK_INT(ployi_gob_choose_bits(0x7, fulfils, breaks, 3), 1); // 3 - 2 is less than 2
    CHECK_INT(ployi_gob_choose_bits(0x8, fulfils, breaks, 3), -1);
    CHECK_INT(ployi_gob_choose_bits(0, NULL, NULL, 0), -1);
}

// GOB-02: what the oven offers depends on what one carries.
static ploy_result offer(void *user, ploy_id object, ploy_agent_id character,
                         ploy_gob_offers *out) {
    static const float cook[] = {-4, 0}, open[] = {0, -1};
    const bool *carries = user;
    (void)character;
    ploy_gob_action action =
        act(object.index == 1 ? "cook" : "look", object.index == 1 ? cook : open, 1);
    action.object = object;
    if (object.index == 1 && !*carries) return PLOY_OK;
    return object.index == 9 ? PLOY_ERR_STATE : ploy_gob_offers_add(out, &action);
}

TEST(objects_offer_what_can_be_done_with_them_now) {
    test_counts counts = {0, 0, 0};
    ploy_env env = test_counting_env(&counts);
    ploy_gob_offers offers;
    ploy_id objects[] = {{1, 1}, {2, 1}, {9, 1}};
    bool carries = false;
    int32_t count = 0;
    ploy_gob_offers_init(&offers, 2, &env);
    ploy_agent_id nobody = ploy_agent_id_none();
    CHECK_OK(ploy_gob_offers_ask(&offers, objects, 2, nobody, offer, &carries));
    (void)ploy_gob_offers_get(&offers, &count);
    CHECK_INT(count, 1);
    carries = true;
    ploy_gob_offers_clear(&offers);
    for (int32_t i = 0; i < 20; i++) { // grows, and the changes stay where they belong
        CHECK_OK(ploy_gob_offers_ask(&offers, objects, 2, nobody, offer, &carries));
    }
    const ploy_gob_action *actions = ploy_gob_offers_get(&offers, &count);
    CHECK_INT(count, 40);
    for (int32_t i = 0; i < count; i++) {
        CHECK_SAME(actions[i].changes[i % 2], i % 2 == 0 ? -4 : -1);
        CHECK_INT(actions[i].object.index, 1 + i % 2);
    }
    CHECK_INT(ploy_gob_offers_ask(&offers, objects, 3, nobody, offer, &carries), PLOY_ERR_STATE);
    const float bad[] = {NAN, 0}, good[] = {0, 0};
    ploy_gob_action nan = act("nan", bad, 1), late = act("late", good, -1);
    CHECK_INT(ploy_gob_offers_add(&offers, &nan), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_gob_offers_add(&offers, &late), PLOY_ERR_ARGUMENT);
    ploy_gob_offers_fini(&offers);
    CHECK_INT(counts.bytes, 0);
}

TEST(motives_stay_between_nothing_and_their_maximum) {
    static const float changes[] = {-4, 9};
    ploy_motive motives[] = {ploy_motive_make("a", 3), ploy_motive_make("b", 3)};
    const ploy_gob_action action = act("x", changes, 0);
    motives[1].max = 5;
    motives[0].exponent = 3;
    motives[0].weight = 0.5f;
    CHECK_NEAR(ployi_motives_discontentment(motives, 2), 13.5 + 9, 1e-5);
    ployi_motives_apply(motives, 2, &action);
    CHECK_SAME(motives[0].value, 0.0);
    CHECK_SAME(motives[1].value, 5.0);
    motives[0].rate = 2;
    ploy_motives_step(motives, 2, 0.5f);
    CHECK_SAME(motives[0].value, 1.0);
}
