// Monte Carlo tree search; the technique is described in the header.
//
// Invariants of a tree, between two playouts:
//   (1) nodes[0] is the root; a node's children are [first, first + count), in the order of moves;
//   (2) wins are those of `mover`, the player that moved into the node (for the root unused);
//   (3) visits of a node are at least the sum of its children's, the prior's left out.
#include "board/mcts_internal.h"

#include "ploy/base/math.h"

#include <math.h>
#include <string.h>

static const ploy_field mcts_fields[] = {
    PLOY_FIELD_U64(ploy_board_mcts_def, seed, 1, "of the playouts"),
    PLOY_FIELD_I32(ploy_board_mcts_def, playouts, 1000, 1, 100000000, "", "of one search"),
    PLOY_FIELD_I32_FIXED(ploy_board_mcts_def, nodes, 20000, 100, 1 << 26, "",
                         "most nodes of one tree"),
    PLOY_FIELD_I32(ploy_board_mcts_def, expand, 1, 1, 1000000, "",
                   "playouts through a node before it grows"),
    PLOY_FIELD_I32_FIXED(ploy_board_mcts_def, trees, 1, 1, 64, "",
                         "separate trees whose visits are added up"),
    PLOY_FIELD_F32(ploy_board_mcts_def, exploration, 1.4142135f, 0, 100, "", "k of UCT"),
    PLOY_FIELD_F32(ploy_board_mcts_def, evaluation, 0, 0, 100, "",
                   "weight of the child's evaluation in the selection"),
    PLOY_FIELD_F32(ploy_board_mcts_def, evaluation_scale, 100, 1e-3f, 1e6f, "",
                   "evaluation that counts as certain"),
    PLOY_FIELD_I32(ploy_board_mcts_def, prior_visits, 0, 0, 10000, "",
                   "virtual playouts of a new node"),
    PLOY_FIELD_I32(ploy_board_mcts_def, rave, 0, 0, 1000000, "",
                   "playouts at which RAVE and UCT weigh the same; 0: none"),
    PLOY_FIELD_BOOL(ploy_board_mcts_def, heavy, true, "playouts use the game's own moves"),
    PLOY_FIELD_F32(ploy_board_mcts_def, heavy_random, 0.1f, 0, 1, "",
                   "share of uniform moves in heavy playouts"),
    PLOY_FIELD_I32(ploy_board_mcts_def, playout_plies, 1000, 1, 100000, "", "longest playout"),
    PLOY_FIELD_BOOL(ploy_board_mcts_def, prove, true, "proven wins and losses are not searched"),
    PLOY_FIELD_BOOL(ploy_board_mcts_def, keep, true, "begin keeps the tree below the position"),
    PLOY_FIELD_BOOL(ploy_board_mcts_def, most_visited, true, "the result is the most visited move"),
};

ploy_fields ploy_board_mcts_fields(void) {
    return PLOY_FIELDS(ploy_board_mcts_def, mcts_fields);
}

ploy_board_mcts_def ploy_board_mcts_def_default(void) {
    ploy_board_mcts_def def;
    ploy_fields_default(ploy_board_mcts_fields(), &def);
    return def;
}

ploy_board_mcts_def ploy_board_mcts_def_strong(ploy_board board) {
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    if ((board.type->flags & PLOY_BOARD_LASTING) == 0) return def;
    // RAVE finds good moves without trying each of them, so exploration only costs playouts.
    def.rave = 2000;
    def.exploration = 0.0f;
    def.prior_visits = board.type->prior != NULL ? 20 : 0;
    def.expand = 4;
    def.heavy_random = 0.0f;
    return def;
}

float ploy_board_uct(float wins, int32_t visits, int32_t total, float exploration) {
    if (visits <= 0) return INFINITY;
    float n = (float)visits;
    float ln = total > 1 ? (float)ploy_log((double)total) : 0.0f;
    return wins / n + exploration * sqrtf(ln / n);
}

// ---- memory

static void *mcts_cut(unsigned char *block, size_t *used, size_t bytes) {
    void *at = block == NULL ? NULL : block + *used;
    *used += (bytes + 15) / 16 * 16;
    return at;
}

static size_t mcts_layout(ploy_board_mcts *m) {
    size_t used = 0, nodes = (size_t)m->def.nodes;
    size_t longest = (size_t)m->def.playout_plies + MCTS_PATH;
    unsigned char *b = m->block;
    m->root = mcts_cut(b, &used, m->position_bytes);
    m->line = mcts_cut(b, &used, sizeof(ploy_board_move) * MCTS_LINE);
    m->trees = mcts_cut(b, &used, sizeof(mcts_tree) * (size_t)m->def.trees);
    for (int32_t i = 0; i < m->def.trees; i++) {
        mcts_tree sizes;
        mcts_tree *tree = b == NULL ? &sizes : &m->trees[i];
        tree->nodes = mcts_cut(b, &used, sizeof(mcts_node) * nodes);
        tree->spare = m->def.keep ? mcts_cut(b, &used, sizeof(mcts_node) * nodes) : NULL;
        tree->position = mcts_cut(b, &used, m->position_bytes);
        tree->copy = mcts_cut(b, &used, m->position_bytes);
        tree->moves =
            mcts_cut(b, &used, sizeof(ploy_board_move) * (size_t)m->board.type->max_moves);
        tree->priors = mcts_cut(b, &used, sizeof(float) * (size_t)m->board.type->max_moves);
        bool rave = m->def.rave > 0;
        tree->played = rave ? mcts_cut(b, &used, sizeof(ploy_board_move) * longest) : NULL;
        tree->players = rave ? mcts_cut(b, &used, longest) : NULL;
        size_t places = 2;
        while (places < 2 * longest) places *= 2;
        tree->first = rave ? mcts_cut(b, &used, sizeof(mcts_first) * places) : NULL;
        tree->first_mask = (uint32_t)places - 1;
    }
    return used;
}

void ploy_board_mcts_destroy(ploy_board_mcts *mcts) {
    if (mcts == NULL) return;
    ploy_env env = mcts->env;
    if (mcts->block != NULL) ploy_env_free(&env, mcts->block, mcts->bytes);
    ploy_env_free(&env, mcts, sizeof *mcts);
}

ploy_result ploy_board_mcts_create(const ploy_board_mcts_def *def, ploy_board board,
                                   const ploy_env *env, ploy_board_mcts **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_mcts_fields(), def, env);
    if (result == PLOY_OK) result = ploy_board_rules_check(board, env);
    if (result != PLOY_OK) return result;
    const char *reason = "";
    if (ploy_board_mcts_suits(board, &reason) == PLOY_BOARD_UNSUITED) {
        ploy_env_log(env, PLOY_SEVERITY_ERROR, reason);
        return PLOY_ERR_UNSUPPORTED;
    }
    ploy_board_mcts *m = ploy_env_alloc_zero(env, sizeof *m);
    if (m == NULL) return PLOY_ERR_MEMORY;
    m->env = *env;
    m->def = *def;
    m->board = board;
    m->hidden = (board.type->flags & PLOY_BOARD_HIDDEN) != 0;
    m->position_bytes = board.type->position_bytes(board.rules);
    m->bytes = mcts_layout(m);
    m->block = ploy_env_alloc_zero(env, m->bytes);
    if (m->block == NULL) {
        ploy_board_mcts_destroy(m);
        return PLOY_ERR_MEMORY;
    }
    mcts_layout(m);
    *out = m;
    return PLOY_OK;
}

void ploy_board_mcts_hooks_set(ploy_board_mcts *mcts, const ploy_board_mcts_hooks *hooks) {
    if (hooks != NULL)
        mcts->hooks = *hooks;
    else
        memset(&mcts->hooks, 0, sizeof mcts->hooks);
}

void ploy_board_mcts_jobs_set(ploy_board_mcts *mcts, const ploy_jobs *jobs) {
    mcts->jobs = jobs;
}

// ---- results

// A player's result as a share of a win.
static float mcts_share(const ploy_board_mcts *m, const unsigned char *position, int32_t player) {
    int32_t result = m->board.type->result(m->board.rules, position, player);
    return result > 0 ? 1.0f : result < 0 ? 0.0f : 0.5f;
}

static float mcts_guess(const ploy_board_mcts *m, const unsigned char *position, int32_t player) {
    if (m->board.type->evaluate == NULL) return 0.5f;
    int32_t score = m->board.type->evaluate(m->board.rules, position, player);
    float share = 0.5f + 0.5f * (float)score / m->def.evaluation_scale;
    return share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
}

// ---- one playout

static ploy_board_move mcts_chance_move(ploy_board_mcts *m, mcts_tree *tree, int32_t count) {
    const ploy_board_type *type = m->board.type;
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++) {
        sum += type->odds(m->board.rules, tree->position, tree->moves[i]);
    }
    int64_t at = (int64_t)ploy_rng_below(&tree->rng, (uint64_t)(sum > 0 ? sum : 1));
    for (int32_t i = 0; i < count; i++) {
        at -= type->odds(m->board.rules, tree->position, tree->moves[i]);
        if (at < 0) return tree->moves[i];
    }
    return tree->moves[count - 1];
}

static ploy_board_move mcts_playout_move(ploy_board_mcts *m, mcts_tree *tree, int32_t side) {
    const ploy_board_type *type = m->board.type;
    if (side != PLOY_BOARD_CHANCE && m->def.heavy && type->playout != NULL) {
        bool uniform =
            m->def.heavy_random > 0.0f && ploy_rng_chance(&tree->rng, m->def.heavy_random);
        if (!uniform) {
            ploy_board_move move = type->playout(m->board.rules, tree->position, &tree->rng);
            if (move != PLOY_BOARD_NO_MOVE) return move;
        }
    }
    int32_t count = type->moves(m->board.rules, tree->position, tree->moves, type->max_moves);
    if (side == PLOY_BOARD_CHANCE) return mcts_chance_move(m, tree, count);
    return tree->moves[ploy_rng_int(&tree->rng, 0, count - 1)];
}

static void mcts_note(mcts_tree *tree, ploy_board_move move, int32_t side, size_t longest) {
    if (tree->played == NULL || (size_t)tree->played_count >= longest) return;
    tree->players[tree->played_count] = (int8_t)side;
    tree->played[tree->played_count++] = move;
}

// Plays to the end; writes each player's share.
static void mcts_playout(ploy_board_mcts *m, mcts_tree *tree,
                         float shares[PLOY_BOARD_PLAYERS_MAX]) {
    const ploy_board_type *type = m->board.type;
    size_t longest = (size_t)m->def.playout_plies + MCTS_PATH;
    int32_t side = type->side(m->board.rules, tree->position);
    for (int32_t ply = 0; side != PLOY_BOARD_OVER && ply < m->def.playout_plies; ply++) {
        ploy_board_move move = mcts_playout_move(m, tree, side);
        mcts_note(tree, move, side, longest);
        type->make(m->board.rules, tree->position, move, NULL);
        side = type->side(m->board.rules, tree->position);
    }
    for (int32_t p = 0; p < type->players; p++) {
        shares[p] = side == PLOY_BOARD_OVER ? mcts_share(m, tree->position, p)
                                            : mcts_guess(m, tree->position, p);
    }
}

static void mcts_node_init(mcts_node *node, ploy_board_move move, int32_t mover) {
    memset(node, 0, sizeof *node);
    node->move = move;
    node->mover = (int8_t)mover;
    node->count = -1;
}

// Adds the children of a node whose position is on the tree's board. False: no room. value (may be
// NULL) receives what the guide says for the side.
static bool mcts_expand(ploy_board_mcts *m, mcts_tree *tree, mcts_node *node, int32_t side,
                        float *value) {
    const ploy_board_type *type = m->board.type;
    int32_t count = type->moves(m->board.rules, tree->position, tree->moves, type->max_moves);
    if (count > m->def.nodes - tree->count) {
        tree->full = true;
        return false;
    }
    node->first = tree->count;
    node->count = count;
    float sum = 0.0f;
    bool guided = m->hooks.guide != NULL && side != PLOY_BOARD_CHANCE;
    if (guided) {
        float chance =
            m->hooks.guide(m->hooks.user, tree->position, side, tree->moves, count, tree->priors);
        if (value != NULL) *value = chance;
    }
    for (int32_t i = 0; i < count; i++) {
        mcts_node *child = &tree->nodes[tree->count++];
        mcts_node_init(child, tree->moves[i], side);
        if (guided) {
            child->prior = tree->priors[i];
        } else if (m->def.prior_visits > 0 && type->prior != NULL && side != PLOY_BOARD_CHANCE) {
            child->prior = type->prior(m->board.rules, tree->position, tree->moves[i]);
            sum += child->prior;
        }
    }
    for (int32_t i = 0; i < count && sum > 0.0f; i++) {
        mcts_node *child = &tree->nodes[node->first + i];
        child->prior /= child->prior + sum / (float)count;
    }
    return true;
}

static float mcts_choice_value(ploy_board_mcts *m, mcts_tree *tree, mcts_node *child,
                               int32_t total) {
    if (m->hooks.select != NULL) {
        ploy_board_choice choice = {child->move, child->wins, child->visits, child->prior};
        return m->hooks.select(m->hooks.user, &choice, total);
    }
    float wins = child->wins;
    int32_t visits = child->visits;
    if (m->hooks.guide != NULL) {
        // An unvisited move counts as a bit worse than even, so that good ones are followed first.
        float ratio = visits > 0 ? wins / (float)visits : 0.4f;
        return ratio +
               m->def.exploration * child->prior * sqrtf((float)total) / (float)(1 + visits);
    }
    if (child->prior > 0.0f) {
        // Virtual playouts: their number says how sure the prior is, their wins how good the move.
        wins += child->prior * (float)m->def.prior_visits;
        visits += m->def.prior_visits;
    }
    float value = ploy_board_uct(wins, visits, total, m->def.exploration);
    if (visits > 0 && m->def.rave > 0 && child->rave_visits > 0) {
        float n = (float)visits, r = (float)child->rave_visits;
        float beta = r / (r + n + n * r / (float)m->def.rave);
        value += beta * (child->rave_wins / r - wins / n);
    }
    if (m->def.evaluation > 0.0f && m->board.type->evaluate != NULL) {
        if (!child->valued && child->mover != PLOY_BOARD_CHANCE) {
            // The position on the board is the parent's.
            const ploy_board_type *type = m->board.type;
            memcpy(tree->copy, tree->position, m->position_bytes);
            type->make(m->board.rules, tree->copy, child->move, NULL);
            bool over = type->side(m->board.rules, tree->copy) == PLOY_BOARD_OVER;
            child->value = over ? mcts_share(m, tree->copy, child->mover)
                                : mcts_guess(m, tree->copy, child->mover);
            child->valued = 1;
        }
        value += m->def.evaluation * child->value;
    }
    return value;
}

static mcts_node *mcts_find_child(mcts_tree *tree, const mcts_node *node, ploy_board_move move) {
    for (int32_t i = 0; i < node->count; i++) {
        mcts_node *child = &tree->nodes[node->first + i];
        if (child->move == move) return child;
    }
    return NULL;
}

// Whether a child is possible in the position on the board: with redrawn hidden information a node
// has the moves of all draws seen so far.
static bool mcts_legal(const mcts_tree *tree, int32_t count, ploy_board_move move) {
    for (int32_t i = 0; i < count; i++) {
        if (tree->moves[i] == move) return true;
    }
    return false;
}

static mcts_node *mcts_select(ploy_board_mcts *m, mcts_tree *tree, mcts_node *node, int32_t side) {
    const ploy_board_type *type = m->board.type;
    int32_t count = 0;
    if (side == PLOY_BOARD_CHANCE || m->hidden) {
        count = type->moves(m->board.rules, tree->position, tree->moves, type->max_moves);
    }
    if (side == PLOY_BOARD_CHANCE) {
        return mcts_find_child(tree, node, mcts_chance_move(m, tree, count));
    }
    // An untried move at random, else the best by the rule.
    int32_t untried = 0, total = 0;
    bool priors = m->def.prior_visits > 0 && type->prior != NULL;
    for (int32_t i = 0; i < node->count; i++) {
        const mcts_node *child = &tree->nodes[node->first + i];
        if (m->hidden && !mcts_legal(tree, count, child->move)) continue;
        if (child->visits == 0 && !priors && m->hooks.select == NULL && m->hooks.guide == NULL)
            untried++;
        total += child->visits;
    }
    if (untried > 0) {
        int32_t pick = ploy_rng_int(&tree->rng, 0, untried - 1);
        for (int32_t i = 0; i < node->count; i++) {
            mcts_node *child = &tree->nodes[node->first + i];
            if (m->hidden && !mcts_legal(tree, count, child->move)) continue;
            if (child->visits == 0 && pick-- == 0) return child;
        }
    }
    mcts_node *best = NULL;
    float value = -INFINITY;
    for (int32_t i = 0; i < node->count; i++) {
        mcts_node *child = &tree->nodes[node->first + i];
        if (m->hidden && !mcts_legal(tree, count, child->move)) continue;
        if (m->def.prove && child->proven > 0) return child;
        if (m->def.prove && child->proven < 0) continue;
        float now = mcts_choice_value(m, tree, child, total + 1 > 1 ? total : 1);
        if (best == NULL || now > value) {
            best = child;
            value = now;
        }
    }
    // Every move loses: the first one is as good as any.
    return best != NULL ? best : &tree->nodes[node->first];
}

// A node is lost for its mover when a reply is won by the replying side, and won when all replies
// lose. Only for two players without chance or hidden information.
static void mcts_prove(mcts_tree *tree, mcts_node **path, int32_t count) {
    for (int32_t i = count - 2; i >= 0; i--) {
        mcts_node *node = path[i];
        if (node->count <= 0 || tree->nodes[node->first].mover == PLOY_BOARD_CHANCE) return;
        bool all = true, any = false;
        for (int32_t k = 0; k < node->count; k++) {
            const mcts_node *child = &tree->nodes[node->first + k];
            any = any || child->proven > 0;
            all = all && child->proven < 0;
        }
        // The children's mover may be the same player, who moves twice.
        bool same = tree->nodes[node->first].mover == node->mover && i > 0;
        if (any)
            node->proven = same ? 1 : -1;
        else if (all)
            node->proven = same ? -1 : 1;
        else
            return;
        if (i == 0) node->proven = 0; // the root is always searched
    }
}

// The place of a move in the table of first movers: its own, or the free one where it belongs.
static mcts_first *mcts_find_first(const mcts_tree *tree, ploy_board_move move) {
    uint32_t at = (uint32_t)((move * UINT64_C(0x9E3779B97F4A7C15)) >> 40) & tree->first_mask;
    while (tree->first[at].stamp == tree->stamp && tree->first[at].move != move) {
        at = (at + 1) & tree->first_mask;
    }
    return &tree->first[at];
}

static void mcts_update_rave(mcts_tree *tree, mcts_node **path, int32_t count,
                             const float shares[PLOY_BOARD_PLAYERS_MAX]) {
    if (++tree->stamp == 0) { // all stamps were used: none may be taken for a new one
        memset(tree->first, 0, sizeof *tree->first * ((size_t)tree->first_mask + 1));
        tree->stamp = 1;
    }
    // Every later move of the mover counts as if it had been played at once, unless another player made it before.
    int32_t from = tree->played_count;
    for (int32_t i = count - 1; i >= 0; i--) {
        while (from > i) {
            mcts_first *first = mcts_find_first(tree, tree->played[--from]);
            *first = (mcts_first){tree->played[from], tree->stamp, tree->players[from]};
        }
        mcts_node *node = path[i];
        for (int32_t k = 0; k < node->count; k++) {
            mcts_node *child = &tree->nodes[node->first + k];
            if (child->mover == PLOY_BOARD_CHANCE) break;
            const mcts_first *first = mcts_find_first(tree, child->move);
            if (first->stamp != tree->stamp || first->player != child->mover) continue;
            child->rave_visits++;
            child->rave_wins += shares[child->mover];
        }
    }
}

static void mcts_iterate(ploy_board_mcts *m, mcts_tree *tree) {
    const ploy_board_type *type = m->board.type;
    mcts_node *path[MCTS_PATH];
    int32_t depth = 0;
    size_t longest = (size_t)m->def.playout_plies + MCTS_PATH;
    memcpy(tree->position, m->root, m->position_bytes);
    if (m->hidden) type->redraw(m->board.rules, tree->position, m->root_side, &tree->rng);
    tree->played_count = 0;
    mcts_node *node = &tree->nodes[0];
    path[depth++] = node;
    int32_t side = type->side(m->board.rules, tree->position);
    while (side != PLOY_BOARD_OVER && depth < MCTS_PATH) {
        if (node->count < 0) {
            if (depth > 1 && node->visits < m->def.expand) break;
            if (!mcts_expand(m, tree, node, side, NULL)) break;
        }
        mcts_node *child = mcts_select(m, tree, node, side);
        if (child == NULL) break; // a draw with moves that the node has not seen
        bool fresh = child->visits == 0;
        mcts_note(tree, child->move, side, longest);
        type->make(m->board.rules, tree->position, child->move, NULL);
        child->key = type->hash(m->board.rules, tree->position);
        side = type->side(m->board.rules, tree->position);
        path[depth++] = node = child;
        if (fresh) break;
    }
    float shares[PLOY_BOARD_PLAYERS_MAX] = {0};
    bool over = side == PLOY_BOARD_OVER;
    float value = 0.0f;
    if (m->hooks.guide != NULL && !over && side != PLOY_BOARD_CHANCE && type->players == 2 &&
        node->count < 0 && mcts_expand(m, tree, node, side, &value)) {
        shares[side] = value;
        shares[1 - side] = 1.0f - value;
    } else {
        mcts_playout(m, tree, shares);
    }
    for (int32_t i = 0; i < depth; i++) {
        path[i]->visits++;
        if (path[i]->mover >= 0 && path[i]->mover < type->players) {
            path[i]->wins += shares[path[i]->mover];
        }
    }
    bool exact = type->players == 2 && !m->hidden && (type->flags & PLOY_BOARD_ZERO_SUM) != 0;
    if (m->def.prove && exact && over && node->mover < type->players && depth > 1 &&
        shares[node->mover] != 0.5f) {
        node->proven = shares[node->mover] > 0.5f ? 1 : -1;
        mcts_prove(tree, path, depth);
    }
    if (m->def.rave > 0) mcts_update_rave(tree, path, depth, shares);
    tree->playouts++;
}

// ---- begin to outcome

// Moves the part of the tree below `node` to the front; breadth first, so children stay together.
static void mcts_keep_part(mcts_tree *tree, int32_t from) {
    mcts_node *to = tree->spare;
    int32_t count = 1;
    to[0] = tree->nodes[from];
    for (int32_t i = 0; i < count; i++) {
        if (to[i].count <= 0) continue;
        int32_t first = count;
        memcpy(&to[count], &tree->nodes[to[i].first], sizeof *to * (size_t)to[i].count);
        count += to[i].count;
        to[i].first = first;
    }
    tree->spare = tree->nodes;
    tree->nodes = to;
    tree->count = count;
}

// The node of the new position: the root, a child or a grandchild; -1: none.
static int32_t mcts_locate(const mcts_tree *tree, uint64_t key) {
    if (tree->count == 0) return -1;
    const mcts_node *root = &tree->nodes[0];
    if (root->key == key) return 0;
    for (int32_t i = 0; i < root->count; i++) {
        const mcts_node *child = &tree->nodes[root->first + i];
        if (child->visits > 0 && child->key == key) return root->first + i;
        for (int32_t k = 0; k < child->count; k++) {
            const mcts_node *next = &tree->nodes[child->first + k];
            if (next->visits > 0 && next->key == key) return child->first + k;
        }
    }
    return -1;
}

ploy_result ploy_board_mcts_begin(ploy_board_mcts *mcts, const void *position) {
    ploy_board_mcts *m = mcts;
    const ploy_board_type *type = m->board.type;
    int32_t side = type->side(m->board.rules, position);
    if (side < 0 || side >= type->players) return PLOY_ERR_STATE;
    memcpy(m->root, position, m->position_bytes);
    uint64_t key = type->hash(m->board.rules, position);
    m->kept = 0;
    ploy_rng_key draws = ploy_rng_key_split(ploy_rng_key_make(m->def.seed), m->searches++);
    for (int32_t i = 0; i < m->def.trees; i++) {
        mcts_tree *tree = &m->trees[i];
        int32_t at = m->def.keep && m->begun && !m->hidden ? mcts_locate(tree, key) : -1;
        // A kept node must have been expanded in this very position, chance and hidden ones not.
        if (at >= 0) {
            mcts_keep_part(tree, at);
            m->kept += tree->nodes[0].visits;
        } else {
            mcts_node_init(&tree->nodes[0], PLOY_BOARD_NO_MOVE, -1);
            tree->count = 1;
        }
        tree->nodes[0].mover = -1;
        tree->nodes[0].proven = 0;
        tree->nodes[0].key = key;
        tree->playouts = 0;
        tree->full = false;
        tree->rng = ploy_rng_from_key(draws, (uint64_t)i);
    }
    m->root_side = side;
    m->limit = m->def.playouts;
    m->begun = true;
    m->done = m->partial = false;
    return PLOY_OK;
}

void ploy_board_mcts_limit(ploy_board_mcts *mcts, int32_t playouts) {
    if (playouts > 0) mcts->limit = playouts;
}

static void mcts_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    ploy_board_mcts *m = arg;
    for (int32_t i = first; i < first + count; i++) {
        for (int64_t k = 0; k < m->share[i]; k++) mcts_iterate(m, &m->trees[i]);
    }
}

static int64_t mcts_made(const ploy_board_mcts *m) {
    int64_t sum = 0;
    for (int32_t i = 0; i < m->def.trees; i++) sum += m->trees[i].playouts;
    return sum;
}

// A single move, or a proven one, needs no more playouts.
static bool mcts_settled(const ploy_board_mcts *m) {
    if (!m->def.prove) return false;
    for (int32_t i = 0; i < m->def.trees; i++) {
        const mcts_tree *tree = &m->trees[i];
        const mcts_node *root = &tree->nodes[0];
        for (int32_t k = 0; k < root->count; k++) {
            if (tree->nodes[root->first + k].proven > 0) return true;
        }
    }
    return false;
}

ploy_result ploy_board_mcts_step(ploy_board_mcts *mcts, ploy_budget *budget) {
    ploy_board_mcts *m = mcts;
    if (!m->begun) return PLOY_ERR_STATE;
    while (!m->done) {
        int64_t made = mcts_made(m), left = m->limit - made;
        if (left <= 0 || mcts_settled(m)) {
            m->done = true;
            break;
        }
        // Trees take turns, so that any slice ends with the same statistics. A round of one playout
        // for each tree is what the workers share; proofs are looked at between rounds.
        int32_t at = (int32_t)(made % m->def.trees);
        int32_t round = m->def.trees - at;
        if (round > left) round = (int32_t)left;
        int32_t given = 0;
        memset(m->share, 0, sizeof m->share);
        while (given < round && (budget == NULL || ploy_budget_spend(budget, 1))) {
            m->share[at + given++] = 1;
        }
        if (given == 0) return PLOY_IN_PROGRESS;
        ploy_jobs_run(m->def.trees > 1 ? m->jobs : NULL, mcts_job, m, m->def.trees, 1);
    }
    return PLOY_OK;
}

void ploy_board_mcts_cancel(ploy_board_mcts *mcts) {
    if (!mcts->begun || mcts->done) return;
    mcts->done = mcts->partial = true;
}

// A root move over all trees.
static ploy_board_mcts_move mcts_sum(const ploy_board_mcts *m, ploy_board_move move) {
    ploy_board_mcts_move out = {move, 0, 0.0f, 0.0f, 0};
    double wins = 0.0;
    for (int32_t i = 0; i < m->def.trees; i++) {
        mcts_tree *tree = &m->trees[i];
        const mcts_node *child = mcts_find_child(tree, &tree->nodes[0], move);
        if (child == NULL) continue;
        out.visits += child->visits;
        wins += (double)child->wins;
        if (child->proven != 0) out.proven = child->proven;
    }
    if (out.visits > 0) {
        out.ratio = (float)(wins / (double)out.visits);
        out.confidence = 1.96f * sqrtf(out.ratio * (1.0f - out.ratio) / (float)out.visits);
    }
    return out;
}

static bool mcts_better(const ploy_board_mcts *m, const ploy_board_mcts_move *a,
                        const ploy_board_mcts_move *b) {
    if (a->proven != b->proven) return a->proven > b->proven;
    if (m->def.most_visited) {
        return a->visits != b->visits ? a->visits > b->visits : a->ratio > b->ratio;
    }
    return a->ratio > b->ratio;
}

int32_t ploy_board_mcts_move_count(const ploy_board_mcts *mcts) {
    if (!mcts->begun || mcts->trees[0].nodes[0].count < 0) return 0;
    return mcts->trees[0].nodes[0].count;
}

ploy_board_mcts_move ploy_board_mcts_move_at(const ploy_board_mcts *mcts, int32_t index) {
    const mcts_tree *tree = &mcts->trees[0];
    int32_t count = ploy_board_mcts_move_count(mcts);
    for (int32_t i = 0; i < count; i++) {
        ploy_board_mcts_move a = mcts_sum(mcts, tree->nodes[tree->nodes[0].first + i].move);
        int32_t rank = 0;
        for (int32_t k = 0; k < count; k++) {
            if (k == i) continue;
            ploy_board_mcts_move b = mcts_sum(mcts, tree->nodes[tree->nodes[0].first + k].move);
            if (mcts_better(mcts, &b, &a) || (!mcts_better(mcts, &a, &b) && k < i)) rank++;
        }
        if (rank == index) return a;
    }
    return (ploy_board_mcts_move){PLOY_BOARD_NO_MOVE, 0, 0.0f, 0.0f, 0};
}

ploy_board_mcts_outcome ploy_board_mcts_outcome_of(const ploy_board_mcts *mcts) {
    const ploy_board_mcts *m = mcts;
    ploy_board_mcts_outcome out = {0};
    out.done = m->done;
    out.partial = m->partial;
    if (!m->begun) return out;
    out.kept = m->kept;
    for (int32_t i = 0; i < m->def.trees; i++) {
        out.playouts += m->trees[i].playouts;
        out.nodes += m->trees[i].count;
        out.full = out.full || m->trees[i].full;
    }
    ploy_board_mcts_move best = ploy_board_mcts_move_at(m, 0);
    out.move = best.move;
    out.ratio = best.ratio;
    // The line follows the most visited children of the first tree.
    mcts_tree *tree = &m->trees[0];
    const mcts_node *node = mcts_find_child(tree, &tree->nodes[0], best.move);
    int32_t count = 0;
    while (node != NULL && count < MCTS_LINE) {
        m->line[count++] = node->move;
        const mcts_node *next = NULL;
        for (int32_t i = 0; i < node->count; i++) {
            const mcts_node *child = &tree->nodes[node->first + i];
            if (child->visits > 0 && (next == NULL || child->visits > next->visits)) next = child;
        }
        node = next;
    }
    out.line_count = count;
    out.line = m->line;
    return out;
}
