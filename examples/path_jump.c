// Two platforms with a gap, and a long detour: a runner that can jump plans a route over the jump,
// runs up and jumps; one that carries too much walks round. Shows ploy_jump_edge as a link of a mesh
// (ploy/path/navmesh.h), and ploy_jump_begin where the route has such an edge.
#include <stdio.h>

#include "ploy/ploy.h"

static const ploy_jump_point gap = {{9.5f, 2, 0}, {12.5f, 2, 0}, PLOY_JUMP_MATCH, 2.0f, {0, 0}};

static ploy_result plan(const ploy_jump_def *can, const ploy_env *env, ploy_path *path) {
    static const ploy_vec2 floor[] = {{0, 0},  {10, 0},  {10, 20}, {12, 20}, {12, 0},
                                      {22, 0}, {22, 24}, {-4, 24}, {-4, 4},  {0, 4}};
    ploy_path_edge edge = ploy_jump_edge(can, &gap, ploy_id_make(1, 1));
    // The mesh counts metres, the jump seconds: at 4 m/s. What cannot be done is no link.
    ploy_navmesh_link link = ploy_navmesh_link_make(gap.take_off, gap.landing);
    bool possible = edge.cost < 1e6f;
    link.cost = possible ? 4.0f * edge.cost : 0.0f;
    link.kind = edge.kind;
    link.id = edge.link;
    ploy_navmesh_def def = ploy_navmesh_def_default();
    def.radius = 0.4f;
    ploy_rings *rings = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_navmesh_query *query = NULL;
    ploy_result result = ploy_rings_create(env, &rings);
    if (result == PLOY_OK) result = ploy_rings_add(rings, floor, 10);
    if (result == PLOY_OK) {
        result = ploy_navmesh_create_rings(&def, rings, PLOY_FILL_NON_ZERO, &link, possible, env,
                                           NULL, &mesh);
    }
    if (result == PLOY_OK) result = ploy_navmesh_query_create(mesh, env, &query);
    if (result == PLOY_OK) {
        ploy_navmesh_place from, to;
        ploy_navmesh_answer answer;
        ploy_navmesh_find_nearest(query, ploy_vec3_make(2, 2, 0), -1, NULL, &from);
        ploy_navmesh_find_nearest(query, ploy_vec3_make(20, 2, 0), -1, NULL, &to);
        ploy_navmesh_request request = ploy_navmesh_request_make(from, to);
        result = ploy_navmesh_find_path(query, &request, path, &answer);
    }
    ploy_navmesh_query_destroy(query);
    ploy_navmesh_destroy(mesh);
    ploy_rings_destroy(rings);
    return result;
}

// Follows the path, and jumps where an edge says so.
static void run(const ploy_jump_def *can, const ploy_path *path) {
    ploy_integrate_def motion = ploy_integrate_def_default();
    ploy_arrive_def arrive = ploy_arrive_def_default();
    ploy_kinematic runner = ploy_kinematic_make(ploy_path_point(path, 0), 0.0f);
    const float dt = 1.0f / 60.0f;
    int next = 1, jumps = 0, tick = 0;
    ploy_jump jump;
    bool jumping = false;
    for (; tick < 3600 && next < ploy_path_count(path); tick++) {
        ploy_vec2 point = ploy_path_point(path, next);
        const ploy_path_edge *edge = ploy_path_edge_from(path, next - 1);
        if (ploy_jump_is_edge(edge)) {
            if (!jumping) jump = ploy_jump_begin(can, &gap, runner.position);
            jumping = true;
            ploy_steering request = ploy_jump_steer(can, &jump, runner);
            runner = ploy_integrate(&motion, runner, request, dt);
            if (jump.phase != PLOY_JUMP_NOW) continue;
            ploy_vec3 fly = ploy_jump_velocity(can, &jump, runner.velocity);
            runner.position =
                ploy_vec2_add_scaled(runner.position, ploy_vec2_make(fly.x, fly.y), jump.need.time);
            printf("jumps %.1f m at %.1f m/s, lands at %.1f %.1f\n",
                   (double)(gap.landing.x - gap.take_off.x),
                   (double)ploy_vec2_length(runner.velocity), (double)runner.position.x,
                   (double)runner.position.y);
            jumping = false;
            jumps++;
            next++;
            continue;
        }
        runner = ploy_integrate(&motion, runner, ploy_arrive(&arrive, runner, point), dt);
        if (ploy_vec2_distance(runner.position, point) < 0.5f) next++;
    }
    printf("%.0f m, %d jump(s), there: %s\n", (double)ploy_path_length(path), jumps,
           tick < 3600 ? "yes" : "no");
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_path_def def = ploy_path_def_default();
    ploy_path *path = NULL;
    ploy_result result = ploy_path_create(&def, &env, &path);
    for (int laden = 0; laden < 2 && result == PLOY_OK; laden++) {
        ploy_jump_def can = ploy_jump_def_default();
        if (laden) can.take_off_speed = 1.0f; // carries a lot
        ploy_path_clear(path);
        result = plan(&can, &env, path);
        printf("%s: ", laden ? "laden" : "free");
        if (result == PLOY_OK) run(&can, path);
    }
    ploy_path_destroy(path);
    return result == PLOY_OK ? 0 : 1;
}
