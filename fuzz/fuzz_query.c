// Any bytes as a query: it loads whole or not at all, and what loads runs within a budget without harm.
#include <stdint.h>
#include <stdlib.h>

#include "ploy/tactics/query.h"

static void must(bool ok) {
    if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ploy_env env = ploy_env_default();
    env.log = NULL;
    ploy_diags *diags = NULL;
    ploy_tactical_points *points = NULL;
    ploy_query_type *type = NULL;
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    must(ploy_diags_create(4, &env, &diags) == PLOY_OK);
    must(ploy_tactical_points_create(&def, &env, &points) == PLOY_OK);
    for (int i = 0; i < 5; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make((float)i, 1, 0));
        ploy_tactical_id id;
        must(ploy_tactical_points_add(points, &point, &id) == PLOY_OK);
        must(ploy_tactical_points_set_value(points, id, i, 0.5f) == PLOY_OK);
    }
    ploy_result result = ploy_query_type_load((const char *)bytes, size, "fuzz", NULL, points, NULL,
                                              &env, diags, &type);
    must((result == PLOY_OK) == (type != NULL));
    if (result == PLOY_OK) {
        ploy_query *query = NULL;
        ploy_query_context context = ploy_query_context_make(ploy_vec3_make(0, 0, 0));
        const ploy_tactical_threat enemy = {{9, 9, 0}, 0};
        context.points = points;
        context.enemies = &enemy;
        context.enemy_count = 1;
        must(ploy_query_create(type, &env, &query) == PLOY_OK);
        ploy_budget budget = ploy_budget_units(2000);
        if (ploy_query_begin(query, &context) == PLOY_OK)
            must(ploy_query_step(query, &budget) >= 0);
        ploy_query_destroy(query);
    }
    ploy_query_type_destroy(type);
    ploy_tactical_points_destroy(points);
    ploy_diags_destroy(diags);
    return 0;
}
