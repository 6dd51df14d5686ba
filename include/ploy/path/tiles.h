/// @file ploy/path/tiles.h
/// Tiles: a rectangular map of squares or hexagons that can be searched and edited.
///
/// Each cell has a kind (a byte: wall, floor, swamp, road), and each kind has a cost of entry; a
/// kind that costs INFINITY is blocked. Edges between cells are not stored: they are generated
/// during a search (ploy_tiles_space). Each agent has its own view of the map: a cost table for the
/// quiet or the safe path, a body larger than a cell, sloped terrain.
///
///     squares: directions 0 to 7                hexagons: directions 0 to 5, odd rows
///        3  2  1        y                       half a cell to the right
///        4  .  0        ^                            2 1
///        5  6  7        +-> x                       3 . 0
///                                                    4 5
///
/// A step costs the entered cell's cost, times sqrt(2) diagonally. Whether a diagonal step may
/// brush a corner is a setting: by default both cells beside it must be free, because a body with
/// any width needs that. Techniques: Millington, "AI for Games", tile graphs; the clearance of
/// Harabor and Botea, "Hierarchical Path Planning for Multi-Size Agents" (2008).
///
/// The map stores which cells are connected, so that a request without a path costs no search. An
/// edit updates this if the neighbourhood is enough to decide it, and otherwise marks it out of
/// date (ploy_tiles_refresh).
///
/// Units: metres for places, cells for costs. Memory: 6 bytes a cell, all allocated at create.
/// Threads: a const map may be read by many.
#pragma once

#include "ploy/base/describe.h"
#include "ploy/base/fields.h"
#include "ploy/base/visit.h"
#include "ploy/geom/draw.h"
#include "ploy/geom/heightfield.h"
#include "ploy/search/space.h"

typedef enum ploy_tile_neighbours {
    PLOY_TILE_FOUR, ///< squares, straight steps only
    PLOY_TILE_EIGHT,
    PLOY_TILE_HEX
} ploy_tile_neighbours;

/// When a diagonal step is possible.
typedef enum ploy_tile_corners {
    PLOY_TILE_CORNERS_CLEAR, ///< both cells beside it are free: no corner is cut
    PLOY_TILE_CORNERS_ONE,   ///< at least one is
    PLOY_TILE_CORNERS_CUT    ///< always, even between two walls
} ploy_tile_corners;

/// Kinds that every map begins with: 0 is blocked and stays so, 1 costs 1. All others also begin
/// with a cost of 1.
#define PLOY_TILE_BLOCKED 0
#define PLOY_TILE_OPEN 1
#define PLOY_TILE_KINDS 256

/// Most cells of a map: 8192 x 8192.
#define PLOY_TILES_CELLS_MAX (1 << 26)
/// Largest clearance that is counted.
#define PLOY_TILES_CLEARANCE_MAX 255

typedef struct ploy_tiles_def {
    uint32_t cookie;
    int32_t width, height; ///< cells
    ploy_tile_neighbours neighbours;
    ploy_tile_corners corners;
    bool wrap_x, wrap_y; ///< leaving on one side enters on the other
    ploy_vec2 origin;    ///< m, the map's least corner
    float size;          ///< m, side of a square; for hexagons the distance between two neighbours
} ploy_tiles_def;

PLOY_API ploy_tiles_def ploy_tiles_def_default(void);
PLOY_API ploy_fields ploy_tiles_fields(void);

/// Opaque.
typedef struct ploy_tiles ploy_tiles;

/// Creates a map of open cells.
/// @return PLOY_ERR_ARGUMENT, also for more than PLOY_TILES_CELLS_MAX cells, a wrapped side of
///         fewer than 3 cells, or hexagons wrapped over an odd number of rows; PLOY_ERR_MEMORY.
PLOY_API ploy_result ploy_tiles_create(const ploy_tiles_def *def, const ploy_env *env,
                                       ploy_tiles **out);
/// NULL is allowed.
PLOY_API void ploy_tiles_destroy(ploy_tiles *tiles);

/// Cells are numbered row by row: cell = y * width + x.
PLOY_API int32_t ploy_tiles_width(const ploy_tiles *tiles);
PLOY_API int32_t ploy_tiles_height(const ploy_tiles *tiles);
PLOY_API ploy_tiles_def ploy_tiles_def_of(const ploy_tiles *tiles);
/// Returns the cell at a column and row; PLOY_STATE_NONE beyond an edge that does not wrap.
PLOY_API int32_t ploy_tiles_cell(const ploy_tiles *tiles, int32_t x, int32_t y);
/// Returns the cell of a point (rounded down, so left of the origin is outside), or
/// PLOY_STATE_NONE.
PLOY_API int32_t ploy_tiles_quantise(const ploy_tiles *tiles, ploy_vec2 point);
/// The centre of a cell, which must exist.
PLOY_API ploy_vec2 ploy_tiles_localise(const ploy_tiles *tiles, int32_t cell);
/// The cell one step away in a direction, free or not, or PLOY_STATE_NONE.
PLOY_API int32_t ploy_tiles_neighbour(const ploy_tiles *tiles, int32_t cell, int32_t direction);

/// The kind of a cell; PLOY_TILE_BLOCKED for an invalid cell.
PLOY_API uint8_t ploy_tiles_get(const ploy_tiles *tiles, int32_t cell);
/// Changes a cell and updates its neighbourhood. @return PLOY_ERR_ARGUMENT.
PLOY_API ploy_result ploy_tiles_set(ploy_tiles *tiles, int32_t cell, uint8_t kind);
/// Changes all cells at once, row by row.
PLOY_API void ploy_tiles_set_all(ploy_tiles *tiles, const uint8_t *kinds);
/// The kinds of all cells, row by row. Valid while the map exists; edits show in it.
PLOY_API const uint8_t *ploy_tiles_kinds(const ploy_tiles *tiles);
/// Returns the cost of entering a cell of a kind.
PLOY_API float ploy_tiles_cost(const ploy_tiles *tiles, uint8_t kind);
/// @param cost  above 0; INFINITY blocks.
/// @return PLOY_ERR_ARGUMENT for kind PLOY_TILE_BLOCKED or an invalid cost.
PLOY_API ploy_result ploy_tiles_set_cost(ploy_tiles *tiles, uint8_t kind, float cost);
PLOY_API bool ploy_tiles_passable(const ploy_tiles *tiles, int32_t cell);
/// Identifies the contents: equal for maps that were made and edited in the same way, different
/// after every change. It does not depend on addresses or the process, so it can be stored and
/// compared.
PLOY_API uint64_t ploy_tiles_generation(const ploy_tiles *tiles);

/// Updates the stored connectivity if edits left it out of date. O(cells).
PLOY_API void ploy_tiles_refresh(ploy_tiles *tiles);
/// Returns true if a path may exist for a body of one cell. False is certain; true is certain if
/// the connectivity is up to date.
PLOY_API bool ploy_tiles_connected(const ploy_tiles *tiles, int32_t a, int32_t b);

/// A walker: the map as seen by an agent. Plain data; start from ploy_tiles_walker_make().
typedef struct ploy_tiles_walker {
    const ploy_tiles *tiles;
    const float *costs; ///< of each of PLOY_TILE_KINDS kinds, or NULL: the map's own
    int32_t size;       ///< cells along its side; it occupies the square with the cell as least
                        ///< corner. 1 on hexagons and wrapped maps
    const ploy_heightfield *heights; ///< sample (x, y) is the centre of that cell; or NULL: level
    float uphill;                    ///< share added for a slope of 1 up, such as 2
    float downhill;                  ///< the same for a slope down
    float max_slope; ///< rise over run above which a slope cannot be climbed or descended
    float least;     ///< least cost of any cell, for estimates; set by make(), see there
} ploy_tiles_walker;

/// A walker of one cell on level terrain.
/// @param costs  must stay valid; INFINITY blocks, others above 0. NULL: the map's own. Make the
///               walker again after changing costs, because estimates use the least one.
PLOY_API ploy_tiles_walker ploy_tiles_walker_make(const ploy_tiles *tiles, const float *costs);

/// Returns the cost of one step, INFINITY if it is impossible. On a slope: the length over the
/// terrain times 1 + uphill x slope (or downhill), in cells.
PLOY_API double ploy_tiles_walker_step(const ploy_tiles_walker *walker, int32_t from,
                                       int32_t direction);

/// Returns the space to search: cells are states, directions are labels, estimates are exact on an
/// empty map. The walker must stay valid at its address.
PLOY_API ploy_space ploy_tiles_space(const ploy_tiles_walker *walker);
/// Returns the walker of a space made by ploy_tiles_space, NULL for any other space: for code that
/// reads a map faster than cell by cell.
PLOY_API const ploy_tiles_walker *ploy_tiles_space_walker(const ploy_space *space);
/// Writes the possible steps out of each cell, a bit for each direction, for a body of one cell
/// with the map's own costs on level terrain. O(cells).
/// @param out  a byte for each cell, row by row.
PLOY_API void ploy_tiles_steps(const ploy_tiles *tiles, uint8_t *out);

/// Draws blocked cells as walls, expensive ones shaded.
PLOY_API void ploy_tiles_draw(const ploy_tiles *tiles, ploy_draw *out);
/// Draws one cell, or several in a row, filled. Hexagons are drawn one by one.
PLOY_API void ploy_tiles_draw_cells(const ploy_tiles *tiles, int32_t first, int32_t count,
                                    ploy_layer layer, ploy_style style, float alpha,
                                    ploy_draw *out);
/// The map's state: kinds, costs and versions. A file fits a map with the same def.
PLOY_API void ploy_tiles_visit(ploy_visit *v, void *object);
PLOY_API void ploy_tiles_describe(const ploy_tiles *tiles, ploy_describe *out);
PLOY_API void ploy_tiles_memory(const ploy_tiles *tiles, ploy_memory_fn fn, void *user);
