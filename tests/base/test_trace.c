#include "ploy/base/trace.h"
#include "tests/test.h"

typedef struct test_tape {
    char text[1024];
} test_tape;

static void tape_add(void *user, const char *text) {
    test_tape *tape = user;
    size_t length = strlen(tape->text);
    snprintf(tape->text + length, sizeof tape->text - length, "%s", text);
}

static void tape_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    char text[128];
    snprintf(text, sizeof text, "[%u:%u %s %s ", (unsigned)agent.index, (unsigned)agent.generation,
             topic, technique);
    tape_add(user, text);
}

static void tape_option(void *user, const char *name, ploy_outcome outcome, double score,
                        const char *reason) {
    char text[128];
    snprintf(text, sizeof text, "%s %s %g %s;", name, ploy_outcome_text(outcome), score, reason);
    tape_add(user, text);
}

static void tape_value(void *user, const char *name, const ploy_value *value) {
    char text[64];
    ploy_value_print(value, text, sizeof text);
    tape_add(user, name);
    tape_add(user, "=");
    tape_add(user, text);
    tape_add(user, ";");
}

static void tape_note(void *user, const char *text) {
    tape_add(user, text);
    tape_add(user, ";");
}

static void tape_end(void *user) {
    tape_add(user, "]");
}

TEST(the_helpers_tell_what_was_decided_and_why) {
    test_tape tape = {{0}};
    ploy_trace trace = {tape_begin, tape_option, tape_value, tape_note, tape_end, &tape};
    ploy_trace_begin(&trace, ploy_agent_id_make(2, 1), "steer", "wander");
    ploy_trace_option(&trace, "forward", PLOY_OUTCOME_WON, 1.0, "keeps moving");
    ploy_trace_option(&trace, "brake", PLOY_OUTCOME_LOST, 0.25, NULL);
    ploy_value value = ploy_value_bool(true);
    ploy_trace_value(&trace, "seen", &value);
    ploy_trace_f32(&trace, "drift", 0.5f);
    ploy_trace_i64(&trace, "count", -1);
    ploy_trace_vec2(&trace, "target", 1, 2);
    ploy_trace_text(&trace, "mode", "calm");
    ploy_trace_note(&trace, "a note");
    ploy_trace_end(&trace);
    CHECK_TEXT(tape.text, "[2:1 steer wander forward won 1 keeps moving;brake lost 0.25 ;seen=true;"
                          "drift=0.5;count=-1;target=(1, 2);mode=calm;a note;]");
}

TEST(outcomes_have_names) {
    CHECK_TEXT(ploy_outcome_text(PLOY_OUTCOME_WON), "won");
    CHECK_TEXT(ploy_outcome_text(PLOY_OUTCOME_LOST), "lost");
    CHECK_TEXT(ploy_outcome_text(PLOY_OUTCOME_REJECTED), "rejected");
    CHECK_TEXT(ploy_outcome_text(PLOY_OUTCOME_SKIPPED), "skipped");
    CHECK_TEXT(ploy_outcome_text((ploy_outcome)9), "?");
}

TEST(nobody_and_traces_with_holes_are_told_nothing) {
    ploy_trace holes = {NULL, NULL, NULL, NULL, NULL, NULL};
    ploy_trace *traces[] = {NULL, &holes};
    for (int i = 0; i < 2; i++) {
        t->row = i == 0 ? "nobody" : "no functions";
        ploy_trace_begin(traces[i], ploy_agent_id_none(), NULL, NULL);
        ploy_trace_option(traces[i], NULL, PLOY_OUTCOME_WON, (double)NAN, NULL);
        ploy_trace_value(traces[i], NULL, NULL);
        ploy_trace_f32(traces[i], "x", 1);
        ploy_trace_i64(traces[i], "x", 1);
        ploy_trace_vec2(traces[i], "x", 1, 1);
        ploy_trace_text(traces[i], "x", NULL);
        ploy_trace_note(traces[i], NULL);
        ploy_trace_end(traces[i]);
    }
}
