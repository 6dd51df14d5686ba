// ploy board chess endings build|show: ending databases by retrograde analysis.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/os.h"
#include "ploy/board/endings.h"

enum { ENDINGS_FILE_MAX = 1 << 30 };

typedef struct endings_set {
    ploy_board_chess_material material;
    ploy_board_endings_source source;
    ploy_board_endings *endings;
} endings_set;

static ploy_result endings_build(endings_set *set, const ploy_env *env) {
    ploy_result result = ploy_board_endings_create(&set->source, env, &set->endings);
    cli_progress progress = cli_progress_begin(set->material.text, 0, true);
    uint64_t slices = 0;
    while (result == PLOY_OK || result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(1000000);
        result = ploy_board_endings_step(set->endings, &budget);
        if (result != PLOY_IN_PROGRESS) break;
        cli_progress_step(&progress, ++slices);
    }
    cli_progress_end(&progress);
    return result;
}

static int endings_report(const endings_set *set, bool check, bool json) {
    ploy_board_endings_report r =
        check ? ploy_board_endings_check(set->endings) : ploy_board_endings_report_of(set->endings);
    char text[PLOY_BOARD_TEXT] = "";
    uint64_t position[64];
    const ploy_board_endings_source *source = ploy_board_endings_source_of(set->endings);
    if (r.longest_number >= 0 && source->position(source->user, r.longest_number, position)) {
        source->board.type->text(source->board.rules, position, text);
    }
    if (json) {
        printf("{\"positions\":%lld,\"wins\":%lld,\"draws\":%lld,\"losses\":%lld,\"longest\":%d,"
               "\"longest_moves\":%d,\"position\":\"%s\",\"faults\":%lld}\n",
               (long long)r.positions, (long long)r.wins, (long long)r.draws, (long long)r.losses,
               r.longest, (r.longest + 1) / 2, text, (long long)r.faults);
    } else {
        printf("%lld positions: %lld won, %lld drawn, %lld lost for the side to move\nlongest win: "
               "%d moves, from %s\n",
               (long long)r.positions, (long long)r.wins, (long long)r.draws, (long long)r.losses,
               (r.longest + 1) / 2, text);
        if (check) printf("%lld values differ from their successors\n", (long long)r.faults);
    }
    return r.faults == 0 ? CLI_OK : CLI_NO;
}

static int endings_show(const endings_set *set, const board_game *game, const char *position,
                        bool json) {
    void *at = NULL;
    int status = board_position(game, position, NULL, &at);
    if (status >= 0) return status;
    ploy_board_ending value = 0;
    bool known = ploy_board_endings_value(set->endings, at, &value);
    char text[PLOY_BOARD_MOVE_TEXT] = "";
    ploy_board_move best = known ? ploy_board_endings_best(set->endings, at) : PLOY_BOARD_NO_MOVE;
    if (best != PLOY_BOARD_NO_MOVE) game->type->move_text(&game->rules, at, best, text);
    free(at);
    if (!known) return cli_error("the position is not in the set", set->material.text);
    const char *word = value > 0 ? "win" : value < 0 ? "loss" : "draw";
    int32_t plies = value > 0 ? value - 1 : value < 0 ? -value - 1 : 0;
    if (json)
        printf("{\"value\":\"%s\",\"plies\":%d,\"move\":\"%s\"}\n", word, plies, text);
    else
        printf("%s in %d plies, best %s\n", word, plies, text[0] != 0 ? text : "none");
    return CLI_OK;
}

static int endings_load(endings_set *set, const board_game *game, const char *path) {
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, ENDINGS_FILE_MAX, &game->env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_diags *diags = NULL;
    result = ploy_diags_create(4, &game->env, &diags);
    if (result == PLOY_OK)
        result = ploy_board_endings_load(&set->source, file.bytes, file.size, path, &game->env,
                                         diags, &set->endings);
    int status = result == PLOY_OK           ? -1
                 : result == PLOY_ERR_FORMAT ? cli_error_diags(diags)
                                             : cli_error_result("endings", result);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&file);
    return status;
}

// What pawns promote to and still wins: the queen and the rook.
static ploy_result endings_build_others(endings_set *set, endings_set others[2],
                                        const ploy_env *env) {
    static const char *const promoted[2] = {"KQK", "KRK"};
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < 2 && set->material.pawns && result == PLOY_OK; i++) {
        result = ploy_board_chess_endings(promoted[i], &others[i].material, &others[i].source);
        if (result == PLOY_OK) result = endings_build(&others[i], env);
        set->material.others[i] = others[i].endings;
    }
    return result;
}

static int endings_make(endings_set *set, const board_game *game, const char *path) {
    ploy_result result = endings_build(set, &game->env);
    if (result != PLOY_OK) return cli_error_result("endings", result);
    if (path == NULL) return -1;
    ploy_buffer out;
    ploy_buffer_init(&out, 0, &game->env);
    ploy_writer writer = ploy_buffer_writer(&out);
    result = ploy_board_endings_save(set->endings, &writer);
    int status = result != PLOY_OK            ? cli_error_result("endings", result)
                 : cli_write_file(path, &out) ? -1
                                              : CLI_USAGE;
    ploy_buffer_fini(&out);
    return status;
}

int board_endings(board_game *game, int argc, char **argv) {
    if (game->type != ploy_board_chess())
        return cli_error("endings are for chess, not", game->type->name);
    const char *out = NULL, *file = NULL, *position = NULL;
    bool check = false, json = false;
    const cli_option options[] = {
        {"-o", CLI_TEXT, &out, "F", "build: file to write"},
        {"--file", CLI_TEXT, &file, "F", "show: database to read"},
        {"--position", CLI_TEXT, &position, "P", "show: value and best move of a position"},
        {"--check", CLI_FLAG, &check, NULL, "compare every value with its successors"},
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"board chess endings",
                             "build|show MATERIAL [options]",
                             "Builds the database of a material such as KQK or KPK, or shows one. "
                             "Exit status 1 if a check fails.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             2,
                             2};
    const char *words[2];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    bool build = strcmp(words[0], "build") == 0;
    if (!build && strcmp(words[0], "show") != 0)
        return cli_error("endings expects build or show, not", words[0]);
    if (!build && file == NULL) return cli_error("endings show expects --file F", NULL);
    endings_set set, others[2];
    memset(&set, 0, sizeof set);
    memset(others, 0, sizeof others);
    if (ploy_board_chess_endings(words[1], &set.material, &set.source) != PLOY_OK) {
        return cli_error("a material is such as KQK, KPK or KBNK, not", words[1]);
    }
    ploy_result result = endings_build_others(&set, others, &game->env);
    if (result != PLOY_OK)
        status = cli_error_result("endings", result);
    else
        status = build ? endings_make(&set, game, out) : endings_load(&set, game, file);
    if (status < 0)
        status = position != NULL ? endings_show(&set, game, position, json)
                                  : endings_report(&set, check, json);
    ploy_board_endings_destroy(set.endings);
    for (int32_t i = 0; i < 2; i++) ploy_board_endings_destroy(others[i].endings);
    return status;
}
