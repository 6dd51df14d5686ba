// Levels as text: objects, walls, tactical points, faults with line and column.
#include "ploy/data/level_text.h"

#include "ploy/data/level_use.h"
#include "tests/test.h"

static const char level_text[] =
    "# a yard\nwall 0 0 10 0\nspawn 1 1\nlight 2 3 8\nitem health 4 4 25\n"
    "object a point 1 2 cover=0.8 hideout=0.5 links=b\nobject b point 3 2 cover=0.4 facing=1.5\n"
    "object ann agent 1 1 side=red # she asks\n";

static ploy_result level_text_body(const ploy_env *env, void *arg) {
    test_context *t = arg;
    ploy_level_builder *builder = NULL;
    ploy_plain_scene *scene = NULL;
    ploy_tactical_points *points = NULL;
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_tactical_points_def points_def = ploy_tactical_points_def_default();
    ploy_level level;
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_result result = ploy_level_builder_create(env, &builder);
    if (result == PLOY_OK)
        result = ploy_level_text_load(level_text, sizeof level_text - 1, "l", NULL, builder);
    if (result == PLOY_OK) result = ploy_level_builder_save(builder, &writer);
    if (result == PLOY_OK) result = ploy_level_open(bytes.bytes, bytes.size, &level);
    if (result == PLOY_OK) result = ploy_plain_scene_create(&scene_def, env, &scene);
    if (result == PLOY_OK) result = ploy_level_text_walls(&level, 1, scene);
    if (result == PLOY_OK) result = ploy_tactical_points_create(&points_def, env, &points);
    if (result == PLOY_OK)
        result =
            ploy_level_text_points(&level, level_text, sizeof level_text - 1, "l", NULL, points);
    if (result == PLOY_OK) {
        ploy_tactical_id a = ploy_tactical_points_find(points, "a"), to;
        CHECK_INT(level.object_count, 7);
        CHECK_INT(ploy_plain_scene_count(scene), 1);
        CHECK_INT(ploy_tactical_points_count(points), 2);
        CHECK_INT(ploy_tactical_points_links(points, a, &to, 1), 1);
        CHECK_SAME(ploy_tactical_points_value(points, a, PLOY_TACTICAL_COVER, 0), 0.8f);
        CHECK_SAME(
            ploy_tactical_points_value(points, a, ploy_tactical_points_tag(points, "hideout"), 0),
            0.5f);
    }
    ploy_tactical_points_destroy(points);
    ploy_plain_scene_destroy(scene);
    ploy_level_builder_destroy(builder);
    ploy_buffer_fini(&bytes);
    return result;
}

TEST(a_level_becomes_walls_and_points_or_nothing) {
    CHECK_FAIL_NTH(level_text_body, t);
}

TEST(every_line_becomes_an_object_with_tags) {
    static const char text[] = "door gate 1 2 3 2 button 1 1 button 3 3 locked=1\n"
                               "kind key\nitem key 2 2 name=\"the red key\"\nitem rocket 1 1 5\n"
                               "trigger plate circle 4 4 1.5 do=\"activate spiders\" by=red\n"
                               "offers table push makes=\"pushed := true\" needs=\"!pushed\" "
                               "costs=2 # heavy\n"
                               "spawn 1 1 side=red facing=1.5\nobject gem loot 1 2 worth=3\n";
    ploy_env env = ploy_env_default();
    ploy_buffer bytes;
    ploy_level level;
    ploy_value value;
    ploy_buffer_init(&bytes, 0, &env);
    CHECK_OK(ploy_level_from_text(text, sizeof text - 1, "l", &env, NULL, &bytes, &level));
    CHECK_INT(level.object_count, 8);
    int32_t door = ploy_level_find(&level, "gate"), plate = ploy_level_find(&level, "plate");
    CHECK(ploy_level_get(&level, door, "button1", &value));
    CHECK_SAME(value.as.vec[0], 3.0f);
    CHECK_SAME(ploy_level_number(&level, door, "locked", 0), 1.0f);
    CHECK_TEXT(ploy_level_word(&level, ploy_level_next(&level, -1, "item"), "name", ""),
               "the red key");
    CHECK_TEXT(ploy_level_word(&level, plate, "do", ""), "activate spiders");
    CHECK_SAME(ploy_level_number(&level, plate, "radius", 0), 1.5f);
    int32_t offer = ploy_level_find(&level, "table");
    CHECK_TEXT(ploy_level_word(&level, offer, "action", ""), "push");
    CHECK_TEXT(ploy_level_word(&level, offer, "makes", ""), "pushed := true");
    CHECK_SAME(ploy_level_number(&level, offer, "costs", 0), 2.0f);
    CHECK_SAME(ploy_level_number(&level, ploy_level_find(&level, "gem"), "worth", 0), 3.0f);
    CHECK_TEXT(ploy_level_word(&level, offer, "costs", "a number"), "a number");
    ploy_buffer_fini(&bytes);
}

TEST(a_bad_line_is_refused_with_its_place) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
    } rows[] = {
        {"unknown word", "wall 0 0 1 1\nwal 0 0 1 1\n", 2, 1},
        {"not a number", "wall 0 zero 1 1\n", 1, 8},
        {"too short", "wall 0 0 1\n", 1, 11},
        {"too long", "spawn 1 1 1\n", 1, 11},
        {"no value", "object a point 1 1 cover\n", 1, 20},
        {"duplicate key", "object a point 1 1 cover=1 cover=1\n", 1, 28},
        {"a door without a name", "door 1=2 1 2 3\n", 1, 6},
        {"a door without an end", "door gate 1 2 3\n", 1, 16},
        {"a button without a place", "door gate 1 2 3 4 button 5\n", 1, 27},
        {"five buttons", "door g 1 2 3 4 button 1 1 button 1 1 button 1 1 button 1 1 button 1 1\n",
         1, 60},
        {"an unknown kind", "item helth 1 1\n", 1, 6},
        {"a kind declared too late", "item key 1 1\nkind key\n", 1, 6},
        {"an unknown shape", "trigger t box 1 1 2 do=x\n", 1, 11},
        {"no radius", "trigger t circle 1 1 0 do=x\n", 1, 22},
        {"nothing to do", "trigger t circle 1 1 2\n", 1, 23},
        {"an offer of nothing", "offers table push costs=1\n", 1, 26},
        {"a price that is not a number", "offers table push makes=pushed costs=dear\n", 1, 32},
        {"a quote that is not closed", "object a b 1 1 c=\"d e\n", 1, 18},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags *diags = NULL;
        ploy_level_builder *builder = NULL;
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_OK(ploy_level_builder_create(&env, &builder));
        CHECK(ploy_level_text_load(rows[i].text, strlen(rows[i].text), "l", diags, builder) < 0);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
        ploy_level_builder_destroy(builder);
        ploy_diags_destroy(diags);
    }
}

// The same for points, whose values and links are checked when they are added to a set.
TEST(a_bad_point_is_refused_with_its_place) {
    static const struct {
        const char *row, *text;
        ploy_result want;
        int32_t line, column;
        const char *nearest;
    } rows[] = {
        {"fine", "spawn 1 1\nobject a point 1 1 cover=1\n", PLOY_OK, 0, 0, ""},
        {"a value above 1", "# yard\nspawn 1 1\nobject a point 1 1 shadow=1 cover=8\n",
         PLOY_ERR_ARGUMENT, 3, 29, ""},
        {"a value that is a word", "object a point 1 1 cover=good\n", PLOY_ERR_ARGUMENT, 1, 20, ""},
        {"a quality with a hyphen", "object a point 1 1 half-cover=1\n", PLOY_ERR_ARGUMENT, 1, 20,
         ""},
        {"an unknown link",
         "object crate1 point 1 1 links=crate2,crat3\nobject crate2 point 2 1\n"
         "object crate3 point 3 1\n",
         PLOY_ERR_NOT_FOUND, 1, 25, "crate3"},
        {"a link to itself", "object a point 1 1 links=a\n", PLOY_ERR_ARGUMENT, 1, 20, ""},
        {"a link that is a number", "object a point 1 1 links=5\n", PLOY_ERR_ARGUMENT, 1, 20, ""},
        {"a long name", "object a123456789012345678901234567890123456789 point 1 1\n",
         PLOY_ERR_ARGUMENT, 1, 1, ""},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        size_t row = i / 2, size = strlen(rows[row].text);
        bool known = i % 2 == 0; // with the text, and without
        t->row = rows[row].row;
        ploy_diags *diags = NULL;
        ploy_tactical_points *points = NULL;
        ploy_tactical_points_def def = ploy_tactical_points_def_default();
        ploy_buffer bytes;
        ploy_level level;
        ploy_buffer_init(&bytes, 0, &env);
        CHECK_OK(ploy_diags_create(4, &env, &diags));
        CHECK_OK(ploy_level_from_text(rows[row].text, size, "l", &env, diags, &bytes, &level));
        CHECK_OK(ploy_tactical_points_create(&def, &env, &points));
        CHECK_INT(
            ploy_level_text_points(&level, known ? rows[row].text : NULL, size, "l", diags, points),
            rows[row].want);
        CHECK_INT(ploy_diags_count(diags), rows[row].want == PLOY_OK ? 0 : 1);
        if (rows[row].want != PLOY_OK) {
            CHECK_INT(ploy_diags_get(diags, 0)->line, known ? rows[row].line : 0);
            CHECK_INT(ploy_diags_get(diags, 0)->column, known ? rows[row].column : 1);
            CHECK_TEXT(ploy_diags_get(diags, 0)->nearest, rows[row].nearest);
        }
        ploy_tactical_points_destroy(points);
        ploy_diags_destroy(diags);
        ploy_buffer_fini(&bytes);
    }
}
