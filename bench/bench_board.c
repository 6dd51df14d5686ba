// Board games: what a node of a tree search and a playout cost through the game interface.
//
// Both sides of board.search look at Connect Four from the start with plain alpha-beta, the middle
// first, without a table, to the same depth, with the same evaluation; they must enter the same
// number of nodes. The hand-written one knows the game: its functions are inlined.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "ploy/board/connect4.h"
#include "ploy/board/mcts.h"
#include "ploy/board/search.h"

enum { BOARD_DEPTH = 8, BOARD_PLAYOUTS = 2000, BOARD_HEIGHT = 6, BOARD_WIDTH = 7 };

static void board_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: searching a board failed\n");
    exit(2);
}

// ---- by hand

typedef struct plain_game {
    uint64_t own, other; // of the side to move and of the opponent
    int64_t nodes;
} plain_game;

static bool plain_line(uint64_t discs) {
    uint64_t a = discs & discs >> 1, b = discs & discs >> 6, c = discs & discs >> 7,
             d = discs & discs >> 8;
    return ((a & a >> 2) | (b & b >> 12) | (c & c >> 14) | (d & d >> 16)) != 0;
}

static int32_t plain_popcount(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int32_t)((x * UINT64_C(0x0101010101010101)) >> 56);
}

static int32_t plain_side_score(uint64_t own, uint64_t other) {
    static const int32_t steps[4] = {1, 6, 7, 8};
    const uint64_t board = UINT64_C(0x0000FDFBF7EFDFBF);
    uint64_t open = board & ~other;
    int32_t discs = 0, threats = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t s = steps[i];
        uint64_t lines = open & open >> s & open >> 2 * s & open >> 3 * s;
        uint64_t a = lines & own, b = lines & own >> s, c = lines & own >> 2 * s,
                 d = lines & own >> 3 * s;
        discs += plain_popcount(a) + plain_popcount(b) + plain_popcount(c) + plain_popcount(d);
        threats += plain_popcount((a & b & c) | (a & b & d) | (a & c & d) | (b & c & d));
    }
    return 2 * discs + 10 * threats;
}

static int32_t plain_search(plain_game *g, int32_t ply, int32_t alpha, int32_t beta) {
    static const int32_t order[BOARD_WIDTH] = {3, 2, 4, 1, 5, 0, 6};
    g->nodes++;
    if (plain_line(g->other)) return ply - PLOY_BOARD_WIN;
    if (ply == BOARD_DEPTH) {
        return plain_side_score(g->own, g->other) - plain_side_score(g->other, g->own);
    }
    uint64_t all = g->own | g->other;
    int32_t best = -PLOY_BOARD_INFINITY;
    for (int32_t i = 0; i < BOARD_WIDTH; i++) {
        int32_t column = order[i];
        uint64_t bottom = UINT64_C(1) << (column * 7), top = bottom << (BOARD_HEIGHT - 1);
        if ((all & top) != 0) continue;
        uint64_t bit = (all + bottom) & ~all & (UINT64_C(0x7F) << (column * 7));
        plain_game child = {g->other, g->own | bit, g->nodes};
        int32_t lo = alpha > best ? alpha : best;
        int32_t score = -plain_search(&child, ply + 1, -beta, -lo);
        g->nodes = child.nodes;
        if (score > best) best = score;
        if (best >= beta) break;
    }
    return best == -PLOY_BOARD_INFINITY ? 0 : best;
}

static int64_t plain_nodes;
static int32_t plain_value;

static void plain_work(void *self) {
    (void)self;
    plain_game game = {0, 0, 0};
    plain_value = plain_search(&game, 0, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY);
    plain_nodes = game.nodes;
    bench_keep(&plain_value);
}

// ---- ours

typedef struct board_data {
    ploy_board_connect4_def rules;
    ploy_board_connect4_position position;
    ploy_board_search *search;
    ploy_board_mcts *mcts;
} board_data;

static void board_search_work(void *self) {
    board_data *data = self;
    board_need(ploy_board_search_begin(data->search, &data->position, NULL, 0) == PLOY_OK);
    board_need(ploy_board_search_step(data->search, NULL) == PLOY_OK);
}

static void board_mcts_work(void *self) {
    board_data *data = self;
    board_need(ploy_board_mcts_begin(data->mcts, &data->position) == PLOY_OK);
    board_need(ploy_board_mcts_step(data->mcts, NULL) == PLOY_OK);
}

static ploy_board board_make(board_data *data) {
    memset(data, 0, sizeof *data);
    data->rules = ploy_board_connect4_def_default();
    ploy_board board = ploy_board_of(ploy_board_connect4(), &data->rules);
    board.type->start(&data->rules, &data->position);
    return board;
}

void bench_board_search(bench_run *run) {
    board_data data;
    ploy_env env = ploy_env_default();
    ploy_board board = board_make(&data);
    ploy_board_search_def def = ploy_board_search_def_default();
    def.depth = BOARD_DEPTH;
    def.order_game = true;
    def.order_previous = def.order_table = false;
    def.table.kilobytes = 0;
    board_need(ploy_board_search_create(&def, board, &env, &data.search) == PLOY_OK);
    board_search_work(&data);
    plain_work(NULL);
    ploy_board_outcome outcome = ploy_board_search_outcome(data.search);
    double nodes = (double)outcome.nodes;
    bench_measure(run, bench_call(board_search_work, &data, nodes), bench_nothing(),
                  bench_call(plain_work, NULL, (double)plain_nodes));
    if (outcome.nodes != plain_nodes || outcome.score != plain_value) {
        bench_fail(run, "the two searches entered different nodes");
    }
    ploy_board_search_destroy(data.search);
}

void bench_board_mcts(bench_run *run) {
    board_data data;
    ploy_env env = ploy_env_default();
    ploy_board board = board_make(&data);
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    def.playouts = BOARD_PLAYOUTS;
    def.heavy = def.keep = def.prove = false;
    board_need(ploy_board_mcts_create(&def, board, &env, &data.mcts) == PLOY_OK);
    bench_measure(run, bench_call(board_mcts_work, &data, BOARD_PLAYOUTS), bench_nothing(),
                  bench_nothing());
    ploy_board_mcts_destroy(data.mcts);
}
