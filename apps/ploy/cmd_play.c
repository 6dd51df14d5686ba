// ploy play list | NAME: games, in the studio or without a window.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/cli.h"
#include "games/games.h"

static int play_watch(const cli_watch *watch, const ploy_env *env) {
    const cli_studio studio = {watch->port, false, false, watch->json, watch};
    return cli_serve_studio(&studio, env);
}

int cmd_play(int argc, char **argv) {
    const cli_sims_usage games = {
        ploy_games(),
        "unknown game",
        "play list",
        "Lists the games.",
        "play",
        "Opens a game in the studio, or with --headless runs it without a window and\n"
        "prints its final state. 'ploy play list' lists the games.",
        play_watch};
    if (argc > 0 && strcmp(argv[0], "list") == 0) return cli_list_sims(&games, argc - 1, argv + 1);
    return cli_run_sim(&games, argc, argv);
}
