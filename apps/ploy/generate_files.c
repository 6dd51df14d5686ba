// Generated content as files: MovingAI maps and OBJ meshes.
#include <stdlib.h>

#include "apps/ploy/generate.h"
#include "ploy/data/movingai.h"
#include "ploy/data/plant_file.h"

// The file of a grid of kinds, row 0 at the bottom, as MovingAI's maps have it at the top.
static int write_tiles(const uint8_t *kinds, int32_t columns, int32_t rows, const char *path,
                       const ploy_env *env) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = columns;
    def.height = rows;
    ploy_tiles *tiles = NULL;
    ploy_result result = ploy_tiles_create(&def, env, &tiles);
    if (result != PLOY_OK) return cli_error_result("--map", result);
    ploy_tiles_set_all(tiles, kinds);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    result = ploy_movingai_save_map(tiles, &writer);
    int status = result != PLOY_OK               ? cli_error_result("--map", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    ploy_tiles_destroy(tiles);
    return status;
}

int generate_write_map(const generate_subject *subject, const char *path, const ploy_env *env) {
    ploy_content content = generate_content(subject);
    if ((content.kinds & PLOY_CONTENT_TILES) == 0) {
        return cli_error("--map needs a generator that makes tiles; not", generate_name(subject));
    }
    size_t count = (size_t)content.tile_columns * (size_t)content.tile_rows;
    uint8_t *kinds = malloc(count + 1);
    if (kinds == NULL) return cli_error_result("--map", PLOY_ERR_MEMORY);
    for (size_t i = 0; i < count; i++) {
        kinds[i] = content.tiles[i] == 0 ? PLOY_MOVINGAI_OUTSIDE : PLOY_MOVINGAI_GROUND;
    }
    int status = write_tiles(kinds, content.tile_columns, content.tile_rows, path, env);
    free(kinds);
    return status;
}

// A plant as a mesh, with y up, as most programs read OBJ files.
static int write_plant(const ploy_plant *plant, const char *path, const ploy_env *env) {
    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    ploy_plant_mesh *mesh = NULL;
    ploy_result result = ploy_plant_mesh_create(&def, plant, env, &mesh);
    if (result != PLOY_OK) return cli_error_result("--obj", result);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    result = ploy_plant_mesh_save(mesh, PLOY_AXES_Y_UP_RIGHT, &writer);
    int status = result != PLOY_OK               ? cli_error_result("--obj", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    ploy_plant_mesh_destroy(mesh);
    return status;
}

int generate_write_obj(const generate_subject *subject, const char *path, const ploy_env *env) {
    ploy_content content = generate_content(subject);
    if ((content.kinds & PLOY_CONTENT_PLANT) != 0) return write_plant(content.plant, path, env);
    return cli_error("--obj needs a generator that makes a plant; not", generate_name(subject));
}
