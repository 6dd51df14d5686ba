// A tree beside a wall. You will see rules that branch in two, a check that cuts what would grow
// through the wall, and the result as a mesh and as the first lines of an OBJ file. Shows
// ploy/generate/plant.h, plant_mesh.h and ploy/data/plant_file.h.
#include <stdio.h>

#include "ploy/data/plant_file.h"

// The wall is at x = 0.5.
static ploy_growth_check wall(void *user, const ploy_plant *plant, const ploy_plant_branch *next) {
    (void)user;
    (void)plant;
    return ploy_plant_end(next).x > 0.5f ? PLOY_GROWTH_PRUNE : PLOY_GROWTH_GO_ON;
}

static ploy_growth *grow(const ploy_growth_rules *rules, const ploy_env *env) {
    ploy_growth_def def = ploy_growth_def_default();
    def.preset = PLOY_GROWTH_EVEN;
    ploy_growth *growth = NULL;
    if (ploy_growth_begin(&def, ploy_rng_key_make(1), rules, NULL, env, &growth) != PLOY_OK) {
        return NULL;
    }
    ploy_growth_step(growth, NULL);
    ploy_generate_outcome outcome = ploy_growth_outcome(growth);
    printf("%lld branches, %lld cut\n", (long long)outcome.count, (long long)outcome.rejected);
    return growth;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_growth_rules rules = ploy_growth_preset_rules(PLOY_GROWTH_EVEN);
    ploy_growth_cancel(grow(&rules, &env));
    rules.check = wall;
    ploy_growth *growth = grow(&rules, &env);
    if (growth == NULL) return 1;

    ploy_plant_mesh_def def = ploy_plant_mesh_def_default();
    ploy_plant_mesh *mesh = NULL;
    if (ploy_plant_mesh_create(&def, ploy_growth_plant(growth), &env, &mesh) != PLOY_OK) return 1;
    int32_t vertices = 0, triangles = 0;
    ploy_plant_mesh_vertices(mesh, &vertices);
    ploy_plant_mesh_triangles(mesh, &triangles);
    printf("mesh of %d vertices and %d triangles\n", (int)vertices, (int)triangles);

    ploy_buffer buffer;
    ploy_buffer_init(&buffer, 0, &env);
    ploy_writer writer = ploy_buffer_writer(&buffer);
    if (ploy_plant_mesh_save(mesh, PLOY_AXES_Y_UP_RIGHT, &writer) != PLOY_OK) return 1;
    printf("as OBJ %d bytes\n", (int)buffer.size);
    ploy_buffer_clear(&buffer);
    if (ploy_plant_save_skeleton(ploy_growth_plant(growth), 1, PLOY_AXES_PLOY, &writer) !=
        PLOY_OK) {
        return 1;
    }
    printf("%.18s\n", buffer.bytes);
    ploy_buffer_fini(&buffer);
    ploy_plant_mesh_destroy(mesh);
    ploy_growth_cancel(growth);
    return 0;
}
