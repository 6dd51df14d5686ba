// The node-by-node part of the tree search: an explicit stack, so that a step can stop anywhere.
//
// Invariants while a search is under way:
//   (1) frames[0..ply] are the path; the position is the one that their moves lead to;
//   (2) a frame's window, best and evaluation are for its own team; a child's window is written in
//       the parent's view and turned when the child is entered and its team is known;
//   (3) lines of a ply hold line_count moves, the first of them played at that ply.
#include "board/search_internal.h"

#include <string.h>

static const ploy_board_type *core_type(const ploy_board_search *s) {
    return s->board.type;
}

static int32_t core_abs(int32_t x) {
    return x < 0 ? -x : x;
}

static ploy_board_move *core_moves(const ploy_board_search *s, int32_t ply) {
    return s->moves + (size_t)ply * (size_t)core_type(s)->max_moves;
}

static int64_t *core_orders(const ploy_board_search *s, int32_t ply) {
    return s->orders + (size_t)ply * (size_t)core_type(s)->max_moves;
}

static ploy_board_move *core_line(const ploy_board_search *s, int32_t ply) {
    return s->lines + (size_t)ply * (size_t)(s->def.max_ply + 2);
}

static int64_t *core_vector(const ploy_board_search *s, int32_t ply) {
    return s->vectors + (size_t)ply * PLOY_BOARD_PLAYERS_MAX;
}

static void core_make(ploy_board_search *s, ploy_board_move move) {
    unsigned char *undo = s->undo + (size_t)s->ply * s->undo_bytes;
    if (s->copies) memcpy(undo, s->position, s->position_bytes);
    core_type(s)->make(s->board.rules, s->position, move, s->copies ? NULL : undo);
}

static void core_unmake(ploy_board_search *s, ploy_board_move move) {
    const unsigned char *undo = s->undo + (size_t)s->ply * s->undo_bytes;
    if (s->copies)
        memcpy(s->position, undo, s->position_bytes);
    else
        core_type(s)->unmake(s->board.rules, s->position, move, undo);
}

static void core_watch(ploy_board_search *s, bool entered, int32_t score) {
    if (s->hooks.watch == NULL) return;
    const search_frame *f = &s->frames[s->ply];
    ploy_board_event event = {entered,  s->ply,  f->move,
                              f->depth, f->side, f->alpha,
                              f->beta,  score,   (ploy_board_cut)f->cut,
                              s->nodes};
    s->hooks.watch(s->hooks.user, &event);
}

// ---- scores

static int32_t core_player_evaluation(const ploy_board_search *s, int32_t player) {
    if (s->hooks.evaluate != NULL) {
        return s->hooks.evaluate(s->hooks.user, s->position, player);
    }
    const ploy_board_type *type = core_type(s);
    return type->evaluate == NULL ? 0 : type->evaluate(s->board.rules, s->position, player);
}

static int32_t core_evaluate(ploy_board_search *s, const search_frame *f) {
    s->leaves++;
    if (s->paranoid || f->side >= core_type(s)->players) {
        int32_t score = core_player_evaluation(s, s->root_side);
        return f->team == 0 ? score : -score;
    }
    return core_player_evaluation(s, f->side);
}

// The evaluation of the node, computed once.
static int32_t core_evaluation(ploy_board_search *s, search_frame *f) {
    if (f->evaluation == SEARCH_UNKNOWN) f->evaluation = core_evaluate(s, f);
    return f->evaluation;
}

static int32_t core_distance(const ploy_board_search *s, int32_t result, int32_t ply) {
    if (!s->def.distance) return result;
    if (result > PLOY_BOARD_EVALUATION) return result - ply;
    if (result < -PLOY_BOARD_EVALUATION) return result + ply;
    return result;
}

static int32_t core_result(ploy_board_search *s, const search_frame *f) {
    s->leaves++;
    int32_t result = core_type(s)->result(s->board.rules, s->position, s->root_side);
    if (f->team != 0) {
        // Only in a zero-sum game of two is the opponent's result the opposite.
        result = s->paranoid ? -result
                             : core_type(s)->result(s->board.rules, s->position, 1 - s->root_side);
    }
    return core_distance(s, result, s->ply);
}

// Wins in the table count from the stored position, so that they fit wherever it comes up.
static int32_t core_to_table(const ploy_board_search *s, int32_t score) {
    if (!s->def.distance || core_abs(score) > PLOY_BOARD_WIN) return score;
    if (score > PLOY_BOARD_EVALUATION) return score + s->ply;
    if (score < -PLOY_BOARD_EVALUATION) return score - s->ply;
    return score;
}

static int32_t core_from_table(const ploy_board_search *s, int32_t score) {
    if (!s->def.distance || core_abs(score) > PLOY_BOARD_WIN) return score;
    if (score > PLOY_BOARD_EVALUATION) return score - s->ply;
    if (score < -PLOY_BOARD_EVALUATION) return score + s->ply;
    return score;
}

static void core_leaf_vector(ploy_board_search *s, bool over) {
    int64_t *vector = core_vector(s, s->ply);
    for (int32_t p = 0; p < core_type(s)->players; p++) {
        int32_t score =
            over ? core_distance(s, core_type(s)->result(s->board.rules, s->position, p), s->ply)
                 : core_player_evaluation(s, p);
        vector[p] = score;
    }
}

// ---- leaving

static void core_leave(ploy_board_search *s, int32_t score, ploy_board_cut cut) {
    search_frame *f = &s->frames[s->ply];
    f->cut = (uint8_t)cut;
    if (s->def.fail_hard && s->windowed) {
        score = score < f->alpha ? f->alpha : score > f->beta ? f->beta : score;
    }
    core_watch(s, false, score);
    s->value = score;
    s->action = SEARCH_RETURN;
}

static void core_store(ploy_board_search *s, const search_frame *f, int32_t depth, int32_t best,
                       bool exact, ploy_board_move move) {
    if (s->table == NULL || s->maxn) return;
    int32_t stored = core_to_table(s, best);
    int32_t lower = exact || best > f->alpha ? stored : -PLOY_BOARD_INFINITY;
    int32_t upper = exact || best < f->beta ? stored : PLOY_BOARD_INFINITY;
    ploy_board_table *table = s->lane != NULL ? s->lane->stores : s->table;
    ploy_board_table_store(table, f->key ^ s->table_salt, depth, lower, upper, move);
}

static void core_leaf(ploy_board_search *s, int32_t score, ploy_board_cut cut) {
    search_frame *f = &s->frames[s->ply];
    bool keep = s->def.store_leaves || s->mtd;
    // A draw by repetition or a hook's answer belongs to the path and not to the position.
    if (keep && (cut == PLOY_BOARD_CUT_OVER || cut == PLOY_BOARD_CUT_DEPTH)) {
        core_store(s, f, f->depth > 0 ? f->depth : 0, score, true, PLOY_BOARD_NO_MOVE);
    }
    core_leave(s, score, cut);
}

// ---- ordering

static uint32_t core_history_place(ploy_board_move move) {
    return (uint32_t)((move * UINT64_C(0x9E3779B97F4A7C15)) >> 52);
}

static bool core_is_noisy(const ploy_board_search *s, ploy_board_move move) {
    const ploy_board_type *type = core_type(s);
    return type->is_noisy != NULL && type->is_noisy(s->board.rules, s->position, move);
}

static int64_t core_order_child(ploy_board_search *s, search_frame *f, ploy_board_move move) {
    core_make(s, move);
    int32_t side = core_type(s)->side(s->board.rules, s->position);
    int32_t score = side == PLOY_BOARD_OVER
                        ? core_type(s)->result(s->board.rules, s->position, f->side)
                        : core_player_evaluation(s, f->side);
    core_unmake(s, move);
    return score;
}

static int64_t core_order(ploy_board_search *s, search_frame *f, ploy_board_move move) {
    const ploy_board_type *type = core_type(s);
    if (s->def.order_table && move == f->table_move) return INT64_C(1) << 40;
    int64_t order = 0;
    bool noisy = core_is_noisy(s, move);
    if (s->hooks.order != NULL)
        order = s->hooks.order(s->hooks.user, s->position, move);
    else if (s->def.order_game && type->order != NULL) {
        order = type->order(s->board.rules, s->position, move);
    }
    if (s->def.order_evaluation && f->side < type->players) order += core_order_child(s, f, move);
    if (noisy) return order + (INT64_C(1) << 36);
    const ploy_board_move *killers = s->killers + (size_t)s->ply * 2;
    if (s->def.order_killers && move == killers[0]) return (INT64_C(1) << 35) + 1;
    if (s->def.order_killers && move == killers[1]) return INT64_C(1) << 35;
    if (s->def.order_history) {
        order += s->history[(size_t)f->team * SEARCH_HISTORY + core_history_place(move)];
    }
    return order;
}

static void core_order_all(ploy_board_search *s, search_frame *f) {
    const ploy_board_search_def *d = &s->def;
    bool any = (d->order_table && f->table_move != PLOY_BOARD_NO_MOVE) || d->order_killers ||
               d->order_history || d->order_evaluation || s->hooks.order != NULL ||
               (d->order_game && core_type(s)->order != NULL);
    f->ordered = any && f->side != PLOY_BOARD_CHANCE;
    if (!f->ordered) return;
    const ploy_board_move *moves = core_moves(s, s->ply);
    int64_t *orders = core_orders(s, s->ply);
    // The number of generation in the low bits keeps equals in order and every value different.
    for (int32_t i = 0; i < f->count; i++) {
        orders[i] = core_order(s, f, moves[i]) * 65536 - i;
    }
}

static ploy_board_move core_pick(ploy_board_search *s, search_frame *f) {
    ploy_board_move *moves = core_moves(s, s->ply);
    int32_t at = f->index++;
    if (!f->ordered) return moves[at];
    int64_t *orders = core_orders(s, s->ply);
    int32_t best = at;
    for (int32_t i = at + 1; i < f->count; i++) {
        if (orders[i] > orders[best]) best = i;
    }
    ploy_board_move move = moves[best];
    int64_t order = orders[best];
    moves[best] = moves[at];
    orders[best] = orders[at];
    moves[at] = move;
    orders[at] = order;
    return move;
}

// Moves the history of a move towards a bound; far from it a step is larger, so that it never needs
// scaling and soon forgets.
static void core_history_add(ploy_board_search *s, const search_frame *f, ploy_board_move move,
                             int32_t change) {
    int32_t *place = &s->history[(size_t)f->team * SEARCH_HISTORY + core_history_place(move)];
    int32_t size = change < 0 ? -change : change;
    *place += change - (int32_t)((int64_t)*place * size / SEARCH_HISTORY_BOUND);
}

static void core_reward(ploy_board_search *s, const search_frame *f, ploy_board_move move) {
    if (f->side == PLOY_BOARD_CHANCE || core_is_noisy(s, move)) return;
    ploy_board_move *killers = s->killers + (size_t)s->ply * 2;
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    if (!s->def.order_history) return;
    int32_t depth = f->depth > 0 ? f->depth : 1;
    int32_t change = 16 * (depth < 20 ? depth * depth : 400);
    core_history_add(s, f, move, change);
    // The quiet moves that were tried before it only cost time. A lane does not know those of the root.
    if (s->ply == 0) return;
    const ploy_board_move *moves = core_moves(s, s->ply);
    for (int32_t i = 0; i + 1 < f->index; i++) {
        if (moves[i] != move && !core_is_noisy(s, moves[i])) {
            core_history_add(s, f, moves[i], -change);
        }
    }
}

// ---- entering

static void core_team(ploy_board_search *s, search_frame *f) {
    f->side = core_type(s)->side(s->board.rules, s->position);
    int32_t outer = s->ply > 0 ? s->frames[s->ply - 1].team : 0;
    bool player = f->side >= 0 && f->side < core_type(s)->players;
    // A finished game is always scored for the first player: its stored score must mean
    // the same in every search.
    if (f->side == PLOY_BOARD_OVER)
        f->team = s->root_side == 0 ? 0 : 1;
    else
        f->team = !player ? outer : f->side == s->root_side ? 0 : 1;
    if (s->ply > 0 && f->team != outer) {
        int32_t alpha = f->alpha;
        f->alpha = -f->beta;
        f->beta = -alpha;
    }
}

static bool core_repeated(ploy_board_search *s, const search_frame *f) {
    const ploy_board_type *type = core_type(s);
    if (type->reversible == NULL) return false;
    uint64_t *keys = s->keys + s->history_count;
    keys[s->ply] = f->key;
    if (s->ply == 0) return false;
    int32_t back = type->reversible(s->board.rules, s->position);
    if (back > s->history_count + s->ply) back = s->history_count + s->ply;
    for (int32_t i = 2; i <= back; i++) {
        if (keys[s->ply - i] == f->key) return true;
    }
    return false;
}

// Looks the position up: true if the node is answered.
static bool core_probe(ploy_board_search *s, search_frame *f) {
    if (s->table == NULL || s->maxn || f->side == PLOY_BOARD_CHANCE) return false;
    uint64_t key = f->key ^ s->table_salt;
    const ploy_board_entry *entry =
        s->lane != NULL ? ployi_search_lane_find(s, key) : ploy_board_table_find(s->table, key);
    if (entry == NULL) return false;
    f->table_move = entry->move;
    if (s->ply == 0 || entry->depth < (f->depth > 0 ? f->depth : 0)) return false;
    int32_t lower = core_from_table(s, entry->lower), upper = core_from_table(s, entry->upper);
    int32_t score = SEARCH_UNKNOWN;
    if (lower == upper)
        score = lower;
    else if (s->windowed && lower >= f->beta)
        score = lower;
    else if (s->windowed && upper <= f->alpha)
        score = upper;
    if (score == SEARCH_UNKNOWN) return false;
    s->table_cuts++;
    if (f->table_move != PLOY_BOARD_NO_MOVE) {
        core_line(s, s->ply)[0] = f->table_move;
        f->line_count = 1;
    }
    core_leave(s, score, PLOY_BOARD_CUT_TABLE);
    return true;
}

static bool core_calm(ploy_board_search *s, search_frame *f) {
    int32_t plies = s->def.calm_plies;
    if (plies == 0 || s->ply < s->def.calm_depth || s->ply < plies) return false;
    int32_t now = core_evaluation(s, f);
    for (int32_t i = 1; i <= plies; i++) {
        const search_frame *before = &s->frames[s->ply - i];
        if (before->evaluation == SEARCH_UNKNOWN || before->side == PLOY_BOARD_CHANCE) return false;
        int32_t then = before->team == f->team ? before->evaluation : -before->evaluation;
        if (core_abs(now - then) > s->def.calm_tolerance) return false;
    }
    return true;
}

static bool core_zero_window(const search_frame *f) {
    return f->beta - f->alpha == 1 && core_abs(f->beta) < PLOY_BOARD_EVALUATION;
}

static void core_descend(ploy_board_search *s, ploy_board_move move, search_stage stage, int32_t lo,
                         int32_t hi, int32_t depth) {
    search_frame *f = &s->frames[s->ply];
    search_frame *child = f + 1;
    f->stage = (uint8_t)stage;
    f->child_move = move;
    f->nodes_before = stage == SEARCH_SCOUT || stage == SEARCH_AGAIN ? f->nodes_before : s->nodes;
    child->move = move;
    child->alpha = lo;
    child->beta = hi;
    child->depth = depth;
    child->null_allowed = stage != SEARCH_NULL_MOVE;
    child->quiesce = f->quiesce;
    core_make(s, move);
    s->ply++;
    s->action = SEARCH_ENTER;
}

// Null move: true if the node waits for it.
static bool core_try_null(ploy_board_search *s, search_frame *f) {
    const ploy_board_type *type = core_type(s);
    if (!s->def.null_move || type->null_move == NULL || !f->null_allowed || f->depth < 3 ||
        f->threatened || s->ply == 0 || !core_zero_window(f) || s->ply >= s->def.max_ply - 1) {
        return false;
    }
    if (core_evaluation(s, f) < f->beta) return false;
    ploy_board_move move = type->null_move(s->board.rules, s->position);
    if (move == PLOY_BOARD_NO_MOVE) return false;
    core_descend(s, move, SEARCH_NULL_MOVE, f->beta - 1, f->beta, f->depth - 3 - f->depth / 4);
    return true;
}

static void core_generate(ploy_board_search *s, search_frame *f) {
    const ploy_board_type *type = core_type(s);
    ploy_board_move *moves = core_moves(s, s->ply);
    if (s->ply == 0) {
        f->count = 0;
        for (int32_t i = 0; i < s->root_count; i++) {
            if (s->only < 0 || s->only == i) moves[f->count++] = s->roots[i].move;
        }
    } else if (f->quiesce && !f->threatened && -f->depth < s->def.forcing) {
        int32_t all = type->moves(s->board.rules, s->position, moves, type->max_moves);
        f->count = 0;
        for (int32_t i = 0; i < all; i++) {
            if (core_is_noisy(s, moves[i])) moves[f->count++] = moves[i];
        }
    } else if (f->quiesce && !f->threatened) {
        f->count = type->noisy(s->board.rules, s->position, moves, type->max_moves);
    } else {
        f->count = type->moves(s->board.rules, s->position, moves, type->max_moves);
    }
    f->index = f->searched = 0;
    if (s->def.extend_single && f->count == 1 && !f->quiesce && s->ply > 0 &&
        s->ply < 2 * s->depth) {
        f->depth++;
    }
    // The root is ordered by the driver, from the second depth on.
    f->ordered = false;
    if (s->ply > 0 || (s->depth == s->def.first && s->only < 0)) core_order_all(s, f);
    s->action = SEARCH_NEXT;
}

static bool core_needs_threat(const ploy_board_search *s) {
    const ploy_board_search_def *d = &s->def;
    return core_type(s)->threatened != NULL && (d->extend_threat || d->null_move || d->late_moves ||
                                                d->quiescence > 0 || d->futility > 0);
}

// Answers that need no moves: true if the node is left.
static bool core_enter_leaf(ploy_board_search *s, search_frame *f) {
    const ploy_board_type *type = core_type(s);
    bool limit = s->ply >= s->def.max_ply;
    if (f->depth > 0 && !limit) {
        if (core_calm(s, f)) {
            core_leaf(s, core_evaluation(s, f), PLOY_BOARD_CUT_CALM);
            return true;
        }
        if (s->def.futility > 0 && s->ply > 0 && !f->threatened && f->depth <= 6 &&
            core_zero_window(f)) {
            int32_t sure = core_evaluation(s, f) - s->def.futility * f->depth;
            if (sure >= f->beta) {
                core_leaf(s, sure, PLOY_BOARD_CUT_FUTILE);
                return true;
            }
        }
        return false;
    }
    bool noisy = s->def.quiescence > 0 && type->noisy != NULL && !s->maxn && !limit &&
                 -f->depth < s->def.quiescence && f->side != PLOY_BOARD_CHANCE;
    if (f->side == PLOY_BOARD_CHANCE && !limit && s->ply < s->def.max_ply - 1) {
        f->depth = 1; // a die is never the horizon: its outcomes are evaluated
        return false;
    }
    if (!noisy) {
        if (s->maxn) core_leaf_vector(s, false);
        core_leaf(s, core_evaluation(s, f), PLOY_BOARD_CUT_DEPTH);
        return true;
    }
    f->quiesce = true;
    if (f->threatened) return false;
    f->best = core_evaluation(s, f);
    if (s->windowed && f->best >= f->beta) {
        core_leave(s, f->best, PLOY_BOARD_CUT_STAND_PAT);
        return true;
    }
    return false;
}

static void core_enter(ploy_board_search *s) {
    search_frame *f = &s->frames[s->ply];
    s->nodes++;
    if (s->ply > s->deepest) s->deepest = s->ply;
    f->best = -PLOY_BOARD_INFINITY;
    f->best_move = f->table_move = PLOY_BOARD_NO_MOVE;
    f->evaluation = SEARCH_UNKNOWN;
    f->line_count = 0;
    f->chance_sum = f->chance_weight = 0;
    f->threatened = f->cut = 0;
    if (s->keyed) f->key = core_type(s)->hash(s->board.rules, s->position);
    core_team(s, f);
    core_watch(s, true, 0);
    if (core_repeated(s, f)) {
        if (s->maxn) memset(core_vector(s, s->ply), 0, sizeof(int64_t) * PLOY_BOARD_PLAYERS_MAX);
        core_leave(s, 0, PLOY_BOARD_CUT_REPEATED);
        return;
    }
    if (core_probe(s, f)) return;
    if (f->side == PLOY_BOARD_OVER) {
        if (s->maxn) core_leaf_vector(s, true);
        core_leaf(s, core_result(s, f), PLOY_BOARD_CUT_OVER);
        return;
    }
    int32_t known = 0;
    if (s->hooks.known != NULL && s->ply > 0 && !s->maxn &&
        s->hooks.known(s->hooks.user, s->position, &known)) {
        core_leaf(s, core_distance(s, known, s->ply), PLOY_BOARD_CUT_OVER);
        return;
    }
    if (core_needs_threat(s) && f->side != PLOY_BOARD_CHANCE) {
        f->threatened = core_type(s)->threatened(s->board.rules, s->position);
        if (f->threatened && s->def.extend_threat && s->ply > 0 && !f->quiesce &&
            s->ply < 2 * s->depth) {
            f->depth++;
        }
    }
    if (core_enter_leaf(s, f)) return;
    if (!f->quiesce && core_try_null(s, f)) return;
    core_generate(s, f);
}

// ---- moves one by one

// The value that a further root move must exceed: the best, or the k-th best for k candidates.
static int32_t core_root_floor(const ploy_board_search *s, const search_frame *f) {
    if (s->lane != NULL) return s->floor;
    int32_t k = s->def.candidates;
    if (k <= 1) return f->best;
    int32_t floor = -PLOY_BOARD_INFINITY, above = PLOY_BOARD_INFINITY;
    // Few candidates: the k-th largest by k passes over the finished moves.
    for (int32_t rank = 0; rank < k;) {
        int32_t next = -PLOY_BOARD_INFINITY, equal = 0;
        for (int32_t i = 0; i < s->root_count; i++) {
            const search_root *root = &s->roots[i];
            if (!root->done || !root->exact || root->score >= above) continue;
            if (root->score > next) next = root->score, equal = 0;
            if (root->score == next) equal++;
        }
        if (equal == 0) return -PLOY_BOARD_INFINITY;
        rank += equal;
        above = floor = next;
    }
    return floor;
}

static int32_t core_reduction(const ploy_board_search *s, const search_frame *f,
                              ploy_board_move move) {
    if (!s->def.late_moves || f->depth < 3 || f->searched < 3 || !f->quiet || f->threatened ||
        f->quiesce || f->side == PLOY_BOARD_CHANCE) {
        return 0;
    }
    int32_t reduction = 1 + (f->searched >= 8) + (f->depth >= 6 && f->searched >= 4) +
                        (f->depth >= 10 && f->searched >= 16);
    if (f->beta - f->alpha > 1 && reduction > 1) reduction--;
    if (s->def.order_history) {
        // Up to two plies less or more for moves that often cut elsewhere, or seldom.
        int32_t often = s->history[(size_t)f->team * SEARCH_HISTORY + core_history_place(move)] /
                        (SEARCH_HISTORY_BOUND / 4);
        reduction -= often > 2 ? 2 : often < -2 ? -2 : often;
    }
    return reduction > 0 ? reduction : 0;
}

// Whether the move is left out without a look at its child.
static bool core_skips(ploy_board_search *s, search_frame *f, ploy_board_move move, int32_t lo) {
    const ploy_board_type *type = core_type(s);
    if (f->quiesce && !f->threatened) {
        if (type->exchange == NULL) return false;
        int32_t gain = type->exchange(s->board.rules, s->position, move);
        if (gain < 0) return true;
        return s->def.delta > 0 && core_evaluation(s, f) + gain + s->def.delta <= lo;
    }
    // Close to the leaves the late quiet moves of a node that is expected to fail low are left out.
    if (s->def.late_moves && s->ply > 0 && f->depth <= 4 && f->quiet && !f->threatened &&
        !f->quiesce && f->best > -PLOY_BOARD_EVALUATION && core_zero_window(f) &&
        f->index > 4 + f->depth * f->depth) {
        return true;
    }
    if (s->def.futility > 0 && s->ply > 0 && f->searched > 0 && f->depth <= 3 && f->quiet &&
        !f->threatened && !f->quiesce && f->best > -PLOY_BOARD_EVALUATION &&
        core_abs(lo) < PLOY_BOARD_EVALUATION) {
        int32_t reach = core_evaluation(s, f) + s->def.futility * (f->depth + 1);
        if (reach <= lo) {
            if (reach > f->best) f->best = reach;
            return true;
        }
    }
    return false;
}

static void core_finish(ploy_board_search *s) {
    search_frame *f = &s->frames[s->ply];
    if (s->lane != NULL && s->ply == 0) {
        s->action = SEARCH_RETURN; // the root itself belongs to the main search
        return;
    }
    if (f->side == PLOY_BOARD_CHANCE) {
        int64_t weight = f->chance_weight > 0 ? f->chance_weight : 1;
        if (s->maxn) {
            int64_t *vector = core_vector(s, s->ply);
            for (int32_t p = 0; p < core_type(s)->players; p++) vector[p] /= weight;
        }
        core_leave(s, (int32_t)(f->chance_sum / weight), PLOY_BOARD_CUT_NONE);
        return;
    }
    if (f->best == -PLOY_BOARD_INFINITY && f->searched == 0) {
        // No move although the game goes on, or every move was pruned: the position as it is.
        if (s->maxn) core_leaf_vector(s, false);
        core_leave(s, core_evaluation(s, f), PLOY_BOARD_CUT_POLICY);
        return;
    }
    if (!f->quiesce) {
        bool exact = !s->windowed || (f->best > f->alpha && f->best < f->beta);
        ploy_board_move move = f->best > f->alpha ? f->best_move : PLOY_BOARD_NO_MOVE;
        core_store(s, f, f->depth, f->best, exact, move);
    }
    bool cut = s->windowed && f->best >= f->beta && f->index < f->count;
    core_leave(s, f->best, cut ? PLOY_BOARD_CUT_BETA : PLOY_BOARD_CUT_NONE);
}

static void core_next(ploy_board_search *s) {
    search_frame *f = &s->frames[s->ply];
    const ploy_board_type *type = core_type(s);
    for (;;) {
        if (f->index >= f->count) {
            core_finish(s);
            return;
        }
        // The first root move is searched alone: it gives the others their window.
        if (s->ply == 0 && s->lanes != NULL && f->searched > 0) {
            s->action = SEARCH_ROUNDS;
            return;
        }
        ploy_board_move move = core_pick(s, f);
        int32_t lo = -PLOY_BOARD_INFINITY, hi = PLOY_BOARD_INFINITY;
        if (f->side == PLOY_BOARD_CHANCE) {
            f->weight = type->odds(s->board.rules, s->position, move);
            f->lo = lo;
            core_descend(s, move, SEARCH_FULL, lo, hi, f->depth - 1);
            return;
        }
        if (s->windowed) {
            int32_t floor = s->ply == 0 ? core_root_floor(s, f) : f->best;
            lo = f->alpha > floor ? f->alpha : floor;
            hi = f->beta;
        }
        f->lo = lo;
        f->quiet = !core_is_noisy(s, move);
        if (s->windowed && core_skips(s, f, move, lo)) continue;
        int32_t depth = f->depth - 1;
        if (s->hooks.depth != NULL && !f->quiesce) {
            int32_t change = s->hooks.depth(s->hooks.user, s->position, move, s->ply, f->depth,
                                            core_evaluation(s, f));
            if (change == PLOY_BOARD_PRUNE && (s->ply > 0 || f->count > 1)) continue;
            if (change != PLOY_BOARD_PRUNE) depth += change;
        }
        f->child_depth = depth;
        int32_t reduction = s->windowed ? core_reduction(s, f, move) : 0;
        if (reduction > 0) {
            int32_t less = depth - reduction > 1 ? depth - reduction : 1;
            core_descend(s, move, SEARCH_REDUCED, lo, lo + 1, less);
        } else if (s->scouting && f->searched > 0 && hi - lo > 1 && lo > -PLOY_BOARD_INFINITY) {
            core_descend(s, move, SEARCH_SCOUT, lo, lo + 1, depth);
        } else {
            core_descend(s, move, SEARCH_FULL, lo, hi, depth);
        }
        return;
    }
}

// ---- returning

static void core_take_line(ploy_board_search *s, search_frame *f, ploy_board_move move) {
    const search_frame *child = f + 1;
    ploy_board_move *line = core_line(s, s->ply);
    const ploy_board_move *below = core_line(s, s->ply + 1);
    line[0] = move;
    int32_t count = child->line_count;
    if (count > s->def.max_ply) count = s->def.max_ply;
    if (count > 0) memcpy(line + 1, below, (size_t)count * sizeof line[0]);
    f->line_count = count + 1;
}

static search_root *core_root(ploy_board_search *s, ploy_board_move move) {
    for (int32_t i = 0; i < s->root_count; i++) {
        if (s->roots[i].move == move) return &s->roots[i];
    }
    return NULL;
}

static void core_note_root(ploy_board_search *s, search_frame *f, ploy_board_move move,
                           int32_t score) {
    search_root *root = core_root(s, move);
    if (root == NULL) return;
    const search_frame *child = f + 1;
    if (root->depth != s->depth) {
        root->last_score = root->score;
        root->last_depth = root->depth;
        root->last_exact = root->exact;
    }
    root->score = score;
    root->exact = !s->windowed || (score > f->lo && score < f->beta);
    root->depth = s->depth;
    root->done = true;
    root->nodes += s->nodes - f->nodes_before;
    ploy_board_move *line = s->root_lines + (size_t)root->order * SEARCH_LINE;
    int32_t count = child->line_count < SEARCH_LINE - 1 ? child->line_count : SEARCH_LINE - 1;
    line[0] = move;
    if (count > 0) memcpy(line + 1, core_line(s, 1), (size_t)count * sizeof line[0]);
    root->line_count = count + 1;
}

static void core_accept(ploy_board_search *s, search_frame *f, int32_t score) {
    ploy_board_move move = f->child_move;
    f->searched++;
    if (s->ply == 0) core_note_root(s, f, move, score);
    if (f->side == PLOY_BOARD_CHANCE) {
        f->chance_sum += (int64_t)f->weight * score;
        f->chance_weight += f->weight;
        if (s->maxn) {
            int64_t *vector = core_vector(s, s->ply);
            const int64_t *child = core_vector(s, s->ply + 1);
            for (int32_t p = 0; p < core_type(s)->players; p++) {
                vector[p] = (f->searched == 1 ? 0 : vector[p]) + f->weight * child[p];
            }
        }
        return;
    }
    if (score > f->best) {
        f->best = score;
        f->best_move = move;
        if (s->maxn) {
            memcpy(core_vector(s, s->ply), core_vector(s, s->ply + 1),
                   sizeof(int64_t) * PLOY_BOARD_PLAYERS_MAX);
        }
        if (!s->windowed || score > f->alpha || s->ply == 0) core_take_line(s, f, move);
    }
    if (s->windowed && f->best >= f->beta) {
        core_reward(s, f, f->best_move);
        core_finish(s);
    }
}

static void core_return(ploy_board_search *s) {
    search_frame *child = &s->frames[s->ply];
    s->ply--;
    search_frame *f = &s->frames[s->ply];
    core_unmake(s, f->child_move);
    s->action = SEARCH_NEXT;
    int32_t score = child->team == f->team ? s->value : -s->value;
    if (s->maxn) {
        int32_t player = f->side < core_type(s)->players && f->side >= 0 ? f->side : s->root_side;
        score = (int32_t)core_vector(s, s->ply + 1)[player];
    }
    switch ((search_stage)f->stage) {
    case SEARCH_NULL_MOVE:
        if (score >= f->beta) {
            core_leave(s, score < PLOY_BOARD_EVALUATION ? score : f->beta,
                       PLOY_BOARD_CUT_NULL_MOVE);
        } else {
            core_generate(s, f);
        }
        return;
    case SEARCH_REDUCED:
        if (score > f->lo) {
            bool scout = s->scouting && f->beta - f->lo > 1;
            core_descend(s, f->child_move, scout ? SEARCH_SCOUT : SEARCH_AGAIN, f->lo,
                         scout ? f->lo + 1 : f->beta, f->child_depth);
            return;
        }
        break;
    case SEARCH_SCOUT: {
        // Close to the leaves a fail-soft score of negascout is exact already.
        bool settled = s->def.method == PLOY_BOARD_NEGASCOUT && f->depth <= 2 &&
                       s->def.quiescence == 0 && !s->def.late_moves;
        if (score > f->lo && score < f->beta && !settled) {
            int32_t from = s->def.method == PLOY_BOARD_NEGASCOUT ? score : f->lo;
            core_descend(s, f->child_move, SEARCH_AGAIN, from, f->beta, f->child_depth);
            return;
        }
        break;
    }
    case SEARCH_AGAIN:
    case SEARCH_FULL: break;
    }
    core_accept(s, f, score);
}

// ---- lanes

void ployi_search_lane_begin(ploy_board_search *s, ploy_board_search *lane) {
    search_frame *from = &s->frames[0], *to = &lane->frames[0];
    ploy_board_move move = core_pick(s, from);
    memcpy(lane->position, s->position, s->position_bytes);
    memcpy(lane->killers, s->killers, sizeof s->killers[0] * 2 * ((size_t)s->def.max_ply + 2));
    memcpy(lane->history, s->history, sizeof s->history[0] * 2 * SEARCH_HISTORY);
    *to = *from;
    // The last of as many moves as the root has; those before it count as searched, for reductions.
    to->searched = from->index - 1;
    to->index = to->count - 1;
    to->ordered = 0;
    core_moves(lane, 0)[to->index] = move;
    lane->floor = s->windowed ? core_root_floor(s, from) : -PLOY_BOARD_INFINITY;
    lane->roots[0] = *core_root(s, move);
    lane->roots[0].order = 0;
    lane->roots[0].done = false;
    lane->root_count = 1;
    lane->depth = s->depth;
    lane->ply = 0;
    lane->action = SEARCH_NEXT;
}

void ployi_search_lane_end(ploy_board_search *s, const ploy_board_search *lane, int64_t nodes) {
    memcpy(s->killers, lane->killers, sizeof s->killers[0] * 2 * ((size_t)s->def.max_ply + 2));
    memcpy(s->history, lane->history, sizeof s->history[0] * 2 * SEARCH_HISTORY);
    const search_root *root = &lane->roots[0];
    if (!root->done) return; // the depth hook pruned it
    search_frame *f = &s->frames[0];
    f->child_move = root->move;
    f->lo = lane->frames[0].lo;
    f->nodes_before = s->nodes - nodes;
    f[1].line_count = lane->frames[1].line_count;
    if (f[1].line_count > 0) {
        memcpy(core_line(s, 1), core_line(lane, 1),
               (size_t)f[1].line_count * sizeof(ploy_board_move));
    }
    memcpy(core_vector(s, 1), core_vector(lane, 1), sizeof(int64_t) * PLOY_BOARD_PLAYERS_MAX);
    core_accept(s, f, root->score);
}

void ployi_search_root_end(ploy_board_search *s) {
    core_finish(s);
}

void ployi_search_pass_begin(ploy_board_search *s) {
    search_frame *f = &s->frames[0];
    memset(f, 0, sizeof *f);
    f->alpha = s->window_lo;
    f->beta = s->window_hi;
    f->depth = s->depth;
    f->null_allowed = true;
    s->ply = 0;
    s->action = SEARCH_ENTER;
    for (int32_t i = 0; i < s->root_count; i++) s->roots[i].done = false;
}

void ployi_search_unwind(ploy_board_search *s) {
    while (s->ply > 0) {
        s->ply--;
        core_unmake(s, s->frames[s->ply].child_move);
    }
}

// A round is not divided: its nodes are paid for afterwards, and nothing else happens before that.
static bool core_pay(ploy_board_search *s, ploy_budget *budget) {
    for (; s->owed > 0; s->owed--) {
        if (budget != NULL && !ploy_budget_spend(budget, 1)) return false;
    }
    return true;
}

ploy_result ployi_search_pass(ploy_board_search *s, ploy_budget *budget) {
    if (!core_pay(s, budget)) return PLOY_IN_PROGRESS;
    for (;;) {
        switch (s->action) {
        case SEARCH_ENTER:
            if (s->limit_nodes > 0 && s->nodes >= s->limit_nodes) return PLOY_ERR_LIMIT;
            if (budget != NULL && !ploy_budget_spend(budget, 1)) return PLOY_IN_PROGRESS;
            core_enter(s);
            break;
        case SEARCH_NEXT: core_next(s); break;
        case SEARCH_RETURN:
            if (s->ply == 0) return PLOY_OK;
            core_return(s);
            break;
        case SEARCH_ROUNDS:
            if (s->limit_nodes > 0 && s->nodes >= s->limit_nodes) return PLOY_ERR_LIMIT;
            if (ploy_budget_empty(budget)) return PLOY_IN_PROGRESS;
            ployi_search_round(s);
            if (!core_pay(s, budget)) return PLOY_IN_PROGRESS;
            break;
        }
    }
}
