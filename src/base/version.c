#include "ploy/base/version.h"

ploy_version_number ploy_version(void) {
    ploy_version_number version = {PLOY_VERSION_MAJOR, PLOY_VERSION_MINOR, PLOY_VERSION_PATCH};
    return version;
}

const char *ploy_version_text(void) {
    return PLOY_VERSION_TEXT;
}
