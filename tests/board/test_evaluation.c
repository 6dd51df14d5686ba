// Evaluation graphs: the catalog's numbers, patterns, Samuel's parameters, faults, memory.
#include "ploy/board/evaluation.h"

#include "ploy/board/draughts.h"
#include "tests/board/board_test.h"

// A made-up position: its difference of discs and its phase.
typedef struct toy {
    int32_t discs, phase;
} toy;

static int32_t toy_discs(const void *rules, const void *position, int32_t player) {
    (void)rules;
    int32_t discs = ((const toy *)position)->discs;
    return player == 0 ? discs : -discs;
}

static int32_t toy_phase(const void *rules, const void *position) {
    (void)rules;
    return ((const toy *)position)->phase;
}

static ploy_result toy_build(const ploy_env *env, ploy_board_evaluation **out) {
    static const ploy_board_component discs = {"discs", toy_discs};
    static const ploy_board_curve_point points[] = {
        {0, -1000}, {700, -1000}, {850, 0}, {1000, 4000}};
    int32_t a = 0, b = 0, product = 0, sum = 0;
    ploy_result result = ploy_board_evaluation_create(toy_phase, env, out);
    ploy_board_evaluation *e = *out;
    if (result == PLOY_OK) result = ploy_board_evaluation_component(e, &discs, &a);
    if (result == PLOY_OK) result = ploy_board_evaluation_curve(e, "importance", points, 4, &b);
    if (result == PLOY_OK) result = ploy_board_evaluation_product(e, "worth", a, b, &product);
    const ploy_board_term term = {product, 5000};
    if (result == PLOY_OK) result = ploy_board_evaluation_sum(e, "score", &term, 1, &sum);
    if (result != PLOY_OK) {
        ploy_board_evaluation_destroy(e);
        *out = NULL;
    }
    return result;
}

TEST(a_disc_is_worth_what_the_phase_says) {
    static const struct {
        const char *row;
        int32_t phase, score;
    } rows[] = {{"middle game", 500, -50}, {"turning point", 850, 0}, {"end", 1000, 200},
                {"between", 775, -25},     {"start", 0, -50},         {"beyond", 1200, 200}};
    ploy_env env = ploy_env_default();
    ploy_board_evaluation *e = NULL;
    CHECK_OK(toy_build(&env, &e));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        toy position = {10, rows[i].phase};
        CHECK_INT(ploy_board_evaluation_score(e, NULL, &position, 0), rows[i].score);
        CHECK_INT(ploy_board_evaluation_score(e, NULL, &position, 1), -rows[i].score);
    }
    ploy_board_evaluation_destroy(e);
}

static void append_part(void *user, const char *name, int32_t value) {
    char *text = user;
    snprintf(text + strlen(text), 200 - strlen(text), "%s %d; ", name, (int)value);
}

TEST(a_score_is_explained_node_by_node) {
    ploy_env env = ploy_env_default();
    ploy_board_evaluation *e = NULL;
    CHECK_OK(toy_build(&env, &e));
    toy position = {10, 500};
    char text[200] = "";
    CHECK_INT(ploy_board_evaluation_explain(e, NULL, &position, 0, append_part, text), -50);
    CHECK_TEXT(text, "discs 10; importance -1000; worth -10; score -50; ");
    ploy_board_evaluation_destroy(e);
}

static int32_t toy_cell(const void *rules, const void *position, int32_t player, int32_t square) {
    (void)rules;
    int32_t cell = ((const char *)position)[square] - '0';
    return cell == 0 || player == 0 ? cell : 3 - cell;
}

TEST(patterns_are_looked_up_in_base_three) {
    static const uint8_t edges[] = {0, 1, 2, 2, 1, 0}; // one edge, read both ways
    int16_t table[27];
    for (int16_t i = 0; i < 27; i++) table[i] = i;
    const ploy_board_pattern pattern = {"edge", 3, 2, edges, table, toy_cell};
    ploy_env env = ploy_env_default();
    ploy_board_evaluation *e = NULL;
    int32_t node = -1;
    CHECK_OK(ploy_board_evaluation_create(NULL, &env, &e));
    CHECK_INT(ploy_board_evaluation_score(e, NULL, "120", 0), 0); // nothing to add up
    CHECK_OK(ploy_board_evaluation_pattern(e, &pattern, &node));
    CHECK_INT(ploy_board_evaluation_score(e, NULL, "120", 0), (9 + 6) + (6 + 1));
    CHECK_INT(ploy_board_evaluation_score(e, NULL, "120", 1), (18 + 3) + (3 + 2));
    CHECK_OK(ploy_board_evaluation_clamp(e, "limit", node, 0, 20, &node));
    CHECK_INT(ploy_board_evaluation_score(e, NULL, "120", 0), 20);
    int32_t constant = 0;
    CHECK_OK(ploy_board_evaluation_constant(e, "much", INT32_MAX, &constant));
    CHECK_INT(ploy_board_evaluation_score(e, NULL, "120", 0), PLOY_BOARD_EVALUATION - 1);
    ploy_board_evaluation_destroy(e);
}

TEST(graphs_refuse_inputs_that_do_not_exist) {
    ploy_env env = ploy_env_default();
    ploy_board_evaluation *e = NULL;
    CHECK_OK(ploy_board_evaluation_create(NULL, &env, &e));
    const ploy_board_term term = {0, 1000};
    static const ploy_board_curve_point falling[] = {{500, 1}, {400, 2}};
    int32_t node = 0;
    CHECK_INT(ploy_board_evaluation_sum(e, "s", &term, 1, &node), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_board_evaluation_product(e, "p", 0, 0, &node), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_board_evaluation_clamp(e, "c", 0, 0, 1, &node), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_board_evaluation_curve(e, "f", falling, 2, &node), PLOY_ERR_ARGUMENT);
    ploy_board_evaluation_destroy(e);
}

static ploy_result build_body(const ploy_env *env, void *arg) {
    (void)arg;
    ploy_board_evaluation *e = NULL;
    ploy_result result = toy_build(env, &e);
    ploy_board_evaluation_destroy(e);
    return result;
}

TEST(graphs_report_a_lack_of_memory) {
    CHECK_FAIL_NTH(build_body, NULL);
}

TEST(samuel_counts_what_he_defined) {
    static const struct {
        const char *row, *position;
        int32_t index, value; // for the side to move, black
    } rows[] = {
        {"apex: a man on 7, none of the opponent's", "B:W32:B7", 0, -1},
        {"apex: not with kings", "B:WK32:B7", 0, 0},
        {"back: the bridge 30 and 32", "B:W30,32:B5", 1, 1},
        {"back: half a bridge", "B:W30:B5", 1, 0},
        {"cent: passive men in the centre", "B:W11,15,K20:B5", 2, 2},
        {"cntr: occupied and in reach", "B:W32:B11", 3, 3},
        {"expos: open at both ends", "B:W18:B1", 4, 1},
        {"expos: not at the rim", "B:W29:B1", 4, 0},
        {"fork: two pieces and three empty squares", "B:W17,18:B1", 5, 1},
        {"gap: one between two pieces, two at the rim", "B:W9,18:B32", 6, 3},
    };
    ploy_board_draughts_def def = ploy_board_draughts_def_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_board_draughts_position p;
        CHECK_OK(ploy_board_draughts()->parse(&def, rows[i].position, "row", &p, NULL));
        CHECK_INT(ploy_board_samuel_at(rows[i].index)->value(&def, &p, 0), rows[i].value);
    }
    CHECK(ploy_board_samuel_at(7) == NULL);
}
