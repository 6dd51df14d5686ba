// Describe as indented text, and the line writing that the trace's text shares.
#include "ploy/inspect/sinks.h"

#include <string.h>

#include "inspect/inspect_internal.h"

// Deeper lines are all at this depth.
#define TEXT_SINK_INDENT_MAX 32

void ployi_sink_write_line_text(ploy_writer *writer, const char *text) {
    if (text == NULL) return;
    for (;;) {
        size_t run = 0;
        while ((unsigned char)text[run] >= 0x20 && text[run] != 0x7F) run++;
        ploy_write_bytes(writer, text, run);
        if (text[run] == '\0') return;
        ploy_write_char(writer, ' ');
        text += run + 1;
    }
}

void ployi_sink_write_value(ploy_writer *writer, const ploy_value *value) {
    if (value->type == PLOY_VALUE_TEXT) {
        ployi_sink_write_line_text(writer, value->as.text);
        return;
    }
    char text[128]; // four floats at most
    ploy_value_print(value, text, sizeof text);
    ploy_write_text(writer, text);
}

void ployi_sink_write_indent(ploy_writer *writer, int32_t depth) {
    if (depth > TEXT_SINK_INDENT_MAX) depth = TEXT_SINK_INDENT_MAX;
    for (int32_t i = 0; i < depth; i++) ploy_write_text(writer, "  ");
}

static void text_sink_begin(void *user, const char *name, ploy_id owner) {
    ploy_text_sink *sink = user;
    ployi_sink_write_indent(sink->writer, sink->depth);
    ployi_sink_write_line_text(sink->writer, name);
    if (!ploy_id_is_none(owner)) {
        ploy_value value = ploy_value_id(owner);
        ploy_write_text(sink->writer, " (agent ");
        ployi_sink_write_value(sink->writer, &value);
        ploy_write_char(sink->writer, ')');
    }
    ploy_write_char(sink->writer, '\n');
    if (sink->depth < INT32_MAX) sink->depth++;
}

static void text_sink_end(void *user) {
    ploy_text_sink *sink = user;
    if (sink->depth > 0)
        sink->depth--;
    else if (sink->result == PLOY_OK)
        sink->result = PLOY_ERR_STATE;
}

static void text_sink_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    ploy_text_sink *sink = user;
    if (value == NULL || (!sink->notes && mark != PLOY_STATE)) return;
    ployi_sink_write_indent(sink->writer, sink->depth);
    ployi_sink_write_line_text(sink->writer, name);
    ploy_write_char(sink->writer, ' ');
    ployi_sink_write_value(sink->writer, value);
    ploy_write_char(sink->writer, '\n');
}

void ploy_text_sink_init(ploy_text_sink *sink, ploy_writer *writer, bool notes) {
    memset(sink, 0, sizeof *sink);
    sink->writer = writer;
    sink->notes = notes;
    sink->result = PLOY_OK;
}

ploy_describe ploy_text_sink_describe(ploy_text_sink *sink) {
    ploy_describe out = {text_sink_begin, text_sink_end, text_sink_value, sink};
    return out;
}

ploy_result ploy_text_sink_finish(ploy_text_sink *sink) {
    ploy_result written = ploy_writer_result(sink->writer);
    if (written != PLOY_OK) return written;
    return sink->depth > 0 ? PLOY_ERR_STATE : sink->result;
}

#undef TEXT_SINK_INDENT_MAX
