// Trace in words and as JSON.
//
// Invariants of both sinks:
//   (1) depth decisions are open;
//   (2) shown is the depth of the outermost open decision that is selected, or -1 if none is; while
//       it is not -1 everything is shown, because what a selected decision holds belongs to it.
// Of the text sink:
//   (3) options[0 .. waiting) belong to the innermost open decision and are not printed yet;
//   (4) best[d] is the largest score that won in the open decision at depth d, NaN before that.
#include "ploy/inspect/sinks.h"

#include <math.h>
#include <string.h>

#include "inspect/inspect_internal.h"
#include "ploy/base/utf8.h"

#define TRACE_SINK_NUMBER_MAX 40
// A decision is an object and an array; the outermost array, an option and a vector come on top.
#define TRACE_SINK_JSON_MAX ((PLOY_JSON_WRITER_DEPTH - 4) / 2)

// True if a decision of this agent opens or continues what is shown.
static bool trace_sink_wanted(ploy_agent_id only, int32_t shown, ploy_id agent) {
    return shown >= 0 || ploy_id_is_none(only.id) || ploy_id_equal(only.id, agent);
}

static double *trace_text_best(ploy_trace_text_sink *sink) {
    int32_t level = sink->depth - 1;
    return &sink->best[level < PLOY_TRACE_DEPTH_MAX ? level : PLOY_TRACE_DEPTH_MAX - 1];
}

// A score for people: rounded to a float, which hides the noise of sums. "" if there is none.
static void trace_text_print_score(double score, char *text) {
    text[0] = '\0';
    if (isnan(score)) return;
    bool fits = isinf(score) || fabs(score) <= (double)FLT_MAX;
    ploy_value value = fits ? ploy_value_f32((float)score) : ploy_value_f64(score);
    ploy_value_print(&value, text, TRACE_SINK_NUMBER_MAX);
}

// "(0.75 behind)" for an option that lost against a score that won. "" if that cannot be said.
static void trace_text_print_behind(const ploy_trace_text_option *option, double best, char *text) {
    text[0] = '\0';
    double behind = best - option->score;
    if (option->outcome != PLOY_OUTCOME_LOST || isnan(behind)) return;
    if (behind == 0.0) {
        memcpy(text, "(level)", sizeof "(level)");
        return;
    }
    char number[TRACE_SINK_NUMBER_MAX];
    trace_text_print_score(fabs(behind), number);
    const char *word = behind > 0.0 ? " behind)" : " ahead)";
    size_t length = strlen(number);
    text[0] = '(';
    memcpy(text + 1, number, length);
    memcpy(text + 1 + length, word, strlen(word) + 1);
}

static int32_t trace_text_width(const char *text) {
    return (int32_t)ploy_utf8_count(text, strlen(text));
}

static void trace_text_widen(int32_t *width, const char *text) {
    int32_t own = trace_text_width(text);
    if (own > *width) *width = own;
}

// Writes one cell of the table. The blanks that fill it up wait in *gap until another cell comes,
// so that no line ends with blanks.
static void trace_text_cell(ploy_writer *writer, const char *text, int32_t width, int32_t *gap) {
    if (text[0] != '\0') {
        for (; *gap > 0; (*gap)--) ploy_write_char(writer, ' ');
        ployi_sink_write_line_text(writer, text);
        *gap = -trace_text_width(text);
    }
    if (width > 0) *gap += width + 2;
}

// Prints the waiting options as a table.
static void trace_text_flush(ploy_trace_text_sink *sink) {
    if (sink->waiting == 0) return;
    char scores[PLOY_TRACE_OPTIONS_MAX][TRACE_SINK_NUMBER_MAX];
    char behinds[PLOY_TRACE_OPTIONS_MAX][TRACE_SINK_NUMBER_MAX + 16];
    int32_t widths[4] = {0, 0, 0, 0};
    double best = *trace_text_best(sink);
    for (int32_t i = 0; i < sink->waiting; i++) {
        const ploy_trace_text_option *option = &sink->options[i];
        trace_text_print_score(option->score, scores[i]);
        trace_text_print_behind(option, best, behinds[i]);
        trace_text_widen(&widths[0], ploy_outcome_text(option->outcome));
        trace_text_widen(&widths[1], option->name);
        trace_text_widen(&widths[2], scores[i]);
        trace_text_widen(&widths[3], behinds[i]);
    }
    for (int32_t i = 0; i < sink->waiting; i++) {
        const ploy_trace_text_option *option = &sink->options[i];
        int32_t gap = 0;
        ployi_sink_write_indent(sink->writer, sink->depth - sink->shown);
        trace_text_cell(sink->writer, ploy_outcome_text(option->outcome), widths[0], &gap);
        trace_text_cell(sink->writer, option->name, widths[1], &gap);
        trace_text_cell(sink->writer, scores[i], widths[2], &gap);
        trace_text_cell(sink->writer, behinds[i], widths[3], &gap);
        trace_text_cell(sink->writer, option->reason, 0, &gap);
        ploy_write_char(sink->writer, '\n');
    }
    sink->waiting = 0;
}

static void trace_text_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    ploy_trace_text_sink *sink = user;
    trace_text_flush(sink);
    if (sink->depth == INT32_MAX) return;
    sink->depth++;
    if (!trace_sink_wanted(sink->only, sink->shown, agent)) return;
    if (sink->shown < 0) sink->shown = sink->depth - 1; // keeps (2)
    *trace_text_best(sink) = (double)NAN;
    sink->decisions++;
    ployi_sink_write_indent(sink->writer, sink->depth - 1 - sink->shown);
    if (!ploy_id_is_none(agent)) {
        ploy_value value = ploy_value_id(agent);
        ploy_write_text(sink->writer, "agent ");
        ployi_sink_write_value(sink->writer, &value);
        ploy_write_char(sink->writer, ' ');
    }
    ploy_write_text(sink->writer, "decides ");
    ployi_sink_write_line_text(sink->writer, topic);
    if (technique != NULL && technique[0] != '\0') {
        ploy_write_text(sink->writer, " by ");
        ployi_sink_write_line_text(sink->writer, technique);
    }
    ploy_write_char(sink->writer, '\n');
}

static void trace_text_option(void *user, const char *name, ploy_outcome outcome, double score,
                              const char *reason) {
    ploy_trace_text_sink *sink = user;
    if (sink->shown < 0) return;
    if (sink->waiting == PLOY_TRACE_OPTIONS_MAX) trace_text_flush(sink);
    ploy_trace_text_option *option = &sink->options[sink->waiting++];
    ploy_value text = ploy_value_text(name);
    ploy_value_print(&text, option->name, sizeof option->name);
    text = ploy_value_text(reason);
    ploy_value_print(&text, option->reason, sizeof option->reason);
    option->outcome = outcome;
    option->score = score;
    double *best = trace_text_best(sink);
    bool better = isnan(*best) || score > *best;
    if (outcome == PLOY_OUTCOME_WON && !isnan(score) && better) *best = score; // keeps (4)
}

static void trace_text_value(void *user, const char *name, const ploy_value *value) {
    ploy_trace_text_sink *sink = user;
    if (sink->shown < 0 || value == NULL) return;
    trace_text_flush(sink);
    ployi_sink_write_indent(sink->writer, sink->depth - sink->shown);
    ployi_sink_write_line_text(sink->writer, name);
    ploy_write_text(sink->writer, " = ");
    ployi_sink_write_value(sink->writer, value);
    ploy_write_char(sink->writer, '\n');
}

static void trace_text_note(void *user, const char *text) {
    ploy_trace_text_sink *sink = user;
    if (sink->shown < 0) return;
    trace_text_flush(sink);
    ployi_sink_write_indent(sink->writer, sink->depth - sink->shown);
    ployi_sink_write_line_text(sink->writer, text);
    ploy_write_char(sink->writer, '\n');
}

static void trace_text_end(void *user) {
    ploy_trace_text_sink *sink = user;
    if (sink->depth == 0) {
        if (sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
        return;
    }
    trace_text_flush(sink);
    sink->depth--;
    if (sink->depth <= sink->shown) sink->shown = -1;
}

void ploy_trace_text_sink_init(ploy_trace_text_sink *sink, ploy_writer *writer,
                               ploy_agent_id only) {
    memset(sink, 0, sizeof *sink);
    sink->writer = writer;
    sink->only = only;
    sink->shown = -1;
    sink->result = PLOY_OK;
}

ploy_trace ploy_trace_text_sink_trace(ploy_trace_text_sink *sink) {
    ploy_trace trace = {trace_text_begin, trace_text_option, trace_text_value,
                        trace_text_note,  trace_text_end,    sink};
    return trace;
}

ploy_result ploy_trace_text_sink_finish(ploy_trace_text_sink *sink) {
    if (sink->depth > 0 && sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
    while (sink->depth > 0) trace_text_end(sink);
    ploy_result written = ploy_writer_result(sink->writer);
    return written != PLOY_OK ? written : sink->result;
}

// True if something in the innermost open decision is to be written.
static bool trace_json_shows(const ploy_trace_json_sink *sink) {
    return sink->shown >= 0 && sink->skipped == 0;
}

static void trace_json_key_text(ploy_trace_json_sink *sink, const char *key, const char *text) {
    ploy_json_write_key(&sink->json, key);
    ploy_json_write_text(&sink->json, text);
}

static void trace_json_begin(void *user, ploy_id agent, const char *topic, const char *technique) {
    ploy_trace_json_sink *sink = user;
    if (sink->depth == INT32_MAX) return;
    sink->depth++;
    if (!trace_sink_wanted(sink->only, sink->shown, agent)) return;
    if (sink->shown < 0) sink->shown = sink->depth - 1;
    if (sink->skipped > 0 || sink->depth - sink->shown > TRACE_SINK_JSON_MAX) {
        sink->skipped++;
        if (sink->result == PLOY_OK) sink->result = PLOY_ERR_LIMIT;
        return;
    }
    ploy_value value = ploy_value_id(agent);
    ploy_json_write_begin_object(&sink->json);
    ploy_json_write_key(&sink->json, "agent");
    ploy_json_write_value(&sink->json, &value);
    trace_json_key_text(sink, "topic", topic);
    trace_json_key_text(sink, "technique", technique);
    ploy_json_write_key(&sink->json, "children");
    ploy_json_write_begin_array(&sink->json);
}

static void trace_json_option(void *user, const char *name, ploy_outcome outcome, double score,
                              const char *reason) {
    ploy_trace_json_sink *sink = user;
    if (!trace_json_shows(sink)) return;
    ploy_json_write_begin_object(&sink->json);
    trace_json_key_text(sink, "option", name);
    trace_json_key_text(sink, "outcome", ploy_outcome_text(outcome));
    ploy_json_write_key(&sink->json, "score");
    if (isnan(score))
        ploy_json_write_null(&sink->json);
    else
        ploy_json_write_f64(&sink->json, score);
    trace_json_key_text(sink, "reason", reason);
    ploy_json_write_end_object(&sink->json);
}

static void trace_json_value(void *user, const char *name, const ploy_value *value) {
    ploy_trace_json_sink *sink = user;
    if (!trace_json_shows(sink) || value == NULL) return;
    ploy_json_write_begin_object(&sink->json);
    trace_json_key_text(sink, "value", name);
    trace_json_key_text(sink, "type", ploy_value_type_text(value->type));
    ploy_json_write_key(&sink->json, "is");
    ploy_json_write_value(&sink->json, value);
    ploy_json_write_end_object(&sink->json);
}

static void trace_json_note(void *user, const char *text) {
    ploy_trace_json_sink *sink = user;
    if (!trace_json_shows(sink)) return;
    ploy_json_write_begin_object(&sink->json);
    trace_json_key_text(sink, "note", text);
    ploy_json_write_end_object(&sink->json);
}

static void trace_json_end(void *user) {
    ploy_trace_json_sink *sink = user;
    if (sink->depth == 0) {
        if (sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
        return;
    }
    sink->depth--;
    if (sink->shown < 0) return;
    if (sink->skipped > 0) {
        sink->skipped--;
    } else {
        ploy_json_write_end_array(&sink->json);
        ploy_json_write_end_object(&sink->json);
    }
    if (sink->depth <= sink->shown) sink->shown = -1;
}

void ploy_trace_json_sink_init(ploy_trace_json_sink *sink, ploy_writer *writer,
                               ploy_agent_id only) {
    memset(sink, 0, sizeof *sink);
    ploy_json_writer_init(&sink->json, writer, 0);
    sink->only = only;
    sink->shown = -1;
    sink->result = PLOY_OK;
    ploy_json_write_begin_array(&sink->json);
}

ploy_trace ploy_trace_json_sink_trace(ploy_trace_json_sink *sink) {
    ploy_trace trace = {trace_json_begin, trace_json_option, trace_json_value,
                        trace_json_note,  trace_json_end,    sink};
    return trace;
}

ploy_result ploy_trace_json_sink_finish(ploy_trace_json_sink *sink) {
    if (sink->depth > 0 && sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
    while (sink->depth > 0) trace_json_end(sink);
    ploy_json_write_end_array(&sink->json);
    ploy_result written = ploy_json_writer_finish(&sink->json);
    return written != PLOY_OK ? written : sink->result;
}

#undef TRACE_SINK_NUMBER_MAX
#undef TRACE_SINK_JSON_MAX
