/// @file ploy/geom/heightfield.h
/// Height fields: terrain as a grid of heights.
///
/// A field is a borrowed view of samples, floats or 16-bit numbers, in any layout: inside a game's
/// own structs, in an image, row by row or column by column. Sample (column, row) is at origin +
/// (column, row) * spacing, and its height is offset + scale * value.
///
/// Between samples the terrain consists of flat triangles: each cell is split from its corner (0,
/// 0) to its corner (1, 1). Height, normal, slope and rays all use this surface and agree to the
/// rounding of a float. The smooth forms interpolate the four corners of the cell instead
/// (bilinear): they have no creases inside a cell, but are not the surface that a ray hits.
///
///     (0,1)-----(1,1)
///       |  2  /  |        fx >= fy: triangle 1, (0,0) (1,0) (1,1)
///       |   /  1 |        otherwise: triangle 2, (0,0) (1,1) (0,1)
///     (0,0)-----(1,0)
///
/// The field ends at its last samples, edges included. A sample that is NaN or infinite is a hole:
/// triangles that use it do not exist. A field with fewer than 2 by 2 samples, or with a spacing
/// not above 0, has no surface. Inner sums are double and relative to the ray, so fields may be far
/// from the origin.
///
/// Units: metres. Cost: height O(1); a ray examines the cells under it, O(columns + rows), and
/// skips those it is entirely above or below at the cost of four heights. Pure; any thread.
#pragma once

#include "ploy/geom/box.h"
#include "ploy/geom/segment.h"

typedef enum ploy_height_type {
    PLOY_HEIGHT_F32, ///< float
    PLOY_HEIGHT_U16  ///< uint16_t
} ploy_height_type;

typedef struct ploy_heightfield {
    const void *samples;   ///< borrowed: sample (0, 0)
    ploy_height_type type; ///< of a sample
    int32_t columns, rows; ///< samples along x and along y
    size_t column_stride;  ///< bytes from one column to the next
    size_t row_stride;     ///< bytes from one row to the next
    ploy_vec2 origin;      ///< m, position of sample (0, 0)
    float spacing;         ///< m between samples
    float offset, scale;   ///< m: height = offset + scale * value
} ploy_heightfield;

/// Makes a view of packed floats, row by row; offset 0, scale 1.
PLOY_API ploy_heightfield ploy_heightfield_make(const float *heights, int32_t columns, int32_t rows,
                                                ploy_vec2 origin, float spacing);

/// Makes a view of packed 16-bit numbers, row by row: 0 is `low` metres high, 65535 is `high`.
PLOY_API ploy_heightfield ploy_heightfield_make_u16(const uint16_t *heights, int32_t columns,
                                                    int32_t rows, ploy_vec2 origin, float spacing,
                                                    float low, float high);

/// The height of a sample; NAN out of range.
PLOY_API float ploy_heightfield_sample(const ploy_heightfield *field, int32_t column, int32_t row);

/// Finds the height of the terrain at a point.
/// @return false, leaving out alone, beyond the field and over a hole. The same applies to the
///         functions below.
PLOY_API bool ploy_heightfield_height(const ploy_heightfield *field, ploy_vec2 point, float *out);

/// Finds the unit normal of the terrain, pointing up.
PLOY_API bool ploy_heightfield_normal(const ploy_heightfield *field, ploy_vec2 point,
                                      ploy_vec3 *out);

/// Finds the slope: rise over run, the tangent of the angle to the horizontal; 0 is level, 1 is 45
/// degrees.
PLOY_API bool ploy_heightfield_slope(const ploy_heightfield *field, ploy_vec2 point, float *out);

/// Find the height and the normal of the smooth form.
PLOY_API bool ploy_heightfield_smooth_height(const ploy_heightfield *field, ploy_vec2 point,
                                             float *out);
PLOY_API bool ploy_heightfield_smooth_normal(const ploy_heightfield *field, ploy_vec2 point,
                                             ploy_vec3 *out);

/// Finds where a ray first hits the terrain, from above or below; exactly the nearest hit among all
/// triangles. The terrain is thin: no start is inside it.
/// @param out  set only if true is returned; may be NULL.
PLOY_API bool ploy_ray3_hit_heightfield(ploy_ray3 ray, const ploy_heightfield *field,
                                        ploy_hit3 *out);
