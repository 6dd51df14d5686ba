// An agent sets out before its search is done, and a squad does not walk in one file.
// Shows ploy_planners_peek (the best path so far) and ploy_path_options.variety.
#include <stdio.h>

#include "ploy/path/finders.h"
#include "ploy/path/planners.h"

enum { SIDE = 16, SQUAD = 6 };

static void set_out(ploy_planners *planners, const ploy_path_request *request, ploy_path *path) {
    ploy_path_service service = ploy_planners_service(planners);
    ploy_path_ticket ticket;
    ploy_path_outcome outcome;
    if (ploy_planners_request(planners, request, NULL, &ticket) != PLOY_OK) return;
    if (ploy_planners_peek(planners, ticket, path) == PLOY_ERR_STATE) {
        printf("queued: no path so far\n");
    }
    for (int32_t tick = 1; tick <= 3; tick++) {
        ploy_budget budget = ploy_budget_units(tick == 2 ? 67 : 5);
        if (ploy_path_service_step(&service, &budget) != PLOY_IN_PROGRESS) break;
        if (ploy_planners_peek(planners, ticket, path) != PLOY_OK) return;
        ploy_vec2 end = ploy_path_point(path, ploy_path_count(path) - 1);
        printf("tick %d: so far to (%.1f, %.1f)\n", (int)tick, (double)end.x, (double)end.y);
    }
    ploy_path_service_step(&service, NULL);
    if (ploy_path_service_poll(&service, ticket, path, &outcome) != PLOY_OK) return;
    printf("done: %.1f m\n", (double)ploy_path_length(path));
}

static void spread(ploy_planners *planners, const ploy_path_request *request, ploy_path *path) {
    ploy_path_service service = ploy_planners_service(planners);
    for (uint32_t i = 0; i < SQUAD; i++) {
        ploy_path_options options = ploy_path_options_make();
        ploy_path_ticket ticket;
        ploy_path_outcome outcome;
        options.variety = i; // 0: the cheapest path
        if (ploy_planners_request(planners, request, &options, &ticket) != PLOY_OK) return;
        ploy_path_service_step(&service, NULL);
        if (ploy_path_service_poll(&service, ticket, path, &outcome) != PLOY_OK) return;
        float length = ploy_path_length(path);
        printf("agent %u: %.1f m, %s the wall\n", (unsigned)i, (double)length,
               ploy_path_at(path, length / 2).y > 8.0f ? "above" : "below");
    }
}

int main(void) {
    ploy_env env = ploy_env_default();
    ploy_tiles_def map = ploy_tiles_def_default();
    ploy_planners_def def = ploy_planners_def_default();
    ploy_path_def path_def = ploy_path_def_default();
    ploy_tiles *tiles = NULL;
    ploy_planners *planners = NULL;
    ploy_path *path = NULL;
    map.width = map.height = SIDE;
    if (ploy_tiles_create(&map, &env, &tiles) != PLOY_OK) return 1;
    for (int32_t y = 3; y < 13; y++) ploy_tiles_set(tiles, y * SIDE + 8, PLOY_TILE_BLOCKED);
    ploy_tiles_walker walker = ploy_tiles_walker_make(tiles, NULL);
    ploy_representation view = ploy_tiles_representation(&walker);
    ploy_finder_factory astar = ploy_representation_finder(&view, PLOY_SPACE_ASTAR);
    if (ploy_planners_create(&def, &env, &planners) != PLOY_OK) return 1;
    if (ploy_planners_add_finder(planners, (ploy_name){0}, &astar) != PLOY_OK) return 1;
    if (ploy_path_create(&path_def, &env, &path) != PLOY_OK) return 1;
    ploy_vec3 from = {0.5f, 8.5f, 0}, to = {15.5f, 8.5f, 0};
    ploy_path_request request = ploy_path_request_make(ploy_agent_id_none(), from, to);
    set_out(planners, &request, path);
    spread(planners, &request, path);
    ploy_path_destroy(path);
    ploy_planners_destroy(planners);
    ploy_tiles_destroy(tiles);
    return 0;
}
