/// @file ploy/board/go.h
/// Go on boards from 5x5 to 19x19.
///
/// Suicide is illegal. Ko: a single stone may not be retaken at once (simple), no board may repeat
/// (positional), or no board with the same side to move (situational). The game ends after two
/// passes in a row, or after three moves for each point. Area scoring counts stones and surrounded
/// points; territory scoring counts surrounded points and prisoners. Stones that are still on the
/// board count as alive, so dead stones have to be captured first, as playouts do.
///
/// Text of a position: the rows from the top, `X` black, `O` white, `.` empty, `/` between rows, a
/// blank and the side to move (`X` or `O`), passes in a row, the ko point or `-`, prisoners of
/// black and white. Earlier boards are not part of it. Moves are `D4`, columns without I, row 1 at
/// the bottom, or `pass`.
///
/// A playout move captures or rescues stones in atari beside the last two moves, or completes a 3x3
/// pattern beside one of them, see `tactics`; otherwise it is uniform over the legal moves that do
/// not fill a single-point eye of the player. Without one it passes.
#pragma once

#include "ploy/board/game.h"

typedef enum ploy_board_go_ko {
    PLOY_BOARD_GO_SIMPLE,
    PLOY_BOARD_GO_POSITIONAL,
    PLOY_BOARD_GO_SITUATIONAL
} ploy_board_go_ko;

typedef enum ploy_board_go_scoring {
    PLOY_BOARD_GO_AREA,
    PLOY_BOARD_GO_TERRITORY
} ploy_board_go_scoring;

typedef struct ploy_board_go_def {
    uint32_t cookie; ///< set by the default; leave alone
    int32_t size;    ///< rows and columns, 5 to 19
    float komi;      ///< points that white gets, in steps of a half
    ploy_board_go_scoring scoring;
    ploy_board_go_ko ko;
    float tactics; ///< share of playout moves that answer the last ones first
} ploy_board_go_def;

PLOY_API ploy_board_go_def ploy_board_go_def_default(void);
PLOY_API ploy_fields ploy_board_go_fields(void);

/// The move that places no stone. Others are point + 1, point = column + size * row from the top.
#define PLOY_BOARD_GO_PASS ((ploy_board_move)362)

/// Score of the present position, in half points: black's minus white's, with komi.
PLOY_API int32_t ploy_board_go_score(const ploy_board_go_def *def, const void *position);

/// The rules of Go.
PLOY_API const ploy_board_type *ploy_board_go(void);
