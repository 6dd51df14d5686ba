// Faults, curves and layers of a small map. You will see a row of heights as a fault leaves it, with and
// without fading, the curves of three filters, and a map blended with heights from elsewhere. Shows
// ploy/generate/heightmap.h and terrain.h.
#include <stdio.h>

#include "ploy/generate/terrain.h"

static float stretch(void *user, int32_t cell, float elevation) {
    (void)cell;
    return elevation * *(const float *)user;
}

static void print_row(const char *name, const float *values, int count) {
    printf("%-10s", name);
    for (int i = 0; i < count; i++) printf(" %7.2f", (double)values[i]);
    printf("\n");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_heightmap_def size = ploy_heightmap_def_default();
    size.columns = 6;
    size.rows = 2;
    ploy_heightmap *map = NULL;
    if (ploy_heightmap_create(&size, &env, &map) != PLOY_OK) return 1;

    ploy_fault fault = {{2.5f, 0.0f}, 0.0f, 0.0f, 1.0f, 0.0f};
    float row[6];
    for (int i = 0; i < 6; i++) row[i] = ploy_fault_change(&fault, ploy_heightmap_position(map, i));
    print_row("fault", row, 6);
    fault.fade = 2.0f;
    for (int i = 0; i < 6; i++) row[i] = ploy_fault_change(&fault, ploy_heightmap_position(map, i));
    print_row("fading", row, 6);

    static const ploy_filter_kind kinds[] = {PLOY_FILTER_DESERT, PLOY_FILTER_GLACIER,
                                             PLOY_FILTER_TERRACE};
    static const char *const names[] = {"desert", "glacier", "terrace"};
    for (int k = 0; k < 3; k++) {
        ploy_filter_def filter = ploy_filter_def_default();
        filter.kind = kinds[k];
        for (int i = 0; i < 6; i++) row[i] = ploy_filter_height(&filter, 100.0f, 20.0f * (float)i);
        print_row(names[k], row, 6);
    }

    // Forty faults, twice as high, half of it taken from a slope.
    ploy_faults_def faults = ploy_faults_def_default();
    faults.count = 40;
    float factor = 2.0f, slope[4] = {0, 10, 0, 10};
    ploy_heightfield other = ploy_heightfield_make(slope, 2, 2, ploy_vec2_make(0, 0), 1.0f);
    if (ploy_faults_run(&faults, ploy_rng_key_make(3), map, &env) != PLOY_OK) return 1;
    ploy_heightmap_apply(map, stretch, &factor);
    if (ploy_heightmap_blend(map, &other, 0.5f) != PLOY_OK) return 1;
    print_row("blended", ploy_heightmap_elevation(map), 6);

    void *rock = NULL;
    if (ploy_heightmap_add(map, "rock", PLOY_HEIGHTMAP_U8, &rock) != PLOY_OK) return 1;
    for (int i = 0; i < ploy_heightmap_layer_count(map); i++) {
        ploy_heightmap_type type;
        const char *name = ploy_heightmap_layer_name(map, i, &type);
        printf("layer %s, %s\n", name, ploy_heightmap_type_text(type));
    }
    ploy_heightmap_destroy(map);
    return 0;
}
