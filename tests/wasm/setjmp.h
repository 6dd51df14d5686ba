// <setjmp.h> for the tests' WebAssembly build, whose C library has none. A test that would jump has
// got as far as it can: it leaves as skipped, by the exit status that tests/tree/wasm-tests.mjs
// knows.
#pragma once

#include <stdlib.h>

typedef struct test_jmp_buf {
    int unused;
} jmp_buf[1];

#define setjmp(buffer) ((void)(buffer), 0)
#define longjmp(buffer, value) ((void)(buffer), (void)(value), exit(77))
