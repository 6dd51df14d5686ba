// Cellular automata against patterns whose fate is known, and against a plain double loop.
#include "tests/test.h"

#include <stdlib.h>

#include "ploy/base/rng.h"
#include "ploy/geom/automaton.h"

static ploy_automaton *make(test_context *t, int32_t width, int32_t height,
                            ploy_automaton_border border, int32_t history) {
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = width;
    def.height = height;
    def.border = border;
    def.history = history;
    ploy_env env = ploy_env_default();
    ploy_automaton *automaton = NULL;
    CHECK_OK(ploy_automaton_create(&def, &env, &automaton));
    return automaton;
}

static ploy_automaton_rule rule_of(test_context *t, const char *text) {
    ploy_automaton_rule rule;
    CHECK_OK(ploy_automaton_rule_text(text, NULL, &rule));
    return rule;
}

// Rows of '.' and '#' divided by '|'; the first row is the lowest y.
static void put(ploy_automaton *automaton, int32_t x0, int32_t y0, const char *picture) {
    int32_t x = x0, y = y0;
    for (; *picture != '\0'; picture++) {
        if (*picture == '|') {
            y++;
            x = x0;
        } else {
            ploy_automaton_set(automaton, x++, y, *picture == '#');
        }
    }
}

static void check_picture(test_context *t, const ploy_automaton *automaton, const char *picture) {
    int32_t x = 0, y = 0;
    for (; *picture != '\0'; picture++) {
        if (*picture == '|') {
            y++;
            x = 0;
        } else {
            CHECK_INT(ploy_automaton_cell(automaton, x++, y), *picture == '#');
        }
    }
}

static void run(test_context *t, ploy_automaton *automaton, const ploy_automaton_rule *rule,
                int32_t generations) {
    for (int32_t i = 0; i < generations; i++) CHECK_OK(ploy_automaton_step(automaton, rule, NULL));
}

TEST(the_table_of_fields_is_sound) {
    CHECK_OK(ploy_fields_check_table(ploy_automaton_fields(), NULL));
    ploy_automaton_def def = ploy_automaton_def_default();
    def.width = 0;
    ploy_env env = ploy_env_default();
    ploy_automaton *automaton = NULL;
    CHECK_INT(ploy_automaton_create(&def, &env, &automaton), PLOY_ERR_ARGUMENT);
    CHECK(automaton == NULL);
}

TEST(text_rules_are_read_and_faults_have_a_column) {
    static const struct {
        const char *row;
        ploy_result want;
        int32_t column;
    } rows[] = {
        {"B3/S23", PLOY_OK, 0},        {"b36/s23", PLOY_OK, 0},
        {"B/S", PLOY_OK, 0},           {"B0/S012345678", PLOY_OK, 0},
        {"", PLOY_ERR_FORMAT, 1},      {"S23", PLOY_ERR_FORMAT, 1},
        {"B3", PLOY_ERR_FORMAT, 3},    {"B9/S23", PLOY_ERR_FORMAT, 2},
        {"B3/23", PLOY_ERR_FORMAT, 4}, {"B3/S23x", PLOY_ERR_FORMAT, 7},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(4, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        ploy_automaton_rule rule;
        CHECK_INT(ploy_automaton_rule_text(rows[i].row, diags, &rule), rows[i].want);
        CHECK_INT(ploy_diags_count(diags), rows[i].want != PLOY_OK);
        if (rows[i].want != PLOY_OK) {
            CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        }
    }
    ploy_diags_destroy(diags);
}

TEST(a_blinker_has_period_two_and_a_block_is_still) {
    ploy_automaton *life = make(t, 9, 9, PLOY_AUTOMATON_FIXED, 4);
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(life, 3, 3, "###");
    run(t, life, &rule, 1);
    CHECK_INT(ploy_automaton_period(life), 0);
    run(t, life, &rule, 1);
    CHECK_INT(ploy_automaton_period(life), 2);
    run(t, life, &rule, 7);
    CHECK_INT(ploy_automaton_period(life), 2);
    ploy_automaton_clear(life);
    put(life, 3, 3, "##|##");
    run(t, life, &rule, 3);
    CHECK_INT(ploy_automaton_period(life), 1);
    ploy_automaton_destroy(life);
}

TEST(a_glider_moves_one_cell_in_four_generations) {
    ploy_automaton *life = make(t, 70, 40, PLOY_AUTOMATON_TORUS, 0);
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(life, 0, 0, ".#.|..#|###");
    run(t, life, &rule, 4);
    ploy_automaton *moved = make(t, 70, 40, PLOY_AUTOMATON_TORUS, 0);
    put(moved, 1, 1, ".#.|..#|###");
    for (int32_t y = 0; y < 40; y++) {
        CHECK_BYTES(ploy_automaton_row(life, y), ploy_automaton_row(moved, y), 70);
    }
    // Round both axes once: back where it was.
    run(t, life, &rule, 4 * 280 - 4);
    ploy_automaton_clear(moved);
    put(moved, 0, 0, ".#.|..#|###");
    for (int32_t y = 0; y < 40; y++) {
        CHECK_BYTES(ploy_automaton_row(life, y), ploy_automaton_row(moved, y), 70);
    }
    ploy_automaton_destroy(life);
    ploy_automaton_destroy(moved);
}

TEST(the_r_pentomino_settles_with_116_cells) {
    ploy_automaton *life = make(t, 700, 700, PLOY_AUTOMATON_FIXED, 0);
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(life, 350, 350, ".##|##.|.#.");
    run(t, life, &rule, 1103);
    CHECK_INT(ploy_automaton_count(life, 1), 116);
    run(t, life, &rule, 2); // nothing but blinkers, blocks and gliders: the number stays
    CHECK_INT(ploy_automaton_count(life, 1), 116);
    ploy_automaton_destroy(life);
}

TEST(the_acorn_settles_with_633_cells) {
    ploy_automaton *life = make(t, 3000, 3000, PLOY_AUTOMATON_FIXED, 0);
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(life, 1500, 1500, ".#.....|...#...|##..###");
    run(t, life, &rule, 5206);
    CHECK_INT(ploy_automaton_count(life, 1), 633);
    ploy_automaton_destroy(life);
}

TEST(the_gosper_gun_fires_every_thirty_generations) {
    ploy_automaton *life = make(t, 200, 150, PLOY_AUTOMATON_FIXED, 0);
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(life, 2, 2,
        "........................#...........|......................#.#...........|"
        "............##......##............##|...........#...#....##............##|"
        "##........#.....#...##..............|##........#...#.##....#.#...........|"
        "..........#.....#.......#...........|...........#...#....................|"
        "............##......................");
    CHECK_INT(ploy_automaton_count(life, 1), 36);
    for (int32_t shots = 1; shots <= 10; shots++) {
        run(t, life, &rule, 30);
        CHECK_INT(ploy_automaton_count(life, 1), 36 + 5 * shots);
    }
    ploy_automaton_destroy(life);
}

TEST(rule_90_doubles_and_rule_30_has_its_centre_column) {
    static const uint8_t centre[] = {1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1};
    ploy_automaton *row = make(t, 201, 1, PLOY_AUTOMATON_FIXED, 0);
    ploy_automaton_rule rule = ploy_automaton_rule_elementary(90);
    ploy_automaton_set(row, 100, 0, 1);
    for (int32_t n = 0; n < 100; n++) {
        int32_t bits = 0;
        for (int32_t k = n; k > 0; k >>= 1) bits += k & 1;
        CHECK_INT(ploy_automaton_count(row, 1), 1 << bits);
        run(t, row, &rule, 1);
    }
    ploy_automaton_clear(row);
    rule = ploy_automaton_rule_elementary(30);
    ploy_automaton_set(row, 100, 0, 1);
    for (size_t n = 0; n < COUNT_OF(centre); n++) {
        CHECK_INT(ploy_automaton_cell(row, 100, 0), centre[n]);
        run(t, row, &rule, 1);
    }
    ploy_automaton_destroy(row);
}

TEST(secure_areas_grow_by_half_of_the_neighbours) {
    ploy_automaton *area = make(t, 6, 6, PLOY_AUTOMATON_OPEN, 0);
    ploy_automaton_rule rule = ploy_automaton_rule_share(1, 0.5f, true);
    put(area, 0, 0, "......|.###..|.#.#..|.###..|......|......");
    run(t, area, &rule, 1);
    check_picture(t, area, "..#...|.###..|####..|.###..|......|......");
    run(t, area, &rule, 1);
    check_picture(t, area, ".###..|####..|####..|####..|......|......");
    // Without keeping, cells that lost their neighbours fall back.
    ploy_automaton_clear(area);
    put(area, 0, 0, "......|.#....|......|......|......|......");
    rule = ploy_automaton_rule_share(1, 0.5f, false);
    run(t, area, &rule, 1);
    CHECK_INT(ploy_automaton_count(area, 1), 0);
    ploy_automaton_destroy(area);
}

// Two or more neighbours above it raise a cell; none as high lowers it.
static uint8_t level_rule(void *user, const ploy_automaton_site *site) {
    int32_t higher = 0, as_high = 0;
    (*(int32_t *)user)++;
    for (int32_t i = 0; i < site->count; i++) {
        higher += site->neighbours[i] > site->state;
        as_high += site->neighbours[i] >= site->state;
    }
    if (higher >= 2) return (uint8_t)(site->state + 1);
    return as_high == 0 && site->state > 0 ? (uint8_t)(site->state - 1) : site->state;
}

TEST(a_function_sees_every_neighbour_once) {
    ploy_automaton *levels = make(t, 5, 1, PLOY_AUTOMATON_OPEN, 0);
    int32_t calls = 0;
    ploy_automaton_rule rule = ploy_automaton_rule_function(level_rule, &calls);
    static const uint8_t before[] = {0, 3, 1, 2, 0}, after[] = {0, 2, 2, 1, 0};
    ploy_automaton_set_row(levels, 0, before);
    run(t, levels, &rule, 1);
    CHECK_BYTES(ploy_automaton_row(levels, 0), after, 5);
    CHECK_INT(calls, 5);
    ploy_automaton_destroy(levels);
}

// City growth (Otostaz): 1 water, 2 tree, 3 to 6 buildings of level 1 to 4.
static uint8_t city_rule(void *user, const ploy_automaton_site *site) {
    (void)user;
    int32_t seen[16] = {0};
    for (int32_t i = 0; i < site->count; i++) seen[site->neighbours[i]]++;
    if (site->state != 0) return site->state;
    for (int32_t level = 4; level >= 2; level--) {
        for (int32_t below = 1; below <= 3 && level - below >= 1; below++) {
            if (seen[2 + level - below] >= below + 1) return (uint8_t)(2 + level);
        }
    }
    return seen[1] >= 1 && seen[2] >= 1 ? 3 : 0;
}

TEST(a_city_grows_between_water_and_trees) {
    ploy_automaton *city = make(t, 3, 3, PLOY_AUTOMATON_FIXED, 4);
    ploy_automaton_rule rule = ploy_automaton_rule_function(city_rule, NULL);
    static const uint8_t rows[3][3] = {{1, 0, 2}, {0, 0, 0}, {0, 0, 0}};
    for (int32_t y = 0; y < 3; y++) ploy_automaton_set_row(city, y, rows[y]);
    run(t, city, &rule, 1);
    CHECK_INT(ploy_automaton_cell(city, 1, 0), 3); // water and tree beside it
    CHECK_INT(ploy_automaton_cell(city, 1, 1), 3);
    CHECK_INT(ploy_automaton_cell(city, 0, 1), 0);
    run(t, city, &rule, 1);
    CHECK_INT(ploy_automaton_cell(city, 0, 1), 4); // two of level 1
    CHECK_INT(ploy_automaton_cell(city, 2, 1), 4);
    run(t, city, &rule, 1);
    CHECK_INT(ploy_automaton_cell(city, 1, 2), 5); // two of level 2
    run(t, city, &rule, 4);
    CHECK_INT(ploy_automaton_period(city), 1); // buildings never decay, so it comes to rest
    ploy_automaton_destroy(city);
}

// The plain form: every cell, every neighbour, every generation.
static uint8_t slow_next(const ploy_automaton_def *def, const ploy_automaton_rule *rule,
                         const uint8_t *cells, int32_t x, int32_t y) {
    int32_t counted = 0, count = 0, r = def->radius;
    for (int32_t dy = -r; dy <= r; dy++) {
        for (int32_t dx = -r; dx <= r; dx++) {
            if (dx == 0 && dy == 0) continue;
            if (def->shape == PLOY_AUTOMATON_DIAMOND && abs(dx) + abs(dy) > r) continue;
            int32_t u = x + dx, v = y + dy;
            bool inside = u >= 0 && v >= 0 && u < def->width && v < def->height;
            if (!inside && def->border == PLOY_AUTOMATON_OPEN) continue;
            int32_t state = def->outside;
            if (def->border == PLOY_AUTOMATON_TORUS) {
                u = (u + 8 * def->width) % def->width;
                v = (v + 8 * def->height) % def->height;
                inside = true;
            }
            if (inside) state = cells[v * def->width + u];
            count++;
            counted += rule->counted < 0 ? state != 0 : state == rule->counted;
        }
    }
    uint8_t own = cells[y * def->width + x];
    if (rule->kind == PLOY_AUTOMATON_TABLE) return rule->next[own][counted];
    if (count > 0 && (float)counted >= rule->share * (float)count) return (uint8_t)rule->counted;
    return rule->keeps ? own : 0;
}

TEST(every_rule_equals_the_double_loop_however_it_is_sliced) {
    static uint8_t cells[2][200 * 60];
    ploy_env env = ploy_env_default();
    for (int64_t seed = 0; seed < test_rounds(150); seed++) {
        TEST_SEED(seed);
        ploy_rng rng = ploy_rng_make((uint64_t)seed);
        ploy_automaton_def def = ploy_automaton_def_default();
        def.width = ploy_rng_int(&rng, 1, seed % 3 == 0 ? 200 : 20);
        def.height = ploy_rng_int(&rng, 1, seed % 3 == 0 ? 60 : 20);
        def.border = (ploy_automaton_border)ploy_rng_int(&rng, 0, 2);
        def.shape = (ploy_automaton_shape)ploy_rng_int(&rng, 0, 1);
        def.radius = seed % 2 == 0 ? 1 : ploy_rng_int(&rng, 1, 4);
        int32_t states = seed % 4 == 3 ? 4 : 2;
        def.outside = ploy_rng_int(&rng, 0, states - 1);
        ploy_automaton *automaton = NULL;
        CHECK_OK(ploy_automaton_create(&def, &env, &automaton));
        ploy_automaton_rule rules[2];
        for (int32_t k = 0; k < 2; k++) {
            if (ploy_rng_int(&rng, 0, 3) == 0) {
                rules[k] = ploy_automaton_rule_share((uint8_t)ploy_rng_int(&rng, 0, states - 1),
                                                     ploy_rng_float(&rng), k == 0);
                continue;
            }
            rules[k] = ploy_automaton_rule_table();
            rules[k].counted = ploy_rng_int(&rng, -1, states - 1);
            // Any table, one run of numbers for each state (or none), or few numbers.
            int32_t form = ploy_rng_int(&rng, 0, 2);
            for (int32_t s = 0; s < states; s++) {
                int32_t low = ploy_rng_int(&rng, 0, 9), high = ploy_rng_int(&rng, 0, 9);
                for (int32_t n = 0; n <= PLOY_AUTOMATON_NEIGHBOURS; n++) {
                    int32_t next = ploy_rng_int(&rng, form == 1 ? 1 : 0, states - 1);
                    bool used = form == 0 || (form == 1 ? n >= low && n <= high : n % 9 == low);
                    rules[k].next[s][n] = (uint8_t)(used ? next : 0);
                }
            }
        }
        int32_t n = def.width * def.height, slice = seed % 3 == 0 ? 1 : 7;
        float density = ploy_rng_float(&rng) * (seed % 5 == 0 ? 0.02f : 1.0f);
        for (int32_t i = 0; i < n; i++) {
            cells[0][i] =
                ploy_rng_chance(&rng, density) ? (uint8_t)ploy_rng_int(&rng, 1, states - 1) : 0;
            ploy_automaton_set(automaton, i % def.width, i / def.width, cells[0][i]);
        }
        for (int32_t generation = 0; generation < 8; generation++) {
            const ploy_automaton_rule *rule = &rules[generation == 3];
            const uint8_t *old = cells[generation & 1];
            uint8_t *new = cells[1 - (generation & 1)];
            for (int32_t i = 0; i < n; i++) {
                new[i] = slow_next(&def, rule, old, i % def.width, i / def.width);
            }
            if (generation == 5 && def.height > 16) { // a change halfway starts it again
                ploy_budget one = ploy_budget_units(1);
                CHECK_INT(ploy_automaton_step(automaton, &rules[1], &one), PLOY_IN_PROGRESS);
                ploy_automaton_set(automaton, 0, 0, old[0]);
            }
            ploy_result result = PLOY_IN_PROGRESS;
            while (result == PLOY_IN_PROGRESS) {
                ploy_budget budget = ploy_budget_units(slice);
                result = ploy_automaton_step(automaton, rule, &budget);
            }
            CHECK_OK(result);
            for (int32_t y = 0; y < def.height; y++) {
                CHECK_BYTES(ploy_automaton_row(automaton, y), new + y *def.width,
                            (size_t)def.width);
            }
        }
        CHECK_INT(ploy_automaton_generation(automaton), 8);
        ploy_automaton_destroy(automaton);
    }
}

static ploy_result create_one(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_automaton_def def = ploy_automaton_def_default();
    ploy_automaton *automaton = NULL;
    ploy_result result = ploy_automaton_create(&def, env, &automaton);
    ploy_automaton_destroy(automaton);
    return result;
}

TEST(create_survives_every_failed_allocation) {
    CHECK_FAIL_NTH(create_one, NULL);
}

TEST(a_step_allocates_nothing) {
    test_counts counts;
    ploy_env env = test_counting_env(&counts);
    ploy_automaton_def def = ploy_automaton_def_default();
    def.history = 8;
    ploy_automaton *automaton = NULL;
    CHECK_OK(ploy_automaton_create(&def, &env, &automaton));
    int64_t before = counts.calls;
    ploy_automaton_rule rule = rule_of(t, "B3/S23");
    put(automaton, 5, 5, ".##|##.|.#.");
    run(t, automaton, &rule, 20);
    CHECK_INT(counts.calls, before);
    int64_t bytes = 0;
    ploy_automaton_memory(automaton, test_sum_memory, &bytes);
    CHECK_INT(bytes, counts.bytes);
    ploy_automaton_destroy(automaton);
    CHECK_INT(counts.blocks, 0);
}
