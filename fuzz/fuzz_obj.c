// Any bytes as an OBJ file: refused with a reason, or loaded with every index in range; then a
// navigation mesh is made of its faces, faulty ones left out.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/data/obj.h"

static void must(bool condition) {
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    ploy_obj *obj = NULL;
    must(ploy_diags_create(8, &env, &diags) == PLOY_OK);
    ploy_result result = ploy_obj_load(data, size, PLOY_AXES_Y_UP_RIGHT, "fuzz", &env, diags, &obj);
    must((result == PLOY_OK) == (obj != NULL));
    must((result == PLOY_OK) == (ploy_diags_total(diags, PLOY_SEVERITY_DEBUG) == 0));
    if (obj != NULL) {
        ploy_obj_view view = ploy_obj_get(obj);
        int64_t corners = 0, triangles = 0;
        for (int32_t i = 0; i < view.face_count; i++) {
            must(view.sizes[i] >= 3);
            corners += view.sizes[i];
            triangles += view.sizes[i] - 2;
        }
        must(corners == view.corner_count && triangles == view.triangle_count);
        for (int32_t i = 0; i < view.corner_count; i++) {
            must(view.corners[i] >= 0 && view.corners[i] < view.vertex_count);
        }
        ploy_navmesh_def def = ploy_navmesh_def_default();
        ploy_navmesh_soup soup = ploy_obj_soup(obj);
        ploy_navmesh *mesh = NULL;
        def.skip_faults = true;
        result = ploy_navmesh_create(&def, &soup, &env, NULL, &mesh);
        must((result == PLOY_OK) == (mesh != NULL));
        ploy_navmesh_destroy(mesh);
    }
    ploy_obj_destroy(obj);
    ploy_diags_destroy(diags);
    return 0;
}
