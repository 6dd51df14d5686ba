// bind_dense FIRST LAST [CALLS]: bound functions called with any arguments, densely, in one process for each seed.
//
// The objects of every type are made once. Each seed is a fork of that state, so that a crash ends one seed and the
// others still run: the report names all of them, with the last calls of each. One seed in eight has little memory left.
//
// Without the address sanitizer each block of the library ends at a page that cannot be read, and freed blocks are not
// used again: reading past a block, or after its end, is a signal. PLOY_SOAK in the environment multiplies the seeds.
#define _DEFAULT_SOURCE // mmap without a file
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bind_driver.h"
#include "ploy/script/bind.h"

#define DENSE_CALLS 2000
#define DENSE_BYTES ((size_t)64 << 20)
#define DENSE_LAST 12
#define DENSE_SECONDS 20 // of one seed; a call that takes longer is a fault

// What the parent reads after a child has ended.
typedef struct dense_shared {
    const ployi_bind_function *last[DENSE_LAST];
    uint64_t calls, errors;
} dense_shared;

typedef struct dense_memory {
    ploy_env under;
    size_t used, cap;
} dense_memory;

static dense_shared *shared;

#if defined(__SANITIZE_ADDRESS__)
#define DENSE_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DENSE_SANITIZED true
#endif
#endif
#ifndef DENSE_SANITIZED
#define DENSE_SANITIZED false
#endif

#define DENSE_SPACE \
    ((size_t)1 << 38) // addresses for the blocks of one seed; pages are taken as needed
#define DENSE_PAGE ((size_t)4096)
#define DENSE_BLOCKS 16384 // ranges of pages in a process are limited; further blocks are plain

static unsigned char *dense_space; // NULL: plain blocks
static size_t dense_next;
static int32_t dense_live;

static size_t dense_pages(size_t size) {
    return (size + DENSE_PAGE - 1) & ~(DENSE_PAGE - 1);
}

static bool dense_is_guarded(const void *ptr) {
    const unsigned char *at = ptr;
    return dense_space != NULL && at >= dense_space && at < dense_space + DENSE_SPACE;
}

// The block's last byte is less than PLOY_ALIGNMENT bytes before a page that cannot be read.
static void *dense_take(dense_memory *memory, size_t size) {
    size_t whole = dense_pages(size);
    if (dense_space == NULL || dense_live >= DENSE_BLOCKS ||
        whole + DENSE_PAGE > DENSE_SPACE - dense_next)
        return ploy_env_resize(&memory->under, NULL, 0, size);
    unsigned char *from = dense_space + dense_next;
    if (mprotect(from, whole, PROT_READ | PROT_WRITE) != 0)
        return ploy_env_resize(&memory->under, NULL, 0, size);
    dense_next += whole + DENSE_PAGE;
    dense_live += 1;
    size_t rounded = (size + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
    memset(from, 0xA5, whole);
    return from + (whole - rounded);
}

static void dense_drop(dense_memory *memory, void *ptr, size_t size) {
    if (dense_is_guarded(ptr)) {
        size_t rounded = (size + PLOY_ALIGNMENT - 1) & ~(size_t)(PLOY_ALIGNMENT - 1);
        size_t whole = dense_pages(size);
        unsigned char *from = (unsigned char *)ptr - (whole - rounded);
        (void)madvise(from, whole, MADV_DONTNEED);
        if (mprotect(from, whole, PROT_NONE) == 0) dense_live -= 1;
    } else
        (void)ploy_env_resize(&memory->under, ptr, size, 0);
}

static void *dense_move(dense_memory *memory, void *ptr, size_t old_size, size_t new_size) {
    if (dense_space == NULL) return ploy_env_resize(&memory->under, ptr, old_size, new_size);
    void *made = new_size == 0 ? NULL : dense_take(memory, new_size);
    if (new_size > 0 && made == NULL) return NULL;
    if (ptr != NULL) {
        if (made != NULL) memcpy(made, ptr, old_size < new_size ? old_size : new_size);
        dense_drop(memory, ptr, old_size);
    }
    return made;
}

static void *dense_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    dense_memory *memory = user;
    if (new_size > old_size &&
        (memory->used >= memory->cap || new_size - old_size > memory->cap - memory->used))
        return NULL;
    void *block = dense_move(memory, ptr, old_size, new_size);
    if (block != NULL || new_size == 0) memory->used += new_size - old_size;
    return block;
}

static void dense_open(driver *d, dense_memory *memory) {
    static char text[8192];
    if (!DENSE_SANITIZED) {
        void *space =
            mmap(NULL, DENSE_SPACE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (space != MAP_FAILED) dense_space = space;
    }
    *memory = (dense_memory){.under = ploy_env_default(), .cap = 8 * DENSE_BYTES};
    memory->under.log = NULL;
    ploy_env env = memory->under;
    env.allocator = (ploy_allocator){.resize = dense_resize, .user = memory};
    if (!driver_open(d, &env, 1)) abort();
    if (driver_recipes(d, PLOY_SOURCE_DIR, text, sizeof text) > 0) {
        fprintf(stderr, "%s", text);
        abort();
    }
    for (int32_t i = 0; i < driver_function_count(); i++) {
        const ployi_bind_function *fn = driver_function(i);
        bool ends = fn->count > 0 && fn->parameters[0].role == PLOYI_BIND_OWNED;
        if (!ends) (void)driver_call(d, fn, text, sizeof text);
    }
    d->mode = DRIVER_WILD;
}

static void dense_watch(const driver *d, const ployi_bind_function *fn) {
    (void)d;
    shared->last[shared->calls % DENSE_LAST] = fn;
    shared->calls += 1;
}

static void dense_child(driver *d, dense_memory *memory, uint64_t seed, int32_t calls) {
    static char text[600];
    d->random = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int32_t i = 0; i < 8; i++) (void)driver_draw(d, 2);
    d->watch = dense_watch;
    static const uint32_t rates[] = {10, 10, 30, 100};
    d->wild = rates[driver_draw(d, 4)];
    memory->cap =
        memory->used + (driver_draw(d, 8) == 0 ? (size_t)driver_draw(d, 1 << 20) : DENSE_BYTES);
    // Of the processor, so that a busy machine makes no call too slow.
    const struct itimerval end = {{0, 0}, {DENSE_SECONDS, 0}};
    (void)setitimer(ITIMER_PROF, &end, NULL);
    for (int32_t i = 0; i < calls; i++) {
        const ployi_bind_function *fn =
            driver_function((int32_t)driver_draw(d, (uint32_t)driver_function_count()));
        if (driver_call(d, fn, text, sizeof text) != LUA_OK) shared->errors += 1;
        if (driver_draw(d, 16) == 0) driver_poke(d);
        if (driver_draw(d, 256) == 0) lua_gc(d->L, LUA_GCCOLLECT, 0);
    }
    driver_close(d);
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s FIRST LAST [CALLS]\n", argv[0]);
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10);
    const char *soak = getenv("PLOY_SOAK");
    uint64_t times = soak != NULL ? strtoull(soak, NULL, 10) : 1;
    if (times > 1) last = first + (last - first + 1) * times - 1;
    int32_t calls = argc > 3 ? (int32_t)strtol(argv[3], NULL, 10) : DENSE_CALLS;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 2;
    static driver d;
    static dense_memory memory;
    dense_open(&d, &memory);
    uint64_t all = 0, errors = 0, crashed = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        *shared = (dense_shared){.calls = 0};
        (void)fflush(NULL);
        pid_t child = fork();
        if (child < 0) return 2;
        if (child == 0) dense_child(&d, &memory, seed, calls);
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        all += shared->calls;
        errors += shared->errors;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        crashed += 1;
        printf(
            "seed %llu, call %llu, %s %d; the last calls, newest first:", (unsigned long long)seed,
            (unsigned long long)shared->calls,
            WIFSIGNALED(status) ? (WTERMSIG(status) == SIGPROF ? "too slow" : "signal") : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        for (uint64_t i = 1; i <= DENSE_LAST && i <= shared->calls; i++)
            printf(" %s", shared->last[(shared->calls - i) % DENSE_LAST]->name);
        printf("\n");
        (void)fflush(stdout);
    }
    driver_close(&d);
    printf("%llu seeds, %llu calls, %llu errors, %llu crashes\n",
           (unsigned long long)(last - first + 1), (unsigned long long)all,
           (unsigned long long)errors, (unsigned long long)crashed);
    return crashed == 0 ? 0 : 1;
}
