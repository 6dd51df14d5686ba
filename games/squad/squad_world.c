// The squad's world: a network with points of interest, and walls, both as texts.
#include <string.h>

#include "games/squad/squad.h"

// Colours are tags of the waypoints (PLOY_WAYPOINT_COLOR): tag and value, the low byte first.
const char squad_network_text[] =
    "wpn 1\n"
    "waypoint 1 4 4 0 0 0 0 1 1.3 010000003030c000\n"
    "waypoint 2 14 4 0 0 0 0 1 1.3 0100000030c03000\n"
    "waypoint 3 26 4 0 0 0 0 1 1.3 01000000c0303000\n"
    "waypoint 4 36 4 0 0 0 0 1 1.3 0100000030c0c000\n"
    "waypoint 5 4 14 0 0 0 0 1 1.3 01000000c030c000\n"
    "waypoint 6 15 14 0 0 0 0 1 1.3 01000000c0c03000\n"
    "waypoint 7 22 14 0 0 0 0 1 1.3 010000006060c000\n"
    "waypoint 8 36 15 0 0 0 0 1 1.3 0100000060c06000\n"
    "waypoint 9 4 26 0 0 0 0 1 1.3 01000000c0606000\n"
    "waypoint a 16 26 0 0 0 0 1 1.3 0100000060c0c000\n"
    "waypoint b 27 26 0 0 0 0 1 1.3 01000000c060c000\n"
    "waypoint c 36 26 0 0 0 0 1 1.3 01000000c0c06000\n"
    "edge 1 2 1 1\nedge 2 1 1 1\nedge 2 3 1 1\nedge 3 2 1 1\nedge 3 4 1 1\nedge 4 3 1 1\n"
    "edge 1 5 1 1\nedge 5 1 1 1\nedge 2 6 1 1\nedge 6 2 1 1\nedge 6 7 1 1\nedge 7 6 1 1\n"
    "edge 4 8 1 1\nedge 8 4 1 1\nedge 5 9 1 1\nedge 9 5 1 1\nedge 6 a 1 1\nedge a 6 1 1\n"
    "edge 8 c 1 1\nedge c 8 1 1\nedge 9 a 1 1\nedge a 9 1 1\nedge a b 1 1\nedge b a 1 1\n"
    "edge b c 1 1\nedge c b 1 1\nedge 2 7 1 1\nedge 7 2 1 1\n"
    "poi 101 2 2 0 1\npoi 102 20 2 0 1\npoi 103 38 3 0 1\npoi 104 2 20 0 1\n"
    "poi 105 19 18 0 1\npoi 106 30 28 0 1\npoi 107 38 20 0 1\n";

const char squad_level_text[] = "# Two buildings between the waypoints, and the edge of the map.\n"
                                "wall 0 0 40 0\nwall 40 0 40 30\nwall 40 30 0 30\nwall 0 30 0 0\n"
                                "wall 8 8 8 22\nwall 8 8 11 8\nwall 8 22 11 22\nwall 11 8 11 22\n"
                                "wall 28 8 28 22\nwall 28 8 32 8\nwall 28 22 32 22\n"
                                "wall 32 8 32 22\n";

bool squad_sees(void *user, ploy_vec3 from, ploy_vec3 to) {
    const squad_game *game = user;
    return !ploy_scene_ray(&game->walls, from, to, 1, NULL);
}

static ploy_result squad_read_level(const void *bytes, size_t size, const ploy_env *env,
                                    ploy_diags *diags, ploy_plain_scene **out) {
    ploy_buffer block;
    ploy_level level;
    ploy_buffer_init(&block, 0, env);
    ploy_result result = ploy_level_from_text(bytes, size, "level", env, diags, &block, &level);
    if (result == PLOY_OK) result = ploy_level_scene_create(&level, 1, 1, env, out, NULL);
    ploy_buffer_fini(&block);
    return result;
}

// The network's places as points of interest. Their positions are on the plane.
static ploy_result squad_add_points(squad_game *game) {
    ploy_network_place place;
    ploy_tactical_points_clear(game->points);
    for (int32_t i = 0; ploy_network_place_at(game->network, i, &place); i++) {
        ploy_tactical_point point = ploy_tactical_point_make(place.position);
        ploy_tactical_id id;
        point.radius = place.radius;
        point.data = place.id;
        ploy_result result = ploy_tactical_points_add(game->points, &point, &id);
        if (result == PLOY_OK) {
            result = ploy_tactical_points_set_value(game->points, id, game->interest, 1.0f);
        }
        if (result != PLOY_OK) return result;
        if (i == 0) game->selected = id;
    }
    memset(game->noises, 0, sizeof game->noises);
    return PLOY_OK;
}

// Closes the edges that a member cannot walk, because a wall was built across them.
static void squad_close_edges(squad_game *game) {
    ploy_waypoint a, b;
    for (int32_t i = 0; ploy_network_next(game->network, &i, &a);) {
        for (int32_t k = 0; ploy_network_next(game->network, &k, &b);) {
            ploy_waypoint_edge edge;
            if (!ploy_network_edge_at(game->network, a.id, b.id, &edge)) continue;
            ploy_scene_hit hit;
            edge.open = edge.open &&
                        !ploy_scene_sweep2(&game->walls, ploy_vec2_from_vec3(a.position),
                                           ploy_vec2_from_vec3(b.position), SQUAD_RADIUS, 1, &hit);
            (void)ploy_network_set_edge(game->network, a.id, b.id, &edge);
        }
    }
}

ploy_result squad_load_world(squad_game *game, const ploy_env *env) {
    const ploy_definition_text *network = &game->texts[SQUAD_NETWORK];
    const ploy_definition_text *level = &game->texts[SQUAD_LEVEL];
    ploy_search_cancel(game->search); // it may hold the old network's space
    ploy_network_destroy(game->network);
    ploy_plain_scene_destroy(game->scene);
    game->network = NULL;
    game->scene = NULL;
    ploy_result result =
        ploy_network_load(network->bytes, network->size, "network", env, NULL, &game->network);
    if (result == PLOY_OK) {
        result = squad_read_level(level->bytes, level->size, env, NULL, &game->scene);
    }
    if (result == PLOY_OK) {
        game->walls = ploy_plain_scene_interface(game->scene);
        squad_close_edges(game);
        result = squad_add_points(game);
    }
    return result;
}

static ploy_result squad_check_network(const void *bytes, size_t size, const ploy_env *env,
                                       ploy_diags *diags) {
    ploy_network *network = NULL;
    ploy_result result = ploy_network_load(bytes, size, "network", env, diags, &network);
    if (result != PLOY_OK) return result;
    int32_t points = ploy_network_place_count(network);
    if (points < 2 || points > SQUAD_POINTS_MAX - SQUAD_NOISES_MAX) {
        ploy_diags_add(diags, PLOY_SEVERITY_ERROR, PLOY_ERR_FORMAT, "network", 0, 0,
                       "wrong number of points of interest", "2 to 56 lines with poi", NULL);
        result = PLOY_ERR_FORMAT;
    }
    ploy_network_destroy(network);
    return result;
}

ploy_result squad_check_world(int32_t text, const void *bytes, size_t size, const ploy_env *env,
                              ploy_diags *diags) {
    if (text == SQUAD_NETWORK) return squad_check_network(bytes, size, env, diags);
    ploy_plain_scene *scene = NULL;
    ploy_result result = squad_read_level(bytes, size, env, diags, &scene);
    ploy_plain_scene_destroy(scene);
    return result;
}
