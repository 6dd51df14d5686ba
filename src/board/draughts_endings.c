// Sets of draughts positions by their number of pieces, for ending databases.
//
// A number is the side, a combination of squares (in the combinatorial number system, so that a set of squares
// has one number) and two bits for the kind of each piece. Men on their last row are not positions.
#include "draughts_internal.h"

#include <string.h>

#include "board_internal.h"
#include "ploy/board/endings.h"

enum { DRAUGHTS_SQUARES = 32 };

static int64_t draughts_choose(int32_t n, int32_t k) {
    int64_t value = 1;
    for (int32_t i = 0; i < k; i++) value = value * (n - i) / (i + 1);
    return n < k ? 0 : value;
}

// Kinds: 0 white man, 1 white king, 2 black man, 3 black king.
static bool draughts_endings_position(void *user, int64_t number, void *position) {
    const ploy_board_draughts_set *set = user;
    ploy_board_draughts_position p;
    memset(&p, 0, sizeof p);
    int64_t kinds = number & (((int64_t)1 << (2 * set->pieces)) - 1);
    number >>= 2 * set->pieces;
    int64_t sets = draughts_choose(DRAUGHTS_SQUARES, set->pieces);
    p.side = (uint8_t)(number / sets);
    number %= sets;
    for (int32_t k = set->pieces, square = DRAUGHTS_SQUARES; k > 0; k--, kinds >>= 2) {
        do square--;
        while (draughts_choose(square, k) > number);
        number -= draughts_choose(square, k);
        uint64_t bit = UINT64_C(1) << square;
        int32_t colour = (int32_t)(kinds >> 1 & 1);
        bool king = (kinds & 1) != 0;
        if (!king && (colour == 0 ? square < 4 : square >= DRAUGHTS_SQUARES - 4)) return false;
        p.pieces[colour] |= bit;
        if (king) p.kings |= bit;
    }
    p.over = ployi_draughts_can_move(&set->rules, &p) ? 0 : 1;
    memcpy(position, &p, sizeof p);
    return true;
}

static int64_t draughts_endings_number(void *user, const void *position) {
    const ploy_board_draughts_set *set = user;
    const ploy_board_draughts_position *p = position;
    uint64_t all = p->pieces[0] | p->pieces[1];
    int64_t number = 0, kinds = 0;
    int32_t k = 0;
    for (int32_t square = 0; square < DRAUGHTS_SQUARES; square++) {
        if ((all >> square & 1) == 0) continue;
        if (++k > set->pieces) return -1;
        number += draughts_choose(square, k);
        kinds = kinds << 2 | (int64_t)(p->pieces[1] >> square & 1) << 1 |
                (int64_t)(p->kings >> square & 1);
    }
    if (k != set->pieces || p->over == 2) return -1;
    number += p->side * draughts_choose(DRAUGHTS_SQUARES, set->pieces);
    return number << (2 * set->pieces) | kinds;
}

static ploy_board_ending draughts_endings_outside(void *user, const void *position) {
    const ploy_board_draughts_set *set = user;
    for (int32_t i = 0; i < PLOY_BOARD_DRAUGHTS_PIECES; i++) {
        ploy_board_ending value = 0;
        if (set->fewer[i] != NULL && ploy_board_endings_value(set->fewer[i], position, &value))
            return value;
    }
    return 0;
}

ploy_result ploy_board_draughts_endings(int32_t pieces, ploy_board_draughts_rules rules,
                                        ploy_board_draughts_set *set,
                                        ploy_board_endings_source *source) {
    memset(set, 0, sizeof *set);
    memset(source, 0, sizeof *source);
    set->rules = ploy_board_draughts_def_default();
    if ((uint32_t)rules >= PLOY_BOARD_DRAUGHTS_RULES) return PLOY_ERR_ARGUMENT;
    set->rules.rules = rules;
    set->rules.quiet_plies = 1000;
    const draughts_row *row = ployi_draughts_row(&set->rules);
    if (pieces < 1 || pieces > PLOY_BOARD_DRAUGHTS_PIECES || row->size != 8 || row->straight)
        return PLOY_ERR_ARGUMENT;
    set->pieces = pieces;
    size_t length = strlen(row->name);
    if (length > sizeof set->text - 2) length = sizeof set->text - 2;
    memcpy(set->text, row->name, length);
    set->text[length] = (char)('0' + pieces);
    source->name = set->text;
    source->board = ploy_board_of(ploy_board_draughts(), &set->rules);
    source->count = 2 * draughts_choose(DRAUGHTS_SQUARES, pieces) << (2 * pieces);
    source->position = draughts_endings_position;
    source->number = draughts_endings_number;
    source->outside = draughts_endings_outside;
    source->user = set;
    return PLOY_OK;
}
