// ploy board GAME solve: exact results of Connect Four positions and Othello endings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/os.h"
#include "ploy/board/connect4.h"
#include "ploy/board/connect4_solver.h"
#include "ploy/board/othello.h"
#include "ploy/board/othello_solver.h"
#include "ploy/data/obf.h"

enum { SOLVE_FILE_MAX = 1 << 24, SOLVE_FULL_COLUMN = 43 };

typedef struct solve_options {
    const char *position, *moves, *check;
    int64_t nodes, table_bits;
    bool every, json;
    cli_texts sets;
} solve_options;

typedef struct solve_run {
    const board_game *game;
    const solve_options *options;
    ploy_board_connect4_solver *connect4;
    ploy_board_othello_solver *othello;
    int64_t positions, right, wrong, unsolved;
    uint64_t nodes, nanoseconds;
} solve_run;

// One answer of either solver.
typedef struct solve_answer {
    bool complete;
    int32_t low, high;
    ploy_board_move best;
    uint64_t nodes;
} solve_answer;

static bool solve_is_othello(const board_game *game) {
    return game->type == ploy_board_othello();
}

static ploy_result solve_create(solve_run *run) {
    const board_game *game = run->game;
    if (solve_is_othello(game)) {
        ploy_board_othello_solver_def def = ploy_board_othello_solver_def_default();
        if (run->options->table_bits > 0) def.table_bits = (int32_t)run->options->table_bits;
        return ploy_board_othello_solver_create(&def, &game->env, &run->othello);
    }
    const ploy_board_connect4_def *rules = game->board.rules;
    ploy_board_connect4_solver_def def = ploy_board_connect4_solver_def_default();
    def.columns = rules->width;
    def.rows = rules->height;
    return ploy_board_connect4_solver_create(&def, &game->env, &run->connect4);
}

static void solve_destroy(solve_run *run) {
    ploy_board_connect4_solver_destroy(run->connect4);
    ploy_board_othello_solver_destroy(run->othello);
}

// A part of a second, so that a person sees that it goes on.
static ploy_budget solve_slice(int64_t left) {
    const int64_t slice = 1 << 20;
    return ploy_budget_units(left < slice ? left : slice);
}

// Solves one position; the score is for its side to move.
static ploy_result solve_position(solve_run *run, const void *position, solve_answer *out) {
    const int64_t most = run->options->nodes > 0 ? run->options->nodes : INT64_MAX;
    cli_progress progress =
        cli_progress_begin("solving", run->options->nodes > 0 ? (uint64_t)most : 0, true);
    uint64_t begin = ploy_env_clock(&run->game->env);
    ploy_result result = PLOY_OK;
    if (run->othello != NULL) {
        result = ploy_board_othello_solver_begin(run->othello, position);
        for (int64_t done = 0; result >= PLOY_OK && done < most;) {
            ploy_budget budget = solve_slice(most - done);
            result = ploy_board_othello_solver_step(run->othello, &budget);
            if (result != PLOY_IN_PROGRESS) break;
            done += budget.spent;
            cli_progress_step(&progress, (uint64_t)done);
        }
        ploy_board_othello_solution s = ploy_board_othello_solver_outcome(run->othello);
        *out = (solve_answer){s.complete, s.low, s.high, s.best, s.nodes};
    } else {
        const ploy_board_connect4_position *p = position;
        result = ploy_board_connect4_solver_begin(run->connect4, p->discs[p->count & 1],
                                                  p->discs[0] | p->discs[1]);
        for (int64_t done = 0; result >= PLOY_OK && done < most;) {
            ploy_budget budget = solve_slice(most - done);
            result = ploy_board_connect4_solver_step(run->connect4, &budget);
            if (result != PLOY_IN_PROGRESS) break;
            done += budget.spent;
            cli_progress_step(&progress, (uint64_t)done);
        }
        ploy_board_connect4_solution s = ploy_board_connect4_solver_outcome(run->connect4);
        *out = (solve_answer){s.complete, s.low, s.high, (ploy_board_move)(s.column + 1), s.nodes};
    }
    cli_progress_end(&progress);
    run->nanoseconds += ploy_env_clock(&run->game->env) - begin;
    run->nodes += out->nodes;
    return result < 0 ? result : PLOY_OK;
}

// The score of a move: that of the position after it, for the player that moved.
static ploy_result solve_move(solve_run *run, const void *position, ploy_board_move move,
                              solve_answer *out) {
    const ploy_board_type *type = run->game->type;
    uint64_t next[64];
    memcpy(next, position, type->position_bytes(&run->game->rules));
    type->make(&run->game->rules, next, move, NULL);
    ploy_result result = solve_position(run, next, out);
    int32_t low = out->low;
    out->low = -out->high; // both games change sides with every move, passes included
    out->high = -low;
    return result;
}

static void solve_print_score(const solve_answer *answer, bool json) {
    if (answer->complete) {
        printf("%d", answer->low);
    } else if (json) {
        printf("[%d,%d]", answer->low, answer->high);
    } else {
        printf("%d to %d", answer->low, answer->high);
    }
}

static int solve_one(solve_run *run, const void *position) {
    const board_game *game = run->game;
    const ploy_board_type *type = game->type;
    bool json = run->options->json;
    solve_answer answer;
    ploy_result result = solve_position(run, position, &answer);
    if (result != PLOY_OK) return cli_error_result("board solve", result);
    char text[PLOY_BOARD_MOVE_TEXT] = "";
    bool over = type->side(&game->rules, position) == PLOY_BOARD_OVER;
    if (!over && answer.best != 0) type->move_text(&game->rules, position, answer.best, text);
    printf(json ? "{\"score\":" : "score  ");
    solve_print_score(&answer, json);
    if (json) {
        printf(",\"solved\":%s,\"move\":\"%s\",\"nodes\":%llu", answer.complete ? "true" : "false",
               text, (unsigned long long)answer.nodes);
    } else {
        printf("\nmove   %s\nnodes  %llu\n", text[0] != 0 ? text : "none",
               (unsigned long long)answer.nodes);
    }
    ploy_board_move moves[64];
    int32_t count =
        over || !run->options->every ? 0 : type->moves(&game->rules, position, moves, 64);
    if (json && run->options->every) printf(",\"moves\":{");
    for (int32_t i = 0; i < count; i++) {
        solve_answer each;
        result = solve_move(run, position, moves[i], &each);
        if (result != PLOY_OK) return cli_error_result("board solve", result);
        type->move_text(&game->rules, position, moves[i], text);
        printf(json ? "%s\"%s\":" : "%s  %s  ", i > 0 && json ? "," : "", text);
        solve_print_score(&each, json);
        if (!json) putchar('\n');
    }
    if (json && run->options->every) putchar('}');
    if (json) printf("}\n");
    return answer.complete ? CLI_OK : CLI_NO;
}

// ---- files

static void solve_count(solve_run *run, const solve_answer *answer, bool right) {
    run->positions++;
    if (!answer->complete) {
        run->unsolved++;
    } else if (right) {
        run->right++;
    } else {
        run->wrong++;
    }
}

static int solve_line_error(const char *path, int32_t line, const char *message) {
    fprintf(stderr, "%s:%d: error: %s\n", path, line, message);
    return CLI_USAGE;
}

static int solve_obf(solve_run *run, const ploy_buffer *file) {
    const board_game *game = run->game;
    const ploy_board_type *type = game->type;
    const char *path = run->options->check;
    ploy_diags *diags = NULL;
    ploy_obf *obf = NULL;
    ploy_result result = ploy_diags_create(20, &game->env, &diags);
    if (result == PLOY_OK) {
        result = ploy_obf_load(file->bytes, file->size, path, &game->env, diags, &obf);
    }
    int status = -1;
    if (result != PLOY_OK) {
        status = diags != NULL && ploy_diags_count(diags) > 0 ? cli_error_diags(diags)
                                                              : cli_error_result(path, result);
    }
    const ploy_board_othello_def *rules = game->board.rules;
    for (int32_t i = 0; status < 0 && i < ploy_obf_count(obf); i++) {
        const ploy_obf_problem *problem = ploy_obf_at(obf, i);
        ploy_board_othello_position p;
        if (problem->size != rules->size ||
            type->parse(rules, problem->position, path, &p, NULL) != PLOY_OK) {
            status = solve_line_error(path, problem->line, "not a position of this board size");
            break;
        }
        solve_answer answer;
        result = solve_position(run, &p, &answer);
        bool right = problem->count == 0 || answer.low == ploy_obf_move_at(obf, problem, 0)->score;
        for (int32_t k = 0; run->options->every && k < problem->count && result == PLOY_OK; k++) {
            const ploy_obf_move *listed = ploy_obf_move_at(obf, problem, k);
            ploy_board_move move = 0;
            if (type->move_parse(rules, &p, listed->text, path, &move, NULL) != PLOY_OK) {
                status = solve_line_error(path, problem->line, "a listed move is not legal");
                break;
            }
            solve_answer each;
            result = solve_move(run, &p, move, &each);
            answer.complete = answer.complete && each.complete;
            right = right && each.low == listed->score;
        }
        if (status < 0 && result != PLOY_OK) status = cli_error_result("board solve", result);
        solve_count(run, &answer, right);
    }
    ploy_obf_destroy(obf);
    ploy_diags_destroy(diags);
    return status;
}

// Checks "moves a,b,c,...": for each column the score behind it, for the opponent; 43 for a full one.
static ploy_result solve_columns(solve_run *run, const void *position, char *list,
                                 solve_answer *answer, bool *right) {
    const board_game *game = run->game;
    const ploy_board_connect4_def *rules = game->board.rules;
    ploy_board_move moves[64];
    int32_t count = game->type->moves(&game->rules, position, moves, 64);
    *answer = (solve_answer){.complete = true};
    *right = true;
    for (int32_t column = 0; column < rules->width; column++) {
        int32_t want = (int32_t)strtol(list, &list, 10);
        if (*list == ',') list++;
        bool open = false;
        for (int32_t i = 0; i < count; i++) open |= moves[i] == (ploy_board_move)(column + 1);
        if (open != (want != SOLVE_FULL_COLUMN)) *right = false;
        if (!open) continue;
        solve_answer each;
        ploy_result result = solve_move(run, position, (ploy_board_move)(column + 1), &each);
        if (result != PLOY_OK) return result;
        answer->complete = answer->complete && each.complete;
        if (-each.low != want) *right = false;
    }
    return PLOY_OK;
}

static int solve_list(solve_run *run, const ploy_buffer *file) {
    const board_game *game = run->game;
    const char *path = run->options->check;
    int32_t number = 0;
    for (char *line = file->bytes, *next = NULL; line != NULL && *line != 0; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) *next++ = 0;
        number++;
        char *blank = strpbrk(line, " \t");
        if (line[strspn(line, " \t\r")] == 0) continue;
        if (blank == NULL) return solve_line_error(path, number, "expected 'MOVES SCORE'");
        *blank++ = 0;
        ploy_board_connect4_position p;
        if (game->type->parse(&game->rules, line, path, &p, NULL) != PLOY_OK) {
            return solve_line_error(path, number, "the moves cannot be played");
        }
        solve_answer answer;
        bool right = false;
        ploy_result result = PLOY_OK;
        if (strchr(blank, ',') != NULL) {
            result = solve_columns(run, &p, blank, &answer, &right);
        } else {
            char *end = NULL;
            long want = strtol(blank, &end, 10);
            if (end == blank) return solve_line_error(path, number, "the score is missing");
            result = solve_position(run, &p, &answer);
            right = answer.low == want;
        }
        if (result != PLOY_OK) return cli_error_result("board solve", result);
        solve_count(run, &answer, right);
    }
    return -1;
}

static int solve_check(solve_run *run) {
    ploy_buffer file;
    ploy_result result =
        ploy_os_read_file(run->options->check, SOLVE_FILE_MAX, &run->game->env, &file);
    int status = result != PLOY_OK             ? cli_error_read(run->options->check, result)
                 : solve_is_othello(run->game) ? solve_obf(run, &file)
                                               : solve_list(run, &file);
    if (result == PLOY_OK) ploy_buffer_fini(&file);
    if (status >= 0) return status;
    double count = run->positions > 0 ? (double)run->positions : 1.0;
    double nodes = (double)run->nodes / count, us = (double)run->nanoseconds / 1000.0 / count;
    const char *format =
        run->options->json
            ? "{\"positions\":%lld,\"right\":%lld,\"wrong\":%lld,\"unsolved\":%lld,\"nodes_mean\":%"
              ".1f,"
              "\"us_mean\":%.1f}\n"
            : "positions   %lld\nright       %lld\nwrong       %lld\nunsolved    %lld\n"
              "nodes_mean  %.1f\nus_mean     %.1f\n";
    printf(format, (long long)run->positions, (long long)run->right, (long long)run->wrong,
           (long long)run->unsolved, nodes, us);
    return run->wrong + run->unsolved == 0 ? CLI_OK : CLI_NO;
}

int board_solve(board_game *game, int argc, char **argv) {
    solve_options o;
    memset(&o, 0, sizeof o);
    const cli_option options[] = {
        {"--position", CLI_TEXT, &o.position, "P", "the position as text (default: the start)"},
        {"--moves", CLI_TEXT, &o.moves, "M..", "moves played from there, separated by blanks"},
        {"--check", CLI_TEXT, &o.check, "FILE",
         "solve every position of a file and compare: OBF, or 'MOVES SCORE' lines"},
        {"--every", CLI_FLAG, &o.every, NULL, "also the score of each move"},
        {"--nodes", CLI_COUNT, &o.nodes, "N", "give up after N positions entered (default: never)"},
        {"--table-bits", CLI_COUNT, &o.table_bits, "N", "othello: 2^N table entries (default: 18)"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a rule of the game; may be repeated"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {"board GAME solve",
                             "[options]",
                             "Finds the exact result of a position of connect4 or othello. Exit "
                             "status 1: not solved, or\nnot as the file says.",
                             options,
                             sizeof options / sizeof options[0],
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    if (!solve_is_othello(game) && game->type != ploy_board_connect4()) {
        return cli_error("unsupported game for solve:", game->type->name);
    }
    status = board_set_rules(game, &o.sets);
    if (status >= 0) return status;
    if (game->type == ploy_board_connect4() &&
        ((const ploy_board_connect4_def *)game->board.rules)->line != 4) {
        return cli_error("unsupported rule for solve:", "line is not 4");
    }
    solve_run run;
    memset(&run, 0, sizeof run);
    run.game = game;
    run.options = &o;
    ploy_result result = solve_create(&run);
    if (result != PLOY_OK) return cli_error_result("board solve", result);
    void *position = NULL;
    if (o.check != NULL) {
        status = solve_check(&run);
    } else {
        status = board_position(game, o.position, o.moves, &position);
        if (status < 0) status = solve_one(&run, position);
    }
    free(position);
    solve_destroy(&run);
    return status;
}
