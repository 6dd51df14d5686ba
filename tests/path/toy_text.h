// What a loader of text says about faults, and hashes of what it made.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/diags.h"
#include "tests/test.h"

typedef struct toy_fault {
    const char *row, *text;
    ploy_result want;
    int32_t line, column; // of the first fault
    int64_t faults;
} toy_fault;

// Loads a text that is wrong. Returns the result; made says whether there is an object all the same.
typedef ploy_result (*toy_load_fn)(const char *text, size_t size, ploy_diags *diags, bool *made);

static inline void toy_faults_check(test_context *t, const toy_fault *rows, size_t count,
                                    toy_load_fn load) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < count; i++) {
        t->row = rows[i].row;
        bool made = true;
        ploy_diags_clear(diags);
        CHECK_INT(load(rows[i].text, strlen(rows[i].text), diags, &made), rows[i].want);
        CHECK(!made);
        CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), rows[i].faults);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    ploy_diags_destroy(diags);
}
