// Players: sources, then a search at a level; see the header.
#include "ploy/board/player.h"

#include "ploy/base/hash.h"

#include <string.h>

static const ploy_field player_fields[] = {
    PLOY_FIELD_I32(ploy_board_player_def, level, 10, 0, 10, "", "1 to 10; 0: no limit"),
    PLOY_FIELD_BOOL(ploy_board_player_def, monte_carlo, false, "the search is Monte Carlo"),
    PLOY_FIELD_U64(ploy_board_player_def, seed, 1, "of books and levels"),
    PLOY_FIELD_I32(ploy_board_player_def, nodes, 100000, 100, 100000000, "",
                   "nodes or playouts of level 10"),
    PLOY_FIELD_I32(ploy_board_player_def, loss, 0, 0, PLOY_BOARD_EVALUATION, "",
                   "largest loss of a move at level 1; 0: by the game's scale"),
    PLOY_FIELD_DEF(ploy_board_player_def, search, ploy_board_search_fields, "the tree search"),
    PLOY_FIELD_DEF(ploy_board_player_def, mcts, ploy_board_mcts_fields, "the Monte Carlo search"),
};

enum { PLAYER_CANDIDATES = 64 };

struct ploy_board_player {
    ploy_env env;
    ploy_board_player_def def;
    ploy_board board;
    ploy_board_search *search; // one of the two
    ploy_board_mcts *mcts;
    ploy_board_source sources[PLOY_BOARD_SOURCES];
    int32_t source_count;
    ploy_rng rng;
    size_t position_bytes;
    size_t bytes;
    unsigned char *block;
    unsigned char *position;
    ploy_board_move *moves; // max_moves
    uint64_t *keys;         // PLOY_BOARD_HISTORY
    int32_t key_count;
    int32_t chosen_by; // PLAYER_BY_, or PLAYER_BY_SOURCE + number of the source
    bool thinking, pondering;
    uint64_t sum; // of a load: what the file says
    ploy_board_choice_made choice;
};

// Who chose the move. The text of the choice follows from it, so that a save needs no pointer.
enum {
    PLAYER_BY_NONE,
    PLAYER_BY_SEARCH,
    PLAYER_BY_MCTS,
    PLAYER_BY_ONLY,
    PLAYER_BY_LEVEL,
    PLAYER_BY_SOURCE
};

static void player_chosen_by(ploy_board_player *p, int32_t by) {
    static const char *const texts[PLAYER_BY_SOURCE] = {NULL, "search", "mcts", "only move",
                                                        "level"};
    p->chosen_by = by;
    p->choice.source = by < PLAYER_BY_SOURCE ? texts[by] : p->sources[by - PLAYER_BY_SOURCE].name;
}

static void player_forget(ploy_board_player *p) {
    memset(&p->choice, 0, sizeof p->choice);
    p->chosen_by = PLAYER_BY_NONE;
}

ploy_fields ploy_board_player_fields(void) {
    return PLOY_FIELDS(ploy_board_player_def, player_fields);
}

ploy_board_player_def ploy_board_player_def_default(void) {
    ploy_board_player_def def;
    ploy_fields_default(ploy_board_player_fields(), &def);
    return def;
}

ploy_board_player_def ploy_board_player_def_for(ploy_board board, int32_t level) {
    ploy_board_player_def def = ploy_board_player_def_default();
    const ploy_board_type *type = board.type;
    def.level = level;
    def.monte_carlo = type->evaluate == NULL || (type->flags & PLOY_BOARD_HIDDEN) != 0;
    def.search = ploy_board_search_def_strong(board);
    def.mcts = ploy_board_mcts_def_strong(board);
    if (def.monte_carlo) def.nodes = 10000;
    return def;
}

// ---- levels

// Level 10 has all nodes, each level below 45 % of the one above it.
static int64_t player_units(const ploy_board_player *p) {
    int64_t units = p->def.nodes;
    if (p->def.level == 0) return 0;
    for (int32_t level = p->def.level; level < 10; level++) units = units * 45 / 100;
    return units > 2 ? units : 2;
}

// The loss that a level accepts in one move; none from level 9 on. It falls with the square of the
// level, because a small bound leaves few moves to choose from anyway: with equal steps levels 2 and 3
// are nearly as strong in Connect Four.
static int32_t player_loss(const ploy_board_player *p) {
    if (p->def.level == 0 || p->def.level >= 9) return 0;
    int64_t most = p->def.loss;
    if (most == 0) most = 4 * (p->board.type->unit > 0 ? p->board.type->unit : 100);
    int64_t below = 9 - p->def.level;
    return (int32_t)(most * below * below / 64);
}

// ---- life

void ploy_board_player_destroy(ploy_board_player *player) {
    if (player == NULL) return;
    ploy_board_search_destroy(player->search);
    ploy_board_mcts_destroy(player->mcts);
    ploy_env env = player->env;
    if (player->block != NULL) ploy_env_free(&env, player->block, player->bytes);
    ploy_env_free(&env, player, sizeof *player);
}

ploy_result ploy_board_player_create(const ploy_board_player_def *def, ploy_board board,
                                     const ploy_env *env, ploy_board_player **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    ploy_result result = ploy_fields_check(ploy_board_player_fields(), def, env);
    if (result == PLOY_OK) result = ploy_board_rules_check(board, env);
    if (result != PLOY_OK) return result;
    ploy_board_player *p = ploy_env_alloc_zero(env, sizeof *p);
    if (p == NULL) return PLOY_ERR_MEMORY;
    p->env = *env;
    p->def = *def;
    p->board = board;
    p->rng = ploy_rng_make(def->seed);
    p->position_bytes = board.type->position_bytes(board.rules);
    size_t position = (p->position_bytes + 15) / 16 * 16;
    size_t moves = sizeof(ploy_board_move) * (size_t)board.type->max_moves;
    p->bytes = position + moves + sizeof(uint64_t) * PLOY_BOARD_HISTORY;
    p->block = ploy_env_alloc_zero(env, p->bytes);
    result = p->block == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    if (result == PLOY_OK) {
        p->position = p->block;
        p->moves = (ploy_board_move *)(void *)(p->block + position);
        p->keys = (uint64_t *)(void *)(p->block + position + moves);
        if (def->monte_carlo) {
            result = ploy_board_mcts_create(&def->mcts, board, env, &p->mcts);
        } else {
            ploy_board_search_def search = def->search;
            // Exact scores of more moves cost nodes: a higher level looks at fewer.
            int32_t candidates = 2 + (9 - def->level);
            if (player_loss(p) > 0 && search.candidates < candidates) {
                search.candidates = candidates;
            }
            result = ploy_board_search_create(&search, board, env, &p->search);
        }
    }
    if (result != PLOY_OK) {
        ploy_board_player_destroy(p);
        return result;
    }
    ploy_board_player_new_game(p, NULL);
    *out = p;
    return PLOY_OK;
}

ploy_result ploy_board_player_source_add(ploy_board_player *player,
                                         const ploy_board_source *source) {
    if (player->source_count == PLOY_BOARD_SOURCES) return PLOY_ERR_CAPACITY;
    player->sources[player->source_count++] = *source;
    return PLOY_OK;
}

void ploy_board_player_jobs_set(ploy_board_player *player, const ploy_jobs *jobs) {
    if (player->search != NULL) ploy_board_search_jobs_set(player->search, jobs);
    if (player->mcts != NULL) ploy_board_mcts_jobs_set(player->mcts, jobs);
}

ploy_result ploy_board_player_new_game(ploy_board_player *player, const void *position) {
    ploy_board_player_stop(player);
    if (position != NULL)
        memcpy(player->position, position, player->position_bytes);
    else
        player->board.type->start(player->board.rules, player->position);
    player->key_count = 0;
    player_forget(player);
    if (player->search != NULL && ploy_board_search_table(player->search) != NULL) {
        ploy_board_table_clear(ploy_board_search_table(player->search));
    }
    return PLOY_OK;
}

static bool player_legal(ploy_board_player *p, ploy_board_move move) {
    const ploy_board_type *type = p->board.type;
    if (type->side(p->board.rules, p->position) == PLOY_BOARD_OVER) return false;
    int32_t count = type->moves(p->board.rules, p->position, p->moves, type->max_moves);
    for (int32_t i = 0; i < count; i++) {
        if (p->moves[i] == move) return true;
    }
    return false;
}

ploy_result ploy_board_player_play(ploy_board_player *player, ploy_board_move move) {
    if (!player_legal(player, move)) return PLOY_ERR_ARGUMENT;
    ploy_board_player_stop(player);
    if (player->key_count == PLOY_BOARD_HISTORY) {
        player->key_count--;
        memmove(player->keys, player->keys + 1, sizeof(uint64_t) * (PLOY_BOARD_HISTORY - 1));
    }
    player->keys[player->key_count++] =
        player->board.type->hash(player->board.rules, player->position);
    player->board.type->make(player->board.rules, player->position, move, NULL);
    return PLOY_OK;
}

void ploy_board_player_go_to(ploy_board_player *player, const void *position,
                             const uint64_t *history, int32_t count) {
    ploy_board_player_stop(player);
    memcpy(player->position, position, player->position_bytes);
    int32_t skipped = count > PLOY_BOARD_HISTORY ? count - PLOY_BOARD_HISTORY : 0;
    player->key_count = count - skipped;
    if (player->key_count > 0) {
        memcpy(player->keys, history + skipped, sizeof(uint64_t) * (size_t)player->key_count);
    }
    player_forget(player);
}

const void *ploy_board_player_position(const ploy_board_player *player) {
    return player->position;
}

// ---- thinking

static void player_settle(ploy_board_player *p, ploy_board_move move, int32_t by) {
    p->choice.done = true;
    p->choice.move = p->choice.best = move;
    player_chosen_by(p, by);
    p->thinking = false;
}

static ploy_result player_begin_search(ploy_board_player *p, int64_t units) {
    if (p->mcts != NULL) {
        ploy_result result = ploy_board_mcts_begin(p->mcts, p->position);
        if (result == PLOY_OK && units > 0) {
            ploy_board_mcts_limit(p->mcts, units < INT32_MAX ? (int32_t)units : INT32_MAX);
        }
        return result;
    }
    ploy_result result = ploy_board_search_begin(p->search, p->position, p->keys, p->key_count);
    if (result == PLOY_OK) ploy_board_search_limit(p->search, 0, units);
    return result;
}

ploy_result ploy_board_player_begin(ploy_board_player *player) {
    ploy_board_player *p = player;
    const ploy_board_type *type = p->board.type;
    ploy_board_player_stop(p);
    player_forget(p);
    int32_t side = type->side(p->board.rules, p->position);
    if (side < 0 || side >= type->players) return PLOY_ERR_STATE;
    for (int32_t i = 0; i < p->source_count; i++) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        const ploy_board_source *source = &p->sources[i];
        if (source->find(source->user, p->board, p->position, &p->rng, &move) &&
            player_legal(p, move)) {
            player_settle(p, move, PLAYER_BY_SOURCE + i);
            return PLOY_OK;
        }
    }
    int32_t count = type->moves(p->board.rules, p->position, p->moves, type->max_moves);
    if (count == 1) {
        player_settle(p, p->moves[0], PLAYER_BY_ONLY);
        return PLOY_OK;
    }
    ploy_result result = player_begin_search(p, player_units(p));
    p->thinking = result == PLOY_OK;
    return result;
}

ploy_result ploy_board_player_analyze(ploy_board_player *player) {
    ploy_board_player_stop(player);
    player_forget(player);
    ploy_result result = player_begin_search(player, 0);
    player->thinking = result == PLOY_OK;
    return result;
}

void ploy_board_player_limit(ploy_board_player *player, int32_t depth, int64_t units) {
    if (player->search != NULL) ploy_board_search_limit(player->search, depth, units);
    if (player->mcts != NULL && units > 0) {
        ploy_board_mcts_limit(player->mcts, units < INT32_MAX ? (int32_t)units : INT32_MAX);
    }
}

// Score of a root move at a depth; false: it has no exact one.
static bool player_score_at(const ploy_board_root_move *move, int32_t depth, int32_t *score) {
    bool now = move->depth == depth;
    *score = now ? move->score : move->last_score;
    return now ? move->exact : move->last_depth == depth && move->last_exact;
}

// Among the moves whose loss the level accepts one is drawn; the weight falls with the loss. Only scores of
// the last completed depth are compared: a depth that was cut off has some moves at another one.
static void player_choose_weak(ploy_board_player *p, int32_t loss, int32_t depth) {
    int32_t count = ploy_board_search_move_count(p->search), most = -PLOY_BOARD_INFINITY;
    if (count > PLAYER_CANDIDATES) count = PLAYER_CANDIDATES;
    float weights[PLAYER_CANDIDATES];
    int32_t scores[PLAYER_CANDIDATES];
    bool known[PLAYER_CANDIDATES];
    for (int32_t i = 0; i < count; i++) {
        ploy_board_root_move move = ploy_board_search_move_at(p->search, i);
        known[i] = player_score_at(&move, depth, &scores[i]);
        if (known[i] && scores[i] > most) most = scores[i];
    }
    for (int32_t i = 0; i < count; i++) {
        int64_t less = (int64_t)most - scores[i];
        float share = 1.0f - (float)less / (float)(loss + 1), weight = share;
        for (int32_t level = 1; level < p->def.level; level++) weight *= share;
        weights[i] = known[i] && less <= loss ? weight : 0.0f;
    }
    int32_t pick = ploy_rng_weighted(&p->rng, weights, count);
    if (pick < 0) return;
    ploy_board_move move = ploy_board_search_move_at(p->search, pick).move;
    if (move == p->choice.best) return;
    p->choice.move = move;
    p->choice.score = scores[pick];
    p->choice.loss = most - scores[pick];
    player_chosen_by(p, PLAYER_BY_LEVEL);
}

// A weak Monte Carlo player draws by visits among the moves that are nearly as good.
static void player_choose_visits(ploy_board_player *p) {
    int32_t count = ploy_board_mcts_move_count(p->mcts);
    ploy_board_mcts_move best = ploy_board_mcts_move_at(p->mcts, 0);
    float slack = 0.04f * (float)(9 - p->def.level);
    float weights[PLAYER_CANDIDATES];
    int32_t options = 0;
    for (int32_t i = 0; i < count && i < PLAYER_CANDIDATES; i++) {
        ploy_board_mcts_move move = ploy_board_mcts_move_at(p->mcts, i);
        bool near = move.ratio >= best.ratio - slack && move.proven >= best.proven;
        weights[options++] = near ? (float)move.visits : 0.0f;
    }
    int32_t pick = ploy_rng_weighted(&p->rng, weights, options);
    if (pick <= 0) return;
    p->choice.move = ploy_board_mcts_move_at(p->mcts, pick).move;
    player_chosen_by(p, PLAYER_BY_LEVEL);
}

static void player_conclude(ploy_board_player *p) {
    p->thinking = false;
    p->choice.done = true;
    int32_t loss = player_loss(p);
    if (p->mcts != NULL) {
        ploy_board_mcts_outcome outcome = ploy_board_mcts_outcome_of(p->mcts);
        p->choice.move = p->choice.best = outcome.move;
        player_chosen_by(p, PLAYER_BY_MCTS);
        p->choice.units = outcome.playouts;
        if (loss > 0) player_choose_visits(p);
        return;
    }
    ploy_board_outcome outcome = ploy_board_search_outcome(p->search);
    p->choice.move = p->choice.best = outcome.move;
    player_chosen_by(p, PLAYER_BY_SEARCH);
    p->choice.score = outcome.score;
    p->choice.depth = outcome.depth;
    p->choice.units = outcome.nodes;
    if (loss > 0 && outcome.depth > 0) player_choose_weak(p, loss, outcome.depth);
}

static ploy_result player_step_search(ploy_board_player *p, ploy_budget *budget) {
    return p->mcts != NULL ? ploy_board_mcts_step(p->mcts, budget)
                           : ploy_board_search_step(p->search, budget);
}

ploy_result ploy_board_player_step(ploy_board_player *player, ploy_budget *budget) {
    if (!player->thinking) return player->choice.done ? PLOY_OK : PLOY_ERR_STATE;
    ploy_result result = player_step_search(player, budget);
    if (result == PLOY_OK) player_conclude(player);
    return result;
}

ploy_result ploy_board_player_ponder(ploy_board_player *player, ploy_budget *budget) {
    ploy_board_player *p = player;
    if (p->thinking) return PLOY_ERR_STATE;
    if (!p->pondering) {
        ploy_result result = player_begin_search(p, player_units(p));
        if (result != PLOY_OK) return result;
        p->pondering = true;
    }
    return player_step_search(p, budget);
}

void ploy_board_player_stop(ploy_board_player *player) {
    ploy_board_player *p = player;
    if (!p->thinking && !p->pondering) return;
    if (p->mcts != NULL)
        ploy_board_mcts_cancel(p->mcts);
    else
        ploy_board_search_cancel(p->search);
    if (p->thinking) player_conclude(p);
    p->pondering = false;
}

ploy_board_choice_made ploy_board_player_choice(const ploy_board_player *player) {
    return player->choice;
}

ploy_board_search *ploy_board_player_search(ploy_board_player *player) {
    return player->search;
}

ploy_board_mcts *ploy_board_player_mcts(ploy_board_player *player) {
    return player->mcts;
}

static void player_describe(const ploy_board_player *p, ploy_describe *out) {
    ploy_describe_begin(out, "game");
    ploy_board_describe(p->board, p->position, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "level", PLOY_STATE, p->def.level);
    ploy_describe_i64(out, "plies", PLOY_STATE, p->key_count);
    ploy_describe_bool(out, "thinking", PLOY_STATE, p->thinking);
    ploy_describe_bool(out, "pondering", PLOY_STATE, p->pondering);
    ploy_rng next = p->rng;
    ploy_describe_u64(out, "rng", PLOY_STATE, ploy_rng_u64(&next));
    ploy_describe_begin(out, "choice");
    ploy_describe_bool(out, "done", PLOY_STATE, p->choice.done);
    ploy_describe_u64(out, "move", PLOY_STATE, p->choice.move);
    ploy_describe_text(out, "source", PLOY_STATE, p->choice.source);
    ploy_describe_i64(out, "score", PLOY_STATE, p->choice.score);
    ploy_describe_i64(out, "loss", PLOY_STATE, p->choice.loss);
    ploy_describe_i64(out, "units", PLOY_STATE, p->choice.units);
    ploy_describe_end(out);
    ploy_describe_begin(out, "search");
    if (p->search != NULL) ploy_board_search_describe(p->search, out);
    if (p->mcts != NULL) ploy_board_mcts_describe(p->mcts, out);
    ploy_describe_end(out);
}

// After a load, whether it succeeded or not.
static void player_loaded(void *object) {
    ploy_board_player *p = object;
    player_chosen_by(p, p->chosen_by);
}

static uint64_t player_sum(const ploy_board_player *p) {
    return ploy_hash_bytes(p->position, p->position_bytes, ploy_hash_text(p->board.type->name));
}

void ploy_board_player_visit(ploy_visit *v, void *object) {
    ploy_board_player *p = object;
    ploy_visit_object(v, "player", p, sizeof *p);
    ploy_visit_block(v, "player.game", p->block, p->bytes);
    if (v->describe != NULL) {
        player_describe(p, v->describe);
        return;
    }
    if (ploy_visit_loads(v)) ploy_visit_after(v, player_loaded, p);
    PLOY_VISIT_SCRATCH(v, p->env);
    PLOY_VISIT_SCRATCH(v, p->def);
    PLOY_VISIT_SCRATCH(v, p->board);
    PLOY_VISIT_SCRATCH(v, p->search);
    PLOY_VISIT_SCRATCH(v, p->mcts);
    PLOY_VISIT_SCRATCH(v, p->sources);
    PLOY_VISIT_SCRATCH(v, p->source_count);
    PLOY_VISIT_SCRATCH(v, p->position_bytes);
    PLOY_VISIT_SCRATCH(v, p->bytes);
    PLOY_VISIT_SCRATCH(v, p->block);
    PLOY_VISIT_SCRATCH(v, p->position);
    PLOY_VISIT_SCRATCH(v, p->moves);
    PLOY_VISIT_SCRATCH(v, p->keys);
    PLOY_VISIT_SCRATCH(v, p->choice.source);
    ploy_visit_rng(v, "rng", PLOY_SAVED, &p->rng);
    ploy_visit_bytes(v, "position", PLOY_SAVED, p->position, p->position_bytes);
    uint64_t sum = v->mode == PLOY_VISIT_SAVE ? player_sum(p) : 0;
    ploy_visit_hex64(v, "sum", PLOY_SAVED, v->mode == PLOY_VISIT_SAVE ? &sum : &p->sum);
    ploy_visit_check(v, !ploy_visit_loads(v) || p->sum == player_sum(p),
                     "the position of the player was changed", "the bytes that were saved");
    ploy_visit_i32_in(v, "key_count", PLOY_SAVED, &p->key_count, 0, PLOY_BOARD_HISTORY);
    ploy_visit_trimmed(v, "keys", PLOY_SAVED, p->keys, sizeof(uint64_t) * PLOY_BOARD_HISTORY);
    ploy_visit_bool(v, "thinking", PLOY_SAVED, &p->thinking);
    ploy_visit_bool(v, "pondering", PLOY_SAVED, &p->pondering);
    ploy_visit_i32_in(v, "chosen_by", PLOY_SAVED, &p->chosen_by, 0,
                      PLAYER_BY_SOURCE + p->source_count - 1);
    ploy_visit_begin(v, "choice", PLOY_SAVED);
    ploy_visit_bool(v, "done", PLOY_SAVED, &p->choice.done);
    ploy_visit_u64(v, "move", PLOY_SAVED, &p->choice.move);
    ploy_visit_u64(v, "best", PLOY_SAVED, &p->choice.best);
    ploy_visit_i32(v, "score", PLOY_SAVED, &p->choice.score);
    ploy_visit_i32(v, "loss", PLOY_SAVED, &p->choice.loss);
    ploy_visit_i32(v, "depth", PLOY_SAVED, &p->choice.depth);
    ploy_visit_i64(v, "units", PLOY_SAVED, &p->choice.units);
    ploy_visit_end(v);
    ploy_visit_begin(v, "search", PLOY_SAVED);
    if (p->search != NULL) ploy_board_search_visit(v, p->search);
    if (p->mcts != NULL) ploy_board_mcts_visit(v, p->mcts);
    ploy_visit_end(v);
}

void ploy_board_player_describe(const ploy_board_player *player, ploy_describe *out) {
    if (out != NULL) player_describe(player, out);
}

void ploy_board_player_memory(const ploy_board_player *player, ploy_memory_fn fn, void *user) {
    ploy_visit_memory(ploy_board_player_visit, player, fn, user);
}
