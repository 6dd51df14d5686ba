// What the tests of games and labs ask of reasons: a trace that counts decisions and remembers those
// that name fewer than two options or leave out a reason.
#pragma once

#include <math.h>

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
        int32_t options, inner, notes;
        uint32_t agent;
        // The scores of those that won and of the best loser, for lab_check_reasons.
        int32_t wins;
        double won, lost;
        char winner[48], loser[48];
    } open[LAB_WHY_DEPTH];
    int32_t empty; // decisions without an option, a decision inside and a note
    int32_t ahead; // in which one that lost has a higher score than the one that won
} lab_why;

static inline void lab_why_begin(void *user, ploy_id agent, const char *topic,
                                 const char *technique) {
    lab_why *why = user;
    if (why->depth < LAB_WHY_DEPTH) {
        snprintf(why->open[why->depth].topic, sizeof why->open[0].topic, "%s", topic);
        snprintf(why->open[why->depth].technique, sizeof why->open[0].technique, "%s", technique);
        why->open[why->depth].options = why->open[why->depth].inner = 0;
        why->open[why->depth].notes = why->open[why->depth].wins = 0;
        why->open[why->depth].won = why->open[why->depth].lost = (double)-INFINITY;
        why->open[why->depth].agent = agent.index;
    }
    why->depth++;
}

static inline void lab_why_option(void *user, const char *name, ploy_outcome outcome, double score,
                                  const char *reason) {
    lab_why *why = user;
    if (why->depth < 1 || why->depth > LAB_WHY_DEPTH) return;
    why->open[why->depth - 1].options++;
    if (outcome == PLOY_OUTCOME_WON) {
        why->open[why->depth - 1].wins++;
        why->open[why->depth - 1].won = score;
        snprintf(why->open[why->depth - 1].winner, 48, "%s", name);
    } else if (outcome == PLOY_OUTCOME_LOST && score > why->open[why->depth - 1].lost) {
        why->open[why->depth - 1].lost = score;
        snprintf(why->open[why->depth - 1].loser, 48, "%s", name);
    }
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
    lab_why *why = user;
    (void)text;
    if (why->depth >= 1 && why->depth <= LAB_WHY_DEPTH) why->open[why->depth - 1].notes++;
}

// Techniques whose winner need not have the highest score, each for the reason that it reports: the present one is
// kept within a margin, it goes by order, by a plan or by chance, or scores of others are only bounds.
static inline bool lab_why_goes_by_score(const char *technique) {
    static const char *const others[] = {"level of detail",          "fuzzy state machine", "pvs",
                                         "search in space and time", "parameter search",    "dwell",
                                         "the first that asks"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i], technique) == 0) return false;
    }
    return true;
}

static inline void lab_why_compare(lab_why *why) {
    if (why->open[why->depth].options == 0 && why->open[why->depth].inner == 0 &&
        why->open[why->depth].notes == 0) {
        why->empty++;
        if (why->first[0] == 0) {
            snprintf(why->first, sizeof why->first, "nothing in '%s' (%s)",
                     why->open[why->depth].topic, why->open[why->depth].technique);
        }
    }
    if (why->open[why->depth].wins != 1 || isnan(why->open[why->depth].won)) return;
    if (why->open[why->depth].lost <= why->open[why->depth].won) return;
    if (!lab_why_goes_by_score(why->open[why->depth].technique)) return;
    why->ahead++;
    if (why->first[0] == 0) {
        snprintf(why->first, sizeof why->first, "'%s' lost with %g to '%s' with %g (%s)",
                 why->open[why->depth].loser, why->open[why->depth].lost,
                 why->open[why->depth].winner, why->open[why->depth].won,
                 why->open[why->depth].technique);
    }
}

static inline void lab_why_end(void *user) {
    lab_why *why = user;
    why->depth--;
    if (why->depth < 0 || why->depth >= LAB_WHY_DEPTH) return;
    why->decisions++;
    lab_why_compare(why);
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

// Runs a simulation with a trace: every option has a reason, and none that lost is ahead of the one that won.
static inline void lab_check_reasons(test_context *t, const ploy_sim_type *type, int32_t ticks) {
    ploy_env env = ploy_env_default();
    ploy_sim_def def = ploy_sim_def_default();
    ploy_sim *sim = NULL;
    static char row[224];
    CHECK_OK(ploy_sim_create(&def, type, NULL, NULL, &env, &sim));
    lab_why why;
    memset(&why, 0, sizeof why);
    ploy_trace trace = lab_why_trace(&why);
    for (int32_t i = 0; i < ticks; i++) CHECK_OK(ploy_sim_step(sim, NULL, 0, &trace));
    snprintf(row, sizeof row, "%s: %s", type->name, why.first);
    t->row = row;
    CHECK_INT(why.depth, 0);
    CHECK_INT(why.unsaid, 0);
    CHECK_INT(why.empty, 0);
    CHECK_INT(why.ahead, 0);
    t->row = NULL;
    ploy_sim_destroy(sim);
}
