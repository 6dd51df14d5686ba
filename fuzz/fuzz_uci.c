// Any lines as commands of the Universal Chess Interface: `isready` is always answered, each `go` gets exactly one
// bestmove, and that move is legal.
#include "fuzz/engine_lines.h"

#include "apps/ploy/board_engine.c"
#include "apps/ploy/board_sources.c"
#include "apps/ploy/board_uci.c"

static int32_t uci_owed; // searches that have not been answered

static void give_line(void *state, char *line) {
    uci_state *uci = state;
    bool was_thinking = uci->engine->searching;
    int32_t before = lines_moves;
    char *word = line + strspn(line, " \t");
    size_t size = strcspn(word, " \t");
    bool ready = size == 7 && memcmp(word, "isready", 7) == 0;
    bool go = size == 2 && memcmp(word, "go", 2) == 0 && !was_thinking;
    uci_command(uci, line);
    if (ready) must(strcmp(lines_last, "readyok\n") == 0);
    uci_owed += go ? 1 : 0;
    uci_owed -= lines_moves - before;
    must(uci_owed == (uci->engine->searching ? 1 : 0) || uci->quit);
}

static void give_slice(void *state) {
    uci_state *uci = state;
    int32_t before = lines_moves;
    bool more = engine_slice(uci->engine);
    uci_info(uci);
    if (more) return;
    if (uci->engine->limits.infinite)
        uci->waiting = true;
    else
        uci_best(uci);
    uci_owed -= lines_moves - before;
    must(uci_owed == (uci->engine->searching ? 1 : 0));
}

static bool is_thinking(const void *state) {
    const uci_state *uci = state;
    return uci->engine->searching && !uci->waiting;
}

static void give_stop(void *state) {
    char stop[] = "stop", ready[] = "isready";
    give_line(state, stop);
    must(uci_owed == 0);
    give_line(state, ready);
}

static bool has_quit(const void *state) {
    return ((const uci_state *)state)->quit;
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
    uci_state uci;
    memset(&uci, 0, sizeof uci);
    uci_owed = 0;
    if (engine_create(&game, &uci.engine) != PLOY_OK) return 0;
    lines_give(&engine, &uci, bytes, size);
    engine_destroy(uci.engine);
    return 0;
}
