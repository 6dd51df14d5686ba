// ploy board GAME best: the best move of a position, its line, the other moves, and why not them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board.h"
#include "ploy/base/name.h"
#include "ploy/board/mcts.h"
#include "ploy/board/search.h"
#include "ploy/board/why.h"

typedef struct best_options {
    const char *position, *moves, *search, *why_not;
    int64_t nodes, playouts, depth, seed, lanes, workers;
    bool why, json;
    cli_texts sets, settings;
} best_options;

// A position of the game and room to replay lines on.
typedef struct best_run {
    const best_options *options;
    const board_game *game;
    void *position, *scratch;
} best_run;

static void best_line(const best_run *run, const ploy_board_move *line, int32_t count, char *text,
                      size_t size) {
    ploy_board_line_text(run->game->board, run->position, run->scratch, line, count, text, size);
}

static void write_line(ploy_json_writer *json, const best_run *run, const ploy_board_move *line,
                       int32_t count) {
    const ploy_board_type *type = run->game->type;
    const void *rules = run->game->board.rules;
    memcpy(run->scratch, run->position, type->position_bytes(rules));
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < count && type->side(rules, run->scratch) != PLOY_BOARD_OVER; i++) {
        char text[PLOY_BOARD_MOVE_TEXT];
        type->move_text(rules, run->scratch, line[i], text);
        ploy_json_write_text(json, text);
        type->make(rules, run->scratch, line[i], NULL);
    }
    ploy_json_write_end_array(json);
}

static void write_text(ploy_json_writer *json, const char *key, const char *text) {
    ploy_json_write_key(json, key);
    ploy_json_write_text(json, text);
}

static void write_number(ploy_json_writer *json, const char *key, int64_t value) {
    ploy_json_write_key(json, key);
    ploy_json_write_i64(json, value);
}

static void write_move(ploy_json_writer *json, const best_run *run, ploy_board_move move) {
    char text[PLOY_BOARD_MOVE_TEXT];
    run->game->type->move_text(run->game->board.rules, run->position, move, text);
    write_text(json, "move", text);
}

static void print_part(void *user, const char *name, int32_t score) {
    (void)user;
    printf("    %-28s %d\n", name, score);
}

static void write_part(void *user, const char *name, int32_t score) {
    write_number(user, name, score);
}

// ---- tree search

static void print_search(const best_run *run, const ploy_board_search *search) {
    ploy_board_outcome o = ploy_board_search_outcome(search);
    char line[400], score[40], move[PLOY_BOARD_MOVE_TEXT];
    run->game->type->move_text(run->game->board.rules, run->position, o.move, move);
    ploy_board_score_text(o.score, score, sizeof score);
    best_line(run, o.line, o.line_count, line, sizeof line);
    printf("%s  score %s  depth %d  nodes %lld  line %s\n", move, score, o.depth,
           (long long)o.nodes, line);
    if (!run->options->why) return;
    for (int32_t i = 0; i < ploy_board_search_move_count(search); i++) {
        ploy_board_root_move root = ploy_board_search_move_at(search, i);
        run->game->type->move_text(run->game->board.rules, run->position, root.move, move);
        ploy_board_score_text(root.score, score, sizeof score);
        best_line(run, root.line, root.line_count, line, sizeof line);
        printf("  %-8s %s%-18s depth %-3d %s\n", move, root.exact ? "" : "at most ", score,
               root.depth, line);
    }
    int32_t side = run->game->type->side(run->game->board.rules, run->position);
    if (run->game->type->score_parts != NULL) {
        printf("  evaluation of the position for the side to move:\n");
        run->game->type->score_parts(run->game->board.rules, run->position, side, print_part, NULL);
    }
}

static void write_search(const best_run *run, ploy_board_search *search, ploy_json_writer *json) {
    ploy_board_outcome o = ploy_board_search_outcome(search);
    write_move(json, run, o.move);
    write_number(json, "score", o.score);
    write_number(json, "depth", o.depth);
    write_number(json, "nodes", o.nodes);
    ploy_json_write_key(json, "pv");
    write_line(json, run, o.line, o.line_count);
    ploy_json_write_key(json, "moves");
    ploy_json_write_begin_array(json);
    for (int32_t i = 0; i < ploy_board_search_move_count(search); i++) {
        ploy_board_root_move root = ploy_board_search_move_at(search, i);
        ploy_json_write_begin_object(json);
        write_move(json, run, root.move);
        write_number(json, "score", root.score);
        ploy_json_write_key(json, "exact");
        ploy_json_write_bool(json, root.exact);
        write_number(json, "depth", root.depth);
        ploy_json_write_key(json, "pv");
        write_line(json, run, root.line, root.line_count);
        ploy_json_write_end_object(json);
    }
    ploy_json_write_end_array(json);
    int32_t side = run->game->type->side(run->game->board.rules, run->position);
    if (run->options->why && run->game->type->score_parts != NULL) {
        ploy_json_write_key(json, "parts");
        ploy_json_write_begin_object(json);
        run->game->type->score_parts(run->game->board.rules, run->position, side, write_part, json);
        ploy_json_write_end_object(json);
    }
}

static ploy_result best_search_slice(void *self, ploy_budget *budget) {
    return ploy_board_search_step(self, budget);
}
static uint64_t best_search_done(const void *self) {
    return (uint64_t)ploy_board_search_outcome(self).nodes;
}

static int run_search(const best_run *run, const ploy_board_search_def *def) {
    const best_options *o = run->options;
    const ploy_env *env = &run->game->env;
    ploy_board_search *search = NULL;
    ploy_job_pool *pool = NULL;
    ploy_result result = PLOY_OK;
    if (o->workers > 1) result = ploy_job_pool_create((int32_t)o->workers, env, &pool);
    if (result == PLOY_OK) {
        result = ploy_board_search_create(def, run->game->board, env, &search);
    }
    if (result == PLOY_OK && pool != NULL) {
        ploy_board_search_jobs_set(search, ploy_job_pool_jobs(pool));
    }
    if (result == PLOY_OK) result = ploy_board_search_begin(search, run->position, NULL, 0);
    cli_work work = {best_search_slice, search, best_search_done,
                     def->nodes > 0 ? (uint64_t)def->nodes : 0};
    if (result == PLOY_OK) result = cli_work_run("searching", &work, true);
    int status = -1;
    ploy_writer out = cli_stream_writer(stdout);
    ploy_json_writer json;
    if (result == PLOY_OK && o->json) {
        ploy_json_writer_init(&json, &out, 0);
        ploy_json_write_begin_object(&json);
        write_search(run, search, &json);
    } else if (result == PLOY_OK) {
        print_search(run, search);
    }
    if (result == PLOY_OK && o->why_not != NULL) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        ploy_board_answer answer;
        status = board_move(run->game, run->position, o->why_not, &move);
        if (status < 0) result = ploy_board_why_not(search, run->position, move, &answer);
        if (status < 0 && result == PLOY_OK) {
            if (o->json)
                write_text(&json, "why_not", answer.text);
            else
                printf("%s\n", answer.text);
        }
    }
    if (o->json && result == PLOY_OK && status < 0) {
        ploy_json_write_end_object(&json);
        (void)ploy_json_writer_finish(&json);
        putchar('\n');
    }
    ploy_board_search_destroy(search);
    ploy_job_pool_destroy(pool);
    if (status >= 0) return status;
    if (result == PLOY_ERR_STATE) return cli_error("the game is over, or chance is to move", NULL);
    return result == PLOY_OK ? CLI_OK : cli_error_result("board best", result);
}

// ---- Monte Carlo

static void print_mcts(const best_run *run, const ploy_board_mcts *mcts, ploy_json_writer *json) {
    ploy_board_mcts_outcome o = ploy_board_mcts_outcome_of(mcts);
    char line[400], move[PLOY_BOARD_MOVE_TEXT];
    if (json != NULL) {
        write_move(json, run, o.move);
        ploy_json_write_key(json, "score");
        ploy_json_write_f32(json, o.ratio);
        write_number(json, "depth", o.line_count);
        write_number(json, "nodes", o.playouts);
        ploy_json_write_key(json, "pv");
        write_line(json, run, o.line, o.line_count);
        ploy_json_write_key(json, "moves");
        ploy_json_write_begin_array(json);
    } else {
        run->game->type->move_text(run->game->board.rules, run->position, o.move, move);
        best_line(run, o.line, o.line_count, line, sizeof line);
        printf("%s  ratio %.3f  playouts %d  line %s\n", move, (double)o.ratio, o.playouts, line);
    }
    for (int32_t i = 0; i < ploy_board_mcts_move_count(mcts); i++) {
        ploy_board_mcts_move m = ploy_board_mcts_move_at(mcts, i);
        if (json != NULL) {
            ploy_json_write_begin_object(json);
            write_move(json, run, m.move);
            write_number(json, "visits", m.visits);
            ploy_json_write_key(json, "score");
            ploy_json_write_f32(json, m.ratio);
            ploy_json_write_key(json, "confidence");
            ploy_json_write_f32(json, m.confidence);
            write_number(json, "proven", m.proven);
            ploy_json_write_end_object(json);
        } else if (run->options->why) {
            run->game->type->move_text(run->game->board.rules, run->position, m.move, move);
            printf("  %-8s %7d visits  %.3f +- %.3f%s\n", move, m.visits, (double)m.ratio,
                   (double)m.confidence,
                   m.proven > 0   ? "  proven win"
                   : m.proven < 0 ? "  proven loss"
                                  : "");
        }
    }
    if (json != NULL) ploy_json_write_end_array(json);
}

static ploy_result best_mcts_slice(void *self, ploy_budget *budget) {
    return ploy_board_mcts_step(self, budget);
}
static uint64_t best_mcts_done(const void *self) {
    return (uint64_t)ploy_board_mcts_outcome_of(self).playouts;
}

static int run_mcts(const best_run *run, const ploy_board_mcts_def *def) {
    const best_options *o = run->options;
    const ploy_env *env = &run->game->env;
    ploy_board_mcts *mcts = NULL;
    ploy_job_pool *pool = NULL;
    ploy_result result = PLOY_OK;
    if (o->workers > 1) result = ploy_job_pool_create((int32_t)o->workers, env, &pool);
    if (result == PLOY_OK) result = ploy_board_mcts_create(def, run->game->board, env, &mcts);
    if (result == PLOY_OK && pool != NULL) {
        ploy_board_mcts_jobs_set(mcts, ploy_job_pool_jobs(pool));
    }
    if (result == PLOY_OK) result = ploy_board_mcts_begin(mcts, run->position);
    cli_work work = {best_mcts_slice, mcts, best_mcts_done, (uint64_t)def->playouts};
    if (result == PLOY_OK) result = cli_work_run("playouts", &work, true);
    if (result == PLOY_OK) {
        ploy_writer out = cli_stream_writer(stdout);
        ploy_json_writer json;
        if (o->json) {
            ploy_json_writer_init(&json, &out, 0);
            ploy_json_write_begin_object(&json);
        }
        print_mcts(run, mcts, o->json ? &json : NULL);
        if (o->json) {
            ploy_json_write_end_object(&json);
            (void)ploy_json_writer_finish(&json);
            putchar('\n');
        }
    }
    ploy_board_mcts_destroy(mcts);
    ploy_job_pool_destroy(pool);
    if (result == PLOY_ERR_STATE) return cli_error("the game is over, or chance is to move", NULL);
    return result == PLOY_OK ? CLI_OK : cli_error_result("board best", result);
}

// Changes settings that do not start from the defaults. -1, or the exit status after a message.
static int best_settings(ploy_fields fields, void *def, const cli_texts *sets) {
    for (int32_t i = 0; i < sets->count; i++) {
        const char *equals = strchr(sets->items[i], '=');
        char path[PLOY_FIELD_PATH_MAX];
        size_t length = equals != NULL ? (size_t)(equals - sets->items[i]) : 0;
        if (length == 0 || length >= sizeof path) {
            return cli_error("--search-set expects NAME=VALUE, got", sets->items[i]);
        }
        memcpy(path, sets->items[i], length);
        path[length] = 0;
        ploy_env env = cli_env();
        ploy_diags *diags = NULL;
        ploy_result result = ploy_diags_create(4, &env, &diags);
        if (result == PLOY_OK) {
            result = ploy_fields_set_text(fields, def, path, equals + 1, diags);
        }
        int status = result == PLOY_OK ? -1
                     : diags != NULL   ? cli_error_diags(diags)
                                       : cli_error_result("--search-set", result);
        ploy_diags_destroy(diags);
        if (status >= 0) return status;
    }
    return -1;
}

static int run_best(const best_options *o, const board_game *game, void *position) {
    void *scratch = calloc(1, game->type->position_bytes(game->board.rules));
    if (scratch == NULL) return cli_error_result("board best", PLOY_ERR_MEMORY);
    best_run run = {o, game, position, scratch};
    bool mcts = o->playouts > 0 || (o->search != NULL && strcmp(o->search, "mcts") == 0);
    int status = -1;
    if (mcts) {
        ploy_board_mcts_def def = ploy_board_mcts_def_strong(game->board);
        if (o->playouts > 0) {
            def.playouts = (int32_t)(o->playouts < 100000000 ? o->playouts : 100000000);
        }
        if (o->seed > 0) def.seed = (uint64_t)o->seed;
        def.nodes = def.playouts < 100000 ? 100000 : 1000000;
        status = best_settings(ploy_board_mcts_fields(), &def, &o->settings);
        if (status < 0 && o->why_not != NULL) {
            status = cli_error("--why-not needs a tree search: --depth or --nodes", NULL);
        }
        if (status < 0) status = run_mcts(&run, &def);
    } else {
        ploy_board_search_def def = ploy_board_search_def_strong(game->board);
        ploy_nearest nearest = ploy_nearest_make(o->search != NULL ? o->search : "");
        bool found = o->search == NULL;
        for (int32_t m = 0; m < PLOY_BOARD_METHODS && !found; m++) {
            found = strcmp(o->search, ploy_board_method_text((ploy_board_method)m)) == 0;
            if (found) def.method = (ploy_board_method)m;
            ploy_nearest_offer(&nearest, ploy_board_method_text((ploy_board_method)m));
        }
        if (!found) status = cli_error_near("unknown search", o->search, nearest.best);
        if (o->depth > 0) def.depth = (int32_t)(o->depth < 120 ? o->depth : 120);
        if (o->nodes > 0) def.nodes = (int32_t)(o->nodes < INT32_MAX ? o->nodes : INT32_MAX);
        if (o->why) def.candidates = 4096;
        if (o->lanes > 0) def.lanes = (int32_t)(o->lanes < INT32_MAX ? o->lanes : INT32_MAX);
        if (status < 0) status = best_settings(ploy_board_search_fields(), &def, &o->settings);
        if (status < 0) status = run_search(&run, &def);
    }
    free(scratch);
    return status;
}

int board_best(board_game *game, int argc, char **argv) {
    best_options o;
    memset(&o, 0, sizeof o);
    o.workers = 1;
    const cli_option options[] = {
        {"--position", CLI_TEXT, &o.position, "P", "the position as text (default: the start)"},
        {"--moves", CLI_TEXT, &o.moves, "M..", "moves played from there, separated by blanks"},
        {"--nodes", CLI_COUNT, &o.nodes, "N", "most nodes of a tree search"},
        {"--playouts", CLI_COUNT, &o.playouts, "N", "Monte Carlo search with N playouts"},
        {"--depth", CLI_COUNT, &o.depth, "D", "plies of a tree search"},
        {"--search", CLI_TEXT, &o.search, "NAME", "alphabeta, pvs, mtdf, ... or mcts"},
        {"--seed", CLI_COUNT, &o.seed, "S", "seed of the playouts"},
        {"--lanes", CLI_COUNT, &o.lanes, "N", "root moves that a tree search takes at once"},
        {"--workers", CLI_COUNT, &o.workers, "N",
         "threads for --lanes, or for the trees of Monte Carlo"},
        {"--why", CLI_FLAG, &o.why, NULL, "print every move with its score and line"},
        {"--why-not", CLI_TEXT, &o.why_not, "M", "say what is wrong with a move"},
        {"--set", CLI_MANY, &o.sets, "K=V", "set a rule of the game; may be repeated"},
        {"--search-set", CLI_MANY, &o.settings, "K=V", "set a setting of the search"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {"board GAME best",
                             "--nodes N | --playouts N | --depth D [options]",
                             "Finds the best move of a position.",
                             options,
                             sizeof options / sizeof options[0],
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    if (o.nodes == 0 && o.playouts == 0 && o.depth == 0) {
        return cli_error("board best needs --nodes, --playouts or --depth", NULL);
    }
    if (o.workers < 1 || o.workers > PLOY_JOBS_WORKERS_MAX) {
        return cli_error("--workers must be 1 to 256", NULL);
    }
    if (o.lanes > PLOY_BOARD_LANES_MAX) return cli_error("--lanes must be at most 64", NULL);
    status = board_set_rules(game, &o.sets);
    void *position = NULL;
    if (status < 0) status = board_position(game, o.position, o.moves, &position);
    if (status < 0) status = run_best(&o, game, position);
    free(position);
    return status;
}
