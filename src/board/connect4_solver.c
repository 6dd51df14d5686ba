// Connect Four solver; the technique is described in the header.
//
// Invariants, from begin on:
//   (1) frames[0 .. depth) are the positions entered and not finished, the root first;
//   (2) the side to move of a frame cannot win at once: the frame above it was not made otherwise;
//   (3) keys[i] and values[i] hold a bound of the one position whose key is keys[i] modulo 2^32 and i modulo slots.
//       Keys have at most 50 bits and 2^32 * slots exceeds 2^50 (slots is odd), so no two positions share both.
//
// A value in the table is 0 for none, v - least + 1 for "at most v", and v - least + 1 + range for "at least v".
#include "ploy/board/connect4_solver.h"

#include <string.h>

#include "base/compiler.h"

enum { CONNECT4_CELLS_MAX = PLOY_BOARD_CONNECT4_SOLVER_BITS };

static const ploy_field connect4_solver_fields[] = {
    PLOY_FIELD_I32_FIXED(ploy_board_connect4_solver_def, columns, 7, 1,
                         PLOY_BOARD_CONNECT4_SOLVER_COLUMNS, "", "columns of the board"),
    PLOY_FIELD_I32_FIXED(ploy_board_connect4_solver_def, rows, 6, 1, 24, "", "rows of the board"),
    PLOY_FIELD_I32_FIXED(ploy_board_connect4_solver_def, table_kb, 2048, 1536, 1 << 20, "KB",
                         "size of the table of bounds"),
};

typedef struct connect4_frame {
    uint64_t own, all;
    uint64_t moves[PLOY_BOARD_CONNECT4_SOLVER_COLUMNS]; // the best last
    uint64_t key;
    uint64_t played; // the move whose answer is awaited
    int32_t alpha, beta;
    int32_t stones;
    int32_t left; // moves not yet tried
} connect4_frame;

struct ploy_board_connect4_solver {
    ploy_env env;
    ploy_board_connect4_solver_def def;
    size_t size;
    uint64_t slots;
    uint64_t bottom, board; // the lowest row; all squares
    int32_t cells, least, range;
    uint32_t *keys;
    uint8_t *values;
    uint64_t nodes;
    uint64_t root_own, root_all;
    uint64_t best;
    int32_t low, high, middle;
    int32_t depth;
    connect4_frame frames[CONNECT4_CELLS_MAX + 1];
};

ploy_fields ploy_board_connect4_solver_fields(void) {
    return PLOY_FIELDS(ploy_board_connect4_solver_def, connect4_solver_fields);
}

ploy_board_connect4_solver_def ploy_board_connect4_solver_def_default(void) {
    ploy_board_connect4_solver_def def;
    ploy_fields_default(ploy_board_connect4_solver_fields(), &def);
    return def;
}

static uint64_t connect4_solver_column(const ploy_board_connect4_solver *s, int32_t column) {
    return ((UINT64_C(1) << s->def.rows) - 1) << (column * (s->def.rows + 1));
}

// Empty squares, reachable or not, on which a stone would complete four.
static uint64_t connect4_solver_wins(const ploy_board_connect4_solver *s, uint64_t own,
                                     uint64_t all) {
    int32_t rows = s->def.rows;
    uint64_t wins = (own << 1) & (own << 2) & (own << 3);
    if (s->def.columns < 4) return wins & (s->board ^ all); // and shifts stay below 64 bits
    for (int32_t d = rows; d <= rows + 2; d++) {
        uint64_t pair = (own << d) & (own << (2 * d));
        wins |= pair & (own << (3 * d));
        wins |= pair & (own >> d);
        pair = (own >> d) & (own >> (2 * d));
        wins |= pair & (own << d);
        wins |= pair & (own >> (3 * d));
    }
    return wins & (s->board ^ all);
}

static bool connect4_solver_won(const ploy_board_connect4_solver *s, uint64_t stones) {
    int32_t rows = s->def.rows;
    const int32_t shifts[4] = {1, rows, rows + 1, rows + 2};
    for (int32_t i = 0; i < 4; i++) {
        uint64_t pair = stones & (stones >> shifts[i]);
        if ((pair & (pair >> (2 * shifts[i]))) != 0) return true;
    }
    return false;
}

static uint64_t connect4_solver_open(const ploy_board_connect4_solver *s, uint64_t all) {
    return (all + s->bottom) & s->board;
}

// Moves after which the opponent cannot win at once; 0 if there are none.
static uint64_t connect4_solver_safe(const ploy_board_connect4_solver *s, uint64_t own,
                                     uint64_t all) {
    uint64_t open = connect4_solver_open(s, all);
    uint64_t threats = connect4_solver_wins(s, own ^ all, all);
    uint64_t forced = open & threats;
    if (forced != 0) {
        if ((forced & (forced - 1)) != 0) return 0;
        open = forced;
    }
    return open & ~(threats >> 1);
}

ploy_result ploy_board_connect4_solver_create(const ploy_board_connect4_solver_def *def,
                                              const ploy_env *env,
                                              ploy_board_connect4_solver **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_connect4_solver_fields(), def, env);
    if (result != PLOY_OK) return result;
    if (def->columns * (def->rows + 1) > PLOY_BOARD_CONNECT4_SOLVER_BITS) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR,
                     "connect4 solver: columns * (rows + 1) is more than 50");
        return PLOY_ERR_ARGUMENT;
    }
    uint64_t slots = ((uint64_t)def->table_kb * 1024 / 5) | 1;
    size_t size = 0;
    if (!ploy_size_add_array(sizeof(ploy_board_connect4_solver), (int64_t)slots, 5, &size)) {
        return PLOY_ERR_ARGUMENT;
    }
    ploy_board_connect4_solver *s = ploy_env_alloc_zero(env, size);
    if (s == NULL) return PLOY_ERR_MEMORY;
    s->env = *env;
    s->def = *def;
    s->size = size;
    s->slots = slots;
    s->keys = (uint32_t *)(void *)(s + 1);
    s->values = (uint8_t *)(s->keys + slots);
    for (int32_t c = 0; c < def->columns; c++) {
        s->bottom |= UINT64_C(1) << (c * (def->rows + 1));
        s->board |= connect4_solver_column(s, c);
    }
    s->cells = def->columns * def->rows;
    s->least = -(s->cells / 2);
    s->range = s->cells + 2;
    *out = s;
    return PLOY_OK;
}

void ploy_board_connect4_solver_destroy(ploy_board_connect4_solver *solver) {
    if (solver == NULL) return;
    ploy_env env = solver->env;
    ploy_env_free(&env, solver, solver->size);
}

ploy_result ploy_board_connect4_solver_begin(ploy_board_connect4_solver *s, uint64_t own,
                                             uint64_t all) {
    // A column is filled from the bottom if adding 1 at its foot carries through all its stones.
    if ((all & ~s->board) != 0 || (own & ~all) != 0 || ((all + s->bottom) & all) != 0) {
        return PLOY_ERR_ARGUMENT;
    }
    s->nodes = 0;
    s->depth = 0;
    s->best = 0;
    s->root_own = own;
    s->root_all = all;
    int32_t stones = ployi_popcount(all);
    int32_t left = s->cells - stones;
    uint64_t winning = connect4_solver_wins(s, own, all) & connect4_solver_open(s, all);
    if (connect4_solver_won(s, own ^ all)) {
        s->low = s->high = -((left + 2) / 2);
    } else if (connect4_solver_won(s, own)) {
        return PLOY_ERR_ARGUMENT; // the side to move has won already
    } else if (left == 0) {
        s->low = s->high = 0;
    } else if (winning != 0) {
        s->low = s->high = (left + 1) / 2;
        s->best = winning & (~winning + 1);
    } else {
        s->low = -(left / 2);
        s->high = (left + 1) / 2;
        uint64_t any = connect4_solver_safe(s, own, all);
        if (any == 0) any = connect4_solver_open(s, all);
        s->best = any & (~any + 1);
    }
    return PLOY_OK;
}

static int32_t connect4_solver_bound(const ploy_board_connect4_solver *s, uint64_t key) {
    uint64_t slot = key % s->slots;
    return s->keys[slot] == (uint32_t)key ? s->values[slot] : 0;
}

static void connect4_solver_store(ploy_board_connect4_solver *s, uint64_t key, int32_t value) {
    uint64_t slot = key % s->slots;
    s->keys[slot] = (uint32_t)key;
    s->values[slot] = (uint8_t)value;
}

// Puts the safe moves into the frame, most threats last, columns near the middle after others with as many.
static void connect4_solver_order(const ploy_board_connect4_solver *s, connect4_frame *frame,
                                  uint64_t safe) {
    int32_t scores[PLOY_BOARD_CONNECT4_SOLVER_COLUMNS];
    int32_t count = 0;
    for (int32_t i = s->def.columns - 1; i >= 0; i--) {
        int32_t away = (i + 1) / 2; // from the middle: right, left, right, ...
        int32_t column = s->def.columns / 2 + (i % 2 == 0 ? away : -away);
        uint64_t move = safe & connect4_solver_column(s, column);
        if (move == 0) continue;
        int32_t score = ployi_popcount(connect4_solver_wins(s, frame->own | move, frame->all));
        int32_t at = count++;
        for (; at > 0 && scores[at - 1] > score; at--) {
            scores[at] = scores[at - 1];
            frame->moves[at] = frame->moves[at - 1];
        }
        scores[at] = score;
        frame->moves[at] = move;
    }
    frame->left = count;
}

// Enters a position. @return true with its value, or false with a frame pushed.
static bool connect4_solver_enter(ploy_board_connect4_solver *s, uint64_t own, uint64_t all,
                                  int32_t stones, int32_t alpha, int32_t beta, int32_t *value) {
    s->nodes++;
    int32_t left = s->cells - stones;
    uint64_t safe = connect4_solver_safe(s, own, all);
    if (safe == 0) return *value = -(left / 2), true;
    if (left <= 2) return *value = 0, true;
    int32_t least = -((left - 2) / 2); // not lost at once, so later at the earliest
    if (alpha < least) alpha = least;
    if (alpha >= beta) return *value = alpha, true;
    int32_t most = (left - 1) / 2; // by (2)
    if (beta > most) beta = most;
    if (alpha >= beta) return *value = beta, true;
    uint64_t key = own + all;
    int32_t bound = connect4_solver_bound(s, key);
    if (bound > s->range && s->depth > 0) { // at the root, a bound alone would not give the move
        int32_t low = bound - s->range + s->least - 1;
        if (alpha < low) alpha = low;
        if (alpha >= beta) return *value = alpha, true;
    } else if (bound > 0 && bound <= s->range) {
        int32_t high = bound + s->least - 1;
        if (beta > high) beta = high;
        if (alpha >= beta) return *value = beta, true;
    }
    connect4_frame *frame = &s->frames[s->depth];
    frame->own = own;
    frame->all = all;
    frame->key = key;
    frame->stones = stones;
    frame->alpha = alpha;
    frame->beta = beta;
    frame->played = 0;
    connect4_solver_order(s, frame, safe);
    for (int32_t i = frame->left - 1; i >= 0; i--) {
        uint64_t next = (own ^ all) + (all | frame->moves[i]);
        int32_t known = connect4_solver_bound(s, next);
        if (known == 0 || known > s->range) continue;
        int32_t low = -(known + s->least - 1);
        if (low >= beta) {
            frame->played = frame->moves[i];
            if (s->depth == 0) s->best = frame->moves[i];
            return *value = low, true;
        }
    }
    s->depth++; // keeps (1)
    return false;
}

// Runs one zero-width search further. @return true with its value when it has ended.
static bool connect4_solver_run(ploy_board_connect4_solver *s, ploy_budget *budget,
                                int32_t *value) {
    if (s->depth == 0) {
        if (!ploy_budget_spend(budget, 1)) return false;
        if (connect4_solver_enter(s, s->root_own, s->root_all, ployi_popcount(s->root_all),
                                  s->middle, s->middle + 1, value)) {
            return true;
        }
    }
    for (;;) {
        connect4_frame *frame = &s->frames[s->depth - 1];
        bool ended = frame->left == 0;
        int32_t result = frame->alpha;
        if (!ended) {
            if (!ploy_budget_spend(budget, 1)) return false;
            frame->played = frame->moves[--frame->left];
            if (!connect4_solver_enter(s, frame->own ^ frame->all, frame->all | frame->played,
                                       frame->stones + 1, -frame->beta, -frame->alpha, &result)) {
                continue;
            }
        }
        // The value goes up until a frame has another move to try.
        for (;;) {
            if (!ended) {
                int32_t answer = -result;
                if (answer >= frame->beta) {
                    connect4_solver_store(s, frame->key, answer - s->least + 1 + s->range);
                    if (s->depth == 1) s->best = frame->played;
                    result = answer;
                    ended = true;
                } else {
                    if (answer > frame->alpha) frame->alpha = answer;
                    if (frame->left > 0) break;
                    result = frame->alpha;
                    connect4_solver_store(s, frame->key, result - s->least + 1);
                    ended = true;
                }
            }
            s->depth--;
            if (s->depth == 0) {
                *value = result;
                return true;
            }
            frame = &s->frames[s->depth - 1];
            ended = false;
        }
    }
}

// The score asked for next: half the range, but nearer to 0 while the range is wide, because early wins are rare.
static int32_t connect4_solver_middle(int32_t low, int32_t high) {
    int32_t middle = low + (high - low) / 2;
    if (middle <= 0 && low / 2 < middle) return low / 2;
    if (middle >= 0 && high / 2 > middle) return high / 2;
    return middle;
}

ploy_result ploy_board_connect4_solver_step(ploy_board_connect4_solver *s, ploy_budget *budget) {
    while (s->low < s->high) {
        if (s->depth == 0) s->middle = connect4_solver_middle(s->low, s->high);
        int32_t value = 0;
        if (!connect4_solver_run(s, budget, &value)) return PLOY_IN_PROGRESS;
        if (value <= s->middle) {
            s->high = value;
        } else {
            s->low = value;
        }
    }
    return PLOY_OK;
}

ploy_board_connect4_solution
ploy_board_connect4_solver_outcome(const ploy_board_connect4_solver *s) {
    ploy_board_connect4_solution solution = {s->low == s->high, s->low, s->high, -1, s->nodes};
    if (s->best != 0) solution.column = ployi_lowest_bit(s->best) / (s->def.rows + 1);
    return solution;
}

void ploy_board_connect4_solver_visit(ploy_visit *v, void *object) {
    ploy_board_connect4_solver *s = object;
    ploy_visit_object(v, "connect4_solver", s, s->size);
    PLOY_VISIT_SCRATCH(v, s->env);
    PLOY_VISIT_SCRATCH(v, s->def);
    PLOY_VISIT_SCRATCH(v, s->size);
    PLOY_VISIT_SCRATCH(v, s->slots);
    PLOY_VISIT_SCRATCH(v, s->bottom);
    PLOY_VISIT_SCRATCH(v, s->board);
    PLOY_VISIT_SCRATCH(v, s->cells);
    PLOY_VISIT_SCRATCH(v, s->least);
    PLOY_VISIT_SCRATCH(v, s->range);
    PLOY_VISIT_SCRATCH(v, s->keys);
    PLOY_VISIT_SCRATCH(v, s->values);
    ploy_visit_u64(v, "nodes", PLOY_STATE, &s->nodes);
    ploy_visit_hex64(v, "own", PLOY_STATE, &s->root_own);
    ploy_visit_hex64(v, "all", PLOY_STATE, &s->root_all);
    ploy_visit_hex64(v, "best", PLOY_STATE, &s->best);
    ploy_visit_i32_in(v, "low", PLOY_STATE, &s->low, s->least - 1, s->cells);
    ploy_visit_i32_in(v, "high", PLOY_STATE, &s->high, s->least - 1, s->cells);
    ploy_visit_i32_in(v, "middle", PLOY_STATE, &s->middle, s->least - 1, s->cells);
    int32_t count = ploy_visit_list(v, "frames", PLOY_STATE, &s->depth, CONNECT4_CELLS_MAX);
    for (int32_t i = 0; i < CONNECT4_CELLS_MAX + 1; i++) {
        connect4_frame *frame = &s->frames[i];
        if (i >= count) {
            PLOY_VISIT_SCRATCH(v, *frame);
            continue;
        }
        ploy_visit_begin_item(v, i, PLOY_STATE);
        ploy_visit_hex64(v, "own", PLOY_STATE, &frame->own);
        ploy_visit_hex64(v, "all", PLOY_STATE, &frame->all);
        ploy_visit_hex64(v, "key", PLOY_STATE, &frame->key);
        ploy_visit_hex64(v, "played", PLOY_STATE, &frame->played);
        ploy_visit_i32_in(v, "alpha", PLOY_STATE, &frame->alpha, s->least - 1, s->cells);
        ploy_visit_i32_in(v, "beta", PLOY_STATE, &frame->beta, s->least - 1, s->cells);
        ploy_visit_i32_in(v, "stones", PLOY_STATE, &frame->stones, 0, s->cells);
        int32_t left = ploy_visit_list(v, "moves", PLOY_STATE, &frame->left, s->def.columns);
        for (int32_t k = 0; k < PLOY_BOARD_CONNECT4_SOLVER_COLUMNS; k++) {
            if (k < left) {
                ploy_visit_hex64(v, "move", PLOY_STATE, &frame->moves[k]);
            } else {
                PLOY_VISIT_SCRATCH(v, frame->moves[k]);
            }
        }
        ploy_visit_end(v);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    ploy_visit_trimmed(v, "keys", PLOY_STATE, s->keys, (size_t)s->slots * sizeof *s->keys);
    ploy_visit_trimmed(v, "values", PLOY_STATE, s->values, (size_t)s->slots);
}
