// ploy board chess book build|show: opening books from games, as Polyglot files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/os.h"
#include "ploy/data/pgn.h"
#include "ploy/data/polyglot.h"

enum { BOOK_FILE_MAX = 1 << 28 };

typedef struct book_run {
    board_game *game;
    ploy_board_book *book;
    ploy_diags *diags;
} book_run;

// Adds the games of a PGN file with a known result.
static int book_add_games(const book_run *run, const char *path) {
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, BOOK_FILE_MAX, &run->game->env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_pgn *pgn = NULL;
    result = ploy_pgn_load(file.bytes, file.size, path, &run->game->env, run->diags, &pgn);
    for (int32_t i = 0; result == PLOY_OK && i < ploy_pgn_count(pgn); i++) {
        const ploy_pgn_game *game = ploy_pgn_at(pgn, i);
        if (game->result[0] == '*') continue;
        uint64_t start[64];
        ploy_pgn_start(pgn, game, start);
        int32_t won = strcmp(game->result, "1-0") == 0   ? 1
                      : strcmp(game->result, "0-1") == 0 ? -1
                                                         : 0;
        ploy_result learned = ploy_board_book_learn(
            run->book, start, ploy_pgn_moves(pgn) + game->move_first, game->move_count, won, true);
        if (learned == PLOY_ERR_MEMORY) result = learned; // a passed turn only ends the line
    }
    ploy_pgn_destroy(pgn);
    ploy_buffer_fini(&file);
    if (result == PLOY_ERR_FORMAT) return cli_error_diags(run->diags);
    return result == PLOY_OK ? -1 : cli_error_result("book", result);
}

static int book_build(const book_run *run, const char *pgn, const char *path) {
    int status = book_add_games(run, pgn);
    if (status >= 0) return status;
    ploy_buffer out;
    ploy_buffer_init(&out, 0, &run->game->env);
    ploy_writer writer = ploy_buffer_writer(&out);
    ploy_result result = ploy_board_book_seal(run->book);
    if (result == PLOY_OK) result = ploy_polyglot_save(run->book, &writer);
    status = result != PLOY_OK            ? cli_error_result("book", result)
             : cli_write_file(path, &out) ? CLI_OK
                                          : CLI_USAGE;
    ploy_buffer_fini(&out);
    return status;
}

// The moves of one position, heaviest first as far as ties allow.
static int book_show(const book_run *run, const char *path, const char *position,
                     const char *moves_text, bool json) {
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, BOOK_FILE_MAX, &run->game->env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    result = ploy_polyglot_load(file.bytes, file.size, path, run->book, run->diags);
    ploy_buffer_fini(&file);
    if (result == PLOY_ERR_FORMAT) return cli_error_diags(run->diags);
    if (result != PLOY_OK) return cli_error_result("book", result);
    void *at = NULL;
    int status = board_position(run->game, position, moves_text, &at);
    if (status >= 0) return status;
    ploy_board_move moves[512];
    int32_t count = run->game->type->moves(&run->game->rules, at, moves, 512), shown = 0;
    if (json)
        printf("{\"entries\":%d,\"score\":%d,\"moves\":{", ploy_board_book_count(run->book),
               ploy_board_book_score(run->book, at));
    for (int32_t i = 0; i < count; i++) {
        const ploy_board_book_entry *entry = ploy_board_book_find(run->book, at, moves[i]);
        if (entry == NULL) continue;
        char text[PLOY_BOARD_MOVE_TEXT];
        run->game->type->move_text(&run->game->rules, at, moves[i], text);
        int32_t weight = ploy_board_book_weight(run->book, entry);
        const char *line = ploy_board_book_line(run->book, entry->line);
        if (json)
            printf("%s\"%s\":%d", shown > 0 ? "," : "", text, weight);
        else
            printf("%-6s weight %5d, %lld games, %lld won, %lld drawn %s\n", text, weight,
                   (long long)entry->games, (long long)entry->wins, (long long)entry->draws, line);
        shown++;
    }
    if (json)
        printf("}}\n");
    else if (shown == 0)
        printf("not in the book\n");
    free(at);
    return shown > 0 ? CLI_OK : CLI_NO;
}

int board_book(board_game *game, int argc, char **argv) {
    if (game->type != ploy_board_chess())
        return cli_error("books are for chess, not", game->type->name);
    const char *out = NULL, *position = NULL, *moves = NULL;
    bool json = false;
    int64_t plies = 24;
    const cli_option options[] = {
        {"-o", CLI_TEXT, &out, "F", "build: the Polyglot file to write"},
        {"--plies", CLI_COUNT, &plies, "N", "build: deepest ply (default 24)"},
        {"--position", CLI_TEXT, &position, "P", "show: position, as FEN"},
        {"--moves", CLI_TEXT, &moves, "M..", "show: moves to play first"},
        {"--json", CLI_FLAG, &json, NULL, "show: print one JSON object"},
    };
    const cli_usage usage = {"board chess book",
                             "build GAMES.pgn -o F | show F [options]",
                             "Builds an opening book from games, or shows the moves of a position. "
                             "Exit status 1 if it has none.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             2,
                             2};
    const char *words[2];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    bool build = strcmp(words[0], "build") == 0;
    if (!build && strcmp(words[0], "show") != 0)
        return cli_error("book expects build or show, not", words[0]);
    if (build && out == NULL) return cli_error("book build expects -o FILE", NULL);
    if (plies < 1 || plies > 1000)
        return cli_error("--plies expects a number from 1 to 1000", NULL);
    book_run run = {game, NULL, NULL};
    ploy_board_book_def def = ploy_board_book_def_default();
    def.plies = (int32_t)plies;
    ploy_result result = ploy_board_book_create(&def, game->board, &game->env, &run.book);
    if (result == PLOY_OK) result = ploy_diags_create(20, &game->env, &run.diags);
    if (result != PLOY_OK)
        status = cli_error_result("book", result);
    else
        status = build ? book_build(&run, words[1], out)
                       : book_show(&run, words[1], position, moves, json);
    ploy_diags_destroy(run.diags);
    ploy_board_book_destroy(run.book);
    return status;
}
