// Generated content as files: Tiled and MovingAI maps, OBJ meshes.
#include <stdlib.h>

#include "apps/ploy/generate.h"
#include "ploy/data/content_obj.h"
#include "ploy/data/movingai.h"
#include "ploy/data/plan.h"
#include "ploy/data/tiled_use.h"

static int write_tiles(const ploy_tiles *tiles, const char *path, const ploy_env *env) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = ploy_movingai_save_map(tiles, &writer);
    int status = result != PLOY_OK               ? cli_error_result("--map", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    return status;
}

// Tile 0 is a wall, all others are floor.
static ploy_result tiles_from_content(const ploy_content *content, const ploy_env *env,
                                      ploy_tiles **out) {
    ploy_tiles_def def = ploy_tiles_def_default();
    def.width = content->tile_columns;
    def.height = content->tile_rows;
    size_t count = (size_t)content->tile_columns * (size_t)content->tile_rows;
    uint8_t *kinds = malloc(count + 1);
    if (kinds == NULL) return PLOY_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        kinds[i] = content->tiles[i] == 0 ? PLOY_MOVINGAI_OUTSIDE : PLOY_MOVINGAI_GROUND;
    }
    ploy_result result = ploy_tiles_create(&def, env, out);
    if (result == PLOY_OK) ploy_tiles_set_all(*out, kinds);
    free(kinds);
    return result;
}

// Rooms, corridors and doors of a plan are kinds of tiles; in a map they are all floor.
static ploy_result tiles_flatten(ploy_tiles *tiles) {
    int32_t count = ploy_tiles_width(tiles) * ploy_tiles_height(tiles);
    for (int32_t cell = 0; cell < count; cell++) {
        if (!ploy_tiles_passable(tiles, cell)) continue;
        ploy_result result = ploy_tiles_set(tiles, cell, PLOY_MOVINGAI_GROUND);
        if (result != PLOY_OK) return result;
    }
    return PLOY_OK;
}

int generate_write_map(const generate_subject *subject, const char *path, const ploy_env *env) {
    ploy_content content = generate_content(subject);
    ploy_tiles *tiles = NULL;
    ploy_result result;
    if (content.kinds & PLOY_CONTENT_PLAN) {
        result = ploy_tiles_from_plan(content.plan, env, &tiles);
        if (result == PLOY_OK) result = tiles_flatten(tiles);
    } else if (content.kinds & PLOY_CONTENT_TILES) {
        result = tiles_from_content(&content, env, &tiles);
    } else {
        return cli_error("--map needs a generator that makes a plan or tiles; not",
                         generate_name(subject));
    }
    int status =
        result == PLOY_OK ? write_tiles(tiles, path, env) : cli_error_result("--map", result);
    ploy_tiles_destroy(tiles);
    return status;
}

// With y up, as most programs read OBJ files; walls are as high as rooms usually are.
int generate_write_obj(const generate_subject *subject, const char *path, const ploy_env *env) {
    ploy_content content = generate_content(subject);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = ploy_content_save_obj(&content, 2.5f, PLOY_AXES_Y_UP_RIGHT, env, &writer);
    int status = result == PLOY_ERR_ARGUMENT
                     ? cli_error("--obj needs a generator that makes a plan, heights, a plant or a "
                                 "shape; not",
                                 generate_name(subject))
                 : result != PLOY_OK             ? cli_error_result("--obj", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    return status;
}

int generate_write_tmx(const generate_subject *subject, const char *path, const ploy_env *env) {
    ploy_content content = generate_content(subject);
    ploy_tiled *map = NULL;
    ploy_result result = ploy_tiled_from_content(&content, env, &map);
    if (result == PLOY_ERR_ARGUMENT) {
        return cli_error("--tmx needs a generator that makes a plan, tiles or points; not",
                         generate_name(subject));
    }
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    if (result == PLOY_OK) result = ploy_tiled_save(map, NULL, &writer);
    int status = result != PLOY_OK               ? cli_error_result("--tmx", result)
                 : cli_write_file(path, &buffer) ? -1
                                                 : CLI_USAGE;
    ploy_buffer_fini(&buffer);
    ploy_tiled_destroy(map);
    return status;
}
