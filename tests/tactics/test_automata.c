// Rules of cellular automata for tactics.
#include "ploy/tactics/automata.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

// A grid with an open border from rows divided by '|'; letters are looked up in `letters`.
static ploy_automaton *make_grid(test_context *t, const char *picture, const char *letters) {
    ploy_env env = ploy_env_default();
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = (int32_t)strcspn(picture, "|");
    def.height = ((int32_t)strlen(picture) + 1) / (def.width + 1);
    def.border = PLOY_AUTOMATON_OPEN;
    def.history = 4;
    ploy_automaton *automaton = NULL;
    CHECK_OK(ploy_automaton_create(&def, &env, &automaton));
    for (int32_t i = 0; picture[i] != 0; i++) {
        if (picture[i] == '|') continue;
        int32_t x = i % (def.width + 1), y = i / (def.width + 1);
        ploy_automaton_set(automaton, x, y, (uint8_t)(strchr(letters, picture[i]) - letters));
    }
    return automaton;
}

static void check_grid(test_context *t, const ploy_automaton *automaton, const char *want,
                       const char *letters) {
    char got[256];
    size_t size = 0;
    ploy_automaton_def def = ploy_automaton_def_of(automaton);
    for (int32_t y = 0; y < def.height; y++) {
        if (y > 0) got[size++] = '|';
        for (int32_t x = 0; x < def.width; x++) {
            got[size++] = letters[ploy_automaton_cell(automaton, x, y)];
        }
    }
    got[size] = 0;
    CHECK_TEXT(got, want);
}

TEST(secure_areas_become_convex) {
    static const char *const steps[] = {"......|.###..|.#.#..|.###..|......|......",
                                        "..#...|.###..|####..|.###..|......|......",
                                        ".###..|####..|####..|####..|......|......"};
    ploy_automaton *automaton = make_grid(t, steps[0], ".#");
    ploy_automaton_rule rule = ploy_automata_secure(true);
    for (int32_t i = 1; i < 3; i++) {
        CHECK_OK(ploy_automaton_step(automaton, &rule, NULL));
        check_grid(t, automaton, steps[i], ".#");
    }
    ploy_automaton_destroy(automaton);
}

TEST(secure_cells_are_tested_again_on_request) {
    ploy_automaton *automaton = make_grid(t, "...|.#.|...", ".#");
    ploy_automaton_rule again = ploy_automata_secure(false),
                        keeps = ploy_automata_at_least(4, true);
    CHECK_OK(ploy_automaton_step(automaton, &keeps, NULL));
    check_grid(t, automaton, "...|.#.|...", ".#");
    CHECK_OK(ploy_automaton_step(automaton, &again, NULL));
    check_grid(t, automaton, "...|...|...", ".#");
    ploy_automaton_destroy(automaton);
    // Four of eight as a number differ from half at an edge.
    automaton = make_grid(t, ".##|.#.|...", ".#");
    CHECK_OK(ploy_automaton_step(automaton, &keeps, NULL));
    check_grid(t, automaton, ".##|.#.|...", ".#");
    again = ploy_automata_secure(true);
    CHECK_OK(ploy_automaton_step(automaton, &again, NULL));
    check_grid(t, automaton, "###|.##|...", ".#"); // 2 of 3 in the corner
    ploy_automaton_destroy(automaton);
}

TEST(contours_rise_and_fall) {
    // The 5 has no neighbour as high and falls; zeros beside two higher cells rise.
    ploy_automaton *automaton = make_grid(t, "0000|0530|0000", "0123456789");
    ploy_automaton_rule rule = ploy_automata_contour();
    CHECK_OK(ploy_automaton_step(automaton, &rule, NULL));
    check_grid(t, automaton, "0110|0430|0110", "0123456789");
    for (int32_t i = 0; i < 20 && ploy_automaton_period(automaton) == 0; i++) {
        CHECK_OK(ploy_automaton_step(automaton, &rule, NULL));
    }
    CHECK(ploy_automaton_period(automaton) > 0); // the oscillation detector
    ploy_automaton_destroy(automaton);
}

TEST(cities_grow_by_level) {
    static const struct {
        const char *row, *before, *after;
        bool exactly, upgrades;
    } rows[] = {
        {"water and trees", "w.t", "w1t", false, true},
        {"water alone", "w.w", "w.w", false, true},
        {"two of level 1", "1.1", "121", false, true},
        {"two of level 2", "2.2", "232", false, true},
        {"three of level 1", "1.1|www|www|1ww", "121|www|www|1ww", false, true},
        {"three of level 1 around a site", "111|w.w|www", "111|w3w|www", false, false},
        {"four of level 1 around a site", "111|1.w|www", "111|14w|www", false, false},
        {"four are not exactly two or three", "111|1.w|www", "111|14w|www", true, false},
        {"five are not exactly four", "111|1.1|www", "111|1.1|www", true, false},
        {"buildings rise", "131", "131", false, false},
        {"buildings that may rise", "21w|2ww", "23w|2ww", false, true},
        {"and those that may not", "21w|2ww", "21w|2ww", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_automaton *automaton = make_grid(t, rows[i].before, ".wt1234");
        ploy_city_rules rules = {rows[i].exactly, rows[i].upgrades};
        ploy_automaton_rule rule = ploy_automata_city(&rules);
        CHECK_OK(ploy_automaton_step(automaton, &rule, NULL));
        check_grid(t, automaton, rows[i].after, ".wt1234");
        ploy_automaton_destroy(automaton);
    }
}

static int32_t count_sites(const char *picture, ploy_base_kind kind, test_context *t) {
    ploy_automaton *base = make_grid(t, picture, ".mdtrfALFV");
    int32_t sites[16], count = ploy_base_sites(base, kind, sites, 16);
    for (int32_t i = 0; i < count && i < 16; i++) {
        int32_t width = ploy_automaton_def_of(base).width;
        CHECK_INT(ploy_automaton_cell(base, sites[i] % width, sites[i] / width), PLOY_BASE_FREE);
    }
    ploy_automaton_destroy(base);
    return count;
}

TEST(bases_have_sites_for_each_building) {
    CHECK_INT(count_sites("...|.m.|...", PLOY_BASE_DEFENSIVE, t), 8);
    CHECK_INT(count_sites("...|...|...", PLOY_BASE_DEFENSIVE, t), 0);
    CHECK_INT(count_sites("d.d", PLOY_BASE_RESEARCH, t), 1);
    CHECK_INT(count_sites("d..", PLOY_BASE_RESEARCH, t), 0);
    CHECK_INT(count_sites("t.r", PLOY_BASE_FACTORY, t), 1);
    CHECK_INT(count_sites("t.r", PLOY_BASE_ACADEMY, t), 0); // one of them is of its own type
    CHECK_INT(count_sites("r.r", PLOY_BASE_ACADEMY, t), 1);
    CHECK_INT(count_sites("A.F", PLOY_BASE_VALUABLE, t), 1);
    CHECK_INT(count_sites("A.t", PLOY_BASE_VALUABLE, t), 0);
    CHECK_INT(count_sites("AmF", PLOY_BASE_VALUABLE, t), 0); // not free
    CHECK_INT(count_sites("...", PLOY_BASE_MATERIAL, t), 0);
    CHECK_TEXT(ploy_base_kind_text(PLOY_BASE_VALUABLE), "valuable");
}

TEST(rules_have_names) {
    ploy_automaton_rule rule;
    static const char *const names[] = {"secure", "crime", "contour", "city", "B3/S23"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        t->row = names[i];
        CHECK_OK(ploy_automata_rule_read(names[i], NULL, &rule));
    }
    CHECK_INT(ploy_automata_rule_read("secur", NULL, &rule), PLOY_ERR_FORMAT);
    CHECK_OK(ploy_automata_rule_read("crime", NULL, &rule));
    ploy_automaton *automaton = make_grid(t, "#...|#...|....", ".#");
    CHECK_OK(ploy_automaton_step(automaton, &rule, NULL));
    check_grid(t, automaton, "##..|##..|#...", ".#"); // 2 of 5, 2 of 8, 1 of 3; 1 of 5 is too few
    ploy_automaton_destroy(automaton);
}

TEST(a_layer_runs_through_an_automaton) {
    ploy_env env = ploy_env_default();
    ploy_automaton *automaton = make_grid(t, ".....|.....|.....|.....|.....", ".#");
    ploy_places places = ploy_places_grid(5, 5, ploy_vec2_make(0, 0), 1.0f);
    ploy_tactics_layer *layer = NULL, *numbers = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &layer));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_NUMBERS, &env, &numbers));
    for (int32_t x = 1; x < 4; x++) CHECK_OK(ploy_tactics_layer_set(layer, 10 + x, 1.0f));
    CHECK_OK(ploy_tactics_layer_set(layer, 0, NAN));
    ploy_automaton_rule life;
    CHECK_OK(ploy_automaton_rule_text("B3/S23", NULL, &life));
    CHECK_OK(ploy_automata_run(automaton, &life, 1, layer));
    for (int32_t i = 1; i < 25; i++) {
        CHECK_SAME(ploy_tactics_layer_at(layer, i), i % 5 == 2 && i / 5 >= 1 && i / 5 <= 3);
    }
    CHECK(isnan(ploy_tactics_layer_at(layer, 0)));
    CHECK_OK(ploy_automata_run(automaton, &life, 1, layer));
    CHECK_SAME(ploy_tactics_layer_at(layer, 11), 1.0);
    CHECK_INT(ploy_automata_run(automaton, &life, 1, numbers), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_tactics_layer_set(layer, 3, 99.0f));
    CHECK_INT(ploy_automata_run(automaton, &life, 1, layer), PLOY_ERR_ARGUMENT);
    ploy_tactics_layer_destroy(layer);
    ploy_tactics_layer_destroy(numbers);
    ploy_automaton_destroy(automaton);
}

TEST(shares_work_on_graphs) {
    ploy_env env = ploy_env_default();
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    CHECK_OK(ploy_graph_create(&def, &env, &graph));
    for (int32_t i = 0; i < 5; i++) {
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)i, 0, 0), NULL));
    }
    for (int32_t i = 1; i < 5; i++) CHECK_OK(ploy_graph_add_both(graph, 0, i, 1.0, 0));
    CHECK_OK(ploy_graph_add_both(graph, 3, 4, 1.0, 0));
    ploy_places places = ploy_places_graph(graph);
    ploy_tactics_layer *a = NULL, *b = NULL;
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &a));
    CHECK_OK(ploy_tactics_layer_create(&places, PLOY_TACTICS_CATEGORIES, &env, &b));
    CHECK_OK(ploy_tactics_layer_set(a, 3, 1.0f)); // the hub has one of four, node 4 one of two
    CHECK_OK(ploy_automata_share(a, 1, 0.25f, true, b));
    static const int32_t quarter[] = {1, 0, 0, 1, 1}, half[] = {0, 0, 0, 0, 1};
    for (int32_t i = 0; i < 5; i++) CHECK_SAME(ploy_tactics_layer_at(b, i), quarter[i]);
    CHECK_OK(ploy_automata_share(a, 1, 0.5f, false, b));
    for (int32_t i = 0; i < 5; i++) CHECK_SAME(ploy_tactics_layer_at(b, i), half[i]);
    CHECK_OK(ploy_tactics_layer_set(a, 1, NAN));
    CHECK_OK(ploy_tactics_layer_set(a, 2, NAN));
    CHECK_OK(ploy_automata_share(a, 1, 0.5f, false, b)); // one of the two known
    CHECK_SAME(ploy_tactics_layer_at(b, 0), 1.0);
    CHECK(isnan(ploy_tactics_layer_at(b, 1)));
    CHECK_INT(ploy_automata_share(a, 1, 0.5f, false, a), PLOY_ERR_ARGUMENT);
    ploy_tactics_layer_destroy(a);
    ploy_tactics_layer_destroy(b);
    ploy_graph_destroy(graph);
}
