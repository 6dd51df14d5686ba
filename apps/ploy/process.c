// Child processes that talk in lines.
#define _POSIX_C_SOURCE 200809L // kill, posix_spawn
#include "apps/ploy/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ploy/base/os.h"

enum { PROCESS_BUFFER = 1 << 16, PROCESS_QUIT_MS = 300 };

struct process {
    pid_t pid;
    int in, out; // its standard input and output
    size_t filled;
    char buffer[PROCESS_BUFFER];
};

extern char **environ;

long long process_now_ms(void) {
    return (long long)(ploy_os_clock_ns() / 1000000);
}

static bool process_pipe(int ends[2]) {
    if (pipe(ends) != 0) return false;
    for (int i = 0; i < 2; i++) (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    return true;
}

process *process_start(const char *command) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    process *p = calloc(1, sizeof *p);
    size_t size = strlen(command) + 8;
    char *line = malloc(size);
    bool fine = p != NULL && line != NULL && process_pipe(in) && process_pipe(out);
    if (fine) {
        (void)signal(SIGPIPE,
                     SIG_IGN); // a dead engine is a result of a write, not the end of the program
        memcpy(line, "exec ", 5);
        memcpy(line + 5, command, strlen(command) + 1);
        char shell[] = "/bin/sh", flag[] = "-c";
        char *words[] = {shell, flag, line, NULL};
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        (void)posix_spawn_file_actions_init(&actions);
        (void)posix_spawnattr_init(&attributes);
        (void)posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
        (void)posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        (void)posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        (void)posix_spawnattr_setpgroup(&attributes, 0);
        fine = posix_spawn(&p->pid, shell, &actions, &attributes, words, environ) == 0;
        (void)posix_spawn_file_actions_destroy(&actions);
        (void)posix_spawnattr_destroy(&attributes);
    }
    free(line);
    if (in[0] >= 0) (void)close(in[0]);
    if (out[1] >= 0) (void)close(out[1]);
    if (!fine) {
        if (in[1] >= 0) (void)close(in[1]);
        if (out[0] >= 0) (void)close(out[0]);
        free(p);
        return NULL;
    }
    p->in = in[1];
    p->out = out[0];
    return p;
}

bool process_write(process *p, const char *line) {
    size_t size = strlen(line), written = 0;
    char *text = malloc(size + 1);
    if (text == NULL) return false;
    memcpy(text, line, size);
    text[size++] = '\n';
    // A child that does not read fills its pipe: that must not hang the arena.
    while (written < size) {
        struct pollfd poller = {p->in, POLLOUT, 0};
        if (poll(&poller, 1, 2000) <= 0 || (poller.revents & (POLLERR | POLLHUP)) != 0) break;
        size_t part = size - written < 512 ? size - written : 512;
        ssize_t now = write(p->in, text + written, part);
        if (now <= 0 && errno != EINTR) break;
        if (now > 0) written += (size_t)now;
    }
    free(text);
    return written == size;
}

process_read_result process_read(process *p, char *line, size_t size, long long deadline_ms) {
    for (;;) {
        char *end = memchr(p->buffer, '\n', p->filled);
        if (end == NULL && p->filled == sizeof p->buffer) end = p->buffer + p->filled - 1;
        if (end != NULL) {
            size_t length = (size_t)(end - p->buffer), keep = length < size - 1 ? length : size - 1;
            memcpy(line, p->buffer, keep);
            line[keep] = 0;
            if (keep > 0 && line[keep - 1] == '\r') line[keep - 1] = 0;
            p->filled -= length + 1;
            memmove(p->buffer, end + 1, p->filled);
            return PROCESS_LINE;
        }
        long long left = deadline_ms - process_now_ms();
        if (left <= 0) return PROCESS_TIMEOUT;
        struct pollfd poller = {p->out, POLLIN, 0};
        int ready = poll(&poller, 1, left < 60000 ? (int)left : 60000);
        if (ready < 0 && errno != EINTR) return PROCESS_ENDED;
        if (ready <= 0) continue;
        ssize_t now = read(p->out, p->buffer + p->filled, sizeof p->buffer - p->filled);
        if (now <= 0 && errno != EINTR) return PROCESS_ENDED;
        if (now == 0) return PROCESS_ENDED;
        if (now > 0) p->filled += (size_t)now;
    }
}

void process_stop(process *p, const char *quit) {
    if (p == NULL) return;
    if (quit != NULL) (void)process_write(p, quit);
    (void)close(p->in);
    long long until = process_now_ms() + PROCESS_QUIT_MS;
    bool gone = false;
    while (!gone && process_now_ms() < until) {
        gone = waitpid(p->pid, NULL, WNOHANG) == p->pid;
        if (!gone) (void)poll(NULL, 0, 5);
    }
    (void)kill(-p->pid, SIGKILL); // also what it started
    if (!gone) (void)waitpid(p->pid, NULL, 0);
    (void)close(p->out);
    free(p);
}
