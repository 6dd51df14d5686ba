// Generated content as OBJ: what is read back has the floor, the walls, the heights and the volume of the content.
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

#include "ploy/data/content_obj.h"
#include "ploy/data/obj.h"
#include "ploy/generate/floor_plan.h"
#include "ploy/generate/heightmap.h"
#include "ploy/generate/skyscraper.h"

static const char *const makers[] = {"dungeon", "maze",   "caves",     "pieces",
                                     "hills",   "growth", "skyscraper"};

static ploy_generator make(test_context *t, const char *name, uint64_t seed) {
    ploy_env env = ploy_env_default();
    ploy_generator generator;
    CHECK_OK(ploy_generator_run(ploy_generators_find(name), NULL, ploy_rng_key_make(seed), NULL,
                                NULL, &env, &generator));
    return generator;
}

static ploy_obj *read_back(test_context *t, const ploy_content *content, ploy_axes axes) {
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_content_save_obj(content, 3.0f, axes, &env, &writer));
    ploy_obj *obj = NULL;
    CHECK_OK(ploy_obj_load(buffer.bytes, buffer.size, axes, "content", &env, NULL, &obj));
    ploy_buffer_fini(&buffer);
    return obj;
}

// Area of the faces that look up, of those that are upright, and the volume that the faces enclose.
typedef struct measures {
    double up, upright, volume;
} measures;

static measures measure(const ploy_obj *obj) {
    ploy_obj_view view = ploy_obj_get(obj);
    measures sum = {0, 0, 0};
    for (int32_t i = 0; i < view.triangle_count; i++) {
        ploy_vec3 a = view.vertices[view.triangles[3 * i]];
        ploy_vec3 b = view.vertices[view.triangles[3 * i + 1]];
        ploy_vec3 c = view.vertices[view.triangles[3 * i + 2]];
        ploy_vec3 normal = ploy_vec3_cross(ploy_vec3_sub(b, a), ploy_vec3_sub(c, a));
        double area = 0.5 * (double)ploy_vec3_length(normal);
        if (normal.z > 0.0f) sum.up += area;
        if (fabsf(normal.z) <= 1e-6f) sum.upright += area;
        sum.volume += (double)ploy_vec3_dot(a, normal) / 6.0;
    }
    return sum;
}

TEST(the_floor_and_the_walls_of_a_plan_read_back) {
    for (int32_t k = 0; k < 4; k++) {
        t->row = makers[k];
        ploy_generator generator = make(t, makers[k], 5);
        ploy_content content = ploy_generator_content(generator);
        ploy_plan_grid grid = ploy_floor_plan_grid(content.plan, 1);
        uint8_t *tiles = malloc((size_t)grid.width * (size_t)grid.height);
        ploy_floor_plan_tiles(content.plan, 1, tiles);
        int32_t open = 0, sides = 0;
        for (int32_t i = 0; i < grid.width * grid.height; i++) {
            if (tiles[i] == PLOY_PLAN_SOLID) continue;
            open++;
            for (int32_t way = 0; way < 4; way++) {
                int32_t next = i + ploy_plan_step_x(way) + ploy_plan_step_y(way) * grid.width;
                sides += tiles[next] == PLOY_PLAN_SOLID;
            }
        }
        ploy_obj *obj = read_back(t, &content, PLOY_AXES_Y_UP_RIGHT);
        measures got = measure(obj);
        CHECK_NEAR(got.up, (double)open * (double)(grid.size * grid.size), 1e-2);
        CHECK_NEAR(got.upright, 3.0 * sides * (double)grid.size, 1e-2);
        // Walls look at the floor and there is no ceiling: inside out, up to the cap, it would be 3 m of floor.
        CHECK_NEAR(got.volume, -got.up * 2.0, 0.02 * got.up);
        ploy_obj_destroy(obj);
        free(tiles);
        ploy_generator_cancel(generator);
    }
}

TEST(heights_read_back_equal_in_any_axes) {
    ploy_generator generator = make(t, "hills", 2);
    ploy_content content = ploy_generator_content(generator);
    const ploy_heightmap_def *def = ploy_heightmap_def_of(content.heights);
    for (int32_t axes = 0; axes < PLOY_AXES_COUNT; axes++) {
        t->row = ploy_axes_text((ploy_axes)axes);
        ploy_obj *obj = read_back(t, &content, (ploy_axes)axes);
        ploy_obj_view view = ploy_obj_get(obj);
        CHECK_INT(view.vertex_count, ploy_heightmap_cells(content.heights));
        CHECK_INT(view.triangle_count, 2 * (def->columns - 1) * (def->rows - 1));
        for (int32_t i = 0; i < view.vertex_count; i++) {
            CHECK_SAME(view.vertices[i].z, ploy_heightmap_elevation(content.heights)[i]);
        }
        if (axes == 0) { // every face looks up: their shadow is the whole map
            double shadow = 0.0;
            for (int32_t i = 0; i < view.triangle_count; i++) {
                ploy_vec3 a = view.vertices[view.triangles[3 * i]];
                ploy_vec3 b = view.vertices[view.triangles[3 * i + 1]];
                ploy_vec3 c = view.vertices[view.triangles[3 * i + 2]];
                ploy_vec3 normal = ploy_vec3_cross(ploy_vec3_sub(b, a), ploy_vec3_sub(c, a));
                CHECK(normal.z > 0.0f);
                shadow += 0.5 * (double)normal.z;
            }
            ploy_box2 box = ploy_heightmap_box(content.heights);
            double area = (double)(box.max.x - box.min.x) * (double)(box.max.y - box.min.y);
            CHECK_NEAR(shadow / area, 1.0, 0.05);
        }
        ploy_obj_destroy(obj);
    }
    ploy_generator_cancel(generator);
}

TEST(a_building_has_the_volume_of_its_parts) {
    for (uint64_t seed = 1; seed < 6; seed++) {
        TEST_SEED(seed);
        ploy_generator generator = make(t, "skyscraper", seed);
        ploy_content content = ploy_generator_content(generator);
        int32_t count = 0;
        const ploy_building_part *parts = ploy_building_parts(content.shape, &count);
        double volume = 0.0;
        for (int32_t i = 0; i < count; i++) {
            if (parts[i].final) {
                volume += (double)parts[i].width * (double)parts[i].depth * (double)parts[i].height;
            }
        }
        ploy_obj *obj = read_back(t, &content, PLOY_AXES_Y_UP_RIGHT);
        CHECK_NEAR(measure(obj).volume, volume, 1e-3 * volume + 1e-2);
        ploy_obj_destroy(obj);
        ploy_generator_cancel(generator);
    }
}

static ploy_result content_body(const ploy_env *env, void *arg) {
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_result result = ploy_content_save_obj(arg, 2.0f, PLOY_AXES_PLOY, env, &writer);
    ploy_buffer_fini(&buffer);
    return result;
}

TEST(writing_survives_failing_allocations_and_refuses_other_content) {
    ploy_generator generator = make(t, "pieces", 1);
    ploy_content content = ploy_generator_content(generator);
    CHECK_FAIL_NTH(content_body, &content);
    ploy_env env = ploy_env_default();
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    ploy_content none = ploy_content_none();
    CHECK_INT(ploy_content_save_obj(&none, 1, PLOY_AXES_PLOY, &env, &writer), PLOY_ERR_ARGUMENT);
    CHECK_INT(ploy_content_save_obj(&content, NAN, PLOY_AXES_PLOY, &env, &writer),
              PLOY_ERR_ARGUMENT);
    ploy_buffer_fini(&buffer);
    ploy_generator_cancel(generator);
}
