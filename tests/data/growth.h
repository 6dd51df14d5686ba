// Inputs that grow, and the work that reading them takes, for the tests of readers.
//
// Work is counted, not timed: the allocator's calls and bytes in every build, and the instructions
// that the reader executes where the program runs under callgrind (ctest data.growth*.work). Each
// shape is written in sizes n, 2n and 4n. The step from 2n to 4n adds twice as many instructions as
// the step from n to 2n in a linear reader, 2.2 times as many with n log n, four times as many in a
// quadratic one. A shape fails above three, if the whole also grew more than five times from n to
// 4n: a table that is doubled between two sizes is not quadratic.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "tests/test.h"

#ifdef PLOY_HAS_CALLGRIND
#include <valgrind/callgrind.h>
#endif

typedef struct growth_shape growth_shape;
// Reads the bytes and frees what was made.
typedef ploy_result (*growth_read_fn)(const ploy_buffer *bytes, int32_t count, const ploy_env *env,
                                      ploy_diags *diags);
// Appends an input of `count` units.
typedef void (*growth_make_fn)(test_context *t, const growth_shape *shape, int32_t count,
                               ploy_buffer *out);

// The head, the unit many times (% is its number), the middle, the close as many times, the tail.
// @ is the count.
struct growth_shape {
    const char *row;
    growth_read_fn read;
    int32_t count; // n
    const char *head, *unit, *middle, *close, *tail;
    growth_make_fn make; // NULL: growth_text
    ploy_result want;    // PLOY_OK is 0: most shapes are valid files
};

static inline void growth_put(ploy_buffer *out, const char *text, int32_t number, int32_t count) {
    ploy_writer writer = ploy_buffer_writer(out);
    for (; *text != '\0'; text++) {
        if (*text == '%') {
            ploy_write_i64(&writer, number);
        } else if (*text == '@') {
            ploy_write_i64(&writer, count);
        } else {
            ploy_write_char(&writer, *text);
        }
    }
}

static inline void growth_text(test_context *t, const growth_shape *shape, int32_t count,
                               ploy_buffer *out) {
    (void)t;
    growth_put(out, shape->head, 0, count);
    for (int32_t i = 0; i < count; i++) growth_put(out, shape->unit, i, count);
    growth_put(out, shape->middle, 0, count);
    for (int32_t i = 0; i < count && shape->close[0] != '\0'; i++)
        growth_put(out, shape->close, i, count);
    growth_put(out, shape->tail, 0, count);
}

// A reader that loads an object from bytes.
#define GROWTH_READER(function, type, load, destroy)                                       \
    static ploy_result function(const ploy_buffer *in, int32_t count, const ploy_env *env, \
                                ploy_diags *diags) {                                       \
        (void)count;                                                                       \
        type *made = NULL;                                                                 \
        ploy_result result = load;                                                         \
        destroy(made);                                                                     \
        return result;                                                                     \
    }

// Bytes and calls of an allocator, none of which is ever subtracted from the sums.
typedef struct growth_sums {
    ploy_env plain;
    int64_t bytes, calls;
} growth_sums;

static inline void *growth_resize(void *user, void *block, size_t old_size, size_t new_size) {
    growth_sums *sums = user;
    if (new_size > old_size) sums->bytes += (int64_t)(new_size - old_size);
    sums->calls++;
    return sums->plain.allocator.resize(sums->plain.allocator.user, block, old_size, new_size);
}

typedef struct growth_work {
    int64_t bytes, calls;
    int64_t instructions; // -1: not counted
    ploy_result result;
} growth_work;

// Callgrind writes what it counted to a file beside PLOY_GROWTH_OUT, numbered from 1. Returns -1
// where the program does not run under callgrind.
static inline int64_t growth_instructions(void) {
    int64_t count = -1;
#ifdef PLOY_HAS_CALLGRIND
    static int32_t dumps; // as callgrind numbers them
    const char *out = getenv("PLOY_GROWTH_OUT");
    if (RUNNING_ON_VALGRIND == 0 || out == NULL) return -1;
    CALLGRIND_DUMP_STATS;
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s.%d", out, (int)++dumps);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return -1;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "totals: ", 8) == 0) count = strtoll(line + 8, NULL, 10);
    }
    fclose(file);
    remove(path);
#endif
    return count;
}

static inline growth_work growth_measure(test_context *t, const growth_shape *shape,
                                         int32_t count) {
    growth_work work = {0, 0, -1, PLOY_OK};
    ploy_env plain = ploy_env_default();
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, &plain);
    (shape->make != NULL ? shape->make : growth_text)(t, shape, count, &bytes);
    growth_sums sums = {plain, 0, 0};
    ploy_env env = plain;
    env.allocator.resize = growth_resize;
    env.allocator.user = &sums;
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
#ifdef PLOY_HAS_CALLGRIND
    CALLGRIND_ZERO_STATS;
#endif
    work.result = shape->read(&bytes, count, &env, diags);
    work.instructions = growth_instructions();
    if (work.result != shape->want && ploy_diags_count(diags) > 0)
        printf("%s: %s\n", shape->row, ploy_diags_get(diags, 0)->message);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&bytes);
    work.bytes = sums.bytes;
    work.calls = sums.calls;
    return work;
}

static inline void growth_check(test_context *t, const growth_shape *shapes, size_t shape_count) {
    int32_t wrong = 0, steep = 0;
    for (size_t i = 0; i < shape_count; i++) {
        const growth_shape *shape = &shapes[i];
        t->row = shape->row;
        growth_work once = growth_measure(t, shape, shape->count);
        growth_work twice = growth_measure(t, shape, 2 * shape->count);
        growth_work four = growth_measure(t, shape, 4 * shape->count);
        if (once.result != shape->want || twice.result != shape->want ||
            four.result != shape->want) {
            printf("%s: results %d, %d, %d, want %d\n", shape->row, (int)once.result,
                   (int)twice.result, (int)four.result, (int)shape->want);
            wrong++;
        }
        // Blocks grow by halves or doubles: what is taken may jump by that.
        CHECK(twice.bytes <= 4 * once.bytes + 65536);
        CHECK(four.bytes <= 8 * once.bytes + 65536);
        CHECK(four.calls <= 8 * once.calls + 64);
        int64_t first = twice.instructions - once.instructions;
        int64_t second = four.instructions - twice.instructions;
        if (getenv("PLOY_GROWTH_PRINT") != NULL)
            printf("%-40s %9lld %9lld %9lld  %.2f\n", shape->row, (long long)once.instructions,
                   (long long)twice.instructions, (long long)four.instructions,
                   (double)second / (double)(first != 0 ? first : 1));
        // The constant covers input that is refused at once and one growing block more or less.
        if (second <= 3 * first + 50000 || four.instructions <= 5 * once.instructions) continue;
        printf("%s: n to 2n adds %lld instructions, 2n to 4n adds %lld\n", shape->row,
               (long long)first, (long long)second);
        steep++;
    }
    t->row = NULL;
    CHECK_INT(wrong, 0);
    CHECK_INT(steep, 0);
#ifdef PLOY_HAS_CALLGRIND
    // A run for instructions that counted none would prove nothing.
    if (getenv("PLOY_GROWTH_OUT") != NULL) {
        CHECK(growth_instructions() >= 0);
    }
#endif
}
