// Any bytes as a Tiled file, XML or JSON. What loads is written in both forms and reads back; it also
// becomes tiles, rings and level objects where it can. What does not load has a fault.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ploy/data/tiled_use.h"

static void must(bool condition) {
    if (!condition) abort();
}

// Every file that is named is a small tileset.
static ploy_result read_file(void *user, const char *name, ploy_buffer *out) {
    static const char set[] =
        "<tileset name='t' tilewidth='8' tileheight='8' tilecount='4' columns='2'>"
        "<tile id='1'><properties><property name='solid' type='bool' value='true'/>"
        "</properties></tile></tileset>";
    (void)user;
    (void)name;
    return ploy_buffer_append(out, set, sizeof set - 1);
}

static void write_and_read(const ploy_tiled *map, bool json, const ploy_tiled_options *options,
                           const ploy_env *env, uint64_t *size) {
    ploy_buffer bytes;
    ploy_buffer_init(&bytes, 0, env);
    ploy_writer writer = ploy_buffer_writer(&bytes);
    ploy_tiled_form form;
    memset(&form, 0, sizeof form);
    form.json = json;
    form.recode = true;
    form.encoding = json ? PLOY_TILED_BASE64 : PLOY_TILED_CSV;
    must(ploy_tiled_save(map, &form, &writer) == PLOY_OK);
    ploy_tiled *again = NULL;
    ploy_result result =
        ploy_tiled_load(bytes.bytes, bytes.size, "again", options, env, NULL, &again);
    if (result == PLOY_OK) {
        ploy_tiled_view a = ploy_tiled_get(map), b = ploy_tiled_get(again);
        must(a.layer_count == b.layer_count && a.cell_count == b.cell_count);
        must(a.object_count == b.object_count);
        must(a.cell_count == 0 ||
             memcmp(a.cells, b.cells, (size_t)a.cell_count * sizeof *a.cells) == 0);
        *size = writer.written;
    }
    ploy_tiled_destroy(again);
    ploy_buffer_fini(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    ploy_tiled_source source = {read_file, NULL};
    ploy_tiled_options options = {&source, NULL, true};
    ploy_tiled *map = NULL;
    ploy_result result = ploy_tiled_load(bytes, size, "fuzz", &options, &env, diags, &map);
    if (result != PLOY_OK) {
        must(map == NULL && ploy_diags_total(diags, PLOY_SEVERITY_ERROR) > 0);
    } else {
        uint64_t written = 0;
        write_and_read(map, false, &options, &env, &written);
        write_and_read(map, true, &options, &env, &written);
        ploy_tiled_view view = ploy_tiled_get(map);
        ploy_rings *rings = NULL;
        ploy_level_builder *builder = NULL;
        ploy_tiles *tiles = NULL;
        must(ploy_rings_create(&env, &rings) == PLOY_OK);
        must(ploy_level_builder_create(&env, &builder) == PLOY_OK);
        if (view.cell_count <= 4096) {
            (void)ploy_rings_from_tiled(map, NULL, &env, rings);
            (void)ploy_level_builder_add_tiled(builder, map, NULL);
            if ((int64_t)view.width * view.height <= 4096 && !view.infinite) {
                (void)ploy_tiles_from_tiled(map, NULL, &env, diags, &tiles);
            }
        }
        ploy_tiles_destroy(tiles);
        ploy_level_builder_destroy(builder);
        ploy_rings_destroy(rings);
    }
    ploy_tiled_destroy(map);
    ploy_diags_destroy(diags);
    return 0;
}
