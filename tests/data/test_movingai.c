// MovingAI maps and scenarios: reading, writing, and what is wrong with a file.
#include "ploy/data/movingai.h"

#include "tests/test.h"

static const char good_map[] = "type octile\nheight 3\nwidth 4\nmap\n..@.\n.GST\nWO..\n";
static const char good_scenario[] = "version 1\n"
                                    "0\tdao/a.map\t4\t3\t0\t0\t3\t2\t4.41421356\n"
                                    "1 dao/a.map 4 3 1 0 0 1 1.41421\n";

static ploy_result load_map(const char *text, size_t size, ploy_diags *diags, ploy_tiles **out) {
    ploy_env env = ploy_env_default();
    return ploy_movingai_load_map(text, size, "a.map", &env, diags, out);
}

TEST(a_map_becomes_tiles) {
    ploy_tiles *tiles = NULL;
    CHECK_OK(load_map(good_map, strlen(good_map), NULL, &tiles));
    CHECK_INT(ploy_tiles_width(tiles), 4);
    CHECK_INT(ploy_tiles_height(tiles), 3);
    static const uint8_t kinds[] = {1, 1, 0, 1, 1, 1, 2, 4, 3, 0, 1, 1};
    static const bool passable[] = {1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1};
    for (int32_t i = 0; i < 12; i++) {
        CHECK_INT(ploy_tiles_get(tiles, i), kinds[i]);
        CHECK_INT(ploy_tiles_passable(tiles, i), passable[i]);
    }
    ploy_tiles_destroy(tiles);
}

// Everything a lenient reader has to take, and every fault with its place.
TEST(faults_of_maps_are_named_with_line_and_column) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column;
    } rows[] = {
        {"width first, CR LF, several blanks, no end of line",
         "type  octile\r\nwidth \t 2\r\nheight 2\r\nmap\r\n..\r\n@@", PLOY_OK, 0, 0},
        {"empty lines behind", "type octile\nheight 1\nwidth 2\nmap\n..\n\n \n", PLOY_OK, 0, 0},
        {"nothing", "", PLOY_ERR_FORMAT, 1, 1},
        {"another type", "type hex\nheight 1\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 1, 6},
        {"no type", "height 1\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 3, 1},
        {"no width", "type octile\nheight 1\nmap\n.\n", PLOY_ERR_FORMAT, 3, 1},
        {"no cells", "type octile\nheight 0\nwidth 1\nmap\n", PLOY_ERR_FORMAT, 2, 8},
        {"a width that is none", "type octile\nheight 1\nwidth wide\nmap\n.\n", PLOY_ERR_FORMAT, 3,
         7},
        {"below zero", "type octile\nheight -1\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 2, 8},
        {"no number", "type octile\nheight\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 2, 7},
        {"twice", "type octile\nheight 1\nheight 1\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 3, 1},
        {"a word too many", "type octile\nheight 1 2\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 2, 10},
        {"an unknown word", "type octile\ndepth 1\nheight 1\nwidth 1\nmap\n.\n", PLOY_ERR_FORMAT, 2,
         1},
        {"more cells than bytes", "type octile\nheight 100000\nwidth 100000\nmap\n..\n",
         PLOY_ERR_FORMAT, 5, 1},
        {"a row too short", "type octile\nheight 2\nwidth 3\nmap\n..\n....\n", PLOY_ERR_FORMAT, 5,
         3},
        {"a row too long", "type octile\nheight 2\nwidth 2\nmap\n..\n...\n", PLOY_ERR_FORMAT, 6, 3},
        {"a row too few", "type octile\nheight 3\nwidth 2\nmap\n..\n..\n", PLOY_ERR_FORMAT, 7, 1},
        {"a row too many", "type octile\nheight 1\nwidth 2\nmap\n..\n..\n", PLOY_ERR_FORMAT, 6, 1},
        {"an unknown cell", "type octile\nheight 1\nwidth 3\nmap\n.x.\n", PLOY_ERR_FORMAT, 5, 2},
        {"cut short", "type octile\nheight 1\nwidth 3\n", PLOY_ERR_FORMAT, 4, 1},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        ploy_tiles *tiles = NULL;
        CHECK_INT(load_map(rows[i].text, strlen(rows[i].text), diags, &tiles), rows[i].want);
        CHECK((tiles != NULL) == (rows[i].want == PLOY_OK));
        ploy_tiles_destroy(tiles);
        if (rows[i].want == PLOY_OK) {
            CHECK_INT(ploy_diags_count(diags), 0);
            continue;
        }
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_TEXT(ploy_diags_get(diags, 0)->name, "a.map");
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
}

TEST(several_faults_are_reported_and_not_endlessly_many) {
    char text[4096];
    int length = snprintf(text, sizeof text, "type octile\nheight 1\nwidth 3000\nmap\n");
    memset(text + length, '?', 3000);
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(100, &env, &diags));
    ploy_tiles *tiles = NULL;
    CHECK_INT(load_map(text, (size_t)length + 3000, diags, &tiles), PLOY_ERR_FORMAT);
    CHECK(ploy_diags_count(diags) > 5 && ploy_diags_count(diags) < 50);
    ploy_diags_destroy(diags);
}

TEST(a_saved_map_reads_as_the_same) {
    ploy_env env = ploy_env_default();
    ploy_tiles *tiles = NULL, *again = NULL;
    CHECK_OK(load_map(good_map, strlen(good_map), NULL, &tiles));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_movingai_save_map(tiles, &writer));
    CHECK_TEXT(ploy_buffer_text(&buffer),
               "type octile\nheight 3\nwidth 4\nmap\n..@.\n..ST\nW@..\n");
    CHECK_OK(load_map(buffer.bytes, buffer.size, NULL, &again));
    for (int32_t i = 0; i < 12; i++) CHECK_INT(ploy_tiles_get(again, i), ploy_tiles_get(tiles, i));
    // Kinds that the format does not know become what they are for walking.
    CHECK_OK(ploy_tiles_set(tiles, 0, 77));
    CHECK_OK(ploy_tiles_set(tiles, 1, 78));
    CHECK_OK(ploy_tiles_set_cost(tiles, 78, INFINITY));
    ploy_buffer_clear(&buffer);
    CHECK_OK(ploy_movingai_save_map(tiles, &writer));
    CHECK(strstr(ploy_buffer_text(&buffer), "map\n.@@.\n") != NULL);
    ploy_buffer_fini(&buffer);
    ploy_tiles_destroy(tiles);
    ploy_tiles_destroy(again);
}

static ploy_result load_both(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_tiles *tiles = NULL;
    ploy_movingai_scenario *scenario = NULL;
    ploy_result result = ploy_movingai_load_map(good_map, strlen(good_map), "m", env, NULL, &tiles);
    if (result == PLOY_OK) {
        result = ploy_movingai_load_scenario(good_scenario, strlen(good_scenario), "s", env, NULL,
                                             &scenario);
    }
    ploy_tiles_destroy(tiles);
    ploy_movingai_scenario_destroy(scenario);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_both, NULL);
}

// ---- scenarios ----

static ploy_result load_scenario(const char *text, ploy_diags *diags,
                                 ploy_movingai_scenario **out) {
    ploy_env env = ploy_env_default();
    return ploy_movingai_load_scenario(text, strlen(text), "a.scen", &env, diags, out);
}

TEST(a_scenario_is_a_list_of_problems) {
    ploy_movingai_scenario *scenario = NULL;
    CHECK_OK(load_scenario(good_scenario, NULL, &scenario));
    CHECK_INT(ploy_movingai_scenario_count(scenario), 2);
    const ploy_movingai_problem *problem = ploy_movingai_scenario_get(scenario, 1);
    CHECK_TEXT(problem->map, "dao/a.map");
    CHECK_INT(problem->bucket, 1);
    CHECK_INT(problem->start_x, 1);
    CHECK_INT(problem->goal_y, 1);
    CHECK_INT(problem->line, 3);
    CHECK_SAME(problem->length, 1.41421);
    CHECK(ploy_movingai_scenario_get(scenario, 2) == NULL);

    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_movingai_save_version(&writer);
    for (int32_t i = 0; i < 2; i++) {
        CHECK_OK(ploy_movingai_save_problem(ploy_movingai_scenario_get(scenario, i), &writer));
    }
    CHECK_TEXT(ploy_buffer_text(&buffer), "version 1\n"
                                          "0\tdao/a.map\t4\t3\t0\t0\t3\t2\t4.41421356\n"
                                          "1\tdao/a.map\t4\t3\t1\t0\t0\t1\t1.41421\n");
    ploy_movingai_problem bad = *problem;
    bad.map = "two words";
    CHECK_INT(ploy_movingai_save_problem(&bad, &writer), PLOY_ERR_ARGUMENT);
    ploy_buffer_fini(&buffer);
    ploy_movingai_scenario_destroy(scenario);
}

TEST(faults_of_scenarios_are_named_with_line_and_column) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column;
    } rows[] = {
        {"version 1.0, CR LF, no end",
         "version 1.0\r\n0 m 9 9 1 1 2 2 1.5\r\n\r\n0 m 9 9 1 1 2 2 1", PLOY_OK, 0, 0},
        {"no problems", "version 1\n", PLOY_OK, 0, 0},
        {"nothing", "", PLOY_ERR_FORMAT, 1, 1},
        {"not a scenario", "type octile\n", PLOY_ERR_FORMAT, 1, 1},
        {"blank lines alone", "\n \n", PLOY_ERR_FORMAT, 3, 1},
        {"version 2", "version 2\n", PLOY_ERR_FORMAT, 1, 9},
        {"too few words", "version 1\n0 m 9 9 1 1 2 2\n", PLOY_ERR_FORMAT, 2, 16},
        {"too many words", "version 1\n0 m 9 9 1 1 2 2 3 4\n", PLOY_ERR_FORMAT, 2, 19},
        {"not a number", "version 1\n\n0 m 9 9 1 x 2 2 3\n", PLOY_ERR_FORMAT, 3, 11},
        {"below zero", "version 1\n0 m 9 9 1 -1 2 2 3\n", PLOY_ERR_FORMAT, 2, 11},
        {"a length below zero", "version 1\n0 m 9 9 1 1 2 2 -3\n", PLOY_ERR_FORMAT, 2, 17},
        {"a length without end", "version 1\n0 m 9 9 1 1 2 2 inf\n", PLOY_ERR_FORMAT, 2, 17},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        ploy_movingai_scenario *scenario = NULL;
        CHECK_INT(load_scenario(rows[i].text, diags, &scenario), rows[i].want);
        CHECK((scenario != NULL) == (rows[i].want == PLOY_OK));
        ploy_movingai_scenario_destroy(scenario);
        if (rows[i].want == PLOY_OK) continue;
        CHECK(ploy_diags_count(diags) > 0);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
}

TEST(problems_outside_of_the_map_are_found) {
    ploy_movingai_scenario *scenario = NULL;
    CHECK_OK(load_scenario("version 1\n0 m 4 3 0 0 3 2 1\n0 m 4 3 4 0 3 2 1\n0 m 4 3 0 0 3 3 1\n"
                           "0 m 8 3 0 0 3 2 1\n",
                           NULL, &scenario));
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    CHECK_INT(ploy_movingai_scenario_check(scenario, 4, 3, "a.scen", diags), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_count(diags), 3);
    for (int32_t i = 0; i < 3; i++) CHECK_INT(ploy_diags_get(diags, i)->line, 3 + i);
    ploy_diags_destroy(diags);
    ploy_movingai_scenario_destroy(scenario);
}
