// Heights to a terrain tool and back. You will see a small map written as 16-bit numbers and read
// again, how far rounding moved it, and what a file of the wrong size is reported as. Shows
// ploy/data/heights.h.
#include <math.h>
#include <stdio.h>

#include "ploy/data/heights.h"

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def def = ploy_heightmap_def_default();
    def.columns = 8;
    def.rows = 4;
    ploy_heightmap *map = NULL, *read = NULL;
    if (ploy_heightmap_create(&def, &env, &map) != PLOY_OK) return 1;
    for (int i = 0; i < 32; i++) ploy_heightmap_elevation(map)[i] = 3.3f * (float)(i % 7);

    ploy_buffer file;
    ploy_buffer_init(&file, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&file);
    if (ploy_heights_save(map, PLOY_HEIGHT_U16, 0.0f, 100.0f, &writer) != PLOY_OK) return 1;
    ploy_diags *diags = NULL;
    if (ploy_diags_create(4, &env, &diags) != PLOY_OK) return 1;
    if (ploy_heights_load(file.bytes, file.size, PLOY_HEIGHT_U16, 0.0f, 100.0f, &def, "hills.raw",
                          &env, diags, &read) != PLOY_OK) {
        return 1;
    }
    float most = 0.0f;
    for (int i = 0; i < 32; i++) {
        float moved = ploy_heightmap_elevation(read)[i] - ploy_heightmap_elevation(map)[i];
        if (fabsf(moved) > most) most = fabsf(moved);
    }
    printf("%d bytes; heights moved by less than 1 mm: %s\n", (int)file.size,
           most < 1e-3f ? "yes" : "no");
    ploy_heightmap_destroy(read);
    ploy_heights_load(file.bytes, file.size - 1, PLOY_HEIGHT_U16, 0.0f, 100.0f, &def, "hills.raw",
                      &env, diags, &read);
    char text[200];
    ploy_diag_print(ploy_diags_get(diags, 0), text, sizeof text);
    printf("%s\n", text);
    ploy_diags_destroy(diags);
    ploy_buffer_fini(&file);
    ploy_heightmap_destroy(map);
    return 0;
}
