/// @file ploy/tactics/convolve.h
/// Filters over a grid of numbers: blurring, spreading, sharpening.
///
/// The new value of a cell is a weighted sum of the old values around it. A kernel of size s
/// reaches s cells in each direction. One that is the product of a row and a column is separable
/// and costs 2 (2 s + 1) multiplications a cell instead of (2 s + 1)^2. Four borders:
///
///     renormalise   cells outside are left out and the remaining weights scaled up
///     zero          cells outside have a fixed value, 0 by default
///     clamp         the nearest cell of the edge
///     wrap          the opposite edge
///
/// A filter can run many times. With sources it spreads influence: `set` writes the sources into
/// the map before each pass; `subtract` and `scale` add them and then remove the same total from
/// all cells together, so that the total stays constant and the map settles.
///
/// Unknown cells (NaN) stay unknown. For their neighbours they count as cells outside under
/// renormalise, and as the fixed value under the other borders.
///
/// Technique: Millington, "AI for Games", 6.2.6, with renormalised edge weights and a sharpening
/// kernel whose sum is 1. It works row by row with a window of padded copies, so that a layer can
/// be filtered in place.
///
/// Units: a budget unit is 64 cells. Cost: O(cells x taps), a vector kernel; nothing allocates
/// after create. Results are bit-identical for any slicing. Threads: one caller at a time for each
/// object.
#pragma once

#include "ploy/base/budget.h"
#include "ploy/base/diags.h"
#include "ploy/tactics/layer.h"

/// Largest size of a kernel and its cells along one side.
#define PLOY_CONVOLVE_SIZE 7
#define PLOY_CONVOLVE_SIDE 15

/// Weights. Plain data; make one with the functions below.
typedef struct ploy_convolve_kernel {
    int32_t size;                     ///< 0 to PLOY_CONVOLVE_SIZE
    bool separable;                   ///< `across` and `along` are used, otherwise `full`
    float across[PLOY_CONVOLVE_SIDE]; ///< by x
    float along[PLOY_CONVOLVE_SIDE];  ///< by y
    float full[PLOY_CONVOLVE_SIDE * PLOY_CONVOLVE_SIDE]; ///< rows of 2 size + 1, lowest y first
} ploy_convolve_kernel;

/// @param weights  side x side of them, row by row.
/// @param side     odd, 1 to PLOY_CONVOLVE_SIDE.
/// @param divide   every weight is divided by it.
/// @return PLOY_ERR_ARGUMENT, also for weights that are not finite.
PLOY_API ploy_result ploy_convolve_kernel_full(const float *weights, int32_t side, float divide,
                                               ploy_convolve_kernel *out);
PLOY_API ploy_result ploy_convolve_kernel_separable(const float *across, const float *along,
                                                    int32_t side, ploy_convolve_kernel *out);
/// Reads "1 2 1;2 4 2;1 2 1". Products of a row and a column are found and made separable.
/// @param diags  the fault with its column; may be NULL.
/// @return PLOY_ERR_FORMAT, leaving out alone.
PLOY_API ploy_result ploy_convolve_kernel_read(const char *text, float divide, ploy_diags *diags,
                                               ploy_convolve_kernel *out);
/// Binomial weights, which approximate a Gaussian: 1 2 1 for size 1, 1 4 6 4 1 for size 2. Sum 1.
/// @param size  clamped to 0 to PLOY_CONVOLVE_SIZE, here and below.
PLOY_API ploy_convolve_kernel ploy_convolve_kernel_gaussian(int32_t size);
/// Equal weights of sum 1.
PLOY_API ploy_convolve_kernel ploy_convolve_kernel_box(int32_t size);
/// Sharpens: corners -b / a, sides -c / a, and a centre that makes the sum 1.
/// @param printed  the centre of the book's formula instead, 4 b + 4 c + 1, whose sum is not 1.
/// @return PLOY_ERR_ARGUMENT unless a, b and c are above 0.
PLOY_API ploy_result ploy_convolve_kernel_sharpen(float a, float b, float c, bool printed,
                                                  ploy_convolve_kernel *out);

typedef enum ploy_convolve_border {
    PLOY_CONVOLVE_RENORMALISE,
    PLOY_CONVOLVE_ZERO,
    PLOY_CONVOLVE_CLAMP,
    PLOY_CONVOLVE_WRAP,
    PLOY_CONVOLVE_BORDERS
} ploy_convolve_border;

/// "renormalise", "zero", "clamp", "wrap".
PLOY_API const char *ploy_convolve_border_text(ploy_convolve_border border);

/// What happens to the sources around each pass.
typedef enum ploy_convolve_sources {
    PLOY_CONVOLVE_NO_SOURCES,
    PLOY_CONVOLVE_SET,      ///< before a pass cells take their source's value, where that is not 0
    PLOY_CONVOLVE_SUBTRACT, ///< sources are added; then each cell loses an equal part of the excess
    PLOY_CONVOLVE_SCALE     ///< likewise, but each cell loses in proportion
} ploy_convolve_sources;

/// Options of a filter. Start from ploy_convolve_options_default(): one pass, renormalised edges.
typedef struct ploy_convolve_options {
    ploy_convolve_border border;
    float outside; ///< value outside for the border `zero`
    int32_t times; ///< passes, at least 1
    float settle;  ///< stop when no cell changed by more than this in a pass; below 0: never. Not
                   ///< used with sources, which change cells in each pass
    ploy_convolve_sources mode;
    const ploy_tactics_layer *sources; ///< numbers over the same places; NULL without a mode
} ploy_convolve_options;

PLOY_API ploy_convolve_options ploy_convolve_options_default(void);

/// The work of one filter at a time. Opaque.
typedef struct ploy_convolve ploy_convolve;

/// @param places  a grid. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_convolve_create(const ploy_places *places, const ploy_env *env,
                                          ploy_convolve **out);
/// NULL is allowed.
PLOY_API void ploy_convolve_destroy(ploy_convolve *convolve);

/// Begins to filter `from` into `to`, which may be the same layer. Both, and the sources, must stay
/// valid until the end. Work under way is cancelled.
/// @return PLOY_ERR_ARGUMENT if layers are not numbers over a grid of this size.
PLOY_API ploy_result ploy_convolve_begin(ploy_convolve *convolve,
                                         const ploy_convolve_kernel *kernel,
                                         const ploy_convolve_options *options,
                                         const ploy_tactics_layer *from, ploy_tactics_layer *to);
/// @param budget  NULL: no limit.
/// @return PLOY_IN_PROGRESS, PLOY_OK at the end; PLOY_ERR_STATE if nothing was begun.
PLOY_API ploy_result ploy_convolve_step(ploy_convolve *convolve, ploy_budget *budget);
/// Stops; `to` holds a mixture of old and new values.
PLOY_API void ploy_convolve_cancel(ploy_convolve *convolve);
/// Begins and runs to the end.
PLOY_API ploy_result ploy_convolve_run(ploy_convolve *convolve, const ploy_convolve_kernel *kernel,
                                       const ploy_convolve_options *options,
                                       const ploy_tactics_layer *from, ploy_tactics_layer *to);

/// Passes completed since begin.
PLOY_API int32_t ploy_convolve_passes(const ploy_convolve *convolve);
/// Largest change of a cell in the last pass; 0 unless settle is used.
PLOY_API float ploy_convolve_change(const ploy_convolve *convolve);
/// Visits a ploy_convolve (ploy/base/visit.h), also in the middle of a pass. Kernel, options and
/// layers are the caller's: begin with the same ones before a load.
PLOY_API void ploy_convolve_visit(ploy_visit *v, void *convolve);
PLOY_API void ploy_convolve_memory(const ploy_convolve *convolve, ploy_memory_fn fn, void *user);
