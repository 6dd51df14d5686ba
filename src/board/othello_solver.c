// Othello solver; the technique is described in the header.
//
// Invariants, from begin on:
//   (1) frames[0 .. depth) are the positions entered and not finished, the root first;
//   (2) an entry of the table whose discs are not both 0 holds true bounds of exactly that position.
#include "ploy/board/othello_solver.h"

#include <string.h>

#include "othello_bits.h"

enum {
    OTHELLO_LEAF = 5,         // empty squares that are played out at once
    OTHELLO_LOOKUP = 8,       // from this many on, successors are looked up in the table first
    OTHELLO_EVALUATED = 9,    // from this many on, moves are ordered by an evaluation,
    OTHELLO_ONE_PLY = 12,     // by one of one ply more,
    OTHELLO_TWO_PLIES = 15,   // of two,
    OTHELLO_THREE_PLIES = 19, // and of three
    OTHELLO_NONE = 64,        // no square
    OTHELLO_WORST = -127,
    OTHELLO_BOUND = 100000 // beyond the scores that order moves
};

static const ploy_field othello_solver_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_othello_solver_def, table_bits, 18, 1, 28, "",
                         "the table has 2^table_bits entries of 24 bytes"),
    PLOY_FIELD_I32(ploy_board_othello_solver_def, guess, 0, -64, 64, "discs",
                   "first score asked for"),
    PLOY_FIELD_BOOL(ploy_board_othello_solver_def, only_sign, false,
                    "stop when win, draw or loss is known"),
};

typedef struct othello_entry {
    uint64_t own, other;
    int8_t low, high;
    uint8_t move, empties;
    uint32_t unused;
} othello_entry;

typedef struct othello_choice {
    uint64_t flips;
    int32_t square; // OTHELLO_NONE for a pass
    int32_t score;  // larger is tried first
} othello_choice;

typedef struct othello_frame {
    uint64_t own, other;
    int32_t beta, best;
    int32_t best_square;
    int32_t empties;
    int32_t count, next; // choices, and the one to try next
    othello_choice choices[34];
} othello_frame;

struct ploy_board_othello_solver {
    ploy_env env;
    ploy_board_othello_solver_def def;
    size_t size;
    othello_entry *table;
    uint64_t nodes;
    uint64_t own, other; // of the root
    int32_t side_size;   // rows and columns
    int32_t low, high;
    int32_t beta; // score asked for
    int32_t best_square;
    int32_t depth;
    othello_frame frames[64];
};

ploy_fields ploy_board_othello_solver_fields(void) {
    return PLOY_FIELDS(ploy_board_othello_solver_def, othello_solver_fields);
}

ploy_board_othello_solver_def ploy_board_othello_solver_def_default(void) {
    ploy_board_othello_solver_def def;
    ploy_fields_default(ploy_board_othello_solver_fields(), &def);
    return def;
}

ploy_result ploy_board_othello_solver_create(const ploy_board_othello_solver_def *def,
                                             const ploy_env *env, ploy_board_othello_solver **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_othello_solver_fields(), def, env);
    if (result != PLOY_OK) return result;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_board_othello_solver), (int64_t)1 << def->table_bits,
                             sizeof(othello_entry), &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_board_othello_solver *s = ploy_env_alloc_zero(env, size);
    if (s == NULL) return PLOY_ERR_MEMORY;
    s->env = *env;
    s->def = *def;
    s->size = size;
    s->table = (othello_entry *)(void *)(s + 1);
    s->side_size = 8;
    *out = s;
    return PLOY_OK;
}

void ploy_board_othello_solver_destroy(ploy_board_othello_solver *solver) {
    if (solver == NULL) return;
    ploy_env env = solver->env;
    ploy_env_free(&env, solver, solver->size);
}

// ---- the last squares

// Squares of quadrants with an odd number of empty squares: who moves there first also moves there last.
static uint64_t othello_odd(uint64_t empty) {
    uint64_t odd = 0;
    for (int32_t i = 0; i < 4; i++) {
        uint64_t quadrant = UINT64_C(0x0F0F0F0F) << ((i & 1) * 4 + (i >> 1) * 32);
        if ((othello_count(empty & quadrant) & 1) != 0) odd |= quadrant;
    }
    return odd;
}

static int32_t othello_final(const ploy_board_othello_solver *s, uint64_t own, uint64_t other) {
    return othello_margin(own, other, s->side_size * s->side_size);
}

static int32_t othello_last(const ploy_board_othello_solver *s, uint64_t own, uint64_t other,
                            int32_t square) {
    uint64_t bit = UINT64_C(1) << square;
    uint64_t flips = othello_flips(own, other, square);
    if (flips != 0) return othello_final(s, own | flips | bit, other & ~flips);
    flips = othello_flips(other, own, square);
    if (flips != 0) return -othello_final(s, other | flips | bit, own & ~flips);
    return othello_final(s, own, other);
}

static int32_t othello_leaf(ploy_board_othello_solver *s, uint64_t own, uint64_t other,
                            int32_t beta, int32_t empties, bool passed) {
    uint64_t empty = othello_mask(s->side_size) & ~(own | other);
    if (empties == 0) return othello_final(s, own, other);
    s->nodes++;
    if (empties == 1) return othello_last(s, own, other, ployi_lowest_bit(empty));
    uint64_t odd = othello_odd(empty);
    int32_t best = OTHELLO_WORST;
    for (int32_t round = 0; round < 2; round++) {
        for (uint64_t left = empty & (round == 0 ? odd : ~odd); left != 0; left &= left - 1) {
            int32_t square = ployi_lowest_bit(left);
            uint64_t flips = othello_flips(own, other, square);
            if (flips == 0) continue;
            int32_t value = -othello_leaf(s, other & ~flips, own | flips | UINT64_C(1) << square,
                                          1 - beta, empties - 1, false);
            if (value > best) best = value;
            if (best >= beta) return best;
        }
    }
    if (best != OTHELLO_WORST) return best;
    if (passed) return othello_final(s, own, other);
    return -othello_leaf(s, other, own, 1 - beta, empties, true);
}

// ---- order of moves

static int32_t othello_replies(uint64_t moves, uint64_t corners) {
    return othello_count(moves) + othello_count(moves & corners);
}

// An estimate in no particular unit, good enough to compare moves.
static int32_t othello_guess(const ploy_board_othello_solver *s, uint64_t own, uint64_t other) {
    uint64_t mask = othello_mask(s->side_size), corners = othello_corners(s->side_size);
    int32_t last = s->side_size - 1;
    int32_t score = 8 * (othello_replies(othello_moves(own, other, mask), corners) -
                         othello_replies(othello_moves(other, own, mask), corners));
    score += 2 * (othello_count(othello_frontier(own, other, mask)) -
                  othello_count(othello_frontier(other, own, mask)));
    score += 24 * (othello_count(own & corners) - othello_count(other & corners));
    score += 8 * (othello_count(othello_stable(own, other, mask)) -
                  othello_count(othello_stable(other, own, mask)));
    for (int32_t i = 0; i < 4; i++) { // discs diagonal to empty corners
        int32_t x = (i & 1) != 0 ? last : 0, y = (i & 2) != 0 ? last : 0;
        if (((own | other) >> (x + 8 * y) & 1) != 0) continue;
        int32_t inner = (x == 0 ? 1 : last - 1) + 8 * (y == 0 ? 1 : last - 1);
        score += 12 * ((int32_t)(other >> inner & 1) - (int32_t)(own >> inner & 1));
    }
    return score;
}

static int32_t othello_look(ploy_board_othello_solver *s, uint64_t own, uint64_t other,
                            int32_t plies, int32_t alpha, int32_t beta) {
    s->nodes++;
    if (plies == 0) return othello_guess(s, own, other);
    uint64_t mask = othello_mask(s->side_size);
    uint64_t moves = othello_moves(own, other, mask);
    if (moves == 0) {
        if (othello_moves(other, own, mask) == 0) return 100 * othello_final(s, own, other);
        return -othello_look(s, other, own, plies, -beta, -alpha);
    }
    int32_t best = -OTHELLO_BOUND;
    for (; moves != 0; moves &= moves - 1) {
        int32_t square = ployi_lowest_bit(moves);
        uint64_t flips = othello_flips(own, other, square);
        int32_t value = -othello_look(s, other & ~flips, own | flips | UINT64_C(1) << square,
                                      plies - 1, -beta, -(best > alpha ? best : alpha));
        if (value > best) best = value;
        if (best >= beta) break;
    }
    return best;
}

// Value of a square, by column and row counted from the nearest rim.
static int32_t othello_square_value(int32_t size, int32_t square) {
    static const int8_t values[4][4] = {
        {18, 4, 16, 12}, {4, 2, 6, 8}, {16, 6, 14, 10}, {12, 8, 10, 0}};
    int32_t x = square % 8, y = square / 8;
    if (x >= size / 2) x = size - 1 - x;
    if (y >= size / 2) y = size - 1 - y;
    return values[y][x];
}

static int32_t othello_choice_score(ploy_board_othello_solver *s, int32_t square, int32_t empties,
                                    bool odd, uint64_t own, uint64_t other) {
    // own has just moved.
    uint64_t mask = othello_mask(s->side_size), corners = othello_corners(s->side_size);
    uint64_t rim = mask & ~((mask << 1) & (mask >> 1) & (mask << 8) & (mask >> 8) &
                            UINT64_C(0x7E7E7E7E7E7E7E7E));
    int32_t score = -16 * othello_replies(othello_moves(other, own, mask), corners);
    score -= 2 * othello_count(othello_frontier(other, own, mask));
    score += 4 * othello_count(othello_stable(own, other, mask) & rim);
    score += othello_square_value(s->side_size, square) + (odd ? 8 : 0);
    if (empties >= OTHELLO_EVALUATED) {
        int32_t plies = empties >= OTHELLO_THREE_PLIES ? 3
                        : empties >= OTHELLO_TWO_PLIES ? 2
                        : empties >= OTHELLO_ONE_PLY   ? 1
                                                       : 0;
        score -= othello_look(s, other, own, plies, -OTHELLO_BOUND, OTHELLO_BOUND);
    }
    return score;
}

// ---- the table: two places for each position, the deeper entry survives in one of them

static othello_entry *othello_find(const ploy_board_othello_solver *s, uint64_t own,
                                   uint64_t other) {
    uint64_t at = othello_mix(own, other) >> (64 - s->def.table_bits);
    for (uint64_t i = 0; i < 2; i++) {
        othello_entry *entry = &s->table[at ^ i];
        if (entry->own == own && entry->other == other) return entry;
    }
    return NULL;
}

static void othello_store(ploy_board_othello_solver *s, const othello_frame *frame) {
    othello_entry *entry = othello_find(s, frame->own, frame->other);
    if (entry == NULL) {
        uint64_t at = othello_mix(frame->own, frame->other) >> (64 - s->def.table_bits);
        entry = &s->table[at];
        if (entry->empties > frame->empties && s->table[at ^ 1].empties <= entry->empties) {
            entry = &s->table[at ^ 1];
        }
        *entry = (othello_entry){
            frame->own, frame->other, -64, 64, OTHELLO_NONE, (uint8_t)frame->empties, 0};
    }
    entry->move = (uint8_t)frame->best_square;
    if (frame->best >= frame->beta) {
        if (frame->best > entry->low) entry->low = (int8_t)frame->best;
    } else if (frame->best < entry->high) {
        entry->high = (int8_t)frame->best;
    }
}

// ---- the search

// Fills the frame's choices, the best first. @return true with a value if a move is enough at once.
static bool othello_choose(ploy_board_othello_solver *s, othello_frame *frame, uint64_t moves,
                           int32_t first, int32_t *value) {
    uint64_t own = frame->own, other = frame->other;
    uint64_t odd = othello_odd(othello_mask(s->side_size) & ~(own | other));
    for (; moves != 0; moves &= moves - 1) {
        int32_t square = ployi_lowest_bit(moves);
        uint64_t flips = othello_flips(own, other, square);
        uint64_t next_own = other & ~flips, next_other = own | flips | UINT64_C(1) << square;
        int32_t sure = OTHELLO_WORST;
        if (next_own == 0) {
            sure = s->side_size * s->side_size;
        } else if (frame->empties >= OTHELLO_LOOKUP) {
            const othello_entry *entry = othello_find(s, next_own, next_other);
            if (entry != NULL) sure = -entry->high;
        }
        if (sure >= frame->beta) {
            if (s->depth == 0) s->best_square = square;
            *value = sure;
            return true;
        }
        int32_t score = square == first
                            ? OTHELLO_BOUND * 10
                            : othello_choice_score(s, square, frame->empties,
                                                   (odd >> square & 1) != 0, next_other, next_own);
        int32_t at = frame->count++;
        for (; at > 0 && frame->choices[at - 1].score < score; at--) {
            frame->choices[at] = frame->choices[at - 1];
        }
        frame->choices[at] = (othello_choice){flips, square, score};
    }
    return false;
}

// Enters a position. @return true with its value (a bound on the far side of beta), or false with a frame pushed.
static bool othello_enter(ploy_board_othello_solver *s, uint64_t own, uint64_t other, int32_t beta,
                          int32_t empties, int32_t *value) {
    if (s->depth > 0 && empties <= OTHELLO_LEAF) {
        *value = othello_leaf(s, own, other, beta, empties, false);
        return true;
    }
    s->nodes++;
    uint64_t mask = othello_mask(s->side_size);
    int32_t first = OTHELLO_NONE;
    const othello_entry *entry = othello_find(s, own, other);
    if (entry != NULL && s->depth > 0) { // at the root, a bound alone would not give the move
        if (entry->low >= beta) return *value = entry->low, true;
        if (entry->high < beta) return *value = entry->high, true;
    }
    if (entry != NULL) first = entry->move;
    int32_t most =
        s->side_size * s->side_size - 2 * othello_count(othello_stable(other, own, mask));
    if (most < beta) return *value = most, true;
    othello_frame *frame = &s->frames[s->depth];
    frame->own = own;
    frame->other = other;
    frame->beta = beta;
    frame->best = OTHELLO_WORST;
    frame->best_square = OTHELLO_NONE;
    frame->empties = empties;
    frame->count = frame->next = 0;
    uint64_t moves = othello_moves(own, other, mask);
    if (moves == 0) {
        if (othello_moves(other, own, mask) == 0) {
            return *value = othello_final(s, own, other), true;
        }
        frame->choices[frame->count++] = (othello_choice){0, OTHELLO_NONE, 0};
    } else if (othello_choose(s, frame, moves, first, value)) {
        return true;
    }
    s->depth++; // keeps (1)
    return false;
}

// Enters the next choice of the frame on top.
static bool othello_try(ploy_board_othello_solver *s, othello_frame *frame, int32_t *value) {
    const othello_choice *choice = &frame->choices[frame->next++];
    uint64_t own = frame->other & ~choice->flips, other = frame->own | choice->flips;
    int32_t empties = frame->empties;
    if (choice->square != OTHELLO_NONE) {
        other |= UINT64_C(1) << choice->square;
        empties--;
    }
    return othello_enter(s, own, other, 1 - frame->beta, empties, value);
}

// Takes the value of a choice. @return true if the frame is finished.
static bool othello_take(ploy_board_othello_solver *s, othello_frame *frame, int32_t value) {
    if (value > frame->best) {
        frame->best = value;
        frame->best_square = frame->choices[frame->next - 1].square;
    }
    if (frame->best < frame->beta && frame->next < frame->count) return false;
    if (frame->choices[0].square != OTHELLO_NONE) othello_store(s, frame); // keeps (2)
    if (s->depth == 1 && frame->best >= frame->beta) s->best_square = frame->best_square;
    return true;
}

// Runs one zero-width search further. @return true with its value when it has ended.
static bool othello_run(ploy_board_othello_solver *s, ploy_budget *budget, int32_t *value) {
    for (;;) {
        if (ploy_budget_empty(budget)) return false;
        uint64_t before = s->nodes;
        bool ended = false;
        if (s->depth == 0) {
            int32_t empties = othello_count(othello_mask(s->side_size) & ~(s->own | s->other));
            ended = othello_enter(s, s->own, s->other, s->beta, empties, value);
            if (ended) {
                ploy_budget_spend(budget, (int64_t)(s->nodes - before));
                return true;
            }
        }
        othello_frame *frame = &s->frames[s->depth - 1];
        ended = othello_try(s, frame, value);
        if (budget != NULL) ploy_budget_spend(budget, (int64_t)(s->nodes - before));
        while (ended) { // The value goes up until a frame has another choice.
            frame = &s->frames[s->depth - 1];
            ended = othello_take(s, frame, -*value);
            if (!ended) break;
            *value = frame->best;
            if (--s->depth == 0) return true;
        }
    }
}

ploy_result ploy_board_othello_solver_begin(ploy_board_othello_solver *s,
                                            const ploy_board_othello_position *position) {
    if (position == NULL || position->size < 4 || position->size > 8 || position->size % 2 != 0 ||
        position->side > 1) {
        return PLOY_ERR_ARGUMENT;
    }
    uint64_t own = position->discs[position->side], other = position->discs[1 - position->side];
    uint64_t mask = othello_mask(position->size);
    if ((own & other) != 0 || ((own | other) & ~mask) != 0) return PLOY_ERR_ARGUMENT;
    // Entries of another size would give wrong bounds: positions there can be the same discs.
    if (s->side_size != position->size) {
        memset(s->table, 0, sizeof(othello_entry) << s->def.table_bits);
    }
    s->own = own;
    s->other = other;
    s->side_size = position->size;
    s->nodes = 0;
    s->depth = 0;
    s->low = -position->size * position->size;
    s->high = position->size * position->size;
    s->beta = s->def.guess / 2 * 2;
    s->best_square = OTHELLO_NONE;
    uint64_t moves = othello_moves(own, other, mask);
    if (moves != 0) {
        s->best_square = ployi_lowest_bit(moves);
    } else if (othello_moves(other, own, mask) == 0) {
        s->low = s->high = othello_final(s, own, other);
    }
    return PLOY_OK;
}

static bool othello_solver_done(const ploy_board_othello_solver *s) {
    return s->low == s->high || (s->def.only_sign && (s->low > 0 || s->high < 0));
}

ploy_result ploy_board_othello_solver_step(ploy_board_othello_solver *s, ploy_budget *budget) {
    while (!othello_solver_done(s)) {
        if (s->depth == 0) {
            if (s->beta <= s->low) s->beta = s->low + 2;
            if (s->beta > s->high) s->beta = s->high;
        }
        int32_t value = 0;
        if (!othello_run(s, budget, &value)) return PLOY_IN_PROGRESS;
        if (value >= s->beta) {
            s->low = value;
            s->beta = value + 2;
        } else {
            s->high = value;
            s->beta = value;
        }
    }
    return PLOY_OK;
}

ploy_board_othello_solution ploy_board_othello_solver_outcome(const ploy_board_othello_solver *s) {
    ploy_board_othello_solution solution = {othello_solver_done(s), s->low, s->high,
                                            PLOY_BOARD_NO_MOVE, s->nodes};
    uint64_t mask = othello_mask(s->side_size);
    if (s->best_square != OTHELLO_NONE) {
        solution.best = (ploy_board_move)s->best_square + 1;
    } else if (othello_moves(s->other, s->own, mask) != 0) {
        solution.best = PLOY_BOARD_OTHELLO_PASS;
    }
    return solution;
}

static void othello_visit_frame(ploy_visit *v, othello_frame *frame) {
    ploy_visit_hex64(v, "own", PLOY_STATE, &frame->own);
    ploy_visit_hex64(v, "other", PLOY_STATE, &frame->other);
    ploy_visit_i32_in(v, "beta", PLOY_STATE, &frame->beta, -64, 65);
    ploy_visit_i32_in(v, "best", PLOY_STATE, &frame->best, OTHELLO_WORST, 64);
    ploy_visit_i32_in(v, "best_square", PLOY_STATE, &frame->best_square, 0, OTHELLO_NONE);
    ploy_visit_i32_in(v, "empties", PLOY_STATE, &frame->empties, 0, 64);
    int32_t room = (int32_t)(sizeof frame->choices / sizeof frame->choices[0]);
    int32_t count = ploy_visit_list(v, "choices", PLOY_STATE, &frame->count, room);
    for (int32_t i = 0; i < room; i++) {
        othello_choice *choice = &frame->choices[i];
        if (i >= count) {
            PLOY_VISIT_SCRATCH(v, *choice);
            continue;
        }
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_hex64(v, "flips", PLOY_STATE, &choice->flips);
        ploy_visit_i32_in(v, "square", PLOY_STATE, &choice->square, 0, OTHELLO_NONE);
        ploy_visit_i32(v, "score", PLOY_STATE, &choice->score);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_i32_in(v, "next", PLOY_STATE, &frame->next, 1, frame->count);
}

void ploy_board_othello_solver_visit(ploy_visit *v, void *object) {
    ploy_board_othello_solver *s = object;
    ploy_visit_object(v, "othello_solver", s, s->size);
    PLOY_VISIT_SCRATCH(v, s->env);
    PLOY_VISIT_SCRATCH(v, s->def);
    PLOY_VISIT_SCRATCH(v, s->size);
    PLOY_VISIT_SCRATCH(v, s->table);
    ploy_visit_u64(v, "nodes", PLOY_STATE, &s->nodes);
    ploy_visit_hex64(v, "own", PLOY_STATE, &s->own);
    ploy_visit_hex64(v, "other", PLOY_STATE, &s->other);
    ploy_visit_i32_in(v, "size", PLOY_STATE, &s->side_size, 4, 8);
    ploy_visit_i32_in(v, "low", PLOY_STATE, &s->low, -64, 64);
    ploy_visit_i32_in(v, "high", PLOY_STATE, &s->high, -64, 64);
    ploy_visit_i32_in(v, "beta", PLOY_STATE, &s->beta, -66, 66);
    ploy_visit_i32_in(v, "best", PLOY_STATE, &s->best_square, 0, OTHELLO_NONE);
    int32_t count = ploy_visit_list(v, "frames", PLOY_STATE, &s->depth, 64);
    for (int32_t i = 0; i < 64; i++) {
        if (i >= count) {
            PLOY_VISIT_SCRATCH(v, s->frames[i]);
            continue;
        }
        ploy_visit_begin_item(v, i, PLOY_STATE);
        othello_visit_frame(v, &s->frames[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_trimmed(v, "table", PLOY_STATE, s->table,
                       sizeof(othello_entry) << s->def.table_bits);
}
