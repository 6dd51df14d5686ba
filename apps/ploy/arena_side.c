// The sides of an arena; see the header.
#include "apps/ploy/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_engine.h"
#include "apps/ploy/process.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"
#include "ploy/board/draughts.h"
#include "ploy/board/go.h"
#include "ploy/board/learned.h"
#include "ploy/board/othello.h"
#include "ploy/board/player.h"
#include "ploy/data/board_file.h"

typedef enum arena_kind {
    ARENA_LEVEL,
    ARENA_MCTS,
    ARENA_SEARCH,
    ARENA_RANDOM,
    ARENA_LEARNED,
    ARENA_UCI,
    ARENA_XBOARD,
    ARENA_GTP,
    ARENA_KINDS
} arena_kind;
static const char *const arena_kinds[ARENA_KINDS] = {"level",   "mcts", "search", "random",
                                                     "learned", "uci",  "xboard", "gtp"};

enum { ARENA_OPTIONS = 32, ARENA_LINE = 4096, ARENA_START_MS = 10000, ARENA_TEXT_MAX = 1 << 26 };

struct arena_side {
    const board_game *game;
    arena_kind kind;
    char *text;                         // copy that the others point into
    const char *command;                // of an engine
    const char *options[ARENA_OPTIONS]; // "K=V"
    int32_t option_count;
    int64_t level, depth, nodes, move_ms, playouts, timeout_ms;
    ploy_board_player *player;
    ploy_board_learned *learned;
    ploy_board_evaluator *evaluator;
    ploy_rng rng;
    ploy_board_move *legal;
    process *engine;
    bool usermove; // xboard: feature
    char *start;   // of this game; NULL: the start
    int32_t told;  // moves of this game that the engine knows
};

// ---- reading

static bool arena_number(const char *text, int64_t *out) {
    return ploy_parse_i64(text, strlen(text), NULL, out) == PLOY_OK && *out >= 0;
}

// Limits are ours, everything else goes to the engine. False: a bad number.
static bool arena_option(arena_side *side, const char *option) {
    const struct {
        const char *name;
        int64_t *value;
    } limits[] = {{"depth=", &side->depth},
                  {"nodes=", &side->nodes},
                  {"movetime=", &side->move_ms},
                  {"playouts=", &side->playouts}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        size_t size = strlen(limits[i].name);
        if (strncmp(option, limits[i].name, size) == 0)
            return arena_number(option + size, limits[i].value);
    }
    if (side->kind < ARENA_UCI || side->option_count == ARENA_OPTIONS ||
        strchr(option, '=') == NULL) {
        return false;
    }
    side->options[side->option_count++] = option;
    return true;
}

static int arena_load(arena_side *side, const char *path) {
    const board_game *game = side->game;
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, ARENA_TEXT_MAX, &game->env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_diags *diags = NULL;
    result = ploy_diags_create(4, &game->env, &diags);
    if (result == PLOY_OK)
        result = ploy_board_learned_load(file.bytes, file.size, path, game->board, &game->env,
                                         diags, &side->learned);
    int status = result == PLOY_OK           ? -1
                 : result == PLOY_ERR_FORMAT ? cli_error_diags(diags)
                                             : cli_error_result(path, result);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&file);
    if (status < 0 &&
        ploy_board_evaluator_create(side->learned, &game->env, &side->evaluator) != PLOY_OK) {
        status = cli_error_result(path, PLOY_ERR_MEMORY);
    }
    return status;
}

// Whether the kind suits the game. -1, or the exit status after a message.
static int arena_check(const arena_side *side, const char *text) {
    bool chess = side->game->type == ploy_board_chess();
    if ((side->kind == ARENA_UCI || side->kind == ARENA_XBOARD) && !chess)
        return cli_error("UCI and XBoard are for chess, not", text);
    if (side->kind == ARENA_GTP && chess) return cli_error("GTP is not for chess:", text);
    if (side->kind >= ARENA_UCI && *side->command == 0)
        return cli_error("the command of the engine is missing:", text);
    if (side->kind == ARENA_LEVEL && (side->level < 1 || side->level > 10))
        return cli_error("a level is 1 to 10, not", text);
    if (side->nodes > 100000000 || side->playouts > 100000000 || side->depth > 100)
        return cli_error("the limit is too large:", text);
    return -1;
}

arena_side *arena_side_create(const char *text, const board_game *game, int64_t timeout_ms,
                              int *status) {
    arena_side *side = calloc(1, sizeof *side);
    char *copy = malloc(strlen(text) + 1);
    ploy_board_move *legal = calloc((size_t)game->type->max_moves, sizeof *legal);
    if (side == NULL || copy == NULL || legal == NULL) {
        free(side);
        free(copy);
        free(legal);
        *status = cli_error_result("arena", PLOY_ERR_MEMORY);
        return NULL;
    }
    memcpy(copy, text, strlen(text) + 1);
    side->game = game;
    side->text = copy;
    side->legal = legal;
    side->timeout_ms = timeout_ms;
    char *rest = copy + strcspn(copy, ":");
    if (*rest != 0) *rest++ = 0;
    int32_t kind = 0;
    while (kind < ARENA_KINDS && strcmp(arena_kinds[kind], copy) != 0) kind++;
    side->kind = (arena_kind)kind;
    side->command = "";
    *status = kind < ARENA_KINDS ? -1
                                 : cli_error("unknown side (level:N, mcts:, search:, random, "
                                             "learned:F, uci:, xboard:, gtp:):",
                                             text);
    if (*status < 0 && kind == ARENA_LEVEL && !arena_number(rest, &side->level)) side->level = 0;
    if (*status < 0 && kind == ARENA_LEARNED) *status = arena_load(side, rest);
    bool engine = kind >= ARENA_UCI, ours = kind == ARENA_MCTS || kind == ARENA_SEARCH;
    if (engine) {
        side->command = rest;
        rest += strcspn(rest, "|");
        if (*rest != 0) *rest++ = 0;
    }
    while (*status < 0 && (engine || ours) && *rest != 0) {
        char *option = rest;
        rest += strcspn(rest, engine ? "|" : ",");
        if (*rest != 0) *rest++ = 0;
        if (!arena_option(side, option)) *status = cli_error("invalid option of a side:", option);
    }
    if (*status < 0) *status = arena_check(side, text);
    if (*status < 0) return side;
    arena_side_destroy(side);
    return NULL;
}

static const char *arena_quit_line(const arena_side *side) {
    return side->kind >= ARENA_UCI ? "quit" : NULL;
}

void arena_side_destroy(arena_side *side) {
    if (side == NULL) return;
    process_stop(side->engine, arena_quit_line(side));
    ploy_board_player_destroy(side->player);
    ploy_board_evaluator_destroy(side->evaluator);
    ploy_board_learned_destroy(side->learned);
    free(side->legal);
    free(side->start);
    free(side->text);
    free(side);
}

// ---- players of the library

static arena_fault arena_begin_player(arena_side *side, uint64_t seed) {
    const board_game *game = side->game;
    ploy_board_player_destroy(side->player); // a game depends on its seed alone
    side->player = NULL;
    int32_t level = side->kind == ARENA_LEVEL ? (int32_t)side->level : 0;
    ploy_board_player_def def = ploy_board_player_def_for(game->board, level);
    def.seed = def.mcts.seed = seed;
    if (side->kind == ARENA_MCTS) {
        def.monte_carlo = true;
        def.mcts.playouts = side->playouts > 0 ? (int32_t)side->playouts : 1000;
        int64_t room = (int64_t)def.mcts.playouts * 40 + 1000;
        def.mcts.nodes = room < 2000000 ? (int32_t)room : 2000000;
    }
    if (side->kind == ARENA_SEARCH) {
        def.monte_carlo = false;
        if (side->depth > 0) def.search.depth = (int32_t)side->depth;
        if (side->nodes > 0) def.search.nodes = (int32_t)side->nodes;
        if (side->depth == 0 && side->nodes == 0) def.search.nodes = 10000;
    }
    ploy_result result = ploy_board_player_create(&def, game->board, &game->env, &side->player);
    return result == PLOY_OK ? ARENA_FINE : ARENA_FAILED;
}

// Thinks in slices until the move is chosen or its share of the clock is used.
static ploy_result arena_think_player(ploy_board_player *player, int32_t mover,
                                      const arena_clock *clock) {
    if (clock->base_ms == 0) return ploy_board_player_step(player, NULL);
    engine_limits limits = {0};
    engine_time(&limits, clock->left_us[mover] / 1000, clock->increment_ms, 0, 2);
    uint64_t began = ploy_os_clock_ns();
    int64_t slice = ploy_board_player_mcts(player) != NULL ? 4 : 250;
    ploy_result result = PLOY_IN_PROGRESS;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_board_player_step(player, &budget);
        int64_t ms = (int64_t)((ploy_os_clock_ns() - began) / 1000000);
        if (result != PLOY_IN_PROGRESS || ms < limits.soft_ms) continue;
        ploy_board_player_stop(player);
        result = PLOY_OK;
    }
    return result;
}

static arena_fault arena_move_player(arena_side *side, const void *position,
                                     const ploy_board_move *moves, int32_t count,
                                     const arena_clock *clock, ploy_board_move *move) {
    // The moves that it has not seen; at first everything, or a position.
    if (side->told == 0) {
        if (ploy_board_player_new_game(side->player, position) != PLOY_OK) return ARENA_FAILED;
    } else {
        for (int32_t i = side->told; i < count; i++) {
            if (ploy_board_player_play(side->player, moves[i]) != PLOY_OK) return ARENA_FAILED;
        }
    }
    ploy_result result = ploy_board_player_begin(side->player);
    int32_t mover = side->game->type->side(&side->game->rules, position);
    if (result == PLOY_OK) result = arena_think_player(side->player, mover, clock);
    if (result != PLOY_OK) return ARENA_FAILED;
    *move = ploy_board_player_choice(side->player).move;
    if (ploy_board_player_play(side->player, *move) != PLOY_OK) return ARENA_FAILED;
    side->told = count + 1;
    return ARENA_FINE;
}

static arena_fault arena_move_simple(arena_side *side, const void *position,
                                     ploy_board_move *move) {
    const board_game *game = side->game;
    int32_t count = game->type->moves(&game->rules, position, side->legal, game->type->max_moves);
    if (side->kind == ARENA_RANDOM) {
        *move = side->legal[ploy_rng_below(&side->rng, (uint64_t)count)];
        return ARENA_FINE;
    }
    // One ply of the learned evaluation.
    int32_t player = game->type->side(&game->rules, position), most = -PLOY_BOARD_INFINITY;
    size_t bytes = game->type->position_bytes(&game->rules);
    void *copy = malloc(bytes);
    if (copy == NULL) return ARENA_FAILED;
    for (int32_t i = 0; i < count; i++) {
        memcpy(copy, position, bytes);
        game->type->make(&game->rules, copy, side->legal[i], NULL);
        int32_t score = game->type->side(&game->rules, copy) == PLOY_BOARD_OVER
                            ? game->type->result(&game->rules, copy, player)
                            : ploy_board_evaluator_score(side->evaluator, copy, player);
        if (score <= most) continue;
        most = score;
        *move = side->legal[i];
    }
    free(copy);
    return ARENA_FINE;
}

// ---- engines

static arena_fault arena_read(arena_side *side, char *line, long long deadline) {
    process_read_result read = process_read(side->engine, line, ARENA_LINE, deadline);
    return read == PROCESS_LINE ? ARENA_FINE : read == PROCESS_TIMEOUT ? ARENA_HANGS : ARENA_DIED;
}

// Reads until a line that begins with the word.
static arena_fault arena_expect(arena_side *side, const char *word, char *line,
                                long long deadline) {
    for (;;) {
        arena_fault fault = arena_read(side, line, deadline);
        if (fault != ARENA_FINE) return fault;
        if (strncmp(line, word, strlen(word)) == 0) return ARENA_FINE;
        if (side->kind == ARENA_XBOARD && strstr(line, "usermove=1") != NULL) side->usermove = true;
    }
}

static arena_fault arena_say(arena_side *side, const char *line) {
    return process_write(side->engine, line) ? ARENA_FINE : ARENA_DIED;
}

// A GTP command and its answer, in line.
static arena_fault arena_ask(arena_side *side, const char *command, char *line,
                             long long deadline) {
    arena_fault fault = arena_say(side, command);
    bool answered = false;
    char next[ARENA_LINE];
    while (fault == ARENA_FINE) { // an answer ends with an empty line
        fault = arena_read(side, next, deadline);
        if (fault != ARENA_FINE || (next[0] == 0 && answered)) break;
        if (!answered && (next[0] == '=' || next[0] == '?')) {
            answered = true;
            memcpy(line, next, sizeof next);
        }
    }
    return fault;
}

static arena_fault arena_start_engine(arena_side *side) {
    char line[ARENA_LINE], text[ARENA_LINE];
    long long deadline = process_now_ms() + ARENA_START_MS;
    side->engine = process_start(side->command);
    if (side->engine == NULL) return ARENA_DIED;
    arena_fault fault = ARENA_FINE;
    if (side->kind == ARENA_UCI) {
        fault = arena_say(side, "uci");
        if (fault == ARENA_FINE) fault = arena_expect(side, "uciok", line, deadline);
        ploy_board_chess_def rules;
        memcpy(&rules, &side->game->rules, sizeof rules);
        if (fault == ARENA_FINE && rules.chess960)
            fault = arena_say(side, "setoption name UCI_Chess960 value true");
        for (int32_t i = 0; i < side->option_count && fault == ARENA_FINE; i++) {
            int name = (int)strcspn(side->options[i], "=");
            snprintf(text, sizeof text, "setoption name %.*s value %s", name, side->options[i],
                     side->options[i] + name + 1);
            fault = arena_say(side, text);
        }
    } else if (side->kind == ARENA_XBOARD) {
        fault = arena_say(side, "xboard\nprotover 2\nping 1");
        if (fault == ARENA_FINE) {
            // Engines without ping answer nothing; two seconds are enough for the features.
            arena_fault pong = arena_expect(side, "pong", line, process_now_ms() + 2000);
            if (pong == ARENA_DIED) fault = pong;
        }
        for (int32_t i = 0; i < side->option_count && fault == ARENA_FINE; i++) {
            snprintf(text, sizeof text, "option %s", side->options[i]);
            fault = arena_say(side, text);
        }
    } else {
        fault = arena_ask(side, "protocol_version", line, deadline);
    }
    return fault;
}

static arena_fault arena_begin_engine(arena_side *side, const arena_clock *clock) {
    char line[ARENA_LINE], text[ARENA_LINE];
    long long deadline = process_now_ms() + ARENA_START_MS;
    arena_fault fault = side->engine == NULL ? arena_start_engine(side) : ARENA_FINE;
    if (fault != ARENA_FINE) return fault;
    if (side->kind == ARENA_UCI) {
        fault = arena_say(side, "ucinewgame\nisready");
        return fault == ARENA_FINE ? arena_expect(side, "readyok", line, deadline) : fault;
    }
    if (side->kind == ARENA_XBOARD) {
        fault = arena_say(side, "new\nforce\neasy\nnopost");
        if (fault == ARENA_FINE && side->depth > 0) {
            snprintf(text, sizeof text, "sd %lld", (long long)side->depth);
            fault = arena_say(side, text);
        }
        if (fault == ARENA_FINE && side->move_ms > 0) {
            snprintf(text, sizeof text, "st %lld", (long long)((side->move_ms + 999) / 1000));
            fault = arena_say(side, text);
        }
        if (fault == ARENA_FINE && clock->base_ms > 0) {
            long long seconds = (long long)(clock->base_ms + 999) / 1000;
            snprintf(text, sizeof text, "level 0 %lld:%02lld %g", seconds / 60, seconds % 60,
                     (double)clock->increment_ms / 1000.0);
            fault = arena_say(side, text);
        }
        if (fault == ARENA_FINE && side->start != NULL) {
            snprintf(text, sizeof text, "setboard %s", side->start);
            fault = arena_say(side, text);
        }
        return fault;
    }
    if (side->start != NULL) return ARENA_FAILED; // GTP has no positions
    int32_t size = 0;
    if (side->game->type == ploy_board_go()) {
        ploy_board_go_def rules;
        memcpy(&rules, &side->game->rules, sizeof rules);
        size = rules.size;
        snprintf(text, sizeof text, "komi %g", (double)rules.komi);
    } else if (side->game->type == ploy_board_othello()) {
        ploy_board_othello_def rules;
        memcpy(&rules, &side->game->rules, sizeof rules);
        size = rules.size;
    }
    if (size > 0) {
        char command[32];
        snprintf(command, sizeof command, "boardsize %d", size);
        fault = arena_ask(side, command, line, deadline);
        if (fault == ARENA_FINE && side->game->type == ploy_board_go())
            fault = arena_ask(side, text, line, deadline);
    }
    if (fault == ARENA_FINE && clock->base_ms > 0) { // in whole seconds, without increments
        snprintf(text, sizeof text, "time_settings %lld 0 0",
                 (long long)(clock->base_ms + 999) / 1000);
        fault = arena_ask(side, text, line, deadline);
    }
    return fault == ARENA_FINE ? arena_ask(side, "clear_board", line, deadline) : fault;
}

static const char *arena_colour(const arena_side *side, int32_t player) {
    if (player == PLOY_BOARD_CHANCE) return "chance";
    bool white_first = false;
    if (side->game->type == ploy_board_draughts()) {
        ploy_board_draughts_def rules;
        memcpy(&rules, &side->game->rules, sizeof rules);
        white_first = rules.rules != PLOY_BOARD_DRAUGHTS_ENGLISH;
    }
    return (player == 0) != white_first ? "black" : "white";
}

// Appends the texts of the moves to a UCI position, or sends each new one to the engine.
static arena_fault arena_tell(arena_side *side, const ploy_board_move *moves, int32_t count,
                              ploy_writer *uci) {
    const board_game *game = side->game;
    size_t bytes = game->type->position_bytes(&game->rules);
    void *position = calloc(1, bytes);
    if (position == NULL) return ARENA_FAILED;
    game->type->start(&game->rules, position);
    if (side->start != NULL)
        (void)game->type->parse(&game->rules, side->start, "start", position, NULL);
    arena_fault fault = ARENA_FINE;
    for (int32_t i = 0; i < count && fault == ARENA_FINE; i++) {
        char text[PLOY_BOARD_MOVE_TEXT], line[ARENA_LINE], answer[ARENA_LINE];
        game->type->move_text(&game->rules, position, moves[i], text);
        int32_t player = game->type->side(&game->rules, position);
        if (uci != NULL) {
            ploy_write_text(uci, i == 0 ? " moves " : " ");
            ploy_write_text(uci, text);
        } else if (i >= side->told && side->kind == ARENA_XBOARD) {
            snprintf(line, sizeof line, "%s%s", side->usermove ? "usermove " : "", text);
            fault = arena_say(side, line);
        } else if (i >= side->told) {
            snprintf(line, sizeof line, "play %s %s", arena_colour(side, player), text);
            fault = arena_ask(side, line, answer, process_now_ms() + side->timeout_ms);
        }
        game->type->make(&game->rules, position, moves[i], NULL);
    }
    free(position);
    if (uci == NULL) side->told = count;
    return fault;
}

static arena_fault arena_think_uci(arena_side *side, const ploy_board_move *moves, int32_t count,
                                   const arena_clock *clock, char *answer) {
    ploy_buffer text;
    ploy_buffer_init(&text, 0, &side->game->env);
    ploy_writer writer = ploy_buffer_writer(&text);
    ploy_write_text(&writer, side->start == NULL ? "position startpos" : "position fen ");
    if (side->start != NULL) ploy_write_text(&writer, side->start);
    arena_fault fault = arena_tell(side, moves, count, &writer);
    ploy_write_text(&writer, "\ngo");
    int64_t left[2];
    for (int32_t i = 0; i < 2; i++) { // 0 would mean no clock
        int64_t ms = clock->left_us[i] / 1000;
        left[i] = clock->base_ms == 0 ? 0 : ms > 0 ? ms : 1;
    }
    const struct {
        const char *name;
        int64_t value;
    } limits[] = {{" depth ", side->depth},       {" nodes ", side->nodes},
                  {" movetime ", side->move_ms},  {" wtime ", left[0]},
                  {" btime ", left[1]},           {" winc ", clock->increment_ms},
                  {" binc ", clock->increment_ms}};
    bool limited = false;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i].value == 0) continue;
        ploy_write_text(&writer, limits[i].name);
        ploy_write_i64(&writer, limits[i].value);
        limited = true;
    }
    if (!limited) ploy_write_text(&writer, " movetime 100");
    if (fault == ARENA_FINE) fault = arena_say(side, ploy_buffer_text(&text));
    ploy_buffer_fini(&text);
    char line[ARENA_LINE];
    if (fault == ARENA_FINE)
        fault = arena_expect(side, "bestmove ", line, process_now_ms() + side->timeout_ms);
    if (fault != ARENA_FINE) return fault;
    snprintf(answer, PLOY_BOARD_MOVE_TEXT, "%.*s", (int)strcspn(line + 9, " "), line + 9);
    return ARENA_FINE;
}

static arena_fault arena_think_xboard(arena_side *side, int32_t mover, const ploy_board_move *moves,
                                      int32_t count, const arena_clock *clock, char *answer) {
    char line[ARENA_LINE];
    arena_fault fault = arena_tell(side, moves, count, NULL);
    if (fault == ARENA_FINE && clock->base_ms > 0) { // in hundredths of a second
        snprintf(line, sizeof line, "time %lld\notim %lld",
                 (long long)(clock->left_us[mover] / 10000),
                 (long long)(clock->left_us[1 - mover] / 10000));
        fault = arena_say(side, line);
    }
    if (fault == ARENA_FINE) fault = arena_say(side, "go");
    long long deadline = process_now_ms() + side->timeout_ms;
    while (fault == ARENA_FINE) {
        fault = arena_read(side, line, deadline);
        if (fault != ARENA_FINE) return fault;
        if (strncmp(line, "move ", 5) == 0) break;
        if (strncmp(line, "resign", 6) == 0) return ARENA_RESIGNS;
    }
    if (fault != ARENA_FINE) return fault;
    snprintf(answer, PLOY_BOARD_MOVE_TEXT, "%.*s", (int)strcspn(line + 5, " "), line + 5);
    side->told++; // its own move
    return arena_say(side, "force");
}

static arena_fault arena_think_gtp(arena_side *side, int32_t player, const ploy_board_move *moves,
                                   int32_t count, const arena_clock *clock, char *answer) {
    char line[ARENA_LINE], command[64];
    arena_fault fault = arena_tell(side, moves, count, NULL);
    if (fault == ARENA_FINE && clock->base_ms > 0) {
        snprintf(command, sizeof command, "time_left %s %lld 0", arena_colour(side, player),
                 (long long)(clock->left_us[player] / 1000000));
        fault = arena_ask(side, command, line, process_now_ms() + side->timeout_ms);
    }
    snprintf(command, sizeof command, "genmove %s", arena_colour(side, player));
    if (fault == ARENA_FINE)
        fault = arena_ask(side, command, line, process_now_ms() + side->timeout_ms);
    if (fault != ARENA_FINE) return fault;
    const char *text = line + 1 + strspn(line + 1, " ");
    snprintf(answer, PLOY_BOARD_MOVE_TEXT, "%.*s", (int)strcspn(text, " "), text);
    if (line[0] != '=') return ARENA_ILLEGAL;
    for (char *c = answer; *c != 0; c++) {
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    }
    if (strcmp(answer, "resign") == 0) return ARENA_RESIGNS;
    if (side->game->type == ploy_board_go() && strcmp(answer, "pass") != 0 && answer[0] >= 'a' &&
        answer[0] <= 'z') {
        answer[0] = (char)(answer[0] - 'a' + 'A');
    }
    side->told++;
    return ARENA_FINE;
}

// ---- for the arena

arena_fault arena_side_begin(arena_side *side, uint64_t seed, const char *start,
                             const arena_clock *clock) {
    free(side->start);
    side->start = NULL;
    side->told = 0;
    side->rng = ploy_rng_make(seed);
    if (start != NULL) {
        side->start = malloc(strlen(start) + 1);
        if (side->start == NULL) return ARENA_FAILED;
        memcpy(side->start, start, strlen(start) + 1);
    }
    if (side->kind <= ARENA_SEARCH) return arena_begin_player(side, seed);
    if (side->kind < ARENA_UCI) return ARENA_FINE;
    arena_fault fault = arena_begin_engine(side, clock);
    if (fault == ARENA_FINE) return fault;
    process_stop(side->engine, NULL);
    side->engine = NULL;
    return fault;
}

static const char *const arena_faults[] = {"",        "engine died", "engine hangs", "illegal move",
                                           "resigns", "out of time", "failed"};

arena_fault arena_side_move(arena_side *side, const void *position, const ploy_board_move *moves,
                            int32_t count, arena_clock *clock, ploy_board_move *move,
                            char reason[96]) {
    char text[PLOY_BOARD_MOVE_TEXT] = "";
    arena_fault fault = ARENA_FINE;
    int32_t mover = side->game->type->side(&side->game->rules, position);
    uint64_t began = ploy_os_clock_ns();
    *move = PLOY_BOARD_NO_MOVE;
    if (side->kind <= ARENA_SEARCH)
        fault = arena_move_player(side, position, moves, count, clock, move);
    else if (side->kind < ARENA_UCI)
        fault = arena_move_simple(side, position, move);
    else if (side->kind == ARENA_UCI)
        fault = arena_think_uci(side, moves, count, clock, text);
    else if (side->kind == ARENA_XBOARD)
        fault = arena_think_xboard(side, mover, moves, count, clock, text);
    else
        fault = arena_think_gtp(side, mover, moves, count, clock, text);
    if (clock->base_ms > 0 && fault == ARENA_FINE) {
        clock->left_us[mover] -= (int64_t)((ploy_os_clock_ns() - began) / 1000);
        if (clock->left_us[mover] < 0) {
            snprintf(reason, 96, "out of time");
            return ARENA_LATE;
        }
        clock->left_us[mover] += clock->increment_ms * 1000;
    }
    const board_game *game = side->game;
    if (fault == ARENA_FINE && side->kind >= ARENA_UCI &&
        game->type->move_parse(&game->rules, position, text, "move", move, NULL) != PLOY_OK) {
        fault = ARENA_ILLEGAL;
    }
    if (fault == ARENA_FINE) return fault;
    snprintf(reason, 96, "%s%s%.40s", arena_faults[fault], text[0] != 0 ? " " : "", text);
    if (side->kind >= ARENA_UCI && fault != ARENA_RESIGNS) { // a new process for the next game
        process_stop(side->engine, NULL);
        side->engine = NULL;
    }
    return fault;
}
