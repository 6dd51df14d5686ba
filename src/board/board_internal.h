// Shared by the games on square boards: faults of texts, symmetries and pictures. Row 0 is at the top.
#pragma once

#include "ploy/board/game.h"

// Reports a fault in a position's or move's text. @return PLOY_ERR_FORMAT.
ploy_result ployi_board_fault(ploy_diags *diags, const char *name, int32_t column,
                              const char *message, const char *expected);

// Where a square goes under one of the eight symmetries: bit 0 mirrors columns, bit 1 rows, bit 2 swaps both.
void ployi_board_map_square(int32_t size, int32_t number, int32_t *x, int32_t *y);

ploy_box2 ployi_board_grid_area(int32_t columns, int32_t rows);
ploy_vec2 ployi_board_grid_centre(int32_t rows, int32_t x, int32_t y);
void ployi_board_grid_draw(ploy_draw *out, int32_t columns, int32_t rows);
void ployi_board_draw_disc(ploy_draw *out, ploy_vec2 centre, float radius, int32_t player);
