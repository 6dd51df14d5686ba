#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L // mkdir, opendir
#endif
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 // posix_openpt
#endif

#include "tests/test.h"

#include <stdlib.h>

#if defined(_WIN32)
#include <direct.h>
#include <dirent.h>
#include <wchar.h>
#elif !defined(__wasm__)
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "base/base_internal.h"
#include "ploy/base/os.h"
#include "ploy/base/rng.h"

TEST(the_clock_never_goes_back) {
    uint64_t last = ploy_os_clock_ns(), first = last;
    for (int i = 0; i < 10000 || last == first; i++) {
        uint64_t now = ploy_os_clock_ns();
        CHECK(now >= last);
        last = now;
    }
    CHECK(last > first);
}

TEST(random_bytes_differ_and_fill_everything) {
    // 1,000 bytes, more than the system gives at a time. A byte that stays zero in 20 fills, or two
    // equal fills, would happen by chance less than once in 10^40 runs.
    enum { SIZE = 1000, FILLS = 20 };
    unsigned char seen[SIZE] = {0}, last[SIZE] = {0};
    for (int fill = 0; fill < FILLS; fill++) {
        unsigned char bytes[SIZE + 1] = {0};
        CHECK_OK(ploy_os_random(bytes, SIZE));
        CHECK_INT(bytes[SIZE], 0);
        CHECK(memcmp(bytes, last, SIZE) != 0);
        memcpy(last, bytes, SIZE);
        for (int i = 0; i < SIZE; i++) seen[i] |= bytes[i];
    }
    for (int i = 0; i < SIZE; i++) CHECK(seen[i] != 0);
    CHECK_OK(ploy_os_random(NULL, 0));
}

TEST(there_is_at_least_one_processor) {
    CHECK(ployi_os_processors() >= 1);
}

static bool all_zero(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) return false;
    }
    return true;
}

TEST(reserved_memory_reads_as_zero_before_and_after_giving_it_back) {
    size_t size = 1 << 20;
    unsigned char *base = ploy_os_reserve(size);
    CHECK(base != NULL);
    CHECK_UINT((uintptr_t)base % 4096, 0);
    CHECK_OK(ploy_os_commit(base, 0, size / 2));
    CHECK(all_zero(base, size / 2));
    memset(base, 0xff, size / 2);
    CHECK_OK(ploy_os_commit(base, 0, size)); // what is there already keeps its contents
    CHECK_INT(base[0], 0xff);
    CHECK_INT(base[size / 2 - 1], 0xff);
    CHECK(all_zero(base + size / 2, size / 2));
    memset(base, 0xff, size);

    // Odd ends share their page with bytes that must stay.
    static const struct {
        const char *row;
        size_t offset, size;
    } rows[] = {
        {"whole pages", 65536, 131072},
        {"odd ends", 300001, 100000},
        {"inside one page", 500010, 77},
        {"nothing", 600000, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ployi_os_decommit(base, rows[i].offset, rows[i].size);
        CHECK_OK(ploy_os_commit(base, rows[i].offset, rows[i].size));
        CHECK(all_zero(base + rows[i].offset, rows[i].size));
        CHECK_INT(base[rows[i].offset - 1], 0xff);
        CHECK_INT(base[rows[i].offset + rows[i].size], 0xff);
        memset(base + rows[i].offset, 0xff, rows[i].size);
    }
    ploy_os_release(base, size);
    ploy_os_release(NULL, 0);
}

TEST(reserving_costs_nothing_and_too_much_is_refused) {
    CHECK(ploy_os_reserve(0) == NULL);
    CHECK(ploy_os_reserve(SIZE_MAX - 65536) == NULL);
    // Where reserving takes the memory at once, less has to do.
    size_t size = (size_t)1 << (sizeof(size_t) > 4 ? 30 : 22);
    unsigned char *base = ploy_os_reserve(size);
    CHECK(base != NULL);
    CHECK_OK(ploy_os_commit(base, size - 65536, 65536));
    base[size - 1] = 1;
    ploy_os_release(base, size);
}

#if defined(__wasm__)

TEST(there_are_no_files_here) {
    ploy_env env = ploy_env_default();
    ploy_buffer got;
    CHECK_INT(ploy_os_read_file("file", 0, &env, &got), PLOY_ERR_UNSUPPORTED);
    CHECK(got.bytes == NULL && got.size == 0);
    ploy_buffer_fini(&got);
    CHECK_INT(ploy_os_write_file("file", "x", 1, &env), PLOY_ERR_UNSUPPORTED);
}

#else

// A folder of its own for each test.
typedef struct folder {
    char path[64];
    char file[128];
} folder;

static void folder_make(test_context *t, folder *f) {
    uint32_t token = 0;
    CHECK_OK(ploy_os_random(&token, sizeof token));
    snprintf(f->path, sizeof f->path, "ploy_test_os_%08lx", (unsigned long)token);
    snprintf(f->file, sizeof f->file, "%s/file", f->path);
#if defined(_WIN32)
    CHECK_INT(_mkdir(f->path), 0);
#else
    CHECK_INT(mkdir(f->path, 0700), 0);
#endif
}

static int folder_count(const folder *f) {
    DIR *dir = opendir(f->path);
    int count = 0;
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] != '.') count++;
    }
    if (dir != NULL) closedir(dir);
    return count;
}

static void folder_remove(folder *f) {
    remove(f->file);
#if defined(_WIN32)
    _rmdir(f->path);
#else
    rmdir(f->path);
#endif
}

TEST(a_file_is_read_back_as_it_was_written) {
    static const size_t sizes[] = {0, 1, 5, 16383, 16384, 16385, 1000003};
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        TEST_SEED(sizes[i]);
        ploy_rng rng = ploy_rng_make(sizes[i]);
        unsigned char *bytes = malloc(sizes[i] + 1);
        CHECK(bytes != NULL);
        for (size_t j = 0; j < sizes[i]; j++) bytes[j] = (unsigned char)ploy_rng_u32(&rng);
        CHECK_OK(ploy_os_write_file(f.file, bytes, sizes[i], &env));
        CHECK_INT(folder_count(&f), 1); // the temporary one is gone
        ploy_buffer got;
        CHECK_OK(ploy_os_read_file(f.file, 0, &env, &got));
        CHECK_UINT(got.size, sizes[i]);
        CHECK_BYTES(got.bytes, bytes, sizes[i]);
        if (sizes[i] != 0) CHECK_INT(got.bytes[got.size], 0);
        ploy_buffer_fini(&got);
        free(bytes);
    }
    folder_remove(&f);
}

TEST(names_of_files_are_utf8) {
    folder f;
    folder_make(t, &f);
    char path[128];
    snprintf(path, sizeof path, "%s/d\xc3\xa9j\xc3\xa0 \xe6\x9c\xa8", f.path);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_os_write_file(path, "here", 4, &env));
    ploy_buffer got;
    CHECK_OK(ploy_os_read_file(path, 0, &env, &got));
    CHECK_TEXT(got.bytes, "here");
    ploy_buffer_fini(&got);
    // The system knows it by that name.
#if defined(_WIN32)
    wchar_t wide[128] = {0};
    size_t length = 0;
    while (f.path[length] != 0) {
        wide[length] = (wchar_t)f.path[length];
        length++;
    }
    wcscpy(wide + length, L"/d\x00e9j\x00e0 \x6728");
    CHECK_INT(_wremove(wide), 0);
    CHECK_INT(ploy_os_read_file("\xff\xfe", 0, &env, &got), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_os_write_file("\xff\xfe", "x", 1, &env), PLOY_ERR_ARGUMENT);
#else
    CHECK_INT(remove(path), 0);
#endif
    folder_remove(&f);
}

TEST(files_that_cannot_be_read_say_why) {
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    ploy_buffer got;
    CHECK_INT(ploy_os_read_file(f.file, 0, &env, &got), PLOY_ERR_NOT_FOUND);
    CHECK(got.bytes == NULL && got.size == 0);
    CHECK_INT(ploy_os_read_file("no/such/folder/file", 0, &env, &got), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_os_read_file(f.path, 0, &env, &got), PLOY_ERR_SYSTEM); // a folder
    CHECK_INT(ploy_os_read_file(NULL, 0, &env, &got), PLOY_ERR_ARGUMENT);
    CHECK_OK(ploy_os_write_file(f.file, "12345", 5, &env));
    CHECK_INT(ploy_os_read_file(f.file, 4, &env, &got), PLOY_ERR_LIMIT);
    CHECK(got.bytes == NULL && got.size == 0);
    CHECK_OK(ploy_os_read_file(f.file, 5, &env, &got));
    CHECK_TEXT(got.bytes, "12345");
    ploy_buffer_fini(&got);
    folder_remove(&f);
}

TEST(a_failed_write_leaves_the_old_file_and_nothing_else) {
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    CHECK_INT(ploy_os_write_file("no/such/folder/file", "x", 1, &env), PLOY_ERR_NOT_FOUND);
    CHECK_INT(ploy_os_write_file(NULL, "x", 1, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_os_write_file("", "x", 1, &env), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_os_write_file(f.file, NULL, 1, &env), PLOY_ERR_ARGUMENT);
    // In the place of a folder that is not empty: the rename is what fails.
    CHECK_OK(ploy_os_write_file(f.file, "old", 3, &env));
    CHECK_INT(ploy_os_write_file(f.path, "x", 1, &env), PLOY_ERR_SYSTEM);
    CHECK_INT(folder_count(&f), 1);
    ploy_buffer got;
    CHECK_OK(ploy_os_read_file(f.file, 0, &env, &got));
    CHECK_TEXT(got.bytes, "old");
    ploy_buffer_fini(&got);
    folder_remove(&f);
}

static ploy_result write_and_read(const ploy_env *env, void *arg) {
    const char *path = arg;
    ploy_result result = ploy_os_write_file(path, "some bytes", 10, env);
    if (result != PLOY_OK) return result;
    ploy_buffer got;
    result = ploy_os_read_file(path, 0, env, &got);
    ploy_buffer_fini(&got); // allowed after a failure too
    return result;
}

TEST(files_survive_every_failing_allocation) {
    folder f;
    folder_make(t, &f);
    CHECK_FAIL_NTH(write_and_read, f.file);
    CHECK_INT(folder_count(&f), 1);
    folder_remove(&f);
}

#if !defined(_WIN32)

static void check_file(test_context *t, const char *path, const char *want) {
    ploy_env env = ploy_env_default();
    ploy_buffer got;
    CHECK_OK(ploy_os_read_file(path, 0, &env, &got));
    CHECK_TEXT(ploy_buffer_text(&got), want);
    ploy_buffer_fini(&got);
}

TEST(writing_follows_links_and_keeps_the_mode) {
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    char link[160], chain[160], nowhere[160], made[160];
    struct stat info;
    snprintf(link, sizeof link, "%s/link", f.path);
    snprintf(chain, sizeof chain, "%s/chain", f.path);
    snprintf(nowhere, sizeof nowhere, "%s/nowhere", f.path);
    snprintf(made, sizeof made, "%s/made", f.path);
    CHECK_OK(ploy_os_write_file(f.file, "old", 3, &env));
    CHECK_INT(chmod(f.file, 0600), 0);
    CHECK_INT(symlink("file", link), 0);
    CHECK_INT(symlink("link", chain), 0);
    CHECK_INT(symlink("made", nowhere), 0);
    CHECK_OK(ploy_os_write_file(chain, "new", 3, &env));
    CHECK_INT(lstat(chain, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    CHECK_INT(lstat(link, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    CHECK_INT(lstat(f.file, &info), 0);
    CHECK(S_ISREG(info.st_mode));
    CHECK_INT(info.st_mode & 0777, 0600);
    check_file(t, f.file, "new");
    CHECK_OK(ploy_os_write_file(nowhere, "here", 4, &env)); // makes what it leads to
    CHECK_INT(lstat(nowhere, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    check_file(t, made, "here");
    CHECK_INT(folder_count(&f), 5); // no temporary file is left
    CHECK_INT(remove(link) | remove(chain) | remove(nowhere) | remove(made), 0);
    folder_remove(&f);
}

TEST(what_killed_writers_left_is_removed) {
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    static const struct {
        const char *name;
        bool old, stays;
    } rows[] = {
        {"file.0123456789abcdef.tmp", true, false},
        {"file.0123456789abcdee.tmp", false, true}, // its writer may be at work
        {"file.0123456789abcde.tmp", true, true},   // too short
        {"other.0123456789abcdef.tmp", true, true}, // of another file
        {"file.0123456789abcdeF.tmp", true, true},
    };
    char path[160];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        snprintf(path, sizeof path, "%s/%s", f.path, rows[i].name);
        FILE *file = fopen(path, "wb");
        CHECK(file != NULL && fclose(file) == 0);
        struct timespec times[2] = {{1000, 0}, {1000, 0}};
        if (rows[i].old) CHECK_INT(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    CHECK_OK(ploy_os_write_file(f.file, "new", 3, &env));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].name;
        snprintf(path, sizeof path, "%s/%s", f.path, rows[i].name);
        CHECK_INT(access(path, F_OK) == 0, rows[i].stays);
        remove(path);
    }
    folder_remove(&f);
}

typedef struct slow_reader {
    const char *path;
    pthread_t writer;
    size_t got;
    bool same;
} slow_reader;

static void nothing_happens(int signal) {
    (void)signal;
}

// Reads a pipe in small pieces and interrupts its writer in between.
static void read_slowly(void *arg) {
    slow_reader *self = arg;
    unsigned char piece[4096];
    int fd = open(self->path, O_RDONLY);
    self->same = fd >= 0;
    for (ssize_t got = 1; fd >= 0 && got != 0;) {
        pthread_kill(self->writer, SIGUSR1);
        got = read(fd, piece, sizeof piece);
        for (ssize_t i = 0; i < got; i++, self->got++) {
            if (piece[i] != (unsigned char)(self->got * 7)) self->same = false;
        }
    }
    if (fd >= 0) close(fd);
}

TEST(a_pipe_is_written_in_place_through_interruptions) {
    enum { SIZE = 1 << 20 };
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    struct sigaction quiet, before;
    memset(&quiet, 0, sizeof quiet);
    quiet.sa_handler = nothing_happens; // without SA_RESTART
    CHECK_INT(sigaction(SIGUSR1, &quiet, &before), 0);
    CHECK_INT(mkfifo(f.file, 0600), 0);
    unsigned char *bytes = malloc(SIZE);
    CHECK(bytes != NULL);
    for (size_t i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i * 7);
    slow_reader reader = {f.file, pthread_self(), 0, false};
    ployi_thread thread;
    CHECK_OK(ployi_thread_start(&thread, read_slowly, &reader));
    ploy_result result = ploy_os_write_file(f.file, bytes, SIZE, &env);
    ployi_thread_join(&thread);
    CHECK_OK(result);
    CHECK_UINT(reader.got, SIZE);
    CHECK(reader.same);
    struct stat info;
    CHECK_INT(lstat(f.file, &info), 0);
    CHECK(S_ISFIFO(info.st_mode));
    CHECK_INT(folder_count(&f), 1);
    CHECK_INT(sigaction(SIGUSR1, &before, NULL), 0);
    free(bytes);
    folder_remove(&f);
}

TEST(a_terminal_is_written_in_place) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || ptsname(master) == NULL) {
        test_skip(t, "there are no pseudo-terminals");
        return;
    }
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    char link[160], got[16] = {0};
    struct stat info;
    snprintf(link, sizeof link, "%s/link", f.path);
    CHECK_INT(symlink(ptsname(master), link), 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY); // keeps what was written
    CHECK(slave >= 0);
    const char *paths[] = {ptsname(master), link};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ploy_os_write_file(paths[i], "abc", 3, &env));
        CHECK_INT(read(master, got, sizeof got), 3);
        CHECK_TEXT(got, "abc");
        CHECK_INT(stat(paths[i], &info), 0);
        CHECK(S_ISCHR(info.st_mode));
    }
    CHECK_INT(lstat(link, &info), 0);
    CHECK(S_ISLNK(info.st_mode));
    CHECK_INT(folder_count(&f), 1); // no temporary file
    close(slave);
    close(master);
    CHECK_INT(remove(link), 0);
    folder_remove(&f);
}

// Replaces the system's fsync in this program and notes what is synced when.
static struct {
    const char *path; // NULL: nothing is noted
    off_t size;       // of the file under that name when its folder was synced; -1: it was not
    int files;
} os_synced;

int fsync(int fd) {
    struct stat info, file;
    if (os_synced.path != NULL && fstat(fd, &info) == 0) {
        if (!S_ISDIR(info.st_mode)) os_synced.files++;
        if (S_ISDIR(info.st_mode) && stat(os_synced.path, &file) == 0)
            os_synced.size = file.st_size;
    }
    return fdatasync(fd);
}

TEST(the_folder_is_synced_after_the_new_name_is_in_it) {
    folder f;
    folder_make(t, &f);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_os_write_file(f.file, "old", 3, &env));
    os_synced.path = f.file;
    os_synced.size = -1;
    CHECK_OK(ploy_os_write_file(f.file, "longer", 6, &env));
    os_synced.path = NULL;
    CHECK_INT(os_synced.files, 1);
    CHECK_INT(os_synced.size, 6); // not 3: the folder was synced after the rename
    folder_remove(&f);
}

#endif

typedef struct shared_count {
    ployi_mutex mutex;
    ployi_condition turn;
    int64_t count;
    int waiting;
    bool go;
    ployi_thread_id ids[4];
} shared_count;

static void count_up(void *arg) {
    shared_count *shared = arg;
    ployi_mutex_lock(&shared->mutex);
    shared->ids[shared->waiting++] = ployi_thread_current();
    ployi_condition_broadcast(&shared->turn);
    while (!shared->go) ployi_condition_wait(&shared->turn, &shared->mutex);
    ployi_mutex_unlock(&shared->mutex);
    for (int i = 0; i < 1000; i++) {
        ployi_mutex_lock(&shared->mutex);
        shared->count++;
        ployi_mutex_unlock(&shared->mutex);
    }
}

TEST(threads_wait_for_each_other_and_count_without_loss) {
    shared_count shared;
    memset(&shared, 0, sizeof shared);
    CHECK_OK(ployi_mutex_init(&shared.mutex));
    CHECK_OK(ployi_condition_init(&shared.turn));
    ployi_thread threads[4];
    for (int i = 0; i < 4; i++) CHECK_OK(ployi_thread_start(&threads[i], count_up, &shared));
    ployi_mutex_lock(&shared.mutex);
    while (shared.waiting < 4) ployi_condition_wait(&shared.turn, &shared.mutex);
    CHECK_INT(shared.count, 0);
    shared.go = true;
    ployi_condition_broadcast(&shared.turn);
    ployi_mutex_unlock(&shared.mutex);
    for (int i = 0; i < 4; i++) ployi_thread_join(&threads[i]);
    CHECK_INT(shared.count, 4000);
    ployi_thread_id self = ployi_thread_current();
    CHECK(ployi_thread_same(self, ployi_thread_current()));
    for (int i = 0; i < 4; i++) CHECK(!ployi_thread_same(self, shared.ids[i]));
    ployi_condition_fini(&shared.turn);
    ployi_mutex_fini(&shared.mutex);
}

#endif
