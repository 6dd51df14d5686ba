/// @file ploy/tactics/places.h
/// Places: the cells of a level that a tactical analysis gives values to.
///
/// A view over the cells of a level: a plain grid, tiles, the nodes of a graph, the polygons of a
/// navigation mesh. Each place has a number from 0, a position and neighbours; each point has a
/// nearest place. Analyses that work cell by cell run on every view; those that need rows of cells
/// (filters, influence stamps, shadow casting) need a grid and refuse others.
///
/// Technique: Millington, "AI for Games", 6.2: an analysis works on cells of any shape; a grid is
/// the usual choice.
///
/// Units: metres. Cost: O(1) on grids; nearest is O(places) on graphs and meshes. No allocation.
/// Threads: a view is read only.
#pragma once

#include "ploy/geom/vec.h"
#include "ploy/path/graph.h"
#include "ploy/path/navmesh.h"
#include "ploy/path/tiles.h"

/// No place.
#define PLOY_PLACE_NONE (-1)
/// Maximum number of places of a view.
#define PLOY_PLACES_MAX PLOY_TILES_CELLS_MAX

typedef struct ploy_places ploy_places;

/// The view. Plain data, copied by its users; the `user` pointer must stay valid.
struct ploy_places {
    int32_t count;
    int32_t width, height; ///< cells of a square grid, numbered row by row; 0: not a grid
    bool wrap_x, wrap_y;   ///< of a grid
    ploy_vec2 origin;      ///< m, least corner of a grid
    float size; ///< m, side of a grid's cell; otherwise about that of a place, to draw it
    ploy_vec3 (*position)(const ploy_places *places, int32_t place);
    /// Writes the first `capacity` neighbours, in a fixed order. @return how many there are.
    int32_t (*neighbours)(const ploy_places *places, int32_t place, int32_t *out, int32_t capacity);
    /// PLOY_PLACE_NONE if the point is outside.
    int32_t (*nearest)(const ploy_places *places, ploy_vec3 point);
    /// False for walls and unused numbers.
    bool (*open)(const ploy_places *places, int32_t place);
    const void *user;
};

/// A grid of open cells without an underlying map; (x, y) is place y * width + x. Neighbours are
/// the eight around a cell, counter-clockwise from +x. Sides are at least 1 and the size above 0;
/// otherwise the view is empty.
PLOY_API ploy_places ploy_places_grid(int32_t width, int32_t height, ploy_vec2 origin, float size);
/// Tiles: a grid if they are squares. Neighbours are as in the map's directions; blocked cells are
/// places that are not open.
PLOY_API ploy_places ploy_places_tiles(const ploy_tiles *tiles);
/// The nodes of a graph; neighbours follow the edges out of them that are not closed.
PLOY_API ploy_places ploy_places_graph(const ploy_graph *graph);
/// The polygons of a mesh; neighbours share an edge.
PLOY_API ploy_places ploy_places_navmesh(const ploy_navmesh *mesh);

/// False for an empty view and for one that lacks a function.
PLOY_API bool ploy_places_is_complete(const ploy_places *places);
/// The place of a grid's cell, with wrapping; PLOY_PLACE_NONE beyond the edge.
PLOY_API int32_t ploy_places_cell(const ploy_places *places, int32_t x, int32_t y);
