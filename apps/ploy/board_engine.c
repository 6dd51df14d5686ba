// The part of a chess engine that UCI and XBoard share.
#include "apps/ploy/board_engine.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"

enum {
    ENGINE_LINE_MAX = 1 << 20,
    ENGINE_DEPTH_MAX = 60,
    ENGINE_OVERHEAD_MS = 20,
    ENGINE_LAG_MAX_MS = 500
};

// ---- input ----

static bool engine_read_more(engine_input *input, int wait_ms) {
    struct pollfd poller = {STDIN_FILENO, POLLIN, 0};
    if (input->ended || poll(&poller, 1, wait_ms) <= 0) return false;
    char bytes[4096];
    ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
    if (size <= 0 || ploy_buffer_append(&input->buffer, bytes, (size_t)size) != PLOY_OK) {
        input->ended = true;
        return false;
    }
    return true;
}

const char *engine_line(board_engine *engine, int wait_ms) {
    engine_input *input = &engine->input;
    ploy_buffer_consume(&input->buffer, input->taken);
    input->taken = 0;
    for (;;) {
        char *end =
            input->buffer.size > 0 ? memchr(input->buffer.bytes, '\n', input->buffer.size) : NULL;
        if (end != NULL) {
            input->taken = (size_t)(end - input->buffer.bytes) + 1;
            *end = 0;
            if (end > input->buffer.bytes && end[-1] == '\r') end[-1] = 0;
            return input->buffer.bytes;
        }
        if (!engine_read_more(input, wait_ms)) return NULL;
    }
}

int64_t engine_number(int64_t value) {
    const int64_t most = INT64_C(1000000000000);
    return value > most ? most : value < -most ? -most : value;
}

// ---- the game ----

static void engine_reset(board_engine *engine) {
    engine->plies = 0;
    memset(engine->position, 0, sizeof engine->position);
    engine->game->type->start(&engine->game->rules, engine->position);
}

ploy_result engine_create(board_game *game, board_engine **out) {
    *out = NULL;
    board_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return PLOY_ERR_MEMORY;
    engine->game = game;
    engine->hash_mb = 16;
    engine->threads = 1;
    ploy_buffer_init(&engine->input.buffer, ENGINE_LINE_MAX, &game->env);
    engine_reset(engine);
    ploy_result result = board_sources_create(game, &engine->sources);
    if (result == PLOY_OK) result = engine_prepare(engine);
    if (result != PLOY_OK) {
        engine_destroy(engine);
        return result;
    }
    *out = engine;
    return PLOY_OK;
}

void engine_destroy(board_engine *engine) {
    if (engine == NULL) return;
    ploy_board_player_destroy(engine->player);
    ploy_job_pool_destroy(engine->pool);
    board_sources_destroy(engine->sources);
    ploy_buffer_fini(&engine->input.buffer);
    free(engine);
}

ploy_result engine_prepare(board_engine *engine) {
    ploy_board_player_def def =
        ploy_board_player_def_for(engine->game->board, (int32_t)engine->level);
    def.search.table.kilobytes = (int32_t)engine->hash_mb * 1024;
    def.seed = ploy_os_clock_ns(); // books and levels vary from game to game
    // The same lanes for any number of threads above one: they play the same moves.
    if (engine->threads > 1) def.search.lanes = ENGINE_LANES;
    ploy_board_player *player = NULL;
    ploy_job_pool *pool = NULL;
    const ploy_env *env = &engine->game->env;
    ploy_result result = ploy_board_player_create(&def, engine->game->board, env, &player);
    if (result == PLOY_OK && engine->threads > 1) {
        result = ploy_job_pool_create((int32_t)engine->threads, env, &pool);
        if (result == PLOY_OK) ploy_board_player_jobs_set(player, ploy_job_pool_jobs(pool));
    }
    if (result == PLOY_OK) result = board_sources_add(engine->sources, player);
    if (result != PLOY_OK) {
        ploy_board_player_destroy(player);
        ploy_job_pool_destroy(pool);
        return result;
    }
    ploy_board_player_destroy(engine->player);
    ploy_job_pool_destroy(engine->pool);
    engine->player = player;
    engine->pool = pool;
    return PLOY_OK;
}

bool engine_option(board_engine *engine, const char *name, const char *value, char message[160]) {
    int64_t number = 0;
    bool whole = ploy_parse_i64(value, strlen(value), NULL, &number) == PLOY_OK;
    int64_t hash_mb = engine->hash_mb, level = engine->level, threads = engine->threads;
    message[0] = 0;
    if (strcmp(value, "<empty>") == 0) value = "";
    if (strcmp(name, "hash") == 0 && whole) {
        engine->hash_mb = number < 1 ? 1 : number > 1024 ? 1024 : number;
    } else if (strcmp(name, "threads") == 0 && whole) {
        engine->threads = number < 1 ? 1 : number > ENGINE_THREADS ? ENGINE_THREADS : number;
    } else if (strcmp(name, "level") == 0 && whole) {
        engine->level = number < 0 ? 0 : number > 10 ? 10 : number;
    } else if (strcmp(name, "book") == 0) {
        return board_sources_book(engine->sources, value, message);
    } else if (strcmp(name, "endings") == 0) {
        if (!board_sources_endings(engine->sources, value, message)) return false;
    } else {
        return false;
    }
    if (engine_prepare(engine) == PLOY_OK) return true;
    engine->hash_mb = hash_mb;
    engine->level = level;
    engine->threads = threads;
    snprintf(message, 160, "not enough memory or threads");
    return false;
}

void engine_clear(board_engine *engine) {
    ploy_board_search *search = ploy_board_player_search(engine->player);
    if (search != NULL) ploy_board_table_clear(ploy_board_search_table(search));
}

bool engine_is_chess960(const board_engine *engine) {
    ploy_board_chess_def rules;
    memcpy(&rules, &engine->game->rules, sizeof rules);
    return rules.chess960;
}

void engine_set_chess960(board_engine *engine, bool on) {
    ploy_board_chess_def rules;
    memcpy(&rules, &engine->game->rules, sizeof rules);
    rules.chess960 = on;
    memcpy(&engine->game->rules, &rules, sizeof rules);
}

bool engine_set(board_engine *engine, const char *text) {
    if (text == NULL) {
        engine_reset(engine);
        return true;
    }
    const board_game *game = engine->game;
    if (game->type->parse(&game->rules, text, "position", engine->position, NULL) != PLOY_OK)
        return false;
    engine->plies = 0;
    return true;
}

bool engine_play(board_engine *engine, const char *text) {
    const board_game *game = engine->game;
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    if (game->type->move_parse(&game->rules, engine->position, text, "move", &move, NULL) !=
        PLOY_OK)
        return false;
    if (engine->plies == ENGINE_PLIES) { // no engine takes back so far
        memmove(engine->positions[0], engine->positions[ENGINE_PLIES / 2],
                sizeof engine->positions / 2);
        memmove(engine->history, engine->history + ENGINE_PLIES / 2, sizeof engine->history / 2);
        engine->plies = ENGINE_PLIES / 2;
    }
    memcpy(engine->positions[engine->plies], engine->position, sizeof engine->position);
    engine->history[engine->plies++] = game->type->hash(&game->rules, engine->position);
    game->type->make(&game->rules, engine->position, move, NULL);
    return true;
}

bool engine_undo(board_engine *engine) {
    if (engine->plies == 0) return false;
    memcpy(engine->position, engine->positions[--engine->plies], sizeof engine->position);
    return true;
}

// ---- searching ----

void engine_time(engine_limits *limits, int64_t left_ms, int64_t increment_ms, int64_t moves_to_go,
                 int64_t lag_ms) {
    int64_t left = left_ms > 2 * lag_ms ? left_ms - lag_ms : left_ms / 2;
    int64_t moves = moves_to_go > 0 && moves_to_go < 30 ? moves_to_go + 1 : 30;
    int64_t most = moves_to_go == 1 ? left * 8 / 10 : left / 4;
    int64_t share = left / moves + increment_ms * 3 / 4;
    if (share > most) share = most;
    limits->soft_ms = share * 6 / 10;
    limits->hard_ms = share * 3 < most ? share * 3 : most;
    if (limits->hard_ms < 1) limits->hard_ms = 1;
    if (limits->soft_ms < 1) limits->soft_ms = 1;
}

void engine_clock(board_engine *engine, engine_limits *limits, int64_t left_ms,
                  int64_t increment_ms, int64_t moves_to_go) {
    if (engine->plies < 2) engine->clock_ms = 0; // another game
    if (engine->clock_ms == 0) engine->lag_ms = ENGINE_OVERHEAD_MS;
    // What the clock lost beyond the search: pipes, the other program, a busy machine.
    int64_t lag = engine->clock_ms + engine->clock_increment - left_ms - engine->spent_ms;
    if (engine->clock_ms > 0 && lag > engine->lag_ms)
        engine->lag_ms = lag < ENGINE_LAG_MAX_MS ? lag : ENGINE_LAG_MAX_MS;
    engine->clock_ms = left_ms;
    engine->clock_increment = increment_ms;
    engine_time(limits, left_ms, increment_ms, moves_to_go, engine->lag_ms);
}

int64_t engine_elapsed_ms(const board_engine *engine) {
    return (int64_t)((ploy_os_clock_ns() - engine->began_ns) / 1000000);
}

bool engine_begin(board_engine *engine, engine_limits limits, const ploy_board_move *only,
                  int32_t count) {
    engine->limits = limits;
    engine->began_ns = ploy_os_clock_ns();
    engine->shown = 0;
    ploy_board_player_go_to(engine->player, engine->position, engine->history, engine->plies);
    // An analysis is about the search, so neither the book nor a level takes part.
    bool analysis = count > 0 || limits.mate > 0 || (limits.infinite && !limits.ponder);
    ploy_result result = analysis ? ploy_board_player_analyze(engine->player)
                                  : ploy_board_player_begin(engine->player);
    if (result != PLOY_OK) return false;
    engine->searching = true;
    if (ploy_board_player_choice(engine->player).done) return true;
    if (count > 0)
        (void)ploy_board_search_only(ploy_board_player_search(engine->player), only, count);
    int64_t depth = limits.depth > 0 && limits.depth < ENGINE_DEPTH_MAX ? limits.depth : 0;
    if (limits.mate > 0 && limits.mate < ENGINE_DEPTH_MAX / 2) depth = 2 * limits.mate;
    // The nodes of a level are part of its strength.
    ploy_board_player_limit(engine->player, (int32_t)depth,
                            analysis || engine->level == 0 ? limits.nodes : 0);
    return true;
}

ploy_board_outcome engine_outcome(const board_engine *engine) {
    ploy_board_choice_made choice = ploy_board_player_choice(engine->player);
    ploy_board_outcome none;
    memset(&none, 0, sizeof none);
    bool searched = !choice.done || choice.units > 0; // a book or an ending spends none
    return searched ? ploy_board_search_outcome(ploy_board_player_search(engine->player)) : none;
}

bool engine_slice(board_engine *engine) {
    ploy_budget budget = ploy_budget_units(ENGINE_SLICE_NODES);
    if (ploy_board_player_step(engine->player, &budget) != PLOY_IN_PROGRESS) return false;
    ploy_board_outcome outcome = engine_outcome(engine);
    if (outcome.move == PLOY_BOARD_NO_MOVE || engine->limits.infinite) return true;
    int64_t ms = engine_elapsed_ms(engine);
    if (engine->limits.hard_ms > 0 && ms >= engine->limits.hard_ms) return false;
    // Another depth would hardly be finished in what is left.
    return engine->limits.soft_ms == 0 || ms < engine->limits.soft_ms ||
           outcome.depth == engine->shown;
}

ploy_board_move engine_stop(board_engine *engine) {
    if (engine->searching) engine->spent_ms = engine_elapsed_ms(engine);
    engine->searching = false;
    ploy_board_player_stop(engine->player);
    return ploy_board_player_choice(engine->player).move;
}

ploy_board_move engine_fallback(const board_engine *engine) {
    const board_game *game = engine->game;
    ploy_board_move moves[512];
    return game->type->moves(&game->rules, engine->position, moves, 512) > 0 ? moves[0]
                                                                             : PLOY_BOARD_NO_MOVE;
}

int32_t engine_mate_in(int32_t score) {
    if (score > PLOY_BOARD_EVALUATION) return (PLOY_BOARD_WIN - score + 1) / 2;
    if (score < -PLOY_BOARD_EVALUATION) return -(PLOY_BOARD_WIN + score + 1) / 2;
    return 0;
}

void engine_score_text(int32_t score, char out[32]) {
    int32_t mate = engine_mate_in(score);
    bool near_mate = score > PLOY_BOARD_EVALUATION || score < -PLOY_BOARD_EVALUATION;
    snprintf(out, 32, near_mate ? "mate %d" : "cp %d", near_mate ? mate : score);
}

void engine_print_line(const board_engine *engine, const ploy_board_move *line, int32_t count) {
    const board_game *game = engine->game;
    uint64_t position[ENGINE_POSITION_BYTES / 8];
    memcpy(position, engine->position, sizeof position);
    for (int32_t i = 0; i < count; i++) {
        char text[PLOY_BOARD_MOVE_TEXT];
        game->type->move_text(&game->rules, position, line[i], text);
        printf(" %s", text);
        game->type->make(&game->rules, position, line[i], NULL);
    }
}
