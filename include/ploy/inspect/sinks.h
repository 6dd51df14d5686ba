/// @file ploy/inspect/sinks.h
/// Sinks: the output of describe, trace and draw as JSON, indented text or SVG.
///
/// Each sink is caller-owned memory with `init`, an interface getter and `finish`. They write
/// straight to a ploy_writer as the calls come and keep what little they need in themselves, so
/// nothing is allocated. Whatever they receive (numbers that are not finite, NULL texts, ends
/// without a begin, nesting without end), they write something well-formed and finish says what was
/// wrong.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/json_writer.h"
#include "ploy/base/trace.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"

/// Describe as JSON on one line: a group is an object, `"name": value`; with marks, each value is
/// `{"value": v, "mark": "state", "type": "f32"}` and a group carries `"owner": "index:generation"`
/// if it has one. Groups opened with ploy_describe_begin_item become members named by their index.
/// Finite numbers are written exactly; NaN and infinities as the strings "nan", "inf", "-inf".
typedef struct ploy_json_sink {
    ploy_json_writer json;
    bool marks;
    int32_t depth;   ///< open groups
    int32_t skipped; ///< of them, those nested too deeply to be written
    ploy_result result;
} ploy_json_sink;

PLOY_API void ploy_json_sink_init(ploy_json_sink *sink, ploy_writer *writer, bool marks);
PLOY_API ploy_describe ploy_json_sink_describe(ploy_json_sink *sink);
/// Closes everything that is open, the outer object last; what was written is whole JSON then.
/// @return the writer's failure, PLOY_ERR_STATE if begins and ends did not match, PLOY_ERR_LIMIT if
///         groups nested deeper than about a thousand levels were left out.
PLOY_API ploy_result ploy_json_sink_finish(ploy_json_sink *sink);

/// Describe as indented text, one value a line: `velocity (1.5, 0)`. A group with an owner is
/// `name (agent 2:1)`. Line breaks inside texts become blanks.
typedef struct ploy_text_sink {
    ploy_writer *writer;
    int32_t depth;
    bool notes; ///< write values marked NOTE and DERIVED too
    ploy_result result;
} ploy_text_sink;

PLOY_API void ploy_text_sink_init(ploy_text_sink *sink, ploy_writer *writer, bool notes);
PLOY_API ploy_describe ploy_text_sink_describe(ploy_text_sink *sink);
/// @return the writer's failure, or PLOY_ERR_STATE if begins and ends did not match.
PLOY_API ploy_result ploy_text_sink_finish(ploy_text_sink *sink);

/// Most characters kept of an option's name and reason while it waits, with the zero.
#define PLOY_TRACE_NAME_MAX 48
#define PLOY_TRACE_REASON_MAX 112
/// Options that wait to be printed as one table.
#define PLOY_TRACE_OPTIONS_MAX 32
/// Nested decisions whose winners are distinguished; deeper ones share the last place.
#define PLOY_TRACE_DEPTH_MAX 32

typedef struct ploy_trace_text_option {
    ploy_outcome outcome;
    double score;
    char name[PLOY_TRACE_NAME_MAX];
    char reason[PLOY_TRACE_REASON_MAX];
} ploy_trace_text_option;

/// Trace in words, indented: who decided what, each alternative with its score, how far it was
/// behind the one that won, and why. With `only` set, only that agent's decisions.
///
///     agent 2:1 decides steer by wander
///       won   forward  1                    keeps moving
///       lost  brake    0.25  (0.75 behind)  nothing ahead
///
/// Options wait in the struct until something else comes, so that columns line up and the winner is
/// known; past PLOY_TRACE_OPTIONS_MAX of them they are printed in several tables, and an option
/// that is printed before the winner came has no distance. Scores are rounded to floats.
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

/// Trace as JSON on one line: an array of decisions
/// `{"agent": "2:1", "topic", "technique", "children": [...]}`, where a child is a nested decision,
/// `{"option": name, "outcome": "won", "score": 1, "reason": text}` (score null if it has none),
/// `{"value": name, "type": "f32", "is": 1.5}` or `{"note": text}`. agent is null for none.
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
/// Closes everything that is open, so that what was written is whole JSON. @return as above, and
/// PLOY_ERR_LIMIT if decisions nested deeper than about five hundred levels were left out.
PLOY_API ploy_result ploy_trace_json_sink_finish(ploy_trace_json_sink *sink);

/// Draw as SVG 1.1. `view` is min x, min y, max x, max y in metres; y points up, as in the world.
/// Every shape has its layer and style as classes; one with an owner carries
/// `data-owner="index:generation"`. Coordinates are rounded to a hundredth of a pixel. Shapes that
/// are not finite, or lack their points, are left out and counted.
typedef struct ploy_svg_sink {
    ploy_writer *writer;
    float view[4];
    float scale; ///< pixels a metre
    int64_t left_out;
} ploy_svg_sink;

/// Writes the opening tag and the palette.
/// @param width  pixels, 16 to 16384; height follows the view, rounded up.
/// @return PLOY_ERR_ARGUMENT, with nothing written, if the view is empty, not finite or would be
///         higher than 16384 pixels.
PLOY_API ploy_result ploy_svg_sink_init(ploy_svg_sink *sink, ploy_writer *writer,
                                        const float view[4], int32_t width);
/// All layers; clear bits of `layers` in the result for fewer.
PLOY_API ploy_draw ploy_svg_sink_draw(ploy_svg_sink *sink);
/// Writes the closing tag. @return the writer's result.
PLOY_API ploy_result ploy_svg_sink_finish(ploy_svg_sink *sink);
