// The commands of `ploy board`, each in a file board_<name>.c.
#pragma once

#include "apps/ploy/cli.h"
#include "ploy/board/game.h"
#include "ploy/board/search.h"

// The game that a command is about. Positions have board_position bytes, which every game fits in.
enum { BOARD_POSITION_BYTES = 1 << 15 };
typedef struct board_game {
    ploy_board board;
    ploy_board_rules rules;
    ploy_env env;
} board_game;

// Reads --set options into the rules. Returns -1, or the exit status after a message.
int board_load_rules(board_game *game, const cli_texts *sets);
// Writes the start position, or the one that the text gives. Returns -1, or the exit status.
int board_load_position(const board_game *game, const char *text, void *position);

// A command of one game: argv begins behind its name.
typedef int (*board_fn)(board_game *game, int argc, char **argv);
int board_perft(board_game *game, int argc, char **argv);
int board_suite(board_game *game, int argc, char **argv);
int board_uci(board_game *game, int argc, char **argv);
int board_xboard(board_game *game, int argc, char **argv);
