// The board lab: any board game that can be drawn, against a player of the library. Click to move,
// take back, ask why not. The computer thinks in slices; its candidates, its line and, with Monte
// Carlo search, its visits are drawn while it does. Beside the board the tree of an alpha-beta search
// is opened node by node: each move with its window, its score and the reason for a cut.
//
// State: the moves of the game, the player with its search and table, the last answer, and the node
// of the tree that is open. Its rows follow from these and are derived.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/board/player.h"
#include "ploy/board/why.h"

// Games that have a picture and places for moves.
static const char *const board_games[] = {
    "connect4", "tictactoe", "othello", "draughts", "chess", "go", "atoms",
};
static const char *const board_people[] = {"first", "second", "both", "none"};

enum { BOARD_MOVES = 512, BOARD_POSITION = 4096, BOARD_SHOWN = 3, BOARD_LEGAL = 512 };
// Of the tree: levels, rows, and nodes of its search.
enum { BOARD_PATH = 12, BOARD_ROWS = 20, BOARD_TREE_DEPTH = 4, BOARD_TREE_NODES = 30000 };
#define BOARD_ROW_STEP 0.45f // from row to row

typedef struct board_lab_def {
    uint32_t cookie;
    enum { BOARD_CONNECT4 } game; // an index of board_games
    enum { BOARD_FIRST, BOARD_SECOND, BOARD_BOTH, BOARD_NOBODY } person;
    int32_t level, units;
    bool monte_carlo, ponder;
} board_lab_def;

static const ploy_field board_lab_fields[] = {
    PLOY_FIELD_ENUM(board_lab_def, game, BOARD_CONNECT4, board_games, "which game"),
    PLOY_FIELD_ENUM(board_lab_def, person, BOARD_NOBODY, board_people, "whose moves are clicked"),
    PLOY_FIELD_I32(board_lab_def, level, 7, 1, 10, "", "of the computer"),
    PLOY_FIELD_I32(board_lab_def, units, 200, 1, 100000, "", "nodes or playouts per tick"),
    PLOY_FIELD_BOOL(board_lab_def, monte_carlo, false, "the computer uses Monte Carlo search"),
    PLOY_FIELD_BOOL(board_lab_def, ponder, true, "the computer thinks while a person does"),
};

static ploy_fields board_lab_get_fields(void) {
    return PLOY_FIELDS(board_lab_def, board_lab_fields);
}

// What the search did in a node of the tree.
typedef struct board_node {
    ploy_board_move move; // that leads to it
    int32_t alpha, beta, score;
    ploy_board_cut cut;
    bool entered;
} board_node;

typedef struct board_lab {
    board_lab_def def;
    ploy_env env;
    uint64_t seed;
    ploy_board_rules rules;
    ploy_board board;
    ploy_board_player *player;
    ploy_board_move moves[BOARD_MOVES];
    int32_t count;
    bool thinking;
    int64_t games; // finished ones
    int64_t answers;
    char answer[256];
    bool asking;  // the next click asks why not
    bool picking; // the first click of a move was made, at `picked`
    ploy_vec2 picked;
    bool looking;                     // the tree is shown
    bool stale;                       // its rows are of another node
    ploy_board_move path[BOARD_PATH]; // from the position to the open node
    int32_t path_count, row_count;
    board_node node, rows[BOARD_ROWS]; // derived
    uint64_t scratch[BOARD_POSITION / 8];
} board_lab;

static ploy_result board_rebuild(board_lab *lab) {
    const ploy_board_type *type = ploy_boards_find(board_games[lab->def.game]);
    if (type == NULL) return PLOY_ERR_NOT_FOUND;
    ploy_board_player_destroy(lab->player);
    lab->player = NULL;
    lab->board = ploy_board_default(type, &lab->rules);
    if (type->position_bytes(&lab->rules) > sizeof lab->scratch) return PLOY_ERR_CAPACITY;
    ploy_board_player_def def = ploy_board_player_def_for(lab->board, lab->def.level);
    if (lab->def.monte_carlo) def.monte_carlo = true; // without an evaluation it is already
    def.seed = lab->seed;
    def.nodes = def.monte_carlo ? 4000 : 50000;
    def.search.table.kilobytes = 256;
    def.mcts.nodes = 8000;
    ploy_result result = ploy_board_player_create(&def, lab->board, &lab->env, &lab->player);
    lab->count = 0;
    lab->thinking = lab->asking = lab->picking = false;
    lab->answer[0] = 0;
    lab->path_count = 0;
    lab->stale = true;
    return result;
}

static ploy_result board_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    board_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region is freed with all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->seed = key.bits;
    ploy_result result = board_rebuild(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

static const void *board_position(const board_lab *lab) {
    return ploy_board_player_position(lab->player);
}

static int32_t board_side(const board_lab *lab) {
    return lab->board.type->side(lab->board.rules, board_position(lab));
}

static bool board_persons_turn(const board_lab *lab, int32_t side) {
    if (lab->def.person == BOARD_BOTH) return true;
    return lab->def.person == BOARD_FIRST ? side == 0
                                          : lab->def.person == BOARD_SECOND && side == 1;
}

static ploy_result board_play(board_lab *lab, ploy_board_move move) {
    if (lab->count == BOARD_MOVES) return PLOY_OK;
    ploy_result result = ploy_board_player_play(lab->player, move);
    if (result == PLOY_OK) lab->moves[lab->count++] = move;
    lab->thinking = lab->picking = false;
    lab->path_count = 0;
    lab->stale = true;
    return result;
}

// The legal move that a click means; PLOY_BOARD_NO_MOVE: none. A move from one place to another
// takes two clicks: the first one is noted.
static ploy_board_move board_move_at(board_lab *lab, ploy_vec2 at) {
    const ploy_board_type *type = lab->board.type;
    ploy_board_move moves[BOARD_LEGAL], best = PLOY_BOARD_NO_MOVE;
    if (board_side(lab) == PLOY_BOARD_OVER) return best;
    int32_t count = type->moves(lab->board.rules, board_position(lab), moves, BOARD_LEGAL);
    float nearest = 0.75f;
    int32_t rank = INT32_MIN;
    bool starts = false;
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 from, to;
        if (!type->place(lab->board.rules, board_position(lab), moves[i], &from, &to)) continue;
        // In a game with columns any height of the column will do.
        float distance = ploy_vec2_distance(at, to);
        if (lab->def.game == BOARD_CONNECT4) distance = fabsf(at.x - to.x);
        if (ploy_vec2_distance(from, to) > 0.1f) {
            starts = starts || ploy_vec2_distance(from, at) < 0.5f;
            if (!lab->picking || ploy_vec2_distance(from, lab->picked) > 0.5f) continue;
        }
        // Between moves of the same places, such as promotions, the game's order decides.
        int32_t order =
            type->order != NULL ? type->order(lab->board.rules, board_position(lab), moves[i]) : 0;
        if (distance > nearest || (distance == nearest && order <= rank) || distance >= 0.75f) {
            continue;
        }
        nearest = distance;
        rank = order;
        best = moves[i];
    }
    lab->picking = best == PLOY_BOARD_NO_MOVE && starts;
    lab->picked = at;
    return best;
}

// The legal move without a place, such as a pass; NO_MOVE if there is none.
static ploy_board_move board_pass(const board_lab *lab, bool forced) {
    const ploy_board_type *type = lab->board.type;
    ploy_board_move moves[BOARD_LEGAL];
    ploy_vec2 from, to;
    if (board_side(lab) == PLOY_BOARD_OVER) return PLOY_BOARD_NO_MOVE;
    int32_t count = type->moves(lab->board.rules, board_position(lab), moves, BOARD_LEGAL);
    if (forced && count > 1) return PLOY_BOARD_NO_MOVE;
    for (int32_t i = 0; i < count; i++) {
        if (!type->place(lab->board.rules, board_position(lab), moves[i], &from, &to)) {
            return moves[i];
        }
    }
    return PLOY_BOARD_NO_MOVE;
}

// Back to the person's last move, or by one if no side or both sides are persons.
static ploy_result board_take_back(board_lab *lab) {
    bool pair = lab->def.person == BOARD_FIRST || lab->def.person == BOARD_SECOND;
    bool own = pair && board_persons_turn(lab, board_side(lab));
    int32_t keep = lab->count - (own ? 2 : 1);
    ploy_result result = ploy_board_player_new_game(lab->player, NULL);
    if (keep < 0) keep = 0;
    lab->count = 0;
    lab->thinking = false;
    lab->answer[0] = 0;
    for (int32_t i = 0; i < keep && result == PLOY_OK; i++) result = board_play(lab, lab->moves[i]);
    return result;
}

static ploy_result board_why_not(board_lab *lab, ploy_vec2 at) {
    ploy_board_move move = board_move_at(lab, at);
    if (move == PLOY_BOARD_NO_MOVE) return PLOY_OK; // or the first of two clicks
    lab->asking = lab->picking = false;
    ploy_board_search_def def = ploy_board_search_def_strong(lab->board);
    def.depth = 7;
    def.nodes = 50000;
    def.table.kilobytes = 256;
    ploy_board_search *search = NULL;
    ploy_board_answer answer;
    ploy_result result = ploy_board_search_create(&def, lab->board, &lab->env, &search);
    if (result == PLOY_OK) result = ploy_board_search_begin(search, board_position(lab), NULL, 0);
    if (result == PLOY_OK) result = ploy_board_search_step(search, NULL);
    if (result == PLOY_OK) {
        result = ploy_board_why_not(search, board_position(lab), move, &answer);
    }
    if (result == PLOY_OK) memcpy(lab->answer, answer.text, sizeof lab->answer);
    lab->answers += result == PLOY_OK;
    ploy_board_search_destroy(search);
    return result;
}

// ---- the tree

typedef struct board_watch {
    board_lab *lab;
    int32_t matched; // levels of the path that lead to where the search is
} board_watch;

static void board_watch_event(void *user, const ploy_board_event *event) {
    board_watch *watch = user;
    board_lab *lab = watch->lab;
    int32_t deep = lab->path_count;
    if (event->ply == 0) watch->matched = 0;
    if (event->entered && event->ply == watch->matched + 1 && watch->matched < deep &&
        event->move == lab->path[watch->matched]) {
        watch->matched++;
    }
    board_node *node = NULL;
    if (watch->matched == deep && event->ply == deep) node = &lab->node;
    for (int32_t i = 0; watch->matched == deep && event->ply == deep + 1 && i < lab->row_count;
         i++) {
        if (lab->rows[i].move == event->move) node = &lab->rows[i];
    }
    if (node != NULL) {
        node->entered = true;
        node->alpha = event->alpha;
        node->beta = event->beta;
        if (!event->entered) {
            node->score = event->score;
            node->cut = event->cut;
        }
    }
    if (!event->entered && event->ply == watch->matched && event->ply > 0) watch->matched--;
}

// Searches the position once more and notes what happened in the open node.
static ploy_result board_look(board_lab *lab) {
    const ploy_board_type *type = lab->board.type;
    ploy_board_move moves[BOARD_LEGAL];
    lab->stale = false;
    lab->row_count = 0;
    memset(&lab->node, 0, sizeof lab->node);
    memset(lab->rows, 0, sizeof lab->rows);
    if (board_side(lab) < 0) return PLOY_OK; // over, or chance
    memcpy(lab->scratch, board_position(lab), type->position_bytes(lab->board.rules));
    for (int32_t i = 0; i < lab->path_count; i++) {
        type->make(lab->board.rules, lab->scratch, lab->path[i], NULL);
    }
    int32_t count = type->side(lab->board.rules, lab->scratch) < 0
                        ? 0
                        : type->moves(lab->board.rules, lab->scratch, moves, BOARD_LEGAL);
    for (int32_t i = 0; i < count && i < BOARD_ROWS; i++)
        lab->rows[lab->row_count++].move = moves[i];
    ploy_board_search_def def = ploy_board_search_def_default();
    def.method = PLOY_BOARD_ALPHABETA;
    def.depth = BOARD_TREE_DEPTH;
    def.nodes = BOARD_TREE_NODES;
    def.iterative = false;
    def.table.kilobytes = 0;
    ploy_board_search *search = NULL;
    board_watch watch = {lab, 0};
    ploy_board_hooks hooks = {.watch = board_watch_event, .user = &watch};
    ploy_result result = ploy_board_search_create(&def, lab->board, &lab->env, &search);
    if (result == PLOY_OK) {
        ploy_board_search_hooks_set(search, &hooks);
        result = ploy_board_search_begin(search, board_position(lab), NULL, 0);
    }
    if (result == PLOY_OK) result = ploy_board_search_step(search, NULL);
    ploy_board_search_destroy(search);
    return result;
}

// A click beside the board: the first row leads up, the others open their move.
static bool board_tree_click(board_lab *lab, ploy_vec2 at) {
    ploy_box2 area = lab->board.type->area(lab->board.rules);
    if (!lab->looking || at.x < area.max.x + 0.7f) return false;
    int32_t row = (int32_t)floorf((area.max.y - at.y) / BOARD_ROW_STEP + 0.5f);
    if (row == 0 && lab->path_count > 0) {
        lab->path_count--;
        lab->stale = true;
    } else if (row >= 1 && row <= lab->row_count && lab->rows[row - 1].entered &&
               lab->path_count < BOARD_TREE_DEPTH) {
        lab->path[lab->path_count++] = lab->rows[row - 1].move;
        lab->stale = true;
    }
    return true;
}

static ploy_result board_think(board_lab *lab, ploy_trace *trace) {
    ploy_budget budget = ploy_budget_units(lab->def.units);
    ploy_result result = PLOY_OK;
    if (!lab->thinking) result = ploy_board_player_begin(lab->player);
    if (result != PLOY_OK) return result;
    lab->thinking = true;
    result = ploy_board_player_step(lab->player, &budget);
    if (result == PLOY_IN_PROGRESS) return PLOY_OK;
    if (result != PLOY_OK) return result;
    ploy_board_player_why(lab->player, lab->board, board_position(lab), ploy_agent_id_none(),
                          trace);
    return board_play(lab, ploy_board_player_choice(lab->player).move);
}

static ploy_result board_lab_step(void *state, const ploy_sim_context *context) {
    board_lab *lab = state;
    const board_lab_def *params = context->params;
    bool rebuild = lab->def.game != params->game || lab->def.level != params->level ||
                   lab->def.monte_carlo != params->monte_carlo;
    memcpy(&lab->def, params, sizeof lab->def);
    ploy_result result = rebuild ? board_rebuild(lab) : PLOY_OK;
    for (int32_t i = 0; i < context->input_count && result == PLOY_OK; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "back")) result = board_take_back(lab);
        if (lab_input_is(input, "new")) result = board_rebuild(lab);
        if (lab_input_is(input, "why_not")) result = board_why_not(lab, lab_input_point(input));
        if (lab_input_is(input, "ask")) lab->asking = !lab->asking;
        if (lab_input_is(input, "tree")) {
            lab->looking = lab->stale = !lab->looking;
            lab->path_count = 0;
        }
        bool person = board_persons_turn(lab, board_side(lab));
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (lab_input_is(input, "pass") && person) move = board_pass(lab, false);
        if (lab_input_is(input, "click") && !board_tree_click(lab, lab_input_point(input))) {
            if (lab->asking) {
                result = board_why_not(lab, lab_input_point(input));
            } else if (person) {
                move = board_move_at(lab, lab_input_point(input));
            }
        }
        if (move != PLOY_BOARD_NO_MOVE) result = board_play(lab, move);
    }
    if (result == PLOY_OK && board_persons_turn(lab, board_side(lab))) {
        ploy_board_move move = board_pass(lab, true);
        if (move != PLOY_BOARD_NO_MOVE) result = board_play(lab, move);
    }
    if (result == PLOY_OK && lab->looking && lab->stale) result = board_look(lab);
    int32_t side = board_side(lab);
    if (result != PLOY_OK) return result;
    if (side == PLOY_BOARD_OVER) {
        // Two computers start the next game after a while to look at the end.
        if (lab->def.person != BOARD_NOBODY || context->tick % 120 != 119) return PLOY_OK;
        lab->games++;
        return board_rebuild(lab);
    }
    if (!board_persons_turn(lab, side)) return board_think(lab, context->trace);
    if (!lab->def.ponder || lab->def.person == BOARD_BOTH) return PLOY_OK;
    ploy_budget budget = ploy_budget_units(lab->def.units);
    result = ploy_board_player_ponder(lab->player, &budget);
    return result == PLOY_IN_PROGRESS ? PLOY_OK : result;
}

// ---- sight

static bool board_place(const board_lab *lab, const void *position, ploy_board_move move,
                        ploy_vec2 *from, ploy_vec2 *to) {
    return lab->board.type->place(lab->board.rules, position, move, from, to);
}

static void board_draw_move(const board_lab *lab, ploy_board_move move, ploy_style style,
                            float alpha, ploy_draw *out) {
    ploy_vec2 from, to;
    ploy_agent_id none = ploy_agent_id_none();
    if (!board_place(lab, board_position(lab), move, &from, &to)) return;
    if (ploy_vec2_distance(from, to) > 0.1f) {
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, style, none, from, to);
    }
    ploy_draw_disc(out, PLOY_LAYER_INFLUENCE, style, none, to, 0.25f, alpha);
}

static void board_draw_search(const board_lab *lab, ploy_draw *out) {
    ploy_board_search *search = ploy_board_player_search(lab->player);
    if (search == NULL) return;
    for (int32_t i = 0; i < BOARD_SHOWN && i < ploy_board_search_move_count(search); i++) {
        ploy_board_root_move root = ploy_board_search_move_at(search, i);
        if (root.depth == 0) continue;
        board_draw_move(lab, root.move, i == 0 ? PLOY_STYLE_GOOD : PLOY_STYLE_GHOST,
                        i == 0 ? 0.7f : 0.4f, out);
        ploy_vec2 from, to;
        if (!board_place(lab, board_position(lab), root.move, &from, &to)) continue;
        char text[40];
        ploy_board_score_text(root.score, text, sizeof text);
        ploy_draw_text(out, ploy_agent_id_none(), ploy_vec2_make(to.x - 0.2f, to.y - 0.45f), text);
    }
    // The line: from end to end of its moves.
    ploy_board_outcome outcome = ploy_board_search_outcome(search);
    uint64_t position[BOARD_POSITION / 8];
    memcpy(position, board_position(lab), lab->board.type->position_bytes(lab->board.rules));
    ploy_vec2 before = {0.0f, 0.0f};
    for (int32_t i = 0; i < outcome.line_count && i < 8; i++) {
        ploy_vec2 from, to;
        if (lab->board.type->side(lab->board.rules, position) == PLOY_BOARD_OVER) break;
        if (!board_place(lab, position, outcome.line[i], &from, &to)) break;
        if (i > 0) {
            ploy_draw_line(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, ploy_agent_id_none(), before,
                           to);
        }
        before = to;
        lab->board.type->make(lab->board.rules, position, outcome.line[i], NULL);
    }
}

static void board_draw_mcts(const board_lab *lab, ploy_draw *out) {
    ploy_board_mcts *mcts = ploy_board_player_mcts(lab->player);
    if (mcts == NULL) return;
    int32_t most = ploy_board_mcts_move_at(mcts, 0).visits;
    for (int32_t i = 0; i < ploy_board_mcts_move_count(mcts) && most > 0; i++) {
        ploy_board_mcts_move move = ploy_board_mcts_move_at(mcts, i);
        board_draw_move(lab, move.move, PLOY_STYLE_WARNING, 0.8f * (float)move.visits / (float)most,
                        out);
    }
}

static void board_bound_text(int32_t bound, char *text, size_t size) {
    if (bound <= -PLOY_BOARD_WIN || bound >= PLOY_BOARD_WIN) {
        snprintf(text, size, "%sinf", bound < 0 ? "-" : "");
    } else {
        snprintf(text, size, "%d", (int)bound);
    }
}

// "[-3, inf] 12, all moves searched"
static void board_node_text(const board_node *node, char *text, size_t size) {
    char low[16], high[16], score[40];
    board_bound_text(node->alpha, low, sizeof low);
    board_bound_text(node->beta, high, sizeof high);
    ploy_board_score_text(node->score, score, sizeof score);
    snprintf(text, size, "[%s, %s] %s, %s%s", low, high, score,
             node->cut == PLOY_BOARD_CUT_NONE ? "" : "cut: ",
             node->cut == PLOY_BOARD_CUT_NONE ? "all moves searched"
                                              : ploy_board_cut_text(node->cut));
}

static void board_row_text(const board_lab *lab, int32_t row, char *text, size_t size) {
    const board_node *node = &lab->rows[row];
    char move[PLOY_BOARD_MOVE_TEXT], what[128];
    lab->board.type->move_text(lab->board.rules, lab->scratch, node->move, move);
    board_node_text(node, what, sizeof what);
    snprintf(text, size, "%s  %s", move,
             node->entered                          ? what
             : lab->node.cut == PLOY_BOARD_CUT_BETA ? "not searched: an earlier move reached beta"
                                                    : "not searched");
}

static void board_draw_tree(const board_lab *lab, ploy_draw *out) {
    ploy_box2 area = lab->board.type->area(lab->board.rules);
    ploy_agent_id none = ploy_agent_id_none();
    char text[256], what[128];
    board_node_text(&lab->node, what, sizeof what);
    snprintf(text, sizeof text, "%s ply %d: %s", lab->path_count > 0 ? "^ up," : "root,",
             (int)lab->path_count, what);
    ploy_vec2 at = ploy_vec2_make(area.max.x + 1.0f, area.max.y);
    ploy_draw_text(out, none, at, text);
    for (int32_t i = 0; i < lab->row_count; i++) {
        board_row_text(lab, i, text, sizeof text);
        at.y -= BOARD_ROW_STEP;
        ploy_draw_text(out, none, at, text);
    }
}

// Who won, or whose turn it is.
static void board_status_text(const board_lab *lab, char *text, size_t size) {
    int32_t side = board_side(lab);
    if (side == PLOY_BOARD_OVER) {
        int32_t result = lab->board.type->result(lab->board.rules, board_position(lab), 0);
        snprintf(text, size, "%s",
                 result > 0   ? "the first player wins"
                 : result < 0 ? "the second player wins"
                              : "a draw");
    } else {
        snprintf(text, size, "%s: player %d to move, %s", lab->board.type->title, side + 1,
                 lab->asking                     ? "click a move to ask why not"
                 : board_persons_turn(lab, side) ? "click"
                                                 : "thinking");
    }
}

static void board_lab_draw(const void *state, ploy_draw *out) {
    const board_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "first player");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "second player");
    ploy_draw_key(out, PLOY_STYLE_GOOD, "best move so far, or the picked piece");
    ploy_draw_key(out, PLOY_STYLE_GHOST, "other moves with their scores");
    ploy_draw_key(out, PLOY_STYLE_WARNING, "moves, stronger if visited more");
    ploy_draw_key(out, PLOY_STYLE_PATH, "expected line of moves");
    if (lab->looking) board_draw_tree(lab, out);
    if (lab->picking) {
        ploy_draw_circle(out, PLOY_LAYER_PATHS, PLOY_STYLE_GOOD, ploy_agent_id_none(), lab->picked,
                         0.45f);
    }
    lab->board.type->draw(lab->board.rules, board_position(lab), out);
    if (lab->thinking) {
        board_draw_search(lab, out);
        board_draw_mcts(lab, out);
    }
    ploy_box2 area = lab->board.type->area(lab->board.rules);
    char text[PLOY_BOARD_MOVE_TEXT + 64];
    board_status_text(lab, text, sizeof text);
    ploy_agent_id none = ploy_agent_id_none();
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, area.max.y + 0.6f), text);
    if (lab->answer[0] != 0) {
        ploy_draw_text(out, none, ploy_vec2_make(0.0f, area.min.y - 0.6f), lab->answer);
    }
}

static void board_describe_tree(const board_lab *lab, ploy_describe *out) {
    char text[256];
    ploy_describe_begin(out, "tree");
    for (int32_t i = 0; i < lab->path_count; i++) {
        ploy_describe_u64(out, "path", PLOY_STATE, lab->path[i]);
    }
    board_node_text(&lab->node, text, sizeof text);
    ploy_describe_text(out, "node", PLOY_DERIVED, text);
    for (int32_t i = 0; i < lab->row_count; i++) {
        board_row_text(lab, i, text, sizeof text);
        ploy_describe_text(out, "child", PLOY_DERIVED, text);
    }
    ploy_describe_end(out);
}

static void board_lab_describe(const void *state, ploy_describe *out) {
    const board_lab *lab = state;
    ploy_describe_text(out, "game", PLOY_STATE, lab->board.type->name);
    ploy_describe_i64(out, "plies", PLOY_STATE, lab->count);
    ploy_describe_i64(out, "games", PLOY_STATE, lab->games);
    ploy_describe_i64(out, "answers", PLOY_STATE, lab->answers);
    ploy_describe_text(out, "answer", PLOY_STATE, lab->answer);
    char status[PLOY_BOARD_MOVE_TEXT + 64];
    board_status_text(lab, status, sizeof status);
    ploy_describe_text(out, "status", PLOY_DERIVED, status);
    char text[PLOY_BOARD_TEXT];
    lab->board.type->text(lab->board.rules, board_position(lab), text);
    ploy_describe_text(out, "position", PLOY_DERIVED, text);
    ploy_describe_bool(out, "asking", PLOY_STATE, lab->asking);
    ploy_describe_bool(out, "picking", PLOY_STATE, lab->picking);
    if (lab->picking) ploy_describe_vec2(out, "picked", PLOY_STATE, lab->picked.x, lab->picked.y);
    ploy_describe_bool(out, "looking", PLOY_STATE, lab->looking);
    if (lab->looking) board_describe_tree(lab, out);
    ploy_describe_begin(out, "moves");
    for (int32_t i = 0; i < lab->count; i++) {
        ploy_describe_u64(out, "move", PLOY_STATE, lab->moves[i]);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "player");
    ploy_board_player_describe(lab->player, out);
    ploy_describe_end(out);
}

static const ploy_command board_lab_commands[] = {
    {"click", "play the move at that place", PLOY_VALUE_VEC2, false, "Pointer"},
    {"back", "take back the last move", PLOY_VALUE_NONE, false, "Backspace"},
    {"pass", "play the move without a place", PLOY_VALUE_NONE, false, "x"},
    {"new", "start a new game", PLOY_VALUE_NONE, false, "r"},
    {"ask", "the next click asks why not that move", PLOY_VALUE_NONE, false, "w"},
    {"tree", "show the tree beside the board, or hide it", PLOY_VALUE_NONE, false, "t"},
    {"why_not", "say what is wrong with the move at that place", PLOY_VALUE_VEC2, false, NULL},
};

extern const ploy_sim_type ploy_lab_board; // in labs.c
const ploy_sim_type ploy_lab_board = {
    .name = "board",
    .title = "Board games",
    .help =
        "Play against a level from 1 to 10, or watch two computers. Click to move, take back with "
        "Backspace, press w and click to ask why not; t opens the tree of a search, and a click "
        "opens a node. Candidates, the line and Monte Carlo visits are drawn while it thinks.",
    .version = 2,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM,
    .dt = 1.0f / 30.0f,
    .view = {-1.0f, -1.5f, 17.0f, 10.0f},
    .fields = board_lab_get_fields,
    .commands = board_lab_commands,
    .command_count = sizeof board_lab_commands / sizeof board_lab_commands[0],
    .create = board_lab_create,
    .step = board_lab_step,
    .draw = board_lab_draw,
    .describe = board_lab_describe,
};
