// Lines for a chess engine of apps/ploy, whose own source the target includes behind this header: what it prints
// is counted and not shown, and it reads nothing but the lines it is given.
#pragma once

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_engine.h"
#include "ploy/board/chess.h"

enum { LINES_SIZE = 4096, LINES_MOST = 60, LINES_SLICES = 3 };

static char lines_last[1024]; // the last text that was printed
static int32_t lines_moves;   // answers "bestmove" or "move" so far

static void must(bool ok) {
    if (!ok) abort();
}

static int lines_print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(lines_last, sizeof lines_last, format, list);
    va_end(list);
    if (strncmp(lines_last, "bestmove", 8) == 0 || strncmp(lines_last, "move ", 5) == 0)
        lines_moves++;
    return length;
}

// Files, much memory and threads are not for a fuzzer.
static bool lines_forbidden(const char *line) {
    static const char *const words[] = {"book", "endings", "hash", "threads", "memory", "cores"};
    char low[LINES_SIZE];
    size_t size = strlen(line);
    for (size_t i = 0; i <= size; i++) {
        low[i] = line[i];
        if (low[i] >= 'A' && low[i] <= 'Z') low[i] = (char)(low[i] - 'A' + 'a');
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(low, words[i]) != NULL) return true;
    }
    return false;
}

// What the commands around the engines use; no line reaches them.
int cli_parse(const cli_usage *usage, int argc, char **argv, const char **words) {
    (void)usage, (void)argc, (void)argv, (void)words;
    abort();
}
int cli_error(const char *message, const char *detail) {
    (void)message, (void)detail;
    abort();
}
int cli_error_result(const char *what, ploy_result result) {
    (void)what, (void)result;
    abort();
}

typedef struct lines_engine {
    void (*line)(void *state, char *line);
    void (*slice)(void *state); // one step of the main loop while it thinks
    bool (*thinking)(const void *state);
    void (*stop)(void *state);
    bool (*quit)(const void *state);
} lines_engine;

// Gives each line, and a few slices while the engine thinks, until it quits.
static void lines_give(const lines_engine *engine, void *state, const uint8_t *bytes, size_t size) {
    char *text = malloc(size + 1);
    must(text != NULL);
    memcpy(text, bytes, size);
    text[size] = 0;
    int32_t count = 0;
    for (char *at = text; at != NULL && count < LINES_MOST && !engine->quit(state); count++) {
        char *line = at, *end = strchr(at, '\n');
        if (end != NULL) *end = 0;
        at = end != NULL ? end + 1 : NULL;
        if (lines_forbidden(line)) continue;
        engine->line(state, line);
        for (int32_t i = 0; i < LINES_SLICES && engine->thinking(state); i++) engine->slice(state);
    }
    if (!engine->quit(state)) engine->stop(state);
    free(text);
}

#define printf lines_print
#define fflush(file) ((void)(file))
