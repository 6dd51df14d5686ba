// Meshes of plants; see the header.
//
// Vertices of a branch: a ring of `sides` at each of segments + 1 places, then for a tip one point.
#include "ploy/generate/plant_mesh.h"

#include "ploy/base/math.h"

static const ploy_field plant_mesh_fields[] = {
    PLOY_FIELD_I32(ploy_plant_mesh_def, sides, 6, 3, 64, "", "sides of a tube"),
    PLOY_FIELD_I32(ploy_plant_mesh_def, segments, 3, 1, 64, "", "along a branch"),
    PLOY_FIELD_BOOL(ploy_plant_mesh_def, leaves, true, "add the leaves"),
};

ploy_fields ploy_plant_mesh_fields(void) {
    return PLOY_FIELDS(ploy_plant_mesh_def, plant_mesh_fields);
}

ploy_plant_mesh_def ploy_plant_mesh_def_default(void) {
    ploy_plant_mesh_def def;
    ploy_fields_default(ploy_plant_mesh_fields(), &def);
    return def;
}

struct ploy_plant_mesh {
    ploy_env env;
    ploy_plant_mesh_def def;
    ploy_vec3 *vertices;
    int32_t *triangles;
    int32_t vertex_count, triangle_count;
    size_t vertex_size, triangle_size; // bytes of the two blocks
};

static void plant_mesh_triangle(ploy_plant_mesh *mesh, int32_t a, int32_t b, int32_t c) {
    int32_t *triangle = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static void plant_mesh_branch(ploy_plant_mesh *mesh, const ploy_plant *plant, int32_t index) {
    int32_t count = 0, sides = mesh->def.sides, segments = mesh->def.segments;
    const ploy_plant_branch *branch = &ploy_plant_branches(plant, &count)[index];
    int32_t first = mesh->vertex_count;
    for (int32_t i = 0; i <= segments; i++) {
        float t = (float)i / (float)segments;
        ploy_vec3 middle = ploy_plant_curve(plant, index, t);
        float radius = ploy_lerpf(branch->radius, branch->tip_radius, t);
        for (int32_t k = 0; k < sides; k++) {
            float sine, cosine;
            ploy_sincosf(PLOY_TWO_PI_F * (float)k / (float)sides, &sine, &cosine);
            ploy_vec3 out = ploy_vec3_make(0.0f, radius * cosine, radius * sine);
            mesh->vertices[mesh->vertex_count++] =
                ploy_vec3_add(middle, ploy_quat_rotate(branch->orientation, out));
        }
    }
    for (int32_t i = 0; i < segments; i++) {
        for (int32_t k = 0; k < sides; k++) {
            int32_t a = first + i * sides + k, b = first + i * sides + (k + 1) % sides;
            plant_mesh_triangle(mesh, a, b, b + sides);
            plant_mesh_triangle(mesh, a, b + sides, a + sides);
        }
    }
    if (branch->rule >= 0) return;
    int32_t ring = mesh->vertex_count - sides, point = mesh->vertex_count;
    mesh->vertices[mesh->vertex_count++] = ploy_plant_curve(plant, index, 1.0f);
    for (int32_t k = 0; k < sides; k++) {
        plant_mesh_triangle(mesh, ring + k, ring + (k + 1) % sides, point);
    }
}

static void plant_mesh_leaf(ploy_plant_mesh *mesh, const ploy_plant_leaf *leaf) {
    ploy_vec3 side = ploy_vec3_cross(leaf->direction, ploy_vec3_make(0.0f, 0.0f, 1.0f));
    // A leaf that points straight up or down has no side of that kind.
    if (ploy_vec3_length(side) < 1e-3f) side = ploy_vec3_make(1.0f, 0.0f, 0.0f);
    side = ploy_vec3_scale(ploy_vec3_normalise(side), 0.3f * leaf->size);
    ploy_vec3 middle = ploy_vec3_add_scaled(leaf->position, leaf->direction, 0.4f * leaf->size);
    int32_t first = mesh->vertex_count;
    mesh->vertices[mesh->vertex_count++] = leaf->position;
    mesh->vertices[mesh->vertex_count++] = ploy_vec3_add(middle, side);
    mesh->vertices[mesh->vertex_count++] =
        ploy_vec3_add_scaled(leaf->position, leaf->direction, leaf->size);
    mesh->vertices[mesh->vertex_count++] = ploy_vec3_sub(middle, side);
    plant_mesh_triangle(mesh, first, first + 1, first + 2);
    plant_mesh_triangle(mesh, first, first + 2, first + 3);
}

ploy_result ploy_plant_mesh_create(const ploy_plant_mesh_def *def, const ploy_plant *plant,
                                   const ploy_env *env, ploy_plant_mesh **out) {
    if (out == NULL) return PLOY_ERR_ARGUMENT;
    *out = NULL;
    if (plant == NULL) return PLOY_ERR_ARGUMENT;
    ploy_result result = ploy_fields_check(ploy_plant_mesh_fields(), def, env);
    if (result != PLOY_OK) return result;
    int32_t branch_count = 0, leaf_count = 0, tips = 0;
    const ploy_plant_branch *branches = ploy_plant_branches(plant, &branch_count);
    const ploy_plant_leaf *leaves = ploy_plant_leaves(plant, &leaf_count);
    if (!def->leaves) leaf_count = 0;
    for (int32_t i = 0; i < branch_count; i++) tips += branches[i].rule < 0;
    int64_t vertices =
        (int64_t)branch_count * def->sides * (def->segments + 1) + tips + (int64_t)leaf_count * 4;
    int64_t triangles = (int64_t)branch_count * def->sides * def->segments * 2 +
                        (int64_t)tips * def->sides + (int64_t)leaf_count * 2;
    if (vertices > INT32_MAX || triangles > INT32_MAX) return PLOY_ERR_LIMIT;
    ploy_plant_mesh *mesh = ploy_env_alloc_zero(env, sizeof *mesh);
    if (mesh == NULL) return PLOY_ERR_MEMORY;
    mesh->env = *env;
    mesh->def = *def;
    // One more than needed, so that a plant without branches has blocks too.
    bool fits = ploy_size_add_array(0, vertices + 1, sizeof(ploy_vec3), &mesh->vertex_size) &&
                ploy_size_add_array(0, triangles + 1, 3 * sizeof(int32_t), &mesh->triangle_size);
    if (fits) {
        mesh->vertices = ploy_env_alloc(env, mesh->vertex_size);
        mesh->triangles = ploy_env_alloc(env, mesh->triangle_size);
    }
    if (mesh->vertices == NULL || mesh->triangles == NULL) {
        ploy_plant_mesh_destroy(mesh);
        return PLOY_ERR_MEMORY;
    }
    for (int32_t i = 0; i < branch_count; i++) plant_mesh_branch(mesh, plant, i);
    for (int32_t i = 0; i < leaf_count; i++) plant_mesh_leaf(mesh, &leaves[i]);
    *out = mesh;
    return PLOY_OK;
}

void ploy_plant_mesh_destroy(ploy_plant_mesh *mesh) {
    if (mesh == NULL) return;
    ploy_env env = mesh->env;
    ploy_env_free(&env, mesh->vertices, mesh->vertex_size);
    ploy_env_free(&env, mesh->triangles, mesh->triangle_size);
    ploy_env_free(&env, mesh, sizeof *mesh);
}

const ploy_vec3 *ploy_plant_mesh_vertices(const ploy_plant_mesh *mesh, int32_t *count) {
    *count = mesh->vertex_count;
    return mesh->vertices;
}

const int32_t *ploy_plant_mesh_triangles(const ploy_plant_mesh *mesh, int32_t *count) {
    *count = mesh->triangle_count;
    return mesh->triangles;
}

void ploy_plant_mesh_memory(const ploy_plant_mesh *mesh, ploy_memory_fn fn, void *user) {
    ploy_memory_item self = {"plant mesh", sizeof *mesh, 1};
    ploy_memory_item vertices = {"vertices", mesh->vertex_size, 1};
    ploy_memory_item triangles = {"triangles", mesh->triangle_size, 1};
    fn(user, &self);
    fn(user, &vertices);
    fn(user, &triangles);
}
