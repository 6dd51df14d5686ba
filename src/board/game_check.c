// The checker: random games through every promise of ploy_board_type. Also perft.
#include "ploy/board/game.h"

#include "board_internal.h"

#include <string.h>

typedef enum game_check_kind {
    GAME_CHECK_MOVES,
    GAME_CHECK_SIDE,
    GAME_CHECK_HASH,
    GAME_CHECK_UNMAKE,
    GAME_CHECK_RESULT,
    GAME_CHECK_EVALUATION,
    GAME_CHECK_TEXT,
    GAME_CHECK_MOVE_TEXT,
    GAME_CHECK_SYMMETRY,
    GAME_CHECK_ODDS,
    GAME_CHECK_NOISY,
    GAME_CHECK_REDRAW,
    GAME_CHECK_PARTS,
    GAME_CHECK_NULL_MOVE,
    GAME_CHECK_POLICY,
    GAME_CHECK_KINDS
} game_check_kind;

typedef struct game_check_run {
    ploy_board board;
    const ploy_board_type *type;
    const void *rules;
    ploy_diags *diags;
    ploy_board_report *report;
    size_t bytes, undo_bytes;
    unsigned char *position, *copy, *other, *undo;
    ploy_board_move *moves, *more;
    uint32_t reported; // bit of each game_check_kind
    int64_t parts;     // sum of the parts of an evaluation
} game_check_run;

static void game_check_fault(game_check_run *run, game_check_kind kind, const char *message) {
    run->report->faults++;
    if ((run->reported >> kind & 1) != 0) return;
    run->reported |= 1u << kind;
    char text[PLOY_BOARD_TEXT];
    text[0] = 0;
    if (kind != GAME_CHECK_TEXT) ployi_board_text(run->board, run->position, text);
    ploy_diags_add(run->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_STATE, run->type->name, 0, 0, message,
                   text[0] != 0 ? text : NULL, NULL);
}

static void game_check_add_part(void *user, const char *name, int32_t score) {
    (void)name;
    ((game_check_run *)user)->parts += score;
}

static void game_check_evaluation(game_check_run *run, int32_t side) {
    const ploy_board_type *type = run->type;
    if (type->evaluate == NULL || side < 0 || side >= type->players) return;
    int32_t own = type->evaluate(run->rules, run->position, side);
    if (own <= -PLOY_BOARD_EVALUATION || own >= PLOY_BOARD_EVALUATION) {
        game_check_fault(run, GAME_CHECK_EVALUATION, "the evaluation is out of range");
    }
    if (type->players == 2 && (type->flags & PLOY_BOARD_ZERO_SUM) != 0 &&
        own != -type->evaluate(run->rules, run->position, 1 - side)) {
        game_check_fault(run, GAME_CHECK_EVALUATION, "the evaluation is not antisymmetric");
    }
    if (type->score_parts != NULL) {
        run->parts = 0;
        type->score_parts(run->rules, run->position, side, game_check_add_part, run);
        if (run->parts != own) {
            game_check_fault(run, GAME_CHECK_PARTS, "the parts do not add up to the evaluation");
        }
    }
}

static void game_check_result(game_check_run *run) {
    const ploy_board_type *type = run->type;
    int64_t sum = 0;
    for (int32_t p = 0; p < type->players; p++) {
        int32_t result = type->result(run->rules, run->position, p);
        if ((type->flags & PLOY_BOARD_MARGIN) == 0 && result != 0 && result != PLOY_BOARD_WIN &&
            result != -PLOY_BOARD_WIN) {
            game_check_fault(run, GAME_CHECK_RESULT,
                             "the result is neither a win, a draw nor a loss");
        }
        if (result > PLOY_BOARD_WIN || result < -PLOY_BOARD_WIN) {
            game_check_fault(run, GAME_CHECK_RESULT, "the result is out of range");
        }
        sum += result;
    }
    if ((type->flags & PLOY_BOARD_ZERO_SUM) != 0 && sum != 0) {
        game_check_fault(run, GAME_CHECK_RESULT,
                         "the results of a zero-sum game do not add up to 0");
    }
}

static void game_check_text(game_check_run *run) {
    const ploy_board_type *type = run->type;
    char text[PLOY_BOARD_TEXT], again[PLOY_BOARD_TEXT];
    if (type->text == NULL || type->parse == NULL) return;
    type->text(run->rules, run->position, text);
    memset(run->other, 0xA5, run->bytes);
    if (type->parse(run->rules, text, "check", run->other, NULL) != PLOY_OK) {
        game_check_fault(run, GAME_CHECK_TEXT, "a position's text is not read back");
        return;
    }
    type->text(run->rules, run->other, again);
    if (strcmp(text, again) != 0) {
        game_check_fault(run, GAME_CHECK_TEXT, "a position read back has another text");
    }
    if (type->hash(run->rules, run->position) != type->hash(run->rules, run->other)) {
        game_check_fault(run, GAME_CHECK_HASH, "a position read back has another hash");
    }
}

static void game_check_symmetry(game_check_run *run, int32_t count, ploy_rng *rng) {
    const ploy_board_type *type = run->type;
    if (type->symmetries == NULL || count == 0) return;
    int32_t total = type->symmetries(run->rules);
    int32_t number = ploy_rng_int(rng, 0, total - 1);
    int32_t pick = ploy_rng_int(rng, 0, count - 1);
    type->map(run->rules, run->position, number, run->other);
    int32_t mapped = type->moves(run->rules, run->other, run->more, type->max_moves);
    ploy_board_move move = type->map_move(run->rules, run->moves[pick], number);
    bool found = false;
    for (int32_t i = 0; i < mapped; i++) found = found || run->more[i] == move;
    if (mapped != count || !found) {
        game_check_fault(run, GAME_CHECK_SYMMETRY, "the legal moves differ under a symmetry");
        return;
    }
    // Mapping and moving must commute.
    memcpy(run->copy, run->position, run->bytes);
    type->make(run->rules, run->copy, run->moves[pick], NULL);
    type->make(run->rules, run->other, move, NULL);
    uint64_t after = type->hash(run->rules, run->other);
    type->map(run->rules, run->copy, number, run->other);
    if (type->hash(run->rules, run->other) != after) {
        game_check_fault(run, GAME_CHECK_SYMMETRY, "a symmetry and a move do not commute");
    }
}

static void game_check_moves(game_check_run *run, int32_t side, int32_t count) {
    const ploy_board_type *type = run->type;
    if (count > run->report->most_moves) run->report->most_moves = count;
    uint64_t hash = type->hash(run->rules, run->position);
    memcpy(run->copy, run->position, run->bytes);
    for (int32_t i = 0; i < count; i++) {
        ploy_board_move move = run->moves[i];
        if (move == PLOY_BOARD_NO_MOVE)
            game_check_fault(run, GAME_CHECK_MOVES, "a legal move is 0");
        for (int32_t k = 0; k < i && count <= 64; k++) {
            if (run->moves[k] == move)
                game_check_fault(run, GAME_CHECK_MOVES, "a move is listed twice");
        }
        char text[PLOY_BOARD_MOVE_TEXT];
        ployi_board_move_text(run->board, run->position, move, text);
        ploy_board_move parsed = PLOY_BOARD_NO_MOVE;
        if (ployi_board_move_parse(run->board, run->position, text, "check", &parsed, NULL) !=
                PLOY_OK ||
            parsed != move) {
            game_check_fault(run, GAME_CHECK_MOVE_TEXT, "a move's text is not read back");
        }
        if (side == PLOY_BOARD_CHANCE &&
            (type->odds == NULL || type->odds(run->rules, run->position, move) <= 0)) {
            game_check_fault(run, GAME_CHECK_ODDS, "a chance move has no odds");
        }
        if (type->policy_index != NULL && side != PLOY_BOARD_CHANCE) {
            int32_t index = type->policy_index(run->rules, run->position, move);
            bool fits = index >= 0 && index < type->policy_size(run->rules);
            for (int32_t k = 0; k < i && count <= 64; k++) {
                fits =
                    fits && type->policy_index(run->rules, run->position, run->moves[k]) != index;
            }
            if (!fits)
                game_check_fault(run, GAME_CHECK_POLICY, "a move has no policy output alone");
        }
        ploy_board_make(run->board, run->position, move, run->undo);
        ploy_board_unmake(run->board, run->position, move, run->undo);
        if (memcmp(run->position, run->copy, run->bytes) != 0) {
            game_check_fault(run, GAME_CHECK_UNMAKE, "unmake does not restore the position");
            memcpy(run->position, run->copy, run->bytes);
        }
    }
    if (type->hash(run->rules, run->position) != hash) {
        game_check_fault(run, GAME_CHECK_HASH, "the hash differs though no move was made");
    }
    if (type->noisy != NULL && side < type->players) {
        int32_t noisy = type->noisy(run->rules, run->position, run->more, type->max_moves);
        for (int32_t i = 0; i < noisy; i++) {
            bool legal = false;
            for (int32_t k = 0; k < count; k++) legal = legal || run->moves[k] == run->more[i];
            if (!legal) game_check_fault(run, GAME_CHECK_NOISY, "a noisy move is not legal");
            if (type->is_noisy != NULL &&
                !type->is_noisy(run->rules, run->position, run->more[i])) {
                game_check_fault(run, GAME_CHECK_NOISY, "a noisy move is not is_noisy");
            }
        }
    }
    ploy_board_move null_move = type->null_move == NULL || side >= type->players
                                    ? PLOY_BOARD_NO_MOVE
                                    : type->null_move(run->rules, run->position);
    if (null_move != PLOY_BOARD_NO_MOVE) {
        ploy_board_make(run->board, run->position, null_move, run->undo);
        if (type->side(run->rules, run->position) == side) {
            game_check_fault(run, GAME_CHECK_NULL_MOVE, "the null move does not change the side");
        }
        ploy_board_unmake(run->board, run->position, null_move, run->undo);
        if (memcmp(run->position, run->copy, run->bytes) != 0) {
            game_check_fault(run, GAME_CHECK_UNMAKE, "unmake does not restore the null move");
            memcpy(run->position, run->copy, run->bytes);
        }
    }
}

static void game_check_redraw(game_check_run *run, int32_t side, int32_t count, ploy_rng *rng) {
    const ploy_board_type *type = run->type;
    if ((type->flags & PLOY_BOARD_HIDDEN) == 0 || side < 0 || side >= type->players) return;
    if (type->redraw == NULL) {
        game_check_fault(run, GAME_CHECK_REDRAW, "a game with hidden information has no redraw");
        return;
    }
    // The player sees its own moves, so they must stay.
    memcpy(run->other, run->position, run->bytes);
    type->redraw(run->rules, run->other, side, rng);
    int32_t now = type->moves(run->rules, run->other, run->more, type->max_moves);
    if (now != count || memcmp(run->more, run->moves, sizeof run->more[0] * (size_t)count) != 0 ||
        type->side(run->rules, run->other) != side) {
        game_check_fault(run, GAME_CHECK_REDRAW, "redraw changes what the player can do");
    }
}

static void game_check_game(game_check_run *run, int32_t max_plies, ploy_rng *rng) {
    const ploy_board_type *type = run->type;
    type->start(run->rules, run->position);
    for (int32_t ply = 0;; ply++) {
        int32_t side = type->side(run->rules, run->position);
        game_check_text(run);
        if (side == PLOY_BOARD_OVER) {
            game_check_result(run);
            if (ply > run->report->longest) run->report->longest = ply;
            return;
        }
        if (side != PLOY_BOARD_CHANCE && (side < 0 || side >= type->players)) {
            game_check_fault(run, GAME_CHECK_SIDE, "the side to move is not a player");
            return;
        }
        if (side == PLOY_BOARD_CHANCE && (type->flags & PLOY_BOARD_RANDOM) == 0) {
            game_check_fault(run, GAME_CHECK_SIDE, "a chance move needs PLOY_BOARD_RANDOM");
        }
        int32_t count = type->moves(run->rules, run->position, run->moves, type->max_moves);
        if (count <= 0 || count > type->max_moves) {
            game_check_fault(run, GAME_CHECK_MOVES,
                             count <= 0 ? "no move, but the game is not over"
                                        : "the number of moves exceeds max_moves");
            return;
        }
        if (ply == max_plies) return;
        game_check_moves(run, side, count);
        game_check_evaluation(run, side);
        game_check_symmetry(run, count, rng);
        game_check_redraw(run, side, count, rng);
        int32_t pick = ploy_rng_int(rng, 0, count - 1);
        type->make(run->rules, run->position, run->moves[pick], NULL);
        run->report->plies++;
    }
}

ploy_result ploy_board_check(ploy_board board, int32_t games, int32_t max_plies, ploy_rng_key key,
                             const ploy_env *env, ploy_diags *diags, ploy_board_report *report) {
    if (board.type == NULL || games < 0 || max_plies < 1 || report == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_result result = ploy_board_rules_check(board, env);
    if (result != PLOY_OK) return result;
    game_check_run run = {0};
    run.board = board;
    run.type = board.type;
    run.rules = board.rules;
    run.diags = diags;
    run.report = report;
    run.bytes = (board.type->position_bytes(board.rules) + 7) / 8 * 8;
    run.undo_bytes = (ploy_board_undo_bytes(board) + 7) / 8 * 8;
    size_t moves = sizeof(ploy_board_move) * (size_t)board.type->max_moves;
    size_t size = 3 * run.bytes + run.undo_bytes + 2 * moves;
    unsigned char *block = ploy_env_alloc_zero(env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    run.position = block;
    run.copy = block + run.bytes;
    run.other = run.copy + run.bytes;
    run.undo = run.other + run.bytes;
    run.moves = (ploy_board_move *)(void *)(run.undo + run.undo_bytes);
    run.more = run.moves + board.type->max_moves;
    run.bytes = board.type->position_bytes(board.rules);
    memset(report, 0, sizeof *report);
    for (int32_t game = 0; game < games; game++) {
        ploy_rng rng = ploy_rng_from_key(key, (uint64_t)game);
        game_check_game(&run, max_plies, &rng);
        report->games++;
    }
    ploy_env_free(env, block, size);
    return PLOY_OK;
}

// ---- perft

enum { PERFT_DEPTH = 64 };

ploy_result ploy_board_perft(ploy_board board, const void *position, int32_t depth,
                             const ploy_env *env, uint64_t *leaves) {
    if (board.type == NULL || depth < 0 || depth > PERFT_DEPTH || leaves == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_board_type *type = board.type;
    size_t bytes = (type->position_bytes(board.rules) + 7) / 8 * 8;
    size_t undo_bytes = (ploy_board_undo_bytes(board) + 7) / 8 * 8;
    size_t moves = sizeof(ploy_board_move) * (size_t)type->max_moves;
    size_t size = bytes + ((size_t)depth + 1) * (undo_bytes + moves);
    unsigned char *block = ploy_env_alloc_zero(env, size);
    if (block == NULL) return PLOY_ERR_MEMORY;
    unsigned char *undo = block + bytes;
    unsigned char *lists = undo + ((size_t)depth + 1) * undo_bytes;
    memcpy(block, position, type->position_bytes(board.rules));
    int32_t count[PERFT_DEPTH + 1], next[PERFT_DEPTH + 1];
    uint64_t sum = 0;
    int32_t ply = 0;
    bool entered = true;
    while (ply >= 0) {
        ploy_board_move *list = (ploy_board_move *)(void *)(lists + (size_t)ply * moves);
        if (entered) {
            bool over = ply < depth && type->side(board.rules, block) == PLOY_BOARD_OVER;
            count[ply] =
                ply == depth || over ? 0 : type->moves(board.rules, block, list, type->max_moves);
            next[ply] = 0;
            if (ply == depth || over) sum++;
            // The last level needs only the number of moves.
            if (ply == depth - 1 && !over) {
                sum += (uint64_t)count[ply];
                count[ply] = 0;
            }
            entered = false;
        }
        if (next[ply] < count[ply]) {
            ploy_board_make(board, block, list[next[ply]++], undo + (size_t)ply * undo_bytes);
            ply++;
            entered = true;
        } else {
            ply--;
            if (ply < 0) break;
            ploy_board_move *up = (ploy_board_move *)(void *)(lists + (size_t)ply * moves);
            ploy_board_unmake(board, block, up[next[ply] - 1], undo + (size_t)ply * undo_bytes);
        }
    }
    ploy_env_free(env, block, size);
    *leaves = sum;
    return PLOY_OK;
}
