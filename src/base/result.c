#include "ploy/base/result.h"

const char *ploy_result_text(ploy_result result) {
    switch (result) {
#define RESULT_TEXT(name, value, text) \
    case name: return text;
        PLOY_RESULTS(RESULT_TEXT)
#undef RESULT_TEXT
    }
    return "unknown result";
}

const char *ploy_result_name(ploy_result result) {
    switch (result) {
#define RESULT_NAME(name, value, text) \
    case name: return #name;
        PLOY_RESULTS(RESULT_NAME)
#undef RESULT_NAME
    }
    return "?";
}
