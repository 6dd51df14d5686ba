// The visitor of the tree search: describe, hash, save, load and memory of one list of fields.
//
// The stack is saved as bytes, as it is between two nodes. They hold positions and moves that the game's
// functions trust, so a load compares a checksum and refuses bytes that were changed.
#include "board/search_internal.h"
#include "board_internal.h"

#include "ploy/base/hash.h"

// What people and hashes see; move texts need the root position, so they are left out below it.
static void search_visit_describe(const ploy_board_search *s, ploy_describe *out) {
    if (!s->begun) return;
    char text[PLOY_BOARD_MOVE_TEXT];
    ploy_describe_bool(out, "done", PLOY_STATE, s->done);
    ploy_describe_bool(out, "partial", PLOY_STATE, s->partial);
    ploy_describe_u64(out, "move", PLOY_STATE, s->best_move);
    ploy_describe_i64(out, "score", PLOY_STATE, s->best_score);
    ploy_describe_i64(out, "depth", PLOY_STATE, s->best_depth);
    ploy_describe_i64(out, "nodes", PLOY_STATE, s->nodes);
    ploy_describe_i64(out, "leaves", PLOY_STATE, s->leaves);
    ploy_describe_i64(out, "table_cuts", PLOY_STATE, s->table_cuts);
    ploy_describe_i64(out, "ply", PLOY_STATE, s->done ? 0 : s->ply);
    if (!s->done && s->ply > 0) return;
    ploy_describe_begin(out, "moves");
    for (int32_t i = 0; i < s->root_count; i++) {
        ploy_board_root_move move = ploy_board_search_move_at(s, i);
        ploy_describe_begin_item(out, i);
        ployi_board_move_text(s->board, s->position, move.move, text);
        ploy_describe_text(out, "move", PLOY_STATE, text);
        ploy_describe_i64(out, "score", PLOY_STATE, move.score);
        ploy_describe_bool(out, "exact", PLOY_STATE, move.exact);
        ploy_describe_i64(out, "depth", PLOY_STATE, move.depth);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
}

// Fixed at create or set by the caller.
static void search_visit_fixed(ploy_visit *v, ploy_board_search *s) {
    PLOY_VISIT_SCRATCH(v, s->env);
    PLOY_VISIT_SCRATCH(v, s->def);
    PLOY_VISIT_SCRATCH(v, s->board);
    PLOY_VISIT_SCRATCH(v, s->hooks);
    PLOY_VISIT_SCRATCH(v, s->table);
    PLOY_VISIT_SCRATCH(v, s->bytes);
    PLOY_VISIT_SCRATCH(v, s->block);
    PLOY_VISIT_SCRATCH(v, s->position_bytes);
    PLOY_VISIT_SCRATCH(v, s->undo_bytes);
    PLOY_VISIT_SCRATCH(v, s->position);
    PLOY_VISIT_SCRATCH(v, s->undo);
    PLOY_VISIT_SCRATCH(v, s->frames);
    PLOY_VISIT_SCRATCH(v, s->moves);
    PLOY_VISIT_SCRATCH(v, s->orders);
    PLOY_VISIT_SCRATCH(v, s->lines);
    PLOY_VISIT_SCRATCH(v, s->killers);
    PLOY_VISIT_SCRATCH(v, s->history);
    PLOY_VISIT_SCRATCH(v, s->vectors);
    PLOY_VISIT_SCRATCH(v, s->keys);
    PLOY_VISIT_SCRATCH(v, s->roots);
    PLOY_VISIT_SCRATCH(v, s->root_lines);
    PLOY_VISIT_SCRATCH(v, s->best_line);
    PLOY_VISIT_SCRATCH(v, s->windowed);
    PLOY_VISIT_SCRATCH(v, s->scouting);
    PLOY_VISIT_SCRATCH(v, s->mtd);
    PLOY_VISIT_SCRATCH(v, s->maxn);
    PLOY_VISIT_SCRATCH(v, s->paranoid);
    PLOY_VISIT_SCRATCH(v, s->keyed);
    PLOY_VISIT_SCRATCH(v, s->copies);
    PLOY_VISIT_SCRATCH(v, s->jobs);
    PLOY_VISIT_SCRATCH(v, s->lanes);
    PLOY_VISIT_SCRATCH(v, s->lane);
}

static void search_visit_driver(ploy_visit *v, ploy_board_search *s) {
    int32_t plies = s->def.max_ply, most = s->board.type->max_moves;
    int32_t far = PLOY_BOARD_INFINITY;
    ploy_visit_i32_in(v, "history_count", PLOY_SAVED, &s->history_count, 0, PLOY_BOARD_HISTORY);
    ploy_visit_i32_in(v, "root_count", PLOY_SAVED, &s->root_count, 0, most);
    ploy_visit_i32_in(v, "root_side", PLOY_SAVED, &s->root_side, 0, PLOY_BOARD_PLAYERS_MAX);
    ploy_visit_hex64(v, "table_salt", PLOY_SAVED, &s->table_salt);
    ploy_visit_i32_in(v, "ply", PLOY_SAVED, &s->ply, 0, plies);
    int64_t action = 0;
    if (ploy_visit_packed(v, "action", PLOY_SAVED, (int64_t)s->action, 0, SEARCH_ROUNDS, &action)) {
        search_action loaded = (search_action)action;
        PLOY_VISIT_WRITE(v, s->action, loaded);
    }
    PLOY_VISIT_SCRATCH(v, s->action);
    ploy_visit_i32(v, "value", PLOY_SAVED, &s->value);
    ploy_visit_bool(v, "begun", PLOY_SAVED, &s->begun);
    ploy_visit_bool(v, "done", PLOY_SAVED, &s->done);
    ploy_visit_bool(v, "partial", PLOY_SAVED, &s->partial);
    ploy_visit_i32_in(v, "limit_depth", PLOY_SAVED, &s->limit_depth, 0, INT32_MAX);
    ploy_visit_i64_in(v, "limit_nodes", PLOY_SAVED, &s->limit_nodes, 0, INT64_MAX);
    ploy_visit_i32_in(v, "depth", PLOY_SAVED, &s->depth, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "pass", PLOY_SAVED, &s->pass, 0, INT32_MAX - 1);
    ploy_visit_i32_in(v, "window_lo", PLOY_SAVED, &s->window_lo, -far, far);
    ploy_visit_i32_in(v, "window_hi", PLOY_SAVED, &s->window_hi, -far, far);
    ploy_visit_i32_in(v, "mtd_lo", PLOY_SAVED, &s->mtd_lo, -far, far);
    ploy_visit_i32_in(v, "mtd_hi", PLOY_SAVED, &s->mtd_hi, -far, far);
    ploy_visit_i32_in(v, "mtd_guess", PLOY_SAVED, &s->mtd_guess, -far, far);
    ploy_visit_i32_in(v, "mtd_bound", PLOY_SAVED, &s->mtd_bound, -far, far + 1);
    ploy_visit_i32_in(v, "only", PLOY_SAVED, &s->only, -1, most - 1);
    ploy_visit_bool(v, "mtd_fallback", PLOY_SAVED, &s->mtd_fallback);
    ploy_visit_u64(v, "pass_move", PLOY_SAVED, &s->pass_move);
    ploy_visit_u64(v, "best_move", PLOY_SAVED, &s->best_move);
    ploy_visit_i32_in(v, "best_score", PLOY_SAVED, &s->best_score, -far, far);
    ploy_visit_i32_in(v, "best_lower", PLOY_SAVED, &s->best_lower, -far, far);
    ploy_visit_i32_in(v, "best_upper", PLOY_SAVED, &s->best_upper, -far, far);
    ploy_visit_i32_in(v, "best_depth", PLOY_SAVED, &s->best_depth, 0, INT32_MAX);
    ploy_visit_i32_in(v, "best_passes", PLOY_SAVED, &s->best_passes, 0, INT32_MAX);
    ploy_visit_i32_in(v, "best_line_count", PLOY_SAVED, &s->best_line_count, 0, plies);
    ploy_visit_i32_in(v, "deepest", PLOY_SAVED, &s->deepest, 0, plies);
    ploy_visit_i64_in(v, "nodes", PLOY_SAVED, &s->nodes, 0, INT64_MAX);
    ploy_visit_i64_in(v, "leaves", PLOY_SAVED, &s->leaves, 0, INT64_MAX);
    ploy_visit_i64_in(v, "table_cuts", PLOY_SAVED, &s->table_cuts, 0, INT64_MAX);
    ploy_visit_i32_in(v, "floor", PLOY_SAVED, &s->floor, -far, far);
    ploy_visit_i64_in(v, "owed", PLOY_SAVED, &s->owed, 0, INT64_MAX);
}

// The stack and every number that is used with it as an index.
static uint64_t search_visit_sum(const ploy_board_search *s) {
    uint64_t sum = ploy_hash_bytes(s->block, s->bytes, ploy_hash_text(s->board.type->name));
    const int32_t numbers[] = {s->ply,  s->root_count, s->history_count,   s->root_side,
                               s->only, s->depth,      s->best_line_count, (int32_t)s->action};
    return ploy_hash_bytes(numbers, sizeof numbers, sum);
}

// Between two rounds the lanes have nothing that is not committed.
static void search_visit_lanes(ploy_visit *v, ploy_board_search *s) {
    size_t bytes = sizeof(search_lane) * (size_t)s->def.lanes;
    ploy_visit_block(v, "search.lanes", s->lanes, bytes);
    ploy_visit_fixed(v, "lanes", PLOY_SAVED, s->def.lanes);
    for (int32_t i = 0; i < s->def.lanes; i++) {
        search_lane *lane = &s->lanes[i];
        ploy_visit_begin_item(v, i, PLOY_SAVED);
        PLOY_VISIT_SCRATCH(v, lane->search);
        PLOY_VISIT_SCRATCH(v, lane->stores);
        PLOY_VISIT_SCRATCH(v, lane->probes);
        PLOY_VISIT_SCRATCH(v, lane->hits);
        PLOY_VISIT_SCRATCH(v, lane->units);
        ploy_visit_bool(v, "active", PLOY_SAVED, &lane->active);
        ploy_visit_i64_in(v, "nodes_taken", PLOY_SAVED, &lane->counts[0], 0, INT64_MAX);
        ploy_visit_i64_in(v, "leaves_taken", PLOY_SAVED, &lane->counts[1], 0, INT64_MAX);
        ploy_visit_i64_in(v, "cuts_taken", PLOY_SAVED, &lane->counts[2], 0, INT64_MAX);
        ploy_visit_i64_in(v, "move_nodes", PLOY_SAVED, &lane->move_nodes, 0, INT64_MAX);
        ploy_board_search_visit(v, lane->search);
        if (lane->stores != NULL) {
            ploy_visit_begin(v, "stores", PLOY_SAVED);
            ploy_board_table_visit(v, lane->stores);
            ploy_visit_end(v);
        }
        ploy_visit_end(v);
    }
    ploy_visit_end(v);
}

void ploy_board_search_visit(ploy_visit *v, void *object) {
    ploy_board_search *s = object;
    ploy_visit_object(v, "search", s, sizeof *s);
    ploy_visit_block(v, "search.stack", s->block, s->bytes);
    if (v->describe != NULL) {
        search_visit_describe(s, v->describe);
        return;
    }
    search_visit_fixed(v, s);
    search_visit_driver(v, s);
    ploy_value bytes = ploy_value_u64(s->bytes);
    ploy_visit_same(v, "bytes", PLOY_SAVED, &bytes);
    ploy_visit_trimmed(v, "stack", PLOY_SAVED, s->block, s->bytes);
    uint64_t sum = v->mode == PLOY_VISIT_SAVE ? search_visit_sum(s) : 0;
    ploy_visit_hex64(v, "sum", PLOY_SAVED, v->mode == PLOY_VISIT_SAVE ? &sum : &s->sum);
    ploy_visit_check(v, !ploy_visit_loads(v) || s->sum == search_visit_sum(s),
                     "the stack of the search was changed", "the bytes that were saved");
    if (s->lanes != NULL) search_visit_lanes(v, s);
    if (s->table == NULL || s->lane != NULL) return;
    ploy_visit_begin(v, "table", PLOY_SAVED);
    ploy_board_table_visit(v, s->table);
    ploy_visit_end(v);
}

void ploy_board_search_describe(const ploy_board_search *search, ploy_describe *out) {
    if (out != NULL) search_visit_describe(search, out);
}

void ploy_board_search_memory(const ploy_board_search *search, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_board_search_visit, search, fn, user);
}
