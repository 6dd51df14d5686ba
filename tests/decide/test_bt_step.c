// What each node of a behavior tree answers to its children's answers.
#include "decide/bt_internal.h"
#include "decide/decide_internal.h"
#include "tests/decide/bt_script.h"

enum { STEP_CHILDREN = 4 };

typedef struct step_row {
    const char *row;
    ploy_bt_kind kind;
    int32_t count, count2; // 0: the kind's default
    const char *scripts[STEP_CHILDREN];
    const char *want;  // answers of the steps
    const char *steps; // how often each child was stepped in all, a digit each
} step_row;

static void step_check_row(test_context *t, const step_row *row) {
    t->row = row->row;
    bt_bench bench;
    bt_script scripts[STEP_CHILDREN] = {{0}};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_node_def def = ploy_bt_node_make(row->kind, NULL);
    if (row->count != 0) def.count = row->count;
    if (row->count2 != 0) def.count2 = row->count2;
    CHECK_OK(ploy_bt_builder_open_node(bench.builder, &def));
    int32_t children = 0;
    for (; children < STEP_CHILDREN && row->scripts[children] != NULL; children++) {
        scripts[children].letters = row->scripts[children];
        bt_bench_script(&bench, &scripts[children]);
    }
    CHECK_OK(ploy_bt_builder_close(bench.builder));
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, row->want);
    char steps[STEP_CHILDREN + 1] = {0};
    for (int32_t i = 0; i < children; i++) steps[i] = (char)('0' + scripts[i].steps);
    CHECK_TEXT(steps, row->steps);
    ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
    for (int32_t i = 0; i < children; i++) {
        CHECK_INT(scripts[i].finishes + scripts[i].halts, scripts[i].starts);
        CHECK(!scripts[i].runs);
    }
    bt_bench_end(&bench);
}

// The vectors of BHT-04, 05, 10, 11, 12, 09 and 16 are among the rows.
TEST(every_node_answers_by_its_table) {
    static const step_row rows[] = {
        {"sequence: all", PLOY_BT_SEQUENCE, 0, 0, {"S", "S"}, "S", "11"},
        {"sequence: a failure ends it", PLOY_BT_SEQUENCE, 0, 0, {"S", "F", "S"}, "FF", "220"},
        {"sequence: goes on where it was", PLOY_BT_SEQUENCE, 0, 0, {"S", "RRS", "S"}, "RRS", "131"},
        {"sequence: nothing to do", PLOY_BT_SEQUENCE, 0, 0, {NULL}, "S", ""},
        {"sequence: skips", PLOY_BT_SEQUENCE, 0, 0, {"K", "S", "K"}, "S", "111"},
        {"sequence: all skipped", PLOY_BT_SEQUENCE, 0, 0, {"K", "K"}, "K", "11"},
        {"fallback: the first that can", PLOY_BT_FALLBACK, 0, 0, {"F", "S", "S"}, "S", "110"},
        {"fallback: none", PLOY_BT_FALLBACK, 0, 0, {"F", "F"}, "F", "11"},
        {"fallback: goes on", PLOY_BT_FALLBACK, 0, 0, {"F", "RF", "S"}, "RS", "121"},
        {"fallback: nothing to try", PLOY_BT_FALLBACK, 0, 0, {NULL}, "F", ""},
        {"fallback: skips", PLOY_BT_FALLBACK, 0, 0, {"K", "F", "K"}, "F", "111"},
        {"fallback: all skipped", PLOY_BT_FALLBACK, 0, 0, {"K", "K"}, "K", "11"},
        {"memory: not again", PLOY_BT_SEQUENCE_WITH_MEMORY, 0, 0, {"S", "FS"}, "FSF", "23"},
        {"memory: skips alone", PLOY_BT_SEQUENCE_WITH_MEMORY, 0, 0, {"S", "FK"}, "FK", "12"},
        {"async: one a step", PLOY_BT_ASYNC_SEQUENCE, 0, 0, {"S", "S", "S"}, "RRS", "111"},
        {"async: fails at once", PLOY_BT_ASYNC_SEQUENCE, 0, 0, {"S", "F"}, "RF", "11"},
        {"async fallback", PLOY_BT_ASYNC_FALLBACK, 0, 0, {"F", "F", "S"}, "RRS", "111"},
        {"reactive: from the start", PLOY_BT_REACTIVE_SEQUENCE, 0, 0, {"S", "RRS"}, "RRS", "33"},
        {"reactive: fails", PLOY_BT_REACTIVE_SEQUENCE, 0, 0, {"SF", "R"}, "RF", "21"},
        {"reactive: all skipped", PLOY_BT_REACTIVE_SEQUENCE, 0, 0, {"K", "K"}, "K", "11"},
        {"reactive fallback", PLOY_BT_REACTIVE_FALLBACK, 0, 0, {"FFS", "R"}, "RRS", "32"},
        {"if then", PLOY_BT_IF_THEN_ELSE, 0, 0, {"S", "RF", "S"}, "RF", "120"},
        {"if else", PLOY_BT_IF_THEN_ELSE, 0, 0, {"F", "S", "RS"}, "RS", "102"},
        {"if without else", PLOY_BT_IF_THEN_ELSE, 0, 0, {"F", "S"}, "F", "10"},
        {"if running", PLOY_BT_IF_THEN_ELSE, 0, 0, {"RS", "S"}, "RS", "21"},
        {"while: turns", PLOY_BT_WHILE_DO_ELSE, 0, 0, {"SSFF", "R", "RS"}, "RRRS", "422"},
        {"while without else", PLOY_BT_WHILE_DO_ELSE, 0, 0, {"SF", "R"}, "RF", "21"},
        {"try: fine", PLOY_BT_TRY_CATCH, 0, 0, {"S", "RS", "S"}, "RS", "120"},
        {"try: cleans up", PLOY_BT_TRY_CATCH, 0, 0, {"S", "F", "RS"}, "RF", "112"},
        {"parallel: all", PLOY_BT_PARALLEL, 0, 0, {"S", "RRS"}, "RRS", "13"},
        {"parallel: a failure", PLOY_BT_PARALLEL, 0, 0, {"R", "RF"}, "RF", "22"},
        {"parallel: first success", PLOY_BT_PARALLEL, 1, -1, {"RRR", "RS"}, "RS", "22"},
        {"parallel: first success, all fail", PLOY_BT_PARALLEL, 1, -1, {"F", "RF"}, "RF", "12"},
        {"parallel: two of three", PLOY_BT_PARALLEL, 2, 2, {"S", "R", "RS"}, "RS", "122"},
        {"parallel: cannot any more", PLOY_BT_PARALLEL, 2, 3, {"F", "RF", "R"}, "RF", "121"},
        {"parallel: skipped", PLOY_BT_PARALLEL, 0, 0, {"K", "K"}, "K", "11"},
        {"parallel: skipped in part", PLOY_BT_PARALLEL, 0, 0, {"K", "S"}, "S", "11"},
        {"all: to their ends", PLOY_BT_PARALLEL_ALL, 0, 1, {"F", "RRS"}, "RRF", "13"},
        {"all: two may fail", PLOY_BT_PARALLEL_ALL, 0, 2, {"F", "RS", "S"}, "RS", "121"},
        {"inverter", PLOY_BT_INVERTER, 0, 0, {"RSFK"}, "RFSK", "4"},
        {"force success", PLOY_BT_FORCE_SUCCESS, 0, 0, {"RSFK"}, "RSSK", "4"},
        {"force failure", PLOY_BT_FORCE_FAILURE, 0, 0, {"RSFK"}, "RFFK", "4"},
        {"repeat", PLOY_BT_REPEAT, 3, 0, {"SSRS"}, "RS", "4"},
        {"repeat: fails", PLOY_BT_REPEAT, 3, 0, {"SF"}, "F", "2"},
        {"repeat: a skip keeps the count", PLOY_BT_REPEAT, 2, 0, {"SKS"}, "KS", "3"},
        {"repeat without end", PLOY_BT_REPEAT, -1, 0, {"SSF"}, "RRF", "3"},
        {"retry", PLOY_BT_RETRY, 3, 0, {"FRFS"}, "RS", "4"},
        {"retry: gives up", PLOY_BT_RETRY, 2, 0, {"F"}, "F", "2"},
        {"retry without end", PLOY_BT_RETRY, -1, 0, {"FFS"}, "RRS", "3"},
        {"keep running", PLOY_BT_KEEP_RUNNING_UNTIL_FAILURE, 0, 0, {"SSF"}, "RRF", "3"},
        {"until fail", PLOY_BT_UNTIL_FAIL, 0, 0, {"SSF"}, "RRS", "3"},
        {"until success", PLOY_BT_UNTIL_SUCCESS, 0, 0, {"FRS"}, "RRS", "3"},
        {"restart", PLOY_BT_RESTART, 0, 0, {"SF"}, "RRRR", "4"},
        {"restart twice", PLOY_BT_RESTART, 2, 0, {"SF"}, "RSRS", "4"},
        {"run once", PLOY_BT_RUN_ONCE, 0, 0, {"RF"}, "RFKK", "2"},
        {"limit", PLOY_BT_LIMIT, 2, 0, {"S"}, "SSFF", "2"},
        {"limit counts starts", PLOY_BT_LIMIT, 1, 0, {"RRS"}, "RRSF", "3"},
        {"random selector gives up", PLOY_BT_RANDOM_SELECTOR, 3, 0, {"F"}, "RRF", "3"},
        {"interrupter passes", PLOY_BT_INTERRUPTER, 0, 0, {"RSF"}, "RSF", "3"},
        {"gate is open", PLOY_BT_GATE, 0, 0, {"RSF"}, "RSF", "3"},
        {"hold keeps", PLOY_BT_HOLD, 0, 0, {"S"}, "RRR", "1"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) step_check_row(t, &rows[i]);
}

TEST(a_reactive_sequence_halts_what_ran_behind) {
    bt_bench bench;
    bt_script look = {.letters = "SR"}, act = {.letters = "R"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_REACTIVE_SEQUENCE, NULL);
    bt_bench_script(&bench, &look);
    bt_bench_script(&bench, &act);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "RR");
    CHECK_INT(act.halts, 1);
    CHECK_INT(act.reason, PLOY_EXIT_INTERRUPTED);
    CHECK(look.runs);
    bt_bench_end(&bench);
    CHECK_INT(look.reason, PLOY_EXIT_REMOVED);
}

// A body that two leaves use in turn: each acquires it in start and releases it in stop.
typedef struct step_body {
    char log[64];
    uint32_t trip; // of the present owner
    bool moving;
} step_body;

static void step_write(step_body *body, char what, ploy_bt_call *call) {
    size_t length = strlen(body->log);
    if (length + 3 >= sizeof body->log) return;
    body->log[length] = what;
    body->log[length + 1] = (char)('0' + call->node);
    body->log[length + 2] = 0;
}

static ploy_result step_body_start(ploy_bt_call *call) {
    step_body *body = call->user;
    step_write(body, '+', call);
    *(uint32_t *)call->state = ++body->trip;
    body->moving = true;
    return PLOY_OK;
}

static ploy_result step_body_step(ploy_bt_call *call, ploy_status *status) {
    (void)call;
    *status = PLOY_STATUS_RUNNING;
    return PLOY_OK;
}

static void step_body_stop(ploy_bt_call *call, ploy_exit_reason reason) {
    (void)reason;
    step_body *body = call->user;
    step_write(body, '-', call);
    if (*(uint32_t *)call->state == body->trip) body->moving = false; // only its own
}

// The new leaf starts before the old one stops, as in BehaviorTree.CPP 4; a stop that releases only
// what its leaf acquired leaves the new leaf's path alone.
TEST(a_reactive_node_starts_the_new_child_before_it_halts_the_old_one) {
    static const ploy_bt_leaf go = {.name = "Go",
                                    .start = step_body_start,
                                    .step = step_body_step,
                                    .stop = step_body_stop,
                                    .state_size = sizeof(uint32_t)};
    static const ploy_bt_kind kinds[] = {PLOY_BT_REACTIVE_FALLBACK, PLOY_BT_REACTIVE_SEQUENCE};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        bool fallback = kinds[i] == PLOY_BT_REACTIVE_FALLBACK;
        bt_bench bench;
        step_body body = {.log = ""};
        bt_script alarm = {.letters = fallback ? "FS" : "SF"};
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_builder_open(bench.builder, kinds[i], NULL);
        ploy_bt_builder_open(bench.builder, fallback ? PLOY_BT_SEQUENCE : PLOY_BT_FALLBACK, NULL);
        bt_bench_script(&bench, &alarm);
        ploy_bt_builder_add_leaf(bench.builder, &go, NULL, &body, NULL, 0); // node 3: chase
        ploy_bt_builder_close(bench.builder);
        ploy_bt_builder_add_leaf(bench.builder, &go, NULL, &body, NULL, 0); // node 4: patrol
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        bt_bench_expect(t, &bench, "R");
        CHECK_TEXT(body.log, "+4");
        bt_bench_expect(t, &bench, "R");
        CHECK_TEXT(body.log, "+4+3-4");
        CHECK(body.moving); // the chase still has its path
        bt_bench_end(&bench);
        CHECK_TEXT(body.log, "+4+3-4-3");
        CHECK(!body.moving);
    }
}

// BHT-15: time by the context's clock, a tenth of a second a step here.
TEST(time_limits_delays_and_waits) {
    static const struct {
        const char *row;
        ploy_bt_kind kind;
        double seconds;
        const char *script, *want;
        int32_t halts;
    } rows[] = {
        {"timeout", PLOY_BT_TIMEOUT, 0.25, "R", "RRRF", 1},
        {"timeout in time", PLOY_BT_TIMEOUT, 0.25, "RRS", "RRS", 0},
        {"delay", PLOY_BT_DELAY, 0.15, "RS", "RRRS", 0},
        {"no delay", PLOY_BT_DELAY, 0.0, "S", "S", 0},
        {"cooldown", PLOY_BT_COOLDOWN, 0.25, "S", "SFFS", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bt_bench bench;
        bt_script script = {.letters = rows[i].script};
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_node_def def = ploy_bt_node_make(rows[i].kind, NULL);
        def.seconds = rows[i].seconds;
        ploy_bt_builder_open_node(bench.builder, &def);
        bt_bench_script(&bench, &script);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        bt_bench_expect(t, &bench, rows[i].want);
        CHECK_INT(script.halts, rows[i].halts);
        bt_bench_end(&bench);
    }
}

TEST(a_sleep_lasts_its_time_and_says_when_it_ends) {
    bt_bench bench;
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_node_def def = ploy_bt_node_make(PLOY_BT_SLEEP, NULL);
    def.seconds = 0.25;
    def.seconds_max = 0.29;
    ploy_bt_builder_add_node(bench.builder, &def);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "R");
    double until = 0.0;
    CHECK(ploy_bt_instance_asleep(bench.instance, &until));
    CHECK(until >= 0.25 && until < 0.29);
    bt_bench_expect(t, &bench, "RRSR");
    bt_bench_end(&bench);
}

// BHT-18, BHT-19: the guard's end fails the parallel, the interruption ends it with success.
TEST(an_interrupter_ends_with_the_sequence_beside_it) {
    static const struct {
        const char *row, *in_position, *want;
        int32_t halts;
    } rows[] = {{"the player stays", "S", "RS", 0}, {"the player leaves", "SF", "RF", 1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        bt_bench bench;
        bt_script in_position = {.letters = rows[i].in_position}, animate = {.letters = "RS"};
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_builder_open(bench.builder, PLOY_BT_PARALLEL, NULL);
        ploy_bt_builder_open(bench.builder, PLOY_BT_INTERRUPTER, "watch");
        ploy_bt_node_def until = ploy_bt_node_make(PLOY_BT_UNTIL_FAIL, NULL);
        until.result = PLOY_STATUS_FAILURE; // ERR-06
        ploy_bt_builder_open_node(bench.builder, &until);
        bt_bench_script(&bench, &in_position);
        ploy_bt_builder_close(bench.builder);
        ploy_bt_builder_close(bench.builder);
        ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
        bt_bench_script(&bench, &animate);
        ploy_bt_node_def done = ploy_bt_node_make(PLOY_BT_SIGNAL, NULL);
        done.text = "watch";
        ploy_bt_builder_add_node(bench.builder, &done);
        ploy_bt_builder_close(bench.builder);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        bt_bench_expect(t, &bench, rows[i].want);
        CHECK_INT(animate.halts, rows[i].halts);
        bt_bench_end(&bench);
    }
}

TEST(an_interrupter_hears_what_was_said_in_another_piece_of_the_step) {
    bt_bench bench;
    bt_script busy = {.letters = "R"}, last = {.letters = "S"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_PARALLEL, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_INTERRUPTER, "watch");
    bt_bench_script(&bench, &busy);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_node_def done = ploy_bt_node_make(PLOY_BT_SIGNAL, NULL);
    done.text = "watch";
    ploy_bt_builder_add_node(bench.builder, &done);
    bt_bench_script(&bench, &last);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "S");
    // One node a piece; the Interrupter's second visit is the sixth.
    for (const char *want = "RRRRRS"; *want != 0; want++) {
        ploy_budget budget = ploy_budget_units(1);
        bench.context.budget = &budget;
        CHECK_INT(bt_bench_step(&bench), *want);
    }
    CHECK_INT(busy.steps, 2);
    CHECK_INT(busy.halts, 2);
    // Halted within a step, it has forgotten what was said: the next one begins anew.
    for (int32_t piece = 0; piece < 4; piece++) {
        ploy_budget budget = ploy_budget_units(1);
        bench.context.budget = &budget;
        CHECK_INT(bt_bench_step(&bench), 'R');
    }
    bench.context.budget = NULL;
    ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
    bt_bench_expect(t, &bench, "S");
    CHECK_INT(busy.steps, 4);
    bt_bench_end(&bench);
}

// BHT-20.
TEST(gates_holds_and_limits_obey_signals) {
    bt_bench bench;
    bt_script child = {.letters = "R"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_GATE, "gate");
    bt_bench_script(&bench, &child);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "RR");
    CHECK_OK(ploy_bt_instance_signal(bench.instance, 0, PLOY_STATUS_FAILURE));
    bt_bench_expect(t, &bench, "FF");
    CHECK_INT(child.halts, 1);
    CHECK_OK(ploy_bt_instance_signal(bench.instance, 0, PLOY_STATUS_SUCCESS));
    bt_bench_expect(t, &bench, "R");
    CHECK_INT(ploy_bt_instance_signal(bench.instance, 1, PLOY_STATUS_SUCCESS), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_bt_instance_signal(bench.instance, 2, PLOY_STATUS_SUCCESS), PLOY_ERR_ARGUMENT);
    bt_bench_end(&bench);

    bt_script quick = {.letters = "F"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_HOLD, "hold");
    ploy_bt_builder_open(bench.builder, PLOY_BT_LIMIT, "limit");
    bt_bench_script(&bench, &quick);
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "RR");
    CHECK_OK(ploy_bt_instance_signal(bench.instance, 0, PLOY_STATUS_SUCCESS));
    bt_bench_expect(t, &bench, "F");
    CHECK_OK(ploy_bt_instance_signal(bench.instance, 1, PLOY_STATUS_SUCCESS));
    bt_bench_expect(t, &bench, "R");
    CHECK_INT(quick.steps, 2); // the limit of 1 began again
    bt_bench_end(&bench);
}

static int32_t step_zero(void *user, int32_t count) {
    (void)user;
    (void)count;
    return 0;
}

// BHT-07.
TEST(a_shuffle_with_scripted_draws_is_durstenfelds) {
    uint32_t order[] = {0, 1, 2, 3}, want[] = {1, 2, 3, 0};
    ployi_bt_shuffle(order, 4, step_zero, NULL);
    CHECK_BYTES(order, want, sizeof want);
}

typedef struct step_order {
    char text[16];
    int32_t length;
} step_order;

typedef struct step_letter {
    step_order *order;
    char letter;
} step_letter;

static bool step_note(ploy_bt_call *call) {
    const step_letter *letter = call->user;
    letter->order->text[letter->order->length++] = letter->letter;
    return true;
}

// BHT-07: partial order. All 24 orders are about equally frequent: chi-square with 23 degrees of
// freedom stays below 49.7 with probability 0.999.
TEST(shuffled_children_come_in_every_order) {
    static const ploy_bt_leaf leaf = {.name = "note", .test = step_note};
    bt_bench bench;
    step_order order = {{0}, 0};
    step_letter letters[] = {
        {&order, 'a'}, {&order, 'b'}, {&order, 'c'}, {&order, 'd'}, {&order, 'z'}};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SHUFFLED_SEQUENCE, NULL);
    for (int32_t i = 0; i < 4; i++) {
        ploy_bt_builder_add_leaf(bench.builder, &leaf, NULL, &letters[i], NULL, 0);
    }
    ploy_bt_builder_close(bench.builder);
    ploy_bt_builder_add_leaf(bench.builder, &leaf, NULL, &letters[4], NULL, 0);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bench.context.key = ploy_rng_key_make(5);
    enum { RUNS = 4800 };
    int32_t counts[256] = {0};
    for (int32_t run = 0; run < RUNS; run++) {
        order.length = 0;
        bt_bench_expect(t, &bench, "S");
        CHECK_INT(order.length, 5);
        CHECK_INT(order.text[4], 'z');
        int32_t code = 0;
        for (int32_t i = 0; i < 4; i++) code = code * 4 + (order.text[i] - 'a');
        counts[code]++;
    }
    double chi = 0.0;
    int32_t orders = 0;
    for (int32_t i = 0; i < 256; i++) {
        if (counts[i] == 0) continue;
        double off = counts[i] - RUNS / 24.0;
        chi += off * off / (RUNS / 24.0);
        orders++;
    }
    CHECK_INT(orders, 24);
    CHECK(chi < 49.7);
    bt_bench_end(&bench);
}

static float step_score(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const float *)user;
}

TEST(a_utility_fallback_tries_the_best_first) {
    bt_bench bench;
    float scores[] = {1.0f, 3.0f, 0.0f, 3.0f};
    bt_script scripts[] = {{.letters = "S"}, {.letters = "F"}, {.letters = "S"}, {.letters = "F"}};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_UTILITY_FALLBACK, NULL);
    for (int32_t i = 0; i < 4; i++) {
        bt_bench_script(&bench, &scripts[i]);
        ploy_bt_builder_score(bench.builder, bench.set,
                              ploy_score_call(bench.set, "score", step_score, &scores[i]));
    }
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "S");
    CHECK_INT(scripts[1].steps, 1); // both best ones failed
    CHECK_INT(scripts[3].steps, 1);
    CHECK_INT(scripts[0].steps, 1);
    CHECK_INT(scripts[2].steps, 0); // not above 0
    scores[0] = scores[1] = scores[3] = NAN;
    bt_bench_expect(t, &bench, "F");
    scores[2] = 1.0f;
    bt_bench_expect(t, &bench, "S");
    CHECK_INT(scripts[2].steps, 1);
    bt_bench_end(&bench);
}

static bool step_flag(void *user, const ploy_moment *moment, const float *args) {
    (void)moment, (void)args;
    return *(const bool *)user;
}

static void step_count(ploy_bt_call *call) {
    (*(int32_t *)call->user)++;
}

TEST(conditions_before_a_node_answer_for_it) {
    static const struct {
        ploy_bt_when when;
        char want;
    } rows[] = {{PLOY_BT_FAILURE_IF, 'F'}, {PLOY_BT_SUCCESS_IF, 'S'}, {PLOY_BT_SKIP_IF, 'K'}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bt_bench bench;
        bool flag = true;
        int32_t effects[4] = {0};
        bt_script script = {.letters = "RS"};
        bt_bench_begin(t, &bench, NULL);
        bt_bench_script(&bench, &script);
        ploy_bt_condition condition = ploy_bt_condition_of(
            bench.set, ploy_condition_call(bench.set, "flag", step_flag, &flag));
        CHECK_OK(ploy_bt_builder_when_holds(bench.builder, rows[i].when, &condition));
        for (int32_t k = 0; k < 4; k++) {
            ploy_bt_effect effect = ployi_bt_effect_call(step_count, &effects[k]);
            CHECK_OK(ploy_bt_builder_then(bench.builder, (ploy_bt_when)(PLOY_BT_ON_SUCCESS + k),
                                          &effect));
        }
        bt_bench_build(t, &bench);
        CHECK_INT(bt_bench_step(&bench), rows[i].want);
        CHECK_INT(script.steps, 0);
        CHECK_INT(effects[0], rows[i].want == 'S');
        CHECK_INT(effects[1], rows[i].want == 'F');
        CHECK_INT(effects[2], rows[i].want != 'K');
        flag = false;
        bt_bench_expect(t, &bench, "R");
        flag = true; // not looked at while it runs
        bt_bench_expect(t, &bench, "S");
        flag = false;
        bt_bench_expect(t, &bench, "R");
        ploy_bt_instance_halt(bench.instance, &bench.context, PLOY_EXIT_INTERRUPTED);
        CHECK_INT(effects[3], 1);
        bt_bench_end(&bench);
    }
}

TEST(a_while_condition_halts_what_runs_below) {
    bt_bench bench;
    bool flag = true;
    bt_script script = {.letters = "R"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_SEQUENCE, NULL);
    ploy_bt_condition condition =
        ploy_bt_condition_of(bench.set, ploy_condition_call(bench.set, "flag", step_flag, &flag));
    ploy_bt_builder_when_holds(bench.builder, PLOY_BT_WHILE, &condition);
    bt_bench_script(&bench, &script);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "RR");
    flag = false;
    bt_bench_expect(t, &bench, "KK");
    CHECK_INT(script.halts, 1);
    flag = true;
    bt_bench_expect(t, &bench, "R");
    bt_bench_end(&bench);
}

TEST(an_error_halts_everything_and_the_next_step_begins_anew) {
    bt_bench bench;
    bt_script before = {.letters = "R"}, wrong = {.letters = "ES"};
    bt_bench_begin(t, &bench, NULL);
    ploy_bt_builder_open(bench.builder, PLOY_BT_PARALLEL, NULL);
    bt_bench_script(&bench, &before);
    bt_bench_script(&bench, &wrong);
    ploy_bt_builder_close(bench.builder);
    bt_bench_build(t, &bench);
    bt_bench_expect(t, &bench, "E");
    CHECK_INT(before.reason, PLOY_EXIT_ERROR);
    CHECK_INT(wrong.reason, PLOY_EXIT_ERROR);
    CHECK(!before.runs && !wrong.runs);
    bt_bench_expect(t, &bench, "R");
    bt_bench_end(&bench);
    CHECK_INT(before.starts, before.halts + before.finishes);
}

TEST(a_step_without_budget_goes_on_where_it_stopped) {
    for (int64_t units = 1; units < 12; units++) {
        bt_bench bench;
        bt_script scripts[4] = {
            {.letters = "S"}, {.letters = "S"}, {.letters = "F"}, {.letters = "S"}};
        bt_bench_begin(t, &bench, NULL);
        ploy_bt_builder_open(bench.builder, PLOY_BT_FALLBACK, NULL);
        ploy_bt_builder_open(bench.builder, PLOY_BT_REACTIVE_SEQUENCE, NULL);
        for (int32_t i = 0; i < 3; i++) bt_bench_script(&bench, &scripts[i]);
        ploy_bt_builder_close(bench.builder);
        bt_bench_script(&bench, &scripts[3]);
        ploy_bt_builder_close(bench.builder);
        bt_bench_build(t, &bench);
        int32_t steps = 0;
        char answer = 'R';
        while (answer == 'R' && steps < 20) {
            ploy_budget budget = ploy_budget_units(units);
            bench.context.budget = &budget;
            answer = bt_bench_step(&bench);
            steps++;
        }
        CHECK_INT(answer, 'S');
        CHECK_INT(steps, (6 + units - 1) / units); // six nodes in all
        for (int32_t i = 0; i < 4; i++) CHECK_INT(scripts[i].steps, 1);
        bench.context.budget = NULL;
        bt_bench_end(&bench);
    }
}
