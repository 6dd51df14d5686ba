// An evaluation of checkers out of parts: men and kings, and Samuel's "cntr" and "expos", which count for less
// towards the end. You will see why a position is worth what it is.
// A table scores black's back row as a whole.
// Shows: ploy_board_evaluation_component, _pattern, _curve, _product, _sum, _explain, ploy_board_samuel_at.
#include <stdio.h>

#include "ploy/board/draughts.h"
#include "ploy/board/evaluation.h"

static int32_t material(const void *rules, const void *position, int32_t player) {
    return ploy_board_draughts()->evaluate(rules, position, player);
}

// 0 with all men, 1000 with none.
static int32_t phase(const void *rules, const void *position) {
    (void)rules;
    const ploy_board_draughts_position *p = position;
    int32_t pieces = 0;
    for (uint64_t left = p->pieces[0] | p->pieces[1]; left != 0; left &= left - 1) pieces++;
    return 1000 - pieces * 1000 / 24;
}

// What is on a square for player 0, black.
static int32_t cell(const void *rules, const void *position, int32_t player, int32_t square) {
    (void)rules, (void)player;
    const ploy_board_draughts_position *p = position;
    return (p->pieces[1] >> square & 1) != 0 ? 1 : (p->pieces[0] >> square & 1) != 0 ? 2 : 0;
}

static void print_part(void *user, const char *name, int32_t value) {
    (void)user;
    printf("%-10s %5d\n", name, value);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_board_draughts_def rules = ploy_board_draughts_def_default();
    ploy_board_draughts_position position;
    ploy_board_draughts()->parse(&rules, "B:W18,21,22,25,30,32:B1,2,3,9,11,15", "example",
                                 &position, NULL);
    static const ploy_board_component parts = {"material", material};
    static const ploy_board_curve_point curve[] = {{0, 1000}, {1000, 200}};
    // Men on squares 1 and 3 hold the back row: 1?1? in base 3.
    static const uint8_t row[] = {0, 1, 2, 3};
    static const int16_t table[81] = {[30] = 10, [31] = 10, [39] = 10, [40] = 10};
    static const ploy_board_pattern pattern = {"back row", 4, 1, row, table, cell};
    ploy_board_evaluation *graph = NULL;
    int32_t men = 0, centre = 0, exposed = 0, back = 0, early = 0, a = 0, b = 0, move = 0, sum = 0;
    if (ploy_board_evaluation_create(phase, &env, &graph) != PLOY_OK) return 1;
    ploy_board_evaluation_component(graph, &parts, &men);
    ploy_board_evaluation_component(graph, ploy_board_samuel_at(3), &centre);
    ploy_board_evaluation_component(graph, ploy_board_samuel_at(4), &exposed);
    ploy_board_evaluation_pattern(graph, &pattern, &back);
    ploy_board_evaluation_curve(graph, "early", curve, 2, &early);
    ploy_board_evaluation_product(graph, "centre", centre, early, &a);
    ploy_board_evaluation_product(graph, "exposed", exposed, early, &b);
    ploy_board_evaluation_constant(graph, "to move", 2, &move);
    const ploy_board_term terms[] = {{men, 1000}, {a, 6000}, {b, 4000}, {back, 1000}, {move, 1000}};
    ploy_board_evaluation_sum(graph, "sum", terms, 5, &sum);
    ploy_board_evaluation_clamp(graph, "score", sum, -5000, 5000, NULL);
    ploy_board_evaluation_explain(graph, &rules, &position, 0, print_part, NULL);
    ploy_board_evaluation_destroy(graph);
    return 0;
}
