// Explanations of finished searches.
#include "ploy/board/why.h"

#include "board/search_internal.h"
#include "board_internal.h"

#include <math.h>
#include <string.h>

// Text that is cut at the end of a buffer.
typedef struct why_text {
    char *at;
    size_t left; // with the zero
} why_text;

static void why_add(why_text *text, const char *more) {
    for (; *more != 0 && text->left > 1; more++) {
        *text->at++ = *more;
        text->left--;
    }
    if (text->left > 0) *text->at = 0;
}

static void why_number(why_text *text, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    uint64_t rest = value < 0 ? (uint64_t)-value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) digits[--at] = '-';
    why_add(text, digits + at);
}

void ploy_board_score_text(int32_t score, char *text, size_t size) {
    why_text out = {text, size};
    if (size > 0) *text = 0;
    if (score <= PLOY_BOARD_EVALUATION && score >= -PLOY_BOARD_EVALUATION) {
        why_number(&out, score);
        return;
    }
    int64_t plies = PLOY_BOARD_WIN - (score > 0 ? (int64_t)score : -(int64_t)score);
    why_add(&out, score > 0 ? "wins" : "loses");
    if (plies <= 0) return; // a search without distances
    why_add(&out, " in ");
    why_number(&out, (int32_t)plies);
    why_add(&out, plies == 1 ? " ply" : " plies");
}

void ploy_board_line_text(ploy_board board, const void *position, void *scratch,
                          const ploy_board_move *line, int32_t count, char *text, size_t size) {
    why_text out = {text, size};
    if (size > 0) *text = 0;
    const ploy_board_type *type = board.type;
    memcpy(scratch, position, type->position_bytes(board.rules));
    for (int32_t i = 0; i < count; i++) {
        if (type->side(board.rules, scratch) == PLOY_BOARD_OVER) return;
        char move[PLOY_BOARD_MOVE_TEXT];
        ployi_board_move_text(board, scratch, line[i], move);
        if (i > 0) why_add(&out, " ");
        why_add(&out, move);
        type->make(board.rules, scratch, line[i], NULL);
    }
}

static void why_scores(why_text *out, const char *line, int32_t score) {
    char text[40];
    ploy_board_score_text(score, text, sizeof text);
    bool known = score > PLOY_BOARD_EVALUATION || score < -PLOY_BOARD_EVALUATION;
    why_add(out, line);
    why_add(out, known ? " " : " scores ");
    why_add(out, text);
}

static void why_sentence(ploy_board_search *s, const void *position, ploy_board_answer *a) {
    ploy_board board = s->board;
    char best[PLOY_BOARD_MOVE_TEXT], move[PLOY_BOARD_MOVE_TEXT], line[96], better[96];
    ployi_board_move_text(board, position, a->best, best);
    ployi_board_move_text(board, position, a->move, move);
    // The search is done, so its board is free for replaying the lines.
    int32_t some = a->line_count < 8 ? a->line_count : 8;
    ploy_board_line_text(board, position, s->position, a->line, some, line, sizeof line);
    some = a->best_count < 8 ? a->best_count : 8;
    ploy_board_line_text(board, position, s->position, a->best_line, some, better, sizeof better);
    memcpy(s->position, position, s->position_bytes);
    why_text out = {a->text, sizeof a->text};
    a->text[0] = 0;
    if (a->move == a->best) {
        why_add(&out, move);
        why_add(&out, " is the best move found: ");
        why_scores(&out, better, a->best_score);
        return;
    }
    bool known = a->score < -PLOY_BOARD_EVALUATION || a->best_score > PLOY_BOARD_EVALUATION;
    why_add(&out, move);
    if (a->loss <= 0) {
        why_add(&out, " is as good as ");
    } else if (known) {
        why_add(&out, " is worse than ");
    } else {
        why_add(&out, " is ");
        why_number(&out, a->loss);
        why_add(&out, " worse than ");
    }
    why_add(&out, best);
    why_add(&out, ": ");
    why_scores(&out, line, a->score);
    why_add(&out, ", ");
    why_scores(&out, better, a->best_score);
}

ploy_result ploy_board_why_not(ploy_board_search *search, const void *position,
                               ploy_board_move move, ploy_board_answer *out) {
    ploy_board_outcome best = ploy_board_search_outcome(search);
    if (!best.done) return PLOY_ERR_STATE;
    ploy_board_answer answer;
    memset(&answer, 0, sizeof answer);
    answer.best = best.move;
    answer.best_score = best.score;
    answer.depth = best.depth > 0 ? best.depth : 1;
    answer.move = move;
    answer.best_count =
        best.line_count < PLOY_BOARD_ANSWER_LINE ? best.line_count : PLOY_BOARD_ANSWER_LINE;
    memcpy(answer.best_line, best.line, sizeof(ploy_board_move) * (size_t)answer.best_count);
    ploy_result result =
        ploy_board_search_begin(search, position, search->keys, search->history_count);
    if (result != PLOY_OK) return result;
    result = ploy_board_search_only(search, &move, 1);
    if (result != PLOY_OK) return result;
    // To the same depth, with whatever nodes that takes; a def without iterations begins there.
    search->limit_nodes = 0;
    search->limit_depth = answer.depth;
    result = ploy_board_search_step(search, NULL);
    if (result != PLOY_OK) return result;
    ploy_board_outcome other = ploy_board_search_outcome(search);
    answer.score = other.score;
    answer.loss = answer.best_score - other.score;
    answer.line_count =
        other.line_count < PLOY_BOARD_ANSWER_LINE ? other.line_count : PLOY_BOARD_ANSWER_LINE;
    memcpy(answer.line, other.line, sizeof(ploy_board_move) * (size_t)answer.line_count);
    why_sentence(search, position, &answer);
    *out = answer;
    return PLOY_OK;
}

static void why_part(void *user, const char *name, int32_t score) {
    ploy_trace_i64(user, name, score);
}

static void why_parts(ploy_board board, const void *position, ploy_trace *trace) {
    int32_t side = board.type->side(board.rules, position);
    if (board.type->score_parts == NULL || side < 0 || side >= board.type->players) return;
    board.type->score_parts(board.rules, position, side, why_part, trace);
}

// What was chosen, if it is not what the search found best.
typedef struct why_choice {
    ploy_agent_id agent;
    ploy_board_move move; // PLOY_BOARD_NO_MOVE: the best one
    int32_t loss;         // against the best one
} why_choice;

// The line of a root move, and what its score is worth beside the others'.
static void why_root_text(const ploy_board_search *search, ploy_board board, const void *position,
                          const ploy_board_root_move *root, char *text, size_t size) {
    ploy_board_line_text(board, position, search->position, root->line, root->line_count, text,
                         size);
    memcpy(search->position, position, search->position_bytes);
    size_t used = strlen(text);
    why_text out = {text + used, size - used};
    int32_t depth = ploy_board_search_outcome(search).depth;
    if (root->move == search->best_move || root->depth == 0) return;
    if (root->depth < depth) {
        why_add(&out, ", searched to depth ");
        why_number(&out, root->depth);
        why_add(&out, " of ");
        why_number(&out, depth);
    } else if (!root->exact) {
        why_add(&out, ", scores this at most");
    }
}

static void why_search(const ploy_board_search *search, ploy_board board, const void *position,
                       const why_choice *choice, ploy_trace *trace) {
    if (trace == NULL || !search->done) return;
    bool other = choice->move != PLOY_BOARD_NO_MOVE && choice->move != search->best_move;
    ploy_trace_begin(trace, choice->agent, "move", ploy_board_method_text(search->def.method));
    for (int32_t i = 0; i < ploy_board_search_move_count(search); i++) {
        ploy_board_root_move root = ploy_board_search_move_at(search, i);
        char text[PLOY_BOARD_MOVE_TEXT], line[200], reason[280] = "";
        why_text out = {reason, sizeof reason};
        ployi_board_move_text(board, position, root.move, text);
        why_root_text(search, board, position, &root, line, sizeof line);
        bool best = root.move == search->best_move;
        bool won = other ? root.move == choice->move : best;
        if (won && other) {
            why_add(&out, "drawn by the level, ");
            why_number(&out, choice->loss);
            why_add(&out, " worse than the best move: ");
        } else if (best && other) {
            why_add(&out, "the best move, but the level drew another: ");
        }
        why_add(&out, line);
        ploy_outcome outcome = won              ? PLOY_OUTCOME_WON
                               : root.depth > 0 ? PLOY_OUTCOME_LOST
                                                : PLOY_OUTCOME_SKIPPED;
        ploy_trace_option(trace, text, outcome, root.score, reason);
    }
    why_parts(board, position, trace);
    ploy_trace_end(trace);
}

void ploy_board_why(const ploy_board_search *search, ploy_board board, const void *position,
                    ploy_trace *trace) {
    const why_choice best = {ploy_agent_id_none(), PLOY_BOARD_NO_MOVE, 0};
    why_search(search, board, position, &best, trace);
}

static void why_mcts(const ploy_board_mcts *mcts, ploy_board board, const void *position,
                     const why_choice *choice, ploy_trace *trace) {
    if (trace == NULL) return;
    int32_t count = ploy_board_mcts_move_count(mcts), won = 0;
    for (int32_t i = 0; i < count; i++) {
        if (ploy_board_mcts_move_at(mcts, i).move == choice->move) won = i;
    }
    ploy_trace_begin(trace, choice->agent, "move", "mcts");
    for (int32_t i = 0; i < count; i++) {
        ploy_board_mcts_move move = ploy_board_mcts_move_at(mcts, i);
        char text[PLOY_BOARD_MOVE_TEXT], reason[160];
        ployi_board_move_text(board, position, move.move, text);
        why_text out = {reason, sizeof reason};
        reason[0] = 0;
        if (i == won && won > 0) why_add(&out, "drawn by the level: ");
        if (i == 0 && won > 0) why_add(&out, "the best move, but the level drew another: ");
        why_number(&out, move.visits);
        why_add(&out, " visits, ");
        why_number(&out, (int64_t)(move.ratio * 1000.0f + 0.5f));
        why_add(&out, " +- ");
        why_number(&out, (int64_t)(move.confidence * 1000.0f + 0.5f));
        why_add(&out, " per mille");
        if (move.proven != 0) why_add(&out, move.proven > 0 ? ", proven win" : ", proven loss");
        ploy_trace_option(trace, text, i == won ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                          (double)move.ratio, reason);
    }
    why_parts(board, position, trace);
    ploy_trace_end(trace);
}

void ploy_board_mcts_why(const ploy_board_mcts *mcts, ploy_board board, const void *position,
                         ploy_trace *trace) {
    const why_choice best = {ploy_agent_id_none(), PLOY_BOARD_NO_MOVE, 0};
    why_mcts(mcts, board, position, &best, trace);
}

void ploy_board_player_why(ploy_board_player *player, ploy_board board, const void *position,
                           ploy_agent_id agent, ploy_trace *trace) {
    ploy_board_choice_made made = ploy_board_player_choice(player);
    if (trace == NULL || !made.done || made.source == NULL) return;
    const why_choice choice = {agent, made.move, made.loss};
    bool level = strcmp(made.source, "level") == 0;
    if (level || strcmp(made.source, "search") == 0 || strcmp(made.source, "mcts") == 0) {
        const ploy_board_search *search = ploy_board_player_search(player);
        const ploy_board_mcts *mcts = ploy_board_player_mcts(player);
        if (search != NULL) why_search(search, board, position, &choice, trace);
        if (search == NULL && mcts != NULL) why_mcts(mcts, board, position, &choice, trace);
        return;
    }
    char text[PLOY_BOARD_MOVE_TEXT], reason[80] = "found by ";
    why_text out = {reason + strlen(reason), sizeof reason - strlen(reason)};
    why_add(&out, made.source);
    bool only = strcmp(made.source, "only move") == 0;
    ployi_board_move_text(board, position, made.move, text);
    ploy_trace_begin(trace, agent, "move", made.source);
    ploy_trace_option(trace, text, PLOY_OUTCOME_WON, (double)NAN,
                      only ? "no other move is legal" : reason);
    ploy_trace_option(trace, "a search", PLOY_OUTCOME_SKIPPED, (double)NAN,
                      "the move was known without one");
    ploy_trace_end(trace);
}
