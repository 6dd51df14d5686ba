// Field tables, the access side: getting, setting, describing.
#include "ploy/base/fields.h"
#include "tests/base/fields_example.h"
#include "tests/test.h"

TEST(what_is_set_is_got) {
    const struct {
        const char *path;
        ploy_value value;
        const char *want; // as got and printed
    } rows[] = {
        {"length", ploy_value_f32(5.5f), "5.5"},
        {"length", ploy_value_f64(0.7), "0.7"}, // rounded to a float
        {"length", ploy_value_i64(7), "7"},
        {"engine.lights", ploy_value_bool(false), "false"},
        {"engine.lights", ploy_value_i64(1), "true"},
        {"engine.gears", ploy_value_i64(12), "12"},
        {"engine.gears", ploy_value_f64(3.0), "3"},
        {"engine.gears", ploy_value_u64(1), "1"},
        {"engine.seed", ploy_value_u64(UINT64_MAX), "18446744073709551615"},
        {"engine.seed", ploy_value_i64(7), "7"},
        {"engine.mass", ploy_value_f64(0.1), "0.1"},
        {"engine.mass", ploy_value_f32(0.25f), "0.25"},
        {"engine.mode", ploy_value_text("sleepy"), "sleepy"},
        {"engine.mode", ploy_value_i64(0), "full"},
        {"engine.spawn", ploy_value_vec2(3, 4), "(3, 4)"},
        {"engine.wind", ploy_value_vec3(1, 2, -50), "(1, 2, -50)"},
    };
    test_car_def def = test_car_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        CHECK_OK(ploy_fields_set(test_car_fields(), &def, rows[i].path, &rows[i].value, NULL));
        ploy_value got = ploy_value_none();
        CHECK_OK(ploy_fields_get(test_car_fields(), &def, rows[i].path, &got));
        char text[64];
        ploy_value_print(&got, text, sizeof text);
        CHECK_TEXT(text, rows[i].want);
        CHECK_OK(ploy_fields_check(test_car_fields(), &def, NULL));
    }
    CHECK_INT(def.engine.mode, TEST_MODE_FULL);
    ploy_value got = ploy_value_i64(77);
    CHECK_INT(ploy_fields_get(test_car_fields(), &def, "no", &got), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_fields_get(test_car_fields(), &def, "engine", &got), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_get(test_car_fields(), NULL, "length", &got), PLOY_ERR_ARGUMENT);
    def.engine.mode = (test_mode)-1;
    CHECK_INT(ploy_fields_get(test_car_fields(), &def, "engine.mode", &got), PLOY_ERR_ARGUMENT);
    CHECK_INT(got.as.i64, 77);
}

// What setting a value says; the def must be as before.
static const char *set_says(test_context *t, const char *path, const ploy_value *value,
                            const char *text, ploy_result want) {
    static char says[1024];
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(2, &env, &diags));
    test_car_def def = test_car_def_default(), before = def;
    ploy_result result = text != NULL
                             ? ploy_fields_set_text(test_car_fields(), &def, path, text, diags)
                             : ploy_fields_set(test_car_fields(), &def, path, value, diags);
    CHECK_INT(result, want);
    CHECK_BYTES(&def, &before, sizeof def);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), 1);
    CHECK_INT(ploy_diags_get(diags, 0)->code, want == PLOY_ERR_FORMAT ? PLOY_ERR_ARGUMENT : want);
    ploy_diag_print(ploy_diags_get(diags, 0), says, sizeof says);
    ploy_diags_destroy(diags);
    return says;
}

TEST(a_value_that_does_not_fit_changes_nothing_and_is_explained) {
    const struct {
        const char *path;
        ploy_value value;
        const char *want;
    } rows[] = {
        {"length", ploy_value_f32(NAN), "error: length is nan; expected 0.5 to 30 m"},
        {"length", ploy_value_f64(1e300),
         "error: length is 1e300; expected a number from 0.5 to 30 m"},
        {"length", ploy_value_text("long"),
         "error: length is 'long'; expected a number from 0.5 to 30 m"},
        {"length", ploy_value_bool(true),
         "error: length is true; expected a number from 0.5 to 30 m"},
        {"length", ploy_value_vec2(1, 2),
         "error: length is (1, 2); expected a number from 0.5 to 30 m"},
        {"seats", ploy_value_f64(2.5), "error: seats is 2.5; expected a whole number from 1 to 9"},
        {"seats", ploy_value_i64(1000000000000),
         "error: seats is 1000000000000; expected a whole number from 1 to 9"},
        {"seats", ploy_value_i64(0), "error: seats is 0; expected 1 to 9"},
        {"seats", ploy_value_bool(true),
         "error: seats is true; expected a whole number from 1 to 9"},
        {"engine.lights", ploy_value_i64(2), "error: engine.lights is 2; expected true or false"},
        {"engine.seed", ploy_value_i64(-1),
         "error: engine.seed is -1; expected a whole number "
         "from 0 to 18446744073709551615"},
        {"engine.mode", ploy_value_text("carefull"),
         "error: engine.mode is 'carefull'; expected "
         "full, careful or sleepy (did you mean "
         "'careful'?)"},
        {"engine.mode", ploy_value_i64(3),
         "error: engine.mode is 3; expected full, careful or sleepy"},
        {"engine.spawn", ploy_value_vec3(1, 2, 3),
         "error: engine.spawn is (1, 2, 3); expected 2 "
         "numbers, each from -100 to 100 m"},
        {"engine.wind", ploy_value_vec3(1, NAN, 3),
         "error: engine.wind.y is nan; expected -50 to 50 m/s"},
        {"engine", ploy_value_i64(1), "error: engine is 1; expected the name of one setting in it"},
        {"length", ploy_value_none(), "error: length is none; expected a number from 0.5 to 30 m"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        CHECK_TEXT(set_says(t, rows[i].path, &rows[i].value, NULL, PLOY_ERR_ARGUMENT),
                   rows[i].want);
    }
}

TEST(an_unknown_name_gets_the_nearest_one) {
    static const struct {
        const char *path, *nearest;
    } rows[] = {
        {"lenght", "length"},
        {"engine.max_sped", "engine.max_speed"},
        {"engin.max_speed", "engine.max_speed"},
        {"max_speed", "engine.max_speed"},
        {"max_sped", "engine.max_speed"},
        {"motor.max_speed", "engine.max_speed"},
        {"seat", "seats"},
        {"Seats", "seats"},
        {"zzz", ""},
        {"", ""},
        {"engine.", ""},
        {"a_name_that_goes_on_and_on_and_on_until_it_is_far_longer_than_any_setting_can_be", ""},
    };
    ploy_value value = ploy_value_f32(1.0f);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].path;
        char nearest[PLOY_FIELD_PATH_MAX];
        CHECK_INT(ploy_fields_nearest(test_car_fields(), rows[i].path, nearest),
                  rows[i].nearest[0] != '\0');
        CHECK_TEXT(nearest, rows[i].nearest);
        char want[512];
        snprintf(want, sizeof want, "error: unknown setting '%s'%s%s%s", rows[i].path,
                 nearest[0] != '\0' ? " (did you mean '" : "", nearest,
                 nearest[0] != '\0' ? "'?)" : "");
        CHECK_TEXT(set_says(t, rows[i].path, &value, NULL, PLOY_ERR_NOT_FOUND), want);
    }
}

TEST(text_sets_every_kind) {
    static const struct {
        const char *path, *text, *want;
    } rows[] = {
        {"length", "5.5", "5.5"},
        {"length", " 7 ", "7"},
        {"engine.lights", "false", "false"},
        {"engine.lights", "1", "true"},
        {"engine.gears", "7", "7"},
        {"engine.gears", "1e1", "10"},
        {"engine.gears", "3.0", "3"},
        {"engine.seed", "18446744073709551615", "18446744073709551615"},
        {"engine.seed", "1e3", "1000"},
        {"engine.max_speed", "0.1", "0.1"},
        {"engine.mass", "0.1", "0.1"},
        {"engine.mode", "sleepy", "sleepy"},
        {"engine.mode", "1", "careful"},
        {"engine.spawn", "(3, 4)", "(3, 4)"},
        {"engine.spawn", "3,4", "(3, 4)"},
        {"engine.wind", "1 2 3", "(1, 2, 3)"},
    };
    test_car_def def = test_car_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].text;
        CHECK_OK(ploy_fields_set_text(test_car_fields(), &def, rows[i].path, rows[i].text, NULL));
        ploy_value got = ploy_value_none();
        CHECK_OK(ploy_fields_get(test_car_fields(), &def, rows[i].path, &got));
        char text[64];
        ploy_value_print(&got, text, sizeof text);
        CHECK_TEXT(text, rows[i].want);
    }
}

TEST(text_that_does_not_read_is_explained) {
    static const struct {
        const char *path, *text;
        ploy_result result;
        const char *want;
    } rows[] = {
        {"length", "long", PLOY_ERR_FORMAT,
         "error: length is 'long'; expected a number from 0.5 to 30 m"},
        {"length", "", PLOY_ERR_FORMAT, "error: length is ''; expected a number from 0.5 to 30 m"},
        {"length", "40", PLOY_ERR_ARGUMENT, "error: length is 40; expected 0.5 to 30 m"},
        {"length", "1e39", PLOY_ERR_ARGUMENT,
         "error: length is '1e39'; expected a number from 0.5 to 30 m"},
        {"length", "nan", PLOY_ERR_ARGUMENT, "error: length is nan; expected 0.5 to 30 m"},
        {"seats", "2.5", PLOY_ERR_ARGUMENT,
         "error: seats is '2.5'; expected a whole number from 1 to 9"},
        {"engine.spawn", "1,2,3", PLOY_ERR_FORMAT,
         "error: engine.spawn is '1,2,3'; expected 2 numbers, each from -100 to 100 m"},
        {"engine.lights", "maybe", PLOY_ERR_FORMAT,
         "error: engine.lights is 'maybe'; expected true or false"},
        {"engine.mode", "Sleepy", PLOY_ERR_ARGUMENT,
         "error: engine.mode is 'Sleepy'; expected full, careful or sleepy (did you mean "
         "'sleepy'?)"},
        {"engine", "5", PLOY_ERR_FORMAT,
         "error: engine is '5'; expected the name of one setting in it"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].want;
        CHECK_TEXT(set_says(t, rows[i].path, NULL, rows[i].text, rows[i].result), rows[i].want);
    }
}

TEST(setting_refuses_what_is_no_def) {
    test_car_def def;
    memset(&def, 0, sizeof def);
    test_car_def before = def;
    ploy_value value = ploy_value_f32(5.0f);
    CHECK_INT(ploy_fields_set(test_car_fields(), &def, "length", &value, NULL), PLOY_ERR_ARGUMENT);
    CHECK_BYTES(&def, &before, sizeof def);
    CHECK_INT(ploy_fields_set(test_car_fields(), NULL, "length", &value, NULL), PLOY_ERR_ARGUMENT);
    def = test_car_def_default();
    CHECK_INT(ploy_fields_set(test_car_fields(), &def, NULL, &value, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_set(test_car_fields(), &def, "length", NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_set_text(test_car_fields(), &def, "length", NULL, NULL), PLOY_ERR_FORMAT);
}

static void tape_begin(void *user, const char *name, ploy_id owner) {
    (void)owner;
    strcat(user, name);
    strcat(user, "{");
}

static void tape_end(void *user) {
    strcat(user, "}");
}

static void tape_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    char text[64];
    ploy_value_print(value, text, sizeof text);
    strcat(user, name);
    strcat(user, mark == PLOY_STATE ? "=" : "~");
    strcat(user, text);
    strcat(user, ";");
}

TEST(a_def_describes_itself) {
    char tape[1024] = "";
    ploy_describe out = {tape_begin, tape_end, tape_value, tape};
    test_car_def def = test_car_def_default();
    ploy_fields_describe(test_car_fields(), &def, PLOY_STATE, &out);
    CHECK_TEXT(tape, "length=4.1;engine{lights=true;gears=5;seed=18364758544493064720;"
                     "max_speed=30;mass=0.1;mode=careful;spawn=(1, -2);wind=(0, 0, 0.5);}seats=4;");
    tape[0] = '\0';
    def.engine.mode = (test_mode)9;
    ploy_fields_describe(test_car_fields(), &def, PLOY_NOTE, &out);
    CHECK(strstr(tape, "mode~none;") != NULL);
    ploy_fields_describe(test_car_fields(), NULL, PLOY_STATE, &out);
    ploy_fields_describe(test_car_fields(), &def, PLOY_STATE, NULL);
}

TEST(each_setting_changes_the_described_hash) {
    // Restoring one value at a time shows that describe forgets none.
    static const char *const paths[] = {
        "length",      "engine.lights", "engine.gears", "engine.seed", "engine.max_speed",
        "engine.mass", "engine.mode",   "engine.spawn", "engine.wind", "seats"};
    static const char *const texts[] = {"5", "0", "6", "7", "31", "2", "full", "1,2", "1,2,3", "5"};
    uint64_t hashes[COUNT_OF(paths) + 1];
    for (size_t i = 0; i <= COUNT_OF(paths); i++) {
        test_car_def def = test_car_def_default();
        if (i > 0) {
            CHECK_OK(
                ploy_fields_set_text(test_car_fields(), &def, paths[i - 1], texts[i - 1], NULL));
        }
        ploy_hash_sink sink;
        ploy_hash_sink_init(&sink);
        ploy_describe out = ploy_hash_sink_describe(&sink);
        ploy_fields_describe(test_car_fields(), &def, PLOY_STATE, &out);
        hashes[i] = ploy_hash_sink_result(&sink);
        for (size_t k = 0; k < i; k++) CHECK(hashes[i] != hashes[k]);
    }
}
