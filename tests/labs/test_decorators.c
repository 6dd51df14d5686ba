// The lab `decorators`: the answers of every tree tick by tick, its commands, and rewind.
#include "tests/labs/lab_test.h"

// The first letter of the answer that the tree of that name gave in the last tick.
typedef struct decorators_asked {
    lab_asked at; // lab_asked_begin and lab_asked_end expect it first
    const char *tree;
    char answer;
} decorators_asked;

static void decorators_asked_value(void *user, const char *name, ploy_mark mark,
                                   const ploy_value *value) {
    decorators_asked *asked = user;
    size_t have = strlen(asked->at.at), want = strlen(asked->tree);
    (void)mark;
    if (strcmp(name, "answer") != 0 || have < want + 1) return;
    const char *group = asked->at.at + have - want - 1;
    if (strncmp(group, asked->tree, want) != 0) return;
    if (group != asked->at.at && group[-1] != '/') return;
    char text[64];
    ploy_value_print(value, text, sizeof text);
    asked->answer = text[0] == '"' ? text[1] : text[0];
}

static char decorators_answer_of(const ploy_sim *sim, const char *tree) {
    decorators_asked asked;
    memset(&asked, 0, sizeof asked);
    asked.tree = tree;
    asked.answer = '?';
    ploy_describe out = {lab_asked_begin, lab_asked_end, decorators_asked_value, &asked};
    ploy_sim_describe(sim, &out);
    return asked.answer;
}

// Steps once for each letter and compares the answers of the tree with the expected ones.
static void decorators_expect(test_context *t, ploy_sim *sim, const char *tree,
                              const char *expected) {
    char got[64] = {0};
    t->row = tree;
    for (size_t i = 0; i < strlen(expected) && i + 1 < sizeof got; i++) {
        lab_run(t, sim, 1);
        got[i] = decorators_answer_of(sim, tree);
    }
    CHECK_TEXT(got, expected);
    t->row = NULL;
}

TEST(every_tree_answers_as_its_node_says) {
    static const struct {
        const char *tree, *answers;
    } rows[] = {
        {"Parallel", "rrrsrrrs"},           // the second of three ends it
        {"Limit", "rsrsrsffff"},            // three starts
        {"UntilFail", "rrrsrrrs"},          // the fourth visit fails
        {"Repeat", "rrrsrrrs"},             // three times two ticks, the ends overlap
        {"Retry", "fsfs"},                  // two attempts in a tick; the third succeeds
        {"Timeout", "rrrrfrrrrf"},          // 0.5 s are 4 ticks
        {"Cooldown", "rsfffrsfff"},         // 0.5 s after the end
        {"Interrupter", "rrrrrrrrrrrsrrr"}, // 12 ticks of work
        {"Gate", "ffff"},                   // closed
        {"speaker A", "rrsssrrsss"},        // speaks in 3 ticks, waves in 2
        {"speaker B", "ssrrsssrrs"},        // speaks when A has finished
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
        decorators_expect(t, sim, rows[i].tree, rows[i].answers);
        CHECK(lab_drawn(sim) > 0);
        ploy_sim_destroy(sim);
    }
}

TEST(a_random_selector_runs_until_a_child_succeeds) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    int32_t running = 0, succeeded = 0;
    for (int32_t i = 0; i < 200; i++) {
        lab_run(t, sim, 1);
        char answer = decorators_answer_of(sim, "RandomSelector");
        running += answer == 'r';
        succeeded += answer == 's';
    }
    CHECK_INT(running + succeeded, 200); // never fails: it has no limit of tries
    // Half of the tries visit the child that can succeed, and half of those visits succeed.
    CHECK_NEAR(succeeded, 50, 20);
    ploy_sim_destroy(sim);
}

TEST(the_alarm_interrupts_the_work) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    decorators_expect(t, sim, "Interrupter", "rrr");
    lab_command(t, sim, "interrupt", ploy_value_none());
    CHECK_INT(decorators_answer_of(sim, "Interrupter"), 'f');
    CHECK_INT((int)lab_number(t, sim, "Interrupter/halts"), 1);
    decorators_expect(t, sim, "Interrupter", "rrrrrrrrrrrs"); // from the beginning
    ploy_sim_destroy(sim);
}

TEST(the_gate_opens_and_a_closing_gate_halts_its_child) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    decorators_expect(t, sim, "Gate", "ff");
    lab_command(t, sim, "gate", ploy_value_none());
    CHECK_INT(decorators_answer_of(sim, "Gate"), 'r');
    decorators_expect(t, sim, "Gate", "rsr");
    lab_command(t, sim, "gate", ploy_value_none());
    CHECK_INT(decorators_answer_of(sim, "Gate"), 'f');
    CHECK_INT((int)lab_number(t, sim, "Gate/halts"), 1);
    ploy_sim_destroy(sim);
}

TEST(a_limit_counts_again_when_it_is_told) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    decorators_expect(t, sim, "Limit", "rsrsrsff");
    lab_command(t, sim, "limit", ploy_value_none());
    CHECK_INT(decorators_answer_of(sim, "Limit"), 'r');
    decorators_expect(t, sim, "Limit", "srsrsf");
    ploy_sim_destroy(sim);
}

TEST(a_click_halts_a_tree) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    decorators_expect(t, sim, "Parallel", "r");
    lab_click(t, sim, 0, 25);
    CHECK_INT((int)lab_number(t, sim, "Parallel/halts"), 3); // three leaves ran
    decorators_expect(t, sim, "Parallel", "rrs");            // began again with the click
    ploy_sim_destroy(sim);
}

TEST(times_are_parameters) {
    static const char *const settings[] = {"timeout=0.25", "cooldown=1", NULL};
    static const char *const names[] = {"Timeout", "Cooldown"};
    static const char *const answers[] = {"rrfrrf", "rsfffffffrs"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        ploy_env env = ploy_env_default();
        ploy_sim *sim = lab_start(t, "decorators", settings, &env);
        decorators_expect(t, sim, names[i], answers[i]);
        ploy_sim_destroy(sim);
    }
}

TEST(it_rewinds_to_the_same_bytes) {
    ploy_env env = ploy_env_default();
    ploy_sim *sim = lab_start(t, "decorators", NULL, &env);
    lab_check_rewind_clicking(t, sim);
    ploy_sim_destroy(sim);
}

TEST(create_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(lab_create, "decorators");
}
