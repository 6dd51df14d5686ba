// What the tests of games and labs ask of reasons: a trace that counts decisions and remembers those
// that name fewer than two options or leave out a reason.
#pragma once

#include "tests/labs/lab_test.h"

enum { LAB_WHY_DEPTH = 16 };

typedef struct lab_why {
    const char *steering; // topic that is not a decision of a mind: one force may be all there is
    int32_t decisions;    // that ended
    int32_t thin;         // of those, with fewer than two options and none inside
    int32_t unsaid;       // options without a reason
    int32_t of[64];       // decisions by the index of the agent
    char first[160];      // the first fault
    int32_t depth;
    struct {
        char topic[48], technique[64];
        int32_t options, inner;
        uint32_t agent;
    } open[LAB_WHY_DEPTH];
} lab_why;

static inline void lab_why_begin(void *user, ploy_id agent, const char *topic,
                                 const char *technique) {
    lab_why *why = user;
    if (why->depth < LAB_WHY_DEPTH) {
        snprintf(why->open[why->depth].topic, sizeof why->open[0].topic, "%s", topic);
        snprintf(why->open[why->depth].technique, sizeof why->open[0].technique, "%s", technique);
        why->open[why->depth].options = 0;
        why->open[why->depth].inner = 0;
        why->open[why->depth].agent = agent.index;
    }
    why->depth++;
}

static inline void lab_why_option(void *user, const char *name, ploy_outcome outcome, double score,
                                  const char *reason) {
    lab_why *why = user;
    (void)outcome, (void)score;
    if (why->depth < 1 || why->depth > LAB_WHY_DEPTH) return;
    why->open[why->depth - 1].options++;
    if (reason != NULL && reason[0] != 0) return;
    why->unsaid++;
    if (why->first[0] == 0) {
        snprintf(why->first, sizeof why->first, "no reason for '%s' of '%s' (%s)", name,
                 why->open[why->depth - 1].topic, why->open[why->depth - 1].technique);
    }
}

static inline void lab_why_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static inline void lab_why_note(void *user, const char *text) {
    (void)user, (void)text;
}

static inline void lab_why_end(void *user) {
    lab_why *why = user;
    why->depth--;
    if (why->depth < 0 || why->depth >= LAB_WHY_DEPTH) return;
    why->decisions++;
    if (why->depth > 0) why->open[why->depth - 1].inner++;
    uint32_t agent = why->open[why->depth].agent;
    if (agent < 64) why->of[agent]++;
    if (why->open[why->depth].options >= 2 || why->open[why->depth].inner > 0) return;
    // A tree that goes on with its running leaf visits that one node; it chose before.
    if (strcmp(why->open[why->depth].technique, "behavior tree") == 0) return;
    if (why->steering != NULL && strcmp(why->open[why->depth].topic, why->steering) == 0) return;
    why->thin++;
    if (why->first[0] == 0) {
        snprintf(why->first, sizeof why->first, "one option in '%s' (%s)",
                 why->open[why->depth].topic, why->open[why->depth].technique);
    }
}

static inline ploy_trace lab_why_trace(lab_why *why) {
    ploy_trace trace = {lab_why_begin, lab_why_option, lab_why_value,
                        lab_why_note,  lab_why_end,    why};
    return trace;
}

// Runs a simulation with the trace beside one without it: the same hashes, and reasons as they
// should be.
static inline lab_why lab_check_why(test_context *t, const char *name, const char *const *settings,
                                    int32_t ticks) {
    ploy_env env = ploy_env_default();
    ploy_sim *asked = lab_start(t, name, settings, &env);
    ploy_sim *plain = lab_start(t, name, settings, &env);
    lab_why why;
    memset(&why, 0, sizeof why);
    why.steering = "steer";
    ploy_trace trace = lab_why_trace(&why);
    for (int32_t i = 0; i < ticks; i++) {
        CHECK_OK(ploy_sim_step(asked, NULL, 0, &trace));
        CHECK_OK(ploy_sim_step(plain, NULL, 0, NULL));
    }
    t->row = why.first[0] != 0 ? why.first : name;
    CHECK_UINT(ploy_sim_hash(asked), ploy_sim_hash(plain));
    CHECK(why.decisions > 0);
    CHECK_INT(why.depth, 0);
    CHECK_INT(why.thin, 0);
    CHECK_INT(why.unsaid, 0);
    t->row = NULL;
    ploy_sim_destroy(plain);
    ploy_sim_destroy(asked);
    return why;
}
