// Describe as JSON.
//
// Invariants:
//   (1) depth groups are open, of which the innermost `skipped` were not written;
//   (2) the JSON writer is inside 1 + depth - skipped objects, never after a lone key.
#include "ploy/inspect/sinks.h"

#include <string.h>

// One level is the outer object, one the object that a marked value is, one a vector's array.
#define JSON_SINK_DEPTH_MAX (PLOY_JSON_WRITER_DEPTH - 3)

static const char *json_sink_text(const char *text) {
    return text != NULL ? text : "";
}

static void json_sink_begin(void *user, const char *name, ploy_id owner) {
    ploy_json_sink *sink = user;
    if (sink->depth == INT32_MAX) return;
    sink->depth++;
    if (sink->skipped > 0 || sink->depth > JSON_SINK_DEPTH_MAX) {
        sink->skipped++;
        if (sink->result == PLOY_OK) sink->result = PLOY_ERR_LIMIT;
        return;
    }
    ploy_json_write_key(&sink->json, json_sink_text(name));
    ploy_json_write_begin_object(&sink->json);
    if (!sink->marks || ploy_id_is_none(owner)) return;
    ploy_value value = ploy_value_id(owner);
    ploy_json_write_key(&sink->json, "owner");
    ploy_json_write_value(&sink->json, &value);
}

static void json_sink_end(void *user) {
    ploy_json_sink *sink = user;
    if (sink->depth == 0) {
        if (sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
        return;
    }
    sink->depth--;
    if (sink->skipped > 0)
        sink->skipped--;
    else
        ploy_json_write_end_object(&sink->json);
}

static void json_sink_value(void *user, const char *name, ploy_mark mark, const ploy_value *value) {
    ploy_json_sink *sink = user;
    if (sink->skipped > 0 || value == NULL) return;
    ploy_json_write_key(&sink->json, json_sink_text(name));
    if (!sink->marks) {
        ploy_json_write_value(&sink->json, value);
        return;
    }
    ploy_json_write_begin_object(&sink->json);
    ploy_json_write_key(&sink->json, "value");
    ploy_json_write_value(&sink->json, value);
    ploy_json_write_key(&sink->json, "mark");
    ploy_json_write_text(&sink->json, ploy_mark_text(mark));
    ploy_json_write_key(&sink->json, "type");
    ploy_json_write_text(&sink->json, ploy_value_type_text(value->type));
    ploy_json_write_end_object(&sink->json);
}

void ploy_json_sink_init(ploy_json_sink *sink, ploy_writer *writer, bool marks) {
    memset(sink, 0, sizeof *sink);
    ploy_json_writer_init(&sink->json, writer, 0);
    sink->marks = marks;
    sink->result = PLOY_OK;
    ploy_json_write_begin_object(&sink->json);
}

ploy_describe ploy_json_sink_describe(ploy_json_sink *sink) {
    ploy_describe out = {json_sink_begin, json_sink_end, json_sink_value, sink};
    return out;
}

ploy_result ploy_json_sink_finish(ploy_json_sink *sink) {
    if (sink->depth > 0 && sink->result == PLOY_OK) sink->result = PLOY_ERR_STATE;
    while (sink->depth > 0) json_sink_end(sink);
    ploy_json_write_end_object(&sink->json);
    ploy_result written = ploy_json_writer_finish(&sink->json);
    return written != PLOY_OK ? written : sink->result;
}

#undef JSON_SINK_DEPTH_MAX
