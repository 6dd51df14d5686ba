// Parameter files: what they set, what they say about faults, and that a fault changes nothing.
#include "ploy/base/fields_text.h"

#include "ploy/base/rng.h"
#include "tests/base/fields_example.h"
#include "tests/test.h"

static const char *load_says(test_context *t, const char *text, size_t size, test_car_def *def,
                             ploy_result want) {
    static char says[4096];
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_INT(ploy_fields_load_text(test_car_fields(), def, text, size, "car.txt", diags), want);
    test_diags_say(diags, says);
    ploy_diags_destroy(diags);
    return says;
}

// STE-32
TEST(lines_set_what_they_name_and_leave_the_rest) {
    static const char text[] = "// the family's car\r\n"
                               "\n"
                               "length\t5.5;\n"
                               "  engine.lights false // it is day\n"
                               "engine.gears 6\n"
                               "engine.gears 7 ;\n" // the later one counts
                               "engine.mode sleepy\n"
                               "//seats 9\n"
                               "engine.spawn (3, -4.5)\n"
                               "engine.seed 18446744073709551615";
    test_car_def def = test_car_def_default();
    def.seats = 2;
    CHECK_TEXT(load_says(t, text, sizeof text - 1, &def, PLOY_OK), "");
    CHECK_SAME(def.length, 5.5f);
    CHECK(!def.engine.lights);
    CHECK_INT(def.engine.gears, 7);
    CHECK_INT(def.engine.mode, TEST_MODE_SLEEPY);
    CHECK_SAME(def.engine.spawn[1], -4.5f);
    CHECK_UINT(def.engine.seed, UINT64_MAX);
    CHECK_SAME(def.engine.max_speed, 30.0f);
    CHECK_INT(def.seats, 2);
    CHECK_TEXT(load_says(t, "", 0, &def, PLOY_OK), "");
    CHECK_OK(ploy_fields_load_text(test_car_fields(), &def, NULL, 0, NULL, NULL));
}

TEST(all_faults_are_reported_at_their_places_and_the_def_is_unchanged) {
    static const char text[] = "length 5\n"
                               "lenght 5\n"
                               "  length 99\n"
                               "seats 2.5\n"
                               "engine.max_speed fast // very\n"
                               "engine.mode ful\n"
                               "engine 3\n"
                               "seats\n";
    test_car_def def = test_car_def_default(), before = def;
    CHECK_TEXT(load_says(t, text, sizeof text - 1, &def, PLOY_ERR_FORMAT),
               "car.txt:2:1: error: unknown setting 'lenght' (did you mean 'length'?)\n"
               "car.txt:3:10: error: length is 99; expected 0.5 to 30 m\n"
               "car.txt:4:7: error: seats is '2.5'; expected a whole number from 1 to 9\n"
               "car.txt:5:18: error: engine.max_speed is 'fast'; expected a number from 0 to "
               "1000000 m/s\n"
               "car.txt:6:13: error: engine.mode is 'ful'; expected full, careful or sleepy (did "
               "you mean 'full'?)\n"
               "car.txt:7:8: error: engine is '3'; expected the name of one setting in it\n"
               "car.txt:8:6: error: seats is ''; expected a whole number from 1 to 9\n");
    CHECK_BYTES(&def, &before, sizeof def);
}

TEST(bytes_that_are_no_text_are_a_fault_like_any_other) {
    static const char zero_name[] = "len\0gth 5", zero_value[] = "length 5\0 6";
    char long_line[700];
    memset(long_line, 'x', sizeof long_line);
    test_car_def def = test_car_def_default(), before = def;
    CHECK_TEXT(load_says(t, zero_name, sizeof zero_name - 1, &def, PLOY_ERR_FORMAT),
               "car.txt:1:1: error: invalid name; expected a setting's name\n");
    CHECK_TEXT(load_says(t, zero_value, sizeof zero_value - 1, &def, PLOY_ERR_FORMAT),
               "car.txt:1:8: error: invalid value\n");
    CHECK_TEXT(load_says(t, long_line, sizeof long_line, &def, PLOY_ERR_FORMAT),
               "car.txt:1:1: error: invalid name; expected a setting's name\n");
    memcpy(long_line, "length ", 7);
    CHECK_TEXT(load_says(t, long_line, sizeof long_line, &def, PLOY_ERR_FORMAT),
               "car.txt:1:8: error: invalid value\n");
    CHECK_BYTES(&def, &before, sizeof def);
    memset(&def, 0, sizeof def);
    load_says(t, "length 5", 8, &def, PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_load_text(test_car_fields(), NULL, "", 0, "", NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_load_text(test_car_fields(), &before, NULL, 1, "", NULL),
              PLOY_ERR_ARGUMENT);
}

static void save(const test_car_def *def, char *text, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_fields_save_text(test_car_fields(), def, &writer);
    snprintf(text, size, "%s", ploy_buffer_text(&buffer));
    ploy_buffer_fini(&buffer);
}

TEST(a_def_is_saved_with_units_and_help) {
    char text[1024];
    test_car_def def = test_car_def_default();
    save(&def, text, sizeof text);
    CHECK_TEXT(text, "length 4.1 // m, bumper to bumper\n"
                     "engine.lights true // drive with lights\n"
                     "engine.gears 5 // number of gears\n"
                     "engine.seed 18364758544493064720 // of the dice\n"
                     "engine.max_speed 30 // m/s, largest speed\n"
                     "engine.mass 0.1 // kg, with fuel\n"
                     "engine.mode careful // how it drives\n"
                     "engine.spawn (1, -2) // m, where it starts\n"
                     "engine.wind (0, 0, 0.5) // m/s, blowing\n"
                     "seats 4 // for people\n");
}

TEST(saved_and_loaded_again_a_def_has_the_same_bytes) {
    for (int64_t round = 0; round < test_rounds(200); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        test_car_def def = test_car_def_default(), back = def;
        def.length = ploy_rng_range(&rng, 0.5f, 30.0f);
        def.seats = ploy_rng_int(&rng, 1, 9);
        def.engine.lights = ploy_rng_chance(&rng, 0.5f);
        def.engine.gears = ploy_rng_int(&rng, 1, 12);
        def.engine.seed = ploy_rng_u64(&rng);
        def.engine.max_speed = ploy_rng_range(&rng, 0.0f, 1e6f);
        def.engine.mass = (double)ploy_rng_range(&rng, 0.2f, 1e8f) / 3.0 + 0.1;
        def.engine.mode = (test_mode)ploy_rng_int(&rng, 0, 2);
        for (int i = 0; i < 2; i++) def.engine.spawn[i] = ploy_rng_range(&rng, -100.0f, 100.0f);
        for (int i = 0; i < 3; i++) def.engine.wind[i] = ploy_rng_range(&rng, -50.0f, 50.0f);
        char text[1024];
        save(&def, text, sizeof text);
        CHECK_TEXT(load_says(t, text, strlen(text), &back, PLOY_OK), "");
        CHECK_BYTES(&back, &def, sizeof def);
    }
}
