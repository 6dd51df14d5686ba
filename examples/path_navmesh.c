// A guard finds a path through a hall with a pillar and walks along its walls: a mesh from an
// outline, the nearest place, a path, a ray, a sliding move. Shows ploy/path/navmesh_query.h.
#include <stdio.h>

#include "ploy/path/navmesh_query.h"

static ploy_result build(const ploy_env *env, ploy_navmesh **mesh) {
    static const ploy_vec2 hall[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
    static const ploy_vec2 pillar[] = {{8, 2}, {12, 2}, {12, 10}, {8, 10}};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.5f; // the guard's, so that its centre is free wherever the mesh is
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, hall, 4);
    if (result == PLOY_OK) result = ploy_rings_add_reversed(rings, pillar, 4); // a hole
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, mesh);
    }
    ploy_rings_destroy(rings);
    return result;
}

static ploy_result walk(ploy_navmesh_query *query, ploy_path *path) {
    ploy_navmesh_place from, to, moved;
    ploy_navmesh_answer answer;
    ploy_navmesh_hit hit;
    ploy_navmesh_find_nearest(query, ploy_vec3_make(3, 5, 0), -1, NULL, &from);
    ploy_navmesh_find_nearest(query, ploy_vec3_make(17, 5, 0), -1, NULL, &to);
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    ploy_result result = ploy_navmesh_find_path(query, &request, path, &answer);
    if (result != PLOY_OK) return result;
    printf("%s, %.1f m:", ploy_path_outcome_text(answer.outcome), (double)ploy_path_length(path));
    for (int32_t i = 0; i < ploy_path_count(path); i++) {
        ploy_vec2 at = ploy_path_point(path, i);
        printf(" (%.1f, %.1f)", (double)at.x, (double)at.y);
    }
    result = ploy_navmesh_find_ray(query, from, ploy_vec2_make(17, 5), &hit);
    if (result != PLOY_OK) return result;
    printf("\nstraight on it meets a wall at x = %.2f\n", (double)hit.at.x);
    result = ploy_navmesh_find_move(query, ploy_navmesh_hit_place(query, &hit),
                                    ploy_vec2_make(9, 6), &moved);
    printf("pushing on it slides to (%.2f, %.2f)\n", (double)moved.point.x, (double)moved.point.y);
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_path_def path_def = ploy_path_def_default();
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_query *query = NULL;
    ploy_path *path = NULL;
    ploy_result result = build(&env, &mesh);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, &env, &query);
    if (result == PLOY_OK) result = ploy_path_create(&path_def, &env, &path);
    if (result == PLOY_OK) {
        ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
        printf("%d polygons, %d portals, %.0f m^2\n", (int)stats.polygons, (int)stats.portals,
               (double)stats.area);
        result = walk(query, path);
    }
    ploy_path_destroy(path);
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(mesh);
    return result == PLOY_OK ? 0 : 1;
}
