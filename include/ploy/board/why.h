/// @file ploy/board/why.h
/// Why this move, and why not another one: explanations of a finished search.
#pragma once

#include "ploy/base/trace.h"
#include "ploy/board/mcts.h"
#include "ploy/board/player.h"
#include "ploy/board/search.h"

/// Maximum number of moves kept of a line.
#define PLOY_BOARD_ANSWER_LINE 32

/// Why a move was not chosen.
typedef struct ploy_board_answer {
    ploy_board_move best, move;
    int32_t best_score, score; ///< for the side to move, at the same depth
    int32_t loss;              ///< best_score - score; below 0 if the search now prefers the move
    int32_t depth;
    int32_t line_count, best_count;
    ploy_board_move line[PLOY_BOARD_ANSWER_LINE];      ///< the move and its refutation
    ploy_board_move best_line[PLOY_BOARD_ANSWER_LINE]; ///< the best move and its line
    char text[256]; ///< "b1 is 14 worse than c3: b1 a2 c3 scores -4, c3 b2 scores 10"
} ploy_board_answer;

/// Searches a move that was not chosen, to the depth of the finished search, and compares.
/// @param search    must be done; afterwards it holds the search of this one move.
/// @param position  where the search began.
/// @return PLOY_ERR_ARGUMENT if the move is not legal, PLOY_ERR_STATE if the search is not done.
PLOY_API ploy_result ploy_board_why_not(ploy_board_search *search, const void *position,
                                        ploy_board_move move, ploy_board_answer *out);

/// Reports the root moves of a finished search to a trace: each with its score and line as the
/// reason, and the parts of the evaluation of the position.
PLOY_API void ploy_board_why(const ploy_board_search *search, ploy_board board,
                             const void *position, ploy_trace *trace);
/// The same for a Monte Carlo search: visits, ratio and confidence.
PLOY_API void ploy_board_mcts_why(const ploy_board_mcts *mcts, ploy_board board,
                                  const void *position, ploy_trace *trace);

/// Reports the last choice of a player to a trace: the moves of its search with the one that it
/// chose, which differs from the best one if the level accepts a loss; or the source that knew it.
/// @param board, position  of the choice.
PLOY_API void ploy_board_player_why(ploy_board_player *player, ploy_board board,
                                    const void *position, ploy_agent_id agent, ploy_trace *trace);

/// Writes a line of moves as text with blanks, cut to size and zero-terminated. The moves are
/// played on a copy of the position in `scratch`, position_bytes large.
PLOY_API void ploy_board_line_text(ploy_board board, const void *position, void *scratch,
                                   const ploy_board_move *line, int32_t count, char *text,
                                   size_t size);
/// Writes a score: "12", "-4", "wins in 3 plies", "loses in 8 plies".
PLOY_API void ploy_board_score_text(int32_t score, char *text, size_t size);
