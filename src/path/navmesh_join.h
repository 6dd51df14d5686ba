// Pieces of floor in squares beside one another, joined along the sides of the squares.
#pragma once

#include "path/navmesh_internal.h"
#include "ploy/base/array.h"

// Sides of a square, counter-clockwise from the one below; the floor of a piece has them in this
// order too. The opposite of side s is side s ^ 2.
enum { PLOYI_NAV_SIDES = 4 };

// A vertex or an edge of a piece on a side of its square.
typedef struct ployi_nav_rim {
    float along;   // m, where it is on the side: of an edge the lower end
    float end;     // m, the upper one
    int32_t index; // of the vertex or edge
    int32_t mate;  // which of the neighbour's on that side is the same; -1: none
} ployi_nav_rim;

// The floor in one square. What was cut depends on the square alone, the rest on it and the floors
// of the four neighbours: so a change of one square is a change of five pieces at most.
typedef struct ployi_nav_piece {
    ploy_box2 square;
    // As it was cut: vertices differ, polygons are good, T-junctions within are mended.
    ploy_array vertices;              // ploy_vec3
    ploy_array sizes, corners, twins; // int32_t
    int32_t skipped, t_junctions;
    // With the neighbours' vertices as corners where they lie in its sides.
    ploy_array all_vertices;                      // ploy_vec3
    ploy_array all_sizes, all_corners, all_twins; // int32_t
    ploy_array rims[2][PLOYI_NAV_SIDES];          // of vertices, of edges: ployi_nav_rim, ascending
    int32_t corner[PLOYI_NAV_SIDES];              // vertex where each side begins; -1
} ployi_nav_piece;

void ployi_nav_piece_init(ployi_nav_piece *piece, ploy_box2 square, const ploy_env *env);
void ployi_nav_piece_fini(ployi_nav_piece *piece);
// Takes its floor away.
void ployi_nav_piece_clear(ployi_nav_piece *piece);
// Makes its floor that of a soup. @return PLOY_ERR_LIMIT, PLOY_ERR_MEMORY; it has none then.
ploy_result ployi_nav_piece_set(ployi_nav_piece *piece, const ploy_navmesh_soup *soup,
                                const ploy_env *env, ploy_diags *diags);

// Puts the neighbours' vertices into the sides; a neighbour that is NULL has no floor.
ploy_result ployi_nav_piece_join(ployi_nav_piece *piece,
                                 ployi_nav_piece *const neighbours[PLOYI_NAV_SIDES],
                                 ploy_arena *scratch);
// Finds the mates along the sides; all pieces have been joined.
void ployi_nav_piece_mate(ployi_nav_piece *piece,
                          ployi_nav_piece *const neighbours[PLOYI_NAV_SIDES]);

// One mesh of rows of pieces, all joined and mated.
ploy_result ployi_nav_pieces_build(ployi_nav_piece *const *pieces, int32_t columns, int32_t rows,
                                   const ploy_navmesh_link *links, int32_t link_count,
                                   const ploy_env *env, ploy_diags *diags, ploy_navmesh **out);
