/// @file ploy/generate/phyllotaxis.h
/// Phyllotaxis: leaves around a stem and seeds in a head, placed by the golden angle.
///
/// Each leaf is turned from the one before by a full turn divided by an irrational number. With the
/// golden ratio the next leaf always falls into a wide gap, so the whorl looks right at any count.
/// Seeds that also move outward by the square root of their number fill a disc evenly (Vogel 1979).
/// Technique: Millington, "AI for Games", 8.1.3.
///
/// Units: metres, radians. One unit of budget is one leaf. Memory: the leaves, allocated by begin.
#pragma once

#include "ploy/generate/generator.h"

typedef struct ploy_phyllotaxis ploy_phyllotaxis;

typedef enum ploy_phyllotaxis_form {
    PLOY_PHYLLOTAXIS_WHORL, ///< all leaves at the same distance from the stem
    PLOY_PHYLLOTAXIS_SPIRAL ///< seed i at spacing * sqrt(i)
} ploy_phyllotaxis_form;

/// Settings. Start from ploy_phyllotaxis_def_default().
typedef struct ploy_phyllotaxis_def {
    uint32_t cookie;
    int32_t count;     ///< leaves
    int32_t metal;     ///< metallic mean: 1 golden, 2 silver, 3 bronze, ...
    float jitter;      ///< rad, largest random turn of a leaf to either side
    int32_t form;      ///< ploy_phyllotaxis_form
    float spacing;     ///< m: radius of the whorl, or factor of the spiral
    float radius;      ///< m, of a leaf
    float orientation; ///< rad, of the first leaf
} ploy_phyllotaxis_def;

PLOY_API ploy_phyllotaxis_def ploy_phyllotaxis_def_default(void);
PLOY_API ploy_fields ploy_phyllotaxis_fields(void);

/// The n-th metallic mean, (n + sqrt(n^2 + 4)) / 2; 1.618... for 1.
PLOY_API double ploy_metallic_mean(int32_t n);
/// The turn from one leaf to the next, rad in (0, 2 pi): 2 pi / ratio. @param ratio  above 1.
PLOY_API double ploy_phyllotaxis_turn(double ratio);

/// Starts. @param trace  may be NULL. @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_phyllotaxis_begin(const ploy_phyllotaxis_def *def, ploy_rng_key key,
                                            ploy_trace *trace, const ploy_env *env,
                                            ploy_phyllotaxis **out);
PLOY_API ploy_result ploy_phyllotaxis_step(ploy_phyllotaxis *whorl, ploy_budget *budget);
PLOY_API ploy_generate_outcome ploy_phyllotaxis_outcome(const ploy_phyllotaxis *whorl);
/// The leaves so far. The angle of each is its direction from the stem.
PLOY_API const ploy_placed *ploy_phyllotaxis_leaves(const ploy_phyllotaxis *whorl, int32_t *count);
PLOY_API void ploy_phyllotaxis_cancel(ploy_phyllotaxis *whorl);

PLOY_API void ploy_phyllotaxis_describe(const ploy_phyllotaxis *whorl, ploy_describe *out);
PLOY_API void ploy_phyllotaxis_draw(const ploy_phyllotaxis *whorl, ploy_draw *out);
PLOY_API void ploy_phyllotaxis_memory(const ploy_phyllotaxis *whorl, ploy_memory_fn fn, void *user);

/// "phyllotaxis": makes points.
PLOY_API const ploy_generator_type *ploy_phyllotaxis_generator(void);
