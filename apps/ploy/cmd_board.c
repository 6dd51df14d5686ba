// ploy board: games, their searches and protocols.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/name.h"

typedef struct board_command {
    const char *name;
    board_fn run;
    bool only_chess;
    const char *help;
} board_command;

static const board_command board_commands[] = {
    {"perft", board_perft, false, "count the leaves of the game tree"},
    {"suite", board_suite, true, "solve a file of test positions (EPD)"},

};
enum { BOARD_COMMANDS = sizeof board_commands / sizeof board_commands[0] };

int board_load_rules(board_game *game, const cli_texts *sets) {
    return cli_load_fields(game->board.type->fields(), &game->rules, NULL, sets, &game->env);
}

int board_load_position(const board_game *game, const char *text, void *position) {
    const ploy_board_type *type = game->board.type;
    if (type->position_bytes(&game->rules) > BOARD_POSITION_BYTES)
        return cli_error("the board is too large", NULL);
    memset(position, 0, type->position_bytes(&game->rules));
    if (text == NULL) {
        type->start(&game->rules, position);
        return -1;
    }
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(4, &game->env, &diags);
    if (result != PLOY_OK) return cli_error_result("board", result);
    result = type->parse(&game->rules, text, "--position", position, diags);
    int status = result == PLOY_OK ? -1 : cli_error_diags(diags);
    ploy_diags_destroy(diags);
    return status;
}

static void board_print_help(FILE *out) {
    fprintf(
        out,
        "usage: ploy board list [--json]\n       ploy board GAME COMMAND [words and options]\n\n"
        "Board games: rules, searches, test suites and protocols.\n\ncommands of a game:\n");
    for (int32_t i = 0; i < BOARD_COMMANDS; i++) {
        fprintf(out, "  %-10s %s%s\n", board_commands[i].name, board_commands[i].help,
                board_commands[i].only_chess ? " (chess)" : "");
    }
    fprintf(out, "\n'ploy board GAME COMMAND --help' explains a command.\n");
}

static int board_list(int argc, char **argv) {
    bool as_json = false;
    const cli_option options[] = {
        {"--json", CLI_FLAG, &as_json, NULL, "print one JSON object for each game"}};
    const cli_usage usage = {"board list", "[--json]", "Lists the games.", options, 1, 0, 0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
        const ploy_board_type *type = ploy_boards_at(i);
        if (!as_json) {
            printf("%-12s %s: %s\n", type->name, type->title, type->help);
            continue;
        }
        ploy_writer writer = cli_stream_writer(stdout);
        ploy_json_writer json;
        ploy_json_writer_init(&json, &writer, 0);
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "name");
        ploy_json_write_text(&json, type->name);
        ploy_json_write_key(&json, "title");
        ploy_json_write_text(&json, type->title);
        ploy_json_write_key(&json, "help");
        ploy_json_write_text(&json, type->help);
        ploy_json_write_key(&json, "players");
        ploy_json_write_i64(&json, type->players);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        printf("\n");
    }
    return CLI_OK;
}

static int board_unknown_game(const char *name) {
    ploy_nearest nearest = ploy_nearest_make(name);
    for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
        ploy_nearest_offer(&nearest, ploy_boards_at(i)->name);
    }
    return cli_error_near("no board game is named", name, nearest.best);
}

int cmd_board(int argc, char **argv) {
    if (argc < 1 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        board_print_help(argc < 1 ? stderr : stdout);
        return argc < 1 ? CLI_USAGE : CLI_OK;
    }
    if (strcmp(argv[0], "list") == 0) return board_list(argc - 1, argv + 1);
    const ploy_board_type *type = ploy_boards_find(argv[0]);
    if (type == NULL) return board_unknown_game(argv[0]);
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        board_print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_USAGE : CLI_OK;
    }
    board_game game;
    memset(&game, 0, sizeof game);
    game.env = cli_env();
    game.board = ploy_board_default(type, &game.rules);
    for (int32_t i = 0; i < BOARD_COMMANDS; i++) {
        if (strcmp(argv[1], board_commands[i].name) != 0) continue;
        if (board_commands[i].only_chess && strcmp(type->name, "chess") != 0) {
            return cli_error("only chess has the command", argv[1]);
        }
        return board_commands[i].run(&game, argc - 2, argv + 2);
    }
    ploy_nearest nearest = ploy_nearest_make(argv[1]);
    for (int32_t i = 0; i < BOARD_COMMANDS; i++)
        ploy_nearest_offer(&nearest, board_commands[i].name);
    return cli_error_near("no command of a board game is named", argv[1], nearest.best);
}
