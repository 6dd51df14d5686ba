// The labs `landscape`, `left_or_right`, `id4`, `fog`, `tuning`, `combos`,
// `avoidance` and `barrage`: what they learn, rewinding, lack of memory.
#include "tests/labs/lab_test.h"

static double landscape_best(test_context *t, const char *const *settings, int32_t ticks) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "landscape", settings, &env);
    lab_run(t, sim, ticks);
    double best = lab_number(t, sim, "best");
    CHECK(lab_drawn(sim) > 1600);
    ploy_sim_destroy(sim);
    return best;
}

TEST(each_landscape_is_won_by_the_search_that_suits_it) {
    static const char *const peak[] = {"kind=peak", NULL};
    static const char *const stuck[] = {"kind=peaks", NULL};
    static const char *const starts[] = {"kind=peaks", "search.starts=9", "search.spread=halton",
                                         NULL};
    static const char *const dip[] = {"kind=ridge", "search.adaptive=true", NULL};
    static const char *const cma[] = {"kind=ridge", "search.method=cma", NULL};
    CHECK(landscape_best(t, peak, 60) > 0.99);
    CHECK(landscape_best(t, stuck, 60) < 0.7); // the nearest of three peaks
    CHECK(landscape_best(t, starts, 400) > 0.95);
    CHECK(landscape_best(t, dip, 200) < landscape_best(t, cma, 200) - 0.2);
    CHECK(landscape_best(t, cma, 200) > 0.95);
}

static double curve_number(test_context *t, const char *name, const char *kind, const char *option,
                           const char *more) {
    const char *const settings[] = {"dimensions=1", kind, option, more, NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "landscape", settings, &env);
    lab_run(t, sim, 200);
    double number = lab_number(t, sim, name);
    CHECK(lab_drawn(sim) > 160);
    lab_check_rewind(t, sim, 3);
    ploy_sim_destroy(sim);
    return number;
}

TEST(curves_are_climbed_as_in_the_book) { // D-01
    static const char starts[] = "search.starts=60";
    CHECK(curve_number(t, "best", "kind=peak", NULL, NULL) > 0.99);
    CHECK_NEAR(curve_number(t, "best", "kind=ridge", NULL, NULL), 0.42, 0.02); // before the dip
    CHECK(curve_number(t, "best", "kind=ridge", "search.momentum=0.75", NULL) > 0.99);
    CHECK_NEAR(curve_number(t, "best", "kind=peaks", NULL, NULL), 0.6, 0.02); // the nearest one
    CHECK(curve_number(t, "best", "kind=peaks", "search.starts=3", "search.spread=grid") > 0.95);
    CHECK(curve_number(t, "ruggedness", "kind=peak", starts, NULL) < 0.05);
    CHECK(curve_number(t, "ruggedness", "kind=random", starts, NULL) > 0.5); // nothing helps
}

TEST(predictors_learn_a_habit_and_counting_does_not) {
    static const char *const habit[] = {"bot=alternating", "slip=0", "pause=1", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "left_or_right", habit, &env);
    lab_run(t, sim, 200);
    CHECK_INT((int64_t)lab_number(t, sim, "presses"), 200);
    CHECK(lab_number(t, sim, "raw/share") <= 0.5);
    CHECK(lab_number(t, sim, "3-gram/share") > 0.99);
    CHECK(lab_number(t, sim, "hierarchical/share") > 0.99);
    CHECK(lab_drawn(sim) > 50);
    lab_command(t, sim, "left", ploy_value_none());
    CHECK_INT((int64_t)lab_number(t, sim, "presses"), 202); // the bot pressed too
    ploy_sim_destroy(sim);
    static const char *const longer[] = {"bot=habit", "slip=0", "pause=1", NULL};
    sim = lab_start(t, "left_or_right", longer, &env);
    lab_run(t, sim, 400);
    CHECK(lab_number(t, sim, "2-gram/share") < 0.8);
    CHECK(lab_number(t, sim, "5-gram/share") > 0.99);
    ploy_sim_destroy(sim);
}

TEST(recorded_presses_are_played_again) {
    ploy_env env = ploy_env_default();
    static const char *const player[] = {"bot=player", NULL};
    ploy_sim *sim = lab_start(t, "left_or_right", player, &env);
    static const char presses[] = "RRLRL";
    for (int32_t i = 0; i < 5; i++) {
        lab_command(t, sim, presses[i] == 'R' ? "right" : "left", ploy_value_none());
    }
    lab_set(t, sim, "pause", ploy_value_i64(1));
    lab_set(t, sim, "bot", ploy_value_i64(5));
    lab_run(t, sim, 199);
    CHECK_INT((int64_t)lab_number(t, sim, "presses"), 205);
    CHECK_INT((int64_t)lab_number(t, sim, "replayed"), 200);
    CHECK(lab_number(t, sim, "5-gram/share") > 0.99); // a period of five
    lab_check_rewind(t, sim, 20);
    ploy_sim_destroy(sim);
    static const char *const book[] = {"bot=recorded", "pause=1", NULL};
    sim = lab_start(t, "left_or_right", book, &env);
    lab_run(t, sim, 15);
    CHECK_INT((int64_t)lab_number(t, sim, "raw/guess"), 1); // 8 of 15 are right
    lab_run(t, sim, 285);
    CHECK(lab_number(t, sim, "8-gram/share") > 0.99);
    ploy_sim_destroy(sim);
}

TEST(the_tree_follows_the_teacher) {
    ploy_env env = ploy_env_default();
    static const char *const quick[] = {"pause=1", NULL};
    ploy_sim *sim = lab_start(t, "id4", quick, &env);
    lab_run(t, sim, 100);
    CHECK_INT((int64_t)lab_number(t, sim, "shown"), 100);
    CHECK(lab_number(t, sim, "hits") > 80);
    CHECK(lab_drawn(sim) > 10);
    lab_command(t, sim, "example", ploy_value_none());
    CHECK_INT((int64_t)lab_number(t, sim, "shown"), 102);
    lab_command(t, sim, "again", ploy_value_none());
    CHECK_INT((int64_t)lab_number(t, sim, "shown"), 1);
    ploy_sim_destroy(sim);
}

TEST(the_fog_is_filled_in_better_than_by_the_nearest_tile) { // LRN-56
    static const struct {
        const char *row, *node, *links;
        double lead; // over the rule
    } rows[] = {{"one tile", "node=1 tile", "links=all", 0.05},
                {"four tiles", "node=4 tiles", "links=all", 0.05},
                {"nine tiles", "node=9 tiles", "links=all", 0.03}};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        const char *const settings[] = {rows[i].node, rows[i].links, NULL};
        ploy_sim *sim = lab_start(t, "fog", settings, &env);
        lab_run(t, sim, 13 * 80);
        double learned = lab_number(t, sim, "learned/share");
        double rule = lab_number(t, sim, "nearest seen/share");
        double safe = lab_number(t, sim, "all safe/share");
        printf("fog, %s: learned %.3f, nearest seen %.3f, all safe %.3f\n", rows[i].row, learned,
               rule, safe);
        CHECK(learned > rule + rows[i].lead);
        CHECK(learned > safe + rows[i].lead);
        CHECK(lab_drawn(sim) > 432);
        lab_command(t, sim, "again", ploy_value_none());
        CHECK_INT((int64_t)lab_number(t, sim, "maps learned"), 0);
        ploy_sim_destroy(sim);
    }
}

TEST(a_team_becomes_better_by_generations) {
    static const char *const quick[] = {"speed=9", "repeats=2", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "tuning", quick, &env);
    lab_run(t, sim, 4); // a generation has 9 points of 2 matches
    CHECK_INT((int64_t)lab_number(t, sim, "matches"), 36);
    CHECK_INT((int64_t)lab_number(t, sim, "generation"), 2);
    double first = lab_number(t, sim, "mean");
    lab_run(t, sim, 12);
    double later = lab_number(t, sim, "mean");
    printf("tuning: mean score of generation 2 %.3f, of generation %.0f %.3f\n", first,
           lab_number(t, sim, "generation"), later);
    CHECK(later > first);
    CHECK(later > 0.52); // the shipped team has 0.5 against itself
    CHECK(lab_drawn(sim) > 12);
    lab_set(t, sim, "spread", ploy_value_f32(3.0f)); // another search, as a fork makes it
    CHECK_INT((int64_t)lab_number(t, sim, "matches"), 9);
    lab_set(t, sim, "speed", ploy_value_i64(0)); // paused
    lab_run(t, sim, 3);
    CHECK_INT((int64_t)lab_number(t, sim, "matches"), 9);
    ploy_sim_destroy(sim);
}

TEST(learned_opponents_counter_combos_and_a_handicap_lets_some_land) { // LRN-21
    static const char *const free_hand[] = {"pause=1", NULL};
    static const char *const half[] = {"pause=1", "handicap.use=0.5", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "combos", free_hand, &env);
    lab_run(t, sim, 1000);
    double learned = lab_number(t, sim, "learned/share"), raw = lab_number(t, sim, "raw/share");
    double rule = lab_number(t, sim, "rule/share"), countered = lab_number(t, sim, "countered");
    printf("combos: guessed by windows %.2f, by counts %.2f, by the rule %.2f\n", learned, raw,
           rule);
    CHECK(learned > raw + 0.1);
    CHECK(learned > rule + 0.1);
    CHECK_INT((int64_t)(countered + lab_number(t, sim, "landed")), 1000);
    CHECK(lab_drawn(sim) > 30);
    lab_command(t, sim, "A", ploy_value_none()); // a person's button replaces the bot's
    CHECK_INT((int64_t)lab_number(t, sim, "presses"), 1001);
    ploy_sim_destroy(sim);
    sim = lab_start(t, "combos", half, &env);
    lab_run(t, sim, 1000);
    CHECK(lab_number(t, sim, "countered") < 0.65 * countered);
    CHECK(lab_number(t, sim, "countered") > 0.35 * countered);
    ploy_sim_destroy(sim);
}

// Adds the shares of layouts that each runner crosses, over three windows of 200 layouts.
static void avoidance_score(test_context *t, ploy_sim *sim, const char *const names[4],
                            double shares[4]) {
    enum { WINDOW = 200, WINDOWS = 3 };            // the lab reports the last 200 layouts
    lab_set(t, sim, "speed", ploy_value_i64(0));   // what was learned stays as it is
    lab_set(t, sim, "show", ploy_value_i64(1000)); // about ten layouts a tick
    for (int32_t window = 1; window <= WINDOWS; window++) {
        while (lab_number(t, sim, "tested") < WINDOW * window) lab_run(t, sim, 1);
        for (int32_t i = 0; i < 4; i++) {
            char path[32];
            snprintf(path, sizeof path, "%s/share", names[i]);
            shares[i] += lab_number(t, sim, path) / WINDOWS;
        }
    }
}

// D-17, on layouts that were not trained on. One seed in the suite, the mean of three in the soak.
// The lab's settings were chosen on seeds 1 to 3, and that the DQN keeps its best net on 101 to
// 103, so these are others.
TEST(avoidance_learned_in_three_ways_is_no_worse_than_the_rule) {
    static const char *const quick[] = {"speed=2000", "show=0", NULL};
    static const char *const names[] = {"rule", "taught", "weak", "rewarded"};
    uint64_t seeds = test_rounds(1) == 1 ? 1 : 3;
    double means[4] = {0};
    ploy_env env = ploy_env_default();
    for (uint64_t seed = 201; seed < 201 + seeds; seed++) {
        TEST_SEED(seed);
        double shares[4] = {0};
        ploy_sim *sim = lab_start_seed(t, "avoidance", quick, seed, &env);
        lab_run(t, sim, 54);
        avoidance_score(t, sim, names, shares);
        CHECK_INT((int64_t)lab_number(t, sim, "weak/trained"), 108000);
        for (int32_t i = 0; i < 4; i++) {
            means[i] += shares[i] / (double)seeds;
            printf("avoidance, seed %d: %s crosses %.3f\n", (int)seed, names[i], shares[i]);
        }
        CHECK(lab_drawn(sim) > 20);
        ploy_sim_destroy(sim);
    }
    printf("avoidance: rule %.3f, taught %.3f, weak %.3f, rewarded %.3f\n", means[0], means[1],
           means[2], means[3]);
    CHECK(means[0] > 0.85);
    for (int32_t i = 1; i < 4; i++) CHECK(means[i] > means[0]);
    if (seeds > 1) CHECK(means[2] > means[0] + 0.04);
}

TEST(artillery_is_placed_better_by_many_climbs_than_by_the_rule) { // D-16
    static const char *const vacuum[] = {"pause=1", NULL};
    static const char *const air[] = {"pause=1", "flight.drag=0.1", NULL};
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "barrage", vacuum, &env);
    lab_run(t, sim, 300);
    double rule = lab_number(t, sim, "rule/share"), one = lab_number(t, sim, "climb/share");
    double many = lab_number(t, sim, "starts/share");
    double cooled = lab_number(t, sim, "annealing/share");
    printf("barrage: rule %.3f, one climb %.3f, many %.3f, annealing %.3f of the best\n", rule, one,
           many, cooled);
    CHECK(many > rule + 0.1);
    CHECK(cooled > rule + 0.05);
    CHECK(one < rule); // the scores are equal around most points
    CHECK(many < 1.05);
    double formula = lab_number(t, sim, "aiming/mean formula miss");
    double climbed = lab_number(t, sim, "aiming/mean climb miss");
    printf("barrage, vacuum: formula %.3f m, climbed %.3f m in %.0f trials\n", formula, climbed,
           lab_number(t, sim, "aiming/mean trials"));
    CHECK(formula < 0.01);
    CHECK(climbed < 0.05);
    CHECK(lab_number(t, sim, "aiming/mean trials") < 100);
    CHECK(lab_drawn(sim) > 60);
    lab_command(t, sim, "again", ploy_value_none());
    CHECK_INT((int64_t)lab_number(t, sim, "round"), 1);
    ploy_sim_destroy(sim);
    sim = lab_start(t, "barrage", air, &env);
    lab_run(t, sim, 100);
    formula = lab_number(t, sim, "aiming/mean formula miss");
    climbed = lab_number(t, sim, "aiming/mean climb miss");
    printf("barrage, drag: formula %.3f m, climbed %.3f m\n", formula, climbed);
    CHECK(formula > 1.0);
    CHECK(climbed < 0.05);
    ploy_sim_destroy(sim);
}

TEST(the_labs_of_learning_rewind_and_survive_a_lack_of_memory) {
    static char names[][16] = {"landscape", "left_or_right", "id4",       "fog",
                               "tuning",    "combos",        "avoidance", "barrage"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, names[i], NULL, &env);
        lab_run(t, sim, 10);
        lab_check_rewind(t, sim, 20);
        ploy_sim_destroy(sim);
        CHECK_FAIL_NTH(lab_create, names[i]);
    }
}
