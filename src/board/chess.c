// The rules of chess as a ploy_board_type.
#include "chess_internal.h"

#include <string.h>

static const ploy_field chess_fields_table[] = {
    PLOY_FIELD_BOOL(ploy_board_chess_def, chess960, false,
                    "castling is written as king takes rook"),
    PLOY_FIELD_I32(ploy_board_chess_def, start, 518, 0, 959, "", "number of the start position"),
};

ploy_fields ploy_board_chess_fields(void) {
    return PLOY_FIELDS(ploy_board_chess_def, chess_fields_table);
}

ploy_board_chess_def ploy_board_chess_def_default(void) {
    ploy_board_chess_def def;
    ploy_fields_default(ploy_board_chess_fields(), &def);
    return def;
}

static size_t chess_bytes(const void *rules) {
    (void)rules;
    return sizeof(ployi_chess);
}

// Puts a piece on the n-th free file.
static void chess_place_free(uint8_t files[8], int32_t n, uint8_t piece) {
    for (int32_t file = 0; file < 8; file++) {
        if (files[file] == CHESS_NONE && n-- == 0) {
            files[file] = piece;
            return;
        }
    }
}

// Scharnagl's numbering: bishops on the light and dark squares, the queen, one of ten pairs of knights,
// then rook, king, rook on what is left.
static void chess_start_files(int32_t number, uint8_t files[8]) {
    static const uint8_t knights[10][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                           {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};
    memset(files, CHESS_NONE, 8);
    files[2 * (number % 4) + 1] = CHESS_BISHOP;
    files[2 * (number / 4 % 4)] = CHESS_BISHOP;
    chess_place_free(files, number / 16 % 6, CHESS_QUEEN);
    const uint8_t *pair = knights[number / 96];
    chess_place_free(files, pair[0], CHESS_KNIGHT);
    chess_place_free(files, pair[1] - 1, CHESS_KNIGHT); // one free file fewer now
    chess_place_free(files, 0, CHESS_ROOK);
    chess_place_free(files, 0, CHESS_KING);
    chess_place_free(files, 0, CHESS_ROOK);
}

static void chess_start(const void *rules, void *position) {
    const ploy_board_chess_def *def = rules;
    ployi_chess *p = position;
    memset(p, 0, sizeof *p);
    uint8_t files[8];
    chess_start_files(def->start, files);
    bool king_seen = false;
    for (int32_t file = 0; file < 8; file++) {
        p->piece[files[file]] |= chess_bit(file) | chess_bit(56 + file);
        if (files[file] == CHESS_KING) king_seen = true;
        if (files[file] == CHESS_ROOK) {
            int32_t wing = king_seen ? 0 : 1;
            p->rook[wing] = (uint8_t)file;
            p->rook[2 + wing] = (uint8_t)(56 + file);
        }
    }
    p->piece[CHESS_PAWN] = UINT64_C(0x00ff00000000ff00);
    p->color[CHESS_WHITE] = UINT64_C(0xffff);
    p->color[CHESS_BLACK] = UINT64_C(0xffff) << 48;
    p->rights = 15;
    p->ep = CHESS_NO_SQUARE;
    p->number = 1;
    p->key = ployi_chess_key(p);
}

bool ployi_chess_dead(const ployi_chess *p) {
    if ((p->piece[CHESS_PAWN] | p->piece[CHESS_ROOK] | p->piece[CHESS_QUEEN]) != 0) return false;
    uint64_t bishops = p->piece[CHESS_BISHOP];
    int32_t minors = chess_count(bishops | p->piece[CHESS_KNIGHT]);
    if (minors <= 1) return true;
    const uint64_t dark = UINT64_C(0xaa55aa55aa55aa55);
    return p->piece[CHESS_KNIGHT] == 0 && ((bishops & dark) == 0 || (bishops & ~dark) == 0);
}

static int32_t chess_side(const void *rules, const void *position) {
    (void)rules;
    const ployi_chess *p = position;
    if (ployi_chess_dead(p) || !ployi_chess_can_move(p)) return PLOY_BOARD_OVER;
    return p->clock >= 100 ? PLOY_BOARD_OVER : p->side;
}

static int32_t chess_moves(const void *rules, const void *position, ploy_board_move *out,
                           int32_t capacity) {
    (void)rules;
    if (capacity >= CHESS_MOVES_MAX) return ployi_chess_moves(position, out);
    ploy_board_move moves[CHESS_MOVES_MAX];
    int32_t count = ployi_chess_moves(position, moves);
    if (count > capacity) count = capacity;
    for (int32_t i = 0; i < count; i++) out[i] = moves[i];
    return count;
}

static void chess_make(const void *rules, void *position, ploy_board_move move, void *undo) {
    (void)rules, (void)undo;
    ployi_chess_make(position, move);
}

static int32_t chess_result(const void *rules, const void *position, int32_t player) {
    (void)rules;
    const ployi_chess *p = position;
    if (!ployi_chess_checked(p, p->side) || ployi_chess_can_move(p)) return 0;
    return player == p->side ? -PLOY_BOARD_WIN : PLOY_BOARD_WIN;
}

static uint64_t chess_hash(const void *rules, const void *position) {
    (void)rules;
    return ((const ployi_chess *)position)->key;
}

static int32_t chess_evaluate(const void *rules, const void *position, int32_t player) {
    (void)rules;
    int32_t white = ployi_chess_evaluate(position, ployi_chess_weights.learned, NULL, NULL);
    return player == CHESS_WHITE ? white : -white;
}

// The parts for Black have the other sign.
typedef struct chess_negate {
    ploy_board_part_fn fn;
    void *user;
} chess_negate;

static void chess_negate_part(void *user, const char *name, int32_t score) {
    chess_negate *n = user;
    n->fn(n->user, name, -score);
}

static void chess_score_parts(const void *rules, const void *position, int32_t player,
                              ploy_board_part_fn fn, void *user) {
    (void)rules;
    chess_negate negate = {fn, user};
    if (player == CHESS_WHITE) {
        ployi_chess_evaluate(position, ployi_chess_weights.learned, fn, user);
    } else {
        ployi_chess_evaluate(position, ployi_chess_weights.learned, chess_negate_part, &negate);
    }
}

// ---- knowledge for searches ----

static bool chess_wins_material(ploy_board_move move) {
    return CHESS_CAPTURED(move) != CHESS_NONE ||
           (CHESS_KIND(move) == CHESS_PROMOTE && CHESS_PLACED(move) == CHESS_QUEEN);
}

// Whether the piece that moves attacks the enemy king, or uncovers an attack on it.
static bool chess_gives_check(const ployi_chess *p, ploy_board_move move) {
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move), enemy = chess_king_of(p, 1 - p->side);
    uint64_t target = chess_bit(enemy),
             occupied = (chess_occupied(p) & ~chess_bit(from)) | chess_bit(to);
    bool direct = false;
    switch (CHESS_PLACED(move)) {
    case CHESS_PAWN: direct = (chess_pawns(p->side, chess_bit(to)) & target) != 0; break;
    case CHESS_KNIGHT: direct = (chess_knight[to] & target) != 0; break;
    case CHESS_BISHOP: direct = (chess_bishop(to, occupied) & target) != 0; break;
    case CHESS_ROOK: direct = (chess_rook(to, occupied) & target) != 0; break;
    case CHESS_QUEEN:
        direct = ((chess_rook(to, occupied) | chess_bishop(to, occupied)) & target) != 0;
        break;
    default: break;
    }
    if (direct || CHESS_KIND(move) == CHESS_CASTLE) return direct;
    bool aligned = ((chess_diagonal[enemy] | chess_antidiagonal[enemy] |
                     CHESS_FILE_A << (enemy & 7) | UINT64_C(255) << (enemy & 56)) >>
                        from &
                    1) != 0;
    if (!aligned) return false;
    uint64_t own = p->color[p->side] & ~chess_bit(from), queens = p->piece[CHESS_QUEEN];
    return ((chess_rook(enemy, occupied) & (p->piece[CHESS_ROOK] | queens) & own) |
            (chess_bishop(enemy, occupied) & (p->piece[CHESS_BISHOP] | queens) & own)) != 0;
}

// Checks count too, so that they are not reduced; quiescence looks at what wins material alone.
static bool chess_is_noisy(const void *rules, const void *position, ploy_board_move move) {
    (void)rules;
    return chess_wins_material(move) || chess_gives_check(position, move);
}

static int32_t chess_noisy(const void *rules, const void *position, ploy_board_move *out,
                           int32_t capacity) {
    (void)rules;
    ploy_board_move moves[CHESS_MOVES_MAX];
    int32_t all = ployi_chess_moves(position, moves), count = 0;
    for (int32_t i = 0; i < all && count < capacity; i++) {
        if (chess_wins_material(moves[i])) out[count++] = moves[i];
    }
    return count;
}

static const int32_t chess_worth[8] = {100, 325, 335, 500, 1000, 20000, 0, 0};

// Static exchange evaluation: both sides capture on the target with their cheapest piece, and stop when
// that is better for them.
static int32_t chess_exchange(const void *rules, const void *position, ploy_board_move move) {
    (void)rules;
    const ployi_chess *p = position;
    if (CHESS_KIND(move) == CHESS_CASTLE) return 0;
    int32_t from = CHESS_FROM(move), to = CHESS_TO(move), side = 1 - p->side, depth = 0;
    int32_t gain[34], on_target = chess_worth[CHESS_PLACED(move)];
    gain[0] = chess_worth[CHESS_CAPTURED(move)] + on_target - chess_worth[CHESS_PIECE(move)];
    uint64_t occupied = chess_occupied(p) & ~chess_bit(from);
    if (CHESS_KIND(move) == CHESS_EN_PASSANT)
        occupied &= ~chess_bit(side == CHESS_BLACK ? to - 8 : to + 8);
    uint64_t lines = p->piece[CHESS_ROOK] | p->piece[CHESS_QUEEN];
    uint64_t diagonals = p->piece[CHESS_BISHOP] | p->piece[CHESS_QUEEN];
    uint64_t attackers = chess_attackers(p, to, occupied | chess_bit(to)) & occupied;
    for (; depth < 32; side = 1 - side) {
        uint64_t own = attackers & p->color[side];
        if (own == 0) break;
        int32_t type = CHESS_PAWN;
        while ((own & p->piece[type]) == 0) type++;
        if (type == CHESS_KING && (attackers & p->color[1 - side]) != 0)
            break; // it would be in check
        depth++;
        gain[depth] = on_target - gain[depth - 1];
        on_target = chess_worth[type];
        occupied &= ~(own & p->piece[type] & (~(own & p->piece[type]) + 1));
        attackers |= (chess_rook(to, occupied) & lines) | (chess_bishop(to, occupied) & diagonals);
        attackers &= occupied;
    }
    for (; depth > 0; depth--) {
        if (gain[depth] > -gain[depth - 1]) gain[depth - 1] = -gain[depth];
    }
    return gain[0];
}

// Captures by what they win, those that lose the exchange behind the others.
static int32_t chess_order(const void *rules, const void *position, ploy_board_move move) {
    if (!chess_wins_material(move)) {
        if (!chess_gives_check(position, move)) return 0;
        return chess_exchange(rules, position, move) < 0 ? -30000 : 1000;
    }
    int32_t victim = chess_worth[CHESS_CAPTURED(move)];
    if (CHESS_KIND(move) == CHESS_PROMOTE)
        victim += chess_worth[CHESS_PLACED(move)] - chess_worth[CHESS_PAWN];
    int32_t order = 16 * victim - chess_worth[CHESS_PIECE(move)] / 16;
    if (chess_worth[CHESS_PIECE(move)] > victim && chess_exchange(rules, position, move) < 0)
        order -= 40000;
    return order;
}

static bool chess_threatened(const void *rules, const void *position) {
    (void)rules;
    const ployi_chess *p = position;
    return ployi_chess_checked(p, p->side);
}

// With pawns alone the side to move is often in zugzwang.
static ploy_board_move chess_null_move(const void *rules, const void *position) {
    (void)rules;
    const ployi_chess *p = position;
    uint64_t pieces = p->color[p->side] & ~(p->piece[CHESS_PAWN] | p->piece[CHESS_KING]);
    return pieces != 0 && !ployi_chess_checked(p, p->side) ? CHESS_PASS : PLOY_BOARD_NO_MOVE;
}

static int32_t chess_reversible(const void *rules, const void *position) {
    (void)rules;
    return ((const ployi_chess *)position)->clock;
}

// ---- symmetry, encoding, picture ----

static int32_t chess_symmetries(const void *rules) {
    (void)rules;
    return 1;
}

static void chess_map(const void *rules, const void *position, int32_t number, void *out) {
    (void)rules, (void)number;
    memcpy(out, position, sizeof(ployi_chess));
}

static ploy_board_move chess_map_move(const void *rules, ploy_board_move move, int32_t number) {
    (void)rules, (void)number;
    return move;
}

static void chess_encode_shape(const void *rules, int32_t shape[3]) {
    (void)rules;
    shape[0] = 14;
    shape[1] = shape[2] = 8;
}

// Six planes of own and six of enemy pieces, castling rooks, en passant; the board is turned so that the
// side to move plays up.
static void chess_encode(const void *rules, const void *position, float *out) {
    (void)rules;
    const ployi_chess *p = position;
    int32_t flip = p->side == CHESS_WHITE ? 0 : 56;
    memset(out, 0, 14 * 64 * sizeof *out);
    for (int32_t plane = 0; plane < 12; plane++) {
        uint64_t set = p->piece[plane % 6] & p->color[plane < 6 ? p->side : 1 - p->side];
        for (; set != 0; set &= set - 1) out[64 * plane + (chess_first(set) ^ flip)] = 1.0f;
    }
    for (int32_t i = 0; i < 4; i++) {
        if (p->rook[i] != CHESS_NO_SQUARE) out[64 * 12 + (p->rook[i] ^ flip)] = 1.0f;
    }
    if (p->ep != CHESS_NO_SQUARE) out[64 * 13 + (p->ep ^ flip)] = 1.0f;
}

static ploy_box2 chess_area(const void *rules) {
    (void)rules;
    return (ploy_box2){{0.0f, 0.0f}, {8.0f, 8.0f}};
}

static ploy_vec2 chess_centre(int32_t square) {
    return (ploy_vec2){(float)(square & 7) + 0.5f, (float)(square >> 3) + 0.5f};
}

static void chess_draw(const void *rules, const void *position, ploy_draw *out) {
    (void)rules;
    const ployi_chess *p = position;
    ploy_agent_id none = {{0, 0}};
    for (int32_t i = 0; i <= 8; i++) {
        float at = (float)i;
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){at, 0.0f},
                       (ploy_vec2){at, 8.0f});
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){0.0f, at},
                       (ploy_vec2){8.0f, at});
    }
    for (uint64_t left = chess_occupied(p); left != 0; left &= left - 1) {
        int32_t at = chess_first(left);
        bool white = (p->color[CHESS_WHITE] >> at & 1) != 0;
        char letter[2] = {"PNBRQK"[ployi_chess_at(p, at)], 0};
        ploy_style style = white ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B;
        ploy_vec2 c = chess_centre(at);
        ploy_draw_circle(out, PLOY_LAYER_AGENTS, style, none, c, 0.38f);
        ploy_draw_text(out, none, c, letter);
    }
}

static bool chess_place(const void *rules, const void *position, ploy_board_move move,
                        ploy_vec2 *from, ploy_vec2 *to) {
    (void)rules, (void)position;
    *from = chess_centre(CHESS_FROM(move));
    *to = chess_centre(CHESS_TO(move));
    return true;
}

const ploy_board_type *ploy_board_chess(void) {
    static const ploy_board_type type = {
        .name = "chess",
        .title = "Chess",
        .help = "chess and Chess960",
        .players = 2,
        .flags = PLOY_BOARD_ZERO_SUM,
        .max_moves = CHESS_MOVES_MAX,
        .fields = ploy_board_chess_fields,
        .position_bytes = chess_bytes,
        .start = chess_start,
        .side = chess_side,
        .moves = chess_moves,
        .make = chess_make,
        .result = chess_result,
        .hash = chess_hash,
        .evaluate = chess_evaluate,
        .weights = &ployi_chess_weights,
        .noisy = chess_noisy,
        .is_noisy = chess_is_noisy,
        .exchange = chess_exchange,
        .order = chess_order,
        .threatened = chess_threatened,
        .null_move = chess_null_move,
        .reversible = chess_reversible,
        .move_text = ployi_chess_move_text,
        .move_parse = ployi_chess_move_parse,
        .text = ployi_chess_text,
        .parse = ployi_chess_parse,
        .symmetries = chess_symmetries,
        .map = chess_map,
        .map_move = chess_map_move,
        .encode_shape = chess_encode_shape,
        .encode = chess_encode,
        .score_parts = chess_score_parts,
        .area = chess_area,
        .draw = chess_draw,
        .place = chess_place,
    };
    return &type;
}
