// ploy board GAME --gtp: plays over standard input and output; the engine is in gtp_engine.c.
#include <stdio.h>
#include <stdlib.h>

#include "apps/ploy/gtp_engine.h"
#include "ploy/board/chess.h"

int board_gtp(board_game *game, int argc, char **argv) {
    if (game->type == ploy_board_chess())
        return cli_error("GTP is for the other games; chess speaks --uci and --xboard", NULL);
    int64_t level = 0, nodes = 0, playouts = 0;
    cli_texts sets = {.count = 0};
    const cli_option options[] = {
        {"--level", CLI_COUNT, &level, "N", "1 to 10; 0: none"},
        {"--nodes", CLI_COUNT, &nodes, "N", "of a move, by tree search"},
        {"--playouts", CLI_COUNT, &playouts, "N", "of a move, by Monte Carlo search"},
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
    gtp_options chosen = {(int32_t)level, playouts > 0 ? playouts : nodes, playouts > 0, true};
    gtp_engine *gtp = NULL;
    ploy_result result = gtp_create(game, &chosen, &gtp);
    if (result != PLOY_OK) return cli_error_result("the engine", result);
    char *line = malloc(1 << 16);
    ploy_writer out = cli_stream_writer(stdout);
    while (line != NULL && fgets(line, 1 << 16, stdin) != NULL) {
        bool more = gtp_line(gtp, line, &out);
        fflush(stdout);
        if (!more) break;
    }
    free(line);
    gtp_destroy(gtp);
    return CLI_OK;
}
