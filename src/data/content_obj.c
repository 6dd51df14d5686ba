// Generated content as OBJ; see the header.
#include "ploy/data/content_obj.h"

#include "data/obj_write.h"
#include "ploy/base/math.h"
#include "ploy/data/plant_file.h"
#include "ploy/generate/floor_plan.h"
#include "ploy/generate/heightmap.h"
#include "ploy/generate/skyscraper.h"

// Faces with four corners each; vertices are written before the face that uses them.
typedef struct content_obj {
    ploy_writer *writer;
    ploy_adapter adapter;
    int64_t vertices; // written so far
} content_obj;

static void content_obj_quad(content_obj *file, const ploy_vec3 corners[4]) {
    int64_t numbers[4];
    for (int32_t i = 0; i < 4; i++) {
        ployi_obj_vertex(file->writer, file->adapter, corners[i]);
        numbers[i] = file->vertices++;
    }
    ployi_obj_face(file->writer, file->adapter, numbers, 4);
}

// ---- plans

// Tiles have a margin of one, so that every open tile has four neighbours.
static void content_obj_floor(content_obj *file, const ploy_plan_grid *grid, const uint8_t *tiles) {
    ploy_write_text(file->writer, "o floor\n");
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t x = 0; x < grid->width;) { // a row of open tiles is one face
            int32_t first = x;
            while (x < grid->width && tiles[y * grid->width + x] != PLOY_PLAN_SOLID) x++;
            if (x == first) {
                x++;
                continue;
            }
            float left = grid->origin.x + (float)first * grid->size;
            float right = grid->origin.x + (float)x * grid->size;
            float low = grid->origin.y + (float)y * grid->size;
            const ploy_vec3 corners[4] = {{left, low, 0},
                                          {right, low, 0},
                                          {right, low + grid->size, 0},
                                          {left, low + grid->size, 0}};
            content_obj_quad(file, corners);
        }
    }
}

static void content_obj_walls(content_obj *file, const ploy_plan_grid *grid, const uint8_t *tiles,
                              float wall) {
    ploy_write_text(file->writer, "o walls\n");
    // Ends of the side toward each direction, in tiles, clockwise around the open tile: seen from inside
    // it the face is counter-clockwise.
    static const float ends[4][4] = {{1, 1, 1, 0}, {0, 1, 1, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}};
    for (int32_t i = 0; i < grid->width * grid->height; i++) {
        int32_t x = i % grid->width, y = i / grid->width;
        for (int32_t way = 0; way < 4 && tiles[i] != PLOY_PLAN_SOLID; way++) {
            int32_t u = x + ploy_plan_step_x(way), v = y + ploy_plan_step_y(way);
            if (tiles[v * grid->width + u] != PLOY_PLAN_SOLID) continue;
            float x0 = grid->origin.x + ((float)x + ends[way][0]) * grid->size;
            float y0 = grid->origin.y + ((float)y + ends[way][1]) * grid->size;
            float x1 = grid->origin.x + ((float)x + ends[way][2]) * grid->size;
            float y1 = grid->origin.y + ((float)y + ends[way][3]) * grid->size;
            const ploy_vec3 corners[4] = {{x0, y0, 0}, {x1, y1, 0}, {x1, y1, wall}, {x0, y0, wall}};
            content_obj_quad(file, corners);
        }
    }
}

static ploy_result content_obj_plan(content_obj *file, const ploy_floor_plan *plan, float wall,
                                    const ploy_env *env) {
    ploy_plan_grid grid = ploy_floor_plan_grid(plan, 1);
    size_t size = (size_t)grid.width * (size_t)grid.height;
    uint8_t *tiles = ploy_env_alloc(env, size);
    if (tiles == NULL) return PLOY_ERR_MEMORY;
    ploy_floor_plan_tiles(plan, 1, tiles);
    content_obj_floor(file, &grid, tiles);
    if (wall > 0.0f) content_obj_walls(file, &grid, tiles, wall);
    ploy_env_free(env, tiles, size);
    return PLOY_OK;
}

// ---- heights

static void content_obj_heights(content_obj *file, const ploy_heightmap *map) {
    const ploy_heightmap_def *def = ploy_heightmap_def_of(map);
    const float *heights = ploy_heightmap_elevation(map);
    ploy_write_text(file->writer, "o terrain\n");
    for (int32_t i = 0; i < ploy_heightmap_cells(map); i++) {
        ploy_vec2 at = ploy_heightmap_position(map, i);
        ployi_obj_vertex(file->writer, file->adapter, ploy_vec3_make(at.x, at.y, heights[i]));
    }
    for (int32_t y = 0; y + 1 < def->rows; y++) {
        for (int32_t x = 0; x + 1 < def->columns; x++) {
            int64_t first = (int64_t)y * def->columns + x, above = first + def->columns;
            const int64_t lower[3] = {first, first + 1, above + 1};
            const int64_t upper[3] = {first, above + 1, above};
            ployi_obj_face(file->writer, file->adapter, lower, 3);
            ployi_obj_face(file->writer, file->adapter, upper, 3);
        }
    }
}

// ---- buildings

// The six sides of a box; of a face, which has no extent along one axis, the two that remain.
static void content_obj_box(content_obj *file, const ploy_building_part *part) {
    float size[3] = {part->width, part->depth, part->height};
    float low[3] = {part->x, part->y, part->z};
    for (int32_t axis = 0; axis < 3; axis++) {
        int32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
        if (!(size[u] > 0.0f) || !(size[v] > 0.0f)) continue;
        for (int32_t far = 0; far < 2; far++) {
            ploy_vec3 corners[4];
            for (int32_t i = 0; i < 4; i++) {
                // Around the axis counter-clockwise on the far side, the other way round on the near one.
                int32_t turn = far == 1 ? i : 3 - i;
                float at[3];
                at[axis] = low[axis] + (far == 1 ? size[axis] : 0.0f);
                at[u] = low[u] + (turn == 1 || turn == 2 ? size[u] : 0.0f);
                at[v] = low[v] + (turn >= 2 ? size[v] : 0.0f);
                corners[i] = ploy_vec3_make(at[0], at[1], at[2]);
            }
            content_obj_quad(file, corners);
        }
    }
}

static void content_obj_building(content_obj *file, const ploy_building *building) {
    int32_t count = 0;
    const ploy_building_part *parts = ploy_building_parts(building, &count);
    ploy_write_text(file->writer, "o building\n");
    for (int32_t i = 0; i < count; i++) {
        if (parts[i].final) content_obj_box(file, &parts[i]);
    }
}

// ---- all

static ploy_result content_obj_plant(const ploy_plant *plant, ploy_axes axes, const ploy_env *env,
                                     ploy_writer *writer) {
    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    ploy_plant_mesh *mesh = NULL;
    ploy_result result = ploy_plant_mesh_create(&def, plant, env, &mesh);
    if (result == PLOY_OK) result = ploy_plant_mesh_save(mesh, axes, writer);
    ploy_plant_mesh_destroy(mesh);
    return result;
}

ploy_result ploy_content_save_obj(const ploy_content *content, float wall, ploy_axes axes,
                                  const ploy_env *env, ploy_writer *writer) {
    if (content == NULL || env == NULL || writer == NULL || !ploy_in_range(wall, 0.0f, 1e6f)) {
        return PLOY_ERR_ARGUMENT;
    }
    content_obj file = {writer, ploy_adapter_make(axes, 1.0f), 0};
    ploy_result result = PLOY_OK;
    if ((content->kinds & PLOY_CONTENT_PLAN) != 0) {
        result = content_obj_plan(&file, content->plan, wall, env);
    } else if ((content->kinds & PLOY_CONTENT_HEIGHTS) != 0) {
        content_obj_heights(&file, content->heights);
    } else if ((content->kinds & PLOY_CONTENT_PLANT) != 0) {
        return content_obj_plant(content->plant, axes, env, writer);
    } else if ((content->kinds & PLOY_CONTENT_SHAPE) != 0) {
        content_obj_building(&file, content->shape);
    } else {
        return PLOY_ERR_ARGUMENT;
    }
    return result != PLOY_OK ? result : ploy_writer_result(writer);
}
