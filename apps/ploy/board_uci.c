// ploy board chess --uci: an engine of the Universal Chess Interface.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/board_engine.h"
#include "ploy/base/number.h"
#include "ploy/base/version.h"
#include "ploy/board/chess.h"

enum { UCI_MOVES = 256 };

typedef struct uci_state {
    board_engine *engine;
    bool pondering;      // a bestmove waits for ponderhit or stop
    engine_limits timed; // limits after ponderhit
    bool waiting;        // the search ended, but infinite or pondering: bestmove waits
    bool quit;
} uci_state;

// Cuts the next word off; NULL at the end.
static char *uci_word(char **at) {
    *at += strspn(*at, " \t");
    if (**at == 0) return NULL;
    char *word = *at;
    *at += strcspn(*at, " \t");
    if (**at != 0) *(*at)++ = 0;
    return word;
}

static int64_t uci_number(char **at) {
    char *word = uci_word(at);
    int64_t value = 0;
    if (word == NULL || ploy_parse_i64(word, strlen(word), NULL, &value) != PLOY_OK) return 0;
    return engine_number(value);
}

static void uci_say(const char *text) {
    printf("%s\n", text);
    fflush(stdout);
}

static void uci_identify(void) {
    printf("id name ploy %s\nid author the ploy authors\n", ploy_version_text());
    printf("option name Hash type spin default 16 min 1 max 1024\n");
    printf("option name Clear Hash type button\n");
    printf("option name Threads type spin default 1 min 1 max %d\n", ENGINE_THREADS);
    printf("option name Ponder type check default false\n");
    printf("option name Level type spin default 0 min 0 max 10\n");
    printf("option name Book type string default <empty>\n");
    printf("option name Endings type string default <empty>\n");
    printf("option name UCI_Chess960 type check default false\n");
    uci_say("uciok");
}

// setoption name Clear Hash | name Hash value 64
static void uci_option(uci_state *uci, char *rest) {
    char *name = strstr(rest, "name ");
    if (name == NULL) return;
    name += 5;
    char *value = strstr(name, " value ");
    if (value != NULL) {
        *value = 0;
        value += 7;
    }
    for (char *c = name; *c != 0; c++) {
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    }
    board_engine *engine = uci->engine;
    char message[160] = "";
    if (strcmp(name, "clear hash") == 0)
        engine_clear(engine);
    else if (strcmp(name, "uci_chess960") == 0 && value != NULL)
        engine_set_chess960(engine, strcmp(value, "true") == 0);
    else if (value != NULL && !engine_option(engine, name, value, message) && message[0] != 0) {
        printf("info string %s\n", message);
        fflush(stdout);
    }
}

static void uci_position(uci_state *uci, char *rest) {
    char *moves = strstr(rest, "moves");
    if (moves != NULL) {
        if (moves > rest) moves[-1] = 0;
        moves += 5;
    }
    char *kind = uci_word(&rest);
    if (kind == NULL) return;
    bool set = strcmp(kind, "startpos") == 0 ? engine_set(uci->engine, NULL)
                                             : engine_set(uci->engine, rest);
    if (!set) {
        uci_say("info string invalid position");
        return;
    }
    for (char *move; moves != NULL && (move = uci_word(&moves)) != NULL;) {
        if (engine_play(uci->engine, move)) continue;
        printf("info string illegal move %s\n", move);
        fflush(stdout);
        return;
    }
}

static void uci_info(uci_state *uci) {
    board_engine *engine = uci->engine;
    ploy_board_outcome outcome = engine_outcome(engine);
    if (outcome.depth == engine->shown || outcome.depth == 0) return;
    engine->shown = outcome.depth;
    char score[32];
    engine_score_text(outcome.score, score);
    int64_t ms = engine_elapsed_ms(engine);
    printf("info depth %d seldepth %d score %s nodes %lld nps %lld time %lld pv", outcome.depth,
           outcome.deepest, score, (long long)outcome.nodes,
           (long long)(outcome.nodes * 1000 / (ms > 0 ? ms : 1)), (long long)ms);
    engine_print_line(engine, outcome.line, outcome.line_count);
    uci_say("");
}

static void uci_best(uci_state *uci) {
    board_engine *engine = uci->engine;
    uci->waiting = uci->pondering = false;
    ploy_board_move move = engine_stop(engine);
    ploy_board_choice_made choice = ploy_board_player_choice(engine->player);
    ploy_board_outcome outcome = engine_outcome(engine);
    if (move == PLOY_BOARD_NO_MOVE) move = engine_fallback(engine);
    bool searched = choice.source == NULL || strcmp(choice.source, "search") == 0;
    if (!searched) printf("info string chosen by %s\n", choice.source);
    char texts[2][PLOY_BOARD_MOVE_TEXT];
    const board_game *game = engine->game;
    game->type->move_text(&game->rules, engine->position, move, texts[0]);
    printf("bestmove %s", texts[0]);
    if (outcome.line_count > 1 && outcome.line[0] == move) {
        uint64_t after[ENGINE_POSITION_BYTES / 8];
        memcpy(after, engine->position, sizeof after);
        game->type->make(&game->rules, after, move, NULL);
        game->type->move_text(&game->rules, after, outcome.line[1], texts[1]);
        printf(" ponder %s", texts[1]);
    }
    uci_say("");
}

static void uci_go(uci_state *uci, char *rest) {
    board_engine *engine = uci->engine;
    const board_game *game = engine->game;
    engine_limits limits;
    memset(&limits, 0, sizeof limits);
    int64_t left[2] = {0, 0}, increment[2] = {0, 0}, to_go = 0, move_time = 0;
    ploy_board_move only[UCI_MOVES];
    int32_t count = 0;
    bool listing = false, ponder = false;
    for (char *word; (word = uci_word(&rest)) != NULL;) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (listing && count < UCI_MOVES &&
            game->type->move_parse(&game->rules, engine->position, word, "move", &move, NULL) ==
                PLOY_OK) {
            only[count++] = move;
            continue;
        }
        listing = strcmp(word, "searchmoves") == 0;
        if (strcmp(word, "wtime") == 0)
            left[0] = uci_number(&rest);
        else if (strcmp(word, "btime") == 0)
            left[1] = uci_number(&rest);
        else if (strcmp(word, "winc") == 0)
            increment[0] = uci_number(&rest);
        else if (strcmp(word, "binc") == 0)
            increment[1] = uci_number(&rest);
        else if (strcmp(word, "movestogo") == 0)
            to_go = uci_number(&rest);
        else if (strcmp(word, "movetime") == 0)
            move_time = uci_number(&rest);
        else if (strcmp(word, "depth") == 0)
            limits.depth = uci_number(&rest);
        else if (strcmp(word, "nodes") == 0)
            limits.nodes = uci_number(&rest);
        else if (strcmp(word, "mate") == 0)
            limits.mate = uci_number(&rest);
        else if (strcmp(word, "infinite") == 0)
            limits.infinite = true;
        else if (strcmp(word, "ponder") == 0)
            ponder = true;
    }
    int32_t side = game->type->side(&game->rules, engine->position);
    if (side >= 0 && left[side] != 0)
        engine_clock(engine, &limits, left[side] > 0 ? left[side] : 1, increment[side], to_go);
    if (move_time > 0) limits.hard_ms = limits.soft_ms = move_time > 5 ? move_time - 3 : 1;
    uci->timed = limits;
    uci->pondering = ponder;
    if (ponder) limits.infinite = limits.ponder = true;
    if (engine_begin(engine, limits, only, count)) return;
    ploy_board_move move = engine_fallback(engine);
    if (move == PLOY_BOARD_NO_MOVE) {
        uci_say("bestmove 0000");
        return;
    }
    printf("bestmove"); // drawn by rule, but a move is asked for
    engine_print_line(engine, &move, 1);
    uci_say("");
}

static void uci_stop(uci_state *uci) {
    if (uci->engine->searching) uci_best(uci);
}

static void uci_command(uci_state *uci, char *line) {
    char *word = uci_word(&line);
    if (word == NULL) return;
    bool idle = !uci->engine->searching;
    if (strcmp(word, "uci") == 0)
        uci_identify();
    else if (strcmp(word, "isready") == 0)
        uci_say("readyok");
    else if (strcmp(word, "quit") == 0)
        uci->quit = true;
    else if (strcmp(word, "stop") == 0)
        uci_stop(uci);
    else if (strcmp(word, "ponderhit") == 0) {
        uci->pondering = false;
        uci->engine->limits = uci->timed;
        if (uci->waiting) uci_best(uci);
    } else if (!idle)
        return; // not allowed while searching
    else if (strcmp(word, "ucinewgame") == 0)
        engine_clear(uci->engine);
    else if (strcmp(word, "setoption") == 0)
        uci_option(uci, line);
    else if (strcmp(word, "position") == 0)
        uci_position(uci, line);
    else if (strcmp(word, "go") == 0)
        uci_go(uci, line);
}

int board_uci(board_game *game, int argc, char **argv) {
    if (game->type != ploy_board_chess())
        return cli_error("UCI is for chess, not", game->type->name);
    const cli_usage usage = {"board chess --uci",
                             "",
                             "Plays as an engine of the UCI protocol, on standard input and "
                             "output. Options: Hash (MB), Threads,\n"
                             "Level (1 to 10; 0: full strength), Book (Polyglot file), Endings "
                             "(sets that are built, such\n"
                             "as KQK,KRK,KPK, or files of `endings build`), Ponder, UCI_Chess960.",
                             NULL,
                             0,
                             0,
                             0};
    int status = cli_parse(&usage, argc, argv, NULL);
    if (status >= 0) return status;
    uci_state uci;
    memset(&uci, 0, sizeof uci);
    ploy_result result = engine_create(game, &uci.engine);
    if (result != PLOY_OK) return cli_error_result("the engine", result);
    while (!uci.quit) {
        bool thinking = uci.engine->searching && !uci.waiting;
        const char *line = engine_line(uci.engine, thinking ? 0 : -1);
        if (line != NULL) {
            char *copy = malloc(strlen(line) + 1);
            if (copy == NULL) break;
            memcpy(copy, line, strlen(line) + 1);
            uci_command(&uci, copy);
            free(copy);
            continue;
        }
        if (uci.engine->input.ended && !(thinking && !uci.engine->limits.infinite)) break;
        if (!thinking) continue;
        bool more = engine_slice(uci.engine);
        uci_info(&uci);
        if (more) continue;
        if (uci.engine->limits.infinite)
            uci.waiting = true;
        else
            uci_best(&uci);
    }
    engine_destroy(uci.engine);
    return CLI_OK;
}
