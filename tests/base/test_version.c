#include "tests/test.h"

#include "ploy/base/version.h"

TEST(the_library_has_the_version_of_its_headers) {
    ploy_version_number version = ploy_version();
    CHECK_INT(version.major, PLOY_VERSION_MAJOR);
    CHECK_INT(version.minor, PLOY_VERSION_MINOR);
    CHECK_INT(version.patch, PLOY_VERSION_PATCH);
    CHECK_TEXT(ploy_version_text(), PLOY_VERSION_TEXT);
}

TEST(the_text_of_the_version_says_its_numbers) {
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", PLOY_VERSION_MAJOR, PLOY_VERSION_MINOR,
             PLOY_VERSION_PATCH);
    CHECK_TEXT(PLOY_VERSION_TEXT, text);
}
