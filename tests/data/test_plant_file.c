// Plants as OBJ: meshes read back equal, skeletons have a line for each branch.
#include "tests/test.h"

#include "ploy/data/obj.h"
#include "ploy/data/plant_file.h"

static ploy_growth *plant_file_test_grow(test_context *t, const ploy_env *env) {
    ploy_growth_def def = ploy_growth_def_default();
    def.max_level = 3;
    def.leaves = 1;
    ploy_growth *growth = NULL;
    CHECK_OK(ploy_growth_begin(&def, ploy_rng_key_make(3), NULL, NULL, env, &growth));
    CHECK_OK(ploy_growth_step(growth, NULL));
    return growth;
}

TEST(a_mesh_reads_back_equal_in_any_axes) {
    ploy_env env = ploy_env_default();
    ploy_growth *growth = plant_file_test_grow(t, &env);
    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    ploy_plant_mesh *mesh = NULL;
    CHECK_OK(ploy_plant_mesh_create(&def, ploy_growth_plant(growth), &env, &mesh));
    int32_t vertices = 0, triangles = 0;
    const ploy_vec3 *vertex = ploy_plant_mesh_vertices(mesh, &vertices);
    const int32_t *triangle = ploy_plant_mesh_triangles(mesh, &triangles);
    for (int32_t axes = 0; axes < PLOY_AXES_COUNT; axes++) {
        t->row = ploy_axes_text((ploy_axes)axes);
        ploy_buffer buffer;
        ploy_buffer_init(&buffer, 0, &env);
        ploy_writer writer = ploy_buffer_writer(&buffer);
        CHECK_OK(ploy_plant_mesh_save(mesh, (ploy_axes)axes, &writer));
        ploy_obj *obj = NULL;
        CHECK_OK(
            ploy_obj_load(buffer.bytes, buffer.size, (ploy_axes)axes, "plant", &env, NULL, &obj));
        ploy_obj_view view = ploy_obj_get(obj);
        CHECK_INT(view.vertex_count, vertices);
        CHECK_INT(view.triangle_count, triangles);
        for (int32_t i = 0; i < vertices; i++) {
            CHECK_SAME(view.vertices[i].x, vertex[i].x);
            CHECK_SAME(view.vertices[i].y, vertex[i].y);
            CHECK_SAME(view.vertices[i].z, vertex[i].z);
        }
        bool mirrors = ploy_adapter_mirrors(ploy_adapter_make((ploy_axes)axes, 1.0f));
        for (int32_t i = 0; i < triangles; i++) {
            // What the reader does with the corners of a mirrored file is its own matter.
            CHECK_INT(view.triangles[3 * i], triangle[3 * i]);
            if (!mirrors) CHECK_INT(view.triangles[3 * i + 1], triangle[3 * i + 1]);
        }
        ploy_obj_destroy(obj);
        ploy_buffer_fini(&buffer);
    }
    ploy_plant_mesh_destroy(mesh);
    ploy_growth_cancel(growth);
}

TEST(a_skeleton_has_a_line_for_each_branch_and_leaf) {
    ploy_env env = ploy_env_default();
    ploy_growth *growth = plant_file_test_grow(t, &env);
    int32_t branches = 0, leaves = 0, lines = 0, vertices = 0;
    ploy_plant_branches(ploy_growth_plant(growth), &branches);
    ploy_plant_leaves(ploy_growth_plant(growth), &leaves);
    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    CHECK_OK(ploy_plant_save_skeleton(ploy_growth_plant(growth), 2, PLOY_AXES_Y_UP_RIGHT, &writer));
    for (const char *at = buffer.bytes; (at = strchr(at, '\n')) != NULL && at[1] != '\0'; at++) {
        lines += at[1] == 'l';
        vertices += at[1] == 'v';
    }
    CHECK_INT(lines, branches + leaves);
    CHECK_INT(vertices, 3 * branches + 2 * leaves);
    CHECK(strncmp(buffer.bytes, "o branches\nv ", 13) == 0);
    CHECK_INT(ploy_plant_save_skeleton(ploy_growth_plant(growth), 0, PLOY_AXES_PLOY, &writer),
              PLOY_ERR_ARGUMENT);
    ploy_buffer_fini(&buffer);
    ploy_growth_cancel(growth);
}
