// Plants as OBJ; see the header.
#include "ploy/data/plant_file.h"

#include "data/obj_write.h"

// `l first first+1 ...`: vertices in a row, counted from 1.
static void plant_file_line(ploy_writer *writer, int64_t first, int32_t count) {
    ploy_write_char(writer, 'l');
    for (int32_t i = 0; i < count; i++) {
        ploy_write_char(writer, ' ');
        ploy_write_i64(writer, first + i);
    }
    ploy_write_char(writer, '\n');
}

ploy_result ploy_plant_save_skeleton(const ploy_plant *plant, int32_t segments, ploy_axes axes,
                                     ploy_writer *writer) {
    if (plant == NULL || writer == NULL || segments < 1) return PLOY_ERR_ARGUMENT;
    ploy_adapter adapter = ploy_adapter_make(axes, 1.0f);
    int32_t count = 0, leaf_count = 0;
    ploy_plant_branches(plant, &count);
    const ploy_plant_leaf *leaves = ploy_plant_leaves(plant, &leaf_count);
    int64_t next = 1;
    ploy_write_text(writer, "o branches\n");
    for (int32_t i = 0; i < count; i++, next += segments + 1) {
        for (int32_t k = 0; k <= segments; k++) {
            float t = (float)k / (float)segments;
            ployi_obj_vertex(writer, adapter, ploy_plant_curve(plant, i, t));
        }
        plant_file_line(writer, next, segments + 1);
    }
    if (leaf_count > 0) ploy_write_text(writer, "o leaves\n");
    for (int32_t i = 0; i < leaf_count; i++, next += 2) {
        ployi_obj_vertex(writer, adapter, leaves[i].position);
        ployi_obj_vertex(
            writer, adapter,
            ploy_vec3_add_scaled(leaves[i].position, leaves[i].direction, leaves[i].size));
        plant_file_line(writer, next, 2);
    }
    return ploy_writer_result(writer);
}

ploy_result ploy_plant_mesh_save(const ploy_plant_mesh *mesh, ploy_axes axes, ploy_writer *writer) {
    if (mesh == NULL || writer == NULL) return PLOY_ERR_ARGUMENT;
    ploy_adapter adapter = ploy_adapter_make(axes, 1.0f);
    int32_t vertex_count = 0, triangle_count = 0;
    const ploy_vec3 *vertices = ploy_plant_mesh_vertices(mesh, &vertex_count);
    const int32_t *triangles = ploy_plant_mesh_triangles(mesh, &triangle_count);
    ploy_write_text(writer, "o plant\n");
    for (int32_t i = 0; i < vertex_count; i++) ployi_obj_vertex(writer, adapter, vertices[i]);
    for (int32_t i = 0; i < triangle_count; i++) {
        const int32_t *t = triangles + 3 * (size_t)i;
        const int64_t corners[3] = {t[0], t[1], t[2]};
        ployi_obj_face(writer, adapter, corners, 3);
    }
    return ploy_writer_result(writer);
}
