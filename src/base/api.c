#include "ploy/base/api.h"

#include <stdio.h>
#include <stdlib.h>

// Per process, because an assertion may fire where no env is at hand; see the header.
static ploy_assert_fn assert_handler;
static void *assert_user;

void ploy_set_assert_handler(ploy_assert_fn handler, void *user) {
    assert_handler = handler;
    assert_user = user;
}

void ploy_assert_failed(const char *condition, const char *file, int32_t line) {
    if (assert_handler != NULL) {
        assert_handler(assert_user, condition, file, line);
        return;
    }
    fprintf(stderr, "%s:%d: ploy: broken invariant: %s\n", file, (int)line, condition);
    abort();
}
