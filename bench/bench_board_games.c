// Board games: what a position of the exact solvers and a move of a Go playout cost.
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "ploy/board/connect4_solver.h"
#include "ploy/board/go.h"
#include "ploy/board/othello_solver.h"

enum { GO_WORDS = 2048, GO_PLAYOUTS = 20 };

typedef struct games_data {
    ploy_board_connect4_solver *connect4;
    ploy_board_othello_solver *othello;
    ploy_board_othello_position position;
    ploy_board_go_def go;
    uint64_t board[GO_WORDS];
} games_data;

static void games_need(bool ok) {
    if (ok) return;
    fprintf(stderr, "ploy: a board game of the benchmark failed\n");
    exit(2);
}

// A fresh table for each pass, so that every pass enters the same positions.
static void games_connect4(void *user) {
    games_data *data = user;
    ploy_env env = ploy_env_default();
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    games_need(ploy_board_connect4_solver_create(&def, &env, &data->connect4) == PLOY_OK);
    games_need(ploy_board_connect4_solver_begin(data->connect4, 0, 0) == PLOY_OK);
    ploy_budget budget = ploy_budget_units(100000);
    (void)ploy_board_connect4_solver_step(data->connect4, &budget);
    ploy_board_connect4_solver_destroy(data->connect4);
}

static void games_othello(void *user) {
    games_data *data = user;
    ploy_env env = ploy_env_default();
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    games_need(ploy_board_othello_solver_create(&def, &env, &data->othello) == PLOY_OK);
    games_need(ploy_board_othello_solver_begin(data->othello, &data->position) == PLOY_OK);
    games_need(ploy_board_othello_solver_step(data->othello, NULL) == PLOY_OK);
    ploy_board_othello_solver_destroy(data->othello);
}

static void games_go(void *user) {
    games_data *data = user;
    const ploy_board_type *type = ploy_board_go();
    ploy_rng rng = ploy_rng_make(1);
    for (int32_t i = 0; i < GO_PLAYOUTS; i++) {
        type->start(&data->go, data->board);
        while (type->side(&data->go, data->board) != PLOY_BOARD_OVER) {
            type->make(&data->go, data->board, type->playout(&data->go, data->board, &rng), NULL);
        }
    }
}

void bench_board_connect4(bench_run *run) {
    games_data data = {.connect4 = NULL};
    bench_measure(run, bench_call(games_connect4, &data, 100000), bench_nothing(), bench_nothing());
}

void bench_board_othello(bench_run *run) {
    games_data data = {.connect4 = NULL};
    ploy_board_othello_def rules = ploy_board_othello_def_default();
    games_need(ploy_board_othello()->parse(
                   &rules, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
                   "bench", &data.position, NULL) == PLOY_OK);
    // The number of positions is the same in every pass.
    ploy_env env = ploy_env_default();
    ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
    games_need(ploy_board_othello_solver_create(&def, &env, &data.othello) == PLOY_OK);
    games_need(ploy_board_othello_solver_begin(data.othello, &data.position) == PLOY_OK);
    games_need(ploy_board_othello_solver_step(data.othello, NULL) == PLOY_OK);
    uint64_t nodes = ploy_board_othello_solver_outcome(data.othello).nodes;
    ploy_board_othello_solver_destroy(data.othello);
    bench_measure(run, bench_call(games_othello, &data, (double)nodes), bench_nothing(),
                  bench_nothing());
}

void bench_board_go(bench_run *run) {
    games_data data = {.connect4 = NULL};
    data.go = ploy_board_go_def_default();
    games_need(ploy_board_go()->position_bytes(&data.go) <= sizeof data.board);
    bench_measure(run, bench_call(games_go, &data, GO_PLAYOUTS), bench_nothing(), bench_nothing());
}
