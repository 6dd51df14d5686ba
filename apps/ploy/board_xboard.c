// ploy board chess --xboard: an engine of the XBoard protocol (CECP).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_engine.h"
#include "ploy/base/number.h"
#include "ploy/board/chess.h"

typedef struct xboard_state {
    board_engine *engine;
    int32_t ours; // side that the engine plays, -1: none (force)
    bool post, analyze, quit;
    bool hard; // thinks on the opponent's time
    // About the present position.
    enum { XBOARD_IDLE, XBOARD_PONDERS, XBOARD_PONDERED } ponder;
    int64_t moves_per_session, base_ms, increment_ms, per_move_ms, depth, left_ms;
} xboard_state;

static void xboard_say(const char *text) {
    printf("%s\n", text);
    fflush(stdout);
}

static int64_t xboard_number(const char *text) {
    int64_t value = 0;
    size_t used = strcspn(text, " :");
    return ploy_parse_i64(text, used, NULL, &value) == PLOY_OK ? engine_number(value) : 0;
}

static int32_t xboard_side(const xboard_state *x) {
    return x->engine->game->type->side(&x->engine->game->rules, x->engine->position);
}

// How often the present position was on the board before.
static int32_t xboard_repeats(const xboard_state *x) {
    const board_engine *engine = x->engine;
    uint64_t key = engine->game->type->hash(&engine->game->rules, engine->position);
    int32_t count = 0;
    for (int32_t i = 0; i < engine->plies; i++) count += engine->history[i] == key ? 1 : 0;
    return count;
}

// Claims the result if the game is over.
static bool xboard_over(const xboard_state *x) {
    const board_game *game = x->engine->game;
    if (xboard_side(x) != PLOY_BOARD_OVER) {
        if (xboard_repeats(x) < 2) return false;
        xboard_say("1/2-1/2 {Draw by repetition}");
        return true;
    }
    int32_t white = game->type->result(&game->rules, x->engine->position, 0);
    ploy_board_move moves[512];
    bool stuck = game->type->moves(&game->rules, x->engine->position, moves, 512) == 0;
    if (white > 0)
        xboard_say("1-0 {White mates}");
    else if (white < 0)
        xboard_say("0-1 {Black mates}");
    else
        xboard_say(stuck ? "1/2-1/2 {Stalemate}" : "1/2-1/2 {Draw by rule}");
    return true;
}

static void xboard_think(xboard_state *x) {
    engine_limits limits;
    memset(&limits, 0, sizeof limits);
    limits.depth = x->depth;
    limits.infinite = x->analyze;
    if (x->per_move_ms > 0) {
        limits.hard_ms = limits.soft_ms =
            x->per_move_ms > 30 ? x->per_move_ms - 15 : x->per_move_ms / 2 + 1;
    } else if (!x->analyze && (x->left_ms > 0 || x->depth == 0)) {
        int64_t to_go = 0;
        if (x->moves_per_session > 0)
            to_go = x->moves_per_session - x->engine->plies / 2 % x->moves_per_session;
        engine_clock(x->engine, &limits, x->left_ms > 0 ? x->left_ms : 5000, x->increment_ms,
                     to_go);
    }
    (void)engine_begin(x->engine, limits, NULL, 0);
}

// Begins to think if it is the engine's turn and the game goes on.
static void xboard_turn(xboard_state *x) {
    if (x->engine->searching) return;
    if (x->analyze) {
        xboard_think(x);
    } else if (x->ours >= 0 && !xboard_over(x) && xboard_side(x) == x->ours) {
        xboard_think(x);
    }
}

static void xboard_stop(xboard_state *x) {
    if (x->engine->searching) (void)engine_stop(x->engine);
}

static void xboard_post(xboard_state *x) {
    board_engine *engine = x->engine;
    ploy_board_outcome outcome = engine_outcome(engine);
    if (outcome.depth == engine->shown || outcome.depth == 0) return;
    engine->shown = outcome.depth;
    if (!x->post && !x->analyze) return;
    int32_t mate = engine_mate_in(outcome.score);
    int32_t score = mate > 0 ? 100000 + mate : mate < 0 ? -100000 + mate : outcome.score;
    printf("%d %d %lld %lld", outcome.depth, score, (long long)(engine_elapsed_ms(engine) / 10),
           (long long)outcome.nodes);
    engine_print_line(engine, outcome.line, outcome.line_count);
    xboard_say("");
}

static void xboard_move(xboard_state *x) {
    board_engine *engine = x->engine;
    ploy_board_move move = engine_stop(engine);
    if (move == PLOY_BOARD_NO_MOVE) move = engine_fallback(engine);
    if (move == PLOY_BOARD_NO_MOVE) return;
    char text[PLOY_BOARD_MOVE_TEXT];
    // XBoard writes castling in Chess960 as O-O, which SAN gives.
    ploy_board_chess_san(engine->position, move, text);
    bool castles = engine_is_chess960(engine) && text[0] == 'O';
    if (castles)
        text[strcspn(text, "+#")] = 0;
    else
        engine->game->type->move_text(&engine->game->rules, engine->position, move, text);
    printf("move %s\n", text);
    fflush(stdout);
    engine_play(engine, text);
    (void)xboard_over(x);
}

static void xboard_user_move(xboard_state *x, const char *text) {
    xboard_stop(x);
    if (!engine_play(x->engine, text)) {
        printf("Illegal move: %s\n", text);
        fflush(stdout);
        return;
    }
    xboard_turn(x);
}

static void xboard_new(xboard_state *x) {
    xboard_stop(x);
    engine_set_chess960(x->engine, false);
    engine_set(x->engine, NULL);
    engine_clear(x->engine);
    x->ours = 1;
    x->analyze = false;
    x->depth = 0;
}

// level MPS BASE INC: base in minutes or minutes:seconds.
static void xboard_level(xboard_state *x, const char *rest) {
    x->moves_per_session = xboard_number(rest);
    rest += strcspn(rest, " ");
    rest += strspn(rest, " ");
    x->base_ms = xboard_number(rest) * 60000;
    const char *colon = memchr(rest, ':', strcspn(rest, " "));
    if (colon != NULL) x->base_ms += xboard_number(colon + 1) * 1000;
    rest += strcspn(rest, " ");
    rest += strspn(rest, " ");
    double seconds = 0.0;
    size_t used = strcspn(rest, " ");
    if (ploy_parse_f64(rest, used, NULL, &seconds) == PLOY_OK && seconds >= 0.0 && seconds < 1e6)
        x->increment_ms = (int64_t)(seconds * 1000.0);
    x->left_ms = x->base_ms;
    x->per_move_ms = 0;
}

static bool xboard_is_move(const char *text) {
    size_t size = strlen(text);
    return (size == 4 || size == 5) && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' &&
           text[1] <= '8' && text[2] >= 'a' && text[2] <= 'h' && text[3] >= '1' && text[3] <= '8';
}

// Commands that only change the state. True if it was one.
static bool xboard_setting(xboard_state *x, const char *word, const char *rest) {
    static const char *const ignored[] = {"xboard", "accepted", "rejected", "random",  "computer",
                                          "name",   "rating",   "otim",     "result",  "ics",
                                          "hint",   "bk",       "draw",     "egtpath", "."};
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (strcmp(word, ignored[i]) == 0) return true;
    }
    if (strcmp(word, "level") == 0)
        xboard_level(x, rest);
    else if (strcmp(word, "st") == 0)
        x->per_move_ms = xboard_number(rest) * 1000;
    else if (strcmp(word, "sd") == 0)
        x->depth = xboard_number(rest);
    else if (strcmp(word, "time") == 0)
        x->left_ms = xboard_number(rest) * 10;
    else if (strcmp(word, "post") == 0)
        x->post = true;
    else if (strcmp(word, "nopost") == 0)
        x->post = false;
    else if (strcmp(word, "hard") == 0)
        x->hard = true;
    else if (strcmp(word, "easy") == 0)
        x->hard = false;
    else
        return false;
    return true;
}

// option NAME=VALUE, with the names of UCI; memory MB; cores N.
static void xboard_option(xboard_state *x, char *name, const char *value) {
    char message[160] = "";
    xboard_stop(x);
    for (char *c = name; *c != 0; c++) {
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    }
    if (engine_option(x->engine, name, value, message)) return;
    printf("Error (%s): %s\n", message[0] != 0 ? message : "unknown option", name);
    fflush(stdout);
}

// The old `white` and `black`: that side is on move, and the engine plays the other one.
static void xboard_turn_to(xboard_state *x, const char *word) {
    int32_t side = strcmp(word, "white") == 0 ? 0 : 1;
    xboard_stop(x);
    if (xboard_side(x) != side) {
        printf("Error (not the turn of this side): %s\n", word);
        fflush(stdout);
        return;
    }
    x->ours = 1 - side;
}

// One slice on the opponent's time: the search from its side fills the table. False: there is nothing to think about.
static bool xboard_ponder(xboard_state *x) {
    board_engine *engine = x->engine;
    if (!x->hard || x->analyze || x->ours < 0 || x->ponder == XBOARD_PONDERED) return false;
    if (engine->searching || xboard_side(x) != 1 - x->ours) return false;
    if (x->ponder == XBOARD_IDLE)
        ploy_board_player_go_to(engine->player, engine->position, engine->history, engine->plies);
    ploy_budget budget = ploy_budget_units(ENGINE_SLICE_NODES);
    bool more = ploy_board_player_ponder(engine->player, &budget) == PLOY_IN_PROGRESS;
    x->ponder = more ? XBOARD_PONDERS : XBOARD_PONDERED;
    return more;
}

static void xboard_command(xboard_state *x, char *line) {
    char *rest = line + strcspn(line, " ");
    if (*rest != 0) *rest++ = 0;
    rest += strspn(rest, " ");
    if (*line == 0 || xboard_setting(x, line, rest)) return;
    x->ponder = XBOARD_IDLE; // the position, the player or its options may change
    if (strcmp(line, "protover") == 0) {
        xboard_say("feature done=0");
        xboard_say("feature ping=1 setboard=1 playother=1 usermove=1 san=0 time=1 draw=0 sigint=0 "
                   "sigterm=0 reuse=1 analyze=1 memory=1 smp=1 option=\"Level -spin 0 0 10\" "
                   "option=\"Book -file \" option=\"Endings -string \" "
                   "colors=0 variants=\"normal,fischerandom\" myname=\"ploy\" done=1");
    } else if (strcmp(line, "ping") == 0) {
        printf("pong %s\n", rest);
        fflush(stdout);
    } else if (strcmp(line, "option") == 0) {
        char *value = strchr(rest, '=');
        if (value != NULL) *value++ = 0;
        xboard_option(x, rest, value != NULL ? value : "");
    } else if (strcmp(line, "memory") == 0) {
        char name[] = "hash";
        xboard_option(x, name, rest);
    } else if (strcmp(line, "cores") == 0) {
        char name[] = "threads";
        xboard_option(x, name, rest);
    } else if (strcmp(line, "new") == 0) {
        xboard_new(x);
    } else if (strcmp(line, "variant") == 0) {
        engine_set_chess960(x->engine, strcmp(rest, "fischerandom") == 0);
    } else if (strcmp(line, "quit") == 0) {
        x->quit = true;
    } else if (strcmp(line, "force") == 0 || strcmp(line, "exit") == 0) {
        xboard_stop(x);
        x->ours = -1;
        x->analyze = false;
    } else if (strcmp(line, "go") == 0) {
        xboard_stop(x);
        x->ours = xboard_side(x);
        if (x->ours == PLOY_BOARD_OVER) (void)xboard_over(x);
        xboard_turn(x);
    } else if (strcmp(line, "white") == 0 || strcmp(line, "black") == 0) {
        xboard_turn_to(x, line);
    } else if (strcmp(line, "playother") == 0) {
        xboard_stop(x);
        x->ours = 1 - xboard_side(x);
    } else if (strcmp(line, "analyze") == 0) {
        xboard_stop(x);
        x->analyze = true;
        xboard_turn(x);
    } else if (strcmp(line, "?") == 0) {
        if (x->engine->searching && !x->analyze) {
            xboard_move(x);
        }
    } else if (strcmp(line, "undo") == 0 || strcmp(line, "remove") == 0) {
        xboard_stop(x);
        engine_undo(x->engine);
        if (strcmp(line, "remove") == 0) engine_undo(x->engine);
        if (x->analyze) xboard_turn(x);
    } else if (strcmp(line, "setboard") == 0) {
        xboard_stop(x);
        if (!engine_set(x->engine, rest)) xboard_say("tellusererror Illegal position");
        if (x->analyze) xboard_turn(x);
    } else if (strcmp(line, "usermove") == 0) {
        xboard_user_move(x, rest);
    } else if (xboard_is_move(line)) {
        xboard_user_move(x, line);
    } else {
        printf("Error (unknown command): %s\n", line);
        fflush(stdout);
    }
}

int board_xboard(board_game *game, int argc, char **argv) {
    if (game->type != ploy_board_chess())
        return cli_error("the XBoard protocol is for chess, not", game->type->name);
    const cli_usage usage = {"board chess --xboard",
                             "",
                             "Plays as an engine of the XBoard protocol, on standard input and "
                             "output, with the options\n"
                             "Level, Book and Endings of --uci, and memory for the table.",
                             NULL,
                             0,
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    xboard_state x;
    memset(&x, 0, sizeof x);
    x.ours = -1;
    ploy_result result = engine_create(game, &x.engine);
    if (result != PLOY_OK) return cli_error_result("the engine", result);
    while (!x.quit) {
        bool ponders = xboard_ponder(&x);
        const char *line = engine_line(x.engine, x.engine->searching || ponders ? 0 : -1);
        if (line != NULL) {
            char *copy = malloc(strlen(line) + 1);
            if (copy == NULL) break;
            memcpy(copy, line, strlen(line) + 1);
            xboard_command(&x, copy);
            free(copy);
            continue;
        }
        if (x.engine->input.ended && (!x.engine->searching || x.analyze)) break;
        if (!x.engine->searching) continue;
        bool more = engine_slice(x.engine);
        xboard_post(&x);
        if (more) continue;
        if (x.analyze)
            (void)engine_stop(x.engine);
        else
            xboard_move(&x);
    }
    engine_destroy(x.engine);
    return CLI_OK;
}
