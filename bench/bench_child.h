// A peer in a separate process, spoken to in lines.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The reason for a program that was not built with this one.
#define BENCH_NOT_BUILT "it is not built"

typedef struct bench_child {
    pid_t pid;
    int to, from;      // our ends of the pipes
    char buffer[1024]; // read, not yet taken
    size_t used;
} bench_child;

// Starts a peer and waits for its first line.
// @param program   what runs the file of bench/peers, "node"; NULL: the file is a program itself,
//                  which was built with this one.
// @param argument  handed to it; may be NULL.
// @param ready  gets what follows "ready ": name and version.
// @param why    gets a sentence on failure.
bool bench_child_start(bench_child *child, const char *program, const char *file,
                       const char *argument, char *ready, size_t ready_size, char *why,
                       size_t why_size);
// Sends a word, reads a line. False if there was none in a minute.
bool bench_child_ask(bench_child *child, const char *word, char *answer, size_t size);
// Closes its input, which ends it, and waits.
void bench_child_stop(bench_child *child);
