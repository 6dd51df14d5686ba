// The engine of the Go Text Protocol, for every game but chess. Othello follows gtp-rhino:
// set_game, list_games, squares from the top, moves in capitals.
#include "apps/ploy/gtp_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/number.h"
#include "ploy/base/os.h"
#include "ploy/base/version.h"
#include "ploy/board/draughts.h"
#include "ploy/board/go.h"
#include "ploy/board/othello.h"
#include "ploy/data/sgf.h"

enum { GTP_MOVES = 4096, GTP_TREE_SLICE = 2000, GTP_MCTS_SLICE = 50, GTP_FILE_MAX = 1 << 26 };

struct gtp_engine {
    board_game *game;
    gtp_options options;
    ploy_board_player *player;
    ploy_board_move moves[GTP_MOVES]; // of the game, for undo
    int32_t count;
    char *start; // position text where the moves begin; NULL: the start
    ploy_board_move *legal;
    // Clock: main time, then byo-yomi; 0: none.
    int64_t main_ms, byo_ms, byo_moves, left_ms[2], left_moves[2];
    bool timed;
};

typedef struct gtp_command {
    const char *name;
    // Writes the answer without its mark. False: it is an error message.
    bool (*run)(gtp_engine *gtp, char *rest, ploy_writer *out);
} gtp_command;

static bool gtp_fail(ploy_writer *out, const char *message) {
    ploy_write_text(out, message);
    return false;
}

static char *gtp_word(char **at) {
    *at += strspn(*at, " \t");
    if (**at == 0) return NULL;
    char *word = *at;
    *at += strcspn(*at, " \t");
    if (**at != 0) *(*at)++ = 0;
    return word;
}

static bool gtp_number(char **at, int64_t *out) {
    char *word = gtp_word(at);
    return word != NULL && ploy_parse_i64(word, strlen(word), NULL, out) == PLOY_OK;
}

static void gtp_lower(char *text) {
    for (; *text != 0; text++) {
        if (*text >= 'A' && *text <= 'Z') *text = (char)(*text - 'A' + 'a');
    }
}

static const void *gtp_position(const gtp_engine *gtp) {
    return ploy_board_player_position(gtp->player);
}

static int32_t gtp_side(const gtp_engine *gtp) {
    return gtp->game->type->side(&gtp->game->rules, gtp_position(gtp));
}

// ---- life

// The player again, for other rules: an empty board.
static ploy_result gtp_prepare(gtp_engine *gtp) {
    const board_game *game = gtp->game;
    ploy_board_player_def def = ploy_board_player_def_for(game->board, gtp->options.level);
    if (gtp->options.monte_carlo) def.monte_carlo = true;
    if (gtp->options.units > 0 && gtp->options.level == 0) {
        def.level = 10; // the units are the limit
        def.nodes = gtp->options.units < 100 ? 100 : (int32_t)gtp->options.units;
    }
    if (def.level == 0) def.level = 10;
    def.mcts.nodes = 400000;
    if (gtp->options.hash_mb > 0) def.search.table.kilobytes = (int32_t)gtp->options.hash_mb * 1024;
    ploy_board_player *player = NULL;
    ploy_result result = ploy_board_player_create(&def, game->board, &game->env, &player);
    if (result == PLOY_OK && gtp->options.sources != NULL)
        result = board_sources_add(gtp->options.sources, player);
    if (result != PLOY_OK) {
        ploy_board_player_destroy(player);
        return result;
    }
    ploy_board_player_destroy(gtp->player);
    gtp->player = player;
    gtp->count = 0;
    free(gtp->start);
    gtp->start = NULL;
    return PLOY_OK;
}

ploy_result gtp_create(board_game *game, const gtp_options *options, gtp_engine **out) {
    *out = NULL;
    gtp_engine *gtp = calloc(1, sizeof *gtp);
    if (gtp == NULL) return PLOY_ERR_MEMORY;
    gtp->game = game;
    gtp->options = *options;
    gtp->legal = calloc((size_t)game->type->max_moves, sizeof *gtp->legal);
    ploy_result result = gtp->legal == NULL ? PLOY_ERR_MEMORY : gtp_prepare(gtp);
    if (result != PLOY_OK) {
        gtp_destroy(gtp);
        return result;
    }
    *out = gtp;
    return PLOY_OK;
}

void gtp_destroy(gtp_engine *gtp) {
    if (gtp == NULL) return;
    ploy_board_player_destroy(gtp->player);
    free(gtp->legal);
    free(gtp->start);
    free(gtp);
}

// ---- moves

// Player of a colour; -1: not one. In draughts white begins, except in English checkers.
static int32_t gtp_colour(const gtp_engine *gtp, char *word) {
    if (word == NULL) return -1;
    gtp_lower(word);
    bool black = strcmp(word, "b") == 0 || strcmp(word, "black") == 0;
    bool white = strcmp(word, "w") == 0 || strcmp(word, "white") == 0;
    if (strcmp(word, "chance") == 0 && gtp->game->type->odds != NULL) return PLOY_BOARD_CHANCE;
    if (!black && !white) return -1;
    bool white_first = false;
    if (gtp->game->type == ploy_board_draughts()) {
        ploy_board_draughts_def rules;
        memcpy(&rules, &gtp->game->rules, sizeof rules);
        white_first = rules.rules != PLOY_BOARD_DRAUGHTS_ENGLISH;
    }
    return black == white_first ? 1 : 0;
}

static bool gtp_push(gtp_engine *gtp, ploy_board_move move) {
    if (gtp->count == GTP_MOVES || ploy_board_player_play(gtp->player, move) != PLOY_OK)
        return false;
    gtp->moves[gtp->count++] = move;
    return true;
}

static ploy_board_move gtp_pass(const gtp_engine *gtp) {
    return gtp->game->type == ploy_board_go()        ? PLOY_BOARD_GO_PASS
           : gtp->game->type == ploy_board_othello() ? PLOY_BOARD_OTHELLO_PASS
                                                     : PLOY_BOARD_NO_MOVE;
}

// Brings the turn to a player: the other one passes, where that is a move.
static bool gtp_turn(gtp_engine *gtp, int32_t player) {
    if (gtp_side(gtp) == player) return true;
    ploy_board_move pass = gtp_pass(gtp);
    return pass != PLOY_BOARD_NO_MOVE && gtp_push(gtp, pass) && gtp_side(gtp) == player;
}

static bool gtp_read_move(const gtp_engine *gtp, char *text, ploy_board_move *out) {
    const ploy_board_type *type = gtp->game->type;
    gtp_lower(text);
    if (type == ploy_board_go() && strcmp(text, "pass") != 0 && text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    return type->move_parse(&gtp->game->rules, gtp_position(gtp), text, "move", out, NULL) ==
           PLOY_OK;
}

static void gtp_write_move(const gtp_engine *gtp, ploy_board_move move, ploy_writer *out) {
    char text[PLOY_BOARD_MOVE_TEXT];
    gtp->game->type->move_text(&gtp->game->rules, gtp_position(gtp), move, text);
    bool capitals = gtp->game->type == ploy_board_othello();
    for (char *c = text; *c != 0 && capitals; c++) {
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    }
    ploy_write_text(out, text);
}

static bool gtp_replay(gtp_engine *gtp, int32_t count) {
    ploy_board_move moves[GTP_MOVES];
    memcpy(moves, gtp->moves, sizeof(ploy_board_move) * (size_t)count);
    const board_game *game = gtp->game;
    void *position = calloc(1, game->type->position_bytes(&game->rules));
    if (position == NULL) return false;
    game->type->start(&game->rules, position);
    bool fine = gtp->start == NULL ||
                game->type->parse(&game->rules, gtp->start, "start", position, NULL) == PLOY_OK;
    if (fine) fine = ploy_board_player_new_game(gtp->player, position) == PLOY_OK;
    free(position);
    gtp->count = 0;
    for (int32_t i = 0; i < count && fine; i++) fine = gtp_push(gtp, moves[i]);
    return fine;
}

// ---- commands

static bool gtp_protocol_version(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp, (void)rest;
    ploy_write_text(out, "2");
    return true;
}

static bool gtp_name(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp, (void)rest;
    ploy_write_text(out, "ploy");
    return true;
}

static bool gtp_version(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp, (void)rest;
    ploy_write_text(out, ploy_version_text());
    return true;
}

static bool gtp_quit(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp, (void)rest, (void)out;
    return true;
}

static bool gtp_known_command(gtp_engine *gtp, char *rest, ploy_writer *out);
static bool gtp_list_commands(gtp_engine *gtp, char *rest, ploy_writer *out);

static bool gtp_boardsize(gtp_engine *gtp, char *rest, ploy_writer *out) {
    int64_t size = 0;
    if (!gtp_number(&rest, &size)) return gtp_fail(out, "boardsize not an integer");
    board_game *game = gtp->game;
    char text[PLOY_PRINT_I64_SIZE];
    text[ploy_print_i64(size, text)] = 0;
    ploy_board_rules before;
    memcpy(&before, &game->rules, sizeof before);
    ploy_env quiet = game->env;
    quiet.log = NULL;
    ploy_fields fields = game->type->fields();
    bool has = ploy_fields_find(fields, "size", NULL) != NULL;
    bool fits = size == 8 && !has && game->type == ploy_board_draughts();
    if (has) fits = ploy_fields_set_text(fields, &game->rules, "size", text, NULL) == PLOY_OK;
    if (fits) fits = ploy_board_rules_check(game->board, &quiet) == PLOY_OK;
    if (fits && gtp_prepare(gtp) == PLOY_OK) return true;
    memcpy(&game->rules, &before, sizeof before);
    return gtp_fail(out, "unacceptable size");
}

static bool gtp_clear_board(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)rest;
    free(gtp->start);
    gtp->start = NULL;
    gtp->count = 0;
    if (ploy_board_player_new_game(gtp->player, NULL) == PLOY_OK) return true;
    return gtp_fail(out, "out of memory");
}

static bool gtp_komi(gtp_engine *gtp, char *rest, ploy_writer *out) {
    char *word = gtp_word(&rest);
    double komi = 0.0;
    if (word == NULL || ploy_parse_f64(word, strlen(word), NULL, &komi) != PLOY_OK)
        return gtp_fail(out, "komi not a float");
    board_game *game = gtp->game;
    if (game->type != ploy_board_go()) return true; // other games have none
    ploy_board_rules before;
    memcpy(&before, &game->rules, sizeof before);
    ploy_env quiet = game->env;
    quiet.log = NULL;
    if (ploy_fields_set_text(game->type->fields(), &game->rules, "komi", word, NULL) == PLOY_OK &&
        ploy_board_rules_check(game->board, &quiet) == PLOY_OK) {
        return true;
    }
    memcpy(&game->rules, &before, sizeof before);
    return gtp_fail(out, "unacceptable komi");
}

static bool gtp_play(gtp_engine *gtp, char *rest, ploy_writer *out) {
    int32_t player = gtp_colour(gtp, gtp_word(&rest));
    char *text = gtp_word(&rest);
    if (player < 0 || text == NULL) return gtp_fail(out, "invalid color or coordinate");
    if (gtp_side(gtp) == PLOY_BOARD_OVER) return gtp_fail(out, "illegal move");
    int32_t before = gtp->count;
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    if (gtp_turn(gtp, player) && gtp_read_move(gtp, text, &move) && gtp_push(gtp, move))
        return true;
    if (gtp->count != before) (void)gtp_replay(gtp, before);
    return gtp_fail(out, "illegal move");
}

// Time for one move, ms; 0: no clock.
static int64_t gtp_time(const gtp_engine *gtp, int32_t player) {
    if (!gtp->timed) return 0;
    int64_t left = gtp->left_ms[player], moves = gtp->left_moves[player];
    int64_t share = moves > 0 ? left / moves : left / 30;
    if (moves == 0 && gtp->byo_moves > 0 && left <= 0) share = gtp->byo_ms / gtp->byo_moves;
    share = share * 8 / 10;
    return share > 1 ? share : 1;
}

static bool gtp_think(gtp_engine *gtp, int32_t player, ploy_board_move *move) {
    if (ploy_board_player_begin(gtp->player) != PLOY_OK) return false;
    int64_t limit = gtp_time(gtp, player);
    uint64_t began = ploy_os_clock_ns();
    ploy_result result = PLOY_IN_PROGRESS;
    bool mcts = ploy_board_player_mcts(gtp->player) != NULL;
    while (result == PLOY_IN_PROGRESS) {
        ploy_budget budget = ploy_budget_units(mcts ? GTP_MCTS_SLICE : GTP_TREE_SLICE);
        result = ploy_board_player_step(gtp->player, &budget);
        int64_t ms = (int64_t)((ploy_os_clock_ns() - began) / 1000000);
        if (result == PLOY_IN_PROGRESS && limit > 0 && ms >= limit) {
            ploy_board_player_stop(gtp->player);
            result = PLOY_OK;
        }
    }
    *move = ploy_board_player_choice(gtp->player).move;
    return result == PLOY_OK && *move != PLOY_BOARD_NO_MOVE;
}

static bool gtp_generate(gtp_engine *gtp, char *rest, ploy_writer *out, bool plays) {
    int32_t player = gtp_colour(gtp, gtp_word(&rest));
    if (player < 0 || player == PLOY_BOARD_CHANCE) return gtp_fail(out, "invalid color");
    if (gtp_side(gtp) == PLOY_BOARD_OVER) {
        if (gtp_pass(gtp) == PLOY_BOARD_NO_MOVE) return gtp_fail(out, "the game is over");
        ploy_write_text(out, gtp->game->type == ploy_board_othello() ? "PASS" : "pass");
        return true;
    }
    int32_t before = gtp->count;
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    if (!gtp_turn(gtp, player) || !gtp_think(gtp, player, &move)) {
        if (gtp->count != before) (void)gtp_replay(gtp, before);
        return gtp_fail(out, "not the turn of this color");
    }
    gtp_write_move(gtp, move, out);
    if (plays) return gtp_push(gtp, move);
    if (gtp->count != before) (void)gtp_replay(gtp, before);
    return true;
}

static bool gtp_genmove(gtp_engine *gtp, char *rest, ploy_writer *out) {
    return gtp_generate(gtp, rest, out, true);
}

static bool gtp_reg_genmove(gtp_engine *gtp, char *rest, ploy_writer *out) {
    return gtp_generate(gtp, rest, out, false);
}

static bool gtp_undo(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)rest;
    if (gtp->count == 0 || !gtp_replay(gtp, gtp->count - 1)) return gtp_fail(out, "cannot undo");
    return true;
}

static bool gtp_showboard(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)rest;
    char text[PLOY_BOARD_TEXT];
    gtp->game->type->text(&gtp->game->rules, gtp_position(gtp), text);
    ploy_write_char(out, '\n');
    int32_t size = 0, column = 0;
    if (gtp->game->type == ploy_board_othello()) {
        ploy_board_othello_def rules;
        memcpy(&rules, &gtp->game->rules, sizeof rules);
        size = rules.size;
    }
    for (const char *c = text; *c != 0; c++) { // one row a line
        ploy_write_char(out, *c == '/' ? '\n' : *c);
        column++;
        if (size > 0 && column % size == 0 && column <= size * size) ploy_write_char(out, '\n');
    }
    return true;
}

static bool gtp_final_score(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)rest;
    const board_game *game = gtp->game;
    double lead = 0.0;
    if (game->type == ploy_board_go()) {
        ploy_board_go_def rules;
        memcpy(&rules, &game->rules, sizeof rules);
        lead = (double)ploy_board_go_score(&rules, gtp_position(gtp)) / 2.0;
    } else {
        if (gtp_side(gtp) != PLOY_BOARD_OVER) return gtp_fail(out, "cannot score");
        char black[] = "black";
        int32_t result =
            game->type->result(&game->rules, gtp_position(gtp), gtp_colour(gtp, black));
        bool margin = (game->type->flags & PLOY_BOARD_MARGIN) != 0;
        lead = margin ? (double)result / 100.0 : result > 0 ? 1.0 : result < 0 ? -1.0 : 0.0;
    }
    if (lead == 0.0) {
        ploy_write_text(out, "0");
        return true;
    }
    ploy_write_text(out, lead > 0.0 ? "B+" : "W+");
    ploy_write_f64(out, lead > 0.0 ? lead : -lead);
    return true;
}

static bool gtp_time_settings(gtp_engine *gtp, char *rest, ploy_writer *out) {
    int64_t main_s = 0, byo_s = 0, moves = 0;
    if (!gtp_number(&rest, &main_s) || !gtp_number(&rest, &byo_s) || !gtp_number(&rest, &moves) ||
        main_s < 0 || byo_s < 0 || moves < 0 || main_s > 1000000 || byo_s > 1000000) {
        return gtp_fail(out, "not three integers");
    }
    gtp->timed = !(byo_s > 0 && moves == 0); // that means no limit
    gtp->main_ms = main_s * 1000;
    gtp->byo_ms = byo_s * 1000;
    gtp->byo_moves = moves;
    for (int32_t i = 0; i < 2; i++) {
        gtp->left_ms[i] = main_s > 0 ? gtp->main_ms : gtp->byo_ms;
        gtp->left_moves[i] = main_s > 0 ? 0 : moves;
    }
    return true;
}

static bool gtp_time_left(gtp_engine *gtp, char *rest, ploy_writer *out) {
    int32_t player = gtp_colour(gtp, gtp_word(&rest));
    int64_t seconds = 0, moves = 0;
    if (player < 0 || player > 1 || !gtp_number(&rest, &seconds) || !gtp_number(&rest, &moves) ||
        seconds < 0 || seconds > 1000000 || moves < 0) {
        return gtp_fail(out, "invalid color or numbers");
    }
    gtp->timed = true;
    gtp->left_ms[player] = seconds * 1000;
    gtp->left_moves[player] = moves;
    return true;
}

// ---- handicap, files

static bool gtp_place_black(gtp_engine *gtp, ploy_board_move point) {
    return gtp_turn(gtp, 0) && gtp_push(gtp, point);
}

static bool gtp_fixed_handicap(gtp_engine *gtp, char *rest, ploy_writer *out) {
    // Corners, then sides; the centre is the last one of an odd number.
    static const int8_t order[9][2] = {{0, 2}, {2, 0}, {2, 2}, {0, 0}, {0, 1},
                                       {2, 1}, {1, 2}, {1, 0}, {1, 1}};
    int64_t count = 0;
    if (gtp->game->type != ploy_board_go()) return gtp_fail(out, "handicaps are for Go");
    ploy_board_go_def rules;
    memcpy(&rules, &gtp->game->rules, sizeof rules);
    if (!gtp_number(&rest, &count) || count < 2 || count > (rules.size % 2 == 1 ? 9 : 4))
        return gtp_fail(out, "invalid number of stones");
    if (gtp->count > 0) return gtp_fail(out, "board not empty");
    int32_t edge = rules.size >= 13 ? 3 : 2;
    const int32_t lines[3] = {edge, rules.size / 2, rules.size - 1 - edge};
    for (int64_t i = 0; i < count; i++) {
        bool centre = i == count - 1 && (count == 5 || count == 7 || count == 9);
        const int8_t *at = order[centre ? 8 : i];
        int32_t point = lines[at[0]] + rules.size * lines[at[1]];
        if (!gtp_place_black(gtp, (ploy_board_move)point + 1)) return gtp_fail(out, "illegal move");
        if (i > 0) ploy_write_char(out, ' ');
        gtp_write_move(gtp, (ploy_board_move)point + 1, out);
    }
    return true;
}

static bool gtp_set_free_handicap(gtp_engine *gtp, char *rest, ploy_writer *out) {
    if (gtp->game->type != ploy_board_go()) return gtp_fail(out, "handicaps are for Go");
    if (gtp->count > 0) return gtp_fail(out, "board not empty");
    int32_t count = 0;
    for (char *text; (text = gtp_word(&rest)) != NULL; count++) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (gtp_turn(gtp, 0) && gtp_read_move(gtp, text, &move) && move != PLOY_BOARD_GO_PASS &&
            gtp_push(gtp, move)) {
            continue;
        }
        (void)gtp_replay(gtp, 0);
        return gtp_fail(out, "bad vertex list");
    }
    return count >= 2 || gtp_fail(out, "bad vertex list");
}

// The game of a record, up to before move `stop`.
static bool gtp_take_record(gtp_engine *gtp, const ploy_sgf *sgf, int64_t stop) {
    const ploy_sgf_game *record = ploy_sgf_at(sgf, 0);
    board_game *game = gtp->game;
    ploy_board_rules rules;
    ploy_board board = ploy_sgf_board(record, &rules);
    if (board.type != game->type) return false;
    memcpy(&game->rules, &rules, sizeof rules);
    if (gtp_prepare(gtp) != PLOY_OK) return false;
    if (record->start != NULL) {
        gtp->start = malloc(strlen(record->start) + 1);
        if (gtp->start == NULL) return false;
        memcpy(gtp->start, record->start, strlen(record->start) + 1);
        if (!gtp_replay(gtp, 0)) return false;
    }
    const ploy_board_move *moves = ploy_sgf_moves(sgf) + record->move_first;
    for (int32_t i = 0; i < record->move_count && (stop <= 0 || i < stop - 1); i++) {
        if (!gtp_push(gtp, moves[i])) return false;
    }
    return true;
}

static bool gtp_loadsgf(gtp_engine *gtp, char *rest, ploy_writer *out) {
    char *path = gtp_word(&rest);
    int64_t stop = 0;
    if (path == NULL || !gtp->options.files) return gtp_fail(out, "cannot load file");
    (void)gtp_number(&rest, &stop);
    ploy_buffer file;
    if (ploy_os_read_file(path, GTP_FILE_MAX, &gtp->game->env, &file) != PLOY_OK)
        return gtp_fail(out, "cannot load file");
    ploy_sgf *sgf = NULL;
    ploy_result result = ploy_sgf_load(file.bytes, file.size, path, &gtp->game->env, NULL, &sgf);
    ploy_buffer_fini(&file);
    bool fine = result == PLOY_OK && gtp_take_record(gtp, sgf, stop);
    ploy_sgf_destroy(sgf);
    if (!fine) return gtp_fail(out, "cannot load file");
    ploy_write_text(out, gtp_side(gtp) == 1 ? "white" : "black");
    return true;
}

static bool gtp_list_games(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)rest;
    ploy_write_text(out, gtp->game->type->title);
    return true;
}

static bool gtp_set_game(gtp_engine *gtp, char *rest, ploy_writer *out) {
    rest += strspn(rest, " ");
    gtp_lower(rest);
    char title[64] = "";
    snprintf(title, sizeof title, "%s", gtp->game->type->title);
    gtp_lower(title);
    if (strcmp(rest, title) == 0 || strcmp(rest, gtp->game->type->name) == 0) return true;
    return gtp_fail(out, "unknown game");
}

static const gtp_command gtp_commands[] = {
    {"protocol_version", gtp_protocol_version},
    {"name", gtp_name},
    {"version", gtp_version},
    {"known_command", gtp_known_command},
    {"list_commands", gtp_list_commands},
    {"quit", gtp_quit},
    {"boardsize", gtp_boardsize},
    {"clear_board", gtp_clear_board},
    {"komi", gtp_komi},
    {"play", gtp_play},
    {"genmove", gtp_genmove},
    {"reg_genmove", gtp_reg_genmove},
    {"undo", gtp_undo},
    {"showboard", gtp_showboard},
    {"final_score", gtp_final_score},
    {"time_settings", gtp_time_settings},
    {"time_left", gtp_time_left},
    {"fixed_handicap", gtp_fixed_handicap},
    {"set_free_handicap", gtp_set_free_handicap},
    {"loadsgf", gtp_loadsgf},
    {"list_games", gtp_list_games},
    {"set_game", gtp_set_game},
};
enum { GTP_COMMANDS = sizeof gtp_commands / sizeof gtp_commands[0] };

static const gtp_command *gtp_find(const char *name) {
    for (int i = 0; i < GTP_COMMANDS && name != NULL; i++) {
        if (strcmp(gtp_commands[i].name, name) == 0) return &gtp_commands[i];
    }
    return NULL;
}

static bool gtp_known_command(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp;
    ploy_write_text(out, gtp_find(gtp_word(&rest)) != NULL ? "true" : "false");
    return true;
}

static bool gtp_list_commands(gtp_engine *gtp, char *rest, ploy_writer *out) {
    (void)gtp, (void)rest;
    for (int i = 0; i < GTP_COMMANDS; i++) {
        if (i > 0) ploy_write_char(out, '\n');
        ploy_write_text(out, gtp_commands[i].name);
    }
    return true;
}

// ---- lines

bool gtp_line(gtp_engine *gtp, char *line, ploy_writer *out) {
    // Comments end a line, control characters vanish, tabs are blanks.
    char *to = line;
    for (const char *c = line; *c != 0 && *c != '#'; c++) {
        if (*c == '\t')
            *to++ = ' ';
        else if ((unsigned char)*c >= ' ' && *c != 127)
            *to++ = *c;
    }
    *to = 0;
    char *rest = line, *word = gtp_word(&rest);
    if (word == NULL) return true;
    char id[32] = "";
    if (strspn(word, "0123456789") == strlen(word)) {
        snprintf(id, sizeof id, "%.20s", word);
        word = gtp_word(&rest);
        if (word == NULL) return true;
    }
    const gtp_command *command = gtp_find(word);
    ploy_buffer answer;
    ploy_buffer_init(&answer, 0, &gtp->game->env);
    ploy_writer writer = ploy_buffer_writer(&answer);
    bool fine =
        command != NULL ? command->run(gtp, rest, &writer) : gtp_fail(&writer, "unknown command");
    ploy_write_char(out, fine ? '=' : '?');
    ploy_write_text(out, id);
    if (answer.size > 0) {
        ploy_write_char(out, ' ');
        ploy_write_bytes(out, answer.bytes, answer.size);
    }
    ploy_write_text(out, "\n\n");
    ploy_buffer_fini(&answer);
    return command == NULL || command->run != gtp_quit;
}
