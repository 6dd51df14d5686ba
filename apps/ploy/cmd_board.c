// ploy board list | GAME COMMAND: board games, their searches and engines.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/name.h"
#include "ploy/board/search.h"

typedef struct board_command {
    const char *name; // "best", or an option in its place: "--uci"
    int (*run)(board_game *game, int argc, char **argv);
    const char *help;
} board_command;

// Rows of other files go here, in the order of the help.
static const board_command board_commands[] = {
    {"best", board_best, "find the best move, and why"},
    {"perft", board_perft, "count the leaves of the game tree"},
    {"tree", board_tree, "measure the game tree, or print it as a graph"},
    {"book", board_book, "build or show an opening book (chess)"},
    {"endings", board_endings, "build or show an ending database (chess)"},
    {"suite", board_suite, "solve a file of test positions (chess)"},
    {"solve", board_solve, "find the exact result of a position"},
    {"learn", board_learn, "learn an evaluation by self-play"},
    {"--uci", board_uci, "play as an engine of the UCI protocol (chess)"},
    {"--xboard", board_xboard, "play as an engine of the XBoard protocol (chess)"},
    {"--gtp", board_gtp, "play as an engine of the Go Text Protocol (all but chess)"},
};
enum { BOARD_COMMANDS = sizeof board_commands / sizeof board_commands[0] };

static void print_board_help(FILE *out) {
    fprintf(
        out,
        "usage: ploy board list [--json]\n"
        "       ploy board GAME COMMAND [options]\n\n"
        "Board games: the best move and its reasons, and tests of the rules. 'ploy board list'\n"
        "names the games and the searches that suit them.\n\ncommands:\n");
    for (int i = 0; i < BOARD_COMMANDS; i++) {
        fprintf(out, "  %-10s %s\n", board_commands[i].name, board_commands[i].help);
    }
    fprintf(out, "\n'ploy board GAME COMMAND --help' explains a command.\n");
}

// ---- list

static void list_suits(ploy_json_writer *json, ploy_board board, bool mcts,
                       ploy_board_method method) {
    static const char *const words[] = {"yes", "limited", "no"};
    const char *reason = "";
    ploy_board_suits suits = mcts ? ploy_board_mcts_suits(board, &reason)
                                  : ploy_board_method_suits(board, method, &reason);
    const char *name = mcts ? "mcts" : ploy_board_method_text(method);
    if (json == NULL) {
        if (suits != PLOY_BOARD_SUITS) printf("    %-10s %s: %s\n", name, words[suits], reason);
        return;
    }
    ploy_json_write_begin_object(json);
    ploy_json_write_key(json, "search");
    ploy_json_write_text(json, name);
    ploy_json_write_key(json, "suits");
    ploy_json_write_text(json, words[suits]);
    ploy_json_write_key(json, "reason");
    ploy_json_write_text(json, reason);
    ploy_json_write_end_object(json);
}

static int list_boards(int argc, char **argv) {
    bool as_json = false, verbose = false;
    const cli_option options[] = {
        {"--searches", CLI_FLAG, &verbose, NULL, "also say which searches do not suit, and why"},
        {"--json", CLI_FLAG, &as_json, NULL, "print JSON, one game per line"},
    };
    const cli_usage usage = {"board list",
                             "[options]",
                             "Lists the board games.",
                             options,
                             sizeof options / sizeof options[0],
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
        const ploy_board_type *type = ploy_boards_at(i);
        ploy_board_rules rules;
        ploy_board board = ploy_board_default(type, &rules);
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        if (as_json) {
            ploy_json_writer_init(&json, &out, 0);
            ploy_json_write_begin_object(&json);
            ploy_json_write_key(&json, "name");
            ploy_json_write_text(&json, type->name);
            ploy_json_write_key(&json, "title");
            ploy_json_write_text(&json, type->title);
            ploy_json_write_key(&json, "help");
            ploy_json_write_text(&json, type->help);
            ploy_json_write_key(&json, "players");
            ploy_json_write_i64(&json, type->players);
            ploy_json_write_key(&json, "searches");
            ploy_json_write_begin_array(&json);
        } else {
            printf("%-12s %s\n", type->name, type->help);
        }
        for (int32_t m = 0; m <= PLOY_BOARD_METHODS && (as_json || verbose); m++) {
            list_suits(as_json ? &json : NULL, board, m == PLOY_BOARD_METHODS,
                       (ploy_board_method)m);
        }
        if (!as_json) continue;
        ploy_json_write_end_array(&json);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    }
    return CLI_OK;
}

// ---- shared by the commands

int board_set_rules(board_game *game, const cli_texts *sets) {
    int status = cli_load_fields(game->type->fields(), &game->rules, NULL, sets, &game->env);
    if (status >= 0) return status;
    game->board = ploy_board_of(game->type, &game->rules);
    ploy_result result = ploy_board_rules_check(game->board, &game->env);
    return result == PLOY_OK ? -1 : cli_error_result("the rules", result);
}

static int board_report(ploy_diags *diags, const char *what, ploy_result result) {
    int status = diags != NULL && ploy_diags_count(diags) > 0 ? cli_error_diags(diags)
                                                              : cli_error_result(what, result);
    ploy_diags_destroy(diags);
    return status;
}

int board_move(const board_game *game, const void *position, const char *text,
               ploy_board_move *out) {
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(4, &game->env, &diags);
    if (result == PLOY_OK) {
        result = game->type->move_parse(&game->rules, position, text, "move", out, diags);
    }
    if (result != PLOY_OK) return board_report(diags, "the move", result);
    ploy_diags_destroy(diags);
    return -1;
}

int board_depth(const char *text, int32_t *out) {
    char *end = NULL;
    long depth = strtol(text, &end, 10);
    if (*text == 0 || *end != 0 || depth < 0 || depth > 64) {
        return cli_error("expected a depth from 0 to 64, got", text);
    }
    *out = (int32_t)depth;
    return -1;
}

enum { BOARD_MOVES_MAX = 1024 };

int board_position(const board_game *game, const char *position, const char *moves, void **out) {
    const ploy_board_type *type = game->type;
    char *copy = malloc(strlen(moves != NULL ? moves : "") + 1);
    void *bytes = calloc(1, type->position_bytes(&game->rules));
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(4, &game->env, &diags);
    if (bytes == NULL || copy == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        type->start(&game->rules, bytes);
        if (position != NULL) {
            result = type->parse(&game->rules, position, "position", bytes, diags);
        }
    }
    if (result == PLOY_OK) {
        const char *list[BOARD_MOVES_MAX];
        int32_t count = 0;
        memcpy(copy, moves != NULL ? moves : "", strlen(moves != NULL ? moves : "") + 1);
        for (char *at = copy; *at != 0 && count < BOARD_MOVES_MAX;) {
            at += strspn(at, " ,");
            if (*at == 0) break;
            list[count++] = at;
            at += strcspn(at, " ,");
            if (*at != 0) *at++ = 0;
        }
        result = ploy_board_play(game->board, bytes, list, count, "moves", diags);
    }
    free(copy);
    if (result != PLOY_OK) {
        free(bytes);
        return board_report(diags, "the position", result);
    }
    ploy_diags_destroy(diags);
    *out = bytes;
    return -1;
}

int cmd_board(int argc, char **argv) {
    if (argc < 1) {
        print_board_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_board_help(stdout);
        return CLI_OK;
    }
    if (strcmp(argv[0], "list") == 0) return list_boards(argc - 1, argv + 1);
    board_game game;
    memset(&game, 0, sizeof game);
    game.env = cli_env();
    game.type = ploy_boards_find(argv[0]);
    if (game.type == NULL) {
        ploy_nearest nearest = ploy_nearest_make(argv[0]);
        for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
            ploy_nearest_offer(&nearest, ploy_boards_at(i)->name);
        }
        return cli_error_unknown("unknown board game", argv[0], nearest.best, "board list");
    }
    game.board = ploy_board_default(game.type, &game.rules);
    if (argc < 2) {
        print_board_help(stderr);
        return CLI_USAGE;
    }
    ploy_nearest nearest = ploy_nearest_make(argv[1]);
    for (int i = 0; i < BOARD_COMMANDS; i++) {
        if (strcmp(argv[1], board_commands[i].name) == 0) {
            return board_commands[i].run(&game, argc - 2, argv + 2);
        }
        ploy_nearest_offer(&nearest, board_commands[i].name);
    }
    if (strcmp(argv[1], "--help") == 0) {
        print_board_help(stdout);
        return CLI_OK;
    }
    return cli_error_unknown("unknown command of board:", argv[1], nearest.best, "board --help");
}
