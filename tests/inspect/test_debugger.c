// The debugger: breakpoints, steps and watches in recorded ticks, and the game undisturbed.
#include "labs/labs.h"
#include "ploy/decide/program.h"
#include "ploy/inspect/debugger.h"
#include "tests/inspect/inspector_harness.h"

// Two agents that run one program.
typedef struct debug_sim {
    ploy_program *program;
    ploy_program_instance *minds[2];
} debug_sim;

static const char debug_text[] = "keep gold = 0\n"       // 1
                                 "function dig(n) {\n"   // 2
                                 "  local got = n * 2\n" // 3
                                 "  gold += got\n"       // 4
                                 "  return got\n"        // 5
                                 "}\n"                   // 6
                                 "while true {\n"        // 7
                                 "  dig(1)\n"            // 8
                                 "  if gold > 5 {\n"     // 9
                                 "    gold = 0\n"        // 10
                                 "  }\n"                 // 11
                                 "  yield\n"             // 12
                                 "}\n";

typedef struct debug_sim_def {
    uint32_t cookie;
    int32_t unused;
} debug_sim_def;

static const ploy_field debug_sim_table[] = {
    PLOY_FIELD_I32(debug_sim_def, unused, 0, 0, 1, "", "nothing"),
};

static ploy_fields debug_sim_fields(void) {
    return PLOY_FIELDS(debug_sim_def, debug_sim_table);
}

static ploy_result debug_sim_create(const void *params, ploy_rng_key key, const ploy_env *env,
                                    void **out) {
    (void)params, (void)key;
    debug_sim *sim = ploy_env_alloc_zero(env, sizeof *sim);
    if (sim == NULL) return PLOY_ERR_MEMORY;
    ploy_program_def def = ploy_program_def_default();
    ploy_result result = ploy_program_create(&def, debug_text, sizeof debug_text - 1, "dig.ploy",
                                             NULL, env, NULL, &sim->program);
    for (int32_t i = 0; i < 2 && result == PLOY_OK; i++) {
        result = ploy_program_instance_create(sim->program, env, &sim->minds[i]);
    }
    *out = sim;
    return result;
}

static ploy_result debug_sim_step(void *state, const ploy_sim_context *context) {
    debug_sim *sim = state;
    for (uint32_t i = 0; i < 2; i++) {
        ploy_step_context step =
            ploy_step_context_make(ploy_agent_id_make(i + 1, 1), NULL, context->dt);
        step.trace = context->trace;
        ploy_status status;
        ploy_result result = ploy_program_step(sim->minds[i], &step, &status);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

static void debug_sim_draw(const void *state, ploy_draw *out) {
    (void)state, (void)out;
}

static void debug_sim_describe(const void *state, ploy_describe *out) {
    const debug_sim *sim = state;
    for (int32_t i = 0; i < 2; i++) {
        ploy_describe_begin_item(out, i);
        ploy_visit_describe(ploy_program_visit, sim->minds[i], NULL, out);
        ploy_describe_end(out);
    }
}

static const ploy_sim_type debug_type = {
    .name = "digging",
    .title = "Digging",
    .help = "Two programs.",
    .version = 1,
    .dt = 0.1f,
    .view = {0, 0, 1, 1},
    .fields = debug_sim_fields,
    .create = debug_sim_create,
    .step = debug_sim_step,
    .draw = debug_sim_draw,
    .describe = debug_sim_describe,
};

static ploy_recorder *debug_recorder(test_context *t, int32_t ticks) {
    ploy_env env = ploy_env_default();
    ploy_recorder_def def = ploy_recorder_def_default();
    def.snapshot_every = 4;
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, &debug_type, NULL, NULL, &env, &recorder));
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_recorder_step(recorder));
    return recorder;
}

// Runs a query to its end. @param slice  ticks of each slice; 0: all at once.
static ploy_debug_stop debug_run(test_context *t, ploy_recorder *recorder,
                                 const ploy_debug_query *query, int64_t slice) {
    ploy_env env = ploy_env_default();
    ploy_debug *debug = NULL;
    ploy_debug_stop stop;
    memset(&stop, 0, sizeof stop);
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    CHECK_OK(ploy_debug_create(recorder, query, &env, NULL, &debug));
    ploy_result result = PLOY_IN_PROGRESS;
    for (int32_t i = 0; i < 1000 && result == PLOY_IN_PROGRESS; i++) {
        ploy_budget budget = ploy_budget_units(slice);
        result = ploy_debug_step(debug, slice > 0 ? &budget : NULL);
        CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(recorder)), hash);
    }
    CHECK_OK(result);
    stop = *ploy_debug_result(debug);
    ploy_debug_destroy(debug);
    return stop;
}

TEST(steps_lead_in_over_out_and_back) {
    static const struct {
        const char *row;
        uint64_t tick;
        int64_t at;
        ploy_debug_move move;
        uint64_t want_tick;
        int64_t want_at;
        int32_t line, depth;
    } rows[] = {
        {"the first line of a tick", 1, 0, PLOY_DEBUG_STAY, 1, 1, 8, 0},
        {"in from before the first", 1, 0, PLOY_DEBUG_IN, 1, 1, 8, 0},
        {"in enters a function", 1, 1, PLOY_DEBUG_IN, 1, 2, 3, 1},
        {"in stays in it", 1, 2, PLOY_DEBUG_IN, 1, 3, 4, 1},
        {"over does not", 1, 1, PLOY_DEBUG_OVER, 1, 5, 9, 0},
        {"out leaves it", 1, 2, PLOY_DEBUG_OUT, 1, 5, 9, 0},
        {"back inside", 1, 4, PLOY_DEBUG_BACK, 1, 3, 4, 1},
        {"back over a function", 1, 5, PLOY_DEBUG_BACK, 1, 1, 8, 0},
        {"back to the caller", 1, 2, PLOY_DEBUG_BACK, 1, 1, 8, 0},
        {"over the end of the tick, past the other agent", 1, 6, PLOY_DEBUG_OVER, 2, 1, 12, 0},
        {"back into the tick before", 3, 1, PLOY_DEBUG_BACK, 2, 7, 12, 0},
        {"out of the program is the next tick", 2, 1, PLOY_DEBUG_OUT, 3, 1, 12, 0},
        {"stay where it was", 3, 7, PLOY_DEBUG_STAY, 3, 7, 10, 0},
    };
    ploy_recorder *recorder = debug_recorder(t, 9);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_debug_query query = ploy_debug_query_default();
        query.tick = rows[i].tick;
        query.at = rows[i].at;
        query.move = rows[i].move;
        for (int64_t slice = 0; slice < 3; slice++) {
            ploy_debug_stop stop = debug_run(t, recorder, &query, slice);
            CHECK(stop.found);
            CHECK_UINT(stop.tick, rows[i].want_tick);
            CHECK_INT(stop.at, rows[i].want_at);
            CHECK_INT(stop.line, rows[i].line);
            CHECK_INT(stop.depth, rows[i].depth);
            CHECK_UINT(stop.agent.id.index, 1);
            CHECK_TEXT(stop.script, "dig.ploy");
            CHECK_INT(stop.hit, -1);
        }
    }
    ploy_recorder_destroy(recorder);
}

TEST(breakpoints_stop_if_their_condition_holds) {
    static const struct {
        const char *row, *script, *condition;
        int32_t line;
        uint32_t agent;
        uint64_t tick; // 0: no stop
    } rows[] = {
        {"a line that runs rarely", "dig.ploy", NULL, 10, 0, 3},
        {"a condition over the program's variable", NULL, "gold > 3", 9, 0, 2},
        {"a condition over a local", NULL, "got == 2 and gold == 4", 5, 0, 2},
        {"of the other agent", "dig.ploy", "gold == 4", 9, 2, 2},
        {"another script", "other.ploy", NULL, 9, 0, 0},
        {"a condition that never holds", NULL, "gold > 100", 9, 0, 0},
        {"a condition over an unknown name", NULL, "gld > 1", 9, 0, 0},
        {"a line without a statement", NULL, NULL, 11, 0, 0},
    };
    ploy_recorder *recorder = debug_recorder(t, 9);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_debug_break at = {rows[i].script, rows[i].line, rows[i].condition};
        ploy_debug_query query = ploy_debug_query_default();
        query.move = PLOY_DEBUG_CONTINUE;
        query.breaks = &at;
        query.break_count = 1;
        if (rows[i].agent > 0) query.agent = ploy_agent_id_make(rows[i].agent, 1);
        ploy_debug_stop stop = debug_run(t, recorder, &query, (int64_t)i % 3);
        CHECK_INT(stop.found, rows[i].tick > 0);
        CHECK_UINT(stop.tick, rows[i].tick);
        if (!stop.found) continue;
        CHECK_INT(stop.line, rows[i].line);
        CHECK_INT(stop.hit, 0);
        if (rows[i].agent > 0) CHECK_UINT(stop.agent.id.index, rows[i].agent);
        // Continuing from the stop finds the next one: a whole period later.
        query.tick = stop.tick;
        query.at = stop.at;
        query.agent = stop.agent;
        ploy_debug_stop next = debug_run(t, recorder, &query, 0);
        CHECK_INT(next.found, true);
        CHECK(next.tick > stop.tick);
    }
    ploy_recorder_destroy(recorder);
}

TEST(faulty_queries_are_refused) {
    static const struct {
        const char *row, *condition, *watch;
        uint64_t tick;
        int64_t at;
        ploy_result want;
    } rows[] = {
        {"tick 0 has no lines", NULL, NULL, 0, 0, PLOY_ERR_ARGUMENT},
        {"a tick of the future", NULL, NULL, 10, 0, PLOY_ERR_ARGUMENT},
        {"a line below 0", NULL, NULL, 1, -1, PLOY_ERR_ARGUMENT},
        {"a faulty condition", "gold >", NULL, 1, 0, PLOY_ERR_FORMAT},
        {"a condition that assigns", "gold = 3", NULL, 1, 0, PLOY_ERR_FORMAT},
        {"a watch that assigns", NULL, "x := 3", 1, 0, PLOY_ERR_FORMAT},
    };
    ploy_env env = ploy_env_default();
    ploy_recorder *recorder = debug_recorder(t, 9);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_debug_break at = {NULL, 9, rows[i].condition};
        ploy_debug_query query = ploy_debug_query_default();
        query.tick = rows[i].tick;
        query.at = rows[i].at;
        query.breaks = &at;
        query.break_count = rows[i].condition != NULL;
        query.watches = &rows[i].watch;
        query.watch_count = rows[i].watch != NULL;
        ploy_debug *debug = NULL;
        CHECK_INT(ploy_debug_create(recorder, &query, &env, NULL, &debug), rows[i].want);
        CHECK(debug == NULL);
    }
    // A line that the tick lacks is no fault, but nothing is found.
    ploy_debug_query query = ploy_debug_query_default();
    for (int32_t move = 0; move < PLOY_DEBUG_COUNT; move++) {
        query.at = 99;
        query.move = (ploy_debug_move)move;
        CHECK(!debug_run(t, recorder, &query, 0).found);
    }
    query.at = 1;
    query.move = PLOY_DEBUG_BACK;
    CHECK(!debug_run(t, recorder, &query, 0).found); // the first line of all
    ploy_recorder_destroy(recorder);
}

// ---- counting

static const ploy_script_profile_line *debug_line_of(test_context *t, const ploy_debug *debug,
                                                     const char *script, int32_t line,
                                                     ploy_script_profile_line *out) {
    const ploy_script_profile *profile = ploy_debug_profile(debug);
    for (int32_t i = 0; ploy_script_profile_line_at(profile, i, out); i++) {
        if (out->line == line && strcmp(out->script, script) == 0) return out;
    }
    (void)t;
    return NULL;
}

TEST(counting_gives_coverage_and_units_by_function) {
    ploy_env env = ploy_env_default();
    ploy_recorder *recorder = debug_recorder(t, 9);
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    for (int64_t slice = 0; slice < 3; slice++) {
        ploy_debug_query query = ploy_debug_query_default();
        ploy_debug *debug = NULL;
        ploy_script_profile_line line;
        ploy_script_profile_function function;
        query.move = PLOY_DEBUG_COUNT;
        query.tick = 1;
        query.ticks = 2;
        CHECK_OK(ploy_debug_create(recorder, &query, &env, NULL, &debug));
        ploy_result result = PLOY_IN_PROGRESS;
        for (int32_t i = 0; i < 100 && result == PLOY_IN_PROGRESS; i++) {
            ploy_budget budget = ploy_budget_units(slice);
            result = ploy_debug_step(debug, slice > 0 ? &budget : NULL);
        }
        CHECK_OK(result);
        CHECK(ploy_debug_result(debug)->found);
        CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(recorder)), hash);
        // Two agents dig once in each of two ticks; gold is 4 then, so line 10 has not run.
        CHECK(debug_line_of(t, debug, "dig.ploy", 4, &line) != NULL);
        CHECK_INT(line.runs, 4);
        CHECK(debug_line_of(t, debug, "dig.ploy", 10, &line) != NULL);
        CHECK_INT(line.runs, 0);
        CHECK(debug_line_of(t, debug, "dig.ploy", 11, &line) == NULL);
        bool found = false;
        for (int32_t i = 0;
             ploy_script_profile_function_at(ploy_debug_profile(debug), i, &function); i++) {
            if (strcmp(function.function, "dig") != 0) continue;
            found = true;
            CHECK_INT(function.calls, 4);
            CHECK(function.units >= 4);
        }
        CHECK(found);
        ploy_debug_destroy(debug);
    }
    // Of one agent: half.
    ploy_debug_query query = ploy_debug_query_default();
    ploy_debug *debug = NULL;
    ploy_script_profile_line line;
    query.move = PLOY_DEBUG_COUNT;
    query.agent = ploy_agent_id_make(2, 1);
    query.ticks = 2;
    CHECK_OK(ploy_debug_create(recorder, &query, &env, NULL, &debug));
    CHECK_OK(ploy_debug_step(debug, NULL));
    CHECK(debug_line_of(t, debug, "dig.ploy", 4, &line) != NULL);
    CHECK_INT(line.runs, 2);
    ploy_debug_destroy(debug);
    query.at = 1; // there is no line to count from
    CHECK_INT(ploy_debug_create(recorder, &query, &env, NULL, &debug), PLOY_ERR_ARGUMENT);
    ploy_recorder_destroy(recorder);
}

static ploy_result debug_count_body(const ploy_env *env, void *arg) {
    ploy_debug_query query = ploy_debug_query_default();
    ploy_debug *debug = NULL;
    query.move = PLOY_DEBUG_COUNT;
    query.ticks = 3;
    ploy_result result = ploy_debug_create(arg, &query, env, NULL, &debug);
    if (result == PLOY_OK) result = ploy_debug_step(debug, NULL);
    ploy_debug_destroy(debug);
    return result;
}

TEST(counting_survives_every_failing_allocation) {
    ploy_recorder *recorder = debug_recorder(t, 9);
    CHECK_FAIL_NTH(debug_count_body, recorder);
    ploy_recorder_destroy(recorder);
}

static ploy_result debug_body(const ploy_env *env, void *arg) {
    static const char *const watches[] = {"gold * 2"};
    ploy_debug_break at = {"dig.ploy", 9, "gold > 3"};
    ploy_debug_query query = ploy_debug_query_default();
    query.move = PLOY_DEBUG_BACK;
    query.tick = 2;
    query.at = 5;
    query.breaks = &at;
    query.break_count = 1;
    query.watches = watches;
    query.watch_count = 1;
    ploy_debug *debug = NULL;
    ploy_result result = ploy_debug_create(arg, &query, env, NULL, &debug);
    if (result == PLOY_OK) result = ploy_debug_step(debug, NULL);
    ploy_debug_destroy(debug);
    return result;
}

TEST(a_query_survives_every_failing_allocation) {
    ploy_recorder *recorder = debug_recorder(t, 9);
    CHECK_FAIL_NTH(debug_body, recorder);
    ploy_recorder_destroy(recorder);
}

// ---- over the protocol

TEST(a_client_steps_through_a_script_while_the_game_goes_on) {
    harness h;
    harness_begin(&h, t);
    ploy_recorder *recorder = debug_recorder(t, 9);
    CHECK_OK(ploy_inspector_add_recorder(h.inspector, recorder));
    ASK_OK(&h, "\"do\":\"debug\",\"session\":1,\"tick\":1,\"move\":\"continue\",\"breaks\":[{"
               "\"script\":\"dig.ploy\",\"line\":5,\"if\":\"gold > 3\"}],\"watches\":[\"gold\","
               "\"got * 10\",\"nothing\",\"'a' .. got\"]");
    CHECK_JSON(h.answer, "found", "true");
    CHECK_JSON(h.answer, "tick", "2");
    CHECK_JSON(h.answer, "line", "5");
    CHECK_JSON(h.answer, "break", "0");
    CHECK_JSON(h.answer, "agent", "\"1:1\"");
    CHECK_JSON(h.answer, "stack.0.function", "\"dig\"");
    CHECK_JSON(h.answer, "stack.0.locals.0.name", "\"n\"");
    CHECK_JSON(h.answer, "stack.0.locals.1.value", "2");
    CHECK_JSON(h.answer, "stack.1.line", "8");
    CHECK_JSON(h.answer, "globals.0.name", "\"gold\"");
    CHECK_JSON(h.answer, "watches.0.value", "4");
    CHECK_JSON(h.answer, "watches.1.value", "20");
    CHECK_JSON(h.answer, "watches.2.value", "null");
    CHECK_JSON(h.answer, "watches.2.error", "\"unknown name 'nothing'\"");
    CHECK_JSON(h.answer, "watches.3.value", "\"a2\"");
    int64_t at = (int64_t)harness_number(h.answer, "at");
    char text[256];
    snprintf(text, sizeof text,
             "\"do\":\"debug\",\"session\":1,\"tick\":2,\"at\":%d,\"move\":\"out\"", (int)at);
    ASK_OK(&h, text);
    CHECK_JSON(h.answer, "line", "9");
    CHECK_OK(ploy_recorder_step(recorder)); // the game was never held
    ASK_OK(&h, "\"do\":\"debug\",\"session\":1,\"tick\":1,\"move\":\"continue\"");
    CHECK_JSON(h.answer, "found", "false");
    ASK_OK(&h, "\"do\":\"debug\",\"session\":1,\"tick\":1,\"ticks\":2,\"move\":\"count\"");
    CHECK_JSON(h.answer, "found", "true");
    CHECK_JSON(h.answer, "from", "1");
    CHECK_JSON(h.answer, "to", "2");
    CHECK_JSON(h.answer, "lines.0.script", "\"dig.ploy\"");
    CHECK_JSON(h.answer, "lines.0.line", "3"); // declarations do not run
    CHECK_JSON(h.answer, "functions.0.script", "\"dig.ploy\"");
    CHECK(harness_number(h.answer, "functions.0.units") > 0);
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"tick\":0", "argument");
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"tick\":99", "argument");
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"move\":\"jump\"", "argument");
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"breaks\":[{\"line\":0}]", "argument");
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"watches\":[3]", "argument");
    ASK_FAILS(&h, "\"do\":\"debug\",\"session\":1,\"watches\":[\"gold +\"]", "format");
    harness_end(&h);
    ploy_recorder_destroy(recorder);
}

#ifdef PLOY_HAS_SCRIPT_LUA
// ---- Lua

TEST(lua_is_debugged_in_the_same_way) {
    ploy_env env = ploy_env_default();
    const ploy_sim_type *type = ploy_sim_type_find(ploy_labs(), "miner", NULL);
    ploy_recorder_def def = ploy_recorder_def_default();
    ploy_recorder *recorder = NULL;
    CHECK_OK(ploy_recorder_create(&def, type, NULL, NULL, &env, &recorder));
    for (int32_t i = 0; i < 200; i++) CHECK_OK(ploy_recorder_step(recorder));
    // Line 34 reports the gold; strikes is a local of the script.
    ploy_debug_break at = {"miner", 34, "strikes > 7"};
    ploy_debug_query query = ploy_debug_query_default();
    query.move = PLOY_DEBUG_CONTINUE;
    query.breaks = &at;
    query.break_count = 1;
    ploy_debug_stop stop = debug_run(t, recorder, &query, 0);
    CHECK(stop.found);
    CHECK_INT(stop.line, 34);
    CHECK_TEXT(stop.script, "miner");
    CHECK_INT(stop.hit, 0);
    ploy_debug_stop sliced = debug_run(t, recorder, &query, 7);
    CHECK_UINT(sliced.tick, stop.tick);
    CHECK_INT(sliced.at, stop.at);
    at.condition = "self.gold > 4"; // the field of a table
    stop = debug_run(t, recorder, &query, 0);
    CHECK(stop.found);
    CHECK_INT(stop.line, 34);
    query.break_count = 0;
    query.tick = stop.tick;
    query.at = stop.at;
    query.move = PLOY_DEBUG_BACK;
    ploy_debug_stop back = debug_run(t, recorder, &query, 0);
    CHECK_INT(back.line, 33);
    query.at = back.at;
    query.move = PLOY_DEBUG_OVER;
    CHECK_INT(debug_run(t, recorder, &query, 0).line, 34);
    // Into the function tired, and out of it.
    query = ploy_debug_query_default();
    at = (ploy_debug_break){"miner", 12, NULL};
    query.breaks = &at;
    query.break_count = 1;
    query.move = PLOY_DEBUG_CONTINUE;
    stop = debug_run(t, recorder, &query, 0);
    CHECK_INT(stop.depth, 0);
    query.tick = stop.tick;
    query.at = stop.at;
    query.move = PLOY_DEBUG_IN;
    ploy_debug_stop inside = debug_run(t, recorder, &query, 0);
    CHECK_INT(inside.line, 5);
    CHECK_INT(inside.depth, 1);
    // Counted: every state's function is a row, and lines of a state that was not entered are known.
    query = ploy_debug_query_default();
    query.move = PLOY_DEBUG_COUNT;
    query.ticks = 200;
    ploy_debug *debug = NULL;
    ploy_script_profile_line line;
    ploy_script_profile_function function;
    uint64_t hash = ploy_sim_hash(ploy_recorder_sim(recorder));
    CHECK_OK(ploy_debug_create(recorder, &query, &env, NULL, &debug));
    CHECK_OK(ploy_debug_step(debug, NULL));
    CHECK_UINT(ploy_sim_hash(ploy_recorder_sim(recorder)), hash);
    CHECK(debug_line_of(t, debug, "miner", 34, &line) != NULL);
    CHECK(line.runs > 0);
    CHECK(debug_line_of(t, debug, "miner", 4, &line) == NULL);
    bool named = false;
    for (int32_t i = 0; ploy_script_profile_function_at(ploy_debug_profile(debug), i, &function);
         i++) {
        if (strcmp(function.function, "function at line 31") == 0) named = function.units > 0;
    }
    CHECK(named);
    ploy_debug_destroy(debug);
    ploy_recorder_destroy(recorder);
}
#endif
