// Any bytes as a level drawn as text: it loads whole or is refused with a message; what loads is written and read back with
// the same walls, and its outlines hold exactly the cells of their kind.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/tiles_text.h"
#include "ploy/path/outlines.h"

#define FUZZ_CELLS 400 // of maps whose outlines are looked at: that search is the slow part

static void must(bool condition) {
    if (!condition) abort();
}

static void fuzz_outlines(const ploy_tiles *tiles, int32_t cells, const ploy_env *env) {
    ploy_rings *walls = NULL, *floor = NULL;
    must(ploy_rings_create(env, &walls) == PLOY_OK);
    must(ploy_rings_create(env, &floor) == PLOY_OK);
    must(ploy_rings_from_tiles(tiles, env, walls, floor) == PLOY_OK);
    for (int32_t i = 0; i < cells; i++) {
        ploy_vec2 centre = ploy_tiles_localise(tiles, i);
        bool open = ploy_tiles_passable(tiles, i);
        must(ploy_rings_contains(walls, centre, PLOY_FILL_NON_ZERO) == !open);
        must(ploy_rings_contains(floor, centre, PLOY_FILL_NON_ZERO) == open);
    }
    ploy_rings_destroy(walls);
    ploy_rings_destroy(floor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_tiles *tiles = NULL, *again = NULL;
    ploy_result result =
        ploy_tiles_from_text((const char *)bytes, size, "#X", "fuzz", &env, diags, &tiles);
    must((result == PLOY_OK) == (tiles != NULL));
    must(result == PLOY_OK || ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    if (tiles != NULL) {
        int32_t cells = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
        ploy_buffer text;
        ploy_buffer_init(&text, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&text);
        must(ploy_tiles_write_text(tiles, NULL, 0, &writer) == PLOY_OK);
        must(ploy_tiles_from_text(text.bytes, text.size, "#", "again", &env, NULL, &again) ==
             PLOY_OK);
        must(ploy_tiles_width(again) == ploy_tiles_width(tiles));
        must(ploy_tiles_height(again) == ploy_tiles_height(tiles));
        for (int32_t i = 0; i < cells; i++) {
            must(ploy_tiles_passable(again, i) == ploy_tiles_passable(tiles, i));
        }
        if (cells <= FUZZ_CELLS) fuzz_outlines(tiles, cells, &env);
        ploy_tiles_destroy(again);
        ploy_buffer_fini(&text);
    }
    ploy_tiles_destroy(tiles);
    ploy_diags_destroy(diags);
    return 0;
}
