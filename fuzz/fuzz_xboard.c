// Any lines as commands of the XBoard protocol: `ping` is always answered, no move comes in force mode, and a search
// that is stopped says at most one.
#include "fuzz/engine_lines.h"

#include "apps/ploy/board_engine.c"
#include "apps/ploy/board_sources.c"
#include "apps/ploy/board_xboard.c"

static void give_line(void *state, char *line) {
    xboard_state *x = state;
    int32_t before = lines_moves;
    xboard_command(x, line);
    must(lines_moves - before <= 1);
    must(!x->engine->searching || x->analyze || x->ours >= 0);
}

static void give_slice(void *state) {
    xboard_state *x = state;
    int32_t before = lines_moves;
    bool more = engine_slice(x->engine);
    xboard_post(x);
    if (more) return;
    if (x->analyze)
        (void)engine_stop(x->engine);
    else
        xboard_move(x);
    must(lines_moves - before <= 1);
}

static bool is_thinking(const void *state) {
    return ((const xboard_state *)state)->engine->searching;
}

static void give_stop(void *state) {
    xboard_state *x = state;
    char force[] = "force", ping[] = "ping 7";
    give_line(x, force);
    must(!x->engine->searching);
    give_line(x, ping);
    must(strcmp(lines_last, "pong 7\n") == 0);
}

static bool has_quit(const void *state) {
    return ((const xboard_state *)state)->quit;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const lines_engine engine = {give_line, give_slice, is_thinking, give_stop, has_quit};
    if (size >= LINES_SIZE) return 0;
    board_game game;
    memset(&game, 0, sizeof game);
    game.env = ploy_env_default();
    game.env.log = NULL;
    game.type = ploy_board_chess();
    game.board = ploy_board_default(game.type, &game.rules);
    xboard_state x;
    memset(&x, 0, sizeof x);
    x.ours = -1;
    if (engine_create(&game, &x.engine) != PLOY_OK) return 0;
    lines_give(&engine, &x, bytes, size);
    engine_destroy(x.engine);
    return 0;
}
