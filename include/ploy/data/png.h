/// @file ploy/data/png.h
/// The component `data_png`: reads and writes images as PNG files, through libpng.
///
/// Link ploy::data_png (pkg-config ploy-data-png). All kinds of PNG are read: palettes, grey,
/// interlaced, 1 to 16 bits. A 16-bit grey image keeps its 16 bits (`grey`), for height maps.
#pragma once

#include "ploy/base/diags.h"
#include "ploy/base/writer.h"
#include "ploy/data/image.h"

/// Reads a file.
/// @param diags  may be NULL.
/// @return PLOY_ERR_FORMAT with libpng's reason in diags, PLOY_ERR_LIMIT for more than
///         PLOY_IMAGE_SIDE_MAX pixels
///         along a side, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_image_load_png(const void *bytes, size_t size, const char *name,
                                         const ploy_env *env, ploy_diags *diags, ploy_image **out);

/// Writes an image: 16-bit grey if it has that, otherwise 8 bits per channel with opacity.
/// @return as ploy_canvas_write_png.
PLOY_API ploy_result ploy_image_write_png(const ploy_image *image, ploy_writer *writer);
