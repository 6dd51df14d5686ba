// Which waypoint does an agent set out from? The nearest one may be behind a wall, and none may be
// within reach. Shows ploy_graph_representation_nearest of ploy/path/representation.h.
#include <stdio.h>

#include "ploy/path/representation.h"

enum { WALLS = 1 };

static void ask(const ploy_graph_representation *level, ploy_vec3 at, float radius) {
    ploy_representation_body body = {radius, WALLS};
    int32_t node = ploy_graph_representation_nearest(level, at, &body);
    printf("at (%.1f, %.1f), radius %.1f: ", (double)at.x, (double)at.y, (double)radius);
    if (node == PLOY_GRAPH_NONE) printf("no waypoint\n");
    if (node != PLOY_GRAPH_NONE) printf("waypoint %d\n", (int)node);
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_graph_def graph_def = ploy_graph_def_default();
    ploy_plain_scene_def scene_def = ploy_plain_scene_def_default();
    ploy_graph_representation_def def = ploy_graph_representation_def_default();
    ploy_graph *graph = NULL;
    ploy_plain_scene *plain = NULL;
    ploy_graph_representation *level = NULL;
    if (ploy_graph_create(&graph_def, &env, &graph) != PLOY_OK) return 1;
    if (ploy_plain_scene_create(&scene_def, &env, &plain) != PLOY_OK) return 1;
    ploy_graph_add_node(graph, ploy_vec3_make(2, 2, 0), NULL);
    ploy_graph_add_node(graph, ploy_vec3_make(8, 2, 0), NULL);
    // A wall at x = 3 with a gap of 1 m.
    ploy_plain_scene_add_segment(plain, ploy_vec2_make(3, 0), ploy_vec2_make(3, 3.8f), WALLS, NULL);
    ploy_plain_scene_add_segment(plain, ploy_vec2_make(3, 4.8f), ploy_vec2_make(3, 9), WALLS, NULL);
    ploy_scene scene = ploy_plain_scene_interface(plain);
    def.reach = 10.0f;
    if (ploy_graph_representation_create(&def, graph, &scene, &env, &level) != PLOY_OK) return 1;
    ask(level, ploy_vec3_make(2.5f, 2, 0), 0.3f);    // the nearest one
    ask(level, ploy_vec3_make(3.5f, 2, 0), 0.3f);    // that one is behind the wall
    ask(level, ploy_vec3_make(3.5f, 5.5f, 0), 0.1f); // through the gap
    ask(level, ploy_vec3_make(3.5f, 5.5f, 0), 0.3f); // too wide for that line
    ask(level, ploy_vec3_make(30, 2, 0), 0.3f);      // out of reach
    ploy_graph_add_node(graph, ploy_vec3_make(25, 2, 0), NULL);
    if (ploy_graph_representation_rebuild(level) != PLOY_OK) return 1;
    ask(level, ploy_vec3_make(30, 2, 0), 0.3f);
    ploy_graph_representation_destroy(level);
    ploy_plain_scene_destroy(plain);
    ploy_graph_destroy(graph);
    return 0;
}
