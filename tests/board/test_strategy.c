// The strategy game: orders, odds, heuristics, the searched subsystem, and the size of a tree.
#include "ploy/board/mcts.h"
#include "ploy/board/player.h"
#include "ploy/board/strategy.h"
#include "tests/board/board_test.h"

#include <math.h>

enum { STRATEGY_WORDS = 64 };

static ploy_board strategy_game(ploy_board_strategy_def *rules) {
    *rules = ploy_board_strategy_def_default();
    return ploy_board_of(ploy_board_strategy(), rules);
}

TEST(strategy_keeps_the_contract_on_any_map) {
    static const int32_t sizes[][3] = {{2, 2, 10}, {4, 3, 40}, {6, 4, 60}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        ploy_board_strategy_def rules = ploy_board_strategy_def_default();
        rules.columns = sizes[i][0];
        rules.rows = sizes[i][1];
        rules.limit = sizes[i][2];
        board_check_contract(t, ploy_board_of(ploy_board_strategy(), &rules), 20);
    }
}

static ploy_board_move strategy_move(test_context *t, ploy_board board, const void *position,
                                     const char *text) {
    ploy_board_move move = PLOY_BOARD_NO_MOVE;
    CHECK_OK(board.type->move_parse(board.rules, position, text, "test", &move, NULL));
    return move;
}

TEST(a_strategy_becomes_orders_and_make_carries_them_out) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    uint64_t position[STRATEGY_WORDS] = {0};
    const char *start = "A2*4 A1*3 -1*1 -1*1/A1*1 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 6 0 0 5; "
                        "4 0 0 5; 2 A";
    CHECK_OK(board.type->parse(board.rules, start, "test", position, NULL));
    ploy_board_order orders[32];
    // Attack b2: train three units in b1 (the strongest beside it), march with all but one, a1 moves up.
    ploy_board_move attack = strategy_move(t, board, position, "attack:b2");
    int32_t count = ploy_board_strategy_orders(&rules, position, attack, orders, 32);
    CHECK_INT(count, 3);
    CHECK_INT(orders[0].kind, PLOY_BOARD_ORDER_TRAIN);
    CHECK_INT(orders[0].city, 1);
    CHECK_INT(orders[0].count, 3);
    CHECK_INT(orders[1].kind, PLOY_BOARD_ORDER_MARCH);
    CHECK_INT(orders[1].city, 1);
    CHECK_INT(orders[1].target, 5);
    CHECK_INT(orders[1].count, 5);
    CHECK_INT(orders[2].city, 0);
    CHECK_INT(orders[2].count, 3);
    CHECK_TEXT(ploy_board_order_text(orders[2].kind), "march");
    board.type->make(board.rules, position, attack, NULL);
    CHECK_INT(board.type->side(board.rules, position), PLOY_BOARD_CHANCE);
    // Five against two behind walls: 60 to 30 twelfths, four to one.
    ploy_board_move outcomes[2];
    CHECK_INT(board.type->moves(board.rules, position, outcomes, 2), 2);
    CHECK_INT(board.type->odds(board.rules, position, outcomes[0]), 60 * 60 / 8 + 1);
    CHECK_INT(board.type->odds(board.rules, position, outcomes[1]), 30 * 30 / 8 + 1);
    board.type->make(board.rules, position, strategy_move(t, board, position, "won"), NULL);
    char text[PLOY_BOARD_TEXT];
    board.type->text(board.rules, position, text);
    CHECK_TEXT(text, "A2*1 A1*4 -1*1 -1*1/A1*1 A1*4 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 0 0 0 4; "
                     "6 0 0 5; 3 B");
}

TEST(research_economy_and_defence_spend_the_gold) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    static const struct {
        const char *row, *move, *after;
    } rows[] = {
        {"research", "research",
         "A2*4 A1*3 -1*1 -1*1/A1*1 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 0 1 1 5; 6 0 0 5; 3 B"},
        {"economy", "economy",
         "A3*4 A2*3 -1*1 -1*1/A2*1 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 1 0 0 6; 6 0 0 5; 3 B"},
        {"defend", "defend",
         "A2*3 A1*1 -1*1 -1*1/A1*10 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 1 0 0 5; 6 0 0 5; 3 B"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        uint64_t position[STRATEGY_WORDS] = {0};
        CHECK_OK(board.type->parse(board.rules,
                                   "A2*4 A1*3 -1*1 -1*1/A1*1 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; "
                                   "13 0 0 5; 4 0 0 5; 2 A",
                                   "test", position, NULL));
        ploy_board_move move = strategy_move(t, board, position, rows[i].move);
        board.type->make(board.rules, position, move, NULL);
        char text[PLOY_BOARD_TEXT];
        board.type->text(board.rules, position, text);
        CHECK_TEXT(text, rows[i].after);
    }
}

TEST(influence_halves_with_every_march) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    uint64_t position[STRATEGY_WORDS] = {0};
    board.type->start(board.rules, position);
    float influence[PLOY_BOARD_STRATEGY_CITIES];
    ploy_board_strategy_influence(&rules, position, 0, influence);
    CHECK(influence[0] == 4.0f && influence[1] == 2.0f && influence[5] == 1.0f);
    CHECK(influence[11] == 0.125f);
}

TEST(options_are_scored_and_sorted) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    uint64_t position[STRATEGY_WORDS] = {0};
    board.type->start(board.rules, position);
    ploy_board_option options[PLOY_BOARD_STRATEGY_CITIES + 3];
    int32_t count =
        ploy_board_strategy_options(&rules, position, options, (int32_t)COUNT_OF(options));
    CHECK_INT(count, 5); // economy, research, defend, two cities beside the capital
    for (int32_t i = 0; i < count; i++) {
        const ploy_board_option *o = &options[i];
        CHECK(i == 0 || options[i - 1].score >= o->score);
        CHECK(fabsf(o->score - o->territory - o->danger - o->technology - o->content) < 1e-5f);
    }
    // Five units against one: the land is for the taking.
    char text[PLOY_BOARD_MOVE_TEXT];
    board.type->move_text(board.rules, position, options[0].strategy, text);
    CHECK_TEXT(text, "attack:b1");
    ploy_board_option two[2];
    CHECK_INT(ploy_board_strategy_options(&rules, position, two, 2), 2);
    CHECK_UINT(two[0].strategy, options[0].strategy);
    CHECK_UINT(two[1].strategy, options[1].strategy);
    // An enemy army beside a weak city: defence wins.
    CHECK_OK(
        board.type->parse(board.rules,
                          "A2*2 B1*20 -1*1 -1*1/-1*9 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 3 0 0 "
                          "5; 4 0 0 5; 2 A",
                          "test", position, NULL));
    CHECK(ploy_board_strategy_options(&rules, position, options, (int32_t)COUNT_OF(options)) > 3);
    board.type->move_text(board.rules, position, options[0].strategy, text);
    CHECK_TEXT(text, "defend");
}

// One game; `searcher` looks ahead over strategies, the other nation takes the best-scored option.
static int32_t strategy_match(test_context *t, ploy_board board, int32_t searcher, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_board_player_def def = ploy_board_player_def_for(board, 0);
    def.monte_carlo = true;
    def.mcts.playouts = 400;
    ploy_board_player *player = NULL;
    CHECK_OK(ploy_board_player_create(&def, board, &env, &player));
    ploy_rng rng = ploy_rng_make(seed);
    uint64_t position[STRATEGY_WORDS] = {0};
    board.type->start(board.rules, position);
    int32_t side = 0;
    while ((side = board.type->side(board.rules, position)) != PLOY_BOARD_OVER) {
        ploy_board_move move = PLOY_BOARD_NO_MOVE;
        if (side == PLOY_BOARD_CHANCE) {
            ploy_board_move outcomes[2];
            CHECK_INT(board.type->moves(board.rules, position, outcomes, 2), 2);
            int32_t win = board.type->odds(board.rules, position, outcomes[0]);
            int32_t lose = board.type->odds(board.rules, position, outcomes[1]);
            move = outcomes[(int32_t)ploy_rng_below(&rng, (uint64_t)(win + lose)) < win ? 0 : 1];
        } else if (side == searcher) {
            CHECK_OK(ploy_board_player_new_game(player, position));
            CHECK_OK(ploy_board_player_begin(player));
            CHECK_OK(ploy_board_player_step(player, NULL));
            move = ploy_board_player_choice(player).move;
        } else {
            ploy_board_option best;
            CHECK_INT(ploy_board_strategy_options(board.rules, position, &best, 1), 1);
            move = best.strategy;
        }
        board.type->make(board.rules, position, move, NULL);
    }
    ploy_board_player_destroy(player);
    return board.type->result(board.rules, position, searcher);
}

TEST(two_tiers_beat_heuristics_alone) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    int32_t games = (int32_t)test_rounds(40), points = 0;
    for (int32_t i = 0; i < games; i++) {
        TEST_SEED((uint64_t)i);
        int32_t result = strategy_match(t, board, i % 2, (uint64_t)i / 2);
        points += result > 0 ? 2 : result == 0 ? 1 : 0;
    }
    printf("two tiers against heuristics: %d of %d points\n", points, 2 * games);
    CHECK(points * 10 >= games * 13); // 65 %
}

// ---- one subsystem

static float plan_rate(test_context *t, ploy_board board, bool search, int32_t games) {
    ploy_env env = ploy_env_default();
    ploy_board_mcts_def def = ploy_board_mcts_def_default();
    def.playouts = 400;
    def.nodes = 4000;
    ploy_board_mcts *mcts = NULL;
    CHECK_OK(ploy_board_mcts_create(&def, board, &env, &mcts));
    int32_t wins = 0;
    for (int32_t g = 0; g < games; g++) {
        ploy_rng rng = ploy_rng_make((uint64_t)g);
        uint64_t position[STRATEGY_WORDS] = {0};
        board.type->start(board.rules, position);
        int32_t side = 0;
        while ((side = board.type->side(board.rules, position)) != PLOY_BOARD_OVER) {
            ploy_board_move moves[4];
            int32_t count = board.type->moves(board.rules, position, moves, 4);
            ploy_board_move move = moves[ploy_rng_below(&rng, (uint64_t)count)];
            if (side == PLOY_BOARD_CHANCE) {
                float weights[4];
                for (int32_t i = 0; i < count; i++) {
                    weights[i] = (float)board.type->odds(board.rules, position, moves[i]);
                }
                move = moves[ploy_rng_weighted(&rng, weights, count)];
            } else if (search) {
                CHECK_OK(ploy_board_mcts_begin(mcts, position));
                CHECK_OK(ploy_board_mcts_step(mcts, NULL));
                move = ploy_board_mcts_outcome_of(mcts).move;
            }
            board.type->make(board.rules, position, move, NULL);
        }
        wins += board.type->result(board.rules, position, 0) > 0;
    }
    ploy_board_mcts_destroy(mcts);
    return (float)wins / (float)games;
}

TEST(a_searched_plan_reaches_its_goal_more_often) {
    ploy_board_plan_def rules = ploy_board_plan_def_default();
    ploy_board board = ploy_board_of(ploy_board_plan(), &rules);
    board_check_contract(t, board, 50);
    int32_t games = (int32_t)test_rounds(60);
    float searched = plan_rate(t, board, true, games), random = plan_rate(t, board, false, games);
    printf("plan: %.2f searched, %.2f random\n", (double)searched, (double)random);
    CHECK(searched > random + 0.2f);
}

TEST(a_plan_comes_from_a_position) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    uint64_t position[STRATEGY_WORDS] = {0};
    CHECK_OK(board.type->parse(board.rules,
                               "A2*4 A1*3 B1*8 -1*1/A1*1 -1*2 -1*1 -1*1/-1*1 -1*1 -1*1 B2*4; 6 2 0 "
                               "5; 4 0 0 5; 2 A",
                               "test", position, NULL));
    ploy_board_plan_def plan = ploy_board_plan_of(&rules, position, 0, 6);
    CHECK_INT(plan.turns, 6);
    CHECK_INT(plan.gold, 6);
    CHECK_INT(plan.economy, 4);
    CHECK_INT(plan.army, 8);
    CHECK_INT(plan.technology, 2);
    CHECK_INT(plan.threat, 4); // half of eight, and a bit
    CHECK_INT(plan.goal, 16 + 8 + 6 + 8);
    ploy_env env = ploy_env_default();
    CHECK_OK(ploy_board_rules_check(ploy_board_of(ploy_board_plan(), &plan), &env));
}

TEST(junk_positions_are_refused_with_their_place) {
    ploy_board_strategy_def rules;
    ploy_board board = strategy_game(&rules);
    board_check_fault(t, board, "A2*4 A1*3", "p",
                      "p:1:10: error: too few cities; expected a blank, or / between rows");
    ploy_board_plan_def plan = ploy_board_plan_def_default();
    board_check_fault(t, ploy_board_of(ploy_board_plan(), &plan), "1 0", "p",
                      "p:1:3: error: invalid number; expected gold economy army technology turn");
}

// ---- size of a tree

TEST(tree_sizes_are_those_of_the_book) {
    const ploy_board_choice_group whole[] = {
        {"city properties", 5, 500}, {"troops", 30, 500}, {"side", 1, 2500}};
    ploy_board_tree_size size = ploy_board_tree_size_of(whole, 3, 1);
    CHECK_INT(size.single, 20000);
    CHECK_TEXT(size.advice, "group moves into strategies, or score options without lookahead");
    CHECK_NEAR(ploy_board_tree_size_of(whole, 2, 1).combinations, 94.5, 0.05);
    CHECK_NEAR(ploy_board_tree_size_of(whole + 1, 1, 1).combinations, 81.0, 0.05);
    const ploy_board_choice_group free_properties[] = {{"properties", 25, 100},
                                                       {"troops", 30, 500}};
    CHECK_NEAR(ploy_board_tree_size_of(free_properties, 2, 1).combinations, 131.0, 0.05);
    const ploy_board_choice_group chess[] = {{"moves", 1, 35}};
    size = ploy_board_tree_size_of(chess, 1, 80);
    CHECK_NEAR(size.tree, 80 * 1.54407, 0.01);
    CHECK_TEXT(size.advice, "alpha-beta or Monte Carlo search to a limited depth");
    const ploy_board_choice_group small[] = {{"moves", 1, 3}};
    CHECK_TEXT(ploy_board_tree_size_of(small, 1, 9).advice, "search the whole tree");
    CHECK_INT(ploy_board_tree_size_of(NULL, 0, 1).single, 0);
}
