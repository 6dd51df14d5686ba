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
// ntsecapi.h needs windows.h first.
#include <io.h>
#include <ntsecapi.h>
// Plain words that windows.h turns into macros; files after this one may need them.
#undef near
#undef far
#undef small
#undef interface
#elif defined(__wasm__)
#include <time.h>
#include <unistd.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif
#endif

// Room for a path with its links resolved.
#if defined(PATH_MAX)
#define OS_PATH_SIZE ((size_t)PATH_MAX + 1)
#else
#define OS_PATH_SIZE ((size_t)4097)
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

int32_t ployi_os_processors(void) {
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

int32_t ployi_os_processors(void) {
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

void ployi_os_decommit(void *address, size_t offset, size_t size) {
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
    size_t begin = offset & ~(os_page_size() - 1); // mprotect needs a page's first byte
    int failed = mprotect((char *)address + begin, offset + size - begin, PROT_READ | PROT_WRITE);
    return failed ? PLOY_ERR_MEMORY : PLOY_OK;
#endif
}

void ployi_os_decommit(void *address, size_t offset, size_t size) {
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

void *ployi_os_alloc_large(size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    void *block = NULL; // C's aligned_alloc takes only sizes that are multiples of the alignment
    if (posix_memalign(&block, PLOYI_OS_LARGE, size) != 0) return NULL;
    (void)madvise(block, size & ~(size_t)(PLOYI_OS_LARGE - 1), MADV_HUGEPAGE); // only a hint
    return block;
#else
    return malloc(size);
#endif
}

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

#if defined(_WIN32)

// Writes the temporary file and puts it in the place of the real one. Waits until the bytes are on
// the disk: a rename that overtakes them could leave an empty file after a power cut.
static ploy_result os_write_beside(const os_path *temporary, const os_path *path, const void *bytes,
                                   size_t size) {
    FILE *file = NULL;
    ploy_result result = os_open(temporary, true, &file);
    if (result != PLOY_OK) return result;
    if ((size != 0 && fwrite(bytes, 1, size, file) != size) || fflush(file) != 0 ||
        _commit(_fileno(file)) != 0) {
        result = PLOY_ERR_SYSTEM;
    }
    if (fclose(file) != 0 && result == PLOY_OK) result = PLOY_ERR_SYSTEM;
    DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (result == PLOY_OK && !MoveFileExW(temporary->text, path->text, flags)) {
        result = PLOY_ERR_SYSTEM;
    }
    if (result != PLOY_OK) DeleteFileW(temporary->text);
    return result;
}

static ploy_result os_write(const char *path, const char *beside, const void *bytes, size_t size,
                            const ploy_env *env) {
    os_path native = {NULL, 0}, temporary = {NULL, 0};
    ploy_result result = os_path_init(&native, path, env);
    if (result == PLOY_OK) result = os_path_init(&temporary, beside, env);
    if (result == PLOY_OK) result = os_write_beside(&temporary, &native, bytes, size);
    os_path_fini(&temporary, env);
    os_path_fini(&native, env);
    return result;
}

#else

// Seconds since its last change after which a temporary file is what a killed writer left behind.
#define OS_STALE_S 60

static ploy_result os_open_error(void) {
    return errno == ENOENT || errno == ENOTDIR ? PLOY_ERR_NOT_FOUND : PLOY_ERR_SYSTEM;
}

static int os_open_fd(const char *path, int flags, mode_t mode) {
    int fd = -1;
    do fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

static int os_sync(int fd) {
    int result = 0;
    do result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result;
}

// Writes, waits until the bytes are on the disk, and closes. A rename that overtakes them could
// leave an empty file after a power cut.
static ploy_result os_write_fd(int fd, const void *bytes, size_t size) {
    const char *at = bytes;
    ploy_result result = PLOY_OK;
    while (size > 0 && result == PLOY_OK) {
        ssize_t wrote = write(fd, at, size < ((size_t)1 << 30) ? size : (size_t)1 << 30);
        if (wrote > 0) {
            at += wrote;
            size -= (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            result = PLOY_ERR_SYSTEM;
        }
    }
    // EINVAL: a pipe or a device, which has nothing to wait for.
    if (result == PLOY_OK && os_sync(fd) != 0 && errno != EINVAL) result = PLOY_ERR_SYSTEM;
    // An interrupted close has closed, on the systems that we know.
    if (close(fd) != 0 && errno != EINTR) result = PLOY_ERR_SYSTEM;
    return result;
}

// Whether it is "<name>.0123456789abcdef.tmp".
static bool os_is_temporary(const char *file, const char *name) {
    size_t length = strlen(name);
    if (strncmp(file, name, length) != 0 || file[length] != '.') return false;
    const char *token = file + length + 1;
    return strspn(token, "0123456789abcdef") == 16 && strcmp(token + 16, ".tmp") == 0;
}

// Removes what writers of the same file left behind when they were killed.
static void os_sweep(int folder, const char *name) {
    int copy = dup(folder);
    DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
    if (dir == NULL) {
        if (copy >= 0) close(copy);
        return;
    }
    struct timespec now;
    bool known = clock_gettime(CLOCK_REALTIME, &now) == 0;
    for (struct dirent *entry; known && (entry = readdir(dir)) != NULL;) {
        struct stat info;
        if (!os_is_temporary(entry->d_name, name)) continue;
        if (fstatat(folder, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        bool stale = S_ISREG(info.st_mode) && now.tv_sec - info.st_mtime > OS_STALE_S;
        if (stale) (void)unlinkat(folder, entry->d_name, 0);
    }
    closedir(dir);
}

// Opens the folder that a path is in; below 0 if that cannot be read, and then it is not needed.
static int os_open_folder(char *path, const char **name) {
    char *slash = strrchr(path, '/');
    *name = slash != NULL ? slash + 1 : path;
    if (slash == NULL) return os_open_fd(".", O_RDONLY | O_DIRECTORY, 0);
    if (slash == path) return os_open_fd("/", O_RDONLY | O_DIRECTORY, 0);
    *slash = 0;
    int folder = os_open_fd(path, O_RDONLY | O_DIRECTORY, 0);
    *slash = '/';
    return folder;
}

// Writes a temporary file with the mode and owner of the old one, if there is one, and puts it in
// the old one's place.
static ploy_result os_write_beside(char *path, const char *temporary, const struct stat *old,
                                   const void *bytes, size_t size) {
    const char *name = NULL;
    int folder = os_open_folder(path, &name);
    if (folder >= 0) os_sweep(folder, name);
    mode_t mode = old != NULL ? old->st_mode & 07777 : 0666;
    int fd = os_open_fd(temporary, O_WRONLY | O_CREAT | O_EXCL, mode & 0777);
    ploy_result result = fd >= 0 ? PLOY_OK : os_open_error();
    if (fd >= 0 && old != NULL) {
        // Only root may give files away; the owner first, because a change of it clears bits.
        bool given = fchown(fd, old->st_uid, old->st_gid) == 0;
        if (fchmod(fd, mode) != 0 && given) result = PLOY_ERR_SYSTEM;
    }
    if (fd >= 0 && result == PLOY_OK) {
        result = os_write_fd(fd, bytes, size);
    } else if (fd >= 0) {
        close(fd);
    }
    if (result == PLOY_OK && rename(temporary, path) != 0) result = PLOY_ERR_SYSTEM;
    if (result != PLOY_OK && fd >= 0) (void)unlink(temporary);
    // The new name is on the disk when the folder is. Some systems cannot sync one: no reason to
    // report a file that is there as not written.
    if (result == PLOY_OK && folder >= 0) (void)os_sync(folder);
    if (folder >= 0) close(folder);
    return result;
}

// Where the bytes go: path itself, or what its links lead to. *regular says whether that can be
// replaced by another file; a device or a pipe, or a link to nowhere, is written as it is.
static ploy_result os_resolve(const char *path, char *resolved, bool *regular, struct stat *old,
                              bool *exists) {
    struct stat info;
    *regular = true;
    *exists = lstat(path, &info) == 0;
    if (!*exists) {
        memcpy(resolved, path, strlen(path) + 1);
        return errno == ENOENT ? PLOY_OK : os_open_error();
    }
    *exists = stat(path, old) == 0;
    bool leads = realpath(path, resolved) != NULL;
    if (!*exists || !leads) {
        *regular = false; // a link to nowhere: opening it makes the file
        return errno == ENOENT ? PLOY_OK : PLOY_ERR_SYSTEM;
    }
    *regular = S_ISREG(old->st_mode);
    return S_ISDIR(old->st_mode) ? PLOY_ERR_SYSTEM : PLOY_OK;
}

static ploy_result os_write_to(const char *path, char *resolved, char *temporary, size_t room,
                               uint64_t token, const void *bytes, size_t size) {
    struct stat old;
    bool regular = true, exists = false;
    ploy_result result = os_resolve(path, resolved, &regular, &old, &exists);
    if (result != PLOY_OK) return result;
    if (regular) {
        int length = snprintf(temporary, room, "%s.%08lx%08lx.tmp", resolved,
                              (unsigned long)(token >> 32), (unsigned long)(token & 0xffffffffu));
        if (length < 0 || (size_t)length >= room) return PLOY_ERR_SYSTEM;
        return os_write_beside(resolved, temporary, exists ? &old : NULL, bytes, size);
    }
    int fd = os_open_fd(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return fd >= 0 ? os_write_fd(fd, bytes, size) : os_open_error();
}

#endif

ploy_result ploy_os_write_file(const char *path, const void *bytes, size_t size,
                               const ploy_env *env) {
    if (path == NULL || path[0] == 0 || (bytes == NULL && size != 0)) return PLOY_ERR_ARGUMENT;
    // A name that no other writer chooses, so that two writers do not mix their bytes.
    uint64_t token = 0;
    ploy_result result = ploy_os_random(&token, sizeof token);
    if (result != PLOY_OK) return result;
    size_t length = strlen(path) + sizeof ".0123456789abcdef.tmp";
#if defined(_WIN32)
    char *beside = ploy_env_alloc(env, length);
    if (beside == NULL) return PLOY_ERR_MEMORY;
    snprintf(beside, length, "%s.%08lx%08lx.tmp", path, (unsigned long)(token >> 32),
             (unsigned long)(token & 0xffffffffu));
    result = os_write(path, beside, bytes, size, env);
    ploy_env_free(env, beside, length);
#else
    // Both allocated before a file is touched.
    size_t room = OS_PATH_SIZE > length ? OS_PATH_SIZE : length;
    char *resolved = ploy_env_alloc(env, 2 * room);
    if (resolved == NULL) return PLOY_ERR_MEMORY;
    result = os_write_to(path, resolved, resolved + room, room, token, bytes, size);
    ploy_env_free(env, resolved, 2 * room);
#endif
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
#undef OS_PATH_SIZE
#undef OS_STALE_S
