// ploy board GAME perft: leaves of the game tree, by root move, or checked against a file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"
#include "ploy/data/epd.h"

enum { PERFT_FILE_MAX = 1 << 26 };

typedef struct perft_run {
    board_game *game;
    int32_t depth;
    bool divide, json;
} perft_run;

// Chess has a faster one, which also counts beyond draws by rule, as published numbers do.
static ploy_result perft_count(const board_game *game, const void *position, int32_t depth,
                               uint64_t *leaves) {
    if (game->type == ploy_board_chess()) {
        *leaves = ploy_board_chess_perft(position, depth);
        return PLOY_OK;
    }
    return ploy_board_perft(game->board, position, depth, &game->env, leaves);
}

static void perft_key(ploy_json_writer *json, const char *key, uint64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_u64(json, value);
}

// One line for each root move, in the game's order.
// The leaves by root move: printed, or only added up under a progress bar.
// @param sum  NULL: print them.
static ploy_result perft_divide(const perft_run *run, const void *position, ploy_json_writer *json,
                                uint64_t *sum) {
    const ploy_board_type *type = run->game->type;
    const void *rules = &run->game->rules;
    ploy_board_move *moves =
        ploy_env_alloc(&run->game->env, (size_t)type->max_moves * sizeof *moves);
    void *next = calloc(1, type->position_bytes(rules));
    if (moves == NULL || next == NULL) {
        ploy_env_free(&run->game->env, moves, (size_t)type->max_moves * sizeof *moves);
        free(next);
        return PLOY_ERR_MEMORY;
    }
    int32_t count = type->moves(rules, position, moves, type->max_moves);
    ploy_result result = PLOY_OK;
    cli_progress progress = cli_progress_begin("root moves", (uint64_t)count, sum != NULL);
    for (int32_t i = 0; i < count && result == PLOY_OK && run->depth > 0; i++) {
        cli_progress_step(&progress, (uint64_t)i);
        memcpy(next, position, type->position_bytes(rules));
        type->make(rules, next, moves[i], NULL);
        uint64_t leaves = 0;
        result = perft_count(run->game, next, run->depth - 1, &leaves);
        if (sum != NULL) {
            *sum += leaves;
            continue;
        }
        char text[PLOY_BOARD_MOVE_TEXT];
        type->move_text(rules, position, moves[i], text);
        if (json != NULL) {
            perft_key(json, text, leaves);
        } else {
            printf("%s %llu\n", text, (unsigned long long)leaves);
        }
    }
    cli_progress_end(&progress);
    ploy_env_free(&run->game->env, moves, (size_t)type->max_moves * sizeof *moves);
    free(next);
    return result;
}

static int perft_one(const perft_run *run, const char *text, const char *moves) {
    void *position = NULL;
    int status = board_position(run->game, text, moves, &position);
    if (status >= 0) return status;
    ploy_writer writer = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    if (run->json) ploy_json_write_begin_object(&json);
    ploy_result result = PLOY_OK;
    if (run->divide) {
        if (run->json) {
            ploy_json_write_key(&json, "divide");
            ploy_json_write_begin_object(&json);
        }
        result = perft_divide(run, position, run->json ? &json : NULL, NULL);
        if (run->json) ploy_json_write_end_object(&json);
    }
    uint64_t leaves = 0, from = ploy_os_clock_ns();
    if (result == PLOY_OK && run->depth > 1 && !run->json) {
        result = perft_divide(run, position, NULL, &leaves);
    } else if (result == PLOY_OK) {
        result = perft_count(run->game, position, run->depth, &leaves);
    }
    uint64_t us = (ploy_os_clock_ns() - from) / 1000;
    free(position);
    if (result != PLOY_OK) return cli_error_result("perft", result);
    if (!run->json) {
        printf("%s %llu\n", run->divide ? "sum" : "leaves", (unsigned long long)leaves);
        return CLI_OK;
    }
    perft_key(&json, "depth", (uint64_t)run->depth);
    perft_key(&json, "leaves", leaves);
    perft_key(&json, "us", us);
    ploy_json_write_end_object(&json);
    (void)ploy_json_writer_finish(&json);
    printf("\n");
    return CLI_OK;
}

// Operations D1, D2, ... of one record, as deep as asked for.
static bool perft_check_record(const perft_run *run, const ploy_epd *epd,
                               const ploy_epd_record *record, const void *position,
                               const char *path) {
    bool right = true;
    for (int32_t i = 0; i < record->count; i++) {
        const ploy_epd_operation *operation = ploy_epd_operation_at(epd, record->first + i);
        int64_t depth = 0;
        uint64_t want = 0, leaves = 0;
        const char *operand = operation->count > 0 ? ploy_epd_operand(epd, operation->first) : "";
        bool counts = operation->code[0] == 'D' &&
                      ploy_parse_i64(operation->code + 1, strlen(operation->code + 1), NULL,
                                     &depth) == PLOY_OK &&
                      ploy_parse_u64(operand, strlen(operand), NULL, &want) == PLOY_OK;
        if (!counts || depth < 1 || depth > run->depth) continue;
        if (perft_count(run->game, position, (int32_t)depth, &leaves) == PLOY_OK && leaves == want)
            continue;
        right = false;
        fprintf(stderr, "%s:%d:%d: depth %d has %llu leaves, expected %llu\n", path, record->line,
                operation->column, (int)depth, (unsigned long long)leaves,
                (unsigned long long)want);
    }
    return right;
}

static int perft_check(const perft_run *run, const char *path) {
    if (run->game->type != ploy_board_chess())
        return cli_error("--check reads chess positions only", NULL);
    ploy_env *env = &run->game->env;
    ploy_buffer file;
    ploy_diags *diags = NULL;
    ploy_epd *epd = NULL;
    ploy_result result = ploy_os_read_file(path, PERFT_FILE_MAX, env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    int status = CLI_USAGE;
    uint64_t positions = 0, right = 0, from = ploy_os_clock_ns();
    result = ploy_diags_create(20, env, &diags);
    if (result == PLOY_OK) result = ploy_epd_load(file.bytes, file.size, path, env, diags, &epd);
    for (int32_t i = 0; result == PLOY_OK && i < ploy_epd_count(epd); i++) {
        uint64_t position[64];
        const ploy_epd_record *record = ploy_epd_at(epd, i);
        positions++;
        result = ploy_epd_position(record, (const ploy_board_chess_def *)&run->game->rules, path,
                                   position, diags);
        if (result == PLOY_OK && perft_check_record(run, epd, record, position, path)) right++;
    }
    if (result != PLOY_OK) {
        status = diags != NULL ? cli_error_diags(diags) : cli_error_result("perft", result);
    } else {
        status = right == positions ? CLI_OK : CLI_NO;
        uint64_t us = (ploy_os_clock_ns() - from) / 1000;
        if (run->json) {
            printf("{\"positions\":%llu,\"right\":%llu,\"wrong\":%llu,\"us\":%llu}\n",
                   (unsigned long long)positions, (unsigned long long)right,
                   (unsigned long long)(positions - right), (unsigned long long)us);
        } else {
            printf("%llu positions, %llu right, %llu wrong\n", (unsigned long long)positions,
                   (unsigned long long)right, (unsigned long long)(positions - right));
        }
    }
    ploy_epd_destroy(epd);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&file);
    return status;
}

int board_perft(board_game *game, int argc, char **argv) {
    perft_run run = {game, 0, false, false};
    const char *position = NULL, *moves = NULL, *check = NULL;
    cli_texts sets = {{0}, 0};
    const cli_option options[] = {
        {"--position", CLI_TEXT, &position, "P", "position to start from, as text"},
        {"--moves", CLI_TEXT, &moves, "M..", "moves to play first, separated by blanks"},
        {"--divide", CLI_FLAG, &run.divide, NULL, "leaves of each move"},
        {"--check", CLI_TEXT, &check, "FILE",
         "compare with the counts of an EPD file, up to depth D"},
        {"--set", CLI_MANY, &sets, "K=V", "change a setting of the rules"},
        {"--json", CLI_FLAG, &run.json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"board GAME perft",
                             "D [options]",
                             "Counts the leaves of the game tree at depth D. Exit status 1 if a "
                             "count of the file differs.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    status = board_depth(words[0], &run.depth);
    if (status >= 0) return status;
    status = board_set_rules(game, &sets);
    if (status >= 0) return status;
    return check != NULL ? perft_check(&run, check) : perft_one(&run, position, moves);
}
