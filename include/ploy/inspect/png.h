/// @file ploy/inspect/png.h
/// The component `inspect_png`: a canvas as a PNG file, encoded by libpng.
///
/// Link ploy::inspect_png (pkg-config ploy-inspect-png). The same pixels and the same libpng give
/// the same bytes; no date is written.
#pragma once

#include "ploy/inspect/canvas.h"

/// Encodes the canvas with eight bits per channel, without transparency.
/// @return the writer's failure; PLOY_ERR_MEMORY if libpng is out of memory (it uses its own
///         allocator, not the env's); PLOY_ERR_SYSTEM if it fails otherwise. All its memory is
///         freed in each case.
PLOY_API ploy_result ploy_canvas_write_png(const ploy_canvas *canvas, ploy_writer *writer);
/// Writes the canvas to a file. @return as ploy_canvas_write_png and ploy_os_write_file.
PLOY_API ploy_result ploy_canvas_save_png(const ploy_canvas *canvas, const char *path,
                                          const ploy_env *env);
