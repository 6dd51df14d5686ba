// Any text as a position of any board game, and any lines as moves: what is read is written and read
// back the same, and a short search from there does no harm. The first byte chooses the game.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/board/search.h"

static void must(bool ok) {
    if (!ok) abort();
}

// The next line, without its end; NULL behind the last.
static char *next_line(char **at) {
    char *line = *at;
    if (line == NULL) return NULL;
    char *end = strchr(line, '\n');
    if (end != NULL) *end = 0;
    *at = end != NULL ? end + 1 : NULL;
    return line;
}

static void search_a_little(ploy_board board, const void *position) {
    ploy_env env = ploy_env_default();
    ploy_board_search_def def = ploy_board_search_def_strong(board);
    def.table.kilobytes = 16;
    def.max_ply = 24;
    def.depth = 4;
    def.nodes = 200;
    ploy_board_search *search = NULL;
    must(ploy_board_search_create(&def, board, &env, &search) == PLOY_OK);
    if (ploy_board_search_begin(search, position, NULL, 0) == PLOY_OK) {
        must(ploy_board_search_step(search, NULL) == PLOY_OK);
        must(ploy_board_search_outcome(search).move != PLOY_BOARD_NO_MOVE);
    }
    ploy_board_search_destroy(search);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size == 0) return 0;
    int32_t games = 0;
    while (ploy_boards_at(games) != NULL) games++;
    const ploy_board_type *type = ploy_boards_at(bytes[0] % games);
    ploy_board_rules rules;
    ploy_board board = ploy_board_default(type, &rules);
    char *text = malloc(size);
    size_t position_bytes = type->position_bytes(&rules);
    void *position = calloc(1, position_bytes), *again = calloc(1, position_bytes);
    must(text != NULL && position != NULL && again != NULL);
    memcpy(text, bytes + 1, size - 1);
    text[size - 1] = 0;
    char *at = text, *line = next_line(&at);
    type->start(&rules, position);
    ploy_result result = type->parse(&rules, line, "fuzz", position, NULL);
    must(result == PLOY_OK || result == PLOY_ERR_FORMAT);
    while ((line = next_line(&at)) != NULL) {
        const char *move = line;
        if (ploy_board_play(board, position, &move, 1, "fuzz", NULL) != PLOY_OK) break;
    }
    char first[PLOY_BOARD_TEXT], second[PLOY_BOARD_TEXT];
    type->text(&rules, position, first);
    must(type->parse(&rules, first, "again", again, NULL) == PLOY_OK);
    type->text(&rules, again, second);
    must(strcmp(first, second) == 0);
    must(type->hash(&rules, position) == type->hash(&rules, again));
    search_a_little(board, position);
    free(again);
    free(position);
    free(text);
    return 0;
}
