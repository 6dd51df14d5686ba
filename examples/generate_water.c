// Where rain runs to. You will see the lakes and the longest rivers of a landscape, where each river
// ends, and that all water leaves the map. Shows ploy/generate/water.h.
#include <stdio.h>

#include "ploy/generate/erosion.h"
#include "ploy/generate/hills.h"
#include "ploy/generate/water.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_rng_key key = ploy_rng_key_make(11);
    ploy_heightmap_def size = ploy_heightmap_def_default();
    ploy_heightmap *map = NULL;
    ploy_hills_def hills = ploy_hills_def_default();
    ploy_hydraulic_def rain = ploy_hydraulic_def_default();
    ploy_droplets_def drops = ploy_droplets_def_default();
    if (ploy_heightmap_create(&size, &env, &map) != PLOY_OK) return 1;
    if (ploy_hills_run(&hills, key, map, &env) != PLOY_OK) return 1;
    rain.passes = 20;
    if (ploy_hydraulic_run(&rain, key, map, &env) != PLOY_OK) return 1;
    if (ploy_droplets_run(&drops, key, map, &env) != PLOY_OK) return 1;

    ploy_water_def def = ploy_water_def_default();
    def.sea_level = 8.0f;
    def.river_area = 400.0f;
    ploy_water *water = NULL;
    if (ploy_water_begin(&def, key, map, NULL, &env, &water) != PLOY_OK) return 1;
    if (ploy_water_step(water, NULL) != PLOY_OK) return 1;

    int32_t lakes = 0, rivers = 0;
    const ploy_lake *lake = ploy_water_lakes(water, &lakes);
    for (int i = 0; i < lakes && i < 3; i++) {
        printf("lake %d: level %.1f m, %.1f m deep, %.0f m2, %d ring(s)\n", i,
               (double)lake[i].level, (double)lake[i].depth, (double)lake[i].area,
               (int)lake[i].ring_count);
    }
    printf("%d lakes, outlines of %d corners\n", (int)lakes,
           (int)ploy_rings_corners(ploy_water_rings(water)));
    const ploy_river *river = ploy_water_rivers(water, &rivers);
    const ploy_river_point *points = ploy_water_points(water);
    for (int i = 0; i < rivers && i < 4; i++) {
        const ploy_river_point *last = &points[river[i].first + river[i].count - 1];
        printf("river %d: %d points, %.2f m wide at (%.0f, %.0f), ends in %s\n", i,
               (int)river[i].count, (double)last->width, (double)last->position.x,
               (double)last->position.y, ploy_river_end_text(river[i].end));
    }
    const ploy_heightmap *result = ploy_water_heights(water);
    const int32_t *drain = ploy_heightmap_layer(result, "drain", PLOY_HEIGHTMAP_I32);
    const int32_t *drained = ploy_heightmap_layer(result, "drained", PLOY_HEIGHTMAP_I32);
    long total = 0;
    for (int i = 0; i < ploy_heightmap_cells(result); i++) {
        if (drain[i] < 0) total += drained[i];
    }
    printf("%d rivers; water of %ld cells leaves, of %d%s\n", (int)rivers, total,
           (int)ploy_heightmap_cells(result), ploy_water_outcome(water).partial ? ", partial" : "");
    ploy_water_cancel(water);
    ploy_heightmap_destroy(map);
    return 0;
}
