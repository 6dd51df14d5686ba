// A hound chases a hare round a pillar: one search at the start, then the corridor is mended while
// both run. Shows ploy/path/corridor.h.
#include <stdio.h>

#include "ploy/path/corridor.h"

static ploy_result build(const ploy_env *env, ploy_navmesh **mesh) {
    static const ploy_vec2 yard[] = {{0, 0}, {20, 0}, {20, 12}, {0, 12}};
    static const ploy_vec2 pillar[] = {{8, 3}, {12, 3}, {12, 9}, {8, 9}};
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.4f;
    ploy_rings *rings = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, yard, 4);
    if (result == PLOY_OK) result = ploy_rings_add_reversed(rings, pillar, 4);
    if (result == PLOY_OK) {
        result =
            ploy_navmesh_create_rings(&def, rings, PLOY_FILL_EVEN_ODD, NULL, 0, env, NULL, mesh);
    }
    ploy_rings_destroy(rings);
    return result;
}

// Both run for a tenth of a second; the hound is the faster one.
static ploy_result chase(ploy_corridor *corridor, ploy_navmesh_query *query) {
    ploy_vec2 hound = ploy_vec2_from_vec3(ploy_corridor_get(corridor).agent.point);
    ploy_vec2 hare = ploy_vec2_from_vec3(ploy_corridor_get(corridor).goal.point);
    ploy_vec2 next = ploy_vec2_from_vec3(ploy_corridor_next(corridor, 0.05f));
    ploy_vec2 step = ploy_vec2_with_length(ploy_vec2_sub(next, hound), 0.7f);
    ploy_result result = ploy_corridor_move(corridor, query, ploy_vec2_add(hound, step));
    hare = ploy_vec2_add(hare, ploy_vec2_make(-0.1f, -0.4f)); // it doubles back
    if (result == PLOY_OK) result = ploy_corridor_move_goal(corridor, query, hare);
    if (result == PLOY_OK) result = ploy_corridor_shorten(corridor, query);
    return result;
}

static ploy_result run(ploy_navmesh_query *query, ploy_corridor *corridor) {
    ploy_navmesh_place from, to;
    ploy_navmesh_find_nearest(query, ploy_vec3_make(2, 2, 0), -1, NULL, &from);
    ploy_navmesh_find_nearest(query, ploy_vec3_make(18, 11, 0), -1, NULL, &to);
    ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
    ploy_result result = ploy_navmesh_find_path(query, &request, NULL, NULL);
    if (result == PLOY_OK) result = ploy_corridor_set(corridor, query);
    for (int i = 0; i <= 20 && result == PLOY_OK; i++) {
        ploy_corridor_state state = ploy_corridor_get(corridor);
        float left = ploy_path_length(ploy_corridor_path(corridor));
        if (i % 4 == 0 || left < 0.7f) {
            printf(
                "%.1f s: hound (%4.1f, %4.1f), hare (%4.1f, %4.1f), %4.1f m to run, %d repairs\n",
                0.1 * i, (double)state.agent.point.x, (double)state.agent.point.y,
                (double)state.goal.point.x, (double)state.goal.point.y, (double)left,
                (int)state.repairs);
        }
        if (left < 0.7f || state.stale) break;
        result = chase(corridor, query);
    }
    return result;
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_corridor_def def = ploy_corridor_def_default();
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_query *query = NULL;
    ploy_corridor *corridor = NULL;
    ploy_result result = build(&env, &mesh);
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, &env, &query);
    if (result == PLOY_OK) result = ploy_corridor_create(&def, &env, &corridor);
    if (result == PLOY_OK) result = run(query, corridor);
    ploy_corridor_destroy(corridor);
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(mesh);
    return result == PLOY_OK ? 0 : 1;
}
