// Any lines as commands of the Go Text Protocol, for any game but chess: every command is answered once and does
// no harm. The first byte chooses the game. Moves are only thought about for a moment, and no file is opened.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_sources.c"
#include "apps/ploy/gtp_engine.c"
#include "ploy/board/chess.h"

static void must(bool ok) {
    if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0 || size > 4096) return 0;
    int32_t games = 0, asked = 0;
    while (ploy_boards_at(games) != NULL) games++;
    board_game game;
    memset(&game, 0, sizeof game);
    game.env = ploy_env_default();
    game.env.log = NULL;
    game.type = ploy_boards_at(bytes[0] % games);
    if (game.type == ploy_board_chess()) return 0;
    game.board = ploy_board_default(game.type, &game.rules);
    gtp_options options = {0, 100, false, false, 0, NULL};
    gtp_engine *gtp = NULL;
    if (gtp_create(&game, &options, &gtp) != PLOY_OK) return 0; // a game that no search suits
    char *text = malloc(size);
    must(text != NULL);
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = 0;
    bool more = true;
    for (char *at = text; at != NULL && more && asked < 40;) {
        char *line = at, *end = strchr(at, '\n');
        if (end != NULL) *end = 0;
        at = end != NULL ? end + 1 : NULL;
        ploy_buffer answer;
        ploy_buffer_init(&answer, 0, &game.env);
        ploy_writer out = ploy_buffer_writer(&answer);
        more = gtp_line(gtp, line, &out);
        must(answer.size == 0 || answer.bytes[0] == '=' || answer.bytes[0] == '?');
        must(answer.size == 0 || memcmp(answer.bytes + answer.size - 2, "\n\n", 2) == 0);
        if (answer.size > 0) asked++;
        ploy_buffer_fini(&answer);
    }
    free(text);
    gtp_destroy(gtp);
    return 0;
}
