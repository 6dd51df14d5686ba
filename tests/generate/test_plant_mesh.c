// Meshes of plants: counts, radii, outward triangles, failures.
#include "tests/test.h"

#include "ploy/generate/plant_mesh.h"

static ploy_growth *plant_mesh_test_grow(test_context *t, ploy_growth_preset preset,
                                         const ploy_env *env) {
    ploy_growth_def def = ploy_growth_def_default();
    def.preset = preset;
    def.max_level = 4;
    def.leaves = 2;
    ploy_growth *growth = NULL;
    CHECK_OK(ploy_growth_begin(&def, ploy_rng_key_make(3), NULL, NULL, env, &growth));
    CHECK_OK(ploy_growth_step(growth, NULL));
    return growth;
}

TEST(a_mesh_is_tubes_around_the_branches) {
    ploy_env env = ploy_env_default();
    ploy_growth *growth = plant_mesh_test_grow(t, PLOY_GROWTH_TREE, &env);
    const ploy_plant *plant = ploy_growth_plant(growth);
    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    def.sides = 5;
    def.segments = 3;
    ploy_plant_mesh *mesh = NULL;
    CHECK_OK(ploy_plant_mesh_create(&def, plant, &env, &mesh));
    int32_t branches = 0, leaves = 0, vertices = 0, triangles = 0, tips = 0;
    const ploy_plant_branch *branch = ploy_plant_branches(plant, &branches);
    ploy_plant_leaves(plant, &leaves);
    for (int32_t i = 0; i < branches; i++) tips += branch[i].rule < 0;
    const ploy_vec3 *vertex = ploy_plant_mesh_vertices(mesh, &vertices);
    const int32_t *triangle = ploy_plant_mesh_triangles(mesh, &triangles);
    CHECK_INT(vertices, branches * 5 * 4 + tips + leaves * 4);
    CHECK_INT(triangles, branches * 5 * 3 * 2 + tips * 5 + leaves * 2);
    for (int32_t i = 0; i < 3 * triangles; i++) CHECK(triangle[i] >= 0 && triangle[i] < vertices);
    // The trunk comes first: its rings have its radii, its triangles face outward.
    for (int32_t k = 0; k < 5; k++) {
        CHECK_NEAR(ploy_vec3_length(ploy_vec3_sub(vertex[k], branch[0].position)), branch[0].radius,
                   1e-5);
        CHECK_NEAR(ploy_vec3_length(ploy_vec3_sub(vertex[15 + k], ploy_plant_end(&branch[0]))),
                   branch[0].tip_radius, 1e-5);
    }
    for (int32_t i = 0; i < 30; i++) {
        ploy_vec3 a = vertex[triangle[3 * i]], b = vertex[triangle[3 * i + 1]];
        ploy_vec3 c = vertex[triangle[3 * i + 2]];
        ploy_vec3 normal = ploy_vec3_cross(ploy_vec3_sub(b, a), ploy_vec3_sub(c, a));
        ploy_vec3 outward = ploy_vec3_make(a.x + b.x + c.x, a.y + b.y + c.y, 0.0f);
        CHECK(ploy_vec3_dot(normal, outward) > 0.0f);
    }
    int64_t bytes = 0;
    ploy_plant_mesh_memory(mesh, test_sum_memory, &bytes);
    CHECK(bytes > vertices * 12);
    ploy_plant_mesh_destroy(mesh);
    def.leaves = false;
    CHECK_OK(ploy_plant_mesh_create(&def, plant, &env, &mesh));
    int32_t fewer = 0;
    ploy_plant_mesh_vertices(mesh, &fewer);
    CHECK_INT(fewer, vertices - 4 * leaves);
    ploy_plant_mesh_destroy(mesh);
    def.sides = 2;
    CHECK_INT(ploy_plant_mesh_create(&def, plant, &env, &mesh), PLOY_ERR_ARGUMENT);
    ploy_growth_cancel(growth);
}

static ploy_result plant_mesh_test_make(const ploy_env *env, void *arg) {
    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    ploy_plant_mesh *mesh = NULL;
    ploy_result result = ploy_plant_mesh_create(&def, arg, env, &mesh);
    ploy_plant_mesh_destroy(mesh);
    return result;
}

TEST(running_out_of_memory_leaks_nothing) {
    ploy_env env = ploy_env_default();
    ploy_growth *growth = plant_mesh_test_grow(t, PLOY_GROWTH_EVEN, &env);
    CHECK_FAIL_NTH(plant_mesh_test_make, (void *)(uintptr_t)ploy_growth_plant(growth));
    ploy_growth_cancel(growth);
}
