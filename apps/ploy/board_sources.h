// What a player consults before it searches: an opening book and ending databases, as the protocols and
// commands load them by name.
#pragma once

#include "apps/ploy/board.h"
#include "ploy/board/endings.h"
#include "ploy/board/player.h"

typedef struct board_sources board_sources;

ploy_result board_sources_create(const board_game *game, board_sources **out);
void board_sources_destroy(board_sources *sources);
// Loads a book in place of the present one: of chess a Polyglot file, of other games lines of moves.
// "" or NULL: none. False: *message says why, and nothing is changed.
bool board_sources_book(board_sources *sources, const char *path, char message[160]);
// Loads endings in place of the present ones: names of sets, which are built, or files, separated by commas.
// "" or NULL: none. False: as above.
bool board_sources_endings(board_sources *sources, const char *list, char message[160]);
// Adds what is loaded to a new player: the book and the endings as sources, the endings as known scores of
// its tree search too. The sources must outlive the player.
ploy_result board_sources_add(board_sources *sources, ploy_board_player *player);

// One ending database. Its address is the user of its source.
typedef struct board_ending_set {
    ploy_board_chess_material chess;
    ploy_board_draughts_set draughts;
    ploy_board_endings_source source;
    ploy_board_endings *endings;
} board_ending_set;

// Fills the source of a set: a material such as "KQK" of chess, a number of pieces from "1" to "4" of draughts.
// @param before  finished sets that its positions may lead to.
// @return PLOY_ERR_FORMAT if the name is not one, PLOY_ERR_UNSUPPORTED for other games.
ploy_result board_ending_describe(const board_game *game, const char *name, board_ending_set *set,
                                  board_ending_set *const *before, int32_t count);

// One line of an opening file: "position P" or "fen P", else moves; # begins a comment. The line is changed.
typedef struct board_opening {
    const char *start; // in the line; NULL: the start
    ploy_board_move moves[256];
    int32_t count;
    bool empty; // nothing but a comment
} board_opening;

// @param position  receives where the line ends.
// @return PLOY_ERR_FORMAT with the reason in diags (may be NULL).
ploy_result board_opening_read(const board_game *game, char *line, const char *path, int32_t number,
                               ploy_diags *diags, void *position, board_opening *out);
