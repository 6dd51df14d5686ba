// What every game shares: calls that fill in what a type leaves out, and Zobrist keys.
#include "ploy/board/game.h"

#include "board_internal.h"
#include "ploy/base/name.h"

#include <string.h>

ploy_board ploy_board_of(const ploy_board_type *type, const void *rules) {
    return (ploy_board){type, rules};
}

ploy_fields ployi_board_fields(const ploy_board_type *type) {
    return type->fields == NULL ? (ploy_fields){0} : type->fields();
}

void ployi_board_move_text(ploy_board board, const void *position, ploy_board_move move,
                           char out[PLOY_BOARD_MOVE_TEXT]) {
    if (board.type->move_text != NULL) {
        board.type->move_text(board.rules, position, move, out);
        return;
    }
    char digits[24];
    int32_t count = 0, at = 0;
    do digits[count++] = (char)('0' + move % 10);
    while ((move /= 10) != 0);
    while (count > 0) out[at++] = digits[--count];
    out[at] = 0;
}

ploy_result ployi_board_move_parse(ploy_board board, const void *position, const char *text,
                                   const char *name, ploy_board_move *out, ploy_diags *diags) {
    if (board.type->move_parse == NULL)
        return ploy_board_move_by_text(board, position, text, name, out, diags);
    return board.type->move_parse(board.rules, position, text, name, out, diags);
}

void ployi_board_text(ploy_board board, const void *position, char out[PLOY_BOARD_TEXT]) {
    if (board.type->text != NULL) {
        board.type->text(board.rules, position, out);
        return;
    }
    const unsigned char *bytes = position;
    size_t count = board.type->position_bytes(board.rules), at = 0;
    for (size_t i = 0; i < count && at + 3 < PLOY_BOARD_TEXT; i++) {
        out[at++] = "0123456789abcdef"[bytes[i] >> 4];
        out[at++] = "0123456789abcdef"[bytes[i] & 15];
    }
    out[at] = 0;
}

ploy_board ploy_board_default(const ploy_board_type *type, ploy_board_rules *rules) {
    memset(rules, 0, sizeof *rules);
    ploy_fields fields = ployi_board_fields(type);
    if (fields.count > 0 && fields.size <= sizeof *rules) ploy_fields_default(fields, rules);
    return (ploy_board){type, rules};
}

ploy_result ploy_board_rules_check(ploy_board board, const ploy_env *env) {
    if (board.type == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = board.type->fields == NULL
                             ? PLOY_OK
                             : ploy_fields_check(board.type->fields(), board.rules, env);
    if (result != PLOY_OK || board.type->check == NULL) return result;
    ploy_diags *diags = NULL;
    result = ploy_diags_create(4, env, &diags);
    if (result != PLOY_OK) return result;
    result = board.type->check(board.rules, diags);
    ploy_diags_log(diags, env);
    ploy_diags_destroy(diags);
    return result;
}

size_t ploy_board_undo_bytes(ploy_board board) {
    if (board.type->unmake == NULL) return board.type->position_bytes(board.rules);
    return board.type->undo_bytes == NULL ? 0 : board.type->undo_bytes(board.rules);
}

void ploy_board_make(ploy_board board, void *position, ploy_board_move move, void *undo) {
    if (board.type->unmake == NULL && undo != NULL) {
        memcpy(undo, position, board.type->position_bytes(board.rules));
    }
    board.type->make(board.rules, position, move, board.type->unmake == NULL ? NULL : undo);
}

void ploy_board_unmake(ploy_board board, void *position, ploy_board_move move, const void *undo) {
    if (board.type->unmake == NULL) {
        memcpy(position, undo, board.type->position_bytes(board.rules));
    } else {
        board.type->unmake(board.rules, position, move, undo);
    }
}

ploy_result ploy_board_play(ploy_board board, void *position, const char *const *moves,
                            int32_t count, const char *name, ploy_diags *diags) {
    for (int32_t i = 0; i < count; i++) {
        if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, i + 1, 0,
                           "the game is over before this move", NULL, NULL);
            return PLOY_ERR_FORMAT;
        }
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        ploy_result result = ployi_board_move_parse(board, position, moves[i], name, &move, diags);
        if (result != PLOY_OK) return result;
        board.type->make(board.rules, position, move, NULL);
    }
    return PLOY_OK;
}

ploy_board_move ploy_board_roll(ploy_board board, const void *position, ploy_board_move *moves,
                                ploy_rng *rng) {
    const ploy_board_type *type = board.type;
    if (type->side(board.rules, position) != PLOY_BOARD_CHANCE) return PLOY_BOARD_NO_MOVE;
    int32_t count = type->moves(board.rules, position, moves, type->max_moves);
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) sum += type->odds(board.rules, position, moves[i]);
    if (sum <= 0) return PLOY_BOARD_NO_MOVE;
    int64_t at = (int64_t)ploy_rng_below(rng, (uint64_t)sum);
    for (int32_t i = 0; i < count; i++) {
        at -= type->odds(board.rules, position, moves[i]);
        if (at < 0) return moves[i];
    }
    return PLOY_BOARD_NO_MOVE;
}

void ploy_board_describe(ploy_board board, const void *position, ploy_describe *out) {
    if (out == NULL) return;
    ploy_describe_u64(out, "hash", PLOY_STATE, board.type->hash(board.rules, position));
    ploy_describe_i64(out, "side", PLOY_STATE, board.type->side(board.rules, position));
    if (board.type->describe != NULL) {
        board.type->describe(board.rules, position, out);
        return;
    }
    char text[PLOY_BOARD_TEXT];
    ployi_board_text(board, position, text);
    ploy_describe_text(out, "position", PLOY_STATE, text);
}

ploy_result ploy_board_move_by_text(ploy_board board, const void *position, const char *text,
                                    const char *name, ploy_board_move *out, ploy_diags *diags) {
    enum { GAME_MOVES = 4096 };
    ploy_board_move moves[GAME_MOVES];
    int32_t count = board.type->moves(board.rules, position, moves, GAME_MOVES);
    char nearest[PLOY_BOARD_MOVE_TEXT] = "";
    int32_t best = INT32_MAX;
    for (int32_t i = 0; i < count; i++) {
        char own[PLOY_BOARD_MOVE_TEXT];
        ployi_board_move_text(board, position, moves[i], own);
        if (strcmp(own, text) == 0) {
            *out = moves[i];
            return PLOY_OK;
        }
        int32_t distance = 0;
        for (size_t k = 0; k < sizeof own && (own[k] != 0 || text[k] != 0); k++) {
            if (own[k] != text[k]) distance++;
            if (own[k] == 0 || text[k] == 0) break;
        }
        if (distance < best) {
            best = distance;
            memcpy(nearest, own, sizeof own);
        }
    }
    char message[PLOY_DIAG_TEXT_MAX] = "illegal move '";
    size_t used = strlen(message), room = sizeof message - used - 2, length = strlen(text);
    memcpy(message + used, text, length < room ? length : room);
    used += length < room ? length : room;
    memcpy(message + used, "'", 2);
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, 1, message, NULL,
                   best <= 2 ? nearest : NULL);
    return PLOY_ERR_FORMAT;
}

int32_t ploy_board_keys_check(const uint64_t *keys, int32_t count) {
    int32_t faults = 0;
    uint64_t set = 0, clear = 0;
    for (int32_t i = 0; i < count; i++) {
        if (keys[i] == 0) faults++;
        set |= keys[i];
        clear |= ~keys[i];
        for (int32_t j = 0; j < i; j++) {
            if (keys[i] == keys[j]) faults++;
        }
    }
    if (count > 64 && (set & clear) != UINT64_MAX) faults++;
    return faults;
}
