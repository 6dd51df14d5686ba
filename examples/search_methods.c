// One 8-puzzle, solved by every method of the search: the same number of moves, different work.
// Shows ploy_search_def.method, and query.states for methods that keep only the path they are on.
// Name methods on the command line to run only those: search_methods "ida*" "sma*"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/search/search.h"

// How far the tiles of one board are from their places in another, in moves of one tile.
static double board_estimate(void *user, int32_t state, int32_t goal) {
    const char *board = ploy_states_get(user, state), *home = ploy_states_get(user, goal);
    int sum = 0;
    for (int at = 0; at < 9; at++) {
        if (board[at] == ' ') continue;
        int to = (int)((const char *)memchr(home, board[at], 9) - home);
        sum += abs(at % 3 - to % 3) + abs(at / 3 - to / 3);
    }
    return sum;
}

// A move can be taken back, so these are the edges into a board, too.
static ploy_result board_expand(void *user, int32_t state, ploy_edges *out) {
    static const int move_x[] = {-1, 1, 0, 0}, move_y[] = {0, 0, -1, 1};
    char board[9];
    memcpy(board, ploy_states_get(user, state), sizeof board);
    int blank = (int)((char *)memchr(board, ' ', 9) - board);
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

static void solve(ploy_search_method method, ploy_states *states, const ploy_env *env) {
    ploy_search_def def = ploy_search_def_default();
    def.method = method;
    def.max_depth = 20;
    def.capacity = 300;
    ploy_search *search = NULL;
    if (ploy_search_create(&def, env, &search) != PLOY_OK) return;
    ploy_search_start start = {0, 0.0};
    int32_t goal = 0;
    ploy_states_clear(states);
    ploy_states_find(states, "2164 8753", &start.state);
    ploy_states_find(states, "1238 4765", &goal);
    ploy_space space = {0, board_expand, board_expand, board_estimate, states};
    ploy_search_query query = ploy_search_query_make(&space, &start, goal);
    query.states = states; // may be removed when the search has left them
    ploy_result result = ploy_search_run(search, &query);
    printf("%-13s  %s, moves: %d, states taken: %d, boards in memory at the end: %d\n",
           ploy_search_method_text(method),
           result == PLOY_OK ? ploy_search_outcome_text(ploy_search_outcome_of(search))
                             : ploy_result_text(result),
           (int)ploy_search_path(search, goal, NULL, 0, NULL),
           (int)ploy_search_stats_of(search).taken, (int)ploy_states_count(states));
    ploy_search_destroy(search);
}

int main(int argc, char **argv) {
    ploy_env env = ploy_env_default();
    ploy_states_def def = ploy_states_def_default();
    def.size = 9;
    ploy_states *states = NULL;
    if (ploy_states_create(&def, &env, &states) != PLOY_OK) return 1;
    for (int i = 0; argc < 2 && i < PLOY_SEARCH_METHOD_COUNT; i++) {
        solve((ploy_search_method)i, states, &env);
    }
    for (int i = 1; i < argc; i++) {
        ploy_search_method method;
        if (ploy_search_method_find(argv[i], &method)) solve(method, states, &env);
    }
    ploy_states_destroy(states);
    return 0;
}
