// The runner is cmocka where there is one. WebAssembly and Windows builds run the same tests with
// the few lines at the end (PLOY_TEST_PLAIN).
#include "tests/test.h"

#include <stdlib.h>

#ifdef PLOY_TEST_PLAIN
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define print_message(...) fprintf(stderr, __VA_ARGS__)
// Both end the test that is running.
static _Noreturn void _fail(const char *file, int line);
static _Noreturn void _skip(const char *file, int line);
#else
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#endif

typedef struct test_entry {
    const char *file;
    const char *name;
    test_fn fn;
} test_entry;

static test_entry *entries;
static size_t entry_count, entry_capacity;

void test_register(const char *file, const char *name, test_fn fn) {
    if (entry_count == entry_capacity) {
        entry_capacity = entry_capacity ? entry_capacity * 2 : 64;
        entries = realloc(entries, entry_capacity * sizeof *entries);
        if (entries == NULL) abort();
    }
    const char *slash = strrchr(file, '/');
    entries[entry_count++] = (test_entry){slash ? slash + 1 : file, name, fn};
}

static void print_place(const test_context *t, const char *file, int line) {
    print_error("%s:%d: ", file, line);
    if (t->row != NULL) print_error("row \"%s\": ", t->row);
    if (t->seeded) print_error("seed %llu: ", (unsigned long long)t->seed);
}

void test_check(test_context *t, bool ok, const char *what, const char *file, int line) {
    if (ok) return;
    print_place(t, file, line);
    print_error("%s does not hold\n", what);
    _fail(file, line);
}

void test_check_int(test_context *t, int64_t got, int64_t want, const char *what, const char *file,
                    int line) {
    if (got == want) return;
    print_place(t, file, line);
    print_error("%s is %lld, want %lld\n", what, (long long)got, (long long)want);
#ifdef __wasm__
    // No threads and no files here: a test that needs them ends where it asks for them.
    if (want == PLOY_OK && got == PLOY_ERR_UNSUPPORTED) _skip(file, line);
#endif
    _fail(file, line);
}

void test_check_uint(test_context *t, uint64_t got, uint64_t want, const char *what,
                     const char *file, int line) {
    if (got == want) return;
    print_place(t, file, line);
    print_error("%s is %llu (0x%llx), want %llu (0x%llx)\n", what, (unsigned long long)got,
                (unsigned long long)got, (unsigned long long)want, (unsigned long long)want);
    _fail(file, line);
}

void test_check_near(test_context *t, double got, double want, double tolerance, const char *what,
                     const char *file, int line) {
    if (got == want || fabs(got - want) <= tolerance) return;
    print_place(t, file, line);
    print_error("%s is %.17g, want %.17g within %g\n", what, got, want, tolerance);
    _fail(file, line);
}

void test_check_text(test_context *t, const char *got, const char *want, const char *what,
                     const char *file, int line) {
    if (got == want || (got != NULL && want != NULL && strcmp(got, want) == 0)) return;
    print_place(t, file, line);
    print_error("%s is\n  %s\nwant\n  %s\n", what, got ? got : "(null)", want ? want : "(null)");
    _fail(file, line);
}

void test_check_bytes(test_context *t, const void *got, const void *want, size_t size,
                      const char *what, const char *file, int line) {
    const unsigned char *a = got, *b = want;
    for (size_t i = 0; i < size; i++) {
        if (a[i] == b[i]) continue;
        print_place(t, file, line);
        print_error("%s differs at byte %zu of %zu: %02x, want %02x\n", what, i, size,
                    (unsigned)a[i], (unsigned)b[i]);
        _fail(file, line);
    }
}

void test_skip(test_context *t, const char *why) {
    (void)t;
    print_message("skipped: %s\n", why);
    _skip(__FILE__, __LINE__);
}

// The allocator of fail-nth and counting: checks sizes on free, so that a wrong old_size is found.
typedef struct fail_state {
    test_counts counts;
    int64_t fail_at; // 0: never
    bool from_then_on;
    bool mismatch;
} fail_state;

// Sixteen bytes before each block remember its size.
static void *fail_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    fail_state *state = user;
    unsigned char *block = ptr == NULL ? NULL : (unsigned char *)ptr - 16;
    if (block != NULL) {
        size_t known;
        memcpy(&known, block, sizeof known);
        if (known != old_size) state->mismatch = true;
        old_size = known;
    }
    if (new_size == 0) {
        if (block == NULL) return NULL;
        state->counts.bytes -= (int64_t)old_size;
        state->counts.blocks--;
        free(block);
        return NULL;
    }
    state->counts.calls++;
    if (state->fail_at != 0 && (state->counts.calls == state->fail_at ||
                                (state->from_then_on && state->counts.calls > state->fail_at))) {
        return NULL;
    }
    unsigned char *grown = realloc(block, new_size + 16);
    if (grown == NULL) return NULL;
    memcpy(grown, &new_size, sizeof new_size);
    state->counts.bytes += (int64_t)new_size - (block == NULL ? 0 : (int64_t)old_size);
    if (block == NULL) state->counts.blocks++;
    return grown + 16;
}

void test_fail_nth(test_context *t, test_fail_nth_fn body, void *arg, const char *file, int line) {
    for (int mode = 0; mode < 2; mode++) {
        for (int64_t n = 1;; n++) {
            fail_state state = {{0, 0, 0}, n, mode == 1, false};
            ploy_env env = ploy_env_with_allocator((ploy_allocator){fail_resize, &state});
            ploy_result result = body(&env, arg);
            if (state.mismatch || state.counts.blocks != 0 || state.counts.bytes != 0 ||
                (result != PLOY_OK && result != PLOY_ERR_MEMORY) || n > 200000) {
                print_place(t, file, line);
                print_error("allocation %lld failing (%s): result %d, %lld blocks and %lld bytes "
                            "left%s\n",
                            (long long)n, mode == 1 ? "and all after it" : "alone", (int)result,
                            (long long)state.counts.blocks, (long long)state.counts.bytes,
                            state.mismatch ? ", freed with a wrong size" : "");
                _fail(file, line);
            }
            if (state.counts.calls < n) break; // the call makes fewer allocations than that
        }
    }
}

static void *counting_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    test_counts *counts = user;
    if (new_size == 0) {
        if (ptr != NULL) {
            counts->bytes -= (int64_t)old_size;
            counts->blocks--;
        }
        free(ptr);
        return NULL;
    }
    void *grown = realloc(ptr, new_size);
    if (grown == NULL) return NULL;
    counts->calls++;
    counts->bytes += (int64_t)new_size - (ptr == NULL ? 0 : (int64_t)old_size);
    if (ptr == NULL) counts->blocks++;
    return grown;
}

ploy_env test_counting_env(test_counts *counts) {
    *counts = (test_counts){0, 0, 0};
    return ploy_env_with_allocator((ploy_allocator){counting_resize, counts});
}

void test_sum_memory(void *user, const ploy_memory_item *item) {
    *(int64_t *)user += (int64_t)item->bytes;
}

ploy_result test_reported(const ploy_env *env, int64_t reported, const char *what) {
    const test_counts *counts = env->allocator.user; // the first member of a fail_state too
    if (reported == counts->bytes) return PLOY_OK;
    print_error("%s reports %lld bytes of %lld\n", what, (long long)reported,
                (long long)counts->bytes);
    return PLOY_ERR_STATE;
}

#ifdef __wasm__
// The module has no files, but its host has: the size of a file, or -1, and its first bytes.
__attribute__((import_module("test"), import_name("read_file"))) int32_t
test_host_read_file(const char *path, void *bytes, int32_t capacity);

char *test_read_file(const char *path, size_t *size) {
    int32_t length = test_host_read_file(path, NULL, 0);
    if (length < 0) return NULL;
    char *bytes = malloc((size_t)length + 1);
    if (bytes == NULL) return NULL;
    test_host_read_file(path, bytes, length);
    bytes[length] = 0;
    if (size != NULL) *size = (size_t)length;
    return bytes;
}
#else
char *test_read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    size_t capacity = 4096, length = 0;
    char *bytes = malloc(capacity);
    while (bytes != NULL) {
        length += fread(bytes + length, 1, capacity - 1 - length, file);
        if (length < capacity - 1) break;
        char *grown = realloc(bytes, capacity *= 2);
        if (grown == NULL) free(bytes);
        bytes = grown;
    }
    fclose(file);
    if (bytes == NULL) return NULL;
    bytes[length] = 0;
    if (size != NULL) *size = length;
    return bytes;
}
#endif

const char *test_data_dir(void) {
    const char *named = getenv("PLOY_DATA");
    static const char fallback[] = PLOY_SOURCE_DIR "/../shared/data";
    const char *dir = named != NULL ? named : fallback;
    char probe[4096];
    snprintf(probe, sizeof probe, "%s/README.md", dir);
    char *readme = test_read_file(probe, NULL);
    if (readme == NULL) return NULL;
    free(readme);
    return dir;
}

int64_t test_rounds(int64_t normal) {
    const char *soak = getenv("PLOY_SOAK");
    long times = soak == NULL ? 1 : strtol(soak, NULL, 10);
    return times > 1 ? normal * times : normal;
}

#ifndef __wasm__
// Files and names of tests are one text for the filter: "test_map.c:grows".
static bool entry_matches(const test_entry *entry, const char *filter) {
    char text[256];
    snprintf(text, sizeof text, "%s:%s", entry->file, entry->name);
    return strstr(text, filter) != NULL;
}
#endif

static void entry_run(const test_entry *entry) {
    test_context context = {NULL, 0, false};
    entry->fn(&context);
}

#ifndef PLOY_TEST_PLAIN

static void run_entry(void **state) {
    entry_run(*state);
}

int main(int argc, char **argv) {
    const char *filter = argc > 1 ? argv[1] : "";
    struct CMUnitTest *tests = calloc(entry_count + 1, sizeof *tests);
    if (tests == NULL) return 1;
    size_t count = 0;
    for (size_t i = 0; i < entry_count; i++) {
        if (!entry_matches(&entries[i], filter)) continue;
        tests[count++] = (struct CMUnitTest){entries[i].name, run_entry, NULL, NULL, &entries[i]};
    }
    if (count == 0) {
        fprintf(stderr, "no test matches '%s'\n", filter);
        return 2;
    }
    int failed = _cmocka_run_group_tests(filter[0] ? filter : "all", tests, count, NULL, NULL);
    if (failed != 0) fprintf(stderr, "to repeat: %s %s\n", argv[0], filter);
    free(tests);
    free(entries);
    return failed == 0 ? 0 : 1;
}

#elif defined(__wasm__)

// WebAssembly has no longjmp here: a test that fails or is skipped leaves by exit, and the host
// (tests/tree/wasm-tests.mjs) runs each test in an instance of its own.
enum { TEST_EXIT_FAILED = 1, TEST_EXIT_SKIPPED = 77 };

static _Noreturn void _fail(const char *file, int line) {
    (void)file, (void)line;
    exit(TEST_EXIT_FAILED);
}

static _Noreturn void _skip(const char *file, int line) {
    (void)file, (void)line;
    exit(TEST_EXIT_SKIPPED);
}

// The file and name of a test as text, or NULL after the last.
const char *test_wasm_name(int32_t index);
void test_wasm_run(int32_t index);

__attribute__((export_name("test_wasm_name"))) const char *test_wasm_name(int32_t index) {
    static char text[256];
    if ((size_t)index >= entry_count) return NULL;
    snprintf(text, sizeof text, "%s:%s", entries[index].file, entries[index].name);
    return text;
}

__attribute__((export_name("test_wasm_run"))) void test_wasm_run(int32_t index) {
    entry_run(&entries[index]);
}

#else

enum { TEST_LEFT_FAILED = 1, TEST_LEFT_SKIPPED = 2 };
static jmp_buf leave;

static _Noreturn void _fail(const char *file, int line) {
    (void)file, (void)line;
    longjmp(leave, TEST_LEFT_FAILED);
}

static _Noreturn void _skip(const char *file, int line) {
    (void)file, (void)line;
    longjmp(leave, TEST_LEFT_SKIPPED);
}

int main(int argc, char **argv) {
    const char *filter = argc > 1 ? argv[1] : "";
    volatile int count = 0, failed = 0, skipped = 0;
    for (volatile size_t i = 0; i < entry_count; i++) {
        if (!entry_matches(&entries[i], filter)) continue;
        count++;
        int left = setjmp(leave);
        if (left == 0) {
            entry_run(&entries[i]);
        } else if (left == TEST_LEFT_SKIPPED) {
            skipped++;
        } else {
            fprintf(stderr, "failed: %s:%s\n", entries[i].file, entries[i].name);
            failed++;
        }
    }
    printf("%d tests, %d failed, %d skipped\n", count, failed, skipped);
    return failed == 0 && count > 0 ? 0 : 1;
}

#endif
