// What games on square boards share.
#include "board_internal.h"

ploy_result ployi_board_fault(ploy_diags *diags, const char *name, int32_t column,
                              const char *message, const char *expected) {
    ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, name, 1, column, message, expected,
                   NULL);
    return PLOY_ERR_FORMAT;
}

void ployi_board_map_square(int32_t size, int32_t number, int32_t *x, int32_t *y) {
    if ((number & 1) != 0) *x = size - 1 - *x;
    if ((number & 2) != 0) *y = size - 1 - *y;
    if ((number & 4) != 0) {
        int32_t swap = *x;
        *x = *y;
        *y = swap;
    }
}

ploy_box2 ployi_board_grid_area(int32_t columns, int32_t rows) {
    return (ploy_box2){{0.0f, 0.0f}, {(float)columns, (float)rows}};
}

ploy_vec2 ployi_board_grid_centre(int32_t rows, int32_t x, int32_t y) {
    return (ploy_vec2){(float)x + 0.5f, (float)(rows - y) - 0.5f};
}

void ployi_board_grid_draw(ploy_draw *out, int32_t columns, int32_t rows) {
    ploy_agent_id none = {{0, 0}};
    float width = (float)columns, height = (float)rows;
    for (int32_t i = 0; i <= columns; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){(float)i, 0.0f},
                       (ploy_vec2){(float)i, height});
    }
    for (int32_t i = 0; i <= rows; i++) {
        ploy_draw_line(out, PLOY_LAYER_WORLD, PLOY_STYLE_WALL, none, (ploy_vec2){0.0f, (float)i},
                       (ploy_vec2){width, (float)i});
    }
}

void ployi_board_draw_disc(ploy_draw *out, ploy_vec2 centre, float radius, int32_t player) {
    ploy_agent_id none = {{0, 0}};
    ploy_draw_circle(out, PLOY_LAYER_AGENTS, player == 0 ? PLOY_STYLE_AGENT_A : PLOY_STYLE_AGENT_B,
                     none, centre, radius);
}
