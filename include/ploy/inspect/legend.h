/// @file ploy/inspect/legend.h
/// A legend for pictures in files: what the styles of a picture mean, in a strip below it.
///
/// A picture is drawn twice: first into the legend, which notes the styles that are drawn and the
/// meanings that ploy_draw_key gives them, then into the sink, whose view is as much higher as the
/// legend needs.
///
///     ploy_legend legend;
///     ploy_legend_init(&legend, letter);
///     ploy_draw draw = ploy_legend_sink(&legend);
///     ploy_sim_draw(sim, &draw);
///     ploy_legend_extend(&legend, width, view);  // then create the sink with the view
///     ...                                        // and draw the picture into it
///     ploy_legend_draw(&legend, width, view, &draw);
///
/// A style that the picture gives no meaning has the usual one (ploy_style_meaning). If the picture
/// gives none at all, as plain objects do, there is no legend and the view stays as it is.
/// Allocates nothing.
#pragma once

#include "ploy/geom/draw.h"

/// Most bytes kept of a meaning, including the terminating zero.
#define PLOY_LEGEND_TEXT 64
/// Width of a letter in SVG; for a canvas, see ploy_canvas_letter.
#define PLOY_LEGEND_SVG_LETTER 7

typedef struct ploy_legend {
    int32_t letter; ///< pixels from one letter to the next
    uint32_t drawn; ///< bit 1 << style: styles of the picture
    uint32_t given; ///< bit 1 << style: styles with a meaning
    char meanings[PLOY_STYLE_COUNT][PLOY_LEGEND_TEXT];
} ploy_legend;

/// @param letter  pixels that the sink needs for a letter; below 1: 1.
PLOY_API void ploy_legend_init(ploy_legend *legend, int32_t letter);
/// Receives the picture, with all layers; clear bits of its `layers` as for the picture.
PLOY_API ploy_draw ploy_legend_sink(ploy_legend *legend);
/// Number of entries; 0: no legend.
PLOY_API int32_t ploy_legend_count(const ploy_legend *legend);
/// Extends the view downward by the height of the legend.
/// @param width  pixels of the picture.
/// @param view   min x, min y, max x, max y in metres, changed in place.
PLOY_API void ploy_legend_extend(const ploy_legend *legend, int32_t width, float view[4]);
/// Draws the legend into the lowest part of an extended view, over what reaches into it.
PLOY_API void ploy_legend_draw(const ploy_legend *legend, int32_t width, const float view[4],
                               ploy_draw *out);
