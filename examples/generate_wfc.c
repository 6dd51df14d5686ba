// More of a map: wave function collapse makes a large map in which every piece of 3 by 3 tiles occurs in a
// small sample. The middle is painted as floor, and two corners are demanded to be connected.
#include "ploy/generate/wfc.h"

#include <stdio.h>
#include <string.h>

// Rooms with doors. The first line is the highest row.
static const char *const sample[] = {
    "############", "#....##....#", "#....##....#", "#..........#", "#....##....#", "#....##....#",
    "###.#####.##", "###.#####.##", "#....##....#", "#..........#", "#....##....#", "############",
};
enum { SIZE = 12, COLUMNS = 48, ROWS = 16 };

int main(void) {
    int32_t tiles[SIZE * SIZE];
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) tiles[y * SIZE + x] = sample[SIZE - 1 - y][x] == '.';
    }
    ploy_env env = ploy_env_default();
    ploy_wfc_def def = ploy_wfc_def_default();
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.periodic = false;

    ploy_wfc_model *model = NULL;
    ploy_wfc *wfc = NULL;
    if (ploy_wfc_model_from_sample(&def, tiles, SIZE, SIZE, &env, &model) != PLOY_OK) return 1;
    printf("%d patterns\n", ploy_wfc_model_count(model));
    if (ploy_wfc_begin(&def, ploy_rng_key_make(7), model, NULL, &env, &wfc) != PLOY_OK) return 1;

    const int32_t floor_tile = 1;
    const uint8_t open[2] = {0, 15}; // the floor is open on all four sides
    ploy_wfc_allow(wfc, 24, 8, &floor_tile, 1);
    ploy_wfc_connect(wfc, 2, 2, 44, 12, open, 2);
    ploy_wfc_step(wfc, NULL); // or a budget a frame, until it returns PLOY_OK

    ploy_generate_outcome outcome = ploy_wfc_outcome(wfc);
    const int32_t *made = ploy_wfc_tiles(wfc);
    for (int y = ROWS - 1; y >= 0; y--) {
        for (int x = 0; x < COLUMNS; x++) putchar(made[y * COLUMNS + x] == 1 ? '.' : '#');
        putchar('\n');
    }
    printf("%s after %d conflicts\n", outcome.partial ? "no result" : "made",
           (int)outcome.rejected);
    ploy_wfc_cancel(wfc);
    ploy_wfc_model_destroy(model);
    return 0;
}
