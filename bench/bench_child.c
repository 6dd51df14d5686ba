#define _POSIX_C_SOURCE 200809L
#include "bench/bench_child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILD_PATIENCE_MS = 60000 };

// Where the peers are: beside this file, programs where they were built; or where the environment
// says (for an installed ploy).
static const char *child_folder(bool built) {
    const char *folder = getenv("PLOY_BENCH_PEERS");
    if (folder != NULL && folder[0] != '\0') return folder;
    return built ? PLOY_BENCH_BUILT : PLOY_SOURCE_DIR "/bench/peers";
}

// Reads one line without its end; waits for it at most a minute.
static bool child_line(bench_child *child, char *line, size_t size) {
    for (;;) {
        char *end = memchr(child->buffer, '\n', child->used);
        if (end != NULL) {
            size_t length = (size_t)(end - child->buffer);
            snprintf(line, size, "%.*s", (int)length, child->buffer);
            child->used -= length + 1;
            memmove(child->buffer, end + 1, child->used);
            return true;
        }
        if (child->used == sizeof child->buffer) return false; // no line is that long
        struct pollfd wait = {child->from, POLLIN, 0};
        int ready = poll(&wait, 1, CHILD_PATIENCE_MS);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return false;
        ssize_t got =
            read(child->from, child->buffer + child->used, sizeof child->buffer - child->used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        child->used += (size_t)got;
    }
}

// In the new process: pipes become standard input and output, then it is the peer.
static void child_become(const int to[2], const int from[2], const char *program, const char *path,
                         const char *argument) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[0]);
    close(to[1]);
    close(from[0]);
    close(from[1]);
    static const char no_program[] = "missing node is not installed: apt-get install nodejs npm\n";
    static const char not_built[] = "missing " BENCH_NOT_BUILT "\n";
    const char *missing = no_program;
    if (program != NULL) {
        execlp(program, program, path, argument, (char *)NULL);
    } else {
        execl(path, path, argument, (char *)NULL);
        missing = not_built;
    }
    ssize_t written = write(STDOUT_FILENO, missing, strlen(missing));
    _exit(written > 0 ? 127 : 126);
}

bool bench_child_start(bench_child *child, const char *program, const char *file,
                       const char *argument, char *ready, size_t ready_size, char *why,
                       size_t why_size) {
    char path[1024], line[256];
    int to[2], from[2];
    snprintf(path, sizeof path, "%s/%s", child_folder(program == NULL), file);
    memset(child, 0, sizeof *child);
    if (pipe(to) != 0) {
        snprintf(why, why_size, "no pipe: %s", strerror(errno));
        return false;
    }
    if (pipe(from) != 0) {
        snprintf(why, why_size, "no pipe: %s", strerror(errno));
        close(to[0]);
        close(to[1]);
        return false;
    }
    fflush(NULL); // or the child would print our buffers again
    pid_t pid = fork();
    if (pid == 0) child_become(to, from, program, path, argument);
    close(to[0]);
    close(from[1]);
    child->to = to[1];
    child->from = from[0];
    child->pid = pid;
    if (pid < 0) {
        snprintf(why, why_size, "no process: %s", strerror(errno));
    } else if (!child_line(child, line, sizeof line)) {
        snprintf(why, why_size, "the peer did not start: %s", path);
    } else if (strncmp(line, "ready ", 6) == 0) {
        snprintf(ready, ready_size, "%s", line + 6);
        return true;
    } else {
        snprintf(why, why_size, "no peer: %s", strncmp(line, "missing ", 8) == 0 ? line + 8 : line);
    }
    bench_child_stop(child);
    return false;
}

bool bench_child_ask(bench_child *child, const char *word, char *answer, size_t size) {
    char line[160];
    int length = snprintf(line, sizeof line, "%s\n", word);
    if (length <= 0 || (size_t)length >= sizeof line) return false;
    if (write(child->to, line, (size_t)length) != length) return false;
    return child_line(child, answer, size);
}

void bench_child_stop(bench_child *child) {
    close(child->to);
    close(child->from);
    if (child->pid <= 0) return;
    // Its input is closed and its output goes nowhere: it ends by itself, or else now.
    for (int i = 0; i < 100; i++) {
        pid_t done = waitpid(child->pid, NULL, WNOHANG);
        if (done != 0) return;
        struct timespec pause = {0, 10000000};
        nanosleep(&pause, NULL);
    }
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
}
