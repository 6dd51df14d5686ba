// ploy board GAME ...: what its commands share. A command is a function in a separate file
// (board_best.c) and a row in cmd_board.c.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/board/game.h"

// The game that a command works on: board.rules is rules, filled by board_rules.
typedef struct board_game {
    const ploy_board_type *type;
    ploy_board_rules rules;
    ploy_board board;
    ploy_env env;
} board_game;

// Reads --set K=V into the rules. -1, or the exit status after a message.
int board_set_rules(board_game *game, const cli_texts *sets);

// A new position: the start, or what --position says, then the moves of --moves, separated by blanks.
// -1 and *out (freed with free), or the exit status after a message.
int board_position(const board_game *game, const char *position, const char *moves, void **out);

// Reads one move. -1, or the exit status after a message.
int board_move(const board_game *game, const void *position, const char *text,
               ploy_board_move *out);

// Reads a depth from 0 to 64. -1, or the exit status after a message.
int board_depth(const char *text, int32_t *out);

// The commands; argv starts behind the command's name.
int board_best(board_game *game, int argc, char **argv);
int board_perft(board_game *game, int argc, char **argv);
int board_suite(board_game *game, int argc, char **argv);
int board_uci(board_game *game, int argc, char **argv);
int board_xboard(board_game *game, int argc, char **argv);
int board_solve(board_game *game, int argc, char **argv);
int board_book(board_game *game, int argc, char **argv);
int board_endings(board_game *game, int argc, char **argv);
int board_learn(board_game *game, int argc, char **argv);
int board_gtp(board_game *game, int argc, char **argv);
int board_tree(board_game *game, int argc, char **argv);
