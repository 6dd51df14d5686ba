// The tree search as an object: settings, memory, begin to outcome. search_core.c searches nodes,
// search_drive.c chooses depths and windows.
#include "board/search_internal.h"

#include <string.h>

static const char *const board_search_methods[PLOY_BOARD_METHODS] = {
    "one_ply", "minimax", "maxn", "negamax", "alphabeta", "negascout",
    "pvs",     "mt",      "mtdf", "sss",     "dual",      "mtd_best"};

static const char *const board_search_cuts[] = {"none",   "beta",     "table",     "over",
                                                "depth",  "repeated", "null move", "stand pat",
                                                "futile", "calm",     "policy"};

#define BOARD_SEARCH_I32(member, initial, min, max, help) \
    PLOY_FIELD_I32(ploy_board_search_def, member, initial, min, max, "", help)
#define BOARD_SEARCH_BOOL(member, initial, help) \
    PLOY_FIELD_BOOL(ploy_board_search_def, member, initial, help)

static const ploy_field board_search_fields[] = {
    PLOY_FIELD_ENUM_FIXED(ploy_board_search_def, method, PLOY_BOARD_ALPHABETA, board_search_methods,
                          "which search of the family"),
    BOARD_SEARCH_I32(depth, 4, 1, 120, "plies to search"),
    BOARD_SEARCH_I32(nodes, 0, 0, INT32_MAX, "most nodes; 0: no limit"),
    PLOY_FIELD_I32_FIXED(ploy_board_search_def, max_ply, 96, 2, 250, "",
                         "deepest line, with extensions and quiescence"),
    BOARD_SEARCH_BOOL(iterative, false, "depth 1, 2, ... up to depth"),
    BOARD_SEARCH_I32(first, 1, 1, 120, "first depth of an iterative search"),
    BOARD_SEARCH_BOOL(fail_hard, false, "scores never leave the window"),
    BOARD_SEARCH_I32(alpha, -PLOY_BOARD_INFINITY, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY,
                     "lower end of the window at the root"),
    BOARD_SEARCH_I32(beta, PLOY_BOARD_INFINITY, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY,
                     "upper end of the window at the root"),
    BOARD_SEARCH_I32(guess, 0, -PLOY_BOARD_INFINITY, PLOY_BOARD_INFINITY,
                     "first guess of MT and MTD"),
    BOARD_SEARCH_I32(tries, 64, 1, 10000, "most passes of MTD and aspiration at one depth"),
    BOARD_SEARCH_I32(aspiration, 0, 0, PLOY_BOARD_WIN,
                     "half width of the window around the last score"),
    BOARD_SEARCH_I32(candidates, 1, 1, 4096, "this many best root moves get exact scores"),
    BOARD_SEARCH_BOOL(distance, true, "prefer the shorter win and the longer loss"),
    BOARD_SEARCH_BOOL(order_table, true, "the table's move first"),
    BOARD_SEARCH_BOOL(order_previous, true, "root moves by the scores of the previous depth"),
    BOARD_SEARCH_BOOL(order_game, false, "by the game's order"),
    BOARD_SEARCH_BOOL(order_killers, false, "moves that cut a sibling first"),
    BOARD_SEARCH_BOOL(order_history, false, "by how often a move cut elsewhere"),
    BOARD_SEARCH_BOOL(order_evaluation, false, "by the evaluation of the child"),
    BOARD_SEARCH_BOOL(store_leaves, false, "evaluated positions go to the table too"),
    BOARD_SEARCH_I32(quiescence, 0, 0, 100, "most plies of noisy moves behind the depth"),
    BOARD_SEARCH_I32(forcing, 0, 0, 100,
                     "plies of quiescence that follow every forcing move, such as checks"),
    BOARD_SEARCH_I32(delta, 0, 0, PLOY_BOARD_WIN,
                     "margin of noisy moves that are skipped; 0: none"),
    BOARD_SEARCH_BOOL(null_move, false, "a side that may pass and still fails high is cut"),
    BOARD_SEARCH_BOOL(late_moves, false, "late quiet moves are searched less deep first"),
    BOARD_SEARCH_I32(futility, 0, 0, PLOY_BOARD_WIN / 10,
                     "margin for each ply near the leaves; 0: none"),
    BOARD_SEARCH_BOOL(extend_threat, false, "one ply more when threatened"),
    BOARD_SEARCH_BOOL(extend_single, false, "one ply more with a single legal move"),
    BOARD_SEARCH_I32(calm_plies, 0, 0, 16,
                     "stop where the evaluation was stable this long; 0: never"),
    BOARD_SEARCH_I32(calm_tolerance, 10, 0, PLOY_BOARD_WIN, "largest change that counts as stable"),
    BOARD_SEARCH_I32(calm_depth, 4, 0, 250, "ply above which nothing is calm"),
    PLOY_FIELD_I32_FIXED(ploy_board_search_def, lanes, 1, 1, PLOY_BOARD_LANES_MAX, "",
                         "root moves searched side by side; 1: one after the other"),
    PLOY_FIELD_DEF(ploy_board_search_def, table, ploy_board_table_fields, "the table's settings"),
};

const char *ploy_board_method_text(ploy_board_method method) {
    return (uint32_t)method < PLOY_BOARD_METHODS ? board_search_methods[method] : "";
}

const char *ploy_board_cut_text(ploy_board_cut cut) {
    return (size_t)cut < sizeof board_search_cuts / sizeof board_search_cuts[0]
               ? board_search_cuts[cut]
               : "";
}

ploy_fields ploy_board_search_fields(void) {
    return PLOY_FIELDS(ploy_board_search_def, board_search_fields);
}

ploy_board_search_def ploy_board_search_def_default(void) {
    ploy_board_search_def def;
    ploy_fields_default(ploy_board_search_fields(), &def);
    return def;
}

ploy_board_search_def ploy_board_search_def_strong(ploy_board board) {
    ploy_board_search_def def = ploy_board_search_def_default();
    const ploy_board_type *type = board.type;
    bool two = type->players == 2 && (type->flags & PLOY_BOARD_ZERO_SUM) != 0;
    def.method = two ? PLOY_BOARD_PVS : PLOY_BOARD_ALPHABETA;
    def.iterative = true;
    def.depth = 60;
    def.order_game = type->order != NULL;
    def.order_killers = def.order_history = true;
    def.quiescence = type->noisy != NULL ? 24 : 0;
    def.forcing = type->noisy != NULL && type->is_noisy != NULL ? 1 : 0;
    def.null_move = type->null_move != NULL;
    def.extend_threat = type->threatened != NULL;
    // These rest on a difference between quiet and noisy moves.
    def.late_moves = type->is_noisy != NULL && type->threatened != NULL;
    // An evaluation that estimates the final margin changes little from ply to ply.
    if ((type->flags & PLOY_BOARD_MARGIN) != 0 && type->unit > 0) def.futility = type->unit / 2;
    if (type->flags & PLOY_BOARD_RANDOM) def.depth = 3;
    return def;
}

// ---- which searches suit a game

ploy_board_suits ploy_board_method_suits(ploy_board board, ploy_board_method method,
                                         const char **reason) {
    const char *unused = NULL;
    if (reason == NULL) reason = &unused;
    *reason = "";
    const ploy_board_type *type = board.type;
    bool zero_sum = (type->flags & PLOY_BOARD_ZERO_SUM) != 0;
    bool two = type->players == 2 && zero_sum;
    bool negamax = method == PLOY_BOARD_NEGAMAX || method >= PLOY_BOARD_NEGASCOUT;
    if (negamax && !two) {
        *reason =
            "needs two players and a zero-sum game: one score cannot serve both sides otherwise";
        return PLOY_BOARD_UNSUITED;
    }
    if (method >= PLOY_BOARD_MT && (type->flags & PLOY_BOARD_RANDOM) != 0) {
        *reason = "zero-width windows are not tested below chance nodes";
        return PLOY_BOARD_UNSUITED;
    }
    if ((type->flags & PLOY_BOARD_HIDDEN) != 0) {
        *reason = "sees what players cannot see; use Monte Carlo search with redrawn positions";
        return PLOY_BOARD_SUITS_LESS;
    }
    if (method == PLOY_BOARD_MAXN && two) {
        *reason = "the same result as negamax, without pruning";
        return PLOY_BOARD_SUITS_LESS;
    }
    if (method == PLOY_BOARD_MINIMAX && !zero_sum) {
        *reason = "assumes that all others play against the player, though they need not";
        return PLOY_BOARD_SUITS_LESS;
    }
    if (method == PLOY_BOARD_ALPHABETA && !two) {
        *reason = "assumes that all others play against the player";
        return PLOY_BOARD_SUITS_LESS;
    }
    if (type->evaluate == NULL) {
        *reason = "the game has no evaluation, so only searches to its end mean anything";
        return PLOY_BOARD_SUITS_LESS;
    }
    if (method == PLOY_BOARD_SSS || method == PLOY_BOARD_DUAL) {
        *reason = "starts from an extreme guess and needs more passes than mtdf";
        return PLOY_BOARD_SUITS_LESS;
    }
    return PLOY_BOARD_SUITS;
}

ploy_board_suits ploy_board_mcts_suits(ploy_board board, const char **reason) {
    const char *unused = NULL;
    if (reason == NULL) reason = &unused;
    *reason = "";
    if (board.type->threatened != NULL) {
        *reason = "random playouts see few short tactics; a tree search finds them sooner";
        return PLOY_BOARD_SUITS_LESS;
    }
    return PLOY_BOARD_SUITS;
}

// ---- memory

// Cuts one block into arrays: with block NULL it only adds up the sizes.
static void *board_search_cut(unsigned char *block, size_t *used, size_t bytes) {
    void *at = block == NULL ? NULL : block + *used;
    *used += (bytes + 15) / 16 * 16;
    return at;
}

static size_t board_search_layout(ploy_board_search *s) {
    const ploy_board_type *type = s->board.type;
    size_t used = 0, plies = (size_t)s->def.max_ply + 2, most = (size_t)type->max_moves;
    unsigned char *b = s->block;
    s->position = board_search_cut(b, &used, s->position_bytes);
    s->undo = board_search_cut(b, &used, s->undo_bytes * plies);
    s->frames = board_search_cut(b, &used, sizeof(search_frame) * (plies + 1));
    s->moves = board_search_cut(b, &used, sizeof(ploy_board_move) * most * plies);
    s->orders = board_search_cut(b, &used, sizeof(int64_t) * most * plies);
    s->lines = board_search_cut(b, &used, sizeof(ploy_board_move) * plies * (plies + 1));
    s->killers = board_search_cut(b, &used, sizeof(ploy_board_move) * 2 * plies);
    s->history = board_search_cut(b, &used, sizeof(int32_t) * 2 * SEARCH_HISTORY);
    s->vectors = board_search_cut(b, &used, sizeof(int64_t) * PLOY_BOARD_PLAYERS_MAX * (plies + 1));
    s->keys = board_search_cut(b, &used, sizeof(uint64_t) * (PLOY_BOARD_HISTORY + plies));
    s->roots = board_search_cut(b, &used, sizeof(search_root) * most);
    s->root_lines = board_search_cut(b, &used, sizeof(ploy_board_move) * SEARCH_LINE * most);
    s->best_line = board_search_cut(b, &used, sizeof(ploy_board_move) * (plies + 1));
    return used;
}

void ploy_board_search_destroy(ploy_board_search *search) {
    if (search == NULL) return;
    ployi_search_lanes_destroy(search);
    ploy_board_table_destroy(search->table);
    ploy_env env = search->env;
    if (search->block != NULL) ploy_env_free(&env, search->block, search->bytes);
    ploy_env_free(&env, search, sizeof *search);
}

static void board_search_configure(ploy_board_search *s) {
    ploy_board_method method = s->def.method;
    const ploy_board_type *type = s->board.type;
    s->windowed = method >= PLOY_BOARD_ALPHABETA;
    s->scouting = method == PLOY_BOARD_NEGASCOUT || method == PLOY_BOARD_PVS;
    s->mtd = method >= PLOY_BOARD_MT;
    s->maxn = method == PLOY_BOARD_MAXN;
    s->paranoid = method == PLOY_BOARD_MINIMAX || type->players > 2 ||
                  (type->flags & PLOY_BOARD_ZERO_SUM) == 0;
    s->copies = type->unmake == NULL;
    s->keyed = s->def.table.kilobytes > 0 || s->mtd || type->reversible != NULL;
    if (method == PLOY_BOARD_ONE_PLY) s->def.depth = s->def.first = 1;
    if (!s->def.iterative || s->def.first > s->def.depth) s->def.first = s->def.depth;
}

ploy_result ploy_board_search_create(const ploy_board_search_def *def, ploy_board board,
                                     const ploy_env *env, ploy_board_search **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_search_fields(), def, env);
    if (result == PLOY_OK) result = ploy_board_rules_check(board, env);
    if (result != PLOY_OK) return result;
    const char *reason = "";
    if (def->alpha >= def->beta) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, "ploy_board_search_def: alpha is not below beta");
        return PLOY_ERR_ARGUMENT;
    }
    if (ploy_board_method_suits(board, def->method, &reason) == PLOY_BOARD_UNSUITED) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, reason);
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_board_search *s = ploy_env_alloc_zero(env, sizeof *s);
    if (s == NULL) return PLOY_ERR_MEMORY;
    s->env = *env;
    s->def = *def;
    s->board = board;
    board_search_configure(s);
    s->position_bytes = board.type->position_bytes(board.rules);
    s->undo_bytes = (ploy_board_undo_bytes(board) + 7) / 8 * 8;
    s->bytes = board_search_layout(s);
    s->block = ploy_env_alloc_zero(env, s->bytes);
    result = s->block == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) {
        board_search_layout(s);
        // MT is nothing without memory; the others do with or without.
        if (def->table.kilobytes > 0 || s->mtd) {
            result = ploy_board_table_create(&def->table, env, &s->table);
        }
    }
    if (result == PLOY_OK) result = ployi_search_lanes_create(s);
    if (result != PLOY_OK) {
        ploy_board_search_destroy(s);
        return result;
    }
    *out = s;
    return PLOY_OK;
}

void ploy_board_search_hooks_set(ploy_board_search *search, const ploy_board_hooks *hooks) {
    if (hooks != NULL)
        search->hooks = *hooks;
    else
        memset(&search->hooks, 0, sizeof search->hooks);
}

void ploy_board_search_jobs_set(ploy_board_search *search, const ploy_jobs *jobs) {
    search->jobs = jobs;
}

// ---- begin to outcome

ploy_result ploy_board_search_begin(ploy_board_search *search, const void *position,
                                    const uint64_t *history, int32_t count) {
    ploy_board_search *s = search;
    const ploy_board_type *type = s->board.type;
    int32_t side = type->side(s->board.rules, position);
    if (side < 0 || side >= type->players) return PLOY_ERR_STATE;
    memcpy(s->position, position, s->position_bytes);
    if (count > PLOY_BOARD_HISTORY) {
        history += count - PLOY_BOARD_HISTORY;
        count = PLOY_BOARD_HISTORY;
    }
    s->history_count = count;
    if (count > 0) memcpy(s->keys, history, (size_t)count * sizeof s->keys[0]);
    s->root_side = side;
    s->table_salt = s->paranoid ? ploy_board_key(UINT64_C(0x726F6F74), side) : 0;
    memset(s->killers, 0, sizeof(ploy_board_move) * 2 * ((size_t)s->def.max_ply + 2));
    for (int32_t i = 0; i < 2 * SEARCH_HISTORY; i++) s->history[i] /= 4;
    s->root_count = type->moves(s->board.rules, s->position, s->moves, type->max_moves);
    for (int32_t i = 0; i < s->root_count; i++) {
        s->roots[i] = (search_root){.move = s->moves[i], .order = i};
        s->root_lines[(size_t)i * SEARCH_LINE] = s->moves[i];
        s->roots[i].line_count = 1;
    }
    s->limit_depth = s->def.depth;
    s->limit_nodes = s->def.nodes;
    s->best_move = s->root_count > 0 ? s->roots[0].move : PLOY_BOARD_NO_MOVE;
    s->best_score = 0;
    s->best_lower = -PLOY_BOARD_INFINITY;
    s->best_upper = PLOY_BOARD_INFINITY;
    s->best_depth = s->best_passes = s->deepest = 0;
    s->best_line[0] = s->best_move;
    s->best_line_count = 1;
    s->nodes = s->leaves = s->table_cuts = 0;
    s->owed = 0;
    s->begun = true;
    s->done = s->partial = false;
    ployi_search_lanes_begin(s);
    if (s->table != NULL) ploy_board_table_advance(s->table);
    ployi_search_depth_begin(s, s->def.first);
    return PLOY_OK;
}

ploy_result ploy_board_search_only(ploy_board_search *search, const ploy_board_move *moves,
                                   int32_t count) {
    ploy_board_search *s = search;
    if (!s->begun || s->nodes > 0) return PLOY_ERR_STATE;
    int32_t kept = 0;
    bool any = false;
    for (int32_t i = 0; i < s->root_count; i++) {
        for (int32_t k = 0; k < count; k++) any = any || s->roots[i].move == moves[k];
    }
    if (!any) return PLOY_ERR_ARGUMENT;
    for (int32_t i = 0; i < s->root_count; i++) {
        bool wanted = false;
        for (int32_t k = 0; k < count; k++) wanted = wanted || s->roots[i].move == moves[k];
        if (wanted) s->roots[kept++] = s->roots[i];
    }
    s->root_count = kept;
    s->best_move = s->best_line[0] = s->roots[0].move;
    ployi_search_depth_begin(s, s->def.first);
    return PLOY_OK;
}

void ploy_board_search_limit(ploy_board_search *search, int32_t depth, int64_t nodes) {
    if (depth > 0) search->limit_depth = depth < search->def.max_ply ? depth : search->def.max_ply;
    if (nodes > 0) search->limit_nodes = nodes;
}

// What a depth that was cut short still proves: a root move that was searched exactly.
static void board_search_take_partial(ploy_board_search *s) {
    const search_frame *f = &s->frames[0];
    bool plain = s->def.method <= PLOY_BOARD_PVS;
    if (!plain || f->best_move == PLOY_BOARD_NO_MOVE || f->searched == 0) return;
    for (int32_t i = 0; i < s->root_count; i++) {
        const search_root *root = &s->roots[i];
        if (root->move != f->best_move || !root->done || !root->exact) continue;
        s->best_move = root->move;
        s->best_score = s->best_lower = root->score;
        s->best_line_count = root->line_count;
        memcpy(s->best_line, s->root_lines + (size_t)root->order * SEARCH_LINE,
               (size_t)root->line_count * sizeof s->best_line[0]);
    }
}

static void board_search_end(ploy_board_search *s, bool partial) {
    if (partial) board_search_take_partial(s);
    ployi_search_unwind(s);
    for (int32_t i = 0; s->lanes != NULL && i < s->def.lanes; i++) s->lanes[i].active = false;
    s->done = true;
    s->partial = partial;
}

ploy_result ploy_board_search_step(ploy_board_search *search, ploy_budget *budget) {
    ploy_board_search *s = search;
    if (!s->begun) return PLOY_ERR_STATE;
    while (!s->done) {
        ploy_result result = ployi_search_pass(s, budget);
        if (result == PLOY_IN_PROGRESS) return result;
        if (result == PLOY_ERR_LIMIT) {
            board_search_end(s, true);
            break;
        }
        if (ployi_search_pass_end(s)) continue;
        bool proven = s->def.distance && s->best_lower == s->best_upper &&
                      (s->best_score >= PLOY_BOARD_WIN - s->depth ||
                       s->best_score <= s->depth - PLOY_BOARD_WIN);
        if (s->depth >= s->limit_depth || (proven && s->def.candidates == 1)) {
            board_search_end(s, false);
        } else {
            ployi_search_depth_begin(s, s->depth + 1);
        }
    }
    return PLOY_OK;
}

void ploy_board_search_cancel(ploy_board_search *search) {
    if (search->begun && !search->done) board_search_end(search, true);
}

ploy_board_outcome ploy_board_search_outcome(const ploy_board_search *search) {
    const ploy_board_search *s = search;
    ploy_board_outcome outcome = {.done = s->done,
                                  .partial = s->partial,
                                  .move = s->begun ? s->best_move : PLOY_BOARD_NO_MOVE,
                                  .score = s->best_score,
                                  .lower = s->best_lower,
                                  .upper = s->best_upper,
                                  .depth = s->best_depth,
                                  .deepest = s->deepest,
                                  .nodes = s->nodes,
                                  .leaves = s->leaves,
                                  .table_cuts = s->table_cuts,
                                  .passes = s->best_passes,
                                  .line_count = s->best_line_count,
                                  .line = s->best_line};
    return outcome;
}

int32_t ploy_board_search_move_count(const ploy_board_search *search) {
    return search->begun ? search->root_count : 0;
}

// The place of the index-th best root move: exact ones by score, then the others as they are.
static int32_t board_search_ranked(const ploy_board_search *s, int32_t index) {
    for (int32_t i = 0; i < s->root_count; i++) {
        int32_t rank = 0;
        for (int32_t k = 0; k < s->root_count; k++) {
            const search_root *a = &s->roots[i], *b = &s->roots[k];
            bool b_best = b->move == s->best_move, a_best = a->move == s->best_move;
            int32_t sa = a->exact ? a->score : -PLOY_BOARD_INFINITY;
            int32_t sb = b->exact ? b->score : -PLOY_BOARD_INFINITY;
            if (k == i || a_best) continue;
            if (b_best || sb > sa || (sb == sa && b->score > a->score) ||
                (sb == sa && b->score == a->score && k < i)) {
                rank++;
            }
        }
        if (rank == index) return i;
    }
    return -1;
}

ploy_board_root_move ploy_board_search_move_at(const ploy_board_search *search, int32_t index) {
    ploy_board_root_move out = {0};
    int32_t i = index >= 0 && index < search->root_count ? board_search_ranked(search, index) : -1;
    if (i < 0) return out;
    const search_root *root = &search->roots[i];
    out.move = root->move;
    out.score = root->score;
    out.exact = root->exact;
    out.depth = root->depth;
    out.last_score = root->last_score;
    out.last_exact = root->last_exact;
    out.last_depth = root->last_depth;
    out.nodes = root->nodes;
    out.line_count = root->line_count;
    out.line = search->root_lines + (size_t)root->order * SEARCH_LINE;
    return out;
}

ploy_board_table *ploy_board_search_table(ploy_board_search *search) {
    return search->table;
}
