/// @file ploy/generate/halton.h
/// Halton sequences: points that spread evenly, without a seed and without a visible grid.
///
/// Coordinate k of point i is i written in base k with its digits mirrored behind the point. Any
/// number of points covers the square evenly, and every point can be computed separately. Small
/// bases that share no factor are best; large ones begin with straight lines, which fill up only
/// with many points. Remedies: start after the first `base` values, take every k-th value, or shift
/// each coordinate by an offset, wrapped at 1. One large area covered by one sequence looks better
/// than tiles. Technique: Halton 1960; Millington, "AI for Games", 8.1.2.
///
/// Values are the fraction rounded once to double, for indices below 2^53 / base. Cost: O(digits)
/// per value, no memory. The plain functions are pure; any thread.
#pragma once

#include "ploy/generate/generator.h"

/// Maximum number of dimensions of one sequence.
#define PLOY_HALTON_DIMENSIONS 8
/// Largest base.
#define PLOY_HALTON_BASE_MAX 1024

/// The radical inverse: index in that base, digits mirrored, in [0, 1). 0 for index 0 and for a
/// base below 2.
PLOY_API double ploy_radical_inverse(uint32_t base, uint64_t index);

/// A sequence in several dimensions. Plain data; set up with ploy_halton_init.
typedef struct ploy_halton {
    int32_t dimensions;
    uint32_t bases[PLOY_HALTON_DIMENSIONS];
    double offsets[PLOY_HALTON_DIMENSIONS]; ///< [0, 1), added and wrapped
    uint64_t start;                         ///< index of point 0
    uint64_t stride;                        ///< indices from one point to the next
    uint64_t next;                          ///< number of the next point
} ploy_halton;

/// @param bases    2 to PLOY_HALTON_BASE_MAX, no two with a common factor.
/// @param start    index of the first point; 1 is usual, index 0 is the corner of the square.
/// @param stride   at least 1, no common factor with any base.
/// @param offsets  one per dimension, [0, 1); NULL: none.
/// @return PLOY_ERR_ARGUMENT otherwise.
PLOY_API ploy_result ploy_halton_init(ploy_halton *halton, int32_t dimensions,
                                      const uint32_t *bases, uint64_t start, uint64_t stride,
                                      const double *offsets);
/// Point number i, from 0. @param out  room for `dimensions` values.
PLOY_API void ploy_halton_at(const ploy_halton *halton, uint64_t i, double *out);
/// The next point.
PLOY_API void ploy_halton_next(ploy_halton *halton, double *out);
/// The numbers below `count` whose points are in a box of the unit square, edges included, in
/// ascending order. Visits only the parts of the sequence that overlap the box; the cost is about
/// the number found plus the length of the box's edge in cells.
/// @param halton    its first two dimensions are used.
/// @param out       room for capacity of them; may be NULL with capacity 0.
/// @return how many there are; if more than capacity, those in `out` are not the lowest.
PLOY_API int64_t ploy_halton_find(const ploy_halton *halton, ploy_box2 box, uint64_t count,
                                  uint64_t *out, int64_t capacity);

// ---- the generator

typedef struct ploy_halton_points ploy_halton_points;

/// Settings. Start from ploy_halton_points_def_default().
typedef struct ploy_halton_points_def {
    uint32_t cookie;
    int32_t count;          ///< points
    int32_t base_x, base_y; ///< without a common factor
    int32_t start;          ///< index of the first point
    int32_t stride;         ///< indices from one point to the next; no common factor with a base
    bool random_offset;     ///< shift both coordinates by a random amount
    int32_t tiles;          ///< copies along each axis, each with count / tiles^2 points
    float width, height;    ///< m, of the area from (0, 0)
    float radius;           ///< m, of each point
} ploy_halton_points_def;

PLOY_API ploy_halton_points_def ploy_halton_points_def_default(void);
PLOY_API ploy_fields ploy_halton_points_fields(void);

/// Starts. One unit of budget is one point. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_halton_points_begin(const ploy_halton_points_def *def, ploy_rng_key key,
                                              ploy_trace *trace, const ploy_env *env,
                                              ploy_halton_points **out);
PLOY_API ploy_result ploy_halton_points_step(ploy_halton_points *points, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_halton_points_outcome(const ploy_halton_points *points);
/// The points so far.
PLOY_API const ploy_placed *ploy_halton_points_items(const ploy_halton_points *points,
                                                     int32_t *count);
PLOY_API void ploy_halton_points_cancel(ploy_halton_points *points);
PLOY_API void ploy_halton_points_describe(const ploy_halton_points *points, ploy_describe *out);
PLOY_API void ploy_halton_points_draw(const ploy_halton_points *points, ploy_draw *out);
PLOY_API void ploy_halton_points_memory(const ploy_halton_points *points, ploy_memory_fn fn,
                                        void *user);

/// "halton": makes points.
PLOY_API const ploy_generator_type *ploy_halton_points_generator(void);
