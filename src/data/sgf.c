// SGF files; the format is in the header.
#include "ploy/data/sgf.h"

#include <string.h>

#include "ploy/base/array.h"
#include "ploy/base/number.h"
#include "ploy/board/go.h"
#include "ploy/board/othello.h"

enum { SGF_FAULTS_MAX = 20, SGF_WORDS = 8192, SGF_SIZE_MAX = 19, SGF_DEPTH_MAX = 1000 };

struct ploy_sgf {
    ploy_env env;
    char *texts; // names, values and start positions
    size_t text_size, text_capacity;
    ploy_array games;      // ploy_sgf_game
    ploy_array properties; // ploy_sgf_property
    ploy_array moves;      // ploy_board_move
};

typedef struct sgf_reader {
    ploy_sgf *sgf;
    const char *bytes;
    size_t size, at, line_start;
    int32_t line;
    const char *name;
    ploy_diags *diags;
    int32_t faults;
    // The game under way.
    ploy_sgf_game game;
    ploy_board_rules rules;
    ploy_board board; // type NULL until the first move or setup stone
    uint64_t position[SGF_WORDS];
    char stones[SGF_SIZE_MAX * SGF_SIZE_MAX];
    char side; // 'X', 'O', or 0: not said
    bool setup, ended;
} sgf_reader;

static ploy_result sgf_fault(sgf_reader *r, size_t at, const char *message, const char *expected) {
    size_t column = at >= r->line_start ? at - r->line_start + 1 : 1;
    r->faults++;
    ploy_diags_add(r->diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, r->name, r->line,
                   column < INT32_MAX ? (int32_t)column : INT32_MAX, message, expected, NULL);
    return PLOY_ERR_FORMAT;
}

static void sgf_next(sgf_reader *r) {
    if (r->bytes[r->at++] == '\n') {
        r->line_start = r->at;
        if (r->line < INT32_MAX) r->line++;
    }
}

static void sgf_blanks(sgf_reader *r) {
    while (r->at < r->size && (unsigned char)r->bytes[r->at] <= ' ') sgf_next(r);
}

static char *sgf_keep(ploy_sgf *sgf, size_t size) {
    PLOY_ASSERT(size < sgf->text_capacity - sgf->text_size);
    char *text = sgf->texts + sgf->text_size;
    sgf->text_size += size + 1;
    return text;
}

// Value in brackets; escapes are resolved. The text may have more bytes than its value.
static ploy_result sgf_value(sgf_reader *r, char **out) {
    size_t from = r->at;
    sgf_next(r);
    size_t end = r->at;
    while (end < r->size && r->bytes[end] != ']') end += r->bytes[end] == '\\' ? 2 : 1;
    if (end >= r->size) return sgf_fault(r, from, "value without end", "]");
    char *text = sgf_keep(r->sgf, end - r->at);
    size_t length = 0;
    while (r->at < end) {
        bool escaped = r->bytes[r->at] == '\\';
        if (escaped) r->at++;
        char c = r->bytes[r->at];
        sgf_next(r);
        if (escaped && (c == '\n' || c == '\r')) continue; // a soft line break vanishes
        if (c != 0) text[length++] = c;
    }
    text[length] = 0;
    r->at++;
    *out = text;
    return PLOY_OK;
}

// ---- the game

static float sgf_number(const char *text, float fallback) {
    double value = 0.0;
    size_t blank = strspn(text, " "), used = 0;
    if (ploy_parse_f64(text + blank, strlen(text + blank), &used, &value) != PLOY_OK)
        return fallback;
    return value >= -1000.0 && value <= 1000.0 ? (float)value : fallback; // not for NaN
}

ploy_board ploy_sgf_board(const ploy_sgf_game *game, ploy_board_rules *rules) {
    memset(rules, 0, sizeof *rules);
    if (game->kind == 2) {
        ploy_board_othello_def def = ploy_board_othello_def_default();
        def.size = game->size;
        memcpy(rules, &def, sizeof def);
        return ploy_board_of(ploy_board_othello(), rules);
    }
    ploy_board_go_def def = ploy_board_go_def_default();
    def.size = game->size;
    def.ko = PLOY_BOARD_GO_SIMPLE; // records of all rules keep it; superko would refuse some
    // In steps of a half, as the rules have it.
    float half = game->komi < -150.0f ? -150.0f : game->komi > 150.0f ? 150.0f : game->komi;
    def.komi = (float)(int32_t)(half * 2.0f) / 2.0f;
    memcpy(rules, &def, sizeof def);
    return ploy_board_of(ploy_board_go(), rules);
}

// Fixes the rules and sets up the stones. Called before the first move, and at the end.
static ploy_result sgf_begin(sgf_reader *r, size_t at) {
    if (r->board.type != NULL) return PLOY_OK;
    bool fits = r->game.kind == 2 ? r->game.size == 4 || r->game.size == 6 || r->game.size == 8
                                  : r->game.size >= 5 && r->game.size <= SGF_SIZE_MAX;
    if (!fits)
        return sgf_fault(r, at, "invalid size of the board", "SZ[5] to SZ[19]; Othello 4, 6, 8");
    ploy_env env = ploy_env_default();
    env.log = NULL;
    r->board = ploy_sgf_board(&r->game, &r->rules);
    if (ploy_board_rules_check(r->board, &env) != PLOY_OK)
        return sgf_fault(r, at, "invalid komi", "a komi in steps of a half");
    PLOY_ASSERT(r->board.type->position_bytes(r->board.rules) <= sizeof r->position);
    memset(r->position, 0, sizeof r->position);
    r->board.type->start(r->board.rules, r->position);
    if (!r->setup && r->side == 0) return PLOY_OK;
    char text[PLOY_BOARD_TEXT];
    size_t used = 0;
    if (!r->setup && r->game.kind == 2) { // only the side differs from the start
        r->board.type->text(r->board.rules, r->position, text);
        text[strlen(text) - 1] = r->side;
    } else {
        for (int32_t i = 0; i < r->game.size * r->game.size; i++) {
            if (i > 0 && r->game.kind == 1 && i % r->game.size == 0) text[used++] = '/';
            char empty = r->game.kind == 1 ? '.' : '-';
            text[used++] = r->stones[i] == 0 ? empty : r->stones[i];
        }
        text[used++] = ' ';
        text[used++] = r->side != 0 ? r->side : 'X';
        text[used] = 0;
        if (r->game.kind == 1) strcpy(text + used, " 0 - 0 0");
    }
    if (r->board.type->parse(r->board.rules, text, r->name, r->position, NULL) != PLOY_OK)
        return sgf_fault(r, at, "setup is not a legal position", NULL);
    char *kept = sgf_keep(r->sgf, strlen(text));
    memcpy(kept, text, strlen(text) + 1);
    r->game.start = kept;
    return PLOY_OK;
}

// Column and row of two letters. False: not a point of the board.
static bool sgf_point(const sgf_reader *r, const char *text, int32_t *x, int32_t *y) {
    *x = text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' : -1;
    *y = text[0] != 0 && text[1] >= 'a' && text[1] <= 'z' ? text[1] - 'a' : -1;
    if (*x >= 0 && *y < 0 && text[1] >= '1' && text[1] <= '9')
        *y = text[1] - '1'; // "d3", of Othello
    return *x >= 0 && *y >= 0 && *x < r->game.size && *y < r->game.size;
}

static ploy_result sgf_setup(sgf_reader *r, size_t at, const char *name, const char *value) {
    int32_t x = 0, y = 0, x2 = 0, y2 = 0;
    char stone = name[1] == 'B' ? 'X' : name[1] == 'W' ? 'O' : 0;
    if (r->board.type != NULL) { // stones in the middle of a game: what follows cannot be checked
        r->ended = true;
        return PLOY_OK;
    }
    if (r->game.size > SGF_SIZE_MAX || !sgf_point(r, value, &x, &y))
        return sgf_fault(r, at, "the point is outside the board", "two letters");
    x2 = x;
    y2 = y;
    if (value[2] == ':' && !sgf_point(r, value + 3, &x2, &y2))
        return sgf_fault(r, at, "the point is outside the board", "two letters");
    r->setup = true;
    for (int32_t row = y; row <= y2; row++) {
        for (int32_t column = x; column <= x2; column++) {
            r->stones[row * r->game.size + column] = stone;
        }
    }
    return PLOY_OK;
}

static ploy_result sgf_push_move(sgf_reader *r, size_t at, ploy_board_move move) {
    ploy_board_move moves[SGF_SIZE_MAX * SGF_SIZE_MAX + 1];
    const ploy_board_type *type = r->board.type;
    int32_t count =
        type->moves(r->board.rules, r->position, moves, (int32_t)(sizeof moves / sizeof moves[0]));
    bool legal = false;
    for (int32_t i = 0; i < count; i++) legal = legal || moves[i] == move;
    if (!legal) return sgf_fault(r, at, "the move is not legal", NULL);
    type->make(r->board.rules, r->position, move, NULL);
    r->game.move_count++;
    return ploy_array_push(&r->sgf->moves, &move);
}

static ploy_result sgf_move(sgf_reader *r, size_t at, const char *name, const char *value) {
    char colour = name[0] == 'B' ? 'X' : 'O';
    if (r->board.type == NULL && r->side == 0 && (colour == 'O' || r->setup)) r->side = colour;
    ploy_result result = sgf_begin(r, at);
    if (result != PLOY_OK) return result;
    ploy_board_move pass = r->game.kind == 1 ? PLOY_BOARD_GO_PASS : PLOY_BOARD_OTHELLO_PASS;
    int32_t side = r->board.type->side(r->board.rules, r->position);
    if (side == PLOY_BOARD_OVER) { // records go on behind the end: passes, captures
        r->ended = true;
        return PLOY_OK;
    }
    // A colour that moves twice: the other one passed.
    if (side != (colour == 'X' ? 0 : 1)) result = sgf_push_move(r, at, pass);
    if (result != PLOY_OK) return result;
    if (r->board.type->side(r->board.rules, r->position) == PLOY_BOARD_OVER) {
        r->ended = true;
        return PLOY_OK;
    }
    int32_t x = 0, y = 0;
    bool passes = value[0] == 0 || (strcmp(value, "tt") == 0 && r->game.size <= 19) ||
                  strcmp(value, "pass") == 0;
    if (passes) return sgf_push_move(r, at, pass);
    if (!sgf_point(r, value, &x, &y))
        return sgf_fault(r, at, "the point is outside the board", "two letters");
    int32_t width = r->game.kind == 1 ? r->game.size : 8;
    return sgf_push_move(r, at, (ploy_board_move)(y * width + x) + 1);
}

static ploy_result sgf_apply(sgf_reader *r, size_t at, const char *name, const char *value,
                             bool root) {
    if (r->ended) return PLOY_OK;
    if (strcmp(name, "B") == 0 || strcmp(name, "W") == 0) return sgf_move(r, at, name, value);
    bool setup = strcmp(name, "AB") == 0 || strcmp(name, "AW") == 0 || strcmp(name, "AE") == 0;
    if (setup) return sgf_setup(r, at, name, value);
    if (strcmp(name, "PL") == 0 && r->board.type == NULL)
        r->side = value[0] == 'B' || value[0] == 'b' || value[0] == '1' ? 'X' : 'O';
    if (!root) return PLOY_OK;
    if (strcmp(name, "GM") == 0) r->game.kind = (int32_t)sgf_number(value, 1.0f);
    if (strcmp(name, "SZ") == 0) r->game.size = (int32_t)sgf_number(value, 19.0f);
    if (strcmp(name, "KM") == 0) r->game.komi = sgf_number(value, 0.0f);
    if (r->game.kind != 1 && r->game.kind != 2)
        return sgf_fault(r, at, "unknown game", "GM[1], Go, or GM[2], Othello");
    ploy_sgf_property property = {name, value};
    r->game.property_count++;
    return ploy_array_push(&r->sgf->properties, &property);
}

// A node: properties until the next ; or parenthesis.
static ploy_result sgf_node(sgf_reader *r, bool root, bool main) {
    for (;;) {
        sgf_blanks(r);
        if (r->at == r->size) return sgf_fault(r, r->at, "game tree without end", ")");
        char c = r->bytes[r->at];
        if (c == ';' || c == '(' || c == ')') return PLOY_OK;
        size_t from = r->at, length = 0;
        while (r->at < r->size && ((r->bytes[r->at] >= 'A' && r->bytes[r->at] <= 'Z') ||
                                   (r->bytes[r->at] >= 'a' && r->bytes[r->at] <= 'z'))) {
            if (r->bytes[r->at] <= 'Z') length++; // FF[3]: Black is B
            r->at++;
        }
        if (length == 0 || length > 8) {
            if (r->at == from) r->at++;
            return sgf_fault(r, from, "unexpected text", "a property such as B[dd]");
        }
        char *name = sgf_keep(r->sgf, length);
        size_t used = 0;
        for (size_t i = from; i < r->at; i++) {
            if (r->bytes[i] <= 'Z') name[used++] = r->bytes[i];
        }
        name[used] = 0;
        sgf_blanks(r);
        if (r->at == r->size || r->bytes[r->at] != '[')
            return sgf_fault(r, r->at, "missing value of a property", "[");
        while (r->at < r->size && r->bytes[r->at] == '[') {
            size_t at = r->at;
            char *value = NULL;
            ploy_result result = sgf_value(r, &value);
            if (result == PLOY_OK && main) result = sgf_apply(r, at, name, value, root);
            if (result != PLOY_OK) return result;
            sgf_blanks(r);
        }
    }
}

// A game tree. The main line takes the first branch everywhere; others are read over.
static ploy_result sgf_tree(sgf_reader *r) {
    int32_t depth = 0;      // open parentheses
    int32_t main_depth = 0; // of the main line; behind its end, nothing is
    bool root = true, main = true;
    do {
        sgf_blanks(r);
        if (r->at == r->size) return sgf_fault(r, r->at, "game tree without end", ")");
        char c = r->bytes[r->at];
        if (c == '(') {
            if (depth == SGF_DEPTH_MAX) return sgf_fault(r, r->at, "too many branches", NULL);
            depth++;
            if (main) main_depth = depth;
            r->at++;
        } else if (c == ')') {
            if (depth == main_depth) main = false; // the first branch has ended
            depth--;
            r->at++;
        } else if (c == ';') {
            r->at++;
            ploy_result result = sgf_node(r, root, main);
            if (result != PLOY_OK) return result;
            root = false;
        } else {
            return sgf_fault(r, r->at, "unexpected text", "; or a parenthesis");
        }
    } while (depth > 0);
    return PLOY_OK;
}

static ploy_result sgf_read(sgf_reader *r) {
    while (r->faults < SGF_FAULTS_MAX) {
        while (r->at < r->size && r->bytes[r->at] != '(') sgf_next(r);
        if (r->at == r->size) break;
        ploy_sgf_game game = {
            r->line, 1, 19, 0.0f, r->sgf->properties.count, 0, r->sgf->moves.count, 0, NULL};
        r->game = game;
        r->board.type = NULL;
        memset(r->stones, 0, sizeof r->stones);
        r->side = 0;
        r->setup = r->ended = false;
        size_t from = r->at;
        ploy_result result = sgf_tree(r);
        if (result == PLOY_OK) result = sgf_begin(r, from);
        if (result == PLOY_OK) result = ploy_array_push(&r->sgf->games, &r->game);
        if (result != PLOY_OK && result != PLOY_ERR_FORMAT) return result;
        if (result == PLOY_ERR_FORMAT) break; // where the next tree begins is not known
    }
    if (r->faults == 0 && r->sgf->games.count == 0)
        return sgf_fault(r, r->at, "missing game tree", "(;");
    return r->faults > 0 ? PLOY_ERR_FORMAT : PLOY_OK;
}

ploy_result ploy_sgf_load(const void *bytes, size_t size, const char *name, const ploy_env *env,
                          ploy_diags *diags, ploy_sgf **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (env == NULL || (bytes == NULL && size > 0) || size > SIZE_MAX / 256)
        return PLOY_ERR_ARGUMENT;
    ploy_sgf *sgf = ploy_env_alloc_zero(env, sizeof *sgf);
    sgf_reader *r = ploy_env_alloc_zero(env, sizeof *r);
    ploy_result result = sgf != NULL && r != NULL ? PLOY_OK : PLOY_ERR_MEMORY;
    if (sgf != NULL) {
        sgf->env = *env;
        ploy_array_init(&sgf->games, sizeof(ploy_sgf_game), env);
        ploy_array_init(&sgf->properties, sizeof(ploy_sgf_property), env);
        ploy_array_init(&sgf->moves, sizeof(ploy_board_move), env);
    }
    if (result == PLOY_OK) {
        // Names and values take at most their bytes and a zero each; a tree of two bytes may have a start.
        size_t trees = 1;
        for (size_t i = 0; i < size; i++) trees += ((const char *)bytes)[i] == '(';
        sgf->text_capacity = 2 * size + 2 + trees * 512;
        sgf->texts = ploy_env_alloc(env, sgf->text_capacity);
        if (sgf->texts == NULL) result = PLOY_ERR_MEMORY;
    }
    if (result == PLOY_OK) {
        r->sgf = sgf;
        r->bytes = bytes;
        r->size = size;
        r->line = 1;
        r->name = name != NULL ? name : "";
        r->diags = diags;
        result = sgf_read(r);
    }
    if (r != NULL) ploy_env_free(env, r, sizeof *r);
    if (result != PLOY_OK) {
        ploy_sgf_destroy(sgf);
        return result;
    }
    *out = sgf;
    return PLOY_OK;
}

void ploy_sgf_destroy(ploy_sgf *sgf) {
    if (sgf == NULL) return;
    ploy_array_fini(&sgf->games);
    ploy_array_fini(&sgf->properties);
    ploy_array_fini(&sgf->moves);
    ploy_env env = sgf->env;
    if (sgf->texts != NULL) ploy_env_free(&env, sgf->texts, sgf->text_capacity);
    ploy_env_free(&env, sgf, sizeof *sgf);
}

int32_t ploy_sgf_count(const ploy_sgf *sgf) {
    return sgf->games.count;
}

const ploy_sgf_game *ploy_sgf_at(const ploy_sgf *sgf, int32_t index) {
    if (index < 0 || index >= sgf->games.count) return NULL;
    return PLOY_ARRAY_AT(&sgf->games, ploy_sgf_game, index);
}

const char *ploy_sgf_find(const ploy_sgf *sgf, const ploy_sgf_game *game, const char *name) {
    for (int32_t i = 0; i < game->property_count; i++) {
        const ploy_sgf_property *property =
            PLOY_ARRAY_AT(&sgf->properties, ploy_sgf_property, game->property_first + i);
        if (strcmp(property->name, name) == 0) return property->value;
    }
    return NULL;
}

const ploy_board_move *ploy_sgf_moves(const ploy_sgf *sgf) {
    return PLOY_ARRAY_ITEMS(&sgf->moves, ploy_board_move);
}

// ---- writing

static void sgf_write_property(ploy_writer *writer, const char *name, const char *value) {
    if (value == NULL) return;
    ploy_write_text(writer, name);
    ploy_write_char(writer, '[');
    for (const char *c = value; *c != 0; c++) {
        if (*c == ']' || *c == '\\') ploy_write_char(writer, '\\');
        ploy_write_char(writer, *c);
    }
    ploy_write_char(writer, ']');
}

ploy_result ploy_sgf_save(ploy_board board, const ploy_board_move *moves, int32_t count,
                          const ploy_sgf_header *header, ploy_writer *writer) {
    bool go = board.type == ploy_board_go();
    if (!go && board.type != ploy_board_othello()) return PLOY_ERR_UNSUPPORTED;
    int32_t size = go ? ((const ploy_board_go_def *)board.rules)->size
                      : ((const ploy_board_othello_def *)board.rules)->size;
    char number[PLOY_PRINT_F64_SIZE];
    ploy_write_text(writer, go ? "(;FF[4]GM[1]" : "(;FF[4]GM[2]");
    number[ploy_print_i64(size, number)] = 0;
    sgf_write_property(writer, "SZ", number);
    if (go) {
        double komi = (double)((const ploy_board_go_def *)board.rules)->komi;
        number[ploy_print_f64(komi, number)] = 0;
        sgf_write_property(writer, "KM", number);
    }
    if (header != NULL) {
        sgf_write_property(writer, "PB", header->black);
        sgf_write_property(writer, "PW", header->white);
        sgf_write_property(writer, "RE", header->result);
    }
    int32_t width = go ? size : 8;
    if (width < 1 || width > 26) return PLOY_ERR_ARGUMENT; // rules that no board was created with
    ploy_board_move pass = go ? PLOY_BOARD_GO_PASS : PLOY_BOARD_OTHELLO_PASS;
    for (int32_t i = 0; i < count; i++) {
        uint32_t point =
            (uint32_t)moves[i] - 1u; // a move beyond the board is no letter, but a text
        uint32_t across = (uint32_t)width;
        char text[3] = {(char)('a' + point % across), (char)('a' + point / across % 26), 0};
        ploy_write_text(writer, i % 10 == 0 ? "\n;" : ";");
        sgf_write_property(writer, i % 2 == 0 ? "B" : "W", moves[i] == pass ? "" : text);
    }
    ploy_write_text(writer, ")\n");
    return ploy_writer_result(writer);
}
