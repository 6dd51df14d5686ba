// What games take from levels: objects as structs, the scene, nodes and mesh.
#include "ploy/data/level_use.h"

#include "ploy/path/navmesh_query.h"
#include "tests/test.h"

// Two rooms of 6 x 6 m with a door between them, and a closed cell beyond.
static const char level_use_text[] =
    "wall 0 0 18 0\nwall 18 0 18 6\nwall 18 6 0 6\nwall 0 6 0 0\n"
    "wall 6 0 6 2.5\nwall 6 3.5 6 6\nwall 12 0 12 6\n"
    "door gate 6 2.5 6 3.5 button 5 3 button 7 3\n"
    "spawn 1 1 side=red\nspawn 11 5 facing=3\nitem health 10 1 25\nitem railgun 2 5\n";

typedef struct level_use_case {
    ploy_buffer bytes;
    ploy_level level;
} level_use_case;

static ploy_result level_use_open(level_use_case *it, const char *text, const ploy_env *env) {
    ploy_buffer_init(&it->bytes, 0, env);
    return ploy_level_from_text(text, strlen(text), "l", env, NULL, &it->bytes, &it->level);
}

TEST(objects_come_as_structs_in_their_order) {
    ploy_env env = ploy_env_default();
    level_use_case it;
    ploy_segment2 wall;
    ploy_level_door door;
    ploy_level_item item;
    ploy_level_spawn spawn;
    int32_t at = 0, walls = 0;
    CHECK_OK(level_use_open(&it, level_use_text, &env));
    for (; ploy_level_next_wall(&it.level, &at, &wall); walls++) {
        if (walls == 1) CHECK_SAME(wall.to.y, 6.0f);
    }
    CHECK_INT(walls, 7);
    at = 0;
    CHECK(ploy_level_next_door(&it.level, &at, &door));
    CHECK_TEXT(door.name, "gate");
    CHECK_INT(door.button_count, 2);
    CHECK_SAME(door.buttons[1].x, 7.0f);
    CHECK_SAME(door.segment.to.y, 3.5f);
    CHECK(!ploy_level_next_door(&it.level, &at, &door));
    at = 0;
    CHECK(ploy_level_next_item(&it.level, &at, &item));
    CHECK_TEXT(item.kind, "health");
    CHECK_SAME(item.amount, 25.0f);
    CHECK(ploy_level_next_item(&it.level, &at, &item));
    CHECK_TEXT(item.kind, "railgun");
    CHECK_SAME(item.amount, 1.0f);
    at = 0;
    CHECK(ploy_level_next_spawn(&it.level, &at, &spawn));
    CHECK_TEXT(spawn.side, "red");
    CHECK(ploy_level_next_spawn(&it.level, &at, &spawn));
    CHECK_TEXT(spawn.side, "");
    CHECK_SAME(spawn.facing, 3.0f);
    CHECK(!ploy_level_next_spawn(&it.level, &at, &spawn));
    ploy_buffer_fini(&it.bytes);
}

TEST(a_closed_door_blocks_rays_until_it_is_opened) {
    ploy_env env = ploy_env_default();
    level_use_case it;
    ploy_plain_scene *scene = NULL;
    ploy_obstacle_id doors[1];
    ploy_obstacle obstacle;
    const ploy_vec2 left = {5, 3}, right = {7, 3};
    CHECK_OK(level_use_open(&it, level_use_text, &env));
    CHECK_OK(ploy_level_scene_create(&it.level, 1, 2, &env, &scene, doors));
    ploy_scene rays = ploy_plain_scene_interface(scene);
    CHECK(ploy_scene_sees2(&rays, left, right, 1));
    CHECK(!ploy_scene_sees2(&rays, left, right, 3));
    CHECK(ploy_plain_scene_get(scene, doors[0], &obstacle));
    obstacle.layers = 0;
    CHECK_OK(ploy_plain_scene_set(scene, doors[0], &obstacle));
    CHECK(ploy_scene_sees2(&rays, left, right, 3));
    ploy_plain_scene_destroy(scene);
    ploy_buffer_fini(&it.bytes);
}

TEST(nodes_fill_what_agents_reach_and_keep_away_from_walls) {
    ploy_env env = ploy_env_default();
    level_use_case it;
    ploy_graph *graph = NULL;
    ploy_plain_scene *scene = NULL;
    ploy_graph_report report;
    ploy_level_door door;
    int32_t at = 0, edges[64];
    ploy_level_def def = ploy_level_def_default();
    CHECK_OK(level_use_open(&it, level_use_text, &env));
    CHECK_OK(ploy_level_nodes_create(&def, &it.level, &env, NULL, &graph));
    CHECK_OK(ploy_level_scene_create(&it.level, 1, 0, &env, &scene, NULL));
    ploy_scene walls = ploy_plain_scene_interface(scene);
    CHECK_OK(ploy_graph_report_of(graph, &report));
    CHECK_INT(report.weak_parts, 1); // both rooms, through the door
    // 11 x 11 nodes in a room of 6 x 6 m at 0.5 m, from 0.5 to 5.5; two rooms, and the doorway.
    CHECK_INT(ploy_graph_node_count(graph), 2 * 121 + 1);
    for (int32_t n = ploy_graph_next_node(graph, 0); n >= 0;
         n = ploy_graph_next_node(graph, n + 1)) {
        ploy_vec3 place = ploy_graph_position(graph, n);
        CHECK(place.x < 12.0f); // the third room is closed
        CHECK_INT(ploy_scene_overlap(&walls, place, 0.249f, 1, NULL, 0), 0);
    }
    CHECK(ploy_level_next_door(&it.level, &at, &door));
    int32_t count = ploy_level_door_edges(&door, graph, edges, 64);
    CHECK(count > 0 && count <= 64);
    for (int32_t i = 0; i < count; i++) CHECK_OK(ploy_graph_set_open(graph, edges[i], false));
    CHECK_OK(ploy_graph_report_of(graph, &report));
    CHECK(report.weak_parts > 1);
    ploy_plain_scene_destroy(scene);
    ploy_graph_destroy(graph);
    ploy_buffer_fini(&it.bytes);
}

TEST(the_mesh_covers_the_floor_of_the_spawn_points) {
    ploy_env env = ploy_env_default();
    level_use_case it;
    ploy_navmesh *mesh = NULL;
    ploy_level_def def = ploy_level_def_default();
    CHECK_OK(level_use_open(&it, level_use_text, &env));
    CHECK_OK(ploy_level_mesh_create(&def, &it.level, &env, NULL, &mesh));
    ploy_navmesh_stats stats = ploy_navmesh_stats_of(mesh);
    CHECK_INT(stats.islands, 1);
    // Two rooms of (6 - 0.6)^2 and a doorway of 0.6 x 0.4, less the mesh's slack along the walls.
    CHECK(stats.area > 56.0f && stats.area < 58.8f);
    ploy_navmesh_destroy(mesh);
    ploy_buffer_fini(&it.bytes);
}

TEST(nodes_and_mesh_need_a_free_spawn_point) {
    static const struct {
        const char *row, *text;
        ploy_result nodes, mesh;
    } rows[] = {
        {"no spawn point", "wall 0 0 9 0\nwall 0 9 9 9\n", PLOY_ERR_NOT_FOUND, PLOY_ERR_NOT_FOUND},
        {"no walls", "spawn 1 1\n", PLOY_ERR_NOT_FOUND, PLOY_ERR_NOT_FOUND},
        {"in a wall", "wall 0 0 9 0\nwall 0 9 9 9\nspawn 1 0.1\n", PLOY_ERR_NOT_FOUND, PLOY_OK},
        {"open at two sides", "wall 0 0 9 0\nwall 0 9 9 9\nspawn 1 1\n", PLOY_OK, PLOY_OK},
    };
    ploy_env env = ploy_env_default();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        t->row = rows[i].row;
        level_use_case it;
        ploy_graph *graph = NULL;
        ploy_navmesh *mesh = NULL;
        ploy_level_def def = ploy_level_def_default();
        CHECK_OK(level_use_open(&it, rows[i].text, &env));
        CHECK_INT(ploy_level_nodes_create(&def, &it.level, &env, NULL, &graph), rows[i].nodes);
        CHECK_INT(ploy_level_mesh_create(&def, &it.level, &env, NULL, &mesh), rows[i].mesh);
        ploy_navmesh_destroy(mesh);
        ploy_graph_destroy(graph);
        ploy_buffer_fini(&it.bytes);
    }
}

TEST(two_rooms_without_a_door_get_two_parts_of_one_lattice) {
    ploy_env env = ploy_env_default();
    level_use_case it;
    ploy_graph *graph = NULL;
    ploy_graph_report report;
    ploy_level_def def = ploy_level_def_default();
    CHECK_OK(level_use_open(&it,
                            "wall 0 0 8 0\nwall 8 0 8 4\nwall 8 4 0 4\nwall 0 4 0 0\n"
                            "wall 4 0 4 4\nspawn 1 1\nspawn 6.2 2.1\nspawn 2 2\n",
                            &env));
    CHECK_OK(ploy_level_nodes_create(&def, &it.level, &env, NULL, &graph));
    CHECK_OK(ploy_graph_report_of(graph, &report));
    CHECK_INT(report.weak_parts, 2);
    CHECK_INT(ploy_graph_node_count(graph), 2 * 49);
    ploy_graph_destroy(graph);
    ploy_buffer_fini(&it.bytes);
}

static ploy_result level_use_body(const ploy_env *env, void *arg) {
    (void)arg;
    level_use_case it;
    ploy_graph *graph = NULL;
    ploy_navmesh *mesh = NULL;
    ploy_level_def def = ploy_level_def_default();
    def.spacing = 1.0f;
    ploy_result result = level_use_open(
        &it, "wall 0 0 4 0\nwall 4 0 4 3\nwall 4 3 0 3\nwall 0 3 0 0\nwall 2 1 2 2\nspawn 1 1\n",
        env);
    if (result == PLOY_OK) result = ploy_level_nodes_create(&def, &it.level, env, NULL, &graph);
    if (result == PLOY_OK) result = ploy_level_mesh_create(&def, &it.level, env, NULL, &mesh);
    ploy_navmesh_destroy(mesh);
    ploy_graph_destroy(graph);
    ploy_buffer_fini(&it.bytes);
    return result;
}

TEST(nodes_and_mesh_survive_every_failing_allocation) {
    CHECK_FAIL_NTH(level_use_body, NULL);
}
