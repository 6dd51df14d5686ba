// The thin layer of the tests over cmocka: tests that register themselves, tables whose rows are
// printed with a failure, loops that print their seed, and checks that print both values.
//
//     TEST(create_refuses_settings_out_of_range) {
//         for (...) { t->row = rows[i].row; CHECK_INT(call(), rows[i].want); }
//     }
//
// A failing check ends its test. `ploy_test_base map` runs the tests whose file or name contains
// "map". Written for gcc and clang alone, because tests register themselves before main.
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ploy/base/env.h"

typedef struct test_context {
    const char *row; // of the table, printed with a failure
    uint64_t seed;   // of the property loop, printed with a failure
    bool seeded;     // set by TEST_SEED
} test_context;

typedef void (*test_fn)(test_context *t);

// Called before main by each TEST.
void test_register(const char *file, const char *name, test_fn fn);

#define TEST(test_name)                                                   \
    static void test_name(test_context *t);                               \
    __attribute__((constructor)) static void test_name##_register(void) { \
        test_register(__FILE__, #test_name, test_name);                   \
    }                                                                     \
    static void test_name(test_context *t)

// Names the seed of the present turn of a property loop.
#define TEST_SEED(value) (t->seeded = true, t->seed = (uint64_t)(value))

// How often a property loop turns: `normal` in the suite, many times that in `make soak`.
int64_t test_rounds(int64_t normal);

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Each ends the test on failure, printing file, line, row, seed and both values.
void test_check(test_context *t, bool ok, const char *what, const char *file, int line);
void test_check_int(test_context *t, int64_t got, int64_t want, const char *what, const char *file,
                    int line);
void test_check_uint(test_context *t, uint64_t got, uint64_t want, const char *what,
                     const char *file, int line);
void test_check_near(test_context *t, double got, double want, double tolerance, const char *what,
                     const char *file, int line);
void test_check_text(test_context *t, const char *got, const char *want, const char *what,
                     const char *file, int line);
void test_check_bytes(test_context *t, const void *got, const void *want, size_t size,
                      const char *what, const char *file, int line);
// Counts the test as skipped: for outside data that is not there.
void test_skip(test_context *t, const char *why);

#define CHECK(condition) test_check(t, (condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want) \
    test_check_int(t, (int64_t)(got), (int64_t)(want), #got, __FILE__, __LINE__)
#define CHECK_UINT(got, want) \
    test_check_uint(t, (uint64_t)(got), (uint64_t)(want), #got, __FILE__, __LINE__)
#define CHECK_OK(got) test_check_int(t, (int64_t)(got), PLOY_OK, #got, __FILE__, __LINE__)
// |got - want| <= tolerance; equal infinities pass, NaN never does.
#define CHECK_NEAR(got, want, tolerance) \
    test_check_near(t, (double)(got), (double)(want), (double)(tolerance), #got, __FILE__, __LINE__)
// Same bits of a float or double, printed as numbers.
#define CHECK_SAME(got, want) \
    test_check_near(t, (double)(got), (double)(want), 0.0, #got, __FILE__, __LINE__)
#define CHECK_TEXT(got, want) test_check_text(t, (got), (want), #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, want, size) \
    test_check_bytes(t, (got), (want), (size), #got, __FILE__, __LINE__)

// Fail-nth: calls `body` with an env whose n-th allocation fails, for n = 1, 2, ... until it
// succeeds, once with only that one failing and once with all from then on, and checks after each
// that nothing is leaked. body returns the call's result and must free what it made on success.
// Any result but PLOY_OK and PLOY_ERR_MEMORY fails the test.
typedef ploy_result (*test_fail_nth_fn)(const ploy_env *env, void *arg);
void test_fail_nth(test_context *t, test_fail_nth_fn body, void *arg, const char *file, int line);
#define CHECK_FAIL_NTH(body, arg) test_fail_nth(t, (body), (arg), __FILE__, __LINE__)

// An env whose allocator counts; *bytes and *blocks follow what is live, *calls all allocations.
typedef struct test_counts {
    int64_t bytes, blocks, calls;
} test_counts;
ploy_env test_counting_env(test_counts *counts);

// A ploy_memory_fn whose user is an int64_t: adds up the bytes that an object reports.
void test_sum_memory(void *user, const ploy_memory_item *item);

// Compares a sum of reports with what the allocator of a counting or fail-nth env holds.
// @return PLOY_ERR_STATE, with both printed, if they differ.
ploy_result test_reported(const ploy_env *env, int64_t reported, const char *what);

// In a body of fail-nth, before it destroys the only object that lives in its env: a report that
// differs from the allocator's bytes fails the test.
#define TEST_REPORT(result, env, object, memory)                       \
    do {                                                               \
        int64_t test_report_bytes = 0;                                 \
        if ((result) == PLOY_OK) {                                     \
            memory((object), test_sum_memory, &test_report_bytes);     \
            (result) = test_reported(env, test_report_bytes, #memory); \
        }                                                              \
    } while (0)

// The folder of outside data ($PLOY_DATA or ../shared/data from the project's root), or NULL.
const char *test_data_dir(void);
// Reads a whole file into malloc'ed memory with a zero behind it; NULL if it is not there.
char *test_read_file(const char *path, size_t *size);
