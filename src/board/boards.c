// The list of all games, in the order in which programs print them.
#include "ploy/board/atoms.h"
#include "ploy/board/backgammon.h"
#include "ploy/board/chess.h"
#include "ploy/board/connect4.h"
#include "ploy/board/draughts.h"
#include "ploy/board/game.h"
#include "ploy/board/go.h"
#include "ploy/board/guesswho.h"
#include "ploy/board/othello.h"
#include "ploy/board/splitnim.h"
#include "ploy/board/strategy.h"
#include "ploy/board/tictactoe.h"
#include "ploy/board/tree.h"

#include <string.h>

typedef const ploy_board_type *(*boards_fn)(void);

static const boards_fn boards_all[] = {
    ploy_board_tictactoe, ploy_board_connect4, ploy_board_othello,    ploy_board_draughts,
    ploy_board_chess,     ploy_board_go,       ploy_board_backgammon, ploy_board_atoms,
    ploy_board_splitnim,  ploy_board_guesswho, ploy_board_strategy,   ploy_board_plan,
    ploy_board_tree,
};

const ploy_board_type *ploy_boards_at(int32_t index) {
    if (index < 0 || index >= (int32_t)(sizeof boards_all / sizeof boards_all[0])) return NULL;
    return boards_all[index]();
}

const ploy_board_type *ploy_boards_find(const char *name) {
    if (name == NULL) return NULL;
    for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
        if (strcmp(ploy_boards_at(i)->name, name) == 0) return ploy_boards_at(i);
    }
    return NULL;
}
