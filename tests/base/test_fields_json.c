#include "ploy/base/fields_json.h"
#include "tests/base/fields_example.h"
#include "tests/test.h"

// Loads text into a def; what the diagnostics say, one a line.
static const char *load_says(test_context *t, const char *text, test_car_def *def,
                             ploy_result want) {
    static char says[4096];
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_json *doc = NULL;
    ploy_json_def json_def = ploy_json_def_default();
    json_def.relaxed = true;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(ploy_json_load(text, strlen(text), "car.json", &json_def, &env, diags, &doc));
    ploy_result result =
        ploy_fields_load_json(test_car_fields(), def, doc, ploy_json_root(doc), diags);
    CHECK_INT(result, want);
    test_diags_say(diags, says);
    ploy_json_destroy(doc);
    ploy_diags_destroy(diags);
    return says;
}

TEST(an_object_sets_what_it_names_and_leaves_the_rest) {
    test_car_def def = test_car_def_default();
    def.seats = 2;
    CHECK_TEXT(load_says(t,
                         "{ \"length\": 5.5, // in metres\n"
                         "  \"engine\": { \"lights\": false, \"gears\": 6.0,"
                         "                \"seed\": 18446744073709551615, \"mass\": 0.1,"
                         "                \"mode\": \"sleepy\", \"spawn\": [3, -4.5],"
                         "                \"wind\": [1, 2, 3] } }",
                         &def, PLOY_OK),
               "");
    CHECK_SAME(def.length, 5.5f);
    CHECK(!def.engine.lights);
    CHECK_INT(def.engine.gears, 6);
    CHECK_UINT(def.engine.seed, UINT64_MAX);
    CHECK_SAME(def.engine.max_speed, 30.0f);
    CHECK_SAME(def.engine.mass, 0.1);
    CHECK_INT(def.engine.mode, TEST_MODE_SLEEPY);
    CHECK_SAME(def.engine.spawn[1], -4.5f);
    CHECK_SAME(def.engine.wind[2], 3.0f);
    CHECK_INT(def.seats, 2);
    CHECK_OK(ploy_fields_check(test_car_fields(), &def, NULL));
}

TEST(other_ways_to_write_a_value_are_understood) {
    test_car_def def = test_car_def_default();
    CHECK_TEXT(load_says(t,
                         "{\"engine\": {\"lights\": 0, \"seed\": \"18446744073709551614\","
                         " \"mode\": 0, \"max_speed\": 0.1}}",
                         &def, PLOY_OK),
               "");
    CHECK(!def.engine.lights);
    CHECK_UINT(def.engine.seed, UINT64_MAX - 1);
    CHECK_INT(def.engine.mode, TEST_MODE_FULL);
    CHECK_SAME(def.engine.max_speed, 0.1f);
}

TEST(all_faults_are_reported_at_their_places_and_the_def_is_unchanged) {
    test_car_def def = test_car_def_default(), before = def;
    CHECK_TEXT(
        load_says(t,
                  "{\n"
                  "  \"lenght\": 5,\n"
                  "  \"length\": 99,\n"
                  "  \"seats\": 2.5,\n"
                  "  \"engine\": {\n"
                  "    \"lights\": \"on\",\n"
                  "    \"gears\": 1e30,\n"
                  "    \"seed\": -1,\n"
                  "    \"max_speed\": null,\n"
                  "    \"mass\": 1e999,\n"
                  "    \"mode\": \"ful\",\n"
                  "    \"spawn\": [1, 2, 3],\n"
                  "    \"wind\": [1, 200, \"nan\"],\n"
                  "    \"max_speeed\": 1\n"
                  "  }\n"
                  "}",
                  &def, PLOY_ERR_FORMAT),
        "car.json:2:3: error: unknown setting 'lenght' (did you mean 'length'?)\n"
        "car.json:3:13: error: length is 99; expected 0.5 to 30 m\n"
        "car.json:4:12: error: seats is 2.5; expected a whole number from 1 to 9\n"
        "car.json:6:15: error: engine.lights is 'on'; expected true or false\n"
        "car.json:7:14: error: engine.gears is 1e30; expected a whole number from 1 to 12\n"
        "car.json:8:13: error: engine.seed is -1; expected a whole number from 0 to "
        "18446744073709551615\n"
        "car.json:9:18: error: engine.max_speed is null; expected a number from 0 to 1000000 m/s\n"
        "car.json:10:13: error: engine.mass is '1e999'; expected a number from 0.1 to 1000000000 "
        "kg\n"
        "car.json:11:13: error: engine.mode is 'ful'; expected full, careful or sleepy (did you "
        "mean 'full'?)\n"
        "car.json:12:14: error: engine.spawn is an array of another type; expected 2 numbers, each "
        "from -100 to 100 m\n"
        "car.json:13:13: error: engine.wind.y is 200; expected -50 to 50 m/s\n"
        "car.json:13:13: error: engine.wind.z is nan; expected -50 to 50 m/s\n"
        "car.json:14:5: error: unknown setting 'engine.max_speeed' (did you mean 'max_speed'?)\n");
    CHECK_BYTES(&def, &before, sizeof def);
}

TEST(things_of_the_wrong_kind_are_named) {
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"[]",
         "car.json:1:1: error: test_car_def has the wrong type; expected an object of settings\n"},
        {"{\"engine\": 5}",
         "car.json:1:12: error: engine has the wrong type; expected an object of settings\n"},
        {"{\"length\": {}}",
         "car.json:1:12: error: length is an object; expected a number from 0.5 to 30 m\n"},
        {"{\"length\": true}",
         "car.json:1:12: error: length is true; expected a number from 0.5 to 30 m\n"},
        {"{\"engine\": {\"spawn\": 5}}", "car.json:1:22: error: engine.spawn is a single value; "
                                         "expected 2 numbers, each from -100 to 100 m\n"},
        {"{\"engine\": {\"mode\": \"full\\u0000\"}}",
         "car.json:1:21: error: engine.mode is a text; expected full, careful or sleepy\n"},
        {"{\"engine.mass\": 5}", "car.json:1:2: error: unknown setting 'engine.mass'; expected a "
                                 "name without dots; groups are objects\n"},
        {"{\"length\\u0000\": 5}", "car.json:1:2: error: unknown setting 'length'; expected a name "
                                   "without dots; groups are objects\n"},
        {"{\"length\": \"nan\"}", "car.json:1:12: error: length is nan; expected 0.5 to 30 m\n"},
        {"{\"cookie\": 5}", "car.json:1:2: error: unknown setting 'cookie'\n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        test_car_def def = test_car_def_default(), before = def;
        CHECK_TEXT(load_says(t, rows[i].text, &def, PLOY_ERR_FORMAT), rows[i].want);
        CHECK_BYTES(&def, &before, sizeof def);
    }
}

TEST(a_def_that_did_not_start_from_the_default_is_refused) {
    test_car_def def;
    memset(&def, 0, sizeof def);
    load_says(t, "{}", &def, PLOY_ERR_ARGUMENT);
    def = test_car_def_default();
    memset(&def.engine, 0, sizeof def.engine);
    CHECK_TEXT(load_says(t, "{\"engine\": {\"mass\": 5}}", &def, PLOY_ERR_FORMAT),
               "car.json:1:12: error: engine is not initialized; start from its default in this "
               "version\n");
    CHECK_INT(ploy_fields_load_json(test_car_fields(), NULL, NULL, ploy_json_none(), NULL),
              PLOY_ERR_ARGUMENT);
}

static size_t save(const test_car_def *def, int32_t indent, char *text, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, indent);
    ploy_fields_save_json(test_car_fields(), def, &json);
    size_t saved = ploy_json_writer_finish(&json) == PLOY_OK ? buffer.size : 0;
    snprintf(text, size, "%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);
    return saved;
}

TEST(a_def_is_saved_in_the_order_of_its_table) {
    char text[1024];
    test_car_def def = test_car_def_default();
    CHECK(save(&def, 2, text, sizeof text) > 0);
    CHECK_TEXT(text, "{\n"
                     "  \"length\": 4.1,\n"
                     "  \"engine\": {\n"
                     "    \"lights\": true,\n"
                     "    \"gears\": 5,\n"
                     "    \"seed\": 18364758544493064720,\n"
                     "    \"max_speed\": 30,\n"
                     "    \"mass\": 0.1,\n"
                     "    \"mode\": \"careful\",\n"
                     "    \"spawn\": [1, -2],\n"
                     "    \"wind\": [0, 0, 0.5]\n"
                     "  },\n"
                     "  \"seats\": 4\n"
                     "}\n");
    def.engine.mode = (test_mode)7; // describing and saving judge nothing
    CHECK(save(&def, 0, text, sizeof text) > 0);
    CHECK(strstr(text, "\"mode\":7,") != NULL);
    CHECK(save(NULL, 0, text, sizeof text) > 0);
    CHECK_TEXT(text, "null");
}

TEST(saved_and_loaded_again_a_def_has_the_same_bytes) {
    static const char *const settings[][2] = {
        {"length", "0.7000001"},
        {"engine.lights", "false"},
        {"engine.gears", "12"},
        {"engine.seed", "9007199254740993"},
        {"engine.max_speed", "3.1415927"},
        {"engine.mass", "0.30000000000000004"},
        {"engine.mode", "full"},
        {"engine.spawn", "0.1,-99.999"},
        {"engine.wind", "1e-30,-0,50"},
        {"seats", "9"},
    };
    test_car_def def = test_car_def_default();
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        t->row = settings[i][0];
        CHECK_OK(
            ploy_fields_set_text(test_car_fields(), &def, settings[i][0], settings[i][1], NULL));
        char text[1024];
        CHECK(save(&def, 0, text, sizeof text) > 0);
        test_car_def back = test_car_def_default();
        CHECK_TEXT(load_says(t, text, &back, PLOY_OK), "");
        CHECK_BYTES(&back, &def, sizeof def);
    }
}
