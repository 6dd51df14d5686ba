// Books and endings of players; see the header.
#include "apps/ploy/board_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/base/os.h"
#include "ploy/board/book.h"
#include "ploy/board/chess.h"
#include "ploy/board/draughts.h"
#include "ploy/data/pgn.h"
#include "ploy/data/polyglot.h"

enum { SOURCES_SETS = 8, SOURCES_FILE_MAX = 1 << 30, SOURCES_STRENGTH = 100 };

struct board_sources {
    const board_game *game;
    ploy_board_book *book;
    board_ending_set *sets[SOURCES_SETS];
    int32_t set_count;
};

ploy_result board_sources_create(const board_game *game, board_sources **out) {
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return PLOY_ERR_MEMORY;
    (*out)->game = game;
    return PLOY_OK;
}

static void sources_drop_sets(board_ending_set **sets, int32_t count) {
    for (int32_t i = count - 1; i >= 0; i--) {
        if (sets[i] == NULL) continue;
        ploy_board_endings_destroy(sets[i]->endings);
        free(sets[i]);
        sets[i] = NULL;
    }
}

void board_sources_destroy(board_sources *sources) {
    if (sources == NULL) return;
    ploy_board_book_destroy(sources->book);
    sources_drop_sets(sources->sets, sources->set_count);
    free(sources);
}

// The first message of a failed load.
static bool sources_fail(const ploy_diags *diags, ploy_result result, const char *what,
                         char message[160]) {
    const ploy_diag *first =
        diags != NULL && ploy_diags_count(diags) > 0 ? ploy_diags_get(diags, 0) : NULL;
    snprintf(message, 160, "%.80s: %.70s", what,
             first != NULL ? first->message : ploy_result_text(result));
    return false;
}

// ---- books

ploy_result board_opening_read(const board_game *game, char *line, const char *path, int32_t number,
                               ploy_diags *diags, void *position, board_opening *out) {
    out->start = NULL;
    out->count = 0;
    line[strcspn(line, "#\r\n")] = 0;
    line += strspn(line, " \t");
    out->empty = *line == 0;
    if (out->empty) return PLOY_OK;
    char name[600];
    snprintf(name, sizeof name, "%.560s:%d", path, number);
    game->type->start(&game->rules, position);
    size_t word = strcspn(line, " ");
    if ((word == 8 && strncmp(line, "position", 8) == 0) ||
        (word == 3 && strncmp(line, "fen", 3) == 0)) {
        out->start = line + word + strspn(line + word, " ");
        return game->type->parse(&game->rules, out->start, name, position, diags);
    }
    while (*line != 0 && out->count < 256) {
        char *text = line;
        line += strcspn(line, " ,\t");
        if (*line != 0) *line++ = 0;
        line += strspn(line, " ,\t");
        ploy_board_move *move = &out->moves[out->count];
        ploy_result result =
            game->type->move_parse(&game->rules, position, text, name, move, diags);
        if (result != PLOY_OK) return result;
        game->type->make(&game->rules, position, *move, NULL);
        out->count++;
        if (game->type->side(&game->rules, position) == PLOY_BOARD_OVER) break;
    }
    return PLOY_OK;
}

static ploy_result sources_read_lines(const board_game *game, ploy_board_book *book,
                                      const ploy_buffer *file, const char *path,
                                      ploy_diags *diags) {
    char *text = malloc(file->size + 1);
    void *position = calloc(1, game->type->position_bytes(&game->rules));
    board_opening *opening = malloc(sizeof *opening);
    ploy_result result =
        text != NULL && position != NULL && opening != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        if (file->size > 0) memcpy(text, file->bytes, file->size);
        text[file->size] = 0;
        int32_t number = 1;
        for (char *line = text; line != NULL && result == PLOY_OK; number++) {
            char *end = strchr(line, '\n');
            if (end != NULL) *end = 0;
            result = board_opening_read(game, line, path, number, diags, position, opening);
            if (result == PLOY_OK && !opening->empty)
                result = ploy_board_book_add_line(book, NULL, opening->moves, opening->count,
                                                  SOURCES_STRENGTH, NULL);
            line = end != NULL ? end + 1 : NULL;
        }
    }
    free(text);
    free(position);
    free(opening);
    return result == PLOY_OK ? ploy_board_book_seal(book) : result;
}

// The main lines of a PDN file.
static ploy_result sources_read_pdn(const board_game *game, ploy_board_book *book,
                                    const ploy_buffer *file, const char *path, ploy_diags *diags) {
    ploy_pgn *pgn = NULL;
    ploy_result result = ploy_pdn_load(file->bytes, file->size, path, &game->env, diags, &pgn);
    for (int32_t i = 0; result == PLOY_OK && i < ploy_pgn_count(pgn); i++) {
        const ploy_pgn_game *record = ploy_pgn_at(pgn, i);
        uint64_t start[64];
        ploy_board_rules rules;
        ploy_board board = ploy_pgn_board(record, &rules);
        const ploy_board_draughts_def *other = board.rules;
        ploy_board_draughts_def own;
        memcpy(&own, &game->rules, sizeof own);
        if (other->rules != own.rules) {
            ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, path, record->line, 1,
                           "unexpected rules of a game", "the rules of the player", NULL);
            result = PLOY_ERR_FORMAT;
            break;
        }
        ploy_pgn_start(pgn, record, start);
        result = ploy_board_book_add_line(book, start, ploy_pgn_moves(pgn) + record->move_first,
                                          record->move_count, SOURCES_STRENGTH, NULL);
    }
    ploy_pgn_destroy(pgn);
    return result == PLOY_OK ? ploy_board_book_seal(book) : result;
}

static ploy_result sources_read_book(const board_game *game, ploy_board_book *book,
                                     const ploy_buffer *file, const char *path, ploy_diags *diags) {
    size_t length = strlen(path);
    if (game->type == ploy_board_chess())
        return ploy_polyglot_load(file->bytes, file->size, path, book, diags);
    if (game->type == ploy_board_draughts() && length > 4 && strcmp(path + length - 4, ".pdn") == 0)
        return sources_read_pdn(game, book, file, path, diags);
    return sources_read_lines(game, book, file, path, diags);
}

bool board_sources_book(board_sources *sources, const char *path, char message[160]) {
    const board_game *game = sources->game;
    ploy_board_book *book = NULL;
    if (path != NULL && *path != 0) {
        ploy_board_book_def def = ploy_board_book_def_default();
        ploy_buffer file;
        ploy_result result = ploy_os_read_file(path, SOURCES_FILE_MAX, &game->env, &file);
        if (result != PLOY_OK) return sources_fail(NULL, result, path, message);
        ploy_diags *diags = NULL;
        result = ploy_diags_create(1, &game->env, &diags);
        if (result == PLOY_OK)
            result = ploy_board_book_create(&def, game->board, &game->env, &book);
        if (result == PLOY_OK) result = sources_read_book(game, book, &file, path, diags);
        ploy_buffer_fini(&file);
        if (result != PLOY_OK) {
            sources_fail(diags, result, path, message);
            ploy_board_book_destroy(book);
            book = NULL;
        }
        ploy_diags_destroy(diags);
        if (book == NULL) return false;
    }
    ploy_board_book_destroy(sources->book);
    sources->book = book;
    return true;
}

// ---- endings

ploy_result board_ending_describe(const board_game *game, const char *name, board_ending_set *set,
                                  board_ending_set *const *before, int32_t count) {
    if (game->type == ploy_board_chess()) {
        ploy_result result = ploy_board_chess_endings(name, &set->chess, &set->source);
        for (int32_t i = 0; i < count && i < PLOY_BOARD_CHESS_ENDINGS; i++) {
            set->chess.others[i] = before[i]->endings;
        }
        return result;
    }
    if (game->type != ploy_board_draughts()) return PLOY_ERR_UNSUPPORTED;
    ploy_board_draughts_def rules;
    memcpy(&rules, &game->rules, sizeof rules);
    size_t length = strlen(name); // files have the rules before the number
    int32_t pieces = length > 0 ? name[length - 1] - '0' : 0;
    ploy_result result =
        ploy_board_draughts_endings(pieces, rules.rules, &set->draughts, &set->source);
    for (int32_t i = 0; i < count && i < PLOY_BOARD_DRAUGHTS_PIECES; i++) {
        set->draughts.fewer[i] = before[i]->endings;
    }
    return result == PLOY_OK ? PLOY_OK : PLOY_ERR_FORMAT;
}

static ploy_result sources_load_set(const board_game *game, const char *path, board_ending_set *set,
                                    board_ending_set *const *before, int32_t count,
                                    ploy_diags *diags) {
    ploy_buffer file;
    ploy_result result = ploy_os_read_file(path, SOURCES_FILE_MAX, &game->env, &file);
    if (result != PLOY_OK) return result;
    char name[256] = "";
    size_t length = file.size > 9 ? (unsigned char)file.bytes[8] : 0; // the name is in the file
    if (length > 0 && file.size > 9 + length) memcpy(name, file.bytes + 9, length);
    result = board_ending_describe(game, name, set, before, count);
    if (result == PLOY_OK)
        result = ploy_board_endings_load(&set->source, file.bytes, file.size, path, &game->env,
                                         diags, &set->endings);
    ploy_buffer_fini(&file);
    return result;
}

static ploy_result sources_make_set(const board_game *game, const char *name, board_ending_set *set,
                                    board_ending_set *const *before, int32_t count,
                                    ploy_diags *diags) {
    if (strpbrk(name, "./") != NULL) return sources_load_set(game, name, set, before, count, diags);
    ploy_result result = board_ending_describe(game, name, set, before, count);
    if (result == PLOY_OK)
        result = ploy_board_endings_create(&set->source, &game->env, &set->endings);
    return result == PLOY_OK ? ploy_board_endings_step(set->endings, NULL) : result;
}

bool board_sources_endings(board_sources *sources, const char *list, char message[160]) {
    const board_game *game = sources->game;
    board_ending_set *sets[SOURCES_SETS] = {NULL};
    int32_t count = 0;
    ploy_diags *diags = NULL;
    ploy_result result = ploy_diags_create(1, &game->env, &diags);
    char name[256] = "endings";
    while (result == PLOY_OK && list != NULL && *list != 0) {
        size_t length = strcspn(list, ",");
        if (length >= sizeof name || count == SOURCES_SETS) {
            result = PLOY_ERR_CAPACITY;
            break;
        }
        memcpy(name, list, length);
        name[length] = 0;
        sets[count] = calloc(1, sizeof **sets);
        result = sets[count] == NULL
                     ? PLOY_ERR_MEMORY
                     : sources_make_set(game, name, sets[count], sets, count, diags);
        count++;
        list += length;
        if (*list == ',') list++;
    }
    if (result != PLOY_OK) {
        sources_fail(diags, result, name, message);
        sources_drop_sets(sets, SOURCES_SETS);
    } else {
        sources_drop_sets(sources->sets, sources->set_count);
        memcpy(sources->sets, sets, sizeof sets);
        sources->set_count = count;
    }
    ploy_diags_destroy(diags);
    return result == PLOY_OK;
}

// ---- for players

static bool sources_find_book(void *user, ploy_board board, const void *position, ploy_rng *rng,
                              ploy_board_move *move) {
    const board_sources *sources = user;
    (void)board;
    *move = sources->book != NULL ? ploy_board_book_choose(sources->book, position, rng)
                                  : PLOY_BOARD_NO_MOVE;
    return *move != PLOY_BOARD_NO_MOVE;
}

static bool sources_find_ending(void *user, ploy_board board, const void *position, ploy_rng *rng,
                                ploy_board_move *move) {
    const board_sources *sources = user;
    (void)board, (void)rng;
    *move = PLOY_BOARD_NO_MOVE;
    for (int32_t i = 0; i < sources->set_count && *move == PLOY_BOARD_NO_MOVE; i++) {
        *move = ploy_board_endings_best(sources->sets[i]->endings, position);
    }
    return *move != PLOY_BOARD_NO_MOVE;
}

static bool sources_known(void *user, const void *position, int32_t *score) {
    const board_sources *sources = user;
    ploy_board_ending value = 0;
    for (int32_t i = 0; i < sources->set_count; i++) {
        if (!ploy_board_endings_value(sources->sets[i]->endings, position, &value)) continue;
        *score = value > 0   ? PLOY_BOARD_WIN - (value - 1)
                 : value < 0 ? (-value - 1) - PLOY_BOARD_WIN
                             : 0;
        return true;
    }
    return false;
}

ploy_result board_sources_add(board_sources *sources, ploy_board_player *player) {
    const ploy_board_source book = {"book", sources_find_book, sources};
    const ploy_board_source endings = {"endings", sources_find_ending, sources};
    ploy_result result = ploy_board_player_source_add(player, &book);
    if (result == PLOY_OK) result = ploy_board_player_source_add(player, &endings);
    ploy_board_search *search = ploy_board_player_search(player);
    if (result == PLOY_OK && search != NULL && sources->set_count > 0) {
        ploy_board_hooks hooks;
        memset(&hooks, 0, sizeof hooks);
        hooks.known = sources_known;
        hooks.user = sources;
        ploy_board_search_hooks_set(search, &hooks);
    }
    return result;
}
