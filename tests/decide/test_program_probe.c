// What programs report: lines and variables to a probe, choices and stops to a trace, counts to a
// profile.
#include "tests/decide/program_desk.h"

typedef struct program_probe_tape {
    char text[2048];
    const char *watch; // a variable that is noted with each line, or NULL
} program_probe_tape;

static void tape_add(program_probe_tape *tape, const char *text) {
    strncat(tape->text, text, sizeof tape->text - strlen(tape->text) - 1);
}

static void tape_report(void *user, const ploy_script_report *report) {
    static const char *const events[] = {"line", "call", "return", "stop"};
    program_probe_tape *tape = user;
    char text[160], value[PLOY_SCRIPT_TEXT_MAX + 1] = "";
    ploy_script_variable variable;
    if (tape->watch != NULL && ploy_script_find(report, 0, tape->watch, &variable)) {
        value[0] = ' ';
        if (variable.text[0] != 0) {
            snprintf(value + 1, sizeof value - 1, "%s", variable.text);
        } else {
            (void)ploy_value_print(&variable.value, value + 1, sizeof value - 1);
        }
    }
    snprintf(text, sizeof text, "%s %s:%d/%d%s\n", events[report->event], report->function,
             (int)report->line, (int)report->depth, value);
    tape_add(tape, text);
}

static void program_probe_steps(test_context *t, const char *text, ploy_trace *trace, int32_t steps,
                                int64_t units) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, text, NULL);
    ploy_program_instance *instance = NULL, *silent = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    CHECK_OK(ploy_program_instance_create(program, &env, &silent));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    for (int32_t i = 0; i < steps; i++) {
        ploy_status status;
        ploy_budget budget = ploy_budget_units(units), same = budget;
        context.budget = &budget;
        context.trace = trace;
        ploy_result result = ploy_program_step(instance, &context, &status);
        context.budget = &same;
        context.trace = NULL;
        CHECK_INT(ploy_program_step(silent, &context, &status), result);
        // Reports change nothing.
        CHECK_INT((int64_t)ploy_visit_hash(ploy_program_visit, instance, NULL),
                  (int64_t)ploy_visit_hash(ploy_program_visit, silent, NULL));
        ploy_step_context_next(&context);
    }
    ploy_program_instance_destroy(instance);
    ploy_program_instance_destroy(silent);
    ploy_program_destroy(program);
}

TEST(lines_calls_returns_and_stops_are_reported) {
    program_probe_tape tape = {"", "m"};
    ploy_script_probe probe = {tape_report, &tape};
    ploy_trace trace = ploy_script_probe_trace(&probe);
    program_probe_steps(
        t, "keep n = 1\nfunction f(k) {\n  local m = k * 2\n  yield\n  return m }\nn = f(4)",
        &trace, 2, 1000);
    CHECK_TEXT(tape.text, "line :6/0\n"
                          "call f:3/1\n"
                          "line f:3/1\n"
                          "line f:4/1 8\n"
                          "stop f:5/1 8\n"
                          "line f:5/1 8\n"
                          "return :6/0\n"
                          "stop :6/0\n");
}

static void tape_levels(void *user, const ploy_script_report *report) {
    program_probe_tape *tape = user;
    ploy_script_frame frame;
    ploy_script_variable variable;
    char text[160];
    if (report->event != PLOY_SCRIPT_LINE || report->depth < 2) return;
    for (int32_t level = 0; report->view->frame(report->self, level, &frame); level++) {
        snprintf(text, sizeof text, "%s:%d", frame.function, (int)frame.line);
        tape_add(tape, text);
        for (int32_t i = 0; report->view->variable(report->self, level, i, &variable); i++) {
            char value[64] = "";
            (void)ploy_value_print(&variable.value, value, sizeof value);
            snprintf(text, sizeof text, " %s=%s%s", variable.name,
                     variable.text[0] == 0 ? value : "", variable.text);
            tape_add(tape, text);
        }
        tape_add(tape, "\n");
    }
    for (int32_t i = 0; report->view->variable(report->self, -1, i, &variable); i++) {
        snprintf(text, sizeof text, "%s ", variable.name);
        tape_add(tape, text);
    }
}

TEST(a_probe_reads_every_level_of_the_stack) {
    program_probe_tape tape = {"", NULL};
    ploy_script_probe probe = {tape_levels, &tape};
    ploy_trace trace = ploy_script_probe_trace(&probe);
    program_probe_steps(
        t,
        "keep total = 3\nrecord spot { x = 1 }\nfunction inner(a, name) {\n"
        "  total += a }\nfunction outer(b) {\n  local xs = list(4, number)\n  push(xs, b)\n"
        "  local s = spot()\n  inner(b + 1, 'who')\n}\nouter(6)",
        &trace, 1, 1000);
    CHECK_TEXT(tape.text, "inner:4 a=7 name=who\n"
                          "outer:9 b=6 xs=list of 1 s=record\n"
                          ":11\n"
                          "total ");
}

// ---- why

static void told_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    (void)agent, (void)technique;
    tape_add(user, topic);
}

static void told_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    char text[200];
    (void)score;
    snprintf(text, sizeof text, " [%s %s: %s]", name, ploy_outcome_text(outcome), reason);
    tape_add(user, text);
}

static void told_note(void *user, const char *note) {
    tape_add(user, " ");
    tape_add(user, note);
}

static void told_end(void *user) {
    tape_add(user, "\n");
}

TEST(a_trace_names_the_rule_and_why_not_the_others) {
    program_probe_tape tape = {"", NULL};
    ploy_trace trace = {told_begin, told_option, NULL, told_note, told_end, &tape};
    program_probe_steps(t,
                        "keep n = 0\nkeep best = 0\nwhile true {\n  n += 1\n"
                        "  when n > 9 do best = 1\n"
                        "  when n == 2 priority 5 do { best = 2; yield }\n"
                        "  when n > 0 and n < 3 do best = 3\n"
                        "  yield\n}",
                        &trace, 4, 1000);
    CHECK_TEXT(
        tape.text,
        "rule [n == 2 rejected: its condition does not hold] [n > 9 rejected: its condition does "
        "not hold] [n > 0 and n < 3 won: the first rule that holds]\n"
        "statement [line 8 won: it continues here in the next step]\n"
        "rule [n == 2 won: the first rule that holds] [n > 9 skipped: an earlier rule holds] [n > "
        "0 and n < 3 skipped: an earlier rule holds]\n"
        "statement [line 6 won: it continues here in the next step]\n"
        "statement [line 8 won: it continues here in the next step]\n"
        "rule [n == 2 rejected: its condition does not hold] [n > 9 rejected: its condition does "
        "not hold] [n > 0 and n < 3 rejected: its condition does not hold] No rule holds.\n"
        "statement [line 8 won: it continues here in the next step]\n");
}

TEST(choices_inside_conditions_are_told_apart) {
    program_probe_tape tape = {"", NULL};
    ploy_trace trace = {told_begin, told_option, NULL, told_note, told_end, &tape};
    program_probe_steps(
        t,
        "function near(k) {\n  when k > 1 do return 1\n  when k <= 1 do return 0\n}\n"
        "when near(1) do yield\nwhen near(2) do { }\nwait 3",
        &trace, 1, 1000);
    CHECK_TEXT(tape.text,
               "rule [k > 1 rejected: its condition does not hold] [k <= 1 won: the first rule "
               "that holds]\n"
               "rule [k > 1 won: the first rule that holds] [k <= 1 skipped: an earlier rule "
               "holds]\n"
               "rule [near(1) rejected: its condition does not hold] [near(2) won: the first rule "
               "that holds]\n"
               "statement [line 7 won: it waits]\n");
}

// ---- counts

static const char counted_program[] = "keep n = 0\n"
                                      "function work(k) {\n"
                                      "  for i = 1, k { n += i }\n"
                                      "  return n\n"
                                      "}\n"
                                      "if work(3) > 100 {\n"
                                      "  n = 0\n"
                                      "}\n"
                                      "work(2)\n";

TEST(a_profile_counts_lines_and_units) {
    ploy_env env = ploy_env_default();
    ploy_script_profile *profile = NULL;
    CHECK_OK(ploy_script_profile_create(&env, &profile));
    ploy_trace trace = ploy_script_probe_trace(ploy_script_profile_probe(profile));
    ploy_program *program = desk_compile(t, counted_program, NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_expect_lines(program, profile));
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    context.trace = &trace;
    ploy_status status;
    CHECK_OK(ploy_program_step(instance, &context, &status));
    ploy_script_profile_line line;
    int64_t runs[10] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    for (int32_t i = 0; ploy_script_profile_line_at(profile, i, &line); i++)
        runs[line.line] = line.runs;
    static const int64_t want[10] = {-1, -1, -1, 7, 2, -1, 1, 0, -1, 1};
    for (int32_t i = 0; i < 10; i++) {
        TEST_SEED(i);
        CHECK_INT(runs[i], want[i]);
    }
    // Every unit belongs to one function.
    ploy_script_profile_function function;
    int64_t units = 0;
    CHECK(ploy_script_profile_function_at(profile, 0, &function));
    CHECK_TEXT(function.function, "work");
    CHECK_INT(function.calls, 2);
    for (int32_t i = 0; ploy_script_profile_function_at(profile, i, &function); i++) {
        units += function.units;
    }
    CHECK_INT(units, ploy_program_units(instance));
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_script_profile_print(profile, &writer);
    CHECK(strstr(ploy_buffer_text(&buffer), "p.ploy: 4 of 5 lines ran\n") != NULL);
    CHECK(strstr(ploy_buffer_text(&buffer), "p.ploy:7: never ran\n") != NULL);
    CHECK_OK(ploy_script_profile_result(profile));
    ploy_buffer_fini(&buffer);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
    ploy_script_profile_destroy(profile);
}

static ploy_result profile_body(const ploy_env *env, void *arg) {
    ploy_program_instance *instance = arg;
    ploy_script_profile *profile = NULL;
    ploy_result result = ploy_script_profile_create(env, &profile);
    if (result != PLOY_OK) return result;
    ploy_trace trace = ploy_script_probe_trace(ploy_script_profile_probe(profile));
    ploy_step_context context = ploy_step_context_make((ploy_agent_id){{1, 1}}, NULL, 1.0f);
    context.trace = &trace;
    ploy_status status;
    ploy_program_instance_restart(instance);
    (void)ploy_program_step(instance, &context, &status);
    result = ploy_script_profile_result(profile);
    ploy_script_profile_destroy(profile);
    return result;
}

TEST(a_profile_survives_every_failing_allocation) {
    ploy_env env = ploy_env_default();
    ploy_program *program = desk_compile(t, counted_program, NULL);
    ploy_program_instance *instance = NULL;
    CHECK_OK(ploy_program_instance_create(program, &env, &instance));
    CHECK_FAIL_NTH(profile_body, instance);
    ploy_program_instance_destroy(instance);
    ploy_program_destroy(program);
}
