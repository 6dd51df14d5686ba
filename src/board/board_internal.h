// What a type leaves out; and what the games on square boards share: faults of texts, symmetries and
// pictures. Row 0 is at the top.
#pragma once

#include "ploy/board/game.h"

// Settings and texts of any game, also of one that leaves them to the library.
ploy_fields ployi_board_fields(const ploy_board_type *type);
void ployi_board_move_text(ploy_board board, const void *position, ploy_board_move move,
                           char out[PLOY_BOARD_MOVE_TEXT]);
ploy_result ployi_board_move_parse(ploy_board board, const void *position, const char *text,
                                   const char *name, ploy_board_move *out, ploy_diags *diags);
void ployi_board_text(ploy_board board, const void *position, char out[PLOY_BOARD_TEXT]);

// Reports a fault in a position's or move's text. @return PLOY_ERR_FORMAT.
ploy_result ployi_board_fault(ploy_diags *diags, const char *name, int32_t column,
                              const char *message, const char *expected);

// Where a square goes under one of the eight symmetries: bit 0 mirrors columns, bit 1 rows, bit 2 swaps both.
void ployi_board_map_square(int32_t size, int32_t number, int32_t *x, int32_t *y);

ploy_box2 ployi_board_grid_area(int32_t columns, int32_t rows);
ploy_vec2 ployi_board_grid_centre(int32_t rows, int32_t x, int32_t y);
void ployi_board_grid_draw(ploy_draw *out, int32_t columns, int32_t rows);
void ployi_board_draw_disc(ploy_draw *out, ploy_vec2 centre, float radius, int32_t player);
