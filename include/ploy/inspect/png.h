/// @file ploy/inspect/png.h
/// The component `inspect_png`: a canvas as a PNG file, encoded by libpng.
///
/// Link ploy::inspect_png (pkg-config ploy-inspect-png). Same pixels and same libpng, same bytes:
/// nothing like a date is written.
#pragma once

#include "ploy/inspect/canvas.h"

/// Encodes the canvas, eight bits a channel, without transparency.
/// @return the writer's failure; PLOY_ERR_MEMORY if libpng finds no memory (it takes its own, not
///         the env's); PLOY_ERR_SYSTEM if it fails otherwise. All of it is freed in each case.
PLOY_API ploy_result ploy_canvas_write_png(const ploy_canvas *canvas, ploy_writer *writer);
