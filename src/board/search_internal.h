// What the files of the tree search share: its stack, its root moves and its driver.
#pragma once

#include "ploy/board/search.h"

enum {
    SEARCH_HISTORY = 4096,        // places of the history table of one team
    SEARCH_HISTORY_BOUND = 16384, // of its values
    SEARCH_LINE = 48,             // moves kept of the line of a root move
    SEARCH_ROUND = 1024,          // nodes of one lane in one round
    SEARCH_UNKNOWN = INT32_MIN
};

// What a node waits for while its child is searched.
typedef enum search_stage {
    SEARCH_FULL,     // the move with the whole window
    SEARCH_SCOUT,    // zero window, a search again may follow
    SEARCH_REDUCED,  // zero window and less depth
    SEARCH_AGAIN,    // after a scout that failed high
    SEARCH_NULL_MOVE // passing
} search_stage;

// What is done next. A round continues every lane, at the root only.
typedef enum search_action {
    SEARCH_ENTER,
    SEARCH_NEXT,
    SEARCH_RETURN,
    SEARCH_ROUNDS
} search_action;

typedef struct search_frame {
    ploy_board_move move; // that led here
    ploy_board_move best_move;
    ploy_board_move table_move;
    ploy_board_move child_move; // under way
    uint64_t key;
    int64_t chance_sum, chance_weight;
    int64_t nodes_before; // of the search when the child was entered
    int32_t alpha, beta;  // for the team to move; before enter, for the parent's
    int32_t best;
    int32_t evaluation; // SEARCH_UNKNOWN until needed
    int32_t depth;
    int32_t side, team;
    int32_t count, index, searched;
    int32_t lo; // lower end of the child's window
    int32_t child_depth;
    int32_t weight; // of the chance move under way
    int32_t line_count;
    uint8_t stage; // search_stage
    uint8_t quiesce, threatened, null_allowed, quiet, cut;
    uint8_t ordered; // moves have order values
    uint8_t unused[1];
} search_frame;

typedef struct search_root {
    ploy_board_move move;
    int64_t nodes;
    int32_t score, depth, line_count;
    int32_t lower, upper;           // MTD-best
    int32_t order;                  // number in the order of generation
    int32_t last_score, last_depth; // of the depth before
    bool exact, last_exact;
    bool done; // in the pass under way
} search_root;

// A lane searches one root move after the other beside the other lanes. It is a search with a separate
// stack and history; of the table it only reads, and what it stores is kept until the round ends.
typedef struct search_lane {
    ploy_board_search *search;
    ploy_board_table *stores; // of the round; NULL without a table
    int64_t counts[3];        // nodes, leaves and table cuts that the main search has taken over
    int64_t probes, hits;     // of the main table, in the round
    int64_t units;            // nodes of the round
    int64_t move_nodes;       // of the root move under way
    bool active;
} search_lane;

struct ploy_board_search {
    ploy_env env;
    ploy_board_search_def def;
    ploy_board board;
    ploy_board_hooks hooks;
    ploy_board_table *table;
    size_t bytes; // of the block below
    unsigned char *block;
    size_t position_bytes, undo_bytes;
    unsigned char *position, *undo;
    search_frame *frames;        // max_ply + 2
    ploy_board_move *moves;      // max_moves for each ply
    int64_t *orders;             // parallel to moves
    ploy_board_move *lines;      // max_ply + 1 for each ply
    ploy_board_move *killers;    // two for each ply
    int32_t *history;            // SEARCH_HISTORY for each of two teams
    int64_t *vectors;            // max^n: players for each ply
    uint64_t *keys;              // PLOY_BOARD_HISTORY before the root, then one for each ply
    search_root *roots;          // max_moves
    ploy_board_move *root_lines; // SEARCH_LINE for each root move
    ploy_board_move *best_line;  // max_ply + 1
    int32_t history_count;
    int32_t root_count;
    int32_t root_side;
    uint64_t table_salt; // scores against all others depend on the root player
    int32_t ply;
    search_action action;
    int32_t value; // returned by the child
    bool begun, done, partial;
    bool windowed, scouting, mtd, maxn, paranoid; // of the method
    bool keyed;  // the hash is needed: for the table or for repetitions
    bool copies; // the game has no unmake
    // ---- driver
    int32_t limit_depth;
    int64_t limit_nodes;
    int32_t depth; // under way
    int32_t pass;  // searches from the root at this depth
    int32_t window_lo, window_hi;
    int32_t mtd_lo, mtd_hi, mtd_guess, mtd_bound;
    int32_t only; // MTD-best: the one root move of the pass; -1: all
    bool mtd_fallback;
    ploy_board_move pass_move; // best of the pass
    // ---- outcome
    ploy_board_move best_move;
    int32_t best_score, best_lower, best_upper, best_depth, best_passes, best_line_count;
    int32_t deepest;
    int64_t nodes, leaves, table_cuts;
    // ---- rounds (search_rounds.c)
    const ploy_jobs *jobs;
    search_lane *lanes; // def.lanes of them; NULL for one lane
    search_lane *lane;  // of a lane's search: itself
    int32_t floor;      // of a lane: the value that its root move must exceed
    int64_t owed;       // nodes of the last round that no budget has paid yet
    uint64_t sum;       // of a load: what the file says
};

// ---- what rounds need of the core

// Gives the next root move to a lane's search. The root has at least one move left.
void ployi_search_lane_begin(ploy_board_search *s, ploy_board_search *lane);
// Takes over the score and the line of the root move that a lane has finished.
void ployi_search_lane_end(ploy_board_search *s, const ploy_board_search *lane, int64_t nodes);
// Ends the root after its last move.
void ployi_search_root_end(ploy_board_search *s);

// ---- rounds

ploy_result ployi_search_lanes_create(ploy_board_search *s);
void ployi_search_lanes_destroy(ploy_board_search *s);
// Drops what the lanes are doing and gives them the root of the search.
void ployi_search_lanes_begin(ploy_board_search *s);
// Continues every lane by SEARCH_ROUND nodes and commits what they found, in the order of the lanes.
void ployi_search_round(ploy_board_search *s);
// The entry of a position for a lane: its own stores of the round, then the table.
const ploy_board_entry *ployi_search_lane_find(ploy_board_search *s, uint64_t key);

// ---- of table.c: a look that changes nothing, looks that were made elsewhere, and entries in the
// order in which they were stored (chained tables).
const ploy_board_entry *ployi_table_peek(const ploy_board_table *table, uint64_t key);
void ployi_table_looked(ploy_board_table *table, int64_t probes, int64_t hits);
int64_t ployi_table_filled(const ploy_board_table *table);
const ploy_board_entry *ployi_table_nth(const ploy_board_table *table, int64_t index);

// The core: goes on until the root pass ends or the budget is empty (PLOY_IN_PROGRESS).
ploy_result ployi_search_pass(ploy_board_search *s, ploy_budget *budget);
// Starts a pass from the root with the driver's window.
void ployi_search_pass_begin(ploy_board_search *s);
// Takes back every move, so that the position is that of the root.
void ployi_search_unwind(ploy_board_search *s);
// Starts the driver at a depth; ends a pass: true if another one follows.
void ployi_search_depth_begin(ploy_board_search *s, int32_t depth);
bool ployi_search_pass_end(ploy_board_search *s);
