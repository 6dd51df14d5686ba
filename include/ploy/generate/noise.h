/// @file ploy/generate/noise.h
/// Noise: random numbers spread over space, smooth or not, with the same bits on every machine.
///
///     white     one number per cell
///     value     numbers at lattice points, blended
///     perlin    slopes at lattice points, blended; 0 at the points themselves
///     simplex   slopes at the corners of triangles or tetrahedra; fewer directions show
///     cellular  distance to the nearest feature point, one of which is in each cell
///
/// Each has two and three dimensions, a period along any axis, sums of octaves (fBm, ridged,
/// billow) and domain warp. White, value, Perlin and simplex noise and their sums are in [-1, 1]. A
/// sample depends only on the settings, the key and its position: one sample and a grid give equal
/// bits, however the grid is split.
///
/// Technique: Perlin, "Improving noise", 2002; Gustavson and McEwan, "Tiling simplex noise and flow
/// noise in two and three dimensions", 2022; Worley 1996; Musgrave's sums. Lattice points are
/// hashed with two products instead of looked up in a table, so that kernels vectorise and no seed
/// repeats after 256 cells.
///
/// Units: positions in metres; cells are 1 / frequency wide. Values have no unit. Cost of a sample
/// in a grid: a few nanoseconds per octave. Nothing allocates. Pure; any thread.
#pragma once

#include "ploy/base/fields.h"
#include "ploy/base/rng.h"
#include "ploy/geom/vec.h"

typedef enum ploy_noise_kind {
    PLOY_NOISE_WHITE,
    PLOY_NOISE_VALUE,
    PLOY_NOISE_PERLIN,
    PLOY_NOISE_SIMPLEX,
    PLOY_NOISE_CELLULAR
} ploy_noise_kind;

/// The value of a cellular sample. Distances are in cells.
typedef enum ploy_noise_cellular {
    PLOY_NOISE_CELLULAR_FIRST,      ///< to the nearest point
    PLOY_NOISE_CELLULAR_SECOND,     ///< to the second
    PLOY_NOISE_CELLULAR_DIFFERENCE, ///< second less first: 0 on the borders between cells
    PLOY_NOISE_CELLULAR_VALUE       ///< a number of the nearest point, [-1, 1)
} ploy_noise_cellular;

typedef enum ploy_noise_fractal {
    PLOY_NOISE_SINGLE, ///< one octave
    PLOY_NOISE_FBM,    ///< sum of octaves
    PLOY_NOISE_RIDGED, ///< of 1 - 2 |n|: sharp crests
    PLOY_NOISE_BILLOW  ///< of 2 |n| - 1: round hills
} ploy_noise_fractal;

/// Settings. Start from ploy_noise_def_default().
typedef struct ploy_noise_def {
    uint32_t cookie;
    int32_t kind;         ///< ploy_noise_kind
    float frequency;      ///< cells per metre
    int32_t fractal;      ///< ploy_noise_fractal
    int32_t octaves;      ///< of a fractal
    float lacunarity;     ///< frequency of an octave over that of the one before
    float gain;           ///< weight of an octave over that of the one before
    int32_t period_x;     ///< cells; 0: endless
    int32_t period_y;     ///< cells; even for simplex noise in the plane
    int32_t period_z;     ///< cells
    int32_t cellular;     ///< ploy_noise_cellular
    float jitter;         ///< how far feature points leave the centre of their cells, 0 to 1
    float warp;           ///< cells, largest shift of a position by warp noise; 0: none
    float warp_frequency; ///< of the warp noise over the frequency
} ploy_noise_def;

PLOY_API ploy_noise_def ploy_noise_def_default(void);
PLOY_API ploy_fields ploy_noise_fields(void);

/// Maximum number of octaves.
#define PLOY_NOISE_OCTAVES 16

/// Noise that is ready to be sampled. Plain data; set up with ploy_noise_init; all members are
/// private.
typedef struct ploy_noise {
    ploy_noise_def def;
    uint32_t seeds[PLOY_NOISE_OCTAVES];
    uint32_t warp_seeds[3];
    int32_t octaves;
    bool plain;                        ///< no period, no warp
    float weights[PLOY_NOISE_OCTAVES]; ///< their sum is 1
} ploy_noise;

/// Prepares noise. With a period, lacunarity and the warp's frequency must be whole numbers, and a
/// simplex period along y must be even in the plane.
/// @return PLOY_ERR_ARGUMENT; the log names the setting.
PLOY_API ploy_result ploy_noise_init(ploy_noise *noise, const ploy_noise_def *def, ploy_rng_key key,
                                     const ploy_env *env);

/// One sample. Positions beyond 1e9 cells count as 1e9; NaN likewise.
PLOY_API float ploy_noise_at2(const ploy_noise *noise, ploy_vec2 position);
PLOY_API float ploy_noise_at3(const ploy_noise *noise, ploy_vec3 position);

/// A grid of samples, or a part of one: sample (column, row, layer), counted in the whole grid, is
/// at origin + (column, row, layer) * step, rounded to float. Select parts with `first`, not by
/// moving the origin; then they match bit for bit.
typedef struct ploy_noise_grid {
    ploy_vec3 origin;                             ///< m, of sample (0, 0, 0)
    ploy_vec3 step;                               ///< m from sample to sample along each axis
    int32_t first_column, first_row, first_layer; ///< of the part
    int32_t columns, rows, layers;                ///< of the part; layers only in 3D
} ploy_noise_grid;

/// A whole grid in the plane, from an origin, with equal steps.
PLOY_API ploy_noise_grid ploy_noise_grid_make(ploy_vec2 origin, float step, int32_t columns,
                                              int32_t rows);

/// Fills out[row * row_stride + column] with the samples of a part. In three dimensions layers
/// follow each other, rows * row_stride values each.
/// @param row_stride  values from one row to the next, at least columns.
PLOY_API ploy_result ploy_noise_fill2(const ploy_noise *noise, const ploy_noise_grid *grid,
                                      float *out, int32_t row_stride);
PLOY_API ploy_result ploy_noise_fill3(const ploy_noise *noise, const ploy_noise_grid *grid,
                                      float *out, int32_t row_stride);

// ---- reference forms

/// Perlin's improved noise of 2002 in double, with his permutation: period 256, 0 at lattice
/// points.
/// For programs that have to match other implementations to the last bit.
PLOY_API double ploy_perlin_2002(double x, double y, double z);

typedef enum ploy_fade {
    PLOY_FADE_LINEAR, ///< creases at cell borders
    PLOY_FADE_CUBIC,  ///< 3 t^2 - 2 t^3
    PLOY_FADE_QUINTIC ///< 6 t^5 - 15 t^4 + 10 t^3
} ploy_fade;

/// Gradients for one octave on a lattice of size by size cells: (size + 1)^2 of them, row by row.
/// Components are uniform in [-1, 1), or the gradients have unit length.
/// Technique: Millington, "AI for Games", 8.3.3.
PLOY_API void ploy_perlin_gradients(ploy_rng_key key, int32_t size, bool unit, ploy_vec2 *out);
/// One octave at (u, v), in cells, [0, size]. With size equal to a map's side, every sample of the
/// map is a lattice point and 0.
PLOY_API float ploy_perlin_octave(const ploy_vec2 *gradients, int32_t size, ploy_fade fade, float u,
                                  float v);
