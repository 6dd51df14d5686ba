#include "base/base_internal.h"
#include "ploy/base/fields.h"

#include "tests/base/fields_example.h"
#include "tests/test.h"
#include <stdlib.h>

typedef struct test_log {
    char text[2048];
    int count;
} test_log;

static void keep_log(void *user, ploy_severity severity, const char *text) {
    test_log *log = user;
    (void)severity;
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s\n", text);
    log->count++;
}

// Checks a def and gives back what the log heard.
static const char *check_log(const test_car_def *def, ploy_result *result) {
    static test_log log;
    memset(&log, 0, sizeof log);
    ploy_env env = ploy_env_default();
    env.log = keep_log;
    env.log_user = &log;
    *result = ploy_fields_check(test_car_fields(), def, &env);
    return log.text;
}

TEST(the_default_sets_every_value_and_passes_the_check) {
    test_car_def def;
    memset(&def, 0xAA, sizeof def);
    ploy_fields_default(test_car_fields(), &def);
    CHECK_SAME(def.length, 4.1f);
    CHECK_INT(def.seats, 4);
    CHECK(def.engine.lights);
    CHECK_INT(def.engine.gears, 5);
    CHECK_UINT(def.engine.seed, TEST_SEED_DEFAULT);
    CHECK_SAME(def.engine.max_speed, 30.0f);
    CHECK_SAME(def.engine.mass, 0.1);
    CHECK_INT(def.engine.mode, TEST_MODE_CAREFUL);
    CHECK_SAME(def.engine.spawn[0], 1.0f);
    CHECK_SAME(def.engine.spawn[1], -2.0f);
    CHECK_SAME(def.engine.wind[2], 0.5f);
    ploy_result result = PLOY_ERR_STATE;
    CHECK_TEXT(check_log(&def, &result), "");
    CHECK_OK(result);
    CHECK_OK(ploy_fields_check(test_car_fields(), &def, NULL));
    CHECK_OK(ploy_fields_check_diags(test_car_fields(), &def, "car", NULL));
}

TEST(the_default_leaves_no_byte_unset) {
    test_car_def a, b;
    memset(&a, 0xAA, sizeof a);
    memset(&b, 0x55, sizeof b);
    ploy_fields_default(test_car_fields(), &a);
    ploy_fields_default(test_car_fields(), &b);
    CHECK_BYTES(&a, &b, sizeof a);
}

TEST(a_def_that_did_not_start_from_the_default_is_refused) {
    ploy_result result = PLOY_OK;
    test_car_def def;
    memset(&def, 0, sizeof def);
    CHECK_TEXT(check_log(&def, &result), "test_car_def: error: test_car_def is not initialized; "
                                         "start from its default in this version\n");
    CHECK_INT(result, PLOY_ERR_ARGUMENT);
    def = test_car_def_default();
    memset(&def.engine, 0, sizeof def.engine);
    CHECK_TEXT(
        check_log(&def, &result),
        "test_car_def: error: engine is not initialized; start from its default in this version\n");
    CHECK_INT(result, PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_fields_check(test_car_fields(), NULL, NULL), PLOY_ERR_ARGUMENT);
    // Of somebody else's def nothing but the cookie is read: it may be smaller.
    uint32_t *other = malloc(sizeof *other);
    CHECK(other != NULL);
    *other = 7;
    CHECK_INT(ploy_fields_check(test_car_fields(), other, NULL), PLOY_ERR_ARGUMENT);
    free(other);
}

TEST(the_cookie_follows_the_layout) {
    ploy_fields car = test_car_fields();
    uint32_t cookie = ployi_fields_cookie(car);
    CHECK(cookie != 0);
    CHECK(ployi_fields_cookie(test_engine_fields()) != cookie);
    ploy_fields changed = car;
    changed.size += 4;
    CHECK(ployi_fields_cookie(changed) != cookie);
    changed = car;
    changed.count--;
    CHECK(ployi_fields_cookie(changed) != cookie);
    changed = car;
    changed.type_name = "another";
    CHECK(ployi_fields_cookie(changed) != cookie);
    ploy_field items[3];
    memcpy(items, car.items, sizeof items);
    changed = car;
    changed.items = items;
    CHECK_UINT(ployi_fields_cookie(changed), cookie);
    items[0].offset += 4;
    CHECK(ployi_fields_cookie(changed) != cookie);
    items[0].offset -= 4;
    items[0].type = PLOY_FIELD_TYPE_I32;
    CHECK(ployi_fields_cookie(changed) != cookie);
    items[0].type = PLOY_FIELD_TYPE_F32;
    // Another default, range or help is the same layout.
    items[0].initial[0] = 5.0;
    items[0].max = 99.0;
    items[0].help = "other words";
    CHECK_UINT(ployi_fields_cookie(changed), cookie);
}

TEST(the_check_names_every_fault_with_its_range) {
    ploy_result result = PLOY_OK;
    test_car_def def = test_car_def_default();
    def.length = NAN;
    def.engine.gears = 0;
    def.engine.max_speed = -1.0f;
    def.engine.mass = (double)INFINITY;
    def.engine.mode = (test_mode)3;
    def.engine.spawn[1] = 200.0f;
    def.engine.wind[0] = -50.5f;
    unsigned char odd = 7;
    memcpy(&def.engine.lights, &odd, 1);
    def.seats = 10;
    CHECK_TEXT(check_log(&def, &result),
               "test_car_def: error: length is nan; expected 0.5 to 30 m\n"
               "test_car_def: error: engine.lights is 7; expected true or false\n"
               "test_car_def: error: engine.gears is 0; expected 1 to 12\n"
               "test_car_def: error: engine.max_speed is -1; expected 0 to 1000000 m/s\n"
               "test_car_def: error: engine.mass is inf; expected 0.1 to 1000000000 kg\n"
               "test_car_def: error: engine.mode is 3; expected full, careful or sleepy\n"
               "test_car_def: error: engine.spawn.y is 200; expected -100 to 100 m\n"
               "test_car_def: error: engine.wind.x is -50.5; expected -50 to 50 m/s\n"
               "test_car_def: error: seats is 10; expected 1 to 9\n");
    CHECK_INT(result, PLOY_ERR_ARGUMENT);
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_INT(ploy_fields_check_diags(test_car_fields(), &def, "my car", diags), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_count(diags), 9);
    CHECK_TEXT(ploy_diags_get(diags, 3)->name, "my car");
    CHECK_TEXT(ploy_diags_get(diags, 3)->message, "engine.max_speed is -1");
    CHECK_TEXT(ploy_diags_get(diags, 3)->expected, "0 to 1000000 m/s");
    ploy_diags_destroy(diags);
}

TEST(both_ends_of_a_range_belong_to_it) {
    // 4.1, 0.1 and the like are not the same numbers as floats: the float nearest to the bound
    // counts.
    static const ploy_field table[] = {
        PLOY_FIELD_F32(test_car_def, length, 0.1, 0.1, 0.3, "", "narrow"),
    };
    ploy_fields fields = PLOY_FIELDS(test_car_def, table);
    test_car_def def;
    ploy_fields_default(fields, &def);
    CHECK_OK(ploy_fields_check(fields, &def, NULL));
    def.length = 0.3f;
    CHECK_OK(ploy_fields_check(fields, &def, NULL));
    def.length = 0.30000004f;
    CHECK_INT(ploy_fields_check(fields, &def, NULL), PLOY_ERR_ARGUMENT);
    def.length = 0.099999994f;
    CHECK_INT(ploy_fields_check(fields, &def, NULL), PLOY_ERR_ARGUMENT);
}

TEST(fields_are_found_by_their_paths) {
    static const struct {
        const char *path;
        ploy_field_type type;
        size_t offset;
    } rows[] = {
        {"length", PLOY_FIELD_TYPE_F32, offsetof(test_car_def, length)},
        {"engine", PLOY_FIELD_TYPE_DEF, offsetof(test_car_def, engine)},
        {"engine.mass", PLOY_FIELD_TYPE_F64, offsetof(test_car_def, engine.mass)},
        {"engine.wind", PLOY_FIELD_TYPE_VEC3, offsetof(test_car_def, engine.wind)},
        {"seats", PLOY_FIELD_TYPE_I32, offsetof(test_car_def, seats)},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].path;
        uint32_t offset = 0;
        const ploy_field *field = ploy_fields_find(test_car_fields(), rows[i].path, &offset);
        CHECK(field != NULL);
        CHECK_INT(field->type, rows[i].type);
        CHECK_UINT(offset, rows[i].offset);
        CHECK(ploy_fields_find(test_car_fields(), rows[i].path, NULL) == field);
    }
    static const char *const wrong[] = {
        "",        ".",       "lengt", "lengthy",       "length.",      "length.x",
        "engine.", ".engine", "mass",  "engine.mass.x", "engine..mass", "engine.engine.mass",
        "cookie"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        t->row = wrong[i];
        CHECK(ploy_fields_find(test_car_fields(), wrong[i], NULL) == NULL);
    }
    CHECK(ploy_fields_find(test_car_fields(), NULL, NULL) == NULL);
}

static void join_paths(void *user, const char *path, const ploy_field *field, uint32_t offset) {
    char *all = user;
    uint32_t found = 0;
    if (ploy_fields_find(test_car_fields(), path, &found) != field || found != offset) return;
    strcat(all, path);
    strcat(all, " ");
}

TEST(every_value_is_visited_in_order) {
    char all[1024] = "";
    ploy_fields_each(test_car_fields(), join_paths, all);
    CHECK_TEXT(all, "length engine.lights engine.gears engine.seed engine.max_speed engine.mass "
                    "engine.mode engine.spawn engine.wind seats ");
    CHECK_INT(ploy_fields_leaf_count(test_car_fields()), 10);
    CHECK_INT(ploy_fields_leaf_count(test_engine_fields()), 8);
}

TEST(the_definition_hash_follows_names_types_and_ranges_only) {
    ploy_fields car = test_car_fields();
    uint64_t hash = ploy_fields_hash(car);
    ploy_field items[3];
    memcpy(items, car.items, sizeof items);
    ploy_fields changed = car;
    changed.items = items;
    CHECK_UINT(ploy_fields_hash(changed), hash);
    items[0].offset += 8;
    items[0].initial[0] = 9.0;
    items[0].help = "other";
    items[0].unit = "ft";
    changed.size += 16;
    changed.type_name = "renamed";
    CHECK_UINT(ploy_fields_hash(changed), hash);
    items[0].max = 31.0;
    CHECK(ploy_fields_hash(changed) != hash);
    items[0].max = 30.0;
    items[0].min = 0.6;
    CHECK(ploy_fields_hash(changed) != hash);
    items[0].min = 0.5;
    items[0].name = "width";
    CHECK(ploy_fields_hash(changed) != hash);
    items[0].name = "length";
    items[0].type = PLOY_FIELD_TYPE_F64;
    CHECK(ploy_fields_hash(changed) != hash);
    items[0].type = PLOY_FIELD_TYPE_F32;
    CHECK_UINT(ploy_fields_hash(changed), hash);
    changed.count--;
    CHECK(ploy_fields_hash(changed) != hash);
}

static ploy_fields endless_fields(void);
static const ploy_field endless_table[] = {
    {"again", PLOY_FIELD_TYPE_DEF, true, 4, {0, 0, 0}, 0, 0, "", "itself", NULL, 0, endless_fields},
};
static ploy_fields endless_fields(void) {
    return ploy_fields_make("endless", endless_table, 1, 8);
}

TEST(a_table_can_be_checked_itself) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(20, &env, &diags));
    CHECK_OK(ploy_fields_check_table(test_car_fields(), diags));
    CHECK_INT(ploy_diags_count(diags), 0);
    static const char *const no_names[] = {"x"};
    const ploy_field bad[] = {
        PLOY_FIELD_F32(test_car_def, length, 50, 0.5, 30, "m", "default out of range"),
        PLOY_FIELD_F32(test_car_def, length, 1, 0.5, 30, "m", "twice"),
        {"", PLOY_FIELD_TYPE_F32, true, 4, {1, 0, 0}, 0, 2, "", "no name", NULL, 0, NULL},
        {"a.b", PLOY_FIELD_TYPE_F32, true, 4, {1, 0, 0}, 0, 2, "", "a point", NULL, 0, NULL},
        {"cookie", PLOY_FIELD_TYPE_I32, true, 0, {1, 0, 0}, 0, 2, "", "cookie", NULL, 0, NULL},
        {"past",
         PLOY_FIELD_TYPE_F64,
         true,
         (uint32_t)sizeof(test_car_def) - 4,
         {1, 0, 0},
         0,
         2,
         "",
         "past the end",
         NULL,
         0,
         NULL},
        {"choice", PLOY_FIELD_TYPE_ENUM, true, 4, {0, 0, 0}, 0, 0, "", "none", NULL, 0, NULL},
        {"range", PLOY_FIELD_TYPE_ENUM, true, 4, {0, 0, 0}, 0, 3, "", "range", no_names, 1, NULL},
        {"def", PLOY_FIELD_TYPE_DEF, true, 4, {0, 0, 0}, 0, 0, "", "no table", NULL, 0, NULL},
    };
    ploy_fields fields = PLOY_FIELDS(test_car_def, bad);
    CHECK_INT(ploy_fields_check_table(fields, diags), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_count(diags), COUNT_OF(bad));
    static const char *const messages[] = {
        "length is 50",
        "length is a duplicate",
        " has an empty name or a '.' in it",
        "a.b has an empty name or a '.' in it",
        "cookie is outside its def",
        "past is outside its def",
        "choice is an enum without choices for its range",
        "range is an enum without choices for its range",
        "def is outside its def",
    };
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        CHECK_TEXT(ploy_diags_get(diags, i)->message, messages[i]);
    }
    ploy_diags_clear(diags);
    CHECK_INT(ploy_fields_check_table(endless_fields(), diags), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_diags_count(diags), 1);
    CHECK(strstr(ploy_diags_get(diags, 0)->message, "is outside its def") != NULL);
    ploy_diags_destroy(diags);
    // The other functions end on such a table, too.
    char nearest[PLOY_FIELD_PATH_MAX];
    CHECK(!ploy_fields_nearest(endless_fields(), "again", nearest));
    CHECK_INT(ploy_fields_leaf_count(endless_fields()), 0);
    CHECK(ployi_fields_cookie(endless_fields()) != 0);
    (void)ploy_fields_hash(endless_fields());
}

TEST(types_have_names) {
    static const char *const names[] = {"bool", "i32",  "u64",  "f32", "f64",
                                        "enum", "vec2", "vec3", "def"};
    for (int i = 0; i < (int)COUNT_OF(names); i++) {
        CHECK_TEXT(ploy_field_type_text((ploy_field_type)i), names[i]);
    }
    CHECK_TEXT(ploy_field_type_text((ploy_field_type)99), "?");
}
