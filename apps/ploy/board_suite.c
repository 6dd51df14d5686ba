// ploy board chess suite: test positions with known best moves, or mates to prove.
#include <stdio.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"
#include "ploy/board/search.h"
#include "ploy/data/epd.h"

enum { SUITE_FILE_MAX = 1 << 26, SUITE_MATE_MAX = 30 };

typedef struct suite_run {
    board_game *game;
    ploy_epd *epd;
    ploy_diags *diags;
    const char *path;
    int64_t nodes, first, limit;
    bool mate, json;
    ploy_board_search *search;
    int32_t solved, total;
    int64_t spent;
    uint64_t us;
} suite_run;

// Moves to the mate that a record announces (dm 3, ce +M3); 0: none.
static int32_t suite_mate_of(const suite_run *run, const ploy_epd_record *record) {
    static const char *const codes[] = {"dm", "ce", "acd"};
    for (size_t i = 0; i < 2; i++) {
        const ploy_epd_operation *operation = ploy_epd_find(run->epd, record, codes[i]);
        if (operation == NULL || operation->count == 0) continue;
        const char *text = ploy_epd_operand(run->epd, operation->first);
        if (i == 1 && (text[0] != '+' || text[1] != 'M')) continue;
        if (i == 1) text += 2;
        int64_t moves = 0;
        if (ploy_parse_i64(text, strlen(text), NULL, &moves) == PLOY_OK && moves > 0 &&
            moves <= SUITE_MATE_MAX) {
            return (int32_t)moves;
        }
    }
    return 0;
}

// Whether the move is among the operands. A move that does not read is a fault of the file.
static bool suite_names(suite_run *run, const ploy_epd_record *record, const char *code,
                        const void *position, ploy_board_move move, bool *named) {
    const ploy_epd_operation *operation = ploy_epd_find(run->epd, record, code);
    *named = false;
    for (int32_t i = 0; operation != NULL && i < operation->count; i++) {
        ploy_board_move listed = PLOY_BOARD_NO_MOVE;
        const char *text = ploy_epd_operand(run->epd, operation->first + i);
        ploy_result result = ploy_board_chess()->move_parse(&run->game->rules, position, text,
                                                            run->path, &listed, NULL);
        if (result != PLOY_OK) {
            ploy_diags_add(run->diags, PLOY_SEVERITY_ERROR, result, run->path, record->line,
                           operation->column, "move is not legal in this position", "a legal move",
                           NULL);
            return false;
        }
        *named = *named || listed == move;
    }
    return true;
}

static ploy_board_search_def suite_def(const suite_run *run, int32_t mate) {
    ploy_board_search_def def = ploy_board_search_def_strong(run->game->board);
    def.nodes = run->nodes < INT32_MAX ? (int32_t)run->nodes : INT32_MAX;
    def.table.kilobytes = 1 << 16;
    if (mate == 0) return def;
    // Only whether there is a mate in that many moves is asked: nothing else may cut, and the window
    // begins just below it.
    def.null_move = def.late_moves = false;
    def.futility = def.quiescence = def.delta = def.aspiration = 0;
    def.extend_threat = false;
    def.depth = 2 * mate - 1;
    def.alpha = PLOY_BOARD_WIN - 2 * mate;
    return def;
}

static ploy_result suite_search(suite_run *run, const void *position, int32_t mate,
                                ploy_board_outcome *outcome) {
    static int32_t prepared = -1; // mate that the search is set up for
    ploy_result result = PLOY_OK;
    if (run->search == NULL || prepared != mate) {
        ploy_board_search_destroy(run->search);
        run->search = NULL;
        ploy_board_search_def def = suite_def(run, mate);
        result = ploy_board_search_create(&def, run->game->board, &run->game->env, &run->search);
        prepared = mate;
    }
    if (result != PLOY_OK) return result;
    ploy_board_table_clear(ploy_board_search_table(run->search));
    uint64_t from = ploy_os_clock_ns();
    result = ploy_board_search_begin(run->search, position, NULL, 0);
    if (result == PLOY_OK) result = ploy_board_search_step(run->search, NULL);
    run->us += (ploy_os_clock_ns() - from) / 1000;
    *outcome = ploy_board_search_outcome(run->search);
    run->spent += outcome->nodes;
    return result;
}

static const char *suite_id(const suite_run *run, const ploy_epd_record *record, char out[32]) {
    const ploy_epd_operation *id = ploy_epd_find(run->epd, record, "id");
    if (id != NULL && id->count > 0) return ploy_epd_operand(run->epd, id->first);
    snprintf(out, 32, "line %d", record->line);
    return out;
}

static ploy_result suite_record(suite_run *run, const ploy_epd_record *record, bool *solved) {
    uint64_t position[64];
    const ploy_board_chess_def *rules = (const ploy_board_chess_def *)&run->game->rules;
    ploy_result result = ploy_epd_position(record, rules, run->path, position, run->diags);
    if (result != PLOY_OK) return result;
    ploy_board_outcome outcome;
    int32_t mate = run->mate ? suite_mate_of(run, record) : 0;
    if (run->mate && mate == 0) {
        ploy_diags_add(run->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, run->path, record->line, 0,
                       "missing mate", "dm N or ce +MN", NULL);
        return PLOY_ERR_FORMAT;
    }
    result = suite_search(run, position, mate, &outcome);
    if (result != PLOY_OK) return result;
    if (run->mate) {
        *solved = outcome.score >= PLOY_BOARD_WIN - (2 * mate - 1);
        return PLOY_OK;
    }
    bool best = false, avoid = false;
    if (!suite_names(run, record, "bm", position, outcome.move, &best) ||
        !suite_names(run, record, "am", position, outcome.move, &avoid)) {
        return PLOY_ERR_FORMAT;
    }
    *solved = !avoid && (best || ploy_epd_find(run->epd, record, "bm") == NULL);
    return PLOY_OK;
}

static int suite_go(suite_run *run) {
    ploy_writer writer = cli_stream_writer(stdout);
    ploy_json_writer json;
    ploy_json_writer_init(&json, &writer, 0);
    int32_t count = ploy_epd_count(run->epd), end = count;
    if (run->limit > 0 && run->first + run->limit < end) end = (int32_t)(run->first + run->limit);
    if (run->json) {
        ploy_json_write_begin_object(&json);
        ploy_json_write_key(&json, "failed");
        ploy_json_write_begin_array(&json);
    }
    cli_progress progress = cli_progress_begin("suite", (uint64_t)count, !run->json);
    for (int32_t i = (int32_t)run->first; i < end; i++) {
        bool solved = false;
        const ploy_epd_record *record = ploy_epd_at(run->epd, i);
        ploy_result result = suite_record(run, record, &solved);
        if (result == PLOY_ERR_FORMAT) return cli_error_diags(run->diags);
        if (result != PLOY_OK) return cli_error_result("suite", result);
        run->total++;
        if (solved) {
            run->solved++;
        } else {
            char text[32];
            const char *id = suite_id(run, record, text);
            if (run->json) {
                ploy_json_write_text(&json, id);
            } else {
                cli_progress_hide(&progress);
                printf("failed: %s\n", id);
            }
        }
        cli_progress_step(&progress, (uint64_t)i);
    }
    cli_progress_end(&progress);
    if (run->json) {
        ploy_json_write_end_array(&json);
        ploy_json_write_key(&json, "solved");
        ploy_json_write_i64(&json, run->solved);
        ploy_json_write_key(&json, "total");
        ploy_json_write_i64(&json, run->total);
        ploy_json_write_key(&json, "nodes");
        ploy_json_write_i64(&json, run->spent);
        ploy_json_write_key(&json, "us");
        ploy_json_write_u64(&json, run->us);
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        printf("\n");
    } else {
        printf("%d of %d solved, %lld nodes, %.1f s\n", run->solved, run->total,
               (long long)run->spent, (double)run->us / 1e6);
    }
    return run->solved == run->total ? CLI_OK : CLI_NO;
}

int board_suite(board_game *game, int argc, char **argv) {
    if (game->type != ploy_board_chess())
        return cli_error("suites are for chess, not", game->type->name);
    suite_run run;
    memset(&run, 0, sizeof run);
    run.game = game;
    run.nodes = 1000000;
    cli_texts sets = {{0}, 0};
    const cli_option options[] = {
        {"--nodes", CLI_COUNT, &run.nodes, "N", "nodes for each position (default 1000000)"},
        {"--mate", CLI_FLAG, &run.mate, NULL,
         "prove the mates that the file announces (dm, ce +M)"},
        {"--first", CLI_COUNT, &run.first, "N", "number of the first position, from 0"},
        {"--limit", CLI_COUNT, &run.limit, "N", "most positions; 0: all (default)"},
        {"--set", CLI_MANY, &sets, "K=V", "change a setting of the rules"},
        {"--json", CLI_FLAG, &run.json, NULL, "print one JSON object"},
    };
    const cli_usage usage = {"board chess suite",
                             "FILE.epd [options]",
                             "Searches each position and compares with its best moves. Exit status "
                             "1 if one is not solved.",
                             options,
                             (int32_t)(sizeof options / sizeof options[0]),
                             1,
                             1};
    const char *words[1];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    if (run.nodes < 1) return cli_error("--nodes expects a number from 1", NULL);
    status = board_set_rules(game, &sets);
    if (status >= 0) return status;
    run.path = words[0];
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(run.path, SUITE_FILE_MAX, &game->env, &file);
    if (result != PLOY_OK) return cli_error_read(run.path, result);
    result = ploy_diags_create(20, &game->env, &run.diags);
    if (result == PLOY_OK)
        result = ploy_epd_load(file.bytes, file.size, run.path, &game->env, run.diags, &run.epd);
    if (result == PLOY_OK)
        status = suite_go(&run);
    else
        status = run.diags != NULL ? cli_error_diags(run.diags) : cli_error_result("suite", result);
    ploy_board_search_destroy(run.search);
    ploy_epd_destroy(run.epd);
    ploy_diags_destroy(run.diags);
    ploy_buffer_fini(&file);
    return status;
}
