/// @file ploy/inspect/sinks.h
/// Sinks: the output of describe, trace and draw as JSON, indented text or SVG.
///
/// Each sink is caller-owned memory with `init`, an interface getter and `finish`. Sinks write
/// directly to a ploy_writer during each call and keep their state in the struct, so nothing is
/// allocated. Whatever they receive (numbers that are not finite, NULL texts, an end without a
/// begin, unlimited nesting), the output is well-formed, and finish reports what was wrong.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/trace.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"

/// Writes describe output as JSON on one line: a group is an object, `"name": value`; with marks,
/// each value is `{"value": v, "mark": "state", "type": "f32"}` and a group carries `"owner":
/// "index:generation"` if it has one. Groups opened with ploy_describe_begin_item become members
/// named by their index. Finite numbers are written exactly; NaN and infinities as the strings
/// "nan", "inf", "-inf".
typedef struct ploy_json_sink {
    ploy_json_writer json;
    bool marks;
    int32_t depth;   ///< open groups
    int32_t skipped; ///< open groups nested too deeply to be written
    ploy_result result;
} ploy_json_sink;

PLOY_API void ploy_json_sink_init(ploy_json_sink *sink, ploy_writer *writer, bool marks);
PLOY_API ploy_describe ploy_json_sink_describe(ploy_json_sink *sink);
/// Closes everything that is open, the outer object last. The output is then complete JSON.
/// @return the writer's failure, PLOY_ERR_STATE if begins and ends did not match, PLOY_ERR_LIMIT if
///         groups nested deeper than about a thousand levels were left out.
PLOY_API ploy_result ploy_json_sink_finish(ploy_json_sink *sink);

/// Writes describe output as indented text, one value per line: `velocity (1.5, 0)`. A group with
/// an owner is `name (agent 2:1)`. Line breaks inside texts become blanks.
typedef struct ploy_text_sink {
    ploy_writer *writer;
    int32_t depth;
    bool notes; ///< also write values marked NOTE and DERIVED
    ploy_result result;
} ploy_text_sink;

PLOY_API void ploy_text_sink_init(ploy_text_sink *sink, ploy_writer *writer, bool notes);
PLOY_API ploy_describe ploy_text_sink_describe(ploy_text_sink *sink);
/// @return the writer's failure, or PLOY_ERR_STATE if begins and ends did not match.
PLOY_API ploy_result ploy_text_sink_finish(ploy_text_sink *sink);

/// Most bytes kept of a waiting option's name and reason, including the terminating zero.
#define PLOY_TRACE_NAME_MAX 48
#define PLOY_TRACE_REASON_MAX 112
/// Most options that wait to be printed as one table.
#define PLOY_TRACE_OPTIONS_MAX 32
/// Most nested decisions whose winners are tracked separately; deeper decisions share the last
/// entry.
#define PLOY_TRACE_DEPTH_MAX 32

typedef struct ploy_trace_text_option {
    ploy_outcome outcome;
    double score;
    char name[PLOY_TRACE_NAME_MAX];
    char reason[PLOY_TRACE_REASON_MAX];
} ploy_trace_text_option;

/// Writes a trace as indented text: which agent decided what, and each alternative with its score,
/// its distance behind the winner, and the reason. If `only` is set, only that agent's decisions
/// are written.
///
///     agent 2:1 decides steer by wander
///       won   forward  1                    keeps moving
///       lost  brake    0.25  (0.75 behind)  nothing ahead
///
/// Options wait in the struct until another kind of call arrives, so that columns line up and the
/// winner is known. More than PLOY_TRACE_OPTIONS_MAX options are printed in several tables, and an
/// option printed before the winner arrived has no distance. Scores are rounded to floats.
typedef struct ploy_trace_text_sink {
    ploy_writer *writer;
    ploy_agent_id only; ///< none: all agents
    int32_t depth;
    int32_t shown; ///< depth at which a matching decision began, -1 outside
    int64_t decisions;
    ploy_result result;
    int32_t waiting;                   ///< options not printed yet
    double best[PLOY_TRACE_DEPTH_MAX]; ///< score of the winner so far at each depth, NaN if none
    ploy_trace_text_option options[PLOY_TRACE_OPTIONS_MAX];
} ploy_trace_text_sink;

PLOY_API void ploy_trace_text_sink_init(ploy_trace_text_sink *sink, ploy_writer *writer,
                                        ploy_agent_id only);
PLOY_API ploy_trace ploy_trace_text_sink_trace(ploy_trace_text_sink *sink);
/// @return the writer's failure, or PLOY_ERR_STATE if begins and ends did not match.
PLOY_API ploy_result ploy_trace_text_sink_finish(ploy_trace_text_sink *sink);

/// Writes a trace as JSON on one line: an array of decisions `{"agent": "2:1", "topic",
/// "technique", "children": [...]}`, where a child is a nested decision, `{"option": name,
/// "outcome": "won", "score": 1, "reason": text}` (score null if it has none), `{"value": name,
/// "type": "f32", "is": 1.5}` or `{"note": text}`. agent is null for none.
typedef struct ploy_trace_json_sink {
    ploy_json_writer json;
    ploy_agent_id only;
    int32_t depth;
    int32_t shown;   ///< as above
    int32_t skipped; ///< open decisions nested too deeply to be written
    ploy_result result;
} ploy_trace_json_sink;

PLOY_API void ploy_trace_json_sink_init(ploy_trace_json_sink *sink, ploy_writer *writer,
                                        ploy_agent_id only);
PLOY_API ploy_trace ploy_trace_json_sink_trace(ploy_trace_json_sink *sink);
/// Closes everything that is open, so that the output is complete JSON. @return as above, and
/// PLOY_ERR_LIMIT if decisions nested deeper than about five hundred levels were left out.
PLOY_API ploy_result ploy_trace_json_sink_finish(ploy_trace_json_sink *sink);

/// Writes the texts, tables and keys of draw output, for terminals and scripts: a line for each
/// text, `style: meaning` for each key, tables with columns that line up. As JSON: an array of
/// `{"text", "at"}`, `{"style", "means"}` and `{"table": true, "at", "columns": ["left", ...],
/// "rows": [[...], ...]}`.
typedef struct ploy_words_sink {
    ploy_writer *writer;
    ploy_json_writer json;
    bool as_json;
} ploy_words_sink;

PLOY_API void ploy_words_sink_init(ploy_words_sink *sink, ploy_writer *writer, bool json);
PLOY_API ploy_draw ploy_words_sink_draw(ploy_words_sink *sink);
/// Completes the output. @return the writer's failure.
PLOY_API ploy_result ploy_words_sink_finish(ploy_words_sink *sink);

/// Writes draw output as SVG 1.1. `view` is min x, min y, max x, max y in metres; y points up, as
/// in the world. Every shape has its layer and style as classes; a shape with an owner carries
/// `data-owner="index:generation"`. Coordinates are rounded to a hundredth of a pixel. Shapes that
/// are not finite or have too few points are left out and counted.
typedef struct ploy_svg_sink {
    ploy_writer *writer;
    float view[4];
    float scale; ///< pixels per metre
    int64_t left_out;
} ploy_svg_sink;

/// Writes the opening tag and the palette.
/// @param width  pixels, 16 to 16384; height follows the view, rounded up.
/// @return PLOY_ERR_ARGUMENT, with nothing written, if the view is empty, not finite or would be
///         higher than 16384 pixels.
PLOY_API ploy_result ploy_svg_sink_init(ploy_svg_sink *sink, ploy_writer *writer,
                                        const float view[4], int32_t width);
/// Returns the draw interface with all layers; clear bits of its `layers` to draw fewer.
PLOY_API ploy_draw ploy_svg_sink_draw(ploy_svg_sink *sink);
/// Writes the closing tag. @return the writer's result.
PLOY_API ploy_result ploy_svg_sink_finish(ploy_svg_sink *sink);
