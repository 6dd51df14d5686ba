// Shared between the sinks of inspect, not public.
#pragma once

#include "ploy/base/value.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"
#include "ploy/inspect/inspector.h"

// Text on one line: control characters become blanks. NULL counts as "".
void ployi_sink_write_line_text(ploy_writer *writer, const char *text);
// A value as ploy_value_print shows it, of any length, on one line.
void ployi_sink_write_value(ploy_writer *writer, const ploy_value *value);
// Two blanks a level, up to a depth that still leaves room for words.
void ployi_sink_write_indent(ploy_writer *writer, int32_t depth);

// A table of a picture, see ploy_draw_table. `begin` measures it; the cells come row by row, all of
// a row's columns.
#define PLOYI_TABLE_COLUMNS 16
typedef struct ployi_table {
    const char *at; // the next cell
    int32_t rows, columns;
    int32_t row, column; // of the next cell
    char align[PLOYI_TABLE_COLUMNS];
    int32_t letters[PLOYI_TABLE_COLUMNS]; // of the widest cell of a column
} ployi_table;
typedef struct ployi_table_cell {
    const char *text;
    size_t size;
    int32_t letters, row, column;
} ployi_table_cell;
// False if it is none.
bool ployi_table_begin(const char *text, ployi_table *table);
bool ployi_table_next(ployi_table *table, ployi_table_cell *cell);
#define PLOYI_TABLE_GAP 2 // letters between two columns

// How pictures look, the same in SVG and on the canvas.
#define PLOYI_GROUND_COLOR 0xFAFAF7u // the light ground, 0xRRGGBB
#define PLOYI_POINT_PX 2.5f          // radius of a point
#define PLOYI_ARROW_PX 8.0f          // length of an arrow's head; its width is three quarters of it
#define PLOYI_NOSE_RADII 1.7f        // from an agent's centre to the tip of its nose, in radii

// Width of a line in that style, in pixels.
float ployi_sink_stroke(ploy_style style);
// Points that a shape reads, INT32_MAX for all; 0 for a shape that is not one.
int32_t ployi_sink_points_needed(const ploy_draw_item *item);
// True if everything that the shape reads is there and finite.
bool ployi_sink_is_drawable(const ploy_draw_item *item);
// Alpha within 0 to 1; NaN counts as 1.
float ployi_sink_alpha(float alpha);

// The pixels of a view: scale and height that follow from the width. False if the view is empty,
// not finite, or the height is not within 1 to max_height.
bool ployi_sink_frame(const float view[4], int32_t width, int32_t max_height, double *scale,
                      int32_t *height);

// The nose of an agent: tip, left and right foot, as offsets from the centre in units of length one
// for a radius of one; y up. The feet are where the lines from the tip touch the body.
void ployi_sink_nose(float angle, double nose[3][2]);

// The canvas's letters, see canvas_font.c.
#define PLOYI_FONT_WIDTH 5
#define PLOYI_FONT_HEIGHT 7
#define PLOYI_FONT_FIRST 32  // the first character
#define PLOYI_FONT_GLYPHS 96 // 95 characters, and one for all that are missing
extern const uint8_t ployi_canvas_font[PLOYI_FONT_GLYPHS][PLOYI_FONT_HEIGHT];

// ---- of ploy/inspect/inspector.h, for its sources and tests

// Returns true while any simulation is playing or seeking.
bool ployi_inspector_busy(const ploy_inspector *inspector);

// Returns the settings in use.
const ploy_inspector_def *ployi_inspector_def_of(const ploy_inspector *inspector);
