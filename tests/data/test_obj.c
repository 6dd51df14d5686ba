// OBJ files: what is read, and what is wrong with a file.
#include "ploy/data/obj.h"

#include <stdlib.h>

#include "tests/test.h"

static ploy_result load(const char *text, size_t size, const ploy_env *env, ploy_diags *diags,
                        ploy_obj **out) {
    return ploy_obj_load(text, size, PLOY_AXES_PLOY, "a.obj", env, diags, out);
}

static const char good[] = "# a square and a triangle\r\n"
                           "mtllib none.mtl\n"
                           "o floor\n"
                           "v 0 0 0\n"
                           "v\t4 0 1e-05 1.0\n"
                           "v 4 4 0 0.5 0.5 0.5 # with colours\n"
                           "vn 0 0 1\n"
                           "v 0 \\\n"
                           "  4 0\n"
                           "s off\n"
                           "usemtl stone\n"
                           "f 1 2/1 3//1 4/1/1\n"
                           "f -4 \\\r\n-2 -1";

TEST(vertices_and_faces_are_read_and_faces_cut_into_triangles) {
    ploy_env env = ploy_env_default();
    ploy_obj *obj = NULL;
    CHECK_OK(load(good, strlen(good), &env, NULL, &obj));
    ploy_obj_view view = ploy_obj_get(obj);
    static const int32_t sizes[] = {4, 3}, corners[] = {0, 1, 2, 3, 0, 2, 3};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 2, 3};
    CHECK_INT(view.vertex_count, 4);
    CHECK_INT(view.face_count, 2);
    CHECK_INT(view.corner_count, 7);
    CHECK_INT(view.triangle_count, 3);
    CHECK_BYTES(view.sizes, sizes, sizeof sizes);
    CHECK_BYTES(view.corners, corners, sizeof corners);
    CHECK_BYTES(view.triangles, triangles, sizeof triangles);
    CHECK_SAME(view.vertices[1].z, 1e-05f);
    CHECK_SAME(view.vertices[3].y, 4.0f);
    CHECK_INT(ploy_obj_soup(obj).polygon_count, 2);
    ploy_obj_destroy(obj);
}

TEST(axes_of_the_file_become_ours) {
    static const char text[] = "v 1 2 3\nf 1 1 1\n";
    ploy_env env = ploy_env_default();
    ploy_obj *obj = NULL;
    CHECK_OK(ploy_obj_load(text, strlen(text), PLOY_AXES_Y_UP_RIGHT, "a.obj", &env, NULL, &obj));
    ploy_adapter adapter = ploy_adapter_make(PLOY_AXES_Y_UP_RIGHT, 1.0f);
    ploy_vec3 back = ploy_adapter_point_to_host(adapter, ploy_obj_get(obj).vertices[0]);
    CHECK_SAME(ploy_obj_get(obj).vertices[0].z, 2.0f); // what was up is up
    CHECK(back.x == 1.0f && back.y == 2.0f && back.z == 3.0f);
    ploy_obj_destroy(obj);
    CHECK_INT(ploy_obj_load(text, strlen(text), PLOY_AXES_COUNT, "a", &env, NULL, &obj),
              PLOY_ERR_ARGUMENT);
}

TEST(faults_are_named_with_line_and_column) {
    static const struct {
        const char *row, *text;
        int32_t line, column;
    } rows[] = {
        {"nothing", "", 1, 1},
        {"no face", "v 0 0 0\n", 2, 1},
        {"a vertex cut short", "v 0 0 0\nv 1 2", 2, 6},
        {"a coordinate that is none", "v 0 zero 0\n", 1, 5},
        {"a coordinate cut short", "v 0 1. 1e\n", 1, 8},
        {"too far", "v 0 0 2e9\n", 1, 7},
        {"not a number at all", "v 0 0 nan\n", 1, 7},
        {"a colour that is none", "v 0 0 0 red\n", 1, 9},
        {"two corners", "v 0 0 0\nf 1 1\n", 2, 1},
        {"a vertex that is not there", "v 0 0 0\nf 1 1 2\n", 2, 7},
        {"counted back too far", "v 0 0 0\nf -1 -2 1\n", 2, 6},
        {"vertex 0", "v 0 0 0\nf 1 0 1\n", 2, 5},
        {"a corner that is none", "v 0 0 0\nf 1 1/ 1\n", 2, 5},
        {"a corner of four", "v 0 0 0\nf 1 1/1/1/1 1\n", 2, 5},
        {"a corner of letters", "v 0 0 0\nf 1 x 1\n", 2, 5},
        {"on a line that goes on", "v 0 0 0\nf 1 1 \\\n 9\n", 3, 2},
        {"an unknown word", "v 0 0 0\nf 1 1 1\nnonsense 3\n", 3, 1},
        {"bytes", "\x01\x02\x03\n", 1, 1},
    };
    ploy_env env = ploy_env_default();
    ploy_diags *diags = NULL;
    CHECK_OK(ploy_diags_create(8, &env, &diags));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        ploy_diags_clear(diags);
        ploy_obj *obj = NULL;
        CHECK_INT(load(rows[i].text, strlen(rows[i].text), &env, diags, &obj), PLOY_ERR_FORMAT);
        CHECK(obj == NULL && ploy_diags_count(diags) > 0);
        CHECK_INT(ploy_diags_get(diags, 0)->line, rows[i].line);
        CHECK_INT(ploy_diags_get(diags, 0)->column, rows[i].column);
    }
    // It goes on after a fault, but not for ever.
    char many[1000];
    for (size_t i = 0; i < sizeof many; i += 2) memcpy(many + i, "?\n", 2);
    ploy_diags_clear(diags);
    ploy_obj *obj = NULL;
    CHECK_INT(load(many, sizeof many, &env, diags, &obj), PLOY_ERR_FORMAT);
    CHECK_INT(ploy_diags_total(diags, PLOY_SEVERITY_ERROR), 20);
    ploy_diags_destroy(diags);
}

// A file that is cut anywhere loads less or is refused; nothing else happens.
TEST(cut_files_never_do_harm) {
    ploy_env env = ploy_env_default();
    for (size_t size = 0; size <= strlen(good); size++) {
        char *copy = malloc(size + 1); // of that size, so that a sanitizer sees a read too far
        memcpy(copy, good, size);
        ploy_obj *obj = NULL;
        ploy_result result = load(copy, size, &env, NULL, &obj);
        CHECK((result == PLOY_OK) == (obj != NULL));
        ploy_obj_destroy(obj);
        free(copy);
    }
}

static ploy_result load_nth(const ploy_env *env, void *arg) {
    ploy_obj *obj = NULL;
    (void)arg;
    ploy_result result = load(good, strlen(good), env, NULL, &obj);
    ploy_obj_destroy(obj);
    return result;
}

TEST(loading_survives_every_failing_allocation) {
    CHECK_FAIL_NTH(load_nth, NULL);
}

TEST(real_files_have_what_they_are_known_to_have) {
    static const struct {
        const char *row;
        int32_t vertices, triangles;
    } rows[] = {
        {"nav_test.obj", 884, 1612}, {"undulating.obj", 2800, 5202}, {"bridge.obj", 29, 54}};
    if (test_data_dir() == NULL) {
        test_skip(t, "the OBJ files are not there");
        return;
    }
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        char path[1024];
        snprintf(path, sizeof path, "%s/navmesh/%s", test_data_dir(), rows[i].row);
        size_t size = 0;
        char *bytes = test_read_file(path, &size);
        CHECK(bytes != NULL);
        ploy_obj *obj = NULL;
        CHECK_OK(ploy_obj_load(bytes, size, PLOY_AXES_Y_UP_RIGHT, path, &env, NULL, &obj));
        CHECK_INT(ploy_obj_get(obj).vertex_count, rows[i].vertices);
        CHECK_INT(ploy_obj_get(obj).triangle_count, rows[i].triangles);
        ploy_obj_destroy(obj);
        free(bytes);
    }
}
