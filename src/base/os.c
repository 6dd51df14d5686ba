// The operating-system layer, three times: POSIX, Windows and WebAssembly (wasi-libc).
//
// Only this file includes system headers beyond the C library, so that their macros and their
// feature tests stay in one place. The amalgamation defines the same macros at its top.
#if !defined(_WIN32)
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // clock_gettime, sigmask, fsync
#endif
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 // getentropy, MAP_ANONYMOUS
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE 1
#endif
#endif

#include "ploy/base/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base_internal.h"

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// ntsecapi.h wants windows.h first.
#include <io.h>
#include <ntsecapi.h>
// Plain words that windows.h turns into macros; files after this one may want them.
#undef near
#undef far
#undef small
#undef interface
#elif defined(__wasm__)
#include <time.h>
#include <unistd.h>
#else
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

// Most bytes that getentropy gives in one call.
#define OS_ENTROPY_MAX 256

// ---- time, random bytes, processors

#if defined(_WIN32)

uint64_t ploy_os_clock_ns(void) {
    LARGE_INTEGER frequency, count;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&count);
    uint64_t per_second = (uint64_t)frequency.QuadPart, ticks = (uint64_t)count.QuadPart;
    // In two parts, because ticks * 1e9 overflows after a few days.
    return ticks / per_second * 1000000000u + ticks % per_second * 1000000000u / per_second;
}

ploy_result ploy_os_random(void *bytes, size_t size) {
    unsigned char *at = bytes;
    while (size > 0) {
        ULONG part = size < 65536 ? (ULONG)size : 65536;
        if (!RtlGenRandom(at, part)) return PLOY_ERR_SYSTEM;
        at += part;
        size -= part;
    }
    return PLOY_OK;
}

int32_t ploy_os_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors < 1 ? 1 : (int32_t)info.dwNumberOfProcessors;
}

#else

uint64_t ploy_os_clock_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

ploy_result ploy_os_random(void *bytes, size_t size) {
    unsigned char *at = bytes;
    while (size > 0) {
        size_t part = size < OS_ENTROPY_MAX ? size : OS_ENTROPY_MAX;
        if (getentropy(at, part) != 0) return PLOY_ERR_SYSTEM;
        at += part;
        size -= part;
    }
    return PLOY_OK;
}

int32_t ploy_os_processors(void) {
#if defined(_SC_NPROCESSORS_ONLN) && !defined(__wasm__)
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 65536 ? 65536 : (int32_t)count;
#else
    return 1;
#endif
}

#endif

// ---- reserved memory

#if defined(__wasm__)

// WebAssembly has one linear memory without holes: reserving is allocating.
void *ploy_os_reserve(size_t size) {
    if (size == 0 || size > SIZE_MAX - 4095) return NULL;
    size = (size + 4095) & ~(size_t)4095;
    void *address = aligned_alloc(4096, size);
    if (address != NULL) memset(address, 0, size);
    return address;
}

void ploy_os_release(void *address, size_t size) {
    (void)size;
    free(address);
}

ploy_result ploy_os_commit(void *address, size_t offset, size_t size) {
    (void)address;
    (void)offset;
    (void)size;
    return PLOY_OK;
}

void ploy_os_decommit(void *address, size_t offset, size_t size) {
    memset((char *)address + offset, 0, size);
}

#else

static size_t os_page_size(void) {
#if defined(_WIN32)
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
#else
    return (size_t)sysconf(_SC_PAGESIZE);
#endif
}

void *ploy_os_reserve(size_t size) {
    if (size == 0) return NULL;
#if defined(_WIN32)
    return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
#else
    // Without access at first: such a mapping is not charged even where the system is set not to
    // overcommit, and touching what was not committed fails at once, as it does on Windows.
    void *address = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return address == MAP_FAILED ? NULL : address;
#endif
}

void ploy_os_release(void *address, size_t size) {
    if (address == NULL) return;
#if defined(_WIN32)
    (void)size;
    VirtualFree(address, 0, MEM_RELEASE);
#else
    munmap(address, size);
#endif
}

ploy_result ploy_os_commit(void *address, size_t offset, size_t size) {
    if (size == 0) return PLOY_OK;
#if defined(_WIN32)
    void *got = VirtualAlloc((char *)address + offset, size, MEM_COMMIT, PAGE_READWRITE);
    return got == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
#else
    size_t begin = offset & ~(os_page_size() - 1); // mprotect wants a page's first byte
    int failed = mprotect((char *)address + begin, offset + size - begin, PROT_READ | PROT_WRITE);
    return failed ? PLOY_ERR_MEMORY : PLOY_OK;
#endif
}

void ploy_os_decommit(void *address, size_t offset, size_t size) {
    // Whole pages go back; the ends that share a page with something else are only zeroed.
    size_t page = os_page_size();
    size_t end = offset + size;
    size_t first = (offset + page - 1) & ~(page - 1);
    size_t last = end & ~(page - 1);
    char *base = address;
    if (first >= last) {
        memset(base + offset, 0, size);
        return;
    }
    memset(base + offset, 0, first - offset);
    memset(base + last, 0, end - last);
#if defined(_WIN32)
    bool done = VirtualFree(base + first, last - first, MEM_DECOMMIT) != 0;
#else
    // A fresh mapping over the old one is zero on every POSIX system; MADV_DONTNEED only on Linux.
    bool done = mmap(base + first, last - first, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                     -1, 0) != MAP_FAILED;
#endif
    if (!done) memset(base + first, 0, last - first); // still committed then
}

#endif

// ---- files

#if defined(__wasm__)

ploy_result ploy_os_read_file(const char *path, size_t limit, const ploy_env *env,
                              ploy_buffer *out) {
    (void)path;
    ploy_buffer_init(out, limit, env);
    return PLOY_ERR_UNSUPPORTED;
}

ploy_result ploy_os_write_file(const char *path, const void *bytes, size_t size,
                               const ploy_env *env) {
    (void)path;
    (void)bytes;
    (void)size;
    (void)env;
    return PLOY_ERR_UNSUPPORTED;
}

#else

// A path in the system's own form, copied, so that every allocation is made before a file is
// touched and nothing is left lying about when one fails.
#if defined(_WIN32)
typedef wchar_t os_char;
#else
typedef char os_char;
#endif

typedef struct os_path {
    os_char *text;
    size_t size; // bytes
} os_path;

// path is not NULL. PLOY_ERR_MEMORY; on Windows also PLOY_ERR_ARGUMENT if it is not UTF-8.
static ploy_result os_path_init(os_path *native, const char *path, const ploy_env *env) {
#if defined(_WIN32)
    int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    if (length <= 0) return PLOY_ERR_ARGUMENT;
    native->size = (size_t)length * sizeof(os_char);
    native->text = ploy_env_alloc(env, native->size);
    if (native->text == NULL) return PLOY_ERR_MEMORY;
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, native->text, length);
#else
    native->size = strlen(path) + 1;
    native->text = ploy_env_alloc(env, native->size);
    if (native->text == NULL) return PLOY_ERR_MEMORY;
    memcpy(native->text, path, native->size);
#endif
    return PLOY_OK;
}

static void os_path_fini(os_path *native, const ploy_env *env) {
    ploy_env_free(env, native->text, native->size);
}

static ploy_result os_open(const os_path *path, bool write, FILE **out) {
#if defined(_WIN32)
    *out = _wfopen(path->text, write ? L"wb" : L"rb");
#else
    *out = fopen(path->text, write ? "wb" : "rb");
#endif
    if (*out != NULL) return PLOY_OK;
    return errno == ENOENT || errno == ENOTDIR ? PLOY_ERR_NOT_FOUND : PLOY_ERR_SYSTEM;
}

// Puts the file `from` in the place of `to`, which may exist.
static ploy_result os_rename(const os_path *from, const os_path *to) {
#if defined(_WIN32)
    DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    return MoveFileExW(from->text, to->text, flags) ? PLOY_OK : PLOY_ERR_SYSTEM;
#else
    return rename(from->text, to->text) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
#endif
}

static void os_remove(const os_path *path) {
#if defined(_WIN32)
    DeleteFileW(path->text);
#else
    remove(path->text);
#endif
}

static ploy_result os_read_all(FILE *file, size_t limit, ploy_buffer *out) {
    for (;;) {
        ploy_result result = ploy_buffer_reserve(out, out->size == 0 ? 16384 : out->size);
        if (result != PLOY_OK) return result;
        size_t room = out->capacity - out->size - 1; // the zero behind the bytes stays in bounds
        size_t got = fread(out->bytes + out->size, 1, room, file);
        out->size += got;
        out->bytes[out->size] = 0;
        if (out->size > limit) return PLOY_ERR_LIMIT;
        if (got < room) return ferror(file) ? PLOY_ERR_SYSTEM : PLOY_OK;
    }
}

ploy_result ploy_os_read_file(const char *path, size_t limit, const ploy_env *env,
                              ploy_buffer *out) {
    ploy_buffer_init(out, 0, env);
    if (path == NULL) return PLOY_ERR_ARGUMENT;
    os_path native;
    ploy_result result = os_path_init(&native, path, env);
    if (result != PLOY_OK) return result;
    FILE *file = NULL;
    result = os_open(&native, false, &file);
    os_path_fini(&native, env);
    if (result != PLOY_OK) return result;
    result = os_read_all(file, limit == 0 ? SIZE_MAX : limit, out);
    fclose(file);
    if (result != PLOY_OK) {
        ploy_buffer_fini(out);
        ploy_buffer_init(out, 0, env);
    }
    return result;
}

// Writes, and waits until the bytes are on the disk: a rename that overtakes them could leave an
// empty file after a power cut.
static ploy_result os_write_all(FILE *file, const void *bytes, size_t size) {
    if (size != 0 && fwrite(bytes, 1, size, file) != size) return PLOY_ERR_SYSTEM;
    if (fflush(file) != 0) return PLOY_ERR_SYSTEM;
#if defined(_WIN32)
    return _commit(_fileno(file)) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
#else
    // EINVAL: a pipe or a device, which has nothing to wait for.
    return fsync(fileno(file)) == 0 || errno == EINVAL ? PLOY_OK : PLOY_ERR_SYSTEM;
#endif
}

// Writes the temporary file and puts it in the place of the real one.
static ploy_result os_write_beside(const os_path *temporary, const os_path *path, const void *bytes,
                                   size_t size) {
    FILE *file = NULL;
    ploy_result result = os_open(temporary, true, &file);
    if (result != PLOY_OK) return result;
    result = os_write_all(file, bytes, size);
    if (fclose(file) != 0 && result == PLOY_OK) result = PLOY_ERR_SYSTEM;
    if (result == PLOY_OK) result = os_rename(temporary, path);
    if (result != PLOY_OK) os_remove(temporary);
    return result;
}

ploy_result ploy_os_write_file(const char *path, const void *bytes, size_t size,
                               const ploy_env *env) {
    if (path == NULL || path[0] == 0 || (bytes == NULL && size != 0)) return PLOY_ERR_ARGUMENT;
    // A name that nobody else chooses, so that two writers do not mix their bytes.
    uint64_t token = 0;
    ploy_result result = ploy_os_random(&token, sizeof token);
    if (result != PLOY_OK) return result;
    size_t length = strlen(path) + sizeof ".0123456789abcdef.tmp";
    char *beside = ploy_env_alloc(env, length);
    if (beside == NULL) return PLOY_ERR_MEMORY;
    snprintf(beside, length, "%s.%08lx%08lx.tmp", path, (unsigned long)(token >> 32),
             (unsigned long)(token & 0xffffffffu));
    os_path native = {NULL, 0}, temporary = {NULL, 0};
    result = os_path_init(&native, path, env);
    if (result == PLOY_OK) result = os_path_init(&temporary, beside, env);
    if (result == PLOY_OK) result = os_write_beside(&temporary, &native, bytes, size);
    os_path_fini(&temporary, env);
    os_path_fini(&native, env);
    ploy_env_free(env, beside, length);
    return result;
}

#endif

// ---- threads

#if PLOYI_THREADS

#if defined(_WIN32)

static DWORD WINAPI os_thread_main(void *arg) {
    ployi_thread *thread = arg;
    thread->fn(thread->arg);
    return 0;
}

ploy_result ployi_thread_start(ployi_thread *thread, void (*fn)(void *arg), void *arg) {
    thread->fn = fn;
    thread->arg = arg;
    thread->native = CreateThread(NULL, 0, os_thread_main, thread, 0, NULL);
    return thread->native == NULL ? PLOY_ERR_SYSTEM : PLOY_OK;
}

void ployi_thread_join(ployi_thread *thread) {
    WaitForSingleObject(thread->native, INFINITE);
    CloseHandle(thread->native);
}

ployi_thread_id ployi_thread_current(void) {
    ployi_thread_id id = {GetCurrentThreadId()};
    return id;
}

bool ployi_thread_same(ployi_thread_id a, ployi_thread_id b) {
    return a.native == b.native;
}

ploy_result ployi_mutex_init(ployi_mutex *mutex) {
    InitializeSRWLock((PSRWLOCK)&mutex->native);
    return PLOY_OK;
}

void ployi_mutex_fini(ployi_mutex *mutex) {
    (void)mutex; // holds nothing
}

void ployi_mutex_lock(ployi_mutex *mutex) {
    AcquireSRWLockExclusive((PSRWLOCK)&mutex->native);
}

void ployi_mutex_unlock(ployi_mutex *mutex) {
    ReleaseSRWLockExclusive((PSRWLOCK)&mutex->native);
}

ploy_result ployi_condition_init(ployi_condition *condition) {
    InitializeConditionVariable((PCONDITION_VARIABLE)&condition->native);
    return PLOY_OK;
}

void ployi_condition_fini(ployi_condition *condition) {
    (void)condition; // holds nothing
}

void ployi_condition_wait(ployi_condition *condition, ployi_mutex *mutex) {
    SleepConditionVariableSRW((PCONDITION_VARIABLE)&condition->native, (PSRWLOCK)&mutex->native,
                              INFINITE, 0);
}

void ployi_condition_signal(ployi_condition *condition) {
    WakeConditionVariable((PCONDITION_VARIABLE)&condition->native);
}

void ployi_condition_broadcast(ployi_condition *condition) {
    WakeAllConditionVariable((PCONDITION_VARIABLE)&condition->native);
}

#else

static void *os_thread_main(void *arg) {
    ployi_thread *thread = arg;
    thread->fn(thread->arg);
    return NULL;
}

ploy_result ployi_thread_start(ployi_thread *thread, void (*fn)(void *arg), void *arg) {
    thread->fn = fn;
    thread->arg = arg;
    // Signals belong to the program's own threads: its handlers must not run on ours by surprise.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread->native, NULL, os_thread_main, thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
}

void ployi_thread_join(ployi_thread *thread) {
    pthread_join(thread->native, NULL);
}

ployi_thread_id ployi_thread_current(void) {
    ployi_thread_id id = {pthread_self()};
    return id;
}

bool ployi_thread_same(ployi_thread_id a, ployi_thread_id b) {
    return pthread_equal(a.native, b.native) != 0;
}

ploy_result ployi_mutex_init(ployi_mutex *mutex) {
    return pthread_mutex_init(&mutex->native, NULL) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
}

void ployi_mutex_fini(ployi_mutex *mutex) {
    pthread_mutex_destroy(&mutex->native);
}

void ployi_mutex_lock(ployi_mutex *mutex) {
    pthread_mutex_lock(&mutex->native);
}

void ployi_mutex_unlock(ployi_mutex *mutex) {
    pthread_mutex_unlock(&mutex->native);
}

ploy_result ployi_condition_init(ployi_condition *condition) {
    return pthread_cond_init(&condition->native, NULL) == 0 ? PLOY_OK : PLOY_ERR_SYSTEM;
}

void ployi_condition_fini(ployi_condition *condition) {
    pthread_cond_destroy(&condition->native);
}

void ployi_condition_wait(ployi_condition *condition, ployi_mutex *mutex) {
    pthread_cond_wait(&condition->native, &mutex->native);
}

void ployi_condition_signal(ployi_condition *condition) {
    pthread_cond_signal(&condition->native);
}

void ployi_condition_broadcast(ployi_condition *condition) {
    pthread_cond_broadcast(&condition->native);
}

#endif

#endif

#undef OS_ENTROPY_MAX
