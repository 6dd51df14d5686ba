// Expressions: values, precedence, types, assignments, and what is wrong with a text.
#include "decide/expression_internal.h"
#include "ploy/base/rng.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ploy_blackboard_key board_keys[] = {
    {"x", PLOY_VALUE_F64, {PLOY_VALUE_F64, {.f64 = 3.0}}, NULL},
    {"y", PLOY_VALUE_I64, {PLOY_VALUE_I64, {.i64 = 5}}, NULL},
    {"ready", PLOY_VALUE_BOOL, {PLOY_VALUE_NONE, {0}}, NULL},
    {"word", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "hello"}}, NULL},
    {"three", PLOY_VALUE_TEXT, {PLOY_VALUE_TEXT, {.text = "3"}}, NULL},
    {"mood", PLOY_VALUE_NAME, {PLOY_VALUE_NONE, {0}}, NULL},
    {"speed", PLOY_VALUE_F32, {PLOY_VALUE_NONE, {0}}, NULL},
    {"place", PLOY_VALUE_VEC2, {PLOY_VALUE_NONE, {0}}, NULL},
};

typedef struct expression_desk {
    ploy_env env;
    ploy_blackboard_layout *layout;
    ploy_blackboard *board;
    ploy_diags *diags;
} expression_desk;

static void desk_open(test_context *t, expression_desk *desk) {
    desk->env = ploy_env_default();
    CHECK_OK(ploy_blackboard_layout_create(board_keys, (int32_t)COUNT_OF(board_keys), "desk",
                                           &desk->env, NULL, &desk->layout));
    CHECK_OK(ploy_blackboard_create(desk->layout, &desk->env, &desk->board));
    CHECK_OK(ploy_diags_create(8, &desk->env, &desk->diags));
}

static void desk_close(expression_desk *desk) {
    ploy_blackboard_destroy(desk->board);
    ploy_blackboard_layout_destroy(desk->layout);
    ploy_diags_destroy(desk->diags);
}

// Reads, binds and runs.
static ploy_result desk_run(expression_desk *desk, const char *text, ploy_expression_value *out) {
    static const ploy_expression_constant constants[] = {{"RED", 7.0}, {"BLUE", 8.0}};
    ploy_expression *expression = NULL;
    ploy_diags_clear(desk->diags);
    ploy_result result = ploy_expression_create(text, "a.xml", 10, 5, constants, 2, &desk->env,
                                                desk->diags, &expression);
    if (result == PLOY_OK) {
        result = ploy_expression_bind_layout(expression, desk->layout, desk->diags);
    }
    if (result == PLOY_OK) result = ploy_expression_run_on(expression, desk->board, out);
    ploy_expression_destroy(expression);
    return result;
}

TEST(values_and_operators) {
    static const struct {
        const char *row;
        double want;
    } rows[] = {
        {"628", 628},
        {"-628", -628},
        {"0x100", 256},
        {"3.14e-2", 0.0314},
        {"true", 1},
        {"false", 0},
        {"RED + BLUE", 15},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 2 - 3", 5},
        {"2 / 4 / 2", 0.25},
        {"-x", -3},
        {"!x", 0},
        {"!!x", 1},
        {"~5", -6},
        {"y & x", 1},
        {"y | x", 7},
        {"y ^ x", 6},
        {"6 | 1 ^ 3", 4}, // one level, from the left
        {"1 | 4 & 6", 5},
        {"1 | 2 == 3", 1}, // comparisons are looser than bits
        {"x < y", 1},
        {"x < y && y < x", 0},
        {"x < y || y < x", 1},
        {"1 < x < 4", 1},
        {"1 < x < 3", 0},
        {"5 > x > 1 < 2", 1},
        {"(1 < x) < 3", 1},
        {"0 || 0 && 1", 0},
        {"1 ? 2 : 3", 2},
        {"0 ? 2 : 0 ? 3 : 4", 4},
        {"x == 3 ? y : -1", 5},
        {"word == 'hello'", 1},
        {"word != 'world'", 1},
        {"word < 'world'", 1},
        {"three == 3", 1},
        {"3 >= three", 1},
        {"word == 3", 0},
        {"word != 3", 1},
        {"mood == 'angry'", 0},
        {"mood = 'angry'; mood == 'angry'", 1},
        {"mood = 'calm'; mood != 'angry'", 1},
        {"x = 4; x += 2; x *= 3; x -= 8; x /= 4; x", 2.5},
        {"x = 3", 3},
        {"ready = !ready; ready", 1},
        {"speed := 0.1; speed == 0.1", 0}, // a float
        {" ; ; y ; ", 5},
        {"(y = 6) + 1", 7},
        {"y = 5", 5},
        {"0 && (y = 9); y", 5}, // not looked at
        {"1\n+\t2", 3},
    };
    expression_desk desk;
    desk_open(t, &desk);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_expression_value value;
        t->row = rows[i].row;
        CHECK_OK(desk_run(&desk, rows[i].row, &value));
        CHECK(!value.is_text);
        CHECK_NEAR(value.number, rows[i].want, 1e-12);
    }
    desk_close(&desk);
}

TEST(texts_are_joined) {
    static const struct {
        const char *row, *want;
    } rows[] = {
        {"'hello world '", "hello world "}, {"word + ' ' + 'you'", "hello you"},
        {"word .. 3 .. '!'", "hello3!"},    {"1 .. 2", "12"},
        {"x < y ? 'T' : 'F'", "T"},         {"word = 'a'; word += 'b'; word + word", "abab"},
        {"word = word + word", "abab"},
    };
    expression_desk desk;
    desk_open(t, &desk);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_expression_value value;
        t->row = rows[i].row;
        CHECK_OK(desk_run(&desk, rows[i].row, &value));
        CHECK(value.is_text);
        CHECK_TEXT(value.text, rows[i].want);
    }
    desk_close(&desk);
}

TEST(faults_have_a_place) {
    static const struct {
        const char *row;
        ploy_result want;
        int32_t column; // in the text, from 0; -1: found out while it runs
    } rows[] = {
        {"", PLOY_ERR_FORMAT, 0},
        {" ; ", PLOY_ERR_FORMAT, 0},
        {"0X100g", PLOY_ERR_FORMAT, 0},
        {"3foo", PLOY_ERR_FORMAT, 0},
        {"65.", PLOY_ERR_FORMAT, 0},
        {"65.43foo", PLOY_ERR_FORMAT, 0},
        {"1 +", PLOY_ERR_FORMAT, 3},
        {"1 2", PLOY_ERR_FORMAT, 2},
        {"(1", PLOY_ERR_FORMAT, 0},
        {"'open", PLOY_ERR_FORMAT, 0},
        {"x ? 1", PLOY_ERR_FORMAT, 5},
        {"1 $ 2", PLOY_ERR_FORMAT, 2},
        {"'hello' = 'world'", PLOY_ERR_FORMAT, 8},
        {"3.0 = 2.0", PLOY_ERR_FORMAT, 4},
        {"1 + x = 2", PLOY_ERR_FORMAT, 6},
        {"new_var = 69", PLOY_ERR_NOT_FOUND, 0},
        {"1 + foo", PLOY_ERR_NOT_FOUND, 4},
        {"x = word", PLOY_ERR_ARGUMENT, 0},
        {"x = 'msg'", PLOY_ERR_ARGUMENT, 0},
        {"word = 1.0", PLOY_ERR_ARGUMENT, 0},
        {"word + 1", PLOY_ERR_ARGUMENT, 5},
        {"word * 2", PLOY_ERR_ARGUMENT, 5},
        {"!word", PLOY_ERR_ARGUMENT, 0},
        {"x ? 1 : 'a'", PLOY_ERR_ARGUMENT, 2},
        {"mood < 'a'", PLOY_ERR_ARGUMENT, 5},
        {"mood = word", PLOY_ERR_ARGUMENT, 0},
        {"word = mood", PLOY_ERR_ARGUMENT, 0},
        {"mood == word", PLOY_ERR_ARGUMENT, 5},
        {"place", PLOY_ERR_ARGUMENT, 0},
        {"y ^ 5.1", PLOY_ERR_ARGUMENT, -1},
        {"y = 2.5", PLOY_ERR_ARGUMENT, -1},
        {"x = 0 / 0", PLOY_ERR_ARGUMENT, -1},
        {"ready = 2", PLOY_ERR_ARGUMENT, -1},
        {"word = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; word = word + word", PLOY_ERR_LIMIT, -1},
    };
    expression_desk desk;
    desk_open(t, &desk);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        CHECK_INT(desk_run(&desk, rows[i].row, NULL), rows[i].want);
        const ploy_diag *diag = ploy_diags_get(desk.diags, 0);
        CHECK((diag == NULL) == (rows[i].column < 0));
        if (diag == NULL) continue;
        CHECK_INT(diag->line, 10);
        CHECK_INT(diag->column, rows[i].column + 5);
        CHECK_TEXT(diag->name, "a.xml");
    }
    desk_close(&desk);
}

TEST(names_and_what_is_made_of_them) {
    ploy_env env = ploy_env_default();
    ploy_expression *expression = NULL;
    CHECK_OK(ploy_expression_create("a := 'x'; b := c; d = a + 'y'; e := 1 < f", NULL, 1, 1, NULL,
                                    0, &env, NULL, &expression));
    static const struct {
        const char *name;
        bool makes, writes, reads;
        ploy_value_type type;
    } want[] = {
        {"a", true, true, true, PLOY_VALUE_TEXT},   {"b", true, true, false, PLOY_VALUE_NONE},
        {"c", false, false, true, PLOY_VALUE_NONE}, {"d", false, true, false, PLOY_VALUE_NONE},
        {"e", true, true, false, PLOY_VALUE_F64},   {"f", false, false, true, PLOY_VALUE_NONE},
    };
    CHECK_INT(ploy_expression_name_count(expression), COUNT_OF(want));
    for (int32_t i = 0; i < (int32_t)COUNT_OF(want); i++) {
        ploy_expression_use use;
        CHECK(ploy_expression_name(expression, i, &use));
        CHECK_TEXT(use.name, want[i].name);
        CHECK_INT(use.makes, want[i].makes);
        CHECK_INT(use.writes, want[i].writes);
        CHECK_INT(use.reads, want[i].reads);
        CHECK_INT(use.type, want[i].type);
    }
    ploy_value_type types[6] = {0};
    types[2] = PLOY_VALUE_BOOL;
    CHECK(ploy_expression_infer(expression, types));
    CHECK_INT(types[1], PLOY_VALUE_F64);
    CHECK(!ploy_expression_infer(expression, types));
    CHECK_INT(ploy_expression_run(expression, NULL, NULL, NULL), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_expression_type(expression), PLOY_VALUE_NONE);
    types[3] = PLOY_VALUE_TEXT;
    types[5] = PLOY_VALUE_F64;
    CHECK_OK(ploy_expression_bind(expression, types, NULL));
    CHECK_INT(ploy_expression_type(expression), PLOY_VALUE_F64);
    ploy_expression_destroy(expression);
}

TEST(too_deep_is_refused) {
    static char text[1024];
    expression_desk desk;
    desk_open(t, &desk);
    static const char *const parts[] = {"(", "-", "1+", "1?1:", "x=", "1?(1,"};
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        t->row = parts[i];
        text[0] = 0;
        for (int32_t k = 0; k < 150; k++) strcat(text, parts[i]);
        strcat(text, "1");
        ploy_result result = desk_run(&desk, text, NULL);
        CHECK(result == PLOY_ERR_LIMIT || result == PLOY_ERR_FORMAT);
    }
    desk_close(&desk);
}

// Random arithmetic, printed with every parenthesis and with none that the table makes superfluous,
// comes to the same.
typedef struct sum {
    char full[512], bare[512];
    int32_t level; // of its operator, 9 for a value
} sum;

static sum sum_make(ploy_rng *rng, int32_t depth) {
    static const struct {
        const char *text;
        int32_t level;
    } ops[] = {{"||", 1}, {"&&", 2}, {"|", 4}, {"^", 4}, {"&", 5}, {"+", 6}, {"-", 6}, {"*", 7}};
    sum made;
    memset(&made, 0, sizeof made);
    if (depth == 0 || ploy_rng_chance(rng, 0.2f)) {
        sprintf(made.full, "%d", ploy_rng_int(rng, 0, 9));
        strcpy(made.bare, made.full);
        made.level = 9;
        return made;
    }
    int32_t op = ploy_rng_int(rng, 0, (int32_t)COUNT_OF(ops) - 1);
    sum left = sum_make(rng, depth - 1), right = sum_make(rng, depth - 1);
    made.level = ops[op].level;
    bool wrap_left = left.level < made.level, wrap_right = right.level <= made.level;
    sprintf(made.full, "(%.200s %s %.200s)", left.full, ops[op].text, right.full);
    sprintf(made.bare, "%s%.200s%s%s%s%.200s%s", wrap_left ? "(" : "", left.bare,
            wrap_left ? ")" : "", ops[op].text, wrap_right ? "(" : "", right.bare,
            wrap_right ? ")" : "");
    return made;
}

TEST(parentheses_say_what_the_table_says) {
    expression_desk desk;
    desk_open(t, &desk);
    for (int64_t round = 0; round < test_rounds(2000); round++) {
        TEST_SEED(round);
        ploy_rng rng = ploy_rng_make((uint64_t)round);
        sum made = sum_make(&rng, 3);
        ploy_expression_value full, bare;
        t->row = made.full;
        CHECK_OK(desk_run(&desk, made.full, &full));
        CHECK_OK(desk_run(&desk, made.bare, &bare));
        CHECK_SAME(bare.number, full.number);
    }
    desk_close(&desk);
}

static ploy_result create_body(const ploy_env *env, void *arg) {
    ploy_expression *expression = NULL;
    (void)arg;
    ploy_result result = ploy_expression_create("a := 'one' + b; c = d < 3 ? e : 4", "x", 1, 1,
                                                NULL, 0, env, NULL, &expression);
    TEST_REPORT(result, env, expression, ployi_expression_memory);
    ploy_expression_destroy(expression);
    return result;
}

TEST(reading_survives_every_failing_allocation_of_expressions) {
    CHECK_FAIL_NTH(create_body, NULL);
}
