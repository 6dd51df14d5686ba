/// @file ploy/data/image.h
/// Images in memory: samples for tiles, height maps, tile sets.
///
/// Rows start at the lowest y, as everywhere in ploy; an image file starts with the highest row, so
/// readers flip it. Reading and writing PNG files is the component `data_png` (ploy/data/png.h).
#pragma once

#include "ploy/base/env.h"

/// Maximum number of columns and of rows of an image.
#define PLOY_IMAGE_SIDE_MAX 16384

/// An image, as plain data. Create it with ploy_image_create.
typedef struct ploy_image {
    int32_t columns, rows;
    uint32_t *pixels; ///< red << 24 | green << 16 | blue << 8 | opacity
    uint16_t *grey;   ///< 16-bit brightness; NULL if the image has none
    ploy_env env;
} ploy_image;

/// Creates an image of zeros. @param grey  with 16-bit brightness. @return PLOY_ERR_ARGUMENT,
/// PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_image_create(int32_t columns, int32_t rows, bool grey,
                                       const ploy_env *env, ploy_image **out);
/// Frees it. NULL is allowed.
PLOY_API void ploy_image_destroy(ploy_image *image);

/// Numbers the colours in the order in which they occur from the lowest row, and writes the number
/// of each pixel's colour.
/// @param tiles     columns * rows numbers.
/// @param colours   space for `capacity` colours.
/// @return the number of colours; -1 if there are more than `capacity`.
PLOY_API int32_t ploy_image_tiles(const ploy_image *image, int32_t *tiles, uint32_t *colours,
                                  int32_t capacity);
/// Copies the square image of a tile into a larger image, rotated by `turn` quarter turns
/// counter-clockwise and, from 4 on, then mirrored in x: the forms of ploy/generate/wfc.h. Parts
/// that do not fit are clipped.
PLOY_API void ploy_image_put(ploy_image *image, const ploy_image *tile, int32_t turn,
                             int32_t column, int32_t row);
