// Statistics and pictures of game trees.
#include "ploy/board/explore.h"

#include "board_internal.h"
#include "ploy/base/map.h"

#include <string.h>

enum { EXPLORE_DEPTH = 64 };

typedef struct explore_walk {
    ploy_board board;
    ploy_board_exploration *sum;
    ploy_map seen; // hash to the number of the position
    int64_t limit;
    int32_t depth;
    size_t bytes, moves; // of a position and of a list of moves
    unsigned char *positions;
    ploy_board_move *lists;
    ploy_writer *out; // NULL: only numbers
    bool dot;         // positions that were seen are not walked again
} explore_walk;

static ploy_board_move *explore_list(const explore_walk *w, int32_t ply) {
    return w->lists + (size_t)ply * w->moves;
}

static void explore_label(explore_walk *w, int32_t number, const void *position, bool over) {
    const ploy_board_type *type = w->board.type;
    char text[PLOY_BOARD_TEXT];
    ployi_board_text(w->board, position, text);
    ploy_write_text(w->out, "  n");
    ploy_write_i64(w->out, number);
    ploy_write_text(w->out, " [label=\"");
    for (const char *at = text; *at != 0; at++) {
        if (*at == '"' || *at == '\\') ploy_write_char(w->out, '\\');
        if (*at == '/')
            ploy_write_text(w->out, "\\n");
        else
            ploy_write_char(w->out, *at);
    }
    if (over) {
        ploy_write_text(w->out, "\\nresult ");
        ploy_write_i64(w->out, type->result(w->board.rules, position, 0));
    }
    ploy_write_text(w->out, over ? "\", shape=box];\n" : "\"];\n");
}

static void explore_edge(explore_walk *w, int32_t from, int32_t to, const void *position,
                         ploy_board_move move) {
    char text[PLOY_BOARD_MOVE_TEXT];
    ployi_board_move_text(w->board, position, move, text);
    ploy_write_text(w->out, "  n");
    ploy_write_i64(w->out, from);
    ploy_write_text(w->out, " -> n");
    ploy_write_i64(w->out, to);
    ploy_write_text(w->out, " [label=\"");
    ploy_write_text(w->out, text);
    ploy_write_text(w->out, "\"];\n");
}

// Walks the position of that ply. *number is that of the position, from 0.
static ploy_result explore_node(explore_walk *w, int32_t ply, int32_t *number) {
    const ploy_board_type *type = w->board.type;
    const void *rules = w->board.rules;
    ploy_board_exploration *sum = w->sum;
    unsigned char *position = w->positions + (size_t)ply * w->bytes;
    void *value = NULL;
    bool added = false;
    ploy_result result = ploy_map_ensure(&w->seen, type->hash(rules, position), &value, &added);
    if (result != PLOY_OK) return result;
    if (added) {
        int32_t next = (int32_t)sum->positions++;
        memcpy(value, &next, sizeof next);
    }
    memcpy(number, value, sizeof *number);
    sum->nodes++;
    bool over = type->side(rules, position) == PLOY_BOARD_OVER;
    if (w->out != NULL && added) explore_label(w, *number, position, over);
    if (over || ply == w->depth) {
        sum->leaves++;
        sum->over += over;
        return PLOY_OK;
    }
    if (w->dot && !added) return PLOY_OK;
    if (sum->nodes >= w->limit) {
        sum->partial = true;
        return PLOY_OK;
    }
    ploy_board_move *moves = explore_list(w, ply);
    int32_t count = type->moves(rules, position, moves, type->max_moves);
    sum->inner++;
    sum->moves += count;
    if (count > sum->most_moves) sum->most_moves = count;
    for (int32_t i = 0; i < count && result == PLOY_OK && !sum->partial; i++) {
        int32_t child = 0;
        memcpy(position + w->bytes, position, w->bytes);
        type->make(rules, position + w->bytes, moves[i], NULL);
        result = explore_node(w, ply + 1, &child);
        if (result == PLOY_OK && w->out != NULL) {
            explore_edge(w, *number, child, position, moves[i]);
        }
    }
    return result;
}

static ploy_result explore_run(explore_walk *w, const void *position, const ploy_env *env) {
    const ploy_board_type *type = w->board.type;
    w->bytes = (type->position_bytes(w->board.rules) + 7) / 8 * 8;
    w->moves = (size_t)type->max_moves;
    size_t plies = (size_t)w->depth + 2;
    size_t lists = w->moves * sizeof(ploy_board_move) * plies;
    size_t size = w->bytes * plies + lists;
    w->positions = ploy_env_alloc_zero(env, size);
    if (w->positions == NULL) return PLOY_ERR_MEMORY;
    w->lists = (ploy_board_move *)(void *)(w->positions + w->bytes * plies);
    memcpy(w->positions, position, type->position_bytes(w->board.rules));
    memset(w->sum, 0, sizeof *w->sum);
    ploy_map_init(&w->seen, sizeof(int32_t), env);
    int32_t number = 0;
    ploy_result result = explore_node(w, 0, &number);
    ploy_map_fini(&w->seen);
    ploy_env_free(env, w->positions, size);
    return result;
}

ploy_result ploy_board_explore(ploy_board board, const void *position, int32_t depth, int64_t limit,
                               const ploy_env *env, ploy_board_exploration *out) {
    if (board.type == NULL || out == NULL || depth < 0 || depth > EXPLORE_DEPTH || limit < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_board_exploration sum;
    explore_walk walk = {.board = board, .sum = &sum, .limit = limit, .depth = depth};
    ploy_result result = explore_run(&walk, position, env);
    if (result == PLOY_OK) *out = sum;
    return result;
}

ploy_result ploy_board_explore_dot(ploy_board board, const void *position, int32_t depth,
                                   int64_t limit, const ploy_env *env, ploy_writer *out) {
    if (board.type == NULL || out == NULL || depth < 0 || depth > EXPLORE_DEPTH || limit < 1) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_board_exploration sum;
    explore_walk walk = {
        .board = board, .sum = &sum, .limit = limit, .depth = depth, .out = out, .dot = true};
    ploy_write_text(out, "digraph game {\n  node [fontname=monospace];\n");
    ploy_result result = explore_run(&walk, position, env);
    ploy_write_text(out, "}\n");
    return result != PLOY_OK ? result : ploy_writer_result(out);
}
