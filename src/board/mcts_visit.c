// The visitor of the Monte Carlo search: describe, hash, save, load and memory of one list of fields.
//
// Trees are saved as bytes. They hold moves and numbers of nodes that the search trusts, so a load compares a
// checksum and refuses bytes that were changed.
#include "board/mcts_internal.h"
#include "board_internal.h"

#include "ploy/base/hash.h"

static void mcts_visit_describe(const ploy_board_mcts *m, ploy_describe *out) {
    if (!m->begun) return;
    ploy_board_mcts_outcome outcome = ploy_board_mcts_outcome_of(m);
    char text[PLOY_BOARD_MOVE_TEXT];
    ploy_describe_bool(out, "done", PLOY_STATE, outcome.done);
    ploy_describe_i64(out, "playouts", PLOY_STATE, outcome.playouts);
    ploy_describe_i64(out, "nodes", PLOY_STATE, outcome.nodes);
    ploy_describe_i64(out, "kept", PLOY_STATE, outcome.kept);
    ploy_describe_begin(out, "moves");
    for (int32_t i = 0; i < ploy_board_mcts_move_count(m); i++) {
        ploy_board_mcts_move move = ploy_board_mcts_move_at(m, i);
        ployi_board_move_text(m->board, m->root, move.move, text);
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "move", PLOY_STATE, text);
        ploy_describe_i64(out, "visits", PLOY_STATE, move.visits);
        ploy_describe_f32(out, "ratio", PLOY_STATE, move.ratio);
        ploy_describe_f32(out, "confidence", PLOY_DERIVED, move.confidence);
        ploy_describe_i64(out, "proven", PLOY_STATE, move.proven);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

static void mcts_visit_tree(ploy_visit *v, ploy_board_mcts *m, mcts_tree *tree) {
    ploy_visit_struct(v, "tree", tree, sizeof *tree);
    PLOY_VISIT_SCRATCH(v, tree->nodes);
    PLOY_VISIT_SCRATCH(v, tree->position);
    PLOY_VISIT_SCRATCH(v, tree->copy);
    PLOY_VISIT_SCRATCH(v, tree->moves);
    PLOY_VISIT_SCRATCH(v, tree->priors);
    PLOY_VISIT_SCRATCH(v, tree->played);
    PLOY_VISIT_SCRATCH(v, tree->players);
    PLOY_VISIT_SCRATCH(v, tree->played_count);
    PLOY_VISIT_SCRATCH(v, tree->first);
    PLOY_VISIT_SCRATCH(v, tree->first_mask);
    PLOY_VISIT_SCRATCH(v, tree->stamp);
    PLOY_VISIT_SCRATCH(v, tree->spare);
    ploy_visit_i32_in(v, "count", PLOY_SAVED, &tree->count, 0, m->def.nodes);
    ploy_visit_i32_in(v, "playouts", PLOY_SAVED, &tree->playouts, 0, INT32_MAX);
    ploy_visit_bool(v, "full", PLOY_SAVED, &tree->full);
    ploy_visit_rng(v, "rng", PLOY_SAVED, &tree->rng);
    if (!ploy_visit_is_ok(v)) return;
    ploy_visit_trimmed(v, "nodes", PLOY_SAVED, tree->nodes,
                       sizeof(mcts_node) * (size_t)tree->count);
}

static uint64_t mcts_visit_sum(const ploy_board_mcts *m) {
    uint64_t sum = ploy_hash_bytes(m->root, m->position_bytes, ploy_hash_text(m->board.type->name));
    for (int32_t i = 0; i < m->def.trees; i++) {
        const mcts_tree *tree = &m->trees[i];
        sum = ploy_hash_bytes(tree->nodes, sizeof(mcts_node) * (size_t)tree->count, sum);
    }
    return ploy_hash_combine(sum, (uint64_t)m->root_side + (m->begun ? 256 : 0));
}

void ploy_board_mcts_visit(ploy_visit *v, void *object) {
    ploy_board_mcts *m = object;
    ploy_visit_object(v, "mcts", m, sizeof *m);
    ploy_visit_block(v, "mcts.trees", m->block, m->bytes);
    if (v->describe != NULL) {
        mcts_visit_describe(m, v->describe);
        return;
    }
    PLOY_VISIT_SCRATCH(v, m->env);
    PLOY_VISIT_SCRATCH(v, m->def);
    PLOY_VISIT_SCRATCH(v, m->board);
    PLOY_VISIT_SCRATCH(v, m->hooks);
    PLOY_VISIT_SCRATCH(v, m->jobs);
    PLOY_VISIT_SCRATCH(v, m->position_bytes);
    PLOY_VISIT_SCRATCH(v, m->bytes);
    PLOY_VISIT_SCRATCH(v, m->block);
    PLOY_VISIT_SCRATCH(v, m->root);
    PLOY_VISIT_SCRATCH(v, m->trees);
    PLOY_VISIT_SCRATCH(v, m->hidden);
    PLOY_VISIT_SCRATCH(v, m->line);
    PLOY_VISIT_SCRATCH(v, m->share);
    ploy_value bytes = ploy_value_u64(m->position_bytes);
    ploy_visit_same(v, "bytes", PLOY_SAVED, &bytes);
    ploy_visit_i32_in(v, "root_side", PLOY_SAVED, &m->root_side, 0, PLOY_BOARD_PLAYERS_MAX);
    ploy_visit_i32_in(v, "limit", PLOY_SAVED, &m->limit, 0, INT32_MAX);
    ploy_visit_i32_in(v, "kept", PLOY_SAVED, &m->kept, 0, INT32_MAX);
    ploy_visit_u64(v, "searches", PLOY_SAVED, &m->searches);
    ploy_visit_bool(v, "begun", PLOY_SAVED, &m->begun);
    ploy_visit_bool(v, "done", PLOY_SAVED, &m->done);
    ploy_visit_bool(v, "partial", PLOY_SAVED, &m->partial);
    ploy_visit_bytes(v, "root", PLOY_SAVED, m->root, m->position_bytes);
    int32_t trees = ploy_visit_fixed(v, "trees", PLOY_SAVED, m->def.trees);
    for (int32_t i = 0; i < trees; i++) {
        ploy_visit_begin_item(v, i, PLOY_SAVED);
        mcts_visit_tree(v, m, &m->trees[i]);
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
    uint64_t sum = v->mode == PLOY_VISIT_SAVE ? mcts_visit_sum(m) : 0;
    ploy_visit_hex64(v, "sum", PLOY_SAVED, v->mode == PLOY_VISIT_SAVE ? &sum : &m->sum);
    ploy_visit_check(v, !ploy_visit_loads(v) || !ploy_visit_is_ok(v) || m->sum == mcts_visit_sum(m),
                     "the trees of the search were changed", "the bytes that were saved");
}

void ploy_board_mcts_describe(const ploy_board_mcts *mcts, ploy_describe *out) {
    if (out != NULL) mcts_visit_describe(mcts, out);
}

void ploy_board_mcts_memory(const ploy_board_mcts *mcts, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_board_mcts_visit, mcts, fn, user);
}
