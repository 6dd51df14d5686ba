// ploy arena GAME A B: compares two sides of a board game over many games; arena_match.c does so for
// simulations.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/ploy/arena.h"
#include "apps/ploy/board_sources.h"
#include "apps/ploy/ranks.h"
#include "apps/ploy/tune.h"
#include "ploy/base/hash.h"
#include "ploy/base/jobs.h"
#include "ploy/base/math.h"
#include "ploy/base/name.h"
#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/board/chess.h"
#include "ploy/board/draughts.h"
#include "ploy/data/pgn.h"

enum { ARENA_WORKERS = 64, ARENA_PLIES = 1200, ARENA_ROUND = 16, ARENA_FILE_MAX = 1 << 28 };

// One game that was played; without pointers, because ranks send it.
typedef struct arena_game {
    ploy_board_move moves[ARENA_PLIES + 64];
    int32_t count;
    int32_t points; // of side A: 2, 1, 0; -1: void
    bool a_first;
    char reason[96];
} arena_game;

typedef struct arena_opening {
    char *start; // position text; NULL: the start
    ploy_board_move *moves;
    int32_t count;
} arena_opening;

typedef struct arena {
    board_game *game;
    const char *texts[2];
    arena_side *sides[ARENA_WORKERS][2];
    arena_opening *openings;
    int32_t opening_count;
    uint64_t first;
    int64_t random; // plies
    int64_t games, timeout_ms;
    arena_clock clock; // at the start of a game
    arena_game round[ARENA_ROUND];
    int64_t round_first;
    // Sums.
    int64_t wins, draws, losses, voids;
    uint64_t hash;
} arena;

// ---- one game

static void arena_push(arena_game *g, void *position, const board_game *game, uint64_t *history,
                       ploy_board_move move) {
    history[g->count] = game->type->hash(&game->rules, position);
    g->moves[g->count++] = move;
    game->type->make(&game->rules, position, move, NULL);
}

// Random plies and rolls of the dice come from the pair's seed, so that both colours get the same.
static ploy_board_move arena_draw(const board_game *game, const void *position,
                                  ploy_board_move *moves, ploy_rng *rng) {
    if (game->type->side(&game->rules, position) == PLOY_BOARD_CHANCE)
        return ploy_board_roll(game->board, position, moves, rng);
    int32_t count = game->type->moves(&game->rules, position, moves, game->type->max_moves);
    return moves[ploy_rng_below(rng, (uint64_t)count)];
}

static bool arena_repeated(const board_game *game, const arena_game *g, const void *position,
                           const uint64_t *history) {
    if (game->type->reversible == NULL) return false;
    uint64_t key = game->type->hash(&game->rules, position);
    int32_t seen = 0;
    for (int32_t i = 0; i < g->count; i++) seen += history[i] == key;
    return seen >= 2;
}

typedef struct arena_board {
    void *position;
    ploy_board_move *moves;
    uint64_t *history;
} arena_board;

static int32_t arena_points(const board_game *game, const void *position, int32_t player) {
    int32_t result = game->type->result(&game->rules, position, player);
    return result > 0 ? 2 : result < 0 ? 0 : 1;
}

// Plays on from the opening. @return points of A, -1: void.
static int32_t arena_play_on(const arena *a, arena_side *const sides[2], arena_game *g,
                             arena_board *b, ploy_rng *rng) {
    const board_game *game = a->game;
    int32_t a_player = g->a_first ? 0 : 1;
    arena_clock clock = a->clock;
    for (;;) {
        int32_t side = game->type->side(&game->rules, b->position);
        if (side == PLOY_BOARD_OVER) {
            snprintf(g->reason, sizeof g->reason, "played out");
            return arena_points(game, b->position, a_player);
        }
        if (arena_repeated(game, g, b->position, b->history)) {
            snprintf(g->reason, sizeof g->reason, "repetition");
            return 1;
        }
        if (g->count >= ARENA_PLIES) {
            snprintf(g->reason, sizeof g->reason, "too long");
            return 1;
        }
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (side == PLOY_BOARD_CHANCE) {
            move = arena_draw(game, b->position, b->moves, rng);
        } else {
            bool is_a = side == a_player;
            char reason[96] = "";
            arena_fault fault = arena_side_move(sides[is_a ? 0 : 1], b->position, g->moves,
                                                g->count, &clock, &move, reason);
            if (fault != ARENA_FINE) {
                snprintf(g->reason, sizeof g->reason, "%s: %.80s", is_a ? "A" : "B", reason);
                return fault == ARENA_DIED || fault == ARENA_FAILED ? -1 : is_a ? 0 : 2;
            }
        }
        arena_push(g, b->position, game, b->history, move);
    }
}

static void arena_play(const arena *a, arena_side *const sides[2], int64_t index, arena_game *g) {
    const board_game *game = a->game;
    g->count = 0;
    g->points = -1;
    g->a_first = index % 2 == 0;
    snprintf(g->reason, sizeof g->reason, "out of memory");
    arena_board b = {calloc(1, game->type->position_bytes(&game->rules)),
                     calloc((size_t)game->type->max_moves, sizeof(ploy_board_move)),
                     calloc(ARENA_PLIES + 64, sizeof(uint64_t))};
    if (b.position != NULL && b.moves != NULL && b.history != NULL) {
        uint64_t pair = (uint64_t)index / 2;
        ploy_rng rng = ploy_rng_from_key(ploy_rng_key_make(a->first), pair);
        const arena_opening *opening =
            a->opening_count > 0 ? &a->openings[pair % (uint64_t)a->opening_count] : NULL;
        game->type->start(&game->rules, b.position);
        const char *start = opening != NULL ? opening->start : NULL;
        if (start != NULL)
            (void)game->type->parse(&game->rules, start, "opening", b.position, NULL);
        for (int32_t i = 0; opening != NULL && i < opening->count && i < ARENA_PLIES / 2; i++) {
            arena_push(g, b.position, game, b.history, opening->moves[i]);
        }
        for (int64_t i = 0; opening == NULL && i < a->random;) {
            int32_t side = game->type->side(&game->rules, b.position);
            if (side == PLOY_BOARD_OVER) break;
            arena_push(g, b.position, game, b.history, arena_draw(game, b.position, b.moves, &rng));
            i += side != PLOY_BOARD_CHANCE;
        }
        arena_fault faults[2];
        for (uint64_t i = 0; i < 2; i++) {
            faults[i] = arena_side_begin(sides[i], a->first + 2 * pair + i, start, &a->clock);
        }
        if (faults[0] == ARENA_FINE && faults[1] == ARENA_FINE)
            g->points = arena_play_on(a, sides, g, &b, &rng);
        else
            snprintf(g->reason, sizeof g->reason, "%s: the engine does not start",
                     faults[0] != ARENA_FINE ? "A" : "B");
    }
    free(b.position);
    free(b.moves);
    free(b.history);
}

static void arena_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    arena *a = arg;
    for (int32_t i = first; i < first + count; i++) {
        arena_play(a, a->sides[worker], a->round_first + i, &a->round[i]);
    }
}

// ---- openings

static ploy_result arena_add_opening(arena *a, const char *start, const ploy_board_move *moves,
                                     int32_t count) {
    arena_opening *grown = realloc(a->openings, sizeof *grown * (size_t)(a->opening_count + 1));
    if (grown == NULL) return PLOY_ERR_MEMORY;
    a->openings = grown;
    arena_opening *opening = &grown[a->opening_count];
    memset(opening, 0, sizeof *opening);
    opening->count = count;
    opening->moves = calloc((size_t)count + 1, sizeof *moves);
    if (start != NULL) opening->start = malloc(strlen(start) + 1);
    a->opening_count++;
    if (opening->moves == NULL || (start != NULL && opening->start == NULL)) return PLOY_ERR_MEMORY;
    if (count > 0) memcpy(opening->moves, moves, sizeof *moves * (size_t)count);
    if (start != NULL) memcpy(opening->start, start, strlen(start) + 1);
    return PLOY_OK;
}

// Rules of draughts; -1: another game.
static int32_t arena_draughts(const board_game *game) {
    if (game->type != ploy_board_draughts()) return -1;
    ploy_board_draughts_def rules;
    memcpy(&rules, &game->rules, sizeof rules);
    return (int32_t)rules.rules;
}

static ploy_result arena_openings_pgn(arena *a, const ploy_buffer *file, const char *path,
                                      ploy_diags *diags) {
    ploy_pgn *pgn = NULL;
    int32_t draughts = arena_draughts(a->game);
    ploy_result result = (draughts < 0 ? ploy_pgn_load : ploy_pdn_load)(
        file->bytes, file->size, path, &a->game->env, diags, &pgn);
    for (int32_t i = 0; result == PLOY_OK && i < ploy_pgn_count(pgn); i++) {
        const ploy_pgn_game *game = ploy_pgn_at(pgn, i);
        if (game->draughts != draughts) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, path, game->line, 1,
                           "unexpected rules of a game", "the rules of the match", NULL);
            result = PLOY_ERR_FORMAT;
            break;
        }
        result = arena_add_opening(a, ploy_pgn_find(pgn, game, "FEN"),
                                   ploy_pgn_moves(pgn) + game->move_first, game->move_count);
    }
    ploy_pgn_destroy(pgn);
    return result;
}

static ploy_result arena_opening_line(arena *a, char *line, const char *path, int32_t number,
                                      ploy_diags *diags, void *position) {
    board_opening *opening = malloc(sizeof *opening);
    if (opening == NULL) return PLOY_ERR_MEMORY;
    ploy_result result = board_opening_read(a->game, line, path, number, diags, position, opening);
    if (result == PLOY_OK && !opening->empty)
        result = arena_add_opening(a, opening->start, opening->moves, opening->count);
    free(opening);
    return result;
}

static int arena_load_openings(arena *a, const char *path) {
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, ARENA_FILE_MAX, &a->game->env, &file);
    if (result != PLOY_OK) return cli_error_read(path, result);
    ploy_diags *diags = NULL;
    result = ploy_diags_create(4, &a->game->env, &diags);
    size_t length = strlen(path);
    const char *ending = length > 4 ? path + length - 4 : "";
    bool pgn = (a->game->type == ploy_board_chess() && strcmp(ending, ".pgn") == 0) ||
               (a->game->type == ploy_board_draughts() && strcmp(ending, ".pdn") == 0);
    void *position = calloc(1, a->game->type->position_bytes(&a->game->rules));
    char *text = malloc(file.size + 1);
    if (position == NULL || text == NULL) result = PLOY_ERR_MEMORY;
    if (result == PLOY_OK && pgn) result = arena_openings_pgn(a, &file, path, diags);
    if (result == PLOY_OK && !pgn) {
        if (file.size > 0) memcpy(text, file.bytes, file.size);
        text[file.size] = 0;
        int32_t number = 1;
        for (char *line = text; line != NULL && result == PLOY_OK; number++) {
            char *end = strchr(line, '\n');
            if (end != NULL) *end = 0;
            result = arena_opening_line(a, line, path, number, diags, position);
            line = end != NULL ? end + 1 : NULL;
        }
    }
    free(text);
    free(position);
    ploy_buffer_fini(&file);
    int status = result == PLOY_OK           ? -1
                 : result == PLOY_ERR_FORMAT ? cli_error_diags(diags)
                                             : cli_error_result(path, result);
    ploy_diags_destroy(diags);
    if (status < 0 && a->opening_count == 0) status = cli_error("missing opening in", path);
    return status;
}

// ---- files and reports

static void arena_write_text(const arena *a, const arena_game *g, int64_t index, FILE *out) {
    const board_game *game = a->game;
    // In English checkers the first player has the black pieces.
    int32_t draughts = arena_draughts(game);
    bool white_is_a = g->a_first != (draughts == PLOY_BOARD_DRAUGHTS_ENGLISH);
    const char *white = a->texts[white_is_a ? 0 : 1], *black = a->texts[white_is_a ? 1 : 0];
    int32_t first = white_is_a ? g->points : 2 - g->points;
    const char *result = g->points < 0 ? "*" : first == 2 ? "1-0" : first == 1 ? "1/2-1/2" : "0-1";
    uint64_t pair = (uint64_t)index / 2;
    const arena_opening *opening =
        a->opening_count > 0 ? &a->openings[pair % (uint64_t)a->opening_count] : NULL;
    fprintf(out, "[Event \"ploy arena %s\"]\n[Round \"%lld\"]\n[White \"", game->type->name,
            (long long)index + 1);
    for (int k = 0; k < 2; k++) {
        for (const char *c = k == 0 ? white : black; *c != 0; c++) {
            if (*c == '"' || *c == '\\') fputc('\\', out);
            fputc(*c, out);
        }
        fputs(k == 0 ? "\"]\n[Black \"" : "\"]\n", out);
    }
    fprintf(out, "[Result \"%s\"]\n[Termination \"%s\"]\n", result, g->reason);
    if (ploy_pdn_game_type(draughts) != 0)
        fprintf(out, "[GameType \"%d\"]\n", ploy_pdn_game_type(draughts));
    void *position = calloc(1, game->type->position_bytes(&game->rules));
    if (position == NULL) return;
    game->type->start(&game->rules, position);
    if (opening != NULL && opening->start != NULL) {
        fprintf(out, "[SetUp \"1\"]\n[FEN \"%s\"]\n", opening->start);
        (void)game->type->parse(&game->rules, opening->start, "opening", position, NULL);
    }
    bool chess = game->type == ploy_board_chess();
    for (int32_t i = 0; i < g->count; i++) {
        char text[PLOY_BOARD_MOVE_TEXT];
        if (chess)
            ploy_board_chess_san(position, g->moves[i], text);
        else
            game->type->move_text(&game->rules, position, g->moves[i], text);
        bool turn = game->type->side(&game->rules, position) == 0;
        fputs(i % 16 == 0 ? "\n" : " ", out);
        if (turn || i == 0) fprintf(out, "%d%s ", i / 2 + 1, turn ? "." : "...");
        fputs(text, out);
        game->type->make(&game->rules, position, g->moves[i], NULL);
    }
    free(position);
    fprintf(out, "%s%s\n\n", g->count % 16 == 0 ? "\n" : " ", result);
}

static void arena_print(const arena *a, bool json, const char *verdict) {
    arena_numbers n = arena_numbers_of(a->wins, a->draws, a->losses);
    long long games = (long long)(a->wins + a->draws + a->losses);
    if (json) {
        printf("{\"games\":%lld,\"wins\":%lld,\"draws\":%lld,\"losses\":%lld,\"score\":%.4f,"
               "\"error95\":%.4f,\"elo\":%.1f,\"elo_low\":%.1f,\"elo_high\":%.1f,\"p\":%.4g,"
               "\"void\":%lld,\"hash\":\"%016llx\"",
               games, (long long)a->wins, (long long)a->draws, (long long)a->losses, n.score,
               n.error95, n.elo, n.elo_low, n.elo_high, n.p, (long long)a->voids,
               (unsigned long long)a->hash);
        if (verdict != NULL) printf(",\"sprt\":\"%s\"", verdict);
        printf("}\n");
        return;
    }
    printf("%s against %s: %lld games, %lld won, %lld drawn, %lld lost, %lld void\n", a->texts[0],
           a->texts[1], games, (long long)a->wins, (long long)a->draws, (long long)a->losses,
           (long long)a->voids);
    printf("score %.1f %% +- %.1f, Elo %.0f (%.0f to %.0f), p %.3g, hash %016llx\n",
           100.0 * n.score, 100.0 * n.error95, n.elo, n.elo_low, n.elo_high, n.p,
           (unsigned long long)a->hash);
    if (verdict != NULL) printf("sprt: %s\n", verdict);
}

static void arena_print_match(const arena_game *g, int64_t index, bool json) {
    static const char *const results[] = {"loss", "draw", "win"};
    const char *result = g->points < 0 ? "void" : results[g->points];
    if (json)
        printf(
            "{\"game\":%lld,\"first\":\"%s\",\"result\":\"%s\",\"plies\":%d,\"reason\":\"%s\"}\n",
            (long long)index + 1, g->a_first ? "A" : "B", result, g->count, g->reason);
    else
        printf("game %lld, %s first: %s of A after %d plies, %s\n", (long long)index + 1,
               g->a_first ? "A" : "B", result, g->count, g->reason);
}

// ---- the match

typedef struct arena_options {
    int64_t games, first, workers, random, timeout_s, ticks;
    const char *openings, *pgn, *sprt, *clock;
    cli_texts sets;
    bool matches, json;
} arena_options;

static void arena_count(arena *a, const arena_game *g) {
    a->wins += g->points == 2;
    a->draws += g->points == 1;
    a->losses += g->points == 0;
    a->voids += g->points < 0;
    a->hash = ploy_hash_combine(a->hash, (uint64_t)(g->points + 1));
    for (int32_t i = 0; i < g->count; i++) a->hash = ploy_hash_combine(a->hash, g->moves[i]);
}

static const char *arena_run(arena *a, const arena_options *o, const ploy_jobs *jobs, FILE *pgn,
                             double low, double high) {
    cli_progress progress = cli_progress_begin("arena", (uint64_t)a->games, true);
    const char *verdict = o->sprt != NULL ? "undecided" : NULL;
    bool decided = false;
    for (int64_t done = 0; done < a->games && !decided; done += ARENA_ROUND) {
        int64_t left = a->games - done;
        int32_t count = left < ARENA_ROUND ? (int32_t)left : ARENA_ROUND;
        a->round_first = done;
        ranks_run(jobs, arena_job, a, count, a->round, sizeof a->round[0]);
        for (int32_t i = 0; i < count && !decided; i++) {
            const arena_game *g = &a->round[i];
            arena_count(a, g);
            if (o->matches) cli_progress_hide(&progress);
            if (o->matches) arena_print_match(g, done + i, o->json);
            if (pgn != NULL) arena_write_text(a, g, done + i, pgn);
            if (o->sprt == NULL || i % 2 == 0) continue; // both colours
            double llr = arena_llr(a->wins, a->draws, a->losses, low, high);
            decided = llr >= 2.944 || llr <= -2.944; // 5 % for either error
            if (decided) verdict = llr > 0.0 ? "better" : "not better";
        }
        cli_progress_step(&progress, (uint64_t)(done + count));
    }
    cli_progress_end(&progress);
    return verdict;
}

static int arena_start(arena *a, const arena_options *o) {
    int status = -1;
    for (int64_t w = 0; w < o->workers && status < 0; w++) {
        for (int k = 0; k < 2 && status < 0; k++) {
            a->sides[w][k] = arena_side_create(a->texts[k], a->game, a->timeout_ms, &status);
        }
    }
    if (status < 0 && o->openings != NULL) status = arena_load_openings(a, o->openings);
    return status;
}

static void arena_end(arena *a) {
    for (int32_t w = 0; w < ARENA_WORKERS; w++) {
        for (int k = 0; k < 2; k++) arena_side_destroy(a->sides[w][k]);
    }
    for (int32_t i = 0; i < a->opening_count; i++) {
        free(a->openings[i].start);
        free(a->openings[i].moves);
    }
    free(a->openings);
    free(a);
}

static int arena_main(board_game *game, const char *const words[3], const arena_options *o) {
    double low = 0.0, high = 0.0;
    int status = o->sprt != NULL ? arena_read_sprt(o->sprt, &low, &high) : -1;
    if (status >= 0) return status;
    arena *a = calloc(1, sizeof *a);
    if (a == NULL) return cli_error_result("arena", PLOY_ERR_MEMORY);
    a->game = game;
    a->texts[0] = words[1];
    a->texts[1] = words[2];
    a->first = (uint64_t)o->first;
    a->games = o->games;
    a->random = o->random;
    a->timeout_ms = o->timeout_s * 1000;
    if (o->clock != NULL) status = arena_read_clock(o->clock, &a->clock);
    if (status < 0) status = arena_start(a, o);
    FILE *pgn = NULL;
    if (status < 0 && o->pgn != NULL && ranks_rank() == 0) {
        pgn = cli_open_output(o->pgn);
        if (pgn == NULL) status = CLI_USAGE;
    }
    ploy_job_pool *pool = NULL;
    if (status < 0 && o->workers > 1) {
        ploy_result result = ploy_job_pool_create((int32_t)o->workers, &game->env, &pool);
        if (result != PLOY_OK) status = cli_error_result("workers", result);
    }
    status = ranks_agree(status);
    if (status < 0) {
        const char *verdict =
            arena_run(a, o, pool == NULL ? NULL : ploy_job_pool_jobs(pool), pgn, low, high);
        arena_print(a, o->json, verdict);
        status = CLI_OK;
    }
    ploy_job_pool_destroy(pool);
    if (pgn != NULL) (void)fclose(pgn);
    arena_end(a);
    return status;
}

static int arena_command(int argc, char **argv) {
    arena_options o = {.games = 100, .first = 1, .workers = 1, .random = 4, .timeout_s = 30};
    const cli_option options[] = {
        {"--games", CLI_COUNT, &o.games, "N", "games; colours alternate on each opening"},
        {"--first", CLI_COUNT, &o.first, "SEED", "seed of the first game"},
        {"--openings", CLI_TEXT, &o.openings, "F",
         "PGN or PDN file, or lines of moves or 'position P'; default: random plies"},
        {"--random", CLI_COUNT, &o.random, "N",
         "random plies at the start of a game, without openings"},
        {"--pgn", CLI_TEXT, &o.pgn, "F", "file to write the games to"},
        {"--timeout", CLI_COUNT, &o.timeout_s, "S",
         "time limit for one move of an engine, in seconds"},
        {"--clock", CLI_TEXT, &o.clock, "S+I",
         "seconds for a game and for each move, such as 1+0.01; a side without time loses"},
        {"--sprt", CLI_TEXT, &o.sprt, "LO,HI",
         "stop when a sequential test has decided between these Elo differences"},
        {"--workers", CLI_COUNT, &o.workers, "N",
         "games in parallel; the result does not depend on it"},
        {"--set", CLI_MANY, &o.sets, "K=V", "a setting of the rules, or a parameter of both sides"},
        {"--ticks", CLI_COUNT, &o.ticks, "N", "length of a match, for simulations"},
        {"--matches", CLI_FLAG, &o.matches, NULL, "print a line for each game"},
        {"--json", CLI_FLAG, &o.json, NULL, "print JSON"},
    };
    const cli_usage usage = {
        "arena",
        "GAME A B [options]",
        "Compares two sides of a game. Sides of a board game: level:4, mcts:playouts=1000, "
        "search:nodes=5000, "
        "random,\n"
        "learned:F, or an engine with options and limits after bars: 'uci:stockfish|nodes=50000|\n"
        "UCI_LimitStrength=true', 'xboard:gnuchess -x|depth=6', 'gtp:gnugo --mode gtp'. An engine "
        "that\n"
        "crashes voids its game; one that hangs or makes an illegal move loses it. Both are\n"
        "restarted. Sides of a simulation (raven, soccer) are parameter files, of which the first\n"
        "side is used, or settings of a side: tactics=team,skill=hard. The sides are swapped\n"
        "after each match. Under mpirun the games are divided among the ranks.",
        options,
        (int32_t)(sizeof options / sizeof options[0]),
        3,
        3};
    const char *words[3];
    int status = cli_parse(&usage, argc, argv, words);
    if (status >= 0) return status;
    board_game game;
    memset(&game, 0, sizeof game);
    game.env = cli_env();
    game.type = ploy_boards_find(words[0]);
    if (game.type == NULL && tune_sides_find(words[0]) != NULL) {
        arena_match_options match = {o.games, o.first, o.workers, o.ticks,
                                     o.sprt,  &o.sets, o.matches, o.json};
        return arena_match(words, &match);
    }
    if (game.type == NULL) {
        ploy_nearest nearest = ploy_nearest_make(words[0]);
        for (int32_t i = 0; ploy_boards_at(i) != NULL; i++) {
            ploy_nearest_offer(&nearest, ploy_boards_at(i)->name);
        }
        for (int32_t i = 0; tune_sides_at(i) != NULL; i++) {
            ploy_nearest_offer(&nearest, tune_sides_at(i)->game);
        }
        return cli_error_unknown("unknown game", words[0], nearest.best, "board list");
    }
    if (game.type->players != 2)
        return cli_error("the arena needs a game for two players, found", words[0]);
    if (o.games < 1 || o.games > 10000000) return cli_error("--games must be above 0", NULL);
    if (o.workers < 1 || o.workers > ARENA_WORKERS)
        return cli_error("--workers must be 1 to 64", NULL);
    if (o.random > 100) return cli_error("--random must be at most 100", NULL);
    if (o.timeout_s < 1 || o.timeout_s > 100000)
        return cli_error("--timeout must be above 0", NULL);
    game.board = ploy_board_default(game.type, &game.rules);
    status = board_set_rules(&game, &o.sets);
    return status >= 0 ? status : arena_main(&game, words, &o);
}

int cmd_arena(int argc, char **argv) {
    ranks_begin();
    return ranks_end(arena_command(argc, argv), false); // all ranks succeed or fail alike
}
