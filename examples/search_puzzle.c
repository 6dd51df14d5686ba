// The 8-puzzle: states that are made while the search comes to them, and a search that never holds
// up a frame. Shows ploy_states, ploy_space, ploy_search in slices, and what a puzzle without a solution looks like.
#include <stdio.h>
#include <string.h>

#include "ploy/search/search.h"
#include "ploy/search/states.h"

// How far the tiles are from their places, in moves of one tile: never more than it takes.
static double board_estimate(void *user, int32_t state, int32_t goal) {
    (void)goal;
    const char *board = ploy_states_get(user, state);
    int sum = 0;
    for (int at = 0; at < 9; at++) {
        if (board[at] == ' ') continue;
        int home = board[at] - '1';
        int dx = at % 3 - home % 3, dy = at / 3 - home / 3;
        sum += (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    }
    return sum;
}

// The blank moves left, right, up or down; the label of an edge is the tile that slides.
static ploy_result board_expand(void *user, int32_t state, ploy_edges *out) {
    static const int move_x[] = {-1, 1, 0, 0}, move_y[] = {0, 0, -1, 1};
    char board[9];
    memcpy(board, ploy_states_get(user, state), sizeof board);
    int blank = 0;
    while (board[blank] != ' ') blank++;
    for (int i = 0; i < 4; i++) {
        int x = blank % 3 + move_x[i], y = blank / 3 + move_y[i];
        if (x < 0 || x > 2 || y < 0 || y > 2) continue;
        char next[9];
        memcpy(next, board, sizeof next);
        next[blank] = board[y * 3 + x];
        next[y * 3 + x] = ' ';
        int32_t to = 0;
        ploy_result result = ploy_states_find(user, next, &to);
        if (result == PLOY_OK) result = ploy_edges_add(out, to, 1.0, next[blank] - '0');
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void solve(const char *board, const ploy_env *env) {
    ploy_states_def states_def = ploy_states_def_default();
    states_def.size = 9;
    ploy_states *states = NULL;
    ploy_search_def def = ploy_search_def_default(); // A*
    ploy_search *search = NULL;
    int32_t first = 0, goal = 0, frames = 1;
    if (ploy_states_create(&states_def, env, &states) != PLOY_OK) return;
    ploy_space space = {0, board_expand, NULL, board_estimate, states};
    if (ploy_search_create(&def, env, &search) == PLOY_OK &&
        ploy_states_find(states, board, &first) == PLOY_OK &&
        ploy_states_find(states, "12345678 ", &goal) == PLOY_OK) {
        ploy_search_start start = {first, 0.0};
        ploy_search_query query = ploy_search_query_make(&space, &start, goal);
        ploy_result result = ploy_search_begin(search, &query);
        for (; result == PLOY_OK; frames++) {
            ploy_budget budget = ploy_budget_units(500); // states a frame, on every machine
            result = ploy_search_step(search, &budget);
            if (result != PLOY_IN_PROGRESS) break;
            result = PLOY_OK;
        }
        ploy_edge moves[64];
        int32_t count = ploy_search_path(search, goal, moves, 64, NULL);
        printf("%s: %s; states: %d, frames: %d\n", board,
               ploy_search_outcome_text(ploy_search_outcome_of(search)),
               (int)ploy_search_stats_of(search).taken, (int)frames);
        for (int32_t i = 0; i < count; i++) {
            printf("%d%s", (int)moves[i].label, i + 1 < count ? " " : "\n");
        }
    }
    ploy_search_destroy(search);
    ploy_states_destroy(states);
}

int main(void) {
    ploy_env env = ploy_env_default();
    solve("1234 5786", &env);
    solve("8672543 1", &env); // one of the two hardest
    solve("21345678 ", &env); // two tiles swapped: no solution
    return 0;
}
