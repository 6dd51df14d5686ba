// ploy board GAME perft D: counts the leaves of the game tree, the classic test of move generators.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"

typedef struct perft_options {
    const char *position, *moves;
    bool divide, json;
    cli_texts sets;
} perft_options;

static void write_count(const char *name, uint64_t count, bool json) {
    if (json)
        printf("\"%s\":%llu", name, (unsigned long long)count);
    else
        printf("%s %llu\n", name, (unsigned long long)count);
}

static int run_perft(const board_game *game, const perft_options *o, const void *position,
                     int32_t depth) {
    const ploy_board_type *type = game->type;
    uint64_t leaves = 0, sum = 0;
    ploy_result result = PLOY_OK;
    if (o->divide && depth > 0 && type->side(&game->rules, position) != PLOY_BOARD_OVER) {
        ploy_board_move *moves = calloc((size_t)type->max_moves, sizeof *moves);
        void *child = calloc(1, type->position_bytes(&game->rules));
        if (moves == NULL || child == NULL) result = PLOY_ERR_MEMORY;
        int32_t count =
            result == PLOY_OK ? type->moves(&game->rules, position, moves, type->max_moves) : 0;
        if (o->json) printf("{\"divide\":{");
        for (int32_t i = 0; i < count && result == PLOY_OK; i++) {
            char text[PLOY_BOARD_MOVE_TEXT];
            type->move_text(&game->rules, position, moves[i], text);
            memcpy(child, position, type->position_bytes(&game->rules));
            type->make(&game->rules, child, moves[i], NULL);
            result = ploy_board_perft(game->board, child, depth - 1, &game->env, &leaves);
            sum += leaves;
            if (o->json && i > 0) putchar(',');
            write_count(text, leaves, o->json);
        }
        if (o->json) printf("},");
        free(moves);
        free(child);
    } else {
        result = ploy_board_perft(game->board, position, depth, &game->env, &sum);
        if (o->json) putchar('{');
    }
    if (result != PLOY_OK) return cli_error_result("board perft", result);
    if (o->json) {
        printf("\"depth\":%d,\"leaves\":%llu}\n", depth, (unsigned long long)sum);
    } else {
        write_count(o->divide ? "sum" : "leaves", sum, false);
    }
    return CLI_OK;
}

int board_perft(board_game *game, int argc, char **argv) {
    perft_options o;
    memset(&o, 0, sizeof o);
    const cli_option options[] = {
        {"--position", CLI_TEXT, &o.position, "P", "the position as text (default: the start)"},
        {"--moves", CLI_TEXT, &o.moves, "M..", "moves played from there, separated by blanks"},
        {"--divide", CLI_FLAG, &o.divide, NULL, "print the leaves below each move"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a rule of the game; may be repeated"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {"board GAME perft",
                             "D [options]",
                             "Counts the positions at depth D; games that end earlier count once.",
                             options,
                             sizeof options / sizeof options[0],
                             1,
                             1};
    const char *words[1] = {NULL};
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    int32_t depth = 0;
    status = board_depth(words[0], &depth);
    if (status < 0) status = board_set_rules(game, &o.sets);
    void *position = NULL;
    if (status < 0) status = board_position(game, o.position, o.moves, &position);
    if (status < 0) status = run_perft(game, &o, position, depth);
    free(position);
    return status;
}
