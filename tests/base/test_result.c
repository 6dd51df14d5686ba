#include "tests/test.h"

#include "ploy/base/result.h"

// Written out a second time on purpose: the numbers are part of the API and never change.
static const struct {
    const char *row;
    ploy_result code;
    int value;
} codes[] = {
    {"PLOY_IN_PROGRESS", PLOY_IN_PROGRESS, 1},
    {"PLOY_OK", PLOY_OK, 0},
    {"PLOY_ERR_ARGUMENT", PLOY_ERR_ARGUMENT, -1},
    {"PLOY_ERR_MEMORY", PLOY_ERR_MEMORY, -2},
    {"PLOY_ERR_FORMAT", PLOY_ERR_FORMAT, -3},
    {"PLOY_ERR_VERSION", PLOY_ERR_VERSION, -4},
    {"PLOY_ERR_NOT_FOUND", PLOY_ERR_NOT_FOUND, -5},
    {"PLOY_ERR_EXISTS", PLOY_ERR_EXISTS, -6},
    {"PLOY_ERR_CAPACITY", PLOY_ERR_CAPACITY, -7},
    {"PLOY_ERR_STATE", PLOY_ERR_STATE, -8},
    {"PLOY_ERR_LIMIT", PLOY_ERR_LIMIT, -9},
    {"PLOY_ERR_DENIED", PLOY_ERR_DENIED, -10},
    {"PLOY_ERR_SYSTEM", PLOY_ERR_SYSTEM, -11},
    {"PLOY_ERR_CANCELLED", PLOY_ERR_CANCELLED, -12},
    {"PLOY_ERR_UNSUPPORTED", PLOY_ERR_UNSUPPORTED, -13},
    {"PLOY_ERR_INTERRUPTED", PLOY_ERR_INTERRUPTED, -14},
    {"PLOY_ERR_CALLBACK", PLOY_ERR_CALLBACK, -15},
    {"PLOY_ERR_CHANGED", PLOY_ERR_CHANGED, -16},
};

TEST(codes_keep_their_numbers_and_names) {
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        t->row = codes[i].row;
        CHECK_INT(codes[i].code, codes[i].value);
        CHECK_TEXT(ploy_result_name(codes[i].code), codes[i].row);
    }
}

#define COUNT_ONE(name, value, text) +1
TEST(every_code_of_the_list_is_tested_here) {
    CHECK_INT(0 PLOY_RESULTS(COUNT_ONE), COUNT_OF(codes));
}
#undef COUNT_ONE

TEST(every_code_has_a_text_of_its_own) {
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        t->row = codes[i].row;
        const char *text = ploy_result_text(codes[i].code);
        CHECK(text[0] != 0);
        CHECK(strcmp(text, "unknown result") != 0);
        CHECK(text[strlen(text) - 1] != '.');
        for (size_t j = 0; j < i; j++) CHECK(strcmp(text, ploy_result_text(codes[j].code)) != 0);
    }
}

TEST(a_number_that_is_no_code_is_named_as_such) {
    CHECK_TEXT(ploy_result_text((ploy_result)-100), "unknown result");
    CHECK_TEXT(ploy_result_name((ploy_result)-100), "?");
    CHECK_TEXT(ploy_result_text((ploy_result)2), "unknown result");
}
