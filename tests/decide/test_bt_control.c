// Composites and decorators of the game's own. Random trees with one are in test_bt_random.c.
#include "tests/decide/bt_script.h"

// What the control does at each call, a letter each: a digit asks that child, S F K R answers, E is
// an error, ? answers nothing, L asks the first child for ever.
typedef struct control_plan {
    const char *letters;
    int32_t at, starts, stops;
    ploy_exit_reason reason;
    bool refuses; // to start
    char heard[64];
    int32_t heard_count;
} control_plan;

static ploy_result control_start(ploy_bt_call *call) {
    control_plan *plan = call->user;
    plan->starts++;
    return plan->refuses ? PLOY_ERR_STATE : PLOY_OK;
}

static void control_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    control_plan *plan = call->user;
    plan->stops++;
    plan->reason = reason;
}

static ploy_result control_choose(ploy_bt_call *call, int32_t child, ploy_status answer,
                                  int32_t *next, ploy_status *status) {
    control_plan *plan = call->user;
    char letter = plan->letters[plan->at];
    if (letter != 'L') plan->at++;
    if (plan->heard_count < 62 && letter != 'L') {
        plan->heard[plan->heard_count++] = child < 0 ? '-' : (char)('0' + child);
        if (child >= 0) plan->heard[plan->heard_count++] = "RSFK"[answer];
    }
    switch (letter) {
    case 'S': *status = PLOY_STATUS_SUCCESS; break;
    case 'F': *status = PLOY_STATUS_FAILURE; break;
    case 'K': *status = PLOY_STATUS_SKIPPED; break;
    case 'R': *status = PLOY_STATUS_RUNNING; break;
    case 'E': return PLOY_ERR_UNSUPPORTED;
    case 'L': *next = 0; break;
    case '?': break;
    default: *next = letter - '0'; break;
    }
    return PLOY_OK;
}

static const ploy_bt_leaf control_leaf = {
    .name = "control", .start = control_start, .stop = control_stop, .choose = control_choose};

TEST(a_control_asks_the_children_that_it_likes) {
    static const struct {
        const char *row, *letters, *first, *second, *want, *heard;
        int32_t starts, stops;
        int32_t halts; // of both children
    } rows[] = {
        {"one after the other", "01S", "S", "F", "S", "-0S1F", 1, 1, 0},
        {"the second alone", "1F", "S", "F", "F", "-1F", 1, 1, 0},
        {"the same twice", "00K", "SF", "F", "K", "-0S0F", 1, 1, 0},
        {"it answers without asking", "K", "S", "S", "K", "-", 1, 1, 0},
        {"it waits by itself", "RRS", "S", "S", "RRS", "---", 1, 1, 0},
        {"a child that runs is asked again", "0R0S", "RS", "S", "RS", "-0R-0S", 1, 1, 0},
        {"two that run, halted by its answer", "01R0F", "R", "R", "RF", "-0R1R-0R", 1, 1, 2},
        {"one that runs is left while another is asked", "0R1R0S", "RS", "R", "RRS", "-0R-1R-0S", 1,
         1, 1},
        {"its error ends all", "0E", "R", "S", "E", "-0R", 1, 1, 1},
        {"no such child", "2", "S", "S", "E", "-", 1, 1, 0},
        {"no answer", "?", "S", "S", "E", "-", 1, 1, 0},
        {"without end", "L", "S", "S", "E", "", 1, 1, 0},
        {"again and again", "0S0S", "S", "S", "SS", "-0S-0S", 2, 2, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        control_plan plan;
        memset(&plan, 0, sizeof plan);
        plan.letters = rows[i].letters;
        bt_script first = {.letters = rows[i].first}, second = {.letters = rows[i].second};
        bt_bench bench;
        bt_bench_begin(t, &bench, NULL);
        CHECK_OK(ploy_bt_builder_open_control(bench.builder, &control_leaf, NULL, &plan, NULL, 0));
        bt_bench_script(&bench, &first);
        bt_bench_script(&bench, &second);
        CHECK_OK(ploy_bt_builder_close(bench.builder));
        bt_bench_build(t, &bench);
        bt_bench_expect(t, &bench, rows[i].want);
        CHECK_TEXT(plan.heard, rows[i].heard);
        CHECK_INT(plan.starts, rows[i].starts);
        CHECK_INT(plan.stops, rows[i].stops);
        CHECK_INT(first.halts + second.halts, rows[i].halts);
        CHECK_INT(first.starts, first.finishes + first.halts);
        bt_bench_end(&bench);
    }
}

TEST(a_control_that_refuses_to_start_is_stopped) {
    control_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.letters = "S";
    plan.refuses = true;
    bt_bench bench;
    bt_bench_begin(t, &bench, NULL);
    CHECK_OK(ploy_bt_builder_open_control(bench.builder, &control_leaf, "mine", &plan, NULL, 0));
    CHECK_OK(ploy_bt_builder_close(bench.builder));
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "E");
    CHECK_INT(plan.stops, 1);
    CHECK_INT(plan.reason, PLOY_EXIT_ERROR);
    plan.refuses = false;
    plan.letters = "R";
    bt_bench_expect(t, &bench, "R");
    bt_bench_end(&bench);
    CHECK_INT(plan.stops, 2);
    CHECK_INT(plan.reason, PLOY_EXIT_REMOVED);
}

TEST(what_is_no_control_is_refused) {
    ploy_bt_leaf both = control_leaf, sleepy = control_leaf, nameless = control_leaf;
    both.step = bt_script_step;
    sleepy.sleeps = true;
    nameless.name = NULL;
    const ploy_bt_leaf *const leaves[] = {&bt_script_leaf, &both, &sleepy, &nameless};
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(leaves); i++) {
        ploy_bt_builder *builder = NULL;
        CHECK_OK(ploy_bt_builder_create("bad", NULL, &env, &builder));
        CHECK_INT(ploy_bt_builder_open_control(builder, leaves[i], NULL, NULL, NULL, 0),
                  PLOY_ERR_ARGUMENT);
        ploy_bt_builder_destroy(builder);
    }
    ploy_bt_builder *builder = NULL;
    CHECK_OK(ploy_bt_builder_create("bad", NULL, &env, &builder));
    CHECK_INT(ploy_bt_builder_add_leaf(builder, &control_leaf, NULL, NULL, NULL, 0),
              PLOY_ERR_ARGUMENT);
    ploy_bt_builder_destroy(builder);
    CHECK_OK(ploy_bt_builder_create("bad", NULL, &env, &builder));
    CHECK_INT(ploy_bt_builder_open(builder, PLOY_BT_CONTROL, NULL), PLOY_ERR_ARGUMENT);
    ploy_bt_builder_destroy(builder);
}
