// Roads between villages. You will see how three places on a ridge are joined, where a junction is,
// and how much longer the road is than the straight line. Shows ploy/generate/roads.h.
#include <stdio.h>

#include "ploy/generate/roads.h"

enum { SIDE = 41 };

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = size.rows = SIDE;
    ploy_heightmap *map = NULL;
    if (ploy_heightmap_create(&size, &env, &map) != PLOY_OK) return 1;
    // A ridge along x with a pass at x = 30.
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        float ridge = 9.0f - 0.9f * (float)(y > 20 ? y - 20 : 20 - y);
        float pass = x >= 28 && x <= 32 ? 0.2f : 1.0f;
        ploy_heightmap_elevation(map)[i] = ridge > 0.0f ? ridge * pass : 0.0f;
    }
    static const ploy_vec2 villages[] = {{5, 5}, {8, 36}, {35, 36}};
    ploy_roads_def def = ploy_roads_def_default();
    ploy_roads *roads = NULL;
    if (ploy_roads_begin(&def, ploy_rng_key_make(1), map, villages, 3, NULL, &env, &roads) !=
            PLOY_OK ||
        ploy_roads_step(roads, NULL) != PLOY_OK) {
        return 1;
    }
    int32_t nodes = 0, links = 0, cells = 0;
    const ploy_road_node *node = ploy_roads_nodes(roads, &nodes);
    const ploy_road_link *link = ploy_roads_links(roads, &links);
    for (int i = 0; i < nodes; i++) {
        printf("node %d at (%.0f, %.0f): %s\n", i, (double)node[i].position.x,
               (double)node[i].position.y, node[i].place >= 0 ? "village" : "junction");
    }
    const ploy_vec3 *points = ploy_roads_points(roads);
    for (int i = 0; i < links; i++) {
        const ploy_vec3 *first = points + link[i].first, *last = first + link[i].count - 1;
        double straight = (double)ploy_vec3_length(ploy_vec3_sub(*last, *first));
        printf("road from %d to %d: %.1f m, straight %.1f m\n", (int)link[i].from, (int)link[i].to,
               (double)link[i].length, straight);
    }
    const uint8_t *road =
        ploy_heightmap_layer(ploy_roads_heights(roads), "road", PLOY_HEIGHTMAP_U8);
    for (int i = 0; i < SIDE * SIDE; i++) cells += road[i];
    printf("%d cells of road, %lld units of work\n", (int)cells,
           (long long)ploy_roads_outcome(roads).units);
    ploy_roads_cancel(roads);
    ploy_heightmap_destroy(map);
    return 0;
}
