// Retrograde analysis; the technique is described in the header.
//
// Phases: COUNT makes all moves and counts how many positions lead to each number; FILL makes them again
// and writes the parents; SPREAD hands values back, one distance at a time. In SPREAD
//   (1) a value of at most `plies` plies is final, a larger one may still be replaced by a faster win;
//   (2) left[n] is the number of successors of n that are not known to be lost for n, or -1 if one
//       outside of the set is a draw, so that n cannot be lost.
#include "ploy/board/endings.h"

#include <string.h>

typedef enum endings_phase {
    ENDINGS_COUNT,
    ENDINGS_FILL,
    ENDINGS_SPREAD,
    ENDINGS_DONE
} endings_phase;

struct ploy_board_endings {
    ploy_env env;
    ploy_board_endings_source source;
    endings_phase phase;
    int64_t at;    // next number of the pass
    int32_t plies; // distance that SPREAD hands back
    bool found;    // SPREAD: a value of that distance or a larger one was seen
    int64_t edges;
    ploy_board_ending *values;
    uint32_t *
        first; // parents of n are parents[first[n] .. first[n + 1]); during FILL: where the next goes
    uint32_t *parents; // numbers
    int16_t *left;     // see (2)
    int16_t *worst; // longest known loss for n by a move out of the set, in plies of the successor
    ploy_board_move *moves;
    void *position, *next;
};

enum { ENDINGS_PLIES_MAX = 30000 };

static size_t endings_bytes(const ploy_board_endings *e, size_t each) {
    return ((size_t)e->source.count + 1) * each;
}

static void endings_free_work(ploy_board_endings *e) {
    ploy_env_free(&e->env, e->first, endings_bytes(e, sizeof *e->first));
    ploy_env_free(&e->env, e->parents, (size_t)e->edges * sizeof *e->parents);
    ploy_env_free(&e->env, e->left, endings_bytes(e, sizeof *e->left));
    ploy_env_free(&e->env, e->worst, endings_bytes(e, sizeof *e->worst));
    e->first = e->parents = NULL;
    e->left = e->worst = NULL;
}

void ploy_board_endings_destroy(ploy_board_endings *endings) {
    if (endings == NULL) return;
    const ploy_board_type *type = endings->source.board.type;
    size_t position = type->position_bytes(endings->source.board.rules);
    endings_free_work(endings);
    ploy_env_free(&endings->env, endings->values, endings_bytes(endings, sizeof *endings->values));
    ploy_env_free(&endings->env, endings->moves, (size_t)type->max_moves * sizeof *endings->moves);
    ploy_env_free(&endings->env, endings->position, position);
    ploy_env_free(&endings->env, endings->next, position);
    ploy_env env = endings->env;
    ploy_env_free(&env, endings, sizeof *endings);
}

// Everything but what building needs.
static ploy_result endings_make(const ploy_board_endings_source *source, const ploy_env *env,
                                ploy_board_endings **out) {
    *out = NULL;
    if (source == NULL || env == NULL || source->count < 1 || source->count > INT32_MAX - 1 ||
        source->position == NULL || source->number == NULL || source->board.type == NULL) {
        return PLOY_ERR_ARGUMENT;
    }
    const ploy_board_type *type = source->board.type;
    bool suits = type->players == 2 && (type->flags & PLOY_BOARD_ZERO_SUM) != 0 &&
                 (type->flags & (PLOY_BOARD_RANDOM | PLOY_BOARD_HIDDEN)) == 0;
    if (!suits) return PLOY_ERR_ARGUMENT;
    ploy_board_endings *e = ploy_env_alloc_zero(env, sizeof *e);
    if (e == NULL) return PLOY_ERR_MEMORY;
    e->env = *env;
    e->source = *source;
    size_t position = type->position_bytes(source->board.rules);
    e->values = ploy_env_alloc_zero(env, endings_bytes(e, sizeof *e->values));
    e->moves = ploy_env_alloc(env, (size_t)type->max_moves * sizeof *e->moves);
    e->position = ploy_env_alloc_zero(env, position);
    e->next = ploy_env_alloc_zero(env, position);
    if (e->values == NULL || e->moves == NULL || e->position == NULL || e->next == NULL) {
        ploy_board_endings_destroy(e);
        return PLOY_ERR_MEMORY;
    }
    *out = e;
    return PLOY_OK;
}

ploy_result ploy_board_endings_create(const ploy_board_endings_source *source, const ploy_env *env,
                                      ploy_board_endings **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = endings_make(source, env, out);
    if (result != PLOY_OK) return result;
    ploy_board_endings *e = *out;
    e->first = ploy_env_alloc_zero(env, endings_bytes(e, sizeof *e->first));
    e->left = ploy_env_alloc_zero(env, endings_bytes(e, sizeof *e->left));
    e->worst = ploy_env_alloc_zero(env, endings_bytes(e, sizeof *e->worst));
    if (e->first == NULL || e->left == NULL || e->worst == NULL) {
        ploy_board_endings_destroy(e);
        *out = NULL;
        return PLOY_ERR_MEMORY;
    }
    return PLOY_OK;
}

static int32_t endings_plies(ploy_board_ending value) {
    return (value > 0 ? value : -value) - 1;
}

// Where a move leads: a number of the set, or -1 and the value for the side to move there.
static int64_t endings_follow(const ploy_board_endings *e, const void *position,
                              ploy_board_move move, void *next, ploy_board_ending *value) {
    ploy_board board = e->source.board;
    memcpy(next, position, board.type->position_bytes(board.rules));
    board.type->make(board.rules, next, move, NULL);
    int64_t number = e->source.number(e->source.user, next);
    if (number >= 0) return number;
    *value = 0;
    if (board.type->side(board.rules, next) == PLOY_BOARD_OVER) {
        // The player that moved is the one that had the move before.
        int32_t mover = board.type->side(board.rules, position);
        int32_t result = board.type->result(board.rules, next, mover);
        if (result != 0) *value = result > 0 ? -1 : 1;
    } else if (e->source.outside != NULL) {
        *value = e->source.outside(e->source.user, next);
    }
    return -1;
}

// A finished game of the set that is not drawn is lost for the side whose turn it would be.
static bool endings_over(const ploy_board_endings *e, const void *position,
                         ploy_board_ending *value) {
    ploy_board board = e->source.board;
    if (board.type->side(board.rules, position) != PLOY_BOARD_OVER) return false;
    *value = board.type->result(board.rules, position, 0) == 0 ? 0 : -1;
    return true;
}

static void endings_count(ploy_board_endings *e, int64_t n) {
    ploy_board board = e->source.board;
    if (!e->source.position(e->source.user, n, e->position)) {
        e->values[n] = PLOY_BOARD_ENDING_NONE;
        return;
    }
    if (endings_over(e, e->position, &e->values[n])) {
        e->left[n] = -1;
        return;
    }
    int32_t count = board.type->moves(board.rules, e->position, e->moves, board.type->max_moves);
    int16_t left = 0;
    bool draw = false;
    for (int32_t i = 0; i < count; i++) {
        ploy_board_ending value = 0;
        int64_t to = endings_follow(e, e->position, e->moves[i], e->next, &value);
        if (to >= 0) {
            e->first[to]++;
            e->edges++;
            left++;
        } else if (value == 0) {
            draw = true;
        } else if (value < 0) { // a win; the fastest counts
            ploy_board_ending win = (ploy_board_ending)(-value + 1);
            if (e->values[n] <= 0 || win < e->values[n]) e->values[n] = win;
        } else if (endings_plies(value) > e->worst[n]) {
            e->worst[n] = (int16_t)endings_plies(value);
        }
    }
    e->left[n] = draw ? -1 : left;
    // All moves leave the set and lose.
    if (left == 0 && !draw && e->values[n] == 0)
        e->values[n] = (ploy_board_ending) - (e->worst[n] + 2);
}

static void endings_fill(ploy_board_endings *e, int64_t n) {
    ploy_board board = e->source.board;
    if (e->values[n] == PLOY_BOARD_ENDING_NONE ||
        !e->source.position(e->source.user, n, e->position))
        return;
    if (board.type->side(board.rules, e->position) == PLOY_BOARD_OVER) return;
    int32_t count = board.type->moves(board.rules, e->position, e->moves, board.type->max_moves);
    for (int32_t i = 0; i < count; i++) {
        ploy_board_ending value = 0;
        int64_t to = endings_follow(e, e->position, e->moves[i], e->next, &value);
        if (to >= 0) e->parents[--e->first[to + 1]] = (uint32_t)n;
    }
}

// Sums the counts so that first[n + 1] is the end of n's parents; filling moves it to their beginning.
static ploy_result endings_prepare_fill(ploy_board_endings *e) {
    if (e->edges >= UINT32_MAX) return PLOY_ERR_LIMIT;
    uint32_t *parents = NULL;
    if (e->edges > 0) {
        if ((uint64_t)e->edges > SIZE_MAX / sizeof *parents) return PLOY_ERR_MEMORY;
        parents = ploy_env_alloc(&e->env, (size_t)e->edges * sizeof *parents);
        if (parents == NULL) return PLOY_ERR_MEMORY;
    }
    e->parents = parents;
    uint32_t sum = 0, carried = e->first[0];
    e->first[0] = 0;
    for (int64_t n = 0; n < e->source.count; n++) {
        sum += carried;
        carried = e->first[n + 1];
        e->first[n + 1] = sum;
    }
    e->phase = ENDINGS_FILL;
    return PLOY_OK;
}

static void endings_spread(ploy_board_endings *e, int64_t n) {
    ploy_board_ending value = e->values[n];
    if (value == 0 || value == PLOY_BOARD_ENDING_NONE || endings_plies(value) < e->plies) return;
    e->found = true;
    if (endings_plies(value) > e->plies) return;
    uint32_t end = n + 1 < e->source.count ? e->first[n + 2] : (uint32_t)e->edges;
    for (uint32_t i = e->first[n + 1]; i < end; i++) {
        uint32_t parent = e->parents[i];
        ploy_board_ending *known = &e->values[parent];
        if (value < 0) { // lost for the opponent: the parent wins
            ploy_board_ending win = (ploy_board_ending)(e->plies + 2);
            if (*known <= 0 || win < *known) *known = win;
        } else if (e->left[parent] > 0 && --e->left[parent] == 0 && *known == 0) {
            int32_t plies = e->worst[parent] > e->plies ? e->worst[parent] : e->plies;
            *known = (ploy_board_ending) - (plies + 2);
        }
    }
}

static ploy_result endings_next_phase(ploy_board_endings *e) {
    e->at = 0;
    if (e->phase == ENDINGS_COUNT) return endings_prepare_fill(e);
    if (e->phase == ENDINGS_FILL) {
        e->phase = ENDINGS_SPREAD;
        e->plies = 0;
        e->found = false;
        return PLOY_OK;
    }
    if (!e->found || e->plies == ENDINGS_PLIES_MAX) {
        endings_free_work(e);
        e->edges = 0;
        e->phase = ENDINGS_DONE;
        return PLOY_OK;
    }
    e->plies++;
    e->found = false;
    return PLOY_OK;
}

ploy_result ploy_board_endings_step(ploy_board_endings *endings, ploy_budget *budget) {
    while (endings->phase != ENDINGS_DONE) {
        for (; endings->at < endings->source.count; endings->at++) {
            if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
            if (endings->phase == ENDINGS_COUNT)
                endings_count(endings, endings->at);
            else if (endings->phase == ENDINGS_FILL)
                endings_fill(endings, endings->at);
            else
                endings_spread(endings, endings->at);
        }
        ploy_result result = endings_next_phase(endings);
        if (result != PLOY_OK) {
            endings->at = endings->source.count; // the next step tries again
            return result;
        }
    }
    return PLOY_OK;
}

double ploy_board_endings_progress(const ploy_board_endings *endings) {
    double pass =
        endings->source.count > 0 ? (double)endings->at / (double)endings->source.count : 1.0;
    switch (endings->phase) {
    case ENDINGS_COUNT: return 0.45 * pass;
    case ENDINGS_FILL: return 0.45 + 0.45 * pass;
    case ENDINGS_SPREAD: return 1.0 - 0.1 / (1.0 + 0.1 * (endings->plies + pass));
    case ENDINGS_DONE: break;
    }
    return 1.0;
}

const ploy_board_endings_source *ploy_board_endings_source_of(const ploy_board_endings *endings) {
    return &endings->source;
}

bool ploy_board_endings_value(const ploy_board_endings *endings, const void *position,
                              ploy_board_ending *value) {
    if (endings->phase != ENDINGS_DONE) return false;
    int64_t number = endings->source.number(endings->source.user, position);
    if (number < 0 || endings->values[number] == PLOY_BOARD_ENDING_NONE) return false;
    *value = endings->values[number];
    return true;
}

// Larger is better for the side to move: fast wins, draws, slow losses.
static int32_t endings_rank(ploy_board_ending value) {
    if (value == 0) return 0;
    return value > 0 ? 2 * ENDINGS_PLIES_MAX - value : -2 * ENDINGS_PLIES_MAX - value;
}

// What a move is worth for the side that makes it.
static int32_t endings_move_rank(const ploy_board_endings *e, const void *position,
                                 ploy_board_move move, void *next) {
    ploy_board_ending value = 0;
    int64_t number = endings_follow(e, position, move, next, &value);
    if (number >= 0) value = e->values[number];
    if (value > 0)
        value++;
    else if (value < 0)
        value--;
    return -endings_rank(value);
}

ploy_board_move ploy_board_endings_best(const ploy_board_endings *endings, const void *position) {
    ploy_board board = endings->source.board;
    ploy_board_ending value = 0;
    if (!ploy_board_endings_value(endings, position, &value)) return PLOY_BOARD_NO_MOVE;
    if (board.type->side(board.rules, position) == PLOY_BOARD_OVER) return PLOY_BOARD_NO_MOVE;
    int32_t count = board.type->moves(board.rules, position, endings->moves, board.type->max_moves),
            best = 0;
    ploy_board_move chosen = PLOY_BOARD_NO_MOVE;
    for (int32_t i = 0; i < count; i++) {
        int32_t rank = endings_move_rank(endings, position, endings->moves[i], endings->next);
        if (chosen != PLOY_BOARD_NO_MOVE && rank <= best) continue;
        best = rank;
        chosen = endings->moves[i];
    }
    return chosen;
}

ploy_board_endings_report ploy_board_endings_report_of(const ploy_board_endings *endings) {
    ploy_board_endings_report report = {0, 0, 0, 0, 0, -1, 0};
    for (int64_t n = 0; n < endings->source.count && endings->phase == ENDINGS_DONE; n++) {
        ploy_board_ending value = endings->values[n];
        if (value == PLOY_BOARD_ENDING_NONE) continue;
        report.positions++;
        if (value == 0)
            report.draws++;
        else if (value < 0)
            report.losses++;
        else
            report.wins++;
        if (value <= 0 || (report.longest_number >= 0 && endings_plies(value) <= report.longest))
            continue;
        report.longest = endings_plies(value);
        report.longest_number = n;
    }
    return report;
}

ploy_board_endings_report ploy_board_endings_check(const ploy_board_endings *endings) {
    ploy_board_endings_report report = ploy_board_endings_report_of(endings);
    ploy_board board = endings->source.board;
    for (int64_t n = 0; n < endings->source.count && endings->phase == ENDINGS_DONE; n++) {
        bool legal = endings->source.position(endings->source.user, n, endings->position);
        ploy_board_ending value = endings->values[n], over = 0;
        if (legal != (value != PLOY_BOARD_ENDING_NONE)) report.faults++;
        if (!legal) continue;
        if (endings_over(endings, endings->position, &over)) {
            if (value != over) report.faults++;
            continue;
        }
        int32_t count = board.type->moves(board.rules, endings->position, endings->moves,
                                          board.type->max_moves);
        int32_t best = INT32_MIN;
        for (int32_t i = 0; i < count; i++) {
            int32_t rank =
                endings_move_rank(endings, endings->position, endings->moves[i], endings->next);
            if (rank > best) best = rank;
        }
        if (best != endings_rank(value)) report.faults++;
    }
    return report;
}

// ---- files ----
//
// "PLOYEND1", length of the name in one byte, the name, the count as 8 bytes, values as 2 bytes each, the
// 64-bit FNV hash of everything before it; all little-endian.

static const char endings_magic[8] = {'P', 'L', 'O', 'Y', 'E', 'N', 'D', '1'};

static uint64_t endings_hash(uint64_t hash, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static void endings_put(ploy_writer *writer, uint64_t *hash, const void *bytes, size_t size) {
    *hash = endings_hash(*hash, bytes, size);
    if (size > 0) ploy_write_bytes(writer, bytes, size);
}

static void endings_put_number(ploy_writer *writer, uint64_t *hash, uint64_t value, size_t size) {
    uint8_t bytes[8];
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(value >> (8 * i));
    endings_put(writer, hash, bytes, size);
}

static uint64_t endings_get_number(const uint8_t *bytes, size_t size) {
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++) value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

#define ENDINGS_FNV UINT64_C(0xcbf29ce484222325)

ploy_result ploy_board_endings_save(const ploy_board_endings *endings, ploy_writer *writer) {
    if (endings->phase != ENDINGS_DONE) return PLOY_ERR_STATE;
    uint64_t hash = ENDINGS_FNV;
    size_t length = strlen(endings->source.name);
    if (length > 255) length = 255;
    endings_put(writer, &hash, endings_magic, sizeof endings_magic);
    endings_put_number(writer, &hash, length, 1);
    endings_put(writer, &hash, endings->source.name, length);
    endings_put_number(writer, &hash, (uint64_t)endings->source.count, 8);
    for (int64_t n = 0; n < endings->source.count; n++) {
        endings_put_number(writer, &hash, (uint16_t)endings->values[n], 2);
    }
    uint64_t sum = hash;
    endings_put_number(writer, &hash, sum, 8);
    return ploy_writer_result(writer);
}

ploy_result ploy_board_endings_load(const ploy_board_endings_source *source, const void *bytes,
                                    size_t size, const char *name, const ploy_env *env,
                                    ploy_diags *diags, ploy_board_endings **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (source == NULL || (bytes == NULL && size > 0)) return PLOY_ERR_ARGUMENT;
    const uint8_t *at = bytes;
    size_t length = strlen(source->name), head = 8 + 1 + length + 8;
    const char *fault = NULL;
    if (size < 8 || memcmp(at, endings_magic, 8) != 0)
        fault = "not an ending database";
    else if (size < head || at[8] != length || memcmp(at + 9, source->name, length) != 0)
        fault = "database of another set";
    else if (endings_get_number(at + 9 + length, 8) != (uint64_t)source->count ||
             size - head != (size_t)source->count * 2 + 8)
        fault = "wrong size";
    else if (endings_hash(ENDINGS_FNV, at, size - 8) != endings_get_number(at + size - 8, 8))
        fault = "damaged: the checksum differs";
    if (fault != NULL) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 0, 0, fault, source->name,
                       NULL);
        return PLOY_ERR_FORMAT;
    }
    ploy_result result = endings_make(source, env, out);
    if (result != PLOY_OK) return result;
    for (int64_t n = 0; n < source->count; n++) {
        (*out)->values[n] =
            (ploy_board_ending)(uint16_t)endings_get_number(at + head + 2 * (size_t)n, 2);
    }
    (*out)->phase = ENDINGS_DONE;
    return PLOY_OK;
}
