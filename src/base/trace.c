// The calling side of traces: checks that there is a listener, and turns NULL texts into "".
#include "ploy/base/trace.h"

static const char *trace_text_of(const char *text) {
    return text != NULL ? text : "";
}

const char *ploy_outcome_text(ploy_outcome outcome) {
    switch (outcome) {
    case PLOY_OUTCOME_WON: return "won";
    case PLOY_OUTCOME_LOST: return "lost";
    case PLOY_OUTCOME_REJECTED: return "rejected";
    case PLOY_OUTCOME_SKIPPED: return "skipped";
    }
    return "?";
}

void ploy_trace_begin(ploy_trace *trace, ploy_agent_id agent, const char *topic,
                      const char *technique) {
    if (trace == NULL || trace->begin == NULL) return;
    trace->begin(trace->user, agent.id, trace_text_of(topic), trace_text_of(technique));
}

void ploy_trace_option(ploy_trace *trace, const char *name, ploy_outcome outcome, double score,
                       const char *reason) {
    if (trace == NULL || trace->option == NULL) return;
    trace->option(trace->user, trace_text_of(name), outcome, score, trace_text_of(reason));
}

void ploy_trace_value(ploy_trace *trace, const char *name, const ploy_value *value) {
    if (trace == NULL || trace->value == NULL || value == NULL) return;
    trace->value(trace->user, trace_text_of(name), value);
}

void ploy_trace_f32(ploy_trace *trace, const char *name, float value) {
    if (trace == NULL) return;
    ploy_value holder = ploy_value_f32(value);
    ploy_trace_value(trace, name, &holder);
}

void ploy_trace_i64(ploy_trace *trace, const char *name, int64_t value) {
    if (trace == NULL) return;
    ploy_value holder = ploy_value_i64(value);
    ploy_trace_value(trace, name, &holder);
}

void ploy_trace_vec2(ploy_trace *trace, const char *name, float x, float y) {
    if (trace == NULL) return;
    ploy_value holder = ploy_value_vec2(x, y);
    ploy_trace_value(trace, name, &holder);
}

void ploy_trace_text(ploy_trace *trace, const char *name, const char *value) {
    if (trace == NULL) return;
    ploy_value holder = ploy_value_text(value);
    ploy_trace_value(trace, name, &holder);
}

void ploy_trace_note(ploy_trace *trace, const char *text) {
    if (trace == NULL || trace->note == NULL) return;
    trace->note(trace->user, trace_text_of(text));
}

void ploy_trace_end(ploy_trace *trace) {
    if (trace == NULL || trace->end == NULL) return;
    trace->end(trace->user);
}
