// A labyrinth of rooms with one door between neighbours: where tables beat the straight line.
#pragma once

#include "tests/path/toy_graph.h"

enum { ROOMS_SIDE = 6, ROOM_SIDE = 5, ROOMS_CELLS = ROOMS_SIDE * ROOM_SIDE };

// Cells of rooms x rooms, each of room x room cells; four ways; rooms are joined along one winding
// line, row by row and back.
static inline ploy_graph *toy_rooms_make(test_context *t, int32_t *groups) {
    ploy_graph *graph = toy_graph_make(t, false, 0, NULL, 0);
    for (int32_t i = 0; i < ROOMS_CELLS * ROOMS_CELLS; i++) {
        int32_t x = i % ROOMS_CELLS, y = i / ROOMS_CELLS;
        CHECK_OK(ploy_graph_add_node(graph, ploy_vec3_make((float)x, (float)y, 0), NULL));
        groups[i] = y / ROOM_SIDE * ROOMS_SIDE + x / ROOM_SIDE;
    }
    for (int32_t i = 0; i < ROOMS_CELLS * ROOMS_CELLS; i++) {
        int32_t x = i % ROOMS_CELLS, y = i / ROOMS_CELLS;
        int32_t row = y / ROOM_SIDE, column = x / ROOM_SIDE;
        bool door_right = y % ROOM_SIDE == ROOM_SIDE / 2;
        bool door_up =
            x % ROOM_SIDE == ROOM_SIDE / 2 && column == (row % 2 == 0 ? ROOMS_SIDE - 1 : 0);
        if (x + 1 < ROOMS_CELLS && (groups[i] == groups[i + 1] || door_right)) {
            CHECK_OK(ploy_graph_add_edge(graph, i, i + 1, 1.0, 0, NULL));
        }
        int32_t up = i + ROOMS_CELLS;
        if (y + 1 < ROOMS_CELLS && (groups[i] == groups[up] || door_up)) {
            CHECK_OK(ploy_graph_add_edge(graph, i, up, 1.0, 0, NULL));
        }
    }
    return graph;
}
