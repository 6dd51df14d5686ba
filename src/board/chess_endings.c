// Sets of chess positions by material, for ending databases.
//
// A number is side, White's king, Black's king, then 64 squares for each further piece. Symmetry puts
// White's king into a1-d1-d4 (10 squares), or with pawns into files a to d (32 squares).
#include "chess_internal.h"

#include <string.h>

#include "ploy/board/endings.h"

static const uint8_t chess_triangle[10] = {0, 1, 2, 3, 9, 10, 11, 18, 19, 27};

static int32_t chess_king_slot(int32_t square, bool pawns) {
    if (pawns) return (square >> 3) * 4 + (square & 7);
    for (int32_t i = 0; i < 10; i++) {
        if (chess_triangle[i] == square) return i;
    }
    return -1;
}

static int32_t chess_slot_king(int32_t slot, bool pawns) {
    return pawns ? (slot / 4) * 8 + slot % 4 : chess_triangle[slot];
}

// Bits of a symmetry: 1 mirrors files, 2 ranks, 4 swaps both.
static int32_t chess_turn(int32_t square, int32_t symmetry) {
    if ((symmetry & 1) != 0) square ^= 7;
    if ((symmetry & 2) != 0) square ^= 56;
    return (symmetry & 4) != 0 ? (square >> 3) | (square & 7) << 3 : square;
}

static int32_t chess_symmetry(int32_t king, bool pawns) {
    int32_t symmetry = (king & 7) > 3 ? 1 : 0;
    if (pawns) return symmetry;
    if (king >> 3 > 3) symmetry |= 2;
    int32_t at = chess_turn(king, symmetry);
    return at >> 3 > (at & 7) ? symmetry | 4 : symmetry;
}

static bool chess_endings_position(void *user, int64_t number, void *position) {
    const ploy_board_chess_material *m = user;
    ployi_chess p;
    memset(&p, 0, sizeof p);
    p.ep = CHESS_NO_SQUARE;
    p.number = 1;
    memset(p.rook, CHESS_NO_SQUARE, sizeof p.rook);
    for (int32_t i = m->count - 1; i >= 0; i--, number /= 64) {
        uint64_t bit = chess_bit((int32_t)(number % 64));
        if ((chess_occupied(&p) & bit) != 0) return false;
        p.piece[m->pieces[i]] |= bit;
        p.color[m->owners[i]] |= bit;
    }
    int32_t black = (int32_t)(number % 64);
    number /= 64;
    int32_t slots = m->pawns ? 32 : 10;
    int32_t white = chess_slot_king((int32_t)(number % slots), m->pawns);
    p.side = (uint8_t)(number / slots);
    if (((chess_bit(white) | chess_bit(black)) & chess_occupied(&p)) != 0 || white == black)
        return false;
    p.piece[CHESS_KING] = chess_bit(white) | chess_bit(black);
    p.color[CHESS_WHITE] |= chess_bit(white);
    p.color[CHESS_BLACK] |= chess_bit(black);
    if ((p.piece[CHESS_PAWN] & UINT64_C(0xff000000000000ff)) != 0) return false;
    if (ployi_chess_checked(&p, 1 - p.side)) return false;
    p.key = ployi_chess_key(&p);
    memcpy(position, &p, sizeof p);
    return true;
}

static int64_t chess_endings_number(void *user, const void *position) {
    const ploy_board_chess_material *m = user;
    const ployi_chess *p = position;
    if (p->rights != 0 || p->ep != CHESS_NO_SQUARE ||
        chess_count(chess_occupied(p)) != m->count + 2)
        return -1;
    int32_t white = chess_king_of(p, CHESS_WHITE), symmetry = chess_symmetry(white, m->pawns);
    int64_t number = p->side;
    number = number * (m->pawns ? 32 : 10) + chess_king_slot(chess_turn(white, symmetry), m->pawns);
    number = number * 64 + chess_turn(chess_king_of(p, CHESS_BLACK), symmetry);
    uint64_t used = 0;
    for (int32_t i = 0; i < m->count; i++) {
        uint64_t set = p->piece[m->pieces[i]] & p->color[m->owners[i]] & ~used;
        if (set == 0) return -1;
        used |= set & (~set + 1);
        number = number * 64 + chess_turn(chess_first(set), symmetry);
    }
    return number;
}

static ploy_board_ending chess_endings_outside(void *user, const void *position) {
    const ploy_board_chess_material *m = user;
    for (int32_t i = 0; i < PLOY_BOARD_CHESS_ENDINGS; i++) {
        ploy_board_ending value = 0;
        if (m->others[i] != NULL && ploy_board_endings_value(m->others[i], position, &value))
            return value;
    }
    return 0;
}

ploy_result ploy_board_chess_endings(const char *text, ploy_board_chess_material *material,
                                     ploy_board_endings_source *source) {
    static const char letters[] = "PNBRQ";
    memset(material, 0, sizeof *material);
    memset(source, 0, sizeof *source);
    size_t length = text != NULL ? strlen(text) : 0;
    if (length < 3 || length >= sizeof material->text || text[0] != 'K') return PLOY_ERR_FORMAT;
    int32_t owner = CHESS_WHITE;
    int64_t count = 2 * 64;
    for (size_t i = 1; i < length; i++) {
        if (text[i] == 'K' && owner == CHESS_WHITE) {
            owner = CHESS_BLACK;
            continue;
        }
        const char *letter = strchr(letters, text[i]);
        if (letter == NULL || material->count == 3) return PLOY_ERR_FORMAT;
        material->pieces[material->count] = (int32_t)(letter - letters);
        material->owners[material->count++] = owner;
        material->pawns = material->pawns || letter == letters;
        count *= 64;
    }
    if (owner != CHESS_BLACK || material->count == 0) return PLOY_ERR_FORMAT;
    memcpy(material->text, text, length + 1);
    material->rules = ploy_board_chess_def_default();
    source->name = material->text;
    source->board = ploy_board_of(ploy_board_chess(), &material->rules);
    source->count = count * (material->pawns ? 32 : 10);
    if (source->count > INT32_MAX - 1) return PLOY_ERR_FORMAT;
    source->position = chess_endings_position;
    source->number = chess_endings_number;
    source->outside = chess_endings_outside;
    source->user = material;
    return PLOY_OK;
}
