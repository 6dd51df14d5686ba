// ploy board chess|draughts endings build|show: ending databases by retrograde analysis.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_sources.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"
#include "ploy/board/draughts.h"

enum { ENDINGS_FILE_MAX = 1 << 30, ENDINGS_OTHERS = 3, ENDINGS_SHOWN = 1000 };

static ploy_result endings_build(board_ending_set *set, const ploy_env *env) {
    ploy_result result = ploy_board_endings_create(&set->source, env, &set->endings);
    cli_progress progress = cli_progress_begin(set->source.name, ENDINGS_SHOWN, true);
    while (result == PLOY_OK || result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(100000);
        result = ploy_board_endings_step(set->endings, &budget);
        if (result != PLOY_IN_PROGRESS) break;
        double share = ploy_board_endings_progress(set->endings);
        cli_progress_step(&progress, (uint64_t)(share * ENDINGS_SHOWN));
    }
    cli_progress_end(&progress);
    return result;
}

static int endings_report(const board_ending_set *set, bool check, bool json) {
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

static int endings_show(const board_ending_set *set, const board_game *game, const char *position,
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
    if (!known) return cli_error("the position is not in the set", set->source.name);
    const char *word = value > 0 ? "win" : value < 0 ? "loss" : "draw";
    int32_t plies = value > 0 ? value - 1 : value < 0 ? -value - 1 : 0;
    if (json)
        printf("{\"value\":\"%s\",\"plies\":%d,\"move\":\"%s\"}\n", word, plies, text);
    else
        printf("%s in %d plies, best %s\n", word, plies, text[0] != 0 ? text : "none");
    return CLI_OK;
}

static int endings_load(board_ending_set *set, const board_game *game, const char *path) {
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

// Builds what the positions of a set lead to: of chess what pawns promote to and still wins, the queen and the
// rook; of draughts the sets of fewer pieces.
static ploy_result endings_build_others(const board_game *game, const char *name,
                                        board_ending_set others[ENDINGS_OTHERS],
                                        board_ending_set *before[ENDINGS_OTHERS], int32_t *count) {
    static const char *const promoted[] = {"KQK", "KRK"}, *const fewer[] = {"1", "2", "3"};
    bool chess = game->type == ploy_board_chess();
    int32_t all = chess ? (strchr(name, 'P') != NULL ? 2 : 0) : name[0] - '1';
    ploy_result result = PLOY_OK;
    for (int32_t i = 0; i < all && i < ENDINGS_OTHERS && result == PLOY_OK; i++) {
        result = board_ending_describe(game, chess ? promoted[i] : fewer[i], &others[i], before,
                                       chess ? 0 : *count);
        if (result == PLOY_OK) result = endings_build(&others[i], &game->env);
        before[(*count)++] = &others[i];
    }
    return result;
}

static int endings_make(board_ending_set *set, const board_game *game, const char *path) {
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
    bool chess = game->type == ploy_board_chess();
    if (!chess && game->type != ploy_board_draughts())
        return cli_error("endings are for chess and draughts, not", game->type->name);
    cli_texts sets = {.count = 0};
    const char *out = NULL, *file = NULL, *position = NULL;
    bool check = false, json = false;
    const cli_option options[] = {
        {"-o", CLI_TEXT, &out, "F", "build: file to write"},
        {"--file", CLI_TEXT, &file, "F", "show: database to read"},
        {"--position", CLI_TEXT, &position, "P", "show: value and best move of a position"},
        {"--check", CLI_FLAG, &check, NULL, "compare every value with its successors"},
        {"--set", CLI_MANY, &sets, "K=V", "setting of the rules"},
        {"--json", CLI_FLAG, &json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"board chess|draughts endings",
                             "build|show SET [options]",
                             "Builds the database of a set, or shows one. A set is a material of "
                             "chess such as KQK or KPK, or all\n"
                             "positions of draughts with 1 to 4 pieces. Exit status 1 if a check "
                             "fails.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             2,
                             2};
    const char *words[2];
    int status = cli_parse(&usage, argc, argv, words);
    if (status < 0) status = board_set_rules(game, &sets);
    if (status >= 0) return status;
    bool build = strcmp(words[0], "build") == 0;
    if (!build && strcmp(words[0], "show") != 0)
        return cli_error("endings expects build or show, not", words[0]);
    if (!build && file == NULL) return cli_error("endings show expects --file F", NULL);
    board_ending_set set, others[ENDINGS_OTHERS], *before[ENDINGS_OTHERS];
    int32_t count = 0;
    memset(&set, 0, sizeof set);
    memset(others, 0, sizeof others);
    bool named = chess || (strlen(words[1]) == 1 && words[1][0] >= '1' && words[1][0] <= '4');
    if (!named || board_ending_describe(game, words[1], &set, NULL, 0) != PLOY_OK) {
        return cli_error(chess ? "a material is such as KQK, KPK or KBNK, not"
                               : "a set is a number of pieces from 1 to 4, not",
                         words[1]);
    }
    ploy_result result = endings_build_others(game, words[1], others, before, &count);
    if (result == PLOY_OK) result = board_ending_describe(game, words[1], &set, before, count);
    if (result != PLOY_OK)
        status = cli_error_result("endings", result);
    else
        status = build ? endings_make(&set, game, out) : endings_load(&set, game, file);
    if (status < 0)
        status = position != NULL ? endings_show(&set, game, position, json)
                                  : endings_report(&set, check, json);
    ploy_board_endings_destroy(set.endings);
    for (int32_t i = 0; i < ENDINGS_OTHERS; i++) ploy_board_endings_destroy(others[i].endings);
    return status;
}
