// The strategy lab: two nations whose moves are strategies. One looks ahead over strategies, the other
// scores its options without lookahead; a lower tier turns each choice into orders, which are drawn as
// arrows over the influence of both. A person can play the first nation: click a city to attack it.
//
// State: the position, the search of the nation to move, and what it did last.
#include <stdio.h>
#include <string.h>

#include "labs/lab_input.h"
#include "labs/labs.h"
#include "ploy/board/player.h"
#include "ploy/board/strategy.h"
#include "ploy/board/why.h"

static const char *const strategy_minds[] = {"search", "monte_carlo", "options", "person"};

enum { STRATEGY_SEARCH, STRATEGY_MCTS, STRATEGY_OPTIONS, STRATEGY_PERSON };
enum { STRATEGY_ORDERS = 48, STRATEGY_PLAN = 5, STRATEGY_LAB_WORDS = 32 };

typedef struct strategy_lab_def {
    uint32_t cookie;
    int32_t first, second; // of the list above
    int32_t playouts, pause, columns, rows;
    bool influence;
} strategy_lab_def;

static const ploy_field strategy_lab_fields[] = {
    PLOY_FIELD_ENUM(strategy_lab_def, first, STRATEGY_MCTS, strategy_minds,
                    "who decides for the first nation"),
    PLOY_FIELD_ENUM(strategy_lab_def, second, STRATEGY_OPTIONS, strategy_minds,
                    "who decides for the second nation"),
    PLOY_FIELD_I32(strategy_lab_def, playouts, 400, 10, 100000, "", "playouts of a decision"),
    PLOY_FIELD_I32(strategy_lab_def, pause, 15, 1, 1000, "ticks", "from one turn to the next"),
    PLOY_FIELD_I32(strategy_lab_def, columns, 4, 2, 6, "", "columns of cities"),
    PLOY_FIELD_I32(strategy_lab_def, rows, 3, 2, 4, "", "rows of cities"),
    PLOY_FIELD_BOOL(strategy_lab_def, influence, true, "draw which nation is stronger where"),
};

static ploy_fields strategy_lab_get_fields(void) {
    return PLOY_FIELDS(strategy_lab_def, strategy_lab_fields);
}

typedef struct strategy_lab {
    strategy_lab_def def;
    ploy_env env;
    ploy_rng rng; // of battles
    ploy_board_strategy_def rules;
    ploy_board board;
    ploy_board_player *players[2]; // tree search, Monte Carlo search
    ploy_board_plan_def plan_rules;
    ploy_board_mcts *plan; // what to buy, of the nation to move
    uint64_t position[STRATEGY_LAB_WORDS];
    ploy_board_move chosen; // by the person; 0: not yet
    ploy_board_order orders[STRATEGY_ORDERS];
    int32_t order_count;
    int32_t wins[2], games;
    int32_t wait;
    char last[PLOY_BOARD_MOVE_TEXT + 24];
    char advice[PLOY_BOARD_MOVE_TEXT + 80]; // of the plan
} strategy_lab;

static ploy_result strategy_lab_begin(strategy_lab *lab) {
    lab->rules = ploy_board_strategy_def_default();
    lab->rules.columns = lab->def.columns;
    lab->rules.rows = lab->def.rows;
    lab->board = ploy_board_of(ploy_board_strategy(), &lab->rules);
    for (int32_t i = 0; i < 2; i++) {
        ploy_board_player_destroy(lab->players[i]);
        lab->players[i] = NULL;
        ploy_board_player_def def = ploy_board_player_def_for(lab->board, 0);
        def.monte_carlo = i == 1;
        def.search.depth = 4;
        def.search.table.kilobytes = 256;
        def.mcts.playouts = lab->def.playouts;
        def.mcts.nodes = 8000;
        ploy_result result =
            ploy_board_player_create(&def, lab->board, &lab->env, &lab->players[i]);
        if (result != PLOY_OK) return result;
    }
    ploy_board_strategy()->start(&lab->rules, lab->position);
    lab->chosen = PLOY_BOARD_NO_MOVE;
    lab->order_count = 0;
    lab->wait = lab->def.pause;
    snprintf(lab->last, sizeof lab->last, "start");
    lab->advice[0] = 0;
    return PLOY_OK;
}

static ploy_result strategy_lab_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                       void **out) {
    strategy_lab *lab = ploy_env_alloc_zero(env, sizeof *lab);
    if (lab == NULL) return PLOY_ERR_MEMORY; // the region is freed with all that is in it
    memcpy(&lab->def, params, sizeof lab->def);
    lab->env = *env;
    lab->rng = ploy_rng_from_key(key, 0);
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    def.playouts = 200;
    def.nodes = 2000;
    def.keep = false; // the rules change with the nation
    lab->plan_rules = ploy_board_plan_def_default();
    ploy_result result = ploy_board_mcts_create(
        &def, ploy_board_of(ploy_board_plan(), &lab->plan_rules), env, &lab->plan);
    if (result == PLOY_OK) result = strategy_lab_begin(lab);
    if (result == PLOY_OK) *out = lab;
    return result;
}

// One subsystem searched alone: the purchases that the nation to move would plan.
static ploy_result strategy_lab_plan(strategy_lab *lab, int32_t side) {
    lab->plan_rules = ploy_board_plan_of(&lab->rules, lab->position, side, STRATEGY_PLAN);
    uint64_t start[4];
    ploy_board_plan()->start(&lab->plan_rules, start);
    ploy_result result = ploy_board_mcts_begin(lab->plan, start);
    if (result == PLOY_OK) result = ploy_board_mcts_step(lab->plan, NULL);
    if (result != PLOY_OK) return result;
    ploy_board_mcts_outcome outcome = ploy_board_mcts_outcome_of(lab->plan);
    char text[PLOY_BOARD_MOVE_TEXT];
    ploy_board_plan()->move_text(&lab->plan_rules, start, outcome.move, text);
    snprintf(lab->advice, sizeof lab->advice, "plan of purchases: %s first (%d %% reach the goal)",
             text, (int)(outcome.ratio * 100.0f));
    return PLOY_OK;
}

static ploy_result strategy_lab_choose(strategy_lab *lab, int32_t side, ploy_trace *trace,
                                       ploy_board_move *move) {
    int32_t mind = side == 0 ? lab->def.first : lab->def.second;
    if (mind == STRATEGY_PERSON) {
        *move = lab->chosen;
        lab->chosen = PLOY_BOARD_NO_MOVE;
        return PLOY_OK;
    }
    if (mind == STRATEGY_OPTIONS) {
        ploy_board_option options[PLOY_BOARD_STRATEGY_CITIES + 3];
        int32_t count = ploy_board_strategy_options(&lab->rules, lab->position, options,
                                                    PLOY_BOARD_STRATEGY_CITIES + 3);
        ploy_trace_begin(trace, ploy_agent_id_none(), "strategy", "options scored");
        for (int32_t i = 0; i < count; i++) {
            char text[PLOY_BOARD_MOVE_TEXT], why[96];
            lab->board.type->move_text(lab->board.rules, lab->position, options[i].strategy, text);
            snprintf(why, sizeof why, "territory %.1f, danger %.1f, technology %.1f, content %.1f",
                     (double)options[i].territory, (double)options[i].danger,
                     (double)options[i].technology, (double)options[i].content);
            ploy_trace_option(trace, text, i == 0 ? PLOY_OUTCOME_WON : PLOY_OUTCOME_LOST,
                              options[i].score, why);
        }
        ploy_trace_end(trace);
        *move = options[0].strategy;
        return PLOY_OK;
    }
    ploy_board_player *player = lab->players[mind == STRATEGY_MCTS];
    ploy_result result = ploy_board_player_new_game(player, lab->position);
    if (result == PLOY_OK) result = ploy_board_player_begin(player);
    if (result == PLOY_OK) result = ploy_board_player_step(player, NULL);
    if (result != PLOY_OK) return result;
    if (mind == STRATEGY_MCTS)
        ploy_board_mcts_why(ploy_board_player_mcts(player), lab->board, lab->position, trace);
    else
        ploy_board_why(ploy_board_player_search(player), lab->board, lab->position, trace);
    *move = ploy_board_player_choice(player).move;
    return PLOY_OK;
}

// A turn: the strategy, its orders, and the battle if there is one.
static ploy_result strategy_lab_turn(strategy_lab *lab, ploy_trace *trace) {
    const ploy_board_type *type = lab->board.type;
    int32_t side = type->side(lab->board.rules, lab->position);
    if (side == PLOY_BOARD_OVER) {
        int32_t result = type->result(lab->board.rules, lab->position, 0);
        lab->games++;
        if (result != 0) lab->wins[result > 0 ? 0 : 1]++;
        return strategy_lab_begin(lab);
    }
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    ploy_result result = strategy_lab_plan(lab, side);
    if (result == PLOY_OK) result = strategy_lab_choose(lab, side, trace, &move);
    if (result != PLOY_OK || move == PLOY_BOARD_NO_MOVE) return result;
    char text[PLOY_BOARD_MOVE_TEXT];
    type->move_text(lab->board.rules, lab->position, move, text);
    lab->order_count =
        ploy_board_strategy_orders(&lab->rules, lab->position, move, lab->orders, STRATEGY_ORDERS);
    type->make(lab->board.rules, lab->position, move, NULL);
    const char *outcome = "";
    if (type->side(lab->board.rules, lab->position) == PLOY_BOARD_CHANCE) {
        ploy_board_move outcomes[2];
        float weights[2];
        int32_t count = type->moves(lab->board.rules, lab->position, outcomes, 2);
        for (int32_t i = 0; i < count; i++) {
            weights[i] = (float)type->odds(lab->board.rules, lab->position, outcomes[i]);
        }
        int32_t pick = ploy_rng_weighted(&lab->rng, weights, count);
        outcome = pick == 0 ? ", won" : ", lost";
        type->make(lab->board.rules, lab->position, outcomes[pick < 0 ? 0 : pick], NULL);
    }
    snprintf(lab->last, sizeof lab->last, "%c: %s%s", side == 0 ? 'A' : 'B', text, outcome);
    lab->wait = lab->def.pause;
    return PLOY_OK;
}

// The person's strategy: an attack on the city at the place.
static ploy_board_move strategy_lab_attack(const strategy_lab *lab, ploy_vec2 at) {
    const ploy_board_type *type = lab->board.type;
    ploy_board_move moves[PLOY_BOARD_STRATEGY_CITIES + 3];
    int32_t side = type->side(lab->board.rules, lab->position);
    if (side != 0 && side != 1) return PLOY_BOARD_NO_MOVE;
    int32_t count =
        type->moves(lab->board.rules, lab->position, moves, PLOY_BOARD_STRATEGY_CITIES + 3);
    for (int32_t i = 0; i < count; i++) {
        ploy_vec2 from, to;
        if (type->place(lab->board.rules, lab->position, moves[i], &from, &to) &&
            ploy_vec2_distance(at, to) < 0.5f) {
            return moves[i];
        }
    }
    return PLOY_BOARD_NO_MOVE;
}

static ploy_board_move strategy_lab_word(const strategy_lab *lab, const char *word) {
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    int32_t side = lab->board.type->side(lab->board.rules, lab->position);
    if (side != 0 && side != 1) return move;
    (void)lab->board.type->move_parse(lab->board.rules, lab->position, word, "input", &move, NULL);
    return move;
}

static ploy_result strategy_lab_step(void *state, const ploy_sim_context *context) {
    strategy_lab *lab = state;
    const strategy_lab_def *params = context->params;
    bool again = params->columns != lab->def.columns || params->rows != lab->def.rows ||
                 params->playouts != lab->def.playouts || lab_input_count(context, "new") > 0;
    memcpy(&lab->def, params, sizeof lab->def);
    if (again) {
        ploy_result result = strategy_lab_begin(lab);
        if (result != PLOY_OK) return result;
    }
    for (int32_t i = 0; i < context->input_count; i++) {
        const ploy_input *input = &context->inputs[i];
        if (lab_input_is(input, "click")) {
            lab->chosen = strategy_lab_attack(lab, lab_input_point(input));
        }
        for (int32_t k = 0; k < 3; k++) {
            static const char *const words[] = {"economy", "research", "defend"};
            if (lab_input_is(input, words[k])) lab->chosen = strategy_lab_word(lab, words[k]);
        }
    }
    if (lab->wait > 0) {
        lab->wait--;
        return PLOY_OK;
    }
    return strategy_lab_turn(lab, context->trace);
}

// ---- sight

static ploy_vec2 strategy_lab_at(const strategy_lab *lab, int32_t city) {
    return ploy_vec2_make((float)(city % lab->rules.columns) + 0.5f,
                          (float)(lab->rules.rows - 1 - city / lab->rules.columns) + 0.5f);
}

// Share of the first nation's influence over the second's: 1 to -1.
static float strategy_lab_share(const void *user, int32_t cell) {
    const strategy_lab *lab = user;
    float a[PLOY_BOARD_STRATEGY_CITIES], b[PLOY_BOARD_STRATEGY_CITIES];
    int32_t columns = lab->rules.columns;
    int32_t city = (lab->rules.rows - 1 - cell / columns) * columns + cell % columns;
    ploy_board_strategy_influence(&lab->rules, lab->position, 0, a);
    ploy_board_strategy_influence(&lab->rules, lab->position, 1, b);
    float sum = a[city] + b[city];
    return sum > 0.0f ? (a[city] - b[city]) / sum : 0.0f;
}

static void strategy_lab_draw(const void *state, ploy_draw *out) {
    const strategy_lab *lab = state;
    ploy_draw_key(out, PLOY_STYLE_AGENT_A, "player A");
    ploy_draw_key(out, PLOY_STYLE_AGENT_B, "player B");
    ploy_draw_key(out, PLOY_STYLE_PATH, "marches that are ordered");
    ploy_agent_id none = ploy_agent_id_none();
    int32_t cities = lab->rules.columns * lab->rules.rows;
    ploy_draw_map map = {.name = "influence, A above 0, B below",
                         .unit = "",
                         .size = 1.0f,
                         .columns = lab->rules.columns,
                         .rows = lab->rules.rows,
                         .value = strategy_lab_share,
                         .user = lab};
    if (lab->def.influence) ploy_draw_values(out, PLOY_LAYER_INFLUENCE, &map);
    if (lab->def.influence && !ploy_draw_takes_maps(out)) {
        float a[PLOY_BOARD_STRATEGY_CITIES], b[PLOY_BOARD_STRATEGY_CITIES];
        ploy_board_strategy_influence(&lab->rules, lab->position, 0, a);
        ploy_board_strategy_influence(&lab->rules, lab->position, 1, b);
        for (int32_t i = 0; i < cities; i++) {
            float sum = a[i] + b[i], share = sum > 0.0f ? (a[i] - b[i]) / sum : 0.0f;
            ploy_draw_disc(out, PLOY_LAYER_INFLUENCE,
                           share > 0.0f ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B, none,
                           strategy_lab_at(lab, i), 0.48f, 0.35f * (share > 0.0f ? share : -share));
        }
    }
    lab->board.type->draw(lab->board.rules, lab->position, out);
    for (int32_t i = 0; i < lab->order_count; i++) {
        const ploy_board_order *order = &lab->orders[i];
        if (order->kind != PLOY_BOARD_ORDER_MARCH) continue;
        ploy_draw_arrow(out, PLOY_LAYER_PATHS, PLOY_STYLE_PATH, none,
                        strategy_lab_at(lab, order->city), strategy_lab_at(lab, order->target));
    }
    float top = (float)lab->rules.rows;
    char text[PLOY_BOARD_MOVE_TEXT + 160];
    snprintf(text, sizeof text, "%s (%d orders); games %d, won by A %d, by B %d", lab->last,
             (int)lab->order_count, (int)lab->games, (int)lab->wins[0], (int)lab->wins[1]);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, top + 0.3f), text);
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, -0.3f), lab->advice);
    // What a search over single orders would face.
    const ploy_board_choice_group groups[] = {{"cities", cities / 2, 8},
                                              {"armies", cities / 2, 40}};
    ploy_board_tree_size size = ploy_board_tree_size_of(groups, 2, 1);
    snprintf(text, sizeof text, "single orders: about 10^%.0f combinations a turn; strategies: %d",
             size.combinations, (int)(3 + cities / 3));
    ploy_draw_text(out, none, ploy_vec2_make(0.0f, -0.6f), text);
}

static void strategy_lab_describe_entry(const char *from, const char *to, const char *key,
                                        const char *what, int32_t i, ploy_describe *out) {
    ploy_describe_begin_item(out, i);
    ploy_describe_text(out, "from", PLOY_NOTE, from);
    ploy_describe_text(out, "to", PLOY_NOTE, to);
    ploy_describe_text(out, key, PLOY_NOTE, what);
    ploy_describe_end(out);
}

// The last turn as a chain of command: the nation's strategy, the orders of its cities, and the
// report of the battle. The same groups and names as ploy_tiers_describe, so that tools show both.
static void strategy_lab_describe_tiers(const strategy_lab *lab, ploy_describe *out) {
    static const char *const nations[] = {"nation A", "nation B"};
    int32_t side = lab->last[0] == 'B' ? 1 : 0, entries = 0;
    ploy_describe_begin(out, "command");
    ploy_describe_begin(out, "tiers");
    for (int32_t i = 0; i < 2; i++) {
        ploy_describe_begin(out, nations[i]);
        ploy_describe_i64(out, "parent", PLOY_NOTE, -1);
        ploy_describe_text(out, "scheme", PLOY_NOTE,
                           strategy_minds[i == 0 ? lab->def.first : lab->def.second]);
        if (i == side && lab->order_count > 0) {
            ploy_describe_text(out, "doing", PLOY_NOTE, lab->last + 3);
        }
        ploy_describe_end(out);
    }
    for (int32_t city = 0; city < lab->rules.columns * lab->rules.rows; city++) {
        char name[24];
        int32_t orders = 0;
        for (int32_t i = 0; i < lab->order_count; i++) orders += lab->orders[i].city == city;
        if (orders == 0) continue;
        snprintf(name, sizeof name, "city %d", (int)city + 1);
        ploy_describe_begin(out, name);
        ploy_describe_i64(out, "parent", PLOY_NOTE, side);
        ploy_describe_text(out, "scheme", PLOY_NOTE, "direct");
        ploy_describe_begin(out, "orders");
        for (int32_t i = 0; i < lab->order_count; i++) {
            const ploy_board_order *order = &lab->orders[i];
            if (order->city != city) continue;
            ploy_vec2 place = strategy_lab_at(
                lab, order->kind == PLOY_BOARD_ORDER_MARCH ? order->target : order->city);
            ploy_describe_begin_item(out, i);
            ploy_describe_text(out, "kind", PLOY_NOTE, ploy_board_order_text(order->kind));
            ploy_describe_vec2(out, "place", PLOY_NOTE, place.x, place.y);
            ploy_describe_end(out);
        }
        ploy_describe_end(out);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    ploy_describe_begin(out, "log");
    bool won = strstr(lab->last, ", won") != NULL, lost = strstr(lab->last, ", lost") != NULL;
    if (won || lost) {
        strategy_lab_describe_entry("army", nations[side], "report", won ? "done" : "failed",
                                    entries++, out);
    }
    for (int32_t i = lab->order_count - 1; i >= 0; i--) {
        char name[24];
        snprintf(name, sizeof name, "city %d", (int)lab->orders[i].city + 1);
        strategy_lab_describe_entry(nations[side], name, "order",
                                    ploy_board_order_text(lab->orders[i].kind), entries++, out);
    }
    ploy_describe_end(out);
    ploy_describe_end(out);
}

static void strategy_lab_describe(const void *state, ploy_describe *out) {
    const strategy_lab *lab = state;
    ploy_describe_begin(out, "game");
    ploy_board_describe(lab->board, lab->position, out);
    ploy_describe_end(out);
    ploy_describe_i64(out, "games", PLOY_STATE, lab->games);
    ploy_describe_i64(out, "won_first", PLOY_STATE, lab->wins[0]);
    ploy_describe_i64(out, "won_second", PLOY_STATE, lab->wins[1]);
    ploy_describe_i64(out, "wait", PLOY_STATE, lab->wait);
    ploy_describe_u64(out, "chosen", PLOY_STATE, lab->chosen);
    ploy_rng next = lab->rng;
    ploy_describe_u64(out, "rng", PLOY_STATE, ploy_rng_u64(&next));
    ploy_describe_text(out, "last", PLOY_STATE, lab->last);
    ploy_describe_text(out, "plan", PLOY_STATE, lab->advice);
    ploy_describe_begin(out, "orders");
    for (int32_t i = 0; i < lab->order_count; i++) {
        const ploy_board_order *order = &lab->orders[i];
        ploy_describe_begin_item(out, i);
        ploy_describe_text(out, "kind", PLOY_STATE, ploy_board_order_text(order->kind));
        ploy_describe_i64(out, "city", PLOY_STATE, order->city);
        ploy_describe_i64(out, "target", PLOY_STATE, order->target);
        ploy_describe_i64(out, "count", PLOY_STATE, order->count);
        ploy_describe_end(out);
    }
    ploy_describe_end(out);
    strategy_lab_describe_tiers(lab, out);
    for (int32_t i = 0; i < 2; i++) {
        ploy_describe_begin(out, i == 0 ? "search" : "monte_carlo");
        ploy_board_player_describe(lab->players[i], out);
        ploy_describe_end(out);
    }
}

static const ploy_command strategy_lab_commands[] = {
    {"click", "attack the city at that place", PLOY_VALUE_VEC2, false, "Pointer"},
    {"economy", "build up the economy", PLOY_VALUE_NONE, false, "e"},
    {"research", "do research", PLOY_VALUE_NONE, false, "r"},
    {"defend", "defend the city in most danger", PLOY_VALUE_NONE, false, "d"},
    {"new", "start a new game", PLOY_VALUE_NONE, false, "n"},
};

extern const ploy_sim_type ploy_lab_strategy; // in labs.c
const ploy_sim_type ploy_lab_strategy = {
    .name = "strategy",
    .title = "Strategies as moves",
    .help =
        "Two nations choose strategies: by search, by Monte Carlo search or by scored options. A "
        "lower tier turns each into orders. Set first to person and click a city to attack it.",
    .version = 1,
    .capabilities = PLOY_SIM_INTERACTIVE | PLOY_SIM_DIAGRAM | PLOY_SIM_TACTICS,
    .dt = 1.0f / 30.0f,
    .view = {-0.5f, -1.0f, 6.5f, 4.6f},
    .fields = strategy_lab_get_fields,
    .commands = strategy_lab_commands,
    .command_count = sizeof strategy_lab_commands / sizeof strategy_lab_commands[0],
    .create = strategy_lab_create,
    .destroy = NULL, // the region goes with the simulation
    .step = strategy_lab_step,
    .draw = strategy_lab_draw,
    .describe = strategy_lab_describe,
};
