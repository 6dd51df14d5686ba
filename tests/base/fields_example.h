// A def with a setting of every kind, and one that holds it: what the tests of field tables use.
#pragma once

#include <string.h>

#include "ploy/base/fields.h"

typedef enum test_mode { TEST_MODE_FULL, TEST_MODE_CAREFUL, TEST_MODE_SLEEPY } test_mode;

typedef struct test_engine_def {
    uint32_t cookie;
    bool lights;
    int32_t gears;
    uint64_t seed;
    float max_speed;
    double mass;
    test_mode mode;
    float spawn[2];
    float wind[3];
} test_engine_def;

typedef struct test_car_def {
    uint32_t cookie;
    float length;
    test_engine_def engine;
    int32_t seats;
} test_car_def;

static const char *const test_mode_names[] = {"full", "careful", "sleepy"};

#define TEST_SEED_DEFAULT 0xFEDCBA9876543210u

static const ploy_field test_engine_table[] = {
    PLOY_FIELD_BOOL(test_engine_def, lights, true, "drive with lights"),
    PLOY_FIELD_I32_FIXED(test_engine_def, gears, 5, 1, 12, "", "number of gears"),
    PLOY_FIELD_U64(test_engine_def, seed, TEST_SEED_DEFAULT, "of the dice"),
    PLOY_FIELD_F32(test_engine_def, max_speed, 30, 0, 1e6f, "m/s", "largest speed"),
    PLOY_FIELD_F64(test_engine_def, mass, 0.1, 0.1, 1e9, "kg", "with fuel"),
    PLOY_FIELD_ENUM(test_engine_def, mode, TEST_MODE_CAREFUL, test_mode_names, "how it drives"),
    PLOY_FIELD_VEC2(test_engine_def, spawn, 1, -2, -100, 100, "m", "where it starts"),
    PLOY_FIELD_VEC3(test_engine_def, wind, 0, 0, 0.5, -50, 50, "m/s", "blowing"),
};

static inline ploy_fields test_engine_fields(void) {
    return PLOY_FIELDS(test_engine_def, test_engine_table);
}

static const ploy_field test_car_table[] = {
    PLOY_FIELD_F32(test_car_def, length, 4.1, 0.5, 30, "m", "bumper to bumper"),
    PLOY_FIELD_DEF(test_car_def, engine, test_engine_fields, "what drives it"),
    PLOY_FIELD_I32(test_car_def, seats, 4, 1, 9, "", "for people"),
};

static inline ploy_fields test_car_fields(void) {
    return PLOY_FIELDS(test_car_def, test_car_table);
}

static inline test_car_def test_car_def_default(void) {
    test_car_def def;
    ploy_fields_default(test_car_fields(), &def);
    return def;
}

// All that diagnostics say, one to a line. Room for 4096 characters.
static inline void test_diags_say(const ploy_diags *diags, char *says) {
    says[0] = '\0';
    for (int32_t i = 0; i < ploy_diags_count(diags); i++) {
        char line[1024];
        ploy_diag_print(ploy_diags_get(diags, i), line, sizeof line);
        strcat(says, line);
        strcat(says, "\n");
    }
}
