// A GTP engine for any board game but chess: one line in, one answer out. The program feeds it from standard
// input, a fuzz target from anywhere.
#pragma once

#include "apps/ploy/board.h"
#include "apps/ploy/board_sources.h"

typedef struct gtp_engine gtp_engine;

typedef struct gtp_options {
    int32_t level; // 0: none
    int64_t units; // nodes or playouts of a move; 0: those of the level
    bool monte_carlo;
    bool files;             // loadsgf may open files
    int64_t hash_mb;        // of the table of a tree search; 0: its default
    board_sources *sources; // book and endings; NULL: none. Borrowed
} gtp_options;

ploy_result gtp_create(board_game *game, const gtp_options *options, gtp_engine **out);
void gtp_destroy(gtp_engine *gtp);
// Answers a line; nothing is printed for an empty one or a comment. The line is changed.
// @return false after quit.
bool gtp_line(gtp_engine *gtp, char *line, ploy_writer *out);
