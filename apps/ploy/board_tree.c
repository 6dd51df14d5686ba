// ploy board GAME tree D: how large the game tree is, how much of it merges, and its picture.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/board/explore.h"

typedef struct tree_options {
    const char *position, *moves;
    bool dot, json;
    int64_t limit;
    cli_texts sets;
} tree_options;

// The walk is one call, so the bar counts the moves that it makes: the game's type with another `make`. A type's functions
// take no user pointer, hence one walk at a time.
static struct {
    const ploy_board_type *type;
    cli_progress bar;
    uint64_t made;
} tree_watch;

static void tree_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    tree_watch.type->make(rules, position, move, undo);
    if (++tree_watch.made % 4096 == 0) cli_progress_step(&tree_watch.bar, tree_watch.made);
}

static ploy_result tree_explore(const board_game *game, const tree_options *o, const void *position,
                                int32_t depth, ploy_board_exploration *out) {
    ploy_board_type type = *game->type;
    type.make = tree_make;
    tree_watch.type = game->type;
    tree_watch.bar = cli_progress_begin("nodes", (uint64_t)o->limit, true);
    tree_watch.made = 0;
    ploy_board board = game->board;
    if (tree_watch.bar.wanted) board.type = &type;
    ploy_result result = ploy_board_explore(board, position, depth, o->limit, &game->env, out);
    cli_progress_end(&tree_watch.bar);
    return result;
}

static int run_tree(const board_game *game, const tree_options *o, const void *position,
                    int32_t depth) {
    if (o->dot) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_result result =
            ploy_board_explore_dot(game->board, position, depth, o->limit, &game->env, &out);
        return result == PLOY_OK ? CLI_OK : cli_error_result("board tree", result);
    }
    ploy_board_exploration e;
    ploy_result result = tree_explore(game, o, position, depth, &e);
    if (result != PLOY_OK) return cli_error_result("board tree", result);
    double mean = e.inner > 0 ? (double)e.moves / (double)e.inner : 0.0;
    const char *format =
        o->json ? "{\"nodes\":%lld,\"leaves\":%lld,\"over\":%lld,\"positions\":%lld,"
                  "\"branching\":%.3f,\"most_moves\":%d,\"partial\":%s}\n"
                : "nodes %lld  leaves %lld  over %lld  positions %lld  branching %.3f  "
                  "most moves %d  partial %s\n";
    printf(format, (long long)e.nodes, (long long)e.leaves, (long long)e.over,
           (long long)e.positions, mean, e.most_moves, e.partial ? "true" : "false");
    return e.partial ? CLI_NO : CLI_OK;
}

int board_tree(board_game *game, int argc, char **argv) {
    tree_options o;
    memset(&o, 0, sizeof o);
    o.limit = 10000000;
    const cli_option options[] = {
        {"--position", CLI_TEXT, &o.position, "P", "the position as text (default: the start)"},
        {"--moves", CLI_TEXT, &o.moves, "M..", "moves played from there, separated by blanks"},
        {"--limit", CLI_COUNT, &o.limit, "N", "most nodes (default 10,000,000)"},
        {"--dot", CLI_FLAG, &o.dot, NULL, "print the graph of positions for Graphviz"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a rule of the game; may be repeated"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {
        "board GAME tree",
        "D [options]",
        "Walks the game tree to depth D. Exit status 1 if the limit was reached.",
        options,
        sizeof options / sizeof options[0],
        1,
        1};
    const char *words[1] = {NULL};
    int status = cli_parse(&usage, argc, argv, words);
    int32_t depth = 0;
    if (status < 0) status = board_depth(words[0], &depth);
    if (status < 0) status = board_set_rules(game, &o.sets);
    void *position = NULL;
    if (status < 0) status = board_position(game, o.position, o.moves, &position);
    if (status < 0) status = run_tree(game, &o, position, depth);
    free(position);
    return status;
}
