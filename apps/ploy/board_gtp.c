// ploy board GAME --gtp: plays over standard input and output; the engine is in gtp_engine.c.
#include <stdio.h>
#include <stdlib.h>

#include "apps/ploy/gtp_engine.h"
#include "ploy/board/chess.h"

int board_gtp(board_game *game, int argc, char **argv) {
    if (game->type == ploy_board_chess())
        return cli_error("GTP is for the other games; chess speaks --uci and --xboard", NULL);
    int64_t level = 0, nodes = 0, playouts = 0, hash_mb = 0;
    const char *book = NULL, *endings = NULL;
    cli_texts sets = {.count = 0};
    const cli_option options[] = {
        {"--level", CLI_COUNT, &level, "N", "1 to 10; 0: none"},
        {"--nodes", CLI_COUNT, &nodes, "N", "of a move, by tree search"},
        {"--playouts", CLI_COUNT, &playouts, "N", "of a move, by Monte Carlo search"},
        {"--hash", CLI_COUNT, &hash_mb, "MB", "table of the tree search"},
        {"--book", CLI_TEXT, &book, "F", "opening lines, one a line"},
        {"--endings", CLI_TEXT, &endings, "LIST", "ending sets or files, separated by commas"},
        {"--set", CLI_MANY, &sets, "K=V", "setting of the rules"},
    };
    const cli_usage usage = {
        "board GAME --gtp",
        "[options]",
        "Plays as an engine of the Go Text Protocol, on standard input and output.",
        options,
        (int32_t)(sizeof options / sizeof options[0]),
        0,
        0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status < 0) status = board_set_rules(game, &sets);
    if (status >= 0) return status;
    if (level > 10) return cli_error("--level must be 0 to 10", NULL);
    if (nodes > 100000000 || playouts > 100000000)
        return cli_error("--nodes and --playouts must be at most 100000000", NULL);
    if (hash_mb > 1024) return cli_error("--hash must be at most 1024", NULL);
    board_sources *sources = NULL;
    ploy_result result = board_sources_create(game, &sources);
    if (result != PLOY_OK) return cli_error_result("the engine", result);
    char message[160];
    if (!board_sources_book(sources, book, message) ||
        !board_sources_endings(sources, endings, message)) {
        board_sources_destroy(sources);
        return cli_error(message, NULL);
    }
    gtp_options chosen = {
        (int32_t)level, playouts > 0 ? playouts : nodes, playouts > 0, true, hash_mb, sources};
    gtp_engine *gtp = NULL;
    result = gtp_create(game, &chosen, &gtp);
    if (result != PLOY_OK) {
        board_sources_destroy(sources);
        return cli_error_result("the engine", result);
    }
    char *line = malloc(1 << 16);
    ploy_writer out = cli_stream_writer(stdout);
    while (line != NULL && fgets(line, 1 << 16, stdin) != NULL) {
        bool more = gtp_line(gtp, line, &out);
        fflush(stdout);
        if (!more) break;
    }
    free(line);
    gtp_destroy(gtp);
    board_sources_destroy(sources);
    return CLI_OK;
}
