// PGN files; the format is in the header.
#include "ploy/data/pgn.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/number.h"

struct ploy_pgn {
    ploy_env env;
    char *texts; // names and values of tags
    size_t text_size, text_capacity;
    ploy_array games; // ploy_pgn_game
    ploy_array tags;  // ploy_pgn_tag
    ploy_array moves; // ploy_board_move
};

enum { PGN_FAULTS_MAX = 20, PGN_POSITION = 256, PGN_WORD = 64 };

typedef struct pgn_reader {
    ploy_pgn *pgn;
    const char *bytes;
    size_t size, at, line_start;
    int32_t line;
    const char *name;
    ploy_diags *diags;
    int32_t faults;
    bool pdn;
} pgn_reader;

static const char *const pgn_results[4] = {"1-0", "0-1", "1/2-1/2", "*"};
static const char *const pdn_old_results[3] = {"2-0", "0-2", "1-1"};
// GameType of each rules of draughts; 0: none.
static const int32_t pdn_types[PLOY_BOARD_DRAUGHTS_RULES] = {21, 20, 26, 25, 23, 22, 24, 0, 0};

static ploy_result pgn_fault(pgn_reader *r, size_t at, const char *message, const char *expected) {
    size_t column = at >= r->line_start ? at - r->line_start + 1 : 1;
    r->faults++;
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, r->line,
                   column < INT32_MAX ? (int32_t)column : INT32_MAX, message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

static void pgn_next(pgn_reader *r) {
    if (r->bytes[r->at++] == '\n') {
        r->line_start = r->at;
        if (r->line < INT32_MAX) r->line++;
    }
}

static bool pgn_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

static void pgn_skip_line(pgn_reader *r) {
    while (r->at < r->size && r->bytes[r->at] != '\n') r->at++;
}

// Blanks, comments and escaped lines.
static ploy_result pgn_skip(pgn_reader *r) {
    while (r->at < r->size) {
        char c = r->bytes[r->at];
        if (pgn_blank(c)) {
            pgn_next(r);
        } else if (c == ';' || (c == '%' && r->at == r->line_start)) {
            pgn_skip_line(r);
        } else if (c == '{') {
            size_t from = r->at;
            while (r->at < r->size && r->bytes[r->at] != '}') pgn_next(r);
            if (r->at == r->size) return pgn_fault(r, from, "comment without end", "}");
            r->at++;
        } else {
            break;
        }
    }
    return PLOY_OK;
}

static char *pgn_keep(ploy_pgn *pgn, size_t size) {
    PLOY_ASSERT(size < pgn->text_capacity - pgn->text_size);
    char *text = pgn->texts + pgn->text_size;
    pgn->text_size += size + 1;
    return text;
}

static ploy_result pgn_read_tag(pgn_reader *r) {
    size_t open = r->at++;
    while (r->at < r->size && (r->bytes[r->at] == ' ' || r->bytes[r->at] == '\t')) r->at++;
    size_t from = r->at;
    while (r->at < r->size && !pgn_blank(r->bytes[r->at]) && r->bytes[r->at] != '"' &&
           r->bytes[r->at] != ']')
        r->at++;
    size_t size = r->at - from;
    char *name = pgn_keep(r->pgn, size);
    size_t kept = 0; // zero bytes are dropped, as in values
    for (size_t i = 0; i < size; i++) {
        if (r->bytes[from + i] != 0) name[kept++] = r->bytes[from + i];
    }
    name[kept] = 0;
    if (kept == 0) return pgn_fault(r, open, "missing name of a tag", "[Name \"value\"]");
    while (r->at < r->size && (r->bytes[r->at] == ' ' || r->bytes[r->at] == '\t')) r->at++;
    if (r->at == r->size || r->bytes[r->at] != '"')
        return pgn_fault(r, r->at, "missing value of a tag", "\"");
    size_t end = ++r->at;
    while (end < r->size && r->bytes[end] != '"' && r->bytes[end] != '\n')
        end += r->bytes[end] == '\\' && end + 1 < r->size && r->bytes[end + 1] != '\n' ? 2 : 1;
    if (end >= r->size || r->bytes[end] != '"')
        return pgn_fault(r, r->at, "missing closing quote", "\"");
    char *value = pgn_keep(r->pgn, end - r->at);
    size_t length = 0;
    for (; r->at < end; r->at++) {
        if (r->bytes[r->at] == '\\') r->at++;
        if (r->bytes[r->at] != 0) value[length++] = r->bytes[r->at];
    }
    value[length] = 0;
    r->at++;
    while (r->at < r->size && (r->bytes[r->at] == ' ' || r->bytes[r->at] == '\t')) r->at++;
    if (r->at == r->size || r->bytes[r->at] != ']')
        return pgn_fault(r, r->at, "tag without end", "]");
    r->at++;
    ploy_pgn_tag tag = {name, value};
    return ploy_array_push(&r->pgn->tags, &tag);
}

ploy_board ploy_pgn_board(const ploy_pgn_game *game, ploy_board_rules *rules) {
    const ploy_board_type *type = game->draughts >= 0 ? ploy_board_draughts() : ploy_board_chess();
    ploy_board board = ploy_board_default(type, rules);
    if (game->draughts >= 0) {
        ploy_board_draughts_def def = ploy_board_draughts_def_default();
        def.rules = (ploy_board_draughts_rules)game->draughts;
        def.quiet_plies = 1000; // the players decided when it was drawn
        memcpy(rules, &def, sizeof def);
    } else {
        ploy_board_chess_def def = ploy_board_chess_def_default();
        def.chess960 = game->chess960;
        memcpy(rules, &def, sizeof def);
    }
    return board;
}

int32_t ploy_pdn_game_type(int32_t rules) {
    return rules >= 0 && rules < PLOY_BOARD_DRAUGHTS_RULES ? pdn_types[rules] : 0;
}

// Rules of a GameType such as "20" or "21,B,8,8,N1,0"; -1: not supported.
static int32_t pdn_rules(const char *type) {
    if (type == NULL) return PLOY_BOARD_DRAUGHTS_ENGLISH;
    for (int32_t i = 0; i < PLOY_BOARD_DRAUGHTS_RULES; i++) {
        char text[PLOY_PRINT_I64_SIZE];
        size_t size = (size_t)ploy_print_i64(pdn_types[i], text);
        if (pdn_types[i] != 0 && strncmp(type, text, size) == 0 &&
            (type[size] == 0 || type[size] == ',')) {
            return i;
        }
    }
    return -1;
}

static bool pgn_is_chess960(const char *variant) {
    static const char *const names[] = {"Chess960",     "chess960",  "Fischerandom",
                                        "fischerandom", "Chess 960", "Fischerrandom"};
    for (size_t i = 0; variant != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(variant, names[i]) == 0) return true;
    }
    return false;
}

// One word of the movetext. Sets *ended at a result.
static ploy_result pgn_read_word(pgn_reader *r, ploy_pgn_game *game, void *position, bool *ended) {
    size_t from = r->at;
    char word[PGN_WORD];
    size_t size = 0;
    while (r->at < r->size && !pgn_blank(r->bytes[r->at]) &&
           strchr("{}();[]$", r->bytes[r->at]) == NULL) {
        if (size + 1 < sizeof word) word[size++] = r->bytes[r->at];
        r->at++;
    }
    word[size] = 0;
    if (r->at == from) { // a lone bracket, or a zero byte
        r->at++;
        return pgn_fault(r, from, "unexpected character", "a move or a result");
    }
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(word, pgn_results[i]) != 0) continue;
        game->result = pgn_results[i];
        *ended = true;
        return PLOY_OK;
    }
    for (size_t i = 0; i < 3 && r->pdn; i++) {
        if (strcmp(word, pdn_old_results[i]) != 0) continue;
        game->result = pgn_results[i];
        *ended = true;
        return PLOY_OK;
    }
    // A number, possibly glued to its move: "12.", "12...", "12.e4".
    char *move_text = word;
    size_t digits = strspn(word, "0123456789");
    if (digits > 0 && (word[digits] == '.' || word[digits] == 0)) move_text += digits;
    move_text += strspn(move_text, ".");
    if (*move_text == 0 || strspn(move_text, "!?") == strlen(move_text) ||
        strcmp(move_text, "e.p.") == 0)
        return PLOY_OK;
    ploy_board_rules rules;
    ploy_board board = ploy_pgn_board(game, &rules);
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    // Annotators pass a turn as "--" or "Z0", and mark moves of draughts with a star.
    bool pass = !r->pdn && (strcmp(move_text, "--") == 0 || strcmp(move_text, "Z0") == 0);
    size_t length = strlen(move_text);
    while (r->pdn && length > 1 && strchr("!?*", move_text[length - 1]) != NULL)
        move_text[--length] = 0;
    if (pass) {
        move = board.type->null_move(board.rules, position);
    } else if (board.type->side(board.rules, position) != PLOY_BOARD_OVER || !r->pdn) {
        board.type->move_parse(board.rules, position, move_text, r->name, &move, NULL);
    }
    if (move == PLOY_BOARD_NO_MOVE) {
        return pgn_fault(r, from, "invalid move", "a legal and unambiguous move");
    }
    board.type->make(board.rules, position, move, NULL);
    game->move_count++;
    return ploy_array_push(&r->pgn->moves, &move);
}

static ploy_result pgn_read_moves(pgn_reader *r, ploy_pgn_game *game, void *position) {
    int32_t depth = 0; // of variations
    bool ended = false;
    while (!ended) {
        ploy_result result = pgn_skip(r);
        if (result != PLOY_OK) return result;
        if (r->at == r->size)
            return depth == 0 ? PLOY_OK : pgn_fault(r, r->at, "variation without end", ")");
        char c = r->bytes[r->at];
        if (c == '[' && r->at == r->line_start && depth == 0) return PLOY_OK; // the next game
        if (c == '(') {
            depth++;
            r->at++;
        } else if (c == ')') {
            if (depth == 0) return pgn_fault(r, r->at++, "unexpected )", NULL);
            depth--;
            r->at++;
        } else if (c == '$') {
            r->at++;
            while (r->at < r->size && r->bytes[r->at] >= '0' && r->bytes[r->at] <= '9') r->at++;
        } else if (depth > 0) {
            r->at++;
        } else {
            result = pgn_read_word(r, game, position, &ended);
            if (result != PLOY_OK) return result;
        }
    }
    return PLOY_OK;
}

static ploy_result pgn_read_game(pgn_reader *r) {
    ploy_pgn *pgn = r->pgn;
    ploy_pgn_game game = {r->line, pgn->tags.count, 0,     pgn->moves.count,
                          0,       pgn_results[3],  false, -1};
    while (r->at < r->size && r->bytes[r->at] == '[') {
        ploy_result result = pgn_read_tag(r);
        if (result != PLOY_OK) return result;
        result = pgn_skip(r);
        if (result != PLOY_OK) return result;
    }
    game.tag_count = pgn->tags.count - game.tag_first;
    game.chess960 = pgn_is_chess960(ploy_pgn_find(pgn, &game, "Variant"));
    if (r->pdn) {
        game.draughts = pdn_rules(ploy_pgn_find(pgn, &game, "GameType"));
        if (game.draughts < 0)
            return pgn_fault(r, r->at, "unsupported GameType", "20 to 26, see ploy_pdn_load");
    }
    ploy_board_rules rules;
    ploy_board board = ploy_pgn_board(&game, &rules);
    uint64_t position[PGN_POSITION / 8];
    PLOY_ASSERT(board.type->position_bytes(board.rules) <= sizeof position);
    const char *fen = ploy_pgn_find(pgn, &game, "FEN");
    board.type->start(board.rules, position);
    if (fen != NULL && board.type->parse(board.rules, fen, r->name, position, NULL) != PLOY_OK) {
        return pgn_fault(r, r->at, "invalid position in the FEN tag", "a position");
    }
    ploy_result result = pgn_read_moves(r, &game, position);
    if (result != PLOY_OK) return result;
    return ploy_array_push(&pgn->games, &game);
}

// After a fault: on to the next line that begins with a tag.
static void pgn_recover(pgn_reader *r) {
    while (r->at < r->size) {
        pgn_next(r);
        if (r->at < r->size && r->at == r->line_start && r->bytes[r->at] == '[') return;
    }
}

static ploy_result pgn_read(pgn_reader *r) {
    if (r->size >= 3 && memcmp(r->bytes, "\xEF\xBB\xBF", 3) == 0) r->at = r->line_start = 3;
    while (r->faults < PGN_FAULTS_MAX) {
        ploy_result result = pgn_skip(r);
        if (result == PLOY_OK && r->at == r->size) break;
        if (result == PLOY_OK) result = pgn_read_game(r);
        if (result == PLOY_ERR_FORMAT)
            pgn_recover(r);
        else if (result != PLOY_OK)
            return result;
        if (r->at == r->size) break;
    }
    return r->faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

static ploy_result pgn_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                            ploy_diags *diags, bool pdn, ploy_pgn **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0) || size > SIZE_MAX / 4) return PLOY_ERR_ARGUMENT;
    ploy_pgn *pgn = ploy_env_alloc_zero(env, sizeof *pgn);
    if (pgn == NULL) return PLOY_ERR_MEMORY;
    pgn->env = *env;
    ploy_array_init(&pgn->games, sizeof(ploy_pgn_game), env);
    ploy_array_init(&pgn->tags, sizeof(ploy_pgn_tag), env);
    ploy_array_init(&pgn->moves, sizeof(ploy_board_move), env);
    pgn->text_capacity = size + 2;
    pgn->texts = ploy_env_alloc(env, pgn->text_capacity);
    ploy_result result = pgn->texts != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (result == PLOY_OK) {
        pgn_reader reader = {pgn, bytes, size, 0, 0, 1, name != NULL ? name : "", diags, 0, pdn};
        result = pgn_read(&reader);
    }
    if (result != PLOY_OK) {
        ploy_pgn_destroy(pgn);
        return result;
    }
    *out = pgn;
    return PLOY_OK;
}

ploy_result ploy_pgn_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_pgn **out) {
    return pgn_load(bytes, size, name, env, diags, false, out);
}

ploy_result ploy_pdn_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_pgn **out) {
    return pgn_load(bytes, size, name, env, diags, true, out);
}

void ploy_pgn_destroy(ploy_pgn *pgn) {
    if (pgn == NULL) return;
    ploy_array_fini(&pgn->games);
    ploy_array_fini(&pgn->tags);
    ploy_array_fini(&pgn->moves);
    ploy_env_free(&pgn->env, pgn->texts, pgn->text_capacity);
    ploy_env env = pgn->env;
    ploy_env_free(&env, pgn, sizeof *pgn);
}

int32_t ploy_pgn_count(const ploy_pgn *pgn) {
    return pgn->games.count;
}

const ploy_pgn_game *ploy_pgn_at(const ploy_pgn *pgn, int32_t index) {
    return PLOY_ARRAY_AT(&pgn->games, ploy_pgn_game, index);
}

const ploy_pgn_tag *ploy_pgn_tag_at(const ploy_pgn *pgn, int32_t index) {
    return PLOY_ARRAY_AT(&pgn->tags, ploy_pgn_tag, index);
}

const char *ploy_pgn_find(const ploy_pgn *pgn, const ploy_pgn_game *game, const char *tag) {
    for (int32_t i = 0; i < game->tag_count; i++) {
        const ploy_pgn_tag *found = ploy_pgn_tag_at(pgn, game->tag_first + i);
        if (found != NULL && strcmp(found->name, tag) == 0) return found->value;
    }
    return NULL;
}

const ploy_board_move *ploy_pgn_moves(const ploy_pgn *pgn) {
    return PLOY_ARRAY_ITEMS(&pgn->moves, ploy_board_move);
}

void ploy_pgn_start(const ploy_pgn *pgn, const ploy_pgn_game *game, void *position) {
    ploy_board_rules rules;
    ploy_board board = ploy_pgn_board(game, &rules);
    const char *fen = ploy_pgn_find(pgn, game, "FEN");
    board.type->start(board.rules, position);
    if (fen != NULL) board.type->parse(board.rules, fen, "FEN", position, NULL); // was checked
}

// Writes a word behind a blank or on the next line.
static void pgn_write_word(ploy_writer *writer, const char *word, size_t *column) {
    size_t size = strlen(word);
    if (*column > 0 && *column + 1 + size > 79) {
        ploy_write_char(writer, '\n');
        *column = 0;
    } else if (*column > 0) {
        ploy_write_char(writer, ' ');
        (*column)++;
    }
    ploy_write_text(writer, word);
    *column += size;
}

// A game of another file would lead to tags and moves that this one does not have.
static bool pgn_owns(const ploy_pgn *pgn, const ploy_pgn_game *game) {
    for (int32_t i = 0; i < ploy_pgn_count(pgn); i++) {
        const ploy_pgn_game *own = ploy_pgn_at(pgn, i);
        if (own->tag_first == game->tag_first && own->tag_count == game->tag_count &&
            own->move_first == game->move_first && own->move_count == game->move_count &&
            own->chess960 == game->chess960)
            return true;
    }
    return false;
}

ploy_result ploy_pgn_save(const ploy_pgn *pgn, const ploy_pgn_game *game, ploy_writer *writer) {
    if (!pgn_owns(pgn, game)) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < game->tag_count; i++) {
        const ploy_pgn_tag *tag = ploy_pgn_tag_at(pgn, game->tag_first + i);
        ploy_write_char(writer, '[');
        ploy_write_text(writer, tag->name);
        ploy_write_text(writer, " \"");
        for (const char *c = tag->value; *c != 0; c++) {
            if (*c == '"' || *c == '\\') ploy_write_char(writer, '\\');
            ploy_write_char(writer, *c);
        }
        ploy_write_text(writer, "\"]\n");
    }
    if (game->tag_count > 0) ploy_write_char(writer, '\n');
    ploy_board_rules rules;
    ploy_board board = ploy_pgn_board(game, &rules);
    uint64_t position[PGN_POSITION / 8];
    ploy_pgn_start(pgn, game, position);
    size_t column = 0;
    bool chess = game->draughts < 0;
    int32_t plies = board.type->side(board.rules, position) == 1 ? 1 : 0; // before the first move
    for (int32_t i = 0; i < game->move_count; i++, plies++) {
        char text[PLOY_BOARD_TEXT], word[PGN_WORD], number[PLOY_PRINT_I64_SIZE];
        bool first = plies % 2 == 0;
        const char *turn = number;
        number[ploy_print_i64(plies / 2 + 1, number)] = 0;
        if (chess) { // the position has its own number
            board.type->text(board.rules, position, text);
            turn = strrchr(text, ' ') + 1;
            first = strstr(text, " w ") != NULL;
        }
        if (first || i == 0) {
            strcpy(word, turn);
            strcat(word, first ? "." : "...");
            pgn_write_word(writer, word, &column);
        }
        ploy_board_move move = ploy_pgn_moves(pgn)[game->move_first + i];
        if (chess)
            ploy_board_chess_san(position, move, word);
        else
            board.type->move_text(board.rules, position, move, word);
        pgn_write_word(writer, word, &column);
        board.type->make(board.rules, position, move, NULL);
    }
    pgn_write_word(writer, game->result, &column);
    ploy_write_text(writer, "\n\n");
    return ploy_writer_result(writer);
}
