/// @file ploy/generate/wfc.h
/// Wave function collapse: large maps from small samples. From a sample it makes a picture in which
/// every piece of n by n tiles occurs in the sample; from a set of tiles and the pairs that may be
/// side by side it makes a map in which every pair is allowed.
///
/// Each cell begins with all patterns. The cell with the least choice left is decided at random, by
/// the patterns' weights, and every pattern that has lost its support beside it is removed, until
/// nothing changes. A cell without patterns is a conflict: the last decision is undone and ruled
/// out. After `max_backtracks` conflicts the work starts again, with other random numbers,
/// `max_restarts` times.
///
/// Before the first step the result can be painted: ploy_wfc_allow limits a cell to some tiles, and
/// ploy_wfc_connect requires that one cell can be reached from another.
///
/// Cost: each pattern of each cell is removed once for each start, with one count for each pattern
/// that it supported. A unit of budget is one pattern removed or put back. Memory: about 14 bytes
/// for each cell and pattern. Nothing is allocated after begin. Technique: Gumin,
/// "WaveFunctionCollapse" (2016); counts of support as in AC-4 (Mohr and Henderson, "Arc and path
/// consistency revisited", 1986), made exactly reversible.
///
/// Threads: a model is immutable and shared; one caller for each run.
#pragma once

#include "ploy/generate/generator.h"

/// Maximum number of patterns of a model.
#define PLOY_WFC_PATTERNS_MAX 8192

/// Which cell is decided next.
typedef enum ploy_wfc_order {
    PLOY_WFC_ENTROPY,  ///< the one whose choice is least uncertain, by the weights
    PLOY_WFC_FEWEST,   ///< the one with the fewest patterns
    PLOY_WFC_SCANLINE, ///< row by row
    PLOY_WFC_ORDER_COUNT
} ploy_wfc_order;

/// Start from ploy_wfc_def_default().
typedef struct ploy_wfc_def {
    uint32_t cookie;
    int32_t columns, rows;  ///< size of the result, tiles
    bool periodic;          ///< the result repeats at its edges
    int32_t n;              ///< side of a pattern of a sample, tiles
    int32_t symmetry;       ///< turned and mirrored forms of a sample's patterns: 1 (none) to 8
    bool sample_periodic;   ///< the sample repeats at its edges
    bool ground;            ///< the sample's lowest row is the result's lowest row, and only there
    ploy_wfc_order order;   ///< which cell is decided next
    int32_t max_backtracks; ///< decisions undone before it starts again
    int32_t max_restarts;   ///< starts after the first
} ploy_wfc_def;

PLOY_API ploy_wfc_def ploy_wfc_def_default(void);
PLOY_API ploy_fields ploy_wfc_fields(void);

// ---- models

/// Patterns with weights, and which may be neighbours. Opaque, immutable.
typedef struct ploy_wfc_model ploy_wfc_model;

/// Reads the patterns of a sample, n by n tiles each; a pattern's weight is how often it occurs.
/// Tiles are any numbers, row by row from the lowest y.
/// @param def  n, symmetry, sample_periodic and `ground` are used.
/// @return PLOY_ERR_ARGUMENT (also for a sample smaller than a pattern), PLOY_ERR_CAPACITY
///         for more than
///         PLOY_WFC_PATTERNS_MAX patterns, PLOY_ERR_MEMORY. the log names it.
PLOY_API ploy_result ploy_wfc_model_from_sample(const ploy_wfc_def *def, const int32_t *tiles,
                                                int32_t columns, int32_t rows, const ploy_env *env,
                                                ploy_wfc_model **out);

/// How a tile changes when turned or mirrored, named by a letter of the same symmetry.
typedef enum ploy_wfc_symmetry {
    PLOY_WFC_X,        ///< unchanged: 1 form
    PLOY_WFC_I,        ///< 2 forms; mirroring does not change a form
    PLOY_WFC_DIAGONAL, ///< a backslash: 2 forms; mirroring gives the other form
    PLOY_WFC_L,        ///< 4 forms
    PLOY_WFC_T,        ///< 4 forms
    PLOY_WFC_F,        ///< 8 forms
    PLOY_WFC_SYMMETRY_COUNT
} ploy_wfc_symmetry;

typedef struct ploy_wfc_tile {
    ploy_wfc_symmetry symmetry;
    float weight; ///< above 0, up to 1e6; the same for each form
} ploy_wfc_tile;

/// Two tiles that may be side by side: `left` at -x, `right` at +x. A turn is the number of quarter
/// turns counter-clockwise, 0 to 3, or 4 to 7 for those and then mirrored in x. With a pair, all
/// its turned and mirrored forms are allowed.
typedef struct ploy_wfc_pair {
    int32_t left, left_turn;
    int32_t right, right_turn;
} ploy_wfc_pair;

/// A model of tiles. Its patterns are the forms of the tiles, in order.
/// @return as ploy_wfc_model_from_sample.
PLOY_API ploy_result ploy_wfc_model_from_tiles(const ploy_wfc_tile *tiles, int32_t tile_count,
                                               const ploy_wfc_pair *pairs, int32_t pair_count,
                                               const ploy_env *env, ploy_wfc_model **out);

/// Frees a model that is no longer used by any run. NULL is allowed.
PLOY_API void ploy_wfc_model_destroy(ploy_wfc_model *model);

typedef struct ploy_wfc_pattern {
    int32_t tile;  ///< of a sample: the number in its lower left corner; of tiles: the tile's index
    int32_t turn;  ///< of tiles: its form as in ploy_wfc_pair; 0 for a sample
    double weight; ///< share in a random choice, over the sum of all
} ploy_wfc_pattern;

PLOY_API int32_t ploy_wfc_model_count(const ploy_wfc_model *model);
/// @param index  0 to count - 1.
PLOY_API ploy_wfc_pattern ploy_wfc_model_at(const ploy_wfc_model *model, int32_t index);
/// The tile of a sample's pattern at column x, row y, 0 to n - 1; of tiles the index itself.
PLOY_API int32_t ploy_wfc_model_tile(const ploy_wfc_model *model, int32_t index, int32_t x,
                                     int32_t y);
/// True if pattern `next` may be beside `index`, in direction 0 (+x), 1 (+y), 2 (-y) or 3 (-x).
PLOY_API bool ploy_wfc_model_allows(const ploy_wfc_model *model, int32_t index, int32_t next,
                                    int32_t direction);
PLOY_API void ploy_wfc_model_describe(const ploy_wfc_model *model, ploy_describe *out);
PLOY_API void ploy_wfc_model_memory(const ploy_wfc_model *model, ploy_memory_fn fn, void *user);

// ---- runs

/// One run. Opaque.
typedef struct ploy_wfc ploy_wfc;

/// Starts a run. The tiles of its result are the sample's numbers, or the patterns of a model of
/// tiles.
/// @param model  must stay valid until cancel.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_wfc_begin(const ploy_wfc_def *def, ploy_rng_key key,
                                    const ploy_wfc_model *model, ploy_trace *trace,
                                    const ploy_env *env, ploy_wfc **out);

/// Limits a cell of the result to these tiles. Only before the first step.
/// @return PLOY_ERR_ARGUMENT for a cell outside or no tile, PLOY_ERR_STATE after the first step.
PLOY_API ploy_result ploy_wfc_allow(ploy_wfc *wfc, int32_t column, int32_t row,
                                    const int32_t *tiles, int32_t count);

/// Maximum number of calls of ploy_wfc_connect.
#define PLOY_WFC_LINKS_MAX 16

/// Requires a path between two cells, from tile to tile through their open sides. Only before the
/// first step.
/// @param open  for each of the `count` tiles from number 0 the sum of its open sides,
///              1 << direction;
///              tiles without a number here are closed. The first call of a run sets it, later ones may
///              give NULL.
/// @return PLOY_ERR_ARGUMENT, PLOY_ERR_STATE after the first step, PLOY_ERR_CAPACITY,
///         PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_wfc_connect(ploy_wfc *wfc, int32_t from_column, int32_t from_row,
                                      int32_t to_column, int32_t to_row, const uint8_t *open,
                                      int32_t count);

/// Continues until it ends (PLOY_OK) or the budget is empty (PLOY_IN_PROGRESS). Budget NULL: no
/// limit.
PLOY_API ploy_result ploy_wfc_step(ploy_wfc *wfc, ploy_budget *budget);

/// Partial with the limit "max_restarts", or "" if the conditions contradict each other: no result
/// exists, as `rejected` conflicts have proved.
PLOY_API ploy_generate_outcome ploy_wfc_outcome(const ploy_wfc *wfc);
/// The result, row by row from the lowest y; -1 where nothing is decided. While it runs, the tiles
/// so far. If partial, the start that came furthest.
PLOY_API const int32_t *ploy_wfc_tiles(const ploy_wfc *wfc);
/// The number of patterns that a cell still has; 0 outside.
PLOY_API int32_t ploy_wfc_left_at(const ploy_wfc *wfc, int32_t column, int32_t row);

/// The tiles that a cell can still become, one bit for each number from 0 to 63; 0 outside. Larger
/// numbers have no
/// bit. Cost: O(patterns).
PLOY_API uint64_t ploy_wfc_options_at(const ploy_wfc *wfc, int32_t column, int32_t row);

/// The last conflict: the cell that had no pattern left, and what its neighbours had.
typedef struct ploy_wfc_conflict {
    int32_t column, row; ///< -1 if there was none
    int32_t around[4];   ///< patterns left at the neighbour in that direction; -1 beyond the edge
    int32_t tiles[4];    ///< its tile if it was decided; otherwise -1
    bool cut_off;        ///< not the cell itself: no path to it was left
} ploy_wfc_conflict;

PLOY_API ploy_wfc_conflict ploy_wfc_conflict_of(const ploy_wfc *wfc);

PLOY_API void ploy_wfc_describe(const ploy_wfc *wfc, ploy_describe *out);
PLOY_API void ploy_wfc_draw(const ploy_wfc *wfc, ploy_draw *out);
PLOY_API void ploy_wfc_memory(const ploy_wfc *wfc, ploy_memory_fn fn, void *user);
PLOY_API void ploy_wfc_cancel(ploy_wfc *wfc);

/// "wfc": takes tiles as the sample, makes tiles.
PLOY_API const ploy_generator_type *ploy_wfc_generator(void);
