// Root moves in rounds: lanes search one root move each, and the result does not depend on the workers.
//
// Invariants between two rounds:
//   (1) the stores of every lane are empty: the table has everything that was found;
//   (2) the counts of the main search contain those of the lanes;
//   (3) an active lane is inside one root move; its position, ply and stack are as in search_core.c.
// In a round a lane reads the table and writes to its own memory alone. What it stored is committed
// after all lanes have stopped, in the order of the lanes.
#include "board/search_internal.h"

#include <string.h>

// ---- life

static ploy_result rounds_lane_create(ploy_board_search *s, search_lane *lane) {
    ploy_board_search_def def = s->def;
    def.lanes = 1;
    def.nodes = 0;
    def.table.kilobytes = 0;
    if (s->mtd) def.method = PLOY_BOARD_ALPHABETA; // MT would make a table
    ploy_result result = ploy_board_search_create(&def, s->board, &s->env, &lane->search);
    if (result != PLOY_OK) return result;
    lane->search->def.method = s->def.method;
    lane->search->mtd = s->mtd;
    lane->search->keyed = s->keyed;
    lane->search->lane = lane;
    if (s->table == NULL) return PLOY_OK;
    // Each node stores at most once, and those on the stack may be stored too.
    ploy_board_table_def stores = ploy_board_table_def_default();
    stores.layout = PLOY_BOARD_LAYOUT_CHAINED;
    int64_t bytes = (int64_t)sizeof(ploy_board_entry) + (int64_t)sizeof(uint32_t);
    stores.kilobytes = (int32_t)((SEARCH_ROUND + s->def.max_ply + 2) * bytes / 1024) + 1;
    return ploy_board_table_create(&stores, &s->env, &lane->stores);
}

ploy_result ployi_search_lanes_create(ploy_board_search *s) {
    if (s->def.lanes < 2) return PLOY_OK;
    size_t bytes = sizeof(search_lane) * (size_t)s->def.lanes;
    s->lanes = ploy_env_alloc_zero(&s->env, bytes);
    ploy_result result = s->lanes == NULL ? PLOY_ERR_MEMORY : PLOY_OK;
    for (int32_t i = 0; i < s->def.lanes && result == PLOY_OK; i++) {
        result = rounds_lane_create(s, &s->lanes[i]);
        // Lanes read the table, but do not own it.
        if (result == PLOY_OK) s->lanes[i].search->table = s->table;
    }
    return result;
}

void ployi_search_lanes_destroy(ploy_board_search *s) {
    if (s->lanes == NULL) return;
    for (int32_t i = 0; i < s->def.lanes; i++) {
        if (s->lanes[i].search != NULL) s->lanes[i].search->table = NULL;
        ploy_board_search_destroy(s->lanes[i].search);
        ploy_board_table_destroy(s->lanes[i].stores);
    }
    ploy_env_free(&s->env, s->lanes, sizeof(search_lane) * (size_t)s->def.lanes);
}

void ployi_search_lanes_begin(ploy_board_search *s) {
    for (int32_t i = 0; s->lanes != NULL && i < s->def.lanes; i++) {
        ploy_board_search *lane = s->lanes[i].search;
        lane->hooks = s->hooks;
        lane->history_count = s->history_count;
        memcpy(lane->keys, s->keys, sizeof s->keys[0] * (size_t)s->history_count);
        lane->root_side = s->root_side;
        lane->table_salt = s->table_salt;
        lane->only = -1;
        lane->begun = true;
        lane->nodes = lane->leaves = lane->table_cuts = 0;
        lane->deepest = 0;
        memset(s->lanes[i].counts, 0, sizeof s->lanes[i].counts);
        s->lanes[i].active = false;
    }
}

// ---- a round

const ploy_board_entry *ployi_search_lane_find(ploy_board_search *s, uint64_t key) {
    const ploy_board_entry *own = ployi_table_peek(s->lane->stores, key);
    s->lane->probes++;
    if (own == NULL) own = ployi_table_peek(s->table, key);
    if (own != NULL) s->lane->hits++;
    return own;
}

static void rounds_job(void *arg, int32_t first, int32_t count, int32_t worker) {
    (void)worker;
    ploy_board_search *s = arg;
    for (int32_t i = first; i < first + count; i++) {
        search_lane *lane = &s->lanes[i];
        if (!lane->active || lane->units == 0) continue;
        ploy_budget budget = ploy_budget_units(lane->units);
        // It ends where the budget is empty or the root move is finished.
        if (ployi_search_pass(lane->search, &budget) == PLOY_OK) lane->active = false;
    }
}

static bool rounds_hooked(const ploy_board_hooks *h) {
    return h->watch != NULL || h->depth != NULL || h->evaluate != NULL || h->order != NULL ||
           h->known != NULL;
}

// Root moves for idle lanes, and the nodes that each lane may enter.
static int32_t rounds_assign(ploy_board_search *s) {
    const search_frame *root = &s->frames[0];
    int32_t active = 0;
    for (int32_t i = 0; i < s->def.lanes; i++) {
        search_lane *lane = &s->lanes[i];
        if (!lane->active && root->index < root->count) {
            ployi_search_lane_begin(s, lane->search);
            lane->move_nodes = 0;
            lane->active = true;
        }
        active += lane->active;
    }
    int64_t left = s->limit_nodes > 0 ? s->limit_nodes - s->nodes : INT64_MAX;
    int32_t number = 0;
    for (int32_t i = 0; i < s->def.lanes; i++) {
        search_lane *lane = &s->lanes[i];
        if (!lane->active) continue;
        // What does not divide goes to the first lanes.
        int64_t share = left / active + (number < left % active);
        lane->units = share < SEARCH_ROUND ? share : SEARCH_ROUND;
        number++;
    }
    return active;
}

static void rounds_commit(ploy_board_search *s, search_lane *lane) {
    const ploy_board_search *from = lane->search;
    int64_t nodes = from->nodes - lane->counts[0];
    s->nodes += nodes;
    s->leaves += from->leaves - lane->counts[1];
    s->table_cuts += from->table_cuts - lane->counts[2];
    s->owed += nodes;
    lane->move_nodes += nodes;
    lane->counts[0] = from->nodes;
    lane->counts[1] = from->leaves;
    lane->counts[2] = from->table_cuts;
    if (from->deepest > s->deepest) s->deepest = from->deepest;
    if (lane->stores == NULL) return;
    ployi_table_looked(s->table, lane->probes, lane->hits);
    lane->probes = lane->hits = 0;
    int64_t stored = ployi_table_filled(lane->stores);
    for (int64_t i = 0; i < stored; i++) {
        const ploy_board_entry *e = ployi_table_nth(lane->stores, i);
        ploy_board_table_store(s->table, e->key, e->depth, e->lower, e->upper, e->move);
    }
    if (stored > 0) ploy_board_table_clear(lane->stores);
}

void ployi_search_round(ploy_board_search *s) {
    bool was[PLOY_BOARD_LANES_MAX];
    int32_t active = rounds_assign(s);
    for (int32_t i = 0; i < s->def.lanes; i++) was[i] = s->lanes[i].active;
    // Hooks are the caller's and may not expect several threads.
    const ploy_jobs *jobs = active > 1 && !rounds_hooked(&s->hooks) ? s->jobs : NULL;
    ploy_jobs_run(jobs, rounds_job, s, s->def.lanes, 1);
    for (int32_t i = 0; i < s->def.lanes; i++) {
        if (was[i]) rounds_commit(s, &s->lanes[i]);
    }
    for (int32_t i = 0; i < s->def.lanes; i++) {
        search_lane *lane = &s->lanes[i];
        if (!was[i] || lane->active) continue;
        ployi_search_lane_end(s, lane->search, lane->move_nodes);
        active--;
        if (s->action != SEARCH_RETURN) continue;
        // The root is cut: what the other lanes do is of no use any more.
        for (int32_t k = 0; k < s->def.lanes; k++) s->lanes[k].active = false;
        return;
    }
    if (active == 0 && s->frames[0].index >= s->frames[0].count) ployi_search_root_end(s);
}
