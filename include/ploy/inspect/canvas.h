/// @file ploy/inspect/canvas.h
/// A canvas in memory: a draw sink that produces pixels, for PNG snapshots and picture tests.
///
/// Plain scan conversion with four by four coverage samples per pixel, without a library, with the
/// same bits on every machine; letters are five by seven dots. Polygons are filled by the non-zero
/// rule. Shapes that are not finite or have too few points are left out. The component
/// `inspect_png` (ploy/inspect/png.h) encodes a canvas as PNG.
///
/// Cost: no allocation while drawing; a shape costs its points times the rows it crosses, plus the
/// pixels it covers. Threads: one caller at a time.
#pragma once

#include "ploy/base/env.h"
#include "ploy/base/writer.h"
#include "ploy/geom/draw.h"

typedef struct ploy_canvas ploy_canvas;

/// @param view   min x, min y, max x, max y in metres; y points up.
/// @param width  pixels, 16 to 8192; height follows the view, rounded up, and is at most 8192.
/// @return PLOY_ERR_ARGUMENT if the view is empty or not finite or a size is out of range;
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_canvas_create(const float view[4], int32_t width, const ploy_env *env,
                                        ploy_canvas **out);
PLOY_API void ploy_canvas_destroy(ploy_canvas *canvas);
/// Clears to an empty light background.
PLOY_API void ploy_canvas_clear(ploy_canvas *canvas);
PLOY_API ploy_draw ploy_canvas_draw(ploy_canvas *canvas);
/// Pixels from one letter to the next in a canvas of that width.
PLOY_API int32_t ploy_canvas_letter(int32_t width);
PLOY_API int32_t ploy_canvas_width(const ploy_canvas *canvas);
PLOY_API int32_t ploy_canvas_height(const ploy_canvas *canvas);
/// Returns the rows from the top, with three bytes (red, green, blue) per pixel.
PLOY_API const uint8_t *ploy_canvas_pixels(const ploy_canvas *canvas);
