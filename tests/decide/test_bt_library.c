#include "ploy/decide/bt_library.h"
#include "tests/decide/bt_script.h"

static ploy_result library_fill(const ploy_env *env, void *arg) {
    test_context *t = arg;
    ploy_bt_library *library = NULL;
    ploy_bt_builder *builder = NULL;
    ploy_bt *bt = NULL;
    ploy_bt_instance *instance = NULL, *nobody = NULL;
    ploy_bt_instance_def def = ploy_bt_instance_def_default();
    ploy_result result = ploy_bt_library_create(env, &library);
    if (result == PLOY_OK) result = ploy_bt_builder_create("goon", NULL, env, &builder);
    if (result == PLOY_OK) result = ploy_bt_builder_add(builder, PLOY_BT_ALWAYS_SUCCESS, NULL);
    if (result == PLOY_OK) result = ploy_bt_builder_build(builder, NULL, &bt);
    if (result == PLOY_OK) result = ploy_bt_library_add(library, bt);
    if (result != PLOY_OK) ploy_bt_destroy(bt); // still ours
    if (result == PLOY_OK) {
        CHECK_INT(ploy_bt_library_add(library, bt), PLOY_ERR_EXISTS);
        CHECK(ploy_bt_library_find(library, "goon") == bt);
        CHECK(ploy_bt_library_find(library, "boss") == NULL);
        CHECK_INT(ploy_bt_library_count(library), 1);
        CHECK_INT(ploy_bt_library_make(library, "boss", &def, NULL, env, &nobody),
                  PLOY_ERR_NOT_FOUND);
        result = ploy_bt_library_make(library, "goon", &def, NULL, env, &instance);
    }
    ploy_bt_instance_destroy(instance);
    ploy_bt_builder_destroy(builder);
    ploy_bt_library_destroy(library);
    return result;
}

// BHT-23.
TEST(a_library_makes_instances_by_name_and_survives_failing_allocations) {
    CHECK_FAIL_NTH(library_fill, t);
}
