// A designer marks triangles of a level as floor and forgets a carpet: the check names the hole, and
// the marked floor becomes a graph. Shows ploy_floor_check and ploy_graph_add_floor of
// ploy/path/graph_tools.h.
#include <stdio.h>

#include "ploy/path/graph_tools.h"

enum { SIDE = 4, POINTS = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static void inspect(const char *title, const ploy_floor *floor, const ploy_vec3 *points,
                    const ploy_env *env) {
    int32_t patches[4], count = 0, added = 0;
    ploy_graph_def def = ploy_graph_def_default();
    ploy_graph *graph = NULL;
    if (ploy_floor_check(floor, env, patches, 4, &count) != PLOY_OK) {
        printf("%s: not a mesh\n", title);
        return;
    }
    if (ploy_graph_create(&def, env, &graph) != PLOY_OK) return;
    if (ploy_graph_add_floor(graph, floor, points, false, NULL, &added) == PLOY_OK) {
        printf("%s: %d nodes, %d edges, holes: %d", title, (int)added,
               (int)ploy_graph_edge_count(graph), (int)count);
        for (int32_t i = 0; i < count && i < 4; i++) printf(", triangle %d", (int)patches[i]);
        printf("\n");
    }
    ploy_graph_destroy(graph);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_vec3 points[POINTS];
    int32_t corners[3 * TRIANGLES];
    bool is_floor[TRIANGLES];
    for (int32_t i = 0; i < POINTS; i++) {
        points[i] = ploy_vec3_make((float)(i % (SIDE + 1)), (float)(i / (SIDE + 1)), 0);
    }
    for (int32_t i = 0; i < SIDE * SIDE; i++) { // two triangles for each square
        int32_t a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
        int32_t both[6] = {a, b, d, a, d, c};
        for (int32_t k = 0; k < 6; k++) corners[6 * i + k] = both[k];
    }
    for (int32_t i = 0; i < TRIANGLES; i++) is_floor[i] = true;
    ploy_floor floor = {corners, is_floor, TRIANGLES};
    is_floor[0] = false; // at the rim: a wall, no hole
    is_floor[10] = is_floor[11] = false;
    inspect("the carpet is not marked", &floor, points, &env);
    is_floor[10] = is_floor[11] = true;
    inspect("the carpet is marked", &floor, points, &env);
    corners[0] = -1;
    inspect("with a corner that does not exist", &floor, points, &env);
    return 0;
}
