// A hill to dig in. You will see a cut through a landscape of cubes: soil (1) over layers of rock
// (2, 3, 4), with tunnels. Shows ploy/generate/voxels.h.
#include <stdio.h>

#include "ploy/generate/voxels.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = 64;
    size.rows = 9;
    ploy_heightmap *map = NULL;
    if (ploy_heightmap_create(&size, &env, &map) != PLOY_OK) return 1;
    for (int i = 0; i < ploy_heightmap_cells(map); i++) {
        float x = (float)(i % 64) - 32.0f;
        ploy_heightmap_elevation(map)[i] = 9.0f - 0.01f * x * x;
    }
    ploy_voxels_def def = ploy_voxels_def_default();
    def.layers = 18;
    def.cave_width = 0.1f;
    ploy_voxels *voxels = NULL;
    if (ploy_voxels_begin(&def, ploy_rng_key_make(2), map, NULL, &env, &voxels) != PLOY_OK ||
        ploy_voxels_step(voxels, NULL) != PLOY_OK) {
        return 1;
    }
    for (int layer = def.layers - 1; layer >= 0; layer--) {
        for (int column = 0; column < 64; column++) {
            printf("%c", ".12345"[ploy_voxels_at(voxels, column, 4, layer)]);
        }
        printf("\n");
    }
    printf("%lld cubes\n", (long long)ploy_voxels_outcome(voxels).count);
    ploy_voxels_cancel(voxels);
    ploy_heightmap_destroy(map);
    return 0;
}
