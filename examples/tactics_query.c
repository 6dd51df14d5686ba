// Asks for the best place: cover within 25 m, as near as possible. You see the place and its score.
// Shows ploy_query_type_load and ploy_query_run.
#include <stdio.h>
#include <string.h>

#include "ploy/tactics/query.h"

int main(void) {
    static const char text[] = "from points cover within 25\n"
                               "test quality cover weight 2\n"
                               "test distance self weight 1 from 0 to 25 curve linear -1 1\n";
    static const float covers[3] = {0.3f, 0.9f, 0.8f};
    ploy_env env = ploy_env_default();
    ploy_tactical_points_def def = ploy_tactical_points_def_default();
    ploy_tactical_points *points = NULL;
    ploy_query_type *type = NULL;
    ploy_query *query = NULL;
    ploy_query_result result;
    if (ploy_tactical_points_create(&def, &env, &points) != PLOY_OK) return 1;
    for (int i = 0; i < 3; i++) {
        ploy_tactical_point point = ploy_tactical_point_make(ploy_vec3_make(4.0f * (float)i, 2, 0));
        ploy_tactical_id id;
        if (ploy_tactical_points_add(points, &point, &id) != PLOY_OK) return 1;
        (void)ploy_tactical_points_set_value(points, id, PLOY_TACTICAL_COVER, covers[i]);
    }
    ploy_query_context context = ploy_query_context_make(ploy_vec3_make(1, 0, 0));
    context.points = points;
    if (ploy_query_type_load(text, strlen(text), "cover", NULL, points, NULL, &env, NULL, &type) !=
            PLOY_OK ||
        ploy_query_create(type, &env, &query) != PLOY_OK ||
        ploy_query_run(query, &context, &result) != PLOY_OK) {
        return 1;
    }
    printf("best at %g %g, score %.2f\n", (double)result.spots[0].position.x,
           (double)result.spots[0].position.y, (double)result.spots[0].score);
    ploy_query_destroy(query);
    ploy_query_type_destroy(type);
    ploy_tactical_points_destroy(points);
    return 0;
}
