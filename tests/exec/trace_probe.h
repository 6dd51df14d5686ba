// Counts what a trace is told, for the tests of whatever tells its reasons.
#pragma once

#include "ploy/base/trace.h"
#include "tests/test.h"

typedef struct trace_why {
    int32_t begins, options, won, lost, rejected, skipped, notes;
    int32_t depth;   // open decisions
    double sum;      // of the scores that won
    char winner[32]; // the last
} trace_why;

static inline void trace_why_begin(void *user, ploy_id agent, const char *topic,
                                   const char *technique) {
    trace_why *why = user;
    (void)agent, (void)topic, (void)technique;
    why->begins++;
    why->depth++;
}

static inline void trace_why_option(void *user, const char *name, ploy_outcome outcome,
                                    double score, const char *reason) {
    trace_why *why = user;
    (void)reason;
    why->options++;
    why->won += outcome == PLOY_OUTCOME_WON;
    why->lost += outcome == PLOY_OUTCOME_LOST;
    why->rejected += outcome == PLOY_OUTCOME_REJECTED;
    why->skipped += outcome == PLOY_OUTCOME_SKIPPED;
    if (outcome != PLOY_OUTCOME_WON) return;
    why->sum += score;
    snprintf(why->winner, sizeof why->winner, "%s", name);
}

static inline void trace_why_value(void *user, const char *name, const ploy_value *value) {
    (void)user, (void)name, (void)value;
}

static inline void trace_why_note(void *user, const char *text) {
    (void)text;
    ((trace_why *)user)->notes++;
}

static inline void trace_why_end(void *user) {
    ((trace_why *)user)->depth--;
}

// A trace that counts from zero.
static inline ploy_trace trace_probe(trace_why *why) {
    memset(why, 0, sizeof *why);
    ploy_trace trace = {trace_why_begin, trace_why_option, trace_why_value,
                        trace_why_note,  trace_why_end,    why};
    return trace;
}
